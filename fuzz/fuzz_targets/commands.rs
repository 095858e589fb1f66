//! Lines typed at a table of any of the games, with dice of one value: nothing panics, what is refused changes
//! nothing, and what was played is written down and read back the same.
#![no_main]

use game::record::Record;
use game::{Actor, Answer, AnyGame, Kind, Seat};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static HOTT: Kind<hott::battle::Battle> = Kind::new();
static HEROES: Kind<heroes::contract::Heroes> = Kind::new();
static HORDE: Kind<horde::encounter::Encounter> = Kind::new();

/// A game, its rules, and positions of it in one line each.
type Start = (&'static dyn AnyGame, serde_json::Value, Vec<String>);

fn starts() -> &'static [Start] {
    static STARTS: OnceLock<Vec<Start>> = OnceLock::new();
    STARTS.get_or_init(|| {
        let mut all: Vec<Start> = Vec::new();
        let games: [&'static dyn AnyGame; 2] = [&HOTT, &HEROES];
        let records = [
            include_str!("../../fixtures/hott-elves-orcs.jsonl"),
            include_str!("../../fixtures/heroes-assyrian-british.jsonl"),
        ];
        for (game, text) in games.into_iter().zip(records) {
            let Ok(record) = Record::parse(text) else { continue };
            let Ok(table) = game.replay(&record) else { continue };
            let last = record.lines.len() as u32;
            let notations = (0..last).step_by(7).map(|n| table.notation_at(n)).collect();
            all.push((game, record.header.rules.clone(), notations));
        }
        let rules = horde::encounter::plain_rules();
        let file = include_str!("../../data/horde/encounters/bridge.toml");
        if let Ok((encounter, _)) = horde::Encounter::from_file("bridge.toml", file, &rules) {
            use game::Game;
            let notation = encounter.notation(&encounter.start());
            all.push((&HORDE, encounter.rules(), vec![notation]));
        }
        all
    })
}

fuzz_target!(|data: &[u8]| {
    let [which, at, die, rest @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let starts = starts();
    let (game, rules, notations) = &starts[usize::from(*which) % starts.len()];
    let notation = &notations[usize::from(*at) % notations.len()];
    let Ok(mut table) = game.open_notation(rules, notation) else { panic!("does not open: {notation}") };
    let mut dice = dice::Fixed(u16::from(*die) % 6 + 1);
    for line in text.lines().take(12) {
        let (by, line) = match line.strip_prefix('!') {
            Some(rest) => (Actor::Umpire, rest),
            None => (table.first_to_act().map_or(Actor::Seat(Seat(0)), Actor::Seat), line),
        };
        let before = table.notation();
        match table.command(by, line, &mut dice) {
            Answer::Done { .. } => {
                let now = table.notation();
                let again = game.open_notation(rules, &now);
                assert!(again.is_ok_and(|t| t.notation() == now), "{now}");
            }
            _ => assert_eq!(before, table.notation(), "a refusal left a trace: {line}"),
        }
        let _ = table.ask(line);
    }
});
