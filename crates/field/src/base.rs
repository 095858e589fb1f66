//! Bases: rectangles that stand somewhere and look somewhere; distance and overlap.

use crate::point::{clamp, root};
use crate::{Heading, Len, Point, Pose, Segment, TOLERANCE, convex};

/// Left or right, as seen by the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The base's own left.
    Left,
    /// The base's own right.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// -1 for left, 1 for right: the sign of local x, and of a wheel (left is anticlockwise).
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Side::Left => -1,
            Side::Right => 1,
        }
    }

    /// The front corner on this side.
    #[must_use]
    pub const fn front(self) -> Corner {
        match self {
            Side::Left => Corner::FrontLeft,
            Side::Right => Corner::FrontRight,
        }
    }

    /// The rear corner on this side.
    #[must_use]
    pub const fn rear(self) -> Corner {
        match self {
            Side::Left => Corner::RearLeft,
            Side::Right => Corner::RearRight,
        }
    }

    /// The edge on this side.
    #[must_use]
    pub const fn edge(self) -> Edge {
        match self {
            Side::Left => Edge::Left,
            Side::Right => Edge::Right,
        }
    }
}

/// The corners of a base, anticlockwise from the front left (the order of [`Base::corners`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Corner {
    /// Front left.
    FrontLeft,
    /// Rear left.
    RearLeft,
    /// Rear right.
    RearRight,
    /// Front right.
    FrontRight,
}

impl Corner {
    /// All four, in the order of [`Base::corners`].
    pub const ALL: [Corner; 4] = [Corner::FrontLeft, Corner::RearLeft, Corner::RearRight, Corner::FrontRight];
}

/// The edges of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// The front edge.
    Front,
    /// The left side edge.
    Left,
    /// The right side edge.
    Right,
    /// The rear edge.
    Rear,
}

impl Edge {
    /// All four.
    pub const ALL: [Edge; 4] = [Edge::Front, Edge::Left, Edge::Right, Edge::Rear];
}

/// Width and depth of a base in hundredths of a pace, both from 1 to [`crate::LIMIT`] / 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Length of the front edge.
    pub width: Len,
    /// Length of the side edges.
    pub depth: Len,
}

impl Size {
    /// A size; lengths are brought into their range.
    #[must_use]
    pub const fn new(width: Len, depth: Len) -> Size {
        const fn fit(v: Len) -> Len {
            let most = crate::LIMIT / 8;
            if v < 1 {
                1
            } else if v > most {
                most
            } else {
                v
            }
        }
        Size { width: fit(width), depth: fit(depth) }
    }

    /// Local x of the left edge (negative).
    #[must_use]
    pub const fn left(self) -> Len {
        -(self.width / 2)
    }

    /// Local x of the right edge.
    #[must_use]
    pub const fn right(self) -> Len {
        self.width - self.width / 2
    }

    /// No part of the base is farther than this from the middle of its front edge.
    #[must_use]
    pub const fn reach(self) -> Len {
        // The greater side and half the lesser are never less than the diagonal.
        let (w, d) = (self.right(), self.depth);
        if w > d { w + d / 2 + 1 } else { d + w / 2 + 1 }
    }

    /// The corners in the base's own frame, in the order of [`Corner::ALL`].
    #[must_use]
    pub const fn local_corners(self) -> [Point; 4] {
        let (left, right, rear) = (self.left(), self.right(), -self.depth);
        [
            Point { x: left, y: 0 },
            Point { x: left, y: rear },
            Point { x: right, y: rear },
            Point { x: right, y: 0 },
        ]
    }
}

/// A base on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base {
    /// Where it stands.
    pub pose: Pose,
    /// How large it is.
    pub size: Size,
}

impl Base {
    /// A base of a size at a pose.
    #[must_use]
    pub const fn new(pose: Pose, size: Size) -> Base {
        Base { pose, size }
    }

    /// The same base at another pose.
    #[must_use]
    pub const fn at(self, pose: Pose) -> Base {
        Base { pose, size: self.size }
    }

