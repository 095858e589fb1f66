//! Threat zones, a group's shift, known enemies (HOTT-122, HOTT-153 to HOTT-159, BB-038).

use crate::battle::{ElementId, Refusal, Target, Why};
use crate::moves::draft::{Body, Draft, Swept, lined_up_aside, lined_up_facing};
use crate::moves::scene::{paces, refuse};
use crate::moves::{Made, Scene};
use field::{Base, Hull, PACE, TOLERANCE, Zone};
use rulebook::rule;

/// HOTT-153 to HOTT-159, HOTT-R05.
pub(super) fn zones(scene: &Scene<'_>, draft: &Draft, swept: &[Swept], made: &[Made]) -> Result<(), Refusal> {
    if draft.steps.is_empty() || draft.swing {
        return Ok(());
    }
    let mut started = false;
    let mut entered: Option<(ElementId, ElementId)> = None;
    let mut content = false;
    let mut threats: Vec<(ElementId, Zone, bool)> = Vec::new();
    for enemy in scene.on_table() {
        let owner = scene.base(*enemy);
        if !draft.who.iter().any(|w| scene.zone_holds_for(*enemy, *w)) {
            continue;
        }
        let far = |s: &Swept| s.hull.far_from(&owner, scene.zone_depth + TOLERANCE);
        if draft.from.iter().all(|b| b.far_from(&owner, scene.zone_depth + TOLERANCE))
            && swept.iter().all(far)
        {
            continue;
        }
        let zone = scene.zone(*enemy, &draft.who);
        let holds = |b: &Base, m: usize| scene.zone_holds_for(*enemy, draft.who[m]) && zone.holds(b);
        let inside = draft.from.iter().enumerate().any(|(m, b)| holds(b, m));
        if inside {
            started = true;
            threats.push((*enemy, zone, true));
            continue;
        }
        // Deeper in than just entering: HOTT-R05.
        let deep = Zone { depth: zone.depth - 2 * TOLERANCE, ..zone };
        let hits = swept.iter().find(|s| {
            // One cut short at the very front is a line, and nobody enters a line.
            deep.depth > 0
                && !far(s)
                && scene.zone_holds_for(*enemy, draft.who[s.member])
                && deep.holds_hull(&s.hull)
        });
        if let Some(step) = hits {
            entered = entered.or(Some((draft.who[step.member], *enemy)));
            threats.push((*enemy, zone, false));
        }
    }
    if threats.is_empty() {
        return Ok(());
    }
    if started && draft.only_back && entered.is_none() {
        return Ok(()); // (a)
    }
    for (enemy, zone, inside) in &threats {
        if *inside != started {
            continue;
        }
        let theirs = draft.base(scene, *enemy);
        let touching = made.iter().any(|m| m.with == Target::Element(*enemy) && m.way.is_legal()); // (b)
        let facing = draft.now.iter().enumerate().any(|(m, b)| {
            let limit = if *inside { draft.from[m].distance(&theirs) } else { zone.depth };
            lined_up_facing(b, &theirs) && b.within(&theirs, limit)
        }); // (c)
        content |= touching || facing;
    }
    if content {
        return Ok(());
    }
    let threat = threats.iter().find(|t| t.2 == started).map_or(threats[0].0, |t| t.0);
    let who = entered.filter(|_| !started).map_or(draft.who[0], |e| e.0);
    let label = scene.label(threat);
    let (rule, words) = if started {
        let words = format!(
            "{} starts in the threat zone of {label}: it may fall straight back, move into contact or line up facing it",
            scene.label(who)
        );
        (rule!("HOTT-155"), words)
    } else {
        let words = format!(
            "{} enters the threat zone of {label}: from there it may only move into contact or line up facing it",
            scene.label(who)
        );
        (rule!("HOTT-156"), words)
    };
    refuse(rule, Why::ThreatZone { who, enemy: threat }, words)
}

/// HOTT-122: a group's shift sideways.
pub(super) fn shift(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
    if draft.aside == 0 || draft.body != Body::Group {
        return Ok(());
    }
    let numbers = &scene.battle.tables.numbers;
    let most = numbers.group_shift_bw * scene.battle.tables.base_width(scene.battle.scale);
    let who = draft.who[0];
    if !field::reaches(draft.aside, most) {
        return Draft::too_far(scene, who, draft.aside, most, rule!("HOTT-122"), " for a group's shift");
    }
    let reach = numbers.group_shift_reach_bw * scene.battle.tables.base_width(scene.battle.scale);
    let lined = draft.now.iter().zip(&draft.who).any(|(base, who)| {
        scene.on_table().iter().any(|e| {
            let enemy = draft.base(scene, *e);
            scene.battle.enemies(*who, *e) && base.within(&enemy, reach) && lined_up_aside(base, &enemy)
        })
    });
    if lined {
        return Ok(());
    }
    let words = format!(
        "a group shifts sideways only to line up corner to corner with an enemy within {}",
        paces(reach)
    );
    refuse(rule!("HOTT-122"), Why::NotAGroup(who), words)
}

/// BB-033, BB-038: who comes within reach of a known enemy; a further move may not.
pub(super) fn near_enemies(
    scene: &Scene<'_>,
    draft: &Draft,
    swept: &[Swept],
) -> Result<Vec<ElementId>, Refusal> {
    let mut near = Vec::new();
    if !scene.battle.tables.is_big() {
        return Ok(near);
    }
    let reach = scene.battle.tables.numbers.known_enemy_reach * PACE + TOLERANCE;
    for (member, who) in draft.who.iter().enumerate() {
        let close = |hull: &Hull| {
            scene.on_table().iter().find(|e| {
                scene.battle.enemies(*who, **e)
                    && !hull.far_from(&scene.base(**e), reach)
                    && hull.distance(&scene.base(**e)) <= reach
            })
        };
        let start = Hull::base(&draft.from[member]);
        let mine = swept.iter().filter(|s| s.member == member).map(|s| s.hull);
        let mut hulls = std::iter::once(start).chain(mine);
        if let Some(enemy) = hulls.find_map(|h| close(&h)) {
            if draft.further {
                let words = format!(
                    "{} makes a further move and must stay more than {} from {}",
                    scene.label(*who),
                    paces(reach - TOLERANCE),
                    scene.label(*enemy)
                );
                return refuse(rule!("BB-038"), Why::ThreatZone { who: *who, enemy: *enemy }, words);
            }
            near.push(*who);
        }
    }
    Ok(near)
}
