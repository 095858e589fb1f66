//! Whatever is typed: nothing panics, and what is refused leaves no trace.

use game::{Actor, Game};
use heroes::Heroes;
use heroes::command::VERBS;
use proptest::prelude::*;
use std::sync::OnceLock;

const WORDS: &[&str] = &[
    "A.Leg1", "B.Hor1", "leg2", "h3", "Gen1", "B.Gen2", "with", "n", "se", "road-e", "line", "column",
    "block", "drop", "off", "first", "south", "stakes", "1", "-3", "C4", "A1", "R12", "Z99", "Ä1", ".",
    "with",
];

fn game() -> &'static Heroes {
    static GAME: OnceLock<Heroes> = OnceLock::new();
    GAME.get_or_init(|| Heroes::battle("market-town", "roman", "huns").unwrap())
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(WORDS).prop_map(str::to_owned),
        1 => "[ -~]{0,6}",
        1 => (0_u8..20, 0_u8..14).prop_map(|(c, r)| format!("{}{r}", char::from(b'A' + c))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(
        deploy in any::<bool>(),
        lines in prop::collection::vec((prop::sample::select(VERBS), prop::collection::vec(word(), 0..6)), 1..30),
    ) {
        let game = game();
        let mut state = game.start();
        if deploy {
            for text in ["deploy first", "edge south", "array", "ready", "array", "ready"] {
                let c = game.parse(&state, Actor::Umpire, text).unwrap();
                state = game.play(&state, Actor::Umpire, &c, &mut dice::Fixed(4)).unwrap().0;
            }
        }
        for (verb, rest) in lines {
            let text = format!("{verb} {}", rest.join(" "));
            let Ok(c) = game.parse(&state, Actor::Umpire, &text) else { continue };
            prop_assert_eq!(game.parse(&state, Actor::Umpire, &game.print(&state, &c)), Ok(c));
            if let Ok((next, _)) = game.play(&state, Actor::Umpire, &c, &mut dice::Fixed(4)) {
                state = next;
            }
        }
        let notation = game.notation(&state);
        prop_assert_eq!(Heroes::open_notation(&game.rules(), &notation).unwrap().1, state);
    }

    #[test]
    fn any_position_is_read_or_refused(text in "[ -~]{0,80}") {
        let _ = Heroes::open_notation(&game().rules(), &text);
        let _ = Heroes::open_notation(&game().rules(), &format!("heroes/1 {text}"));
        let _ = game().ask(&game().start(), &text);
    }

    #[test]
    fn any_map_is_read_or_refused(text in "[.wbkrf=lx0-9A-R \nroad:wall]{0,200}") {
        let t = heroes::tables::Tables::shipped();
        if let Ok(map) = heroes::map::Map::parse(&text, &t, "x") {
            prop_assert_eq!(heroes::map::Map::parse(&map.text(&t), &t, "x").unwrap().ground, map.ground);
        }
    }
}
