//! Who fights a campaign's battles: the crate itself only reckons them; the binary brings a table and its computer
//! players, so that this crate needs to know neither.

use super::{Battle, BattleResult};
use crate::rules::Rules;
use crate::state::State;
use crate::world::World;
use dice::Key;
use game::Problem;
use std::fmt;

/// A battle to be fought by somebody.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The world: the nations' lists and marks.
    pub world: &'a World,
    /// The campaign's rules.
    pub rules: &'a Rules,
    /// The campaign when the battle is fought.
    pub state: &'a State,
    /// The battle with its set-up.
    pub battle: &'a Battle,
    /// The key of this battle's dice: always the same for the same battle of the same season, so that a season run
    /// again has the same dice.
    pub key: &'a Key,
}

impl fmt::Debug for Task<'_> {
    // The key is the umpire's secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Task({})", self.battle.name())
    }
}

/// A battle fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Fought {
    /// How it came out.
    pub result: BattleResult,
    /// The record of the battle, one line for each command, if one was kept.
    pub record: Option<String>,
}

/// Fights battles to their end.
pub trait Fighter {
    /// Fights one.
    ///
    /// # Errors
    /// Why it could not be fought out.
    fn fight(&mut self, task: Task<'_>) -> Result<Fought, Problem>;
}

/// The key of a battle's dice, derived from the campaign's.
#[must_use]
pub fn battle_key(key: &Key, state: &State, battle: &Battle) -> Key {
    key.with_words("campaign battle", &[state.number().to_string(), battle.name()])
}
