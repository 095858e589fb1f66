//! What the command line says of this game: text for people and JSON for programs, from one place.
//!
//! Nothing here reads or writes files: whoever calls hands texts in and prints what comes out.

use crate::army::{Army, LISTS, UnitLine};
use crate::command::Group;
use crate::commander::{Player, Style};
use crate::contract::Heroes;
use crate::hex::Facing;
use crate::map::{MAPS, Map};
use crate::odds;
use crate::owed;
use crate::picture::{escape, svg};
use crate::setup;
use crate::shoot;
use crate::state::{Fate, Phase, State, bits};
use crate::table::{Side, Table};
use crate::tables::{Class, Shooting, Tables, Traits};
use dice::{Key, Seeded};
use game::{Actor, Game, Problem, Problems, Seat};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What a command has to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
    /// Whether the verdict is good: exit status 0, else 1.
    pub good: bool,
}

pub(crate) fn army_problems(e: crate::army::BadArmy) -> Problems {
    e.0.into_iter().map(Problem::new).collect()
}

/// A list by name, or from the text of a file.
///
/// # Errors
/// What is wrong with it.
pub fn read_army(tables: &Tables, name: &str, file: Option<&str>) -> Result<Army, Problems> {
    match file {
        Some(text) => Army::parse(text, tables, name).map_err(army_problems),
        None => Army::shipped(name, tables).map_err(army_problems),
    }
}

/// The lists that are shipped.
///
/// # Errors
/// If the rules do not read.
pub fn armies(rules: &Value) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let mut text = String::new();
    let mut all = Vec::new();
    for (name, _) in LISTS {
        let army = Army::shipped(name, &tables).map_err(army_problems)?;
        let x = army.totals(&tables);
        let _ = writeln!(
            text,
            "{name:<12} {:<24} {:>4} points, {:>2} elements, {:>2} stands",
            army.name, x.points, x.elements, x.stands
        );
        all.push(json!({ "list": name, "name": army.name, "points": x.points, "elements": x.elements, "stands": x.stands }));
    }
    Ok(Said { text, json: json!(all), good: true })
}

/// `muster army check --rules heroes`: whether a list is lawful, and what it adds up to. `file` is the text of a list
/// of one's own, `points` a limit.
///
/// # Errors
/// What does not read.
pub fn check_army(
    rules: &Value,
    name: &str,
    file: Option<&str>,
    points: Option<i16>,
) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let army = match read_army(&tables, name, file) {
        Ok(army) => army,
        // an impossible unit is a bad list, not bad usage, if the file reads as TOML
        Err(all) if file.is_some_and(|f| toml::from_str::<toml::Value>(f).is_ok()) => {
            let faults: Vec<String> = all.iter().map(|p| p.message.clone()).collect();
            let text = faults.iter().map(|f| format!("- {f}\n")).collect();
            return Ok(Said { text, json: json!({ "legal": false, "faults": faults }), good: false });
        }
        Err(all) => return Err(all),
    };
    let faults = army.faults(&tables, points);
    let x = army.totals(&tables);
    let mut text = format!(
        "{}: {} points, {} elements, {} stands (breaks at {} lost), {} of speed {} or more\n",
        army.name, x.points, x.elements, x.stands, x.breaks_at, x.fast, tables.scout_speed
    );
    let mut lines = Vec::new();
    for g in &army.generals {
        let cost = crate::army::general_cost(&tables, g).unwrap_or(0);
        let hero = if g.hero { ", hero" } else { "" };
        let _ = writeln!(text, "  {} x {} (command {}{hero}): {cost} each", g.count, g.name, g.quality);
        lines.push(json!({ "name": g.name, "count": g.count, "points": cost }));
    }
    for u in &army.units {
        let cost = u.profile.cost(&tables);
        let _ = writeln!(text, "  {} x {}: {} each ({})", u.count, u.profile.name, cost.total, cost.text());
        lines.push(json!({ "name": u.profile.name, "count": u.count, "points": cost.total }));
    }
    for rule in &army.special {
        let _ = writeln!(text, "  {rule}");
    }
    for f in &faults {
        let _ = writeln!(text, "- {f}");
    }
    if faults.is_empty() {
        text.push_str("legal\n");
    }
    let json = json!({
        "name": army.name, "legal": faults.is_empty(), "faults": faults, "points": x.points, "elements": x.elements,
        "stands": x.stands, "breaks_at": x.breaks_at, "fast": x.fast, "lines": lines,
    });
    Ok(Said { text, json, good: faults.is_empty() })
}

