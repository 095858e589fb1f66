//! Lists as people paste them from forums, blogs and mails: one element a line, or several, with prices,
//! bullets, totals, headings and remarks. What looks like an element but cannot be read is named by line;
//! headings and remarks are passed over.

mod marks;
mod piece;
mod token;

use serde::Serialize;

use self::marks::{Heading, has_mark, marked, names_a_part};
use self::piece::{Draft, clean_type, codes, names_a_type, read_piece, take_ap};
use self::token::{Token, clean, tokens};
use super::file::{ArmyFileError, parse_army, split_general};
use super::model::{Army, Entry, Halves};
use crate::table::{Tables, TroopType};

/// A line that looks like an element and could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The line, from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// Why, or what may have been meant.
    #[serde(skip)]
    pub hint: Option<String>,
}

/// What was read of a pasted list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    /// The army, as far as it could be read.
    pub army: Army,
    /// Lines that could not be read.
    pub unread: Vec<Unread>,
    /// The total that the list itself states.
    pub claimed: Option<Halves>,
    /// Lines whose stated cost is not what their elements cost; they are read by their count.
    pub remarks: Vec<Unread>,
}

/// Reads an army in either form: a file of the project's own, or a pasted list.
///
/// # Errors
/// Faults of a file of the project's own. A pasted list has none: what cannot be read of it is in
/// [`Pasted::unread`].
pub fn read_list(file: &str, text: &str, tables: &Tables) -> Result<Pasted, Vec<ArmyFileError>> {
    if !is_toml(text) {
        return Ok(read_pasted(text, tables));
    }
    let army = parse_army(file, text)?;
    Ok(Pasted { army, unread: Vec::new(), claimed: None, remarks: Vec::new() })
}

/// The project's own files have tables of elements or quoted values; pasted lists have neither.
fn is_toml(text: &str) -> bool {
    text.lines().map(str::trim).any(|l| {
        let key = |k: &str| {
            let rest = l.strip_prefix(k).map(str::trim_start).and_then(|r| r.strip_prefix('='));
            rest.is_some_and(|r| r.trim_start().starts_with(['"', '\'']))
        };
        l.starts_with("[[element") || key("name") || key("type") || key("people")
    })
}

/// A title without the total behind it: `My dwarves (24 pts)`, `Orcs - 24 AP`.
fn without_total(title: &str) -> &str {
    let trimmed = title.trim_end_matches([')', ']', '.', ' ']);
    let Some(rest) = ["pts", "points", "point", "ap", "pt"].iter().find_map(|unit| {
        let at = trimmed.len().checked_sub(unit.len())?;
        let (rest, end) = (trimmed.get(..at)?, trimmed.get(at..)?);
        end.eq_ignore_ascii_case(unit).then_some(rest)
    }) else {
        return title;
    };
    let figure = rest.trim_end();
    let before = figure.trim_end_matches(|c: char| c.is_ascii_digit());
    // Parted from the name: an "Army of 24 points" is called so.
    let name = before.trim_end().trim_end_matches(['(', '[', '-', ',', ':', '–', '—']);
    if before.len() == figure.len() || name.len() == before.trim_end().len() || name.trim().is_empty() {
        return title;
    }
    name.trim_end()
}

/// A piece of a line that names a type, with what only the whole list can decide.
struct Line {
    number: u32,
    text: String,
    draft: Draft,
    /// "3." before it: its place in the list, or its count.
    label: Option<u32>,
    /// "No. 3-5:" says how many by itself.
    spanned: Option<u32>,
    /// BB-002: the command under whose heading it stands.
    command: u8,
}

/// Reads a pasted list.
pub fn read_pasted(text: &str, tables: &Tables) -> Pasted {
    let mut reader = Reader {
        tables,
        lines: Vec::new(),
        unread: Vec::new(),
        claimed: None,
        title: None,
        reached: 0,
        command: 1,
        headed: None,
        chief: None,
    };
    let starred = text.lines().any(is_star_note);
    let french = text.lines().filter(|l| french_points(l).is_some()).count() > 1;
    for (i, raw) in text.lines().enumerate() {
        let number = u32::try_from(i + 1).unwrap_or(u32::MAX);
        let points = if french { french_points(raw) } else { None };
        let raw = points.as_deref().unwrap_or(raw);
        match starred {
            true if is_star_note(raw) => {}
            true if has_star(raw) => reader.line(number, &format!("{raw} (general)")),
            _ => reader.line(number, raw),
        }
    }
    reader.finish()
}

