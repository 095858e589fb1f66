//! Step 10: after the battles (CAM-080 to CAM-089, CAM-023, CAM-156).

use super::retreat::{Flight, give_way};
use super::work::Work;
use crate::battle::{Battle, Ending, Role};
use crate::ids::{BodyId, ElementId};
use crate::log::Seen;
use crate::muster::General;
use crate::order::Act;
use crate::state::State;
use crate::turn::{Fate, Score};
use dice::NoDice;
use rulebook::rule;

/// Losses, captives, generals, provinces; then all retreats; then merging.
pub(crate) fn after_battles(w: &mut Work<'_>) -> Result<(), NoDice> {
    let battles = w.s.turn.battles.clone();
    for battle in &battles {
        fates(w, battle);
        losses(w, battle)?;
    }
    // Captives held before the battle try to escape while it rages; those taken in it do not.
    for battle in &battles {
        super::captives::battle_at(w, battle.at)?;
    }
    for battle in &battles {
        captives(w, battle)?;
        desertion(w, battle)?;
        gained_general(w, battle);
        gained_province(w, battle);
    }
    let mut flights = Vec::new();
    for battle in &battles {
        flights.extend(leaving(w, battle));
    }
    let fled: Vec<BodyId> = flights.iter().map(|f| f.id).collect();
    give_way(w, flights, true)?;
    merge(w, &fled);
    w.s.sweep();
    Ok(())
}

/// The side that must leave: the beaten, or whoever attacked where nobody won.
fn beaten(battle: &Battle) -> Option<Role> {
    match battle.result.as_ref()? {
        r if r.ending == Ending::Undecided => Some(Role::Attacker),
        r => r.winner.map(Role::other),
    }
}

fn all_of(battle: &Battle, role: Role) -> Vec<BodyId> {
    let side = battle.side(role);
    std::iter::once(side.prime).chain(side.with.iter().copied()).collect()
}

fn fates(w: &mut Work<'_>, battle: &Battle) {
    let Some(result) = &battle.result else { return };
    for role in [Role::Attacker, Role::Defender] {
        let fate = match result.winner {
            None => Fate::Undecided,
            Some(winner) if winner == role => Fate::Won,
            Some(_) => Fate::Lost,
        };
        for id in all_of(battle, role) {
            w.s.turn.fates.insert(id, fate);
        }
        w.s.turn.scores.push(Score { nation: battle.side(role).prime.nation, fate });
    }
    if battle.home {
        w.s.turn.defended.insert(battle.at);
    }
    let (a, d) = (battle.attacker.prime, battle.defender.prime);
    let (fact, words) = match result.winner {
        Some(winner) => {
            let (won, lost) = if winner == Role::Attacker { (a, d) } else { (d, a) };
            (
                format!("battle {} {won} beats {lost} {}", battle.at, result.ending.word()),
                format!("At {} {} beat {}.", battle.at, won.nation, lost.nation),
            )
        }
        None => (
            format!("battle {} {a} {d} undecided", battle.at),
            format!("At {} {} and {} fought, and nobody won.", battle.at, a.nation, d.nation),
        ),
    };
    // CAM-121: where battles were fought and who won is public, not with what armies.
    w.log(
        rule!("CAM-121"),
        Seen::Public,
        fact.replace(&format!("{a}"), &a.nation.to_string()).replace(&format!("{d}"), &d.nation.to_string()),
        words,
    );
}

fn holder(s: &State, element: ElementId, among: &[BodyId]) -> Option<BodyId> {
    among.iter().copied().find(|id| {
        id.nation == element.nation && s.bodies.get(id).is_some_and(|b| b.find(element.label).is_some())
    })
}

