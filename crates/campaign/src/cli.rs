//! What `muster campaign …` does, as functions: each takes a folder and texts, and gives what is to be printed.
//! Times are given by the caller; nothing here looks at a clock.

mod desk;
mod post;

pub use crate::again::Mend;
pub use desk::{again, confirm, date, deadline, hand, hold, memo, say, send_note, undecided, zone};
pub use post::{Press, publish};

use crate::battle::Fighter;
use crate::campaign::Campaign;
use crate::command::Command;
use crate::event::Event;
use crate::ids::NationId;
use crate::log::Seen;
use crate::order::SetState;
use crate::report;
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::store::Folder;
use crate::view::{Reader, View, view_published};
use crate::world::{Plan, World, generate, shipped, world_files};
use dice::Key;
use game::{Actor, Problem, Problems};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What a command gives: text for people, JSON for programs, and whether the answer is yes.
#[derive(Clone, Debug, PartialEq)]
pub struct Out {
    /// For standard output.
    pub text: String,
    /// With `--json`.
    pub json: Value,
    /// False for a negative verdict (exit status 1).
    pub yes: bool,
}

/// The end of a command.
pub type Ran = Result<Out, Problems>;

fn said(text: impl Into<String>, json: Value) -> Out {
    Out { text: text.into(), json, yes: true }
}

fn one(problem: Problem) -> Problems {
    vec![problem]
}

/// A world by name, from a folder with `map.toml` and a file for each nation, or `seed:N` and `seed:N:NATIONS`.
///
/// # Errors
/// Everything that is wrong with it, with file and line.
pub fn world(map: &str, rules: &Rules) -> Result<(World, Option<String>), Problems> {
    if let Some(world) = shipped(map) {
        return Ok((world, Some(map.to_lowercase())));
    }
    if let Some(plan) = map.strip_prefix("seed:") {
        let (seed, nations) = plan.split_once(':').unwrap_or((plan, "4"));
        let wrong = || {
            one(Problem::new(format!("what map is {map}?"))
                .hint("seed:7 or seed:7:6, the second number of nations"))
        };
        let plan =
            Plan { seed: seed.parse().map_err(|_| wrong())?, nations: nations.parse().map_err(|_| wrong())? };
        if !Plan::NATIONS.contains(&plan.nations) {
            let (least, most) = (Plan::NATIONS.start(), Plan::NATIONS.end());
            return Err(one(Problem::new(format!("a map of {} nations", plan.nations))
                .hint(format!("from {least} to {most} nations: seed:{}:4", plan.seed))));
        }
        return Ok((generate(plan), None));
    }
    let folder = Path::new(map);
    if !folder.is_dir() {
        let known: Vec<&str> = crate::world::SHIPPED.iter().map(|s| s.name).collect();
        return Err(one(Problem::new(format!("no map is called {map}"))
            .hint(format!("known: {}; or a folder, or seed:7", known.join(", ")))));
    }
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|e| one(Problem::new(format!("{}: {e}", path.display()))))
    };
    let map_file = folder.join("map.toml");
    let map_text = read(&map_file)?;
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).map_err(|e| one(Problem::new(format!("{map}: {e}"))))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "toml") && path != map_file {
            files.push((path.display().to_string(), read(&path)?));
        }
    }
    files.sort();
    let nations: Vec<(&str, &str)> = files.iter().map(|(f, t)| (f.as_str(), t.as_str())).collect();
    world_files((&map_file.display().to_string(), &map_text), &nations, rules).map(|w| (w, None))
}

/// `campaign new DIR --map M`: starts a campaign. `seed`: of the dice; `umpired`: seasons wait for the umpire.
///
/// # Errors
/// Everything wrong with map or rules, or a folder that holds a campaign.
pub fn new(dir: &Path, map: &str, rules: Rules, key: &Key, umpired: bool) -> Ran {
    let (world, name) = world(map, &rules)?;
    let nations: Vec<String> = world.nations.keys().map(ToString::to_string).collect();
    let title = world.name.clone();
    let folder = Folder::create(dir, Campaign::new(world, name, rules, umpired), key, Vec::new())?;
    let text = format!(
        "{title}: {} nations ({}) in {}\n",
        nations.len(),
        nations.join(", "),
        folder.path().display()
    );
    Ok(said(text, json!({ "campaign": title, "nations": nations, "commitment": key.commitment() })))
}