/// "6 x Lames - 12 PA": the line with its `PA`, which are points and no Paladins, as AP. One such line may mean them.
fn french_points(line: &str) -> Option<String> {
    let head = line.trim_end().trim_end_matches(['.', ')', ']']);
    let number = head.strip_suffix("PA")?.trim_end();
    let before = number.trim_end_matches(|c: char| c.is_ascii_digit());
    let priced = before.trim_end().ends_with(['-', '–', '—', '(', '[', '@', '=', ':', '|', '\t']);
    (before.len() < number.len() && priced).then(|| {
        let end = &line[head.len()..];
        format!("{number} AP{end}")
    })
}

/// "* = general", "*general": a note that says what a star behind an element means.
fn is_star_note(line: &str) -> bool {
    let line = line.trim().trim_matches(['(', ')']);
    let Some(rest) = line.strip_prefix('*') else { return false };
    let words: Vec<String> =
        rest.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let known = ["is", "the", "army", "denotes", "marks", "means", "indicates", "element", "with"];
    let general = ["general", "gen", "cinc", "commander", "leader"];
    !rest.chars().any(|c| c.is_ascii_digit() || c == '*')
        && words.iter().any(|w| general.contains(&w.as_str()))
        && words.iter().all(|w| general.contains(&w.as_str()) || known.contains(&w.as_str()))
}

/// "Hero*", "2 Knights (Wolves)*": one star behind a word.
fn has_star(line: &str) -> bool {
    let chars: Vec<char> = line.chars().collect();
    (1..chars.len()).any(|i| {
        let behind = chars[i - 1].is_alphabetic() || chars[i - 1] == ')';
        let more = chars.get(i + 1).is_some_and(|c| c.is_alphanumeric() || *c == '*');
        chars[i] == '*' && behind && !more && chars.iter().filter(|c| **c == '*').count() <= 2
    })
}

struct Reader<'a> {
    tables: &'a Tables,
    lines: Vec<Line>,
    unread: Vec<Unread>,
    claimed: Option<Halves>,
    title: Option<String>,
    /// The last place in a list that a line of its own names: "2-5 Blades" goes on from 1.
    reached: u32,
    /// BB-002: the command to which what follows belongs.
    command: u8,
    /// How many lines were read when its heading came.
    headed: Option<usize>,
    /// The commander-in-chief's command.
    chief: Option<u8>,
}

/// What bare numbers in a list are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Figures {
    /// How many elements.
    Counts,
    /// What one of them costs.
    Each,
    /// What all on the line cost.
    Lines,
}

const TOTALS: [&str; 12] = [
    "total",
    "totals",
    "subtotal",
    "sum",
    "grand",
    "totaling",
    "totalling",
    "tally",
    "summe",
    "gesamt",
    "insgesamt",
    "totale",
];
const LABELS: [&str; 12] =
    ["no", "nos", "nr", "num", "number", "stand", "element", "elements", "unit", "base", "item", "el"];