/// CAM-079: elements destroyed, generals with them.
fn losses(w: &mut Work<'_>, battle: &Battle) -> Result<(), NoDice> {
    let Some(result) = &battle.result else { return Ok(()) };
    let everybody: Vec<BodyId> =
        [Role::Attacker, Role::Defender].into_iter().flat_map(|r| all_of(battle, r)).collect();
    let mut gone: Vec<String> = Vec::new();
    for element in &result.lost {
        let Some(body) = holder(w.s, *element, &everybody).and_then(|id| w.s.bodies.get_mut(&id)) else {
            continue;
        };
        if let Some(i) = body.find(element.label) {
            body.take(&[i]);
            gone.push(element.to_string());
        }
    }
    let text = if gone.is_empty() { "nobody".to_owned() } else { gone.join(", ") };
    w.log(
        rule!("CAM-079"),
        Seen::among(battle.nations()),
        format!("lost {} {}", battle.at, gone.join(" ")),
        format!("Lost at {}: {text}.", battle.at),
    );
    Ok(())
}

/// CAM-082: Heroes held at the end.
fn captives(w: &mut Work<'_>, battle: &Battle) -> Result<(), NoDice> {
    let Some(result) = &battle.result else { return Ok(()) };
    let everybody: Vec<BodyId> =
        [Role::Attacker, Role::Defender].into_iter().flat_map(|r| all_of(battle, r)).collect();
    for taken in &result.captives {
        let Some(from) = holder(w.s, taken.hero, &everybody) else { continue };
        let side = battle.role_of(taken.hero.nation);
        let magician_lost = result.lost.contains(&taken.by);
        let free = result.winner.is_some() && result.winner == side
            || w.rules.is("captive_end", "magician_alive") && magician_lost;
        if free {
            w.log(
                rule!("CAM-082"),
                Seen::among(battle.nations()),
                format!("escapes {}", taken.hero),
                format!("{} is free again.", taken.hero),
            );
        } else {
            super::captives::taken(w, taken.hero, taken.by.nation, battle.at, from)?;
        }
    }
    w.s.sweep();
    Ok(())
}

/// CAM-081: a loser by general or Stronghold loses 4 AP more.
fn desertion(w: &mut Work<'_>, battle: &Battle) -> Result<(), NoDice> {
    let Some(result) = &battle.result else { return Ok(()) };
    let (Some(winner), Ending::General | Ending::Stronghold) = (result.winner, result.ending) else {
        return Ok(());
    };
    let id = battle.side(winner.other()).prime;
    let named = w.named_losses(id);
    let n = w.rules.int("desertion_ap");
    let gone = w.lose_ap(id, n, &named, 1)?;
    if !gone.is_empty() {
        w.tell(
            id.nation,
            rule!("CAM-081"),
            format!("deserts {id} {}", Work::list(&gone)),
            format!("{} deserted from {}.", Work::list(&gone), id.short()),
        );
    }
    Ok(())
}

/// CAM-023: the winner as main protagonist gains a general in that army.
fn gained_general(w: &mut Work<'_>, battle: &Battle) {
    let Some(winner) = battle.result.as_ref().and_then(|r| r.winner) else { return };
    let id = battle.side(winner).prime;
    let Some(nation) = w.world.nation(id.nation) else { return };
    let since = w.s.number();
    let Some(body) = w.s.bodies.get(&id) else { return };
    // An eligible element without a general, else he shares the existing general's.
    let free = |i: &usize| !body.elements[*i].general();
    let seat = body.seat_for_general(nation).filter(free).or_else(|| {
        (0..body.elements.len())
            .filter(|i| nation.general_rank(body.elements[*i].troop()).is_some())
            .find(free)
    });
    let seat = seat.or_else(|| body.commander());
    let Some(i) = seat else { return };
    let name = super::generals::new_name(w.s, id.nation);
    let shared = w.s.bodies.get(&id).is_some_and(|b| b.elements[i].general());
    let Some(body) = w.s.bodies.get_mut(&id) else { return };
    body.elements[i].generals.push(General { name: name.clone(), since });
    let label = body.elements[i].label;
    let with = if shared { ", who shares the general's element" } else { "" };
    w.tell(
        id.nation,
        rule!("CAM-023"),
        format!("gains_general {id} {label}"),
        format!("{name} with {label} of {} is made a general{with}.", id.short()),
    );
}

