//! Going on with a record: what of it is sound, and whether it is one of the encounter at hand.

use super::Tracker;
use crate::encounter::Encounter;
use crate::shown::plain;
use game::record::Record;
use game::{Game as _, Problem, Table};
use serde_json::Value;
use std::collections::BTreeSet;

/// What a record has to do with an encounter file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It began as the file says.
    Same,
    /// The file has been edited since.
    Edited,
    /// It is of another encounter: what that is, and what the file is, in a few words each.
    Another {
        /// Of the record.
        then: String,
        /// Of the file.
        now: String,
    },
}

impl Tracker {
    /// Goes on with a saved encounter. A line that was cut off while it was written is left out, and the message says so.
    ///
    /// # Errors
    /// If the record does not read or comes out differently: where, and up to which line one can go on with it.
    pub fn resume(text: &str, seed: u64) -> Result<Self, Problem> {
        let record = Record::parse(text)?;
        if record.header.game != Encounter::NAME {
            let what =
                format!("this is a record of `{}`, not of a Horde encounter", plain(&record.header.game));
            return Err(Problem::new(what).hint("`muster replay` tells what any record holds"));
        }
        // The header and the lines that read; only the line after them may be torn.
        let read = record.lines.len() + 1;
        if let Some(broken) = &record.broken
            && text.lines().skip(read + 1).any(|l| !l.trim().is_empty())
        {
            return Err(goes_on_from(broken.clone(), read));
        }
        let table = Table::<Encounter>::replay(&record).map_err(|p| {
            if Table::<Encounter>::opened(&record).is_err() {
                return p;
            }
            let good = playable(&record);
            let mut problem = goes_on_from(p, good);
            if let Some(place) = &mut problem.place {
                place.line = u32::try_from(good + 1).unwrap_or(u32::MAX);
            }
            problem
        })?;
        let mut t = Self::over(table, seed);
        t.header = true;
        t.written = record.lines.len();
        t.message = match &record.broken {
            Some(_) => "the last line was cut off and is left out; everything before it is here".to_owned(),
            None => format!("resumed after line {}", record.lines.len()),
        };
        // Whose hands threw last: who typed what fell goes on so.
        let typed = |line: &game::record::Line| {
            let known = line.throws.iter().filter_map(|t| t.typed);
            known.reduce(|a, b| a || b)
        };
        t.rolled = !record.lines.iter().rev().find_map(typed).unwrap_or(false);
        let how = t.how_dice();
        t.message = format!("{}; {how}", t.message);
        if let game::Lines::PartsAt(problem) =
            game::verify::<Encounter>(&Record { broken: None, ..record }).lines
        {
            let line = problem.place.as_ref().map_or(0, |p| p.line);
            t.warn(&format!(
                "line {line} is not the one that was written, though it plays: `muster verify` tells"
            ));
        }
        Ok(t)
    }

    /// Goes on with dice as they were when the game master left, where that was kept, and says so.
    pub fn dice_were(&mut self, rolled: bool) {
        let before = self.how_dice();
        self.rolled = rolled;
        self.message = self.message.replace(before, self.how_dice());
    }

    fn how_dice(&self) -> &'static str {
        if self.rolled { "dice are rolled (F5 types them)" } else { "dice are typed (F5 rolls them)" }
    }

    /// What the record has to do with `game`: combatants, weapons, profiles and options with which it began.
    pub fn relation_to(&self, game: &Encounter) -> Relation {
        let header = &self.table.record().header;
        let setup = game.setup();
        if is_another(&header.setup, &setup) {
            return Relation::Another { then: in_words(&header.setup), now: in_words(&setup) };
        }
        // Options that only one of two releases knows are no change of the file.
        let (then, now) = (&header.rules["options"], &game.rules()["options"]);
        let differs = |(key, value): (&String, &serde_json::Value)| now.get(key).is_some_and(|n| n != value);
        let changed = header.setup != setup || then.as_object().is_some_and(|o| o.iter().any(differs));
        if changed { Relation::Edited } else { Relation::Same }
    }
}

/// Labels of those in a set-up, on one side or on both.
fn labels<'a>(setup: &'a Value, side: Option<&str>) -> BTreeSet<&'a str> {
    let all = ["heretic", "horde", "foe"].into_iter().filter_map(|key| setup[key].as_array()).flatten();
    let fits = |u: &&Value| side.is_none_or(|side| u["side"] == side);
    all.filter(fits).filter_map(|u| u["label"].as_str()).collect()
}

/// Whether two set-ups are two encounters and not one before and after an edit. A name tells encounters apart, unless
/// the same combatants are in both; one name over nobody in common is two, and without a name the foes decide, for a
/// party has many fights.
fn is_another(then: &Value, now: &Value) -> bool {
    let unnamed = then["name"] == "encounter";
    let (old, new) = (labels(then, None), labels(now, None));
    if then["name"] != now["name"] {
        return old != new;
    }
    if unnamed {
        return labels(then, Some("foes")).is_disjoint(&labels(now, Some("foes")));
    }
    old.is_disjoint(&new)
}

/// Its name, and who is in it.
fn in_words(setup: &Value) -> String {
    const MOST: usize = 6;
    let all = labels(setup, None);
    let mut who: Vec<&str> = all.iter().take(MOST).copied().collect();
    if all.len() > MOST {
        who.push("…");
    }
    format!("\"{}\" ({})", plain(setup["name"].as_str().unwrap_or("encounter")), who.join(", "))
}

/// How many lines of a record's file play as they stand, its header with them.
fn playable(record: &Record) -> usize {
    let plays = |n: usize| {
        let part = Record { lines: record.lines[..n].to_vec(), broken: None, ..record.clone() };
        Table::<Encounter>::replay(&part).is_ok()
    };
    // Whatever goes wrong goes wrong in all that is longer.
    let (mut good, mut bad) = (0, record.lines.len());
    while good + 1 < bad {
        let middle = good.midpoint(bad);
        if plays(middle) { good = middle } else { bad = middle }
    }
    good + 1
}

fn goes_on_from(problem: Problem, good: usize) -> Problem {
    problem.hint(format!(
        "lines 1 to {good} are sound: `head -n {good} THIS > OTHER.jsonl` and run OTHER.jsonl to go on from there; nothing is deleted here"
    ))
}
