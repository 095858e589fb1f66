//! Who takes part: Hordes and single figures, with the figures that the rules derive from them.

use crate::arms::{Profile, Talent, Trait9, Unnatural, Weapon};
use crate::options::{
    EvadeHorde, FearHordeRating, FearRound, FearSample, MbCap, Options, PinHordeBonus, RangedMinimum,
    SizeAddCreature, SizeSample, StunMb, UnnaturalMode,
};
use crate::tables::size_modifier;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A combatant, by its place in the encounter's list. People use labels; this is never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub u16);

/// Whom a combatant fights for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The players' side.
    Heretics,
    /// The game master's side.
    Foes,
}

/// What has become of a combatant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// In the fight.
    Fighting,
    /// Running (HC-144); for a single figure: fled.
    Broken,
    /// Magnitude 0 (HC-106), or a single figure out of the fight.
    Destroyed,
    /// Taken away by the game master.
    Gone,
}

impl Status {
    /// The word used in texts.
    pub fn word(self) -> &'static str {
        ["fighting", "broken", "destroyed", "gone"][self as usize]
    }
    /// Reads that word.
    pub fn read(word: &str) -> Option<Self> {
        [Self::Fighting, Self::Broken, Self::Destroyed, Self::Gone].into_iter().find(|s| s.word() == word)
    }
}

/// What a Horde has that a character has not (HC-205).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Horde {
    /// Original Magnitude.
    pub m0: i32,
    /// Magnitude now.
    pub m: i32,
    /// Magnitude when the Round began.
    pub ms: i32,
    /// Lost in this Round.
    pub lost: i32,
    /// Magnitude at the end of its own last turn.
    pub own: i32,
    /// Lost since then.
    pub lost_own: i32,
    /// Magnitude Bonus fixed for its present turn (HC-204).
    pub turn_mb: Option<i32>,
    /// Has taken its Test in this Round (HC-146).
    pub tested: bool,
    /// The game master lets it off this Round's Test.
    pub skip_test: bool,
    /// Those within reach of its hands (HC-160).
    pub engaged: BTreeSet<UnitId>,
    /// Those whom it has attacked hand to hand in its present turn.
    pub fought: BTreeSet<UnitId>,
    /// Ranged attacks made in its present turn.
    pub shots: i32,
    /// The form of its first melee and of its first ranged attack this turn (HC-162, HC-164).
    pub forms: [Option<Action>; 2],
    /// Those whom it holds in a Grapple (HC-184).
    pub held: BTreeSet<UnitId>,
}

/// What a single figure has that a Horde has not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Wounds when unhurt.
    pub max: i32,
    /// Wounds left, not below 0.
    pub wounds: i32,
    /// Damage beyond 0 (HC-055).
    pub critical: i32,
    /// Fatigue.
    pub fatigue: i32,
    /// Reactions left in this Round (HC-043).
    pub reactions: i32,
    /// Rounds of Stun left (HC-086).
    pub stunned: i32,
    /// Held in a Grapple by.
    pub held_by: Option<UnitId>,
    /// Has All Out Attacked since its last turn, so no Evasion (HC-044).
    pub open: bool,
    /// Guarded Action since its last turn: bonus to Evasion (HC-020).
    pub guarded: bool,
    /// Aim for its next attack.
    pub aim: Aim,
    /// Half Actions spent in its present turn (HC-015).
    pub halves: i32,
    /// Defensive Stance since its last turn (HC-020).
    pub stance: bool,
    /// On the ground (HC-026).
    pub prone: bool,
    /// Feinted at by him: his next Standard Attack on that one cannot be evaded (HC-020).
    pub feint: Option<UnitId>,
}

/// Horde or single figure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a fight has a dozen of them; a box would cost more than it saves"
)]
pub enum Kind {
    /// A Horde.
    Horde(Horde),
    /// A character or lone foe.
    Person(Person),
}

