//! Hexes, sides, points and sets of hexes (HH-012 to HH-018).
//!
//! A hex is its number on the board, row by row from the upper left; a set of hexes is a bit board.
//! Columns are letters, rows are numbers from the top: `C4`. Odd rows (the second, the fourth …) are
//! shifted half a hex to the right, so axial q is `column - row / 2`.

use std::fmt;

/// Most hexes that a board can have (24 by 16).
pub const MAX_HEXES: usize = 384;
const WORDS: usize = MAX_HEXES / 64;

/// A hex of the board, or [`Hex::NONE`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(pub u16);

impl Hex {
    /// No hex: off the table.
    pub const NONE: Hex = Hex(u16::MAX);

    /// Whether this is a hex at all.
    #[inline]
    #[must_use]
    pub const fn on(self) -> bool {
        self.0 != u16::MAX
    }

    /// The number, for arrays.
    #[inline]
    #[must_use]
    pub const fn ix(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on() { write!(f, "#{}", self.0) } else { f.write_str("-") }
    }
}

/// A side of a hex, 0 to 5 clockwise from the east (HH-012).
pub type Dir = u8;

/// Axial offsets of the six sides (HH-012).
pub const DELTA: [(i16, i16); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// Words for the six sides.
pub const SIDE_WORDS: [&str; 6] = ["e", "se", "sw", "w", "nw", "ne"];
/// Words for the six points (point i lies between side i and side i + 1; point 4 is north).
pub const POINT_WORDS: [&str; 6] = ["se", "s", "sw", "nw", "n", "ne"];

/// The opposite side.
#[inline]
#[must_use]
pub const fn opposite(d: Dir) -> Dir {
    (d + 3) % 6
}

/// Where a unit looks: 0 to 5 a point (HH-014), 6 to 11 along the road through side 0 to 5 (HH-016).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Facing(pub u8);

impl Facing {
    /// All twelve: the six points, then the six roads.
    pub const COUNT: u8 = 12;

    /// Facing a point.
    #[inline]
    #[must_use]
    pub const fn point(p: u8) -> Facing {
        Facing(p % 6)
    }

    /// Facing along a road through a side.
    #[inline]
    #[must_use]
    pub const fn road(side: Dir) -> Facing {
        Facing(6 + side % 6)
    }

    /// The side that the unit faces along a road, if it does.
    #[inline]
    #[must_use]
    pub const fn road_side(self) -> Option<Dir> {
        if self.0 >= 6 { Some(self.0 - 6) } else { None }
    }

    /// Front sides as a mask of six bits (HH-015, HH-017).
    #[inline]
    #[must_use]
    pub const fn front(self) -> u8 {
        if self.0 < 6 { (1 << self.0) | (1 << ((self.0 + 1) % 6)) } else { 1 << (self.0 - 6) }
    }

    /// Rear sides as a mask of six bits (HH-015, HH-017).
    #[inline]
    #[must_use]
    pub const fn rear(self) -> u8 {
        if self.0 < 6 {
            (1 << ((self.0 + 3) % 6)) | (1 << ((self.0 + 4) % 6))
        } else {
            let s = self.0 - 6;
            (1 << ((s + 2) % 6)) | (1 << ((s + 3) % 6)) | (1 << ((s + 4) % 6))
        }
    }

    /// Whether a side is a front side.
    #[inline]
    #[must_use]
    pub const fn fronts(self, d: Dir) -> bool {
        self.front() >> d & 1 == 1
    }

    /// The angle in twelfths of a turn, clockwise: points are odd, sides are even.
    #[inline]
    const fn angle(self) -> i16 {
        if self.0 < 6 { self.0 as i16 * 2 + 1 } else { (self.0 as i16 - 6) * 2 }
    }

    /// Points between two facings: turning from a road side to either of its corners, or back, counts as
    /// one (HH-017); so does from point to next point.
    #[inline]
    #[must_use]
    pub const fn points_to(self, to: Facing) -> u8 {
        Facing::POINTS[(self.0 % Facing::COUNT) as usize][(to.0 % Facing::COUNT) as usize]
    }

    const POINTS: [[u8; 12]; 12] = {
        let mut all = [[0; 12]; 12];
        let mut a = 0;
        while a < 12 {
            let mut b = 0;
            while b < 12 {
                all[a][b] = Facing(a as u8).points_between(Facing(b as u8));
                b += 1;
            }
            a += 1;
        }
        all
    };

    const fn points_between(self, to: Facing) -> u8 {
        let mut a = (self.angle() - to.angle()) % 12;
        if a < 0 {
            a += 12;
        }
        if a > 6 {
            a = 12 - a;
        }
        ((a + 1) / 2) as u8
    }

    /// The two points at the ends of a side: where a unit may look that crossed it last (HH-228).
    #[inline]
    #[must_use]
    pub const fn after_crossing(d: Dir) -> [Facing; 2] {
        [Facing((d + 5) % 6), Facing(d % 6)]
    }

    /// The word: `n`, `se`; along a road `road-e`.
    #[must_use]
    pub fn word(self) -> &'static str {
        const ROADS: [&str; 6] = ["road-e", "road-se", "road-sw", "road-w", "road-nw", "road-ne"];
        if self.0 < 6 { POINT_WORDS[self.0 as usize] } else { ROADS[(self.0 as usize - 6) % 6] }
    }

    /// Reads a word.
    #[must_use]
    pub fn read(word: &str) -> Option<Facing> {
        let word = word.to_ascii_lowercase();
        (0..Facing::COUNT).map(Facing).find(|f| f.word() == word)
    }
}

