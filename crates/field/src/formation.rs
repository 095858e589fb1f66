//! Groups as rigid bodies.
//!
//! Turned one by one, the members of a group would drift apart a rounding at a time. Here a group is one
//! reference pose and whole offsets in its frame; neighbours' offsets are flush to the hundredth, and every
//! pose is made anew from the reference, so that after any number of moves, splits and rejoinings
//! neighbours are true to 0.02p.

use crate::{Base, Len, Motion, Neighbour, Point, Pose, Side, Size, Stage, TOLERANCE, neighbour};

/// A member of a formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Middle of its front edge in the frame of the reference pose.
    pub offset: Point,
    /// Its base.
    pub size: Size,
}

/// A rigid body of bases that all face one way. Keep one and [`Formation::gather`] again: it reuses its
/// memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formation {
    reference: Pose,
    members: Vec<Member>,
    /// Members in the order in which they were attached, and whether each is: scratch of
    /// [`Formation::gather`].
    order: Vec<usize>,
    attached: Vec<bool>,
}

impl Formation {
    /// A formation of nobody.
    #[must_use]
    pub const fn new() -> Formation {
        Formation {
            reference: Pose::new(0, 0, crate::Heading::UP),
            members: Vec::new(),
            order: Vec::new(),
            attached: Vec::new(),
        }
    }

    /// Makes the formation of these bases, the first being the reference. Neighbours (HOTT-119) are put
    /// flush. Returns the place of the first base that is joined to the others by no neighbour (it is then
    /// placed where it stands): `None` means that they are a group.
    pub fn gather(&mut self, bases: &[Base]) -> Option<usize> {
        self.members.clear();
        self.order.clear();
        self.attached.clear();
        let first = bases.first()?;
        self.reference = first.pose;
        let frame = first.pose.frame();
        self.members
            .extend(bases.iter().map(|b| Member { offset: frame.to_local(b.pose.point()), size: b.size }));
        self.members[0].offset = Point::default();
        self.order.push(0);
        self.attached.resize(bases.len(), false);
        self.attached[0] = true;
        let mut next = 0;
        while let Some(&at) = self.order.get(next) {
            for (i, other) in bases.iter().enumerate() {
                if self.attached[i] {
                    continue;
                }
                if let Some(place) = neighbour(&bases[at], other) {
                    self.members[i].offset = self.flush(at, place, other, &bases[at]);
                    self.order.push(i);
                    self.attached[i] = true;
                }
            }
            next += 1;
        }
        self.attached.iter().position(|attached| !attached)
    }

    /// The offset of `other`, flush at the member `at`.
    fn flush(&self, at: usize, place: Neighbour, other: &Base, base: &Base) -> Point {
        let from = self.members[at];
        let step = match place {
            Neighbour::Behind => Point { x: 0, y: -from.size.depth },
            Neighbour::Ahead => Point { x: 0, y: other.size.depth },
            Neighbour::Beside(side) => {
                let fronts = crate::corners_touch(base, side.front(), other, side.other().front());
                let y = if fronts { 0 } else { other.size.depth - from.size.depth };
                Point { x: from.size.beside_offset(side, other.size), y }
            }
        };
        from.offset.plus(step)
    }

    /// The reference pose (that of the first base gathered).
    #[must_use]
    pub const fn reference(&self) -> Pose {
        self.reference
    }

    /// The members in the order in which they were gathered.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The base of a member where the formation stands now; the reference pose for a number beyond them.
    #[must_use]
    pub fn base(&self, member: usize) -> Base {
        self.bases().nth(member).unwrap_or(Base::new(self.reference, Size::new(1, 1)))
    }