/// One who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its label for life.
    pub label: Arc<str>,
    /// Name to read.
    pub name: Arc<str>,
    /// The player's name, if a player has it.
    pub player: Option<Arc<str>>,
    /// Whom it fights for.
    pub side: Side,
    /// Profile.
    pub profile: Arc<Profile>,
    /// Weapons at hand, the usual one of each kind first.
    pub weapons: Arc<Vec<Arc<Weapon>>>,
    /// What has become of it.
    pub status: Status,
    /// Horde or single figure.
    pub kind: Kind,
    /// Initiative, once known (HC-014).
    pub initiative: Option<i32>,
    /// Band of the Shock table it suffers from, if any (HC-088).
    pub shock: Option<u8>,
    /// Pinned (HC-084).
    pub pinned: bool,
    /// Rolls of its Pinning Test in this Round; empty before it has taken one (HC-193 `once`).
    pub pin_rolls: Vec<u16>,
    /// Has become Fearless in this fight (HC-198).
    pub frenzied: bool,
    /// Does nothing in the first Round.
    pub surprised: bool,
    /// The attack it makes unless told otherwise, hand to hand and at range.
    pub usual: [Option<Arc<Usual>>; 2],
    /// What is kept of its weapons, in their order; what is lacking at the end is as new.
    pub loads: Vec<crate::load::Load>,
    /// Throws asked for so far by this unit in this Round, so that each die has its own address.
    pub acts: u32,
}

/// The attack that a combatant makes unless told otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usual {
    /// The action.
    pub action: Action,
    /// Suppressing Fire on semi-automatic, though the weapon has full automatic fire too.
    pub semi: bool,
    /// Id of the weapon.
    pub weapon: String,
    /// Range.
    pub band: Band,
    /// Aim.
    pub aim: Aim,
    /// Free modifiers.
    pub mods: Vec<Mod>,
    /// Whom, by label.
    pub at: Option<String>,
}

/// A modifier that a person names (HC-026).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mod {
    /// What for.
    pub name: String,
    /// How much.
    pub value: i32,
}

macro_rules! words {
    ($(#[$doc:meta])* $ty:ident { $($(#[$vd:meta])* $var:ident $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $ty { $($(#[$vd])* $var),* }
        impl $ty {
            /// All of them.
            pub const ALL: &'static [$ty] = &[$($ty::$var),*];
            /// The word typed and printed.
            pub fn word(self) -> &'static str { const W: &[&str] = &[$($word),*]; W[self as usize] }
            /// Reads that word.
            pub fn read(word: &str) -> Option<Self> { Self::ALL.iter().copied().find(|a| a.word() == word) }
        }
    };
}

words! {
    /// An attack action (HC-020).
    Action {
        /// Standard Attack.
        Standard "standard",
        /// Swift Attack.
        Swift "swift",
        /// Lightning Attack.
        Lightning "lightning",
        /// All Out Attack.
        AllOut "allout",
        /// Charge.
        Charge "charge",
        /// Called Shot.
        Called "called",
        /// Guarded Action.
        Guarded "guarded",
        /// Stun.
        Stun "stun",
        /// Grapple.
        Grapple "grapple",
        /// Semi-Auto Burst.
        Semi "semi",
        /// Full Auto Burst.
        Full "full",
        /// Suppressing Fire.
        Suppress "suppress",
    }
}

words! {
    /// A range band (HC-030).
    Band {
        /// Within 2 m, not engaged.
        PointBlank "pb",
        /// Under half the range.
        Short "short",
        /// Up to twice the range.
        Normal "normal",
        /// Up to three times.
        Long "long",
        /// Beyond.
        Extreme "extreme",
    }
}

words! {
    /// Aim before an attack (HC-020).
    Aim {
        /// None.
        None "none",
        /// Half Action.
        Half "half",
        /// Full Action.
        Full "full",
    }
}

// The macro's derives are the same for all such words; only Aim has one that stands if nothing is said.
#[allow(clippy::derivable_impls, reason = "the enum comes from a macro that derives no default")]
impl Default for Aim {
    fn default() -> Self {
        Self::None
    }
}

impl Action {
    /// Its row of the table.
    pub fn row(self, o: &Options) -> &'static crate::tables::ActionRow {
        let rows = &o.t().action;
        // The table as shipped has the order of the words.
        if let Some(row) = rows.get(self as usize).filter(|r| r.id == self.word()) {
            return row;
        }
        // INVARIANT: `rows_of_the_table` tests that every action has its row.
        rows.iter().find(|r| r.id == self.word()).unwrap_or(&rows[0])
    }
}

impl Band {
    /// HC-030, HC-031: the band of a distance, `None` if it is out of reach.
    pub fn of(o: &Options, metres: i32, range: i32) -> Option<Self> {
        let r = &o.t().range;
        let over = |(times, over): (i32, i32)| {
            i64::from(metres) * i64::from(over) > i64::from(times) * i64::from(range)
        };
        let under = |(times, part): (i32, i32)| {
            i64::from(metres) * i64::from(part) < i64::from(times) * i64::from(range)
        };
        if over(r.most) {
            None
        } else if metres <= r.point_blank_m {
            Some(Self::PointBlank)
        } else if under(r.short) {
            Some(Self::Short)
        } else if over(r.extreme) {
            Some(Self::Extreme)
        } else if over(r.long) {
            Some(Self::Long)
        } else {
            Some(Self::Normal)
        }
    }
}

