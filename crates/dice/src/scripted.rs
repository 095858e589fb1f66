//! Dice that somebody else threw: a test's, a case's, a record's, a player's own typed in.

use crate::address::{Ask, Dice, NoDice};
use std::collections::VecDeque;

/// Values in the order in which they are asked for. A test fails if any are left over ([`Scripted::left`]).
///
/// For typed dice the same type serves: what is lacking comes back as [`NoDice::Needs`], the player types it,
/// and the same command is applied again with a source that holds the values typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scripted {
    values: VecDeque<u16>,
}

impl Scripted {
    /// Dice that will fall like this.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = u16>) -> Self {
        Self { values: values.into_iter().collect() }
    }

    /// The values nobody asked for.
    #[must_use]
    pub fn left(&self) -> Vec<u16> {
        self.values.iter().copied().collect()
    }
}

impl Dice for Scripted {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        if self.values.len() < asks.len() {
            return Err(NoDice::Needs(asks[self.values.len()..].to_vec()));
        }
        for (ask, value) in asks.iter().zip(self.values.iter()) {
            if !(1..=ask.sides).contains(value) {
                return Err(NoDice::OutOfRange { ask: *ask, value: *value });
            }
        }
        for (value, taken) in values.iter_mut().zip(self.values.drain(..asks.len())) {
            *value = taken;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_in_order_and_names_what_is_lacking() {
        let asks = [Ask::d6("combat", 1, 1), Ask::d6("combat", 2, 1), Ask::d6("combat", 3, 1)];
        let mut dice = Scripted::new([4, 2]);
        let mut values = [0; 3];
        assert_eq!(dice.throw(&asks, &mut values), Err(NoDice::Needs(vec![asks[2]])));
        assert_eq!(dice.left(), [4, 2], "nothing is half done");
        assert_eq!(dice.two([asks[0], asks[1]]), Ok([4, 2]));
        assert!(dice.left().is_empty());
    }

    #[test]
    fn a_seven_is_refused() {
        let ask = Ask::d6("combat", 1, 1);
        let error = Scripted::new([7]).one(ask).unwrap_err();
        assert_eq!(error, NoDice::OutOfRange { ask, value: 7 });
        assert!(error.to_string().contains("1 to 6"));
    }
}
