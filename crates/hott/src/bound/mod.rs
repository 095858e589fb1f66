//! The bound in its steps (section 6): commands lead from one choice to the next; where nobody has one the bound
//! goes on by itself.

mod arrive;
mod chances;
mod combat;
mod end;
mod fighters;
mod magic;
mod shaken;
mod shooting;
mod step2;

pub use chances::Chances;
pub use combat::Fight;
pub(crate) use fighters::counted_support;
pub use shaken::{Halt, Runner, Shaken};
pub use shooting::Shots;

use crate::battle::{
    Battle, Command, CommandId, ElementId, Event, Fate, Flags, Phase, Refusal, SideId, State, Target, Why,
};
use crate::contacts::Contacts;
use crate::table::{Class, TroopType};
use dice::{Ask, Dice};
use field::Base;
use game::{Actor, Seat, Stop};
use rulebook::{RuleId, rule};

/// What a step of play comes to.
pub(crate) type Done = Result<(), Stop<Refusal>>;

/// A refusal.
pub(crate) fn refused<T>(
    rule: impl Into<Option<RuleId>>,
    why: Why,
    words: impl Into<String>,
) -> Result<T, Stop<Refusal>> {
    Err(Stop::Refused(Refusal::new(rule, why, words)))
}

impl From<Refusal> for Stop<Refusal> {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}

/// One command being carried out.
pub(crate) struct Play<'a> {
    pub(crate) battle: &'a Battle,
    pub(crate) state: &'a mut State,
    pub(crate) by: Actor,
    pub(crate) dice: &'a mut dyn Dice,
    pub(crate) events: &'a mut Vec<Event>,
}

impl Battle {
    /// Whether an actor acts for the whole army of a side: dice, ground, order of combats.
    #[must_use]
    pub fn is_chief(&self, state: &State, by: Actor, side: SideId) -> bool {
        match by {
            Actor::Seat(seat) => self.chief_of(state, side) == seat,
            Actor::Umpire | Actor::All => true,
        }
    }

    /// Whether an actor gives orders to a command (BB-098).
    #[must_use]
    pub fn commands_it(&self, state: &State, by: Actor, command: CommandId) -> bool {
        match by {
            Actor::Seat(seat) => self.holder(state, command) == seat,
            Actor::Umpire | Actor::All => true,
        }
    }

    /// BB-098: the seat that gives orders to a command: its own, or the one that the host gave it to.
    #[must_use]
    pub fn holder(&self, state: &State, command: CommandId) -> Seat {
        if let Some(n) = state.large.holders.get(command.index()).filter(|n| **n != u8::MAX) {
            return Seat(*n);
        }
        let own = self.seats.iter().position(|s| s.commands.contains(&command));
        Seat(u8::try_from(own.unwrap_or(0)).unwrap_or(u8::MAX))
    }

    /// The commands that a seat gives orders to now.
    #[must_use]
    pub fn commands_of(&self, state: &State, seat: Seat) -> Vec<CommandId> {
        (0..self.commands.len() as u8).map(CommandId).filter(|c| self.holder(state, *c) == seat).collect()
    }

    /// The seat that acts for a side as a whole.
    #[must_use]
    pub fn chief_of(&self, state: &State, side: SideId) -> Seat {
        let of = |chief: bool| self.commands.iter().position(|c| c.side == side && (c.in_chief || !chief));
        let command = of(true).or_else(|| of(false)).unwrap_or(0);
        self.holder(state, CommandId(u8::try_from(command).unwrap_or(u8::MAX)))
    }

    /// Whether it is a side's bound, or in set-up its turn: with `shared` that of its allies too (BB-093).
    #[must_use]
    pub fn acts(&self, state: &State, side: SideId) -> bool {
        use crate::table::options::AlliedBounds;
        side == state.active
            || self.tables.is_big()
                && self.tables.big.allied_bounds == AlliedBounds::Shared
                && !Battle::is_setting_up(state)
                && !self.hostile(side, state.active)
                && !state.side(side).out
    }

    /// The base of an element where it stands.
    #[must_use]
    pub fn base(&self, state: &State, id: ElementId) -> Base {
        Base::new(state.element(id).pose, self.element(id).size)
    }

    /// The class of an element.
    #[must_use]
    pub fn class(&self, id: ElementId) -> Class {
        self.tables.class(self.element(id).ty)
    }
}

