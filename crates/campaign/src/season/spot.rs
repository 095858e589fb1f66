//! Step 3: on the spot (CAM-033, CAM-034), and joining after movement.

use super::work::Work;
use crate::body::Body;
use crate::ids::{BodyId, Label};
use crate::muster::Element;
use crate::order::{Act, Dest, Item, Pick};
use crate::turn::Errand;
use dice::NoDice;
use rulebook::rule;

/// Generals change elements, bodies split and join, garrisons form, covert work is named.
pub(crate) fn on_the_spot(w: &mut Work<'_>) -> Result<(), NoDice> {
    let all = w.s.turn.lines.clone();
    for (nation, lines) in &all {
        for item in lines.iter().flat_map(|l| &l.items) {
            match item {
                Item::Transfer { from, picks, to } if from.nation == *nation => {
                    transfer(w, *from, picks, *to)
                }
                Item::Seat { body, element } if body.nation == *nation => seat(w, *body, *element),
                Item::NameGeneral { element, name } => {
                    for body in w.s.bodies.iter_mut().filter(|(id, _)| id.nation == *nation).map(|(_, b)| b) {
                        if let Some(i) = body.find(*element)
                            && let Some(general) = body.elements[i].generals.first_mut()
                        {
                            general.name.clone_from(name);
                        }
                    }
                }
                Item::MakeGeneral(label) => super::generals::make(w, *nation, *label),
                Item::Covert { element, work, at, whom } => {
                    super::covert::name(w, *nation, *element, *work, *at, *whom);
                }
                _ => {}
            }
        }
    }
    for id in w.ids() {
        commander(w, id);
        // Bodies that stand together join now.
        if let Some(host) = w.marching(id).join
            && w.at(id).is_some()
            && w.at(id) == w.at(host)
            && w.marching(id).legs.is_empty()
        {
            join(w, id, host);
        }
    }
    Ok(())
}

/// CAM-027: the owner's choice of the commander.
fn commander(w: &mut Work<'_>, id: BodyId) {
    for act in w.clauses(id) {
        if let Act::Commander(label) = act
            && let Some(body) = w.s.bodies.get_mut(&id)
        {
            let holds = body.find(label).is_some_and(|i| body.elements[i].general());
            if holds {
                body.commander = Some(label);
            } else {
                w.tell(
                    id.nation,
                    rule!("CAM-027"),
                    format!("void {id} commander {label}"),
                    format!("{}: {label} holds no general.", id.short()),
                );
            }
        }
    }
}

/// CAM-021: the general of a body moves to another element.
fn seat(w: &mut Work<'_>, id: BodyId, to: Label) {
    let nation = w.world.nation(id.nation).cloned();
    let (Some(nation), Some(body)) = (nation, w.s.bodies.get_mut(&id)) else { return };
    let from = body.commander();
    let why = match (from, body.find(to)) {
        (None, _) => Some("it has no general".to_owned()),
        (_, None) => Some(format!("it has no {to}")),
        (Some(from), Some(goal)) => {
            let rank = |i: usize| nation.general_rank(body.elements[i].troop());
            match (rank(from), rank(goal)) {
                (_, None) => Some(format!("a {} may not hold a general", to.troop.name())),
                (Some(a), Some(b)) if b > a => {
                    Some("a general does not leave a primary for a secondary type".to_owned())
                }
                (_, Some(1)) if body.elements.iter().any(|e| nation.general_rank(e.troop()) == Some(0)) => {
                    Some("a primary type is there to hold him".to_owned())
                }
                _ => {
                    let moved = if body.elements[from].generals.is_empty() {
                        None
                    } else {
                        Some(body.elements[from].generals.remove(0))
                    };
                    body.elements[goal].generals.extend(moved);
                    body.commander = Some(to);
                    None
                }
            }
        }
    };
    match why {
        Some(why) => w.tell(
            id.nation,
            rule!("CAM-021"),
            format!("void {id} general {to}"),
            format!("{}: the general stays where he is, {why}.", id.short()),
        ),
        None => w.tell(
            id.nation,
            rule!("CAM-021"),
            format!("general {id} {to}"),
            format!("The general of {} is now with {to}.", id.short()),
        ),
    }
}

/// Which elements are meant.
fn picked(body: &Body, picks: &[Pick]) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    for pick in picks {
        match pick {
            Pick::All => out.extend(0..body.elements.len()),
            Pick::One(label) => out.extend(body.find(*label)),
            Pick::Some(n, troop) => {
                let free = |(i, e): &(usize, &Element)| e.troop() == troop.0 && !out.contains(i);
                // Elements without general first.
                let mut fits: Vec<(bool, usize)> =
                    body.elements.iter().enumerate().filter(free).map(|(i, e)| (e.general(), i)).collect();
                fits.sort_unstable();
                out.extend(fits.into_iter().take(usize::from(*n)).map(|(_, i)| i));
            }
        }
    }
    let mut seen = Vec::new();
    out.retain(|i| {
        let new = !seen.contains(i);
        seen.push(*i);
        new
    });
    out
}

