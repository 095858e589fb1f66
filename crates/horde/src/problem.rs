//! What is wrong with a file, in words for people: where, what, what would be right.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// It can be used; something in it has no effect.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// File as named by the person.
    pub file: String,
    /// Line from 1; 0 if the whole file is meant.
    pub line: usize,
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub text: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        if self.line == 0 {
            write!(f, "{}: {word}: {}", self.file, self.text)?;
        } else {
            write!(f, "{}:{}: {word}: {}", self.file, self.line, self.text)?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// All that is wrong with a file; never empty when it is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// One problem that belongs to no line.
    pub fn one(file: &str, text: impl Into<String>, hint: Option<String>) -> Self {
        Self(vec![Problem {
            file: file.to_owned(),
            line: 0,
            severity: Severity::Error,
            text: text.into(),
            hint,
        }])
    }
    /// Whether anything in it forbids to use the file.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|p| p.severity == Severity::Error)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{p}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The nearest of some words, if it is near enough to have been meant.
pub fn nearest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    // Of a word of one or two letters little is left after two changes.
    let most = match word.chars().count() {
        0 => return None,
        1 | 2 => 1,
        n => (n / 3).max(2),
    };
    among
        .into_iter()
        .map(|w| {
            let low = w.to_lowercase();
            let d = strsim::damerau_levenshtein(&low, &word);
            (if low.starts_with(&word) && word.len() > 1 { d.min(1) } else { d }, w)
        })
        .filter(|(d, _)| *d <= most)
        .min_by_key(|(d, _)| *d)
        .map(|(_, w)| w)
}

/// What somebody may have meant who wrote `word`: the nearest word, those that hold a part of it, or else all, if they
/// are few; and the command that lists them.
pub(crate) fn meant<'a>(word: &str, among: impl IntoIterator<Item = &'a str>, list: &str) -> String {
    const FEW: usize = 30;
    let all: Vec<&str> = among.into_iter().collect();
    let low = crate::library::as_id(word);
    let near = nearest(&low, all.iter().copied());
    // `space_marine` is meant for what holds `marine`, and `guard` for `household_guard`.
    let parts: Vec<&str> = low.split('_').filter(|p| p.chars().count() > 2).collect();
    let holds = |w: &&&str| Some(**w) != near && parts.iter().any(|p| w.contains(p));
    let like: Vec<&str> = all.iter().filter(holds).take(8).copied().collect();
    let like = like.join(", ");
    match (near, like.as_str()) {
        (Some(n), "") => format!("did you mean `{n}`? `{list}` lists all"),
        (Some(n), like) => format!("did you mean `{n}`? Like it are {like}; `{list}` lists all"),
        (None, "") if all.len() <= FEW => format!("there are {}; `{list}` lists them", all.join(", ")),
        (None, "") => format!("`{list}` lists all"),
        (None, like) => format!("like it are {like}; `{list}` lists all"),
    }
}
