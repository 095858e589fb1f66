//! The ground: terrain features of a board and what they mean for movement, sight and combat (section 4).
//!
//! - [`Feature`]: one feature; its text form is in `text.rs`;
//! - [`Ground`]: all of them, with the questions that rules ask;
//! - `legal.rs`: HOTT-062 to HOTT-066 as a list of what is wrong; `random.rs`: ground that satisfies them.

mod campaign;
mod height;
mod legal;
mod random;
mod text;

use crate::table::{Class, Footing, Tables};
use field::{
    Base, Board, Disc, Edge, Heading, Hull, Len, PACE, Point, Polygon, Pose, Shape, ShapeError, Size, Way,
};
use rulebook::{RuleId, rule};

pub use legal::GroundProblem;
pub(crate) use legal::name;

/// What a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Bad going, cover, blocks sight.
    Wood,
    /// A built-up area: as a wood.
    Bua,
    /// Bad going; Water Lurkers appear in it (HOTT-061).
    Marsh,
    /// Rough or boggy ground: bad going.
    Rough,
    /// Bad going.
    Dunes,
    /// Small enclosed fields: bad going.
    Fields,
    /// A gentle hill: good going that slopes (HOTT-053).
    Hill,
    /// A steep hill: bad going that slopes.
    Steep,
    /// Steep slopes and a flat top in good going (HOTT-049).
    Plateau,
    /// Water that runs (HOTT-055).
    River,
    /// A lake, or a piece of sea.
    Lake,
    /// HOTT-059.
    Road,
    /// A road through a river (HOTT-137).
    Ford,
    /// A road over a river (HOTT-137).
    Bridge,
    /// Impassable to all, Aerials may fly over (HOTT-060).
    Cliff,
}

impl Kind {
    /// Every kind with its word.
    pub const WORDS: [(Kind, &'static str); 15] = [
        (Kind::Wood, "wood"),
        (Kind::Bua, "bua"),
        (Kind::Marsh, "marsh"),
        (Kind::Rough, "rough"),
        (Kind::Dunes, "dunes"),
        (Kind::Fields, "fields"),
        (Kind::Hill, "hill"),
        (Kind::Steep, "steep"),
        (Kind::Plateau, "plateau"),
        (Kind::River, "river"),
        (Kind::Lake, "lake"),
        (Kind::Road, "road"),
        (Kind::Ford, "ford"),
        (Kind::Bridge, "bridge"),
        (Kind::Cliff, "cliff"),
    ];

    /// The word for it in ground files.
    #[must_use]
    pub fn word(self) -> &'static str {
        Kind::WORDS[self as usize].1
    }

    /// HOTT-050: bad going, apart from the flat top of a plateau.
    #[must_use]
    pub const fn is_bad(self) -> bool {
        use Kind::*;
        matches!(self, Wood | Bua | Marsh | Rough | Dunes | Fields | Steep | Plateau)
    }

    /// HOTT-051: what is bad going for Aerials too, gives cover (HOTT-254) and blocks sight (HOTT-067).
    #[must_use]
    pub const fn is_wood(self) -> bool {
        matches!(self, Kind::Wood | Kind::Bua)
    }

    /// HOTT-055.
    #[must_use]
    pub const fn is_water(self) -> bool {
        matches!(self, Kind::River | Kind::Lake)
    }

    /// HOTT-059: roads with their fords and bridges.
    #[must_use]
    pub const fn is_road(self) -> bool {
        matches!(self, Kind::Road | Kind::Ford | Kind::Bridge)
    }

    /// Hills of every kind.
    #[must_use]
    pub const fn is_hill(self) -> bool {
        matches!(self, Kind::Hill | Kind::Steep | Kind::Plateau)
    }
}

/// The ground plan of a feature as it was given, so that it prints as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// A disc: middle and radius.
    Disc(Point, Len),
    /// A rectangle: middle, width, depth, heading.
    Rect(Point, Len, Len, Heading),
    /// An ellipse: middle, width, depth, heading.
    Ellipse(Point, Len, Len, Heading),
    /// A polygon.
    Polygon(Vec<Point>),
    /// A line with a width.
    Way(Len, Vec<Point>),
}

impl Plan {
    fn shape(&self) -> Result<Shape, ShapeError> {
        Ok(match self {
            Plan::Disc(centre, radius) => Shape::Disc(Disc::new(*centre, *radius)?),
            Plan::Rect(centre, width, depth, heading) => {
                for axis in [*width, *depth] {
                    if !(1..=field::LIMIT / 8).contains(&axis) {
                        return Err(ShapeError::Width(axis));
                    }
                }
                let pose = Pose::at(*centre, *heading).forward(depth / 2);
                Shape::Polygon(Polygon::rectangle(&Base::new(pose, Size::new(*width, *depth))))
            }
            Plan::Ellipse(centre, width, depth, heading) => {
                Shape::Polygon(Polygon::ellipse(*centre, width / 2, depth / 2, *heading)?)
            }
            Plan::Polygon(points) => Shape::Polygon(Polygon::new(points)?),
            Plan::Way(width, points) => Shape::Way(Way::new(points, *width)?),
        })
    }
}

