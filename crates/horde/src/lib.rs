//! Horde combat: engine, exact odds and tracker.

pub mod arms;
pub mod attack;
pub mod cli;
pub mod command;
pub mod damage;
pub mod document;
pub mod encounter;
pub mod engine;
pub mod event;
mod fight;
pub mod library;
pub mod morale;
pub mod odds;
pub mod options;
pub mod plan;
pub mod problem;
pub mod questions;
mod reader;
pub mod roll;
pub mod rule;
mod rulings;
pub mod sim;
pub mod state;
pub mod tables;
pub mod tracker;
mod trials;
pub mod unit;
pub mod view;
pub mod words;

pub use encounter::Encounter;
pub use fight::{parry_bonus, reaction_score, reactions};
