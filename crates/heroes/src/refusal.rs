//! Refusals: the rule, the figures, and the nearest thing allowed. Sentences are made at the edge.

use crate::hex::Hex;
use crate::state::NOBODY;
use crate::table::Table;
use rulebook::RuleId;

/// Why a command is not allowed. Copied, never allocated: candidates are found by being refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule that forbids it.
    pub rule: RuleId,
    /// The sentence, with `{unit}`, `{other}`, `{leader}`, `{hex}`, `{need}`, `{have}` to be filled in.
    pub why: &'static str,
    /// The unit that was to act.
    pub unit: u8,
    /// Another unit that matters.
    pub other: u8,
    /// A general that matters.
    pub leader: u8,
    /// The hex that matters.
    pub hex: Hex,
    /// What would be needed.
    pub need: i16,
    /// What there is.
    pub have: i16,
    /// The farthest hex that the path reaches lawfully.
    pub nearest: Hex,
}

impl Refusal {
    /// A refusal with nothing filled in.
    #[must_use]
    pub const fn new(rule: RuleId, why: &'static str) -> Refusal {
        Refusal {
            rule,
            why,
            unit: NOBODY,
            other: NOBODY,
            leader: NOBODY,
            hex: Hex::NONE,
            need: 0,
            have: 0,
            nearest: Hex::NONE,
        }
    }

    /// Names the unit.
    #[must_use]
    pub const fn unit(mut self, u: u8) -> Refusal {
        self.unit = u;
        self
    }

    /// Names another unit.
    #[must_use]
    pub const fn other(mut self, u: u8) -> Refusal {
        self.other = u;
        self
    }

    /// Names a general.
    #[must_use]
    pub const fn leader(mut self, g: u8) -> Refusal {
        self.leader = g;
        self
    }

    /// Names the hex.
    #[must_use]
    pub const fn at(mut self, h: Hex) -> Refusal {
        self.hex = h;
        self
    }

    /// Gives the figures.
    #[must_use]
    pub const fn figures(mut self, need: i16, have: i16) -> Refusal {
        self.need = need;
        self.have = have;
        self
    }

    /// The sentence for people, with the rule and the nearest thing allowed.
    #[must_use]
    pub fn text(&self, t: &Table) -> String {
        let mut out = self
            .why
            .replace("{unit}", t.label(self.unit))
            .replace("{other}", t.label(self.other))
            .replace("{leader}", t.leader_label(self.leader))
            .replace("{hex}", &t.hex(self.hex))
            .replace("{need}", &self.need.to_string())
            .replace("{have}", &self.have.to_string());
        out.push_str(&format!(" ({})", self.rule));
        if self.nearest.on() {
            out.push_str(&format!("; it can go as far as {}", t.hex(self.nearest)));
        }
        out
    }
}
