//! How long a season takes to adjudicate, battles apart.

use campaign::order::SetState;
use campaign::soak::orders;
use campaign::world::{Plan, generate, shipped};
use campaign::{Campaign, Command, Reader, Rules, State, report, view};
use dice::{Key, Seeded};
use divan::Bencher;
use game::{Actor, Game};

fn main() {
    divan::main();
}

/// A campaign of eight nations some seasons on, with everybody's orders in.
fn ready(seasons: u32) -> (Campaign, State, Seeded) {
    let world = generate(Plan { seed: 8, nations: 8 });
    let c = Campaign::new(world, None, Rules::shipped(), true);
    let mut dice = Seeded::new(Key::from_seed(8).with_words(Campaign::NAME, &[]));
    let mut state = c.start();
    for n in 0..=seasons {
        for nation in state.playing().collect::<Vec<_>>() {
            let text = orders(&c, &state, nation, u64::from(n) * 7 + 1);
            let command = Command::Orders { nation, sent: 1, received: 1, state: SetState::Confirmed, text };
            let _ = c.apply(&mut state, Actor::Umpire, &command, &mut dice, &mut Vec::new());
        }
        if n < seasons {
            let _ = c.apply(&mut state, Actor::Umpire, &Command::Adjudicate, &mut dice, &mut Vec::new());
            while let Some(b) = state.turn.battles.iter().find(|b| b.result.is_none()).map(|b| b.name()) {
                let _ = c.apply(&mut state, Actor::Umpire, &Command::Fight(b), &mut dice, &mut Vec::new());
            }
        }
    }
    (c, state, dice)
}

/// From sealed orders to the list of battles, or to the letters where there are none.
#[divan::bench(args = [0, 2, 6])]
fn a_season_of_eight_nations(bencher: Bencher<'_, '_>, seasons: u32) {
    let (c, state, dice) = ready(seasons);
    bencher.with_inputs(|| (state.clone(), dice.clone())).bench_values(|(mut state, mut dice)| {
        let mut events = Vec::new();
        let _ = c.apply(&mut state, Actor::Umpire, &Command::Adjudicate, &mut dice, &mut events);
        (state.phase, events.len())
    });
}

/// The letter of one nation, made from its view.
#[divan::bench]
fn a_letter(bencher: Bencher<'_, '_>) {
    let c = Campaign::new(shipped("orrery").unwrap(), None, Rules::shipped(), true);
    let state = c.start();
    let nation = state.playing().next();
    bencher.bench(|| {
        let own = view(&state, nation.map_or(Reader::Public, Reader::Nation));
        report::letter(c.world(), c.rules_in_force(), &own, "")
    });
}
