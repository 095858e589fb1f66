//! What a viewer may know (CAM-120, CAM-121): made by one function; reports, maps and computer nations use nothing
//! else.

use crate::battle::{Battle, Role};
use crate::body::Body;
use crate::ids::{BodyId, NationId, PlaceId};
use crate::log::{Entry, Seen};
use crate::muster::{Element, General};
use crate::order::{OrderSet, SetState, Treaty};
use crate::state::{Captive, Hand, Note, Pair, Paragraph, Phase, Season, Standing, State};
use crate::turn::Turn;
use crate::world::World;
use hott::table::TroopType;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The nation, for a player.
    pub nation: Option<NationId>,
    /// The year.
    pub year: u32,
    /// The season.
    pub season: Season,
    /// `orders`, `waiting`, `battles` (one's own), `winter`, `over`.
    pub phase: &'static str,
    /// Whether the winter's lists are awaited, also where one's own is in.
    pub winter: bool,
    /// Owners of cities.
    pub owners: BTreeMap<PlaceId, NationId>,
    /// Nations out of the game.
    pub out: BTreeSet<NationId>,
    /// Alliances.
    pub allies: BTreeSet<Pair>,
    /// Vassals with their overlords.
    pub lords: BTreeMap<NationId, NationId>,
    /// The season that letter and gazette tell of.
    pub told: String,
    /// The umpire's paragraphs in the gazette and in this nation's letter.
    pub paragraphs: Vec<Paragraph>,
    /// When orders are due: seconds since 1970.
    pub deadline: Option<i64>,
    /// In which time zone this nation's dates are written.
    pub zone: Option<String>,
    /// The last season for everybody.
    pub gazette: Vec<Entry>,
    /// The last season for this nation.
    pub letter: Vec<Entry>,
    /// Its own bodies.
    pub bodies: BTreeMap<BodyId, Body>,
    /// Captives it holds, and its own that others hold.
    pub captives: Vec<Captive>,
    /// What else is kept of it.
    pub standing: Option<Standing>,
    /// Its own sets of orders.
    pub sets: Vec<OrderSet>,
    /// Its own battles, without the enemy's hidden part.
    pub battles: Vec<Battle>,
    /// Notes it got and sent.
    pub notes: Vec<Note>,
    /// CAM-118: offers of its own that stand, and those made to it.
    pub offers: BTreeSet<(NationId, Treaty)>,
    /// Who won.
    pub winner: Option<NationId>,
    /// Everything, for the umpire.
    pub all: Option<Box<State>>,
}

/// For whom a view is made, in the words of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A nation.
    Nation(NationId),
    /// Anybody.
    Public,
    /// The umpire.
    Umpire,
}

/// Makes the view. What is held on the umpire's desk exists for nobody else: they see the campaign as it was.
#[must_use]
pub fn view(state: &State, reader: Reader) -> View {
    match &state.held {
        Some(held) if reader != Reader::Umpire => view_now(held, reader),
        _ => view_now(state, reader),
    }
}

/// The view that a reader will have once what is held is published: what the umpire looks at beforehand.
#[must_use]
pub fn view_published(state: &State, reader: Reader) -> View {
    view_now(state, reader)
}

