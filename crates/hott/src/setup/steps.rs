//! The steps of setting up: dice, ground, edges, Strongholds, deployment (HOTT-069 to HOTT-079, BB-025, BB-092).

use super::Setup;
use super::stretch::{read_stretch, rim};
use crate::battle::{
    Battle, CommandId, Event, Fate, Opening, Part, Phase, Refusal, SideId, State, Strong, Why,
};
use crate::bound::{Done, Play, refused};
use crate::ground::Ground;
use crate::table::options::{DeployFirst, FirstBound};
use crate::words::edge_word;
use dice::Ask;
use field::{Base, BoardEdge, Len, PACE, Point, Pose, Size};
use game::{Problem, Problems};
use rulebook::rule;
use std::sync::Arc;

/// One digit of [`crate::battle::SideState::die`] for each throw.
const DIGIT: u32 = 7;
/// So often ties are thrown again; then the first named side has the higher score.
const MOST_ROLLS: u8 = 9;
/// From this number `strict` on, an edge that the set-up names stays its side's when the others get theirs; in records
/// begun before, the choice of edges was made as if none were named.
const NAMED_EDGES_STAND: i32 = 2;

impl Battle {
    /// The battle with what the set-up document fixes already done.
    pub(crate) fn started(
        self,
        setup: &Setup,
        contest: Option<crate::battle::Contest>,
    ) -> Result<Battle, Problems> {
        let mut problems = Vec::new();
        let mut start = self.opening.start.clone();
        if let Some(contest) = contest {
            // CAM-076: contingents are off the table until their die calls them.
            let waits = |t: &crate::battle::Terms| if t.entry.is_some() { u32::MAX } else { 0 };
            let late: Vec<u32> = contest.commands.iter().map(waits).collect();
            for (command, late) in start.commands.iter_mut().zip(&late) {
                command.deployed = *late > 0;
            }
            start.large.late = late;
            start.large.contest = Some(contest);
        }
        if let Some(lines) = &setup.ground {
            match Ground::parse(&lines.join("\n")) {
                Ok(ground) => {
                    problems.extend(ground.astray(&self.board));
                    start.ground = Arc::new(ground);
                }
                Err(p) => problems.extend(p),
            }
        }
        let side_of = |letter: &str| {
            self.sides
                .iter()
                .position(|s| s.letter.to_string().eq_ignore_ascii_case(letter))
                .map(|n| SideId(n as u8))
        };
        let unknown = |letter: &str| Problem::new(format!("no such side: {letter}"));
        if let Some(letter) = &setup.defender {
            match side_of(letter) {
                Some(side) => {
                    start.sides[side.index()].defends = true;
                    self.sides_known(&mut start);
                }
                None => problems.push(unknown(letter)),
            }
        }
        for (letter, word) in &setup.edges {
            match (side_of(letter), read_stretch(word)) {
                (Some(side), Ok((edge, part))) => {
                    start.sides[side.index()].edge = Some(edge);
                    if part != Part::Whole {
                        start.large.parts.resize(self.sides.len(), Part::Whole);
                        start.large.parts[side.index()] = part;
                    }
                }
                (None, _) => problems.push(unknown(letter)),
                (_, Err(p)) => problems.push(p),
            }
        }
        // HOTT-071: whoever's edge is named, the other sits opposite.
        if self.named_edges_stand()
            && let [a, b] = &mut start.sides[..]
        {
            a.edge = a.edge.or(b.edge.map(BoardEdge::opposite));
            b.edge = b.edge.or(a.edge.map(BoardEdge::opposite));
        }
        let baggage = !setup.campaign || self.tables.big.campaign_baggage;
        for (n, (side, given)) in start.sides.iter_mut().zip(&setup.sides).enumerate() {
            let bit = 1_u8 << n;
            match given.stronghold {
                Some(true) => {
                    side.strong = Strong::Waiting;
                    if setup.campaign {
                        start.large.strongholds |= bit;
                    }
                }
                Some(false) => side.strong = Strong::None,
                // BB-085: in a campaign only who has a Stronghold has anything.
                None if self.tables.is_big() && !baggage => side.strong = Strong::None,
                None => {}
            }
        }
        if setup.sides.iter().flat_map(|s| &s.commands).any(|c| c.late > 0) {
            start.large.late = setup.sides.iter().flat_map(|s| &s.commands).map(|c| c.late).collect();
            for (command, late) in start.commands.iter_mut().zip(&start.large.late) {
                command.deployed = *late > 0;
            }
        }
        start.large.campaign = setup.campaign && !baggage;
        if !problems.is_empty() {
            return Err(problems);
        }
        self.next_step(&mut start);
        let opening = Opening { start, ..(*self.opening).clone() };
        Ok(Battle { opening: Arc::new(opening), ..self })
    }

