//! Desks over HTTP: the tracker of Horde combat, campaigns.

use super::events::{Open, Source, streamed};
use super::play::to_the_end;
use super::{Asked, Body, Caller, Shared, at_the_door};
use crate::app::App;
use crate::auth::Pass;
use crate::desk::{self, Office};
use crate::error::ApiError;
use crate::wire::{DeskAct, DeskDone, DeskLink, DeskState, Failure, Links, NewDesk};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use utoipa::IntoParams;

/// In which role.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct As {
    /// A role that is held; left out: the first.
    role: Option<String>,
}

/// How often a page that is looked at asks whether a battle fought at a table is over.
const LOOK: Duration = Duration::from_secs(3);

async fn enter(app: &Arc<App>, headers: &HeaderMap, id: &str) -> Result<(Arc<Office>, Pass), ApiError> {
    let pass = app.pass(headers, id).await?;
    if !app.rates.take(pass.hashes.first().map_or("", String::as_str)) {
        return Err(ApiError::limit("too many requests at once; wait a moment"));
    }
    Ok((desk::office(app, id), pass))
}

/// Opens a page beside the tables and gives the secret links to it, once.
#[utoipa::path(post, path = "/api/desks", tag = "desks", request_body = NewDesk,
    responses((status = 201, body = Links), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub(crate) async fn new(
    State(app): Shared,
    caller: Caller,
    Body(wish): Body<NewDesk>,
) -> Result<(StatusCode, Json<Links>), ApiError> {
    at_the_door(&app, &caller)?;
    Ok((StatusCode::CREATED, Json(desk::new(&app, wish).await?)))
}

/// The page as a role sees it.
#[utoipa::path(get, path = "/api/desks/{id}", tag = "desks", params(("id" = String, Path), As),
    responses((status = 200, body = DeskState), (status = 404, body = Failure)))]
pub(crate) async fn state(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(of): Asked<As>,
) -> Result<Json<DeskState>, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let held = office.hold(&app).await?;
    let role = held.role(&pass, of.role.as_deref())?;
    Ok(Json(held.state(&pass, &role)?))
}

/// Does something. It is on disk when this answers.
#[utoipa::path(post, path = "/api/desks/{id}/act", tag = "desks", params(("id" = String, Path)),
    request_body = DeskAct, responses((status = 200, body = DeskDone), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub(crate) async fn act(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<DeskAct>,
) -> Result<Json<DeskDone>, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let app = app.clone();
        async move {
            let mut held = office.hold(&app).await?;
            let role = held.role(&pass, wish.role.as_deref())?;
            held.expects(&role, wish.expected.as_deref())?;
            let (who, what) = (role.clone(), wish.act);
            let answer =
                held.run(move |desk| desk.act(&who, &what).map_err(|p| ApiError::problems(&p))).await?;
            Ok(DeskDone { answer, state: held.state(&pass, &role)? })
        }
    };
    Ok(Json(to_the_end(&app, &id, work).await?))
}

/// Asks something: odds before they are risked, what an order would be read as. Nothing changes.
#[utoipa::path(post, path = "/api/desks/{id}/ask", tag = "desks", params(("id" = String, Path)),
    request_body = DeskAct, responses((status = 200, body = Object), (status = 422, body = Failure)))]
pub(crate) async fn ask(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<DeskAct>,
) -> Result<Json<Value>, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let _place = app.trials.acquire().await.map_err(|_| ApiError::broken("closing"))?;
    let mut held = office.hold(&app).await?;
    let role = held.role(&pass, wish.role.as_deref())?;
    Ok(Json(held.ask(role, wish.act).await?))
}

/// A file: the log, a record, letters, a map.
#[utoipa::path(get, path = "/api/desks/{id}/file/{name}", tag = "desks",
    params(("id" = String, Path), ("name" = String, Path), As),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = Failure)))]
