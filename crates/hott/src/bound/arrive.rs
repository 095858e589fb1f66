//! Section 10: what comes on from off the table in step 2: Gods, Dragons, Lurkers, Hordes, the ensorcelled.

use super::{Done, Play, refused};
use crate::battle::{
    Ambush, CommandId, ElementId, Event, Face, Fate, Flags, Phase, Refusal, SideId, Strong, Why,
};
use crate::ground::Ground;
use crate::table::TroopType;
use crate::table::options::{DragonDeploy, HeroReturn};
use field::{Base, BoardEdge, PACE, Pose};
use rulebook::{RuleId, rule};

fn pips(n: i32) -> u8 {
    u8::try_from(n.max(0)).unwrap_or(u8::MAX)
}

fn no<T>(rule: RuleId, who: ElementId, words: String) -> Result<T, Refusal> {
    Err(Refusal::new(rule, Why::NotOnTable(who), words))
}

impl Play<'_> {
    /// BB-036: the command whose PIPs bring Gods, Dragons and Lurkers on: the commander-in-chief's.
    fn purse(&self, who: ElementId) -> CommandId {
        let info = self.battle.element(who);
        let ty = info.ty;
        if !(ty.is_lurker() || matches!(ty, TroopType::God | TroopType::Drg)) {
            return info.command;
        }
        let chief = self.battle.commands.iter().position(|c| c.side == info.side && c.in_chief);
        chief.map_or(info.command, |n| CommandId(n as u8))
    }

    /// BB-045, BB-047: a demoralized command brings nothing on but the ensorcelled.
    fn may_come(&self, who: ElementId) -> Result<(), Refusal> {
        let demoralised = self.state.command(self.battle.element(who).command).demoralised;
        let label = self.battle.full_label(who);
        let rule = match self.state.element(who).fate {
            Fate::Table => {
                return Err(Refusal::new(None, Why::Other, format!("{label} is on the table already")));
            }
            Fate::Ensorcelled => return Ok(()),
            Fate::Waiting => rule!("BB-045"),
            _ => rule!("BB-047"),
        };
        if demoralised { no(rule, who, format!("{label} is of a demoralized command")) } else { Ok(()) }
    }

    /// Whether a base stands clear: on the board, on nobody, on no Stronghold, on ground where it may stand.
    pub(crate) fn stands_clear(&self, who: ElementId, base: &Base, rule: RuleId) -> Result<(), Refusal> {
        let label = self.battle.full_label(who);
        if !self.battle.board.contains(base) {
            return Err(Refusal::new(
                rule,
                Why::OffBoard(who),
                format!("{label} would not stand wholly on the board"),
            ));
        }
        for other in self.battle.ids().filter(|o| *o != who && self.stands(*o)) {
            if base.overlaps(&self.base(other)) {
                let words = format!("{label} would stand on {}", self.battle.full_label(other));
                return Err(Refusal::new(rule, Why::OnTopOf { who, other }, words));
            }
        }
        for side in &self.state.sides {
            if matches!(side.strong, Strong::Stands(s) | Strong::Lost(s) if base.overlaps(&s)) {
                return Err(Refusal::new(rule, Why::Other, format!("{label} would stand on a Stronghold")));
            }
        }
        self.battle.may_stand(self.state, who, base)
    }

    /// HOTT-182, HOTT-198, HOTT-204, HOTT-205: not in contact with an enemy, nor nearer than `gap`.
    fn keeps_away(&self, who: ElementId, base: &Base, gap: i32, rule: RuleId) -> Result<(), Refusal> {
        for enemy in self.battle.ids().filter(|e| self.stands(*e) && self.battle.enemies(who, *e)) {
            let there = self.base(enemy);
            let near =
                if gap == 0 { base.touches(&there) } else { !field::reaches(gap, base.distance(&there)) };
            if near {
                let (label, other) = (self.battle.full_label(who), self.battle.full_label(enemy));
                let words = if gap == 0 {
                    format!("{label} would touch {other}")
                } else {
                    let far = field::paces_needed(base.distance(&there));
                    format!("{label} would be {far}p from {other}, {}p are needed", gap / PACE)
                };
                return Err(Refusal::new(rule, Why::InContact { who, enemy }, words));
            }
        }
        Ok(())
    }

    /// Its rear edge on a base edge of the board.
    fn on_edge(&self, base: &Base, side: SideId) -> bool {
        let stretch = self.battle.base_edge(self.state, side);
        let rear = base.edge(field::Edge::Rear);
        [rear.a, rear.b]
            .iter()
            .all(|p| self.battle.board.from_edge(stretch.edge, *p).abs() <= field::TOLERANCE)
            && stretch.faces(base)
    }

    /// How far from an edge a base would stand, in words.
    fn off_edge(&self, base: &Base, edge: BoardEdge) -> String {
        let rear = base.edge(field::Edge::Rear);
        let off =
            [rear.a, rear.b].iter().map(|p| self.battle.board.from_edge(edge, *p).abs()).max().unwrap_or(0);
        let word = crate::words::edge_word(edge);
        format!("there its rear would be {}p from the {word} edge", field::paces_needed(off))
    }

    fn edge_of(&self, side: SideId) -> BoardEdge {
        self.state.side(side).edge.unwrap_or(BoardEdge::Lower)
    }

    /// Puts an element on the table.
    fn appear(&mut self, who: ElementId, pose: Pose, rule: RuleId) {
        let now = self.now(who);
        (now.pose, now.began, now.fate, now.enchanter) = (pose, pose, Fate::Table, None);
        now.flags = Flags::ARRIVED;
        now.charged = 0;
        // BB-041: a general who is lost once more is tested once more.
        if self.battle.holds_general(self.state, who) {
            self.state.commands[self.battle.element(who).command.index()].tested = false;
        }
        self.events.push(Event::Appeared { who, pose, rule });
    }

    /// HOTT-181, HOTT-182, HOTT-185: Gods one at a time, Dragons all together.
    pub(crate) fn arrive(&mut self, who: &[(ElementId, Pose)]) -> Done {
        self.phase(Phase::Moves)?;
        let Some((first, _)) = who.first().copied() else { return refused(None, Why::Other, "who?") };
        let ty = self.battle.element(first).ty;
        let numbers = self.battle.tables.numbers;
        let together = self.battle.tables.options.dragon_deploy == DragonDeploy::Together;
        let waits = |id: ElementId| self.state.element(id).fate == Fate::Waiting;
        for (i, (id, _)) in who.iter().enumerate() {
            self.own(*id)?;
            let label = self.battle.full_label(*id);
            // Who comes on by another command is told so.
            let (theirs, fate) = (self.battle.element(*id).ty, self.state.element(*id).fate);
            if theirs.is_lurker() && fate != Fate::Table {
                let words = format!("{label} appears against an enemy: lurk {label} front B.Bld1");
                return refused(rule!("HOTT-188"), Why::NotOnTable(*id), words);
            }
            if self.return_cost(*id).is_some() {
                let words = format!("{label} comes back by `return`: return {label} X Y HEADING");
                let rule = if fate == Fate::Destroyed { rule!("HOTT-197") } else { rule!("HOTT-202") };
                return refused(rule, Why::NotOnTable(*id), words);
            }
            let late = self.state.large.late(self.battle.element(*id).command) > 0;
            let alike = self.battle.element(*id).ty == ty || late;
            if !alike || who[..i].iter().any(|(o, _)| o == id) {
                return refused(
                    rule!("HOTT-181"),
                    Why::Other,
                    format!(
                        "{label} does not come on with {}: Gods come one at a time, Dragons with Dragons",
                        self.battle.full_label(first)
                    ),
                );
            }
            self.may_come(*id)?;
            let back = self.state.element(*id).fate == Fate::Left && self.god_returns(ty);
            if !waits(*id) && !back {
                let rule = if ty == TroopType::God { rule!("HOTT-184") } else { rule!("HOTT-186") };
                return refused(rule, Why::NotOnTable(*id), format!("{label} does not return"));
            }
        }
        if self.state.large.late(self.battle.element(first).command) > 0 && waits(first) {
            if self.battle.entry(self.state, self.battle.element(first).command).is_some() {
                return self.enter_contingent(who);
            }
            return self.march_on(who);
        }
        let (rule, cost) = match ty {
            TroopType::God if who.len() == 1 => (rule!("HOTT-101"), numbers.pip_god),
            TroopType::God => {
                let words = format!(
                    "{} Gods are named: they come on one at a time, {} each",
                    who.len(),
                    crate::figure::pips(numbers.pip_god)
                );
                return refused(rule!("HOTT-181"), Why::Other, words);
            }
            TroopType::Drg => {
                let all = self
                    .battle
                    .ids_of(self.battle.element(first).side)
                    .filter(|id| self.battle.element(*id).ty == TroopType::Drg && waits(*id))
                    .count();
                if together && all != who.len() {
                    let words = format!("all {all} Dragons come on together, {} named", who.len());
                    return refused(rule!("HOTT-102"), Why::Other, words);
                }
                let each = if together { 1 } else { i32::try_from(who.len()).unwrap_or(1) };
                (rule!("HOTT-102"), numbers.pip_dragons * each)
            }
            _ => return self.land(who),
        };
        self.pay(self.purse(first), vec![(rule, pips(cost))])?;
        for (id, pose) in who {
            let base = Base::new(*pose, self.battle.element(*id).size);
            if !self.on_edge(&base, self.battle.element(*id).side) {
                let words = format!(
                    "{} comes on with its rear edge on its own base edge; {}",
                    self.battle.full_label(*id),
                    self.off_edge(&base, self.edge_of(self.battle.element(*id).side))
                );
                return refused(rule!("HOTT-182"), Why::NotOnTable(*id), words);
            }
            self.stands_clear(*id, &base, rule!("HOTT-182"))?;
            self.keeps_away(*id, &base, 0, rule!("HOTT-182"))?;
            let rule = if ty == TroopType::God { rule!("HOTT-181") } else { rule!("HOTT-185") };
            self.appear(*id, *pose, rule);
        }
        Ok(())
    }

    /// HOTT-080 with `littoral`, HOTT-R40: elements that were kept off the table land on the shore of a waterway.
    fn land(&mut self, who: &[(ElementId, Pose)]) -> Done {
        let rule = rule!("HOTT-080");
        let numbers = self.battle.tables.numbers;
        let Some((first, _)) = who.first().copied() else { return refused(None, Why::Other, "who?") };
        if !self.battle.tables.options.littoral {
            let words = format!(
                "{} does not come on so: only Gods and Dragons arrive",
                self.battle.full_label(first)
            );
            return refused(rule, Why::NotOnTable(first), words);
        }
        // Every side's first bound is one of the first round.
        if self.state.bound > u32::try_from(self.state.sides.len()).unwrap_or(u32::MAX) {
            let words = format!("this is bound {}: landing is for a side's first bound", self.state.bound);
            return refused(rule, Why::Other, words);
        }
        let ashore = |id: &ElementId| {
            self.state.element(*id).flags.has(Flags::ARRIVED)
                && !crate::setup::starts_off_table(self.battle.element(*id).ty)
        };
        if self.battle.ids_of(self.state.active).any(|id| ashore(&id)) {
            return refused(rule, Why::Other, "this side has landed already: all land together");
        }
        let most = usize::try_from(numbers.littoral_elements).unwrap_or(0);
        if who.len() > most {
            return refused(rule, Why::Other, format!("{} would land, at most {most} may", who.len()));
        }
        for (i, (id, _)) in who.iter().enumerate() {
            let (label, info) = (self.battle.full_label(*id), self.battle.element(*id));
            let waits = self.state.element(*id).fate == Fate::Waiting;
            if !waits || crate::setup::starts_off_table(info.ty) || self.is_aerial(*id) {
                return refused(
                    rule,
                    Why::NotOnTable(*id),
                    format!("{label} was not kept off the table to land"),
                );
            }
            if info.command != self.battle.element(first).command || who[..i].iter().any(|(o, _)| o == id) {
                return refused(rule, Why::Other, format!("{label} does not land with the others"));
            }
        }
        self.pay(self.purse(first), vec![(rule, pips(numbers.pip_littoral))])?;
        for (id, pose) in who {
            let base = Base::new(*pose, self.battle.element(*id).size);
            let label = self.battle.full_label(*id);
            if !self.state.ground.on_a_shore(&self.battle.board, &base) {
                let words = format!(
                    "{label} would not stand on the shore of water that reaches a board edge, dry and touching it"
                );
                return refused(rule, Why::NoGoing(*id), words);
            }
            self.stands_clear(*id, &base, rule)?;
            self.keeps_away(*id, &base, 0, rule)?;
            self.appear(*id, *pose, rule);
        }
        Ok(())
    }

    /// CAM-076, CAM-153: elements of a command that comes on later enter over its side's base edge, as one group.
    fn march_on(&mut self, who: &[(ElementId, Pose)]) -> Done {
        let Some((first, _)) = who.first().copied() else { return Ok(()) };
        let command = self.battle.element(first).command;
        let from = self.state.large.late(command);
        if self.state.bound < from {
            let words = format!("its command comes on from bound {from} on");
            return refused(rule!("CAM-153"), Why::NotOnTable(first), words);
        }
        let n = &self.battle.tables.numbers;
        let mut parts = vec![(rule!("HOTT-091"), pips(n.pip_move))];
        let dear = |id: ElementId| self.is_aerial(id) || self.battle.element(id).ty == TroopType::Mag;
        if who.iter().any(|(id, _)| dear(*id)) {
            parts.push((rule!("HOTT-092"), pips(n.pip_aerial_or_magician)));
        }
        self.pay(command, parts)?;
        for (id, pose) in who {
            let info = self.battle.element(*id);
            let label = self.battle.full_label(*id);
            if info.command != command || self.state.element(*id).fate != Fate::Waiting {
                return refused(
                    rule!("CAM-153"),
                    Why::NotOnTable(*id),
                    format!("{label} is not of that command"),
                );
            }
            let base = Base::new(*pose, info.size);
            if !self.on_edge(&base, info.side) {
                let words = format!("{label} comes on with its rear edge on its own base edge");
                return refused(rule!("CAM-153"), Why::NotOnTable(*id), words);
            }
            self.stands_clear(*id, &base, rule!("CAM-153"))?;
            self.keeps_away(*id, &base, 0, rule!("CAM-153"))?;
            self.appear(*id, *pose, rule!("CAM-153"));
        }
        Ok(())
    }

    /// CAM-153 (d): a contingent enters as a column at the middle of its edge, or the nearest free place: the leader
    /// square to the edge, from it straight on by one column move, the others close behind; who finds no room yet
    /// follows when the column moves on.
    fn enter_contingent(&mut self, who: &[(ElementId, Pose)]) -> Done {
        let rule = rule!("CAM-153");
        let Some((first, lead)) = who.first().copied() else { return Ok(()) };
        let command = self.battle.element(first).command;
        for (id, _) in who {
            let label = self.battle.full_label(*id);
            if self.battle.element(*id).command != command || self.state.element(*id).fate != Fate::Waiting {
                return refused(rule, Why::NotOnTable(*id), format!("{label} is not of that contingent"));
            }
        }
        let from = self.state.large.late(command);
        if self.state.bound < from {
            let words = if self.battle.is_present(self.state, command) {
                format!("the contingent was called in this bound and comes on from bound {from} on")
            } else {
                let call = self.battle.tables.numbers.contingent_call;
                format!("the contingent waits for a PIP score of {call}")
            };
            return refused(rule, Why::NotOnTable(first), words);
        }
        if self.state.command(command).demoralised {
            return refused(rule!("CAM-158"), Why::NotOnTable(first), "the contingent has lost its general");
        }
        let leads = self.tail_of(command).is_none();
        let mut front = match self.tail_of(command) {
            // The rest follows, at no cost, when the column moves on.
            Some(tail) => {
                let flags = self.state.element(tail).flags;
                if !(flags.has(Flags::MOVED) || flags.has(Flags::ARRIVED)) {
                    let words = format!("the rest follows when {} moves on", self.battle.full_label(tail));
                    return refused(rule, Why::NotOnTable(first), words);
                }
                self.base(tail)
            }
            None => {
                self.lead_on(command, first, lead, who)?;
                let n = &self.battle.tables.numbers;
                let mut parts = vec![(rule!("HOTT-091"), pips(n.pip_move))];
                let dear = |id: ElementId| self.is_aerial(id) || self.battle.element(id).ty == TroopType::Mag;
                if who.iter().any(|(id, _)| dear(*id)) {
                    parts.push((rule!("HOTT-092"), pips(n.pip_aerial_or_magician)));
                }
                if self.battle.general_of(self.state, command).is_none() {
                    parts.push((rule!("HOTT-093"), pips(n.pip_no_command)));
                }
                self.pay(command, parts)?;
                Base::new(lead.back(-self.battle.element(first).size.depth), self.battle.element(first).size)
            }
        };
        for (n, (id, pose)) in who.iter().enumerate() {
            let base = Base::new(*pose, self.battle.element(*id).size);
            let label = self.battle.full_label(*id);
            if !(leads && n == 0) {
                let wanted = front.pose.back(front.size.depth);
                let off = base.pose.point().distance(wanted.point());
                if off > field::TOLERANCE || base.pose.heading != front.pose.heading {
                    let at = crate::figure::pose(wanted);
                    return refused(
                        rule,
                        Why::NotOnTable(*id),
                        format!("{label} follows in the column, at {at}"),
                    );
                }
            }
            if !self.battle.board.contains(&base) {
                let words = format!("{label} has no room yet: it follows when the column moves on");
                return refused(rule, Why::OffBoard(*id), words);
            }
            self.stands_clear(*id, &base, rule)?;
            self.keeps_away(*id, &base, 0, rule)?;
            self.appear(*id, *pose, rule);
            front = base;
        }
        Ok(())
    }

    /// The last element of a contingent's column on the table: the nearest to its edge.
    pub(crate) fn tail_of(&self, command: CommandId) -> Option<ElementId> {
        let edge = self.battle.entry_edge(self.state, command);
        let on =
            self.battle.ids().filter(|id| self.battle.element(*id).command == command && self.stands(*id));
        on.min_by_key(|id| (self.battle.board.from_edge(edge, self.base(*id).centre()), *id))
    }

    /// How far a column goes from its edge in one move: the slowest rate for the ground it would cross (HOTT-112).
    pub(crate) fn entry_reach(&self, who: &[ElementId], start: &Base) -> i32 {
        use crate::table::Column;
        let rate = |id: &ElementId, column| {
            self.battle.tables.troop(self.battle.element(*id).ty).rate(column) * PACE
        };
        let slowest = |column| who.iter().map(|id| rate(id, column)).min().unwrap_or(0);
        if who.iter().all(|id| self.is_aerial(*id)) {
            return slowest(Column::Good);
        }
        let far = slowest(Column::Good);
        let sweep = field::Hull::sweep(start, &start.at(start.pose.forward(far)));
        let footing = self.state.ground.crossed(&sweep).footing;
        match (footing.water, footing.bad) {
            (true, _) => slowest(Column::Water).min(slowest(Column::Bad)),
            (_, true) => slowest(Column::Bad),
            _ => far,
        }
    }

    /// The place at its edge where a contingent's leader begins: the middle, or the nearest that is free.
    pub(crate) fn entry_place(&self, command: CommandId, leader: ElementId) -> Option<Pose> {
        let edge = self.battle.entry_edge(self.state, command);
        let stretch = crate::setup::Stretch::new(&self.battle.board, edge, crate::battle::Part::Whole);
        let size = self.battle.element(leader).size;
        let foot = stretch.middle(&self.battle.board);
        let step = self.battle.base_width() / 2;
        let most = stretch.length() / step.max(1) / 2;
        (0..=2 * most)
            .map(|k| if k % 2 == 0 { -(k / 2) } else { (k + 1) / 2 })
            .map(|k| Pose::at(foot, edge.inward()).moved(k * step, size.depth))
            .find(|pose| {
                let base = Base::new(*pose, size);
                let rule = rule!("CAM-153");
                self.stands_clear(leader, &base, rule).is_ok()
                    && self.keeps_away(leader, &base, 0, rule).is_ok()
            })
    }

    /// The leader stands straight on from where it begins, as far as one move of the column takes it.
    fn lead_on(
        &self,
        command: CommandId,
        leader: ElementId,
        at: Pose,
        who: &[(ElementId, Pose)],
    ) -> Result<(), Refusal> {
        let rule = rule!("CAM-153");
        let label = self.battle.full_label(leader);
        let Some(start) = self.entry_place(command, leader) else {
            return no(rule, leader, format!("{label} finds no free place at its edge"));
        };
        let size = self.battle.element(leader).size;
        let frame = start.frame();
        let local = frame.to_local(at.point());
        let step = self.battle.base_width() / 2;
        let ids: Vec<ElementId> = who.iter().map(|(id, _)| *id).collect();
        let reach = self.entry_reach(&ids, &Base::new(start, size));
        let square = at.heading == start.heading && local.x.abs() <= step + field::TOLERANCE;
        if !square || local.y < -field::TOLERANCE || !field::reaches(local.y, reach) {
            let words = format!(
                "{label} comes straight on from {}, at most {}p",
                crate::figure::pose(start),
                reach / PACE
            );
            return no(rule, leader, words);
        }
        Ok(())
    }

    /// Ways in which a contingent may come on now, or follow.
    pub(crate) fn entrances(&self, command: CommandId) -> Vec<Vec<(ElementId, Pose)>> {
        let waits = |id: &ElementId| {
            self.battle.element(*id).command == command && self.state.element(*id).fate == Fate::Waiting
        };
        let mut who: Vec<ElementId> = self.battle.ids().filter(waits).collect();
        // The general in front is safe from nobody; he goes in second place where there are others.
        who.sort_by_key(|id| self.battle.holds_general(self.state, *id));
        let column = |lead: Pose, first: usize| -> Vec<(ElementId, Pose)> {
            let mut out = Vec::new();
            let mut pose = lead;
            for id in &who[first..] {
                let base = Base::new(pose, self.battle.element(*id).size);
                if !self.battle.board.contains(&base) {
                    break;
                }
                out.push((*id, pose));
                pose = pose.back(base.size.depth);
            }
            out
        };
        let Some(leader) = who.first().copied() else { return Vec::new() };
        if let Some(tail) = self.tail_of(command) {
            let base = self.base(tail);
            let list = column(base.pose.back(base.size.depth), 0);
            return if list.is_empty() { Vec::new() } else { vec![list] };
        }
        let Some(start) = self.entry_place(command, leader) else { return Vec::new() };
        let reach = self.entry_reach(&who, &Base::new(start, self.battle.element(leader).size));
        [reach, reach / 2, 0].into_iter().map(|by| column(start.forward(by), 0)).collect()
    }

    /// HOTT-098: what the next appearance of a Lurker costs.
    pub(crate) fn lurker_cost(&self, who: ElementId) -> u8 {
        let n = &self.battle.tables.numbers;
        pips(n.pip_lurker + n.pip_lurker_again * i32::from(self.state.element(who).appearances))
    }

    /// Where an ambush would stand.
    pub(crate) fn ambush_pose(&self, ambush: &Ambush) -> Pose {
        let (enemy, size) = (self.base(ambush.enemy), self.battle.element(ambush.who).size);
        match ambush.face {
            Face::Front => enemy.front_contact(),
            Face::Left => enemy.flank_contact(field::Side::Left, size),
            Face::Right => enemy.flank_contact(field::Side::Right, size),
            Face::Rear => enemy.rear_contact(),
        }
    }

    /// HOTT-188 to HOTT-192: whether a Lurker may be deployed so; its pose.
    pub(crate) fn may_lurk(&self, ambush: &Ambush) -> Result<Pose, Refusal> {
        let Ambush { who, enemy, .. } = *ambush;
        let (label, theirs) = (self.battle.full_label(who), self.battle.full_label(enemy));
        let ty = self.battle.element(who).ty;
        if !ty.is_lurker() {
            return no(rule!("HOTT-188"), who, format!("{label} is no Lurker"));
        }
        self.may_come(who)?;
        if !matches!(self.state.element(who).fate, Fate::Waiting | Fate::Fled) {
            return no(rule!("HOTT-194"), who, format!("{label} does not return"));
        }
        if !self.stands(enemy) || !self.battle.enemies(who, enemy) {
            return no(rule!("HOTT-188"), who, format!("{theirs} is no enemy on the table"));
        }
        if self.is_aerial(enemy) {
            return no(rule!("HOTT-192"), who, format!("{theirs} is an Aerial"));
        }
        let own = self.battle.element(who).side;
        let seen = self.state.element(enemy).seen_moving & (1 << own.0) != 0;
        if !self.state.element(enemy).flags.has(Flags::STIRRED_BEFORE) && !seen {
            return no(rule!("HOTT-189"), who, format!("{theirs} did not move in the bound before"));
        }
        let (pose, base) = {
            let pose = self.ambush_pose(ambush);
            (pose, Base::new(pose, self.battle.element(who).size))
        };
        let water = ty == TroopType::WLk;
        let there = self.base(enemy);
        let mut hides = self
            .state
            .ground
            .features_under(&there)
            .filter(|(_, f)| Ground::hides(f, water))
            .map(|(n, _)| n)
            .peekable();
        let rule = if water { rule!("HOTT-191") } else { rule!("HOTT-188") };
        if hides.peek().is_none() {
            let what = if water { "water or a marsh" } else { "bad going" };
            return no(rule, who, format!("{theirs} is not in {what}"));
        }
        let same = |n: usize| self.state.ground.features_under(&base).any(|(m, _)| m == n);
        if !hides.any(same) {
            return no(rule, who, format!("{label} would stand outside that feature"));
        }
        self.stands_clear(who, &base, rule)?;
        // One front contact is the end of it: nobody else may have it (HOTT-161).
        if ambush.face == Face::Front && self.contacts().front(enemy).is_some() {
            return no(rule, who, format!("{theirs} is in front contact already"));
        }
        Ok(pose)
    }

    /// `lurk`.
    pub(crate) fn lurk(&mut self, ambush: &Ambush) -> Done {
        self.phase(Phase::Moves)?;
        self.own(ambush.who)?;
        let pose = self.may_lurk(ambush)?;
        let cost = self.lurker_cost(ambush.who);
        self.pay(self.purse(ambush.who), vec![(rule!("HOTT-098"), cost)])?;
        self.appear(ambush.who, pose, rule!("HOTT-188"));
        let charged = self.state.elements.iter().map(|e| e.charged).max().unwrap_or(0).saturating_add(1);
        let now = self.now(ambush.who);
        now.appearances = now.appearances.saturating_add(1);
        now.charged = charged;
        Ok(())
    }

    /// HOTT-195.
    pub(crate) fn may_withdraw(&self, who: ElementId) -> Result<(), Refusal> {
        let label = self.battle.full_label(who);
        if !self.battle.element(who).ty.is_lurker() || !self.stands(who) {
            return no(rule!("HOTT-195"), who, format!("{label} is no Lurker on the table"));
        }
        if self.contacts().in_contact(who) {
            return no(rule!("HOTT-195"), who, format!("{label} is in contact"));
        }
        if self.state.element(who).flags.has(Flags::ARRIVED)
            || self.state.element(who).flags.has(Flags::MOVED)
        {
            return no(rule!("HOTT-195"), who, format!("{label} came on or moved this bound"));
        }
        if self.state.command(self.battle.element(who).command).demoralised {
            return no(rule!("BB-047"), who, format!("{label} is of a demoralized command"));
        }
        Ok(())
    }

    /// `withdraw`.
    pub(crate) fn withdraw(&mut self, who: ElementId) -> Done {
        self.phase(Phase::Moves)?;
        self.own(who)?;
        self.may_withdraw(who)?;
        let cost = pips(self.battle.tables.numbers.pip_withdraw_lurker);
        self.pay(self.purse(who), vec![(rule!("HOTT-195"), cost)])?;
        let now = self.now(who);
        now.fate = Fate::Waiting;
        now.flags = Flags::default();
        self.events.push(Event::Withdrawn(who));
        Ok(())
    }

    /// HOTT-203: whether the Magician that ensorcelled it has been destroyed or ensorcelled since.
    pub(crate) fn is_freed(&self, who: ElementId) -> bool {
        let gone = |m: ElementId| matches!(self.state.element(m).fate, Fate::Destroyed | Fate::Ensorcelled);
        self.battle.tables.options.enchanter_loss_frees && self.state.element(who).enchanter.is_some_and(gone)
    }

    /// What bringing back a Horde or an ensorcelled element costs (HOTT-099, HOTT-100, HOTT-203).
    pub(crate) fn return_cost(&self, who: ElementId) -> Option<(RuleId, u8)> {
        let n = &self.battle.tables.numbers;
        match (self.battle.element(who).ty, self.state.element(who).fate) {
            // CAM-012: the Hordes of most campaign armies are lost for good.
            (TroopType::Hrd, Fate::Destroyed)
                if !self.battle.hordes_return(self.state, self.battle.element(who).side) =>
            {
                None
            }
            (TroopType::Hrd, Fate::Destroyed) => Some((rule!("HOTT-099"), pips(n.pip_horde))),
            (_, Fate::Ensorcelled) if self.is_freed(who) => Some((rule!("HOTT-203"), 0)),
            (_, Fate::Ensorcelled) => Some((rule!("HOTT-100"), pips(n.pip_desorcel))),
            _ => None,
        }
    }

    /// The sides at whose edge or Stronghold a Hero may come back (HOTT-204, BB-097): his enchanter's while it is in
    /// play, else any hostile one.
    pub(crate) fn return_sides(&self, who: ElementId) -> Vec<SideId> {
        let own = self.battle.element(who).side;
        let enchanter = self.state.element(who).enchanter.map(|m| self.battle.element(m).side);
        let hostile = |s: &SideId| self.battle.hostile(own, *s) && !self.state.side(*s).out;
        let all = (0..self.state.sides.len() as u8).map(SideId).filter(hostile);
        match enchanter.filter(|s| hostile(s)) {
            Some(side) => vec![side],
            None => all.collect(),
        }
    }

    fn touches_stronghold(&self, base: &Base, side: SideId) -> bool {
        matches!(self.state.side(side).strong, Strong::Stands(s) if base.touches(&s))
    }

    /// HOTT-198, HOTT-204, HOTT-205: whether an element may come back here.
    pub(crate) fn may_return(
        &self,
        who: ElementId,
        pose: Pose,
        declared: bool,
    ) -> Result<(RuleId, u8), Refusal> {
        let label = self.battle.full_label(who);
        let ty = self.battle.element(who).ty;
        let Some(cost) = self.return_cost(who) else {
            let horde = ty == TroopType::Hrd && self.state.element(who).fate == Fate::Destroyed;
            if horde && !self.battle.hordes_return(self.state, self.battle.element(who).side) {
                return no(rule!("CAM-012"), who, format!("{label} is lost for good in this campaign"));
            }
            return no(rule!("HOTT-197"), who, format!("{label} does not come back so"));
        };
        self.may_come(who)?;
        let own = self.battle.element(who).side;
        let base = Base::new(pose, self.battle.element(who).size);
        let rule = match (ty, self.state.element(who).fate) {
            (_, Fate::Destroyed) => {
                if !self.on_edge(&base, own) && !self.touches_stronghold(&base, own) {
                    let off = self.off_edge(&base, self.edge_of(own));
                    let words = format!(
                        "{label} comes back with its rear edge on its base edge, or touching its Stronghold; {off}"
                    );
                    return no(rule!("HOTT-198"), who, words);
                }
                let gap = self.battle.tables.options.horde_gap * PACE;
                self.keeps_away(who, &base, gap, rule!("HOTT-198"))?;
                rule!("HOTT-198")
            }
            (TroopType::Mag, _) => {
                let marker = Base::new(self.state.element(who).pose, self.battle.element(who).size);
                let reach = self.battle.tables.numbers.marker_reach;
                let far = base.centre().distance(marker.centre());
                if !field::reaches(far, reach * PACE) {
                    let words = format!(
                        "{label} would stand {}p from its marker, at most {reach}p",
                        field::paces_needed(far)
                    );
                    return no(rule!("HOTT-205"), who, words);
                }
                self.keeps_away(who, &base, 0, rule!("HOTT-205"))?;
                // As near as it can stand.
                if far > field::TOLERANCE && !declared && self.could_stand_nearer(who, &marker, far) {
                    return no(rule!("HOTT-205"), who, format!("{label} can stand nearer to its marker"));
                }
                rule!("HOTT-205")
            }
            _ => {
                let edge_only = self.battle.tables.options.hero_return == HeroReturn::Edge;
                let sides = self.return_sides(who);
                let strong = !edge_only && sides.iter().any(|s| self.touches_stronghold(&base, *s));
                let edge = sides.iter().any(|s| {
                    let stretch = self.battle.base_edge(self.state, *s);
                    self.battle.board.touches_edge(&base, stretch.edge) && stretch.faces(&base)
                });
                if !strong && !edge {
                    let off =
                        sides.first().map_or_else(String::new, |s| self.off_edge(&base, self.edge_of(*s)));
                    let where_to = if edge_only { "base edge" } else { "base edge or Stronghold" };
                    let words = format!("{label} comes back touching the enemy's {where_to}; {off}");
                    return no(rule!("HOTT-204"), who, words);
                }
                if declared && !strong {
                    return no(rule!("HOTT-204"), who, format!("{label} touches no Stronghold to attack"));
                }
                self.keeps_away(who, &base, 0, rule!("HOTT-204"))?;
                rule!("HOTT-204")
            }
        };
        self.stands_clear(who, &base, rule)?;
        Ok(cost)
    }

    /// HOTT-205, HOTT-R39: nearer places are looked for on eight rays from the marker, a quarter base width apart.
    fn could_stand_nearer(&self, who: ElementId, marker: &Base, far: i32) -> bool {
        self.magician_places(who, marker).iter().any(|p| {
            let base = marker.at(*p);
            let near = base.centre().distance(marker.centre());
            near + self.battle.base_width() / 2 < far
        })
    }

    /// Places where an ensorcelled Magician could come back, nearest first: its marker, then on eight rays from it.
    pub(crate) fn magician_places(&self, who: ElementId, marker: &Base) -> Vec<Pose> {
        let step = self.battle.base_width() / 4;
        let reach = self.battle.tables.numbers.marker_reach * PACE;
        let mut out = Vec::new();
        for ring in 0..=reach / step.max(1) {
            for ray in 0..if ring == 0 { 1 } else { 8 } {
                let along =
                    Pose::at(marker.pose.point(), field::Heading::new(ray * 4_500)).forward(ring * step);
                let pose = Pose { heading: marker.pose.heading, ..along };
                let base = marker.at(pose);
                let rule = rule!("HOTT-205");
                if self.stands_clear(who, &base, rule).is_ok() && self.keeps_away(who, &base, 0, rule).is_ok()
                {
                    out.push(pose);
                }
            }
            if !out.is_empty() {
                break;
            }
        }
        out
    }

    /// `return`.
    pub(crate) fn come_back(&mut self, who: ElementId, pose: Pose, declared: bool) -> Done {
        self.phase(Phase::Moves)?;
        self.own(who)?;
        let (rule, cost) = self.may_return(who, pose, declared)?;
        if cost > 0 {
            self.pay(self.purse(who), vec![(rule, cost)])?;
        }
        let comes_by = match (self.battle.element(who).ty, self.state.element(who).fate) {
            (_, Fate::Destroyed) => rule!("HOTT-198"),
            (TroopType::Mag, _) => rule!("HOTT-205"),
            _ => rule!("HOTT-204"),
        };
        // HOTT-220: the memory of the first 1 goes with the spell; appear() clears all flags.
        self.appear(who, pose, comes_by);
        if declared {
            self.now(who).flags.set(Flags::AT_STRONGHOLD);
        }
        Ok(())
    }
}
