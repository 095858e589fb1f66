//! What is printed: positions with their measures, cards and sheets, as PDF.

use clap::ValueEnum;
use draw::paper::{Block, Card, Handout, Paper, handouts, letter, one_sheet};
use field::PACE;
use game::{Game as _, Problem, Problems};
use heroes::contract::Heroes;
use hott::battle::{Battle, State, Strong};
use hott::ground::Plan;
use serde_json::Value;

/// The sheet of paper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum PaperSize {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl From<PaperSize> for Paper {
    fn from(size: PaperSize) -> Paper {
        match size {
            PaperSize::A4 => Paper::A4,
            PaperSize::Letter => Paper::Letter,
        }
    }
}

/// A drawing, and what is measured in it, on one sheet if that can be.
///
/// # Errors
/// What the writer of the file says.
pub fn map(title: &str, svg: &str, measures: Vec<Block>, size: PaperSize) -> Result<Vec<u8>, Problems> {
    let mut blocks = vec![Block::Picture(draw::lettered(svg))];
    blocks.extend(measures);
    one_sheet(title, &blocks, size.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// A map of a campaign under its heading.
///
/// # Errors
/// What the writer of the file says.
pub fn campaign_map(title: &str, svg: &str, size: PaperSize) -> Result<Vec<u8>, Problems> {
    let blocks = [Block::Heading(1, title.to_owned()), Block::Picture(draw::lettered(svg))];
    one_sheet(title, &blocks, size.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// Pages that follow one another.
///
/// # Errors
/// What the writer of the file says.
pub fn blocks_pdf(title: &str, blocks: &[Block], size: PaperSize) -> Result<Vec<u8>, Problems> {
    letter(title, blocks, size.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// The measures of a position in its one-line form, to lay it out on a real table.
///
/// # Errors
/// A position that does not read.
pub fn measures(game: &str, rules: &Value, notation: &str) -> Result<Vec<Block>, Problems> {
    match game {
        "hott" | "big" => {
            let (battle, state) = Battle::open_notation(rules, notation)?;
            Ok(on_the_table(&battle, &state))
        }
        "heroes" => {
            let (battle, state) = Heroes::open_notation(rules, notation)?;
            Ok(on_hexes(&battle, &state))
        }
        _ => Ok(Vec::new()),
    }
}

/// HOTT-001: ground and elements of an open table, in millimetres from the left end and from the lower edge.
pub fn on_the_table(battle: &Battle, state: &State) -> Vec<Block> {
    // A thousand millimetres are so many paces; rounded to the millimetre.
    let whole = i64::from(battle.scale.paces(1_000)) * i64::from(PACE);
    let mm = |len: i32| {
        let tenths = i64::from(len) * 10_000 / whole.max(1);
        ((tenths + if tenths < 0 { -5 } else { 5 }) / 10).to_string()
    };
    let spot = |p: field::Point| [mm(p.x), mm(p.y)];
    let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<String>>();
    let mut ground = vec![words(&["Ground", "across", "up", "size", "turned"])];
    for feature in state.ground.features() {
        let kind = feature.kind.word().to_owned();
        let [x, y, size, turned] = match &feature.plan {
            Plan::Disc(at, radius) => {
                let [x, y] = spot(*at);
                [x, y, format!("{} across", mm(radius * 2)), String::new()]
            }
            Plan::Rect(at, w, d, heading) | Plan::Ellipse(at, w, d, heading) => {
                let [x, y] = spot(*at);
                [x, y, format!("{} by {}", mm(*w), mm(*d)), format!("{}°", heading.hundredths() / 100)]
            }
            Plan::Polygon(points) => [String::new(), String::new(), through(points, &spot), String::new()],
            Plan::Way(width, points) => {
                let line = format!("{} wide: {}", mm(*width), through(points, &spot));
                [String::new(), String::new(), line, String::new()]
            }
        };
        ground.push(vec![kind, x, y, size, turned]);
    }
    let mut bases = vec![words(&["Element", "", "across", "up", "faces"])];
    for id in battle.ids().filter(|id| state.on_table(*id)) {
        let (info, pose) = (battle.element(id), state.element(id).pose);
        let [x, y] = spot(pose.point());
        let name = info.ty.name().to_owned();
        bases.push(vec![battle.full_label(id), name, x, y, faces(pose.heading.hundredths() / 100)]);
    }
    for (n, side) in state.sides.iter().enumerate() {
        if let Strong::Stands(base) = side.strong {
            let [x, y] = spot(base.pose.point());
            let letter = char::from(b'A' + u8::try_from(n).unwrap_or(0));
            let name = if battle.tables.is_big() { "Baggage" } else { "Stronghold" };
            let facing = faces(base.pose.heading.hundredths() / 100);
            bases.push(vec![letter.to_string(), name.to_owned(), x, y, facing]);
        }
    }
    let size = format!(
        "The board is {} mm wide and {} mm deep. All measures are millimetres on the table, across from the left end \
         and up from the lower edge of the picture: of ground its middle, of an element the middle of its front edge.",
        mm(battle.board.width),
        mm(battle.board.height)
    );
    let mut blocks = vec![Block::Text(size)];
    blocks.extend([ground, bases].into_iter().filter(|t| t.len() > 1).map(Block::Columns));
    blocks
}

/// Corners, or the points of a line.
fn through(points: &[field::Point], spot: &dyn Fn(field::Point) -> [String; 2]) -> String {
    let one = |p: &field::Point| spot(*p).join("/");
    points.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Where something looks, in whole degrees from straight up, clockwise.
fn faces(degrees: i32) -> String {
    match degrees {
        0 => "up".to_owned(),
        90 => "right".to_owned(),
        180 => "down".to_owned(),
        270 => "left".to_owned(),
        d => format!("{d}°"),
    }
}

/// Units on hexes: where they stand.
fn on_hexes(game: &Heroes, state: &heroes::state::State) -> Vec<Block> {
    let t = game.table();
    let mut rows: Vec<Vec<String>> = vec![["Unit", "", "hex", "stands"].map(str::to_owned).to_vec()];
    for u in heroes::state::bits(t.of_side[0] | t.of_side[1]) {
        let unit = state.unit(u);
        if unit.hex.on() {
            let name = t.profile(u).name.clone();
            rows.push(vec![t.label(u).to_owned(), name, t.map.grid.label(unit.hex), unit.stands.to_string()]);
        }
    }
    if rows.len() < 2 {
        return Vec::new();
    }
    vec![Block::Columns(rows)]
}

/// So many cards stand on a sheet and are still read across a table.
const CARDS: usize = 12;

/// Cards as the game on hexes prints them: blocks of lines, the first with the stands to tick.
///
/// # Errors
/// What the writer of the file says.
pub fn unit_cards(text: &str, size: PaperSize) -> Result<Vec<u8>, Problems> {
    let mut blocks = text.split("\n\n").map(str::trim).filter(|b| !b.is_empty());
    let title = blocks.next().unwrap_or_default().to_owned();
    let cards: Vec<Card> = blocks.map(card).collect();
    let sheet =
        |cards: &[Card]| Handout { title: title.clone(), cards: cards.to_vec(), ..Handout::default() };
    let sheets: Vec<Handout> = cards.chunks(CARDS).map(sheet).collect();
    handouts(&title, &sheets, size.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

fn card(block: &str) -> Card {
    let mut lines = block.lines();
    let head = lines.next().unwrap_or_default();
    // Boxes to tick stand at the right, wherever the line had them.
    let (title, aside) = match head.find("[ ]") {
        Some(0) => (head.trim_start_matches("[ ]").trim(), "[ ]"),
        Some(at) => (head[..at].trim(), head[at..].trim()),
        None => (head.trim(), ""),
    };
    let line = |l: &str| match l.trim().split_once(": ") {
        Some((label, text)) if label.len() <= 8 && !label.contains(' ') => {
            (label.to_owned(), text.to_owned())
        }
        _ => (String::new(), l.trim().to_owned()),
    };
    Card { title: title.to_owned(), aside: aside.to_owned(), lines: lines.map(line).collect() }
}

/// A report in plain text as blocks: `== A heading ==`, columns that stand at least two blanks apart, sentences. Where
/// `pages` says so, each heading of that kind begins a page.
#[must_use]
pub fn of_text(text: &str, pages: bool) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let bare = line.trim();
        if let Some(heading) = bare.strip_prefix("== ") {
            if pages && !out.is_empty() {
                out.push(Block::NewPage);
            }
            out.push(Block::Heading(1, heading.trim_end_matches('=').trim().to_owned()));
            open = false;
            continue;
        }
        let cells: Vec<String> =
            bare.split("  ").map(str::trim).filter(|c| !c.is_empty()).map(str::to_owned).collect();
        match out.last_mut() {
            Some(Block::Table(rows)) if open && cells.len() == rows[0].len() && cells.len() > 1 => {
                rows.push(cells);
            }
            _ if cells.len() > 2 => {
                out.push(Block::Table(vec![cells]));
                open = true;
                continue;
            }
            _ if bare.is_empty() => {}
            _ if line.starts_with("  ") => out.push(Block::Item(0, bare.to_owned())),
            _ => out.push(Block::Text(bare.to_owned())),
        }
        open = open && matches!(out.last(), Some(Block::Table(_))) && !bare.is_empty();
    }
    // One row with columns is a line of facts, no table.
    for block in &mut out {
        if let Block::Table(rows) = block
            && let [row] = rows.as_slice()
        {
            *block = Block::Text(row.join("   "));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_of_a_unit_has_its_stands_at_the_right() {
        let read = card("Pra1 Praetorians  [ ][ ]\n  class A  speed 2\n  A2: heavy armour\n  ( ) disrupted");
        assert_eq!((read.title.as_str(), read.aside.as_str()), ("Pra1 Praetorians", "[ ][ ]"));
        assert_eq!(read.lines[1], ("A2".to_owned(), "heavy armour".to_owned()));
        assert_eq!(card("[ ] Legate 1: command 4").title, "Legate 1: command 4");
    }

    #[test]
    fn columns_of_a_report_become_a_table() {
        let blocks = of_text("== Guard ==\nM 35   soak 7   WP 35\n\nA  B  C\n1  2  3\n\nx", true);
        let rows = vec![vec!["A", "B", "C"], vec!["1", "2", "3"]];
        let rows = rows.into_iter().map(|r| r.into_iter().map(str::to_owned).collect()).collect();
        assert_eq!(blocks[2], Block::Table(rows));
        assert_eq!(blocks[1], Block::Text("M 35   soak 7   WP 35".to_owned()));
        assert_eq!(blocks.len(), 4);
    }

    #[test]
    fn measures_are_millimetres_on_the_table() {
        let rules = Battle::rules_from(None, None, &[]).unwrap();
        let position = serde_json::json!({
            "ground": ["wood disc 1000 800 200"],
            "elements": { "A.Bld1": "600 400 0", "B.Bld1": "600 1400 180" },
        });
        let (battle, state) = Battle::open_position(&rules, &position).unwrap();
        let told = format!("{:?}", on_the_table(&battle, &state));
        // 15 mm: 100p are 25 mm.
        assert!(told.contains("\"A.Bld1\", \"Blade\", \"150\", \"100\", \"up\""), "{told}");
        assert!(told.contains("\"wood\", \"250\", \"200\", \"100 across\""), "{told}");
        assert!(told.contains("600 mm wide"), "{told}");
    }
}
