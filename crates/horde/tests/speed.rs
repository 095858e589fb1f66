//! How fast: figures for the guide. `cargo test -p horde --test speed -- --ignored --nocapture`.
#![allow(clippy::disallowed_types, reason = "a stopwatch needs a clock")]

use horde::encounter::{Encounter, plain_rules};
use horde::plan::close_in;
use horde::sim::{Manner, Quick, run};
use std::time::{Duration, Instant};

/// The processor time of this thread where the system tells it, so that what else runs does not count.
fn used() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn a_full_round_of_six_heretics_and_three_hordes() {
    let mut text = String::new();
    let attacks = [
        "shoot = \"semi boltgun h0\"",
        "shoot = \"full heavy_stubber h1\"",
        "shoot = \"standard flamer h2\"",
        "melee = \"lightning chainsword h0\"",
        "shoot = \"standard frag_grenade h1\"",
        "melee = \"standard sword h2\"",
    ];
    for (i, a) in attacks.iter().enumerate() {
        text += &format!(
            "[[heretic]]\nlabel = \"p{i}\"\nprofile = \"csm\"\nweapons = [\"boltgun\", \"heavy_stubber\", \"flamer\", \"chainsword\", \"frag_grenade\", \"sword\"]\n{a}\ninitiative = {}\n",
            12 - i
        );
    }
    for (i, p) in ["makuu_guardsmen", "cult_zealots", "hive_riot"].iter().enumerate() {
        text += &format!(
            "[[horde]]\nlabel = \"h{i}\"\nprofile = \"{p}\"\nmagnitude = {}\ninitiative = {}\n",
            60 + 20 * i,
            5 + i
        );
    }
    let (game, _) = Encounter::from_file("speed.toml", &text, &plain_rules()).unwrap();
    let mut s = game::Game::start(&game);
    close_in(&mut s);
    let time = |what: &str, n: u32, f: &mut dyn FnMut(u32)| {
        let (t, before) = (Instant::now(), used());
        (0..n).for_each(&mut *f);
        let each = used().zip(before).map_or_else(|| t.elapsed(), |(now, then)| now - then) / n;
        eprintln!("{what}: {each:?}");
        each
    };
    let one = time("exact odds, one Round", 20, &mut |_| _ = horde::odds::rounds::<f64>(&s, 1));
    time("exact odds, five Rounds", 3, &mut |_| _ = horde::odds::rounds::<f64>(&s, 5));
    let fight = time("simulated Round", 2000, &mut |k| {
        _ = run(&s, game.library(), 1, Manner { true_to_life: true }, &mut Quick::new(u64::from(k)))
    });
    eprintln!("simulated Rounds a second: {}", 1_000_000_000 / fight.as_nanos().max(1));
    assert!(one.as_millis() < 50, "{one:?}");
}
