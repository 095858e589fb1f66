//! Opening, entering, looking at and listing games.

use super::play::to_the_end;
use super::{Asked, Body, Caller, Shared, at_the_door, enter as enter_game};
use crate::app::App;
use crate::error::ApiError;
use crate::open;
use crate::wire::{
    DraftState, Enter, Entered, Failure, Import, KindState, Links, Mine, NewTable, Part, Rematch, TableState,
};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

/// With whose eyes, and when.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct Eyes {
    /// A role that is held; left out: the first.
    seat: Option<String>,
    /// An earlier version of that viewer; left out: now.
    at: Option<u64>,
    /// If it is there (`?dark`), a picture for a dark page.
    dark: Option<String>,
}

/// Opens a new game and gives the secret links to it, once.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewTable,
    responses((status = 201, body = Links), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub(crate) async fn new(
    State(app): Shared,
    caller: Caller,
    Body(wish): Body<NewTable>,
) -> Result<(StatusCode, Json<Links>), ApiError> {
    at_the_door(&app, &caller)?;
    Ok((StatusCode::CREATED, Json(open::new(&app, wish).await?)))
}

/// Brings a record in: to be looked at if it is over, to be played on if not.
#[utoipa::path(post, path = "/api/import", tag = "games", request_body = Import,
    responses((status = 201, body = Links), (status = 422, body = Failure)))]
pub(crate) async fn import(
    State(app): Shared,
    caller: Caller,
    Body(wish): Body<Import>,
) -> Result<(StatusCode, Json<Links>), ApiError> {
    at_the_door(&app, &caller)?;
    Ok((StatusCode::CREATED, Json(open::import(&app, wish).await?)))
}

/// Opens another game with the same rules and set-up.
#[utoipa::path(post, path = "/api/games/{id}/rematch", tag = "games", params(("id" = String, Path)),
    request_body = Rematch, responses((status = 201, body = Links), (status = 409, body = Failure)))]
pub(crate) async fn rematch(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    caller: Caller,
    Body(wish): Body<Rematch>,
) -> Result<(StatusCode, Json<Links>), ApiError> {
    let (room, pass) = enter_game(&app, &headers, &id).await?;
    room.live
        .lock()
        .await
        .seat(&pass, None)
        .map(|_| ())
        .or_else(|e| if pass.host() { Ok(()) } else { Err(e) })?;
    at_the_door(&app, &caller)?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move { open::rematch(&app, &room, wish.swap).await }
    };
    let mut links = to_the_end(&app, &id, work).await?;
    if !pass.host() {
        // The others' links are not the caller's to have: they enter with what they hold here.
        let own: Vec<String> = {
            let live = room.live.lock().await;
            let follows = live.about.rematch.as_ref().map(|(_, f)| f.clone()).unwrap_or_default();
            pass.roles.iter().filter_map(|r| follows.get(r).cloned()).collect()
        };
        links.links.retain(|role, _| own.contains(role) || role == "spectator");
    }
    Ok((StatusCode::CREATED, Json(links)))
}

