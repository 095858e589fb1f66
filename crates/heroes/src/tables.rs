//! The numbers of the rules (`data/rules/heroes.toml`), read into dense arrays.
//!
//! The file is compiled in; a person with the rule book may correct the cells marked `[C]` there, and a
//! house-rules file overlays it. What is wrong in such a file is said with its key and what would be right.

mod read;

use read::Raw;
use serde::Deserialize;

/// The shipped tables.
pub const SHIPPED: &str = include_str!("../../../data/rules/heroes.toml");

/// Class of a unit, best first (HH-007).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Class {
    /// The best.
    A,
    /// Good.
    B,
    /// Usual.
    C,
    /// Poor.
    D,
    /// The worst.
    E,
}

impl Class {
    /// All, best first.
    pub const ALL: [Class; 5] = [Class::A, Class::B, Class::C, Class::D, Class::E];

    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        ['A', 'B', 'C', 'D', 'E'][self as usize]
    }

    /// Reads its letter.
    #[must_use]
    pub fn read(text: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|c| text.eq_ignore_ascii_case(&c.letter().to_string()))
    }
}

/// Troop types of the terrain rules (HH-006); generals are no units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Troop {
    /// F: foot.
    Foot,
    /// M: mounted.
    Mounted,
    /// W: chariots, artillery, war wagons, rocket carts.
    Wheeled,
    /// El: elephants, mounted for terrain.
    Elephant,
}

impl Troop {
    /// Its code in the lists.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["F", "M", "W", "El"][self as usize]
    }

    /// Reads its code.
    #[must_use]
    pub fn read(text: &str) -> Option<Troop> {
        [Troop::Foot, Troop::Mounted, Troop::Wheeled, Troop::Elephant]
            .into_iter()
            .find(|t| t.code().eq_ignore_ascii_case(text))
    }
}

/// Characteristics (HH-032), one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traits(pub u32);

macro_rules! traits {
    ($($name:ident = $bit:literal, $code:literal, $doc:literal;)*) => {
        impl Traits {
            $(#[doc = $doc] pub const $name: Traits = Traits(1 << $bit);)*
            /// All with their codes and what they do, in one line.
            pub const ALL: &'static [(Traits, &'static str, &'static str)] =
                &[$((Traits::$name, $code, $doc)),*];
        }
    };
}

traits! {
    A1 = 0, "A1", "armour: shooters need 1 more (HH-162)";
    A2 = 1, "A2", "heavy armour: shooters need 2 more (HH-162)";
    HT = 2, "HT", "hard target: shooting has no effect on it (HH-173)";
    GUN = 3, "G", "gunpowder: its shots ignore personal armour (HH-166)";
    CROSSBOW = 4, "C", "crossbows: the target's armour counts one step less (HH-165)";
    HORDE = 5, "H", "horde: no column, commanded only by contact (HH-061)";
    AGGRESSIVE_HORDE = 6, "AH", "aggressive horde: attacks when out of command (HH-130)";
    E1 = 7, "E1", "may evade 1 hex when contacted (HH-135)";
    E2 = 8, "E2", "may evade up to 2 hexes when contacted (HH-135)";
    FLEES = 9, "F", "may make a voluntary flee move when contacted (HH-138)";
    SHIELDS = 10, "S", "may form shield wall (HH-121)";
    STAKES = 11, "St", "carries stakes (HH-248)";
    PAVISES = 12, "Pv", "carries pavises (HH-250)";
    PIKES = 13, "Pk", "pikes: three units may merge into two blocks (HH-119)";
    COMBINED = 14, "CA", "combined arms: two stands fight, two shoot (HH-128)";
    DISMOUNTS = 15, "Dm", "may dismount (HH-129)";
    CHARIOT = 16, "Ch", "shoots on contact (HH-157)";
    ELEPHANT = 17, "El", "elephants: beaten, they run one hex at random (HH-245)";
    AGGRESSIVE = 18, "Ag", "aggressive: attacks when out of command (HH-130)";
}

impl Traits {
    /// Whether all of these are there.
    #[inline]
    #[must_use]
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of these is there.
    #[inline]
    #[must_use]
    pub const fn any(self, other: u32) -> bool {
        self.0 & other != 0
    }

    /// Reads a code.
    #[must_use]
    pub fn read(code: &str) -> Option<Traits> {
        Traits::ALL.iter().find(|t| t.1.eq_ignore_ascii_case(code)).map(|t| t.0)
    }

    /// The codes, in the order of the table.
    pub fn codes(self) -> impl Iterator<Item = &'static str> {
        Traits::ALL.iter().filter(move |t| self.has(t.0)).map(|t| t.1)
    }
}

