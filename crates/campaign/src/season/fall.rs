//! Step 12: ownership: cities taken, capitals and vassalage, rings (CAM-114, CAM-115, CAM-170, CAM-171).

use super::announce::become_vassal;
use super::work::{Die, Work};
use crate::ids::{NationId, PlaceId};
use crate::log::Seen;
use dice::NoDice;
use rulebook::rule;
use std::collections::BTreeMap;

/// All captures of a season take effect together.
pub(crate) fn ownership(w: &mut Work<'_>) -> Result<(), NoDice> {
    let mut captures: BTreeMap<NationId, NationId> = BTreeMap::new();
    for (name, nation) in &w.world.nations {
        // A capital that changes hands twice counts for the last.
        let last = w.s.turn.taken.iter().rev().find(|(p, ..)| *p == nation.capital);
        if let Some((_, _, by)) = last
            && by != name
            && w.s.nations.get(name).is_some_and(|s| !s.out)
        {
            captures.insert(*name, *by);
        }
    }
    // CAM-112: a capital lost to a third nation lets vassals renounce, until the end of the next season.
    for (captured, by) in &captures {
        shake(w, *captured, Some(*by));
    }
    let ringed = rings(w, &captures)?;
    for (captured, by) in &captures {
        match ringed.get(captured) {
            Some(None) => {
                keep_capital(w, *captured);
                w.log(
                    rule!("CAM-171"),
                    Seen::Public,
                    format!("mutual {captured} {by}"),
                    format!("{captured} and {by} took each other's capitals; neither serves the other."),
                );
            }
            Some(Some(lord)) => {
                keep_capital(w, *captured);
                if lord != captured {
                    submit(w, *captured, *lord);
                }
            }
            None => capture(w, *captured, *by),
        }
    }
    fallen(w);
    empty_provinces(w)
}

/// CAM-004, CAM-151: who holds an empty province where armies of several nations stand: the winner of a battle there,
/// else whoever held it or stood there before, else the largest.
fn empty_provinces(w: &mut Work<'_>) -> Result<(), NoDice> {
    if !w.rules.strict() {
        return Ok(());
    }
    let places: Vec<PlaceId> = w.world.places.iter().filter(|(_, p)| !p.city).map(|(id, _)| *id).collect();
    for place in places {
        let armies = w.s.armies_at(w.rules, place);
        let alone = armies.iter().all(|id| Some(id.nation) == armies.first().map(|a| a.nation));
        let before = w.s.holders.remove(&place);
        if alone {
            continue;
        }
        let there = |n: &NationId| armies.iter().any(|id| id.nation == *n);
        let won = w.s.turn.battles.iter().rev().filter(|b| b.at == place).find_map(|b| {
            let winner = b.result.as_ref()?.winner?;
            Some(b.side(winner).prime.nation)
        });
        let stood = armies.iter().find(|id| w.marching(**id).start == Some(place)).map(|id| id.nation);
        let known = won.filter(there).or(before.filter(there)).or(stood);
        let holder = match known {
            Some(nation) => Some(nation),
            None => w.by_size(armies.clone(), 49)?.first().map(|id| id.nation),
        };
        if let Some(holder) = holder {
            w.s.holders.insert(place, holder);
        }
    }
    Ok(())
}

/// CAM-112, CAM-172: the vassals that a nation has now may renounce it until the end of the next season. Its capital
/// counts only when a third nation took it.
pub(crate) fn shake(w: &mut Work<'_>, lord: NationId, by: Option<NationId>) {
    if let Some(standing) = w.s.nations.get_mut(&lord) {
        standing.shaken = 2;
    }
    let vassals: Vec<NationId> = w.s.lords.iter().filter(|(_, l)| **l == lord).map(|(v, _)| *v).collect();
    for vassal in vassals {
        if let Some(standing) = w.s.nations.get_mut(&vassal) {
            standing.sworn = if Some(vassal) == by { 2 } else { 0 };
        }
    }
}

/// CAM-171: captures that form a ring: for each nation of one, its lord under the house rules, or none.
fn rings(
    w: &mut Work<'_>,
    captures: &BTreeMap<NationId, NationId>,
) -> Result<BTreeMap<NationId, Option<NationId>>, NoDice> {
    let mut out = BTreeMap::new();
    for start in captures.keys() {
        if out.contains_key(start) {
            continue;
        }
        let mut ring = vec![*start];
        let mut at = *start;
        while let Some(next) = captures.get(&at) {
            if next == start {
                break;
            }
            if ring.contains(next) || ring.len() > captures.len() {
                ring.clear();
                break;
            }
            ring.push(*next);
            at = *next;
        }
        let closed = ring.len() > 1 && captures.get(&at) == Some(start);
        if !closed {
            continue;
        }
        let mut lord = None;
        if w.rules.is("mutual_capture", "larger") {
            let size = |w: &Work<'_>, n: NationId| w.s.turn.provinces.get(&n).copied().unwrap_or(0);
            let most = ring.iter().map(|n| size(w, *n)).max();
            let mut best: Vec<NationId> =
                ring.iter().copied().filter(|n| Some(size(w, *n)) == most).collect();
            best.sort_unstable();
            let n = if best.len() > 1 { w.tie(Die::nation(*start).k(46), best.len())? } else { 0 };
            lord = best.get(n).copied();
        }
        for n in ring {
            out.insert(n, lord);
        }
    }
    Ok(out)
}

