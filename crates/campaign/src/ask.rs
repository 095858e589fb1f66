//! Questions about a state, and comparison with what a case expects.

use crate::ids::{BodyId, NationId, PlaceId};
use crate::order::{Known, read, resolve};
use crate::rules::Rules;
use crate::state::State;
use crate::world::World;
use game::Problem;
use serde_json::Value;

const KNOWN: [&str; 12] = [
    "read", "receipt", "owner", "lord", "where", "ap", "hostile", "force", "income", "battle", "letter",
    "gazette",
];

/// Answers a question.
pub(crate) fn answer(
    world: &World,
    rules: &Rules,
    state: &State,
    question: &str,
) -> Result<Vec<String>, Problem> {
    let question = question.trim();
    let (verb, rest) = question.split_once(char::is_whitespace).unwrap_or((question, ""));
    let rest = rest.trim();
    let nation = |text: &str| -> Result<NationId, Problem> {
        let found = world.nations.keys().find(|n| n.as_str().eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            Problem::new(format!("no nation is called {text:?}"))
                .meant(text, world.nations.keys().map(NationId::as_str))
        })
    };
    let place = |text: &str| -> Result<PlaceId, Problem> {
        let found = world.places.keys().find(|n| n.as_str().eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            Problem::new(format!("no place is called {text:?}"))
                .meant(text, world.places.keys().map(PlaceId::as_str))
        })
    };
    let body = |text: &str| -> Result<BodyId, Problem> { text.parse().map_err(Problem::new) };
    match verb.to_lowercase().as_str() {
        // read NATION ORDERS, with | between lines: how a line is understood.
        "read" => {
            let (who, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let known = Known::of(world, rules, state, nation(who)?);
            Ok(reading(&known, &text.replace('|', "\n")))
        }
        "receipt" => {
            let who = nation(rest)?;
            let known = Known::of(world, rules, state, who);
            let sets = state.sets.get(&who).cloned().unwrap_or_default();
            let r = resolve(rules, &known, &sets);
            let mut out = vec![r.number.map_or("set none".to_owned(), |n| format!("set {n}"))];
            out.extend(r.lines.iter().flat_map(|l| &l.items).map(|i| format!("order {i}")));
            out.extend(r.problems.iter().map(problem));
            out.extend(r.late.iter().map(|n| format!("late {n}")));
            out.extend(r.dropped.iter().map(|b| format!("dropped {}", b.short())));
            Ok(out)
        }
        "owner" => Ok(vec![format!(
            "owner {}",
            state.owner(place(rest)?).map_or("nobody".to_owned(), |n| n.to_string())
        )]),
        "lord" => Ok(vec![format!(
            "lord {}",
            state.lord(nation(rest)?).map_or("nobody".to_owned(), |n| n.to_string())
        )]),
        "where" => {
            let id = body(rest)?;
            Ok(vec![state.bodies.get(&id).map_or(format!("gone {id}"), |b| format!("at {}", b.at))])
        }
        "ap" => {
            let id = body(rest)?;
            Ok(vec![format!("ap {}", state.bodies.get(&id).map_or(0, |b| b.ap(rules)))])
        }
        "hostile" => {
            let (a, b) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            Ok(vec![format!("hostile {}", state.hostile(rules, nation(a)?, nation(b.trim())?))])
        }
        "force" => {
            let force = state.force(rules, nation(rest)?);
            Ok(vec![format!("force {} light {} balanced {}", force.ap, force.light, force.balanced(rules))])
        }
        "income" => {
            Ok(vec![format!("income {}", crate::season::income_of(world, rules, state, nation(rest)?))])
        }
        "battle" => {
            let found = state.turn.battles.iter().find(|b| b.name().eq_ignore_ascii_case(rest));
            found
                .map(|b| terms(world, rules, b))
                .ok_or_else(|| Problem::new(format!("no battle is to be fought at {rest}")))
        }
        // What was published of the last season: to a nation, and to all.
        "letter" => {
            let seen = crate::view::view(state, crate::view::Reader::Nation(nation(rest)?));
            Ok(seen.letter.iter().map(|e| e.fact.clone()).collect())
        }
        "gazette" => Ok(state.gazette.iter().map(|e| e.fact.clone()).collect()),
        other => Err(Problem::new(format!("no question begins with {other:?}")).meant(other, KNOWN)),
    }
}

