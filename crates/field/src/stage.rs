//! Moves as stages: what they do to a pose, what they cost, what they pass over.

use crate::{Base, Heading, Hull, Len, Point, Pose, QUARTER_TURN, Side, TOLERANCE};

/// One stage of a move, told from the moving base (or the reference base of a group).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// A straight slide within the own frame: to the right (negative left) and forward (negative back).
    Slide {
        /// To the own right.
        right: Len,
        /// Straight ahead.
        forward: Len,
    },
    /// A straight slide by a vector of the board.
    Shift(Point),
    /// A wheel forward on the front corner of a side, by 0 to 18000 hundredths of a degree.
    Wheel {
        /// The corner that stays still.
        pivot: Side,
        /// Hundredths of a degree; brought into `0..=18000`.
        angle: i32,
    },
    /// A turn on the spot, about the centre of the base.
    Turn(Heading),
    /// A free pose (one element, HOTT-118).
    Place(Pose),
}

impl Stage {
    /// A slide straight ahead.
    #[must_use]
    pub const fn forward(by: Len) -> Stage {
        Stage::Slide { right: 0, forward: by }
    }

    /// A slide straight back.
    #[must_use]
    pub const fn back(by: Len) -> Stage {
        Stage::Slide { right: 0, forward: by.saturating_neg() }
    }

    /// The signed turn of a wheel: clockwise on the right corner, anticlockwise on the left.
    pub(crate) const fn wheel_turn(pivot: Side, angle: i32) -> i32 {
        let angle = if angle < 0 {
            0
        } else if angle > crate::HALF_TURN {
            crate::HALF_TURN
        } else {
            angle
        };
        angle * pivot.sign()
    }

    /// The pose of the base after the stage.
    #[must_use]
    pub fn apply(&self, base: &Base) -> Pose {
        match *self {
            Stage::Slide { right, forward } => base.pose.moved(right, forward),
            Stage::Shift(by) => base.pose.shifted(by),
            Stage::Wheel { pivot, angle } => {
                let corner = base.corner(pivot.front());
                let heading = base.pose.heading.turned(Stage::wheel_turn(pivot, angle));
                let offset = match pivot {
                    Side::Left => base.size.left(),
                    Side::Right => base.size.right(),
                };
                // From the corner, not turned about it: so the corner stays where it is however often.
                Pose::at(corner, heading).sideways(-offset)
            }
            Stage::Turn(heading) => base.turned_to(heading).pose,
            Stage::Place(pose) => Pose::new(pose.x, pose.y, pose.heading),
        }
    }

    /// The motion of the stage on the board: the same for every base that moves rigidly with this one.
    #[must_use]
    pub fn motion(&self, base: &Base) -> Motion {
        match *self {
            Stage::Slide { .. } | Stage::Shift(_) => {
                let to = self.apply(base);
                Motion::Line(to.point().minus(base.pose.point()))
            }
            Stage::Wheel { pivot, angle } => {
                Motion::Arc { pivot: base.corner(pivot.front()), turn: Stage::wheel_turn(pivot, angle) }
            }
            Stage::Turn(_) | Stage::Place(_) => Motion::Free,
        }
    }

    /// The cost of the stage for a base (HOTT-113): the straight-line travel of the front corner that
    /// travels farther, so a wheel by its chord. Stages add up.
    #[must_use]
    pub fn cost(&self, base: &Base) -> Len {
        match *self {
            Stage::Slide { right, forward } => Point::default().distance(Point::new(right, forward)),
            Stage::Shift(by) => Point::default().distance(Point::new(by.x, by.y)),
            _ => travel(base, &base.at(self.apply(base))),
        }
    }

    /// What the base passes over.
    #[must_use]
    pub fn path(&self, base: &Base) -> Path {
        self.motion(base).path(base, self.apply(base))
    }
}

/// HOTT-113: the straight-line travel of the front corner that travels farther.
#[must_use]
pub fn travel(before: &Base, after: &Base) -> Len {
    let ([fl, _, _, fr], [left, _, _, right]) = (before.corners(), after.corners());
    fl.distance(left).max(fr.distance(right))
}

