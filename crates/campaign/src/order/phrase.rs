//! The cursor over a line's tokens, and the phrases that all orders share: names, bodies, elements, counts.

use super::ast::{Compare, Pick};
use super::known::{Found, Known, find_name};
use super::lex::{Token, TokenKind, tokens};
use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId, Troop};
use game::Problem;
use hott::table::TroopType;
use rulebook::rule;

/// Reads one line.
pub(crate) struct Cursor<'a> {
    pub(crate) known: &'a Known,
    pub(crate) tokens: Vec<Token>,
    pub(crate) at: usize,
    /// What was read although it was spelled otherwise: as written, as read.
    pub(crate) guesses: Vec<(String, String)>,
    pub(crate) length: usize,
    /// The body whose order is read, for "we" and "it".
    pub(crate) me: Option<BodyId>,
}

pub(crate) type Read<T> = Result<T, Problem>;

impl<'a> Cursor<'a> {
    pub(crate) fn new(known: &'a Known, line: &str) -> Self {
        Self { known, tokens: tokens(line), at: 0, guesses: Vec::new(), length: line.len(), me: None }
    }

    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(crate) fn word(&self) -> &str {
        self.peek().map_or("", |t| t.text.as_str())
    }

    pub(crate) fn word_at(&self, n: usize) -> &str {
        self.tokens.get(self.at + n).map_or("", |t| t.text.as_str())
    }

    pub(crate) fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Takes the next token if it is one of these words.
    pub(crate) fn eat(&mut self, words: &[&str]) -> bool {
        let hit = self.peek().is_some_and(|t| words.iter().any(|w| t.is(w)));
        if hit {
            self.at += 1;
        }
        hit
    }

    /// Takes words in a row, all or none.
    pub(crate) fn eat_all(&mut self, words: &[&str]) -> bool {
        let hit =
            words.iter().enumerate().all(|(n, w)| self.tokens.get(self.at + n).is_some_and(|t| t.is(w)));
        if hit {
            self.at += words.len();
        }
        hit
    }

    /// Skips words that carry nothing.
    pub(crate) fn skip(&mut self, words: &[&str]) {
        while self.eat(words) {}
    }

    /// The place of the next token, for errors: byte and width in the line.
    pub(crate) fn here(&self) -> usize {
        self.peek().map_or(self.length, |t| t.from)
    }

    pub(crate) fn wrong(&self, message: impl Into<String>) -> Problem {
        let column = u32::try_from(self.here()).unwrap_or(0) + 1;
        Problem::new(message).at("", 0, column)
    }

    /// "what stands here": the next word in quotes, or the end of the line.
    pub(crate) fn found(&self) -> String {
        self.peek().map_or_else(|| "the line ends".to_owned(), |t| format!("{:?} stands there", t.text))
    }

    pub(crate) fn number(&mut self) -> Option<i64> {
        let n = number_word(self.word())?;
        self.at += 1;
        Some(n)
    }

    fn words_ahead(&self) -> Vec<&str> {
        let word = |t: &&Token| t.kind != TokenKind::Sign;
        self.tokens[self.at.min(self.tokens.len())..]
            .iter()
            .take_while(word)
            .take(5)
            .map(|t| t.text.as_str())
            .collect()
    }

    fn named<T: Copy + std::fmt::Display>(&mut self, names: &[(String, T)]) -> Read<Option<T>> {
        let found: Option<Found<T>> = find_name(&self.words_ahead(), names, self.known.exact)
            .map_err(|p| p.at("", 0, u32::try_from(self.here()).unwrap_or(0) + 1))?;
        Ok(found.map(|found| {
            if found.misspelt {
                let written = self.words_ahead()[..found.words].join(" ");
                self.guesses.push((written, found.what.to_string()));
            }
            self.at += found.words;
            found.what
        }))
    }

    /// A place, if one is named here.
    pub(crate) fn try_place(&mut self) -> Read<Option<PlaceId>> {
        let start = self.at;
        self.skip(&["the", "city", "province", "of"]);
        let known = self.known;
        let place = self.named(&known.place_names)?;
        if place.is_none() {
            self.at = start;
        }
        Ok(place)
    }

    /// A place, which must stand here.
    pub(crate) fn place(&mut self) -> Read<PlaceId> {
        if let Some(place) = self.try_place()? {
            return Ok(place);
        }
        let word = self.word().to_owned();
        let problem = self.wrong(format!("a place is wanted, and {}", self.found()));
        Err(problem.by(rule!("CAM-047")).meant(&word, self.known.places.iter().map(PlaceId::as_str)))
    }

