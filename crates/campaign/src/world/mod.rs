//! The world: the map and the nations on it, as they are before anybody gives an order.

mod check;
mod generate;
mod load;
mod shipped;

pub use generate::{Plan, generate};
pub use load::{load_map, load_nation, world_files};
pub use shipped::{SHIPPED, shipped};

use crate::ids::{NationId, PlaceId};
use crate::rules::Rules;
use hott::table::{Class, TroopType};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// CAM-002: kinds of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// A standard route.
    Land,
    /// By sea.
    Sea,
    /// For aerials only.
    Air,
}

/// CAM-005: what the mark of a hex says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the variants are the rules' words
pub enum Mark {
    Woods,
    Mountains,
    Swamp,
    Hills,
    Desert,
}

impl Mark {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Mark::Woods => "woods",
            Mark::Mountains => "mountains",
            Mark::Swamp => "swamp",
            Mark::Hills => "hills",
            Mark::Desert => "desert",
        }
    }
}

/// A node of the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Column and row of its hex.
    #[serde(default)]
    pub hex: (i16, i16),
    /// CAM-001, CAM-004: whether it has a city; else it is an empty province.
    #[serde(default)]
    pub city: bool,
    /// Whether ships can put in there.
    #[serde(default)]
    pub coast: bool,
    /// CAM-005: its terrain mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// CAM-006: what a nation worships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the variants are the rules' words
pub enum Alignment {
    Good,
    Neutral,
    Evil,
}

/// A body of the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartBody {
    /// Where: an own city.
    pub at: PlaceId,
    /// Its elements: `Kni*`, `3 Bld`, `Sht+` (`*` a general, `+` mounted or winged).
    pub troops: Vec<String>,
}

/// CAM-006: a nation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nation {
    /// What its people are like, in a sentence.
    #[serde(default)]
    pub character: String,
    /// Its capital.
    pub capital: PlaceId,
    /// Its cities at the start, the capital among them.
    pub cities: Vec<PlaceId>,
    /// What it worships.
    pub alignment: Alignment,
    /// CAM-011: whether Gods may come to it.
    #[serde(default)]
    pub pagan: bool,
    /// CAM-011: whether it has Clerics.
    #[serde(default)]
    pub clerics: bool,
    /// CAM-011: leave for another combination of faith and troops.
    #[serde(default)]
    pub faith_override: bool,
    /// CAM-115: nobody's ally or vassal.
    #[serde(default)]
    pub outcast: bool,
    /// CAM-052: whether it has ships.
    #[serde(default)]
    pub fleet: bool,
    /// CAM-012: whether its Hordes come back in battle.
    #[serde(default)]
    pub hordes_return: bool,
    /// Types it may raise, with what each costs it (CAM-013).
    pub costs: BTreeMap<String, i64>,
    /// CAM-021: types its generals ride with first of all.
    pub primary: Vec<String>,
    /// CAM-021: types used only where none of the first is there.
    #[serde(default)]
    pub secondary: Vec<String>,
    /// CAM-015: the least numbers of some types.
    #[serde(default)]
    pub minima: BTreeMap<String, i64>,
    /// CAM-101: promotions that need no umpire: from a type to types.
    #[serde(default)]
    pub promotions: BTreeMap<String, Vec<String>>,
    /// Nations it never allies with.
    #[serde(default)]
    pub never_ally: Vec<NationId>,
    /// Nations whose vassal it never becomes of its own will.
    #[serde(default)]
    pub never_vassal_of: Vec<NationId>,
    /// What it is after, in a sentence.
    #[serde(default)]
    pub objectives: String,
    /// Its colour on maps: `#b03020`.
    #[serde(default)]
    pub colour: String,
    /// CAM-041: its forces at the start.
    #[serde(default)]
    pub start: Vec<StartBody>,
}

impl Nation {
    /// What a type costs this nation, in AP; `None` where it may not raise it.
    #[must_use]
    pub fn cost(&self, troop: TroopType) -> Option<i64> {
        self.costs.get(troop.code()).copied()
    }

    /// CAM-021: whether a type may hold the general: 0 primary, 1 secondary, `None` never.
    #[must_use]
    pub fn general_rank(&self, troop: TroopType) -> Option<u8> {
        let is = |list: &[String]| list.iter().any(|t| TroopType::parse(t) == Some(troop));
        if is(&self.primary) {
            Some(0)
        } else if is(&self.secondary) {
            Some(1)
        } else {
            None
        }
    }

    /// CAM-015: the minimum of a type.
    #[must_use]
    pub fn minimum(&self, troop: TroopType) -> i64 {
        self.minima.get(troop.code()).copied().unwrap_or(0)
    }

    /// CAM-101: whether the nation's table lists this promotion.
    #[must_use]
    pub fn promotes(&self, from: TroopType, to: TroopType) -> bool {
        let listed = self.promotions.get(from.code());
        listed.is_some_and(|list| list.iter().any(|t| TroopType::parse(t) == Some(to)))
    }
}

