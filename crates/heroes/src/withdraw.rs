//! Ways out: evades and voluntary flights (HH-135 to HH-139), recoils (HH-217 to HH-219), flights (HH-221 to
//! HH-229) and who makes room (HH-228, HH-246). Here they are found and judged; `retreat` and `respond` walk them.

use crate::command::Command;
use crate::hex::{Dir, Facing, Hex, HexSet};
use crate::state::{Formation, MAX_FLIGHT, MAX_HAND, NOBODY, Path, State, Vacated, Word, bits, flag};
use crate::table::Table;
use crate::zones::{
    ends_flight, enemies_of, held_by_general, in_arc, may_cross, speed, staked, zone, zone_without,
};

/// What is the same for all ways out of one unit.
pub struct Out<'a> {
    t: &'a Table,
    s: &'a State,
    u: u8,
    zone: HexSet,
    origin: Hex,
    column: bool,
}

impl<'a> Out<'a> {
    /// Looks at a unit that is to leave.
    #[must_use]
    pub fn new(t: &'a Table, s: &'a State, u: u8) -> Out<'a> {
        let unit = s.unit(u);
        Out {
            t,
            s,
            u,
            zone: zone(t, s, t.side(u).other()),
            origin: unit.hex,
            column: unit.formation == Formation::Column,
        }
    }

    /// Who stands in a hex once this unit has left its own.
    fn who(&self, h: Hex) -> u8 {
        match self.s.who(h) {
            w if w == self.u => NOBODY,
            w => w,
        }
    }

    /// Whether the unit may go through a side: ground, borders, stakes, zones, enemies, disrupted friends.
    fn passable(&self, from: Hex, d: Dir) -> bool {
        let (t, s) = (self.t, self.s);
        let to = t.map.step(from, d);
        if !to.on()
            || self.zone.has(to)
            || !may_cross(t, s, self.u, from, d, self.column)
            || staked(t, s, from, d)
        {
            return false;
        }
        let side = t.side(self.u);
        let who = self.who(to);
        let free = who == NOBODY || (t.side(who) == side && !s.unit(who).disrupted());
        free && !held_by_general(t, s, side.other(), to)
    }

    /// HH-228: whether a flight may end in a hex: it is empty, or who stands there can make room.
    fn can_end(&self, h: Hex) -> bool {
        let who = self.who(h);
        who == NOBODY || can_make_room(self.t, self.s, who, self.origin, &[h])
    }

    /// HH-137, HH-139: all ways away from the unit that came into contact, up to some hexes long, each with the side
    /// crossed last.
    fn ways_from(&self, enemies: &[Hex], most: u8, mut each: impl FnMut(&Path, Hex, Dir)) {
        let most = if ends_flight(self.t, self.origin) { most.min(1) } else { most };
        self.step_from(enemies, most, self.origin, &Path::EMPTY, &mut each);
    }

    fn step_from(
        &self,
        enemies: &[Hex],
        left: u8,
        at: Hex,
        path: &Path,
        each: &mut impl FnMut(&Path, Hex, Dir),
    ) {
        if left == 0 {
            return;
        }
        let grid = self.t.map.grid;
        for d in 0..6 {
            let to = self.t.map.step(at, d);
            if !to.on() || !self.passable(at, d) || path.hexes().any(|h| h == to) || to == self.origin {
                continue;
            }
            if enemies.iter().any(|&e| grid.distance(to, e) <= grid.distance(at, e)) {
                continue;
            }
            let longer = path.and(Word::To(to));
            if self.can_end(to) {
                each(&longer, to, d);
            }
            if !ends_flight(self.t, to) {
                self.step_from(enemies, left - 1, to, &longer, each);
            }
        }
    }
}

/// HH-262: all ways away from several enemies at once (or anywhere, if there are none), by the path rules of an evade.
pub fn ways_from_all(
    t: &Table,
    s: &State,
    u: u8,
    enemies: &[Hex],
    most: u8,
    each: impl FnMut(&Path, Hex, Dir),
) {
    Out::new(t, s, u).ways_from(enemies, most, each);
}

