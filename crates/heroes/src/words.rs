//! Events as statements and as JSON: a kind, then every figure, in one order for both.

use crate::event::Event;
use crate::state::{Outcome, bits};
use crate::table::Table;
use serde_json::{Map as Object, Value, json};

/// The kind of an event and its figures by name.
#[must_use]
pub fn parts(e: &Event, t: &Table) -> (&'static str, Vec<(&'static str, Value)>) {
    let u = |n: u8| json!(t.label(n));
    let g = |n: u8| json!(t.leader_label(n));
    let h = |x: crate::hex::Hex| json!(t.hex(x));
    let side = |s: crate::table::Side| json!(s.letter().to_string());
    match *e {
        Event::RollOff(a, b) => ("rolloff", vec![("a", json!(a)), ("b", json!(b))]),
        Event::DeploysFirst(s) => ("deploys-first", vec![("side", side(s))]),
        Event::South(s) => ("south", vec![("side", side(s))]),
        Event::Placed(n, x, f, form) => (
            "placed",
            vec![
                ("unit", u(n)),
                ("hex", h(x)),
                ("facing", json!(f.word())),
                ("formation", json!(form.word())),
            ],
        ),
        Event::Stationed(n, x) => ("stationed", vec![("general", g(n)), ("hex", h(x))]),
        Event::Waits(n) => ("waits", vec![("unit", u(n))]),
        Event::WaitsToo(n) => ("waits", vec![("general", g(n))]),
        Event::Bound(n, s) => ("bound", vec![("bound", json!(n)), ("side", side(s))]),
        Event::Phase(p) => ("phase", vec![("phase", json!(p.word()))]),
        Event::Command(mask) => {
            ("command", vec![("units", json!(bits(mask).map(|n| t.label(n)).collect::<Vec<_>>()))])
        }
        Event::Led(n, x) => ("led", vec![("general", g(n)), ("hex", h(x))]),
        Event::Duel(a, b, x, y) => {
            ("duel", vec![("general", g(a)), ("enemy", g(b)), ("total", json!(x)), ("theirs", json!(y))])
        }
        Event::Fell(n) => ("fell", vec![("general", g(n))]),
        Event::Moved(n, x) => ("moved", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Turned(n, f) => ("turned", vec![("unit", u(n)), ("facing", json!(f.word()))]),
        Event::Formed(n, f) => ("formed", vec![("unit", u(n)), ("formation", json!(f.word()))]),
        Event::Contact(a, b) => ("contact", vec![("unit", u(a)), ("with", u(b))]),
        Event::Evaded(n, x) => ("evaded", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Withdrew(n, x) => ("withdrew", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Escaped(n, x) => ("escaped", vec![("general", g(n)), ("hex", h(x))]),
        Event::Dropped(n) => ("dropped", vec![("unit", u(n))]),
        Event::Planted(n) => ("planted", vec![("unit", u(n))]),
        Event::Combined(a, b, n) => ("combined", vec![("from", u(a)), ("to", u(b)), ("stands", json!(n))]),
        Event::Merged(a, b, c) => ("merged", vec![("first", u(a)), ("second", u(b)), ("third", u(c))]),
        Event::Split(a, b, c) => ("split", vec![("first", u(a)), ("second", u(b)), ("third", u(c))]),
        Event::Dismounted(n) => ("dismounted", vec![("unit", u(n))]),
        Event::Rallied(n) => ("rallied", vec![("unit", u(n))]),
        Event::Disrupted(n, r) => ("disrupted", vec![("unit", u(n)), ("by", json!(r.to_string()))]),
        Event::Shot(a, b, need, dice, hits) => (
            "shot",
            vec![
                ("unit", u(a)),
                ("target", u(b)),
                ("need", json!(need)),
                ("dice", json!(dice)),
                ("hits", json!(hits)),
            ],
        ),
        Event::Suppressed(n) => ("suppressed", vec![("unit", u(n))]),
        Event::Holds(n, on) => ("holds", vec![("unit", u(n)), ("on", json!(on))]),
        Event::Fought(a, b, x, y) => {
            ("fought", vec![("unit", u(a)), ("enemy", u(b)), ("score", json!(x)), ("theirs", json!(y))])
        }
        Event::Attacked(n, x, y) => {
            ("attacked", vec![("general", g(n)), ("score", json!(x)), ("theirs", json!(y))])
        }
        Event::Hit(n, hits, cell) => {
            ("hit", vec![("unit", u(n)), ("hits", json!(hits)), ("result", json!(cell.text()))])
        }
        Event::Spared(n, r) => ("spared", vec![("unit", u(n)), ("by", json!(r.to_string()))]),
        Event::Lost(n, k) => ("lost", vec![("unit", u(n)), ("stands", json!(k))]),
        Event::Removed(n, r) => ("removed", vec![("unit", u(n)), ("by", json!(r.to_string()))]),
        Event::Recoiled(n, x) => ("recoiled", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Pushed(n, x) => ("pushed", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Fled(n, x) => ("fled", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Stampeded(n, die, x) => {
            ("stampeded", vec![("unit", u(n)), ("die", json!(die)), ("hex", h(x))])
        }
        Event::Followed(n, x) => ("followed", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Stayed(n) => ("stayed", vec![("unit", u(n))]),
        Event::Pursued(n, x) => ("pursued", vec![("unit", u(n)), ("hex", h(x))]),
        Event::Static(a, b) => ("static", vec![("unit", u(a)), ("enemy", u(b))]),
        Event::Aside(n, x) => ("aside", vec![("general", g(n)), ("hex", h(x))]),
        Event::Broke(s, lost, of) => {
            ("broke", vec![("side", side(s)), ("lost", json!(lost)), ("of", json!(of))])
        }
        Event::Standing(n, r) => ("standing", vec![("unit", u(n)), ("reply", json!(r.word()))]),
        Event::Replied(n) => ("replied", vec![("unit", u(n))]),
        Event::Counts(n) => ("counts", vec![("unit", u(n))]),
        Event::Ruled(n) => ("ruled", vec![("unit", u(n))]),
        Event::RuledGeneral(n) => ("ruled", vec![("general", g(n))]),
        Event::RuledOption(x) => ("ruled", vec![("option", json!(x.name())), ("value", json!(x.value()))]),
        Event::End(o) => (
            "end",
            vec![(
                "winner",
                match o {
                    Outcome::Won(s) => side(s),
                    Outcome::Draw => json!("draw"),
                    Outcome::Open => json!("none"),
                },
            )],
        ),
    }
}

/// An event as JSON: its kind, its rule, every figure.
#[must_use]
pub fn to_json(e: &Event, t: &Table) -> Value {
    let (kind, figures) = parts(e, t);
    let mut out = Object::new();
    out.insert("kind".to_owned(), json!(kind));
    out.insert("rule".to_owned(), json!(e.rule().to_string()));
    out.extend(figures.into_iter().map(|(k, v)| (k.to_owned(), v)));
    Value::Object(out)
}

/// An event as statements that a case can expect: `hit B.War1 1 R`.
#[must_use]
pub fn facts(e: &Event, t: &Table) -> Vec<String> {
    let (kind, figures) = parts(e, t);
    let mut out = kind.to_owned();
    for (_, v) in figures {
        match v {
            Value::String(s) => out.push_str(&format!(" {s}")),
            Value::Array(all) => {
                for x in all {
                    out.push_str(&format!(" {}", x.as_str().unwrap_or("")));
                }
            }
            other => out.push_str(&format!(" {other}")),
        }
    }
    vec![out]
}
