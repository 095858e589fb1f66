//! Convex hulls of at most eight points: what a base passes over in one straight stage, strips of sight.

use crate::point::cross;
use crate::{Base, Len, Point, Segment, convex};

/// A convex polygon of one to eight points, anticlockwise, in a fixed array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hull {
    points: [Point; 8],
    len: u8,
    low: Point,
    high: Point,
}

/// Rounding leaves the corners of a base a convex polygon if its sides are longer than this.
const SMALL: Len = 16;

impl Hull {
    /// The hull of up to eight points (further ones are left out; of none it is the origin).
    #[must_use]
    pub fn of(points: &[Point]) -> Hull {
        let mut sorted = [Point::default(); 8];
        let count = points.len().min(8);
        sorted[..count].copy_from_slice(&points[..count]);
        let sorted = &mut sorted[..count.max(1)];
        sorted.sort_unstable();
        // Andrew's chain: the lower side from left to right, then the upper side back.
        let mut chain = [Point::default(); 18];
        let mut n = 0;
        for pass in 0..2 {
            let floor = n;
            for i in 0..sorted.len() {
                let p = if pass == 0 { sorted[i] } else { sorted[sorted.len() - 1 - i] };
                while n >= floor + 2 && cross(chain[n - 2], chain[n - 1], p) <= 0 {
                    n -= 1;
                }
                chain[n] = p;
                n += 1;
            }
            // The last point of a side is the first of the other.
            n -= 1;
        }
        let n = n.clamp(1, 8);
        let mut hull = [Point::default(); 8];
        hull.copy_from_slice(&chain[..8]);
        // A single point comes out twice.
        let len = if sorted.first() == sorted.last() { 1 } else { n };
        Hull::ring(hull, len)
    }

    /// The hull with these corners, already in order.
    fn ring(mut points: [Point; 8], len: usize) -> Hull {
        points[len..].fill(Point::default());
        let (mut low, mut high) = (points[0], points[0]);
        for p in &points[1..len] {
            low = Point { x: low.x.min(p.x), y: low.y.min(p.y) };
            high = Point { x: high.x.max(p.x), y: high.y.max(p.y) };
        }
        Hull { points, len: len as u8, low, high }
    }

    /// The base itself as a hull.
    #[must_use]
    pub fn base(base: &Base) -> Hull {
        Hull::of(&base.corners())
    }

