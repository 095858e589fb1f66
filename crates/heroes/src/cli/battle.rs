//! `muster battle --rules heroes`: computer against computer, told bound by bound and recorded.

use super::Said;
use crate::commander::{Player, Style};
use crate::contract::Heroes;
use crate::deploy;
use crate::owed;
use crate::state::{Phase, State};
use crate::table::{Side, Table};
use dice::{Key, Seeded};
use game::{Actor, Game, Problem, Problems, Seat};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How a battle of computers is to be fought.
#[derive(Clone, Debug)]
pub struct BattleSpec {
    /// Map: a name, `random:SEED`, or a board as a set-up has it; nothing: a random one by the seed.
    pub map: Value,
    /// Armies: names of lists, or lists as JSON.
    pub armies: [Value; 2],
    /// Players by name: `general`, `random`, `advance`, `shy`, `stubborn`.
    pub players: [String; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// Bounds of each side, if not the usual number.
    pub bounds: Option<u16>,
}

impl BattleSpec {
    /// The battle and its players, with a seed.
    fn open(&self, rules: &Value, seed: u64) -> Result<(Heroes, Vec<Player>), Problems> {
        let map = if self.map.is_null() { json!(format!("random:{seed}")) } else { self.map.clone() };
        let mut setup = json!({ "map": map, "armies": self.armies });
        if let Some(n) = self.bounds {
            setup["bounds"] = json!(n);
        }
        let game = Heroes::open(rules, &setup)?;
        let mut players = Vec::new();
        for name in &self.players {
            let known = Style::ALL.map(|s| s.1);
            let Some(style) = Style::read(name) else {
                return Err(vec![Problem::new(format!("no player is called `{name}`")).meant(name, known)]);
            };
            players.push(Player::new(style, seed));
        }
        Ok((game, players))
    }
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
    let (game, mut players) = spec.open(rules, spec.seed)?;
    let key = Key::from_seed(spec.seed);
    let mut dice = Seeded::new(key.with_words(Heroes::NAME, &[]));
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
        no_room(table.game().table(), table.state(), commands)?;
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
        "game": "heroes", "seed": spec.seed, "map": t.map.name, "sides": sides, "bounds": s.bound,
        "bound_limit": t.bound_limit, "commands": commands,
        "candidates_looked_at": players.iter().map(|p| p.looked_at).sum::<u64>(),
        "winner": outcome.as_ref().and_then(|o| o.winners.first()), "winners": outcome.as_ref().map(|o| &o.winners),
        "outcome": outcome.as_ref().map(|o| json!(o)), "digest": table.game().digest(s).to_string(),
    });
    if let Some(o) = &outcome {
        let _ = writeln!(
            text,
            "\n{} ({}), after {} bounds, both sides counted; time is up after {} of each side",
            o.words, o.ending, s.bound, t.bound_limit
        );
    }
    Ok(Fought { said: Said { text, json, good: true }, record: table.record().print() })
}

/// Commands after which armies that are still being set out never will be.
const SET_OUT: u32 = 1_000;

/// HH-039: whether the armies find no room on their edges, which is told with the size of the map.
fn no_room(t: &Table, s: &State, commands: u32) -> Result<(), Problems> {
    if commands < SET_OUT || !matches!(s.phase, Phase::DeployFirst | Phase::DeploySecond) {
        return Ok(());
    }
    let grid = t.map.grid;
    let mut out: Problems = deploy::lacking(t).into_iter().map(Problem::new).collect();
    if out.is_empty() {
        out.push(Problem::new("the armies find no room to deploy"));
    }
    let size = format!(
        "the map {} is {} x {} hexes: a larger one gives them room, or smaller armies",
        t.map.name, grid.width, grid.depth
    );
    if let Some(last) = out.pop() {
        out.push(last.hint(size));
    }
    Err(out)
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

/// `muster battle --rules heroes --battles N --summary`: many battles, seeds from the first on, and how they end. Each is
/// the battle that its seed gives by itself.
///
/// # Errors
/// What of the specification does not read.
pub fn many(rules: &Value, spec: &BattleSpec, battles: u32) -> Result<Said, Problems> {
    let (mut won, mut drawn, mut bounds, mut lost) = ([0_u32; 2], 0_u32, Vec::new(), [0_u32; 2]);
    let mut endings = std::collections::BTreeMap::<String, u32>::new();
    let mut all = Vec::new();
    let mut armies = [String::new(), String::new()];
    for seed in (0..battles).map(|n| spec.seed.wrapping_add(n.into())) {
        let (game, mut players) = spec.open(rules, seed)?;
        let t = game.table();
        armies.clone_from(&t.armies);
        let mut dice = Seeded::new(Key::from_seed(seed).with_words(Heroes::NAME, &[]));
        let mut s = game.start();
        for commands in 0..50_000 {
            no_room(t, &s, commands)?;
            let Some(side) = owed::owner(t, &s) else { break };
            let Some(c) = players[side.ix()].choose(t, &s) else { break };
            if let Err(stop) = crate::play::apply(t, &mut s, Some(side), &c, &mut dice, None) {
                return Err(vec![Problem::new(format!("seed {seed}: `{}`: {stop:?}", c.text(t)))]);
            }
        }
        let Some(outcome) = game.outcome(&s) else {
            return Err(vec![Problem::new(format!("the battle of seed {seed} does not end"))]);
        };
        match outcome.winners.first().map(String::as_str) {
            Some("A") => won[0] += 1,
            Some(_) => won[1] += 1,
            None => drawn += 1,
        }
        *endings.entry(outcome.ending.clone()).or_default() += 1;
        bounds.push(u32::from(s.bound));
        for x in Side::BOTH {
            lost[x.ix()] += u32::from(s.lost_stands(t, x));
        }
        all.push(json!({
            "seed": seed, "map": t.map.name, "winner": outcome.winners.first(), "ending": outcome.ending, "bounds": s.bound,
            "digest": game.digest(&s).to_string(),
        }));
    }
    let n = battles.max(1);
    let tenths = |sum: u32| format!("{}.{}", sum / n, sum % n * 10 / n);
    let mut text = format!(
        "{battles} battles: A ({}) won {}, B ({}) won {}, drawn {drawn}\n",
        armies[0], won[0], armies[1], won[1]
    );
    let how: Vec<String> = endings.iter().map(|(e, n)| format!("{e} {n}")).collect();
    let _ = writeln!(text, "ended: {}", how.join(", "));
    let (least, most) = (bounds.iter().min().unwrap_or(&0), bounds.iter().max().unwrap_or(&0));
    let _ = writeln!(text, "bounds: {} on average, {least} to {most}", tenths(bounds.iter().sum()));
    let _ = writeln!(text, "stands lost on average: A {}, B {}", tenths(lost[0]), tenths(lost[1]));
    let json = json!({
        "game": "heroes", "armies": armies, "won_a": won[0], "won_b": won[1], "drawn": drawn, "endings": endings,
        "battles": all,
    });
    Ok(Said { text, json, good: true })
}
