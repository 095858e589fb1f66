//! Exact chances of one combat: the resolving code run over every pair of dice.

use super::{Exposure, Factors, Fighter, Judged, Mode, Outcome, Tables, TroopType, Win, factors, result};

/// The distribution of one combat over all pairs of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The factors of both fighters.
    pub factors: [Factors; 2],
    /// Pairs of dice in all; every count below is out of this many.
    pub pairs: u32,
    /// Pairs in which each fighter has the higher total.
    pub wins: [u32; 2],
    /// Pairs with equal totals.
    pub draws: u32,
    /// For each fighter, in how many pairs each outcome befalls it, in the order of [`Outcome::ALL`].
    pub outcomes: [[u32; Outcome::ALL.len()]; 2],
}

impl Odds {
    /// In how many pairs this befalls the fighter in this place (0 or 1).
    pub fn count(&self, fighter: usize, outcome: Outcome) -> u32 {
        self.outcomes.get(fighter).map_or(0, |o| o[outcome as usize])
    }

    /// In how many pairs the fighter in this place is off the table at the end: destroyed, ensorcelled,
    /// captured or fled the battlefield. Of what a recoil runs into only enemies at flank and rear count here (HOTT-303);
    /// in a position [`Battle::fight_chances`](crate::battle::Battle::fight_chances) counts the rest.
    pub fn removed(&self, fighter: usize) -> u32 {
        [Outcome::FleeField, Outcome::Ensorcelled, Outcome::Destroyed, Outcome::Captured]
            .into_iter()
            .map(|o| self.count(fighter, o))
            .sum()
    }
}

/// The exact odds of a combat; `answered` as in [`result`].
pub fn odds(tables: &Tables, mode: Mode, fighters: [&Fighter; 2], answered: bool) -> Odds {
    let [a, b] = fighters;
    let [part_a, part_b] = mode.parts();
    let lists = [factors(tables, part_a, a, b), factors(tables, part_b, b, a)];
    let sums = [lists[0].sum(), lists[1].sum()];
    let sides = tables.numbers.die_sides;
    let mut odds =
        Odds { factors: lists, pairs: 0, wins: [0; 2], draws: 0, outcomes: [[0; Outcome::ALL.len()]; 2] };
    for die_a in 1..=sides {
        for die_b in 1..=sides {
            let totals = [sums[0] + die_a, sums[1] + die_b];
            odds.pairs += 1;
            match Win::of(tables, totals) {
                Win::Draw => odds.draws += 1,
                Win::By(winner, _) => odds.wins[winner] += 1,
            }
            let judged: [Judged; 2] = result(tables, mode, fighters, totals, answered);
            for ((counts, j), who) in odds.outcomes.iter_mut().zip(judged).zip(fighters) {
                let falls_back = matches!(j.outcome, Outcome::Recoil | Outcome::Flee);
                let outcome =
                    if falls_back && is_trapped(tables, who) { Outcome::Destroyed } else { j.outcome };
                counts[outcome as usize] += 1;
            }
        }
    }
    odds
}

/// HOTT-303, HOTT-316: it cannot recoil with an enemy in contact with its flank or rear; Sneakers count against
/// generals only (or by the option `sneaker_break`).
fn is_trapped(tables: &Tables, who: &Fighter) -> bool {
    let sneakers = who.general || tables.options.sneaker_break;
    who.exposed.iter().any(|e| matches!(e, Exposure::Contacted(by) if sneakers || *by != TroopType::Snk))
}
