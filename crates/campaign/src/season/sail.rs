//! Step 4: sailing (CAM-052 to CAM-054, CAM-133 to CAM-135).

use super::announce::treaties;
use super::work::{Die, Work};
use crate::ids::{BodyId, NationId, PlaceId};
use crate::log::Seen;
use crate::muster::Element;
use crate::order::{Act, Item, Treaty};
use crate::state::Season;
use crate::turn::Leg;
use crate::world::Way;
use dice::NoDice;
use hott::table::Class;
use rulebook::rule;

/// Ships are allotted, the weather is thrown for, and some turn back.
pub(crate) fn sail(w: &mut Work<'_>) -> Result<(), NoDice> {
    allot(w);
    for id in w.ids() {
        let march = w.marching(id);
        if !march.legs.iter().any(|l| l.way == Way::Sea) {
            continue;
        }
        let port = sea_port(w, id, &march.legs);
        w.march(id).sailed_from = Some(port);
        let dice = match w.s.season {
            Season::Spring => w.rules.int("calamity_spring"),
            Season::Summer => w.rules.int("calamity_summer"),
            Season::Autumn => w.rules.int("calamity_autumn"),
        };
        let lost = weather(w, id, dice, 0)?;
        if w.body(id).is_none() {
            continue;
        }
        abort(w, id, port, &lost);
    }
    Ok(())
}

/// Where the sea leg begins.
fn sea_port(w: &Work<'_>, id: BodyId, legs: &[Leg]) -> PlaceId {
    let start = w.at(id);
    let n = legs.iter().position(|l| l.way == Way::Sea).unwrap_or(0);
    let before = if n == 0 { None } else { legs.get(n - 1).map(|l| l.to) };
    // INVARIANT: a marching body stands somewhere; its own leg is the fallback of a fallback.
    before.or(start).unwrap_or(legs[n.min(legs.len() - 1)].to)
}

/// CAM-134: who sails in whose ships.
fn allot(w: &mut Work<'_>) {
    let passengers: Vec<BodyId> = w
        .ids()
        .into_iter()
        .filter(|id| {
            let sea = w.marching(*id).legs.iter().any(|l| l.way == Way::Sea);
            sea && !w.body(*id).is_some_and(|b| b.all_fly(w.rules))
        })
        .collect();
    let mut waiting = passengers;
    let fleets: Vec<NationId> =
        w.world.nations.iter().filter(|(n, x)| x.fleet && w.s.plays(**n)).map(|(n, _)| *n).collect();
    for owner in fleets {
        let list = wishes(w, owner, &waiting);
        let mut carried = None;
        for id in list {
            if carried.is_none() && may_carry(w, owner, id) {
                carried = Some(id);
            }
        }
        if let Some(id) = carried {
            waiting.retain(|x| *x != id);
            w.log(
                rule!("CAM-134"),
                Seen::among([owner, id.nation, w.acts_for(id)]),
                format!("carried {id} {owner}"),
                format!("The ships of {owner} carry {id}."),
            );
        }
    }
    for id in waiting {
        super::orders::void(w, id, rule!("CAM-134"), "no ships carry it");
    }
}

/// The bodies that ask a fleet to carry them, in the order in which it heeds them.
fn wishes(w: &Work<'_>, owner: NationId, waiting: &[BodyId]) -> Vec<BodyId> {
    let all = treaties(w);
    let lord = w.s.lord(owner);
    let claimed = lord.is_some_and(|l| all.contains(&(l, Treaty::ClaimFleet(owner))));
    let ships =
        |id: BodyId| w.clauses(id).iter().find_map(|a| if let Act::Ships(n) = a { Some(*n) } else { None });
    let consent = |id: BodyId| {
        let names = ships(id);
        let demanded = w.s.turn.demanded.contains_key(&id);
        names == Some(owner) || names.is_none() && (demanded || !w.rules.flag("passenger_consent"))
    };
    let mut out = Vec::new();
    // An overlord's claim goes before the vassal's own use.
    if claimed {
        let of = waiting.iter().copied().filter(|b| Some(w.acts_for(*b)) == lord && consent(*b));
        out.extend(of);
    }
    let own: Vec<BodyId> = waiting
        .iter()
        .copied()
        .filter(|b| b.nation == owner && ships(*b).is_none_or(|s| s == owner) && !out.contains(b))
        .collect();
    // In the order of the owner's lines: own armies by their orders, guests by the line that lends.
    let mut listed = Vec::new();
    for item in w.s.turn.lines.get(&owner).into_iter().flatten().flat_map(|l| &l.items) {
        match item {
            Item::Body(order) if own.contains(&order.body) => listed.push(order.body),
            Item::Treaty(Treaty::Carry(body)) if own.contains(body) => listed.push(*body),
            Item::Treaty(Treaty::Lend(guest)) => {
                let friend = w.s.allied(owner, *guest)
                    || w.s.lord(owner) == Some(*guest)
                    || w.s.lord(*guest) == Some(owner);
                if friend {
                    listed.extend(waiting.iter().copied().filter(|b| b.nation == *guest && consent(*b)));
                }
            }
            _ => {}
        }
    }
    // A demanded army of the owner sails by its overlord's order alone.
    listed.extend(own.iter().copied().filter(|b| w.s.turn.demanded.contains_key(b)));
    if w.rules.is("fleet_choice", "own_first") {
        listed.sort_by_key(|b| b.nation != owner);
    }
    for id in listed {
        if !out.contains(&id) {
            out.push(id);
        }
    }
    out
}