/// The greatest distance straight ahead, back or aside that a rate allows is the rate itself; for a wheel
/// it is this angle, the largest whose chord keeps to `rate` (tolerance not used), `0..=18000`.
#[must_use]
pub fn wheel_within(base: &Base, pivot: Side, rate: Len) -> i32 {
    let (mut low, mut high) = (0, crate::HALF_TURN);
    while low < high {
        let angle = (low + high + 1) / 2;
        if (Stage::Wheel { pivot, angle }).cost(base) <= rate { low = angle } else { high = angle - 1 }
    }
    low
}

/// A motion on the board, the same for every member of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Motion {
    /// Every point moves by this vector.
    Line(Point),
    /// Every point turns about the pivot.
    Arc {
        /// The point that stays still.
        pivot: Point,
        /// Clockwise, hundredths of a degree.
        turn: i32,
    },
    /// From pose to pose with nothing told of the way between.
    Free,
}

impl Motion {
    /// What a base passes over when the motion takes it to `to`: hulls of the base before and after, an arc
    /// cut so that it leaves them by less than a pace.
    #[must_use]
    pub fn path(&self, base: &Base, to: Pose) -> Path {
        let (pivot, turn) = match *self {
            Motion::Arc { pivot, turn } => (pivot, turn),
            _ => (Point::default(), 0),
        };
        let steps = if turn == 0 { 1 } else { arc_steps(base, pivot, turn) };
        Path { from: *base, to, pivot, turn, steps, done: 0, last: base.pose }
    }
}

/// In how many steps an arc is cut so that no corner leaves the hulls by a pace.
fn arc_steps(base: &Base, pivot: Point, turn: i32) -> i32 {
    let reach = base.corners().into_iter().map(|c| c.distance(pivot)).max().unwrap_or(0);
    // A step of angle a leaves its chord by r (1 - cos(a/2)) <= r a²/8. With 97 hundredths of a pace for it
    // (the rest for rounding), a is at most sqrt(776 / r) radians, and (18000 / pi)² * 776 > 25,470,000,000.
    let widest = (25_470_000_000 / i64::from(reach.max(1))).isqrt().clamp(1, i64::from(QUARTER_TURN)) as i32;
    (turn.abs() + widest - 1) / widest
}

/// The hulls that a base passes over, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    from: Base,
    to: Pose,
    pivot: Point,
    turn: i32,
    steps: i32,
    done: i32,
    last: Pose,
}

impl Iterator for Path {
    type Item = Hull;

    fn next(&mut self) -> Option<Hull> {
        if self.done >= self.steps {
            return None;
        }
        self.done += 1;
        let next = if self.done == self.steps {
            self.to
        } else {
            let part = i64::from(self.turn) * i64::from(self.done) / i64::from(self.steps);
            self.from.pose.around(self.pivot, part as i32)
        };
        let hull = Hull::sweep(&self.from.at(self.last), &self.from.at(next));
        self.last = next;
        Some(hull)
    }
}

impl Path {
    /// The poses at the ends of the hulls, the start first.
    pub fn poses(self) -> impl Iterator<Item = Pose> {
        (0..=self.steps).map(move |i| {
            if i == self.steps {
                self.to
            } else if i == 0 {
                self.from.pose
            } else {
                let part = i64::from(self.turn) * i64::from(i) / i64::from(self.steps);
                self.from.pose.around(self.pivot, part as i32)
            }
        })
    }

    /// HOTT-152: how many of the base's four corners pass over `friend`, deeper than the tolerance. One
    /// means that only a corner is cut.
    #[must_use]
    pub fn corners_across(&self, friend: &Base) -> usize {
        let frame = friend.pose.frame();
        let size = friend.size;
        let (left, right) = (size.left() + TOLERANCE, size.right() - TOLERANCE);
        let (rear, front) = (-size.depth + TOLERANCE, -TOLERANCE);
        if left >= right || rear >= front {
            return 0;
        }
        let mut across = [false; 4];
        let mut before: Option<[Point; 4]> = None;
        for pose in self.poses() {
            let now = self.from.at(pose).corners().map(|c| frame.to_local(c));
            for (i, crossed) in across.iter_mut().enumerate() {
                let start = before.map_or(now[i], |b| b[i]);
                *crossed |= crosses_box(start, now[i], left, right, rear, front);
            }
            before = Some(now);
        }
        across.into_iter().filter(|c| *c).count()
    }
}

