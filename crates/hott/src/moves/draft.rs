//! A move in the making: who moves, how far each has come, what each passed over.

use super::scene::{cannot_move, paces, refuse, travel};
use super::{Cost, Scene};
use crate::battle::{CommandId, ElementId, Flags, Refusal, Why};
use crate::table::TroopType;
use crate::table::options::{ArrivalMove, LeaveContact, Measure};
use field::{Base, Formation, Heading, Hull, Len, Motion, PACE, Path, Point, Pose, Stage, directly_behind};
use rulebook::rule;

/// One stage of one element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Its place in [`Draft::who`].
    pub member: usize,
    /// Its base before the stage.
    pub base: Base,
    /// Where it is after it.
    pub to: Pose,
    /// How it got there.
    pub motion: Motion,
}

impl Step {
    /// What it passes over.
    pub fn path(&self) -> Path {
        self.motion.path(&self.base, self.to)
    }

    /// Its hulls.
    pub fn hulls(&self) -> impl Iterator<Item = Hull> {
        self.path()
    }
}

/// One hull that a member passes over: hulls are made once for all that is asked of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    /// The member's place in [`Draft::who`].
    pub member: usize,
    /// The stage's place in [`Draft::steps`].
    pub step: usize,
    /// What is passed over.
    pub hull: Hull,
}

/// How the elements of a mover hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// One element (HOTT-118).
    Single,
    /// A group, as one rigid body (HOTT-120).
    Group,
    /// A column, each in the track of the one ahead (HOTT-129).
    Column,
}

/// A move in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// Who moves, the leader or reference first.
    pub who: Vec<ElementId>,
    /// Whose PIPs pay.
    pub command: CommandId,
    /// How they hold together.
    pub body: Body,
    /// Where each stood.
    pub from: Vec<Base>,
    /// Where each stands after the stages so far.
    pub now: Vec<Base>,
    /// How far each has moved (HOTT-113).
    pub spent: Vec<Len>,
    /// All stages of all.
    pub steps: Vec<Step>,
    /// The body of a group.
    pub form: Formation,
    /// All along a road (HOTT-133).
    pub road: bool,
    /// HOTT-166: contact with ground elements is declared.
    pub attack: bool,
    /// HOTT-172: a lone enemy is conformed to this pose.
    pub conformed: Option<(ElementId, Pose)>,
    /// HOTT-155 (a): nothing but a slide straight back so far.
    pub only_back: bool,
    /// HOTT-122: how far a group has shifted sideways.
    pub aside: Len,
    /// HOTT-175: the rate does not matter.
    pub swing: bool,
    /// HOTT-180: the enemy that a Sneaker breaks off through, or whom breaking off leaves.
    pub leaves: bool,
    /// HOTT-182 with `arrival_move`: the free move of an arrival.
    pub free: bool,
    /// A further move of a big battle (BB-038).
    pub further: bool,
}

impl Draft {
    /// Begins a move of these elements; what forbids that they move at all is refused here.
    pub fn open(scene: &Scene<'_>, who: &[ElementId], leaves: bool) -> Result<Draft, Refusal> {
        let Some(first) = who.first() else {
            return Err(Refusal::new(None, Why::Other, "nobody is named to move"));
        };
        let mut draft = Draft {
            who: who.to_vec(),
            command: scene.battle.element(*first).command,
            body: if who.len() == 1 { Body::Single } else { Body::Group },
            from: Vec::with_capacity(who.len()),
            now: Vec::with_capacity(who.len()),
            spent: vec![0; who.len()],
            steps: Vec::with_capacity(who.len() * 2),
            form: Formation::new(),
            road: false,
            attack: false,
            conformed: None,
            only_back: true,
            aside: 0,
            swing: false,
            leaves,
            free: false,
            further: false,
        };
        for (i, id) in who.iter().enumerate() {
            draft.admit(scene, *id)?;
            if who[..i].contains(id) {
                return refuse(
                    rule!("HOTT-110"),
                    Why::HasMoved(*id),
                    format!("{} is named twice", scene.label(*id)),
                );
            }
            draft.from.push(scene.base(*id));
        }
        draft.now.extend_from_slice(&draft.from);
        draft.demoralised(scene)?;
        Ok(draft)
    }

