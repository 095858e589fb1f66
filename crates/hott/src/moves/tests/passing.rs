//! HOTT-114, HOTT-115, HOTT-117, HOTT-140 to HOTT-152, BB-014.

use super::bench::make;
use crate::battle::{Flags, Leg};
use field::Pose;

#[test]
fn hott_115_and_117_board_and_ends() {
    let b = make(&[("A.Bld1*", 1000, 100, 0), ("A.Bld2", 1000, 250, 0)]).go();
    b.refused(&b.ahead("A.Bld1", -60), "HOTT-115");
    assert!(b.judge(&b.ahead("A.Bld1", -40)).is_ok());
    b.refused(&b.ahead("A.Bld1", 100), "HOTT-150");
    let b = make(&[("A.Kni1*", 1000, 150, 0), ("A.Bld2", 1000, 300, 0)]).go();
    b.refused(&b.ahead("A.Kni1", 200), "HOTT-117");
}

#[test]
fn hott_145_to_150_who_passes_whom() {
    // mover, who stands in its way, its heading; passes.
    for (mover, other, heading, passes) in [
        ("A.Snk1", "B.Bld1", 180, true),
        ("A.Snk1", "A.Kni1", 90, true),
        ("A.Bld1", "B.Snk1", 180, true),
        ("A.Mag1", "A.Kni1", 90, true),
        ("A.Mag1", "B.Bld1", 180, false),
        ("A.God1", "B.Drg1", 180, true),
        ("A.Fly1", "B.Bld1", 180, true),
        ("A.Fly1", "B.Fly1", 180, false),
        ("A.Fly1", "A.Fly2", 0, false),
        ("A.Kni1", "A.Fly1", 90, true),
        ("A.Kni1", "B.Fly1", 180, true),
        ("A.Kni1", "B.AHe1", 180, true),
        ("A.Kni1", "B.God1", 180, false),
        ("A.Kni1", "B.Drg1", 180, false),
        ("A.Kni1", "B.Abt1", 180, false),
        ("A.Kni1", "A.Bld1", 0, true),
        ("A.Kni1", "A.Bld1", 180, true),
        ("A.Kni1", "A.Bld1", 90, false),
        ("A.Kni1", "A.Kni2", 0, false),
        ("A.Bld1", "A.Bld2", 0, false),
        ("A.Bld1", "A.Kni1", 0, false),
    ] {
        let b = make(&[
            (mover, 1000, 500, 0),
            (other, 1000, 620, heading),
            ("A.Clr1*", 300, 500, 0),
            ("B.Clr1*", 300, 2000, 0),
        ])
        .set("hott.zoc_depth=100")
        .go();
        let how = super::super::passage(
            &b.battle,
            &crate::contacts::Contacts::of(&b.battle, &b.state),
            b.id(mover),
            b.id(other),
            Some((b.pose(mover).heading, b.pose(other).heading)),
        );
        assert_eq!(how.is_open(), passes, "{mover} through {other} at {heading}");
    }
}

#[test]
fn hott_148_not_beneath_an_aerial_in_close_combat() {
    let mut b =
        make(&[("A.Kni1*", 1000, 400, 0), ("A.Fly1", 1000, 600, 0), ("B.Bld1*", 1000, 600, 180)]).go();
    let open = |b: &super::bench::Bench| {
        super::super::passage(
            &b.battle,
            &crate::contacts::Contacts::of(&b.battle, &b.state),
            b.id("A.Kni1"),
            b.id("A.Fly1"),
            None,
        )
        .is_open()
    };
    assert!(open(&b), "it passes overhead");
    b.flag("A.Fly1", Flags::DECLARED);
    assert!(!open(&b));
}

#[test]
fn hott_151_room_beyond() {
    let pieces = [("A.Kni1*", 1000, 400, 0), ("A.Bld1", 1000, 500, 0), ("A.Bld2", 1000, 560, 0)];
    let b = make(&pieces).go();
    b.refused(&b.ahead("A.Kni1", 200), "HOTT-117");
    assert!(b.judge(&b.ahead("A.Kni1", 290)).is_ok(), "past both");
}

#[test]
fn hott_152_cutting_one_corner() {
    let b = make(&[("A.Bld1*", 1000, 400, 0), ("A.Bld2", 1130, 520, 0)]).go();
    b.refused(&b.ahead("A.Bld1", 150), "HOTT-150");
    // Aside and past, only the right rear corner... only one corner's path crosses.
    assert!(b.judge(&b.free("A.Bld1", 960, 540, 0)).is_ok());
}

#[test]
fn hott_114_gaps() {
    let pieces = [("A.Wbd1*", 1060, 440, 90), ("A.Bld2", 900, 600, 0), ("A.Bld3", 1160, 600, 0)];
    // 100p between the two; a Warband turned aside fits into it, but may not pass.
    let b = make(&pieces).go();
    let through = b.legs("A.Wbd1", &[Leg::By(field::Point::new(0, 25_000))]);
    b.refused(&through, "HOTT-114");
    let mut wide = make(&pieces).go();
    wide.put("A.Bld3", Pose::new(122_100, 60_000, field::Heading::UP));
    assert!(wide.judge(&through).is_ok());
}

#[test]
fn bb_014_scouts() {
    let pieces = [("A.Kni1*", 1000, 400, 0), ("A.Sct1", 1000, 500, 0), ("A.Sct2", 1000, 580, 0)];
    let b = make(&pieces).big().go();
    let deep = b.battle.element(b.id("A.Sct1")).size.depth / field::PACE;
    let mut b = make(&pieces).big().go();
    b.put("A.Sct2", Pose::new(100_000, (500 + deep) * 100, field::Heading::UP));
    b.refused(&b.ahead("A.Kni1", 220 + deep), "BB-014");
    let mut b = make(&pieces).big().set("big.passage_room=last").go();
    b.put("A.Sct2", Pose::new(100_000, (500 + deep) * 100, field::Heading::UP));
    assert!(b.judge(&b.ahead("A.Kni1", 220 + deep)).is_ok());
}
