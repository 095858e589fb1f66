//! HOTT-173, HOTT-174: turning to face.

use super::bench::make;
use crate::battle::{Event, SideId};
use crate::contacts::Contacts;
use crate::moves::turn_to_face;
use field::Side;

#[test]
fn hott_173_turns_and_friends_make_room() {
    let mut b = make(&[
        ("A.Bld1*", 100, 100, 0),
        ("B.Spr1*", 1000, 800, 180),
        ("B.Spr2", 1000, 860, 180),
        ("B.Spr3", 1160, 800, 180),
    ])
    .go();
    // On its right, at lesser x.
    let flank = b.base("B.Spr1").flank_contact(Side::Right, b.base("A.Bld1").size);
    b.put("A.Bld1", flank);
    let mut events = Vec::new();
    turn_to_face(&b.battle, &mut b.state, SideId(0), &mut events);
    b.no_overlaps();
    assert_eq!(b.pose("B.Spr1"), flank.opposed());
    let contacts = Contacts::of(&b.battle, &b.state);
    assert_eq!(contacts.front(b.id("A.Bld1")), Some(b.id("B.Spr1")));
    assert!(b.pose("B.Spr2").y > 86_000, "the second rank is shifted back");
    assert!(matches!(events[0], Event::Turned { .. }));
    assert!(matches!(events[1], Event::Conformed { .. }));
}

#[test]
fn hott_173_no_room_no_turn() {
    let mut b = make(&[("A.Bld1*", 100, 100, 0), ("A.Bld2", 1000, 960, 0), ("B.Spr1*", 1000, 800, 180)]).go();
    let flank = b.base("B.Spr1").flank_contact(Side::Right, b.base("A.Bld1").size);
    b.put("A.Bld1", flank);
    let before = b.pose("B.Spr1");
    // An enemy stands within the room behind it.
    b.put("A.Bld2", field::Pose::new(100_000, 94_000, field::Heading::UP));
    turn_to_face(&b.battle, &mut b.state, SideId(0), &mut Vec::new());
    assert_eq!(b.pose("B.Spr1"), before);
    assert_eq!(Contacts::of(&b.battle, &b.state).unanswered(b.id("B.Spr1")), Some(b.id("A.Bld1")));
}

#[test]
fn hott_174_held_in_front_it_stays() {
    let mut b = make(&[("A.Bld1*", 100, 100, 0), ("A.Bld2", 1000, 800, 0), ("B.Spr1*", 1000, 800, 180)]).go();
    let flank = b.base("B.Spr1").flank_contact(Side::Right, b.base("A.Bld1").size);
    b.put("A.Bld1", flank);
    let before = b.pose("B.Spr1");
    turn_to_face(&b.battle, &mut b.state, SideId(0), &mut Vec::new());
    assert_eq!(b.pose("B.Spr1"), before);
}

#[test]
fn hott_r04_the_first_comer() {
    let mut b = make(&[("A.Bld1*", 100, 100, 0), ("A.Bld2", 300, 100, 0), ("B.Spr1*", 1000, 800, 180)]).go();
    let spear = b.base("B.Spr1");
    b.put("A.Bld1", spear.flank_contact(Side::Right, b.base("A.Bld1").size));
    b.put("A.Bld2", spear.rear_contact());
    b.state.elements[0].charged = 2;
    b.state.elements[1].charged = 1;
    turn_to_face(&b.battle, &mut b.state, SideId(0), &mut Vec::new());
    assert_eq!(Contacts::of(&b.battle, &b.state).front(b.id("B.Spr1")), Some(b.id("A.Bld2")));
}