    /// HOTT-072, HOTT-079, BB-021, BB-093: what follows once it is known who defends.
    pub(super) fn sides_known(&self, state: &mut State) {
        let big = self.tables.is_big();
        // CAM-071: in a campaign the defender has the first bound, whatever the table's house rules.
        let contest = state.large.contest.is_some();
        let attacker = self.tables.options.first_bound == FirstBound::Attacker;
        let first = if !contest && (big || attacker) { 0 } else { 1 };
        let mut order: Vec<usize> = (0..state.sides.len()).collect();
        // Falling dice, the defender last.
        order.sort_by_key(|i| (state.sides[*i].defends, std::cmp::Reverse(state.sides[*i].die), *i));
        if first == 1 {
            order.rotate_right(1);
        }
        for (place, i) in order.into_iter().enumerate() {
            state.sides[i].place = place as u8;
        }
        for (n, side) in state.sides.iter_mut().enumerate() {
            // Who plays without any has said so in the set-up.
            let none = self.opening.setup.pointer(&format!("/sides/{n}/stronghold")) == Some(&false.into());
            if !none && ((big && !state.large.campaign) || (!big && side.defends)) {
                side.strong = Strong::Waiting;
            }
        }
    }

    /// Sides in the order in which they deploy (HOTT-075, BB-028).
    fn deploying(&self, state: &State) -> Vec<SideId> {
        let attacker_first = self.tables.is_big()
            || state.large.contest.is_some()
            || self.tables.options.deploy_first == DeployFirst::Attacker;
        let mut order: Vec<SideId> =
            (0..state.sides.len() as u8).map(SideId).filter(|s| !state.side(*s).out).collect();
        order.sort_by_key(|s| {
            let side = state.side(*s);
            (side.defends == attacker_first, std::cmp::Reverse(side.die), *s)
        });
        order
    }

    fn has_to_deploy(&self, state: &State, side: SideId) -> bool {
        !state.side(side).out
            && self.commands.iter().zip(&state.commands).any(|(info, now)| info.side == side && !now.deployed)
    }

    /// BB-054: a side leaves while it is being set up; another acts in its stead.
    pub(crate) fn without(&self, state: &mut State, side: SideId) {
        let playing = |s: &SideId| !state.side(*s).out;
        let other = (0..state.sides.len() as u8).map(SideId).find(playing);
        if state.active == side {
            state.active = self.deploying(state).into_iter().next().or(other).unwrap_or(side);
        }
        state.sides[side.index()].strong = Strong::None;
    }

    /// Goes on to the next step of setting up that leaves anything to do; `true` once all is done.
    pub(crate) fn next_step(&self, state: &mut State) -> bool {
        loop {
            let (defender, attacker) = (self.defender(state), self.attacker(state));
            match state.phase {
                Phase::Sides => match defender {
                    None => return false,
                    Some(side) => (state.phase, state.active) = (Phase::Ground, side),
                },
                Phase::Ground => {
                    if state.ground.features().is_empty() {
                        return false;
                    }
                    (state.phase, state.active) = (Phase::Edges, attacker);
                }
                Phase::Edges => {
                    if state.sides.iter().any(|s| s.edge.is_none() && !s.out) {
                        return false;
                    }
                    state.phase = Phase::Strongholds;
                }
                Phase::Strongholds => {
                    let waiting = self
                        .deploying(state)
                        .into_iter()
                        .rev()
                        .find(|s| state.side(*s).strong == Strong::Waiting);
                    match waiting {
                        Some(side) => {
                            state.active = side;
                            return false;
                        }
                        None => {
                            state.phase = Phase::Deploy;
                            let first =
                                self.deploying(state).into_iter().find(|s| self.has_to_deploy(state, *s));
                            state.active = first.unwrap_or(attacker);
                        }
                    }
                }
                Phase::Deploy => {
                    return !(0..state.sides.len() as u8).any(|s| self.has_to_deploy(state, SideId(s)));
                }
                _ => return true,
            }
        }
    }

