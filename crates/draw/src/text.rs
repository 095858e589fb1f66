//! Letters as paths, from the one embedded font.

use std::sync::LazyLock;

use ttf_parser::{GlyphId, OutlineBuilder};

use crate::svg::num;

/// The two weights in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    /// For ids of letters.
    pub(crate) const fn letter(self) -> char {
        match self {
            Weight::Regular => 'r',
            Weight::Bold => 'b',
        }
    }
}

/// A weight of the font, ready to measure and outline.
pub(crate) struct Face {
    face: Option<ttf_parser::Face<'static>>,
}

static REGULAR: LazyLock<Face> = LazyLock::new(|| Face::parse(dejavu::sans_condensed::regular()));
static BOLD: LazyLock<Face> = LazyLock::new(|| Face::parse(dejavu::sans_condensed::bold()));

impl Face {
    /// A face that does not parse draws no letters rather than ending the program; a test sees to it that both do.
    fn parse(bytes: &'static [u8]) -> Face {
        Face { face: ttf_parser::Face::parse(bytes, 0).ok() }
    }

    pub(crate) fn get(weight: Weight) -> &'static Face {
        match weight {
            Weight::Regular => &REGULAR,
            Weight::Bold => &BOLD,
        }
    }

    /// Units of the em square.
    pub(crate) fn units(&self) -> f64 {
        self.face.as_ref().map_or(1000.0, |f| f64::from(f.units_per_em()))
    }

    fn glyph(&self, c: char) -> GlyphId {
        // An unknown letter shows as the font's own empty box, so that a reader sees that something stands there.
        self.face.as_ref().and_then(|f| f.glyph_index(c)).unwrap_or(GlyphId(0))
    }

    fn advance(&self, glyph: GlyphId) -> f64 {
        self.face.as_ref().and_then(|f| f.glyph_hor_advance(glyph)).map_or(0.0, f64::from)
    }

    /// The width of a line of text, in units.
    pub(crate) fn width(&self, words: &str) -> f64 {
        printable(words).map(|c| self.advance(self.glyph(c))).sum()
    }

    /// A letter's number in the font and how far it moves the pen, in units.
    pub(crate) fn measured(&self, c: char) -> (u16, f64) {
        let glyph = self.glyph(c);
        (glyph.0, self.advance(glyph))
    }

    /// Each letter with the place where it begins, in units.
    pub(crate) fn layout<'a>(&'a self, words: &'a str) -> impl Iterator<Item = (u16, f64)> + 'a {
        let mut x = 0.0;
        printable(words).map(move |c| {
            let glyph = self.glyph(c);
            let here = x;
            x += self.advance(glyph);
            (glyph.0, here)
        })
    }

    /// A letter's outline, y down, at a thousandth of its units; none for a blank.
    pub(crate) fn outline(&self, glyph: u16) -> Option<String> {
        let mut pen = Pen(String::new());
        self.face.as_ref()?.outline_glyph(GlyphId(glyph), &mut pen)?;
        (!pen.0.is_empty()).then_some(pen.0)
    }
}

/// Letters as they are set: blanks for what moves the pen elsewhere, nothing for marks without a shape.
pub(crate) fn printable(words: &str) -> impl Iterator<Item = char> + '_ {
    words.chars().filter_map(|c| match c {
        '\t' | '\n' | '\r' => Some(' '),
        c if c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}') =>
        {
            None
        }
        c => Some(c),
    })
}

/// The width of a line of text at a size.
pub(crate) fn width(words: &str, size: f64, weight: Weight) -> f64 {
    let face = Face::get(weight);
    face.width(words) * size / face.units()
}

/// As much of the words as fits the width, with an ellipsis where something is left out.
pub(crate) fn fit(words: &str, size: f64, weight: Weight, room: f64) -> String {
    if width(words, size, weight) <= room {
        return words.to_owned();
    }
    let mut kept = String::new();
    for c in words.chars() {
        kept.push(c);
        if width(&kept, size, weight) + width("…", size, weight) > room {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}

/// The words broken into lines that fit the width, at most so many.
pub(crate) fn wrap(words: &str, size: f64, weight: Weight, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = String::new();
    for word in words.split_whitespace() {
        let longer = if open.is_empty() { word.to_owned() } else { format!("{open} {word}") };
        // The last line takes all that is left and is cut by `fit`.
        if open.is_empty() || lines.len() + 1 >= most || width(&longer, size, weight) <= room {
            open = longer;
        } else {
            lines.push(std::mem::replace(&mut open, word.to_owned()));
        }
    }
    if !open.is_empty() {
        lines.push(open);
    }
    lines.into_iter().map(|l| fit(&l, size, weight, room)).collect()
}

struct Pen(String);

impl Pen {
    fn put(&mut self, letter: char, points: &[(f32, f32)]) {
        self.0.push(letter);
        for (i, (x, y)) in points.iter().enumerate() {
            if i > 0 {
                self.0.push(' ');
            }
            // Two decimals at a thousandth would be too coarse: one unit stays one thousandth.
            self.0.push_str(&crate::svg::fine(f64::from(*x) / 1000.0));
            self.0.push(' ');
            self.0.push_str(&crate::svg::fine(-f64::from(*y) / 1000.0));
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}

/// A number of AP in halves as people write it: `7`, `7½`.
pub(crate) fn halves(h: u32) -> String {
    match (h / 2, h % 2) {
        (0, 1) => "½".to_owned(),
        (w, 0) => w.to_string(),
        (w, _) => format!("{w}½"),
    }
}

/// Paces as people write them: whole if they are.
pub(crate) fn paces(p: f64) -> String {
    format!("{}p", num(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_are_there_and_have_outlines() {
        for weight in [Weight::Regular, Weight::Bold] {
            let face = Face::get(weight);
            assert!(face.face.is_some());
            for c in "AzÄß½–“”…0".chars() {
                let glyph = face.glyph(c);
                assert_ne!(glyph.0, 0, "{c}");
                assert!(face.outline(glyph.0).is_some_and(|d| d.starts_with('M')), "{c}");
            }
        }
    }

    #[test]
    fn text_is_cut_and_broken_to_its_room() {
        let long = "The Great Host of the Western Marches";
        let cut = fit(long, 10.0, Weight::Regular, 60.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0, Weight::Regular) <= 60.0, "{cut}");
        assert_eq!(fit("Elves", 10.0, Weight::Bold, 60.0), "Elves");
        let lines = wrap(long, 10.0, Weight::Regular, 80.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|l| width(l, 10.0, Weight::Regular) <= 80.0), "{lines:?}");
        assert!(wrap(long, 10.0, Weight::Regular, 800.0, 2).len() == 1);
    }

    #[test]
    fn halves_of_an_army_point() {
        assert_eq!([0, 1, 2, 15].map(halves), ["0", "½", "1", "7½"]);
    }
}
