//! Horde combat: engine, exact odds and tracker.

pub mod arms;
pub mod attack;
pub mod damage;
pub mod library;
pub mod morale;
pub mod options;
pub mod problem;
mod reader;
pub mod roll;
pub mod rule;
pub mod tables;
pub mod unit;