/// Opens a draft: a game whose set-up its seats fill in, each apart; it begins when all is there.
#[utoipa::path(post, path = "/api/drafts", tag = "games", request_body = NewTable,
    responses((status = 201, body = Links), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub(crate) async fn new_draft(
    State(app): Shared,
    caller: Caller,
    Body(wish): Body<NewTable>,
) -> Result<(StatusCode, Json<Links>), ApiError> {
    at_the_door(&app, &caller)?;
    Ok((StatusCode::CREATED, Json(crate::draft::new(&app, wish).await?)))
}

/// A draft as one may see it: others' parts are not shown before all are there.
#[utoipa::path(get, path = "/api/drafts/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = DraftState), (status = 404, body = Failure)))]
pub(crate) async fn draft(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<DraftState>, ApiError> {
    let pass = app.pass(&headers, &id).await?;
    Ok(Json(crate::draft::state(&app, &id, &pass).await?))
}

/// Fills in a seat's part of a draft; with the last one the game begins.
#[utoipa::path(post, path = "/api/drafts/{id}/part", tag = "games", params(("id" = String, Path)),
    request_body = Part, responses((status = 200, body = DraftState), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub(crate) async fn part(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Part>,
) -> Result<Json<DraftState>, ApiError> {
    let pass = app.pass(&headers, &id).await?;
    if !app.rates.take(pass.hashes.first().map_or("", String::as_str)) {
        return Err(ApiError::limit("too many requests at once; wait a moment"));
    }
    let work = {
        let (app, id, pass) = (app.clone(), id.clone(), pass.clone());
        async move { crate::draft::fill(&app, &id, &pass, wish).await }
    };
    to_the_end(&app, &id, work).await?;
    Ok(Json(crate::draft::state(&app, &id, &pass).await?))
}

/// Exchanges a link's token for a cookie of its game. Several roles of one game may be held.
#[utoipa::path(post, path = "/api/enter", tag = "games", request_body = Enter,
    responses((status = 200, body = Entered), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub(crate) async fn enter(
    State(app): Shared,
    headers: HeaderMap,
    caller: Caller,
    Body(wish): Body<Enter>,
) -> Result<Response, ApiError> {
    at_the_door(&app, &caller)?;
    let (id, new) = match (wish.token, wish.follows) {
        (Some(token), None) if token.len() == 43 => {
            let link = app.store.open_link(&token).await?.ok_or_else(ApiError::not_found)?;
            // A page beside the tables may have many readers in one role, and devices of one's own.
            let desk = app.store.game(&link.game).await?.kind.starts_with(crate::desk::DESK);
            if wish.take && !desk && !open::TAKEN.contains(&link.role.as_str()) {
                // The browser may hold the seat already: then nothing is taken from anybody.
                let held = crate::auth::tokens(&headers, &link.game);
                let token = if held.contains(&token) { token } else { take(&app, &token, &link).await? };
                (link.game, vec![token])
            } else {
                (link.game, vec![token])
            }
        }
        (None, Some(old)) => {
            let pass = app.pass(&headers, &old).await?;
            let next = if let Some(next) = crate::draft::game_of(&app, &old).await? {
                next.map(|id| (id, Default::default()))
            } else {
                app.room(&old).await?.live.lock().await.about.rematch.clone()
            };
            let (id, follows): (String, std::collections::BTreeMap<String, String>) =
                next.ok_or_else(ApiError::not_found)?;
            let mut new = Vec::new();
            for role in &pass.roles {
                let role = follows.get(role).unwrap_or(role);
                let link = open::new_link(&app, &id, role).await?;
                new.extend(link.split_once('#').map(|(_, token)| token.to_owned()));
            }
            (id, new)
        }
        _ => return Err(ApiError::not_found()),
    };
    // Tokens that no longer open anything are dropped on the way.
    let mut tokens = Vec::new();
    let mut roles = Vec::new();
    for token in crate::auth::tokens(&headers, &id).into_iter().chain(new) {
        if let Some(link) = app.store.open_link(&token).await?.filter(|l| l.game == id) {
            if !tokens.contains(&token) {
                tokens.push(token);
            }
            if !roles.contains(&link.role) {
                roles.push(link.role);
            }
        }
    }
    let cookie = crate::auth::cookie(&id, &tokens, app.config.secure);
    let body = Json(Entered { id, roles });
    Ok(([(header::SET_COOKIE, cookie)], body).into_response())
}

/// Seats are taken one at a time: of two who hold one link the second finds it ended.
static TAKING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Ends every link to a seat and makes a new one, which nobody but its taker gets to see.
async fn take(app: &std::sync::Arc<App>, token: &str, link: &store::Link) -> Result<String, ApiError> {
    let (id, role) = (link.game.clone(), link.role.clone());
    let work = {
        let (app, token) = (app.clone(), token.to_owned());
        async move {
            let _alone = TAKING.lock().await;
            app.store.open_link(&token).await?.ok_or_else(ApiError::not_found)?;
            app.store.end_links(&id, &role, crate::room::now()).await?;
            let new = open::new_link(&app, &id, &role).await?;
            // A draft has no room yet, and nobody to be told.
            if crate::draft::game_of(&app, &id).await?.is_none() {
                let room = app.room(&id).await?;
                let mut live = room.live.lock().await;
                room.note(&mut live, &app.store, &format!("{role} is taken")).await?;
                drop(live);
                room.publish();
            }
            Ok(new)
        }
    };
    let new = to_the_end(app, &link.game, work).await?;
    Ok(new.split_once('#').map(|(_, token)| token.to_owned()).unwrap_or_default())
}

/// The table as one sees it.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path), Eyes),
    responses((status = 200, body = TableState), (status = 404, body = Failure)))]
pub(crate) async fn state(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(eyes): Asked<Eyes>,
) -> Result<Json<TableState>, ApiError> {
    let (room, pass) = enter_game(&app, &headers, &id).await?;
    let live = room.live.lock().await;
    let who = live.who(&pass, eyes.seat.as_deref())?;
    let Some(at) = eyes.at else { return Ok(Json(live.state(&id, &pass, &who, true))) };
    let mut state = live.state(&id, &pass, &who, false);
    let line = live.line_of(who.viewer, at)?;
    let then = live.table.possible_for(who.viewer, crate::room::GUESS, Some(line));
    state.view = then.view(who.viewer);
    state.version = at;
    state.owes = Vec::new();
    Ok(Json(state))
}

/// The record: one's own view of it while the game runs, the full one once it is over.
#[utoipa::path(get, path = "/api/games/{id}/record", tag = "games", params(("id" = String, Path), Eyes),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = 404, body = Failure)))]
pub(crate) async fn record(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(eyes): Asked<Eyes>,
) -> Result<Response, ApiError> {
    let (room, pass) = match enter_game(&app, &headers, &id).await {
        Err(error) if error.body.error == "revision" => return kept_record(&app, &id, error).await,
        entered => entered?,
    };
    let live = room.live.lock().await;
    let who = live.who(&pass, eyes.seat.as_deref())?;
    let text = if live.over { live.table.record().print() } else { live.own_record(&id, &who) };
    let name = if live.over { "record" } else { "view" };
    let disposition = format!("attachment; filename=\"{}-{name}.jsonl\"", live.kind.name());
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, text).into_response())
}