/// `muster army cost`: the points of a unit typed on the command line, like `class B speed 4 factor 5 impact 4 A2`,
/// in any order; or of a unit of a list, like `roman/Legionaries`.
///
/// # Errors
/// What does not read.
pub fn cost(rules: &Value, words: &[&str]) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let line = match words {
        [one] if one.contains('/') => list_unit(&tables, one)?.1,
        _ => typed_unit(&tables, words)?,
    };
    let cost = line.profile.cost(&tables);
    let text = format!("{}: {} points\n  {}\n", line.profile.name, cost.total, cost.text());
    let parts: Vec<Value> = cost.parts.iter().map(|(w, n)| json!({ "part": w, "points": n })).collect();
    Ok(Said {
        text,
        json: json!({ "name": line.profile.name, "points": cost.total, "parts": parts }),
        good: true,
    })
}

/// A unit from words.
pub(crate) fn typed_unit(tables: &Tables, words: &[&str]) -> Result<UnitLine, Problems> {
    let mut o = json!({ "name": "unit", "label": "Uni", "type": "F", "class": "C", "speed": 2, "factor": 3, "traits": [] });
    let mut traits: Vec<String> = Vec::new();
    let mut at = 0;
    let usage = "like: class B speed 4 factor 5 impact 4 shooting 7+ type M A2 E1";
    while let Some(&word) = words.get(at) {
        at += 1;
        let low = word.to_ascii_lowercase();
        let key = match low.as_str() {
            "class" | "type" | "shooting" | "name" => Some(low.as_str()),
            "speed" | "factor" | "impact" | "stands" => Some(low.as_str()),
            "cf" | "h2h" => Some("factor"),
            "shoot" => Some("shooting"),
            _ => None,
        };
        if let Some(key) = key {
            let Some(&value) = words.get(at) else {
                return Err(vec![Problem::new(format!("`{word}` has no value")).hint(usage)]);
            };
            at += 1;
            o[key] = match value.trim_start_matches('+').parse::<u8>() {
                Ok(n) if key != "shooting" => json!(n),
                _ => json!(value),
            };
        } else if Traits::read(word).is_some() {
            traits.push(word.to_owned());
        } else if tables.shooting(word).is_some() {
            o["shooting"] = json!(word);
        } else {
            let known: Vec<&str> = Traits::ALL.iter().map(|t| t.1).collect();
            return Err(vec![Problem::new(format!("`{word}` is not read")).meant(word, known).hint(usage)]);
        }
    }
    // what belongs to a trait and goes without saying
    if traits.iter().any(|t| t.eq_ignore_ascii_case("El")) {
        o["type"] = json!("El");
    }
    o["traits"] = json!(traits);
    let army = Army::from_value(&json!({ "name": "typed", "unit": [o] }), tables, "the unit")
        .map_err(army_problems)?;
    army.units.into_iter().next().ok_or_else(|| vec![Problem::new("no unit")])
}

/// `roman/Legionaries`, by the beginning of the name or the label.
pub(crate) fn list_unit(tables: &Tables, word: &str) -> Result<(String, UnitLine), Problems> {
    let Some((list, unit)) = word.split_once('/') else {
        return Err(vec![
            Problem::new(format!("`{word}` names no unit of a list")).hint("like roman/Legionaries"),
        ]);
    };
    let army = Army::shipped(list, tables).map_err(army_problems)?;
    let low = unit.to_lowercase();
    let found = army.units.iter().find(|u| {
        u.profile.name.to_lowercase().starts_with(&low) || u.profile.label.eq_ignore_ascii_case(unit)
    });
    match found {
        Some(u) => Ok((army.name.clone(), u.clone())),
        None => {
            let names: Vec<&str> = army.units.iter().map(|u| u.profile.name.as_str()).collect();
            Err(vec![Problem::new(format!("{} has no unit `{unit}`", army.name)).meant(unit, names)])
        }
    }
}

