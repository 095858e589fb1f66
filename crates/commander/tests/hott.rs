//! Battles of Hordes of the Things between computer players. What takes long is behind `cargo xtask slow`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use commander::hott::Level;
use commander::hott::arena::{Result, Summary};
use commander::{Player, Sight, fight, fight_on, game_key, series, skim};
use dice::{Key, Seeded};
use game::{Actor, Game, Owed, Table, verify};
use hott::army::Army;
use hott::battle::{Battle, SideId};
use support::{armies, battle};

type Players = Vec<Box<dyn Player<Battle>>>;

fn players(levels: [Level; 2], seed: u64) -> Players {
    levels.into_iter().zip(0..).map(|(l, n)| l.player(seed * 2 + n)).collect()
}

fn recorded(armies: &[Army], levels: [Level; 2], seed: u64) -> Table<Battle> {
    fight(battle(armies, seed), &mut players(levels, seed), &Key::from_seed(seed))
        .unwrap_or_else(|stuck| panic!("seed {seed}: {stuck}"))
}

/// Battles with these seeds, each with its record, which verifies.
fn all_verify(seeds: std::ops::Range<u64>) -> Summary {
    let armies = armies();
    let from = seeds.start;
    let results = series(seeds.end - from, |n| {
        let seed = from + n;
        let table = recorded(&armies, [Level::Steady; 2], seed);
        let verdict = verify::<Battle>(table.record());
        assert!(verdict.good(), "seed {seed}: {verdict:?}");
        Result::of(table.game(), table.state())
    });
    let mut summary = Summary::default();
    results.iter().for_each(|r| summary.add(r));
    println!("{summary}");
    summary
}

#[test]
fn battles_end_and_their_records_verify() {
    let summary = all_verify(0..6);
    assert_eq!(summary.battles, 6);
}

#[test]
#[ignore = "slow: cargo xtask slow"]
fn a_thousand_battles_end_and_their_records_verify() {
    let summary = all_verify(0..1_000);
    let limit = summary.endings[5];
    assert!(limit <= 20, "{limit} battles reached the limit of bounds");
    // How the others end is printed, to be compared with the reports from the field: it is no rule.
    assert!(summary.endings[0] > 0 && summary.endings[1] > 0, "{summary}");
}

fn same_on_many_threads(count: u64) {
    let armies = armies();
    let digest = |seed: u64| recorded(&armies, [Level::Steady; 2], seed).record().print();
    let many = series(count, digest);
    let one: Vec<String> = (0..count).map(digest).collect();
    assert_eq!(one, many);
}

#[test]
fn the_same_seed_gives_the_same_record_on_one_thread_and_on_many() {
    same_on_many_threads(3);
}

#[test]
#[ignore = "slow: cargo xtask slow"]
fn the_same_seeds_give_the_same_records_on_one_thread_and_on_many() {
    same_on_many_threads(100);
}

/// Plays a battle; at every tenth command writes the position down, reads it back and plays on from there.
fn taken_up_at_every_tenth_command(armies: &[Army], seed: u64) {
    let whole = recorded(armies, [Level::Steady; 2], seed);
    let key = Key::from_seed(seed);
    let rules = whole.game().rules();
    let lines = whole.record().lines.len() as u32;
    let end = whole.game().notation(whole.state());
    for n in (10..lines).step_by(10) {
        let notation = whole.game().notation(&whole.at(n));
        let (game, state) = Battle::open_notation(&rules, &notation).unwrap();
        let mut table = Table::from_position(game, state, None, Vec::new());
        let mut seeded = Seeded::new(game_key::<Battle>(&key));
        fight_on(&mut table, &mut players([Level::Steady; 2], seed), &mut seeded).unwrap();
        let acts = |t: &Table<Battle>, from: usize| -> Vec<String> {
            t.record().lines[from..].iter().map(|l| format!("{} {:?} {:?}", l.by, l.act, l.throws)).collect()
        };
        let mut rest = acts(&whole, n as usize);
        rest.pop(); // the end line
        assert_eq!(acts(&table, 0), rest, "seed {seed}, from command {n}");
        assert_eq!(table.game().notation(table.state()), end);
    }
}

#[test]
fn a_battle_taken_up_from_its_positions_goes_on_the_same() {
    taken_up_at_every_tenth_command(&armies(), 0);
}

#[test]
#[ignore = "slow: cargo xtask slow"]
fn battles_taken_up_from_their_positions_go_on_the_same() {
    let armies = armies();
    series(50, |seed| taken_up_at_every_tenth_command(&armies, seed));
}

