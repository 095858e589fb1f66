//! Damage: the pool of dice, which of them count, soak, and what is lost (sections 7, 10.3 and 10.8).

use crate::arms::{Class, Quality, Talent, Trait9};
use crate::attack::{Attack, Struck};
use crate::options::{ExtraDie, ExtraKeep, FuryVsHorde, GrappleExtraDice, LocationMulti, Options, SoakPen};
use crate::unit::{Action, Aim, Band};

/// The dice of one Damage roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Faces of each die, weapon dice first, then Tearing, Accurate, added ones.
    pub sides: Vec<u16>,
    /// Dice (from, to) that cannot trigger Zealous Hatred (HC-060).
    pub quiet: (usize, usize),
    /// How many of the lowest are dropped.
    pub drop: usize,
    /// Added once: flat bonus, Strength Bonus, Scatter.
    pub flat: i32,
    /// Proven: a lower face counts as this (HC-077).
    pub least: u16,
    /// Primitive: a higher face counts as this (HC-076).
    pub most: u16,
}

impl Pool {
    /// What a face counts.
    pub fn counts(&self, face: u16) -> u16 {
        face.min(self.most).max(self.least)
    }

    /// HC-173, HC-174: Damage of the faces thrown, in the order of [`Pool::sides`].
    pub fn total(&self, faces: &[u16]) -> i32 {
        let mut values: Vec<u16> = faces.iter().map(|f| self.counts(*f)).collect();
        values.sort_unstable();
        let kept: i32 = values.iter().skip(self.drop).map(|v| i32::from(*v)).sum();
        (kept + self.flat).max(0)
    }

    /// HC-053: whether a die that may shows its 10.
    pub fn natural_ten(&self, faces: &[u16]) -> bool {
        let loud = |i: usize| !(self.quiet.0..self.quiet.1).contains(&i);
        faces.iter().zip(&self.sides).enumerate().any(|(i, (f, sides))| *f == 10 && *sides == 10 && loud(i))
    }

    /// The faces that count, for showing.
    pub fn kept(&self, faces: &[u16]) -> Vec<u16> {
        let mut values: Vec<u16> = faces.iter().map(|f| self.counts(*f)).collect();
        values.sort_unstable();
        values.split_off(self.drop.min(values.len()))
    }
}

/// A place where a hit lands (HC-051); against a Horde there are none (HC-104).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Head.
    Head,
    /// Right or left arm.
    Arm,
    /// Body.
    Body,
    /// Right or left leg.
    Leg,
}

impl Place {
    /// The word for it.
    pub fn word(self) -> &'static str {
        ["head", "arm", "body", "leg"][self as usize]
    }
    /// Reads the word, or one such as `left_arm`.
    pub fn read(word: &str) -> Option<Self> {
        let word = word.strip_prefix("left_").or_else(|| word.strip_prefix("right_")).unwrap_or(word);
        [Self::Head, Self::Arm, Self::Body, Self::Leg].into_iter().find(|p| p.word() == word)
    }
    /// HC-051: by the attack roll with its digits swapped.
    pub fn of_roll(o: &Options, roll: u16) -> Self {
        let r = roll % 100;
        let swapped = r % 10 * 10 + r / 10;
        let swapped = i32::from(if swapped == 0 { 100 } else { swapped });
        let row = o.t().location.table.iter().find(|(last, _)| swapped <= *last);
        row.and_then(|(_, word)| Self::read(word)).unwrap_or(Self::Body)
    }
    /// HC-052: the place of hit number `n`, from 0, of an attack that first lands here.
    pub fn walk(self, o: &Options, n: usize) -> Self {
        if o.location_multi == LocationMulti::Same {
            return self;
        }
        let t = &o.t().location;
        let row = match self {
            Self::Head => &t.head,
            Self::Arm => &t.arm,
            Self::Body => &t.body,
            Self::Leg => &t.leg,
        };
        if n == 0 {
            return self;
        }
        // The row is that of the further hits. Earlier tables took its first entry for the first hit.
        let n = if o.t().handling.strict { n - 1 } else { n };
        row.get(n.min(row.len() - 1)).and_then(|w| Self::read(w)).unwrap_or(self)
    }
}

