//! Nothing that is typed or sent panics: records, lines, cases and problems made of anything.

use game::case::Case;
use game::record::{Header, Line, Record};
use proptest::prelude::*;

const LINE: &str = r#"{"n":1,"by":"A","do":"run 4","throws":[{"purpose":"x","sides":6,"value":3}],"events":[{"say":"x"}],"state":"00000000000000000000000000000000","chain":"00000000000000000000000000000000"}"#;
const HEADER: &str = r#"{"muster":"record","version":1,"game":"run","revision":1,"seats":["A"],"commitment":null,"words":[],"rules":{},"setup":{}}"#;
const CASE: &str =
    "title = 'x'\ngame = 'run'\n[position]\nat = 1\n[[step]]\ndo = 'run 1'\nexpect = ['ran 2']\n";

/// A text with some of its bytes cut out, doubled or replaced.
fn spoilt(text: &'static str) -> impl Strategy<Value = String> {
    let n = text.len();
    prop::collection::vec((0..n, 0..4_u8, any::<u8>()), 1..6).prop_map(move |hits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, how, byte) in hits {
            let at = at.min(bytes.len().saturating_sub(1));
            match how {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => bytes[at] = byte,
                2 => bytes.insert(at, byte),
                _ => bytes.extend_from_slice(&text.as_bytes()[at.min(n)..]),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

proptest! {
    #[test]
    fn a_line_reads_or_says_why(text in spoilt(LINE)) {
        if let Ok(line) = Line::parse(&text, 7) {
            let again = Line::parse(&line.print(), 7);
            prop_assert_eq!(again.as_ref(), Ok(&line));
        }
    }

    #[test]
    fn a_record_reads_or_says_where(header in spoilt(HEADER), line in spoilt(LINE)) {
        match Record::parse(&format!("{header}\n{line}\n{LINE}")) {
            Ok(record) => { let _ = record.print(); }
            Err(problem) => prop_assert!(problem.place.is_some(), "{}", problem),
        }
    }

    #[test]
    fn a_header_prints_and_reads_back(game in "[a-z]{1,8}", revision: u32, seats in prop::collection::vec(".{0,8}", 0..4)) {
        let header = Header {
            game, revision, seats,
            rules: serde_json::json!({ "a": 1 }), setup: serde_json::json!([1, "two"]),
            commitment: Some("x".into()), words: vec!["é\n\"".into()], from: None,
        };
        prop_assert_eq!(Header::parse(&header.print()), Ok(header));
    }

    #[test]
    fn a_case_reads_or_says_where(text in spoilt(CASE)) {
        if let Err(problem) = Case::parse("x.toml", &text) {
            prop_assert!(problem.to_string().starts_with("x.toml"), "{}", problem);
        }
    }

    #[test]
    fn anything_at_all(text in ".{0,200}") {
        let _ = Record::parse(&text);
        let _ = Case::parse("x", &text);
    }
}
