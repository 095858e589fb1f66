//! The command line as a person meets it: exit status, what stands on which stream, and clear words for bad input.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn muster(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("muster").unwrap().current_dir(dir).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A folder with one file in it.
fn with_file(name: &str, text: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(name), text).unwrap();
    dir
}

#[track_caller]
fn refused(dir: &Path, args: &[&str], status: i32, says: &[&str]) {
    let (code, out, err) = muster(dir, args);
    let all = format!("{out}{err}");
    assert_eq!(code, status, "{args:?}\n{all}");
    for words in says {
        assert!(all.contains(words), "{args:?} does not say {words:?}:\n{all}");
    }
    assert!(!all.contains("panicked"), "{all}");
}

#[test]
fn an_unknown_element_type_is_named_with_line_and_suggestion() {
    let dir = with_file("a.toml", "name = \"X\"\n\n[[element]]\ntype = \"Blad\"\ncount = 3\n");
    refused(dir.path(), &["army", "check", "a.toml"], 2, &["a.toml:4", "Blad", "Blade"]);
}

#[test]
fn an_army_over_its_points_or_with_two_generals_is_not_legal() {
    let dir = with_file("a.txt", "1 Hero general\n12 Blades\n");
    refused(dir.path(), &["army", "check", "a.txt"], 1, &["28", "HOTT-009"]);
    let dir = with_file("a.txt", "1 Hero general\n1 Blade general\n9 Blades\n");
    refused(dir.path(), &["army", "check", "a.txt"], 1, &["HOTT-011"]);
    let dir = with_file("a.txt", "1 Paladin general\n10 Blades\n");
    refused(dir.path(), &["army", "check", "a.txt"], 1, &["HOTT-012"]);
}

#[test]
fn an_illegal_army_does_not_fight() {
    let dir = with_file(
        "a.toml",
        "name = \"X\"\n[[element]]\ntype = \"Hero\"\ngeneral = true\n[[element]]\ntype = \"Blade\"\ncount = 20\n",
    );
    refused(
        dir.path(),
        &["battle", "--side", "a.toml", "--side", "pirates", "--seed", "1"],
        2,
        &["a.toml", "HOTT-009"],
    );
    refused(dir.path(), &["battle", "--side", "pirtes", "--side", "pirates"], 2, &["did you mean pirates?"]);
    refused(dir.path(), &["battle", "--side", "pirates"], 2, &["two to six"]);
    refused(
        dir.path(),
        &["battle", "--side", "pirates", "--side", "orcs-of-uruk", "--player", "stedy"],
        2,
        &["did you mean steady?"],
    );
}

#[test]
fn half_a_list_does_not_fight() {
    let dir = with_file("a.txt", "1 Hero general\n4 Blades\n6 Blorgs\n");
    refused(dir.path(), &["battle", "--side", "pirates", "--side", "a.txt"], 2, &["a.txt:3", "6 Blorgs"]);
    refused(dir.path(), &["battle", "a.txt", "pirates", "--summary", "--battles", "2"], 2, &["a.txt:3"]);
}

#[test]
fn what_many_battles_do_not_write_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let many = ["battle", "pirates", "goblins", "--summary", "--battles", "2", "--record", "x.jsonl"];
    refused(dir.path(), &many, 2, &["of one battle", "--seed"]);
    for way in [["--record", "x.jsonl"], ["--png", "x.png"]] {
        let hexes = ["battle", "--rules", "heroes", "--side", "roman", "--side", "huns", "--battles", "2"];
        refused(dir.path(), &[&hexes[..], &way[..]].concat(), 2, &["of one battle", "--seed"]);
        assert!(!dir.path().join(way[1]).exists());
    }
    let named = ["battle", "pirates", "goblins", "--png", "x.jpg", "--bounds", "1"];
    refused(dir.path(), &named, 2, &["x.jpg", "x.png"]);
    refused(dir.path(), &["battle", "--rules", "x.toml"], 2, &["no battles of x.toml"]);
    fs::write(dir.path().join("x.toml"), "[options]\n").unwrap();
    refused(dir.path(), &["battle", "--rules", "x.toml"], 2, &["--rules-file x.toml"]);
}

