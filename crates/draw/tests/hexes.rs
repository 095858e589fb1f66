//! Boards and positions on hexes: every shipped map draws as well-formed SVG, the same bytes each time.
#![allow(clippy::unwrap_used)]

use draw::{Style, Theme, hexes};
use game::Game;
use heroes::contract::Heroes;
use serde_json::json;

#[test]
fn every_kind_of_map_is_drawn_and_well_formed() {
    let rules = Heroes::rules_from(None, None, &[]).unwrap();
    for map in ["random:1", "random:2", "random:7"] {
        let setup = json!({ "map": map, "armies": ["greek", "korean"] });
        let game = Heroes::open(&rules, &setup).unwrap();
        let state = game.start();
        for style in [
            Style::wide(Theme::Light),
            Style::phone(Theme::Dark),
            Style::paper(),
            Style::board(Theme::Light, 300.0),
        ] {
            let svg = hexes::svg(game.table(), Some(&state), "A <battle> & more", style);
            let tree = roxmltree::Document::parse(&svg).unwrap();
            assert_eq!(tree.root_element().tag_name().name(), "svg");
            assert!(!svg.contains("<battle>"));
            assert_eq!(svg, hexes::svg(game.table(), Some(&state), "A <battle> & more", style));
            // A hex and its outline each.
            let hexes = game.table().map.grid.len();
            assert!(svg.matches("<path").count() >= hexes, "{map}");
        }
    }
}
