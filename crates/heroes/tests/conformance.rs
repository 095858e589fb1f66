//! The contract of `game`, tried by random play over maps, lists and options.

use game::Game;
use game::conform::{Effort, conform};
use heroes::Heroes;
use heroes::army::LISTS;
use heroes::map::MAPS;
use serde_json::json;

fn fresh(seed: u64) -> Heroes {
    let n = seed as usize;
    let sets: Vec<(String, String)> = match seed % 4 {
        1 => vec![
            ("heroes.flee_incomplete".into(), "stop".into()),
            ("heroes.voluntary_flee".into(), "also_tactical".into()),
            ("heroes.cinc_death".into(), "on".into()),
        ],
        2 => vec![
            ("heroes.deployment".into(), "dice".into()),
            ("heroes.command_line".into(), "straight".into()),
            ("heroes.multi_factors".into(), "one_unit".into()),
        ],
        3 => vec![
            ("heroes.break_percent".into(), "100".into()),
            ("heroes.hero_hits".into(), "subtract".into()),
            ("heroes.wall_recoil_disrupted".into(), "no_effect".into()),
            ("heroes.column_impact".into(), "minus_two".into()),
        ],
        _ => Vec::new(),
    };
    let rules = Heroes::rules_from(None, None, &sets).unwrap();
    let map = if seed % 3 == 2 { format!("random:{seed}") } else { MAPS[n % MAPS.len()].0.to_owned() };
    let setup = json!({ "map": map, "armies": [LISTS[n % 14].0, LISTS[(n * 5 + 3) % 14].0], "bounds": 8 });
    Heroes::open(&rules, &setup).unwrap()
}

#[test]
fn the_contract_is_kept() {
    conform(Effort { games: 6, commands: 400, every: 60, tries: 4 }, fresh);
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn the_contract_is_kept_for_long() {
    conform(Effort { games: 60, commands: 3000, every: 40, tries: 8 }, fresh);
}
