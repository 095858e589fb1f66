//! HOTT-161 to HOTT-180: contacts, charges, doors, breaking off.

use super::bench::make;
use crate::battle::*;
use crate::contacts::{Contacts, LEFT, REAR, RIGHT};
use field::{Contact, PACE, Side};

#[test]
fn hott_161_front_contact_by_an_element_and_by_a_group() {
    let mut b = make(&[("A.Bld1*", 1000, 800, 0), ("B.Bld1*", 1050, 900, 180)]).go();
    let plan = b.ok(&b.charge("A.Bld1", Face::Front, "B.Bld1"));
    assert_eq!(plan.contacts[0].way, Contact::Front);
    assert_eq!(b.pose("A.Bld1"), b.base("B.Bld1").front_contact());
    let contacts = Contacts::of(&b.battle, &b.state);
    assert_eq!(contacts.front(b.id("B.Bld1")), Some(b.id("A.Bld1")));
    assert!(b.state.element(b.id("A.Bld1")).flags.has(Flags::CHARGED));

    // Lines of three, half a base out of step: the group wheels, goes ahead and shifts.
    let mut b = make(&[
        ("A.Bld1*", 840, 800, 0),
        ("A.Bld2", 1000, 800, 0),
        ("A.Bld3", 1160, 800, 0),
        ("B.Bld1*", 900, 930, 180),
        ("B.Bld2", 1060, 930, 180),
        ("B.Bld3", 1220, 930, 180),
    ])
    .go();
    let plan = b.ok(&b.charge("A.Bld2 A.Bld1 A.Bld3", Face::Front, "B.Bld2"));
    assert_eq!(plan.contacts.len(), 3);
    b.refused(&b.charge("A.Bld1", Face::Front, "B.Bld2"), "HOTT-110");
}

#[test]
fn too_far_says_how_far() {
    let b = make(&[("A.Bld1*", 1000, 500, 0), ("B.Bld1*", 1000, 760, 180)]).go();
    let words = b.refused(&b.charge("A.Bld1", Face::Front, "B.Bld1"), "HOTT-112");
    assert_eq!(words, "A.Bld1 needs 260p, Blades have 200p");
}

#[test]
fn hott_171_where_flank_and_rear_contacts_begin() {
    // EX-39: wholly in front of the Spear's front line, partly straight ahead of it.
    let mut b = make(&[("A.Kni1*", 1100, 700, 0), ("B.Spr1*", 1000, 800, 180)]).go();
    b.refused(&b.charge("A.Kni1", Face::Left, "B.Spr1"), "HOTT-171");
    assert!(b.judge(&b.charge("A.Kni1", Face::Front, "B.Spr1")).is_ok());
    // B looks down the board: its left is at greater x. Wholly beyond that flank prolonged it is open.
    let beyond = field::Pose::new(116_500, 72_000, field::Heading::UP);
    b.put("A.Kni1", beyond);
    let plan = b.ok(&b.charge("A.Kni1", Face::Left, "B.Spr1"));
    assert_eq!(plan.contacts[0].way, Contact::Flank(Side::Left));
    let contacts = Contacts::of(&b.battle, &b.state);
    assert_eq!(contacts.touching(b.id("B.Spr1")).hit_by[LEFT], Some(b.id("A.Kni1")));
    // Partly beyond the flank and partly behind the rear line (850 for a Spear at 800 facing down: 860).
    let mut b = make(&[("A.Kni1*", 1120, 950, 180), ("B.Spr1*", 1000, 800, 180)]).go();
    assert!(b.judge(&b.charge("A.Kni1", Face::Left, "B.Spr1")).is_ok());
    let plan = b.ok(&b.charge("A.Kni1", Face::Rear, "B.Spr1"));
    assert_eq!(plan.contacts[0].way, Contact::Rear);
    let contacts = Contacts::of(&b.battle, &b.state);
    assert_eq!(contacts.touching(b.id("B.Spr1")).hit_by[REAR], Some(b.id("A.Kni1")));
    // Level with it, not wholly behind its rear line.
    let b = make(&[("A.Kni1*", 1200, 850, 180), ("B.Spr1*", 1000, 800, 180)]).go();
    b.refused(&b.charge("A.Kni1", Face::Rear, "B.Spr1"), "HOTT-171");
}

