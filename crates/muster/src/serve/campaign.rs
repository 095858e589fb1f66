//! A campaign as a page: the umpire's evening and each nation's desk. What a nation gets is made from its view alone
//! (CAM-120, CAM-121); battles are fought at tables of this server, and their results flow back.

use crate::campaign_cmd::battle_rules;
mod umpire;

use crate::campaign_fight::{Computers, from_record, unlaid};
use crate::campaign_press;
use crate::campaign_time::Wall;
use crate::paper::PaperSize;
use campaign::again;
use campaign::battle::{Battle, Task, battle_key};
use campaign::cli::Clock as _;
use campaign::order::{OrderSet, SetState};
use campaign::world::{SHIPPED, shipped, world_files};
use campaign::{Campaign, Command, NationId, Phase, Reader, Rules, State, View, report, view};
use dice::{Key, Seeded};
use game::record::Record;
use game::{Actor, Game as _, Problem, Problems, Stop, Table, TableError};
use serde_json::{Value, json};
use server::wire::NewTable;
use server::{Desk, DeskBattle, DeskFile};
use std::collections::BTreeMap;

/// Whose page shows everything.
const UMPIRE: &str = "umpire";

/// Commands that nothing can be sent to any more once a campaign is over; what explains the end still may.
const OVER: [&str; 4] = ["orders", "confirm", "adjudicate", "fight"];

const HTML: &str = "text/html; charset=utf-8";

/// A campaign under way.
pub struct CampaignDesk {
    table: Table<Campaign>,
    dice: Seeded,
    key: Key,
    written: usize,
    header: bool,
    /// Tables at which battles are fought, by season and battle.
    tables: BTreeMap<String, At>,
    /// When the last set came: no two come at once.
    last: i64,
    /// The umpire's private notes.
    memo: String,
}

/// A table at which a battle is fought.
#[derive(Clone, Debug, Default)]
struct At {
    id: String,
    /// It is over, and its result could not be taken: why.
    trouble: String,
}

fn one(problem: Problem) -> Problems {
    vec![problem]
}

fn text_of<'a>(wish: &'a Value, key: &str) -> Option<&'a str> {
    wish[key].as_str().filter(|t| !t.trim().is_empty())
}

/// The maps that ship: name, title, nations.
pub fn maps() -> Value {
    let one = |name: &str| {
        let world = shipped(name)?;
        let nations: Vec<String> = world.nations.keys().map(ToString::to_string).collect();
        Some(json!({ "name": name, "title": world.name, "nations": nations, "places": world.places.len() }))
    };
    SHIPPED.iter().filter_map(|s| one(s.name)).collect()
}

/// Computer players for a campaign's battles.
fn computers() -> Result<Computers, Problems> {
    Ok(Computers { level: commander::hott::Level::March, rules: battle_rules()?, record: false })
}

fn date(text: &str) -> Result<i64, Problems> {
    Wall.read(text).ok_or_else(|| {
        one(Problem::new(format!("{text:?} is no date that I can read"))
            .hint("2026-12-20, \"2026-12-20 20:00\", or \"2026-12-20 20:00 Europe/Vienna\""))
    })
}

/// Notes as their reader knows them: who wrote, to whom, what.
fn notes_of(own: &View) -> Vec<Value> {
    let one = |n: &campaign::Note| {
        let from = match n.from {
            Some(from) => json!(from),
            None if n.anonymous => Value::Null,
            None => json!(UMPIRE),
        };
        json!({ "from": from, "to": n.to, "text": n.text, "later": n.later })
    };
    own.notes.iter().map(one).collect()
}

fn key_of(seed: u64) -> Key {
    Key::from_seed(seed)
}