    /// HOTT-069.
    #[must_use]
    pub fn defender(&self, state: &State) -> Option<SideId> {
        state.sides.iter().position(|s| s.defends).map(|n| SideId(n as u8))
    }

    fn attacker(&self, state: &State) -> SideId {
        let other = |s: &SideId| !state.side(*s).defends && !state.side(*s).out;
        let all = (0..state.sides.len() as u8).map(SideId).filter(other);
        all.max_by_key(|s| (state.side(*s).die, std::cmp::Reverse(*s))).unwrap_or(SideId(0))
    }

    /// HOTT-073, HOTT-074, BB-080: whether a side's Stronghold or Baggage may stand here.
    pub(crate) fn may_place_stronghold(
        &self,
        state: &State,
        side: SideId,
        base: &Base,
    ) -> Result<(), Refusal> {
        let other = |rule, words: String| Err(Refusal::new(rule, Why::Other, words));
        let numbers = &self.tables.numbers;
        let share = |bw: i32| bw * (self.base_width() / PACE);
        let (least, most) = (share(numbers.stronghold_min_bw), share(numbers.stronghold_max_bw));
        for length in [base.size.width, base.size.depth] {
            if length + field::TOLERANCE < least || !field::reaches(length, most) {
                let words = format!("each side is from {}p to {}p long", least / PACE, most / PACE);
                return other(rule!("HOTT-074"), words);
            }
        }
        if !self.board.contains(base) {
            return other(rule!("HOTT-073"), "it must stand wholly on the board".to_owned());
        }
        let under = state.ground.under(base);
        if under.footing.water || under.cliff {
            return other(rule!("HOTT-073"), "it may not stand in water or impassable terrain".to_owned());
        }
        let edge = state.side(side).edge.unwrap_or(BoardEdge::Lower);
        let zone = self.zone_depth();
        if self.tables.is_big() {
            let in_bua = || {
                state.side(side).defends
                    && state
                        .ground
                        .features()
                        .iter()
                        .any(|f| f.kind == crate::ground::Kind::Bua && f.shape.holds(base))
            };
            if !self.in_zone(state, side, base) && !in_bua() {
                let words =
                    "Baggage stands wholly in its side's zone, the defender's also in a built-up area"
                        .to_owned();
                return other(rule!("BB-080"), words);
            }
        } else if !base.corners().iter().any(|c| field::reaches(self.board.from_edge(edge, *c), zone)) {
            let words = format!("it must touch the zone of {}p at the {} edge", zone / PACE, edge_word(edge));
            return other(rule!("HOTT-073"), words);
        }
        let on_another =
            |s: &crate::battle::SideState| matches!(s.strong, Strong::Stands(b) if b.overlaps(base));
        if state.sides.iter().any(on_another) {
            return other(rule!("HOTT-117"), "another army's stands there".to_owned());
        }
        let taken = self.ids().find(|id| {
            state.on_table(*id) && base.overlaps(&Base::new(state.element(*id).pose, self.element(*id).size))
        });
        match taken {
            Some(id) => other(rule!("HOTT-117"), format!("{} stands there", self.full_label(id))),
            None => Ok(()),
        }
    }

    /// HOTT-074: the footprint of the usual Stronghold or Baggage.
    pub(crate) fn standard_stronghold_size(&self) -> Size {
        let numbers = &self.tables.numbers;
        let share = |bw: i32| bw * (self.base_width() / PACE);
        Size::new(share(numbers.stronghold_width_bw), share(numbers.stronghold_depth_bw))
    }

