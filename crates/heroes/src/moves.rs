//! The tactical move, hex by hex (HH-082 to HH-098), and the single-hex move (HH-083, HH-084).
//!
//! A path is judged word by word on a [`Cursor`], so that a move that was stopped for an answer goes on with what is
//! left of its budget.

use crate::hex::{Dir, Facing, Hex, HexSet, opposite};
use crate::refusal::Refusal;
use crate::state::{Cursor, Formation, NOBODY, Path, State, Word, bits, flag};
use crate::table::Table;
use crate::tables::{Entry, Ground, Traits, Troop};
use crate::zones::{held_by_general, may_cross, on_road, speed, staked, troop, zone, zone_reaches};
use rulebook::rule;

/// What a side of a hex is to a unit that would go through it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    /// The hex beyond.
    pub to: Hex,
    /// Hexes of movement.
    pub cost: u8,
    /// A road runs through.
    road: bool,
    /// It leads onto a bridge or into a ford.
    narrow: bool,
    /// It leads into an enemy zone.
    zone: bool,
    /// Whoever goes through goes no further.
    stop: bool,
    /// It leads out of woods or a town (HH-111).
    rough: bool,
    /// It leads into a river (HH-103).
    river: bool,
    /// A horde crosses a bridge or ford (HH-109).
    horde: bool,
}

/// What does not change while one unit moves.
pub struct Walk<'a> {
    /// The table.
    pub t: &'a Table,
    /// The state in which it moves; its own hex there does not matter.
    pub s: &'a State,
    /// Who moves.
    pub u: u8,
    /// Enemy zones of control.
    pub zone: HexSet,
    speed: u8,
}

