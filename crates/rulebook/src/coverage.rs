//! Which rules have a case, and which cannot have one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use crate::family::Family;
use crate::id::RuleId;
use crate::tree::Tree;

const SHIPPED: &str = include_str!("../../../data/rules/unobservable.toml");

/// Rules that no case can show broken, each with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Unobservable {
    reasons: BTreeMap<RuleId, String>,
}

impl Unobservable {
    /// The shipped list.
    pub fn shipped() -> Unobservable {
        // The test `the_shipped_list_of_unobservable_rules_is_sound` reads it.
        Unobservable::parse("unobservable.toml", SHIPPED).unwrap_or_default()
    }

    /// Reads a list: a table for each game's prefix, in it `RULE = "reason"`.
    ///
    /// # Errors
    /// A rule that does not exist or stands under another game, or a reason that is missing, with file
    /// and line.
    pub fn parse(name: &str, text: &str) -> Result<Unobservable, String> {
        let tree = Tree::parse(name, text).map_err(|e| e.to_string())?;
        let mut reasons = BTreeMap::new();
        for (path, node) in tree.leaves() {
            let at = node.origin();
            let (family, id) = path.split_once('.').ok_or(format!("{at}: {path}: no table"))?;
            let id: RuleId = id.parse().map_err(|e| format!("{at}: {e}"))?;
            if Family::named(family) != Some(id.family()) {
                return Err(format!("{at}: {id} stands under [{family}]"));
            }
            match node.as_str().map(str::trim) {
                Some(reason) if !reason.is_empty() => reasons.insert(id, reason.to_owned()),
                _ => return Err(format!("{at}: {id} has no reason")),
            };
        }
        Ok(Unobservable { reasons })
    }

    /// Why this rule cannot be observed, if it cannot.
    pub fn reason(&self, id: RuleId) -> Option<&str> {
        self.reasons.get(&id).map(String::as_str)
    }

    /// All of them with their reasons.
    pub fn iter(&self) -> impl Iterator<Item = (RuleId, &str)> {
        self.reasons.iter().map(|(id, why)| (*id, why.as_str()))
    }
}

/// One rule with the cases that cite it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// The rule.
    pub rule: RuleId,
    /// The names of its cases, in order, each once.
    pub cases: Vec<String>,
    /// Why it needs none, if it cannot be observed.
    pub unobservable: Option<String>,
}

/// Rules against cases, for one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The game.
    pub family: Family,
    /// Every rule and ruling of the game, in order.
    pub rules: Vec<Covered>,
}

impl Coverage {
    /// Sets the rules that each case cites against the rules of a game. Rules of other games are
    /// passed over; a case may come more than once.
    pub fn new<N, R>(
        family: Family,
        unobservable: &Unobservable,
        cited: impl IntoIterator<Item = (N, R)>,
    ) -> Coverage
    where
        N: Into<String>,
        R: IntoIterator<Item = RuleId>,
    {
        let mut by_rule: BTreeMap<RuleId, BTreeSet<String>> = BTreeMap::new();
        for (name, rules) in cited {
            let name = name.into();
            for rule in rules {
                by_rule.entry(rule).or_default().insert(name.clone());
            }
        }
        let rules = RuleId::all(family)
            .map(|rule| Covered {
                rule,
                cases: by_rule.remove(&rule).unwrap_or_default().into_iter().collect(),
                unobservable: unobservable.reason(rule).map(str::to_owned),
            })
            .collect();
        Coverage { family, rules }
    }

    /// The rules that can be observed and have no case.
    pub fn missing(&self) -> impl Iterator<Item = RuleId> {
        self.observable().filter(|c| c.cases.is_empty()).map(|c| c.rule)
    }

    /// How many rules can be observed.
    pub fn observable_count(&self) -> usize {
        self.observable().count()
    }

    /// How many of those have a case.
    pub fn covered_count(&self) -> usize {
        self.observable().filter(|c| !c.cases.is_empty()).count()
    }

    /// Whether every rule that can be observed has a case.
    pub fn complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// "N of M observable rules have a case".
    pub fn summary(&self) -> String {
        let (n, m) = (self.covered_count(), self.observable_count());
        format!("{n} of {m} observable rules have a case")
    }

    fn observable(&self) -> impl Iterator<Item = &Covered> {
        self.rules.iter().filter(|c| c.unobservable.is_none())
    }
}

impl fmt::Display for Coverage {
    /// A line for each rule, then the rules without a case, last the summary.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in &self.rules {
            let what = match (&c.unobservable, c.cases.is_empty()) {
                (_, false) => c.cases.join(", "),
                (Some(why), true) => format!("(cannot be observed: {why})"),
                (None, true) => "-".to_owned(),
            };
            writeln!(f, "{:<9} {what}", c.rule)?;
        }
        let missing: Vec<String> = self.missing().map(|id| id.to_string()).collect();
        if !missing.is_empty() {
            writeln!(f, "\nwithout a case: {}", missing.join(" "))?;
        }
        writeln!(f, "\n{}", self.summary())
    }
}