/// `campaign check MAP`: whether a world is right.
///
/// # Errors
/// Everything wrong with it.
pub fn check(map: &str, rules: &Rules) -> Ran {
    let (world, _) = world(map, rules)?;
    let cities = world.places.values().filter(|p| p.city).count();
    let text = format!(
        "{}: {} places ({cities} cities), {} nations, {} land, {} sea and {} air routes: all right\n",
        world.name,
        world.places.len(),
        world.nations.len(),
        world.land.len(),
        world.sea.len(),
        world.air.len()
    );
    Ok(said(text, json!({ "places": world.places.len(), "cities": cities, "nations": world.nations.len() })))
}

fn nation(folder: &Folder, word: &str) -> Result<NationId, Problems> {
    let nations = &folder.table.game().world().nations;
    let found = nations.keys().find(|n| n.as_str().eq_ignore_ascii_case(word));
    found.copied().ok_or_else(|| {
        one(Problem::new(format!("no nation is called {word}"))
            .meant(word, nations.keys().map(NationId::as_str)))
    })
}

/// A nation of a campaign by its name.
///
/// # Errors
/// A nation that there is not, with the nearest.
pub fn nation_of(folder: &Folder, word: &str) -> Result<NationId, Problems> {
    nation(folder, word)
}

fn note(folder: &Folder, text: String) -> String {
    match &folder.recovered {
        Some(what) => format!("note: {what}\n{text}"),
        None => text,
    }
}

fn wrong(path: &Path, e: &std::io::Error) -> Problems {
    one(Problem::new(format!("{}: {e}", path.display())))
}

/// As the umpire, whose folder it is, sees a reader's view: with what he holds, as it will go out.
fn seen(folder: &Folder, reader: Reader) -> View {
    view_published(folder.table.state(), reader)
}

/// When and how a set of orders came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When it was sent, in minutes or any count that grows (CAM-046).
    pub sent: i64,
    /// When it arrived.
    pub received: i64,
    /// Draft, submitted or confirmed.
    pub state: SetState,
    /// Whether the umpire enters it for a player who telephoned or wrote on paper.
    pub by_umpire: bool,
}

/// `campaign orders DIR NATION FILE`: takes a set of orders and gives the receipt.
///
/// # Errors
/// A refusal. Lines that cannot be read are no error: they stand in the receipt.
pub fn orders(dir: &Path, who: &str, text: &str, sent: Sent) -> Ran {
    let mut folder = Folder::open(dir)?;
    let nation = nation(&folder, who)?;
    if text.len() > crate::campaign::LONGEST_SET {
        let most = crate::campaign::LONGEST_SET / 1024;
        let long = text.len() / 1024;
        return Err(one(Problem::new(format!(
            "a set of orders has at most {most} kilobytes, and this has {long}"
        ))
        .hint("send the orders alone; nothing was changed")));
    }
    let before = seen(&folder, Reader::Nation(nation));
    let campaign = folder.table.game().clone();
    let number = u32::try_from(before.sets.len()).unwrap_or(0) + 1;
    let mut sets = before.sets.clone();
    sets.push(crate::order::OrderSet {
        number,
        sent: sent.sent,
        received: sent.received,
        state: sent.state,
        by_umpire: sent.by_umpire,
        text: text.to_owned(),
    });
    let receipt = report::receipt(campaign.world(), campaign.rules_in_force(), &before, &sets);
    let command = Command::Orders {
        nation,
        sent: sent.sent,
        received: sent.received,
        state: sent.state,
        text: text.to_owned(),
    };
    let by = if sent.by_umpire {
        Actor::Umpire
    } else {
        campaign.seat_of(nation).map_or(Actor::Umpire, Actor::Seat)
    };
    folder.command(by, &command.to_string())?;
    let text = receipt.as_ref().map(report::Receipt::text).unwrap_or_default();
    let yes = receipt.as_ref().is_none_or(|r| r.problems.is_empty());
    Ok(Out { text: note(&folder, text), json: serde_json::to_value(receipt).unwrap_or_default(), yes })
}

/// `campaign form DIR NATION`: the order form as text.
///
/// # Errors
/// A campaign or nation that there is not.
pub fn form(dir: &Path, who: &str) -> Ran {
    let folder = Folder::open(dir)?;
    let nation = nation(&folder, who)?;
    let game = folder.table.game();
    let own = seen(&folder, Reader::Nation(nation));
    let text = report::form_after(game.world(), game.rules_in_force(), &own, &last_orders(&folder, nation));
    Ok(said(text.clone(), json!({ "form": text })))
}

