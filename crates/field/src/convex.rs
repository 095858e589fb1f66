//! Convex polygons as slices of points, anticlockwise: depth, distance, containment.
//!
//! A slice of two points is a segment, of one a point.

use crate::point::{cross, per_length};
use crate::{Len, Point, Segment, TOLERANCE};

/// The edges of a polygon, closing one included.
pub(crate) fn edges(points: &[Point]) -> impl Iterator<Item = Segment> + '_ {
    let closing = points.last().copied().into_iter().chain(points.iter().copied());
    closing.zip(points.iter().copied()).map(|(a, b)| Segment { a, b }).filter(|s| s.a != s.b)
}

/// How deep two convex polygons lie in each other: the shortest way that parts them, 0 or less if they
/// are apart (then no measure of the distance).
pub(crate) fn depth(a: &[Point], b: &[Point]) -> Len {
    one_sided(a, b).min(one_sided(b, a))
}

/// Whether two convex polygons overlap, deeper than the tolerance.
pub(crate) fn overlaps(a: &[Point], b: &[Point]) -> bool {
    deeper(a, b) && deeper(b, a)
}

/// The least depth of `b` behind an edge of `a`.
fn one_sided(a: &[Point], b: &[Point]) -> Len {
    let mut least = Len::MAX;
    for edge in edges(a) {
        let inward = b.iter().map(|p| cross(edge.a, edge.b, *p)).max().unwrap_or(i64::MIN);
        let depth = per_length(inward, edge.a.distance_squared(edge.b));
        least = least.min(depth as Len);
        if least <= 0 {
            break;
        }
    }
    least
}

/// Whether some part of `b` is deeper than the tolerance behind every edge of `a`: exact, so that what
/// overlaps a polygon overlaps every polygon that holds it.
fn deeper(a: &[Point], b: &[Point]) -> bool {
    let tolerance = i64::from(TOLERANCE);
    edges(a).all(|edge| {
        let inward = b.iter().map(|p| cross(edge.a, edge.b, *p)).max().unwrap_or(i64::MIN);
        let (dx, dy) = (i64::from(edge.b.x) - i64::from(edge.a.x), i64::from(edge.b.y) - i64::from(edge.a.y));
        // The sum of the sides is no less than the edge, so the squares are taken of small numbers only.
        inward > 0
            && (inward > tolerance * (dx.abs() + dy.abs())
                || inward * inward > tolerance * tolerance * (dx * dx + dy * dy))
    })
}

/// Whether a point is in the polygon, edges included. A polygon of fewer than three points holds nothing.
pub(crate) fn contains(a: &[Point], p: Point) -> bool {
    a.len() >= 3 && edges(a).all(|e| cross(e.a, e.b, p) >= 0)
}

/// The distance of a point from the polygon's outline.
pub(crate) fn outline_distance(a: &[Point], p: Point) -> Len {
    match a {
        [only] => only.distance(p),
        _ => edges(a).map(|e| e.distance_to(p)).min().unwrap_or(Len::MAX),
    }
}

/// The distance of two convex polygons, 0 if they touch or overlap.
pub(crate) fn distance(a: &[Point], b: &[Point]) -> Len {
    if a.iter().any(|p| contains(b, *p)) || b.iter().any(|p| contains(a, *p)) {
        return 0;
    }
    outline_to_outline(a, b)
}

/// The distance of two outlines, 0 if they cross.
pub(crate) fn outline_to_outline(a: &[Point], b: &[Point]) -> Len {
    let mut least = Len::MAX;
    if let [p] = a {
        return outline_distance(b, *p);
    }
    if let [p] = b {
        return outline_distance(a, *p);
    }
    for e in edges(a) {
        for f in edges(b) {
            least = least.min(e.distance(&f));
            if least == 0 {
                return 0;
            }
        }
    }
    least
}

/// The lowest and highest y of the part of a convex polygon with `low <= x <= high`.
pub(crate) fn extent_between(points: &[Point], low: Len, high: Len) -> Option<(Len, Len)> {
    let mut range: Option<(Len, Len)> = None;
    let mut take = |y: Len| {
        range = Some(range.map_or((y, y), |(min, max)| (min.min(y), max.max(y))));
    };
    for p in points {
        if low <= p.x && p.x <= high {
            take(p.y);
        }
    }
    for edge in edges(points) {
        for x in [low, high] {
            let (from, to) = (i64::from(edge.a.x - x), i64::from(edge.b.x - x));
            if from.signum() * to.signum() < 0 {
                let rise = i64::from(edge.b.y) - i64::from(edge.a.y);
                take(edge.a.y + ((rise * from).div_euclid(from - to)) as Len);
            }
        }
    }
    range
}
