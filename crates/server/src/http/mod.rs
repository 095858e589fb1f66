//! The routes.

mod desks;
mod events;
mod games;
mod pages;
mod play;
mod seats;

use crate::app::App;
use crate::error::ApiError;
use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

pub(crate) use pages::openapi;

/// What an extractor of the application's state is called.
pub(crate) type Shared = State<Arc<App>>;

/// The whole application.
pub(crate) fn routes(app: Arc<App>) -> Router {
    let large = DefaultBodyLimit::max(app.config.large_body);
    let small = DefaultBodyLimit::max(app.config.body);
    let game = Router::new()
        .route("/", get(games::state))
        .route("/events", get(events::events))
        .route("/command", post(play::command))
        .route("/preview", post(play::preview))
        .route("/candidates", get(play::candidates))
        .route("/ask", post(play::ask))
        .route("/note", get(play::note))
        .route("/dice", post(play::put_right))
        .route("/ended", get(play::ended))
        .route("/undo", post(play::undo))
        .route("/propose", post(play::propose))
        .route("/agree", post(play::agree))
        .route("/press", post(play::press))
        .route("/say", post(seats::say))
        .route("/replies", get(seats::replies).post(seats::set_replies))
        .route("/words", post(seats::words))
        .route("/pass", post(seats::pass_on))
        .route("/link", post(seats::own_link))
        .route("/resign", post(seats::resign))
        .route("/host", post(seats::host))
        .route("/record", get(games::record))
        .route("/case", get(games::case))
        .route("/picture.svg", get(games::picture))
        .route("/rematch", post(games::rematch));
    let desk = Router::new()
        .route("/", get(desks::state))
        .route("/events", get(desks::events))
        .route("/act", post(desks::act).layer(large))
        .route("/ask", post(desks::ask).layer(large))
        .route("/link", post(desks::link))
        .route("/battle", post(desks::battle))
        .route("/file/{name}", get(desks::file));
    Router::new()
        .route("/api/games", post(games::new).layer(large))
        .route("/api/import", post(games::import).layer(large))
        .route("/api/drafts", post(games::new_draft).layer(large))
        .route("/api/drafts/{id}", get(games::draft))
        .route("/api/drafts/{id}/part", post(games::part).layer(large))
        .nest("/api/games/{id}", game)
        .route("/api/desks", post(desks::new).layer(large))
        .nest("/api/desks/{id}", desk)
        .route("/api/enter", post(games::enter))
        .route("/api/code", post(crate::lan::code))
        .route("/api/lan", get(crate::lan::lan))
        .route("/api/mine", get(games::mine))
        .route("/api/kinds", get(games::kinds))
        .route("/api/library/{*path}", get(games::library).post(games::library_post))
        .route("/api/openapi.json", get(pages::openapi_json))
        .route("/api/docs", get(pages::docs))
        .route("/health", get(pages::health))
        .route("/metrics", get(pages::metrics))
        .fallback(pages::page)
        .layer(small)
        .layer(middleware::from_fn_with_state(app.clone(), around))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .with_state(app)
}

/// Around every request: headers that keep secrets in, counters, one line in the log. The path holds no token, the
/// query none either; cookies and bodies are not logged.
async fn around(State(app): Shared, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    // Work that changes a table goes on to its end by itself; what waits here is mostly a body that does not come.
    let answered = tokio::time::timeout(app.config.patience, next.run(request)).await;
    let mut response = answered.unwrap_or_else(|_| {
        ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "slow",
            "this took too long; look at the table before trying again",
        )
        .into_response()
    });
    let headers = response.headers_mut();
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
             frame-ancestors 'none'; base-uri 'self'; form-action 'self'",
        ),
    );
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    if path.starts_with("/api") {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    let status = response.status();
    app.metrics.answered(status.as_u16());
    let took = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    tracing::debug!(%method, path, status = status.as_u16(), micros = took, "request");
    response
}

/// A JSON body, with problems told in this API's form.
pub(crate) struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Body(body)),
            Err(rejection) => {
                let (status, words) = (rejection.status(), rejection.body_text());
                let error = match status {
                    StatusCode::PAYLOAD_TOO_LARGE => "too_large",
                    _ => "malformed",
                };
                Err(ApiError::new(status, error, words))
            }
        }
    }
}

/// What stands after the `?` of an address, with problems told in this API's form.
pub(crate) struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(asked)) => Ok(Asked(asked)),
            Err(rejection) => Err(ApiError::new(rejection.status(), "malformed", rejection.body_text())),
        }
    }
}

/// The caller's address, for limits alone.
pub(crate) struct Caller(pub String);

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        if app.config.proxied {
            let last = parts.headers.get("x-forwarded-for").and_then(|v| v.to_str().ok());
            if let Some(address) = last.and_then(|v| v.rsplit(',').next()) {
                return Ok(Caller(address.trim().chars().take(64).collect()));
            }
        }
        let info = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Caller(info.map_or_else(|| "here".to_owned(), |ConnectInfo(a)| a.ip().to_string())))
    }
}

/// Whether the caller sits at this machine itself, as operators do, and not behind a proxy.
pub(crate) struct Local(pub bool);

impl FromRequestParts<Arc<App>> for Local {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Infallible> {
        let info = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let near = info.is_none_or(|ConnectInfo(a)| a.ip().is_loopback());
        Ok(Local(near && !parts.headers.contains_key("x-forwarded-for")))
    }
}

/// Whether one more new game, link or record is taken from this address now.
pub(crate) fn at_the_door(app: &App, caller: &Caller) -> Result<(), ApiError> {
    if app.doors.take(&caller.0) {
        Ok(())
    } else {
        Err(ApiError::limit("too many attempts from here; wait a little"))
    }
}

/// A game and what the request may do in it, within its rate.
pub(crate) async fn enter(
    app: &Arc<App>,
    headers: &HeaderMap,
    id: &str,
) -> Result<(Arc<crate::room::Room>, crate::auth::Pass), ApiError> {
    let pass = app.pass(headers, id).await?;
    let key = pass.hashes.first().cloned().unwrap_or_default();
    if !app.rates.take(&key) {
        return Err(ApiError::limit("too many requests at once; wait a moment"));
    }
    Ok((app.room(id).await?, pass))
}
