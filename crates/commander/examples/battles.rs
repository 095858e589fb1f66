//! Many battles between shipped armies, summed up: `battles LEVEL LEVEL COUNT [FIRST SEED]`; with a count of 0 one
//! battle is told line by line. Each seed is fought once;
//! with two levels sides are swapped in every second battle and the wins of the first level are counted.
#![allow(clippy::disallowed_types, clippy::float_arithmetic)] // a clock, to say how fast it went

#[path = "../tests/support/mod.rs"]
mod support;

use commander::hott::Level;
use commander::hott::arena::{Result, Summary};
use commander::{series, skim};
use dice::Key;
use hott::battle::SideId;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let level = |n: usize| args.get(n).and_then(|a| Level::named(a)).unwrap_or_default();
    let number = |n: usize, d: u64| args.get(n).and_then(|a| a.parse().ok()).unwrap_or(d);
    let (a, b, count, first) = (level(0), level(1), number(2, 100), number(3, 0));
    let armies = support::armies();
    if count == 0 {
        // One battle told line by line.
        let game = support::battle(&armies, first);
        let mut players = vec![a.player(first * 2), b.player(first * 2 + 1)];
        match commander::fight(game, &mut players, &Key::from_seed(first)) {
            Ok(table) => table.record().lines.iter().for_each(|l| {
                println!("{} {:?}", l.by, l.act);
                l.events.iter().for_each(|e| println!("      {}", e["say"].as_str().unwrap_or("")));
            }),
            Err(stuck) => println!("{stuck}"),
        }
        return;
    }
    let clock = std::time::Instant::now();
    let results = series(count, |n| {
        let swapped = n % 2 == 1;
        let seed = first + if a == b { n } else { n / 2 };
        let levels = if swapped && a != b { [b, a] } else { [a, b] };
        let game = support::battle(&armies, seed);
        let mut players =
            levels.into_iter().zip(0..).map(|(l, n)| l.player(seed * 2 + n)).collect::<Vec<_>>();
        match skim(&game, &mut players, &Key::from_seed(seed)) {
            Ok(played) => {
                let result = Result::of(&game, &played.state);
                let won = result.winner == Some(SideId(u8::from(swapped && a != b)));
                Some((result, won, played.commands))
            }
            Err(stuck) => {
                println!("seed {seed} swapped {swapped}: {stuck}");
                None
            }
        }
    });
    let mut summary = Summary::default();
    let (mut won, mut commands) = (0, 0);
    for (result, w, c) in results.iter().flatten() {
        summary.add(result);
        won += u32::from(*w);
        commands += c;
    }
    println!("{summary}");
    println!("{} won {won} of {count}; {} stuck", a.name(), count - u64::from(summary.battles));
    let time = clock.elapsed().as_secs_f64();
    println!("{commands} commands in {time:.2} s: {:.1} battles a second on all cores", count as f64 / time);
}