/// What a unit shoots with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shooting {
    /// Nothing.
    #[default]
    None,
    /// Small arms that need this score on a d12 (HH-161).
    Score(u8),
    /// Artillery of this number in [`Tables::artillery`] (HH-185).
    Artillery(u8),
}

/// What a line of the results table does (HH-186).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    #[default]
    None,
    /// R: recoil.
    Recoil,
    /// RD: recoil, disrupted.
    RecoilDisrupted,
    /// FD: flee, disrupted.
    FleeDisrupted,
}

/// One cell of the results table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub struct Cell {
    /// What the unit does.
    pub effect: Effect,
    /// Stands lost.
    pub lost: u8,
}

impl Cell {
    /// The cell as the table prints it: `FD+1`.
    #[must_use]
    pub fn text(self) -> String {
        let word = ["-", "R", "RD", "FD"][self.effect as usize];
        if self.lost == 0 { word.to_owned() } else { format!("{word}+{}", self.lost) }
    }

    fn read(text: &str) -> Option<Cell> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (word, lost) = match compact.split_once('+') {
            Some((w, n)) => (w, n.parse().ok()?),
            None => (compact.as_str(), 0),
        };
        let effect = match word {
            "-" | "" => Effect::None,
            "R" => Effect::Recoil,
            "RD" => Effect::RecoilDisrupted,
            "FD" => Effect::FleeDisrupted,
            _ => return None,
        };
        Some(Cell { effect, lost })
    }
}

/// How a kind of unit may enter a kind of hex (HH-110).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// For one hex of movement.
    Yes,
    /// It stops there, and moves one hex inside.
    Stop,
    /// It stops before, then enters as its whole move.
    River,
    /// It squeezes into column.
    Column,
    /// By a road in column only.
    Road,
    /// Never.
    No,
}

/// Kinds of hexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Ground {
    Clear,
    Woods,
    Town,
    Broken,
    River,
    Ford,
    Bridge,
    Lake,
    Impassable,
}

impl Ground {
    /// All with their names in the tables.
    pub const ALL: [(Ground, &'static str); 9] = [
        (Ground::Clear, "clear"),
        (Ground::Woods, "woods"),
        (Ground::Town, "town"),
        (Ground::Broken, "broken"),
        (Ground::River, "river"),
        (Ground::Ford, "ford"),
        (Ground::Bridge, "bridge"),
        (Ground::Lake, "lake"),
        (Ground::Impassable, "impassable"),
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Ground::ALL[self as usize].1
    }
}

/// What stands on a border between two hexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Border {
    /// Nothing, or a gentle slope.
    #[default]
    Open,
    /// A steep slope.
    Escarpment,
    /// A wall or rampart.
    Wall,
    /// A hedge, ditch or field work.
    Fieldwork,
    /// Impassable to all.
    Cliff,
}

impl Border {
    /// All that have a row in the tables, with their names.
    pub const ALL: [(Border, &'static str); 4] = [
        (Border::Escarpment, "escarpment"),
        (Border::Wall, "wall"),
        (Border::Fieldwork, "fieldwork"),
        (Border::Cliff, "cliff"),
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Border::Open => "open",
            other => Border::ALL[other as usize - 1].1,
        }
    }
}

/// How a hex limits sight or command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Through {
    /// Not at all.
    #[default]
    Yes,
    /// It reaches one hex in.
    Edge,
    /// Sight is blocked.
    Blocks,
    /// Command does not pass or reach it.
    No,
}

/// Who is disrupted by standing in a hex (HH-201).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Disrupts {
    /// Nobody.
    #[default]
    Nobody,
    /// Mounted units, in hand-to-hand.
    Mounted,
    /// Everybody.
    All,
}

/// One row of the terrain table.
#[derive(Clone, Copy, Debug)]
pub struct GroundRow {
    /// Its letter on maps.
    pub letter: char,
    /// Entry by troop type.
    pub entry: [Entry; 4],
    /// Whether it blocks sight.
    pub sight: Through,
    /// Added to the score needed to hit a unit in it.
    pub cover: u8,
    /// Whether impact bonuses count in and into it.
    pub impact: bool,
    /// Who fights as if disrupted in it.
    pub disrupts: Disrupts,
    /// How it limits command.
    pub command: Through,
}

