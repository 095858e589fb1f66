//! From orders to plans.

use super::approach::{Found, bring, face_pose, onto_lone_enemy, open, snaps, stronghold_poses};
use super::check::{Findings, began_beyond, check};
use super::column::column;
use super::draft::{Body, Draft, forward, is_column};
use super::narrow::narrow;
use super::scene::{paces, refuse};
use super::{Plan, Scene, Shifted};
use crate::battle::{Charge, ElementId, Face, Leg, LineUp, MoveOrder, Refusal, SideId, Strong, Target, Why};
use crate::ground::Crossed;
use crate::table::options::{AirGroundAttack, LeaveContact, MarchDeploy};
use crate::table::{Class, Column, TroopType};
use field::{Base, Contact, Heading, Len, PACE, Pose, Stage, overlap_side};
use rulebook::rule;

impl Scene<'_> {
    /// Judges an order of the side whose bound it is.
    ///
    /// # Errors
    /// The rule that forbids it, with figures.
    pub fn judge(&self, order: &MoveOrder) -> Result<Plan, Refusal> {
        let (draft, found) = match order {
            MoveOrder::Legs { who, legs: way, attack } => legs(self, who, way, *attack)?,
            MoveOrder::Free { who, to, attack } => free(self, *who, *to, *attack)?,
            MoveOrder::Charge(charge) => self::charge(self, charge)?,
            MoveOrder::LineUp(line) => line_up(self, line)?,
            MoveOrder::Column { who, legs, road } => column(self, who, legs, *road)?,
            MoveOrder::Narrow { who, width, legs } => narrow(self, who, usize::from(*width), legs)?,
            MoveOrder::CloseDoor { who, enemy } => close_door(self, *who, *enemy)?,
            MoveOrder::BreakOff { who, by } => return break_off(self, *who, *by),
        };
        finish(self, draft, found, None)
    }
}

/// What a checked draft leads to, paid for.
fn finish(
    scene: &Scene<'_>,
    draft: Draft,
    found: Findings,
    pursuit: Option<ElementId>,
) -> Result<Plan, Refusal> {
    if draft.steps.is_empty() && draft.conformed.is_none() {
        let words = format!("{} would stay where it is", scene.label(draft.who[0]));
        return Err(Refusal::new(None, Why::Other, words));
    }
    let cost = draft.cost(scene)?;
    scene.can_pay(draft.command, &cost)?;
    let aerial = |id: ElementId| scene.class(id) == Class::Aerial;
    let mut declared: Vec<ElementId> = Vec::new();
    for made in &found.made {
        let attacker = match made.with {
            Target::Element(enemy) if aerial(made.who) != aerial(enemy) => {
                if aerial(enemy) {
                    enemy
                } else {
                    made.who
                }
            }
            Target::Stronghold(_) if aerial(made.who) => made.who,
            _ => continue,
        };
        if !declared.contains(&attacker) {
            declared.push(attacker);
        }
    }
    let moves = draft
        .who
        .iter()
        .zip(draft.from.iter().zip(draft.now.iter().zip(&draft.spent)))
        .map(|(who, (from, (now, spent)))| Shifted {
            who: *who,
            from: from.pose,
            to: now.pose,
            distance: *spent,
        })
        .collect();
    Ok(Plan {
        command: draft.command,
        moves,
        conformed: draft.conformed,
        cost,
        contacts: found.made,
        declared,
        pursuit,
        near: found.near,
    })
}

// ---------------------------------------------------------------- legs and free moves

fn stage(leg: &Leg) -> Stage {
    match *leg {
        Leg::Ahead(by) => forward(by),
        Leg::Sideways(by) => Stage::Slide { right: by, forward: 0 },
        Leg::By(by) => Stage::Shift(by),
        Leg::Wheel(pivot, angle) => Stage::Wheel { pivot, angle },
        Leg::Turn(heading) => Stage::Turn(Heading::new(heading)),
    }
}

