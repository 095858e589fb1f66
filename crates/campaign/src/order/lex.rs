//! Words, numbers and signs of a line, each with its place.

use winnow::combinator::{alt, delimited, repeat};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{any, take_till, take_while};

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// In lower case; of a quoted text as it stands.
    pub(crate) text: String,
    /// Bytes from the start of the line.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Number,
    Quoted,
    Sign,
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind != TokenKind::Quoted && self.text == word
    }
}

type Input<'a> = LocatingSlice<&'a str>;

/// The tokens of a line. What is no token by any reading stands as a sign, so that nothing is lost.
pub(crate) fn tokens(line: &str) -> Vec<Token> {
    let mut input = LocatingSlice::new(line);
    let one = alt((blank.value(None), token.map(Some)));
    let all: ModalResult<Vec<Option<Token>>> = repeat(0.., one).parse_next(&mut input);
    all.unwrap_or_default().into_iter().flatten().collect()
}

fn blank(input: &mut Input<'_>) -> ModalResult<()> {
    take_while(1.., char::is_whitespace).void().parse_next(input)
}

fn token(input: &mut Input<'_>) -> ModalResult<Token> {
    let quoted = delimited('"', take_till(0.., '"'), '"').map(|t: &str| (TokenKind::Quoted, t.to_owned()));
    let number =
        take_while(1.., |c: char| c.is_ascii_digit()).map(|t: &str| (TokenKind::Number, t.to_owned()));
    let signs =
        alt((">=", "<=", "=>", "=<", "->", "&&", "||")).map(|t: &str| (TokenKind::Sign, t.to_owned()));
    let other = any.map(|c: char| (TokenKind::Sign, c.to_string()));
    let ((kind, text), span) = alt((quoted, word, number, signs, other)).with_span().parse_next(input)?;
    Ok(Token { kind, text, from: span.start, to: span.end })
}

/// A word begins with a letter and goes on with letters, digits, hyphens, apostrophes, and full stops between
/// letters and digits (`Amber.2`); or it is a number with letters (`2nd`, `3xBld`).
fn word(input: &mut Input<'_>) -> ModalResult<(TokenKind, String)> {
    let text =
        take_while(1.., |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_' | '+' | '.'))
            .verify(|t: &str| t.starts_with(char::is_alphanumeric) && t.contains(char::is_alphabetic))
            .parse_next(input)?;
    // A full stop or hyphen at the end belongs to the sentence; only letters after it would make it a name.
    let kept = text.trim_end_matches(['.', '-', '\'', '’']);
    Ok((TokenKind::Word, kept.to_lowercase().replace('’', "'")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<String> {
        tokens(line).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn words_numbers_and_signs() {
        assert_eq!(
            texts("A1: move to Port-Salt; lose 2 Bld."),
            ["a1", ":", "move", "to", "port-salt", ";", "lose", "2", "bld"]
        );
        assert_eq!(texts("if invaders>=2"), ["if", "invaders", ">=", "2"]);
        assert_eq!(texts("name \"Old Ruvo\""), ["name", "Old Ruvo"]);
        assert_eq!(texts("Amber.2"), ["amber.2"]);
        assert_eq!(tokens("  x")[0].from, 2);
    }

    proptest! {
        #[test]
        fn any_text_has_tokens_with_places_in_order(line in "\\PC{0,60}") {
            let mut last = 0;
            for t in tokens(&line) {
                prop_assert!(t.from >= last && t.to > t.from && t.to <= line.len());
                last = t.to;
            }
        }
    }
}
