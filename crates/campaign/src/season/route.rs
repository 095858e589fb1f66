//! Routes: which stages a march takes (CAM-050 to CAM-056, CAM-130, CAM-133).

use super::work::{Work, route_kind};
use crate::ids::{BodyId, PlaceId};
use crate::turn::Leg;
use crate::world::{Exit, Way};
use rulebook::{RuleId, rule};
use std::collections::BTreeMap;

type Why = (RuleId, String);

/// The shortest way from a place to another by exits for which `open` holds; equals by name.
pub(crate) fn shortest(
    w: &Work<'_>,
    from: PlaceId,
    to: PlaceId,
    mut open: impl FnMut(PlaceId, Exit) -> bool,
) -> Option<Vec<(PlaceId, Way)>> {
    let mut back: BTreeMap<PlaceId, (PlaceId, Way)> = BTreeMap::new();
    let mut edge = vec![from];
    while !edge.is_empty() && !back.contains_key(&to) {
        let mut next = Vec::new();
        for at in edge {
            for exit in w.world.exits(at) {
                if exit.to != from && !back.contains_key(&exit.to) && open(at, *exit) {
                    back.insert(exit.to, (at, exit.way));
                    next.push(exit.to);
                }
            }
        }
        next.sort_unstable();
        edge = next;
    }
    let mut path = Vec::new();
    let mut at = to;
    while at != from {
        let (before, way) = back.get(&at)?;
        path.push((at, *way));
        at = *before;
    }
    path.reverse();
    Some(path)
}

/// CAM-051: whether a body may pass through a place.
fn passable(w: &Work<'_>, id: BodyId, place: PlaceId) -> bool {
    // CAM-174: a demanded army moves by its nation's rights joined with its overlord's.
    w.friendly_to(id, place)
        || w.may_pass(id.nation, place)
        || w.may_pass(w.acts_for(id), place)
        || !w.world.place(place).city
}

/// Plans an army's march: the legs that it may march, cut to its stages. The last leg is not at `to` if it was cut.
pub(crate) fn plan(
    w: &Work<'_>,
    id: BodyId,
    to: PlaceId,
    via: &[PlaceId],
    sea: bool,
) -> Result<Vec<Leg>, Why> {
    let body = w.body(id).ok_or((rule!("CAM-045"), "it is gone".to_owned()))?;
    let fly = body.all_fly(w.rules);
    let mut path: Vec<(PlaceId, Way)> = Vec::new();
    let mut at = body.at;
    for (n, next) in via.iter().chain(std::iter::once(&to)).enumerate() {
        if *next == at {
            continue;
        }
        let direct = direct(w, at, *next, fly, sea);
        let part = match direct {
            Some(way) => vec![(*next, way)],
            None => {
                // Seas are crossed only where that is asked for or there is no other way.
                let by = |sea: bool| {
                    shortest(w, at, *next, |_, e| {
                        (route_kind(e.way, fly) || sea && e.way == Way::Sea)
                            && (e.to == *next || passable(w, id, e.to))
                    })
                };
                by(sea).or_else(|| if fly { by(true) } else { None }).ok_or_else(|| {
                    let closed = w.world.distances(at, |_, e| route_kind(e.way, fly) || e.way == Way::Sea);
                    let text = if closed.contains_key(next) {
                        format!("no open way leads to {next}: the provinces between are others'")
                    } else {
                        format!("no way that it may use leads to {next}")
                    };
                    (rule!("CAM-051"), text)
                })?
            }
        };
        if n < via.len() && !passable(w, id, *next) {
            return Err((rule!("CAM-051"), format!("{next} is not open to it, so it cannot pass")));
        }
        path.extend(part);
        at = *next;
    }
    staged(w, id, &path, fly)
}

/// The kind of a direct route: by sea if that is asked for, else land, air, and sea where there is no other.
fn direct(w: &Work<'_>, a: PlaceId, b: PlaceId, fly: bool, sea: bool) -> Option<Way> {
    let has = |way| w.world.joined(a, b, way);
    if sea && has(Way::Sea) {
        Some(Way::Sea)
    } else if has(Way::Land) {
        Some(Way::Land)
    } else if fly && has(Way::Air) {
        Some(Way::Air)
    } else if has(Way::Sea) {
        Some(Way::Sea)
    } else {
        None
    }
}

