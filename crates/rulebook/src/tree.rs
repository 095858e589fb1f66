//! Rules data as a tree that remembers where each value was written, so that a house-rules file can
//! be laid over the shipped tables and a wrong number be shown with its file and line.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::de::{DeTable, DeValue};

use crate::error::{Problem, RulesError, RulesErrors};
use crate::text::nearest_names;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It is the shipped default.
    Default,
    /// An edition preset, by name.
    Preset(Arc<str>),
    /// A file: its name, line and column (both from 1).
    File(Arc<str>, u32, u32),
    /// A `--set` on the command line, as it was written.
    Set(Arc<str>),
    /// A record's header, which holds all rules in force.
    Record,
}

impl Origin {
    /// The line in the file, from 1; 0 where there is no file.
    pub fn line(&self) -> u32 {
        if let Origin::File(_, line, _) = self { *line } else { 0 }
    }

    /// The column in the file, from 1, counted in characters; 0 where there is no file.
    pub fn column(&self) -> u32 {
        if let Origin::File(_, _, column) = self { *column } else { 0 }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::Preset(name) => write!(f, "preset {name}"),
            Origin::File(name, line, column) => write!(f, "{name}:{line}:{column}"),
            Origin::Set(text) => write!(f, "--set {text}"),
            Origin::Record => f.write_str("record"),
        }
    }
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// On or off.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(String),
    /// A list; overlaid as a whole.
    Array(Vec<Node>),
    /// A table; overlaid key by key.
    Table(BTreeMap<String, Node>),
}

impl Content {
    fn kind(&self) -> &'static str {
        match self {
            Content::Bool(_) => "true or false",
            Content::Int(_) => "a whole number",
            Content::Float(_) => "a number",
            Content::Text(_) => "a text",
            Content::Array(_) => "a list",
            Content::Table(_) => "a table",
        }
    }
}

/// A value with the place where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    content: Content,
    origin: Origin,
}

impl Node {
    /// A node of one's own making.
    pub fn new(content: Content, origin: Origin) -> Node {
        Node { content, origin }
    }

    /// What it holds.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Where it was written.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Its entries, if it is a table.
    pub fn as_table(&self) -> Option<&BTreeMap<String, Node>> {
        if let Content::Table(t) = &self.content { Some(t) } else { None }
    }

    /// Its members, if it is a list.
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Content::Array(a) = &self.content { Some(a) } else { None }
    }

    /// Its text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Content::Text(s) = &self.content { Some(s) } else { None }
    }

    /// Its number, if it is a whole one.
    pub fn as_int(&self) -> Option<i64> {
        if let Content::Int(i) = self.content { Some(i) } else { None }
    }

    /// The entry of a table.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_table()?.get(key)
    }

    /// A single value as people would write it; nothing for lists and tables.
    pub fn scalar_text(&self) -> Option<String> {
        match &self.content {
            Content::Bool(b) => Some(b.to_string()),
            Content::Int(i) => Some(i.to_string()),
            Content::Float(x) => Some(x.to_string()),
            Content::Text(s) => Some(s.clone()),
            Content::Array(_) | Content::Table(_) => None,
        }
    }

    /// The same value, everywhere said to come from this origin.
    fn moved(&self, origin: &Origin) -> Node {
        let content = match &self.content {
            Content::Array(a) => Content::Array(a.iter().map(|n| n.moved(origin)).collect()),
            Content::Table(t) => {
                Content::Table(t.iter().map(|(k, n)| (k.clone(), n.moved(origin))).collect())
            }
            single => single.clone(),
        };
        Node::new(content, origin.clone())
    }

    fn of(value: &toml::Value, origin: &Origin) -> Node {
        let content = match value {
            toml::Value::Boolean(b) => Content::Bool(*b),
            toml::Value::Integer(i) => Content::Int(*i),
            toml::Value::Float(x) => Content::Float(*x),
            toml::Value::String(s) => Content::Text(s.clone()),
            // Rules have no dates; one written by somebody else stays the text it looks like.
            toml::Value::Datetime(d) => Content::Text(d.to_string()),
            toml::Value::Array(a) => Content::Array(a.iter().map(|v| Node::of(v, origin)).collect()),
            toml::Value::Table(t) => {
                Content::Table(t.iter().map(|(k, v)| (k.clone(), Node::of(v, origin))).collect())
            }
        };
        Node::new(content, origin.clone())
    }

    fn toml(&self) -> toml::Value {
        match &self.content {
            Content::Bool(b) => toml::Value::Boolean(*b),
            Content::Int(i) => toml::Value::Integer(*i),
            Content::Float(x) => toml::Value::Float(*x),
            Content::Text(s) => toml::Value::String(s.clone()),
            Content::Array(a) => toml::Value::Array(a.iter().map(Node::toml).collect()),
            Content::Table(t) => toml::Value::Table(t.iter().map(|(k, v)| (k.clone(), v.toml())).collect()),
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.toml().serialize(s)
    }
}