impl Unit {
    /// The Horde's figures, `None` for a single figure.
    pub fn horde(&self) -> Option<&Horde> {
        match &self.kind {
            Kind::Horde(h) => Some(h),
            Kind::Person(_) => None,
        }
    }
    /// The same, to change.
    pub fn horde_mut(&mut self) -> Option<&mut Horde> {
        match &mut self.kind {
            Kind::Horde(h) => Some(h),
            Kind::Person(_) => None,
        }
    }
    /// The single figure's state, `None` for a Horde.
    pub fn person(&self) -> Option<&Person> {
        match &self.kind {
            Kind::Person(p) => Some(p),
            Kind::Horde(_) => None,
        }
    }
    /// The same, to change.
    pub fn person_mut(&mut self) -> Option<&mut Person> {
        match &mut self.kind {
            Kind::Person(p) => Some(p),
            Kind::Horde(_) => None,
        }
    }
    /// Whether it is a Horde.
    pub fn is_horde(&self) -> bool {
        matches!(self.kind, Kind::Horde(_))
    }
    /// Whether it still fights.
    pub fn fights(&self) -> bool {
        self.status == Status::Fighting
    }
    /// Whether it has a trait or talent.
    pub fn has(&self, t: Talent) -> bool {
        self.profile.traits.has(t) || (t == Talent::Fearless && self.frenzied)
    }

    /// HC-010, HC-011, HC-013: the bonus of a characteristic.
    pub fn bonus(&self, o: &Options, c: Trait9) -> i32 {
        let tens = self.profile.value(c) / 10;
        match (self.profile.unnatural[c as usize], o.unnatural_mode) {
            (Unnatural::Plain(x), UnnaturalMode::Additive) | (Unnatural::Plus(x), _) => tens + x,
            (Unnatural::Plain(x), UnnaturalMode::Multiplicative) | (Unnatural::Times(x), _) => {
                tens * x.max(1)
            }
        }
    }
    /// What an Unnatural Characteristic adds to the bonus (HC-011).
    pub fn unnatural(&self, o: &Options, c: Trait9) -> i32 {
        self.bonus(o, c) - self.profile.value(c) / 10
    }

    /// The weapon with this id.
    pub fn weapon(&self, id: &str) -> Option<&Arc<Weapon>> {
        self.weapons.iter().find(|w| w.id == id)
    }
    /// Its usual weapon: melee or ranged.
    pub fn first_weapon(&self, melee: bool) -> Option<&Arc<Weapon>> {
        self.weapons.iter().find(|w| w.is_melee() == melee)
    }

    /// HC-110, HC-114, HC-116: size modifier of a Horde, 0 for a single figure.
    pub fn size(&self, o: &Options) -> i32 {
        let Some(h) = self.horde() else { return 0 };
        let m = match o.size_sample {
            SizeSample::Live => h.m,
            SizeSample::RoundStart => h.ms,
            SizeSample::Original => h.m0,
        };
        let creature = if o.size_add_creature == SizeAddCreature::On { self.creature_size(o) } else { 0 };
        size_modifier(o, m) + creature
    }

    /// HC-016: modifier for the creature's own size.
    pub fn creature_size(&self, o: &Options) -> i32 {
        let t = &o.t().size;
        match self.profile.traits.figure(Talent::Size) {
            Some(n) if n > 0 => {
                ((n - t.creature_human) * t.creature_step).clamp(t.creature_least, t.creature_most)
            }
            _ => 0,
        }
    }

    /// HC-105: Magnitude Bonus now; during a Horde's own turn the one with which it began (HC-204).
    pub fn mb(&self, o: &Options) -> i32 {
        let Some(h) = self.horde() else { return 0 };
        h.turn_mb.unwrap_or_else(|| magnitude_bonus(o, h.m))
    }

    /// HC-172: d10s added to a Damage roll.
    pub fn extra_dice(&self, o: &Options) -> i32 {
        self.mb(o).min(o.t().horde.extra_dice_most)
    }

