//! All that changes in a campaign.

use crate::body::{Body, BodyKind};
use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId, Troop};
use crate::log::{Entry, Seen};
use crate::muster::{Element, Force};
use crate::order::{OrderSet, Treaty};
use crate::rules::Rules;
use crate::turn::Turn;
use crate::world::World;
use hott::table::TroopType;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// CAM-040: a season with orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the variants are the rules' words
pub enum Season {
    #[default]
    Spring,
    Summer,
    Autumn,
}

impl Season {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Season::Spring => "Spring",
            Season::Summer => "Summer",
            Season::Autumn => "Autumn",
        }
    }
}

/// What the campaign waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Orders of the season.
    #[default]
    Orders,
    /// CAM-070: results of the season's battles.
    Battles,
    /// CAM-101: the lists of the winter.
    Winter,
    /// Nothing more.
    Over,
}

/// A Hero held by another nation (CAM-082).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captive {
    /// Who.
    pub element: Element,
    /// Whose he is.
    pub nation: NationId,
    /// Who holds him.
    pub held_by: NationId,
    /// In which city.
    pub at: PlaceId,
}

impl Captive {
    /// His label with his nation: `Amber.Her1`.
    #[must_use]
    pub fn id(&self) -> ElementId {
        ElementId { nation: self.nation, label: self.element.label }
    }
}

/// Who plays a nation (CAM-044).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Hand {
    #[default]
    Player,
    Delegate,
    Computer,
}

/// What is kept of a nation beside its troops.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Standing {
    /// CAM-115, CAM-175: out of the game, or quit.
    pub out: bool,
    /// Who plays it.
    pub hand: Hand,
    /// CAM-044: seasons in a row without orders.
    pub missed: u32,
    /// CAM-172: battles lost in a row as main protagonist.
    pub run: i64,
    /// CAM-112, CAM-172: seasons for which its vassals may still renounce it.
    pub shaken: u32,
    /// CAM-112: seasons of its overlord's weakness that give it no right: it swore in them, or took the capital itself.
    pub sworn: u32,
    /// CAM-119: nations that its overlord lets it ally with or invade.
    pub leave: BTreeSet<NationId>,
    /// CAM-026: AP to be taken off the next winter's.
    pub debt: i64,
    /// CAM-174: the overlord demands its army until the year's end.
    pub demanded: bool,
    /// CAM-174: the army it gives if one is demanded.
    pub offered_army: Option<u16>,
    /// Numbers given so far, by type, for labels.
    pub numbers: BTreeMap<String, u16>,
    /// The number of the last body.
    pub bodies: u16,
    /// How many generals it has named.
    pub generals: u16,
}

/// CAM-110: a pair of allies, in the order of the alphabet.
pub type Pair = (NationId, NationId);

/// The pair of two nations.
#[must_use]
pub fn pair(a: NationId, b: NationId) -> Pair {
    if a < b { (a, b) } else { (b, a) }
}

/// All that changes.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct State {
    /// The year, from 1.
    pub year: u32,
    /// The season.
    pub season: Season,
    /// What is waited for.
    pub phase: Phase,
    /// Whose each city is; neutral cities are not named.
    pub owners: BTreeMap<PlaceId, NationId>,
    /// All bodies.
    pub bodies: BTreeMap<BodyId, Body>,
    /// All captives.
    pub captives: Vec<Captive>,
    /// All alliances.
    pub allies: BTreeSet<Pair>,
    /// Vassals with their overlords.
    pub lords: BTreeMap<NationId, NationId>,
    /// What else is kept of nations.
    pub nations: BTreeMap<NationId, Standing>,
    /// Sets of orders for what is waited for, as sent.
    pub sets: BTreeMap<NationId, Vec<OrderSet>>,
    /// The season being adjudicated.
    pub turn: Turn,
    /// The last season as each nation was told it.
    pub letters: BTreeMap<NationId, Vec<Entry>>,
    /// The last season as everybody was told it.
    pub gazette: Vec<Entry>,
    /// Dice that the umpire has ruled, by their words.
    pub ruled: BTreeMap<String, u16>,
    /// The battles of the season's dates past: set to a word by the umpire.
    pub notes: Vec<Note>,
    /// Who won, once it is over.
    pub winner: Option<NationId>,
    /// Whether what is adjudicated stays on the umpire's desk until he publishes it.
    pub holds: bool,
    /// What everybody but the umpire still sees: the campaign before what is held.
    pub held: Option<Box<State>>,
    /// The season that the letters tell of, in words.
    pub told: String,
    /// The umpire's own paragraphs in the letters at hand.
    pub paragraphs: Vec<Paragraph>,
    /// When orders are due: seconds since 1970.
    pub deadline: Option<i64>,
    /// The time zones that players asked for, as they wrote them.
    pub zones: BTreeMap<NationId, String>,
    /// CAM-118: offers that stand until they are taken up or withdrawn: by whom, and what.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub offers: BTreeSet<(NationId, Treaty)>,
    /// CAM-151: who holds an empty province in which armies of several nations stand.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub holders: BTreeMap<PlaceId, NationId>,
    /// The umpire's rulings of late, each with the number of its season: those entitled read of them in their letters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<(u32, Entry)>,
    /// CAM-101: promotions that the umpire has confirmed for the next winter, beyond a nation's table.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub confirmed: BTreeSet<(ElementId, Troop)>,
}