impl Attack<'_> {
    /// The dice of one Damage roll: HC-050, HC-060, HC-076 to HC-080, HC-172 to HC-175, HC-192, HC-198.
    pub fn pool(&self, struck: &Struck) -> Pool {
        let t = self.o.t();
        let w = self.weapon;
        let mut sides = vec![w.damage.sides; usize::try_from(w.damage.count).unwrap_or(1)];
        let mut drop = 0;
        let mut quiet = (0, 0);
        if self.quality(Quality::Tearing).is_some() {
            let n = if self.by.has(Talent::FleshRender) { 2 } else { 1 };
            sides.extend(std::iter::repeat_n(w.damage.sides, n));
            drop += n;
        }
        let single = matches!(self.action, Action::Standard | Action::Called);
        if self.quality(Quality::Accurate).is_some()
            && self.aim != Aim::None
            && !self.by.is_horde()
            && single
            && w.class == Class::Basic
        {
            let dice = (struck.degrees.with_pass(self.o) - 1) / t.aim.accurate_degrees_a_die;
            let dice = dice.clamp(0, t.aim.accurate_dice_most);
            quiet.0 = sides.len();
            sides.extend(std::iter::repeat_n(10, usize::try_from(dice).unwrap_or(0)));
            quiet.1 = sides.len();
        }
        let extra = self.extra_dice();
        if extra > 0 {
            let die = if self.o.extra_die == ExtraDie::D10 { 10 } else { w.damage.sides };
            let n = usize::try_from(extra).unwrap_or(0);
            sides.extend(std::iter::repeat_n(die, n));
            if self.o.extra_keep == ExtraKeep::DropAdded {
                drop += n;
            }
        }
        let mut flat = w.damage.flat;
        if w.adds_strength() {
            flat += self.by.bonus(self.o, Trait9::S);
        }
        flat += self.scatter_damage();
        Pool {
            sides,
            quiet,
            drop,
            flat,
            least: self.quality(Quality::Proven).and_then(|x| u16::try_from(x).ok()).unwrap_or(0),
            most: self
                .quality(Quality::Primitive)
                .filter(|x| *x > 0)
                .and_then(|x| u16::try_from(x).ok())
                .unwrap_or(u16::MAX),
        }
    }

    /// HC-078: what Scatter adds to the Damage at this range.
    pub fn scatter_damage(&self) -> i32 {
        let q = &self.o.t().quality;
        match self.band {
            _ if self.melee() || self.quality(Quality::Scatter).is_none() => 0,
            Band::PointBlank => q.scatter_near_damage,
            Band::Short => 0,
            Band::Normal | Band::Long | Band::Extreme => q.scatter_far_damage,
        }
    }

    /// HC-172, HC-175, HC-192, HC-198: dice that the attacking Horde's numbers add.
    pub fn extra_dice(&self) -> i32 {
        let Some(h) = self.by.horde() else { return 0 };
        if self.accidental || matches!(self.action, Action::Stun | Action::Suppress) {
            return 0;
        }
        if self.action == Action::Grapple && self.o.grapple_extra_dice == GrappleExtraDice::Off {
            return 0;
        }
        let tide =
            self.melee() && self.by.has(Talent::Overwhelming) && h.m >= self.o.t().horde.overwhelming_from;
        self.by.extra_dice(self.o) + i32::from(tide)
    }

    /// Penetration with what the qualities make of it: HC-073.
    pub fn pen(&self, struck: &Struck) -> i32 {
        let pen = self.weapon.pen;
        let mut times = 1;
        if self.quality(Quality::Lance).is_some() {
            times += struck.degrees.with_pass(self.o).max(0);
        }
        let near = matches!(self.band, Band::PointBlank | Band::Short);
        if self.quality(Quality::Melta).is_some() && near {
            times *= 2;
        }
        if self.quality(Quality::RazorSharp).is_some()
            && struck.degrees.with_pass(self.o) >= self.o.t().quality.razor_degrees
        {
            times *= 2;
        }
        pen.saturating_mul(times)
    }

    /// HC-051, HC-068, HC-082, HC-121 to HC-123: what Damage must exceed.
    pub fn soak(&self, struck: &Struck, place: Place) -> i32 {
        let p = &self.at.profile;
        let unnatural = self.at.unnatural(self.o, Trait9::T);
        let felled = self.quality(Quality::Felling).unwrap_or(0).min(unnatural).max(0);
        let tb = self.at.bonus(self.o, Trait9::T) - felled;
        let ap = if self.at.is_horde() || place != Place::Head { p.ap } else { p.head_ap };
        let ignored = self.at.is_horde() && self.o.soak_pen == SoakPen::Ignored;
        let armour = if self.quality(Quality::WarpWeapon).is_some() {
            0
        } else if ignored {
            ap
        } else {
            (ap - self.pen(struck)).max(0)
        };
        tb + armour
    }

    /// HC-121, HC-126, HC-135, HC-198: Magnitude lost to one Damage roll. `natural_ten` matters under
    /// `fury.vs_horde` only.
    pub fn magnitude_loss(&self, damage: i32, soak: i32, natural_ten: bool) -> i32 {
        let damage =
            if self.at.has(Talent::Swarm) && !self.crowd_weapon() { (damage + 1) / 2 } else { damage };
        if damage > soak {
            1 + self.quality(Quality::Devastating).unwrap_or(0)
        } else {
            i32::from(natural_ten && self.o.fury_vs_horde == FuryVsHorde::Guaranteed1 && !self.by.is_horde())
        }
    }

    fn crowd_weapon(&self) -> bool {
        [Quality::Blast, Quality::Flame, Quality::Spray, Quality::Scatter]
            .into_iter()
            .any(|q| self.weapon.qualities.has(q))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hc051_digits_swapped() {
        // 12 -> 21 left arm, 70 -> 07 head, 100 -> 00 left leg, 34 -> 43 body, 8 -> 80 right leg
        let row = [12, 70, 100, 34, 8].map(|r| Place::of_roll(&Options::default(), r));
        assert_eq!(row, [Place::Arm, Place::Head, Place::Leg, Place::Body, Place::Leg]);
    }

    #[test]
    fn hc052_walk() {
        use Place::{Arm, Body, Head, Leg};
        let walk = |p: Place| [0, 1, 2, 3, 4, 5].map(|n| p.walk(&Options::default(), n));
        assert_eq!(walk(Head), [Head, Head, Arm, Body, Arm, Body]);
        assert_eq!(walk(Leg), [Leg, Leg, Body, Arm, Head, Body]);
        let mut same = Options::default();
        same.set("location.multi", "same").unwrap();
        assert_eq!([1, 4].map(|n| Arm.walk(&same, n)), [Arm, Arm]);
    }

    #[test]
    fn hx15_hx16_pools() {
        let pool = Pool { sides: vec![10; 4], quiet: (0, 0), drop: 2, flat: 0, least: 0, most: u16::MAX };
        assert_eq!(pool.total(&[2, 9, 5, 7]), 16);
        let all = Pool { drop: 0, ..pool.clone() };
        assert_eq!(all.total(&[2, 9, 5, 7]), 23);
        let chain = Pool { drop: 3, flat: 5, ..pool };
        assert_eq!(chain.total(&[3, 3, 8, 6]), 13);
    }

    #[test]
    fn hc076_hc077_before_dropping() {
        let pool = Pool { sides: vec![10; 2], quiet: (0, 0), drop: 1, flat: 0, least: 3, most: 7 };
        assert_eq!(pool.total(&[10, 1]), 7);
        assert_eq!(pool.total(&[1, 2]), 3);
    }
}