/// CAM-052, CAM-133: from or to one of the fleet owner's own cities, judged when it sails.
fn may_carry(w: &mut Work<'_>, owner: NationId, id: BodyId) -> bool {
    let march = w.marching(id);
    let from = sea_port(w, id, &march.legs);
    let to = march.legs.iter().find(|l| l.way == Way::Sea).map(|l| l.to);
    let port = w.s.owner(from) == Some(owner) || to.is_some_and(|t| w.s.owner(t) == Some(owner));
    if !port {
        w.tell(id.nation, rule!("CAM-052"), format!("no_port {id} {owner}"), format!("The ships of {owner} cannot carry {}: neither {from} nor where it goes is a city of {owner}.", id.short()));
    }
    port && w.is_army(id)
}

/// CAM-053: each die that shows 1 loses an element and is thrown again. Returns what was lost.
pub(crate) fn weather(w: &mut Work<'_>, id: BodyId, dice: i64, k: usize) -> Result<Vec<Element>, NoDice> {
    let mut lost = Vec::new();
    let mut throw = k * 100;
    for _ in 0..dice {
        loop {
            let Some(at) = w.at(id) else { return Ok(lost) };
            let value = w.d6("calamity", Die::body(id).at(at).k(throw))?;
            throw += 1;
            if value != 1 {
                break;
            }
            let Some(element) = drown(w, id, throw, lost.is_empty())? else { return Ok(lost) };
            w.tell(
                id.nation,
                rule!("CAM-053"),
                format!("calamity {id} {}", element.label),
                format!("{} lost {} at sea.", id.short(), element.label),
            );
            lost.push(element);
        }
    }
    Ok(lost)
}

/// One element lost at sea: at random, the first always a mounted one if any is there, the general last.
fn drown(w: &mut Work<'_>, id: BodyId, k: usize, first: bool) -> Result<Option<Element>, NoDice> {
    let Some(body) = w.body(id).cloned() else { return Ok(None) };
    let mut pool: Vec<usize> = (0..body.elements.len()).filter(|i| !body.elements[*i].general()).collect();
    if pool.is_empty() {
        pool = (0..body.elements.len()).collect();
    }
    let mounted = |i: &usize| w.rules.class(body.elements[*i].troop()) == Some(Class::Mounted);
    let riders: Vec<usize> = pool.iter().copied().filter(mounted).collect();
    if first && !riders.is_empty() {
        pool = riders;
    }
    let Some(head) = pool.first().copied() else { return Ok(None) };
    let pick = if pool.len() > 1 {
        let n = usize::from(w.die("drowned", Die::body(id).at(body.at).k(k), pool.len())?);
        pool.get(n.saturating_sub(1)).copied().unwrap_or(head)
    } else {
        head
    };
    let taken = w.s.bodies.get_mut(&id).map(|b| b.take(&[pick])).unwrap_or_default();
    w.s.sweep();
    Ok(taken.into_iter().next())
}

/// CAM-054, CAM-135: above the level named the army turns back.
fn abort(w: &mut Work<'_>, id: BodyId, port: PlaceId, lost: &[Element]) {
    for act in w.clauses(id) {
        let Act::Abort { above, elements } = act else { continue };
        let loss = if elements {
            i64::try_from(lost.len()).unwrap_or(0)
        } else {
            lost.iter().map(|e| w.rules.ap(e.troop())).sum()
        };
        if loss > above {
            let march = w.march(id);
            let keep = march.legs.iter().position(|l| l.to == port).map_or(0, |n| n + 1);
            march.legs.truncate(keep);
            march.invades = false;
            let unit = if elements { "elements" } else { "AP" };
            w.tell(
                id.nation,
                rule!("CAM-054"),
                format!("abort {id} {port}"),
                format!(
                    "{} lost {loss} {unit}, more than the {above} it would bear, and turns back to {port}.",
                    id.short()
                ),
            );
            return;
        }
    }
}