impl Reader<'_> {
    fn unread(&mut self, line: u32, raw: &str, hint: Option<String>) {
        self.unread.push(Unread { line, text: raw.trim().to_owned(), hint });
    }

    fn line(&mut self, number: u32, raw: &str) {
        let trimmed = raw.trim();
        let remark = ["//", "--", ";", "%", "<!--"].iter().any(|m| trimmed.starts_with(m));
        if trimmed.is_empty() || remark || trimmed.contains("://") {
            return;
        }
        let text = clean(raw);
        let heading = text.trim_end().ends_with(':');
        let big = self.tables.is_big();
        let mut found = tokens(&text);
        if big {
            found = marked(found, self.tables);
            if let Some(begun) = Heading::read(&found).filter(|h| !is_subtotal(&h.rest)) {
                return self.begin(number, raw, heading, &begun);
            }
        }
        self.tokens(number, raw, &text, heading, found);
    }

    /// BB-002: a heading of a command, and what stands behind it on its line.
    fn begin(&mut self, number: u32, raw: &str, heading: bool, begun: &Heading) {
        let most = u32::from(u8::MAX);
        let next = match begun.number {
            Some(n) if (1..most).contains(&n) => n,
            Some(n) => return self.unread(number, raw, Some(format!("there is no command {n}"))),
            // One without a number goes on from the last, unless that has but begun.
            None if self.headed.unwrap_or(0) == self.lines.len() => u32::from(self.command),
            None => self.lines.iter().map(|l| u32::from(l.command)).max().unwrap_or(0) + 1,
        };
        self.command = u8::try_from(next).unwrap_or(u8::MAX);
        self.headed = Some(self.lines.len());
        self.reached = 0;
        if begun.chief {
            self.chief = Some(self.command);
        }
        let (left, _) = take_ap(&begun.rest);
        let figures = left.iter().any(|t| t.number().is_some());
        if names_a_type(&left) && (figures || clean_type(&left).is_some()) {
            self.tokens(number, raw, raw.trim(), heading, begun.rest.clone());
        } else if has_mark(&left) {
            self.unread(number, raw, Some(EACH.to_owned()));
        }
    }

    /// A line as tokens.
    fn tokens(&mut self, number: u32, raw: &str, text: &str, heading: bool, found: Vec<Token>) {
        let (trimmed, big) = (raw.trim(), self.tables.is_big());
        if let Some((from, to)) = open_span(&found) {
            let goes_on = from == self.reached + 1;
            self.reached = to;
            if !goes_on {
                return self.unread(number, raw, Some(format!("how many: {from} or {to}?")));
            }
        } else if let Some(n) = found.first().and_then(Token::number) {
            self.reached = n;
        }
        let (all, label, spanned) = take_label(found);
        // "11 elements | Total | 24" has figures and signs before the word.
        let later = || all.iter().find(|t| matches!(t, Token::Word(_))).is_some_and(|t| t.is_word(&TOTALS));
        if all.iter().take(2).any(|t| t.is_word(&TOTALS)) || later() && !names_a_type(&all) {
            self.total(&all);
            return;
        }
        let Some(pieces) = pieces(&all) else {
            let hint = Some("it names two types as alternatives".to_owned());
            return self.unread(number, raw, hint);
        };
        let several = pieces.len() > 1;
        let mut read_any = false;
        for piece in pieces {
            let Some(mut draft) = read_piece(&piece) else {
                if has_mark(&piece) {
                    read_any = true;
                    self.unread(number, raw, Some(EACH.to_owned()));
                }
                continue;
            };
            // what only a whole army costs is a total, wherever it stands
            if several && !big || !draft.clear && draft.count.is_none() && draft.doubtful.is_none() {
                self.take_claim(&mut draft.stated);
            }
            if draft.ty == TroopType::Str {
                read_any = true; // HOTT-013: it is no element of the list
                continue;
            }
            if self.is_prose(&draft, heading, &piece) {
                // "The Blades are elite.": nobody would know of it.
                if draft.marks.any && (self.title.is_some() || !self.lines.is_empty()) {
                    read_any = true;
                    self.unread(number, raw, Some(EACH.to_owned()));
                    continue;
                }
                read_any |= heading && draft.clear;
                continue;
            }
            read_any = true;
            let (label, spanned) = (label, spanned);
            let command = match draft.marks.command.map(u8::try_from) {
                None => self.command,
                Some(Ok(n)) if n > 0 => n,
                Some(_) => {
                    self.unread(number, raw, Some("of which command?".to_owned()));
                    continue;
                }
            };
            if big && draft.marks.chief {
                self.chief = Some(command);
            }
            if let Some((n, m)) = draft.either {
                let unit = self.halves_each(&draft);
                // "Spears 7 (14)", "Artillery 1 (3)": the bracket is what they cost
                if n > 0 && (2 * m == n.saturating_mul(unit) || 2 * m == unit) {
                    (draft.count, draft.strays) = (Some(n), Vec::new());
                }
            }
            self.lines.push(Line { number, text: trimmed.to_owned(), draft, label, spanned, command });
        }
        if !read_any {
            self.without_type(number, raw, text, &all);
        }
    }

    /// Takes out of stated prices what is more than any line costs.
    fn take_claim(&mut self, stated: &mut Vec<u32>) {
        let large = |n: &u32| *n >= 40;
        if let Some(n) = stated.iter().copied().find(large).and_then(|n| i32::try_from(n).ok()) {
            self.claimed = Some(Halves(n));
        }
        stated.retain(|n| !large(n));
    }

    /// Whether a piece only speaks of elements: a title, a heading or a sentence.
    fn is_prose(&self, draft: &Draft, heading: bool, piece: &[Token]) -> bool {
        let figures = draft.count.is_some() || draft.doubtful.is_some();
        let counted = piece.first().is_some_and(|t| t.number().is_some())
            || piece.iter().any(|t| t.is_word(&["x"]))
            || !draft.stated.is_empty();
        let sentence = piece.last().is_some_and(|t| t.is_sign(".!?"));
        let first = self.lines.is_empty() && self.title.is_none() && self.headed.is_none();
        if counted {
            return false;
        }
        if figures {
            return draft.words >= 5;
        }
        if draft.general {
            return draft.words >= 7;
        }
        heading || !draft.clear && (first || sentence || draft.words >= 4)
    }

    /// A line of totals: the last AP on it, or the last number.
    fn total(&mut self, all: &[Token]) {
        let (left, stated) = take_ap(all);
        let number = stated.last().copied().or_else(|| left.iter().rev().find_map(Token::halves));
        self.claimed = number.and_then(|n| i32::try_from(n).ok()).map(Halves).or(self.claimed);
    }

    /// A line that names no type: a total, a title, a heading, a remark, or something unread.
    fn without_type(&mut self, number: u32, raw: &str, text: &str, all: &[Token]) {
        let (left, stated) = take_ap(all);
        let flat: Vec<&Token> = left
            .iter()
            .flat_map(|t| if let Token::Group(g) = t { g.iter().collect() } else { vec![t] })
            .collect();
        let words: Vec<&str> = flat
            .iter()
            .filter_map(|t| if let Token::Word(w) = t { Some(w.as_str()) } else { None })
            .collect();
        let small = |n: u32| n > 0 && n <= 40;
        let figures: Vec<u32> = flat.iter().filter_map(|t| t.number()).collect();
        let unit = flat.get(1).is_some_and(|t| t.is_word(&["mm", "cm", "th", "nd", "rd", "st", "p"]));
        let first = flat.first().and_then(|t| t.number()).is_some_and(small) && !unit;
        let last = flat.last().and_then(|t| t.number()).is_some_and(small);
        let times = flat.iter().any(|t| t.is_word(&["x"])) && figures.iter().any(|n| small(*n));
        let hint = || {
            let found = words.iter().filter(|w| w.len() >= 4).find_map(|w| TroopType::suggest(w));
            found.map(|t| format!("did you mean {}?", t.name()))
        };
        let titled = self.title.is_some() || !self.lines.is_empty() || self.headed.is_some();
        if has_mark(all) && (titled || words.len() < 2) {
            return self.unread(number, raw, Some(EACH.to_owned()));
        }
        // BB-002: whose command it is must be known.
        let part = titled && words.len() <= 4 && names_a_part(all) && !is_subtotal(all);
        if self.tables.is_big() && part {
            let hint = "a command? its heading is like `Command 2`, or `Second command: the Duke's`";
            return self.unread(number, raw, Some(hint.to_owned()));
        }
        if self.tables.is_big() && is_subtotal(all) {
            return;
        }
        let looks_counted = (first || last && titled || times) && !words.is_empty() && words.len() <= 6;
        let priced = !stated.is_empty() && stated.iter().all(|n| *n <= 24) && (1..=5).contains(&words.len());
        if looks_counted || priced {
            return self.unread(number, raw, hint());
        }
        if let Some(ap) = stated.last().and_then(|n| i32::try_from(*n).ok()).filter(|n| *n > 24) {
            self.claimed = Some(Halves(ap));
        }
        if words.len() <= 2
            && titled
            && !text.ends_with(':')
            && let Some(hint) = hint()
        {
            return self.unread(number, raw, Some(hint));
        }
        if !titled && !words.is_empty() {
            let name = text.trim_matches(|c: char| c == ':' || c == '-' || c.is_whitespace());
            self.title = Some(without_total(name).to_owned());
        }
    }

    /// Settles what one line could not say: labels against counts, counts against prices.
    fn finish(mut self) -> Pasted {
        let labels: Vec<u32> = distinct_labels(&self.lines);
        let numbered = labels.len() > 1 && labels.iter().zip(1u32..).all(|(n, i)| *n == i);
        for line in &mut self.lines {
            if let (Some(n), false, None) = (line.label, numbered, line.draft.count) {
                line.draft.count = Some(n);
                line.draft.strays.extend(line.draft.doubtful.take());
            }
            if line.draft.count.is_none() && line.draft.doubtful.is_none() {
                line.draft.count = line.spanned;
            }
        }
        let priced = self.what_figures_are(numbered);
        let mut army = Army::new(self.title.as_deref().unwrap_or("pasted list"));
        let mut remarks = Vec::new();
        let lines = std::mem::take(&mut self.lines);
        for line in &lines {
            match self.count(line, priced) {
                Err(hint) => {
                    let (number, text) = (line.number, line.text.clone());
                    self.unread(number, &text, Some(hint));
                }
                Ok(0) => {}
                Ok(count) => {
                    let entry = entry(line, count);
                    let each = entry.cost_each(self.tables).0;
                    let paid = entry.cost(self.tables).0;
                    let fits = |n: &u32| i32::try_from(*n).is_ok_and(|n| n == each || n == paid);
                    if !line.draft.stated.iter().all(fits) {
                        let hint = format!("{} cost {}", entry.label(), entry.cost(self.tables));
                        remarks.push(Unread { line: line.number, text: line.text.clone(), hint: Some(hint) });
                    }
                    army.entries.extend(split_general(entry));
                }
            }
        }
        // Who leads: the command that is said to be his, else the first that there is.
        let first = army.entries.iter().map(|e| e.command).min();
        army.commands.cinc = self.chief.or(first).unwrap_or(1);
        self.unread.sort_by_key(|u| u.line);
        self.unread.dedup_by_key(|u| u.line);
        Pasted { army, unread: self.unread, claimed: self.claimed, remarks }
    }

    /// What one element costs, in halves of an AP (BB-007).
    fn halves_each(&self, draft: &Draft) -> u32 {
        let grade = draft.marks.grade.unwrap_or_default();
        u32::from(crate::setup::roster::halves(self.tables, draft.ty, grade))
    }

    fn unit(&self, line: &Line) -> u32 {
        self.halves_each(&line.draft)
    }

    /// What the bare numbers of a list are: prices of lines only where the list comes to its total so and not
    /// otherwise.
    fn what_figures_are(&self, numbered: bool) -> Figures {
        let plain = if self.doubtful_are_prices(numbered) { Figures::Each } else { Figures::Counts };
        let doubtful: Vec<&Line> = self.lines.iter().filter(|l| l.draft.doubtful.is_some()).collect();
        let unit = |l: &Line| self.unit(l).max(1);
        let divide = doubtful
            .iter()
            .all(|l| l.draft.doubtful.is_some_and(|n| 2 * n >= unit(l) && (2 * n).is_multiple_of(unit(l))));
        let target = self.target();
        let comes_out = |how: Figures| self.total_by(how) == target;
        if doubtful.len() > 1 && divide && !comes_out(plain) && comes_out(Figures::Lines) {
            return Figures::Lines;
        }
        plain
    }

    /// What the list is to come to, in halves of an AP.
    fn target(&self) -> u32 {
        let standard = Halves::whole(self.tables.numbers.army_ap);
        u32::try_from(self.claimed.unwrap_or(standard).0).unwrap_or_default()
    }

    fn total_by(&self, figures: Figures) -> u32 {
        let one = |l: &Line| self.count(l, figures).unwrap_or(1).saturating_mul(self.unit(l));
        self.lines.iter().map(one).fold(0, u32::saturating_add)
    }

    /// Whether the price that a line states says that its bare number is a count: "Warbands 8 @ 2 = 16", and
    /// "Spears 5 10" in columns.
    fn is_count(&self, line: &Line) -> bool {
        let d = &line.draft;
        let paid = |n: u32| n.saturating_mul(self.unit(line));
        d.doubtful.is_some_and(|n| {
            n > 1 && d.stated.contains(&paid(n)) || d.strays.iter().any(|s| s.saturating_mul(2) == paid(n))
        })
    }

    /// "Hero 4, Knights 2, Blades 2": prices if all of them are, and if the list comes out nearer to its
    /// total so.
    fn doubtful_are_prices(&self, numbered: bool) -> bool {
        let open = |l: &&Line| l.draft.doubtful.is_some() && !self.is_count(l);
        let mut doubtful = self.lines.iter().filter(open).peekable();
        if doubtful.peek().is_none()
            || doubtful.any(|l| l.draft.doubtful.map(|n| 2 * n) != Some(self.unit(l)))
        {
            return false;
        }
        // a list that numbers its elements has one a line; one that prices other lines so prices these
        let prices = |l: &Line| l.draft.count.is_some() && !l.draft.strays.is_empty();
        if numbered || self.lines.iter().any(prices) {
            return true;
        }
        let target = self.target();
        self.total_by(Figures::Each).abs_diff(target) <= self.total_by(Figures::Counts).abs_diff(target)
    }

    /// How many elements a line means, or why that cannot be said.
    fn count(&self, line: &Line, figures: Figures) -> Result<u32, String> {
        let unit = self.unit(line);
        let d = &line.draft;
        let twice = |n: u32| n.saturating_mul(2);
        let count = match (d.count, d.doubtful) {
            (Some(n), _) => n,
            (None, Some(n)) => {
                let priced = d.stated.contains(&unit) && !d.stated.contains(&n.saturating_mul(unit));
                // one element holds the general: "Hero general 4"
                match figures {
                    _ if self.is_count(line) => n,
                    Figures::Lines if unit > 0 && twice(n).is_multiple_of(unit) => twice(n) / unit,
                    Figures::Each => 1,
                    _ if twice(n) == unit && (priced || d.general) => 1,
                    _ => n,
                }
            }
            // only a price: so many as it buys
            (None, None) => match d.stated.iter().max() {
                Some(ap) if unit > 0 && *ap > unit && ap.is_multiple_of(unit) => ap / unit,
                _ => 1,
            },
        };
        if d.marks.torn {
            return Err("which of the two?".to_owned());
        }
        if d.marks.partly.is_some_and(|n| n != count) {
            return Err("only some of them? write each kind for itself: 2 Elite Blades, 2 Blades".to_owned());
        }
        let explained =
            |n: &u32| twice(*n) == unit || twice(*n) == unit.saturating_mul(count) || Some(*n) == line.label;
        if let Some(stray) = d.strays.iter().find(|n| !explained(n)) {
            return Err(format!("what does {stray} mean?"));
        }
        if count > 100 {
            return Err(format!("{count} elements are more than any army has"));
        }
        Ok(count)
    }
}

