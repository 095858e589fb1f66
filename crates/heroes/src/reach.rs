//! Everywhere that a move can end (HH-085): a search over hexes, facings and formations, cheapest ways first.
//!
//! The rules of each step are those of [`Walk`]; here it is only kept in mind what was seen. A [`Search`] is kept and used
//! again, so that a commander who looks at thousands of moves allocates for none of them.

use crate::hex::{Dir, Facing, Hex, HexSet, MAX_HEXES};
use crate::moves::{Gate, Walk, facings_at};
use crate::state::{Cursor, Formation, Path, State, Word, bits, flag};
use crate::table::Table;

/// A way that a move can end, with one path that leads there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The path in words.
    pub path: Path,
    /// Where it ends.
    pub end: Cursor,
}

/// Costs of movement told apart; no move costs more.
const COSTS: usize = 16;
/// Ends in a hex: twelve facings, line or not.
const ENDS: usize = 12 * 2;

#[derive(Clone, Copy)]
struct Node {
    cursor: Cursor,
    word: Word,
    parent: u32,
}

/// A side of a hex as far as it was looked at.
#[derive(Clone, Copy)]
enum Seen {
    Not,
    Closed,
    Open(Gate),
}

/// The memory of a search.
pub struct Search {
    nodes: Vec<Node>,
    by_cost: [Vec<u32>; COSTS],
    /// The least cost at which a cursor was met, by end and what else decides how it goes on.
    least: Vec<u8>,
    /// Ends that were listed.
    ended: Vec<u64>,
    /// What sides are to the unit, by hex, side, in column or not.
    gates: Vec<[[Seen; 2]; 6]>,
    /// Hexes of which anything is kept.
    touched: HexSet,
    ends: Vec<u32>,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            nodes: Vec::new(),
            by_cost: Default::default(),
            least: Vec::new(),
            ended: vec![0; (MAX_HEXES * ENDS).div_ceil(64)],
            gates: Vec::new(),
            touched: HexSet::EMPTY,
            ends: Vec::new(),
        }
    }
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Search({} ends)", self.ends.len())
    }
}

impl Clone for Search {
    /// A new one: what it remembers is of no use to anybody else.
    fn clone(&self) -> Self {
        Search::default()
    }
}

/// Number of an end: hex, facing, line or not.
fn end_of(c: &Cursor) -> usize {
    (c.hex.ix() * 12 + usize::from(c.facing.0)) * 2 + usize::from(c.formation == Formation::Column)
}

/// What else of a cursor decides how it may go on, as a number below 16.
fn rest_of(c: &Cursor) -> u8 {
    u8::from(c.turned) << 3 | u8::from(c.formed) << 2 | u8::from(c.road) << 1 | u8::from(c.stopped)
}

/// For each such number those, as a mask, that leave at least as much to do, itself among them: not yet turned, not yet
/// formed, all by road so far; stopped or not alike.
const BETTER: [u16; 16] = {
    let mut all = [0; 16];
    let mut rest = 0;
    while rest < 16 {
        let mut other = 0;
        while other < 16 {
            let free = other & 0b1100 & !rest == 0;
            let road = rest & 0b10 & !other == 0;
            if free && road && (rest ^ other) & 1 == 0 {
                all[rest] |= 1 << other;
            }
            other += 1;
        }
        rest += 1;
    }
    all
};

/// Number of all that decides how a cursor may go on, what it spent apart.
fn key_of(c: &Cursor) -> usize {
    end_of(c) * 16 + usize::from(rest_of(c))
}

impl Search {
    fn forget(&mut self) {
        for h in std::mem::take(&mut self.touched).iter() {
            self.gates[h.ix()] = [[Seen::Not; 2]; 6];
            let from = h.ix() * ENDS * 16;
            self.least[from..from + ENDS * 16].fill(u8::MAX);
        }
        self.ended.fill(0);
        self.nodes.clear();
        self.ends.clear();
        self.by_cost.iter_mut().for_each(Vec::clear);
    }

