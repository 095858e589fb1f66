//! Rules and set-up of one battle as the record keeps them.

use crate::army::Army;
use crate::map::Map;
use crate::options::{Options, SWITCHES};
use crate::table::{Side, Table};
use crate::tables::{SHIPPED, Tables};
use game::{Problem, Problems};
use rulebook::{Family, Layers, rule};
use serde_json::{Map as Object, Value, json};

/// The effective rules from preset, file and single settings, as JSON.
///
/// # Errors
/// Everything that is wrong in any of them.
pub fn rules_from(
    preset: Option<&str>,
    file: Option<(&str, &str)>,
    sets: &[(String, String)],
) -> Result<Value, Problems> {
    let mut layers = Layers::new(&[Family::Heroes]).tables(Family::Heroes, "heroes.toml", SHIPPED);
    if let Some(name) = preset {
        layers = layers.preset(name);
    }
    if let Some((name, text)) = file {
        layers = layers.file(name, text);
    }
    for (key, value) in sets {
        let key = if key.starts_with("heroes.") { key.clone() } else { format!("heroes.{key}") };
        // a bare word that TOML would misread, such as FD+1, stands as text
        layers = layers.set(&format!("{key}={value}"));
    }
    let effective = layers
        .effective()
        .map_err(|errors| errors.list().iter().map(|e| Problem::new(e.to_string())).collect::<Problems>())?;
    let mut options = Object::new();
    for (key, value) in effective.values() {
        let name = key.strip_prefix("heroes.").unwrap_or(&key).to_owned();
        options.insert(name, serde_json::to_value(&value).unwrap_or(Value::Null));
    }
    let tables: Value = effective.tables().read("heroes").map_err(|e| vec![Problem::new(e.to_string())])?;
    let rules = json!({ "options": options, "tables": tables });
    read_rules(&rules)?;
    Ok(rules)
}

/// Tables and switches of effective rules.
///
/// # Errors
/// What does not read.
pub fn read_rules(rules: &Value) -> Result<(Tables, Options), Problems> {
    let tables = match rules.get("tables") {
        None => Tables::shipped(),
        Some(value) => Tables::from_value(value).map_err(|e| vec![Problem::new(e.to_string())])?,
    };
    let mut options = Options::default();
    let mut wrong = Vec::new();
    if let Some(all) = rules.get("options").and_then(Value::as_object) {
        // an option that an old record lacks means what was done before there was one
        options.one_unit_named = all.contains_key("one_unit_named");
        options.corrected = all.contains_key("after_escape");
        options.escape_asks = all.contains_key("after_escape");
        options.forced_squeeze = all.contains_key("forced_squeeze");
        for (name, value) in all {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if let Err(why) = options.set(name, &text) {
                wrong.push(Problem::new(why));
            }
        }
    }
    if wrong.is_empty() { Ok((tables, options)) } else { Err(wrong) }
}

/// The default rules, as JSON.
#[must_use]
pub fn default_rules() -> Value {
    // INVARIANT: the shipped tables and options are well formed (`default_rules_read`).
    rules_from(None, None, &[]).unwrap_or_else(|_| json!({}))
}

/// The options of a battle, by name.
#[must_use]
pub fn options_value(o: &Options) -> Value {
    let mut all = Object::new();
    for s in SWITCHES {
        let text = o.get(s.name);
        all.insert(s.name.to_owned(), text.parse::<u16>().map_or_else(|_| json!(text), |n| json!(n)));
    }
    Value::Object(all)
}

