//! Opening games: new ones, records brought in, rematches.

use crate::app::App;
use crate::auth::{self, HOST, SPECTATOR, UMPIRE};
use crate::error::ApiError;
use crate::room::{About, Room, now, opened, settle};
use crate::wire::{DiceBy, Import, Links, NewTable};
use dice::Key;
use game::record::{Act, Header, Record};
use game::{AnyGame, Problem};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Names that no seat may have: they are roles of their own.
pub(crate) const TAKEN: [&str; 5] = [HOST, SPECTATOR, UMPIRE, "table", "all"];

/// A game that is ready to be kept.
struct Ready {
    kind: &'static dyn AnyGame,
    header: Header,
    lines: Vec<String>,
    over: bool,
    key: Option<Key>,
    about: About,
    umpire: bool,
}

pub(crate) fn kind_of(app: &App, name: &str) -> Result<&'static dyn AnyGame, ApiError> {
    app.games.iter().copied().find(|g| g.name() == name).ok_or_else(|| {
        let names = app.games.iter().map(|g| g.name());
        ApiError::problems(&vec![Problem::new(format!("unknown game: {name}")).meant(name, names)])
    })
}

fn new_key(app: &App, dice: DiceBy) -> Result<Option<Key>, ApiError> {
    Ok(match (dice, app.config.seed) {
        (DiceBy::Server, Some(seed)) => Some(Key::from_seed(seed.wrapping_add(app.next_opened()))),
        (DiceBy::Server, None) => Some(Key::new(auth::bytes::<32>()?)),
        (DiceBy::Typed, _) => None,
    })
}

/// The rules of a wish, and what of them differs from their edition.
///
/// # Errors
/// What of them does not read.
pub(crate) fn rules_of(kind: &dyn AnyGame, wish: &NewTable) -> Result<(Value, Vec<Value>), ApiError> {
    let sets: Vec<(String, String)> = wish
        .sets
        .iter()
        .map(|set| {
            let (key, value) = set.split_once('=').ok_or_else(|| {
                ApiError::bad(format!("{set}: an option is written key=value, like hott.zoc_depth=100p"))
            })?;
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        })
        .collect::<Result<_, ApiError>>()?;
    let file = wish.rules_file.as_deref().map(|text| ("rules file", text));
    let preset = wish.preset.as_deref();
    let rules = kind.rules_from(preset, file, &sets).map_err(|p| ApiError::problems(&p))?;
    let plain = kind.rules_from(preset, None, &[]).unwrap_or(Value::Null);
    let mut changes = Vec::new();
    differences("", &plain, &rules, &mut changes);
    Ok((rules, changes))
}

/// Opens a new game.
///
/// # Errors
/// Everything wrong with rules, set-up or seats.
pub(crate) async fn new(app: &Arc<App>, wish: NewTable) -> Result<Links, ApiError> {
    new_with(app, wish, None).await
}

/// As [`new`], with the key of the dice if it is given: only from inside the program.
///
/// # Errors
/// As there.
pub(crate) async fn new_with(app: &Arc<App>, wish: NewTable, key: Option<Key>) -> Result<Links, ApiError> {
    let kind = kind_of(app, &wish.kind)?;
    let (rules, changes) = rules_of(kind, &wish)?;
    // Reading set-ups and making boards may take a while: not on the threads that serve requests.
    let (setup, notation) = (wish.setup.clone(), wish.notation.clone());
    let mut header = tokio::task::spawn_blocking(move || {
        let table = match (&setup, &notation) {
            (Some(setup), None) => kind.table(&rules, setup, None, Vec::new()),
            (None, Some(notation)) => kind.open_notation(&rules, notation),
            _ => Err(vec![Problem::new("a game begins from a set-up or from a notation: give one of them")]),
        };
        table.map(|t| t.record().header.clone())
    })
    .await
    .map_err(|_| ApiError::bad("this set-up cannot be opened"))?
    .map_err(|p| ApiError::problems(&p))?;
    let key = match (wish.dice, key) {
        (DiceBy::Server, Some(key)) => Some(key),
        (dice, _) => new_key(app, dice)?,
    };
    header.commitment = key.as_ref().map(Key::commitment);
    let about = About {
        title: short(&wish.title),
        seats: seats(app, kind, &header.seats, &wish.seats)?,
        pace: wish.pace,
        dice: wish.dice,
        host_rules: wish.host_rules,
        stand_in: wish.stand_in,
        wait_for_words: wish.wait_for_words && key.is_some(),
        preset: wish.preset,
        changes,
        rules_name: short(&wish.rules_name),
        without: wish.without,
        ..About::default()
    };
    keep(app, Ready { kind, header, lines: Vec::new(), over: false, key, about, umpire: wish.umpire }).await
}