/// CAM-083: if the owner was beaten, the winning main protagonist gains the province without siege.
fn gained_province(w: &mut Work<'_>, battle: &Battle) {
    let Some(winner) = battle.result.as_ref().and_then(|r| r.winner) else { return };
    if !battle.home || winner != Role::Attacker {
        return;
    }
    let (to, from) = (w.gains_for(battle.attacker.prime), battle.defender.prime.nation);
    if w.s.owner(battle.at) != Some(from) {
        return;
    }
    take_city(w, battle.at, to, rule!("CAM-083"));
}

/// A city changes hands.
pub(crate) fn take_city(
    w: &mut Work<'_>,
    place: crate::ids::PlaceId,
    to: crate::ids::NationId,
    rule: rulebook::RuleId,
) {
    let from = w.s.owner(place);
    w.s.owners.insert(place, to);
    w.s.turn.taken.push((place, from, to));
    let of = from.map_or("a neutral city".to_owned(), |f| format!("a city of {f}"));
    w.log(rule, Seen::Public, format!("taken {place} {to}"), format!("{to} takes {place}, {of}."));
    super::captives::city_falls(w, place);
}

/// CAM-088: whatever stands in the province on the losing side retreats.
fn leaving(w: &mut Work<'_>, battle: &Battle) -> Vec<Flight> {
    let Some(role) = beaten(battle) else { return Vec::new() };
    let undecided = battle.result.as_ref().is_some_and(|r| r.winner.is_none());
    let side = battle.side(role);
    let mut ids = all_of(battle, role);
    let owner_lost = battle.home && role == Role::Defender;
    if owner_lost {
        // CAM-087: the garrison too, and what stands siege of the owner's and his allies'.
        let owner = side.prime.nation;
        let more: Vec<BodyId> =
            w.s.bodies_at(battle.at)
                .filter(|(id, _)| id.nation == owner || w.s.allied(id.nation, owner))
                .filter(|(id, _)| !w.s.allied(id.nation, battle.attacker.prime.nation))
                .map(|(id, _)| id)
                .collect();
        for id in more {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    let mut flights = Vec::new();
    for id in ids {
        if !w.s.bodies.contains_key(&id) || w.at(id) != Some(battle.at) {
            continue;
        }
        if undecided && w.s.owner(battle.at) == Some(id.nation) {
            continue;
        }
        let garrison = owner_lost
            && id.nation == side.prime.nation
            && !all_of(battle, role).contains(&id)
            && !w.is_army(id);
        if garrison && w.rules.is("beaten_garrison", "destroyed") {
            super::retreat::destroy(w, id, "the province is lost");
            continue;
        }
        flights.push(Flight::beaten(id, wish(w, id)));
    }
    flights
}

/// Where its orders send a beaten body.
fn wish(w: &Work<'_>, id: BodyId) -> Option<crate::ids::PlaceId> {
    w.clauses(id).iter().find_map(|a| match a {
        Act::FallBack(to) => Some(*to),
        Act::Retreat { to } => *to,
        _ => None,
    })
}

/// CAM-080, CAM-087: bodies of one nation that retreated together merge where one asks for it or is no army.
fn merge(w: &mut Work<'_>, fled: &[BodyId]) {
    for id in fled {
        let Some(at) = w.at(*id) else { continue };
        let asks = w.clauses(*id).iter().find_map(|a| if let Act::Join(b) = a { Some(*b) } else { None });
        if !w.is_army(*id) || asks.is_some() {
            let fits = |w: &Work<'_>, other: BodyId| {
                other != *id
                    && w.at(other) == Some(at)
                    && w.is_army(other)
                    && w.ap(other) + w.ap(*id) <= w.rules.limit("army_most")
            };
            let host = asks.filter(|b| fits(w, *b)).or_else(|| {
                let own = w.s.bodies_of(id.nation).map(|(b, _)| b);
                own.filter(|b| fled.contains(b)).find(|b| fits(w, *b))
            });
            if let Some(host) = host {
                super::spot::join(w, *id, host);
            } else {
                w.settle(*id);
            }
        }
    }
}
