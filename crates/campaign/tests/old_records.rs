//! Old records open for ever: campaigns begun before the stricter readings (`campaign.limits.strict`) go on as they did.

use campaign::Campaign;
use dice::{Key, Seeded};
use game::record::Record;
use game::{Actor, Play, Table, verify};

/// Four nations round a lake and nine of the Orrery: orders by hand, many of them misspelt or quoted, and by the computer.
const FIXTURES: [(&str, &str); 2] = [
    ("evening", include_str!("../../../fixtures/campaign-evening.jsonl")),
    ("orrery", include_str!("../../../fixtures/campaign-orrery.jsonl")),
];

#[test]
fn campaigns_begun_before_verify_and_go_on() {
    for (name, text) in FIXTURES {
        let record = Record::parse(text).unwrap();
        assert_eq!(record.header.revision, 1, "{name}");
        assert!(record.header.rules["limits"].get("strict").is_none(), "{name}: it is not an old one");
        let verdict = verify::<Campaign>(&record);
        assert!(verdict.unfinished(), "{name}: {verdict:?}");
        let mut table = Table::<Campaign>::opened(&record).unwrap();
        assert!(!table.game().rules_in_force().strict(), "{name}");
        let told = table.state().told.clone();
        table.command_text(Actor::Umpire, "adjudicate", &mut Seeded::new(Key::from_seed(1))).unwrap();
        assert!(table.state().told != told || !table.state().turn.battles.is_empty(), "{name}: no season");
        assert!(verify::<Campaign>(table.record()).play == Play::Follows, "{name}: it parts afterwards");
    }
}

#[test]
fn the_fixtures_tell_the_readings_apart() {
    for (name, text) in FIXTURES {
        let mut record = Record::parse(text).unwrap();
        record.header.rules["limits"]["strict"] = 1.into();
        let verdict = verify::<Campaign>(&record);
        assert!(matches!(verdict.play, Play::PartsAt(_)), "{name}: {verdict:?}");
    }
}
