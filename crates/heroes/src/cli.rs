//! What the command line says of this game: text for people and JSON for programs, from one place.
//!
//! Nothing here reads or writes files: whoever calls hands texts in and prints what comes out.

mod battle;
mod odds;
mod paper;

pub use battle::{BattleSpec, Fought, battle, many};
pub use odds::odds;
pub use paper::{cards, sheet};

use crate::army::{Army, LISTS, UnitLine};
use crate::map::{MAPS, Map};
use crate::setup;
use crate::tables::{Tables, Traits};
use game::{Problem, Problems};
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
    if words.is_empty() {
        let hint = "like: class B speed 4 factor 5 impact 4 A2, or roman/Legionaries";
        return Err(vec![Problem::new("the cost of which unit?").hint(hint)]);
    }
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

/// A list from the text of a file, as a set-up has it; messages name the file.
///
/// # Errors
/// All that is wrong with it.
pub fn army_file(rules: &Value, text: &str, file: &str) -> Result<Value, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    Ok(read_army(&tables, file, Some(text))?.value(&tables))
}

/// A map from the text of a file, as a set-up has it; messages name the file.
///
/// # Errors
/// All that is wrong with it.
pub fn map_file(rules: &Value, text: &str, file: &str) -> Result<Value, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let map = Map::parse(text, &tables, file)
        .map_err(|e| e.0.into_iter().map(Problem::new).collect::<Problems>())?;
    Ok(json!({ "name": map.name, "text": text }))
}

/// A board as text and JSON: a shipped map by name, `random:SEED`, or the text of a file; without a name, the list.
///
/// # Errors
/// What does not read.
pub fn map(rules: &Value, name: Option<&str>) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let Some(name) = name else {
        let text = MAPS.iter().map(|m| format!("{}\n", m.0)).collect::<String>() + "random:SEED\n";
        return Ok(Said { text, json: json!(MAPS.iter().map(|m| m.0).collect::<Vec<_>>()), good: true });
    };
    let map = setup::read_map(Some(&json!(name)), &tables)?;
    let text = map.text(&tables);
    let json = json!({ "name": map.name, "width": map.grid.width, "depth": map.grid.depth, "text": text });
    Ok(Said { text, json, good: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Heroes;

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
            map: json!("open-field"),
            armies: [json!("roman"), json!("huns")],
            players: ["general".to_owned(), "advance".to_owned()],
            seed: 3,
            bounds: Some(6),
        };
        let fought = battle(&rules(), &spec).unwrap();
        assert!(fought.said.text.contains("== bound 1"));
        let record = game::record::Record::parse(&fought.record).unwrap();
        assert!(game::verify::<Heroes>(&record).good());
        assert_eq!(fought.said.json["winners"], fought.said.json["outcome"]["winners"]);
        assert_eq!(fought.said.json["winner"], fought.said.json["winners"][0]);
        assert_eq!(battle(&rules(), &spec).unwrap().record, fought.record, "the same seed, the same battle");
    }

    #[test]
    fn many_battles_are_summed_up() {
        let spec = BattleSpec {
            map: Value::Null,
            armies: [json!("roman"), json!("huns")],
            players: ["advance".to_owned(), "advance".to_owned()],
            seed: 7,
            bounds: Some(3),
        };
        let said = many(&rules(), &spec, 3).unwrap();
        let of = |key: &str| said.json[key].as_u64().unwrap();
        assert_eq!(of("won_a") + of("won_b") + of("drawn"), 3, "{}", said.text);
        let one = battle(&rules(), &BattleSpec { map: json!("random:7"), ..spec.clone() }).unwrap();
        assert_eq!(
            said.json["battles"][0]["digest"], one.said.json["digest"],
            "the same battle as by itself"
        );
        assert!(
            many(&rules(), &BattleSpec { map: json!("open:3x3"), ..spec }, 1).is_err(),
            "no room to deploy"
        );
    }

    #[test]
    fn odds_take_two_sides_as_they_are() {
        let said = odds(&rules(), &["roman/Legionaries", "british/Warbands"]).unwrap();
        assert_eq!(
            said.json,
            odds(&rules(), &["roman/Legionaries", "with", "british/Warbands"]).unwrap().json
        );
        assert!(cost(&rules(), &[]).is_err());
    }

    #[test]
    fn more_dice_than_can_be_counted_still_have_odds() {
        let six = ["english/Longbowmen", "stands=12"].repeat(6);
        let words: Vec<&str> = six.into_iter().chain(["at", "french/Mounted"]).collect();
        let said = odds(&rules(), &words).unwrap();
        let sum: u64 =
            said.json["chances"].as_array().unwrap().iter().map(|c| c["millionths"].as_u64().unwrap()).sum();
        assert!((999_980..=1_000_020).contains(&sum), "{}", said.text);
    }

    #[test]
    fn cards_sheet_and_map_are_printed() {
        assert!(cards(&rules(), "english", None).unwrap().text.contains("St: carries stakes"));
        let said = sheet(&rules(), ["english", "french"], [None, None]).unwrap();
        assert!(said.text.contains("Longbowmen: Mounted knights 7+"), "{}", said.text);
        assert!(map(&rules(), Some("fords")).unwrap().text.contains("name:"));
        assert!(map(&rules(), Some("frods")).unwrap_err()[0].message.contains("fords"));
    }
}
