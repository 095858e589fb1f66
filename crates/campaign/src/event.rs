//! What happens in a campaign, and why a command is refused.

use crate::battle::BattleResult;
use crate::ids::NationId;
use crate::log::Entry;
use game::Problems;
use rulebook::RuleId;
use std::collections::BTreeMap;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A set of orders is in.
    Ordered {
        /// Whose.
        nation: NationId,
        /// Its number.
        number: u32,
        /// In a word.
        state: &'static str,
    },
    /// The nation has nothing to add.
    Confirmed(NationId),
    /// A decision of the adjudicator: the umpire's until the season is published.
    Decided(Entry),
    /// A battle is to be fought.
    ToFight {
        /// Which.
        battle: String,
        /// Who is in it.
        nations: Vec<NationId>,
    },
    /// A battle has its result.
    Fought {
        /// Which.
        battle: String,
        /// Who was in it.
        nations: Vec<NationId>,
        /// How it came out.
        result: BattleResult,
    },
    /// A battle has a date.
    Dated {
        /// Which.
        battle: String,
        /// Who is in it.
        nations: Vec<NationId>,
        /// Until when.
        until: String,
    },
    /// A season is over: everybody gets the gazette and his letter.
    Published {
        /// Which season, in words.
        season: String,
        /// For everybody.
        gazette: Vec<Entry>,
        /// For each nation.
        letters: BTreeMap<NationId, Vec<Entry>>,
    },
    /// A note.
    Noted {
        /// From whom; nobody for the umpire.
        from: Option<NationId>,
        /// To whom.
        to: NationId,
        /// Whether the sender is unnamed.
        anonymous: bool,
        /// Whether it comes with the season's letters.
        later: bool,
        /// What it says.
        text: String,
    },
    /// A nation passes to other hands.
    Handed {
        /// Which.
        nation: NationId,
        /// To whom, in a word.
        hand: String,
    },
    /// What was adjudicated waits on the umpire's desk.
    Held(String),
    /// What was held goes out: the battles of a season that waits for them.
    Released(String),
    /// Something at the umpire's desk: a paragraph, a date, a time zone, whether seasons are held.
    Desk(String),
    /// A ruling of the umpire: private to him; its effects are told like all others.
    Ruled {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
}

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The rule, if one speaks of it.
    pub rule: Option<RuleId>,
    /// The sentence.
    pub words: String,
}

impl Refused {
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self { rule: None, words: words.into() }
    }

    pub(crate) fn by(rule: RuleId, words: impl Into<String>) -> Self {
        Self { rule: Some(rule), words: words.into() }
    }

    pub(crate) fn of(problems: &Problems) -> Self {
        let words: Vec<String> = problems.iter().map(|p| p.message.clone()).collect();
        Self { rule: problems.first().and_then(|p| p.rule), words: words.join("; ") }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)?;
        match self.rule {
            Some(rule) => write!(f, " ({rule})"),
            None => Ok(()),
        }
    }
}

impl game::Refusal for Refused {
    fn rule(&self) -> Option<RuleId> {
        self.rule
    }
}