/// A rules data file, or several laid over one another. It serializes as plain data.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    root: Node,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { root: Node::new(Content::Table(BTreeMap::new()), Origin::Default) }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.root.serialize(s)
    }
}

/// Read back from a record: every value then comes from it.
impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Tree, D::Error> {
        let table = toml::Value::Table(toml::Table::deserialize(d)?);
        Ok(Tree { root: Node::of(&table, &Origin::Record) })
    }
}

/// A limit that a game sets on the numbers of its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The dotted path, `*` for any name or place in a list: `hott.types.*.cf_foot`.
    pub path: &'static str,
    /// What the number is, with its article: "a factor".
    pub what: &'static str,
    /// The least allowed.
    pub min: i64,
    /// The greatest allowed.
    pub max: i64,
}

/// What is said of a key that is written twice in one table; `line` is its second place.
fn set_twice(text: &str, key: &str, line: u32) -> String {
    let before: Vec<&str> = text.lines().take((line as usize).saturating_sub(1)).collect();
    // Only in its own table, or it would be another key.
    let own = before.iter().rposition(|l| l.trim_start().starts_with('[')).map_or(0, |n| n + 1);
    let is = |l: &&str| l.split_once('=').is_some_and(|(k, _)| k.split('.').any(|part| part.trim() == key));
    let first = before[own..].iter().position(is).map(|n| own + n + 1);
    let also = first.map_or_else(String::new, |n| format!(", in line {n} for the first time"));
    format!("`{key}` is set twice{also}; one of the two may stay")
}

impl Tree {
    /// Reads TOML; `name` is what messages call the file.
    ///
    /// # Errors
    /// Text that is not TOML, with the place where it stops being so.
    pub fn parse(name: &str, text: &str) -> Result<Tree, RulesError> {
        let name: Arc<str> = name.into();
        let lines = Lines::of(text);
        let at = |offset: usize| {
            let (line, column) = lines.place(offset);
            Origin::File(name.clone(), line, column)
        };
        let table = DeTable::parse(text).map_err(|e| {
            let place = at(e.span().map_or(0, |s| s.start));
            let what = match (e.message(), e.span().and_then(|s| text.get(s))) {
                ("duplicate key", Some(key)) => set_twice(text, key, place.line()),
                (message, _) => message.to_owned(),
            };
            RulesError::new(place, "", Problem::Syntax(what))
        })?;
        let root = convert_table(table.get_ref(), at(0), &at)?;
        Ok(Tree { root })
    }

    /// The tree under one more name: what a game's own file holds becomes `hott.…`.
    pub fn under(self, name: &str) -> Tree {
        let origin = self.root.origin.clone();
        let table = BTreeMap::from([(name.to_owned(), self.root)]);
        Tree { root: Node::new(Content::Table(table), origin) }
    }

    /// The same tree, everywhere said to come from this origin.
    pub(crate) fn from(&self, origin: &Origin) -> Tree {
        Tree { root: self.root.moved(origin) }
    }