    /// The bases of all members where the formation stands now.
    pub fn bases(&self) -> impl Iterator<Item = Base> + '_ {
        let frame = self.reference.frame();
        let heading = self.reference.heading;
        self.members.iter().map(move |m| Base::new(Pose::at(frame.to_world(m.offset), heading), m.size))
    }

    /// Puts the reference pose elsewhere; the members follow.
    pub fn place(&mut self, reference: Pose) {
        self.reference = Pose::new(reference.x, reference.y, reference.heading);
    }

    /// HOTT-121: the outer front corner of the leftmost or rightmost element of the front rank, in the frame
    /// of the reference.
    #[must_use]
    pub fn pivot(&self, side: Side) -> Point {
        let front = self.members.iter().map(|m| m.offset.y).max().unwrap_or(0);
        let ends = self.members.iter().filter(|m| m.offset.y >= front - TOLERANCE).map(|m| Point {
            x: m.offset.x + if side == Side::Left { m.size.left() } else { m.size.right() },
            y: m.offset.y,
        });
        let outer = match side {
            Side::Left => ends.min_by_key(|p| p.x),
            Side::Right => ends.max_by_key(|p| p.x),
        };
        outer.unwrap_or_default()
    }

    /// The reference pose after a stage. A wheel pivots on [`Formation::pivot`]; a turn and a free pose are
    /// those of the reference base, the rest following as one body.
    #[must_use]
    pub fn after(&self, stage: &Stage) -> Pose {
        match *stage {
            Stage::Wheel { pivot, angle } => {
                let local = self.pivot(pivot);
                let heading = self.reference.heading.turned(Stage::wheel_turn(pivot, angle));
                Pose::at(self.reference.to_world(local), heading).moved(-local.x, -local.y)
            }
            _ => stage.apply(&self.base(0)),
        }
    }

    /// The motion of a stage, the same for every member (for [`Motion::path`]).
    #[must_use]
    pub fn motion(&self, stage: &Stage) -> Motion {
        match *stage {
            Stage::Wheel { pivot, angle } => Motion::Arc {
                pivot: self.reference.to_world(self.pivot(pivot)),
                turn: Stage::wheel_turn(pivot, angle),
            },
            _ => stage.motion(&self.base(0)),
        }
    }

    /// HOTT-113 for a whole group: the cost of the stage for the member that travels farthest.
    #[must_use]
    pub fn cost(&self, stage: &Stage) -> Len {
        match stage {
            Stage::Slide { .. } | Stage::Shift(_) => stage.cost(&self.base(0)),
            _ => {
                let after = self.after(stage);
                let frame = after.frame();
                self.members
                    .iter()
                    .zip(self.bases())
                    .map(|(m, before)| {
                        let to = Pose::at(frame.to_world(m.offset), after.heading);
                        crate::travel(&before, &before.at(to))
                    })
                    .max()
                    .unwrap_or(0)
            }
        }
    }

    /// Moves the formation by a stage.
    pub fn advance(&mut self, stage: &Stage) {
        self.reference = self.after(stage);
    }

    /// HOTT-121: the widest wheel (hundredths of a degree, `0..=9000`) for which no member's chord is longer
    /// than `rate`, tolerance not used.
    #[must_use]
    pub fn wheel_within(&self, pivot: Side, rate: Len) -> i32 {
        let (mut low, mut high) = (0, crate::QUARTER_TURN);
        while low < high {
            let angle = (low + high + 1) / 2;
            if self.cost(&Stage::Wheel { pivot, angle }) <= rate { low = angle } else { high = angle - 1 }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corner, Heading, corners_touch};

    const SIZE: Size = Size::new(16_000, 6_000);

    fn block(pose: Pose, files: i32, ranks: i32) -> Vec<Base> {
        let mut bases = Vec::new();
        for rank in 0..ranks {
            for file in 0..files {
                bases.push(Base::new(pose.moved(16_000 * file, -6_000 * rank), SIZE));
            }
        }
        bases
    }

    #[test]
    fn a_group_is_told_from_a_crowd() {
        let mut formation = Formation::new();
        let mut bases = block(Pose::new(50_000, 50_000, Heading::new(1_234)), 4, 2);
        assert_eq!(formation.gather(&bases), None);
        bases[5].pose = bases[5].pose.back(40);
        bases[1].pose = bases[1].pose.forward(40);
        assert_eq!(formation.gather(&bases), Some(1));
        assert_eq!(formation.gather(&[]), None);
        assert!(formation.members().is_empty());
    }

    #[test]
    fn wheels_pivot_on_the_outer_corner() {
        let mut formation = Formation::new();
        let bases = block(Pose::new(500_000, 500_000, Heading::new(777)), 5, 2);
        assert_eq!(formation.gather(&bases), None);
        let still = bases[4].corner(Corner::FrontRight);
        let stage = Stage::Wheel { pivot: Side::Right, angle: 1_000 };
        let cost = formation.cost(&stage);
        formation.advance(&stage);
        assert!(formation.base(4).corner(Corner::FrontRight).within(still, 2));
        let swung = formation.base(0).corner(Corner::FrontLeft).distance(bases[0].corner(Corner::FrontLeft));
        // The rear rank's outer front corner stands a little farther from the pivot than the front rank's.
        assert!(swung < cost && cost < swung + swung / 100);
        assert_eq!(formation.wheel_within(Side::Right, cost), 1_000);
    }

    /// 1,000 random wheels, slides, splits and rejoinings leave neighbours true to 0.02p.
    #[test]
    fn neighbours_do_not_drift() {
        let mut seed = 12_345_u64;
        let mut random = |n: i32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % n as u64) as i32
        };
        let mut bases = block(Pose::new(1_200_000, 1_300_000, Heading::new(4_321)), 6, 2);
        let (mut whole, mut part) = (Formation::new(), Formation::new());
        for round in 0..1_000 {
            // Split: a part wheels off, and is brought back beside the rest from a friend's frame.
            let side = if random(2) == 0 { Side::Left } else { Side::Right };
            let file = 1 + random(5) as usize;
            let chosen: Vec<usize> = (0..12).filter(|i| i % 6 >= file).collect();
            let cut: Vec<Base> = chosen.iter().map(|i| bases[*i]).collect();
            assert_eq!(part.gather(&cut), None, "{round}");
            part.advance(&Stage::Wheel { pivot: side, angle: random(9_000) });
            part.advance(&Stage::Slide { right: random(999), forward: random(20_000) });
            part.place(bases[file - 1].beside(Side::Right, SIZE));
            for (i, base) in chosen.iter().zip(part.bases()) {
                bases[*i] = base;
            }
            // Rejoined: the whole wheels and moves, any member being the reference.
            let lead = random(12) as usize;
            bases.rotate_left(lead);
            assert_eq!(whole.gather(&bases), None, "{round}");
            whole.advance(&Stage::Wheel { pivot: side, angle: random(9_000) });
            whole.advance(&Stage::Slide { right: 0, forward: random(20_000) - 10_000 });
            bases = whole.bases().collect();
            bases.rotate_right(lead);
            for (i, base) in bases.iter().enumerate() {
                if i % 6 < 5 {
                    let gap =
                        base.corner(Corner::FrontRight).distance(bases[i + 1].corner(Corner::FrontLeft));
                    assert!(gap <= 2, "{round}: {gap}");
                    assert!(corners_touch(base, Corner::RearRight, &bases[i + 1], Corner::RearLeft));
                }
                if i < 6 {
                    let gap = base.corner(Corner::RearLeft).distance(bases[i + 6].corner(Corner::FrontLeft));
                    assert!(gap <= 2, "{round}: {gap}");
                }
            }
        }
    }
}
