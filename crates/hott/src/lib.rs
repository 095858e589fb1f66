//! Hordes of the Things: the base game and its big battles.
//!
//! `table` holds the rules that are tables (troops, factors, outcomes, options, numbers), `army` the army
//! lists and their checking.

pub mod table;