/// A paragraph or rumour of the umpire's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paragraph {
    /// In whose letter; in the gazette where there is none.
    pub to: Option<NationId>,
    /// What it says.
    pub text: String,
}

/// A note from one nation to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// From whom; the umpire where there is none.
    pub from: Option<NationId>,
    /// To whom.
    pub to: NationId,
    /// Whether the sender stays unnamed.
    #[serde(default)]
    pub anonymous: bool,
    /// What it says.
    pub text: String,
    /// When: the number of the season.
    #[serde(default)]
    pub season: u32,
    /// It comes with the season's letters, and nobody but its sender knows of it before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub later: bool,
}

impl State {
    /// The number of the season, from 1: three a year.
    #[must_use]
    pub fn number(&self) -> u32 {
        (self.year.max(1) - 1) * 3 + self.season as u32 + 1
    }

    /// The season in words: `Spring of year 1`.
    #[must_use]
    pub fn when(&self) -> String {
        if self.phase == Phase::Winter {
            format!("Winter of year {}", self.year)
        } else {
            format!("{} of year {}", self.season.word(), self.year)
        }
    }

    /// The owner of a city; `None` for a neutral one and for an empty province.
    #[must_use]
    pub fn owner(&self, place: PlaceId) -> Option<NationId> {
        self.owners.get(&place).copied()
    }

    /// The overlord of a nation.
    #[must_use]
    pub fn lord(&self, nation: NationId) -> Option<NationId> {
        self.lords.get(&nation).copied()
    }

    /// Whether `over` is above `under`, directly or through others.
    #[must_use]
    pub fn above(&self, over: NationId, under: NationId) -> bool {
        let mut at = under;
        for _ in 0..=self.lords.len() {
            match self.lord(at) {
                Some(lord) if lord == over => return true,
                Some(lord) => at = lord,
                None => return false,
            }
        }
        false
    }

    /// The topmost lord of a nation, itself if it has none.
    #[must_use]
    pub fn top(&self, nation: NationId) -> NationId {
        let mut at = nation;
        for _ in 0..=self.lords.len() {
            match self.lord(at) {
                Some(lord) => at = lord,
                None => break,
            }
        }
        at
    }

    /// CAM-110: whether two nations are allied.
    #[must_use]
    pub fn allied(&self, a: NationId, b: NationId) -> bool {
        self.allies.contains(&pair(a, b))
    }

    /// CAM-008: whether armies of two nations are hostile, wherever they meet.
    #[must_use]
    pub fn hostile(&self, rules: &Rules, a: NationId, b: NationId) -> bool {
        if a == b || self.allied(a, b) || self.lord(a) == Some(b) || self.lord(b) == Some(a) {
            return false;
        }
        if rules.is("fellow_vassals", "peace") && self.top(a) == self.top(b) {
            let leave = |x: NationId, y: NationId| self.nations.get(&x).is_some_and(|s| s.leave.contains(&y));
            return leave(a, b) || leave(b, a);
        }
        true
    }

