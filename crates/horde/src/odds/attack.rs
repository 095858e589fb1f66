//! One attack: hits, Magnitude lost, wounds after Evasion and soak.

use super::pool::pool_dist;
use super::weight::{Weight, add, convolve};
use crate::arms::Trait9;
use crate::attack::{Attack, Struck};
use crate::command::Reaction;
use crate::damage::{Place, Pool};
use crate::options::{DamageRollOption, FuryByHorde};
use crate::roll::{Degrees, judge};
use crate::state::{Answer, How, Incoming, State, Volley};
use crate::unit::{Action, UnitId};
use std::collections::BTreeMap;

/// Magnitude lost to one attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Losses<W> {
    /// Lost by hits: 0, 1, 2, …
    pub dist: Vec<W>,
    /// Lost besides if any hit hurt (HC-127).
    pub talent: i32,
    /// Chance that one Damage roll takes anything, for a plain hit.
    pub each: f64,
}

impl<W: Weight> Losses<W> {
    /// HC-106, HC-127, HC-212: what a Horde of Magnitude `m` loses in all, with what a talent takes besides: 0, 1, 2, …
    pub fn of(&self, m: i32) -> Vec<W> {
        let mut out = Vec::new();
        for (n, w) in self.dist.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
            let by_hits = i32::try_from(n).unwrap_or(i32::MAX);
            let besides = if by_hits > 0 { self.talent } else { 0 };
            let all = by_hits.saturating_add(besides).min(m);
            add(&mut out, usize::try_from(all).unwrap_or(0), w);
        }
        out
    }
}

/// Wounds of one attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Hurt<W> {
    /// Wounds: 0, 1, 2, …
    pub dist: Vec<W>,
    /// Chance that the attack missed.
    pub missed: W,
    /// Wounds of the ways in which it hit; together with `missed` they are all ways.
    pub hit: Vec<W>,
}

/// What a single Damage roll on a Horde depends on.
type PoolAndSoak = (Vec<u16>, i32);

/// What an attack roll can come to, with its weight.
fn rolls<W: Weight>(a: &Attack<'_>) -> Vec<(Option<u16>, Struck, W)> {
    if a.no_roll() {
        return vec![(None, a.strike_unrolled(), W::one())];
    }
    let score = a.score();
    let die = a.o.t().test.die;
    let one = W::ratio(1, u128::from(die));
    (1..=die).map(|r| (Some(r), a.strike(score.target, r), one.clone())).collect()
}

/// A hit like any other, for the chance of one.
pub(crate) fn plain_struck(a: &Attack<'_>) -> Struck {
    let degrees =
        Degrees { success: true, degrees: i32::from(a.o.dos_count != crate::options::DosCount::Dw) };
    Struck { degrees, jam: false, hits: 1 }
}

/// Hits before Horde multipliers: 0, 1, 2, …
pub(crate) fn base_hits_dist<W: Weight>(a: &Attack<'_>) -> Vec<W> {
    let mut out = Vec::new();
    for (_, struck, w) in rolls::<W>(a) {
        add(&mut out, usize::try_from(struck.hits).unwrap_or(0), &w);
    }
    out
}

/// HC-085, HC-087: a Stun or a Grapple that hits does no Damage.
pub(crate) fn harmless(a: &Attack<'_>) -> bool {
    a.action.row(a.o).hits == crate::tables::HitRule::None
}

/// HC-210: hits on a Horde after all multipliers: 0, 1, 2, …
pub fn hits_on_horde<W: Weight>(a: &Attack<'_>) -> Vec<W> {
    let mut out = Vec::new();
    for (_, struck, w) in rolls::<W>(a) {
        for (hits, w) in multiplied(a, &struck, &w) {
            add(&mut out, hits, &w);
        }
    }
    out
}

fn multiplied<W: Weight>(a: &Attack<'_>, struck: &Struck, w: &W) -> Vec<(usize, W)> {
    if struck.hits <= 0 {
        return vec![(0, w.clone())];
    }
    let die = a.o.t().horde.flame_die;
    let faces = if a.flame_share().is_some() { 1..=die } else { 0..=0 };
    let share = W::ratio(1, if a.flame_share().is_some() { u128::from(die) } else { 1 });
    faces
        .map(|f| (usize::try_from(a.multiply(struck.hits, i32::from(f)).0).unwrap_or(0), w.times(&share)))
        .collect()
}

