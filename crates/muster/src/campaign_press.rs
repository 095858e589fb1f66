//! Letters, forms and maps of a campaign as PDF and PNG.

use crate::paper::PaperSize;
use campaign::cli::Press;
use draw::paper::{Block, blocks, letter, one_sheet};
use game::{Problem, Problems};

/// Prints letters with the nation's map.
#[derive(Clone, Copy, Debug, Default)]
pub struct Printer {
    /// The sheet of paper.
    pub paper: PaperSize,
}

impl Press for Printer {
    fn print(&mut self, title: &str, markdown: &str, map: &str) -> Vec<(String, Vec<u8>)> {
        // A letter that cannot be printed still goes out as text and as a page.
        pdf(title, markdown, map, self.paper).map(|bytes| ("pdf".to_owned(), bytes)).into_iter().collect()
    }
}

/// A letter and a map (or none) as a PDF.
///
/// # Errors
/// What the writer of the file says.
pub fn pdf(title: &str, markdown: &str, map: &str, paper: PaperSize) -> Result<Vec<u8>, Problems> {
    // Paper has no signs of emphasis.
    let bare = markdown.replace("**", "").replace("*(", "(").replace(")*", ")");
    let mut parts = blocks(&bare);
    if !map.is_empty() {
        parts.push(Block::Picture(draw::lettered(map)));
    }
    one_sheet(title, &parts, paper.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// Sheets of which each is for another reader, as a PDF: every heading of the first rank begins a page.
///
/// # Errors
/// What the writer of the file says.
pub fn sheets(title: &str, markdown: &str, paper: PaperSize) -> Result<Vec<u8>, Problems> {
    let bare = markdown.replace("**", "");
    let mut parts: Vec<Block> = Vec::new();
    for block in blocks(&bare) {
        if matches!(block, Block::Heading(1, _)) && !parts.is_empty() {
            parts.push(Block::NewPage);
        }
        parts.push(block);
    }
    letter(title, &parts, paper.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// A text that keeps its lines (an order form) as a PDF.
///
/// # Errors
/// What the writer of the file says.
pub fn plain(title: &str, text: &str, paper: PaperSize) -> Result<Vec<u8>, Problems> {
    let lines = text.lines().map(str::to_owned).collect();
    let parts = [Block::Heading(1, title.to_owned()), Block::Lines(lines)];
    letter(title, &parts, paper.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// A map as PNG.
///
/// # Errors
/// A drawing that cannot be made.
pub fn png(map: &str) -> Result<Vec<u8>, Problems> {
    draw::png(&draw::lettered(map), 2.0).map_err(|e| vec![Problem::new(format!("no picture: {e}"))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::{Reader, Rules, report, view, world::shipped};
    use game::Game;

    #[test]
    fn a_letter_is_printed_with_its_map() {
        let world = shipped("evening").unwrap();
        let nation = *world.nations.keys().next().unwrap();
        let c = campaign::Campaign::new(world, Some("evening".to_owned()), Rules::shipped(), true);
        let own = view(&c.start(), Reader::Nation(nation));
        let text = report::letter(c.world(), c.rules_in_force(), &own, "");
        let map = report::map_svg(c.world(), c.rules_in_force(), &own);
        let with = pdf("Letter", &text, &map, PaperSize::A4).unwrap();
        let without = pdf("Letter", &text, "", PaperSize::Letter).unwrap();
        assert!(with.starts_with(b"%PDF") && with.len() > without.len() + 2000);
        assert!(
            plain("Form", &report::form(c.world(), c.rules_in_force(), &own), PaperSize::A4)
                .unwrap()
                .starts_with(b"%PDF")
        );
        assert_eq!(&png(&map).unwrap()[1..4], b"PNG");
    }
}
