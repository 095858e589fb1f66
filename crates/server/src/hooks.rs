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
    /// `dark`: for a page whose ground is dark.
    fn svg(&self, table: &dyn AnyTable, rules: &Value, view: &Value, dark: bool) -> Option<String>;
}

/// Documents that a lobby offers: armies, maps, scenarios, checks of pasted lists.
pub trait Library: Send + Sync {
    /// Answers `GET /api/library/PATH` (no body) and `POST /api/library/PATH`. `None`: there is no such thing.
    fn ask(&self, path: &str, body: Option<&Value>) -> Option<Result<Value, Problems>>;
}

/// A page of its own beside the tables, the tracker of Horde combat or a campaign: it is its record, as a game is, and each
/// role has a view that is made for it here.
pub trait Desk: Send + Sync {
    /// What it is called.
    fn title(&self) -> String;
    /// Who has a link to it; whoever runs it comes first.
    fn roles(&self) -> Vec<String>;
    /// It has been closed; its record can still be read.
    fn over(&self) -> bool;
    /// Whoever is waited for, for lists.
    fn waits_for(&self) -> Vec<String> {
        Vec::new()
    }
    /// What a role may know now, and nothing else. The same state gives the same view.
    fn view(&self, role: &str) -> Value;
    /// Does something. After an error nothing has changed.
    ///
    /// # Errors
    /// What does not read or is not allowed.
    fn act(&mut self, role: &str, wish: &Value) -> Result<Value, Problems>;
    /// Answers a question; nothing changes.
    ///
    /// # Errors
    /// What does not read or is not this role's to ask.
    fn ask(&self, role: &str, wish: &Value) -> Result<Value, Problems>;
    /// A file that a role may have: its name, its kind, what is in it.
    fn file(&self, role: &str, name: &str) -> Option<DeskFile>;
    /// Lines of the record that are not handed out yet; the first of a new one is its header.
    fn unwritten(&mut self) -> Vec<String>;
    /// What is kept beside the record: small, and no fact of play.
    fn beside(&self) -> Value;
    /// A battle of it that can be fought at a table, by name.
    ///
    /// # Errors
    /// If there is none, or it is not this role's.
    fn battle(&self, _role: &str, name: &str) -> Result<DeskBattle, Problems> {
        Err(vec![game::Problem::new(format!("no battle is to be fought at {name}"))])
    }
    /// A battle is fought at the table with this id.
    fn opened(&mut self, _name: &str, _id: &str) {}
    /// Battles whose tables are not finished yet: name and id.
    fn awaited(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// The record of such a table, which is over.
    ///
    /// # Errors
    /// If it gives no result.
    fn returned(&mut self, _name: &str, _record: &str) -> Result<(), Problems> {
        Ok(())
    }
}

/// A file for a reader.
pub struct DeskFile {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub kind: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A battle that begins at a table of its own.
pub struct DeskBattle {
    /// The table to be opened.
    pub table: crate::wire::NewTable,
    /// The key of its dice.
    pub key: dice::Key,
    /// Which role of the desk has which seat there.
    pub seats: std::collections::BTreeMap<String, String>,
    /// The table that was opened for it already.
    pub id: Option<String>,
}

/// Makes desks.
pub trait Desks: Send + Sync {
    /// A new one, from what was asked for; `seed` is for its dice. `None`: there is no such kind.
    fn open(&self, kind: &str, wish: &Value, seed: u64) -> Option<Result<Box<dyn Desk>, Problems>>;
    /// One from its record and what was kept beside it.
    fn resume(
        &self,
        kind: &str,
        record: &str,
        beside: &Value,
        seed: u64,
    ) -> Option<Result<Box<dyn Desk>, Problems>>;
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
    /// Pages beside the tables.
    pub desks: Option<Arc<dyn Desks>>,
}