/// The labels in the order of their lines, one a line.
fn distinct_labels(lines: &[Line]) -> Vec<u32> {
    let mut labels = Vec::new();
    let mut last = 0;
    for line in lines {
        if line.number != last {
            labels.extend(line.label);
        }
        last = line.number;
    }
    labels
}

fn entry(line: &Line, count: u32) -> Entry {
    let d = &line.draft;
    Entry {
        general: d.general,
        name: d.name.clone(),
        grade: d.marks.grade.unwrap_or_default(),
        shooting: d.marks.armed,
        command: line.command,
        line: line.number,
        ..Entry::new(d.ty, u16::try_from(count).unwrap_or(u16::MAX))
    }
}

/// What to do about a grade or a weapon that stands by no element.
const EACH: &str =
    "a grade or a weapon stands beside the elements that have it: 4 Elite Blades, 2 armed Scouts";

/// "Command 2 total: 24 AP".
fn is_subtotal(all: &[Token]) -> bool {
    all.iter().any(|t| t.is_word(&TOTALS)) && !names_a_type(all)
}

/// Takes off what numbers a line in its list: "3.", "3)", "a)", "No. 3:", "#3", "Nos. 2-5:". Gives what is
/// left, a label that may be a count, and the count of a span.
fn take_label(mut all: Vec<Token>) -> (Vec<Token>, Option<u32>, Option<u32>) {
    let letter = |t: &Token| matches!(t, Token::Word(w) if w.chars().count() == 1);
    if all.len() > 2 && letter(&all[0]) && all[1].is_sign(").") {
        all.drain(..2);
    }
    let number = |i: usize| all.get(i).and_then(Token::number);
    let sign = |i: usize, s: &str| all.get(i).is_some_and(|t| t.is_sign(s));
    let named = all.first().is_some_and(|t| t.is_word(&LABELS));
    let start = if named { 1 + usize::from(sign(1, ".:")) } else { usize::from(sign(0, "#")) };
    let Some(from) = number(start) else { return (all, None, None) };
    let to = if sign(start + 1, "-") { number(start + 2) } else { None };
    let end = start + if to.is_some() { 3 } else { 1 };
    let closed = sign(end, ".):") || start > 0 && sign(end, "-,");
    let rest = all[end + usize::from(closed)..].to_vec();
    match to {
        Some(to) if to >= from && (closed || start > 0 || names_a_type(&rest)) => {
            (rest, None, Some(to - from + 1))
        }
        _ if start > 0 && !rest.is_empty() => (rest, None, None),
        _ if closed && !rest.is_empty() => (rest, Some(from), None),
        _ => (all, None, None),
    }
}