impl fmt::Debug for Facing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A set of hexes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct HexSet([u64; WORDS]);

impl HexSet {
    /// No hex.
    pub const EMPTY: HexSet = HexSet([0; WORDS]);

    /// Puts a hex in; [`Hex::NONE`] changes nothing.
    #[inline]
    pub fn insert(&mut self, h: Hex) {
        if let Some(w) = self.0.get_mut(h.ix() / 64) {
            *w |= 1 << (h.0 % 64);
        }
    }

    /// Takes a hex out.
    #[inline]
    pub fn remove(&mut self, h: Hex) {
        if let Some(w) = self.0.get_mut(h.ix() / 64) {
            *w &= !(1 << (h.0 % 64));
        }
    }

    /// Whether a hex is in it.
    #[inline]
    #[must_use]
    pub fn has(&self, h: Hex) -> bool {
        self.0.get(h.ix() / 64).is_some_and(|w| w >> (h.0 % 64) & 1 == 1)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The hexes in order.
    pub fn iter(&self) -> impl Iterator<Item = Hex> + '_ {
        self.0.iter().enumerate().flat_map(|(n, &w)| {
            let mut w = w;
            std::iter::from_fn(move || {
                (w != 0).then(|| {
                    let bit = w.trailing_zeros();
                    w &= w - 1;
                    Hex((n * 64) as u16 + bit as u16)
                })
            })
        })
    }
}

impl fmt::Debug for HexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl std::ops::BitOr for HexSet {
    type Output = HexSet;
    #[inline]
    fn bitor(mut self, other: HexSet) -> HexSet {
        self |= other;
        self
    }
}

impl std::ops::BitOrAssign for HexSet {
    #[inline]
    fn bitor_assign(&mut self, other: HexSet) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }
}

impl std::ops::BitAnd for HexSet {
    type Output = HexSet;
    #[inline]
    fn bitand(mut self, other: HexSet) -> HexSet {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a &= b;
        }
        self
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<T: IntoIterator<Item = Hex>>(iter: T) -> Self {
        let mut set = HexSet::EMPTY;
        iter.into_iter().for_each(|h| set.insert(h));
        set
    }
}

/// Size of a board and its arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Hexes in a row.
    pub width: u16,
    /// Rows.
    pub depth: u16,
    /// 2¹⁶ / width, rounded up: rows are found by multiplying, since commanders ask for distances all the time.
    reciprocal: u32,
}

impl Grid {
    /// A board of some size; at least one hex wide.
    #[must_use]
    pub const fn new(width: u16, depth: u16) -> Grid {
        let width = if width == 0 { 1 } else { width };
        Grid { width, depth, reciprocal: (1 << 16) / width as u32 + 1 }
    }

    /// How many hexes there are.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// Whether there is no hex.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All hexes.
    pub fn all(self) -> impl Iterator<Item = Hex> {
        (0..self.width * self.depth).map(Hex)
    }

    /// Column and row of a hex.
    #[inline]
    #[must_use]
    pub const fn column_row(self, h: Hex) -> (i16, i16) {
        let row = self.row(h);
        ((h.0 - row as u16 * self.width) as i16, row)
    }

    /// Row of a hex, from the top.
    #[inline]
    #[must_use]
    pub const fn row(self, h: Hex) -> i16 {
        if h.ix() < MAX_HEXES {
            // exact for every hex of every board: the error is below MAX_HEXES / 2¹⁶, a column at least 1 / 24
            ((h.0 as u32 * self.reciprocal) >> 16) as i16
        } else {
            (h.0 / self.width) as i16
        }
    }

    /// The hex in a column and row.
    #[inline]
    #[must_use]
    pub const fn at(self, column: i16, row: i16) -> Hex {
        if column < 0 || row < 0 || column >= self.width as i16 || row >= self.depth as i16 {
            Hex::NONE
        } else {
            Hex(row as u16 * self.width + column as u16)
        }
    }

    /// Axial coordinates (q, r) with the upper left hex at (0, 0).
    #[inline]
    #[must_use]
    pub const fn axial(self, h: Hex) -> (i16, i16) {
        let (c, r) = self.column_row(h);
        (c - r / 2, r)
    }

