//! Old records open for ever: those of this revision of the rules verify, those of an older one are still told.

use assert_cmd::Command;
use std::path::Path;

#[test]
fn fixture_records_verify_or_are_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "jsonl") {
            continue;
        }
        seen += 1;
        let run = |verb: &str| Command::cargo_bin("muster").unwrap().arg(verb).arg(&path).output().unwrap();
        let verified = run("verify");
        let words = String::from_utf8(verified.stdout).unwrap();
        let other_revision = words.contains("this release plays revision");
        assert!(
            verified.status.success() || other_revision,
            "{} comes out differently: raise the revision, or find out why\n{words}",
            path.display()
        );
        let told = run("replay");
        assert!(told.status.success() && !told.stdout.is_empty(), "{} is not told", path.display());
    }
    assert!(seen >= 3, "the fixtures are gone");
}