    /// HOTT-073, HOTT-074: the usual Stronghold against the base edge, as near to its middle as it can stand, shifted
    /// by so many base widths.
    #[must_use]
    pub fn standard_stronghold(&self, state: &State, side: SideId, shift: i32) -> Option<Base> {
        let usual = self.standard_stronghold_size();
        let numbers = &self.tables.numbers;
        let least = numbers.stronghold_min_bw * (self.base_width() / PACE);
        // In a shallow zone the smallest.
        [usual, Size::new(least, least)].into_iter().find_map(|s| self.stronghold_of(state, side, s, shift))
    }

    fn stronghold_of(&self, state: &State, side: SideId, size: Size, shift: i32) -> Option<Base> {
        let edge = state.side(side).edge.unwrap_or(BoardEdge::Lower);
        let stretch = self.base_edge(state, side);
        let (foot, long) = (stretch.middle(&self.board), stretch.length());
        let step: Len = self.base_width() / 2;
        let steps = long / step;
        (0..=steps).flat_map(|k| [k, -k]).find_map(|k| {
            let pose = Pose::at(foot, edge.inward()).moved((2 * shift + k) * step, size.depth);
            let base = Base::new(pose, size);
            self.may_place_stronghold(state, side, &base).is_ok().then_some(base)
        })
    }
}

