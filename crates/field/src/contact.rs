//! How two bases touch: contact of a front with an enemy, neighbours in a group, corners, lines prolonged.
//!
//! Everything here is derived from the two poses alone; declared contact of Aerials is the engine's matter.

use crate::{Base, Corner, Edge, Len, Point, Segment, Side, TOLERANCE};

/// How an attacker stands to an enemy base, seen from the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contact {
    /// Neither edge nor corner touches.
    None,
    /// HOTT-161: the front edges coincide corner to corner.
    Front,
    /// HOTT-162: the front edge lies along the enemy's side edge (his left or right), front corner at
    /// front corner.
    Flank(Side),
    /// HOTT-163: the front edge lies on the enemy's rear edge, corner to corner.
    Rear,
    /// A side edge of the attacker lies along an edge of the enemy; no legal front contact.
    SideEdge,
    /// HOTT-165: only corners touch.
    Corner,
    /// The bases touch in none of these ways (a front partly against an edge, a corner in the middle of
    /// one, a rear against a rear).
    Partial,
}

impl Contact {
    /// Whether the attacker's front is in one of the three legal positions (HOTT-161 to HOTT-163).
    #[must_use]
    pub const fn is_legal(self) -> bool {
        matches!(self, Contact::Front | Contact::Flank(_) | Contact::Rear)
    }
}

/// Whether two points are the same to the tolerance.
const fn same(a: Point, b: Point) -> bool {
    a.within(b, TOLERANCE)
}

/// Classifies the contact of `attacker`'s front with `enemy` (HOTT-161 to HOTT-165). Bases that overlap
/// are classified by their edges all the same.
#[must_use]
pub fn contact(attacker: &Base, enemy: &Base) -> Contact {
    if attacker.far_from(enemy, TOLERANCE) {
        return Contact::None;
    }
    let legal = front_position(attacker, enemy);
    if legal != Contact::None {
        return legal;
    }
    if !attacker.touches(enemy) {
        return Contact::None;
    }
    let along = |mine: Edge| Edge::ALL.iter().any(|e| shared_edge(attacker, mine, enemy, *e) > 2 * TOLERANCE);
    if along(Edge::Left) || along(Edge::Right) {
        Contact::SideEdge
    } else if corner_pairs(attacker, enemy) != 0 && !along(Edge::Front) && !along(Edge::Rear) {
        Contact::Corner
    } else {
        Contact::Partial
    }
}

/// The legal contact of `attacker`'s front with `enemy`: front, flank or rear (HOTT-161 to HOTT-163), else
/// [`Contact::None`]. As [`contact`], without looking at what is not legal.
#[must_use]
pub fn legal_contact(attacker: &Base, enemy: &Base) -> Contact {
    if attacker.far_from(enemy, TOLERANCE) { Contact::None } else { front_position(attacker, enemy) }
}

/// The legal position the attacker's front is in, or `None`.
fn front_position(attacker: &Base, enemy: &Base) -> Contact {
    let frame = enemy.pose.frame();
    let left = frame.to_local(attacker.corner(Corner::FrontLeft));
    let right = frame.to_local(attacker.corner(Corner::FrontRight));
    let [front_left, rear_left, rear_right, front_right] = enemy.size.local_corners();
    let on_line = |p: Point, x: Len| (p.x - x).abs() <= TOLERANCE && p.y < -TOLERANCE;
    if same(left, front_right) && same(right, front_left) {
        Contact::Front
    } else if same(left, front_left) && on_line(right, front_left.x) {
        Contact::Flank(Side::Left)
    } else if same(right, front_right) && on_line(left, front_right.x) {
        Contact::Flank(Side::Right)
    } else if same(left, rear_left) && same(right, rear_right) {
        Contact::Rear
    } else {
        Contact::None
    }
}

/// HOTT-164: whether any part of the front edge of `attacker` touches the perimeter of `target`.
#[must_use]
pub fn front_edge_touches(attacker: &Base, target: &Base) -> bool {
    if attacker.far_from(target, TOLERANCE) {
        return false;
    }
    let front = attacker.edge(Edge::Front);
    Edge::ALL.iter().any(|e| target.edge(*e).distance(&front) <= TOLERANCE)
}

/// Whether the two given corners touch.
#[must_use]
pub fn corners_touch(a: &Base, corner: Corner, b: &Base, other: Corner) -> bool {
    same(a.corner(corner), b.corner(other))
}

/// Which corners touch: bit `4 * (corner of a) + (corner of b)`, in the order of [`Corner::ALL`].
fn corner_pairs(a: &Base, b: &Base) -> u16 {
    let (mine, theirs) = (a.corners(), b.corners());
    let mut pairs = 0;
    for (i, p) in mine.iter().enumerate() {
        for (j, q) in theirs.iter().enumerate() {
            if same(*p, *q) {
                pairs |= 1 << (4 * i + j);
            }
        }
    }
    pairs
}

