//! Whole campaigns of computer nations: every invariant after every season, the same state whatever the sequence in
//! which orders are sent, a replay to the same digest, and nothing that leaks.

mod secrets;

use campaign::soak::{Plan, play_thrice};
use campaign::{Campaign, Rules, world::shipped};

fn campaign(name: &str) -> Campaign {
    Campaign::new(shipped(name).unwrap(), Some(name.to_owned()), Rules::shipped(), true)
}

/// Plays campaigns; says what they came to.
fn runs(name: &str, seeds: std::ops::Range<u64>, years: u32) {
    let campaign = campaign(name);
    let (mut battles, mut seasons, mut failed) = (0, 0, Vec::new());
    let count = seeds.end - seeds.start;
    for seed in seeds {
        match play_thrice(&campaign, Plan { seed, years, turned: false }) {
            Ok(played) => {
                battles += played.battles;
                seasons += played.seasons;
            }
            Err(why) => failed.push(why),
        }
    }
    println!(
        "{name}: {count} campaigns, {seasons} seasons and winters, {battles} battles, {} failed",
        failed.len()
    );
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(battles > 0, "{name}: nobody ever fought");
}

#[test]
fn campaigns_keep_the_invariants() {
    runs("evening", 1..4, 2);
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn a_hundred_campaigns_of_ten_years() {
    runs("evening", 0..60, 10);
    runs("orrery", 0..40, 10);
}
