//! Crowded positions at random: what always holds.

use super::bench::{Bench, make};
use crate::battle::*;
use crate::contacts::Contacts;
use crate::moves::approach::{FACES, face_pose};
use crate::moves::{Level, Scene, carry_out, turn_to_face};
use field::{Base, Contact, Heading, Point, Pose, Side};
use proptest::prelude::*;

/// A small generator: positions are made from one number.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + (self.next() % (high - low).max(1) as u64) as i32
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[(self.next() % of.len() as u64) as usize]
    }
}

const TYPES: [&str; 22] = [
    "Bld", "Bld", "Spr", "Spr", "Wbd", "Kni", "Kni", "Rid", "Sht", "Art", "Hrd", "Clr", "Mag", "Snk", "Beh",
    "Bst", "Her", "Fly", "AHe", "Drg", "God", "Abt",
];

/// A crowded position of two or three sides; some stand in groups, some in contact.
fn crowd(seed: u64, count: i32) -> Bench {
    let mut draw = Draw(seed ^ 0x5851_f42d);
    for _ in 0..5 {
        draw.next();
    }
    let sides: &[&str] = if draw.between(0, 4) == 0 { &["A", "B", "C"] } else { &["A", "B"] };
    let mut labels: Vec<(String, i32, i32, i32)> = Vec::new();
    for side in sides {
        for n in 0..count {
            let general = if n == 0 { "*" } else { "" };
            let ty = if n == 0 { "Bld" } else { draw.pick(&TYPES) };
            labels.push((format!("{side}.{ty}{}{general}", n + 1), 0, 0, 0));
        }
    }
    let pieces: Vec<(&str, i32, i32, i32)> = labels.iter().map(|l| (l.0.as_str(), l.1, l.2, l.3)).collect();
    let ground = match draw.between(0, 4) {
        0 => "wood disc 900 900 150; marsh disc 1400 1300 120",
        1 => "river 80 along 0 1100, 2400 1200; hill disc 1100 800 150",
        _ => "",
    };
    let mut b = if draw.between(0, 2) == 0 {
        make(&pieces).ground(ground).stronghold('B', 1200, 1500, 180).go()
    } else {
        make(&pieces).ground(ground).go()
    };
    let strong: Vec<Base> = Scene::new(&b.battle, &b.state).strongholds().iter().map(|s| s.1).collect();
    let ids: Vec<ElementId> = b.battle.ids().collect();
    let mut placed: Vec<(ElementId, Base)> = Vec::new();
    for id in ids {
        let size = b.battle.element(id).size;
        let mut done = false;
        for _ in 0..200 {
            let other = (!placed.is_empty()).then(|| placed[draw.next() as usize % placed.len()]);
            let pose = match (draw.between(0, 6), other) {
                (0 | 1, Some((o, base))) if !b.battle.enemies(o, id) => {
                    base.beside(if draw.between(0, 2) == 0 { Side::Left } else { Side::Right }, size)
                }
                (2, Some((o, base))) if !b.battle.enemies(o, id) => base.behind(),
                (3, Some((o, base))) if b.battle.enemies(o, id) => {
                    face_pose(&base, FACES[draw.next() as usize % 4], size).0
                }
                _ => Pose::new(
                    draw.between(60_000, 170_000),
                    draw.between(60_000, 170_000),
                    Heading::new(if draw.between(0, 2) == 0 {
                        draw.between(0, 4) * 9_000
                    } else {
                        draw.between(0, 36_000)
                    }),
                ),
            };
            let base = Base::new(pose, size);
            let free =
                placed.iter().all(|(_, p)| !p.overlaps(&base)) && strong.iter().all(|s| !s.overlaps(&base));
            if free {
                b.state.elements[id.index()].pose = pose;
                b.state.elements[id.index()].began = pose;
                placed.push((id, base));
                done = true;
                break;
            }
        }
        if !done {
            b.state.elements[id.index()].fate = Fate::Waiting;
        }
    }
    b
}