/// One terrain feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it is.
    pub kind: Kind,
    /// Its ground plan as given.
    pub plan: Plan,
    /// Its ground plan as a shape.
    pub shape: Shape,
    /// HOTT-054: the crest of a hill, if it is modelled; empty if not.
    pub crest: Vec<Point>,
    /// How wide the slopes of a plateau are; 0 for everything else.
    pub slope: Len,
}

impl Feature {
    /// A feature.
    ///
    /// # Errors
    /// A plan that encloses nothing.
    pub fn new(kind: Kind, plan: Plan, crest: Vec<Point>, slope: Len) -> Result<Feature, ShapeError> {
        let shape = plan.shape()?;
        Ok(Feature { kind, plan, shape, crest, slope })
    }

    /// Whether some part of a base stands in what the kind means: for a plateau on its slopes.
    fn bad_under(&self, base: &Base) -> bool {
        self.kind.is_bad() && self.shape.overlaps(base) && !self.on_top(&base.corners())
    }

    /// HOTT-049: all on the flat top of a plateau. The depth inside a convex edge is least at a corner.
    fn on_top(&self, corners: &[Point]) -> bool {
        self.kind == Kind::Plateau
            && corners.iter().all(|c| self.shape.signed_distance(*c) <= field::TOLERANCE - self.slope)
    }

    /// How wide this water is for HOTT-056; 0 for what is no water.
    #[must_use]
    pub fn water_width(&self) -> Len {
        if self.kind.is_water() { self.shape.across() } else { 0 }
    }
}

/// What something stands in or passes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossed {
    /// Bad going, water, woods and BUAs.
    pub footing: Footing,
    /// The width of the widest water (HOTT-056); 0: none.
    pub water_width: Len,
    /// A steep hill or the slope of a plateau (HOTT-328).
    pub steep: bool,
    /// A cliff (HOTT-060).
    pub cliff: bool,
    /// A marsh (HOTT-044: Water Lurkers move in it).
    pub marsh: bool,
}

impl Crossed {
    /// HOTT-056, HOTT-060: the rule by which an element of this class may not pass here at all.
    #[must_use]
    pub fn forbids(&self, tables: &Tables, class: Class) -> Option<RuleId> {
        if class == Class::Aerial {
            return None;
        }
        if self.cliff {
            return Some(rule!("HOTT-060"));
        }
        (self.water_width > tables.numbers.water_width_max * PACE + field::TOLERANCE)
            .then_some(rule!("HOTT-056"))
    }

    /// HOTT-060, HOTT-142: the rule by which an element of this class may not end a move here.
    #[must_use]
    pub fn forbids_end(&self, tables: &Tables, class: Class) -> Option<RuleId> {
        if self.cliff {
            return Some(rule!("HOTT-060"));
        }
        // BB-088
        if class == Class::Aerial && self.footing.wood && !tables.is_big() {
            return Some(rule!("HOTT-142"));
        }
        self.forbids(tables, class)
    }

    fn add(&mut self, feature: &Feature, bad: bool) {
        let kind = feature.kind;
        self.footing.bad |= bad;
        self.footing.wood |= kind.is_wood();
        self.footing.water |= kind.is_water();
        self.water_width = self.water_width.max(feature.water_width());
        self.steep |= bad && kind.is_hill();
        self.cliff |= kind == Kind::Cliff;
        self.marsh |= kind == Kind::Marsh;
    }
}

/// The features of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    features: Vec<Feature>,
}

impl Ground {
    /// Ground with these features.
    #[must_use]
    pub fn new(features: Vec<Feature>) -> Ground {
        Ground { features }
    }

    /// Its features, in the order in which they were laid.
    #[must_use]
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// HOTT-052: what a base stands in, with any part.
    #[must_use]
    pub fn under(&self, base: &Base) -> Crossed {
        let mut all = Crossed::default();
        for f in &self.features {
            if f.shape.overlaps(base) {
                all.add(f, f.bad_under(base));
            }
        }
        all
    }

    /// HOTT-052: the footing of a base for combat, roads not counting (HOTT-059).
    #[must_use]
    pub fn footing(&self, base: &Base) -> Footing {
        self.under(base).footing
    }

    /// What a hull passes over, roads not counting.
    #[must_use]
    pub fn crossed(&self, hull: &Hull) -> Crossed {
        let mut all = Crossed::default();
        for f in &self.features {
            if f.shape.overlaps_hull(hull) {
                all.add(f, f.kind.is_bad() && !f.on_top(hull.points()));
            }
        }
        all
    }

