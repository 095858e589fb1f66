//! Positions and notations hold whatever was interrupted, and play goes on from them as it would have.

use game::{Actor, Game, Seat, Viewer};
use hott::battle::{Battle, Command, House, Pending, State};
use serde_json::{Value, json};
use std::sync::Arc;

fn rules() -> Value {
    match Battle::rules_from(None, None, &[]) {
        Ok(rules) => rules,
        Err(p) => panic!("{}", p[0]),
    }
}

fn open(position: &Value) -> (Battle, State) {
    match Battle::open_position(&rules(), position) {
        Ok(both) => both,
        Err(p) => panic!("{}", p[0]),
    }
}

fn play(battle: &Battle, state: &State, by: Actor, text: &str, dice: &[u16]) -> State {
    let command = match battle.parse(state, by, text) {
        Ok(command) => command,
        Err(p) => panic!("{text}: {p}"),
    };
    let mut dice = dice::Scripted::new(dice.iter().copied());
    match battle.play(state, by, &command, &mut dice) {
        Ok((state, _)) => state,
        Err(stop) => panic!("{text}: {stop}"),
    }
}

/// Written and read both ways, and the same once the choice is answered.
fn goes_on(battle: &Battle, state: &State, by: Actor, answer: &str, dice: &[u16]) {
    let after = play(battle, state, by, answer, dice);
    let read = [
        Battle::open_position(&rules(), &battle.position(state)),
        Battle::open_notation(&rules(), &battle.notation(state)),
    ];
    for again in read {
        let (battle2, state2) = match again {
            Ok(both) => both,
            Err(p) => panic!("{}\n{}", p[0], battle.notation(state)),
        };
        assert_eq!(&state2, state);
        assert_eq!(battle2.notation(&state2), battle.notation(state));
        assert_eq!(play(&battle2, &state2, by, answer, dice), after);
    }
}

#[test]
fn a_flight_between_two_ways_keeps_what_it_interrupted() {
    let (battle, state) = open(&json!({
        "phase": "combat",
        "elements": {
            "A.Wbd1": "1200 1400 0",
            "B.Snk1": "in front contact with A.Wbd1",
            "A.Bld2": "1200 1700 0",
            "A.Bld3": "300 1000 0",
            "B.Bld3": "in front contact with A.Bld3",
            "A.Beh9": "300 200 0",
            "B.Beh9": "2100 2200 180",
        },
    }));
    let state = play(&battle, &state, Actor::Seat(Seat(0)), "fight Wbd1", &[6, 1]);
    let Some(Pending::FlightWay { ends, then, .. }) = state.pending.last() else {
        panic!("no choice of ways: {}", battle.notation(&state));
    };
    assert_eq!(ends.len(), 2);
    assert_eq!(then.len(), 1, "the Warband's pursuit waits");
    let mut owed = Vec::new();
    battle.owes(&state, &mut owed);
    assert_eq!(owed[0].seat, Seat(1), "the owner of the fleeing element is asked");
    let answer = battle.print(&state, &hott::battle::Command::Flee(ends[1]));
    // The other fight follows by itself: its dice and the next PIPs.
    goes_on(&battle, &state, Actor::Seat(Seat(1)), &answer, &[3, 3, 4]);
}

#[test]
fn a_shooters_target_is_asked_in_the_middle_of_the_enemys_bound() {
    let (battle, state) = open(&json!({
        "phase": "shooting",
        "sides": { "B": { "reply_shooters": "ask" } },
        "elements": {
            "A.Bld1": "1120 1000 0",
            "A.Kni1": "right of A.Bld1",
            "B.Sht1": "1200 1150 180",
            "A.Beh9": "300 200 0",
            "B.Beh9": "2100 2200 180",
        },
    }));
    let state = play(&battle, &state, Actor::Seat(Seat(0)), "end shooting", &[]);
    assert!(matches!(state.pending.last(), Some(Pending::ShooterTarget { ending: true, .. })));
    goes_on(&battle, &state, Actor::Seat(Seat(1)), "target A.Kni1", &[3, 3, 4]);
    // The standing reply is B's secret, whatever else is public.
    let seen = |n: u8| serde_json::to_string(&battle.view(&state, Viewer::Seat(Seat(n)))).unwrap_or_default();
    assert!(seen(1).contains("\"reply\":\"ask\""));
    assert!(!seen(0).contains("\"reply\":\"ask\""));
}

