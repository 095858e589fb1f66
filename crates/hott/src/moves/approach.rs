//! Finding the stages that bring an element or group to a given place.

use super::Scene;
use super::check::{Findings, check, may_end};
use super::draft::{Body, Draft, forward};
use super::scene::refuse;
use crate::battle::{ElementId, Face, Refusal, Why};
use field::{Base, Contact, Formation, Heading, Len, Point, Pose, Run, SCALE, Side, Size, Stage, TOLERANCE};
use rulebook::rule;

/// A move found, and what it leads to.
pub(super) type Found = (Draft, Findings);

/// Where an attacker of a size stands in this contact with an enemy, and which contact it is.
pub(super) fn face_pose(enemy: &Base, face: Face, attacker: Size) -> (Pose, Contact) {
    match face {
        Face::Front => (enemy.front_contact(), Contact::Front),
        Face::Left => (enemy.flank_contact(Side::Left, attacker), Contact::Flank(Side::Left)),
        Face::Right => (enemy.flank_contact(Side::Right, attacker), Contact::Flank(Side::Right)),
        Face::Rear => (enemy.rear_contact(), Contact::Rear),
    }
}

/// Every face.
pub(super) const FACES: [Face; 4] = [Face::Front, Face::Left, Face::Right, Face::Rear];

/// A list of at most five stages.
type Stages = [Option<Stage>; 5];

fn stages(of: &[Stage]) -> Stages {
    let mut all = [None; 5];
    for (to, stage) in all.iter_mut().zip(of) {
        *to = Some(*stage);
    }
    all
}

/// Brings the mover's first element to a place: of what leads there the first that is legal.
///
/// # Errors
/// What forbids the straightest way.
pub(super) fn bring(scene: &Scene<'_>, opened: &Draft, to: Pose) -> Result<Found, Refusal> {
    let mut first: Option<Refusal> = None;
    let attempt = |way: &Stages, first: &mut Option<Refusal>| -> Option<Found> {
        let mut draft = opened.clone();
        for stage in way.iter().flatten() {
            if draft.body == Body::Group
                && let Stage::Slide { right, .. } = stage
            {
                draft.aside = draft.aside.saturating_add(right.abs());
            }
            draft.advance(scene, stage);
        }
        draft.end_at(to);
        match check(scene, &draft) {
            Ok(found) => Some((draft, found)),
            Err(refusal) => {
                first.get_or_insert(refusal);
                None
            }
        }
    };
    let mut found = None;
    if opened.body == Body::Group {
        let mut ways = GroupWays::default();
        ways.find(scene, opened, to);
        for way in &ways.all {
            found = attempt(way, &mut first);
            if found.is_some() {
                break;
            }
        }
    } else {
        let base = opened.from[0];
        for way in single_ways(scene, &base, to) {
            found = attempt(&way, &mut first);
            if found.is_some() {
                break;
            }
            // What is too far straight is farther any other way.
            if first.as_ref().is_some_and(|f| matches!(f.why, Why::TooFar { .. } | Why::NoContact { .. })) {
                break;
            }
        }
        let hindered = first.as_ref().is_some_and(|f| {
            matches!(
                f.why,
                Why::InTheWay { .. } | Why::ThreatZone { .. } | Why::NoGoing(_) | Why::OffBoard(_)
            )
        });
        if found.is_none() && hindered && scene.thorough {
            found = detour(scene, opened, to);
        }
    }
    match (found, first) {
        (Some(found), _) => Ok(found),
        (None, Some(refusal)) => Err(refusal),
        (None, None) => refuse(
            rule!("HOTT-120"),
            Why::NotAGroup(opened.who[0]),
            format!(
                "{} leads a group, which cannot come there straight ahead, by wheels and by a shift of half a base",
                scene.label(opened.who[0])
            ),
        ),
    }
}

