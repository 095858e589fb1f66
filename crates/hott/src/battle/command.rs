//! What players order, by kind. Every command carries all that is needed to print it.

use super::{CommandId, ElementId, ShooterReply, SideId};
use crate::ground::Ground;
use field::{Base, BoardEdge, Len, Point, Pose, Side};
use std::sync::Arc;

/// A command. Its text form (`words.rs`) is given with each kind; `E` is a label, `L` a list of labels.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    // ---- set-up
    /// `roll`: the dice for attacker and defender (HOTT-069), or for the base edge after `edges`.
    Roll,
    /// `ground …`: the ground as laid (HOTT-070); `ground random N` is made into features when it is read.
    Ground(Arc<Ground>),
    /// `edges left top right / bottom`: numbers 1, 2, 3 and 4-6 for the board's edges (HOTT-071), and the throw.
    Edges([BoardEdge; 4]),
    /// `stronghold at X Y H W D`: Stronghold or Baggage (HOTT-073, BB-080).
    Stronghold(Base),
    /// `deploy E X Y H, E X Y H …`: places or moves elements within the zone (HOTT-076).
    Deploy(Vec<(ElementId, Pose)>),
    /// `deployed`, `deployed COMMAND`: this command is done.
    Deployed(CommandId),

    // ---- step 2
    /// `assign 5 3 2`: the PIP scores for this side's commands, in order (BB-034).
    Assign(Vec<u8>),
    /// Every tactical move (section 8).
    Move(MoveOrder),
    /// `halt L` (BB-061).
    Halt(Vec<ElementId>),
    /// `lurk E front|left|right|rear ENEMY` (HOTT-188).
    Lurk(Ambush),
    /// `withdraw E` (HOTT-195).
    Withdraw(ElementId),
    /// `arrive E X Y H`: a God, or a Dragon with all its fellows (HOTT-181, HOTT-185), rear edge on the base edge.
    Arrive(Vec<(ElementId, Pose)>),
    /// `return E X Y H`: a Horde (HOTT-197) or an ensorcelled element (HOTT-202); `return E X Y H at stronghold`
    /// declares contact with the enemy's Stronghold (HOTT-204).
    Return {
        /// Who.
        who: ElementId,
        /// Where to.
        pose: Pose,
        /// Contact with the Stronghold it touches is declared.
        declared: bool,
    },
    /// `end moves`: on to steps 3 and 4.
    EndMoves,

    // ---- steps 4 to 6
    /// `bespell ENEMY with E [L]`: main bespeller and aids (HOTT-207).
    Bespell {
        /// The target; `None` with `side`: that side's Stronghold.
        target: Target,
        /// The bespeller.
        who: ElementId,
        /// Aids, in order of label.
        aids: Vec<ElementId>,
    },
    /// `end magic`.
    EndMagic,
    /// `shoot ENEMY with L`: the shooters of the side whose bound it is; the main one follows by HOTT-234, or is the
    /// first named among equals.
    Shoot {
        /// The target.
        target: Target,
        /// Shooters, first the main one where that is open.
        shooters: Vec<ElementId>,
    },
    /// `return fire`: the other side's shooting that is next by its standing reply, taken now (order: HOTT-085).
    ShootBack {
        /// The shooter of a side whose bound it is not; its target is its owner's choice (HOTT-232).
        shooter: ElementId,
    },
    /// `target ENEMY`: the answer of an owner asked for his Shooter's target.
    Aim(Target),
    /// `end shooting`: what must still be shot (HOTT-231) is shot by HOTT-232.
    EndShooting,
    /// `fight E`: the close combat of this element of either side; against a Stronghold E is the main attacker.
    Fight(ElementId),
    /// `fight all`: the rest, left to right.
    FightAll,
    /// `flee to X Y H`: the answer of an owner asked for the way of a flight.
    Flee(Pose),

    // ---- any time
    /// `reply shooters by-rule|most-aids|ask`: a standing reply.
    Reply(ShooterReply),
    /// `concede`.
    Concede(SideId),
    /// `ruling …`: the umpire's, or all seats' by consent.
    Ruling(String),
}