/// Brings a record in. One that is over is kept as it is; one that is not is played on from where it stands, with dice
/// of its own, since its key is not known here.
///
/// # Errors
/// What of it does not read or does not replay.
pub(crate) async fn import(app: &Arc<App>, wish: Import) -> Result<Links, ApiError> {
    let one = |p: Problem| ApiError::problems(&vec![p]);
    let record = Record::parse(&wish.record).map_err(one)?;
    if let Some(problem) = record.broken.clone() {
        return Err(one(problem));
    }
    let kind = kind_of(app, &record.header.game)?;
    let over = matches!(record.lines.last().map(|l| &l.act), Some(Act::End { .. }));
    let copy = record.clone();
    let notation = tokio::task::spawn_blocking(move || {
        use game::{DiceVerdict, Lines, Play};
        let verdict = kind.verify(&copy);
        // A record that lies is no game to look at, and none to play on.
        if let Lines::PartsAt(problem) = verdict.lines {
            return Err(problem);
        }
        if let DiceVerdict::PartsAt(problem) = verdict.dice {
            return Err(problem);
        }
        if let Play::PartsAt(problem) = verdict.play {
            return Err(problem);
        }
        let table = kind.replay(&copy)?;
        Ok::<_, Problem>(table.notation())
    })
    .await
    .map_err(|_| ApiError::bad("this record cannot be replayed"))?
    .map_err(one)?;
    let title = if wish.title.is_empty() { "brought in" } else { &wish.title };
    let mut about = About {
        title: short(title),
        seats: seats(app, kind, &record.header.seats, &wish.seats)?,
        imported: over,
        dice: if record.header.commitment.is_some() || !over { DiceBy::Server } else { DiceBy::Typed },
        ..About::default()
    };
    if over {
        let lines = record.lines.iter().map(game::record::Line::print).collect();
        let ready = Ready { kind, header: record.header, lines, over, key: None, about, umpire: false };
        return keep(app, ready).await;
    }
    about.changes = vec![json!({ "key": "played on from a record", "here": record.lines.len() })];
    let key = new_key(app, DiceBy::Server)?;
    let rules = record.header.rules.clone();
    let mut header =
        kind.open_notation(&rules, &notation).map_err(|p| ApiError::problems(&p))?.record().header.clone();
    header.commitment = key.as_ref().map(Key::commitment);
    keep(app, Ready { kind, header, lines: Vec::new(), over, key, about, umpire: false }).await
}

/// The same rules and set-up again; with `swap` everybody moves on by one seat. The new host link goes to the caller;
/// the others follow with the cookies of the old game.
///
/// # Errors
/// If there is one already.
pub(crate) async fn rematch(app: &Arc<App>, room: &Room, swap: bool) -> Result<Links, ApiError> {
    let mut live = room.live.lock().await;
    if !live.over {
        return Err(ApiError::conflict("running", "the game is not over yet"));
    }
    if live.about.rematch.is_some() {
        return Err(ApiError::conflict(
            "rematch",
            "there is a rematch already; enter it with the link of this game",
        ));
    }
    let names = live.seats().to_vec();
    let shift = usize::from(swap);
    let next = |n: usize| names[(n + shift) % names.len().max(1)].clone();
    let follows: BTreeMap<String, String> =
        names.iter().enumerate().map(|(n, name)| (name.clone(), next(n))).collect();
    let sits = |name: &String| {
        let who = live.about.seats.get(name).cloned().unwrap_or_else(|| "person".to_owned());
        (follows[name].clone(), who)
    };
    let seats = names.iter().map(sits).collect();
    let key = new_key(app, live.about.dice)?;
    let mut header = live.table.record().header.clone();
    header.commitment = key.as_ref().map(Key::commitment);
    header.words = Vec::new();
    let old = &live.about;
    let about = About {
        title: old.title.clone(),
        seats,
        pace: old.pace,
        dice: old.dice,
        host_rules: old.host_rules,
        stand_in: old.stand_in,
        wait_for_words: old.wait_for_words,
        preset: old.preset.clone(),
        changes: old.changes.clone(),
        rules_name: old.rules_name.clone(),
        without: old.without.clone(),
        ..About::default()
    };
    let kind = live.kind;
    let ready = Ready { kind, header, lines: Vec::new(), over: false, key, about, umpire: false };
    let links = keep(app, ready).await?;
    live.about.rematch = Some((links.id.clone(), follows));
    room.keep_about(&mut live, &app.store).await?;
    drop(live);
    room.publish();
    Ok(links)
}

