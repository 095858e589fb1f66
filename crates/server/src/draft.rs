//! Drafts: games whose set-up is filled in by their seats, each apart and unseen by the others. With the last part the
//! game begins; who holds a role in the draft enters the game with it.

use crate::app::App;
use crate::auth::{HOST, Pass, SPECTATOR};
use crate::error::ApiError;
use crate::open;
use crate::room::now;
use crate::wire::{DraftState, Links, NewTable, Part};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The kind under which drafts stand in the store.
pub(crate) const KIND: &str = "draft";
/// The topic of the note that keeps a seat's part.
const TOPIC: &str = "part";

/// What the store keeps of a draft.
#[derive(Debug, Serialize, Deserialize)]
struct Draft {
    title: String,
    wish: NewTable,
    changes: Vec<Value>,
    game: Option<String>,
    /// Seats that have not filled in theirs.
    waits_for: Vec<String>,
}

/// Opens a draft.
///
/// # Errors
/// Everything wrong with its rules or seats.
pub(crate) async fn new(app: &Arc<App>, wish: NewTable) -> Result<Links, ApiError> {
    let kind = open::kind_of(app, &wish.kind)?;
    let (_, changes) = open::rules_of(kind, &wish)?;
    let setup =
        wish.setup.as_ref().ok_or_else(|| ApiError::bad("a draft has a set-up with parts left open"))?;
    if wish.parts.is_empty() || wish.seats.len() > 32 {
        return Err(ApiError::bad("a draft names its seats, and in parts what each of them fills in"));
    }
    for (seat, pointer) in &wish.parts {
        if !wish.seats.contains_key(seat) {
            return Err(ApiError::bad(format!("{seat} is to fill in a part but is not among the seats")));
        }
        if setup.pointer(pointer).is_none() {
            return Err(ApiError::bad(format!("there is no {pointer} in the set-up; write null there")));
        }
    }
    if let Some(name) = wish.seats.keys().find(|n| open::TAKEN.contains(&n.to_lowercase().as_str())) {
        return Err(ApiError::bad(format!("a seat cannot be called {name}")));
    }
    for who in wish.seats.values() {
        open::sitter(app, kind.name(), who)?;
    }
    if app.store.count().await? >= app.config.most_games {
        return Err(ApiError::broken("this server keeps as many games as it may; ask its operator"));
    }
    let people: Vec<String> =
        wish.seats.iter().filter(|(_, who)| *who == "person").map(|(name, _)| name.clone()).collect();
    let draft = Draft {
        title: wish.title.chars().take(120).collect(),
        waits_for: wish.parts.keys().cloned().collect(),
        wish,
        changes,
        game: None,
    };
    let id = crate::auth::id()?;
    app.store
        .create(store::NewGame {
            id: id.clone(),
            kind: KIND.to_owned(),
            header: "{}".to_owned(),
            key: None,
            about: serde_json::to_string(&draft).unwrap_or_default(),
            now: now(),
        })
        .await?;
    let mut links = BTreeMap::new();
    for role in people.iter().map(String::as_str).chain([HOST, SPECTATOR]) {
        links.insert(role.to_owned(), open::new_link(app, &id, role).await?);
    }
    Ok(Links { id, links, commitment: None })
}

async fn load(app: &App, id: &str) -> Result<Draft, ApiError> {
    let kept = app.store.game(id).await?;
    if kept.kind != KIND {
        return Err(ApiError::not_found());
    }
    serde_json::from_str(&kept.about).map_err(|_| ApiError::not_found())
}

/// The game of a draft (`Some(None)`: not yet); `None` if this is no draft.
pub(crate) async fn game_of(app: &App, id: &str) -> Result<Option<Option<String>>, ApiError> {
    if app.store.game(id).await?.kind == KIND { Ok(Some(load(app, id).await?.game)) } else { Ok(None) }
}

/// What a browser may see of a draft.
///
/// # Errors
/// If this is no draft.
pub(crate) async fn state(app: &App, id: &str, pass: &Pass) -> Result<DraftState, ApiError> {
    let draft = load(app, id).await?;
    let mut given = BTreeMap::new();
    let mut own = BTreeMap::new();
    for seat in draft.wish.parts.keys() {
        let part = app.store.note(id, seat, TOPIC).await?;
        given.insert(seat.clone(), part.is_some());
        if let (Some(part), true) = (part, pass.holds(seat)) {
            own.insert(seat.clone(), serde_json::from_str(&part).unwrap_or(Value::Null));
        }
    }
    Ok(DraftState {
        id: id.to_owned(),
        kind: draft.wish.kind,
        title: draft.title,
        roles: pass.roles.clone(),
        seats: draft.wish.seats,
        preset: draft.wish.preset,
        changes: draft.changes,
        rules_name: draft.wish.rules_name,
        pace: draft.wish.pace,
        given,
        own,
        game: draft.game,
    })
}

/// Fills in a seat's part.
///
/// # Errors
/// A part that cannot be right whatever the others are; a game that has begun.
pub(crate) async fn fill(app: &Arc<App>, id: &str, pass: &Pass, wish: Part) -> Result<(), ApiError> {
    let _one_at_a_time = app.drafts.lock().await;
    let mut draft = load(app, id).await?;
    if draft.game.is_some() {
        return Err(ApiError::conflict("begun", "the game has begun"));
    }
    let seat = match &wish.seat {
        Some(seat) => pass.roles.iter().find(|r| *r == seat),
        None => pass.roles.iter().find(|r| draft.wish.parts.contains_key(*r)),
    };
    let seat = seat.filter(|s| draft.wish.parts.contains_key(*s)).cloned();
    let seat = seat.ok_or_else(|| ApiError::not_yours("none of your seats fills in anything here"))?;
    // Judged with this very part in every open place: what is wrong then is wrong with it, and tells of no other.
    let mut trial = draft.wish.clone();
    trial.parts.values().for_each(|pointer| put(&mut trial.setup, pointer, &wish.part));
    let kind = open::kind_of(app, &trial.kind)?;
    let (rules, _) = open::rules_of(kind, &trial)?;
    let table = kind.table(&rules, &trial.setup.unwrap_or(Value::Null), None, Vec::new());
    let table = table.map_err(|p| ApiError::problems(&p))?;
    if let Some(name) = draft.wish.seats.keys().find(|n| !table.seats().contains(n)) {
        return Err(ApiError::bad(format!("the game has no seat {name}: {}", table.seats().join(", "))));
    }
    app.store.set_note(id, &seat, TOPIC, &wish.part.to_string()).await?;
    let mut whole = draft.wish.clone();
    draft.waits_for.clear();
    for (seat, pointer) in &draft.wish.parts {
        match app.store.note(id, seat, TOPIC).await? {
            Some(part) => {
                let part: Value = serde_json::from_str(&part).unwrap_or(Value::Null);
                put(&mut whole.setup, pointer, &part);
            }
            None => draft.waits_for.push(seat.clone()),
        }
    }
    if draft.waits_for.is_empty() {
        whole.parts.clear();
        draft.game = Some(open::new(app, whole).await?.id);
    }
    app.store.set_about(id, &serde_json::to_string(&draft).unwrap_or_default()).await?;
    Ok(())
}

fn put(setup: &mut Option<Value>, pointer: &str, part: &Value) {
    if let Some(place) = setup.as_mut().and_then(|s| s.pointer_mut(pointer)) {
        *place = part.clone();
    }
}
