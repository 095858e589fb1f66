//! The rules in force as JSON: what a record's header keeps (`scope`, `options`, `tables`), and back.

use crate::table::{Scope, Tables};
use game::{Problem, Problems};
use rulebook::{Effective, Family, RulesErrors, Tree, Value as Setting};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::RwLock;

fn games(scope: Scope) -> &'static [Family] {
    match scope {
        Scope::Base => &[Family::Hott],
        Scope::Big => &[Family::Hott, Family::Big],
    }
}

/// What is wrong with rules, each with its place.
#[must_use]
pub fn problems(errors: &RulesErrors) -> Problems {
    let one = |e: &rulebook::RulesError| match e.place() {
        Some((file, line, column)) => Problem::new(e.what()).at(file, line, column),
        None => Problem::new(e.to_string()),
    };
    errors.list().iter().map(one).collect()
}

/// Whether a rules file is for big battles: it says so, or sets a key of theirs.
fn is_big(file: &toml::Table) -> bool {
    let says = file.get("game").and_then(|g| g.as_str()).and_then(Family::named);
    says.map_or_else(|| file.contains_key("big"), |game| game == Family::Big)
}

fn json_of(rules: &Effective, scope: Scope) -> Result<Value, Problems> {
    let tree = Tables::resolved(rules).map_err(|e| problems(&e))?;
    let options: Map<String, Value> = rules
        .values()
        .into_iter()
        .map(|(key, value)| {
            let value = match value {
                Setting::Bool(b) => json!(b),
                Setting::Int(i) => json!(i),
                Setting::Word(w) => json!(w),
            };
            (key, value)
        })
        .collect();
    let scope = if scope == Scope::Big { "big" } else { "base" };
    let tables = serde_json::to_value(&tree).unwrap_or(Value::Null);
    Ok(json!({ "scope": scope, "options": options, "tables": tables }))
}

/// Rules from preset, file and settings. They are those of a big battle if `scope` is set to `big`, or if any key of
/// `big.` is set.
pub(crate) fn from_layers(
    preset: Option<&str>,
    file: Option<(&str, &str)>,
    sets: &[(String, String)],
) -> Result<Value, Problems> {
    let same = |(p, s, _): &&Resolved| p.as_deref() == preset && s == sets;
    if file.is_none()
        && let Ok(list) = RESOLVED.read()
        && let Some((.., rules)) = list.iter().find(same)
    {
        return Ok(rules.clone());
    }
    let big_file = file.is_some_and(|(_, text)| text.parse::<toml::Table>().is_ok_and(|t| is_big(&t)));
    let asked = sets.iter().find(|(k, _)| k == "scope").map(|(_, v)| v.as_str());
    let scope = match asked {
        Some("big") => Scope::Big,
        Some("base" | "hott") => Scope::Base,
        Some(other) => {
            return Err(vec![Problem::new(format!("unknown scope: {other}")).meant(other, ["base", "big"])]);
        }
        None if big_file || sets.iter().any(|(k, _)| k.starts_with("big.")) => Scope::Big,
        None => Scope::Base,
    };
    let mut layers = Tables::layers(scope);
    if let Some(name) = preset {
        layers = layers.preset(name);
    }
    if let Some((name, text)) = file {
        layers = layers.file(name, text);
    }
    for (key, value) in sets.iter().filter(|(k, _)| k != "scope") {
        layers = layers.set(&format!("{key}={value}"));
    }
    let rules = layers.effective().map_err(|e| problems(&e))?;
    // What does not load is refused here, where it was written.
    let tables = Tables::load(scope, &rules).map_err(|e| problems(&e))?;
    let made = json_of(&rules, scope)?;
    keep(&MADE, (made.clone(), tables));
    if file.is_none() {
        keep(&RESOLVED, (preset.map(str::to_owned), sets.to_vec(), made.clone()));
    }
    Ok(made)
}

/// The number whose lack says that a record was begun before it meant anything.
const STRICT: &str = "strict";

/// A record of an earlier release lacks the numbers that came later: it gets ours, so that it opens for ever. None of
/// them bears on a battle that was begun before, since what asks for it came with it; `strict` would, and is 0 there.
fn add_new_numbers(kept: &mut Value, shipped: &Value) {
    for (game, ours) in shipped.as_object().into_iter().flatten() {
        for table in ["number", "number_note"] {
            let theirs = kept.get_mut(game).and_then(|g| g.get_mut(table)).and_then(Value::as_object_mut);
            let Some(theirs) = theirs else { continue };
            for (key, value) in ours[table].as_object().into_iter().flatten() {
                theirs.entry(key.clone()).or_insert_with(|| match (table, key.as_str()) {
                    ("number", STRICT) => json!(0),
                    _ => value.clone(),
                });
            }
        }
    }
}

