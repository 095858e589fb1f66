//! The words of a command one after the other: who, how many, which face of a die.

use crate::problem::nearest;
use crate::state::State;
use crate::unit::UnitId;
use game::Problem;

/// A word of a command with its column, from 0.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) at: usize,
    pub(crate) quoted: bool,
}

/// The words of a text, and the column of a quote that is not closed.
fn tokens(text: &str) -> (Vec<Token>, Option<usize>) {
    let mut out: Vec<Token> = Vec::new();
    let mut open: Option<Token> = None;
    let mut word = Token { text: String::new(), at: 0, quoted: false };
    for (at, c) in text.chars().enumerate() {
        if let Some(q) = &mut open {
            if c == '"' {
                out.extend(open.take());
            } else {
                q.text.push(c);
            }
            continue;
        }
        if c == '"' || c.is_whitespace() || matches!(c, ',' | ';' | ':') {
            if !word.text.is_empty() {
                out.push(std::mem::replace(&mut word, Token { text: String::new(), at: 0, quoted: false }));
            }
            if c == '"' {
                open = Some(Token { text: String::new(), at, quoted: true });
            }
        } else {
            if word.text.is_empty() {
                word.at = at;
            }
            // A sheet or a phone may write a proper minus.
            if c == '\u{2212}' { word.text.push('-') } else { word.text.extend(c.to_lowercase()) }
        }
    }
    if !word.text.is_empty() {
        out.push(word);
    }
    let unclosed = open.as_ref().map(|q| q.at);
    out.extend(open);
    (out, unclosed)
}

/// A whole number as it is written, however large: what fits nowhere is told so by whoever knows what would be right.
pub(crate) fn whole(text: &str) -> Option<i32> {
    if let Ok(n) = text.parse::<i32>() {
        return Some(n);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all.then(|| if text.starts_with('-') { i32::MIN } else { i32::MAX })
}

/// A face as it is read off a die: `00` of a d100 is 100, `0` of a ten-sided die is 10.
pub(crate) fn face(text: &str, sides: u16) -> Option<i32> {
    match (text, sides) {
        ("00" | "000", 100) => Some(100),
        ("0", 10) => Some(10),
        _ => whole(text),
    }
}

pub(crate) struct Reader<'a> {
    pub(crate) state: &'a State,
    pub(crate) words: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) length: usize,
    /// Where a quote begins that is not closed.
    pub(crate) unclosed: Option<usize>,
}

pub(crate) fn problem(message: impl Into<String>) -> Problem {
    Problem::new(message)
}

