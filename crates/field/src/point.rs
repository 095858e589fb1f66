//! Points and segments.

use crate::{LIMIT, Len};

/// A point, or a vector, in hundredths of a pace: on the board (x right, y up) or in the frame of a base
/// (x to its right, y forward). Coordinates are expected within [`LIMIT`]; every function of this crate
/// that makes points keeps them there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Right.
    pub x: Len,
    /// Up the board, or forward.
    pub y: Len,
}

impl Point {
    /// The point at x, y, brought within [`LIMIT`].
    #[must_use]
    pub const fn new(x: Len, y: Len) -> Point {
        Point { x: clamp(x as i64), y: clamp(y as i64) }
    }

    /// The square of the distance to another point.
    #[must_use]
    #[inline]
    pub const fn distance_squared(self, other: Point) -> i64 {
        let dx = other.x as i64 - self.x as i64;
        let dy = other.y as i64 - self.y as i64;
        dx * dx + dy * dy
    }

    /// The distance to another point, to the nearest hundredth of a pace.
    #[must_use]
    pub const fn distance(self, other: Point) -> Len {
        root(self.distance_squared(other))
    }

    /// Whether two points are within `limit` of each other, exactly (no tolerance added).
    #[must_use]
    #[inline]
    pub const fn within(self, other: Point, limit: Len) -> bool {
        self.distance_squared(other) <= limit as i64 * limit as i64
    }

    /// The sum of two vectors.
    #[must_use]
    pub const fn plus(self, other: Point) -> Point {
        Point { x: clamp(self.x as i64 + other.x as i64), y: clamp(self.y as i64 + other.y as i64) }
    }

    /// The vector from `other` to this point.
    #[must_use]
    pub const fn minus(self, other: Point) -> Point {
        Point { x: clamp(self.x as i64 - other.x as i64), y: clamp(self.y as i64 - other.y as i64) }
    }

    /// The point halfway to another, rounded down.
    #[must_use]
    pub const fn middle(self, other: Point) -> Point {
        Point {
            x: ((self.x as i64 + other.x as i64) >> 1) as Len,
            y: ((self.y as i64 + other.y as i64) >> 1) as Len,
        }
    }
}

/// Brings a coordinate within [`LIMIT`].
#[inline]
pub(crate) const fn clamp(v: i64) -> Len {
    let limit = LIMIT as i64;
    (if v > limit {
        limit
    } else if v < -limit {
        -limit
    } else {
        v
    }) as Len
}

/// The square root to the nearest whole number; 0 below 0.
pub(crate) const fn root(square: i64) -> Len {
    if square <= 0 {
        return 0;
    }
    let r = square.isqrt();
    let r = if square - r * r > r { r + 1 } else { r };
    if r > i32::MAX as i64 { i32::MAX } else { r as Len }
}

/// Twice the area of the triangle o, a, b: positive if b lies left of the way from o to a.
#[inline]
pub(crate) const fn cross(o: Point, a: Point, b: Point) -> i64 {
    let (ax, ay) = (a.x as i64 - o.x as i64, a.y as i64 - o.y as i64);
    let (bx, by) = (b.x as i64 - o.x as i64, b.y as i64 - o.y as i64);
    ax * by - ay * bx
}

/// The inner product of the vectors o to a and o to b.
#[inline]
pub(crate) const fn dot(o: Point, a: Point, b: Point) -> i64 {
    let (ax, ay) = (a.x as i64 - o.x as i64, a.y as i64 - o.y as i64);
    let (bx, by) = (b.x as i64 - o.x as i64, b.y as i64 - o.y as i64);
    ax * bx + ay * by
}

/// A product of a length and an edge (see [`cross`]) divided by the edge's length, to the nearest.
#[inline]
pub(crate) const fn per_length(product: i64, length_squared: i64) -> i64 {
    // Six more bits of the root keep short edges exact to the hundredth.
    let length = (length_squared << 12).isqrt();
    if length == 0 {
        return 0;
    }
    let scaled = product << 6;
    (if scaled >= 0 { scaled + length / 2 } else { scaled - length / 2 }) / length
}

/// A straight line between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment {
    /// One end.
    pub a: Point,
    /// The other end.
    pub b: Point,
}

impl Segment {
    /// The segment between two points.
    #[must_use]
    pub const fn new(a: Point, b: Point) -> Segment {
        Segment { a, b }
    }

