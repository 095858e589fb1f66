//! Terrain: polygons, discs and ways, and how bases, hulls and lines lie to them.

mod polygon;
mod way;

use std::fmt;

use crate::point::root;
use crate::{Base, Hull, LIMIT, Len, Point, Segment, TOLERANCE, convex};

pub use polygon::Polygon;
pub use way::Way;

/// A disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Disc {
    /// Its middle.
    pub centre: Point,
    /// Its radius.
    pub radius: Len,
}

/// The ground plan of a terrain feature or a Stronghold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A simple polygon.
    Polygon(Polygon),
    /// A disc.
    Disc(Disc),
    /// A line with a width: a river or road.
    Way(Way),
}

/// Why points make no shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// Too few different points: how many there are, how many are needed.
    TooFew {
        /// Different points given.
        given: usize,
        /// Points needed.
        needed: usize,
    },
    /// The point with this number (from 0) is farther out than any board (83,886 paces).
    TooFar(usize),
    /// The sides that begin at the points with these numbers (from 0, repeated points left out) cross or touch.
    Crossing(usize, usize),
    /// The points lie on one line.
    Flat,
    /// The width or radius is not above 0 and below 83,886 paces.
    Width(Len),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::TooFew { given, needed } => {
                write!(f, "{given} different points where at least {needed} are needed")
            }
            ShapeError::TooFar(i) => write!(f, "point {i} (counted from 0) is farther out than any board"),
            ShapeError::Crossing(i, j) => write!(
                f,
                "the sides from points {i} and {j} (counted from 0) cross; give the corners in order around \
                 the outline"
            ),
            ShapeError::Flat => f.write_str("the points lie on one line and enclose no area"),
            ShapeError::Width(w) => {
                write!(
                    f,
                    "a width or radius of {w} hundredths of a pace; it must be above 0 and on the board"
                )
            }
        }
    }
}

impl std::error::Error for ShapeError {}

/// Refuses points farther out than [`LIMIT`].
fn in_reach(points: &[Point]) -> Result<(), ShapeError> {
    let far = |v: Len| !(-LIMIT..=LIMIT).contains(&v);
    match points.iter().position(|p| far(p.x) || far(p.y)) {
        Some(i) => Err(ShapeError::TooFar(i)),
        None => Ok(()),
    }
}

fn bounds_of(points: &[Point]) -> (Point, Point) {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold((first, first), |(low, high), p| {
        (Point { x: low.x.min(p.x), y: low.y.min(p.y) }, Point { x: high.x.max(p.x), y: high.y.max(p.y) })
    })
}

impl Disc {
    /// A disc about a point.
    ///
    /// # Errors
    /// A radius that is not above 0, or a centre or radius beyond [`LIMIT`].
    pub fn new(centre: Point, radius: Len) -> Result<Disc, ShapeError> {
        in_reach(&[centre])?;
        if !(1..=LIMIT).contains(&radius) {
            return Err(ShapeError::Width(radius));
        }
        Ok(Disc { centre, radius })
    }

    fn inside_length(&self, segment: &Segment) -> Len {
        let length = segment.length();
        if length == 0 {
            return 0;
        }
        let along = (crate::point::dot(segment.a, segment.b, self.centre) / i64::from(length)) as Len;
        let off = crate::point::per_length(
            crate::point::cross(segment.a, segment.b, self.centre),
            segment.a.distance_squared(segment.b),
        );
        let r = i64::from(self.radius);
        let half = root(r * r - off * off);
        ((along + half).min(length) - (along - half).max(0)).max(0)
    }
}