/// How a battle of computers is to be fought.
#[derive(Clone, Debug)]
pub struct BattleSpec {
    /// Map: a name, `random:SEED`, or the text of a map file.
    pub map: String,
    /// Armies: names of lists, or lists as JSON.
    pub armies: [Value; 2],
    /// Players by name: `general`, `random`, `advance`, `shy`, `stubborn`.
    pub players: [String; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// Bounds of each side, if not the usual number.
    pub bounds: Option<u16>,
}

/// What came of a battle.
#[derive(Clone, Debug)]
pub struct Fought {
    /// The account, for people; and the result, for programs.
    pub said: Said,
    /// The record, one JSON object a line.
    pub record: String,
    /// The last position as a picture.
    pub picture: String,
}

/// `muster battle --rules heroes`: computer against computer, told bound by bound and recorded.
///
/// # Errors
/// What of the specification does not read.
pub fn battle(rules: &Value, spec: &BattleSpec) -> Result<Fought, Problems> {
    let mut setup = json!({ "map": spec.map, "armies": spec.armies });
    if let Some(n) = spec.bounds {
        setup["bounds"] = json!(n);
    }
    let game = Heroes::open(rules, &setup)?;
    let mut styles = Vec::new();
    for name in &spec.players {
        match Style::read(name) {
            Some(s) => styles.push(s),
            None => {
                let known = Style::ALL.map(|s| s.1);
                return Err(vec![Problem::new(format!("no player is called `{name}`")).meant(name, known)]);
            }
        }
    }
    let key = Key::from_seed(spec.seed);
    let mut dice = Seeded::new(key.with_words(Heroes::NAME, &[]));
    let mut players: Vec<Player> = styles.iter().map(|&s| Player::new(s, spec.seed)).collect();
    let mut table = game::Table::new(game, Some(key.commitment()), Vec::new());
    let mut text = String::new();
    let mut commands = 0_u32;
    while table.outcome().is_none() {
        let (t, s) = (table.game().table(), *table.state());
        let Some(side) = owed::owner(t, &s) else { break };
        let Some(c) = players[side.ix()].choose(t, &s) else { break };
        let words = c.text(t);
        match table.command(Actor::Seat(Seat(side as u8)), &c, &mut dice) {
            Ok(played) => {
                for e in &played.events {
                    account(e, &table.game().tell(e), &mut text);
                }
            }
            Err(stop) => {
                return Err(vec![Problem::new(format!(
                    "the player of {} gave `{words}`: {stop}",
                    side.letter()
                ))]);
            }
        }
        commands += 1;
        if commands > 50_000 {
            return Err(vec![Problem::new("the battle does not end")]);
        }
    }
    table.end(Some(&key));
    let outcome = table.outcome();
    let (t, s) = (table.game().table(), table.state());
    let sides: Vec<Value> = Side::BOTH
        .iter()
        .map(|&x| {
            json!({
                "side": x.letter().to_string(), "army": t.armies[x.ix()], "player": spec.players[x.ix()],
                "stands": t.stands[x.ix()], "lost_stands": s.lost_stands(t, x),
                "lost_half_points": s.lost_points2(t, x),
            })
        })
        .collect();
    let json = json!({
        "game": "heroes", "seed": spec.seed, "map": t.map.name, "sides": sides, "bounds": s.bound, "commands": commands,
        "candidates_looked_at": players.iter().map(|p| p.looked_at).sum::<u64>(),
        "winner": outcome.as_ref().and_then(|o| o.winners.first()), "winners": outcome.as_ref().map(|o| &o.winners),
        "outcome": outcome.as_ref().map(|o| json!(o)), "digest": table.game().digest(s).to_string(),
    });
    if let Some(o) = &outcome {
        let _ = writeln!(text, "\n{} ({}), after {} bounds", o.words, o.ending, s.bound);
    }
    let picture = svg(t, Some(s));
    Ok(Fought { said: Said { text, json, good: true }, record: table.record().print(), picture })
}

/// One event in an account: phases are left out, bounds begin a paragraph.
fn account(e: &crate::event::Event, words: &str, out: &mut String) {
    use crate::event::Event;
    match e {
        Event::Phase(_)
        | Event::Turned(..)
        | Event::Command(_)
        | Event::Placed(..)
        | Event::Stationed(..) => {}
        Event::Bound(..) => {
            let _ = writeln!(out, "\n== {words} ==");
        }
        _ => {
            let _ = writeln!(out, "{words}");
        }
    }
}

/// `muster odds heroes`: exact chances of a combat (`roman/Legionaries roman/Legionaries with british/Warbands`) or of
/// shooting (`english/Longbowmen at french/Mounted`), on open ground, fresh and at full strength unless words after a
/// unit say otherwise (`disrupted`, `column`, `spent`, `general`, `stands=3`).
///
/// # Errors
/// What does not read.
pub fn odds(rules: &Value, words: &[&str]) -> Result<Said, Problems> {
    let (tables, options) = setup::read_rules(rules)?;
    let usage =
        "like: roman/Legionaries with british/Warbands disrupted, or english/Longbowmen at french/Mounted";
    let split = words.iter().position(|w| matches!(w.to_ascii_lowercase().as_str(), "with" | "v" | "at"));
    let Some(split) = split else { return Err(vec![Problem::new("`with` or `at` is wanted").hint(usage)]) };
    let shooting = words[split].eq_ignore_ascii_case("at");
    let mut armies: Vec<Army> = Vec::new();
    let mut marks: Vec<Vec<Vec<String>>> = Vec::new();
    for part in [&words[..split], &words[split + 1..]] {
        let mut units: Vec<UnitLine> = Vec::new();
        let mut of = Vec::new();
        for word in part {
            if word.contains('/') {
                let (_, mut line) = list_unit(&tables, word)?;
                line.count = 1;
                line.profile.label =
                    format!("{}{}", line.profile.label, ["a", "b", "c", "d", "e", "f"][units.len().min(5)]);
                units.push(line);
                of.push(Vec::new());
            } else {
                match of.last_mut() {
                    Some(list) => list.push(word.to_ascii_lowercase()),
                    None => {
                        return Err(vec![
                            Problem::new(format!("`{word}` stands before any unit")).hint(usage),
                        ]);
                    }
                }
            }
        }
        if units.is_empty() || units.len() > 6 {
            return Err(vec![Problem::new("one to six units a side").hint(usage)]);
        }
        let general =
            crate::army::GeneralLine { name: "General".to_owned(), count: 1, quality: 2, hero: false };
        armies.push(Army::of("side", vec![general], units));
        marks.push(of);
    }
    let t = Table::new(tables, options, Map::open(9, 9), [&armies[0], &armies[1]])
        .map_err(|e| vec![Problem::new(e)])?;
    let mut s = State::new(&t);
    s.bound = 1;
    s.phase = if shooting { Phase::Shooting } else { Phase::Melee };
    stand(&t, &mut s, &marks, shooting, usage)?;
    let (own, theirs) = (t.of_side[0], t.of_side[1]);
    let result = if shooting {
        let target = theirs.trailing_zeros() as u8;
        for u in bits(own) {
            if t.profile(u).shooting == Shooting::None {
                return Err(vec![Problem::new(format!("{} does not shoot", t.profile(u).name))]);
            }
        }
        odds::shooting(&t, &s, &Group::of_mask(own), target)
    } else {
        odds::melee(&t, &s, own, theirs)
    };
    let name = |line: &str| {
        let mut out = line.to_owned();
        for p in &t.pieces {
            out = out.replace(&p.label, &p.profile.name);
        }
        out
    };
    let mut text = String::new();
    if shooting {
        let target = theirs.trailing_zeros() as u8;
        for u in bits(own) {
            let shot = shoot::shot(&t, &s, u, target);
            let _ = writeln!(text, "{}: {} dice, {}+ needed", t.profile(u).name, shot.dice, shot.scores[0]);
        }
    } else {
        for (x, y) in [(own, theirs), (theirs, own)] {
            let score = crate::melee::score(&t, &s, x, y);
            let parts: Vec<String> = score.parts.iter().map(|p| format!("{} {}", p.what, p.value)).collect();
            let names: Vec<&str> = bits(x).map(|u| t.profile(u).name.as_str()).collect();
            let _ = writeln!(
                text,
                "{}: {} + {}d6 ({})",
                names.join(", "),
                score.sum,
                score.dice,
                parts.join(", ")
            );
        }
    }
    let mut chances = Vec::new();
    let mut all: Vec<(u128, &String)> = result.of.iter().map(|(k, n)| (*n, k)).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    for (n, what) in all {
        let millionths = (n * 2_000_000 + result.ways) / (2 * result.ways);
        let hundredths = (millionths + 50) / 100;
        let _ = writeln!(text, "{:>3}.{:02} %  {}", hundredths / 100, hundredths % 100, name(what));
        chances.push(json!({ "what": name(what), "ways": n.to_string(), "millionths": u64::try_from(millionths).unwrap_or(0) }));
    }
    let json = json!({ "ways": result.ways.to_string(), "chances": chances });
    Ok(Said { text, json, good: true })
}

/// Sets the two sides of an odds question against each other.
fn stand(
    t: &Table,
    s: &mut State,
    marks: &[Vec<Vec<String>>],
    shooting: bool,
    usage: &str,
) -> Result<(), Problems> {
    let several = t.of_side[0].count_ones() > 1;
    let (many, one) = if several { (Side::A, Side::B) } else { (Side::B, Side::A) };
    let centre = t.map.grid.at(4, 4);
    let lone = t.of_side[one.ix()].trailing_zeros() as u8;
    // the several all round the one, those before it first
    let sides = [4_u8, 5, 3, 0, 2, 1];
    for (n, u) in bits(t.of_side[many.ix()]).enumerate() {
        let d = sides[n % 6];
        let mut h = t.map.step(centre, d);
        if shooting {
            h = t.map.step(h, d);
        }
        s.put(u, h);
        let unit = s.unit_mut(u);
        unit.facing = Facing::point((d + 3) % 6);
        unit.fate = Fate::Field;
    }
    if t.of_side[one.ix()].count_ones() > 1 {
        return Err(vec![
            Problem::new("one unit against one or more, or several against one (HH-206)").hint(usage),
        ]);
    }
    s.put(lone, centre);
    s.unit_mut(lone).facing = Facing::point(4);
    s.unit_mut(lone).fate = Fate::Field;
    for (side, list) in Side::BOTH.iter().zip(marks) {
        for (u, words) in bits(t.of_side[side.ix()]).zip(list) {
            for w in words {
                let unit = s.unit_mut(u);
                match w.as_str() {
                    "disrupted" => unit.flags |= crate::state::flag::DISRUPTED,
                    "column" => unit.formation = crate::state::Formation::Column,
                    "spent" | "static" => unit.impact = crate::state::Impact::Spent,
                    "general" => {
                        let g = u64::from(t.leaders_of[side.ix()]).trailing_zeros() as usize;
                        s.generals[g].hex = unit.hex;
                    }
                    other => match other.strip_prefix("stands=").and_then(|k| k.parse::<u8>().ok()) {
                        Some(k @ 1..=12) => unit.stands = k,
                        _ => {
                            let known = ["disrupted", "column", "spent", "general", "stands=3"];
                            return Err(vec![
                                Problem::new(format!("`{other}` is not read"))
                                    .meant(other, known)
                                    .hint(usage),
                            ]);
                        }
                    },
                }
            }
        }
    }
    Ok(())
}

/// A card for each unit: profile, special rules in one line each, stands to tick, markers. Text, and HTML to print.
///
/// # Errors
/// What does not read.
pub fn cards(rules: &Value, name: &str, file: Option<&str>) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let army = read_army(&tables, name, file)?;
    let mut text = format!("{}\n\n", army.name);
    let mut html = format!("<h1>{}</h1><div class=\"cards\">", escape(&army.name));
    let mut all = Vec::new();
    for g in &army.generals {
        for n in 1..=g.count {
            let hero = if g.hero { ", Hero General" } else { "" };
            let _ = writeln!(text, "[ ] {} {n}: command {} hexes{hero}\n", g.name, g.quality);
            let _ = write!(
                html,
                "<section><h2>{} {n}</h2><p>command {} hexes{hero}</p></section>",
                escape(&g.name),
                g.quality
            );
        }
    }
    for u in &army.units {
        let p = &u.profile;
        for n in 1..=u.count {
            let boxes = "[ ]".repeat(usize::from(p.stands));
            let shooting = tables.shooting_word(p.shooting);
            let line = format!(
                "class {}  speed {}  hand-to-hand {}  impact {}  shooting {shooting}  type {}",
                p.class.letter(),
                p.speed,
                p.factor,
                p.impact,
                p.troop.code()
            );
            let _ = writeln!(text, "{}{n} {}  {boxes}\n  {line}", p.label, p.name);
            let _ = write!(
                html,
                "<section><h2>{}{n} {}</h2><p>{line}</p><p>{boxes}</p>",
                p.label,
                escape(&p.name)
            );
            for &(flag, code, what) in Traits::ALL {
                if p.traits.has(flag) {
                    let _ = writeln!(text, "  {code}: {what}");
                    let _ = write!(html, "<p>{code}: {}</p>", escape(what));
                }
            }
            let _ =
                writeln!(text, "  ( ) disrupted  ( ) SC{}\n", if p.artillery() { "  ( ) HF" } else { "" });
            let held = if p.artillery() { " &#9675; HF" } else { "" };
            let _ = write!(html, "<p>&#9675; disrupted &#9675; SC{held}</p></section>");
            all.push(json!({
                "label": format!("{}{n}", p.label), "name": p.name, "class": p.class.letter().to_string(),
                "speed": p.speed, "factor": p.factor, "impact": p.impact, "shooting": shooting, "stands": p.stands,
                "traits": p.traits.codes().collect::<Vec<_>>(), "points": p.cost(&tables).total,
            }));
        }
    }
    html.push_str("</div>");
    Ok(Said { text, json: json!({ "army": army.name, "cards": all, "html": html }), good: true })
}