/// CAM-033: elements change bodies in one province.
fn transfer(w: &mut Work<'_>, from: BodyId, picks: &[Pick], to: Dest) {
    let Some(body) = w.body(from).cloned() else { return };
    let at = body.at;
    let own_city = w.s.owner(at) == Some(from.nation);
    let void = |w: &mut Work<'_>, why: String| {
        w.tell(
            from.nation,
            rule!("CAM-033"),
            format!("void {from} transfer"),
            format!("{}: nothing changes hands, {why}.", from.short()),
        );
    };
    let places = picked(&body, picks);
    if places.is_empty() {
        return void(w, "it has no such elements".to_owned());
    }
    match to {
        Dest::Body(host) => {
            if host.nation != from.nation || w.at(host) != Some(at) {
                return void(w, format!("{} is not in the same province", host.short()));
            }
            let rest = body.elements.len() - places.len();
            let moved: Vec<Element> = places.iter().map(|i| body.elements[*i].clone()).collect();
            let (taken, refused) = fit(w, host, moved);
            if !refused.is_empty() && w.rules.is("overfull", "void") {
                return void(w, format!("{} would pass {} AP", host.short(), w.rules.limit("army_most")));
            }
            if !left_rightly(w, from, &body, &taken, own_city) && rest > 0 {
                return void(
                    w,
                    "what stays would be no army, and there is no own city for a garrison".to_owned(),
                );
            }
            let gone = taken.iter().filter_map(|e| body.find(e.label)).collect::<Vec<_>>();
            hand_over(w, from, gone, |w, elements| {
                if let Some(b) = w.s.bodies.get_mut(&host) {
                    b.elements.extend(elements);
                }
            });
            if !refused.is_empty() {
                w.tell(
                    from.nation,
                    rule!("CAM-034"),
                    format!("overfull {host}"),
                    format!(
                        "{} stayed: {} may not pass {} AP.",
                        Work::list(&refused),
                        host.short(),
                        w.rules.limit("army_most")
                    ),
                );
            }
            w.tell(
                from.nation,
                rule!("CAM-033"),
                format!("transfer {from} {host} {}", Work::list(&taken)),
                format!("{} went from {} to {}.", Work::list(&taken), from.short(), host.short()),
            );
        }
        Dest::Garrison => {
            if !own_city {
                return void(w, format!("{at} is no city of yours, so no garrison can stay"));
            }
            // CAM-034: a general who joins a large garrison would make an army of it.
            let moved: Vec<Element> = places.iter().map(|i| body.elements[*i].clone()).collect();
            let host = w.s.garrison(w.rules, from.nation, at).filter(|g| *g != from);
            let (taken, refused) = match host {
                Some(host) => fit(w, host, moved),
                None => (moved, Vec::new()),
            };
            let most = w.rules.limit("army_most");
            if !refused.is_empty() {
                if taken.is_empty() || w.rules.is("overfull", "void") {
                    return void(w, format!("the garrison of {at} would be an army of more than {most} AP"));
                }
                w.tell(
                    from.nation,
                    rule!("CAM-034"),
                    format!("overfull {from}"),
                    format!("{} stayed: an army may not pass {most} AP.", Work::list(&refused)),
                );
            }
            let places = taken.iter().filter_map(|e| body.find(e.label)).collect();
            hand_over(w, from, places, |w, elements| {
                let list = Work::list(&elements);
                w.s.into_garrison(w.rules, from.nation, at, elements);
                w.tell(
                    from.nation,
                    rule!("CAM-031"),
                    format!("garrison {from} {at} {list}"),
                    format!("{list} stay as garrison of {at}."),
                );
            });
        }
        Dest::Army => {
            let part = Body::new(at, places.iter().map(|i| body.elements[*i].clone()).collect());
            let most = w.rules.limit("army_most");
            if part.has_general() && part.ap(w.rules) > most {
                return void(w, format!("an army may not pass {most} AP"));
            }
            let both_stand = part.is_army(w.rules) && left_rightly(w, from, &body, &part.elements, own_city);
            if !(own_city || both_stand) {
                return void(
                    w,
                    "one of the parts would be no army, and there is no own city for a garrison".to_owned(),
                );
            }
            hand_over(w, from, places, |w, elements| {
                let mut new = Body::new(at, elements);
                new.came = body.came;
                let id = w.s.new_body(from.nation, new);
                w.march(id).start = Some(at);
                w.march(id).silent = true;
                w.tell(
                    from.nation,
                    rule!("CAM-033"),
                    format!("split {from} {id}"),
                    format!("{} leaves {} at {at}.", id.short(), from.short()),
                );
            });
        }
    }
    w.s.sweep();
    let ids: Vec<BodyId> = w.s.bodies_of(from.nation).filter(|(_, b)| b.at == at).map(|(i, _)| i).collect();
    ids.into_iter().for_each(|id| w.settle(id));
}

