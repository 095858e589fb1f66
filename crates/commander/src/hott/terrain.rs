//! The ground in small squares, looked up in place of measured: a commander weighs hundreds of places, and the engine
//! judges the one it chooses.

use super::ways::{Gait, Ways};
use field::{Base, Len, PACE, Point};
use hott::ground::Ground;
use hott::table::Footing;
use std::cell::Cell;
use std::sync::Arc;

/// The side of a square.
const SQUARE: Len = 40 * PACE;

const KNOWN: u8 = 1;
const BAD: u8 = 2;
const WATER: u8 = 4;
const WOOD: u8 = 8;

/// What lies in each square, found when it is first asked for. It is kept for the whole of a battle.
#[derive(Debug, Default)]
pub(super) struct Terrain {
    ground: Option<Arc<Ground>>,
    wide: usize,
    squares: Vec<Cell<u8>>,
    ways: Ways,
}

impl Terrain {
    /// Makes this the terrain of a ground on a board, unless it is already.
    pub fn set(&mut self, ground: &Arc<Ground>, board: &field::Board) {
        if self.ground.as_ref().is_some_and(|g| Arc::ptr_eq(g, ground)) {
            return;
        }
        let squares = |length: Len| usize::try_from(length / SQUARE + 1).unwrap_or(1);
        self.wide = squares(board.width);
        self.squares.clear();
        self.squares.resize(self.wide * squares(board.height), Cell::new(0));
        self.ground = Some(Arc::clone(ground));
        self.ways = if self.is_open() { Ways::default() } else { Ways::new(self, board) };
    }

    /// Makes ready to tell how much longer ways are for a gait.
    pub fn know(&mut self, gait: Gait) {
        self.ways.know(gait);
    }

    /// By how many paces the way between two points is longer than in the open.
    pub fn longer(&self, gait: Gait, from: Point, to: Point) -> i32 {
        self.ways.longer(gait, from, to)
    }

    /// What lies at a point.
    pub fn under(&self, p: Point) -> Footing {
        let bits = self.ground.as_ref().map_or(0, |ground| self.at(ground, p));
        Footing { bad: bits & BAD != 0, water: bits & WATER != 0, wood: bits & WOOD != 0 }
    }

    /// Whether there is anything on the ground at all.
    pub fn is_open(&self) -> bool {
        self.ground.as_ref().is_none_or(|g| g.features().is_empty())
    }

    /// What a base stands in, roughly: by its corners and the middles of its length.
    pub fn footing(&self, base: &Base) -> Footing {
        let Some(ground) = self.ground.as_ref().filter(|g| !g.features().is_empty()) else {
            return Footing::GOOD;
        };
        let [fl, rl, rr, fr] = base.corners();
        let all = [fl, rl, rr, fr, fl.middle(fr), rl.middle(rr), fl.middle(rr)];
        let bits = all.into_iter().fold(0, |bits, p| bits | self.at(ground, p));
        Footing { bad: bits & BAD != 0, water: bits & WATER != 0, wood: bits & WOOD != 0 }
    }

    fn at(&self, ground: &Ground, p: Point) -> u8 {
        let (x, y) = (p.x / SQUARE, p.y / SQUARE);
        let index = usize::try_from(y)
            .ok()
            .zip(usize::try_from(x).ok())
            .filter(|(_, x)| *x < self.wide)
            .map(|(y, x)| y * self.wide + x);
        let Some(square) = index.and_then(|i| self.squares.get(i)) else { return KNOWN };
        if square.get() == 0 {
            let middle = Point { x: x * SQUARE + SQUARE / 2, y: y * SQUARE + SQUARE / 2 };
            square.set(find(ground, middle));
        }
        square.get()
    }
}

fn find(ground: &Ground, p: Point) -> u8 {
    let mut bits = KNOWN;
    for f in ground.features().iter().filter(|f| f.shape.contains(p)) {
        bits |= if f.kind.is_bad() { BAD } else { 0 };
        bits |= if f.kind.is_water() { WATER } else { 0 };
        bits |= if f.kind.is_wood() { WOOD } else { 0 };
    }
    bits
}
