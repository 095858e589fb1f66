//! Paper: one-page handouts and letters of several pages as PDF.
//!
//! [`handout`] sets everything on one sheet, in the largest type that fits: an army's sheet for the table.
//! [`letter`] lets headings, text, tables and pictures flow over as many pages as they need: reports, letters,
//! orders. Text is text (it can be searched and copied), in the same embedded font as the pictures; a picture is an
//! SVG drawing of this crate and stays lines and areas on paper. The same input gives the same bytes: there is no
//! date in the file.

mod handout;
mod letter;
mod markdown;
mod vector;

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};

use crate::text::{self, Face, Weight};

pub use handout::{Card, Handout, handout, handouts};
pub use letter::{Block, letter, one_sheet};
pub use markdown::blocks;

/// The sheet of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
    /// A4 lying on its side.
    A4Wide,
    /// Letter lying on its side.
    LetterWide,
}

impl Paper {
    /// Width and height in points (1/72 inch).
    #[must_use]
    pub fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (595.28, 841.89),
            Paper::Letter => (612.0, 792.0),
            Paper::A4Wide => (841.89, 595.28),
            Paper::LetterWide => (792.0, 612.0),
        }
    }

    /// The same sheet lying on its side: for what is wider than high.
    #[must_use]
    pub fn wide(self) -> Paper {
        match self {
            Paper::A4 | Paper::A4Wide => Paper::A4Wide,
            Paper::Letter | Paper::LetterWide => Paper::LetterWide,
        }
    }
}

/// Why there is no PDF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PdfError {
    /// A picture is not SVG: what the reader says.
    Picture(String),
    /// The file could not be written: what the writer says.
    Write(String),
}

impl std::fmt::Display for PdfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PdfError::Picture(why) => write!(f, "a picture for the page is not a drawing: {why}"),
            PdfError::Write(why) => write!(f, "the PDF could not be written: {why}"),
        }
    }
}

impl std::error::Error for PdfError {}

/// Margin of every page, in points.
const MARGIN: f64 = 34.0;

/// Dark and light ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    Black,
    Grey,
}

impl Ink {
    fn fill(self) -> Fill {
        let v = match self {
            Ink::Black => 0x11,
            Ink::Grey => 0x55,
        };
        Fill { paint: rgb::Color::new(v, v, v).into(), ..Fill::default() }
    }
}

/// One thing on a page; its place is of the baseline's left end, in points from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
enum Put {
    Words { x: f64, y: f64, size: f64, bold: bool, grey: bool, words: String },
    Rule { x: f64, y: f64, length: f64 },
    Picture { x: f64, y: f64, scale: f64, svg: usize },
}

/// Pages laid out and not yet written: what tests look at.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sheets {
    title: String,
    pages: Vec<Vec<Put>>,
    pictures: Vec<String>,
}

impl Sheets {
    /// Words or pictures that run off the page's margins, if any do.
    fn outside(&self, paper: Paper) -> Option<String> {
        let (w, h) = paper.size();
        // Half a point is not seen.
        let room = (MARGIN - 0.5, w - MARGIN + 0.5, h - MARGIN + 0.5);
        self.pages.iter().flatten().find_map(|put| match put {
            Put::Words { x, y, size, bold, words, .. } => {
                let end = x + text::width(words, *size, weight(*bold));
                (*x < room.0 || end > room.1 || *y < room.0 || *y > room.2).then(|| words.clone())
            }
            Put::Picture { x, y, scale, svg } => {
                let (wide, high) = vector::Picture::read(self.pictures.get(*svg)?).ok()?.size();
                let off = *x < room.0 || x + wide * scale > room.1 || y + high * scale > room.2;
                off.then(|| "a picture".to_owned())
            }
            Put::Rule { .. } => None,
        })
    }

