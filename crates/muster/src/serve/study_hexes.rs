//! A position on hexes as lines that can be edited: what stands where, what still lies in the box, and all else of it.

use game::Table;
use heroes::Heroes;
use heroes::army::{Army, LISTS};
use heroes::map::{MAPS, Map};
use heroes::state::{Fate, bits};
use heroes::table::Side;
use serde_json::{Map as Object, Value, json};

/// `grid`: columns and rows; `fields`: lines of `[position]`; `units` and `generals`: label and what stands after it; `box`:
/// who is not on the table, with side, name, formation and stands; `all`: how many stands and which formations each has.
pub fn told(known: &Table<Heroes>) -> Value {
    let (game, s) = (known.game(), known.state());
    let t = game.table();
    let position = heroes::position::value(t, game.armies(), s);
    let fresh = heroes::deploy::begin(t);
    let both = t.of_side[0] | t.of_side[1];
    let mut units = Vec::new();
    let mut boxed = Vec::new();
    let mut all = Object::new();
    for u in bits(both) {
        let (unit, p, label) = (s.unit(u), t.profile(u), t.label(u));
        let side = t.side(u).letter().to_string();
        all.insert(
            label.to_owned(),
            json!({ "name": p.name, "side": side, "stands": p.stands, "formation": fresh.unit(u).formation.word(),
                "blocks": p.traits.codes().any(|c| c == "Pk") }),
        );
        if unit.fate != Fate::Reserve {
            let mut one = position["units"][label].as_object().cloned().unwrap_or_default();
            plain(&mut one, fresh.unit(u).formation.word(), p.stands, p.traits.codes().any(|c| c == "Pv"));
            units.push(json!([label, line(&one)]));
        } else {
            boxed.push(json!({ "label": label, "side": side, "name": p.name, "general": false }));
        }
    }
    let mut generals = Vec::new();
    for (leader, g) in t.leaders.iter().zip(&s.generals) {
        let side = leader.side.letter().to_string();
        all.insert(leader.label.clone(), json!({ "name": leader.name, "side": side, "general": true }));
        if g.hex.on() || g.lost {
            let mut one = position["generals"][&leader.label].as_object().cloned().unwrap_or_default();
            one.retain(|_, v| *v != json!(false));
            let short = one.len() == 1 && g.hex.on();
            generals.push(json!([
                leader.label,
                if short { toml(&one["at"]) } else { toml(&Value::Object(one)) }
            ]));
        } else {
            boxed.push(json!({ "label": leader.label, "side": side, "name": leader.name, "general": true }));
        }
    }
    let fields = position.as_object().into_iter().flatten().filter_map(|(key, v)| {
        let v = match key.as_str() {
            "units" | "generals" | "version" => return None,
            "map" => map(v, t.map.name.as_str(), known),
            "armies" => Value::Array(v.as_array().into_iter().flatten().map(|a| army(a, known)).collect()),
            _ => v.clone(),
        };
        Some(format!("{} = {}", word(key), toml(&v)))
    });
    json!({ "grid": [t.map.grid.width, t.map.grid.depth], "fields": fields.collect::<Vec<_>>(), "units": units,
        "generals": generals, "box": boxed, "all": all, "south": s.south.letter().to_string(),
        "phase": s.phase.word(), "phasing": s.phasing.letter().to_string(),
        "armies": Side::BOTH.map(|x| t.armies[x.ix()].clone()), "map": t.map.name })
}

/// A unit without what is so by itself.
fn plain(one: &mut Object<String, Value>, formation: &str, stands: u8, pavises: bool) {
    let usual = [("formation", json!(formation)), ("stands", json!(stands))];
    for (key, v) in usual {
        if one.get(key) == Some(&v) {
            one.remove(key);
        }
    }
    // carriers of pavises have them unless marks are written
    if !pavises && one.get("marks") == Some(&json!([])) {
        one.remove("marks");
    }
}

/// `"C4 n"`, or a table in one line if there is more to say.
fn line(one: &Object<String, Value>) -> String {
    match (one.len(), one.get("at"), one.get("facing")) {
        (2, Some(Value::String(at)), Some(Value::String(facing))) => toml(&json!(format!("{at} {facing}"))),
        _ => toml(&Value::Object(one.clone())),
    }
}

/// The name of a shipped list instead of all that stands in it.
fn army(given: &Value, known: &Table<Heroes>) -> Value {
    let rules = &known.game().table().rules;
    let same = |name: &str| Army::shipped(name, rules).is_ok_and(|a| a.value(rules) == *given);
    LISTS.iter().find(|l| same(l.0)).map_or_else(|| given.clone(), |l| json!(l.0))
}

/// The name of a shipped map instead of its text.
fn map(given: &Value, name: &str, known: &Table<Heroes>) -> Value {
    let rules = &known.game().table().rules;
    let text = known.game().table().map.text(rules);
    let same = |file: &str| Map::shipped(file, rules).is_ok_and(|m| m.name == name && m.text(rules) == text);
    MAPS.iter().find(|m| same(m.0)).map_or_else(|| given.clone(), |m| json!(m.0))
}

fn word(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { json!(key).to_string() }
}

/// A value in one line of TOML; what is null is left out.
fn toml(v: &Value) -> String {
    match v {
        Value::Object(all) => {
            let each =
                all.iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| format!("{} = {}", word(k), toml(v)));
            format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
        }
        Value::Array(all) => format!("[{}]", all.iter().map(toml).collect::<Vec<_>>().join(", ")),
        plain => plain.to_string(),
    }
}