/// The text of a nation's last set that counted for something, of this season or one before.
fn last_orders(folder: &Folder, nation: NationId) -> String {
    let lines = folder.table.record().lines.iter().rev();
    let texts = lines.filter_map(|line| match &line.act {
        game::record::Act::Command(c) if c.starts_with("orders ") => folder.table.game().read(c).ok(),
        _ => None,
    });
    let own = texts.filter_map(|command| match command {
        Command::Orders { nation: n, state, text, .. } if n == nation && state != SetState::Draft => {
            Some(text)
        }
        _ => None,
    });
    // Amendments stand before the set that they change, so that their lines are found first.
    let mut out = String::new();
    for text in own {
        out.push_str(&text);
        out.push('\n');
        if !crate::order::amends(&text, folder.table.game().rules_in_force().strict()) {
            break;
        }
    }
    out
}

/// The time of day, which the command line knows and this crate does not.
pub trait Clock {
    /// Seconds since 1970.
    fn now(&self) -> i64;
    /// A date as people write it, in seconds since 1970.
    fn read(&self, text: &str) -> Option<i64>;
    /// A date in a time zone, in words.
    fn words(&self, at: i64, zone: &str) -> String;
}

/// A clock that stands still at 1970, for programs that set no dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> i64 {
        0
    }
    fn read(&self, _: &str) -> Option<i64> {
        None
    }
    fn words(&self, at: i64, _: &str) -> String {
        at.to_string()
    }
}

/// `campaign status DIR`: who is missing, what is waited for, until when in each player's time zone.
///
/// # Errors
/// A campaign that there is not.
pub fn status(dir: &Path, clock: &dyn Clock) -> Ran {
    let folder = Folder::open(dir)?;
    let (game, state) = (folder.table.game(), folder.table.state());
    let mut desk = report::desk(game.world(), game.rules_in_force(), state);
    let now = clock.now();
    let waits = matches!(state.phase, Phase::Orders | Phase::Winter);
    if let Some(at) = state.deadline.filter(|_| waits) {
        desk.past = now > at;
        desk.due = Some(clock.words(at, "UTC"));
        for row in &mut desk.nations {
            let zone = state.zones.get(&row.nation).map_or("UTC", String::as_str);
            row.due = Some(clock.words(at, zone));
        }
    }
    for battle in &mut desk.battles {
        let Some(at) = battle.date.as_deref().and_then(|d| clock.read(d)) else { continue };
        battle.past = now > at;
        // In the time of each player who has set one.
        let zones = battle.nations.iter().filter_map(|n| state.zones.get(n).map(|zone| (n, zone)));
        let local: Vec<String> = zones.map(|(n, zone)| format!("{n}: {}", clock.words(at, zone))).collect();
        if !local.is_empty() {
            battle.date = battle.date.take().map(|d| format!("{d} ({})", local.join("; ")));
        }
    }
    let text = note(&folder, desk.text());
    Ok(said(text, serde_json::to_value(&desk).unwrap_or_default()))
}

/// `campaign pack DIR BATTLE [NATION]`: the sheet of each side, or of one, and the result form.
///
/// # Errors
/// A battle that is not to be fought.
pub fn pack(dir: &Path, battle: &str, who: Option<&str>) -> Ran {
    let folder = Folder::open(dir)?;
    let state = folder.table.state();
    let found = state.turn.battles.iter().find(|b| b.name().eq_ignore_ascii_case(battle)).cloned();
    let Some(found) = found.filter(|_| state.phase == Phase::Battles) else {
        let open: Vec<String> = state.turn.battles.iter().map(crate::battle::Battle::name).collect();
        return Err(one(Problem::new(format!("no battle is to be fought at {battle}"))
            .meant(battle, open.iter().map(String::as_str))));
    };
    let who = who.map(|w| nation(&folder, w)).transpose()?;
    let world = folder.table.game().world();
    let mut sheets = serde_json::Map::new();
    let mut text = String::new();
    for nation in found.nations().into_iter().filter(|n| who.is_none_or(|w| w == *n)) {
        let mut own = seen(&folder, Reader::Nation(nation));
        own.battles.retain(|b| b.name() == found.name());
        let sheet = report::pack(world, &own);
        text.push_str(&sheet);
        sheets.insert(nation.to_string(), json!(sheet));
    }
    let form = report::result_form(state, &found);
    if who.is_none() {
        text.push_str(&format!("# The result form (save as a file, for the umpire)\n\n```toml\n{form}```\n"));
    }
    let page = report::result_page(state, &found);
    Ok(said(text, json!({ "sheets": sheets, "form": form, "page": page })))
}

