//! Results carried out: losses, recoils, flights, elephants (HH-195, HH-217 to HH-229, HH-245, HH-294), and what winners
//! do about it (HH-230 to HH-238).

use crate::command::Command;
use crate::event::Event;
use crate::flight;
use crate::hex::{Dir, Facing, Hex};
use crate::moves::lawful_facing;
use crate::owed;
use crate::play::{Done, Play};
use crate::refusal::Refusal;
use crate::state::{Cursor, Fate, Fight, Going, NOBODY, Path, Stage, Vacated, Word, bits, flag};
use crate::table::Side;
use crate::tables::{Cell, Effect, Troop};
use crate::withdraw;
use crate::zones::{class_a_foot, enemies_of, hero_near, in_shield_wall, may_cross, staked, troop};
use dice::Ask;
use rulebook::{RuleId, rule};

/// What a number of hits does to one unit, all exceptions counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Result {
    /// Stands lost.
    pub lost: u8,
    /// Disrupted.
    pub disrupted: bool,
    /// How it moves.
    pub retreat: Retreat,
    /// The cell as the table has it.
    pub cell: Cell,
    /// The rule that took something away, if one did.
    pub spared: Option<RuleId>,
}

/// How a beaten unit moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retreat {
    /// Not at all.
    None,
    /// It recoils.
    Recoil,
    /// It flees.
    Flee,
    /// It runs wild (elephants).
    Stampede,
    /// It is lost (artillery, war wagons).
    Lost,
}

/// HH-190 with HH-072, HH-126, HH-179, HH-180, HH-245, HH-249, HH-253: what hits do to a unit as it stands.
/// `staked_off` says that it was attacked only across its stakes in hand-to-hand.
#[must_use]
pub fn result_on(
    t: &crate::table::Table,
    s: &crate::state::State,
    u: u8,
    hits: i16,
    staked_off: bool,
) -> Result {
    let profile = t.profile(u);
    let mut hits = hits;
    let mut spared = None;
    if hero_near(t, s, u) {
        let lines = i16::from(t.rules.hero_lines);
        if s.options.hero_subtracts {
            hits = (hits - lines).max(0);
            spared = Some(rule!("HH-073"));
        } else if hits <= lines {
            hits = 0;
            spared = Some(rule!("HH-072"));
        }
    }
    let cell = t.rules.result(hits, profile.class);
    let mut r = Result { lost: cell.lost, disrupted: false, retreat: Retreat::None, cell, spared };
    match cell.effect {
        Effect::None => {}
        Effect::Recoil => r.retreat = Retreat::Recoil,
        Effect::RecoilDisrupted => {
            r.disrupted = true;
            r.retreat = Retreat::Recoil;
        }
        Effect::FleeDisrupted => {
            r.disrupted = true;
            r.retreat = Retreat::Flee;
        }
    }
    if profile.artillery() || profile.war_wagon() {
        // HH-179, HH-180, HH-253: it stays where it is, or is lost
        match r.retreat {
            Retreat::Recoil => {
                r.retreat = Retreat::None;
                r.spared = Some(if profile.artillery() { rule!("HH-179") } else { rule!("HH-253") });
            }
            Retreat::Flee => r.retreat = Retreat::Lost,
            _ => {}
        }
        return r;
    }
    let elephants = troop(t, s, u) == Troop::Elephant;
    if r.retreat == Retreat::Recoil {
        if staked_off {
            r.retreat = Retreat::None;
            r.spared = Some(rule!("HH-248"));
        } else if in_shield_wall(t, s, u) {
            r.retreat = Retreat::None;
            r.spared = Some(rule!("HH-122"));
            if s.options.wall_holds {
                r.disrupted = false;
            }
        }
    }
    if elephants && matches!(r.retreat, Retreat::Recoil | Retreat::Flee) {
        r.retreat = Retreat::Stampede;
    }
    r
}

