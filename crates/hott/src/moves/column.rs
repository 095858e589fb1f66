//! Columns: each element in the track of the one ahead (HOTT-128 to HOTT-130, HOTT-133).

use super::Scene;
use super::approach::Found;
use super::check::check;
use super::draft::{Body, Draft, bearing, is_column};
use super::scene::{refuse, travel};
use crate::battle::{ElementId, Leg, Refusal, Why};
use crate::table::options::Measure;
use field::{Base, Heading, Len, Motion, PACE, Point, Pose, Stage, TOLERANCE, Way};
use rulebook::rule;

/// A wheel of a leader is followed in steps of so many hundredths of a degree.
const WHEEL_STEP: i32 = 500;
/// A road is followed in steps of so many paces.
const ROAD_STEP: Len = 20 * PACE;

/// The way that the middles of the front edges go, from far behind to where the leader ends.
struct Track {
    poses: Vec<Pose>,
    /// How far along each pose lies.
    lengths: Vec<i64>,
}

impl Track {
    fn of(poses: Vec<Pose>) -> Track {
        let mut lengths = Vec::with_capacity(poses.len());
        let mut length = 0i64;
        for (i, pose) in poses.iter().enumerate() {
            if i > 0 {
                length += i64::from(poses[i - 1].point().distance(pose.point()));
            }
            lengths.push(length);
        }
        Track { poses, lengths }
    }

    fn end(&self) -> i64 {
        self.lengths.last().copied().unwrap_or(0)
    }

    /// The pose so far along it.
    fn at(&self, length: i64) -> Pose {
        let i = self.lengths.partition_point(|l| *l < length).min(self.poses.len().saturating_sub(1));
        let Some(before) = i.checked_sub(1) else { return self.poses.first().copied().unwrap_or_default() };
        let (from, to) = (self.poses[before], self.poses[i]);
        let (done, whole) = (length - self.lengths[before], self.lengths[i] - self.lengths[before]);
        if whole <= 0 || done >= whole {
            return to;
        }
        let part = |a: Len, b: Len| a + ((i64::from(b) - i64::from(a)) * done / whole) as Len;
        let turn = i64::from(from.heading.turn_to(to.heading)) * done / whole;
        Pose::new(part(from.x, to.x), part(from.y, to.y), from.heading.turned(turn as i32))
    }
}

/// Judges the way of a column, or of one element along a road.
pub(super) fn column(
    scene: &Scene<'_>,
    who: &[ElementId],
    legs: &[Leg],
    road: bool,
) -> Result<Found, Refusal> {
    let mut draft = Draft::open(scene, who, false)?;
    let contract = !is_column(&draft.from);
    if contract {
        // HOTT-130: only what is a group falls into column.
        draft.gather(scene)?;
    }
    draft.body = if who.len() == 1 { Body::Single } else { Body::Column };
    draft.road = road;
    if road && let Some(off) = draft.from.iter().position(|b| !scene.state.ground.on_road(b)) {
        let words = format!("{} does not stand on a road", scene.label(who[off]));
        return refuse(rule!("HOTT-133"), Why::NoGoing(who[off]), words);
    }
    let ahead: Option<Len> = legs.iter().map(|l| if let Leg::Ahead(by) = l { Some(*by) } else { None }).sum();
    let led = match ahead.filter(|_| road) {
        Some(by) => along_road(scene, who[0], &draft.from[0], by)?,
        None => lead(scene, who[0], &draft.from[0], legs)?,
    };
    // The track: the column as it stands, its tail prolonged; then where the leader goes.
    let mut poses = Vec::with_capacity(who.len() + led.len() + 1);
    let tail = if contract { draft.from[0].pose } else { draft.from[who.len() - 1].pose };
    let depths: Len = draft.from.iter().map(|b| b.size.depth).fold(0, Len::saturating_add);
    poses.push(tail.back(depths.saturating_add(2 * scene.width)));
    if contract {
        poses.push(tail);
    } else {
        poses.extend(draft.from.iter().rev().map(|b| b.pose));
    }
    let start = poses.len() - 1;
    poses.extend(&led);
    let track = Track::of(poses);
    for pose in &led {
        go(scene, &mut draft, 0, *pose);
    }
    let mut place = track.end();
    for member in 1..who.len() {
        place = follow(scene, &mut draft, &track, member, place, (contract, start))?;
    }
    if road && let Some(off) = draft.steps.iter().find(|s| !scene.state.ground.on_road(&s.base.at(s.to))) {
        let words = format!("{} would leave the road", scene.label(who[off.member]));
        return refuse(rule!("HOTT-133"), Why::NoGoing(who[off.member]), words);
    }
    draft.only_back = false;
    check(scene, &draft).map(|found| (draft, found))
}

fn go(scene: &Scene<'_>, draft: &mut Draft, member: usize, to: Pose) {
    let any_corner = scene.battle.tables.options.measure == Measure::AnyCorner;
    let before = draft.now[member];
    let cost = travel(any_corner, &before, &before.at(to));
    let by = to.point().minus(before.pose.point());
    let motion = if to.heading == before.pose.heading { Motion::Line(by) } else { Motion::Free };
    draft.step(member, to, motion, cost);
}

/// HOTT-129: the leader goes ahead and wheels.
fn lead(scene: &Scene<'_>, who: ElementId, base: &Base, legs: &[Leg]) -> Result<Vec<Pose>, Refusal> {
    let mut now = *base;
    let mut poses = Vec::new();
    for leg in legs {
        match *leg {
            Leg::Ahead(by) if by >= 0 => {
                now = now.at(now.pose.forward(by));
                poses.push(now.pose);
            }
            Leg::Wheel(side, angle) if (0..=field::HALF_TURN).contains(&angle) => {
                let mut done = 0;
                while done < angle {
                    done = (done + WHEEL_STEP).min(angle);
                    poses.push(Stage::Wheel { pivot: side, angle: done }.apply(&now));
                }
                now = now.at(poses.last().copied().unwrap_or(now.pose));
            }
            _ => {
                let words = format!("{} leads a column, which goes ahead and wheels only", scene.label(who));
                return refuse(rule!("HOTT-129"), Why::NotAGroup(who), words);
            }
        }
    }
    Ok(poses)
}

