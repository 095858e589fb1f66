//! What is wrong with something a person wrote: what, where, by which rule, and what would be right.

use rulebook::RuleId;
use serde_json::{Value, json};
use std::fmt;

/// Where in a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file as the user named it; empty where the text came from elsewhere.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// One thing wrong with what a person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands, if it stands in a text.
    pub place: Option<Place>,
    /// The rule it goes against, if it goes against one.
    pub rule: Option<RuleId>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What would be right, or the nearest thing that is.
    pub hint: Option<String>,
}

/// Everything wrong with it, in the order of the text; never empty in an error.
pub type Problems = Vec<Problem>;

impl Problem {
    /// A problem with neither place, rule nor hint yet.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { place: None, rule: None, message: message.into(), hint: None }
    }

    /// With the rule that it goes against.
    #[must_use]
    pub fn by(mut self, rule: RuleId) -> Self {
        self.rule = Some(rule);
        self
    }

    /// With what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With the nearest of the words that would have been right, if one is near; else with all of them.
    #[must_use]
    pub fn meant<'a>(self, word: &str, words: impl IntoIterator<Item = &'a str>) -> Self {
        let words: Vec<&str> = words.into_iter().collect();
        let low = word.to_lowercase();
        let near = words.iter().map(|w| (strsim::damerau_levenshtein(&low, &w.to_lowercase()), *w)).min();
        match near {
            Some((distance, w)) if distance <= 1 + low.chars().count() / 4 => {
                self.hint(format!("did you mean {w}?"))
            }
            Some(_) if words.len() <= 30 => self.hint(format!("known: {}", words.join(", "))),
            _ => self,
        }
    }

    /// At a line and column of a file.
    #[must_use]
    pub fn at(mut self, file: &str, line: u32, column: u32) -> Self {
        self.place = Some(Place { file: file.to_owned(), line, column });
        self
    }

    /// In this file, wherever it already stands.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.place.get_or_insert_with(Place::default).file = file.to_owned();
        self
    }

    /// At the place of a byte in a text.
    #[must_use]
    pub fn at_byte(self, file: &str, text: &str, byte: usize) -> Self {
        let before = text.get(..byte.min(text.len())).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        self.at(file, u32::try_from(line).unwrap_or(0), u32::try_from(column).unwrap_or(0))
    }

    /// As a JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "file": self.place.as_ref().map(|p| &p.file),
            "line": self.place.as_ref().map(|p| p.line),
            "column": self.place.as_ref().map(|p| p.column),
            "rule": self.rule.map(|r| r.to_string()),
            "message": self.message,
            "hint": self.hint,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            if !place.file.is_empty() {
                write!(f, "{}:", place.file)?;
            }
            match (place.line, place.column) {
                (0, _) => {}
                (line, 0) => write!(f, "{line}:")?,
                (line, column) => write!(f, "{line}:{column}:")?,
            }
            if !place.file.is_empty() || place.line > 0 {
                write!(f, " ")?;
            }
        }
        write!(f, "{}", self.message)?;
        if let Some(rule) = self.rule {
            write!(f, " ({rule})")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_like_a_sentence_with_its_place() {
        let problem = Problem::new("unknown element type: Blad").meant("Blad", ["Blade", "Spear"]).at_byte(
            "a.toml",
            "x\nyy Blad",
            5,
        );
        assert_eq!(
            problem.to_string(),
            "a.toml:2:4: unknown element type: Blad\n  hint: did you mean Blade?"
        );
    }

    #[test]
    fn a_far_word_gets_the_list() {
        let problem = Problem::new("unknown").meant("xyzzy", ["one", "two"]);
        assert_eq!(problem.hint.as_deref(), Some("known: one, two"));
    }
}
