//! What would be right instead of a command that was refused: every refusal leaves with a suggestion.
//!
//! Refusals are made by the thousand while candidates are looked for, so none carries this with it; it is found when somebody
//! reads one, from the candidates of the very moment, and is therefore always lawful.

use crate::candidates;
use crate::command::Command;
use crate::owed;
use crate::state::{Outcome, Phase, State};
use crate::table::{Side, Table};

/// Words of a command that say who does what: the first two.
fn head(text: &str) -> (&str, &str) {
    let mut words = text.split(' ');
    (words.next().unwrap_or(""), words.next().unwrap_or(""))
}

/// First words of commands, each once, in their order.
fn verbs(all: &[String]) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    for text in all {
        let verb = head(text).0;
        if !out.contains(&verb) {
            out.push(verb);
        }
    }
    out
}

/// The lawful command nearest to one that was refused, as words for people; nothing where no command would do (rulings and
/// standing replies say by themselves what they take).
#[must_use]
pub fn instead(t: &Table, s: &State, by: Option<Side>, refused: &Command) -> Option<String> {
    let free = matches!(
        refused,
        Command::Rule(..)
            | Command::RuleGeneral(..)
            | Command::RuleOption(_)
            | Command::RuleEnd(_)
            | Command::Reply(..)
    );
    if s.outcome != Outcome::Open || s.phase == Phase::Over {
        return Some("no command is left to give".to_owned());
    }
    if free {
        return None;
    }
    let owner = owed::owner(t, s)?;
    let mut all = Vec::new();
    candidates::all(t, s, &mut all);
    let all: Vec<String> = all.iter().map(|c| c.text(t)).collect();
    if by.is_some_and(|by| by != owner) {
        return Some(format!("{} is next, with {}", owner.letter(), verbs(&all).join(", ")));
    }
    let wanted = refused.text(t);
    let (verb, who) = head(&wanted);
    let near = |text: &String| strsim::levenshtein(text, &wanted);
    let same = all.iter().filter(|x| head(x) == (verb, who)).min_by_key(|x| near(x));
    if let Some(text) = same {
        return Some(format!("allowed is `{text}`"));
    }
    // the same unit does something else, the same is done by another
    let mut own: Vec<&String> = Vec::new();
    for text in all.iter().filter(|x| !who.is_empty() && head(x).1 == who) {
        if own.len() < 3 && own.iter().all(|x| head(x).0 != head(text).0) {
            own.push(text);
        }
    }
    if !own.is_empty() {
        let own: Vec<String> = own.iter().map(|x| format!("`{x}`")).collect();
        return Some(format!("allowed is {}", own.join(" or ")));
    }
    if let Some(text) = all.iter().filter(|x| head(x).0 == verb).min_by_key(|x| near(x)) {
        return Some(format!("allowed is `{text}`"));
    }
    match verbs(&all)[..] {
        [] => None,
        [_] => all.first().map(|text| format!("what is left here is `{text}`")),
        [ref most @ .., last] => Some(format!("what is left here is {} or {last}", most.join(", "))),
    }
}
