//! What a computer player is, and the plainest one.

use crate::Choose;
use game::{Game, Owed, Seat};

/// What a player is shown when it owes something: never the true state, but one that looks the same to its seat.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a, G: Game> {
    /// The game as the seat knows it.
    pub game: &'a G,
    /// A state that looks to the seat as the true one does.
    pub state: &'a G::State,
    /// Whose turn it is.
    pub seat: Seat,
    /// What is owed.
    pub owed: &'a Owed<G::Command>,
}

/// A computer player. Its choice depends on what it is shown and on its own seed, on nothing else: not on what it
/// chose before, so that a game goes on the same from any position of it.
pub trait Player<G: Game>: Send {
    /// Its name, as `--commander` takes it.
    fn name(&self) -> &'static str;

    /// A command that is legal in the state shown.
    fn command(&mut self, sight: Sight<'_, G>) -> G::Command;
}

/// Plays any candidate, each as likely as any other.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    seed: u64,
}

impl Random {
    /// With a seed of its own.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random { seed }
    }
}

impl<G: Game> Player<G> for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn command(&mut self, sight: Sight<'_, G>) -> G::Command {
        let mut all = Vec::new();
        sight.game.candidates(sight.state, sight.seat, &mut all);
        // The occasion is the position itself: no count is kept, so that play can be taken up anywhere.
        let digest = sight.game.digest(sight.state).to_string();
        let at = digest.bytes().take(16).fold(self.seed, |n, b| n.rotate_left(7) ^ u64::from(b));
        let pick = Choose::of(&[self.seed, at]).below(all.len());
        match (all.get(pick), sight.owed) {
            (Some(command), _) => command.clone(),
            (None, Owed::Choice { stands, .. }) => stands.clone(),
            // INVARIANT (`Game::candidates`): a seat that owes an act has a candidate; `game::conform` says so.
            (None, _) => unreachable!("a seat that owes something has a candidate"),
        }
    }
}
