//! Walks a TOML document and reports what does not fit, with its line, instead of stopping at the first fault.

use crate::problem::{Problem, Severity, nearest};
use crate::shown::{is_harmful, plain};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A document being read.
pub(crate) struct Doc<'a> {
    file: &'a str,
    text: &'a str,
    problems: RefCell<Vec<Problem>>,
    /// Labels of those who did not read: who points at them has not erred.
    unread: RefCell<BTreeSet<String>>,
}

/// A table in it.
pub(crate) struct Table<'d, 't> {
    doc: &'d Doc<'d>,
    table: &'t DeTable<'t>,
    /// Where it begins.
    at: usize,
    /// How to name it in a message: "horde `guard`".
    pub what: String,
    seen: RefCell<BTreeSet<&'static str>>,
}

/// A text with the place where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub text: String,
    pub at: usize,
}

impl<'a> Doc<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, problems: RefCell::new(Vec::new()), unread: RefCell::default() }
    }

    fn line(&self, at: usize) -> usize {
        self.text.bytes().take(at).filter(|b| *b == b'\n').count() + 1
    }

    pub fn report(&self, severity: Severity, at: usize, text: impl Into<String>, hint: Option<String>) {
        let shown = |text: String| plain(&text).into_owned();
        let problem = Problem {
            file: self.file.to_owned(),
            line: self.line(at),
            severity,
            text: shown(text.into()),
            hint: hint.map(shown),
        };
        self.problems.borrow_mut().push(problem);
    }

    pub fn error(&self, at: usize, text: impl Into<String>, hint: Option<String>) {
        self.report(Severity::Error, at, text, hint);
    }

    /// Somebody did not read, which has been told of.
    pub fn miss(&self, label: String) {
        self.unread.borrow_mut().insert(label);
    }

    pub fn missed(&self, label: &str) -> bool {
        self.unread.borrow().contains(label)
    }

    pub fn has_errors(&self) -> bool {
        self.problems.borrow().iter().any(|p| p.severity == Severity::Error)
    }

    pub fn into_problems(self) -> Vec<Problem> {
        let mut all = self.problems.into_inner();
        all.sort_by_key(|p| p.line);
        all
    }

    /// Parses the text; syntax errors become problems.
    pub fn parse(&self) -> Option<Spanned<DeTable<'a>>> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for e in &errors {
            self.error(e.span().map_or(0, |s| s.start), e.message().trim().to_owned(), None);
        }
        if !errors.is_empty() {
            return None;
        }
        self.warn_of_harmful(table.get_ref());
        Some(table)
    }

    /// A text with a sign that would do something to a terminal is kept, and shown without it.
    fn warn_of_harmful(&self, table: &DeTable<'_>) {
        table.iter().for_each(|(key, v)| self.warn_of_harmful_in(key.get_ref(), v));
    }

    fn warn_of_harmful_in(&self, key: &str, v: &Spanned<DeValue<'_>>) {
        match v.get_ref() {
            DeValue::String(s) => {
                if let Some(c) = s.chars().find(|c| is_harmful(*c)) {
                    self.report(
                        Severity::Warning,
                        v.span().start,
                        format!("`{key}` has a sign that is not to be shown, U+{:04X}", u32::from(c)),
                        Some(format!("it is shown as `{}`", plain(s))),
                    );
                }
            }
            DeValue::Table(t) => self.warn_of_harmful(t),
            DeValue::Array(all) => all.iter().for_each(|v| self.warn_of_harmful_in(key, v)),
            _ => {}
        }
    }
}

impl<'d, 't> Table<'d, 't> {
    pub fn root(doc: &'d Doc<'d>, table: &'t Spanned<DeTable<'t>>, what: &str) -> Self {
        Self { doc, table: table.get_ref(), at: 0, what: what.to_owned(), seen: RefCell::default() }
    }

    pub fn doc(&self) -> &'d Doc<'d> {
        self.doc
    }

    pub fn at(&self) -> usize {
        self.at
    }

    fn value(&self, key: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.seen.borrow_mut().insert(key);
        self.table.iter().find(|(k, _)| k.get_ref() == key).map(|(_, v)| v)
    }

    fn wrong(&self, key: &str, v: &Spanned<DeValue<'_>>, wanted: &str) {
        let got = v.get_ref().type_str();
        self.doc.error(v.span().start, format!("{}: `{key}` should be {wanted}, not {got}", self.what), None);
    }

    pub fn text(&self, key: &'static str) -> Option<Word> {
        let v = self.value(key)?;
        match v.get_ref().as_str() {
            Some(s) => Some(Word { text: s.to_owned(), at: v.span().start }),
            None => {
                self.wrong(key, v, "a text in quotes");
                None
            }
        }
    }

    pub fn flag(&self, key: &'static str) -> Option<bool> {
        let v = self.value(key)?;
        let flag = v.get_ref().as_bool();
        if flag.is_none() {
            self.wrong(key, v, "true or false");
        }
        flag
    }