fn restore(rules: &Value) -> Result<(Scope, Effective), Problems> {
    let scope = match rules["scope"].as_str() {
        Some("big") => Scope::Big,
        _ => Scope::Base,
    };
    let mut options = BTreeMap::new();
    for (key, value) in rules["options"].as_object().into_iter().flatten() {
        let value = match value {
            Value::Bool(b) => Setting::Bool(*b),
            Value::String(w) => Setting::Word(w.clone()),
            other => match other.as_i64() {
                Some(i) => Setting::Int(i),
                None => return Err(vec![Problem::new(format!("the rules do not read: {key} is {other}"))]),
            },
        };
        options.insert(key.clone(), value);
    }
    let plain = Tables::layers(scope).effective().map_err(|e| problems(&e))?;
    let tree = if rules["tables"].is_object() {
        let mut kept = rules["tables"].clone();
        let shipped = serde_json::to_value(plain.tables()).unwrap_or(Value::Null);
        add_new_numbers(&mut kept, &shipped);
        serde_json::from_value::<Tree>(kept)
            .map_err(|e| vec![Problem::new(format!("the rules do not read: {e}"))])?
    } else {
        plain.tables().clone()
    };
    let effective = Effective::restore(games(scope), &options, tree).map_err(|e| problems(&e))?;
    Ok((scope, effective))
}

/// Rules that were asked for lately, with their tables: cases, questions of odds and positions ask for the same ones
/// again and again. Nothing but time depends on it.
static MADE: RwLock<Vec<(Value, Tables)>> = RwLock::new(Vec::new());

/// Layers that were resolved lately: preset and settings, with the rules that they make.
type Resolved = (Option<String>, Vec<(String, String)>, Value);
static RESOLVED: RwLock<Vec<Resolved>> = RwLock::new(Vec::new());

/// How many of each are kept.
const KEPT: usize = 128;

/// Keeps one more, and drops the oldest beyond the bound. A lock that a panic has poisoned keeps nothing.
fn keep<T>(kept: &RwLock<Vec<T>>, one: T) {
    if let Ok(mut list) = kept.write() {
        if list.len() >= KEPT {
            list.remove(0);
        }
        list.push(one);
    }
}

/// The tables of rules as JSON.
pub(crate) fn tables(rules: &Value) -> Result<Tables, Problems> {
    let found =
        MADE.read().ok().and_then(|list| list.iter().find(|(r, _)| r == rules).map(|(_, t)| t.clone()));
    if let Some(tables) = found {
        return Ok(tables);
    }
    let (scope, effective) = restore(rules)?;
    let tables = Tables::load(scope, &effective).map_err(|e| problems(&e))?;
    keep(&MADE, (rules.clone(), tables.clone()));
    Ok(tables)
}

/// The rules with options set over them.
pub(crate) fn with_sets(rules: &Value, sets: &[(String, String)]) -> Result<Value, Problem> {
    let before = rules;
    let mut rules = rules.clone();
    for (key, value) in sets {
        let spec = Family::ALL.into_iter().find_map(|f| rulebook::OptionTable::of(f).get(key));
        let Some(spec) = spec else {
            let known = [Family::Hott, Family::Big]
                .into_iter()
                .flat_map(|f| rulebook::OptionTable::of(f).iter())
                .map(|o| o.key.as_str());
            return Err(Problem::new(format!("no such option: {key}")).meant(key, known));
        };
        let node = rulebook::Node::new(
            match (value.parse::<i64>(), value.parse::<bool>()) {
                (Ok(i), _) => rulebook::Content::Int(i),
                (_, Ok(b)) => rulebook::Content::Bool(b),
                _ => rulebook::Content::Text(value.clone()),
            },
            rulebook::Origin::Default,
        );
        let as_text = rulebook::Node::new(rulebook::Content::Text(value.clone()), rulebook::Origin::Default);
        let read = spec.allowed.read(&node).or_else(|| spec.allowed.read(&as_text));
        let value = match read {
            Some(Setting::Bool(b)) => json!(b),
            Some(Setting::Int(i)) => json!(i),
            Some(Setting::Word(w)) => json!(w),
            None => {
                return Err(Problem::new(format!("{key} cannot be {value}"))
                    .hint(format!("allowed: {}", spec.allowed)));
            }
        };
        rules["options"][key.as_str()] = value;
    }
    // Some options stand for other numbers: those go with the ruling, wherever the option's own number still stood.
    let scope = if rules["scope"].as_str() == Some("big") { Scope::Big } else { Scope::Base };
    let (old, new) = (shipped_tables(scope, &before["options"])?, shipped_tables(scope, &rules["options"])?);
    follow(&old, &new, &mut rules["tables"]);
    Ok(rules)
}

/// The shipped tables as these options make them.
fn shipped_tables(scope: Scope, options: &Value) -> Result<Value, Problem> {
    let mut layers = Tables::layers(scope);
    for (key, value) in options.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        layers = layers.set(&format!("{key}={text}"));
    }
    let first = |mut list: Problems| {
        if list.is_empty() { Problem::new("the rules do not read") } else { list.swap_remove(0) }
    };
    let rules = layers.effective().map_err(|e| first(problems(&e)))?;
    let tree = Tables::resolved(&rules).map_err(|e| first(problems(&e)))?;
    Ok(serde_json::to_value(&tree).unwrap_or(Value::Null))
}

/// Carries the differences of two trees over into a third, where that has the first one's value.
fn follow(old: &Value, new: &Value, into: &mut Value) {
    match (old, new, into) {
        (Value::Object(old), Value::Object(new), Value::Object(into)) => {
            for (key, value) in old {
                if let (Some(new), Some(into)) = (new.get(key), into.get_mut(key)) {
                    follow(value, new, into);
                }
            }
        }
        (old, new, into) if old != new && *into == *old => *into = new.clone(),
        _ => {}
    }
}
