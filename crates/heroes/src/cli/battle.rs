//! `muster battle --rules heroes`: computer against computer, told bound by bound and recorded.

use super::Said;
use crate::commander::{Player, Style};
use crate::contract::Heroes;
use crate::owed;
use crate::table::Side;
use dice::{Key, Seeded};
use game::{Actor, Game, Problem, Problems, Seat};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How a battle of computers is to be fought.
#[derive(Clone, Debug)]
pub struct BattleSpec {
    /// Map: a name, `random:SEED`, or the text of a map file.
    pub map: String,
    /// Armies: names of lists, or lists as JSON.
    pub armies: [Value; 2],
    /// Players by name: `general`, `random`, `advance`, `shy`, `stubborn`.
    pub players: [String; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// Bounds of each side, if not the usual number.
    pub bounds: Option<u16>,
}

/// What came of a battle.
#[derive(Clone, Debug)]
pub struct Fought {
    /// The account, for people; and the result, for programs.
    pub said: Said,
    /// The record, one JSON object a line.
    pub record: String,
}

/// `muster battle --rules heroes`: computer against computer, told bound by bound and recorded.
///
/// # Errors
/// What of the specification does not read.
pub fn battle(rules: &Value, spec: &BattleSpec) -> Result<Fought, Problems> {
    let mut setup = json!({ "map": spec.map, "armies": spec.armies });
    if let Some(n) = spec.bounds {
        setup["bounds"] = json!(n);
    }
    let game = Heroes::open(rules, &setup)?;
    let mut styles = Vec::new();
    for name in &spec.players {
        match Style::read(name) {
            Some(s) => styles.push(s),
            None => {
                let known = Style::ALL.map(|s| s.1);
                return Err(vec![Problem::new(format!("no player is called `{name}`")).meant(name, known)]);
            }
        }
    }
    let key = Key::from_seed(spec.seed);
    let mut dice = Seeded::new(key.with_words(Heroes::NAME, &[]));
    let mut players: Vec<Player> = styles.iter().map(|&s| Player::new(s, spec.seed)).collect();
    let mut table = game::Table::new(game, Some(key.commitment()), Vec::new());
    let mut text = String::new();
    let mut commands = 0_u32;
    while table.outcome().is_none() {
        let (t, s) = (table.game().table(), *table.state());
        let Some(side) = owed::owner(t, &s) else { break };
        let Some(c) = players[side.ix()].choose(t, &s) else { break };
        let words = c.text(t);
        match table.command(Actor::Seat(Seat(side as u8)), &c, &mut dice) {
            Ok(played) => {
                for e in &played.events {
                    account(e, &table.game().tell(e), &mut text);
                }
            }
            Err(stop) => {
                return Err(vec![Problem::new(format!(
                    "the player of {} gave `{words}`: {stop}",
                    side.letter()
                ))]);
            }
        }
        commands += 1;
        if commands > 50_000 {
            return Err(vec![Problem::new("the battle does not end")]);
        }
    }
    table.end(Some(&key));
    let outcome = table.outcome();
    let (t, s) = (table.game().table(), table.state());
    let sides: Vec<Value> = Side::BOTH
        .iter()
        .map(|&x| {
            json!({
                "side": x.letter().to_string(), "army": t.armies[x.ix()], "player": spec.players[x.ix()],
                "stands": t.stands[x.ix()], "lost_stands": s.lost_stands(t, x),
                "lost_half_points": s.lost_points2(t, x),
            })
        })
        .collect();
    let json = json!({
        "game": "heroes", "seed": spec.seed, "map": t.map.name, "sides": sides, "bounds": s.bound, "commands": commands,
        "candidates_looked_at": players.iter().map(|p| p.looked_at).sum::<u64>(),
        "winner": outcome.as_ref().and_then(|o| o.winners.first()), "winners": outcome.as_ref().map(|o| &o.winners),
        "outcome": outcome.as_ref().map(|o| json!(o)), "digest": table.game().digest(s).to_string(),
    });
    if let Some(o) = &outcome {
        let _ = writeln!(text, "\n{} ({}), after {} bounds", o.words, o.ending, s.bound);
    }
    Ok(Fought { said: Said { text, json, good: true }, record: table.record().print() })
}

/// One event in an account: phases are left out, bounds begin a paragraph.
fn account(e: &crate::event::Event, words: &str, out: &mut String) {
    use crate::event::Event;
    match e {
        Event::Phase(_)
        | Event::Turned(..)
        | Event::Command(_)
        | Event::Placed(..)
        | Event::Stationed(..) => {}
        Event::Bound(..) => {
            let _ = writeln!(out, "\n== {words} ==");
        }
        _ => {
            let _ = writeln!(out, "{words}");
        }
    }
}