    /// The file.
    fn pdf(&self, paper: Paper) -> Result<Vec<u8>, PdfError> {
        // Every page that a test makes is measured; whoever prints gets his page all the same.
        if cfg!(debug_assertions)
            && let Some(words) = self.outside(paper)
        {
            return Err(PdfError::Write(format!("this runs off the page: {words}")));
        }
        let lost = |what: &str| PdfError::Write(what.to_owned());
        let face =
            |bytes: &'static [u8]| Font::new(bytes.into(), 0).ok_or_else(|| lost("the font is not one"));
        let fonts = [face(dejavu::sans_condensed::regular())?, face(dejavu::sans_condensed::bold())?];
        let pictures: Vec<vector::Picture> =
            self.pictures.iter().map(|svg| vector::Picture::read(svg)).collect::<Result<_, _>>()?;
        let (w, h) = paper.size();
        let mut document = krilla::Document::new();
        for puts in &self.pages {
            let settings = PageSettings::from_wh(w as f32, h as f32).ok_or_else(|| lost("no size"))?;
            let mut page = document.start_page_with(settings);
            let mut surface = page.surface();
            for put in puts {
                match put {
                    Put::Words { x, y, size, bold, grey, words } => {
                        surface.set_stroke(None);
                        surface.set_fill(Some(if *grey { Ink::Grey } else { Ink::Black }.fill()));
                        draw_words(&mut surface, (*x, *y), *size, *bold, &fonts, words);
                    }
                    Put::Rule { x, y, length } => {
                        surface.set_stroke(None);
                        surface.set_fill(Some(Ink::Grey.fill()));
                        let line = Rect::from_xywh(*x as f32, *y as f32, length.max(0.1) as f32, 0.5);
                        if let Some(line) = line {
                            let mut path = PathBuilder::new();
                            path.push_rect(line);
                            if let Some(path) = path.finish() {
                                surface.draw_path(&path);
                            }
                        }
                    }
                    Put::Picture { x, y, scale, svg } => {
                        if let Some(picture) = pictures.get(*svg) {
                            picture.put(&mut surface, (*x, *y), *scale);
                        }
                    }
                }
            }
            surface.finish();
            page.finish();
        }
        let about =
            Metadata::new().title(self.title.clone()).producer("Muster".to_owned()).language("en".to_owned());
        document.set_metadata(about);
        document.finish().map_err(|e| PdfError::Write(format!("{e:?}")))
    }
}

fn draw_words(
    surface: &mut Surface<'_>,
    at: (f64, f64),
    size: f64,
    bold: bool,
    fonts: &[Font; 2],
    words: &str,
) {
    let weight = if bold { Weight::Bold } else { Weight::Regular };
    let face = Face::get(weight);
    let clean: String = text::printable(words).collect();
    let units = face.units();
    let glyphs: Vec<KrillaGlyph> = clean
        .char_indices()
        .map(|(i, c)| {
            let (glyph, advance) = face.measured(c);
            let range = i..i + c.len_utf8();
            KrillaGlyph::new(
                GlyphId::new(u32::from(glyph)),
                (advance / units) as f32,
                0.0,
                0.0,
                0.0,
                range,
                None,
            )
        })
        .collect();
    let font = fonts[usize::from(bold)].clone();
    surface.draw_glyphs(Point::from_xy(at.0 as f32, at.1 as f32), &glyphs, font, &clean, size as f32, false);
}

fn weight(bold: bool) -> Weight {
    if bold { Weight::Bold } else { Weight::Regular }
}

/// A text in lines that fit the width; a word too long for any line is broken where it must be.
fn broken(words: &str, size: f64, bold: bool, room: f64) -> Vec<String> {
    let wide = |s: &str| text::width(s, size, weight(bold));
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let line = lines.last().map_or("", String::as_str);
            let longer = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
            if wide(&longer) <= room {
                lines.pop();
                lines.push(longer);
                break;
            }
            if !line.is_empty() {
                lines.push(String::new());
                continue;
            }
            // A word wider than the column: as much as fits, and at least a letter, so that it ends.
            let mut head = String::new();
            let mut rest = word.chars().peekable();
            while let Some(c) = rest.peek() {
                head.push(*c);
                if wide(&head) > room && head.chars().count() > 1 {
                    head.pop();
                    break;
                }
                rest.next();
            }
            let left: String = rest.collect();
            lines.pop();
            lines.push(head);
            if left.is_empty() {
                break;
            }
            lines.push(String::new());
            word = left;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_within_their_width_and_lose_nothing() {
        let long = format!("destroyed by Aerials; in bad going {} destroyed, else recoils", "x".repeat(200));
        for room in [20.0, 90.0, 400.0] {
            let lines = broken(&long, 9.0, false, room);
            for line in &lines {
                assert!(text::width(line, 9.0, Weight::Regular) <= room, "{line}");
            }
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(&long));
        }
        // Narrower than a letter: still it ends, a letter a line.
        assert_eq!(broken("abc", 9.0, false, 1.0), ["a", "b", "c"]);
        assert_eq!(broken("", 9.0, false, 100.0), [""]);
    }
}
