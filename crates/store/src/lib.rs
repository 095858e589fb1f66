//! Games kept for good: append-only records in one file of SQLite.
//!
//! A line is acknowledged only when it is durable ([`Store::append`] returns after the commit, with full
//! synchronisation). All appends that wait are committed in one transaction. An append names the version it expects:
//! two tabs cannot both move. The store knows nothing of any game; it keeps text.

mod links;
mod writer;

pub use links::{Link, token_hash};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Row, SqlitePool};
use std::path::Path;
use std::time::Duration;
use writer::{Write, Writer};

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The game has moved on since: this is its version now.
    #[error("the game has moved on: it is at version {version} now")]
    Conflict {
        /// The version now.
        version: u64,
    },
    /// There is no such game.
    #[error("there is no such game")]
    NoGame,
    /// A game of this id exists already.
    #[error("there is a game of this name already")]
    Exists,
    /// The database failed.
    #[error("the store failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The database is of a newer release.
    #[error("the store cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The store is closing.
    #[error("the store is closed")]
    Closed,
}

/// A game to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGame {
    /// Its id, chosen by the caller: long and random.
    pub id: String,
    /// Which game it is: `hott`.
    pub kind: String,
    /// The record's first line.
    pub header: String,
    /// The key of its dice, while it is secret.
    pub key: Option<String>,
    /// Whatever the server keeps beside it, as JSON.
    pub about: String,
    /// When, in seconds since 1970.
    pub now: i64,
}

/// A game as kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Its id.
    pub id: String,
    /// Which game it is.
    pub kind: String,
    /// The record's first line.
    pub header: String,
    /// The key of its dice.
    pub key: Option<String>,
    /// What the server keeps beside it.
    pub about: String,
    /// How many lines its record has.
    pub version: u64,
    /// Whether it is over.
    pub over: bool,
    /// When it was made, in seconds since 1970.
    pub created: i64,
    /// When it was last added to.
    pub touched: i64,
}

/// The store. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Store {
    pool: SqlitePool,
    writer: Writer,
}

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

