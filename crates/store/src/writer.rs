//! One task writes. It takes everything that waits and commits it together: a hundred games that move at once cost one
//! sync of the disk, and each is acknowledged only after it. Nothing else writes, so that nobody waits for a lock.

use crate::{NewGame, StoreError};
use sqlx::{Row, Sqlite, SqlitePool, Transaction};
use tokio::sync::{mpsc, oneshot};

/// At most so many writes in one transaction, so that nobody waits long for others.
const TOGETHER: usize = 256;

/// One thing to be written: all of it or nothing.
#[derive(Debug)]
pub(crate) enum Write {
    Create(NewGame),
    Append {
        game: String,
        expected: u64,
        lines: Vec<String>,
        over: bool,
        about: Option<String>,
        now: i64,
    },
    About {
        game: String,
        about: String,
    },
    /// As long as there is no line.
    Header {
        game: String,
        header: String,
        about: String,
    },
    Note {
        game: String,
        role: String,
        topic: String,
        body: String,
    },
    Say {
        game: String,
        role: String,
        audience: String,
        body: String,
        now: i64,
    },
    Link {
        hash: String,
        game: String,
        role: String,
        now: i64,
    },
    EndLinks {
        game: String,
        role: String,
        now: i64,
    },
}

type Answer = oneshot::Sender<Result<u64, StoreError>>;

enum Job {
    Write(Write, Answer),
    Close(oneshot::Sender<()>),
}

/// The way to the writing task.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    pub(crate) fn start(pool: SqlitePool) -> Self {
        let (jobs, waiting) = mpsc::channel(4096);
        tokio::spawn(work(pool, waiting));
        Self { jobs }
    }

    /// Ready when it is on disk, with the number that the write is about: a version, a number, a count.
    pub(crate) async fn write(&self, write: Write) -> Result<u64, StoreError> {
        let (answer, done) = oneshot::channel();
        self.jobs.send(Job::Write(write, answer)).await.map_err(|_| StoreError::Closed)?;
        done.await.map_err(|_| StoreError::Closed)?
    }

    pub(crate) async fn close(&self) {
        let (answer, done) = oneshot::channel();
        if self.jobs.send(Job::Close(answer)).await.is_ok() {
            // The task answers once all before it is written; if it is gone there is nothing to wait for.
            let _ = done.await;
        }
    }
}

async fn work(pool: SqlitePool, mut waiting: mpsc::Receiver<Job>) {
    let mut jobs = Vec::new();
    while waiting.recv_many(&mut jobs, TOGETHER).await > 0 {
        let mut closing = Vec::new();
        let mut writes: Vec<(Write, Answer)> = Vec::new();
        for job in jobs.drain(..) {
            match job {
                Job::Write(write, answer) => writes.push((write, answer)),
                Job::Close(answer) => closing.push(answer),
            }
        }
        // Only what is committed is acknowledged. Whoever no longer waits for his answer reads it from the record.
        match together(&pool, &writes).await {
            Ok(results) => {
                for ((_, answer), result) in writes.into_iter().zip(results) {
                    _ = answer.send(result);
                }
            }
            // One that fails must not take the others with it, nor stay half done: each by itself.
            Err(_) => {
                for (write, answer) in writes {
                    let alone = together(&pool, std::slice::from_ref(&(write, ()))).await;
                    let first = alone.and_then(|mut all| all.pop().unwrap_or(Err(StoreError::Closed)));
                    _ = answer.send(first);
                }
            }
        }
        if !closing.is_empty() {
            pool.close().await;
            closing.into_iter().for_each(|answer| _ = answer.send(()));
            return;
        }
    }
}

/// All of them in one transaction: their results once it is committed. An error of the database undoes all of it; what
/// is wrong with a write itself (a version that has passed) is its own result.
async fn together<T>(
    pool: &SqlitePool,
    writes: &[(Write, T)],
) -> Result<Vec<Result<u64, StoreError>>, StoreError> {
    let mut tx = pool.begin().await?;
    let mut results = Vec::with_capacity(writes.len());
    for (write, _) in writes {
        match one(&mut tx, write).await {
            Err(StoreError::Database(error)) => {
                tx.rollback().await?;
                return Err(StoreError::Database(error));
            }
            result => results.push(result),
        }
    }
    tx.commit().await?;
    Ok(results)
}