#[test]
fn elements_are_costed_as_a_shell_takes_them_apart() {
    let dir = tempfile::tempdir().unwrap();
    let total = |args: &[&str]| {
        let (code, out, err) = muster(dir.path(), &[&["army", "cost", "--json"], args].concat());
        assert_eq!(code, 0, "{args:?} {err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["ap"].clone()
    };
    for args in
        [&["4 Blades, Hero general"][..], &["4 Blades", "Hero general"], &["4", "Blades", "Hero", "general"]]
    {
        assert_eq!(total(args), 12, "{args:?}");
    }
    assert_eq!(total(&["4", "Blades"]), 8);
}

#[test]
fn two_fighters_have_odds() {
    let dir = tempfile::tempdir().unwrap();
    refused(dir.path(), &["odds", "Knight"], 2, &["two fighters", "muster odds Knight Blade"]);
    refused(dir.path(), &["odds", "hott", "Ork", "Blade"], 2, &["Ork", "Warband"]);
    refused(dir.path(), &["odds", "hott", "Cannon", "Blade"], 2, &["Artillery"]);
}

#[test]
fn a_missing_or_empty_or_binary_file_is_told() {
    let dir = with_file("empty.txt", "");
    fs::write(dir.path().join("bin.txt"), [0xff, 0xfe, 0, 1]).unwrap();
    refused(dir.path(), &["army", "check", "nowhere.txt"], 2, &["nowhere.txt"]);
    refused(dir.path(), &["army", "check", "empty.txt"], 2, &["no element"]);
    refused(dir.path(), &["army", "check", "bin.txt"], 2, &["not text"]);
    refused(dir.path(), &["verify", "empty.txt"], 2, &["empty.txt"]);
    refused(dir.path(), &["verify", "nowhere.jsonl"], 2, &["nowhere.jsonl"]);
    refused(dir.path(), &["case", "run", "nowhere"], 2, &["nowhere"]);
    refused(dir.path(), &["army", "check", "empty.txt", "--ap", "-3"], 2, &["-3 AP"]);
}

#[test]
fn ground_from_a_file_is_checked_by_line_and_by_rule() {
    let dir = with_file("hill.txt", "# my ground\nwood disc 600 900 150\nhill disc 1200 2395 150\n");
    let fight = |file: &str| {
        vec![
            "battle".to_owned(),
            "--side".into(),
            "pirates".into(),
            "--side".into(),
            "humans".into(),
            "--ground".into(),
            file.into(),
            "--seed".into(),
            "1".into(),
            "--json".into(),
        ]
    };
    let run = |file: &str, status: i32, says: &[&str]| {
        let args = fight(file);
        refused(dir.path(), &args.iter().map(String::as_str).collect::<Vec<_>>(), status, says);
    };
    run("hill.txt", 2, &["hill.txt:3:", "hill at 1200 2395", "not wholly on the board"]);
    fs::write(dir.path().join("bare.txt"), "wood disc 600 900 150\n").unwrap();
    run("bare.txt", 2, &["bare.txt", "HOTT-063", "HOTT-065"]);
    fs::write(dir.path().join("word.txt"), "wod disc 600 900 150\n").unwrap();
    run("word.txt", 2, &["word.txt:1", "did you mean wood?"]);
}

const CASE: &str = r#"title = "A hill off the board"
game = "hott"
rules = ["HOTT-286"]
[position]
phase = "combat"
active = "A"
ground = ["hill disc 1200 2000 150"]
[position.elements]
"A.Bld1" = { at = [1200, 1200], heading = 0 }
"B.Bld1" = { at = "in front contact with A.Bld1" }
[[step]]
do = "fight Bld1"
dice = [4, 3]
expect = ["result B.Bld1 recoils"]
"#;

#[test]
fn a_case_says_what_is_wrong_with_it() {
    let dir = with_file("good.toml", CASE);
    refused(dir.path(), &["case", "run", "good.toml"], 0, &["1 passed, 0 failed"]);
    let wrong = |name: &str, from: &str, to: &str, status: i32, says: &[&str]| {
        fs::write(dir.path().join(name), CASE.replace(from, to)).unwrap();
        refused(dir.path(), &["case", "run", name], status, says);
    };
    wrong("hill.toml", "1200 2000 150", "1200 2395 150", 2, &["hill.toml", "board"]);
    wrong("key.toml", "expect =", "expct =", 2, &["key.toml:14", "did you mean expect?"]);
    wrong("rule.toml", "HOTT-286", "HOTT-986", 2, &["HOTT-986"]);
    wrong("type.toml", "A.Bld1\" =", "A.Bldd1\" =", 2, &["Bldd"]);
    wrong("game.toml", "\"hott\"", "\"hot\"", 2, &["did you mean hott?"]);
    wrong("fails.toml", "[4, 3]", "[3, 4]", 1, &["FAILS", "expected: result B.Bld1 recoils"]);
    wrong("dice.toml", "[4, 3]", "[4, 7]", 1, &["cannot show 7", "close combat of B.Bld1"]);
    wrong("ground.toml", "hill disc", "hil disc", 2, &["did you mean hill?"]);
}

#[test]
fn a_record_that_was_touched_says_at_which_line_it_parts() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "battle",
        "--side",
        "lunar-empire",
        "--side",
        "pirates",
        "--seed",
        "5",
        "--record",
        "b.jsonl",
        "--json",
    ];
    let (code, out, err) = muster(dir.path(), &args);
    assert_eq!(code, 0, "{err}");
    for key in ["\"winner\"", "\"ending\"", "\"bounds\"", "\"lost_ap\"", "\"record_digest\""] {
        assert!(out.contains(key), "{out}");
    }
    refused(dir.path(), &args, 2, &["exists already", "--force"]);
    refused(
        dir.path(),
        &["verify", "b.jsonl"],
        0,
        &["good", "whole", "those committed to", "follows revision"],
    );
    let text = fs::read_to_string(dir.path().join("b.jsonl")).unwrap();

    fs::write(dir.path().join("half.jsonl"), &text[..text.len() / 2]).unwrap();
    refused(dir.path(), &["verify", "half.jsonl"], 1, &["BAD", "half.jsonl:", "cut off"]);

    let n = text.lines().position(|l| l.contains("\"purpose\":\"PIPs")).unwrap();
    let forge = |l: &str| {
        let at = l.find("\"value\":").unwrap() + 8;
        let die: u8 = l[at..=at].parse().unwrap();
        format!("{}{}{}", &l[..at], die % 6 + 1, &l[at + 1..])
    };
    let forged: Vec<String> =
        text.lines().enumerate().map(|(i, l)| if i == n { forge(l) } else { l.to_owned() }).collect();
    fs::write(dir.path().join("die.jsonl"), forged.join("\n")).unwrap();
    refused(dir.path(), &["verify", "die.jsonl"], 1, &["BAD", &format!("die.jsonl:{}:", n + 1)]);

    refused(dir.path(), &["replay", "b.jsonl", "--at", "30", "--svg", "x.svg"], 0, &["written: x.svg"]);
    assert!(fs::read_to_string(dir.path().join("x.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn a_new_case_runs_as_it_stands() {
    let dir = tempfile::tempdir().unwrap();
    refused(dir.path(), &["case", "new", "n.toml"], 0, &["n.toml"]);
    refused(dir.path(), &["case", "run", "n.toml"], 0, &["1 passed, 0 failed"]);
    refused(dir.path(), &["case", "new", "n.toml"], 2, &["exists already"]);
}

/// A case from a record is played as the record was.
#[test]
fn a_new_case_keeps_the_rules_of_its_record() {
    let dir = tempfile::tempdir().unwrap();
    let battle = ["battle", "--rules", "big", "old-guard", "ash-hordes", "--seed", "1", "--bounds", "1"];
    let with = [&battle[..], &["--set", "hott.wood_sight=100", "--record", "b.jsonl"]].concat();
    assert_eq!(muster(dir.path(), &with).0, 0);
    assert_eq!(muster(dir.path(), &["case", "new", "c.toml", "--record", "b.jsonl"]).0, 0);
    let text = fs::read_to_string(dir.path().join("c.toml")).unwrap();
    assert!(text.contains("[options]") && text.contains("scope"), "{text}");
    assert!(text.contains("hott.wood_sight"), "{text}");
    let text = text.split("[[step]]").next().unwrap().replace("title = \"\"", "title = \"x\"");
    fs::write(dir.path().join("c.toml"), text + "[[step]]\nexpect = [\"losses A 0\"]\n").unwrap();
    // The position opens under those rules: what is expected of it is another matter.
    let (code, out, err) = muster(dir.path(), &["case", "c.toml"]);
    assert!(code < 2 && err.is_empty(), "{out}{err}");
}

#[test]
fn a_commander_in_chief_has_a_command() {
    let dir = with_file(
        "a.toml",
        "name = \"X\"\ncinc = 7\n\n[[element]]\ntype = \"Hero\"\ngeneral = true\ncommand = 1\n",
    );
    refused(dir.path(), &["army", "check", "--rules", "big", "a.toml"], 1, &["cinc = 7", "BB-002"]);
}

#[test]
fn rules_and_options_are_found_or_suggested() {
    let dir = tempfile::tempdir().unwrap();
    refused(dir.path(), &["rules", "hott-252"], 0, &["HOTT-252"]);
    refused(dir.path(), &["rules", "HOTT-999"], 2, &["did you mean"]);
    refused(dir.path(), &["rules", "--search", "threat zone"], 0, &["HOTT-153"]);
    refused(dir.path(), &["rules", "--search", "xyzzy"], 1, &["no rule"]);
    refused(dir.path(), &["rules", "--options"], 0, &["hott.zoc_depth", "100p"]);
    refused(
        dir.path(),
        &["odds", "hott", "Blade", "Knight", "--set", "hott.zoc_dept=100p"],
        2,
        &["zoc_depth"],
    );
    refused(
        dir.path(),
        &["odds", "hott", "Blade", "Knight", "--set", "hott.zoc_depth=7p"],
        2,
        &["expected bw, 100 or 200"],
    );
    refused(dir.path(), &["odds", "hott", "Blade", "Knight", "--set", "heroes.x=7"], 2, &["heroes"]);
    refused(dir.path(), &["odds", "hott", "Blade", "Shooter", "--how", "shoot"], 2, &["HOTT-048"]);
    let dir = with_file("house.toml", "[hott.types.Blade]\ncf_foot = 400\n");
    refused(
        dir.path(),
        &["odds", "hott", "Blade", "Knight", "--rules-file", "house.toml"],
        2,
        &["house.toml", "400"],
    );
    refused(dir.path(), &["nonsense"], 2, &["nonsense"]);
}

#[test]
fn json_stands_alone_on_standard_output() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        vec!["army", "list", "--json"],
        vec!["army", "check", "pirates", "--json"],
        vec!["odds", "hott", "Blade", "Knight", "--json"],
        vec!["rules", "HOTT-001", "--json"],
        vec!["battle", "--side", "pirates", "--side", "dwarf-hold", "--seed", "3", "--json"],
    ] {
        let (code, out, _) = muster(dir.path(), &args);
        assert_eq!(code, 0, "{args:?}");
        let value: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|e| panic!("{args:?}: {e}\n{out}"));
        assert!(value.is_object() || value.is_array());
    }
}

