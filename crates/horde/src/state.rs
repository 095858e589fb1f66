//! The state of an encounter: everything that changes in play.

use crate::options::Options;
use crate::unit::{Action, Aim, Band, Mod, Side, Unit, UnitId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// All that changes in an encounter.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Options in force now (the game master may change one in mid-play).
    pub options: Options,
    /// Everybody, in the order in which they came in; never shortened, so ids stay.
    pub units: Vec<Unit>,
    /// Turn order.
    pub order: Vec<UnitId>,
    /// Round, from 1; 0 before initiative is known.
    pub round: u32,
    /// Whose turn it is: a place in `order`.
    pub turn: usize,
    /// Who has had his turn in this Round; always empty under tables without `handling.exact`.
    pub had: BTreeSet<UnitId>,
    /// The one whose turn it is has done something in it; as above.
    pub acted: bool,
    /// Attacks that have hit and wait for Reactions.
    pub volley: Option<Volley>,
}

/// Attacks of one command, from to-hit to damage.
#[derive(Clone, Debug, PartialEq)]
pub struct Volley {
    /// Who attacks.
    pub by: UnitId,
    /// The attacks that hit, in the order rolled.
    pub attacks: Vec<Incoming>,
    /// Number of the act, for the addresses of its dice.
    pub act: u32,
    /// Values that people gave for dice of damage, still to be used.
    pub dice: Vec<u16>,
}

/// One attack that hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Incoming {
    /// Whom.
    pub at: UnitId,
    /// How it was made.
    pub how: How,
    /// What was rolled to hit, if anything.
    pub roll: Option<u16>,
    /// Degrees.
    pub degrees: crate::roll::Degrees,
    /// Hits before multipliers.
    pub hits: i32,
    /// Hits after multipliers, if somebody told them.
    pub fixed: Option<i32>,
    /// What became of the Reaction.
    pub answer: Answer,
    /// Damages that people gave, one a hit.
    pub damage: Vec<i32>,
    /// An accidental hit of Suppressing Fire.
    pub accidental: bool,
}

/// What became of a Reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Not yet known.
    Open,
    /// None possible or none made.
    Taken,
    /// An Evasion was tried.
    Tried,
}

/// How an attack is made.
#[derive(Clone, Debug, PartialEq)]
pub struct How {
    /// Action.
    pub action: Action,
    /// For Suppressing Fire: with Semi-Auto or Full Auto fire.
    pub full_auto: bool,
    /// Weapon, by id.
    pub weapon: Arc<str>,
    /// Range; `Normal` in melee.
    pub band: Band,
    /// Aim.
    pub aim: Aim,
    /// Free modifiers.
    pub mods: Vec<Mod>,
}

impl State {
    /// One who takes part. Ids come from this state, so it is always there; a foreign one gives the first.
    pub fn unit(&self, id: UnitId) -> &Unit {
        let at = usize::from(id.0);
        // INVARIANT: an encounter has at least one combatant (`Document::read` refuses others).
        self.units.get(at).unwrap_or(&self.units[0])
    }
    /// The same, to change.
    pub fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        let at = usize::from(id.0).min(self.units.len() - 1);
        &mut self.units[at]
    }
    /// By exact label, in any case.
    pub fn by_label(&self, label: &str) -> Option<UnitId> {
        self.ids().find(|id| self.unit(*id).label.eq_ignore_ascii_case(label))
    }
    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..u16::try_from(self.units.len()).unwrap_or(u16::MAX)).map(UnitId)
    }
    /// Whose turn it is; `None` before the first Round or when nobody is in the order.
    pub fn current(&self) -> Option<UnitId> {
        if self.round == 0 { None } else { self.order.get(self.turn).copied() }
    }
    /// All that fight on the other side of `id`.
    pub fn enemies(&self, id: UnitId) -> Vec<UnitId> {
        let side = self.unit(id).side;
        self.ids().filter(|e| self.unit(*e).side != side && self.unit(*e).fights()).collect()
    }
    /// Whether a side has anybody left.
    pub fn has_side(&self, side: Side) -> bool {
        self.units.iter().any(|u| u.side == side && u.fights())
    }
}

impl How {
    /// A plain attack with a weapon.
    pub fn plain(action: Action, weapon: &str) -> Self {
        Self {
            action,
            full_auto: false,
            weapon: weapon.into(),
            band: Band::Normal,
            aim: Aim::None,
            mods: Vec::new(),
        }
    }
}
