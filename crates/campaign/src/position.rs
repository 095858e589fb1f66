//! Positions: the whole state as a readable document, in full or as a person writes it in a case.

use crate::body::Body;
use crate::ids::{BodyId, Label, NationId};
use crate::muster::{Element, General, read_troops};
use crate::order::{OrderSet, SetState};
use crate::rules::Rules;
use crate::state::State;
use crate::world::{World, shipped};
use game::{Problem, Problems};
use serde_json::{Map, Value, json};

/// The version of the document.
const VERSION: u64 = 1;

/// A world by name, or in full.
pub(crate) fn world_from(value: &Value, rules: &Rules) -> Result<(World, Option<String>), Problems> {
    if let Some(name) = value.as_str() {
        return shipped(name).map(|w| (w, Some(name.to_owned()))).ok_or_else(|| {
            let known = crate::world::SHIPPED.iter().map(|s| s.name);
            vec![Problem::new(format!("no world is called {name}")).meant(name, known)]
        });
    }
    let world: World =
        serde_json::from_value(value.clone()).map_err(|e| vec![Problem::new(format!("world: {e}"))])?;
    let world = world.ready();
    let problems = crate::world::check_world(&world, rules, &crate::world::Sources::default());
    if problems.is_empty() { Ok((world, None)) } else { Err(problems) }
}

/// CAM-041: the state before the first order.
pub(crate) fn start(world: &World) -> State {
    let mut state = State { year: 1, ..State::default() };
    for (name, nation) in &world.nations {
        state.nations.entry(*name).or_default();
        for city in &nation.cities {
            state.owners.insert(*city, *name);
        }
        for body in &nation.start {
            let elements = listed(&mut state, *name, &body.troops).unwrap_or_default();
            let mut new = Body::new(body.at, elements);
            new.inside = !new.has_general();
            state.new_body(*name, new);
        }
    }
    state
}

/// Elements from a list as people write it; numbers and names are given where the list has none.
fn listed(state: &mut State, nation: NationId, list: &[String]) -> Result<Vec<Element>, String> {
    let mut out = Vec::new();
    for text in list.iter().flat_map(|t| t.split(',')) {
        // In full, as a position writes it.
        if text.contains(':')
            && let Ok(element) = text.trim().parse::<Element>()
        {
            out.push(element);
            continue;
        }
        for one in read_troops(&[text.to_owned()])? {
            let label = match one.n {
                Some(n) => Label { troop: one.troop, n },
                None => state.new_label(nation, one.troop),
            };
            let mut element = Element::new(label);
            element.mount = one.mount;
            if one.general {
                let name = one.name.unwrap_or_else(|| crate::season::new_name(state, nation));
                element.generals.push(General { name, since: 0 });
            }
            out.push(element);
        }
    }
    Ok(out)
}

/// The document of a state.
pub(crate) fn write(world: &Value, umpired: bool, state: &State) -> Value {
    let mut out = Map::new();
    out.insert("version".to_owned(), json!(VERSION));
    out.insert("world".to_owned(), world.clone());
    out.insert("umpired".to_owned(), json!(umpired));
    if let Ok(Value::Object(fields)) = serde_json::to_value(state) {
        out.extend(fields);
    }
    Value::Object(out)
}

/// World, whether umpired, and state of a document.
pub(crate) fn read(value: &Value, rules: &Rules) -> Result<(World, Option<String>, bool, State), Problems> {
    let wrong = |text: String| vec![Problem::new(text)];
    let mut doc = value.as_object().cloned().ok_or_else(|| wrong("a position is a table".to_owned()))?;
    if let Some(version) = doc.remove("version")
        && version.as_u64() != Some(VERSION)
    {
        return Err(wrong(format!("a position of version {version}: this release reads version {VERSION}")));
    }
    let world = doc.remove("world").unwrap_or_else(|| json!("proving"));
    let (world, name) = world_from(&world, rules)?;
    let umpired = doc.remove("umpired").and_then(|v| v.as_bool()).unwrap_or(false);
    let sugar = doc.remove("orders");
    let bodies = doc.remove("bodies");
    let had_owners = doc.contains_key("owners");
    let mut state: State = serde_json::from_value(Value::Object(doc)).map_err(|e| {
        let text = e.to_string();
        let unknown = text.starts_with("unknown field");
        let mut quoted = text.split('`').skip(1).step_by(2).map(str::to_owned);
        let word = quoted.next().unwrap_or_default();
        let known: Vec<String> = quoted.collect();
        let problem = Problem::new(format!("the position does not read: {text}"));
        vec![if unknown { problem.meant(&word, known.iter().map(String::as_str)) } else { problem }]
    })?;
    state.year = state.year.max(1);
    let fresh = start(&world);
    if !had_owners {
        state.owners.clone_from(&fresh.owners);
    }
    for name in world.nations.keys() {
        state.nations.entry(*name).or_default();
    }
    match bodies {
        None => {
            state.bodies = fresh.bodies;
            for (name, standing) in fresh.nations {
                let own = state.nations.entry(name).or_default();
                (own.numbers, own.bodies, own.generals) =
                    (standing.numbers, standing.bodies, standing.generals);
            }
        }
        Some(bodies) => read_bodies(&world, &mut state, &bodies)?,
    }
    if let Some(Value::Object(orders)) = sugar {
        for (nation, text) in orders {
            let nation: NationId = nation.parse().map_err(wrong)?;
            let text = text.as_str().unwrap_or_default().to_owned();
            let set = OrderSet {
                number: 1,
                sent: 0,
                received: 0,
                state: SetState::Confirmed,
                by_umpire: false,
                text,
            };
            state.sets.insert(nation, vec![set]);
        }
    }
    Ok((world, name, umpired, state))
}

fn read_bodies(world: &World, state: &mut State, bodies: &Value) -> Result<(), Problems> {
    let wrong = |id: &str, text: String| vec![Problem::new(format!("bodies.{id}: {text}"))];
    for (key, value) in bodies.as_object().into_iter().flatten() {
        let id: BodyId = key.parse().map_err(|e| wrong(key, e))?;
        if !world.nations.contains_key(&id.nation) {
            let known = world.nations.keys().map(NationId::as_str);
            return Err(vec![
                Problem::new(format!("bodies.{key}: no nation is called {}", id.nation))
                    .meant(id.nation.as_str(), known),
            ]);
        }
        let mut value = value.clone();
        let list = value.as_object_mut().and_then(|o| o.remove("elements")).unwrap_or_default();
        let list: Vec<String> = match list {
            Value::String(text) => text.split(',').map(|t| t.trim().to_owned()).collect(),
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let elements = listed(state, id.nation, &list).map_err(|e| wrong(key, e))?;
        if let Some(fields) = value.as_object_mut() {
            fields.insert("elements".to_owned(), json!([]));
        }
        let mut body: Body = serde_json::from_value(value).map_err(|e| wrong(key, e.to_string()))?;
        if !world.places.contains_key(&body.at) {
            let known = world.places.keys().map(crate::ids::PlaceId::as_str);
            return Err(vec![
                Problem::new(format!("bodies.{key}: no place is called {}", body.at))
                    .meant(body.at.as_str(), known),
            ]);
        }
        body.elements = elements;
        let standing = state.nations.entry(id.nation).or_default();
        standing.bodies = standing.bodies.max(id.n);
        for e in &body.elements {
            let n = standing.numbers.entry(e.label.troop.code().to_owned()).or_insert(0);
            *n = (*n).max(e.label.n);
        }
        state.bodies.insert(id, body);
    }
    Ok(())
}