/// HH-135, HH-137: whether a unit may evade a mover at all.
#[must_use]
pub fn may_evade(t: &Table, s: &State, u: u8, mover: u8) -> bool {
    let unit = s.unit(u);
    t.profile(u).evades() > 0
        && !unit.disrupted()
        && !unit.is(flag::EVADED)
        && enemies_of(t, s, u) & !(1 << mover) == 0
}

/// HH-138, HH-139: whether a unit may make a voluntary flee move from a mover.
#[must_use]
pub fn may_withdraw(t: &Table, s: &State, u: u8, mover: u8) -> bool {
    let unit = s.unit(u);
    t.profile(u).traits.has(crate::tables::Traits::FLEES)
        && !unit.disrupted()
        && !unit.is(flag::FLED)
        && enemies_of(t, s, u) & !(1 << mover) == 0
}

/// HH-140, HH-141: whether a unit may turn to face a mover.
#[must_use]
pub fn may_turn(t: &Table, s: &State, u: u8, mover: u8) -> bool {
    let unit = s.unit(u);
    if unit.disrupted() {
        return false;
    }
    // already engaged to its front by another
    !bits(enemies_of(t, s, u) & !(1 << mover))
        .any(|e| t.map.grid.side_towards(unit.hex, s.unit(e).hex).is_some_and(|d| unit.facing.fronts(d)))
}

/// HH-134 to HH-141: what a contacted unit may do, standing apart.
pub fn responses(t: &Table, s: &State, u: u8, mover: u8, out: &mut Vec<Command>) {
    let unit = s.unit(u);
    let enemy = s.unit(mover).hex;
    if may_turn(t, s, u, mover)
        && let Some(d) = t.map.grid.side_towards(unit.hex, enemy)
    {
        for f in (0..6).map(Facing::point).filter(|f| f.fronts(d) && *f != unit.facing) {
            out.push(Command::Turn(u, f));
        }
    }
    let way = Out::new(t, s, u);
    if may_evade(t, s, u, mover) {
        way.ways_from(&[enemy], t.profile(u).evades(), |path, end, _| {
            for f in (0..6).map(Facing::point).filter(|&f| in_arc(t, end, f, enemy)) {
                push_way(out, Command::Evade(u, path.and(Word::Face(f))), s, t);
            }
        });
    }
    if may_withdraw(t, s, u, mover) {
        way.ways_from(&[enemy], speed(t, s, u), |path, _, d| {
            for f in Facing::after_crossing(d) {
                push_way(out, Command::Withdraw(u, path.and(Word::Face(f))), s, t);
            }
        });
    }
}

/// Adds a way out unless one of equal effect is there: same end, same facing, same friends passed.
fn push_way(out: &mut Vec<Command>, c: Command, s: &State, t: &Table) {
    let essence = |c: &Command| match c {
        Command::Evade(u, p) => Some((0, *u, effect_of(p, s, t, *u))),
        Command::Withdraw(u, p) => Some((1, *u, effect_of(p, s, t, *u))),
        _ => None,
    };
    let new = essence(&c);
    if !out.iter().any(|o| essence(o) == new) {
        out.push(c);
    }
}

/// What a way out does: where it ends, how it looks, whom it disrupts.
fn effect_of(p: &Path, s: &State, t: &Table, u: u8) -> (Option<Hex>, Option<Word>, u64) {
    (p.hexes().last(), p.words().last().copied(), passed(p, s, t, u))
}

/// Friends that a way out goes through or pushes (HH-097).
#[must_use]
pub fn passed(p: &Path, s: &State, t: &Table, u: u8) -> u64 {
    p.hexes()
        .map(|h| s.who(h))
        .filter(|&w| w != NOBODY && w != u && t.side(w) == t.side(u))
        .fold(0, |m, w| m | 1 << w)
}