async fn one(tx: &mut Transaction<'_, Sqlite>, write: &Write) -> Result<u64, StoreError> {
    let there = |rows: u64| if rows == 1 { Ok(0) } else { Err(StoreError::NoGame) };
    match write {
        Write::Create(game) => create(tx, game).await,
        Write::Append { game, expected, lines, over, about, now } => {
            let version = append(tx, game, *expected, lines, *over, *now).await?;
            if let Some(about) = about {
                set_about(tx, game, about).await?;
            }
            Ok(version)
        }
        Write::About { game, about } => there(set_about(tx, game, about).await?),
        Write::Header { game, header, about } => {
            let done = sqlx::query("UPDATE game SET header = $2, about = $3 WHERE id = $1 AND version = 0")
                .bind(game)
                .bind(header)
                .bind(about)
                .execute(&mut **tx)
                .await?;
            there(done.rows_affected())
        }
        Write::Note { game, role, topic, body } => {
            sqlx::query(
                "INSERT INTO note (game, role, topic, body) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (game, role, topic) DO UPDATE SET body = excluded.body",
            )
            .bind(game)
            .bind(role)
            .bind(topic)
            .bind(body)
            .execute(&mut **tx)
            .await?;
            Ok(0)
        }
        Write::Say { game, role, audience, body, now } => {
            let row = sqlx::query(
                "INSERT INTO talk (game, n, role, audience, body, said)
                 SELECT $1, COALESCE(MAX(n), 0) + 1, $2, $3, $4, $5 FROM talk WHERE game = $1 RETURNING n",
            )
            .bind(game)
            .bind(role)
            .bind(audience)
            .bind(body)
            .bind(now)
            .fetch_one(&mut **tx)
            .await?;
            Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
        }
        Write::Link { hash, game, role, now } => {
            sqlx::query("INSERT INTO link (hash, game, role, created) VALUES ($1, $2, $3, $4)")
                .bind(hash)
                .bind(game)
                .bind(role)
                .bind(now)
                .execute(&mut **tx)
                .await?;
            Ok(0)
        }
        Write::EndLinks { game, role, now } => {
            let done =
                sqlx::query("UPDATE link SET ended = $3 WHERE game = $1 AND role = $2 AND ended IS NULL")
                    .bind(game)
                    .bind(role)
                    .bind(now)
                    .execute(&mut **tx)
                    .await?;
            Ok(done.rows_affected())
        }
    }
}

async fn set_about(tx: &mut Transaction<'_, Sqlite>, game: &str, about: &str) -> Result<u64, StoreError> {
    let done = sqlx::query("UPDATE game SET about = $2 WHERE id = $1")
        .bind(game)
        .bind(about)
        .execute(&mut **tx)
        .await?;
    Ok(done.rows_affected())
}

async fn create(tx: &mut Transaction<'_, Sqlite>, game: &NewGame) -> Result<u64, StoreError> {
    let done = sqlx::query(
        "INSERT INTO game (id, kind, header, key, about, created, touched) VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (id) DO NOTHING",
    )
    .bind(&game.id)
    .bind(&game.kind)
    .bind(&game.header)
    .bind(&game.key)
    .bind(&game.about)
    .bind(game.now)
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 1 { Ok(0) } else { Err(StoreError::Exists) }
}

async fn append(
    tx: &mut Transaction<'_, Sqlite>,
    game: &str,
    expected: u64,
    lines: &[String],
    over: bool,
    now: i64,
) -> Result<u64, StoreError> {
    let from = i64::try_from(expected).unwrap_or(i64::MAX);
    let to = from.saturating_add(i64::try_from(lines.len()).unwrap_or(i64::MAX));
    let done =
        sqlx::query("UPDATE game SET version = $3, over = $4, touched = $5 WHERE id = $1 AND version = $2")
            .bind(game)
            .bind(from)
            .bind(to)
            .bind(i64::from(over))
            .bind(now)
            .execute(&mut **tx)
            .await?;
    if done.rows_affected() == 0 {
        let row = sqlx::query("SELECT version FROM game WHERE id = $1")
            .bind(game)
            .fetch_optional(&mut **tx)
            .await?;
        return Err(match row {
            None => StoreError::NoGame,
            Some(row) => {
                StoreError::Conflict { version: u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0) }
            }
        });
    }
    for (line, n) in lines.iter().zip(from + 1..) {
        sqlx::query("INSERT INTO line (game, n, body, at) VALUES ($1, $2, $3, $4)")
            .bind(game)
            .bind(n)
            .bind(line)
            .bind(now)
            .execute(&mut **tx)
            .await?;
    }
    Ok(u64::try_from(to).unwrap_or(0))
}