    /// The hex at axial coordinates.
    #[inline]
    #[must_use]
    pub const fn from_axial(self, q: i16, r: i16) -> Hex {
        if r < 0 { Hex::NONE } else { self.at(q + r / 2, r) }
    }

    /// Steps between two hexes.
    #[inline]
    #[must_use]
    pub const fn distance(self, a: Hex, b: Hex) -> u16 {
        let ((aq, ar), (bq, br)) = (self.axial(a), self.axial(b));
        let (dq, dr) = (aq - bq, ar - br);
        ((dq.abs() + dr.abs() + (dq + dr).abs()) / 2) as u16
    }

    /// The side of `a` that `b` lies on, if they touch.
    #[inline]
    #[must_use]
    pub fn side_towards(self, a: Hex, b: Hex) -> Option<Dir> {
        let ((aq, ar), (bq, br)) = (self.axial(a), self.axial(b));
        let want = (bq - aq, br - ar);
        DELTA.iter().position(|&d| d == want).map(|d| d as Dir)
    }

    /// `C4`.
    #[must_use]
    pub fn label(self, h: Hex) -> String {
        if !h.on() {
            return "-".to_owned();
        }
        let (c, r) = self.column_row(h);
        format!("{}{}", char::from(b'A' + (c as u8 % 26)), r + 1)
    }

    /// Reads `C4` in any case.
    ///
    /// # Errors
    /// A sentence that says what is wrong and what the board has.
    pub fn read(self, text: &str) -> Result<Hex, String> {
        let last = self.label(Hex((self.len() - 1) as u16));
        let bad = |why: &str| Err(format!("`{text}` {why}: hexes go from A1 to {last}"));
        let mut letters = text.chars();
        let Some(column) = letters.next().filter(char::is_ascii_alphabetic) else {
            return bad("is no hex");
        };
        let Ok(row) = letters.as_str().parse::<i16>() else { return bad("is no hex") };
        let column = i16::from(column.to_ascii_uppercase() as u8 - b'A');
        match self.at(column, row - 1) {
            h if h.on() => Ok(h),
            _ => bad("lies off the board"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GRID: Grid = Grid::new(18, 12);

    #[test]
    fn sides_and_points_are_those_of_hh_012() {
        let middle = GRID.read("i6").unwrap();
        let (q, r) = GRID.axial(middle);
        for (d, (dq, dr)) in DELTA.into_iter().enumerate() {
            let there = GRID.from_axial(q + dq, r + dr);
            assert_eq!(GRID.side_towards(middle, there), Some(d as Dir));
            assert_eq!(GRID.distance(middle, there), 1);
        }
        assert_eq!(Facing::point(4).word(), "n");
        assert_eq!(Facing::point(4).front(), 0b11_0000);
        assert_eq!(Facing::point(4).rear(), 0b00_0110);
        assert_eq!(Facing::road(0).rear(), 0b01_1100);
    }

    #[test]
    fn a_turn_is_counted_in_points() {
        let n = Facing::point(4);
        assert_eq!(n.points_to(Facing::point(5)), 1);
        assert_eq!(n.points_to(Facing::point(1)), 3);
        assert_eq!(Facing::road(0).points_to(Facing::point(0)), 1);
        assert_eq!(Facing::road(0).points_to(Facing::point(5)), 1);
        assert_eq!(Facing::road(0).points_to(Facing::road(3)), 3);
    }

    #[test]
    fn rows_are_exact_on_every_board() {
        for width in 1..=24 {
            let grid = Grid::new(width, MAX_HEXES as u16 / width);
            for h in grid.all().chain([Hex::NONE]) {
                assert_eq!(grid.row(h), (h.0 / width) as i16, "{h:?} of {width}");
                assert_eq!(grid.column_row(h).0, (h.0 % width) as i16, "{h:?} of {width}");
            }
        }
    }

    fn hex() -> impl Strategy<Value = Hex> {
        (0..GRID.len() as u16).prop_map(Hex)
    }

    proptest! {
        #[test]
        fn distance_is_that_of_a_hex_crate(a in hex(), b in hex()) {
            let as_hexx = |h| { let (q, r) = GRID.axial(h); hexx::Hex::new(q.into(), r.into()) };
            prop_assert_eq!(u32::from(GRID.distance(a, b)), as_hexx(a).unsigned_distance_to(as_hexx(b)));
        }

        #[test]
        fn labels_read_back(a in hex()) {
            prop_assert_eq!(GRID.read(&GRID.label(a)), Ok(a));
            let (q, r) = GRID.axial(a);
            prop_assert_eq!(GRID.from_axial(q, r), a);
        }

        #[test]
        fn sets_hold_what_was_put_in(all in prop::collection::btree_set(hex(), 0..40)) {
            let set: HexSet = all.iter().copied().collect();
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), all.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(set.len() as usize, all.len());
        }
    }
}
