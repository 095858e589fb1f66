//! Zones of control (HH-076 to HH-080), contact, and who fights as if disrupted.

use crate::hex::{Dir, Facing, Hex, HexSet};
use crate::state::{Formation, NOBODY, State, bits, flag};
use crate::table::{Side, Table};
use crate::tables::{Disrupts, Entry, Ground, Traits, Troop};

/// HH-078: whether a zone of control reaches through a side of a hex.
#[inline]
#[must_use]
pub fn zone_reaches(t: &Table, h: Hex, d: Dir) -> bool {
    t.rings.get(h.ix()).is_some_and(|r| r.by_side[usize::from(d) % 6].on())
}

/// HH-076: all hexes in the zones of control of a side's units.
#[must_use]
pub fn zone(t: &Table, s: &State, side: Side) -> HexSet {
    zone_without(t, s, side, NOBODY)
}

/// The same without one unit's zone (elephants that push, HH-246).
#[must_use]
pub fn zone_without(t: &Table, s: &State, side: Side, but: u8) -> HexSet {
    let mut set = HexSet::EMPTY;
    for u in s.on_table(t, side).filter(|&u| u != but) {
        if let Some(ring) = t.rings.get(s.unit(u).hex.ix()) {
            set |= ring.set;
        }
    }
    set
}

/// Units of a side adjacent to a hex, as a mask.
#[inline]
#[must_use]
pub fn adjacent(t: &Table, s: &State, side: Side, h: Hex) -> u64 {
    let Some(ring) = t.rings.get(h.ix()) else { return 0 };
    let mut mask = 0;
    for there in ring.by_side {
        let u = s.who(there);
        if u != NOBODY {
            mask |= 1 << (u & 63);
        }
    }
    mask & t.of_side[side.ix()]
}

/// Enemy units adjacent to a unit: it is in contact with them.
#[inline]
#[must_use]
pub fn enemies_of(t: &Table, s: &State, u: u8) -> u64 {
    adjacent(t, s, t.side(u).other(), s.unit(u).hex)
}

/// HH-079: whether a unit is engaged.
#[inline]
#[must_use]
pub fn engaged(t: &Table, s: &State, u: u8) -> bool {
    enemies_of(t, s, u) != 0
}

/// Enemy independent generals adjacent to a hex, as a mask (HH-067).
#[must_use]
pub fn generals_beside(t: &Table, s: &State, side: Side, h: Hex) -> u16 {
    let mut mask = 0;
    for g in bits(u64::from(t.leaders_of[side.ix()])) {
        let at = s.generals[usize::from(g)].hex;
        if at.on() && s.alone(g) && t.map.grid.distance(at, h) == 1 {
            mask |= 1 << g;
        }
    }
    mask
}

/// Whether an independent general of a side stands in a hex: no enemy unit enters it (HH-067).
#[inline]
#[must_use]
pub fn held_by_general(t: &Table, s: &State, side: Side, h: Hex) -> bool {
    s.who(h) == NOBODY && s.general_in(t, side, h) != NOBODY
}

/// The troop type a unit has now (HH-129).
#[inline]
#[must_use]
pub fn troop(t: &Table, s: &State, u: u8) -> Troop {
    if s.unit(u).is(flag::ON_FOOT) { Troop::Foot } else { t.profile(u).troop }
}

/// The speed a unit has now: pike blocks (HH-119), the dismounted (HH-129), carriers of pavises (HH-250).
#[inline]
#[must_use]
pub fn speed(t: &Table, s: &State, u: u8) -> u8 {
    let unit = s.unit(u);
    let speed = if unit.is(flag::ON_FOOT) { t.rules.dismounted_speed } else { t.profile(u).speed };
    if unit.formation == Formation::Block { speed.min(t.rules.pike_block_speed) } else { speed }
}

/// HH-113: class A infantry.
#[inline]
#[must_use]
pub fn class_a_foot(t: &Table, s: &State, u: u8) -> bool {
    t.profile(u).class == crate::tables::Class::A && troop(t, s, u) == Troop::Foot
}

