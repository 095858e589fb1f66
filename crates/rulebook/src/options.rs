//! Options: where the rules state a choice, its values, default, rule and meaning.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

use crate::family::Family;
use crate::id::RuleId;
use crate::text::any_of;
use crate::tree::{Node, Tree};
use crate::value::Value;

/// What an option may be set to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Allowed {
    /// One of these words, each with its meaning, in the order in which people are shown them.
    OneOf(Vec<(String, String)>),
    /// A distance in paces from `min` to `max`.
    Paces {
        /// The least distance allowed, in paces.
        min: i64,
        /// The greatest distance allowed, in paces.
        max: i64,
    },
    /// A whole number from `min` to `max`.
    Int {
        /// The least number allowed.
        min: i64,
        /// The greatest number allowed.
        max: i64,
    },
    /// On or off.
    Bool,
}

impl Allowed {
    /// Reads a value as people write it: case, hyphens, `on`/`off`, `50p` do not matter.
    pub fn read(&self, given: &Node) -> Option<Value> {
        let word = given.scalar_text()?.trim().to_lowercase().replace('-', "_");
        let number = |p: &str| given.scalar_text()?.trim().trim_end_matches(p).trim().parse::<i64>().ok();
        match self {
            Allowed::OneOf(list) => {
                let alias = match word.as_str() {
                    "true" | "yes" => "on",
                    "false" | "no" => "off",
                    w => w,
                };
                let hit = |(name, _): &&(String, String)| *name == word || *name == alias;
                let exact =
                    |(name, _): &&(String, String)| given.scalar_text().is_some_and(|t| t.trim() == name);
                // A bare number where the answers are distances: 100 is 100p.
                let paces = |(name, _): &&(String, String)| name.strip_suffix('p') == Some(&*word);
                let found = list.iter().find(exact).or_else(|| list.iter().find(hit));
                let found = found.or_else(|| list.iter().find(paces));
                let bare = |(name, _): &&(String, String)| {
                    word.strip_suffix('p').is_some_and(|w| w == name && w.parse::<u32>().is_ok())
                };
                let found = found.or_else(|| list.iter().find(bare));
                found.map(|(name, _)| Value::Word(name.clone()))
            }
            Allowed::Paces { min, max } => number("p").filter(|n| (min..=max).contains(&n)).map(Value::Int),
            Allowed::Int { min, max } => number("").filter(|n| (min..=max).contains(&n)).map(Value::Int),
            Allowed::Bool => match word.as_str() {
                "true" | "on" | "yes" => Some(Value::Bool(true)),
                "false" | "off" | "no" => Some(Value::Bool(false)),
                _ => None,
            },
        }
    }

    /// The names of the values, where they are words.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Allowed::OneOf(list) => list.iter().map(|(n, _)| n.as_str()).collect(),
            Allowed::Bool => vec!["true", "false"],
            Allowed::Paces { .. } | Allowed::Int { .. } => Vec::new(),
        }
    }

    /// Every value, for tests that run a case under all of them; of a range both ends and, between
    /// them, the value given as `also` (the default).
    pub fn samples(&self, also: &Value) -> Vec<Value> {
        match self {
            Allowed::OneOf(list) => list.iter().map(|(n, _)| Value::Word(n.clone())).collect(),
            Allowed::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Allowed::Paces { min, max } | Allowed::Int { min, max } => {
                let mut all = vec![Value::Int(*min), also.clone(), Value::Int(*max)];
                all.sort();
                all.dedup();
                all
            }
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::OneOf(_) | Allowed::Bool => f.write_str(&any_of(&self.names())),
            Allowed::Paces { min, max } => write!(f, "{min} to {max} paces"),
            Allowed::Int { min, max } => write!(f, "{min} to {max}"),
        }
    }
}

/// One option of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OptionSpec {
    /// The whole key: `hott.deploy_first`.
    pub key: String,
    /// What holds if nothing else is said.
    pub default: Value,
    /// What a record means that was made before the option existed; mostly the default.
    pub before: Value,
    /// What it may be set to.
    pub allowed: Allowed,
    /// The rule that leaves the choice.
    pub rule: RuleId,
    /// Further rules that the choice touches.
    pub also: Vec<RuleId>,
    /// What is chosen, in one sentence.
    pub meaning: String,
}

impl OptionSpec {
    /// What this value of the option means, if it is a word with a meaning of its own.
    pub fn meaning_of(&self, value: &Value) -> Option<&str> {
        match (&self.allowed, value) {
            (Allowed::OneOf(list), Value::Word(w)) => {
                list.iter().find(|(n, _)| n == w).map(|(_, m)| m.as_str())
            }
            _ => None,
        }
    }
}

impl fmt::Display for OptionSpec {
    /// The option as people are shown it: key, default, rules and meaning, then each value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}  ({}", self.key, self.default, self.rule)?;
        for also in &self.also {
            write!(f, ", {also}")?;
        }
        write!(f, ")\n    {}", self.meaning)?;
        match &self.allowed {
            Allowed::OneOf(list) => {
                let width = list.iter().map(|(n, _)| n.len()).max().unwrap_or(0);
                for (name, meaning) in list {
                    write!(f, "\n      {name:<width$}  {meaning}")?;
                }
                Ok(())
            }
            other => write!(f, "\n      {other}"),
        }
    }
}

/// All options of one game, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct OptionTable {
    specs: BTreeMap<String, OptionSpec>,
}