/// A target of shooting or magic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An element.
    Element(ElementId),
    /// `B.Str`: a side's Stronghold or Baggage.
    Stronghold(SideId),
}

/// A tactical move: who, how, and whether an Aerial that ends in contact with ground elements attacks.
#[derive(Clone, Debug, PartialEq)]
pub enum MoveOrder {
    /// `move L ahead 200, wheel left 15, ahead 20 [attack]`: stages of one element or group.
    Legs {
        /// One element, or a group (HOTT-119).
        who: Vec<ElementId>,
        /// The stages, told from the group's body: a wheel pivots on its outer front corner (HOTT-121).
        legs: Vec<Leg>,
        /// HOTT-166: contact with ground elements is declared.
        attack: bool,
    },
    /// `move E to X Y H [attack]`: a single element's free move, straight (HOTT-118).
    Free {
        /// Who.
        who: ElementId,
        /// Where to.
        to: Pose,
        /// HOTT-166.
        attack: bool,
    },
    /// `charge L front|left|right|rear ENEMY`: the first of L makes the named contact; the engine finds stages and
    /// conforming.
    Charge(Charge),
    /// `line L left|right|behind|ahead FRIEND`: the first of L comes level with, or behind, that friend.
    LineUp(LineUp),
    /// `column L ahead 200, wheel left 30`: the first of L leads, the rest follow in its track (HOTT-129, HOTT-130).
    Column {
        /// The leader first.
        who: Vec<ElementId>,
        /// The leader's stages.
        legs: Vec<Leg>,
        /// All along a road (HOTT-133).
        road: bool,
    },
    /// `narrow L to 2 ahead 200`: so many of L stay abreast, the rest drop behind to get through a gap (HOTT-131).
    Narrow {
        /// Those in front first, from either end; the others fall in behind them in order.
        who: Vec<ElementId>,
        /// How many stay abreast.
        width: u8,
        /// The front rank's stages.
        legs: Vec<Leg>,
    },
    /// `close E ENEMY`: closing the door (HOTT-175).
    CloseDoor {
        /// The overlapping element.
        who: ElementId,
        /// The enemy held in front contact.
        enemy: ElementId,
    },
    /// `break E 300`: breaking off straight back (HOTT-176); `break E ahead 300`: a Sneaker forward through the enemy
    /// (HOTT-180).
    BreakOff {
        /// Who.
        who: ElementId,
        /// How far back, 1/100 pace; negative: forward.
        by: Len,
    },
}

/// One stage of a move as a player says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// `ahead 200`, `back 100`.
    Ahead(Len),
    /// `left 40` (negative) or `right 40`: sideways.
    Sideways(Len),
    /// `by DX DY`: a straight slide by a vector of the board (single elements).
    By(Point),
    /// `wheel left 15.5`: hundredths of a degree on that front corner.
    Wheel(Side, i32),
    /// `turn 90`: to a heading, about the centre (single elements), hundredths of a degree.
    Turn(i32),
}

/// Which face of an enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    /// HOTT-161.
    Front,
    /// HOTT-162, the enemy's own left.
    Left,
    /// HOTT-162, the enemy's own right.
    Right,
    /// HOTT-163.
    Rear,
}

/// `charge`.
#[derive(Clone, Debug, PartialEq)]
pub struct Charge {
    /// The first makes the contact; the rest keep their places in the group.
    pub who: Vec<ElementId>,
    /// Which face.
    pub face: Face,
    /// Of whom; a Stronghold is charged with [`Charge::strong`].
    pub enemy: Target,
}

/// `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct LineUp {
    /// The first comes to the place; the rest keep theirs in the group.
    pub who: Vec<ElementId>,
    /// To the friend's left (`Some(Left)`), right, or, with `None`, behind it; `ahead` is not a dock.
    pub side: Option<Side>,
    /// The friend.
    pub friend: ElementId,
}

/// `lurk`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ambush {
    /// The Lurker.
    pub who: ElementId,
    /// Which face of the enemy.
    pub face: Face,
    /// The enemy in the feature.
    pub enemy: ElementId,
}
