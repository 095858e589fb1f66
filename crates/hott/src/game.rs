//! The battle as a game of the family (the contract of the crate `game`).

use crate::battle::{
    Ambush, Battle, Command, CommandId, ElementId, Event, Face, Fate, Pending, Phase, Refusal, SideId, State,
    Target,
};
use crate::bound::{Play, Shots};
use crate::ground::Ground;
use crate::labels::step_words;
use crate::moves;
use crate::position::document;
use crate::setup::{Setup, deployment_in_gap, has_room_for_all, room_for_all, standard_deployment};
use crate::table::TroopType;
use crate::view::View;
use crate::words::ending_word;
use dice::{Ask, Dice};
use field::{Base, BoardEdge, Pose};
use game::{Actor, Debt, Game, Outcome, Owed, Problem, Problems, Seat, Stop, Viewer};
use serde_json::Value;
use std::sync::Arc;

/// Grounds that are offered to the defender.
const GROUNDS: usize = 3;
/// So many are looked at for those.
const MOST_GROUNDS: u64 = 40;

impl Game for Battle {
    const NAME: &'static str = "hott";
    const REVISION: u32 = 1;
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;
    type View = View;

    fn rules(&self) -> Value {
        (*self.opening.rules).clone()
    }

    fn rules_from(
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems> {
        crate::rules::from_layers(preset, file, sets)
    }

    fn setup(&self) -> Value {
        self.opening.setup.clone()
    }

    fn open(rules: &Value, setup: &Value) -> Result<Self, Problems> {
        if let Some(position) = setup.get("position") {
            return Self::open_position(rules, position).map(|(battle, _)| battle);
        }
        let tables = crate::rules::tables(rules)?;
        Setup::read(setup)?.open(Arc::new(tables), rules.clone())
    }

    fn start(&self) -> State {
        self.opening.start.clone()
    }

    fn seats(&self) -> &[String] {
        &self.seat_names
    }

    fn side(&self, seat: Seat) -> u8 {
        // Allied sides go by the first of them: they talk among themselves, and win or give up together.
        let own = self.seats.get(usize::from(seat.0)).map(|s| s.side);
        let first = |own: SideId| (0..self.sides.len() as u8).find(|n| !self.hostile(SideId(*n), own));
        own.and_then(first).unwrap_or(seat.0)
    }

    fn leads(&self, seat: Seat) -> bool {
        self.seats.get(usize::from(seat.0)).is_some_and(|s| s.in_chief)
    }

    fn hidden(&self, state: &State) -> Vec<String> {
        let waits = |id: &ElementId| state.element(*id).fate == Fate::Waiting && state.bound > 0;
        self.ids().filter(waits).map(|id| self.full_label(id)).collect()
    }

    fn owes(&self, state: &State, out: &mut Vec<Debt<Command>>) {
        if state.over.is_some() || state.large.paused {
            return;
        }
        if let Some(pending) = state.pending.last() {
            out.push(self.choice(state, pending));
            return;
        }
        let words = || Owed::Act(step_words(self, state));
        if state.phase == Phase::Deploy {
            self.each_waiting(state, &mut |seat| out.push(Debt { seat, what: words() }), &|c| {
                !state.command(c).deployed
            });
        }
        // BB-098: several players of a side may owe moves at once.
        if state.phase == Phase::Moves && !state.large.assigning {
            self.each_waiting(state, &mut |seat| out.push(Debt { seat, what: words() }), &|c| {
                state.large.done & (1 << c.0) == 0
            });
        }
        if state.phase == Phase::Ground && self.host_lays_ground() {
            return;
        }
        if state.phase == Phase::Combat {
            out.push(Debt { seat: self.combat_turn(state), what: words() });
        }
        if out.is_empty() {
            out.push(Debt { seat: self.chief_of(state, state.active), what: words() });
        }
    }

    fn apply(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Refusal>> {
        let battle = self.in_force(state);
        Play { battle: &battle, state, by, dice, events }.command(command)
    }

    fn candidates(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        let battle = self.in_force(state);
        battle.offers(state, seat, out);
    }

    fn unsound(&self, state: &State) -> Option<String> {
        self.wrong_with(state)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let over = state.over?;
        let winners = self
            .seats
            .iter()
            .zip(&*self.seat_names)
            .filter(|(seat, _)| over.winners & (1 << seat.side.0) != 0)
            .map(|(_, name)| name.clone())
            .collect();
        Some(Outcome {
            winners,
            ending: ending_word(over.ending).to_owned(),
            words: crate::words::tell(self, &Event::Over { winners: over.winners, ending: over.ending }),
        })
    }

    fn print(&self, state: &State, command: &Command) -> String {
        crate::words::print(self, state, command)
    }

    fn parse(&self, state: &State, by: Actor, text: &str) -> Result<Command, Problem> {
        crate::words::parse(&self.in_force(state), state, by, text)
    }

    fn describe(&self, ask: &Ask) -> String {
        self.describe_throw(ask)
    }

    fn thrower(&self, ask: &Ask) -> Option<String> {
        self.thrower_of(ask)
    }

    fn opens_next(&self, ask: &Ask) -> bool {
        ask.address.purpose == "pips"
    }

    fn tell(&self, event: &Event) -> String {
        crate::words::tell(self, event)
    }

    fn event_json(&self, event: &Event) -> Value {
        crate::words::event_json(self, event)
    }

    fn event_for(&self, _: &State, event: &Event, viewer: Viewer) -> Option<Value> {
        // That somebody is answered for by a standing reply is his own side's to know.
        if let Event::ReplyUsed(who) = event {
            let side = self.element(*who).side;
            let knows = match viewer {
                Viewer::Umpire => true,
                Viewer::Spectator => false,
                Viewer::Seat(Seat(n)) => self.seats.get(usize::from(n)).is_some_and(|s| s.side == side),
            };
            if !knows {
                return None;
            }
        }
        Some(self.event_json(event))
    }

    fn brief(&self, state: &State, seat: Seat, events: &[Value]) -> String {
        self.told_in_brief(state, seat, events)
    }

    fn facts(&self, event: &Event) -> Vec<String> {
        crate::words::facts(self, event)
    }

    fn reveals(&self, event: &Event) -> bool {
        // What comes on from off the table was not known before.
        matches!(event, Event::Appeared { .. } | Event::Deployed { .. })
    }

    fn ask(&self, state: &State, question: &str) -> Result<Vec<String>, Problem> {
        self.in_force(state).answer(state, question)
    }

    fn position(&self, state: &State) -> Value {
        self.write_position(state)
    }

    fn open_position(rules: &Value, position: &Value) -> Result<(Self, State), Problems> {
        let tables = crate::rules::tables(rules)?;
        Battle::read_position(tables, rules.clone(), position)
    }

    fn notation(&self, state: &State) -> String {
        self.write_notation(state)
    }

    fn open_notation(rules: &Value, notation: &str) -> Result<(Self, State), Problems> {
        if let Some(problem) = game::foreign_notation(notation, "hott", crate::position::VERSION) {
            return Err(vec![problem]);
        }
        let doc = document(notation).map_err(|p| vec![p])?;
        Self::open_position(rules, &doc)
    }

    fn compare(&self, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
        self.compare_pieces(state, expected)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        self.in_force(state).make_view(state, viewer)
    }

    fn possible(&self, view: &View, guess: u64) -> (Self, State) {
        self.possible_of(view, guess)
    }

    fn seen_by(&self, state: &State, viewer: Viewer, guess: u64) -> (Self, State) {
        self.in_force(state).seen_directly(state, viewer, guess)
    }

    fn taken_over(
        &self,
        _: &State,
        _: Actor,
        (seen, _): (&Self, &State),
        command: Command,
    ) -> Result<Command, Problem> {
        self.with_own_ids(seen, command)
    }

    fn twin(&self, state: &State, viewer: Viewer, _: u64) -> Option<(Self, State)> {
        self.twin_of(state, viewer)
    }
}

impl Battle {
    /// The seat that gives orders to an element.
    fn owner(&self, state: &State, id: ElementId) -> Seat {
        self.holder(state, self.element(id).command)
    }

    /// BB-029: whether the ground is for the host to lay.
    pub(crate) fn host_lays_ground(&self) -> bool {
        self.tables.is_big() && self.tables.big.terrain_by == crate::table::options::TerrainBy::Host
    }

    /// BB-098: the seat that chooses among the combats.
    fn combat_turn(&self, state: &State) -> Seat {
        use crate::table::options::CombatOrder;
        let chief = self.chief_of(state, state.active);
        if !self.tables.is_big() || self.tables.big.combat_order == CombatOrder::CInC {
            return chief;
        }
        self.with_play(state, Actor::Umpire, |play| play.orderer(&play.fights(&play.contacts())))
    }

    /// The seats, each once, that hold a command of the side whose turn it is for which this is true.
    fn each_waiting(&self, state: &State, then: &mut dyn FnMut(Seat), waits: &dyn Fn(CommandId) -> bool) {
        let mut told: Vec<Seat> = Vec::new();
        for command in (0..self.commands.len() as u8).map(CommandId) {
            if self.acts(state, self.commands[command.index()].side) && waits(command) {
                let seat = self.holder(state, command);
                if !told.contains(&seat) {
                    told.push(seat);
                    then(seat);
                }
            }
        }
    }

    fn choice(&self, state: &State, pending: &Pending) -> Debt<Command> {
        match pending {
            Pending::ShooterTarget { shooter, targets, .. } => {
                let answers: Vec<Command> = targets.iter().map(|t| Command::Aim(*t)).collect();
                let by_rule = Shots::new(self, state).by_rule(*shooter, &[]).filter(|t| targets.contains(t));
                let stands = by_rule.map_or_else(|| answers[0].clone(), Command::Aim);
                let about = format!("target of {}", self.full_label(*shooter));
                Debt { seat: self.owner(state, *shooter), what: Owed::Choice { about, answers, stands } }
            }
            Pending::FlightWay { who, ends, .. } => {
                let answers: Vec<Command> = ends.iter().map(|p| Command::Flee(*p)).collect();
                let stands = answers[0].clone();
                let about = format!("way of the flight of {}", self.full_label(*who));
                Debt { seat: self.owner(state, *who), what: Owed::Choice { about, answers, stands } }
            }
        }
    }

    /// Commands that a seat may give now.
    fn offers(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        if state.over.is_some() || state.large.paused {
            return;
        }
        if let Some(pending) = state.pending.last() {
            let debt = self.choice(state, pending);
            if let (true, Owed::Choice { answers, .. }) = (debt.seat == seat, debt.what) {
                out.extend(answers);
            }
            return;
        }
        let by = Actor::Seat(seat);
        let chief = self.is_chief(state, by, state.active);
        let mut own = self.commands_of(state, seat);
        own.retain(|c| self.acts(state, self.commands[c.index()].side));
        if own.is_empty() {
            return;
        }
        if state.large.assigning {
            if chief {
                self.offer_scores(state, out);
            }
            return;
        }
        match state.phase {
            Phase::Sides if chief => out.push(Command::Roll),
            Phase::Ground if chief && !self.host_lays_ground() => {
                let ap =
                    i32::try_from(self.sides.iter().map(|s| s.halves).sum::<u32>() / 2).unwrap_or(i32::MAX);
                // Every battle is offered its own grounds.
                let own = self
                    .elements
                    .iter()
                    .fold(7_u64, |h, e| h.wrapping_mul(31).wrapping_add(u64::from(e.halves) + e.ty as u64));
                let duty = state.large.contest.as_ref().and_then(|c| c.ground.as_ref());
                let mut trial = state.clone();
                let grounds = (0..MOST_GROUNDS).map(|n| own.wrapping_add(n)).map(|seed| match duty {
                    Some(duty) => Ground::for_province(seed, self, duty),
                    None => Ground::random(seed, &self.tables, &self.board, self.scale, ap),
                });
                // Some that leave everybody room to deploy.
                let fits = |ground: &Arc<Ground>| {
                    trial.ground = Arc::clone(ground);
                    self.fits(&trial).is_ok()
                };
                out.extend(grounds.map(Arc::new).filter(fits).take(GROUNDS).map(Command::Ground));
            }
            Phase::Edges if chief => {
                for wanted in BoardEdge::ALL {
                    let long = if self.board.width >= self.board.height {
                        matches!(wanted, BoardEdge::Lower | BoardEdge::Upper)
                    } else {
                        matches!(wanted, BoardEdge::Left | BoardEdge::Right)
                    };
                    if self.tables.is_big() && !long && self.sides.len() == 2 {
                        continue;
                    }
                    // BB-092: the others' edges follow from the first, and everybody must find room.
                    let several = self.sides.len() > 2;
                    if several {
                        let shared = self.shared_edges(state, state.active, wanted);
                        let all = shared.sides.iter().all(|s| s.edge.is_some() || s.out);
                        if !all || self.fits(&shared).is_err() {
                            continue;
                        }
                    }
                    let mut rest = BoardEdge::ALL.into_iter().filter(|e| *e != wanted);
                    let mut next = || rest.next().unwrap_or(wanted);
                    out.push(Command::Edges([next(), next(), next(), wanted]));
                }
            }
            Phase::Strongholds if chief => {
                let mut seen: Vec<Base> = Vec::new();
                for shift in [0, -2, 2, -5, 5] {
                    if let Some(base) = self.standard_stronghold(state, state.active, shift)
                        && !seen.contains(&base)
                    {
                        seen.push(base);
                        out.push(Command::Stronghold(base));
                    }
                }
            }
            Phase::Deploy => self.offer_deployment(state, &own, out),
            Phase::Moves => {
                own.retain(|c| state.large.done & (1 << c.0) == 0);
                for command in &own {
                    let mut orders = Vec::new();
                    moves::candidates(self, state, *command, &mut orders, moves::Level::All);
                    out.extend(orders.into_iter().map(Command::Move));
                }
                self.offer_halts(state, &own, out);
                self.offer_arrivals(state, by, &own, out);
                if !own.is_empty() {
                    out.push(Command::EndMoves);
                }
            }
            Phase::Magic => {
                self.offer_spells(state, by, out);
                if chief {
                    out.push(Command::EndMagic);
                }
            }
            Phase::Shooting => self.offer_shots(state, by, chief, out),
            Phase::Combat if self.combat_turn(state) == seat => {
                self.with_play(state, by, |play| {
                    let contacts = play.contacts();
                    for fight in play.fights(&contacts) {
                        for who in fight.who.iter().take(1).filter_map(|t| match t {
                            Target::Element(id) => Some(*id),
                            Target::Stronghold(_) => None,
                        }) {
                            out.push(Command::Fight(who));
                        }
                        out.extend(fight.aids.iter().map(|a| Command::Fight(*a)));
                    }
                });
                out.push(Command::FightAll);
            }
            _ => {}
        }
    }

    /// BB-042, BB-061: halts that a demoralized command can pay for.
    fn offer_halts(&self, state: &State, own: &[CommandId], out: &mut Vec<Command>) {
        for command in own.iter().filter(|c| state.command(**c).pips > 0) {
            let Some(shaken) = self.shaken(state, *command) else { continue };
            let left = state.command(*command).pips;
            out.extend(shaken.halts.into_iter().filter(|h| h.pips <= left).map(|h| Command::Halt(h.who)));
        }
    }

    /// BB-034: the scores as they fell, and each of them given to the first command in turn.
    fn offer_scores(&self, state: &State, out: &mut Vec<Command>) {
        let own = self.commands.iter().zip(&state.commands).filter(|(c, _)| c.side == state.active);
        let fallen: Vec<u8> = own.map(|(_, now)| now.score).collect();
        for n in 0..fallen.len() {
            let mut scores = fallen.clone();
            scores.rotate_left(n);
            let command = Command::Assign(scores);
            if !out.contains(&command) {
                out.push(command);
            }
        }
    }

    /// Asks questions of a play on a copy.
    pub(crate) fn with_play<T>(&self, state: &State, by: Actor, ask: impl FnOnce(&Play<'_>) -> T) -> T {
        let (mut copy, mut dice, mut events) = (state.clone(), dice::Fixed(3), Vec::new());
        ask(&Play { battle: self, state: &mut copy, by, dice: &mut dice, events: &mut events })
    }

    fn offer_deployment(&self, state: &State, own: &[CommandId], out: &mut Vec<Command>) {
        for command in own.iter().filter(|c| !state.command(**c).deployed) {
            // Those who stand already stay where they are, done or not.
            let mut rest = self.to_deploy(state, state.active);
            rest.retain(|c| c != command && !self.deployable(*c).any(|id| state.on_table(id)));
            let waiting = self.deployable(*command).filter(|id| !state.on_table(*id)).count();
            if waiting == 0 && self.may_stand_together(state, *command).is_ok() {
                out.push(Command::Deployed(*command));
                continue;
            }
            let mut offered = 0;
            let mut any = None;
            // From the middle outwards, till three places are found where the command stands by itself (BB-024) and
            // leaves room for those that come after it.
            for shift in [0, -3, 3, -6, 6, -9, 9, -12, 12, -15, 15, -20, 20] {
                if offered == 3 || waiting == 0 {
                    break;
                }
                let placed = standard_deployment(self, state, state.active, &[*command], shift);
                if placed.is_empty() {
                    continue;
                }
                let mut after = state.clone();
                for (id, pose) in &placed {
                    let now = &mut after.elements[id.index()];
                    (now.pose, now.fate) = (*pose, Fate::Table);
                }
                if placed.len() == waiting
                    && self.may_stand_together(&after, *command).is_ok()
                    && has_room_for_all(self, &after, state.active, &rest)
                {
                    offered += 1;
                    out.push(Command::Deploy(placed));
                } else {
                    any.get_or_insert(placed);
                }
            }
            if offered == 0 {
                // Little room is left: all that are still to come are drawn up together, this one first; else in a
                // block wherever there is a gap; else in any way at all.
                let together = [&[*command][..], &rest].concat();
                let plan = room_for_all(self, state, state.active, &together);
                let own = plan.into_iter().flatten().find(|(c, _)| c == command).map(|(_, placed)| placed);
                let gap = || deployment_in_gap(self, state, state.active, *command);
                out.extend(own.or_else(gap).or(any).map(Command::Deploy));
            }
        }
    }

    /// Poses with the rear edge on a base edge, from its middle outwards.
    fn along_edge(
        &self,
        stretch: crate::setup::Stretch,
        size: field::Size,
    ) -> impl Iterator<Item = Pose> + '_ {
        let (edge, long, foot) = (stretch.edge, stretch.length(), stretch.middle(&self.board));
        let step = self.base_width();
        let steps = long / step.max(1) / 2;
        (0..=2 * steps).map(move |k| {
            let k = if k % 2 == 0 { -(k / 2) } else { (k + 1) / 2 };
            Pose::at(foot, edge.inward()).moved(k * step, size.depth)
        })
    }

    fn offer_arrivals(&self, state: &State, by: Actor, own: &[CommandId], out: &mut Vec<Command>) {
        let mut tries: Vec<Command> = Vec::new();
        self.with_play(state, by, |play| {
            let mine = |id: &ElementId| own.contains(&self.element(*id).command);
            for command in own.iter().filter(|c| self.entry(state, **c).is_some()) {
                if state.bound >= state.large.late(*command) && !state.command(*command).demoralised {
                    tries.extend(play.entrances(*command).into_iter().map(Command::Arrive));
                }
            }
            let mut dragons = Vec::new();
            for id in self.ids().filter(mine) {
                let (info, now) = (self.element(id), state.element(id));
                let edge_poses = || self.along_edge(self.base_edge(state, info.side), info.size);
                let late = state.large.late(info.command);
                if late > 0 && now.fate == Fate::Waiting {
                    if self.entry(state, info.command).is_none()
                        && state.bound >= late
                        && !crate::setup::starts_off_table(info.ty)
                    {
                        tries.extend(edge_poses().take(3).map(|p| Command::Arrive(vec![(id, p)])));
                    }
                    continue;
                }
                match (info.ty, now.fate) {
                    (TroopType::God, Fate::Waiting | Fate::Left) => {
                        tries.extend(edge_poses().take(3).map(|p| Command::Arrive(vec![(id, p)])));
                    }
                    (TroopType::Drg, Fate::Waiting) => dragons.push(id),
                    (TroopType::Hrd, Fate::Destroyed) => {
                        tries.extend(
                            edge_poses()
                                .filter(|p| play.may_return(id, *p, false).is_ok())
                                .take(2)
                                .map(|pose| Command::Return { who: id, pose, declared: false }),
                        );
                    }
                    (ty, Fate::Waiting | Fate::Fled) if ty.is_lurker() => {
                        for enemy in self.ids().filter(|e| state.on_table(*e) && self.enemies(id, *e)) {
                            for face in [Face::Front, Face::Left, Face::Right, Face::Rear] {
                                let ambush = Ambush { who: id, face, enemy };
                                if play.may_lurk(&ambush).is_ok() {
                                    tries.push(Command::Lurk(ambush));
                                }
                            }
                        }
                    }
                    (ty, Fate::Table) if ty.is_lurker() && play.may_withdraw(id).is_ok() => {
                        tries.push(Command::Withdraw(id));
                    }
                    (TroopType::Mag, Fate::Ensorcelled) => {
                        let marker = self.base(state, id);
                        let places = play.magician_places(id, &marker);
                        tries.extend(places.into_iter().take(2).map(|pose| Command::Return {
                            who: id,
                            pose,
                            declared: false,
                        }));
                    }
                    (_, Fate::Ensorcelled) => {
                        for side in play.return_sides(id) {
                            if let Some(strong) = self.target_base(state, Target::Stronghold(side)) {
                                for turn in 0..4 {
                                    let heading = strong.pose.heading.turned(turn * field::QUARTER_TURN);
                                    let face = strong.turned_to(heading);
                                    let pose = face.front_contact();
                                    for declared in [true, false] {
                                        if play.may_return(id, pose, declared).is_ok() {
                                            tries.push(Command::Return { who: id, pose, declared });
                                        }
                                    }
                                }
                            }
                            let edge = self.base_edge(state, side);
                            let poses = self
                                .along_edge(edge, info.size)
                                .filter(|p| play.may_return(id, *p, false).is_ok());
                            tries.extend(poses.take(3).map(|pose| Command::Return {
                                who: id,
                                pose,
                                declared: false,
                            }));
                        }
                    }
                    _ => {}
                }
            }
            if let Some(first) = dragons.first() {
                // All together, beside each other as far as there is room.
                let size = self.element(*first).size;
                let edge = self.base_edge(state, self.element(*first).side);
                let free: Vec<Pose> = self
                    .along_edge(edge, size)
                    .filter(|p| {
                        let base = Base::new(*p, size);
                        play.stands_clear(*first, &base, rulebook::rule!("HOTT-182")).is_ok()
                    })
                    .take(dragons.len())
                    .collect();
                if free.len() == dragons.len() {
                    tries.push(Command::Arrive(dragons.iter().copied().zip(free).collect()));
                }
            }
        });
        let mut dice = dice::Fixed(3);
        out.extend(tries.into_iter().filter(|c| self.play(state, by, c, &mut dice).is_ok()));
    }

    fn offer_spells(&self, state: &State, by: Actor, out: &mut Vec<Command>) {
        let tries = self.with_play(state, by, |play| {
            let contacts = play.contacts();
            let mut tries = Vec::new();
            for (who, target) in play.spells() {
                tries.push(Command::Bespell { target, who, aids: Vec::new() });
                for aid in self.ids_of(state.active).filter(|a| *a != who) {
                    if play.is_free_to_bespell(&contacts, aid).is_ok() {
                        tries.push(Command::Bespell { target, who, aids: vec![aid] });
                    }
                }
            }
            tries
        });
        let mut dice = dice::Fixed(3);
        out.extend(tries.into_iter().filter(|c| self.play(state, by, c, &mut dice).is_ok()));
    }

    fn offer_shots(&self, state: &State, by: Actor, chief: bool, out: &mut Vec<Command>) {
        let shots = Shots::new(self, state);
        let acting = |id: &ElementId| self.acts(state, self.element(*id).side);
        for id in
            self.ids().filter(acting).filter(|id| self.commands_it(state, by, self.element(*id).command))
        {
            for target in shots.targets(id) {
                out.push(Command::Shoot { target, shooters: vec![id] });
                let aids = self.with_play(state, by, |play| play.with_aids(id, target));
                let ours = aids.iter().all(|a| self.commands_it(state, by, self.element(*a).command));
                if aids.len() > 1 && ours {
                    out.push(Command::Shoot { target, shooters: aids });
                }
            }
        }
        if chief {
            for side in (0..self.sides.len() as u8).map(SideId).filter(|s| !self.acts(state, *s)) {
                out.extend(shots.left(side).into_iter().map(|shooter| Command::ShootBack { shooter }));
            }
            out.push(Command::EndShooting);
        }
    }
}