    /// What a base passes over from one pose to another: the hull of the base before and after.
    #[must_use]
    pub fn sweep(before: &Base, after: &Base) -> Hull {
        let (a, b) = (before.corners(), after.corners());
        let by = b[0].minus(a[0]);
        let slides = before.size == after.size
            && before.pose.heading == after.pose.heading
            && before.size.width.min(before.size.depth) > SMALL
            && by != Point::default()
            && (1..4).all(|i| b[i].minus(a[i]) == by);
        if slides {
            return Hull::slide(&a, &b, by);
        }
        Hull::of(&[a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]])
    }

    /// The hull of a convex polygon and its copy shifted: sides that look along the shift belong to the copy,
    /// the others to the polygon.
    fn slide(before: &[Point; 4], after: &[Point; 4], by: Point) -> Hull {
        let ahead = |i: usize| {
            let side = before[(i + 1) % 4].minus(before[i]);
            i64::from(by.x) * i64::from(side.y) > i64::from(by.y) * i64::from(side.x)
        };
        let mut points = [Point::default(); 8];
        let mut len = 0;
        let mut last = ahead(3);
        for i in 0..4 {
            let next = ahead(i);
            let (first, second) = if last { (after[i], before[i]) } else { (before[i], after[i]) };
            points[len] = first;
            len += 1;
            if last != next {
                points[len] = second;
                len += 1;
            }
            last = next;
        }
        Hull::ring(points, len)
    }

    /// The strip between two edges (HOTT-228: from the shooting edge to the target's edge).
    #[must_use]
    pub fn strip(one: &Segment, two: &Segment) -> Hull {
        Hull::of(&[one.a, one.b, two.a, two.b])
    }

    /// The hull of a segment: a sight line.
    #[must_use]
    pub fn segment(segment: &Segment) -> Hull {
        Hull::of(&[segment.a, segment.b])
    }

    /// Its corners, anticlockwise.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    /// The smallest box along the board's edges around it: lower left and upper right corner.
    #[must_use]
    pub const fn bounds(&self) -> (Point, Point) {
        (self.low, self.high)
    }

    /// Whether no part of the base can be nearer than `gap` (quick).
    #[must_use]
    pub const fn far_from(&self, base: &Base, gap: Len) -> bool {
        let reach = base.size.reach() as i64 + gap as i64;
        let (x, y) = (base.pose.x as i64, base.pose.y as i64);
        x + reach < self.low.x as i64
            || x - reach > self.high.x as i64
            || y + reach < self.low.y as i64
            || y - reach > self.high.y as i64
    }

    /// Whether the hull overlaps a base, deeper than the tolerance.
    #[must_use]
    pub fn overlaps(&self, base: &Base) -> bool {
        !self.far_from(base, 0) && convex::overlaps(self.points(), &base.corners())
    }

    /// Whether two hulls overlap, deeper than the tolerance.
    #[must_use]
    pub fn overlaps_hull(&self, other: &Hull) -> bool {
        convex::overlaps(self.points(), other.points())
    }

    /// How deep hull and base lie in each other, 0 or less if they are apart.
    #[must_use]
    pub fn penetration(&self, base: &Base) -> Len {
        convex::depth(self.points(), &base.corners())
    }

    /// Whether the hull touches or overlaps a base: nearer than the tolerance.
    #[must_use]
    pub fn touches(&self, base: &Base) -> bool {
        !self.far_from(base, crate::TOLERANCE) && self.distance(base) <= crate::TOLERANCE
    }

    /// The distance from the hull to a base, 0 if they touch or overlap.
    #[must_use]
    pub fn distance(&self, base: &Base) -> Len {
        convex::distance(self.points(), &base.corners())
    }

    /// The distance from the hull to a point, 0 inside.
    #[must_use]
    pub fn distance_to(&self, point: Point) -> Len {
        if convex::contains(self.points(), point) {
            0
        } else {
            convex::outline_distance(self.points(), point)
        }
    }

    /// Whether a point lies in the hull, edges included.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        convex::contains(self.points(), point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, Pose, Size};

    #[test]
    fn hulls_of_few_points() {
        let p = |x, y| Point::new(x, y);
        assert_eq!(Hull::of(&[]).points(), &[p(0, 0)]);
        assert_eq!(Hull::of(&[p(3, 4), p(3, 4)]).points(), &[p(3, 4)]);
        assert_eq!(Hull::of(&[p(3, 4), p(1, 2), p(2, 3)]).points(), &[p(1, 2), p(3, 4)]);
        let square = [p(0, 0), p(10, 0), p(10, 10), p(0, 10), p(5, 5), p(5, 0)];
        assert_eq!(Hull::of(&square).points(), &[p(0, 0), p(10, 0), p(10, 10), p(0, 10)]);
        assert_eq!(Hull::of(&square).bounds(), (p(0, 0), p(10, 10)));
    }

    #[test]
    fn a_slide_past_a_flush_neighbour_is_free() {
        let size = Size::new(16_000, 6_000);
        for h in (0..36_000).step_by(7) {
            let base = Base::new(Pose::new(70_000, 60_000, Heading::new(h)), size);
            let neighbour = base.at(base.beside(crate::Side::Right, size));
            let ahead = base.at(base.pose.forward(20_000));
            assert!(!Hull::sweep(&base, &ahead).overlaps(&neighbour), "{h}");
            let aside = base.at(base.pose.moved(30, 20_000));
            assert!(
                Hull::sweep(&base, &aside).overlaps(&neighbour.at(neighbour.pose.forward(20_000))),
                "{h}"
            );
        }
    }
}