    /// A nation, if one is named here.
    pub(crate) fn try_nation(&mut self) -> Read<Option<NationId>> {
        let start = self.at;
        self.skip(&["the", "nation", "of"]);
        let known = self.known;
        let nation = self.named(&known.nation_names)?;
        if nation.is_none() {
            self.at = start;
        }
        Ok(nation)
    }

    /// A nation, which must stand here.
    pub(crate) fn nation(&mut self) -> Read<NationId> {
        if let Some(nation) = self.try_nation()? {
            return Ok(nation);
        }
        let word = self.word().to_owned();
        let problem = self.wrong(format!("a nation is wanted, and {}", self.found()));
        Err(problem.by(rule!("CAM-047")).meant(&word, self.known.nations.iter().map(NationId::as_str)))
    }

    /// A body, if one is named here: `A3`, `army 3`, `3rd army`, `garrison of Oakford`, `Amber.3`, `Ruvo`.
    pub(crate) fn try_body(&mut self) -> Read<Option<BodyId>> {
        let start = self.at;
        let own = |n: i64| u16::try_from(n).ok().map(|n| BodyId { nation: self.known.nation, n });
        self.skip(&["the", "my", "our"]);
        let text = self.word().to_owned();
        if let Some((nation, n)) = text.rsplit_once('.')
            && let Ok(n) = n.trim_start_matches('a').parse::<u16>()
        {
            let known = self.known.nations.iter().find(|x| x.as_str().eq_ignore_ascii_case(nation));
            if let Some(nation) = known {
                self.at += 1;
                return Ok(Some(BodyId { nation: *nation, n }));
            }
        }
        // "Basalt A1", "Basalt's army 1".
        let whose = text.trim_end_matches("'s");
        if self.known.strict
            && let Some(nation) = self.known.nations.iter().find(|x| x.as_str().eq_ignore_ascii_case(whose))
        {
            let army = matches!(self.word_at(1), "army" | "body" | "force");
            let number = if army { number_word(self.word_at(2)) } else { None };
            let label = self.word_at(1).strip_prefix('a').and_then(|d| d.parse::<u16>().ok());
            if let Some(n) = label.or(number.and_then(|n| u16::try_from(n).ok())) {
                self.at += if army { 3 } else { 2 };
                return Ok(Some(BodyId { nation: *nation, n }));
            }
        }
        if let Some(digits) =
            text.strip_prefix('a').filter(|d| !d.is_empty() && d.chars().all(|c| c.is_ascii_digit()))
        {
            let body = digits.parse().ok().and_then(own);
            self.at += 1;
            return Ok(body);
        }
        if matches!(text.as_str(), "army" | "body" | "force") {
            // CAM-174: "the army of Cobalt", in the orders of the overlord that demands it.
            if matches!(self.word_at(1), "of" | "from") {
                self.at += 2;
                if let Some(nation) = self.try_nation()?.filter(|n| *n != self.known.nation) {
                    return Ok(Some(BodyId { nation, n: 0 }));
                }
                self.at = start;
                self.skip(&["the", "my", "our"]);
            }
            let number = number_word(self.word_at(1));
            if let Some(n) = number {
                self.at += 2;
                return Ok(own(n));
            }
            // "the army", of a nation with one only.
            let armies: Vec<BodyId> = self.known.bodies.values().filter(|b| b.army).map(|b| b.id).collect();
            if let [only] = armies[..] {
                self.at += 1;
                return Ok(Some(only));
            }
        }
        if let Some(n) = ordinal(&text)
            && matches!(self.word_at(1), "army" | "body" | "force")
        {
            self.at += 2;
            return Ok(own(n));
        }
        if matches!(text.as_str(), "garrison" | "troops") {
            self.at += 1;
            self.skip(&["of", "at", "in", "from"]);
            let before = self.at;
            if let Some(place) = self.try_place()? {
                if let Some(body) = self.known.garrison(place) {
                    return Ok(Some(body.id));
                }
                self.at = before;
                return Err(self
                    .wrong(format!("there is no garrison of yours at {place}"))
                    .by(rule!("CAM-049")));
            }
            self.at = start;
            return Ok(None);
        }
        // By the general's name.
        let mut names = Vec::new();
        for body in self.known.bodies.values() {
            for general in body.elements.iter().flat_map(|e| &e.generals) {
                names.push((general.name.to_lowercase(), body.id));
            }
        }
        let words = self.words_ahead();
        if let Ok(Some(found)) = find_name(&words, &names, true) {
            self.at += found.words;
            self.skip(&["army"]);
            return Ok(Some(found.what));
        }
        // CAM-047: a misspelt name before the colon of a line.
        let colon = self.tokens.get(self.at..).unwrap_or_default().iter().take(5).position(|t| t.is(":"));
        if let Some(n) = colon.filter(|n| *n > 0 && !self.known.exact && *n <= words.len()) {
            let written = words[..n].join(" ");
            let here = u32::try_from(self.here()).unwrap_or(0) + 1;
            let found = find_name(&words[..n], &names, false).map_err(|p| p.at("", 0, here))?;
            if let Some(found) = found.filter(|f| f.words == n) {
                self.guesses.push((written, found.what.short()));
                self.at += n;
                return Ok(Some(found.what));
            }
        }
        self.at = start;
        Ok(None)
    }

