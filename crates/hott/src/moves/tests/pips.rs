//! HOTT-091 to HOTT-108, BB-030, BB-037, BB-038, BB-042, BB-061.

use super::bench::make;
use crate::battle::{CommandId, Flags};
use crate::moves::Scene;

#[test]
fn ex_33_costs() {
    let b = make(&[
        ("A.Bld1*", 200, 200, 0),
        ("A.Bld2", 1520, 200, 0),
        ("A.Bld3", 1680, 200, 0),
        ("A.Bld4", 1840, 200, 0),
    ])
    .go();
    // The nearest edges are 1320 - 160 = 1160p apart: in reach.
    assert_eq!(b.judge(&b.ahead("A.Bld2 A.Bld3 A.Bld4", 100)).unwrap().cost.pips(), 1);
    let b = make(&[
        ("A.Bld1*", 100, 200, 0),
        ("A.Bld2", 1560, 200, 0),
        ("A.Bld3", 1720, 200, 0),
        ("A.Bld4", 1880, 200, 0),
    ])
    .go();
    let cost = b.judge(&b.ahead("A.Bld2 A.Bld3 A.Bld4", 100)).unwrap().cost;
    assert_eq!(cost.pips(), 2);
    let parts: Vec<String> = cost.parts().map(|(r, n)| format!("{r} {n}")).collect();
    assert_eq!(parts, ["HOTT-091 1", "HOTT-094 1"]);
    let b = make(&[("A.Bld1*", 100, 200, 0), ("A.Fly1", 960, 200, 0)]).go();
    assert_eq!(b.judge(&b.ahead("A.Fly1", 100)).unwrap().cost.pips(), 2);
    let pieces = [("A.Bld1*", 100, 200, 0), ("A.Mag1", 960, 200, 0), ("A.Bld2", 1120, 200, 0)];
    let b = make(&pieces).ground("wood rect 500 200 100 600").go();
    assert_eq!(b.judge(&b.ahead("A.Mag1 A.Bld2", 100)).unwrap().cost.pips(), 3);
    let b = make(&pieces).go();
    assert_eq!(b.judge(&b.ahead("A.Mag1 A.Bld2", 100)).unwrap().cost.pips(), 2, "in sight");
}

#[test]
fn hott_093_and_095_general_lost_or_far() {
    let mut b = make(&[("A.Bld1*", 100, 200, 0), ("A.Bld2", 400, 200, 0)]).go();
    assert_eq!(b.judge(&b.ahead("A.Bld2", 100)).unwrap().cost.pips(), 1);
    b.state.elements[0].fate = crate::battle::Fate::Destroyed;
    assert_eq!(b.judge(&b.ahead("A.Bld2", 100)).unwrap().cost.pips(), 2);
    b.state.commands[0].pips = 1;
    let words = b.refused(&b.ahead("A.Bld2", 100), "HOTT-107");
    assert!(words.contains("2 PIPs (1 HOTT-091 + 1 HOTT-093), 1 left"), "{words}");
}

#[test]
fn hott_096_contingents() {
    let pieces = [("A.Bld1*", 400, 200, 0), ("A.Bld2~1", 560, 200, 0)];
    let b = make(&pieces).go();
    assert_eq!(b.judge(&b.ahead("A.Bld1 A.Bld2", 100)).unwrap().cost.pips(), 2);
    assert_eq!(b.judge(&b.ahead("A.Bld2", 100)).unwrap().cost.pips(), 1);
    let b = make(&pieces).set("hott.contingent_pip=off").go();
    assert_eq!(b.judge(&b.ahead("A.Bld1 A.Bld2", 100)).unwrap().cost.pips(), 1);
}

