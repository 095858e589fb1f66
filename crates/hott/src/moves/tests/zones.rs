//! HOTT-153 to HOTT-159: threat zones.

use super::bench::make;
use crate::battle::{Face, Leg};

#[test]
fn hott_155_starting_in_a_zone() {
    let b = make(&[("A.Rid1*", 1000, 700, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    assert!(b.judge(&b.ahead("A.Rid1", -200)).is_ok(), "(a) straight back");
    assert!(b.judge(&b.charge("A.Rid1", Face::Front, "B.Bld1")).is_ok(), "(b) contact");
    assert!(b.judge(&b.ahead("A.Rid1", 50)).is_ok(), "(c) lined up, nearer");
    b.refused(&b.free("A.Rid1", 1300, 700, 0), "HOTT-155");
    b.refused(&b.free("A.Rid1", 1000, 600, 180), "HOTT-155");
    // Out of step: it may come to line up.
    let b = make(&[("A.Rid1*", 1060, 700, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    b.refused(&b.ahead("A.Rid1", 50), "HOTT-155");
    assert!(b.judge(&b.free("A.Rid1", 1000, 700, 0)).is_ok());
    b.refused(&b.free("A.Rid1", 1000, 650, 0), "HOTT-155");
}

#[test]
fn hott_156_entering_a_zone() {
    let b = make(&[("A.Rid1*", 1060, 400, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    assert!(b.judge(&b.ahead("A.Rid1", 240)).is_ok(), "it stops where it enters: 640 is 1 BW before 800");
    b.refused(&b.ahead("A.Rid1", 260), "HOTT-156");
    assert!(b.judge(&b.legs("A.Rid1", &[Leg::Sideways(-6_000), Leg::Ahead(30_000)])).is_ok(), "lined up");
    b.refused(&b.legs("A.Rid1", &[Leg::Ahead(26_000), Leg::Sideways(20_000)]), "HOTT-156");
}

#[test]
fn hott_153_a_zone_is_cut_short() {
    let b = make(&[("A.Rid1*", 1060, 400, 0), ("A.Bld1", 1100, 700, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    // The Blade at 700 cuts it across its whole width.
    assert!(b.judge(&b.free("A.Rid1", 900, 690, 0)).is_ok());
}

#[test]
fn hott_154_sides_do_not_belong() {
    let b = make(&[("A.Rid1*", 1160, 400, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    assert!(b.judge(&b.ahead("A.Rid1", 350)).is_ok());
    let b = make(&[("A.Rid1*", 1159, 400, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    b.refused(&b.ahead("A.Rid1", 350), "HOTT-156");
}

#[test]
fn hott_157_and_158_who_is_exempt() {
    for (mover, enemy, free) in [
        ("A.Fly1", "B.Bld1", true),
        ("A.Fly1", "B.Fly1", false),
        ("A.Kni1", "B.Fly1", true),
        ("A.Snk1", "B.Bld1", true),
        ("A.Kni1", "B.Snk1", true),
        ("A.God1", "B.Drg1", true),
        ("A.Kni1", "B.Kni1", false),
    ] {
        let b = make(&[(mover, 1060, 500, 0), (enemy, 1000, 800, 180), ("A.Clr1*", 300, 300, 0)]).go();
        assert_eq!(b.judge(&b.ahead(mover, 200)).is_ok(), free, "{mover} {enemy}");
    }
    let pieces = [("A.Fly1*", 1060, 500, 0), ("B.Bld1*", 1000, 800, 180)];
    let b = make(&pieces).set("hott.zoc_aerials=alike").go();
    b.refused(&b.ahead("A.Fly1", 200), "HOTT-156");
}

#[test]
fn zoc_depth() {
    let pieces = [("A.Rid1*", 1060, 400, 0), ("B.Bld1*", 1000, 800, 180)];
    for (value, to) in [("bw", 240), ("100", 300), ("200", 200)] {
        let b = make(&pieces).set(&format!("hott.zoc_depth={value}")).go();
        assert!(b.judge(&b.ahead("A.Rid1", to)).is_ok(), "{value}");
        b.refused(&b.ahead("A.Rid1", to + 1), "HOTT-156");
    }
}

#[test]
fn hott_r05_a_group_in_a_zone() {
    let b = make(&[
        ("A.Bld1*", 840, 700, 0),
        ("A.Bld2", 1000, 700, 0),
        ("A.Bld3", 1160, 700, 0),
        ("B.Bld1*", 1000, 800, 180),
        ("B.Bld2", 1210, 800, 180),
    ])
    .go();
    assert!(b.judge(&b.charge("A.Bld2 A.Bld1 A.Bld3", Face::Front, "B.Bld1")).is_ok());
    b.refused(&b.legs("A.Bld1 A.Bld2 A.Bld3", &[Leg::Wheel(field::Side::Left, 500)]), "HOTT-155");
}
