//! The bound (HH-040, HH-041): phases, what passes by itself, victory; and every command dispatched.

use crate::candidates;
use crate::command::Command;
use crate::control;
use crate::event::Event;
use crate::hex::{Facing, Hex};
use crate::melee;
use crate::moves::{Walk, facings_at, lawful_facing};
use crate::owed::{self, Due};
use crate::play::{Done, Play};
use crate::reach::hexes_to_contact;
use crate::refusal::Refusal;
use crate::state::{Cursor, Fate, Formation, Going, NOBODY, Outcome, Path, Phase, Reply, bits, flag};
use crate::table::Side;
use crate::tables::{Traits, Troop};
use crate::zones::{enemies_of, in_shield_wall, troop};
use dice::Ask;
use rulebook::rule;

impl Play<'_> {
    /// Carries out one command, without running on.
    ///
    /// # Errors
    /// A refusal with its rule, or dice.
    pub fn command(&mut self, by: Option<Side>, c: &Command) -> Done {
        match c {
            Command::Reply(u, r) => return self.standing_reply(by, *u, *r),
            Command::Rule(u, r) => return self.ruling(by, *u, *r),
            Command::RuleGeneral(..) | Command::RuleOption(_) | Command::RuleEnd(_) => {
                return self.ruling_at_large(by, c);
            }
            _ => {}
        }
        let due = owed::due(self.t, self.s);
        let owner = owed::owner(self.t, self.s);
        if due == Due::Over {
            return Err(Refusal::new(rule!("HH-256"), "the battle is over").into());
        }
        if let (Some(by), Some(owner)) = (by, owner)
            && by != owner
        {
            return Err(Refusal::new(rule!("HH-046"), "it is the other side that owes something now").into());
        }
        match due {
            Due::Order | Due::Edge | Due::Deploy(_) => self.deployment(c),
            Due::Room(_) => match *c {
                Command::Displace(u, h) => self.displace(u, h),
                _ => self.pending("{unit} must make room first", self.s.room.unit),
            },
            Due::Aside(_, g) => match *c {
                Command::Aside(g, h) => self.aside(g, h),
                _ => Err(Refusal::new(rule!("HH-010"), "{leader} must make room first").leader(g).into()),
            },
            Due::Respond(_) => match c {
                Command::Stand(u) => self.stand(*u),
                Command::Turn(u, f) => self.turn_to(*u, *f),
                Command::Evade(u, p) => self.get_away(*u, p, true),
                Command::Withdraw(u, p) => self.get_away(*u, p, false),
                Command::Escape(g, h) => self.escape(*g, *h),
                Command::Stay(g) => self.stay(*g),
                _ => self.pending("those contacted by {unit} answer first", self.s.mover.unit),
            },
            Due::GoOn(_, u) => match c {
                Command::Halt(u) => self.halt(*u),
                Command::Move(n, false, p) if *n == u => self.go_on(u, p),
                _ => self.pending("{unit} goes on or halts first", u),
            },
            Due::Count(_) => match *c {
                Command::Count(u) => self.count(u),
                _ => self.pending("whose factor and impact count is named first", NOBODY),
            },
            Due::Retreat(_) => match c {
                Command::Recoil(u, h) => self.recoil(*u, *h),
                Command::Flee(u, p) => self.flee(*u, p),
                Command::Yield(u) => self.give_up(*u),
                Command::Stampede(u) if self.s.fight.stampede >> (u & 63) & 1 == 1 => self.run_wild(*u),
                _ => self.pending("the beaten units move first: {unit}", self.first_beaten()),
            },
            Due::Follow(_) => match *c {
                Command::Follow(u, h, f) => self.follow(u, h, f),
                Command::Decline => self.decline(),
                _ => self.pending("a winner follows up first", NOBODY),
            },
            Due::Pursue(_) => match *c {
                Command::Pursue(u, f) => self.pursue(u, f),
                Command::Decline => self.decline(),
                _ => self.pending("{unit} pursues first", self.s.fight.follower),
            },
            Due::Phase(_) => self.phase_command(c),
            Due::Going(_) | Due::Close | Due::Over => self.pending("nothing is owed", NOBODY),
        }
    }

    /// A standing reply may be left at any time; it is used when the unit is contacted.
    fn standing_reply(&mut self, by: Option<Side>, u: u8, r: Reply) -> Done {
        if by.is_some_and(|side| side != self.t.side(u)) {
            return Err(Refusal::new(rule!("HH-046"), "{unit} is not yours to answer for").unit(u).into());
        }
        if self.s.outcome != Outcome::Open {
            return Err(Refusal::new(rule!("HH-256"), "the battle is over").into());
        }
        self.s.replies[usize::from(u)] = r;
        self.tell(Event::Standing(u, r));
        Ok(())
    }

    fn first_beaten(&self) -> u8 {
        let f = &self.s.fight;
        bits(f.recoil | f.flee | f.stampede).next().unwrap_or(NOBODY)
    }

    fn pending(&self, why: &'static str, u: u8) -> Done {
        Err(Refusal::new(rule!("HH-046"), why).unit(u).into())
    }

    fn phase_command(&mut self, c: &Command) -> Done {
        let phase = self.s.phase;
        let wrong = |rule, why| -> Done { Err(Refusal::new(rule, why).into()) };
        match (c, phase) {
            (Command::End, _) => self.end_phase(),
            (Command::Lead(g, h), Phase::Generals) => self.lead(*g, *h),
            (Command::Challenge(a, b), Phase::Generals) => self.challenge(*a, *b),
            (Command::Lead(..) | Command::Challenge(..), _) => {
                wrong(rule!("HH-063"), "generals move in the Generals phase")
            }
            (Command::Stampede(u), Phase::Compulsory) => self.stampede(*u),
            (Command::Move(u, drop, p), Phase::Compulsory | Phase::Tactical) => {
                self.normal_move(*u, *drop, p)
            }
            (Command::Step(u, drop, h, f, form), Phase::Compulsory | Phase::Tactical) => {
                self.single_hex(*u, *drop, *h, *f, *form)
            }
            (Command::Move(..) | Command::Step(..), _) => {
                wrong(rule!("HH-041"), "units move in the phases of compulsory and of tactical moves")
            }
            (Command::Shift(u, f), Phase::Tactical) => self.shift(*u, *f),
            (Command::Back(u, h), Phase::Tactical) => self.step_back(*u, *h),
            (Command::Combine(a, b, n), Phase::Tactical) => self.combine(*a, *b, *n),
            (Command::Merge(x), Phase::Tactical) => self.merge(x),
            (Command::Split(x, h), Phase::Tactical) => self.split(x, *h),
            (Command::Dismount(u), Phase::Tactical) => self.dismount(*u),
            (Command::Plant(u), Phase::Tactical) => self.plant(*u),
            (Command::Withdraw(u, p), Phase::Tactical) => self.flee_as_move(*u, p),
            (Command::Shoot(x, g), Phase::Shooting | Phase::Return) => self.shoot(*x, g),
            (Command::Suppress(x, g), Phase::Shooting | Phase::Return) => self.suppress(*x, g),
            (Command::Hold(u), Phase::Shooting | Phase::Return) => self.hold(*u),
            (Command::Release(u), Phase::Shooting | Phase::Return) => self.release(*u),
            (Command::Shoot(..) | Command::Suppress(..), _) => {
                wrong(rule!("HH-041"), "units shoot in the Shooting phase")
            }
            (Command::Fight(a, b), _) => self.fight(a, b),
            (Command::Attack(a, g), _) => self.attack(a, *g),
            (Command::Stand(u) | Command::Turn(u, _) | Command::Evade(u, _), _) => {
                Err(Refusal::new(rule!("HH-134"), "{unit} answers only an enemy that comes into contact")
                    .unit(*u)
                    .into())
            }
            (Command::Recoil(u, _) | Command::Flee(u, _) | Command::Yield(u), _) => {
                Err(Refusal::new(rule!("HH-186"), "{unit} has no result to carry out").unit(*u).into())
            }
            _ => wrong(rule!("HH-041"), "that is not done in this phase"),
        }
    }

    /// The phase is done.
    fn end_phase(&mut self) -> Done {
        match self.s.phase {
            Phase::Compulsory => {
                if let Some(u) = bits(owed::compulsory(self.t, self.s)).next() {
                    let wild = troop(self.t, self.s, u) == Troop::Elephant && self.s.unit(u).disrupted();
                    let (rule, why) = if wild {
                        (rule!("HH-132"), "{unit} is out of hand and runs first")
                    } else {
                        (rule!("HH-130"), "{unit} must make its compulsory move first")
                    };
                    return Err(Refusal::new(rule, why).unit(u).into());
                }
            }
            Phase::Melee if melee::must_fight(self.t, self.s) => {
                return Err(Refusal::new(
                    rule!("HH-206"),
                    "combats are declared as long as an unfought unit is adjacent to an unfought enemy",
                )
                .into());
            }
            _ => {}
        }
        self.next_phase()
    }

    /// Passes to the next phase, doing what happens by itself in between.
    ///
    /// # Errors
    /// None of its own.
    pub fn next_phase(&mut self) -> Done {
        self.freshen();
        for u in bits(self.t.of_side[0] | self.t.of_side[1]) {
            self.s.unit_mut(u).flags &= !flag::WALKED;
        }
        let next = match self.s.phase {
            Phase::Generals => {
                self.judge_command();
                Phase::Compulsory
            }
            Phase::Compulsory => Phase::Tactical,
            Phase::Tactical => {
                self.rally();
                Phase::Shooting
            }
            Phase::Shooting => Phase::Return,
            Phase::Return => Phase::Melee,
            Phase::Melee => {
                self.end_bound();
                return Ok(());
            }
            other => other,
        };
        self.s.shot_at = 0;
        if next == Phase::Melee {
            self.s.suppressed = 0;
        }
        self.s.phase = next;
        self.tell(Event::Phase(next));
        Ok(())
    }

    /// HH-042: command is judged once, and frozen.
    fn judge_command(&mut self) {
        let side = self.s.phasing;
        let own = self.t.of_side[side.ix()];
        let now = control::under_command(self.t, self.s, side);
        self.s.commanded = (self.s.commanded & !own) | now;
        self.tell(Event::Command(now));
    }

    /// HH-241, HH-242: whoever is not adjacent to an enemy rallies.
    fn rally(&mut self) {
        for u in bits(self.t.of_side[self.s.phasing.ix()]) {
            let unit = *self.s.unit(u);
            if unit.hex.on() && unit.disrupted() && enemies_of(self.t, self.s, u) == 0 {
                self.s.unit_mut(u).flags &= !flag::DISRUPTED;
                self.tell(Event::Rallied(u));
            }
        }
    }

    /// HH-041 (8), HH-256 to HH-260: markers off, victory checked, the other side's bound.
    fn end_bound(&mut self) {
        if self.check_victory() {
            return;
        }
        self.begin_bound(self.s.phasing.other());
    }

    /// A bound begins.
    pub fn begin_bound(&mut self, side: Side) {
        self.s.bound += 1;
        self.s.phasing = side;
        self.s.phase = Phase::Generals;
        self.s.shot_at = 0;
        self.s.suppressed = 0;
        for u in bits(self.t.of_side[0] | self.t.of_side[1]) {
            let unit = self.s.unit_mut(u);
            unit.flags &= !flag::OF_THE_BOUND;
            unit.start = unit.hex;
        }
        for g in &mut self.s.generals {
            g.moved = false;
            g.fought = false;
        }
        self.tell(Event::Bound(self.s.bound, side));
        self.tell(Event::Phase(Phase::Generals));
    }

    /// HH-256 to HH-260: whether the battle ends here.
    fn check_victory(&mut self) -> bool {
        let mut broken = [false; 2];
        let mut lost = [0_u32; 2];
        let mut all = [0_u32; 2];
        for side in Side::BOTH {
            let n = side.ix();
            lost[n] = u32::from(self.s.lost_stands(self.t, side));
            all[n] = u32::from(self.t.stands[n]).max(1);
            let percent = u32::from(self.s.options.break_percent);
            broken[n] = if percent >= 100 { lost[n] >= all[n] } else { lost[n] * 100 > all[n] * percent };
            if broken[n] {
                self.tell(Event::Broke(side, lost[n] as u16, all[n] as u16));
            }
        }
        let outcome = match broken {
            [true, false] => Outcome::Won(Side::B),
            [false, true] => Outcome::Won(Side::A),
            [true, true] => {
                // HH-258: the smaller lost fraction wins
                let (a, b) = (lost[0] * all[1], lost[1] * all[0]);
                match a.cmp(&b) {
                    std::cmp::Ordering::Less => Outcome::Won(Side::A),
                    std::cmp::Ordering::Greater => Outcome::Won(Side::B),
                    std::cmp::Ordering::Equal => Outcome::Draw,
                }
            }
            [false, false] => {
                if self.s.bound < self.t.bound_limit * 2 {
                    return false;
                }
                // HH-259
                let a = self.s.lost_points2(self.t, Side::A);
                let b = self.s.lost_points2(self.t, Side::B);
                match a.cmp(&b) {
                    std::cmp::Ordering::Less => Outcome::Won(Side::A),
                    std::cmp::Ordering::Greater => Outcome::Won(Side::B),
                    std::cmp::Ordering::Equal => Outcome::Draw,
                }
            }
        };
        self.finish_battle(outcome);
        true
    }

    // ---- generals

    /// HH-063: a general's command move.
    fn lead(&mut self, g: u8, to: Hex) -> Done {
        self.own_general(g)?;
        let leader = &self.t.leaders[usize::from(g)];
        let (hexes, _) = control::general_reach(self.t, self.s, g, leader.quality);
        if !hexes.has(to) {
            return Err(Refusal::new(
                rule!("HH-063"),
                "{leader} cannot go to {hex}: {need} hexes, not through enemies or on from their zones, nor to another general",
            )
            .leader(g)
            .at(to)
            .figures(leader.quality.into(), 0)
            .into());
        }
        let general = &mut self.s.generals[usize::from(g)];
        general.hex = to;
        general.moved = true;
        self.tell(Event::Led(g, to));
        Ok(())
    }

    fn own_general(&self, g: u8) -> Done {
        let general = self.s.generals[usize::from(g)];
        let ok = self.t.leaders.get(usize::from(g)).is_some_and(|l| l.side == self.s.phasing);
        if !ok || !general.hex.on() {
            return Err(Refusal::new(
                rule!("HH-063"),
                "{leader} is no general of the phasing side on the table",
            )
            .leader(g)
            .into());
        }
        if general.moved {
            return Err(Refusal::new(rule!("HH-063"), "{leader} has made his command move").leader(g).into());
        }
        Ok(())
    }

    /// HH-074, HH-075: single combat.
    fn challenge(&mut self, g: u8, enemy: u8) -> Done {
        self.own_general(g)?;
        let theirs = self.s.generals[usize::from(enemy)];
        let is_enemy = self.t.leaders.get(usize::from(enemy)).is_some_and(|l| l.side != self.s.phasing);
        let quality = self.t.leaders[usize::from(g)].quality;
        let (_, hexes) = control::general_reach(self.t, self.s, g, quality);
        if !is_enemy || !theirs.hex.on() || !hexes.has(theirs.hex) {
            return Err(Refusal::new(
                rule!("HH-075"),
                "{leader} cannot reach the general he challenges with his command move",
            )
            .leader(g)
            .into());
        }
        let moment = self.moment();
        let asks: Vec<Ask> = [g, enemy]
            .iter()
            .flat_map(|&x| {
                (0..2).map(move |k| Ask::d6("duel", (u64::from(g) * 16 + u64::from(x)) * 2 + k, moment))
            })
            .collect();
        let mut v = [0; 4];
        self.throw(&asks, &mut v)?;
        let (a, b) = (v[0] + v[1], v[2] + v[3]);
        self.s.generals[usize::from(g)].moved = true;
        self.tell(Event::Duel(g, enemy, a as u8, b as u8));
        match a.cmp(&b) {
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Less => self.kill(g),
            std::cmp::Ordering::Greater => {
                let hex = theirs.hex;
                self.kill(enemy);
                // he stays there if no enemy unit holds the hex
                if self.s.who(hex) == NOBODY {
                    self.s.generals[usize::from(g)].hex = hex;
                    self.tell(Event::Led(g, hex));
                }
            }
        }
        Ok(())
    }

    // ---- moves of units

    /// A unit that may make a tactical move, checked (HH-048, HH-050, HH-240, HH-079).
    fn mover(&self, u: u8, engaged_too: bool) -> Done {
        let no = |rule, why| -> Done { Err(Refusal::new(rule, why).unit(u).into()) };
        let unit = self.s.unit(u);
        if usize::from(u) >= self.t.pieces.len() || !unit.hex.on() || self.t.side(u) != self.s.phasing {
            return no(rule!("HH-048"), "{unit} is no unit of the phasing side on the table");
        }
        if unit.is(flag::MOVED) {
            return no(rule!("HH-048"), "{unit} has made its move of this bound");
        }
        if self.s.phase == Phase::Compulsory {
            if owed::compulsory(self.t, self.s) >> u & 1 == 0 {
                return no(rule!("HH-131"), "{unit} has no compulsory move");
            }
            return Ok(());
        }
        if unit.disrupted() {
            return no(rule!("HH-240"), "{unit} is disrupted and stays where it is");
        }
        if self.s.commanded >> u & 1 == 0 {
            return no(rule!("HH-050"), "{unit} is not under command");
        }
        if !engaged_too && enemies_of(self.t, self.s, u) != 0 {
            return no(
                rule!("HH-079"),
                "{unit} is engaged: it may only shift by one point, or step back if it is class A infantry",
            );
        }
        Ok(())
    }

    fn drop_pavise(&mut self, u: u8, drop: bool) -> Done {
        if !drop {
            return Ok(());
        }
        if !self.s.unit(u).is(flag::PAVISE) {
            return Err(Refusal::new(rule!("HH-251"), "{unit} has no pavises to drop").unit(u).into());
        }
        self.s.unit_mut(u).flags &= !flag::PAVISE;
        self.tell(Event::Dropped(u));
        Ok(())
    }

    /// HH-131: a compulsory move ends in contact with the nearest.
    fn check_compulsory(&self, u: u8, end: &Cursor, zone: &crate::hex::HexSet) -> Done {
        if self.s.phase != Phase::Compulsory {
            return Ok(());
        }
        let need = hexes_to_contact(self.t, self.s, u).unwrap_or(0);
        if end.entered == need && zone.has(end.hex) {
            return Ok(());
        }
        Err(Refusal::new(
            rule!("HH-131"),
            "{unit} must move into contact with the nearest enemy, {need} hexes away",
        )
        .unit(u)
        .figures(need.into(), end.entered.into())
        .into())
    }

    /// HH-085: a normal move.
    fn normal_move(&mut self, u: u8, drop: bool, path: &Path) -> Done {
        self.mover(u, false)?;
        if path.words().is_empty() && !drop {
            return Err(Refusal::new(rule!("HH-085"), "a move names at least one hex, facing or formation")
                .unit(u)
                .into());
        }
        let walk = Walk::new(self.t, self.s, u);
        let begin = walk.begin(drop);
        let end = walk.judge(begin, path)?;
        self.check_compulsory(u, &end, &walk.zone)?;
        self.drop_pavise(u, drop)?;
        self.set_out(u, Going::Move, begin, *path);
        Ok(())
    }

    /// HH-093, HH-143: a stopped move goes on.
    fn go_on(&mut self, u: u8, path: &Path) -> Done {
        if self.s.mover.going != Going::Move {
            return Err(Refusal::new(rule!("HH-143"), "{unit} goes no further").unit(u).into());
        }
        let cursor = self.s.mover.cursor;
        Walk::new(self.t, self.s, u).judge(cursor, path)?;
        self.s.mover.path = *path;
        self.s.mover.asks = false;
        Ok(())
    }

    /// HH-084: the single-hex move.
    fn single_hex(&mut self, u: u8, drop: bool, to: Hex, f: Facing, form: Formation) -> Done {
        self.mover(u, false)?;
        let walk = Walk::new(self.t, self.s, u);
        let end = walk.step(to, f, form, drop)?;
        self.check_compulsory(u, &end, &walk.zone)?;
        self.drop_pavise(u, drop)?;
        let unit = self.s.unit_mut(u);
        if to == unit.hex && (unit.facing.points_to(f) > 1 || unit.formation != form) {
            unit.flags |= flag::STIRRED; // HH-181: one point in place is no move
        }
        let from = unit.hex;
        self.set_out(u, Going::Step, end, Path::EMPTY);
        if to != from {
            self.arrive(u, from, to);
        }
        Ok(())
    }

    /// HH-079: an engaged unit shifts by one point.
    fn shift(&mut self, u: u8, f: Facing) -> Done {
        self.mover(u, true)?;
        let unit = *self.s.unit(u);
        let no = |why| Refusal::new(rule!("HH-079"), why).unit(u);
        if enemies_of(self.t, self.s, u) == 0 {
            return Err(no("{unit} is not engaged: it moves").into());
        }
        if unit.facing.points_to(f) != 1 || !facings_at(self.t, unit.hex).any(|x| x == f) {
            return Err(no("{unit} is engaged: it may shift by one point only").into());
        }
        let faces = bits(enemies_of(self.t, self.s, u))
            .any(|e| self.t.map.grid.side_towards(unit.hex, self.s.unit(e).hex).is_some_and(|d| f.fronts(d)));
        if !faces {
            return Err(no("{unit} may shift only so that an enemy is before it").into());
        }
        let unit = self.s.unit_mut(u);
        unit.facing = f;
        unit.flags |= flag::MOVED;
        self.tell(Event::Turned(u, f));
        Ok(())
    }

    /// HH-080, HH-081: the step back.
    fn step_back(&mut self, u: u8, to: Hex) -> Done {
        self.mover(u, true)?;
        if enemies_of(self.t, self.s, u) == 0 {
            return Err(Refusal::new(rule!("HH-080"), "{unit} is not engaged: it moves").unit(u).into());
        }
        Walk::new(self.t, self.s, u).back(to)?;
        self.relocate(u, to);
        self.s.unit_mut(u).flags |= flag::MOVED | flag::WALKED | flag::STIRRED;
        self.tell(Event::Moved(u, to));
        Ok(())
    }

    /// HH-099, HH-100: stands go from one unit to another.
    fn combine(&mut self, a: u8, b: u8, n: u8) -> Done {
        candidates::may_combine(self.t, self.s, a, b, n)?;
        self.s.unit_mut(a).stands += n;
        self.s.unit_mut(b).stands -= n;
        for u in [a, b] {
            self.s.unit_mut(u).flags |= flag::MOVED;
        }
        self.tell(Event::Combined(b, a, n));
        if self.s.unit(b).stands == 0 {
            // its general stays behind without a host
            self.s.put(b, Hex::NONE);
            let unit = self.s.unit_mut(b);
            unit.fate = Fate::Emptied;
            unit.flags = 0;
            unit.stakes = 0;
        }
        Ok(())
    }

    /// HH-119, HH-120: three pike units merge into two blocks.
    fn merge(&mut self, x: &[u8; 3]) -> Done {
        candidates::may_merge(self.t, self.s, x)?;
        self.put_together(x);
        for &u in x {
            self.s.unit_mut(u).flags |= flag::MOVED | flag::STIRRED;
        }
        Ok(())
    }

    /// Two of the three become blocks; the third's stands are in them, and its general stays where he is.
    pub fn put_together(&mut self, x: &[u8; 3]) {
        for &u in &x[..2] {
            let unit = self.s.unit_mut(u);
            unit.formation = Formation::Block;
            unit.stands = self.t.rules.pike_block[1];
        }
        self.s.put(x[2], Hex::NONE);
        let third = self.s.unit_mut(x[2]);
        third.fate = Fate::Merged;
        third.stands = 0;
        third.stakes = 0;
        self.tell(Event::Merged(x[0], x[1], x[2]));
    }

    /// HH-120: two blocks give the third unit back.
    fn split(&mut self, x: &[u8; 3], to: Hex) -> Done {
        candidates::may_split(self.t, self.s, x, to)?;
        let facing = lawful_facing(self.t, to, self.s.unit(x[0]).facing);
        for &u in x {
            let stands = self.t.profile(u).stands;
            let unit = self.s.unit_mut(u);
            unit.formation = Formation::Line;
            unit.stands = stands;
            unit.flags |= flag::MOVED | flag::STIRRED;
        }
        let third = self.s.unit_mut(x[2]);
        third.fate = Fate::Field;
        third.facing = facing;
        third.impact = crate::state::Impact::Fresh;
        self.s.put(x[2], to);
        self.tell(Event::Split(x[0], x[1], x[2]));
        Ok(())
    }

    /// HH-129: riders dismount.
    fn dismount(&mut self, u: u8) -> Done {
        self.mover(u, false)?;
        if !self.t.profile(u).traits.has(Traits::DISMOUNTS) || self.s.unit(u).is(flag::ON_FOOT) {
            return Err(Refusal::new(rule!("HH-129"), "{unit} cannot dismount").unit(u).into());
        }
        self.s.unit_mut(u).flags |= flag::ON_FOOT | flag::MOVED | flag::STIRRED;
        self.tell(Event::Dismounted(u));
        Ok(())
    }

    /// HH-249: stakes are planted on the front sides.
    fn plant(&mut self, u: u8) -> Done {
        self.mover(u, false)?;
        if !self.t.profile(u).traits.has(Traits::STAKES) || self.s.unit(u).stakes != 0 {
            return Err(Refusal::new(rule!("HH-249"), "{unit} has no stakes to plant").unit(u).into());
        }
        let unit = self.s.unit_mut(u);
        unit.stakes = unit.facing.front();
        unit.flags |= flag::MOVED;
        self.tell(Event::Planted(u));
        Ok(())
    }

    /// HH-132: elephants out of hand run in their own Compulsory phase.
    fn stampede(&mut self, u: u8) -> Done {
        let due = owed::compulsory(self.t, self.s) >> (u & 63) & 1 == 1;
        if !due || troop(self.t, self.s, u) != Troop::Elephant {
            return Err(Refusal::new(rule!("HH-132"), "{unit} does not run wild now").unit(u).into());
        }
        self.s.unit_mut(u).flags |= flag::MOVED | flag::STIRRED;
        self.run_wild(u)
    }

    /// HH-262: with `voluntary_flee`, a flee move in place of the tactical move.
    fn flee_as_move(&mut self, u: u8, path: &Path) -> Done {
        self.mover(u, true)?;
        let facing = candidates::may_flee_as_move(self.t, self.s, u, path)?;
        let end = path.hexes().last().unwrap_or(Hex::NONE);
        for f in bits(crate::withdraw::passed(path, self.s, self.t, u)) {
            self.disrupt(f, rule!("HH-097"));
        }
        path.hexes().for_each(|h| self.squeeze(u, h));
        self.s.unit_mut(u).flags |= flag::MOVED | flag::WALKED | flag::STIRRED;
        self.tell(Event::Withdrew(u, end));
        self.make_room(u, end, false);
        self.s.unit_mut(u).facing = facing;
        Ok(())
    }
}

/// What breaks if a unit goes: friends that leave command, and friends that leave a shield wall.
#[must_use]
pub fn depends_on(t: &crate::table::Table, s: &crate::state::State, u: u8) -> (u64, u64) {
    let side = t.side(u);
    let now = standing(t, s, side);
    let mut without = *s;
    let g = s.general_in(t, side, s.unit(u).hex);
    without.put(u, Hex::NONE);
    if g != NOBODY {
        without.generals[usize::from(g)].hex = Hex::NONE;
    }
    let me = !(1_u64 << u);
    let then = standing(t, &without, side);
    (now.0 & !then.0 & me, now.1 & !then.1 & me)
}

/// Who of a side is under command, and who stands in a shield wall.
fn standing(t: &crate::table::Table, s: &crate::state::State, side: Side) -> (u64, u64) {
    let walls = s.on_table(t, side).filter(|&x| in_shield_wall(t, s, x)).fold(0_u64, |m, x| m | 1 << x);
    (control::under_command(t, s, side), walls)
}
