//! What all requests share: the store, the rooms in use, limits, counters.

use crate::auth::{self, HOST, Pass, UMPIRE};
use crate::config::Config;
use crate::error::ApiError;
use crate::hooks::Hooks;
use crate::limit::Rates;
use crate::metrics::Metrics;
use crate::room::Room;
use axum::http::HeaderMap;
use game::AnyGame;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as Plain, PoisonError};
use std::time::Instant;
use store::Store;
use tokio::sync::{OnceCell, Semaphore, watch};

type Slot = Arc<OnceCell<Arc<Room>>>;

/// The application.
pub(crate) struct App {
    pub config: Config,
    pub games: Vec<&'static dyn AnyGame>,
    pub hooks: Hooks,
    pub store: Store,
    pub metrics: Metrics,
    /// Places for computers that think.
    pub pool: Arc<Semaphore>,
    /// Places for previews and candidates.
    pub trials: Arc<Semaphore>,
    /// Commands and questions, by browser and game.
    pub rates: Rates,
    /// New games and links tried, by address.
    pub doors: Rates,
    /// Open streams by address.
    pub streams: Plain<BTreeMap<String, usize>>,
    /// Drafts are filled in one at a time.
    pub drafts: tokio::sync::Mutex<()>,
    /// Keys that were made from [`Config::seed`].
    opened: AtomicU64,
    /// Pages beside the tables.
    pub desks: crate::desk::Offices,
    rooms: Plain<BTreeMap<String, (Slot, Instant)>>,
    closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn new(
        config: Config,
        games: Vec<&'static dyn AnyGame>,
        hooks: Hooks,
        store: Store,
    ) -> Arc<Self> {
        Arc::new(Self {
            pool: Arc::new(Semaphore::new(config.thinkers.max(1))),
            trials: Arc::new(Semaphore::new(4)),
            rates: Rates::new(config.rate, config.rate * 4.0),
            doors: Rates::new(config.doors / 60.0, config.doors),
            config,
            games,
            hooks,
            store,
            metrics: Metrics::default(),
            streams: Plain::new(BTreeMap::new()),
            opened: AtomicU64::new(0),
            drafts: tokio::sync::Mutex::new(()),
            desks: crate::desk::Offices::default(),
            rooms: Plain::new(BTreeMap::new()),
            closing: watch::Sender::new(false),
        })
    }

    /// The number of the next key from [`Config::seed`].
    pub(crate) fn next_opened(&self) -> u64 {
        self.opened.fetch_add(1, Ordering::Relaxed)
    }

    /// A game, loaded if it is not in use. Who asks must have shown a link to it.
    pub(crate) async fn room(&self, id: &str) -> Result<Arc<Room>, ApiError> {
        let slot = {
            let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            let (slot, used) =
                rooms.entry(id.to_owned()).or_insert_with(|| (Slot::default(), Instant::now()));
            *used = Instant::now();
            slot.clone()
        };
        let load = || async { Room::load(&self.store, &self.games, id).await.map(Arc::new) };
        let room = slot.get_or_try_init(load).await.inspect_err(|_| self.forget(id))?;
        if room.live.try_lock().is_ok_and(|live| live.lost) {
            self.forget(id);
            return Err(ApiError::broken("the table is being set up again; try again"));
        }
        Ok(room.clone())
    }

    /// The room is loaded anew when it is next asked for. Whoever still looks at the old one is sent away, to come again.
    pub(crate) fn forget(&self, id: &str) {
        let gone = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(room) = gone.and_then(|(slot, _)| slot.get().cloned()) {
            tokio::spawn(async move {
                room.live.lock().await.lost = true;
                room.publish();
            });
        }
    }

    /// How many games are in use.
    pub(crate) fn in_use(&self) -> usize {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The roles that a request holds in a game: seats, umpire, host, spectator, in this order.
    ///
    /// # Errors
    /// The same polite answer for everything that is not a valid link to this game.
    pub(crate) async fn pass(&self, headers: &HeaderMap, id: &str) -> Result<Pass, ApiError> {
        if !auth::is_id(id) {
            return Err(ApiError::not_found());
        }
        let mut found: Vec<(u8, String, String)> = Vec::new();
        for token in auth::tokens(headers, id) {
            if let Some(link) = self.store.open_link(&token).await?.filter(|l| l.game == id) {
                let rank = match link.role.as_str() {
                    UMPIRE => 1,
                    HOST => 2,
                    auth::SPECTATOR => 3,
                    _ => 0,
                };
                if !found.iter().any(|(_, role, _)| *role == link.role) {
                    found.push((rank, link.role, store::token_hash(&token)));
                }
            }
        }
        if found.is_empty() {
            return Err(ApiError::not_found());
        }
        found.sort();
        let (roles, hashes) = found.into_iter().map(|(_, role, hash)| (role, hash)).unzip();
        Ok(Pass { roles, hashes })
    }

    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    pub(crate) fn closing(&self) -> bool {
        *self.closing.borrow()
    }

    pub(crate) fn when_closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Writes what stands beside the records, and puts away games that nobody looks at.
    pub(crate) async fn sweep(&self, all: bool) {
        self.desks.sweep(self.config.idle);
        let rooms: Vec<(String, Slot, Instant)> = {
            let rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            rooms.iter().map(|(id, (slot, used))| (id.clone(), slot.clone(), *used)).collect()
        };
        for (id, slot, used) in rooms {
            let Some(room) = slot.get() else { continue };
            let mut live = room.live.lock().await;
            if live.dirty
                && !live.lost
                && let Err(error) = room.keep_about(&mut live, &self.store).await
            {
                tracing::warn!(game = %id, ?error, "what stands beside a record was not written");
            }
            let idle = used.elapsed() > self.config.idle && room.empty() && live.thinking.is_empty();
            if live.lost || (idle && !all) {
                self.forget(&id);
            }
        }
    }
}