/// The length that an edge of `a` and an edge of `b` have in common: the stretch along which they lie
/// within the tolerance of each other; 0 if there is none or it is no longer than the tolerance.
#[must_use]
pub fn shared_edge(a: &Base, edge: Edge, b: &Base, other: Edge) -> Len {
    shared(&a.edge(edge), &b.edge(other))
}

fn shared(one: &Segment, two: &Segment) -> Len {
    let length = i64::from(one.length());
    if length == 0 {
        return 0;
    }
    let along = |p: Point| crate::point::dot(one.a, one.b, p) / length;
    let (p, q) = (along(two.a), along(two.b));
    let (low, high) = (p.min(q).max(0), p.max(q).min(length));
    if high - low <= i64::from(TOLERANCE) {
        return 0;
    }
    // The ends of the common stretch must lie within the tolerance of the other edge.
    let on_one = |t: i64| {
        let part = |from: Len, to: Len| from + ((i64::from(to) - i64::from(from)) * t / length) as Len;
        Point { x: part(one.a.x, one.b.x), y: part(one.a.y, one.b.y) }
    };
    let close = |t: i64| two.distance_to(on_one(t)) <= TOLERANCE;
    if close(low) && close(high) { (high - low) as Len } else { 0 }
}

/// HOTT-242, the geometry of it: on which side of `fighter` `other` stands as an overlap, that is corner to
/// corner with its front corner (left to left or right to right) or with a side edge along its side edge.
#[must_use]
pub fn overlap_side(other: &Base, fighter: &Base) -> Option<Side> {
    if other.far_from(fighter, TOLERANCE) {
        return None;
    }
    Side::BOTH.into_iter().find(|side| {
        corners_touch(other, side.front(), fighter, side.front())
            || Side::BOTH.iter().any(|s| shared_edge(other, s.edge(), fighter, side.edge()) > 0)
    })
}

/// Turned less than this (0.09 degrees) against each other, two bases face the same way: a corner one
/// base away is then still within the tolerance.
const SAME_FACING: i32 = 9;

/// Whether two bases face the same way.
#[must_use]
pub fn same_facing(a: &Base, b: &Base) -> bool {
    a.pose.heading.angle_to(b.pose.heading) <= SAME_FACING
}

/// Whether two bases face opposite ways.
#[must_use]
pub fn opposite_facing(a: &Base, b: &Base) -> bool {
    a.pose.heading.angle_to(b.pose.heading.opposite()) <= SAME_FACING
}

/// HOTT-246: whether `rear` stands directly behind `front`: same facing, full edge, corner to corner.
#[must_use]
pub fn directly_behind(rear: &Base, front: &Base) -> bool {
    same_facing(rear, front) && front_position(rear, front) == Contact::Rear
}

/// Where a neighbour in a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Neighbour {
    /// Beside it, front corners (or rear corners) together.
    Beside(Side),
    /// Directly ahead.
    Ahead,
    /// Directly behind.
    Behind,
}

/// HOTT-119: where `other` stands as a neighbour of `base` in a group: same facing, edge to edge and corner
/// to corner.
#[must_use]
pub fn neighbour(base: &Base, other: &Base) -> Option<Neighbour> {
    if base.far_from(other, TOLERANCE) || !same_facing(base, other) {
        return None;
    }
    if directly_behind(other, base) {
        return Some(Neighbour::Behind);
    }
    if directly_behind(base, other) {
        return Some(Neighbour::Ahead);
    }
    Side::BOTH.into_iter().find_map(|side| {
        let facing = side.other();
        let beside = corners_touch(base, side.front(), other, facing.front())
            || corners_touch(base, side.rear(), other, facing.rear());
        (beside && shared_edge(base, side.edge(), other, facing.edge()) > 0)
            .then_some(Neighbour::Beside(side))
    })
}

/// A line through an edge of a base, prolonged without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// Through the side edge on this side.
    Flank(Side),
    /// Through the front edge.
    Front,
    /// Through the rear edge.
    Rear,
}

/// How much of a base lies beyond a line, on the side away from the base whose line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Beyond {
    /// No part.
    Not,
    /// Some part, but not all.
    Partly,
    /// All of it; up to the tolerance may stick out.
    Wholly,
}

/// How much of `base` lies beyond a prolonged edge of `enemy` (HOTT-171).
#[must_use]
pub fn beyond(base: &Base, enemy: &Base, line: Line) -> Beyond {
    let frame = enemy.pose.frame();
    let out = base.corners().map(|corner| {
        let p = frame.to_local(corner);
        match line {
            Line::Flank(Side::Left) => enemy.size.left() - p.x,
            Line::Flank(Side::Right) => p.x - enemy.size.right(),
            Line::Front => p.y,
            Line::Rear => -enemy.size.depth - p.y,
        }
    });
    let (least, most) = (out.iter().min(), out.iter().max());
    if least.is_some_and(|v| *v >= -TOLERANCE) {
        Beyond::Wholly
    } else if most.is_some_and(|v| *v > TOLERANCE) {
        Beyond::Partly
    } else {
        Beyond::Not
    }
}