impl CampaignDesk {
    /// A new one: `{"map": "evening"}` or `{"map": "seed:7:4"}`, or files of one's own, `{"map_text": "…", "nations":
    /// {"Amber.toml": "…"}}`; `preset` and `sets` as on the command line. Nothing is read from this machine's folders.
    pub fn open(wish: &Value, seed: u64) -> Result<Self, Problems> {
        let sets: Vec<String> = wish["sets"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|s| s.as_str().map(str::to_owned))
            .collect();
        let rules = Rules::layered(text_of(wish, "preset"), None, &crate::games::pairs(&sets)?)?;
        let (world, name) = match (text_of(wish, "map"), text_of(wish, "map_text")) {
            (Some(map), None) if shipped(map).is_some() || map.starts_with("seed:") => {
                campaign::cli::world(map, &rules)?
            }
            (Some(map), None) => {
                let known = SHIPPED.iter().map(|s| s.name);
                return Err(one(Problem::new(format!("no map is called {map}")).meant(map, known)));
            }
            (None, Some(text)) => {
                let files: Vec<(&str, &str)> = wish["nations"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter_map(|(name, text)| Some((name.as_str(), text.as_str()?)))
                    .collect();
                (world_files(("map.toml", text), &files, &rules)?, None)
            }
            _ => {
                return Err(one(Problem::new("which map?")
                    .hint("one that ships, seed:7, or map.toml and a file for each nation")));
            }
        };
        let key = key_of(seed);
        let table = Table::new(Campaign::new(world, name, rules, true), Some(key.commitment()), Vec::new());
        Ok(Self::over(table, key, false))
    }

    /// One from the store.
    pub fn resume(record: &str, beside: &Value, seed: u64) -> Result<Self, Problems> {
        let record = Record::parse(record).map_err(one)?;
        if let Some(problem) = record.broken.clone() {
            return Err(one(problem));
        }
        let table = Table::<Campaign>::replay(&record).map_err(one)?;
        let mut desk = Self::over(table, key_of(seed), true);
        desk.written = record.lines.len();
        for (name, at) in beside["tables"].as_object().into_iter().flatten() {
            let text = |k: &str| at[k].as_str().unwrap_or("").to_owned();
            desk.tables.insert(name.clone(), At { id: text("id"), trouble: text("trouble") });
        }
        desk.last = beside["last"].as_i64().unwrap_or(0);
        desk.memo = beside["memo"].as_str().unwrap_or("").to_owned();
        Ok(desk)
    }

    fn over(table: Table<Campaign>, key: Key, header: bool) -> Self {
        let words = table.record().header.words.clone();
        let dice = Seeded::new(key.with_words(Campaign::NAME, &words));
        Self { table, dice, key, written: 0, header, tables: BTreeMap::new(), last: 0, memo: String::new() }
    }

    fn state(&self) -> &State {
        self.table.state()
    }

    fn nation(&self, role: &str) -> Option<NationId> {
        self.table.game().world().nations.keys().copied().find(|n| n.as_str() == role)
    }

    fn reader(&self, role: &str) -> Reader {
        match self.nation(role) {
            Some(nation) => Reader::Nation(nation),
            None if role == UMPIRE => Reader::Umpire,
            None => Reader::Public,
        }
    }

    fn seen(&self, role: &str) -> View {
        view(self.state(), self.reader(role))
    }

    fn command(&mut self, by: Actor, text: &str) -> Result<Vec<String>, Problems> {
        let verb = text.split_whitespace().next().unwrap_or("");
        if self.state().phase == Phase::Over && OVER.contains(&verb) {
            let problem = Problem::new("this campaign is over: nothing more is adjudicated");
            return Err(one(
                problem.hint("its letters, maps and record can still be read; a season may be run again")
            ));
        }
        let before = self.table.record().lines.len();
        self.table.command_text(by, text, &mut self.dice).map_err(|e| one(problem_of(e)))?;
        Ok(self.table.record().lines[before..]
            .iter()
            .flat_map(|l| l.said().map(|s| s.to_string()).collect::<Vec<_>>())
            .collect())
    }

    fn actor(&self, role: &str) -> Actor {
        let seat = self.nation(role).and_then(|n| self.table.game().seat_of(n));
        seat.map_or(Actor::Umpire, Actor::Seat)
    }

    /// What a battle's table is kept under.
    fn place(&self, name: &str) -> String {
        format!("{}: {name}", self.state().when())
    }

    fn open_battle(&self, name: &str) -> Option<&Battle> {
        let state = self.state();
        let waits = state.phase == Phase::Battles;
        state
            .turn
            .battles
            .iter()
            .find(|b| waits && b.result.is_none() && b.name().eq_ignore_ascii_case(name.trim()))
    }

    /// Battles as a reader knows them. Their tables are told to those who are in them.
    fn battles(&self, list: &[Battle], umpire: bool) -> Value {
        let one = |b: &Battle| {
            let at = self.tables.get(&self.place(&b.name())).cloned().unwrap_or_default();
            let side = |s: &campaign::battle::Side| format!("{} {}", s.prime.nation, s.prime.short());
            let mut told = json!({
                "name": b.name(), "at": b.at, "nations": b.nations(), "attacker": side(&b.attacker),
                "defender": side(&b.defender), "home": b.home, "date": b.date, "bounds": b.bounds,
                "table": if at.id.is_empty() { Value::Null } else { json!(at.id) },
            });
            if umpire {
                told["trouble"] = json!(at.trouble);
            }
            told["result"] = match &b.result {
                None => Value::Null,
                Some(r) => json!({
                    "winner": r.winner.map(|w| side(b.side(w))), "ending": r.ending, "bounds": r.bounds, "how": r.how,
                    "lost": r.lost.iter().map(ToString::to_string).collect::<Vec<_>>(),
                }),
            };
            told
        };
        list.iter().map(one).collect()
    }

    fn letter(&self, own: &View) -> String {
        report::fragment(&again::text_of(self.table.game(), own))
    }

    /// What a date is in words, in a nation's zone.
    fn due(own: &View) -> Option<String> {
        own.deadline.map(|at| Wall.words(at, own.zone.as_deref().unwrap_or("UTC")))
    }

    /// Earlier seasons that a reader has had letters of, the latest first; that of the letter at hand is not among them.
    fn earlier(&self, reader: Reader) -> Vec<String> {
        let told = view(self.state(), reader).told;
        let mut all: Vec<String> =
            again::seasons(&self.table, reader).into_iter().map(|(season, _)| season).collect();
        all.retain(|season| *season != told);
        all.reverse();
        all
    }

    /// A letter of an earlier season with its map, for whoever may read it.
    fn of_season(&self, reader: Reader, season: &str) -> Result<Value, Problems> {
        let all = again::seasons(&self.table, reader);
        let Some((told, own)) = all.iter().find(|(told, _)| told.eq_ignore_ascii_case(season.trim())) else {
            let problem = Problem::new(format!("no letter tells of {season}"));
            return Err(one(problem.meant(season, all.iter().map(|(told, _)| told.as_str()))));
        };
        let game = self.table.game();
        let map = report::map_svg(game.world(), game.rules_in_force(), own);
        Ok(json!({ "season": told, "letter": self.letter(own), "map": map }))
    }

    fn nation_page(&self, nation: NationId) -> Value {
        let game = self.table.game();
        let (world, rules) = (game.world(), game.rules_in_force());
        let own = self.seen(nation.as_str());
        let sets: Vec<Value> = own
            .sets
            .iter()
            .map(
                |s| json!({ "number": s.number, "state": s.state, "text": s.text, "by_umpire": s.by_umpire }),
            )
            .collect();
        let receipt = report::receipt(world, rules, &own, &own.sets);
        let when = if own.winter { "Winter" } else { own.season.word() };
        json!({
            "name": world.name, "nation": nation, "when": format!("{when} of year {}", own.year), "told": own.told,
            "phase": own.phase, "winner": own.winner, "map": report::map_svg(world, rules, &own),
            "letter": self.letter(&own), "form": report::form(world, rules, &own), "sets": sets,
            "receipt": if own.sets.is_empty() { Value::Null } else { json!(receipt) },
            "battles": self.battles(&own.battles, false),
            "nations": world.nations.keys().filter(|n| **n != nation).collect::<Vec<_>>(),
            "due": Self::due(&own), "seasons": self.earlier(Reader::Nation(nation)),
            "corrected": again::corrected(&self.table, Reader::Nation(nation)),
            "unsigned": rules.flag("anonymous_notes"), "notes": notes_of(&own),
        })
    }

    fn orders(&mut self, role: &str, wish: &Value) -> Result<Value, Problems> {
        let who = if role == UMPIRE { text_of(wish, "nation").unwrap_or("") } else { role };
        let nation = self.named(who)?;
        // A letter to the wrong desk is not taken for one's own.
        if let Some(other) = text_of(wish, "nation").filter(|o| !o.eq_ignore_ascii_case(who)) {
            return Err(one(Problem::new(format!("this link is {nation}'s: it sends no orders of {other}"))));
        }
        let Some(text) = wish["orders"].as_str().map(str::to_owned) else {
            return Err(one(Problem::new("orders are a text").hint("\"orders\": \"line\\nline\"")));
        };
        const STATES: [(&str, SetState); 3] = [
            ("submitted", SetState::Submitted),
            ("draft", SetState::Draft),
            ("confirmed", SetState::Confirmed),
        ];
        let state = match &wish["state"] {
            Value::Null => SetState::Submitted,
            given => {
                let word = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
                STATES.iter().find(|s| s.0 == word).map(|s| s.1).ok_or_else(|| {
                    one(Problem::new(format!("state {word}: nothing is kept"))
                        .meant(&word, STATES.iter().map(|s| s.0)))
                })?
            }
        };
        let now = Wall.now().max(self.last + 1);
        let before = self.seen(nation.as_str());
        let receipt = self.receipt(&before, &text, now, state);
        let command = Command::Orders { nation, sent: now, received: now, state, text };
        self.command(self.actor(role), &command.to_string())?;
        self.last = now;
        Ok(json!({ "receipt": receipt }))
    }

    /// What a set would be read as, from the nation's own knowledge.
    fn receipt(&self, own: &View, text: &str, now: i64, state: SetState) -> Option<report::Receipt> {
        let game = self.table.game();
        let mut sets = own.sets.clone();
        let number = u32::try_from(sets.len()).unwrap_or(0) + 1;
        sets.push(OrderSet {
            number,
            sent: now,
            received: now,
            state,
            by_umpire: false,
            text: text.to_owned(),
        });
        report::receipt(game.world(), game.rules_in_force(), own, &sets)
    }

    fn named(&self, who: &str) -> Result<NationId, Problems> {
        let nations = &self.table.game().world().nations;
        nations.keys().copied().find(|n| n.as_str().eq_ignore_ascii_case(who.trim())).ok_or_else(|| {
            one(Problem::new(format!("no nation is called {who}"))
                .meant(who, nations.keys().map(NationId::as_str)))
        })
    }

    fn task(&self, name: &str) -> Result<(Battle, Key), Problems> {
        let battle = self.open_battle(name).cloned().ok_or_else(|| {
            let state = self.state();
            let open: Vec<String> = state
                .turn
                .battles
                .iter()
                .filter(|b| state.phase == Phase::Battles && b.result.is_none())
                .map(Battle::name)
                .collect();
            one(Problem::new(format!("no battle is to be fought at {name}"))
                .meant(name, open.iter().map(String::as_str)))
        })?;
        let key = battle_key(&self.key, self.state(), &battle);
        Ok((battle, key))
    }
}

fn problem_of(e: TableError<campaign::Refused>) -> Problem {
    match e {
        TableError::Text(problem) => problem,
        TableError::Stop(Stop::Refused(r)) => {
            let problem = Problem::new(r.words);
            match r.rule {
                Some(rule) => problem.by(rule),
                None => problem,
            }
        }
        TableError::Stop(Stop::Dice(no)) => Problem::new(no.to_string()),
    }
}

impl Desk for CampaignDesk {
    fn title(&self) -> String {
        self.table.game().world().name.clone()
    }