fn fixture(name: &str) -> String {
    format!("{}/../../fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A report of any game of which there are pictures: a section a bound, each with its picture.
#[test]
fn a_battle_report_has_a_picture_for_each_bound() {
    let dir = tempfile::tempdir().unwrap();
    for (record, says) in [("hott-short.jsonl", "PIP"), ("heroes-assyrian-british.jsonl", "moves to")] {
        let (code, _, err) =
            muster(dir.path(), &["replay", &fixture(record), "--report", "r.html", "--force"]);
        assert_eq!(code, 0, "{err}");
        let page = fs::read_to_string(dir.path().join("r.html")).unwrap();
        let (sections, pictures) =
            (page.matches("<section").count(), page.matches("data:image/svg+xml").count());
        assert!(sections > 2 && sections == pictures, "{sections} sections, {pictures} pictures");
        assert!(page.contains(says), "{record}");
        assert!(!page.contains("http://") && !page.contains("https://"), "a page fetches nothing");
    }
    let (code, out, err) = muster(dir.path(), &["replay", &fixture("hott-short.jsonl"), "--report", "r.md"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("pictures beside it"), "{out}");
    assert!(dir.path().join("r-01.png").exists());
    refused(
        dir.path(),
        &["replay", &fixture("hott-short.jsonl"), "--report", "r.docx"],
        2,
        &["r.docx", "FILE.html"],
    );
}

#[test]
fn a_big_battle_prints_its_quick_sheet_and_a_roster_for_each_command() {
    let dir = tempfile::tempdir().unwrap();
    let pages = |args: &[&str]| {
        let mut all = args.to_vec();
        all.extend(["--rules", "big", "--format", "pdf", "--output", "p.pdf", "--force"]);
        let (status, _, said) = muster(dir.path(), &all);
        assert_eq!(status, 0, "{said}");
        let pdf = std::fs::read(dir.path().join("p.pdf")).unwrap();
        let text = String::from_utf8_lossy(&pdf).into_owned();
        (1..9).find(|n| text.contains(&format!("/Count {n}"))).unwrap_or(0)
    };
    assert_eq!(pages(&["army", "sheet"]), 1);
    assert_eq!(pages(&["army", "sheet", "two-rivers", "old-guard"]), 1 + 2 + 3);
    assert_eq!(pages(&["army", "roster", "old-guard"]), 3);
    let (status, text, _) = muster(dir.path(), &["army", "sheet", "--rules", "big"]);
    assert_eq!(status, 0);
    for word in ["Light Horse", "Scouts", "Rangers", "Baggage", "Halting", "The end of the battle"] {
        assert!(text.contains(word), "{word}");
    }
    refused(dir.path(), &["army", "sheet"], 2, &["--rules big"]);
}

#[test]
fn a_record_has_no_lines_beyond_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let record = fixture("hott-short.jsonl");
    refused(dir.path(), &["replay", &record, "--at", "99999"], 2, &["no line 99999", "the record has"]);
}

#[test]
fn a_recorded_position_answers_questions() {
    let dir = tempfile::tempdir().unwrap();
    let fight =
        ["battle", "--rules", "big", "--side", "two-rivers", "--side", "dragon-vale", "--player", "march"];
    let mut args = fight.to_vec();
    args.extend(["--seed", "3", "--bounds", "6", "--record", "r.jsonl"]);
    assert_eq!(muster(dir.path(), &args).0, 0);
    let (status, text, said) =
        muster(dir.path(), &["replay", "r.jsonl", "--ask", "losses A", "--ask", "flight A1"]);
    assert_eq!(status, 0, "{said}");
    assert!(text.starts_with("lost A ") && text.contains("runs "), "{text}");
    let (status, text, _) = muster(dir.path(), &["replay", "r.jsonl", "--ask", "pips", "--json"]);
    assert_eq!(status, 0);
    assert!(text.contains("\"question\": \"pips\""), "{text}");
    refused(dir.path(), &["replay", "r.jsonl", "--ask", "flihgt"], 2, &["flight"]);
}

#[test]
fn a_roster_is_one_sheet_of_paper() {
    let dir = tempfile::tempdir().unwrap();
    for (paper, width) in [("a4", "595.28"), ("letter", "612")] {
        let file = format!("{paper}.pdf");
        let args = ["army", "roster", "lunar-empire", "--format", "pdf", "--paper", paper, "--output", &file];
        let (status, _, said) = muster(dir.path(), &args);
        assert_eq!(status, 0, "{said}");
        let pdf = std::fs::read(dir.path().join(&file)).unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/Count 1") && text.contains(width) && text.contains("Lunar Empire"));
    }
    refused(dir.path(), &["army", "roster", "lunar-empire", "--format", "pfd"], 2, &["pfd", "pdf"]);
    refused(
        dir.path(),
        &["army", "roster", "roman", "--rules", "heroes", "--format", "pdf"],
        2,
        &["--output"],
    );
}

/// Each kind of paper is a file of its pages, and says what is on it.
#[test]
fn everything_goes_onto_paper() {
    let dir = tempfile::tempdir().unwrap();
    let record = fixture("hott-short.jsonl");
    let hexes = fixture("heroes-assyrian-british.jsonl");
    let bridge = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/horde/encounters/bridge.toml");
    let all: [(&[&str], usize); 6] = [
        (&["army", "sheet", "pirates", "lunar-empire", "--format", "pdf", "-o", "p.pdf"], 1),
        (&["army", "roster", "roman", "--rules", "heroes", "--format", "pdf", "-o", "p.pdf"], 1),
        (&["army", "sheet", "roman", "huns", "--rules", "heroes", "--format", "pdf", "-o", "p.pdf"], 1),
        (&["horde", "card", bridge, "--pdf", "p.pdf"], 3),
        (&["replay", &record, "--pdf", "p.pdf"], 1),
        (&["replay", &hexes, "--pdf", "p.pdf", "--paper", "letter"], 1),
    ];
    for (args, pages) in all {
        let _ = fs::remove_file(dir.path().join("p.pdf"));
        let (status, _, said) = muster(dir.path(), args);
        assert_eq!(status, 0, "{args:?}: {said}");
        let text = String::from_utf8_lossy(&fs::read(dir.path().join("p.pdf")).unwrap()).into_owned();
        assert!(text.contains(&format!("/Count {pages}")), "{args:?}: not {pages} pages");
    }
    refused(dir.path(), &["replay", &record, "--pdf", "p.png"], 2, &["p.pdf"]);
    refused(dir.path(), &["army", "sheet", "pirates"], 2, &["two armies"]);
}

#[test]
fn published_armies_come_out_as_stated() {
    let text = include_str!("../../hott/tests/armies/published.toml");
    let dir = tempfile::tempdir().unwrap();
    let all: toml::Value = toml::from_str(text).unwrap();
    for list in all["list"].as_array().unwrap() {
        let (id, elements) = (list["id"].as_str().unwrap(), list["elements"].as_array().unwrap());
        let flag = |key: &str| list[key].as_bool().unwrap();
        let mut pasted = String::new();
        for e in elements {
            let general =
                if e.get("general").is_some_and(|g| g.as_bool() == Some(true)) { " General" } else { "" };
            pasted.push_str(&format!("{} x {}{general}\n", e["count"], e["type"].as_str().unwrap()));
        }
        fs::write(dir.path().join("list.txt"), &pasted).unwrap();
        let (status, out, err) = muster(dir.path(), &["army", "check", "list.txt", "--json"]);
        let told: serde_json::Value = serde_json::from_str(&out).unwrap();
        let legal = flag("legal") && flag("named");
        assert_eq!(status, i32::from(!legal), "{}: {out}{err}", id);
        assert_eq!(told["legal"], legal, "{}: {out}", id);
        assert_eq!(told["legal_but_for_general"], flag("legal"), "{}: {out}", id);
        for key in ["ap", "small_ap"] {
            assert_eq!(told[key].as_i64(), list[key].as_integer(), "{id} {key}");
        }
        let problems = told["problems"].as_array().unwrap();
        assert_eq!(problems.iter().any(|p| p["rule"] == "HOTT-011"), !flag("named"), "{}: {out}", id);
        assert_eq!(told["unread"], serde_json::json!([]), "{}", id);
        let told: i64 =
            told["elements"].as_array().unwrap().iter().map(|e| e["count"].as_i64().unwrap()).sum();
        let stated: i64 = elements.iter().map(|e| e["count"].as_integer().unwrap()).sum();
        assert_eq!(told, stated, "{id}: {out}");
    }
}

#[test]
fn a_rules_file_that_is_wrong_is_told_by_line_with_what_would_be_right() {
    let dir = tempfile::tempdir().unwrap();
    let house = |text: &str, says: &[&str]| {
        fs::write(dir.path().join("house.toml"), text).unwrap();
        for head in [&["odds", "hott", "Blade", "Knight"][..], &["rules", "--options"]] {
            let args = [head, &["--rules-file", "house.toml"]].concat();
            refused(dir.path(), &args, 2, says);
            // The place is told once.
            assert_eq!(muster(dir.path(), &args).2.matches("error: house.toml:").count(), 1, "{args:?}");
            assert!(!muster(dir.path(), &args).2.contains(": house.toml:1:1: house.toml"), "{args:?}");
        }
    };
    house(
        "game = \"heroes\"\n",
        &["house.toml:1:1", "a file for Hordes & Heroes", "muster battle --rules heroes"],
    );
    house("[horde]\nx = 1\n", &["house.toml:1:2", "a key of horde combat", "`muster horde` takes it"]);
    house("[hott.types.Knight]\ncf_foot = 400\n", &["house.toml:2:1", "a factor of 400: expected -9 to 9"]);
    house("[hott.number]\nfactor_general = 400\n", &["house.toml:2:1", "a factor of 400: expected"]);
    house("[hott.types.Blade]\nap = -2\n", &["house.toml:2:1", "a cost in AP of -2: expected 0 to 24"]);
    house("[hott]\nHOTT-248 = 400\n", &["house.toml:2:1", "did you mean hott.number.factor_general?"]);
    house("[factors]\nHOTT-248 = 400\n", &["house.toml:1:2", "hott.types", "muster rules --options"]);
    house(
        "[hott]\ngod_doubled = \"flees\"\ngod_doubled = \"destroyed\"\n",
        &["house.toml:3:1", "`god_doubled` is set twice, in line 2 for the first time"],
    );
    house(
        "[hott.number]\nbad_features_min = 5\n",
        &["house.toml:2:1", "contradicts hott.number.features_min", "5 is more than 4"],
    );
    let args = ["odds", "Blade", "Knight", "--set", "hott.zoc_depth=100", "--set", "hott.zoc_depth=200p"];
    refused(dir.path(), &args, 2, &["it contradicts hott.zoc_depth (--set hott.zoc_depth=100)"]);
    // A file for this game says so, and each other game takes its own.
    fs::write(dir.path().join("house.toml"), "game = \"hott\"\n[hott]\ngod_doubled = \"flees\"\n").unwrap();
    for args in [&["odds", "hott", "Blade", "Knight"][..], &["rules", "--options"]] {
        assert_eq!(muster(dir.path(), &[args, &["--rules-file", "house.toml"]].concat()).0, 0);
    }
    for game in ["heroes", "horde", "campaign"] {
        let args = ["rules", "--options", "--rules", game, "--rules-file", "house.toml"];
        refused(dir.path(), &args, 2, &["a file for Hordes of the Things", "muster battle --rules hott"]);
    }
}

#[test]
fn odds_of_two_elements_of_a_recorded_position() {
    let dir = with_file("short.jsonl", &fs::read_to_string(fixture("hott-short.jsonl")).unwrap());
    let two = ["--record", "short.jsonl", "--at", "10", "--element", "A.Bld1", "--against", "B.Wbd1"];
    let mut seen = Vec::new();
    for game in [None, Some("hott")] {
        let args: Vec<&str> = ["odds"].into_iter().chain(game).chain(two).collect();
        let (status, out, err) = muster(dir.path(), &args);
        assert_eq!(status, 0, "{out}{err}");
        for words in ["A.Bld1: +6 and a die", "B.Wbd1: +4 and a die", "of 36", "equal totals"] {
            assert!(out.contains(words), "{words}: {out}");
        }
        let (status, out, err) = muster(dir.path(), &[&args[..], &["--json"]].concat());
        assert_eq!(status, 0, "{out}{err}");
        let told: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(told["ways"], 36);
        assert_eq!(told["fighters"][0]["label"], "A.Bld1");
        let wins = |i: usize| told["fighters"][i]["wins"].as_u64().unwrap();
        assert_eq!(wins(0) + wins(1) + told["draws"].as_u64().unwrap(), 36);
        seen.push(told);
    }
    assert_eq!(seen[0], seen[1]);
    refused(dir.path(), &[&["odds", "big"], &two[..]].concat(), 2, &["record of hott", "not of big"]);
    let late =
        ["odds", "--record", "short.jsonl", "--at", "9999", "--element", "A.Bld1", "--against", "B.Wbd1"];
    refused(dir.path(), &late, 2, &["no line 9999", "its last is"]);
    let nobody = ["odds", "--record", "short.jsonl", "--element", "A.Bld77", "--against", "B.Wbd1"];
    refused(dir.path(), &nobody, 2, &["A.Bld77"]);
    // The game may be left out of a fight by types too.
    let (status, out, _) = muster(dir.path(), &["odds", "Blade general", "Knight charged"]);
    assert_eq!(
        (status, out),
        (0, muster(dir.path(), &["odds", "hott", "Blade general", "Knight charged"]).1)
    );
}

#[test]
fn allies_fight_and_win_together() {
    let dir = tempfile::tempdir().unwrap();
    let battle = ["battle", "--rules", "big", "old-guard", "two-rivers", "salt-crown"];
    let run = |more: &[&str]| muster(dir.path(), &[&battle[..], more].concat());
    // One who concedes nothing: the battle is cut short, and the document says who stood with whom.
    let (code, out, err) = run(&[
        "--allies", "A+C", "--player", "march", "--bounds", "2", "--seed", "1", "--json", "--record",
        "r.jsonl",
    ]);
    assert_eq!(code, 0, "{err}");
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    let allies: Vec<&serde_json::Value> =
        told["sides"].as_array().unwrap().iter().map(|s| &s["allies"]).collect();
    assert_eq!(serde_json::json!(allies), serde_json::json!([["C"], [], ["A"]]), "{out}");
    assert!(told["winners"].is_array());
    let (code, _, err) = muster(dir.path(), &["verify", "r.jsonl"]);
    assert_eq!(code, 0, "{err}");
    for (allies, says) in [
        ("A", "nobody is an ally by himself"),
        ("A+D", "no side D"),
        ("A+A", "named twice"),
        ("A+B,B+C", "named twice"),
        ("A+B+C", "nobody is left to fight"),
        ("Amber", "no group"),
    ] {
        let (code, _, err) = run(&["--allies", allies]);
        assert!(code == 2 && err.contains(says) && err.contains("BB-090"), "{allies}: {err}");
    }
}

#[test]
fn graded_and_armed_fighters_have_odds() {
    let dir = tempfile::tempdir().unwrap();
    for (a, b) in
        [("Elite Blade", "Levy Spear"), ("Light Horse armed", "blade elite"), ("armed Scouts", "Knight")]
    {
        let (code, out, err) = muster(dir.path(), &["odds", "big", a, b, "--json"]);
        assert_eq!(code, 0, "{a} v {b}: {err}");
        let told: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(told["fighters"][0]["grade"].is_string());
    }
    refused(dir.path(), &["odds", "hott", "Elite Blade", "Knight"], 2, &["BB-007", "muster odds big"]);
    refused(dir.path(), &["odds", "big", "Blade armed", "Knight"], 2, &["BB-011"]);
}

#[test]
fn a_zone_deeper_than_half_the_board_is_refused_with_its_range() {
    let dir = tempfile::tempdir().unwrap();
    let battle = ["battle", "--rules", "big", "old-guard", "two-rivers", "--set"];
    refused(
        dir.path(),
        &[&battle[..], &["big.deployment_depth=5000"]].concat(),
        2,
        &["BB-026", "160 to 1200"],
    );
    refused(
        dir.path(),
        &[&battle[..], &["big.deployment_depth=100"]].concat(),
        2,
        &["BB-026", "160 to 1200"],
    );
    refused(
        dir.path(),
        &["battle", "--rules", "big", "old-guard"],
        2,
        &["one side only", "old-guard", "--rules big"],
    );
}
