//! Gaps and lines between bases.

use crate::{Base, Edge, Hull, Len, Point, Segment, TOLERANCE, convex};

/// The narrowest place between two bases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gap {
    /// From the one to the other; between parallel edges in the middle of the stretch that they face each
    /// other.
    pub segment: Segment,
    /// The distance of the two.
    pub width: Len,
}

impl Gap {
    /// The gap between two bases.
    #[must_use]
    pub fn between(a: &Base, b: &Base) -> Gap {
        let (from, to) = a.nearest_points(b);
        Gap { segment: Segment::new(from, to), width: a.distance(b) }
    }

    /// HOTT-114: whether the gap is too narrow for a front, past the tolerance.
    #[must_use]
    pub const fn is_narrower(&self, front: Len) -> bool {
        self.width as i64 + (TOLERANCE as i64) < front as i64
    }

    /// Whether what a base passes over lies across the gap, on both sides of its line deeper than the tolerance.
    #[must_use]
    pub fn is_crossed(&self, hull: &Hull) -> bool {
        self.segment.a != self.segment.b && convex::overlaps(hull.points(), &[self.segment.a, self.segment.b])
    }
}

impl Base {
    /// The nearest points of two bases, the first on this base. Where parallel edges face each other they are
    /// the middles of the stretches.
    #[must_use]
    pub fn nearest_points(&self, other: &Base) -> (Point, Point) {
        // Apart, one of the two nearest points is a corner: eight candidates.
        let mut found = [(0, Point::default(), Point::default()); 8];
        for (i, corner) in other.corners().into_iter().enumerate() {
            let on = self.nearest_point(corner);
            found[i] = (on.distance(corner), on, corner);
        }
        for (i, corner) in self.corners().into_iter().enumerate() {
            let on = other.nearest_point(corner);
            found[4 + i] = (on.distance(corner), corner, on);
        }
        let least = found.iter().map(|f| f.0).min().unwrap_or(0);
        // Bases and the distance being convex, the mean of equally near pairs is as near.
        let near = || found.iter().filter(|f| f.0 <= least + 2);
        let count = near().count().max(1) as i64;
        let mean = |of: fn(&(Len, Point, Point)) -> Point| {
            let sum = near().map(of).fold((0i64, 0i64), |s, p| (s.0 + i64::from(p.x), s.1 + i64::from(p.y)));
            Point { x: sum.0.div_euclid(count) as Len, y: sum.1.div_euclid(count) as Len }
        };
        (mean(|f| f.1), mean(|f| f.2))
    }

    /// The point of the base nearest to a point of the board.
    #[must_use]
    pub fn nearest_point(&self, point: Point) -> Point {
        let frame = self.pose.frame();
        let p = frame.to_local(point);
        let x = p.x.clamp(self.size.left(), self.size.right());
        let y = p.y.clamp(-self.size.depth, 0);
        if p.x == x && p.y == y { point } else { frame.to_world(Point { x, y }) }
    }

    /// The distance of a base from a segment, 0 if the segment touches or crosses it (HOTT-255: a line that
    /// passes within a distance of a base).
    #[must_use]
    pub fn distance_to_segment(&self, segment: &Segment) -> Len {
        convex::distance(&self.corners(), &[segment.a, segment.b])
    }

    /// Whether a segment passes through the base, deeper than the tolerance.
    #[must_use]
    pub fn is_crossed(&self, segment: &Segment) -> bool {
        segment.a != segment.b && convex::overlaps(&self.corners(), &[segment.a, segment.b])
    }

    /// The edge of this base that is nearest to the front edge of `from`; of equally near ones that whose
    /// middle is nearer.
    #[must_use]
    pub fn edge_facing(&self, from: &Base) -> Edge {
        let front = from.edge(Edge::Front);
        let key = |e: &Edge| {
            let edge = self.edge(*e);
            (edge.distance(&front), edge.middle().distance_squared(front.middle()))
        };
        Edge::ALL.into_iter().min_by_key(key).unwrap_or(Edge::Front)
    }
}

impl Hull {
    /// HOTT-228: the strip from the front edge of a shooter to the target's edge that faces it.
    #[must_use]
    pub fn shot(shooter: &Base, target: &Base) -> Hull {
        Hull::strip(&shooter.edge(Edge::Front), &target.edge(target.edge_facing(shooter)))
    }

    /// The line of sight between two bases: from nearest point to nearest point.
    #[must_use]
    pub fn sight(from: &Base, to: &Base) -> Segment {
        let (a, b) = from.nearest_points(to);
        Segment::new(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, Pose, Side, Size, Stage};

    const SIZE: Size = Size::new(16_000, 6_000);

    fn at(x: Len, y: Len, degrees: i32) -> Base {
        Base::new(Pose::new(x, y, Heading::degrees(degrees)), SIZE)
    }

    #[test]
    fn gaps() {
        for h in (0..36_000).step_by(101) {
            let left = Base::new(Pose::new(500_000, 500_000, Heading::new(h)), SIZE);
            let right = left.at(left.pose.sideways(16_000 + 10_000));
            let gap = Gap::between(&left, &right);
            assert!((gap.width - 10_000).abs() <= 1);
            assert!(gap.is_narrower(16_000) && !gap.is_narrower(10_000) && !gap.is_narrower(10_020));
            let middle = left.pose.moved(13_000, -3_000).point();
            assert!(gap.segment.middle().within(middle, 3), "{h}: in the middle of the stretch");
            // A base that goes through edge on would fit, but may not.
            let mover = left.at(left.pose.moved(10_000, 20_000).turned(-9_000));
            assert!(!gap.is_crossed(&Hull::base(&mover)), "{h}");
            let back = left.pose.back(40_000).point().minus(left.pose.point());
            assert!(Stage::Shift(back).path(&mover).any(|hull| gap.is_crossed(&hull)), "{h}");
        }
    }

    #[test]
    fn strips_of_shots() {
        let shooter = at(100_000, 100_000, 0);
        let target = at(100_000, 120_000, 180);
        assert_eq!(target.edge_facing(&shooter), Edge::Front);
        let strip = Hull::shot(&shooter, &target);
        assert_eq!(strip.points().len(), 4);
        assert!(strip.overlaps(&at(108_000, 113_000, 0)));
        assert!(!strip.overlaps(&at(116_000, 113_000, 0)), "flush with the strip");
        assert!(!strip.overlaps(&shooter) && !strip.overlaps(&target));
        let flank = at(100_000, 120_000, 90);
        assert_eq!(flank.edge_facing(&shooter), Edge::Right);
        assert!(!Hull::shot(&shooter, &flank).overlaps(&flank));
    }

    #[test]
    fn sight_lines() {
        let (a, b) = (at(0, 0, 0), at(0, 30_000, 180));
        let line = Hull::sight(&a, &b);
        assert_eq!(line.length(), 30_000);
        assert!(at(0, 18_000, 0).is_crossed(&line));
        let aside = at(8_000, 18_000, 0);
        assert!(!aside.is_crossed(&line), "it only touches the line");
        assert_eq!(aside.distance_to_segment(&line), 0);
        assert_eq!(at(18_000, 18_000, 0).distance_to_segment(&line), 10_000);
        let friend = a.at(a.beside(Side::Left, SIZE));
        assert_eq!(friend.distance_to_segment(&line), 8_000);
    }
}
