//! Exact odds against the engine: by simulation within five standard errors, and by full enumeration exactly.

use horde::encounter::Encounter;
use horde::odds::{self, mean};
use horde::plan::close_in;
use horde::sim::{Manner, Quick, run};
use horde::state::State;
use horde::unit::Status;

struct Pick(u64);

impl Pick {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n as u64).unwrap()
    }
    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const HORDES: [&str; 8] = [
    "makuu_guardsmen",
    "renegade_militia",
    "heretic_rabble",
    "cult_zealots",
    "greenskin_mob",
    "pulse_line",
    "hive_riot",
    "fresh_conscripts",
];
const PEOPLE: [(&str, &[&str]); 7] = [
    (
        "human",
        &[
            "shoot = \"semi boltgun\"",
            "shoot = \"full autogun short\"",
            "shoot = \"standard flamer\"",
            "melee = \"standard sword\"",
            "shoot = \"standard frag_grenade\"",
            "shoot = \"standard long_las aim full\"",
        ],
    ),
    (
        "csm",
        &[
            "shoot = \"semi legion_boltgun\"",
            "melee = \"lightning chainsword\"",
            "melee = \"swift power_sword\"",
        ],
    ),
    ("gunner", &["shoot = \"full heavy_stubber unbraced\"", "shoot = \"standard heavy_flamer\""]),
    ("reaver", &["melee = \"swift chainaxe\"", "melee = \"allout chainaxe\""]),
    ("heretek", &["shoot = \"semi plasma_gun\"", "shoot = \"full multi_laser pb\""]),
    ("psyker", &["melee = \"standard warp_blade\"", "shoot = \"semi laspistol\""]),
    ("legion_veteran", &["shoot = \"full storm_bolter\"", "melee = \"standard legion_power_fist\""]),
];
const OPTIONS: [(&str, &str); 24] = [
    ("ruleset", "deathwatch"),
    ("dos.count", "tens_digit"),
    ("size.table", "tens"),
    ("size.sample", "round_start"),
    ("soak.pen", "ignored"),
    ("damage.roll", "per_attack"),
    ("damage.roll", "blast_shared"),
    ("fury.vs_horde", "guaranteed_1"),
    ("explosive.mode", "plus_one_per_attack"),
    ("flame.attack_roll", "bs_test"),
    ("traits.other", "strict"),
    ("melee.dw_hits", "on"),
    ("break.base", "original"),
    ("break.base", "since_own_last_turn"),
    ("break.threshold", "floor"),
    ("break.auto_when", "round_end"),
    ("break.auto_when", "own_turn"),
    ("break.when", "on_crossing"),
    ("break.when", "own_turn"),
    ("small_horde", "remove"),
    ("horde.attack_bonus", "min_m_20"),
    ("evade.horde", "forbidden"),
    ("extra.keep", "keep_all"),
    ("fury.by_horde", "on"),
];