/// What one Damage roll takes off a Horde: 0, 1, …
fn one_roll<W: Weight>(a: &Attack<'_>, struck: &Struck) -> Vec<W> {
    let dist = pool_dist(&a.pool(struck));
    let soak = a.soak(struck, Place::Body);
    let mut out = Vec::new();
    for ((damage, ten), ways) in &dist.ways_to {
        let lost = usize::try_from(a.magnitude_loss(*damage, soak, *ten)).unwrap_or(0);
        add(&mut out, lost, &W::ratio(*ways, dist.ways));
    }
    out
}

/// HC-211, HC-212: Magnitude lost to one attack.
pub fn losses<W: Weight>(a: &Attack<'_>) -> Losses<W> {
    if harmless(a) {
        return Losses { dist: vec![W::one()], talent: 0, each: 0.0 };
    }
    // Rolls that come to the same are counted together.
    let mut classes: BTreeMap<(i32, i32), (Struck, W)> = BTreeMap::new();
    for (_, struck, w) in rolls::<W>(a) {
        let key = if struck.hits > 0 { (struck.hits, struck.degrees.degrees) } else { (0, 0) };
        let entry = classes.entry(key).or_insert_with(|| (struck, W::zero()));
        entry.1 = entry.1.plus(&w);
    }
    let mut out = Vec::new();
    // The single roll depends on the degrees only by pool and Penetration.
    let mut cache: Vec<(PoolAndSoak, Vec<W>)> = Vec::new();
    for (struck, w) in classes.values() {
        if struck.hits <= 0 {
            add(&mut out, 0, w);
            continue;
        }
        let key = (a.pool(struck).sides, a.soak(struck, Place::Body));
        let single = match cache.iter().find(|(k, _)| *k == key) {
            Some((_, s)) => s.clone(),
            None => {
                let s = one_roll::<W>(a, struck);
                cache.push((key, s.clone()));
                s
            }
        };
        for (hits, w) in multiplied(a, struck, w) {
            for (n, p) in grouped(a, struck, hits, &single).iter().enumerate() {
                add(&mut out, n, &w.times(p));
            }
        }
    }
    let each = one_roll::<f64>(a, &plain_struck(a)).iter().skip(1).sum();
    Losses { dist: out, talent: a.talent_loss().map_or(0, |t| t.value), each }
}

/// HC-124: the loss of so many hits, by how many Damage rolls they get.
fn grouped<W: Weight>(a: &Attack<'_>, struck: &Struck, hits: usize, single: &[W]) -> Vec<W> {
    let groups = match a.o.damage_roll {
        DamageRollOption::PerAttack => 1,
        DamageRollOption::BlastShared if a.quality(crate::arms::Quality::Blast).is_some() => {
            usize::try_from(struck.hits).unwrap_or(1).clamp(1, hits.max(1))
        }
        _ => hits,
    };
    let groups = groups.min(hits);
    let mut out = vec![W::one()];
    for g in 0..groups {
        let size = hits / groups + usize::from(g < hits % groups);
        let mut spread = Vec::new();
        for (n, p) in single.iter().enumerate() {
            add(&mut spread, n * size, p);
        }
        out = convolve(&out, &spread);
    }
    out
}

/// Wounds of one hit on a single figure: 0, 1, 2, …
pub(crate) fn one_hit<W: Weight>(a: &Attack<'_>, struck: &Struck, place: Place) -> Vec<W> {
    let dist = pool_dist(&a.pool(struck));
    let soak = a.soak(struck, place);
    let fury = !a.by.is_horde() || a.o.fury_by_horde == FuryByHorde::On;
    let mut out = Vec::new();
    for ((damage, ten), ways) in &dist.ways_to {
        let lost = (damage - soak).max(i32::from(*ten && fury)).max(0);
        add(&mut out, usize::try_from(lost).unwrap_or(0), &W::ratio(*ways, dist.ways));
    }
    out
}