/// The terms on which a battle is fought.
fn terms(world: &World, rules: &Rules, b: &crate::battle::Battle) -> Vec<String> {
    let t = &b.terrain;
    let mark = t.mark.map_or("none", crate::world::Mark::word);
    let mut out = vec![
        format!("attacker {}", b.attacker.prime),
        format!("defender {}", b.defender.prime),
        format!("stronghold {}", b.home),
        format!("terrain features {} hard {} mark {mark} {}", t.features, t.hard, t.mark_quarters),
        format!("no_woods_or_rivers {}", t.no_woods_or_rivers),
        format!("base_terrain_rules {}", t.base_rules_too),
        format!("bounds {}", b.bounds),
        format!(
            "reserve_attempts {}",
            if rules.is("reserve_attempts", "once") { "once" } else { "each_bound" }
        ),
        format!("contingent_half {}", if rules.is("contingent_half", "ap") { "ap" } else { "elements" }),
        format!("big_rules {}", rules.flag("campaign_big_rules")),
    ];
    for side in [&b.attacker, &b.defender] {
        let back = world.nation(side.prime.nation).is_some_and(|n| n.hordes_return);
        out.push(format!("hordes_return {} {back}", side.prime));
        let commander = side.commander.map_or("nobody".to_owned(), |l| l.to_string());
        out.push(format!("commander {} {commander}", side.prime));
        out.extend(side.reserves.iter().map(|l| format!("reserve {} {l}", side.prime)));
        for c in &side.contingents {
            let list: Vec<String> = c.elements.iter().map(ToString::to_string).collect();
            out.push(format!("contingent {} {:?} {}", c.body, c.edge, list.join(" ")).to_lowercase());
        }
    }
    out
}

fn problem(p: &Problem) -> String {
    let line = p.place.as_ref().map_or(0, |p| p.line);
    let hint = p.hint.as_ref().map_or(String::new(), |h| format!("; {h}"));
    format!("problem line {line}: {}{hint}", p.message)
}

/// How a text of orders is understood, as statements.
fn reading(known: &Known, text: &str) -> Vec<String> {
    let r = read(known, text);
    let mut out = Vec::new();
    for line in &r.lines {
        out.extend(line.items.iter().map(|i| format!("order {i}")));
        out.extend(line.guesses.iter().map(|(a, b)| format!("guess {a}, {b}")));
    }
    out.extend(r.problems.iter().map(problem));
    out
}

/// Compares bodies (`"Amber.1" = { at = "X", ap = 8, elements = [...] }`) and places (`Brack = { owner = "Amber" }`).
pub(crate) fn compare(rules: &Rules, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
    let mut out = Vec::new();
    let table = expected.as_object().ok_or_else(|| Problem::new("a table of bodies and places is wanted"))?;
    for (key, wanted) in table {
        if let Ok(id) = key.parse::<BodyId>() {
            compare_body(rules, state, id, wanted, &mut out)?;
        } else if let Some(place) = PlaceId::new(key) {
            let now = state.owner(place).map_or("nobody".to_owned(), |n| n.to_string());
            let owner = wanted.get("owner").and_then(Value::as_str).unwrap_or("nobody");
            if now != owner {
                out.push(format!("{key}: owner is {now}, expected {owner}"));
            }
        }
    }
    Ok(out)
}

fn compare_body(
    rules: &Rules,
    state: &State,
    id: BodyId,
    wanted: &Value,
    out: &mut Vec<String>,
) -> Result<(), Problem> {
    let fields = wanted.as_object().ok_or_else(|| Problem::new(format!("{id}: a table is wanted")))?;
    let gone = fields.get("gone").and_then(Value::as_bool).unwrap_or(false);
    let Some(body) = state.bodies.get(&id) else {
        if !gone {
            out.push(format!("{id} is gone"));
        }
        return Ok(());
    };
    for (key, value) in fields {
        let now = match key.as_str() {
            "at" => Value::from(body.at.as_str()),
            "ap" => Value::from(body.ap(rules)),
            "inside" => Value::from(body.inside),
            "general" => Value::from(body.has_general()),
            "count" => Value::from(body.elements.len()),
            "besieging" => Value::from(body.besieging),
            "elements" => {
                let list: Vec<String> = body.elements.iter().map(|e| e.label.to_string()).collect();
                Value::from(list.join(" "))
            }
            "gone" => Value::from(false),
            other => {
                let known = ["at", "ap", "inside", "general", "count", "besieging", "elements", "gone"];
                return Err(Problem::new(format!("{id}: unknown key: {other}")).meant(other, known));
            }
        };
        if &now != value {
            out.push(format!("{id}: {key} is {now}, expected {value}"));
        }
    }
    Ok(())
}
