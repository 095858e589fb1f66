//! Everything on one sheet: a title, cards in two columns, notes below them.

use super::{MARGIN, Paper, PdfError, Put, Sheets, broken, weight};
use crate::text::width;

/// One card: a heading with something at its right, and lines with a label each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Its heading.
    pub title: String,
    /// At the right of the heading.
    pub aside: String,
    /// Label and text.
    pub lines: Vec<(String, String)>,
}

/// What is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handout {
    /// The title of the page.
    pub title: String,
    /// A line under it.
    pub summary: String,
    /// The cards, in order, down the first column and then the second.
    pub cards: Vec<Card>,
    /// Label and text of the notes at the foot, set smaller.
    pub notes: Vec<(String, String)>,
}

/// Between two columns.
const GUTTER: f64 = 18.0;
/// Type sizes that are tried, in quarters of a point: from the largest down. Below six points nobody reads with
/// pleasure, but a sheet in two halves is no sheet.
const SIZES: std::ops::RangeInclusive<u32> = 6..=42;

/// The page as a PDF file: everything on one sheet, in the largest type that fits.
///
/// # Errors
/// What the writer of the file says.
pub fn handout(handout: &Handout, paper: Paper) -> Result<Vec<u8>, PdfError> {
    set_to_fit(handout, paper).0.pdf(paper)
}

/// Several pages in one file, each on a sheet of its own and in the largest type that fits it.
///
/// # Errors
/// What the writer of the file says.
pub fn handouts(title: &str, all: &[Handout], paper: Paper) -> Result<Vec<u8>, PdfError> {
    let pages = all.iter().flat_map(|h| set_to_fit(h, paper).0.pages).collect();
    Sheets { title: title.to_owned(), pages, pictures: Vec::new() }.pdf(paper)
}

/// The page and the size of its type.
fn set_to_fit(handout: &Handout, paper: Paper) -> (Sheets, f64) {
    let (_, high) = paper.size();
    let mut sizes = SIZES.rev().map(|quarters| f64::from(quarters) / 4.0);
    let fits = |size: &f64| set(handout, paper, *size).1 <= high - MARGIN;
    let size = sizes.find(fits).unwrap_or(f64::from(*SIZES.start()) / 4.0);
    let page = set(handout, paper, size).0;
    (Sheets { title: handout.title.clone(), pages: vec![page], pictures: Vec::new() }, size)
}

/// The page at one size, and how far down it reaches.
fn set(handout: &Handout, paper: Paper, size: f64) -> (Vec<Put>, f64) {
    let (wide, _) = paper.size();
    let column = (wide - 2.0 * MARGIN - GUTTER) / 2.0;
    let mut puts = Vec::new();
    let mut y = MARGIN;
    for (words, size, bold) in [(&handout.title, size * 1.6, true), (&handout.summary, size, false)] {
        for line in broken(words, size, bold, wide - 2.0 * MARGIN) {
            y += size * 1.2;
            puts.push(Put::Words { x: MARGIN, y, size, bold, grey: !bold, words: line });
        }
    }
    y += size * 0.7;
    let cards: Vec<Vec<Put>> = handout.cards.iter().map(|c| card(c, column, size)).collect();
    let notes: Vec<Vec<Put>> = handout.notes.iter().map(|n| note(n, column, size * 0.86)).collect();
    for blocks in [cards, notes] {
        let heights: Vec<f64> = blocks.iter().map(|b| foot(b)).collect();
        let (split, high) = two_columns(&heights);
        let mut down = 0.0;
        for (i, block) in blocks.into_iter().enumerate() {
            if i == split {
                down = 0.0;
            }
            let x = if i < split { MARGIN } else { MARGIN + column + GUTTER };
            puts.extend(block.into_iter().map(|p| moved(p, x, y + down)));
            down += heights[i];
        }
        y += high + size * 0.8;
    }
    (puts, y)
}

/// A card with its upper left corner at the origin.
fn card(card: &Card, column: f64, size: f64) -> Vec<Put> {
    let mut puts = vec![Put::Rule { x: 0.0, y: size * 0.45, length: column }];
    let head = size * 1.12;
    let mut y = size * 0.45;
    for line in broken(&card.title, head, true, column) {
        y += head * 1.2;
        puts.push(Put::Words { x: 0.0, y, size: head, bold: true, grey: false, words: line });
    }
    let (title, aside) = (width(&card.title, head, weight(true)), width(&card.aside, size, weight(false)));
    // An aside that does not stand beside the heading stands below it, in as many lines as it takes.
    let below = title + aside + size > column;
    for line in broken(&card.aside, size, false, column) {
        if below {
            y += size * 1.2;
        }
        let x = (column - width(&line, size, weight(false))).max(0.0);
        puts.push(Put::Words { x, y, size, bold: false, grey: true, words: line });
    }
    let labels = card.lines.iter().map(|(l, _)| width(l, size, weight(false))).fold(0.0, f64::max);
    for (label, words) in &card.lines {
        y = labelled(&mut puts, (label, false), words, labels + size * 0.6, y, (column, size));
    }
    puts
}

