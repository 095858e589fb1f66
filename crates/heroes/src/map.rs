//! Maps: hexes, heights, roads and borders (HH-012 to HH-018, HH-110), and a text form that a person can type.
//!
//! One line of the file is one row of hexes, top row first, one word a hex: a letter for the ground and, if it is
//! raised, its height (`w2`). Indent every second row if you like. Below stand `road: A5 B5 C6` (one hex after
//! the other), and for each kind of border `wall: C4 ne, D4 w e`. `name: …` and `# …` may stand anywhere.

use crate::hex::{DELTA, Dir, Grid, Hex, HexSet, MAX_HEXES, SIDE_WORDS, opposite};
use crate::tables::{Border, Ground, Tables};
use std::fmt::Write as _;

/// The maps shipped, by name.
pub const MAPS: &[(&str, &str)] = &[
    ("open-field", include_str!("../../../data/maps/heroes/open-field.map")),
    ("two-bridges", include_str!("../../../data/maps/heroes/two-bridges.map")),
    ("deep-woods", include_str!("../../../data/maps/heroes/deep-woods.map")),
    ("escarpment", include_str!("../../../data/maps/heroes/escarpment.map")),
    ("market-town", include_str!("../../../data/maps/heroes/market-town.map")),
    ("fords", include_str!("../../../data/maps/heroes/fords.map")),
    ("lakeland", include_str!("../../../data/maps/heroes/lakeland.map")),
    ("hedges", include_str!("../../../data/maps/heroes/hedges.map")),
];

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// Its size.
    pub grid: Grid,
    /// Ground by hex.
    pub ground: Vec<Ground>,
    /// Height by hex.
    pub height: Vec<i8>,
    /// Sides that a road runs through, by hex, as masks of six bits.
    pub road: Vec<u8>,
    /// What stands on the six borders of each hex.
    pub border: Vec<[Border; 6]>,
    /// The six neighbours of each hex, [`Hex::NONE`] off the board.
    pub next: Vec<[Hex; 6]>,
    /// Hexes that nobody can enter.
    pub barred: HexSet,
}

/// Everything that is wrong with a map file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct BadMap(pub Vec<String>);

impl Map {
    /// A board of clear ground.
    #[must_use]
    pub fn open(width: u16, depth: u16) -> Map {
        let width = width.clamp(1, 24);
        let grid = Grid::new(width, depth.clamp(1, MAX_HEXES as u16 / width));
        let n = grid.len();
        let next = grid
            .all()
            .map(|h| {
                let (q, r) = grid.axial(h);
                DELTA.map(|(dq, dr)| grid.from_axial(q + dq, r + dr))
            })
            .collect();
        Map {
            name: "open".to_owned(),
            grid,
            ground: vec![Ground::Clear; n],
            height: vec![0; n],
            road: vec![0; n],
            border: vec![[Border::Open; 6]; n],
            next,
            barred: HexSet::EMPTY,
        }
    }

    /// A map that is shipped, by name or a clear beginning.
    ///
    /// # Errors
    /// Names the maps that exist.
    pub fn shipped(name: &str, t: &Tables) -> Result<Map, BadMap> {
        let want = name.to_ascii_lowercase();
        let hits: Vec<_> =
            MAPS.iter().filter(|(n, _)| *n == want || (want.len() >= 2 && n.starts_with(&want))).collect();
        match hits[..] {
            [(file, text)] => Map::parse(text, t, file),
            _ => {
                let mut names: Vec<&str> = MAPS.iter().map(|m| m.0).collect();
                names.sort_by_key(|n| strsim::damerau_levenshtein(n, &want));
                Err(BadMap(vec![format!(
                    "no map `{name}`; did you mean {}? (maps: {}, or `random`)",
                    names[0],
                    MAPS.iter().map(|m| m.0).collect::<Vec<_>>().join(", ")
                )]))
            }
        }
    }

    /// The neighbour through a side.
    #[inline]
    #[must_use]
    pub fn step(&self, h: Hex, d: Dir) -> Hex {
        self.next.get(h.ix()).map_or(Hex::NONE, |n| n[d as usize % 6])
    }

    /// What stands on the border through a side.
    #[inline]
    #[must_use]
    pub fn border_at(&self, h: Hex, d: Dir) -> Border {
        self.border.get(h.ix()).map_or(Border::Open, |b| b[d as usize % 6])
    }

