//! The picture of a Round of Horde combat: a bar for everybody, of what is left of what there was. For the game master:
//! players know no Magnitudes (HC-206).

use draw::lettered;
use game::record::Record;
use game::{Problem, Table};
use horde::encounter::Encounter;
use horde::state::State;
use horde::unit::{Kind, Side};
use std::fmt::Write as _;

const WIDE: usize = 1000;
const ROW: usize = 30;
const NAME: usize = 300;
const BAR: usize = 520;
/// So many letters of a name stand before its bar.
const LETTERS: usize = 34;

/// Sets a record up again, to be drawn Round by Round.
///
/// # Errors
/// A record that does not play.
pub fn table(record: &Record) -> Result<Table<Encounter>, Problem> {
    Table::replay(record)
}

/// The bars as they stand after a line of the record.
pub fn bars(table: &Table<Encounter>, n: u32) -> String {
    lettered(&svg(&table.at(n)))
}

fn escape(text: &str) -> String {
    crate::out::escape(text)
}

fn svg(s: &State) -> String {
    let all: Vec<_> = s.ids().map(|id| s.unit(id)).collect();
    let high = all.len() * ROW + 16;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {high}\" width=\"{WIDE}\" height=\"{high}\">\n<rect width=\"{WIDE}\" height=\"{high}\" fill=\"#fbf9f3\"/>\n"
    );
    for (n, unit) in all.iter().enumerate() {
        let y = n * ROW + 8;
        let (left, of, word) = match &unit.kind {
            Kind::Horde(h) => (h.m.max(0), h.m0.max(1), format!("Magnitude {} of {}", h.m, h.m0)),
            Kind::Person(p) => {
                let left = (p.max - p.wounds).max(0);
                let word = if p.critical > 0 {
                    format!("critical damage {}", p.critical)
                } else {
                    format!("wounds {} of {}", p.wounds, p.max)
                };
                (left, p.max.max(1), word)
            }
        };
        let whole = usize::try_from(left.min(of)).unwrap_or(0) * BAR / usize::try_from(of).unwrap_or(1);
        let fill = if unit.side == Side::Heretics { "#2f6690" } else { "#a4432f" };
        let mut name: String = unit.name.chars().take(LETTERS).collect();
        if unit.name.chars().count() > LETTERS {
            name.push('…');
        }
        let gone = if unit.fights() { String::new() } else { format!(", {}", unit.status.word()) };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\" text-anchor=\"end\" fill=\"#222\">{}</text>\n\
             <rect x=\"{NAME}\" y=\"{}\" width=\"{BAR}\" height=\"16\" fill=\"#e6e0d2\" stroke=\"#8a8272\"/>\n\
             <rect x=\"{NAME}\" y=\"{}\" width=\"{whole}\" height=\"16\" fill=\"{fill}\"/>\n\
             <text x=\"{}\" y=\"{}\" font-size=\"13\" fill=\"#222\">{}</text>",
            NAME - 10,
            y + 15,
            escape(&name),
            y + 2,
            y + 2,
            NAME + BAR + 10,
            y + 15,
            escape(&format!("{word}{gone}")),
        );
    }
    out.push_str("</svg>\n");
    out
}
