//! What happens, with every figure needed to tell it.

use super::state::Ending;
use super::{CommandId, ElementId, SideId};
use crate::battle::command::Target;
use crate::table::{Factors, Judged, Mode};
use field::{BoardEdge, Pose};
use rulebook::RuleId;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    // ---- set-up
    /// HOTT-069: a side's die; after the last one the defender is known.
    SideDie {
        /// Whose.
        side: SideId,
        /// What it shows.
        die: u8,
    },
    /// HOTT-069: who defends.
    Defends(SideId),
    /// HOTT-070.
    GroundLaid {
        /// By whom.
        side: SideId,
        /// How many features.
        features: u16,
    },
    /// HOTT-071, HOTT-072: a side's base edge; with the die that gave it.
    Edge {
        /// Whose.
        side: SideId,
        /// Which.
        edge: BoardEdge,
        /// The die; 0 for the edge that follows from another's.
        die: u8,
    },
    /// HOTT-073, BB-080.
    StrongholdPlaced(SideId),
    /// HOTT-076: an element is placed.
    Deployed {
        /// Who.
        who: ElementId,
        /// Where.
        pose: Pose,
    },
    /// A command has deployed.
    CommandDeployed(CommandId),

    // ---- the bound
    /// A bound begins.
    Bound {
        /// Its number, from 1.
        bound: u32,
        /// Whose.
        side: SideId,
    },
    /// HOTT-081, BB-034: a PIP die.
    Pips {
        /// Of which command.
        command: CommandId,
        /// The score.
        score: u8,
    },
    /// PIPs spent on a move, halt, arrival, spell.
    Paid {
        /// By which command.
        command: CommandId,
        /// How many.
        pips: u8,
        /// What they are made of: a rule and its part, at most five.
        parts: Vec<(RuleId, u8)>,
        /// How many are left.
        left: u8,
    },
    /// A tactical move of one element: from where to where.
    Moved {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To, before any conforming.
        to: Pose,
        /// Distance moved in 1/100 pace (HOTT-113).
        distance: i32,
    },
    /// HOTT-170, HOTT-172: shifted into full contact.
    Conformed {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To.
        to: Pose,
        /// By which rule.
        rule: RuleId,
    },
    /// HOTT-166: an Aerial attacks the ground elements it touches.
    Declared(ElementId),
    /// HOTT-173: turned to face.
    Turned {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To.
        to: Pose,
        /// Whom it faces now.
        enemy: ElementId,
    },
    /// BB-061.
    Halted(ElementId),
    /// Came on table: a God, Dragon, Lurker, Horde, or an ensorcelled element that is free.
    Appeared {
        /// Who.
        who: ElementId,
        /// Where.
        pose: Pose,
        /// By which rule.
        rule: RuleId,
    },
    /// HOTT-195: a Lurker goes back into hiding.
    Withdrawn(ElementId),
    /// The next step of the bound begins; nothing to see, but the log wants a heading.
    Step(super::Phase),

    // ---- fights
    /// A fight, a shot or a spell: factors, dice, totals and what becomes of both.
    Combat(Box<Close>),
    /// HOTT-219: a Magician shows a 1 when bespelling.
    SpokeOne {
        /// Who.
        who: ElementId,
        /// It is the one that ensorcels it.
        fatal: bool,
    },
    /// HOTT-302: moved back.
    Recoiled {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To.
        to: Pose,
    },
    /// HOTT-305: pushed back by a friend.
    Pushed {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To.
        to: Pose,
        /// By whom.
        by: ElementId,
    },
    /// HOTT-316: fled.
    Fled {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To.
        to: Pose,
    },
    /// HOTT-325, HOTT-326: followed up.
    Pursued {
        /// Who.
        who: ElementId,
        /// From.
        from: Pose,
        /// To.
        to: Pose,
    },
    /// Off the table.
    Removed {
        /// Who.
        who: ElementId,
        /// How.
        how: Departure,
        /// By which rule.
        rule: RuleId,
    },
    /// HOTT-335, HOTT-296, BB-083: a Stronghold or Baggage is taken, or lost to Artillery.
    StrongholdLost {
        /// Whose.
        side: SideId,
        /// To whom.
        by: ElementId,
    },

    // ---- losses and the end
    /// Losses of a side at the end of a bound, in halves of an AP (HOTT-338).
    Losses {
        /// Whose.
        side: SideId,
        /// How much.
        halves: u32,
    },
    /// BB-040, BB-041; CAM-078: a contingent that has lost its general.
    Demoralised(CommandId),
    /// BB-040 with `while`: the test holds no more.
    Rallied(CommandId),
    /// CAM-076: a contingent's die calls it on.
    Called(CommandId),
    /// CAM-022: a reserve general tries to take over.
    Succession {
        /// Whose general.
        who: ElementId,
        /// The PIP score.
        score: u8,
        /// Elements lost at that moment.
        lost: u32,
        /// Whether he commands now.
        commands: bool,
    },
    /// BB-051, BB-054: a side leaves the battle.
    Out(SideId),
    /// A player concedes.
    Conceded(SideId),
    /// A standing reply was used where its owner might have been asked.
    ReplyUsed(ElementId),
    /// The battle is over.
    Over {
        /// The winners, one bit a side; 0: undecided.
        winners: u8,
        /// How.
        ending: Ending,
    },
    /// An umpire, or all seats by consent, ruled.
    Ruled(String),
}

/// How an element leaves the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// Destroyed (HOTT-333).
    Destroyed,
    /// Fled the battlefield, or moved off the board (HOTT-311, HOTT-321, HOTT-323).
    Fled,
    /// Ensorcelled by this Magician, or by itself (HOTT-201, HOTT-222).
    Ensorcelled(Option<ElementId>),
    /// A God that left (HOTT-183).
    Left,
}

/// Two of something: of the attacker (main shooter, bespeller) and of the other.
pub type Side2<T> = [T; 2];

/// Both dice of a fight.
pub type Throw2 = Side2<u8>;

/// A fight, shot or spell in all its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Close {
    /// Which of the three.
    pub mode: Mode,
    /// The two: an element, or a Stronghold.
    pub who: Side2<Target>,
    /// Aids of the attacker, in order.
    pub aids: Vec<ElementId>,
    /// Basic combat factor and tactical factors of both.
    pub factors: Side2<Factors>,
    /// Their dice; of a target that does not answer its die counts all the same.
    pub dice: Throw2,
    /// Their totals.
    pub totals: Side2<i32>,
    /// What becomes of them, and by which rule.
    pub judged: Side2<Judged>,
}
