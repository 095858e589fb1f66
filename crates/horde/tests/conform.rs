//! The suite of the contract, and what the contract does not know of.

use game::conform::{Effort, conform};
use horde::Encounter;

const BRIDGE: &str = include_str!("../../../data/horde/encounters/bridge.toml");

fn bridge(options: &[(&str, &str)]) -> Encounter {
    let sets: Vec<(String, String)> =
        options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let rules = <Encounter as game::Game>::rules_from(None, None, &sets).unwrap();
    Encounter::from_file("bridge.toml", BRIDGE, &rules).unwrap().0
}

#[test]
fn the_suite() {
    conform(Effort { games: 8, commands: 100, every: 9, tries: 2 }, |seed| match seed % 4 {
        0 => bridge(&[]),
        1 => bridge(&[("ruleset", "deathwatch")]),
        2 => bridge(&[
            ("break.when", "on_crossing"),
            ("grapple.shield", "horde_only"),
            ("damage.roll", "blast_shared"),
        ]),
        _ => bridge(&[
            ("break.auto_when", "own_turn"),
            ("small_horde", "remove"),
            ("pin.tests_per_round", "once"),
            ("fear.fail", "breaks"),
        ]),
    });
}
