//! Step 6: armies that DEFEND confront invaders of an adjacent province (CAM-059, CAM-136).

use super::work::{Die, Work};
use crate::body::Came;
use crate::ids::{BodyId, NationId, PlaceId};
use crate::world::Way;
use dice::NoDice;
use rulebook::rule;
use std::collections::BTreeMap;

/// All reactions at once, on the facts after the last stage.
pub(crate) fn react(w: &mut Work<'_>) -> Result<(), NoDice> {
    let mut goes: BTreeMap<BodyId, (PlaceId, Way)> = BTreeMap::new();
    for id in w.ids() {
        let m = w.marching(id);
        let Some(at) = w.at(id) else { continue };
        if !m.reacts || m.done > 0 || !w.is_army(id) {
            continue;
        }
        if !w.enemies_at(id, at).is_empty() {
            continue; // its own province is invaded: it stays
        }
        if let Some(to) = choose(w, id, at, &m.first)? {
            goes.insert(id, to);
        }
    }
    for (id, (to, way)) in goes {
        let Some(body) = w.s.bodies.get_mut(&id) else { continue };
        let from = body.at;
        body.at = to;
        body.inside = false;
        body.came = Some(Came { from, way });
        w.march(id).reacted = true;
        w.s.turn.entered.insert((to, id.nation));
        w.tell(
            id.nation,
            rule!("CAM-059"),
            format!("reacts {id} {to}"),
            format!("{} went from {from} to confront the invaders of {to}.", id.short()),
        );
    }
    Ok(())
}

/// Hostile armies in a province of a nation.
fn invaders(w: &Work<'_>, nation: NationId, place: PlaceId) -> Vec<BodyId> {
    w.s.armies_at(w.rules, place).into_iter().filter(|b| w.hostile_to(*b, nation, place)).collect()
}

fn choose(
    w: &mut Work<'_>,
    id: BodyId,
    at: PlaceId,
    first: &[PlaceId],
) -> Result<Option<(PlaceId, Way)>, NoDice> {
    let fly = w.body(id).is_some_and(|b| b.all_fly(w.rules));
    let mut open: Vec<(PlaceId, Way, i64)> = Vec::new();
    for exit in w.world.exits(at) {
        let usable = exit.way == Way::Land || fly && exit.way == Way::Air;
        if usable && w.s.owner(exit.to) == Some(id.nation) && !open.iter().any(|(p, ..)| *p == exit.to) {
            let here = invaders(w, id.nation, exit.to);
            if let Some(largest) = here.iter().map(|b| w.ap(*b)).max() {
                open.push((exit.to, exit.way, largest));
            }
        }
    }
    if open.is_empty() {
        return Ok(None);
    }
    for place in first {
        if let Some((p, way, _)) = open.iter().find(|(p, ..)| p == place) {
            return Ok(Some((*p, *way)));
        }
    }
    let capital = w.world.nation(id.nation).map(|n| n.capital);
    let far = capital.map(|c| w.world.distances(c, |_, e| e.way == Way::Land)).unwrap_or_default();
    let key =
        |(p, _, ap): &(PlaceId, Way, i64)| (far.get(p).copied().unwrap_or(u32::MAX), std::cmp::Reverse(*ap));
    let Some(best) = open.iter().map(key).min() else { return Ok(None) };
    let best: Vec<_> = open.iter().filter(|o| key(o) == best).collect();
    let n = if best.len() > 1 { w.tie(Die::body(id).at(at).k(40), best.len())? } else { 0 };
    Ok(best.get(n).or(best.first()).map(|(p, way, _)| (*p, *way)))
}
