//! Pasted lists: the published armies in many spellings, and single spellings, half of them ugly.

use std::fmt::Write as _;
use std::sync::LazyLock;

use hott::army::{Pasted, check, check_list, read_list, read_pasted};
use hott::table::{Scope, Tables, TroopType};
use serde::Deserialize;

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Base));

#[derive(Deserialize)]
struct Published {
    list: Vec<List>,
}

#[derive(Deserialize)]
struct List {
    id: String,
    name: String,
    ap: i32,
    small_ap: i32,
    count: usize,
    named: bool,
    legal: bool,
    elements: Vec<Element>,
}

#[derive(Deserialize)]
struct Element {
    r#type: String,
    count: u16,
    cost: i32,
    #[serde(default)]
    general: bool,
}

fn published() -> Vec<List> {
    toml::from_str::<Published>(include_str!("armies/published.toml")).unwrap().list
}

/// What was read, as the case file writes it.
fn told(p: &Pasted) -> String {
    let mut out = String::new();
    for e in &p.army.entries {
        let general = if e.general { "*" } else { "" };
        let _ = write!(out, " {}{general}{}", e.ty, e.count);
    }
    let lines = |u: &[hott::army::Unread]| u.iter().map(|u| format!(" {}", u.line)).collect::<String>();
    if !p.unread.is_empty() {
        let _ = write!(out, " unread{}", lines(&p.unread));
    }
    if let Some(ap) = p.claimed {
        let _ = write!(out, " claims {ap}");
    }
    if !p.remarks.is_empty() {
        let _ = write!(out, " remarks{}", lines(&p.remarks));
    }
    out.trim().to_owned()
}

