//! The state of a battle: small, flat, copied. Nothing in it refers to memory elsewhere; pieces are numbers of
//! the [`Table`]. What was interrupted by a choice is kept here too, so that every state can be written down.

use crate::hex::{Facing, Hex, MAX_HEXES};
use crate::options::Options;
use crate::table::{Side, Table};
use crate::tables::Traits;

/// Most units in a battle.
pub const MAX_UNITS: usize = 64;
/// Most generals in a battle.
pub const MAX_GENERALS: usize = 12;
/// No unit, no general.
pub const NOBODY: u8 = u8::MAX;

/// Formations (HH-115).
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Formation {
    /// The default.
    Line,
    /// Narrow.
    Column,
    /// Pikes, six stands deep.
    Block,
    /// Hordes have no other.
    Horde,
}

impl Formation {
    /// All with their words.
    pub const ALL: [(Formation, &'static str); 4] = [
        (Formation::Line, "line"),
        (Formation::Column, "column"),
        (Formation::Block, "block"),
        (Formation::Horde, "horde"),
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        Formation::ALL[self as usize].1
    }

    /// Reads its word.
    #[must_use]
    pub fn read(word: &str) -> Option<Formation> {
        Formation::ALL.iter().find(|f| f.1.eq_ignore_ascii_case(word)).map(|f| f.0)
    }
}

/// Where a unit has gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Fate {
    /// Not yet deployed.
    Reserve,
    /// On the table (or in hand, while somebody is being displaced for it).
    Field,
    /// Removed by losses or a blocked retreat.
    Destroyed,
    /// Fled or was forced off the table.
    Left,
    /// Its stands stand in two pike blocks.
    Merged,
    /// Its stands went to another unit (HH-100).
    Emptied,
}

/// Impact state (HH-215).
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Impact {
    /// Not yet used in this contact.
    Fresh,
    /// Kept by following up.
    Advancing,
    /// Used up.
    Spent,
}

/// Marks on a unit, a bit each.
pub mod flag {
    /// Disrupted.
    pub const DISRUPTED: u16 = 1;
    /// Its move of this bound is made.
    pub const MOVED: u16 = 1 << 1;
    /// It left its hex or turned by more than a point: artillery does not shoot (HH-176).
    pub const STIRRED: u16 = 1 << 2;
    /// It evaded this bound (HH-136).
    pub const EVADED: u16 = 1 << 3;
    /// It made a voluntary flee move this bound (HH-139).
    pub const FLED: u16 = 1 << 4;
    /// It moved into contact this bound (HH-156).
    pub const CHARGED: u16 = 1 << 5;
    /// It shot, or gave its shot up, in this Shooting phase half.
    pub const SHOT: u16 = 1 << 6;
    /// It fought this phase.
    pub const FOUGHT: u16 = 1 << 7;
    /// It holds its fire (HF marker, HH-182).
    pub const HOLDS: u16 = 1 << 8;
    /// Its pavises stand (HH-250).
    pub const PAVISE: u16 = 1 << 9;
    /// Its riders are on foot (HH-129).
    pub const ON_FOOT: u16 = 1 << 10;
    /// It moved from its hex this phase: friends may not pass through it (HH-095).
    pub const WALKED: u16 = 1 << 11;
    /// Marks that end with the bound.
    pub const OF_THE_BOUND: u16 = MOVED | STIRRED | EVADED | FLED | CHARGED | SHOT | FOUGHT | WALKED;
}

/// What a unit does by itself when it is contacted (its owner's secret until it is used).
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Reply {
    /// Its owner is asked.
    Ask,
    /// It stands, and turns to face.
    Stand,
    /// It evades if it may.
    Evade,
    /// It evades mounted troops, and stands against others.
    EvadeMounted,
    /// It makes a voluntary flee move if it may.
    Flee,
}

