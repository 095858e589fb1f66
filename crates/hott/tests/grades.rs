//! BB-007: the effect of grades, measured: ten thousand fights of an Elite and of a Levy element against a standard one of
//! the same type, against the exact odds.

use dice::{Key, Seeded};
use game::{Actor, Game};
use hott::battle::{Battle, Event, Target};
use hott::table::{Fighter, Grade, Mode, Outcome, Scope, Tables, TroopType, odds};
use serde_json::json;

const FIGHTS: u64 = 10_000;

/// What befell the graded element and the standard one, in the order of [`Outcome::ALL`], and how often each won.
#[derive(Debug, Default)]
struct Count {
    wins: [u64; 2],
    outcomes: [[u64; Outcome::ALL.len()]; 2],
}

fn fought(code: &str, grade: &str) -> Count {
    let Ok(rules) = Battle::rules_from(None, None, &[("scope".to_owned(), "big".to_owned())]) else {
        panic!("the rules of big battles read");
    };
    let mut elements = serde_json::Map::new();
    let (mine, theirs) = (format!("A.{code}1"), format!("B.{code}1"));
    elements.insert(mine.clone(), json!({ "at": [1200, 1000], "heading": 0, "grade": grade }));
    elements.insert(theirs, json!(format!("in front contact with {mine}")));
    for (who, x) in [("A.Beh8", 200), ("A.Beh9", 500), ("B.Beh8", 1800), ("B.Beh9", 2100)] {
        let general = who.ends_with('9');
        elements.insert(who.to_owned(), json!({ "at": [x, 300], "heading": 0, "general": general }));
    }
    let doc = json!({ "phase": "combat", "elements": elements });
    let (battle, state) = match Battle::open_position(&rules, &doc) {
        Ok(both) => both,
        Err(p) => panic!("{}", p[0]),
    };
    let Ok(command) = battle.parse(&state, Actor::Umpire, &format!("fight {mine}")) else {
        panic!("a fight reads");
    };
    let mut count = Count::default();
    for n in 0..FIGHTS {
        let (mut now, mut events) = (state.clone(), Vec::new());
        let mut dice = Seeded::new(Key::from_seed(n));
        if battle.apply(&mut now, Actor::Umpire, &command, &mut dice, &mut events).is_err() {
            panic!("fight {n} is refused");
        }
        for event in &events {
            if let Event::Combat(close) = event {
                assert!(matches!(close.who[0], Target::Element(id) if battle.full_label(id) == mine));
                for i in 0..2 {
                    count.wins[i] += u64::from(close.totals[i] > close.totals[1 - i]);
                    count.outcomes[i][close.judged[i].outcome as usize] += 1;
                }
            }
        }
    }
    count
}

/// Whether a count out of [`FIGHTS`] is within four standard deviations of `ways` in `pairs`.
fn agrees(count: u64, ways: u32, pairs: u32) -> bool {
    let (n, ways, pairs) = (FIGHTS, u64::from(ways), u64::from(pairs));
    let off = (count * pairs).abs_diff(n * ways);
    off * off <= 16 * n * ways * (pairs - ways)
}

#[test]
fn ten_thousand_fights_of_each_grade_agree_with_the_exact_odds() {
    let tables = Tables::standard(Scope::Big);
    for (ty, code) in [(TroopType::Bld, "Bld"), (TroopType::Kni, "Kni")] {
        for (grade, word) in [(Grade::Elite, "elite"), (Grade::Levy, "levy")] {
            let graded = Fighter { grade, ..Fighter::new(ty) };
            let exact = odds(&tables, Mode::Contact, [&graded, &Fighter::new(ty)], true);
            let count = fought(code, word);
            println!("{word} {code} against {code}: {count:?} of {FIGHTS}, wins {:?} of 36", exact.wins);
            for i in 0..2 {
                assert!(agrees(count.wins[i], exact.wins[i], exact.pairs), "{word} {code}: {count:?}");
                for outcome in Outcome::ALL {
                    let (n, ways) = (count.outcomes[i][outcome as usize], exact.count(i, outcome));
                    assert!(agrees(n, ways, exact.pairs), "{word} {code} {outcome:?}: {n}, {ways} of 36");
                }
            }
            // The grade is worth something: 21 of 36 against 10, or the reverse.
            let [own, other] = exact.wins;
            assert_eq!(exact.pairs, 36);
            match grade {
                Grade::Elite => assert_eq!([own, other], [21, 10]),
                _ => assert_eq!([own, other], [10, 21]),
            }
        }
    }
}

/// BB-100: with `big.gradable` `deployed` a document grades Blades but neither Gods, Dragons nor Lurkers; a plain God is
/// no trouble. (The lists are in `cases/big/army-gradable.toml`; a document goes another way in.)
#[test]
fn bb_100_documents_grade_only_what_is_deployed() {
    let sets = [("scope", "big"), ("big.gradable", "deployed")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let Ok(rules) = Battle::rules_from(None, None, &sets) else { panic!("the rules of big battles read") };
    let opened = |label: &str, grade: &str| {
        let mut piece = json!({ "fate": "waiting" });
        if !grade.is_empty() {
            piece["grade"] = grade.into();
        }
        let doc = json!({ "phase": "moves", "elements": {
            label: piece,
            "A.Bld9": { "at": [1200, 300], "general": true },
            "B.Bld9": { "at": [1200, 2000], "heading": 180, "general": true },
        } });
        Battle::open_position(&rules, &doc).map(|_| ()).map_err(|p| p[0].rule)
    };
    let rule = rulebook::rule!("BB-100");
    for label in ["A.God1", "A.Dra1", "B.Lur1"] {
        assert_eq!(opened(label, "elite"), Err(Some(rule)), "{label}");
        assert_eq!(opened(label, "levy"), Err(Some(rule)), "{label}");
        assert_eq!(opened(label, ""), Ok(()), "{label}");
    }
    assert_eq!(opened("A.Bld1", "elite"), Ok(()));
}