/// HOTT-118, HOTT-120 to HOTT-123: stages of one element or group.
fn legs(scene: &Scene<'_>, who: &[ElementId], legs: &[Leg], attack: bool) -> Result<Found, Refusal> {
    let mut draft = open(scene, who)?;
    draft.attack = attack;
    for leg in legs {
        group_leg(scene, &mut draft, leg)?;
        draft.advance(scene, &stage(leg));
    }
    check_or_snap(scene, draft, None)
}

/// What a group may do as a stage.
fn group_leg(scene: &Scene<'_>, draft: &mut Draft, leg: &Leg) -> Result<(), Refusal> {
    let first = draft.who[0];
    if let Leg::Wheel(_, angle) = leg
        && !(0..=field::HALF_TURN).contains(angle)
    {
        let words = "a wheel is forward, by 0 to 180 degrees";
        return refuse(rule!("HOTT-121"), Why::NotAGroup(first), words);
    }
    if draft.body != Body::Group {
        return Ok(());
    }
    match *leg {
        Leg::Ahead(by) if by >= 0 => Ok(()),
        Leg::Wheel(..) => Ok(()),
        Leg::Sideways(by) => {
            let tables = &scene.battle.tables;
            let reach = tables.numbers.group_shift_reach_bw * tables.base_width(scene.battle.scale);
            let near =
                draft.who.iter().zip(&draft.now).any(|(who, base)| scene.enemy_within(*who, base, reach));
            draft.aside = draft.aside.saturating_add(by.saturating_abs());
            if near {
                return Ok(());
            }
            let words =
                format!("a group shifts sideways only within {} of an enemy, to line up", paces(reach));
            refuse(rule!("HOTT-122"), Why::NotAGroup(first), words)
        }
        Leg::Ahead(_) => refuse(
            rule!("HOTT-123"),
            Why::NotAGroup(first),
            "a group never moves backward; single elements may",
        ),
        Leg::By(_) | Leg::Turn(_) => refuse(
            rule!("HOTT-123"),
            Why::NotAGroup(first),
            "a group goes straight ahead and wheels; single elements move freely",
        ),
    }
}

/// HOTT-118: straight to a pose.
fn free(scene: &Scene<'_>, who: ElementId, to: Pose, attack: bool) -> Result<Found, Refusal> {
    let mut opened = open(scene, &[who])?;
    opened.attack = attack;
    let mut draft = opened.clone();
    let from = draft.from[0].pose;
    draft.advance(scene, &Stage::Place(to));
    if to.heading == from.heading {
        let by = from.to_local(to.point());
        draft.only_back = by.x.abs() <= 2 && by.y <= 0;
        if let Some(step) = draft.steps.last_mut() {
            step.motion = field::Motion::Line(to.point().minus(from.point()));
        }
    }
    check_or_snap(scene, draft, Some(&opened))
}

/// HOTT-170: a move that ends touching an enemy in no legal way is shifted and turned into the nearest legal contact
/// that it can still afford; a free one goes there at once, stages end with the shift.
fn check_or_snap(scene: &Scene<'_>, draft: Draft, free: Option<&Draft>) -> Result<Found, Refusal> {
    let refusal = match check(scene, &draft) {
        Ok(found) => return Ok((draft, found)),
        Err(refusal) => refusal,
    };
    let snap = match refusal.why {
        Why::NoContact { .. } => true,
        Why::OnTopOf { who, other } => scene.battle.enemies(who, other),
        _ => false,
    };
    if draft.body != Body::Single || !snap {
        return Err(refusal);
    }
    for pose in snaps(scene, &draft) {
        let found = match free {
            Some(opened) => bring(scene, opened, pose),
            None => {
                let mut shifted = draft.clone();
                shifted.advance(scene, &Stage::Place(pose));
                check(scene, &shifted).map(|found| (shifted, found))
            }
        };
        if let Ok(found) = found
            && !found.1.made.is_empty()
        {
            return Ok(found);
        }
    }
    Err(refusal)
}

// ---------------------------------------------------------------- contact

