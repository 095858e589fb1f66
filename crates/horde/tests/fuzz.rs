//! Nothing that anybody types, and no file, makes the engine panic; what is refused changes nothing.

use dice::Scripted;
use game::{Actor, Game, Seat};
use horde::encounter::plain_rules;
use horde::tracker::{Key, Tracker};
use horde::{Encounter, cli};
use proptest::prelude::*;

const BRIDGE: &str = include_str!("../../../data/horde/encounters/bridge.toml");

const WORDS: &[&str] = &[
    "jor",
    "kael",
    "mira",
    "sev",
    "guard",
    "zealots",
    "mob",
    "next",
    "begin",
    "semi",
    "full",
    "standard",
    "swift",
    "lightning",
    "allout",
    "stun",
    "grapple",
    "suppress",
    "shoots",
    "melee",
    "all",
    "boltgun",
    "lasgun",
    "knife",
    "frag_grenade",
    "heavy_flamer",
    "chainsword",
    "aim",
    "roll",
    "dice",
    "hits",
    "dos",
    "damage",
    "3",
    "0",
    "-4",
    "+10",
    "999",
    "-999",
    "101",
    "12",
    "short",
    "pb",
    "long",
    "40m",
    "9999m",
    "dodge",
    "parry",
    "takes",
    "it",
    "#1",
    "#2",
    "#0",
    "wounds",
    "heals",
    "fear",
    "recovers",
    "pinning",
    "cover",
    "squeezes",
    "escapes",
    "engages",
    "leaves",
    "magnitude",
    "original",
    "reinforce",
    "only",
    "split",
    "left",
    "merge",
    "breaks",
    "holds",
    "rallies",
    "skips",
    "test",
    "option",
    "break.when",
    "on_crossing",
    "ruleset",
    "deathwatch",
    "dos.count",
    "dw",
    "set",
    "stunned",
    "wp",
    "status",
    "gone",
    "returns",
    "fighting",
    "gets",
    "add",
    "horde",
    "foe",
    "new",
    "hive_riot",
    "foe_captain",
    "initiative",
    "before",
    "after",
    "surprised",
    "turn",
    "because",
    "\"a b\"",
    "\"A, b=c\"",
    "=",
    "is",
    "to",
    "\"",
    ",",
    "size.table",
    "tens",
    "small_horde",
    "remove",
    "extra.keep",
    "keep_all",
];

fn sentence() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::collection::vec(prop::sample::select(WORDS), 1..9).prop_map(|w| w.join(" ")),
        1 => any::<String>(),
    ]
}

fn bridge() -> Encounter {
    Encounter::from_file("bridge.toml", BRIDGE, &plain_rules()).unwrap().0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn sentences(said in prop::collection::vec((sentence(), 0_u8..6, any::<u16>()), 1..40)) {
        let game = bridge();
        let mut state = game.start();
        for (text, seat, die) in said {
            let by = if seat == 5 { Actor::Umpire } else { Actor::Seat(Seat(seat)) };
            let Ok(command) = game.parse(&state, by, &text) else { continue };
            let printed = game.print(&state, &command);
            let back = game.parse(&state, by, &printed);
            prop_assert_eq!(back.as_ref().ok(), Some(&command), "{} printed as {}: {:?}", text, printed, back);
            let before = state.clone();
            let mut dice = dice::Fixed(die % 100 + 1);
            if let Ok((next, events)) = game.play(&state, by, &command, &mut dice) {
                events.iter().for_each(|e| { game.tell(e); game.facts(e); game.event_json(e); });
                let notation = game.notation(&next);
                let opened = Encounter::open_notation(&game.rules(), &notation);
                prop_assert!(opened.is_ok(), "{:?}\n{}", opened.err(), notation);
                prop_assert_eq!(&opened.unwrap().1, &next, "after {}", printed);
                state = next;
            } else {
                prop_assert_eq!(&before, &state);
            }
            for u in &state.units {
                prop_assert!(u.horde().is_none_or(|h| h.m >= 0 && h.m0 >= 1));
                prop_assert!(u.person().is_none_or(|p| p.wounds >= 0 && p.wounds <= p.max));
            }
        }
    }

    #[test]
    fn keys(keys in prop::collection::vec(prop_oneof![
        6 => Just(Key::Enter), 1 => Just(Key::Tab), 1 => Just(Key::Esc), 1 => Just(Key::Up), 1 => Just(Key::Backspace), 2 => (0_u8..12).prop_map(Key::F),
        2 => prop::sample::select(vec!['g', '-', '4', ' ', '9', '0', 'é', '*', 'j', 'd']).prop_map(Key::Char), 1 => Just(Key::PageUp),
    ], 1..60)) {
        let mut t = Tracker::new(bridge(), 9);
        for k in keys {
            t.key(k);
            t.lines(80, 24);
        }
    }

    #[test]
    fn files(text in prop_oneof![
        any::<String>(),
        (0_usize..BRIDGE.len(), "\\PC{0,12}").prop_map(|(at, junk)| {
            let at = (0..=at).rev().find(|i| BRIDGE.is_char_boundary(*i)).unwrap_or(0);
            format!("{}{junk}{}", &BRIDGE[..at], &BRIDGE[at..])
        }),
        (0_usize..60, prop::sample::select(vec!["0", "-1", "99999999999", "\"x\"", "[]", "true", "{}"])).prop_map(|(n, v)| {
            let mut lines: Vec<String> = BRIDGE.lines().map(str::to_owned).collect();
            let i = n % lines.len();
            if let Some((k, _)) = lines[i].clone().split_once('=') { lines[i] = format!("{k}= {v}"); }
            lines.join("\n")
        }),
    ]) {
        if let Err(p) = cli::check("f.toml", &text, cli::Settings::default()) {
            prop_assert!(p.has_errors() && !p.0.is_empty());
        }
    }

    #[test]
    fn typed_dice_of_any_value(values in prop::collection::vec(any::<u16>(), 0..30)) {
        let game = bridge();
        let state = game.start();
        let c = game.parse(&state, Actor::Umpire, "kael semi legion_boltgun guard").unwrap();
        let _ = game.play(&state, Actor::Umpire, &c, &mut Scripted::new(values));
    }

    #[test]
    fn records_and_notations_of_any_text(text in any::<String>()) {
        let _ = Tracker::resume(&text, 1);
        let _ = Encounter::open_notation(&plain_rules(), &text);
    }
}