    /// The features, with their numbers, in which a base stands with any part (HOTT-188: Lurkers).
    pub fn features_under<'a>(&'a self, base: &'a Base) -> impl Iterator<Item = (usize, &'a Feature)> + 'a {
        self.features.iter().enumerate().filter(|(_, f)| f.shape.overlaps(base))
    }

    /// HOTT-190, HOTT-191: whether a Lurker (a Water Lurker if `water`) may lie in this feature.
    #[must_use]
    pub fn hides(feature: &Feature, water: bool) -> bool {
        if water { feature.kind.is_water() || feature.kind == Kind::Marsh } else { feature.kind.is_bad() }
    }

    /// The roads, fords and bridges.
    pub fn roads(&self) -> impl Iterator<Item = &Way> + '_ {
        self.features.iter().filter(|f| f.kind.is_road()).filter_map(|f| match &f.shape {
            Shape::Way(way) => Some(way),
            _ => None,
        })
    }

    /// HOTT-133: whether a base stands on a road: the middles of its front and rear edges keep to it, and it
    /// looks along it, within the road's half width.
    #[must_use]
    pub fn on_road(&self, base: &Base) -> bool {
        let (front, rear) = (base.pose.point(), base.rear_contact().point());
        let on = |p: Point| self.roads().any(|w| w.off_line(p) <= w.half_width() + field::TOLERANCE);
        on(front) && on(rear)
    }

    /// HOTT-250: whether `me` defends a river bank against `foe`: dry, facing the river with its front edge
    /// within reach of it, the enemy at least partly in the river.
    #[must_use]
    pub fn defends_bank(&self, tables: &Tables, me: &Base, foe: &Base) -> bool {
        let reach = tables.numbers.bank_reach * PACE;
        self.features.iter().filter(|f| f.kind == Kind::River).any(|f| {
            f.shape.overlaps(foe)
                && !f.shape.overlaps(me)
                && f.shape.distance_hull(&Hull::segment(&me.edge(Edge::Front))) <= reach + field::TOLERANCE
                && self.faces(f, me)
        }) && !self.under(me).footing.water
    }

    /// The nearest point of the river's line is ahead of the front edge.
    fn faces(&self, feature: &Feature, me: &Base) -> bool {
        match &feature.shape {
            Shape::Way(way) => me.pose.to_local(way.nearest(me.pose.point()).0).y > -field::TOLERANCE,
            _ => true,
        }
    }

    /// Why a rule of this ground keeps an element off: the feature that it meets, and what would be right.
    pub(crate) fn why_not(&self, tables: &Tables, rule: RuleId, meets: impl Fn(&Feature) -> bool) -> String {
        let what = |wanted: &dyn Fn(&Feature) -> bool| {
            let found = self.features.iter().find(|f| wanted(f) && meets(f));
            found.map_or_else(|| "that ground".to_owned(), legal::name)
        };
        let wide = tables.numbers.water_width_max;
        match rule.to_string().as_str() {
            "HOTT-142" => format!("{}, where an Aerial may not end", what(&|f| f.kind.is_wood())),
            "HOTT-056" => {
                let far = |f: &Feature| f.water_width() > wide * PACE + field::TOLERANCE;
                let found = self.features.iter().find(|f| far(f) && meets(f));
                let width = found.map_or(0, |f| field::paces_needed(f.water_width()));
                format!("{}, {width}p wide, where ground elements enter water up to {wide}p", what(&far))
            }
            "HOTT-045" => {
                format!("{}, and Artillery enters bad going along a road only", what(&|f| f.kind.is_bad()))
            }
            _ => format!("{}, which is impassable", what(&|f| f.kind == Kind::Cliff)),
        }
    }

    /// HOTT-R40: whether there is a waterway: a lake or sea that reaches an edge of the board.
    #[must_use]
    pub fn has_waterway(&self, board: &Board) -> bool {
        self.features.iter().any(|f| is_waterway(f, board))
    }

    /// HOTT-R40: whether a base stands on the shore of a waterway: touching it, with no part in any water.
    #[must_use]
    pub fn on_a_shore(&self, board: &Board, base: &Base) -> bool {
        let near = |f: &Feature| {
            is_waterway(f, board) && f.shape.distance_hull(&Hull::base(base)) <= 2 * field::TOLERANCE
        };
        !self.under(base).footing.water && self.features.iter().any(near)
    }

    /// HOTT-255: whether a straight line crosses water.
    #[must_use]
    pub fn water_across(&self, line: &field::Segment) -> bool {
        self.features.iter().any(|f| f.kind.is_water() && f.shape.crosses(line))
    }
}

/// A lake or piece of sea that reaches an edge of the board.
fn is_waterway(f: &Feature, board: &Board) -> bool {
    let (low, high) = f.shape.bounds();
    let near =
        |p: Point| field::BoardEdge::ALL.into_iter().any(|e| board.from_edge(e, p) <= field::TOLERANCE);
    f.kind == Kind::Lake && (near(low) || near(high))
}

#[cfg(test)]
mod tests;
