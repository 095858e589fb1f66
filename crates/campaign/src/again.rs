//! A season run again after it was told: what was misread is put right, all other dice fall as they fell, and only the
//! letters that come out differently are corrections. Also what the record tells of earlier seasons.

use crate::battle::{Battle, Fighter, Task, battle_key};
use crate::campaign::Campaign;
use crate::command::Command;
use crate::ids::NationId;
use crate::order::SetState;
use crate::report;
use crate::state::{Phase, State};
use crate::store::problem_of;
use crate::view::{Reader, View, view, view_published};
use dice::{Key, Seeded};
use game::record::Act;
use game::{Actor, Problem, Problems, Table};
use std::collections::BTreeMap;

fn one(problem: Problem) -> Problems {
    vec![problem]
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
#[derive(Debug)]
pub struct Again {
    /// The campaign as it is then; its record goes on from the old one.
    pub table: Table<Campaign>,
    /// What the umpire should know: battles that are others now, lines that do not fit any more.
    pub notes: Vec<String>,
}

fn nation_named(table: &Table<Campaign>, word: &str) -> Result<NationId, Problems> {
    let nations = &table.game().world().nations;
    nations.keys().find(|n| n.as_str().eq_ignore_ascii_case(word)).copied().ok_or_else(|| {
        let problem = Problem::new(format!("no nation is called {word}"));
        one(problem.meant(word, nations.keys().map(NationId::as_str)))
    })
}

/// Whether a battle that waits is the same in both states: the same sides with the same troops.
#[must_use]
pub fn same_battle(a: &State, b: &State, name: &str) -> bool {
    let found = set_up(a, name);
    found.is_some() && found == set_up(b, name)
}

/// The letters (and the gazette) that are not the same in two campaigns, each with the lines that went and came.
#[must_use]
pub fn changed_letters(before: &Table<Campaign>, after: &Table<Campaign>) -> Vec<(String, Vec<String>)> {
    let old = published(before);
    let changed = published(after).into_iter().filter_map(|(who, letter)| {
        let was = old.get(&who).map_or("", String::as_str);
        (was != letter).then(|| (who, changes(was, &letter)))
    });
    changed.collect()
}

/// A reader's text of a season: the letter, or the gazette.
#[must_use]
pub fn text_of(game: &Campaign, own: &View) -> String {
    match own.nation {
        None => report::gazette(game.world(), own, ""),
        Some(_) => report::letter(game.world(), game.rules_in_force(), own, ""),
    }
}

/// Every season that has been told, in order, as this reader has it after all corrections: what it is called, and the
/// view from which letter and map are made. What the umpire holds is in it only for him.
#[must_use]
pub fn seasons(table: &Table<Campaign>, reader: Reader) -> Vec<(String, View)> {
    let lines = &table.record().lines;
    let undone = taken_back(lines);
    let held = table.state().held.as_ref().map(|_| table.state().told.clone());
    let mut all: Vec<(String, View)> = Vec::new();
    for (line, _) in lines
        .iter()
        .zip(&undone)
        .filter(|(line, undone)| !**undone && line.events.iter().any(|e| e["kind"] == "published"))
    {
        let own = view_published(&table.at(line.n), reader);
        let hidden = reader != Reader::Umpire && Some(&own.told) == held.as_ref();
        all.retain(|(told, _)| *told != own.told);
        if !hidden {
            all.push((own.told.clone(), own));
        }
    }
    all
}

/// What is new in a reader's letter since it first went out, where the season was run again afterwards: the lines that
/// went and came, nothing where it is the same. It is made from what this reader was and is sent, and from nothing else.
#[must_use]
pub fn corrected(table: &Table<Campaign>, reader: Reader) -> Vec<String> {
    let game = table.game();
    let now = view(table.state(), reader);
    let first = table.record().lines.iter().filter(|l| matches!(l.act, Act::Undo { .. })).find_map(|line| {
        let was = view(&table.at(line.n.saturating_sub(1)), reader);
        (was.told == now.told && !was.told.is_empty()).then_some(was)
    });
    first.map_or_else(Vec::new, |was| {
        changes(&report::core(&text_of(game, &was)), &report::core(&text_of(game, &now)))
    })
}

/// A battle fought by somebody, as the command that enters its result; and its record.
///
/// # Errors
/// A battle that cannot be fought.
pub fn fought(
    table: &Table<Campaign>,
    key: &Key,
    battle: &Battle,
    fighter: &mut dyn Fighter,
) -> Result<(Command, Option<String>), Problems> {
    let (game, state) = (table.game(), table.state());
    let key = battle_key(key, state, battle);
    let task = Task { world: game.world(), rules: game.rules_in_force(), state, battle, key: &key };
    let fought = fighter.fight(task).map_err(one)?;
    Ok((Command::Result { battle: battle.name(), result: fought.result }, fought.record))
}

/// Every letter and the gazette as they stand.
fn published(table: &Table<Campaign>) -> BTreeMap<String, String> {
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
#[must_use]
pub fn changes(old: &str, new: &str) -> Vec<String> {
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
pub(crate) fn taken_back(lines: &[game::record::Line]) -> Vec<bool> {
    let mut out = vec![false; lines.len()];
    for (i, line) in lines.iter().enumerate() {
        if let Act::Undo { to, .. } = &line.act {
            let first = usize::try_from(*to).unwrap_or(1).saturating_sub(1).min(i);
            out[first..=i].fill(true);
        }
    }
    out
}

/// The line that began the season that was told last, or is being fought: what made decisions of the adjudicator's first
/// steps.
fn began(lines: &[game::record::Line], undone: &[bool]) -> Option<usize> {
    (0..lines.len()).rev().filter(|i| !undone.get(*i).copied().unwrap_or(false)).find(|i| {
        lines[*i].events.iter().any(|e| {
            e["kind"] == "decided" && e["entry"]["step"].as_u64().is_some_and(|s| s <= 2 || s == 16)
                && matches!(&lines[*i].act, Act::Command(c) if c == "adjudicate" || c.starts_with("orders") || c.starts_with("confirm"))
        })
    })
}

/// What a nation had sent for the season that would run again; nothing where it had sent nothing.
///
/// # Errors
/// No season to run again, a nation that there is not.
pub fn sent_for(table: &Table<Campaign>, who: &str) -> Result<String, Problems> {
    let nation = nation_named(table, who)?;
    let lines = &table.record().lines;
    let Some(at) = began(lines, &taken_back(lines)) else {
        return Err(one(Problem::new("no season has been adjudicated yet")));
    };
    // The last set to come may have begun the season itself.
    if let Act::Command(text) = &lines[at].act
        && let Ok(Command::Orders { nation: n, text, .. }) = table.game().read(text)
        && n == nation
    {
        return Ok(text);
    }
    let before = table.at(lines[at].n.saturating_sub(1));
    Ok(before.sets.get(&nation).and_then(|s| s.last()).map(|s| s.text.clone()).unwrap_or_default())
}

/// The last adjudication is taken back, the correction made, and the season run again with all other dice the same. The
/// table that is given stays as it is. `key`: of the campaign's dice, for battles that the computer fights again.
///
/// # Errors
/// What does not read, may not be ruled, or no season to run again.
pub fn run_again(
    was: &Table<Campaign>,
    dice: &Seeded,
    key: &Key,
    mend: Mend<'_>,
    mut fighter: Option<&mut dyn Fighter>,
) -> Result<Again, Problems> {
    let lines = was.record().lines.clone();
    let undone = taken_back(&lines);
    let began = began(&lines, &undone);
    let Some(at) = began else { return Err(one(Problem::new("no season has been adjudicated yet"))) };
    let redo: Vec<(u32, String, String)> = (at..lines.len())
        .filter(|i| !undone.get(*i).copied().unwrap_or(false))
        .filter_map(|i| match &lines[i].act {
            Act::Command(c) => Some((lines[i].n, lines[i].by.clone(), c.clone())),
            _ => None,
        })
        .collect();
    let seats = was.record().header.seats.clone();
    let mut table = was.clone();
    let mut dice = dice.clone();
    table.undo(Actor::Umpire, lines[at].n, &[], true, None).map_err(|u| one(Problem::new(u.why)))?;
    let command = match mend {
        Mend::Rule(text) if text.trim_start().starts_with("rule ") => text.to_owned(),
        Mend::Rule(text) => format!("rule {text}"),
        Mend::Orders(who, text) => {
            let nation = nation_named(&table, who)?;
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
            let before = set_up(&was.at(n - 1), &name);
            let is = set_up(table.state(), &name);
            if is.is_none() {
                notes.push(format!("there is no battle at {name} any more"));
                continue;
            }
            if before != is {
                if !text.contains("\"how\":\"computer\"") {
                    notes.push(format!(
                        "the battle at {name} is another one now: its result must be entered again"
                    ));
                    continue;
                }
                let found = table.state().turn.battles.iter().find(|b| b.name() == name).cloned();
                if let (Some(fighter), Some(found)) = (fighter.as_deref_mut(), found) {
                    text = fought(&table, key, &found, fighter)?.0.to_string();
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
    let open: Vec<String> = match table.state().phase {
        Phase::Battles => {
            let left = table.state().turn.battles.iter().filter(|b| b.result.is_none());
            left.map(Battle::name).collect()
        }
        _ => Vec::new(),
    };
    if !open.is_empty() {
        notes.push(format!("the season waits for: {}", open.join(", ")));
    }
    Ok(Again { table, notes })
}
