//! Before the first bound (HH-033 to HH-039): who deploys first, edges, and the armies set out.

use crate::command::Command;
use crate::event::Event;
use crate::hex::{Facing, Hex};
use crate::owed::{Due, deployment_zone, due};
use crate::play::{Done, Play};
use crate::refusal::Refusal;
use crate::state::{Fate, Formation, NOBODY, Phase, State, bits};
use crate::table::{Side, Table};
use crate::tables::{Class, Entry, Traits};
use crate::zones::troop;
use dice::Ask;
use rulebook::rule;

/// HH-035: units of scouting speed of a side.
#[must_use]
pub fn scouts(t: &Table, side: Side) -> usize {
    bits(t.of_side[side.ix()]).filter(|&u| t.profile(u).speed >= t.rules.scout_speed).count()
}

/// Whether the order of deployment waits for dice (HH-036, HH-038).
#[must_use]
pub fn wants_roll(t: &Table, s: &State) -> bool {
    s.phase == Phase::Order
        && s.rolls == 0
        && (s.options.dice_deployment || scouts(t, Side::A) == scouts(t, Side::B))
}

/// The state before the first command: HH-035 may settle who chooses at once.
#[must_use]
pub fn begin(t: &Table) -> State {
    let mut s = State::new(t);
    s.chooser = if scouts(t, Side::B) > scouts(t, Side::A) { Side::B } else { Side::A };
    s
}

/// Where a unit could stand when the battle begins.
pub(crate) fn fits(t: &Table, s: &State, u: u8, h: Hex, form: Formation) -> bool {
    match t.rules.ground[t.map.ground_at(h) as usize].entry[troop(t, s, u) as usize] {
        Entry::No => false,
        Entry::Road => form == Formation::Column && crate::zones::on_road(t, h),
        Entry::Column => form != Formation::Block && form != Formation::Line,
        _ => true,
    }
}

/// HH-039: what a side lacks to deploy at all, from either edge: three rows may be too small for it, or barred to its
/// wheels.
#[must_use]
pub fn lacking(t: &Table) -> Vec<String> {
    let mut out = Vec::new();
    for side in Side::BOTH {
        let mut s = State::new(t);
        s.phase = Phase::DeployFirst;
        for south in Side::BOTH {
            s.south = south;
            let zone = deployment_zone(t, &s, side);
            let forms = [Formation::Line, Formation::Column, Formation::Horde];
            let mut places: Vec<usize> = bits(t.of_side[side.ix()])
                .map(|u| zone.iter().filter(|&h| forms.iter().any(|&f| fits(t, &s, u, h, f))).count())
                .collect();
            places.sort_unstable();
            if places.iter().enumerate().any(|(n, &open)| open <= n) {
                let edge = if side == south { "lower" } else { "upper" };
                out.push(format!(
                    "{} cannot deploy on the {edge} edge: {} units, and the {} rows there have {} hexes that they may enter",
                    t.armies[side.ix()],
                    places.len(),
                    t.rules.deploy_rows,
                    places.last().unwrap_or(&0)
                ));
            }
        }
    }
    out
}

/// Commands of deployment: for each unit every hex, facing and formation.
pub fn candidates(t: &Table, s: &State, out: &mut Vec<Command>) {
    match due(t, s) {
        Due::Order if wants_roll(t, s) => out.push(Command::Roll),
        Due::Order => out.extend([Command::Order(true), Command::Order(false)]),
        Due::Edge => out.extend([Command::Edge(true), Command::Edge(false)]),
        Due::Deploy(side) => {
            let zone = deployment_zone(t, s, side);
            let missing = missing(t, s, side);
            if missing {
                out.push(Command::Array);
            } else {
                out.push(Command::Ready);
            }
            for u in bits(t.of_side[side.ix()]) {
                let unit = s.unit(u);
                if unit.fate != Fate::Reserve {
                    continue;
                }
                let forms: &[Formation] = match unit.formation {
                    Formation::Horde => &[Formation::Horde],
                    Formation::Block => &[Formation::Block],
                    _ => &[Formation::Line, Formation::Column],
                };
                let stakes: &[bool] =
                    if t.profile(u).traits.has(Traits::STAKES) { &[false, true] } else { &[false] };
                for h in zone.iter().filter(|&h| s.who(h) == NOBODY) {
                    for &form in forms.iter().filter(|&&form| fits(t, s, u, h, form)) {
                        for f in crate::moves::facings_at(t, h) {
                            out.extend(stakes.iter().map(|&st| Command::Place(u, h, f, form, st)));
                        }
                    }
                }
            }
            for g in bits(u64::from(t.leaders_of[side.ix()])) {
                if s.generals[usize::from(g)].hex.on() {
                    continue;
                }
                out.extend(
                    zone.iter()
                        .filter(|&h| s.general_in(t, side, h) == NOBODY)
                        .map(|h| Command::Station(g, h)),
                );
            }
            let pikes: Vec<u8> = bits(t.of_side[side.ix()])
                .filter(|&u| {
                    t.profile(u).traits.has(Traits::PIKES)
                        && s.unit(u).fate == Fate::Reserve
                        && s.unit(u).formation == Formation::Line
                })
                .collect();
            if let [a, b, c, ..] = pikes[..] {
                out.push(Command::Begin([a, b, c]));
            }
        }
        _ => {}
    }
}

