//! The engine's hands: small changes that every rule uses, and the loop that runs on until somebody has a choice.

use crate::command::Command;
use crate::event::Event;
use crate::hex::Hex;
use crate::moves::lawful_facing;
use crate::owed::{self, Due, Left};
use crate::refusal::Refusal;
use crate::state::{
    Fate, Formation, Impact, NOBODY, Outcome, Phase, Room, Stage, State, Vacated, bits, flag,
};
use crate::table::{Side, Table};
use crate::tables::Ground;
use crate::zones::{enemies_of, zone};
use dice::{Ask, Dice};
use game::Stop;
use rulebook::{RuleId, rule};

/// What a step of the engine gives back.
pub type Done = Result<(), Stop<Refusal>>;

impl From<Refusal> for Stop<Refusal> {
    fn from(r: Refusal) -> Self {
        Stop::Refused(r)
    }
}

/// A command being carried out.
pub struct Play<'a> {
    /// The table.
    pub t: &'a Table,
    /// The state, changed in place; thrown away by the caller if anything is refused.
    pub s: &'a mut State,
    /// Where dice come from.
    pub dice: &'a mut dyn Dice,
    /// Where events go, if anybody listens.
    pub log: Option<&'a mut Vec<Event>>,
}

/// Judges a command and carries it out, up to the next choice of anybody. On an error the state may be in any
/// condition: play on a copy.
///
/// # Errors
/// A refusal with its rule, or the dice that are lacking.
pub fn apply(
    t: &Table,
    s: &mut State,
    by: Option<Side>,
    command: &Command,
    dice: &mut dyn Dice,
    log: Option<&mut Vec<Event>>,
) -> Done {
    let mut play = Play { t, s, dice, log };
    play.command(by, command)?;
    play.settle()
}

