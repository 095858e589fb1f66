//! The umpire's desk: paragraphs, dates, notes, hands, publishing, and a season run again after a correction.

use super::{Clock, Out, Ran, nation, note, one, said, told, unfought};
use crate::again::Mend;
use crate::battle::{Battle, BattleResult, Fighter};
use crate::campaign::Campaign;
use crate::command::Command;
use crate::ids::NationId;
use crate::state::Hand;
use crate::store::Folder;
use game::{Actor, Problem, Problems, Table};
use serde_json::json;
use std::path::Path;

/// A command of the umpire's, done and told.
fn by_umpire(dir: &Path, make: impl FnOnce(&Folder) -> Result<Command, Problems>) -> Ran {
    let mut folder = Folder::open(dir)?;
    let command = make(&folder)?;
    let events = folder.command(Actor::Umpire, &command.to_string())?;
    Ok(told(&folder, &events))
}

/// `campaign say DIR [NATION] TEXT`: a paragraph of the umpire's own in a letter, or in the gazette.
///
/// # Errors
/// A nation that there is not, a text too long.
pub fn say(dir: &Path, who: Option<&str>, text: &str) -> Ran {
    by_umpire(dir, |folder| {
        let to = who.map(|w| nation(folder, w)).transpose()?;
        Ok(Command::Say { to, text: text.to_owned() })
    })
}

/// `campaign note DIR FROM TO TEXT`: a note between nations; `from` may be `umpire`. Its sender may stay unnamed, and it
/// may come with the season's letters.
///
/// # Errors
/// A nation that there is not, a text too long.
pub fn send_note(dir: &Path, from: &str, to: &str, text: &str, (anonymous, later): (bool, bool)) -> Ran {
    by_umpire(dir, |folder| {
        let from = if from.eq_ignore_ascii_case("umpire") { None } else { Some(nation(folder, from)?) };
        Ok(Command::Note { from, to: nation(folder, to)?, anonymous, later, text: text.to_owned() })
    })
}

/// `campaign memo DIR [TEXT]`: the umpire's private notes, in `memo.md` beside the record; without a text they are shown.
///
/// # Errors
/// A campaign that there is not.
pub fn memo(dir: &Path, text: Option<&str>) -> Ran {
    let folder = Folder::open(dir)?;
    let file = folder.path().join("memo.md");
    let mut all = std::fs::read_to_string(&file).unwrap_or_default();
    if let Some(text) = text {
        all.push_str(&format!("- {}: {}\n", folder.table.state().when(), text.replace('\n', " ")));
        std::fs::write(&file, &all).map_err(|e| super::wrong(&file, &e))?;
    }
    let said = if all.is_empty() { "no private notes yet\n".to_owned() } else { all.clone() };
    Ok(plain(&folder, said, json!({ "memo": all })))
}

/// `campaign hand DIR NATION player|delegate|computer` (CAM-044).
///
/// # Errors
/// A nation that there is not.
pub fn hand(dir: &Path, who: &str, hand: Hand) -> Ran {
    by_umpire(dir, |folder| Ok(Command::Hand { nation: nation(folder, who)?, hand }))
}

/// `campaign confirm DIR NATION`: the nation has nothing to add.
///
/// # Errors
/// A nation that there is not or that has sent nothing.
pub fn confirm(dir: &Path, who: &str) -> Ran {
    by_umpire(dir, |folder| Ok(Command::Confirm(nation(folder, who)?)))
}

/// `campaign hold DIR on|off`.
///
/// # Errors
/// A campaign without an umpire.
pub fn hold(dir: &Path, on: bool) -> Ran {
    by_umpire(dir, |_| Ok(Command::Hold(on)))
}

/// `campaign deadline DIR WHEN`: when orders are due, in seconds since 1970.
///
/// # Errors
/// A campaign that there is not.
pub fn deadline(dir: &Path, at: Option<i64>, clock: &dyn Clock) -> Ran {
    let mut out = by_umpire(dir, |_| Ok(Command::Deadline(at)))?;
    if let Some(at) = at {
        out.text = format!("orders are due {}\n", clock.words(at, "UTC"));
    }
    Ok(out)
}

