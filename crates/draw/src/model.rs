//! What there is to see: the picture model. Lengths in paces, origin lower left, x right, y up; headings in degrees,
//! 0 up the board, clockwise. No game's types.

use crate::Glyph;

/// A point of the board, in paces.
pub type Point = (f64, f64);

/// A whole picture.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// First line.
    pub title: String,
    /// Second line: the bound, who is to move.
    pub subtitle: String,
    /// The board.
    pub board: BoardSize,
    /// The terrain, lowest first.
    pub features: Vec<Feature>,
    /// Areas marked on the board: deployment, reach, threat zones.
    pub zones: Vec<Zone>,
    /// Base edges of the sides.
    pub edges: Vec<Edge>,
    /// Strongholds and baggage.
    pub strongholds: Vec<Stronghold>,
    /// The elements on the board.
    pub bases: Vec<Base>,
    /// What is drawn over them.
    pub overlays: Vec<Overlay>,
    /// One a side.
    pub panels: Vec<Panel>,
    /// Lines below the picture: results, remarks.
    pub captions: Vec<String>,
}

/// The size of the board in paces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardSize {
    /// Left to right.
    pub width: f64,
    /// Bottom to top.
    pub height: f64,
    /// Millimetres of a real table to 100 paces, for the scale bar; 0: no millimetres.
    pub mm_per_100: f64,
}

impl Default for BoardSize {
    fn default() -> BoardSize {
        BoardSize { width: 2400.0, height: 2400.0, mm_per_100: 25.0 }
    }
}

/// An edge of the board that belongs to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Whose.
    pub side: usize,
    /// Which: 0 bottom, 1 right, 2 top, 3 left.
    pub place: u8,
}

/// Kinds of ground, each with a texture of its own that reads in grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// Trees.
    Wood,
    /// A gentle hill: good going, with its slope.
    Hill,
    /// A hill with steep slopes.
    SteepHill,
    /// A wooded hill.
    WoodedHill,
    /// A hill with a flat top.
    Plateau,
    /// Marsh or bog.
    Marsh,
    /// Rough, rocky or broken ground.
    Rough,
    /// Dunes.
    Dunes,
    /// Small enclosed fields.
    Fields,
    /// A town, village or ruin: a built-up area.
    Town,
    /// A river; its shape is a way.
    River,
    /// A lake or the sea.
    Lake,
    /// A road; its shape is a way.
    Road,
    /// A ford: where a road goes through water.
    Ford,
    /// A bridge.
    Bridge,
    /// Impassable: cliffs, a chasm, lava.
    Impassable,
}

impl Ground {
    /// Every kind.
    pub const ALL: [Ground; 16] = [
        Ground::Wood,
        Ground::Hill,
        Ground::SteepHill,
        Ground::WoodedHill,
        Ground::Plateau,
        Ground::Marsh,
        Ground::Rough,
        Ground::Dunes,
        Ground::Fields,
        Ground::Town,
        Ground::River,
        Ground::Lake,
        Ground::Road,
        Ground::Ford,
        Ground::Bridge,
        Ground::Impassable,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Ground::Wood => "wood",
            Ground::Hill => "gentle hill",
            Ground::SteepHill => "steep hill",
            Ground::WoodedHill => "wooded hill",
            Ground::Plateau => "plateau",
            Ground::Marsh => "marsh",
            Ground::Rough => "rough ground",
            Ground::Dunes => "dunes",
            Ground::Fields => "enclosed fields",
            Ground::Town => "built-up area",
            Ground::River => "river",
            Ground::Lake => "lake",
            Ground::Road => "road",
            Ground::Ford => "ford",
            Ground::Bridge => "bridge",
            Ground::Impassable => "impassable",
        }
    }
}

/// A ground plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Corners in order.
    Polygon(Vec<Point>),
    /// Centre and radius.
    Disc(Point, f64),
    /// A middle line and the whole width.
    Way(Vec<Point>, f64),
}

/// A terrain feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// What it is.
    pub ground: Ground,
    /// Where it is.
    pub shape: Shape,
    /// The crest line of a hill, if it has one.
    pub crest: Vec<Point>,
    /// A name or label, or empty.
    pub label: String,
}

impl Feature {
    /// A feature without crest and label.
    #[must_use]
    pub fn new(ground: Ground, shape: Shape) -> Feature {
        Feature { ground, shape, crest: Vec::new(), label: String::new() }
    }
}

/// Where something with a front stands: the middle of its front edge, and where it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Paces from the left.
    pub x: f64,
    /// Paces from the bottom.
    pub y: f64,
    /// Degrees, 0 up the board, clockwise.
    pub heading: f64,
}

/// Better or worse than its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chevron {
    /// Neither.
    #[default]
    None,
    /// Elite: points up.
    Up,
    /// Levy: points down.
    Down,
}