impl Play<'_> {
    /// Carries out a command.
    pub(crate) fn command(&mut self, command: &Command) -> Done {
        if let Command::Ruling(text) = command {
            return self.rule(text);
        }
        if self.state.over.is_some() {
            return refused(None, Why::NotNow(self.state.phase), "the battle is over");
        }
        if self.state.large.paused && matches!(self.by, Actor::Seat(_)) {
            return refused(None, Why::NotNow(self.state.phase), "the host has stopped the battle for now");
        }
        match command {
            Command::Reply(reply) => return self.reply(*reply),
            Command::Concede(side) => return self.concede(*side),
            Command::Aim(target) => return self.aim(*target),
            Command::Flee(pose) => return self.choose_way(*pose),
            _ => {}
        }
        if !self.state.pending.is_empty() {
            return refused(None, Why::ChoiceFirst, "a choice of another seat must be made first");
        }
        if self.state.large.assigning && !matches!(command, Command::Assign(_)) {
            let words = "the commander-in-chief assigns the PIP scores first, as in: assign 5 3 2";
            return refused(rule!("BB-034"), Why::ChoiceFirst, words);
        }
        match command {
            Command::Roll => self.roll_for_sides(),
            Command::Ground(ground) => self.lay_ground(ground),
            Command::Edges(edges) => self.choose_edges(*edges),
            Command::Stronghold(base) => self.place_stronghold(base),
            Command::Deploy(placed) => self.deploy(placed),
            Command::Deployed(command) => self.deployed(*command),
            Command::Assign(scores) => self.assign(scores),
            Command::Move(order) => self.tactical_move(order),
            Command::Halt(who) => self.halt(who),
            Command::Lurk(ambush) => self.lurk(ambush),
            Command::Withdraw(who) => self.withdraw(*who),
            Command::Arrive(who) => self.arrive(who),
            Command::Return { who, pose, declared } => self.come_back(*who, *pose, *declared),
            Command::EndMoves => self.end_moves(),
            Command::Bespell { target, who, aids } => self.bespell(*target, *who, aids),
            Command::EndMagic => self.end_magic(),
            Command::Shoot { target, shooters } => self.shoot(*target, shooters),
            Command::ShootBack { shooter } => self.shoot_back(*shooter),
            Command::EndShooting => self.end_shooting(),
            Command::Fight(who) => self.fight(*who),
            Command::FightAll => self.fight_all(),
            Command::Aim(_)
            | Command::Flee(_)
            | Command::Reply(_)
            | Command::Concede(_)
            | Command::Ruling(_) => Ok(()),
        }
    }

    /// Refuses what belongs to another step.
    pub(crate) fn phase(&self, phase: Phase) -> Done {
        if self.state.phase == phase {
            return Ok(());
        }
        // What ends this step, where what was asked for comes later in the bound.
        let later = |from: &[Phase]| from.contains(&phase);
        let first = match self.state.phase {
            Phase::Moves if later(&[Phase::Magic, Phase::Shooting, Phase::Combat]) => "; `end moves` first",
            Phase::Magic if later(&[Phase::Shooting, Phase::Combat]) => "; `end magic` first",
            Phase::Shooting if later(&[Phase::Combat]) => "; `end shooting` first",
            _ => "",
        };
        let words = format!(
            "that belongs to another step: this is {}{first}",
            crate::words::phase_words(self.state.phase)
        );
        refused(None, Why::NotNow(self.state.phase), words)
    }

    /// Refuses who does not act for the whole side.
    pub(crate) fn chief(&self, side: SideId) -> Done {
        if self.battle.is_chief(self.state, self.by, side) {
            return Ok(());
        }
        let letter = self.battle.sides[side.index()].letter;
        refused(None, Why::NotYours, format!("that is for side {letter} to do"))
    }

    /// Refuses who does not give orders to a command.
    pub(crate) fn orders(&self, command: CommandId) -> Done {
        if self.battle.commands_it(self.state, self.by, command) {
            return Ok(());
        }
        let name = &self.battle.commands[command.index()].name;
        refused(None, Why::NotYours, format!("{name} takes its orders from another seat"))
    }

    /// An element of the side whose bound it is, of a command that takes orders from here.
    pub(crate) fn own(&self, id: ElementId) -> Done {
        let info = self.battle.element(id);
        if !self.battle.acts(self.state, info.side) {
            let words = format!("{} is not of the side whose bound it is", self.battle.full_label(id));
            return refused(None, Why::NotYours, words);
        }
        if self.state.phase == Phase::Moves && self.is_done(info.command) {
            let words =
                format!("the moves of {}'s command are over for this bound", self.battle.full_label(id));
            return refused(rule!("BB-098"), Why::NotNow(self.state.phase), words);
        }
        self.orders(info.command)
    }

    /// An element of a side whose bound it is, ordered by its owner or by the player of the commander-in-chief, who
    /// chooses the order of shooting (BB-098).
    pub(crate) fn own_or_chief(&self, id: ElementId) -> Done {
        let side = self.battle.element(id).side;
        if self.battle.acts(self.state, side) && self.battle.is_chief(self.state, self.by, side) {
            return Ok(());
        }
        self.own(id)
    }

    /// BB-098: whether the player of a command is done with the step.
    fn is_done(&self, command: CommandId) -> bool {
        self.state.large.done & (1 << command.0) != 0
    }

    pub(crate) fn contacts(&self) -> Contacts {
        Contacts::of(self.battle, self.state)
    }

    pub(crate) fn base(&self, id: ElementId) -> Base {
        self.battle.base(self.state, id)
    }

    /// HOTT-107: pays PIPs of a command.
    pub(crate) fn pay(&mut self, command: CommandId, parts: Vec<(RuleId, u8)>) -> Done {
        let pips = parts.iter().fold(0_u8, |sum, (_, n)| sum.saturating_add(*n));
        let left = self.state.command(command).pips;
        if pips > left {
            let are = if left == 1 { "is" } else { "are" };
            let words = format!("that costs {}, {left} {are} left", crate::figure::pips(pips));
            return refused(rule!("HOTT-107"), Why::Pips { command, needed: pips, left }, words);
        }
        let left = left - pips;
        self.state.commands[command.index()].pips = left;
        self.events.push(Event::Paid { command, pips, parts, left });
        Ok(())
    }

    /// The first bound (HOTT-079).
    pub(crate) fn begin_battle(&mut self) -> Done {
        let first = (0..self.state.sides.len() as u8).map(SideId).min_by_key(|s| self.state.side(*s).place);
        self.state.active = first.unwrap_or(SideId(0));
        self.begin_bound(None)
    }

    /// HOTT-081: step 1 of a bound.
    pub(crate) fn begin_bound(&mut self, ended: Option<SideId>) -> Done {
        self.state.bound += 1;
        self.state.large.done = 0;
        self.state.phase = Phase::Moves;
        let side = self.state.active;
        let many = self.state.sides.len() > 2;
        for element in &mut self.state.elements {
            let stirred = element.flags.has(Flags::STIRRED);
            if many && let Some(last) = ended {
                // BB-097: seen by all but those in whose own bound it was; whose bound has ended looks anew.
                element.seen_moving &= !(1 << last.0);
                if stirred {
                    element.seen_moving |= !(1 << last.0);
                }
            }
            element.flags.clear(Flags::OF_BOUND);
            if stirred {
                element.flags.set(Flags::STIRRED_BEFORE);
            }
            element.began = element.pose;
            element.charged = 0;
        }
        for side in &mut self.state.sides {
            side.strong_flags = Flags::default();
        }
        for command in &mut self.state.commands {
            (command.score, command.pips, command.moved_one) = (0, 0, false);
        }
        let bound = self.state.bound;
        self.events.push(Event::Bound { bound, side });
        let commands: Vec<CommandId> = (0..self.battle.commands.len() as u8)
            .map(CommandId)
            .filter(|c| self.battle.acts(self.state, self.battle.commands[c.index()].side))
            // CAM-158: a routed contingent has no PIPs any more.
            .filter(|c| self.state.large.contest.is_none() || !self.state.command(*c).demoralised)
            .collect();
        let one = self.battle.tables.is_big()
            && self.battle.tables.big.pip_dice == crate::table::options::PipDice::One;
        let asked = if one { &commands[..1] } else { &commands[..] };
        let asks: Vec<Ask> =
            asked.iter().map(|c| Ask::d6("pips", u64::from(c.0), u64::from(bound))).collect();
        let mut values = vec![0; asks.len()];
        self.dice.throw(&asks, &mut values)?;
        for (i, command) in commands.iter().enumerate() {
            let score = values.get(i).or(values.first()).copied().unwrap_or(0) as u8;
            let pips = if self.battle.is_present(self.state, *command) { score } else { 0 };
            let now = &mut self.state.commands[command.index()];
            (now.score, now.pips) = (score, pips);
            self.events.push(Event::Pips { command: *command, score });
            if !self.battle.is_present(self.state, *command) {
                self.call_on(*command, score);
            }
        }
        let assigned = self.battle.tables.is_big()
            && self.battle.tables.big.pip_dice == crate::table::options::PipDice::Assigned;
        if assigned && commands.len() > 1 {
            self.state.large.assigning = true;
            return Ok(());
        }
        self.scores_known(side);
        Ok(())
    }

    /// What follows from the PIP scores (HOTT-183, BB-041).
    fn scores_known(&mut self, side: SideId) {
        for acting in self.acting(side) {
            // BB-067: a God that leaves on a 1 may break its command at once.
            if self.gods_leave(acting) && self.state.large.contest.is_none() {
                self.judge_morale();
            }
            self.test_generals(acting);
            self.succeed(acting);
        }
    }

    /// CAM-076, CAM-153 (b): the first score that calls a contingent brings it on in its side's next bound.
    fn call_on(&mut self, command: CommandId, score: u8) {
        let bound = self.state.bound;
        if i32::from(score) < self.battle.tables.numbers.contingent_call {
            return;
        }
        if let Some(late) = self.state.large.late.get_mut(command.index()) {
            *late = bound + 1;
        }
        let terms = self.state.large.contest.as_mut().and_then(|c| c.commands.get_mut(command.index()));
        if let Some(terms) = terms {
            terms.called = bound;
            self.events.push(Event::Called(command));
        }
    }

    /// CAM-022, CAM-025: after the loss of the commander a reserve general tries to take over: he does if the PIP score
    /// exceeds the number of elements lost. One tries in a bound, and each once unless the house rules say otherwise.
    fn succeed(&mut self, side: SideId) {
        for n in 0..self.battle.commands.len() {
            let command = CommandId(n as u8);
            let lost = self
                .battle
                .general_of(self.state, command)
                .is_some_and(|g| self.battle.is_lost(self.state, g));
            if self.battle.commands[n].side != side
                || !lost
                || self.battle.entry(self.state, command).is_some()
            {
                continue;
            }
            let Some(terms) = self.state.large.contest.as_ref().and_then(|c| c.terms(command)) else {
                continue;
            };
            let living: Vec<String> = terms
                .reserves
                .iter()
                .filter(|l| self.battle.labelled(l, Some(side)).is_some_and(|id| self.stands(id)))
                .cloned()
                .collect();
            let Some(label) = living.first().cloned() else { continue };
            let Some(who) = self.battle.labelled(&label, Some(side)) else { continue };
            let of = |id: &ElementId| {
                self.battle.element(*id).command == command && self.battle.is_lost(self.state, *id)
            };
            let gone = u32::try_from(self.battle.ids_of(side).filter(of).count()).unwrap_or(0);
            let score = self.state.command(command).score;
            let commands = u32::from(score) > gone;
            let Some(contest) = self.state.large.contest.as_mut() else { continue };
            let again = contest.each_bound;
            if let Some(terms) = contest.commands.get_mut(n) {
                if commands {
                    terms.head = Some(label.clone());
                }
                if commands || !again {
                    terms.reserves.retain(|l| *l != label);
                }
            }
            self.events.push(Event::Succession { who, score, lost: gone, commands });
        }
    }

    /// The sides whose bound it is: one, or with `shared` its allies too (BB-093).
    fn acting(&self, first: SideId) -> Vec<SideId> {
        let mut sides: Vec<SideId> = (0..self.state.sides.len() as u8).map(SideId).collect();
        sides.retain(|s| self.battle.acts(self.state, *s));
        sides.sort_by_key(|s| (*s != first, *s));
        sides
    }

    /// BB-034 with the option `assigned`: the commander-in-chief gives each command one of the scores.
    fn assign(&mut self, scores: &[u8]) -> Done {
        let side = self.state.active;
        self.chief(side)?;
        if !self.state.large.assigning {
            return refused(rule!("BB-034"), Why::NotNow(self.state.phase), "no scores are to be assigned");
        }
        let commands: Vec<usize> =
            (0..self.battle.commands.len()).filter(|c| self.battle.commands[*c].side == side).collect();
        let mut fallen: Vec<u8> = commands.iter().map(|c| self.state.commands[*c].score).collect();
        let mut given = scores.to_vec();
        fallen.sort_unstable_by(|a, b| b.cmp(a));
        given.sort_unstable_by(|a, b| b.cmp(a));
        if fallen != given {
            let list: Vec<String> = fallen.iter().map(u8::to_string).collect();
            let words = format!("the scores are {}, one for each command", list.join(", "));
            return refused(rule!("BB-034"), Why::Other, words);
        }
        for (command, score) in commands.into_iter().zip(scores.iter().copied()) {
            let now = &mut self.state.commands[command];
            (now.score, now.pips) = (score, score);
            self.events.push(Event::Pips { command: CommandId(command as u8), score });
        }
        self.state.large.assigning = false;
        self.scores_known(side);
        Ok(())
    }

    /// HOTT-183, BB-036: on a low score every God of the side leaves; whether any did.
    fn gods_leave(&mut self, side: SideId) -> bool {
        let chief = self.battle.commands.iter().position(|c| c.side == side && c.in_chief).unwrap_or(0);
        let score = self.state.commands[chief].score;
        if i32::from(score) > self.battle.tables.numbers.god_leaves_at {
            return false;
        }
        let mut any = false;
        for id in self.battle.ids_of(side) {
            if self.battle.element(id).ty == TroopType::God && self.state.on_table(id) {
                self.remove(id, crate::battle::Departure::Left, rule!("HOTT-183"));
                any = true;
            }
        }
        any
    }

    /// HOTT-082 to HOTT-084: step 2 ends; step 3, and on to step 4.
    fn end_moves(&mut self) -> Done {
        self.phase(Phase::Moves)?;
        let side = self.state.active;
        // BB-098: each player ends the moves of his own commands; after the last one the step is over.
        let own: Vec<CommandId> = (0..self.battle.commands.len() as u8)
            .map(CommandId)
            .filter(|c| self.battle.acts(self.state, self.battle.commands[c.index()].side))
            .collect();
        let mine = own.iter().filter(|c| self.battle.commands_it(self.state, self.by, **c));
        let bits = mine.fold(0_u64, |bits, c| bits | 1 << c.0);
        if bits == 0 || self.state.large.done & bits == bits {
            return self.chief(side).and_then(|()| {
                refused(
                    rule!("BB-098"),
                    Why::NotYours,
                    "the moves of your commands are over; others still move",
                )
            });
        }
        self.state.large.done |= bits;
        if own.iter().any(|c| !self.is_done(*c)) {
            return Ok(());
        }
        self.state.large.done = 0;
        for acting in self.acting(side) {
            self.rout(acting);
        }
        crate::moves::turn_to_face(self.battle, self.state, side, self.events);
        self.state.phase = Phase::Magic;
        self.go_on()
    }

    /// Goes on through the steps until somebody has a choice.
    pub(crate) fn go_on(&mut self) -> Done {
        while self.state.over.is_none() && self.state.pending.is_empty() {
            match self.state.phase {
                Phase::Magic => {
                    if self.may_bespell() {
                        return Ok(());
                    }
                    self.state.phase = Phase::Shooting;
                    self.events.push(Event::Step(Phase::Shooting));
                }
                Phase::Shooting => {
                    if !self.shoot_what_is_plain()? {
                        return Ok(());
                    }
                }
                Phase::Combat => {
                    if !self.fight_what_is_plain()? {
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// HOTT-166: an Aerial that has left all ground enemies is in declared contact no more; HOTT-204 likewise.
    pub(crate) fn tidy(&mut self) {
        let contacts = self.contacts();
        for id in self.battle.ids() {
            let flags = self.state.element(id).flags;
            if !(flags.has(Flags::DECLARED) || flags.has(Flags::AT_STRONGHOLD)) {
                continue;
            }
            let touching = contacts.touching(id);
            if !self.state.on_table(id) || !(touching.in_contact() || touching.edge) {
                self.state.elements[id.index()].flags.clear(Flags::DECLARED);
            }
            if !self.state.on_table(id) || touching.stronghold.is_none() {
                self.state.elements[id.index()].flags.clear(Flags::AT_STRONGHOLD);
            }
        }
    }

    /// Whether a fight, shot or spell between these sides is worked out in this bound (BB-094).
    pub(crate) fn involves(&self, a: SideId, b: SideId) -> bool {
        use crate::table::options::MultiSideCombat;
        self.battle.acts(self.state, a)
            || self.battle.acts(self.state, b)
            || self.battle.tables.is_big() && self.battle.tables.big.multi_side_combat == MultiSideCombat::All
    }

    /// The side of a target.
    pub(crate) fn side_of(&self, target: Target) -> SideId {
        match target {
            Target::Element(id) => self.battle.element(id).side,
            Target::Stronghold(side) => side,
        }
    }

    /// A target as a number within the dice's addresses.
    pub(crate) fn subject(target: Target) -> u64 {
        match target {
            Target::Element(id) => u64::from(id.0),
            Target::Stronghold(side) => 1 << 16 | u64::from(side.0),
        }
    }

    /// The state of an element, to change it.
    pub(crate) fn now(&mut self, id: ElementId) -> &mut crate::battle::ElementState {
        &mut self.state.elements[id.index()]
    }

    /// Whether an element is on table.
    pub(crate) fn stands(&self, id: ElementId) -> bool {
        self.state.element(id).fate == Fate::Table
    }
}
