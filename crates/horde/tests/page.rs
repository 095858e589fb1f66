//! The tracker for a page: lines in the place of keys, what it shows, odds before anything is done.

#[allow(dead_code, reason = "of what the tests share these use a part")]
mod common;

use common::bridge;
use horde::tracker::{Key, Tracker};
use serde_json::Value;

fn begun() -> Tracker {
    let mut t = Tracker::new(bridge(), 3);
    if t.master_page()["round"] == 0 {
        assert!(t.line("begin"), "{}", t.told());
    }
    t
}

fn of<'a>(page: &'a Value, label: &str) -> &'a Value {
    page["units"].as_array().unwrap().iter().find(|u| u["label"] == label).unwrap()
}

#[test]
fn a_line_does_what_it_does_in_the_terminal_and_a_wrong_one_is_told() {
    let mut t = begun();
    assert!(t.line("guard -4"));
    assert_eq!(of(&t.master_page(), "guard")["now"], 31);
    assert!(!t.line("gaurd -4"));
    assert!(t.told().contains("guard"), "{}", t.told());
    assert!(!t.line(&"x".repeat(500)) && t.told().contains("400"));
    assert_eq!(of(&t.master_page(), "guard")["now"], 31);
    t.key(Key::F(7));
    let page = t.master_page();
    assert_eq!(of(&page, "guard")["now"], 35);
    let log = page["log"].as_array().unwrap();
    assert!(log.iter().any(|l| l["do"] == "guard -4" && l["gone"] == true), "{log:?}");
    // What a page shows is the same record as the terminal's.
    let again = Tracker::resume(&t.record(), 3).unwrap();
    assert_eq!(again.master_page()["units"], page["units"]);
}

#[test]
fn typed_dice_are_asked_for_with_what_they_must_show() {
    let mut t = begun();
    t.set_rolled(false);
    assert!(t.line("jor semi boltgun guard short"));
    let asking = t.master_page()["asking"].clone();
    assert_eq!(asking["sides"], 100);
    assert!(asking["number"].as_str().unwrap().ends_with("or less"), "{asking}");
    // A number that the die cannot show loses nothing.
    t.line("300");
    assert!(t.told().contains("cannot show") && !t.master_page()["asking"].is_null());
    t.key(Key::Esc);
    assert!(t.master_page()["asking"].is_null());
    assert!(t.line("jor semi boltgun guard short") && t.line("12"));
    assert!(t.line("*"));
    assert!(t.master_page()["asking"].is_null());
    assert!(of(&t.master_page(), "guard")["now"].as_i64() < Some(35));
}

#[test]
fn weighing_tells_the_odds_and_does_nothing() {
    let t = begun();
    let before = t.record();
    let weighed = t.weigh("jor semi boltgun guard short").unwrap();
    let odds = &weighed["odds"][0];
    assert_eq!(odds["at"], "guard");
    let dist = odds["dist"]["lost"].as_array().unwrap();
    let all: f64 = dist.iter().map(|d| d[1].as_f64().unwrap()).sum();
    let mean: f64 = dist.iter().map(|d| d[0].as_f64().unwrap() * d[1].as_f64().unwrap()).sum();
    assert!(
        (all - 1.0).abs() < 1e-4 && (mean - odds["means"]["lost"].as_f64().unwrap()).abs() < 1e-3,
        "{odds}"
    );
    assert!(odds["needs"].as_f64().unwrap() > 0.0);
    // The usual thing, what has no odds, what does not read.
    assert!(t.weigh("").unwrap()["do"].is_string());
    assert!(t.weigh("guard -4").unwrap()["odds"].is_null());
    assert!(t.weigh("jor semi boltgun nobody").is_err());
    assert_eq!(t.record(), before);
}

#[test]
fn the_players_page_holds_no_figure_of_a_foe() {
    let mut t = begun();
    for line in ["guard -9", "guard magnitude 30 because of the smoke", "jor 3 wounds", "next"] {
        assert!(t.line(line), "{line}: {}", t.told());
        let page = t.players_page();
        let text = page.to_string();
        for secret in ["magnitude", "Magnitude", "smoke", "figures", "usual", "marks"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        assert_eq!(page["foes"].as_array().unwrap().len(), 3);
        assert_eq!(page["heretics"].as_array().unwrap().len(), 4);
    }
}