/// A base's command, where a side has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandTab {
    /// Its letter.
    pub letter: char,
    /// Its colour, counted within the side.
    pub colour: usize,
}

/// Small marks on a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Has moved.
    Moved,
    /// Disordered or disrupted.
    Disrupted,
    /// Ensorcelled: a frog lies here.
    Frog,
    /// Picked.
    Selected,
}

/// An element on the board.
#[derive(Clone, Debug, Default)]
pub struct Base {
    /// Where.
    pub pose: Pose,
    /// Its frontage in paces.
    pub width: f64,
    /// Its depth in paces.
    pub depth: f64,
    /// Whose: an index of side.
    pub side: usize,
    /// Its sign.
    pub glyph: Glyph,
    /// Two letters.
    pub code: String,
    /// Its number within its type, as shown on the base; may be empty.
    pub number: String,
    /// Its label: `Kni2`.
    pub label: String,
    /// All that is to be said of it: shown when pointed at, read out by screen readers.
    pub about: String,
    /// It carries a general.
    pub general: bool,
    /// Elite or Levy.
    pub grade: Chevron,
    /// Its command.
    pub command: Option<CommandTab>,
    /// Marks.
    pub marks: Vec<Mark>,
    /// Drawn faintly.
    pub dimmed: bool,
}

/// A Stronghold or baggage.
#[derive(Clone, Debug, Default)]
pub struct Stronghold {
    /// The middle of its front edge and heading.
    pub pose: Pose,
    /// Its frontage in paces.
    pub width: f64,
    /// Its depth in paces.
    pub depth: f64,
    /// Whose.
    pub side: usize,
    /// What it is called.
    pub label: String,
    /// It has been taken.
    pub lost: bool,
}

/// The meaning of a zone or line, which gives its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A side's own: deployment, reach, moves.
    Side(usize),
    /// A danger.
    Threat,
    /// Neutral.
    Plain,
}

/// An area marked on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Where.
    pub shape: Shape,
    /// How.
    pub tone: Tone,
    /// A word, or empty.
    pub label: String,
}

/// What is drawn over the bases.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// A base moved from one place to another.
    Moved {
        /// From.
        from: Pose,
        /// To.
        to: Pose,
        /// Frontage in paces.
        width: f64,
        /// Depth in paces.
        depth: f64,
        /// Whose.
        side: usize,
    },
    /// Two that fight: thick to the main opponent, thin for overlap, flank, rear, support, aid.
    Fight {
        /// From the middle of one.
        from: Point,
        /// To the middle of the other.
        to: Point,
        /// The main opponent.
        main: bool,
    },
    /// A shot or spell.
    Shot {
        /// From.
        from: Point,
        /// To.
        to: Point,
        /// Whose.
        side: usize,
    },
    /// A place where a base might come to stand, or stood.
    Ghost {
        /// Where.
        pose: Pose,
        /// Frontage in paces.
        width: f64,
        /// Depth in paces.
        depth: f64,
        /// Whose.
        side: usize,
    },
    /// An element died here.
    Lost {
        /// Where.
        at: Point,
        /// Whose.
        side: usize,
    },
    /// A number or letter in a small disc: the order of fights, a place in a report.
    Tag {
        /// Where.
        at: Point,
        /// What.
        text: String,
    },
    /// A line with its length in paces.
    Measure {
        /// From.
        from: Point,
        /// To.
        to: Point,
        /// What is written at it.
        text: String,
    },
}

/// A PIP die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pip {
    /// The command's letter, where a side has several.
    pub letter: Option<char>,
    /// What it shows; 0: not thrown.
    pub score: u8,
    /// PIPs left of it.
    pub left: u8,
}

/// Something off the table.
#[derive(Clone, Debug)]
pub struct TrayItem {
    /// Its sign.
    pub glyph: Glyph,
    /// Its label.
    pub label: String,
    /// Why it is there: "waiting", "destroyed", "frog".
    pub note: String,
    /// It counts as lost.
    pub lost: bool,
}

/// What is told of a side beside the board.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Whose: an index of side.
    pub side: usize,
    /// One letter: `A`.
    pub letter: String,
    /// The army's name.
    pub army: String,
    /// Who plays it, or empty.
    pub player: String,
    /// It is this side's bound.
    pub active: bool,
    /// AP lost, in halves.
    pub lost: u32,
    /// AP at the start, in halves.
    pub total: u32,
    /// Of its general: "Hero 1, on the table".
    pub general: String,
    /// Of its Stronghold, or empty.
    pub stronghold: String,
    /// PIP dice.
    pub pips: Vec<Pip>,
    /// Off the table.
    pub tray: Vec<TrayItem>,
    /// It has won.
    pub won: bool,
}
