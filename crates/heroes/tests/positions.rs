//! Positions that cannot be are refused by the field; the map that the manual shows is one to fight on.

use game::Game as _;
use heroes::Heroes;
use heroes::cli::{self, BattleSpec};
use serde_json::{Value, json};

/// A position of three units (billmen, a horde, pikes), one of them as given.
fn position(unit: &str, given: &Value) -> Result<(), String> {
    let rules = heroes::setup::default_rules();
    let general = json!([{ "name": "General", "count": 1, "quality": 3, "hero": false }]);
    let line = |name: &str, label: &str, class: &str, traits: &[&str], stands: u8| {
        json!({ "name": name, "label": label, "type": "F", "count": 1, "class": class, "speed": 2, "factor": 3,
            "impact": 0, "shooting": "none", "traits": traits, "stands": stands })
    };
    let units = json!([
        line("Billmen", "Bil", "C", &[], 4),
        line("Peasants", "Pea", "E", &["H"], 6),
        line("Pikes", "Pik", "C", &["Pk"], 4),
    ]);
    let army = |name: &str| json!({ "name": name, "general": general, "unit": units });
    let mut v = json!({ "map": "open:12x10", "armies": [army("Blue"), army("Red")], "units": {} });
    v["units"][unit] = given.clone();
    Heroes::open_position(&rules, &v).map(|_| ()).map_err(|all| format!("{all:?}"))
}

#[test]
fn a_position_that_cannot_be_is_refused_by_its_field() {
    let at = |key: &str, v: Value| {
        let mut o = json!({ "at": "E5", "facing": "n" });
        o[key] = v;
        o
    };
    for (unit, key, good, bad, says) in [
        ("A.Bil1", "disrupted", json!(true), json!("yes"), "true or false"),
        ("A.Bil1", "stands", json!(4), json!(9), "2 to 4"),
        ("A.Bil1", "stands", json!(2), json!(0), "2 to 4"),
        ("A.Bil1", "stands", json!(3), json!(1), "2 to 4"),
        ("A.Bil1", "formation", json!("column"), json!("block"), "line or column"),
        ("A.Bil1", "formation", json!("line"), json!("horde"), "line, column"),
        ("A.Pea1", "formation", json!("horde"), json!("column"), "HH-118"),
        ("A.Pea1", "stands", json!(6), json!(7), "2 to 6"),
        ("A.Pik1", "formation", json!("block"), json!("horde"), "block"),
        ("A.Bil1", "marks", json!(["disrupted"]), json!(["pavise"]), "HH-250"),
        ("A.Bil1", "marks", json!(["moved"]), json!(["on-foot"]), "HH-129"),
        ("A.Bil1", "marks", json!([]), json!("disrupted"), "a list"),
        ("A.Bil1", "stakes", json!([]), json!(["ne"]), "HH-249"),
    ] {
        assert_eq!(position(unit, &at(key, good)), Ok(()), "{unit} {key}");
        let told = position(unit, &at(key, bad.clone())).expect_err(&format!("{unit} {key} = {bad}"));
        let field = key.trim_end_matches('s');
        assert!(told.contains(unit) && told.contains(field) && told.contains(says), "{key} = {bad}: {told}");
    }
}

fn fought_on(map: &str) -> Result<cli::Fought, String> {
    let rules = heroes::setup::default_rules();
    let map = cli::map_file(&rules, map, "ford.map").map_err(|e| format!("{e:?}"))?;
    let spec = BattleSpec {
        map,
        armies: [json!("roman"), json!("huns")],
        players: ["advance".to_owned(), "advance".to_owned()],
        seed: 3,
        bounds: Some(3),
    };
    cli::battle(&rules, &spec).map_err(|e| format!("{e:?}"))
}

#[test]
fn the_map_of_the_manual_is_fought_on_and_one_without_room_says_so() {
    let manual = include_str!("../../../docs/heroes.md");
    let map = manual.split("```\n").find(|b| b.starts_with("name: A ford")).expect("the manual shows a map");
    assert!(fought_on(map).is_ok_and(|f| f.said.good));
    let small = "name: Small\n. . . . . .\n . . . . . .\n. . . . . .\n . . . . . .\n";
    let told = fought_on(small).expect_err("no room");
    assert!(told.contains("deploy") && told.contains("6 x 4"), "{told}");
}
