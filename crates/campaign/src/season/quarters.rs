//! Step 16, first part: winter quarters (CAM-100, CAM-102 to CAM-105, CAM-107).

use super::route::shortest;
use super::work::{Die, Work, route_kind};
use crate::body::BodyKind;
use crate::ids::{BodyId, Label, NationId, PlaceId};
use crate::muster::Element;
use crate::order::Act;
use crate::world::Way;
use dice::NoDice;
use rulebook::rule;

/// All armies go into quarters; claims on one city are met in the order of CAM-103.
pub(crate) fn quarters(w: &mut Work<'_>) -> Result<(), NoDice> {
    // Garrisons have their place; then owners' armies by falling AP, then allies'.
    let all: Vec<BodyId> =
        w.ids().into_iter().filter(|id| w.s.kind(w.rules, *id) != Some(BodyKind::Garrison)).collect();
    // Only those who may claim the same city are rivals.
    let sorted = w.by_size_among(all, 47, |w, a, b| {
        a.nation == b.nation || w.s.friend(a.nation, b.nation) || w.s.friend(b.nation, a.nation)
    })?;
    let mut housed: Vec<BodyId> =
        w.ids().into_iter().filter(|id| w.s.kind(w.rules, *id) == Some(BodyKind::Garrison)).collect();
    let at_home = |w: &Work<'_>, id: &BodyId| w.at(*id).is_some_and(|p| w.s.owner(p) == Some(id.nation));
    let (own, others): (Vec<BodyId>, Vec<BodyId>) = sorted.into_iter().partition(|id| at_home(w, id));
    for id in own {
        lodge(w, id, &mut housed)?;
    }
    // CAM-103: whoever goes to a city of his own comes before its guests, also from outside.
    let home = |w: &Work<'_>, id: BodyId, housed: &[BodyId]| {
        // Equal goals are all one's own or all others'.
        goals_of(w, id, housed).first().is_some_and(|goal| w.s.owner(*goal) == Some(id.nation))
    };
    let (first, guests): (Vec<BodyId>, Vec<BodyId>) =
        others.into_iter().partition(|id| home(w, *id, &housed));
    for id in first.into_iter().chain(guests) {
        lodge(w, id, &mut housed)?;
    }
    overfull(w);
    for body in w.s.bodies.values_mut() {
        body.besieging = false;
        if w.s.owners.contains_key(&body.at) {
            body.came = None;
        }
    }
    w.s.sweep();
    Ok(())
}

/// One body goes where it has room, or is cut off.
fn lodge(w: &mut Work<'_>, id: BodyId, housed: &mut Vec<BodyId>) -> Result<(), NoDice> {
    let goals = goals_of(w, id, housed);
    // CAM-181: of cities equally near the dice choose.
    let mut die = Die::body(id).k(37);
    die.place = w.at(id);
    let n = w.tie(die, goals.len())?;
    match goals.get(n).and_then(|goal| way_to(w, id, *goal)) {
        Some(way) => travel(w, id, &way),
        None => cut_off(w, id)?,
    }
    housed.push(id);
    Ok(())
}

/// CAM-100, CAM-102, CAM-113: whether a nation may winter in a city at all.
fn may_winter(w: &Work<'_>, nation: NationId, city: PlaceId) -> bool {
    let Some(owner) = w.s.owner(city) else { return false };
    owner == nation
        || w.s.allied(owner, nation)
        || (w.s.lord(owner) == Some(nation) || w.s.lord(nation) == Some(owner))
            && w.s.turn.winter_leave.contains(&(owner, nation))
}

/// Whether a body still finds room in a city beside those housed there.
fn has_room(w: &Work<'_>, id: BodyId, city: PlaceId, housed: &[BodyId]) -> bool {
    let Some(owner) = w.s.owner(city) else { return false };
    let there: Vec<BodyId> = housed.iter().copied().filter(|b| *b != id && w.at(*b) == Some(city)).collect();
    let ap = |of: &dyn Fn(&BodyId) -> bool| there.iter().filter(|b| of(b)).map(|b| w.ap(*b)).sum::<i64>();
    let mine = w.ap(id);
    let owners = ap(&|b| b.nation == owner);
    let guests = ap(&|b| b.nation != owner);
    if w.rules.is("winter_capacity", "army_and_garrison") {
        let armies = there.iter().filter(|b| w.is_army(**b)).count();
        let one = !w.is_army(id) || armies == 0 && mine <= w.rules.limit("army_most");
        return one && (id.nation == owner || owners <= w.rules.limit("winter_owner_room"));
    }
    if id.nation == owner {
        if guests > 0 {
            owners + mine <= w.rules.limit("winter_owner_room")
        } else {
            owners + mine <= w.rules.limit("winter_city_room")
        }
    } else {
        guests == 0
            && mine <= w.rules.limit("winter_guest_room")
            && owners <= w.rules.limit("winter_owner_room")
    }
}

