//! The umpire's desk: who is missing, what could not be read, what needs his eye, and a preview without consequence.

use crate::ids::NationId;
use crate::log::{Entry, Seen};
use crate::order::{Known, SetState, resolve};
use crate::rules::Rules;
use crate::season::Work;
use crate::state::{Phase, State};
use crate::world::World;
use dice::{Dice, NoDice};
use serde::Serialize;
use std::fmt::Write as _;

/// How a nation's orders stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Missing {
    /// Whose.
    pub nation: NationId,
    /// `none`, `draft`, `submitted` or `confirmed`.
    pub orders: &'static str,
    /// Sets sent so far.
    pub sets: usize,
    /// Lines that could not be read.
    pub unread: usize,
    /// Seasons missed in a row before this one.
    pub missed: u32,
}

/// The desk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Desk {
    /// The season.
    pub season: String,
    /// What is waited for.
    pub phase: Phase,
    /// Each nation.
    pub nations: Vec<Missing>,
    /// Battles without a result, with their dates.
    pub battles: Vec<(String, Option<String>)>,
}

/// Makes the desk.
#[must_use]
pub fn desk(world: &World, rules: &Rules, state: &State) -> Desk {
    let one = |nation: NationId| {
        let sets = state.sets.get(&nation).cloned().unwrap_or_default();
        let has = |s: SetState| sets.iter().any(|x| x.state == s);
        let known = Known::of(world, rules, state, nation);
        Missing {
            nation,
            orders: if has(SetState::Confirmed) {
                "confirmed"
            } else if has(SetState::Submitted) {
                "submitted"
            } else if has(SetState::Draft) {
                "draft"
            } else {
                "none"
            },
            sets: sets.len(),
            unread: resolve(rules, &known, &sets).problems.len(),
            missed: state.nations.get(&nation).map_or(0, |s| s.missed),
        }
    };
    let open = state.turn.battles.iter().filter(|b| b.result.is_none());
    Desk {
        season: state.when(),
        phase: state.phase,
        nations: state.playing().map(one).collect(),
        battles: open.map(|b| (b.name(), b.date.clone())).collect(),
    }
}

impl Desk {
    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.season);
        match self.phase {
            Phase::Orders | Phase::Winter => {
                for m in &self.nations {
                    let unread =
                        if m.unread > 0 { format!(", {} lines unread", m.unread) } else { String::new() };
                    let missed =
                        if m.missed > 0 { format!(", missed {} seasons", m.missed) } else { String::new() };
                    let _ = writeln!(out, "  {:<16} {}{unread}{missed}", m.nation.to_string(), m.orders);
                }
            }
            Phase::Battles => {
                for (name, date) in &self.battles {
                    let until = date.as_ref().map_or(String::new(), |d| format!(", by {d}"));
                    let _ = writeln!(out, "  battle at {name} is to be fought{until}");
                }
            }
            Phase::Over => out.push_str("  the campaign is over\n"),
        }
        out
    }
}

/// What a preview puts first: missing, unread, void, fallen conditions, ties, disobedience.
const EYE: [&str; 9] =
    ["missing", "unread", "void", "later", "ring", "crossing", "disobeys", "skipped", "no_room"];

/// The season as it would come out, without consequence: what needs the umpire's eye first, then everything.
///
/// # Errors
/// Dice that are lacking.
pub fn preview(
    world: &World,
    rules: &Rules,
    state: &State,
    dice: &mut dyn Dice,
) -> Result<Vec<Entry>, NoDice> {
    let mut copy = state.clone();
    let mut w = Work { world, rules, s: &mut copy, dice, entries: Vec::new(), published: false };
    match state.phase {
        Phase::Orders => crate::season::begin(&mut w)?,
        Phase::Winter => crate::season::winter(&mut w)?,
        Phase::Battles | Phase::Over => {}
    }
    let mut entries = w.entries;
    let eye =
        |e: &Entry| e.seen == Seen::Umpire || EYE.iter().any(|word| e.fact.split(' ').next() == Some(word));
    entries.sort_by_key(|e| !eye(e));
    Ok(entries)
}
