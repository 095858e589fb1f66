//! Games between computer players: one with its record, one without, many on all cores.

use crate::{Player, Sight};
use dice::{Dice, Key, Seeded};
use game::{Actor, Debt, Game, Outcome, Owed, Seat, Stop, Table, Viewer};
use rayon::prelude::*;
use std::fmt;

/// A game that could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Commands carried out before.
    pub commands: u32,
    /// What went wrong: a command refused, nobody owes anything, no end in sight.
    pub why: String,
    /// The position, in one line.
    pub position: String,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} commands: {}\n{}", self.commands, self.why, self.position)
    }
}

impl std::error::Error for Stuck {}

/// A game played to its end without a record.
#[derive(Clone, Debug)]
pub struct Played<S> {
    /// The last state.
    pub state: S,
    /// How it ended.
    pub outcome: Outcome,
    /// Commands carried out.
    pub commands: u32,
}

/// A guard against games without end: more commands than any game of the family needs.
const MOST_COMMANDS: u32 = 100_000;

/// What hidden facts a player guesses: always the same from the same view.
const GUESS: u64 = 0;

/// The key with which the dice of a computer's game are thrown.
#[must_use]
pub fn game_key<G: Game>(key: &Key) -> Key {
    key.with_words(G::NAME, &[])
}

/// Plays a game to its end, with its record. Players are by seat; a seat beyond the last is played by the last.
///
/// # Errors
/// Where it could not go on: a command of a player was refused.
pub fn fight<G: Game>(game: G, players: &mut [Box<dyn Player<G>>], key: &Key) -> Result<Table<G>, Stuck> {
    let mut table = Table::new(game, Some(key.commitment()), Vec::new());
    fight_on(&mut table, players, &mut Seeded::new(game_key::<G>(key)))?;
    table.end(Some(key));
    Ok(table)
}

/// Plays a game under way to its end; the record is left open.
///
/// # Errors
/// As [`fight`].
pub fn fight_on<G: Game>(
    table: &mut Table<G>,
    players: &mut [Box<dyn Player<G>>],
    dice: &mut dyn Dice,
) -> Result<(), Stuck> {
    let mut commands = 0;
    while table.outcome().is_none() {
        let debts = table.owes();
        let (seat, command) = choose(table.game(), table.state(), &debts, players, commands)?;
        if let Err(stop) = table.command(Actor::Seat(seat), &command, dice) {
            return Err(refused(table.game(), table.state(), &command, &stop, commands));
        }
        commands += 1;
    }
    Ok(())
}

/// Plays a game to its end without a record: what studies and benches count.
///
/// # Errors
/// As [`fight`].
pub fn skim<G: Game>(
    game: &G,
    players: &mut [Box<dyn Player<G>>],
    key: &Key,
) -> Result<Played<G::State>, Stuck> {
    let mut dice = Seeded::new(game_key::<G>(key));
    let mut state = game.start();
    let (mut debts, mut events) = (Vec::new(), Vec::new());
    let mut commands = 0;
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return Ok(Played { state, outcome, commands });
        }
        debts.clear();
        game.owes(&state, &mut debts);
        let (seat, command) = choose(game, &state, &debts, players, commands)?;
        events.clear();
        // What is refused ends the game here, so no copy is kept for it.
        if let Err(stop) = game.apply(&mut state, Actor::Seat(seat), &command, &mut dice, &mut events) {
            return Err(refused(game, &state, &command, &stop, commands));
        }
        commands += 1;
    }
}

/// Asks the first that owes anything.
fn choose<G: Game>(
    game: &G,
    state: &G::State,
    debts: &[Debt<G::Command>],
    players: &mut [Box<dyn Player<G>>],
    commands: u32,
) -> Result<(Seat, G::Command), Stuck> {
    let stuck = |why: &str| Stuck { commands, why: why.to_owned(), position: game.notation(state) };
    if commands >= MOST_COMMANDS {
        return Err(stuck("no end in sight"));
    }
    let Some(Debt { seat, what }) = debts.first() else {
        return Err(stuck("nobody owes anything and the game is not over"));
    };
    if let Owed::Choice { answers, .. } = what
        && let [only] = answers.as_slice()
    {
        return Ok((*seat, only.clone()));
    }
    let last = players.len().saturating_sub(1);
    let Some(player) = players.get_mut(usize::from(seat.0).min(last)) else {
        return Err(stuck("there are no players"));
    };
    let (seen, possible) = game.seen_by(state, Viewer::Seat(*seat), GUESS);
    let command = player.command(Sight { game: &seen, state: &possible, seat: *seat, owed: what });
    match game.taken_over(state, Actor::Seat(*seat), (&seen, &possible), command) {
        Ok(command) => Ok((*seat, command)),
        Err(problem) => Err(stuck(&format!("a command that means nothing here: {problem}"))),
    }
}

fn refused<G: Game>(
    game: &G,
    state: &G::State,
    command: &G::Command,
    stop: &Stop<G::Refusal>,
    commands: u32,
) -> Stuck {
    let text = game.print(state, command);
    Stuck { commands, why: format!("{text:?} is not accepted: {stop}"), position: game.notation(state) }
}

/// Runs `one` for each number below `count` on all cores; the results stand in order and do not depend on how many
/// there are.
pub fn series<T: Send>(count: u64, one: impl Fn(u64) -> T + Send + Sync) -> Vec<T> {
    (0..count).into_par_iter().map(one).collect()
}