    /// Looks for every way a normal move can end, each once, by a path that spends least (HH-085). `from` is where the unit
    /// is on its way.
    pub fn look(&mut self, walk: &Walk<'_>, from: Cursor) {
        self.look_by(walk, from, &[]);
    }

    /// The same for a path that leads through these hexes, in this order; what it costs between them is the least.
    pub fn look_by(&mut self, walk: &Walk<'_>, from: Cursor, by: &[Hex]) {
        self.forget();
        let hexes = walk.t.map.grid.len();
        if self.gates.len() < hexes {
            self.gates.resize(hexes, [[Seen::Not; 2]; 6]);
            self.least.resize(hexes * ENDS * 16, u8::MAX);
        }
        self.add(from, Word::Off, u32::MAX);
        let mut since = 0;
        for &hex in by {
            self.spread(walk, &from);
            let here = |n: &Node| n.cursor.hex == hex && n.word == Word::To(hex);
            let came: Vec<u32> =
                (since..self.nodes.len()).filter(|&n| here(&self.nodes[n])).map(|n| n as u32).collect();
            since = self.nodes.len();
            self.least.fill(u8::MAX);
            self.ended.fill(0);
            self.ends.clear();
            self.by_cost.iter_mut().for_each(Vec::clear);
            for n in came {
                let c = self.nodes[n as usize].cursor;
                let least = &mut self.least[key_of(&c)];
                *least = c.spent.min(*least);
                self.by_cost[usize::from(c.spent).min(COSTS - 1)].push(n);
            }
        }
        self.spread(walk, &from);
    }

    fn spread(&mut self, walk: &Walk<'_>, from: &Cursor) {
        let fixed = matches!(from.formation, Formation::Horde | Formation::Block);
        for cost in 0..COSTS {
            let mut at = 0;
            while let Some(&n) = self.by_cost[cost].get(at) {
                at += 1;
                self.go_on(walk, from, n, fixed);
            }
        }
    }

    fn push(&mut self, node: Node) {
        let n = self.nodes.len() as u32;
        self.by_cost[usize::from(node.cursor.spent).min(COSTS - 1)].push(n);
        self.nodes.push(node);
    }

    fn go_on(&mut self, walk: &Walk<'_>, from: &Cursor, n: u32, fixed: bool) {
        let c = self.nodes[n as usize].cursor;
        let end = end_of(&c);
        if self.least[key_of(&c)] < c.spent {
            return; // it was met more cheaply
        }
        let listed = self.ended[end / 64] >> (end % 64) & 1 == 1;
        if n != 0 && !listed && walk.finish(&c).is_ok() {
            let null = c.hex == from.hex && c.facing == from.facing && c.formation == from.formation;
            if !null {
                self.ended[end / 64] |= 1 << (end % 64);
                self.ends.push(n);
            }
        }
        if !walk.spent_out(&c) && walk.may_go_on(&c).is_ok() {
            for d in (0..6).filter(|&d| c.facing.fronts(d)) {
                let Some(gate) = self.gate(walk, &c, d) else { continue };
                let mut next = c;
                if walk.through(&mut next, &gate).is_ok() {
                    self.add(next, Word::To(gate.to), n);
                }
            }
        }
        walk.turns(&c, |f, next| self.add(next, Word::Face(f), n));
        if !fixed && !c.formed {
            let other = if c.formation == Formation::Line { Formation::Column } else { Formation::Line };
            let mut next = c;
            if walk.form(&mut next, other).is_ok() {
                self.add(next, Word::Form(other), n);
            }
        }
    }

    fn add(&mut self, cursor: Cursor, word: Word, parent: u32) {
        let (end, rest) = (end_of(&cursor) * 16, rest_of(&cursor));
        let least = &self.least[end..end + 16];
        // whoever was met as cheaply and may still do all that this one may leads wherever this one does, and sooner
        if bits(BETTER[usize::from(rest)].into()).any(|r| least[usize::from(r)] <= cursor.spent) {
            return;
        }
        self.least[end + usize::from(rest)] = cursor.spent;
        self.touched.insert(cursor.hex);
        self.push(Node { cursor, word, parent });
    }