fn encounter(seed: u64) -> (Encounter, State) {
    let mut p = Pick(seed.wrapping_mul(77).wrapping_add(5));
    let mut text = String::from("name = \"random\"\n");
    let weapons = [
        "boltgun",
        "autogun",
        "flamer",
        "sword",
        "frag_grenade",
        "long_las",
        "legion_boltgun",
        "chainsword",
        "power_sword",
        "heavy_stubber",
        "heavy_flamer",
        "chainaxe",
        "plasma_gun",
        "multi_laser",
        "warp_blade",
        "laspistol",
        "storm_bolter",
        "legion_power_fist",
        "slow_gun",
    ];
    // What few encounters have, drawn apart so that the rest stays what it was.
    let mut rare = Pick(seed.wrapping_mul(31).wrapping_add(17));
    text +=
        "[[weapon]]\nid = \"slow_gun\"\nname = \"slow\"\nclass = \"basic\"\nrange = 90\nrof = [1, 2, 0]\n";
    text += "damage = \"1d10+6\"\ntype = \"E\"\npen = 4\nqualities = [\"Recharge\"]\n";
    let hordes = 1 + p.below(2);
    for i in 0..1 + p.below(3) {
        let (profile, usual) = PEOPLE[p.below(PEOPLE.len())];
        let usual = p.of(usual);
        let at = format!("h{}", p.below(hordes));
        let usual = if rare.below(6) == 0 { "shoot = \"semi slow_gun\"" } else { usual };
        let state = rare.of(&[
            "",
            "",
            "",
            "",
            "surprised = true\n",
            "stunned = 1\n",
            "prone = true\n",
            "stance = true\n",
        ]);
        let usual = usual.trim_end_matches('"').to_owned() + " " + &at + "\"";
        let more = p.of(&[
            "",
            "more_traits = [\"Storm of Iron\"]\n",
            "more_traits = [\"Step Aside\"]\n",
            "more_traits = [\"Flesh Render\"]\n",
        ]);
        text += &format!(
            "[[heretic]]\nlabel = \"p{i}\"\nprofile = \"{profile}\"\nweapons = {weapons:?}\n{usual}\n{more}{state}initiative = {}\n",
            p.below(15)
        );
    }
    for i in 0..hordes {
        let m = 8 + p.below(30);
        text += &format!(
            "[[horde]]\nlabel = \"h{i}\"\nprofile = \"{}\"\nmagnitude = {m}\noriginal = {}\ninitiative = {}\n",
            p.of(&HORDES),
            m + p.below(12),
            p.below(15)
        );
        text += rare.of(&["", "", "", "surprised = true\n", "weapons = [\"slow_gun\", \"sword\"]\n"]);
    }
    let mut sets: Vec<(String, String)> = Vec::new();
    if p.below(3) > 0 {
        let (k, v) = OPTIONS[p.below(OPTIONS.len())];
        sets.push((k.to_owned(), v.to_owned()));
    }
    let rules = <Encounter as game::Game>::rules_from(None, None, &sets).unwrap();
    let (game, _) =
        Encounter::from_file("random.toml", &text, &rules).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut state = game::Game::start(&game);
    close_in(&mut state);
    (game, state)
}

/// Five standard errors of a share, and never less than what one run in `n` is.
fn near(share: f64, exact: f64, n: f64) -> bool {
    (share - exact).abs() <= 5.0 * (exact * (1.0 - exact) / n).max(0.0).sqrt() + 1.5 / n
}

fn compare(seed: u64, n: u32, rounds: usize) {
    let (game, state) = encounter(seed);
    compare_in(&game, &state, seed, n, rounds);
}

fn compare_in(game: &Encounter, state: &State, seed: u64, n: u32, rounds: usize) {
    let exact = odds::rounds::<f64>(state, rounds);
    assert_eq!(exact.len(), rounds, "seed {seed}: all of it is counted");
    let count = f64::from(n);
    let runs: Vec<_> = (0..n)
        .map(|k| {
            run(
                state,
                game.library(),
                rounds,
                Manner { true_to_life: false },
                &mut Quick::new(seed << 20 | u64::from(k)),
            )
        })
        .collect();
    for (r, e) in exact.iter().enumerate() {
        for h in &e.hordes {
            let i = usize::from(h.id.0);
            let total: f64 = h.left.iter().sum();
            assert!((total - 1.0).abs() < 1e-9, "seed {seed}: chances add up to {total}");
            let share = |f: &dyn Fn(&horde::sim::Seen) -> bool| {
                f64::from(u32::try_from(runs.iter().filter(|x| f(&x.rounds[r][i])).count()).unwrap()) / count
            };
            let checks = [
                ("broken", share(&|s| s.status == Status::Broken), h.broken),
                ("destroyed", share(&|s| matches!(s.status, Status::Destroyed | Status::Gone)), h.destroyed),
                ("tests", share(&|s| s.tested), h.tests),
            ];
            for (what, got, want) in checks {
                assert!(
                    near(got, want, count),
                    "seed {seed} round {r} {what}: simulated {got}, exact {want}"
                );
            }
            let values: Vec<f64> = runs.iter().map(|x| f64::from(x.rounds[r][i].left)).collect();
            mean_near(&values, &h.left, &format!("seed {seed} round {r} left of {}", state.unit(h.id).label));
        }
        for p in &e.people {
            let i = usize::from(p.id.0);
            let values: Vec<f64> = runs.iter().map(|x| f64::from(x.rounds[r][i].lost)).collect();
            mean_near(
                &values,
                &p.wounds,
                &format!("seed {seed} round {r} wounds of {}", state.unit(p.id).label),
            );
        }
    }
}