    fn number(&self, key: &str, v: &Spanned<DeValue<'_>>, range: &RangeInclusive<i32>) -> Option<i32> {
        let Some(i) = v.get_ref().as_integer() else {
            self.wrong(key, v, "a whole number");
            return None;
        };
        // One that fits into no number at all is out of range like any other.
        let n = i64::from_str_radix(i.as_str(), i.radix()).ok().and_then(|n| i32::try_from(n).ok());
        match n.filter(|n| range.contains(n)) {
            Some(n) => Some(n),
            None => {
                self.doc.error(
                    v.span().start,
                    format!("{}: `{key}` is {}", self.what, i.as_str()),
                    Some(format!("{} to {} would be right", range.start(), range.end())),
                );
                None
            }
        }
    }

    pub fn int(&self, key: &'static str, range: RangeInclusive<i32>) -> Option<i32> {
        let v = self.value(key)?;
        self.number(key, v, &range)
    }

    pub fn ints(&self, key: &'static str, range: RangeInclusive<i32>) -> Option<Vec<i32>> {
        let v = self.value(key)?;
        match v.get_ref().as_array() {
            Some(a) => Some(a.iter().filter_map(|v| self.number(key, v, &range)).collect()),
            None => {
                self.wrong(key, v, "a list of numbers");
                None
            }
        }
    }

    pub fn words(&self, key: &'static str) -> Option<Vec<Word>> {
        let v = self.value(key)?;
        let Some(array) = v.get_ref().as_array() else {
            if let Some(s) = v.get_ref().as_str() {
                return Some(vec![Word { text: s.to_owned(), at: v.span().start }]);
            }
            self.wrong(key, v, "a list of texts");
            return None;
        };
        let mut out = Vec::new();
        for v in array.iter() {
            match v.get_ref().as_str() {
                Some(s) => out.push(Word { text: s.to_owned(), at: v.span().start }),
                None => self.wrong(key, v, "a list of texts"),
            }
        }
        Some(out)
    }

    pub fn table(&self, key: &'static str) -> Option<Table<'d, 't>> {
        let v = self.value(key)?;
        match v.get_ref().as_table() {
            Some(table) => Some(Table {
                doc: self.doc,
                table,
                at: v.span().start,
                what: format!("{} [{key}]", self.what),
                seen: RefCell::default(),
            }),
            None => {
                self.wrong(key, v, "a table");
                None
            }
        }
    }

    pub fn tables(&self, key: &'static str) -> Vec<Table<'d, 't>> {
        let Some(v) = self.value(key) else { return Vec::new() };
        let Some(array) = v.get_ref().as_array() else {
            self.wrong(key, v, &format!("a list of tables, each headed [[{key}]]"));
            return Vec::new();
        };
        let mut out = Vec::new();
        for v in array.iter() {
            match v.get_ref().as_table() {
                Some(table) => out.push(Table {
                    doc: self.doc,
                    table,
                    at: v.span().start,
                    what: key.to_owned(),
                    seen: RefCell::default(),
                }),
                None => self.wrong(key, v, &format!("a list of tables, each headed [[{key}]]")),
            }
        }
        out
    }

    /// Every entry as text, dotted keys joined again: for `[options]`.
    pub fn flat_texts(&self) -> Vec<(String, Word)> {
        let mut out = Vec::new();
        flatten(self, self.table, String::new(), &mut out);
        out
    }

    /// Every entry that is a table, for tables whose keys are not fixed; what is no table is reported.
    pub fn tables_in(&self) -> Vec<(&'t str, Table<'d, 't>)> {
        let mut out = Vec::new();
        for (key, v) in self.entries() {
            match v.get_ref().as_table() {
                Some(table) => out.push((
                    key,
                    Table {
                        doc: self.doc,
                        table,
                        at: v.span().start,
                        what: format!("{} {key}", self.what),
                        seen: RefCell::default(),
                    },
                )),
                None => self.wrong(key, v, "a table"),
            }
        }
        out
    }

    /// Every entry, for tables whose keys are not fixed.
    pub fn entries(&self) -> impl Iterator<Item = (&'t str, &'t Spanned<DeValue<'t>>)> {
        self.table.iter().map(|(k, v)| (&**k.get_ref(), v))
    }

    /// Reports keys that nobody asked for.
    pub fn finish(&self) {
        let seen = self.seen.borrow();
        for (key, _) in self.table.iter() {
            let name: &str = key.get_ref();
            if !seen.contains(name) {
                self.doc.error(
                    key.span().start,
                    format!("{}: there is no `{name}` here", self.what),
                    nearest(name, seen.iter().copied()).map(|n| format!("did you mean `{n}`?")),
                );
            }
        }
    }
}

fn flatten(of: &Table<'_, '_>, table: &DeTable<'_>, head: String, out: &mut Vec<(String, Word)>) {
    for (key, v) in table.iter() {
        let name =
            if head.is_empty() { key.get_ref().to_string() } else { format!("{head}.{}", key.get_ref()) };
        let text = match v.get_ref() {
            DeValue::String(s) => s.to_string(),
            DeValue::Integer(i) => i.as_str().to_owned(),
            DeValue::Boolean(b) => (if *b { "on" } else { "off" }).to_owned(),
            DeValue::Table(t) => {
                flatten(of, t, name, out);
                continue;
            }
            _ => {
                of.wrong(&name, v, "a text");
                continue;
            }
        };
        out.push((name, Word { text, at: v.span().start }));
    }
}
