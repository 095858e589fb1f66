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
    /// `none`, `draft`, `submitted` or `confirmed`; `late` where all that came was after the deadline.
    pub orders: &'static str,
    /// Sets sent so far.
    pub sets: usize,
    /// Lines that could not be read.
    pub unread: usize,
    /// Seasons missed in a row before this one.
    pub missed: u32,
    /// Who plays it, where that is not its player.
    pub hand: Option<String>,
    /// Until when, in its player's time zone.
    pub due: Option<String>,
}

/// A battle that is waited for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// Its name.
    pub battle: String,
    /// Who is in it.
    pub nations: Vec<NationId>,
    /// Until when.
    pub date: Option<String>,
    /// Whether that is past.
    pub past: bool,
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
    /// When orders are due.
    pub due: Option<String>,
    /// Whether that is past.
    pub past: bool,
    /// What was adjudicated and is not published: the season.
    pub held: Option<String>,
    /// Battles without a result, with their dates.
    pub battles: Vec<Waiting>,
}

/// Makes the desk.
#[must_use]
pub fn desk(world: &World, rules: &Rules, state: &State) -> Desk {
    let one = |nation: NationId| {
        let all = state.sets.get(&nation).cloned().unwrap_or_default();
        let late = crate::order::counting(rules, &all, state.deadline).late.len();
        let sets: Vec<_> = all
            .iter()
            .filter(|s| {
                !crate::order::counting(rules, std::slice::from_ref(s), state.deadline).late.contains(s)
            })
            .cloned()
            .collect();
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
            } else if late > 0 {
                "late"
            } else {
                "none"
            },
            sets: all.len(),
            unread: resolve(rules, &known, &sets).problems.len(),
            missed: state.nations.get(&nation).map_or(0, |s| s.missed),
            hand: state.nations.get(&nation).and_then(|s| match s.hand {
                crate::state::Hand::Player => None,
                crate::state::Hand::Delegate => Some("delegate".to_owned()),
                crate::state::Hand::Computer => Some("computer".to_owned()),
            }),
            due: None,
        }
    };
    let open = state.turn.battles.iter().filter(|b| b.result.is_none());
    Desk {
        season: state.when(),
        phase: state.phase,
        nations: state.playing().map(one).collect(),
        due: None,
        past: false,
        held: state.held.as_ref().map(|h| h.when()),
        battles: open
            .map(|b| Waiting { battle: b.name(), nations: b.nations(), date: b.date.clone(), past: false })
            .collect(),
    }
}

impl Desk {
    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.season);
        if let Some(held) = &self.held {
            let _ =
                writeln!(out, "  {held} is adjudicated and waits on your desk: muster campaign publish DIR");
        }
        if let Some(due) = &self.due {
            let past = if self.past { " (past: adjudicate, or set a later date)" } else { "" };
            let _ = writeln!(out, "  orders are due {due}{past}");
        }
        match self.phase {
            Phase::Orders | Phase::Winter => {
                for m in &self.nations {
                    let unread =
                        if m.unread > 0 { format!(", {} lines unread", m.unread) } else { String::new() };
                    let missed =
                        if m.missed > 0 { format!(", missed {} seasons", m.missed) } else { String::new() };
                    let hand = m.hand.as_ref().map_or(String::new(), |h| format!(", played by the {h}"));
                    let due = match &m.due {
                        Some(due) if m.orders != "confirmed" => format!("   due {due}"),
                        _ => String::new(),
                    };
                    let name = m.nation.to_string();
                    let _ = writeln!(out, "  {name:<16} {}{unread}{missed}{hand}{due}", m.orders);
                }
            }
            Phase::Battles => {
                for b in &self.battles {
                    let until = b.date.as_ref().map_or(String::new(), |d| format!(", by {d}"));
                    let past = if b.past {
                        " (past: extend it with date, call it off with undecided, or adjudicate --auto)"
                    } else {
                        ""
                    };
                    let who: Vec<String> = b.nations.iter().map(ToString::to_string).collect();
                    let _ = writeln!(
                        out,
                        "  battle at {} ({}) is to be fought{until}{past}",
                        b.battle,
                        who.join(", ")
                    );
                }
            }
            Phase::Over => out.push_str("  the campaign is over\n"),
        }
        out
    }
}

/// What a preview puts first: missing, unread, void, fallen conditions, ties, disobedience.
const EYE: [&str; 13] = [
    "missing",
    "late",
    "unread",
    "amend_void",
    "void",
    "later",
    "ring",
    "crossing",
    "tie",
    "disobeys",
    "skipped",
    "overfull",
    "no_room",
];

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
    entries.sort_by_key(|e| !wants_eye(e));
    Ok(entries)
}

/// Whether a decision is one that a preview puts first.
#[must_use]
pub fn wants_eye(e: &Entry) -> bool {
    e.seen == Seen::Umpire || EYE.iter().any(|word| e.fact.split(' ').next() == Some(word))
}