/// CAM-114: it keeps its capital.
fn keep_capital(w: &mut Work<'_>, nation: NationId) {
    if let Some(n) = w.world.nation(nation) {
        w.s.owners.insert(n.capital, nation);
    }
}

fn capture(w: &mut Work<'_>, captured: NationId, by: NationId) {
    let outcast = |n: NationId| w.world.nation(n).is_some_and(|x| x.outcast);
    if outcast(by) {
        // CAM-115: nobody serves an outcast; it keeps the capital.
        w.log(
            rule!("CAM-115"),
            Seen::Public,
            format!("outcast_keeps {captured} {by}"),
            format!("{by} keeps the capital of {captured}, which serves nobody for it."),
        );
        return;
    }
    if outcast(captured) && !w.rules.flag("outcast_submits") {
        w.log(
            rule!("CAM-115"),
            Seen::Public,
            format!("outcast_defies {captured} {by}"),
            format!("{captured} submits to nobody, its capital lost or not."),
        );
        return;
    }
    if w.s.lord(captured) == Some(by) {
        keep_capital(w, captured);
        return;
    }
    // CAM-170: no ring ever stands.
    if w.s.above(captured, by) {
        if w.rules.is("vassal_ring", "refused") {
            keep_capital(w, captured);
            w.log(
                rule!("CAM-170"),
                Seen::Public,
                format!("ring_refused {captured} {by}"),
                format!("{by} stands under {captured}, which does not become its vassal."),
            );
            return;
        }
        if let Some(lord) = w.s.lords.remove(&by) {
            w.log(
                rule!("CAM-170"),
                Seen::Public,
                format!("freed {by} {lord}"),
                format!("{by} is free of {lord}."),
            );
        }
    }
    keep_capital(w, captured);
    submit(w, captured, by);
}

fn submit(w: &mut Work<'_>, captured: NationId, by: NationId) {
    if let Some(old) = w.s.lords.remove(&captured)
        && old != by
    {
        w.log(
            rule!("CAM-176"),
            Seen::Public,
            format!("leaves {captured} {old}"),
            format!("{captured} serves {old} no longer."),
        );
    }
    if w.s.above(captured, by) {
        w.s.lords.remove(&by);
    }
    become_vassal(w, captured, by, rule!("CAM-114"));
}

/// CAM-115: a nation is out when it holds no city at all; its armies disperse.
pub(crate) fn fallen(w: &mut Work<'_>) {
    let out: Vec<NationId> = w.s.playing().filter(|n| w.s.cities(*n).next().is_none()).collect();
    for nation in out {
        leave(w, nation);
        w.log(
            rule!("CAM-115"),
            Seen::Public,
            format!("out {nation}"),
            format!("{nation} holds no city and is out of the game."),
        );
    }
}

/// CAM-175: what becomes of a nation that leaves the game.
pub(crate) fn leave(w: &mut Work<'_>, nation: NationId) {
    w.s.bodies.retain(|id, _| id.nation != nation);
    w.s.owners.retain(|_, n| *n != nation);
    let lord = w.s.lords.remove(&nation);
    let to = if w.rules.is("quit_vassals", "to_overlord") { lord } else { None };
    let vassals: Vec<NationId> = w.s.lords.iter().filter(|(_, l)| **l == nation).map(|(v, _)| *v).collect();
    for vassal in vassals {
        w.s.lords.remove(&vassal);
        match to {
            Some(to) if to != vassal => {
                become_vassal(w, vassal, to, rule!("CAM-175"));
            }
            _ => w.log(
                rule!("CAM-175"),
                Seen::Public,
                format!("free {vassal}"),
                format!("{vassal} serves nobody any more."),
            ),
        }
    }
    w.s.allies.retain(|(a, b)| *a != nation && *b != nation);
    let others: Vec<NationId> = w.s.nations.keys().copied().collect();
    others.into_iter().for_each(|n| w.s.clear_offers(nation, n));
    // Its captives go home; its own Heroes held by others are gone.
    w.s.captives.retain(|c| c.nation != nation);
    while let Some(n) = w.s.captives.iter().position(|c| c.held_by == nation) {
        let captive = w.s.captives.remove(n);
        super::captives::home(w, captive);
    }
    if let Some(standing) = w.s.nations.get_mut(&nation) {
        standing.out = true;
    }
}