impl Store {
    /// Opens the file, makes it if it is not there, and brings it up to date.
    ///
    /// # Errors
    /// A file that cannot be opened, or is of a newer release.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5))
            .foreign_keys(true);
        let write = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        MIGRATIONS.run(&write).await?;
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options).await?;
        Ok(Store { pool, writer: Writer::start(write) })
    }

    /// Keeps a new game.
    ///
    /// # Errors
    /// If there is one of this id.
    pub async fn create(&self, game: NewGame) -> Result<(), StoreError> {
        self.writer.write(Write::Create(game)).await.map(|_| ())
    }

    /// Adds lines to a game's record if it is at the version expected; returns the version after.
    /// When this returns the lines are on disk.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] with the version it is at.
    pub async fn append(
        &self,
        game: &str,
        expected: u64,
        lines: Vec<String>,
        over: bool,
        now: i64,
    ) -> Result<u64, StoreError> {
        self.append_with(game, expected, lines, over, None, now).await
    }

    /// As [`Store::append`], and sets what is kept beside the game in the same act: after a crash both are there or
    /// neither is.
    ///
    /// # Errors
    /// As there.
    pub async fn append_with(
        &self,
        game: &str,
        expected: u64,
        lines: Vec<String>,
        over: bool,
        about: Option<String>,
        now: i64,
    ) -> Result<u64, StoreError> {
        self.writer.write(Write::Append { game: game.to_owned(), expected, lines, over, about, now }).await
    }

    /// A game without its lines.
    ///
    /// # Errors
    /// [`StoreError::NoGame`].
    pub async fn game(&self, id: &str) -> Result<Game, StoreError> {
        let row = sqlx::query(
            "SELECT id, kind, header, key, about, version, over, created, touched FROM game WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(game_of).transpose()?.ok_or(StoreError::NoGame)
    }

    /// The lines of a game's record after line `after`, in order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn lines(&self, id: &str, after: u64) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT body FROM line WHERE game = $1 AND n > $2 ORDER BY n")
            .bind(id)
            .bind(i64::try_from(after).unwrap_or(i64::MAX))
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| row.try_get(0).map_err(StoreError::from)).collect()
    }

    /// When the lines of a game's record were written, in order, in seconds since 1970.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn times(&self, id: &str) -> Result<Vec<i64>, StoreError> {
        let rows = sqlx::query("SELECT at FROM line WHERE game = $1 ORDER BY n")
            .bind(id)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| row.try_get(0).map_err(StoreError::from)).collect()
    }

    /// The games last touched, latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn latest(&self, most: u32) -> Result<Vec<Game>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, kind, header, key, about, version, over, created, touched FROM game ORDER BY touched DESC, id LIMIT $1",
        )
        .bind(i64::from(most))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(game_of).collect()
    }

    /// Sets what is kept beside a game.
    ///
    /// # Errors
    /// [`StoreError::NoGame`].
    pub async fn set_about(&self, id: &str, about: &str) -> Result<(), StoreError> {
        let write = Write::About { game: id.to_owned(), about: about.to_owned() };
        self.writer.write(write).await.map(|_| ())
    }

    /// Replaces the record's first line, which is possible until there is a second one (seats add their words), and what
    /// is kept beside the game.
    ///
    /// # Errors
    /// [`StoreError::NoGame`] also where play has begun.
    pub async fn set_header(&self, id: &str, header: &str, about: &str) -> Result<(), StoreError> {
        let (game, header, about) = (id.to_owned(), header.to_owned(), about.to_owned());
        self.writer.write(Write::Header { game, header, about }).await.map(|_| ())
    }

    /// How many games are kept.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn count(&self) -> Result<u64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) FROM game").fetch_one(&self.pool).await?;
        Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
    }

    /// Sets a private fact of a role: a draft, a standing reply.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn set_note(&self, game: &str, role: &str, topic: &str, body: &str) -> Result<(), StoreError> {
        let [game, role, topic, body] = [game, role, topic, body].map(str::to_owned);
        self.writer.write(Write::Note { game, role, topic, body }).await.map(|_| ())
    }

    /// A private fact of a role.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn note(&self, game: &str, role: &str, topic: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT body FROM note WHERE game = $1 AND role = $2 AND topic = $3")
            .bind(game)
            .bind(role)
            .bind(topic)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// Adds to the talk of a table; returns its number.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn say(
        &self,
        game: &str,
        role: &str,
        audience: &str,
        body: &str,
        now: i64,
    ) -> Result<u64, StoreError> {
        let [game, role, audience, body] = [game, role, audience, body].map(str::to_owned);
        self.writer.write(Write::Say { game, role, audience, body, now }).await
    }

    /// The talk after number `after`: number, role, audience, words, when.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn talk(
        &self,
        game: &str,
        after: u64,
    ) -> Result<Vec<(u64, String, String, String, i64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT n, role, audience, body, said FROM talk WHERE game = $1 AND n > $2 ORDER BY n",
        )
        .bind(game)
        .bind(i64::try_from(after).unwrap_or(i64::MAX))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|r| {
                let n = u64::try_from(r.try_get::<i64, _>(0)?).unwrap_or(0);
                Ok((n, r.try_get(1)?, r.try_get(2)?, r.try_get(3)?, r.try_get(4)?))
            })
            .collect()
    }

    /// Waits until everything that was handed over is on disk, and closes.
    pub async fn close(&self) {
        self.writer.close().await;
        self.pool.close().await;
    }
}

fn game_of(row: &sqlx::sqlite::SqliteRow) -> Result<Game, StoreError> {
    Ok(Game {
        id: row.try_get(0)?,
        kind: row.try_get(1)?,
        header: row.try_get(2)?,
        key: row.try_get(3)?,
        about: row.try_get(4)?,
        version: u64::try_from(row.try_get::<i64, _>(5)?).unwrap_or(0),
        over: row.try_get::<i64, _>(6)? != 0,
        created: row.try_get(7)?,
        touched: row.try_get(8)?,
    })
}

#[cfg(test)]
mod tests;
