//! `muster horde`: the game master's tools for mass fights in a d100 game.

use crate::out::{self, Done, Verdict};
use crate::paper::{self, PaperSize};
use crate::{Common, games};
use clap::{Args, Subcommand};
use game::{Problem, Problems};
use horde::cli::{self, Report, Settings};
use horde::tracker::{Relation, Tracker, terminal};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Check, weigh and run encounters.
#[derive(Debug, Args)]
pub struct HordeCmd {
    #[command(subcommand)]
    verb: HordeVerb,
}

#[derive(Debug, Subcommand)]
enum HordeVerb {
    /// Whether an encounter file can be played, and what is in it.
    Check(File),
    /// Exact odds of every usual attack and of the coming Rounds.
    Odds {
        #[command(flatten)]
        file: File,
        /// How many Rounds ahead.
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=50))]
        rounds: u32,
    },
    /// Many fights true to life, counted.
    Sim {
        #[command(flatten)]
        file: File,
        /// How many Rounds each.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=200))]
        rounds: u32,
        /// How many fights.
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        runs: u32,
    },
    /// How large a Horde for this party: Rounds until it breaks, wounds it deals, who falls.
    Size {
        #[command(flatten)]
        file: File,
        /// How many fights for each Magnitude.
        #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(20..=100_000))]
        runs: u32,
    },
    /// A card per Horde to print: as text, or as a PDF of a page for each.
    Card {
        #[command(flatten)]
        file: File,
        /// Write it as PDF into a file.
        #[arg(long, value_name = "FILE")]
        pdf: Option<PathBuf>,
        /// Of a PDF: the sheet of paper.
        #[arg(long, value_enum, default_value = "a4")]
        paper: PaperSize,
    },
    /// The profiles that ship, one line each.
    Profiles(Listed),
    /// The weapons that ship, one line each.
    Weapons(Listed),
    /// The tracker: run an encounter in the terminal, saved line by line.
    Run {
        /// The encounter to begin, or a record of one to go on with.
        encounter: PathBuf,
        /// Where the record is kept; left out: beside the encounter, as NAME.jsonl.
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
    /// Anything else: a file without its command, or a word misspelt.
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Debug, Args)]
struct Listed {
    /// Only those with this word in their names.
    word: Option<String>,
    #[command(flatten)]
    common: Common,
}

impl Listed {
    fn print(&self, make: impl Fn(Option<&str>) -> Report) -> Done {
        let report = make(self.word.as_deref());
        if self.common.json {
            out::json(&json!(report.json));
        } else {
            out::print(&report.text);
        }
        Ok(Verdict::Yes)
    }
}

#[derive(Debug, Args)]
struct File {
    /// The encounter file.
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

impl HordeCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        match self.verb {
            HordeVerb::Check(file) => file.report(cli::check),
            HordeVerb::Card { file, pdf: None, .. } => file.report(cli::card),
            HordeVerb::Card { file, pdf: Some(path), paper } => {
                let force = file.common.force;
                let report = file.made(cli::card)?;
                let blocks = paper::of_text(&report.text, true);
                out::write(&path, &paper::blocks_pdf("Hordes", &blocks, paper)?, force)?;
                out::line(&format!("written: {}", path.display()));
                Ok(Verdict::Yes)
            }
            HordeVerb::Profiles(listed) => listed.print(cli::profiles),
            HordeVerb::Weapons(listed) => listed.print(cli::weapons),
            HordeVerb::Other(words) => Err(vec![no_command(&words)]),
            HordeVerb::Odds { file, rounds } => file.report(|f, t, s| cli::odds(f, t, s, rounds as usize)),
            HordeVerb::Sim { file, rounds, runs } => {
                let seed = file.common.seed.unwrap_or(1);
                file.report(|f, t, s| {
                    let report = cli::sim_telling(f, t, s, rounds as usize, runs, seed, &out::progress);
                    out::progress("");
                    report
                })
            }
            HordeVerb::Size { file, runs } => {
                let seed = file.common.seed.unwrap_or(1);
                file.report(|f, t, s| {
                    let report = cli::size_telling(f, t, s, runs, seed, &out::progress);
                    out::progress("");
                    report
                })
            }
            HordeVerb::Run { encounter, record, common } => run(&encounter, record, &common),
        }
    }
}

