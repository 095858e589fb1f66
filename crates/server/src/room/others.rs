//! Those who act without being asked by a request: computer players, standing replies, the pace.

use super::{Live, Room};
use crate::app::App;
use crate::hooks::Asked;
use crate::wire::{Pace, Replies};
use game::{Actor, AnyTable, Seat, Viewer};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// What is to be done for somebody who is not asked.
enum Next {
    /// A choice is answered by its owner's standing reply.
    Reply { name: String, text: String },
    /// A computer thinks.
    Think { seat: Seat, name: String, level: String },
    /// A choice answers itself after so many seconds.
    Later { seconds: u64 },
}

/// After every change: lets standing replies answer and computers think, until a person is asked.
pub(crate) fn settle(app: &Arc<App>, room: &Arc<Room>) {
    let (app, room) = (app.clone(), room.clone());
    tokio::spawn(async move {
        // Bounded only by the game: every round adds a line or ends.
        while round(&app, &room).await {}
    });
}

/// One round; whether another may follow at once.
async fn round(app: &Arc<App>, room: &Arc<Room>) -> bool {
    let mut live = room.live.lock().await;
    if live.over || live.lost || app.closing() || live.asks().is_some() {
        return false;
    }
    match live.next() {
        None => false,
        Some(Next::Reply { name, text }) => {
            let Some(actor) = Actor::named(&name, live.seats()) else { return false };
            *live.about.replied.entry(name.clone()).or_default() += 1;
            live.dirty = true;
            let done = answer(app, room, &mut live, actor, &text).await;
            if !done && let Some(n) = live.about.replied.get_mut(&name) {
                *n -= 1;
            }
            if done {
                // A standing reply is private, and so is its use until the game is over: whoever gave it is told.
                let words = format!("your standing reply answered: {text}");
                if room.say_as(&mut live, &app.store, "table", format!("seat:{name}"), &words).await.is_err()
                {
                    tracing::warn!(game = %room.id, "a note could not be kept");
                }
                room.publish();
            }
            done
        }
        Some(Next::Later { seconds }) => {
            let lines = live.version;
            drop(live);
            let (app, room) = (app.clone(), room.clone());
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                let mut live = room.live.lock().await;
                if live.version == lines
                    && !live.over
                    && !live.lost
                    && !app.closing()
                    && !live.about.paused
                    && let Some((name, stands)) = live.open_choice()
                {
                    let Some(actor) = Actor::named(&name, live.seats()) else { return };
                    if answer(&app, &room, &mut live, actor, &stands).await {
                        drop(live);
                        settle(&app, &room);
                    }
                }
            });
            false
        }
        Some(Next::Think { seat, name, level }) => {
            live.thinking.insert(seat.0);
            let possible: Arc<dyn AnyTable> = Arc::from(live.table.possible_for(
                Viewer::Seat(seat),
                live.version.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
                None,
            ));
            let rules = live.table.record().header.rules.clone();
            let version = live.version;
            drop(live);
            room.publish();
            let text = think(app, possible.clone(), rules, seat, level, version).await;
            let mut live = room.live.lock().await;
            live.thinking.remove(&seat.0);
            room.publish();
            if live.over || live.lost || app.closing() {
                return false;
            }
            let Some(actor) = Actor::named(&name, live.seats()) else { return false };
            let known = text.is_some();
            if let Some(text) = text {
                if answer(app, room, &mut live, actor, &text).await {
                    return true;
                }
                if live.asks().is_some() {
                    return false;
                }
                if live.version != version {
                    return true; // overtaken: it thinks anew
                }
                tracing::warn!(game = %room.id, "a computer's command was refused; the plainest one is taken");
            }
            if live.version != version && !known {
                return true;
            }
            for text in plainest(&live, seat, possible.as_ref()) {
                if answer(app, room, &mut live, actor, &text).await {
                    return true;
                }
                if live.asks().is_some() {
                    return false;
                }
            }
            tracing::error!(game = %room.id, "a computer finds no command that is accepted");
            false
        }
    }
}

/// Gives a command for a seat that no request stands behind; whether it was carried out.
async fn answer(app: &App, room: &Room, live: &mut Live, actor: Actor, text: &str) -> bool {
    let name = actor.name(live.seats());
    match live.play_for(&name, actor, text) {
        Ok(true) => {}
        Ok(false) => {
            room.publish();
            return false;
        }
        Err(_) => return false,
    }
    let kept = room.keep(live, &app.store).await.is_ok();
    room.publish();
    kept
}

/// The thinking itself, on a thread of the pool.
async fn think(
    app: &Arc<App>,
    possible: Arc<dyn AnyTable>,
    rules: Value,
    seat: Seat,
    level: String,
    version: u64,
) -> Option<String> {
    let computer = app.hooks.computer.clone()?;
    let permit = app.pool.clone().acquire_owned().await.ok()?;
    let limit = app.config.think;
    let work = tokio::task::spawn_blocking(move || {
        // The place in the pool is given back only when the thread is: a player that overruns blocks no game, but
        // neither may it let more threads run than there are places.
        let _permit = permit;
        let guess = version ^ 0xD1B5_4A32_D192_ED03;
        computer.choose(&Asked { table: possible.as_ref(), rules: &rules, seat, level: &level, guess, limit })
    });
    tokio::time::timeout(limit * 2 + Duration::from_millis(500), work).await.ok()?.ok()?
}

/// What is taken where no computer player knows better: what stands; otherwise candidates, the last first, since games
/// offer "that is all" after everything else.
fn plainest(live: &Live, seat: Seat, possible: &dyn AnyTable) -> Vec<String> {
    let name = live.named(seat);
    let stands = live.table.owes().into_iter().find(|d| d["seat"] == name.as_str());
    let stands = stands.and_then(|d| d["stands"].as_str().map(str::to_owned));
    let candidates = possible.candidates(seat);
    stands.into_iter().chain(candidates.into_iter().rev().take(50)).collect()
}

