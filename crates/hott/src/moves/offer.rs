//! Candidates: orders that [`judge`](super::judge) accepts.
//!
//! Complete for contacts: every face of every enemy with each element and group that can reach it. Line-ups, doors,
//! breaking off and columns likewise. Of free positions a covering sample.

use super::Scene;
use super::approach::{FACES, face_pose, stronghold_poses};
use super::check::began_beyond;
use super::draft::{Draft, is_column};
use super::orders::{dock, may_attack};
use crate::battle::{
    Battle, Charge, CommandId, ElementId, Face, Leg, LineUp, MoveOrder, State, Strong, Target,
};
use crate::table::Column;
use field::{Base, Formation, Heading, Len, Neighbour, PACE, Point, Pose, Side, neighbour};

/// How much is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Contacts, closing doors, breaking off.
    Contacts,
    /// Also line-ups, support, columns.
    Lines,
    /// Also free positions.
    All,
}

/// Adds to `out` orders for elements and groups of a command, each accepted by [`judge`](super::judge).
pub fn candidates(
    battle: &Battle,
    state: &State,
    command: CommandId,
    out: &mut Vec<MoveOrder>,
    level: Level,
) {
    Scene::new(battle, state).candidates(command, out, level);
}

/// A contact in reach of an element, the way there not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargeTarget {
    /// Whom.
    pub enemy: Target,
    /// Which face; of a Stronghold it means nothing.
    pub face: Face,
    /// Where the attacker stands then.
    pub pose: Pose,
    /// How far that is in a straight line (HOTT-113).
    pub distance: Len,
}

