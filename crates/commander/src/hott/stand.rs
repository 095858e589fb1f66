//! What it is worth to stand somewhere: the pull of prey, the risk of being attacked, the hold of the line.

use super::look::{Look, Unit, paces};
use super::weights;
use field::{Base, Len, PACE, Point, Pose};
use hott::table::{Class, TroopType};

/// Beyond this nothing pulls any harder, in paces.
const FAR: i32 = 2_600;

impl Look<'_> {
    /// What it is worth to own unit `m` (its place in `mine`) to stand at a pose, in hundredths of an AP.
    pub fn standing(&self, m: usize, pose: Pose) -> i32 {
        let u = &self.units[self.mine[m]];
        let (frame, here) = (pose.frame(), pose.point());
        let base = u.base.at(pose);
        let mut pull = -100;
        let mut risks = [0_i32; 2];
        let mut trapped = None;
        let mut nearest = FAR;
        for (f, at) in self.foes.iter().enumerate() {
            let v = &self.units[*at];
            let far = paces(here, v.base.pose.point());
            nearest = nearest.min(far);
            let ahead = frame.to_local(v.base.centre());
            let faces = ahead.y >= ahead.x.abs() / 2;
            let theirs = v.base.pose.to_local(here);
            let at_its_back = theirs.y < -v.base.size.depth / 2;
            let way = far + self.longer(u, here, v.base.pose.point());
            pull = pull.max(self.pull(u, v, self.edge(m, f), way, faces, at_its_back));
            if v.free && far * PACE <= v.reach() + v.base.size.depth + 40 * PACE && self.may_attack(v, u) {
                let trapped = *trapped.get_or_insert_with(|| !u.general && self.is_trapped(u, &base));
                let mut risk = self.threat_if(f, m, trapped);
                let it = frame.to_local(v.base.pose.point());
                // It could come round a flank.
                if it.y < -u.base.size.depth / 2 && it.x.abs() > self.width {
                    risk += 30 + u.price.min(600) / 5;
                }
                if risk > risks[0] {
                    risks = [risk, risks[0]];
                } else {
                    risks[1] = risks[1].max(risk);
                }
            }
        }
        let risk = risks[0] + risks[1] / 2 + self.darts_at(m, here);
        let peril = if u.general { self.peril(m, &base) } else { 0 };
        let mut sum = pull - peril - risk * weights::RISK / self.bold();
        sum += self.shooting_from(u, m, pose);
        if !u.general {
            sum -= self.under_fire(m, &base);
        }
        sum += self.siege(u, here);
        sum += self.in_command(u, here);
        sum -= self.straggle(u, nearest);
        if u.ty != TroopType::Snk && nearest < 700 {
            sum -= match self.company(u, here) {
                0 => weights::ALONE,
                1 => weights::ONE_FRIEND,
                _ => 0,
            };
        }
        sum
    }

    /// What it costs to be far ahead of the main body or to hang back from it.
    fn straggle(&self, u: &Unit, nearest: i32) -> i32 {
        if u.ty.is_lurker() || u.ty == TroopType::Art || u.ty == TroopType::Snk {
            return 0;
        }
        let back = (nearest - self.main.max(weights::BATTLE_NEAR) - 50).clamp(0, 1_200);
        let ahead = (self.main - nearest.max(weights::BATTLE_NEAR) - 150).clamp(0, 1_200);
        (back + ahead) * weights::STRAGGLING / 100
    }

    /// The danger of being bespelled, for those who are dear.
    fn darts_at(&self, m: usize, here: Point) -> i32 {
        let mut sum = 0;
        for (f, at) in self.foes.iter().enumerate() {
            let dart = self.dart(f, m);
            if dart <= 0 {
                continue;
            }
            let v = &self.units[*at];
            let far = paces(here, v.base.pose.point()) * PACE;
            let reached = far <= self.battle.tables.numbers.bespell_range * PACE + self.width;
            if reached && !v.touching.in_contact() {
                sum += dart;
            }
        }
        sum
    }

    /// How strongly a foe draws an own unit that stands so far from it.
    fn pull(&self, u: &Unit, v: &Unit, edge: i32, far: i32, faces: bool, at_its_back: bool) -> i32 {
        let mut appetite = weights::APPETITE + (edge * weights::EDGE / 100).clamp(-50, 160);
        if !self.may_attack(u, v) {
            appetite = if u.ty == TroopType::Art { 40 } else { 15 };
        }
        if v.general {
            appetite += weights::GENERAL_BAIT;
        }
        let near = (FAR - far).max(0);
        let mut sum = appetite * near / FAR * self.eager / 100;
        if !faces {
            sum -= if far < 700 { 14 } else { 5 };
        }
        if at_its_back && far < 600 && !v.touching.is_hit() && u.ty != TroopType::Art {
            sum += 15;
        }
        sum
    }

    /// By how many paces rough ground makes its way longer.
    fn longer(&self, u: &Unit, from: Point, to: Point) -> i32 {
        if self.terrain.is_open() || u.class == Class::Aerial {
            return 0;
        }
        self.terrain.longer(u.gait, from, to)
    }

    /// The enemy Stronghold draws, foes near the own one are to be met.
    fn siege(&self, u: &Unit, here: Point) -> i32 {
        let mut sum = 0;
        if let Some(strong) = self.walls
            && u.ty != TroopType::Art
        {
            let cf = hott::table::cf(&self.battle.tables, u.ty, TroopType::Str);
            let far = (FAR - paces(here, strong) - self.longer(u, here, strong)).max(0);
            let idle = !self.foes.iter().any(|f| self.may_attack(u, &self.units[*f]));
            sum += (4 + cf * weights::WALLS + if idle { weights::NOBODY_ELSE } else { 0 }).max(0) * far / FAR
                * self.eager
                / 100;
        }
        // The nearest foe to the own walls is met between.
        if let Some((far, there)) = self.besieger {
            sum += (700 - far) / 20 * (1_000 - paces(here, there)).max(0) / 1_000;
        }
        sum
    }

    /// Within the general's reach.
    fn in_command(&self, u: &Unit, here: Point) -> i32 {
        if u.general {
            return 0;
        }
        let command = self.battle.element(u.id).command;
        let Some(general) = self.scene.general_on_table(command) else { return 0 };
        let far = paces(here, self.scene.base(general).pose.point());
        if far > self.battle.tables.numbers.command_reach - 100 { -20 } else { 0 }
    }

    /// How many friends are near.
    fn company(&self, u: &Unit, here: Point) -> usize {
        let reach: Len = 350 * PACE;
        let near = |o: &&Unit| o.id != u.id && o.base.pose.point().within(here, reach);
        self.mine.iter().map(|i| &self.units[*i]).filter(near).count()
    }

    /// What neighbours are worth to a unit standing at a pose: a flank covered on each side, a friend supported.
    pub fn hold(&self, m: usize, pose: Pose, movers: &[hott::battle::ElementId]) -> i32 {
        let u = &self.units[self.mine[m]];
        if u.class == Class::Aerial || matches!(u.ty, TroopType::Snk | TroopType::Mag) {
            return 0;
        }
        let base = u.base.at(pose);
        let mut sum = 0;
        for o in self.mine.iter().map(|i| &self.units[*i]) {
            if o.id == u.id || movers.contains(&o.id) || base.far_from(&o.base, field::TOLERANCE) {
                continue;
            }
            sum += self.joined(u, &base, o);
        }
        sum
    }

    fn joined(&self, u: &Unit, base: &Base, o: &Unit) -> i32 {
        match field::neighbour(base, &o.base) {
            Some(field::Neighbour::Beside(_)) => weights::NEIGHBOUR,
            Some(_) if u.ty == o.ty && self.battle.tables.troop(u.ty).pursues | (u.ty == TroopType::Spr) => {
                if matches!(u.ty, TroopType::Spr | TroopType::Wbd) {
                    18
                } else {
                    0
                }
            }
            _ => 0,
        }
    }

    /// What ground is worth standing on, in hundredths of an AP.
    pub fn footing_worth(&self, m: usize, base: &Base) -> i32 {
        let u = &self.units[self.mine[m]];
        if self.terrain.is_open() {
            return 0;
        }
        let footing = self.terrain.footing(base);
        let out = match u.class {
            Class::Aerial => footing.wood,
            _ => footing.bad || footing.water,
        };
        if !out {
            return 0;
        }
        let clumsy = u.general && u.fighter.footing == hott::table::Footing::GOOD
            || matches!(
                u.ty,
                TroopType::Kni | TroopType::Rid | TroopType::Beh | TroopType::Her | TroopType::Pal
            );
        let harm = match u.ty {
            _ if clumsy => -45,
            TroopType::Sht | TroopType::Wbd | TroopType::Bst | TroopType::Lrk | TroopType::WLk => 6,
            _ => -25,
        };
        // Where no enemy is near it is only slow, and the less it matters the longer the battle drags on.
        harm * self.nearness(m) / 100 * 100 / self.eager.max(50)
    }
}
