//! Base edges, which may be halves of an edge (BB-091), and the zones along them.

use super::roster::read_edge;
use crate::battle::{Battle, Part, SideId, State};
use field::{Base, Board, BoardEdge, Len, PACE, Point, Segment, TOLERANCE};
use game::Problem;

/// A side's base edge: an edge of the board, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Which edge it lies on.
    pub edge: BoardEdge,
    /// Where it begins along the edge, from the left or from below, 1/100 pace.
    pub from: Len,
    /// Where it ends.
    pub to: Len,
}

impl Stretch {
    /// This part of an edge.
    #[must_use]
    pub fn new(board: &Board, edge: BoardEdge, part: Part) -> Stretch {
        let long = match edge {
            BoardEdge::Lower | BoardEdge::Upper => board.width,
            BoardEdge::Left | BoardEdge::Right => board.height,
        };
        let (from, to) = match part {
            Part::Whole => (0, long),
            Part::Low => (0, long / 2),
            Part::High => (long / 2, long),
        };
        Stretch { edge, from, to }
    }

    fn along(&self, at: Point) -> Len {
        match self.edge {
            BoardEdge::Lower | BoardEdge::Upper => at.x,
            BoardEdge::Left | BoardEdge::Right => at.y,
        }
    }

    fn point(&self, board: &Board, along: Len) -> Point {
        match self.edge {
            BoardEdge::Lower => Point::new(along, 0),
            BoardEdge::Upper => Point::new(along, board.height),
            BoardEdge::Left => Point::new(0, along),
            BoardEdge::Right => Point::new(board.width, along),
        }
    }

    /// Its middle.
    #[must_use]
    pub fn middle(&self, board: &Board) -> Point {
        self.point(board, self.from + (self.to - self.from) / 2)
    }

    /// How long it is.
    #[must_use]
    pub fn length(&self) -> Len {
        self.to - self.from
    }

    /// As a line.
    #[must_use]
    pub fn segment(&self, board: &Board) -> Segment {
        Segment { a: self.point(board, self.from), b: self.point(board, self.to) }
    }

    /// Whether a base lies over against it, to the tolerance.
    #[must_use]
    pub fn faces(&self, base: &Base) -> bool {
        base.corners().iter().all(|p| (self.from - TOLERANCE..=self.to + TOLERANCE).contains(&self.along(*p)))
    }
}

/// Reads `bottom`, or `left top` for the upper half of the left edge (BB-091).
pub(crate) fn read_stretch(words: &str) -> Result<(BoardEdge, Part), Problem> {
    let mut words = words.split_whitespace();
    let edge = read_edge(words.next().unwrap_or(""))?;
    let part = match words.next() {
        None => Part::Whole,
        Some(word) => {
            let half = read_edge(word)?;
            let upright = |e: BoardEdge| matches!(e, BoardEdge::Left | BoardEdge::Right);
            if upright(edge) == upright(half) {
                return Err(Problem::new(format!("the {word} half of that edge?"))
                    .by(rulebook::rule!("BB-091"))
                    .hint("halves are like `left top` and `bottom right`"));
            }
            if matches!(half, BoardEdge::Lower | BoardEdge::Left) { Part::Low } else { Part::High }
        }
    };
    Ok((edge, part))
}

/// BB-091: the base edges for so many sides, clockwise from the one that was chosen: whole ones, with five sides the
/// last edge in two halves, with six the second and the last.
#[must_use]
pub fn rim(first: BoardEdge, sides: usize) -> Vec<(BoardEdge, Part)> {
    let clockwise = [BoardEdge::Lower, BoardEdge::Left, BoardEdge::Upper, BoardEdge::Right];
    let at = clockwise.iter().position(|e| *e == first).unwrap_or(0);
    let mut out = Vec::new();
    for i in 0..4 {
        let edge = clockwise[(at + i) % 4];
        let cut = i == 3 && sides >= 5 || i == 1 && sides >= 6;
        if !cut {
            out.push((edge, Part::Whole));
            continue;
        }
        // Clockwise one goes up the left edge, to the right along the upper one, and so on round.
        let rising = matches!(edge, BoardEdge::Left | BoardEdge::Upper);
        let halves = if rising { [Part::Low, Part::High] } else { [Part::High, Part::Low] };
        out.extend(halves.map(|p| (edge, p)));
    }
    out.truncate(sides);
    out
}

impl Battle {
    /// A side's base edge; the lower edge before it has one.
    #[must_use]
    pub fn base_edge(&self, state: &State, side: SideId) -> Stretch {
        let edge = state.side(side).edge.unwrap_or(BoardEdge::Lower);
        Stretch::new(&self.board, edge, state.large.part(side))
    }

    /// HOTT-076, BB-026, BB-091: whether a base stands wholly in a side's zone; with more than two sides a zone keeps
    /// its distance from the base edges of those that are not allies.
    pub(crate) fn in_zone(&self, state: &State, side: SideId, base: &Base) -> bool {
        let own = self.base_edge(state, side);
        if !self.board.within_of_edge(base, own.edge, self.zone_depth()) || !own.faces(base) {
            return false;
        }
        let gap = self.tables.numbers.zone_gap * PACE;
        self.sides.len() <= 2
            || (0..self.sides.len() as u8).map(SideId).all(|other| {
                let theirs = || self.base_edge(state, other).segment(&self.board);
                !self.hostile(side, other)
                    || state.side(other).edge.is_none()
                    || field::reaches(gap, base.distance_to_segment(&theirs()))
            })
    }

    /// BB-081, BB-085: whether what a side has is Baggage, not a Stronghold.
    #[must_use]
    pub fn has_baggage(&self, state: &State, side: SideId) -> bool {
        self.tables.is_big() && state.large.strongholds & (1 << side.0) == 0
    }
}
