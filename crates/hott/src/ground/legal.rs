//! Whether ground is legal: HOTT-062 to HOTT-066, on larger boards with BB-025.

use super::{Feature, Ground, Kind};
use crate::table::options::TerrainFeatures;
use crate::table::{Scale, Tables};
use field::{Board, Len, PACE, Point, Segment, Shape, TOLERANCE};
use game::{Problem, Problems};
use rulebook::{RuleId, rule};

/// One thing wrong with ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundProblem {
    /// The rule it goes against.
    pub rule: RuleId,
    /// What is wrong: lower case, no full stop.
    pub message: String,
}

/// The grid on which "most of the board" is counted (HOTT-062).
const GRID: i32 = 40;

impl Ground {
    /// HOTT-R33: the features that are not wholly on the board.
    #[must_use]
    pub fn astray(&self, board: &Board) -> Problems {
        let off = |f: &Feature| {
            (!on_board(f, board)).then(|| {
                let size = format!("the board is {} by {} paces", board.width / PACE, board.height / PACE);
                Problem::new(format!("{} is not wholly on the board", name(f)))
                    .by(rule!("HOTT-R33"))
                    .hint(size)
            })
        };
        self.features.iter().filter_map(off).collect()
    }

    /// Everything wrong with the ground on this board, in the order of the rules. `ap` are the AP in play, all
    /// armies together (BB-020); they matter only in big battles.
    #[must_use]
    pub fn problems(&self, tables: &Tables, board: &Board, scale: Scale, ap: i32) -> Vec<GroundProblem> {
        let mut out = Vec::new();
        let mut add = |rule: RuleId, message: String| out.push(GroundProblem { rule, message });
        for f in &self.features {
            if !on_board(f, board) {
                add(rule!("HOTT-R33"), format!("{} is not wholly on the board", name(f)));
            }
        }
        self.rivers(board, &mut add);
        if !self.is_mostly_open(board) {
            add(rule!("HOTT-062"), "less than half of the board is flat good going".to_owned());
        }
        let n = &tables.numbers;
        let with = |wanted: fn(Kind) -> bool| {
            let in_quarter = |(low, high): &(Point, Point)| {
                self.features.iter().any(|f| wanted(f.kind) && f.shape.overlaps_box(*low, *high))
            };
            board.quarters().iter().filter(|q| in_quarter(q)).count() as i32
        };
        let some = with(|k| !k.is_road());
        if some < n.quarters_with_feature {
            add(
                rule!("HOTT-063"),
                format!("{some} quarters contain some of a feature where {} must", n.quarters_with_feature),
            );
        }
        let rough = with(|k| k.is_bad() || k.is_water() || k == Kind::Cliff);
        if rough < n.quarters_with_rough {
            let needed = n.quarters_with_rough;
            add(
                rule!("HOTT-064"),
                format!(
                    "{rough} quarters contain some of a river, bad going or impassable terrain where {needed} must"
                ),
            );
        }
        self.count(tables, board, ap, &mut add);
        self.gaps(n.feature_gap_bw * tables.base_width(scale), &mut add);
        out
    }

    /// HOTT-055.
    fn rivers(&self, board: &Board, add: &mut impl FnMut(RuleId, String)) {
        for (i, f) in self.features.iter().enumerate() {
            let Shape::Way(way) = &f.shape else { continue };
            if f.kind != Kind::River {
                continue;
            }
            let ends = [way.points().first(), way.points().last()].map(|p| p.copied().unwrap_or_default());
            let edge =
                |p: Point| field::BoardEdge::ALL.into_iter().find(|e| board.from_edge(*e, p) <= TOLERANCE);
            let water = |p: Point| {
                self.features
                    .iter()
                    .enumerate()
                    .any(|(j, o)| j != i && o.kind.is_water() && o.shape.contains(p))
            };
            let good = match ends.map(edge) {
                [Some(a), Some(b)] => a != b,
                [Some(_), None] => water(ends[1]),
                [None, Some(_)] => water(ends[0]),
                [None, None] => false,
            };
            if !good {
                add(
                    rule!("HOTT-055"),
                    format!("{} does not run from edge to edge, nor from an edge to other water", name(f)),
                );
            }
        }
    }

