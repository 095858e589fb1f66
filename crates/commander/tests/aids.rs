//! What the commander makes of the arms that are not a line of battle: magic, Gods and Dragons, Lurkers, fallen Hordes,
//! frogs; and how it guards its general against Sneakers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use commander::Sight;
use commander::hott::Level;
use game::{Actor, Game, Seat, Viewer};
use hott::battle::{Battle, Command, MoveOrder, SideId, State, Target};
use hott::table::TroopType;
use serde_json::{Value, json};

fn open(position: &Value) -> (Battle, State) {
    let rules = Battle::rules_from(None, None, &[]).unwrap();
    Battle::open_position(&rules, position).unwrap_or_else(|p| panic!("{}", p[0]))
}

/// Plays A's bound with the commander, B answering what is asked of it in between; what A ordered, and where it ends.
fn bound_of_a(position: &Value, seed: u64) -> (Battle, State, Vec<String>) {
    let (battle, mut state) = open(position);
    let bound = state.bound;
    let mut players = [Level::Steady.player(seed), Level::Steady.player(seed + 1)];
    let mut ordered = Vec::new();
    for _ in 0..60 {
        let mut owed = Vec::new();
        battle.owes(&state, &mut owed);
        let Some(debt) = owed.first() else { break };
        if state.bound > bound {
            break;
        }
        let (seen, possible) = battle.possible(&battle.view(&state, Viewer::Seat(debt.seat)), 0);
        let sight = Sight { game: &seen, state: &possible, seat: debt.seat, owed: &debt.what };
        let command = players[usize::from(debt.seat.0)].command(sight);
        if debt.seat == Seat(0) {
            ordered.push(battle.print(&state, &command));
        }
        let by = Actor::Seat(debt.seat);
        match battle.play(&state, by, &command, &mut dice::Fixed(3)) {
            Ok((after, _)) => state = after,
            Err(stop) => panic!("{}: {stop}", battle.print(&state, &command)),
        }
    }
    (battle, state, ordered)
}

fn orders(position: &Value, verb: &str) -> bool {
    let (_, _, ordered) = bound_of_a(position, 1);
    let found = ordered.iter().any(|o| o.starts_with(verb));
    println!("{verb}: {ordered:?}");
    found
}

/// Two lines some way apart, with what else is given.
fn field(pips: u8, apart: i32, more: &Value) -> Value {
    let mut all = json!({
        "A.Bld1": { "at": [1040, 900], "heading": 0, "general": true },
        "A.Spr1": "1200 900 0",
        "A.Spr2": "1360 900 0",
        "B.Bld1": { "at": [1360, 900 + apart], "heading": 180, "general": true },
        "B.Spr1": { "at": [1200, 900 + apart], "heading": 180 },
        "B.Spr2": { "at": [1040, 900 + apart], "heading": 180 },
    });
    for (label, place) in more.as_object().unwrap() {
        all[label] = place.clone();
    }
    json!({ "elements": all, "pips": { "A": pips } })
}

#[test]
fn bespells_what_its_magician_reaches() {
    // Within 600p of the spell, beyond 500p of the Hero's move.
    let hero = json!({
        "A.Mag1": "1700 900 0",
        "B.Bld1": { "at": [1360, 1700], "heading": 180 },
        "B.Her1": { "at": [1700, 1480], "heading": 180, "general": true },
    });
    assert!(orders(&field(5, 800, &hero), "bespell"));
    // Without the PIPs there is no spell.
    assert!(!orders(&field(1, 800, &hero), "bespell"));
}

#[test]
fn brings_on_a_god_when_the_lines_are_near() {
    let god = json!({ "A.God1": { "fate": "waiting" } });
    assert!(orders(&field(6, 400, &god), "arrive"));
    // It leaves on a 1 and is lost then: where nobody is near there is nothing for it to do yet.
    assert!(!orders(&field(6, 1300, &god), "arrive"));
}

#[test]
fn brings_on_all_its_dragons() {
    let dragons = json!({ "A.Drg1": { "fate": "waiting" }, "A.Drg2": { "fate": "waiting" } });
    let (battle, state, ordered) = bound_of_a(&field(6, 900, &dragons), 1);
    assert!(ordered.iter().any(|o| o.starts_with("arrive")), "{ordered:?}");
    let on = |ty| {
        battle.ids_of(SideId(0)).filter(|id| battle.element(*id).ty == ty && state.on_table(*id)).count()
    };
    assert_eq!(on(TroopType::Drg), 2);
}

