//! What things are worth, in hundredths of an AP, and what a fight is expected to bring.

use super::weights;
use hott::battle::{Battle, ElementId, SideId, State};
use hott::table::{Fighter, Mode, Outcome, Tables, TroopType, factors, result};

/// 1 AP.
pub(super) const AP: i32 = 100;
/// What the end of the battle in one's favour is worth.
pub(super) const VICTORY: i32 = 1_200;

/// What a side stands to lose with each of its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purse {
    /// Halves of an AP lost so far, by this side and by the worst-off enemy.
    lost: [i32; 2],
    /// Halves of an AP at which the side is beaten.
    half: i32,
    /// What the loss of its general costs beside his AP, if it has lost more than its enemy.
    general: i32,
    /// What it is worth to drive one of its elements back.
    pub press: i32,
    /// How heavily its losses weigh, in hundredths.
    pub weigh: i32,
}

impl Purse {
    /// A side's purse.
    pub fn of(battle: &Battle, state: &State, side: SideId) -> Purse {
        let mut lost = [0_i32; 2];
        for id in battle.ids() {
            let info = battle.element(id);
            if !state.element(id).fate.is_lost() {
                continue;
            }
            if info.side == side {
                lost[0] += i32::from(info.halves);
            } else if battle.hostile(side, info.side) {
                lost[1] += i32::from(info.halves);
            }
        }
        let whole = i32::try_from(battle.sides[side.index()].halves).unwrap_or(i32::MAX / 4);
        Purse { lost, half: (whole + 1) / 2, general: VICTORY, press: 0, weigh: 100 }
    }

    /// The purse of the side that weighs: a general who is spared every risk wins nothing, so his own side holds him
    /// somewhat cheaper than the enemy does. When a battle has dragged on for so long that nobody will come to any harm
    /// in it, losses count for less and less: somebody must begin, even at bad odds.
    pub fn own(self, bound: i32) -> Purse {
        let late = (bound - weights::WEARY_FROM).clamp(0, weights::WEARYING);
        let weigh = 100 - (100 - weights::WEARIEST) * late / weights::WEARYING;
        Purse { general: VICTORY * weights::OWN_GENERAL / 100, weigh, ..self }
    }

    /// As the side that weighs risks it in fights of its own choice.
    pub fn dared(self, bound: i32) -> Purse {
        let left = (weights::TIRED_FROM + weights::TIRING - bound).clamp(0, weights::TIRING);
        let weigh = self.weigh * (100 + (weights::CAUTION - 100) * left / weights::TIRING) / 100;
        Purse { general: VICTORY * weights::GENERAL_DARED / 100, weigh, ..self }
    }

    /// Two thirds of the way to defeat.
    pub fn is_near_half(&self) -> bool {
        self.lost[0] * 3 >= self.half * 2
    }

    /// What the loss of an element weighs for its side.
    pub fn price(&self, battle: &Battle, id: ElementId) -> i32 {
        self.plain_price(battle, id) * self.weigh / 100
    }

    /// What the loss of an element costs its side.
    fn plain_price(&self, battle: &Battle, id: ElementId) -> i32 {
        let info = battle.element(id);
        let halves = i32::from(info.halves);
        let ap = halves * AP / 2;
        // HOTT-199, HOTT-194: what comes back cheaply is half lost.
        let ap = if info.ty == TroopType::Hrd || info.ty.is_lurker() { ap * 2 / 3 } else { ap };
        let after = self.lost[0] + halves;
        let more = after > self.lost[1];
        // HOTT-340, HOTT-341
        if after >= self.half {
            return ap + if more { VICTORY } else { VICTORY / 3 };
        }
        if info.general {
            return ap + if more { self.general } else { self.general * weights::GENERAL_AHEAD / 100 };
        }
        // The nearer to half, the dearer.
        ap + ap * self.lost[0] / self.half.max(1) / 2
    }
}

/// What one of two fighters stands to lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stake {
    /// Its loss.
    pub price: i32,
    /// A recoil destroys it (HOTT-303, HOTT-308).
    pub trapped: bool,
    /// The loss of the one behind that falls with it (HOTT-332).
    pub behind: i32,
    /// What a recoil costs beside the ground: a line torn, a wall lost.
    pub shaken: i32,
    /// What it costs when those who strike the enemy's flank or rear for it must fall back with it (HOTT-241).
    pub helpers: i32,
}

impl Stake {
    /// What an outcome costs.
    fn cost(&self, outcome: Outcome) -> i32 {
        if outcome == Outcome::None { 0 } else { self.own_cost(outcome) + self.helpers }
    }

