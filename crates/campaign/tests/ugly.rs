//! Orders in any state of disorder lose nothing: what can be read counts, and the rest is told with its line.

use campaign::Rules;
use campaign::cli::{self, Auto, Format, NoClock, Out, Ran, Sent};
use campaign::order::SetState;
use dice::Key;
use std::fs;
use std::path::PathBuf;

struct Desk {
    dir: PathBuf,
    sent: std::cell::Cell<i64>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

impl Desk {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("muster-ugly-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        cli::new(&dir, "evening", Rules::shipped(), &Key::from_seed(4), true).unwrap();
        Self { dir, sent: 0.into() }
    }

    fn send(&self, text: &str) -> Ran {
        let n = self.sent.get() + 1;
        self.sent.set(n);
        cli::orders(
            &self.dir,
            "Amber",
            text,
            Sent { sent: n, received: n, state: SetState::Submitted, by_umpire: false },
        )
    }

    #[track_caller]
    fn receipt(&self, text: &str, has: &[&str], lacks: &[&str]) -> Out {
        let out = self.send(text).unwrap();
        for word in has {
            assert!(out.text.contains(word), "{text:?} lacks {word:?}:\n{}", out.text);
        }
        for word in lacks {
            assert!(!out.text.contains(word), "{text:?} has {word:?}:\n{}", out.text);
        }
        out
    }
}

#[test]
fn ends_of_lines_marks_and_bullets_of_any_machine() {
    let desk = Desk::new("ends");
    let both = ["A1: move to Larch", "A2: invade Midway"];
    let bad = ["could not be read", "without an order"];
    for text in [
        "\u{feff}A1: move to Larch\r\nA2: invade Midway\r\n",
        "A1: move to Larch\rA2: invade Midway\r",
        "A1:\tmove\tto\tLarch\n\tA2:\u{a0}invade\u{a0}Midway",
        " •  A1: move to Larch\n ▪ A2: invade Midway",
        "1) A1: move to Larch\n(2) A2: invade Midway.",
        "- **A1**: move to Larch…\n- A2 — invade Midway!",
        "> A1: move to Larch\n>> A2: invade Midway",
        "A\u{ad}1: move to La\u{200b}rch\u{2028}A2: invade Midway",
        "Dear umpire,\n\nA1: move to Larch\nA2: invade Midway\n\nBest regards\nAmber",
    ] {
        let out = desk.receipt(text, &both, &bad);
        assert!(out.yes, "{text:?}: {}", out.text);
    }
}

#[test]
fn what_is_quoted_yields_to_what_is_written() {
    let desk = Desk::new("quoted");
    let note = ["A1: move to Larch", "it is quoted, and a line of your own"];
    desk.receipt("A1: move to Larch\n\nOn Sunday you wrote:\n> A1: hold\n> A2: hold\n", &note, &["A1: hold"]);
    desk.receipt("> A1: hold\nA1: move to Larch\n", &note, &[]);
    // Of two lines of one's own the later counts, as ever.
    desk.receipt("A1: hold\nA1: move to Larch\n", &["A1: move to Larch", "a later line"], &[]);
}

#[test]
fn amendments_are_known_under_greetings_and_quotation_signs() {
    let desk = Desk::new("amend");
    desk.receipt("A1: move to Larch\nA2: hold\noffer alliance to Cobalt", &["set 1 counts"], &[]);
    for head in [
        "AMEND",
        "\u{feff}AMEND",
        "> Amend:",
        "Hello umpire,\n\nAMENDMENT to my orders",
        "# Amber\n\nAmended",
    ] {
        let text = format!("{head}\nA2: defend\n");
        let has = ["set 1 counts", "A1: move to Larch", "A2: defend", "offer alliance to Cobalt"];
        desk.receipt(&text, &has, &["A2: hold", "former order is gone"]);
    }
    // Without the head it is a set of its own, and the receipt says what it dropped.
    desk.receipt("A2: defend\n", &["set 7 counts", "former order is gone", "A1"], &["A1: move"]);
    desk.receipt("", &["set 8 counts", "holds no order", "A2"], &[]);
    desk.receipt("\n# nothing\n\n", &["holds no order"], &[]);
}

#[test]
fn wrong_names_are_told_and_the_rest_stands() {
    let desk = Desk::new("names");
    desk.receipt(
        "A1: march to Larhc\noffer alliance to Cobolt\nBasalt A1: hold\nA9: hold\nA2: invade Xyzzy\nSnk4: spy on Larch\nA2: hold",
        &["read as Larch", "read as Cobalt", "A2: hold", "Basalt.1 is void", "4:1: you have no A9", "5:12", "6:1"],
        &[],
    );
    // A file that breaks off in the middle of a word.
    let cut = desk.receipt(
        "A1: move to Larch\nA2: invade Midw",
        &["A1: move to Larch", "\"midw\" read as Midway"],
        &[],
    );
    assert!(cut.yes);
    desk.receipt("A1: move to Larch\nA2: inv", &["A1: move to Larch", "2:5"], &[]);
}

#[test]
fn orders_for_anothers_army_are_void_and_say_so() {
    let desk = Desk::new("others");
    desk.receipt("offer aliance to Cobolt\nA1: hold", &["offer alliance to Cobalt"], &["could not be read"]);
    let void = ["A1: hold   [10 AP", "Basalt.1: move to Larch", "Basalt.1 is void"];
    for text in [
        "Basalt A1: move to Larch\nA1: hold",
        "Basalt's army 1 - move to Larch\nA1: hold",
        "basalt.a1: move to Larch\nA1: hold",
    ] {
        desk.receipt(text, &void, &["could not be read"]);
    }
    let out = cli::adjudicate(&desk.dir, Auto::Reckon, false).unwrap();
    assert!(out.text.contains("not yours to command"), "{}", out.text);
    let letter = cli::report(&desk.dir, Some("Basalt"), Format::Markdown, "").unwrap().text;
    assert!(!letter.contains("Amber"), "Basalt is not told: {letter}");
}

#[test]
fn rings_of_conditions_are_found_and_named() {
    let desk = Desk::new("ring");
    let text = "A1: if A2 retreats retreat else hold\nA2: if A1 stands siege retreat else hold";
    desk.receipt(text, &["A1: if A2 retreats", "A2: if A1 stands siege"], &[]);
    let deep = format!("A1: if {} spring hold", "not ".repeat(300));
    desk.send(&deep).unwrap();
    let wide = format!("A1: if {} spring hold", "spring or ".repeat(150));
    desk.send(&wide).unwrap();
    desk.send(text).unwrap();
    assert!(cli::adjudicate(&desk.dir, Auto::Reckon, false).is_ok());
}

#[test]
fn a_set_without_measure_is_refused_and_changes_nothing() {
    let desk = Desk::new("size");
    desk.receipt("A1: hold", &["set 1 counts"], &[]);
    let record = fs::read(desk.dir.join("campaign.jsonl")).unwrap();
    let why = desk.send(&"A1: move to Larch\n".repeat(300_000)).unwrap_err();
    assert!(why[0].to_string().contains("kilobytes"), "{}", why[0]);
    assert_eq!(record, fs::read(desk.dir.join("campaign.jsonl")).unwrap());
    // Sixty kilobytes of anything are read to their end.
    let junk: String = (0..5_000_u32).filter_map(|n| char::from_u32(n * 37 % 0x2fff)).collect();
    for text in [junk, "(".repeat(60_000), "A1: ".repeat(15_000), "a\n".repeat(500), "\0".repeat(60_000)] {
        desk.send(&text).unwrap();
    }
    desk.receipt("A1: hold", &["A1: hold"], &[]);
    assert!(cli::status(&desk.dir, &NoClock).unwrap().text.contains("submitted"));
}