/// Brings a follower up in the track; where in it it ends.
fn follow(
    scene: &Scene<'_>,
    draft: &mut Draft,
    track: &Track,
    member: usize,
    ahead_at: i64,
    (contract, start): (bool, usize),
) -> Result<i64, Refusal> {
    let (ahead, from) = (draft.now[member - 1], draft.from[member]);
    let depth = i64::from(ahead.size.depth);
    let fits = |gap: i64| {
        let base = from.at(track.at(ahead_at - gap));
        !base.overlaps(&ahead) || base.penetration(&ahead) <= TOLERANCE / 2
    };
    // After a bend a corner of the one ahead keeps it farther back.
    let (mut low, mut high) = (depth, depth + i64::from(scene.width));
    if fits(depth) {
        high = depth;
    }
    while low < high {
        let middle = (low + high) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    let mut place = ahead_at - low;
    let mut to = track.at(place);
    let behind = ahead.behind();
    if to.heading.angle_to(ahead.pose.heading) <= 2 && to.point().within(behind.point(), PACE) {
        to = behind;
    }
    if contract {
        // HOTT-130: straight to its place, nobody backward.
        let back = -from.pose.to_local(to.point()).y;
        if back > TOLERANCE {
            let words = format!(
                "{} would have to go {}p backward to fall in; the leader must move on first",
                scene.label(draft.who[member]),
                field::paces_needed(back)
            );
            return refuse(rule!("HOTT-130"), Why::NotAGroup(draft.who[member]), words);
        }
        go(scene, draft, member, to);
        return Ok(place);
    }
    let began = track.lengths[start - member];
    if place <= began {
        // HOTT-129: no way has been made for it; it stays, if that does for the one ahead.
        if from.overlaps(&ahead) {
            let who = draft.who[member];
            let words =
                format!("{} has no room behind {}", scene.label(who), scene.label(draft.who[member - 1]));
            return refuse(rule!("HOTT-129"), Why::NotAGroup(who), words);
        }
        place = began;
        return Ok(place);
    }
    for i in start - member + 1..track.poses.len() {
        if track.lengths[i] >= place {
            break;
        }
        go(scene, draft, member, track.poses[i]);
    }
    go(scene, draft, member, to);
    Ok(place)
}

/// HOTT-133: the leader's way along the road it stands on, so far.
fn along_road(scene: &Scene<'_>, who: ElementId, base: &Base, by: Len) -> Result<Vec<Pose>, Refusal> {
    let front = base.pose.point();
    let nearest = scene.state.ground.roads().min_by_key(|w| w.off_line(front));
    let Some(way) = nearest else {
        return refuse(rule!("HOTT-133"), Why::NoGoing(who), "there is no road");
    };
    let line = Line::of(way, base.pose.heading, front);
    let depth = i64::from(base.size.depth);
    let (mut done, by) = (0, by.max(0));
    let mut poses = Vec::new();
    while done < by {
        done = (done + ROAD_STEP).min(by);
        let at = line.start + i64::from(done);
        let (Some(to), Some(rear)) = (line.point(at), line.point(at - depth)) else {
            let words = format!(
                "the road ends {}p ahead of {}",
                (line.whole() - line.start).max(0) / i64::from(PACE),
                scene.label(who)
            );
            return refuse(rule!("HOTT-133"), Why::NoGoing(who), words);
        };
        let heading = bearing(rear, to).unwrap_or(base.pose.heading);
        poses.push(Pose::at(to, heading));
    }
    Ok(poses)
}

/// The middle line of a road in the direction in which somebody goes.
struct Line {
    points: Vec<Point>,
    lengths: Vec<i64>,
    /// How far along he is.
    start: i64,
}

impl Line {
    fn of(way: &Way, heading: Heading, at: Point) -> Line {
        let mut points = way.points().to_vec();
        let (_, along) = way.nearest(at);
        if heading.angle_to(along) > field::QUARTER_TURN {
            points.reverse();
        }
        let mut lengths = vec![0i64];
        let (mut start, mut least) = (0i64, Len::MAX);
        for i in 1..points.len() {
            let piece = field::Segment::new(points[i - 1], points[i]);
            let off = piece.distance_to(at);
            let before = lengths[i - 1];
            if off < least {
                least = off;
                start = before + i64::from(points[i - 1].distance(piece.nearest(at)));
            }
            lengths.push(before + i64::from(piece.length()));
        }
        Line { points, lengths, start }
    }

    fn whole(&self) -> i64 {
        self.lengths.last().copied().unwrap_or(0)
    }

    /// The point so far along it; a little before its beginning straight back from it.
    fn point(&self, at: i64) -> Option<Point> {
        if at > self.whole() || self.points.len() < 2 {
            return None;
        }
        let i = self.lengths.partition_point(|l| *l < at).clamp(1, self.points.len() - 1);
        let (a, b) = (self.points[i - 1], self.points[i]);
        let (done, whole) = (at - self.lengths[i - 1], (self.lengths[i] - self.lengths[i - 1]).max(1));
        let part = |from: Len, to: Len| from + ((i64::from(to) - i64::from(from)) * done / whole) as Len;
        Some(Point::new(part(a.x, b.x), part(a.y, b.y)))
    }
}
