//! What changes in a battle. Flat arrays by id, copied into a kept buffer without allocation.

use super::command::Target;
use super::event::Departure;
use super::{CommandId, ElementId, SideId};
use crate::ground::Ground;
use crate::table::Tables;
use field::{Base, BoardEdge, Pose};
use rulebook::RuleId;
use std::sync::Arc;

/// The whole state of a battle. Nothing in it is derived: contacts follow from poses.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    /// By [`ElementId`].
    pub elements: Vec<ElementState>,
    /// By [`CommandId`].
    pub commands: Vec<CommandState>,
    /// By [`SideId`].
    pub sides: Vec<SideState>,
    /// The ground; it does not change once play has begun.
    pub ground: Arc<Ground>,
    /// Where in set-up or bound the battle stands.
    pub phase: Phase,
    /// Bounds begun, from 1; 0 during set-up. A number of this count is "bound 7" to people.
    pub bound: u32,
    /// Whose bound it is, or whose turn in set-up.
    pub active: SideId,
    /// A choice that stopped something, with what it stopped; empty otherwise. The last one is asked first.
    pub pending: Vec<Pending>,
    /// How many throws of each kind were made for one address already: in a bound an element may fight or be shot
    /// at once, so this is needed only where set-up dice are rolled again after a tie.
    pub rerolls: u8,
    /// The battle is over: the sides that won (none: undecided) and how.
    pub over: Option<Over>,
    /// Options that rulings have changed; none otherwise.
    pub house: Option<Arc<House>>,
    /// What only battles with several commands or more than two sides remember.
    pub large: super::Large,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// The winners, one bit a side.
    pub winners: u8,
    /// How.
    pub ending: Ending,
}

/// Ways a battle ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// HOTT-340: general lost and more AP lost.
    General,
    /// HOTT-341, BB-050: half the AP lost and more than the enemy.
    Half,
    /// HOTT-342: Stronghold taken.
    Stronghold,
    /// BB-053: nobody left.
    Swept,
    /// Conceded.
    Conceded,
    /// The last bound that was agreed on has passed.
    Limit,
}

/// One element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementState {
    /// Where it stands; of an ensorcelled one where its marker lies; meaningless for others off table.
    pub pose: Pose,
    /// Where it stood when the bound began (HOTT-171), equal to `pose` if it came on since.
    pub began: Pose,
    /// On table or why not.
    pub fate: Fate,
    /// What it has done and suffered this bound.
    pub flags: Flags,
    /// HOTT-098: how often this Lurker has appeared.
    pub appearances: u8,
    /// HOTT-203: the Magician that ensorcelled it.
    pub enchanter: Option<ElementId>,
    /// HOTT-173: which of the bound's moves into contact was its own, from 1; elements of one group share it. 0: none.
    pub charged: u8,
    /// HOTT-189, BB-097: sides since whose last bound it has moved, one bit each; kept with more than two sides.
    pub seen_moving: u8,
}

/// Whether an element is on table, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Not yet placed in set-up, or waiting off table (HOTT-078); also a withdrawn Lurker (HOTT-195). Not lost.
    Waiting,
    /// On table.
    Table,
    /// Destroyed; of a Horde: waiting to return (HOTT-197).
    Destroyed,
    /// Fled the battlefield or moved off it; of a Lurker: may appear again (HOTT-194).
    Fled,
    /// HOTT-201: a frog on its marker.
    Ensorcelled,
    /// HOTT-184: a God that left.
    Left,
}

impl Fate {
    /// HOTT-336, HOTT-337: whether it counts as lost.
    #[must_use]
    pub fn is_lost(self) -> bool {
        !matches!(self, Fate::Waiting | Fate::Table)
    }
}

