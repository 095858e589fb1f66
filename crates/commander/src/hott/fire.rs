//! Shooting: who bears on whom, what it brings to have targets and what it costs to be one.
//!
//! Whoever may shoot must (HOTT-231), and several who aim at one target help each other (HOTT-253); so it is by where
//! they stand that a side shoots well: many at one, out of the arcs of the others.

use super::look::{Look, Unit, stake};
use super::weights;
use super::worth::{Stake, bout};
use field::{Base, Pose, Zone};
use hott::table::Mode;

/// How many besides the main shooter count.
const AIDS: usize = 2;

/// What shots bring and cost, worked out once for each decision.
#[derive(Debug, Default)]
pub(super) struct Fire {
    /// By aids, own unit, foe: what a shot brings, with the answer to it.
    given: [Vec<i32>; AIDS + 1],
    /// By aids, whether a recoil kills, foe, own unit: what a shot of the foe costs.
    taken: [[Vec<i32>; 2]; AIDS + 1],
    /// The arcs of the foes who could shoot, by their place in `foes`.
    arcs: Vec<(usize, Zone)>,
    /// For each foe how many of the own side bear on it, and whether a unit is one of them: bits by place in `mine`.
    bearing: Vec<u64>,
}

impl Look<'_> {
    /// Works out who bears on whom.
    pub fn find_fire(&mut self) {
        let mine = self.mine.iter().any(|m| self.units[*m].range > 0);
        let theirs = self.foes.iter().any(|f| self.units[*f].range > 0);
        let mut fire = Fire::default();
        let tables = &self.battle.tables;
        if mine {
            for (aids, given) in fire.given.iter_mut().enumerate() {
                for u in self.mine.iter().map(|m| &self.units[*m]) {
                    for v in self.foes.iter().map(|f| &self.units[*f]) {
                        let mut target = v.fighter;
                        target.aids = aids as u8;
                        let own = Stake { price: u.price * weights::SHOT_CAUTION / 100, ..stake(u) };
                        let answered = v.range > 0 && v.both;
                        given.push(if u.range == 0 {
                            0
                        } else {
                            bout(tables, Mode::Shot, [&u.fighter, &target], [own, stake(v)], answered)
                        });
                    }
                }
            }
            for v in self.foes.iter().map(|f| &self.units[*f]) {
                let mut bits = 0_u64;
                for (m, u) in self.mine.iter().map(|m| &self.units[*m]).enumerate() {
                    let may = u.range > 0 && !u.touching.in_contact() && !v.touching.in_contact();
                    if may && m < 64 && self.arc(u, u.base.pose).holds(&v.base) {
                        bits |= 1 << m;
                    }
                }
                fire.bearing.push(bits);
            }
        }
        if theirs {
            for (aids, taken) in fire.taken.iter_mut().enumerate() {
                for (trapped, taken) in [false, true].into_iter().zip(taken) {
                    for v in self.foes.iter().map(|f| &self.units[*f]) {
                        for u in self.mine.iter().map(|m| &self.units[*m]) {
                            let mut target = u.fighter;
                            target.aids = aids as u8;
                            let stakes = [Stake::default(), Stake { price: u.price, trapped, ..stake(u) }];
                            taken.push(if v.range == 0 {
                                0
                            } else {
                                bout(tables, Mode::Shot, [&v.fighter, &target], stakes, false)
                            });
                        }
                    }
                }
            }
            for (f, v) in self.foes.iter().map(|f| &self.units[*f]).enumerate() {
                if v.range > 0 && !v.touching.in_contact() {
                    fire.arcs.push((f, self.arc(v, v.base.pose)));
                }
            }
        }
        self.fire = fire;
    }

    fn arc(&self, u: &Unit, pose: Pose) -> Zone {
        let widened = self.width * self.battle.tables.numbers.arc_side_bw / 100;
        Zone::arc(&u.base.at(pose), widened, u.range)
    }

    /// What it costs own unit `m` to stand there under the shots of those who bear on it, and of those who would after
    /// a move.
    pub fn under_fire(&self, m: usize, base: &Base) -> i32 {
        let u = &self.units[self.mine[m]];
        let cost = self.under_fire_if(m, base, false);
        // Only who is in danger asks for room.
        if cost > 0 && self.is_trapped(u, base) { self.under_fire_if(m, base, true) } else { cost }
    }

    /// The same of one that has room to recoil or not.
    pub fn under_fire_if(&self, m: usize, base: &Base, trapped: bool) -> i32 {
        let fire = &self.fire;
        let rows = self.mine.len();
        let mut bear = 0;
        let mut main = None;
        let mut near = 0;
        for (f, arc) in &fire.arcs {
            if arc.holds(base) {
                bear += 1;
                main = main.or(Some(*f));
            } else {
                let v = &self.units[self.foes[*f]];
                let reach = v.range + if v.both { v.reach() } else { 0 };
                if !v.base.far_from(base, reach) {
                    near = near.max(fire.taken[0][0].get(f * rows + m).copied().unwrap_or(0));
                }
            }
        }
        let Some(f) = main else { return near * weights::FIRE_NEAR / 100 };
        let trapped = usize::from(trapped);
        let aids = (bear - 1).min(AIDS);
        let cost = fire.taken[aids][trapped].get(f * rows + m).copied().unwrap_or(0);
        let times = if self.units[self.foes[f]].both { weights::FIRE_BOTH } else { 100 };
        cost * times / 100
    }

    /// What own unit `m` brings by shooting from a pose: alone at a target, or by helping those who bear on it.
    pub fn shooting_from(&self, u: &Unit, m: usize, pose: Pose) -> i32 {
        if u.range == 0 {
            return 0;
        }
        let arc = self.arc(u, pose);
        let columns = self.foes.len();
        let value = |aids: usize, f: usize| self.fire.given[aids].get(m * columns + f).copied().unwrap_or(0);
        let mut best: Option<i32> = None;
        for (f, at) in self.foes.iter().enumerate() {
            let v = &self.units[*at];
            if v.touching.in_contact() || !arc.holds(&v.base) {
                continue;
            }
            let others =
                self.fire.bearing.get(f).copied().unwrap_or(0) & !(1_u64.checked_shl(m as u32).unwrap_or(0));
            let gain = match others.count_ones() as usize {
                0 => value(0, f),
                n if n <= AIDS => value(n, f) - value(n - 1, f),
                _ => 0,
            };
            best = Some(best.map_or(gain, |b| b.max(gain)));
        }
        let best = best.unwrap_or(0);
        let moved = u.ty == hott::table::TroopType::Art && pose != u.base.pose;
        if u.both {
            best * weights::VOLLEY / 100
        } else if moved {
            best / 2
        } else {
            best
        }
    }
}
