//! What the commander thinks of doing with a PIP: few orders, found by geometry and weighed before the engine judges any.

use super::clash::Trial;
use super::look::{Look, Unit, carried};
use super::onset::Onset;
use super::weights;
use field::{Base, Heading, Len, PACE, Point, Pose, Side, overlap_side};
use hott::battle::{Charge, CommandId, ElementId, Face, Leg, LineUp, MoveOrder, Target};
use hott::table::{Class, TroopType};

/// Something to do, not yet an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Into contact, led by this member of the body.
    Charge { lead: ElementId, face: Face, enemy: Target },
    /// Straight ahead (negative: back).
    Ahead(Len),
    /// A wheel, then ahead.
    Wheel(Side, i32, Len),

    /// Turned there, then ahead; single elements.
    Turn(Heading, Len),
    /// Straight to a pose; single elements.
    Go(Pose),
    /// Beside or behind a friend.
    Line(Option<Side>, ElementId),
    /// Closing the door.
    Close(ElementId),
    /// Breaking off.
    Break(Len),
}

/// An idea: which body, what, and what it promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Idea {
    /// Its body, by number.
    pub body: usize,
    /// What it does.
    pub way: Way,
    /// What it is expected to bring, in hundredths of an AP.
    pub gain: i32,
    /// PIPs.
    pub pips: i32,
}

/// Elements that move together, and what their move costs.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub who: Vec<ElementId>,
    pub pips: i32,
    /// What is lost by leaving the rest of its group.
    pub torn: i32,
}

/// All ideas of one decision.
pub(super) struct Ideas<'l, 'a, 't> {
    pub look: &'l Look<'a>,
    pub trial: &'t mut Trial,
    pub bodies: Vec<Body>,
    pub all: Vec<Idea>,
    /// What the combats bring as they stand.
    pub before: i32,
    /// For each own unit what it is worth to stand where it stands.
    pub(super) here: Vec<i32>,
    pub(super) command: CommandId,
    pub(super) left: i32,
    /// Bodies not looked at yet.
    left_out: Vec<usize>,
    /// Charges of single elements that were weighed.
    pub(super) charges: Vec<Onset>,
    /// What each element costs to move by itself.
    alone: Vec<(ElementId, i32)>,
}

