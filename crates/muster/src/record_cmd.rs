//! `muster replay` and `muster verify`: what records tell and whether they tell the truth.

use crate::out::{self, Done, Verdict};
use crate::{Common, account, games, picture, report};
use clap::Args;
use game::record::{Act, Record};
use game::{AnyTable, DiceVerdict, Lines, Play, Problem, Problems};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Tell a recorded game again.
#[derive(Debug, Args)]
pub struct ReplayCmd {
    /// The record.
    record: PathBuf,
    /// Up to this line; left out: to the end.
    #[arg(long, value_name = "N")]
    at: Option<u32>,
    /// Print the position in one line.
    #[arg(long)]
    notation: bool,
    /// Answer a question about that position instead (docs/cases.md): "odds A.Bld1 v B.Kni1", "flight A2".
    #[arg(long, value_name = "QUESTION")]
    ask: Vec<String>,
    /// Write a report with a picture for each bound: FILE.html is one page, FILE.md text with pictures beside it.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    picture: picture::PictureArgs,
    #[command(flatten)]
    common: Common,
}

/// Check records.
#[derive(Debug, Args)]
pub struct VerifyCmd {
    /// The records.
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Reads a record whose header reads.
///
/// # Errors
/// A file that is no record.
pub fn read(path: &Path) -> Result<Record, Problems> {
    let name = path.display().to_string();
    Record::parse(&out::read(path)?).map_err(|p| vec![p.in_file(&name)])
}

/// Reads a record and plays it again.
///
/// # Errors
/// Where it does not read or comes out differently.
pub fn open(path: &Path) -> Result<(Box<dyn AnyTable>, Record), Problems> {
    let name = path.display().to_string();
    let record = read(path)?;
    let game = games::named(&record.header.game)?;
    if let Some(problem) = &record.broken {
        return Err(vec![
            problem.clone().in_file(&name).hint("`muster replay` tells what stands before that line"),
        ]);
    }
    let table = game.replay(&record).map_err(|p| vec![p.in_file(&name)])?;
    Ok((table, record))
}

impl ReplayCmd {
    /// The answers to what was asked.
    fn answers(&self, record: &Record, same: bool) -> Result<Vec<(&str, Vec<String>)>, Problems> {
        if self.ask.is_empty() {
            return Ok(Vec::new());
        }
        let name = self.record.display().to_string();
        if !same {
            let problem = Problem::new("a position of another revision of the rules is not set up");
            return Err(vec![problem.in_file(&name)]);
        }
        let game = games::named(&record.header.game)?;
        let table = game.replay(record).map_err(|p| vec![p.in_file(&name)])?;
        let notation = table.notation_at(self.at.unwrap_or(u32::MAX));
        let there = game.open_notation(&record.header.rules, &notation)?;
        let answer = |q: &'_ String| there.ask(q).map_err(|p| vec![p]);
        self.ask.iter().map(|q| Ok((q.as_str(), answer(q)?))).collect()
    }

