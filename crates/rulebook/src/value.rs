//! The value of an option: a switch, a whole number or one of a few words.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an option is set to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Bool(bool),
    /// A count, or a distance in whole paces.
    Int(i64),
    /// One of the option's named answers (`"defender"`; `"100"` where the answers are numbers).
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Word(w) => f.write_str(w),
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Value {
        Value::Int(i)
    }
}

impl From<&str> for Value {
    fn from(w: &str) -> Value {
        Value::Word(w.to_owned())
    }
}