/// CAM-033: a part that is no army may be left only as garrison in an own city.
fn left_rightly(w: &Work<'_>, _id: BodyId, body: &Body, taken: &[Element], own_city: bool) -> bool {
    let mut rest = body.clone();
    rest.elements.retain(|e| !taken.iter().any(|t| t.label == e.label));
    own_city || rest.elements.is_empty() || rest.is_army(w.rules)
}

fn hand_over(
    w: &mut Work<'_>,
    from: BodyId,
    mut places: Vec<usize>,
    put: impl FnOnce(&mut Work<'_>, Vec<Element>),
) {
    places.sort_unstable();
    let taken = w.s.bodies.get_mut(&from).map(|b| b.take(&places)).unwrap_or_default();
    put(w, taken);
}

/// CAM-034: which elements still fit into a body that is or becomes an army, in the order listed.
fn fit(w: &Work<'_>, host: BodyId, elements: Vec<Element>) -> (Vec<Element>, Vec<Element>) {
    let Some(body) = w.body(host) else { return (Vec::new(), elements) };
    let army = body.has_general() || elements.iter().any(Element::general);
    let most = w.rules.limit("army_most");
    let mut ap = body.ap(w.rules);
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    for element in elements {
        let more = w.rules.ap(element.troop());
        if army && ap + more > most {
            refused.push(element);
        } else {
            ap += more;
            taken.push(element);
        }
    }
    (taken, refused)
}

/// CAM-033: one body joins another where both stand.
pub(crate) fn join(w: &mut Work<'_>, id: BodyId, host: BodyId) {
    let Some(body) = w.body(id).cloned() else { return };
    if id == host || host.nation != id.nation || w.at(host) != Some(body.at) {
        return;
    }
    let (taken, refused) = fit(w, host, body.elements.clone());
    if !refused.is_empty() && (w.rules.is("overfull", "void") || taken.is_empty()) {
        return w.tell(
            id.nation,
            rule!("CAM-034"),
            format!("overfull {host}"),
            format!(
                "{} does not join {}: it would pass {} AP.",
                id.short(),
                host.short(),
                w.rules.limit("army_most")
            ),
        );
    }
    // Joined bodies have used the stages of the one that used most.
    let used = w.marching(id).done.max(w.marching(host).done);
    let host_march = w.march(host);
    let spare = host_march.legs.len().saturating_sub(used);
    if used > host_march.done {
        host_march.legs.truncate(host_march.done + spare);
    }
    if let Some(b) = w.s.bodies.get_mut(&host) {
        b.elements.extend(taken.iter().cloned());
    }
    if let Some(b) = w.s.bodies.get_mut(&id) {
        b.elements = refused.clone();
    }
    w.s.sweep();
    w.tell(
        id.nation,
        rule!("CAM-033"),
        format!("join {id} {host}"),
        format!("{} joins {} at {}.", id.short(), host.short(), body.at),
    );
    if !refused.is_empty() {
        w.tell(
            id.nation,
            rule!("CAM-034"),
            format!("overfull {host}"),
            format!(
                "{} stayed behind: {} may not pass {} AP.",
                Work::list(&refused),
                host.short(),
                w.rules.limit("army_most")
            ),
        );
    }
}

/// CAM-033, CAM-138: bodies that end their movement together join, if that was ordered.
pub(crate) fn join_at_end(w: &mut Work<'_>) {
    let allowed = w.rules.is("join_when", "start_and_end");
    for id in w.ids() {
        let march = w.marching(id);
        let Some(host) = march.join else { continue };
        let (Some(at), there) = (w.at(id), w.at(host)) else { continue };
        if Some(at) == there && allowed {
            join(w, id, host);
        } else if !w.is_army(id) && !w.friendly(id.nation, at) {
            // CAM-138: the army is not there: back to the last friendly city on the way.
            let back = march.legs[..march.done.min(march.legs.len())]
                .iter()
                .rev()
                .map(|l| l.to)
                .chain(march.start)
                .find(|p| w.s.owner(*p) == Some(id.nation));
            if let (Some(back), Some(body)) = (back, w.s.bodies.get_mut(&id)) {
                body.at = back;
                w.tell(
                    id.nation,
                    rule!("CAM-138"),
                    format!("missed {id} {back}"),
                    format!("{} did not find {} and stopped at {back}.", id.short(), host.short()),
                );
                w.settle(id);
            }
        }
    }
}

/// Covert work named: kept until step 8.
pub(crate) fn errand(w: &mut Work<'_>, errand: Errand) {
    w.s.turn.errands.push(errand);
}