/// Ways for one element (HOTT-118): straight; turned first or last; by a place before it.
fn single_ways(scene: &Scene<'_>, base: &Base, to: Pose) -> [Stages; 8] {
    let turned = base.turned_to(to.heading).pose;
    let end = base.at(to);
    let unturned = end.turned_to(base.pose.heading).pose;
    let half = scene.width / 2;
    let by = |from: Pose, to: Pose| Stage::Shift(to.point().minus(from.point()));
    [
        stages(&[Stage::Place(to)]),
        stages(&[Stage::Turn(to.heading), by(turned, to)]),
        stages(&[by(base.pose, unturned), Stage::Turn(to.heading)]),
        stages(&[Stage::Place(to.back(half)), forward(half)]),
        stages(&[Stage::Place(to.back(scene.width)), forward(scene.width)]),
        stages(&[Stage::Place(to.moved(-half, -half)), Stage::Place(to)]),
        stages(&[Stage::Place(to.moved(half, -half)), Stage::Place(to)]),
        stages(&[Stage::Turn(to.heading), by(turned, to.back(half)), forward(half)]),
    ]
}

/// A way round what stands between: over one place beside or before the end, the shortest first.
fn detour(scene: &Scene<'_>, opened: &Draft, to: Pose) -> Option<Found> {
    let base = opened.from[0];
    let mut ended = opened.clone();
    ended.end_at(to);
    if !may_end(scene, &ended) {
        return None;
    }
    let most = scene.reach(opened.who[0]) + TOLERANCE;
    let turned = base.turned_to(to.heading);
    let turn = field::travel(&base, &turned);
    let half = scene.width / 2;
    let mut ways: Vec<(Len, Stages)> = Vec::new();
    let between = |a: Pose, b: Pose| a.point().distance(b.point());
    let by = |a: Pose, b: Pose| Stage::Shift(b.point().minus(a.point()));
    for right in -4..=4 {
        for ahead in -4..=1 {
            let over = to.moved(right * half, ahead * half);
            let last = between(over, to);
            if last == 0 || last > most {
                continue;
            }
            let there = base.at(over);
            let free = field::travel(&base, &there) + last;
            if free <= most {
                ways.push((free, stages(&[Stage::Place(over), by(over, to)])));
            }
            let first = turn + between(turned.pose, over) + last;
            if turn > 0 && first <= most {
                ways.push((first, stages(&[Stage::Turn(to.heading), by(turned.pose, over), by(over, to)])));
            }
            let unturned = there.turned_to(base.pose.heading).pose;
            let late = between(base.pose, unturned) + turn + last;
            if turn > 0 && late <= most {
                ways.push((late, stages(&[by(base.pose, unturned), Stage::Turn(to.heading), by(over, to)])));
            }
        }
    }
    ways.sort_by_key(|(cost, _)| *cost);
    ways.iter().find_map(|(_, way)| {
        let mut draft = opened.clone();
        for stage in way.iter().flatten() {
            draft.advance(scene, stage);
        }
        draft.end_at(to);
        check(scene, &draft).ok().map(|found| (draft, found))
    })
}

/// Ways for a group: ahead, wheel, ahead, a shift of at most half a base width (HOTT-120 to HOTT-122); or a wheel out
/// and back.
#[derive(Default)]
struct GroupWays {
    all: Vec<Stages>,
}

/// Wheels out and back that are tried, hundredths of a degree.
const BENDS: [i32; 6] = [500, 1_000, 1_500, 2_200, 3_000, 4_500];

/// `v` along a unit vector at scale 2³⁰.
fn along(v: Point, unit: (i64, i64)) -> i64 {
    (i64::from(v.x) * unit.0 + i64::from(v.y) * unit.1) / SCALE
}

fn cross(v: Point, unit: (i64, i64)) -> i64 {
    (i64::from(v.x) * unit.1 - i64::from(v.y) * unit.0) / SCALE
}

fn len(v: i64) -> Len {
    v.clamp(-i64::from(field::LIMIT), i64::from(field::LIMIT)) as Len
}

