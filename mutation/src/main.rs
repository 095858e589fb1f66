//! Mutation check of the crate `hott`: `cargo xtask mutants`.
//!
//! Which changes are tried is the list of `cargo mutants`: all of the factor and outcome code, and a sample of the
//! rest drawn by a seed. How they are tried is not: they are built into one copy of the crate, each behind a switch
//! (`switch.rs`), and run against the cases that meet them, then against the tests of the crate. A quarter of a minute
//! of building for each becomes a second of running.

mod list;
mod switch;
mod tree;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

const HELP: &str = "\
cargo xtask mutants [--sample N] [--seed N] [--only WORDS]
  --sample  how many of the rest, 150 if left out
  --seed    which of the rest, 1 if left out
  --only    only mutants whose name has these words in it, out of all";

/// Longer than any test of the crate takes on a slow machine: what takes longer hangs.
const MOST: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("mutation: {why}");
            ExitCode::FAILURE
        }
    }
}

struct Asked {
    sample: usize,
    seed: u64,
    only: Vec<String>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked { sample: 150, seed: 1, only: Vec::new() };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().ok_or_else(|| format!("{arg} needs a value\n{HELP}"))?;
        let number = || value.parse().map_err(|_| format!("{arg} {value}: a number would be right"));
        match arg.as_str() {
            "--sample" => asked.sample = number()? as usize,
            "--seed" => asked.seed = number()?,
            "--only" => asked.only.push(value),
            _ => return Err(format!("unknown: {arg}\n{HELP}")),
        }
    }
    Ok(asked)
}

/// How a mutant came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Caught,
    Hung,
    Missed,
}

fn run() -> Result<(), String> {
    let asked = asked()?;
    let root = env::current_dir().map_err(|e| e.to_string())?;
    let all = list::all()?;
    let listed = all.len();
    let mutants = if asked.only.is_empty() {
        list::chosen(all, asked.sample, asked.seed)
    } else {
        all.into_iter().filter(|m| asked.only.iter().any(|w| m.name.contains(w))).collect()
    };
    eprintln!("mutation: {} of {listed} mutants are tried", mutants.len());
    let tree = tree::build(&root, &mutants)?;
    let out = root.join("target/mutation");
    let meets = recorded(&tree, &out)?;
    let mut fates: BTreeMap<usize, (Fate, String)> = BTreeMap::new();
    let mut log = String::new();
    // What is tried whole comes first, then the sample, as they were chosen.
    let mut ready = tree.ready.clone();
    ready.sort_unstable();
    for (n, id) in ready.iter().enumerate() {
        let (fate, by) = tried(&tree, &out, *id, meets.get(id).map_or(&[], Vec::as_slice))?;
        let line = format!("{fate:?}\t{}\t{by}", mutants[*id].name);
        eprintln!("mutation: {}/{} {line}", n + 1, tree.ready.len());
        let _ = writeln!(log, "{line}");
        fates.insert(*id, (fate, by));
        fs::write(out.join("outcomes.txt"), &log).map_err(|e| e.to_string())?;
    }
    let count = |fate: Fate| fates.values().filter(|(f, _)| *f == fate).count();
    for id in &tree.without {
        println!("no switch: {}", mutants[*id].name);
    }
    for (id, _) in fates.iter().filter(|(_, (f, _))| *f == Fate::Missed) {
        println!("missed: {}", mutants[*id].name);
    }
    println!(
        "{} mutants: {} caught, {} hung, {} missed; {} do not compile, {} have no switch",
        mutants.len(),
        count(Fate::Caught),
        count(Fate::Hung),
        count(Fate::Missed),
        tree.refused.len(),
        tree.without.len()
    );
    Ok(())
}

/// Which cases meet each mutant, the quickest first.
fn recorded(tree: &tree::Tree, out: &Path) -> Result<BTreeMap<usize, Vec<PathBuf>>, String> {
    let record = out.join("meets.txt");
    let program = tree.tests.get("mutation").ok_or("the harness was not built")?;
    let status = Command::new(program)
        .args(["--nocapture", "--test-threads=1"])
        .env("MUTATION_RECORD", &record)
        .current_dir(tree.root.join("crates/hott"))
        .status()
        .map_err(|e| e.to_string())?;
    if !status.success() {
        return Err("the cases do not run in the copy".to_owned());
    }
    let text = fs::read_to_string(&record).map_err(|e| e.to_string())?;
    let mut meets: BTreeMap<usize, Vec<(u64, PathBuf)>> = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.split('\t');
        let (Some(path), Some(micros), Some(ids)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let micros = micros.parse().unwrap_or(0);
        for id in ids.split_whitespace().filter_map(|i| i.parse().ok()) {
            meets.entry(id).or_default().push((micros, path.into()));
        }
    }
    let sorted = |(id, mut all): (usize, Vec<(u64, PathBuf)>)| {
        all.sort();
        (id, all.into_iter().map(|(_, p)| p).collect())
    };
    Ok(meets.into_iter().map(sorted).collect())
}

/// Runs the cases that meet a mutant and then all other tests, until something fails.
fn tried(tree: &tree::Tree, out: &Path, id: usize, cases: &[PathBuf]) -> Result<(Fate, String), String> {
    let list = out.join("cases.txt");
    let names: String = cases.iter().map(|p| format!("{}\n", p.display())).collect();
    fs::write(&list, names).map_err(|e| e.to_string())?;
    // The cases once more as the crate runs them would say nothing new.
    let mut tests: Vec<(&String, &PathBuf)> =
        tree.tests.iter().filter(|(name, _)| *name != "cases").collect();
    tests.sort_by_key(|(name, _)| (*name != "mutation", *name != "hott", *name == "conform"));
    for (name, program) in tests {
        if name == "mutation" && cases.is_empty() {
            continue;
        }
        let mut command = Command::new(program);
        command.current_dir(tree.root.join("crates/hott")).env("MUTANT", id.to_string());
        command.env("PROPTEST_RNG_SEED", "20261130").env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true");
        if name == "mutation" {
            command.env("MUTATION_CASES", &list).args(["--nocapture", "--test-threads=1"]);
        }
        let said = out.join("said.txt");
        let file = fs::File::create(&said).map_err(|e| e.to_string())?;
        let mut child = command
            .stdout(file)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
                break Some(status);
            }
            if begun.elapsed() > MOST {
                let _ = child.kill(); // it may just have ended
                let _ = child.wait();
                break None;
            }
            thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 200 { 3 } else { 25 }));
        };
        match status {
            None => return Ok((Fate::Hung, name.clone())),
            Some(status) if status.success() => {}
            Some(_) => {
                let said = fs::read_to_string(&said).unwrap_or_default();
                let by = said.lines().find_map(|l| l.strip_prefix("killed by ")).map(|p| {
                    Path::new(p).file_name().map_or_else(String::new, |f| f.to_string_lossy().into_owned())
                });
                return Ok((Fate::Caught, by.unwrap_or_else(|| name.clone())));
            }
        }
    }
    let met = if cases.is_empty() {
        "no case meets it".to_owned()
    } else {
        format!("{} cases meet it", cases.len())
    };
    Ok((Fate::Missed, met))
}
