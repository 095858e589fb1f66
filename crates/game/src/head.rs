//! The head of a one-line position: which game it is of, and which version. Every game refuses another's by name.

use crate::Problem;

/// What a one-line position begins with: a game's word and a number, `hott1 …` or `heroes/1 …`.
#[must_use]
pub fn notation_head(text: &str) -> Option<(&str, u64)> {
    let word = text.split_whitespace().next()?;
    let letters = word.find(|c: char| !c.is_ascii_lowercase())?;
    let (name, rest) = word.split_at(letters);
    let digits = rest.strip_prefix('/').unwrap_or(rest);
    if name.is_empty() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((name, digits.parse().ok()?))
}

/// Why a position is none of this game's, or of another version of it; nothing if it may be. `version` 0: this game's
/// positions are written as JSON.
#[must_use]
pub fn foreign_notation(text: &str, game: &str, version: u64) -> Option<Problem> {
    let here = |p: Problem| Some(p.at("", 1, 1));
    if text.trim().is_empty() {
        return here(Problem::new("the notation is empty").hint("it is one line, as the program writes it"));
    }
    match notation_head(text) {
        Some((name, v)) if name == game && version > 0 && v != version => here(
            Problem::new(format!(
                "a position of version {v} of {game}; this release reads version {version}"
            ))
            .hint("open it with the release that wrote it"),
        ),
        Some((name, _)) if name != game => here(
            Problem::new(format!("this is a position of {name}, and one of {game} is asked for"))
                .hint(format!("name its game: {name}")),
        ),
        None if version > 0 && text.trim_start().starts_with('{') => here(
            Problem::new(format!("this is a position as JSON, and {game} writes its own in one line"))
                .hint(format!("it begins with {game} and a number; JSON is of horde or campaign")),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_known_and_what_is_another_games_is_told() {
        assert_eq!(notation_head("hott1 15mm 2400x2400 0|"), Some(("hott", 1)));
        assert_eq!(notation_head("heroes/12 {}"), Some(("heroes", 12)));
        for none in ["", "hott", "1hott", "hott1x 3", "title = ''", "{\"a\": 1}", "Hott1", "hott/", "漢1"] {
            assert_eq!(notation_head(none), None, "{none}");
        }
        let told = |text, game, version| foreign_notation(text, game, version).map(|p| p.to_string());
        assert_eq!(told("hott1 15mm", "hott", 1), None);
        assert_eq!(told("{}", "horde", 0), None);
        assert!(told("hott2 15mm", "hott", 1).unwrap().contains("version 2"));
        assert!(told("heroes/1 {}", "hott", 1).unwrap().contains("position of heroes"));
        assert!(told("hott1 15mm", "horde", 0).unwrap().contains("position of hott"));
        assert!(told("{}", "hott", 1).unwrap().contains("JSON"));
        assert!(told(" \n", "heroes", 1).unwrap().contains("empty"));
    }
}