impl Shape {
    /// What lies within the radius of the core is the shape: a polygon's own sides, a disc's centre, a
    /// way's middle line.
    fn core(&self) -> impl Iterator<Item = Segment> + '_ {
        let (points, closed): (&[Point], bool) = match self {
            Shape::Polygon(p) => (p.points(), true),
            Shape::Disc(d) => (std::slice::from_ref(&d.centre), true),
            Shape::Way(w) => (w.points(), false),
        };
        let closing = points.last().copied().filter(|_| closed);
        let before = closing.into_iter().chain(points.iter().copied());
        let after = points.iter().copied().skip(usize::from(!closed));
        before.zip(after).map(|(a, b)| Segment { a, b })
    }

    const fn radius(&self) -> Len {
        match self {
            Shape::Polygon(_) => 0,
            Shape::Disc(d) => d.radius,
            Shape::Way(w) => w.half_width(),
        }
    }

    fn fills(&self, p: Point) -> bool {
        matches!(self, Shape::Polygon(polygon) if polygon.contains(p))
    }

    /// The smallest box along the board's edges around it: lower left and upper right corner.
    #[must_use]
    pub fn bounds(&self) -> (Point, Point) {
        match self {
            Shape::Polygon(p) => p.bounds(),
            Shape::Disc(d) => {
                let r = Point { x: d.radius, y: d.radius };
                (d.centre.minus(r), d.centre.plus(r))
            }
            Shape::Way(w) => w.bounds(),
        }
    }

    /// How far a point is from the edge of the shape: positive outside, negative inside.
    #[must_use]
    pub fn signed_distance(&self, p: Point) -> Len {
        let core = self.core().map(|s| s.distance_to(p)).min().unwrap_or(Len::MAX);
        if self.fills(p) { -core } else { core - self.radius() }
    }

    /// The distance of a point from the shape, 0 inside.
    #[must_use]
    pub fn distance_to(&self, p: Point) -> Len {
        self.signed_distance(p).max(0)
    }

    /// Whether a point lies in the shape, its edge included (no tolerance).
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        match self {
            Shape::Polygon(polygon) => polygon.contains(p),
            _ => self.signed_distance(p) <= 0,
        }
    }

    /// Whether no part of a box can be nearer than `gap`.
    fn far_from(&self, low: Point, high: Point, gap: Len) -> bool {
        let (l, h) = self.bounds();
        let gap = i64::from(gap);
        let apart = |a: Len, b: Len| i64::from(a) + gap < i64::from(b);
        apart(high.x, l.x) || apart(h.x, low.x) || apart(high.y, l.y) || apart(h.y, low.y)
    }

    fn far_from_base(&self, base: &Base, gap: Len) -> bool {
        let reach = Point { x: base.size.reach(), y: base.size.reach() };
        self.far_from(base.pose.point().minus(reach), base.pose.point().plus(reach), gap)
    }

    /// The distance of a convex polygon from the core, 0 if they meet.
    fn core_distance(&self, points: &[Point]) -> Len {
        if points.first().is_some_and(|p| self.fills(*p)) {
            return 0;
        }
        let mut least = Len::MAX;
        for s in self.core() {
            if convex::contains(points, s.a) {
                return 0;
            }
            least = least.min(match points {
                [only] => s.distance_to(*only),
                _ => convex::edges(points).map(|e| e.distance(&s)).min().unwrap_or(Len::MAX),
            });
            if least == 0 {
                return 0;
            }
        }
        least
    }

    fn overlaps_points(&self, points: &[Point]) -> bool {
        match self {
            Shape::Polygon(p) => p.overlaps(points),
            // The middle itself may lie less than the tolerance inside, but the shape reaches on.
            _ => self.radius() > TOLERANCE && self.core_distance(points) < self.radius() - TOLERANCE,
        }
    }

    /// Whether some part of a base is in the shape, deeper than the tolerance (HOTT-052).
    #[must_use]
    pub fn overlaps(&self, base: &Base) -> bool {
        !self.far_from_base(base, 0) && !self.is_off(base) && self.overlaps_points(&base.corners())
    }

    /// Whether a base is farther from the middle of a way or disc than its half width and the base's own reach: one
    /// distance for each of its pieces, where the exact test measures many.
    fn is_off(&self, base: &Base) -> bool {
        let most = self.radius().saturating_add(base.size.reach());
        let sane = base.pose.x.unsigned_abs().max(base.pose.y.unsigned_abs()) <= crate::LIMIT.unsigned_abs();
        !matches!(self, Shape::Polygon(_))
            && sane
            && self.core().all(|s| s.distance_to(base.pose.point()) > most)
    }

    /// Whether some part of a hull is in the shape, deeper than the tolerance.
    #[must_use]
    pub fn overlaps_hull(&self, hull: &Hull) -> bool {
        let (low, high) = hull.bounds();
        !self.far_from(low, high, 0) && self.overlaps_points(hull.points())
    }

    /// Whether some part of a box along the board's edges (such as a quarter, HOTT-063) is in the shape, deeper
    /// than the tolerance.
    #[must_use]
    pub fn overlaps_box(&self, low: Point, high: Point) -> bool {
        let corners = [low, Point { x: high.x, y: low.y }, high, Point { x: low.x, y: high.y }];
        !self.far_from(low, high, 0) && self.overlaps_points(&corners)
    }

    /// Whether the whole base is in the shape: no part sticks out past the tolerance.
    #[must_use]
    pub fn holds(&self, base: &Base) -> bool {
        let corners = base.corners();
        match self {
            Shape::Polygon(p) => {
                let size = base.size;
                let inset = |v: Len, by: Len| if v > 0 { (v - by).max(0) } else { (v + by).min(0) };
                let inner = size.local_corners().map(|c| Point {
                    x: inset(c.x, TOLERANCE),
                    y: if c.y == 0 { -TOLERANCE.min(size.depth / 2) } else { inset(c.y, TOLERANCE) },
                });
                let frame = base.pose.frame();
                p.holds(&inner.map(|c| frame.to_world(c)))
            }
            Shape::Disc(_) => corners.iter().all(|c| self.signed_distance(*c) <= TOLERANCE),
            Shape::Way(w) => convex::edges(&corners)
                .all(|edge| w.length_within(&edge, w.half_width() + TOLERANCE) + 2 >= edge.length()),
        }
    }

    /// The distance of a base from the shape, nearest point to nearest point, 0 if they touch or overlap.
    #[must_use]
    pub fn distance(&self, base: &Base) -> Len {
        (self.core_distance(&base.corners()) - self.radius()).max(0)
    }

    /// Whether a base is within `limit` of the shape, to the tolerance.
    #[must_use]
    pub fn within(&self, base: &Base, limit: Len) -> bool {
        let reach = limit.saturating_add(TOLERANCE);
        !self.far_from_base(base, reach) && self.distance(base) <= reach
    }

    /// Whether a base touches or overlaps the shape.
    #[must_use]
    pub fn touches(&self, base: &Base) -> bool {
        self.within(base, 0)
    }

    /// HOTT-164: whether any part of the front edge of a base touches the shape.
    #[must_use]
    pub fn touches_front(&self, base: &Base) -> bool {
        if self.far_from_base(base, TOLERANCE) {
            return false;
        }
        let front = base.edge(crate::Edge::Front);
        self.core_distance(&[front.a, front.b]) - self.radius() <= TOLERANCE
    }

    /// The distance of a hull from the shape, 0 if they touch or overlap.
    #[must_use]
    pub fn distance_hull(&self, hull: &Hull) -> Len {
        (self.core_distance(hull.points()) - self.radius()).max(0)
    }

    /// HOTT-068: the distance from the nearest point of a base to the edge of the shape, from inside or
    /// outside; 0 if the base stands across the edge.
    #[must_use]
    pub fn edge_distance(&self, base: &Base) -> Len {
        let corners = base.corners();
        let outside = self.distance(base);
        if outside > 0 {
            return outside;
        }
        match self {
            Shape::Polygon(p) => convex::outline_to_outline(p.points(), &corners),
            _ => corners.iter().map(|c| -self.signed_distance(*c)).min().unwrap_or(0).max(0),
        }
    }

    /// The length of the part of a segment that lies in the shape.
    #[must_use]
    pub fn inside_length(&self, segment: &Segment) -> Len {
        let (a, b) = (segment.a, segment.b);
        let low = Point { x: a.x.min(b.x), y: a.y.min(b.y) };
        if self.far_from(low, Point { x: a.x.max(b.x), y: a.y.max(b.y) }, 0) {
            return 0;
        }
        match self {
            Shape::Polygon(p) => p.inside_length(segment),
            Shape::Disc(d) => d.inside_length(segment),
            Shape::Way(w) => w.length_within(segment, w.half_width()),
        }
    }

    /// Whether a straight line crosses the shape, past the tolerance (HOTT-067, HOTT-255): more of it than
    /// that lies inside, and still some if it is moved aside by that much to either hand.
    #[must_use]
    pub fn crosses(&self, segment: &Segment) -> bool {
        if self.inside_length(segment) <= TOLERANCE {
            return false;
        }
        let along = segment.b.minus(segment.a);
        let length = i64::from(segment.length().max(1));
        let part = |v: Len| (i64::from(v) * i64::from(TOLERANCE) / length) as Len;
        let aside = Point { x: part(along.y), y: part(-along.x) };
        [(segment.a.plus(aside), segment.b.plus(aside)), (segment.a.minus(aside), segment.b.minus(aside))]
            .into_iter()
            .all(|(a, b)| self.inside_length(&Segment { a, b }) > 0)
    }

    /// The distance between two shapes, nearest point to nearest point, 0 if they touch or overlap.
    #[must_use]
    pub fn distance_shape(&self, other: &Shape) -> Len {
        let holds = |one: &Shape, two: &Shape| two.core().next().is_some_and(|s| one.fills(s.a));
        if holds(self, other) || holds(other, self) {
            return 0;
        }
        let mut least = Len::MAX;
        for s in self.core() {
            for t in other.core() {
                least = least.min(s.distance(&t));
            }
        }
        least.saturating_sub(self.radius() + other.radius()).max(0)
    }

    /// HOTT-065: how far it is across, that is its smallest width between two parallel lines; the width of a
    /// way.
    #[must_use]
    pub fn across(&self) -> Len {
        match self {
            Shape::Polygon(p) => p.across(),
            Shape::Disc(d) => d.radius.saturating_mul(2),
            Shape::Way(w) => w.width(),
        }
    }

    /// A point that stands for its middle, to write a name at: the middle of its box, a way's middle point.
    #[must_use]
    pub fn middle(&self) -> Point {
        match self {
            Shape::Way(w) => w.points().get(w.points().len() / 2).copied().unwrap_or_default(),
            _ => {
                let (low, high) = self.bounds();
                low.middle(high)
            }
        }
    }
}

impl From<Polygon> for Shape {
    fn from(polygon: Polygon) -> Shape {
        Shape::Polygon(polygon)
    }
}

impl From<Disc> for Shape {
    fn from(disc: Disc) -> Shape {
        Shape::Disc(disc)
    }
}

impl From<Way> for Shape {
    fn from(way: Way) -> Shape {
        Shape::Way(way)
    }
}

#[cfg(test)]
mod tests;