fn mean_near(values: &[f64], dist: &[f64], what: &str) {
    let n = values.len() as f64;
    let m = mean(dist);
    let variance: f64 = dist.iter().enumerate().map(|(k, p)| p * (k as f64 - m).powi(2)).sum();
    let got = values.iter().sum::<f64>() / n;
    let bound = 5.0 * (variance / n).sqrt() + 1e-9 + 8.0 / n;
    assert!((got - m).abs() <= bound, "{what}: simulated {got}, exact {m}, bound {bound}");
}

/// HC-178: a Horde of the players' side against one or two of the foes', with a Heretic between them.
fn hordes_at_odds(seed: u64) -> (Encounter, State) {
    let mut p = Pick(seed.wrapping_mul(91).wrapping_add(3));
    let two = p.below(4) == 0;
    let usual = p.of(&[
        "shoot = \"semi boltgun band\"",
        "melee = \"standard sword band\"",
        "shoot = \"standard frag_grenade band\"",
    ]);
    let mut text = format!(
        "[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nweapons = [\"boltgun\", \"sword\", \"frag_grenade\"]\n{usual}\ninitiative = {}\n",
        p.below(12)
    );
    let names: &[&str] = if two { &["ally", "band", "more"] } else { &["ally", "band"] };
    for name in names {
        let m = if two { 8 + p.below(8) } else { 8 + p.below(18) };
        let enemy = if *name == "ally" { "band" } else { "ally" };
        let near = p.of(&[
            "",
            "engaged = [\"ENEMY\"]\n",
            "engaged = [\"ENEMY\"]\nweapons = [\"sword\"]\n",
            "shoot = \"standard lasgun ENEMY\"\nweapons = [\"lasgun\"]\n",
        ]);
        let side = if *name == "ally" { "side = \"heretics\"\n" } else { "" };
        text += &format!(
            "[[horde]]\nlabel = \"{name}\"\nprofile = \"{}\"\nmagnitude = {m}\noriginal = {}\ninitiative = {}\n{side}{}",
            p.of(&HORDES),
            m + p.below(6),
            p.below(12),
            near.replace("ENEMY", enemy)
        );
    }
    let mut sets: Vec<(String, String)> = Vec::new();
    if p.below(2) > 0 {
        let (k, v) = p_option(&mut p);
        sets.push((k.to_owned(), v.to_owned()));
    }
    let rules = <Encounter as game::Game>::rules_from(None, None, &sets).unwrap();
    let (game, _) =
        Encounter::from_file("hordes.toml", &text, &rules).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut state = game::Game::start(&game);
    close_in(&mut state);
    (game, state)
}

fn p_option(p: &mut Pick) -> (&'static str, &'static str) {
    if p.below(8) == 0 { ("horde_vs_horde", "gm_narrates") } else { OPTIONS[p.below(OPTIONS.len())] }
}

#[test]
fn hordes_that_fight_each_other_agree_with_the_engine() {
    for seed in 0..12 {
        let (game, state) = hordes_at_odds(seed);
        compare_in(&game, &state, seed, 300, 1);
    }
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn hordes_that_fight_each_other_agree_with_the_engine_in_60_encounters() {
    for seed in 0..60 {
        let (game, state) = hordes_at_odds(seed);
        let rounds = if state.units.len() > 3 { 1 } else { 2 };
        compare_in(&game, &state, seed, 3000, rounds);
    }
}

/// What is too much to count is left out, not guessed.
#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn odds_of_hordes_end_where_they_are_too_many_to_count() {
    let mut text = String::new();
    for n in 0..6 {
        let side = if n % 2 == 0 { "heretics" } else { "foes" };
        text += &format!(
            "[[horde]]\nlabel = \"h{n}\"\nprofile = \"makuu_guardsmen\"\nmagnitude = 90\ninitiative = {n}\nside = \"{side}\"\n"
        );
    }
    let r = horde::cli::odds("h.toml", &text, horde::cli::Settings::default(), 2).unwrap();
    assert!(r.text.contains("too much to count exactly") && r.text.contains("horde sim"), "{}", r.text);
    assert!(r.json["rounds"].as_array().unwrap().len() < 2);
}

#[test]
fn simulation_agrees_with_exact_odds() {
    for seed in 0..20 {
        compare(seed, 400, 2);
    }
}

/// The whole of it: 200 encounters, more fights each.
#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn simulation_agrees_with_exact_odds_in_200_encounters() {
    for seed in 0..200 {
        compare(seed, 3000, 3);
    }
}
