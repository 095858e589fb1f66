//! HOTT-128 to HOTT-130.

use super::bench::make;
use crate::battle::{Flags, Leg};
use crate::moves::draft::is_column;
use field::{PACE, Side};

const THREE: &str = "A.Bld1 A.Bld2 A.Bld3";

fn column() -> super::bench::Bench {
    make(&[("A.Bld1*", 1000, 800, 0), ("A.Bld2", 1000, 740, 0), ("A.Bld3", 1000, 680, 0)]).go()
}

#[test]
fn hott_129_followers_keep_to_the_track() {
    let mut b = column();
    b.ok(&b.column(THREE, &[Leg::Ahead(20_000)], false));
    assert_eq!(b.pose("A.Bld2"), b.base("A.Bld1").behind());
    assert_eq!(b.pose("A.Bld3"), b.base("A.Bld2").behind());
    // Round a bend and on, over several bounds.
    for n in 0..12 {
        for e in &mut b.state.elements {
            e.flags = Flags::default();
        }
        b.state.commands[0].pips = 6;
        let side = if n < 6 { Side::Right } else { Side::Left };
        let plan =
            b.ok(&b.column(THREE, &[Leg::Ahead(5_000), Leg::Wheel(side, 2_000), Leg::Ahead(4_000)], false));
        assert!(plan.moves.iter().all(|m| m.distance <= 200 * PACE + 25), "{n}");
        let bases: Vec<_> = THREE.split(' ').map(|l| b.base(l)).collect();
        assert!(is_column(&bases), "{n}: {bases:?}");
    }
    b.refused(&b.column(THREE, &[Leg::Sideways(1_000)], false), "HOTT-110");
    for e in &mut b.state.elements {
        e.flags = Flags::default();
    }
    b.refused(&b.column(THREE, &[Leg::Sideways(1_000)], false), "HOTT-129");
}

#[test]
fn hott_130_a_line_contracts() {
    let pieces = [("A.Bld1*", 840, 800, 0), ("A.Bld2", 1000, 800, 0), ("A.Bld3", 1160, 800, 0)];
    let b = make(&pieces).go();
    b.refused(&b.column(THREE, &[Leg::Ahead(5_000)], false), "HOTT-130");
    let mut b = make(&pieces).go();
    b.ok(&b.column("A.Bld2 A.Bld1 A.Bld3", &[Leg::Ahead(15_000)], false));
    let bases: Vec<_> = ["A.Bld2", "A.Bld1", "A.Bld3"].iter().map(|l| b.base(l)).collect();
    assert!(is_column(&bases));
    let b = make(&[("A.Bld1*", 840, 800, 0), ("A.Bld2", 1100, 800, 0)]).go();
    b.refused(&b.column("A.Bld1 A.Bld2", &[Leg::Ahead(15_000)], false), "HOTT-119");
}

#[test]
fn bb_038_a_column_forms_line_as_a_further_move() {
    let pieces = [("A.Rid1*", 1000, 500, 0), ("A.Rid2", 1000, 380, 0), ("A.Rid3", 1000, 260, 0)];
    let order = |b: &super::bench::Bench| b.line("A.Rid2 A.Rid3", Some(Side::Right), "A.Rid1");
    let mut b = make(&pieces).big().go();
    assert!(b.judge(&order(&b)).is_err(), "not as its first move");
    b.ok(&b.column("A.Rid1 A.Rid2 A.Rid3", &[Leg::Ahead(20_000)], false));
    let plan = b.judge(&order(&b));
    let far = b.battle.tables.troop(crate::table::TroopType::Rid).rate(crate::table::Column::Good);
    // The third goes 320p aside and 240p up.
    assert_eq!(plan.is_ok(), far >= 560, "{plan:?}");
    let mut b = make(&pieces[..2]).big().go();
    b.ok(&b.column("A.Rid1 A.Rid2", &[Leg::Ahead(20_000)], false));
    b.ok(&b.line("A.Rid2", Some(Side::Left), "A.Rid1"));
    assert_eq!(b.pose("A.Rid2"), b.base("A.Rid1").beside(Side::Left, b.base("A.Rid2").size));
}
