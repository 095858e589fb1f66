//! Weapons, their qualities, and profiles: what the data files hold, checked.

use std::collections::BTreeMap;
use std::fmt;

/// A characteristic (HC-010).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trait9 {
    /// Weapon Skill.
    Ws,
    /// Ballistic Skill.
    Bs,
    /// Strength.
    S,
    /// Toughness.
    T,
    /// Agility.
    Ag,
    /// Intelligence.
    Int,
    /// Perception.
    Per,
    /// Willpower.
    Wp,
    /// Fellowship.
    Fel,
}

impl Trait9 {
    /// All nine, in the order of a profile.
    pub const ALL: [Trait9; 9] =
        [Self::Ws, Self::Bs, Self::S, Self::T, Self::Ag, Self::Int, Self::Per, Self::Wp, Self::Fel];

    /// Key in a file.
    pub fn key(self) -> &'static str {
        ["ws", "bs", "s", "t", "ag", "int", "per", "wp", "fel"][self as usize]
    }

    /// Full name.
    pub fn name(self) -> &'static str {
        [
            "Weapon Skill",
            "Ballistic Skill",
            "Strength",
            "Toughness",
            "Agility",
            "Intelligence",
            "Perception",
            "Willpower",
            "Fellowship",
        ][self as usize]
    }
}

/// How a weapon is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// One hand, may be shot in melee.
    Pistol,
    /// Two hands.
    Basic,
    /// Needs bracing (HC-025).
    Heavy,
    /// Thrown by hand.
    Thrown,
    /// Hand to hand.
    Melee,
}

impl Class {
    const WORDS: [&'static str; 5] = ["pistol", "basic", "heavy", "thrown", "melee"];
    /// The word of a file.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
    /// Reads the word of a file.
    pub fn read(word: &str) -> Option<Self> {
        [Self::Pistol, Self::Basic, Self::Heavy, Self::Thrown, Self::Melee]
            .into_iter()
            .find(|c| c.word() == word)
    }
    /// All words.
    pub fn words() -> &'static [&'static str] {
        &Self::WORDS
    }
}

/// Range of a weapon (HC-030, HC-032).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Hand to hand.
    Melee,
    /// Metres.
    Metres(i32),
    /// Strength Bonus times this many metres.
    StrengthTimes(i32),
}

/// Damage type; only Explosive matters to a Horde (HC-132).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DamageType {
    /// E.
    Energy,
    /// I.
    Impact,
    /// R.
    Rending,
    /// X.
    Explosive,
}

impl DamageType {
    /// The letter.
    pub fn letter(self) -> &'static str {
        ["E", "I", "R", "X"][self as usize]
    }
    /// Reads the letter.
    pub fn read(letter: &str) -> Option<Self> {
        [Self::Energy, Self::Impact, Self::Rending, Self::Explosive]
            .into_iter()
            .find(|t| t.letter().eq_ignore_ascii_case(letter))
    }
}

/// Dice and a flat bonus, `2d10+4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DamageDice {
    /// Number of dice, 1 to 9.
    pub count: i32,
    /// Faces, 5 or 10.
    pub sides: u16,
    /// Added once.
    pub flat: i32,
}

impl fmt::Display for DamageDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d{}", self.count, self.sides)?;
        if self.flat == 0 { Ok(()) } else { write!(f, "{:+}", self.flat) }
    }
}