impl<'a> Reader<'a> {
    pub(crate) fn new(state: &'a State, text: &str) -> Self {
        let (words, unclosed) = tokens(text);
        Self { state, words, at: 0, length: text.chars().count(), unclosed }
    }
    /// What follows an opened quote would be swallowed by it.
    pub(crate) fn quotes_are_closed(&self) -> Result<(), Problem> {
        let Some(at) = self.unclosed else { return Ok(()) };
        let p = problem("a quote is opened and not closed").hint("+10 \"high ground\"");
        Err(p.at("", 1, u32::try_from(at + 1).unwrap_or(0)))
    }
    pub(crate) fn peek(&self) -> Option<&Token> {
        self.words.get(self.at)
    }
    pub(crate) fn is(&self, words: &[&str]) -> bool {
        self.peek().is_some_and(|t| !t.quoted && words.contains(&t.text.as_str()))
    }
    pub(crate) fn take(&mut self, words: &[&str]) -> bool {
        let is = self.is(words);
        self.at += usize::from(is);
        is
    }
    pub(crate) fn here(&self, p: Problem) -> Problem {
        let column = self.peek().map_or(self.length, |t| t.at) + 1;
        p.at("", 1, u32::try_from(column).unwrap_or(0))
    }
    pub(crate) fn done(&self) -> Result<(), Problem> {
        match self.peek() {
            None => Ok(()),
            Some(t) => Err(self.here(problem(format!("`{}` is too much here", t.text)))),
        }
    }
    pub(crate) fn int(&mut self) -> Option<i32> {
        let n = whole(&self.peek().filter(|t| !t.quoted)?.text)?;
        self.at += 1;
        Some(n)
    }
    pub(crate) fn wanted_int(&mut self, what: &str, least: i32, most: i32) -> Result<i32, Problem> {
        let place = self.here(problem(""));
        let text = self.peek().map(|t| t.text.clone()).unwrap_or_default();
        match self.int() {
            Some(n) if (least..=most).contains(&n) => Ok(n),
            Some(_) => Err(Problem {
                message: format!("{what} is {text}"),
                hint: Some(format!("{least} to {most} would be right")),
                ..place
            }),
            None => Err(Problem {
                message: format!("{what} is missing"),
                hint: Some("a number".to_owned()),
                ..place
            }),
        }
    }
    pub(crate) fn die(&mut self, what: &str, sides: u16) -> Result<u16, Problem> {
        let most = i32::from(sides);
        let read = self.peek().filter(|t| !t.quoted).and_then(|t| face(&t.text, sides));
        let n = match read.filter(|n| (1..=most).contains(n)) {
            Some(n) => {
                self.at += 1;
                n
            }
            None => self.wanted_int(what, 1, most)?,
        };
        Ok(u16::try_from(n).unwrap_or(1))
    }
    /// All numbers that follow, each a die of so many faces.
    pub(crate) fn dice(&mut self, what: &str, sides: u16) -> Result<Vec<u16>, Problem> {
        let mut out = Vec::new();
        while self.peek().is_some_and(|t| whole(&t.text).is_some()) {
            out.push(self.die(what, sides)?);
        }
        Ok(out)
    }

    /// Somebody by label or by a clear beginning of it.
    pub(crate) fn find(&self, word: &str) -> Result<Option<UnitId>, Problem> {
        if let Some(id) = self.state.by_label(word) {
            return Ok(Some(id));
        }
        if word.is_empty() {
            return Ok(None);
        }
        let fits: Vec<UnitId> = self
            .state
            .ids()
            .filter(|id| self.state.unit(*id).label.to_lowercase().starts_with(word))
            .collect();
        match fits.as_slice() {
            [one] => Ok(Some(*one)),
            [] => Ok(None),
            many => {
                let labels: Vec<&str> = many.iter().map(|id| &*self.state.unit(*id).label).collect();
                Err(self.here(problem(format!("`{word}` may be {}", labels.join(" or ")))))
            }
        }
    }
    pub(crate) fn who(&mut self) -> Result<UnitId, Problem> {
        let Some(t) = self.peek().cloned() else {
            return Err(self.here(problem("who is missing").hint(self.labels())));
        };
        match self.find(&t.text)? {
            Some(id) => {
                self.at += 1;
                Ok(id)
            }
            None => {
                let near = nearest(&t.text, self.state.units.iter().map(|u| &*u.label));
                let p = problem(format!("nobody here is called `{}`", t.text));
                Err(self.here(p.hint(near.map_or_else(|| self.labels(), |n| format!("did you mean {n}?")))))
            }
        }
    }
    pub(crate) fn labels(&self) -> String {
        let all: Vec<&str> = self.state.units.iter().filter(|u| u.fights()).map(|u| &*u.label).collect();
        format!("here are: {}", all.join(", "))
    }
    pub(crate) fn several(&mut self) -> Result<Vec<UnitId>, Problem> {
        let mut out = vec![self.who()?];
        while let Some(t) = self.peek() {
            match self.find(&t.text.clone()) {
                Ok(Some(id)) => {
                    out.push(id);
                    self.at += 1;
                }
                _ => break,
            }
        }
        Ok(out)
    }
    pub(crate) fn word(&mut self, what: &str) -> Result<String, Problem> {
        match self.peek().cloned() {
            Some(t) => {
                self.at += 1;
                Ok(t.text)
            }
            None => Err(self.here(problem(format!("{what} is missing")))),
        }
    }
}
