//! Step 1: what is agreed before the season's deadline binds from its beginning (CAM-118, CAM-132, CAM-174).

use super::work::Work;
use crate::ids::{BodyId, NationId};
use crate::log::Seen;
use crate::order::{Item, Treaty};
use crate::state::pair;
use crate::turn::Passage;
use crate::world::Alignment;
use dice::NoDice;
use rulebook::{RuleId, rule};

/// All treaty orders, by nation in order.
pub(crate) fn treaties(w: &Work<'_>) -> Vec<(NationId, Treaty)> {
    let mut out = Vec::new();
    for (nation, lines) in &w.s.turn.lines {
        for item in lines.iter().flat_map(|l| &l.items) {
            if let Item::Treaty(treaty) = item {
                out.push((*nation, *treaty));
            }
        }
    }
    out
}

/// Step 1.
pub(crate) fn announce(w: &mut Work<'_>) -> Result<(), NoDice> {
    let all = treaties(w);
    for (nation, treaty) in &all {
        if let Treaty::Leave { vassal, about, given } = *treaty {
            leave(w, *nation, vassal, about, given);
        }
    }
    withdrawn(w, &all);
    for (nation, treaty) in &all {
        match *treaty {
            Treaty::Ally(other) if all.contains(&(other, Treaty::Ally(*nation))) => {
                // Both wrote it: once is enough.
                let (a, b) = crate::state::pair(*nation, other);
                if a == *nation {
                    alliance(w, a, b);
                }
            }
            // The other's offer stands from a season before.
            Treaty::Ally(other) if w.s.offers.contains(&(other, Treaty::Ally(*nation))) => {
                let (a, b) = crate::state::pair(*nation, other);
                alliance(w, a, b);
            }
            Treaty::Ally(other) => {
                stands(w, *nation, *treaty);
                w.log(
                    rule!("CAM-118"),
                    Seen::among([*nation, other]),
                    format!("offer {nation} {other}"),
                    format!("{nation} offers {other} an alliance."),
                );
            }
            Treaty::Submit(lord)
                if all.contains(&(lord, Treaty::TakeVassal(*nation)))
                    || w.s.offers.contains(&(lord, Treaty::TakeVassal(*nation))) =>
            {
                submit(w, *nation, lord)
            }
            Treaty::Submit(lord) => {
                stands(w, *nation, *treaty);
                w.log(
                    rule!("CAM-118"),
                    Seen::among([*nation, lord]),
                    format!("asks {nation} {lord}"),
                    format!("{nation} asks to become a vassal of {lord}."),
                );
            }
            Treaty::TakeVassal(vassal) if w.s.offers.contains(&(vassal, Treaty::Submit(*nation))) => {
                submit(w, vassal, *nation);
            }
            Treaty::TakeVassal(vassal) if !all.contains(&(vassal, Treaty::Submit(*nation))) => {
                stands(w, *nation, *treaty);
                w.log(
                    rule!("CAM-118"),
                    Seen::among([*nation, vassal]),
                    format!("offers_lordship {nation} {vassal}"),
                    format!("{nation} offers to take {vassal} as its vassal."),
                );
            }
            Treaty::GiveArmy(body) if body.nation == *nation => {
                // CAM-174: named beforehand, it is the one that is given when one is demanded.
                if let Some(standing) = w.s.nations.get_mut(nation) {
                    standing.offered_army = Some(body.n);
                }
            }
            Treaty::Passage { to, at, stay } => {
                w.s.turn.passages.push(Passage { by: *nation, to, at, stay });
                let place = at.map_or("its provinces".to_owned(), |p| p.to_string());
                let and = if stay { ", and to stay there" } else { "" };
                w.log(
                    rule!("CAM-132"),
                    Seen::among([*nation, to]),
                    format!("passage {nation} {to}"),
                    format!("{nation} lets {to} pass through {place}{and}."),
                );
            }
            Treaty::Winter(lord) => {
                w.s.turn.winter_leave.insert((*nation, lord));
            }
            _ => {}
        }
    }
    for (nation, treaty) in &all {
        if let Treaty::DemandArmy(vassal) = *treaty {
            demand(w, *nation, vassal, &all)?;
        }
    }
    standing_demands(w, &all)
}

/// CAM-118: an offer that is not taken up at once stands (`offers = "stand"`).
fn stands(w: &mut Work<'_>, by: NationId, what: Treaty) {
    if w.rules.is("offers", "stand") {
        w.s.offers.insert((by, what));
    }
}