impl Reply {
    /// All with their words.
    pub const ALL: [(Reply, &'static str); 5] = [
        (Reply::Ask, "ask"),
        (Reply::Stand, "stand"),
        (Reply::Evade, "evade"),
        (Reply::EvadeMounted, "evade-mounted"),
        (Reply::Flee, "flee"),
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        Reply::ALL[self as usize].1
    }
}

/// A unit as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its hex; none if it is off the table or in hand.
    pub hex: Hex,
    /// Its hex at the beginning of the bound (HH-158).
    pub start: Hex,
    /// Where it looks.
    pub facing: Facing,
    /// Its formation.
    pub formation: Formation,
    /// Stands left.
    pub stands: u8,
    /// Impact state.
    pub impact: Impact,
    /// Where it has gone.
    pub fate: Fate,
    /// Sides of its hex with planted stakes, as a mask (HH-249).
    pub stakes: u8,
    /// Marks, see [`flag`].
    pub flags: u16,
}

impl Unit {
    /// A unit nobody has placed.
    pub const NONE: Unit = Unit {
        hex: Hex::NONE,
        start: Hex::NONE,
        facing: Facing(0),
        formation: Formation::Line,
        stands: 0,
        impact: Impact::Fresh,
        fate: Fate::Reserve,
        stakes: 0,
        flags: 0,
    };

    /// Whether a mark is set.
    #[inline]
    #[must_use]
    pub const fn is(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Whether it is disrupted.
    #[inline]
    #[must_use]
    pub const fn disrupted(&self) -> bool {
        self.is(flag::DISRUPTED)
    }
}

/// A general as he stands. In the hex of a friendly unit he is with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct General {
    /// His hex; none if not placed or lost.
    pub hex: Hex,
    /// Whether he was killed or captured.
    pub lost: bool,
    /// Whether he made his command move or challenge this bound.
    pub moved: bool,
    /// Whether he was attacked this phase.
    pub fought: bool,
}

impl General {
    /// A general nobody has placed.
    pub const NONE: General = General { hex: Hex::NONE, lost: false, moved: false, fought: false };
}

/// Phases (HH-041); Command, Rally and End pass by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// Who deploys first is to be settled.
    Order,
    /// The first to deploy picks an edge.
    Edge,
    /// The first side places its army.
    DeployFirst,
    /// The second side places its army.
    DeploySecond,
    /// Generals move.
    Generals,
    /// Compulsory moves.
    Compulsory,
    /// Tactical moves.
    Tactical,
    /// The phasing side shoots.
    Shooting,
    /// The other side shoots.
    Return,
    /// Hand-to-hand.
    Melee,
    /// The battle is over.
    Over,
}

impl Phase {
    /// All with their words.
    pub const ALL: [(Phase, &'static str); 11] = [
        (Phase::Order, "order"),
        (Phase::Edge, "edge"),
        (Phase::DeployFirst, "deploy-first"),
        (Phase::DeploySecond, "deploy-second"),
        (Phase::Generals, "generals"),
        (Phase::Compulsory, "compulsory"),
        (Phase::Tactical, "tactical"),
        (Phase::Shooting, "shooting"),
        (Phase::Return, "return"),
        (Phase::Melee, "melee"),
        (Phase::Over, "over"),
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        Phase::ALL[self as usize].1
    }
}

/// How the battle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It has not.
    Open,
    /// Nobody won.
    Draw,
    /// A side won.
    Won(Side),
}

/// A unit on its way, as far as it has come: all that decides what it may still do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// Where it is.
    pub hex: Hex,
    /// Where it looks.
    pub facing: Facing,
    /// Its formation.
    pub formation: Formation,
    /// Hexes of movement spent.
    pub spent: u8,
    /// Hexes entered.
    pub entered: u8,
    /// It has turned in this hex (HH-087).
    pub turned: bool,
    /// It has changed formation (HH-R02).
    pub formed: bool,
    /// Every border crossed so far had the road (HH-092).
    pub road: bool,
    /// It began in column (HH-092).
    pub column: bool,
    /// It may go no further.
    pub stopped: bool,
    /// Its pavises are dropped.
    pub dropped: bool,
}

impl Cursor {
    /// Nobody is on the way.
    pub const NONE: Cursor = Cursor {
        hex: Hex::NONE,
        facing: Facing(0),
        formation: Formation::Line,
        spent: 0,
        entered: 0,
        turned: false,
        formed: false,
        road: false,
        column: false,
        stopped: false,
        dropped: false,
    };
}