/// The provinces through which a body's way to its quarters leads (CAM-103).
fn open_to<'a>(w: &'a Work<'_>, id: BodyId) -> impl Fn(PlaceId) -> bool + 'a {
    let enemy = move |p: PlaceId| w.s.armies_at(w.rules, p).into_iter().any(|b| w.hostile(id, b, p));
    move |p: PlaceId| {
        w.friendly_to(id, p)
            || w.may_pass(id.nation, p)
            || may_winter(w, id.nation, p)
            || !w.world.place(p).city && !enemy(p)
    }
}

/// Where a body winters: the place its orders name, else the nearest city with room, its own before others'; several
/// where they are equal.
fn goals_of(w: &Work<'_>, id: BodyId, housed: &[BodyId]) -> Vec<PlaceId> {
    let Some(body) = w.body(id) else { return Vec::new() };
    let fly = body.all_fly(w.rules);
    let open = open_to(w, id);
    let far = w.world.distances(body.at, |_, e| route_kind(e.way, fly) && open(e.to));
    let fits = |p: PlaceId| may_winter(w, id.nation, p) && has_room(w, id, p, housed);
    let wish = w.clauses(id).iter().find_map(|a| if let Act::Winter(p) = a { Some(*p) } else { None });
    if let Some(wish) = wish.filter(|p| far.contains_key(p) && fits(*p)) {
        return vec![wish];
    }
    let rank = |p: PlaceId, d: u32| (d, w.s.owner(p) != Some(id.nation));
    let fitting: Vec<(PlaceId, u32)> = far.iter().map(|(p, d)| (*p, *d)).filter(|(p, _)| fits(*p)).collect();
    let best = fitting.iter().map(|(p, d)| rank(*p, *d)).min();
    let equal = fitting.into_iter().filter(|(p, d)| Some(rank(*p, *d)) == best).map(|(p, _)| p);
    equal.take(w.choices()).collect()
}

/// The stages of a body's way to its quarters.
fn way_to(w: &Work<'_>, id: BodyId, goal: PlaceId) -> Option<Vec<PlaceId>> {
    let body = w.body(id)?;
    let fly = body.all_fly(w.rules);
    let open = open_to(w, id);
    let path = shortest(w, body.at, goal, |_, e| route_kind(e.way, fly) && open(e.to))?;
    Some(path.into_iter().map(|(p, _)| p).collect())
}

/// One stage back is free; farther costs 2 elements a stage (CAM-100).
fn travel(w: &mut Work<'_>, id: BodyId, path: &[PlaceId]) {
    let Some(goal) = path.last().copied().or_else(|| w.at(id)) else { return };
    let stages = path.len();
    let paid = match stages {
        0 | 1 => 0,
        n if w.rules.is("winter_march", "beyond_first") => n - 1,
        n => n,
    };
    let n = paid * usize::try_from(w.rules.limit("winter_march_loss")).unwrap_or(2);
    let gone = lose_elements(w, id, n);
    if !gone.is_empty() {
        w.tell(
            id.nation,
            rule!("CAM-100"),
            format!("winter_march {id} {}", Work::list(&gone)),
            format!("{} lost {} on the way to winter quarters.", id.short(), Work::list(&gone)),
        );
    }
    if let Some(body) = w.s.bodies.get_mut(&id) {
        body.at = goal;
        body.inside = false;
        w.tell(
            id.nation,
            rule!("CAM-103"),
            format!("winters {id} {goal}"),
            format!("{} winters at {goal}.", id.short()),
        );
        w.settle(id);
    }
}

/// Elements lost: those named, else the cheapest, the general's last (CAM-103).
fn lose_elements(w: &mut Work<'_>, id: BodyId, n: usize) -> Vec<Element> {
    let named: Vec<Label> = w.named_losses(id);
    let rules = w.rules;
    let Some(body) = w.s.bodies.get_mut(&id) else { return Vec::new() };
    let mut gone = Vec::new();
    for _ in 0..n.min(body.elements.len()) {
        let wish = named.iter().find_map(|l| body.find(*l));
        let next = wish.or_else(|| {
            (0..body.elements.len()).min_by_key(|i| {
                let e = &body.elements[*i];
                (e.general(), rules.ap(e.troop()), e.label)
            })
        });
        if let Some(i) = next {
            gone.extend(body.take(&[i]));
        }
    }
    w.s.sweep();
    gone
}

