//! Pages that follow one another: headings, text, tables and pictures.

use super::{MARGIN, Paper, PdfError, Put, Sheets, broken, vector, weight};
use crate::text::{fit, width};

/// A part of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading and its level: 1 the largest, 4 the smallest.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// An item of a list, and how deep it stands: 0 the outermost.
    Item(u8, String),
    /// Lines that keep their breaks and their leading blanks: orders, addresses.
    Lines(Vec<String>),
    /// Rows of cells; the first row is the heading.
    Table(Vec<Vec<String>>),
    /// The same in small type, in as many columns side by side as there is room for: long lists of measures.
    Columns(Vec<Vec<String>>),
    /// A drawing of this crate, as SVG: as wide as the text, or less where it would be higher than a page.
    Picture(String),
    /// A line across.
    Rule,
    /// What follows begins on a new page.
    NewPage,
}

/// Size of the running text, in points.
const SIZE: f64 = 10.0;
/// From line to line, in sizes.
const LEADING: f64 = 1.28;
/// The foot of a page is kept free for its number.
const FOOT: f64 = 20.0;

/// A letter as a PDF file. A document of several pages has numbers at their feet.
///
/// # Errors
/// A picture that is not SVG; what the writer of the file says.
pub fn letter(title: &str, blocks: &[Block], paper: Paper) -> Result<Vec<u8>, PdfError> {
    set(title, blocks, paper, 1.0, &sizes(blocks)?).pdf(paper)
}

/// Width and height of each picture, in order.
fn sizes(blocks: &[Block]) -> Result<Vec<(f64, f64)>, PdfError> {
    let pictures = blocks.iter().filter_map(|b| if let Block::Picture(svg) = b { Some(svg) } else { None });
    pictures.map(|svg| Ok(vector::Picture::read(svg)?.size())).collect()
}

/// The share of a page that a picture keeps at least when it makes room for what stands beside it on the same sheet.
const LEAST: u32 = 45;

/// As [`letter`], on one sheet if that can be: pictures give way, down to a little less than half a page, until the rest has
/// room; what is mostly one wide picture lies on its side.
///
/// # Errors
/// A picture that is not SVG; what the writer of the file says.
pub fn one_sheet(title: &str, blocks: &[Block], paper: Paper) -> Result<Vec<u8>, PdfError> {
    let (sheets, paper) = fitted(title, blocks, paper)?;
    sheets.pdf(paper)
}

fn fitted(title: &str, blocks: &[Block], paper: Paper) -> Result<(Sheets, Paper), PdfError> {
    let sizes = sizes(blocks)?;
    let wide = sizes.iter().any(|(w, h)| *w > h * 1.15);
    let text = |b: &&Block| matches!(b, Block::Text(_) | Block::Item(..) | Block::Lines(_));
    let words = blocks.iter().filter(text).count();
    let paper = if wide && words <= 2 { paper.wide() } else { paper };
    let whole = set(title, blocks, paper, 1.0, &sizes);
    if whole.pages.len() > 1 && !whole.pictures.is_empty() {
        for share in (LEAST..100).rev().step_by(3) {
            let sheets = set(title, blocks, paper, f64::from(share) / 100.0, &sizes);
            if sheets.pages.len() == 1 {
                return Ok((sheets, paper));
            }
        }
    }
    Ok((whole, paper))
}

/// A pen that goes down the page and on to the next.
struct Pen {
    sheets: Sheets,
    y: f64,
    wide: f64,
    bottom: f64,
    /// How much of a page's height a picture may take.
    share: f64,
}

impl Pen {
    /// Sees to it that so much more fits the page.
    fn need(&mut self, height: f64) {
        if self.y + height > self.bottom && self.y > MARGIN {
            self.new_page();
        }
    }

    fn new_page(&mut self) {
        self.sheets.pages.push(Vec::new());
        self.y = MARGIN;
    }

    fn put(&mut self, put: Put) {
        if let Some(page) = self.sheets.pages.last_mut() {
            page.push(put);
        }
    }

    fn line(&mut self, x: f64, size: f64, bold: bool, words: String) {
        self.need(size * LEADING);
        self.y += size * LEADING;
        let y = self.y - size * 0.28;
        self.put(Put::Words { x, y, size, bold, grey: false, words });
    }

