//! Events as JSON objects: a `kind` and every figure, lengths in paces, labels with their side.

use super::facts::{departure_word, ending_word, outcome_fact, phase_word};
use super::{edge_word, target_label};
use crate::battle::{Battle, Close, Departure, ElementId, Event, SideId};
use field::Pose;
use serde_json::{Value, json};

/// A length in paces: whole where it is.
fn paces(v: i32) -> Value {
    if v % field::PACE == 0 { json!(v / field::PACE) } else { json!(crate::figure::print(v)) }
}

fn pose(p: Pose) -> Value {
    json!([paces(p.x), paces(p.y), paces(p.heading.hundredths())])
}

fn combat(battle: &Battle, c: &Close) -> Value {
    let one = |i: usize| {
        let factors: Vec<Value> = c.factors[i]
            .as_slice()
            .iter()
            .map(|f| json!({ "rule": f.rule.to_string(), "name": super::tell::factor_name(f.rule), "value": f.value }))
            .collect();
        json!({
            "who": target_label(battle, c.who[i]),
            "factors": factors,
            "die": c.dice[i],
            "total": c.totals[i],
            "result": outcome_fact(c.judged[i].outcome),
            "rule": c.judged[i].rule.to_string(),
        })
    };
    let aids: Vec<String> = c.aids.iter().map(|id| battle.full_label(*id)).collect();
    json!({ "kind": "combat", "how": c.mode.word(), "aids": aids, "fighters": [one(0), one(1)] })
}

/// The JSON form of an event.
#[must_use]
pub fn event_json(battle: &Battle, event: &Event) -> Value {
    let name = |id: ElementId| battle.full_label(id);
    let side = |s: SideId| battle.sides[s.index()].letter.to_string();
    let moved = |kind: &str, who: ElementId, from: Pose, to: Pose| json!({ "kind": kind, "who": name(who), "from": pose(from), "to": pose(to) });
    match event {
        Event::SideDie { side: s, die } => json!({ "kind": "side-die", "side": side(*s), "die": die }),
        Event::Defends(s) => json!({ "kind": "defends", "side": side(*s) }),
        Event::GroundLaid { side: s, features } => {
            json!({ "kind": "ground", "side": side(*s), "features": features })
        }
        Event::Edge { side: s, edge, die } => {
            json!({ "kind": "edge", "side": side(*s), "edge": edge_word(*edge), "die": die })
        }
        Event::StrongholdPlaced(s) => json!({ "kind": "stronghold", "side": side(*s) }),
        Event::Deployed { who, pose: at } => {
            json!({ "kind": "deployed", "who": name(*who), "to": pose(*at) })
        }
        Event::CommandDeployed(c) => {
            json!({ "kind": "command-deployed", "command": battle.commands[c.index()].name })
        }
        Event::Bound { bound, side: s } => json!({ "kind": "bound", "bound": bound, "side": side(*s) }),
        Event::Pips { command, score } => {
            json!({ "kind": "pips", "command": battle.commands[command.index()].name, "score": score })
        }
        Event::Paid { command, pips, parts, left } => {
            let parts: Vec<Value> =
                parts.iter().map(|(r, n)| json!({ "rule": r.to_string(), "pips": n })).collect();
            let name = &battle.commands[command.index()].name;
            json!({ "kind": "paid", "command": name, "pips": pips, "parts": parts, "left": left })
        }
        Event::Moved { who, from, to, distance } => {
            let mut value = moved("moved", *who, *from, *to);
            value["distance"] = paces(*distance);
            value
        }
        Event::Conformed { who, from, to, rule } => {
            let mut value = moved("conformed", *who, *from, *to);
            value["rule"] = json!(rule.to_string());
            value
        }
        Event::Declared(who) => json!({ "kind": "declared", "who": name(*who) }),
        Event::Turned { who, from, to, enemy } => {
            let mut value = moved("turned", *who, *from, *to);
            value["enemy"] = json!(name(*enemy));
            value
        }
        Event::Halted(who) => json!({ "kind": "halted", "who": name(*who) }),
        Event::Appeared { who, pose: at, rule } => {
            json!({ "kind": "appeared", "who": name(*who), "to": pose(*at), "rule": rule.to_string() })
        }
        Event::Withdrawn(who) => json!({ "kind": "withdrawn", "who": name(*who) }),
        Event::Step(phase) => json!({ "kind": "step", "step": phase_word(*phase) }),
        Event::Combat(c) => combat(battle, c),
        Event::SpokeOne { who, fatal } => json!({ "kind": "one", "who": name(*who), "fatal": fatal }),
        Event::Recoiled { who, from, to } => moved("recoiled", *who, *from, *to),
        Event::Pushed { who, from, to, by } => {
            let mut value = moved("pushed", *who, *from, *to);
            value["by"] = json!(name(*by));
            value
        }
        Event::Fled { who, from, to } => moved("fled", *who, *from, *to),
        Event::Pursued { who, from, to } => moved("pursued", *who, *from, *to),
        Event::Removed { who, how, rule } => {
            let by = if let Departure::Ensorcelled(Some(by)) = how { Some(name(*by)) } else { None };
            json!({ "kind": "removed", "who": name(*who), "how": departure_word(*how), "by": by, "rule": rule.to_string() })
        }
        Event::StrongholdLost { side: s, by } => {
            json!({ "kind": "stronghold-lost", "side": side(*s), "by": name(*by) })
        }
        Event::Losses { side: s, halves } => {
            json!({ "kind": "losses", "side": side(*s), "ap": super::ap(*halves) })
        }
        Event::Demoralised(c) => json!({ "kind": "demoralized", "command": battle.commands[c.index()].name }),
        Event::Rallied(c) => json!({ "kind": "rallied", "command": battle.commands[c.index()].name }),
        Event::Called(c) => json!({ "kind": "called", "command": battle.commands[c.index()].name }),
        Event::Succession { who, score, lost, commands } => {
            json!({ "kind": "succession", "who": name(*who), "score": score, "lost": lost, "commands": commands })
        }
        Event::Out(s) => json!({ "kind": "out", "side": side(*s) }),
        Event::Conceded(s) => json!({ "kind": "conceded", "side": side(*s) }),
        Event::ReplyUsed(who) => json!({ "kind": "reply-used", "who": name(*who) }),
        Event::Over { winners, ending } => {
            let sides = battle.sides.iter().enumerate().filter(|(n, _)| winners & (1 << n) != 0);
            let letters: Vec<String> = sides.map(|(_, s)| s.letter.to_string()).collect();
            json!({ "kind": "over", "winners": letters, "ending": ending_word(*ending) })
        }
        Event::Ruled(text) => json!({ "kind": "ruled", "text": text }),
    }
}
