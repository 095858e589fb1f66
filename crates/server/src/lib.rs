//! Tables over HTTP: commands come by POST, what happens goes out as server-sent events. `docs/protocol.md` says every
//! message and every status.
//!
//! The server knows games only in their erased form (`game::AnyGame`): text in, JSON out. What is special to one game
//! (computer players, pictures, armies) is handed in as [`Hooks`].
//!
//! - The server alone rolls, from a key that it has committed to; a game's end reveals it.
//! - A viewer gets items numbered for him alone; nothing that goes to him is made from what he may not know.
//! - A command is answered when it is on disk. What is kept is the record; everything else follows from it.
// It talks to people and the network: it needs clocks, and nothing here decides a game.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

mod app;
mod auth;
mod config;
mod desk;
mod draft;
mod error;
mod hooks;
mod http;
mod lan;
mod limit;
mod metrics;
mod open;
mod room;
pub mod wire;

pub use config::Config;
pub use hooks::{Asked, ComputerPlayer, Desk, DeskBattle, DeskFile, Desks, Hooks, Library, Picture};

pub use lan::code_text;

use app::App;
use axum::Router;
use game::AnyGame;
use std::future::{Future, IntoFuture};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The store does not open.
    #[error("the store {path} does not open: {error}")]
    Store {
        /// Its file.
        path: String,
        /// Why.
        error: StoreError,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// Serving failed.
    #[error("serving failed: {0}")]
    Serve(#[from] std::io::Error),
}

/// A server that is set up: its routes, and what keeps it going.
pub struct Server {
    app: Arc<App>,
}

impl Server {
    /// Opens the store and sets everything up.
    ///
    /// # Errors
    /// A store that does not open.
    pub async fn open(
        config: Config,
        games: Vec<&'static dyn AnyGame>,
        hooks: Hooks,
    ) -> Result<Self, ServerError> {
        let store = Store::open(&config.store)
            .await
            .map_err(|error| ServerError::Store { path: config.store.display().to_string(), error })?;
        Ok(Self { app: App::new(config, games, hooks, store) })
    }

    /// The routes: for tests, or inside a larger server.
    pub fn router(&self) -> Router {
        http::routes(self.app.clone())
    }

    /// What goes on beside requests: games in which a computer owes something go on, idle ones are put away.
    pub async fn keep_going(&self) {
        room::think_at_start(&self.app).await;
        let app = Arc::downgrade(&self.app);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_secs(5)).await;
                let Some(app) = app.upgrade() else { return };
                if app.closing() {
                    return;
                }
                app.sweep(false).await;
            }
        });
    }

    /// Ends every stream and writes what is still to be written.
    pub async fn close(&self) {
        self.app.close();
        self.app.sweep(true).await;
        self.app.store.close().await;
    }

    /// Opens a new game from inside the program, without limits of rates: `muster play` does.
    ///
    /// # Errors
    /// In words, everything wrong with it.
    pub async fn new_game(&self, wish: wire::NewTable) -> Result<wire::Links, String> {
        open::new(&self.app, wish).await.map_err(|e| e.body.words.clone())
    }
}

impl Server {
    /// As [`Server::new_game`], with the key of its dice: whoever chose it knows every die to come, so this is for games
    /// on one machine (`--seed`) and for tests.
    ///
    /// # Errors
    /// As there.
    pub async fn new_game_with_key(
        &self,
        wish: wire::NewTable,
        key: dice::Key,
    ) -> Result<wire::Links, String> {
        open::new_with(&self.app, wish, Some(key)).await.map_err(|e| e.body.words.clone())
    }
}

/// The routes of a server over a store that is open already or made anew.
///
/// # Errors
/// As [`Server::open`].
pub async fn router(
    config: Config,
    games: Vec<&'static dyn AnyGame>,
    hooks: Hooks,
) -> Result<Router, ServerError> {
    Ok(Server::open(config, games, hooks).await?.router())
}

/// The description of the API as JSON, from which the page's types are generated.
#[must_use]
pub fn openapi() -> serde_json::Value {
    http::openapi()
}

/// Ready when the program is asked to end: by Ctrl-C, or by the system's signal to end.
pub async fn until_interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut end) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = end.recv() => {}
            }
            return;
        }
    }
    // Without a way to be told there is nothing to wait for but the end of the process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Serves until `until` is ready, then ends in good order. `ready` is told the address that is listened on (with port 0
/// the system chooses) and may open games.
///
/// # Errors
/// As [`Server::open`]; an address that cannot be had.
pub async fn run(
    config: Config,
    games: Vec<&'static dyn AnyGame>,
    hooks: Hooks,
    ready: impl AsyncFnOnce(&Server, SocketAddr),
    until: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServerError> {
    let address = config.address;
    let server = Server::open(config, games, hooks).await?;
    let listen = |error| ServerError::Listen { address, error };
    let listener = tokio::net::TcpListener::bind(address).await.map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    server.keep_going().await;
    ready(&server, address).await;
    let app = server.app.clone();
    let (mut closing, farewell) = (app.when_closing(), app.config.farewell);
    let end = async move {
        until.await;
        tracing::info!("closing");
        app.close();
    };
    let service = server.router().into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(end).into_future();
    // Streams end by themselves; whoever reads too slowly is not waited for. What was begun is written all the same.
    let patience = async {
        while !*closing.borrow_and_update() && closing.changed().await.is_ok() {}
        tokio::time::sleep(farewell).await;
    };
    tokio::select! {
        done = serving => done?,
        () = patience => tracing::warn!("some connections did not end in time"),
    }
    server.close().await;
    Ok(())
}
