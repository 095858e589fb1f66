//! Layers of rules: shipped tables and defaults, an edition preset, house-rules files, `--set`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::error::{Problem, RulesError, RulesErrors};
use crate::family::Family;
use crate::id::RuleId;
use crate::options::{OptionSpec, OptionTable};
use crate::text::{any_of, nearest_names};
use crate::tree::{Content, Node, Origin, Tree};
use crate::value::Value;

/// An edition preset: a named set of options and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name: `hott-2.0`.
    pub name: &'static str,
    /// The game it is for.
    pub family: Family,
    /// Its TOML text.
    pub text: &'static str,
}

/// The shipped presets; the first of a game is its default.
pub const PRESETS: [Preset; 3] = [
    Preset {
        name: "hott-2.1",
        family: Family::Hott,
        text: include_str!("../../../data/rules/presets/hott-2.1.toml"),
    },
    Preset {
        name: "hott-2.0",
        family: Family::Hott,
        text: include_str!("../../../data/rules/presets/hott-2.0.toml"),
    },
    Preset {
        name: "hott-1",
        family: Family::Hott,
        text: include_str!("../../../data/rules/presets/hott-1.toml"),
    },
];

/// Words at the top of a house-rules file that are no rules: what it is called, what it is for, the preset it
/// starts from, and the game it is for.
const HEADER: [&str; 4] = ["name", "meaning", "preset", "game"];

/// Tables that say what the numbers of others are: nobody means them.
const NOTES: [&str; 2] = ["number_note", "variant"];

/// Keys by which files of other kinds are known: what they are, and the command that takes them.
const ELSEWHERE: [(&str, &str, &str); 3] = [
    ("element", "an army list", "muster army check"),
    ("step", "a case", "muster case run"),
    ("position", "a case", "muster case run"),
];

/// The value of an option in force, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The value.
    pub value: Value,
    /// Where it was set.
    pub origin: Origin,
}

/// The rules in force: every option with its value, and the tables of numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Effective {
    options: BTreeMap<String, Setting>,
    tables: Tree,
}

/// Collects the layers; [`Layers::effective`] lays them over one another.
///
/// ```
/// use rulebook::{Family, Layers};
/// let rules = Layers::new(&[Family::Hott])
///     .preset("hott-2.0")
///     .file("house.toml", "[hott]\ndeploy_first = \"defender\"")
///     .set("hott.wood_sight=100")
///     .effective()
///     .unwrap();
/// assert_eq!(rules.word("hott.move_table"), "v2_0");
/// assert_eq!(rules.int("hott.wood_sight"), 100);
/// assert_eq!(rules.origin("hott.deploy_first").unwrap().to_string(), "house.toml:2:1");
/// ```
#[derive(Debug, Clone)]
pub struct Layers {
    games: Vec<Family>,
    base: Tree,
    open: Vec<&'static str>,
    preset: Option<(String, Origin)>,
    files: Vec<(String, String)>,
    sets: Vec<String>,
    errors: Vec<RulesError>,
}

