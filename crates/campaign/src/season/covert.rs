//! Step 8: covert operations (CAM-060 to CAM-065, CAM-140 to CAM-142).

use super::work::{Die, Work};
use crate::body::BodyKind;
use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId};
use crate::order::{Act, Covert, Item};
use crate::turn::Errand;
use dice::NoDice;
use hott::table::TroopType;
use rulebook::rule;
use std::collections::BTreeMap;

/// Step 3 names who goes where, and sees whether the army's order allows it (CAM-064, CAM-140).
pub(crate) fn name(
    w: &mut Work<'_>,
    nation: NationId,
    element: Label,
    work: Covert,
    at: PlaceId,
    whom: Option<ElementId>,
) {
    let holder = w.s.bodies_of(nation).find(|(_, b)| b.find(element).is_some()).map(|(id, _)| id);
    let Some(id) = holder else { return };
    let from = w.at(id).unwrap_or(at);
    let void = |w: &mut Work<'_>, rule, why: String| {
        w.tell(
            nation,
            rule,
            format!("void {nation}.{element} covert {at}"),
            format!("{element} stays with its body: {why}."),
        );
    };
    let troop = element.troop;
    let fits = match work {
        Covert::Spy | Covert::Assassinate => troop == TroopType::Snk,
        Covert::Scry => troop == TroopType::Mag,
        Covert::Rescue => troop == TroopType::Snk || troop.is_hero(),
    };
    if !fits {
        return void(w, rule!("CAM-060"), format!("a {} does no such work", troop.name()));
    }
    let winged = w.body(id).is_some_and(|b| {
        b.find(element).is_some_and(|i| crate::world::World::flies(w.rules, troop, b.elements[i].mount))
    });
    if !w.world.adjacent(from, at, winged) {
        return void(w, rule!("CAM-141"), format!("{at} is not adjacent to {from}"));
    }
    if w.s.turn.errands.iter().any(|e| e.nation == nation && e.element == element) {
        return void(w, rule!("CAM-141"), "one operation for each element and season".to_owned());
    }
    if w.s.kind(w.rules, id) != Some(BodyKind::Garrison) && conflicts(w, id) {
        if w.rules.is("covert_conflict", "army_order") {
            return void(
                w,
                rule!("CAM-140"),
                format!("{} is ordered to do something else than DEFEND or STAND SIEGE", id.short()),
            );
        }
        w.tell(
            nation,
            rule!("CAM-140"),
            format!("holds {id}"),
            format!("{} holds, since {element} is on covert work.", id.short()),
        );
        let march = w.march(id);
        march.legs.clear();
        march.invades = false;
        march.silent = true;
    }
    super::spot::errand(w, Errand { nation, element, work, at, from, whom });
}

/// Whether an army's order is another than DEFEND, HOLD, SALLY or STAND SIEGE.
fn conflicts(w: &Work<'_>, id: BodyId) -> bool {
    let march = w.marching(id);
    if !march.legs.is_empty() || march.invades {
        return true;
    }
    let lines = w.s.turn.lines.get(&w.acts_for(id)).into_iter().flatten().flat_map(|l| &l.items);
    let orders =
        lines.filter_map(|i| if let Item::Body(o) = i { Some(o) } else { None }).filter(|o| o.body == id);
    // RETREAT and nothing else; as one answer of several to an invader it goes with DEFEND.
    let mut chains = orders.flat_map(|o| &o.parts);
    chains.any(|c| c.arms.iter().all(|(_, acts)| acts.iter().any(|a| matches!(a, Act::Retreat { .. }))))
}

/// What is rolled, before anything takes effect.
struct Rolled {
    errand: Errand,
    success: bool,
    lost: bool,
    false_report: bool,
    whom: Option<ElementId>,
    victim: Option<BodyId>,
}

