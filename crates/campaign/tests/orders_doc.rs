//! The examples of `docs/campaign/orders.md` are what the program understands, and no text makes reading fail.

use campaign::order::{Known, read};
use campaign::{Campaign, NationId, Rules, State, world::shipped};
use game::Game;
use proptest::prelude::*;

static KNOWN: std::sync::LazyLock<Known> = std::sync::LazyLock::new(make);

fn known() -> &'static Known {
    &KNOWN
}

fn make() -> Known {
    let rules = Rules::shipped();
    let world = shipped("proving").unwrap();
    let c = Campaign::new(world, None, rules, false);
    let mut state: State = c.start();
    let amber = NationId::new("Amber").unwrap();
    // A sneaker and a captive, so that every kind of order has somebody to give it.
    let position = c.position(&state);
    let mut doc = position;
    doc["captives"] =
        serde_json::json!([{ "element": "Her9", "nation": "Basalt", "held_by": "Amber", "at": "Ambry" }]);
    doc["bodies"]["Amber.1"]["elements"].as_array_mut().unwrap().push("Snk1".into());
    state = Campaign::open_position(&c.rules(), &doc).unwrap().1;
    Known::of(c.world(), c.rules_in_force(), &state, amber)
}

/// In the document: an order, an arrow, and what it is read as.
#[test]
fn the_documents_examples_are_true() {
    let text = include_str!("../../../docs/campaign/orders.md");
    let known = known();
    let (mut seen, mut failed) = (0, Vec::new());
    let mut inside = false;
    for (n, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line.trim() == "```orders";
            continue;
        }
        let Some((order, expected)) = line.split_once("=>").filter(|_| inside) else { continue };
        seen += 1;
        let reading = read(known, order.trim());
        let mut got: Vec<String> =
            reading.lines.iter().flat_map(|l| &l.items).map(ToString::to_string).collect();
        got.extend(reading.problems.iter().map(|p| format!("error: {}", p.message)));
        let got = got.join(" / ");
        if got != expected.trim() {
            failed.push(format!(
                "line {}: {}\n  expected {}\n  got      {got}",
                n + 1,
                order.trim(),
                expected.trim()
            ));
        }
    }
    assert!(seen >= 60, "only {seen} examples");
    assert!(failed.is_empty(), "{} of {seen}:\n{}", failed.len(), failed.join("\n"));
}

/// What the echo says can be sent in again and means the same.
#[test]
fn the_echo_reads_back() {
    let text = include_str!("../../../docs/campaign/orders.md");
    let known = known();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line.trim() == "```orders";
            continue;
        }
        let Some((order, _)) = line.split_once("=>").filter(|_| inside) else { continue };
        for item in read(known, order.trim()).lines.iter().flat_map(|l| &l.items) {
            let echo = item.to_string();
            let again = read(known, &echo);
            let back: Vec<String> =
                again.lines.iter().flat_map(|l| &l.items).map(ToString::to_string).collect();
            let named = echo.starts_with("the general with");
            assert!(named || back.join(" / ") == echo, "{echo}\n  reads back as {}", back.join(" / "));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_text_makes_reading_fail(text in "\\PC{0,120}") {
        let _ = read(known(), &text);
    }

    #[test]
    fn words_in_any_order_lose_no_line(words in prop::collection::vec(prop::sample::select(vec![
        "A1", ":", "move", "to", "Ashford", "if", "invaded", "by", "two", "else", "and", "not", "(", ")", ";", "invade",
        "Brack", "via", "sea", "abort", "above", "4", "AP", "Kni1", "offer", "alliance", "Basalt", "retreat", ",", "raise",
    ]), 1..25)) {
        let text = words.join(" ");
        let reading = read(known(), &text);
        // Every line is either understood or told as a problem; one that ends with a colon is a heading.
        prop_assert!(reading.lines.len() + reading.problems.len() == 1 || text.ends_with(':'), "{text:?}: {reading:?}");
    }
}
