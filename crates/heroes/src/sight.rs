//! Lines of sight between hex centres (HH-148 to HH-154), exact, in whole numbers.

use crate::hex::{DELTA, Dir, Hex};
use crate::state::{NOBODY, State};
use crate::table::{Side, Table};
use crate::tables::{Shooting, Through};

/// Longest range that any table may give.
pub const MAX_RANGE: i16 = 12;
const SPAN: usize = 2 * MAX_RANGE as usize + 1;

/// For every offset: the hexes that the line touches, and the sides by which it enters its end.
#[derive(Clone, Debug)]
pub struct Lines {
    of: Vec<Line>,
}

#[derive(Clone, Debug, Default)]
struct Line {
    /// Offsets whose interior the line crosses, or along whose border it runs.
    hexes: Vec<(i8, i8)>,
    /// Sides of the last hex by which it enters, two if through a corner.
    enters: u8,
}

fn steps(dq: i16, dr: i16) -> i16 {
    (dq.abs() + dr.abs() + (dq + dr).abs()) / 2
}

/// Twice three times the cross product of the line to (dq, dr) and a corner of the hex at (q, r).
fn corner_side(line: (i32, i32), hex: (i32, i32), point: usize) -> i32 {
    let (a, b) = (DELTA[point], DELTA[(point + 1) % 6]);
    let x = 3 * hex.0 + i32::from(a.0 + b.0);
    let y = 3 * hex.1 + i32::from(a.1 + b.1);
    line.0 * y - line.1 * x
}

impl Lines {
    /// The lines, worked out once for all battles.
    #[must_use]
    pub fn shared() -> &'static Lines {
        static ALL: std::sync::OnceLock<Lines> = std::sync::OnceLock::new();
        ALL.get_or_init(Lines::new)
    }

    /// Works out all lines up to [`MAX_RANGE`].
    #[must_use]
    pub fn new() -> Lines {
        let mut of = vec![Line::default(); SPAN * SPAN];
        for dr in -MAX_RANGE..=MAX_RANGE {
            for dq in -MAX_RANGE..=MAX_RANGE {
                let d = steps(dq, dr);
                if d == 0 || d > MAX_RANGE {
                    continue;
                }
                of[Lines::slot(dq, dr)] = Lines::line(dq, dr, d);
            }
        }
        Lines { of }
    }

    fn slot(dq: i16, dr: i16) -> usize {
        (dr + MAX_RANGE) as usize * SPAN + (dq + MAX_RANGE) as usize
    }

    fn line(dq: i16, dr: i16, d: i16) -> Line {
        let to = (i32::from(dq), i32::from(dr));
        let mut hexes = Vec::new();
        for r in -MAX_RANGE..=MAX_RANGE {
            for q in -MAX_RANGE..=MAX_RANGE {
                let here = (q, r) != (0, 0) && (q, r) != (dq, dr);
                if !here || steps(q, r) + steps(dq - q, dr - r) != d {
                    continue;
                }
                let sides: Vec<i32> =
                    (0..6).map(|p| corner_side(to, (i32::from(q), i32::from(r)), p)).collect();
                let over = sides.iter().any(|&s| s > 0) && sides.iter().any(|&s| s < 0);
                let along = sides.iter().filter(|&&s| s == 0).count() == 2;
                if over || along {
                    hexes.push((q as i8, r as i8));
                }
            }
        }
        let mut enters = 0;
        for (side, (nq, nr)) in DELTA.into_iter().enumerate() {
            // side i lies between point i - 1 and point i; it must look back towards the start
            if steps(dq + nq, dr + nr) > d {
                continue;
            }
            let a = corner_side(to, to, (side + 5) % 6);
            let b = corner_side(to, to, side);
            if (a <= 0 && b >= 0) || (a >= 0 && b <= 0) {
                enters |= 1 << side;
            }
        }
        Line { hexes, enters }
    }

    fn between(&self, t: &Table, a: Hex, b: Hex) -> Option<&Line> {
        let ((aq, ar), (bq, br)) = (t.map.grid.axial(a), t.map.grid.axial(b));
        let (dq, dr) = (bq - aq, br - ar);
        (steps(dq, dr) <= MAX_RANGE).then(|| &self.of[Lines::slot(dq, dr)])
    }
}

