//! What each viewer may know (HC-206): the game master all, players their own side and coarse words.

use crate::document::Document;
use crate::encounter::{Encounter, MASTER};
use crate::state::{Answer, State};
use crate::unit::{Horde, Kind, Person, Side, Status, Unit, UnitId};
use game::{Game, Viewer};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The encounter's name.
    pub name: String,
    /// Round; 0 before the first.
    pub round: u32,
    /// Whose turn it is.
    pub turn: Option<String>,
    /// Turn order.
    pub order: Vec<String>,
    /// Seats.
    pub seats: Vec<String>,
    /// The characters: all that stands on their sheets.
    pub heretics: Vec<Value>,
    /// The foes, and Hordes that fight beside the characters: label, name, and one word each.
    pub foes: Vec<Foe>,
    /// Attacks that hit and wait for Reactions.
    pub waiting: Vec<Waiting>,
    /// The whole position, for the game master alone.
    pub all: Option<Value>,
}

/// A foe as players see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Foe {
    /// Label.
    pub label: String,
    /// Name.
    pub name: String,
    /// Whether it is a Horde.
    pub horde: bool,
    /// Whether it fights on the players' side; its Magnitude is the game master's secret all the same.
    pub ally: bool,
    /// Fresh, thinned, wavering, broken, gone; for a lone foe fighting, broken, gone.
    pub looks: &'static str,
    /// Place in the list of combatants.
    pub place: u16,
}

/// An attack as its victim knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// Whose attack.
    pub by: String,
    /// On whom.
    pub at: String,
    /// Action and weapon.
    pub how: String,
    /// Hits.
    pub hits: i32,
    /// Whether a Reaction is still open.
    pub open: bool,
}

fn sees_all(viewer: Viewer) -> bool {
    matches!(viewer, Viewer::Umpire | Viewer::Seat(MASTER))
}

/// Makes the view.
pub fn view(game: &Encounter, s: &State, viewer: Viewer) -> View {
    let label = |id: UnitId| s.unit(id).label.to_string();
    let all = sees_all(viewer).then(|| game.position(s));
    let players = Document::print("", &Default::default(), game.library(), &masked(s), &masked(s).options);
    View {
        name: game.name().to_owned(),
        round: s.round,
        turn: s.current().map(label),
        order: s.order.iter().map(|id| label(*id)).collect(),
        seats: game.seats().to_vec(),
        heretics: players["heretic"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|u| u["side"] == "heretics")
            .cloned()
            .collect(),
        foes: s
            .ids()
            .map(|id| (id, s.unit(id)))
            .filter(|(_, u)| is_secret(u))
            .map(|(id, u)| Foe {
                label: u.label.to_string(),
                name: u.name.to_string(),
                horde: u.is_horde(),
                ally: u.side == Side::Heretics,
                looks: u.coarse(&s.options),
                place: id.0,
            })
            .collect(),
        waiting: s
            .volley
            .iter()
            .flat_map(|v| v.attacks.iter().map(move |a| (v, a)))
            .filter(|(_, a)| !is_secret(s.unit(a.at)))
            .map(|(v, a)| Waiting {
                by: label(v.by),
                at: label(a.at),
                how: format!("{} {}", a.how.action.word(), a.how.weapon),
                hits: a.hits,
                open: a.answer == Answer::Open,
            })
            .collect(),
        all,
    }
}

/// HC-206: whose figures players do not see: foes, and every Horde, whomever it fights for.
pub(crate) fn is_secret(u: &Unit) -> bool {
    u.side == Side::Foes || u.is_horde()
}

/// A copy in which nothing of a foe is left but what the documents of the players' side may point at.
fn masked(s: &State) -> State {
    State { volley: None, ..s.clone() }
}

