//! The umpire's desk: paragraphs, dates, notes, hands, publishing, and a season run again after a correction.

use super::{Clock, Out, Ran, nation, note, one, said, told, unfought};
use crate::battle::{Battle, BattleResult, Ending, Fighter, Task};
use crate::campaign::Campaign;
use crate::command::Command;
use crate::ids::NationId;
use crate::order::SetState;
use crate::report;
use crate::state::{Hand, Phase, State};
use crate::store::{Folder, problem_of};
use crate::view::{Reader, view_published};
use game::record::Act;
use game::{Actor, Problem, Problems, Table};
use serde_json::json;
use std::collections::BTreeMap;
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
        let result = BattleResult {
            winner: None,
            ending: Ending::Undecided,
            lost: Vec::new(),
            gone: Vec::new(),
            captives: Vec::new(),
            bounds: 0,
            how: "called off".to_owned(),
        };
        Ok(Command::Result { battle: battle_named(folder, battle)?, result })
    })
}

/// What a season run again starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mend<'a> {
    /// A ruling: `die "siege at Brack, Spring of year 1" 6 because "misread"`.
    Rule(&'a str),
    /// The orders of a nation as they should have been read: they replace its sets.
    Orders(&'a str, &'a str),
}

/// A season run again.
struct Again {
    table: Table<Campaign>,
    notes: Vec<String>,
}

/// The last adjudication is taken back, the correction made, and the season run again with all other dice the same.
/// The answer says which letters come out differently and how; with `keep` false nothing is changed.
///
/// # Errors
/// What does not read, may not be ruled, or no season to run again.
pub fn again(dir: &Path, mend: Mend<'_>, fighter: Option<&mut dyn Fighter>, keep: bool) -> Ran {
    let mut folder = Folder::open(dir)?;
    let before = letters(&folder.table);
    let run = run_again(&mut folder, mend, fighter)?;
    let after = letters(&run.table);
    let mut text = String::new();
    let mut changed = Vec::new();
    for (who, letter) in &after {
        let old = before.get(who).map_or("", String::as_str);
        if old != letter {
            changed.push(who.clone());
            text.push_str(&format!("{who}:\n"));
            text.extend(changes(old, letter).into_iter().map(|l| format!("  {l}\n")));
        }
    }
    let head = if changed.is_empty() {
        "No letter changes.\n".to_owned()
    } else if keep {
        format!("Corrections go to: {}. Send them with `muster campaign publish`.\n", changed.join(", "))
    } else {
        format!("Nothing is done yet. Letters that would change: {}.\n", changed.join(", "))
    };
    let notes: String = run.notes.iter().map(|n| format!("note: {n}\n")).collect();
    if keep {
        folder.replace(run.table)?;
    }
    let json = json!({ "corrected": changed, "kept": keep, "notes": run.notes });
    Ok(said(note(&folder, format!("{head}{notes}{text}")), json))
}

/// Every letter and the gazette as they stand.
fn letters(table: &Table<Campaign>) -> BTreeMap<String, String> {
    let (game, state) = (table.game(), table.state());
    let mut out = BTreeMap::new();
    let public = view_published(state, Reader::Public);
    out.insert("the gazette".to_owned(), report::gazette(game.world(), &public, ""));
    for nation in state.nations.keys() {
        let own = view_published(state, Reader::Nation(*nation));
        out.insert(nation.to_string(), report::letter(game.world(), game.rules_in_force(), &own, ""));
    }
    out
}

/// The lines that went and came.
pub(super) fn changes(old: &str, new: &str) -> Vec<String> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let gone = a.iter().filter(|l| !b.contains(l) && !l.trim().is_empty()).map(|l| format!("- {l}"));
    let come = b.iter().filter(|l| !a.contains(l) && !l.trim().is_empty()).map(|l| format!("+ {l}"));
    gone.chain(come).collect()
}

/// A battle without what came of it, and the troops in it: where they are the same, so is the battle.
fn set_up(state: &State, name: &str) -> Option<(Battle, Vec<crate::ids::ElementId>)> {
    let found = state.turn.battles.iter().find(|b| b.name() == name)?;
    let troops = [crate::battle::Role::Attacker, crate::battle::Role::Defender]
        .into_iter()
        .flat_map(|r| crate::battle::fielded(state, found, r))
        .collect();
    Some((Battle { date: None, result: None, ..found.clone() }, troops))
}

/// Which lines of a record were taken back later.
pub(super) fn taken_back(lines: &[game::record::Line]) -> Vec<bool> {
    let mut out = vec![false; lines.len()];
    for (i, line) in lines.iter().enumerate() {
        if let Act::Undo { to, .. } = &line.act {
            let first = usize::try_from(*to).unwrap_or(1).saturating_sub(1).min(i);
            out[first..=i].fill(true);
        }
    }
    out
}

