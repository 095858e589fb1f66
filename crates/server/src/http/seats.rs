//! The people at the table: talk, standing replies, words for the dice, seats handed on, the host's tools.

use super::play::to_the_end;
use super::{Asked, Body, Shared, enter};
use crate::app::App;
use crate::auth;
use crate::error::ApiError;
use crate::open;
use crate::room::{Room, now, opened, settle};
use crate::wire::{AddWords, Failure, ForSeat, HostTool, Links, Pace, Replies, Say, SetReplies};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use game::Viewer;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::IntoParams;

/// So much is said at one table at most.
const MOST_TALK: usize = 20_000;

fn done() -> Json<Value> {
    Json(json!({ "done": true }))
}

/// Says something to the table, or to one's own side.
#[utoipa::path(post, path = "/api/games/{id}/say", tag = "seats", params(("id" = String, Path)),
    request_body = Say, responses((status = 200, description = "said"), (status = 403, body = Failure),
    (status = 422, body = Failure)))]
pub(crate) async fn say(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Say>,
) -> Result<Json<Value>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let words: String = wish.words.trim().chars().filter(|c| !c.is_control() || *c == '\n').collect();
    if words.is_empty() || words.chars().count() > 2000 {
        return Err(ApiError::bad("what is said has 1 to 2000 characters"));
    }
    let work = {
        let app = app.clone();
        async move {
            let mut live = room.live.lock().await;
            let who = live.who(&pass, wish.seat.as_deref())?;
            if who.role == auth::SPECTATOR {
                return Err(ApiError::not_yours("spectators listen; only players and the host speak"));
            }
            if live.talk.len() >= MOST_TALK {
                return Err(ApiError::limit("enough has been said at this table"));
            }
            let audience = match (wish.to.as_str(), who.viewer) {
                ("" | "table", _) => "table".to_owned(),
                ("side", Viewer::Seat(seat)) => format!("side:{}", live.table.side(seat)),
                _ => return Err(ApiError::bad("say it to the table, or, from a seat, to your side")),
            };
            room.say_as(&mut live, &app.store, &who.role, audience, &words).await?;
            drop(live);
            room.publish();
            Ok(())
        }
    };
    to_the_end(&app, &id, work).await?;
    Ok(done())
}

/// The seat's query.
#[derive(Debug, Default, serde::Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfSeat {
    /// The seat.
    seat: Option<String>,
}

/// One's own standing replies.
#[utoipa::path(get, path = "/api/games/{id}/replies", tag = "seats", params(("id" = String, Path), OfSeat),
    responses((status = 200, body = Replies), (status = 404, body = Failure)))]
pub(crate) async fn replies(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(of): Asked<OfSeat>,
) -> Result<Json<Replies>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let live = room.live.lock().await;
    let (_, name) = live.seat(&pass, of.seat.as_deref())?;
    Ok(Json(live.replies.get(&name).cloned().unwrap_or_default()))
}

/// Sets one's own standing replies. Nobody else learns of them until one is used.
#[utoipa::path(post, path = "/api/games/{id}/replies", tag = "seats", params(("id" = String, Path)),
    request_body = SetReplies, responses((status = 200, description = "set"), (status = 422, body = Failure)))]
pub(crate) async fn set_replies(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<SetReplies>,
) -> Result<Json<Value>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    if !["", "ask", "stands"].contains(&wish.replies.mode.as_str()) || wish.replies.prefer.len() > 100 {
        return Err(ApiError::bad("the mode is ask, stands or empty; at most 100 preferences"));
    }
    {
        let mut live = room.live.lock().await;
        let (_, name) = live.seat(&pass, wish.seat.as_deref())?;
        let text = serde_json::to_string(&wish.replies).unwrap_or_default();
        app.store.set_note(&id, &name, "replies", &text).await?;
        live.replies.insert(name, wish.replies);
    }
    settle(&app, &room);
    Ok(done())
}

/// Adds words of one's own to the key of the dice, before the first command.
#[utoipa::path(post, path = "/api/games/{id}/words", tag = "seats", params(("id" = String, Path)),
    request_body = AddWords, responses((status = 200, description = "added"),
    (status = 409, body = Failure, description = "play has begun, or dice are typed")))]
pub(crate) async fn words(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<AddWords>,
) -> Result<Json<Value>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    if wish.words.chars().count() > 200 {
        return Err(ApiError::bad("words for the dice have at most 200 characters"));
    }
    let work = {
        let (app, id, room) = (app.clone(), id.clone(), room.clone());
        async move {
            let mut live = room.live.lock().await;
            let (_, name) = live.seat(&pass, wish.seat.as_deref())?;
            let Some(key) = live.key.clone() else {
                return Err(ApiError::conflict(
                    "typed",
                    "the dice of this game are typed: they take no words",
                ));
            };
            if live.version > 0 || live.over {
                return Err(ApiError::conflict("begun", "play has begun: the dice take no more words"));
            }
            live.about.words.insert(name, wish.words);
            // In seat order; a seat without words of its own adds empty ones.
            let all = live.seats().iter().map(|s| live.about.words.get(s).cloned().unwrap_or_default());
            let mut header = live.table.record().header.clone();
            header.words = all.collect();
            let table = opened(live.kind, header.clone()).map_err(|p| ApiError::problems(&vec![p]))?;
            let about = serde_json::to_string(&live.about).unwrap_or_default();
            app.store.set_header(&id, &header.print(), &about).await?;
            live.seeded = Some(dice::Seeded::new(key.with_words(live.table.name(), &header.words)));
            live.table = table;
            live.changed();
            drop(live);
            room.publish();
            Ok(())
        }
    };
    to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(done())
}