/// What a border gives to those behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum Shelter {
    /// Nothing.
    #[serde(rename = "none")]
    None,
    /// Armour of one step.
    A1,
    /// Armour of two steps.
    A2,
    /// By the difference in height (HH-164).
    #[serde(rename = "escarpment")]
    Escarpment,
    /// A hard target (HH-173).
    #[serde(rename = "hard")]
    Hard,
}

/// One row of the border table.
#[derive(Clone, Copy, Debug)]
pub struct BorderRow {
    /// Who may cross, by troop type.
    pub cross: [bool; 4],
    /// Extra hexes of movement.
    pub extra: u8,
    /// Cover for units behind it.
    pub shelter: Shelter,
    /// Whether it is of stone, for suppression.
    pub stone: bool,
    /// Whether impact bonuses count across it.
    pub impact: bool,
    /// Whether units behind it may decline to follow up.
    pub decline: bool,
}

/// One range band of a kind of artillery.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Band {
    /// Shortest range in hexes.
    pub from: u8,
    /// Longest range in hexes.
    pub to: u8,
    /// Lowest d12 score for one, two and three hits; 13 cannot be made.
    pub hits: [u8; 3],
}

/// One kind of artillery.
#[derive(Clone, Debug)]
pub struct Artillery {
    /// Its name in the lists.
    pub name: String,
    /// Whether it shoots over friends in adjacent hexes (HH-153).
    pub over_friends: bool,
    /// Its range bands, nearest first.
    pub bands: Vec<Band>,
    /// Points (HH-022).
    pub points: u8,
}

/// Every number of the rules.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Points by class (HH-020).
    pub class_points: [u8; 5],
    /// Points by score needed on d12, index is the score (HH-021).
    pub shooting_points: [u8; 13],
    /// Points by characteristic, by bit (HH-023, HH-025).
    pub trait_points: [i8; 32],
    /// Added for hordes (HH-024).
    pub horde_points: i8,
    /// Points of a general by quality (HH-026).
    pub general_points: [u8; 8],
    /// More for a Hero General.
    pub hero_points: u8,
    /// Usual size of an army in points (HH-027).
    pub army_points: [u16; 2],
    /// Stands of a unit, a horde, an artillery unit (HH-008, HH-009).
    pub stands: [u8; 3],
    /// Default board (HH-013).
    pub board: [u16; 2],
    /// Rows of the deployment zone (HH-039).
    pub deploy_rows: u16,
    /// Speed from which a unit scouts (HH-035).
    pub scout_speed: u8,
    /// Bounds a side (HH-260).
    pub bound_limit: u16,
    /// Hexes more for a column, and for a column all along a road (HH-091).
    pub column_bonus: [u8; 2],
    /// Cost of a turn of more than one point (HH-088).
    pub turn_cost: u8,
    /// Cost of a change of formation (HH-090).
    pub formation_cost: u8,
    /// Speed of a pike block (HH-119).
    pub pike_block_speed: u8,
    /// Speed of the dismounted (HH-129).
    pub dismounted_speed: u8,
    /// Speed of a unit carrying pavises (HH-250).
    pub pavise_speed: u8,
    /// Hexes of flight beyond the speed (HH-221).
    pub flee_extra: u8,
    /// Impact and stands of a pike block (HH-119).
    pub pike_block: [u8; 2],
    /// Stands that fight and shoot in column (HH-116).
    pub column_stands: u8,
    /// Cap of halved column impact, and the reduction of the other reading (HH-117).
    pub column_impact: [u8; 2],
    /// Front stands of combined arms (HH-128).
    pub combined_front: u8,
    /// For fighting from up-slope (HH-106).
    pub up_slope: u8,
    /// Lines of the results table that a Hero ignores (HH-072).
    pub hero_lines: u8,
    /// Stands at which a unit is removed (HH-192).
    pub removed_at: u8,
    /// Range of small arms (HH-145).
    pub range: u8,
    /// Steps taken off by crossbows (HH-165).
    pub crossbow: u8,
    /// Pavises against bows and guns (HH-250).
    pub pavise: [u8; 2],
    /// Cover above an escarpment, one level and more (HH-164).
    pub escarpment: [u8; 2],
    /// Armour of A1 and A2 (HH-162).
    pub armour: [u8; 2],
    /// Stands needed to suppress each stand behind wood and stone (HH-175).
    pub suppress: [u8; 2],
    /// The results table: lines 0 to 10 by class (HH-190).
    pub crt: [[Cell; 5]; 11],
    /// The terrain table (HH-110).
    pub ground: [GroundRow; 9],
    /// The border table (HH-110).
    pub border: [BorderRow; 5],
    /// Kinds of artillery (HH-185).
    pub artillery: Vec<Artillery>,
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("heroes tables: {0}")]
pub struct BadTable(pub String);