/// HOTT-161 to HOTT-172: into the named contact.
fn charge(scene: &Scene<'_>, charge: &Charge) -> Result<Found, Refusal> {
    let refused = |mut refusal: Refusal| {
        if let (Target::Element(enemy), [who], Face::Left | Face::Right) =
            (charge.enemy, charge.who.as_slice(), charge.face)
            && scene.state.on_table(*who)
            && door_side(scene, *who, enemy).is_some()
        {
            refusal.words.push_str(&format!(
                "; it overlaps {}, so `close {} {}` swings it into that flank, however far (HOTT-175)",
                scene.label(enemy),
                scene.label(*who),
                scene.label(enemy)
            ));
        }
        refusal
    };
    charge_home(scene, charge).map_err(refused)
}

fn charge_home(scene: &Scene<'_>, charge: &Charge) -> Result<Found, Refusal> {
    let mut draft = open(scene, &charge.who)?;
    let who = draft.who[0];
    let enemy = match charge.enemy {
        Target::Stronghold(side) => return storm(scene, draft, side),
        Target::Element(enemy) => enemy,
    };
    if !scene.state.on_table(enemy) {
        return Err(Refusal::new(
            None,
            Why::NotOnTable(enemy),
            format!("{} is not on table", scene.label(enemy)),
        ));
    }
    may_attack(scene, who, enemy)?;
    draft.attack = true;
    let theirs = scene.base(enemy);
    let (to, way) = face_pose(&theirs, charge.face, draft.from[0].size);
    if !began_beyond(scene, who, way, &theirs) {
        let from = if way == Contact::Rear { "behind its rear line" } else { "beyond that flank" };
        let words = format!(
            "{} did not start the bound {from} of {}, so that contact is not open to it",
            scene.label(who),
            scene.label(enemy)
        );
        return refuse(rule!("HOTT-171"), Why::NoContact { who, enemy }, words);
    }
    let found = match bring(scene, &draft, to) {
        Ok(found) => Ok(found),
        Err(refusal) if charge.face == Face::Front => match onto_lone_enemy(scene, &draft, enemy) {
            Ok(Some(found)) => Ok(found),
            _ => Err(refusal),
        },
        Err(refusal) => Err(refusal),
    }?;
    let made = found.1.made.iter().any(|m| m.with == Target::Element(enemy) && m.way == way);
    if made {
        return Ok(found);
    }
    let words = format!("{} would not come into that contact with {}", scene.label(who), scene.label(enemy));
    refuse(rule!("HOTT-170"), Why::NoContact { who, enemy }, words)
}

/// Whether an element may attack another at all (HOTT-167, HOTT-169).
pub(super) fn may_attack(scene: &Scene<'_>, who: ElementId, enemy: ElementId) -> Result<(), Refusal> {
    if !scene.battle.enemies(who, enemy) {
        let words = format!("{} is no enemy of {}", scene.label(enemy), scene.label(who));
        return Err(Refusal::new(None, Why::NoContact { who, enemy }, words));
    }
    if scene.ty(who) == TroopType::Art {
        let words = format!("{} is Artillery and may not move into contact", scene.label(who));
        return refuse(rule!("HOTT-169"), Why::NoContact { who, enemy }, words);
    }
    let ground_on_air = scene.class(who) != Class::Aerial && scene.class(enemy) == Class::Aerial;
    if ground_on_air && scene.battle.tables.options.air_ground_attack == AirGroundAttack::AerialsOnly {
        let words = format!(
            "{} is on the ground and may not move into contact with the Aerial {}",
            scene.label(who),
            scene.label(enemy)
        );
        return refuse(rule!("HOTT-167"), Why::NoContact { who, enemy }, words);
    }
    Ok(())
}

