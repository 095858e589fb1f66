//! Retreats: before battle (CAM-137) and after it (CAM-080, CAM-084 to CAM-088). All of a step at once.

use super::route::shortest;
use super::sail::weather;
use super::work::{Die, Work, route_kind};
use crate::body::Came;
use crate::ids::{BodyId, PlaceId};
use crate::log::Seen;
use crate::state::Season;
use crate::turn::Stance;
use crate::world::Way;
use dice::NoDice;
use rulebook::{RuleId, rule};
use std::collections::{BTreeMap, BTreeSet};

/// A body that gives way.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) id: BodyId,
    /// Where its orders send it.
    pub(crate) wish: Option<PlaceId>,
    /// Whether it must go: destroyed if it cannot.
    pub(crate) forced: bool,
}

impl Flight {
    pub(crate) fn order(id: BodyId, wish: Option<PlaceId>) -> Self {
        Self { id, wish, forced: false }
    }

    pub(crate) fn remnant(id: BodyId) -> Self {
        Self { id, wish: None, forced: true }
    }

    pub(crate) fn beaten(id: BodyId, wish: Option<PlaceId>) -> Self {
        Self { id, wish, forced: true }
    }
}

/// A way out: where to, by which stages.
#[derive(Clone, Debug)]
struct Out {
    path: Vec<(PlaceId, Way)>,
}

/// All retreats of a step: bodies choose in falling order of AP, equals by dice; what a hostile body chose or holds
/// is closed (CAM-084).
pub(crate) fn give_way(w: &mut Work<'_>, flights: Vec<Flight>, after_battle: bool) -> Result<(), NoDice> {
    let ids = flights.iter().map(|f| f.id).collect();
    let order = w.by_size_among(ids, if after_battle { 43 } else { 42 }, |w, a, b| {
        w.s.hostile(w.rules, a.nation, b.nation)
    })?;
    let leaving: BTreeSet<BodyId> = flights.iter().map(|f| f.id).collect();
    let by_id: BTreeMap<BodyId, Flight> = flights.into_iter().map(|f| (f.id, f)).collect();
    let all_destroyed = w.rules.is("retreat_clash", "all_destroyed");
    let mut taken: BTreeMap<BodyId, Out> = BTreeMap::new();
    let mut stuck = Vec::new();
    for id in order {
        let Some(flight) = by_id.get(&id) else { continue };
        let chosen = {
            let closed = |place: PlaceId| {
                let chosen = taken.iter().any(|(other, out)| {
                    out.path.last().is_some_and(|(p, _)| *p == place) && w.hostile(id, *other, place)
                });
                let held = w.s.bodies_at(place).any(|(other, b)| {
                    !leaving.contains(&other) && b.is_army(w.rules) && w.hostile(id, other, place)
                });
                held || chosen && !all_destroyed
            };
            ways_out(w, flight, after_battle, &leaving, closed)
        };
        // CAM-181: of ways that are equally good the dice choose.
        let mut die = Die::body(id).k(if after_battle { 39 } else { 38 });
        die.place = w.at(id);
        let n = w.tie(die, chosen.len())?;
        match chosen.into_iter().nth(n) {
            Some(out) => {
                taken.insert(id, out);
            }
            None => stuck.push(id),
        }
    }
    let mut crushed: BTreeSet<BodyId> = BTreeSet::new();
    if all_destroyed {
        for (a, x) in &taken {
            for (b, y) in &taken {
                let (Some((p, _)), Some((q, _))) = (x.path.last(), y.path.last()) else { continue };
                if a < b && p == q && w.hostile(*a, *b, *p) {
                    crushed.extend([*a, *b]);
                }
            }
        }
    }
    for (id, out) in taken {
        if crushed.contains(&id) {
            destroy(w, id, "its way out was another's too");
        } else {
            go(w, id, &out, after_battle)?;
        }
    }
    for id in stuck {
        if by_id.get(&id).is_some_and(|f| f.forced) {
            destroy(w, id, "it had no way out");
        } else {
            no_way_out(w, id, rule!("CAM-137"));
        }
    }
    Ok(())
}

/// A retreat that was ordered and is not possible: battle, or siege in one's own city (CAM-137).
pub(crate) fn no_way_out(w: &mut Work<'_>, id: BodyId, rule: RuleId) {
    let Some(at) = w.at(id) else { return };
    // CAM-036: the city has room for so many armies only.
    let room = usize::try_from(w.rules.int("city_armies")).unwrap_or(1);
    let inside = |w: &Work<'_>| {
        let there = w.s.armies_at(w.rules, at).into_iter();
        there.filter(|o| *o != id && w.marching(*o).stance == Stance::StandSiege).count()
    };
    let city = w.s.owner(at) == Some(id.nation) && inside(w) < room;
    if city {
        w.march(id).stance = Stance::StandSiege;
        if let Some(body) = w.s.bodies.get_mut(&id) {
            body.inside = true;
        }
    }
    let does = if city { "stands siege" } else { "gives battle" };
    w.tell(
        id.nation,
        rule,
        format!("no_retreat {id} {at}"),
        format!("{} has no way out of {at} and {does}.", id.short()),
    );
}

pub(crate) fn destroy(w: &mut Work<'_>, id: BodyId, why: &str) {
    let Some(body) = w.s.bodies.remove(&id) else { return };
    let seen = w.witnesses(body.at);
    let seen = match seen {
        Seen::Nations(mut list) => {
            list.insert(id.nation);
            Seen::Nations(list)
        }
        other => other,
    };
    w.log(
        rule!("CAM-080"),
        seen,
        format!("destroyed {id}"),
        format!("{id} is destroyed at {}: {why}.", body.at),
    );
}