    /// Its length.
    #[must_use]
    pub const fn length(&self) -> Len {
        self.a.distance(self.b)
    }

    /// Its middle, rounded down.
    #[must_use]
    pub const fn middle(&self) -> Point {
        self.a.middle(self.b)
    }

    /// The distance of a point from the nearest point of the segment, to the nearest hundredth.
    #[must_use]
    pub const fn distance_to(&self, p: Point) -> Len {
        let length = self.a.distance_squared(self.b);
        let along = dot(self.a, self.b, p);
        if along <= 0 {
            self.a.distance(p)
        } else if along >= length {
            self.b.distance(p)
        } else {
            per_length(cross(self.a, self.b, p).abs(), length) as Len
        }
    }

    /// The point of the segment nearest to `p`, rounded to hundredths.
    #[must_use]
    pub fn nearest(&self, p: Point) -> Point {
        let length = self.a.distance_squared(self.b);
        let along = dot(self.a, self.b, p);
        if along <= 0 {
            self.a
        } else if along >= length {
            self.b
        } else {
            let part = |from: Len, to: Len| {
                let way = i128::from(to) - i128::from(from);
                let twice = 2 * way * i128::from(along) + i128::from(length);
                from + twice.div_euclid(2 * i128::from(length)) as Len
            };
            Point { x: part(self.a.x, self.b.x), y: part(self.a.y, self.b.y) }
        }
    }

    /// Whether two segments have a point in common, ends included.
    #[must_use]
    pub const fn meets(&self, other: &Segment) -> bool {
        let (o1, o2) = (cross(self.a, self.b, other.a), cross(self.a, self.b, other.b));
        let (o3, o4) = (cross(other.a, other.b, self.a), cross(other.a, other.b, self.b));
        if o1.signum() * o2.signum() < 0 && o3.signum() * o4.signum() < 0 {
            return true;
        }
        (o1 == 0 && self.boxes(other.a))
            || (o2 == 0 && self.boxes(other.b))
            || (o3 == 0 && other.boxes(self.a))
            || (o4 == 0 && other.boxes(self.b))
    }

    /// The distance between two segments, 0 if they meet.
    #[must_use]
    pub const fn distance(&self, other: &Segment) -> Len {
        if self.meets(other) {
            return 0;
        }
        let d = [
            self.distance_to(other.a),
            self.distance_to(other.b),
            other.distance_to(self.a),
            other.distance_to(self.b),
        ];
        let (low, high) = (if d[0] < d[1] { d[0] } else { d[1] }, if d[2] < d[3] { d[2] } else { d[3] });
        if low < high { low } else { high }
    }

    /// Whether a point on the segment's line lies between its ends.
    const fn boxes(&self, p: Point) -> bool {
        let (x0, x1) = if self.a.x < self.b.x { (self.a.x, self.b.x) } else { (self.b.x, self.a.x) };
        let (y0, y1) = if self.a.y < self.b.y { (self.a.y, self.b.y) } else { (self.b.y, self.a.y) };
        x0 <= p.x && p.x <= x1 && y0 <= p.y && p.y <= y1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seg(ax: Len, ay: Len, bx: Len, by: Len) -> Segment {
        Segment::new(Point::new(ax, ay), Point::new(bx, by))
    }

    #[test]
    fn roots_round_to_the_nearest() {
        for n in 0..2_000i64 {
            assert_eq!(i64::from(root(n)), (n as f64).sqrt().round() as i64, "{n}");
        }
        assert_eq!(root(-4), 0);
        assert_eq!(root(i64::MAX), i32::MAX);
    }

    #[test]
    fn points_and_segments() {
        let s = seg(0, 0, 100, 0);
        assert_eq!(s.distance_to(Point::new(50, 30)), 30);
        assert_eq!(s.distance_to(Point::new(-30, 40)), 50);
        assert_eq!(s.nearest(Point::new(33, 9)), Point::new(33, 0));
        assert!(s.meets(&seg(50, -10, 50, 10)));
        assert!(s.meets(&seg(100, 0, 200, 50)));
        assert!(!s.meets(&seg(101, 0, 200, 0)));
        assert_eq!(s.distance(&seg(110, 0, 200, 0)), 10);
        assert_eq!(s.distance(&seg(50, 7, 200, 90)), 7);
        assert_eq!(seg(0, 0, 0, 0).distance_to(Point::new(3, 4)), 5);
    }
}