    /// A body, which must stand here.
    pub(crate) fn body(&mut self) -> Read<BodyId> {
        if let Some(body) = self.try_body()? {
            return Ok(body);
        }
        let list: Vec<String> = self.known.bodies.keys().map(|b| b.short()).collect();
        let problem = self.wrong(format!("an army or garrison is wanted, and {}", self.found()));
        Err(problem.hint(format!("yours are {}", list.join(", "))))
    }

    /// An element's label, if one stands here: `Kni2`.
    pub(crate) fn try_label(&mut self) -> Option<Label> {
        let text = self.word();
        let whole = text.chars().next().is_some_and(char::is_alphabetic) && !text.contains('.');
        if whole && text.ends_with(|c: char| c.is_ascii_digit()) {
            let label: Label = text.parse().ok()?;
            self.at += 1;
            return Some(label);
        }
        // "Kni 2" and "Knight 2".
        let troop = TroopType::parse(text)?;
        let n = self.tokens.get(self.at + 1).filter(|t| t.kind == TokenKind::Number)?.text.parse().ok()?;
        self.at += 2;
        Some(Label { troop, n })
    }

    /// An element's label, which must stand here.
    pub(crate) fn label(&mut self) -> Read<Label> {
        match self.try_label() {
            Some(label) => Ok(label),
            None => {
                let problem = self.wrong(format!("an element is wanted, and {}", self.found()));
                Err(problem.hint("write its label, such as Kni2"))
            }
        }
    }

    /// An element with its nation: `Amber.Her1`, `Her1 of Amber`; without one, of `nation`.
    pub(crate) fn element(&mut self, among: &[ElementId]) -> Read<ElementId> {
        let text = self.word().to_owned();
        if let Some((nation, label)) = text.rsplit_once('.') {
            let known = self.known.nations.iter().find(|x| x.as_str().eq_ignore_ascii_case(nation));
            if let (Some(nation), Ok(label)) = (known, label.parse()) {
                self.at += 1;
                return Ok(ElementId { nation: *nation, label });
            }
        }
        self.skip(&["the", "hero", "prisoner", "captive"]);
        let label = self.label()?;
        let before = self.at;
        if self.eat(&["of", "from"]) {
            if let Some(nation) = self.try_nation()? {
                return Ok(ElementId { nation, label });
            }
            self.at = before;
        }
        let fits: Vec<&ElementId> = among.iter().filter(|e| e.label == label).collect();
        match fits[..] {
            [one] => Ok(*one),
            [] => Ok(ElementId { nation: self.known.nation, label }),
            _ => Err(self.wrong(format!("{label} of which nation?")).by(rule!("CAM-047"))),
        }
    }

    /// A type of troops, if one stands here.
    pub(crate) fn try_troop(&mut self) -> Option<Troop> {
        let two = format!("{} {}", self.word(), self.word_at(1));
        if matches!(self.word(), "aerial" | "water")
            && let Some(troop) = TroopType::parse(&two)
        {
            self.at += 2;
            return Some(Troop(troop));
        }
        let text = self.word();
        if text.ends_with(|c: char| c.is_ascii_digit()) || text.chars().count() < 2 {
            return None;
        }
        let troop = TroopType::parse(text.trim_end_matches('+'))?;
        self.at += 1;
        Some(Troop(troop))
    }

