//! The mixed campaign that clubs run, from the command line alone: seven remote nations send text, the umpire
//! adjudicates, some battles are fought on a real table and entered, some at the program's table, some by computer.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

struct Club {
    dir: tempfile::TempDir,
}

impl Club {
    fn run(&self, args: &[&str]) -> (i32, String) {
        let output = Command::cargo_bin("muster")
            .unwrap()
            .current_dir(self.dir.path())
            .arg("campaign")
            .args(args)
            .output()
            .unwrap();
        let text = |b: Vec<u8>| String::from_utf8(b).unwrap();
        let all = text(output.stdout) + &text(output.stderr);
        assert!(!all.contains("panicked"), "{args:?}: {all}");
        (output.status.code().unwrap(), all)
    }

    #[track_caller]
    fn does(&self, args: &[&str]) -> String {
        let (code, out) = self.run(args);
        assert_eq!(code, 0, "{args:?}: {out}");
        out
    }

    #[track_caller]
    fn json(&self, args: &[&str]) -> Value {
        let mut all = args.to_vec();
        all.push("--json");
        serde_json::from_str(&self.does(&all)).unwrap()
    }

    /// A file in the folder.
    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.dir.path().join(name), text).unwrap();
        name.to_owned()
    }

    fn orders_of(&self, nation: &str) -> String {
        self.does(&["orders", "club", nation, "--computer"])
    }

    fn letters(&self) -> Vec<PathBuf> {
        let mut out = Vec::new();
        let mut folders = vec![self.dir.path().join("club/letters")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { out.push(path) }
            }
        }
        out.sort();
        out
    }
}

fn names(v: &Value) -> Vec<String> {
    v.as_array().unwrap().iter().map(|n| n.as_str().unwrap().to_owned()).collect()
}

