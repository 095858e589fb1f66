//! Hordes that fight each other (HC-178): one chain over all that each of them may be.
//!
//! What such a group may come to grows with every Round; where it is too much to count, the Rounds end there.

use super::{BROKEN, Chain, Counter, DESTROYED, FIGHTING, Mass, after_break, put};
use crate::arms::Talent;
use crate::odds::Losses;
use crate::odds::attack::losses;
use crate::odds::weight::Weight;
use crate::options::HordeVsHorde;
use crate::plan;
use crate::state::{How, State};
use crate::unit::{UnitId, magnitude_bonus};
use crate::words::attack_of;
use std::collections::BTreeMap;

/// The Hordes of a group, each in one of its states.
pub(super) type Joint = Vec<Chain>;

pub(super) type Joints<W> = BTreeMap<Joint, W>;

/// Hordes that may fight each other, mostly one alone.
pub(super) struct Group<W> {
    pub(super) ids: Vec<UnitId>,
    pub(super) mass: Joints<W>,
}

/// States of a group beyond which the next Round is not counted: some seconds' work.
pub(super) const MOST_STATES: usize = 250_000;

/// What a Horde's attack on a Horde depends on: who, whom, hand to hand, Magnitude Bonus, other numbers, size of the other.
pub(super) type BlowKey = (UnitId, UnitId, bool, i32, i32, i32);

/// Attacks of a Horde on Hordes, in order.
pub(super) type Blows = Vec<(How, UnitId)>;

/// Whether `a` may come to attack `b` by the usual plan, now or when others are gone.
fn may_fight(s: &State, a: UnitId, b: UnitId) -> bool {
    let (u, v) = (s.unit(a), s.unit(b));
    if u.side == v.side || s.options.horde_vs_horde == HordeVsHorde::GmNarrates {
        return false;
    }
    let near = u.horde().is_some_and(|h| h.engaged.contains(&b))
        || v.horde().is_some_and(|h| h.engaged.contains(&a));
    if near && u.weapons.iter().any(|w| w.is_melee()) {
        return true;
    }
    // A Heretic who is the usual target stays it: in the odds nobody falls.
    let person = plan::horde_marks(s, a)
        .first()
        .is_some_and(|m| plan::horde_marks(s, a).len() == 1 && !s.unit(*m).is_horde());
    u.weapons.iter().any(|w| !w.is_melee())
        && !(person && u.usual[1].as_ref().is_some_and(|x| x.at.is_some()))
}

impl<W: Weight> Counter<W> {
    /// Puts Hordes that may fight each other into one group.
    pub(super) fn link(&mut self) {
        let mut n = 0;
        while n < self.groups.len() {
            let joins = |m: &usize| {
                let pairs =
                    self.groups[n].ids.iter().flat_map(|a| self.groups[*m].ids.iter().map(move |b| (*a, *b)));
                pairs.into_iter().any(|(a, b)| may_fight(&self.s, a, b) || may_fight(&self.s, b, a))
            };
            match (n + 1..self.groups.len()).find(joins) {
                Some(m) => {
                    let other = self.groups.remove(m);
                    let mine = std::mem::take(&mut self.groups[n].mass);
                    let mut both = Joints::new();
                    for (a, w) in &mine {
                        for (b, v) in &other.mass {
                            both.insert(a.iter().chain(b).copied().collect(), w.times(v));
                        }
                    }
                    self.groups[n].mass = both;
                    self.groups[n].ids.extend(other.ids);
                }
                None => n += 1,
            }
        }
        for (g, group) in self.groups.iter().enumerate() {
            self.place.extend(group.ids.iter().enumerate().map(|(k, id)| (*id, (g, k))));
        }
    }

    /// Everybody of a group as he is there, the `k`th with his turn begun.
    pub(super) fn state_of(&self, g: usize, k: usize, joint: &Joint) -> State {
        let ids = &self.groups[g].ids;
        let mut s = self.state_in(ids[k], joint[k]);
        for (n, id) in ids.iter().enumerate().filter(|(n, _)| *n != k) {
            *s.unit_mut(*id) = self.unit_in(*id, joint[n]);
        }
        s
    }

