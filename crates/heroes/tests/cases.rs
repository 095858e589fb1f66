//! The cases of `cases/heroes`, run as anybody runs them.

use game::case::Case;
use game::erased::{AnyGame, Kind};
use heroes::Heroes;
use rulebook::{Coverage, Family, Unobservable};
use std::path::{Path, PathBuf};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for e in entries.flatten() {
        let path = e.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|x| x == "toml") {
            out.push(path);
        }
    }
    out.sort();
}

fn all() -> Vec<(String, Case)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/heroes");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    paths
        .into_iter()
        .map(|p| {
            let name = p.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&p).unwrap();
            (name.clone(), Case::parse(&name, &text).unwrap_or_else(|e| panic!("{e}")))
        })
        .collect()
}

#[test]
fn every_case_holds() {
    let kind = Kind::<Heroes>::new();
    let games: Vec<&dyn AnyGame> = vec![&kind];
    let mut failures = Vec::new();
    let cases = all();
    assert!(cases.len() > 25);
    for (name, case) in cases {
        match case.run(&games) {
            Ok(report) => failures.extend(report.failures.into_iter().map(|f| format!("{name}: {f}"))),
            Err(problems) => failures.extend(problems.into_iter().map(|p| format!("{name}: {p}"))),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_observable_rule_has_a_case() {
    let cited = all().into_iter().map(|(n, c)| {
        let rules = c.cited().unwrap_or_else(|e| panic!("{n}: {e}"));
        (n, rules)
    });
    let coverage = Coverage::new(Family::Heroes, &Unobservable::shipped(), cited);
    let missing: Vec<String> = coverage.missing().map(|r| r.to_string()).collect();
    println!("{}\nwithout a case: {}", coverage.summary(), missing.join(" "));
    assert!(missing.is_empty(), "{missing:?}");
}
