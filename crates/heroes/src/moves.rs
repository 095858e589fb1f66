//! The tactical move, hex by hex (HH-082 to HH-098), and the single-hex move (HH-083, HH-084).
//!
//! A path is judged word by word on a [`Cursor`], so that a move that was stopped for an answer goes on with what is
//! left of its budget.

use crate::hex::{Facing, Hex, HexSet, opposite};
use crate::refusal::Refusal;
use crate::state::{Cursor, Formation, NOBODY, Path, State, Word, flag};
use crate::table::Table;
use crate::tables::{Entry, Ground, Traits, Troop};
use crate::zones::{held_by_general, may_cross, on_road, speed, staked, troop, zone, zone_reaches};
use rulebook::rule;

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
    fn turn(&self, c: &mut Cursor, to: Facing) -> Result<(), Refusal> {
        if c.turned {
            return Err(self.no(rule!("HH-087"), "{unit} has already turned in {hex}: once a hex").at(c.hex));
        }
        if to.road_side().is_some_and(|d| !self.t.map.road_through(c.hex, d)) {
            return Err(self.no(rule!("HH-016"), "no road runs that way from {hex}").at(c.hex));
        }
        let points = c.facing.points_to(to);
        if to == c.facing {
            return Err(self.no(rule!("HH-087"), "{unit} already faces that way at {hex}").at(c.hex));
        }
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

    /// HH-090: a change of formation.
    fn form(&self, c: &mut Cursor, to: Formation) -> Result<(), Refusal> {
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
        let (t, u) = (self.t, self.u);
        let Some(d) = t.map.grid.side_towards(c.hex, to) else {
            return Err(self
                .no(rule!("HH-085"), "{unit} goes from hex to hex; {hex} does not touch where it is")
                .at(to));
        };
        if self.caught(c) {
            return Err(self
                .no(rule!("HH-093"), "{unit} is stopped by an enemy zone of control at {hex}")
                .at(c.hex));
        }
        if c.stopped {
            return Err(self.no(rule!("HH-101"), "{unit} is stopped by the ground of {hex}").at(c.hex));
        }
        if !c.facing.fronts(d) {
            return Err(self
                .no(rule!("HH-085"), "{unit} moves through a front side only, and {hex} is not before it")
                .at(to));
        }
        if c.facing.road_side().is_some_and(|s| !t.map.road_through(c.hex, s)) {
            return Err(self
                .no(rule!("HH-016"), "the road bends at {hex}: {unit} must turn there")
                .at(c.hex));
        }
        let column = c.formation == Formation::Column;
        let by_road = column && t.map.road_through(c.hex, d);
        self.open(c.hex, to, d, column)?;
        let kind = troop(t, self.s, u) as usize;
        let entry = t.rules.ground[t.map.ground_at(to) as usize].entry[kind];
        // HH-111, HH-112, HH-109: what stops, and what must be the whole move
        let rough = |h: Hex| matches!(t.map.ground_at(h), Ground::Woods | Ground::Town);
        let mut stop = false;
        if rough(c.hex) && !by_road {
            if c.entered > 0 {
                return Err(self
                    .no(rule!("HH-111"), "{unit} may pass through {hex} only by road in column")
                    .at(c.hex));
            }
            stop = true;
        }
        if t.map.ground_at(c.hex) == Ground::River {
            stop = true;
        }
        if c.formation == Formation::Horde && (self.narrow(to) || self.narrow(c.hex)) {
            if c.entered > 0 {
                return Err(self
                    .no(rule!("HH-109"), "{unit} is a horde: it crosses {hex} one hex a move")
                    .at(to));
            }
            stop = true;
        }
        if !by_road {
            match entry {
                Entry::Stop => stop = true,
                Entry::River => {
                    if c.entered > 0 {
                        return Err(self
                            .no(rule!("HH-103"), "{unit} must stop before the river at {hex}")
                            .at(to));
                    }
                    stop = true;
                }
                _ => {}
            }
        }
        if self.carries(c) && c.entered > 0 {
            return Err(self
                .no(rule!("HH-250"), "{unit} carries pavises: {need} hex at most; it may drop them first")
                .figures(t.rules.pavise_speed.into(), c.entered.into()));
        }
        if self.zone.has(to) && self.carries(c) {
            return Err(self.no(rule!("HH-250"), "{unit} must drop its pavises before it charges"));
        }
        // friends
        let who = self.s.who(to);
        if who != NOBODY && who != u {
            let friend = self.s.unit(who);
            if friend.disrupted() {
                return Err(self
                    .no(rule!("HH-096"), "{unit} cannot pass {other}: it is disrupted")
                    .other(who)
                    .at(to));
            }
            if friend.is(flag::WALKED) {
                return Err(self
                    .no(rule!("HH-095"), "{unit} cannot pass {other}: it has moved this phase")
                    .other(who)
                    .at(to));
            }
            if self.zone.has(to) {
                return Err(self
                    .no(rule!("HH-093"), "{unit} would have to stop at {hex}, where {other} stands")
                    .other(who)
                    .at(to));
            }
        }
        let before = *c;
        c.road &= t.map.road_through(c.hex, d);
        if self.narrow(to) && c.formation == Formation::Line {
            c.formation = Formation::Column; // HH-109, at no cost
        }
        let extra = t.rules.border[t.map.border_at(before.hex, d) as usize].extra;
        let have = self.budget(c).saturating_sub(c.spent);
        if 1 + extra > have {
            *c = before;
            return Err(self
                .no(
                    rule!("HH-085"),
                    "{unit} needs {need} more of movement to enter {hex} and has {have} left",
                )
                .at(to)
                .figures((1 + extra).into(), have.into()));
        }
        c.spent += 1 + extra;
        c.entered += 1;
        c.hex = to;
        c.turned = false;
        c.stopped = stop;
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

    /// HH-084: whether a hex is good going.
    fn good(&self, h: Hex) -> bool {
        self.t.map.ground_at(h) == Ground::Clear || on_road(self.t, h)
    }

    /// HH-083, HH-084: the single-hex move. `to` may be the unit's own hex.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn step(&self, to: Hex, facing: Facing, formation: Formation, drop: bool) -> Result<Cursor, Refusal> {
        let (t, s, u) = (self.t, self.s, self.u);
        let unit = s.unit(u);
        let mut c = self.begin(drop);
        let mut good = self.good(unit.hex);
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
            good &= self.good(to) && t.map.border_at(unit.hex, d) == crate::tables::Border::Open;
            c.entered = 1;
            c.hex = to;
            if self.narrow(to) && c.formation == Formation::Line {
                c.formation = Formation::Column;
            }
        }
        if facing.road_side().is_some_and(|d| !t.map.road_through(to, d)) {
            return Err(self.no(rule!("HH-016"), "no road runs that way from {hex}").at(to));
        }
        let points = unit.facing.points_to(facing);
        if points > 1 && !good {
            return Err(self
                .no(rule!("HH-084"), "{unit} is not in good going: it may turn {have} point, not {need}")
                .figures(points.into(), 1));
        }
        if formation != c.formation {
            self.may_form(to, c.formation, formation)?;
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

/// HH-119, HH-120, HH-100 and the like: ground on which units rearrange themselves.
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

/// A way that a move can end, with one path that leads there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The path in words.
    pub path: Path,
    /// Where it ends.
    pub end: Cursor,
}

/// Every way a normal move can end, each once, by a path that spends least (HH-085). `from` is where the unit is
/// on its way; `drop` whether it drops its pavises first.
#[must_use]
pub fn reach(walk: &Walk<'_>, from: Cursor) -> Vec<Reach> {
    struct Node {
        cursor: Cursor,
        word: Word,
        parent: u32,
    }
    let grid = walk.t.map.grid;
    // key: hex, facing, formation (line or not), turned, formed, road, stopped
    let key = |c: &Cursor| {
        let form = usize::from(c.formation == Formation::Column);
        ((c.hex.ix() * 12 + usize::from(c.facing.0)) * 2 + form) * 16
            + usize::from(c.turned) * 8
            + usize::from(c.formed) * 4
            + usize::from(c.road) * 2
            + usize::from(c.stopped)
    };
    let mut seen = vec![false; grid.len() * 12 * 2 * 16];
    let mut ended = vec![false; grid.len() * 12 * 2];
    let mut nodes = vec![Node { cursor: from, word: Word::Off, parent: u32::MAX }];
    let mut by_cost: Vec<Vec<u32>> = vec![Vec::new(); 16];
    by_cost[usize::from(from.spent.min(15))].push(0);
    let mut out = Vec::new();
    let horde_or_block = matches!(from.formation, Formation::Horde | Formation::Block);
    for cost in 0..16 {
        let mut at = 0;
        while at < by_cost[cost].len() {
            let n = by_cost[cost][at];
            at += 1;
            let c = nodes[n as usize].cursor;
            if std::mem::replace(&mut seen[key(&c)], true) {
                continue;
            }
            if n != 0 && walk.finish(&c).is_ok() {
                let slot = key(&c) / 16;
                let null = c.hex == from.hex && c.facing == from.facing && c.formation == from.formation;
                if !null && !std::mem::replace(&mut ended[slot], true) {
                    let mut words = Vec::new();
                    let mut m = n;
                    while m != 0 {
                        words.push(nodes[m as usize].word);
                        m = nodes[m as usize].parent;
                    }
                    out.push(Reach { path: words.into_iter().rev().collect(), end: c });
                }
            }
            let mut push = |word: Word| {
                let mut next = c;
                if walk.advance(&mut next, word).is_ok() && !seen[key(&next)] {
                    by_cost[usize::from(next.spent.min(15))].push(nodes.len() as u32);
                    nodes.push(Node { cursor: next, word, parent: n });
                }
            };
            if !walk.caught(&c) && !c.stopped {
                for d in (0..6).filter(|&d| c.facing.fronts(d)) {
                    let to = walk.t.map.step(c.hex, d);
                    if to.on() {
                        push(Word::To(to));
                    }
                }
            }
            if !c.turned {
                for f in facings_at(walk.t, c.hex) {
                    push(Word::Face(f));
                }
            }
            if !horde_or_block && !c.formed {
                let other = if c.formation == Formation::Line { Formation::Column } else { Formation::Line };
                push(Word::Form(other));
            }
        }
    }
    out
}

/// Every way a single-hex move can end.
pub fn steps(walk: &Walk<'_>, drop: bool, mut each: impl FnMut(Hex, Facing, Formation, Cursor)) {
    let unit = walk.s.unit(walk.u);
    let here =
        std::iter::once(unit.hex).chain(walk.t.map.next[unit.hex.ix()].iter().copied().filter(|h| h.on()));
    for to in here {
        for f in facings_at(walk.t, to) {
            let forms: &[Formation] = match unit.formation {
                Formation::Line | Formation::Column => &[Formation::Line, Formation::Column],
                Formation::Block => &[Formation::Block],
                Formation::Horde => &[Formation::Horde],
            };
            for &form in forms {
                let null = to == unit.hex && f == unit.facing && form == unit.formation;
                if null {
                    continue;
                }
                if let Ok(c) = walk.step(to, f, form, drop) {
                    each(to, f, form, c);
                }
            }
        }
    }
}

/// HH-131: fewest hexes that bring a unit into contact with an enemy, over normal and single-hex moves.
#[must_use]
pub fn hexes_to_contact(t: &Table, s: &State, u: u8) -> Option<u8> {
    let walk = Walk::new(t, s, u);
    let pavise = s.unit(u).is(flag::PAVISE);
    // whoever must attack drops what hinders him
    let mut best: Option<u8> = None;
    let mut see = |c: &Cursor, zone: &HexSet| {
        if c.entered > 0 && zone.has(c.hex) && best.is_none_or(|b| c.entered < b) {
            best = Some(c.entered);
        }
    };
    for r in reach(&walk, walk.begin(pavise)) {
        see(&r.end, &walk.zone);
    }
    steps(&walk, pavise, |_, _, _, c| see(&c, &walk.zone));
    best
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
