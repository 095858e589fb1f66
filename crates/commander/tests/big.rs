//! Big battles between computer players: several commands a side, two to six sides. What takes long is behind
//! `cargo xtask slow`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)] // what other tests need of it
mod support;

use commander::hott::Level;
use commander::hott::arena;
use commander::{Player, Sight, fight, series, skim};
use dice::Key;
use game::{Game, Table, verify};
use hott::army::Army;
use hott::battle::{Battle, Command, Ending, Phase};
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

/// Sets up as another does, and then stands still.
struct SetsUp(Box<dyn Player<Battle>>);

impl Player<Battle> for SetsUp {
    fn name(&self) -> &'static str {
        "sets up"
    }

    fn command(&mut self, sight: Sight<'_, Battle>) -> Command {
        match sight.state.phase {
            Phase::Moves => Command::EndMoves,
            Phase::Magic => Command::EndMagic,
            Phase::Shooting => Command::EndShooting,
            Phase::Combat => Command::FightAll,
            _ => self.0.command(sight),
        }
    }
}

/// A side of commands, each a Hero who leads and so many of each type.
fn side(commands: &[&[(&str, u16)]]) -> Value {
    let command = |types: &&[(&str, u16)]| {
        let mut elements = vec![json!({ "type": "Hero", "general": true })];
        elements.extend(types.iter().map(|(ty, n)| {
            let (grade, ty) = ty.strip_prefix("Levy ").map_or((None, *ty), |ty| (Some("levy"), ty));
            json!({ "type": ty, "count": n, "grade": grade })
        }));
        json!({ "elements": elements })
    };
    json!({ "army": "odd", "commands": commands.iter().map(command).collect::<Vec<_>>() })
}

/// Everybody is deployed, whoever sets up and whatever the dice, or the set-up is refused with a rule and a way out:
/// `true` if it is played.
fn sets_up(levels: &[Level], sets: &[(&str, &str)], sides: &[Value]) -> bool {
    let sets: Vec<(String, String)> = [("scope", "big")]
        .iter()
        .chain(sets)
        .map(|(k, v)| (if *k == "scope" { (*k).to_owned() } else { format!("big.{k}") }, (*v).to_owned()))
        .collect();
    let rules = Battle::rules_from(None, None, &sets).unwrap_or_else(|p| panic!("{sets:?}: {}", p[0]));
    let battle = match Battle::open(&rules, &json!({ "sides": sides, "bound_limit": sides.len() })) {
        Ok(battle) => battle,
        Err(problems) => {
            assert!(problems[0].rule.is_some() && problems[0].hint.is_some(), "{sets:?}: {problems:?}");
            return false;
        }
    };
    for (level, seed) in levels.iter().zip(1..) {
        let seats = battle.seats.len() as u64;
        let mut all: Players =
            (0..seats).map(|n| Box::new(SetsUp(level.player(seed + n))) as Box<dyn Player<Battle>>).collect();
        let played = skim(&battle, &mut all, &Key::from_seed(seed))
            .unwrap_or_else(|s| panic!("{sets:?}, {} seed {seed}: {:.200}", level.name(), s.why));
        for (n, info) in battle.elements.iter().enumerate() {
            let waits = hott::setup::starts_off_table(info.ty);
            let fate = played.state.elements[n].fate;
            assert!(waits || fate != hott::battle::Fate::Waiting, "{sets:?}: {} is deployed", info.label);
        }
    }
    true
}

#[test]
fn odd_armies_find_room() {
    // Eight commands of many Hordes; three of 48 AP of Levy Hordes; one command of nothing else.
    let many: &[(&str, u16)] = &[("Horde", 20)];
    let both = [Level::Steady, Level::Random];
    assert!(sets_up(&[Level::Random], &[], &[side(&[many; 8]), side(&[&[("Blade", 6)]])]));
    let levies: &[(&str, u16)] = &[("Levy Horde", 88)];
    assert!(sets_up(&[Level::Steady], &[], &[side(&[levies; 3]), side(&[levies; 3])]));
    assert!(sets_up(&both, &[], &[side(&[&[("Horde", 44)]]), side(&[&[("Knight", 22)]])]));
    let guns: &[(&str, u16)] = &[("Artillery", 6), ("Behemoth", 3)];
    assert!(sets_up(&both, &[], &[side(&[guns, many, guns]), side(&[many, &[("Flyer", 10)]])]));
    assert!(sets_up(&[Level::Random], &[("intermingle", "free")], &[side(&[levies; 2]), side(&[many; 4])]));
}

type Sets = &'static [(&'static str, &'static str)];

/// How many of these set-ups are played.
fn played(levels: &[Level], sets: &[Sets], sides: &[Value]) -> usize {
    sets.iter().filter(|sets| sets_up(levels, sets, sides)).count()
}

const PLAIN: &[(&str, u16)] = &[("Blade", 4), ("Spear", 4), ("Knight", 2)];
const FOOT: &[(&str, u16)] = &[("Warband", 6), ("Artillery", 1), ("Shooter", 3)];

#[test]
fn odd_boards_find_room_or_are_refused() {
    let two = [side(&[PLAIN, FOOT]), side(&[FOOT, PLAIN, PLAIN])];
    let shallow: &[Sets] = &[
        &[("deployment_depth", "160")],
        &[("deployment_depth", "200")],
        &[("board_width", "1200")],
        &[("board_depth", "600")],
    ];
    // Zones of 150p hold no Baggage.
    assert_eq!(played(&[Level::Random], shallow, &two), 3);
    let three = [side(&[PLAIN, FOOT]), side(&[FOOT, PLAIN]), side(&[PLAIN])];
    let odd: &[Sets] = &[&[("board", "wide")], &[("board_width", "2000"), ("board_depth", "6000")]];
    assert!(played(&[Level::Random], odd, &three) > 0);
    for depth in ["100", "1201", "5000"] {
        assert!(!sets_up(&[], &[("deployment_depth", depth), ("board_depth", "2400")], &two), "{depth}");
    }
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn many_odd_boards_find_room_or_are_refused() {
    let both = [Level::Steady, Level::Random, Level::March];
    let two = vec![side(&[PLAIN, FOOT]), side(&[FOOT, PLAIN, PLAIN])];
    let three = vec![side(&[PLAIN, FOOT]), side(&[FOOT, PLAIN]), side(&[PLAIN])];
    let all: &[Sets] = &[
        &[],
        &[("board", "wide")],
        &[("board", "square")],
        &[("deployment_depth", "160")],
        &[("deployment_depth", "200")],
        &[("deployment_depth", "300")],
        &[("deployment_depth", "1200")],
        &[("board_width", "1200")],
        &[("board_width", "6000"), ("board_depth", "1500")],
        &[("board_width", "2000"), ("board_depth", "6000")],
        &[("board_depth", "600")],
    ];
    assert!(played(&both, all, &two) + played(&both, all, &three) > all.len());
    let six = (0..6).map(|n| side(&[PLAIN, FOOT][..=n % 2])).collect::<Vec<_>>();
    let sets: &[Sets] = &[&[], &[("deployment_depth", "1200")], &[("board_width", "9000")]];
    assert_eq!(played(&both, sets, &six), 3);
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
