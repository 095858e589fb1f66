//! The map campaign: sealed orders in, a season adjudicated, reports out.
//!
//! [`world`] is the map and the nations; [`State`] all that changes; [`order`] the language of orders; the season
//! runs in the seventeen steps of CAM-160 as a pure function of state, orders and dice addressed by season, step and
//! body. Battles are a pause: the season stops with a list of battles and goes on with their results.
#![deny(clippy::float_arithmetic)]

pub mod again;
mod ask;
pub mod battle;
mod body;
mod campaign;
pub mod cli;
mod command;
pub mod computer;
mod event;
mod ids;
mod log;
mod muster;
pub mod order;
mod position;
pub mod report;
mod rules;
mod season;
pub mod soak;
pub mod sound;
mod state;
pub mod store;
mod tell;
mod turn;
mod view;
pub mod world;

pub use body::{Body, BodyKind, Came};
pub use campaign::{Campaign, DESK};
pub use command::{Command, Ruling};
pub use event::{Event, Refused};
pub use ids::{BodyId, ElementId, Label, NationId, PlaceId, Troop};
pub use log::{Entry, Seen};
pub use muster::{Element, Force, General, Listed, read_troops};
pub use rules::Rules;
pub use state::{Captive, Hand, Note, Pair, Paragraph, Phase, Season, Standing, State, pair};
pub use turn::{Errand, Fate, Leg, March, Passage, Score, Stance, Turn};
pub use view::{Reader, View, possible, twin, view, view_published};
