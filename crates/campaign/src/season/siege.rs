//! Step 11: sieges (CAM-090 to CAM-099).

use super::work::{Die, Work};
use crate::body::BodyKind;
use crate::ids::{BodyId, NationId, PlaceId};
use crate::log::Seen;
use crate::order::Act;
use crate::turn::{Fate, Stance};
use dice::NoDice;
use hott::table::TroopType;
use rulebook::rule;

/// One roll for each besieged city.
pub(crate) fn sieges(w: &mut Work<'_>) -> Result<(), NoDice> {
    for id in w.ids() {
        if let Some(body) = w.s.bodies.get_mut(&id) {
            body.besieging = false;
        }
    }
    let cities: Vec<PlaceId> = w.world.places.iter().filter(|(_, p)| p.city).map(|(id, _)| *id).collect();
    for city in cities {
        let list = besiegers(w, city);
        if list.is_empty() {
            continue;
        }
        let principal = principal(w, city, &list)?;
        siege(w, city, principal, &list)?;
    }
    w.s.sweep();
    Ok(())
}

/// CAM-094 to CAM-097: the armies that besiege a city now.
fn besiegers(w: &Work<'_>, city: PlaceId) -> Vec<BodyId> {
    if w.s.turn.defended.contains(&city) {
        return Vec::new(); // a battle fought by the owner's army: no siege roll
    }
    let owner = w.s.owner(city);
    let fought: Vec<BodyId> = w.s.turn.fates.keys().copied().collect();
    let battle_here = w.s.turn.battles.iter().any(|b| b.at == city);
    w.s.armies_at(w.rules, city)
        .into_iter()
        .filter(|id| {
            let m = w.marching(*id);
            let hostile = owner.is_none_or(|o| w.hostile_to(*id, o, city));
            let wants = m.invades && m.stance == Stance::Battle && !m.reacted;
            // CAM-151: third armies may not besiege in a season of battle there; only the winner does.
            let may = !battle_here || fought.contains(id) && w.s.turn.fates.get(id) == Some(&Fate::Won);
            hostile && wants && may && taken_here(w, city, *id)
        })
        .collect()
}

/// A city won by battle this season is not besieged as well.
fn taken_here(w: &Work<'_>, city: PlaceId, id: BodyId) -> bool {
    !w.s.turn.taken.iter().any(|(p, _, to)| *p == city && *to == w.gains_for(id))
}

/// CAM-095: the one they name alike, else the largest, else by dice.
fn principal(w: &mut Work<'_>, _city: PlaceId, list: &[BodyId]) -> Result<BodyId, NoDice> {
    let named = |w: &Work<'_>, id: BodyId| {
        w.clauses(id).iter().find_map(|a| if let Act::Principal(n) = a { Some(*n) } else { None })
    };
    let wishes: Vec<Option<NationId>> = list.iter().map(|id| named(w, *id)).collect();
    if let Some(Some(nation)) = wishes.first()
        && wishes.iter().all(|x| *x == Some(*nation))
    {
        let of: Vec<BodyId> = list.iter().copied().filter(|b| b.nation == *nation).collect();
        if let Some(first) = w.by_size(of, 45)?.first() {
            return Ok(*first);
        }
    }
    let sorted = w.by_size(list.to_vec(), 45)?;
    // INVARIANT: the caller gives at least one besieger.
    Ok(sorted.first().copied().unwrap_or(list[0]))
}

fn count(w: &Work<'_>, ids: &[BodyId], types: &[TroopType]) -> i64 {
    let elements = ids.iter().filter_map(|id| w.body(*id)).flat_map(|b| &b.elements);
    i64::try_from(elements.filter(|e| types.contains(&e.troop())).count()).unwrap_or(0)
}