/// `campaign result DIR BATTLE FILE`: enters a result (TOML as the form, or JSON).
///
/// # Errors
/// What does not read, or cannot be of this battle.
pub fn result(dir: &Path, battle: &str, file: &str, text: &str) -> Ran {
    let mut folder = Folder::open(dir)?;
    let mut result: crate::battle::BattleResult = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|e| one(Problem::new(e.to_string()).in_file(file)))?
    } else {
        toml::from_str(text).map_err(|e| one(game::case::toml_problem(file, text, &e)))?
    };
    if result.how.is_empty() {
        "entered".clone_into(&mut result.how);
    }
    let command = Command::Result { battle: battle.to_owned(), result };
    let events = folder.command(Actor::Umpire, &command.to_string())?;
    Ok(told(&folder, &events))
}

/// As one sentence for the umpire: of what only some nations are told, with their names.
fn tell_umpire(event: &Event) -> String {
    let words = crate::tell::tell(event);
    match event {
        Event::Decided(entry) => match &entry.seen {
            Seen::Nations(list) => {
                let names: Vec<&str> = list.iter().map(NationId::as_str).collect();
                format!("{:>2} [{}] {words}", entry.step, names.join(", "))
            }
            Seen::Public => format!("{:>2} [all] {words}", entry.step),
            Seen::Umpire => format!("{:>2} [umpire] {words}", entry.step),
        },
        _ => words,
    }
}

fn told(folder: &Folder, events: &[Event]) -> Out {
    let lines: Vec<String> = events.iter().map(tell_umpire).collect();
    let list: Vec<Value> = events.iter().map(crate::tell::json).collect();
    said(note(folder, lines.join("\n") + "\n"), json!({ "events": list }))
}

/// What is done with the battles of a season.
pub enum Auto<'a> {
    /// The season stops with the list of battles.
    Wait,
    /// Each is reckoned up quickly by the campaign's own dice.
    Reckon,
    /// Each is fought out, with its record in the folder `battles/`.
    Fight(&'a mut dyn Fighter),
}

impl std::fmt::Debug for Auto<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Auto::Wait => "Wait",
            Auto::Reckon => "Reckon",
            Auto::Fight(_) => "Fight",
        })
    }
}

/// `campaign adjudicate DIR [--auto | --quick] [--preview]`: closes the season; `auto` says who fights what is left.
///
/// # Errors
/// A campaign that is over, or battles still to be fought that nobody is to fight.
pub fn adjudicate(dir: &Path, mut auto: Auto<'_>, preview: bool) -> Ran {
    let mut folder = Folder::open(dir)?;
    let state = folder.table.state();
    if preview {
        let game = folder.table.game();
        let mut dice = folder.dice.clone();
        let entries = report::preview(game.world(), game.rules_in_force(), state, &mut dice)
            .map_err(|e| one(Problem::new(e.to_string())))?;
        let line =
            |e: &crate::log::Entry| format!("{} ({})\n", tell_umpire(&Event::Decided(e.clone())), e.rule);
        let first: String = entries.iter().filter(|e| report::wants_eye(e)).map(line).collect();
        let rest: String = entries.iter().filter(|e| !report::wants_eye(e)).map(line).collect();
        let first = if first.is_empty() { "nothing\n".to_owned() } else { first };
        let eye: Vec<&str> =
            entries.iter().filter(|e| report::wants_eye(e)).map(|e| e.fact.as_str()).collect();
        return Ok(said(
            format!("Preview: nothing is done yet.\n\nThis needs your eye:\n{first}\nThe rest:\n{rest}"),
            json!({ "preview": entries, "eye": eye }),
        ));
    }
    let mut events = Vec::new();
    if matches!(state.phase, Phase::Orders | Phase::Winter) {
        let unsent = post::unsent(&folder);
        if !unsent.is_empty() {
            let text = format!(
                "letters of {} have changed and not gone out again: {}",
                state.told,
                unsent.join(", ")
            );
            return Err(one(
                Problem::new(text).hint("muster campaign publish DIR sends the corrections, then adjudicate")
            ));
        }
        events.extend(folder.command(Actor::Umpire, "adjudicate")?);
    } else if matches!(auto, Auto::Wait) && state.phase == Phase::Battles {
        let open: Vec<String> = unfought(state);
        return Err(one(Problem::new(format!("battles are still to be fought: {}", open.join(", ")))
            .hint("enter their results, or let the computer fight with --auto")));
    }
    while let Some(name) = unfought(folder.table.state()).first().cloned() {
        events.extend(match &mut auto {
            Auto::Wait => break,
            Auto::Reckon => folder.command(Actor::Umpire, &Command::Fight(name).to_string())?,
            Auto::Fight(fighter) => fight_one(&mut folder, &name, *fighter)?,
        });
    }
    let mut out = told(&folder, &events);
    let open = unfought(folder.table.state());
    if !open.is_empty() {
        out.text.push_str(&format!(
            "The season waits for its battles: {}. Packs: muster campaign publish DIR. Then: muster campaign result DIR BATTLE FILE, or adjudicate DIR --auto.\n",
            open.join(", ")
        ));
    }
    Ok(out)
}

