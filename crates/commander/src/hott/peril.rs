//! The danger in which a general stands: his fall may decide the battle, so it is weighed apart from all else, with the
//! room he has to recoil into.

use super::look::{Look, Unit, paces};
use super::room::{Ground, room, room_if};
use super::weights;
use super::worth::{Stake, bout};
use field::{Base, PACE};
use hott::battle::ElementId;
use hott::table::{Class, Fighter, Footing, Mode, TroopType};

impl Look<'_> {
    /// Works out what each foe threatens the general with.
    pub fn find_dooms(&mut self) {
        let Some(u) = self.mine.iter().map(|m| self.units[*m]).find(|u| u.general) else { return };
        let waits = |id: &ElementId| {
            let ty = self.battle.element(*id).ty;
            ty.is_lurker()
                && self.battle.hostile(self.side, self.battle.element(*id).side)
                && !self.state.on_table(*id)
        };
        if let Some(lurker) = self.battle.ids().find(waits) {
            let mut attacker = Fighter::new(self.battle.element(lurker).ty);
            attacker.just_contacted = true;
            let mut general = u.fighter;
            general.footing = Footing::BAD;
            let stakes = [Stake::default(), Stake { price: u.price, trapped: true, ..Stake::default() }];
            self.lurkers =
                bout(&self.battle.tables, Mode::Contact, [&attacker, &general], stakes, false).max(0);
        }
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

    /// What Lurkers who lie in wait threaten the general with, if he goes where they may appear.
    fn ambush(&self, u: &Unit, base: &Base) -> i32 {
        if self.lurkers == 0 || u.class == Class::Aerial {
            return 0;
        }
        let footing = self.terrain.footing(base);
        if footing.bad || footing.water { self.lurkers } else { 0 }
    }

    /// The danger that a general dies there in the enemy's next bound.
    pub fn peril(&self, m: usize, base: &Base) -> i32 {
        let u = &self.units[self.mine[m]];
        self.peril_if(m, base, self.is_trapped(u, base))
    }

    fn peril_if(&self, m: usize, base: &Base, trapped: bool) -> i32 {
        let u = &self.units[self.mine[m]];
        let here = base.pose.point();
        let trapped = usize::from(trapped);
        let mut most = [self.ambush(u, base), 0];
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

    /// Whether a recoil from there kills.
    pub fn is_trapped(&self, u: &Unit, base: &Base) -> bool {
        room(self.battle, self.state, &self.scene.contacts, (u.id, base), &|_| 0).0
    }

    /// Of own units that are in danger where they stand and have room to recoil into: that room, and what it would cost
    /// to fill it.
    pub fn find_rooms(&mut self) {
        let mut rooms = Vec::new();
        for m in 0..self.mine.len() {
            let u = &self.units[self.mine[m]];
            let base = u.base;
            let cost = |trapped: bool| {
                if u.general {
                    self.peril_if(m, &base, trapped)
                } else {
                    self.under_fire_if(m, &base, trapped)
                }
            };
            if u.touching.in_contact() || cost(true) <= 0 || self.is_trapped(u, &base) {
                continue;
            }
            rooms.push((
                u.id,
                base.at(base.pose.back(base.size.depth.min(self.width))),
                cost(true) - cost(false),
            ));
        }
        self.rooms = rooms;
    }

    /// What it costs friends in danger that one comes to stand there: they could not recoil.
    pub fn in_the_way(&self, u: &Unit, base: &Base, movers: &[ElementId]) -> i32 {
        let mut sum = 0;
        for (id, room, cost) in &self.rooms {
            if movers.contains(id) || room.far_from(base, 0) || !room.overlaps(base) {
                continue;
            }
            let ground = Ground {
                battle: self.battle,
                state: self.state,
                contacts: &self.scene.contacts,
                moved: Some((u.id, *base)),
            };
            if room_if(&ground, (*id, &self.scene.base(*id)), &|_| 0).0 {
                sum += cost;
            }
        }
        sum
    }
}
