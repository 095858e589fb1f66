//! The shipped armies, and battles between them.

#[allow(dead_code)] // only some of those who are supported fight big battles
pub mod big;

use commander::hott::arena;
use game::Game;
use hott::army::{Army, parse_army};
use hott::battle::Battle;
use hott::setup::Setup;
use hott::table::{Scope, Tables};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

/// The bound at which a battle of these tests ends undecided.
pub const LIMIT: u32 = 100;

/// The standard rules and their tables, read once.
static RULES: LazyLock<(Value, Arc<Tables>)> = LazyLock::new(|| {
    let rules = Battle::rules_from(None, None, &[]).unwrap();
    (rules, Arc::new(Tables::standard(Scope::Base)))
});

/// Every shipped army, in order of file names.
pub fn armies() -> Vec<Army> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/armies/hott");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let armies: Vec<Army> = files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "toml"))
        .map(|f| parse_army(&f.display().to_string(), &std::fs::read_to_string(f).unwrap()).unwrap())
        .collect();
    assert!(armies.len() >= 16);
    armies
}

/// The battle of a seed: two armies, mixed so that all meet.
pub fn battle(armies: &[Army], seed: u64) -> Battle {
    battle_to(armies, seed, LIMIT)
}

/// The same with another last bound.
pub fn battle_to(armies: &[Army], seed: u64, limit: u32) -> Battle {
    let n = armies.len() as u64;
    let a = seed % n;
    let b = (seed / n * 7 + seed * 5 + 3) % n;
    let setup = arena::setup(&[&armies[a as usize], &armies[b as usize]], limit);
    let (rules, tables) = &*RULES;
    Setup::read(&setup).unwrap().open(Arc::clone(tables), rules.clone()).unwrap()
}
