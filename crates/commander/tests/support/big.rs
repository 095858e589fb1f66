//! Big battles between armies made of shipped ones.

use super::armies;
use commander::hott::arena;
use game::Game;
use hott::army::{Army, Entry};
use hott::battle::Battle;
use hott::setup::{Setup, starts_off_table};
use hott::table::{Scope, Tables};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

static RULES: LazyLock<(Value, Arc<Tables>)> = LazyLock::new(|| {
    let rules = Battle::rules_from(None, None, &[("scope".to_owned(), "big".to_owned())]).unwrap();
    (rules, Arc::new(Tables::standard(Scope::Big)))
});

/// An army of so many commands, each a shipped army of 24 AP; those that wait off the table go with the first
/// (BB-006).
fn army(shipped: &[Army], commands: u8, seed: u64) -> Army {
    let plain: Vec<&Army> =
        shipped.iter().filter(|a| a.entries.iter().all(|e| !starts_off_table(e.ty))).collect();
    assert!(plain.len() >= 4, "{} armies without Gods, Dragons and Lurkers", plain.len());
    let first = &shipped[(seed % shipped.len() as u64) as usize];
    let mut army = Army { entries: Vec::new(), ..first.clone() };
    army.ap = None;
    for n in 0..commands {
        let pick = (seed / 3 + 5 * u64::from(n)) % plain.len() as u64;
        let of = if n == 0 { first } else { plain[pick as usize] };
        army.entries.extend(of.entries.iter().map(|e| Entry { command: n + 1, ..e.clone() }));
    }
    army.commands.cinc = 1;
    army
}

/// A battle of so many sides with so many commands each.
pub fn battle(sides: u8, commands: u8, alliances: &Value, limit: u32, seed: u64) -> Battle {
    let shipped = armies();
    let all: Vec<Army> = (0..sides).map(|n| army(&shipped, commands, seed * 7 + u64::from(n) * 11)).collect();
    let mut setup = arena::setup(&all.iter().collect::<Vec<_>>(), limit);
    setup["alliances"] = alliances.clone();
    let (rules, tables) = &*RULES;
    Setup::read(&setup)
        .unwrap()
        .open(Arc::clone(tables), rules.clone())
        .unwrap_or_else(|p| panic!("seed {seed}: {}", p[0]))
}
