//! The usual turn of everybody: what odds, simulation, cards and the tracker's one key take for granted.
//!
//! A Heretic makes his usual attack, at his usual target or else at the first foe that fights. A Horde attacks
//! hand to hand everybody within its reach, and shoots its ranged attacks in turn at its usual target, or at those
//! whom it does not fight, or at all. Reactions: the first attack that can be evaded, with the better score.

use crate::command::{Command, Told};
use crate::document::plain_usual;
use crate::engine::shielded;
use crate::load::recharging;
use crate::options::HordeVsHorde;
use crate::state::{Answer, How, State};
use crate::turns::acts_now;
use crate::unit::{Action, Unit, UnitId, Usual};
use std::sync::Arc;

/// How a usual attack is made.
pub(crate) fn how(by: &Unit, u: &Usual) -> How {
    let full = by.weapon(&u.weapon).is_some_and(|w| w.rof.2 > 0);
    How {
        action: u.action,
        full_auto: u.action == Action::Suppress && full && !u.semi,
        weapon: u.weapon.as_str().into(),
        band: u.band,
        aim: u.aim,
        mods: u.mods.clone(),
    }
}

fn usual(u: &Unit, melee: bool) -> Option<Arc<Usual>> {
    u.usual[usize::from(!melee)].clone().or_else(|| plain_usual(u, melee))
}

/// Whether the usual attack of a single figure is hand to hand: what is written wins, then what he carries first.
fn prefers_melee(u: &Unit) -> bool {
    match &u.usual {
        [_, Some(_)] => false,
        [Some(_), None] => true,
        _ => u.weapons.first().is_some_and(|w| w.is_melee()),
    }
}

/// The usual attack of a single figure: how and at whom; `None` if there is nobody or nothing to attack with.
pub fn person_attack(s: &State, id: UnitId) -> Option<(How, UnitId)> {
    let u = s.unit(id);
    let plan = usual(u, prefers_melee(u)).or_else(|| usual(u, !prefers_melee(u)))?;
    let wanted = plan.at.as_deref().and_then(|l| s.by_label(l)).filter(|t| s.unit(*t).fights());
    let at = wanted.or_else(|| s.enemies(id).into_iter().find(|t| shielded(s, id, *t).is_none()))?;
    Some((how(u, &plan), at))
}

/// A Horde's usual melee: how, and at whom in order.
pub fn horde_melee(s: &State, id: UnitId) -> Option<(How, Vec<UnitId>)> {
    let u = s.unit(id);
    let h = u.horde()?;
    let plan = usual(u, true)?;
    let fits = |t: &UnitId| {
        s.unit(*t).fights()
            && !told_by_master(s, *t)
            && !h.fought.contains(t)
            && shielded(s, id, *t).is_none()
    };
    let at: Vec<UnitId> = h.engaged.iter().copied().filter(fits).collect();
    (!at.is_empty()).then(|| (how(u, &plan), at))
}

/// Those whose usual attack is hand to hand stand within reach of its target from the start: odds and simulation
/// begin with this, so that both mean the same fight.
pub fn close_in(s: &mut State) {
    for id in s.ids() {
        let Some((how, at)) = person_attack(s, id) else { continue };
        if s.unit(id).is_horde() || !s.unit(id).weapon(&how.weapon).is_some_and(|w| w.is_melee()) {
            continue;
        }
        if let Some(h) = s.unit_mut(at).horde_mut() {
            h.engaged.insert(id);
        }
    }
}

/// HC-178: whether what a Horde does to this one is the game master's to tell.
fn told_by_master(s: &State, at: UnitId) -> bool {
    s.unit(at).is_horde() && s.options.horde_vs_horde == HordeVsHorde::GmNarrates
}

/// Those at whom a Horde usually shoots, in turn.
pub fn horde_marks(s: &State, id: UnitId) -> Vec<UnitId> {
    let u = s.unit(id);
    let Some(h) = u.horde() else { return Vec::new() };
    let Some(plan) = usual(u, false) else { return Vec::new() };
    let free = |t: &UnitId| s.unit(*t).fights() && !told_by_master(s, *t) && shielded(s, id, *t).is_none();
    if let Some(t) = plan.at.as_deref().and_then(|l| s.by_label(l)).filter(free) {
        return vec![t];
    }
    let all: Vec<UnitId> = s.enemies(id).into_iter().filter(free).collect();
    let apart: Vec<UnitId> = all.iter().copied().filter(|t| !h.engaged.contains(t)).collect();
    if apart.is_empty() { all } else { apart }
}

/// A Horde's usual shooting with so many attacks. Suppressing Fire is one of them each time (HC-190).
pub fn horde_shots(s: &State, id: UnitId, attacks: i32) -> Option<(How, Vec<UnitId>)> {
    let marks = horde_marks(s, id);
    let plan = usual(s.unit(id), false)?;
    if marks.is_empty() || attacks <= 0 {
        return None;
    }
    let n = usize::try_from(attacks).unwrap_or(0);
    let at = (0..n).map(|i| marks[i % marks.len()]).collect();
    Some((how(s.unit(id), &plan), at))
}

/// Whether the weapon of a plan may be fired now (HC-074, HC-165).
fn may_fire(s: &State, id: UnitId, how: &How) -> bool {
    s.unit(id).weapon(&how.weapon).is_none_or(|w| !recharging(s, id, w))
}

/// The commands of the usual turn of the one whose turn it is, without `next`.
pub fn usual_turn(s: &State, id: UnitId) -> Vec<Command> {
    let attack = |(how, at): (How, Vec<UnitId>)| Command::Attack { by: id, at, how, told: Told::default() };
    let u = s.unit(id);
    if u.person().is_some_and(|p| p.stunned > 0) || !acts_now(s, id) {
        return Vec::new();
    }
    if u.is_horde() {
        let (all, made) = (u.ranged_attacks(&s.options), u.horde().map_or(0, |h| h.shots));
        let left = all - made;
        let melee = u.fights().then(|| horde_melee(s, id)).flatten();
        let shots = horde_shots(s, id, left).filter(|(how, _)| may_fire(s, id, how));
        let suppresses = |how: &How| how.action == Action::Suppress;
        if let Some((how, _)) = shots.as_ref().filter(|(how, _)| suppresses(how)) {
            // One after the other, each at the next in turn.
            let made = usize::try_from(made).unwrap_or(0);
            let marks = horde_shots(s, id, all).map_or_else(Vec::new, |(_, at)| at);
            let each = marks.into_iter().skip(made).map(|t| (how.clone(), vec![t]));
            return melee.into_iter().chain(each).map(attack).collect();
        }
        return melee.into_iter().chain(shots).map(attack).collect();
    }
    person_attack(s, id)
        .filter(|(how, _)| may_fire(s, id, how))
        .into_iter()
        .map(|(how, at)| attack((how, vec![at])))
        .collect()
}

/// The usual answer to what waits: the first attack that can be evaded, with the better score.
pub fn usual_reaction(s: &State) -> Option<Command> {
    let v = s.volley.as_ref()?;
    let (n, a) = v.attacks.iter().enumerate().find(|(_, a)| a.answer == Answer::Open)?;
    let k = v.attacks[..n].iter().filter(|b| b.at == a.at).count();
    Some(match crate::odds::better(s, n) {
        Some(with) => {
            Command::React { who: a.at, which: Some(k), with, metres: None, roll: None, dice: Vec::new() }
        }
        None => Command::no_reaction(a.at),
    })
}
