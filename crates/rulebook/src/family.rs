//! The five games, by the prefix of their rules and by the first word of their keys.

use serde::{Deserialize, Serialize};

/// A game with rules and options of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Family {
    /// Hordes of the Things, the base game: `HOTT-nnn`, keys `hott.`
    Hott = 0,
    /// Big battles of many commands and sides: `BB-nnn`, keys `big.`
    Big = 1,
    /// Hordes & Heroes, on hexes: `HH-nnn`, keys `heroes.`
    Heroes = 2,
    /// Horde combat, d100: `HC-nnn`, keys `horde.`
    Horde = 3,
    /// The map campaign: `CAM-nnn`, keys `campaign.`
    Campaign = 4,
}

impl Family {
    /// All games, in the order in which their rules sort.
    pub const ALL: [Family; 5] = [Family::Hott, Family::Big, Family::Heroes, Family::Horde, Family::Campaign];

    /// The prefix of its rule ids: `HOTT`.
    pub const fn prefix(self) -> &'static str {
        match self {
            Family::Hott => "HOTT",
            Family::Big => "BB",
            Family::Heroes => "HH",
            Family::Horde => "HC",
            Family::Campaign => "CAM",
        }
    }

    /// The first word of its keys, and the name that `--rules` takes: `hott`.
    pub const fn key(self) -> &'static str {
        match self {
            Family::Hott => "hott",
            Family::Big => "big",
            Family::Heroes => "heroes",
            Family::Horde => "horde",
            Family::Campaign => "campaign",
        }
    }

    /// What people call the game.
    pub const fn title(self) -> &'static str {
        match self {
            Family::Hott => "Hordes of the Things",
            Family::Big => "big battles",
            Family::Heroes => "Hordes & Heroes",
            Family::Horde => "horde combat",
            Family::Campaign => "the map campaign",
        }
    }

    /// The command that takes a rules file of this game.
    pub const fn taken_by(self) -> &'static str {
        match self {
            Family::Hott => "muster battle --rules hott",
            Family::Big => "muster battle --rules big",
            Family::Heroes => "muster battle --rules heroes",
            Family::Horde => "muster horde",
            Family::Campaign => "muster campaign new",
        }
    }

    /// The game with this key or prefix, in any case.
    pub fn named(word: &str) -> Option<Family> {
        let is = |f: &Family| word.eq_ignore_ascii_case(f.key()) || word.eq_ignore_ascii_case(f.prefix());
        Family::ALL.into_iter().find(is)
    }
}
