//! Names of rules, checked where they are written.

pub use rulebook::RuleId as Rule;

/// What adds to a number, and by which rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The rule that gives it.
    pub rule: Rule,
    /// What it is, in a few words.
    pub name: std::borrow::Cow<'static, str>,
    /// How much.
    pub value: i32,
}

impl Factor {
    /// A factor with a fixed name.
    pub fn new(rule: Rule, name: &'static str, value: i32) -> Self {
        Self { rule, name: name.into(), value }
    }
}