impl Tables {
    /// The tables as shipped.
    #[must_use]
    pub fn shipped() -> Tables {
        // INVARIANT: the shipped file is well formed (`the_shipped_tables_are_whole`).
        Tables::parse(SHIPPED).expect("the shipped tables are whole")
    }

    /// Reads tables from text.
    ///
    /// # Errors
    /// Names the key and says what would be right.
    pub fn parse(text: &str) -> Result<Tables, BadTable> {
        let raw: Raw = toml::from_str(text).map_err(|e| BadTable(e.to_string()))?;
        Tables::from_raw(raw)
    }

    /// Reads tables from a value that other values were laid over, or from a record.
    ///
    /// # Errors
    /// Names the key and says what would be right.
    pub fn from_value(value: &serde_json::Value) -> Result<Tables, BadTable> {
        let raw: Raw = serde_json::from_value(value.clone()).map_err(|e| {
            let shipped = toml::from_str::<serde_json::Value>(SHIPPED).unwrap_or_default();
            BadTable(read::odd(value, &shipped, "heroes").unwrap_or_else(|| e.to_string()))
        })?;
        Tables::from_raw(raw)
    }

    /// Reads what a list says of shooting: `none`, `7+`, `ballista`.
    #[must_use]
    pub fn shooting(&self, text: &str) -> Option<Shooting> {
        let text = text.trim().to_ascii_lowercase().replace(' ', "-");
        if text == "none" || text == "-" || text.is_empty() {
            return Some(Shooting::None);
        }
        if let Some(n) = text.strip_suffix('+').and_then(|n| n.parse::<u8>().ok()) {
            let known = self.shooting_points.get(usize::from(n)).is_some_and(|&p| p > 0);
            return known.then_some(Shooting::Score(n));
        }
        self.artillery.iter().position(|a| a.name == text).map(|n| Shooting::Artillery(n as u8))
    }

    /// The words for it.
    #[must_use]
    pub fn shooting_word(&self, shooting: Shooting) -> String {
        match shooting {
            Shooting::None => "-".to_owned(),
            Shooting::Score(n) => format!("{n}+"),
            Shooting::Artillery(n) => {
                self.artillery.get(usize::from(n)).map_or_else(String::new, |a| a.name.replace('-', " "))
            }
        }
    }

    /// HH-190, HH-196: the cell for a number of hits on a class.
    #[inline]
    #[must_use]
    pub fn result(&self, hits: i16, class: Class) -> Cell {
        self.crt[hits.clamp(0, 10) as usize][class as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tables_are_whole() {
        let t = Tables::shipped();
        let three: Vec<String> = Class::ALL.iter().map(|&c| t.result(3, c).text()).collect();
        assert_eq!(three, ["R", "R", "RD", "FD", "FD"], "HH-187");
        assert!(Class::ALL.iter().all(|&c| t.result(4, c).lost == 1 && t.result(3, c).lost == 0), "HH-188");
        assert!((0..=12).all(|n| t.result(n, Class::A).effect != Effect::FleeDisrupted), "HH-189");
        assert_eq!(t.result(0, Class::E), Cell::default(), "HH-196");
        assert_eq!(t.artillery.len(), 5);
    }

    #[test]
    fn a_wrong_cell_is_named() {
        let text = SHIPPED.replace("3 = { A = \"R\"", "3 = { A = \"X\"");
        let error = Tables::parse(&text).unwrap_err().to_string();
        assert!(error.contains("crt.3.A") && error.contains("RD"), "{error}");
    }

    #[test]
    fn a_key_that_does_not_exist_is_named() {
        let error = Tables::parse(&SHIPPED.replace("up_slope", "upslope")).unwrap_err().to_string();
        assert!(error.contains("upslope"), "{error}");
    }
}
