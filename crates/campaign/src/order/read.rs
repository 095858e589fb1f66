//! A whole set of orders: line by line. What cannot be read is told with its line, and the rest stands.

use super::ast::Item;
use super::known::Known;
use super::phrase::Cursor;
use super::treaty::NATION_WORDS;
use game::Problem;
use rulebook::rule;
use serde::{Deserialize, Serialize};

/// A line that could be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number in the text, from 1.
    pub n: u32,
    /// What it says.
    pub text: String,
    /// What it was read as.
    pub items: Vec<Item>,
    /// CAM-047: words read as other words.
    pub guesses: Vec<(String, String)>,
    /// Whether a mail program quoted it: a line of the author's own about the same goes before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quoted: bool,
}

/// A set of orders, read.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reading {
    /// What could be read.
    pub lines: Vec<Line>,
    /// What could not, with line, column and suggestion.
    pub problems: Vec<Problem>,
}

/// Reads a text of orders. Never fails: what cannot be read is in [`Reading::problems`].
#[must_use]
pub fn read(known: &Known, text: &str) -> Reading {
    let mut out = Reading::default();
    let strict = known.strict;
    for (n, raw) in (1_u32..).zip(unbroken(text, strict).lines()) {
        let clean = clean(raw, strict);
        let mut plain = strip(&clean, strict);
        if strict {
            // What only ends a sentence, or a bold letter, orders nothing.
            plain = plain.trim_end_matches(|c: char| c.is_whitespace() || "!.*".contains(c));
        }
        // A nation's name alone is a signature.
        let signed = strict && plain.trim().trim_end_matches('.').eq_ignore_ascii_case(known.nation.as_str());
        if plain.trim().is_empty() || signed || is_heading(plain, strict) || is_courtesy(plain) {
            continue;
        }
        match read_line(known, plain) {
            Ok((items, guesses)) => {
                let quoted = strict && clean.trim_start().starts_with('>');
                out.lines.push(Line { n, text: plain.trim().to_owned(), items, guesses, quoted });
            }
            Err(mut problem) => {
                let column = problem.place.as_ref().map_or(0, |p| p.column);
                let column = if column == 0 { 0 } else { column_of(plain, column) };
                problem = problem.at("", n, column);
                out.problems.push(problem);
            }
        }
    }
    out
}

/// With one sign for the end of a line, whichever machine the text was written on.
fn unbroken(text: &str, strict: bool) -> std::borrow::Cow<'_, str> {
    if !strict {
        return text.into();
    }
    text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{c}'], "\n").into()
}

/// CAM-046: whether a text is headed AMEND. Greetings, remarks and other headings may stand before it.
pub(crate) fn amends(text: &str, strict: bool) -> bool {
    if !strict {
        let head = text.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#'));
        let first = head.and_then(|l| l.split(|c: char| !c.is_alphanumeric()).next());
        return first.is_some_and(|w| AMENDS[..2].iter().any(|a| w.eq_ignore_ascii_case(a)));
    }
    for raw in unbroken(text, strict).lines() {
        let clean = clean(raw, strict);
        let plain = strip(&clean, strict).trim().to_lowercase();
        let first = plain.split(|c: char| !c.is_alphanumeric()).find(|w| !w.is_empty()).unwrap_or_default();
        if AMENDS.contains(&first) {
            return true;
        }
        if !(first.is_empty() || is_heading(&plain, strict) || is_courtesy(&plain)) {
            return false;
        }
    }
    false
}

/// Words that head an amendment; the first two always did.
const AMENDS: [&str; 5] = ["amend", "amendment", "amends", "amended", "amendments"];

/// Bytes from 1 as characters from 1.
fn column_of(line: &str, byte: u32) -> u32 {
    let byte = usize::try_from(byte).unwrap_or(1).saturating_sub(1).min(line.len());
    let before = line.get(..byte).map_or(0, |t| t.chars().count());
    u32::try_from(before + 1).unwrap_or(0)
}

/// With the plain signs in the place of those that word processors and mail programs write.
fn clean(line: &str, strict: bool) -> String {
    // Signs without width: the byte order mark, soft hyphens, joiners.
    let thin = |c: char| match c {
        '\u{feff}' => true,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' => strict,
        _ => false,
    };
    line.chars()
        .filter(|c| !thin(*c))
        .map(|c| match c {
            '–' | '—' | '−' | '‑' => '-',
            '“' | '”' | '„' | '«' | '»' => '"',
            '‘' | '´' | '`' if strict => '\'',
            '…' if strict => '.',
            '→' | '⇒' => '>',
            c if c.is_whitespace() || c.is_control() => ' ',
            c => c,
        })
        .collect()
}

