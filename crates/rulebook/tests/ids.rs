//! Ids: all that the rules give are there, and an id is read, written and guessed rightly.

use rulebook::{Family, RuleId, rule};

/// How many rules each family has, and its highest number.
const COUNTS: [(Family, usize, u16); 5] = [
    (Family::Hott, 359, 359),
    (Family::Big, 92, 101),
    (Family::Heroes, 295, 295),
    (Family::Horde, 160, 215),
    (Family::Campaign, 152, 182),
];

/// The numbers that the rules were given, without gaps from first to last.
const RANGES: &[(Family, &[(u16, u16)])] = &[
    (Family::Hott, &[(1, 359)]),
    (Family::Big, &[(1, 54), (60, 78), (80, 85), (87, 88), (90, 98), (100, 101)]),
    (Family::Heroes, &[(1, 295)]),
    (
        Family::Horde,
        &[
            (1, 8),
            (10, 16),
            (20, 27),
            (30, 33),
            (40, 44),
            (50, 55),
            (60, 88),
            (100, 108),
            (110, 117),
            (120, 128),
            (130, 136),
            (140, 147),
            (150, 153),
            (160, 168),
            (170, 187),
            (190, 193),
            (195, 198),
            (200, 206),
            (210, 215),
        ],
    ),
    (
        Family::Campaign,
        &[
            (1, 18),
            (20, 28),
            (30, 37),
            (40, 108),
            (110, 122),
            (130, 138),
            (140, 142),
            (150, 160),
            (170, 178),
            (180, 182),
        ],
    ),
];

#[test]
fn every_rule_of_the_reference_is_there() {
    for (family, count, highest) in COUNTS {
        let plain: Vec<RuleId> = RuleId::all(family).filter(|id| !id.is_ruling()).collect();
        assert_eq!(plain.len(), count, "{family:?}");
        assert_eq!(plain.iter().map(|id| id.number()).max(), Some(highest), "{family:?}");
        for id in plain {
            assert!(!id.text().is_empty(), "{id} has no text");
            assert!(!id.section().is_empty(), "{id} stands under no heading");
        }
    }
    for (family, ranges) in RANGES {
        let have: Vec<u16> =
            RuleId::all(*family).filter(|id| !id.is_ruling()).map(|id| id.number()).collect();
        let want: Vec<u16> = ranges.iter().flat_map(|(a, b)| *a..=*b).collect();
        assert_eq!(have, want, "{family:?}");
    }
}

#[test]
fn ids_sort_and_round_trip() {
    let all: Vec<RuleId> = RuleId::every().collect();
    assert!(all.windows(2).all(|w| w[0] < w[1]));
    for id in all {
        assert_eq!(id.to_string().parse(), Ok(id));
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(json, format!("\"{id}\""));
        assert_eq!(serde_json::from_str::<RuleId>(&json).unwrap(), id);
    }
}

#[test]
fn people_write_ids_loosely() {
    for written in ["HOTT-249", "hott-249", "hott 249", "hott249", " Hott_249 ", "HOTT-0249"] {
        assert_eq!(written.parse(), Ok(rule!("HOTT-249")), "{written}");
    }
    assert_eq!("hott 7".parse(), Ok(rule!("HOTT-007")));
}

#[test]
fn an_unknown_id_is_refused_with_a_suggestion() {
    let e = "HOTT-449".parse::<RuleId>().unwrap_err();
    assert_eq!(e.nearest[0], rule!("HOTT-049"));
    assert!(e.to_string().starts_with("no rule `HOTT-449`; did you mean HOTT-049"), "{e}");
    assert!("HOT-249".parse::<RuleId>().unwrap_err().nearest.contains(&rule!("HOTT-249")));
    assert!(serde_json::from_str::<RuleId>("\"HOTT-999\"").is_err());
    for odd in ["", "-", "HOTT", "HOTT-", "HOTT-R", "HOTT-65785", "HOTT-99999999", "é", "HOTTR"] {
        assert!(odd.parse::<RuleId>().is_err(), "{odd}");
    }
}

#[test]
fn a_table_row_reads_with_its_headings() {
    let text = rule!("HOTT-028").text();
    assert!(text.starts_with("Type: Bld Blade; Class: Foot; AP: 2; "), "{text}");
    assert!(text.contains("CF v Ft/Str: +5"), "{text}");
    assert_eq!(rule!("HOTT-028").section(), "3. Element data");
}

#[test]
fn a_rule_keeps_the_table_that_follows_it() {
    assert!(rule!("HOTT-297").text().contains("| Kni | R/X |"));
    assert!(rule!("HOTT-300").text().ends_with("reads `X/X` here too."));
    assert!(!rule!("HOTT-275").text().contains('|'));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(s in "\\PC{0,12}") {
        let _ = s.parse::<RuleId>();
    }

    #[test]
    fn id_like_texts_do_not_panic(s in "(HOTT|bb|Hc|CAM|hh)[- ]?R?[0-9]{0,8}") {
        if let Ok(id) = s.parse::<RuleId>() {
            proptest::prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }
}
