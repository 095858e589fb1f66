//! Lines with a width: rivers and roads.

use super::{ShapeError, bounds_of, in_reach};
use crate::point::{dot, per_length};
use crate::{Heading, LIMIT, Len, Point, Segment};

/// A line of straight pieces with a width, its ends rounded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    points: Vec<Point>,
    width: Len,
    low: Point,
    high: Point,
}

impl Way {
    /// The way along these points.
    ///
    /// # Errors
    /// Fewer than two different points, points beyond any board, or a width that is not above 0.
    pub fn new(along: &[Point], width: Len) -> Result<Way, ShapeError> {
        in_reach(along)?;
        if !(1..=LIMIT).contains(&width) {
            return Err(ShapeError::Width(width));
        }
        let mut points: Vec<Point> = Vec::with_capacity(along.len());
        for p in along {
            if points.last() != Some(p) {
                points.push(*p);
            }
        }
        if points.len() < 2 {
            return Err(ShapeError::TooFew { given: points.len(), needed: 2 });
        }
        let (low, high) = bounds_of(&points);
        let half = Point { x: width / 2, y: width / 2 };
        Ok(Way { points, width, low: low.minus(half), high: high.plus(half) })
    }

    /// The points of its middle line.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// From bank to bank.
    #[must_use]
    pub const fn width(&self) -> Len {
        self.width
    }

    /// From the middle line to a bank.
    #[must_use]
    pub const fn half_width(&self) -> Len {
        self.width / 2
    }

    /// The smallest box along the board's edges around it: lower left and upper right corner.
    #[must_use]
    pub const fn bounds(&self) -> (Point, Point) {
        (self.low, self.high)
    }

    /// The straight pieces of its middle line.
    pub fn pieces(&self) -> impl Iterator<Item = Segment> + '_ {
        self.points.windows(2).map(|w| Segment { a: w[0], b: w[1] })
    }

    /// The length of its middle line.
    #[must_use]
    pub fn length(&self) -> Len {
        self.pieces().fold(0, |sum: Len, s| sum.saturating_add(s.length()))
    }

    /// The distance of a point from the middle line (a base keeps to a road if the middles of its front and
    /// rear edges keep to the line, HOTT-133).
    #[must_use]
    pub fn off_line(&self, p: Point) -> Len {
        self.pieces().map(|s| s.distance_to(p)).min().unwrap_or(Len::MAX)
    }

    /// The point of the middle line nearest to `p`, and the heading of the line there in the order of its
    /// points (HOTT-135: the banks run along it).
    #[must_use]
    pub fn nearest(&self, p: Point) -> (Point, Heading) {
        let piece = self.pieces().min_by_key(|s| s.distance_to(p));
        piece.map_or((Point::default(), Heading::UP), |s| {
            let along = s.b.minus(s.a);
            (s.nearest(p), Heading::along(along.x, along.y).unwrap_or_default())
        })
    }

    /// The length of the part of a segment that lies within `reach` of the middle line.
    pub(super) fn length_within(&self, segment: &Segment, reach: Len) -> Len {
        let length = segment.length();
        let mut parts: Vec<(Len, Len)> =
            self.pieces().filter_map(|piece| part_within(segment, length, &piece, reach)).collect();
        parts.sort_unstable();
        let (mut sum, mut end) = (0, 0);
        for (from, to) in parts {
            sum += (to - from.max(end)).max(0);
            end = end.max(to);
        }
        sum
    }
}

/// The stretch of a segment within `reach` of a piece: one stretch, as the distance is convex along it.
fn part_within(segment: &Segment, length: Len, piece: &Segment, reach: Len) -> Option<(Len, Len)> {
    if length == 0 {
        return None;
    }
    let at = |t: Len| {
        let part = |from: Len, to: Len| {
            from + ((i64::from(to) - i64::from(from)) * i64::from(t) / i64::from(length)) as Len
        };
        Point { x: part(segment.a.x, segment.b.x), y: part(segment.a.y, segment.b.y) }
    };
    let near = |t: Len| piece.distance_to(at(t)) <= reach;
    // The nearest place is an end, opposite an end of the piece, or where the two cross.
    let opposite =
        |p: Point| (dot(segment.a, segment.b, p) / i64::from(length)).clamp(0, i64::from(length)) as Len;
    let side =
        |p: Point| per_length(crate::point::cross(piece.a, piece.b, p), piece.a.distance_squared(piece.b));
    let (from, to) = (side(segment.a), side(segment.b));
    let crossing = if from == to {
        0
    } else {
        (i64::from(length) * from / (from - to)).clamp(0, i64::from(length)) as Len
    };
    let seen = [0, length, opposite(piece.a), opposite(piece.b), crossing];
    let inside = seen.into_iter().find(|t| near(*t))?;
    let (mut low, mut high) = (0, inside);
    while low < high {
        let t = low + (high - low) / 2;
        if near(t) { high = t } else { low = t + 1 }
    }
    let start = low;
    (low, high) = (inside, length);
    while low < high {
        let t = low + (high - low + 1) / 2;
        if near(t) { low = t } else { high = t - 1 }
    }
    Some((start, low))
}
