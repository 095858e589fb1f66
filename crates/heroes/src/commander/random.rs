//! The player of random candidates.

use super::Player;
use crate::candidates;
use crate::command::Command;
use crate::state::State;
use crate::table::Table;

/// Any candidate by lot; deployment in the usual order.
pub fn choose(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    let mut all = Vec::new();
    candidates::all(t, s, &mut all);
    p.looked_at += all.len() as u64;
    if all.contains(&Command::Array) {
        return Some(Command::Array);
    }
    let n = p.below(all.len());
    all.get(n).copied()
}
