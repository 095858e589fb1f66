//! What groups and parts of groups could do: straight ahead, a wheel towards the enemy, a charge in line.

use super::ideas::{Ideas, Way};
use super::look::carried;
use field::{Base, Formation, Heading, Len, PACE, Point, Pose, Side, Stage};
use hott::battle::{Face, Target};
use hott::table::{Class, TroopType};

impl Ideas<'_, '_, '_> {
    /// Straight ahead: as far as it goes, and short of what it would bump into.
    pub(super) fn ahead(&mut self, b: usize) {
        let look = self.look;
        let reach = self.slowest(b);
        let clear = self.clear_ahead(b, reach);
        let lead = self.bodies[b].who[0];
        let from = look.scene.base(lead).pose;
        let mut last = 0;
        let rough = !look.terrain.is_open();
        let slow = |n: usize| if rough { self.rate(b, n).min(clear) } else { 0 };
        for by in [reach.min(clear), reach.min(clear) / 2, slow(1), slow(2)] {
            let by = by / PACE * PACE;
            if by < 20 * PACE || by == last {
                continue;
            }
            last = by;
            let to = self.carried(b, lead, from.forward(by));
            self.weigh(b, Way::Ahead(by), &to);
        }
    }

    /// How far a body can go straight ahead before an enemy's threat zone or anything solid stops it.
    fn clear_ahead(&self, b: usize, reach: Len) -> Len {
        let look = self.look;
        let mut clear = reach;
        let who = &self.bodies[b].who;
        for id in who {
            let base = look.scene.base(*id);
            let aerial = look.scene.class(*id) == Class::Aerial;
            let frame = base.pose.frame();
            let half = look.width / 2;
            for v in &look.units {
                if who.contains(&v.id) || base.far_from(&v.base, reach + 2 * look.width) {
                    continue;
                }
                if aerial && v.class != Class::Aerial {
                    continue;
                }
                // What of it lies on the way: its corners and its front, in the mover's frame.
                let zone = if v.mine { 0 } else { look.width + 2 * field::TOLERANCE };
                let corners = v.base.at(v.base.pose.forward(zone)).corners();
                let others = v.base.corners();
                let mut low = Len::MAX;
                let (mut left, mut right) = (Len::MAX, Len::MIN);
                for c in corners.iter().chain(&others) {
                    let p = frame.to_local(*c);
                    low = low.min(p.y);
                    left = left.min(p.x);
                    right = right.max(p.x);
                }
                if right > -half + field::TOLERANCE
                    && left < half - field::TOLERANCE
                    && low > -base.size.depth
                {
                    clear = clear.min((low - field::TOLERANCE).max(0));
                }
            }
        }
        clear
    }

    pub(super) fn group(&mut self, b: usize) {
        let look = self.look;
        let reach = self.slowest(b);
        self.ahead(b);
        self.wheels(b, reach);
        if self.bodies[b].who.iter().any(|id| look.scene.ty(*id) == TroopType::Art) {
            return;
        }
        let who = self.bodies[b].who.clone();
        for lead in &who {
            let from = look.scene.base(*lead);
            for at in 0..look.foes.len() {
                let v = look.units[look.foes[at]];
                if from.far_from(&v.base, reach)
                    || !look.may_attack(&look.units[look.mine[self.place(*lead)]], &v)
                {
                    continue;
                }
                let pose = v.base.front_contact();
                let turn = from.pose.heading.angle_to(pose.heading);
                if turn <= 6_000 && field::reaches(field::travel(&from, &from.at(pose)), reach) {
                    self.charge(b, *lead, Face::Front, Target::Element(v.id), pose);
                }
            }
        }
    }

    /// A wheel towards the enemy, then ahead.
    fn wheels(&mut self, b: usize, reach: Len) {
        let look = self.look;
        let who = &self.bodies[b].who;
        let bases: Vec<Base> = who.iter().map(|id| look.scene.base(*id)).collect();
        let mut form = Formation::new();
        if form.gather(&bases).is_some() {
            return;
        }
        // The middle of the body, and the prey that most of it would like.
        let n = i32::try_from(bases.len()).unwrap_or(1).max(1);
        let middle = bases
            .iter()
            .fold(Point { x: 0, y: 0 }, |s, p| Point { x: s.x + p.pose.x / n, y: s.y + p.pose.y / n });
        let mut targets: [Option<(i32, Point)>; 2] = [None; 2];
        for (f, at) in look.foes.iter().enumerate() {
            let v = &look.units[*at];
            let far = middle.distance(v.base.pose.point()) / PACE;
            let liking: i32 =
                who.iter().map(|id| look.edge(self.place(*id), f).clamp(-60, 150)).sum::<i32>() / n;
            let want = liking * 4 - far;
            if targets[0].is_none_or(|(best, _)| want > best) {
                targets[0] = Some((want, v.base.pose.point()));
            }
            if targets[1].is_none_or(|(best, _)| -far > best) {
                targets[1] = Some((-far, v.base.pose.point()));
            }
        }
        let from = form.reference();
        let lead = who[0];
        let mut ways: Vec<(Side, i32, Len)> = Vec::new();
        for (_, point) in targets.into_iter().flatten() {
            let Some(to) = Heading::along(point.x - middle.x, point.y - middle.y) else { continue };
            let turn = from.heading.turn_to(to);
            if turn.abs() < 200 {
                continue;
            }
            let side = if turn > 0 { Side::Right } else { Side::Left };
            for most in [form.wheel_within(side, reach), form.wheel_within(side, reach / 2)] {
                let angle = turn.abs().min(most);
                if angle < 200 {
                    continue;
                }
                let cost = form.cost(&Stage::Wheel { pivot: side, angle });
                let way = (side, angle, (reach - cost - PACE).max(0) / PACE * PACE);
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        for (side, angle, by) in ways {
            let turned = form.after(&Stage::Wheel { pivot: side, angle });
            let end = carried_reference(from, turned, look.scene.base(lead).pose, by);
            let to = self.carried(b, lead, end);
            let blocked = to
                .iter()
                .any(|(id, pose)| look.is_taken(&look.scene.base(*id).at(*pose), &self.bodies[b].who));
            if !blocked {
                self.weigh(b, Way::Wheel(side, angle, by), &to);
            } else if by > 0 {
                let end = carried_reference(from, turned, look.scene.base(lead).pose, 0);
                let to = self.carried(b, lead, end);
                self.weigh(b, Way::Wheel(side, angle, 0), &to);
            }
        }
    }
}

/// Where a member comes to stand when the body's reference is turned and then goes ahead.
fn carried_reference(from: Pose, turned: Pose, member: Pose, by: Len) -> Pose {
    carried(from, turned, member).forward(by)
}