/// CAM-118: offers taken back are gone before anybody takes them up. An alliance that is rescinded before it came about
/// is such an offer.
fn withdrawn(w: &mut Work<'_>, all: &[(NationId, Treaty)]) {
    for (nation, treaty) in all {
        let gone: Vec<Treaty> = match *treaty {
            Treaty::Withdraw(other) => {
                vec![Treaty::Ally(other), Treaty::Submit(other), Treaty::TakeVassal(other)]
            }
            Treaty::Rescind(other) => vec![Treaty::Ally(other)],
            _ => continue,
        };
        let other = match *treaty {
            Treaty::Withdraw(other) | Treaty::Rescind(other) => other,
            _ => continue,
        };
        let before = w.s.offers.len();
        w.s.offers.retain(|(by, what)| by != nation || !gone.contains(what));
        if w.s.offers.len() < before {
            w.log(
                rule!("CAM-118"),
                Seen::among([*nation, other]),
                format!("withdraws {nation} {other}"),
                format!("{nation} takes back what it offered {other}."),
            );
        } else if matches!(treaty, Treaty::Withdraw(_)) {
            w.tell(
                *nation,
                rule!("CAM-118"),
                format!("void {nation} withdraw {other}"),
                format!("No offer of yours to {other} stands."),
            );
        }
    }
}

fn leave(w: &mut Work<'_>, lord: NationId, vassal: NationId, about: NationId, given: bool) {
    if w.s.lord(vassal) != Some(lord) {
        return w.tell(
            lord,
            rule!("CAM-119"),
            format!("void {lord} leave {vassal}"),
            format!("{vassal} is no vassal of yours: leave is not yours to give."),
        );
    }
    if let Some(standing) = w.s.nations.get_mut(&vassal) {
        if given {
            standing.leave.insert(about);
        } else {
            standing.leave.remove(&about);
        }
    }
    let word = if given { "gives" } else { "takes back" };
    w.log(
        rule!("CAM-119"),
        Seen::among([lord, vassal]),
        format!("leave {vassal} {about} {given}"),
        format!("{lord} {word} {vassal} leave to ally with or invade {about}."),
    );
}

/// CAM-110, CAM-115: whether two nations could ally; why not.
pub(crate) fn could_ally(w: &Work<'_>, a: NationId, b: NationId) -> Option<(RuleId, String)> {
    let (Some(x), Some(y)) = (w.world.nation(a), w.world.nation(b)) else {
        return Some((rule!("CAM-110"), "there is no such nation".to_owned()));
    };
    if a == b {
        return Some((rule!("CAM-110"), "nobody allies with himself".to_owned()));
    }
    if x.outcast || y.outcast {
        let who = if x.outcast { a } else { b };
        return Some((rule!("CAM-115"), format!("{who} is an outcast")));
    }
    if matches!(
        (x.alignment, y.alignment),
        (Alignment::Good, Alignment::Evil) | (Alignment::Evil, Alignment::Good)
    ) {
        return Some((rule!("CAM-110"), "Good does not ally with Evil".to_owned()));
    }
    if x.never_ally.contains(&b) || y.never_ally.contains(&a) {
        return Some((rule!("CAM-110"), "one of them is bound never to".to_owned()));
    }
    if !w.s.plays(a) || !w.s.plays(b) {
        return Some((rule!("CAM-115"), "one of them is out of the game".to_owned()));
    }
    None
}

fn alliance(w: &mut Work<'_>, a: NationId, b: NationId) {
    if w.s.allied(a, b) {
        w.s.clear_offers(a, b);
        return;
    }
    let both = Seen::among([a, b]);
    if let Some((rule, why)) = could_ally(w, a, b) {
        return w.log(rule, both, format!("no_alliance {a} {b}"), format!("{a} and {b} cannot ally: {why}."));
    }
    for (vassal, other) in [(a, b), (b, a)] {
        let Some(lord) = w.s.lord(vassal) else { continue };
        let leave = lord == other || w.s.nations.get(&vassal).is_some_and(|s| s.leave.contains(&other));
        if leave {
            continue;
        }
        if w.rules.is("vassal_leave", "void") {
            return w.log(
                rule!("CAM-119"),
                both,
                format!("no_alliance {a} {b}"),
                format!("{a} and {b} do not ally: {vassal} has no leave of {lord}."),
            );
        }
        w.s.turn.disobedience.push((vassal, format!("allies with {other} without leave")));
    }
    w.s.allies.insert(pair(a, b));
    w.s.clear_offers(a, b);
    w.log(rule!("CAM-110"), Seen::Public, format!("alliance {a} {b}"), format!("{a} and {b} are allies."));
}