/// Fights one battle out, keeps its record, and enters the result.
fn fight_one(folder: &mut Folder, name: &str, fighter: &mut dyn Fighter) -> Result<Vec<Event>, Problems> {
    let found = folder.table.state().turn.battles.iter().find(|b| b.name() == name).cloned();
    let Some(battle) = found else { return Ok(Vec::new()) };
    let season = post::folder_name(&folder.table.state().when());
    let (command, record) = desk::fought(folder, &folder.table, &battle, fighter)?;
    let events = folder.command(Actor::Umpire, &command.to_string())?;
    if let Some(record) = record {
        let out = folder.path().join("battles");
        let file = out.join(format!("{season}-{name}.jsonl"));
        fs::create_dir_all(&out).and_then(|()| fs::write(&file, record)).map_err(|e| wrong(&file, &e))?;
    }
    Ok(events)
}

fn unfought(state: &State) -> Vec<String> {
    if state.phase != Phase::Battles {
        return Vec::new();
    }
    state.turn.battles.iter().filter(|b| b.result.is_none()).map(crate::battle::Battle::name).collect()
}

/// `campaign rule DIR RULING`: the umpire overrules, with a reason, from here on: `die "siege at Brack, Spring of year 1"
/// 6 because "misread"`. To run the last season again with a ruling, see [`again`].
///
/// # Errors
/// What does not read or may not be ruled.
pub fn rule(dir: &Path, text: &str) -> Ran {
    let mut folder = Folder::open(dir)?;
    let command =
        if text.trim_start().starts_with("rule ") { text.to_owned() } else { format!("rule {text}") };
    let events = folder.command(Actor::Umpire, &command)?;
    Ok(told(&folder, &events))
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Markdown.
    Markdown,
    /// A page with the map.
    Html,
}

/// `campaign report DIR NATION`: its letter; without a nation, the gazette. `paragraph`: the umpire's own.
///
/// # Errors
/// A campaign or nation that there is not.
pub fn report(dir: &Path, who: Option<&str>, format: Format, paragraph: &str) -> Ran {
    let folder = Folder::open(dir)?;
    let game = folder.table.game();
    let reader = match who {
        None => Reader::Public,
        Some(word) => Reader::Nation(nation(&folder, word)?),
    };
    let own = seen(&folder, reader);
    let markdown = match reader {
        Reader::Public => report::gazette(game.world(), &own, paragraph),
        _ => report::letter(game.world(), game.rules_in_force(), &own, paragraph),
    };
    let text = match format {
        Format::Markdown => markdown,
        Format::Html => {
            let title = who.map_or("Gazette".to_owned(), |w| format!("Letter to {w}"));
            report::html(&title, &markdown, &report::map_svg(game.world(), game.rules_in_force(), &own))
        }
    };
    Ok(said(text, serde_json::to_value(&own).unwrap_or_default()))
}

