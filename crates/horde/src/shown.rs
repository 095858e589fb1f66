//! Text as a terminal can show it: signs that would do something to it are replaced, and columns are counted as they are
//! seen, in which a Chinese or Japanese sign is two wide.

use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// What stands in the place of a sign that is not shown.
const INSTEAD: char = '\u{fffd}';

/// Whether a sign would do something to a terminal instead of being seen: it controls it, or turns the direction of
/// what follows.
pub(crate) fn is_harmful(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// One line without such signs.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(is_harmful) {
        Cow::Owned(text.replace(is_harmful, &INSTEAD.to_string()))
    } else {
        Cow::Borrowed(text)
    }
}

/// Text of several lines without such signs; the ends of lines stay.
pub(crate) fn plain_lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

/// How many columns a text is wide.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The beginning of a line that fits, with a mark where something is left out.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let text = plain(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let room = columns.saturating_sub(1);
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.take_while(|end| width(&text[..*end]) <= room).last().unwrap_or(0);
    format!("{}…", &text[..end])
}

/// The end of a line that is being typed.
pub(crate) fn tail(text: &str, columns: usize) -> String {
    let text = plain(text);
    let fits = |at: &usize| width(&text[*at..]) <= columns;
    let from = text.char_indices().map(|(at, _)| at).find(fits).unwrap_or(text.len());
    text[from..].to_owned()
}

/// A text and spaces after it, so that what follows stands in its column.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let spaces = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(spaces))
}

/// A line in lines that fit, broken between words; further ones stand two columns in.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let text = plain(text);
    let indent = text.chars().take_while(|c| *c == ' ').count();
    let mut out = Vec::new();
    let mut line = " ".repeat(indent);
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && width(&line) + 1 + width(word) > columns {
            out.push(std::mem::replace(&mut line, " ".repeat(indent + 2)));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&cut(word, columns.saturating_sub(indent + 2).max(8)));
        empty = false;
    }
    out.push(line);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_that_are_seen() {
        assert_eq!(width("暴徒"), 4);
        assert_eq!(pad("暴徒", 6), "暴徒  ");
        assert_eq!(cut("暴徒暴徒", 6), "暴徒…");
        assert_eq!(cut("guard", 5), "guard");
        assert_eq!(tail("暴徒ab", 4), "徒ab");
        assert_eq!(wrap("  暴徒 ab", 7), ["  暴徒", "    ab"]);
    }

    #[test]
    fn nothing_that_would_do_something_to_the_terminal_is_left() {
        let odd = "a\u{1b}[31mb\u{7}\u{9b}\u{202e}c";
        for text in [plain(odd).into_owned(), cut(odd, 80), tail(odd, 80), wrap(odd, 80).concat()] {
            assert!(!text.contains(is_harmful) && text.contains('c'), "{text:?}");
        }
        assert_eq!(plain_lines("a\u{1b}\nb\n"), "a\u{fffd}\nb\n");
    }
}