/// The record of a game that this release does not play any more, if it is over; the link has been looked at already.
async fn kept_record(app: &App, id: &str, error: ApiError) -> Result<Response, ApiError> {
    let kept = app.store.game(id).await?;
    if !kept.over {
        return Err(error);
    }
    let mut text = kept.header;
    for line in app.store.lines(id, 0).await? {
        text.push('\n');
        text.push_str(&line);
    }
    text.push('\n');
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

/// A case file of the position as one knows it: a question of rules to be filled in (docs/cases.md).
#[utoipa::path(get, path = "/api/games/{id}/case", tag = "games", params(("id" = String, Path), Eyes),
    responses((status = 200, body = String, content_type = "application/toml"), (status = 404, body = Failure)))]
pub(crate) async fn case(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(eyes): Asked<Eyes>,
) -> Result<Response, ApiError> {
    let (room, pass) = enter_game(&app, &headers, &id).await?;
    let live = room.live.lock().await;
    let who = live.who(&pass, eyes.seat.as_deref())?;
    let line = eyes.at.map(|at| live.line_of(who.viewer, at)).transpose()?;
    let table = live.table.possible_for(who.viewer, crate::room::GUESS, line);
    let by = table.first_to_act().and_then(|s| table.seats().get(usize::from(s.0)).cloned());
    let mut text = format!(
        "title = \"\"\ngame = \"{}\"\nrules = []\nnotation = {}\n",
        live.table.record().header.game,
        quoted(&table.notation()),
    );
    let header = &live.table.record().header;
    let kind = crate::open::kind_of(&app, &header.game)?;
    text.push_str(&game::case::options(kind, &header.rules).map_err(|p| ApiError::problems(&p))?);
    text.push_str(&format!(
        "\n[[step]]\nby = {}\ndo = \"\"\ndice = []\nexpect = []\n",
        quoted(by.as_deref().unwrap_or("umpire"))
    ));
    let headers = [
        (header::CONTENT_TYPE, "application/toml"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"case.toml\""),
    ];
    Ok((headers, text).into_response())
}

