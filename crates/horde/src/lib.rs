//! Horde combat in a d100 game: engine, exact odds and the game master's tracker (rules HC-nnn).
//!
//! - pure rules, no dice: [`attack`], [`damage`], [`morale`], [`roll`], [`unit`], with their numbers in [`tables`] and
//!   their choices in [`options`];
//! - what a file holds: [`library`], [`document`], read with all faults told;
//! - the engine behind the contract of `game`: [`Encounter`], with commands in words ([`words`]) and events ([`event`]);
//! - what follows from it without a game master: [`plan`], [`odds`], [`sim`], and the reports of [`cli`];
//! - [`tracker`]: the terminal.
//!
//! Invariants: nothing here reads a clock or a file but `tracker::terminal`; a Horde's Magnitude is never below 0; a
//! player's view is made by [`view`] alone and holds no number of a Horde.
#![deny(clippy::float_arithmetic)]

pub mod arms;
pub mod attack;
mod candidates;
#[allow(clippy::float_arithmetic, reason = "reports of chances; no game is decided here")]
pub mod cli;
pub mod command;
mod contest;
pub mod damage;
pub mod document;
mod document_json;
mod document_links;
pub mod encounter;
pub mod engine;
pub mod event;
mod event_facts;
mod event_json;
mod event_note;
mod fight;
mod harm;
pub mod library;
pub mod load;
pub mod morale;
#[allow(clippy::float_arithmetic, reason = "reports of chances; no game is decided here")]
pub mod odds;
pub mod options;
pub mod plan;
pub mod problem;
pub mod questions;
mod reader;
pub mod roll;
pub mod rule;
mod rulings;
mod shown;
#[allow(clippy::float_arithmetic, reason = "reports of chances; no game is decided here")]
pub mod sim;
pub mod state;
pub mod tables;
pub mod tracker;
mod trials;
mod turns;
pub mod unit;
pub mod view;
pub mod words;
mod words_print;
mod words_read;
mod words_tokens;

pub use encounter::Encounter;
pub use fight::{parry_bonus, reaction_score, reactions};
