//! Runs every case of `cases/horde/`.

use game::case::Case;
use game::{AnyGame, Kind};
use horde::Encounter;
use std::collections::BTreeSet;
use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/horde")
}

fn all() -> Vec<(String, Case)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            out.push((name.clone(), Case::parse(&name, &text).unwrap_or_else(|p| panic!("{p}"))));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

/// A value that no case tells apart from the default is an option that nobody has seen work.
#[test]
fn every_case_holds_and_every_option_value_is_told_apart() {
    let game = Kind::<Encounter>::new();
    let games: [&dyn AnyGame; 1] = [&game];
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for (name, case) in all() {
        match case.run(&games) {
            Ok(report) => {
                wrong.extend(report.failures.iter().map(|f| format!("{name}: {f}")));
                seen.extend(report.told_apart);
            }
            Err(problems) => wrong.extend(problems.iter().map(|p| format!("{name}: {p}"))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut lacking = Vec::new();
    for entry in horde::options::REGISTRY {
        // The preset itself is shown by cases of its own; `custom` is any other set of values.
        if entry.key == "ruleset" {
            continue;
        }
        for value in &entry.values[1..] {
            if !seen.contains(&(format!("horde.{}", entry.key), (*value).to_owned())) {
                lacking.push(format!("{} = {value}", entry.key));
            }
        }
    }
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}