impl Live {
    fn next(&self) -> Option<Next> {
        let owes = self.table.owes();
        for debt in &owes {
            let Some(name) = debt["seat"].as_str() else { continue };
            let Some(Actor::Seat(seat)) = Actor::named(name, self.seats()) else { continue };
            if let Some(level) = self.plays(name) {
                if !self.thinking.contains(&seat.0) {
                    return Some(Next::Think { seat, name: name.to_owned(), level: level.to_owned() });
                }
                continue;
            }
            if debt["kind"] != "choice" {
                continue;
            }
            let replies = self.replies.get(name).cloned().unwrap_or_default();
            let ask = |word: &str| self.table.ask(&format!("answer {word}")).unwrap_or_default();
            if let Some(text) = reply(&replies, self.about.pace, debt, &ask) {
                return Some(Next::Reply { name: name.to_owned(), text });
            }
        }
        self.open_choice()?;
        if self.about.paused {
            return None;
        }
        self.about.pace.answers_itself().map(|seconds| Next::Later { seconds })
    }

    /// The first choice of a person that is open, and what stands.
    pub(crate) fn open_choice(&self) -> Option<(String, String)> {
        self.table.owes().iter().find_map(|debt| {
            let name = debt["seat"].as_str()?;
            if self.plays(name).is_some() {
                return None;
            }
            Some((name.to_owned(), debt["stands"].as_str()?.to_owned()))
        })
    }
}

/// The answer of a standing reply to a choice; `None`: its owner wants to be asked. What answer a word means that is no
/// part of one (`nearest`) the game is asked.
fn reply(replies: &Replies, pace: Pace, debt: &Value, ask: &dyn Fn(&str) -> Vec<String>) -> Option<String> {
    let about = debt["about"].as_str().unwrap_or("").to_lowercase();
    let stands = debt["stands"].as_str()?;
    for prefer in &replies.prefer {
        if !concerns(&about, &prefer.about.to_lowercase()) {
            continue;
        }
        match prefer.answer.to_lowercase().as_str() {
            "" => return Some(stands.to_owned()),
            "ask" => return None,
            wanted => {
                let answers: Vec<&str> =
                    debt["answers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let named = answers.iter().find(|a| a.to_lowercase().contains(wanted));
                let meant = || {
                    let told = ask(wanted);
                    answers.iter().find(|a| told.iter().any(|t| t.eq_ignore_ascii_case(a)))
                };
                if let Some(found) = named.or_else(meant) {
                    return Some((*found).to_owned());
                }
            }
        }
    }
    match (replies.mode.as_str(), pace) {
        ("stands", _) | ("", Pace::Post) => Some(stands.to_owned()),
        _ => None,
    }
}

/// Whether the words of a choice contain these, and not as the beginning of a longer label: `A.Sht1` is not `A.Sht12`.
fn concerns(about: &str, words: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    about
        .match_indices(words)
        .any(|(at, _)| !(digit(words.chars().last()) && digit(about[at + words.len()..].chars().next())))
}

/// After a start: games in which a computer owes something go on.
pub(crate) async fn think_at_start(app: &Arc<App>) {
    let Ok(games) = app.store.latest(app.config.resume).await else { return };
    for kept in games.into_iter().filter(|g| !g.over) {
        let about: super::About = serde_json::from_str(&kept.about).unwrap_or_default();
        if about.seats.values().all(|w| !w.starts_with("computer:")) && about.pace != Pace::Live {
            continue;
        }
        if let Ok(room) = app.room(&kept.id).await {
            settle(app, &room);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Prefer;
    use serde_json::json;

    #[test]
    fn standing_replies_answer_by_preference_then_mode_then_pace() {
        let debt = json!({ "about": "target of A.Art1", "answers": ["aim B.Kni1", "aim B.Kni2"], "stands": "aim B.Kni1" });
        let mut replies = Replies::default();
        let reply = |replies: &Replies, pace: Pace, debt: &Value| {
            let ask = |word: &str| if word == "nearest" { vec!["aim b.kni2".to_owned()] } else { Vec::new() };
            super::reply(replies, pace, debt, &ask)
        };
        assert_eq!(reply(&replies, Pace::Evening, &debt), None);
        assert_eq!(reply(&replies, Pace::Post, &debt).as_deref(), Some("aim B.Kni1"));
        replies.mode = "ask".into();
        assert_eq!(reply(&replies, Pace::Post, &debt), None);
        replies.prefer.push(Prefer { about: "art".into(), answer: "kni2".into() });
        assert_eq!(reply(&replies, Pace::Live, &debt).as_deref(), Some("aim B.Kni2"));
        replies.prefer.insert(0, Prefer { about: "target".into(), answer: "ask".into() });
        assert_eq!(reply(&replies, Pace::Post, &debt), None);
        // A word for an answer, and the reply of one piece before that of all; its label is not another's beginning.
        replies.prefer.insert(0, Prefer { about: "A.Art1".into(), answer: "nearest".into() });
        assert_eq!(reply(&replies, Pace::Evening, &debt).as_deref(), Some("aim B.Kni2"));
        replies.prefer[0].answer = "furthest".into();
        assert_eq!(reply(&replies, Pace::Evening, &debt), None);
        let other =
            json!({ "about": "target of A.Art12", "answers": ["aim B.Kni1"], "stands": "aim B.Kni1" });
        replies.prefer[0].answer = "nearest".into();
        replies.prefer.pop();
        assert_eq!(reply(&replies, Pace::Evening, &other), None);
    }
}
