//! Hordes of the Things: the base game and its big battles.
//!
//! `battle` is the vocabulary of play, `ground` the board's terrain, `table` holds the rules that are tables (troops, factors, outcomes, options, numbers), `army` the army
//! lists and their checking.
#![deny(clippy::float_arithmetic)]

pub mod army;
mod ask;
mod ask_tables;
pub mod battle;
pub mod bound;
mod brief;
pub mod contacts;
mod figure;
mod game;
pub mod ground;
mod labels;
pub mod moves;
mod outcome;
pub mod position;
pub mod rules;
mod ruling;
pub mod setup;
pub mod sight;
pub mod table;
pub mod view;
pub mod words;
