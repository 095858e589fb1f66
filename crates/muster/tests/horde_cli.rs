//! `muster horde` and what it leaves on the disk.

use horde::Encounter;
use horde::encounter::plain_rules;
use horde::tracker::{Key, Tracker};
use std::process::{Command, Output};

const BRIDGE: &str = include_str!("../../../data/horde/encounters/bridge.toml");

fn muster(dir: &std::path::Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muster")).current_dir(dir).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A record that was left in the middle is unfinished and no lie; one that was tampered with stays bad.
#[test]
fn a_record_under_way_verifies_as_unfinished() {
    let dir = tempfile::tempdir().unwrap();
    let mut t = Tracker::new(Encounter::from_file("bridge.toml", BRIDGE, &plain_rules()).unwrap().0, 3);
    for _ in 0..6 {
        t.key(Key::Enter);
    }
    t.key(Key::F(10));
    let record = t.unwritten();
    std::fs::write(dir.path().join("left.jsonl"), &record).unwrap();
    let o = muster(dir.path(), &["verify", "left.jsonl"]);
    let said = text(&o.stdout);
    assert!(o.status.success() && said.contains("unfinished") && !said.contains("BAD"), "{said}");
    let o = muster(dir.path(), &["verify", "left.jsonl", "--json"]);
    assert!(text(&o.stdout).contains("\"unfinished\": true"), "{}", text(&o.stdout));
    assert!(said.contains(" rolled; nothing was committed to, so they are taken on trust"), "{said}");
    let forged = record.replacen("\"value\":", "\"value\":1", 1);
    std::fs::write(dir.path().join("forged.jsonl"), forged).unwrap();
    let o = muster(dir.path(), &["verify", "forged.jsonl"]);
    assert!(o.status.code() == Some(1) && text(&o.stdout).contains("BAD"), "{}", text(&o.stdout));
}

/// Who threw a die is in the record, and a die that was changed is the only typed one of its command.
#[test]
fn verify_tells_typed_dice_from_rolled_ones() {
    let dir = tempfile::tempdir().unwrap();
    let bridge = || Encounter::from_file("bridge.toml", BRIDGE, &plain_rules()).unwrap().0;
    let say = |t: &mut Tracker, text: &str| {
        text.chars().for_each(|c| t.key(Key::Char(c)));
        t.key(Key::Enter);
    };
    let dice = |record: &str| {
        std::fs::write(dir.path().join("r.jsonl"), record).unwrap();
        let o = muster(dir.path(), &["verify", "r.jsonl"]);
        assert!(o.status.success(), "{}", text(&o.stdout));
        text(&o.stdout).lines().find(|l| l.contains("dice:")).unwrap().trim().to_owned()
    };
    let mut t = Tracker::new(bridge(), 3);
    say(&mut t, "guard -4");
    let mut record = t.unwritten();
    assert_eq!(dice(&record), "dice:  none thrown; nothing was committed to, so they are taken on trust");
    // The guards' Fear Test fails, so that the Shock table wants a die too: one typed, one rolled.
    t.set_rolled(false);
    say(&mut t, "guard fear 4");
    say(&mut t, "30");
    say(&mut t, "");
    record += &t.unwritten();
    assert!(dice(&record).starts_with("dice:  1 rolled, 1 typed;"), "{}", dice(&record));
    say(&mut t, "die 2 50");
    record += &t.unwritten();
    assert!(dice(&record).starts_with("dice:  1 rolled, 3 typed;"), "{}", dice(&record));
    // Records of earlier releases do not say.
    let old = include_str!("../../horde/tests/records/bridge.jsonl");
    assert!(dice(old).contains("not written down; nothing was committed to"), "{}", dice(old));
    assert_eq!(Tracker::resume(&record, 9).unwrap().state(), t.state());
}

/// What forbids nothing is called a warning beside errors too, and is said once.
#[test]
fn warnings_are_warnings() {
    let dir = tempfile::tempdir().unwrap();
    let odd = format!(
        "{BRIDGE}\n[[weapon]]\nid = \"odd_gun\"\nclass = \"basic\"\nrange = 30\nrof = [1, 0, 0]\ndamage = \"1d10\"\ntype = \"I\"\npen = 0\nclip = 10\nqualities = [\"Glittering\"]\n"
    );
    std::fs::write(dir.path().join("odd.toml"), &odd).unwrap();
    let o = muster(dir.path(), &["horde", "check", "odd.toml"]);
    let (out, err) = (text(&o.stdout), text(&o.stderr));
    assert!(o.status.success(), "{out}{err}");
    let all = format!("{out}{err}");
    assert_eq!(all.matches("glittering").count() + all.matches("Glittering").count(), 1, "{all}");
    assert!(all.contains("warning") && !all.contains("error"), "{all}");
    let bad = odd.replacen("magnitude = 35", "magnitude = -3", 1);
    std::fs::write(dir.path().join("bad.toml"), bad).unwrap();
    let o = muster(dir.path(), &["horde", "check", "bad.toml"]);
    let err = text(&o.stderr);
    let quality = err.lines().find(|l| l.to_lowercase().contains("glittering")).unwrap_or_default();
    assert!(quality.contains("warning") && !quality.contains("error"), "{err}");
    assert!(err.contains("error:") && err.contains("-3"), "{err}");
    assert_eq!(o.status.code(), Some(2));
}

/// A file without its command, a missing file, and lists of what ships.
#[test]
fn a_file_alone_is_told_its_command() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("tonight.toml"), BRIDGE).unwrap();
    for (args, what) in [
        (&["horde", "tonight.toml"][..], "`muster horde run tonight.toml`"),
        (&["horde", "chek"][..], "did you mean `muster horde check`?"),
        (&["horde", "run", "nosuch"][..], "cannot read nosuch"),
    ] {
        let o = muster(dir.path(), args);
        assert!(o.status.code() == Some(2) && text(&o.stderr).contains(what), "{}", text(&o.stderr));
    }
    let o = muster(dir.path(), &["horde", "profiles"]);
    assert!(o.status.success() && text(&o.stdout).contains("hive_riot"));
    let o = muster(dir.path(), &["horde", "weapons", "--json"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&o.stdout).unwrap()["weapons"].is_array());
}
