//! Hordes of the Things: the base game and its big battles.
//!
//! `battle` is the vocabulary of play, `ground` the board's terrain, `table` holds the rules that are tables (troops, factors, outcomes, options, numbers), `army` the army
//! lists and their checking.
#![deny(clippy::float_arithmetic)]

pub mod army;
pub mod battle;
pub mod contacts;
#[allow(dead_code)] // used by words and position
mod figure;
pub mod ground;
pub mod moves;
pub mod sight;
pub mod table;
pub mod words;
