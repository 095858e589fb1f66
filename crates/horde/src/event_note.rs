//! What is said besides what happens, mostly for the game master alone.

use crate::event::plural;
use rulebook::rule;

/// What is said besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Damages that were told with a roll and that no hit wants (HC-001).
    Spare(Vec<i32>),
    /// Not Pinned in spite of a failed Test, for he is in melee contact (HC-084).
    Contact,
    /// A broken one fights on by the game master's word (HC-144).
    FightsOn,
    /// HC-140, HC-143: a ruled Magnitude would bring a break or a Test, were it a loss.
    Due {
        /// Magnitude now.
        m: i32,
        /// Of.
        of: i32,
        /// It would break by itself.
        breaks: bool,
    },
    /// HC-107: who is left of a Horde that has dissolved.
    Dissolved {
        /// How many.
        left: i32,
        /// A label for the first of them.
        label: String,
        /// Id of their profile; empty if none is known.
        profile: String,
        /// Usual wounds of one; 0 if the profile has none.
        wounds: i32,
    },
}

impl Note {
    /// As a sentence.
    pub(crate) fn tell(&self, who: &str) -> String {
        match self {
            Self::Spare(d) => {
                let all: Vec<String> = d.iter().map(i32::to_string).collect();
                let were = if d.len() == 1 { "a damage was" } else { "damages were" };
                format!("{who}: {were} not wanted: {}.", all.join(", "))
            }
            Self::Contact => {
                format!("{who} is in melee contact, which ends being Pinned ({}).", rule!("HC-084"))
            }
            Self::FightsOn => format!("{who} does not run: it fights on ({}).", rule!("HC-144")),
            Self::Due { m, of, breaks: true } => format!(
                "{who} has {m} of {of} left, less than a quarter: a ruling is no loss, `{who} breaks` is what a loss would bring ({}).",
                rule!("HC-143")
            ),
            Self::Due { m, of, breaks: false } => format!(
                "{who} has {m} of {of} left, less by a quarter or more: a ruling is no loss, `{who} test` is what a loss would bring ({}).",
                rule!("HC-140")
            ),
            Self::Dissolved { left, label, profile, wounds } => {
                let profile = if profile.is_empty() { "PROFILE" } else { profile };
                let wounds = if *wounds > 0 { wounds.to_string() } else { "WOUNDS".to_owned() };
                format!(
                    "{who} is no Horde any more, {} are left: `add foe {label} {profile} {wounds}` for each who fights on ({}).",
                    plural(*left, "individual"),
                    rule!("HC-107")
                )
            }
        }
    }

    /// As a statement for cases.
    pub(crate) fn fact(&self, who: &str) -> String {
        match self {
            Self::Spare(d) => {
                let all: Vec<String> = d.iter().map(i32::to_string).collect();
                format!("{who} spare damage {}", all.join(", "))
            }
            Self::Contact => format!("{who} in contact HC-084"),
            Self::FightsOn => format!("{who} fights on HC-144"),
            Self::Due { m, of, breaks } => {
                format!("{who} at {m} of {of} {}", if *breaks { "HC-143" } else { "HC-140" })
            }
            Self::Dissolved { left, .. } => format!("{who} dissolves into {left} HC-107"),
        }
    }
}