    /// The corners on the board, anticlockwise from the front left ([`Corner::ALL`]): a convex polygon.
    #[must_use]
    #[inline]
    pub fn corners(&self) -> [Point; 4] {
        let frame = self.pose.frame();
        self.size.local_corners().map(|p| frame.to_world(p))
    }

    /// One corner on the board.
    #[must_use]
    pub fn corner(&self, corner: Corner) -> Point {
        self.pose.to_world(self.size.local_corners()[corner as usize])
    }

    /// One edge on the board; front and rear run from left to right, sides from front to rear.
    #[must_use]
    pub fn edge(&self, edge: Edge) -> Segment {
        let [fl, rl, rr, fr] = self.corners();
        match edge {
            Edge::Front => Segment::new(fl, fr),
            Edge::Left => Segment::new(fl, rl),
            Edge::Right => Segment::new(fr, rr),
            Edge::Rear => Segment::new(rl, rr),
        }
    }

    /// The middle of the base.
    #[must_use]
    pub fn centre(&self) -> Point {
        self.pose.to_world(Point { x: 0, y: -(self.size.depth / 2) })
    }

    /// The base turned about its centre to look along `heading`.
    #[must_use]
    pub fn turned_to(&self, heading: Heading) -> Base {
        let at_centre = Pose::at(self.centre(), heading);
        self.at(at_centre.forward(self.size.depth / 2))
    }

    /// The base turned right about in its place: the rear edge becomes the front edge.
    #[must_use]
    pub fn turned_about(&self) -> Base {
        self.at(self.pose.back(self.size.depth).opposed())
    }

    /// Whether no part of the two can be nearer than `gap`: a test of a few nanoseconds before the exact ones.
    #[must_use]
    #[inline]
    pub const fn far_from(&self, other: &Base, gap: Len) -> bool {
        let most = 4 * crate::LIMIT;
        let gap = if gap > most { most } else { gap };
        let reach = self.size.reach() as i64 + other.size.reach() as i64 + gap as i64;
        let dx = (self.pose.x as i64 - other.pose.x as i64).abs();
        let dy = (self.pose.y as i64 - other.pose.y as i64).abs();
        dx > reach || dy > reach || dx * dx + dy * dy > reach * reach
    }

    /// How deep the bases lie in each other (the shortest way that would part them); 0 or less if they
    /// are apart.
    #[must_use]
    pub fn penetration(&self, other: &Base) -> Len {
        let one = self.axis_depth(other);
        if one <= 0 { one } else { one.min(other.axis_depth(self)) }
    }