    /// Runs it.
    pub fn run(self) -> Done {
        let record = read(&self.record)?;
        let name = self.record.display().to_string();
        let last = self.at.unwrap_or(u32::MAX);
        let game = games::named(&record.header.game)?;
        let same = record.header.revision == game.revision();
        if !same {
            eprintln!(
                "note: played under revision {} of the rules, this release plays {}; it is told from its recorded events",
                record.header.revision,
                game.revision()
            );
        }
        let length = record.lines.last().map_or(0, |l| l.n);
        if let Some(at) = self.at.filter(|at| *at > length && record.broken.is_none()) {
            let problem = Problem::new(format!("there is no line {at}: the record has {length}"));
            return Err(vec![problem.in_file(&name).hint("leave --at out to go to the end")]);
        }
        let lines: Vec<_> = record.lines.iter().take_while(|l| l.n <= last).collect();
        let answers = self.answers(&record, same)?;
        if self.common.json && !answers.is_empty() {
            let list: Vec<Value> =
                answers.iter().map(|(q, a)| json!({ "question": q, "answer": a })).collect();
            out::json(&json!({ "game": record.header.game, "answers": list }));
        } else if !answers.is_empty() {
            answers.iter().flat_map(|(_, answer)| answer).for_each(|line| out::line(line));
        } else if self.common.json {
            let list: Vec<Value> = lines
                .iter()
                .map(|l| json!({ "n": l.n, "by": l.by, "do": command(&l.act), "throws": l.throws, "events": l.events }))
                .collect();
            out::json(&json!({ "game": record.header.game, "seats": record.header.seats, "lines": list }));
        } else if self.report.is_none() {
            out::print(&account::tell(&record.header.game, &lines));
        }
        if let Some(problem) = record.broken {
            return Err(vec![problem.in_file(&name)]);
        }
        if self.notation || self.picture.wanted() || self.report.is_some() {
            if !same {
                return Err(vec![
                    Problem::new("a position of another revision of the rules is not set up").in_file(&name),
                ]);
            }
            let table = game.replay(&record).map_err(|p| vec![p.in_file(&name)])?;
            let notation = table.notation_at(last);
            if self.notation {
                out::line(&notation);
            }
            if let Some(path) = &self.report {
                let told = report::write(path, &record, &*table, self.common.force)?;
                out::line(&format!("written: {}", path.display()));
                if told.len() > 1 {
                    out::line(&format!("         and {} pictures beside it", told.len() - 1));
                }
            }
            self.picture.write_notation(game.name(), &record.header.rules, &notation, self.common.force)?;
        }
        Ok(Verdict::Yes)
    }
}

fn command(act: &Act) -> Option<String> {
    match act {
        Act::Command(text) => Some(text.clone()),
        Act::Undo { to, .. } => Some(format!("undo {to}")),
        Act::Snapshot(_) | Act::End { .. } => None,
    }
}

impl VerifyCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        let (mut list, mut all_good, mut unread) = (Vec::new(), true, Vec::new());
        for path in &self.records {
            let name = path.display().to_string();
            let (record, game) = match read(path).and_then(|r| games::named(&r.header.game).map(|g| (r, g))) {
                Ok(found) => found,
                Err(problems) => {
                    unread.extend(problems);
                    continue;
                }
            };
            let verdict = game.verify(&record);
            let lines = match &verdict.lines {
                Lines::Whole => "whole".to_owned(),
                Lines::NoEnd => format!(
                    "whole as far as they go, but there is no end after line {}",
                    record.lines.len() + 1
                ),
                Lines::PartsAt(problem) => parts(&name, problem),
            };
            let dice = match &verdict.dice {
                DiceVerdict::Committed => "those committed to".to_owned(),
                DiceVerdict::NotRevealed => "the key is not revealed".to_owned(),
                DiceVerdict::NoCommitment => taken_on_trust(&record),
                DiceVerdict::PartsAt(problem) => parts(&name, problem),
                DiceVerdict::CannotTell(why) => format!("cannot tell: {why}"),
            };
            let play = match &verdict.play {
                Play::Follows => format!("follows revision {} of the rules", record.header.revision),
                Play::PartsAt(problem) => parts(&name, problem),
                Play::CannotTell(why) => format!("cannot tell: {why}"),
            };
            let unfinished = verdict.unfinished();
            all_good &= verdict.good() || unfinished;
            if self.common.json {
                list.push(json!({ "record": name, "good": verdict.good(), "unfinished": unfinished, "lines": lines, "dice": dice, "play": play,
                    "digest": record.digest().to_string() }));
            } else {
                let word = match (verdict.good(), unfinished) {
                    (true, _) => "good",
                    (false, true) => "unfinished, good as far as it goes",
                    (false, false) => "BAD",
                };
                out::line(&format!("{name}: {word}\n  lines: {lines}\n  dice:  {dice}\n  play:  {play}"));
            }
        }
        if self.common.json {
            out::json(&json!(list));
        }
        if !unread.is_empty() {
            return Err(unread);
        }
        Ok(if all_good { Verdict::Yes } else { Verdict::No })
    }
}

/// Of dice that nothing was committed to: how many were rolled by a machine and how many typed in, as far as it is known.
fn taken_on_trust(record: &Record) -> String {
    let all: Vec<Option<bool>> =
        record.lines.iter().flat_map(|l| &l.throws).map(|throw| throw.typed).collect();
    let count = |is: Option<bool>| all.iter().filter(|typed| **typed == is).count();
    let kinds = [
        (Some(false), "rolled"),
        (Some(true), "typed"),
        (None, "rolled or typed, which was not written down"),
    ];
    let told: Vec<String> = kinds
        .into_iter()
        .map(|(is, word)| (count(is), word))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    let what = if told.is_empty() { "none thrown".to_owned() } else { told.join(", ") };
    format!("{what}; nothing was committed to, so they are taken on trust")
}

fn parts(file: &str, problem: &Problem) -> String {
    format!("part at {}", problem.clone().in_file(file))
}
