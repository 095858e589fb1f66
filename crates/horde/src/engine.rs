//! Turns and Rounds (section 11), and what every command goes through.

use crate::command::Command;
use crate::event::Event;
use crate::library::Library;
use crate::options::{BreakAutoWhen, BreakWhen, GrappleShield};
use crate::rule::Rule;
use crate::state::State;
use crate::turns::{acts_now, forget_attacks};
use crate::unit::{Kind, Status, UnitId};
use dice::{Ask, Dice, NoDice};
use game::{Refusal, Stop};
use rulebook::rule;
use serde_json::{Value, json};
use std::fmt;

/// Why a command is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAllowed {
    /// The rule that forbids it.
    pub rule: Option<Rule>,
    /// What was tried and why not.
    pub why: String,
    /// The nearest thing allowed.
    pub instead: Option<String>,
}

impl NotAllowed {
    /// By a rule.
    pub fn by(rule: Rule, why: impl Into<String>) -> Self {
        Self { rule: Some(rule), why: why.into(), instead: None }
    }
    /// By no rule of the book.
    pub fn plain(why: impl Into<String>) -> Self {
        Self { rule: None, why: why.into(), instead: None }
    }
    /// With what would be right.
    pub fn instead(mut self, what: impl Into<String>) -> Self {
        self.instead = Some(what.into());
        self
    }
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.why)?;
        if let Some(rule) = self.rule {
            write!(f, " ({rule})")?;
        }
        match &self.instead {
            Some(i) => write!(f, "; right would be: {i}"),
            None => Ok(()),
        }
    }
}

impl Refusal for NotAllowed {
    fn rule(&self) -> Option<Rule> {
        self.rule
    }
    fn figures(&self) -> Value {
        json!({ "instead": self.instead })
    }
}

/// What a command comes to.
pub type Outcome<T = ()> = Result<T, Stop<NotAllowed>>;

/// A refusal.
pub(crate) fn refuse<T>(no: NotAllowed) -> Outcome<T> {
    Err(Stop::Refused(no))
}

/// A command being carried out: the state, the dice and the events so far.
pub struct Play<'a> {
    /// The state, changed in place.
    pub s: &'a mut State,
    /// Weapons and profiles that may be named.
    pub library: &'a Library,
    /// Where dice come from.
    pub dice: &'a mut dyn Dice,
    /// What happened so far.
    pub events: &'a mut Vec<Event>,
    /// Given by the game master, whose word stands above whose turn it is.
    pub master: bool,
}

/// Where a throw stands: of whom, at whom, and which act of that unit in this Round.
#[derive(Clone, Copy, Debug)]
pub struct Act {
    /// Who throws.
    pub by: UnitId,
    /// Number of the act.
    pub n: u32,
}