fn view_now(state: &State, reader: Reader) -> View {
    let nation = if let Reader::Nation(n) = reader { Some(n) } else { None };
    let battles: Vec<Battle> = match nation {
        Some(n) if state.phase == Phase::Battles => {
            state.turn.battles.iter().filter_map(|b| masked(b, n)).collect()
        }
        _ => Vec::new(),
    };
    let sets = nation.and_then(|n| state.sets.get(&n).cloned()).unwrap_or_default();
    let confirmed = sets.iter().any(|s| s.state == SetState::Confirmed);
    let phase = match state.phase {
        Phase::Over => "over",
        Phase::Battles if !battles.is_empty() => "battles",
        Phase::Battles => "waiting",
        _ if nation.is_none() || confirmed => "waiting",
        Phase::Orders => "orders",
        Phase::Winter => "winter",
    };
    let mine = |n: Option<NationId>| nation.is_some() && n == nation;
    View {
        nation,
        year: state.year,
        season: state.season,
        phase,
        winter: state.phase == Phase::Winter,
        owners: state.owners.clone(),
        out: state.nations.iter().filter(|(_, s)| s.out).map(|(n, _)| *n).collect(),
        allies: state.allies.clone(),
        lords: state.lords.clone(),
        told: state.told.clone(),
        paragraphs: state.paragraphs.iter().filter(|p| p.to.is_none() || mine(p.to)).cloned().collect(),
        deadline: state.deadline,
        zone: nation.and_then(|n| state.zones.get(&n).cloned()),
        gazette: state
            .gazette
            .iter()
            .cloned()
            .chain(state.rulings_for(|seen| *seen == Seen::Public))
            .collect(),
        letter: nation.map_or_else(Vec::new, |n| {
            let told = state.letters.get(&n).cloned().unwrap_or_default();
            let ruled = state.rulings_for(|seen| matches!(seen, Seen::Nations(_)) && seen.includes(n));
            told.into_iter().chain(ruled.map(|e| Entry { seen: Seen::by(n), ..e })).collect()
        }),
        bodies: state
            .bodies
            .iter()
            .filter(|(id, _)| mine(Some(id.nation)))
            .map(|(id, b)| (*id, b.clone()))
            .collect(),
        captives: state
            .captives
            .iter()
            .filter(|c| mine(Some(c.nation)) || mine(Some(c.held_by)))
            .cloned()
            .collect(),
        standing: nation.and_then(|n| state.nations.get(&n).cloned()),
        sets,
        battles,
        notes: state
            .notes
            .iter()
            .filter(|n| mine(Some(n.to)) && !n.later || mine(n.from))
            .map(|n| Note { from: if n.anonymous && !mine(n.from) { None } else { n.from }, ..n.clone() })
            .collect(),
        offers: state.offers.iter().filter(|o| nation.is_some_and(|n| concerns(o, n))).copied().collect(),
        winner: state.winner,
        all: (reader == Reader::Umpire).then(|| Box::new(state.clone())),
    }
}

/// Whether an offer is a nation's own or made to it.
fn concerns((by, what): &(NationId, Treaty), nation: NationId) -> bool {
    let to = match what {
        Treaty::Ally(n) | Treaty::Submit(n) | Treaty::TakeVassal(n) => Some(*n),
        _ => None,
    };
    *by == nation || to == Some(nation)
}

/// A battle as a nation that is in it may read it.
fn masked(battle: &Battle, nation: NationId) -> Option<Battle> {
    let role = battle.role_of(nation)?;
    let mut out = battle.clone();
    for r in [Role::Attacker, Role::Defender] {
        let side = if r == Role::Attacker { &mut out.attacker } else { &mut out.defender };
        if r != role {
            side.came = None;
        }
        for contingent in &mut side.contingents {
            if contingent.body.nation != nation {
                contingent.elements.clear();
                contingent.general = false;
                if r != role {
                    contingent.edge = crate::battle::Edge::Base;
                }
            }
        }
    }
    Some(out)
}

/// A state that looks like this to its reader: what is hidden is guessed.
#[must_use]
pub fn possible(world: &World, view: &View, guess: u64) -> State {
    if let Some(all) = &view.all {
        return (**all).clone();
    }
    let confirmed = view.sets.iter().any(|s| s.state == SetState::Confirmed);
    let phase = match view.phase {
        "over" => Phase::Over,
        "battles" => Phase::Battles,
        "waiting" if view.nation.is_some() && !confirmed => Phase::Battles,
        _ if view.winter => Phase::Winter,
        _ => Phase::Orders,
    };
    let mut state = State {
        year: view.year,
        season: view.season,
        phase,
        owners: view.owners.clone(),
        bodies: view.bodies.clone(),
        captives: view.captives.clone(),
        allies: view.allies.clone(),
        lords: view.lords.clone(),
        told: view.told.clone(),
        paragraphs: view.paragraphs.clone(),
        deadline: view.deadline,
        zones: view.nation.zip(view.zone.clone()).into_iter().collect(),
        gazette: view.gazette.clone(),
        notes: view.notes.clone(),
        offers: view.offers.clone(),
        winner: view.winner,
        turn: Turn { battles: view.battles.clone(), ..Turn::default() },
        ..State::default()
    };
    for name in world.nations.keys() {
        let standing = state.nations.entry(*name).or_default();
        standing.out = view.out.contains(name);
    }
    if let (Some(nation), Some(standing)) = (view.nation, &view.standing) {
        state.nations.insert(nation, standing.clone());
        if !view.sets.is_empty() {
            state.sets.insert(nation, view.sets.clone());
        }
        if !view.letter.is_empty() {
            state.letters.insert(nation, view.letter.clone());
        }
    }
    for (n, (name, nation)) in world.nations.iter().enumerate() {
        if Some(*name) == view.nation || view.out.contains(name) {
            continue;
        }
        guess_troops(&mut state, world, *name, nation, guess.wrapping_add(n as u64 * 0x9E37_79B9));
    }
    state
}