/// HOTT-164: onto a Stronghold.
fn storm(scene: &Scene<'_>, mut draft: Draft, side: SideId) -> Result<Found, Refusal> {
    let who = draft.who[0];
    let standing = scene.state.sides.get(side.index()).map(|s| s.strong);
    let Some(Strong::Stands(strong)) = standing else {
        return Err(Refusal::new(None, Why::Other, "that side has no Stronghold that stands"));
    };
    if !scene.battle.hostile(scene.battle.element(who).side, side) {
        return Err(Refusal::new(None, Why::Other, "that Stronghold is no enemy's"));
    }
    if scene.ty(who) == TroopType::Art {
        let words = format!("{} is Artillery and may not move into contact", scene.label(who));
        return refuse(rule!("HOTT-169"), Why::Other, words);
    }
    draft.attack = true;
    let mut first = None;
    for pose in stronghold_poses(&draft.from[0], &strong) {
        match bring(scene, &draft, pose) {
            Ok(found) => {
                if found.1.made.iter().any(|m| m.with == Target::Stronghold(side)) {
                    return Ok(found);
                }
            }
            Err(refusal) => {
                first.get_or_insert(refusal);
            }
        }
    }
    Err(first.unwrap_or_else(|| {
        let words = format!("{} finds no place at that Stronghold", scene.label(who));
        Refusal::new(rule!("HOTT-164"), Why::Other, words)
    }))
}

/// Level with, or behind, a friend.
fn line_up(scene: &Scene<'_>, line: &LineUp) -> Result<Found, Refusal> {
    let draft = open(scene, &line.who)?;
    let (who, friend) = (draft.who[0], line.friend);
    if !scene.state.on_table(friend) {
        let words = format!("{} is not on table", scene.label(friend));
        return Err(Refusal::new(None, Why::NotOnTable(friend), words));
    }
    if scene.battle.enemies(who, friend) || draft.who.contains(&friend) {
        let words = format!("{} is no friend to line up with", scene.label(friend));
        return Err(Refusal::new(None, Why::Other, words));
    }
    if let Some(side) = line.side
        && draft.further
        && scene.battle.tables.big.march_deploy == MarchDeploy::Group
        && is_column(&[&[scene.base(friend)], draft.from.as_slice()].concat())
    {
        return form_line(scene, draft, friend, side);
    }
    bring(scene, &draft, dock(&scene.base(friend), line.side, &draft.from[0]))
}

/// BB-038 (e): the followers of a column leave to a side of its leader and come up level, as one further move.
fn form_line(
    scene: &Scene<'_>,
    mut draft: Draft,
    leader: ElementId,
    side: field::Side,
) -> Result<Found, Refusal> {
    draft.body = Body::Column;
    let mut beside = scene.base(leader);
    for member in 0..draft.who.len() {
        let from = draft.now[member];
        let to = dock(&beside, Some(side), &from);
        beside = from.at(to);
        // Out of the column sideways, then up; after a bend straight there.
        let out = from.pose.to_local(to.point());
        let over = from.pose.moved(out.x, 0);
        for pose in [over, to] {
            let base = draft.now[member];
            let by = pose.point().minus(base.pose.point());
            let straight = pose.heading == base.pose.heading;
            let motion = if straight { field::Motion::Line(by) } else { field::Motion::Free };
            draft.step(member, pose, motion, field::travel(&base, &base.at(pose)));
        }
    }
    draft.only_back = false;
    check(scene, &draft).map(|found| (draft, found))
}

/// The place beside or behind a friend.
pub(super) fn dock(friend: &Base, side: Option<field::Side>, who: &Base) -> Pose {
    match side {
        Some(side) => friend.beside(side, who.size),
        None => friend.behind(),
    }
}

/// HOTT-175: the flank of an enemy that an element overlaps while a friend holds it in front contact.
fn door_side(scene: &Scene<'_>, who: ElementId, enemy: ElementId) -> Option<field::Side> {
    let held = scene.contacts.front(enemy).is_some_and(|f| !scene.battle.enemies(f, who));
    let aerial = |id: ElementId| scene.class(id) == Class::Aerial;
    let open = scene.state.on_table(enemy) && held && aerial(who) == aerial(enemy);
    open.then(|| overlap_side(&scene.base(who), &scene.base(enemy))).flatten()
}

/// HOTT-175: closing the door.
fn close_door(scene: &Scene<'_>, who: ElementId, enemy: ElementId) -> Result<Found, Refusal> {
    let mut draft = open(scene, &[who])?;
    may_attack(scene, who, enemy)?;
    let (mine, theirs) = (scene.base(who), scene.base(enemy));
    let Some(side) = door_side(scene, who, enemy) else {
        let words = format!(
            "{} does not overlap {} while a friend holds it in front contact",
            scene.label(who),
            scene.label(enemy)
        );
        return refuse(rule!("HOTT-175"), Why::NoContact { who, enemy }, words);
    };
    draft.swing = true;
    draft.advance(scene, &Stage::Place(theirs.flank_contact(side, mine.size)));
    // HOTT-171 is met by the overlap itself.
    check(scene, &draft).map(|found| (draft, found))
}