#[test]
fn what_is_off_the_table_and_was_not_seen_is_hidden() {
    let (battle, state) = open(&json!({
        "elements": {
            "A.Bld1": "1120 1000 0",
            "B.Bld1": "1120 2000 180",
            "B.God1": { "fate": "waiting" },
            "B.Lrk1": { "fate": "waiting" },
            "B.Lrk2": { "fate": "fled", "appearances": 1 },
        },
    }));
    let labels = |viewer| -> Vec<String> {
        battle.view(&state, viewer).elements.iter().map(|e| e.label.clone()).collect()
    };
    assert_eq!(labels(Viewer::Seat(Seat(0))), ["A.Bld1", "B.Bld1", "B.Lrk2"]);
    assert_eq!(labels(Viewer::Spectator), ["A.Bld1", "B.Bld1", "B.Lrk2"]);
    assert_eq!(labels(Viewer::Seat(Seat(1))).len(), 5);
    let view = battle.view(&state, Viewer::Seat(Seat(0)));
    assert_eq!(view.sides[1].unknown, 10, "4 AP of the God and 1 of the Lurker, in halves");
    for guess in 0..20 {
        let (possible, its) = battle.possible(&view, guess);
        let hidden: u32 = possible
            .ids()
            .filter(|id| !possible.may_know(&its, Viewer::Seat(Seat(0)), *id))
            .map(|id| u32::from(possible.element(id).halves))
            .sum();
        assert_eq!(hidden, 10);
    }
}

#[test]
fn who_sees_a_battle_knows_its_rulings() {
    let (battle, mut state) = open(&json!({
        "elements": { "A.Bld1": "1120 1000 0", "B.Bld1": "1120 2000 180" },
    }));
    let sets = vec![("hott.littoral".to_owned(), "true".to_owned())];
    state.house = Some(Arc::new(House { sets: sets.clone(), tables: Arc::clone(&battle.tables) }));
    let view = battle.view(&state, Viewer::Seat(Seat(0)));
    let its = battle.possible(&view, 0).1.house;
    assert_eq!(its.as_ref().map(|h| &h.sets), Some(&sets));
    assert!(its.is_some_and(|h| h.tables.options.littoral));
}

#[test]
fn an_ambush_is_offered() {
    let (battle, state) = open(&json!({
        "pips": { "A": 3 },
        "ground": ["wood disc 1200 1200 200"],
        "elements": {
            "A.Bld1": { "at": [1200, 300], "general": true },
            "A.Lrk1": { "fate": "waiting" },
            "B.Bld1": { "at": [1200, 1200], "heading": 180, "flags": ["stirred-before"] },
        },
    }));
    let mut offered = Vec::new();
    battle.candidates(&state, Seat(0), &mut offered);
    assert!(offered.iter().any(|c| matches!(c, Command::Lurk(_))), "{offered:?}");
}

#[test]
fn a_position_that_is_wrong_says_what_is_right() {
    for (position, says) in [
        (json!({ "elements": { "A.Bld1": "1200 1000 0" }, "elments": {} }), "did you mean elements?"),
        (json!({ "elements": { "A.Blad1": { "at": [1, 2], "type": "Blad" } } }), "did you mean Blade?"),
        (json!({ "elements": { "A.Bld1": "behind A.Bld2", "A.Bld2": "behind A.Bld1" } }), "placed by"),
        (json!({ "elements": { "A.Bld1": "5000 1000 0" } }), "on the board"),
        (
            json!({ "elements": { "A.Bld1": { "at": [1200, 1000], "flags": ["movd"] } } }),
            "did you mean moved?",
        ),
        (json!({ "elements": { "A.Bld1": { "at": [1200, 1000], "hedding": 3 } } }), "did you mean heading?"),
        (json!({ "elements": { "A.Bld1": "beside A.Bld2" } }), "in front contact with"),
        (
            json!({ "elements": { "A.Bld1": "1200 1000 0" }, "ground": ["wod disc 1 2 3"] }),
            "did you mean wood?",
        ),
        (json!({}), "needs its elements"),
    ] {
        match Battle::open_position(&rules(), &position) {
            Ok(_) => panic!("{position} opens"),
            Err(problems) => {
                let text = problems[0].to_string();
                assert!(text.contains(says), "{position}: {text}");
            }
        }
    }
}

/// Where a record's rules hold the number that says how old it is.
const STRICT: &str = "/tables/hott/number/strict";

/// BB-092: a record from when named edges did not stand opens as it was begun: of five sides one sits on a whole edge, and
/// nobody asks whether the others find room beside it.
#[test]
fn bb_092_a_set_up_of_before_named_edges_stood_opens() {
    let side = |name: &str| json!({ "army": name, "commands": [{ "elements": [{ "type": "Hero", "general": true }, { "type": "Spear" }] }] });
    let setup = json!({
        "board": [3600, 3600], "edges": { "E": "bottom" },
        "ground": ["wood disc 600 600 60", "rough disc 1800 1800 60", "hill disc 600 1800 60", "hill disc 1800 600 60"],
        "sides": (["Red", "Blue", "Green", "Grey", "Black"].map(side)),
    });
    let Ok(mut rules) = Battle::rules_from(None, None, &[("scope".to_owned(), "big".to_owned())]) else {
        panic!("the rules of big battles read");
    };
    for strict in [0, 1, 2] {
        let Some(number) = rules.pointer_mut(STRICT) else { panic!("there is no number at {STRICT}") };
        *number = strict.into();
        let opened = Battle::open(&rules, &setup);
        assert!(opened.is_ok(), "{strict}: {}", opened.err().map_or_else(String::new, |p| p[0].to_string()));
    }
}