impl<'a> Walk<'a> {
    /// Looks at a unit that is to move, from where it began its move.
    #[must_use]
    pub fn new(t: &'a Table, s: &'a State, u: u8) -> Walk<'a> {
        Walk { t, s, u, zone: zone(t, s, t.side(u).other()), speed: speed(t, s, u) }
    }

    /// The cursor at the beginning of a move.
    #[must_use]
    pub fn begin(&self, drop: bool) -> Cursor {
        let unit = self.s.unit(self.u);
        Cursor {
            hex: unit.hex,
            facing: unit.facing,
            formation: unit.formation,
            spent: 0,
            entered: 0,
            turned: false,
            formed: false,
            road: true,
            column: unit.formation == Formation::Column,
            stopped: false,
            dropped: drop,
        }
    }

    fn no(&self, rule: rulebook::RuleId, why: &'static str) -> Refusal {
        Refusal::new(rule, why).unit(self.u)
    }

    /// Hexes of movement the unit has, on this way (HH-085, HH-091, HH-092).
    #[inline]
    fn budget(&self, c: &Cursor) -> u8 {
        if c.column && c.formation == Formation::Column {
            self.speed + self.t.rules.column_bonus[0] + if c.road { self.t.rules.column_bonus[1] } else { 0 }
        } else {
            self.speed
        }
    }

    /// Whether the pavises are carried along (HH-250).
    #[inline]
    fn carries(&self, c: &Cursor) -> bool {
        self.s.unit(self.u).is(flag::PAVISE) && !c.dropped
    }

    fn spend(&self, c: &mut Cursor, cost: u8, rule: rulebook::RuleId) -> Result<(), Refusal> {
        let have = self.budget(c).saturating_sub(c.spent);
        if cost > have {
            return Err(self
                .no(rule, "{unit} needs {need} more of movement at {hex} and has {have} left")
                .at(c.hex)
                .figures(cost.into(), have.into()));
        }
        c.spent += cost;
        Ok(())
    }

    /// Whether the unit stands in an enemy zone after having moved: it goes no further (HH-093).
    #[inline]
    #[must_use]
    pub fn caught(&self, c: &Cursor) -> bool {
        c.entered > 0 && self.zone.has(c.hex)
    }

    /// One word of a path.
    ///
    /// # Errors
    /// The rule that forbids it, with figures.
    pub fn advance(&self, c: &mut Cursor, word: Word) -> Result<(), Refusal> {
        match word {
            Word::Face(f) => self.turn(c, f),
            Word::Form(f) => self.form(c, f),
            Word::To(h) => self.enter(c, h),
            Word::Off => Err(self.no(rule!("HH-098"), "{unit} may not leave the table by a move of its own")),
        }
    }

    /// HH-086 to HH-088: a turn.
    #[inline]
    pub(crate) fn turn(&self, c: &mut Cursor, to: Facing) -> Result<(), Refusal> {
        if c.turned {
            return Err(self.no(rule!("HH-087"), "{unit} has already turned in {hex}: once a hex").at(c.hex));
        }
        if to.road_side().is_some_and(|d| !self.t.map.road_through(c.hex, d)) {
            return Err(self.no(rule!("HH-016"), "no road runs that way from {hex}").at(c.hex));
        }
        if to == c.facing {
            return Err(self.no(rule!("HH-087"), "{unit} already faces that way at {hex}").at(c.hex));
        }
        let points = c.facing.points_to(to);
        if points > 1 {
            if self.caught(c) {
                return Err(self
                    .no(rule!("HH-093"), "{unit} is in an enemy zone at {hex}: one point is all it may shift")
                    .at(c.hex)
                    .figures(points.into(), 1));
            }
            self.spend(c, self.t.rules.turn_cost, rule!("HH-088"))?;
        }
        c.turned = true;
        c.facing = to;
        Ok(())
    }

    /// Every turn that [`Walk::turn`] allows, for searches: the same rules without a refusal for each of the others.
    #[inline]
    pub(crate) fn turns(&self, c: &Cursor, mut each: impl FnMut(Facing, Cursor)) {
        if c.turned {
            return;
        }
        let far = !self.caught(c) && self.budget(c).saturating_sub(c.spent) >= self.t.rules.turn_cost;
        let roads = self.t.map.road.get(c.hex.ix()).copied().unwrap_or(0);
        for f in bits(0x3f | u64::from(roads) << 6).map(Facing) {
            let points = c.facing.points_to(f);
            if f == c.facing || (points > 1 && !far) {
                continue;
            }
            let spent = c.spent + if points > 1 { self.t.rules.turn_cost } else { 0 };
            each(f, Cursor { facing: f, turned: true, spent, ..*c });
        }
    }

    /// Whether nothing is left with which a hex could be entered, whatever formation the unit comes to have on the way.
    #[inline]
    pub(crate) fn spent_out(&self, c: &Cursor) -> bool {
        let bonus = if c.column { self.t.rules.column_bonus[0] + self.t.rules.column_bonus[1] } else { 0 };
        c.spent >= self.speed + bonus
    }

    /// HH-090: a change of formation.
    pub(crate) fn form(&self, c: &mut Cursor, to: Formation) -> Result<(), Refusal> {
        self.may_form(c.hex, c.formation, to)?;
        if c.formed {
            return Err(self.no(rule!("HH-R02"), "{unit} has already changed formation in this move"));
        }
        if self.caught(c) {
            return Err(self
                .no(rule!("HH-093"), "{unit} is in an enemy zone at {hex}: it only shifts one point")
                .at(c.hex));
        }
        let who = self.s.who(c.hex);
        if who != NOBODY && who != self.u {
            return Err(self
                .no(rule!("HH-095"), "{unit} may not change formation while passing {other} at {hex}")
                .at(c.hex)
                .other(who));
        }
        let before = c.formation;
        c.formation = to;
        if let Err(e) = self.spend(c, self.t.rules.formation_cost, rule!("HH-090")) {
            c.formation = before;
            return Err(e);
        }
        c.formed = true;
        Ok(())
    }

    fn may_form(&self, h: Hex, from: Formation, to: Formation) -> Result<(), Refusal> {
        match (from, to) {
            (Formation::Horde, _) => Err(self.no(rule!("HH-118"), "{unit} is a horde: it has one formation")),
            (Formation::Line, Formation::Column) => Ok(()),
            (Formation::Column, Formation::Line) => {
                if self.narrow(h) {
                    Err(self
                        .no(
                            rule!("HH-108"),
                            "{unit} is squeezed into column at {hex} and cannot form line there",
                        )
                        .at(h))
                } else {
                    Ok(())
                }
            }
            _ => Err(self.no(rule!("HH-115"), "{unit} cannot take that formation in a move: line or column")),
        }
    }

    fn narrow(&self, h: Hex) -> bool {
        matches!(self.t.map.ground_at(h), Ground::Bridge | Ground::Ford)
    }

    /// HH-085, HH-093 to HH-098, HH-101 to HH-112: entering a hex.
    fn enter(&self, c: &mut Cursor, to: Hex) -> Result<(), Refusal> {
        let Some(d) = self.t.map.grid.side_towards(c.hex, to) else {
            return Err(self
                .no(rule!("HH-085"), "{unit} goes from hex to hex; {hex} does not touch where it is")
                .at(to));
        };
        self.may_go_on(c)?;
        if !c.facing.fronts(d) {
            return Err(self
                .no(rule!("HH-085"), "{unit} moves through a front side only, and {hex} is not before it")
                .at(to));
        }
        self.through(c, &self.gate(c.hex, d, c.formation == Formation::Column)?)
    }

    /// HH-093, HH-101, HH-016: whether a unit on its way may leave the hex where it is.
    #[inline]
    pub(crate) fn may_go_on(&self, c: &Cursor) -> Result<(), Refusal> {
        if self.caught(c) {
            return Err(self
                .no(rule!("HH-093"), "{unit} is stopped by an enemy zone of control at {hex}")
                .at(c.hex));
        }
        if c.stopped {
            // a horde goes onto a bridge or ford, and off it, as its whole move
            let came = self.s.unit(self.u).hex;
            let crosses = self.narrow(c.hex) || (c.entered == 1 && self.narrow(came));
            if c.formation == Formation::Horde && crosses {
                let why =
                    "{unit} is a horde: it crosses bridges and fords one hex a move, and stops at {hex}";
                return Err(self.no(rule!("HH-109"), why).at(c.hex));
            }
            return Err(self.no(rule!("HH-101"), "{unit} is stopped by the ground of {hex}").at(c.hex));
        }
        if c.facing.road_side().is_some_and(|s| !self.t.map.road_through(c.hex, s)) {
            return Err(self
                .no(rule!("HH-016"), "the road bends at {hex}: {unit} must turn there")
                .at(c.hex));
        }
        Ok(())
    }

    /// What a side of a hex is to the unit, however it came there: ground, borders, stakes, who stands beyond.
    pub(crate) fn gate(&self, from: Hex, d: Dir, column: bool) -> Result<Gate, Refusal> {
        let (t, u) = (self.t, self.u);
        let to = t.map.step(from, d);
        self.open(from, to, d, column)?;
        let road = t.map.road_through(from, d);
        let by_road = column && road;
        let rough = !by_road && matches!(t.map.ground_at(from), Ground::Woods | Ground::Town);
        let entry = t.rules.ground[t.map.ground_at(to) as usize].entry[troop(t, self.s, u) as usize];
        let river = !by_road && entry == Entry::River;
        let narrow = self.narrow(to);
        let horde = self.s.unit(u).formation == Formation::Horde && (narrow || self.narrow(from));
        let who = self.s.who(to);
        if who != NOBODY && who != u {
            let friend = self.s.unit(who);
            let why = if friend.disrupted() {
                Some((rule!("HH-096"), "{unit} cannot pass {other}: it is disrupted"))
            } else if friend.is(flag::WALKED) {
                Some((rule!("HH-095"), "{unit} cannot pass {other}: it has moved this phase"))
            } else if self.zone.has(to) {
                Some((rule!("HH-093"), "{unit} would have to stop at {hex}, where {other} stands"))
            } else {
                None
            };
            if let Some((rule, why)) = why {
                return Err(self.no(rule, why).other(who).at(to));
            }
        }
        let stop = rough
            || t.map.ground_at(from) == Ground::River
            || horde
            || river
            || (!by_road && entry == Entry::Stop);
        Ok(Gate {
            to,
            cost: 1 + t.rules.border[t.map.border_at(from, d) as usize].extra,
            road,
            narrow,
            zone: self.zone.has(to),
            stop,
            rough,
            river,
            horde,
        })
    }

    /// Going through a side: what depends on how far the unit has come.
    #[inline]
    pub(crate) fn through(&self, c: &mut Cursor, g: &Gate) -> Result<(), Refusal> {
        // HH-111, HH-109, HH-103: what must be the whole move
        if c.entered > 0 && (g.rough || g.horde || g.river) {
            let (rule, why, at) = if g.rough {
                (rule!("HH-111"), "{unit} may pass through {hex} only by road in column", c.hex)
            } else if g.horde {
                (rule!("HH-109"), "{unit} is a horde: it crosses {hex} one hex a move", g.to)
            } else {
                (rule!("HH-103"), "{unit} must stop before the river at {hex}", g.to)
            };
            return Err(self.no(rule, why).at(at));
        }
        if (c.entered > 0 || g.zone) && self.carries(c) {
            return Err(if c.entered > 0 {
                self.no(rule!("HH-250"), "{unit} carries pavises: {need} hex at most; it may drop them first")
                    .figures(self.t.rules.pavise_speed.into(), c.entered.into())
            } else {
                self.no(rule!("HH-250"), "{unit} must drop its pavises before it charges")
            });
        }
        let mut next = *c;
        next.road &= g.road;
        if g.narrow && c.formation == Formation::Line {
            next.formation = Formation::Column; // HH-109, at no cost
        }
        let have = self.budget(&next).saturating_sub(c.spent);
        if g.cost > have {
            return Err(self
                .no(
                    rule!("HH-085"),
                    "{unit} needs {need} more of movement to enter {hex} and has {have} left",
                )
                .at(g.to)
                .figures(g.cost.into(), have.into()));
        }
        next.spent += g.cost;
        next.entered += 1;
        next.hex = g.to;
        next.turned = false;
        next.stopped = g.stop;
        *c = next;
        Ok(())
    }

    /// Whether the next hex is open to the unit at all: ground, borders, stakes, enemies.
    fn open(&self, from: Hex, to: Hex, d: u8, column: bool) -> Result<(), Refusal> {
        let (t, s, u) = (self.t, self.s, self.u);
        let side = t.side(u);
        if !may_cross(t, s, u, from, d, column) {
            let kind = troop(t, s, u) as usize;
            let border = t.map.border_at(from, d);
            let rule = if !t.rules.border[border as usize].cross[kind] {
                rule!("HH-104")
            } else if t.map.ground_at(to) == Ground::Broken {
                rule!("HH-102")
            } else if s.unit(u).formation == Formation::Block {
                rule!("HH-109")
            } else {
                rule!("HH-110")
            };
            return Err(self.no(rule, "{unit} may not enter {hex} this way").at(to));
        }
        let mounted = matches!(troop(t, s, u), Troop::Mounted | Troop::Elephant);
        if mounted && staked(t, s, from, d) {
            return Err(self
                .no(rule!("HH-249"), "mounted units do not cross the stakes before {hex}")
                .at(to));
        }
        let who = s.who(to);
        if who != NOBODY && t.side(who) != side {
            return Err(self.no(rule!("HH-010"), "{other} holds {hex}").other(who).at(to));
        }
        if held_by_general(t, s, side.other(), to) {
            return Err(self
                .no(rule!("HH-067"), "{leader} stands alone in {hex}: no unit enters it")
                .leader(s.general_in(t, side.other(), to))
                .at(to));
        }
        Ok(())
    }

    /// Whether a move may end like this.
    ///
    /// # Errors
    /// HH-095 in a friend's hex, HH-016 with a road facing where no road runs.
    pub fn finish(&self, c: &Cursor) -> Result<(), Refusal> {
        let who = self.s.who(c.hex);
        if who != NOBODY && who != self.u {
            return Err(self
                .no(rule!("HH-095"), "{unit} may not end in {hex}, where {other} stands")
                .other(who)
                .at(c.hex));
        }
        if c.facing.road_side().is_some_and(|d| !self.t.map.road_through(c.hex, d)) {
            return Err(self
                .no(rule!("HH-016"), "the road bends at {hex}: {unit} must turn there")
                .at(c.hex));
        }
        Ok(())
    }

    /// Judges a whole path.
    ///
    /// # Errors
    /// The first word that is not allowed, with how far the path holds.
    pub fn judge(&self, from: Cursor, path: &Path) -> Result<Cursor, Refusal> {
        let mut c = from;
        for &word in path.words() {
            let fallback = if c.entered > 0 && self.s.who(c.hex) == NOBODY { c.hex } else { Hex::NONE };
            self.advance(&mut c, word).map_err(|mut e| {
                e.nearest = fallback;
                e
            })?;
        }
        self.finish(&c)?;
        Ok(c)
    }

    /// HH-083, HH-084: the single-hex move. `to` may be the unit's own hex.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn step(&self, to: Hex, facing: Facing, formation: Formation, drop: bool) -> Result<Cursor, Refusal> {
        let (c, good) = self.step_to(to, drop)?;
        self.step_faces(c, good, facing, formation)
    }

    /// Whether a single-hex move may go to a hex, and whether it is in good going.
    pub(crate) fn step_to(&self, to: Hex, drop: bool) -> Result<(Cursor, bool), Refusal> {
        let (t, s, u) = (self.t, self.s, self.u);
        let unit = s.unit(u);
        let mut c = self.begin(drop);
        let mut good = good_going(t, unit.hex);
        if to != unit.hex {
            let Some(d) = t.map.grid.side_towards(unit.hex, to) else {
                return Err(self
                    .no(rule!("HH-083"), "{hex} is not next to {unit}: a single-hex move goes one hex")
                    .at(to));
            };
            self.open(unit.hex, to, d, unit.formation == Formation::Column)?;
            let who = s.who(to);
            if who != NOBODY {
                return Err(self
                    .no(rule!("HH-095"), "{unit} may not end in {hex}, where {other} stands")
                    .other(who)
                    .at(to));
            }
            if self.zone.has(to) && self.carries(&c) {
                return Err(self.no(rule!("HH-250"), "{unit} must drop its pavises before it charges"));
            }
            good &= good_going(t, to) && t.map.border_at(unit.hex, d) == crate::tables::Border::Open;
            c.entered = 1;
            c.hex = to;
            if self.narrow(to) && c.formation == Formation::Line {
                c.formation = Formation::Column;
            }
        }
        Ok((c, good))
    }

    /// HH-084: facing and formation at the end of a single-hex move.
    pub(crate) fn step_faces(
        &self,
        mut c: Cursor,
        good: bool,
        facing: Facing,
        formation: Formation,
    ) -> Result<Cursor, Refusal> {
        if facing.road_side().is_some_and(|d| !self.t.map.road_through(c.hex, d)) {
            return Err(self.no(rule!("HH-016"), "no road runs that way from {hex}").at(c.hex));
        }
        let points = self.s.unit(self.u).facing.points_to(facing);
        if points > 1 && !good {
            return Err(self
                .no(rule!("HH-084"), "{unit} is not in good going: it may turn {have} point, not {need}")
                .figures(points.into(), 1));
        }
        if formation != c.formation {
            self.may_form(c.hex, c.formation, formation)?;
            if !good {
                return Err(self.no(rule!("HH-084"), "{unit} is not in good going: it keeps its formation"));
            }
        }
        c.facing = facing;
        c.formation = formation;
        c.turned = true;
        c.formed = true;
        c.stopped = true;
        c.spent = u8::MAX;
        Ok(c)
    }

    /// HH-081: the step back of class A infantry.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn back(&self, to: Hex) -> Result<(), Refusal> {
        let (t, s, u) = (self.t, self.s, self.u);
        let unit = s.unit(u);
        if !crate::zones::class_a_foot(t, s, u) {
            return Err(
                self.no(rule!("HH-080"), "only class A infantry steps back from an enemy; {unit} is not")
            );
        }
        let rear = t.map.grid.side_towards(unit.hex, to).filter(|d| unit.facing.rear() >> d & 1 == 1);
        let Some(d) = rear else {
            return Err(self
                .no(rule!("HH-081"), "{unit} steps back through a rear side; {hex} is not behind it")
                .at(to));
        };
        self.open(unit.hex, to, d, unit.formation == Formation::Column)?;
        if s.who(to) != NOBODY || self.zone.has(to) {
            return Err(self
                .no(
                    rule!("HH-081"),
                    "{unit} steps back into an empty hex outside every enemy zone; {hex} is not",
                )
                .at(to));
        }
        Ok(())
    }
}

