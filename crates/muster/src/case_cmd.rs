//! `muster case`: run case files, or start a new one.

use crate::out::{self, Done, Verdict};
use crate::{Common, games};
use clap::{Args, Subcommand};
use game::case::Case;
use game::{Problem, Problems};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Run or start case files.
#[derive(Debug, Args)]
pub struct CaseCmd {
    #[command(subcommand)]
    verb: CaseVerb,
}

#[derive(Debug, Subcommand)]
enum CaseVerb {
    /// Run case files, or all of a folder and what is below it.
    Run {
        /// Files and folders.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Name every case, not only those that fail.
        #[arg(long)]
        verbose: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Write a new case to fill in, empty or from a moment of a recorded game.
    New {
        /// The file to write.
        file: PathBuf,
        /// A record to take the position from.
        #[arg(long, value_name = "RECORD")]
        record: Option<PathBuf>,
        /// After which line of the record; left out: its end.
        #[arg(long, value_name = "N", requires = "record")]
        at: Option<u32>,
        #[command(flatten)]
        common: Common,
    },
}

impl CaseCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        match self.verb {
            CaseVerb::Run { paths, verbose, common } => run(&paths, verbose, common.json),
            CaseVerb::New { file, record, at, common } => new(&file, record.as_deref(), at, common.force),
        }
    }
}

/// All case files at and below some paths, in order of name.
///
/// # Errors
/// A path that does not exist.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problems> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut folders = vec![path.clone()];
            while let Some(folder) = folders.pop() {
                let wrong = |e: std::io::Error| {
                    vec![Problem::new(format!("cannot read the folder {}: {e}", folder.display()))]
                };
                for entry in fs::read_dir(&folder).map_err(wrong)? {
                    let path = entry.map_err(wrong)?.path();
                    if path.is_dir() {
                        folders.push(path);
                    } else if path.extension().is_some_and(|e| e == "toml") {
                        found.push(path);
                    }
                }
            }
        } else if path.exists() {
            found.push(path.clone());
        } else {
            return Err(vec![Problem::new(format!("no such file or folder: {}", path.display()))]);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads one case file.
///
/// # Errors
/// What does not read, with file and line.
pub fn read(path: &Path) -> Result<Case, Problems> {
    Case::parse(&path.display().to_string(), &out::read(path)?).map_err(|p| vec![p])
}

fn run(paths: &[PathBuf], verbose: bool, as_json: bool) -> Done {
    let games = games::all();
    let files = files(paths)?;
    let (mut held, mut failed, mut unread, mut list) = (0, 0, Vec::new(), Vec::new());
    for (n, file) in files.iter().enumerate() {
        let name = file.display().to_string();
        out::progress(&format!("case {} of {}: {name}", n + 1, files.len()));
        let report = read(file).and_then(|case| {
            case.run(&games).map_err(|ps| ps.into_iter().map(|p| p.in_file(&name)).collect())
        });
        match report {
            Ok(report) if report.failures.is_empty() => {
                held += 1;
                if verbose && !as_json {
                    out::line(&format!("holds  {name}: {}", report.title));
                }
                list.push(json!({ "file": name, "title": report.title, "holds": true }));
            }
            Ok(report) => {
                failed += 1;
                if !as_json {
                    out::line(&format!("FAILS  {name}: {}", report.title));
                    report.failures.iter().for_each(|f| out::line(&format!("  {f}")));
                }
                list.push(json!({ "file": name, "title": report.title, "holds": false, "failures": report.failures }));
            }
            Err(problems) => unread.extend(problems),
        }
    }
    out::progress("");
    if as_json {
        let problems: Vec<_> = unread.iter().map(Problem::json).collect();
        out::json(&json!({ "cases": list, "held": held, "failed": failed, "unread": problems }));
    } else {
        if !unread.is_empty() {
            out::line(&format!("{} not read", unread.len()));
        }
        out::line(&format!("{held} passed, {failed} failed"));
    }
    if !unread.is_empty() {
        return Err(unread);
    }
    Ok(if failed == 0 { Verdict::Yes } else { Verdict::No })
}

const TEMPLATE: &str = r#"# A question of rules that answers itself: muster case run FILE. docs/cases.md tells how to write one.
title = "A Blade that loses to a Blade recoils"
game = "hott"
rules = ["HOTT-286", "HOTT-302"]

[position]
"#;

fn new(file: &Path, record: Option<&Path>, at: Option<u32>, force: bool) -> Done {
    let text = match record {
        None => format!(
            "{TEMPLATE}phase = \"combat\"\nactive = \"A\"\n\n[position.elements]\n\"A.Bld1\" = {{ at = [1200, 1200], heading = 0 }}\n\
             \"B.Bld1\" = {{ at = \"in front contact with A.Bld1\" }}\n\n[[step]]\ndo = \"fight Bld1\"\ndice = [4, 3]\n\
             expect = [\"total A.Bld1 9\", \"total B.Bld1 8\", \"result B.Bld1 recoils\"]\n"
        ),
        Some(path) => {
            let (table, record) = crate::record_cmd::open(path)?;
            let n = at.unwrap_or(u32::MAX);
            format!(
                "title = \"\"\ngame = \"{}\"\nrules = []\nnotation = {}\n{}\n[[step]]\nby = \"{}\"\ndo = \"\"\ndice = []\nexpect = []\n",
                record.header.game,
                toml::Value::String(table.notation_at(n)),
                game::case::options(games::named(&record.header.game)?, &record.header.rules)?,
                table.seats().first().map_or("", String::as_str),
            )
        }
    };
    out::write(file, text.as_bytes(), force)?;
    out::line(&format!("{}", file.display()));
    Ok(Verdict::Yes)
}
