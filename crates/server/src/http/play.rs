//! Playing: commands, previews, questions, taking back, consent.

use super::{Asked, Body, Shared, enter};
use crate::app::App;
use crate::error::ApiError;
use crate::room::{previewed, settle, try_out};
use crate::wire::{
    Agree, Aid, Answered, Brief, Candidates, Command, Done, Ended, Failure, Press, Preview, Previewed,
    Propose, PutRight, Question, Undo,
};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use game::{Actor, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;
use utoipa::IntoParams;

/// At most so many candidates in one answer.
const MOST_CANDIDATES: usize = 2000;

/// Runs what changes a table to its end, even if the client hangs up in the middle: a die that fell is kept.
pub(crate) async fn to_the_end<T: Send + 'static>(
    app: &Arc<App>,
    id: &str,
    work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::spawn(work).await {
        Ok(done) => {
            if done.as_ref().is_err_and(|e| e.status == StatusCode::SERVICE_UNAVAILABLE) {
                app.forget(id);
            }
            done
        }
        Err(_) => {
            // A defect of a game must not take the table with it: it is set up anew from its record.
            tracing::error!(game = %id, "a command ended in a panic");
            app.forget(id);
            Err(ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "defect",
                "the program failed at this; the table is as it was before. Please report it with the record",
            ))
        }
    }
}

/// Gives a command.
#[utoipa::path(post, path = "/api/games/{id}/command", tag = "play", params(("id" = String, Path)),
    request_body = Command, responses(
    (status = 200, body = Done, description = "carried out and on disk"),
    (status = 403, body = Failure, description = "not a seat of yours"),
    (status = 404, body = Failure, description = "no valid link to this game"),
    (status = 409, body = Failure, description = "overtaken (with `version` and `preview`), over, or waiting for words"),
    (status = 422, body = Failure, description = "refused by a rule, or unread"),
    (status = 428, body = Failure, description = "typed dice are wanted: the same command again with them"),
    (status = 429, body = Failure, description = "too many requests")))]
pub(crate) async fn command(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(cmd): Body<Command>,
) -> Result<Json<Value>, ApiError> {
    let start = Instant::now();
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move { room.command(&app.store, &pass, &cmd).await }
    };
    let done = to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    app.metrics.commanded(start.elapsed());
    Ok(Json(done))
}

/// Puts right dice that one typed wrongly: until the next command, and for all to see.
#[utoipa::path(post, path = "/api/games/{id}/dice", tag = "play", params(("id" = String, Path)),
    request_body = PutRight, responses((status = 200, body = Done), (status = 409, body = Failure, description = "too late"),
    (status = 422, body = Failure), (status = 428, body = Failure, description = "with these, more dice are wanted")))]
pub(crate) async fn put_right(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<PutRight>,
) -> Result<Json<Value>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move { room.put_right(&app.store, &pass, &wish).await }
    };
    let done = to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(Json(done))
}

/// Tries a command on a possible table, made from the seat's view.
#[utoipa::path(post, path = "/api/games/{id}/preview", tag = "play", params(("id" = String, Path)),
    request_body = Preview, responses((status = 200, body = Previewed), (status = 404, body = Failure)))]
pub(crate) async fn preview(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Preview>,
) -> Result<Json<Previewed>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    if wish.text.len() > crate::room::LONGEST_COMMAND || wish.dice.len() > 1000 || wish.ask.len() > 8 {
        return Err(ApiError::bad("too long for a command"));
    }
    let (table, who, version) = {
        let mut live = room.live.lock().await;
        let who = live.who(&pass, wish.seat.as_deref())?;
        for question in &wish.ask {
            allowed(&live.about.without, question)?;
        }
        (live.possible(who.viewer), who.clone(), live.stream(who.viewer).version())
    };
    // Who only watches may try what anybody might do, as he knows the table.
    let first = table.first_to_act().map_or(Actor::All, Actor::Seat);
    let actor = who.actor.unwrap_or(first);
    let tried = off_thread(&app, move || {
        let tried = try_out(table.as_ref(), actor, &wish.text, &wish.dice, who.viewer);
        let mut told = previewed(tried, version, wish.view);
        if !wish.ask.is_empty() && told.answer == "done" {
            let mut then = table.possible_for(who.viewer, crate::room::GUESS, None);
            then.command(actor, &wish.text, &mut dice::Scripted::new(wish.dice.iter().copied()));
            told.answers = wish.ask.iter().map(|q| then.ask(q).unwrap_or_default()).collect();
        }
        told
    });
    Ok(Json(tried.await?))
}

