//! How fast the commander plays, on one core: whole battles without a record, commands judged, states copied.

#[path = "../tests/support/mod.rs"]
mod support;

use commander::hott::Level;
use commander::skim;
use dice::Key;
use divan::Bencher;
use divan::counter::ItemsCount;
use game::Game;
use hott::army::Army;
use hott::battle::{Battle, Phase, State};
use hott::moves::Scene;

fn main() {
    divan::main();
}

/// So many battles make one sample: armies and grounds differ much.
const BATTLES: u64 = 24;

fn play(armies: &[Army], level: Level, seed: u64) -> u32 {
    let game = support::battle(armies, seed);
    let mut players = vec![level.player(seed), level.player(seed + 1)];
    skim(&game, &mut players, &Key::from_seed(seed)).map_or(0, |p| p.commands)
}

#[divan::bench(args = [Level::March, Level::Steady], sample_count = 4, sample_size = 1)]
fn whole_battles(bencher: Bencher<'_, '_>, level: Level) {
    let armies = support::armies();
    bencher
        .counter(ItemsCount::new(BATTLES))
        .bench_local(|| (0..BATTLES).map(|seed| play(&armies, level, seed)).sum::<u32>());
}

/// A position in the midst of a battle.
fn midst() -> (Battle, State) {
    let armies = support::armies();
    let game = support::battle(&armies, 3);
    let mut players = vec![Level::Steady.player(1), Level::Steady.player(2)];
    // INVARIANT: the tests play this battle to its end.
    let table = commander::fight(game, &mut players, &Key::from_seed(3)).expect("the battle is played");
    let lines = u32::try_from(table.record().lines.len()).unwrap_or(0);
    let at = (lines / 2..lines).find(|n| table.at(*n).phase == Phase::Moves).unwrap_or(lines / 2);
    (table.game().clone(), table.at(at))
}

#[divan::bench]
fn clone_of_a_state(bencher: Bencher<'_, '_>) {
    let (_, state) = midst();
    let mut copy = state.clone();
    bencher.bench_local(|| copy.clone_from(divan::black_box(&state)));
}

#[divan::bench]
fn commands_judged(bencher: Bencher<'_, '_>) {
    let (game, state) = midst();
    let scene = Scene::new(&game, &state);
    let mut orders = Vec::new();
    for command in 0..game.commands.len() {
        let id = hott::battle::CommandId(u8::try_from(command).unwrap_or(0));
        if game.commands[command].side == state.active {
            scene.candidates(id, &mut orders, hott::moves::Level::All);
        }
    }
    bencher
        .counter(ItemsCount::new(orders.len()))
        .bench_local(|| orders.iter().filter(|o| scene.judge(o).is_ok()).count());
}

/// A big battle of 96 AP a side in four commands, the commander against one that marches ahead.
#[divan::bench(args = [Level::March, Level::Steady], sample_count = 2, sample_size = 1)]
fn big_battle_of_96_ap_a_side(bencher: Bencher<'_, '_>, level: Level) {
    let game = support::big::battle(2, 4, &serde_json::json!([]), 100, 1);
    bencher.bench_local(|| {
        let mut players = vec![level.player(1), level.player(2)];
        skim(&game, &mut players, &Key::from_seed(1)).map_or(0, |p| p.commands)
    });
}

#[divan::bench]
fn views_and_possible_states(bencher: Bencher<'_, '_>) {
    let (game, state) = midst();
    bencher.bench_local(|| game.possible(&game.view(&state, game::Viewer::Seat(game::Seat(0))), 0));
}
