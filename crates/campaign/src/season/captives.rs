//! Captives: their journeys, escapes and ends (CAM-082, CAM-089).

use super::work::{Die, Work};
use crate::ids::{BodyId, ElementId, NationId, PlaceId};
use crate::log::Seen;
use crate::order::{Captivity, Item};
use crate::state::Captive;
use crate::world::Way;
use dice::NoDice;
use rulebook::rule;
use std::collections::BTreeMap;

/// Step 3: prisoners are released, executed or sent off.
pub(crate) fn orders(w: &mut Work<'_>) -> Result<(), NoDice> {
    let all = w.s.turn.lines.clone();
    for (nation, lines) in &all {
        for item in lines.iter().flat_map(|l| &l.items) {
            let Item::Captive(who, what) = item else { continue };
            let Some(n) = w.s.captives.iter().position(|c| c.id() == *who && c.held_by == *nation) else {
                w.tell(
                    *nation,
                    rule!("CAM-082"),
                    format!("void {nation} captive {who}"),
                    format!("You hold no {who}."),
                );
                continue;
            };
            match what {
                Captivity::Release => {
                    let captive = w.s.captives.remove(n);
                    both(
                        w,
                        &captive,
                        format!("released {who}"),
                        format!("{who} is released from {}.", captive.at),
                    );
                    home(w, captive);
                }
                Captivity::Execute => execute(w, n)?,
                Captivity::Send(to) => send(w, n, *to)?,
            }
        }
    }
    Ok(())
}

fn both(w: &mut Work<'_>, captive: &Captive, fact: String, words: String) {
    w.log(rule!("CAM-082"), Seen::among([captive.nation, captive.held_by]), fact, words);
}

/// CAM-082: a deathtrap gives one more chance.
fn execute(w: &mut Work<'_>, n: usize) -> Result<(), NoDice> {
    let captive = w.s.captives.remove(n);
    let who = captive.id();
    if w.d6("execution", Die::element(who).at(captive.at))? >= w.rules.int("escape_execution") {
        both(
            w,
            &captive,
            format!("escapes {who}"),
            format!("{who} escapes from the scaffold at {}.", captive.at),
        );
        home(w, captive);
    } else {
        both(w, &captive, format!("executed {who}"), format!("{who} is executed at {}.", captive.at));
    }
    Ok(())
}

/// CAM-082, CAM-089: to another city, with a chance to escape at each stage; not from a besieged one.
fn send(w: &mut Work<'_>, n: usize, to: PlaceId) -> Result<(), NoDice> {
    let Some(captive) = w.s.captives.get(n).cloned() else { return Ok(()) };
    let (who, holder) = (captive.id(), captive.held_by);
    let besieged =
        w.s.armies_at(w.rules, captive.at).into_iter().any(|b| w.hostile_to(b, holder, captive.at));
    let path = super::route::shortest(w, captive.at, to, |_, e| e.way == Way::Land).unwrap_or_default();
    let most = usize::try_from(w.rules.limit("captive_stages")).unwrap_or(2);
    let why = if besieged {
        Some(format!("{} is besieged", captive.at))
    } else if w.s.owner(to) != Some(holder) {
        Some(format!("{to} is no city of yours"))
    } else if path.is_empty() || path.len() > most {
        Some(format!("{to} is not within {most} stages"))
    } else {
        None
    };
    if let Some(why) = why {
        w.tell(
            holder,
            rule!("CAM-089"),
            format!("void {holder} captive {who}"),
            format!("{who} stays at {}: {why}.", captive.at),
        );
        return Ok(());
    }
    w.s.captives.remove(n);
    journey(w, captive, to, path.len())
}

/// A journey of so many stages; whoever does not escape is at its end.
fn journey(w: &mut Work<'_>, mut captive: Captive, to: PlaceId, stages: usize) -> Result<(), NoDice> {
    let who = captive.id();
    for k in 0..stages {
        if w.d6("escape stage", Die::element(who).at(to).k(k))? >= w.rules.int("escape_stage") {
            both(w, &captive, format!("escapes {who}"), format!("{who} escapes on the way to {to}."));
            home(w, captive);
            return Ok(());
        }
    }
    captive.at = to;
    both(
        w,
        &captive,
        format!("captive {who} {to}"),
        format!("{who} is held at {to} by {}.", captive.held_by),
    );
    w.s.captives.push(captive);
    Ok(())
}

