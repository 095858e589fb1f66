//! The contract, tried out by random play (crate `game`, conformance suite), and no input that panics.

use game::conform::{Effort, conform};
use game::{Actor, AnyTable, Game, Seat, Table};
use hott::battle::Battle;
use proptest::prelude::*;
use serde_json::{Value, json};

fn rules(sets: &[(&str, &str)]) -> Value {
    let sets: Vec<(String, String)> = sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    match Battle::rules_from(None, None, &sets) {
        Ok(rules) => rules,
        Err(p) => panic!("{}", p[0]),
    }
}

fn elements(list: &[(&str, u16)]) -> Value {
    let mut first = true;
    let one = |(ty, count): &(&str, u16)| {
        let general = std::mem::replace(&mut first, false);
        json!({ "type": ty, "count": count, "general": general })
    };
    Value::Array(list.iter().map(one).collect())
}

/// Armies that between them hold every type of the base game.
fn armies(seed: u64) -> [Value; 2] {
    let lists: [&[(&str, u16)]; 6] = [
        &[("Hero", 1), ("Knight", 3), ("Blade", 3), ("God", 1), ("Lurker", 2), ("Horde", 2)],
        &[("Magician", 1), ("Warband", 5), ("Shooter", 2), ("Dragon", 1), ("Horde", 2)],
        &[("Aerial Hero", 1), ("Flyer", 2), ("Spear", 5), ("Cleric", 1), ("Lurker", 1)],
        &[("Behemoth", 1), ("Paladin", 1), ("Rider", 4), ("Beast", 2), ("Water Lurker", 2), ("Horde", 2)],
        &[("Airboat", 1), ("Artillery", 2), ("Sneaker", 1), ("Spear", 4), ("Shooter", 2)],
        &[("Magician", 1), ("Magician", 1), ("Shooter", 4), ("Blade", 4)],
    ];
    let pick = |n: u64| elements(lists[(n % 6) as usize]);
    [pick(seed), pick(seed / 6 + seed + 1)]
}

fn fresh(seed: u64) -> Battle {
    let [a, b] = armies(seed);
    let setup = json!({
        "sides": [
            { "army": "Firsts", "commands": [{ "elements": a }] },
            { "army": "Seconds", "commands": [{ "elements": b }] },
        ],
        "bound_limit": 12,
    });
    match Battle::open(&rules(&[]), &setup) {
        Ok(battle) => battle,
        Err(p) => panic!("{}", p[0]),
    }
}

/// Armies already close to each other, so that random play fights.
fn close(seed: u64) -> Battle {
    let at = |side: &str, n: i32, y: i32, h: i32, ty: &str, general: bool| {
        (format!("{side}.{ty}{n}"), json!({ "at": [700 + 160 * n, y], "heading": h, "general": general }))
    };
    // Every type that begins on the table; Gods, Dragons and Lurkers wait beside it.
    let types = [
        "Bld", "Kni", "Wbd", "Sht", "Spr", "Hrd", "Fly", "Snk", "Mag", "Beh", "Her", "Clr", "Art", "Abt",
        "AHe", "Pal", "Rid", "Bst",
    ];
    let pick = |n: u64| types[(n % types.len() as u64) as usize];
    let leads = |ty: &str| !matches!(ty, "Snk" | "Pal" | "Bst");
    let mut list = serde_json::Map::new();
    for n in 0..6_i32 {
        let (a, b) = (pick(seed + n as u64), pick(seed / 3 + 2 * n as u64));
        list.extend([
            at("A", n, 1_000, 0, a, n == 2 && leads(a)),
            at("B", n, 1_150, 180, b, n == 3 && leads(b)),
        ]);
    }
    list.extend([
        ("A.God1".to_owned(), json!({ "fate": "waiting" })),
        ("A.WLk1".to_owned(), json!({ "fate": "waiting" })),
        ("B.Lrk1".to_owned(), json!({ "fate": "waiting" })),
        ("B.Drg1".to_owned(), json!({ "fate": "waiting" })),
    ]);
    let doc = json!({
        "elements": list,
        "ground": ["wood disc 800 1300 120", "river 80 along 0 600, 2400 600", "hill ellipse 1400 1050 400 300"],
        "pips": { "A": 4 },
        "bound_limit": 8,
    });
    let (battle, state) = match Battle::open_position(&rules(&[]), &doc) {
        Ok(both) => both,
        Err(p) => panic!("{}", p[0]),
    };
    // The game starts where the position is.
    assert_eq!(battle.start(), state);
    battle
}

#[test]
fn keeps_the_contract_from_the_dice_on() {
    conform(Effort { games: 3, commands: 45, every: 5, tries: 1 }, fresh);
}

