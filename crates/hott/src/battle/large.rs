//! What only battles with several commands or more than two sides have to remember. Empty in a normal battle.

use serde::{Deserialize, Serialize};

/// BB-091: which part of an edge of the board is a side's base edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// The left half of a long edge, the lower half of an upright one.
    Low,
    /// The right half, the upper half.
    High,
}

/// The rest of a state, for battles with several commands, sides or a host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Large {
    /// BB-091: parts of edges, by side; empty: whole edges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// BB-083: sides whose Baggage was taken and removed, one bit each.
    #[serde(skip_serializing_if = "is_none")]
    pub baggage_lost: u8,
    /// BB-085: sides that have a Stronghold, not Baggage, in a big battle, one bit each.
    #[serde(skip_serializing_if = "is_none")]
    pub strongholds: u8,
    /// BB-085: a campaign's battle, in which nobody has Baggage.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub campaign: bool,
    /// BB-098: commands whose players are done with the step, one bit each.
    #[serde(skip_serializing_if = "nothing")]
    pub done: u64,
    /// The host has called the last bound: the battle ends when every side has had as many.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub last_bound: bool,
    /// BB-034: the PIP dice have fallen and the commander-in-chief has yet to assign the scores.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub assigning: bool,
    /// The host has stopped the clock: nobody acts but he.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Seats that hold commands since the host gave them over, by command; 255: as seated. Empty: all as seated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holders: Vec<u8>,
    /// From which bound on a command comes on, by command; 0: it is deployed. Empty: all are deployed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<u32>,
    /// CAM-154: a battle of a map campaign, by its rules; they are not those of the big battles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<super::Contest>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
const fn is_none(n: &u8) -> bool {
    *n == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
const fn nothing(n: &u64) -> bool {
    *n == 0
}

impl Large {
    /// The bound from which on a command comes on; 0: it is deployed with the rest.
    #[must_use]
    pub fn late(&self, command: super::CommandId) -> u32 {
        self.late.get(command.index()).copied().unwrap_or(0)
    }

    /// BB-091: the part of its edge that is this side's.
    #[must_use]
    pub fn part(&self, side: super::SideId) -> Part {
        self.parts.get(side.index()).copied().unwrap_or_default()
    }

    /// BB-083: whether this side's Baggage was taken.
    #[must_use]
    pub fn has_lost_baggage(&self, side: super::SideId) -> bool {
        self.baggage_lost & (1 << side.0) != 0
    }
}
