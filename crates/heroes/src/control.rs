//! Command and control (HH-049 to HH-064): who is under command, by which chain; and where generals may go.

use crate::hex::{Hex, HexSet};
use crate::sight::hexes_between;
use crate::state::{NOBODY, State, bits};
use crate::table::{Side, Table};
use crate::tables::Through;
use crate::zones::{adjacent, held_by_general, zone, zone_reaches};

/// HH-058: whether a general commands at all.
#[must_use]
pub fn commands(s: &State, g: u8) -> bool {
    let general = s.generals[usize::from(g)];
    let host = s.who(general.hex);
    general.hex.on() && (host == NOBODY || !s.unit(host).disrupted())
}

/// HH-055, HH-056, HH-057: hexes that a general's line of command reaches. `only` limits the hexes it may
/// run through (the straight line).
fn reached(t: &Table, s: &State, g: u8, enemy_zone: &HexSet, only: Option<&HexSet>) -> HexSet {
    let start = s.generals[usize::from(g)].hex;
    let mut seen: HexSet = [start].into_iter().collect();
    let rough = |h: Hex| t.rules.ground[t.map.ground_at(h) as usize].command == Through::Edge;
    // HH-057
    let range = if rough(start) { 1 } else { t.leaders[usize::from(g)].quality };
    let side = t.leaders[usize::from(g)].side;
    let mut edge: HexSet = seen;
    for _ in 0..range {
        let mut next = HexSet::EMPTY;
        for h in edge.iter() {
            let friend = s.who(h);
            let held = friend != NOBODY && t.side(friend) == side && !s.unit(friend).disrupted();
            // an intermediate hex: held by a steady friend or outside the enemy's zones; not in a wood
            if h != start && (rough(h) || (!held && enemy_zone.has(h))) {
                continue;
            }
            for d in 0..6 {
                let n = t.map.step(h, d);
                let closed = !zone_reaches(t, h, d)
                    || t.rules.ground[t.map.ground_at(n) as usize].command == Through::No
                    || only.is_some_and(|o| !o.has(n));
                let who = s.who(n);
                let enemy = who != NOBODY && t.side(who) != side;
                if !closed && !enemy && !seen.has(n) {
                    seen.insert(n);
                    next.insert(n);
                }
            }
        }
        edge = next;
    }
    seen
}

/// HH-055 to HH-057: all hexes that a general's command reaches, whoever stands there.
#[must_use]
pub fn command_hexes(t: &Table, s: &State, g: u8) -> HexSet {
    let leader = &t.leaders[usize::from(g)];
    let enemy_zone = zone(t, s, leader.side.other());
    if !s.options.straight_command {
        return reached(t, s, g, &enemy_zone, None);
    }
    let from = s.generals[usize::from(g)].hex;
    let straight = |h: Hex| -> bool {
        let only: HexSet = hexes_between(t, from, h).chain([from, h]).collect();
        reached(t, s, g, &enemy_zone, Some(&only)).has(h)
    };
    t.map
        .grid
        .all()
        .filter(|&h| t.map.grid.distance(from, h) <= u16::from(leader.quality) && straight(h))
        .collect()
}

/// HH-051: units directly commanded by one general, hordes apart.
fn direct(t: &Table, s: &State, g: u8, enemy_zone: &HexSet) -> u64 {
    let side = t.leaders[usize::from(g)].side;
    let mut mask = 0;
    if !commands(s, g) {
        return 0;
    }
    let path = (!s.options.straight_command).then(|| reached(t, s, g, enemy_zone, None));
    let from = s.generals[usize::from(g)].hex;
    for u in s.on_table(t, side) {
        if s.unit(u).disrupted() || t.profile(u).horde() {
            continue;
        }
        let h = s.unit(u).hex;
        let hit = match &path {
            Some(set) => set.has(h),
            None => {
                let only: HexSet = hexes_between(t, from, h).chain([from, h]).collect();
                t.map.grid.distance(from, h) <= u16::from(t.leaders[usize::from(g)].quality)
                    && reached(t, s, g, enemy_zone, Some(&only)).has(h)
            }
        };
        if hit {
            mask |= 1 << u;
        }
    }
    mask
}

/// HH-061, HH-062: units that hold a commanding general or are adjacent to one.
fn beside_generals(t: &Table, s: &State, side: Side) -> u64 {
    let mut mask = 0;
    for g in bits(u64::from(t.leaders_of[side.ix()])).filter(|&g| commands(s, g)) {
        let h = s.generals[usize::from(g)].hex;
        mask |= adjacent(t, s, side, h);
        let host = s.who(h);
        if host != NOBODY {
            mask |= 1 << host;
        }
    }
    mask
}