/// Battles that `better` wins out of so many, sides swapped after half of them.
fn wins(better: Level, worse: Level, count: u64) -> u32 {
    let armies = armies();
    let won = series(count, |n| {
        let seed = n / 2;
        let swapped = n % 2 == 1;
        let levels = if swapped { [worse, better] } else { [better, worse] };
        let game = battle(&armies, seed);
        let played = skim(&game, &mut players(levels, seed), &Key::from_seed(seed))
            .unwrap_or_else(|stuck| panic!("seed {seed}: {stuck}"));
        let winner = Result::of(&game, &played.state).winner;
        winner == Some(SideId(u8::from(swapped)))
    });
    let wins = won.iter().filter(|w| **w).count() as u32;
    println!("{} beats {} in {wins} of {count}", better.name(), worse.name());
    wins
}

#[test]
fn the_commander_beats_the_others_more_often_than_not() {
    assert!(wins(Level::Steady, Level::March, 8) > 4);
    assert!(wins(Level::Steady, Level::Random, 8) > 4);
}

#[test]
#[ignore = "slow: cargo xtask slow"]
fn the_commander_beats_random_play() {
    assert!(wins(Level::Steady, Level::Random, 100) >= 95);
}

#[test]
#[ignore = "slow: cargo xtask slow"]
fn the_commander_beats_one_that_only_marches_ahead() {
    assert!(wins(Level::Steady, Level::March, 100) >= 75);
}

/// A battle without its record is the same battle.
#[test]
fn a_battle_skimmed_ends_as_its_record_does() {
    let armies = armies();
    let table = recorded(&armies, [Level::Steady; 2], 1);
    let game = battle(&armies, 1);
    let played = skim(&game, &mut players([Level::Steady; 2], 1), &Key::from_seed(1)).unwrap();
    assert_eq!(&played.state, table.state());
    assert_eq!(played.commands as usize + 1, table.record().lines.len());
}

/// The commander is shown a view: what it may not know changes nothing that it does.
#[test]
fn the_commander_acts_the_same_in_worlds_that_look_the_same() {
    let armies = armies();
    let table = recorded(&armies, [Level::Steady; 2], 2);
    let game = table.game();
    let lines = table.record().lines.len() as u32;
    for n in (0..lines).step_by(7) {
        let state = table.at(n);
        let mut debts = Vec::new();
        game.owes(&state, &mut debts);
        let Some(debt) = debts.first() else { continue };
        let viewer = game::Viewer::Seat(debt.seat);
        let Some((other, twin)) = game.twin(&state, viewer, u64::from(n)) else { continue };
        let choose = |game: &Battle, state: &hott::battle::State| {
            let (seen, possible) = game.possible(&game.view(state, viewer), 0);
            let sight = commander::Sight { game: &seen, state: &possible, seat: debt.seat, owed: &debt.what };
            Level::Steady.player(5).command(sight)
        };
        assert_eq!(choose(game, &state), choose(&other, &twin), "line {n}");
        let command = choose(game, &state);
        let legal = game.play(&state, Actor::Seat(debt.seat), &command, &mut dice::Fixed(3));
        assert!(legal.is_ok(), "line {n}: {legal:?}");
    }
}

/// Somebody who only clicks on: deploys as proposed, never moves, fights what comes.
struct Clicker;

impl Player<Battle> for Clicker {
    fn name(&self) -> &'static str {
        "clicker"
    }

    fn command(&mut self, sight: Sight<'_, Battle>) -> hott::battle::Command {
        if let Owed::Choice { stands, .. } = sight.owed {
            return stands.clone();
        }
        let mut all = Vec::new();
        sight.game.candidates(sight.state, sight.seat, &mut all);
        let texts: Vec<String> = all.iter().map(|c| sight.game.print(sight.state, c)).collect();
        let find = |start: &str| texts.iter().position(|t| t.starts_with(start));
        let whole =
            (0..texts.len()).filter(|n| texts[*n].starts_with("deploy ")).max_by_key(|n| texts[*n].len());
        let at = find("deployed").or(whole).or(find("roll")).or(find("fight ")).or(find("end"));
        all[at.unwrap_or(0)].clone()
    }
}

/// Who waits is come for in the end, even where every fight is a bad one: Shooters behind whom nobody can get, a line of
/// Knights before Riders.
#[test]
fn nobody_is_waited_for_without_end() {
    let armies = support::armies();
    for seed in [134, 136, 201, 202] {
        let game = support::battle_to(&armies, seed, 400);
        let mut players: Vec<Box<dyn Player<Battle>>> = vec![Box::new(Clicker), Level::Steady.player(seed)];
        let played = skim(&game, &mut players, &Key::from_seed(seed)).unwrap();
        let result = Result::of(&game, &played.state);
        assert!(result.bounds < 200, "seed {seed}: {} bounds, {:?}", result.bounds, result.ending);
    }
}
