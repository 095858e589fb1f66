//! What the command line says of this game: text for people and JSON for programs, from one place.
//!
//! Nothing here reads or writes files: whoever calls hands texts in and prints what comes out.

mod battle;
mod odds;
mod paper;

pub use battle::{BattleSpec, Fought, battle, many};
pub use odds::{WORDS as ODDS_WORDS, odds};
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
        let hero = format!("{hero}{}", if g.chief { ", Commander-in-Chief" } else { "" });
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
    let whole = words.join(" ");
    let line = match words {
        _ if whole.contains('/') => list_unit(&tables, &whole)?.1,
        _ if says_nothing(words) => return named_anywhere(&tables, &whole),
        _ => named_unit(&tables, words)?,
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

/// Words that say something of a profile, and have a value behind them.
const KEYS: [&str; 11] =
    ["class", "type", "shooting", "name", "speed", "factor", "impact", "stands", "cf", "h2h", "shoot"];

fn is_key(word: &str) -> bool {
    KEYS.iter().any(|k| k.eq_ignore_ascii_case(word))
}

/// Whether words are a name and nothing else: no key, no characteristic, no score.
fn says_nothing(words: &[&str]) -> bool {
    let score = |w: &str| w.ends_with('+') && w.len() <= 3;
    let nearly = |w: &str| KEYS.iter().any(|k| strsim::damerau_levenshtein(k, &w.to_ascii_lowercase()) <= 1);
    !words.iter().any(|w| is_key(w) || nearly(w) || score(w) || (w.len() <= 2 && Traits::read(w).is_some()))
}

/// A unit in words, with its name before them or not: `Hill riders class B speed 4 factor 3`.
pub(crate) fn named_unit(tables: &Tables, words: &[&str]) -> Result<UnitLine, Problems> {
    let known = words.iter().position(|w| is_key(w)).unwrap_or(0);
    // a characteristic may stand first too
    let (name, rest) = if words[..known].iter().any(|w| Traits::read(w).is_some() && w.len() <= 2) {
        words.split_at(0)
    } else {
        words.split_at(known)
    };
    let mut line = typed_unit(tables, rest)?;
    if !name.is_empty() {
        line.profile.name = name.join(" ");
    }
    Ok(line)
}

/// The units of all shipped lists whose name begins so, each with its points.
fn named_anywhere(tables: &Tables, name: &str) -> Result<Said, Problems> {
    let low = name.to_lowercase();
    let (mut text, mut found, mut known) = (String::new(), Vec::new(), Vec::new());
    for (list, _) in LISTS {
        let army = Army::shipped(list, tables).map_err(army_problems)?;
        for u in &army.units {
            known.push(format!("{list}/{}", u.profile.name));
            if !u.profile.name.to_lowercase().starts_with(&low) {
                continue;
            }
            let cost = u.profile.cost(tables);
            let _ = writeln!(text, "{list}/{}: {} points\n  {}", u.profile.name, cost.total, cost.text());
            let parts: Vec<Value> =
                cost.parts.iter().map(|(w, n)| json!({ "part": w, "points": n })).collect();
            found.push(json!({ "list": list, "name": u.profile.name, "points": cost.total, "parts": parts }));
        }
    }
    if found.is_empty() {
        let bare = |k: &String| k.split_once('/').map_or("", |x| x.1).to_lowercase();
        known.sort_by_key(|k| strsim::damerau_levenshtein(&bare(k), &low));
        known.truncate(3);
        let hint = format!(
            "like {}; or say what it is: {name} class B speed 4 factor 3 impact 2 type M A1",
            known.join(", ")
        );
        return Err(vec![Problem::new(format!("no shipped list has a unit `{name}`")).hint(hint)]);
    }
    let json = if let [one] = &found[..] { one.clone() } else { json!({ "name": name, "units": found }) };
    Ok(Said { text, json, good: true })
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
            "cf" | "h2h" => Some("factor"),
            "shoot" => Some("shooting"),
            key => is_key(key).then_some(key),
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
    let found = army.units.iter().filter(|_| !low.trim().is_empty()).find(|u| {
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
    let faults: Problems = map.faults().into_iter().map(|f| Problem::new(format!("{file}: {f}"))).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
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
        assert!(
            cost(&rules(), &["roman/"]).unwrap_err()[0].to_string().contains("Praetorians"),
            "which of them?"
        );
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

    fn chances(words: &str) -> Value {
        let words: Vec<&str> = words.split_whitespace().collect();
        odds(&rules(), &words).unwrap_or_else(|e| panic!("{words:?}: {e:?}")).json["chances"].clone()
    }

    #[test]
    fn odds_know_ground_range_and_where_the_enemy_is() {
        let need = |words: &str| {
            let words: Vec<&str> = words.split_whitespace().collect();
            let said = odds(&rules(), &words).unwrap_or_else(|e| panic!("{words:?}: {e:?}"));
            format!("{} {}", said.json["sides"][0]["dice"], said.json["sides"][0]["need"].as_str().unwrap())
        };
        let base = "english/Longbowmen at french/Mounted";
        assert_eq!(need(base), "4 7+");
        assert_eq!(need(&format!("{base} woods range 1")), "4 9+", "HH-163");
        assert_eq!(need(&format!("{base} at range 2 hedge")), "4 8+", "HH-110");
        assert_eq!(need("english/Longbowmen column at french/Mounted"), "2 7+", "HH-170");
        assert_eq!(need("burgundian/Light at french/Mounted range 5"), "2 11+", "HH-185");
        assert_eq!(need("chinese/Rocket at french/Mounted"), "2 5+, 9+, 12+", "HH-185");
        let base = "roman/Legionaries with british/Warbands";
        let equal = |words: &str| chances(words);
        assert_ne!(equal(base), equal("roman/Legionaries uphill with british/Warbands"), "HH-106");
        // HH-205: an enemy behind it takes the warbands' impact away, as does a wood (HH-105)
        let none = equal("roman/Legionaries with british/Warbands rear");
        assert_ne!(equal(base), none);
        assert_eq!(
            equal("roman/Legionaries spent with british/Warbands woods"),
            equal("roman/Legionaries spent with british/Warbands rear")
        );
        assert_eq!(equal("roman/Legionaries with british/Warbands spent"), none);
        let wrong = |words: &str| {
            let words: Vec<&str> = words.split_whitespace().collect();
            odds(&rules(), &words).unwrap_err()[0].to_string()
        };
        assert!(wrong("english/Longbowmen at french/Mounted range 3").contains("HH-145"));
        assert!(wrong("burgundian/Light at french/Mounted range 7").contains("1 to 6"));
        assert!(wrong("english/Longbowmen at hungarian/War").contains("HH-173"));
        assert!(wrong("english/Longbowmen at french/Mounted wall").contains("HH-173"));
        assert!(
            wrong("burgundian/Light woods with french/Mounted").contains("HH-110"),
            "wheels stay out of woods"
        );
        assert!(wrong("roman/Legionaries distrupted with huns/Horse").contains("disrupted"));
    }

    #[test]
    fn every_word_of_the_help_is_read() {
        for word in odds::WORDS
            .lines()
            .skip(4)
            .flat_map(|l| l.trim().split("  ").next().unwrap_or("").split_whitespace())
        {
            let word = word.trim_matches([',', '(', ')']);
            if !word.chars().all(|c| c.is_ascii_lowercase()) {
                continue;
            }
            let value = if ["stands", "height", "range"].contains(&word) { " 2" } else { "" };
            let unit = match word {
                "dismounted" => "french/Mounted",
                "stakes" => "english/Longbowmen",
                "pavises" | "dropped" => "french/Genoese",
                "block" => "burgundian/Pikemen",
                _ => "roman/Legionaries",
            };
            let shooting = ["range", "charging"].contains(&word);
            let words = if shooting {
                format!("english/Longbowmen at {unit} {word}{value}")
            } else {
                format!("{unit} {word}{value} with huns/Horse")
            };
            let words: Vec<&str> = words.split_whitespace().collect();
            assert!(odds(&rules(), &words).is_ok(), "{words:?}: {:?}", odds(&rules(), &words));
        }
    }

    #[test]
    fn a_name_is_a_unit_of_the_lists() {
        assert_eq!(cost(&rules(), &["legionaries"]).unwrap().json["points"], 13);
        assert_eq!(cost(&rules(), &["Crossbowmen"]).unwrap().json["units"].as_array().unwrap().len(), 3);
        let none = cost(&rules(), &["Hill", "riders"]).unwrap_err()[0].to_string();
        assert!(none.contains("Hill riders"), "{none}");
        let typed = cost(&rules(), &["Hill", "riders", "class", "B", "speed", "4", "factor", "3"]).unwrap();
        assert_eq!((&typed.json["name"], &typed.json["points"]), (&json!("Hill riders"), &json!(11)));
        let near = cost(&rules(), &["Legionarys"]).unwrap_err()[0].hint.clone().unwrap();
        assert!(near.contains("roman/Legionaries"), "{near}");
    }

    #[test]
    fn faults_of_a_file_have_their_lines() {
        let text = "name = \"x\"\n[[general]]\nquality = 3\n[[unit]]\nname = \"U\"\ntype = \"F\"\nclass = \"C\"\nspeed = 2\nfactor = 1\ncount = -3\n[[unit]]\nname = \"V\"\ntype = \"F\"\nclass = \"C\"\nspede = 2\nfactor = \"two\"\ntraits = \"A1\"\n";
        let said = check_army(&rules(), "my.toml", Some(text), None).unwrap().text;
        for part in [
            "my.toml:10: U: count = -3",
            "my.toml:15: V: `spede`",
            "my.toml:16: V: combat factor \"two\"",
            "my.toml:17: V: traits",
            "my.toml:11: V: speed is missing",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let said = check_army(&rules(), "my.toml", Some("name = \"x\"\nunit = = 3\n"), None).unwrap_err();
        assert!(said[0].message.starts_with("my.toml:2:"), "{said:?}");
        let nameless = check_army(&rules(), "my.toml", Some("name = \"\"\n"), None).unwrap();
        assert!(!nameless.good && nameless.text.contains("it has no name"));
    }

    #[test]
    fn maps_of_people_have_no_road_to_nowhere() {
        let rows = ". . . .\n. . l .\n. . . .\n";
        let wrong =
            |more: &str| map_file(&rules(), &format!("{rows}{more}\n"), "my.map").unwrap_err()[0].to_string();
        assert!(wrong("road: A1").contains("my.map:4:"), "{}", wrong("road: A1"));
        assert!(wrong("road: B2 C2").contains("C2, which is lake"), "{}", wrong("road: B2 C2"));
        assert!(
            map_file(&rules(), &format!("{rows}road: A1 B1\n"), "my.map").is_ok(),
            "a road may end anywhere"
        );
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
        // HH-185
        let bombard = "range 1-3: 5-7 1 hit, 8-10 2 hits, 11-12 3 hits";
        assert!(said.text.contains(bombard) && said.json["artillery"][0]["dice"] == 2, "{}", said.text);
        let card = cards(&rules(), "french", None).unwrap();
        assert!(card.text.contains(bombard) && card.json["html"].as_str().unwrap().contains(bombard));
        assert!(map(&rules(), Some("fords")).unwrap().text.contains("name:"));
        assert!(map(&rules(), Some("frods")).unwrap_err()[0].message.contains("fords"));
    }
}
