//! The battle at the program's table: the set-up that `hott` opens, and the way back from its labels.

use super::{Battle, BattleResult, Edge, Ending, Role, Taken};
use crate::ids::{ElementId, Label, NationId};
use crate::muster::Element;
use crate::rules::Rules;
use crate::state::State;
use crate::world::World;
use hott::battle::{Entry, GroundDuty};
use hott::setup::{CommandSetup, ContestSetup, ElementSetup, SeatSetup, Setup, SideSetup};
use std::collections::BTreeMap;

/// The letter of a side at the table: the defender is A, the attacker B.
#[must_use]
pub fn letter(role: Role) -> &'static str {
    match role {
        Role::Defender => "A",
        Role::Attacker => "B",
    }
}

/// The terms that the campaign's rules and nations give a battle at the table (CAM-154).
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The nations' lists.
    pub world: &'a World,
    /// The campaign's rules.
    pub rules: &'a Rules,
}

/// The set-up of a battle (CAM-071, CAM-074, CAM-154): both prime armies, contingents that wait for their 6, reserve
/// generals, whether Hordes return, and what the ground must show. The ground is laid by the defender; who defends, who
/// has a Stronghold and the limit of bounds are given.
#[must_use]
pub fn hott_setup(terms: Terms<'_>, state: &State, battle: &Battle) -> Setup {
    let Terms { world, rules } = terms;
    let side = |role: Role| {
        let s = battle.side(role);
        let prime = state.bodies.get(&s.prime).map(|b| b.elements.clone()).unwrap_or_default();
        let plain = |e: &Element| ElementSetup {
            ty: e.troop().name().to_owned(),
            count: 1,
            ..ElementSetup::default()
        };
        let elements = prime
            .iter()
            .map(|e| ElementSetup {
                // CAM-022: only the commander is a general until he falls.
                general: Some(e.label) == s.commander,
                reserve: s
                    .reserves
                    .iter()
                    .position(|r| *r == e.label)
                    .map_or(0, |n| u8::try_from(n + 1).unwrap_or(u8::MAX)),
                ..plain(e)
            })
            .collect();
        let mut commands = vec![CommandSetup { elements, ..CommandSetup::default() }];
        for c in &s.contingents {
            let Some(body) = state.bodies.get(&c.body) else { continue };
            let chief = body.commander().map(|i| body.elements[i].label);
            let of = |l: &Label| body.find(*l).map(|i| &body.elements[i]);
            let elements = c
                .elements
                .iter()
                .filter_map(of)
                .map(|e| ElementSetup { general: c.general && Some(e.label) == chief, ..plain(e) });
            commands.push(CommandSetup {
                name: format!("{} {}", c.body.nation, c.body.short()),
                contingent: Some(match c.edge {
                    Edge::Base => Entry::Base,
                    Edge::Left => Entry::Left,
                    Edge::Right => Entry::Right,
                }),
                elements: elements.collect(),
                ..CommandSetup::default()
            });
        }
        SideSetup {
            army: format!("{} {}", s.prime.nation, s.prime.short()),
            commands,
            stronghold: Some(battle.home && role == Role::Defender),
            hordes_return: world.nation(s.prime.nation).is_some_and(|n| n.hordes_return),
        }
    };
    // CAM-111: whose army it is commands it; each nation of a side has its seat.
    let seats = |role: Role| {
        let s = battle.side(role);
        let mut nations = vec![s.prime.nation];
        let owners: Vec<NationId> = std::iter::once(s.prime.nation)
            .chain(s.contingents.iter().filter(|c| state.bodies.contains_key(&c.body)).map(|c| c.body.nation))
            .collect();
        for n in &owners {
            if !nations.contains(n) {
                nations.push(*n);
            }
        }
        let many = nations.len() > 1;
        let seat = move |nation: NationId| SeatSetup {
            name: nation.to_string(),
            side: letter(role).to_owned(),
            commands: if many {
                owners.iter().enumerate().filter(|(_, o)| **o == nation).map(|(n, _)| n + 1).collect()
            } else {
                Vec::new()
            },
        };
        nations.into_iter().map(seat).collect::<Vec<_>>()
    };
    let duty = &battle.terrain;
    let few = |n: i64| i32::try_from(n).unwrap_or(0);
    Setup {
        sides: vec![side(Role::Defender), side(Role::Attacker)],
        seats: [seats(Role::Defender), seats(Role::Attacker)].concat(),
        defender: Some(letter(Role::Defender).to_owned()),
        bound_limit: u32::try_from(battle.bounds).unwrap_or(0),
        contest: Some(ContestSetup {
            each_bound: rules.is("reserve_attempts", "each_bound"),
            half_of_elements: rules.is("contingent_half", "elements"),
            ground: Some(GroundDuty {
                features: few(duty.features),
                hard: few(duty.hard),
                mark: duty.mark.map(|m| m.word().to_lowercase()),
                mark_quarters: few(duty.mark_quarters),
                no_woods_or_rivers: duty.no_woods_or_rivers,
                base_rules_too: duty.base_rules_too,
            }),
        }),
        ..Setup::default()
    }
}

