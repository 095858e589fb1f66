//! Big battles between computer players: several commands a side, two to six sides. What takes long is behind
//! `cargo xtask slow`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)] // what other tests need of it
mod support;

use commander::hott::Level;
use commander::hott::arena;
use commander::{Player, fight, series};
use dice::Key;
use game::{Game, Table, verify};
use hott::army::Army;
use hott::battle::{Battle, Ending};
use serde_json::{Value, json};
use support::armies;
use support::big::battle;

type Players = Vec<Box<dyn Player<Battle>>>;

fn players(level: Level, battle: &Battle, seed: u64) -> Players {
    (0..battle.seats.len() as u64).map(|n| level.player(seed * 64 + n)).collect()
}

/// Fought to its end; its record verifies.
fn fought(battle: Battle, level: Level, seed: u64) -> Table<Battle> {
    let mut all = players(level, &battle, seed);
    let table = fight(battle, &mut all, &Key::from_seed(seed)).unwrap_or_else(|s| panic!("seed {seed}: {s}"));
    let verdict = verify::<Battle>(table.record());
    assert!(verdict.good(), "seed {seed}: {verdict:?}");
    assert!(table.outcome().is_some(), "seed {seed}: it ended");
    table
}

/// What came of many battles.
#[derive(Debug, Default)]
struct Came {
    battles: u32,
    bounds: u32,
    limit: u32,
    demoralized: u32,
    halted: u32,
}

fn many(count: u64, level: Level, make: impl Fn(u64) -> Battle + Send + Sync) -> Came {
    let results = series(count, |seed| {
        let table = fought(make(seed), level, seed);
        let state = table.state();
        let broken = state.commands.iter().filter(|c| c.demoralised).count() as u32;
        let halts = table.record().lines.iter().filter(|l| l.body().contains("halt ")).count() as u32;
        let limit = state.over.is_some_and(|o| o.ending == Ending::Limit);
        (state.bound, limit, broken, halts)
    });
    let mut came = Came::default();
    for (bounds, limit, broken, halts) in results {
        came.battles += 1;
        came.bounds += bounds;
        came.limit += u32::from(limit);
        came.demoralized += broken;
        came.halted += halts;
    }
    println!("{came:?}");
    came
}

fn no_alliance() -> Value {
    json!([])
}

#[test]
fn a_battle_of_several_commands_ends_and_verifies() {
    let came = many(1, Level::March, |seed| battle(2, 2, &no_alliance(), 30, seed));
    assert_eq!(came.battles, 1);
}

#[test]
fn five_sides_set_up_and_run() {
    let table = fought(battle(5, 1, &json!([["A", "D"]]), 5, 3), Level::March, 3);
    assert!(table.state().bound >= 5, "every side had a bound");
}

/// Six armies on a normal board: no zone holds its army, and that is said at set-up.
#[test]
fn six_sides_on_a_normal_board_are_refused_with_what_is_lacking() {
    let shipped = armies();
    let all: Vec<&Army> = shipped.iter().take(6).collect();
    let rules = Battle::rules_from(None, None, &[]).unwrap();
    let problems = Battle::open(&rules, &arena::setup(&all, 10)).expect_err("there is no room");
    let text = problems[0].to_string();
    assert!(text.contains("elements to deploy and its zone"), "{text}");
    assert!(problems[0].hint.as_ref().is_some_and(|h| h.contains("--rules big")), "{problems:?}");
    // Three and four find room, and so do six on a board for six.
    for n in [3, 4] {
        assert!(Battle::open(&rules, &arena::setup(&all[..n], 10)).is_ok(), "{n} sides");
    }
    let big = Battle::rules_from(None, None, &[("scope".to_owned(), "big".to_owned())]).unwrap();
    assert!(Battle::open(&big, &arena::setup(&all, 10)).is_ok());
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn random_play_with_six_sides_of_eight_commands_sets_up_and_runs() {
    let came = many(1, Level::Random, |seed| battle(6, 8, &no_alliance(), 6, seed));
    assert!(came.bounds >= 6, "every side had a bound: {came:?}");
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn two_hundred_battles_of_three_commands_a_side_end_and_verify() {
    let came = many(200, Level::Steady, |seed| battle(2, 3, &no_alliance(), 200, seed));
    assert_eq!(came.battles, 200);
    assert!(came.limit <= 10, "{came:?}");
    assert!(came.demoralized > 0, "{came:?}");
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn fifty_battles_of_three_and_four_sides_end_and_verify() {
    let came = many(50, Level::Steady, |seed| {
        let sides = 3 + (seed % 2) as u8;
        let alliances = if seed % 4 == 3 { json!([["A", "B"], ["C", "D"]]) } else { no_alliance() };
        battle(sides, 1 + (seed % 3 == 0) as u8, &alliances, 300, seed)
    });
    assert_eq!(came.battles, 50);
    assert!(came.limit <= 5, "{came:?}");
}
