//! What does not change in a battle: rules in force, armies, names, who owns what and who is hostile to whom.

use super::{CommandId, ElementId, SideId};
use crate::table::{Grade, Scale, Tables, TroopType};
use field::{Len, PACE, Size};
use std::sync::Arc;

/// The rules in force and the armies of one battle. Cloning copies three pointers and a few names.
#[derive(Clone, Debug)]
pub struct Battle {
    /// Tables and options.
    pub tables: Arc<Tables>,
    /// The figures' scale: it gives base widths and depths (HOTT-002, HOTT-003).
    pub scale: Scale,
    /// Width of the board, in 1/100 pace (HOTT-004, BB-020).
    pub board: field::Board,
    /// Every element of every army, by [`ElementId`].
    pub elements: Arc<[ElementInfo]>,
    /// Every command, by [`CommandId`].
    pub commands: Arc<[CommandInfo]>,
    /// Every side, by [`SideId`].
    pub sides: Arc<[SideInfo]>,
    /// Who plays what.
    pub seats: Arc<[SeatInfo]>,
    /// The seats' names, as the contract wants them.
    pub seat_names: Arc<[String]>,
    /// After this many bounds in all the battle ends undecided; 0: never.
    pub bound_limit: u32,
    /// How it began: rules and set-up as a record's header keeps them, and the first state.
    pub opening: Arc<Opening>,
}

/// How a battle began.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The rules in force, as JSON.
    pub rules: Arc<serde_json::Value>,
    /// The set-up, as JSON.
    pub setup: serde_json::Value,
    /// The state before the first command.
    pub start: super::State,
}

/// An element as its army list says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementInfo {
    /// Short type and number, unique in its side for life: `Kni2`.
    pub label: String,
    /// Its owner's name for it, or empty.
    pub name: String,
    /// Its type.
    pub ty: TroopType,
    /// Its side.
    pub side: SideId,
    /// Its command.
    pub command: CommandId,
    /// HOTT-352: the people it belongs to within its army; 0 for the army's own.
    pub contingent: u8,
    /// Whether it holds the general of its command.
    pub general: bool,
    /// BB-007.
    pub grade: Grade,
    /// BB-011, BB-015: equipped with a shooting weapon.
    pub armed: bool,
    /// What it cost and counts when lost, in halves of an AP (BB-100).
    pub halves: u16,
    /// Its base, in 1/100 pace.
    pub size: Size,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// Its name: the side's in a normal battle.
    pub name: String,
    /// Its side.
    pub side: SideId,
    /// The element that holds its general.
    pub general: Option<ElementId>,
    /// Whether its general is the commander-in-chief.
    pub in_chief: bool,
    /// Its AP at the start, in halves, undeployed elements included (HOTT-341, BB-040).
    pub halves: u32,
}

/// A side: one army.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideInfo {
    /// One letter: `A`. It stands before labels: `A.Kni2`.
    pub letter: char,
    /// The army's name.
    pub army: String,
    /// The sides that are hostile to it, one bit each (BB-090).
    pub hostile: u8,
    /// Its AP at the start, in halves.
    pub halves: u32,
}

/// A seat: a player and what he commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatInfo {
    /// Its side.
    pub side: SideId,
    /// The commands it gives orders to (BB-098).
    pub commands: Vec<CommandId>,
    /// Whether it acts for the whole army: dice, ground, order of combats.
    pub in_chief: bool,
}

impl Battle {
    /// An element's facts.
    #[must_use]
    pub fn element(&self, id: ElementId) -> &ElementInfo {
        &self.elements[id.index()]
    }

    /// All element ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        (0..u16::try_from(self.elements.len()).unwrap_or(u16::MAX)).map(ElementId)
    }

    /// The ids of a side's elements, in order.
    pub fn ids_of(&self, side: SideId) -> impl Iterator<Item = ElementId> + '_ {
        self.ids().filter(move |id| self.element(*id).side == side)
    }

    /// Whether two sides are hostile (BB-090).
    #[must_use]
    pub fn hostile(&self, a: SideId, b: SideId) -> bool {
        self.sides[a.index()].hostile & (1 << b.0) != 0
    }

    /// Whether two elements are enemies.
    #[must_use]
    pub fn enemies(&self, a: ElementId, b: ElementId) -> bool {
        self.hostile(self.element(a).side, self.element(b).side)
    }

    /// 1 BW, in 1/100 pace (HOTT-002).
    #[must_use]
    pub fn base_width(&self) -> Len {
        self.tables.base_width(self.scale) * PACE
    }

    /// The label with its side: `A.Kni2`.
    #[must_use]
    pub fn full_label(&self, id: ElementId) -> String {
        let e = self.element(id);
        format!("{}.{}", self.sides[e.side.index()].letter, e.label)
    }

    /// The element with this label: `A.Kni2` or, within `side`, `Kni2`; in any case.
    #[must_use]
    pub fn labelled(&self, label: &str, side: Option<SideId>) -> Option<ElementId> {
        let (side, label) = match label.split_once('.') {
            Some((letter, rest)) => {
                let mut letters = letter.chars();
                let letter = letters.next().filter(|_| letters.next().is_none())?;
                let n = self.sides.iter().position(|s| s.letter.eq_ignore_ascii_case(&letter))?;
                (SideId(u8::try_from(n).ok()?), rest)
            }
            None => (side?, label),
        };
        self.ids_of(side).find(|id| self.element(*id).label.eq_ignore_ascii_case(label))
    }
}