async fn keep(app: &Arc<App>, ready: Ready) -> Result<Links, ApiError> {
    if app.store.count().await? >= app.config.most_games {
        return Err(ApiError::broken("this server keeps as many games as it may; ask its operator"));
    }
    let Ready { kind, header, lines, over, key, mut about, umpire } = ready;
    // What is kept must open again, or the game could not be played.
    let table = opened(kind, header.clone()).map_err(|p| ApiError::problems(&vec![p]))?;
    about.waits_for = table.owes().iter().filter_map(|d| d["seat"].as_str().map(str::to_owned)).collect();
    let id = auth::id()?;
    let at = now();
    app.store
        .create(store::NewGame {
            id: id.clone(),
            kind: kind.name().to_owned(),
            header: header.print(),
            key: key.as_ref().map(Key::to_string),
            about: serde_json::to_string(&about).unwrap_or_default(),
            now: at,
        })
        .await?;
    if !lines.is_empty() {
        app.store.append(&id, 0, lines, over, at).await?;
    }
    let mut links = BTreeMap::new();
    let seats = header.seats.iter().filter(|s| about.seats.get(*s).is_none_or(|w| w == "person"));
    let mut roles: Vec<&str> = seats.map(String::as_str).collect();
    roles.extend([HOST, SPECTATOR]);
    if umpire {
        roles.push(UMPIRE);
    }
    for role in roles {
        links.insert(role.to_owned(), new_link(app, &id, role).await?);
    }
    app.metrics.games.fetch_add(1, Relaxed);
    tracing::info!(game = %id, kind = kind.name(), "opened");
    if !over {
        let room = app.room(&id).await?;
        settle(app, &room);
    }
    Ok(Links { id, links, commitment: header.commitment })
}

/// A new secret link to a role.
pub(crate) async fn new_link(app: &App, id: &str, role: &str) -> Result<String, ApiError> {
    let token = auth::token()?;
    app.store.add_link(&token, id, role, now()).await?;
    Ok(format!("/t/{id}#{token}"))
}

/// Who sits where, every seat named.
fn seats(
    app: &App,
    kind: &dyn AnyGame,
    names: &[String],
    wished: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, ApiError> {
    if let Some(name) = names.iter().find(|n| TAKEN.contains(&n.to_lowercase().as_str())) {
        return Err(ApiError::bad(format!("a seat cannot be called {name}")));
    }
    if let Some(name) = wished.keys().find(|n| !names.contains(n)) {
        let problem = Problem::new(format!("there is no seat {name}"));
        return Err(ApiError::problems(&vec![problem.meant(name, names.iter().map(String::as_str))]));
    }
    let mut all = BTreeMap::new();
    for name in names {
        let who = wished.get(name).map_or("person", String::as_str);
        all.insert(name.clone(), sitter(app, kind.name(), who)?);
    }
    Ok(all)
}

/// `person`, or `computer:LEVEL` of a level that there is.
pub(crate) fn sitter(app: &App, kind: &str, who: &str) -> Result<String, ApiError> {
    if who == "person" {
        return Ok(who.to_owned());
    }
    let Some(level) = who.strip_prefix("computer").map(|l| l.trim_start_matches(':')) else {
        return Err(ApiError::bad(format!("{who:?} cannot sit at a table; person or computer:LEVEL can")));
    };
    let levels = app.hooks.computer.as_ref().map(|c| c.levels(kind)).unwrap_or_default();
    let level = match level {
        "" => levels.first().cloned(),
        level => levels.iter().find(|l| l.eq_ignore_ascii_case(level)).cloned(),
    };
    level.map(|l| format!("computer:{l}")).ok_or_else(|| {
        let known = if levels.is_empty() {
            "no computer plays it here".to_owned()
        } else {
            format!("there are {}", levels.join(", "))
        };
        ApiError::bad(format!("no computer player for {who:?}: {known}"))
    })
}

fn short(title: &str) -> String {
    title.chars().filter(|c| !c.is_control()).take(120).collect()
}

/// Every leaf that differs between the rules of an edition and those in force.
fn differences(path: &str, plain: &Value, here: &Value, out: &mut Vec<Value>) {
    match (plain, here) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys().filter(|k| !a.contains_key(*k))) {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let get = |o: &serde_json::Map<String, Value>| o.get(key).cloned().unwrap_or(Value::Null);
                differences(&path, &get(a), &get(b), out);
            }
        }
        (a, b) if a == b => {}
        _ => out.push(json!({ "key": path, "default": plain, "here": here })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_the_edition_is_named_leaf_by_leaf() {
        let mut out = Vec::new();
        let plain = json!({ "options": { "a": 1, "b": "x" }, "tables": [1, 2] });
        differences("", &plain, &json!({ "options": { "a": 2, "b": "x" }, "tables": [1, 2] }), &mut out);
        assert_eq!(out, [json!({ "key": "options.a", "default": 1, "here": 2 })]);
    }
}
