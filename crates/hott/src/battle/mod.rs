//! A battle: set-up, state, commands, events, and the rules that lead from one to the next.
//!
//! - [`Battle`]: what does not change (rules in force, armies, names, seats);
//! - [`State`]: what does, flat and cheap to copy;
//! - [`Command`], [`Event`], [`Refusal`]: the vocabulary of play.
//!
//! A normal battle is the case of two sides with one command each: nothing here asks "is this a big battle" where
//! it can ask the options, the commands or who is hostile.

mod command;
mod contest;
mod event;
mod ids;
mod large;
mod refusal;
mod roster;
mod sound;
mod state;

pub use command::{Ambush, Charge, Command, Face, Leg, LineUp, MoveOrder, Target};
pub use contest::{Contest, Entry, GroundDuty, Terms};
pub use event::{Close, Departure, Event, Side2, Throw2};
pub use ids::{CommandId, ElementId, SideId};
pub use large::{Large, Part};
pub use refusal::{Refusal, Why};
pub use roster::{Battle, CommandInfo, ElementInfo, Opening, SeatInfo, SideInfo};
pub use state::{
    CommandState, Deed, ElementState, Ending, Fate, Flags, House, Over, Pending, Phase, Replies,
    ShooterReply, SideState, State, Strong,
};