/// Spreads a mask over adjacent undisrupted friends among `among`.
fn spread(t: &Table, s: &State, side: Side, mut mask: u64, among: u64) -> u64 {
    loop {
        let mut next = mask;
        for u in bits(mask) {
            next |= adjacent(t, s, side, s.unit(u).hex) & among;
        }
        if next == mask {
            return mask;
        }
        mask = next;
    }
}

/// HH-050 to HH-062: all units of a side under command as things stand.
#[must_use]
pub fn under_command(t: &Table, s: &State, side: Side) -> u64 {
    let enemy_zone = zone(t, s, side.other());
    let mut steady = 0_u64;
    let mut hordes = 0_u64;
    for u in s.on_table(t, side).filter(|&u| !s.unit(u).disrupted()) {
        steady |= 1 << u;
        if t.profile(u).horde() {
            hordes |= 1 << u;
        }
    }
    // hordes by contact with a general through any steady friends
    let held = spread(t, s, side, beside_generals(t, s, side) & steady, steady) & hordes;
    let mut mask = held;
    for g in bits(u64::from(t.leaders_of[side.ix()])) {
        mask |= direct(t, s, g, &enemy_zone);
    }
    // HH-052: the chain, without limit of distance
    spread(t, s, side, mask, steady & !hordes)
}

/// One link of a chain of command, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// A general's own range.
    General(u8),
    /// A unit in contact.
    Unit(u8),
}

/// Why a unit is under command: the shortest chain, nearest link first; nothing if it is not.
#[must_use]
pub fn chain(t: &Table, s: &State, u: u8) -> Vec<Link> {
    let side = t.side(u);
    let commanded = under_command(t, s, side);
    if commanded >> (u & 63) & 1 == 0 {
        return Vec::new();
    }
    let enemy_zone = zone(t, s, side.other());
    let horde = t.profile(u).horde();
    let source = |x: u8| {
        bits(u64::from(t.leaders_of[side.ix()])).find(|&g| {
            let h = s.generals[usize::from(g)].hex;
            if horde || t.profile(x).horde() {
                commands(s, g) && t.map.grid.distance(h, s.unit(x).hex) <= 1
            } else {
                direct(t, s, g, &enemy_zone) >> x & 1 == 1
            }
        })
    };
    let mut from = [NOBODY; crate::state::MAX_UNITS];
    let mut queue = vec![u];
    let mut at = 0;
    while let Some(&x) = queue.get(at) {
        at += 1;
        if let Some(g) = source(x) {
            let mut links = vec![];
            let mut y = x;
            while y != u {
                links.push(Link::Unit(y));
                y = from[usize::from(y)];
            }
            links.reverse();
            links.push(Link::General(g));
            return links;
        }
        for n in bits(adjacent(t, s, side, s.unit(x).hex)) {
            if !queue.contains(&n) && !s.unit(n).disrupted() && (horde || commanded >> n & 1 == 1) {
                from[usize::from(n)] = x;
                queue.push(n);
            }
        }
    }
    Vec::new()
}

/// HH-063: hexes that a general may reach within some hexes of movement (his own not among them), and those he
/// could enter only to challenge.
#[must_use]
pub fn general_reach(t: &Table, s: &State, g: u8, range: u8) -> (HexSet, HexSet) {
    let side = t.leaders[usize::from(g)].side;
    let start = s.generals[usize::from(g)].hex;
    let enemy_zone = zone(t, s, side.other());
    let mut seen: HexSet = [start].into_iter().collect();
    let mut challenge = HexSet::EMPTY;
    let mut edge = seen;
    for _ in 0..range {
        let mut next = HexSet::EMPTY;
        for h in edge.iter() {
            if h != start && enemy_zone.has(h) {
                continue; // he stopped there
            }
            for n in t.map.next[h.ix()] {
                if !n.on() || t.map.barred.has(n) {
                    continue;
                }
                if s.general_in(t, side.other(), n) != NOBODY {
                    challenge.insert(n);
                }
                let who = s.who(n);
                let enemy = (who != NOBODY && t.side(who) != side) || held_by_general(t, s, side.other(), n);
                if !enemy && !seen.has(n) {
                    seen.insert(n);
                    next.insert(n);
                }
            }
        }
        edge = next;
    }
    seen.remove(start);
    // HH-010: two friendly generals never share a hex
    for other in bits(u64::from(t.leaders_of[side.ix()])) {
        seen.remove(s.generals[usize::from(other)].hex);
    }
    (seen, challenge)
}
