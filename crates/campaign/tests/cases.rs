//! Every case of `cases/campaign` holds.

use campaign::Campaign;
use game::case::Case;
use game::{AnyGame, Kind};
use std::path::Path;

#[test]
fn every_case_holds() {
    let kind = Kind::<Campaign>::new();
    let games: [&dyn AnyGame; 1] = [&kind];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/campaign");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    let mut failed = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file).unwrap();
        let report = Case::parse(&name, &text).map_err(|p| vec![p]).and_then(|case| case.run(&games));
        match report {
            Ok(report) => failed.extend(report.failures.iter().map(|f| format!("{name}: {f}"))),
            Err(problems) => failed.extend(problems.iter().map(|p| format!("{name}: {p}"))),
        }
    }
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), files.len(), failed.join("\n"));
}
