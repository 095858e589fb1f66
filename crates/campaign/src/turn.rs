//! What is known only while a season is being adjudicated.

use crate::battle::Battle;
use crate::ids::{BodyId, Label, NationId, PlaceId};
use crate::log::Entry;
use crate::order::Line;
use crate::world::Way;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One stage of a march.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leg {
    /// Where it ends.
    pub to: PlaceId,
    /// By which kind of route.
    pub way: Way,
    /// With which stage of the season it ends, 1 to 3.
    pub stage: u32,
}

/// What an army does when it meets others (step 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It gives battle.
    #[default]
    Battle,
    /// It is in the city and gives none.
    StandSiege,
    /// It went away.
    Retreated,
}

/// How a battle came out for an army.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Fate {
    Won,
    Lost,
    Undecided,
}

/// What a body does in the season.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct March {
    /// Where it stood when the season began.
    pub start: Option<PlaceId>,
    /// What it will do, stage by stage.
    pub legs: Vec<Leg>,
    /// How many of the legs are done.
    pub done: usize,
    /// Whether it stops where it is.
    pub stopped: bool,
    /// Whether its order is INVADE or SIEGE.
    pub invades: bool,
    /// Whether its orders say nothing (CAM-044).
    pub silent: bool,
    /// Whether it DEFENDs beyond its own province, and which provinces first.
    pub reacts: bool,
    /// Which provinces first.
    pub first: Vec<PlaceId>,
    /// Whether it reacted (step 6).
    pub reacted: bool,
    /// SALLY was ordered.
    pub sally: bool,
    /// CAM-093: it was besieged when the season began, and leaves the province only through battle.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub besieged: bool,
    /// Where it sailed from, if it came by sea.
    pub sailed_from: Option<PlaceId>,
    /// Whom it is to join when it arrives.
    pub join: Option<BodyId>,
    /// What it did in step 7.
    pub stance: Stance,
}

/// A battle's end for each prime protagonist, for CAM-172.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Whose army.
    pub nation: NationId,
    /// How it ended.
    pub fate: Fate,
}

/// Covert work named in step 3, done in step 8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    /// Whose.
    pub nation: NationId,
    /// Who.
    pub element: Label,
    /// What.
    pub work: crate::order::Covert,
    /// Where.
    pub at: PlaceId,
    /// From where: where the element stood before movement.
    pub from: PlaceId,
    /// Whom to free.
    pub whom: Option<crate::ids::ElementId>,
}

/// CAM-132: leave to pass in this season.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Who gives it.
    pub by: NationId,
    /// To whom.
    pub to: NationId,
    /// Where; everywhere if no place is named.
    pub at: Option<PlaceId>,
    /// Leave to stay as well.
    pub stay: bool,
}

/// The season under way.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// The step reached.
    pub step: u8,
    /// The orders that count.
    pub lines: BTreeMap<NationId, Vec<Line>>,
    /// Marches by body.
    pub marches: BTreeMap<BodyId, March>,
    /// Covert work to do.
    pub errands: Vec<Errand>,
    /// Leave to pass.
    pub passages: Vec<Passage>,
    /// Overlords let winter in a vassal's cities: who lets whom.
    pub winter_leave: BTreeSet<(NationId, NationId)>,
    /// CAM-174: demanded armies and who writes their orders.
    pub demanded: BTreeMap<BodyId, NationId>,
    /// CAM-068: which nations' armies moved into which places.
    pub entered: BTreeSet<(PlaceId, NationId)>,
    /// CAM-009: places occupied when the season began.
    pub occupied: BTreeSet<PlaceId>,
    /// CAM-074: provinces of each nation when the season began.
    pub provinces: BTreeMap<NationId, i64>,
    /// The battles.
    pub battles: Vec<Battle>,
    /// Armies that fought, and how it ended.
    pub fates: BTreeMap<BodyId, Fate>,
    /// CAM-172: battles as main protagonist.
    pub scores: Vec<Score>,
    /// Places where the owner's army fought (CAM-097).
    pub defended: BTreeSet<PlaceId>,
    /// Cities taken this season: place, from whom, by whom.
    pub taken: Vec<(PlaceId, Option<NationId>, NationId)>,
    /// CAM-178: what the umpire may judge disobedience: vassal, why.
    pub disobedience: Vec<(NationId, String)>,
    /// Everything decided so far.
    pub log: Vec<Entry>,
}