    fn gate(&mut self, walk: &Walk<'_>, c: &Cursor, d: Dir) -> Option<Gate> {
        let column = c.formation == Formation::Column;
        let slot = &mut self.gates[c.hex.ix()][usize::from(d)][usize::from(column)];
        if let Seen::Not = slot {
            *slot = walk.gate(c.hex, d, column).map_or(Seen::Closed, Seen::Open);
        }
        match *slot {
            Seen::Open(g) => Some(g),
            _ => None,
        }
    }

    /// How many ways were found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The ends that were found, cheapest first.
    pub fn ends(&self) -> impl Iterator<Item = &Cursor> {
        self.ends.iter().map(|&n| &self.nodes[n as usize].cursor)
    }

    /// The path that leads to an end, by its number.
    #[must_use]
    pub fn path(&self, end: usize) -> Path {
        let mut words = [Word::Off; crate::state::MAX_PATH];
        let mut count = 0;
        let mut n = self.ends.get(end).copied().unwrap_or(0);
        while n != 0 && count < words.len() {
            words[count] = self.nodes[n as usize].word;
            count += 1;
            n = self.nodes[n as usize].parent;
        }
        words[..count].iter().rev().copied().collect()
    }
}

/// Every way a normal move can end, for whoever wants to have them all.
#[must_use]
pub fn reach(walk: &Walk<'_>, from: Cursor) -> Vec<Reach> {
    let mut search = Search::default();
    search.look(walk, from);
    search.ends().enumerate().map(|(n, c)| Reach { path: search.path(n), end: *c }).collect()
}

/// Every way a single-hex move can end.
pub fn steps(walk: &Walk<'_>, drop: bool, mut each: impl FnMut(Hex, Facing, Formation, Cursor)) {
    let unit = walk.s.unit(walk.u);
    let here =
        std::iter::once(unit.hex).chain(walk.t.map.next[unit.hex.ix()].iter().copied().filter(|h| h.on()));
    let forms: &[Formation] = match unit.formation {
        Formation::Line | Formation::Column => &[Formation::Line, Formation::Column],
        Formation::Block => &[Formation::Block],
        Formation::Horde => &[Formation::Horde],
    };
    for to in here {
        let Ok((cursor, good)) = walk.step_to(to, drop) else { continue };
        for f in facings_at(walk.t, to) {
            for &form in forms {
                let null = to == unit.hex && f == unit.facing && form == unit.formation;
                if null {
                    continue;
                }
                if let Ok(c) = walk.step_faces(cursor, good, f, form) {
                    each(to, f, form, c);
                }
            }
        }
    }
}

/// HH-131: fewest hexes that bring a unit into contact with an enemy, over normal and single-hex moves.
#[must_use]
pub fn hexes_to_contact(t: &Table, s: &State, u: u8) -> Option<u8> {
    let unit = s.unit(u);
    // beyond its speed, the bonuses of a column on a road and the zone itself nobody comes into contact
    let most = crate::zones::speed(t, s, u) + t.rules.column_bonus[0] + t.rules.column_bonus[1] + 1;
    let near = |e: u8| t.map.grid.distance(unit.hex, s.unit(e).hex) <= u16::from(most);
    if unit.hex.on() && !s.on_table(t, t.side(u).other()).any(near) {
        return None;
    }
    let walk = Walk::new(t, s, u);
    let pavise = unit.is(flag::PAVISE);
    // whoever must attack drops what hinders him
    let mut best: Option<u8> = None;
    let mut see = |c: &Cursor, zone: &HexSet| {
        if c.entered > 0 && zone.has(c.hex) && best.is_none_or(|b| c.entered < b) {
            best = Some(c.entered);
        }
    };
    let mut search = Search::default();
    search.look(&walk, walk.begin(pavise));
    search.ends().for_each(|c| see(c, &walk.zone));
    steps(&walk, pavise, |_, _, _, c| see(&c, &walk.zone));
    best
}
