//! What a binary adds that knows single games: computer players, pictures, a library of armies and maps.

use game::{AnyTable, Problems, Seat};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// What a computer player is asked.
pub struct Asked<'a> {
    /// A possible table, as the seat knows it: hidden facts are guessed, there is neither key nor record.
    /// `as_any` gives the typed `game::Table` to whoever knows the game.
    pub table: &'a dyn AnyTable,
    /// The rules in force.
    pub rules: &'a Value,
    /// The seat to play for.
    pub seat: Seat,
    /// The level, one of [`ComputerPlayer::levels`].
    pub level: &'a str,
    /// For choices among equals.
    pub guess: u64,
    /// How long it may think.
    pub limit: Duration,
}

/// A computer player. It runs on a thread of its own and may take its time up to the limit.
pub trait ComputerPlayer: Send + Sync {
    /// Its levels for a game, the usual one first; empty if it does not play it.
    fn levels(&self, game: &str) -> Vec<String>;
    /// The text of a command. `None`: it knows none, and what stands or the last candidate is taken.
    fn choose(&self, asked: &Asked<'_>) -> Option<String>;
}

/// Draws a position.
pub trait Picture: Send + Sync {
    /// An SVG document of a possible table as a viewer knows it, and of his view; only what the view shows may be drawn.
    fn svg(&self, table: &dyn AnyTable, rules: &Value, view: &Value) -> Option<String>;
}

/// Documents that a lobby offers: armies, maps, scenarios, checks of pasted lists.
pub trait Library: Send + Sync {
    /// Answers `GET /api/library/PATH` (no body) and `POST /api/library/PATH`. `None`: there is no such thing.
    fn ask(&self, path: &str, body: Option<&Value>) -> Option<Result<Value, Problems>>;
}

/// All of them; each may be lacking.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Computer players.
    pub computer: Option<Arc<dyn ComputerPlayer>>,
    /// Pictures.
    pub picture: Option<Arc<dyn Picture>>,
    /// The library.
    pub library: Option<Arc<dyn Library>>,
}