/// CAM-085, CAM-086, CAM-137: where a body can go: the best way, or several that are equally good.
fn ways_out(
    w: &Work<'_>,
    flight: &Flight,
    after_battle: bool,
    leaving: &BTreeSet<BodyId>,
    closed: impl Fn(PlaceId) -> bool,
) -> Vec<Out> {
    let id = flight.id;
    let Some(body) = w.body(id) else { return Vec::new() };
    let at = body.at;
    let fly = body.all_fly(w.rules);
    // CAM-003: a neutral city may not be retreated into, and is neither friendly nor empty.
    // An empty province that friends' armies occupy is theirs, and so friendly (CAM-004, CAM-008).
    let nobody = BTreeSet::new();
    let gone = if after_battle { leaving } else { &nobody };
    let empty = |place: PlaceId| {
        let deserted = if after_battle {
            !w.world.place(place).city
                && w.s.bodies_at(place).all(|(other, b)| leaving.contains(&other) || !b.is_army(w.rules))
        } else {
            w.is_empty(place)
        };
        deserted || w.held_by_friends(id, place, gone)
    };
    let headless = (after_battle || flight.forced) && !body.has_general();
    if headless {
        // CAM-080: without a general only to own provinces, however far, through friendly and empty ones.
        let open = |p: PlaceId| !closed(p) && (w.friendly_to(id, p) || empty(p));
        let far = w.world.distances(at, |_, e| route_kind(e.way, fly) && open(e.to));
        let own = || far.iter().filter(|(p, _)| **p != at && w.s.owner(**p) == Some(id.nation));
        let near = |p: &PlaceId| far.get(p) == Some(&1) && w.s.owner(*p) == Some(id.nation);
        let goals: Vec<PlaceId> = match flight.wish.filter(near) {
            Some(wish) => vec![wish],
            None => {
                let least = own().map(|(_, d)| *d).min();
                own().filter(|(_, d)| Some(**d) == least).map(|(p, _)| *p).take(w.choices()).collect()
            }
        };
        let path = |goal| shortest(w, at, goal, |_, e| route_kind(e.way, fly) && open(e.to));
        return goals.into_iter().filter_map(|goal| path(goal).map(|path| Out { path })).collect();
    }
    let open = |p: PlaceId| p != at && !closed(p) && (w.friendly_to(id, p) || empty(p));
    let one = |to: PlaceId, way: Way| vec![Out { path: vec![(to, way)] }];
    // CAM-086: an invader goes by the way it came if it can; by sea to where it sailed from.
    let owner = w.s.owner(at);
    let invader = owner.is_none_or(|o| o != id.nation);
    let exits = w.world.exits(at);
    let by_land = |to: PlaceId| exits.iter().find(|e| e.to == to && route_kind(e.way, fly)).map(|e| e.way);
    if let Some(wish) = flight.wish
        && open(wish)
    {
        if let Some(way) = by_land(wish) {
            return one(wish, way);
        }
        if body.came.is_some_and(|c| c.from == wish && c.way == Way::Sea) {
            return one(wish, Way::Sea);
        }
    }
    if invader
        && let Some(came) = body.came
        && open(came.from)
        && w.world.joined(at, came.from, came.way)
    {
        return one(came.from, came.way);
    }
    // Its own city first, then what is friendly, then what is empty; a place once, by land where both ways lead there.
    let mut usable: Vec<(PlaceId, Way)> =
        exits.iter().filter(|e| route_kind(e.way, fly) && open(e.to)).map(|e| (e.to, e.way)).collect();
    if !w.rules.strict() {
        usable.sort_unstable();
    }
    let near: BTreeMap<PlaceId, Way> = usable.into_iter().rev().collect();
    let rank = |p: &PlaceId| (w.s.owner(*p) != Some(id.nation), !w.friendly_to(id, *p));
    let best = near.keys().map(rank).min();
    let equal = near.iter().filter(|(p, _)| Some(rank(p)) == best).take(w.choices());
    equal.flat_map(|(p, way)| one(*p, *way)).collect()
}

/// The body goes.
fn go(w: &mut Work<'_>, id: BodyId, out: &Out, after_battle: bool) -> Result<(), NoDice> {
    let per_stage = w.rules.limit("retreat_stage_loss");
    for (n, (to, way)) in out.path.iter().enumerate() {
        if *way == Way::Sea {
            // CAM-053, CAM-080: storm rolls again, even in Summer.
            let dice = match w.s.season {
                Season::Spring => w.rules.int("calamity_spring"),
                Season::Summer => w.rules.int("calamity_summer_retreat"),
                Season::Autumn => w.rules.int("calamity_autumn"),
            };
            weather(w, id, dice, 1)?;
        }
        if n > 0 {
            let named = w.named_losses(id);
            let lost = w.lose_ap(id, per_stage, &named, 2 + n)?;
            w.tell(
                id.nation,
                rule!("CAM-086"),
                format!("straggles {id} {}", Work::list(&lost)),
                format!("{} lost {} on its way.", id.short(), Work::list(&lost)),
            );
        }
        let Some(body) = w.s.bodies.get_mut(&id) else { return Ok(()) };
        let from = body.at;
        body.at = *to;
        body.inside = false;
        body.besieging = false;
        body.came = Some(Came { from, way: *way });
    }
    let to = out.path.last().map(|(p, _)| *p);
    let Some(to) = to else { return Ok(()) };
    w.march(id).stance = Stance::Retreated;
    w.march(id).invades = false;
    let rule = if after_battle { rule!("CAM-080") } else { rule!("CAM-137") };
    w.tell(id.nation, rule, format!("retreat {id} {to}"), format!("{} retreats to {to}.", id.short()));
    w.settle(id);
    Ok(())
}