/// All operations of a season are rolled, then take effect together.
pub(crate) fn covert(w: &mut Work<'_>) -> Result<(), NoDice> {
    let mut errands = w.s.turn.errands.clone();
    errands.sort_by_key(|e| (e.nation, e.element));
    let mut rolled = Vec::new();
    for errand in errands {
        rolled.push(roll(w, errand)?);
    }
    // Reports are of the moment before anything takes effect.
    for r in &rolled {
        if r.success && matches!(r.errand.work, Covert::Spy) {
            spy_report(w, &r.errand);
        }
        if matches!(r.errand.work, Covert::Scry) {
            scry_report(w, r)?;
        }
    }
    for r in rolled {
        effect(w, r);
    }
    w.s.sweep();
    Ok(())
}

/// Elements hostile to a nation in a place, by type.
fn opposed(w: &Work<'_>, nation: NationId, place: PlaceId, types: &[TroopType]) -> bool {
    w.s.bodies_at(place).any(|(id, b)| {
        w.hostile_to(id, nation, place) && b.elements.iter().any(|e| types.contains(&e.troop()))
    })
}

fn roll(w: &mut Work<'_>, errand: Errand) -> Result<Rolled, NoDice> {
    let me = ElementId { nation: errand.nation, label: errand.element };
    let who = Die::element(me).at(errand.at);
    let sneaker = opposed(w, errand.nation, errand.at, &[TroopType::Snk]);
    let mut out =
        Rolled { errand, success: false, lost: false, false_report: false, whom: None, victim: None };
    match out.errand.work {
        Covert::Spy => {
            let die = w.d6("spy", who)?;
            let shift = if sneaker { w.rules.limit("spy_opposed") } else { 0 };
            out.success = die + shift >= w.rules.int("spy_target");
            out.lost = die <= w.rules.int("spy_lost") - shift;
        }
        Covert::Scry => {
            let die = w.d6("scry", who)?;
            let hindered = opposed(w, out.errand.nation, out.errand.at, &[TroopType::Mag, TroopType::Clr]);
            let shift = if hindered { w.rules.int("scry_hindered") } else { 0 };
            out.success = die + shift >= w.rules.int("scry_target");
            out.false_report = die == 1;
        }
        Covert::Assassinate => {
            let die = w.d6("assassin", who)?;
            let mut kills = die >= w.rules.int("assassin_target");
            if kills && sneaker {
                kills = w.d6("assassin guard", who)? >= w.rules.limit("contested_kill");
            }
            out.lost = die <= w.rules.int("assassin_lost") + i64::from(sneaker);
            out.success = kills;
            out.victim = target_general(w, &out.errand)?;
        }
        Covert::Rescue => {
            let die = w.d6("rescue", who)?;
            let guard: usize =
                w.s.bodies_at(out.errand.at)
                    .filter(|(id, _)| w.s.kind(w.rules, *id) == Some(BodyKind::Garrison))
                    .map(|(_, b)| b.elements.len())
                    .sum();
            let many = i64::try_from(guard).unwrap_or(0) >= w.rules.limit("rescue_guard");
            let shift = if many { w.rules.limit("rescue_guarded") } else { 0 };
            out.success = die + shift >= w.rules.int("rescue_target");
            out.lost = die == 1;
            out.whom = captive_there(w, &out.errand);
        }
    }
    Ok(out)
}

/// The general an assassin finds: of the largest hostile army there, or of any hostile body.
fn target_general(w: &mut Work<'_>, errand: &Errand) -> Result<Option<BodyId>, NoDice> {
    let list: Vec<BodyId> =
        w.s.bodies_at(errand.at)
            .filter(|(id, b)| b.has_general() && w.hostile_to(*id, errand.nation, errand.at))
            .map(|(id, _)| id)
            .collect();
    Ok(w.by_size(list, 44)?.first().copied())
}

