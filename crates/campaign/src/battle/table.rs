//! The battle at the program's table: the set-up that `hott` opens, and the way back from its labels.

use super::{Battle, BattleResult, Ending, Role, Taken};
use crate::ids::{ElementId, Label};
use crate::state::State;
use hott::setup::{CommandSetup, ElementSetup, SeatSetup, Setup, SideSetup};
use std::collections::BTreeMap;

/// The letter of a side at the table: the defender is A, the attacker B.
#[must_use]
pub fn letter(role: Role) -> &'static str {
    match role {
        Role::Defender => "A",
        Role::Attacker => "B",
    }
}

/// The set-up of a battle's prime armies (CAM-071, CAM-074). The ground is laid by the defender; who defends, who has
/// a Stronghold and the limit of bounds are given. Contingents (CAM-076) come on by the campaign's rules and are
/// not part of it.
#[must_use]
pub fn hott_setup(state: &State, battle: &Battle) -> Setup {
    let side = |role: Role| {
        let s = battle.side(role);
        let elements = state.bodies.get(&s.prime).map(|b| b.elements.clone()).unwrap_or_default();
        let elements = elements
            .iter()
            .map(|e| ElementSetup {
                ty: e.troop().name().to_owned(),
                count: 1,
                // CAM-022: only the commander is a general until he falls.
                general: Some(e.label) == s.commander,
                ..ElementSetup::default()
            })
            .collect();
        let name = format!("{} {}", s.prime.nation, s.prime.short());
        SideSetup {
            army: name,
            commands: vec![CommandSetup { elements, ..CommandSetup::default() }],
            stronghold: Some(battle.home && role == Role::Defender),
        }
    };
    let seat = |role: Role| SeatSetup {
        name: battle.side(role).prime.nation.to_string(),
        side: letter(role).to_owned(),
        commands: Vec::new(),
    };
    Setup {
        sides: vec![side(Role::Defender), side(Role::Attacker)],
        seats: vec![seat(Role::Defender), seat(Role::Attacker)],
        defender: Some(letter(Role::Defender).to_owned()),
        bound_limit: u32::try_from(battle.bounds).unwrap_or(0),
        ..Setup::default()
    }
}

/// What each label of the table stands for: `B.Kni1` is the attacker's first Knight in the order of its list.
#[must_use]
pub fn hott_labels(state: &State, battle: &Battle) -> BTreeMap<String, ElementId> {
    let mut out = BTreeMap::new();
    for role in [Role::Defender, Role::Attacker] {
        let s = battle.side(role);
        let mut counts: BTreeMap<&'static str, u16> = BTreeMap::new();
        for e in state.bodies.get(&s.prime).into_iter().flat_map(|b| &b.elements) {
            let n = counts.entry(e.troop().code()).or_insert(0);
            *n += 1;
            let label = Label { troop: e.troop(), n: *n };
            out.insert(
                format!("{}.{label}", letter(role)),
                ElementId { nation: s.prime.nation, label: e.label },
            );
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
