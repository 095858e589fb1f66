//! What of a document points at others, read when all are there: who is in reach, held or attacked, and with what.

use crate::document::unknown_label;
use crate::library::as_id;
use crate::problem::nearest;
use crate::reader::{Table, Word};
use crate::roll::Degrees;
use crate::state::{Answer, Incoming, State, Volley};
use crate::unit::{Unit, UnitId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// HC-160: within reach, and in a Grapple, are enemies only. Who was attacked may have changed sides since.
fn foe_of(t: &Table<'_, '_>, w: &Word, key: &str, id: UnitId, other: UnitId, state: &State) {
    let (u, o) = (state.unit(id), state.unit(other));
    if key == "fought" || !state.options.t().handling.strict || (id != other && u.side != o.side) {
        return;
    }
    let who = if id == other { "itself".to_owned() } else { format!("{}, of its own side", o.label) };
    let foes: Vec<&str> = state.units.iter().filter(|x| x.side != u.side).map(|x| &*x.label).collect();
    t.doc().error(
        w.at,
        format!("{}: `{key}` names {who} (HC-160)", t.what),
        Some(format!("one of {}", foes.join(", "))),
    );
}

/// What points at others is read when all are there: engaged, held, usual attacks.
pub(crate) fn links(t: &Table<'_, '_>, id: UnitId, state: &mut State) {
    let labels = |key: &'static str, state: &State| -> BTreeSet<UnitId> {
        let mut out = BTreeSet::new();
        for w in t.words(key).unwrap_or_default() {
            match state.by_label(&w.text) {
                Some(other) => {
                    foe_of(t, &w, key, id, other, state);
                    out.insert(other);
                }
                None => unknown_label(t.doc(), &w, state),
            }
        }
        out
    };
    if state.unit(id).is_horde() {
        let (engaged, fought, held) =
            (labels("engaged", state), labels("fought", state), labels("holds", state));
        for h in &held {
            if let Some(p) = state.unit_mut(*h).person_mut() {
                p.held_by = Some(id);
            }
        }
        if let Some(h) = state.unit_mut(id).horde_mut() {
            (h.engaged, h.fought) = (engaged, fought);
            h.held.extend(held);
        }
    } else if let Some(w) = t.text("held_by") {
        match state.by_label(&w.text) {
            Some(by) => {
                foe_of(t, &w, "held_by", id, by, state);
                if let Some(p) = state.unit_mut(id).person_mut() {
                    p.held_by = Some(by);
                }
                if let Some(h) = state.unit_mut(by).horde_mut() {
                    h.held.insert(id);
                }
            }
            None => unknown_label(t.doc(), &w, state),
        }
    }
    if let Some(w) = t.text("feint").filter(|_| !state.unit(id).is_horde()) {
        match state.by_label(&w.text) {
            Some(at) => _ = state.unit_mut(id).person_mut().map(|p| p.feint = Some(at)),
            None => unknown_label(t.doc(), &w, state),
        }
    }
    loads(t, state.unit_mut(id));
    for (slot, key) in ["melee", "shoot"].into_iter().enumerate() {
        if let Some(w) = t.text(key) {
            match crate::words::read_usual(state, id, &w.text, slot == 0) {
                Ok(usual) => {
                    if let Some(at) = usual.at.as_deref()
                        && state.by_label(at).is_none()
                    {
                        unknown_label(t.doc(), &Word { text: at.to_owned(), at: w.at }, state);
                    }
                    state.unit_mut(id).usual[slot] = Some(Arc::new(usual));
                }
                Err(_) if w.text.split_whitespace().any(|l| t.doc().missed(&as_id(l))) => {}
                // A weapon that is misspelt was told where it stands; what follows from it is no second fault.
                Err(_) if lacks_a_weapon(t, state.unit(id)) => {}
                Err(p) => t.doc().error(w.at, format!("{}: `{key}`: {}", t.what, p.message), p.hint),
            }
        }
    }
}

/// Whether a weapon that the table names is not there.
fn lacks_a_weapon(t: &Table<'_, '_>, u: &Unit) -> bool {
    t.words("weapons").unwrap_or_default().iter().any(|w| u.weapon(&as_id(&w.text)).is_none())
}

/// `[loads.boltgun]`: shots spent, jammed, the Round of its last shot.
fn loads(t: &Table<'_, '_>, u: &mut Unit) {
    let Some(all) = t.table("loads") else { return };
    for (weapon, one) in all.tables_in() {
        if u.weapon(weapon).is_none() {
            let near = nearest(weapon, u.weapons.iter().map(|w| w.id.as_str()));
            let text = format!("{} has no {weapon}", t.what);
            t.doc().error(one.at(), text, near.map(|n| format!("did you mean `{n}`?")));
            continue;
        }
        let fired = one.int("fired", 0..=1_000_000).and_then(|n| u32::try_from(n).ok());
        let load = crate::load::Load {
            spent: one.int("spent", 0..=9999).unwrap_or(0),
            jammed: one.flag("jammed").unwrap_or(false),
            fired,
        };
        one.finish();
        u.set_load(weapon, load);
    }
}

pub(crate) fn read_volley(t: &Table<'_, '_>, state: &State) -> Option<Volley> {
    let by = label(t, "by", state)?;
    let mut attacks = Vec::new();
    for a in t.tables("attack") {
        let at = label(&a, "at", state)?;
        let text = a.text("how")?;
        let how = match crate::words::read_how(state, by, &text.text) {
            Ok(how) => how,
            Err(p) => {
                t.doc().error(text.at, p.message, p.hint);
                return None;
            }
        };
        let answer = match a.text("answer").map(|w| w.text).as_deref() {
            None | Some("open") => Answer::Open,
            Some("tried") => Answer::Tried,
            Some(_) => Answer::Taken,
        };
        attacks.push(Incoming {
            at,
            how,
            roll: a.int("roll", 1..=100).and_then(|r| u16::try_from(r).ok()),
            degrees: Degrees { success: true, degrees: a.int("degrees", -999..=999).unwrap_or(1) },
            hits: a.int("hits", 0..=999).unwrap_or(1),
            fixed: a.int("fixed", 0..=999),
            answer,
            damage: a.ints("damage", 0..=9999).unwrap_or_default(),
            accidental: a.flag("accidental").unwrap_or(false),
        });
        a.finish();
    }
    let act = t.int("act", 0..=i32::MAX).unwrap_or(0);
    let dice = t.ints("dice", 1..=1000).unwrap_or_default();
    if attacks.is_empty() {
        t.doc().error(t.at(), "a volley without attacks", Some("leave [volley] out".to_owned()));
        return None;
    }
    Some(Volley {
        by,
        attacks,
        act: u32::try_from(act).unwrap_or(0),
        dice: dice.into_iter().filter_map(|d| u16::try_from(d).ok()).collect(),
    })
}

fn label(t: &Table<'_, '_>, key: &'static str, state: &State) -> Option<UnitId> {
    let w = t.text(key)?;
    let id = state.by_label(&w.text);
    if id.is_none() {
        unknown_label(t.doc(), &w, state);
    }
    id
}
