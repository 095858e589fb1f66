//! Whole battles of random candidates: they end, break no invariant, and see every rule at work.

use dice::{Key, Seeded};
use game::conform::Choose;
use heroes::army::{Army, LISTS};
use heroes::candidates;
use heroes::event::Event;
use heroes::map::{MAPS, Map};
use heroes::options::Options;
use heroes::owed::{self, Due};
use heroes::play;
use heroes::state::{Fate, NOBODY, Outcome, Phase, State, bits};
use heroes::table::{Side, Table};
use heroes::tables::Tables;
use heroes::{deploy, melee, words};
use std::collections::BTreeMap;

fn table(n: usize) -> Table {
    let t = Tables::shipped();
    let a = Army::shipped(LISTS[n % 14].0, &t).unwrap();
    let b = Army::shipped(LISTS[(n / 14 + n + 1) % 14].0, &t).unwrap();
    let map = if n.is_multiple_of(3) {
        Map::random(n as u64, 18, 12)
    } else {
        Map::shipped(MAPS[n % 8].0, &t).unwrap()
    };
    let mut o = Options { flee_stops: n % 5 == 1, tactical_flee: n % 4 == 1, ..Options::default() };
    o.one_unit = n % 7 == 3;
    Table::new(t, o, map, [&a, &b]).unwrap()
}

/// What must hold in every state in which somebody owes something.
fn check(t: &Table, s: &State) {
    for (h, &u) in s.at.iter().enumerate() {
        if u != NOBODY {
            assert_eq!(s.unit(u).hex.ix(), h, "one unit a hex, where it says");
        }
    }
    for u in bits(t.of_side[0] | t.of_side[1]) {
        let unit = s.unit(u);
        if unit.hex.on() {
            assert_eq!(s.who(unit.hex), u);
            assert!(!t.map.barred.has(unit.hex), "{} in a lake", t.label(u));
            assert!(
                unit.facing.road_side().is_none_or(|d| t.map.road_through(unit.hex, d)),
                "illegal facing"
            );
            assert!(unit.stands > t.rules.removed_at, "{} with {} stands", t.label(u), unit.stands);
            assert_eq!(unit.fate, Fate::Field);
        } else if unit.fate == Fate::Field {
            let in_hand = s.room.hand[..usize::from(s.room.waiting)].iter().any(|h| h.0 == u);
            assert!(in_hand, "{} is nowhere", t.label(u));
        }
    }
    for side in Side::BOTH {
        let mut hexes = Vec::new();
        for g in bits(u64::from(t.leaders_of[side.ix()])) {
            let it = s.generals[usize::from(g)];
            if it.hex.on() && s.aside >> g & 1 == 0 {
                assert!(!hexes.contains(&it.hex), "two generals in one hex");
                hexes.push(it.hex);
                let who = s.who(it.hex);
                assert!(who == NOBODY || t.side(who) == side, "a general under an enemy");
            }
        }
        assert!(s.lost_stands(t, side) <= t.stands[side.ix()], "stands are conserved");
    }
    if s.phase == Phase::Melee && owed::due(t, s) == Due::Phase(s.phasing) && melee::must_fight(t, s) {
        let mut all = Vec::new();
        melee::candidates(t, s, &mut all);
        assert!(
            all.iter().any(|c| matches!(c, heroes::command::Command::Fight(..))),
            "HH-206: a legal pairing exists"
        );
    }
}

fn battle(n: usize, seen: &mut BTreeMap<&'static str, u32>) -> (Outcome, u32, u64) {
    let t = table(n);
    let mut s = deploy::begin(&t);
    let mut dice = Seeded::new(Key::from_seed(n as u64));
    let mut choose = Choose::new(n as u64);
    let mut all = Vec::new();
    let (mut commands, mut listed) = (0, 0);
    while s.outcome == Outcome::Open {
        all.clear();
        candidates::all(&t, &s, &mut all);
        assert!(!all.is_empty(), "stuck in {:?}", s.phase);
        listed += all.len() as u64;
        // deployment by hand now and then
        let array = all.iter().position(|c| *c == heroes::command::Command::Array);
        let pick = match array {
            Some(i) if !n.is_multiple_of(4) => i,
            _ => choose.below(all.len()),
        };
        let by = owed::owner(&t, &s);
        let mut events: Vec<Event> = Vec::new();
        if let Err(e) = play::apply(&t, &mut s, by, &all[pick], &mut dice, Some(&mut events)) {
            panic!("battle {n}: {} is not accepted: {e:?}", all[pick].text(&t));
        }
        let before = s.commanded;
        for e in &events {
            *seen.entry(words::parts(e, &t).0).or_insert(0) += 1;
            if let Event::Command(mask) = e {
                assert!(bits(*mask).all(|u| before >> u & 1 == 1));
            }
        }
        let broken = std::panic::catch_unwind(|| check(&t, &s)).is_err();
        assert!(!broken, "battle {n} breaks an invariant after {}", all[pick].text(&t));
        commands += 1;
        assert!(commands < 20_000, "battle {n} does not end");
    }
    (s.outcome, commands, listed)
}

#[test]
fn random_battles_end_and_break_nothing() {
    let mut seen = BTreeMap::new();
    let (mut commands, mut listed) = (0, 0);
    for n in 0..40 {
        let (_, c, l) = battle(n, &mut seen);
        commands += c;
        listed += l;
    }
    println!("{commands} commands, {listed} listed, {seen:?}");
    for kind in [
        "fought", "shot", "fled", "recoiled", "followed", "pursued", "evaded", "rallied", "removed",
        "contact",
    ] {
        assert!(seen.contains_key(kind), "{kind} never happened: {seen:?}");
    }
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn two_thousand_battles_end_and_break_nothing() {
    let mut seen = BTreeMap::new();
    let (mut commands, mut listed) = (0_u64, 0);
    for n in 0..2000 {
        let (_, c, l) = battle(n, &mut seen);
        commands += u64::from(c);
        listed += l;
    }
    println!("{commands} commands, {listed} listed, {seen:?}");
}