/// A map from what a set-up says: a shipped name, `random:SEED`, `open:18x12`, rows as text, or `{name, text}`.
///
/// # Errors
/// What is wrong with it.
pub fn read_map(value: Option<&Value>, t: &Tables) -> Result<Map, Problems> {
    let bad = |e: crate::map::BadMap| e.0.into_iter().map(Problem::new).collect::<Problems>();
    match value {
        None => Ok(Map::open(t.board[0], t.board[1])),
        Some(Value::String(text)) if text.contains('\n') => {
            let map = Map::parse(text, t, "map").map_err(bad)?;
            let faults = map.faults();
            if faults.is_empty() { Ok(map) } else { Err(faults.into_iter().map(Problem::new).collect()) }
        }
        Some(Value::String(name)) => {
            if let Some(seed) = name.strip_prefix("random") {
                let seed = seed.trim_start_matches([':', ' ']);
                let seed = if seed.is_empty() { Ok(0) } else { seed.parse::<u64>() };
                return seed.map(|s| Map::random(s, t.board[0], t.board[1])).map_err(|_| {
                    vec![Problem::new(format!("map `{name}`: a seed is a number, like random:7"))]
                });
            }
            if let Some(size) = name.strip_prefix("open:") {
                let size = size.split_once('x').and_then(|(w, d)| Some((w.parse().ok()?, d.parse().ok()?)));
                return match size {
                    Some((w @ 2..=24, d @ 2..=40)) if w * d <= 384 => Ok(Map::open(w, d)),
                    _ => Err(vec![Problem::new(format!(
                        "map `{name}`: a size is like open:18x12, at most 24 wide and 384 hexes in all"
                    ))]),
                };
            }
            Map::shipped(name, t).map_err(bad)
        }
        Some(Value::Object(o)) => {
            let text = o.get("text").and_then(Value::as_str).unwrap_or("");
            let mut map = Map::parse(text, t, "map").map_err(bad)?;
            if let Some(name) = o.get("name").and_then(Value::as_str) {
                map.name = name.to_owned();
            }
            Ok(map)
        }
        Some(other) => {
            Err(vec![Problem::new(format!("map: {other} is no map")).hint("a name, or rows of hexes")])
        }
    }
}

/// The table of a set-up.
///
/// # Errors
/// Everything wrong with rules, map or armies.
pub fn open(rules: &Value, setup: &Value) -> Result<Table, Problems> {
    let (tables, options) = read_rules(rules)?;
    let mut wrong: Problems = Vec::new();
    if let Some(all) = setup.as_object() {
        for key in all.keys().filter(|k| !KEYS.contains(&k.as_str())) {
            wrong.push(
                Problem::new(format!("the set-up has an unknown key: {key}"))
                    .meant(key, KEYS.iter().copied()),
            );
        }
    } else {
        wrong.push(Problem::new("a set-up is a table with `map` and `armies`"));
    }
    let map = match read_map(setup.get("map"), &tables) {
        Ok(map) => Some(map),
        Err(all) => {
            wrong.extend(all);
            None
        }
    };
    let mut armies = Vec::new();
    let given: &[Value] = setup.get("armies").and_then(Value::as_array).map_or(&[], |v| v);
    if given.len() != 2 {
        wrong.push(
            Problem::new(format!("{} armies: a battle has two", given.len()))
                .hint("armies = [\"roman\", \"huns\"]"),
        );
    }
    for (n, army) in given.iter().enumerate() {
        match Army::from_value(army, &tables, &format!("army {}", n + 1)) {
            Ok(army) => armies.push(army),
            Err(e) => wrong.extend(e.0.into_iter().map(Problem::new)),
        }
    }
    if setup.get("check").and_then(Value::as_bool).unwrap_or(false) {
        for army in armies.iter().filter(|a| a.generals.iter().all(|g| g.count == 0)) {
            wrong.push(Problem::new(format!("{} has no general", army.name)).by(rule!("HH-029")));
        }
    }
    let (Some(map), [a, b], true) = (map, &armies[..], wrong.is_empty()) else { return Err(wrong) };
    let mut table = Table::new(tables, options, map, [a, b]).map_err(|e| vec![Problem::new(e)])?;
    if let Some(n) = setup.get("bounds") {
        match n.as_u64() {
            Some(n @ 1..=1000) => table.bound_limit = n as u16,
            _ => {
                return Err(vec![
                    Problem::new(format!("bounds = {n}: 1 to 1000 for each side"))
                        .by(rule!("HH-260"))
                        .hint(format!("{} bounds for each side are usual", table.bound_limit)),
                ]);
            }
        }
    }
    if let Some(n) = setup.get("stands") {
        let read = n.as_array().filter(|a| a.len() == 2).map(|a| [a[0].as_u64(), a[1].as_u64()]);
        match read {
            Some([Some(a @ 1..=1000), Some(b @ 1..=1000)]) => table.stands = [a as u16, b as u16],
            _ => {
                return Err(vec![Problem::new(format!(
                    "stands = {n}: two numbers, the starting stands of A and B"
                ))]);
            }
        }
    }
    if let Some(names) = setup.get("chiefs") {
        name_chiefs(&mut table, names)?;
    }
    Ok(table)
}

