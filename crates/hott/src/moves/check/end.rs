//! Where movers end and what they touch there (HOTT-115, HOTT-117, HOTT-142, HOTT-143, HOTT-161 to HOTT-171).

use crate::battle::{ElementId, Refusal, Strong, Target, Why};
use crate::contacts::counts;
use crate::moves::draft::{Body, Draft};
use crate::moves::scene::{off_board, refuse};
use crate::moves::{Made, Scene};
use crate::table::options::AirGroundAttack;
use crate::table::{Class, TroopType};
use field::{
    Base, Beyond, Contact, Edge, Line, TOLERANCE, beyond, beyond_rear, contact, front_edge_touches,
    shared_edge,
};
use rulebook::rule;

/// HOTT-115, HOTT-117, HOTT-142, HOTT-143: where each ends.
pub(super) fn ends(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
    let end = |id: ElementId, base: &Base, skip_movers: bool| -> Result<(), Refusal> {
        if !scene.battle.board.contains(base) {
            return refuse(rule!("HOTT-115"), Why::OffBoard(id), off_board(scene, id, &base.corners()));
        }
        for other in scene.on_table() {
            if *other == id || (skip_movers && draft.who.contains(other)) {
                continue;
            }
            let theirs = draft.base(scene, *other);
            if base.overlaps(&theirs) {
                let words = format!("{} would end on top of {}", scene.label(id), scene.label(*other));
                let rule =
                    if scene.class(id) == Class::Aerial { rule!("HOTT-143") } else { rule!("HOTT-117") };
                return refuse(rule, Why::OnTopOf { who: id, other: *other }, words);
            }
        }
        if let Some((side, _)) = scene.strongholds().iter().find(|(_, s)| base.overlaps(s)) {
            let letter = scene.battle.sides[side.index()].letter;
            let words = format!("{} would end on the Stronghold of {letter}", scene.label(id));
            let rule = if scene.class(id) == Class::Aerial { rule!("HOTT-143") } else { rule!("HOTT-117") };
            return refuse(rule, Why::Other, words);
        }
        let under = scene.state.ground.under(base);
        let class = scene.class(id);
        match under.forbids_end(&scene.battle.tables, class) {
            Some(rule) if class == Class::Aerial || !draft.road => {
                let why = scene.state.ground.why_not(&scene.battle.tables, rule, |f| f.shape.overlaps(base));
                refuse(rule, Why::NoGoing(id), format!("{} would end in {why}", scene.label(id)))
            }
            _ => Ok(()),
        }
    };
    // A rigid group cannot overlap itself.
    for (id, base) in draft.who.iter().zip(&draft.now) {
        end(*id, base, draft.body == Body::Group)?;
    }
    if let Some((enemy, pose)) = draft.conformed {
        end(enemy, &scene.base(enemy).at(pose), false)?;
    }
    Ok(())
}

/// HOTT-161 to HOTT-171: what the movers touch where they end.
pub(super) fn touches(scene: &Scene<'_>, draft: &Draft) -> Result<Vec<Made>, Refusal> {
    let mut made: Vec<Made> = Vec::new();
    let mut partial: Option<(ElementId, ElementId)> = None;
    for (member, who) in draft.who.iter().enumerate() {
        let end = draft.now[member];
        for enemy in scene.on_table() {
            if !scene.battle.enemies(*who, *enemy) || end.far_from(&scene.base(*enemy), scene.width) {
                continue;
            }
            let theirs = draft.base(scene, *enemy);
            match touch(scene, draft, *who, *enemy, &end, &theirs)? {
                Touch::Nothing => {}
                Touch::Partial => partial = partial.or(Some((*who, *enemy))),
                Touch::Contact(way) => {
                    if way.is_legal() && !draft.swing {
                        began_right(scene, *who, *enemy, way, &theirs)?;
                    }
                    made.push(Made { who: *who, with: Target::Element(*enemy), way });
                }
            }
        }
        strongholds(scene, draft, *who, &end, &mut made)?;
    }
    if let Some((who, enemy)) = partial
        && (draft.body == Body::Single || made.is_empty())
    {
        let words = format!(
            "{} would touch {} in no legal way: front edge on front, flank or rear, corner to corner",
            scene.label(who),
            scene.label(enemy)
        );
        return refuse(rule!("HOTT-170"), Why::NoContact { who, enemy }, words);
    }
    if let Some(gun) = draft.who.iter().find(|id| scene.ty(**id) == TroopType::Art)
        && !made.is_empty()
    {
        let words = format!("{} is Artillery and may not move into contact", scene.label(*gun));
        return refuse(rule!("HOTT-169"), Why::NoContact { who: *gun, enemy: *gun }, words);
    }
    Ok(made)
}