impl GroupWays {
    fn find(&mut self, scene: &Scene<'_>, opened: &Draft, to: Pose) {
        let from = opened.form.reference();
        let turn = from.heading.turn_to(to.heading);
        if turn.abs() > field::QUARTER_TURN {
            return;
        }
        let tables = &scene.battle.tables;
        let most = tables.numbers.group_shift_bw * tables.base_width(scene.battle.scale);
        if turn == 0 {
            let by = to.point().minus(from.point());
            let frame = from.frame();
            let (ahead, aside) = (along(by, frame.forward_unit()), along(by, frame.right_unit()));
            self.push(ahead, None, 0, aside, most);
            self.bends(&opened.form, by, aside);
            return;
        }
        let side = if turn > 0 { Side::Right } else { Side::Left };
        let wheel = Stage::Wheel { pivot: side, angle: turn.abs() };
        let by = to.point().minus(from.point());
        let rest = by.minus(opened.form.after(&wheel).point().minus(from.point()));
        let (f0, frame) = (from.frame().forward_unit(), to.frame());
        let (f1, r1) = (frame.forward_unit(), frame.right_unit());
        let sin = Heading::new(turn).sin();
        let cos = Heading::new(turn).cos();
        // No shift: where the two ways ahead cross.
        if sin.abs() > SCALE / 60 {
            let ahead = -cross(rest, f1) * SCALE / sin;
            let then = cross(rest, f0) * SCALE / sin;
            self.push(ahead, Some(wheel), then, 0, most);
        }
        // The wheel first, then ahead and aside.
        self.push(0, Some(wheel), along(rest, f1), along(rest, r1), most);
        // Ahead, then the wheel, then aside.
        if cos > SCALE / 60 {
            let ahead = along(rest, f1) * SCALE / cos;
            self.push(ahead, Some(wheel), 0, along(rest, r1) + ahead * sin / SCALE, most);
        }
    }

    fn push(&mut self, ahead: i64, wheel: Option<Stage>, then: i64, aside: i64, most: Len) {
        let slack = i64::from(TOLERANCE) / 2;
        if ahead < -slack || then < -slack || aside.abs() > i64::from(most) + slack {
            return;
        }
        let mut list = [None; 5];
        let mut n = 0;
        let mut add = |stage: Stage| {
            list[n] = Some(stage);
            n += 1;
        };
        if ahead > 0 {
            add(forward(len(ahead)));
        }
        if let Some(wheel) = wheel {
            add(wheel);
        }
        if then > 0 {
            add(forward(len(then)));
        }
        if aside.abs() > slack {
            add(Stage::Slide { right: len(aside), forward: 0 });
        }
        self.all.push(list);
    }

    /// Out by a wheel, ahead, back by a wheel of the same angle.
    fn bends(&mut self, form: &Formation, by: Point, aside: i64) {
        if aside.abs() <= i64::from(TOLERANCE) {
            return;
        }
        let (out, back) = if aside > 0 { (Side::Right, Side::Left) } else { (Side::Left, Side::Right) };
        let from = form.reference();
        let frame = from.frame();
        let (f0, r0) = (frame.forward_unit(), frame.right_unit());
        for angle in BENDS {
            let mut turned = form.clone();
            turned.advance(&Stage::Wheel { pivot: out, angle });
            turned.advance(&Stage::Wheel { pivot: back, angle });
            let rest = by.minus(turned.reference().point().minus(from.point()));
            let sin = Heading::new(angle).sin() * i64::from(out.sign());
            let cos = Heading::new(angle).cos();
            let between = along(rest, r0) * SCALE / sin;
            let then = along(rest, f0) - between * cos / SCALE;
            if between < 0 || then < 0 {
                continue;
            }
            self.all.push(stages(&[
                Stage::Wheel { pivot: out, angle },
                forward(len(between)),
                Stage::Wheel { pivot: back, angle },
                forward(len(then)),
            ]));
        }
    }
}