    /// HC-178: the attacks of a Horde on Hordes of its group, hand to hand or at range, over all that each may be.
    pub(super) fn on_hordes(&mut self, id: UnitId, melee: bool, fires: bool) {
        let Some((g, k)) = self.place.get(&id).copied().filter(|_| fires) else { return };
        let o = self.s.options;
        let retires = self.s.unit(id).has(Talent::FightingWithdrawal);
        let mass = std::mem::take(&mut self.groups[g].mass);
        let mut next = Joints::new();
        let mut plans: BTreeMap<(Vec<u8>, i32), Blows> = BTreeMap::new();
        for (joint, w) in mass {
            let c = joint[k];
            let acts = c.status == FIGHTING || (!melee && c.status == BROKEN && retires);
            if !acts {
                put_joint(&mut next, joint, &w);
                continue;
            }
            let key = (joint.iter().map(|c| c.status).collect(), magnitude_bonus(&o, c.m));
            let blows = match plans.get(&key) {
                Some(blows) => blows.clone(),
                None => {
                    let blows = self.blows_of(g, k, &joint, melee);
                    plans.insert(key, blows.clone());
                    blows
                }
            };
            // The size of each counts as it was when the shots were fired (HC-114).
            let sizes: Vec<i32> =
                self.groups[g].ids.clone().iter().zip(&joint).map(|(id, c)| self.size_in(*id, *c)).collect();
            let mut now = Joints::from([(joint, w)]);
            for (how, at) in &blows {
                let n = self.place[at].1;
                let mut after = Joints::new();
                for (joint, w) in now {
                    self.blow(id, *at, how, (&joint, n, sizes[n], c), &w, &mut after);
                }
                now = after;
            }
            for (joint, w) in now {
                put_joint(&mut next, joint, &w);
            }
            if next.len() > MOST_STATES {
                self.too_many = true;
                break;
            }
        }
        self.groups[g].mass = next;
        if melee {
            // Whoever was fought hand to hand is within reach of the one who fought him.
            for (_, at) in plans.into_values().flatten() {
                if let Some(h) = self.s.unit_mut(at).horde_mut() {
                    h.engaged.insert(id);
                }
            }
        }
    }

    /// What a Horde attacks of its own group, in one command.
    fn blows_of(&self, g: usize, k: usize, joint: &Joint, melee: bool) -> Blows {
        let id = self.groups[g].ids[k];
        let s = self.state_of(g, k, joint);
        let all = if melee {
            plan::horde_melee(&s, id)
        } else {
            plan::horde_shots(&s, id, s.unit(id).ranged_attacks(&s.options))
        };
        let Some((how, at)) = all else { return Vec::new() };
        at.into_iter().filter(|t| s.unit(*t).is_horde()).map(|t| (how.clone(), t)).collect()
    }

    /// One attack of a Horde in the state `c` on the `n`th of the group.
    fn blow(
        &mut self,
        by: UnitId,
        at: UnitId,
        how: &How,
        (joint, n, size, c): (&Joint, usize, i32, Chain),
        w: &W,
        next: &mut Joints<W>,
    ) {
        let o = self.s.options;
        let t = &o.t().horde;
        let u = self.s.unit(by);
        let melee = u.weapon(&how.weapon).is_some_and(|w| w.is_melee());
        let overwhelms = i32::from(c.m >= t.overwhelming_from && u.has(Talent::Overwhelming));
        let numbers = if o.horde_attack_bonus == crate::options::HordeAttackBonus::MinM20 {
            c.m.min(t.attack_bonus_most)
        } else {
            0
        };
        let key = (by, at, melee, magnitude_bonus(&o, c.m), overwhelms * 1000 + numbers, size);
        if !self.blows.contains_key(&key) {
            let mut s = self.state_in(by, c);
            // A target of that size: its own Magnitude may have changed since the shots were fired.
            let none = Losses { dist: vec![W::one()], talent: 0, each: 0.0 };
            let l = (0..1000)
                .map(|m| Chain { m, ms: m, status: FIGHTING, ..joint[n] })
                .find(|c| self.size_in(at, *c) == size)
                .map_or(none.clone(), |c| {
                    *s.unit_mut(at) = self.unit_in(at, c);
                    match attack_of(&s, by, at, how, false) {
                        Some(a) if a.allowed().is_ok() => losses::<W>(&a),
                        _ => none,
                    }
                });
            self.blows.insert(key, l);
        }
        let dist = self.blows[&key].dist.clone();
        let to = joint[n];
        let mut one = Mass::new();
        for (lost, p) in dist.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
            let lost = i32::try_from(lost).unwrap_or(i32::MAX);
            let w = w.times(p);
            match to.status {
                FIGHTING => self.lose(at, to, lost, &w, &mut one),
                DESTROYED => put(&mut one, to, &w),
                _ => put(&mut one, after_break(to, lost), &w),
            }
        }
        for (c, w) in one {
            let mut joint = joint.clone();
            joint[n] = c;
            put_joint(next, joint, &w);
        }
    }
}

pub(super) fn put_joint<W: Weight>(mass: &mut Joints<W>, joint: Joint, w: &W) {
    if w.is_zero() {
        return;
    }
    let e = mass.entry(joint).or_insert_with(W::zero);
    *e = e.plus(w);
}