    /// The node at a dotted path; `""` is the whole.
    pub fn at(&self, path: &str) -> Option<&Node> {
        let parts = path.split('.').filter(|p| !p.is_empty());
        let mut node = &self.root;
        for part in parts {
            node = match &node.content {
                Content::Table(t) => t.get(part)?,
                Content::Array(a) => a.get(part.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// The whole as a node.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Every single value with its dotted path, in order.
    pub fn leaves(&self) -> Vec<(String, &Node)> {
        let mut out = Vec::new();
        leaves("", &self.root, &mut out);
        out
    }

    /// Puts one value at a dotted path, making tables on the way.
    pub(crate) fn put(&mut self, path: &str, node: Node) {
        let origin = node.origin.clone();
        let mut at = &mut self.root;
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            if !matches!(at.content, Content::Table(_)) {
                at.content = Content::Table(BTreeMap::new());
            }
            let Content::Table(table) = &mut at.content else { return };
            if parts.peek().is_none() {
                table.insert(part.to_owned(), node);
                return;
            }
            let empty = || Node::new(Content::Table(BTreeMap::new()), origin.clone());
            at = table.entry(part.to_owned()).or_insert_with(empty);
        }
    }

    /// Lays another tree over this one: tables key by key, everything else as a whole.
    ///
    /// A name that is not there already, or a value of another kind, is an error, except below a path
    /// in `open` (`*` stands for any one name): there new names and kinds are welcome.
    ///
    /// # Errors
    /// Every misfit, with its place and the nearest name that would fit.
    pub fn overlay(&mut self, over: &Tree, open: &[&str]) -> Result<(), RulesErrors> {
        let mut errors = Vec::new();
        overlay("", &mut self.root, &over.root, open, &mut errors);
        RulesErrors::check(errors)
    }

    /// Checks numbers against limits.
    ///
    /// # Errors
    /// Every number outside its limits ("a factor of 400: expected -20 to 20"), and everything at such
    /// a path that is no number at all.
    pub fn check(&self, limits: &[Limit]) -> Result<(), RulesErrors> {
        let mut errors = Vec::new();
        for (path, node) in self.leaves() {
            for limit in limits.iter().filter(|l| matches(l.path, &path)) {
                let problem = match node.content {
                    Content::Int(i) if (limit.min..=limit.max).contains(&i) => continue,
                    Content::Int(given) => {
                        Problem::OutOfRange { what: limit.what, given, min: limit.min, max: limit.max }
                    }
                    _ => Problem::WrongKind { expected: "a whole number", given: node.content.kind() },
                };
                errors.push(RulesError::new(node.origin.clone(), &path, problem));
            }
        }
        RulesErrors::check(errors)
    }

    /// The part at `path` as a type of one's own.
    ///
    /// # Errors
    /// What does not fit the type, at the place of the part.
    pub fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, RulesError> {
        let node =
            self.at(path).ok_or_else(|| RulesError::new(self.root.origin.clone(), path, Problem::Missing))?;
        node.toml().try_into().map_err(|e: toml::de::Error| {
            let text = e.message().trim().to_owned();
            RulesError::new(node.origin.clone(), path, Problem::Syntax(text))
        })
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Whether a dotted path fits a pattern in which `*` stands for one part.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let (mut p, mut q) = (pattern.split('.'), path.split('.'));
    loop {
        match (p.next(), q.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == "*" || a == b => {}
            _ => return false,
        }
    }
}

/// Whether a path lies at or below a pattern.
fn below(pattern: &str, path: &str) -> bool {
    let n = pattern.split('.').count();
    let head: Vec<&str> = path.split('.').take(n).collect();
    matches(pattern, &head.join("."))
}

/// Whether a path leads toward a pattern.
fn above(pattern: &str, path: &str) -> bool {
    let n = path.split('.').count();
    let head: Vec<&str> = pattern.split('.').take(n).collect();
    matches(&head.join("."), path)
}

fn leaves<'a>(path: &str, node: &'a Node, out: &mut Vec<(String, &'a Node)>) {
    match &node.content {
        Content::Table(t) => t.iter().for_each(|(k, v)| leaves(&join(path, k), v, out)),
        Content::Array(a) => {
            a.iter().enumerate().for_each(|(i, v)| leaves(&join(path, &i.to_string()), v, out));
        }
        _ => out.push((path.to_owned(), node)),
    }
}

fn overlay(path: &str, base: &mut Node, over: &Node, open: &[&str], errors: &mut Vec<RulesError>) {
    let free = open.iter().any(|p| below(p, path));
    match (&mut base.content, &over.content) {
        (Content::Table(into), Content::Table(from)) => {
            for (name, node) in from {
                let path = join(path, name);
                if let Some(old) = into.get_mut(name) {
                    overlay(&path, old, node, open, errors);
                } else if open.iter().any(|p| below(p, &path)) {
                    into.insert(name.clone(), node.clone());
                } else if open.iter().any(|p| above(p, &path)) && node.as_table().is_some() {
                    let empty = Content::Table(BTreeMap::new());
                    let mut new = Node::new(empty, node.origin.clone());
                    overlay(&path, &mut new, node, open, errors);
                    into.insert(name.clone(), new);
                } else {
                    let nearest = nearest_names(name, into.keys().map(String::as_str));
                    let problem = Problem::UnknownKey { nearest };
                    errors.push(RulesError::new(node.origin.clone(), &path, problem));
                }
            }
        }
        (old, new) if free || old.kind() == new.kind() => *base = over.clone(),
        (Content::Float(_), Content::Int(_)) => *base = over.clone(),
        (old, new) => {
            let problem = Problem::WrongKind { expected: old.kind(), given: new.kind() };
            errors.push(RulesError::new(over.origin.clone(), path, problem));
        }
    }
}

/// Where the lines of a text begin, so that a place in it is found without counting from the first line each time.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let after = text.match_indices('\n').map(|(i, _)| i + 1);
        Lines { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// Line and column, from 1, in signs; what lies beyond the text is at its end.
    fn place(&self, offset: usize) -> (u32, u32) {
        let offset = if self.text.is_char_boundary(offset) { offset } else { self.text.len() };
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).unwrap_or("").chars().count() + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }
}

fn convert_table(
    table: &DeTable<'_>,
    origin: Origin,
    at: &dyn Fn(usize) -> Origin,
) -> Result<Node, RulesError> {
    let mut out = BTreeMap::new();
    for (key, value) in table {
        let node = convert(value.get_ref(), at(key.span().start), at)?;
        out.insert(key.get_ref().to_string(), node);
    }
    Ok(Node::new(Content::Table(out), origin))
}

fn convert(value: &DeValue<'_>, origin: Origin, at: &dyn Fn(usize) -> Origin) -> Result<Node, RulesError> {
    let bad = |what: &str| Err(RulesError::new(origin.clone(), "", Problem::Syntax(what.to_owned())));
    let content = match value {
        DeValue::String(s) => Content::Text(s.to_string()),
        DeValue::Integer(i) => match i64::from_str_radix(&i.as_str().replace('_', ""), i.radix()) {
            Ok(i) => Content::Int(i),
            Err(_) => return bad("a number too large"),
        },
        DeValue::Float(x) => match x.as_str().replace('_', "").parse::<f64>() {
            Ok(x) => Content::Float(x),
            Err(_) => return bad("not a number"),
        },
        DeValue::Boolean(b) => Content::Bool(*b),
        DeValue::Datetime(_) => return bad("a date, where rules have none"),
        DeValue::Array(items) => {
            let mut out = Vec::new();
            for item in items.iter() {
                out.push(convert(item.get_ref(), at(item.span().start), at)?);
            }
            Content::Array(out)
        }
        DeValue::Table(t) => return convert_table(t, origin, at),
    };
    Ok(Node::new(content, origin))
}