/// CAM-104: no friendly city with room can be reached.
fn cut_off(w: &mut Work<'_>, id: BodyId) -> Result<(), NoDice> {
    let ap = w.ap(id);
    let n = w.rules.limit("winter_cut_off").max((ap + 1) / 2);
    let named = w.named_losses(id);
    let gone = w.lose_ap(id, n, &named, 30)?;
    let at = w.at(id);
    let place = at.map_or_else(String::new, |p| format!(" at {p}"));
    w.tell(
        id.nation,
        rule!("CAM-104"),
        format!("cut_off {id} {}", Work::list(&gone)),
        format!("{} is cut off{place} and loses {}.", id.short(), Work::list(&gone)),
    );
    Ok(())
}

/// CAM-105: a city over its room when all have come.
fn overfull(w: &mut Work<'_>) {
    let room = w.rules.limit("winter_city_room");
    let cities: Vec<(PlaceId, NationId)> = w.s.owners.iter().map(|(p, n)| (*p, *n)).collect();
    for (city, owner) in cities {
        loop {
            let there: Vec<BodyId> =
                w.s.bodies_of(owner).filter(|(_, b)| b.at == city).map(|(id, _)| id).collect();
            let guests: i64 =
                w.s.bodies_at(city).filter(|(id, _)| id.nation != owner).map(|(id, _)| w.ap(id)).sum();
            let apart = w.rules.is("winter_capacity", "army_and_garrison");
            // With `army_and_garrison` armies have their own room, which their claims have seen to.
            let there: Vec<BodyId> = there.into_iter().filter(|id| !apart || !w.is_army(*id)).collect();
            let total: i64 = there.iter().map(|id| w.ap(*id)).sum();
            let most = if apart {
                w.rules.limit("garrison_most")
            } else if guests > 0 {
                w.rules.limit("winter_owner_room").max(0)
            } else {
                room
            };
            if total <= most {
                break;
            }
            // Troops that the orders send elsewhere leave first.
            let sent = |id: &BodyId| w.clauses(*id).iter().any(|a| matches!(a, Act::Winter(p) if *p != city));
            let first = there.iter().copied().min_by_key(|id| (!sent(id), w.is_army(*id), w.ap(*id), *id));
            let Some(id) = first else { break };
            let element = w.body(id).and_then(|b| {
                b.elements
                    .iter()
                    .min_by_key(|e| (e.general(), w.rules.ap(e.troop()), e.label))
                    .map(|e| e.label)
            });
            let Some(label) = element else { break };
            let wish = w.clauses(id).iter().find_map(|a| match a {
                Act::Winter(p) if *p != city => Some(*p),
                _ => None,
            });
            leave(w, id, label, (city, wish), owner);
        }
    }
}

/// One element leaves for the city that its orders name, else the nearest own one with room, or is lost.
fn leave(
    w: &mut Work<'_>,
    id: BodyId,
    label: Label,
    (city, wish): (PlaceId, Option<PlaceId>),
    owner: NationId,
) {
    let taken = match w.s.bodies.get_mut(&id) {
        Some(body) => body.find(label).map(|i| body.take(&[i])).unwrap_or_default(),
        None => Vec::new(),
    };
    w.s.sweep();
    let goal = if w.rules.is("overfull_winter", "cheapest_leave") {
        let far = w.world.distances(city, |_, e| e.way == Way::Land && w.friendly(owner, e.to));
        let room = w.rules.limit("winter_city_room");
        let ap = |p: PlaceId| w.s.bodies_at(p).map(|(b, _)| w.ap(b)).sum::<i64>();
        let fits =
            |p: PlaceId| p != city && w.s.owner(p) == Some(owner) && ap(p) + w.rules.ap(label.troop) <= room;
        wish.filter(|p| far.contains_key(p) && fits(*p)).or_else(|| {
            far.iter().filter(|(p, _)| fits(**p)).min_by_key(|(p, d)| (**d, **p)).map(|(p, _)| *p)
        })
    } else {
        None
    };
    match goal {
        Some(goal) => {
            let host = w.s.into_garrison(w.rules, owner, goal, taken);
            w.hold_to_limit(host);
            w.tell(
                owner,
                rule!("CAM-105"),
                format!("leaves {label} {city} {goal}"),
                format!("{city} is full: {label} goes on to {goal}."),
            );
        }
        None => {
            w.tell(
                owner,
                rule!("CAM-105"),
                format!("disbands {label} {city}"),
                format!("{city} is full: {label} disbands."),
            );
        }
    }
}