    fn own_cost(&self, outcome: Outcome) -> i32 {
        match outcome {
            Outcome::None => 0,
            Outcome::Recoil if self.trapped => self.price + self.behind,
            Outcome::Recoil => 8 + self.price.min(3 * AP) / 24 + self.shaken,
            Outcome::Flee if self.trapped => self.price + self.behind,
            Outcome::Flee => 20 + self.price / 6 + self.shaken,
            Outcome::FleeField | Outcome::Destroyed => self.price + self.behind,
            Outcome::Ensorcelled => self.price * 9 / 10,
            Outcome::Captured => VICTORY,
        }
    }
}

/// Pairs of dice by who wins: draw with an even total, with an odd one, first beats, doubles, second beats, doubles.
type Pairs = [i32; 6];

fn pairs(sums: [i32; 2], sides: i32, times: i32) -> Pairs {
    let mut pairs = [0; 6];
    for a in 1..=sides {
        for b in 1..=sides {
            let (x, y) = (sums[0] + a, sums[1] + b);
            let (high, low) = (x.max(y), x.min(y));
            let doubled = high > 0 && times * low <= high;
            let at = match x.cmp(&y) {
                std::cmp::Ordering::Equal => x.rem_euclid(2),
                std::cmp::Ordering::Greater => 2 + i32::from(doubled),
                std::cmp::Ordering::Less => 4 + i32::from(doubled),
            };
            pairs[at as usize] += 1;
        }
    }
    pairs
}

/// What a fight, shot or spell is expected to bring the first fighter's side: what the second loses less what the
/// first does. The same numbers as [`hott::table::odds`] gives, from six results in place of thirty-six.
pub(super) fn bout(
    tables: &Tables,
    mode: Mode,
    fighters: [&Fighter; 2],
    stakes: [Stake; 2],
    answered: bool,
) -> i32 {
    let [a, b] = fighters;
    let [part_a, part_b] = mode.parts();
    let sums = [factors(tables, part_a, a, b).sum(), factors(tables, part_b, b, a).sum()];
    let (sides, times) = (tables.numbers.die_sides, tables.numbers.doubled_times);
    let pairs = pairs(sums, sides, times);
    // Totals that stand for each kind of result.
    let low = 2 * times;
    let totals = [
        [low, low],
        [low + 1, low + 1],
        [low + 1, low],
        [low * times, low],
        [low, low + 1],
        [low, low * times],
    ];
    let mut sum = 0;
    for (count, totals) in pairs.iter().zip(totals) {
        if *count == 0 {
            continue;
        }
        let judged = result(tables, mode, fighters, totals, answered);
        sum += count * (stakes[1].cost(judged[1].outcome) - stakes[0].cost(judged[0].outcome));
    }
    sum / (sides * sides).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hott::table::{Exposure, Footing, Scope, odds};

    /// The short way gives what the full enumeration gives, for every pair of types in several situations.
    #[test]
    fn six_results_say_as_much_as_thirty_six() {
        let tables = Tables::standard(Scope::Base);
        let stakes = [
            Stake { price: 300, trapped: false, behind: 0, shaken: 0, helpers: 30 },
            Stake { price: 500, trapped: true, behind: 100, shaken: 5, helpers: 0 },
        ];
        for a in TroopType::ALL {
            for b in TroopType::ALL {
                if tables.troop(a).big || tables.troop(b).big {
                    continue;
                }
                for bits in 0..8_u8 {
                    let (mut x, mut y) = (Fighter::new(a), Fighter::new(b));
                    x.general = bits & 1 != 0;
                    x.just_contacted = bits & 2 != 0;
                    y.exposed[0] = if bits & 2 != 0 { Exposure::Overlapped } else { Exposure::Safe };
                    if bits & 4 != 0 {
                        (x.footing, y.footing) = (Footing::WOOD, Footing::BAD);
                    }
                    for mode in Mode::ALL {
                        let full = odds(&tables, mode, [&x, &y], true);
                        let sum: i32 = Outcome::ALL
                            .iter()
                            .map(|o| {
                                let n = |f: usize| i32::try_from(full.count(f, *o)).unwrap_or(0);
                                n(1) * stakes[1].cost(*o) - n(0) * stakes[0].cost(*o)
                            })
                            .sum();
                        assert_eq!(
                            bout(&tables, mode, [&x, &y], stakes, true),
                            sum / 36,
                            "{a} {b} {bits} {mode:?}"
                        );
                    }
                }
            }
        }
    }
}