impl<'l, 'a, 't> Ideas<'l, 'a, 't> {
    /// Everything worth thinking of with so many PIPs of a command.
    pub fn find(
        look: &'l Look<'a>,
        trial: &'t mut Trial,
        command: CommandId,
        left: i32,
    ) -> Ideas<'l, 'a, 't> {
        trial.set(look.state);
        let before = trial.after(look.battle, look.side, &[], &look.purses, false);
        let here = (0..look.mine.len())
            .map(|m| {
                let u = &look.units[look.mine[m]];
                if u.free { look.standing(m, u.base.pose) + look.footing_worth(m, &u.base) } else { 0 }
            })
            .collect();
        let mut ideas = Ideas {
            look,
            trial,
            bodies: Vec::new(),
            all: Vec::new(),
            before,
            here,
            command,
            left,
            left_out: Vec::new(),
            charges: Vec::new(),
            alone: Vec::new(),
        };
        ideas.gather();
        for b in 0..ideas.bodies.len() {
            if ideas.bodies[b].pips > left {
                continue;
            }
            if ideas.bodies[b].who.len() > 1 {
                ideas.group(b);
            } else if ideas.bodies[b].torn > 0 && ideas.is_far(b) {
                // Far from the enemy a line goes as one.
                ideas.left_out.push(b);
            } else {
                ideas.single(b);
            }
        }
        ideas.together();
        ideas.held();
        ideas
    }

    /// What single elements could do that seemed better off in their line, now that nothing else will do.
    pub fn more(&mut self) {
        self.all.clear();
        for b in std::mem::take(&mut self.left_out) {
            self.single(b);
        }
    }

    pub(super) fn is_far(&self, b: usize) -> bool {
        self.look.nearness(self.place(self.bodies[b].who[0])) < 100
    }

    /// Single elements, groups and parts of groups that may move.
    fn gather(&mut self) {
        let look = self.look;
        let free: Vec<ElementId> = look
            .mine
            .iter()
            .map(|i| &look.units[*i])
            .filter(|u| u.free && self.is_its(u.id))
            .map(|u| u.id)
            .collect();
        let groups = look.scene.groups(&free);
        for id in &free {
            let torn = groups.iter().any(|g| g.contains(id));
            self.body(vec![*id], if torn { weights::TORN_ONE } else { 0 });
        }
        for group in &groups {
            for (n, part) in look.scene.parts(group).into_iter().enumerate() {
                self.body(part, if n == 0 { 0 } else { weights::TORN_PART });
            }
        }
    }

    fn body(&mut self, who: Vec<ElementId>, torn: i32) {
        let slow = who.iter().any(|id| self.reach(*id) == 0);
        if slow {
            return;
        }
        let look = self.look;
        let pips = if let [only] = who.as_slice() {
            let Ok(cost) = look.scene.move_cost(&who) else { return };
            let pips = i32::from(cost.pips());
            self.alone.push((*only, pips));
            pips
        } else {
            // HOTT-092 to HOTT-094 from the costs of each alone: the dearest kind, the best commanded.
            let numbers = &look.battle.tables.numbers;
            let dear = |id: &ElementId| {
                look.scene.class(*id) == Class::Aerial || look.scene.ty(*id) == TroopType::Mag
            };
            let extra = |id: &ElementId| if dear(id) { numbers.pip_aerial_or_magician } else { 0 };
            let single =
                |id: &ElementId| self.alone.iter().find(|a| a.0 == *id).map_or(numbers.pip_move, |a| a.1);
            let kind = who.iter().map(extra).max().unwrap_or(0);
            who.iter().map(|id| single(id) - extra(id)).min().unwrap_or(numbers.pip_move) + kind
        };
        self.bodies.push(Body { who, pips, torn });
    }

    /// Whether an element is of the command whose PIPs are spent.
    fn is_its(&self, id: ElementId) -> bool {
        self.look.battle.element(id).command == self.command
    }

    fn reach(&self, id: ElementId) -> Len {
        self.look.index(id).map_or(0, |i| self.look.units[i].reach())
    }

    /// The rate of the slowest of a body in good going, in bad, wading.
    pub(super) fn rate(&self, b: usize, going: usize) -> Len {
        let of = |id: &ElementId| self.look.index(*id).map_or(0, |i| self.look.units[i].rate[going]);
        self.bodies[b].who.iter().map(of).min().unwrap_or(0)
    }

    pub(super) fn slowest(&self, b: usize) -> Len {
        self.bodies[b].who.iter().map(|id| self.reach(*id)).min().unwrap_or(0)
    }

    pub(super) fn place(&self, id: ElementId) -> usize {
        self.look.mine.iter().position(|i| self.look.units[*i].id == id).unwrap_or(0)
    }

    // ---------------------------------------------------------------- weighing

    /// HOTT-307: a Behemoth or Dragon that recoils treads down whoever stands behind it.
    fn underfoot(&self, u: &Unit, pose: Pose) -> i32 {
        let look = self.look;
        let end = u.base.at(pose);
        let trodden = look.mine.iter().map(|i| &look.units[*i]).any(|o| {
            matches!(o.ty, TroopType::Beh | TroopType::Drg)
                && o.id != u.id
                && !o.base.far_from(&end, look.width)
                && end.overlaps(&o.base.at(o.base.pose.back(o.base.size.depth.min(look.width))))
        });
        let safe = u.class == Class::Aerial || matches!(u.ty, TroopType::Beh | TroopType::Snk);
        if trodden && !safe { 10 + u.price / 8 } else { 0 }
    }

    /// What friends in danger lose by being crowded there, less what they lose by it now.
    fn crowding(&self, u: &Unit, pose: Pose, movers: &[ElementId]) -> i32 {
        self.look.in_the_way(u, &u.base.at(pose), movers)
    }

    /// What the combats gain by a move: a loss is shied from the less the longer the battle drags on.
    pub(super) fn fights_gain(&self, after: i32) -> i32 {
        let gain = (after - self.before) * weights::FIGHTS / 4;
        if gain < 0 { gain * 100 / self.look.bold() } else { gain }
    }

    /// What it changes that a body stands elsewhere, the combats apart.
    pub(super) fn shift_gain(&self, b: usize, to: &[(ElementId, Pose)]) -> i32 {
        let body = &self.bodies[b];
        let near = body.who.iter().map(|id| self.look.nearness(self.place(*id))).max().unwrap_or(100);
        let mut sum = -body.torn * near / 100;
        let alone = body.who.len() == 1;
        for (id, pose) in to {
            let m = self.place(*id);
            let u = &self.look.units[self.look.mine[m]];
            let new = self.look.standing(m, *pose) + self.look.footing_worth(m, &u.base.at(*pose));
            sum += new - self.here[m] - self.underfoot(u, *pose) - self.crowding(u, *pose, &body.who);
            if alone {
                let hold = self.look.hold(m, *pose, &body.who) - self.look.hold(m, u.base.pose, &body.who);
                sum += hold * near / 100;
            }
        }
        sum
    }

    pub(super) fn add(&mut self, body: usize, way: Way, gain: i32, to: &[(ElementId, Pose)]) {
        let pips = self.bodies[body].pips;
        let idea = Idea { body, way, gain, pips };
        if pips <= self.left && gain > 0 && !self.all.contains(&idea) && self.may_get_there(body, to) {
            self.all.push(idea);
        }
    }

    /// A rough look at the way, so that the engine is not asked in vain: going on it and who stands in it.
    pub(super) fn may_get_there(&self, b: usize, to: &[(ElementId, Pose)]) -> bool {
        let look = self.look;
        let single = to.len() == 1;
        let rough = !look.terrain.is_open();
        let who = &self.bodies[b].who;
        to.iter().all(|(id, pose)| {
            let u = &look.units[look.mine[self.place(*id)]];
            let middle = Pose::at(u.base.pose.point().middle(pose.point()), pose.heading);
            let (half, end) = (u.base.at(middle), u.base.at(*pose));
            if u.class == Class::Aerial {
                return !rough || !look.terrain.footing(&end).wood;
            }
            if rough {
                let (a, z) = (look.terrain.footing(&half), look.terrain.footing(&end));
                let water = a.water || z.water || u.footing.water;
                let bad = a.bad || z.bad || u.footing.bad;
                if !single && (water || bad) {
                    return false;
                }
                let rate = if water {
                    u.rate[2]
                } else if bad {
                    u.rate[1]
                } else {
                    u.rate[0]
                };
                if rate == 0 || (water || bad) && !field::reaches(field::travel(&u.base, &end), rate) {
                    return false;
                }
            }
            !single
                || u.base.pose.point().within(pose.point(), u.base.size.depth)
                || !look.blocks(u, &half, who)
        })
    }

    /// The poses of a body when one of it comes to stand at a pose.
    pub(super) fn carried(&self, b: usize, lead: ElementId, to: Pose) -> Vec<(ElementId, Pose)> {
        let from = self.look.scene.base(lead).pose;
        let each = |id: &ElementId| (*id, carried(from, to, self.look.scene.base(*id).pose));
        self.bodies[b].who.iter().map(each).collect()
    }

    /// What a plan of the engine's brings.
    pub fn plan_gain(&mut self, plan: &hott::moves::Plan) -> i32 {
        let look = self.look;
        let to: Vec<(ElementId, Pose)> = plan.moves.iter().map(|m| (m.who, m.to)).collect();
        let mut gain = 0;
        let who: Vec<ElementId> = to.iter().map(|t| t.0).collect();
        for (id, pose) in &to {
            let m = self.place(*id);
            let u = &look.units[look.mine[m]];
            let new = look.standing(m, *pose) + look.footing_worth(m, &u.base.at(*pose));
            gain += new - self.here[m] - self.underfoot(u, *pose) - self.crowding(u, *pose, &who);
            let near = look.nearness(m);
            let hold = look.hold(m, *pose, &who) - look.hold(m, u.base.pose, &who);
            gain += hold * near / 100;
        }
        if !plan.contacts.is_empty() || self.overlaps_somebody(&to) {
            let after =
                self.trial.after(look.battle, look.side, &to, &look.purses, !plan.contacts.is_empty());
            gain += self.fights_gain(after);
        }
        gain
    }

    /// An idea that ends free of contact, or in overlap.
    pub(super) fn weigh(&mut self, b: usize, way: Way, to: &[(ElementId, Pose)]) {
        let mut fights = 0;
        if self.overlaps_somebody(to) {
            let after = self.trial.after(self.look.battle, self.look.side, to, &self.look.purses, false);
            fights = self.fights_gain(after);
        }
        if fights <= 0 && self.is_idle(to) && !self.joins(b, way, to) {
            return;
        }
        let gain = self.shift_gain(b, to) + fights;
        self.add(b, way, gain, to);
    }

    /// Whether nobody goes anywhere or turns about: no PIP is spent on that, unless a fight gains by it.
    fn is_idle(&self, to: &[(ElementId, Pose)]) -> bool {
        to.iter().all(|(id, pose)| {
            let now = self.look.scene.base(*id).pose;
            now.point().within(pose.point(), weights::IDLE_STEP)
                && now.heading.angle_to(pose.heading) <= weights::IDLE_TURN
        })
    }

    /// Whether a small step closes up with friends: one who stands in no line yet comes to stand beside another, or
    /// anybody behind one whom he supports.
    fn joins(&self, b: usize, way: Way, to: &[(ElementId, Pose)]) -> bool {
        let there = |(id, pose): &(ElementId, Pose)| {
            self.look.scene.base(*id).pose.point().within(pose.point(), field::TOLERANCE)
        };
        match way {
            Way::Line(None, _) => !to.iter().all(there),
            Way::Line(..) => self.bodies[b].torn == 0 && !to.iter().all(there),
            _ => false,
        }
    }

    /// The same of a plan of the engine's.
    pub(super) fn is_idle_plan(&self, plan: &hott::moves::Plan) -> bool {
        let to: Vec<(ElementId, Pose)> = plan.moves.iter().map(|m| (m.who, m.to)).collect();
        plan.contacts.is_empty() && self.is_idle(&to) && !self.overlaps_somebody(&to)
    }

    /// Whether one of those who move leaves or comes to an overlap that matters.
    fn overlaps_somebody(&self, to: &[(ElementId, Pose)]) -> bool {
        let look = self.look;
        to.iter().any(|(id, pose)| {
            let now = look.scene.base(*id);
            let end = now.at(*pose);
            // Who stands behind a fight decides whether a recoil kills.
            let room = |base: &Base| look.recoils.iter().any(|r| !base.far_from(r, 0) && base.overlaps(r));
            room(&end)
                || room(&now)
                || look.foes.iter().map(|i| &look.units[*i]).any(|v| {
                    v.touching.front.is_some()
                        && (overlap_side(&end, &v.base).is_some()
                            || v.touching.overlapped_by.contains(&Some(*id)))
                })
        })
    }

    // ---------------------------------------------------------------- single elements

    fn single(&mut self, b: usize) {
        let id = self.bodies[b].who[0];
        let look = self.look;
        let m = self.place(id);
        let u = look.units[look.mine[m]];
        for target in look.scene.charge_targets(id) {
            self.charge(b, id, target.face, target.enemy, target.pose);
        }
        for v in look.foes.iter().map(|i| &look.units[*i]) {
            if v.touching.overlapped_by.contains(&Some(id)) && v.touching.front.is_some() {
                self.door(b, id, v.id);
            }
        }
        if u.ty.is_lurker() {
            return;
        }
        let far = self.is_far(b);
        self.ahead(b);
        self.wade(b, m);
        self.towards(b, m, far);
        if !far {
            self.lines(b, m);
            self.face(b, m);
            self.back(b, m);
        }
    }

    /// Square to a river and into it (HOTT-135), for one that would go on beyond.
    fn wade(&mut self, b: usize, m: usize) {
        let look = self.look;
        let u = look.units[look.mine[m]];
        if u.class == Class::Aerial || u.footing.water || u.rate[2] == 0 {
            return;
        }
        for feature in look.state.ground.features().iter().filter(|f| f.kind.is_water()) {
            let field::Shape::Way(way) = &feature.shape else { continue };
            let (near, along) = way.nearest(u.base.pose.point());
            if !near.within(u.base.pose.point(), 3 * u.rate[2]) {
                continue;
            }
            // Of the two ways square to it the one that crosses.
            let square = [along.turned(field::QUARTER_TURN), along.turned(-field::QUARTER_TURN)]
                .into_iter()
                .min_by_key(|h| {
                    Heading::along(near.x - u.base.pose.x, near.y - u.base.pose.y)
                        .map_or(0, |t| t.angle_to(*h))
                });
            let Some(heading) = square else { continue };
            let turned = u.base.turned_to(heading);
            let by = (u.rate[2] - field::travel(&u.base, &turned)) / PACE * PACE;
            for by in [by, 0] {
                let pose = turned.pose.forward(by);
                if by >= 0 && pose != u.base.pose && !look.is_taken(&u.base.at(pose), &[u.id]) {
                    self.weigh(b, Way::Turn(heading, by), &[(u.id, pose)]);
                }
            }
        }
    }

    fn door(&mut self, b: usize, id: ElementId, enemy: ElementId) {
        let look = self.look;
        let (mine, theirs) = (look.scene.base(id), look.scene.base(enemy));
        let Some(side) = overlap_side(&mine, &theirs) else { return };
        let pose = theirs.flank_contact(side, mine.size);
        if look.is_taken(&mine.at(pose), &[id]) {
            return;
        }
        let to = [(id, pose)];
        let after = self.trial.after(look.battle, look.side, &to, &look.purses, false);
        let gain = self.fights_gain(after) + self.shift_gain(b, &to) / 4;
        self.add(b, Way::Close(enemy), gain, &to);
    }

    /// Beside a friend, or behind it.
    fn lines(&mut self, b: usize, m: usize) {
        let look = self.look;
        let u = look.units[look.mine[m]];
        if u.class == Class::Aerial || u.ty == TroopType::Snk {
            return;
        }
        let reach = u.reach();
        for o in look.mine.iter().map(|i| look.units[*i]) {
            if o.id == u.id || o.class == Class::Aerial || u.base.far_from(&o.base, reach) {
                continue;
            }
            let behind = u.ty == o.ty && matches!(u.ty, TroopType::Spr | TroopType::Wbd) && !o.supported;
            for side in [Some(Side::Left), Some(Side::Right), None] {
                if side.is_none() && !behind {
                    continue;
                }
                let pose = match side {
                    Some(side) => o.base.beside(side, u.base.size),
                    None => o.base.behind(),
                };
                let end = u.base.at(pose);
                if pose == u.base.pose
                    || !field::reaches(field::travel(&u.base, &end), reach)
                    || look.is_taken(&end, &[u.id])
                {
                    continue;
                }
                self.weigh(b, Way::Line(side, o.id), &[(u.id, pose)]);
            }
        }
    }

    /// Towards prey, straight or round its flank.
    fn towards(&mut self, b: usize, m: usize, far: bool) {
        let look = self.look;
        let u = look.units[look.mine[m]];
        let mut prey: [Option<(i32, usize)>; 2] = [None; 2];
        for (f, at) in look.foes.iter().enumerate() {
            let v = &look.units[*at];
            if !look.may_attack(&u, v) && u.range == 0 {
                continue;
            }
            let far = u.base.pose.point().distance(v.base.pose.point()) / PACE;
            let want = look.edge(m, f).clamp(-100, 300) * 3 - far;
            if prey[0].is_none_or(|(best, _)| want > best) {
                prey[1] = prey[0];
                prey[0] = Some((want, *at));
            } else if prey[1].is_none_or(|(best, _)| want > best) {
                prey[1] = Some((want, *at));
            }
        }
        for (_, at) in prey.into_iter().flatten() {
            let v = look.units[at];
            self.go_to(b, &u.base, v.base.pose.point(), v.base.pose.point());
            self.go_round(b, &u, v.base.pose.point());
            if far || v.touching.is_hit() || !look.may_attack(&u, &v) {
                continue;
            }
            // A place from where its flank or rear can be struck next.
            for side in Side::BOTH {
                let at_flank = v.base.pose.to_world(Point {
                    x: side.sign() * (look.width * 3 / 2),
                    y: -(v.base.size.depth + look.width / 2),
                });
                self.go_to(b, &u.base, at_flank, v.base.centre());
            }
        }
        if let [_, Some((_, strong))] = look.strongholds()
            && u.ty != TroopType::Art
        {
            self.go_to(b, &u.base, strong.centre(), strong.centre());
            self.go_round(b, &u, strong.centre());
        }
    }

    /// Where the straight way is rough: the shortest there is, round it or through.
    fn go_round(&mut self, b: usize, u: &Unit, prey: Point) {
        let look = self.look;
        let here = u.base.pose.point();
        if u.class == Class::Aerial || look.terrain.longer(u.gait, here, prey) < 40 {
            return;
        }
        let Some(ahead) = Heading::along(prey.x - here.x, prey.y - here.y) else { return };
        let step = u.rate[0] + 20 * PACE;
        let best = (-4..=4)
            .map(|k| Pose::at(here, ahead.turned(k * 2_250)).forward(step).point())
            .min_by_key(|p| super::look::paces(*p, prey) + look.terrain.longer(u.gait, *p, prey));
        if let Some(aside) = best {
            self.go_to(b, &u.base, aside, aside);
        }
    }

    /// As near to a place as the rate allows, looking at another.
    fn go_to(&mut self, b: usize, base: &Base, place: Point, at: Point) {
        let look = self.look;
        let id = self.bodies[b].who[0];
        let reach = self.reach(id);
        let here = base.pose.point();
        let far = here.distance(place);
        if far < 10 * PACE {
            return;
        }
        // Towards its prey it stops a base width short: what is nearer is a charge.
        let short = if place == at { look.width + 30 * PACE } else { 0 };
        let mut go = reach.min(far - short);
        for _ in 0..4 {
            if go <= 10 * PACE {
                return;
            }
            let mix = |a: Len, b: Len| {
                a + i32::try_from(i64::from(b - a) * i64::from(go) / i64::from(far)).unwrap_or(0)
            };
            let point = Point { x: mix(here.x, place.x), y: mix(here.y, place.y) };
            let Some(heading) = Heading::along(at.x - point.x, at.y - point.y) else { return };
            let pose = Pose::at(point, heading);
            let end = base.at(pose);
            if field::travel(base, &end) <= reach && !look.is_taken(&end, &[id]) {
                self.weigh(b, Way::Go(pose), &[(id, pose)]);
                return;
            }
            go = go * 3 / 4;
        }
    }

    /// Lined up facing an enemy that is too far to charge: all that its threat zone allows (HOTT-155, HOTT-156).
    fn face(&mut self, b: usize, m: usize) {
        let look = self.look;
        let u = look.units[look.mine[m]];
        for at in 0..look.foes.len() {
            let v = look.units[look.foes[at]];
            let to = v.base.front_contact();
            let far = u.base.pose.point().distance(to.point());
            if v.touching.front.is_some() || far > u.rate[0] + look.width || !look.may_attack(&u, &v) {
                continue;
            }
            let rough = !look.terrain.is_open();
            for (n, rate) in u.rate.into_iter().enumerate() {
                if rate == 0 || n > 0 && (!rough || rate == u.rate[n - 1]) {
                    continue;
                }
                // The nearest place on the enemy's own line ahead that the rate allows.
                let line = to.to_local(u.base.pose.point());
                let mut by = (-line.y - rate).max(20 * PACE);
                for _ in 0..5 {
                    let pose = to.back(by);
                    if field::reaches(field::travel(&u.base, &u.base.at(pose)), rate) {
                        if pose != u.base.pose && !look.is_taken(&u.base.at(pose), &[u.id]) {
                            self.weigh(b, Way::Go(pose), &[(u.id, pose)]);
                        }
                        break;
                    }
                    by += 15 * PACE;
                }
            }
        }
    }

    /// Straight back, out of reach of those it fears.
    fn back(&mut self, b: usize, m: usize) {
        let look = self.look;
        let u = look.units[look.mine[m]];
        let fears = look.foes.iter().enumerate().any(|(f, at)| {
            let v = &look.units[*at];
            look.threat(f, m) > 40 && !u.base.far_from(&v.base, v.reach() + look.width)
        });
        if !fears {
            return;
        }
        for by in [u.reach(), u.reach() / 2] {
            let pose = u.base.pose.back(by);
            if !look.is_taken(&u.base.at(pose), &[u.id]) {
                self.weigh(b, Way::Ahead(-by), &[(u.id, pose)]);
            }
        }
    }

    /// Breaking off from fights that go badly.
    fn held(&mut self) {
        let look = self.look;
        for m in 0..look.mine.len() {
            let u = look.units[look.mine[m]];
            let Some(enemy) = u.touching.front.and_then(|e| look.index(e)) else { continue };
            if !self.is_its(u.id) {
                continue;
            }
            let faster = u.rate[0] > look.units[enemy].rate[0];
            if !faster || u.touching.is_hit() || self.left == 0 {
                continue;
            }
            let Ok(cost) = look.scene.move_cost(&[u.id]) else { continue };
            let pips = i32::from(cost.pips());
            for by in [u.rate[0], 200 * PACE] {
                let pose = u.base.pose.back(by);
                if pips > self.left || look.is_taken(&u.base.at(pose), &[u.id]) {
                    continue;
                }
                let to = [(u.id, pose)];
                let after = self.trial.after(look.battle, look.side, &to, &look.purses, false);
                let gain =
                    self.fights_gain(after) + look.standing(m, pose) - look.standing(m, u.base.pose) - 10;
                if gain > 0 {
                    self.bodies.push(Body { who: vec![u.id], pips, torn: 0 });
                    let body = self.bodies.len() - 1;
                    self.all.push(Idea { body, way: Way::Break(by), gain, pips });
                }
            }
        }
    }

    /// The order that an idea comes to.
    pub fn order(&self, idea: &Idea) -> MoveOrder {
        let who = self.bodies[idea.body].who.clone();
        let first = who[0];
        let legs = |who: Vec<ElementId>, legs: Vec<Leg>| MoveOrder::Legs { who, legs, attack: false };
        match idea.way {
            Way::Charge { lead, face, enemy } => {
                let mut who = who;
                if let Some(at) = who.iter().position(|w| *w == lead) {
                    who.swap(0, at);
                }
                MoveOrder::Charge(Charge { who, face, enemy })
            }
            Way::Ahead(by) => legs(who, vec![Leg::Ahead(by)]),
            Way::Wheel(side, angle, 0) => legs(who, vec![Leg::Wheel(side, angle)]),
            Way::Wheel(side, angle, by) => legs(who, vec![Leg::Wheel(side, angle), Leg::Ahead(by)]),
            Way::Turn(heading, 0) => legs(who, vec![Leg::Turn(heading.hundredths())]),
            Way::Turn(heading, by) => legs(who, vec![Leg::Turn(heading.hundredths()), Leg::Ahead(by)]),
            Way::Go(to) => MoveOrder::Free { who: first, to, attack: false },
            Way::Line(side, friend) => MoveOrder::LineUp(LineUp { who, side, friend }),
            Way::Close(enemy) => MoveOrder::CloseDoor { who: first, enemy },
            Way::Break(by) => MoveOrder::BreakOff { who: first, by },
        }
    }
}
