//! What orders say once they are read.

use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId, Troop};
use crate::state::Season;
use serde::{Deserialize, Serialize};

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Just so many.
    Exactly,
    /// So many or more.
    AtLeast,
    /// So many or fewer.
    AtMost,
}

impl Compare {
    /// Whether `have` fits.
    #[must_use]
    pub fn holds(self, have: i64, wanted: i64) -> bool {
        match self {
            Compare::Exactly => have == wanted,
            Compare::AtLeast => have >= wanted,
            Compare::AtMost => have <= wanted,
        }
    }
}

/// What a body does, as conditions may ask it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Verb {
    Moves,
    Defends,
    StandsSiege,
    Retreats,
}

/// CAM-043: a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cond {
    /// So many hostile armies are in the body's province.
    Invaders(Compare, i64),
    /// They have so many AP together.
    InvaderAp(Compare, i64),
    /// This nation's army is among them.
    InvadedBy(NationId),
    /// An ally's army (or this nation's) came into the province this season.
    AllyArrives(Option<NationId>),
    /// The season.
    Season(Season),
    /// A battle of this season that the body fought was won.
    Won(BodyId),
    /// Or lost.
    Lost(BodyId),
    /// Another body of one's own does this.
    Does(BodyId, Verb),
    /// A city is this nation's.
    Holds(PlaceId, NationId),
    /// A city is nobody's.
    Neutral(PlaceId),
    /// A body has so many AP.
    Strength(BodyId, Compare, i64),
    /// The nations are allied.
    Allied(NationId),
    /// The contrary.
    Not(Box<Cond>),
    /// All of them.
    And(Vec<Cond>),
    /// One of them.
    Or(Vec<Cond>),
}

/// CAM-042: what a body is to do, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Go to a friendly or empty province.
    Move {
        /// Where to.
        to: PlaceId,
        /// The places on the way, if they are named.
        via: Vec<PlaceId>,
        /// By sea.
        sea: bool,
    },
    /// Go to another's province or a neutral city, to fight or besiege.
    Invade {
        /// Where to.
        to: PlaceId,
        /// The places on the way, if they are named.
        via: Vec<PlaceId>,
        /// By sea.
        sea: bool,
    },
    /// Give battle to invaders.
    Defend {
        /// Not beyond the own province.
        hold: bool,
        /// From a besieged city.
        sally: bool,
        /// Which adjacent provinces to help first.
        first: Vec<PlaceId>,
    },
    /// Stay in the city and give no battle.
    StandSiege,
    /// Give way.
    Retreat {
        /// Where to, if it is named.
        to: Option<PlaceId>,
    },
    /// Go on besieging.
    Siege,
    /// CAM-092: with or without assault.
    Assault(bool),
    /// CAM-054: turn back above such losses at sea.
    Abort {
        /// The greatest loss borne.
        above: i64,
        /// Counted in elements instead of AP.
        elements: bool,
    },
    /// Which elements to lose first.
    Lose(Vec<Label>),
    /// Where to retreat after a lost battle.
    FallBack(PlaceId),
    /// CAM-150: a secondary army takes no part.
    StayOut,
    /// CAM-157: which side to take.
    Side(NationId),
    /// CAM-153: which elements come as a contingent.
    Contingent(Vec<Label>),
    /// CAM-027: which general commands.
    Commander(Label),
    /// Whose ships carry it.
    Ships(NationId),
    /// CAM-103: where to winter.
    Winter(PlaceId),
    /// CAM-033: join another body.
    Join(BodyId),
    /// CAM-095: whose army leads the siege.
    Principal(NationId),
    /// CAM-092: it bears an ally's losses in an assault.
    Bear,
    /// CAM-150: it is the prime army of its side.
    Prime,
}

impl Act {
    /// Whether it chooses a movement.
    #[must_use]
    pub fn is_movement(&self) -> bool {
        matches!(self, Act::Move { .. } | Act::Invade { .. })
    }

    /// Whether it chooses battle, siege or retreat.
    #[must_use]
    pub fn is_stance(&self) -> bool {
        matches!(self, Act::Defend { .. } | Act::StandSiege | Act::Retreat { .. } | Act::Siege)
    }
}

