//! Step 2: the set that counts, reading, checks, and what fills the gaps.

use super::conditions::Moment;
use super::work::{Die, Work};
use crate::body::BodyKind;
use crate::ids::{BodyId, NationId, PlaceId};
use crate::order::{Act, Item, Known, OrderSet, SetState, counting, resolve};
use crate::state::{Hand, Phase};
use crate::turn::March;
use dice::NoDice;
use rulebook::{RuleId, rule};

/// CAM-046: reads what counts of every nation's sets.
pub(crate) fn gather(w: &mut Work<'_>) {
    let nations: Vec<NationId> = w.s.playing().collect();
    for nation in nations {
        let mut sets = w.s.sets.get(&nation).cloned().unwrap_or_default();
        by_computer(w, nation, &mut sets);
        let known = Known::of(w.world, w.rules, w.s, nation);
        let resolved = resolve(w.rules, &known, &sets);
        let counts = counting(w.rules, &sets, w.s.deadline);
        discarded(w, nation, "late", &counts.late, "came after the deadline and does not count");
        let unknown = "is headed AMEND, which the house rules do not know: it is void";
        discarded(w, nation, "amend_void", &counts.void, unknown);
        for problem in &resolved.problems {
            let line = problem.place.as_ref().map_or(0, |p| p.line);
            w.tell(
                nation,
                problem.rule.unwrap_or(rule!("CAM-047")),
                format!("unread {nation} line {line}"),
                format!("Line {line} does not count: {}.", problem.message),
            );
        }
        match resolved.number {
            Some(n) => {
                w.tell(
                    nation,
                    rule!("CAM-046"),
                    format!("set {nation} {n}"),
                    format!("Your set {n} counted."),
                );
            }
            None if w.s.phase == Phase::Winter => {}
            None if resolved.lines.is_empty() => {
                w.tell(
                    nation,
                    rule!("CAM-044"),
                    format!("missing {nation}"),
                    "No orders of yours came: your troops held where they stood.",
                );
            }
            None => {}
        }
        if w.s.phase != Phase::Winter {
            absent(w, nation, resolved.number.is_none() && resolved.lines.is_empty());
        }
        w.s.turn.lines.insert(nation, resolved.lines);
    }
}

/// CAM-046: tells a nation which of its sets count for nothing, and why.
fn discarded(w: &mut Work<'_>, nation: NationId, fact: &str, sets: &[&OrderSet], why: &str) {
    for set in sets {
        let n = set.number;
        w.tell(nation, rule!("CAM-046"), format!("{fact} {nation} {n}"), format!("Set {n} {why}."));
    }
}

/// CAM-044: a nation that the computer plays gets its orders, from its own view alone, where nobody sent any.
fn by_computer(w: &Work<'_>, nation: NationId, sets: &mut Vec<OrderSet>) {
    let computer = w.s.nations.get(&nation).is_some_and(|s| s.hand == Hand::Computer);
    if !computer || sets.iter().any(|s| s.state != SetState::Draft) {
        return;
    }
    let seen = crate::view::view_published(w.s, crate::view::Reader::Nation(nation));
    let Some(text) = crate::computer::texts(w.world, w.rules, &seen, 0).into_iter().next() else { return };
    let number = u32::try_from(sets.len()).unwrap_or(u32::MAX).saturating_add(1);
    sets.push(OrderSet { number, text, ..OrderSet::default() });
}

/// CAM-044: who misses season after season may be given to somebody else.
fn absent(w: &mut Work<'_>, nation: NationId, missing: bool) {
    let after = w.rules.int("absent_after");
    let Some(standing) = w.s.nations.get_mut(&nation) else { return };
    if !missing {
        standing.missed = 0;
        return;
    }
    standing.missed += 1;
    if i64::from(standing.missed) < after || standing.hand != Hand::Player {
        return;
    }
    let hand = if w.rules.is("absent_nation", "delegate") {
        Hand::Delegate
    } else if w.rules.is("absent_nation", "computer") {
        Hand::Computer
    } else {
        return;
    };
    standing.hand = hand;
    w.log(
        rule!("CAM-044"),
        crate::log::Seen::Umpire,
        format!("hand {nation} {hand:?}"),
        format!(
            "{nation} has missed too many seasons and goes to the {}.",
            format!("{hand:?}").to_lowercase()
        ),
    );
}