    /// Whether a nation is still in the game.
    #[must_use]
    pub fn plays(&self, nation: NationId) -> bool {
        self.nations.get(&nation).is_some_and(|s| !s.out)
    }

    /// The nations still in the game.
    pub fn playing(&self) -> impl Iterator<Item = NationId> + '_ {
        self.nations.iter().filter(|(_, s)| !s.out).map(|(n, _)| *n)
    }

    /// The cities of a nation.
    pub fn cities(&self, nation: NationId) -> impl Iterator<Item = PlaceId> + '_ {
        self.owners.iter().filter(move |(_, n)| **n == nation).map(|(p, _)| *p)
    }

    /// The bodies of a nation.
    pub fn bodies_of(&self, nation: NationId) -> impl Iterator<Item = (BodyId, &Body)> + '_ {
        self.bodies.iter().filter(move |(id, _)| id.nation == nation).map(|(id, b)| (*id, b))
    }

    /// The bodies in a place.
    pub fn bodies_at(&self, place: PlaceId) -> impl Iterator<Item = (BodyId, &Body)> + '_ {
        self.bodies.iter().filter(move |(_, b)| b.at == place).map(|(id, b)| (*id, b))
    }

    /// What a body is.
    #[must_use]
    pub fn kind(&self, rules: &Rules, id: BodyId) -> Option<BodyKind> {
        let body = self.bodies.get(&id)?;
        Some(if body.is_army(rules) {
            BodyKind::Army
        } else if self.owner(body.at) == Some(id.nation) {
            BodyKind::Garrison
        } else {
            BodyKind::Remnant
        })
    }

    /// Whether a body is an army.
    #[must_use]
    pub fn is_army(&self, rules: &Rules, id: BodyId) -> bool {
        self.bodies.get(&id).is_some_and(|b| b.is_army(rules))
    }

    /// The armies in a place.
    #[must_use]
    pub fn armies_at(&self, rules: &Rules, place: PlaceId) -> Vec<BodyId> {
        self.bodies_at(place).filter(|(_, b)| b.is_army(rules)).map(|(id, _)| id).collect()
    }

    /// CAM-004, CAM-151: who occupies an empty province with an army.
    #[must_use]
    pub fn occupier(&self, rules: &Rules, world: &World, place: PlaceId) -> Option<NationId> {
        if world.place(place).city {
            return None;
        }
        let there = || self.bodies_at(place).filter(|(_, b)| b.is_army(rules)).map(|(id, _)| id.nation);
        let holder = self.holders.get(&place).copied().filter(|h| there().any(|n| n == *h));
        holder.or_else(|| there().next())
    }

    /// The rulings that a reader reads of in the letters at hand.
    pub fn rulings_for(&self, fits: impl Fn(&Seen) -> bool) -> impl Iterator<Item = Entry> {
        let since = self.number().saturating_sub(1);
        let fitting = self.rulings.iter().filter(move |(n, _)| *n >= since);
        fitting.filter(move |(_, e)| fits(&e.seen)).map(|(_, e)| e.clone()).collect::<Vec<_>>().into_iter()
    }

    /// CAM-118: the offers of two nations to each other are of the past.
    pub fn clear_offers(&mut self, a: NationId, b: NationId) {
        self.offers.retain(|(by, what)| {
            let to = match what {
                Treaty::Ally(n) | Treaty::Submit(n) | Treaty::TakeVassal(n) => Some(*n),
                _ => None,
            };
            !(*by == a && to == Some(b) || *by == b && to == Some(a))
        });
    }

    /// CAM-008: friendly: own, an ally's or a vassal's.
    #[must_use]
    pub fn friendly(&self, nation: NationId, place: PlaceId) -> bool {
        self.owner(place).is_some_and(|o| self.friend(nation, o))
    }

    /// Whether the provinces of `other` are friendly to `nation`.
    #[must_use]
    pub fn friend(&self, nation: NationId, other: NationId) -> bool {
        other == nation || self.allied(nation, other) || self.lord(other) == Some(nation)
    }

    /// All elements of a nation, captives included.
    #[must_use]
    pub fn force(&self, rules: &Rules, nation: NationId) -> Force {
        let mut force = Force::default();
        for (_, body) in self.bodies_of(nation) {
            body.elements.iter().for_each(|e| force.add(rules, e.troop()));
        }
        for captive in self.captives.iter().filter(|c| c.nation == nation) {
            force.add(rules, captive.element.troop());
        }
        force
    }

    /// CAM-024, CAM-026: how many generals a nation has, captives not counted.
    #[must_use]
    pub fn generals(&self, nation: NationId) -> usize {
        self.bodies_of(nation).flat_map(|(_, b)| &b.elements).map(|e| e.generals.len()).sum()
    }

    /// A new number for an element.
    pub fn new_label(&mut self, nation: NationId, troop: TroopType) -> Label {
        let standing = self.nations.entry(nation).or_default();
        let n = standing.numbers.entry(troop.code().to_owned()).or_insert(0);
        *n += 1;
        Label { troop, n: *n }
    }

    /// A new number for a body.
    pub fn new_body(&mut self, nation: NationId, body: Body) -> BodyId {
        let standing = self.nations.entry(nation).or_default();
        standing.bodies += 1;
        let id = BodyId { nation, n: standing.bodies };
        self.bodies.insert(id, body);
        id
    }

    /// The garrison of a nation in its city: the body there that is no army, the first by number.
    #[must_use]
    pub fn garrison(&self, rules: &Rules, nation: NationId, place: PlaceId) -> Option<BodyId> {
        self.bodies_of(nation).find(|(_, b)| b.at == place && !b.is_army(rules)).map(|(id, _)| id)
    }

    /// Puts elements into the garrison of a city, which is formed if there is none.
    pub fn into_garrison(
        &mut self,
        rules: &Rules,
        nation: NationId,
        place: PlaceId,
        elements: Vec<Element>,
    ) -> BodyId {
        if let Some(id) = self.garrison(rules, nation, place) {
            if let Some(body) = self.bodies.get_mut(&id) {
                body.elements.extend(elements);
            }
            return id;
        }
        let mut body = Body::new(place, elements);
        body.inside = true;
        self.new_body(nation, body)
    }

    /// CAM-034: nothing makes an army larger than its limit. What is too much, in the order of the list and never the
    /// commander's element, stays in the city as its garrison, or in the field as a body of its own. Returns it.
    pub fn hold_to_limit(&mut self, rules: &Rules, id: BodyId) -> Vec<Element> {
        let most = rules.limit("army_most");
        let Some(body) = self.bodies.get_mut(&id) else { return Vec::new() };
        if !body.is_army(rules) || body.ap(rules) <= most {
            return Vec::new();
        }
        let chief = body.commander();
        let value = |body: &Body, i: usize| rules.ap(body.elements[i].troop());
        let mut ap = chief.map_or(0, |i| value(body, i));
        let mut over = Vec::new();
        for i in (0..body.elements.len()).filter(|i| Some(*i) != chief) {
            let more = value(body, i);
            if ap + more > most {
                over.push(i);
            } else {
                ap += more;
            }
        }
        let (at, rest) = (body.at, body.take(&over));
        if rest.is_empty() {
            return rest;
        }
        let left = rest.clone();
        let host = if self.owner(at) == Some(id.nation) {
            self.into_garrison(rules, id.nation, at, rest)
        } else {
            self.new_body(id.nation, Body::new(at, rest))
        };
        // A small body with a general of its own may have become an army by it.
        self.hold_to_limit(rules, host);
        left
    }

    /// The number of provinces of a nation: its cities and the empty provinces it occupies (CAM-074).
    #[must_use]
    pub fn provinces(&self, rules: &Rules, world: &World, nation: NationId) -> i64 {
        let cities = self.cities(nation).count();
        let mut held = BTreeSet::new();
        for (_, body) in self.bodies_of(nation) {
            if !world.place(body.at).city && self.occupier(rules, world, body.at) == Some(nation) {
                held.insert(body.at);
            }
        }
        i64::try_from(cities + held.len()).unwrap_or(0)
    }

    /// Takes away bodies without elements.
    pub fn sweep(&mut self) {
        self.bodies.retain(|_, b| !b.elements.is_empty());
    }
}
