//! Step 14 and the end: generals made or replaced, garrisons too large, and who has won.

use super::retreat::{Flight, give_way};
use super::work::Work;
use crate::ids::{Label, NationId, PlaceId};
use crate::log::Seen;
use crate::muster::{Element, General};
use crate::state::{Phase, State};
use crate::turn::Stance;
use crate::world::Way;
use dice::NoDice;
use hott::table::TroopType;
use rulebook::rule;

/// A name for a new general: made of syllables, the same for the same nation and count.
pub(crate) fn new_name(s: &mut State, nation: NationId) -> String {
    const FIRST: [&str; 12] = ["Al", "Bre", "Cor", "Da", "Ed", "Fer", "Gar", "Hal", "Is", "Jor", "Ka", "Lo"];
    const LAST: [&str; 10] = ["dan", "ric", "wen", "mar", "vo", "lis", "thor", "na", "bert", "gan"];
    let standing = s.nations.entry(nation).or_default();
    standing.generals += 1;
    let seed: usize =
        nation.as_str().bytes().map(usize::from).sum::<usize>() + usize::from(standing.generals) * 7;
    format!(
        "{}{}",
        FIRST[seed % FIRST.len()],
        LAST[(seed / FIRST.len() + usize::from(standing.generals)) % LAST.len()]
    )
}

/// CAM-024 by order: an element at the capital becomes a general.
pub(crate) fn make(w: &mut Work<'_>, nation: NationId, label: Label) {
    let why = w.world.nation(nation).cloned().and_then(|n| {
        let holder =
            w.s.bodies_of(nation)
                .find(|(_, b)| b.at == n.capital && b.find(label).is_some())
                .map(|(id, _)| id);
        let most = usize::try_from(w.rules.limit("generals_least")).unwrap_or(2);
        let primary_there =
            w.s.bodies_of(nation)
                .filter(|(_, b)| b.at == n.capital)
                .flat_map(|(_, b)| &b.elements)
                .any(|e| n.general_rank(e.troop()) == Some(0));
        match holder {
            _ if w.s.generals(nation) >= most => Some(format!("the nation has {most} generals or more")),
            _ if w.s.owner(n.capital) != Some(nation) => {
                Some(format!("the capital {} is not in the nation's hands", n.capital))
            }
            None => Some(format!("it is not at the capital {}", n.capital)),
            Some(_) if n.general_rank(label.troop).is_none() => {
                Some(format!("a {} may not hold a general", label.troop.name()))
            }
            Some(_) if n.general_rank(label.troop) == Some(1) && primary_there => {
                Some("an element of a primary type is there".to_owned())
            }
            Some(id) => {
                appoint(w, id, label);
                None
            }
        }
    });
    if let Some(why) = why {
        w.tell(
            nation,
            rule!("CAM-024"),
            format!("void {nation} general {label}"),
            format!("{label} is made no general: {why}."),
        );
    }
}

fn appoint(w: &mut Work<'_>, id: crate::ids::BodyId, label: Label) {
    let since = w.s.number();
    let name = new_name(w.s, id.nation);
    let Some(body) = w.s.bodies.get_mut(&id) else { return };
    let Some(i) = body.find(label) else { return };
    body.elements[i].generals.push(General { name: name.clone(), since });
    let at = body.at;
    w.tell(
        id.nation,
        rule!("CAM-024"),
        format!("made_general {id} {label}"),
        format!("{name} with {label} at {at} is made a general."),
    );
    // CAM-034: a large garrison becomes an army by him, and no larger one than others.
    w.hold_to_limit(id);
}

/// Step 14.
pub(crate) fn made_and_replaced(w: &mut Work<'_>) -> Result<(), NoDice> {
    let nations: Vec<NationId> = w.s.playing().collect();
    let least = usize::try_from(w.rules.limit("generals_least")).unwrap_or(2);
    for nation in nations {
        if w.s.generals(nation) == 0 {
            replace(w, nation);
        }
        // CAM-024: the first eligible element at the capital becomes one, as long as there are fewer than two.
        while w.s.generals(nation) < least {
            let Some(capital) = w.world.nation(nation).map(|n| n.capital) else { break };
            if w.s.owner(capital) != Some(nation) || !appoint_at(w, nation, capital) {
                break;
            }
        }
    }
    Ok(())
}

fn appoint_at(w: &mut Work<'_>, nation: NationId, capital: PlaceId) -> bool {
    let Some(n) = w.world.nation(nation) else { return false };
    let mut best: Option<(u8, crate::ids::BodyId, Label)> = None;
    for (id, body) in w.s.bodies_of(nation).filter(|(_, b)| b.at == capital) {
        for e in body.elements.iter().filter(|e| !e.general()) {
            if let Some(rank) = n.general_rank(e.troop())
                && best.is_none_or(|(r, ..)| rank < r)
            {
                best = Some((rank, id, e.label));
            }
        }
    }
    match best {
        Some((_, id, label)) => {
            appoint(w, id, label);
            true
        }
        None => false,
    }
}

