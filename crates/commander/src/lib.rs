//! Computer players.
//!
//! The generic part knows no game: [`Player`] chooses a command, [`fight`] runs a game between players with its
//! record and [`skim`] without, [`series`] runs many on all cores, [`expected`] weighs a command over its dice.
//! `hott` plays Hordes of the Things.
//!
//! A player is shown a [`Sight`]: a game and state made from its seat's view, hidden facts guessed. It never sees the
//! true state and never holds the key of the dice. What it chooses depends on the sight and its own seed alone, so
//! a game can be taken up again at any position and goes on the same.
#![deny(clippy::float_arithmetic)]

mod choose;
mod expect;
mod fight;
pub mod hott;
mod player;

pub use choose::Choose;
pub use expect::{Expected, expected};
pub use fight::{Played, Stuck, fight, fight_on, game_key, series, skim};
pub use player::{Player, Random, Sight};
