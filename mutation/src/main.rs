//! Mutation check of the crate `hott`: `cargo xtask mutants`.
//!
//! Which changes are tried is the list of `cargo mutants`: all of the factor and outcome code, and a sample of the
//! rest drawn by a seed. How they are tried is not: they are built into one copy of the crate, each behind a switch
//! (`switch.rs`), and run against the cases that meet them, then against the tests of the crate that do (`trial.rs`).
//! A quarter of a minute of building for each becomes a second of running.

// No engine: it measures time.
#![allow(clippy::disallowed_types)]

mod list;
mod switch;
mod tree;
mod trial;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use trial::Fate;

const HELP: &str = "\
cargo xtask mutants [--sample N] [--seed N] [--only WORDS] [--resume]
  --sample  how many of the rest, 150 if left out
  --seed    which of the rest, 1 if left out
  --only    only mutants whose name has these words in it, out of all
  --resume  what an earlier run caught in files that are still the same stays caught; the rest is tried
Results are added to target/mutation/outcomes.txt as they come.";

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
    resume: bool,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked { sample: 150, seed: 1, only: Vec::new(), resume: false };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--resume" {
            asked.resume = true;
            continue;
        }
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

/// What an earlier run wrote: by mutant and the state of its file, how it came out.
fn earlier(path: &Path) -> BTreeMap<(String, String), (Fate, String)> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let read = |line: &str| {
        let mut parts = line.split('\t');
        let fate = Fate::read(parts.next()?)?;
        let (hash, name) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        Some(((name, hash), (fate, parts.next()?.to_owned())))
    };
    text.lines().filter_map(read).collect()
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
    let out = root.join("target/mutation");
    let path = out.join("outcomes.txt");
    let known = if asked.resume { earlier(&path) } else { BTreeMap::new() };
    let mut states: BTreeMap<&str, String> = BTreeMap::new();
    for mutant in &mutants {
        if !states.contains_key(mutant.file.as_str()) {
            let text = fs::read_to_string(root.join(&mutant.file)).map_err(|e| e.to_string())?;
            states.insert(&mutant.file, format!("{:016x}", list::hash(&text, 0)));
        }
    }
    let tree = tree::build(&root, &mutants)?;
    let base = trial::Base::of(&tree, &out)?;
    let mut log = fs::OpenOptions::new()
        .create(true)
        .write(true)
        .append(asked.resume)
        .truncate(!asked.resume)
        .open(&path)
        .map_err(|e| format!("{}: {e}", path.display()))?;
    // What is tried whole comes first, then the sample, as they were chosen.
    let mut ready = tree.ready.clone();
    ready.sort_unstable();
    let mut fates: Vec<(usize, Fate, String)> = Vec::new();
    for (n, id) in ready.iter().enumerate() {
        let mutant = &mutants[*id];
        let state = &states[mutant.file.as_str()];
        let before = known.get(&(mutant.name.clone(), state.clone()));
        if let Some((fate, by)) = before.filter(|(fate, _)| *fate != Fate::Missed) {
            fates.push((*id, *fate, by.clone()));
            continue;
        }
        let (fate, by) = base.tried(*id)?;
        eprintln!("mutation: {}/{} {fate:?} {} by {by}", n + 1, ready.len(), mutant.name);
        writeln!(log, "{fate:?}\t{state}\t{}\t{by}", mutant.name).map_err(|e| e.to_string())?;
        fates.push((*id, fate, by));
    }
    for id in &tree.without {
        println!("no switch: {}", mutants[*id].name);
    }
    for (word, wanted) in [("hung", Fate::Hung), ("missed", Fate::Missed)] {
        for (id, _, by) in fates.iter().filter(|(_, fate, _)| *fate == wanted) {
            println!("{word}: {} ({by})", mutants[*id].name);
        }
    }
    let told = |what: &str, whole: bool| {
        let count = |fate: Fate| {
            fates.iter().filter(|(id, f, _)| *f == fate && list::is_whole(&mutants[*id]) == whole).count()
        };
        let of = |ids: &mut dyn Iterator<Item = usize>| {
            ids.filter(|id| list::is_whole(&mutants[*id]) == whole).count()
        };
        println!(
            "{what}: {} mutants: {} caught, {} hung, {} missed; {} do not compile, {} have no switch",
            of(&mut (0..mutants.len())),
            count(Fate::Caught),
            count(Fate::Hung),
            count(Fate::Missed),
            of(&mut tree.refused.iter().copied()),
            of(&mut tree.without.iter().copied())
        );
    };
    told("factors and outcomes", true);
    told("the rest", false);
    Ok(())
}