    fn roles(&self) -> Vec<String> {
        let nations = self.table.game().world().nations.keys().map(ToString::to_string);
        std::iter::once(UMPIRE.to_owned()).chain(nations).collect()
    }

    fn over(&self) -> bool {
        self.state().phase == Phase::Over
    }

    fn view(&self, role: &str) -> Value {
        match self.nation(role) {
            Some(nation) => self.nation_page(nation),
            None if role == UMPIRE => self.umpire_page(),
            None => Value::Null,
        }
    }

    fn act(&mut self, role: &str, wish: &Value) -> Result<Value, Problems> {
        if !wish["orders"].is_null() {
            return self.orders(role, wish);
        }
        if role == UMPIRE {
            return self.umpire_does(wish);
        }
        let nation = self.nation(role).ok_or_else(|| one(Problem::new("this is the umpire's to do")))?;
        if wish["confirm"] == true {
            return Ok(
                json!({ "said": self.command(self.actor(role), &Command::Confirm(nation).to_string())? }),
            );
        }
        if let Some(text) = text_of(wish, "note") {
            let to = self.named(wish["to"].as_str().unwrap_or(""))?;
            let (anonymous, later) = (wish["anonymous"] == true, wish["later"] == true);
            let note = Command::Note { from: Some(nation), to, anonymous, later, text: text.to_owned() };
            return Ok(json!({ "said": self.command(self.actor(role), &note.to_string())? }));
        }
        Err(one(Problem::new("this is the umpire's to do")
            .hint("a nation sends orders, confirms them, and writes notes")))
    }