impl Scene<'_> {
    /// The farthest an element can move in good going, off roads (1/100 pace); a Lurker in its feature.
    #[must_use]
    pub fn reach(&self, who: ElementId) -> Len {
        let troop = self.battle.tables.troop(self.ty(who));
        [Column::Good, Column::Bad, Column::Water].into_iter().map(|c| troop.rate(c)).max().unwrap_or(0)
            * PACE
    }

    /// The contacts that an element may make by where it is and began, if nothing is in its way: enemy faces in reach
    /// and free, and Strongholds.
    #[must_use]
    pub fn charge_targets(&self, who: ElementId) -> Vec<ChargeTarget> {
        let (from, reach) = (self.base(who), self.reach(who));
        let mut all = Vec::new();
        let free = |pose: Pose| {
            let base = from.at(pose);
            self.battle.board.contains(&base)
                && self.on_table().iter().all(|o| *o == who || !base.overlaps(&self.base(*o)))
        };
        for enemy in self.on_table() {
            let theirs = self.base(*enemy);
            if !self.battle.enemies(who, *enemy)
                || from.far_from(&theirs, reach)
                || may_attack(self, who, *enemy).is_err()
            {
                continue;
            }
            for face in FACES {
                let (pose, way) = face_pose(&theirs, face, from.size);
                let distance = field::travel(&from, &from.at(pose));
                if field::reaches(distance, reach) && began_beyond(self, who, way, &theirs) && free(pose) {
                    all.push(ChargeTarget { enemy: Target::Element(*enemy), face, pose, distance });
                }
            }
        }
        for (side, strong) in self.strongholds() {
            let hostile = self.battle.hostile(self.battle.element(who).side, *side);
            let stands = matches!(self.state.side(*side).strong, Strong::Stands(_));
            if !hostile || !stands || self.ty(who) == crate::table::TroopType::Art {
                continue;
            }
            for pose in stronghold_poses(&from, strong) {
                let distance = field::travel(&from, &from.at(pose));
                if field::reaches(distance, reach) && free(pose) {
                    let enemy = Target::Stronghold(*side);
                    all.push(ChargeTarget { enemy, face: Face::Front, pose, distance });
                }
            }
        }
        all
    }

    /// The elements of a command that may still move this bound, those in contact left out.
    #[must_use]
    pub fn movers(&self, command: CommandId) -> Vec<ElementId> {
        let of = |id: &&ElementId| self.battle.element(**id).command == command;
        self.on_table()
            .iter()
            .filter(of)
            .copied()
            .filter(|id| Draft::open(self, &[*id], false).is_ok())
            .collect()
    }

    /// The largest groups of elements that may still move (HOTT-119), each in the order in which they stand: front
    /// rank first, left to right.
    #[must_use]
    pub fn groups(&self, movers: &[ElementId]) -> Vec<Vec<ElementId>> {
        let mut left: Vec<ElementId> =
            movers.iter().copied().filter(|id| !self.ty(*id).is_lurker()).collect();
        let mut groups = Vec::new();
        while let Some(first) = left.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while let Some(at) = group.get(next).copied() {
                next += 1;
                let base = self.base(at);
                left.retain(|other| {
                    let joins = neighbour(&base, &self.base(*other)).is_some();
                    if joins {
                        group.push(*other);
                    }
                    !joins
                });
            }
            if group.len() < 2 {
                continue;
            }
            let frame = self.base(first).pose.frame();
            group.sort_by_key(|id| {
                let p = frame.to_local(self.base(*id).pose.point());
                (-p.y / PACE, p.x, *id)
            });
            groups.push(group);
        }
        groups
    }

    /// A group and the parts of it worth moving as groups (HOTT-127): ranks, and halves of long ranks.
    #[must_use]
    pub fn parts(&self, group: &[ElementId]) -> Vec<Vec<ElementId>> {
        let mut parts = vec![group.to_vec()];
        let mut rank: Vec<ElementId> = Vec::new();
        let mut flush = |rank: &mut Vec<ElementId>| {
            if rank.len() >= 2 && rank.len() < group.len() {
                parts.push(rank.clone());
            }
            if rank.len() >= 4 {
                let (a, b) = rank.split_at(rank.len() / 2);
                parts.push(a.to_vec());
                parts.push(b.to_vec());
            }
            rank.clear();
        };
        for id in group {
            let beside = rank.last().is_some_and(|last| {
                matches!(neighbour(&self.base(*last), &self.base(*id)), Some(Neighbour::Beside(_)))
            });
            if !beside {
                flush(&mut rank);
            }
            rank.push(*id);
        }
        flush(&mut rank);
        parts
    }

    /// Adds orders of a command to `out`, each accepted by [`Scene::judge`].
    pub fn candidates(&self, command: CommandId, out: &mut Vec<MoveOrder>, level: Level) {
        let mut offers = Offers { scene: self, out };
        let movers = self.movers(command);
        offers.breaking(command);
        for who in &movers {
            offers.contacts(*who);
        }
        let groups = self.groups(&movers);
        for group in &groups {
            for part in self.parts(group) {
                offers.group_contacts(&part);
            }
        }
        if level < Level::Lines {
            return;
        }
        for who in &movers {
            offers.lines(*who);
            offers.roads(&[*who]);
        }
        for group in &groups {
            offers.group_lines(group);
            offers.columns(group);
        }
        if level < Level::All {
            return;
        }
        for who in &movers {
            offers.free(*who);
        }
        for group in &groups {
            for part in self.parts(group) {
                offers.group_free(&part);
            }
        }
    }

    /// How far straight ahead an element or group may go, in whole paces: its whole rate, or up to what stops it.
    #[must_use]
    pub fn farthest_ahead(&self, who: &[ElementId]) -> Len {
        let order =
            |by: Len| MoveOrder::Legs { who: who.to_vec(), legs: vec![Leg::Ahead(by)], attack: false };
        let most = who.iter().map(|id| self.reach(*id)).min().unwrap_or(0);
        if most == 0 || self.judge(&order(most)).is_ok() {
            return most;
        }
        let (mut low, mut high) = (0, most / PACE - 1);
        while low < high {
            let middle = (low + high + 1) / 2;
            if self.judge(&order(middle * PACE)).is_ok() { low = middle } else { high = middle - 1 }
        }
        low * PACE
    }
}

struct Offers<'s, 'b, 'o> {
    scene: &'s Scene<'b>,
    out: &'o mut Vec<MoveOrder>,
}