    /// The ground of a hex; nobody enters what lies off the board.
    #[inline]
    #[must_use]
    pub fn ground_at(&self, h: Hex) -> Ground {
        self.ground.get(h.ix()).copied().unwrap_or(Ground::Impassable)
    }

    /// The height of a hex.
    #[inline]
    #[must_use]
    pub fn height_at(&self, h: Hex) -> i8 {
        self.height.get(h.ix()).copied().unwrap_or(0)
    }

    /// Whether the road of a hex runs through a side, and the neighbour's comes back.
    #[inline]
    #[must_use]
    pub fn road_through(&self, h: Hex, d: Dir) -> bool {
        self.road.get(h.ix()).is_some_and(|r| r >> d & 1 == 1)
    }

    /// Puts a border between a hex and its neighbour, on both sides.
    pub fn put_border(&mut self, h: Hex, d: Dir, b: Border) {
        let there = self.step(h, d);
        if let Some(all) = self.border.get_mut(h.ix()) {
            all[d as usize % 6] = b;
        }
        if let Some(all) = self.border.get_mut(there.ix()) {
            all[opposite(d) as usize] = b;
        }
    }

    /// Lays a road from a hex to its neighbour.
    pub fn put_road(&mut self, h: Hex, d: Dir) {
        let there = self.step(h, d);
        if there.on() {
            self.road[h.ix()] |= 1 << d;
            self.road[there.ix()] |= 1 << opposite(d);
        }
    }

    /// Sets the ground of a hex.
    pub fn put_ground(&mut self, h: Hex, g: Ground) {
        if let Some(slot) = self.ground.get_mut(h.ix()) {
            *slot = g;
            if matches!(g, Ground::Lake | Ground::Impassable) {
                self.barred.insert(h);
            } else {
                self.barred.remove(h);
            }
        }
    }

    /// Reads the text form; `file` is what messages call it.
    ///
    /// # Errors
    /// All that is wrong, each with its line and what would be right.
    pub fn parse(text: &str, t: &Tables, file: &str) -> Result<Map, BadMap> {
        let mut wrong = Vec::new();
        let mut name = file.to_owned();
        let mut rows: Vec<(usize, Vec<(Ground, i8)>)> = Vec::new();
        let mut later: Vec<(usize, &str, &str)> = Vec::new();
        for (n, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            if let Some((key, rest)) = line.split_once(':') {
                match key.trim() {
                    "name" => name = rest.trim().to_owned(),
                    key => later.push((n + 1, key, rest)),
                }
                continue;
            }
            let mut row = Vec::new();
            let first = line.split_whitespace().next().unwrap_or("");
            if ["name", "road"].contains(&first) || Border::ALL.iter().any(|b| b.1 == first) {
                wrong.push(format!("{file}:{}: `{first}` wants a colon behind it: {first}: …", n + 1));
                continue;
            }
            for word in line.split_whitespace() {
                match hex_word(word, t) {
                    Ok(hex) => row.push(hex),
                    Err(why) => {
                        wrong.push(format!("{file}:{}: hex {} `{word}` {why}", n + 1, row.len() + 1));
                        row.push((Ground::Clear, 0));
                    }
                }
            }
            rows.push((n + 1, row));
        }
        let width = rows.first().map_or(0, |r| r.1.len());
        for (line, row) in &rows {
            if row.len() != width {
                wrong.push(format!("{file}:{line}: this row has {} hexes, the first has {width}", row.len()));
            }
        }
        if width == 0 || rows.len() < 2 {
            wrong.push(format!("{file}: a map needs at least two rows of hexes, one word a hex"));
            return Err(BadMap(wrong));
        }
        if width > 24 || width * rows.len() > MAX_HEXES {
            wrong.push(format!(
                "{file}: {width} by {} hexes; at most 24 wide and {MAX_HEXES} in all",
                rows.len()
            ));
            return Err(BadMap(wrong));
        }
        let mut map = Map::open(width as u16, rows.len() as u16);
        map.name = name;
        for (r, (_, row)) in rows.iter().enumerate() {
            for (c, &(ground, height)) in row.iter().enumerate().take(width) {
                let h = map.grid.at(c as i16, r as i16);
                map.put_ground(h, ground);
                map.height[h.ix()] = height;
            }
        }
        for (line, key, rest) in later {
            if let Err(why) = map.read_feature(key, rest) {
                wrong.push(format!("{file}:{line}: {why}"));
            }
        }
        if wrong.is_empty() { Ok(map) } else { Err(BadMap(wrong)) }
    }