/// HH-084: good going; units also rearrange themselves there only (HH-100, HH-120).
#[must_use]
pub fn good_going(t: &Table, h: Hex) -> bool {
    t.map.ground_at(h) == Ground::Clear || on_road(t, h)
}

/// Facings that a unit could have in a hex: the six points, and along its roads.
pub fn facings_at(t: &Table, h: Hex) -> impl Iterator<Item = Facing> + '_ {
    (0..Facing::COUNT).map(Facing).filter(move |f| f.road_side().is_none_or(|d| t.map.road_through(h, d)))
}

/// A facing made lawful where no road runs (HH-R01): the point clockwise of the side it faced.
#[must_use]
pub fn lawful_facing(t: &Table, h: Hex, f: Facing) -> Facing {
    match f.road_side() {
        Some(d) if !t.map.road_through(h, d) => Facing::point(d),
        _ => f,
    }
}

/// Whether a unit has a mark that hinders charging, for candidates.
#[must_use]
pub fn can_drop(t: &Table, s: &State, u: u8) -> bool {
    t.profile(u).traits.has(Traits::PAVISES) && s.unit(u).is(flag::PAVISE)
}

/// Whether two hexes touch without a cliff between them.
#[must_use]
pub fn touch(t: &Table, a: Hex, b: Hex) -> bool {
    t.map.grid.side_towards(a, b).is_some_and(|d| zone_reaches(t, a, d) && zone_reaches(t, b, opposite(d)))
}
