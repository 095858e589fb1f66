//! HOTT-112, HOTT-125, HOTT-126, HOTT-133 to HOTT-139, HOTT-142, HOTT-044, HOTT-045.

use super::bench::make;
use crate::battle::Leg;

#[test]
fn hott_112_the_lowest_rate() {
    let b = make(&[("A.Kni1*", 1000, 500, 0)]).ground("rough rect 1000 700 200 100").go();
    assert!(b.judge(&b.ahead("A.Kni1", 150)).is_ok());
    assert!(b.judge(&b.ahead("A.Kni1", 200)).is_ok());
    let words = b.refused(&b.ahead("A.Kni1", 201), "HOTT-112");
    assert_eq!(words, "A.Kni1 needs 201p, Knights have 200p in bad going");
    let b = make(&[("A.Kni1*", 1000, 500, 0)]).ground("hill rect 1000 700 200 100").go();
    assert!(b.judge(&b.ahead("A.Kni1", 300)).is_ok(), "HOTT-053");
}

#[test]
fn ex_36_groups_keep_out_of_bad_going() {
    let b =
        make(&[("A.Wbd1*", 840, 500, 0), ("A.Wbd2", 1000, 500, 0)]).ground("wood rect 920 850 400 200").go();
    b.refused(&b.ahead("A.Wbd1 A.Wbd2", 300), "HOTT-125");
    assert!(b.judge(&b.ahead("A.Wbd1", 300)).is_ok());
    let b =
        make(&[("A.Wbd1*", 1000, 500, 0), ("A.Wbd2", 1000, 420, 0)]).ground("wood rect 920 850 400 200").go();
    assert!(b.judge(&b.ahead("A.Wbd1 A.Wbd2", 300)).is_ok(), "a column");
    assert!(b.judge(&b.column("A.Wbd1 A.Wbd2", &[Leg::Ahead(30_000)], false)).is_ok());
}

#[test]
fn hott_126_and_139_aerials() {
    let b =
        make(&[("A.Fly1*", 840, 500, 0), ("A.Fly2", 1000, 500, 0)]).ground("wood rect 920 850 400 200").go();
    assert!(b.judge(&b.ahead("A.Fly1 A.Fly2", 700)).is_ok());
    b.refused(&b.ahead("A.Fly1 A.Fly2", 350), "HOTT-142");
    let b = make(&[("A.Fly1*", 840, 500, 0)]).big().ground("wood rect 920 850 400 200").go();
    assert!(b.judge(&b.ahead("A.Fly1", 350)).is_ok(), "BB-031");
}

#[test]
fn hott_044_and_045_lurkers_and_artillery() {
    let b = make(&[("A.Lrk1", 1000, 900, 0), ("A.Art1*", 1800, 500, 0)])
        .ground("wood rect 1100 900 1000 400")
        .go();
    assert!(b.judge(&b.ahead("A.Lrk1", 200)).is_ok());
    let b2 = make(&[("A.Lrk1", 1000, 1090, 0), ("A.Art1*", 1800, 500, 0)])
        .ground("wood rect 1100 900 1000 400")
        .go();
    b2.refused(&b2.ahead("A.Lrk1", 200), "HOTT-044");
    b.refused(&b.ahead("A.Art1", 201), "HOTT-112");
    let b = make(&[("A.Art1*", 1400, 600, 0)]).ground("wood rect 1100 900 1000 400").go();
    b.refused(&b.ahead("A.Art1", 150), "HOTT-045");
}

