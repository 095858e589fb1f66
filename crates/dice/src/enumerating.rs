//! Every way the dice can fall: exact odds from the code that resolves in earnest.

use crate::address::{Ask, Dice, NoDice};
use std::collections::BTreeMap;

/// The source that [`enumerate`] hands to its closure.
#[derive(Debug, Default)]
pub struct Enumerating {
    /// Faces chosen so far on this way, with the faces of their dice.
    path: Vec<(u16, u16)>,
    at: usize,
}

impl Dice for Enumerating {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        for (ask, value) in asks.iter().zip(values) {
            if self.at == self.path.len() {
                self.path.push((ask.sides.max(1), 1));
            }
            *value = self.path[self.at].1;
            self.at += 1;
        }
        Ok(())
    }
}

/// One way the dice can fall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf<T> {
    /// The chance of this way is one in this many.
    pub one_in: u128,
    /// What came of it.
    pub result: T,
}

/// Runs `run` once for every way its dice can fall, in a fixed order. How many dice it throws, and of how many
/// faces, may depend on the earlier ones.
pub fn enumerate<T>(mut run: impl FnMut(&mut Enumerating) -> T) -> Vec<Leaf<T>> {
    let mut dice = Enumerating::default();
    let mut leaves = Vec::new();
    loop {
        dice.at = 0;
        let result = run(&mut dice);
        // Dice that a shorter way left unthrown belong to no way.
        dice.path.truncate(dice.at);
        leaves.push(Leaf { one_in: dice.path.iter().map(|&(sides, _)| u128::from(sides)).product(), result });
        while dice.path.last().is_some_and(|&(sides, face)| face == sides) {
            dice.path.pop();
        }
        match dice.path.last_mut() {
            Some((_, face)) => *face += 1,
            None => return leaves,
        }
    }
}

/// Chances of named results as exact fractions with one common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds<T: Ord> {
    /// How many of [`Odds::ways`] lead to each result.
    pub of: BTreeMap<T, u128>,
    /// All ways; the numbers in [`Odds::of`] add up to it exactly.
    pub ways: u128,
}

impl<T: Ord> Odds<T> {
    /// Adds up the leaves of [`enumerate`].
    #[must_use]
    pub fn new(leaves: Vec<Leaf<T>>) -> Self {
        let ways = leaves.iter().fold(1, |all, leaf| lcm(all, leaf.one_in));
        let mut of = BTreeMap::new();
        for leaf in leaves {
            *of.entry(leaf.result).or_insert(0) += ways / leaf.one_in;
        }
        Self { of, ways }
    }

    /// Chance of a result in millionths, rounded to nearest.
    pub fn millionths(&self, result: &T) -> u64 {
        let n = self.of.get(result).copied().unwrap_or(0);
        u64::try_from((n * 2_000_000 + self.ways) / (2 * self.ways)).unwrap_or(1_000_000)
    }
}

fn lcm(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_exactly_even_when_later_dice_depend_on_earlier_ones() {
        let odds = Odds::new(enumerate(|dice| {
            let first = dice.one(Ask::d6("a", 0, 0)).unwrap();
            if first == 6 { first + dice.one(Ask::new("b", 0, 0, 10)).unwrap() } else { first }
        }));
        assert_eq!(odds.ways, 60);
        assert_eq!(odds.of.values().sum::<u128>(), odds.ways);
        assert_eq!((odds.of[&5], odds.of[&16]), (10, 1));
        assert_eq!(odds.millionths(&5), 166_667);
    }

    #[test]
    fn no_die_no_choice() {
        assert_eq!(enumerate(|_| 3), [Leaf { one_in: 1, result: 3 }]);
    }

    #[test]
    fn two_dice_have_36_ways() {
        let leaves = enumerate(|dice| dice.two([Ask::d6("a", 0, 0), Ask::d6("a", 1, 0)]).unwrap());
        assert_eq!(leaves.len(), 36);
        assert!(leaves.iter().all(|leaf| leaf.one_in == 36));
    }
}
