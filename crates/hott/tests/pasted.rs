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
