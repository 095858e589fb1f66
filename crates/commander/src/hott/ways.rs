//! How much longer the way is than the straight line, for rough ground and rivers on it: one goes round or slowly
//! through. A coarse net over the board, worked out for each place that is asked for and kept for the battle.

use super::terrain::Terrain;
use field::{Len, PACE, Point};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The side of a mesh, in paces.
const MESH: i32 = 100;
/// From one mesh to the next, straight and across, in paces.
const STEPS: [i32; 2] = [100, 141];
/// What it counts to go where one may not at all.
const BARRED: i32 = 20;

/// How much slower a mover is in bad going and wading than in good, in tenths; 10: not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gait {
    bad: i32,
    water: i32,
}

impl Gait {
    /// From its rates in good going, in bad, wading.
    pub fn of(rate: [Len; 3]) -> Gait {
        let slower = |r: Len| if r <= 0 { 10 * BARRED } else { (10 * rate[0] / r).clamp(10, 10 * BARRED) };
        Gait { bad: slower(rate[1]), water: slower(rate[2]) }
    }

    /// Whether no ground slows it.
    pub fn is_free(self) -> bool {
        self.bad == 10 && self.water == 10
    }
}

/// Ways from anywhere to one mesh, for one gait: what each is longer than in the open, in paces.
type Longer = OnceCell<Box<[u16]>>;

/// The net.
#[derive(Debug, Default)]
pub(super) struct Ways {
    wide: i32,
    high: i32,
    /// What lies in each mesh: bad going, water.
    rough: Vec<[bool; 2]>,
    kept: Vec<(Gait, Vec<Longer>)>,
}

impl Ways {
    /// Of a board with this terrain.
    pub fn new(terrain: &Terrain, board: &field::Board) -> Ways {
        let (wide, high) = (board.width / PACE / MESH + 1, board.height / PACE / MESH + 1);
        let mut rough = Vec::new();
        for n in 0..wide * high {
            let (x, y) = (n % wide, n / wide);
            let (mut bad, mut water) = (0, false);
            for k in 0..9 {
                let at = |c: i32, k: i32| (c * MESH + MESH / 6 + k * MESH / 3) * PACE;
                let under = terrain.under(Point { x: at(x, k % 3), y: at(y, k / 3) });
                bad += i32::from(under.bad);
                water |= under.water;
            }
            rough.push([bad >= 4, water]);
        }
        Ways { wide, high, rough, kept: Vec::new() }
    }

    /// Makes room for a gait; to be called before [`Ways::longer`].
    pub fn know(&mut self, gait: Gait) {
        if !gait.is_free() && !self.kept.iter().any(|k| k.0 == gait) {
            let all = self.rough.iter().map(|_| OnceCell::new()).collect();
            self.kept.push((gait, all));
        }
    }

    /// By how many paces the way from one point to another is longer than it would be in the open.
    pub fn longer(&self, gait: Gait, from: Point, to: Point) -> i32 {
        let Some((_, all)) = self.kept.iter().find(|k| k.0 == gait) else { return 0 };
        let Some(goal) = self.mesh(to.x / PACE / MESH, to.y / PACE / MESH) else { return 0 };
        let Some(cell) = all.get(goal) else { return 0 };
        let map = cell.get_or_init(|| self.find(gait, goal));
        // Between the middles of the four meshes about it.
        let (x, y) = (from.x / PACE - MESH / 2, from.y / PACE - MESH / 2);
        let (column, row) = (x.div_euclid(MESH), y.div_euclid(MESH));
        let (right, up) = (x.rem_euclid(MESH), y.rem_euclid(MESH));
        let at = |c: i32, r: i32| {
            let (c, r) = (c.clamp(0, self.wide - 1), r.clamp(0, self.high - 1));
            self.mesh(c, r).and_then(|n| map.get(n)).map_or(0, |d| i32::from(*d))
        };
        let low = at(column, row) * (MESH - right) + at(column + 1, row) * right;
        let high = at(column, row + 1) * (MESH - right) + at(column + 1, row + 1) * right;
        (low * (MESH - up) + high * up) / (MESH * MESH)
    }

    fn mesh(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.wide).contains(&x) && (0..self.high).contains(&y);
        inside.then(|| usize::try_from(y * self.wide + x).unwrap_or(0))
    }

    fn slow(&self, gait: Gait, mesh: usize) -> i32 {
        match self.rough[mesh] {
            [_, true] => gait.water,
            [true, _] => gait.bad,
            _ => 10,
        }
    }

    /// The shortest ways to a mesh, from all others.
    fn find(&self, gait: Gait, goal: usize) -> Box<[u16]> {
        let mut far = vec![i32::MAX; self.rough.len()];
        let mut open = BinaryHeap::from([(Reverse(0), goal)]);
        far[goal] = 0;
        let wide = usize::try_from(self.wide).unwrap_or(1);
        let place = |n: usize| (i32::try_from(n % wide).unwrap_or(0), i32::try_from(n / wide).unwrap_or(0));
        while let Some((Reverse(cost), at)) = open.pop() {
            if cost > far[at] {
                continue;
            }
            let (x, y) = place(at);
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let Some(next) = self.mesh(x + dx, y + dy).filter(|n| *n != at) else { continue };
                let step = STEPS[usize::from(dx != 0 && dy != 0)];
                let cost = cost + step * (self.slow(gait, at) + self.slow(gait, next)) / 20;
                if cost < far[next] {
                    far[next] = cost;
                    open.push((Reverse(cost), next));
                }
            }
        }
        let (gx, gy) = place(goal);
        let over = |(n, far): (usize, &i32)| {
            let (x, y) = place(n);
            let (dx, dy) = ((x - gx).abs(), (y - gy).abs());
            let open = dx.min(dy) * STEPS[1] + dx.abs_diff(dy) as i32 * STEPS[0];
            u16::try_from((far - open).max(0)).unwrap_or(u16::MAX)
        };
        far.iter().enumerate().map(over).collect()
    }
}