fn captive_there(w: &Work<'_>, errand: &Errand) -> Option<ElementId> {
    let here = w.s.captives.iter().filter(|c| c.at == errand.at);
    let ours = |c: &&crate::state::Captive| c.nation == errand.nation || w.s.allied(c.nation, errand.nation);
    let mut ours: Vec<ElementId> = here.filter(ours).map(crate::state::Captive::id).collect();
    ours.sort_by_key(|c| (c.nation != errand.nation, *c));
    match errand.whom {
        Some(whom) => ours.into_iter().find(|c| *c == whom),
        None => ours.first().copied(),
    }
}

fn spy_report(w: &mut Work<'_>, errand: &Errand) {
    let mut parts = Vec::new();
    for (id, body) in w.s.bodies_at(errand.at) {
        let kind = if body.is_army(w.rules) { "army" } else { "garrison" };
        parts.push(format!("{kind} {id}: {}", body.list()));
    }
    let text = if parts.is_empty() { "nobody".to_owned() } else { parts.join("; ") };
    w.tell(
        errand.nation,
        rule!("CAM-060"),
        format!("spied {}.{} {}", errand.nation, errand.element, errand.at),
        format!("{} spied on {}: {text}.", errand.element, errand.at),
    );
}

/// CAM-061: AP and types, each count shifted at random; a natural 1 gives a false report.
fn scry_report(w: &mut Work<'_>, r: &Rolled) -> Result<(), NoDice> {
    let errand = &r.errand;
    if !r.success && !r.false_report {
        return Ok(());
    }
    let mut counts: BTreeMap<TroopType, i64> = BTreeMap::new();
    if r.false_report {
        // Nothing of what is there: types that anybody might have.
        for (n, troop) in [TroopType::Bld, TroopType::Sht, TroopType::Hrd].into_iter().enumerate() {
            counts.insert(troop, i64::try_from(n).unwrap_or(0) + 2);
        }
    } else {
        for (_, body) in w.s.bodies_at(errand.at) {
            for e in &body.elements {
                *counts.entry(e.troop()).or_insert(0) += 1;
            }
        }
    }
    let me = ElementId { nation: errand.nation, label: errand.element };
    let mut ap = 0;
    let mut parts = Vec::new();
    for (n, (troop, count)) in counts.into_iter().enumerate() {
        let shift = i64::from(w.die("scry shift", Die::element(me).at(errand.at).k(n), 3)?) - 2;
        let count = (count + shift).max(0);
        if count > 0 {
            ap += count * w.rules.ap(troop);
            parts.push(format!("{count} {}", troop.code()));
        }
    }
    let text = if parts.is_empty() { "nobody".to_owned() } else { format!("{} ({ap} AP)", parts.join(", ")) };
    w.tell(
        errand.nation,
        rule!("CAM-061"),
        format!("scried {}.{} {}", errand.nation, errand.element, errand.at),
        format!("{} scried {}: about {text}.", errand.element, errand.at),
    );
    Ok(())
}

