//! Simple polygons: convex or not, without holes.

use super::{ShapeError, bounds_of, in_reach};
use crate::point::{cross, dot, per_length};
use crate::{Base, Heading, Len, Point, Pose, Segment, TOLERANCE, convex};

/// A simple polygon, anticlockwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polygon {
    points: Vec<Point>,
    /// Triangles that cover it; none if it is convex itself.
    triangles: Vec<[Point; 3]>,
    low: Point,
    high: Point,
}

/// Sides of the polygon that stands for an ellipse.
const ELLIPSE_SIDES: i32 = 36;

impl Polygon {
    /// The polygon with these corners in order around it, either way; repeated points and points on a straight
    /// side are left out.
    ///
    /// # Errors
    /// Fewer than three corners, sides that cross, points on one line or beyond any board.
    pub fn new(corners: &[Point]) -> Result<Polygon, ShapeError> {
        in_reach(corners)?;
        let mut points: Vec<Point> = Vec::with_capacity(corners.len());
        for p in corners {
            if points.last() != Some(p) {
                points.push(*p);
            }
        }
        while points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if points.len() < 3 {
            return Err(ShapeError::TooFew { given: points.len(), needed: 3 });
        }
        if points.iter().all(|p| cross(points[0], points[1], *p) == 0) {
            return Err(ShapeError::Flat);
        }
        let n = points.len();
        let side = |i: usize| Segment { a: points[i], b: points[(i + 1) % n] };
        for i in 0..n {
            let next = (i + 1) % n;
            // Neighbouring sides share a corner and nothing else: they must not fold back.
            let (a, b, c) = (points[i], points[next], points[(i + 2) % n]);
            if cross(a, b, c) == 0 && dot(b, a, c) > 0 {
                return Err(ShapeError::Crossing(i, next));
            }
            for j in i + 2..n {
                if (j + 1) % n != i && side(i).meets(&side(j)) {
                    return Err(ShapeError::Crossing(i, j));
                }
            }
        }
        let straight = |i: usize| cross(points[(i + n - 1) % n], points[i], points[(i + 1) % n]) == 0;
        let mut outline: Vec<Point> = (0..n).filter(|i| !straight(*i)).map(|i| points[i]).collect();
        let area: i128 = convex::edges(&outline).map(|e| i128::from(cross(outline[0], e.a, e.b))).sum();
        if area < 0 {
            outline.reverse();
        }
        let (low, high) = bounds_of(&outline);
        let triangles = if is_convex(&outline) { Vec::new() } else { triangulate(&outline) };
        Ok(Polygon { points: outline, triangles, low, high })
    }

    /// The polygon of a base.
    #[must_use]
    pub fn rectangle(base: &Base) -> Polygon {
        let points = base.corners().to_vec();
        let (low, high) = bounds_of(&points);
        Polygon { points, triangles: Vec::new(), low, high }
    }

    /// A polygon that stands for an ellipse with the half axes `right` and `ahead` in the frame of a heading.
    ///
    /// # Errors
    /// An axis that is not above 0, or one that reaches beyond any board.
    pub fn ellipse(centre: Point, right: Len, ahead: Len, heading: Heading) -> Result<Polygon, ShapeError> {
        let frame = Pose::at(centre, heading).frame();
        for axis in [right, ahead] {
            if !(1..=crate::LIMIT).contains(&axis) {
                return Err(ShapeError::Width(axis));
            }
        }
        let corner = |i: i32| {
            let at = Heading::new(i * (crate::FULL_TURN / ELLIPSE_SIDES));
            frame.to_world(Point {
                x: crate::rotation::unscale(i64::from(right) * at.sin()) as Len,
                y: crate::rotation::unscale(i64::from(ahead) * at.cos()) as Len,
            })
        };
        Polygon::new(&(0..ELLIPSE_SIDES).map(corner).collect::<Vec<_>>())
    }

    /// Its corners, anticlockwise.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Whether it is convex.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The smallest box along the board's edges around it: lower left and upper right corner.
    #[must_use]
    pub const fn bounds(&self) -> (Point, Point) {
        (self.low, self.high)
    }