/// `campaign zone DIR NATION ZONE`: in which time zone a player's dates are written.
///
/// # Errors
/// A nation that there is not.
pub fn zone(dir: &Path, who: &str, zone: &str) -> Ran {
    by_umpire(dir, |folder| Ok(Command::Zone { nation: nation(folder, who)?, zone: zone.to_owned() }))
}

fn battle_named(folder: &Folder, name: &str) -> Result<String, Problems> {
    let open = unfought(folder.table.state());
    open.iter().find(|b| b.eq_ignore_ascii_case(name)).cloned().ok_or_else(|| {
        let problem = Problem::new(format!("no battle is to be fought at {name}"));
        one(if open.is_empty() {
            problem.hint("no battles are waited for")
        } else {
            problem.meant(name, open.iter().map(String::as_str))
        })
    })
}

/// `campaign date DIR BATTLE WHEN`: until when a battle should be fought; a later date extends it.
///
/// # Errors
/// A battle that is not to be fought.
pub fn date(dir: &Path, battle: &str, until: &str) -> Ran {
    by_umpire(dir, |folder| {
        Ok(Command::Date { battle: battle_named(folder, battle)?, until: until.to_owned() })
    })
}

/// `campaign undecided DIR BATTLE`: CAM-156, for a battle that nobody came to fight.
///
/// # Errors
/// A battle that is not to be fought.
pub fn undecided(dir: &Path, battle: &str) -> Ran {
    by_umpire(dir, |folder| {
        let result = BattleResult::called_off();
        Ok(Command::Result { battle: battle_named(folder, battle)?, result })
    })
}

/// The last adjudication is taken back, the correction made, and the season run again with all other dice the same.
/// The answer says which letters come out differently and how; with `keep` false nothing is changed.
///
/// # Errors
/// What does not read, may not be ruled, or no season to run again.
pub fn again(dir: &Path, mend: Mend<'_>, fighter: Option<&mut dyn Fighter>, keep: bool) -> Ran {
    let mut folder = Folder::open(dir)?;
    let run = crate::again::run_again(&folder.table, &folder.dice, folder.key(), mend, fighter)?;
    let changed = crate::again::changed_letters(&folder.table, &run.table);
    let names: Vec<&str> = changed.iter().map(|(who, _)| who.as_str()).collect();
    let head = if changed.is_empty() {
        "No letter changes.\n".to_owned()
    } else if keep {
        format!("Corrections go to: {}. Send them with `muster campaign publish`.\n", names.join(", "))
    } else {
        format!("Nothing is done yet. Letters that would change: {}.\n", names.join(", "))
    };
    let notes: String = run.notes.iter().map(|n| format!("note: {n}\n")).collect();
    let lines = |list: &[String]| list.iter().map(|l| format!("  {l}\n")).collect::<String>();
    let text: String = changed.iter().map(|(who, list)| format!("{who}:\n{}", lines(list))).collect();
    let json = json!({ "corrected": names, "kept": keep, "notes": run.notes });
    if keep {
        folder.replace(run.table)?;
    }
    Ok(said(note(&folder, format!("{head}{notes}{text}")), json))
}

/// A battle fought by somebody, as the command that enters its result; and its record.
pub(super) fn fought(
    folder: &Folder,
    table: &Table<Campaign>,
    battle: &Battle,
    fighter: &mut dyn Fighter,
) -> Result<(Command, Option<String>), Problems> {
    crate::again::fought(table, folder.key(), battle, fighter)
}

/// The nations whose letter is meant by a word, or all; used by what writes letters.
pub(super) fn readers(folder: &Folder) -> Vec<(String, Option<NationId>)> {
    let nations = folder.table.state().nations.keys();
    std::iter::once(("Gazette".to_owned(), None)).chain(nations.map(|n| (n.to_string(), Some(*n)))).collect()
}

/// What a command that writes nothing else says.
pub(super) fn plain(folder: &Folder, text: String, json: serde_json::Value) -> Out {
    said(note(folder, text), json)
}
