//! What a command is worth over all its dice.

use dice::enumerate;
use game::{Actor, Game, Stop};

/// A mean in whole numbers: `sum` out of `ways`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The values of all ways the dice can fall, each as often as it is likely.
    pub sum: i128,
    /// All ways.
    pub ways: i128,
}

impl Expected {
    /// The mean, rounded down.
    #[must_use]
    pub fn mean(self) -> i64 {
        i64::try_from(self.sum.div_euclid(self.ways.max(1))).unwrap_or(i64::MAX)
    }
}

/// The exact mean of `value` over the states that a command leads to, by enumeration of its dice.
///
/// # Errors
/// The refusal, if the command is not legal.
pub fn expected<G: Game>(
    game: &G,
    state: &G::State,
    by: Actor,
    command: &G::Command,
    mut value: impl FnMut(&G::State) -> i64,
) -> Result<Expected, Stop<G::Refusal>> {
    let mut copy = state.clone();
    let mut events = Vec::new();
    let leaves = enumerate(|dice| {
        copy.clone_from(state);
        events.clear();
        game.apply(&mut copy, by, command, dice, &mut events).map(|()| value(&copy))
    });
    let ways = leaves.iter().fold(1_u128, |all, leaf| lcm(all, leaf.one_in));
    let mut sum = 0_i128;
    for leaf in leaves {
        let weight = i128::try_from(ways / leaf.one_in.max(1)).unwrap_or(i128::MAX);
        sum = sum.saturating_add(i128::from(leaf.result?).saturating_mul(weight));
    }
    Ok(Expected { sum, ways: i128::try_from(ways).unwrap_or(i128::MAX) })
}

fn lcm(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}