    fn ask(&self, role: &str, wish: &Value) -> Result<Value, Problems> {
        let who = if role == UMPIRE { text_of(wish, "nation").unwrap_or("") } else { role };
        if let Some(text) = wish["check"].as_str() {
            let own = self.seen(who);
            let receipt = self.receipt(&own, text, self.last.saturating_add(1), SetState::Submitted);
            return receipt.map(|r| json!(r)).ok_or_else(|| one(Problem::new("orders of which nation?")));
        }
        if let Some(season) = text_of(wish, "season") {
            // A nation reads its own letters; the umpire anybody's, and the gazette, with the map that has everything.
            let reader = match text_of(wish, "of") {
                Some(who) if role == UMPIRE => Reader::Nation(self.named(who)?),
                _ => self.reader(role),
            };
            return self.of_season(reader, season);
        }
        if role != UMPIRE {
            return Err(one(Problem::new("this is the umpire's to ask")));
        }
        if let Some(who) = text_of(wish, "sent") {
            return Ok(json!({ "orders": again::sent_for(&self.table, who)? }));
        }
        if wish["again"].is_object() {
            return Ok(self.told_again(&self.tried_again(&wish["again"])?));
        }
        if wish["preview"] == true {
            let game = self.table.game();
            let mut dice = self.dice.clone();
            let entries = report::preview(game.world(), game.rules_in_force(), self.state(), &mut dice);
            let entries = entries.map_err(|e| one(Problem::new(e.to_string())))?;
            let line = |e: &campaign::Entry| {
                let who = match &e.seen {
                    campaign::Seen::Nations(list) => list.iter().map(ToString::to_string).collect(),
                    _ => Vec::new(),
                };
                json!({ "who": who, "words": e.words, "rule": e.rule.to_string(), "eye": report::wants_eye(e) })
            };
            return Ok(json!({ "preview": entries.iter().map(line).collect::<Vec<_>>() }));
        }
        if wish["letter"].is_string() {
            let nation = self.named(wish["letter"].as_str().unwrap_or(""))?;
            let own = campaign::view_published(self.state(), Reader::Nation(nation));
            let game = self.table.game();
            let map = report::map_svg(game.world(), game.rules_in_force(), &own);
            let sets: Vec<Value> = own
                .sets
                .iter()
                .map(|s| json!({ "number": s.number, "state": s.state, "text": s.text }))
                .collect();
            return Ok(json!({ "letter": self.letter(&own), "sets": sets, "map": map }));
        }
        Err(one(Problem::new("nothing that the umpire's desk knows")))
    }