const COMMANDS: &[&str] = &["check", "odds", "sim", "size", "card", "profiles", "weapons", "run"];

/// A word in the place of a command: most often the file alone.
fn no_command(words: &[String]) -> Problem {
    let word = words.first().map_or("", String::as_str);
    let p = Problem::new(format!("`{word}` is no command of `muster horde`"));
    let ends = |e: &str| Path::new(word).extension().is_some_and(|x| x.eq_ignore_ascii_case(e));
    if ends("toml") || ends("jsonl") || Path::new(word).exists() {
        return p.hint(format!("`muster horde run {word}` runs it, `muster horde check {word}` looks at it"));
    }
    match horde::problem::nearest(word, COMMANDS.iter().copied()) {
        Some(near) => p.hint(format!("did you mean `muster horde {near}`?")),
        None => p.hint(format!("there are {}; `muster horde --help` tells", COMMANDS.join(", "))),
    }
}

/// Errors for whoever called; warnings, which forbid nothing, are told at once as what they are.
fn problems(all: horde::problem::Problems) -> Problems {
    let (warnings, errors): (Vec<_>, Vec<_>) =
        all.0.into_iter().partition(|p| p.severity == horde::problem::Severity::Warning);
    for warning in warnings {
        eprintln!("{warning}");
    }
    errors
        .into_iter()
        .map(|p| {
            let problem = Problem::new(p.text).at(&p.file, u32::try_from(p.line).unwrap_or(0), 0);
            match p.hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            }
        })
        .collect()
}

/// The rules that the command line asks for.
struct Asked<'a> {
    preset: Option<&'a str>,
    house: Option<(String, String)>,
    sets: Vec<(String, String)>,
}

impl<'a> Asked<'a> {
    fn of(common: &'a Common) -> Result<Self, Problems> {
        let house = match &common.rules.rules_file {
            None => None,
            Some(path) => Some((path.display().to_string(), out::read(path)?)),
        };
        Ok(Self { preset: common.rules.preset.as_deref(), house, sets: games::pairs(&common.rules.sets)? })
    }

    fn settings(&self) -> Settings<'_> {
        Settings {
            preset: self.preset,
            rules_file: self.house.as_ref().map(|(n, t)| (n.as_str(), t.as_str())),
            sets: &self.sets,
        }
    }

    fn any(&self) -> bool {
        self.preset.is_some() || self.house.is_some() || !self.sets.is_empty()
    }
}