#[test]
fn hott_164_strongholds() {
    let mut b = make(&[("A.Bld1*", 1000, 500, 0), ("A.Art1", 1300, 500, 0), ("B.Bld1*", 2000, 2000, 180)])
        .stronghold('B', 1000, 600, 180)
        .go();
    b.refused(&b.storm("A.Art1", 1), "HOTT-169");
    let plan = b.ok(&b.storm("A.Bld1", 1));
    assert_eq!(plan.contacts[0].with, Target::Stronghold(SideId(1)));
    let contacts = Contacts::of(&b.battle, &b.state);
    assert_eq!(contacts.attackers(SideId(1)).collect::<Vec<_>>(), vec![b.id("A.Bld1")]);
    assert!(contacts.in_contact(b.id("A.Bld1")));
    // HOTT-353: leaving it is breaking off; a Blade is faster than a Stronghold.
    b.state.elements[0].flags = Flags::default();
    b.refused(&b.ahead("A.Bld1", -100), "HOTT-116");
    b.ok(&b.break_off("A.Bld1", 200));
}

#[test]
fn hott_166_to_168_air_and_ground() {
    let pieces = [
        ("A.Fly1*", 1000, 800, 0),
        ("A.Bld1", 700, 800, 0),
        ("B.Bld1*", 1000, 900, 180),
        ("B.Fly1", 700, 900, 180),
    ];
    let mut b = make(&pieces).go();
    b.refused(&b.charge("A.Bld1", Face::Front, "B.Fly1"), "HOTT-167");
    // Undeclared it only passes overhead.
    let over = b.judge(&MoveOrder::Free {
        who: b.id("A.Fly1"),
        to: b.base("B.Bld1").front_contact(),
        attack: false,
    });
    assert!(over.unwrap().contacts.is_empty());
    let plan = b.ok(&b.charge("A.Fly1", Face::Front, "B.Bld1"));
    assert_eq!(plan.declared, vec![b.id("A.Fly1")]);
    assert_eq!(Contacts::of(&b.battle, &b.state).front(b.id("B.Bld1")), Some(b.id("A.Fly1")));
    // Once declared it fights until the contact ends.
    let mut away = b.state.clone();
    away.elements[b.id("B.Bld1").index()].fate = Fate::Destroyed;
    super::super::forget_ended_declarations(&b.battle, &mut away);
    assert!(!away.element(b.id("A.Fly1")).flags.has(Flags::DECLARED));
    // Aerials attack Aerials freely, and with the option the ground attacks them too.
    let mut b = make(&pieces).go();
    b.put("A.Fly1", field::Pose::new(50_000, 80_000, field::Heading::UP));
    b.put("A.Bld1", field::Pose::new(70_000, 50_000, field::Heading::UP));
    assert!(b.judge(&b.charge("A.Fly1", Face::Front, "B.Fly1")).is_ok());
    let mut b = make(&pieces).set("hott.air_ground_attack=both").go();
    let plan = b.ok(&b.charge("A.Bld1", Face::Front, "B.Fly1"));
    assert_eq!(plan.declared, vec![b.id("B.Fly1")]);
    assert_eq!(Contacts::of(&b.battle, &b.state).front(b.id("A.Bld1")), Some(b.id("B.Fly1")));
}

#[test]
fn hott_169_artillery_never_attacks() {
    let b = make(&[("A.Art1*", 1000, 800, 0), ("B.Bld1*", 1000, 900, 180)]).go();
    b.refused(&b.charge("A.Art1", Face::Front, "B.Bld1"), "HOTT-169");
    b.refused(&b.ahead("A.Art1", 100), "HOTT-169");
}

#[test]
fn hott_170_a_free_move_snaps_into_the_nearest_legal_contact() {
    let mut b = make(&[("A.Kni1*", 1000, 700, 0), ("B.Bld1*", 1000, 900, 180)]).go();
    // 30p aside of full contact.
    let plan = b.ok(&b.free("A.Kni1", 1030, 900, 0));
    assert_eq!(plan.contacts.len(), 1);
    assert_eq!(b.pose("A.Kni1"), b.base("B.Bld1").front_contact());
    // 90p aside is more than half a base width.
    let b = make(&[("A.Kni1*", 1090, 700, 0), ("B.Bld1*", 1000, 900, 180)]).go();
    b.refused(&b.free("A.Kni1", 1090, 900, 0), "HOTT-170");
    // Corner to corner is an overlap, not a contact (HOTT-165).
    let b = make(&[("A.Kni1*", 1160, 700, 0), ("B.Bld1*", 1000, 900, 180)]).go();
    assert!(b.judge(&b.free("A.Kni1", 1160, 900, 0)).unwrap().contacts.is_empty());
}

