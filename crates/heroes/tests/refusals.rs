//! Every refusal has a suggestion, and what it suggests is lawful.

use dice::{Fixed, Key, Seeded};
use game::{Actor, Game, Stop};
use heroes::Heroes;
use heroes::commander::{Player, Style};
use heroes::contract::{seat_of, side_of};
use heroes::owed;
use heroes::table::Side;

/// Commands of all moments of a battle, tried at other moments: most are refused, each for another reason.
#[test]
fn every_refusal_says_what_is_allowed_instead() {
    let mut refusals = 0;
    let mut rules = std::collections::BTreeSet::new();
    for (n, armies) in
        [["english", "persian"], ["burgundian", "hungarian"], ["huns", "british"]].iter().enumerate()
    {
        let game = Heroes::battle("two-bridges", armies[0], armies[1]).unwrap();
        let t = game.table();
        let mut dice = Seeded::new(Key::from_seed(n as u64));
        let mut players = [Player::new(Style::Random, 3), Player::new(Style::General, 4)];
        let mut s = game.start();
        let (mut states, mut commands) = (Vec::new(), Vec::new());
        while game.outcome(&s).is_none() && states.len() < 400 {
            let side = owed::owner(t, &s).unwrap();
            let c = players[side.ix()].choose(t, &s).unwrap();
            states.push(s);
            commands.push((side, c));
            let mut events = Vec::new();
            game.apply(&mut s, Actor::Seat(seat_of(side)), &c, &mut dice, &mut events).unwrap();
        }
        for (k, state) in states.iter().enumerate().step_by(23) {
            for (m, &(side, c)) in commands.iter().enumerate().skip(k % 7).step_by(11) {
                let by = Actor::Seat(seat_of(if m % 5 == 0 {
                    side
                } else {
                    owed::owner(t, state).unwrap_or(Side::A)
                }));
                let mut copy = *state;
                let Err(Stop::Refused(e)) = game.apply(&mut copy, by, &c, &mut Fixed(3), &mut Vec::new())
                else {
                    continue;
                };
                refusals += 1;
                rules.insert(e.what.rule.to_string());
                let text = e.to_string();
                let told =
                    ["; allowed is ", "; what is left here is ", " is next, with ", "; it can go as far as "];
                assert!(told.iter().any(|x| text.contains(x)), "{}: {text}", c.text(t));
                // what stands in `…` can be given as it is
                if let Some((_, rest)) = text.split_once("; allowed is `") {
                    let words = rest.split('`').next().unwrap();
                    let seat = seat_of(owed::owner(t, state).unwrap());
                    let command = game
                        .parse(state, Actor::Seat(seat), words)
                        .unwrap_or_else(|e| panic!("{words}: {e}"));
                    let mut copy = *state;
                    let done =
                        game.apply(&mut copy, Actor::Seat(seat), &command, &mut Fixed(3), &mut Vec::new());
                    assert!(done.is_ok(), "{text}: {done:?}");
                    assert!(side_of(seat).is_some());
                }
            }
        }
    }
    assert!(refusals > 200 && rules.len() >= 8, "{refusals} refusals by {rules:?}");
}
