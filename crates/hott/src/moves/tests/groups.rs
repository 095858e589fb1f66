//! HOTT-119 to HOTT-127, HOTT-110, HOTT-113, HOTT-118.

use super::bench::{Bench, make};
use crate::battle::{Face, Leg, MoveOrder};
use field::{Corner, Heading, PACE, Pose, Side, corners_touch};

fn line() -> Bench {
    make(&[
        ("A.Bld1*", 840, 800, 0),
        ("A.Bld2", 1000, 800, 0),
        ("A.Spr1", 1160, 800, 0),
        ("A.Wbd1", 1320, 800, 0),
        ("B.Bld1*", 1000, 2300, 180),
    ])
    .go()
}

#[test]
fn hott_119_what_a_group_is() {
    let mut b = line();
    assert!(b.judge(&b.ahead("A.Bld1 A.Bld2 A.Spr1 A.Wbd1", 200)).is_ok());
    b.refused(&b.ahead("A.Bld1 A.Spr1", 100), "HOTT-119");
    assert!(b.judge(&b.ahead("A.Bld2 A.Spr1", 100)).is_ok(), "HOTT-127");
    b.put("A.Wbd1", Pose::new(132_000, 80_030, Heading::UP));
    b.refused(&b.ahead("A.Spr1 A.Wbd1", 100), "HOTT-119");
    b.refused(&b.ahead("A.Bld1 A.Bld1", 100), "HOTT-110");
}

#[test]
fn hott_120_the_slowest_governs() {
    let b = line();
    let words = b.refused(&b.ahead("A.Spr1 A.Wbd1", 201), "HOTT-112");
    assert_eq!(words, "A.Spr1 needs 201p, Spears have 200p");
    assert!(b.judge(&b.ahead("A.Wbd1", 300)).is_ok());
}

#[test]
fn hott_121_wheels() {
    let mut b = line();
    let before = b.base("A.Wbd1").corner(Corner::FrontRight);
    let order = b.legs("A.Bld1 A.Bld2 A.Spr1 A.Wbd1", &[Leg::Wheel(Side::Right, 1_700)]);
    let plan = b.ok(&order);
    assert!(b.base("A.Wbd1").corner(Corner::FrontRight).within(before, 2), "the pivot stays");
    assert!(corners_touch(&b.base("A.Bld1"), Corner::FrontRight, &b.base("A.Bld2"), Corner::FrontLeft));
    // The outer corner's chord, not its arc: 2 x 640 sin(8.5°) = 189p.
    assert!((plan.moves[0].distance - 18_920).abs() < 20, "{}", plan.moves[0].distance);
    let b = line();
    b.refused(&b.legs("A.Bld1 A.Bld2 A.Spr1 A.Wbd1", &[Leg::Wheel(Side::Right, 1_810)]), "HOTT-112");
}

#[test]
fn hott_122_and_123_shifts_and_what_groups_do_not_do() {
    let b = line();
    let who = "A.Bld1 A.Bld2";
    b.refused(&b.legs(who, &[Leg::Sideways(2_000)]), "HOTT-122");
    b.refused(&b.ahead(who, -50), "HOTT-123");
    b.refused(&b.legs(who, &[Leg::Turn(18_000)]), "HOTT-123");
    let b = make(&[("A.Bld1*", 840, 800, 0), ("A.Bld2", 1000, 800, 0), ("B.Bld1*", 870, 950, 180)]).go();
    assert!(b.judge(&b.legs(who, &[Leg::Sideways(3_000)])).is_ok(), "corner to corner");
    b.refused(&b.legs(who, &[Leg::Sideways(2_000)]), "HOTT-155");
    let b = make(&[("A.Bld1*", 840, 800, 0), ("A.Bld2", 1000, 800, 0), ("B.Snk1", 870, 950, 180)]).go();
    b.refused(&b.legs(who, &[Leg::Sideways(2_000)]), "HOTT-122");
    b.refused(&b.legs(who, &[Leg::Sideways(8_100)]), "HOTT-122");
}

#[test]
fn hott_124_lurkers_form_no_groups() {
    let b = make(&[("A.Lrk1", 840, 800, 0), ("A.Lrk2", 1000, 800, 0), ("A.Bld1*", 200, 200, 0)])
        .ground("wood rect 900 800 600 600")
        .go();
    b.refused(&b.ahead("A.Lrk1 A.Lrk2", 100), "HOTT-124");
    assert!(b.judge(&b.ahead("A.Lrk1", 100)).is_ok());
}

#[test]
fn bb_035_one_command() {
    let b = make(&[("A.Bld1*", 840, 800, 0), ("A.Bld2*/1", 1000, 800, 0)]).big().go();
    b.refused(&b.ahead("A.Bld1 A.Bld2", 100), "BB-035");
}

#[test]
fn an_exact_200p_is_legal_at_every_heading() {
    let mut b = make(&[("A.Bld1*", 1000, 1000, 0)]).go();
    for h in (0..36_000).step_by(7) {
        b.put("A.Bld1", Pose::new(123_456, 98_765, Heading::new(h)));
        for leg in [Leg::Ahead(20_000), Leg::Ahead(-20_000), Leg::Sideways(20_000)] {
            assert!(b.judge(&b.legs("A.Bld1", &[leg])).is_ok(), "{h}");
        }
        let to = b.pose("A.Bld1").forward(20_000);
        assert!(b.judge(&MoveOrder::Free { who: b.id("A.Bld1"), to, attack: false }).is_ok(), "{h}");
        b.refused(&b.legs("A.Bld1", &[Leg::Ahead(20_030)]), "HOTT-112");
    }
}

