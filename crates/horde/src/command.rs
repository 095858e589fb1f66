//! Commands by kind, and what people may tell with them.

use crate::state::How;
use crate::unit::{Aim, UnitId};
use std::sync::Arc;

/// What a person said of an attack's outcome; the rest is rolled (the three depths of entry).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// d100 to hit, one an attack.
    pub rolls: Vec<u16>,
    /// Degrees of Success, without a roll.
    pub degrees: Option<i32>,
    /// Hits on the target, after all multipliers, without counting them.
    pub hits: Option<i32>,
    /// Damages before soak, one a hit.
    pub damage: Vec<i32>,
    /// Dice of the hits and of the damage, in the order in which they are wanted.
    pub dice: Vec<u16>,
    /// Who else stands in the area of a Blast or Spray (HC-042, HC-070): friend or foe.
    pub caught: Vec<UnitId>,
}

/// How a Reaction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Dodge.
    Dodge,
    /// Parry.
    Parry,
    /// No Evasion, for all attacks that still wait.
    None,
}

/// What the controller does in a Grapple (HC-087).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Damage.
    Squeeze,
    /// Throw prone.
    Throw,
    /// Take the weapon with which he would attack.
    Disarm,
    /// Push along.
    Push,
    /// Only hold.
    Keep,
}

/// What an Opposed Test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bout {
    /// The controller's turn in a Grapple.
    Hold(Hold),
    /// The one who is held wants to get free.
    Free,
    /// The one who is held wants to be the one who holds.
    Control,
    /// A Feint (HC-020).
    Feint,
    /// A Knock Down (HC-020).
    KnockDown,
}

/// What is tested for at the end of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Pinning (HC-084).
    Pinning,
    /// Fear (HC-088).
    Fear,
    /// A Grapple, by Agility (HC-087).
    Grapple,
}

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Rolls initiative where it is lacking and begins the first Round.
    Begin,
    /// Ends the turn; at the end of the order the Round.
    Next,
    /// An attack, or several of a Horde.
    Attack {
        /// Who.
        by: UnitId,
        /// Whom, in order; may repeat.
        at: Vec<UnitId>,
        /// How.
        how: How,
        /// What is already known.
        told: Told,
    },
    /// A Reaction to an attack that hit.
    React {
        /// Who.
        who: UnitId,
        /// Which of the waiting attacks on him, from 0; `None`: the first.
        which: Option<usize>,
        /// How.
        with: Reaction,
        /// Metres he must go to be out of the area of a Blast or Spray (HC-042), if somebody measured.
        metres: Option<i32>,
        /// d100, if rolled by hand.
        roll: Option<u16>,
        /// Dice of the damage that comes after it, after those that the attacker named.
        dice: Vec<u16>,
    },
    /// Only the effect: Magnitude or wounds lost, or regained if negative.
    Lose {
        /// Who.
        who: UnitId,
        /// How much.
        n: i32,
        /// Why; may be empty.
        because: String,
    },
    /// Aims for his next attack.
    Aims {
        /// Who.
        who: UnitId,
        /// How long.
        aim: Aim,
    },
    /// Takes the Defensive Stance (HC-020).
    Defend {
        /// Who.
        who: UnitId,
    },
    /// Meets something that causes Fear.
    Fear {
        /// Who.
        who: UnitId,
        /// Rating, 1 to 4.
        rating: i32,
        /// d100 of the Test, then of the Shock table, if rolled by hand.
        rolls: Vec<u16>,
    },
    /// A Test to get over something.
    Recover {
        /// Who.
        who: UnitId,
        /// From what.
        from: From,
        /// In cover and not shot at since his last turn.
        cover: bool,
        /// d100, if rolled by hand.
        roll: Option<u16>,
    },
    /// The controller's turn in a Grapple.
    Hold {
        /// Who holds.
        by: UnitId,
        /// Whom.
        at: UnitId,
        /// What he does if he wins.
        what: Hold,
        /// d100 of holder and held, if rolled by hand.
        rolls: Vec<u16>,
    },
    /// One who is held tries to get free.
    Escape {
        /// Who.
        who: UnitId,
        /// He wants to be the one who holds.
        control: bool,
        /// d100 of his and of the holder, if rolled by hand.
        rolls: Vec<u16>,
    },
    /// A Feint (HC-020).
    Feint {
        /// Who.
        who: UnitId,
        /// At whom.
        at: UnitId,
        /// d100 of both, if rolled by hand.
        rolls: Vec<u16>,
    },
    /// A Knock Down (HC-020).
    KnockDown {
        /// Who.
        who: UnitId,
        /// Whom.
        at: UnitId,
        /// Hurts him if he wins by enough.
        hurts: bool,
        /// d100 of both, if rolled by hand.
        rolls: Vec<u16>,
    },
    /// Gets up from the ground.
    Stand {
        /// Who.
        who: UnitId,
    },
    /// Changes a magazine.
    Reload {
        /// Who.
        who: UnitId,
        /// Which weapon, by id.
        weapon: Arc<str>,
    },
    /// Clears a jam.
    Unjam {
        /// Who.
        who: UnitId,
        /// Which weapon, by id.
        weapon: Arc<str>,
    },
    /// Comes within reach of a Horde's hands, or gets away.
    Engage {
        /// The Horde.
        horde: UnitId,
        /// Whom.
        with: Vec<UnitId>,
        /// Comes or goes.
        on: bool,
    },
    /// The game master's word.
    Ruling(Ruling),
}