#[test]
fn keeps_the_contract_where_armies_meet() {
    conform(Effort { games: 4, commands: 40, every: 4, tries: 1 }, close);
}

/// Big battles: two sides of two commands; three sides, two of them allied.
fn big(seed: u64) -> Battle {
    let line = |n: u64| ["Blade", "Light Horse", "Warband", "Scouts"][(n % 4) as usize];
    let command = |n: u64, general: &str| {
        json!({ "elements": [
            { "type": general, "general": true },
            { "type": line(n), "count": 3, "grade": "elite" },
            { "type": "Shooter", "count": 2 },
            { "type": "Horde", "count": 2, "grade": "levy" },
        ] })
    };
    let side = |n: u64| json!({ "army": format!("Army {n}"), "commands": [command(n + seed, "Hero"), command(n + 1, "Knight")] });
    let mut setup = json!({ "sides": [side(0), side(1)], "bound_limit": 4 });
    if seed % 2 == 1 {
        setup["sides"] = json!([side(0), side(1), side(2)]);
        setup["alliances"] = json!([["A", "C"]]);
    }
    match Battle::open(&rules(&[("scope", "big")]), &setup) {
        Ok(battle) => battle,
        Err(p) => panic!("{}", p[0]),
    }
}

#[test]
fn big_battles_set_up_and_run() {
    conform(Effort { games: 2, commands: 30, every: 10, tries: 1 }, big);
}

#[test]
#[ignore = "slow: run by cargo xtask slow"]
fn keeps_the_contract_at_length() {
    conform(Effort { games: 30, commands: 300, every: 10, tries: 2 }, fresh);
    conform(Effort { games: 60, commands: 200, every: 3, tries: 2 }, close);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_a_person_types_panics(seed in 0_u64..20, text in "\\PC{0,60}", verb in 0_usize..14) {
        let verbs = ["", "move ", "charge ", "deploy ", "ground ", "return ", "bespell ", "shoot ", "ruling set ",
            "ruling option ", "line ", "column ", "arrive ", "edges "];
        let battle = close(seed);
        let mut table = Table::new(battle, None, vec![]);
        let text = format!("{}{text}", verbs[verb]);
        for by in [Actor::Seat(Seat(0)), Actor::Umpire] {
            let _ = table.command_text(by, &text, &mut dice::Fixed(4));
        }
        let _ = table.game().ask(table.state(), &text);
        let _ = Battle::open_notation(&rules(&[]), &text);
    }

    #[test]
    fn nothing_near_a_command_panics(
        seed in 0_u64..20,
        verb in 0_usize..12,
        a in 0_u8..7,
        b in 0_u8..7,
        x in -500_i32..3_000,
        y in -500_i32..3_000,
        h in 0_i32..361,
    ) {
        let battle = close(seed);
        let state = battle.start();
        let label = |side: char, n: u8| {
            let all: Vec<_> = battle.elements.iter().filter(|e| battle.sides[e.side.index()].letter == side).collect();
            format!("{side}.{}", all[usize::from(n) % all.len()].label)
        };
        let (own, enemy) = (label('A', a), label('B', b));
        let text = match verb {
            0 => format!("move {own} to {x} {y} {h}"),
            1 => format!("move {own} ahead {x}, wheel left {h}, right {y}"),
            2 => format!("charge {own} left {enemy}"),
            3 => format!("ruling set {enemy} at {x} {y} {h}"),
            4 => format!("arrive {own} {x} {y} {h}"),
            5 => format!("lurk {own} rear {enemy}"),
            6 => format!("bespell {enemy} with {own}"),
            7 => format!("shoot {enemy} with {own}"),
            8 => format!("column {own} ahead {x}"),
            9 => format!("break {own} {y}"),
            10 => format!("ruling remove {own} ensorcelled"),
            _ => format!("return {own} {x} {y} {h}"),
        };
        let mut table = Table::from_position(battle, state, None, vec![]);
        for by in [Actor::Seat(Seat(0)), Actor::Umpire] {
            for text in [text.as_str(), "end", "end", "end", "fight all"] {
                let _ = table.command_text(by, text, &mut dice::Fixed(2));
                let _ = table.position_check();
            }
        }
    }
}

trait PositionCheck {
    fn position_check(&self) -> bool;
}

impl PositionCheck for Table<Battle> {
    /// What was played can be written down and read again, whatever it was.
    fn position_check(&self) -> bool {
        let notation = self.notation();
        match Battle::open_notation(&self.game().rules(), &notation) {
            Ok((battle, state)) => {
                assert_eq!(battle.notation(&state), notation);
                true
            }
            Err(p) => panic!("{}\n{notation}", p[0]),
        }
    }
}
