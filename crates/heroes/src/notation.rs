//! The position in one line of text.

use crate::position;
use crate::state::State;
use crate::table::Table;
use game::Problem;
use serde_json::Value;

const HEAD: &str = "heroes/1 ";

/// The line: `heroes/1` and the position without white space.
#[must_use]
pub fn print(t: &Table, armies: &[Value; 2], s: &State) -> String {
    format!("{HEAD}{}", position::value(t, armies, s))
}

/// Only what changes in play, for digests.
#[must_use]
pub fn state_text(t: &Table, s: &State) -> String {
    Value::Object(position::state_value(t, s)).to_string()
}

/// The position of a line.
///
/// # Errors
/// What does not read, with its column.
pub fn read(text: &str) -> Result<Value, Problem> {
    let Some(body) = text.trim().strip_prefix(HEAD) else {
        return Err(Problem::new("no notation of this game").hint("it begins with heroes/1").at("", 1, 1));
    };
    serde_json::from_str(body).map_err(|e| {
        let column = u32::try_from(HEAD.len() + e.column()).unwrap_or(0);
        Problem::new(format!("the notation does not read: {e}")).at("", 1, column)
    })
}