/// HH-102, HH-103, HH-109, HH-201: whether a unit fights as if disrupted where it stands.
#[must_use]
pub fn as_if_disrupted(t: &Table, s: &State, u: u8) -> bool {
    let unit = s.unit(u);
    let ground = t.map.ground_at(unit.hex);
    let mounted = matches!(troop(t, s, u), Troop::Mounted | Troop::Elephant);
    let along_road = unit.formation == Formation::Column && on_road(t, unit.hex) && ground == Ground::Broken;
    match t.rules.ground[ground as usize].disrupts {
        Disrupts::All => true,
        Disrupts::Mounted => mounted && !along_road,
        // HH-109: hordes cross bridges disorderly
        Disrupts::Nobody => ground == Ground::Bridge && unit.formation == Formation::Horde,
    }
}

/// Whether a unit counts as disrupted in hand-to-hand.
#[inline]
#[must_use]
pub fn shaken(t: &Table, s: &State, u: u8) -> bool {
    s.unit(u).disrupted() || as_if_disrupted(t, s, u)
}

/// Whether a road runs in a hex.
#[inline]
#[must_use]
pub fn on_road(t: &Table, h: Hex) -> bool {
    t.map.road.get(h.ix()).is_some_and(|&r| r != 0)
}

/// Whether a unit may be in a hex and come there through a side of the hex it leaves, whatever it is doing
/// (HH-110, HH-114): terrain and borders only, not who stands there.
///
/// `column` says whether it is in column, for roads through forbidden ground.
#[must_use]
pub fn may_cross(t: &Table, s: &State, u: u8, from: Hex, d: Dir, column: bool) -> bool {
    let to = t.map.step(from, d);
    if !to.on() || t.map.barred.has(to) {
        return false;
    }
    let kind = troop(t, s, u) as usize;
    if !t.rules.border[t.map.border_at(from, d) as usize].cross[kind] {
        return false;
    }
    let by_road = column && t.map.road_through(from, d);
    match t.rules.ground[t.map.ground_at(to) as usize].entry[kind] {
        Entry::No | Entry::Road => by_road,
        // HH-109: a pike block may not cross
        Entry::Column => s.unit(u).formation != Formation::Block,
        Entry::Yes | Entry::Stop | Entry::River => true,
    }
}

/// Whether stakes stand on the side of a hex through which one would go (HH-249), whoever planted them.
#[must_use]
pub fn staked(t: &Table, s: &State, from: Hex, d: Dir) -> bool {
    let back = crate::hex::opposite(d);
    let has = |h: Hex, side: Dir| {
        let u = s.who(h);
        u != NOBODY && s.unit(u).stakes >> side & 1 == 1
    };
    has(from, d) || has(t.map.step(from, d), back)
}

/// Whether a forced move or a flight ends in a hex (HH-114).
#[inline]
#[must_use]
pub fn ends_flight(t: &Table, h: Hex) -> bool {
    matches!(t.map.ground_at(h), Ground::Woods | Ground::Town | Ground::River)
}

/// HH-146: whether a hex lies in the arc of a facing, at any distance.
#[inline]
#[must_use]
pub fn in_arc(t: &Table, from: Hex, facing: Facing, to: Hex) -> bool {
    arcs(t.map.grid.axial(from), t.map.grid.axial(to)) >> (facing.0 % Facing::COUNT) & 1 == 1
}

/// HH-146: the facings, as a mask of twelve bits, in whose arc one place lies as seen from another.
///
/// The arc of point p are the places a·d(p) + b·d(p+1) with a, b ≥ 0. With x(k) the cross product of side k and the offset
/// that is x(p) ≥ 0 and x(p+1) ≤ 0; along the road through side s it is x(s) = 0 and x(s+1) < 0.
#[inline]
#[must_use]
pub fn arcs(from: (i16, i16), to: (i16, i16)) -> u16 {
    let (q, r) = (to.0 - from.0, to.1 - from.1);
    if (q, r) == (0, 0) {
        return 0;
    }
    // x(k) for sides 0, 1, 2; those of the opposite sides are the negatives
    let x = [r, -q, -q - r];
    let (mut least, mut most) = (0_u16, 0_u16); // x ≥ 0, x ≤ 0
    for (k, &v) in x.iter().enumerate() {
        least |= u16::from(v >= 0) << k | u16::from(v <= 0) << (k + 3);
        most |= u16::from(v <= 0) << k | u16::from(v >= 0) << (k + 3);
    }
    let next = |mask: u16| (mask >> 1 | mask << 5) & 63;
    (least & next(most)) | (least & most & next(!least & 63)) << 6
}

