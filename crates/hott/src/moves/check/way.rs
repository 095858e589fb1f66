//! What stands in the way (HOTT-114, HOTT-115, HOTT-140 to HOTT-152, BB-014).

use crate::battle::{ElementId, Refusal, Why};
use crate::moves::Scene;
use crate::moves::draft::{Body, Draft, Step, Swept};
use crate::moves::pass::{Passage, passage};
use crate::moves::scene::{Thing, off_board, paces, refuse};
use crate::table::Class;
use field::{Base, Motion, Pose};
use rulebook::rule;

/// HOTT-115, HOTT-140 to HOTT-152: the board's edge and what stands in the way.
pub(super) fn way(scene: &Scene<'_>, draft: &Draft, swept: &[Swept]) -> Result<(), Refusal> {
    for Swept { member, step, hull } in swept {
        let who = draft.who[*member];
        if !scene.battle.board.contains_hull(hull) {
            let words = off_board(scene, who, hull.points());
            return refuse(rule!("HOTT-115"), Why::OffBoard(who), words);
        }
        for other in scene.on_table() {
            let base = scene.base(*other);
            if hull.far_from(&base, 0) || draft.who.contains(other) || !hull.overlaps(&base) {
                continue;
            }
            through(scene, draft, &draft.steps[*step], who, *other, &base)?;
        }
        for (side, base) in scene.strongholds() {
            if scene.class(who) != Class::Aerial && hull.overlaps(base) {
                let letter = scene.battle.sides[side.index()].letter;
                let words = format!("{} cannot pass through the Stronghold of {letter}", scene.label(who));
                return refuse(rule!("HOTT-150"), Why::Other, words);
            }
        }
    }
    Ok(())
}

/// HOTT-145 to HOTT-152: whether a stage may pass through this element.
fn through(
    scene: &Scene<'_>,
    draft: &Draft,
    step: &Step,
    who: ElementId,
    other: ElementId,
    base: &Base,
) -> Result<(), Refusal> {
    let headings = Some((step.base.pose.heading, base.pose.heading));
    match passage(scene.battle, &scene.contacts, who, other, headings) {
        Passage::Yes(_) => return Ok(()),
        Passage::RoomBeyond(rule) => {
            return if room_beyond(scene, draft, step, base) {
                Ok(())
            } else {
                let words = format!(
                    "{} finds no room directly beyond {}, the first it passes through",
                    scene.label(who),
                    scene.label(other)
                );
                refuse(rule, Why::InTheWay { who, by: other }, words)
            };
        }
        Passage::No => {}
    }
    // A Sneaker breaks off through its enemy only by HOTT-180, which is HOTT-145 too.
    let friend = !scene.battle.enemies(who, other);
    if draft.body == Body::Single && friend && step.path().corners_across(base) == 1 {
        // HOTT-152: of stages in a row no more than one corner in all; the corner may be the same.
        let crossing = draft.steps.iter().filter(|s| s.hulls().any(|h| h.overlaps(base))).count();
        if crossing <= 1 {
            return Ok(());
        }
    }
    let what = if friend { "friend" } else { "enemy" };
    let words = format!("{} cannot pass through its {what} {}", scene.label(who), scene.label(other));
    let aerials = [who, other].iter().all(|id| scene.class(*id) == crate::table::Class::Aerial);
    let beneath = scene.class(who) != Class::Aerial && scene.class(other) == Class::Aerial;
    let rule = match (aerials, beneath) {
        (true, _) => rule!("HOTT-141"),
        (false, true) => rule!("HOTT-148"),
        (false, false) => rule!("HOTT-150"),
    };
    refuse(rule, Why::InTheWay { who, by: other }, words)
}

/// BB-014: whether there is clear space for the whole base directly beyond the first element passed.
fn room_beyond(scene: &Scene<'_>, draft: &Draft, step: &Step, passed: &Base) -> bool {
    let Motion::Line(by) = step.motion else { return false };
    let Some(heading) = field::Heading::along(by.x, by.y) else { return true };
    let frame = Pose::at(step.base.pose.point(), heading).frame();
    let ahead = passed.corners().map(|c| frame.to_local(c).y).into_iter().max().unwrap_or(0);
    let back = step.base.corners().map(|c| frame.to_local(c).y).into_iter().min().unwrap_or(0);
    let there = Pose {
        heading: step.base.pose.heading,
        ..Pose::at(frame.to_world(field::Point { x: 0, y: ahead - back }), heading)
    };
    let base = step.base.at(there);
    scene.battle.board.contains(&base)
        && scene.on_table().iter().all(|id| draft.who.contains(id) || !base.overlaps(&scene.base(*id)))
        && scene.strongholds().iter().all(|(_, s)| !base.overlaps(s))
}

/// HOTT-114: no front goes through a gap narrower than itself.
pub(super) fn gaps(scene: &Scene<'_>, draft: &Draft, swept: &[Swept]) -> Result<(), Refusal> {
    if draft.steps.is_empty() {
        return Ok(());
    }
    for (a, b, gap) in scene.gaps() {
        let (low, high) = (gap.segment.a, gap.segment.b);
        for (member, who) in draft.who.iter().enumerate() {
            let (from, to) = (draft.from[member], draft.now[member]);
            if from.far_from(&to.at(Pose::at(low, to.pose.heading)), draft.spent[member].max(0) + scene.width)
            {
                continue;
            }
            let solid = |thing: &Thing| match thing {
                Thing::Element(id) => {
                    let headings = Some((from.pose.heading, scene.base(*id).pose.heading));
                    !draft.who.contains(id)
                        && !passage(scene.battle, &scene.contacts, *who, *id, headings).is_open()
                }
                Thing::Stronghold(_) => scene.class(*who) != Class::Aerial,
            };
            if !gap.is_narrower(from.size.width) || !solid(a) || !solid(b) {
                continue;
            }
            let line = field::Segment::new(low, high);
            let crossed = swept.iter().any(|s| s.member == member && gap.is_crossed(&s.hull));
            if crossed && !from.is_crossed(&line) && !to.is_crossed(&line) {
                let words = format!(
                    "{} cannot pass a gap of {}: its front is {}",
                    scene.label(*who),
                    paces(gap.width),
                    paces(from.size.width)
                );
                return refuse(rule!("HOTT-114"), Why::NoGoing(*who), words);
            }
        }
    }
    Ok(())
}