/// One sheet for two armies at hand: results table of their classes, scores their shooters need against each of the enemy,
/// sequence.
///
/// # Errors
/// What does not read.
pub fn sheet(rules: &Value, names: [&str; 2], files: [Option<&str>; 2]) -> Result<Said, Problems> {
    let (tables, options) = setup::read_rules(rules)?;
    let armies = [read_army(&tables, names[0], files[0])?, read_army(&tables, names[1], files[1])?];
    let classes: Vec<Class> = Class::ALL
        .into_iter()
        .filter(|c| armies.iter().any(|a| a.units.iter().any(|u| u.profile.class == *c)))
        .collect();
    let mut text = format!("{} against {}\n\nHits  ", armies[0].name, armies[1].name);
    for c in &classes {
        let _ = write!(text, "{:<6}", c.letter());
    }
    text.push('\n');
    let mut table = Vec::new();
    for hits in 1..=10 {
        let row: Vec<String> = classes.iter().map(|&c| tables.result(hits, c).text()).collect();
        let _ = writeln!(text, "{hits:<6}{}", row.iter().map(|x| format!("{x:<6}")).collect::<String>());
        table.push(json!({ "hits": hits, "results": row }));
    }
    let mut needs = Vec::new();
    for (own, other) in [(0, 1), (1, 0)] {
        let t = Table::new(tables.clone(), options, Map::open(9, 9), [&armies[own], &armies[other]])
            .map_err(|e| vec![Problem::new(e)])?;
        let mut header = false;
        let mut done: Vec<&str> = Vec::new();
        for u in bits(t.of_side[0]) {
            let p = t.profile(u);
            let Shooting::Score(_) = p.shooting else { continue };
            if done.contains(&p.name.as_str()) {
                continue;
            }
            done.push(&p.name);
            if !header {
                let _ = writeln!(text, "\n{} shoots in the open (woods and towns +2):", armies[own].name);
                header = true;
            }
            let mut parts = Vec::new();
            let mut seen: Vec<&str> = Vec::new();
            for e in bits(t.of_side[1]) {
                let q = t.profile(e);
                if seen.contains(&q.name.as_str()) {
                    continue;
                }
                seen.push(&q.name);
                let mut s = State::new(&t);
                s.put(u, t.map.grid.at(4, 6));
                s.put(e, t.map.grid.at(4, 4));
                s.unit_mut(u).facing = Facing::point(4);
                s.unit_mut(e).facing = Facing::point(1);
                let need = if q.war_wagon() {
                    "none".to_owned()
                } else {
                    format!("{}+", shoot::shot(&t, &s, u, e).scores[0])
                };
                parts.push(format!("{} {need}", q.name));
                needs.push(json!({ "shooter": p.name, "target": q.name, "need": need }));
            }
            let _ = writeln!(text, "  {}: {}", p.name, parts.join(", "));
        }
    }
    text.push_str("\nA bound:\n");
    let sequence = [
        "1 generals move, then command is fixed",
        "2 compulsory moves: aggressive units out of command, elephants out of hand",
        "3 units under command move; the contacted stand, turn, evade or flee",
        "4 disrupted units out of contact rally",
        "5 shooting: whose bound it is, then the other side",
        "6 hand-to-hand, in the order of the side whose bound it is",
        "7 markers off; an army that lost more than its threshold breaks",
    ];
    for line in sequence {
        let _ = writeln!(text, "  {line}");
    }
    let json = json!({
        "armies": [armies[0].name, armies[1].name], "results": table, "classes": classes.iter().map(|c| c.letter().to_string()).collect::<Vec<_>>(),
        "needs": needs, "sequence": sequence, "html": format!("<pre>{}</pre>", escape(&text)),
    });
    Ok(Said { text, json, good: true })
}

