//! The set-up document: what a record's header and a case's `[setup]` hold.
//!
//! ```toml
//! [setup]
//! scale = "15mm"
//! defender = "A"                # leave out what is to be diced for or chosen in play
//! edges = { A = "lower", B = "upper" }
//! ground = ["wood disc 800 900 150"]
//! [[setup.sides]]
//! army = "Orcs"
//! [[setup.sides.commands]]
//! elements = [{ type = "Warband", count = 8 }, { type = "Hero", general = true }]
//! ```

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A set-up. Whatever it leaves out is diced for or chosen at the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// `15mm` (the default) or `25mm` (HOTT-001).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<String>,
    /// The board's width and height in paces; left out: as HOTT-004 or BB-020 have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<[i32; 2]>,
    /// The armies, in order: side A, B, C …
    pub sides: Vec<SideSetup>,
    /// BB-090: groups of allied sides, by letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alliances: Vec<Vec<String>>,
    /// Players, where a side has several or wants a name; left out: one a side, named by its letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatSetup>,
    /// The ground, one feature a line; left out: the defender lays it (HOTT-070).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<Vec<String>>,
    /// The side that defends; left out: diced for (HOTT-069).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defender: Option<String>,
    /// Base edges by side; left out: diced for (HOTT-071).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub edges: BTreeMap<String, String>,
    /// BB-085: a campaign's or a scenario's battle: no Baggage, and a Stronghold where a side says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub campaign: bool,
    /// After this many bounds in all the battle ends undecided; 0: never.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bound_limit: u32,
    /// CAM-154: a battle of a map campaign, by its rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<ContestSetup>,
}

/// CAM-154: what a map campaign says of a battle; what it says of a side, command or element stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContestSetup {
    /// CAM-025: a reserve general who fails tries again in the next bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub each_bound: bool,
    /// CAM-077: half is counted in elements instead of AP.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub half_of_elements: bool,
    /// CAM-072, CAM-073, CAM-155: what the ground must show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<crate::battle::GroundDuty>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// One army.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideSetup {
    /// Its name.
    #[serde(default)]
    pub army: String,
    /// Its commands; in a normal battle one.
    pub commands: Vec<CommandSetup>,
    /// Whether it has a Stronghold (Baggage in a big battle); left out: the defender has (HOTT-072), in big battles
    /// everybody (BB-021).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stronghold: Option<bool>,
    /// CAM-012: in a campaign's battle its Hordes may be raised again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hordes_return: bool,
}

/// One command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandSetup {
    /// Its name; left out: the army's, or `first`, `second` …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// BB-002: its general is the commander-in-chief; left out everywhere: the first command's is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_chief: bool,
    /// It comes on later, from this bound on, over its side's base edge; 0: it is deployed with the rest.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late: u32,
    /// CAM-076: in a campaign's battle a contingent, which comes on by this edge after its die has called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contingent: Option<crate::battle::Entry>,
    /// Its elements.
    pub elements: Vec<ElementSetup>,
}

/// Some elements of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementSetup {
    /// The type, in any of its spellings.
    #[serde(rename = "type")]
    pub ty: String,
    /// How many; 1 if left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u16,
    /// The first of them holds the general.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub general: bool,
    /// Their name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// BB-007: `elite` or `levy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
    /// BB-011, BB-015.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub armed: bool,
    /// HOTT-352: the people they belong to within the army; 0 is the army's own.
    #[serde(default, skip_serializing_if = "is_own")]
    pub contingent: u8,
    /// CAM-022: in a campaign's battle it holds a general who may take over, the first before the second.
    #[serde(default, skip_serializing_if = "is_own")]
    pub reserve: u8,
}

const fn one() -> u16 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
const fn is_one(n: &u16) -> bool {
    *n == 1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
const fn is_own(n: &u8) -> bool {
    *n == 0
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatSetup {
    /// His name at the table.
    pub name: String,
    /// His side's letter.
    pub side: String,
    /// The numbers of the commands that he gives orders to, from 1; empty: all of his side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<usize>,
}