fn siege(w: &mut Work<'_>, city: PlaceId, principal: BodyId, all: &[BodyId]) -> Result<(), NoDice> {
    // Only the principal's friends besiege with it.
    let with: Vec<BodyId> =
        all.iter().copied().filter(|b| *b == principal || !w.hostile(*b, principal, city)).collect();
    let owner = w.s.owner(city);
    let defenders: Vec<BodyId> =
        w.s.bodies_at(city)
            .filter(|(id, b)| {
                owner.is_some_and(|o| id.nation == o || w.s.allied(o, id.nation))
                    && (b.inside || w.s.kind(w.rules, *id) == Some(BodyKind::Garrison))
            })
            .map(|(id, _)| id)
            .collect();
    let assault = w
        .clauses(principal)
        .iter()
        .rev()
        .find_map(|a| if let Act::Assault(yes) = a { Some(*yes) } else { None })
        .unwrap_or(false);
    let mut factors: Vec<(&str, i64)> = Vec::new();
    let magic = [TroopType::God, TroopType::Mag];
    let wards = [TroopType::God, TroopType::Mag, TroopType::Clr, TroopType::Pal];
    if count(w, &with, &magic) > 0 && count(w, &defenders, &wards) == 0 {
        factors.push(("magic", w.rules.int("siege_magic")));
    }
    if count(w, &defenders, &magic) > 0 && count(w, &with, &wards) == 0 {
        factors.push(("their magic", -w.rules.int("siege_magic")));
    }
    if count(w, &with, &[TroopType::Art]) > count(w, &defenders, &[TroopType::Art]) {
        factors.push(("Artillery", w.rules.int("siege_artillery")));
    }
    let walls: i64 = defenders
        .iter()
        .filter_map(|id| w.body(*id))
        .map(|b| i64::try_from(b.elements.len()).unwrap_or(0))
        .sum();
    if walls >= w.rules.limit("large_garrison") {
        factors.push(("large garrison", w.rules.int("siege_large_garrison")));
    } else if walls > 0 {
        factors.push(("garrison", w.rules.int("siege_garrison")));
    }
    if owner.is_some_and(|o| w.world.nation(o).is_some_and(|n| n.capital == city)) {
        factors.push(("capital", w.rules.int("siege_capital")));
    }
    if assault {
        factors.push(("assault", w.rules.int("siege_assault")));
    }
    let die = w.d6("siege", Die::place(city))?;
    let total = die + factors.iter().map(|(_, n)| n).sum::<i64>();
    let target = w.rules.int("siege_target");
    let falls = total >= target;
    let list: Vec<String> = factors.iter().map(|(word, n)| format!("{word} {n:+}")).collect();
    let told: Vec<NationId> =
        with.iter().map(|b| b.nation).chain(owner).chain(defenders.iter().map(|b| b.nation)).collect();
    let end = if falls { "it falls" } else { "it holds" };
    let why = if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) };
    w.log(
        rule!("CAM-090"),
        Seen::among(told.clone()),
        format!("siege {city} {die} {total} {}", if falls { "falls" } else { "holds" }),
        format!("Siege of {city} by {principal}: {die}{why} makes {total}, {target} takes the city: {end}."),
    );
    for id in &with {
        if let Some(body) = w.s.bodies.get_mut(id) {
            body.besieging = !falls;
        }
    }
    if !falls {
        let named = w.named_losses(principal);
        let gone = w.lose_ap(principal, w.rules.limit("siege_loss"), &named, 10)?;
        w.log(
            rule!("CAM-091"),
            Seen::among(told.clone()),
            format!("siege_loss {principal} {}", Work::list(&gone)),
            format!("{principal} lost {} before {city}.", Work::list(&gone)),
        );
        if die == 6 {
            defenders_lose(w, &defenders, &told, city)?;
        }
    }
    if assault {
        assault_losses(w, principal, &with, &told, city)?;
    }
    if falls {
        fall(w, city, principal, &defenders);
    }
    Ok(())
}

/// CAM-091: a natural 6 that failed costs the defenders 2 AP.
fn defenders_lose(
    w: &mut Work<'_>,
    defenders: &[BodyId],
    told: &[NationId],
    city: PlaceId,
) -> Result<(), NoDice> {
    // Garrison before army, as elsewhere.
    let first = defenders.iter().copied().min_by_key(|id| (w.is_army(*id), *id));
    let Some(id) = first else { return Ok(()) };
    let named = w.named_losses(id);
    let gone = w.lose_ap(id, w.rules.limit("siege_defender_loss"), &named, 11)?;
    w.log(
        rule!("CAM-091"),
        Seen::among(told.iter().copied()),
        format!("siege_loss {id} {}", Work::list(&gone)),
        format!("The defenders of {city} lost {}.", Work::list(&gone)),
    );
    Ok(())
}

/// CAM-092: an assault costs 4 AP whatever comes of it; an ally bears it only if it agrees.
fn assault_losses(
    w: &mut Work<'_>,
    principal: BodyId,
    with: &[BodyId],
    told: &[NationId],
    city: PlaceId,
) -> Result<(), NoDice> {
    let bears = with.iter().copied().find(|id| *id != principal && w.clauses(*id).contains(&Act::Bear));
    let payer = bears.unwrap_or(principal);
    let named = w.named_losses(payer);
    let gone = w.lose_ap(payer, w.rules.limit("assault_loss"), &named, 12)?;
    w.log(
        rule!("CAM-092"),
        Seen::among(told.iter().copied()),
        format!("assault_loss {payer} {}", Work::list(&gone)),
        format!("The assault on {city} cost {payer} {}.", Work::list(&gone)),
    );
    Ok(())
}

/// CAM-092, CAM-098: the city falls: all forces in it are destroyed, captives are free.
fn fall(w: &mut Work<'_>, city: PlaceId, principal: BodyId, defenders: &[BodyId]) {
    for id in defenders {
        super::retreat::destroy(w, *id, "the city fell");
    }
    let to = w.gains_for(principal);
    super::after::take_city(w, city, to, rule!("CAM-090"));
}