/// HH-227, HH-228: whether a unit could make room, others doing so in turn if it must. `free` is the hex of the one
/// that comes; hexes in `taken` are spoken for.
#[must_use]
pub fn can_make_room(t: &Table, s: &State, u: u8, free: Hex, taken: &[Hex]) -> bool {
    if s.unit(u).disrupted() {
        return false;
    }
    let z = zone(t, s, t.side(u).other());
    make_room(t, s, u, free, taken, &z)
}

fn make_room(t: &Table, s: &State, u: u8, free: Hex, taken: &[Hex], z: &HexSet) -> bool {
    let mut any = false;
    room_for(t, s, u, free, taken, z, |_, _| any = true);
    any
}

/// Where a unit that makes room may go: empty hexes, or if there is none, those of friends who can go on.
fn room_for(
    t: &Table,
    s: &State,
    u: u8,
    free: Hex,
    taken: &[Hex],
    z: &HexSet,
    mut each: impl FnMut(Hex, bool),
) {
    let unit = s.unit(u);
    let column = unit.formation == Formation::Column;
    let open = |d: Dir| {
        let to = t.map.step(unit.hex, d);
        let ok = to.on()
            && !z.has(to)
            && !taken.contains(&to)
            && may_cross(t, s, u, unit.hex, d, column)
            && !staked(t, s, unit.hex, d)
            && !held_by_general(t, s, t.side(u).other(), to);
        ok.then_some(to)
    };
    let mut any = false;
    for to in (0..6).filter_map(open) {
        if to == free || s.who(to) == NOBODY {
            any = true;
            each(to, false);
        }
    }
    if any || taken.len() >= MAX_HAND {
        return;
    }
    for to in (0..6).filter_map(open) {
        let w = s.who(to);
        if w == NOBODY || w == u || t.side(w) != t.side(u) || s.unit(w).disrupted() {
            continue;
        }
        let mut more = [Hex::NONE; MAX_HAND + 1];
        more[..taken.len()].copy_from_slice(taken);
        more[taken.len()] = to;
        if make_room(t, s, w, free, &more[..=taken.len()], z) {
            each(to, true);
        }
    }
}

/// The answers of the one that must make room now; none means that it is eliminated (elephants only).
pub fn room_answers(t: &Table, s: &State, out: &mut Vec<Command>) {
    let u = s.room.unit;
    if u == NOBODY {
        return;
    }
    let unit = s.unit(u);
    if s.room.elephants {
        // HH-246: the elephants are in hand, so their own zone does not count
        let z = zone_without(t, s, t.side(u).other(), s.room.hand[0].0);
        for d in 0..6 {
            let to = t.map.step(unit.hex, d);
            let ok = to.on()
                && !z.has(to)
                && s.who(to) == NOBODY
                && may_cross(t, s, u, unit.hex, d, unit.formation == Formation::Column)
                && !staked(t, s, unit.hex, d)
                && !held_by_general(t, s, t.side(u).other(), to);
            if ok {
                out.push(Command::Displace(u, to));
            }
        }
        return;
    }
    let z = zone(t, s, t.side(u).other());
    let mut taken = [Hex::NONE; MAX_HAND];
    let n = usize::from(s.room.waiting).min(MAX_HAND);
    for (slot, hand) in taken.iter_mut().zip(&s.room.hand[..n]) {
        *slot = hand.1;
    }
    room_for(t, s, u, Hex::NONE, &taken[..n], &z, |to, _| out.push(Command::Displace(u, to)));
}

/// HH-218, HH-219: whether a unit may recoil through a side, and who is pushed, nearest first.
#[must_use]
pub fn recoil_push(t: &Table, s: &State, u: u8, d: Dir) -> Option<Vec<u8>> {
    let side = t.side(u);
    let z = zone(t, s, side.other());
    let mut pushed = Vec::new();
    let mut who = u;
    loop {
        let from = s.unit(who).hex;
        let to = t.map.step(from, d);
        let column = s.unit(who).formation == Formation::Column;
        if !to.on()
            || z.has(to)
            || !may_cross(t, s, who, from, d, column)
            || staked(t, s, from, d)
            || held_by_general(t, s, side.other(), to)
        {
            return None;
        }
        let next = s.who(to);
        if next == NOBODY {
            return Some(pushed);
        }
        if t.side(next) != side || s.unit(next).disrupted() {
            return None;
        }
        pushed.push(next);
        who = next;
    }
}