/// Longest path in words: hexes, turns and one change of formation.
pub const MAX_PATH: usize = 20;

/// Why a unit is on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Going {
    /// Nobody is.
    Nowhere,
    /// A tactical or compulsory move.
    Move,
    /// The single-hex move (HH-084).
    Step,
    /// A pursuit (HH-236).
    Pursuit,
}

/// The unit on its way, with what it still means to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover {
    /// Who.
    pub unit: u8,
    /// Why.
    pub going: Going,
    /// How far it has come.
    pub cursor: Cursor,
    /// What is left of its path.
    pub path: Path,
    /// Somebody answered its coming by more than standing.
    pub answered: bool,
    /// Its owner decides how it goes on.
    pub asks: bool,
}

impl Mover {
    /// Nobody is on the way.
    pub const NONE: Mover = Mover {
        unit: NOBODY,
        going: Going::Nowhere,
        cursor: Cursor::NONE,
        path: Path::EMPTY,
        answered: false,
        asks: false,
    };
}

/// One word of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Word {
    /// Enter a hex.
    To(Hex),
    /// Turn.
    Face(Facing),
    /// Change formation.
    Form(Formation),
    /// Leave the table by the own edge (flights only).
    Off,
}

/// A path in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Path {
    words: [Word; MAX_PATH],
    len: u8,
}

impl Path {
    /// No word.
    pub const EMPTY: Path = Path { words: [Word::Off; MAX_PATH], len: 0 };

    /// Adds a word; says whether there was room.
    pub fn push(&mut self, w: Word) -> bool {
        match self.words.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = w;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The words.
    #[inline]
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words[..usize::from(self.len)]
    }

    /// The same with one word more (or the same, if there is no room).
    #[must_use]
    pub fn and(mut self, w: Word) -> Path {
        self.push(w);
        self
    }

    /// Takes the first word off.
    pub fn shift(&mut self) -> Option<Word> {
        let first = self.words().first().copied()?;
        self.words.copy_within(1.., 0);
        self.len -= 1;
        self.words[usize::from(self.len)..].fill(Word::Off);
        Some(first)
    }

    /// The hexes it enters.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        self.words().iter().filter_map(|w| if let Word::To(h) = w { Some(*h) } else { None })
    }
}

impl FromIterator<Word> for Path {
    fn from_iter<T: IntoIterator<Item = Word>>(iter: T) -> Self {
        let mut p = Path::EMPTY;
        for w in iter {
            p.push(w);
        }
        p
    }
}

/// Most units in hand while others make room.
pub const MAX_HAND: usize = 6;

/// Units in hand and the one that must make room for them (HH-228, HH-246).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Who must go, or [`NOBODY`].
    pub unit: u8,
    /// Elephants push it: other rules (HH-246).
    pub elephants: bool,
    /// Units that wait for a hex, the last for that of `unit`, each with the general who is with it.
    pub hand: [(u8, Hex, u8); MAX_HAND],
    /// How many wait.
    pub waiting: u8,
}

impl Room {
    /// Nobody must go.
    pub const NONE: Room =
        Room { unit: NOBODY, elephants: false, hand: [(NOBODY, Hex::NONE, NOBODY); MAX_HAND], waiting: 0 };
}

/// Most hexes of a flight.
pub const MAX_FLIGHT: usize = 8;

/// A hex that a loser left, and the way that he took (HH-230, HH-235).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vacated {
    /// The hex.
    pub hex: Hex,
    /// Who left it.
    pub unit: u8,
    /// Hexes of his flight, in order.
    pub path: [Hex; MAX_FLIGHT],
    /// How many.
    pub len: u8,
}

impl Vacated {
    /// None.
    pub const NONE: Vacated = Vacated { hex: Hex::NONE, unit: NOBODY, path: [Hex::NONE; MAX_FLIGHT], len: 0 };
}