    fn file(&self, role: &str, name: &str) -> Option<DeskFile> {
        let (name, paper) = match name.strip_suffix("-letter.pdf") {
            Some(stem) => (format!("{stem}.pdf"), PaperSize::Letter),
            None => (name.to_owned(), PaperSize::A4),
        };
        let game = self.table.game();
        let own = self.seen(role);
        let (world, rules) = (game.world(), game.rules_in_force());
        let nation = self.nation(role);
        let reader = nation.map_or(Reader::Public, Reader::Nation);
        let text = |name: &str, kind, text: String| {
            Some(DeskFile { name: name.to_owned(), kind, bytes: text.into_bytes() })
        };
        let pdf = |name: &str, made: Result<Vec<u8>, Problems>| {
            Some(DeskFile { name: name.to_owned(), kind: "application/pdf", bytes: made.ok()? })
        };
        let title = nation.map_or_else(|| "Gazette".to_owned(), |n| format!("Letter to {n}"));
        let public = || view(self.state(), Reader::Public);
        let letter = || match nation {
            Some(_) => (again::text_of(game, &own), report::map_svg(world, rules, &own)),
            None => (again::text_of(game, &public()), report::map_svg(world, rules, &public())),
        };
        match name.as_str() {
            "map.svg" => text("map.svg", "image/svg+xml", report::map_svg(world, rules, &own)),
            "map.pdf" => pdf(
                "map.pdf",
                crate::paper::campaign_map(
                    &report::map_title(world, &own),
                    &report::map_svg(world, rules, &own),
                    paper,
                ),
            ),
            "wall.pdf" => pdf(
                "wall.pdf",
                crate::paper::campaign_map(
                    &report::map_title(world, &public()),
                    &report::map_svg(world, rules, &public()),
                    paper,
                ),
            ),
            "letter" => {
                let (markdown, map) = letter();
                text("letter.html", HTML, report::html(&title, &markdown, &map))
            }
            "letter.pdf" => {
                let (markdown, map) = letter();
                pdf("letter.pdf", campaign_press::pdf(&title, &markdown, &map, paper))
            }
            "form" if nation.is_some() => {
                text("orders.txt", "text/plain; charset=utf-8", report::form(world, rules, &own))
            }
            "form.pdf" if nation.is_some() => {
                let form = report::form(world, rules, &own);
                let title = form.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
                pdf("orders.pdf", campaign_press::plain(&title, &report::form_page(&form), paper))
            }
            "pack.pdf" if nation.is_some() && !own.battles.is_empty() => {
                pdf("battles.pdf", campaign_press::sheets("Battles", &report::pack(world, &own), paper))
            }
            "chronicle" => text("chronicle.html", HTML, crate::chronicle::page(&self.table, reader)),
            "chronicle.md" => text(
                "chronicle.md",
                "text/markdown; charset=utf-8",
                crate::chronicle::text(&self.table, reader, None),
            ),
            "record" if role == UMPIRE => {
                text("campaign.jsonl", "application/x-ndjson", self.table.record().print())
            }
            _ => None,
        }
    }