#[test]
fn ambushes_an_enemy_in_its_wood_from_behind() {
    let mut position = field(
        3,
        900,
        &json!({
            "A.Lrk1": { "fate": "waiting" },
            "B.Kni1": { "at": [600, 1300], "heading": 180, "flags": ["stirred-before"] },
        }),
    );
    position["ground"] = json!(["wood disc 600 1300 300"]);
    let (_, _, ordered) = bound_of_a(&position, 1);
    let lurk = ordered.iter().find(|o| o.starts_with("lurk")).unwrap_or_else(|| panic!("{ordered:?}"));
    assert!(!lurk.contains("front"), "a Knight is better taken from behind: {lurk}");
    // In the open there is no ambush.
    position["ground"] = json!([]);
    assert!(!orders(&position, "lurk"));
}

#[test]
fn returns_hordes_with_pips_to_spare() {
    let fallen = json!({ "A.Hrd1": { "fate": "destroyed" }, "A.Hrd2": { "fate": "destroyed" } });
    let (battle, state, ordered) = bound_of_a(&field(6, 500, &fallen), 1);
    assert!(ordered.iter().any(|o| o.starts_with("return")), "{ordered:?}");
    let back = battle.ids_of(SideId(0)).filter(|id| battle.element(*id).ty == TroopType::Hrd);
    assert!(back.filter(|id| state.on_table(*id)).count() >= 1);
}

#[test]
fn brings_back_a_frog_with_six() {
    let frog = json!({ "A.Her1": { "fate": "ensorcelled", "at": [600, 600], "heading": 0 } });
    assert!(orders(&field(6, 700, &frog), "return"));
    assert!(!orders(&field(5, 700, &frog), "return"));
}

/// Whether B's Sneaker, with all PIPs, could come into contact with this in its next bound.
fn threatened(battle: &Battle, state: &State, what: Target) -> bool {
    let mut state = state.clone();
    for now in &mut state.commands {
        now.pips = 6;
    }
    let mut all = Vec::new();
    battle.candidates(&state, Seat(1), &mut all);
    all.iter().any(|c| match c {
        Command::Move(MoveOrder::Charge(c)) => {
            c.enemy == what && c.who.iter().any(|w| battle.element(*w).ty == TroopType::Snk)
        }
        _ => false,
    })
}

/// In how many of four bounds the commander leaves this open to the Sneaker; left alone it is open.
fn left_open(position: &Value, what: impl Fn(&Battle) -> Target) -> u32 {
    let (battle, state) = open(position);
    let by = Actor::Seat(Seat(0));
    let idle = battle.parse(&state, by, "end moves").unwrap();
    let (idle, _) = battle.play(&state, by, &idle, &mut dice::Fixed(3)).unwrap();
    assert!(threatened(&battle, &idle, what(&battle)), "no Sneaker threatens it");
    let mut left = 0;
    for seed in 0..4 {
        let (battle, state, ordered) = bound_of_a(position, seed);
        println!("{ordered:?}");
        left += u32::from(threatened(&battle, &state, what(&battle)));
    }
    left
}

#[test]
fn does_not_leave_its_stronghold_to_a_sneaker() {
    let mut position = field(
        4,
        900,
        &json!({
            "B.Snk1": { "at": [1800, 520], "heading": 180 },
            "A.Rid1": "2120 350 0",
            "A.Bld2": "1640 350 0",
        }),
    );
    position["sides"] = json!({ "A": { "stronghold": "1800 240 0" } });
    assert_eq!(left_open(&position, |_| Target::Stronghold(SideId(0))), 0);
}

#[test]
fn does_not_leave_its_engaged_general_to_a_sneaker() {
    // The general is held in front; a Sneaker may come to its flank, and then a recoil destroys it (HOTT-303).
    let position = json!({
        "elements": {
            "A.Bld1": { "at": [1200, 900], "heading": 0, "general": true },
            "B.Bld1": "in front contact with A.Bld1",
            "A.Spr1": "right of A.Bld1",
            "A.Rid1": "700 900 0",
            "A.Rid2": "1000 500 0",
            "B.Snk1": { "at": [900, 860], "heading": 90 },
            "B.Her9": { "at": [2200, 2200], "heading": 180, "general": true },
        },
        "pips": { "A": 4 },
    });
    let general =
        |b: &Battle| Target::Element(b.ids_of(SideId(0)).find(|id| b.element(*id).general).unwrap());
    assert_eq!(left_open(&position, general), 0);
}