/// HH-121 to HH-127: whether a unit is part of a shield wall now.
#[must_use]
pub fn in_shield_wall(t: &Table, s: &State, u: u8) -> bool {
    let unit = s.unit(u);
    if !could_wall(t, s, u) {
        return false;
    }
    let p = unit.facing.0;
    let ends = [(p + 5) % 6, (p + 2) % 6];
    let mut members = 1;
    for d in ends {
        let mut at = unit.hex;
        let mut last_horde = t.profile(u).horde();
        loop {
            let next = t.map.step(at, d);
            let n = s.who(next);
            let joins = n != NOBODY
                && t.side(n) == t.side(u)
                && s.unit(n).facing == unit.facing
                && could_wall(t, s, n)
                && wall_place(t, s, n, unit.facing, last_horde, d);
            if joins {
                members += 1;
                last_horde = t.profile(n).horde();
                at = next;
                continue;
            }
            // HH-125: a horde is never the end
            if last_horde && at == unit.hex {
                return false;
            }
            // HH-124: the hex beyond the end
            let covered = !next.on()
                || t.map.barred.has(next)
                || (n != NOBODY && t.side(n) == t.side(u) && !s.unit(n).disrupted());
            if !covered {
                return false;
            }
            break;
        }
    }
    members >= 2
}

/// HH-125: a horde stands between two that are not hordes.
fn wall_place(t: &Table, s: &State, n: u8, facing: Facing, last_horde: bool, d: Dir) -> bool {
    if !t.profile(n).horde() {
        return true;
    }
    if last_horde {
        return false;
    }
    let beyond = s.who(t.map.step(s.unit(n).hex, d));
    beyond != NOBODY
        && t.side(beyond) == t.side(n)
        && !t.profile(beyond).horde()
        && s.unit(beyond).facing == facing
        && could_wall(t, s, beyond)
}

/// HH-123, HH-124, HH-127: what one unit needs to be in a shield wall.
fn could_wall(t: &Table, s: &State, u: u8) -> bool {
    let (unit, profile) = (s.unit(u), t.profile(u));
    let loose_horde = profile.traits.has(Traits::AGGRESSIVE_HORDE) && s.commanded >> (u & 63) & 1 == 0;
    profile.traits.has(Traits::SHIELDS)
        && profile.class <= crate::tables::Class::C
        && !unit.disrupted()
        && matches!(unit.formation, Formation::Line | Formation::Horde)
        && unit.facing.road_side().is_none()
        && !loose_horde
}

/// HH-072: whether a unit hosts a Hero General of its side or is adjacent to a hex that contains one.
#[must_use]
pub fn hero_near(t: &Table, s: &State, u: u8) -> bool {
    let h = s.unit(u).hex;
    bits(u64::from(t.leaders_of[t.side(u).ix()])).any(|g| {
        let at = s.generals[usize::from(g)].hex;
        t.leaders[usize::from(g)].hero && at.on() && t.map.grid.distance(at, h) <= 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::DELTA;

    #[test]
    fn hh_146_an_arc_is_what_two_neighbouring_sides_span() {
        for q in -6..=6 {
            for r in -6..=6 {
                let mask = arcs((2, -1), (2 + q, r - 1));
                for p in 0..6 {
                    let (u, v) = (DELTA[p], DELTA[(p + 1) % 6]);
                    let spans = (0..=12).any(|a| {
                        (0..=12).any(|b| (a, b) != (0, 0) && (a * u.0 + b * v.0, a * u.1 + b * v.1) == (q, r))
                    });
                    assert_eq!(mask >> p & 1 == 1, spans, "point {p}, offset {q} {r}");
                    let straight = (1..=12).any(|a| (a * u.0, a * u.1) == (q, r));
                    assert_eq!(mask >> (p + 6) & 1 == 1, straight, "road {p}, offset {q} {r}");
                }
            }
        }
    }
}