impl Default for Lines {
    fn default() -> Self {
        Lines::new()
    }
}

/// The hexes on the line between two hexes, ends apart.
pub fn hexes_between(t: &Table, a: Hex, b: Hex) -> impl Iterator<Item = Hex> + '_ {
    let (aq, ar) = t.map.grid.axial(a);
    t.lines
        .between(t, a, b)
        .map_or(&[][..], |l| &l.hexes[..])
        .iter()
        .map(move |&(q, r)| t.map.grid.from_axial(aq + i16::from(q), ar + i16::from(r)))
        .filter(|h| h.on())
}

/// Sides of the target's hex by which the line of a shot enters it; two if through a corner (HH-173).
pub fn entered_sides(t: &Table, from: Hex, to: Hex) -> impl Iterator<Item = Dir> {
    let mask = t.lines.between(t, from, to).map_or(0, |l| l.enters);
    (0..6).filter(move |d| mask >> d & 1 == 1)
}

/// HH-148 to HH-154: what stands between a shooter and its target, if anything does.
pub fn blocked_by(t: &Table, s: &State, side: Side, shooting: Shooting, from: Hex, to: Hex) -> Option<Hex> {
    let over_friends = match shooting {
        Shooting::Artillery(n) => t.rules.artillery.get(usize::from(n)).is_some_and(|a| a.over_friends),
        _ => false,
    };
    let range = t.map.grid.distance(from, to);
    let (low, high) = (t.map.height_at(from), t.map.height_at(to));
    hexes_between(t, from, to).find(|&h| {
        let ground = &t.rules.ground[t.map.ground_at(h) as usize];
        // HH-148: woods, built-up areas and impenetrable terrain; HH-152: a hex higher than both ends
        if ground.sight != Through::Yes || t.map.height_at(h) > low.max(high) {
            return true;
        }
        let u = s.who(h);
        if u == NOBODY {
            return false;
        }
        if t.side(u) != side {
            return true; // HH-151
        }
        let away = t.map.grid.distance(from, h);
        let adjacent_friend = over_friends && away == 1; // HH-153
        let from_above = low > t.map.height_at(h) && range >= 2 * away; // HH-154
        !(adjacent_friend || from_above)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(dq: i16, dr: i16) -> (Vec<(i8, i8)>, Vec<u8>) {
        let l = Lines::line(dq, dr, steps(dq, dr));
        (l.hexes, (0..6).filter(|d| l.enters >> d & 1 == 1).collect())
    }

    #[test]
    fn a_straight_line_crosses_the_hex_between() {
        assert_eq!(line(2, 0), (vec![(1, 0)], vec![3]));
        assert_eq!(line(1, 0), (vec![], vec![3]));
    }

    #[test]
    fn hh_152_a_line_along_a_border_touches_both_hexes_and_enters_through_a_corner() {
        let (hexes, enters) = line(1, 1);
        assert_eq!(hexes, [(1, 0), (0, 1)]);
        assert_eq!(enters, [3, 4]);
        let (hexes, _) = line(2, 2);
        assert_eq!(hexes, [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]);
    }

    #[test]
    fn lines_are_the_same_both_ways() {
        for dr in -6..=6_i16 {
            for dq in -6..=6_i16 {
                if steps(dq, dr) == 0 || steps(dq, dr) > 6 {
                    continue;
                }
                let mut there = line(dq, dr).0;
                let mut back: Vec<(i8, i8)> =
                    line(-dq, -dr).0.iter().map(|&(q, r)| (q + dq as i8, r + dr as i8)).collect();
                there.sort_unstable();
                back.sort_unstable();
                assert_eq!(there, back);
            }
        }
    }
}