impl Command {
    /// No Reaction to an attack that waits: it goes through.
    #[must_use]
    pub fn no_reaction(who: UnitId) -> Command {
        Command::React { who, which: None, with: Reaction::None, metres: None, roll: None, dice: Vec::new() }
    }

    /// Takes away the last die named for hits and damage; `None` if none is left.
    pub(crate) fn drop_die(&mut self) -> Option<u16> {
        match self {
            Self::Attack { told, .. } => told.dice.pop(),
            Self::React { dice, .. } => dice.pop(),
            _ => None,
        }
    }

    /// The dice that a person named in it, each with its faces, in the order in which they are used.
    pub fn named_dice(&mut self) -> Vec<(&mut u16, u16)> {
        match self {
            Self::Attack { told, .. } => {
                let dice = told.dice.iter_mut().map(|d| (d, 10));
                told.rolls.iter_mut().map(|r| (r, 100)).chain(dice).collect()
            }
            Self::React { roll, dice, .. } => {
                roll.iter_mut().map(|r| (r, 100)).chain(dice.iter_mut().map(|d| (d, 10))).collect()
            }
            Self::Recover { roll, .. } | Self::Ruling(Ruling { what: Rule::Test { roll, .. }, .. }) => {
                roll.iter_mut().map(|r| (r, 100)).collect()
            }
            Self::Fear { rolls, .. }
            | Self::Hold { rolls, .. }
            | Self::Escape { rolls, .. }
            | Self::Feint { rolls, .. }
            | Self::KnockDown { rolls, .. } => rolls.iter_mut().map(|r| (r, 100)).collect(),
            _ => Vec::new(),
        }
    }
}

/// What a game master may set.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// What.
    pub what: Rule,
    /// Why; may be empty.
    pub because: String,
}

/// Kinds of rulings.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    missing_docs,
    reason = "the fields are who, how much and with whom; the text form of each stands in docs/horde.md"
)]
pub enum Rule {
    /// Sets Magnitude.
    Magnitude { who: UnitId, m: i32 },
    /// Sets original Magnitude.
    Original { who: UnitId, m: i32 },
    /// Adds to Magnitude and original Magnitude, or to the first only.
    Reinforce { who: UnitId, n: i32, first_only: bool },
    /// Parts a Horde in two.
    Split { who: UnitId, n: i32, label: Arc<str> },
    /// Joins a Horde to another.
    Merge { who: UnitId, into: UnitId },
    /// It breaks.
    Breaks { who: UnitId },
    /// It holds, whatever was rolled or is to be rolled this Round.
    Holds { who: UnitId },
    /// A broken one comes back (HC-144).
    Rallies { who: UnitId },
    /// No Test this Round.
    SkipTest { who: UnitId },
    /// A Test now, due or not.
    Test { who: UnitId, roll: Option<u16> },
    /// Changes an option from here on.
    Option { key: Arc<str>, value: Arc<str> },
    /// Sets any value of a combatant.
    Set { who: UnitId, key: Arc<str>, value: Arc<str> },
    /// Takes up a weapon, or lays one down.
    Arms { who: UnitId, weapon: Arc<str>, gains: bool },
    /// Sets the hits of an attack that waits.
    Hits { who: UnitId, which: usize, hits: i32 },
    /// Somebody joins.
    Add { kind: Joins, label: Arc<str>, profile: Arc<str>, strength: Option<i32>, initiative: Option<i32> },
    /// Somebody leaves.
    Gone { who: UnitId },
    /// Somebody who was gone or destroyed is back.
    Returns { who: UnitId },
    /// Acts right before another from now on.
    Before { who: UnitId, other: UnitId },
    /// Acts right after another from now on.
    After { who: UnitId, other: UnitId },
    /// Does nothing in the first Round.
    Surprised { who: UnitId },
    /// The turn goes to somebody.
    Turn { who: UnitId },
}

/// As what somebody joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// A Horde of the foes.
    Horde,
    /// A character of the players' side.
    Heretic,
    /// A lone foe.
    Foe,
    /// A Horde that fights for the players' side.
    Ally,
}