#[test]
fn ex_37_water() {
    let ground = "river 80 along 0 700, 2400 700";
    let b = make(&[
        ("A.Spr1*", 1000, 620, 0),
        ("A.Spr2", 1000, 560, 0),
        ("A.Bld1", 1400, 620, 0),
        ("A.Bld2", 1560, 620, 0),
    ])
    .ground(ground)
    .go();
    assert!(b.judge(&b.column("A.Spr1 A.Spr2", &[Leg::Ahead(10_000)], false)).is_ok());
    b.refused(&b.column("A.Spr1 A.Spr2", &[Leg::Ahead(10_100)], false), "HOTT-112");
    b.refused(&b.ahead("A.Bld1 A.Bld2", 100), "HOTT-134");
    // HOTT-135: square to the bank, straight on.
    let b = make(&[("A.Spr1*", 1000, 560, 50), ("A.Bld1", 1400, 600, 30), ("A.Bld2", 1800, 690, 0)])
        .ground(ground)
        .go();
    b.refused(&b.ahead("A.Spr1", 90), "HOTT-135");
    assert!(b.judge(&b.ahead("A.Bld1", 90)).is_ok());
    b.refused(&b.legs("A.Bld2", &[Leg::Sideways(5_000)]), "HOTT-135");
    assert!(b.judge(&b.ahead("A.Bld2", -90)).is_ok());
    // HOTT-056
    let b = make(&[("A.Spr1*", 1000, 480, 0)]).ground("river 220 along 0 700, 2400 700").go();
    b.refused(&b.ahead("A.Spr1", 120), "HOTT-056");
}

#[test]
fn artillery_and_beasts_in_water() {
    let ground = "river 80 along 0 700, 2400 700";
    let pieces = [("A.Art1*", 1000, 620, 0), ("A.Bst1", 1400, 620, 0)];
    let b = make(&pieces).ground(ground).go();
    assert!(b.judge(&b.ahead("A.Art1", 100)).is_ok());
    b.refused(&b.ahead("A.Bst1", 300), "HOTT-112");
    let b = make(&pieces).ground(ground).set("hott.artillery_water=none").set("hott.beasts_water=400").go();
    b.refused(&b.ahead("A.Art1", 100), "HOTT-112");
    assert!(b.judge(&b.ahead("A.Bst1", 300)).is_ok());
}

#[test]
fn hott_133_roads() {
    let ground = "wood rect 1000 900 600 600; road 60 along 1000 0, 1000 1200, 1400 1600";
    let b = make(&[("A.Bld1*", 1000, 500, 0), ("A.Bld2", 1000, 440, 0), ("A.Kni1", 1300, 500, 0)])
        .ground(ground)
        .go();
    assert!(b.judge(&b.column("A.Bld1 A.Bld2", &[Leg::Ahead(40_000)], true)).is_ok());
    b.refused(&b.column("A.Bld1 A.Bld2", &[Leg::Ahead(40_100)], true), "HOTT-133");
    b.refused(&b.column("A.Kni1", &[Leg::Ahead(10_000)], true), "HOTT-133");
    // Off the road the wood slows it.
    b.refused(&b.ahead("A.Bld1", 400), "HOTT-112");
    // Round the bend.
    let mut b = make(&[("A.Bld1*", 1000, 1100, 0), ("A.Bld2", 1000, 1040, 0)]).ground(ground).go();
    b.ok(&b.column("A.Bld1 A.Bld2", &[Leg::Ahead(30_000)], true));
    assert!((b.pose("A.Bld1").heading.hundredths() - 4_500).abs() <= 10, "{}", b.pose("A.Bld1"));
    for (value, paces) in [("always", 500), ("not_in_bad_going", 400), ("never", 400)] {
        let b =
            make(&[("A.Rid1*", 1000, 500, 0)]).ground(ground).set(&format!("hott.road_fast={value}")).go();
        assert!(b.judge(&b.column("A.Rid1", &[Leg::Ahead(paces * 100)], true)).is_ok(), "{value}");
        b.refused(&b.column("A.Rid1", &[Leg::Ahead(paces * 100 + 100)], true), "HOTT-133");
    }
}

#[test]
fn hott_041_move_table() {
    let pieces = [("A.Sht1*", 1000, 500, 0), ("A.Wbd1", 1400, 500, 0)];
    for (value, shooter, warband) in [("v2_1", 200, 300), ("v2_0", 300, 200)] {
        let b = make(&pieces).set(&format!("hott.move_table={value}")).go();
        for (who, rate) in [("A.Sht1", shooter), ("A.Wbd1", warband)] {
            assert!(b.judge(&b.ahead(who, rate)).is_ok());
            b.refused(&b.ahead(who, rate + 1), "HOTT-112");
        }
    }
}
