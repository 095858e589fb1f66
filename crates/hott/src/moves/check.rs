//! Whether a drafted move is legal: its way, its rate, threat zones, where it ends and what it touches there.

use super::draft::{Body, Draft, Step, lined_up_aside, lined_up_facing};
use super::pass::{Passage, passage};
use super::scene::{Thing, paces, refuse};
use super::{Made, Scene};
use crate::battle::{ElementId, Refusal, Target, Why};
use crate::contacts::counts;
use crate::ground::{Crossed, Kind};
use crate::table::options::AirGroundAttack;
use crate::table::{Class, Column, TroopType};
use field::{
    Base, Beyond, Contact, Edge, Hull, Line, Motion, PACE, Pose, TOLERANCE, Zone, beyond, beyond_rear,
    contact, front_edge_touches, shared_edge,
};
use rulebook::{RuleId, rule};

/// What a legal move leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// Legal contacts made (HOTT-161 to HOTT-164).
    pub made: Vec<Made>,
    /// Movers that came within reach of an enemy for BB-038.
    pub near: Vec<ElementId>,
}

/// Judges a whole drafted move but for its cost.
pub(super) fn check(scene: &Scene<'_>, draft: &Draft) -> Result<Findings, Refusal> {
    way(scene, draft)?;
    rates(scene, draft)?;
    gaps(scene, draft)?;
    ends(scene, draft)?;
    let made = touches(scene, draft)?;
    zones(scene, draft, &made)?;
    shift(scene, draft)?;
    let near = near_enemies(scene, draft)?;
    Ok(Findings { made, near })
}

// ---------------------------------------------------------------- the way