    /// A list of elements: `Kni2, 3 Bld and a Hero`.
    pub(crate) fn picks(&mut self) -> Read<Vec<Pick>> {
        let mut out = Vec::new();
        if self.eat(&["all", "everything", "everybody"]) {
            return Ok(vec![Pick::All]);
        }
        loop {
            self.skip(&["the", "element", "elements", "of"]);
            if let Some(label) = self.try_label() {
                out.push(Pick::One(label));
            } else {
                let before = self.at;
                let count = self.number().unwrap_or(1);
                self.skip(&["x", "×", "elements", "element", "of"]);
                match self.try_troop() {
                    Some(troop) => out.push(Pick::Some(u16::try_from(count).unwrap_or(u16::MAX), troop)),
                    None => {
                        self.at = before;
                        let word = self.word().to_owned();
                        let near = TroopType::suggest(&word)
                            .map_or(String::new(), |t| format!("; did you mean {}?", t.code()));
                        let problem = self.wrong(format!("elements are wanted, and {}{near}", self.found()));
                        return Err(problem.hint("write labels or numbers with types: Kni2, 3 Bld"));
                    }
                }
            }
            let before = self.at;
            if !(self.eat(&[",", "and", "&", "+"])) {
                break;
            }
            self.skip(&["and"]);
            // A comma may end the list.
            let next = self.at;
            let more = self.try_label().is_some() || {
                self.number();
                self.try_troop().is_some()
            };
            self.at = next;
            if !more {
                self.at = before;
                break;
            }
        }
        Ok(out)
    }

    /// A list of labels.
    pub(crate) fn labels(&mut self) -> Read<Vec<Label>> {
        let mut out = vec![self.label()?];
        loop {
            let before = self.at;
            if !self.eat(&[",", "and", "then", "&"]) {
                break;
            }
            match self.try_label() {
                Some(label) => out.push(label),
                None => {
                    self.at = before;
                    break;
                }
            }
        }
        Ok(out)
    }

    /// A comparison with a number: `two`, `at least 2`, `>= 2`, `more than one`, `two or more`.
    pub(crate) fn compare(&mut self) -> Option<(Compare, i64)> {
        let start = self.at;
        let (how, shift) = if self.eat_all(&["at", "least"]) || self.eat(&[">=", "=>"]) {
            (Compare::AtLeast, 0)
        } else if self.eat_all(&["more", "than"]) || self.eat(&[">", "over", "above"]) {
            (Compare::AtLeast, 1)
        } else if self.eat_all(&["at", "most"]) || self.eat(&["<=", "=<"]) || self.eat_all(&["up", "to"]) {
            (Compare::AtMost, 0)
        } else if self.eat_all(&["fewer", "than"])
            || self.eat_all(&["less", "than"])
            || self.eat(&["<", "under", "below"])
        {
            (Compare::AtMost, -1)
        } else {
            self.skip(&["=", "exactly", "just", "only", "is", "are"]);
            (Compare::Exactly, 0)
        };
        let Some(n) = self.number() else {
            self.at = start;
            return None;
        };
        if how == Compare::Exactly && self.eat_all(&["or", "more"]) {
            return Some((Compare::AtLeast, n));
        }
        if how == Compare::Exactly && (self.eat_all(&["or", "fewer"]) || self.eat_all(&["or", "less"])) {
            return Some((Compare::AtMost, n));
        }
        Some((how, n + shift))
    }
}

/// A number in digits or words.
pub(crate) fn number_word(text: &str) -> Option<i64> {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    // `4AP`, written as one word.
    if let Ok(n) = text.strip_suffix("ap").unwrap_or(text).parse::<i64>() {
        return Some(n);
    }
    match text {
        "a" | "an" | "single" => Some(1),
        "zero" | "none" => Some(0),
        _ => WORDS.iter().position(|w| *w == text).and_then(|n| i64::try_from(n).ok()),
    }
}

/// `1st`, `second`.
fn ordinal(text: &str) -> Option<i64> {
    const WORDS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    if let Some(n) = WORDS.iter().position(|w| *w == text) {
        return i64::try_from(n + 1).ok();
    }
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let rest = &text[digits.len()..];
    if matches!(rest, "st" | "nd" | "rd" | "th") { digits.parse().ok() } else { None }
}
