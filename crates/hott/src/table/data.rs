//! The table file as it is written, before anything is checked beyond its shape.

use std::collections::BTreeMap;

use rulebook::RuleId;
use serde::Deserialize;

/// The shipped file.
pub(super) const SHIPPED: &str = include_str!("../../../../data/rules/hott.toml");
/// What messages call it.
pub(super) const SHIPPED_NAME: &str = "data/rules/hott.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFile {
    pub(super) types: BTreeMap<String, RawType>,
    pub(super) factor: RawFactor,
    pub(super) equal: Vec<RawPair>,
    pub(super) outcome: BTreeMap<String, RawRow>,
    pub(super) number: BTreeMap<String, i64>,
    pub(super) number_note: BTreeMap<String, RawNote>,
    pub(super) variant: Vec<RawVariant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawType {
    pub(super) rule: RuleId,
    pub(super) class: String,
    pub(super) ap: i64,
    pub(super) general: bool,
    pub(super) road: i64,
    pub(super) road_in_bad: i64,
    pub(super) good: i64,
    pub(super) bad: i64,
    pub(super) water: i64,
    pub(super) cf_foot: i64,
    pub(super) cf_mounted: i64,
    pub(super) pursues: bool,
    pub(super) bespells: bool,
    pub(super) shoots_range: i64,
    pub(super) shoots_in: String,
    pub(super) depth_mm15: i64,
    pub(super) depth_mm25: i64,
    pub(super) big: bool,
    pub(super) arms: Option<RuleId>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFactor {
    pub(super) rank_support: Vec<String>,
    pub(super) scout_support: Vec<String>,
    pub(super) scout_against: Vec<String>,
    pub(super) at_home: Vec<String>,
    pub(super) needs_open_enemy: Vec<String>,
    pub(super) hampers_all: Vec<String>,
    pub(super) stronghold_protects: Vec<String>,
    pub(super) strike_back: Vec<String>,
    pub(super) fear_sneakers: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPair {
    pub(super) one: Vec<String>,
    pub(super) other: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRow {
    pub(super) rule: RuleId,
    pub(super) same_as: Option<String>,
    pub(super) beaten: Option<Vec<RawEntry>>,
    pub(super) doubled: Option<Vec<RawEntry>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEntry {
    pub(super) winner: Option<Vec<String>>,
    pub(super) by: Option<Vec<String>>,
    pub(super) going: Option<String>,
    pub(super) just_contacted: Option<bool>,
    pub(super) ground_aid: Option<bool>,
    pub(super) option: Option<String>,
    pub(super) is: Option<String>,
    pub(super) result: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNote {
    pub(super) rule: RuleId,
    pub(super) unit: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawVariant {
    pub(super) option: String,
    pub(super) is: String,
    pub(super) set: toml::Table,
}
