//! Walking a path, and what the other side answers in the middle of it (HH-093, HH-134 to HH-143).

use crate::command::Command;
use crate::event::Event;
use crate::hex::{Facing, Hex};
use crate::moves::Walk;
use crate::owed;
use crate::play::{Done, Play};
use crate::refusal::Refusal;
use crate::state::{Cursor, Going, Mover, NOBODY, Path, Phase, Stage, Word, bits, flag};
use crate::withdraw;
use crate::zones::{adjacent, enemies_of, generals_beside, held_by_general};
use rulebook::rule;

impl Play<'_> {
    /// A unit sets out on a judged path.
    pub fn set_out(&mut self, u: u8, going: Going, cursor: Cursor, path: Path) {
        self.s.mover = Mover { unit: u, going, cursor, path, ..Mover::NONE };
    }

    /// The unit on its way takes hex after hex, until somebody may answer or the path ends.
    ///
    /// # Errors
    /// None of its own; the type is that of the loop.
    pub fn walk_on(&mut self) -> Done {
        let u = self.s.mover.unit;
        if self.s.mover.answered {
            // HH-093: it shifts, or goes on, after the answers, as its owner likes
            self.s.mover.answered = false;
            self.s.mover.asks = true;
            return Ok(());
        }
        while let Some(word) = self.s.mover.path.shift() {
            let before = self.s.mover.cursor.hex;
            if self.s.mover.going == Going::Pursuit {
                if let Word::To(h) = word {
                    self.s.mover.cursor.hex = h;
                    self.s.mover.cursor.entered += 1;
                    self.squeeze(u, h);
                    self.s.mover.cursor.formation = self.s.unit(u).formation;
                }
            } else {
                let mut cursor = self.s.mover.cursor;
                let walked = Walk::new(self.t, self.s, u).advance(&mut cursor, word);
                if walked.is_err() {
                    // a shift that was planned before the answers and is no longer possible
                    self.s.mover.path = Path::EMPTY;
                    break;
                }
                self.s.mover.cursor = cursor;
            }
            if let Word::To(h) = word
                && self.arrive(u, before, h)
            {
                return Ok(());
            }
        }
        self.finish_move(u);
        Ok(())
    }

    /// Whether anybody may answer a unit's coming to a hex: it is set down there then.
    pub(crate) fn arrive(&mut self, u: u8, before: Hex, h: Hex) -> bool {
        let side = self.t.side(u);
        let enemy = side.other();
        let contacts = adjacent(self.t, self.s, enemy, h);
        let free = self.s.who(h) == NOBODY || self.s.who(h) == u;
        let fresh = generals_beside(self.t, self.s, enemy, h)
            & if before == h { u16::MAX } else { !generals_beside(self.t, self.s, enemy, before) };
        // HH-R03: an independent general answers where the unit could stay
        let escapes = if free && !held_by_general(self.t, self.s, side, h) { fresh } else { 0 };
        if contacts == 0 && escapes == 0 {
            return false;
        }
        self.set_down(u);
        self.s.contacts = contacts;
        self.s.escapes = escapes;
        for c in bits(contacts) {
            self.tell(Event::Contact(u, c));
        }
        true
    }

    /// A unit stands where its cursor is.
    fn set_down(&mut self, u: u8) {
        let c = self.s.mover.cursor;
        self.relocate(u, c.hex);
        let unit = self.s.unit_mut(u);
        unit.facing = crate::moves::lawful_facing(self.t, c.hex, c.facing);
        unit.formation = c.formation;
    }

    /// Takes those out of the answers who can only stand, or only stay.
    pub fn drop_idle(&mut self) {
        let mut all = Vec::new();
        for u in bits(self.s.contacts) {
            all.clear();
            withdraw::responses(self.t, self.s, u, self.s.mover.unit, &mut all);
            if all.is_empty() {
                self.s.contacts &= !(1 << u);
            }
        }
        for g in bits(u64::from(self.s.escapes)) {
            all.clear();
            owed::escape_answers(self.t, self.s, g, &mut all);
            if all.is_empty() || !self.s.alone(g) {
                self.s.escapes &= !(1 << g);
            }
        }
    }

    /// A move is over.
    pub fn finish_move(&mut self, u: u8) {
        self.set_down(u);
        let m = self.s.mover;
        let touching = enemies_of(self.t, self.s, u) != 0;
        let unit = self.s.unit_mut(u);
        if m.going != Going::Pursuit {
            unit.flags |= flag::MOVED;
            if m.cursor.entered > 0 {
                unit.flags |= flag::WALKED | flag::STIRRED;
            } else if m.going == Going::Move && m.cursor.spent > 0 {
                unit.flags |= flag::STIRRED;
            }
        }
        if m.cursor.entered > 0 && touching {
            unit.flags |= flag::CHARGED;
        }
        if unit.is(flag::STIRRED) {
            unit.flags &= !flag::HOLDS;
        }
        let (hex, facing) = (unit.hex, unit.facing);
        match m.going {
            Going::Pursuit => {
                self.tell(Event::Pursued(u, hex));
                self.s.fight.stage = Stage::Close;
            }
            _ => {
                self.tell(Event::Moved(u, hex));
                self.tell(Event::Turned(u, facing));
            }
        }
        self.s.mover = Mover::NONE;
    }

    /// The owner of a stopped unit leaves it at that.
    ///
    /// # Errors
    /// If nobody was stopped.
    pub fn halt(&mut self, u: u8) -> Done {
        if self.s.mover.unit != u || !self.s.mover.asks {
            return Err(Refusal::new(rule!("HH-093"), "{unit} is not on its way").unit(u).into());
        }
        self.finish_move(u);
        Ok(())
    }

    /// The contacted unit that answers, checked.
    fn contacted(&self, u: u8) -> Done {
        if self.s.contacts >> (u & 63) & 1 == 0 {
            return Err(Refusal::new(rule!("HH-134"), "{unit} was not contacted, or has answered")
                .unit(u)
                .into());
        }
        Ok(())
    }

    /// HH-134: it stands.
    ///
    /// # Errors
    /// If it was not contacted.
    pub fn stand(&mut self, u: u8) -> Done {
        self.contacted(u)?;
        self.s.contacts &= !(1 << u);
        Ok(())
    }

    /// HH-140, HH-141: it turns to face.
    ///
    /// # Errors
    /// If it may not, or not to that point.
    pub fn turn_to(&mut self, u: u8, f: Facing) -> Done {
        self.contacted(u)?;
        let m = self.s.mover.unit;
        let no = |why| Refusal::new(rule!("HH-141"), why).unit(u).other(m);
        if self.s.unit(u).disrupted() {
            return Err(no("{unit} is disrupted and does not turn").into());
        }
        if !withdraw::may_turn(self.t, self.s, u, m) {
            return Err(Refusal::new(
                rule!("HH-140"),
                "{unit} is engaged to its front and does not turn to {other}",
            )
            .unit(u)
            .other(m)
            .into());
        }
        let d = self.t.map.grid.side_towards(self.s.unit(u).hex, self.s.unit(m).hex);
        if f.road_side().is_some() || !d.is_some_and(|d| f.fronts(d)) {
            return Err(no("{unit} turns to a point that puts {other} on a front side").into());
        }
        self.s.unit_mut(u).facing = f;
        self.s.contacts &= !(1 << u);
        self.s.mover.answered = true;
        self.tell(Event::Turned(u, f));
        Ok(())
    }

    /// HH-135, HH-138: it gets away.
    ///
    /// # Errors
    /// What of the way is not allowed.
    pub fn get_away(&mut self, u: u8, path: &Path, evading: bool) -> Done {
        self.contacted(u)?;
        let m = self.s.mover.unit;
        let face = withdraw::judge_way(self.t, self.s, u, m, path, evading)?;
        self.s.contacts &= !(1 << u);
        self.s.mover.answered = true;
        self.s.unit_mut(u).flags |= if evading { flag::EVADED } else { flag::FLED };
        let end = path.hexes().last().unwrap_or(Hex::NONE);
        for f in bits(withdraw::passed(path, self.s, self.t, u)) {
            self.disrupt(f, rule!("HH-097"));
        }
        path.hexes().for_each(|h| self.squeeze(u, h));
        self.tell(if evading { Event::Evaded(u, end) } else { Event::Withdrew(u, end) });
        self.make_room(u, end, false);
        self.s.unit_mut(u).facing = face;
        Ok(())
    }

    /// HH-067: an independent general joins a friend.
    ///
    /// # Errors
    /// If he may not.
    pub fn escape(&mut self, g: u8, to: Hex) -> Done {
        let mut all = Vec::new();
        owed::escape_answers(self.t, self.s, g, &mut all);
        if self.s.escapes >> g & 1 == 0 || !all.contains(&Command::Escape(g, to)) {
            return Err(Refusal::new(
                rule!("HH-067"),
                "{leader} cannot escape to {hex}: he joins a friendly unit that he can reach",
            )
            .leader(g)
            .at(to)
            .into());
        }
        self.s.generals[usize::from(g)].hex = to;
        self.s.escapes &= !(1 << g);
        // HH-R03, HH-093: no zone stopped the mover (HH-065), so it has all of its budget left; whoever must attack keeps to
        // the path that brings it into contact
        if self.s.options.escape_asks && self.s.mover.going == Going::Move && self.s.phase == Phase::Tactical
        {
            self.s.mover.answered = true;
        }
        self.tell(Event::Escaped(g, to));
        Ok(())
    }

    /// An independent general stays where he is.
    ///
    /// # Errors
    /// If he was not asked.
    pub fn stay(&mut self, g: u8) -> Done {
        if self.s.escapes >> g & 1 == 0 {
            return Err(Refusal::new(rule!("HH-067"), "{leader} has nothing to answer").leader(g).into());
        }
        self.s.escapes &= !(1 << g);
        Ok(())
    }
}
