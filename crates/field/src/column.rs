//! Columns on the march: each base follows the one ahead over the same ground.

use crate::{Base, Pose, Size, Stage, directly_behind};

/// Works out where the bases of a column come to stand (HOTT-128, HOTT-129). Keep one: it reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct March {
    /// Poses that the column passes through, from the last base's place to the leader's new one.
    trail: Vec<Pose>,
    poses: Vec<Pose>,
}

/// So deep a base may come to lie in the one ahead by rounding, in hundredths of a pace.
const ROUNDING: i32 = 2;

impl March {
    /// A march of nobody.
    #[must_use]
    pub const fn new() -> March {
        March { trail: Vec::new(), poses: Vec::new() }
    }

    /// The poses of a column after its leader has moved by `stages`; `column` is in order, the leader first.
    ///
    /// A follower goes along the places of those ahead, then along the leader's way, until it touches the base
    /// ahead: full edge to edge on a straight stretch (then flush), at a rear corner behind a bend.
    pub fn follow(&mut self, column: &[Base], stages: &[Stage]) -> &[Pose] {
        self.trail.clear();
        self.poses.clear();
        let Some(leader) = column.first() else { return &self.poses };
        self.trail.extend(column.iter().rev().map(|b| b.pose));
        let mut now = *leader;
        for stage in stages {
            self.trail.extend(stage.path(&now).poses().skip(1));
            now = now.at(stage.apply(&now));
        }
        self.poses.push(now.pose);
        let mut ahead = now;
        for (place, follower) in column.iter().enumerate().skip(1) {
            let start = column.len() - 1 - place;
            let mut pose = self.close_up(start, follower.size, &ahead);
            if directly_behind(&follower.at(pose), &ahead) {
                pose = ahead.behind();
            }
            self.poses.push(pose);
            ahead = follower.at(pose);
        }
        &self.poses
    }

    /// The last place on the trail, from `start` on, at which a base stands clear of the one ahead; there the
    /// trail of the next one ends.
    fn close_up(&mut self, start: usize, size: Size, ahead: &Base) -> Pose {
        let (place, pose) = self.clear_place(start, size, ahead);
        self.trail.truncate(place + 1);
        self.trail.push(pose);
        pose
    }

    fn clear_place(&self, start: usize, size: Size, ahead: &Base) -> (usize, Pose) {
        let free = |pose: Pose| Base::new(pose, size).penetration(ahead) <= ROUNDING;
        let mut last = self.trail.get(start).copied().unwrap_or_default();
        if !free(last) {
            return (start, last);
        }
        for (place, next) in self.trail.iter().enumerate().skip(start + 1) {
            if free(*next) {
                last = *next;
                continue;
            }
            let parts = last.point().distance(next.point()).max(last.heading.angle_to(next.heading)).max(1);
            let (mut low, mut high) = (0, parts);
            while high - low > 1 {
                let part = low + (high - low) / 2;
                if free(between(last, *next, part, parts)) { low = part } else { high = part }
            }
            return (place - 1, between(last, *next, low, parts));
        }
        (self.trail.len(), last)
    }
}

/// The pose `part` of `parts` on the way from one pose to another.
fn between(from: Pose, to: Pose, part: i32, parts: i32) -> Pose {
    let share = |way: i64| (way * i64::from(part) / i64::from(parts)) as i32;
    let step = to.point().minus(from.point());
    let turned = from.turned(share(from.heading.turn_to(to.heading).into()));
    turned.shifted(crate::Point { x: share(step.x.into()), y: share(step.y.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, Side, TOLERANCE};

    const SIZE: Size = Size::new(16_000, 6_000);

    fn column(pose: Pose, length: i32) -> Vec<Base> {
        (0..length).map(|i| Base::new(pose.back(6_000 * i), SIZE)).collect()
    }

    #[test]
    fn straight_on_it_stays_a_straight_column() {
        let mut march = March::new();
        for h in (0..36_000).step_by(111) {
            let mut bases = column(Pose::new(500_000, 500_000, Heading::new(h)), 5);
            for _ in 0..20 {
                let poses = march.follow(&bases, &[Stage::forward(7_777)]).to_vec();
                bases = poses.into_iter().map(|p| Base::new(p, SIZE)).collect();
                for pair in bases.windows(2) {
                    assert_eq!(pair[1].pose, pair[0].behind(), "{h}");
                }
            }
        }
        assert!(march.follow(&[], &[Stage::forward(5)]).is_empty());
    }

    #[test]
    fn behind_a_bend_it_touches_and_after_it_it_is_straight_again() {
        let mut march = March::new();
        let bases = column(Pose::new(500_000, 500_000, Heading::new(4_321)), 4);
        let wheel = Stage::Wheel { pivot: Side::Right, angle: 3_000 };
        let bent: Vec<Base> = march.follow(&bases, &[wheel]).iter().map(|p| Base::new(*p, SIZE)).collect();
        assert_eq!(bent[1].pose.heading, bases[1].pose.heading, "the second has not come to the bend");
        assert!(!directly_behind(&bent[1], &bent[0]) && bent[1].touches(&bent[0]));
        let on: Vec<Base> =
            march.follow(&bent, &[Stage::forward(60_000)]).iter().map(|p| Base::new(*p, SIZE)).collect();
        for pair in on.windows(2) {
            assert_eq!(pair[1].pose, pair[0].behind());
        }
    }

    #[test]
    fn winding_marches_keep_together_without_overlap() {
        let mut seed = 7_u64;
        let mut random = |n: i32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % n as u64) as i32
        };
        let mut march = March::new();
        let mut bases = column(Pose::new(1_200_000, 1_200_000, Heading::new(99)), 6);
        for round in 0..500 {
            let pivot = if random(2) == 0 { Side::Left } else { Side::Right };
            let stages = [Stage::Wheel { pivot, angle: random(4_000) }, Stage::forward(random(12_000))];
            bases = march.follow(&bases, &stages).iter().map(|p| Base::new(*p, SIZE)).collect();
            for pair in bases.windows(2) {
                assert!(pair[0].penetration(&pair[1]) <= TOLERANCE, "{round}");
                assert!(pair[0].touches(&pair[1]), "{round}");
            }
        }
    }
}
