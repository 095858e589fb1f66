//! Why a command is not allowed: a rule, the figures, the nearest thing that is. Sentences are made in
//! `words.rs` from this alone.

use super::{CommandId, ElementId, Phase};
use rulebook::RuleId;
use std::fmt;

/// A refusal.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The rule that forbids it; `None` for what no rule speaks of.
    pub rule: Option<RuleId>,
    /// What is wrong, with its figures.
    pub why: Why,
    /// The sentence, with labels: made where the labels are known (`Battle::explain`).
    pub words: String,
}

/// What is wrong with a command. Lengths in 1/100 pace.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Not this actor's to give.
    NotYours,
    /// Not in this phase.
    NotNow(Phase),
    /// There is a choice to be made first.
    ChoiceFirst,
    /// Not on table.
    NotOnTable(ElementId),
    /// Already moved (HOTT-110).
    HasMoved(ElementId),
    /// Too far: so much is needed, so much is allowed.
    TooFar {
        /// Who.
        who: ElementId,
        /// Needed.
        needed: i32,
        /// Allowed.
        allowed: i32,
    },
    /// It may not move there at all.
    NoGoing(ElementId),
    /// Too dear: so many PIPs are needed, so many are left.
    Pips {
        /// Of which command.
        command: CommandId,
        /// Needed.
        needed: u8,
        /// Left.
        left: u8,
    },
    /// Not a group (HOTT-119).
    NotAGroup(ElementId),
    /// Something is in the way.
    InTheWay {
        /// Who moves.
        who: ElementId,
        /// The element in the way.
        by: ElementId,
    },
    /// It would end on top of something.
    OnTopOf {
        /// Who moves.
        who: ElementId,
        /// The element under it.
        other: ElementId,
    },
    /// Off the board.
    OffBoard(ElementId),
    /// In an enemy's threat zone (HOTT-155, HOTT-156).
    ThreatZone {
        /// Who.
        who: ElementId,
        /// Whose zone.
        enemy: ElementId,
    },
    /// In contact with an enemy (HOTT-116).
    InContact {
        /// Who.
        who: ElementId,
        /// With whom.
        enemy: ElementId,
    },
    /// No legal contact there (HOTT-161 to HOTT-171).
    NoContact {
        /// Who.
        who: ElementId,
        /// With whom.
        enemy: ElementId,
    },
    /// Anything else: the words say it.
    Other,
}

impl Refusal {
    /// A refusal with its sentence.
    #[must_use]
    pub fn new(rule: impl Into<Option<RuleId>>, why: Why, words: impl Into<String>) -> Self {
        Self { rule: rule.into(), why, words: words.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)?;
        match self.rule {
            Some(rule) => write!(f, " ({rule})"),
            None => Ok(()),
        }
    }
}

impl game::Refusal for Refusal {
    fn rule(&self) -> Option<RuleId> {
        self.rule
    }
}