    fn paragraph(&mut self, x: f64, size: f64, bold: bool, words: &str) {
        for line in broken(words, size, bold, self.wide - MARGIN - x) {
            self.line(x, size, bold, line);
        }
    }

    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let size = SIZE * 0.92;
        let pad = size * 0.8;
        let natural = |c: usize| {
            let cell = |row: &Vec<String>| row.get(c).map_or(0.0, |w| width(w, size, weight(true)) + pad);
            rows.iter().map(cell).fold(0.0, f64::max)
        };
        let mut widths: Vec<f64> = (0..columns).map(natural).collect();
        let room = self.wide - 2.0 * MARGIN;
        // Columns that are too wide for their share give way until the table fits.
        let fair = room / columns.max(1) as f64;
        let small: f64 = widths.iter().filter(|w| **w <= fair).sum();
        let large: f64 = widths.iter().filter(|w| **w > fair).sum();
        if small + large > room {
            let shrink = (room - small).max(0.0) / large.max(1.0);
            widths.iter_mut().filter(|w| **w > fair).for_each(|w| *w *= shrink);
        }
        for (r, row) in rows.iter().enumerate() {
            let bold = r == 0;
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(w, wide)| broken(w, size, bold, (wide - pad).max(size)))
                .collect();
            let high = cells.iter().map(Vec::len).max().unwrap_or(1);
            self.need(high as f64 * size * LEADING);
            let top = self.y;
            let mut x = MARGIN;
            for (cell, wide) in cells.into_iter().zip(&widths) {
                self.y = top;
                for words in cell {
                    self.y += size * LEADING;
                    let y = self.y - size * 0.28;
                    self.put(Put::Words { x, y, size, bold, grey: false, words });
                }
                x += wide;
            }
            self.y = top + high as f64 * size * LEADING;
            if bold {
                let y = self.y + 0.5;
                self.put(Put::Rule { x: MARGIN, y, length: widths.iter().sum() });
                self.y += 2.0;
            }
        }
    }

    /// Small type in columns; what does not fit the page goes on in columns on the next.
    fn columns(&mut self, rows: &[Vec<String>]) {
        let Some((head, rows)) = rows.split_first() else { return };
        let size = SIZE * 0.76;
        let (pad, gap, line) = (size * 0.7, size * 2.0, size * 1.22);
        let cells = head.len().max(rows.iter().map(Vec::len).max().unwrap_or(0));
        let room = self.wide - 2.0 * MARGIN;
        let natural = |c: usize| {
            let cell = |bold: bool, row: &Vec<String>| {
                row.get(c).map_or(0.0, |w| width(w, size, weight(bold)) + pad)
            };
            rows.iter().map(|r| cell(false, r)).fold(cell(true, head), f64::max)
        };
        // A cell never takes more than its share of the page.
        let most = room / cells.max(1) as f64;
        let widths: Vec<f64> =
            (0..cells).map(natural).map(|w| if w > room / 2.0 { w.min(most * 2.0) } else { w }).collect();
        let whole: f64 = widths.iter().sum::<f64>().min(room);
        let side = (((room + gap) / (whole + gap)).floor().max(1.0)) as usize;
        let mut rest = rows;
        while !rest.is_empty() {
            let bottom = self.bottom;
            let fits = |y: f64| ((bottom - y) / line).floor() as usize;
            let mut lines = fits(self.y).saturating_sub(1);
            if lines < 4 && lines * side < rest.len() && self.y > MARGIN {
                self.new_page();
                lines = fits(MARGIN).saturating_sub(1);
            }
            let count = rest.len().div_ceil(side).min(lines.max(1));
            let (now, later) = rest.split_at((count * side).min(rest.len()));
            let top = self.y;
            for (n, part) in now.chunks(count).enumerate() {
                let x = MARGIN + n as f64 * (whole + gap);
                let mut y = top;
                for (bold, row) in std::iter::once((true, head)).chain(part.iter().map(|r| (false, r))) {
                    y += line;
                    let mut at = x;
                    for (words, wide) in row.iter().zip(&widths) {
                        let words = fit(words, size, weight(bold), wide - pad * 0.5);
                        self.put(Put::Words { x: at, y: y - size * 0.25, size, bold, grey: false, words });
                        at += wide;
                    }
                }
            }
            self.y = top + (count + 1) as f64 * line;
            rest = later;
        }
    }

    fn picture(&mut self, svg: &str, (w, h): (f64, f64)) {
        let room = (self.wide - 2.0 * MARGIN, self.bottom - MARGIN - SIZE);
        // A drawing has no size of its own: it takes the room that it is given.
        let scale = f64::min(room.0 / w, room.1 * self.share / h);
        self.need(h * scale);
        let x = MARGIN + (room.0 - w * scale) / 2.0;
        let put = Put::Picture { x, y: self.y, scale, svg: self.sheets.pictures.len() };
        self.sheets.pictures.push(svg.to_owned());
        self.put(put);
        self.y += h * scale;
    }
}

