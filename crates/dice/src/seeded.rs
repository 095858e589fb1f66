//! The dice of a game in earnest.

use crate::address::{Address, Ask, Dice, NoDice};
use crate::key::Key;
use std::collections::BTreeMap;

/// Dice made from a key: a keyed hash of the address, brought to the faces without bias.
#[derive(Clone, Debug)]
pub struct Seeded {
    key: Key,
    taken_back: BTreeMap<Address, u32>,
}

impl Seeded {
    /// The dice of one game. `key` is what [`Key::with_words`] gave.
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self { key, taken_back: BTreeMap::new() }
    }

    /// The die at `address` was seen and taken back by a player: from now on another stands there, so that
    /// nobody looks at a die twice. (An umpire's correction does not call this and gets the same dice.)
    pub fn take_back(&mut self, address: Address) {
        *self.taken_back.entry(address).or_insert(0) += 1;
    }

    fn value(&self, ask: Ask) -> u16 {
        let again = self.taken_back.get(&ask.address).copied().unwrap_or(0);
        let sides = u64::from(ask.sides.max(1));
        // The largest multiple of `sides` that fits; what lies beyond would favour the low faces.
        let fair = u64::MAX - (u64::MAX % sides + 1) % sides;
        for attempt in 0_u32.. {
            let mut hasher = blake3::Hasher::new_keyed(self.key.bytes());
            let a = ask.address;
            hasher.update(a.purpose.as_bytes()).update(&[0]);
            let mut numbers = [0_u8; 26];
            numbers[..8].copy_from_slice(&a.subject.to_le_bytes());
            numbers[8..16].copy_from_slice(&a.moment.to_le_bytes());
            numbers[16..20].copy_from_slice(&again.to_le_bytes());
            numbers[20..22].copy_from_slice(&ask.sides.to_le_bytes());
            numbers[22..].copy_from_slice(&attempt.to_le_bytes());
            hasher.update(&numbers);
            let mut first = [0; 8];
            first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
            let raw = u64::from_le_bytes(first);
            if raw <= fair {
                return u16::try_from(raw % sides).unwrap_or(0) + 1;
            }
        }
        1 // not reached: an attempt fails less than once in 10^16
    }
}

impl Dice for Seeded {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        for (ask, value) in asks.iter().zip(values) {
            *value = self.value(*ask);
        }
        Ok(())
    }
}

/// Every die shows the same (or its highest face, if that is less): for tests and for rough looks ahead.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(pub u16);

impl Dice for Fixed {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        for (ask, value) in asks.iter().zip(values) {
            *value = self.0.clamp(1, ask.sides.max(1));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn d6(subject: u64, moment: u64) -> Ask {
        Ask::d6("pips", subject, moment)
    }

    /// Golden: these values may never change, or every record ever made stops verifying.
    #[test]
    fn the_dice_of_a_key_are_pinned() {
        let key = Key::from_seed(1);
        assert_eq!(key.commitment(), GOLDEN_COMMITMENT);
        let mut dice = Seeded::new(key.with_words("hott", &["a word".to_owned()]));
        let row: Vec<u16> = (0..24).map(|n| dice.one(d6(n % 2, n / 2)).unwrap()).collect();
        assert_eq!(row, GOLDEN_D6);
        let row: Vec<u16> = (0..8).map(|n| dice.one(Ask::new("hit", n, 3, 100)).unwrap()).collect();
        assert_eq!(row, GOLDEN_D100);
    }
    const GOLDEN_COMMITMENT: &str = "4fc28411ce7ea07fddaf97531d76be9dbb397624a0111080a06456108d071157";
    const GOLDEN_D6: [u16; 24] = [5, 4, 6, 3, 6, 5, 6, 4, 1, 5, 5, 3, 2, 3, 4, 4, 6, 3, 4, 1, 2, 2, 6, 2];
    const GOLDEN_D100: [u16; 8] = [51, 10, 13, 93, 93, 27, 50, 28];

    #[test]
    fn six_faces_fall_alike() {
        let mut dice = Seeded::new(Key::from_seed(7));
        let mut seen = [0_i64; 6];
        for n in 0..60_000 {
            seen[usize::from(dice.one(d6(n, 1)).unwrap()) - 1] += 1;
        }
        // chi-square with 5 degrees of freedom: 20.5 is one in a thousand, and the key is fixed
        let spread: i64 = seen.iter().map(|&s| (s - 10_000) * (s - 10_000)).sum();
        assert!(spread < 205_000, "{seen:?}");
    }

    #[test]
    fn a_die_taken_back_is_another_die_and_the_rest_stay() {
        let mut dice = Seeded::new(Key::from_seed(3));
        let before: Vec<u16> = (0..50).map(|n| dice.one(d6(0, n)).unwrap()).collect();
        (0..50).step_by(2).for_each(|n| dice.take_back(d6(0, n).address));
        let after: Vec<u16> = (0..50).map(|n| dice.one(d6(0, n)).unwrap()).collect();
        assert!(before.iter().zip(&after).skip(1).step_by(2).all(|(b, a)| b == a));
        assert!(before.iter().zip(&after).step_by(2).any(|(b, a)| b != a));
    }

    proptest! {
        #[test]
        fn a_throw_does_not_depend_on_what_was_thrown_before(seed: u64, others in prop::collection::vec(any::<u64>(), 0..20), s: u64, m: u64) {
            let key = Key::from_seed(seed);
            let mut alone = Seeded::new(key.clone());
            let mut busy = Seeded::new(key);
            for o in others { busy.one(Ask::new("other", o, o, 100)).unwrap(); }
            prop_assert_eq!(alone.one(d6(s, m)).unwrap(), busy.one(d6(s, m)).unwrap());
        }

        #[test]
        fn faces_are_in_range(seed: u64, s: u64, sides in 1_u16..=1000) {
            let value = Seeded::new(Key::from_seed(seed)).one(Ask::new("x", s, 0, sides)).unwrap();
            prop_assert!((1..=sides).contains(&value));
        }

        #[test]
        fn a_key_prints_and_reads_back(seed: u64) {
            let key = Key::from_seed(seed);
            prop_assert_eq!(key.to_string().parse::<Key>().unwrap(), key);
        }
    }
}
