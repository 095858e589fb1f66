//! What never changes in a battle: numbers, options, board, pieces. States refer to it by number.

use crate::army::{Army, Profile};
use crate::hex::{Hex, HexSet};
use crate::map::Map;
use crate::options::Options;
use crate::sight::Lines;
use crate::state::{MAX_GENERALS, MAX_UNITS};
use crate::tables::{Border, Tables};

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The first army.
    A,
    /// The second army.
    B,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The enemy.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// Its number, for arrays.
    #[inline]
    #[must_use]
    pub const fn ix(self) -> usize {
        self as usize
    }

    /// `A` or `B`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['A', 'B'][self as usize]
    }
}

/// A unit of the battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Its label for life: `A.Kni2`.
    pub label: String,
    /// What it is.
    pub profile: Profile,
    /// Its points (HH-019), doubled, so that halves stay whole.
    pub points2: u16,
}

/// A general of the battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// Whose he is.
    pub side: Side,
    /// His label for life: `A.Gen1`.
    pub label: String,
    /// What he is called.
    pub name: String,
    /// Command quality (HH-049).
    pub quality: u8,
    /// Whether he is a Hero General (HH-072).
    pub hero: bool,
    /// Whether he is Commander-in-Chief (HH-029).
    pub chief: bool,
    /// His points, doubled.
    pub points2: u16,
}

/// The hexes that a zone of control from one hex reaches (HH-076, HH-078).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// By side; [`Hex::NONE`] where it does not reach.
    pub by_side: [Hex; 6],
    /// The same as a set.
    pub set: HexSet,
}

impl Ring {
    /// HH-078: not off the board, not into hexes that nobody enters, not across a cliff.
    fn of(map: &Map, h: Hex) -> Ring {
        let mut ring = Ring { by_side: [Hex::NONE; 6], set: HexSet::EMPTY };
        for (d, slot) in (0..).zip(&mut ring.by_side) {
            let there = map.step(h, d);
            if there.on() && !map.barred.has(there) && map.border_at(h, d) != Border::Cliff {
                *slot = there;
                ring.set.insert(there);
            }
        }
        ring
    }
}

/// Everything fixed of one battle.
#[derive(Clone, Debug)]
pub struct Table {
    /// The numbers of the rules.
    pub rules: Tables,
    /// The switches.
    pub options: Options,
    /// The board.
    pub map: Map,
    /// What a zone of control reaches from each hex; follows from `map`.
    pub rings: Vec<Ring>,
    /// Lines of sight by offset.
    pub lines: &'static Lines,
    /// The units, side A's first.
    pub pieces: Vec<Piece>,
    /// The generals, side A's first.
    pub leaders: Vec<Leader>,
    /// Names of the armies.
    pub armies: [String; 2],
    /// Units of each side, as masks.
    pub of_side: [u64; 2],
    /// Generals of each side, as masks.
    pub leaders_of: [u16; 2],
    /// Stands of each side at the start (HH-258).
    pub stands: [u16; 2],
    /// Bounds of each side before time is up (HH-260).
    pub bound_limit: u16,
    /// Whether the set-up named the Commanders-in-Chief, instead of the lists (HH-029).
    pub chiefs_named: bool,
}

impl Table {
    /// Brings two armies to a board.
    ///
    /// # Errors
    /// If there are more units or generals than a state has room for.
    pub fn new(rules: Tables, options: Options, map: Map, armies: [&Army; 2]) -> Result<Table, String> {
        let mut pieces = Vec::new();
        let mut leaders = Vec::new();
        let mut of_side = [0_u64; 2];
        let mut leaders_of = [0_u16; 2];
        let mut stands = [0_u16; 2];
        for side in Side::BOTH {
            let army = armies[side.ix()];
            let mut numbers: Vec<(String, u16)> = Vec::new();
            for line in &army.units {
                for _ in 0..line.count {
                    let key = line.profile.label.to_ascii_lowercase();
                    let number = match numbers.iter_mut().find(|n| n.0 == key) {
                        Some(n) => {
                            n.1 += 1;
                            n.1
                        }
                        None => {
                            numbers.push((key, 1));
                            1
                        }
                    };
                    if pieces.len() >= MAX_UNITS {
                        return Err(format!("more than {MAX_UNITS} units in one battle"));
                    }
                    of_side[side.ix()] |= 1 << pieces.len();
                    stands[side.ix()] += u16::from(line.profile.stands);
                    pieces.push(Piece {
                        side,
                        label: format!("{}.{}{number}", side.letter(), line.profile.label),
                        points2: (line.profile.cost(&rules).total.max(0) * 2) as u16,
                        profile: line.profile.clone(),
                    });
                }
            }
            let mut number = 0;
            // HH-029: the one whom the list names, else the first
            let chief = army.generals.iter().position(|l| l.chief && l.count > 0);
            for (at, line) in army.generals.iter().enumerate() {
                for first in (0..line.count).map(|k| k == 0) {
                    if leaders.len() >= MAX_GENERALS {
                        return Err(format!("more than {MAX_GENERALS} generals in one battle"));
                    }
                    number += 1;
                    leaders_of[side.ix()] |= 1 << leaders.len();
                    leaders.push(Leader {
                        side,
                        label: format!("{}.Gen{number}", side.letter()),
                        name: line.name.clone(),
                        quality: line.quality,
                        hero: line.hero,
                        chief: chief.map_or(number == 1, |c| c == at && first),
                        points2: (crate::army::general_cost(&rules, line).unwrap_or(0).max(0) * 2) as u16,
                    });
                }
            }
        }
        Ok(Table {
            lines: Lines::shared(),
            options,
            rings: map.grid.all().map(|h| Ring::of(&map, h)).collect(),
            map,
            pieces,
            leaders,
            armies: [armies[0].name.clone(), armies[1].name.clone()],
            of_side,
            leaders_of,
            stands,
            bound_limit: rules.bound_limit,
            chiefs_named: false,
            rules,
        })
    }

    /// HH-029: names the Commander-in-Chief of a side.
    pub fn name_chief(&mut self, side: Side, g: u8) {
        self.chiefs_named = true;
        for (n, leader) in self.leaders.iter_mut().enumerate().filter(|(_, l)| l.side == side) {
            leader.chief = n == usize::from(g);
        }
    }

    /// What a unit is.
    ///
    /// `u` is a unit of this battle; ids come from this table only.
    #[inline]
    #[must_use]
    pub fn profile(&self, u: u8) -> &Profile {
        &self.pieces[usize::from(u)].profile
    }

    /// Whose a unit is.
    #[inline]
    #[must_use]
    pub fn side(&self, u: u8) -> Side {
        if self.of_side[0] >> (u & 63) & 1 == 1 { Side::A } else { Side::B }
    }

    /// Its label.
    #[must_use]
    pub fn label(&self, u: u8) -> &str {
        self.pieces.get(usize::from(u)).map_or("nobody", |p| &p.label)
    }

    /// A general's label.
    #[must_use]
    pub fn leader_label(&self, g: u8) -> &str {
        self.leaders.get(usize::from(g)).map_or("nobody", |l| &l.label)
    }

    /// A hex's label.
    #[must_use]
    pub fn hex(&self, h: crate::hex::Hex) -> String {
        self.map.grid.label(h)
    }
}