/// Lines that belong to the winter in a season's set, or the other way round: their author is told.
pub(crate) fn out_of_season(w: &mut Work<'_>) {
    let winter = w.s.phase == Phase::Winter;
    let autumn = w.s.season == crate::state::Season::Autumn && !w.rules.is("winter_return", "after_report");
    for (nation, lines) in w.s.turn.lines.clone() {
        for line in &lines {
            let raises = line.items.iter().any(|i| matches!(i, Item::Raise(_)));
            let orders = line.items.iter().any(|i| !matches!(i, Item::Raise(_)));
            let why = match (winter, raises, orders) {
                (true, _, true) => "in Winter only troops are raised and promoted",
                (false, true, _) if !autumn => "troops are raised and promoted in Winter",
                _ => continue,
            };
            w.tell(
                nation,
                rule!("CAM-106"),
                format!("void {nation} line {}", line.n),
                format!("Line {} (\"{}\") does not count: {why}.", line.n, line.text),
            );
        }
    }
}

/// Plans every body's movement.
pub(crate) fn plan(w: &mut Work<'_>) -> Result<(), NoDice> {
    strangers(w);
    out_of_season(w);
    for id in w.ids() {
        let Some(at) = w.at(id) else { continue };
        let inside =
            w.body(id).is_some_and(|b| b.inside) || w.s.kind(w.rules, id) == Some(BodyKind::Garrison);
        let besieged = w.rules.strict() && inside && !w.enemies_at(id, at).is_empty();
        let mut march = March { start: Some(at), besieged, ..March::default() };
        let parts = w.parts(id);
        // Clauses alone (losses, ways of retreat) are no order of CAM-042.
        let says = |a: &Act| a.is_movement() || a.is_stance() || matches!(a, Act::Join(_));
        march.silent = !parts.iter().flat_map(|p| &p.arms).any(|(_, acts)| acts.iter().any(says));
        w.tell_fallen(id, Moment::Movement);
        let mut movement = None;
        let mut stance = None;
        let mut join = None;
        for part in &parts {
            let Some(chosen) = w.choose(id, part, Moment::Movement, &mut Vec::new()) else { continue };
            if w.rules.is("condition_void", "order_void")
                && chosen.fallen.iter().any(|(c, _)| {
                    part.arms.iter().any(|(x, a)| x.as_ref() == Some(c) && a.iter().any(Act::is_movement))
                })
            {
                march.silent = true;
                movement = None;
                break;
            }
            for act in chosen.acts {
                match act {
                    Act::Move { .. } | Act::Invade { .. } if movement.is_none() => {
                        movement = Some(act.clone())
                    }
                    Act::Defend { .. } | Act::StandSiege | Act::Siege | Act::Retreat { .. } => {
                        stance = Some(act.clone())
                    }
                    Act::Join(body) => join = Some(*body),
                    _ => {}
                }
            }
        }
        march.join = join;
        let stance_none = stance.is_none();
        match stance {
            Some(Act::Defend { hold, sally, first }) => {
                march.reacts = !hold && movement.is_none();
                march.first = first;
                march.sally = sally;
            }
            Some(Act::Siege) => march.invades = true,
            _ => {}
        }
        if movement.is_none() && march.silent {
            gap(w, id, &mut march);
        } else if movement.is_none() && stance_none && join.is_none() {
            // No arm of its order holds now: a siege goes on as without one (CAM-044, CAM-048).
            march.invades = w.body(id).is_some_and(|b| b.besieging);
        }
        w.s.turn.marches.insert(id, march);
        match (movement, join) {
            (Some(act), _) => order_movement(w, id, &act),
            (None, Some(body)) if besieged && w.at(body) != Some(at) => shut_in(w, id),
            (None, Some(body)) => super::route::follow(w, id, body),
            (None, None) => {}
        }
    }
    remnants(w)
}

/// CAM-044: a body without an order.
fn gap(w: &mut Work<'_>, id: BodyId, march: &mut March) {
    let Some(body) = w.body(id).cloned() else { return };
    march.invades = body.besieging;
    if w.rules.is("missing_order", "return")
        && body.is_army(w.rules)
        && !w.friendly(id.nation, body.at)
        && let Some(came) = body.came
    {
        march.legs = vec![crate::turn::Leg { to: came.from, way: came.way, stage: 1 }];
        march.invades = false;
        w.tell(
            id.nation,
            rule!("CAM-044"),
            format!("return {id} {}", came.from),
            format!("{} had no order and goes back to {}.", id.short(), came.from),
        );
    }
}

/// CAM-049: orders for bodies that are not one's own.
fn strangers(w: &mut Work<'_>) {
    let all = w.s.turn.lines.clone();
    for (nation, lines) in &all {
        for item in lines.iter().flat_map(|l| &l.items) {
            let Item::Body(order) = item else { continue };
            let foreign = order.body.nation != *nation;
            let demanded = if foreign {
                w.s.turn.demanded.iter().any(|(b, by)| {
                    by == nation && (*b == order.body || order.body.n == 0 && b.nation == order.body.nation)
                })
            } else {
                w.s.turn.demanded.contains_key(&order.body)
            };
            if foreign && !demanded {
                w.tell(
                    *nation,
                    rule!("CAM-049"),
                    format!("void {nation} {}", order.body),
                    format!("An order for {} is void: it is not yours to command.", order.body),
                );
            } else if !foreign && demanded {
                w.tell(
                    *nation,
                    rule!("CAM-049"),
                    format!("void {nation} {}", order.body),
                    format!(
                        "Your order for {} is void: your overlord demanded it and writes its orders.",
                        order.body.short()
                    ),
                );
            }
        }
    }
}