/// Facts about an element that positions cannot tell, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    /// HOTT-110: made its tactical move this bound.
    pub const MOVED: Flags = Flags(1);
    /// HOTT-274: moved into contact by a tactical move this bound.
    pub const CHARGED: Flags = Flags(1 << 1);
    /// HOTT-089: has shot this bound.
    pub const SHOT: Flags = Flags(1 << 2);
    /// HOTT-089: has been shot at this bound.
    pub const SHOT_AT: Flags = Flags(1 << 3);
    /// HOTT-089: has bespelled or aided this bound.
    pub const BESPELLED: Flags = Flags(1 << 4);
    /// HOTT-089: has been bespelled this bound.
    pub const BESPELLED_AT: Flags = Flags(1 << 5);
    /// HOTT-089: has fought in close combat this bound.
    pub const FOUGHT: Flags = Flags(1 << 6);
    /// HOTT-182, HOTT-198, BB-063: came on table this bound.
    pub const ARRIVED: Flags = Flags(1 << 7);
    /// BB-061: halted this bound.
    pub const HALTED: Flags = Flags(1 << 8);
    /// HOTT-166: an Aerial that has declared the contact it is in. It stays until the contact ends.
    pub const DECLARED: Flags = Flags(1 << 9);
    /// HOTT-189: moved, by tactical or outcome move, in the bound just before this one.
    pub const STIRRED_BEFORE: Flags = Flags(1 << 10);
    /// HOTT-189: moved, by tactical or outcome move, in this bound.
    pub const STIRRED: Flags = Flags(1 << 11);
    /// HOTT-219: this Magician has shown its first 1. It stays.
    pub const SPOKE_ONE: Flags = Flags(1 << 12);
    /// HOTT-327: brought into contact by pursuit this bound; that contact is fought next bound.
    pub const PURSUED: Flags = Flags(1 << 13);
    /// HOTT-204: a returned Hero that declared contact with the Stronghold it touches.
    pub const AT_STRONGHOLD: Flags = Flags(1 << 14);
    /// BB-038: was no farther than the reach of further moves from a known enemy at some time of its moves this bound.
    pub const NEAR_ENEMY: Flags = Flags(1 << 15);
    /// The flags that the next bound does not inherit (STIRRED becomes STIRRED_BEFORE).
    pub const OF_BOUND: Flags = Flags(0b1010_1101_1111_1111);

    /// Whether all of `flags` are set.
    #[must_use]
    pub const fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Sets `flags`.
    pub fn set(&mut self, flags: Flags) {
        self.0 |= flags.0;
    }

    /// Clears `flags`.
    pub fn clear(&mut self, flags: Flags) {
        self.0 &= !flags.0;
    }
}

/// One command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandState {
    /// The score of its PIP die this bound; 0 outside its side's bounds.
    pub score: u8,
    /// PIPs not yet spent.
    pub pips: u8,
    /// BB-040, BB-041.
    pub demoralised: bool,
    /// BB-041: the test after the general's loss has been made.
    pub tested: bool,
    /// Deployment of it is done (BB-028).
    pub deployed: bool,
    /// BB-042: its one mover has moved.
    pub moved_one: bool,
}

/// One side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideState {
    /// Its dice for the sides (HOTT-069), one digit to the base of 7 for each throw, ties thrown again; 0 before.
    pub die: u32,
    /// Its base edge, once it has one.
    pub edge: Option<BoardEdge>,
    /// HOTT-069: it defends.
    pub defends: bool,
    /// Its Stronghold or Baggage.
    pub strong: Strong,
    /// HOTT-089: what that has suffered this bound: shot at, bespelled, fought.
    pub strong_flags: Flags,
    /// BB-051, BB-054: it has left the battle.
    pub out: bool,
    /// Standing replies for its choices in others' bounds: the seat's secret until used.
    pub replies: Replies,
    /// Places in the order of bounds (HOTT-079, BB-093): 0 is first.
    pub place: u8,
}

/// A Stronghold (HOTT-074) or Baggage (BB-080).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strong {
    /// It has none.
    None,
    /// Not yet placed.
    Waiting,
    /// On table.
    Stands(Base),
    /// Taken, or lost to Artillery.
    Lost(Base),
}

/// What a side lets happen where a choice is its own in another's bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replies {
    /// Whom its Shooters shoot at.
    pub shooters: ShooterReply,
}

/// HOTT-232: whom Shooters shoot at when their owner is away or does not care.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShooterReply {
    /// An enemy that can shoot back, then the nearest, then one already being shot at.
    #[default]
    ByRule,
    /// The target that most others shoot at.
    MostAids,
    /// Ask.
    Ask,
}