impl Play<'_> {
    /// HOTT-069: the dice for attacker and defender.
    pub(crate) fn roll_for_sides(&mut self) -> Done {
        self.phase(Phase::Sides)?;
        let scores: Vec<u32> = self.state.sides.iter().map(|s| s.die).collect();
        let tied = |i: usize| scores.iter().enumerate().any(|(j, s)| j != i && *s == scores[i]);
        let rolling: Vec<usize> = (0..scores.len()).filter(|i| tied(*i)).collect();
        let moment = u64::from(self.state.rerolls);
        let asks: Vec<Ask> = rolling.iter().map(|i| Ask::d6("sides", *i as u64, moment)).collect();
        let mut values = vec![0; asks.len()];
        self.dice.throw(&asks, &mut values)?;
        for side in &mut self.state.sides {
            side.die *= DIGIT;
        }
        for (i, value) in rolling.into_iter().zip(values) {
            self.state.sides[i].die += u32::from(value);
            self.events.push(Event::SideDie { side: SideId(i as u8), die: value as u8 });
        }
        self.state.rerolls += 1;
        let last = self.state.rerolls >= MOST_ROLLS;
        let scores: Vec<u32> = self.state.sides.iter().map(|s| s.die).collect();
        let mut sorted = scores.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < scores.len() && !last {
            return Ok(());
        }
        let lowest =
            scores.iter().enumerate().min_by_key(|(i, s)| (**s, std::cmp::Reverse(*i))).map_or(0, |(i, _)| i);
        self.state.sides[lowest].defends = true;
        self.battle.sides_known(self.state);
        self.events.push(Event::Defends(SideId(lowest as u8)));
        self.set_up()
    }

    /// HOTT-070: the ground as laid.
    pub(crate) fn lay_ground(&mut self, ground: &Arc<Ground>) -> Done {
        self.phase(Phase::Ground)?;
        let side = self.state.active;
        self.chief(side)?;
        if self.battle.host_lays_ground() && matches!(self.by, game::Actor::Seat(_)) {
            return refused(rule!("BB-029"), Why::NotYours, "the host lays the ground");
        }
        let ap =
            i32::try_from(self.battle.sides.iter().map(|s| s.halves).sum::<u32>() / 2).unwrap_or(i32::MAX);
        let duty = self.state.large.contest.as_ref().and_then(|c| c.ground.as_ref());
        let problems = match duty {
            Some(duty) => ground.campaign_problems(self.battle, duty, ap),
            None => ground.problems(&self.battle.tables, &self.battle.board, self.battle.scale, ap),
        };
        if let Some(p) = problems.first() {
            return refused(p.rule, Why::Other, p.message.clone());
        }
        let before = std::mem::replace(&mut self.state.ground, Arc::clone(ground));
        if let Err(p) = self.battle.fits(self.state) {
            self.state.ground = before;
            let rule = p.rule.unwrap_or(rule!("HOTT-076"));
            return refused(rule, Why::Other, format!("on this ground {}", p.message));
        }
        let features = u16::try_from(ground.features().len()).unwrap_or(u16::MAX);
        self.events.push(Event::GroundLaid { side, features });
        self.set_up()
    }

    /// HOTT-071, BB-025, BB-092: the attacker's numbers for the edges, and the throw.
    pub(crate) fn choose_edges(&mut self, edges: [BoardEdge; 4]) -> Done {
        self.phase(Phase::Edges)?;
        let side = self.state.active;
        self.chief(side)?;
        let preferred = edges[3];
        if self.state.sides.len() > 2 {
            return self.share_edges(side, preferred);
        }
        let mut sorted = edges;
        sorted.sort_unstable();
        let big = self.battle.tables.is_big();
        if sorted != BoardEdge::ALL {
            return refused(rule!("HOTT-071"), Why::Other, "each of the four edges gets its number once");
        }
        let upright = self.battle.board.width >= self.battle.board.height;
        let long =
            if upright { [BoardEdge::Lower, BoardEdge::Upper] } else { [BoardEdge::Left, BoardEdge::Right] };
        if big && !long.contains(&preferred) {
            return refused(rule!("BB-025"), Why::Other, "5 and 6 go to one of the long edges");
        }
        let die = self.dice.one(Ask::d6("edge", u64::from(side.0), 0))? as u8;
        let edge = match die {
            1 | 2 if big => long[0],
            3 | 4 if big => long[1],
            1..=3 => edges[usize::from(die) - 1],
            _ => preferred,
        };
        self.take_edge(side, edge, die);
        let other = SideId(1 - side.0.min(1));
        self.take_edge(other, edge.opposite(), 0);
        self.set_up()
    }

    fn take_edge(&mut self, side: SideId, edge: BoardEdge, die: u8) {
        self.state.sides[side.index()].edge = Some(edge);
        self.events.push(Event::Edge { side, edge, die });
    }

    /// BB-092: the highest chooses, the others follow clockwise in falling order, allies of one already placed first.
    fn share_edges(&mut self, first: SideId, edge: BoardEdge) -> Done {
        let shared = self.battle.shared_edges(self.state, first, edge);
        if shared.sides.iter().any(|s| s.edge.is_none() && !s.out) {
            let words = "of the edges that are left not everybody would get one: choose another as the first";
            return refused(rule!("BB-092"), Why::Other, words);
        }
        if let Err(p) = self.battle.fits(&shared) {
            return refused(p.rule.unwrap_or(rule!("HOTT-076")), Why::Other, p.message);
        }
        self.state.large.parts.clone_from(&shared.large.parts);
        let mut order: Vec<SideId> = (0..shared.sides.len() as u8).map(SideId).collect();
        let places = rim(edge, shared.sides.len());
        let place = |s: &SideId| {
            let own = (shared.side(*s).edge, shared.large.part(*s));
            places.iter().position(|(e, part)| (Some(*e), *part) == own)
        };
        order.retain(|s| place(s).is_some() && self.state.side(*s).edge.is_none());
        order.sort_by_key(place);
        for side in order {
            self.take_edge(side, shared.side(side).edge.unwrap_or(edge), 0);
        }
        self.set_up()
    }

    /// HOTT-073, BB-080.
    pub(crate) fn place_stronghold(&mut self, base: &Base) -> Done {
        self.phase(Phase::Strongholds)?;
        let side = self.state.active;
        self.chief(side)?;
        self.battle.may_place_stronghold(self.state, side, base)?;
        self.state.sides[side.index()].strong = Strong::Stands(*base);
        self.events.push(Event::StrongholdPlaced(side));
        self.set_up()
    }

    /// HOTT-076: places or moves elements.
    pub(crate) fn deploy(&mut self, placed: &[(crate::battle::ElementId, Pose)]) -> Done {
        self.phase(Phase::Deploy)?;
        let moved: Vec<_> = placed.iter().map(|(id, _)| *id).collect();
        for (i, (id, pose)) in placed.iter().enumerate() {
            let info = self.battle.element(*id);
            self.orders(info.command)?;
            let label = self.battle.full_label(*id);
            if info.side != self.state.active || self.state.command(info.command).deployed {
                return refused(rule!("HOTT-075"), Why::Other, format!("{label} is not to be deployed now"));
            }
            if super::starts_off_table(info.ty) {
                let words = format!("{label} starts off the table");
                return refused(rule!("HOTT-078"), Why::NotOnTable(*id), words);
            }
            self.battle.may_deploy(self.state, *id, *pose, &moved[i..])?;
            let now = &mut self.state.elements[id.index()];
            (now.pose, now.began, now.fate) = (*pose, *pose, Fate::Table);
            self.events.push(Event::Deployed { who: *id, pose: *pose });
        }
        Ok(())
    }

    /// A command is done (BB-028); after the last one the first bound begins.
    pub(crate) fn deployed(&mut self, command: CommandId) -> Done {
        self.phase(Phase::Deploy)?;
        self.orders(command)?;
        let side = self.battle.commands[command.index()].side;
        if side != self.state.active || self.state.command(command).deployed {
            let words = format!("{} is not to be deployed now", self.battle.commands[command.index()].name);
            return refused(rule!("HOTT-075"), Why::Other, words);
        }
        if let Some(id) = self.battle.must_have_a_place(self.state, command) {
            let words = format!("{} has no place yet", self.battle.full_label(id));
            return refused(rule!("HOTT-075"), Why::NotOnTable(id), words);
        }
        self.battle.may_stand_together(self.state, command)?;
        self.state.commands[command.index()].deployed = true;
        self.events.push(Event::CommandDeployed(command));
        // BB-025: one command at a time alternately; otherwise a whole side first (HOTT-075).
        let order = self.battle.deploying(self.state);
        let at = order.iter().position(|s| *s == side).unwrap_or(0);
        let from = if self.battle.tables.is_big() { at + 1 } else { at };
        let next = (0..order.len())
            .map(|i| order[(from + i) % order.len()])
            .find(|s| self.battle.has_to_deploy(self.state, *s));
        match next {
            Some(side) => {
                self.state.active = side;
                Ok(())
            }
            None => self.begin_battle(),
        }
    }

    fn set_up(&mut self) -> Done {
        if self.battle.next_step(self.state) { self.begin_battle() } else { Ok(()) }
    }
}

