//! Events in words, as JSON, as facts, and as each viewer gets them.

use crate::event::Event;
use crate::log::Entry;
use crate::view::Reader;
use serde_json::{Value, json};

/// As one sentence.
pub(crate) fn tell(event: &Event) -> String {
    match event {
        Event::Ordered { nation, number, state } => format!("set {number} of {nation} is in, {state}"),
        Event::Confirmed(nation) => format!("{nation} confirms its orders"),
        Event::Decided(entry) => entry.words.clone(),
        Event::ToFight { battle, nations } => format!("battle at {battle}: {}", list(nations)),
        Event::Fought { battle, result, .. } => match result.winner {
            Some(role) => format!("the {} won at {battle}", role.word()),
            None => format!("nobody won at {battle}"),
        },
        Event::Dated { battle, until, .. } => format!("the battle at {battle} is to be fought by {until}"),
        Event::Published { season, .. } => format!("{season} is over"),
        Event::Noted { to, text, .. } => format!("a note to {to}: {text}"),
        Event::Handed { nation, hand } => format!("{nation} goes to the {hand}"),
        Event::Ruled { what, why } => format!("the umpire rules: {what}, because {why}"),
        Event::Held(season) => format!("{season} waits on the umpire's desk until it is published"),
        Event::Released(season) => format!("{season} is published as far as its battles"),
        Event::Desk(what) => what.clone(),
    }
}

fn list(nations: &[crate::ids::NationId]) -> String {
    nations.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn entry(e: &Entry) -> Value {
    json!({ "step": e.step, "rule": e.rule.to_string(), "fact": e.fact, "words": e.words })
}

fn entries(list: &[Entry]) -> Vec<Value> {
    list.iter().map(entry).collect()
}

/// All of it, for whoever is entitled to all of it.
pub(crate) fn json(event: &Event) -> Value {
    match event {
        Event::Ordered { nation, number, state } => {
            json!({ "kind": "ordered", "nation": nation, "number": number, "state": state })
        }
        Event::Confirmed(nation) => json!({ "kind": "confirmed", "nation": nation }),
        Event::Decided(e) => json!({ "kind": "decided", "entry": entry(e) }),
        Event::ToFight { battle, nations } => {
            json!({ "kind": "to_fight", "battle": battle, "nations": nations })
        }
        Event::Fought { battle, nations, result } => {
            json!({ "kind": "fought", "battle": battle, "nations": nations, "result": result })
        }
        Event::Dated { battle, nations, until } => {
            json!({ "kind": "dated", "battle": battle, "nations": nations, "until": until })
        }
        Event::Published { season, gazette, letters } => {
            let letters: serde_json::Map<String, Value> =
                letters.iter().map(|(n, l)| (n.to_string(), json!(entries(l)))).collect();
            json!({ "kind": "published", "season": season, "gazette": entries(gazette), "letters": letters })
        }
        Event::Noted { from, to, anonymous, later, text } => {
            json!({ "kind": "noted", "from": from, "to": to, "anonymous": anonymous, "later": later, "text": text })
        }
        Event::Handed { nation, hand } => json!({ "kind": "handed", "nation": nation, "hand": hand }),
        Event::Ruled { what, why } => json!({ "kind": "ruled", "what": what, "why": why }),
        Event::Held(season) => json!({ "kind": "held", "season": season }),
        Event::Released(season) => json!({ "kind": "released", "season": season }),
        Event::Desk(what) => json!({ "kind": "desk", "what": what }),
    }
}

/// What a reader gets of it: others' orders, decisions before publication, others' battles and rulings are nothing
/// that he must know of (CAM-120, CAM-122).
pub(crate) fn json_for(event: &Event, reader: Reader) -> Option<Value> {
    let me = match reader {
        Reader::Umpire => return Some(json(event)),
        Reader::Public => None,
        Reader::Nation(n) => Some(n),
    };
    let mine = |n: &crate::ids::NationId| Some(*n) == me;
    match event {
        Event::Ordered { nation, .. } | Event::Confirmed(nation) | Event::Handed { nation, .. } => {
            mine(nation).then(|| json(event))
        }
        Event::ToFight { battle, nations } => nations
            .iter()
            .any(mine)
            .then(|| json!({ "kind": "to_fight", "battle": battle, "nations": nations })),
        Event::Fought { nations, .. } | Event::Dated { nations, .. } => {
            nations.iter().any(mine).then(|| json(event))
        }
        Event::Decided(_) | Event::Ruled { .. } | Event::Held(_) | Event::Released(_) | Event::Desk(_) => {
            None
        }
        Event::Published { season, gazette, letters } => {
            let letter = me.and_then(|n| letters.get(&n)).map(|l| entries(l));
            Some(
                json!({ "kind": "published", "season": season, "gazette": entries(gazette), "letter": letter }),
            )
        }
        Event::Noted { from, to, anonymous, later, text } => {
            let sent = from.as_ref().is_some_and(mine);
            (mine(to) && !later || sent).then(|| {
                let from = if *anonymous && !sent { None } else { *from };
                json!({ "kind": "noted", "from": from, "to": to, "anonymous": anonymous, "text": text })
            })
        }
    }
}

/// As statements that a case can expect.
pub(crate) fn facts(event: &Event) -> Vec<String> {
    match event {
        Event::Decided(e) => vec![e.fact.clone(), format!("rule {} {}", e.rule, e.fact)],
        Event::Ordered { nation, number, state } => vec![format!("ordered {nation} {number} {state}")],
        Event::Confirmed(nation) => vec![format!("confirmed {nation}")],
        Event::ToFight { .. } => Vec::new(),
        Event::Fought { battle, result, .. } => {
            let winner = result.winner.map_or("nobody", crate::battle::Role::word);
            vec![format!("fought {battle} {winner} {}", result.ending.word())]
        }
        Event::Dated { battle, until, .. } => vec![format!("dated {battle} {until}")],
        Event::Published { season, .. } => vec![format!("published {season}")],
        Event::Noted { to, text, .. } => vec![format!("noted {to} {text}")],
        Event::Handed { nation, hand } => vec![format!("handed {nation} {hand}")],
        Event::Ruled { what, .. } => vec![format!("ruled {what}")],
        Event::Held(season) => vec![format!("held {season}")],
        Event::Released(season) => vec![format!("released {season}")],
        Event::Desk(what) => vec![format!("desk {what}")],
    }
}