/// Some order or other for side A, legal or nearly.
fn some_order(b: &Bench, draw: &mut Draw) -> MoveOrder {
    let mine: Vec<ElementId> = b.battle.ids_of(SideId(0)).filter(|id| b.state.on_table(*id)).collect();
    let all: Vec<ElementId> = b.battle.ids().collect();
    let who = mine[draw.next() as usize % mine.len()];
    let other = all[draw.next() as usize % all.len()];
    let scene = Scene::new(&b.battle, &b.state);
    let groups = scene.groups(&scene.movers(b.battle.element(who).command));
    let group = if groups.is_empty() || draw.between(0, 2) == 0 {
        vec![who]
    } else {
        groups[draw.next() as usize % groups.len()].clone()
    };
    let side = if draw.between(0, 2) == 0 { Side::Left } else { Side::Right };
    let by = draw.between(-100, 400) * 100;
    let leg = |draw: &mut Draw| match draw.between(0, 6) {
        0 | 1 => Leg::Ahead(by),
        2 => Leg::Sideways(by / 2),
        3 => Leg::Wheel(side, draw.between(-10, 9_000)),
        4 => Leg::Turn(draw.between(0, 36_000)),
        _ => Leg::By(Point::new(draw.between(-20_000, 20_000), draw.between(-20_000, 20_000))),
    };
    let face = FACES[draw.next() as usize % 4];
    match draw.between(0, 8) {
        0 | 1 => {
            MoveOrder::Legs { who: group, legs: vec![leg(draw), leg(draw)], attack: draw.between(0, 2) == 0 }
        }
        2 => {
            let at = b.state.element(who).pose;
            let to = Pose::new(
                at.x + draw.between(-25_000, 25_000),
                at.y + draw.between(-25_000, 25_000),
                Heading::new(draw.between(0, 36_000)),
            );
            MoveOrder::Free { who, to, attack: draw.between(0, 2) == 0 }
        }
        3 => MoveOrder::Charge(Charge { who: group, face, enemy: Target::Element(other) }),
        4 => MoveOrder::LineUp(LineUp {
            who: group,
            side: [None, Some(Side::Left), Some(Side::Right)][draw.next() as usize % 3],
            friend: other,
        }),
        5 => MoveOrder::Column { who: group, legs: vec![Leg::Ahead(by), leg(draw)], road: false },
        6 => MoveOrder::CloseDoor { who, enemy: other },
        _ => MoveOrder::BreakOff { who, by },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn accepted_orders_leave_no_overlap(seed in any::<u64>()) {
        let mut b = crowd(seed, 6);
        let mut draw = Draw(seed);
        for _ in 0..60 {
            let order = some_order(&b, &mut draw);
            let before = b.state.clone();
            match b.judge(&order) {
                Ok(plan) => {
                    carry_out(&b.battle, &mut b.state, &plan, &mut Vec::new());
                    b.no_overlaps();
                    for m in &plan.moves {
                        prop_assert_eq!(b.state.element(m.who).pose, m.to);
                        prop_assert!(b.battle.board.contains(&Base::new(m.to, b.battle.element(m.who).size)));
                    }
                    let contacts = Contacts::of(&b.battle, &b.state);
                    for made in &plan.contacts {
                        prop_assert!(contacts.in_contact(made.who), "{:?} {:?}", order, made);
                    }
                    prop_assert!(b.state.commands[0].pips < 6);
                    b.state = before;
                    if draw.between(0, 4) == 0 {
                        b.ok(&order);
                        b.state.commands[0].pips = 6;
                    }
                }
                Err(refusal) => prop_assert!(!refusal.words.is_empty() && b.state == before),
            }
        }
        turn_to_face(&b.battle, &mut b.state, SideId(0), &mut Vec::new());
        b.no_overlaps();
    }

    #[test]
    fn candidates_are_accepted_and_hold_every_legal_contact(seed in any::<u64>()) {
        let b = crowd(seed, 4);
        let scene = Scene::new(&b.battle, &b.state);
        let mut orders = Vec::new();
        scene.candidates(CommandId(0), &mut orders, Level::All);
        let mut made: Vec<(ElementId, Target, Contact)> = Vec::new();
        for order in &orders {
            let plan = scene.judge(order);
            prop_assert!(plan.is_ok(), "{:?}: {:?}", order, plan);
            let single = plan.iter().flat_map(|p| &p.contacts).filter(|_| order_size(order) == 1);
            made.extend(single.map(|m| (m.who, m.with, m.way)));
        }
        let mut draw = Draw(seed);
        let mine: Vec<ElementId> = b.battle.ids_of(SideId(0)).filter(|id| b.state.on_table(*id)).collect();
        for _ in 0..400 {
            let who = mine[draw.next() as usize % mine.len()];
            for order in seeking(&b, who, &mut draw) {
                let Ok(plan) = scene.judge(&order) else { continue };
                for m in &plan.contacts {
                    prop_assert!(
                        made.contains(&(m.who, m.with, m.way)),
                        "{:?} finds {} {:?} {:?}, not among the candidates",
                        order, b.battle.full_label(m.who), m.with, m.way
                    );
                }
            }
        }
    }
}

fn order_size(order: &MoveOrder) -> usize {
    match order {
        MoveOrder::Legs { who, .. } | MoveOrder::Column { who, .. } => who.len(),
        MoveOrder::Charge(c) => c.who.len(),
        MoveOrder::LineUp(l) => l.who.len(),
        _ => 1,
    }
}

/// Orders at random that look for contact: a pose near one in contact, and that pose itself.
fn seeking(b: &Bench, who: ElementId, draw: &mut Draw) -> Vec<MoveOrder> {
    let foes: Vec<ElementId> =
        b.battle.ids().filter(|e| b.battle.enemies(who, *e) && b.state.on_table(*e)).collect();
    if foes.is_empty() {
        return Vec::new();
    }
    let foe = foes[draw.next() as usize % foes.len()];
    let theirs = Base::new(b.state.element(foe).pose, b.battle.element(foe).size);
    let (to, _) = face_pose(&theirs, FACES[draw.next() as usize % 4], b.battle.element(who).size);
    let near = Pose::new(
        to.x + draw.between(-6_000, 6_000),
        to.y + draw.between(-6_000, 6_000),
        to.heading.turned(draw.between(-3_000, 3_000)),
    );
    vec![MoveOrder::Free { who, to: near, attack: true }, MoveOrder::Free { who, to, attack: true }]
}

#[test]
fn the_last_element_and_nobody_at_all() {
    let mut b = make(&[("A.Bld1*", 1000, 800, 0), ("B.Bld1*", 1000, 1000, 180)]).go();
    let mut out = Vec::new();
    Scene::new(&b.battle, &b.state).candidates(CommandId(0), &mut out, Level::All);
    assert!(out.iter().any(|o| matches!(o, MoveOrder::Charge(_))) && out.len() > 10, "{}", out.len());
    b.state.elements[1].fate = Fate::Destroyed;
    out.clear();
    Scene::new(&b.battle, &b.state).candidates(CommandId(0), &mut out, Level::All);
    assert!(!out.iter().any(|o| matches!(o, MoveOrder::Charge(_))) && out.len() > 10);
    b.state.elements[0].fate = Fate::Destroyed;
    out.clear();
    Scene::new(&b.battle, &b.state).candidates(CommandId(0), &mut out, Level::All);
    assert!(out.is_empty());
}

#[test]
fn contacts_of_three_sides_all_count() {
    let mut b =
        make(&[("A.Bld1*", 1000, 800, 0), ("B.Bld1*", 1000, 800, 180), ("C.Bld1*", 300, 300, 0)]).go();
    let behind = b.base("A.Bld1").rear_contact();
    b.put("C.Bld1", behind);
    let all = Contacts::of(&b.battle, &b.state);
    assert_eq!(all.front(b.id("A.Bld1")), Some(b.id("B.Bld1")));
    assert_eq!(all.touching(b.id("A.Bld1")).hit_by[2], Some(b.id("C.Bld1")));
    assert_eq!(all.touching(b.id("C.Bld1")).hits, Some((b.id("A.Bld1"), Contact::Rear)));
}