const SHIPPED: [(Family, &str, &str); 5] = [
    (Family::Hott, "hott-options.toml", include_str!("../../../data/rules/hott-options.toml")),
    (Family::Big, "big-options.toml", include_str!("../../../data/rules/big-options.toml")),
    (Family::Heroes, "heroes-options.toml", include_str!("../../../data/rules/heroes-options.toml")),
    (Family::Horde, "horde-options.toml", include_str!("../../../data/rules/horde-options.toml")),
    (Family::Campaign, "campaign-options.toml", include_str!("../../../data/rules/campaign-options.toml")),
];

static TABLES: LazyLock<Vec<(Family, OptionTable)>> = LazyLock::new(|| {
    SHIPPED
        .iter()
        .map(|&(family, name, text)| match OptionTable::parse(family, name, text) {
            Ok(table) => (family, table),
            // INVARIANT: the test `shipped_options_parse` reads every shipped file.
            Err(e) => panic!("{e}"),
        })
        .collect()
});

impl OptionTable {
    /// The shipped options of a game; none for a game that has none yet.
    pub fn of(family: Family) -> &'static OptionTable {
        static NONE: OptionTable = OptionTable { specs: BTreeMap::new() };
        TABLES.iter().find(|(f, _)| *f == family).map_or(&NONE, |(_, t)| t)
    }

    /// Reads an options file: tables `[options.NAME]` with `rule`, `default`, `meaning`, and
    /// `values.NAME = "meaning"`, `paces = [min, max]`, `int = [min, max]` or, for a switch, none of
    /// these; also `also = [rules]` and `before`.
    ///
    /// # Errors
    /// A sentence that names the file, the line and what is wrong with the option.
    pub fn parse(family: Family, name: &str, text: &str) -> Result<OptionTable, String> {
        let tree = Tree::parse(name, text).map_err(|e| e.to_string())?;
        let mut specs = BTreeMap::new();
        let mut stack = vec![(String::new(), tree.at("options").ok_or("no [options] table")?)];
        while let Some((path, node)) = stack.pop() {
            let Some(table) = node.as_table() else {
                return Err(format!("{name}: options.{path} is not a table"));
            };
            if table.contains_key("meaning") {
                let key = format!("{}.{path}", family.key());
                let spec =
                    spec(&key, node).map_err(|e| format!("{name}:{}: {key}: {e}", node.origin().line()))?;
                specs.insert(key, spec);
            } else {
                for (k, v) in table {
                    let path = if path.is_empty() { k.clone() } else { format!("{path}.{k}") };
                    stack.push((path, v));
                }
            }
        }
        Ok(OptionTable { specs })
    }

    /// The option with this whole key (`hott.deploy_first`).
    pub fn get(&self, key: &str) -> Option<&OptionSpec> {
        self.specs.get(key)
    }

    /// All options, by key.
    pub fn iter(&self) -> impl Iterator<Item = &OptionSpec> {
        self.specs.values()
    }

    /// How many options there are.
    pub fn len(&self) -> usize {
        self.specs.len()
    }

    /// Whether the game has no options.
    pub fn is_empty(&self) -> bool {
        self.specs.is_empty()
    }
}

fn spec(key: &str, node: &Node) -> Result<OptionSpec, String> {
    const KNOWN: [&str; 8] = ["rule", "also", "default", "before", "meaning", "values", "paces", "int"];
    let text = |k: &str| node.get(k).and_then(Node::as_str);
    if let Some(odd) = node.as_table().into_iter().flatten().find(|(k, _)| !KNOWN.contains(&k.as_str())) {
        return Err(format!("`{}` is no field of an option", odd.0));
    }
    let rule: RuleId = text("rule").ok_or("no rule")?.parse().map_err(|e| format!("{e}"))?;
    let mut also = Vec::new();
    for r in node.get("also").and_then(Node::as_array).unwrap_or(&[]) {
        also.push(r.as_str().unwrap_or("").parse().map_err(|e| format!("{e}"))?);
    }
    let range = |k: &str| -> Option<(i64, i64)> {
        match node.get(k)?.as_array()? {
            [a, b] => Some((a.as_int()?, b.as_int()?)),
            _ => None,
        }
    };
    let allowed = if let Some(values) = node.get("values").and_then(Node::as_table) {
        let mut list = Vec::new();
        let mut sorted: Vec<_> = values.iter().collect();
        sorted.sort_by_key(|(_, v)| (v.origin().line(), v.origin().column()));
        for (name, meaning) in sorted {
            list.push((name.clone(), meaning.as_str().ok_or("a value without meaning")?.to_owned()));
        }
        Allowed::OneOf(list)
    } else if let Some((min, max)) = range("paces") {
        Allowed::Paces { min, max }
    } else if let Some((min, max)) = range("int") {
        Allowed::Int { min, max }
    } else {
        Allowed::Bool
    };
    let value = |k: &str| -> Result<Option<Value>, String> {
        match node.get(k) {
            None => Ok(None),
            Some(n) => match allowed.read(n) {
                Some(v) => Ok(Some(v)),
                None => Err(format!("{k} is none of {allowed}")),
            },
        }
    };
    let default = value("default")?.ok_or("no default")?;
    let before = value("before")?.unwrap_or_else(|| default.clone());
    let meaning = text("meaning").ok_or("no meaning")?.to_owned();
    Ok(OptionSpec { key: key.to_owned(), default, before, allowed, rule, also, meaning })
}
