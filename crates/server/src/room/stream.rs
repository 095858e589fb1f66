//! What one viewer got to see, in order and numbered for him alone: from it come his version and his server-sent events.

use crate::wire::Item;
use game::record::Act;
use game::{Actor, AnyTable, Seat, Viewer};
use serde_json::json;
use std::sync::Arc;

/// The items of one viewer.
#[derive(Debug)]
pub(crate) struct Stream {
    items: Vec<Kept>,
    /// When the last item came, in seconds since 1970. What the viewer does not see sets no clock for him.
    pub since: i64,
}

#[derive(Debug)]
struct Kept {
    item: Arc<Item>,
    /// The line of the record that it came from: never shown.
    line: u32,
    undone: bool,
}

impl Stream {
    /// Empty ones for every viewer of a game; the umpire's is the last.
    pub(crate) fn all(seats: usize, since: i64) -> Vec<(Viewer, Stream)> {
        let seats = (0..seats).filter_map(|n| u8::try_from(n).ok()).map(|n| Viewer::Seat(Seat(n)));
        seats
            .chain([Viewer::Spectator, Viewer::Umpire])
            .map(|v| (v, Stream { items: Vec::new(), since }))
            .collect()
    }

    /// The viewer's version.
    pub(crate) fn version(&self) -> u64 {
        self.items.len() as u64
    }

    /// The items after version `n`.
    pub(crate) fn after(&self, n: u64) -> impl Iterator<Item = &Arc<Item>> {
        let n = usize::try_from(n).unwrap_or(usize::MAX).min(self.items.len());
        self.items[n..].iter().map(|k| &k.item)
    }

    /// The events after version `n` that were not taken back.
    pub(crate) fn standing_after(&self, n: u64) -> impl Iterator<Item = &Arc<Item>> {
        let n = usize::try_from(n).unwrap_or(usize::MAX).min(self.items.len());
        self.items[n..].iter().filter(|k| !k.undone && k.item.kind == "event").map(|k| &k.item)
    }

    /// The line of the record that the viewer had seen at version `n`; `None` for a version that is still to come.
    pub(crate) fn line_at(&self, n: u64) -> Option<u32> {
        match usize::try_from(n).ok()?.checked_sub(1) {
            None => Some(0),
            Some(i) => self.items.get(i).map(|k| k.line),
        }
    }

    /// The first item that comes from line `line` or a later one and still counts.
    pub(crate) fn first_from(&self, line: u32) -> Option<u64> {
        self.items.iter().find(|k| k.line >= line && !k.undone && k.item.kind != "undo").map(|k| k.item.n)
    }

    /// Takes in line `n` of the record.
    pub(crate) fn feed(&mut self, table: &dyn AnyTable, viewer: Viewer, n: u32, at: i64) {
        let before = self.version();
        self.take_in(table, viewer, n);
        if self.version() > before {
            self.since = at;
        }
    }

    fn take_in(&mut self, table: &dyn AnyTable, viewer: Viewer, n: u32) {
        let Some(line) = table.record().lines.get(n as usize - 1) else { return };
        match &line.act {
            Act::Command(_) => {
                let seen = table.seen_of(viewer, n);
                let own = match viewer {
                    Viewer::Seat(seat) => Actor::Seat(seat).name(table.seats()) == line.by,
                    Viewer::Umpire => true,
                    Viewer::Spectator => false,
                };
                if seen.is_empty() && own {
                    self.push(n, "noted", &line.by, json!({ "do": command_of(&line.act) }), None);
                }
                for event in seen {
                    self.push(n, "event", &line.by, event, None);
                }
            }
            Act::Undo { to, .. } => {
                // Who saw nothing of what is taken back must not see that anything is.
                let Some(first) = self.first_from(*to) else { return };
                for kept in self.items.iter_mut().filter(|k| k.line >= *to) {
                    kept.undone = true;
                }
                let told = game::wrong_die(table.record(), n).map(|dice| put_right(&line.by, &dice));
                self.push(n, "undo", &line.by, told.unwrap_or(serde_json::Value::Null), Some(first));
            }
            Act::Snapshot(_) => {}
            Act::End { outcome, key } => {
                self.push(n, "end", "", json!({ "outcome": outcome, "key": key }), None);
            }
        }
    }

    fn push(&mut self, line: u32, kind: &str, by: &str, event: serde_json::Value, from: Option<u64>) {
        let item = Item { n: self.version() + 1, kind: kind.to_owned(), by: by.to_owned(), event, from };
        self.items.push(Kept { item: Arc::new(item), line, undone: false });
    }
}

/// That a die was typed wrongly, as all who saw what came of it may know.
fn put_right(by: &str, dice: &[(&game::record::Throw, Option<u16>)]) -> serde_json::Value {
    let one = |(now, was): &(&game::record::Throw, Option<u16>)| match was {
        Some(was) => format!("{}: {}, not {was}", now.purpose, now.value),
        None => format!("{}: {}", now.purpose, now.value),
    };
    let all: Vec<String> = dice.iter().map(one).collect();
    json!({ "kind": "wrong-die", "say": format!("{by} puts a wrong die right: {}.", all.join("; ")) })
}

fn command_of(act: &Act) -> Option<&str> {
    match act {
        Act::Command(text) => Some(text),
        _ => None,
    }
}