/// Whether a segment passes through the inside of a box.
fn crosses_box(a: Point, b: Point, left: Len, right: Len, low: Len, high: Len) -> bool {
    if a.x.max(b.x) <= left || a.x.min(b.x) >= right || a.y.max(b.y) <= low || a.y.min(b.y) >= high {
        return false;
    }
    let sides = [(left, low), (right, low), (right, high), (left, high)]
        .map(|(x, y)| crate::point::cross(a, b, Point { x, y }).signum());
    // For a single point (no direction) the boxes above decide.
    a == b || (sides.contains(&1) && sides.contains(&-1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corner, reaches};

    const SIZE: crate::Size = crate::Size::new(16_000, 6_000);

    fn base(h: i32) -> Base {
        Base::new(Pose::new(123_456, 98_765, Heading::new(h)), SIZE)
    }

    #[test]
    fn an_exact_200_paces_is_legal_at_every_heading() {
        for h in 0..36_000 {
            let before = base(h);
            for stage in
                [Stage::forward(20_000), Stage::back(20_000), Stage::Slide { right: 20_000, forward: 0 }]
            {
                let after = before.at(stage.apply(&before));
                assert!(reaches(stage.cost(&before), 20_000), "{h}");
                assert!(reaches(travel(&before, &after), 20_000), "{h}");
                // As a vector of the board, as the page sends it, too.
                let by = after.pose.point().minus(before.pose.point());
                assert!(reaches(Stage::Shift(by).cost(&before), 20_000), "{h}");
                assert!(!reaches(travel(&before, &before.at(before.pose.forward(20_030))), 20_000), "{h}");
            }
        }
    }

    #[test]
    fn a_wheel_keeps_its_corner_and_costs_its_chord() {
        for h in (0..36_000).step_by(11) {
            let mut b = base(h);
            for (side, corner) in [(Side::Left, Corner::FrontLeft), (Side::Right, Corner::FrontRight)] {
                let still = b.corner(corner);
                let stage = Stage::Wheel { pivot: side, angle: 6_000 };
                assert!((stage.cost(&b) - 16_000).abs() <= 2, "sixty degrees: chord and width are equal");
                b = b.at(stage.apply(&b));
                assert!(b.corner(corner).within(still, 1), "{h}");
            }
        }
        let b = base(0);
        let turned = Stage::Wheel { pivot: Side::Right, angle: 9_000 }.apply(&b);
        assert_eq!(turned.heading, Heading::RIGHT);
        assert!(turned.point().within(b.corner(Corner::FrontRight).plus(Point::new(0, 8_000)), 1));
    }

    #[test]
    fn wheel_rates() {
        let b = base(777);
        let angle = wheel_within(&b, Side::Left, 16_000);
        assert!((angle - 6_000).abs() <= 1);
        assert_eq!(wheel_within(&b, Side::Left, 40_000), 18_000);
        assert_eq!(wheel_within(&b, Side::Left, 0), 0);
    }

    #[test]
    fn arcs_leave_their_hulls_by_less_than_a_pace() {
        for (angle, pivot) in [(9_000, Side::Left), (18_000, Side::Right), (1_234, Side::Left)] {
            let b = base(3_210);
            let stage = Stage::Wheel { pivot, angle };
            let hulls: Vec<Hull> = stage.path(&b).collect();
            for part in 0..=angle {
                let on_the_way = b.at(Stage::Wheel { pivot, angle: part }.apply(&b));
                for corner in on_the_way.corners() {
                    let off = hulls.iter().map(|h| h.distance_to(corner)).min().unwrap_or(Len::MAX);
                    assert!(off < 100, "{part}: {off}");
                }
            }
        }
    }

    #[test]
    fn cutting_a_corner() {
        let mover = Base::new(Pose::new(0, 0, Heading::UP), SIZE);
        let friend = Base::new(Pose::new(13_000, 12_000, Heading::UP), SIZE);
        let straight = Stage::forward(8_000);
        assert_eq!(straight.path(&mover).corners_across(&friend), 1, "its right front corner only");
        let through = Stage::forward(30_000);
        assert_eq!(through.path(&mover).corners_across(&friend), 2, "both right corners");
        let beside = Base::new(Pose::new(16_000, 12_000, Heading::UP), SIZE);
        assert_eq!(through.path(&mover).corners_across(&beside), 0, "flush");
    }
}