impl File {
    /// What a command makes of the file, its warnings told.
    fn made(
        &self,
        make: impl Fn(&str, &str, Settings<'_>) -> Result<Report, horde::problem::Problems>,
    ) -> Result<Report, Problems> {
        let name = self.file.display().to_string();
        let text = out::read(&self.file)?;
        let asked = Asked::of(&self.common)?;
        let report = make(&name, &text, asked.settings()).map_err(problems)?;
        // What the report says itself is not said twice.
        for warning in report.warnings.iter().map(ToString::to_string).filter(|w| !report.text.contains(w)) {
            eprintln!("{warning}");
        }
        Ok(report)
    }

    fn report(
        &self,
        make: impl Fn(&str, &str, Settings<'_>) -> Result<Report, horde::problem::Problems>,
    ) -> Done {
        let report = self.made(make)?;
        if self.common.json {
            out::json(&json!(report.json));
        } else {
            out::print(&report.text);
        }
        Ok(Verdict::Yes)
    }
}

/// A file whose last line may have been cut off in the middle of a sign, or filled up with anything: it is left out later.
fn read_torn(path: &Path) -> Result<String, Problems> {
    match std::fs::read(path) {
        Ok(bytes) if bytes.starts_with(RECORD.as_bytes()) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        _ => out::read(path),
    }
}

/// How a record begins.
const RECORD: &str = "{\"muster\":\"record\"";

/// The record in which an encounter would be kept is that of another.
fn another(file: &str, record: &Path, then: &str, now: &str) -> Problem {
    let record = record.display();
    Problem::new(format!("{record} is the record of {then}, and {file} is another encounter, {now}")).hint(format!(
        "`muster horde run {record}` goes on with the first, `muster horde run {file} --record OTHER.jsonl` begins the second"
    ))
}

/// A record goes on under the rules with which it began, whatever is asked for.
fn begun(record: &Path) -> Problems {
    let record = record.display();
    vec![
        Problem::new(format!(
            "{record} goes on under the rules with which it began: --preset, --set and --rules-file cannot change them"
        ))
        .hint("at the table `option KEY VALUE` changes one from there on; an encounter with --record OTHER.jsonl begins anew"),
    ]
}

fn run(path: &Path, record: Option<PathBuf>, common: &Common) -> Done {
    let asked = Asked::of(common)?;
    let text = read_torn(path)?;
    let name = path.display().to_string();
    let is_record = text.starts_with(RECORD);
    if is_record && asked.any() {
        return Err(begun(path));
    }
    // What is asked for in vain is told before anything else.
    let opened = if is_record { None } else { Some(cli::open(&name, &text, asked.settings())) };
    if let Some(Err(_)) = &opened
        && asked.any()
        && cli::open(&name, &text, Settings::default()).is_ok()
    {
        return opened.map_or(Ok(Verdict::Yes), |o| o.map(|_| Verdict::Yes).map_err(problems));
    }
    if !terminal::is_there() {
        return Err(vec![
            Problem::new("the tracker needs a terminal: keys go in and a screen comes out")
                .hint("without one: `muster horde check`, `odds`, `sim`, `size` or `card`"),
        ]);
    }
    let seed = common.seed.unwrap_or_else(crate::battle_cmd::any_seed);
    let record =
        record.unwrap_or_else(|| if is_record { path.to_owned() } else { path.with_extension("jsonl") });
    let (tracker, resumed) = if is_record {
        (Tracker::resume(&text, seed).map_err(|p| vec![p.in_file(&name)])?, true)
    } else if record.exists() {
        let old = read_torn(&record)?;
        let mut tracker =
            Tracker::resume(&old, seed).map_err(|p| vec![p.in_file(&record.display().to_string())])?;
        match opened.unwrap_or_else(|| cli::open(&name, &text, Settings::default())) {
            Ok((game, _)) => match tracker.relation_to(&game) {
                Relation::Same => {}
                Relation::Edited if asked.any() => return Err(begun(&record)),
                Relation::Edited => tracker.warn(&format!(
                    "{name} has changed since {} began: it goes on as it began, --record FILE begins another",
                    record.display()
                )),
                Relation::Another { then, now } => return Err(vec![another(&name, &record, &then, &now)]),
            },
            Err(_) => {
                tracker.warn(&format!("{name} no longer reads; {} goes on as it began", record.display()))
            }
        }
        eprintln!("going on with {}", record.display());
        (tracker, true)
    } else {
        let opened = opened.unwrap_or_else(|| cli::open(&name, &text, Settings::default()));
        let (game, warnings) = opened.map_err(problems)?;
        for warning in warnings {
            eprintln!("{warning}");
        }
        (Tracker::new(game, seed), false)
    };
    terminal::run(&record, tracker, resumed).map_err(|e| {
        if e.kind() == std::io::ErrorKind::ResourceBusy {
            return vec![
                Problem::new(e.to_string())
                    .hint("leave the other one with F10, or give this one its own with --record FILE"),
            ];
        }
        vec![
            Problem::new(format!("the tracker stopped: {}: {e}", record.display()))
                .hint("everything up to the last command is saved"),
        ]
    })?;
    out::line(&format!("saved: {}", record.display()));
    Ok(Verdict::Yes)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    #[derive(Debug, clap::Parser)]
    struct Line {
        #[command(subcommand)]
        verb: super::HordeVerb,
    }

    /// Rules asked for in vain are told before the tracker looks for a terminal.
    #[test]
    fn run_honours_the_rules_asked_for() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/horde/encounters/bridge.toml");
        for (asked, what) in [
            (["--preset", "nosuch"], "preset"),
            (["--set", "size.tabel=tens"], "no such option"),
            (["--rules-file", "/nonexistent/x.toml"], "x.toml"),
        ] {
            let line = Line::try_parse_from(["horde", "run", file, asked[0], asked[1]]).unwrap();
            let told = super::HordeCmd { verb: line.verb }.run().unwrap_err();
            let told: Vec<String> = told.iter().map(ToString::to_string).collect();
            assert!(told.iter().any(|t| t.contains(what)), "{told:?}");
        }
    }
}