/// HH-218: the hexes into which a unit may recoil, with how many friends it would push.
#[must_use]
pub fn recoils(t: &Table, s: &State, u: u8) -> Vec<(Hex, usize)> {
    let unit = s.unit(u);
    (0..6)
        .filter(|&d| unit.facing.rear() >> d & 1 == 1)
        .filter_map(|d| recoil_push(t, s, u, d).map(|p| (t.map.step(unit.hex, d), p.len())))
        .collect()
}

/// One way of a flight.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// The hexes, then [`Word::Off`] if it leaves the table; no facing yet.
    pub path: Path,
    /// The side crossed last, to look along.
    pub last: Dir,
    /// Friends passed or pushed.
    pub friends: u64,
    /// Rows to the own edge at the end; -1 off the table.
    pub rows: i16,
    /// It leaves the table.
    pub off: bool,
}

/// HH-221 to HH-228: every legal flight, one for each end, facing apart, set of friends disturbed and, if someone may
/// pursue, way.
#[must_use]
pub fn flights(t: &Table, s: &State, u: u8) -> Vec<Flight> {
    let way = Out::new(t, s, u);
    let unit = s.unit(u);
    let mut length = usize::from(speed(t, s, u) + t.rules.flee_extra).min(MAX_FLIGHT);
    if ends_flight(t, unit.hex) {
        length = 1;
    }
    let by_way = s.fight.melee;
    let mut search = Search { way: &way, length, by_way, out: Vec::new(), partial: Vec::new(), longest: 0 };
    let mut hexes = [Hex::NONE; MAX_FLIGHT];
    search.go(unit.hex, 0, &mut hexes, Path::EMPTY, 0, 0);
    if search.out.is_empty() && t.options.flee_stops {
        // HH-262: it stops where it is blocked, having gone as far as it can
        let longest = search.longest;
        return search.partial.into_iter().filter(|f| f.path.hexes().count() == longest).collect();
    }
    search.out
}

struct Search<'a, 'b> {
    way: &'a Out<'b>,
    length: usize,
    by_way: bool,
    out: Vec<Flight>,
    partial: Vec<Flight>,
    longest: usize,
}

impl Search<'_, '_> {
    fn go(&mut self, at: Hex, n: usize, hexes: &mut [Hex; MAX_FLIGHT], path: Path, friends: u64, last: Dir) {
        let (t, s, u) = (self.way.t, self.way.s, self.way.u);
        let side = t.side(u);
        let rows = s.rows_home(t, side, at);
        if n > 0 && (n == self.length || ends_flight(t, at)) {
            if self.way.can_end(at) {
                add(&mut self.out, self.by_way, Flight { path, last, friends, rows, off: false });
            }
            return;
        }
        if n > 0 && t.options.flee_stops && self.way.can_end(at) {
            self.longest = self.longest.max(n);
            add(&mut self.partial, self.by_way, Flight { path, last, friends, rows, off: false });
        }
        for d in 0..6 {
            let to = t.map.step(at, d);
            if !to.on() {
                // HH-225: by the own edge only
                if rows == 0 && beyond_home(t, s, u, at, d) {
                    let path = path.and(Word::Off);
                    add(&mut self.out, self.by_way, Flight { path, last: d, friends, rows: -1, off: true });
                }
                continue;
            }
            if to == self.way.origin || hexes[..n].contains(&to) {
                continue;
            }
            // HH-223: later hexes towards the own edge or along it
            if n > 0 && s.rows_home(t, side, to) > rows {
                continue;
            }
            if !self.way.passable(at, d) {
                continue;
            }
            let who = self.way.who(to);
            let friends = if who == NOBODY { friends } else { friends | 1 << who };
            hexes[n] = to;
            self.go(to, n + 1, hexes, path.and(Word::To(to)), friends, d);
        }
    }
}