    fn unwritten(&mut self) -> Vec<String> {
        let record = self.table.record();
        let mut out = Vec::new();
        if !self.header {
            out.push(record.header_text.clone());
        }
        out.extend(record.lines[self.written..].iter().map(game::record::Line::print));
        self.header = true;
        self.written = record.lines.len();
        out
    }

    fn beside(&self) -> Value {
        let tables: serde_json::Map<String, Value> = self
            .tables
            .iter()
            .map(|(k, at)| (k.clone(), json!({ "id": at.id, "trouble": at.trouble })))
            .collect();
        json!({ "tables": tables, "last": self.last, "memo": self.memo })
    }

    fn battle(&self, role: &str, name: &str) -> Result<DeskBattle, Problems> {
        let (battle, key) = self.task(name)?;
        let nations = battle.nations();
        let mine = self.nation(role).is_some_and(|n| nations.contains(&n));
        if role != UMPIRE && (!mine || self.state().held.is_some()) {
            return Err(one(Problem::new(format!("no battle is to be fought at {name}"))));
        }
        let (game, state) = (self.table.game(), self.state());
        let task =
            Task { world: game.world(), rules: game.rules_in_force(), state, battle: &battle, key: &key };
        // CAM-072: its ground is the defender's to lay, by hand or as it is drawn up for him.
        let (at_table, setup, _) = unlaid(&battle_rules()?, task).map_err(one)?;
        let seats = at_table.seat_names.iter().map(|s| (s.clone(), s.clone())).collect();
        let found = self.tables.get(&self.place(&battle.name()));
        let table = NewTable {
            kind: "hott".to_owned(),
            title: format!("{}, {}", battle.name(), state.when()),
            setup: Some(json!(setup)),
            ..NewTable::default()
        };
        Ok(DeskBattle { table, key, seats, id: found.map(|at| at.id.clone()) })
    }

