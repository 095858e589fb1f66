//! What a battle of a map campaign remembers beyond a battle of the book (CAM-154): its terms, who commands after whom,
//! and the contingents that come on later.

use super::{Battle, CommandId, ElementId, SideId, State};
use serde::{Deserialize, Serialize};

/// CAM-153 (c): by which edge a contingent comes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// Its side's base edge.
    #[default]
    Base,
    /// The side edge on the left hand, seen with the side's base edge at the bottom.
    Left,
    /// The one on the right hand.
    Right,
}

/// CAM-072, CAM-073, CAM-155: what the ground of a province must show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroundDuty {
    /// Quarters that must hold a feature.
    pub features: i32,
    /// Quarters that must hold a river, bad going or impassable terrain.
    pub hard: i32,
    /// The map's mark: `woods`, `mountains`, `swamp`, `hills` or `desert`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Quarters in which the mark's terrain must appear.
    pub mark_quarters: i32,
    /// Woods and rivers are forbidden.
    pub no_woods_or_rivers: bool,
    /// HOTT-063 to HOTT-065 hold as well.
    pub base_rules_too: bool,
}

/// One command in a campaign's battle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// CAM-076: it is a contingent, which comes on by this edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
    /// CAM-153 (b): the bound in which its die first showed what calls it on; 0: not yet.
    #[serde(skip_serializing_if = "nought")]
    pub called: u32,
    /// CAM-022: labels of the elements with further generals, who have yet to try, in the order of their service.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reserves: Vec<String>,
    /// The label of the element whose general took command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
const fn nought(n: &u32) -> bool {
    *n == 0
}

/// The terms of a campaign's battle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Contest {
    /// CAM-025: a reserve general who fails tries again in the next bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub each_bound: bool,
    /// CAM-077: half is counted in elements instead of AP.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub half_of_elements: bool,
    /// CAM-012: sides whose Hordes may be raised again, one bit each.
    pub hordes_return: u8,
    /// What the ground must show; nothing: it is laid already, or by the rules of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<GroundDuty>,
    /// By [`CommandId`].
    pub commands: Vec<Terms>,
}

impl Contest {
    /// The terms of a command.
    #[must_use]
    pub fn terms(&self, command: CommandId) -> Option<&Terms> {
        self.commands.get(command.index())
    }

    /// What a viewer may know of it: where a contingent of the enemy comes on shows when it is called.
    #[must_use]
    pub(crate) fn seen_by(&self, battle: &Battle, own: Option<SideId>, all: bool) -> Contest {
        let mut out = self.clone();
        for (terms, info) in out.commands.iter_mut().zip(battle.commands.iter()) {
            let hidden = !all && own.is_none_or(|s| battle.hostile(s, info.side));
            if hidden && terms.called == 0 && terms.entry.is_some() {
                terms.entry = Some(Entry::Base);
            }
        }
        out
    }
}

impl Battle {
    /// The element whose general commands: the one that the army list names, or who took over (CAM-022).
    #[must_use]
    pub fn general_of(&self, state: &State, command: CommandId) -> Option<ElementId> {
        let info = &self.commands[command.index()];
        let head = state.large.contest.as_ref().and_then(|c| c.terms(command)).and_then(|t| t.head.as_ref());
        match head {
            Some(label) => self.labelled(label, Some(info.side)).or(info.general),
            None => info.general,
        }
    }

    /// Whether an element's general commands; a reserve is no general until he does (CAM-022).
    #[must_use]
    pub fn holds_general(&self, state: &State, id: ElementId) -> bool {
        match &state.large.contest {
            None => self.element(id).general,
            Some(_) => self.general_of(state, self.element(id).command) == Some(id),
        }
    }

    /// CAM-076: the edge by which a command comes on as a contingent; nothing for one that is deployed.
    #[must_use]
    pub fn entry(&self, state: &State, command: CommandId) -> Option<Entry> {
        state.large.contest.as_ref().and_then(|c| c.terms(command)).and_then(|t| t.entry)
    }

    /// CAM-077: whether a command is present: deployed, or called on by its die.
    #[must_use]
    pub fn is_present(&self, state: &State, command: CommandId) -> bool {
        let terms = state.large.contest.as_ref().and_then(|c| c.terms(command));
        terms.is_none_or(|t| t.entry.is_none() || t.called > 0)
    }

    /// CAM-153 (c): the edge of the board by which a contingent comes on.
    #[must_use]
    pub fn entry_edge(&self, state: &State, command: CommandId) -> field::BoardEdge {
        use field::BoardEdge::{Left, Lower, Right, Upper};
        let base = state.side(self.commands[command.index()].side).edge.unwrap_or(Lower);
        let clockwise = [Lower, Left, Upper, Right];
        let at = clockwise.iter().position(|e| *e == base).unwrap_or(0);
        match self.entry(state, command) {
            None | Some(Entry::Base) => base,
            Some(Entry::Left) => clockwise[(at + 1) % 4],
            Some(Entry::Right) => clockwise[(at + 3) % 4],
        }
    }

    /// CAM-012: whether the Hordes of a side may be raised again.
    #[must_use]
    pub fn hordes_return(&self, state: &State, side: SideId) -> bool {
        state.large.contest.as_ref().is_none_or(|c| c.hordes_return & (1 << side.0) != 0)
    }

    /// CAM-077: what a side has lost and what half of it is reckoned from, in halves of an AP or in elements.
    pub(crate) fn share_lost(&self, state: &State, side: SideId) -> (u32, u32) {
        let elements = state.large.contest.as_ref().is_some_and(|c| c.half_of_elements);
        if !elements {
            let present = (0..).map(CommandId).zip(self.commands.iter());
            let whole = present.filter(|(id, c)| c.side == side && self.is_present(state, *id));
            return (self.losses(state, side), whole.map(|(_, c)| c.halves).sum());
        }
        let (mut lost, mut whole) = (0, 0);
        for id in self.ids_of(side) {
            let command = self.element(id).command;
            if self.is_present(state, command) {
                whole += 1;
                lost += u32::from(state.command(command).demoralised || self.is_lost(state, id));
            }
        }
        (lost, whole)
    }
}