fn note((label, words): &(String, String), column: f64, size: f64) -> Vec<Put> {
    let mut puts = Vec::new();
    let indent = width(label, size, weight(true)) + size * 0.5;
    labelled(&mut puts, (label, true), words, indent, 0.0, (column, size));
    puts
}

/// A label and its text beside it, below `y`; where it ends.
fn labelled(
    puts: &mut Vec<Put>,
    (label, bold): (&str, bool),
    words: &str,
    indent: f64,
    mut y: f64,
    (column, size): (f64, f64),
) -> f64 {
    let room = (column - indent).max(size);
    for (i, line) in broken(words, size, false, room).into_iter().enumerate() {
        y += size * 1.2;
        if i == 0 {
            puts.push(Put::Words { x: 0.0, y, size, bold, grey: true, words: label.to_owned() });
        }
        puts.push(Put::Words { x: indent, y, size, bold: false, grey: false, words: line });
    }
    y
}

/// How far down a block reaches, with a little air below the last line.
fn foot(puts: &[Put]) -> f64 {
    let low = |p: &Put| match p {
        Put::Words { y, size, .. } => y + size * 0.3,
        Put::Rule { y, .. } | Put::Picture { y, .. } => *y,
    };
    puts.iter().map(low).fold(0.0, f64::max)
}

fn moved(put: Put, dx: f64, dy: f64) -> Put {
    match put {
        Put::Words { x, y, size, bold, grey, words } => {
            Put::Words { x: x + dx, y: y + dy, size, bold, grey, words }
        }
        Put::Rule { x, y, length } => Put::Rule { x: x + dx, y: y + dy, length },
        Put::Picture { x, y, scale, svg } => Put::Picture { x: x + dx, y: y + dy, scale, svg },
    }
}

/// How many blocks go into the first of two columns so that they are as even as can be; the height of the higher.
fn two_columns(heights: &[f64]) -> (usize, f64) {
    let all: f64 = heights.iter().sum();
    let mut best = (heights.len(), all);
    let mut first = 0.0;
    for (n, h) in heights.iter().enumerate() {
        first += h;
        let high = f64::max(first, all - first);
        if high < best.1 {
            best = (n + 1, high);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn large(cards: usize) -> Handout {
        let card = |n: usize| Card {
            title: format!("{n} Blades, one the general"),
            aside: "Bld foot, 2 AP each, 8 in all".to_owned(),
            lines: vec![
                ("moves".to_owned(), "road 400p, good 200p, bad 200p, water 100p".to_owned()),
                ("beaten".to_owned(), "recoils; destroyed by Wbd ".repeat(3)),
                ("rules".to_owned(), "HOTT-028 HOTT-286 ".repeat(4)),
            ],
        };
        Handout {
            title: "Élan (vital) \\ 漢".to_owned(),
            summary: "24 AP".to_owned(),
            cards: (0..cards).map(card).collect(),
            notes: vec![("HOTT-092".to_owned(), "more for an Aerial ".repeat(4)); 2 * cards],
        }
    }

    #[test]
    fn everything_stands_within_the_page_and_nothing_on_another_line() {
        for paper in [Paper::A4, Paper::Letter] {
            let (wide, high) = paper.size();
            for cards in [0, 1, 4, 9, 18, 30] {
                let (sheets, size) = set_to_fit(&large(cards), paper);
                assert!(cards > 9 || size >= 6.0, "{cards} cards at {size}");
                let mut lines: Vec<(f64, f64, f64, f64)> = Vec::new();
                for put in &sheets.pages[0] {
                    if let Put::Words { x, y, size, bold, words, .. } = put {
                        let end = x + width(words, *size, weight(*bold));
                        assert!(*x >= MARGIN - 0.1 && end <= wide - MARGIN + 0.1, "{words}");
                        assert!(*y >= MARGIN && *y <= high - MARGIN, "{words} at {y}");
                        lines.push((*x, end, y - size * 0.7, *y));
                    }
                }
                for (i, a) in lines.iter().enumerate() {
                    for b in &lines[i + 1..] {
                        let apart = a.1 <= b.0 || b.1 <= a.0 || a.3 <= b.2 || b.3 <= a.2;
                        assert!(apart, "two lines on one another: {a:?} {b:?}, {cards} cards");
                    }
                }
            }
        }
    }

    #[test]
    fn one_page_and_the_same_bytes_each_time() {
        for paper in [Paper::A4, Paper::Letter] {
            let a = handout(&large(9), paper).unwrap();
            assert!(a.starts_with(b"%PDF-1."));
            assert_eq!(a, handout(&large(9), paper).unwrap());
            let text = String::from_utf8_lossy(&a);
            assert_eq!(
                text.matches("/Type/Page/").count() + text.matches("/Type /Page\n").count(),
                1,
                "{text}"
            );
        }
    }

    #[test]
    fn columns_are_even() {
        assert_eq!(two_columns(&[1.0, 1.0, 1.0, 1.0]), (2, 2.0));
        assert_eq!(two_columns(&[5.0, 1.0, 1.0]), (1, 5.0));
        assert_eq!(two_columns(&[]), (0, 0.0));
    }
}
