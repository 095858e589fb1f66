//! One task writes. It takes everything that waits and commits it together: a hundred games that move at once cost one
//! sync of the disk, and each is acknowledged only after it.

use crate::{NewGame, StoreError};
use sqlx::{Row, Sqlite, SqlitePool, Transaction};
use tokio::sync::{mpsc, oneshot};

/// At most so many jobs in one transaction, so that nobody waits long for others.
const TOGETHER: usize = 256;

enum Job {
    Create(NewGame, oneshot::Sender<Result<u64, StoreError>>),
    Append {
        game: String,
        expected: u64,
        lines: Vec<String>,
        over: bool,
        now: i64,
        answer: oneshot::Sender<Result<u64, StoreError>>,
    },
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

    pub(crate) async fn create(&self, game: NewGame) -> Result<(), StoreError> {
        let (answer, done) = oneshot::channel();
        self.jobs.send(Job::Create(game, answer)).await.map_err(|_| StoreError::Closed)?;
        done.await.map_err(|_| StoreError::Closed)?.map(|_| ())
    }

    pub(crate) async fn append(
        &self,
        game: &str,
        expected: u64,
        lines: Vec<String>,
        over: bool,
        now: i64,
    ) -> Result<u64, StoreError> {
        let (answer, done) = oneshot::channel();
        let job = Job::Append { game: game.to_owned(), expected, lines, over, now, answer };
        self.jobs.send(job).await.map_err(|_| StoreError::Closed)?;
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
        let mut answers = Vec::new();
        let written = async {
            let mut tx = pool.begin().await?;
            for job in jobs.drain(..) {
                match job {
                    Job::Close(answer) => closing.push(answer),
                    Job::Create(game, answer) => answers.push((create(&mut tx, &game).await, answer)),
                    Job::Append { game, expected, lines, over, now, answer } => {
                        answers.push((append(&mut tx, &game, expected, &lines, over, now).await, answer));
                    }
                }
            }
            tx.commit().await
        }
        .await;
        // Only now is anything acknowledged. Whoever no longer waits for his answer reads it from the record.
        match written {
            Ok(()) => answers.into_iter().for_each(|(result, answer)| _ = answer.send(result)),
            Err(_) => answers.into_iter().for_each(|(_, answer)| _ = answer.send(Err(StoreError::Closed))),
        }
        if !closing.is_empty() {
            pool.close().await;
            closing.into_iter().for_each(|answer| _ = answer.send(()));
            return;
        }
    }
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
    let done = sqlx::query(
        "UPDATE game SET version = $3, over = MAX(over, $4), touched = $5 WHERE id = $1 AND version = $2",
    )
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
