//! What a combat needs to know of its two fighters, with no geometry in it: positions were looked at
//! before, and left these facts.

use super::TroopType;

/// BB-007: grades of element, for big battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Half the cost, -1 in all combat.
    Levy,
    /// Ordinary.
    #[default]
    Plain,
    /// One and a half times the cost, +1 in all combat.
    Elite,
}

/// The ground that an element stands on, wholly or partly (HOTT-052).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footing {
    /// Any part in a bad going feature of any kind, woods and BUAs included.
    pub bad: bool,
    /// Any part in a river or other water.
    pub water: bool,
    /// Any part in a wood or BUA.
    pub wood: bool,
}

impl Footing {
    /// Open flat ground.
    pub const GOOD: Footing = Footing { bad: false, water: false, wood: false };
    /// Rough ground, marsh or the like.
    pub const BAD: Footing = Footing { bad: true, water: false, wood: false };
    /// A wood or BUA.
    pub const WOOD: Footing = Footing { bad: true, water: false, wood: true };
    /// A river.
    pub const WATER: Footing = Footing { bad: false, water: true, wood: false };
}

/// What an enemy does at one side of a fighter (left, right or rear).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// Nothing.
    #[default]
    Safe,
    /// An enemy overlaps there (HOTT-242).
    Overlapped,
    /// An enemy of this type is in flank or rear contact there.
    Contacted(TroopType),
}

/// Who stands behind a fighter in support.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Support {
    /// Nobody.
    #[default]
    None,
    /// HOTT-246: one of its own type.
    Rank {
        /// The ground the supporter stands on.
        footing: Footing,
    },
    /// BB-015, BB-076: Scouts with a shooting weapon.
    Scouts {
        /// The ground the Scouts stand on.
        footing: Footing,
    },
}

/// One of the two in a combat, as the factors and outcomes see it. All fields but `ty` may be left at
/// their default for an element in the open with nobody else about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fighter {
    /// Its type.
    pub ty: TroopType,
    /// It holds the general of its army or command.
    pub general: bool,
    /// BB-007.
    pub grade: Grade,
    /// The ground it stands on.
    pub footing: Footing,
    /// HOTT-249: part of its front edge is uphill of the whole of the enemy's front edge.
    pub uphill: bool,
    /// HOTT-250: it stands dry within reach of the bank, facing the river its enemy is in.
    pub bank: bool,
    /// Who stands behind it in support.
    pub support: Support,
    /// HOTT-252: what enemies do at its left flank, right flank and rear.
    pub exposed: [Exposure; 3],
    /// HOTT-253: enemy elements that aid the main shooter, bespeller or attacker against this one.
    pub aids: u8,
    /// HOTT-255: the line from the bespeller crosses water or passes by a Cleric or Paladin.
    pub warded: bool,
    /// HOTT-257: it is within reach of its own Stronghold.
    pub near_stronghold: bool,
    /// HOTT-274: it moved into this contact by a tactical move in this bound.
    pub just_contacted: bool,
    /// HOTT-296: as main attacker of a Stronghold it has a ground element aiding.
    pub ground_aid: bool,
    /// BB-044: its own command is demoralized.
    pub demoralised: bool,
    /// CAM-078: its contingent has lost its general.
    pub routed: bool,
}

impl Fighter {
    /// An ordinary element of this type in good going, alone.
    pub const fn new(ty: TroopType) -> Fighter {
        Fighter {
            ty,
            general: false,
            grade: Grade::Plain,
            footing: Footing::GOOD,
            uphill: false,
            bank: false,
            support: Support::None,
            exposed: [Exposure::Safe; 3],
            aids: 0,
            warded: false,
            near_stronghold: false,
            just_contacted: false,
            ground_aid: false,
            demoralised: false,
            routed: false,
        }
    }
}

/// The part that a fighter plays in a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// In close combat, on either side.
    Close,
    /// The main shooter.
    Shooting,
    /// The target of shooting, whether or not it shoots back.
    ShotAt,
    /// The main bespeller.
    Bespelling,
    /// The target of bespelling.
    BespelledAt,
}

/// The three ways to fight, as the outcome tables know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Close combat: "in contact" of the tables (HOTT-273).
    Contact,
    /// Distant shooting.
    Shot,
    /// Bespelling.
    Bespelled,
}

impl Mode {
    /// Every mode, in the order of the tables.
    pub const ALL: [Mode; 3] = [Mode::Contact, Mode::Shot, Mode::Bespelled];

    /// The word of the table file.
    pub fn word(self) -> &'static str {
        ["contact", "shot", "bespelled"][self as usize]
    }

    /// The parts of the first fighter (attacker, shooter, bespeller) and of the second.
    pub fn parts(self) -> [Part; 2] {
        match self {
            Mode::Contact => [Part::Close, Part::Close],
            Mode::Shot => [Part::Shooting, Part::ShotAt],
            Mode::Bespelled => [Part::Bespelling, Part::BespelledAt],
        }
    }
}
