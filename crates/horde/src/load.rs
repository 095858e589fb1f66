//! What a weapon carries from one attack to the next: shots left, a jam, the Round of its last shot (HC-024, HC-074,
//! HC-079, HC-165). Nothing here refuses an attack but Recharge: who plays at a table may have changed the magazine
//! without saying so, so an empty one is told, and a jammed weapon that shoots was cleared.

use crate::arms::{Class, Quality, Weapon};
use crate::attack::Struck;
use crate::engine::{NotAllowed, Outcome, Play, refuse};
use crate::event::Event;
use crate::options::Options;
use crate::state::{How, State};
use crate::unit::{Action, Unit, UnitId};
use rulebook::rule;
use std::sync::Arc;

/// One weapon in its owner's hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Shots fired since the magazine was changed.
    pub spent: i32,
    /// Jammed.
    pub jammed: bool,
    /// Round of its last shot, kept for those with Recharge.
    pub fired: Option<u32>,
}

impl Unit {
    /// What is kept of a weapon, by id.
    pub fn load(&self, weapon: &str) -> Load {
        let at = self.weapons.iter().position(|w| w.id == weapon);
        at.and_then(|at| self.loads.get(at)).copied().unwrap_or_default()
    }

    /// Keeps it; what says nothing is left out, so that equal states are equal.
    pub(crate) fn set_load(&mut self, weapon: &str, load: Load) {
        let Some(at) = self.weapons.iter().position(|w| w.id == weapon) else { return };
        if self.loads.len() <= at {
            self.loads.resize(at + 1, Load::default());
        }
        self.loads[at] = load;
        while self.loads.last() == Some(&Load::default()) {
            self.loads.pop();
        }
    }

    /// Shots left in a weapon's magazine, below 0 where more was fired than it held; `None` where they are not counted.
    pub fn shots_left(&self, weapon: &Weapon) -> Option<i32> {
        counts(self, weapon).then(|| weapon.clip - self.load(&weapon.id).spent)
    }

    /// Takes up a weapon, or lays it down with all that is kept of it.
    pub(crate) fn arm(&mut self, weapon: Arc<Weapon>) {
        let mut all = (*self.weapons).clone();
        all.push(weapon);
        self.weapons = Arc::new(all);
        self.name_arms();
    }

    pub(crate) fn disarm(&mut self, weapon: &str) {
        let Some(at) = self.weapons.iter().position(|w| w.id == weapon) else { return };
        let mut all = (*self.weapons).clone();
        all.remove(at);
        if at < self.loads.len() {
            self.loads.remove(at);
        }
        while self.loads.last() == Some(&Load::default()) {
            self.loads.pop();
        }
        for usual in &mut self.usual {
            if usual.as_ref().is_some_and(|u| u.weapon == weapon) {
                *usual = None;
            }
        }
        self.weapons = Arc::new(all);
        self.name_arms();
    }

    /// The profile of a combatant names what he carries, as a document's does.
    fn name_arms(&mut self) {
        Arc::make_mut(&mut self.profile).weapons = self.weapons.iter().map(|w| w.id.clone()).collect();
    }
}

/// HC-165: a Horde's ammunition is without end; what is thrown is not in a magazine.
fn counts(u: &Unit, weapon: &Weapon) -> bool {
    !u.is_horde() && weapon.clip > 0 && !weapon.is_melee() && weapon.class != Class::Thrown
}

/// HC-079: shots that one attack fires, the whole burst whatever hits.
pub fn shots_of(o: &Options, how: &How, weapon: &Weapon) -> i32 {
    let (_, semi, full) = weapon.rof;
    let n = match how.action {
        Action::Semi => semi,
        Action::Full => full,
        Action::Suppress if how.full_auto => full,
        Action::Suppress => semi,
        _ => 1,
    };
    let times = if weapon.qualities.has(Quality::Storm) { o.t().quality.storm_times } else { 1 };
    n.max(1) * times
}

/// HC-074, HC-165: whether a weapon still gathers power: it was fired in the Round before, or in this one by somebody
/// who has but one attack with it. All of a Horde shoot at once, however many attacks that is.
pub fn recharging(s: &State, by: UnitId, weapon: &Weapon) -> bool {
    let u = s.unit(by);
    s.options.t().handling.kept
        && !weapon.is_melee()
        && weapon.qualities.has(Quality::Recharge)
        && u.load(&weapon.id)
            .fired
            .is_some_and(|f| f.saturating_add(1) == s.round || (f == s.round && !u.is_horde()))
}