    /// What of one element's own past and contacts forbids that it moves.
    fn admit(&mut self, scene: &Scene<'_>, id: ElementId) -> Result<(), Refusal> {
        let (who, flags) = (scene.battle.element(id), scene.state.element(id).flags);
        let label = || scene.label(id);
        if !scene.state.on_table(id) {
            return Err(Refusal::new(None, Why::NotOnTable(id), format!("{} is not on table", label())));
        }
        if !scene.battle.acts(scene.state, who.side) {
            return Err(Refusal::new(
                None,
                Why::NotYours,
                format!("{} does not belong to the side whose bound it is", label()),
            ));
        }
        if who.command != self.command {
            let words = format!("{} is of another command: one move holds elements of one command", label());
            return refuse(rule!("BB-035"), Why::NotAGroup(id), words);
        }
        if let Some(refusal) = cannot_move(scene, id) {
            return Err(refusal);
        }
        if flags.has(Flags::ARRIVED) {
            let arrival = matches!(who.ty, TroopType::God | TroopType::Drg)
                && scene.battle.tables.options.arrival_move == ArrivalMove::One
                && !flags.has(Flags::MOVED)
                && self.body == Body::Single;
            if !arrival {
                let rule = match who.ty {
                    TroopType::God | TroopType::Drg => rule!("HOTT-182"),
                    TroopType::Hrd => rule!("HOTT-198"),
                    _ => rule!("HOTT-110"),
                };
                let words = format!("{} came on table this bound and moves only in the next", label());
                return refuse(rule, Why::HasMoved(id), words);
            }
            self.free = true;
        } else if flags.has(Flags::MOVED) {
            if !scene.battle.tables.is_big() {
                let words = format!(
                    "{} has made its one move of this bound, alone or in a group: none moves twice",
                    label()
                );
                return refuse(rule!("HOTT-110"), Why::HasMoved(id), words);
            }
            if flags.has(Flags::NEAR_ENEMY) {
                let reach = scene.battle.tables.numbers.known_enemy_reach;
                let words = format!(
                    "{} was within {reach}p of an enemy this bound, so it has one move only",
                    label()
                );
                return refuse(rule!("BB-038"), Why::HasMoved(id), words);
            }
            self.further = true;
        }
        if who.ty.is_lurker() && self.body == Body::Group {
            return refuse(
                rule!("HOTT-124"),
                Why::NotAGroup(id),
                format!("{} is a Lurker and forms no group", label()),
            );
        }
        self.held(scene, id)
    }

    /// HOTT-116: whether contact holds the element.
    fn held(&self, scene: &Scene<'_>, id: ElementId) -> Result<(), Refusal> {
        let touching = scene.contacts.touching(id);
        if self.leaves || !touching.in_contact() {
            return Ok(());
        }
        // HOTT-353
        let leave = scene.battle.tables.options.leave_contact;
        if leave == LeaveContact::Free && touching.front.is_none() && !touching.is_hit() {
            return Ok(());
        }
        let enemy = touching.some_enemy().unwrap_or(id);
        let with = if enemy == id { "a Stronghold".to_owned() } else { scene.label(enemy) };
        let words = format!("{} is in contact with {with}: it may stay or break off", scene.label(id));
        refuse(rule!("HOTT-116"), Why::InContact { who: id, enemy }, words)
    }

    /// BB-042, BB-060.
    fn demoralised(&self, scene: &Scene<'_>) -> Result<(), Refusal> {
        let command = scene.state.command(self.command);
        if !command.demoralised || (self.who.len() == 1 && !command.moved_one) {
            return Ok(());
        }
        let words = if command.moved_one {
            "the command is demoralized and its one element has moved; the others may be halted"
        } else {
            "the command is demoralized: one element, no group, may move each bound"
        };
        refuse(rule!("BB-042"), Why::NotAGroup(self.who[0]), words)
    }

    /// Makes a rigid group of the movers.
    pub fn gather(&mut self, scene: &Scene<'_>) -> Result<(), Refusal> {
        match self.form.gather(&self.from) {
            None => Ok(()),
            Some(apart) => {
                let id = self.who[apart];
                let words = format!(
                    "{} does not touch the others edge to edge and corner to corner, facing the same way",
                    scene.label(id)
                );
                refuse(rule!("HOTT-119"), Why::NotAGroup(id), words)
            }
        }
    }

    /// Carries the mover on by a stage of its first element or, of a group, of its body.
    pub fn advance(&mut self, scene: &Scene<'_>, stage: &Stage) {
        let any_corner = scene.battle.tables.options.measure == Measure::AnyCorner;
        self.only_back &= is_back(stage);
        if self.body != Body::Group {
            let before = self.now[0];
            let (to, motion) = (stage.apply(&before), stage.motion(&before));
            let cost = match stage {
                Stage::Slide { .. } | Stage::Shift(_) => stage.cost(&before),
                _ => travel(any_corner, &before, &before.at(to)),
            };
            self.step(0, to, motion, cost);
            return;
        }
        let (motion, slide) = (self.form.motion(stage), self.form.cost(stage));
        let straight = matches!(motion, Motion::Line(_));
        self.form.advance(stage);
        let frame = self.form.reference().frame();
        let heading = self.form.reference().heading;
        for i in 0..self.who.len() {
            let to = Pose::at(frame.to_world(self.form.members()[i].offset), heading);
            let cost = if straight { slide } else { travel(any_corner, &self.now[i], &self.now[i].at(to)) };
            self.step(i, to, motion, cost);
        }
    }

    /// One stage of one member.
    pub fn step(&mut self, member: usize, to: Pose, motion: Motion, cost: Len) {
        let base = self.now[member];
        if base.pose == to {
            return;
        }
        self.steps.push(Step { member, base, to, motion });
        self.now[member] = base.at(to);
        self.spent[member] = self.spent[member].saturating_add(cost);
    }