/// Says that an order is void, and why.
pub(crate) fn void(w: &mut Work<'_>, id: BodyId, rule: RuleId, why: &str) {
    let writer = w.acts_for(id);
    w.tell(writer, rule, format!("void {id} {rule}"), format!("{}: the order is void, {why}.", id.short()));
    let silent = March {
        start: w.at(id),
        silent: true,
        invades: w.body(id).is_some_and(|b| b.besieging),
        ..March::default()
    };
    w.s.turn.marches.insert(id, silent);
}

/// Checks a MOVE or INVADE and plans its stages.
fn order_movement(w: &mut Work<'_>, id: BodyId, act: &Act) {
    let (to, via, sea, invade) = match act {
        Act::Move { to, via, sea } => (*to, via, *sea, false),
        Act::Invade { to, via, sea } => (*to, via, *sea, true),
        _ => return,
    };
    let Some(body) = w.body(id).cloned() else { return };
    let kind = w.s.kind(w.rules, id);
    if to == body.at {
        // "Invade" where one stands is SIEGE; "move" is to hold.
        w.march(id).invades = invade;
        return;
    }
    if w.marching(id).besieged {
        return shut_in(w, id);
    }
    if kind != Some(BodyKind::Army) {
        return troops_move(w, id, to, via, invade);
    }
    let strict = w.rules.strict();
    if !strict && body.inside && !w.enemies_at(id, body.at).is_empty() {
        return shut_in(w, id);
    }
    // One's own city is relieved by going there: whoever marches into a hostile army fights it anyway.
    let invade = invade && (!strict || w.s.owner(to) != Some(id.nation) || w.enemies_at(id, to).is_empty());
    if let Some((rule, why)) = target(w, id, to, invade) {
        return void(w, id, rule, &why);
    }
    match super::route::plan(w, id, to, via, sea) {
        Err((rule, why)) => void(w, id, rule, &why),
        Ok(mut legs) => {
            let cut = legs.last().is_none_or(|l| l.to != to);
            if cut {
                // CAM-132: leave to pass is no leave to end a march there.
                while strict && legs.last().is_some_and(|l| !may_end(w, id, l.to)) {
                    legs.pop();
                }
                let writer = w.acts_for(id);
                let end = legs.last().map_or(body.at, |l| l.to);
                if w.rules.is("excess_moves", "void") {
                    return void(
                        w,
                        id,
                        rule!("CAM-045"),
                        &format!("{to} is more stages away than it may march"),
                    );
                }
                w.tell(
                    writer,
                    rule!("CAM-045"),
                    format!("cut {id} {end}"),
                    format!(
                        "{}: {to} is more stages away than it may march; it goes as far as {end}.",
                        id.short()
                    ),
                );
            }
            let march = w.march(id);
            march.legs = legs;
            march.invades = invade;
        }
    }
}

/// CAM-093, CAM-097: a besieged army that is to leave DEFENDs instead, and a besieged garrison stays.
fn shut_in(w: &mut Work<'_>, id: BodyId) {
    let army = w.is_army(id);
    w.march(id).sally |= army;
    let (writer, at) = (w.acts_for(id), w.at(id).map_or_else(String::new, |p| p.to_string()));
    let does = if army { "defends" } else { "stays" };
    w.tell(
        writer,
        rule!("CAM-097"),
        format!("besieged {id}"),
        format!("{} is besieged at {at} and cannot leave without battle: it {does}.", id.short()),
    );
}

/// CAM-042, CAM-132: whether a march may end in a province where no battle or siege is meant.
fn may_end(w: &Work<'_>, id: BodyId, place: PlaceId) -> bool {
    !w.world.place(place).city
        || w.friendly_to(id, place)
        || w.may_stay(id.nation, place)
        || w.may_stay(w.acts_for(id), place)
}

