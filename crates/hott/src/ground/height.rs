//! Slopes: who is uphill of whom, and what a hill hides.

use super::{Feature, Ground, Kind};
use field::{Base, Len, Point, Segment, TOLERANCE};

/// How many places of a line are looked at: slopes are convex, so a few tell.
const SAMPLES: i64 = 16;

/// Heights are shares of the way from the edge to the crest where that is modelled.
const CREST: i64 = 1_000_000;

fn along(line: &Segment) -> impl Iterator<Item = Point> + '_ {
    (0..=SAMPLES).map(move |i| {
        let part = |from: Len, to: Len| from + ((i64::from(to) - i64::from(from)) * i / SAMPLES) as Len;
        Point::new(part(line.a.x, line.b.x), part(line.a.y, line.b.y))
    })
}

impl Feature {
    /// HOTT-054, HOTT-R30: how high a point of a hill is: with a crest, its share of the way from edge to crest
    /// in millionths; without one, how far in from the edge it lies; on top of a plateau all the same.
    fn height(&self, p: Point) -> i64 {
        let inside = i64::from(-self.shape.signed_distance(p)).max(0);
        match (self.kind, self.crest.as_slice()) {
            (Kind::Plateau, _) => inside.min(i64::from(self.slope)),
            (_, []) => inside,
            (_, crest) => {
                let away = i64::from(match crest {
                    [only] => only.distance(p),
                    line => line
                        .windows(2)
                        .map(|w| Segment::new(w[0], w[1]).distance_to(p))
                        .min()
                        .unwrap_or_default(),
                });
                if inside == 0 { 0 } else { inside * CREST / (inside + away).max(1) }
            }
        }
    }

    /// The height of the highest place of a line.
    fn top(&self, line: &Segment) -> i64 {
        along(line).map(|p| self.height(p)).max().unwrap_or(0)
    }

    /// How much higher counts: the tolerance in from an edge, or as much of the way to the crest.
    fn step(&self) -> i64 {
        if self.crest.is_empty() || self.kind == Kind::Plateau {
            i64::from(TOLERANCE)
        } else {
            let across = i64::from(self.shape.across()).max(2);
            CREST * i64::from(TOLERANCE) * 2 / across
        }
    }

    /// HOTT-067, HOTT-R31: whether the hill hides the ends of a line from each other: the line crosses its
    /// crest; without a modelled crest, some of it lies higher than both ends.
    #[must_use]
    pub fn hides(&self, line: &Segment) -> bool {
        if !self.kind.is_hill() || !self.shape.crosses(line) {
            return false;
        }
        match self.crest.as_slice() {
            [] => self.top(line) > self.height(line.a).max(self.height(line.b)) + self.step(),
            [_] => false,
            crest => crest.windows(2).any(|w| {
                let piece = Segment::new(w[0], w[1]);
                piece.meets(line)
                    && piece.distance_to(line.a) > TOLERANCE
                    && piece.distance_to(line.b) > TOLERANCE
            }),
        }
    }
}

impl Ground {
    /// HOTT-249, HOTT-R30: whether some part of the front edge of `me` is uphill of all of the front edge of
    /// `foe`. In front contact the two edges are one line, so each is looked at within its own base, half the
    /// shallower base behind the line.
    #[must_use]
    pub fn uphill(&self, me: &Base, foe: &Base) -> bool {
        let back = me.size.depth.min(foe.size.depth) / 2;
        let line = |base: &Base| base.at(base.pose.back(back)).edge(field::Edge::Front);
        let (mine, theirs) = (line(me), line(foe));
        self.features
            .iter()
            .filter(|f| f.kind.is_hill() && (f.shape.overlaps(me) || f.shape.overlaps(foe)))
            .any(|f| f.top(&mine) > f.top(&theirs) + f.step())
    }
}