    /// Puts the first element exactly here, the others of a group with it: the end of stages that led to within
    /// roundings of it.
    pub fn end_at(&mut self, pose: Pose) {
        if self.body == Body::Group {
            self.form.place(pose);
            for (now, base) in self.now.iter_mut().zip(self.form.bases()) {
                *now = base;
            }
        } else if let Some(now) = self.now.first_mut() {
            *now = now.at(pose);
        }
        // The last stage of each ends where it stands now.
        for member in 0..self.now.len() {
            let now = self.now[member].pose;
            if let Some(step) = self.steps.iter_mut().rev().find(|s| s.member == member)
                && step.to.point().within(now.point(), PACE)
            {
                step.to = now;
            }
        }
    }

    /// Where an element stands at the end: of movers and a conformed enemy their new base.
    pub fn base(&self, scene: &Scene<'_>, id: ElementId) -> Base {
        if let Some(i) = self.who.iter().position(|w| *w == id) {
            return self.now[i];
        }
        match self.conformed {
            Some((enemy, pose)) if enemy == id => scene.base(id).at(pose),
            _ => scene.base(id),
        }
    }

    /// Everything the movers pass over, stage by stage.
    pub fn swept(&self) -> Vec<Swept> {
        let mut all = Vec::with_capacity(self.steps.len());
        for (step, s) in self.steps.iter().enumerate() {
            all.extend(s.hulls().map(|hull| Swept { member: s.member, step, hull }));
        }
        all
    }

    /// The cost of the move.
    pub fn cost(&self, scene: &Scene<'_>) -> Result<Cost, Refusal> {
        if self.free { Ok(Cost::default()) } else { scene.move_cost(&self.who) }
    }

    /// A refusal of a distance.
    pub fn too_far<T>(
        scene: &Scene<'_>,
        who: ElementId,
        needed: Len,
        allowed: Len,
        rule: rulebook::RuleId,
        going: &str,
    ) -> Result<T, Refusal> {
        let name = scene.ty(who).plural();
        let words =
            format!("{} needs {}, {name} have {}{going}", scene.label(who), paces(needed), paces(allowed));
        refuse(rule, Why::TooFar { who, needed, allowed }, words)
    }
}

/// HOTT-155 (a).
fn is_back(stage: &Stage) -> bool {
    match *stage {
        Stage::Slide { right, forward } => right == 0 && forward <= 0,
        _ => false,
    }
}

/// HOTT-128: whether these elements, the leader first, stand in column: each directly behind the one ahead, or after a
/// bend touching a rear corner of it with its front edge.
pub(super) fn is_column(bases: &[Base]) -> bool {
    bases.windows(2).all(|two| follows(&two[1], &two[0]))
}

/// Whether `behind` follows `ahead` in a column.
pub(super) fn follows(behind: &Base, ahead: &Base) -> bool {
    if directly_behind(behind, ahead) {
        return true;
    }
    let off = ahead.pose.heading.angle_to(behind.pose.heading);
    let front = behind.edge(field::Edge::Front);
    let near = |c: field::Corner| front.distance_to(ahead.corner(c)) <= 2 * field::TOLERANCE;
    off < field::QUARTER_TURN
        && (near(field::Corner::RearLeft) || near(field::Corner::RearRight))
        && !behind.overlaps(ahead)
}

/// HOTT-122: whether a base is lined up corner to corner with an enemy: some front corner of it lies on the same line
/// ahead as some corner of an enemy that faces along or against it.
pub(super) fn lined_up_aside(base: &Base, enemy: &Base) -> bool {
    let turned = base.pose.heading.angle_to(enemy.pose.heading);
    if turned > 9 && turned < field::HALF_TURN - 9 {
        return false;
    }
    let frame = base.pose.frame();
    let mine = [base.size.left(), base.size.right()];
    enemy.corners().iter().any(|c| {
        let x = frame.to_local(*c).x;
        mine.iter().any(|m| (m - x).abs() <= field::TOLERANCE)
    })
}

/// HOTT-155 (c), HOTT-R05: whether a base is lined up facing an enemy: exactly opposite, front corners on the same two
/// lines, and the enemy ahead.
pub(super) fn lined_up_facing(base: &Base, enemy: &Base) -> bool {
    if base.pose.heading.angle_to(enemy.pose.heading.opposite()) > 9 {
        return false;
    }
    let p = base.pose.to_local(enemy.pose.point());
    p.x.abs() <= field::TOLERANCE && p.y >= -field::TOLERANCE
}

/// A leader's way for a slide by hundredths along its heading.
pub(super) fn forward(by: Len) -> Stage {
    Stage::Slide { right: 0, forward: by }
}

/// The heading of a point from another, if they differ.
pub(super) fn bearing(from: Point, to: Point) -> Option<Heading> {
    Heading::along(to.x - from.x, to.y - from.y)
}
