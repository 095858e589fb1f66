//! Horde combat: engine, exact odds and tracker.

mod arms;
mod library;
mod options;
mod problem;
mod reader;
mod rule;
mod tables;