impl Play<'_> {
    /// Tells an event.
    #[inline]
    pub fn tell(&mut self, e: Event) {
        if let Some(log) = &mut self.log {
            log.push(e);
        }
    }

    /// Throws one die.
    ///
    /// # Errors
    /// If it is lacking.
    pub fn die(&mut self, ask: Ask) -> Result<u8, Stop<Refusal>> {
        Ok(self.dice.one(ask)? as u8)
    }

    /// Throws several dice together.
    ///
    /// # Errors
    /// If any is lacking.
    pub fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Done {
        self.dice.throw(asks, values)?;
        Ok(())
    }

    /// The moment of a die: the bound and the phase.
    #[must_use]
    pub fn moment(&self) -> u64 {
        u64::from(self.s.bound) * 16 + self.s.phase as u64
    }

    /// Puts a unit into a hex with its general, stakes and markers: HH-064, HH-010, HH-184, HH-249.
    pub fn relocate(&mut self, u: u8, to: Hex) {
        let side = self.t.side(u);
        let from = self.s.unit(u).hex;
        if from == to {
            return;
        }
        let with = self.s.general_in(self.t, side, from);
        self.s.put(u, to);
        let unit = self.s.unit_mut(u);
        unit.stakes = 0;
        unit.flags &= !flag::HOLDS;
        unit.facing = lawful_facing(self.t, to, unit.facing);
        self.squeeze(u, to);
        self.join(side, with, to);
    }

    /// HH-108, HH-109, HH-R16: a unit that comes to a bridge or ford, whatever brings it there, is squeezed into column.
    pub fn squeeze(&mut self, u: u8, at: Hex) {
        let narrow = matches!(self.t.map.ground_at(at), Ground::Bridge | Ground::Ford);
        let unit = self.s.unit_mut(u);
        if narrow && unit.formation == Formation::Line && self.s.options.forced_squeeze {
            self.s.unit_mut(u).formation = Formation::Column;
            self.tell(Event::Formed(u, Formation::Column));
        }
    }

    /// A general (or none) comes into a hex with a unit; one who stood there alone steps aside.
    fn join(&mut self, side: Side, with: u8, to: Hex) {
        if with == NOBODY {
            return;
        }
        let there = self.s.general_in(self.t, side, to);
        self.s.generals[usize::from(with)].hex = to;
        if there != NOBODY && there != with {
            self.s.aside |= 1 << there;
        }
    }

    /// Lifts a unit off its hex while somebody makes room; its general goes with it.
    pub fn lift(&mut self, u: u8) -> u8 {
        let side = self.t.side(u);
        let g = self.s.general_in(self.t, side, self.s.unit(u).hex);
        self.s.put(u, Hex::NONE);
        let unit = self.s.unit_mut(u);
        unit.stakes = 0;
        unit.flags &= !flag::HOLDS;
        if g != NOBODY {
            // he is in hand too: he comes down where the unit does
            self.s.generals[usize::from(g)].hex = Hex::NONE;
        }
        g
    }

    /// Disrupts a unit (HH-239, HH-243).
    pub fn disrupt(&mut self, u: u8, why: RuleId) {
        let unit = self.s.unit_mut(u);
        if !unit.disrupted() {
            unit.flags = (unit.flags | flag::DISRUPTED) & !flag::HOLDS;
            self.tell(Event::Disrupted(u, why));
        }
    }

    /// A unit is gone (HH-070, HH-193, HH-220).
    pub fn remove(&mut self, u: u8, fate: Fate, why: RuleId) {
        let side = self.t.side(u);
        let hex = self.s.unit(u).hex;
        let g = self.s.general_in(self.t, side, hex);
        self.s.put(u, Hex::NONE);
        let unit = self.s.unit_mut(u);
        unit.fate = fate;
        unit.stakes = 0;
        unit.flags = 0;
        self.tell(Event::Removed(u, why));
        if g != NOBODY {
            self.kill(g);
        }
    }

    /// A general is killed or captured (HH-070, HH-071, HH-261).
    pub fn kill(&mut self, g: u8) {
        let general = &mut self.s.generals[usize::from(g)];
        general.hex = Hex::NONE;
        general.lost = true;
        self.tell(Event::Fell(g));
        let leader = &self.t.leaders[usize::from(g)];
        if leader.chief && self.s.options.cinc_death && self.s.outcome == Outcome::Open {
            self.finish_battle(Outcome::Won(leader.side.other()));
        }
    }

    /// The battle is over.
    pub fn finish_battle(&mut self, outcome: Outcome) {
        self.s.outcome = outcome;
        self.s.phase = Phase::Over;
        self.tell(Event::End(outcome));
    }

    /// Makes somebody leave a hex for a unit that comes (HH-228, HH-246), and carries on with those in hand.
    pub fn make_room(&mut self, for_whom: u8, to: Hex, elephants: bool) {
        let there = self.s.who(to);
        if there == NOBODY || there == for_whom {
            self.relocate(for_whom, to);
            return;
        }
        let with = self.lift(for_whom);
        let room = &mut self.s.room;
        room.elephants = elephants;
        if let Some(slot) = room.hand.get_mut(usize::from(room.waiting)) {
            *slot = (for_whom, to, with);
            room.waiting += 1;
        }
        room.unit = there;
    }

    /// Whoever waits in hand comes down on the hex that was cleared, the last first.
    fn land(&mut self) {
        while self.s.room.waiting > 0 {
            let n = usize::from(self.s.room.waiting) - 1;
            let (u, to, with) = self.s.room.hand[n];
            self.s.room.waiting -= 1;
            // INVARIANT: `to` was cleared by the one that made room.
            self.s.put(u, to);
            let unit = self.s.unit_mut(u);
            unit.facing = lawful_facing(self.t, to, unit.facing);
            self.squeeze(u, to);
            self.join(self.t.side(u), with, to);
        }
        self.s.room = Room::NONE;
    }

    /// HH-228, HH-246: the unit that must make room goes.
    ///
    /// # Errors
    /// If it may not go there.
    pub fn displace(&mut self, u: u8, to: Hex) -> Done {
        let mut answers = Vec::new();
        owed::room_answers(self.t, self.s, &mut answers);
        if self.s.room.unit != u || !answers.contains(&Command::Displace(u, to)) {
            let rule = if self.s.room.elephants { rule!("HH-246") } else { rule!("HH-228") };
            return Err(Refusal::new(rule, "{unit} cannot make room by going to {hex}")
                .unit(u)
                .at(to)
                .into());
        }
        let why = if self.s.room.elephants { rule!("HH-245") } else { rule!("HH-097") };
        self.disrupt(u, why);
        self.tell(Event::Pushed(u, to));
        let next = self.s.who(to);
        if next == NOBODY {
            self.relocate(u, to);
            self.land();
        } else {
            self.make_room(u, to, false);
        }
        Ok(())
    }

    /// Runs on until somebody has a choice, answering for those who have none.
    ///
    /// # Errors
    /// If dice are lacking.
    pub fn settle(&mut self) -> Done {
        let mut answers = Vec::new();
        for _ in 0..10_000 {
            if self.s.outcome != Outcome::Open {
                self.clear_interrupts();
                return Ok(());
            }
            match owed::due(self.t, self.s) {
                Due::Order | Due::Edge | Due::Deploy(_) => return Ok(()),
                Due::Phase(_) => {
                    if owed::phase_has_choice(self.t, self.s) {
                        return Ok(());
                    }
                    self.next_phase()?;
                }
                Due::Room(_) => {
                    answers.clear();
                    owed::room_answers(self.t, self.s, &mut answers);
                    match answers[..] {
                        [] => self.no_room_left(),
                        [Command::Displace(u, to)] => self.displace(u, to)?,
                        _ => return Ok(()),
                    }
                }
                Due::Aside(_, g) => {
                    answers.clear();
                    owed::aside_answers(self.t, self.s, g, &mut answers);
                    match answers[..] {
                        [] => {
                            self.s.aside &= !(1 << g);
                            self.kill(g);
                        }
                        [Command::Aside(g, to)] => self.aside(g, to)?,
                        _ => return Ok(()),
                    }
                }
                Due::Respond(_) => {
                    // whoever can only stand is not asked
                    self.drop_idle();
                    if let Some((u, c)) = owed::standing(self.t, self.s) {
                        self.tell(Event::Replied(u));
                        self.command(Some(self.t.side(u)), &c)?;
                        continue;
                    }
                    if self.s.contacts != 0 || self.s.escapes != 0 {
                        return Ok(());
                    }
                }
                Due::GoOn(_, u) => {
                    answers.clear();
                    owed::go_on_answers(self.t, self.s, u, &mut answers);
                    if answers.len() > 1 {
                        return Ok(());
                    }
                    self.halt(u)?;
                }
                Due::Going(_) => self.walk_on()?,
                Due::Retreat(side) => match owed::retreats_left(self.t, self.s) {
                    Left::Nothing => self.s.fight.stage = Stage::Follow,
                    Left::One(c) => self.command(Some(side), &c)?,
                    Left::Choice => return Ok(()),
                },
                Due::Follow(side) => {
                    answers.clear();
                    owed::follow_answers(self.t, self.s, &mut answers);
                    match answers[..] {
                        [] => self.s.fight.stage = Stage::Close,
                        [one] => self.command(Some(side), &one)?,
                        _ => return Ok(()),
                    }
                }
                Due::Pursue(side) => {
                    answers.clear();
                    owed::pursue_answers(self.t, self.s, &mut answers);
                    match answers[..] {
                        [] => self.s.fight.stage = Stage::Close,
                        [one] => self.command(Some(side), &one)?,
                        _ => return Ok(()),
                    }
                }
                // a combat comes to this only if there is a choice
                Due::Count(_) => return Ok(()),
                Due::Close => self.close_fight(),
                Due::Over => return Ok(()),
            }
        }
        // INVARIANT: every turn of the loop ends a choice, a step of a path or a phase (conformance suite).
        Ok(())
    }

    /// Nothing is pending once the battle is over.
    fn clear_interrupts(&mut self) {
        self.s.mover = crate::state::Mover::NONE;
        self.s.contacts = 0;
        self.s.escapes = 0;
        self.s.aside = 0;
        self.s.fight = crate::state::Fight::NONE;
        if self.s.room.unit != NOBODY {
            // whoever waits in hand stays in hand no longer: the one in the way is left where it was
            self.s.room = Room::NONE;
        }
    }

    /// HH-246: a unit pushed by elephants with nowhere to go is eliminated.
    fn no_room_left(&mut self) {
        let u = self.s.room.unit;
        self.remove(u, Fate::Destroyed, rule!("HH-246"));
        self.land();
    }

    /// HH-010: a general makes room.
    ///
    /// # Errors
    /// If he may not go there.
    pub fn aside(&mut self, g: u8, to: Hex) -> Done {
        let mut answers = Vec::new();
        owed::aside_answers(self.t, self.s, g, &mut answers);
        if self.s.aside >> g & 1 == 0 || !answers.contains(&Command::Aside(g, to)) {
            return Err(Refusal::new(rule!("HH-010"), "{leader} cannot make room by going to {hex}")
                .leader(g)
                .at(to)
                .into());
        }
        self.s.generals[usize::from(g)].hex = to;
        self.s.aside &= !(1 << g);
        self.tell(Event::Aside(g, to));
        Ok(())
    }

    /// HH-215: the end of a fight's bookkeeping.
    fn close_fight(&mut self) {
        let fight = self.s.fight;
        if fight.melee {
            let mut quiet = fight.left == 0;
            for u in bits(fight.all) {
                if self.s.unit(u).fate != Fate::Field {
                    continue;
                }
                let touching = enemies_of(self.t, self.s, u) != 0;
                let unit = self.s.unit_mut(u);
                unit.impact = if u == fight.follower && touching { Impact::Advancing } else { Impact::Spent };
                quiet &= touching;
            }
            if quiet {
                let a = bits(fight.all & self.t.of_side[0]).next().unwrap_or(NOBODY);
                let b = bits(fight.all & self.t.of_side[1]).next().unwrap_or(NOBODY);
                self.tell(Event::Static(a, b));
            }
        }
        self.s.fight = crate::state::Fight::NONE;
    }

    /// HH-215: at the end of a phase whoever is spent and adjacent to no enemy is fresh again.
    pub fn freshen(&mut self) {
        for side in Side::BOTH {
            let z = zone(self.t, self.s, side.other());
            for u in bits(self.t.of_side[side.ix()]) {
                let unit = self.s.unit_mut(u);
                if unit.hex.on() && !z.has(unit.hex) {
                    unit.impact = Impact::Fresh;
                }
            }
        }
    }

    /// Remembers that a loser left its hex, or is gone from it.
    pub fn left_hex(&mut self, v: Vacated) {
        if self.s.fight.melee {
            self.s.fight.leave(v);
        }
    }
}
