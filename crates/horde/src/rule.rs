//! Names of rules.

/// The id of a rule, such as `HC-121`.
pub type Rule = &'static str;
