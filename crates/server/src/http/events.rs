//! What happens, as server-sent events.
//!
//! `game` carries the viewer's items one by one, `talk` what is said; both have the id `ITEMS-TALK` (how many of each
//! have been sent), which a browser sends back as `Last-Event-ID` when it comes again. `table` is the state beside them
//! and `presence` who is there: each is sent whole whenever it has changed, and has no number.

use super::{Asked, Caller, Shared, enter};
use crate::app::App;
use crate::auth::{Pass, Who};
use crate::error::ApiError;
use crate::room::{Present, Room};
use crate::wire::Failure;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::Future;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use utoipa::IntoParams;

/// Where a stream begins, and for whom.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// A role that is held; left out: the first.
    seat: Option<String>,
    /// As `Last-Event-ID`, for clients that cannot set headers; left out: from the beginning.
    after: Option<String>,
    /// `true`: `table` events carry the view too.
    views: bool,
}

/// Everything that the viewer may see, from where he left off.
#[utoipa::path(get, path = "/api/games/{id}/events", tag = "play",
    params(("id" = String, Path), From, ("Last-Event-ID" = Option<String>, Header, description = "resume after this")),
    responses((status = 200, body = String, content_type = "text/event-stream",
    description = "events `game` (an Item), `talk` (a Talk), `table` (a TableState), `presence` (a Presence)"),
    (status = 404, body = Failure), (status = 429, body = Failure)))]
pub(crate) async fn events(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    Asked(from): Asked<From>,
) -> Result<Response, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let open = Open::new(&app, &caller.0)?;
    let (who, sent, heard) = {
        let live = room.live.lock().await;
        let who = live.who(&pass, from.seat.as_deref())?;
        (who.clone(), live.stream(who.viewer).version(), live.heard(who.viewer, 0).len() as u64)
    };
    let last = headers.get("last-event-id").and_then(|v| v.to_str().ok()).map(str::to_owned);
    let last = last.or(from.after).unwrap_or_default();
    let (items, talk) = last.split_once('-').unwrap_or((&last, "0"));
    let (tick, closing) = (room.tick.subscribe(), app.when_closing());
    let cursor = Cursor {
        // A number that was never given out is no reason to miss anything: then all comes again.
        items: items.trim().parse().ok().filter(|n| *n <= sent).unwrap_or(0),
        talk: talk.trim().parse().ok().filter(|n| *n <= heard).unwrap_or(0),
        table: String::new(),
        presence: String::new(),
        queue: VecDeque::new(),
        views: from.views,
        present: room.come_in(&pass.roles),
        app,
        room,
        headers,
        pass,
        who,
        tick,
        closing,
        open,
    };
    Ok(streamed(cursor))
}

/// Where the events of a page come from, one after another.
pub(super) trait Source: Send + 'static {
    /// The next one, when there is one. `None` ends the stream.
    fn next(&mut self) -> impl Future<Output = Option<Event>> + Send;
}

/// Server-sent events as every page gets them.
pub(super) fn streamed(source: impl Source) -> Response {
    let events = stream::unfold(source, |mut source| async move {
        let event = source.next().await?;
        Some((Ok::<_, Infallible>(event), source))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(15)).text("still here");
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    // A proxy that gathers what it passes on would hold a move back.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

struct Cursor {
    app: Arc<App>,
    room: Arc<Room>,
    headers: HeaderMap,
    pass: Pass,
    who: Who,
    items: u64,
    talk: u64,
    /// What was sent last of each: nothing is sent twice, so that a hidden act makes no sound.
    table: String,
    presence: String,
    queue: VecDeque<Event>,
    views: bool,
    tick: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
    #[allow(dead_code)] // held for its drop: the page is gone then
    present: Present,
    #[allow(dead_code)] // likewise
    open: Open,
}

impl Source for Cursor {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if *self.closing.borrow() {
                return None;
            }
            self.tick.borrow_and_update();
            self.fill().await?;
            if self.queue.is_empty() {
                tokio::select! {
                    changed = self.tick.changed() => changed.ok()?,
                    _ = self.closing.changed() => return None,
                }
            }
        }
    }
}

impl Cursor {
    /// Everything new. `None` ends the stream: the seat was handed on.
    async fn fill(&mut self) -> Option<()> {
        let live = self.room.live.lock().await;
        if live.lost {
            return None; // the browser comes again and finds the table as its record has it
        }
        let stream = live.stream(self.who.viewer);
        for item in stream.after(self.items) {
            self.items = item.n;
            let data = serde_json::to_string(&**item).unwrap_or_default();
            self.queue.push_back(event("game", &data).id(format!("{}-{}", self.items, self.talk)));
        }
        for talk in live.heard(self.who.viewer, self.talk) {
            self.talk = talk.n;
            let data = serde_json::to_string(&talk).unwrap_or_default();
            self.queue.push_back(event("talk", &data).id(format!("{}-{}", self.items, self.talk)));
        }
        let table = live.state(&self.room.id, &self.pass, &self.who, self.views);
        let table = serde_json::to_string(&table).unwrap_or_default();
        let presence = serde_json::to_string(&self.room.presence(live.seats())).unwrap_or_default();
        drop(live);
        if table != self.table {
            self.queue.push_back(event("table", &table));
            self.table = table;
        }
        if presence != self.presence {
            self.queue.push_back(event("presence", &presence));
            self.presence = presence;
        }
        if !self.queue.is_empty() {
            // Whoever held the seat may hold it no longer.
            let pass = self.app.pass(&self.headers, &self.room.id).await.ok()?;
            if pass.roles != self.pass.roles {
                return None;
            }
        }
        Some(())
    }
}

fn event(name: &str, data: &str) -> Event {
    Event::default().event(name).data(data)
}

/// An open stream, counted.
pub(super) struct Open {
    app: Arc<App>,
    address: String,
}

impl Open {
    pub(super) fn new(app: &Arc<App>, address: &str) -> Result<Self, ApiError> {
        let mut streams = app.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = streams.values().sum();
        let own = streams.get(address).copied().unwrap_or(0);
        if all >= app.config.most_streams || own >= app.config.most_streams_each {
            return Err(ApiError::limit("too many open pages; close some"));
        }
        streams.insert(address.to_owned(), own + 1);
        app.metrics.streams.fetch_add(1, Relaxed);
        Ok(Self { app: app.clone(), address: address.to_owned() })
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.app.metrics.streams.fetch_sub(1, Relaxed);
        let mut streams = self.app.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = streams.get_mut(&self.address) {
            *n -= 1;
            if *n == 0 {
                streams.remove(&self.address);
            }
        }
    }
}