fn effect(w: &mut Work<'_>, r: Rolled) {
    let Errand { nation, element, work, at, .. } = r.errand;
    let me = format!("{nation}.{element}");
    match work {
        Covert::Spy if !r.success => w.tell(
            nation,
            rule!("CAM-060"),
            format!("spy_fails {me} {at}"),
            format!("{element} learnt nothing at {at}."),
        ),
        Covert::Scry if !r.success && !r.false_report => {
            w.tell(
                nation,
                rule!("CAM-061"),
                format!("scry_fails {me} {at}"),
                format!("{element} saw nothing of {at}."),
            );
        }
        Covert::Assassinate => match (r.success, r.victim) {
            (true, Some(victim)) => kill_general(w, nation, element, victim),
            _ => w.tell(
                nation,
                rule!("CAM-062"),
                format!("assassin_fails {me} {at}"),
                format!("{element} did not reach a general at {at}."),
            ),
        },
        Covert::Rescue => match (r.success, r.whom) {
            (true, Some(whom)) => rescued(w, nation, element, whom),
            _ => w.tell(
                nation,
                rule!("CAM-063"),
                format!("rescue_fails {me} {at}"),
                format!("{element} freed nobody at {at}."),
            ),
        },
        _ => {}
    }
    if !r.lost {
        return;
    }
    let holder = w.s.bodies_of(nation).find(|(_, b)| b.find(element).is_some()).map(|(id, _)| id);
    let Some(body) = holder.and_then(|id| w.s.bodies.get(&id)) else { return };
    let Some(i) = body.find(element) else { return };
    let captor = w.s.owner(at).filter(|o| w.s.hostile(w.rules, nation, *o));
    let Some(body) = holder.and_then(|id| w.s.bodies.get_mut(&id)) else { return };
    if work == Covert::Rescue && element.troop.is_hero() && captor.is_none() {
        return; // nobody is there to hold him
    }
    let taken = body.take(&[i]);
    if work == Covert::Rescue && element.troop.is_hero() {
        if let (Some(captor), Some(hero)) = (captor, taken.into_iter().next()) {
            w.tell(
                nation,
                rule!("CAM-063"),
                format!("captive {me} {at}"),
                format!("{element} was taken at {at}."),
            );
            w.tell(
                captor,
                rule!("CAM-063"),
                format!("captive {me} {at}"),
                format!("{me} was taken at {at} in an attempt at rescue."),
            );
            w.s.captives.push(crate::state::Captive {
                element: hero.without_generals(),
                nation,
                held_by: captor,
                at,
            });
        }
        return;
    }
    let rule = match work {
        Covert::Spy => rule!("CAM-060"),
        Covert::Assassinate => rule!("CAM-062"),
        _ => rule!("CAM-063"),
    };
    w.tell(nation, rule, format!("covert_lost {me} {at}"), format!("{element} did not come back from {at}."));
}

/// CAM-062: the general dies, his element stays.
fn kill_general(w: &mut Work<'_>, by: NationId, element: Label, victim: BodyId) {
    let Some(body) = w.s.bodies.get_mut(&victim) else { return };
    let Some(i) = body.commander() else { return };
    if body.elements[i].generals.is_empty() {
        return;
    }
    let general = body.elements[i].generals.remove(0);
    let at = body.at;
    w.tell(
        by,
        rule!("CAM-062"),
        format!("assassinated {victim}"),
        format!("{element} killed the general of {victim} at {at}."),
    );
    w.tell(
        victim.nation,
        rule!("CAM-062"),
        format!("assassinated {victim}"),
        format!("{} of {} was murdered at {at}.", general.name, victim.short()),
    );
}

/// CAM-142: a Hero set free joins his rescuer's army, else his nation's nearest own city.
fn rescued(w: &mut Work<'_>, nation: NationId, element: Label, whom: ElementId) {
    let Some(n) = w.s.captives.iter().position(|c| c.id() == whom) else { return };
    let captive = w.s.captives.remove(n);
    let holder = w.s.bodies_of(nation).find(|(_, b)| b.find(element).is_some()).map(|(id, _)| id);
    w.tell(
        nation,
        rule!("CAM-063"),
        format!("rescued {whom}"),
        format!("{element} freed {whom} at {}.", captive.at),
    );
    w.tell(
        captive.held_by,
        rule!("CAM-063"),
        format!("rescued {whom}"),
        format!("{whom} is gone from {}.", captive.at),
    );
    if whom.nation != nation {
        w.tell(
            whom.nation,
            rule!("CAM-063"),
            format!("rescued {whom}"),
            format!("{} was freed by {nation}.", whom.label),
        );
    }
    let room = holder.is_some_and(|h| {
        h.nation == whom.nation && w.ap(h) + w.rules.ap(whom.label.troop) <= w.rules.limit("army_most")
    });
    match holder {
        Some(host) if room => {
            if let Some(body) = w.s.bodies.get_mut(&host) {
                body.elements.push(captive.element);
            }
        }
        _ => super::captives::home(w, captive),
    }
}
