//! Hordes of the Things.
//!
//! [`Steady`] is the commander: it deploys by role, advances in groups, seeks fights whose exact odds favour it, guards
//! its flanks and its general and spends each PIP where it brings most. [`March`] only marches ahead and fights.
//! All scores are whole numbers, hundredths of an AP.
//!
//! - `worth.rs`: what things are worth, what a fight is expected to bring;
//! - `look.rs`: a position as the commander looks at it; `stand.rs`: what it is worth to stand somewhere;
//! - `ways.rs`: how much longer a way is for rough ground; `peril.rs`: the danger in which a general stands;
//! - `room.rs`: the room to recoil into;
//! - `clash.rs`: the combats of a position, as it is or after a move;
//! - `fire.rs`: shooting, what it brings and what it costs to stand under it;
//! - `ideas.rs`: what to do with a PIP; `groups.rs`: what groups do with it; `onset.rs`: attacks; `reserves.rs`: what to bring on; `fights.rs`: order of combats, targets, magic;
//! - `tasks.rs`: what is wanted of each command of an army, and how a demoralized one is held;
//! - `set_up.rs`: ground, edges, deployment;
//! - `steady.rs`, `march.rs`: the players.

pub mod arena;
mod clash;
mod fights;
mod fire;
mod groups;
mod ideas;
mod look;
mod march;
mod onset;
mod peril;
mod reserves;
mod room;
mod set_up;
mod stand;
mod steady;
mod tasks;
mod terrain;
mod ways;
mod weights;
mod worth;

pub use march::March;
pub use steady::Steady;

use crate::{Player, Random};
use game::Seat;
use hott::battle::{Battle, CommandId, SideId};

/// How well the computer plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Any legal command.
    Random,
    /// Marches ahead and fights.
    March,
    /// The commander.
    #[default]
    Steady,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Level; 3] = [Level::Random, Level::March, Level::Steady];

    /// Its name, as players' own names are.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["random", "march", "steady"][self as usize]
    }

    /// The level of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|l| l.name().eq_ignore_ascii_case(name))
    }

    /// A player of this level with a seed of its own.
    #[must_use]
    pub fn player(self, seed: u64) -> Box<dyn Player<Battle>> {
        match self {
            Level::Random => Box::new(Random::new(seed)),
            Level::March => Box::new(March::new(seed)),
            Level::Steady => Box::new(Steady::new(seed)),
        }
    }
}

/// The side and commands of a seat.
fn acts_for(battle: &Battle, seat: Seat) -> (SideId, &[CommandId]) {
    match battle.seats.get(usize::from(seat.0)) {
        Some(info) => (info.side, &info.commands),
        None => (SideId(0), &[]),
    }
}