    /// HOTT-062.
    fn is_mostly_open(&self, board: &Board) -> bool {
        let mut open = 0;
        for i in 0..GRID {
            for j in 0..GRID {
                let at =
                    |size: Len, k: i32| (i64::from(size) * i64::from(2 * k + 1) / i64::from(2 * GRID)) as Len;
                let p = Point::new(at(board.width, i), at(board.height, j));
                let covers = |f: &Feature| !f.kind.is_road() && f.shape.contains(p);
                open += i32::from(!self.features.iter().any(covers));
            }
        }
        2 * open > GRID * GRID
    }

    /// HOTT-065, BB-025: enough features, enough of them bad going, large and near the middle.
    fn count(&self, tables: &Tables, board: &Board, ap: i32, add: &mut impl FnMut(RuleId, String)) {
        let n = &tables.numbers;
        let scaled = tables.is_big() && tables.big.terrain_features == TerrainFeatures::Scaled;
        let more = super::random::more_features(tables, ap);
        let features = self.features.iter().filter(|f| !f.kind.is_road()).count() as i32;
        let needed = n.features_min + more;
        if features < needed {
            add(
                rule!("HOTT-065"),
                format!("{features} features where at least {needed} are needed, roads not counted"),
            );
        }
        let c = board.centre();
        // The line midway between the long edges; on a square board its middle.
        let middle = match (scaled, board.width.cmp(&board.height)) {
            (true, std::cmp::Ordering::Greater) => {
                Segment::new(Point::new(0, c.y), Point::new(board.width, c.y))
            }
            (true, std::cmp::Ordering::Less) => {
                Segment::new(Point::new(c.x, 0), Point::new(c.x, board.height))
            }
            _ => Segment::new(c, c),
        };
        let near = |s: &Shape| {
            s.distance_hull(&field::Hull::segment(&middle)) <= n.bad_feature_reach * PACE + TOLERANCE
        };
        let large = |s: &Shape| s.across() + TOLERANCE >= n.bad_feature_size * PACE;
        let bad =
            self.features.iter().filter(|f| f.kind.is_bad() && large(&f.shape) && near(&f.shape)).count()
                as i32;
        if bad < n.bad_features_min {
            add(
                rule!("HOTT-065"),
                format!(
                    "{bad} features of bad going at least {}p across and within {}p of the middle where {} are needed",
                    n.bad_feature_size, n.bad_feature_reach, n.bad_features_min
                ),
            );
        }
    }

    /// HOTT-066.
    fn gaps(&self, gap: Len, add: &mut impl FnMut(RuleId, String)) {
        for (i, a) in self.features.iter().enumerate() {
            for b in &self.features[i + 1..] {
                let line = |k: Kind| k.is_road() || k == Kind::River;
                let hill_wood = |x: &Feature, y: &Feature| x.kind.is_hill() && y.kind == Kind::Wood;
                if line(a.kind) || line(b.kind) || hill_wood(a, b) || hill_wood(b, a) {
                    continue;
                }
                let distance = a.shape.distance_shape(&b.shape);
                if distance + TOLERANCE < gap {
                    let what = if distance == 0 {
                        "overlap".to_owned()
                    } else {
                        format!("are {}p apart", distance / PACE)
                    };
                    add(
                        rule!("HOTT-066"),
                        format!("{} and {} {what}; {}p must lie between them", name(a), name(b), gap / PACE),
                    );
                }
            }
        }
    }
}

fn on_board(f: &Feature, board: &Board) -> bool {
    let inside = |p: &Point| field::BoardEdge::ALL.iter().all(|e| board.from_edge(*e, *p) >= -TOLERANCE);
    match &f.shape {
        Shape::Way(way) => way.points().iter().all(inside),
        shape => {
            let (low, high) = shape.bounds();
            inside(&low) && inside(&high)
        }
    }
}

/// `the wood at 600 800`.
pub(crate) fn name(f: &Feature) -> String {
    let p = f.shape.middle();
    format!("the {} at {} {}", f.kind.word(), p.x / PACE, p.y / PACE)
}