/// Whether all of `base` lies behind the rear line of `enemy` (HOTT-171, HOTT-238).
#[must_use]
pub fn beyond_rear(base: &Base, enemy: &Base) -> bool {
    beyond(base, enemy, Line::Rear) == Beyond::Wholly
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, Pose, Size};

    const SMALL: Size = Size::new(16_000, 6_000);
    const DEEP: Size = Size::new(16_000, 12_000);

    fn at(x: Len, y: Len, degrees: i32, size: Size) -> Base {
        Base::new(Pose::new(x, y, Heading::degrees(degrees)), size)
    }

    #[test]
    fn contact_poses_are_that_contact_at_every_heading() {
        for h in 0..36_000 {
            let enemy = Base::new(Pose::new(123_457, 98_761, Heading::new(h)), DEEP);
            let front = small_at(enemy.front_contact());
            assert_eq!(contact(&front, &enemy), Contact::Front, "{h}");
            assert_eq!(contact(&enemy, &front), Contact::Front, "{h}");
            for side in Side::BOTH {
                let flank = small_at(enemy.flank_contact(side, SMALL));
                assert_eq!(contact(&flank, &enemy), Contact::Flank(side), "{h}");
                assert!(!flank.overlaps(&enemy) && flank.touches(&enemy), "{h}");
                let beside = small_at(enemy.beside(side, SMALL));
                assert_eq!(neighbour(&enemy, &beside), Some(Neighbour::Beside(side)), "{h}");
                assert_eq!(neighbour(&beside, &enemy), Some(Neighbour::Beside(side.other())), "{h}");
            }
            let rear = small_at(enemy.rear_contact());
            assert_eq!(contact(&rear, &enemy), Contact::Rear, "{h}");
            assert_eq!(neighbour(&enemy, &rear), Some(Neighbour::Behind), "{h}");
            let ahead = small_at(enemy.ahead(SMALL));
            assert_eq!(neighbour(&enemy, &ahead), Some(Neighbour::Ahead), "{h}");
            assert!(!rear.overlaps(&enemy) && !front.overlaps(&enemy) && !ahead.overlaps(&enemy), "{h}");
        }
    }

    fn small_at(pose: Pose) -> Base {
        Base::new(pose, SMALL)
    }

    #[test]
    fn contact_holds_to_the_tolerance_and_no_farther() {
        let enemy = at(100_000, 100_000, 0, SMALL);
        for (off, expected) in [(25, Contact::Front), (26, Contact::None)] {
            let attacker = small_at(enemy.front_contact().back(off));
            assert_eq!(contact(&attacker, &enemy), expected, "{off}");
        }
        let aside = small_at(enemy.front_contact().sideways(26));
        assert_eq!(contact(&aside, &enemy), Contact::Partial);
    }

    #[test]
    fn touches_that_are_no_legal_contact() {
        let enemy = at(100_000, 100_000, 0, SMALL);
        let overlap = at(116_000, 100_000, 180, SMALL);
        assert_eq!(contact(&overlap, &enemy), Contact::Corner);
        assert_eq!(overlap_side(&overlap, &enemy), Some(Side::Right));
        let line = at(116_000, 100_000, 0, SMALL);
        assert_eq!(contact(&line, &enemy), Contact::SideEdge);
        let oblique = at(100_000, 100_000, 150, SMALL);
        assert_eq!(contact(&oblique.at(oblique.pose.back(4_000)), &enemy), Contact::Partial);
        let back_to_back = at(100_000, 94_000 - 6_000, 180, SMALL);
        assert_eq!(contact(&back_to_back, &enemy), Contact::Partial);
        assert_eq!(contact(&at(100_000, 200_000, 180, SMALL), &enemy), Contact::None);
    }

    #[test]
    fn lines_prolonged() {
        let enemy = at(100_000, 100_000, 0, SMALL);
        let right = Line::Flank(Side::Right);
        assert_eq!(beyond(&at(116_000, 130_000, 0, SMALL), &enemy, right), Beyond::Wholly);
        assert_eq!(beyond(&at(115_975, 130_000, 0, SMALL), &enemy, right), Beyond::Wholly);
        assert_eq!(beyond(&at(115_974, 130_000, 0, SMALL), &enemy, right), Beyond::Partly);
        assert_eq!(beyond(&at(100_025, 130_000, 0, SMALL), &enemy, right), Beyond::Not);
        assert!(beyond_rear(&at(100_000, 94_000, 0, SMALL), &enemy));
        assert!(!beyond_rear(&at(100_000, 94_100, 0, SMALL), &enemy));
        assert_eq!(beyond(&at(100_000, 106_000, 0, SMALL), &enemy, Line::Front), Beyond::Wholly);
    }
}
