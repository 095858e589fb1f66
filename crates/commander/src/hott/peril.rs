//! The danger in which a general stands: his fall may decide the battle, so it is weighed apart from all else, with the
//! room he has to recoil into.

use super::look::{Look, Unit, paces};
use super::weights;
use super::worth::{Stake, bout};
use field::{Base, PACE, Point};
use hott::table::{Mode, TroopType};

impl Look<'_> {
    /// Works out what each foe threatens the general with.
    pub fn find_dooms(&mut self) {
        let Some(u) = self.mine.iter().map(|m| self.units[*m]).find(|u| u.general) else { return };
        for (n, mode) in [Mode::Contact, Mode::Shot, Mode::Bespelled].into_iter().enumerate() {
            for trapped in [false, true] {
                for f in &self.foes {
                    let v = &self.units[*f];
                    let may = match n {
                        0 => self.may_attack(v, &u),
                        1 => v.range > 0,
                        _ => v.bespells,
                    };
                    let mut attacker = v.fighter;
                    attacker.just_contacted = true;
                    let stakes = [Stake::default(), Stake { price: u.price, trapped, ..Stake::default() }];
                    let value = if may {
                        bout(&self.battle.tables, mode, [&attacker, &u.fighter], stakes, false)
                    } else {
                        0
                    };
                    self.dooms[n][usize::from(trapped)].push(value.max(0));
                }
            }
        }
    }

    /// The danger that a general dies there in the enemy's next bound.
    pub fn peril(&self, m: usize, base: &Base, here: Point) -> i32 {
        let u = &self.units[self.mine[m]];
        let trapped = usize::from(self.is_trapped(u, base));
        let mut most = [0; 2];
        for (f, at) in self.foes.iter().enumerate() {
            let v = &self.units[*at];
            let far = paces(here, v.base.pose.point()) * PACE;
            let mut doom = 0;
            if v.free && far <= v.reach() + v.base.size.depth + 40 * PACE && self.may_attack(v, u) {
                doom = self.dooms[0][trapped].get(f).copied().unwrap_or(0);
            }
            if v.range > 0 && !v.touching.in_contact() {
                let it = v.base.pose.to_local(base.centre());
                let moved = if v.ty == TroopType::Art { 0 } else { v.reach() };
                let reached = far <= v.range + moved + self.width
                    && (moved > 0 || it.y > 0 && it.x.abs() <= 2 * self.width + it.y / 3);
                if reached {
                    doom = doom.max(self.dooms[1][trapped].get(f).copied().unwrap_or(0));
                }
            }
            if v.bespells && far <= self.battle.tables.numbers.bespell_range * PACE + self.width + v.reach() {
                doom = doom.max(self.dooms[2][trapped].get(f).copied().unwrap_or(0));
            }
            if doom > most[0] {
                most = [doom, most[0]];
            } else {
                most[1] = most[1].max(doom);
            }
        }
        (most[0] + most[1] / 2) * weights::PERIL / 100
    }

    /// Whether a recoil from there kills, roughly.
    fn is_trapped(&self, u: &Unit, base: &Base) -> bool {
        let back = base.at(base.pose.back(base.size.depth.min(self.width)));
        if !self.battle.board.contains(&back)
            || self.scene.strongholds().iter().any(|(_, s)| back.overlaps(s))
        {
            return true;
        }
        if self.state.ground.under(&back).forbids(&self.battle.tables, u.class).is_some() {
            return true;
        }
        self.units.iter().any(|o| {
            if o.id == u.id || back.far_from(&o.base, 0) || !back.overlaps(&o.base) {
                return false;
            }
            if !o.mine {
                return true;
            }
            let headings = Some((base.pose.heading, o.base.pose.heading));
            !hott::moves::passage(self.battle, &self.scene.contacts, u.id, o.id, headings).is_open()
                && !field::same_facing(base, &o.base)
        })
    }
}