impl Play<'_> {
    /// A new act of a unit, so that its dice have addresses of their own.
    pub fn act(&mut self, by: UnitId) -> Act {
        let u = self.s.unit_mut(by);
        u.acts = u.acts.wrapping_add(1);
        Act { by, n: u.acts }
    }

    /// The die of an act: `hit` and `die` tell apart those of one act.
    pub fn ask(
        &self,
        purpose: &'static str,
        act: Act,
        at: UnitId,
        hit: usize,
        die: usize,
        sides: u16,
    ) -> Ask {
        let subject = u64::from(act.by.0) << 16 | u64::from(at.0);
        let low = |n: usize, bits: u32| u64::try_from(n).unwrap_or(0) & ((1 << bits) - 1);
        let moment = u64::from(self.s.round & 0xff_ffff) << 40
            | u64::from(act.n & 0xffff) << 24
            | low(hit, 16) << 8
            | low(die, 8);
        Ask::new(purpose, subject, moment, sides)
    }

    /// Throws them together.
    ///
    /// # Errors
    /// The dice that are lacking.
    pub fn throw(&mut self, asks: &[Ask]) -> Result<Vec<u16>, NoDice> {
        let mut values = vec![0; asks.len()];
        if !asks.is_empty() {
            self.dice.throw(asks, &mut values)?;
        }
        Ok(values)
    }

    /// A d100 that may have been rolled by hand.
    ///
    /// # Errors
    /// If it is lacking.
    pub fn d100(
        &mut self,
        purpose: &'static str,
        act: Act,
        at: UnitId,
        n: usize,
        told: Option<u16>,
    ) -> Result<u16, NoDice> {
        match told {
            Some(r) => Ok(r),
            None => {
                let sides = self.s.options.t().test.die;
                let ask = self.ask(purpose, act, at, n, 0, sides);
                self.dice.one(ask)
            }
        }
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// A refusal, or dice that are lacking; the state is then to be thrown away.
    pub fn run(&mut self, command: &Command) -> Outcome {
        let waits = self.s.volley.is_some();
        match command {
            Command::React { who, which, with, metres, roll, dice } => {
                if let Some(v) = &mut self.s.volley {
                    v.dice.extend(dice);
                }
                return self.react(*who, *which, *with, *metres, *roll);
            }
            Command::Ruling(r) => return self.rule(r),
            Command::Lose { who, n, because } => {
                if !because.is_empty() {
                    let plain = Command::Lose { who: *who, n: *n, because: String::new() };
                    let words = crate::words::print(self.s, &plain);
                    self.events.push(Event::Reason { words, because: because.clone() });
                }
                return self.lose_told(*who, *n);
            }
            _ if waits => {
                let answers = crate::candidates::first_answers(self.s).join(" or ");
                return refuse(
                    NotAllowed::by(rule!("HC-040"), "attacks that hit are waiting for Reactions")
                        .instead(answers),
                );
            }
            _ => {}
        }
        if self.s.round == 0 && !matches!(command, Command::Begin) {
            return refuse(NotAllowed::by(rule!("HC-014"), "initiative is not yet rolled").instead("begin"));
        }
        match command {
            Command::Begin => self.begin(),
            Command::Next => self.next(),
            Command::Attack { by, at, how, told } => self.attack(*by, at, how, told),
            Command::Aims { who, aim } => self.aims(*who, *aim),
            Command::Defend { who } => self.defend(*who),
            Command::Fear { who, rating, rolls } => self.fear(*who, *rating, rolls),
            Command::Recover { who, from, cover, roll } => self.recover(*who, *from, *cover, *roll),
            Command::Hold { by, at, what, rolls } => self.hold(*by, *at, *what, rolls),
            Command::Escape { who, control, rolls } => self.escape(*who, *control, rolls),
            Command::Feint { who, at, rolls } => self.feint(*who, *at, rolls),
            Command::KnockDown { who, at, hurts, rolls } => self.knock_down(*who, *at, *hurts, rolls),
            Command::Stand { who } => self.stand(*who),
            Command::Reload { who, weapon } => self.reload(*who, weapon),
            Command::Unjam { who, weapon } => self.unjam(*who, weapon),
            Command::Engage { horde, with, on } => self.engage(*horde, with, *on),
            Command::React { .. } | Command::Ruling(_) | Command::Lose { .. } => Ok(()),
        }
    }

    /// HC-014: initiative for those who have none yet, then the first Round.
    fn begin(&mut self) -> Outcome {
        if self.s.round > 0 {
            return refuse(NotAllowed::plain("the encounter has begun").instead("next"));
        }
        let mut asks = Vec::new();
        let mut who = Vec::new();
        for id in self.s.ids() {
            if self.s.unit(id).initiative.is_none() {
                let act = self.act(id);
                asks.push(self.ask("initiative", act, id, 0, 0, self.s.options.t().initiative.die));
                who.push(id);
            }
        }
        let rolls = self.throw(&asks)?;
        for (id, roll) in who.into_iter().zip(rolls) {
            let more = initiative_bonus(&self.s.options, self.s.unit(id));
            self.s.unit_mut(id).initiative = Some(i32::from(roll) + more);
        }
        let mut order: Vec<UnitId> = self.s.ids().collect();
        crate::document::sort_by_initiative(self.s, &mut order);
        self.roll_off(&mut order)?;
        let list =
            order.iter().map(|id| (self.s.unit(*id).label.clone(), self.s.unit(*id).initiative.unwrap_or(0)));
        self.events.push(Event::Order(list.collect()));
        self.s.order = order;
        self.s.round = 1;
        self.s.turn = 0;
        self.events.push(Event::Round(1));
        self.open_round();
        if self.s.order.first().is_some_and(|id| acts_now(self.s, *id)) {
            self.open_turn()
        } else {
            self.advance()
        }
    }

    /// HC-014: who is equal in initiative and Agility rolls again, until the dice differ.
    fn roll_off(&mut self, order: &mut [UnitId]) -> Outcome {
        let t = self.s.options.t().initiative.clone();
        if !t.roll_off {
            return Ok(());
        }
        // What has been rolled so far goes before the place in the list.
        let mut keys: Vec<(UnitId, Vec<u16>)> = order.iter().map(|id| (*id, Vec::new())).collect();
        let rank = |s: &State, id: UnitId| {
            let u = s.unit(id);
            (u.initiative, u.profile.value(crate::arms::Trait9::Ag))
        };
        // Dice that never differ are no dice: after a while the list decides.
        for n in 0..20 {
            let tied: Vec<usize> = (0..keys.len())
                .filter(|i| {
                    keys.iter().enumerate().any(|(j, k)| {
                        j != *i && k.1 == keys[*i].1 && rank(self.s, k.0) == rank(self.s, keys[*i].0)
                    })
                })
                .collect();
            if tied.is_empty() {
                break;
            }
            let mut asks = Vec::new();
            for i in &tied {
                let act = self.act(keys[*i].0);
                asks.push(self.ask("roll-off", act, keys[*i].0, n, 0, t.die));
            }
            for (i, die) in tied.into_iter().zip(self.throw(&asks)?) {
                keys[i].1.push(die);
            }
            // The sort is stable: only those of one rank change places.
            keys.sort_by(|a, b| rank(self.s, b.0).cmp(&rank(self.s, a.0)).then_with(|| b.1.cmp(&a.1)));
        }
        for (place, (id, _)) in order.iter_mut().zip(keys) {
            *place = id;
        }
        Ok(())
    }

    /// HC-200: what every Round begins with.
    pub(crate) fn open_round(&mut self) {
        let o = self.s.options;
        self.s.had.clear();
        for u in &mut self.s.units {
            u.acts = 0;
            u.pin_rolls.clear();
            let step_aside = u.has(crate::arms::Talent::StepAside);
            match &mut u.kind {
                Kind::Horde(h) => {
                    h.ms = h.m;
                    h.lost = 0;
                    h.tested = false;
                    h.skip_test = false;
                    if o.t().handling.strict {
                        // HC-160, HC-163: one turn a Round, so what is made out of it counts for it.
                        forget_attacks(h);
                    }
                }
                Kind::Person(p) => {
                    let e = &o.t().evasion;
                    p.reactions = e.reactions + if step_aside { e.step_aside } else { 0 };
                    p.reactions += if p.stance { o.t().guarded.stance_reactions } else { 0 };
                }
            }
        }
    }

    /// HC-203: the Tests of a Round's end.
    pub(crate) fn end_round(&mut self) -> Outcome {
        let hordes: Vec<UnitId> = self.s.ids().filter(|id| self.s.unit(*id).is_horde()).collect();
        for id in hordes {
            let o = self.s.options;
            if o.break_auto_when == BreakAutoWhen::RoundEnd
                && crate::morale::breaks_by_itself(&o, self.s.unit(id))
            {
                self.breaks(id, rule!("HC-143"));
            }
            if o.break_when == BreakWhen::RoundEnd && crate::morale::must_test(&o, self.s.unit(id)) {
                self.break_test(id, None)?;
            }
        }
        Ok(())
    }

    /// HC-198: regains up to 1d5, never beyond what it began with.
    pub(crate) fn regenerate(&mut self, id: UnitId, x: i32) -> Outcome {
        let room = self.s.unit(id).horde().map_or(0, |h| h.m0 - h.m);
        if room <= 0 {
            return Ok(());
        }
        let act = self.act(id);
        let ask = self.ask("regeneration", act, id, 0, 0, 5);
        let die = self.throw(&[ask])?;
        let n = die.first().map_or(0, |d| i32::from(*d));
        let n = if x > 0 { n.min(x) } else { n }.min(room);
        self.gain(id, n);
        Ok(())
    }

    /// Whether `who` may act at all now: its turn (unless the game master says so), able, still fighting.
    pub(crate) fn may_act(&mut self, who: UnitId, shooting: bool) -> Outcome {
        let u = self.s.unit(who);
        let retires =
            u.status == Status::Broken && shooting && u.has(crate::arms::Talent::FightingWithdrawal);
        if !u.fights() && !retires {
            let rule = if u.status == Status::Broken { rule!("HC-144") } else { rule!("HC-106") };
            return refuse(NotAllowed::by(
                rule,
                format!("{} is {} and attacks no more", u.label, u.status.word()),
            ));
        }
        if !self.master && self.s.current() != Some(who) {
            let now =
                self.s.current().map_or_else(|| "nobody".to_owned(), |id| self.s.unit(id).label.to_string());
            return refuse(NotAllowed::by(
                rule!("HC-201"),
                format!("it is not {}'s turn; {now} acts", u.label),
            ));
        }
        if u.person().is_some_and(|p| p.stunned > 0) {
            let n = u.person().map_or(0, |p| p.stunned);
            return refuse(
                NotAllowed::by(
                    rule!("HC-086"),
                    format!("{} is Stunned for {n} more Rounds and does nothing", u.label),
                )
                .instead("next"),
            );
        }
        if self.s.current() != Some(who) && self.s.options.t().handling.strict {
            self.events.push(Event::OutOfTurn { who: self.label(who) });
        }
        self.s.acted |= self.s.is_exact() && self.s.current() == Some(who);
        Ok(())
    }

    fn engage(&mut self, horde: UnitId, with: &[UnitId], on: bool) -> Outcome {
        if !self.s.unit(horde).is_horde() {
            return refuse(NotAllowed::plain(format!("{} is no Horde", self.s.unit(horde).label)));
        }
        for id in with {
            if *id == horde || self.s.unit(*id).side == self.s.unit(horde).side {
                return refuse(NotAllowed::by(rule!("HC-160"), "one engages enemies only"));
            }
            let changed = match self.s.unit_mut(horde).horde_mut() {
                Some(h) if on => h.engaged.insert(*id),
                Some(h) => h.engaged.remove(id),
                None => false,
            };
            if changed {
                let (h, w) = (self.s.unit(horde).label.clone(), self.s.unit(*id).label.clone());
                self.events.push(Event::Reach { horde: h, with: w, on });
            }
            // HC-084: melee contact ends being Pinned.
            if on {
                self.s.unit_mut(*id).pinned = false;
                if self.s.options.t().handling.kept {
                    self.s.unit_mut(horde).pinned = false;
                }
            }
        }
        Ok(())
    }
}

/// HC-014: what is added to the roll for the turn order.
pub(crate) fn initiative_bonus(o: &crate::options::Options, u: &crate::unit::Unit) -> i32 {
    let listed = u.profile.traits.figure(crate::arms::Talent::Initiative).unwrap_or(0);
    u.bonus(o, crate::arms::Trait9::Ag) + listed
}

/// HC-183: who holds `at`, if that keeps `by` from attacking him otherwise than in the Grapple.
pub(crate) fn shielded(s: &State, by: UnitId, at: UnitId) -> Option<UnitId> {
    let holder = s.unit(at).person()?.held_by?;
    if !s.unit(holder).is_horde() {
        return None;
    }
    let barred = match s.options.grapple_shield {
        GrappleShield::Everyone => true,
        GrappleShield::Hordes => s.unit(by).is_horde(),
        GrappleShield::HordeOnly => by == holder,
    };
    barred.then_some(holder)
}