/// HOTT-115, HOTT-140 to HOTT-152: the board's edge and what stands in the way.
fn way(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
    for step in &draft.steps {
        let who = draft.who[step.member];
        for hull in step.hulls() {
            if !scene.battle.board.contains_hull(&hull) {
                let words = format!("{} would leave the board", scene.label(who));
                return refuse(rule!("HOTT-115"), Why::OffBoard(who), words);
            }
            for other in scene.on_table() {
                let base = scene.base(*other);
                if hull.far_from(&base, 0) || draft.who.contains(other) || !hull.overlaps(&base) {
                    continue;
                }
                through(scene, draft, step, who, *other, &base)?;
            }
            for (side, base) in scene.strongholds() {
                if scene.class(who) != Class::Aerial && hull.overlaps(base) {
                    let letter = scene.battle.sides[side.index()].letter;
                    let words =
                        format!("{} cannot pass through the Stronghold of {letter}", scene.label(who));
                    return refuse(rule!("HOTT-150"), Why::Other, words);
                }
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
    refuse(rule!("HOTT-150"), Why::InTheWay { who, by: other }, words)
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
fn gaps(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
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
            let crossed = draft
                .steps
                .iter()
                .filter(|s| s.member == member)
                .any(|s| s.hulls().any(|h| gap.is_crossed(&h)));
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

// ---------------------------------------------------------------- rate and going

/// HOTT-112, HOTT-125, HOTT-134, HOTT-135: going, and whether each keeps to its rate.
fn rates(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
    let open = scene.state.ground.features().is_empty();
    for (member, who) in draft.who.iter().enumerate() {
        let crossed = if open { Crossed::default() } else { crossed_by(scene, draft, member) };
        let going = going(scene, draft, member, &crossed)?;
        let rate = scene.battle.tables.troop(scene.ty(*who)).rate(going.column) * PACE;
        if rate == 0 {
            let words = format!("{} may not move {}", scene.label(*who), going.words.trim_start());
            return refuse(going.rule, Why::NoGoing(*who), words);
        }
        if !draft.swing && !field::reaches(draft.spent[member], rate) {
            return Draft::too_far(scene, *who, draft.spent[member], rate, going.rule, going.words);
        }
        if crossed.footing.water && !draft.road && scene.class(*who) != Class::Aerial {
            wading(scene, draft, member)?;
        }
    }
    Ok(())
}

fn crossed_by(scene: &Scene<'_>, draft: &Draft, member: usize) -> Crossed {
    let ground = &scene.state.ground;
    let mut all = ground.under(&draft.from[member]);
    for step in draft.steps.iter().filter(|s| s.member == member) {
        for hull in step.hulls() {
            merge(&mut all, &ground.crossed(&hull));
        }
    }
    all
}

fn merge(all: &mut Crossed, more: &Crossed) {
    all.footing.bad |= more.footing.bad;
    all.footing.water |= more.footing.water;
    all.footing.wood |= more.footing.wood;
    all.water_width = all.water_width.max(more.water_width);
    all.steep |= more.steep;
    all.cliff |= more.cliff;
    all.marsh |= more.marsh;
}

/// The column of the move table that holds, and why.
struct Going {
    column: Column,
    rule: RuleId,
    words: &'static str,
}

/// HOTT-112: the lowest rate that applies to a member.
fn going(scene: &Scene<'_>, draft: &Draft, member: usize, crossed: &Crossed) -> Result<Going, Refusal> {
    let who = draft.who[member];
    let (ty, class) = (scene.ty(who), scene.class(who));
    let at = |column, rule, words| Ok(Going { column, rule, words });
    if class == Class::Aerial {
        return at(Column::Good, rule!("HOTT-139"), "");
    }
    if let Some(rule) = crossed.forbids(&scene.battle.tables, class)
        && !draft.road
    {
        let words = format!("{} cannot enter what is impassable to it", scene.label(who));
        return refuse(rule, Why::NoGoing(who), words);
    }
    if ty.is_lurker() {
        return lurker(scene, draft, member);
    }
    if draft.road {
        let column = if crossed.footing.bad { Column::RoadInBad } else { Column::Road };
        return at(column, rule!("HOTT-133"), " along a road");
    }
    let footing = crossed.footing;
    if draft.body == Body::Group && (footing.bad || footing.water) && !straight_column(draft) {
        let what = if footing.water { "water" } else { "bad going" };
        let words = format!(
            "{} would be in {what}: a group may not, but each may as a single element, or all as a column",
            scene.label(who)
        );
        let rule = if footing.water { rule!("HOTT-134") } else { rule!("HOTT-125") };
        return refuse(rule, Why::NoGoing(who), words);
    }
    if footing.water {
        at(Column::Water, rule!("HOTT-112"), " wading")
    } else if footing.bad {
        let rule = if ty == TroopType::Art { rule!("HOTT-045") } else { rule!("HOTT-112") };
        at(Column::Bad, rule, " in bad going")
    } else {
        at(Column::Good, rule!("HOTT-112"), "")
    }
}

/// A group that is a column and goes straight ahead moves as a column does.
fn straight_column(draft: &Draft) -> bool {
    super::draft::is_column(&draft.from) && draft.steps.iter().all(|s| matches!(s.motion, Motion::Line(_)))
}

/// HOTT-044: a Lurker stays in its feature.
fn lurker(scene: &Scene<'_>, draft: &Draft, member: usize) -> Result<Going, Refusal> {
    let who = draft.who[member];
    let water = scene.ty(who) == TroopType::WLk;
    let (from, to) = (draft.from[member], draft.now[member]);
    let stays = scene
        .state
        .ground
        .features_under(&from)
        .any(|(_, f)| crate::ground::Ground::hides(f, water) && f.shape.overlaps(&to));
    if !stays {
        let words = format!("{} may not leave the feature it lies in", scene.label(who));
        return refuse(rule!("HOTT-044"), Why::NoGoing(who), words);
    }
    let column = if water { Column::Water } else { Column::Bad };
    Ok(Going { column, rule: rule!("HOTT-044"), words: " in its feature" })
}

/// HOTT-135: into the water square to the bank, in it straight ahead or back, or lining up with an enemy.
fn wading(scene: &Scene<'_>, draft: &Draft, member: usize) -> Result<(), Refusal> {
    let who = draft.who[member];
    if scene.ty(who) == TroopType::WLk {
        return Ok(());
    }
    let end = draft.now[member];
    let lines_up = scene.on_table().iter().any(|e| {
        scene.battle.enemies(who, *e) && {
            let enemy = draft.base(scene, *e);
            contact(&end, &enemy).is_legal() || lined_up_facing(&end, &enemy)
        }
    });
    let limit = scene.battle.tables.numbers.wade_angle * 100;
    for step in draft.steps.iter().filter(|s| s.member == member) {
        let wet = |f: &&crate::ground::Feature| f.kind.is_water();
        for water in scene.state.ground.features().iter().filter(wet) {
            if !step.hulls().any(|h| water.shape.overlaps_hull(&h)) {
                continue;
            }
            let straight = match step.motion {
                Motion::Line(by) => {
                    let frame = step.base.pose.frame();
                    let p = frame.to_local(step.base.pose.point().plus(by));
                    p.x.abs() <= TOLERANCE
                }
                _ => false,
            };
            if !straight && !lines_up && draft.body != Body::Column {
                let words = format!(
                    "{} may only go straight ahead or back in water, or line up with an enemy",
                    scene.label(who)
                );
                return refuse(rule!("HOTT-135"), Why::NoGoing(who), words);
            }
            if let field::Shape::Way(way) = &water.shape
                && water.kind == Kind::River
                && !water.shape.overlaps(&step.base)
            {
                let (_, along) = way.nearest(step.base.pose.point());
                let off = step.base.pose.heading.angle_to(along);
                let from_square = (off - field::QUARTER_TURN).abs();
                if from_square > limit {
                    let words = format!(
                        "{} enters the water {} degrees off square, {} is the most",
                        scene.label(who),
                        from_square / 100,
                        limit / 100
                    );
                    return refuse(rule!("HOTT-135"), Why::NoGoing(who), words);
                }
            }
        }
    }
    Ok(())
}

// ---------------------------------------------------------------- the end

/// HOTT-115, HOTT-117, HOTT-142, HOTT-143: where each ends.
fn ends(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
    let end = |id: ElementId, base: &Base, skip_movers: bool| -> Result<(), Refusal> {
        if !scene.battle.board.contains(base) {
            return refuse(
                rule!("HOTT-115"),
                Why::OffBoard(id),
                format!("{} would leave the board", scene.label(id)),
            );
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
            return refuse(rule!("HOTT-117"), Why::Other, words);
        }
        let under = scene.state.ground.under(base);
        let class = scene.class(id);
        match under.forbids_end(&scene.battle.tables, class) {
            Some(rule) if class == Class::Aerial || !draft.road => {
                refuse(rule, Why::NoGoing(id), format!("{} may not end a move there", scene.label(id)))
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
fn touches(scene: &Scene<'_>, draft: &Draft) -> Result<Vec<Made>, Refusal> {
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
pub(super) fn began_beyond(scene: &Scene<'_>, who: ElementId, way: Contact, enemy: &Base) -> bool {
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
        let stands = matches!(scene.state.side(*side).strong, crate::battle::Strong::Stands(_));
        let hostile = scene.battle.hostile(scene.battle.element(who).side, *side);
        let declared = scene.class(who) != Class::Aerial || draft.attack;
        if stands && hostile && declared && front_edge_touches(end, base) {
            made.push(Made { who, with: Target::Stronghold(*side), way: Contact::Partial });
        }
    }
    Ok(())
}

// ---------------------------------------------------------------- threat zones

/// HOTT-153 to HOTT-159, HOTT-R05.
fn zones(scene: &Scene<'_>, draft: &Draft, made: &[Made]) -> Result<(), Refusal> {
    if draft.steps.is_empty() || draft.swing {
        return Ok(());
    }
    let mut started = false;
    let mut entered: Option<(ElementId, ElementId)> = None;
    let mut content = false;
    let mut threats: Vec<(ElementId, Zone, bool)> = Vec::new();
    for enemy in scene.on_table() {
        let owner = scene.base(*enemy);
        let Some(first) = draft.who.iter().position(|w| scene.zone_holds_for(*enemy, *w)) else { continue };
        let reach = scene.zone_depth + draft.spent.iter().copied().max().unwrap_or(0);
        if draft.from.iter().all(|b| b.far_from(&owner, reach)) {
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
        let hits = draft.steps.iter().find(|s| {
            scene.zone_holds_for(*enemy, draft.who[s.member]) && s.hulls().any(|h| deep.holds_hull(&h))
        });
        if let Some(step) = hits {
            entered = entered.or(Some((draft.who[step.member], *enemy)));
            threats.push((*enemy, zone, false));
        }
        let _ = first;
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
fn shift(scene: &Scene<'_>, draft: &Draft) -> Result<(), Refusal> {
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
fn near_enemies(scene: &Scene<'_>, draft: &Draft) -> Result<Vec<ElementId>, Refusal> {
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
        let mut hulls = std::iter::once(start)
            .chain(draft.steps.iter().filter(|s| s.member == member).flat_map(Step::hulls));
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
