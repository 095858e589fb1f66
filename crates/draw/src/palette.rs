//! Colours and patterns: of sides, of the ground, of paper.

use crate::svg::{Svg, num};

/// How the picture is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// On light paper.
    #[default]
    Light,
    /// For dark screens.
    Dark,
    /// Greys only, for printers: sides by pattern and lightness.
    Grey,
}

/// The pattern of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One colour.
    Plain,
    /// Slanting lines.
    Hatched,
    /// Dots.
    Dotted,
    /// Upright bars.
    Barred,
    /// Lines both ways.
    Crossed,
    /// Chequers.
    Chequered,
}

/// The look of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideColour {
    /// What people call it.
    pub name: &'static str,
    /// Its colour, `#rrggbb`.
    pub fill: &'static str,
    /// The colour of its pattern on it.
    pub pattern_ink: &'static str,
    /// What can be read on it.
    pub text: &'static str,
    /// Its shade in the grey theme.
    pub grey: &'static str,
    /// The colour of its pattern in the grey theme.
    pub grey_ink: &'static str,
    /// What can be read on its grey.
    pub grey_text: &'static str,
    /// Its pattern.
    pub pattern: Pattern,
}

/// The looks of up to six sides; a seventh begins again.
///
/// The hues were chosen so that every two differ for normal sight and for the three kinds of colour blindness; a test
/// measures it.
pub const SIDES: [SideColour; 6] = [
    SideColour {
        name: "blue",
        fill: "#1f4e9e",
        pattern_ink: "#1f4e9e",
        text: "#ffffff",
        grey: "#5a5a5a",
        grey_ink: "#5a5a5a",
        grey_text: "#ffffff",
        pattern: Pattern::Plain,
    },
    SideColour {
        name: "red",
        fill: "#c24a1e",
        pattern_ink: "#e58a5f",
        text: "#ffffff",
        grey: "#f0f0f0",
        grey_ink: "#9a9a9a",
        grey_text: "#111111",
        pattern: Pattern::Hatched,
    },
    SideColour {
        name: "yellow",
        fill: "#f2ba34",
        pattern_ink: "#b27d0a",
        text: "#1b1b1b",
        grey: "#d2d2d2",
        grey_ink: "#777777",
        grey_text: "#111111",
        pattern: Pattern::Dotted,
    },
    SideColour {
        name: "green",
        fill: "#3fb593",
        pattern_ink: "#1d8063",
        text: "#101a16",
        grey: "#a8a8a8",
        grey_ink: "#dcdcdc",
        grey_text: "#111111",
        pattern: Pattern::Barred,
    },
    SideColour {
        name: "lilac",
        fill: "#bda4e4",
        pattern_ink: "#8a68c0",
        text: "#1a1424",
        grey: "#fafafa",
        grey_ink: "#b5b5b5",
        grey_text: "#111111",
        pattern: Pattern::Crossed,
    },
    SideColour {
        name: "umber",
        fill: "#433238",
        pattern_ink: "#6f565f",
        text: "#ffffff",
        grey: "#2c2c2c",
        grey_ink: "#6e6e6e",
        grey_text: "#ffffff",
        pattern: Pattern::Chequered,
    },
];

/// The look of a side by its index.
pub(crate) const fn side(index: usize) -> &'static SideColour {
    &SIDES[index % SIDES.len()]
}

/// Fill and ink of the tabs of a side's commands.
pub(crate) const COMMANDS: [(&str, &str); 8] = [
    ("#ffffff", "#1b1b1b"),
    ("#1b1b1b", "#ffffff"),
    ("#f7e08a", "#1b1b1b"),
    ("#7fc4ea", "#1b1b1b"),
    ("#f3a6a0", "#1b1b1b"),
    ("#a9dba0", "#1b1b1b"),
    ("#d3b8f0", "#1b1b1b"),
    ("#c9c2b4", "#1b1b1b"),
];