impl Battle {
    /// Whether an edge that the set-up names stays its side's; in records begun before, it does not.
    pub(super) fn named_edges_stand(&self) -> bool {
        self.tables.numbers.strict >= NAMED_EDGES_STAND
    }

    /// BB-092: the places round the rim, from this edge on, on which nobody sits whose edge the set-up names.
    pub(super) fn free_places(&self, state: &State, first: BoardEdge) -> Vec<(BoardEdge, Part)> {
        let mut places = rim(first, state.sides.len());
        if self.named_edges_stand() {
            places.retain(|(edge, part)| {
                (0..state.sides.len() as u8).map(SideId).all(|s| {
                    let own = state.large.part(s);
                    let apart = own != *part && own != Part::Whole && *part != Part::Whole;
                    state.side(s).edge != Some(*edge) || apart
                })
            });
        }
        places
    }

    /// BB-092: the edges as they are shared when this side takes this edge; who finds none has none.
    pub(crate) fn shared_edges(&self, state: &State, first: SideId, edge: BoardEdge) -> State {
        let mut shared = state.clone();
        let places = self.free_places(state, edge);
        let mut left: Vec<SideId> = self.deploying(state);
        left.retain(|s| *s != first);
        let named = |s: &SideId| state.side(*s).edge.is_some();
        if self.named_edges_stand() {
            left.retain(|s| !named(s));
        }
        let mut order = vec![first];
        while let Some(last) = order.last().copied() {
            let ally = left.iter().position(|s| !self.hostile(*s, last));
            if left.is_empty() {
                break;
            }
            order.push(left.remove(ally.unwrap_or(0)));
        }
        if self.named_edges_stand() {
            order.retain(|s| !named(s));
        }
        if places.iter().any(|(_, part)| *part != Part::Whole) {
            shared.large.parts.resize(state.sides.len(), Part::Whole);
        }
        for (side, (edge, part)) in order.into_iter().zip(places) {
            if let Some(own) = shared.large.parts.get_mut(side.index()) {
                *own = part;
            }
            shared.sides[side.index()].edge = Some(edge);
        }
        shared
    }

