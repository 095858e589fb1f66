//! Positions: the only serialized form of a state. `write.rs` prints all of it, `read.rs` reads it back and what a
//! person writes by hand (`docs/cases.md`), `relative.rs` finds places told from others, `notation.rs` is the one-line
//! form, `compare.rs` says where pieces differ from what a case expects.

mod compare;
mod notation;
pub(crate) use notation::document;
mod pending;
mod read;
mod relative;
mod write;

use crate::battle::Flags;
use crate::figure;
use serde_json::Value;

/// The version of the position document.
pub const VERSION: u64 = 1;

/// Flags with their words.
pub(crate) const FLAGS: [(Flags, &str); 15] = [
    (Flags::MOVED, "moved"),
    (Flags::CHARGED, "charged"),
    (Flags::SHOT, "shot"),
    (Flags::SHOT_AT, "shot-at"),
    (Flags::BESPELLED, "bespelled"),
    (Flags::BESPELLED_AT, "bespelled-at"),
    (Flags::FOUGHT, "fought"),
    (Flags::ARRIVED, "arrived"),
    (Flags::HALTED, "halted"),
    (Flags::DECLARED, "declared"),
    (Flags::STIRRED_BEFORE, "stirred-before"),
    (Flags::STIRRED, "stirred"),
    (Flags::SPOKE_ONE, "spoke-one"),
    (Flags::PURSUED, "pursued"),
    (Flags::AT_STRONGHOLD, "at-stronghold"),
];

/// Hundredths as a JSON number in paces or degrees: 1200, 62.5.
pub(crate) fn number(v: i32) -> Value {
    // Through text, so that nothing is computed in floats.
    figure::print(v).parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
}

/// Hundredths from a JSON number, or from a text that is one.
pub(crate) fn hundredths(value: &Value) -> Option<i32> {
    match value {
        Value::Number(n) => figure::read(&n.to_string()),
        Value::String(s) => figure::read(s.trim()),
        _ => None,
    }
}

/// The words of flags.
pub(crate) fn flag_words(flags: Flags) -> Vec<&'static str> {
    let mut out: Vec<&'static str> = FLAGS.iter().filter(|(f, _)| flags.has(*f)).map(|(_, w)| *w).collect();
    if flags.has(Flags::NEAR_ENEMY) {
        out.push("near-enemy");
    }
    out
}

/// Flags from a word.
pub(crate) fn flag_of(word: &str) -> Option<Flags> {
    if word == "near-enemy" {
        return Some(Flags::NEAR_ENEMY);
    }
    FLAGS.iter().find(|(_, w)| *w == word).map(|(f, _)| *f)
}