/// HH-029: `chiefs = ["Gen2", "Gen1"]`, the Commanders-in-Chief of A and B.
fn name_chiefs(table: &mut Table, names: &Value) -> Result<(), Problems> {
    let wrong = |what: String| {
        vec![
            Problem::new(what)
                .by(rule!("HH-029"))
                .hint("the two Commanders-in-Chief, like chiefs = [\"Gen2\", \"Gen1\"]"),
        ]
    };
    let Some([a, b]) = names.as_array().map(Vec::as_slice) else {
        return Err(wrong(format!("chiefs = {names}: one general of each side")));
    };
    for (side, name) in [(Side::A, a), (Side::B, b)] {
        let bare = name.as_str().unwrap_or("");
        let own = format!("{}.", side.letter());
        let bare = bare.strip_prefix(own.as_str()).unwrap_or(bare);
        let found =
            table.leaders.iter().position(|l| l.side == side && l.label[2..].eq_ignore_ascii_case(bare));
        match found {
            Some(g) => table.name_chief(side, g as u8),
            None => {
                let all: Vec<&str> =
                    table.leaders.iter().filter(|l| l.side == side).map(|l| l.label.as_str()).collect();
                return Err(wrong(format!(
                    "chiefs: {name} is no general of {}: {}",
                    side.letter(),
                    all.join(", ")
                )));
            }
        }
    }
    Ok(())
}

/// Keys of a set-up.
pub const KEYS: &[&str] = &["map", "armies", "bounds", "stands", "check", "chiefs"];

/// The set-up of a table, complete in itself.
#[must_use]
pub fn value(t: &Table, armies: &[Value; 2]) -> Value {
    let mut out = json!({
        "map": { "name": t.map.name, "text": t.map.text(&t.rules) },
        "armies": armies,
        "bounds": t.bound_limit,
        "stands": t.stands,
    });
    if t.chiefs_named {
        let chiefs: Vec<&str> = t.leaders.iter().filter(|l| l.chief).map(|l| l.label.as_str()).collect();
        out["chiefs"] = json!(chiefs);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_rules_read() {
        let rules = rules_from(None, None, &[]).unwrap();
        let (tables, options) = read_rules(&rules).unwrap();
        assert_eq!(options, Options::default());
        assert_eq!(tables.crt, Tables::shipped().crt);
        let names: Vec<&str> = rules["options"].as_object().unwrap().keys().map(String::as_str).collect();
        let mut known: Vec<&str> = SWITCHES.iter().map(|s| s.name).collect();
        known.sort_unstable();
        assert_eq!(names, known, "the option table and the engine name the same switches");
    }

    #[test]
    fn a_cell_of_the_results_table_can_be_set() {
        let sets = [("heroes.crt.4.B".to_owned(), "FD+1".to_owned())];
        let rules = rules_from(None, None, &sets).unwrap();
        assert_eq!(read_rules(&rules).unwrap().0.result(4, crate::tables::Class::B).text(), "FD+1");
    }

    #[test]
    fn a_number_that_cannot_be_is_named() {
        for (key, value) in [("points.class.A", "-3"), ("movement.column_bonus", "300")] {
            let sets = [(format!("heroes.{key}"), value.to_owned())];
            let all = rules_from(None, None, &sets).unwrap_err();
            let text = all[0].to_string();
            assert!(text.contains(&format!("heroes.{key} = {value}")) && text.contains("0 to 255"), "{text}");
        }
        let sets = [("heroes.combat.up_slope".to_owned(), "1.5".to_owned())];
        let text = rules_from(None, None, &sets).unwrap_err()[0].to_string();
        assert!(text.contains("heroes.combat.up_slope") && text.contains("whole number"), "{text}");
    }

    #[test]
    fn a_bad_set_up_says_everything() {
        let setup = json!({ "map": "opne-field", "armies": ["roman", "hunz"], "bound": 3 });
        let all = open(&default_rules(), &setup).unwrap_err();
        let text = all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        for part in ["open-field", "huns", "unknown key: bound"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