/// A greeting or farewell, which orders nothing: it names no army and no number.
fn is_courtesy(line: &str) -> bool {
    let low = line.trim().to_lowercase();
    let mut words = low.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or_default();
    let polite = matches!(
        first,
        "hi" | "hello"
            | "hey"
            | "cheers"
            | "regards"
            | "thanks"
            | "thank"
            | "greetings"
            | "yours"
            | "sincerely"
            | "hope"
            | "best"
            | "sorry"
            | "ps"
    );
    let orders = |w: &str| {
        w.chars().any(|c| c.is_ascii_digit())
            || ["army", "armies", "garrison", "fleet", "alliance", "ally"].contains(&w)
    };
    polite && !words.any(orders)
}

/// Without a remark, and without what a mail program or a list puts before a line.
fn strip(line: &str, strict: bool) -> &str {
    let line = line.split('#').next().unwrap_or_default();
    let sign = |c: char| {
        c.is_whitespace()
            || matches!(c, '>' | '*' | '•' | '-' | '|')
            || strict && matches!(c, '·' | '‣' | '◦' | '▪' | '●' | '○')
    };
    let line = line.trim_start_matches(sign);
    // The number of a list: `1)`, `2.`, `(3)`.
    let bare = line.strip_prefix('(').unwrap_or(line);
    let digits = bare.chars().take_while(char::is_ascii_digit).count();
    match bare.get(digits..).and_then(|rest| rest.strip_prefix([')', '.'])) {
        Some(rest) if (1..=2).contains(&digits) => rest.trim_start_matches(sign),
        _ => line,
    }
}

/// A heading carries no order: `Orders of Amber for Spring`, `AMEND`, `[ ] not given`.
fn is_heading(line: &str, strict: bool) -> bool {
    let low = line.trim().to_lowercase();
    let first = low.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    AMENDS[..if strict { 5 } else { 2 }].contains(&first)
        || matches!(first, "orders" | "dear" | "treaties" | "winter's" | "end-of-orders")
        || low.ends_with(':') && low.len() < 60 && !low.starts_with('a')
        || low.starts_with("==")
        || low.starts_with("[")
}

/// The most tokens of one line that are read.
const LONGEST_LINE: usize = 400;

/// What a line was read as, and which words were read as others.
type ReadLine = (Vec<Item>, Vec<(String, String)>);

fn read_line(known: &Known, line: &str) -> Result<ReadLine, Problem> {
    let mut cursor = Cursor::new(known, line);
    if cursor.tokens.len() > LONGEST_LINE {
        return Err(cursor.wrong("the line is too long").hint("one order a line"));
    }
    let items = items(&mut cursor)?;
    cursor.skip(&[".", ";", "!", ","]);
    if !cursor.done() {
        let problem = cursor.wrong(format!("the order is over, and {}", cursor.found()));
        return Err(problem.hint("one order a line, or several for one army with ; between them"));
    }
    Ok((items, cursor.guesses))
}

fn items(cursor: &mut Cursor<'_>) -> Result<Vec<Item>, Problem> {
    // An element as subject: "Snk1: spy on Brack".
    let start = cursor.at;
    if let Some(label) = cursor.try_label() {
        if cursor.known.holder(label).is_none() {
            let problem = Problem::new(format!("you have no {label}")).by(rule!("CAM-049"));
            return Err(problem.at("", 0, 1));
        }
        return cursor.element_order(label).map(|item| vec![item]);
    }
    cursor.at = start;
    let first = cursor.word().to_owned();
    if first == "all" && cursor.word_at(1).starts_with("arm") {
        cursor.at += 2;
        cursor.skip(&[":"]);
        let from = cursor.at;
        let mut all = Vec::new();
        let armies: Vec<_> = cursor.known.bodies.values().filter(|b| b.army).map(|b| b.id).collect();
        for body in armies {
            cursor.at = from;
            all.extend(cursor.body_order(body)?);
        }
        return Ok(all);
    }
    if let Some(body) = cursor.try_body()? {
        if body.nation == cursor.known.nation && !cursor.known.bodies.contains_key(&body) {
            let own: Vec<String> = cursor.known.bodies.keys().map(|b| b.short()).collect();
            let problem = Problem::new(format!("you have no {}", body.short())).by(rule!("CAM-049"));
            return Err(problem.hint(format!("yours are {}", own.join(", "))).at("", 0, 1));
        }
        cursor.skip(if cursor.known.strict { &[":", "-", "=", "*"] } else { &[":", "-", "="] });
        return cursor.body_order(body);
    }
    if let Some(item) = cursor.nation_order()? {
        return Ok(vec![item]);
    }
    let problem = cursor.wrong(format!("who is to do what? {}", cursor.found())).by(rule!("CAM-042"));
    let words = if cursor.known.strict { &NATION_WORDS[..] } else { &NATION_WORDS[..30] };
    let near = rulebook::nearest_names(&first, words.iter().copied());
    Err(match near.first() {
        Some(near) => {
            problem.hint(format!("did you mean {near}? Orders begin with an army (A1: …) or such a word"))
        }
        None => problem
            .hint("orders begin with an army, a garrison, an element, or a word such as offer, lend, raise"),
    })
}