    /// Whether the bases overlap: deeper than the tolerance. A hull that holds this base overlaps whatever
    /// the base overlaps.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Base) -> bool {
        !self.far_from(other, 0) && convex::overlaps(&self.corners(), &other.corners())
    }

    /// The lesser overlap of the other base with this one along this one's own two axes.
    fn axis_depth(&self, other: &Base) -> Len {
        let frame = self.pose.frame();
        let [a, b, c, d] = other.corners().map(|p| frame.to_local(p));
        let (min_x, max_x) = (a.x.min(b.x).min(c.x.min(d.x)), a.x.max(b.x).max(c.x.max(d.x)));
        let (min_y, max_y) = (a.y.min(b.y).min(c.y.min(d.y)), a.y.max(b.y).max(c.y.max(d.y)));
        let across = (max_x - self.size.left()).min(self.size.right() - min_x);
        let along = (max_y + self.size.depth).min(-min_y);
        across.min(along)
    }

    /// The square of the distance of a point of this base's frame from the base.
    fn local_distance_squared(&self, p: Point) -> i64 {
        let dx = i64::from((self.size.left() - p.x).max(p.x - self.size.right()).max(0));
        let dy = i64::from((-self.size.depth - p.y).max(p.y).max(0));
        dx * dx + dy * dy
    }

    fn distance_squared(&self, other: &Base) -> i64 {
        // Apart, one of the two nearest points is a corner.
        let nearest = |a: &Base, b: &Base| {
            let frame = a.pose.frame();
            let [p, q, r, s] = b.corners().map(|c| a.local_distance_squared(frame.to_local(c)));
            p.min(q).min(r.min(s))
        };
        let square = nearest(self, other).min(nearest(other, self));
        if square > 0 && self.penetration(other) > 0 { 0 } else { square }
    }

    /// The distance from nearest point to nearest point, 0 if the bases touch or overlap.
    #[must_use]
    pub fn distance(&self, other: &Base) -> Len {
        root(self.distance_squared(other))
    }

    /// Whether the bases are within `limit` of each other, to the tolerance.
    #[must_use]
    pub fn within(&self, other: &Base, limit: Len) -> bool {
        let reach = limit.saturating_add(TOLERANCE);
        reach >= 0
            && !self.far_from(other, reach)
            && self.distance_squared(other) <= i64::from(reach) * i64::from(reach)
    }

    /// Whether the bases touch or overlap: nearer than the tolerance.
    #[must_use]
    pub fn touches(&self, other: &Base) -> bool {
        self.within(other, 0)
    }

    /// The distance from a point of the board to the base, 0 inside.
    #[must_use]
    pub fn distance_to(&self, point: Point) -> Len {
        root(self.local_distance_squared(self.pose.to_local(point)))
    }

    /// Whether a point of the board is in the base or nearer than the tolerance.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        let reach = i64::from(TOLERANCE);
        self.local_distance_squared(self.pose.to_local(point)) <= reach * reach
    }

    /// The pose of an enemy of any size in full front contact with this base.
    #[must_use]
    pub const fn front_contact(&self) -> Pose {
        self.pose.opposed()
    }

    /// The pose of an enemy of the given size in contact with this base's flank: front edge along the
    /// side edge, front corner at front corner.
    #[must_use]
    pub fn flank_contact(&self, side: Side, attacker: Size) -> Pose {
        // On this base's left the attacker looks right and its own left corner comes to y = 0.
        let (x, y) = match side {
            Side::Left => (self.size.left(), attacker.left()),
            Side::Right => (self.size.right(), -attacker.right()),
        };
        Pose::at(
            self.pose.to_world(Point { x, y }),
            self.pose.heading.turned(-crate::QUARTER_TURN * side.sign()),
        )
    }

    /// The pose of an enemy in contact with this base's rear, or of a friend directly behind it.
    #[must_use]
    pub fn rear_contact(&self) -> Pose {
        self.pose.back(self.size.depth)
    }

    /// The pose of a friend directly behind this base, corner to corner.
    #[must_use]
    pub fn behind(&self) -> Pose {
        self.rear_contact()
    }

    /// The pose of a friend of the given size directly ahead, its rear edge on this front edge.
    #[must_use]
    pub fn ahead(&self, friend: Size) -> Pose {
        self.pose.forward(friend.depth)
    }

    /// The pose of a friend of the given size beside this base: side edges together, front corners together.
    #[must_use]
    pub fn beside(&self, side: Side, friend: Size) -> Pose {
        self.pose.sideways(self.size.beside_offset(side, friend))
    }

    /// The smallest box with sides along the board's edges that holds the base: lower left, upper right.
    #[must_use]
    pub fn bounds(&self) -> (Point, Point) {
        let [a, b, c, d] = self.corners();
        (
            Point { x: a.x.min(b.x).min(c.x.min(d.x)), y: a.y.min(b.y).min(c.y.min(d.y)) },
            Point { x: a.x.max(b.x).max(c.x.max(d.x)), y: a.y.max(b.y).max(c.y.max(d.y)) },
        )
    }
}

impl Size {
    /// Local x of a friend that stands beside a base of this size, front corners together.
    #[must_use]
    pub const fn beside_offset(self, side: Side, friend: Size) -> Len {
        match side {
            Side::Left => clamp(self.left() as i64 - friend.right() as i64),
            Side::Right => clamp(self.right() as i64 - friend.left() as i64),
        }
    }
}