    fn opened(&mut self, name: &str, id: &str) {
        let name = self.open_battle(name).map_or_else(|| name.to_owned(), Battle::name);
        self.tables.insert(self.place(&name), At { id: id.to_owned(), trouble: String::new() });
    }

    fn awaited(&self) -> Vec<(String, String)> {
        let state = self.state();
        if state.phase != Phase::Battles {
            return Vec::new();
        }
        let open = state.turn.battles.iter().filter(|b| b.result.is_none()).map(Battle::name);
        let at = |name: String| self.tables.get(&self.place(&name)).map(|at| (name, at.clone()));
        open.filter_map(at).filter(|(_, at)| at.trouble.is_empty()).map(|(name, at)| (name, at.id)).collect()
    }

    fn returned(&mut self, name: &str, record: &str) -> Result<(), Problems> {
        let done = self.task(name).and_then(|(battle, _)| {
            let result = from_record(self.state(), &battle, record).map_err(one)?;
            self.command(Actor::Umpire, &Command::Result { battle: battle.name(), result }.to_string())
        });
        if let Err(problems) = done {
            let place = self.place(name);
            // Told to the umpire, who enters it himself; it is not tried again and again.
            if let Some(at) = self.tables.get_mut(&place) {
                at.trouble = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_battles() -> CampaignDesk {
        let mut desk = CampaignDesk::open(&json!({ "map": "evening" }), 5).unwrap();
        let orders = [
            ("Amber", "A2: invade Midway\nA1: hold"),
            ("Basalt", "A1: invade Midway\nA2: hold"),
            ("Cobalt", "A1: hold\nA2: hold"),
            ("Dusk", "A1: hold\nA2: hold"),
        ];
        for (nation, text) in orders {
            desk.act(nation, &json!({ "orders": text, "state": "confirmed" })).unwrap();
        }
        desk.act(UMPIRE, &json!({ "adjudicate": true })).unwrap();
        desk.opened("Midway", "table");
        assert_eq!(desk.awaited(), [("Midway".to_owned(), "table".to_owned())]);
        desk
    }

    #[test]
    fn a_table_is_waited_for_as_long_as_its_battle_is_the_same() {
        let again = |nation: &str, text: &str| json!({ "again": { "nation": nation, "orders": text } });
        let mut desk = at_battles();
        let (before, amber) = (desk.table.record().print(), desk.view("Amber"));
        // Asked only: nothing is done by it.
        let told = desk.ask(UMPIRE, &again("Amber", "A1: hold\nA2: hold")).unwrap();
        assert!(told["changed"].is_array(), "{told}");
        assert_eq!((desk.table.record().print(), desk.view("Amber")), (before, amber.clone()));
        // Somebody else's orders: the battle goes on at its table, and those in it read nothing new.
        desk.act(UMPIRE, &again("Cobalt", "A1: move to Kiln\nA2: hold")).unwrap();
        assert_eq!(desk.awaited().len(), 1);
        assert_eq!(desk.view("Amber"), amber);
        // The battle does not come about: its table is not waited for.
        desk.act(UMPIRE, &again("Amber", "A1: hold\nA2: hold")).unwrap();
        assert!(desk.awaited().is_empty());
        let (record, beside) = (desk.table.record().print(), desk.beside());
        let mut back = CampaignDesk::resume(&record, &beside, 5).unwrap();
        assert_eq!(back.view(UMPIRE), desk.view(UMPIRE));
        assert!(back.unwritten().is_empty());
    }

    #[test]
    fn the_ground_of_its_battle_is_the_defenders_to_lay() {
        let desk = at_battles();
        let battle = Desk::battle(&desk, "Basalt", "Midway").unwrap();
        let setup = battle.table.setup.unwrap();
        assert!(setup["ground"].is_null() && setup["contest"]["ground"].is_object(), "{setup}");
        assert!(Desk::battle(&desk, "Cobalt", "Midway").is_err());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let mut desk = at_battles();
        for (wish, words) in [
            (json!({ "again": { "nation": "Ambre", "orders": "" } }), "Amber"),
            (json!({ "again": {} }), "put right"),
            (json!({ "deadline": "soon" }), "no date"),
            (json!({ "undecided": "Midwey" }), "no battle"),
            (json!({ "memo": "x".repeat(30_000) }), "at most"),
            (json!({ "say": "x", "to": "Nobody" }), "no nation"),
        ] {
            let said = desk.act(UMPIRE, &wish).unwrap_err()[0].to_string();
            assert!(said.contains(words), "{wish}: {said}");
        }
        let said = desk.ask(UMPIRE, &json!({ "season": "Spring of year 7" })).unwrap_err()[0].to_string();
        assert!(said.contains("no letter tells of"), "{said}");
    }

    /// Orders are kept only as what was plainly said: no misspelt draft, no other nation's, no other kind of thing.
    #[test]
    fn orders_that_are_not_plain_are_not_kept() {
        let mut desk = CampaignDesk::open(&json!({ "map": "evening" }), 1).unwrap();
        let nation = desk.table.game().world().nations.keys().next().unwrap().to_string();
        let other = desk.table.game().world().nations.keys().nth(1).unwrap().to_string();
        let lines = desk.table.record().lines.len();
        for wish in [
            json!({ "orders": "", "state": "weird" }),
            json!({ "orders": "", "state": 1 }),
            json!({ "orders": 5 }),
            json!({ "orders": "", "nation": other }),
        ] {
            let told = desk.act(&nation, &wish).unwrap_err()[0].to_string();
            assert!(!told.contains("the umpire's to do"), "{wish}: {told}");
        }
        assert_eq!(desk.table.record().lines.len(), lines);
        for state in ["draft", "submitted", "confirmed"] {
            desk.act(&nation, &json!({ "orders": "", "state": state })).unwrap();
        }
        assert_eq!(desk.table.record().lines.len(), lines + 3);
        let told = |map: &str| {
            CampaignDesk::open(&json!({ "map": map }), 1).map(|_| ()).map_err(|p| p[0].to_string())
        };
        for map in ["seed:7:0", "seed:7:1", "seed:7:13", "seed:7:99"] {
            assert!(told(map).unwrap_err().contains("nations"), "{map}");
        }
        assert_eq!(told("seed:7:12"), Ok(()));
    }
}
