//! Step 5: movement in stages, all at once (CAM-057, CAM-058, CAM-130, CAM-131).

use super::work::{Die, Work};
use crate::body::Came;
use crate::ids::BodyId;
use crate::log::Seen;
use crate::turn::Leg;
use crate::world::Way;
use dice::NoDice;
use rulebook::rule;
use std::collections::BTreeSet;

/// First, second and third stages.
pub(crate) fn march(w: &mut Work<'_>) -> Result<(), NoDice> {
    let last = u32::try_from(w.rules.limit("stages_fast")).unwrap_or(3);
    for stage in 1..=last {
        let mut going: Vec<(BodyId, Leg)> = Vec::new();
        for id in w.ids() {
            let m = w.marching(id);
            if let Some(leg) = m.legs.get(m.done).filter(|l| l.stage == stage && !m.stopped) {
                going.push((id, *leg));
            }
        }
        // Who already stands with an enemy in the field may leave: only meeting stops, and that was judged then.
        let met = crossings(w, &mut going, stage)?;
        let mut moved = BTreeSet::new();
        for (id, leg) in &going {
            step(w, *id, *leg);
            moved.insert(*id);
        }
        for (id, _) in met {
            w.march(id).stopped = true;
        }
        meetings(w, &moved);
    }
    Ok(())
}

/// One stage of one body.
fn step(w: &mut Work<'_>, id: BodyId, leg: Leg) {
    let army = w.is_army(id);
    let Some(body) = w.s.bodies.get_mut(&id) else { return };
    let from = body.at;
    body.at = leg.to;
    body.inside = false;
    body.besieging = false;
    body.came = Some(Came { from, way: leg.way });
    if army {
        w.s.turn.entered.insert((leg.to, id.nation));
    }
    let march = w.march(id);
    march.done += 1;
    let lands = leg.way == Way::Sea;
    w.tell(
        id.nation,
        rule!("CAM-057"),
        format!("moves {id} {}", leg.to),
        format!("{} {} {}.", id.short(), if lands { "lands at" } else { "comes to" }, leg.to),
    );
    if !army {
        w.settle(id);
    }
}

/// CAM-058: hostile armies that would change places over one route meet. Takes the smaller out of `going`.
fn crossings(
    w: &mut Work<'_>,
    going: &mut Vec<(BodyId, Leg)>,
    stage: u32,
) -> Result<Vec<(BodyId, BodyId)>, NoDice> {
    if w.rules.is("crossing", "pass") {
        return Ok(Vec::new());
    }
    let mut pairs = Vec::new();
    for (n, (a, x)) in going.iter().enumerate() {
        for (b, y) in &going[n + 1..] {
            let (Some(at_a), Some(at_b)) = (w.at(*a), w.at(*b)) else { continue };
            let swap = x.to == at_b && y.to == at_a && x.way == y.way;
            if !swap || !w.is_army(*a) || !w.is_army(*b) {
                continue;
            }
            if w.hostile(*a, *b, at_a) && w.hostile(*a, *b, at_b) {
                pairs.push((*a, at_a, *b, at_b));
            }
        }
    }
    // Where several go each way the largest carries the road, whoever comes first in the list.
    if w.rules.strict() {
        pairs.sort_by_key(|(a, _, b, _)| (std::cmp::Reverse(w.ap(*a).max(w.ap(*b))), *a, *b));
    }
    let mut met = Vec::new();
    let mut stay: BTreeSet<BodyId> = BTreeSet::new();
    for (a, at_a, b, at_b) in pairs {
        if stay.contains(&a) || stay.contains(&b) {
            continue;
        }
        let (pa, pb) = (w.ap(a), w.ap(b));
        let larger = if pa == pb {
            let die = w.tie(Die::body(a).at(at_b).k(stage as usize), 2)?;
            if die == 0 { a } else { b }
        } else if pa > pb {
            a
        } else {
            b
        };
        let (smaller, place) = if larger == a { (b, at_b) } else { (a, at_a) };
        stay.insert(smaller);
        met.push((larger, smaller));
        met.push((smaller, larger));
        w.log(
            rule!("CAM-058"),
            Seen::among([a.nation, b.nation]),
            format!("crossing {larger} {smaller} {place}"),
            format!("{larger} and {smaller} met on the road; they stand at {place}."),
        );
    }
    going.retain(|(id, _)| !stay.contains(id));
    Ok(met)
}

/// CAM-130: an army that shares a province with a hostile army stops there, and so does that one.
fn meetings(w: &mut Work<'_>, moved: &BTreeSet<BodyId>) {
    let ids = w.ids();
    for id in ids {
        let Some(at) = w.at(id) else { continue };
        if !w.is_army(id) || w.marching(id).stopped {
            continue;
        }
        let m = w.marching(id);
        let pending = m.done < m.legs.len();
        let enemies = w.enemies_at(id, at);
        // One that was there before and has not yet set out meets only who came in.
        let newly = moved.contains(&id) || enemies.iter().any(|e| moved.contains(e));
        if !enemies.is_empty() && newly {
            w.march(id).stopped = true;
            if pending {
                let list: Vec<String> = enemies.iter().map(ToString::to_string).collect();
                w.tell(
                    id.nation,
                    rule!("CAM-130"),
                    format!("stop {id} {at}"),
                    format!("{} met {} at {at} and stopped there.", id.short(), list.join(", ")),
                );
            }
        } else if moved.contains(&id) && pending {
            let owner = w.s.owner(at);
            let closed = w.world.place(at).city && owner.is_none_or(|o| w.hostile_to(id, o, at));
            if closed {
                w.march(id).stopped = true;
                w.tell(
                    id.nation,
                    rule!("CAM-130"),
                    format!("stop {id} {at}"),
                    format!("{} may not pass {at} and stopped there.", id.short()),
                );
            }
        }
    }
}
