//! Rulings (HH-R13): an umpire, or all by consent, set a unit, a general, an option or the outcome from here on.

use crate::command::{Command, Ruling};
use crate::event::Event;
use crate::hex::Hex;
use crate::moves::lawful_facing;
use crate::play::{Done, Play};
use crate::refusal::Refusal;
use crate::state::{Fate, Fight, Formation, NOBODY, Outcome, Stage, flag};
use crate::table::Side;
use rulebook::rule;

impl Play<'_> {
    /// Whether a ruling may come from here now.
    fn may_rule(&self, by: Option<Side>) -> Done {
        if by.is_some() {
            let why = "only an umpire, or all by consent, may rule";
            return Err(Refusal::new(rule!("HH-R13"), why).into());
        }
        if self.s.outcome != Outcome::Open {
            return Err(Refusal::new(rule!("HH-256"), "the battle is over").into());
        }
        Ok(())
    }

    /// What an umpire, or all by consent, rule about a unit.
    pub(crate) fn ruling(&mut self, by: Option<Side>, u: u8, r: Ruling) -> Done {
        let no = |why| Refusal::new(rule!("HH-R13"), why).unit(u);
        self.may_rule(by)?;
        let on = self.s.unit(u).hex.on();
        match r {
            Ruling::At(h) => {
                let free = self.s.who(h) == NOBODY
                    && !self.t.map.barred.has(h)
                    && self.s.general_in(self.t, self.t.side(u).other(), h) == NOBODY;
                if !free || !on || self.s.mover.unit == u || self.s.room.unit != NOBODY {
                    return Err(no("{unit} cannot be put into {hex} now").at(h).into());
                }
                self.relocate(u, h);
            }
            _ if !on || self.s.mover.unit == u => {
                return Err(no("{unit} is not on the table, or on its way").into());
            }
            Ruling::Facing(f) => {
                self.s.unit_mut(u).facing = lawful_facing(self.t, self.s.unit(u).hex, f);
            }
            Ruling::Stands(n) => {
                let most = if self.s.unit(u).formation == Formation::Block {
                    self.t.rules.pike_block[1]
                } else {
                    self.t.profile(u).stands
                };
                if n > most || n <= self.t.rules.removed_at {
                    return Err(no("{unit} has more than {have} and at most {need} stands")
                        .figures(most.into(), self.t.rules.removed_at.into())
                        .into());
                }
                self.s.unit_mut(u).stands = n;
            }
            Ruling::Disrupted(true) => self.disrupt(u, rule!("HH-239")),
            Ruling::Disrupted(false) => self.s.unit_mut(u).flags &= !flag::DISRUPTED,
            Ruling::Impact(i) => self.s.unit_mut(u).impact = i,
            Ruling::Removed => {
                if self.s.room.unit == u {
                    return Err(no("{unit} makes room first").into());
                }
                self.s.contacts &= !(1 << u);
                self.s.fight.recoil &= !(1 << u);
                self.s.fight.flee &= !(1 << u);
                self.s.fight.stampede &= !(1 << u);
                if self.s.fight.stage == Stage::Naming && self.s.fight.all >> u & 1 == 1 {
                    self.s.fight = Fight::NONE; // the combat is declared anew
                }
                self.remove(u, Fate::Destroyed, rule!("HH-R13"));
            }
        }
        self.tell(Event::Ruled(u));
        Ok(())
    }

    /// What an umpire, or all by consent, rule about a general, an option or the outcome.
    pub(crate) fn ruling_at_large(&mut self, by: Option<Side>, c: &Command) -> Done {
        self.may_rule(by)?;
        match *c {
            Command::RuleOption(x) => {
                x.apply(&mut self.s.options);
                self.tell(Event::RuledOption(x));
            }
            Command::RuleEnd(winner) => self.finish_battle(winner.map_or(Outcome::Draw, Outcome::Won)),
            Command::RuleGeneral(g, at) => self.ruling_on_general(g, at)?,
            _ => {}
        }
        Ok(())
    }

    fn ruling_on_general(&mut self, g: u8, at: Option<Hex>) -> Done {
        let no = |why| Refusal::new(rule!("HH-R13"), why).leader(g);
        let Some(leader) = self.t.leaders.get(usize::from(g)) else {
            return Err(no("there is no such general").into());
        };
        let pending =
            self.s.room.unit != NOBODY || self.s.aside >> g & 1 == 1 || self.s.escapes >> g & 1 == 1;
        if !self.s.generals[usize::from(g)].hex.on() || pending {
            return Err(no("{leader} is not on the table, or has something to answer first").into());
        }
        self.tell(Event::RuledGeneral(g));
        let Some(h) = at else {
            self.kill(g);
            return Ok(());
        };
        let who = self.s.who(h);
        let free = !self.t.map.barred.has(h)
            && (who == NOBODY || self.t.side(who) == leader.side)
            && self.s.general_in(self.t, leader.side, h) == NOBODY
            && self.s.general_in(self.t, leader.side.other(), h) == NOBODY;
        if !free {
            return Err(no("{leader} cannot be put into {hex}").at(h).into());
        }
        self.s.generals[usize::from(g)].hex = h;
        Ok(())
    }
}