/// The colours of everything but sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tones {
    /// Behind all.
    pub(crate) page: &'static str,
    /// A panel.
    pub(crate) card: &'static str,
    /// Lines of panels and frame.
    pub(crate) rule: &'static str,
    /// Text and strong lines.
    pub(crate) ink: &'static str,
    /// Lesser text.
    pub(crate) faint: &'static str,
    /// The open ground.
    pub(crate) board: &'static str,
    /// Its faint grid and tufts.
    pub(crate) board_mark: &'static str,
    /// The frame of the board.
    pub(crate) frame: &'static str,
    /// The plate that a sign stands on, the sign, and the outline of a base.
    pub(crate) plate: &'static str,
    pub(crate) sign: &'static str,
    pub(crate) outline: &'static str,
    /// The heavy front edge of a base, and the notch in it.
    pub(crate) front: (&'static str, &'static str),
    /// A general's banner.
    pub(crate) banner: &'static str,
    /// Danger and losses.
    pub(crate) danger: &'static str,
    /// Fights.
    pub(crate) fight: &'static str,
    /// Ground, line or mark, in pairs.
    pub(crate) wood: (&'static str, &'static str, &'static str),
    pub(crate) hill: (&'static str, &'static str, &'static str),
    pub(crate) marsh: (&'static str, &'static str, &'static str),
    pub(crate) rough: (&'static str, &'static str, &'static str),
    pub(crate) dunes: (&'static str, &'static str, &'static str),
    pub(crate) fields: (&'static str, &'static str, &'static str),
    pub(crate) town: (&'static str, &'static str, &'static str),
    pub(crate) water: (&'static str, &'static str, &'static str),
    pub(crate) road: (&'static str, &'static str, &'static str),
    pub(crate) cliff: (&'static str, &'static str, &'static str),
}

const LIGHT: Tones = Tones {
    page: "#fbf9f3",
    card: "#f3efe4",
    rule: "#b9b09a",
    ink: "#221f1a",
    faint: "#6a6355",
    board: "#e9ebd3",
    board_mark: "#d3d8b5",
    frame: "#d8d0bb",
    plate: "#fffdf6",
    sign: "#17150f",
    outline: "#17150f",
    front: ("#17150f", "#fffdf6"),
    banner: "#ffd84d",
    danger: "#a3192b",
    fight: "#a3192b",
    wood: ("#cbdcb2", "#5d7d4c", "#94b57d"),
    hill: ("#e4d6ae", "#96764a", "#efe5c6"),
    marsh: ("#d3e3d5", "#4b7f7c", "#8fbcb4"),
    rough: ("#ddd6c4", "#83765f", "#c3b9a2"),
    dunes: ("#f3e6b8", "#a88c45", "#dcc680"),
    fields: ("#e8e2b0", "#7f8b45", "#bdb968"),
    town: ("#e5d5c8", "#7d5a48", "#c98f70"),
    water: ("#bcd9e8", "#4a86a6", "#8cbad2"),
    road: ("#f5ecd6", "#a48a63", "#c9b48d"),
    cliff: ("#b9b3a9", "#4e4840", "#86807a"),
};

const DARK: Tones = Tones {
    page: "#14171a",
    card: "#1f2428",
    rule: "#4a5157",
    ink: "#ece8dd",
    faint: "#a3a79f",
    board: "#2e3630",
    board_mark: "#3b463c",
    frame: "#23292b",
    plate: "#f4f0e4",
    sign: "#17150f",
    outline: "#070808",
    front: ("#f4f0e4", "#17150f"),
    banner: "#ffd84d",
    danger: "#ff8d87",
    fight: "#ff8d87",
    wood: ("#2d4632", "#79a172", "#4a6d4c"),
    hill: ("#4d4634", "#b59a68", "#5c543f"),
    marsh: ("#2d4646", "#7db3ad", "#4a7472"),
    rough: ("#454339", "#a79d86", "#625d50"),
    dunes: ("#544c33", "#cdb36c", "#7c6f48"),
    fields: ("#434628", "#b3b262", "#6b6d3c"),
    town: ("#4a3b34", "#cf9f84", "#8a5f4b"),
    water: ("#24455a", "#76b3d3", "#3f6f8b"),
    road: ("#6a5f4a", "#b8a17b", "#877959"),
    cliff: ("#55524e", "#b9b4ac", "#7d7973"),
};

const GREY: Tones = Tones {
    page: "#ffffff",
    card: "#ffffff",
    rule: "#9a9a9a",
    ink: "#111111",
    faint: "#555555",
    board: "#fbfbfb",
    board_mark: "#e8e8e8",
    frame: "#ebebeb",
    plate: "#ffffff",
    sign: "#000000",
    outline: "#000000",
    front: ("#000000", "#ffffff"),
    banner: "#ffffff",
    danger: "#000000",
    fight: "#000000",
    wood: ("#e6e6e6", "#5c5c5c", "#c6c6c6"),
    hill: ("#efefef", "#7a7a7a", "#f7f7f7"),
    marsh: ("#f0f0f0", "#5c5c5c", "#a8a8a8"),
    rough: ("#ececec", "#6a6a6a", "#d0d0d0"),
    dunes: ("#f6f6f6", "#808080", "#c4c4c4"),
    fields: ("#f2f2f2", "#6e6e6e", "#b0b0b0"),
    town: ("#ededed", "#444444", "#bdbdbd"),
    water: ("#dadada", "#6a6a6a", "#b2b2b2"),
    road: ("#ffffff", "#808080", "#c0c0c0"),
    cliff: ("#c4c4c4", "#333333", "#8e8e8e"),
};

impl Theme {
    pub(crate) const fn tones(self) -> &'static Tones {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
            Theme::Grey => &GREY,
        }
    }

    /// The flat colour of a side, its pattern's ink and its text.
    pub(crate) const fn side(self, index: usize) -> (&'static str, &'static str, &'static str) {
        let s = side(index);
        match self {
            Theme::Grey => (s.grey, s.grey_ink, s.grey_text),
            Theme::Light | Theme::Dark => (s.fill, s.pattern_ink, s.text),
        }
    }

    /// A side's colour as a line that shows on the board.
    pub(crate) const fn side_line(self, index: usize) -> &'static str {
        match self {
            Theme::Grey => "#222222",
            Theme::Light => side(index).fill,
            // The darkest two would drown in a dark board.
            Theme::Dark => match index % SIDES.len() {
                0 => "#7aa5ee",
                5 => "#c9aab5",
                _ => side(index).fill,
            },
        }
    }
}

/// Defines the patterns of the sides that occur, with tiles of a size in pixels; `fill="url(#PREFIXsideN)"`.
pub(crate) fn define_sides(svg: &mut Svg, prefix: &str, theme: Theme, tile: f64, used: &[usize]) {
    for &index in used {
        let (ground, ink, _) = theme.side(index);
        let t = num(tile);
        let h = num(tile / 2.0);
        let w = num(tile * 0.28);
        let marks = match side(index).pattern {
            Pattern::Plain => String::new(),
            Pattern::Hatched => {
                let (a, b) = (num(-tile / 2.0), num(tile * 1.5));
                format!(
                    "<path d=\"M{a} {h}L{h} {a}M0 {t}L{t} 0M{h} {b}L{b} {h}\" stroke=\"{ink}\" stroke-width=\"{w}\" \
                     fill=\"none\"/>"
                )
            }
            Pattern::Dotted => {
                let (q, e, r) = (num(tile * 0.25), num(tile * 0.75), num(tile * 0.2));
                format!(
                    "<circle cx=\"{q}\" cy=\"{q}\" r=\"{r}\" fill=\"{ink}\"/><circle cx=\"{e}\" cy=\"{e}\" \
                     r=\"{r}\" fill=\"{ink}\"/>"
                )
            }
            Pattern::Barred => {
                format!("<path d=\"M{h} 0V{t}\" stroke=\"{ink}\" stroke-width=\"{}\"/>", num(tile * 0.34))
            }
            Pattern::Crossed => format!(
                "<path d=\"M{h} 0V{t}M0 {h}H{t}\" stroke=\"{ink}\" stroke-width=\"{}\"/>",
                num(tile * 0.2)
            ),
            Pattern::Chequered => {
                format!("<path d=\"M0 0H{h}V{h}H0ZM{h} {h}H{t}V{t}H{h}Z\" fill=\"{ink}\"/>")
            }
        };
        let text = format!(
            "<pattern id=\"{prefix}side{index}\" width=\"{t}\" height=\"{t}\" patternUnits=\"userSpaceOnUse\"><rect \
             width=\"{t}\" height=\"{t}\" fill=\"{ground}\"/>{marks}</pattern>"
        );
        svg.define(&text);
    }
}

/// `url(#…)` of a side's pattern.
pub(crate) fn side_fill(prefix: &str, index: usize) -> String {
    format!("url(#{prefix}side{index})")
}

#[cfg(test)]
mod tests;