/// Ordered alternatives: the first arm whose condition holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    /// Conditions (none for `else` and for what has no condition) with what is done then.
    pub arms: Vec<(Option<Cond>, Vec<Act>)>,
}

/// The order of one body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyOrder {
    /// Whose order.
    pub body: BodyId,
    /// Its parts.
    pub parts: Vec<Chain>,
}

/// Which elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// All of the body.
    All,
    /// So many of a type.
    Some(u16, Troop),
    /// This one.
    One(Label),
}

/// Where elements go in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dest {
    /// Into a body.
    Body(BodyId),
    /// Into the garrison of the city they are in.
    Garrison,
    /// Into an army of their own.
    Army,
}

/// CAM-060 to CAM-063: covert work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Covert {
    Spy,
    Scry,
    Assassinate,
    Rescue,
}

/// CAM-082: what is done with a captive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Captivity {
    Release,
    Execute,
    Send(PlaceId),
}

/// Treaties, leave and demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Treaty {
    /// CAM-118: offer or accept an alliance.
    Ally(NationId),
    /// End one.
    Rescind(NationId),
    /// CAM-118: take back what was offered to this nation and is not yet taken up.
    Withdraw(NationId),
    /// CAM-111: ask to become this nation's vassal.
    Submit(NationId),
    /// Take this nation as vassal.
    TakeVassal(NationId),
    /// CAM-112: renounce a vassal, or as a vassal the overlord.
    Renounce(NationId),
    /// CAM-112: rise against the overlord.
    Rebel,
    /// CAM-119: a vassal may ally with or invade this nation.
    Leave {
        /// The vassal.
        vassal: NationId,
        /// Whom it may ally with or invade.
        about: NationId,
        /// Given, or taken back.
        given: bool,
    },
    /// CAM-132: leave to pass.
    Passage {
        /// To whom.
        to: NationId,
        /// Through which province; all where none is named.
        at: Option<PlaceId>,
        /// Leave to stay as well.
        stay: bool,
    },
    /// CAM-052: the fleet carries an ally's army.
    Lend(NationId),
    /// CAM-134: the fleet carries this own army.
    Carry(BodyId),
    /// CAM-052: an overlord claims a vassal's fleet.
    ClaimFleet(NationId),
    /// CAM-111: an overlord demands an army.
    DemandArmy(NationId),
    /// CAM-174: the army that a vassal gives.
    GiveArmy(BodyId),
    /// CAM-173: a vassal's alliance is to end.
    EndAlliance {
        /// The vassal.
        vassal: NationId,
        /// Its ally.
        with: NationId,
    },
    /// CAM-113: the overlord may winter in one's cities.
    Winter(NationId),
    /// CAM-116: quit.
    Quit,
}

/// CAM-106: a line of the winter's list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Raise {
    /// Raise new elements.
    New {
        /// How many.
        count: u16,
        /// Of which type.
        troop: Troop,
        /// Mounted or winged.
        mount: bool,
        /// In which city.
        at: PlaceId,
    },
    /// Promote an element to another type.
    Promote {
        /// Which.
        element: Label,
        /// To what.
        to: Troop,
    },
    /// Mount or wing an element.
    Mount(Label),
}

/// One order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// To a body.
    Body(BodyOrder),
    /// CAM-033: elements change bodies.
    Transfer {
        /// From which body.
        from: BodyId,
        /// Which elements.
        picks: Vec<Pick>,
        /// Where they go.
        to: Dest,
    },
    /// CAM-021: the general of a body moves to another of its elements.
    Seat {
        /// The body.
        body: BodyId,
        /// The element that takes him.
        element: Label,
    },
    /// CAM-020: a general gets a name.
    NameGeneral {
        /// The element that holds him.
        element: Label,
        /// His name.
        name: String,
    },
    /// CAM-024: an element at the capital becomes a general.
    MakeGeneral(Label),
    /// CAM-060: covert work.
    Covert {
        /// Who does it.
        element: Label,
        /// What.
        work: Covert,
        /// Where.
        at: PlaceId,
        /// CAM-063: whom to free; anybody of one's own or an ally's where none is named.
        whom: Option<ElementId>,
    },
    /// CAM-082: about a captive.
    Captive(ElementId, Captivity),
    /// About other nations.
    Treaty(Treaty),
    /// CAM-106: of the winter's list.
    Raise(Raise),
}
