//! Flights (HH-221 to HH-229): every legal way, the best of them, and whether there is more than one at all.
//!
//! A fast unit has thousands of ways. Only who wants to see them all has them listed ([`flights`]); the engine stops as
//! soon as it knows that there is a choice ([`choice`]), and the usual answer leaves out whatever cannot be better
//! ([`usual`]).

use crate::hex::{Dir, Facing, Hex};
use crate::refusal::Refusal;
use crate::state::{MAX_FLIGHT, NOBODY, Path, State, Word};
use crate::table::Table;
use crate::withdraw::Out;
use crate::zones::{ends_flight, speed};
use rulebook::rule;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

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

impl Flight {
    /// Friends disturbed, then rows from home; off the table last (HH-046).
    fn cost(&self) -> (u32, i16) {
        if self.off { (100, 0) } else { (self.friends.count_ones(), self.rows) }
    }

    /// The path with the first facing that it may end in.
    fn whole(&self) -> Path {
        if self.off { self.path } else { self.path.and(Word::Face(Facing::after_crossing(self.last)[0])) }
    }
}

/// What a search for flights is after.
trait Seeker {
    /// A way; `complete` unless it was cut short (HH-262).
    fn found(&mut self, f: Flight, complete: bool) -> ControlFlow<()>;

    /// Whether a way that has come so far, with some hexes left, can still matter.
    fn matters(&self, _friends: u64, _rows: i16, _left: usize) -> bool {
        true
    }
}

/// HH-221 to HH-228: hex after hex.
struct Search<'a, 'b, S> {
    way: &'a Out<'b>,
    length: usize,
    hexes: [Hex; MAX_FLIGHT],
    seeker: S,
}

impl<'a, 'b, S: Seeker> Search<'a, 'b, S> {
    fn run(way: &'a Out<'b>, seeker: S) -> S {
        let length = length(way);
        let mut search = Search { way, length, hexes: [Hex::NONE; MAX_FLIGHT], seeker };
        let _ = search.go(way.origin, 0, Path::EMPTY, 0, 0);
        search.seeker
    }

    fn go(&mut self, at: Hex, n: usize, path: Path, friends: u64, last: Dir) -> ControlFlow<()> {
        let (t, s, u) = (self.way.t, self.way.s, self.way.u);
        let side = t.side(u);
        let rows = s.rows_home(t, side, at);
        if n > 0 && (n == self.length || ends_flight(t, at)) {
            if self.way.can_end(at) {
                self.seeker.found(Flight { path, last, friends, rows, off: false }, true)?;
            }
            return ControlFlow::Continue(());
        }
        if n > 0 && s.options.flee_stops && self.way.can_end(at) {
            self.seeker.found(Flight { path, last, friends, rows, off: false }, false)?;
        }
        if !self.seeker.matters(friends, rows, self.length - n) {
            return ControlFlow::Continue(());
        }
        for d in 0..6 {
            let to = t.map.step(at, d);
            if !to.on() {
                // HH-225: by the own edge only
                if rows == 0 && beyond_home(t, s, u, d) {
                    let path = path.and(Word::Off);
                    self.seeker.found(Flight { path, last: d, friends, rows: -1, off: true }, true)?;
                }
                continue;
            }
            if to == self.way.origin || self.hexes[..n].contains(&to) {
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
            self.hexes[n] = to;
            self.go(to, n + 1, path.and(Word::To(to)), friends, d)?;
        }
        ControlFlow::Continue(())
    }
}

/// HH-225, HH-114: hexes of a whole flight.
fn length(way: &Out<'_>) -> usize {
    if ends_flight(way.t, way.origin) {
        1
    } else {
        usize::from(speed(way.t, way.s, way.u) + way.t.rules.flee_extra).min(MAX_FLIGHT)
    }
}

/// Whether going through a side would leave the table by the unit's own edge.
fn beyond_home(t: &Table, s: &State, u: u8, d: Dir) -> bool {
    if t.side(u) == s.south { matches!(d, 1 | 2) } else { matches!(d, 4 | 5) }
}

/// Ways, each effect once. In hand-to-hand the way itself is an effect, since a pursuer goes down it.
#[derive(Default)]
struct Distinct {
    by_way: bool,
    all: Vec<Flight>,
    seen: BTreeSet<(bool, Hex, Dir, u64)>,
}

impl Distinct {
    fn add(&mut self, f: Flight) {
        let new = if self.by_way {
            // two sides may lead off the table from one hex; else no way comes twice
            !self.all.last().is_some_and(|o| o.off && f.off && o.path == f.path)
        } else if f.off {
            self.seen.insert((true, Hex::NONE, 0, f.friends))
        } else {
            self.seen.insert((false, f.path.hexes().last().unwrap_or(Hex::NONE), f.last, f.friends))
        };
        if new {
            self.all.push(f);
        }
    }
}

/// All ways.
struct Every {
    whole: Distinct,
    partial: Distinct,
}

impl Seeker for Every {
    fn found(&mut self, f: Flight, complete: bool) -> ControlFlow<()> {
        if complete { &mut self.whole } else { &mut self.partial }.add(f);
        ControlFlow::Continue(())
    }
}

/// Every legal flight, one for each end, side crossed last, set of friends disturbed and, if someone may pursue, way.
#[must_use]
pub fn flights(t: &Table, s: &State, u: u8) -> Vec<Flight> {
    let way = Out::new(t, s, u);
    let by_way = s.fight.melee;
    let none = || Distinct { by_way, ..Distinct::default() };
    let found = Search::run(&way, Every { whole: none(), partial: none() });
    if found.whole.all.is_empty() && s.options.flee_stops {
        // HH-262: it stops where it is blocked, having gone as far as it can
        let hexes = |f: &Flight| f.path.hexes().count();
        let longest = found.partial.all.iter().map(hexes).max().unwrap_or(0);
        return found.partial.all.into_iter().filter(|f| hexes(f) == longest).collect();
    }
    found.whole.all
}

/// Whether there is anything to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// There is no way at all.
    None,
    /// There is this one.
    One(Path),
    /// There are several.
    Several,
}