#[test]
fn bb_030_an_engaged_general() {
    let pieces = [
        ("A.Bld1*", 1000, 800, 0),
        ("A.Bld2", 500, 700, 0),
        ("A.Rid1*/1", 300, 200, 0),
        ("B.Spr1*", 1000, 800, 180),
    ];
    let b = make(&pieces).big().go();
    assert_eq!(b.judge(&b.ahead("A.Bld2", 100)).unwrap().cost.pips(), 2);
    let b = make(&pieces).big().set("big.engaged_general=no_pips").go();
    b.refused(&b.ahead("A.Bld2", 100), "BB-030");
    assert_eq!(b.judge(&b.ahead("A.Rid1", 100)).unwrap().cost.pips(), 1, "another command");
    let b = make(&pieces).go();
    assert_eq!(
        b.judge(&b.ahead("A.Bld2", 100)).unwrap().cost.pips(),
        1,
        "in the base game it does not matter"
    );
}

#[test]
fn bb_037_the_commander_in_chief_is_lost() {
    let pieces = [("A.Bld1*", 1000, 800, 0), ("A.Bld2*/1", 500, 700, 0), ("A.Bld3/1", 700, 700, 0)];
    for (value, pips) in [("command", 1), ("army", 2)] {
        let mut b = make(&pieces).big().set(&format!("big.cinc_loss={value}")).go();
        b.state.elements[0].fate = crate::battle::Fate::Destroyed;
        assert_eq!(b.judge(&b.ahead("A.Bld3", 100)).unwrap().cost.pips(), pips);
    }
}

#[test]
fn bb_038_further_moves() {
    // BX-11: 1300p to the only known enemy.
    let mut b = make(&[("A.Rid1*", 1000, 500, 0), ("B.Bld1*", 1000, 1800, 0)]).big().go();
    b.state.elements[1].pose = field::Pose::new(100_000, 186_000, field::Heading::UP);
    let enemy = b.base("B.Bld1");
    assert_eq!(b.base("A.Rid1").distance(&enemy), 130_000);
    let rate = b.battle.tables.troop(crate::table::TroopType::Rid).rate(crate::table::Column::Good);
    b.ok(&b.ahead("A.Rid1", rate));
    let left = 1300 - rate - 600;
    b.refused(&b.ahead("A.Rid1", left), "BB-038");
    b.ok(&b.ahead("A.Rid1", left - 1));
    // A first move that came near rules out a second.
    let mut b = make(&[("A.Rid1*", 1000, 500, 0), ("B.Bld1*", 1000, 1300, 0)]).big().go();
    b.ok(&b.ahead("A.Rid1", 300));
    b.refused(&b.ahead("A.Rid1", -10), "BB-038");
    // Not in the base game.
    let mut b = make(&[("A.Rid1*", 1000, 300, 0), ("B.Bld1*", 1000, 2300, 0)]).go();
    b.ok(&b.ahead("A.Rid1", 100));
    b.refused(&b.ahead("A.Rid1", 100), "HOTT-110");
}

#[test]
fn bb_042_and_bb_061_demoralized() {
    let pieces = [
        ("A.Bld1*", 1000, 500, 0),
        ("A.Bld2", 1160, 500, 0),
        ("A.Mag1", 1600, 500, 0),
        ("B.Bld1*", 1000, 2300, 0),
    ];
    let mut b = make(&pieces).big().go();
    b.state.commands[0].demoralised = true;
    b.refused(&b.ahead("A.Bld1 A.Bld2", 100), "BB-042");
    let scene = Scene::new(&b.battle, &b.state);
    assert_eq!(scene.halt_cost(&b.ids("A.Bld1 A.Bld2")).unwrap().pips(), 1);
    assert_eq!(scene.halt_cost(&b.ids("A.Mag1")).unwrap().pips(), 2);
    b.ok(&b.ahead("A.Mag1", 100));
    b.refused(&b.ahead("A.Bld1", 100), "BB-042");
    b.state.commands[0].demoralised = false;
    b.flag("A.Bld1", Flags::HALTED);
    b.refused(&b.ahead("A.Bld1", 100), "BB-061");
    let _ = CommandId(0);
}