/// CAM-053, CAM-056, CAM-133: with which stage each leg ends.
fn staged(w: &Work<'_>, id: BodyId, path: &[(PlaceId, Way)], fly: bool) -> Result<Vec<Leg>, Why> {
    let seas = path.iter().filter(|(_, way)| *way == Way::Sea).count();
    let last = u32::try_from(w.rules.limit("stages_fast")).unwrap_or(3);
    if seas > 0 {
        if !fly && path.len() > 1 {
            return Err((
                rule!("CAM-133"),
                "a journey by sea takes the whole season: it must be one sea route from port to port"
                    .to_owned(),
            ));
        }
        if seas > 1 || path.len() > 2 {
            return Err((
                rule!("CAM-056"),
                "an aerial army flies one sea route and one standard stage in a season".to_owned(),
            ));
        }
        let legs = match path {
            [(to, way)] => vec![Leg { to: *to, way: *way, stage: last }],
            [(a, Way::Sea), (b, way)] => {
                vec![Leg { to: *a, way: Way::Sea, stage: last - 1 }, Leg { to: *b, way: *way, stage: last }]
            }
            [(a, way), (b, _)] => {
                vec![Leg { to: *a, way: *way, stage: 1 }, Leg { to: *b, way: Way::Sea, stage: last }]
            }
            _ => Vec::new(),
        };
        return Ok(legs);
    }
    let stages = w.body(id).map_or(0, |b| b.stages(w.rules)) as usize;
    Ok((1_u32..)
        .zip(path.iter().take(stages))
        .map(|(stage, (to, way))| Leg { to: *to, way: *way, stage })
        .collect())
}

/// CAM-032: the way of troops without a general through friendly provinces, within their move.
pub(crate) fn plan_friendly(w: &Work<'_>, id: BodyId, to: PlaceId, via: &[PlaceId]) -> Option<Vec<Leg>> {
    let body = w.body(id)?;
    let fly = body.all_fly(w.rules);
    let mut path = Vec::new();
    let mut at = body.at;
    for next in via.iter().chain(std::iter::once(&to)) {
        let part = shortest(w, at, *next, |_, e| {
            route_kind(e.way, fly) && (e.to == to || w.friendly(id.nation, e.to))
        })?;
        path.extend(part);
        at = *next;
    }
    let stages = body.stages(w.rules) as usize;
    (path.len() <= stages)
        .then(|| (1_u32..).zip(path).map(|(stage, (to, way))| Leg { to, way, stage }).collect())
}

/// CAM-035: as far towards its nearest own city as a body may march.
pub(crate) fn homewards(w: &Work<'_>, id: BodyId, home: PlaceId) -> Vec<Leg> {
    let Some(body) = w.body(id) else { return Vec::new() };
    let fly = body.all_fly(w.rules);
    let open = |p: PlaceId| p == home || passable(w, id, p);
    let path = shortest(w, body.at, home, |_, e| route_kind(e.way, fly) && open(e.to)).unwrap_or_default();
    let stages = body.stages(w.rules) as usize;
    (1_u32..).zip(path.into_iter().take(stages)).map(|(stage, (to, way))| Leg { to, way, stage }).collect()
}

/// CAM-033, CAM-138: plans the way of a body that is to join another, to where that will be.
pub(crate) fn follow(w: &mut Work<'_>, id: BodyId, host: BodyId) {
    if host.nation != id.nation || !w.s.bodies.contains_key(&host) {
        return super::orders::void(w, id, rule!("CAM-049"), &format!("{host} is not yours"));
    }
    let here = w.at(id);
    let mut goal = w.at(host);
    // The host's own march is planned from the same orders, so its goal is known to their author.
    for part in w.parts(host) {
        let Some(chosen) = w.choose(host, &part, super::conditions::Moment::Movement, &mut Vec::new()) else {
            continue;
        };
        for act in chosen.acts {
            if let crate::order::Act::Move { to, .. } | crate::order::Act::Invade { to, .. } = act {
                goal = Some(*to);
            }
        }
    }
    let Some(goal) = goal else { return };
    if Some(goal) == here {
        w.march(id).join = Some(host);
        return;
    }
    let army = w.is_army(id);
    // CAM-032: into a contested province troops go only to an army that is there already.
    if !army && !w.friendly(id.nation, goal) && w.at(host) != Some(goal) {
        return super::orders::void(
            w,
            id,
            rule!("CAM-032"),
            &format!("{} is not at {goal} yet, and the province is not friendly", host.short()),
        );
    }
    let legs = if army { plan(w, id, goal, &[], false).ok() } else { plan_friendly(w, id, goal, &[]) };
    match legs {
        Some(legs) => {
            let march = w.march(id);
            march.legs = legs;
            march.join = Some(host);
        }
        None => super::orders::void(
            w,
            id,
            rule!("CAM-032"),
            &format!("{goal} cannot be reached through friendly provinces within its move"),
        ),
    }
}