/// As many ways as make a choice.
struct First {
    by_way: bool,
    one: Option<Flight>,
    several: bool,
}

impl Seeker for First {
    fn found(&mut self, f: Flight, complete: bool) -> ControlFlow<()> {
        if !complete {
            return ControlFlow::Continue(());
        }
        // a way that ends on the table ends in either of two facings
        let other = self.one.is_some_and(|o| o.friends != f.friends || (self.by_way && o.path != f.path));
        if !f.off || other {
            self.several = true;
            return ControlFlow::Break(());
        }
        self.one.get_or_insert(f);
        ControlFlow::Continue(())
    }
}

/// Whether a unit that must flee has a choice.
#[must_use]
pub fn choice(t: &Table, s: &State, u: u8) -> Choice {
    let way = Out::new(t, s, u);
    let found = Search::run(&way, First { by_way: s.fight.melee, one: None, several: false });
    match found {
        First { several: true, .. } => Choice::Several,
        First { one: Some(f), .. } => Choice::One(f.path),
        // cut short, it ends on the table, in either of two facings
        _ if s.options.flee_stops && !flights(t, s, u).is_empty() => Choice::Several,
        _ => Choice::None,
    }
}

/// The first of the best ways so far.
struct Best(Option<Flight>);

impl Seeker for Best {
    fn found(&mut self, f: Flight, complete: bool) -> ControlFlow<()> {
        if complete && self.0.is_none_or(|b| f.cost() < b.cost()) {
            self.0 = Some(f);
        }
        ControlFlow::Continue(())
    }

    fn matters(&self, friends: u64, rows: i16, left: usize) -> bool {
        let least = (friends.count_ones(), (rows - left as i16).max(0));
        self.0.is_none_or(|b| least < b.cost())
    }
}

/// HH-046: the way that stands if its owner leaves it open, with what it costs: fewest friends disturbed, then nearest the
/// own edge, and off the table only if there is no other; nothing if there is none.
#[must_use]
pub fn usual(t: &Table, s: &State, u: u8) -> Option<(Path, (u32, i16))> {
    let way = Out::new(t, s, u);
    let best = Search::run(&way, Best(None)).0;
    let best = match best {
        None if s.options.flee_stops => flights(t, s, u).into_iter().min_by_key(Flight::cost),
        found => found,
    };
    best.map(|f| (f.whole(), f.cost()))
}

/// Judges a flight; gives the facing at its end, or none if it leaves the table.
///
/// # Errors
/// What HH-221 to HH-228 do not allow of it.
pub fn judge(t: &Table, s: &State, u: u8, path: &Path) -> Result<Option<Facing>, Refusal> {
    let no = |rule, why| Refusal::new(rule, why).unit(u);
    let (hexes, face) = match path.words().split_last() {
        Some((&Word::Face(f), rest)) => (rest, Some(f)),
        Some((&Word::Off, _)) => (path.words(), None),
        _ => return Err(no(rule!("HH-228"), "the flight of {unit} ends with a facing, like: C4 C5 C6 s")),
    };
    let want: Path = hexes.iter().copied().filter(|w| matches!(w, Word::To(_))).collect();
    let off = hexes.contains(&Word::Off);
    let last = match whole_way(t, s, u, &want, off) {
        None if s.options.flee_stops => {
            flights(t, s, u).iter().find(|f| f.off == off && f.path.hexes().eq(want.hexes())).map(|f| f.last)
        }
        way => way,
    };
    match (last, face) {
        (Some(_), None) if off => Ok(None),
        (Some(d), Some(face)) if !off && Facing::after_crossing(d).contains(&face) => Ok(Some(face)),
        (Some(_), _) => Err(no(rule!("HH-228"), "{unit} ends looking the way it went")),
        (None, _) => {
            let mut e = no(
                rule!("HH-225"),
                "{unit} flees {need} hexes, outside enemy zones, after the first never farther from its own edge",
            )
            .figures(i16::from(speed(t, s, u) + t.rules.flee_extra), 0);
            e.nearest = usual(t, s, u).and_then(|(p, _)| p.hexes().last()).unwrap_or(Hex::NONE);
            Err(e)
        }
    }
}

/// Whether hexes are a whole flight; gives the side crossed last.
fn whole_way(t: &Table, s: &State, u: u8, want: &Path, off: bool) -> Option<Dir> {
    let way = Out::new(t, s, u);
    let side = t.side(u);
    let full = length(&way);
    let words = want.words();
    let (mut at, mut last) = (way.origin, None);
    for (n, to) in want.hexes().enumerate() {
        let d = t.map.grid.side_towards(at, to)?;
        let home = n == 0 || s.rows_home(t, side, to) <= s.rows_home(t, side, at);
        let again = to == way.origin || words[..n].contains(&Word::To(to));
        if !home || n >= full || (n > 0 && ends_flight(t, at)) || again || !way.passable(at, d) {
            return None;
        }
        at = to;
        last = Some(d);
    }
    let n = words.len();
    if off {
        let short = n < full && (n == 0 || !ends_flight(t, at));
        return (short && s.rows_home(t, side, at) == 0).then_some(if side == s.south { 1 } else { 4 });
    }
    let whole = n == full || (n > 0 && ends_flight(t, at));
    (whole && way.can_end(at)).then_some(last?)
}