#[test]
fn hott_113_measure() {
    // A turn of 180 degrees about the centre: the front corners cross the base, so do the rear ones; wide is far.
    let b = make(&[("A.Beh1*", 1000, 1000, 0)]).go();
    let wheel = b.legs("A.Beh1", &[Leg::Wheel(Side::Left, 9_000)]);
    let plain = b.judge(&wheel).unwrap().moves[0].distance;
    let b = make(&[("A.Beh1*", 1000, 1000, 0)]).set("hott.measure=any_corner").go();
    let any = b.refused(&wheel, "HOTT-112");
    assert!((plain - 22_627).abs() <= 2, "{plain}");
    assert_eq!(any, "A.Beh1 needs 320p, Behemoths have 300p");
}

/// Everybody may move again, with PIPs enough.
fn next_bound(b: &mut Bench) {
    for e in &mut b.state.elements {
        e.flags = crate::battle::Flags::default();
    }
    b.state.commands[0].pips = 6;
}

/// A thousand times a group wheels, parts and joins up again, by the orders that players give: it stays a group, true
/// to 0.02p.
#[test]
fn groups_stay_true() {
    let mut b = line();
    let who = "A.Bld2 A.Bld1 A.Spr1 A.Wbd1";
    let gap = |b: &Bench, l: &str, r: &str| {
        b.base(l).corner(Corner::FrontRight).distance(b.base(r).corner(Corner::FrontLeft))
    };
    for n in 0..1_000 {
        next_bound(&mut b);
        let side = if n % 2 == 0 { Side::Left } else { Side::Right };
        b.ok(&b.legs(who, &[Leg::Wheel(side, 300 + n % 7)]));
        // A half goes ahead, and the other comes up beside it again.
        next_bound(&mut b);
        let by = (20 + n % 23) * PACE + n % 19;
        let (first, order) = match n % 3 {
            0 => ("A.Spr1 A.Wbd1", ("A.Bld2 A.Bld1", Side::Left, "A.Spr1")),
            1 => ("A.Bld1 A.Bld2", ("A.Spr1 A.Wbd1", Side::Right, "A.Bld2")),
            _ => ("A.Wbd1", ("A.Spr1 A.Bld2 A.Bld1", Side::Left, "A.Wbd1")),
        };
        b.ok(&b.legs(first, &[Leg::Ahead(by)]));
        let (l, r) = if n % 3 == 2 { ("A.Spr1", "A.Wbd1") } else { ("A.Bld2", "A.Spr1") };
        assert!(gap(&b, l, r) >= 15 * PACE, "{n}: they have not parted");
        let (rest, to, friend) = order;
        b.ok(&b.line(rest, Some(to), friend));
        let at = b.pose("A.Bld2");
        if at.y > 150_000 || (at.x - 100_000).abs() > 40_000 {
            // Back to the middle, as one.
            let by = field::Point::new(100_000 - at.x, 80_000 - at.y);
            for l in who.split(' ') {
                let p = b.pose(l).shifted(by);
                b.put(l, p);
            }
        }
        for (l, r) in [("A.Bld1", "A.Bld2"), ("A.Bld2", "A.Spr1"), ("A.Spr1", "A.Wbd1")] {
            let gap = gap(&b, l, r);
            assert!(gap <= 2, "{n}: {gap}");
        }
    }
}

#[test]
fn line_up_with_a_friend() {
    let mut b = make(&[
        ("A.Bld1*", 840, 800, 0),
        ("A.Bld2", 1100, 730, 20),
        ("A.Spr1", 1400, 700, 0),
        ("A.Spr2", 1560, 700, 0),
    ])
    .go();
    b.ok(&b.line("A.Bld2", Some(Side::Right), "A.Bld1"));
    assert_eq!(b.pose("A.Bld2"), b.base("A.Bld1").beside(Side::Right, b.base("A.Bld2").size));
    let plan = b.judge(&b.line("A.Spr1 A.Spr2", Some(Side::Right), "A.Bld2"));
    assert!(plan.is_err(), "240p aside is no way for a group");
    let mut b = make(&[("A.Bld1*", 840, 800, 0), ("A.Spr1", 1010, 620, 0), ("A.Spr2", 1170, 620, 0)]).go();
    b.ok(&b.line("A.Spr1 A.Spr2", Some(Side::Right), "A.Bld1"));
    assert_eq!(b.pose("A.Spr1"), b.base("A.Bld1").beside(Side::Right, b.base("A.Spr1").size));
    let mut b = make(&[("A.Spr1*", 840, 800, 0), ("A.Spr2", 840, 600, 0)]).go();
    b.ok(&b.line("A.Spr2", None, "A.Spr1"));
    assert_eq!(b.pose("A.Spr2"), b.base("A.Spr1").behind());
    let _ = (Face::Front, PACE);
}
