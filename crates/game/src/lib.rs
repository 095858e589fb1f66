//! The contract that every game of the family keeps, and everything that follows from keeping it.
//!
//! A game is a pure state machine: state × command × dice → events, or a refusal, or "these dice are needed".
//! It is a value that implements [`Game`]: the rules in force and the set-up of one battle, encounter or
//! campaign. From that come, once for all games:
//!
//! - [`Table`]: one game under way with its [`record`]: play, undo, replay, snapshots;
//! - [`verify()`]: are the lines whole, are the dice those committed to, does the play follow its revision;
//! - [`case`]: questions of rules as files that run;
//! - [`erased`]: text in, JSON out, for whoever does not know which game it is;
//! - [`conform`]: the suite that a game must pass.
//!
//! Serialization stands only here and at a game's own edge: position, events and views as JSON.
#![deny(clippy::float_arithmetic)]

pub mod case;
pub mod conform;
mod contract;
mod digest;
pub mod erased;
mod head;
mod problem;
pub mod record;
mod seat;
mod table;
mod verify;

pub use contract::{Debt, Game, Outcome, Owed, Refusal, Stop};
pub use digest::Digest;
pub use erased::{Answer, AnyGame, AnyTable, Kind, Tried, Wanted};
pub use head::{foreign_notation, notation_head};
pub use problem::{Place, Problem, Problems};
pub use seat::{Actor, Seat, Viewer};
pub use table::{NotCorrected, Played, Table, TableError, UndoRefused, wrong_die};
pub use verify::{DiceVerdict, Lines, Play, Verdict, verify};