fn set(title: &str, blocks: &[Block], paper: Paper, share: f64, sizes: &[(f64, f64)]) -> Sheets {
    let (wide, high) = paper.size();
    let sheets = Sheets { title: title.to_owned(), pages: vec![Vec::new()], pictures: Vec::new() };
    let mut pen = Pen { sheets, y: MARGIN, wide, bottom: high - MARGIN - FOOT, share };
    let mut items = false;
    for block in blocks {
        // Where a list ends there is a little air.
        if items && !matches!(block, Block::Item(..) | Block::NewPage) {
            pen.y += SIZE * 0.5;
        }
        items = matches!(block, Block::Item(..));
        match block {
            Block::Heading(level, words) => {
                let size = SIZE * [1.8, 1.4, 1.15, 1.0][usize::from(level.saturating_sub(1)).min(3)];
                // A heading does not stand alone at the foot of a page.
                pen.need(size * LEADING + SIZE * LEADING * 3.0);
                pen.y += if pen.y > MARGIN { size * 0.6 } else { 0.0 };
                pen.paragraph(MARGIN, size, true, words);
                pen.y += SIZE * 0.2;
            }
            Block::Text(words) => {
                pen.paragraph(MARGIN, SIZE, false, words);
                pen.y += SIZE * 0.5;
            }
            Block::Item(depth, words) => {
                let x = MARGIN + SIZE * (1.0 + 1.2 * f64::from((*depth).min(8)));
                let before = pen.sheets.pages.len();
                let from = pen.y;
                pen.paragraph(x, SIZE, false, words);
                // The mark stands at the first line, which may have gone to a new page.
                let y = if pen.sheets.pages.len() > before { MARGIN } else { from } + SIZE;
                pen.put(Put::Words {
                    x: x - SIZE * 0.8,
                    y,
                    size: SIZE,
                    bold: false,
                    grey: true,
                    words: "•".to_owned(),
                });
            }
            Block::Lines(lines) => {
                for line in lines {
                    let blanks = line.chars().take_while(|c| *c == ' ').count();
                    let x = MARGIN + (blanks as f64 * SIZE * 0.4).min(wide / 3.0);
                    pen.paragraph(x, SIZE, false, line);
                }
                pen.y += SIZE * 0.5;
            }
            Block::Table(rows) => {
                pen.table(rows);
                pen.y += SIZE * 0.6;
            }
            Block::Columns(rows) => {
                pen.columns(rows);
                pen.y += SIZE * 0.6;
            }
            Block::Picture(svg) => {
                let size = sizes.get(pen.sheets.pictures.len()).copied().unwrap_or((1.0, 1.0));
                pen.picture(svg, size);
                pen.y += SIZE * 0.6;
            }
            Block::Rule => {
                pen.need(SIZE);
                pen.y += SIZE * 0.5;
                let y = pen.y;
                pen.put(Put::Rule { x: MARGIN, y, length: wide - 2.0 * MARGIN });
                pen.y += SIZE * 0.5;
            }
            Block::NewPage => pen.new_page(),
        }
    }
    let mut sheets = pen.sheets;
    let many = sheets.pages.len();
    for (i, page) in sheets.pages.iter_mut().enumerate().filter(|_| many > 1) {
        let number = format!("{} of {many}", i + 1);
        let size = SIZE * 0.8;
        let foot = high - MARGIN;
        let x = wide - MARGIN - width(&number, size, weight(false));
        let words = fit(title, size, weight(false), wide / 2.0);
        page.push(Put::Words { x, y: foot, size, bold: false, grey: true, words: number });
        page.push(Put::Words { x: MARGIN, y: foot, size, bold: false, grey: true, words });
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> Vec<Block> {
        let mut all = vec![Block::Heading(1, "The third year, spring".to_owned())];
        for n in 0..60 {
            all.push(Block::Heading(2, format!("Province {n}")));
            all.push(Block::Text("The army marched north and met nobody. ".repeat(6)));
            all.push(Block::Item(
                n % 3,
                "an item that is long enough to need more than a line of the page ".repeat(2),
            ));
            all.push(Block::Table(vec![
                vec!["army".to_owned(), "where".to_owned()],
                vec!["x".repeat(300), "y ".repeat(90)],
            ]));
            all.push(Block::Lines(vec!["ORDERS".to_owned(), "   march to the ford".to_owned()]));
        }
        all.push(Block::Rule);
        all
    }

    #[test]
    fn flows_over_pages_within_their_margins_with_numbers() {
        for paper in [Paper::A4, Paper::Letter] {
            let (wide, high) = paper.size();
            let sheets = set("Letter", &many(), paper, 1.0, &[]);
            assert!(sheets.pages.len() > 10);
            for (i, page) in sheets.pages.iter().enumerate() {
                for put in page {
                    if let Put::Words { x, y, size, bold, words, .. } = put {
                        let end = x + width(words, *size, weight(*bold));
                        assert!(*x >= MARGIN - 0.1 && end <= wide - MARGIN + 0.1, "{words}");
                        assert!(*y >= MARGIN && *y <= high - MARGIN, "{words} at {y}");
                    }
                }
                let number = format!("{} of {}", i + 1, sheets.pages.len());
                assert!(page.iter().any(|p| matches!(p, Put::Words { words, .. } if *words == number)));
            }
        }
    }

    #[test]
    fn a_picture_is_fitted_to_the_page_and_what_is_none_is_refused() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='9000'>\
                   <rect width='2000' height='9000' fill='#336'/></svg>";
        let blocks = [Block::Text("a".to_owned()), Block::Picture(svg.to_owned())];
        let sheets = set("x", &blocks, Paper::A4, 1.0, &sizes(&blocks).unwrap());
        assert_eq!(sheets.pages.len(), 2);
        let Some(Put::Picture { scale, .. }) = sheets.pages[1].first() else { panic!("{sheets:?}") };
        assert!(*scale * 9000.0 <= Paper::A4.size().1 - 2.0 * MARGIN);
        assert!(letter("x", &[Block::Picture(svg.to_owned())], Paper::A4).unwrap().starts_with(b"%PDF"));
        assert!(matches!(
            letter("x", &[Block::Picture("<svg".to_owned())], Paper::A4),
            Err(PdfError::Picture(_))
        ));
    }

    #[test]
    fn a_picture_gives_way_to_what_belongs_on_its_sheet() {
        let svg = |w: u32, h: u32| {
            format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='{w}' height='{h}'><rect width='9' height='9'/></svg>"
            )
        };
        let rows = |n: usize| {
            (0..n).map(|i| vec![format!("A.Bld{i}"), "Blade".to_owned(), "512".to_owned()]).collect()
        };
        for paper in [Paper::A4, Paper::Letter] {
            let blocks = [Block::Picture(svg(900, 1000)), Block::Columns(rows(80))];
            let (sheets, on) = fitted("x", &blocks, paper).unwrap();
            assert_eq!((sheets.pages.len(), on), (1, paper));
            let (wide, high) = on.size();
            for put in &sheets.pages[0] {
                match put {
                    Put::Words { x, y, size, bold, words, .. } => {
                        assert!(x + width(words, *size, weight(*bold)) <= wide - MARGIN + 0.1, "{words}");
                        assert!(*y <= high - MARGIN, "{words}");
                    }
                    Put::Picture { x, y, scale, .. } => {
                        assert!(
                            x + scale * 900.0 <= wide - MARGIN + 0.1 && y + scale * 1000.0 <= high - MARGIN
                        );
                    }
                    Put::Rule { .. } => {}
                }
            }
            // A wide one lies on its side, and too much goes on on further pages.
            let (sheets, on) = fitted("x", &[Block::Picture(svg(2000, 900))], paper).unwrap();
            assert_eq!((sheets.pages.len(), on), (1, paper.wide()));
            let (sheets, _) =
                fitted("x", &[Block::Picture(svg(9, 9)), Block::Columns(rows(900))], paper).unwrap();
            assert!(sheets.pages.len() > 1);
        }
    }

    #[test]
    fn nothing_gives_an_empty_page() {
        assert!(letter("", &[], Paper::Letter).unwrap().starts_with(b"%PDF"));
    }
}