/// An army at the capital, and some troops in every other city.
fn guess_troops(
    state: &mut State,
    _world: &World,
    name: NationId,
    nation: &crate::world::Nation,
    guess: u64,
) {
    let types: Vec<TroopType> = nation.costs.keys().filter_map(|c| TroopType::from_code(c)).collect();
    let Some(first) = nation.primary.iter().find_map(|t| TroopType::parse(t)) else { return };
    let mut roll = guess;
    let mut next = move || {
        roll = roll.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(roll >> 33).unwrap_or(0)
    };
    let cities: Vec<PlaceId> = state.cities(name).collect();
    let seat = cities.iter().copied().find(|c| *c == nation.capital).or(cities.first().copied());
    for city in cities {
        let army = Some(city) == seat;
        let mut elements = Vec::new();
        if army {
            let label = state.new_label(name, first);
            let mut element = Element::new(label);
            element.generals.push(General { name: "?".to_owned(), since: 0 });
            elements.push(element);
        }
        for _ in 0..(if army { 4 + next() % 5 } else { next() % 3 }) {
            if let Some(troop) = types.get(next() % types.len().max(1)) {
                let label = state.new_label(name, *troop);
                elements.push(Element::new(label));
            }
        }
        if !elements.is_empty() {
            let mut body = Body::new(city, elements);
            body.inside = !army;
            state.new_body(name, body);
        }
    }
}

/// A state that differs from this one only in what the reader may not know.
#[must_use]
pub fn twin(state: &State, reader: Reader, guess: u64) -> Option<State> {
    let me = match reader {
        Reader::Umpire => return None,
        Reader::Public => None,
        Reader::Nation(n) => Some(n),
    };
    let mut other = state.clone();
    if let Some(held) = &state.held {
        // Nothing after what is held can be seen.
        other.held = twin(held, reader, guess).map(Box::new);
        other.owners.clear();
        other.gazette.clear();
    }
    for (nation, sets) in &mut other.sets {
        if Some(*nation) != me {
            for set in sets {
                set.text = format!("A{}: stand siege", guess % 7);
            }
        }
    }
    for (id, body) in &mut other.bodies {
        if Some(id.nation) != me {
            for element in &mut body.elements {
                if (guess ^ u64::from(element.label.n)) & 1 == 0 && !element.general() {
                    element.label.troop = TroopType::Hrd;
                }
            }
        }
    }
    for (nation, letter) in &mut other.letters {
        if Some(*nation) != me {
            letter.push(Entry {
                step: 1,
                rule: rulebook::rule!("CAM-122"),
                seen: Seen::by(*nation),
                fact: "secret".to_owned(),
                words: "Something that only they know.".to_owned(),
            });
        }
    }
    for (nation, standing) in &mut other.nations {
        if Some(*nation) != me {
            standing.missed += 1;
            standing.hand = Hand::Computer;
            standing.debt += 1;
        }
    }
    other.captives.retain(|c| Some(c.nation) == me || Some(c.held_by) == me);
    other.notes.retain(|n| Some(n.to) == me || n.from == me && me.is_some());
    other.offers.retain(|o| me.is_some_and(|n| concerns(o, n)));
    other.confirmed.clear();
    other.rulings.retain(|(_, e)| e.seen == Seen::Public || me.is_some_and(|n| e.seen.includes(n)));
    other.holders.clear();
    other.paragraphs.retain(|p| p.to.is_none() || p.to == me && me.is_some());
    other.zones.retain(|n, _| Some(*n) == me);
    other.turn.log.clear();
    other.turn.disobedience.clear();
    other.turn.lines.retain(|n, _| Some(*n) == me);
    other.ruled.insert(format!("secret {guess}"), 1);
    Some(other)
}