impl Layers {
    /// Starts from the defaults of these games; keys of other games will be refused.
    pub fn new(games: &[Family]) -> Layers {
        Layers {
            games: games.to_vec(),
            base: Tree::default(),
            open: Vec::new(),
            preset: None,
            files: Vec::new(),
            sets: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Gives a game's shipped tables: what stands in its file as `[types.Blade]` becomes
    /// `hott.types.Blade`, and can then be overlaid.
    pub fn tables(mut self, game: Family, name: &str, toml: &str) -> Layers {
        match Tree::parse(name, toml) {
            Ok(tree) => {
                if let Err(e) = self.base.overlay(&tree.under(game.key()), &["*"]) {
                    self.errors.extend(e.into_list());
                }
            }
            Err(e) => self.errors.push(e),
        }
        self
    }

    /// Names paths (`hott.outcomes.*`) at and below which an overlay may add names and change kinds.
    pub fn open(mut self, paths: &[&'static str]) -> Layers {
        self.open.extend(paths);
        self
    }

    /// Chooses an edition preset; it wins over one that a file names.
    pub fn preset(mut self, name: &str) -> Layers {
        self.preset = Some((name.to_owned(), Origin::Preset(name.into())));
        self
    }

    /// Adds a house-rules file; later ones lie over earlier ones.
    pub fn file(mut self, name: &str, toml: &str) -> Layers {
        self.files.push((name.to_owned(), toml.to_owned()));
        self
    }

    /// Adds one `key=value`.
    pub fn set(mut self, assignment: &str) -> Layers {
        self.sets.push(assignment.to_owned());
        self
    }

    /// Lays all layers over one another.
    ///
    /// # Errors
    /// Everything that is wrong in any layer, each with its place and what would be right.
    pub fn effective(mut self) -> Result<Effective, RulesErrors> {
        let mut errors = std::mem::take(&mut self.errors);
        let mut layers = Vec::new();
        let mut preset = None;
        for (name, text) in &self.files {
            match Tree::parse(name, text) {
                Ok(tree) => {
                    if let Some(node) = tree.at("preset") {
                        let text = node.scalar_text().unwrap_or_default();
                        preset = Some((text, node.origin().clone()));
                    }
                    layers.push(tree);
                }
                Err(e) => errors.push(e),
            }
        }
        if let Some((name, origin)) = self.preset.clone().or(preset) {
            match self.find_preset(&name, &origin) {
                Ok(tree) => layers.insert(0, tree),
                Err(e) => errors.push(e),
            }
        }
        // What each key was first set to: thousands of settings are held against that alone.
        let mut said: BTreeMap<String, Node> = BTreeMap::new();
        for text in &self.sets {
            match set_tree(text) {
                Ok(tree) => {
                    for (key, node) in tree.leaves() {
                        errors.extend(
                            said.get(&key).and_then(|before| self.said_otherwise(&key, node, before)),
                        );
                        said.entry(key).or_insert_with(|| node.clone());
                    }
                    layers.push(tree);
                }
                Err(e) => errors.push(e),
            }
        }
        let mut out = Effective { options: BTreeMap::new(), tables: self.base.clone() };
        for game in &self.games {
            for spec in OptionTable::of(*game).iter() {
                let setting = Setting { value: spec.default.clone(), origin: Origin::Default };
                out.options.insert(spec.key.clone(), setting);
            }
        }
        for layer in &layers {
            self.apply(layer, &mut out, &mut errors);
        }
        RulesErrors::check(errors).map(|()| out)
    }

    /// One key set to two values on one command line: which of them was meant nobody can tell.
    fn said_otherwise(&self, key: &str, node: &Node, before: &Node) -> Option<RulesError> {
        let spec = self.games.iter().find_map(|g| OptionTable::of(*g).get(key));
        let value = |n: &Node| spec.and_then(|s| s.allowed.read(n)).map(|v| v.to_string());
        let same = match (value(before), value(node)) {
            (Some(one), Some(other)) => one == other,
            _ => before.content() == node.content(),
        };
        if same {
            return None;
        }
        let problem = Problem::Contradiction {
            with: key.to_owned(),
            there: before.origin().clone(),
            why: "one of the two may stay".to_owned(),
        };
        Some(RulesError::new(node.origin().clone(), key, problem))
    }

    /// A file that says which game it is for says one that is played here, or nothing in it is read.
    fn is_for_us(&self, layer: &Tree) -> Result<(), RulesError> {
        for (key, what, command) in ELSEWHERE {
            if let Some(node) = layer.at(key) {
                let words =
                    format!("this is {what}: `{command}` takes it; a rules file has tables such as [hott]");
                return Err(RulesError::new(node.origin().clone(), key, Problem::Syntax(words)));
            }
        }
        let Some(node) = layer.at("game") else { return Ok(()) };
        let given = node.scalar_text().unwrap_or_else(|| "a list or table".to_owned());
        let problem = match Family::named(given.trim()) {
            Some(game) if self.games.contains(&game) => return Ok(()),
            Some(game) => Problem::OtherFile { game, read: self.games.clone() },
            None => {
                let keys = Family::ALL.map(Family::key);
                let nearest = nearest_names(&given, keys);
                Problem::WrongValue { given, allowed: any_of(&keys), nearest }
            }
        };
        Err(RulesError::new(node.origin().clone(), "game", problem))
    }

    fn find_preset(&self, name: &str, origin: &Origin) -> Result<Tree, RulesError> {
        let mine = || PRESETS.iter().filter(|p| self.games.contains(&p.family));
        let Some(preset) = mine().find(|p| p.name.eq_ignore_ascii_case(name.trim())) else {
            let known = mine().map(|p| p.name.to_owned()).collect();
            let problem = Problem::UnknownPreset { given: name.to_owned(), known };
            return Err(RulesError::new(origin.clone(), "", problem));
        };
        let origin = Origin::Preset(preset.name.into());
        Ok(Tree::parse(preset.name, preset.text)?.from(&origin))
    }

    fn apply(&self, layer: &Tree, out: &mut Effective, errors: &mut Vec<RulesError>) {
        let Some(top) = layer.root().as_table() else { return };
        if let Err(e) = self.is_for_us(layer) {
            errors.push(e);
            return;
        }
        for (word, node) in top {
            if HEADER.contains(&word.as_str()) {
                continue;
            }
            let game = Family::ALL.into_iter().find(|f| f.key() == word);
            let problem = match game {
                Some(game) if self.games.contains(&game) => {
                    self.apply_game(game, node, out, errors);
                    continue;
                }
                Some(game) => Problem::OtherGame { game, read: self.games.clone() },
                None => self.unknown(word, None),
            };
            errors.push(RulesError::new(node.origin().clone(), word, problem));
        }
    }

    /// Sorts a game's part of a layer into options and tables.
    fn apply_game(&self, game: Family, node: &Node, out: &mut Effective, errors: &mut Vec<RulesError>) {
        let specs = OptionTable::of(game);
        let mut tables = Tree::default();
        let mut stack = vec![(game.key().to_owned(), node)];
        while let Some((path, node)) = stack.pop() {
            if let Some(spec) = specs.get(&path) {
                match read_option(spec, node) {
                    Ok(value) => {
                        let setting = Setting { value, origin: node.origin().clone() };
                        out.options.insert(path, setting);
                    }
                    Err(e) => errors.push(e),
                }
                continue;
            }
            let begins = |key: &str| key.strip_prefix(&path).is_some_and(|r| r.starts_with('.'));
            let of_options = specs.iter().any(|s| begins(&s.key));
            if let (Some(table), true) = (node.as_table(), of_options) {
                stack.extend(table.iter().rev().map(|(k, v)| (format!("{path}.{k}"), v)));
            } else if self.is_table(&path) {
                tables.put(&path, node.clone());
            } else {
                let problem = self.unknown(&path, Some(game));
                errors.push(RulesError::new(node.origin().clone(), &path, problem));
            }
        }
        if let Err(e) = out.tables.overlay(&tables, &self.open) {
            errors.extend(e.into_list());
        }
    }

    /// Whether the path lies in the tables (or may be added to them).
    fn is_table(&self, path: &str) -> bool {
        let head: Vec<&str> = path.split('.').take(2).collect();
        let head = head.join(".");
        let opened = |p: &str| p.split('.').take(2).eq(head.split('.'));
        self.base.at(&head).is_some() || self.open.iter().any(|p| opened(p))
    }

    /// What is said of a key that nothing has.
    fn unknown(&self, path: &str, game: Option<Family>) -> Problem {
        let nearest = self.nearest(path, game);
        if nearest.iter().any(|n| n == path) {
            // In quotes a name with dots is one word, and no path into the tables.
            return Problem::Syntax(format!("`\"{path}\"` in quotes is one word: write {path} without them"));
        }
        if !nearest.is_empty() {
            return Problem::UnknownKey { nearest };
        }
        let names = |g: &Family| {
            let tables = self.base.at(g.key()).and_then(Node::as_table).into_iter().flatten();
            let tables = tables.filter(|(k, _)| !NOTES.contains(&k.as_str()));
            tables.map(|(k, _)| format!("{}.{k}", g.key())).collect::<Vec<_>>()
        };
        Problem::NothingLike { tables: self.games.iter().flat_map(names).collect() }
    }

    /// Keys spelled like this one; also by the last word alone.
    fn nearest(&self, path: &str, game: Option<Family>) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for g in &self.games {
            known.extend(OptionTable::of(*g).iter().map(|s| s.key.clone()));
            if let Some(table) = self.base.at(g.key()).and_then(Node::as_table) {
                let keys = table.keys().filter(|k| !NOTES.contains(&k.as_str()));
                known.extend(keys.map(|k| format!("{}.{k}", g.key())));
            }
            if game.is_none() {
                known.push(g.key().to_owned());
            }
        }
        let by_rule = self.of_rule(path.rsplit('.').next().unwrap_or(path));
        if !by_rule.is_empty() {
            return by_rule;
        }
        // A key written without its game, or under the wrong one, is the likeliest mistake.
        let last = path.split_once('.').map_or(path, |(_, rest)| rest);
        let same: Vec<String> = known
            .iter()
            .filter(|k| k.split_once('.').is_some_and(|(_, rest)| rest == last))
            .cloned()
            .collect();
        if !same.is_empty() {
            return same;
        }
        let whole = game.map_or_else(|| path.to_owned(), |g| format!("{}.{last}", g.key()));
        nearest_names(&whole, known.iter().map(String::as_str))
    }
}

impl Layers {
    /// The options and numbers that a rule speaks of, for a key that is the rule's number.
    fn of_rule(&self, word: &str) -> Vec<String> {
        let Ok(rule) = word.to_uppercase().parse::<RuleId>() else { return Vec::new() };
        let mut found = Vec::new();
        for g in &self.games {
            let options = OptionTable::of(*g).iter().filter(|s| s.rule == rule);
            found.extend(options.map(|s| s.key.clone()));
            for (notes, table) in [("number_note", "number"), ("types", "types")] {
                let notes = self.base.at(&format!("{}.{notes}", g.key())).and_then(Node::as_table);
                let cites = |n: &Node| n.get("rule").and_then(Node::as_str) == Some(&*rule.to_string());
                let names = notes.into_iter().flatten().filter(|(_, n)| cites(n));
                found.extend(names.map(|(name, _)| format!("{}.{table}.{name}", g.key())));
            }
        }
        found
    }
}

fn read_option(spec: &OptionSpec, node: &Node) -> Result<Value, RulesError> {
    spec.allowed.read(node).ok_or_else(|| {
        let given = node.scalar_text().unwrap_or_else(|| "a list or table".to_owned());
        let nearest = nearest_names(&given, spec.allowed.names());
        let problem = Problem::WrongValue { given, allowed: spec.allowed.to_string(), nearest };
        RulesError::new(node.origin().clone(), &spec.key, problem)
    })
}

/// `key=value` as a layer; the value is TOML, or a bare word.
fn set_tree(text: &str) -> Result<Tree, RulesError> {
    let origin = Origin::Set(Arc::from(text));
    let Some((key, value)) = text.split_once('=') else {
        let what = Problem::Syntax("expected key=value, such as hott.deploy_first=defender".to_owned());
        return Err(RulesError::new(origin, "", what));
    };
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || key.split('.').any(str::is_empty) {
        let what = Problem::Syntax("expected a key before the `=`".to_owned());
        return Err(RulesError::new(origin, "", what));
    }
    let content = Tree::parse("--set", &format!("v = {value}"))
        .ok()
        .and_then(|t| t.at("v").map(|n| n.content().clone()))
        .unwrap_or_else(|| Content::Text(value.to_owned()));
    let mut tree = Tree::default();
    tree.put(key, Node::new(content, origin));
    Ok(tree)
}

impl Effective {
    /// Every option in force, by whole key.
    pub fn options(&self) -> &BTreeMap<String, Setting> {
        &self.options
    }

    /// The options without their origins: what a record's header keeps.
    pub fn values(&self) -> BTreeMap<String, Value> {
        self.options.iter().map(|(k, s)| (k.clone(), s.value.clone())).collect()
    }

    /// The tables of numbers in force.
    pub fn tables(&self) -> &Tree {
        &self.tables
    }

    /// The value of an option.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.options.get(key).map(|s| &s.value)
    }

    /// Where an option, or a value of the tables, was set.
    pub fn origin(&self, key: &str) -> Option<&Origin> {
        let option = self.options.get(key).map(|s| &s.origin);
        option.or_else(|| self.tables.at(key).map(Node::origin))
    }

    /// The word that an option is set to; empty if it has no such option.
    pub fn word(&self, key: &str) -> &str {
        if let Some(Value::Word(w)) = self.get(key) { w } else { "" }
    }

    /// The number that an option is set to; 0 if there is no such option. A word that is a number
    /// (`zoc_depth = 100p`) counts.
    pub fn int(&self, key: &str) -> i64 {
        match self.get(key) {
            Some(Value::Int(i)) => *i,
            Some(Value::Word(w)) => w.trim_end_matches('p').parse().unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether a switch is on; `false` if there is no such option.
    pub fn flag(&self, key: &str) -> bool {
        match self.get(key) {
            Some(Value::Bool(on)) => *on,
            Some(Value::Word(w)) => w == "on",
            _ => false,
        }
    }

    /// The options that differ from their defaults: key, value, origin.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.options.iter().filter(|(_, s)| s.origin != Origin::Default).map(|(k, s)| (k.as_str(), s))
    }

    /// The rules that a record's header holds. An option that the record lacks has the value that was
    /// played before there was such an option.
    ///
    /// # Errors
    /// A key or value that this release does not know.
    pub fn restore(
        games: &[Family],
        recorded: &BTreeMap<String, Value>,
        tables: Tree,
    ) -> Result<Effective, RulesErrors> {
        let mut out = Effective { options: BTreeMap::new(), tables };
        let mut errors = Vec::new();
        let origin = Origin::Record;
        for spec in games.iter().flat_map(|g| OptionTable::of(*g).iter()) {
            let setting = Setting { value: spec.before.clone(), origin: Origin::Default };
            out.options.insert(spec.key.clone(), setting);
        }
        for (key, value) in recorded {
            let content = match value {
                Value::Bool(b) => Content::Bool(*b),
                Value::Int(i) => Content::Int(*i),
                Value::Word(w) => Content::Text(w.clone()),
            };
            let node = Node::new(content, origin.clone());
            match games.iter().find_map(|g| OptionTable::of(*g).get(key)) {
                Some(spec) => match read_option(spec, &node) {
                    Ok(value) => {
                        let setting = Setting { value, origin: origin.clone() };
                        out.options.insert(key.clone(), setting);
                    }
                    Err(e) => errors.push(e),
                },
                None => {
                    let problem = Problem::UnknownKey { nearest: Vec::new() };
                    errors.push(RulesError::new(origin.clone(), key, problem));
                }
            }
        }
        RulesErrors::check(errors).map(|()| out)
    }

    /// The error that says that two settings exclude each other.
    pub fn contradiction(&self, key: &str, with: &str, why: &str) -> RulesError {
        let at = |k: &str| self.origin(k).cloned().unwrap_or(Origin::Default);
        let problem = Problem::Contradiction { with: with.to_owned(), there: at(with), why: why.to_owned() };
        RulesError::new(at(key), key, problem)
    }
}