/// CAM-089: a free Hero goes to his nation's army in that province, else to its nearest own city.
pub(crate) fn home(w: &mut Work<'_>, captive: Captive) {
    let (nation, at) = (captive.nation, captive.at);
    let room =
        |w: &Work<'_>, b: BodyId| w.ap(b) + w.rules.ap(captive.element.troop()) <= w.rules.limit("army_most");
    let army =
        w.s.bodies_of(nation)
            .filter(|(id, b)| b.at == at && w.is_army(*id))
            .map(|(id, _)| id)
            .find(|id| room(w, *id));
    if let Some(body) = army.and_then(|id| w.s.bodies.get_mut(&id)) {
        body.elements.push(captive.element);
        return;
    }
    let far = w.world.distances(at, |_, e| e.way == Way::Land);
    let all = w.world.distances(at, |_, _| true);
    let city =
        w.s.cities(nation).min_by_key(|c| (far.get(c).or(all.get(c)).copied().unwrap_or(u32::MAX), *c));
    match city {
        Some(city) => {
            let host = w.s.into_garrison(w.rules, nation, city, vec![captive.element]);
            w.hold_to_limit(host);
        }
        None => {
            // A nation without a city: any body of its own takes him in.
            let any = w.s.bodies_of(nation).map(|(id, _)| id).next();
            if let Some(body) = any.and_then(|id| w.s.bodies.get_mut(&id)) {
                body.elements.push(captive.element);
            }
            if let Some(id) = any {
                w.hold_to_limit(id);
            }
        }
    }
}

/// CAM-082, CAM-089: a Hero still captive when the battle ends.
pub(crate) fn taken(
    w: &mut Work<'_>,
    hero: ElementId,
    by: NationId,
    at: PlaceId,
    from: BodyId,
) -> Result<(), NoDice> {
    let Some(body) = w.s.bodies.get_mut(&from) else { return Ok(()) };
    let Some(i) = body.find(hero.label) else { return Ok(()) };
    let Some(element) = body.take(&[i]).into_iter().next() else { return Ok(()) };
    w.s.sweep();
    let captive = Captive { element: element.without_generals(), nation: hero.nation, held_by: by, at };
    let far = w.world.distances(at, |_, e| e.way == Way::Land);
    // By land where that is possible, else by whatever routes there are.
    let all = w.world.distances(at, |_, _| true);
    let nearest =
        |far: &BTreeMap<PlaceId, u32>| w.s.cities(by).filter_map(|c| far.get(&c).map(|d| (*d, c))).min();
    let goal = nearest(&far).or_else(|| nearest(&all).filter(|_| w.rules.strict()));
    match goal {
        Some((stages, city)) => journey(w, captive, city, stages as usize),
        None => {
            both(
                w,
                &captive,
                format!("escapes {hero}"),
                format!("{hero} escapes: {by} has no city to hold him."),
            );
            home(w, captive);
            Ok(())
        }
    }
}

/// CAM-082: a battle at a city lets its captives try to escape.
pub(crate) fn battle_at(w: &mut Work<'_>, place: PlaceId) -> Result<(), NoDice> {
    let here: Vec<ElementId> = w.s.captives.iter().filter(|c| c.at == place).map(Captive::id).collect();
    for who in here {
        if w.d6("escape", Die::element(who).at(place))? >= w.rules.int("escape_city")
            && let Some(n) = w.s.captives.iter().position(|c| c.id() == who)
        {
            let captive = w.s.captives.remove(n);
            both(
                w,
                &captive,
                format!("escapes {who}"),
                format!("{who} escapes from {place} while the battle rages."),
            );
            home(w, captive);
        }
    }
    Ok(())
}

/// CAM-098: captives in a city that falls are free; those of its new owner's friends and foes alike.
pub(crate) fn city_falls(w: &mut Work<'_>, place: PlaceId) {
    while let Some(n) = w.s.captives.iter().position(|c| c.at == place) {
        let captive = w.s.captives.remove(n);
        let who = captive.id();
        both(w, &captive, format!("freed {who}"), format!("{who} is free: {place} has fallen."));
        home(w, captive);
    }
}
