//! Battles as the adjudicator hands them over, and results as it takes them back.

mod check;
mod fighter;
mod quick;
mod setup;
mod table;

pub use check::check_result;
pub(crate) use check::elements as fielded;
pub use fighter::{Fighter, Fought, Task, battle_key};
pub(crate) use quick::quick;
pub use quick::quick_result;
pub use setup::Sheet;
pub(crate) use setup::{find_battles, sheet};
pub use table::{Counted, Terms, from_table, hott_labels, hott_setup, letter};

use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId};
use crate::world::{Mark, Way};
use serde::{Deserialize, Serialize};

/// Which side of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Deploys first, dices for the edge.
    Attacker,
    /// Chooses terrain, has the first bound.
    Defender,
}

impl Role {
    /// The other.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Role::Attacker => "attacker",
            Role::Defender => "defender",
        }
    }
}

/// CAM-153: by which edge a contingent comes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Edge {
    Base,
    Left,
    Right,
}

impl Edge {
    /// In words.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Edge::Base => "the principal's base edge",
            Edge::Left => "the left side edge, seen from the principal's base edge",
            Edge::Right => "the right side edge, seen from the principal's base edge",
        }
    }
}

/// CAM-076: a secondary army's troops that come on after a 6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contingent {
    /// Of which army.
    pub body: BodyId,
    /// Which elements.
    pub elements: Vec<Label>,
    /// Whether its commanding general is among them.
    pub general: bool,
    /// Where it comes on.
    pub edge: Edge,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// The prime army.
    pub prime: BodyId,
    /// By which route it came.
    #[serde(default)]
    pub came: Option<(PlaceId, Way)>,
    /// The element whose general commands.
    #[serde(default)]
    pub commander: Option<Label>,
    /// CAM-022: elements with further generals, who may take over.
    #[serde(default)]
    pub reserves: Vec<Label>,
    /// Secondary armies' contingents.
    #[serde(default)]
    pub contingents: Vec<Contingent>,
    /// Every army of the side in the province: it retreats with it (CAM-088).
    #[serde(default)]
    pub with: Vec<BodyId>,
}

/// CAM-072, CAM-073: what the terrain must show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainDuty {
    /// In how many quarters there must be a feature.
    pub features: i64,
    /// In how many a river, bad going or impassable ground.
    pub hard: i64,
    /// Which mark must appear.
    pub mark: Option<Mark>,
    /// In how many quarters.
    pub mark_quarters: i64,
    /// Whether woods and rivers are forbidden.
    pub no_woods_or_rivers: bool,
    /// Whether HOTT-063 to HOTT-065 hold as well.
    pub base_rules_too: bool,
}

/// A battle to be fought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battle {
    /// Where.
    pub at: PlaceId,
    /// Which of the battles there this season, from 1.
    pub nth: u32,
    /// CAM-071: whether the defender owns the province and has a Stronghold; else CAM-074.
    pub home: bool,
    /// Who deploys first.
    pub attacker: Side,
    /// Who chooses the terrain.
    pub defender: Side,
    /// What the terrain must show.
    pub terrain: TerrainDuty,
    /// CAM-156: at so many bounds it is undecided; 0: never.
    pub bounds: i64,
    /// Until when it should be fought, as the umpire wrote it.
    #[serde(default)]
    pub date: Option<String>,
    /// How it came out.
    #[serde(default)]
    pub result: Option<BattleResult>,
}

impl Battle {
    /// A side.
    #[must_use]
    pub fn side(&self, role: Role) -> &Side {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }

    /// The nations that have an army in it.
    #[must_use]
    pub fn nations(&self) -> Vec<NationId> {
        let mut all: Vec<NationId> = [&self.attacker, &self.defender]
            .iter()
            .flat_map(|s| std::iter::once(s.prime).chain(s.with.iter().copied()))
            .map(|b| b.nation)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// On which side a nation is.
    #[must_use]
    pub fn role_of(&self, nation: NationId) -> Option<Role> {
        [Role::Attacker, Role::Defender].into_iter().find(|r| {
            let side = self.side(*r);
            side.prime.nation == nation || side.with.iter().any(|b| b.nation == nation)
        })
    }

    /// What people call it: `Redford`, `Redford 2`.
    #[must_use]
    pub fn name(&self) -> String {
        if self.nth > 1 { format!("{} {}", self.at, self.nth) } else { self.at.to_string() }
    }
}

/// CAM-077: how a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The loser's commanding general was lost, and more AP.
    General,
    /// Half of the loser's AP was lost, and more than the winner's.
    Half,
    /// The loser's Stronghold was lost.
    Stronghold,
    /// The loser gave the field up, or had nobody left on it.
    Conceded,
    /// CAM-156: nobody won.
    Undecided,
}

impl Ending {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Ending::General => "general",
            Ending::Half => "half",
            Ending::Stronghold => "stronghold",
            Ending::Conceded => "conceded",
            Ending::Undecided => "undecided",
        }
    }
}

/// A Hero taken by a Magician and still held at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taken {
    /// The Hero.
    pub hero: ElementId,
    /// The Magician.
    pub by: ElementId,
}

/// CAM-079: the result of a battle, however it was fought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattleResult {
    /// Who won; nobody where it is undecided.
    #[serde(default)]
    pub winner: Option<Role>,
    /// How it ended.
    pub ending: Ending,
    /// Elements destroyed. What fled the table, Gods that left and ensorcelled Magicians are not among them.
    #[serde(default)]
    pub lost: Vec<ElementId>,
    /// CAM-081: elements off the table at the end that rejoin: fled, Gods that left, ensorcelled Magicians. They count
    /// for how the battle ended (CAM-077) and for nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<ElementId>,
    /// Heroes held captive at the end; not among the destroyed.
    #[serde(default)]
    pub captives: Vec<Taken>,
    /// In how many bounds, where it was counted.
    #[serde(default)]
    pub bounds: u32,
    /// How it was fought: computer, reckoned, table, entered.
    #[serde(default)]
    pub how: String,
}

impl BattleResult {
    /// CAM-156: of a battle that nobody came to fight.
    #[must_use]
    pub fn called_off() -> Self {
        BattleResult {
            winner: None,
            ending: Ending::Undecided,
            lost: Vec::new(),
            gone: Vec::new(),
            captives: Vec::new(),
            bounds: 0,
            how: "called off".to_owned(),
        }
    }
}
