//! Ground that satisfies the rules, made from a number: the same number, board and rules give the same ground.

use super::{Feature, Ground, Kind, Plan};
use crate::table::{Scale, Tables};
use field::{Board, Heading, Len, PACE, Point};

/// A small generator; what falls here is no die of the game, since the defender may lay what he likes.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` up to, not including, `high`.
    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + (self.next() % (high - low).max(1) as u64) as i32
    }

    /// Whole paces times ten: features lie where people would put them.
    fn paces(&mut self, low: i32, high: i32) -> Len {
        self.between(low / 10, high / 10 + 1) * 10 * PACE
    }
}

/// How often a lay-out is tried before the plain one is taken.
const TRIES: u32 = 400;

const AREAS: [Kind; 9] = [
    Kind::Wood,
    Kind::Wood,
    Kind::Marsh,
    Kind::Rough,
    Kind::Bua,
    Kind::Fields,
    Kind::Steep,
    Kind::Dunes,
    Kind::Wood,
];

impl Ground {
    /// Ground that satisfies HOTT-062 to HOTT-066 on this board, made from a number.
    #[must_use]
    pub fn random(number: u64, tables: &Tables, board: &Board, scale: Scale, ap: i32) -> Ground {
        let mut draw = Draw(number);
        for _ in 0..TRIES {
            let ground = lay(&mut draw, tables, board, ap);
            if ground.problems(tables, board, scale, ap).is_empty() {
                return ground;
            }
        }
        plain(tables, board, ap)
    }
}

/// BB-025: how many features more a larger board must have.
pub(super) fn more_features(tables: &Tables, ap: i32) -> i32 {
    use crate::table::options::TerrainFeatures;
    let scaled = tables.is_big() && tables.big.terrain_features == TerrainFeatures::Scaled;
    if scaled { (ap / tables.numbers.board_ap.max(1) - 1).max(0) } else { 0 }
}

fn lay(draw: &mut Draw, tables: &Tables, board: &Board, ap: i32) -> Ground {
    let n = &tables.numbers;
    let (w, h) = (board.width / PACE, board.height / PACE);
    let more = more_features(tables, ap);
    let count = n.features_min + more + draw.between(0, 3);
    let mut features: Vec<Feature> = Vec::new();
    let mut add = |kind, plan, slope| {
        if let Ok(f) = Feature::new(kind, plan, Vec::new(), slope) {
            features.push(f);
        }
    };
    for i in 0..count {
        // The first two lie near the middle, as HOTT-065 wants; of the rest one in three is a hill.
        let central = i < n.bad_features_min;
        let kind = match draw.between(0, 9) {
            0..=2 if !central => Kind::Hill,
            pick => AREAS[pick as usize % AREAS.len()],
        };
        let (width, depth) = (draw.paces(220, 440), draw.paces(220, 320));
        let reach = n.bad_feature_reach;
        let (x, y) = if central {
            (draw.paces(w / 2 - reach, w / 2 + reach), draw.paces(h / 2 - reach, h / 2 + reach))
        } else {
            (draw.paces(250, w - 250), draw.paces(250, h - 250))
        };
        let turn = Heading::new(draw.between(0, 12) * 1_500);
        add(kind, Plan::Ellipse(Point::new(x, y), width, depth, turn), 0);
    }
    if draw.between(0, 8) == 0 {
        // A river from the left edge to the right, or down the board.
        let (a, b, c) =
            (draw.paces(h / 4, 3 * h / 4), draw.paces(h / 3, 2 * h / 3), draw.paces(h / 4, 3 * h / 4));
        let points = vec![Point::new(0, a), Point::new(board.width / 2, b), Point::new(board.width, c)];
        add(Kind::River, Plan::Way(draw.paces(60, 100), points), 0);
    }
    if draw.between(0, 4) == 0 {
        let (a, b) = (draw.paces(w / 4, 3 * w / 4), draw.paces(w / 4, 3 * w / 4));
        add(Kind::Road, Plan::Way(60 * PACE, vec![Point::new(a, 0), Point::new(b, board.height)]), 0);
    }
    Ground { features }
}

/// Four discs, and more on a larger board: what is left when luck does not do it.
fn plain(tables: &Tables, board: &Board, ap: i32) -> Ground {
    let n = &tables.numbers;
    let more = more_features(tables, ap);
    let (c, radius) = (board.centre(), n.bad_feature_size * PACE / 2);
    let off = n.bad_feature_reach * PACE / 2;
    let disc =
        |kind, x: Len, y: Len| Feature::new(kind, Plan::Disc(Point::new(x, y), radius), Vec::new(), 0).ok();
    let mut features: Vec<Feature> = [
        disc(Kind::Wood, c.x - off, c.y - off),
        disc(Kind::Rough, c.x + off, c.y + off),
        disc(Kind::Hill, c.x - off, c.y + off),
        disc(Kind::Hill, c.x + off, c.y - off),
    ]
    .into_iter()
    .flatten()
    .collect();
    for i in 0..more {
        let x = 2 * radius + (board.width - 4 * radius) / (more + 1).max(1) * i;
        features.extend(disc(Kind::Hill, x, 2 * radius));
    }
    Ground { features }
}