/// Where the battle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// HOTT-069: dice for attacker and defender.
    Sides,
    /// HOTT-070: the defender lays the ground.
    Ground,
    /// HOTT-071: the attacker numbers the edges and dices.
    Edges,
    /// HOTT-072: the defender (in big battles each side) places Stronghold or Baggage.
    Strongholds,
    /// HOTT-075: the active side deploys.
    Deploy,
    /// HOTT-082: step 2, moves and all that PIPs buy.
    Moves,
    /// HOTT-084: step 4.
    Magic,
    /// HOTT-085: step 5.
    Shooting,
    /// HOTT-086: step 6.
    Combat,
    /// Over.
    Over,
}

/// A choice that stopped something, and what it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pending {
    /// HOTT-232: the owner of this shooter chooses its target (asked in another side's bound).
    ShooterTarget {
        /// The shooter.
        shooter: ElementId,
        /// Legal targets: elements, or a side's Stronghold.
        targets: Vec<Target>,
        /// The rest of the shooting goes on by itself afterwards (`end shooting` was said).
        ending: bool,
    },
    /// HOTT-318: the owner chooses the way of a flight between two equal ones.
    FlightWay {
        /// The element that flees.
        who: ElementId,
        /// The places it would end at.
        ends: Vec<Pose>,
        /// What the fight still has to bring about afterwards.
        then: Vec<Deed>,
        /// The rest of the fights go on by themselves afterwards (`fight all` was said).
        all: bool,
    },
}

/// Something that a fight, shot or spell brings about, in the order in which it is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// HOTT-302; HOTT-332: with it falls the one that supported it.
    Recoil(ElementId, Option<ElementId>),
    /// HOTT-238: turns about first and recoils away from the shooters.
    RecoilAbout(ElementId),
    /// HOTT-241, HOTT-245: recoils as one whose friend in front did, if it still touches anything.
    Share(ElementId),
    /// HOTT-316: the whole flight, recoil first; HOTT-332 as above.
    Flee(ElementId, Option<ElementId>),
    /// HOTT-316: what follows the recoil of a flight.
    Run(ElementId),
    /// Off the table.
    Remove(ElementId, Departure, RuleId),
    /// HOTT-335, HOTT-296, BB-083: this side's Stronghold or Baggage is taken by this element.
    Take(SideId, ElementId),
    /// HOTT-324: pursues; HOTT-326: with it the one that supported it.
    Pursue(ElementId, Option<ElementId>),
}

/// Options that rulings have changed from here on, with the tables that follow from them.
#[derive(Clone, Debug)]
pub struct House {
    /// `key`, `value`, in the order of the rulings.
    pub sets: Vec<(String, String)>,
    /// The tables in force.
    pub tables: Arc<Tables>,
}

impl PartialEq for House {
    fn eq(&self, other: &Self) -> bool {
        self.sets == other.sets
    }
}

impl Eq for House {}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            elements: self.elements.clone(),
            commands: self.commands.clone(),
            sides: self.sides.clone(),
            ground: Arc::clone(&self.ground),
            phase: self.phase,
            bound: self.bound,
            active: self.active,
            pending: self.pending.clone(),
            rerolls: self.rerolls,
            over: self.over,
            house: self.house.clone(),
            large: self.large.clone(),
        }
    }

    /// Into a kept buffer: no allocation once the buffer has held a state of this size.
    fn clone_from(&mut self, from: &Self) {
        self.elements.clone_from(&from.elements);
        self.commands.clone_from(&from.commands);
        self.sides.clone_from(&from.sides);
        if !Arc::ptr_eq(&self.ground, &from.ground) {
            self.ground = Arc::clone(&from.ground);
        }
        self.phase = from.phase;
        self.bound = from.bound;
        self.active = from.active;
        self.pending.clone_from(&from.pending);
        self.rerolls = from.rerolls;
        self.over = from.over;
        self.house.clone_from(&from.house);
        if self.large != from.large {
            self.large.clone_from(&from.large);
        }
    }
}

impl State {
    /// An element's state.
    #[must_use]
    pub fn element(&self, id: ElementId) -> &ElementState {
        &self.elements[id.index()]
    }

    /// Whether an element is on table.
    #[must_use]
    pub fn on_table(&self, id: ElementId) -> bool {
        self.element(id).fate == Fate::Table
    }

    /// A command's state.
    #[must_use]
    pub fn command(&self, id: CommandId) -> &CommandState {
        &self.commands[id.index()]
    }

    /// A side's state.
    #[must_use]
    pub fn side(&self, id: SideId) -> &SideState {
        &self.sides[id.index()]
    }
}