/// Whether going through a side would leave the table by the unit's own edge.
fn beyond_home(t: &Table, s: &State, u: u8, _at: Hex, d: Dir) -> bool {
    if t.side(u) == s.south { matches!(d, 1 | 2) } else { matches!(d, 4 | 5) }
}

fn add(list: &mut Vec<Flight>, by_way: bool, f: Flight) {
    let end = |x: &Flight| x.path.hexes().last();
    let same = |o: &Flight| {
        if f.off && o.off {
            o.friends == f.friends && (!by_way || o.path.words() == f.path.words())
        } else if by_way {
            o.path.words() == f.path.words()
        } else {
            o.off == f.off && end(o) == end(&f) && o.last == f.last && o.friends == f.friends
        }
    };
    if by_way && !f.off {
        list.push(f); // a way never comes twice
    } else if !list.iter().any(same) {
        list.push(f);
    }
}

/// The hexes that a unit leaves, as the pursuer sees them.
#[must_use]
pub fn vacated(u: u8, hex: Hex, path: &Path) -> Vacated {
    let mut v = Vacated { hex, unit: u, ..Vacated::NONE };
    for h in path.hexes().take(MAX_FLIGHT) {
        v.path[usize::from(v.len)] = h;
        v.len += 1;
    }
    v
}

/// Judges an evade or a voluntary flee move; gives the facing at its end.
///
/// # Errors
/// The first hex that is not allowed, by HH-137.
pub fn judge_way(
    t: &Table,
    s: &State,
    u: u8,
    mover: u8,
    path: &Path,
    evading: bool,
) -> Result<Facing, crate::refusal::Refusal> {
    use crate::refusal::Refusal;
    use rulebook::rule;
    let no = |rule, why| Refusal::new(rule, why).unit(u).other(mover);
    let allowed = if evading { may_evade(t, s, u, mover) } else { may_withdraw(t, s, u, mover) };
    if !allowed {
        let rule = if evading { rule!("HH-137") } else { rule!("HH-139") };
        return Err(no(
            rule,
            "{unit} cannot get away from {other}: it has no such move left, is disrupted, or engaged by another",
        ));
    }
    let way = Out::new(t, s, u);
    let enemy = s.unit(mover).hex;
    let most = if evading { t.profile(u).evades() } else { speed(t, s, u) };
    let most = if ends_flight(t, way.origin) { most.min(1) } else { most };
    let (mut at, mut n, mut last) = (way.origin, 0, None);
    let words = path.words();
    let Some((&Word::Face(face), hexes)) = words.split_last() else {
        return Err(no(rule!("HH-137"), "the way of {unit} ends with a facing, like: C4 n"));
    };
    for word in hexes {
        let &Word::To(to) = word else {
            return Err(no(rule!("HH-137"), "the way of {unit} is hexes and one facing at the end"));
        };
        if n == most || (n > 0 && ends_flight(t, at)) {
            let rule = if evading { rule!("HH-135") } else { rule!("HH-139") };
            return Err(no(rule, "{unit} goes {need} hexes at most").figures(most.into(), n.into()));
        }
        let Some(d) = t.map.grid.side_towards(at, to) else {
            return Err(no(rule!("HH-137"), "{hex} does not touch the hex before it").at(to));
        };
        if t.map.grid.distance(to, enemy) <= t.map.grid.distance(at, enemy) {
            return Err(no(rule!("HH-137"), "{hex} is not farther from {other}").at(to));
        }
        if !way.passable(at, d) {
            return Err(no(
                rule!("HH-137"),
                "{unit} cannot go to {hex}: ground, a zone of control or who stands there forbids it",
            )
            .at(to));
        }
        at = to;
        last = Some(d);
        n += 1;
    }
    let Some(d) = last else {
        return Err(no(rule!("HH-137"), "{unit} must go at least one hex, or stand"));
    };
    if !way.can_end(at) {
        return Err(no(rule!("HH-228"), "nobody can make room for {unit} at {hex}").at(at));
    }
    let faces = if evading {
        face.road_side().is_none() && in_arc(t, at, face, enemy)
    } else {
        Facing::after_crossing(d).contains(&face)
    };
    if !faces {
        let why = if evading { "{unit} ends facing {other}" } else { "{unit} ends with its back to {other}" };
        return Err(no(if evading { rule!("HH-136") } else { rule!("HH-139") }, why));
    }
    Ok(face)
}

