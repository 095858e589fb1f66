//! Counts of command sequences to depth 3 from ten fixed positions, every die showing a three, pending choices
//! included: one candidate too many or too few changes them.

use game::Game;
use heroes::Heroes;
use heroes::candidates;
use heroes::play;
use heroes::state::State;
use heroes::table::Table;
use std::path::Path;

/// The position of a case, and leaves at depths 1, 2 and 3.
const GOLDEN: [(&str, [u64; 3]); 10] = [
    ("evade-two", [106, 2372, 31192]),
    ("voluntary-flee", [106, 2372, 31192]),
    ("we19-flee-and-pursuit", [1, 14, 16]),
    ("pairing", [2, 2, 28]),
    ("several-losers", [1, 14, 22]),
    ("flee-through-friends", [2, 28, 56]),
    ("both-sides-shoot", [2, 4, 56]),
    ("one-shot", [7, 50, 406]),
    ("evade-through-friends", [106, 860, 10624]),
    ("elephants-run-again", [1, 68, 952]),
];

fn count(t: &Table, s: &State, depth: u32) -> u64 {
    let mut all = Vec::new();
    candidates::all(t, s, &mut all);
    if depth == 1 {
        return all.len() as u64;
    }
    all.iter()
        .map(|c| {
            let mut next = *s;
            match play::apply(t, &mut next, None, c, &mut dice::Fixed(3), None) {
                Ok(()) => count(t, &next, depth - 1),
                Err(e) => panic!("{}: {e:?}", c.text(t)),
            }
        })
        .sum()
}

#[test]
fn counts_stand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/heroes");
    let rules = Heroes::rules_from(None, None, &[]).unwrap();
    let mut now = Vec::new();
    for (name, _) in GOLDEN {
        let text = std::fs::read_to_string(root.join(format!("{name}.toml"))).unwrap();
        let case = game::case::Case::parse(name, &text).unwrap();
        let position = game::case::json(case.position.as_ref().unwrap());
        let (game, state) = Heroes::open_position(&rules, &position).unwrap();
        let counts = [1, 2, 3].map(|d| count(game.table(), &state, d));
        now.push((name, counts));
    }
    assert_eq!(now, GOLDEN.to_vec(), "if a rule was changed on purpose, these are the new counts");
}