/// How far a fight has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stage {
    /// There is none.
    None,
    /// A combat is declared; whose factors count is to be named (HH-R15).
    Naming,
    /// Losers move.
    Retreats,
    /// A winner follows up.
    Follow,
    /// He may pursue.
    Pursue,
    /// All but the bookkeeping is done.
    Close,
}

/// A result that is being carried out, of shooting or of hand-to-hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fight {
    /// How far it has come.
    pub stage: Stage,
    /// It is hand-to-hand: winners follow up.
    pub melee: bool,
    /// The losing side.
    pub losers: Side,
    /// All units that fought.
    pub all: u64,
    /// Units still to recoil.
    pub recoil: u64,
    /// Units still to flee.
    pub flee: u64,
    /// Elephants still to run (HH-245).
    pub stampede: u64,
    /// Hexes left by losers.
    pub vacated: [Vacated; 6],
    /// How many.
    pub left: u8,
    /// The winner who followed up.
    pub follower: u8,
    /// The vacated hex that he entered, by number.
    pub entered: u8,
}

impl Fight {
    /// No fight.
    pub const NONE: Fight = Fight {
        stage: Stage::None,
        melee: false,
        losers: Side::A,
        all: 0,
        recoil: 0,
        flee: 0,
        stampede: 0,
        vacated: [Vacated::NONE; 6],
        left: 0,
        follower: NOBODY,
        entered: 0,
    };

    /// Remembers a hex that was left.
    pub fn leave(&mut self, v: Vacated) {
        if let Some(slot) = self.vacated.get_mut(usize::from(self.left)) {
            *slot = v;
            self.left += 1;
        }
    }
}

/// The state of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The unit in each hex, or [`NOBODY`]; follows from `units`.
    pub at: [u8; MAX_HEXES],
    /// The units.
    pub units: [Unit; MAX_UNITS],
    /// The generals.
    pub generals: [General; MAX_GENERALS],
    /// The phase.
    pub phase: Phase,
    /// The phasing side.
    pub phasing: Side,
    /// Bounds begun, both sides counted, from 1.
    pub bound: u16,
    /// Whose own edge is the lower one.
    pub south: Side,
    /// Who deploys first, and so moves second (HH-037).
    pub first: Side,
    /// Who chooses the order of deployment.
    pub chooser: Side,
    /// Who takes the first bound.
    pub opens: Side,
    /// Units under command, frozen since their side's last Command phase (HH-042).
    pub commanded: u64,
    /// Targets of this half of the Shooting phase (HH-295).
    pub shot_at: u64,
    /// Units suppressed in this Shooting phase (HH-175).
    pub suppressed: u64,
    /// Who is on the way.
    pub mover: Mover,
    /// Units that may still answer the mover (HH-134).
    pub contacts: u64,
    /// Generals that may still escape (HH-067).
    pub escapes: u16,
    /// Who must make room.
    pub room: Room,
    /// Generals to be put aside (HH-010).
    pub aside: u16,
    /// The result being carried out.
    pub fight: Fight,
    /// How the battle ended.
    pub outcome: Outcome,
    /// Throws for tied roll-offs so far.
    pub rolls: u8,
    /// Standing replies of the units.
    pub replies: [Reply; MAX_UNITS],
    /// The readings in force: those of the table, until one is ruled otherwise (HH-R13).
    pub options: Options,
}

/// The bits of a mask, lowest first.
pub fn bits(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let b = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            b
        })
    })
}

impl State {
    /// Before deployment: nobody is on the table.
    #[must_use]
    pub fn new(t: &Table) -> State {
        let mut units = [Unit::NONE; MAX_UNITS];
        for (unit, piece) in units.iter_mut().zip(&t.pieces) {
            unit.stands = piece.profile.stands;
            if piece.profile.horde() {
                unit.formation = Formation::Horde;
            }
            if piece.profile.traits.has(Traits::PAVISES) {
                unit.flags |= flag::PAVISE;
            }
        }
        State {
            at: [NOBODY; MAX_HEXES],
            units,
            generals: [General::NONE; MAX_GENERALS],
            phase: Phase::Order,
            phasing: Side::A,
            bound: 0,
            south: Side::A,
            first: Side::A,
            chooser: Side::A,
            opens: Side::B,
            commanded: u64::MAX,
            shot_at: 0,
            suppressed: 0,
            mover: Mover::NONE,
            contacts: 0,
            escapes: 0,
            room: Room::NONE,
            aside: 0,
            fight: Fight::NONE,
            outcome: Outcome::Open,
            rolls: 0,
            replies: [Reply::Ask; MAX_UNITS],
            options: t.options,
        }
    }