/// Judges a flight; gives the facing at its end, or none if it leaves the table.
///
/// # Errors
/// What HH-221 to HH-228 do not allow of it.
pub fn judge_flight(
    t: &Table,
    s: &State,
    u: u8,
    path: &Path,
) -> Result<Option<Facing>, crate::refusal::Refusal> {
    use crate::refusal::Refusal;
    use rulebook::rule;
    let no = |rule, why| Refusal::new(rule, why).unit(u);
    let (hexes, face) = match path.words().split_last() {
        Some((&Word::Face(f), rest)) => (rest, Some(f)),
        Some((&Word::Off, _)) => (path.words(), None),
        _ => return Err(no(rule!("HH-228"), "the flight of {unit} ends with a facing, like: C4 C5 C6 s")),
    };
    let want: Vec<Hex> =
        hexes.iter().filter_map(|w| if let Word::To(h) = w { Some(*h) } else { None }).collect();
    let off = hexes.contains(&Word::Off);
    let all = flights(t, s, u);
    // a flight is legal if its hexes are a legal way; equal ways are listed once, so compare by what they do
    let fits = |f: &&Flight| f.off == off && f.path.hexes().eq(want.iter().copied());
    if let Some(f) = all.iter().find(fits) {
        return match face {
            None if f.off => Ok(None),
            Some(face) if !f.off && Facing::after_crossing(f.last).contains(&face) => Ok(Some(face)),
            _ => Err(no(rule!("HH-228"), "{unit} ends looking the way it went")),
        };
    }
    if let Some(f) = other_way(t, s, u, &want, off) {
        return match face {
            None if off => Ok(None),
            Some(face) if !off && Facing::after_crossing(f).contains(&face) => Ok(Some(face)),
            _ => Err(no(rule!("HH-228"), "{unit} ends looking the way it went")),
        };
    }
    let nearest = all.first().and_then(|f| f.path.hexes().last()).unwrap_or(Hex::NONE);
    let mut e = no(
        rule!("HH-225"),
        "{unit} flees {need} hexes, outside enemy zones, after the first never farther from its own edge",
    )
    .figures(i16::from(speed(t, s, u) + t.rules.flee_extra), 0);
    e.nearest = nearest;
    Err(e)
}

/// A legal way that is listed only under another of equal effect; gives the side crossed last.
fn other_way(t: &Table, s: &State, u: u8, want: &[Hex], off: bool) -> Option<Dir> {
    let way = Out::new(t, s, u);
    let side = t.side(u);
    let full = if ends_flight(t, way.origin) { 1 } else { usize::from(speed(t, s, u) + t.rules.flee_extra) };
    let (mut at, mut last) = (way.origin, None);
    for (n, &to) in want.iter().enumerate() {
        let d = t.map.grid.side_towards(at, to)?;
        let home = n == 0 || s.rows_home(t, side, to) <= s.rows_home(t, side, at);
        if !home || n >= full || (n > 0 && ends_flight(t, at)) || to == way.origin || want[..n].contains(&to)
        {
            return None;
        }
        if !way.passable(at, d) {
            return None;
        }
        at = to;
        last = Some(d);
    }
    if off {
        let short = want.len() < full && (want.is_empty() || !ends_flight(t, at));
        return (short && s.rows_home(t, side, at) == 0).then_some(if side == s.south { 1 } else { 4 });
    }
    let whole = want.len() == full || (!want.is_empty() && ends_flight(t, at));
    (whole && way.can_end(at)).then_some(last?)
}