#[test]
fn spellings() {
    let text = include_str!("armies/spellings.txt");
    let mut cases = 0;
    let mut spellings = 0;
    let mut wrong = Vec::new();
    let mut list = String::new();
    for line in text.lines().skip_while(|l| l.starts_with("# ")) {
        match line.strip_prefix("-> ") {
            Some(expected) => {
                let list = std::mem::take(&mut list);
                let list = list.trim_start_matches('\n');
                let read = read_pasted(list, &TABLES);
                let got = told(&read);
                if got != expected {
                    wrong.push(format!(
                        "{list}\n  expected {expected}\n  got      {got}\n  {:?}",
                        read.unread
                    ));
                }
                cases += 1;
                spellings += list.lines().filter(|l| !l.trim().is_empty()).count();
            }
            None => {
                list.push_str(line);
                list.push('\n');
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases >= 60 && spellings > 150, "{cases} lists, {spellings} lines");
}

/// The elements, the AP and the verdict, as the file of ugly lists writes them.
fn judged(text: &str) -> String {
    let read = read_pasted(text, &TABLES);
    let verdict = check(&read.army, &TABLES, None);
    let mut out = String::new();
    for e in &read.army.entries {
        let general = if e.general { "*" } else { "" };
        let _ = write!(out, " {}{general}{}", e.ty, e.count);
    }
    if !read.unread.is_empty() {
        out.push_str(" unread");
        read.unread.iter().for_each(|u| _ = write!(out, " {}", u.line));
        return out.trim().to_owned();
    }
    let _ = write!(out, " {}", verdict.ap);
    let broken: Vec<String> =
        verdict.problems.iter().filter(|p| !p.warning).map(|p| p.rule.to_string()).collect();
    match (verdict.legal, verdict.legal_but_for_general) {
        (true, _) => out.push_str(" legal"),
        (false, true) => out.push_str(" general?"),
        (false, false) => _ = write!(out, " not {}", broken.join(" ")),
    }
    out.trim().to_owned()
}

#[test]
fn ugly_lists() {
    let text = include_str!("armies/ugly.txt");
    let (mut lists, mut wrong, mut list) = (0, Vec::new(), String::new());
    for line in text.lines().skip_while(|l| l.starts_with("# ")) {
        let Some(expected) = line.strip_prefix("=> ") else {
            list.push_str(line);
            list.push('\n');
            continue;
        };
        let whole = std::mem::take(&mut list);
        let whole = whole.trim_start_matches('\n');
        let got = judged(whole);
        if got != expected {
            wrong.push(format!("{whole}\n  expected {expected}\n  got      {got}"));
        }
        lists += 1;
    }
    assert!(wrong.is_empty(), "{} of {lists}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(lists >= 30, "{lists} lists");
}

/// Ways to write one line of a list.
type Style = fn(&Element, &str) -> String;

const STYLES: [Style; 12] = [
    |e, g| format!("{} x {}{g} @{}AP", e.count, e.r#type, e.cost),
    |e, g| format!("{} {}{g}", e.count, e.r#type),
    |e, g| format!("{}{g} x{}", e.r#type, e.count),
    |e, g| format!("{}x {}{g} @ {}AP = {}AP", e.count, code(e), e.cost, e.cost * i32::from(e.count)),
    |e, g| format!("* **{}** {}{} ({} AP)", e.count, code(e), g, e.cost * i32::from(e.count)),
    |e, g| format!("{}{g}\t{}\t{}", e.r#type, e.count, e.cost * i32::from(e.count)),
    |e, g| format!("{} Hairy Goblins ({}){g}", e.count, e.r#type),
    |e, g| format!("- {}{g} ×{}", e.r#type.to_uppercase(), e.count),
    |e, g| format!("<li>{} {}{g} - {} points</li>", e.count, e.r#type.to_lowercase(), e.cost),
    |e, g| format!("{}: {}{g}", name(e), e.count),
    |e, g| format!("Veterans of the north - {} x {}{g} ({}ap each)", e.count, name(e), e.cost),
    |e, g| format!("{} {}{g}, {}AP", e.count, code(e).to_lowercase(), e.cost * i32::from(e.count)),
];

fn ty(e: &Element) -> TroopType {
    TroopType::parse(&e.r#type).unwrap()
}

fn code(e: &Element) -> &'static str {
    ty(e).code()
}

fn name(e: &Element) -> &'static str {
    ty(e).name()
}

#[test]
fn published_lists_in_every_style() {
    for list in published() {
        for (s, style) in STYLES.iter().enumerate() {
            for general in [" general", " (Gen)", " General"] {
                let mut text = format!("{}\n\n", list.name);
                for e in &list.elements {
                    text.push_str(&style(e, if e.general { general } else { "" }));
                    text.push('\n');
                }
                let _ = write!(text, "\nTotal {} AP", list.ap);
                let read = read_pasted(&text, &TABLES);
                assert!(read.unread.is_empty(), "{} style {s}: {:?}\n{text}", list.id, read.unread);
                assert!(read.remarks.is_empty(), "{} style {s}: {:?}\n{text}", list.id, read.remarks);
                let v = check(&read.army, &TABLES, None);
                let context = format!("{} style {s}: {}\n{text}", list.id, told(&read));
                assert_eq!(v.ap.to_string(), list.ap.to_string(), "{context}");
                assert_eq!(v.small_ap.to_string(), list.small_ap.to_string(), "{context}");
                assert_eq!(read.army.element_count(), list.count, "{context}");
                assert_eq!(v.legal, list.legal && list.named, "{context}");
                assert_eq!(v.legal_but_for_general, list.legal, "{context}");
                let unnamed = v.problems.iter().any(|p| p.rule.to_string() == "HOTT-011");
                assert_eq!(unnamed, !list.named, "{context}");
                assert_eq!(read.army.name, list.name, "{context}");
            }
        }
    }
}

#[test]
fn two_armies_in_one_list_are_suspected() {
    let told = |text: &str| {
        let verdict = check(&read_pasted(text, &TABLES).army, &TABLES, None);
        verdict.problems.iter().map(|p| p.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let two = told("The Reds\n1 Hero general\n10 Blades\n\nThe Blues\n1 Knight general\n11 Spears\n");
    assert!(two.contains("2 generals: one leads; two armies in one list?"), "{two}");
    let one = told("1 Hero general\n1 Knight general\n9 Blades\n");
    assert!(one.ends_with("2 generals: one leads"), "{one}");
}

#[test]
fn a_verdict_names_unread_lines() {
    let list = read_list("-", "1 Hero general\n3 x Trolls\n2 Knigths", &TABLES).unwrap();
    let v = check_list(&list, &TABLES, None);
    let json = serde_json::to_value(&v).unwrap();
    assert_eq!(
        json["unread"],
        serde_json::json!([{ "line": 2, "text": "3 x Trolls" }, { "line": 3, "text": "2 Knigths" }])
    );
    assert_eq!(list.unread[1].hint.as_deref(), Some("did you mean Knight?"));
    // the project's own form is known from lists by its tables, and its faults are told
    assert!(read_list("a.toml", "[[element]]\ntype = \"Trolls\"\n", &TABLES).is_err());
    assert!(read_list("a.toml", "name: Trolls\nHero = 4AP\n", &TABLES).is_ok());
}

#[test]
fn published_lists_in_their_own_form() {
    for list in published() {
        let mut text = format!("name = \"{}\"\n", list.name);
        for e in &list.elements {
            let _ = write!(
                text,
                "\n[[element]]\ntype = \"{}\"\ncount = {}\ngeneral = {}\n",
                e.r#type, e.count, e.general
            );
        }
        let read = read_list("list.toml", &text, &TABLES).unwrap();
        let v = check(&read.army, &TABLES, None);
        assert_eq!(
            (v.ap.to_string(), v.small_ap.to_string()),
            (list.ap.to_string(), list.small_ap.to_string())
        );
        assert_eq!((v.legal, v.legal_but_for_general), (list.legal && list.named, list.legal), "{}", list.id);
    }
}

proptest::proptest! {
    /// Whatever is pasted, reading ends and every line is named at most once.
    #[test]
    fn anything_may_be_pasted(text in "(?s).{0,300}", words in proptest::collection::vec(
        proptest::sample::select(vec![
            "4", "x", "Blades", "(", ")", "general", "@", "2AP", "Hero", ",", "/", "and", "No.", "3:", "-", "\n", "Kn",
            "=", "24", "total", "[b]", "<", ".5", "1-4", "é", "Wharband", "#", "*",
        ]),
        0..40,
    )) {
        for list in [text, words.join(" "), words.concat()] {
            let read = read_pasted(&list, &TABLES);
            let mut lines: Vec<u32> = read.unread.iter().map(|u| u.line).collect();
            let all = lines.len();
            lines.dedup();
            proptest::prop_assert_eq!(lines.len(), all);
            let _ = check(&read.army, &TABLES, None);
            let _ = read_list("x.toml", &list, &TABLES);
        }
    }
}

/// A total behind a title is no part of the name.
#[test]
fn titles_lose_their_totals() {
    for (title, name) in [
        ("My dwarf lot (24 pts)", "My dwarf lot"),
        ("Orcs of the North - 24 AP", "Orcs of the North"),
        ("Army of 24 points", "Army of 24 points"),
        ("The Cap", "The Cap"),
    ] {
        let read = read_pasted(&format!("{title}\n1 Hero general\n10 Blades\n"), &TABLES);
        assert_eq!(read.army.name, name, "{title}");
    }
}

// ---------------------------------------------------------------- big battles

static BIG: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Big));

/// What a pasted list of a big battle says: for each entry its command and label, and the lines that are not read.
fn big(text: &str) -> (Vec<String>, Vec<u32>) {
    let pasted = read_pasted(text, &BIG);
    let entries = pasted.army.entries.iter().map(|e| format!("{}: {}", e.command, e.label())).collect();
    (entries, pasted.unread.iter().map(|u| u.line).collect())
}

#[test]
fn grades_are_read_wherever_they_stand() {
    for line in [
        "4 Elite Blades",
        "4 Blades (elite)",
        "(Elite) 4 Blades",
        "Elite 4 Blades",
        "4x Blade [Elite] @3AP",
        "Blades (4 elite)",
        "Blades x4, elite",
        "4 elite Bd (12 AP)",
        "4 Elite Blades (12)",
        "Elite Blades 12 AP",
        "4 Blades (4 elite)",
        "4 \u{c9}lite Blades",
    ] {
        assert_eq!(big(line), (vec!["1: 4 Elite Blades".to_owned()], vec![]), "{line}");
    }
    for line in
        ["(Levy) 4 Hordes", "4 Levy Hordes", "4 Hordes (levy, 2 AP)", "4 Hordes - levy", "Levy: 4 Hordes"]
    {
        assert_eq!(big(line), (vec!["1: 4 Levy Hordes".to_owned()], vec![]), "{line}");
    }
    let two = vec!["1: 2 Elite Knights".to_owned(), "1: 3 Levy Spears".to_owned()];
    for line in
        ["2 Elite Knights, 3 Levy Spears", "2 Elite Kn 3 Levy Sp", "2 Knights (elite) + 3 Spears (levy)"]
    {
        assert_eq!(big(line), (two.clone(), vec![]), "{line}");
    }
    assert_eq!(big("Hero general (elite)").0, ["1: 1 Elite Hero (general)"]);
    assert_eq!(big("1 Elite Hero General \"Old Bones\"").0[0], "1: 1 Elite Hero (general) \"Old Bones\"");
}

#[test]
fn weapons_are_read_of_those_who_may_have_them() {
    let horse = "1: 2 Light Horse with a shooting weapon";
    for line in [
        "2 armed Light Horse",
        "2 Light Horse armed",
        "2 Light Horse (armed)",
        "2 Light Horse with bows",
        "2 Light Horse (bows)",
        "2 Light Horse (with bows)",
        "2 Light Horse armed with javelins and bows",
        "2 bow-armed Light Horse",
        "2 x LH, armed",
        "2 Light Horse equipped with a shooting weapon",
        "2 Light Horse archers",
    ] {
        assert_eq!(big(line), (vec![horse.to_owned()], vec![]), "{line}");
    }
    assert_eq!(big("3 elite Scouts with slings").0, ["1: 3 Elite Scouts with a shooting weapon"]);
    assert_eq!(big("3 Scouts (unarmed)").0, ["1: 3 Scouts"]);
    assert_eq!(big("3 Scouts without bows").0, ["1: 3 Scouts"]);
    let both = big("2 Light Horse with bows, 3 Shooters with bows").0;
    assert_eq!(both[0], horse);
    assert!(both[1].starts_with("1: 3 Shooters") && both.len() == 2, "{both:?}");
    // Whoever may have none is read so, and refused by the rule.
    let rangers = read_pasted("2 Rangers (armed)", &BIG);
    let verdict = check_list(&rangers, &BIG, None);
    assert!(verdict.problems.iter().any(|p| p.rule.to_string() == "BB-011" && p.line == Some(1)));
    // A weapon that is but a name stays one.
    assert_eq!(big("2 heavily armed Knights").0.len(), 1);
}

#[test]
fn headings_of_commands_are_read() {
    let commands = |text: &str| {
        let pasted = read_pasted(text, &BIG);
        assert!(pasted.unread.is_empty(), "{text}: {:?}", pasted.unread);
        let of = |e: &hott::army::Entry| (e.command, e.ty.code());
        (pasted.army.entries.iter().map(of).collect::<Vec<_>>(), pasted.army.commands.cinc)
    };
    let want = vec![(1, "Her"), (1, "Bld"), (2, "Kni"), (2, "Spr")];
    for (first, second) in [
        ("Command 1", "Command 2"),
        ("Command 1:", "Command 2:"),
        ("**Command I**", "**Command II**"),
        ("First command (24 AP)", "Second command (24 AP)"),
        ("1st Command - the Duke's", "2nd Command - the Count's"),
        ("Command A: the Duke", "Command B: the Count"),
        ("The Duke's command", "The Count's command"),
        ("Army of the Duke", "Command 2"),
        ("Command No. 1", "Command No. 2"),
        ("== Command 1 ==", "== Command 2 =="),
    ] {
        let text = format!("{first}\nHero general\n4 Blades\n\n{second}\nKnight general\n4 Spears\n");
        assert_eq!(commands(&text), (want.clone(), 1), "{text}");
    }
    let text = "Command 1: Hero general, 4 Blades\nCommand 2 (C-in-C): 1 Knight general, 4 Spears\n";
    assert_eq!(commands(text), (want.clone(), 2));
    let text =
        "Hero general, command 1\n4 Blades (command 1)\n1 Knight C-in-C (command 2)\n4 Spears (command 2)\n";
    let text = text.replace(", command 1", " (command 1)");
    assert_eq!(commands(&text), (want, 2));
    let text = "Command 1\nHero general\nCommand 1 total: 4 AP\nCommand 2\nKnight general\nTotal 6 AP\n";
    assert_eq!(commands(text).0, [(1, "Her"), (2, "Kni")]);
    // Where several commands are not played the heading is named, and no army read with half of it.
    let base = read_pasted("Host\nHero general\nCommand 2\n4 Blades\n", &TABLES);
    assert_eq!(base.unread.iter().map(|u| u.line).collect::<Vec<_>>(), [3]);
}

#[test]
fn nothing_of_a_big_list_is_read_by_halves() {
    for line in [
        "4 Blades, 2 elite",
        "4 Blades (2 elite)",
        "4 Blades, two of them elite",
        "4 Blades (half of them levy)",
        "4 Scouts (2 with bows)",
        "2 Elite Levy Knights",
        "4 Blades\nElite:\n4 Knights",
        "4 Blades\nAll Blades are elite.",
        "4 Blades\n3 levy",
        "4 Blades\nLeft wing\n3 Knights",
        "4 Blades\nCommand 0\n3 Knights",
        "4 Blades\nCommand 2 (elite)\n3 Knights",
    ] {
        let pasted = read_pasted(line, &BIG);
        assert_eq!(pasted.unread.len(), 1, "{line}: {:?} {:?}", pasted.army.entries, pasted.unread);
        assert!(pasted.unread[0].hint.is_some(), "{line}: {:?}", pasted.unread);
    }
}