/// A text between quotation marks, as TOML and JSON both have it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A picture of the table as one knows it.
#[utoipa::path(get, path = "/api/games/{id}/picture.svg", tag = "games", params(("id" = String, Path), Eyes),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Failure)))]
pub(crate) async fn picture(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(eyes): Asked<Eyes>,
) -> Result<Response, ApiError> {
    let (room, pass) = enter_game(&app, &headers, &id).await?;
    let hook = app.hooks.picture.clone();
    let hook =
        hook.ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, "no_picture", "no pictures are drawn here"))?;
    let (table, view, rules) = {
        let live = room.live.lock().await;
        let who = live.who(&pass, eyes.seat.as_deref())?;
        let line = eyes.at.map(|at| live.line_of(who.viewer, at)).transpose()?;
        let table = live.table.possible_for(who.viewer, crate::room::GUESS, line);
        let view = table.view(who.viewer);
        (table, view, live.table.record().header.rules.clone())
    };
    let svg =
        tokio::task::spawn_blocking(move || hook.svg(table.as_ref(), &rules, &view, eyes.dark.is_some()))
            .await;
    let svg = svg
        .ok()
        .flatten()
        .ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, "no_picture", "there is no picture of this"))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The games that this browser holds links to, the last touched first.
#[utoipa::path(get, path = "/api/mine", tag = "games", responses((status = 200, body = Vec<Mine>)))]
pub(crate) async fn mine(State(app): Shared, headers: HeaderMap) -> Result<Json<Vec<Mine>>, ApiError> {
    let mut all = Vec::new();
    for id in crate::auth::games(&headers) {
        let Ok(pass) = app.pass(&headers, &id).await else { continue };
        let Ok(kept) = app.store.game(&id).await else { continue };
        let about: crate::room::About = serde_json::from_str(&kept.about).unwrap_or_default();
        all.push(Mine {
            id,
            kind: kept.kind,
            title: about.title,
            roles: pass.roles,
            waits_for: about.waits_for,
            over: kept.over,
            touched: about.turned.max(kept.created),
        });
    }
    all.sort_by_key(|m| std::cmp::Reverse(m.touched));
    Ok(Json(all))
}

/// The games that are played here.
#[utoipa::path(get, path = "/api/kinds", tag = "games", responses((status = 200, body = Vec<KindState>)))]
pub(crate) async fn kinds(State(app): Shared) -> Json<Vec<KindState>> {
    let levels = |name: &str| app.hooks.computer.as_ref().map(|c| c.levels(name)).unwrap_or_default();
    let one = |g: &&'static dyn game::AnyGame| KindState {
        name: g.name().to_owned(),
        revision: g.revision(),
        levels: levels(g.name()),
    };
    Json(app.games.iter().map(one).collect())
}

async fn from_library(
    app: std::sync::Arc<crate::app::App>,
    path: String,
    body: Option<Value>,
) -> Result<Json<Value>, ApiError> {
    let library = app.hooks.library.clone().ok_or_else(ApiError::not_found)?;
    let answer = tokio::task::spawn_blocking(move || library.ask(&path, body.as_ref())).await;
    let answer = answer.ok().flatten().ok_or_else(ApiError::not_found)?;
    answer.map(Json).map_err(|p| ApiError::problems(&p))
}

/// A document of the library: armies, maps, scenarios.
#[utoipa::path(get, path = "/api/library/{path}", tag = "library", params(("path" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Failure)))]
pub(crate) async fn library(State(app): Shared, Path(path): Path<String>) -> Result<Json<Value>, ApiError> {
    from_library(app, path, None).await
}

/// Has a document looked through: a pasted list, a ground laid by hand.
#[utoipa::path(post, path = "/api/library/{path}", tag = "library", params(("path" = String, Path)),
    request_body = Object, responses((status = 200, body = Object), (status = 422, body = Failure)))]
pub(crate) async fn library_post(
    State(app): Shared,
    Path(path): Path<String>,
    caller: Caller,
    Body(body): Body<Value>,
) -> Result<Json<Value>, ApiError> {
    if !app.rates.take(&caller.0) {
        return Err(ApiError::limit("too many requests at once; wait a moment"));
    }
    from_library(app, path, Some(body)).await
}