enum Touch {
    Nothing,
    Partial,
    Contact(Contact),
}

/// What one mover's touch with one enemy is.
fn touch(
    scene: &Scene<'_>,
    draft: &Draft,
    who: ElementId,
    enemy: ElementId,
    end: &Base,
    theirs: &Base,
) -> Result<Touch, Refusal> {
    let way = contact(end, theirs);
    if way == Contact::None {
        return Ok(Touch::Nothing);
    }
    let aerial = |id: ElementId| scene.class(id) == Class::Aerial;
    match (aerial(who), aerial(enemy)) {
        // HOTT-166: undeclared it passes overhead.
        (true, false) if !draft.attack => return Ok(Touch::Nothing),
        (false, true) => {
            let both = scene.battle.tables.options.air_ground_attack == AirGroundAttack::Both;
            if !way.is_legal() {
                return Ok(if both && counts(scene.battle, scene.state, who, enemy) {
                    sides_only(end, theirs, way)
                } else {
                    Touch::Nothing
                });
            }
            if !both {
                let words = format!(
                    "{} is on the ground and may not move into contact with the Aerial {}",
                    scene.label(who),
                    scene.label(enemy)
                );
                return refuse(rule!("HOTT-167"), Why::NoContact { who, enemy }, words);
            }
        }
        _ => {}
    }
    Ok(if way.is_legal() { Touch::Contact(way) } else { sides_only(end, theirs, way) })
}

/// Corners, and side edge along side edge, are no contact and allowed (HOTT-165, HOTT-242); the rest is not legal.
fn sides_only(end: &Base, theirs: &Base, way: Contact) -> Touch {
    match way {
        Contact::Corner => Touch::Nothing,
        Contact::SideEdge => {
            let along = |mine: Edge, their: Edge| shared_edge(end, mine, theirs, their) > 2 * TOLERANCE;
            let sides = [Edge::Left, Edge::Right];
            let beside = sides.iter().any(|m| sides.iter().any(|t| along(*m, *t)));
            let other = Edge::ALL.iter().any(|m| {
                Edge::ALL.iter().any(|t| !(sides.contains(m) && sides.contains(t)) && along(*m, *t))
            });
            if beside && !other { Touch::Nothing } else { Touch::Partial }
        }
        _ => Touch::Partial,
    }
}

/// HOTT-171: where the mover must have begun the bound.
fn began_right(
    scene: &Scene<'_>,
    who: ElementId,
    enemy: ElementId,
    way: Contact,
    theirs: &Base,
) -> Result<(), Refusal> {
    if began_beyond(scene, who, way, theirs) {
        return Ok(());
    }
    let words = match way {
        Contact::Rear => format!(
            "{} did not start the bound wholly behind the rear line of {}",
            scene.label(who),
            scene.label(enemy)
        ),
        _ => format!(
            "{} did not start the bound beyond the flank of {} (wholly, or partly and partly behind its rear line)",
            scene.label(who),
            scene.label(enemy)
        ),
    };
    refuse(rule!("HOTT-171"), Why::NoContact { who, enemy }, words)
}

/// HOTT-171: whether an element began the bound where contact in this way asks for.
pub(in crate::moves) fn began_beyond(scene: &Scene<'_>, who: ElementId, way: Contact, enemy: &Base) -> bool {
    let began = Base::new(scene.state.element(who).began, scene.battle.element(who).size);
    match way {
        Contact::Rear => beyond_rear(&began, enemy),
        Contact::Flank(side) => match beyond(&began, enemy, Line::Flank(side)) {
            Beyond::Wholly => true,
            Beyond::Partly => beyond(&began, enemy, Line::Rear) != Beyond::Not,
            Beyond::Not => false,
        },
        _ => true,
    }
}

/// HOTT-164: contact with Strongholds.
fn strongholds(
    scene: &Scene<'_>,
    draft: &Draft,
    who: ElementId,
    end: &Base,
    made: &mut Vec<Made>,
) -> Result<(), Refusal> {
    for (side, base) in scene.strongholds() {
        let stands = matches!(scene.state.side(*side).strong, Strong::Stands(_));
        let hostile = scene.battle.hostile(scene.battle.element(who).side, *side);
        let declared = scene.class(who) != Class::Aerial || draft.attack;
        if stands && hostile && declared && front_edge_touches(end, base) {
            made.push(Made { who, with: Target::Stronghold(*side), way: Contact::Partial });
        }
    }
    Ok(())
}