/// CAM-024, CAM-026: with no general at all, a new general element at the capital.
fn replace(w: &mut Work<'_>, nation: NationId) {
    let Some(n) = w.world.nation(nation).cloned() else { return };
    let capital = n.capital;
    let at = if w.s.owner(capital) == Some(nation) {
        Some(capital)
    } else {
        let far = w.world.distances(capital, |_, e| e.way == Way::Land);
        w.s.cities(nation).min_by_key(|c| (far.get(c).copied().unwrap_or(u32::MAX), *c))
    };
    let Some(at) = at else { return };
    let eligible = n.primary.iter().chain(&n.secondary).filter_map(|t| TroopType::parse(t));
    let Some(troop) = eligible.min_by_key(|t| (n.cost(*t).unwrap_or(i64::MAX), n.general_rank(*t), *t))
    else {
        return;
    };
    let label = w.s.new_label(nation, troop);
    let name = new_name(w.s, nation);
    let mut element = Element::new(label);
    element.generals.push(General { name: name.clone(), since: w.s.number() });
    let host = w.s.into_garrison(w.rules, nation, at, vec![element]);
    if w.rules.is("replacement_general", "charged")
        && let Some(standing) = w.s.nations.get_mut(&nation)
    {
        standing.debt += n.cost(troop).unwrap_or(0);
    }
    w.tell(
        nation,
        rule!("CAM-026"),
        format!("replaced_general {nation} {label} {at}"),
        format!("{name} comes forward at {at} with {label}."),
    );
    w.hold_to_limit(host);
}

/// CAM-037: an army whose only general was murdered gives no battle.
pub(crate) fn orphans(w: &mut Work<'_>) -> Result<(), NoDice> {
    let mut flights = Vec::new();
    for id in w.ids() {
        let Some(body) = w.body(id) else { continue };
        let at = body.at;
        if body.is_army(w.rules) || w.marching(id).stance != Stance::Battle || w.enemies_at(id, at).is_empty()
        {
            continue;
        }
        if w.s.owner(at) == Some(id.nation) {
            w.settle(id);
            continue;
        }
        flights.push(Flight::beaten(id, None));
    }
    give_way(w, flights, true)
}

/// CAM-034: a garrison over 12 AP may stand until the end of the next season; also armies that shrank settle.
/// `season`: a season ends; a winter is none, so that what it raises may stand until the end of Spring.
pub(crate) fn tidy(w: &mut Work<'_>, season: bool) {
    let most = w.rules.limit("garrison_most");
    let grace = u32::try_from(w.rules.int("garrison_grace")).unwrap_or(0);
    for id in w.ids() {
        w.settle(id);
    }
    for id in w.ids() {
        let Some(at) = w.at(id) else { continue };
        // All that is no army in one city is its garrison.
        let others: i64 =
            w.s.bodies_of(id.nation)
                .filter(|(o, b)| *o != id && b.at == at && !b.is_army(w.rules))
                .map(|(_, b)| b.ap(w.rules))
                .sum();
        let Some(body) = w.s.bodies.get_mut(&id) else { continue };
        let crowded = !body.is_army(w.rules) && body.ap(w.rules) + others > most;
        if !crowded {
            body.crowded = 0;
            continue;
        }
        body.crowded = if season { body.crowded + 1 } else { body.crowded.max(1) };
        if body.crowded <= grace {
            continue;
        }
        let mut gone = Vec::new();
        while body.ap(w.rules) + others > most {
            let cheapest = (0..body.elements.len()).min_by_key(|i| {
                let e = &body.elements[*i];
                (e.general(), w.rules.ap(e.troop()), e.label)
            });
            let Some(i) = cheapest else { break };
            gone.extend(body.take(&[i]));
        }
        body.crowded = 0;
        w.tell(
            id.nation,
            rule!("CAM-034"),
            format!("disbands {id} {}", Work::list(&gone)),
            format!("The garrison {} is too large: {} disband.", id.short(), Work::list(&gone)),
        );
    }
    w.s.sweep();
}

/// CAM-117: the campaign ends when one nation is over every other still in the game.
pub(crate) fn the_end(w: &mut Work<'_>) {
    let playing: Vec<NationId> = w.s.playing().collect();
    let winner = playing.iter().copied().find(|n| {
        let outcast = w.world.nation(*n).is_some_and(|x| x.outcast);
        let mut others = playing.iter().filter(|o| *o != n);
        if outcast { others.next().is_none() } else { others.all(|o| w.s.above(*n, *o)) }
    });
    if winner.is_none() && !playing.is_empty() {
        return;
    }
    w.s.winner = winner;
    w.s.phase = Phase::Over;
    let (fact, words) = match winner {
        Some(n) => (format!("wins {n}"), format!("{n} is overlord of all and has won the campaign.")),
        None => ("wins nobody".to_owned(), "No nation is left.".to_owned()),
    };
    let entry = crate::log::Entry { step: 17, rule: rule!("CAM-117"), seen: Seen::Public, fact, words };
    w.s.gazette.push(entry.clone());
    w.entries.push(entry);
}
