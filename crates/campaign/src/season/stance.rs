//! Step 7: who gives battle, who stands siege, who gives way (CAM-036, CAM-042, CAM-137).

use super::conditions::Moment;
use super::retreat::{Flight, give_way, no_way_out};
use super::work::Work;
use crate::body::BodyKind;
use crate::ids::{BodyId, PlaceId};
use crate::order::Act;
use crate::turn::Stance;
use dice::NoDice;
use rulebook::rule;
use std::collections::BTreeMap;

/// Stances are chosen on the facts of the moment, all together, then carried out.
pub(crate) fn stances(w: &mut Work<'_>) -> Result<(), NoDice> {
    let mut chosen: BTreeMap<BodyId, Option<Act>> = BTreeMap::new();
    for id in w.ids() {
        w.tell_fallen(id, Moment::Stance);
        let act = w.stance_act(id, &mut Vec::new()).unwrap_or(None);
        chosen.insert(id, act);
    }
    let mut flights = Vec::new();
    let mut held = Vec::new();
    for (id, act) in &chosen {
        let Some(at) = w.at(*id) else { continue };
        let kind = w.s.kind(w.rules, *id);
        let threatened = !w.enemies_at(*id, at).is_empty();
        match kind {
            Some(BodyKind::Remnant) if threatened => {
                // CAM-035: it gives no battle and goes at once, as after a battle.
                flights.push(Flight::remnant(*id));
            }
            Some(BodyKind::Army) => match act {
                // CAM-093: no leaving the province without battle.
                Some(Act::Retreat { .. }) if threatened && w.marching(*id).besieged => held.push(*id),
                Some(Act::Retreat { to }) if threatened => {
                    let back = if to.is_none() && invading(w, *id, at) { way_back(w, *id) } else { None };
                    flights.push(Flight::order(*id, to.or(back)));
                }
                Some(Act::Defend { sally, .. }) => w.march(*id).sally |= *sally,
                Some(Act::Siege) => w.march(*id).invades = true,
                _ => {}
            },
            _ => {}
        }
    }
    stand_siege(w, &chosen)?;
    held.into_iter().for_each(|id| no_way_out(w, id, rule!("CAM-093")));
    give_way(w, flights, false)?;
    // Those whose retreat failed stand siege if they are in their own city, else give battle.
    Ok(())
}

/// Whether it stands in another's province.
fn invading(w: &Work<'_>, id: BodyId, at: PlaceId) -> bool {
    w.s.owner(at) != Some(id.nation)
}

fn way_back(w: &Work<'_>, id: BodyId) -> Option<PlaceId> {
    w.body(id).and_then(|b| b.came).map(|c| c.from)
}

/// CAM-036: which armies go into the city: at most so many, the largest first.
fn stand_siege(w: &mut Work<'_>, chosen: &BTreeMap<BodyId, Option<Act>>) -> Result<(), NoDice> {
    let room = usize::try_from(w.rules.int("city_armies")).unwrap_or(1);
    let mut asking: BTreeMap<PlaceId, Vec<BodyId>> = BTreeMap::new();
    for (id, act) in chosen {
        let Some(at) = w.at(*id) else { continue };
        if !w.is_army(*id) {
            if w.s.kind(w.rules, *id) == Some(BodyKind::Garrison) {
                w.march(*id).stance = Stance::StandSiege;
            }
            continue;
        }
        if matches!(act, Some(Act::StandSiege)) {
            let owner = w.s.owner(at);
            let own = owner == Some(id.nation)
                || owner.is_some_and(|o| w.s.allied(o, id.nation) && w.may_stay(id.nation, at));
            if own {
                asking.entry(at).or_default().push(*id);
            } else {
                w.tell(
                    id.nation,
                    rule!("CAM-036"),
                    format!("void {id} siege {at}"),
                    format!("{} cannot stand siege at {at}: the city is not yours.", id.short()),
                );
            }
        }
    }
    // Armies in no city unless they stand siege there now; a silent one that was inside stays in the field of battle.
    for id in w.ids() {
        if w.is_army(id)
            && let Some(body) = w.s.bodies.get_mut(&id)
            && !asking.get(&body.at).is_some_and(|l| l.contains(&id))
        {
            let sally = w.s.turn.marches.get(&id).is_some_and(|m| m.sally);
            body.inside = body.inside && sally;
        }
    }
    for (place, list) in asking {
        for (n, id) in w.by_size(list, 41)?.into_iter().enumerate() {
            if n < room {
                w.march(id).stance = Stance::StandSiege;
                if let Some(body) = w.s.bodies.get_mut(&id) {
                    body.inside = true;
                }
                if !w.enemies_at(id, place).is_empty() {
                    w.tell(
                        id.nation,
                        rule!("CAM-042"),
                        format!("stands_siege {id} {place}"),
                        format!("{} stands siege in {place}.", id.short()),
                    );
                }
            } else {
                w.tell(
                    id.nation,
                    rule!("CAM-036"),
                    format!("no_room {id} {place}"),
                    format!("{} finds no room in the city of {place} and stands in the field.", id.short()),
                );
            }
        }
    }
    Ok(())
}