pub(crate) async fn file(
    State(app): Shared,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
    Asked(of): Asked<As>,
) -> Result<Response, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let held = office.hold(&app).await?;
    let role = held.role(&pass, of.role.as_deref())?;
    let file = held.file(&role, &name).ok_or_else(ApiError::not_found)?;
    let called: String =
        file.name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
    let shown = if file.kind.starts_with("image/") { "inline" } else { "attachment" };
    let disposition = format!("{shown}; filename=\"{called}\"");
    Ok((
        [(header::CONTENT_TYPE, file.kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)],
        file.bytes,
    )
        .into_response())
}

/// A new link to a role, for whoever runs the page; with `end` the old ones open nothing any more.
#[utoipa::path(post, path = "/api/desks/{id}/link", tag = "desks", params(("id" = String, Path)),
    request_body = DeskLink, responses((status = 200, body = Links), (status = 403, body = Failure)))]
pub(crate) async fn link(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<DeskLink>,
) -> Result<Json<Links>, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let held = office.hold(&app).await?;
    let role = held.role(&pass, None)?;
    if !held.runs(&role) {
        return Err(ApiError::not_yours("only whoever runs this page makes links to it"));
    }
    let roles: Vec<String> =
        held.roles().into_iter().filter(|r| wish.of.is_empty() || *r == wish.of).collect();
    if roles.is_empty() {
        return Err(ApiError::bad(format!("nobody here is called {}", wish.of)));
    }
    let mut links = std::collections::BTreeMap::new();
    for role in roles {
        if wish.end {
            app.store.end_links(&id, &role, crate::room::now()).await?;
        }
        links.insert(role.clone(), desk::new_link(&app, &id, &role).await?);
    }
    Ok(Json(Links { id, links, commitment: None }))
}

/// Opens the table of a battle, or finds it, and gives the links that are the role's.
#[utoipa::path(post, path = "/api/desks/{id}/battle", tag = "desks", params(("id" = String, Path)),
    request_body = DeskLink, responses((status = 200, body = Links), (status = 422, body = Failure)))]
pub(crate) async fn battle(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(of): Asked<As>,
    Body(wish): Body<DeskLink>,
) -> Result<Json<Links>, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let app = app.clone();
        async move {
            let mut held = office.hold(&app).await?;
            let role = held.role(&pass, of.role.as_deref())?;
            held.battle(&role, &wish.of).await
        }
    };
    Ok(Json(to_the_end(&app, &id, work).await?))
}

/// The page as a role sees it, sent whole whenever that changes: an act that this role may not know of makes no sound.
#[utoipa::path(get, path = "/api/desks/{id}/events", tag = "desks", params(("id" = String, Path), As),
    responses((status = 200, body = String, content_type = "text/event-stream", description = "events `desk` (a DeskState)"),
    (status = 404, body = Failure), (status = 429, body = Failure)))]
pub(crate) async fn events(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    Asked(of): Asked<As>,
) -> Result<Response, ApiError> {
    let (office, pass) = enter(&app, &headers, &id).await?;
    let open = Open::new(&app, &caller.0)?;
    let role = office.hold(&app).await?.role(&pass, of.role.as_deref())?;
    let (tick, closing) = (office.tick.subscribe(), app.when_closing());
    let cursor = Cursor { app, office, headers, role, sent: String::new(), tick, closing, open };
    Ok(streamed(cursor))
}

struct Cursor {
    app: Arc<App>,
    office: Arc<Office>,
    headers: HeaderMap,
    role: String,
    sent: String,
    tick: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
    #[allow(dead_code)] // held for its drop: the page is gone then
    open: Open,
}

impl Source for Cursor {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if *self.closing.borrow() {
                return None;
            }
            self.tick.borrow_and_update();
            // A link may have been ended since.
            let pass = self.app.pass(&self.headers, &self.office.id).await.ok()?;
            let state = {
                let held = self.office.hold(&self.app).await.ok()?;
                held.role(&pass, Some(&self.role)).ok()?;
                held.state(&pass, &self.role).ok()?
            };
            let text = serde_json::to_string(&state).unwrap_or_default();
            if text != self.sent {
                let event = Event::default().event("desk").data(&text);
                self.sent = text;
                return Some(event);
            }
            tokio::select! {
                changed = self.tick.changed() => changed.ok()?,
                _ = self.closing.changed() => return None,
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }
}