/// HC-041: chances that an Evasion cancels 0, 1, 2, … hits (the last entry: that many or more), or, as a
/// whole, `None` if no Evasion is possible. The better of Dodge and Parry is tried.
pub fn evasion_odds<W: Weight>(s: &State, by: UnitId, at: UnitId, how: &How) -> Option<Vec<W>> {
    let incoming = Incoming {
        at,
        how: how.clone(),
        roll: None,
        degrees: Degrees { success: true, degrees: 1 },
        hits: 1,
        fixed: None,
        answer: Answer::Open,
        damage: Vec::new(),
        accidental: false,
    };
    let trial =
        State { volley: Some(Volley { by, attacks: vec![incoming], act: 0, dice: Vec::new() }), ..s.clone() };
    let with = better_reaction(&trial, 0)?;
    let score = crate::fight::reaction_score(&trial, 0, with)?;
    let o = &s.options;
    let c = if with == Reaction::Dodge { Trait9::Ag } else { Trait9::Ws };
    let unnatural = s.unit(at).unnatural(o, c);
    let die = o.t().test.die;
    let mut out = Vec::new();
    for r in 1..=die {
        let d = judge(o, score.target, r).plus_unnatural(o, unnatural);
        let n = if d.success { d.with_pass(o).max(1) } else { 0 };
        add(&mut out, usize::try_from(n).unwrap_or(0), &W::ratio(1, u128::from(die)));
    }
    Some(out)
}

/// The Reaction with the higher number, Dodge where both are equal.
pub(crate) fn better_reaction(s: &State, n: usize) -> Option<Reaction> {
    let all = crate::fight::reactions(s, n);
    let target = |w: &Reaction| crate::fight::reaction_score(s, n, *w).map_or(i32::MIN, |x| x.target);
    // HC-042: where it cannot help nobody tries.
    let helps = crate::fight::cannot_leave(s, n, None).is_none();
    all.iter().copied().filter(|_| helps).rev().max_by_key(target)
}

/// Wounds of one attack on a single figure, after Evasion with these chances (`None`: no Reaction left).
pub fn hurt<W: Weight>(a: &Attack<'_>, evasion: Option<&[W]>) -> Hurt<W> {
    let burst = matches!(
        a.action,
        Action::Swift | Action::Lightning | Action::Semi | Action::Full | Action::Suppress
    );
    let mut hit = Vec::new();
    let mut missed = W::zero();
    let mut singles: Vec<((Pool, i32), Vec<W>)> = Vec::new();
    let mut classes: BTreeMap<(i32, i32, Place), (Struck, W)> = BTreeMap::new();
    for (roll, struck, w) in rolls::<W>(a) {
        if struck.hits <= 0 {
            missed = missed.plus(&w);
            continue;
        }
        let first = roll.map_or(Place::Body, |r| Place::of_roll(a.o, r));
        let entry = classes
            .entry((struck.hits, struck.degrees.degrees, first))
            .or_insert_with(|| (struck, W::zero()));
        entry.1 = entry.1.plus(&w);
    }
    for (key, (struck, w)) in &classes {
        let hits = if harmless(a) { 0 } else { usize::try_from(struck.hits).unwrap_or(0) };
        // wounds[k]: of the first k hits.
        let mut wounds = vec![vec![W::one()]];
        for g in 0..hits {
            let place = key.2.walk(a.o, g);
            let depends_on = (a.pool(struck), a.soak(struck, place));
            let at = match singles.iter().position(|(k, _)| *k == depends_on) {
                Some(at) => at,
                None => {
                    let one = one_hit::<W>(a, struck, place);
                    singles.push((depends_on, one));
                    singles.len() - 1
                }
            };
            wounds.push(convolve(&wounds[g], &singles[at].1));
        }
        match evasion {
            None => {
                for (n, p) in wounds[hits].iter().enumerate() {
                    add(&mut hit, n, &w.times(p));
                }
            }
            Some(cancels) => {
                for (n, c) in cancels.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                    let left = match n {
                        0 => hits,
                        _ if burst => hits.saturating_sub(n),
                        _ => 0,
                    };
                    let w = w.times(c);
                    for (n, p) in wounds[left].iter().enumerate() {
                        add(&mut hit, n, &w.times(p));
                    }
                }
            }
        }
    }
    let mut dist = hit.clone();
    add(&mut dist, 0, &missed);
    Hurt { dist, missed, hit }
}
