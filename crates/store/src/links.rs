//! Secret links: a token opens a role in a game. Only its hash is kept, so that a stolen store opens nothing.

use crate::writer::Write;
use crate::{Store, StoreError};
use sqlx::Row;

/// What a token opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The game.
    pub game: String,
    /// The role: a seat's name, `host`, `spectator`.
    pub role: String,
}

/// The hash under which a token is kept.
#[must_use]
pub fn token_hash(token: &str) -> String {
    blake3::derive_key("muster 2026 link token", token.as_bytes())
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

impl Store {
    /// Keeps a link's token (its hash).
    ///
    /// # Errors
    /// If there is no such game, or the database fails.
    pub async fn add_link(&self, token: &str, game: &str, role: &str, now: i64) -> Result<(), StoreError> {
        let (hash, game, role) = (token_hash(token), game.to_owned(), role.to_owned());
        self.writer.write(Write::Link { hash, game, role, now }).await.map(|_| ())
    }

    /// What a token opens; nothing for a wrong, foreign or ended one.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_link(&self, token: &str) -> Result<Option<Link>, StoreError> {
        let row = sqlx::query("SELECT game, role FROM link WHERE hash = $1 AND ended IS NULL")
            .bind(token_hash(token))
            .fetch_optional(&self.pool)
            .await?;
        match row {
            None => Ok(None),
            Some(row) => Ok(Some(Link { game: row.try_get(0)?, role: row.try_get(1)? })),
        }
    }

    /// Ends every link to a role of a game: it is passed on, or taken back.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn end_links(&self, game: &str, role: &str, now: i64) -> Result<u64, StoreError> {
        self.writer.write(Write::EndLinks { game: game.to_owned(), role: role.to_owned(), now }).await
    }
}