/// A possible game and state that look like the view.
pub fn possible(game: &Encounter, v: &View, guess: u64) -> (Encounter, State) {
    if let Some(all) = &v.all
        && let Ok(found) = Encounter::open_position(&game.rules(), all)
    {
        return (game.clone(), found.1);
    }
    let mut s = game.start();
    s.round = v.round;
    s.units.clear();
    let mut units: Vec<(u16, Unit)> = Vec::new();
    let mut doc = json!({ "name": v.name, "round": v.round, "heretic": [], "horde": [] });
    // Those who hold a Heretic must be there when the sheets are read.
    let foes: Vec<Value> = v
        .foes
        .iter()
        .map(|f| {
            json!({ "label": f.label, "name": f.name, "place": f.place, "magnitude": 30, "wounds": 10,
                "side": if f.ally { "heretics" } else { "foes" },
                "ws": 30, "bs": 30, "s": 30, "t": 30, "ag": 30, "wp": 30, "weapons": [], "status": "fighting" })
        })
        .collect();
    doc["horde"] = Value::Array(foes);
    doc["heretic"] = Value::Array(v.heretics.clone());
    if let Ok((_, read)) = Encounter::open_position(&game.rules(), &doc) {
        for id in read.ids() {
            units.push((id.0, read.unit(id).clone()));
        }
    }
    for (i, (_, u)) in units.iter_mut().enumerate() {
        if let Some(f) = v.foes.iter().find(|f| *f.label == *u.label) {
            guess_foe(u, f, guess.wrapping_add(i as u64));
        }
    }
    s.units = units.into_iter().map(|(_, u)| u).collect();
    if s.units.is_empty() {
        return (game.clone(), game.start());
    }
    s.order = v.order.iter().filter_map(|l| s.by_label(l)).collect();
    s.turn = v.turn.as_ref().and_then(|t| v.order.iter().position(|l| l == t)).unwrap_or(0);
    (s.had, s.acted) = (s.had_in_order(), false);
    crate::turns::open_turn_quietly(&mut s);
    s.volley = guess_volley(&s, v);
    (game.clone(), s)
}

fn guess_foe(u: &mut Unit, f: &Foe, guess: u64) {
    u.side = if f.ally { Side::Heretics } else { Side::Foes };
    u.status = match f.looks {
        "broken" => Status::Broken,
        "gone" => Status::Gone,
        _ => Status::Fighting,
    };
    if f.horde {
        let m0 = 20 + i32::try_from(guess % 41).unwrap_or(0);
        let m = match f.looks {
            "thinned" => m0 * 6 / 10 + 1,
            "wavering" | "broken" => m0 * 4 / 10,
            "gone" => 0,
            _ => m0,
        };
        if let Kind::Horde(h) = &mut u.kind {
            (h.m0, h.m, h.ms, h.own) = (m0, m, m, m);
        }
    } else {
        u.kind = Kind::Person(Person { max: 10, wounds: 10, reactions: 1, ..Person::default() });
    }
}

fn guess_volley(s: &State, v: &View) -> Option<crate::state::Volley> {
    let first = v.waiting.first()?;
    let by = s.by_label(&first.by)?;
    let attacks = v
        .waiting
        .iter()
        .filter_map(|w| {
            let (action, weapon) = w.how.split_once(' ')?;
            Some(crate::state::Incoming {
                at: s.by_label(&w.at)?,
                how: crate::state::How::plain(crate::unit::Action::read(action)?, weapon),
                roll: None,
                degrees: crate::roll::Degrees { success: true, degrees: 1 },
                hits: w.hits,
                fixed: None,
                answer: if w.open { Answer::Open } else { Answer::Taken },
                damage: Vec::new(),
                accidental: false,
            })
        })
        .collect();
    Some(crate::state::Volley { by, attacks, act: 0, dice: Vec::new() })
}

/// A state that differs only in what the viewer may not know: exact Magnitudes within the same coarse word, and the
/// profiles of foes and Hordes.
pub fn twin(game: &Encounter, s: &State, viewer: Viewer, guess: u64) -> Option<(Encounter, State)> {
    if sees_all(viewer) {
        return None;
    }
    let mut t = s.clone();
    let o = s.options;
    for (i, u) in t.units.iter_mut().enumerate().filter(|(_, u)| is_secret(u)) {
        let shift = i32::try_from((guess.wrapping_add(i as u64)) % 7).unwrap_or(0) + 1;
        let looks = u.coarse(&o);
        let before = u.clone();
        let profile = Arc::make_mut(&mut u.profile);
        profile.values[5] = (profile.values[5] + shift).min(199);
        profile.ap = (profile.ap + shift).min(99);
        if let Kind::Horde(h) = &mut u.kind {
            let old: Horde = h.clone();
            h.m = (h.m + shift).min(999);
            h.ms = h.ms.max(h.m);
            h.m0 = h.m0.max(h.m) + shift % 3;
            h.lost = (h.ms - h.m).max(0);
            h.lost_own = h.lost;
            if old.m == 0 {
                *h = old;
            }
        }
        if u.coarse(&o) != looks {
            u.kind = before.kind;
        }
    }
    Some((game.clone(), t))
}

/// Labels that players may see, for tests.
pub fn labels(v: &View) -> BTreeSet<String> {
    v.foes.iter().map(|f| f.label.clone()).chain(v.order.iter().cloned()).collect()
}
