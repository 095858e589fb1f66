//! The server through its routes, with toy games: whole games, bad input, streams, secrets, crashes.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

// The contract's own toys: one with sealed choices, hidden facts and an umpire, one with a choice in mid-move.
#[path = "../../../game/tests/toy_auction.rs"]
mod toy_auction;
#[path = "../../../game/tests/toy_run.rs"]
mod toy_run;

mod bad;
mod battles;
mod crash;
mod desks;
mod hands;
mod hott;
mod kill;
mod others;
mod secrets;
mod streams;
mod support;
mod tcp;
mod ugly;
mod whole;