#[test]
fn hott_172_a_lone_enemy_conforms_to_a_group() {
    let pieces = [
        ("A.Bld1*", 840, 800, 0),
        ("A.Bld2", 1000, 800, 0),
        ("B.Bld1*", 950, 930, 200),
        ("B.Bld2", 1600, 930, 180),
    ];
    let mut b = make(&pieces).go();
    let plan = b.ok(&b.charge("A.Bld2 A.Bld1", Face::Front, "B.Bld1"));
    let (enemy, to) = plan.conformed.unwrap();
    assert_eq!(enemy, b.id("B.Bld1"));
    assert_eq!(b.pose("B.Bld1"), to);
    assert_eq!(plan.contacts.len(), 1);
    assert!(Contacts::of(&b.battle, &b.state).front(enemy).is_some());
    // One that touches a friend does not.
    let mut b = make(&pieces).go();
    let beside = b.base("B.Bld1").beside(Side::Left, b.base("B.Bld2").size);
    b.put("B.Bld2", beside);
    assert!(
        b.judge(&b.charge("A.Bld2 A.Bld1", Face::Front, "B.Bld1")).map_or(true, |p| p.conformed.is_none())
    );
}

#[test]
fn hott_242_overlaps() {
    let b = make(&[
        ("A.Bld1*", 1000, 800, 0),
        ("A.Bld2", 1160, 800, 0),
        ("B.Bld1*", 1000, 800, 180),
        ("B.Bld2", 840, 800, 180),
    ])
    .go();
    let contacts = Contacts::of(&b.battle, &b.state);
    // A.Bld2 stands corner to corner with B.Bld1's left (it looks down the board), B.Bld2 with A.Bld1's left.
    assert_eq!(contacts.touching(b.id("B.Bld1")).overlapped_by, [Some(b.id("A.Bld2")), None]);
    assert_eq!(contacts.touching(b.id("A.Bld1")).overlapped_by, [Some(b.id("B.Bld2")), None]);
    assert!(!contacts.in_contact(b.id("A.Bld2")));
    assert_eq!(contacts.fights().count(), 1);
    // In front contact itself, it overlaps nobody.
    let b = make(&[
        ("A.Bld1*", 1000, 800, 0),
        ("A.Bld2", 1160, 800, 0),
        ("B.Bld1*", 1000, 800, 180),
        ("B.Bld2", 1160, 800, 180),
    ])
    .go();
    let contacts = Contacts::of(&b.battle, &b.state);
    assert_eq!(contacts.touching(b.id("B.Bld1")).overlapped_by, [None, None]);
    assert_eq!(contacts.fights().count(), 2);
}

#[test]
fn bb_096_only_a_friend_of_the_main_fighter_overlaps() {
    let pieces = [("A.Bld1*", 1000, 800, 0), ("B.Bld1*", 1000, 800, 180), ("C.Bld1*", 1160, 800, 0)];
    let b = make(&pieces).go();
    let all = Contacts::of(&b.battle, &b.state);
    assert_eq!(all.touching(b.id("B.Bld1")).overlapped_by, [None, None], "C is hostile to A");
    let b = make(&pieces).allied('A', 'C').go();
    let all = Contacts::of(&b.battle, &b.state);
    assert_eq!(all.touching(b.id("B.Bld1")).overlapped_by, [Some(b.id("C.Bld1")), None]);
    // But contact to flank or rear is made by every enemy.
    let mut b = make(&pieces).go();
    let flank = b.base("B.Bld1").flank_contact(Side::Left, b.base("C.Bld1").size);
    b.put("C.Bld1", flank);
    let all = Contacts::of(&b.battle, &b.state);
    assert_eq!(all.touching(b.id("B.Bld1")).hit_by[LEFT], Some(b.id("C.Bld1")));
    assert_eq!(all.touching(b.id("B.Bld1")).hit_by[RIGHT], None);
}