/// What each label of the table stands for: `B.Kni1` is the attacker's first Knight in the order of its list, the
/// prime army's before its contingents'.
#[must_use]
pub fn hott_labels(state: &State, battle: &Battle) -> BTreeMap<String, ElementId> {
    let mut out = BTreeMap::new();
    for role in [Role::Defender, Role::Attacker] {
        let s = battle.side(role);
        let mut counts: BTreeMap<&'static str, u16> = BTreeMap::new();
        let prime = state.bodies.get(&s.prime).into_iter().flat_map(|b| &b.elements);
        let prime = prime.map(|e| ElementId { nation: s.prime.nation, label: e.label });
        let guests = s.contingents.iter().filter(|c| state.bodies.contains_key(&c.body)).flat_map(|c| {
            let body = state.bodies.get(&c.body);
            let there = move |l: &&Label| body.is_some_and(|b| b.find(**l).is_some());
            c.elements.iter().filter(there).map(|label| ElementId { nation: c.body.nation, label: *label })
        });
        for element in prime.chain(guests) {
            let n = counts.entry(element.label.troop.code()).or_insert(0);
            *n += 1;
            let label = Label { troop: element.label.troop, n: *n };
            out.insert(format!("{}.{label}", letter(role)), element);
        }
    }
    out
}

/// What the table says at a battle's end, with its own labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The winner's letter.
    pub winner: Option<String>,
    /// The word of the ending: general, half, stronghold, swept, conceded, limit.
    pub ending: String,
    /// Labels destroyed.
    pub lost: Vec<String>,
    /// CAM-081: labels off the table that rejoin.
    pub gone: Vec<String>,
    /// Heroes held, each with the Magician.
    pub held: Vec<(String, String)>,
    /// Bounds fought.
    pub bounds: u32,
    /// How it was fought: `computer` or `table`.
    pub how: &'static str,
}

/// The result of a battle from what the table says. Labels that are not the armies' own (a Stronghold) are passed over.
#[must_use]
pub fn from_table(state: &State, battle: &Battle, counted: &Counted) -> BattleResult {
    let labels = hott_labels(state, battle);
    let find = |l: &String| labels.get(l).copied();
    let role = counted
        .winner
        .as_deref()
        .and_then(|w| [Role::Attacker, Role::Defender].into_iter().find(|r| letter(*r) == w));
    BattleResult {
        winner: role,
        ending: match (role, counted.ending.as_str()) {
            (None, _) => Ending::Undecided,
            (_, "general") => Ending::General,
            (_, "stronghold") => Ending::Stronghold,
            (_, "half") => Ending::Half,
            _ => Ending::Conceded,
        },
        lost: counted.lost.iter().filter_map(find).collect(),
        gone: counted.gone.iter().filter_map(find).collect(),
        captives: counted
            .held
            .iter()
            .filter_map(|(h, m)| Some(Taken { hero: find(h)?, by: find(m)? }))
            .collect(),
        bounds: counted.bounds,
        how: counted.how.to_owned(),
    }
}
