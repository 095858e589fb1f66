//! Files and pasted text of any kind, as people and accidents make them: nothing panics.
#![no_main]

use game::case::Case;
use game::record::Record;
use game::{AnyGame, Game, Kind};
use libfuzzer_sys::fuzz_target;

static HOTT: Kind<hott::battle::Battle> = Kind::new();
static HEROES: Kind<heroes::contract::Heroes> = Kind::new();
static HORDE: Kind<horde::encounter::Encounter> = Kind::new();

fuzz_target!(|data: &[u8]| {
    let [kind, rest @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let games: [&dyn AnyGame; 3] = [&HOTT, &HEROES, &HORDE];
    match kind % 8 {
        0 => {
            if let Ok(record) = Record::parse(text) {
                for game in games.iter().filter(|g| g.name() == record.header.game) {
                    let _ = game.verify(&record);
                }
            }
        }
        1 => {
            if let Ok(case) = Case::parse("case.toml", text) {
                let _ = case.run(&games);
            }
        }
        2 => {
            let _ = hott::army::parse_army("army.toml", text);
        }
        3 => {
            for game in games {
                let _ = game.rules_from(None, Some(("house.toml", text)), &[]);
            }
        }
        4 => {
            let _ = hott::ground::Ground::parse(text);
        }
        5 => {
            let _ = horde::Encounter::from_file("x.toml", text, &horde::encounter::plain_rules());
        }
        6 => {
            for game in games {
                if let Ok(rules) = game.rules_from(None, None, &[]) {
                    let _ = game.open_notation(&rules, text);
                }
            }
        }
        _ => {
            if let Ok(rules) = heroes::contract::Heroes::rules_from(None, None, &[]) {
                let _ = heroes::cli::check_army(&rules, "x.toml", Some(text), None);
            }
        }
    }
});
