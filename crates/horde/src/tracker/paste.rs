//! What comes in one go: a text from elsewhere is one line that waits for Enter, and what does not fit on the line is
//! not cut to fit.

use super::{Key, Tracker};
use crate::shown::is_harmful;

/// Signs that a line holds.
pub const LINE: usize = 400;

/// More keys than this that came without a pause were not typed: a terminal that does not tell of a paste sends them so.
pub(super) const TYPED: usize = 32;

impl Tracker {
    /// A sign at the end of the line.
    pub(super) fn type_in(&mut self, c: char) {
        if is_harmful(c) {
            return;
        }
        if self.input.chars().count() < LINE {
            self.input.push(c);
        } else {
            self.message = format!("the line is full: it holds {LINE} signs");
        }
    }

    /// A text from elsewhere, put on the line: its lines one after the other, and nothing is done before Enter. Whether it
    /// fits; one that does not is not taken at all, for half a command is another command.
    pub fn paste(&mut self, text: &str) -> bool {
        self.help = 0;
        let parts: Vec<&str> =
            text.split(is_harmful).map(str::trim).filter(|part| !part.is_empty()).collect();
        let line = parts.join(" ");
        if self.input.chars().count() + line.chars().count() > LINE {
            self.message =
                format!("more came at once than the {LINE} signs that a line holds: none of it was taken");
            return false;
        }
        self.input.push_str(&line);
        true
    }

    /// Keys that came without a pause, more than [`TYPED`]. The first line of them is done if its Enter came too; what
    /// came after it is left out, so that no blank line does the usual thing. Whether all were taken.
    pub fn burst(&mut self, keys: &[Key]) -> bool {
        let end = keys.iter().position(|k| *k == Key::Enter);
        let line: String = keys[..end.unwrap_or(keys.len())]
            .iter()
            .filter_map(|k| if let Key::Char(c) = k { Some(*c) } else { None })
            .collect();
        let taken = self.paste(&line);
        let Some(end) = end else { return taken };
        if taken && !self.input.is_empty() {
            self.key(Key::Enter);
        }
        let left_out = keys.len() - end - 1;
        if left_out > 0 {
            self.warn(&format!(
                "only the first line of what came at once was taken, {left_out} keys after it were not"
            ));
        }
        taken && left_out == 0
    }
}
