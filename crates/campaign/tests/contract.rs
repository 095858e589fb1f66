//! The campaign keeps the contract of games, umpired and not.

use campaign::{Campaign, Rules, world::shipped};
use game::conform::{Effort, conform};

fn fresh(name: &str, umpired: bool) -> Campaign {
    let rules = Rules::shipped();
    let world = shipped(name).unwrap();
    Campaign::new(world, Some(name.to_owned()), rules, umpired)
}

#[test]
fn keeps_the_contract() {
    conform(Effort { games: 2, commands: 60, every: 5, tries: 1 }, |_| fresh("evening", false));
}

#[test]
fn keeps_the_contract_with_an_umpire() {
    conform(Effort { games: 1, commands: 40, every: 7, tries: 1 }, |_| fresh("proving", true));
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn keeps_the_contract_for_long() {
    conform(Effort { games: 12, commands: 400, every: 3, tries: 3 }, |n| {
        fresh(if n % 2 == 0 { "evening" } else { "proving" }, n % 3 == 0)
    });
}
