//! Hordes & Heroes on hexes: the whole bound, judged and carried out by one pure state machine.
//!
//! The numbers stand in `data/rules/heroes.toml` ([`tables`]), the lists in `data/armies/heroes` ([`army`]), the boards
//! in `data/maps/heroes` ([`map`]). [`state::State`] is flat and copied; [`table::Table`] is what never changes.
//! [`play::apply`] carries a command out up to the next choice of anybody, [`owed`] says whose it is, and
//! [`candidates`] lists what may be done.
#![deny(clippy::float_arithmetic)]

pub mod advice;
pub mod army;
pub mod bound;
pub mod build;
pub mod candidates;
pub mod cli;
pub mod command;
pub mod commander;
pub mod contract;
pub mod control;
pub mod deploy;
pub mod event;
pub mod flight;
pub mod hex;
pub mod map;
pub mod melee;
pub mod moves;
pub mod notation;
pub mod odds;
pub mod options;
pub mod owed;
pub mod pairing;
pub mod play;
pub mod position;
pub mod questions;
pub mod reach;
pub mod refusal;
pub mod respond;
pub mod retreat;
pub mod ruling;
pub mod setup;
pub mod shoot;
pub mod sight;
pub mod state;
pub mod table;
pub mod tables;
pub mod view;
pub mod ways;
pub mod withdraw;
pub mod words;
pub mod zones;

pub use contract::Heroes;