    /// HC-163, HC-197: ranged attacks in a turn.
    pub fn ranged_attacks(&self, o: &Options) -> i32 {
        let t = &o.t().horde;
        let least = if o.ranged_minimum == RangedMinimum::One { t.ranged_least } else { 0 };
        let drill = if self.has(Talent::FireDrill) { t.fire_drill } else { 0 };
        self.mb(o).max(least) + drill
    }

    /// HC-170: what its size takes from an Evasion Test against it; `None` if it cannot be evaded.
    pub fn evasion_penalty(&self, o: &Options) -> Option<i32> {
        if !self.is_horde() {
            return Some(0);
        }
        (o.evade_horde == EvadeHorde::SizePenalty).then(|| -self.size(o))
    }

    /// HC-150: bonus of a Horde to its own Fear Tests.
    pub fn fear_bonus(&self, o: &Options) -> i32 {
        let Some(h) = self.horde() else { return 0 };
        let m = if o.fear_sample == FearSample::Current { h.m } else { h.m0 };
        let d = o.t().horde.fear_divisor;
        if o.fear_round == FearRound::Down { m / d } else { (m + d - 1) / d }
    }

    /// HC-152: bonus of a Horde to its own Pinning Tests.
    pub fn pin_bonus(&self, o: &Options) -> i32 {
        let Some(h) = self.horde() else { return 0 };
        match o.pin_horde_bonus {
            PinHordeBonus::Magnitude => h.m,
            PinHordeBonus::Half => h.m / o.t().horde.pin_half_divisor,
            PinHordeBonus::None => 0,
        }
    }

    /// HC-153: rating of the Fear it causes, 0 for none.
    pub fn fear_rating(&self, o: &Options) -> i32 {
        let Some(n) = self.profile.traits.figure(Talent::Fear) else { return 0 };
        let more = i32::from(self.is_horde() && o.fear_horde_rating == FearHordeRating::PlusOne);
        (n.max(1) + more).min(o.t().horde.fear_rating_most)
    }

    /// HC-191: what its Suppressing Fire takes from a Pinning Test beyond the usual.
    pub fn suppress_penalty(&self, o: &Options) -> i32 {
        let Some(h) = self.horde() else { return 0 };
        h.m / o.t().horde.bonus_divisor * o.t().suppress.a_ten
    }

    /// HC-186: what Magnitude Bonus adds to Stun.
    pub fn stun_bonus(&self, o: &Options) -> i32 {
        let mb = self.mb(o);
        match o.stun_mb {
            StunMb::FirstDigit => first_digit(mb),
            StunMb::WholeMb => mb,
            StunMb::Capped2 => mb.min(o.t().horde.stun_cap),
        }
    }

    /// HC-206: the one word that players see of a Horde.
    pub fn coarse(&self, o: &Options) -> &'static str {
        match self.status {
            Status::Broken => return "broken",
            Status::Destroyed | Status::Gone => return "gone",
            Status::Fighting => {}
        }
        let Some(h) = self.horde() else { return "fighting" };
        let t = &o.t().coarse;
        let share = i64::from(h.m) * 100;
        if share > i64::from(h.m0) * i64::from(t.fresh_over) {
            "fresh"
        } else if share > i64::from(h.m0) * i64::from(t.thinned_over) {
            "thinned"
        } else {
            "wavering"
        }
    }
}

/// HC-105: Magnitude Bonus of a Magnitude.
pub fn magnitude_bonus(o: &Options, m: i32) -> i32 {
    let t = &o.t().horde;
    let mb = m.max(0) / t.bonus_divisor;
    if o.mb_cap == MbCap::Nine { mb.min(t.bonus_cap) } else { mb }
}

fn first_digit(mut n: i32) -> i32 {
    while n >= 10 {
        n /= 10;
    }
    n.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_table() {
        for a in Action::ALL {
            assert_eq!(a.row(&Options::default()).id, a.word());
        }
    }

    #[test]
    fn hc030_hc031_bands() {
        let row =
            [1, 2, 3, 49, 50, 100, 200, 201, 300, 301, 400].map(|m| Band::of(&Options::default(), m, 100));
        use Band::{Extreme, Long, Normal, PointBlank, Short};
        assert_eq!(
            row,
            [PointBlank, PointBlank, Short, Short, Normal, Normal, Normal, Long, Long, Extreme, Extreme]
                .map(Some)
        );
        assert_eq!(Band::of(&Options::default(), 401, 100), None);
    }

    #[test]
    fn hc186_first_digit() {
        assert_eq!([0, 3, 9, 10, 12, 120].map(first_digit), [0, 3, 9, 1, 1, 1]);
    }
}
