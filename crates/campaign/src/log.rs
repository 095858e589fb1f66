//! What the adjudicator writes down: every decision with its step, rule, figures and who may read it.

use crate::ids::NationId;
use rulebook::RuleId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// CAM-120, CAM-121: who may read an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// Everybody (CAM-121).
    Public,
    /// These nations, and the umpire.
    Nations(BTreeSet<NationId>),
    /// The umpire alone.
    Umpire,
}

impl Seen {
    /// One nation.
    #[must_use]
    pub fn by(nation: NationId) -> Self {
        Seen::Nations(BTreeSet::from([nation]))
    }

    /// Some nations.
    #[must_use]
    pub fn among(nations: impl IntoIterator<Item = NationId>) -> Self {
        Seen::Nations(nations.into_iter().collect())
    }

    /// Whether a nation may read it.
    #[must_use]
    pub fn includes(&self, nation: NationId) -> bool {
        match self {
            Seen::Public => true,
            Seen::Nations(list) => list.contains(&nation),
            Seen::Umpire => false,
        }
    }
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The step of CAM-160.
    pub step: u8,
    /// The rule that decided.
    pub rule: RuleId,
    /// Who may read it.
    pub seen: Seen,
    /// In a fixed form, for cases: `stop Amber.1 Ford`.
    pub fact: String,
    /// As a sentence.
    pub words: String,
}