/// "4-6 Warbands", with nothing that says what the two numbers are.
fn open_span(all: &[Token]) -> Option<(u32, u32)> {
    let [a, dash, b, rest @ ..] = all else { return None };
    let (from, to) = (a.number()?, b.number()?);
    (dash.is_sign("-") && from <= to && names_a_type(rest) && !rest.first()?.is_sign(".):"))
        .then_some((from, to))
}

/// The pieces of a line, if it names several elements; `None` if it gives a choice between types.
fn pieces(all: &[Token]) -> Option<Vec<Vec<Token>>> {
    let splits = |t: &Token| t.is_sign(",;+&/.") || t.is_word(&["and", "or", "plus"]);
    let mut pieces: Vec<(Vec<Token>, bool)> = vec![(Vec::new(), false)];
    for t in all {
        if splits(t) {
            pieces.push((Vec::new(), t.is_sign("/") || t.is_word(&["or"])));
        } else if let Some((piece, _)) = pieces.last_mut() {
            piece.push(t.clone());
        }
    }
    let own = |p: &[Token]| {
        read_piece(p).is_some_and(|d| d.clean || d.general || d.count.is_some() || d.doubtful.is_some())
    };
    // "{Hero general} {Beasts x6}": nothing but brackets, each with its own
    let groups: Vec<Vec<Token>> =
        all.iter().filter_map(|t| if let Token::Group(g) = t { Some(g.clone()) } else { None }).collect();
    let nothing_else = all.iter().all(|t| matches!(t, Token::Group(_) | Token::Sign(_)));
    if nothing_else && groups.len() > 1 && groups.iter().all(|g| names_a_type(g)) {
        return Some(groups);
    }
    let typed: Vec<&(Vec<Token>, bool)> = pieces.iter().filter(|(p, _)| names_a_type(p)).collect();
    if typed.len() < 2
        && let Some(list) = codes(all)
    {
        return Some(list);
    }
    if typed.len() < 2 || !typed.iter().all(|(p, _)| own(p)) {
        return Some(vec![all.to_vec()]);
    }
    // Three and more between strokes, each with its own number, are a list: "1x Hero/2x Knight/4x Blade".
    let counted = |p: &[Token]| read_piece(p).is_some_and(|d| d.count.is_some());
    let list =
        typed.len() > 2 && !all.iter().any(|t| t.is_word(&["or"])) && typed.iter().all(|(p, _)| counted(p));
    if !list && typed.iter().skip(1).any(|(_, choice)| *choice) {
        return None;
    }
    let mut out: Vec<Vec<Token>> = Vec::new();
    let mut before: Vec<Token> = Vec::new();
    for (piece, _) in pieces {
        let target = match out.last_mut() {
            _ if names_a_type(&piece) => {
                out.push(std::mem::take(&mut before));
                out.last_mut()
            }
            other => other,
        };
        match target {
            Some(t) => {
                if !t.is_empty() {
                    t.push(Token::Sign(','));
                }
                t.extend(piece);
            }
            None => before.extend(piece),
        }
    }
    Some(out)
}
