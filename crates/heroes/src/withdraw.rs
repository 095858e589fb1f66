//! Ways out: evades and voluntary flights (HH-135 to HH-139), recoils (HH-217 to HH-219) and who makes room (HH-228,
//! HH-246). Here they are found and judged; `retreat` and `respond` walk them. Flights are in [`crate::flight`].

use crate::command::Command;
use crate::hex::{Dir, Facing, Hex, HexSet};
use crate::state::{Formation, MAX_FLIGHT, MAX_HAND, NOBODY, Path, State, Vacated, Word, bits, flag};
use crate::table::Table;
use crate::zones::{
    ends_flight, enemies_of, held_by_general, in_arc, may_cross, speed, staked, zone, zone_without,
};

/// What is the same for all ways out of one unit.
pub struct Out<'a> {
    pub(crate) t: &'a Table,
    pub(crate) s: &'a State,
    pub(crate) u: u8,
    zone: HexSet,
    pub(crate) origin: Hex,
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
    pub(crate) fn who(&self, h: Hex) -> u8 {
        match self.s.who(h) {
            w if w == self.u => NOBODY,
            w => w,
        }
    }

    /// Whether the unit may go through a side: ground, borders, stakes, zones, enemies, disrupted friends.
    pub(crate) fn passable(&self, from: Hex, d: Dir) -> bool {
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
    pub(crate) fn can_end(&self, h: Hex) -> bool {
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
    let mut pushed = Vec::new();
    push_line(t, s, u, d, &zone(t, s, t.side(u).other()), |w| pushed.push(w)).then_some(pushed)
}

/// Whether a unit may recoil at all, given the enemy zones.
#[must_use]
pub fn can_recoil(t: &Table, s: &State, u: u8, z: &HexSet) -> bool {
    let rear = s.unit(u).facing.rear();
    (0..6).any(|d| rear >> d & 1 == 1 && push_line(t, s, u, d, z, |_| {}))
}

/// HH-219: whether the line of those pushed comes to an empty hex; each of them is told to `pushed`, nearest first.
fn push_line(t: &Table, s: &State, u: u8, d: Dir, z: &HexSet, mut pushed: impl FnMut(u8)) -> bool {
    let side = t.side(u);
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
            return false;
        }
        let next = s.who(to);
        if next == NOBODY {
            return true;
        }
        if t.side(next) != side || s.unit(next).disrupted() {
            return false;
        }
        pushed(next);
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
    let unit = s.unit(u);
    if evading && unit.is(flag::EVADED) && !unit.disrupted() {
        return Err(no(rule!("HH-136"), "{unit} has evaded already: once in a bound"));
    }
    let allowed = if evading { may_evade(t, s, u, mover) } else { may_withdraw(t, s, u, mover) };
    if !allowed {
        let rule = if evading { rule!("HH-137") } else { rule!("HH-139") };
        return Err(no(
            rule,
            "{unit} cannot get away from {other}: it has no such move left, is disrupted, or engaged by another",
        ));
    }
    judge_from(t, s, u, &[mover], path, evading)
}

/// HH-262: judges a flee move that nobody forced, away from every enemy next to the unit; gives the facing at its end.
///
/// # Errors
/// The first hex that is not allowed, by HH-137.
pub fn judge_from_all(t: &Table, s: &State, u: u8, path: &Path) -> Result<Facing, crate::refusal::Refusal> {
    let enemies: Vec<u8> = bits(enemies_of(t, s, u)).collect();
    judge_from(t, s, u, &enemies, path, false)
}

/// A way judged hex by hex, each farther from each of some enemies.
fn judge_from(
    t: &Table,
    s: &State,
    u: u8,
    enemies: &[u8],
    path: &Path,
    evading: bool,
) -> Result<Facing, crate::refusal::Refusal> {
    use crate::refusal::Refusal;
    use rulebook::rule;
    let from = enemies.first().copied().unwrap_or(NOBODY);
    let no = |rule, why| Refusal::new(rule, why).unit(u).other(from);
    let way = Out::new(t, s, u);
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
        let nearer = |e: &&u8| {
            let enemy = s.unit(**e).hex;
            t.map.grid.distance(to, enemy) <= t.map.grid.distance(at, enemy)
        };
        if let Some(&e) = enemies.iter().find(nearer) {
            return Err(no(rule!("HH-137"), "{hex} is not farther from {other}").other(e).at(to));
        }
        if to == way.origin || hexes[..usize::from(n)].contains(word) {
            return Err(no(rule!("HH-137"), "{unit} comes to {hex} twice").at(to));
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
        face.road_side().is_none() && enemies.iter().all(|&e| in_arc(t, at, face, s.unit(e).hex))
    } else {
        Facing::after_crossing(d).contains(&face)
    };
    if !faces {
        let why = match (evading, from) {
            (true, _) => "{unit} ends facing {other}",
            (_, NOBODY) => "{unit} ends looking the way it went",
            _ => "{unit} ends with its back to {other}",
        };
        return Err(no(if evading { rule!("HH-136") } else { rule!("HH-139") }, why));
    }
    Ok(face)
}
