//! Finding rules by people's words, and counting which have cases.

use rulebook::{Coverage, Family, RuleId, Unobservable, rule};

fn first(words: &str) -> Vec<RuleId> {
    RuleId::search(words, Some(Family::Hott)).into_iter().take(8).collect()
}

#[test]
fn peoples_words_find_the_rule() {
    for (words, want) in [
        ("close the door", rule!("HOTT-175")),
        ("how deep is a ZOC", rule!("HOTT-153")),
        ("TZ of aerials", rule!("HOTT-157")),
        ("frogged hero", rule!("HOTT-201")),
        ("uphill", rule!("HOTT-249")),
        ("bow range", rule!("HOTT-225")),
        ("general lost", rule!("HOTT-340")),
        ("sneaker break off", rule!("HOTT-180")),
        ("behemoth recoil destroys", rule!("HOTT-307")),
        ("1 on the PIP die god leaves", rule!("HOTT-183")),
        ("wb v kn", rule!("HOTT-288")),
        ("rear support", rule!("HOTT-246")),
    ] {
        assert!(first(words).contains(&want), "{words}: {:?}", first(words));
    }
}

#[test]
fn the_exact_phrase_comes_first() {
    assert_eq!(first("corner-to-corner touching")[0], rule!("HOTT-165"));
    assert_eq!(first("Enemies are never pushed")[0], rule!("HOTT-308"));
    assert_eq!(first("not reduced by going")[0], rule!("HOTT-317"));
}

#[test]
fn an_id_finds_itself_and_nonsense_nothing() {
    assert_eq!(RuleId::search("hott 249", None), [rule!("HOTT-249")]);
    assert!(RuleId::search("xyzzy plugh", None).is_empty());
    assert!(RuleId::search("", None).is_empty());
    assert!(RuleId::search("  ?! ", None).is_empty());
}

#[test]
fn a_search_keeps_to_its_game() {
    assert!(RuleId::search("magnitude", Some(Family::Hott)).is_empty());
    assert!(RuleId::search("magnitude", None).iter().all(|id| id.family() == Family::Horde));
    assert!(RuleId::search("general", Some(Family::Big)).iter().all(|id| id.family() == Family::Big));
}

#[test]
fn coverage_counts_observable_rules_only() {
    let list = Unobservable::parse("list", "[HOTT]\nHOTT-006 = \"no effect\"\n").unwrap();
    let cited = [
        ("uphill", vec![rule!("HOTT-249"), rule!("HOTT-006")]),
        ("uphill again", vec![rule!("HOTT-249"), rule!("BB-001")]),
        ("uphill", vec![rule!("HOTT-249")]),
    ];
    let coverage = Coverage::new(Family::Hott, &list, cited);
    let rulings = RuleId::all(Family::Hott).filter(|id| id.is_ruling()).count();
    assert_eq!(coverage.observable_count(), 358 + rulings);
    assert_eq!(coverage.covered_count(), 1);
    assert!(!coverage.complete());
    assert!(!coverage.missing().any(|id| id == rule!("HOTT-249") || id == rule!("HOTT-006")));
    let row = coverage.rules.iter().find(|c| c.rule == rule!("HOTT-249")).unwrap();
    assert_eq!(row.cases, ["uphill", "uphill again"]);
    let text = coverage.to_string();
    assert!(text.contains("HOTT-249  uphill, uphill again\n"), "{text}");
    assert!(text.contains("HOTT-001  -\n"));
    assert!(text.trim_end().ends_with(" observable rules have a case"), "{text}");
}

#[test]
fn everything_cited_is_complete() {
    let list = Unobservable::shipped();
    let coverage =
        Coverage::new(Family::Hott, &list, [("all", RuleId::all(Family::Hott).collect::<Vec<_>>())]);
    assert!(coverage.complete());
    assert_eq!(coverage.covered_count(), coverage.observable_count());
}

#[test]
fn the_shipped_list_of_unobservable_rules_is_sound() {
    let text = include_str!("../../../data/rules/unobservable.toml");
    let list = Unobservable::parse("unobservable.toml", text).unwrap();
    assert_eq!(list, Unobservable::shipped());
    assert!(list.iter().count() > 0);
    for (text, want) in [
        ("[HOTT]\nHOTT-999 = \"x\"", "no rule `HOTT-999`"),
        ("[BB]\nHOTT-006 = \"x\"", "stands under [BB]"),
        ("[HOTT]\nHOTT-006 = \" \"", "has no reason"),
        ("[HOTT]\nHOTT-006 = 1", "has no reason"),
    ] {
        let e = Unobservable::parse("list", text).unwrap_err();
        assert!(e.starts_with("list:2:1: ") && e.contains(want), "{e}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn no_question_makes_the_search_panic(words in "\\PC{0,40}") {
        let _ = RuleId::search(&words, None);
    }
}