/// Whether anything of a side is not yet on the table.
#[must_use]
pub fn missing(t: &Table, s: &State, side: Side) -> bool {
    bits(t.of_side[side.ix()]).any(|u| s.unit(u).fate == Fate::Reserve)
        || bits(u64::from(t.leaders_of[side.ix()])).any(|g| !s.generals[usize::from(g)].hex.on())
}

impl Play<'_> {
    /// A command of deployment.
    ///
    /// # Errors
    /// The rule that forbids it, or dice.
    pub fn deployment(&mut self, c: &Command) -> Done {
        match (due(self.t, self.s), c) {
            (Due::Order, Command::Roll) => self.roll_off(),
            (Due::Order, Command::Order(first)) => {
                if wants_roll(self.t, self.s) {
                    return Err(Refusal::new(
                        rule!("HH-036"),
                        "both have as many scouts: throw first with `roll`",
                    )
                    .into());
                }
                let first = if *first { self.s.chooser } else { self.s.chooser.other() };
                self.set_order(first, first.other());
                Ok(())
            }
            (Due::Edge, Command::Edge(south)) => {
                let own = self.s.chooser;
                self.s.south = if *south { own } else { own.other() };
                self.s.phase = Phase::DeployFirst;
                self.tell(Event::South(self.s.south));
                Ok(())
            }
            (Due::Deploy(side), Command::Place(u, h, f, form, stakes)) => {
                self.place(side, *u, *h, *f, *form, *stakes)
            }
            (Due::Deploy(side), Command::Station(g, h)) => self.station(side, *g, *h),
            (Due::Deploy(side), Command::Begin(x)) => self.begin_as_blocks(side, x),
            (Due::Deploy(side), Command::Array) => self.array(side),
            (Due::Deploy(side), Command::Ready) => {
                if missing(self.t, self.s, side) {
                    return Err(Refusal::new(
                        rule!("HH-039"),
                        "everything is placed before the other side begins; `array` places what is left",
                    )
                    .into());
                }
                if self.s.phase == Phase::DeployFirst {
                    self.s.phase = Phase::DeploySecond;
                    self.tell(Event::Phase(Phase::DeploySecond));
                } else {
                    let opens = self.s.opens;
                    self.begin_bound(opens);
                }
                Ok(())
            }
            _ => Err(Refusal::new(rule!("HH-039"), "the armies are not yet set out").into()),
        }
    }

    /// HH-036, HH-038: roll-offs; ties are thrown again.
    fn roll_off(&mut self) -> Done {
        if !wants_roll(self.t, self.s) {
            return Err(Refusal::new(rule!("HH-035"), "there is nothing to throw for").into());
        }
        let higher = self.one_roll_off("scouts")?;
        self.s.rolls = 1;
        if !self.s.options.dice_deployment {
            self.s.chooser = higher;
            return Ok(());
        }
        // HH-038, HH-R04: edge, deployment and first move are three throws
        let first = self.one_roll_off("deployment")?;
        let opens = self.one_roll_off("first-move")?;
        self.set_order(first, opens);
        self.s.chooser = higher;
        Ok(())
    }

    fn one_roll_off(&mut self, purpose: &'static str) -> Result<Side, game::Stop<Refusal>> {
        for round in 0..=u64::MAX {
            let mut v = [0; 2];
            self.throw(&[Ask::d6(purpose, 0, round), Ask::d6(purpose, 1, round)], &mut v)?;
            self.tell(Event::RollOff(v[0] as u8, v[1] as u8));
            match v[0].cmp(&v[1]) {
                std::cmp::Ordering::Greater => return Ok(Side::A),
                std::cmp::Ordering::Less => return Ok(Side::B),
                std::cmp::Ordering::Equal if round > 100 => return Ok(Side::A), // loaded dice
                std::cmp::Ordering::Equal => {}
            }
        }
        Ok(Side::A)
    }

    fn set_order(&mut self, first: Side, opens: Side) {
        self.s.first = first;
        self.s.opens = opens;
        self.s.chooser = first;
        self.s.phase = Phase::Edge;
        self.tell(Event::DeploysFirst(first));
    }

    fn place(&mut self, side: Side, u: u8, h: Hex, f: Facing, form: Formation, stakes: bool) -> Done {
        let no = |why| Refusal::new(rule!("HH-039"), why).unit(u).at(h);
        if usize::from(u) >= self.t.pieces.len() || self.t.side(u) != side {
            return Err(no("{unit} is not of the side that deploys").into());
        }
        let unit = *self.s.unit(u);
        if !matches!(unit.fate, Fate::Reserve | Fate::Field) {
            return Err(no("{unit} is in a pike block").into());
        }
        if !deployment_zone(self.t, self.s, side).has(h) {
            return Err(no("{hex} is not in the rows of its own edge")
                .figures(self.t.rules.deploy_rows as i16, 0)
                .into());
        }
        let right = match unit.formation {
            Formation::Horde => form == Formation::Horde,
            Formation::Block => form == Formation::Block,
            _ => matches!(form, Formation::Line | Formation::Column),
        };
        if !right {
            return Err(Refusal::new(rule!("HH-115"), "{unit} has no such formation").unit(u).into());
        }
        if !fits(self.t, self.s, u, h, form) {
            return Err(Refusal::new(rule!("HH-110"), "{unit} cannot stand in {hex} like that")
                .unit(u)
                .at(h)
                .into());
        }
        if f.road_side().is_some_and(|d| !self.t.map.road_through(h, d)) {
            return Err(Refusal::new(rule!("HH-016"), "no road runs that way from {hex}")
                .unit(u)
                .at(h)
                .into());
        }
        if stakes && !self.t.profile(u).traits.has(Traits::STAKES) {
            return Err(Refusal::new(rule!("HH-249"), "{unit} carries no stakes").unit(u).into());
        }
        let other = self.s.who(h);
        self.s.put(u, h);
        if other != NOBODY && other != u {
            self.gives_way(other, unit.hex);
        }
        let unit = self.s.unit_mut(u);
        unit.fate = Fate::Field;
        unit.facing = f;
        unit.formation = form;
        unit.stakes = if stakes { f.front() } else { 0 };
        self.tell(Event::Placed(u, h, f, form));
        Ok(())
    }

    /// HH-039: who stood where another is placed takes that one's hex, or waits again if there is none in which he can stand.
    fn gives_way(&mut self, u: u8, to: Hex) {
        let unit = *self.s.unit(u);
        self.s.unit_mut(u).hex = Hex::NONE;
        if !to.on() || !fits(self.t, self.s, u, to, unit.formation) {
            let waits = self.s.unit_mut(u);
            waits.fate = Fate::Reserve;
            waits.stakes = 0;
            self.tell(Event::Waits(u));
            return;
        }
        self.s.put(u, to);
        let facing = crate::moves::lawful_facing(self.t, to, unit.facing);
        self.s.unit_mut(u).facing = facing;
        self.tell(Event::Placed(u, to, facing, unit.formation));
    }

    fn station(&mut self, side: Side, g: u8, h: Hex) -> Done {
        let no = |why| Refusal::new(rule!("HH-039"), why).leader(g).at(h);
        if self.t.leaders.get(usize::from(g)).is_none_or(|l| l.side != side) {
            return Err(no("{leader} is not of the side that deploys").into());
        }
        if !deployment_zone(self.t, self.s, side).has(h) {
            return Err(no("{hex} is not in the rows of its own edge").into());
        }
        let there = self.s.general_in(self.t, side, h);
        if there != NOBODY && there != g {
            // HH-010: two never share a hex, so they change places
            let from = self.s.generals[usize::from(g)].hex;
            self.s.generals[usize::from(there)].hex = from;
            self.tell(if from.on() { Event::Stationed(there, from) } else { Event::WaitsToo(there) });
        }
        self.s.generals[usize::from(g)].hex = h;
        self.tell(Event::Stationed(g, h));
        Ok(())
    }

    /// HH-039: units may start as pike blocks.
    fn begin_as_blocks(&mut self, side: Side, x: &[u8; 3]) -> Done {
        for &u in x {
            let ok = self.t.side(u) == side
                && self.t.profile(u).traits.has(Traits::PIKES)
                && self.s.unit(u).formation != Formation::Block
                && self.s.unit(u).fate == Fate::Reserve;
            if !ok {
                return Err(Refusal::new(rule!("HH-119"), "{unit} is no pike unit waiting to be placed")
                    .unit(u)
                    .into());
            }
        }
        if x[0] == x[1] || x[0] == x[2] || x[1] == x[2] {
            return Err(Refusal::new(rule!("HH-119"), "three different units merge").into());
        }
        self.put_together(x);
        Ok(())
    }

    /// A usual order of battle: foot in the middle, horse on the wings, shooters before, generals with the best foot
    /// and horse.
    fn array(&mut self, side: Side) -> Done {
        for c in usual_array(self.t, self.s, side) {
            self.deployment(&c)?;
        }
        Ok(())
    }
}