/// HOTT-172, HOTT-R06: a group goes straight ahead onto the front of a lone enemy, which conforms to it.
pub(super) fn onto_lone_enemy(
    scene: &Scene<'_>,
    opened: &Draft,
    enemy: ElementId,
) -> Result<Option<Found>, Refusal> {
    if opened.body != Body::Group || !is_alone(scene, enemy) {
        return Ok(None);
    }
    let theirs = scene.base(enemy);
    let rate =
        scene.battle.tables.troop(scene.ty(opened.who[0])).rate(crate::table::Column::Good) * field::PACE;
    // Who of the group meets it, and how far ahead.
    let mut meets: Option<(Len, usize)> = None;
    for (i, base) in opened.from.iter().enumerate() {
        if field::beyond(base, &theirs, field::Line::Front) != field::Beyond::Wholly {
            continue;
        }
        let run: Run =
            field::run_straight(base, base.pose.heading, rate + scene.width, |h| h.overlaps(&theirs));
        if !run.clear && meets.is_none_or(|(d, _)| run.travelled < d) {
            meets = Some((run.travelled, i));
        }
    }
    let Some((ahead, member)) = meets else { return Ok(None) };
    let mut draft = opened.clone();
    draft.advance(scene, &forward((ahead - TOLERANCE).max(0)));
    draft.conformed = Some((enemy, draft.now[member].front_contact()));
    check(scene, &draft).map(|found| Some((draft, found)))
}

/// HOTT-R06: touches none of its friends and is in contact with nobody.
fn is_alone(scene: &Scene<'_>, id: ElementId) -> bool {
    let base = scene.base(id);
    !scene.contacts.in_contact(id)
        && scene.on_table().iter().all(|other| {
            *other == id || scene.battle.enemies(id, *other) || !base.touches(&scene.base(*other))
        })
}

/// HOTT-164: places of an attacker's front along the sides of a Stronghold, the nearest first: level with where it
/// comes from, and flush with either end. At least half of the front touches.
pub(super) fn stronghold_poses(from: &Base, strong: &Base) -> Vec<Pose> {
    let (left, right, rear) = (strong.size.left(), strong.size.right(), -strong.size.depth);
    let half = from.size.right();
    let p = strong.pose.to_local(from.pose.point());
    let slots =
        |at: Len, low: Len, high: Len| [at.clamp(low, high), (low + half).min(high), (high - half).max(low)];
    let mut all: Vec<(i64, Pose)> = Vec::with_capacity(12);
    let mut add = |x: Len, y: Len, turn: i32| {
        let pose = Pose::at(strong.pose.to_world(Point { x, y }), strong.pose.heading.turned(turn));
        all.push((pose.point().distance_squared(from.pose.point()), pose));
    };
    for x in slots(p.x, left, right) {
        add(x, 0, field::HALF_TURN);
        add(x, rear, 0);
    }
    for y in slots(p.y, rear, 0) {
        add(left, y, field::QUARTER_TURN);
        add(right, y, -field::QUARTER_TURN);
    }
    all.sort_by_key(|(d, pose)| (*d, *pose));
    all.dedup_by_key(|(_, pose)| *pose);
    all.into_iter().map(|(_, pose)| pose).collect()
}

/// Opens a draft and makes a group of it where it is one.
pub(super) fn open(scene: &Scene<'_>, who: &[ElementId]) -> Result<Draft, Refusal> {
    let mut draft = Draft::open(scene, who, false)?;
    if draft.body == Body::Group {
        draft.gather(scene)?;
    }
    Ok(draft)
}

/// HOTT-170: the legal contacts within half a base width of where a mover's element would end.
pub(super) fn snaps(scene: &Scene<'_>, draft: &Draft) -> Vec<Pose> {
    let tables = &scene.battle.tables;
    let most = tables.numbers.conform_shift_bw * tables.base_width(scene.battle.scale) + TOLERANCE;
    let (who, end) = (draft.who[0], draft.now[0]);
    let mut all: Vec<(i64, Pose)> = Vec::new();
    for enemy in scene.on_table() {
        let theirs = scene.base(*enemy);
        if !scene.battle.enemies(who, *enemy) || end.far_from(&theirs, TOLERANCE) {
            continue;
        }
        for face in FACES {
            let (pose, _) = face_pose(&theirs, face, end.size);
            let off = pose.point().distance_squared(end.pose.point());
            if pose.point().within(end.pose.point(), most) {
                all.push((off, pose));
            }
        }
    }
    all.sort_by_key(|(d, pose)| (*d, *pose));
    all.into_iter().map(|(_, pose)| pose).collect()
}