/// The result form filled in by hand: the attacker won, and all that the defender had is lost.
fn filled(form: &str, defender: &str) -> String {
    let ours = format!("\"{defender}.");
    let tick = |line: &str| match line.trim().strip_prefix("# ") {
        Some(rest) if rest.starts_with(&ours) => rest.to_owned(),
        _ => line.to_owned(),
    };
    form.lines().map(tick).collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn a_club_plays_a_mixed_campaign() {
    let club = Club { dir: tempfile::tempdir().unwrap() };
    let made = club.json(&["new", "club", "--map", "seed:11:7", "--umpire", "--seed", "6"]);
    let nations = names(&made["nations"]);
    assert_eq!(nations.len(), 7);
    club.does(&["hold", "club", "on"]);
    club.does(&["zone", "club", &nations[0], "America/New_York"]);
    assert_eq!(club.run(&["zone", "club", &nations[0], "America/NewYork"]).0, 2);
    let (mut entered, mut table, mut computer) = (0, 0, 0);
    let mut told = 0;
    for season in 0..8 {
        // What comes after a deadline counts as late: it is set once everybody has sent.
        club.does(&["deadline", "club", "none"]);
        for (n, nation) in nations.iter().enumerate() {
            let text = club.orders_of(nation);
            let file = club.file(
                "orders.txt",
                &format!("Dear umpire,\n\n{text}\nA9: march at once\n\nRegards, {nation}\n"),
            );
            match n {
                // One has not sent anything in the first season, one only a draft.
                1 if season == 0 => {}
                2 if season == 0 => _ = club.run(&["orders", "club", nation, &file, "--draft"]),
                // One telephones.
                3 => _ = club.run(&["orders", "club", nation, &file, "--by-umpire", "--sent", "5"]),
                // One sends twice, and the mails cross.
                4 => {
                    let late = club.file("late.txt", &text);
                    club.run(&["orders", "club", nation, &late, "--sent", "20"]);
                    let (_, receipt) = club.run(&["orders", "club", nation, &file, "--sent", "10"]);
                    assert!(receipt.contains("set 1 counts"), "{receipt}");
                }
                _ => {
                    let (code, receipt) = club.run(&["orders", "club", nation, &file]);
                    // What cannot be read is told, and the rest stands.
                    let unread = receipt.contains("you have no A9");
                    assert!(unread && code == 1 || season % 4 == 3, "{code}: {receipt}");
                }
            }
        }
        club.does(&["deadline", "club", "2020-01-05 20:00 Europe/Vienna"]);
        let status = club.does(&["status", "club"]);
        assert!(status.contains("14:00 (America/New_York)") && status.contains("past"), "{status}");
        if season == 0 {
            assert!(status.contains(&format!("{:<16} none", nations[1])), "{status}");
            assert!(status.contains(&format!("{:<16} draft", nations[2])), "{status}");
        }
        let record = fs::read(club.dir.path().join("club/campaign.jsonl")).unwrap();
        assert!(club.does(&["adjudicate", "club", "--preview"]).starts_with("Preview"));
        assert_eq!(
            record,
            fs::read(club.dir.path().join("club/campaign.jsonl")).unwrap(),
            "a preview changes nothing"
        );
        club.does(&["adjudicate", "club"]);
        let desk = club.json(&["status", "club"]);
        let battles: Vec<Value> = desk["battles"].as_array().unwrap().clone();
        if !battles.is_empty() {
            // The packs go out; then a battle on a real table, one at the program's, the rest by computer.
            club.does(&["publish", "club"]);
            club.does(&["date", "club", battles[0]["battle"].as_str().unwrap(), "2020-02-01 Europe/Vienna"]);
            assert!(club.does(&["status", "club"]).contains("extend"));
        }
        for battle in battles.iter().take(if season % 2 == 0 { 2 } else { 0 }) {
            let name = battle["battle"].as_str().unwrap();
            let pack = club.json(&["pack", "club", name]);
            let form = pack["form"].as_str().unwrap();
            let defender = form.split("\"defender\" (").nth(1).unwrap().split(')').next().unwrap();
            let mut text = filled(form, defender);
            if entered > table {
                text = text.replacen("bounds = 0", "bounds = 9\nhow = \"table\"", 1);
                table += 1;
            } else {
                entered += 1;
            }
            // A form with somebody who was not there is sent back.
            let wrong = club.file("wrong.toml", &text.replacen("lost = [", "lost = [\"Nobody.Kni1\",", 1));
            let (code, why) = club.run(&["result", "club", name, &wrong]);
            assert!(code == 2 && why.contains("was not in the battle"), "{why}");
            let form = club.file("result.toml", &text);
            club.does(&["result", "club", name, &form]);
        }
        let left = club.json(&["status", "club"])["battles"].as_array().unwrap().len();
        computer += left;
        if left > 0 {
            club.does(&["adjudicate", "club", "--auto", "--player", "march"]);
        }
        // Seen before publication exactly as it will be read.
        club.does(&["say", "club", "A comet was seen over the lake."]);
        club.does(&["say", "club", "Your envoys are uneasy.", "--to", &nations[6]]);
        let seen = club.does(&["report", "club", &nations[6]]);
        assert!(seen.contains("Your envoys are uneasy."));
        let before = if season == 0 { 0 } else { club.letters().len() };
        club.does(&["publish", "club"]);
        let after = club.letters();
        assert!(after.len() >= before + 16, "seven letters and the gazette, as text and page");
        let sent = after
            .iter()
            .find(|p| p.ends_with(format!("{}.md", nations[6])) && fs::read_to_string(p).unwrap() == seen);
        assert!(sent.is_some(), "the letter went out as it was seen");
        assert!(club.does(&["publish", "club"]).contains("gone out already"));
        told += 1;
        if season == 1 {
            // A misread order is put right: only changed letters go out again.
            let file = club.file("right.txt", "A1: hold\nA2: hold\n");
            let preview = club.does(&["correct", "club", &nations[5], &file, "--preview"]);
            assert!(preview.contains("Nothing is done yet"), "{preview}");
            let corrected = club.json(&["correct", "club", &nations[5], &file]);
            let count = corrected["corrected"].as_array().unwrap().len();
            assert!((1..=8).contains(&count), "{corrected}");
            while !club.json(&["status", "club"])["battles"].as_array().unwrap().is_empty() {
                club.does(&["adjudicate", "club", "--quick"]);
            }
            club.does(&["publish", "club"]);
            let again = club.letters();
            let corrections: Vec<_> = again
                .iter()
                .filter(|p| {
                    p.to_string_lossy().contains("correction") && p.extension().is_some_and(|e| e == "md")
                })
                .collect();
            assert!(!corrections.is_empty() && corrections.len() <= 8, "{corrections:?}");
            assert!(fs::read_to_string(corrections[0]).unwrap().contains("**Correction 1.**"));
        }
        if season == 2 {
            club.does(&["hand", "club", &nations[1], "computer"]);
        }
        if season == 3 {
            club.does(&["hand", "club", &nations[1], "player"]);
            club.does(&[
                "note",
                "club",
                &nations[0],
                &nations[6],
                "Shall we share the hills?",
                "--anonymous",
            ]);
            assert!(club.does(&["report", "club", &nations[6]]).contains("somebody to"));
        }
    }
    assert!(
        told == 8 && entered > 0 && table > 0 && computer > 0,
        "{entered} entered, {table} at the table, {computer} by computer"
    );
    record_is_whole(club.dir.path());
}

/// The record verifies as far as a campaign under way can: its lines are whole, its play follows the rules; its end and
/// its key are still to come.
fn record_is_whole(dir: &Path) {
    let output = Command::cargo_bin("muster")
        .unwrap()
        .current_dir(dir)
        .args(["verify", "club/campaign.jsonl"])
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("lines: whole as far as they go"), "{text}");
    assert!(text.contains("play:  follows revision"), "{text}");
}
