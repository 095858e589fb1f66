//! Every case of `cases/hott/` and `cases/big/` holds, and every value of every option changes the answer of one.

use game::case::Case;
use game::{AnyGame, Kind};
use hott::battle::Battle;
use rulebook::{Family, OptionTable};
use std::collections::BTreeSet;
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
fn every_case_holds_and_every_value_of_every_option_is_told_apart() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut all = Vec::new();
    for folder in ["hott", "big"] {
        let before = all.len();
        files(&root.join(folder), &mut all);
        assert!(all.len() > before, "no case in {folder}");
    }
    all.sort();
    let games: [&dyn AnyGame; 1] = [&Kind::<Battle>::new()];
    let mut failures = Vec::new();
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for path in &all {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        match Case::parse(&name, &text).map_err(|p| vec![p]).and_then(|case| case.run(&games)) {
            Ok(report) => {
                failures.extend(report.failures.into_iter().map(|f| format!("{name}: {f}")));
                seen.extend(report.told_apart);
            }
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
    // A value under which no case answers otherwise is an option that nobody has seen work.
    let mut lacking = Vec::new();
    for option in OptionTable::of(Family::Hott).iter().chain(OptionTable::of(Family::Big).iter()) {
        for value in option.allowed.samples(&option.default) {
            if value != option.default && !seen.contains(&(option.key.clone(), value.to_string())) {
                lacking.push(format!("{} = {value}", option.key));
            }
        }
    }
    assert!(lacking.is_empty(), "no case tells these from the default:\n{}", lacking.join("\n"));
}
