//! What holds of every campaign whatever is done in it: no element in two places, nothing over its room, no ring of
//! vassals, treaties that both sides have, and no element that comes or goes without the log saying so.

use crate::ids::{Label, NationId};
use crate::log::{Entry, Seen};
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::world::{Alignment, World};
use std::collections::{BTreeMap, BTreeSet};

/// Everything of a state that cannot be; empty if it is sound.
#[must_use]
pub fn faults(world: &World, rules: &Rules, state: &State) -> Vec<String> {
    let mut out = Vec::new();
    nations(rules, state, &mut out);
    bodies(world, rules, state, &mut out);
    treaties(world, state, &mut out);
    captives(state, &mut out);
    for (place, owner) in &state.owners {
        if world.places.get(place).is_none_or(|p| !p.city) {
            out.push(format!("{place} has no city, and {owner} owns it"));
        }
        if !state.plays(*owner) {
            out.push(format!("{owner} is out and owns {place}"));
        }
    }
    out
}

fn nations(rules: &Rules, state: &State, out: &mut Vec<String>) {
    for (nation, standing) in &state.nations {
        let force = state.force(rules, *nation);
        let cities = state.cities(*nation).count();
        if standing.out && (force.ap != 0 || cities != 0) {
            out.push(format!("{nation} is out and has {} AP and {cities} cities", force.ap));
        }
        if !standing.out && cities == 0 && state.phase != Phase::Battles {
            out.push(format!("{nation} plays on without a city (CAM-115)"));
        }
    }
}

fn bodies(world: &World, rules: &Rules, state: &State, out: &mut Vec<String>) {
    let mut all: BTreeMap<(NationId, Label), String> = BTreeMap::new();
    let mut held = |key: (NationId, Label), at: String, out: &mut Vec<String>| {
        if let Some(other) = all.insert(key, at.clone()) {
            out.push(format!("{}.{} is in {other} and in {at}", key.0, key.1));
        }
    };
    let most = rules.limit("army_most");
    for (id, body) in &state.bodies {
        if body.elements.is_empty() {
            out.push(format!("{id} is empty"));
        }
        if !world.places.contains_key(&body.at) {
            out.push(format!("{id} is nowhere"));
        }
        for e in &body.elements {
            held((id.nation, e.label), id.to_string(), out);
            let list = world.nation(id.nation);
            if e.general() && list.is_some_and(|n| n.general_rank(e.troop()).is_none()) {
                out.push(format!("{id}: {} may hold no general (CAM-021)", e.label));
            }
        }
        if body.is_army(rules) && body.ap(rules) > most {
            out.push(format!("{id} has {} AP (CAM-034)", body.ap(rules)));
        }
        let grace = rules.int("garrison_grace");
        if !body.is_army(rules) && i64::from(body.crowded) > grace.max(1) {
            out.push(format!("{id} has been too large for {} seasons (CAM-034)", body.crowded));
        }
        if body.inside && state.owner(body.at).is_none() {
            out.push(format!("{id} is inside a city of nobody at {}", body.at));
        }
    }
    for c in &state.captives {
        held((c.nation, c.element.label), format!("the hands of {}", c.held_by), out);
    }
    // CAM-100: the room of cities in winter; a general who replaces the last one is free (CAM-026).
    if state.phase == Phase::Winter {
        let free = 6;
        for (place, owner) in &state.owners {
            let own: i64 =
                state.bodies_at(*place).filter(|(id, _)| id.nation == *owner).map(|(_, b)| b.ap(rules)).sum();
            if own > rules.limit("winter_city_room") + free {
                out.push(format!("{own} AP of {owner} winter at {place} (CAM-100)"));
            }
        }
    }
}