impl Play<'_> {
    /// HH-294: losses, removals and markers of one result on several units; then they move one by one.
    /// `hits` and whether it was attacked only across its stakes are given for each.
    pub fn take_hits(&mut self, side: Side, hits: &[(u8, i16, bool)]) {
        let results: Vec<(u8, i16, Result)> =
            hits.iter().map(|&(u, n, staked)| (u, n, result_on(self.t, self.s, u, n, staked))).collect();
        self.s.fight.losers = side;
        self.s.fight.stage = crate::state::Stage::Retreats;
        for &(u, n, r) in &results {
            self.tell(Event::Hit(u, n, r.cell));
            if let Some(rule) = r.spared {
                self.tell(Event::Spared(u, rule));
            }
            if r.lost > 0 {
                let unit = self.s.unit_mut(u);
                let lost = r.lost.min(unit.stands);
                unit.stands -= lost;
                self.tell(Event::Lost(u, lost));
            }
        }
        for &(u, _, r) in &results {
            let unit = *self.s.unit(u);
            let hex = unit.hex;
            if unit.stands <= self.t.rules.removed_at {
                self.remove(u, Fate::Destroyed, rule!("HH-193"));
                self.left_hex(withdraw::vacated(u, hex, &Path::EMPTY));
            } else if r.retreat == Retreat::Lost {
                let why = if self.t.profile(u).artillery() { rule!("HH-179") } else { rule!("HH-253") };
                self.remove(u, Fate::Destroyed, why);
                self.left_hex(withdraw::vacated(u, hex, &Path::EMPTY));
            }
        }
        for &(u, _, r) in &results {
            if self.s.unit(u).fate != Fate::Field {
                continue;
            }
            if r.disrupted {
                self.disrupt(u, rule!("HH-186"));
            }
            let bit = 1_u64 << u;
            match r.retreat {
                Retreat::Recoil => self.s.fight.recoil |= bit,
                Retreat::Flee => self.s.fight.flee |= bit,
                Retreat::Stampede => self.s.fight.stampede |= bit,
                Retreat::None | Retreat::Lost => {}
            }
        }
    }

    fn owes_retreat(&self, u: u8, mask: u64, rule: RuleId) -> Done {
        if mask >> (u & 63) & 1 == 1 {
            Ok(())
        } else {
            Err(Refusal::new(rule, "{unit} has no such result to carry out").unit(u).into())
        }
    }

    /// HH-218, HH-219: a recoil, with everybody it pushes.
    ///
    /// # Errors
    /// If it may not go that way.
    pub fn recoil(&mut self, u: u8, to: Hex) -> Done {
        self.owes_retreat(u, self.s.fight.recoil, rule!("HH-218"))?;
        let unit = *self.s.unit(u);
        let no = |why| Refusal::new(rule!("HH-218"), why).unit(u).at(to);
        let side = self.t.map.grid.side_towards(unit.hex, to);
        let Some(d) = side.filter(|d| unit.facing.rear() >> d & 1 == 1) else {
            return Err(no("{unit} recoils through a rear side; {hex} is not behind it").into());
        };
        let Some(pushed) = withdraw::recoil_push(self.t, self.s, u, d) else {
            return Err(Refusal::new(rule!("HH-219"), "{unit} cannot recoil to {hex}: it is blocked")
                .unit(u)
                .at(to)
                .into());
        };
        for &p in pushed.iter().rev() {
            let next = self.t.map.step(self.s.unit(p).hex, d);
            self.relocate(p, next);
            self.tell(Event::Pushed(p, next));
            self.disrupt(p, rule!("HH-217"));
        }
        self.s.fight.recoil &= !(1 << u);
        self.left_hex(withdraw::vacated(u, unit.hex, &Path::EMPTY));
        self.relocate(u, to);
        self.tell(Event::Recoiled(u, to));
        Ok(())
    }

    /// HH-221 to HH-228: a flight.
    ///
    /// # Errors
    /// What of it is not allowed.
    pub fn flee(&mut self, u: u8, path: &Path) -> Done {
        self.owes_retreat(u, self.s.fight.flee, rule!("HH-221"))?;
        let face = flight::judge(self.t, self.s, u, path)?;
        let from = self.s.unit(u).hex;
        for f in bits(withdraw::passed(path, self.s, self.t, u)) {
            self.disrupt(f, rule!("HH-226"));
        }
        path.hexes().for_each(|h| self.squeeze(u, h));
        self.s.fight.flee &= !(1 << u);
        self.left_hex(withdraw::vacated(u, from, path));
        self.s.unit_mut(u).flags &= !flag::PAVISE; // HH-R06
        match face {
            None => {
                self.tell(Event::Fled(u, Hex::NONE));
                self.remove(u, Fate::Left, rule!("HH-225"));
            }
            Some(face) => {
                let end = path.hexes().last().unwrap_or(from);
                self.tell(Event::Fled(u, end));
                self.make_room(u, end, false);
                self.s.unit_mut(u).facing = face;
            }
        }
        Ok(())
    }

    /// HH-220: a unit that cannot recoil or flee is eliminated.
    ///
    /// # Errors
    /// If it can.
    pub fn give_up(&mut self, u: u8) -> Done {
        let mask = self.s.fight.recoil | self.s.fight.flee;
        self.owes_retreat(u, mask, rule!("HH-220"))?;
        let blocked = if self.s.fight.recoil >> u & 1 == 1 {
            withdraw::recoils(self.t, self.s, u).is_empty()
        } else {
            flight::choice(self.t, self.s, u) == flight::Choice::None
        };
        if !blocked {
            return Err(Refusal::new(rule!("HH-220"), "{unit} still has a way to go").unit(u).into());
        }
        self.s.fight.recoil &= !(1 << u);
        self.s.fight.flee &= !(1 << u);
        let hex = self.s.unit(u).hex;
        self.remove(u, Fate::Destroyed, rule!("HH-220"));
        self.left_hex(withdraw::vacated(u, hex, &Path::EMPTY));
        Ok(())
    }

    /// HH-245 to HH-247: elephants run one hex by a die.
    ///
    /// # Errors
    /// If dice are lacking.
    pub fn run_wild(&mut self, u: u8) -> Done {
        let ask = Ask::d6("stampede", u64::from(u), self.moment());
        let die = self.die(ask)?;
        let d: Dir = die.clamp(1, 6) - 1;
        let from = self.s.unit(u).hex;
        let to = self.t.map.step(from, d);
        self.s.fight.stampede &= !(1 << u);
        self.tell(Event::Stampeded(u, die, to));
        let column = self.s.unit(u).formation == crate::state::Formation::Column;
        let open =
            to.on() && may_cross(self.t, self.s, u, from, d, column) && !staked(self.t, self.s, from, d);
        if !open {
            self.remove(u, Fate::Destroyed, rule!("HH-246"));
            self.left_hex(withdraw::vacated(u, from, &Path::EMPTY));
            return Ok(());
        }
        let side = self.t.side(u);
        if crate::zones::held_by_general(self.t, self.s, side.other(), to) {
            return Ok(()); // HH-R05: they shy before a lone enemy general
        }
        self.left_hex(withdraw::vacated(u, from, &Path::EMPTY));
        self.make_room(u, to, true);
        // HH-156: run into contact they have come into it, whoever they run into; whom they push aside is not in contact with
        // them by his own move
        if self.s.options.corrected && crate::zones::adjacent(self.t, self.s, side.other(), to) != 0 {
            self.s.unit_mut(u).flags |= flag::CHARGED;
        }
        Ok(())
    }

    /// HH-230, HH-231: a winner follows up.
    ///
    /// # Errors
    /// If it may not.
    pub fn follow(&mut self, u: u8, to: Hex, facing: Facing) -> Done {
        let mut all = Vec::new();
        owed::follow_answers(self.t, self.s, &mut all);
        if !all.contains(&Command::Follow(u, to, facing)) {
            return Err(Refusal::new(rule!("HH-231"), "{unit} may not follow up to {hex} like that")
                .unit(u)
                .at(to)
                .into());
        }
        let n = self.s.fight.vacated.iter().position(|v| v.hex == to).unwrap_or(0);
        self.s.fight.follower = u;
        self.s.fight.entered = n as u8;
        self.relocate(u, to);
        self.s.unit_mut(u).flags &= !flag::PAVISE; // HH-R06
        // HH-R01: kept as it was, as far as a road still runs that way
        self.s.unit_mut(u).facing = lawful_facing(self.t, to, facing);
        if enemies_of(self.t, self.s, u) != 0 {
            self.s.unit_mut(u).flags |= flag::CHARGED;
        }
        self.tell(Event::Followed(u, to));
        self.s.fight.stage = Stage::Pursue;
        Ok(())
    }

    /// HH-232, HH-233: the winners stay, or do not pursue.
    ///
    /// # Errors
    /// If they must go.
    pub fn decline(&mut self) -> Done {
        let mut all = Vec::new();
        match self.s.fight.stage {
            Stage::Follow => owed::follow_answers(self.t, self.s, &mut all),
            Stage::Pursue => owed::pursue_answers(self.t, self.s, &mut all),
            _ => {}
        }
        if !all.contains(&Command::Decline) {
            let u = bits(self.s.fight.all & self.t.of_side[self.s.fight.losers.other().ix()])
                .find(|&u| !class_a_foot(self.t, self.s, u))
                .unwrap_or(NOBODY);
            return Err(Refusal::new(
                rule!("HH-230"),
                "the winner goes after the loser: only class A infantry, units behind obstacles and in a shield wall may stay, and {unit} is none of them",
            )
            .unit(u)
            .into());
        }
        if self.s.fight.stage == Stage::Follow {
            let u = bits(self.s.fight.all & self.t.of_side[self.s.fight.losers.other().ix()]).next();
            self.tell(Event::Stayed(u.unwrap_or(NOBODY)));
        }
        self.s.fight.stage = Stage::Close;
        Ok(())
    }

    /// HH-235, HH-236: the follower goes down the path of the one who fled.
    ///
    /// # Errors
    /// If there is no such pursuit.
    pub fn pursue(&mut self, u: u8, facing: Facing) -> Done {
        let mut all = Vec::new();
        if self.s.fight.stage == Stage::Pursue {
            owed::pursue_answers(self.t, self.s, &mut all);
        }
        if !all.contains(&Command::Pursue(u, facing)) {
            return Err(Refusal::new(rule!("HH-236"), "{unit} has no such pursuit").unit(u).into());
        }
        let path: Path = owed::pursuit(self.t, self.s).hexes().map(Word::To).collect();
        let unit = *self.s.unit(u);
        let cursor = Cursor { hex: unit.hex, facing, formation: unit.formation, ..Cursor::NONE };
        self.set_out(u, Going::Pursuit, cursor, path);
        Ok(())
    }

    /// A result begins: of shooting, or of a fight between these.
    pub fn begin_result(&mut self, melee: bool, all: u64) {
        self.s.fight = Fight { melee, all, ..Fight::NONE };
        debug_assert!(self.s.fight.vacated[0] == Vacated::NONE);
    }
}