// ---------------------------------------------------------------- breaking off

/// HOTT-176 to HOTT-180, HOTT-353.
fn break_off(scene: &Scene<'_>, who: ElementId, by: Len) -> Result<Plan, Refusal> {
    let mut draft = Draft::open(scene, &[who], true)?;
    let touching = *scene.contacts.touching(who);
    let label = || scene.label(who);
    let options = &scene.battle.tables.options;
    if !touching.in_contact() {
        let words = format!("{} is in contact with nobody", label());
        return refuse(rule!("HOTT-176"), Why::Other, words);
    }
    if touching.is_hit() {
        let enemy = touching.hitters().next().unwrap_or(who);
        let words = format!("{} has {} in contact with its flank or rear", label(), scene.label(enemy));
        return refuse(rule!("HOTT-176"), Why::InContact { who, enemy }, words);
    }
    let rule = if touching.front.is_some() { rule!("HOTT-176") } else { rule!("HOTT-353") };
    if touching.front.is_none() && options.leave_contact == LeaveContact::Never {
        let enemy = touching.some_enemy().unwrap_or(who);
        let words = format!("{} may not leave a flank, rear or Stronghold contact", label());
        return refuse(rule, Why::InContact { who, enemy }, words);
    }
    let through = by < 0;
    if through && !(scene.ty(who) == TroopType::Snk && options.sneaker_break && touching.front.is_some()) {
        let words = format!("{} breaks off straight back only", label());
        return refuse(rule!("HOTT-180"), Why::Other, words);
    }
    let least = scene.battle.tables.numbers.break_off_min * PACE;
    if !through && by < least {
        let words = format!("{} must go at least {} when it breaks off", label(), paces(least));
        return refuse(rule, Why::TooFar { who, needed: least, allowed: by }, words);
    }
    let enemy = touching.front.or(touching.hits.map(|h| h.0));
    let end = scene.base(who).at(scene.base(who).pose.back(by));
    let mine = rate_at(scene, who, &end);
    let theirs = enemy.map_or(0, |e| rate_at(scene, e, &end));
    if !through && mine <= theirs {
        let name = enemy.map_or("Strongholds".to_owned(), |e| scene.ty(e).plural().to_owned());
        let words = format!(
            "{} does not move faster there than its enemy: {mine}p against {theirs}p of {name}",
            label()
        );
        return refuse(rule, Why::InContact { who, enemy: enemy.unwrap_or(who) }, words);
    }
    draft.advance(scene, &Stage::back(by));
    let found = check(scene, &draft)?;
    // HOTT-179, HOTT-324, BB-049
    let pursues = |e: &ElementId| match scene.battle.tables.numbers.strict {
        0 => scene.battle.tables.troop(scene.ty(*e)).pursues,
        // HOTT-331
        _ => {
            scene.battle.must_pursue(scene.state, *e, who) && scene.contacts.touching(*e).stronghold.is_none()
        }
    };
    let pursuit = touching.front.filter(|_| !through).filter(pursues);
    finish(scene, draft, found, pursuit)
}

/// HOTT-176 (a), HOTT-177: the rate an element has in the going of a place, in paces.
fn rate_at(scene: &Scene<'_>, who: ElementId, place: &Base) -> i32 {
    let under: Crossed = scene.state.ground.under(&scene.base(who).at(place.pose));
    let (troop, class) = (scene.battle.tables.troop(scene.ty(who)), scene.class(who));
    if under.forbids_end(&scene.battle.tables, class).is_some() {
        return 0;
    }
    let column = if class == Class::Aerial {
        Column::Good
    } else if under.footing.water {
        Column::Water
    } else if under.footing.bad {
        Column::Bad
    } else {
        Column::Good
    };
    troop.rate(column)
}