    /// Whether a point lies in it, edge included.
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        if p.x < self.low.x || p.x > self.high.x || p.y < self.low.y || p.y > self.high.y {
            return false;
        }
        let mut inside = false;
        for e in convex::edges(&self.points) {
            let turn = cross(e.a, e.b, p);
            if turn == 0 && dot(p, e.a, e.b) <= 0 {
                return true;
            }
            // A ray to the right crosses sides that pass its height, lower end counted.
            if (e.a.y > p.y) != (e.b.y > p.y) && (turn > 0) == (e.b.y > e.a.y) {
                inside = !inside;
            }
        }
        inside
    }

    /// Whether a convex polygon overlaps it, deeper than the tolerance.
    pub(super) fn overlaps(&self, other: &[Point]) -> bool {
        if self.is_convex() {
            return convex::overlaps(&self.points, other);
        }
        // A shallow place in each of two triangles may be a deep one in both together: corners tell.
        let deep = |outline: &[Point], p: Point| convex::outline_distance(outline, p) > TOLERANCE;
        self.triangles.iter().any(|t| convex::overlaps(t, other))
            || other.iter().any(|p| self.contains(*p) && deep(&self.points, *p))
            || self.points.iter().any(|p| convex::contains(other, *p) && deep(other, *p))
    }

    /// Whether a convex polygon lies wholly in it.
    pub(super) fn holds(&self, other: &[Point]) -> bool {
        other.iter().all(|p| self.contains(*p))
            && (self.is_convex()
                || convex::edges(&self.points)
                    .all(|e| !convex::contains(other, e.a) && !convex::edges(other).any(|o| o.meets(&e))))
    }

    /// The length of the part of a segment that lies in the polygon.
    pub(super) fn inside_length(&self, segment: &Segment) -> Len {
        let length = i128::from(segment.length());
        if length == 0 {
            return 0;
        }
        let mut sum = 0i128;
        for e in convex::edges(&self.points) {
            let (from, to) = (cross(segment.a, segment.b, e.a), cross(segment.a, segment.b, e.b));
            if (from > 0) == (to > 0) {
                continue;
            }
            // How far along the segment's line the side crosses it; a side that goes up leads out.
            let (p, q) = (dot(segment.a, segment.b, e.a), dot(segment.a, segment.b, e.b));
            let (from, parts) = (i128::from(from), i128::from(from) - i128::from(to));
            let product = i128::from(p) * parts + (i128::from(q) - i128::from(p)) * from;
            let (product, whole) = (product * parts.signum(), parts.abs() * length);
            let at = (2 * product + whole).div_euclid(2 * whole).clamp(0, length);
            sum += if to > 0 { at } else { -at };
        }
        sum.clamp(0, length) as Len
    }

    /// The smallest distance of two parallel lines with the polygon between them.
    #[must_use]
    pub fn across(&self) -> Len {
        let mut least = Len::MAX;
        for a in &self.points {
            for b in &self.points {
                if a == b || self.points.iter().any(|p| cross(*a, *b, *p) < 0) {
                    continue;
                }
                let most = self.points.iter().map(|p| cross(*a, *b, *p)).max().unwrap_or(0);
                least = least.min(per_length(most, a.distance_squared(*b)) as Len);
            }
        }
        least
    }
}

fn is_convex(points: &[Point]) -> bool {
    let n = points.len();
    (0..n).all(|i| cross(points[i], points[(i + 1) % n], points[(i + 2) % n]) >= 0)
}

/// Cuts a simple anticlockwise polygon into triangles, ear by ear.
fn triangulate(points: &[Point]) -> Vec<[Point; 3]> {
    let mut left = points.to_vec();
    let mut triangles = Vec::with_capacity(points.len().saturating_sub(2));
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        let is_ear = |i: usize| {
            let ear = corner(i);
            cross(ear[0], ear[1], ear[2]) > 0
                && left.iter().all(|p| ear.contains(p) || !convex::contains(&ear, *p))
        };
        // A simple polygon always has an ear; should rounding ever hide it, a flat corner goes first.
        let at = (0..n).find(|i| is_ear(*i)).or_else(|| {
            (0..n).find(|i| {
                let [a, b, c] = corner(*i);
                cross(a, b, c) == 0
            })
        });
        let at = at.unwrap_or(0);
        let ear = corner(at);
        if cross(ear[0], ear[1], ear[2]) > 0 {
            triangles.push(ear);
        }
        left.remove(at);
    }
    if let [a, b, c] = left[..]
        && cross(a, b, c) > 0
    {
        triangles.push([a, b, c]);
    }
    triangles
}
