//! Letters that go out: written once for each reader and season, and again only where a correction changed them.

use super::desk::{plain, readers};
use super::{Ran, one, wrong};
use crate::again::changes;
use crate::command::Command;
use crate::report::{self, core};
use crate::state::Phase;
use crate::store::Folder;
use crate::view::{Reader, view};
use game::{Actor, Problem, Problems};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const LEDGER: &str = "sent.json";

/// What was sent to a reader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sent {
    /// How many corrections.
    corrections: u32,
    /// The letter as it was last sent.
    text: String,
}

/// Turns a page into other files: PDF, where the binary can draw.
pub trait Press {
    /// Extra files of a letter: each an ending (`pdf`) with its bytes.
    fn print(&mut self, title: &str, markdown: &str, map: &str) -> Vec<(String, Vec<u8>)>;
}

/// `campaign publish DIR`: what is held goes out; every letter and the gazette is written into the folder `letters/`,
/// by season. A letter that was written before and has not changed is not written again; one that has changed goes
/// out once more as a correction that says what is new.
///
/// # Errors
/// A folder that cannot be written.
pub fn publish(dir: &Path, press: Option<&mut dyn Press>) -> Ran {
    let mut folder = Folder::open(dir)?;
    if folder.table.state().held.is_some() {
        folder.command(Actor::Umpire, &Command::Publish.to_string())?;
    }
    let state = folder.table.state();
    if state.phase == Phase::Battles {
        return packs(&folder);
    }
    if state.told.is_empty() {
        return Err(one(
            Problem::new("nothing has been adjudicated yet").hint("muster campaign adjudicate DIR")
        ));
    }
    let season = folder_name(&state.told);
    let out = folder.path().join("letters").join(&season);
    fs::create_dir_all(&out).map_err(|e| wrong(&out, &e))?;
    let ledger_file = out.join(LEDGER);
    let mut ledger: BTreeMap<String, Sent> = match fs::read_to_string(&ledger_file) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|e| one(Problem::new(e.to_string()).in_file(&ledger_file.display().to_string())))?,
        Err(_) => BTreeMap::new(),
    };
    let game = folder.table.game();
    let (world, rules) = (game.world(), game.rules_in_force());
    let mut written = Vec::new();
    let mut press = press;
    for (name, who) in readers(&folder) {
        let own = view(state, who.map_or(Reader::Public, Reader::Nation));
        let letter = match who {
            None => report::gazette(world, &own, ""),
            Some(_) => report::letter(world, rules, &own, ""),
        };
        let (stem, text, corrections) = match ledger.get(&name) {
            Some(sent) if core(&sent.text) == core(&letter) => continue,
            None => (name.clone(), letter.clone(), 0),
            Some(sent) => {
                let n = sent.corrections + 1;
                let new: String =
                    changes(&sent.text, &letter).into_iter().map(|l| format!("    {l}\n")).collect();
                let head = format!(
                    "**Correction {n}.** This letter takes the place of the one before. What is new (+) and what is gone (-):\n\n{new}\n"
                );
                (format!("{name}.correction-{n}"), format!("{head}{letter}"), n)
            }
        };
        let map = report::map_svg(world, rules, &own);
        let title = who.map_or_else(|| "Gazette".to_owned(), |n| format!("Letter to {n}"));
        let mut files = vec![
            ("md".to_owned(), text.clone().into_bytes()),
            ("html".to_owned(), report::html(&title, &text, &map).into_bytes()),
        ];
        if let Some(press) = press.as_deref_mut() {
            files.extend(press.print(&title, &text, &map));
        }
        for (ending, bytes) in files {
            let file = out.join(format!("{stem}.{ending}"));
            fs::write(&file, bytes).map_err(|e| wrong(&file, &e))?;
        }
        ledger.insert(name, Sent { corrections, text: letter });
        written.push(stem);
    }
    let text = serde_json::to_string_pretty(&ledger).unwrap_or_default();
    fs::write(&ledger_file, text).map_err(|e| wrong(&ledger_file, &e))?;
    let said = if written.is_empty() {
        format!("{}: every letter has gone out already, and none has changed.\n", state.told)
    } else {
        format!("{}: {} in {}\n", state.told, written.join(", "), out.display())
    };
    Ok(plain(
        &folder,
        said,
        json!({ "season": state.told, "folder": out.display().to_string(), "written": written }),
    ))
}

/// Whose letters have changed since they went out and have not gone out again.
pub(super) fn unsent(folder: &Folder) -> Vec<String> {
    let state = folder.table.state();
    let out = folder.path().join("letters").join(folder_name(&state.told));
    let Ok(text) = fs::read_to_string(out.join(LEDGER)) else { return Vec::new() };
    let Ok(ledger) = serde_json::from_str::<BTreeMap<String, Sent>>(&text) else { return Vec::new() };
    let game = folder.table.game();
    let (world, rules) = (game.world(), game.rules_in_force());
    let mut changed = Vec::new();
    for (name, who) in readers(folder) {
        let own = view(state, who.map_or(Reader::Public, Reader::Nation));
        let letter = match who {
            None => report::gazette(world, &own, ""),
            Some(_) => report::letter(world, rules, &own, ""),
        };
        if ledger.get(&name).is_some_and(|sent| core(&sent.text) != core(&letter)) {
            changed.push(name);
        }
    }
    changed
}

/// `Spring of year 2` as `year-02-1-spring`, so that folders stand in the order of the seasons.
pub(super) fn folder_name(told: &str) -> String {
    let low = told.to_lowercase();
    let (season, year) = low.split_once(" of year ").unwrap_or((&low, "0"));
    let n = ["spring", "summer", "autumn", "winter"].iter().position(|s| *s == season).map_or(0, |n| n + 1);
    format!("year-{:02}-{n}-{season}", year.parse::<u32>().unwrap_or(0))
}

/// The packs of the battles that a season waits for, a file for each nation in each.
fn packs(folder: &Folder) -> Ran {
    let state = folder.table.state();
    let out = folder.path().join("battles");
    fs::create_dir_all(&out).map_err(|e| wrong(&out, &e))?;
    let mut written = Vec::new();
    let mut put = |name: String, text: &str| -> Result<(), Problems> {
        let file = out.join(&name);
        fs::write(&file, text).map_err(|e| wrong(&file, &e))?;
        written.push(name);
        Ok(())
    };
    let season = folder_name(&state.when());
    for battle in state.turn.battles.iter().filter(|b| b.result.is_none()) {
        for nation in battle.nations() {
            let mut own = view(state, Reader::Nation(nation));
            own.battles.retain(|b| b.name() == battle.name());
            let sheet = report::pack(folder.table.game().world(), &own);
            put(format!("{season}-{}-{nation}.md", battle.name()), &sheet)?;
        }
        put(format!("{season}-{}-result.toml", battle.name()), &report::result_form(state, battle))?;
    }
    let said = format!("{}: battles to fight; packs and result forms in {}\n", state.when(), out.display());
    Ok(plain(folder, said, json!({ "folder": out.display().to_string(), "written": written })))
}
