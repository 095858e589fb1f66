//! How fast whole battles between first-level commanders are: `cargo run --release -p heroes --example speed -- 200`.
//!
//! Prints battles, commands and candidates a second on one core, and a digest of everything that was played.

#![expect(clippy::disallowed_types, reason = "it measures time; nothing that is played depends on it")]

use dice::{Key, Seeded};
use heroes::army::{Army, LISTS};
use heroes::commander::{Player, Style};
use heroes::map::{MAPS, Map};
use heroes::options::Options;
use heroes::state::Outcome;
use heroes::table::Table;
use heroes::tables::Tables;
use heroes::{candidates, deploy, owed, play};
use std::time::Duration;

/// Time that this process has had a core for, so that others on a busy machine do not count; by the clock where the system
/// does not tell.
fn on_core() -> Duration {
    static BEGAN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let clock = BEGAN.get_or_init(std::time::Instant::now).elapsed();
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    told.and_then(|t| t.split_whitespace().next()?.parse().ok()).map_or(clock, Duration::from_nanos)
}

fn table(n: u64) -> Table {
    let t = Tables::shipped();
    let army = |k: u64| Army::shipped(LISTS[(k % 14) as usize].0, &t).expect("a shipped list");
    let map = if n.is_multiple_of(2) {
        Map::random(n, 18, 12)
    } else {
        Map::shipped(MAPS[(n % 8) as usize].0, &t).expect("a shipped map")
    };
    let (a, b) = (army(n), army(n * 3 + 5));
    Table::new(t, Options::default(), map, [&a, &b]).expect("two lists on a map")
}

/// One battle; how many commands, how many candidates looked at, a digest of the play.
fn battle(t: &Table, n: u64) -> (u64, u64, u64) {
    let mut s = deploy::begin(t);
    let mut dice = Seeded::new(Key::from_seed(n));
    let mut players = [Player::new(Style::General, n), Player::new(Style::General, n + 1)];
    let (mut commands, mut digest) = (0, 0xcbf2_9ce4_8422_2325_u64);
    while s.outcome == Outcome::Open {
        let side = owed::owner(t, &s).expect("somebody owes something");
        let c = players[side.ix()].choose(t, &s).expect("a command");
        for byte in c.text(t).bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        play::apply(t, &mut s, Some(side), &c, &mut dice, None).expect("an accepted command");
        commands += 1;
    }
    (commands, players[0].looked_at + players[1].looked_at, digest)
}

/// All that is owed in some battles listed and applied to a copy, again and again: candidates a second.
fn listing(t: &Table, n: u64) -> (u64, Duration) {
    let mut s = deploy::begin(t);
    let mut dice = Seeded::new(Key::from_seed(n));
    let mut players = [Player::new(Style::General, n), Player::new(Style::General, n + 1)];
    let (mut all, mut count, mut took) = (Vec::new(), 0, Duration::ZERO);
    while s.outcome == Outcome::Open {
        let side = owed::owner(t, &s).expect("somebody owes something");
        let began = on_core();
        all.clear();
        candidates::all(t, &s, &mut all);
        for c in &all {
            let mut copy = s;
            let _ = play::apply(t, &mut copy, Some(side), c, &mut dice, None);
        }
        took += on_core().saturating_sub(began);
        count += all.len() as u64;
        let c = players[side.ix()].choose(t, &s).expect("a command");
        play::apply(t, &mut s, Some(side), &c, &mut dice, None).expect("an accepted command");
    }
    (count, took)
}

fn main() {
    let battles: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    let tables: Vec<Table> = (0..28).map(table).collect();
    let began = on_core();
    let (mut commands, mut looked, mut digest) = (0, 0, 0_u64);
    for n in 0..battles {
        let (c, l, d) = battle(&tables[(n % 28) as usize], n);
        commands += c;
        looked += l;
        digest = digest.rotate_left(5) ^ d;
    }
    let took = on_core().saturating_sub(began).as_secs_f64();
    let each = battles as f64;
    println!("{battles} battles in {took:.2} s: {:.0} a second on one core", each / took);
    println!(
        "a battle: {:.0} commands, {:.0} candidates looked at",
        commands as f64 / each,
        looked as f64 / each
    );
    println!("digest of the play {digest:016x}; a state has {} bytes", size_of::<heroes::state::State>());
    let (mut count, mut took) = (0, Duration::ZERO);
    for n in 0..(battles / 20).min(10) {
        let (c, d) = listing(&tables[(n % 28) as usize], n);
        count += c;
        took += d;
    }
    println!("{:.2} million candidates listed and applied a second", count as f64 / took.as_secs_f64() / 1e6);
}