fn treaties(world: &World, state: &State, out: &mut Vec<String>) {
    for (a, b) in &state.allies {
        if a >= b {
            out.push(format!("the alliance of {a} and {b} is not written as one of both"));
        }
        for (x, y) in [(a, b), (b, a)] {
            if !state.allied(*x, *y) {
                out.push(format!("{x} is allied to {y}, and not the other way round"));
            }
            if !state.plays(*x) {
                out.push(format!("{x} is out and has an ally"));
            }
        }
        if [a, b].iter().any(|n| world.nation(**n).is_some_and(|n| n.outcast)) {
            out.push(format!("{a} and {b} are allied, and one is an outcast (CAM-115)"));
        }
        if let (Some(x), Some(y)) = (world.nation(*a), world.nation(*b))
            && matches!(
                (x.alignment, y.alignment),
                (Alignment::Good, Alignment::Evil) | (Alignment::Evil, Alignment::Good)
            )
        {
            out.push(format!("{a} and {b} are allied, Good with Evil (CAM-110)"));
        }
    }
    for (vassal, lord) in &state.lords {
        if vassal == lord || state.above(*vassal, *vassal) {
            out.push(format!("{vassal} stands in a ring of vassals (CAM-170)"));
        }
        if !state.plays(*vassal) || !state.plays(*lord) {
            out.push(format!("{vassal} serves {lord}, and one of them is out"));
        }
        if world.nation(*lord).is_some_and(|n| n.outcast) {
            out.push(format!("{vassal} serves {lord}, an outcast (CAM-115)"));
        }
    }
}

fn captives(state: &State, out: &mut Vec<String>) {
    for c in &state.captives {
        let who = c.id();
        if !c.element.troop().is_hero() || c.element.general() {
            out.push(format!("{who} is a captive and no Hero, or a general still (CAM-089)"));
        }
        if c.nation == c.held_by || !state.plays(c.nation) || !state.plays(c.held_by) {
            out.push(format!("{who} is held by {}", c.held_by));
        }
        if state.phase != Phase::Battles && state.owner(c.at) != Some(c.held_by) {
            out.push(format!("{who} is held at {}, which is not of {} (CAM-082)", c.at, c.held_by));
        }
    }
}

/// Every element of every nation, with whose it is.
fn elements(state: &State) -> BTreeSet<(NationId, Label)> {
    let bodies = state.bodies.iter().flat_map(|(id, b)| b.elements.iter().map(|e| (id.nation, e.label)));
    bodies.chain(state.captives.iter().map(|c| (c.nation, c.element.label))).collect()
}

/// Elements that came or went without an entry that says so to their nation, and nations that grew past their 72 AP.
#[must_use]
pub fn unstated(rules: &Rules, before: &State, after: &State, log: &[Entry]) -> Vec<String> {
    let mut out = Vec::new();
    let mut stated: BTreeSet<(NationId, String)> = BTreeSet::new();
    let mut replaced: BTreeMap<NationId, i64> = BTreeMap::new();
    let everybody: Vec<NationId> = after.nations.keys().copied().collect();
    for entry in log {
        let readers: Vec<NationId> = match &entry.seen {
            Seen::Public => everybody.clone(),
            Seen::Nations(list) => list.iter().copied().collect(),
            Seen::Umpire => Vec::new(),
        };
        let words = entry.fact.split([' ', ',']).chain(entry.words.split([' ', ',', ';', ':']));
        for word in words {
            let word = word.trim_matches(['.', '(', ')']);
            for reader in &readers {
                stated.insert((*reader, word.to_owned()));
            }
        }
        if let Some(rest) = entry.fact.strip_prefix("replaced_general ")
            && let Some(nation) = everybody.iter().find(|n| rest.starts_with(n.as_str()))
        {
            *replaced.entry(*nation).or_insert(0) += 6;
        }
    }
    let says = |nation: NationId, label: &str| {
        stated.contains(&(nation, label.to_owned()))
            || stated.contains(&(nation, format!("{nation}.{label}")))
    };
    let (was, is) = (elements(before), elements(after));
    for (nation, label) in was.difference(&is) {
        let gone = after.nations.get(nation).is_some_and(|s| s.out);
        let body = before.bodies_of(*nation).find(|(_, b)| b.find(*label).is_some()).map(|(id, _)| id);
        let with = body.is_some_and(|id| {
            !after.bodies.contains_key(&id) && (says(*nation, &id.to_string()) || says(*nation, &id.short()))
        });
        if !gone && !with && !says(*nation, &label.to_string()) {
            out.push(format!("{nation}.{label} is gone and no entry says so"));
        }
    }
    for (nation, label) in is.difference(&was) {
        if !says(*nation, &label.to_string()) {
            out.push(format!("{nation}.{label} has come and no entry says so"));
        }
    }
    for nation in everybody {
        let (old, new) = (before.force(rules, nation).ap, after.force(rules, nation).ap);
        let free = replaced.get(&nation).copied().unwrap_or(0);
        if new > rules.limit("force_most").max(old) + free {
            out.push(format!("{nation} has {new} AP after {old} (CAM-016)"));
        }
    }
    out
}