    /// A unit.
    #[inline]
    #[must_use]
    pub fn unit(&self, u: u8) -> &Unit {
        &self.units[usize::from(u) % MAX_UNITS]
    }

    /// A unit, to change.
    #[inline]
    pub fn unit_mut(&mut self, u: u8) -> &mut Unit {
        &mut self.units[usize::from(u) % MAX_UNITS]
    }

    /// Who stands in a hex, or [`NOBODY`].
    #[inline]
    #[must_use]
    pub fn who(&self, h: Hex) -> u8 {
        self.at.get(h.ix()).copied().unwrap_or(NOBODY)
    }

    /// Units of a side on the table.
    #[inline]
    pub fn on_table(&self, t: &Table, side: Side) -> impl Iterator<Item = u8> + '_ {
        bits(t.of_side[side.ix()]).filter(|&u| self.unit(u).hex.on())
    }

    /// Puts a unit into a hex (or off the table), without anything else.
    pub fn put(&mut self, u: u8, h: Hex) {
        let from = self.unit(u).hex;
        if self.who(from) == u {
            self.at[from.ix()] = NOBODY;
        }
        self.unit_mut(u).hex = h;
        if let Some(slot) = self.at.get_mut(h.ix()) {
            *slot = u;
        }
    }

    /// The general with a unit, or alone in a hex, of a side; [`NOBODY`] if there is none.
    #[inline]
    #[must_use]
    pub fn general_in(&self, t: &Table, side: Side, h: Hex) -> u8 {
        if !h.on() {
            return NOBODY;
        }
        bits(u64::from(t.leaders_of[side.ix()]))
            .find(|&g| self.generals[usize::from(g)].hex == h)
            .unwrap_or(NOBODY)
    }

    /// Whether a general stands without a host.
    #[inline]
    #[must_use]
    pub fn alone(&self, g: u8) -> bool {
        let h = self.generals[usize::from(g)].hex;
        h.on() && self.who(h) == NOBODY
    }

    /// Stands that a side has lost (HH-258).
    #[must_use]
    pub fn lost_stands(&self, t: &Table, side: Side) -> u16 {
        let have: u16 = bits(t.of_side[side.ix()])
            .filter(|&u| matches!(self.unit(u).fate, Fate::Field | Fate::Reserve))
            .map(|u| u16::from(self.unit(u).stands))
            .sum();
        t.stands[side.ix()].saturating_sub(have)
    }

    /// Points that a side has lost, doubled (HH-260).
    #[must_use]
    pub fn lost_points2(&self, t: &Table, side: Side) -> u16 {
        let mut sum = 0;
        for u in bits(t.of_side[side.ix()]) {
            let unit = self.unit(u);
            let gone = matches!(unit.fate, Fate::Destroyed | Fate::Left | Fate::Emptied);
            if gone {
                let points = t.pieces[usize::from(u)].points2;
                sum += if unit.formation == Formation::Block { points + points / 2 } else { points };
            }
        }
        for g in bits(u64::from(t.leaders_of[side.ix()])) {
            if self.generals[usize::from(g)].lost {
                sum += t.leaders[usize::from(g)].points2;
            }
        }
        sum
    }

    /// Rows between a hex and a side's own table edge.
    #[inline]
    #[must_use]
    pub fn rows_home(&self, t: &Table, side: Side, h: Hex) -> i16 {
        let row = t.map.grid.row(h);
        if side == self.south { t.map.grid.depth as i16 - 1 - row } else { row }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commanders and previews copy states all the time.
    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() < 3072, "{}", size_of::<State>());
    }
}