impl Play<'_> {
    /// HC-074, HC-165: not two Rounds running with a weapon that recharges. Out of turn the game master counts.
    pub(crate) fn may_fire(&self, by: UnitId, weapon: &Weapon) -> Outcome {
        if self.s.current() != Some(by) || !recharging(self.s, by, weapon) {
            return Ok(());
        }
        let u = self.s.unit(by);
        let rule = if u.is_horde() { rule!("HC-165") } else { rule!("HC-074") };
        let other = u.weapons.iter().find(|w| !w.is_melee() && !recharging(self.s, by, w));
        let ready = format!("{} set ready yes", u.label);
        refuse(
            NotAllowed::by(rule, format!("the {} of {} recharges in this Round", weapon.id, u.label))
                .instead(other.map_or_else(|| ready.clone(), |w| format!("{}, or {ready}", w.id))),
        )
    }

    /// Keeps what an attack took out of its weapon.
    pub(crate) fn fire(&mut self, by: UnitId, how: &How, weapon: &Weapon, attacks: i32) {
        if !self.s.options.t().handling.kept || weapon.is_melee() {
            return;
        }
        let o = self.s.options;
        let round = self.s.round;
        let u = self.s.unit_mut(by);
        let mut load = u.load(&weapon.id);
        load.jammed = false;
        if weapon.qualities.has(Quality::Recharge) {
            load.fired = Some(round);
        }
        let counted = counts(u, weapon);
        let mut left = 0;
        if counted {
            let shots = shots_of(&o, how, weapon).saturating_mul(attacks);
            load.spent = load.spent.saturating_add(shots).min(9999);
            left = weapon.clip - load.spent;
            if o.t().handling.strict {
                // There is no less in it than nothing.
                load.spent = load.spent.min(weapon.clip);
            }
        }
        u.set_load(&weapon.id, load);
        if counted && load.spent >= weapon.clip {
            self.events.push(Event::Empty { who: self.label(by), weapon: how.weapon.clone(), left });
        }
    }

    /// HC-024, HC-070: a jam lasts until somebody clears it.
    pub(crate) fn jammed(&mut self, by: UnitId, weapon: &str, struck: &Struck) {
        if struck.jam && self.s.options.t().handling.kept {
            let u = self.s.unit_mut(by);
            let load = Load { jammed: true, ..u.load(weapon) };
            u.set_load(weapon, load);
        }
    }

    /// A full magazine.
    pub(crate) fn reload(&mut self, who: UnitId, weapon: &str) -> Outcome {
        self.may_act(who, false)?;
        let u = self.s.unit(who);
        if u.is_horde() {
            return refuse(NotAllowed::by(
                rule!("HC-165"),
                format!("the ammunition of {} is without end", u.label),
            ));
        }
        let Some(w) = u.weapon(weapon).filter(|w| counts(u, w)).cloned() else {
            return refuse(NotAllowed::plain(format!("{weapon} of {} has no magazine", u.label)));
        };
        self.spend(who, self.s.options.t().handling.reload);
        let u = self.s.unit_mut(who);
        let load = Load { spent: 0, ..u.load(weapon) };
        u.set_load(weapon, load);
        self.events.push(Event::Reloads { who: self.label(who), weapon: weapon.into(), clip: w.clip });
        Ok(())
    }

    /// HC-024: a jam cleared.
    pub(crate) fn unjam(&mut self, who: UnitId, weapon: &str) -> Outcome {
        self.may_act(who, false)?;
        let u = self.s.unit(who);
        if !u.load(weapon).jammed {
            return refuse(NotAllowed::by(rule!("HC-024"), format!("{weapon} of {} is not jammed", u.label)));
        }
        self.spend(who, self.s.options.t().handling.unjam);
        let u = self.s.unit_mut(who);
        let load = Load { jammed: false, ..u.load(weapon) };
        u.set_load(weapon, load);
        self.events.push(Event::Unjams { who: self.label(who), weapon: weapon.into() });
        Ok(())
    }
}
