//! The board: a rectangle with its lower left corner at the origin.

use crate::{Base, Hull, Len, Point, TOLERANCE};

/// A board of a width and a height in hundredths of a pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// From left to right.
    pub width: Len,
    /// From bottom to top.
    pub height: Len,
}

/// An edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardEdge {
    /// y = 0.
    Lower,
    /// x = width.
    Right,
    /// y = height.
    Upper,
    /// x = 0.
    Left,
}

impl BoardEdge {
    /// All four, anticlockwise from the lower one.
    pub const ALL: [BoardEdge; 4] = [BoardEdge::Lower, BoardEdge::Right, BoardEdge::Upper, BoardEdge::Left];

    /// The edge opposite.
    #[must_use]
    pub const fn opposite(self) -> BoardEdge {
        match self {
            BoardEdge::Lower => BoardEdge::Upper,
            BoardEdge::Right => BoardEdge::Left,
            BoardEdge::Upper => BoardEdge::Lower,
            BoardEdge::Left => BoardEdge::Right,
        }
    }

    /// The heading of one who stands with his back to the edge.
    #[must_use]
    pub const fn inward(self) -> crate::Heading {
        match self {
            BoardEdge::Lower => crate::Heading::UP,
            BoardEdge::Right => crate::Heading::LEFT,
            BoardEdge::Upper => crate::Heading::DOWN,
            BoardEdge::Left => crate::Heading::RIGHT,
        }
    }
}

impl Board {
    /// A board of a size.
    #[must_use]
    pub const fn new(width: Len, height: Len) -> Board {
        Board { width, height }
    }

    /// Its middle.
    #[must_use]
    pub const fn centre(&self) -> Point {
        Point { x: self.width / 2, y: self.height / 2 }
    }

    /// How far a point is from an edge, negative beyond it.
    #[must_use]
    pub const fn from_edge(&self, edge: BoardEdge, point: Point) -> Len {
        match edge {
            BoardEdge::Lower => point.y,
            BoardEdge::Right => self.width.saturating_sub(point.x),
            BoardEdge::Upper => self.height.saturating_sub(point.y),
            BoardEdge::Left => point.x,
        }
    }

    /// The first edge that any of the points is beyond, past the tolerance.
    fn left_by(&self, points: &[Point]) -> Option<BoardEdge> {
        BoardEdge::ALL.into_iter().find(|edge| points.iter().any(|p| self.from_edge(*edge, *p) < -TOLERANCE))
    }

    /// Whether the whole base is on the board, to the tolerance.
    #[must_use]
    pub fn contains(&self, base: &Base) -> bool {
        self.left_by(&base.corners()).is_none()
    }

    /// Whether a whole hull is on the board, to the tolerance.
    #[must_use]
    pub fn contains_hull(&self, hull: &Hull) -> bool {
        self.left_by(hull.points()).is_none()
    }

    /// The edge that a base crosses, past the tolerance; of several the first, anticlockwise from the lower.
    #[must_use]
    pub fn crossed(&self, base: &Base) -> Option<BoardEdge> {
        self.left_by(&base.corners())
    }

    /// HOTT-076: whether the whole base is within `limit` of an edge, to the tolerance (and on the board).
    #[must_use]
    pub fn within_of_edge(&self, base: &Base, edge: BoardEdge, limit: Len) -> bool {
        let corners = base.corners();
        self.left_by(&corners).is_none()
            && corners.iter().all(|p| crate::reaches(self.from_edge(edge, *p), limit))
    }

    /// HOTT-073: whether some part of the base touches an edge, to the tolerance.
    #[must_use]
    pub fn touches_edge(&self, base: &Base, edge: BoardEdge) -> bool {
        base.corners().iter().any(|p| self.from_edge(edge, *p) <= TOLERANCE)
    }

    /// HOTT-005: the four equal quarters as lower left and upper right corners: lower left quarter, lower
    /// right, upper right, upper left.
    #[must_use]
    pub const fn quarters(&self) -> [(Point, Point); 4] {
        let (c, o) = (self.centre(), Point { x: 0, y: 0 });
        let far = Point { x: self.width, y: self.height };
        [
            (o, c),
            (Point { x: c.x, y: 0 }, Point { x: far.x, y: c.y }),
            (c, far),
            (Point { x: 0, y: c.y }, Point { x: c.x, y: far.y }),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, Pose, Size};

    #[test]
    fn edges_hold_to_the_tolerance() {
        let board = Board::new(240_000, 240_000);
        let size = Size::new(16_000, 6_000);
        let at = |x, y| Base::new(Pose::new(x, y, Heading::UP), size);
        assert!(board.contains(&at(8_000, 6_000)));
        assert!(board.contains(&at(7_975, 5_975)));
        assert_eq!(board.crossed(&at(7_974, 6_000)), Some(BoardEdge::Left));
        assert_eq!(board.crossed(&at(8_000, 5_974)), Some(BoardEdge::Lower));
        assert_eq!(board.crossed(&at(8_000, 240_026)), Some(BoardEdge::Upper));
        assert!(board.within_of_edge(&at(8_000, 60_025), BoardEdge::Lower, 60_000));
        assert!(!board.within_of_edge(&at(8_000, 60_026), BoardEdge::Lower, 60_000));
        assert!(board.touches_edge(&at(100_000, 6_000), BoardEdge::Lower));
        for edge in BoardEdge::ALL {
            assert_eq!(edge.opposite().inward(), edge.inward().opposite());
        }
    }
}