/// A board as text, JSON and picture: a shipped map by name, `random:SEED`, or the text of a file; without a name, the list.
///
/// # Errors
/// What does not read.
pub fn map(rules: &Value, name: Option<&str>) -> Result<Said, Problems> {
    let (tables, options) = setup::read_rules(rules)?;
    let Some(name) = name else {
        let text = MAPS.iter().map(|m| format!("{}\n", m.0)).collect::<String>() + "random:SEED\n";
        return Ok(Said { text, json: json!(MAPS.iter().map(|m| m.0).collect::<Vec<_>>()), good: true });
    };
    let map = setup::read_map(Some(&json!(name)), &tables)?;
    let text = map.text(&tables);
    let nobody = Army::of("nobody", Vec::new(), Vec::new());
    let t = Table::new(tables, options, map, [&nobody, &nobody]).map_err(|e| vec![Problem::new(e)])?;
    let json = json!({
        "name": t.map.name, "width": t.map.grid.width, "depth": t.map.grid.depth, "text": text, "svg": svg(&t, None),
    });
    Ok(Said { text, json, good: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Value {
        setup::default_rules()
    }

    #[test]
    fn a_typed_unit_has_its_cost() {
        let said =
            cost(&rules(), &["class", "A", "speed", "2", "factor", "5", "impact", "1", "A2", "S"]).unwrap();
        assert_eq!(said.json["points"], 15, "WE-01");
        let said = cost(&rules(), &["huns/Horse"]).unwrap();
        assert_eq!(said.json["points"], 15);
        assert!(cost(&rules(), &["class", "A", "spede", "2"]).unwrap_err()[0].message.contains("spede"));
    }

    #[test]
    fn lists_are_checked() {
        assert!(check_army(&rules(), "roman", None, None).unwrap().good);
        let said = check_army(&rules(), "roman", None, Some(120)).unwrap();
        assert!(!said.good && said.text.contains("20 over the limit"), "{}", said.text);
        let bad = check_army(
            &rules(),
            "my.toml",
            Some(
                "name = \"x\"\n[[unit]]\nname = \"U\"\ntype = \"F\"\nclass = \"C\"\nspeed = 7\nfactor = 1\n",
            ),
            None,
        );
        let bad = bad.unwrap();
        assert!(!bad.good && bad.text.contains("speed 7"));
    }

    #[test]
    fn odds_add_up() {
        let said = odds(&rules(), &["roman/Legionaries", "with", "british/Warbands"]).unwrap();
        let sum: u64 =
            said.json["chances"].as_array().unwrap().iter().map(|c| c["millionths"].as_u64().unwrap()).sum();
        assert!((999_990..=1_000_010).contains(&sum), "{}", said.text);
        let said = odds(&rules(), &["english/Longbowmen", "at", "french/Mounted", "disrupted"]).unwrap();
        assert!(said.text.contains("4 dice, 7+ needed"), "{}", said.text);
    }

    #[test]
    fn a_battle_is_told_and_its_record_verifies() {
        let spec = BattleSpec {
            map: "open-field".to_owned(),
            armies: [json!("roman"), json!("huns")],
            players: ["general".to_owned(), "advance".to_owned()],
            seed: 3,
            bounds: Some(6),
        };
        let fought = battle(&rules(), &spec).unwrap();
        assert!(fought.said.text.contains("== bound 1"));
        let record = game::record::Record::parse(&fought.record).unwrap();
        assert!(game::verify::<Heroes>(&record).good());
        assert!(fought.picture.starts_with("<svg"));
        assert_eq!(fought.said.json["winners"], fought.said.json["outcome"]["winners"]);
        assert_eq!(fought.said.json["winner"], fought.said.json["winners"][0]);
        assert_eq!(battle(&rules(), &spec).unwrap().record, fought.record, "the same seed, the same battle");
    }

    #[test]
    fn cards_sheet_and_map_are_printed() {
        assert!(cards(&rules(), "english", None).unwrap().text.contains("St: carries stakes"));
        let said = sheet(&rules(), ["english", "french"], [None, None]).unwrap();
        assert!(said.text.contains("Longbowmen: Mounted knights 7+"), "{}", said.text);
        assert!(map(&rules(), Some("fords")).unwrap().json["svg"].as_str().unwrap().contains("ford"));
        assert!(map(&rules(), Some("frods")).unwrap_err()[0].message.contains("fords"));
    }
}