#[test]
fn hott_175_closing_the_door() {
    let mut b =
        make(&[("A.Bld1*", 1000, 800, 0), ("A.Bld2", 1160, 800, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    // The swing is longer than a Blade's rate would allow.
    let plan = b.ok(&b.door("A.Bld2", "B.Bld1"));
    assert!(plan.moves[0].distance > 200 * PACE);
    assert_eq!(plan.cost.pips(), 1);
    assert_eq!(plan.contacts[0].way, Contact::Flank(Side::Left));
    let b = make(&[("A.Bld1*", 1000, 700, 0), ("A.Bld2", 1160, 800, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    b.refused(&b.door("A.Bld2", "B.Bld1"), "HOTT-175");
}

#[test]
fn hott_176_breaking_off() {
    // EX-38
    let pieces = [("A.Rid1*", 1000, 800, 0), ("B.Bld1*", 1000, 800, 180)];
    let mut b = make(&pieces).go();
    b.refused(&b.ahead("A.Rid1", -300), "HOTT-116");
    b.refused(&b.break_off("A.Rid1", 199), "HOTT-176");
    b.refused(&b.break_off("A.Rid1", 501), "HOTT-112");
    for by in [200, 350, 500] {
        assert_eq!(b.judge(&b.break_off("A.Rid1", by)).unwrap().cost.pips(), 1);
    }
    assert_eq!(b.ok(&b.break_off("A.Rid1", 300)).pursuit, None);
    let b = make(&[("A.Bld1*", 1000, 800, 0), ("B.Rid1*", 1000, 800, 180)]).go();
    let words = b.refused(&b.break_off("A.Bld1", 200), "HOTT-176");
    assert!(words.contains("200p against 500p"), "{words}");
    // HOTT-179: from a pursuing type.
    let b = make(&[("A.Rid1*", 1000, 800, 0), ("B.Kni1*", 1000, 800, 180)]).go();
    assert_eq!(b.judge(&b.break_off("A.Rid1", 300)).unwrap().pursuit, Some(b.id("B.Kni1")));
    // In bad going it is no faster: a wood behind it.
    let b = make(&pieces).ground("wood disc 1000 500 150").go();
    b.refused(&b.break_off("A.Rid1", 200), "HOTT-176");
    // An enemy at its flank holds it.
    let mut b =
        make(&[("A.Rid1*", 1000, 800, 0), ("B.Bld1*", 1000, 800, 180), ("B.Bld2", 1500, 800, 0)]).go();
    let flank = b.base("A.Rid1").flank_contact(Side::Right, b.base("B.Bld2").size);
    b.put("B.Bld2", flank);
    b.refused(&b.break_off("A.Rid1", 200), "HOTT-176");
}

/// BB-049: a record from before the rule was followed in break-offs goes on as it was begun.
#[test]
fn bb_049_breaking_off_from_anybody_and_in_old_records() {
    let pieces = [("A.Rid1*", 1000, 800, 0), ("B.Spr1*", 1000, 800, 180)];
    let mut b = make(&pieces).big().go();
    assert_eq!(b.judge(&b.break_off("A.Rid1", 300)).unwrap().pursuit, None);
    let command = b.battle.element(b.id("A.Rid1")).command;
    b.state.commands[command.index()].demoralised = true;
    assert_eq!(b.judge(&b.break_off("A.Rid1", 300)).unwrap().pursuit, Some(b.id("B.Spr1")));
    let mut tables = (*b.battle.tables).clone();
    assert_eq!(tables.numbers.strict, 2);
    tables.numbers.strict = 0;
    b.battle.tables = std::sync::Arc::new(tables);
    assert_eq!(b.judge(&b.break_off("A.Rid1", 300)).unwrap().pursuit, None);
}

#[test]
fn hott_178_breaking_off_through_friends() {
    let b = make(&[("A.Rid1*", 1000, 800, 0), ("A.Bld1", 1000, 650, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    assert!(b.judge(&b.break_off("A.Rid1", 400)).is_ok(), "Mounted through Foot");
    let b = make(&[("A.Rid1*", 1000, 800, 0), ("A.Kni1", 1000, 650, 0), ("B.Bld1*", 1000, 800, 180)]).go();
    b.refused(&b.break_off("A.Rid1", 400), "HOTT-150");
}

#[test]
fn hott_353_leaving_a_flank_contact() {
    let pieces = [("A.Rid1*", 1000, 800, 0), ("B.Bld1*", 1000, 800, 180), ("A.Kni1", 1400, 800, 0)];
    for (value, ordinary, broken) in
        [("break_off", false, true), ("free", true, true), ("never", false, false)]
    {
        let mut b = make(&pieces).set(&format!("hott.leave_contact={value}")).go();
        let flank = b.base("B.Bld1").flank_contact(Side::Left, b.base("A.Kni1").size);
        b.put("A.Kni1", flank);
        assert_eq!(b.judge(&b.ahead("A.Kni1", -150)).is_ok(), ordinary, "{value}");
        assert_eq!(b.judge(&b.break_off("A.Kni1", 250)).is_ok(), broken, "{value}");
    }
}

#[test]
fn hott_180_sneakers_through_the_enemy() {
    let pieces = [("A.Snk1", 1000, 800, 0), ("A.Bld1*", 600, 600, 0), ("B.Spr1*", 1000, 800, 180)];
    let b = make(&pieces).go();
    b.refused(&b.break_off("A.Snk1", -300), "HOTT-180");
    assert!(b.judge(&b.break_off("A.Snk1", 200)).is_ok(), "300p against 200p: the plain way is open");
    let b = make(&pieces).set("hott.sneaker_break=true").go();
    assert!(b.judge(&b.break_off("A.Snk1", -300)).is_ok());
    b.refused(&b.break_off("A.Snk1", -100), "HOTT-117");
}