    /// What a person would not have meant, in a map that reads: roads into hexes that nobody enters.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let sunk = |h: &Hex| self.barred.has(*h) && self.road.get(h.ix()).is_some_and(|&r| r != 0);
        self.grid
            .all()
            .filter(sunk)
            .map(|h| {
                format!(
                    "road: it runs into {}, which is {}: lead it round, or make that hex a bridge, `=`",
                    self.grid.label(h),
                    self.ground_at(h).name()
                )
            })
            .collect()
    }

    fn read_feature(&mut self, key: &str, rest: &str) -> Result<(), String> {
        if key == "road" {
            let hexes: Vec<Hex> =
                rest.split_whitespace().map(|w| self.grid.read(w)).collect::<Result<_, String>>()?;
            if hexes.len() < 2 {
                return Err(format!(
                    "road:{rest}: a road leads from one hex to another; name all that it runs through, like road: A5 B5 C6"
                ));
            }
            for pair in hexes.windows(2) {
                let Some(d) = self.grid.side_towards(pair[0], pair[1]) else {
                    return Err(format!(
                        "road: {} and {} do not touch; name every hex that it runs through",
                        self.grid.label(pair[0]),
                        self.grid.label(pair[1])
                    ));
                };
                self.put_road(pair[0], d);
            }
            return Ok(());
        }
        let Some(&(border, _)) = Border::ALL.iter().find(|b| b.1 == key) else {
            return Err(format!("`{key}` is unknown: name, road, escarpment, wall, fieldwork or cliff"));
        };
        for part in rest.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let mut words = part.split_whitespace();
            let h = self.grid.read(words.next().unwrap_or(""))?;
            let mut any = false;
            for word in words {
                any = true;
                let Some(d) = SIDE_WORDS.iter().position(|s| s.eq_ignore_ascii_case(word)) else {
                    return Err(format!("`{word}` is no side: e, se, sw, w, nw or ne"));
                };
                let d = d as Dir;
                if !self.step(h, d).on() {
                    return Err(format!(
                        "side {word} of {} is the edge of the board: nothing stands there",
                        self.grid.label(h)
                    ));
                }
                self.put_border(h, d, border);
            }
            if !any {
                return Err(format!("`{part}` names no side: say `{part} ne` or the like"));
            }
        }
        Ok(())
    }

    /// The text form, which [`Map::parse`] reads back.
    #[must_use]
    pub fn text(&self, t: &Tables) -> String {
        let mut out = format!("name: {}\n", self.name);
        for r in 0..self.grid.depth as i16 {
            out.push_str(if r % 2 == 1 { " " } else { "" });
            for c in 0..self.grid.width as i16 {
                let h = self.grid.at(c, r);
                let mut word = t.ground[self.ground_at(h) as usize].letter.to_string();
                if self.height_at(h) != 0 {
                    let _ = write!(word, "{}", self.height_at(h));
                }
                let _ = write!(out, "{word:<3}");
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        let half = |d: &Dir| *d < 3;
        for h in self.grid.all() {
            for d in (0..6).filter(half).filter(|&d| self.road_through(h, d)) {
                let _ = writeln!(out, "road: {} {}", self.grid.label(h), self.grid.label(self.step(h, d)));
            }
        }
        for (border, name) in Border::ALL {
            let mut parts = Vec::new();
            for h in self.grid.all() {
                for d in
                    (0..6).filter(half).filter(|&d| self.border_at(h, d) == border && self.step(h, d).on())
                {
                    parts.push(format!("{} {}", self.grid.label(h), SIDE_WORDS[d as usize]));
                }
            }
            if !parts.is_empty() {
                let _ = writeln!(out, "{name}: {}", parts.join(", "));
            }
        }
        out
    }

    /// A random map that is fair: what lies before one side lies before the other, turned by half a circle.
    #[must_use]
    pub fn random(seed: u64, width: u16, depth: u16) -> Map {
        let mut map = Map::open(width, depth / 2 * 2);
        map.name = format!("random {seed}");
        let mut mix = Mix(seed);
        let (w, d) = (map.grid.width as i16, map.grid.depth as i16);
        let turned = |map: &Map, h: Hex| {
            let (c, r) = map.grid.column_row(h);
            map.grid.at(w - 1 - c, d - 1 - r)
        };
        let both = |map: &mut Map, h: Hex, g: Ground, height: i8| {
            for x in [h, turned(map, h)] {
                map.put_ground(x, g);
                if x.on() {
                    map.height[x.ix()] = height;
                }
            }
        };
        if mix.below(3) == 0 {
            // a river straight across the middle, with crossings that mirror each other
            let row = d / 2;
            for c in 0..w {
                let h = map.grid.at(c, row - 1);
                if c % 2 == 0 || mix.below(2) == 0 {
                    both(&mut map, h, Ground::River, 0);
                }
            }
            for n in 0..2 + mix.below(2) as i16 {
                let c = (n * w / 3 + mix.below(3) as i16) % w;
                let h = map.grid.at(c, row - 1);
                both(&mut map, h, if n == 0 { Ground::Bridge } else { Ground::Ford }, 0);
            }
        }
        for _ in 0..2 + mix.below(3) {
            let (ground, height) = match mix.below(6) {
                0 | 1 => (Ground::Woods, 0),
                2 => (Ground::Broken, 0),
                3 => (Ground::Town, 0),
                4 => (Ground::Lake, 0),
                _ => (Ground::Clear, 1),
            };
            let mut h = map.grid.at(mix.below(w as u64) as i16, mix.below(d as u64 / 2) as i16);
            for _ in 0..2 + mix.below(4) {
                if h.on() && map.ground_at(h) == Ground::Clear && map.height_at(h) == 0 {
                    both(&mut map, h, ground, height);
                }
                let there = map.step(h, mix.below(6) as Dir);
                if there.on() {
                    h = there;
                }
            }
        }
        map
    }
}

/// Reads the word of one hex.
fn hex_word(word: &str, t: &Tables) -> Result<(Ground, i8), String> {
    let mut letters = word.chars();
    let letter = letters.next().unwrap_or(' ');
    let known = Ground::ALL.iter().find(|(g, _)| t.ground[*g as usize].letter == letter.to_ascii_lowercase());
    let Some(&(ground, _)) = known else {
        let all: Vec<String> =
            Ground::ALL.iter().map(|(g, name)| format!("{} {name}", t.ground[*g as usize].letter)).collect();
        return Err(format!("is unknown: {}", all.join(", ")));
    };
    match letters.as_str() {
        "" => Ok((ground, 0)),
        digits => match digits.parse::<i8>() {
            Ok(n @ 0..=9) => Ok((ground, n)),
            _ => Err("has no height: a digit from 0 to 9 follows the letter".to_owned()),
        },
    }
}

/// Numbers for the map generator: a map is set-up, not a throw of the game.
struct Mix(u64);

impl Mix {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_map_reads_back() {
        let t = Tables::shipped();
        assert_eq!(MAPS.len(), 8);
        for (name, text) in MAPS {
            let map = Map::parse(text, &t, name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!((map.grid.width, map.grid.depth), (t.board[0], t.board[1]), "{name}: HH-013");
            assert_eq!(Map::parse(&map.text(&t), &t, name).unwrap(), map, "{name}");
        }
    }

    #[test]
    fn random_maps_are_fair_and_read_back() {
        let t = Tables::shipped();
        for seed in 0..60 {
            let map = Map::random(seed, 18, 12);
            assert_eq!(map, Map::random(seed, 18, 12));
            for h in map.grid.all() {
                let (c, r) = map.grid.column_row(h);
                let there = map.grid.at(17 - c, 11 - r);
                assert_eq!(map.ground_at(h), map.ground_at(there), "seed {seed}");
                assert_eq!(map.height_at(h), map.height_at(there), "seed {seed}");
            }
            assert_eq!(Map::parse(&map.text(&t), &t, "x").unwrap(), map);
        }
    }

    #[test]
    fn bad_maps_say_where_and_what_would_be_right() {
        let t = Tables::shipped();
        for (text, parts) in [
            (". .\n. . .\n", &["x:2", "3 hexes"][..]),
            (". q\n. .\n", &["x:1", "`q`", "w woods"]),
            (". .\n. .\nroad: A1 C9\n", &["x:3", "C9", "off the board"]),
            (". . .\n. . .\nroad: A1 C1\n", &["do not touch"]),
            (". .\n. .\nwall: A1 nw\n", &["edge of the board"]),
            (". .\n. .\nwall: A1 up\n", &["`up`", "e, se"]),
            (". .\n. .\nmoat: A1 e\n", &["`moat`", "fieldwork"]),
            ("", &["two rows"]),
        ] {
            let error = Map::parse(text, &t, "x").unwrap_err().to_string();
            assert!(parts.iter().all(|p| error.contains(p)), "{text}: {error}");
        }
    }
}