/// Hands a seat on: a new link to it; every older one ends.
#[utoipa::path(post, path = "/api/games/{id}/pass", tag = "seats", params(("id" = String, Path)),
    request_body = ForSeat, responses((status = 200, body = Links), (status = 404, body = Failure)))]
pub(crate) async fn pass_on(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<ForSeat>,
) -> Result<Json<Links>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, id) = (app.clone(), id.clone());
        async move {
            let mut live = room.live.lock().await;
            let (_, name) = live.seat(&pass, wish.seat.as_deref())?;
            app.store.end_links(&id, &name, now()).await?;
            let link = open::new_link(&app, &id, &name).await?;
            room.note(&mut live, &app.store, &format!("{name} is handed on")).await?;
            drop(live);
            room.publish();
            Ok(Links { id, links: BTreeMap::from([(name, link)]), commitment: None })
        }
    };
    Ok(Json(to_the_end(&app, &id, work).await?))
}

/// A further link to one's own seat, for another device of one's own; the older ones stay.
#[utoipa::path(post, path = "/api/games/{id}/link", tag = "seats", params(("id" = String, Path)),
    request_body = ForSeat, responses((status = 200, body = Links), (status = 404, body = Failure)))]
pub(crate) async fn own_link(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<ForSeat>,
) -> Result<Json<Links>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    // The room is held until the link is kept: a seat that is passed on meanwhile must not gain a link of its old player.
    let live = room.live.lock().await;
    let (_, name) = live.seat(&pass, wish.seat.as_deref())?;
    let link = open::new_link(&app, &id, &name).await?;
    drop(live);
    Ok(Json(Links { id, links: BTreeMap::from([(name, link)]), commitment: None }))
}

/// Gives up.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "seats", params(("id" = String, Path)),
    request_body = ForSeat, responses((status = 200, description = "given up"), (status = 409, body = Failure)))]
pub(crate) async fn resign(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<ForSeat>,
) -> Result<Json<Value>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move {
            let kind = room.live.lock().await.kind.name();
            let levels = app.hooks.computer.as_ref().map(|c| c.levels(kind)).unwrap_or_default();
            let stand_in = levels.first().map_or("stand-in", String::as_str);
            room.resign(&app.store, &pass, wish.seat.as_deref(), stand_in).await
        }
    };
    to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(done())
}

/// The host's tools: who sits where, new links, the pace. All of it is told to the table.
#[utoipa::path(post, path = "/api/games/{id}/host", tag = "seats", params(("id" = String, Path)),
    request_body = HostTool, responses((status = 200, body = Links), (status = 403, body = Failure),
    (status = 422, body = Failure)))]
pub(crate) async fn host(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(tool): Body<HostTool>,
) -> Result<Json<Links>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    if !pass.host() {
        return Err(ApiError::not_yours("only the host can do this"));
    }
    let work = use_tool(app.clone(), room.clone(), tool);
    let links = to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(Json(links))
}

async fn use_tool(app: Arc<App>, room: Arc<Room>, tool: HostTool) -> Result<Links, ApiError> {
    let id = room.id.clone();
    let mut links = BTreeMap::new();
    let mut live = room.live.lock().await;
    let seat = live.seats().contains(&tool.role);
    let words = match tool.what.as_str() {
        "who" if seat => {
            let who = open::sitter(&app, live.kind.name(), &tool.to)?;
            if who == "person" {
                links.insert(tool.role.clone(), open::new_link(&app, &id, &tool.role).await?);
            }
            live.about.seats.insert(tool.role.clone(), who.clone());
            if who == "person" {
                live.about.resigned.remove(&tool.role);
            }
            format!("the host puts a {} on {}", who.replace(':', ", "), tool.role)
        }
        // All of it is told to the table, and a player whose link ends notices: a host takes no seat unseen.
        "link" if tool.role == auth::SPECTATOR => {
            app.store.end_links(&id, &tool.role, now()).await?;
            links.insert(tool.role.clone(), open::new_link(&app, &id, &tool.role).await?);
            "the host makes a new link for spectators; the old ones end".to_owned()
        }
        "link" if seat => {
            app.store.end_links(&id, &tool.role, now()).await?;
            links.insert(tool.role.clone(), open::new_link(&app, &id, &tool.role).await?);
            format!("the host makes a new link for {}; the old ones end", tool.role)
        }
        "pace" => {
            let pace: Pace = serde_json::from_value(json!(tool.to))
                .map_err(|_| ApiError::bad("the pace is live, evening or post"))?;
            live.about.pace = pace;
            format!("the host sets the pace: {}", tool.to)
        }
        "pause" | "resume" => {
            let stands = tool.what == "pause";
            live.about.paused = stands;
            if !stands {
                live.about.resumed = now();
            }
            format!("the host {} the clock", if stands { "stops" } else { "sets going" })
        }
        "remove" if seat => {
            let who = open::sitter(&app, live.kind.name(), "computer")?;
            app.store.end_links(&id, &tool.role, now()).await?;
            live.about.seats.insert(tool.role.clone(), who);
            live.about.covered.remove(&tool.role);
            format!("the host takes {} from its player; the computer stands in", tool.role)
        }
        "close" if !live.over => {
            live.end(None);
            room.keep(&mut live, &app.store).await?;
            "the host closes the game unfinished: nobody has lost".to_owned()
        }
        other => {
            return Err(ApiError::bad(format!(
                "no such tool for {:?}: {other}; there are who, link (of a seat or spectator), remove, pace, pause, resume and close",
                tool.role
            )));
        }
    };
    room.keep_about(&mut live, &app.store).await?;
    room.note(&mut live, &app.store, &words).await?;
    drop(live);
    room.publish();
    Ok(Links { id, links, commitment: None })
}