    /// The convex hull of what a command has deployed.
    fn hull(&self, state: &State, command: CommandId) -> Option<field::Polygon> {
        let on = self.deployable(command).filter(|id| state.on_table(*id));
        let points: Vec<Point> =
            on.flat_map(|id| Base::new(state.element(id).pose, self.element(id).size).corners()).collect();
        field::Polygon::new(&convex_hull(points)).ok()
    }

    /// BB-024: the hulls that this command's may not overlap; none where commands may intermingle.
    pub(super) fn hulls_of_others(&self, state: &State, command: CommandId) -> Vec<field::Polygon> {
        use crate::table::options::Intermingle;
        if !self.tables.is_big() || self.tables.big.intermingle == Intermingle::Free {
            return Vec::new();
        }
        let side = self.commands[command.index()].side;
        (0..self.commands.len() as u8)
            .map(CommandId)
            .filter(|c| *c != command && self.commands[c.index()].side == side)
            .filter_map(|c| self.hull(state, c))
            .collect()
    }

    /// BB-024: the hull of this command's elements does not overlap another's.
    pub(crate) fn may_stand_together(&self, state: &State, command: CommandId) -> Result<(), Refusal> {
        use crate::table::options::Intermingle;
        if !self.tables.is_big() || self.tables.big.intermingle == Intermingle::Free {
            return Ok(());
        }
        let hull = |c: CommandId| self.hull(state, c);
        let Some(own) = hull(command) else { return Ok(()) };
        let side = self.commands[command.index()].side;
        for other in (0..self.commands.len() as u8).map(CommandId) {
            if other == command || self.commands[other.index()].side != side {
                continue;
            }
            let Some(theirs) = hull(other) else { continue };
            if hulls_overlap(&own, &theirs) {
                let words = format!(
                    "{} and {} stand among each other",
                    self.commands[command.index()].name,
                    self.commands[other.index()].name
                );
                return Err(Refusal::new(rule!("BB-024"), Why::Other, words));
            }
        }
        Ok(())
    }
}

/// The convex hull of any number of points, anticlockwise.
fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    let cross = |o: Point, a: Point, b: Point| {
        let (ax, ay) = (i64::from(a.x) - i64::from(o.x), i64::from(a.y) - i64::from(o.y));
        let (bx, by) = (i64::from(b.x) - i64::from(o.x), i64::from(b.y) - i64::from(o.y));
        ax * by - ay * bx
    };
    let mut hull: Vec<Point> = Vec::new();
    for pass in 0..2 {
        let floor = hull.len();
        for i in 0..points.len() {
            let p = if pass == 0 { points[i] } else { points[points.len() - 1 - i] };
            while hull.len() >= floor + 2 && cross(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0 {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    }
    hull
}

/// Whether two convex hulls overlap, touching allowed: no side of either has the other wholly beyond it.
pub(super) fn hulls_overlap(a: &field::Polygon, b: &field::Polygon) -> bool {
    let parts = |one: &field::Polygon, two: &field::Polygon| {
        let p = one.points();
        (0..p.len()).any(|i| {
            let (from, to) = (p[i], p[(i + 1) % p.len()]);
            let length = i64::from(from.distance(to)).max(1);
            two.points().iter().all(|q| {
                let (ax, ay) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
                let (bx, by) = (i64::from(q.x) - i64::from(from.x), i64::from(q.y) - i64::from(from.y));
                (ax * by - ay * bx) / length <= i64::from(field::TOLERANCE)
            })
        })
    };
    !parts(a, b) && !parts(b, a)
}
