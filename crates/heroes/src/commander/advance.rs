//! The player that only advances and fights.

use super::Player;
use crate::candidates;
use crate::command::Command;
use crate::hex::Hex;
use crate::moves::Walk;
use crate::owed::{self, Due};
use crate::reach::reach;
use crate::state::{Phase, State, bits};
use crate::table::Table;

/// Nearer to the nearest enemy with everybody, then any combat; never a shot, never an evade.
pub fn choose(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    let mut all = Vec::new();
    let due = owed::due(t, s);
    if let Due::Phase(side) = due {
        match s.phase {
            Phase::Generals | Phase::Shooting | Phase::Return => return Some(Command::End),
            Phase::Tactical => {
                let enemies: Vec<Hex> = s.on_table(t, side.other()).map(|u| s.unit(u).hex).collect();
                let near = |h: Hex| enemies.iter().map(|&e| t.map.grid.distance(h, e)).min().unwrap_or(0);
                for u in bits(t.of_side[side.ix()]) {
                    if p.considered >> u & 1 == 1 || !owed::may_move(t, s, u) {
                        continue;
                    }
                    p.considered |= 1 << u;
                    if crate::zones::enemies_of(t, s, u) != 0 {
                        continue;
                    }
                    let walk = Walk::new(t, s, u);
                    let here = near(s.unit(u).hex);
                    let ways = reach(&walk, walk.begin(crate::moves::can_drop(t, s, u)));
                    p.looked_at += ways.len() as u64;
                    let faces = |c: &crate::state::Cursor| {
                        enemies.iter().filter(|&&e| crate::zones::in_arc(t, c.hex, c.facing, e)).count()
                    };
                    let best = ways.iter().min_by_key(|r| (near(r.end.hex), usize::MAX - faces(&r.end)));
                    if let Some(r) = best.filter(|r| near(r.end.hex) < here) {
                        return Some(Command::Move(u, crate::moves::can_drop(t, s, u), r.path));
                    }
                }
                return Some(Command::End);
            }
            _ => {}
        }
    }
    candidates::all(t, s, &mut all);
    p.looked_at += all.len() as u64;
    if all.contains(&Command::Array) {
        return Some(Command::Array);
    }
    match due {
        Due::Order | Due::Edge | Due::Deploy(_) => all.first().copied(),
        Due::Phase(_) => all.iter().copied().find(|c| *c != Command::End).or(all.first().copied()),
        _ => owed::default_answer(t, s, &all),
    }
}
