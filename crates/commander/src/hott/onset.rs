//! Attacks: of one element or a body, of two that strike one enemy in front and flank, of two or three abreast.

use super::ideas::{Ideas, Way};
use super::weights;
use field::{Pose, Side};
use hott::battle::{ElementId, Face, Target};
use hott::table::{Class, TroopType};

/// A charge of one element that may be made with another's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Onset {
    pub body: usize,
    pub lead: ElementId,
    pub face: Face,
    pub foe: ElementId,
    pub pose: Pose,
}

/// So many flank attacks are weighed with each attack in front.
const MOST_PAIRS: usize = 3;

impl Ideas<'_, '_, '_> {
    /// Into contact.
    pub fn charge(&mut self, b: usize, lead: ElementId, face: Face, enemy: Target, pose: Pose) {
        let look = self.look;
        let to = self.carried(b, lead, pose);
        let many = to.len() > 1;
        if many && to.iter().any(|(id, p)| look.is_taken(&look.scene.base(*id).at(*p), &self.bodies[b].who)) {
            return;
        }
        if let (false, Target::Element(foe)) = (many, enemy) {
            self.charges.push(Onset { body: b, lead, face, foe, pose });
        }
        if let (false, Face::Front, Target::Element(foe)) = (many, face, enemy)
            && self.is_hopeless(lead, foe)
        {
            return;
        }
        let turns = face != Face::Front;
        let after = self.trial.after(look.battle, look.side, &to, &look.purses, turns);
        let fights = self.fights_gain(after);
        if !self.is_worth_it(fights) {
            return;
        }
        let gain = fights + self.shift_gain(b, &to);
        self.add(b, Way::Charge { lead, face, enemy }, gain, &to);
    }

    /// Whether a fight promises enough by itself; the longer the battle drags on the less it must.
    fn is_worth_it(&self, gain: i32) -> bool {
        gain * self.look.eager >= weights::CHARGE_LEAST * weights::EAGER
    }

    /// A plain fight so bad that nothing about it can make up for that: nobody else is near to change it.
    fn is_hopeless(&self, lead: ElementId, foe: ElementId) -> bool {
        let look = self.look;
        let Some(f) = look.foes.iter().position(|i| look.units[*i].id == foe) else { return false };
        let v = &look.units[look.foes[f]];
        let busy = v.touching.in_contact() || v.touching.overlapped_by.iter().any(Option::is_some);
        let fear = look.edge(self.place(lead), f) * 100 / look.bold();
        let helped = look
            .mine
            .iter()
            .map(|i| &look.units[*i])
            .any(|o| o.id != lead && o.touching.in_contact() && !o.base.far_from(&v.base, look.width));
        !busy && !helped && fear < -weights::HOPELESS
    }

    /// Two at once: one holds an enemy in front while another strikes its flank or rear, so that a recoil kills. Neither
    /// might dare it alone.
    pub fn together(&mut self) {
        let look = self.look;
        let charges = std::mem::take(&mut self.charges);
        for front in charges.iter().filter(|c| c.face == Face::Front) {
            let mut tried = 0;
            for flank in
                charges.iter().filter(|c| c.foe == front.foe && c.face != Face::Front && c.lead != front.lead)
            {
                let pips = self.bodies[front.body].pips + self.bodies[flank.body].pips;
                let to = [(front.lead, front.pose), (flank.lead, flank.pose)];
                let clash = look
                    .scene
                    .base(front.lead)
                    .at(front.pose)
                    .overlaps(&look.scene.base(flank.lead).at(flank.pose));
                if pips > self.left
                    || clash
                    || tried == MOST_PAIRS
                    || !self.may_get_there(flank.body, &to[1..])
                {
                    continue;
                }
                tried += 1;
                let after = self.trial.after(look.battle, look.side, &to, &look.purses, false);
                let gain = self.fights_gain(after)
                    + self.shift_gain(front.body, &to[..1])
                    + self.shift_gain(flank.body, &to[1..]);
                // Each gets its share for its PIPs; the one who strikes follows by himself.
                let share = gain * self.bodies[front.body].pips / pips.max(1);
                let enemy = Target::Element(front.foe);
                self.add(
                    front.body,
                    Way::Charge { lead: front.lead, face: Face::Front, enemy },
                    share,
                    &to[..1],
                );
            }
            self.beside(front);
        }
    }

    /// Two or three abreast: others come up beside the one who attacks, so that the enemy is overlapped.
    fn beside(&mut self, front: &Onset) {
        let look = self.look;
        let Some(v) = look.index(front.foe).map(|i| look.units[i]) else { return };
        let lead = look.scene.base(front.lead).at(front.pose);
        let mut helpers: Vec<(usize, ElementId, Pose)> = Vec::new();
        for side in Side::BOTH {
            let helper = (0..self.bodies.len())
                .filter(|b| self.bodies[*b].who.len() == 1 && self.bodies[*b].who[0] != front.lead)
                .filter_map(|b| {
                    let u = &look.units[look.mine[self.place(self.bodies[b].who[0])]];
                    let pose = lead.beside(side, u.base.size);
                    let way = field::travel(&u.base, &u.base.at(pose));
                    let may = u.ty != TroopType::Art
                        && !u.ty.is_lurker()
                        && !u.general
                        && (u.class == Class::Aerial) == (v.class == Class::Aerial)
                        && helpers.iter().all(|h| h.1 != u.id)
                        && field::reaches(way, u.reach());
                    may.then_some((way, b, u.id, pose))
                })
                .min_by_key(|h| (h.0, h.1));
            let Some((_, b, id, pose)) = helper else { continue };
            let free = !look.is_taken(&look.scene.base(id).at(pose), &[id, front.lead]);
            if free && self.may_get_there(b, &[(id, pose)]) {
                helpers.push((b, id, pose));
            }
        }
        let all = helpers.len();
        for n in 0..all + usize::from(all == 2) {
            let with: &[(usize, ElementId, Pose)] = if n == 2 { &helpers } else { &helpers[n..=n] };
            let pips = self.bodies[front.body].pips + with.iter().map(|h| self.bodies[h.0].pips).sum::<i32>();
            if pips > self.left {
                continue;
            }
            let mut to = vec![(front.lead, front.pose)];
            to.extend(with.iter().map(|h| (h.1, h.2)));
            let after =
                self.trial.after(look.battle, look.side, &to, &look.purses, front.face != Face::Front);
            let mut gain = self.fights_gain(after) + self.shift_gain(front.body, &to[..1]);
            if !self.is_worth_it(gain) {
                continue;
            }
            for h in with {
                gain += self.shift_gain(h.0, &[(h.1, h.2)]);
            }
            let share = gain * self.bodies[front.body].pips / pips.max(1);
            let enemy = Target::Element(front.foe);
            self.add(front.body, Way::Charge { lead: front.lead, face: front.face, enemy }, share, &to[..1]);
        }
    }
}