/// Questions that a battle without odds does not answer, before a fight or in a trial.
fn allowed(without: &[Aid], question: &str) -> Result<(), ApiError> {
    let first = question.split_whitespace().next().unwrap_or("").to_lowercase();
    if without.contains(&Aid::Odds) && ["odds", "factors"].contains(&first.as_str()) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "aid",
            "this battle is played without odds and factors before a fight, by both sides",
        ));
    }
    Ok(())
}

/// Work on a copy that may take a while.
async fn off_thread<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let permit = app.trials.clone().acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    done.await.map_err(|_| {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "defect",
            "the program failed at this; please report it",
        )
    })
}

/// What of the candidates is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wish {
    /// The seat.
    seat: Option<String>,
    /// `true`: with what each would do.
    events: bool,
    /// Only commands that begin so, in any case.
    begin: String,
    /// Only commands that name this piece, in any case.
    about: String,
    /// At most so many (2000 at most).
    most: Option<usize>,
}

/// Commands that a seat may give now.
#[utoipa::path(get, path = "/api/games/{id}/candidates", tag = "play", params(("id" = String, Path), Wish),
    responses((status = 200, body = Candidates), (status = 404, body = Failure)))]
pub(crate) async fn candidates(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(wish): Asked<Wish>,
) -> Result<Json<Candidates>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let (table, seat, version) = {
        let mut live = room.live.lock().await;
        let (seat, _) = live.seat(&pass, wish.seat.as_deref())?;
        let viewer = Viewer::Seat(seat);
        (live.possible(viewer), seat, live.stream(viewer).version())
    };
    let all = off_thread(&app, move || {
        let most = wish.most.unwrap_or(MOST_CANDIDATES).min(MOST_CANDIDATES);
        let begin = wish.begin.to_lowercase();
        let mut texts = table.candidates(seat);
        texts.retain(|t| t.to_lowercase().starts_with(&begin));
        if !wish.about.is_empty() {
            let names = |t: &String| t.split([' ', ',']).any(|w| w.eq_ignore_ascii_case(&wish.about));
            texts.retain(names);
        }
        let more = texts.len() > most;
        texts.truncate(most);
        let one = |text: String| {
            if wish.events {
                let tried = try_out(table.as_ref(), Actor::Seat(seat), &text, &[], Viewer::Seat(seat));
                previewed(tried, version, false)
            } else {
                Previewed { answer: "done".to_owned(), version, text: Some(text), ..Previewed::default() }
            }
        };
        Candidates { version, candidates: texts.into_iter().map(one).collect(), more }
    });
    Ok(Json(all.await?))
}

/// Asks about the table as the viewer knows it: factors, odds, distances.
#[utoipa::path(post, path = "/api/games/{id}/ask", tag = "play", params(("id" = String, Path)),
    request_body = Question, responses((status = 200, body = Answered), (status = 422, body = Failure)))]
pub(crate) async fn ask(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Question>,
) -> Result<Json<Answered>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let table = {
        let mut live = room.live.lock().await;
        let who = live.who(&pass, wish.seat.as_deref())?;
        allowed(&live.about.without, &wish.question)?;
        live.possible(who.viewer)
    };
    let answer = off_thread(&app, move || table.ask(&wish.question)).await?;
    let answer = answer.map_err(|p| ApiError::problems(&vec![p]))?;
    Ok(Json(Answered { answer }))
}

/// For whom a note is, and from where on.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct For {
    /// The role with whose eyes it is written; left out: the first held.
    seat: Option<String>,
    /// The seat that it is for; left out: the role itself, if it is a seat.
    to: Option<String>,
    /// Only what came after this version of the viewer; left out: what the game finds worth telling.
    after: u64,
}