/// CAM-042, CAM-051, CAM-119: whether a province may be the end of such an order.
fn target(w: &mut Work<'_>, id: BodyId, to: PlaceId, invade: bool) -> Option<(RuleId, String)> {
    let nation = w.acts_for(id);
    let owner = w.s.owner(to);
    if !invade {
        let open = may_end(w, id, to) || leave_of_lord(w, id, to);
        return (!open).then(|| {
            let whose = owner.map_or("a neutral city".to_owned(), |o| format!("a city of {o}"));
            (
                rule!("CAM-042"),
                format!("{to} is {whose}: MOVE goes to a friendly or empty province, INVADE would go there"),
            )
        });
    }
    if owner == Some(id.nation) {
        return Some((rule!("CAM-042"), format!("{to} is your own")));
    }
    let Some(owner) = owner else {
        return None; // a neutral city, or an empty province where somebody may stand
    };
    if !w.s.hostile(w.rules, nation, owner) || !w.s.hostile(w.rules, id.nation, owner) {
        return Some((
            rule!("CAM-111"),
            format!("{owner} is your ally, your lord or your vassal, or bound by the same lord"),
        ));
    }
    // CAM-119: a vassal invades with its lord's leave only.
    if let Some(lord) = w.s.lord(id.nation)
        && nation == id.nation
        && !w.s.nations.get(&id.nation).is_some_and(|s| s.leave.contains(&owner))
    {
        if w.rules.is("vassal_leave", "void") {
            return Some((rule!("CAM-119"), format!("{lord} has given no leave to invade {owner}")));
        }
        w.s.turn.disobedience.push((id.nation, format!("{id} invades {to} of {owner} without leave")));
    }
    None
}

/// CAM-113: an overlord's land is open to a vassal with leave only, and that is passage with leave to stay.
fn leave_of_lord(w: &Work<'_>, id: BodyId, to: PlaceId) -> bool {
    w.s.lord(id.nation) == w.s.owner(to) && w.s.owner(to).is_some() && w.may_stay(id.nation, to)
}

/// CAM-032, CAM-035: troops without a general, and remnants.
fn troops_move(w: &mut Work<'_>, id: BodyId, to: PlaceId, via: &[PlaceId], invade: bool) {
    if invade {
        return void(w, id, rule!("CAM-045"), "it is no army: it has less than 8 AP or no general");
    }
    if w.s.owner(to) != Some(id.nation) {
        return void(
            w,
            id,
            rule!("CAM-032"),
            &format!("troops without a general move between their own cities only, and {to} is none"),
        );
    }
    match super::route::plan_friendly(w, id, to, via) {
        Some(legs) => {
            let march = w.march(id);
            march.legs = legs;
        }
        None => void(
            w,
            id,
            rule!("CAM-032"),
            &format!("{to} cannot be reached through friendly provinces within its move"),
        ),
    }
}

/// CAM-035: a remnant without an order makes for the nearest own city.
fn remnants(w: &mut Work<'_>) -> Result<(), NoDice> {
    for id in w.ids() {
        if w.s.kind(w.rules, id) != Some(BodyKind::Remnant) {
            continue;
        }
        let march = w.marching(id);
        let Some(at) = w.at(id) else { continue };
        let homes = w.nearest_own(id, at);
        let Some(home) = homes.first().copied() else { continue };
        let goes = march.legs.last().map(|l| l.to);
        let right = march.join.is_some() || goes.is_none_or(|to| homes.contains(&to));
        if !right {
            void(
                w,
                id,
                rule!("CAM-035"),
                &format!("a remnant goes to its nearest own city, {home}, or to an army of its nation"),
            );
        }
        if w.marching(id).legs.is_empty() && w.marching(id).join.is_none() {
            let n = w.tie(Die::body(id).at(at).k(36), homes.len())?;
            let home = homes.get(n).copied().unwrap_or(home);
            let legs = super::route::homewards(w, id, home);
            let march = w.march(id);
            march.legs = legs;
            march.invades = false;
            w.tell(
                id.nation,
                rule!("CAM-035"),
                format!("remnant {id} {home}"),
                format!("{} is a remnant and makes for {home}.", id.short()),
            );
        }
    }
    Ok(())
}

/// After step 3 a body may be too weak, or too slow, for what was planned in step 2.
pub(crate) fn replan_strength(w: &mut Work<'_>) {
    for id in w.ids() {
        let march = w.marching(id);
        if march.legs.is_empty() {
            continue;
        }
        if !w.is_army(id) && march.invades {
            void(w, id, rule!("CAM-045"), "it is no army: it has less than 8 AP or no general");
            continue;
        }
        let Some(body) = w.body(id) else { continue };
        let stages = body.stages(w.rules) as usize;
        let sea = march.legs.iter().any(|l| l.way == crate::world::Way::Sea);
        if !sea && march.legs.len() > stages {
            w.march(id).legs.truncate(stages);
            w.tell(
                id.nation,
                rule!("CAM-045"),
                format!("cut {id}"),
                format!("{} may march {stages} stages now and goes no farther.", id.short()),
            );
        }
    }
}
