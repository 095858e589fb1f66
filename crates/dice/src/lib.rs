//! Dice from outside, by address (design, decision 2).
//!
//! A game's state holds no seed. An engine asks for a throw by an [`Address`] that occurs once in a game
//! (what for, of whom, when); the value depends on the key and that address alone. So a hidden throw never
//! shifts an open one, and any die of any battle can be computed again by itself, on any machine and thread.
//!
//! - [`Seeded`]: the dice of a game, made from a [`Key`];
//! - [`Scripted`]: values in order, which must be used up exactly (tests, cases, replays, typed dice);
//! - [`enumerate`]: every way the dice can fall, for exact odds;
//! - [`Recording`]: wraps any of them and keeps what was thrown;
//! - [`Dist`]: exact distributions of sums and comparisons.
#![deny(clippy::float_arithmetic)]

mod address;
mod dist;
mod enumerating;
mod key;
mod scripted;
mod seeded;

pub use address::{Address, Ask, Dice, NoDice, Recording, Thrown};
pub use dist::{Compared, Dist};
pub use enumerating::{Enumerating, Leaf, Odds, enumerate};
pub use key::Key;
pub use scripted::Scripted;
pub use seeded::{Fixed, Seeded};