/// A line for a seat that comes back, or for the opponent to whom the game is handed over: how things stand for it and
/// what it lost. It holds nothing that the one who asks does not know.
#[utoipa::path(get, path = "/api/games/{id}/note", tag = "play", params(("id" = String, Path), For),
    responses((status = 200, body = Brief), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub(crate) async fn note(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(wish): Asked<For>,
) -> Result<Json<Brief>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let (version, to, items, words) = {
        let live = room.live.lock().await;
        let who = live.who(&pass, wish.seat.as_deref())?;
        let to = wish.to.filter(|t| !t.is_empty()).unwrap_or_else(|| who.role.clone());
        let Some(Actor::Seat(seat)) = Actor::named(&to, live.seats()) else {
            return Err(ApiError::bad(format!("a note is for a seat: {}", live.seats().join(", "))));
        };
        let (items, words) = live.brief(who.viewer, seat, wish.after);
        (live.stream(who.viewer).version(), live.named(seat), items, words)
    };
    let words = off_thread(&app, words).await?;
    Ok(Json(Brief { version, to, words, items }))
}

/// What everybody may know once a game is over: what was hidden to the end, how long it took.
#[utoipa::path(get, path = "/api/games/{id}/ended", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Ended), (status = 404, body = Failure),
    (status = 409, body = Failure, description = "it is not over")))]
pub(crate) async fn ended(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Ended>, ApiError> {
    let (room, _) = enter(&app, &headers, &id).await?;
    let live = room.live.lock().await;
    if !live.over {
        return Err(ApiError::conflict("running", "the game is not over yet"));
    }
    Ok(Json(live.ended()))
}

/// Whether something was done at once, or waits for others.
fn done_or_asked(done: bool) -> (StatusCode, Json<Value>) {
    let status = if done { StatusCode::OK } else { StatusCode::ACCEPTED };
    (status, Json(json!({ "done": done })))
}

/// Takes back.
#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "play", params(("id" = String, Path)),
    request_body = Undo, responses((status = 200, description = "taken back"),
    (status = 202, description = "the others are asked"), (status = 422, body = Failure)))]
pub(crate) async fn undo(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Undo>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move { room.undo(&app.store, &pass, &wish).await }
    };
    let done = to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(done_or_asked(done))
}

/// Proposes a draw, a ruling, or to close an unfinished game.
#[utoipa::path(post, path = "/api/games/{id}/propose", tag = "play", params(("id" = String, Path)),
    request_body = Propose, responses((status = 200, description = "carried out: nobody else need be asked"),
    (status = 202, description = "the others are asked"), (status = 422, body = Failure)))]
pub(crate) async fn propose(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Propose>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move { room.propose(&app.store, &pass, &wish).await }
    };
    let done = to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(done_or_asked(done))
}

/// Answers a proposal.
#[utoipa::path(post, path = "/api/games/{id}/agree", tag = "play", params(("id" = String, Path)),
    request_body = Agree, responses((status = 200, description = "carried out"),
    (status = 202, description = "noted"), (status = 409, body = Failure)))]
pub(crate) async fn agree(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Agree>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move { room.agree(&app.store, &pass, wish.proposal, wish.agree).await }
    };
    let done = to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(done_or_asked(done))
}

/// For whoever keeps others waiting: after the pace's patience what stands answers, or, where that was agreed on, the
/// computer plays; the commander-in-chief ends an ally's step, the host that of the absent.
#[utoipa::path(post, path = "/api/games/{id}/press", tag = "play", params(("id" = String, Path)),
    request_body = Press, responses((status = 200, description = "done"), (status = 403, body = Failure),
    (status = 409, body = Failure, description = "too early, or nothing is open")))]
pub(crate) async fn press(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Press>,
) -> Result<Json<Value>, ApiError> {
    let (room, pass) = enter(&app, &headers, &id).await?;
    let work = {
        let (app, room) = (app.clone(), room.clone());
        async move {
            let kind = room.live.lock().await.kind.name();
            let levels = app.hooks.computer.as_ref().map(|c| c.levels(kind)).unwrap_or_default();
            room.press(&app.store, &pass, &wish, levels.into_iter().next()).await
        }
    };
    to_the_end(&app, &id, work).await?;
    settle(&app, &room);
    Ok(Json(json!({ "done": true })))
}