impl Offers<'_, '_, '_> {
    fn offer(&mut self, order: MoveOrder) -> bool {
        let good = self.scene.judge(&order).is_ok();
        if good && !self.out.contains(&order) {
            self.out.push(order);
        }
        good
    }

    fn contacts(&mut self, who: ElementId) {
        let mut stronghold = false;
        for target in self.scene.charge_targets(who) {
            // One order takes the first place that serves.
            if matches!(target.enemy, Target::Stronghold(_)) {
                if stronghold {
                    continue;
                }
                stronghold = true;
            }
            let charge = Charge { who: vec![who], face: target.face, enemy: target.enemy };
            self.offer(MoveOrder::Charge(charge));
        }
        for enemy in self.scene.on_table() {
            let overlaps = self.scene.contacts.touching(*enemy).overlapped_by.contains(&Some(who));
            if overlaps {
                self.offer(MoveOrder::CloseDoor { who, enemy: *enemy });
            }
        }
    }

    fn group_contacts(&mut self, group: &[ElementId]) {
        let scene = self.scene;
        let reach = group.iter().map(|id| scene.reach(*id)).min().unwrap_or(0);
        if group.iter().any(|id| scene.ty(*id) == crate::table::TroopType::Art) {
            return;
        }
        for (i, lead) in group.iter().enumerate() {
            let from = scene.base(*lead);
            let order = |enemy, face| {
                let mut who = group.to_vec();
                who.swap(0, i);
                MoveOrder::Charge(Charge { who, face, enemy })
            };
            for enemy in scene.on_table() {
                let theirs = scene.base(*enemy);
                if !scene.battle.enemies(*lead, *enemy)
                    || from.far_from(&theirs, reach)
                    || may_attack(scene, *lead, *enemy).is_err()
                {
                    continue;
                }
                for face in FACES {
                    let (pose, way) = face_pose(&theirs, face, from.size);
                    let turn = from.pose.heading.angle_to(pose.heading);
                    let near = field::reaches(field::travel(&from, &from.at(pose)), reach);
                    let lone = face == Face::Front && turn <= field::QUARTER_TURN;
                    if (near && turn <= field::QUARTER_TURN || lone)
                        && began_beyond(scene, *lead, way, &theirs)
                        && self.place_is_free(group, &from.at(pose))
                    {
                        self.offer(order(Target::Element(*enemy), face));
                    }
                }
            }
            for (side, strong) in scene.strongholds() {
                if scene.battle.hostile(scene.battle.element(*lead).side, *side)
                    && matches!(scene.state.side(*side).strong, Strong::Stands(_))
                    && from.within(strong, reach)
                {
                    self.offer(order(Target::Stronghold(*side), Face::Front));
                }
            }
        }
    }

    fn place_is_free(&self, group: &[ElementId], base: &Base) -> bool {
        self.scene.on_table().iter().all(|o| group.contains(o) || !base.overlaps(&self.scene.base(*o)))
    }

    fn breaking(&mut self, command: CommandId) {
        let scene = self.scene;
        for who in scene.on_table() {
            if scene.battle.element(*who).command != command || !scene.contacts.in_contact(*who) {
                continue;
            }
            let least = scene.battle.tables.numbers.break_off_min * PACE;
            let most = scene.reach(*who);
            for by in [least, (least + most) / 2 / PACE * PACE, most] {
                self.offer(MoveOrder::BreakOff { who: *who, by });
            }
            if scene.battle.tables.options.sneaker_break && scene.ty(*who) == crate::table::TroopType::Snk {
                self.offer(MoveOrder::BreakOff { who: *who, by: -most });
            }
        }
    }

    fn lines(&mut self, who: ElementId) {
        let scene = self.scene;
        let (from, reach) = (scene.base(who), scene.reach(who));
        for friend in scene.on_table() {
            let theirs = scene.base(*friend);
            if *friend == who
                || scene.battle.element(*friend).side != scene.battle.element(who).side
                || from.far_from(&theirs, reach)
            {
                continue;
            }
            for side in [Some(Side::Left), Some(Side::Right), None] {
                let pose = dock(&theirs, side, &from);
                if pose != from.pose
                    && field::reaches(field::travel(&from, &from.at(pose)), reach)
                    && self.place_is_free(&[who], &from.at(pose))
                {
                    self.offer(MoveOrder::LineUp(LineUp { who: vec![who], side, friend: *friend }));
                }
            }
        }
    }

    fn group_lines(&mut self, group: &[ElementId]) {
        let scene = self.scene;
        let reach = group.iter().map(|id| scene.reach(*id)).min().unwrap_or(0);
        let ends = [0, group.len() - 1];
        for i in ends {
            let mut who = group.to_vec();
            who.swap(0, i);
            let from = scene.base(who[0]);
            for friend in scene.on_table() {
                let theirs = scene.base(*friend);
                if group.contains(friend)
                    || scene.battle.element(*friend).side != scene.battle.element(who[0]).side
                    || from.far_from(&theirs, reach)
                {
                    continue;
                }
                for side in [Some(Side::Left), Some(Side::Right), None] {
                    let pose = dock(&theirs, side, &from);
                    let turn = from.pose.heading.angle_to(pose.heading);
                    if turn <= field::QUARTER_TURN / 2
                        && field::reaches(field::travel(&from, &from.at(pose)), reach)
                        && self.place_is_free(group, &from.at(pose))
                    {
                        self.offer(MoveOrder::LineUp(LineUp { who: who.clone(), side, friend: *friend }));
                    }
                }
            }
        }
    }

    fn roads(&mut self, who: &[ElementId]) {
        let scene = self.scene;
        if scene.state.ground.roads().next().is_none()
            || !who.iter().all(|id| scene.state.ground.on_road(&scene.base(*id)))
        {
            return;
        }
        let troop = |id: &ElementId| scene.battle.tables.troop(scene.ty(*id)).rate(Column::Road) * PACE;
        let most = who.iter().map(troop).min().unwrap_or(0);
        for by in [most, most / 2] {
            self.offer(MoveOrder::Column { who: who.to_vec(), legs: vec![Leg::Ahead(by)], road: true });
        }
    }

    fn columns(&mut self, group: &[ElementId]) {
        let scene = self.scene;
        let most = group.iter().map(|id| scene.reach(*id)).min().unwrap_or(0);
        let bases: Vec<Base> = group.iter().map(|id| scene.base(*id)).collect();
        if is_column(&bases) {
            self.roads(group);
            for legs in [
                vec![Leg::Ahead(most)],
                vec![Leg::Ahead(most / 2)],
                vec![Leg::Wheel(Side::Left, 3_000), Leg::Ahead(most / 2)],
                vec![Leg::Wheel(Side::Right, 3_000), Leg::Ahead(most / 2)],
            ] {
                self.offer(MoveOrder::Column { who: group.to_vec(), legs, road: false });
            }
            return;
        }
        self.narrowed(group, most);
        // HOTT-130: either end of the front rank leads.
        let front = bases.first().map_or(Pose::default(), |b| b.pose);
        let rank =
            bases.iter().take_while(|b| front.to_local(b.pose.point()).y.abs() <= field::TOLERANCE).count();
        for lead in [0, rank.saturating_sub(1)] {
            let mut who = group.to_vec();
            let leader = who.remove(lead);
            who.sort_by_key(|id| {
                scene.base(*id).pose.point().distance_squared(scene.base(leader).pose.point())
            });
            who.insert(0, leader);
            self.offer(MoveOrder::Column { who, legs: vec![Leg::Ahead(most)], road: false });
        }
    }

    /// HOTT-131: where the group as it stands does not get ahead, with as many abreast as do.
    fn narrowed(&mut self, group: &[ElementId], most: field::Len) {
        let legs = vec![Leg::Ahead(most)];
        let whole = MoveOrder::Legs { who: group.to_vec(), legs: legs.clone(), attack: false };
        // Bounded: larger groups would try too much for what it is worth.
        if !(2..=6).contains(&group.len()) || self.scene.judge(&whole).is_ok() {
            return;
        }
        for who in [group.to_vec(), group.iter().rev().copied().collect()] {
            for width in (1..group.len()).rev() {
                let order = MoveOrder::Narrow { who: who.clone(), width: width as u8, legs: legs.clone() };
                if self.scene.judge(&order).is_ok() {
                    self.offer(order);
                    break;
                }
            }
        }
    }

    fn free(&mut self, who: ElementId) {
        let scene = self.scene;
        let (base, most) = (scene.base(who), scene.reach(who));
        let ahead = scene.farthest_ahead(&[who]);
        let go = |offers: &mut Self, legs: Vec<Leg>| {
            offers.offer(MoveOrder::Legs { who: vec![who], legs, attack: false })
        };
        for by in [ahead, ahead / 2, ahead / 4] {
            if by > 0 {
                go(self, vec![Leg::Ahead(by)]);
            }
        }
        for by in [most, most / 2, most / 4] {
            go(self, vec![Leg::Ahead(-by)]);
            for sign in [-1, 1] {
                go(self, vec![Leg::Sideways(by * sign)]);
                let point = base.pose.to_world(Point::new(by * 7 / 10 * sign, by * 7 / 10));
                go(self, vec![Leg::By(point.minus(base.pose.point()))]);
            }
        }
        for turn in [4_500, -4_500, 9_000, -9_000, 18_000] {
            go(self, vec![Leg::Turn(base.pose.heading.turned(turn).hundredths())]);
        }
        for side in Side::BOTH {
            for angle in [1_500, 3_000, 6_000] {
                let chord = field::Stage::Wheel { pivot: side, angle }.cost(&base);
                if chord < most {
                    go(self, vec![Leg::Wheel(side, angle), Leg::Ahead(most - chord)]);
                }
            }
        }
        for place in self.key_places(who) {
            let Some(heading) = Heading::along(place.x - base.pose.x, place.y - base.pose.y) else {
                continue;
            };
            let turned = base.turned_to(heading);
            let far = turned.pose.point().distance(place);
            let turning = field::travel(&base, &turned);
            let by = (most - turning).min(far);
            if by <= 0 {
                continue;
            }
            // Straight there, looking there; what is too far by the turning is cut.
            for part in [by, by / 2] {
                let legs = vec![Leg::Turn(heading.hundredths()), Leg::Ahead(part)];
                go(self, legs);
            }
        }
    }

    /// Places that matter: the middle of the board, the general, the nearest enemy, hostile Strongholds.
    fn key_places(&self, who: ElementId) -> Vec<Point> {
        let scene = self.scene;
        let mut places = vec![scene.battle.board.centre()];
        let me = scene.base(who);
        let command = scene.battle.element(who).command;
        places.extend(
            scene.general_on_table(command).filter(|g| *g != who).map(|g| scene.base(g).pose.point()),
        );
        let enemies = scene.on_table().iter().filter(|e| scene.battle.enemies(who, **e));
        places.extend(
            enemies.map(|e| scene.base(*e).pose.point()).min_by_key(|p| p.distance_squared(me.pose.point())),
        );
        for (side, base) in scene.strongholds() {
            if scene.battle.hostile(scene.battle.element(who).side, *side) {
                places.push(base.centre());
            }
        }
        places
    }

    fn group_free(&mut self, group: &[ElementId]) {
        let scene = self.scene;
        let most = group.iter().map(|id| scene.reach(*id)).min().unwrap_or(0);
        let ahead = scene.farthest_ahead(group);
        let go = |offers: &mut Self, legs: Vec<Leg>| {
            offers.offer(MoveOrder::Legs { who: group.to_vec(), legs, attack: false })
        };
        for by in [ahead, ahead / 2, ahead / 4] {
            if by > 0 {
                go(self, vec![Leg::Ahead(by)]);
            }
        }
        let mut form = Formation::new();
        let bases: Vec<Base> = group.iter().map(|id| scene.base(*id)).collect();
        if form.gather(&bases).is_some() {
            return;
        }
        for side in Side::BOTH {
            let widest = form.wheel_within(side, most);
            for angle in [widest, widest / 2, widest / 4] {
                if angle <= 0 || !go(self, vec![Leg::Wheel(side, angle)]) {
                    continue;
                }
                let rest = most - form.cost(&field::Stage::Wheel { pivot: side, angle });
                if rest > 10 * PACE {
                    go(self, vec![Leg::Wheel(side, angle), Leg::Ahead(rest)]);
                }
            }
        }
    }
}
