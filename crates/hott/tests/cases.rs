//! Every case of `cases/hott/` holds.

use game::case::Case;
use game::{AnyGame, Kind};
use hott::battle::Battle;
use std::path::{Path, PathBuf};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "toml") {
            out.push(path);
        }
    }
}

#[test]
fn every_case_of_the_base_game_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/hott");
    let mut all = Vec::new();
    files(&root, &mut all);
    all.sort();
    assert!(!all.is_empty(), "no case in {}", root.display());
    let games: [&dyn AnyGame; 1] = [&Kind::<Battle>::new()];
    let mut failures = Vec::new();
    for path in &all {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        match Case::parse(&name, &text).map_err(|p| vec![p]).and_then(|case| case.run(&games)) {
            Ok(report) => failures.extend(report.failures.into_iter().map(|f| format!("{name}: {f}"))),
            Err(problems) => failures.extend(problems.into_iter().map(|p| format!("{name}: {p}"))),
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures in {} cases:\n{}",
        failures.len(),
        all.len(),
        failures.join("\n")
    );
}