/// `campaign report DIR NATION --all`: every letter that the nation has had, one season after the other, as they stand
/// after all corrections; for a player who takes a nation over. Without a nation: every gazette.
///
/// # Errors
/// A campaign or nation that there is not.
pub fn letters(dir: &Path, who: Option<&str>) -> Ran {
    let folder = Folder::open(dir)?;
    let nation = who.map(|word| nation(&folder, word)).transpose()?;
    let game = folder.table.game();
    let reader = nation.map_or(Reader::Public, Reader::Nation);
    let all: Vec<(String, String)> = crate::again::seasons(&folder.table, reader)
        .into_iter()
        .map(|(told, own)| (told, crate::again::text_of(game, &own)))
        .collect();
    if all.is_empty() {
        return Err(one(Problem::new("no letter has gone out yet").hint("muster campaign adjudicate DIR")));
    }
    let text = all.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n---\n\n");
    let json: Vec<Value> = all.iter().map(|(told, text)| json!({ "season": told, "letter": text })).collect();
    Ok(said(note(&folder, text), json!({ "letters": json })))
}

/// A letter for paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its title.
    pub title: String,
    /// Its text, as Markdown.
    pub markdown: String,
    /// The reader's map, as SVG.
    pub map: String,
}

/// A letter (or the gazette) with its map, for paper.
///
/// # Errors
/// A campaign or nation that there is not.
pub fn paper(dir: &Path, who: Option<&str>, paragraph: &str) -> Result<Paper, Problems> {
    let folder = Folder::open(dir)?;
    let game = folder.table.game();
    let nation = who.map(|word| nation(&folder, word)).transpose()?;
    let own = seen(&folder, nation.map_or(Reader::Public, Reader::Nation));
    let (world, rules) = (game.world(), game.rules_in_force());
    Ok(Paper {
        title: nation.map_or_else(|| "Gazette".to_owned(), |n| format!("Letter to {n}")),
        markdown: match nation {
            None => report::gazette(world, &own, paragraph),
            Some(_) => report::letter(world, rules, &own, paragraph),
        },
        map: report::map_svg(world, rules, &own),
    })
}

/// `campaign map DIR [NATION]`: the map as SVG; without a nation, the umpire's with everything.
///
/// # Errors
/// A campaign or nation that there is not.
pub fn map(dir: &Path, who: Option<&str>) -> Ran {
    let folder = Folder::open(dir)?;
    let game = folder.table.game();
    let reader = match who {
        None => Reader::Umpire,
        Some(word) => Reader::Nation(nation(&folder, word)?),
    };
    let own = seen(&folder, reader);
    let svg = report::map_svg(game.world(), game.rules_in_force(), &own);
    Ok(said(svg.clone(), json!({ "svg": svg, "title": report::map_title(game.world(), &own) })))
}

/// `campaign map DIR --wall`: the map that all may see, as SVG.
///
/// # Errors
/// A campaign that there is not.
pub fn wall(dir: &Path) -> Ran {
    let folder = Folder::open(dir)?;
    let game = folder.table.game();
    let own = seen(&folder, Reader::Public);
    let svg = report::map_svg(game.world(), game.rules_in_force(), &own);
    Ok(said(svg.clone(), json!({ "svg": svg, "title": report::map_title(game.world(), &own) })))
}

/// `campaign history DIR`: every command with its line, who gave it, and what followed in public.
///
/// # Errors
/// A campaign that there is not.
pub fn history(dir: &Path) -> Ran {
    let folder = Folder::open(dir)?;
    let mut text = String::new();
    let mut list = Vec::new();
    for line in &folder.table.record().lines {
        let what = match &line.act {
            game::record::Act::Command(c) => c.clone(),
            game::record::Act::Undo { to, .. } => format!("line {to} and what follows is taken back"),
            other => format!("{other:?}"),
        };
        let short: String = what.chars().take(90).collect();
        text.push_str(&format!("{:>4}  {:<14} {short}\n", line.n, line.by));
        list.push(json!({ "n": line.n, "by": line.by, "what": what, "state": line.state.to_string() }));
    }
    Ok(said(note(&folder, text), json!({ "lines": list })))
}

/// `campaign orders DIR NATION --computer`: the orders that the computer would give, from the nation's view.
///
/// # Errors
/// A campaign or nation that there is not.
pub fn computer_orders(dir: &Path, who: &str) -> Ran {
    let folder = Folder::open(dir)?;
    let nation = nation(&folder, who)?;
    let game = folder.table.game();
    let texts = crate::computer::texts(
        game.world(),
        game.rules_in_force(),
        &seen(&folder, Reader::Nation(nation)),
        1,
    );
    let text = texts.into_iter().next().unwrap_or_default();
    Ok(said(text.clone(), json!({ "orders": text })))
}
