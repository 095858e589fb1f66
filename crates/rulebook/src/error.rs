//! What can be wrong with a rules file, said so that a person can put it right.

use std::fmt;

use serde::Serialize;

use crate::family::Family;
use crate::text::{any_of, did_you_mean};
use crate::tree::Origin;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// The text cannot be read.
    Syntax(String),
    /// No option or table has this name.
    UnknownKey {
        /// Names that may have been meant, best first.
        nearest: Vec<String>,
    },
    /// No option or table has this name, nor one like it.
    NothingLike {
        /// The tables there are.
        tables: Vec<String>,
    },
    /// The option exists, but not this value of it.
    WrongValue {
        /// What was written.
        given: String,
        /// What may be written.
        allowed: String,
        /// Values that may have been meant.
        nearest: Vec<String>,
    },
    /// The key belongs to a game that is not being played.
    OtherGame {
        /// The game it belongs to.
        game: Family,
        /// The games whose keys are read here.
        read: Vec<Family>,
    },
    /// The whole file says that it is for a game that is not being played.
    OtherFile {
        /// The game it is for.
        game: Family,
        /// The games that are read here.
        read: Vec<Family>,
    },
    /// No preset has this name.
    UnknownPreset {
        /// What was written.
        given: String,
        /// The presets there are.
        known: Vec<String>,
    },
    /// A number outside its limits.
    OutOfRange {
        /// What the number is, with its article.
        what: &'static str,
        /// The number written.
        given: i64,
        /// The least allowed.
        min: i64,
        /// The greatest allowed.
        max: i64,
    },
    /// A value of the wrong kind.
    WrongKind {
        /// The kind that belongs here.
        expected: &'static str,
        /// The kind that was written.
        given: &'static str,
    },
    /// Something that must be there is not.
    Missing,
    /// Two settings exclude each other.
    Contradiction {
        /// The other key.
        with: String,
        /// Where the other one was set.
        there: Origin,
        /// Why they exclude each other.
        why: String,
    },
}

/// One thing wrong with the rules in force: where, at which key, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct RulesError {
    /// Where it was written.
    pub origin: Origin,
    /// The whole key (`hott.deploy_first`); empty if the text cannot be read at all.
    pub key: String,
    /// What is wrong.
    pub problem: Box<Problem>,
}

impl RulesError {
    /// An error at this place and key.
    pub fn new(origin: Origin, key: &str, problem: Problem) -> RulesError {
        RulesError { origin, key: key.to_owned(), problem: Box::new(problem) }
    }

    /// The key and what is wrong, without the place.
    pub fn what(&self) -> String {
        if self.key.is_empty() { self.problem.to_string() } else { format!("{}: {}", self.key, self.problem) }
    }

    /// The file it was written in, with line and column (both from 1), if it was a file.
    pub fn place(&self) -> Option<(&str, u32, u32)> {
        match &self.origin {
            Origin::File(name, line, column) => Some((name, *line, *column)),
            _ => None,
        }
    }

    /// Names or values that may have been meant, best first.
    pub fn nearest(&self) -> &[String] {
        match &*self.problem {
            Problem::UnknownKey { nearest } | Problem::WrongValue { nearest, .. } => nearest,
            _ => &[],
        }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.what())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Syntax(what) => f.write_str(what),
            Problem::UnknownKey { nearest } => {
                write!(f, "there is no such option or table{}", did_you_mean(nearest))
            }
            Problem::NothingLike { tables } => {
                f.write_str("there is no such option or table")?;
                if !tables.is_empty() {
                    write!(f, "; the tables are {}", any_of(tables).replace(" or ", " and "))?;
                }
                f.write_str("; `muster rules --options` lists the options")
            }
            Problem::WrongValue { given, allowed, nearest } => {
                write!(f, "`{given}` is not allowed here: expected {allowed}")?;
                f.write_str(&did_you_mean(nearest))
            }
            Problem::OtherGame { game, read } => {
                let read: Vec<_> = read.iter().map(|g| format!("`{}.`", g.key())).collect();
                write!(f, "this is a key of {}; here only {} is read", game.title(), any_of(&read))?;
                write!(f, "; `{}` takes it", game.taken_by())
            }
            Problem::OtherFile { game, read } => {
                let read: Vec<_> = read.iter().map(|g| g.title()).collect();
                write!(f, "this is a file for {}, and here {} is played", game.title(), any_of(&read))?;
                write!(f, "; `{}` takes it with --rules-file", game.taken_by())
            }
            Problem::UnknownPreset { given, known } if known.is_empty() => {
                write!(f, "there is no preset `{given}`; this game has none")
            }
            Problem::UnknownPreset { given, known } => {
                write!(f, "there is no preset `{given}`: expected {}", any_of(known))
            }
            Problem::OutOfRange { what, given, min, max } => {
                write!(f, "{what} of {given}: expected {min} to {max}")
            }
            Problem::WrongKind { expected, given } => {
                write!(f, "expected {expected}, found {given}")
            }
            Problem::Missing => f.write_str("it is missing"),
            Problem::Contradiction { with, there, why } => {
                write!(f, "it contradicts {with} ({there}): {why}")
            }
        }
    }
}

/// Everything that is wrong, at least one thing, in the order in which it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct RulesErrors(Vec<RulesError>);

impl RulesErrors {
    /// `Ok` if there is no error in the list.
    ///
    /// # Errors
    /// The list, if it is not empty.
    pub fn check(mut errors: Vec<RulesError>) -> Result<(), RulesErrors> {
        errors.sort_by(|a, b| a.origin.cmp(&b.origin));
        if errors.is_empty() { Ok(()) } else { Err(RulesErrors(errors)) }
    }

    /// The single errors.
    pub fn list(&self) -> &[RulesError] {
        &self.0
    }

    pub(crate) fn into_list(self) -> Vec<RulesError> {
        self.0
    }
}

impl From<RulesError> for RulesErrors {
    fn from(e: RulesError) -> RulesErrors {
        RulesErrors(vec![e])
    }
}

impl fmt::Display for RulesErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, e) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{e}")?;
        }
        Ok(())
    }
}