/// A route from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Exit {
    /// Where it leads.
    pub to: PlaceId,
    /// How.
    pub way: Way,
}

/// The whole world.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// The nodes.
    pub places: BTreeMap<PlaceId, Place>,
    /// Standard routes.
    #[serde(default)]
    pub land: Vec<(PlaceId, PlaceId)>,
    /// Sea routes.
    #[serde(default)]
    pub sea: Vec<(PlaceId, PlaceId)>,
    /// Routes for aerials only.
    #[serde(default)]
    pub air: Vec<(PlaceId, PlaceId)>,
    /// The nations.
    pub nations: BTreeMap<NationId, Nation>,
    /// Made of the routes.
    #[serde(skip)]
    exits: BTreeMap<PlaceId, Vec<Exit>>,
}

impl World {
    /// Makes the tables that the routes imply. To be called once after reading.
    #[must_use]
    pub fn ready(mut self) -> Self {
        self.exits = self.places.keys().map(|p| (*p, Vec::new())).collect();
        for (list, way) in [(&self.land, Way::Land), (&self.sea, Way::Sea), (&self.air, Way::Air)] {
            for &(a, b) in list {
                for (from, to) in [(a, b), (b, a)] {
                    if let Some(exits) = self.exits.get_mut(&from) {
                        exits.push(Exit { to, way });
                    }
                }
            }
        }
        for exits in self.exits.values_mut() {
            exits.sort_unstable_by_key(|e| (e.way, e.to));
            exits.dedup();
        }
        self
    }

    /// The routes from a place, land first, then by name.
    #[must_use]
    pub fn exits(&self, place: PlaceId) -> &[Exit] {
        self.exits.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether a route of this kind joins two places.
    #[must_use]
    pub fn joined(&self, a: PlaceId, b: PlaceId, way: Way) -> bool {
        self.exits(a).iter().any(|e| e.to == b && e.way == way)
    }

    /// CAM-008: adjacent: one standard route away; for what is all aerial an aerials-only route too.
    #[must_use]
    pub fn adjacent(&self, a: PlaceId, b: PlaceId, aerial: bool) -> bool {
        self.joined(a, b, Way::Land) || aerial && self.joined(a, b, Way::Air)
    }

    /// A place; an empty province without mark for a name that is not on the map.
    #[must_use]
    pub fn place(&self, id: PlaceId) -> &Place {
        static NOWHERE: Place = Place { hex: (0, 0), city: false, coast: false, mark: None };
        self.places.get(&id).unwrap_or(&NOWHERE)
    }

    /// A nation by name.
    #[must_use]
    pub fn nation(&self, id: NationId) -> Option<&Nation> {
        self.nations.get(&id)
    }

    /// The number of a nation in the order of names, for addresses of dice.
    #[must_use]
    pub fn nation_number(&self, id: NationId) -> u64 {
        self.nations.keys().position(|n| *n == id).map_or(0xff, |n| n as u64)
    }

    /// The number of a place in the order of names, for addresses of dice.
    #[must_use]
    pub fn place_number(&self, id: PlaceId) -> u64 {
        self.places.keys().position(|n| *n == id).map_or(0xffff, |n| n as u64)
    }

    /// CAM-182: stages from a place to all others by routes for which `open` says yes.
    pub fn distances(
        &self,
        from: PlaceId,
        mut open: impl FnMut(PlaceId, Exit) -> bool,
    ) -> BTreeMap<PlaceId, u32> {
        let mut far = BTreeMap::from([(from, 0)]);
        let mut edge = vec![from];
        while !edge.is_empty() {
            let mut next = BTreeSet::new();
            for at in edge {
                let here = far.get(&at).copied().unwrap_or(0);
                for exit in self.exits(at) {
                    if !far.contains_key(&exit.to) && open(at, *exit) {
                        far.insert(exit.to, here + 1);
                        next.insert(exit.to);
                    }
                }
            }
            edge = next.into_iter().collect();
        }
        far
    }

    /// CAM-055, CAM-056: whether a type rides, for strategic movement; `mount` is the +1 AP of CAM-014.
    #[must_use]
    pub fn rides(rules: &Rules, troop: TroopType, mount: bool) -> bool {
        match troop {
            TroopType::Beh => false,
            TroopType::Mag | TroopType::Snk => true,
            _ => matches!(rules.class(troop), Some(Class::Mounted | Class::Aerial)) || mount,
        }
    }

    /// CAM-056: whether a type flies, for strategic movement.
    #[must_use]
    pub fn flies(rules: &Rules, troop: TroopType, wings: bool) -> bool {
        rules.class(troop) == Some(Class::Aerial) || troop == TroopType::Mag && wings
    }
}

/// Everything of the setup that is wrong, as a list of sentences.
pub(crate) use check::{Sources, check_world};