fn submit(w: &mut Work<'_>, vassal: NationId, lord: NationId) {
    let both = Seen::among([vassal, lord]);
    let refused = if let Some(why) = could_ally(w, vassal, lord) {
        Some(why)
    } else if w.world.nation(vassal).is_some_and(|n| n.never_vassal_of.contains(&lord)) {
        Some((rule!("CAM-111"), format!("{vassal} is bound never to serve {lord}")))
    } else if w.s.lord(vassal).is_some() {
        Some((rule!("CAM-113"), format!("{vassal} has an overlord already")))
    } else if w.s.above(vassal, lord) {
        Some((rule!("CAM-170"), "it would close a ring of vassals".to_owned()))
    } else {
        None
    };
    if let Some((rule, why)) = refused {
        return w.log(
            rule,
            both,
            format!("no_vassal {vassal} {lord}"),
            format!("{vassal} does not become a vassal of {lord}: {why}."),
        );
    }
    become_vassal(w, vassal, lord, rule!("CAM-111"));
}

/// CAM-111, CAM-173: a nation comes under another.
pub(crate) fn become_vassal(w: &mut Work<'_>, vassal: NationId, lord: NationId, rule: RuleId) {
    w.s.lords.insert(vassal, lord);
    w.s.offers.retain(|(by, what)| {
        let submits = *by == vassal && matches!(what, Treaty::Submit(_));
        !submits && *what != Treaty::TakeVassal(vassal)
    });
    // CAM-172: who swears to a weak overlord knows what he does.
    let weak = w.s.nations.get(&lord).map_or(0, |s| s.shaken);
    if let Some(standing) = w.s.nations.get_mut(&vassal) {
        standing.leave.clear();
        standing.demanded = false;
        standing.sworn = weak;
    }
    w.log(
        rule,
        Seen::Public,
        format!("vassal {vassal} {lord}"),
        format!("{vassal} is now a vassal of {lord}."),
    );
    if w.rules.is("vassal_alliances", "end_at_once") {
        let ended: Vec<_> =
            w.s.allies.iter().copied().filter(|(a, b)| *a == vassal || *b == vassal).collect();
        for (a, b) in ended {
            w.s.allies.remove(&(a, b));
            w.log(
                rule!("CAM-173"),
                Seen::Public,
                format!("alliance_ends {a} {b}"),
                format!("{a} and {b} are allies no longer."),
            );
        }
    }
}

/// CAM-174: an overlord demands an army.
fn demand(
    w: &mut Work<'_>,
    lord: NationId,
    vassal: NationId,
    all: &[(NationId, Treaty)],
) -> Result<(), NoDice> {
    if w.s.lord(vassal) != Some(lord) {
        w.tell(
            lord,
            rule!("CAM-111"),
            format!("void {lord} demand {vassal}"),
            format!("{vassal} is no vassal of yours and owes no army."),
        );
        return Ok(());
    }
    if w.rules.is("demand_lasts", "year")
        && let Some(standing) = w.s.nations.get_mut(&vassal)
    {
        standing.demanded = true;
    }
    take_army(w, lord, vassal, all)
}

fn standing_demands(w: &mut Work<'_>, all: &[(NationId, Treaty)]) -> Result<(), NoDice> {
    let standing: Vec<NationId> = w.s.nations.iter().filter(|(_, s)| s.demanded).map(|(n, _)| *n).collect();
    for vassal in standing {
        let Some(lord) = w.s.lord(vassal) else { continue };
        if !all.contains(&(lord, Treaty::DemandArmy(vassal))) {
            take_army(w, lord, vassal, all)?;
        }
    }
    Ok(())
}

fn take_army(
    w: &mut Work<'_>,
    lord: NationId,
    vassal: NationId,
    all: &[(NationId, Treaty)],
) -> Result<(), NoDice> {
    let named: Option<BodyId> = all.iter().find_map(|(n, t)| match t {
        Treaty::GiveArmy(body) if *n == vassal => Some(*body),
        _ => None,
    });
    let fits = |w: &Work<'_>, b: BodyId| {
        w.is_army(b)
            && (b.nation == vassal || w.s.lord(b.nation) == Some(vassal))
            && !w.s.turn.demanded.contains_key(&b)
    };
    let before = w.s.nations.get(&vassal).and_then(|s| s.offered_army).map(|n| BodyId { nation: vassal, n });
    let named = named.filter(|b| fits(w, *b)).or(before.filter(|b| fits(w, *b)));
    let army = match named {
        Some(army) => Some(army),
        None => {
            let own: Vec<BodyId> =
                w.s.bodies_of(vassal).filter(|(b, _)| fits(w, *b)).map(|(b, _)| b).collect();
            w.by_size(own, 48)?.first().copied()
        }
    };
    match army {
        Some(body) => {
            w.s.turn.demanded.insert(body, lord);
            w.log(
                rule!("CAM-174"),
                Seen::among([lord, vassal, body.nation]),
                format!("demanded {body} {lord}"),
                format!("{body} serves {lord} this season, by its demand of {vassal}."),
            );
        }
        None => w.log(
            rule!("CAM-174"),
            Seen::among([lord, vassal]),
            format!("no_army {vassal}"),
            format!("{vassal} has no army of 8 AP with a general and owes none."),
        ),
    }
    Ok(())
}