fn run_again(
    folder: &mut Folder,
    mend: Mend<'_>,
    mut fighter: Option<&mut dyn Fighter>,
) -> Result<Again, Problems> {
    let lines = folder.table.record().lines.clone();
    let undone = taken_back(&lines);
    // From the command that began the season on: what made decisions of the adjudicator's first steps.
    let began = (0..lines.len()).rev().filter(|i| !undone.get(*i).copied().unwrap_or(false)).find(|i| {
        lines[*i].events.iter().any(|e| {
            e["kind"] == "decided" && e["entry"]["step"].as_u64().is_some_and(|s| s <= 2 || s == 16)
                && matches!(&lines[*i].act, Act::Command(c) if c == "adjudicate" || c.starts_with("orders") || c.starts_with("confirm"))
        })
    });
    let Some(at) = began else { return Err(one(Problem::new("no season has been adjudicated yet"))) };
    let redo: Vec<(u32, String, String)> = (at..lines.len())
        .filter(|i| !undone.get(*i).copied().unwrap_or(false))
        .filter_map(|i| match &lines[i].act {
            Act::Command(c) => Some((lines[i].n, lines[i].by.clone(), c.clone())),
            _ => None,
        })
        .collect();
    let seats = folder.table.record().header.seats.clone();
    let mut table = folder.table.clone();
    let mut dice = folder.dice.clone();
    table.undo(Actor::Umpire, lines[at].n, &[], true, None).map_err(|u| one(Problem::new(u.why)))?;
    let command = match mend {
        Mend::Rule(text) if text.trim_start().starts_with("rule ") => text.to_owned(),
        Mend::Rule(text) => format!("rule {text}"),
        Mend::Orders(who, text) => {
            let nation = nation(folder, who)?;
            let sent = table.state().sets.get(&nation).into_iter().flatten().map(|s| s.sent).max();
            let sent = sent.unwrap_or(0).saturating_add(1);
            let state = SetState::Confirmed;
            Command::Orders { nation, sent, received: sent, state, text: text.to_owned() }.to_string()
        }
    };
    table.command_text(Actor::Umpire, &command, &mut dice).map_err(|e| one(problem_of(e)))?;
    let mut notes = Vec::new();
    let season = table.state().when();
    if matches!(mend, Mend::Rule(text) if text.contains("die ") && !text.to_lowercase().contains(&season.to_lowercase()))
    {
        notes.push(format!("the season that ran again is {season}, and the die ruled is not of it"));
    }
    for (n, by, text) in redo {
        let by = Actor::named(&by, &seats).unwrap_or(Actor::Umpire);
        let mut text = text;
        let battle = text
            .strip_prefix("result ")
            .and_then(|r| serde_json::Deserializer::from_str(r).into_iter::<String>().next())
            .and_then(Result::ok);
        if let Some(name) = battle {
            let was = set_up(&folder.table.at(n - 1), &name);
            let is = set_up(table.state(), &name);
            if is.is_none() {
                notes.push(format!("there is no battle at {name} any more"));
                continue;
            }
            if was != is {
                if !text.contains("\"how\":\"computer\"") {
                    notes.push(format!(
                        "the battle at {name} is another one now: its result must be entered again"
                    ));
                    continue;
                }
                let found = table.state().turn.battles.iter().find(|b| b.name() == name).cloned();
                if let (Some(fighter), Some(found)) = (fighter.as_deref_mut(), found) {
                    text = fought(folder, &table, &found, fighter)?.0.to_string();
                    notes.push(format!(
                        "the battle at {name} is another one now, and the computer fought it again"
                    ));
                }
            }
        }
        if let Err(e) = table.command_text(by, &text, &mut dice) {
            let short: String = text.chars().take(60).collect();
            notes.push(format!("line {n} of the record ({short}) does not fit any more: {}", problem_of(e)));
        }
    }
    let open = unfought(table.state());
    if table.state().phase == Phase::Battles && !open.is_empty() {
        notes.push(format!("the season waits for: {}", open.join(", ")));
    }
    Ok(Again { table, notes })
}

/// A battle fought by somebody, as the command that enters its result; and its record.
pub(super) fn fought(
    folder: &Folder,
    table: &Table<Campaign>,
    battle: &Battle,
    fighter: &mut dyn Fighter,
) -> Result<(Command, Option<String>), Problems> {
    let (game, state) = (table.game(), table.state());
    let key = folder.battle_key(state, battle);
    let task = Task { world: game.world(), rules: game.rules_in_force(), state, battle, key: &key };
    let fought = fighter.fight(task).map_err(one)?;
    Ok((Command::Result { battle: battle.name(), result: fought.result }, fought.record))
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