/// The commands that place what is left of a side in a usual order.
#[must_use]
pub fn usual_array(t: &Table, s: &State, side: Side) -> Vec<Command> {
    let mut state = *s;
    let mut out = Vec::new();
    let ahead = Facing::point(if side == s.south { 4 } else { 1 });
    let width = t.map.grid.width as i16;
    let middle = width / 2;
    // hexes of a row from the middle outwards
    let row_of = |rows: i16| {
        let row = if side == s.south { t.map.grid.depth as i16 - 1 - rows } else { rows };
        let mut columns: Vec<i16> = (0..width).collect();
        columns.sort_by_key(|c| ((c - middle).abs(), *c));
        columns.into_iter().map(move |c| t.map.grid.at(c, row))
    };
    let wings = |rows: i16| {
        let mut all: Vec<Hex> = row_of(rows).collect();
        all.reverse();
        // near the ends but not in the corners
        let keep = usize::from(all.len() > 8) * 2;
        all.rotate_left(keep);
        all
    };
    let last = t.rules.deploy_rows as i16 - 1;
    let mut units: Vec<u8> =
        bits(t.of_side[side.ix()]).filter(|&u| s.unit(u).fate == Fate::Reserve).collect();
    // the best foot first, so that they take the middle
    units.sort_by_key(|&u| {
        let p = t.profile(u);
        let kind = if p.artillery() {
            2
        } else if p.speed >= t.rules.scout_speed {
            3
        } else if p.horde() {
            1
        } else {
            0
        };
        (kind, p.class, u)
    });
    for u in units {
        let p = t.profile(u);
        let fast = p.speed >= t.rules.scout_speed;
        let form = match state.unit(u).formation {
            f @ (Formation::Horde | Formation::Block) => f,
            _ => Formation::Line,
        };
        let rows: [i16; 3] = if p.class == Class::E || (p.horde() && !p.aggressive()) {
            [last - 1, last, 0]
        } else {
            [last, last - 1, 0]
        };
        let mut places: Vec<Hex> = Vec::new();
        for r in rows {
            if fast {
                places.extend(wings(r));
            } else {
                places.extend(row_of(r));
            }
        }
        let open = |h: &Hex| {
            h.on() && state.who(*h) == NOBODY && !t.map.barred.has(*h) && fits(t, &state, u, *h, form)
        };
        let column = if form == Formation::Line { Formation::Column } else { form };
        let found = places.iter().copied().find(open).map(|h| (h, form)).or_else(|| {
            let open = |h: &Hex| h.on() && state.who(*h) == NOBODY && fits(t, &state, u, *h, column);
            places.iter().copied().find(open).map(|h| (h, column))
        });
        if let Some((h, form)) = found {
            out.push(Command::Place(u, h, ahead, form, false));
            state.put(u, h);
            state.unit_mut(u).fate = Fate::Field;
        }
    }
    // generals behind the line if need be, else with the middle of what they lead
    let leaders: Vec<u8> = bits(u64::from(t.leaders_of[side.ix()]))
        .filter(|&g| !state.generals[usize::from(g)].hex.on())
        .collect();
    let count = leaders.len() as i16;
    for (n, g) in leaders.into_iter().enumerate() {
        let aim = width * (2 * n as i16 + 1) / (2 * count);
        let host = state
            .on_table(t, side)
            .filter(|&u| {
                let p = t.profile(u);
                !p.artillery() && !p.war_wagon() && state.general_in(t, side, state.unit(u).hex) == NOBODY
            })
            .min_by_key(|&u| {
                let (c, _) = t.map.grid.column_row(state.unit(u).hex);
                ((c - aim).abs() + 2 * (t.profile(u).class as i16) + i16::from(t.profile(u).horde()) * 4, u)
            });
        if let Some(u) = host {
            let h = state.unit(u).hex;
            state.generals[usize::from(g)].hex = h;
            out.push(Command::Station(g, h));
        }
    }
    out
}