impl DamageDice {
    /// Reads `1d10`, `2d10+4`, `1d5-3`.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let (count, rest) = text.split_once('d')?;
        let at = rest.find(['+', '-']).unwrap_or(rest.len());
        let (sides, flat) = rest.split_at(at);
        let flat = match flat.trim() {
            "" => 0,
            f => f.trim_start_matches('+').trim().parse::<i32>().ok()?,
        };
        let dice = Self {
            count: if count.trim().is_empty() { 1 } else { count.trim().parse().ok()? },
            sides: sides.trim().parse().ok()?,
            flat,
        };
        ((1..=9).contains(&dice.count) && [5, 10].contains(&dice.sides) && flat.abs() <= 99).then_some(dice)
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $ty:ident { $($(#[$vdoc:meta])* $var:ident $id:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $ty { $( #[doc = concat!("`", $id, "`")] $(#[$vdoc])* $var ),* }
        impl $ty {
            /// Every one that the engine knows.
            pub const ALL: &'static [$ty] = &[$($ty::$var),*];
            /// Id in the data files.
            pub fn id(self) -> &'static str { const IDS: &[&str] = &[$($id),*]; IDS[self as usize] }
            /// By id.
            pub fn read(id: &str) -> Option<Self> { Self::ALL.iter().copied().find(|q| q.id() == id) }
        }
    };
}

named! {
    /// Weapon qualities whose working the engine carries out. All others of `qualities.toml` are known by name
    /// and do nothing here; unknown ones are kept as text.
    Quality {
        Accurate "accurate", Balanced "balanced", Defensive "defensive", Unbalanced "unbalanced", Unwieldy "unwieldy",
        Flexible "flexible", Blast "blast", Devastating "devastating", Felling "felling", Flame "flame", Spray "spray",
        Inaccurate "inaccurate", TwinLinked "twin_linked", Lance "lance", Melta "melta", RazorSharp "razor_sharp",
        Reliable "reliable", Unreliable "unreliable", PowerField "power_field", Primitive "primitive", Proven "proven",
        Scatter "scatter", Storm "storm", Tearing "tearing", WarpWeapon "warp_weapon", Recharge "recharge",
    }
}

named! {
    /// Traits and talents whose working the engine carries out.
    Talent {
        Disciplined "disciplined", FireDrill "fire_drill", BloodSoakedTide "blood_soaked_tide", Overwhelming "overwhelming",
        FightingWithdrawal "fighting_withdrawal", MobRule "mob_rule", Swarm "swarm", Regeneration "regeneration",
        Fearless "fearless", Fear "fear", Size "size", SwiftAttack "swift_attack", LightningAttack "lightning_attack",
        Takedown "takedown", WhirlwindOfDeath "whirlwind_of_death", StormOfIron "storm_of_iron", StepAside "step_aside",
        NervesOfSteel "nerves_of_steel", Sturdy "sturdy", ResistanceFear "resistance_fear", FleshRender "flesh_render",
        Initiative "initiative",
    }
}

/// Names with a figure where they have one: `Blast (3)`, `Tearing`. Those the engine works with are in
/// `known`; `texts` keeps all as written, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<Q: Ord> {
    /// With the figure, 0 where none is written.
    pub known: BTreeMap<Q, i32>,
    /// As written.
    pub texts: Vec<String>,
}

impl<Q: Ord> Default for Named<Q> {
    fn default() -> Self {
        Self { known: BTreeMap::new(), texts: Vec::new() }
    }
}

impl<Q: Ord + Copy> Named<Q> {
    /// Whether it is there.
    pub fn has(&self, q: Q) -> bool {
        self.known.contains_key(&q)
    }
    /// Its figure; `None` if it is not there.
    pub fn figure(&self, q: Q) -> Option<i32> {
        self.known.get(&q).copied()
    }
}

/// A weapon (sections 8 and 15).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weapon {
    /// Word typed at the table.
    pub id: String,
    /// Name to read.
    pub name: String,
    /// How it is used.
    pub class: Class,
    /// Range.
    pub reach: Reach,
    /// Whether it has single shots; bursts of so many, 0 = no such mode (HC-021).
    pub rof: (bool, i32, i32),
    /// Damage.
    pub damage: DamageDice,
    /// Damage type.
    pub kind: DamageType,
    /// Penetration.
    pub pen: i32,
    /// Shots in a full magazine; 0 = does not matter.
    pub clip: i32,
    /// A grenade adds no Strength Bonus when thrown (HC-050).
    pub grenade: bool,
    /// A psychic attack (HC-128).
    pub psychic: bool,
    /// Qualities.
    pub qualities: Named<Quality>,
}

impl Weapon {
    /// Whether it is used hand to hand.
    pub fn is_melee(&self) -> bool {
        self.class == Class::Melee
    }
    /// HC-050: whether the wielder's Strength Bonus adds to its Damage.
    pub fn adds_strength(&self) -> bool {
        self.is_melee() || (self.class == Class::Thrown && !self.grenade)
    }
    /// Its range in metres in these hands, `None` for melee.
    pub fn range_m(&self, strength_bonus: i32) -> Option<i32> {
        match self.reach {
            Reach::Melee => None,
            Reach::Metres(m) => Some(m),
            Reach::StrengthTimes(n) => Some(n * strength_bonus.max(0)),
        }
    }
    /// HC-070: a Flame or Spray weapon that needs no attack roll.
    pub fn is_spray(&self) -> bool {
        self.qualities.has(Quality::Spray)
    }
}

/// An Unnatural Characteristic (HC-011, HC-013).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unnatural {
    /// A bare figure, read as `unnatural.mode` says.
    Plain(i32),
    /// Added to the bonus in any mode.
    Plus(i32),
    /// Multiplies the bonus in any mode.
    Times(i32),
}

/// A profile (HC-101).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Word typed at the table.
    pub id: String,
    /// Name to read.
    pub name: String,
    /// The nine characteristics, in the order of [`Trait9::ALL`].
    pub values: [i32; 9],
    /// Unnatural Characteristics, same order (HC-011).
    pub unnatural: [Unnatural; 9],
    /// Dodge score.
    pub dodge: i32,
    /// Parry score.
    pub parry: i32,
    /// Armour points (HC-104).
    pub ap: i32,
    /// Armour of the head.
    pub head_ap: i32,
    /// Wounds of a single figure; 0 if only ever a Horde.
    pub wounds: i32,
    /// Usual Magnitude of a Horde; 0 if only ever a single figure.
    pub magnitude: i32,
    /// Psy rating (HC-128).
    pub psy: i32,
    /// HC-113: goes right into the crowd.
    pub wade: bool,
    /// Ids of the weapons it carries, the usual one of each kind first.
    pub weapons: Vec<String>,
    /// Traits and talents.
    pub traits: Named<Talent>,
}

impl Profile {
    /// The characteristic itself.
    pub fn value(&self, c: Trait9) -> i32 {
        self.values[c as usize]
    }
}

/// What `qualities.toml` says a quality does to a Horde.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualityNote {
    /// Name with the usual spelling.
    pub name: String,
    /// `hits`, `kept`, `none` or `extra`.
    pub horde: String,
    /// Its rule.
    pub rule: String,
    /// One line.
    pub note: String,
}
