//! From hand to hand: notes for whoever comes back, taking back past secret acts, seats and restarts, what logs hold.

use crate::support::*;
use axum::body::Body;
use game::record::Record;
use serde_json::{Value, json};
use server::Hooks;
use std::sync::{Arc, Mutex};

fn battle() -> Value {
    let army = json!({ "army": "Wood", "commands": [{ "elements": [
        { "type": "Hero", "general": true, "count": 1 }, { "type": "Shooter", "count": 4 },
        { "type": "Knight", "count": 3 }, { "type": "Lurker", "count": 2 }, { "type": "Horde", "count": 2 } ] }] });
    json!({ "kind": "hott", "setup": { "sides": [army, army], "defender": "A", "bound_limit": 6,
        "edges": { "A": "lower", "B": "upper" }, "ground": [] } })
}

/// Plays the first thing that comes until `done`; whose turn it is then.
async fn on(seats: &mut [Browser], done: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..60 {
        let state = seats[0].table().await;
        if done(&state) {
            return state;
        }
        let n = usize::from(state["owes"][0]["seat"] == "B");
        let about = state["owes"][0]["about"].as_str().unwrap_or("").to_owned();
        let text = if about.contains("moves") {
            "end moves".to_owned()
        } else {
            let (_, all) = seats[n].get(&seats[n].at("candidates")).await;
            all["candidates"][0]["do"].as_str().unwrap().to_owned()
        };
        let (status, body) = seats[n].play(&text).await;
        assert_eq!(status, 200, "{text}: {body}");
    }
    panic!("it does not come to that: {}", seats[0].table().await["owes"]);
}

fn moves_of(seat: &'static str) -> impl Fn(&Value) -> bool {
    move |state| {
        let owed = &state["owes"][0];
        owed["seat"] == seat && owed["about"].as_str().is_some_and(|a| a.contains("moves"))
    }
}

#[tokio::test]
async fn whoever_comes_back_is_told_how_things_stand_and_so_may_his_opponent_tell_him() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, battle(), &["A", "B", "spectator"]).await;
    on(&mut seats, moves_of("A")).await;
    let (_, note) = seats[0].get(&seats[0].at("note")).await;
    let words = note["words"].as_str().unwrap();
    assert!(words.starts_with("Bound 1, you have ") && words.ends_with(['s', 'P']), "{note}");
    let (_, note) = seats[1].get(&seats[1].at("note")).await;
    assert_eq!(note["words"], "Bound 1, it is the turn of side A");
    on(&mut seats, moves_of("B")).await;
    let (_, own) = seats[1].get(&seats[1].at("note")).await;
    assert!(own["words"].as_str().unwrap().starts_with("Bound 2, you have "), "{own}");
    for n in [0, 2] {
        let (_, told) = seats[n].get(&seats[n].at("note?to=B")).await;
        assert_eq!(told["words"], own["words"], "whoever hands over may copy it");
    }
    let (status, body) = seats[2].get(&seats[2].at("note")).await;
    assert_eq!(status, 422, "a spectator comes back to nothing: {body}");
}

#[tokio::test]
async fn a_secret_act_of_another_does_not_stop_taking_back_and_outlives_it() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, battle(), &["A", "B"]).await;
    on(&mut seats, moves_of("A")).await;
    let before = seats[0].table().await;
    let (_, all) = seats[0].get(&seats[0].at("candidates?begin=move&most=1")).await;
    assert_eq!(seats[0].play(all["candidates"][0]["do"].as_str().unwrap()).await.0, 200);
    let moved = seats[0].table().await;
    let (status, body) = seats[1].play("reply shooters most-aids").await;
    assert_eq!((status.as_u16(), &body["items"][0]["kind"]), (200, &json!("noted")), "{body}");
    assert_eq!(seats[0].table().await, moved, "A sees nothing of it");
    let undo = seats[0].at("undo");
    assert_eq!(seats[0].post(&undo, json!({})).await.0, 200);
    let after = seats[0].table().await;
    assert_eq!(after["view"], before["view"]);
    assert_eq!(seats[1].table().await["view"]["sides"][1]["reply"], "most-aids", "B did not ask for that");

    // What was shown, or a die, the other is asked about; and a secret act of his leaves the wish as it is.
    assert_eq!(seats[0].post(&undo, json!({ "to": 3 })).await.0, 202);
    let asked = seats[0].table().await;
    assert_eq!(asked["proposals"][0]["what"], "undo");
    assert_eq!(seats[1].play("reply shooters by-rule").await.0, 200);
    assert_eq!(seats[0].table().await, asked);
    // An act that A sees makes it pointless.
    assert_eq!(seats[0].play("end moves").await.0, 200);
    assert_eq!(seats[0].table().await["proposals"], json!([]));
}

#[tokio::test]
async fn who_watches_changes_nothing() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut all) = table(&fresh.router, battle(), &["A", "spectator"]).await;
    let before = all[0].table().await;
    for (path, body) in [
        ("command", json!({ "do": "end moves", "expected": 0 })),
        ("undo", json!({})),
        ("propose", json!({ "what": "draw" })),
        ("agree", json!({ "proposal": 1, "agree": true })),
        ("press", json!({})),
        ("say", json!({ "words": "psst" })),
        ("replies", json!({ "replies": { "mode": "ask" } })),
        ("words", json!({ "words": "x" })),
        ("pass", json!({})),
        ("resign", json!({})),
        ("host", json!({ "what": "pace", "to": "post" })),
        ("rematch", json!({})),
    ] {
        for seat in [json!(null), json!("A"), json!("host"), json!("umpire")] {
            let mut body = body.clone();
            if !seat.is_null() && !["agree", "host", "rematch"].contains(&path) {
                body["seat"] = seat.clone();
            }
            let at = all[1].at(path);
            let (status, answer) = all[1].post(&at, body.clone()).await;
            assert_eq!(status, 403, "{path} {body}: {answer}");
        }
    }
    assert_eq!(all[0].table().await, before);
}

#[tokio::test]
async fn a_restart_loses_nothing_and_nobody_notices_but_by_the_open_line() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, battle(), &["A", "B"]).await;
    on(&mut seats, moves_of("A")).await;
    let say = seats[1].at("say");
    seats[1].post(&say, json!({ "words": "hello" })).await;
    seats[1].post(&say, json!({ "to": "side", "words": "to myself" })).await;
    let replies = seats[1].at("replies");
    seats[1].post(&replies, json!({ "replies": { "mode": "ask" } })).await;
    let undo = seats[0].at("undo");
    assert_eq!(seats[0].post(&undo, json!({ "to": 3 })).await.0, 202);
    let sent: Vec<_> = [seats[0].events(None).await, seats[1].events(None).await].into();
    let tables = [seats[0].table().await, seats[1].table().await];
    let command = seats[0].at("command");
    let body = json!({ "do": "end moves", "expected": tables[0]["version"], "key": "k" });
    fresh.server.close().await;

    let again = open(fresh.folder.path(), Hooks::default()).await;
    for seat in &mut seats {
        seat.router = again.router();
    }
    assert_eq!([seats[0].events(None).await, seats[1].events(None).await].to_vec(), sent);
    assert_eq!([seats[0].table().await, seats[1].table().await], tables);
    let last = sent[0].iter().rev().find(|(_, id, _)| !id.is_empty()).unwrap().1.clone();
    assert!(
        seats[0].events(Some(&last)).await.iter().all(|(kind, _, _)| kind == "table" || kind == "presence")
    );
    // A number that was never given out is no reason to miss anything.
    assert_eq!(seats[0].events(Some("99999-99999")).await, sent[0]);
    assert_eq!(seats[0].post(&command, body.clone()).await.0, 200);
    let then = seats[0].table().await;
    assert_eq!(seats[0].post(&command, body.clone()).await.0, 200, "the first answer again");
    again.close().await;
    let third = open(fresh.folder.path(), Hooks::default()).await;
    seats[0].router = third.router();
    // The first answer is forgotten, and still nothing is done twice.
    let (status, body) = seats[0].post(&command, body).await;
    assert!(status == 409 || status == 422, "{body}");
    assert_eq!(seats[0].table().await, then);
}

#[tokio::test]
async fn the_record_proves_dice_and_words_and_any_change_to_either_shows() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = battle();
    wish["wait_for_words"] = json!(true);
    let (links, mut seats) = table(&fresh.router, wish, &["A", "B"]).await;
    for (n, words) in ["a fair wind", "and dry powder"].iter().enumerate() {
        let path = seats[n].at("words");
        assert_eq!(seats[n].post(&path, json!({ "words": words })).await.0, 200);
    }
    assert_eq!(seats[0].table().await["commitment"], links["commitment"]);
    on(&mut seats, |s| s["view"]["bound"] == 3).await;
    let path = seats[0].at("resign");
    assert_eq!(seats[0].post(&path, json!({})).await.0, 200);
    assert_eq!(seats[1].table().await["outcome"]["winners"], json!(["B"]));
    let (_, text) = seats[1].text(&seats[1].at("record")).await;
    let hott = games()[2];
    let verdict = hott.verify(&Record::parse(&text).unwrap());
    assert!(verdict.good(), "{verdict:?}");
    let commitment = links["commitment"].as_str().unwrap();
    let other = dice::Key::from_seed(7).commitment();
    for (old, new) in
        [("a fair wind", "a foul wind"), ("dry powder", "dry power"), (commitment, other.as_str())]
    {
        assert!(text.contains(old));
        let changed = Record::parse(&text.replace(old, new));
        assert!(!changed.is_ok_and(|r| hott.verify(&r).good()), "{old} became {new} unseen");
    }
}

#[tokio::test]
async fn counters_are_for_whoever_runs_the_server() {
    let fresh = fresh(Hooks::default()).await;
    let browser = Browser::new(&fresh.router);
    assert!(browser.text("/metrics").await.1.contains("muster_rooms"));
    let request = browser.request("GET", "/metrics").header("x-forwarded-for", "10.0.0.1");
    let response = browser.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), 404);
}

/// Writes down everything that is logged.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<String>>);

impl tracing::field::Visit for Logged {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        let text = format!(" {}={value:?}", field.name());
        self.0.lock().unwrap().push_str(&text);
    }
}

impl tracing::Subscriber for Logged {
    fn enabled(&self, meta: &tracing::Metadata<'_>) -> bool {
        meta.target().starts_with("server")
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut self.clone());
        self.0.lock().unwrap().push('\n');
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn logs_hold_no_token_no_cookie_and_no_word_of_what_is_said() {
    let logged = Logged::default();
    // For the whole program: whatever the other tests log must hold none of it either.
    tracing::subscriber::set_global_default(logged.clone()).unwrap();
    let fresh = fresh(Hooks::default()).await;
    let (links, mut seats) = table(&fresh.router, battle(), &["A", "B", "host"]).await;
    on(&mut seats, moves_of("A")).await;
    let say = seats[0].at("say");
    seats[0].post(&say, json!({ "words": "heard by none" })).await;
    let pass = seats[0].at("pass");
    let (_, new) = seats[0].post(&pass, json!({})).await;
    seats[0].text(&seats[0].at("record")).await;
    fresh.server.close().await;
    let text = logged.0.lock().unwrap().clone();
    assert!(text.contains("opened") && text.contains("/command"), "{text}");
    assert!(!text.contains("heard by none") && !text.contains("muster_"));
    for link in links["links"].as_object().unwrap().values().chain(new["links"].as_object().unwrap().values())
    {
        let token = link.as_str().unwrap().split_once('#').unwrap().1;
        assert!(!text.contains(token) && !text.contains(&store::token_hash(token)));
    }
}

#[tokio::test]
async fn two_allies_move_at_once_and_neither_is_sent_back() {
    let fresh = fresh(Hooks::default()).await;
    let command = |hero: bool| {
        json!({ "elements": [
            { "type": if hero { "Hero" } else { "Blade" }, "general": true, "count": 1 },
            { "type": "Blade", "count": 3 }, { "type": "Knight", "count": 2 }, { "type": "Horde", "count": 4 } ] })
    };
    let army = json!({ "army": "x", "commands": [command(true), command(false)] });
    let wish = json!({ "kind": "big", "setup": { "sides": [army, army], "defender": "A", "ground": [],
        "edges": { "A": "lower", "B": "upper" }, "seats": [
            { "name": "Ann", "side": "A", "commands": [1] }, { "name": "Abe", "side": "A", "commands": [2] },
            { "name": "Bob", "side": "B" } ] } });
    let (_, mut seats) = table(&fresh.router, wish, &["Ann", "Abe", "Bob"]).await;
    for _ in 0..40 {
        let state = seats[0].table().await;
        let owed = state["owes"][0].clone();
        let n = ["Ann", "Abe", "Bob"].iter().position(|s| owed["seat"] == *s).unwrap();
        let moves = owed["about"].as_str().unwrap().contains("moves");
        if moves && n == 0 {
            break;
        }
        let (_, all) = seats[n].get(&seats[n].at("candidates?most=5")).await;
        let text = if moves { json!("end moves") } else { all["candidates"][0]["do"].clone() };
        let (status, body) = seats[n].play(text.as_str().unwrap()).await;
        assert_eq!(status, 200, "{body}");
    }
    let expected = seats[0].table().await["version"].clone();
    assert_eq!(seats[1].table().await["version"], expected);
    let mut moves = Vec::new();
    for seat in &seats[..2] {
        let (_, all) = seat.get(&seat.at("candidates")).await;
        let mut all = all["candidates"].as_array().into_iter().flatten().map(|c| c["do"].clone());
        let own = all.find(|c| c.as_str().is_some_and(|c| !c.starts_with("end")));
        moves.push(own.unwrap_or_else(|| panic!("he has PIPs, and no move")));
    }
    for n in 0..2 {
        let path = seats[n].at("command");
        let command = json!({ "do": moves[n], "expected": expected });
        let (status, body) = seats[n].post(&path, command.clone()).await;
        assert_eq!(status, 200, "{n} was overtaken by his ally alone: {body}");
        // His own other tab has moved since: it comes back as a preview, and nothing is done twice.
        let before = seats[n].table().await;
        let (status, body) = seats[n].post(&path, command).await;
        assert!(status == 409 || status == 422, "{body}");
        assert_eq!(seats[n].table().await, before);
    }
    // Allies talk among themselves.
    let say = seats[0].at("say");
    assert_eq!(seats[0].post(&say, json!({ "to": "side", "words": "left flank" })).await.0, 200);
    let heard =
        |events: Vec<(String, String, Value)>| events.iter().any(|(_, _, d)| d["words"] == "left flank");
    assert!(heard(seats[1].events(None).await) && !heard(seats[2].events(None).await));
    // Each ends his own; the commander-in-chief may do so for his ally, and nobody else.
    let leads: Vec<bool> =
        seats[0].table().await["seats"].as_array().unwrap().iter().map(|s| s["leads"] == true).collect();
    assert_eq!(leads, [true, false, true]);
    for (n, status) in [(2, 403), (1, 403)] {
        let press = seats[n].at("press");
        let of = if n == 1 { "Ann" } else { "Abe" };
        assert_eq!(seats[n].post(&press, json!({ "how": "end", "of": of })).await.0, status);
    }
    let press = seats[0].at("press");
    let (status, body) = seats[0].post(&press, json!({ "how": "end", "of": "Abe" })).await;
    assert_eq!(status, 200, "{body}");
    let owes = seats[0].table().await["owes"].clone();
    assert!(owes.as_array().unwrap().iter().all(|o| o["seat"] != "Abe"), "{owes}");
    assert_eq!(seats[0].post(&press, json!({ "how": "end", "of": "Abe" })).await.0, 409);
}

#[tokio::test]
async fn a_guest_who_takes_a_seat_holds_it_alone() {
    let fresh = fresh(Hooks::default()).await;
    let (links, host) = table(&fresh.router, battle(), &["A", "B"]).await;
    let link = links["links"]["B"].as_str().unwrap();
    let token = link.split_once('#').unwrap().1;
    // The opener has looked in already: he sits there no more once his guest has come.
    let mut guest = Browser::new(&fresh.router);
    let (status, body) = guest.post("/api/enter", json!({ "token": token, "take": true })).await;
    assert_eq!((status.as_u16(), &body["roles"]), (200, &json!(["B"])), "{body}");
    guest.id = body["id"].as_str().unwrap().to_owned();
    assert_eq!(guest.table().await["viewer"], "B");
    assert_eq!(host[1].get(&host[1].at("")).await.0, 404);
    assert_eq!(host[0].table().await["viewer"], "A", "other seats are as they were");
    // The link opens nothing any more, to nobody; and whoever made it learns that the seat is taken.
    for take in [true, false] {
        let again =
            Browser::new(&fresh.router).post("/api/enter", json!({ "token": token, "take": take })).await;
        assert_eq!(again.0, 404, "{}", again.1);
    }
    let talk = host[0].events(None).await;
    assert!(talk.iter().any(|(event, _, data)| event == "talk" && data["words"] == "B is taken"), "{talk:?}");
    // A second device of his own.
    let path = guest.at("link");
    let (status, body) = guest.post(&path, json!({})).await;
    assert_eq!(status, 200, "{body}");
    let mut tablet = Browser::new(&fresh.router);
    assert_eq!(tablet.enter(body["links"]["B"].as_str().unwrap()).await.0, 200);
    assert_eq!(guest.table().await["viewer"], "B", "both hold it");
    assert_eq!(tablet.table().await["viewer"], "B");
    // Going through the link of one's own again takes nothing away.
    let own = body["links"]["B"].as_str().unwrap().split_once('#').unwrap().1;
    assert_eq!(tablet.post("/api/enter", json!({ "token": own, "take": true })).await.0, 200);
    assert_eq!(guest.table().await["viewer"], "B");
}

/// Two who hold one link take the seat in the same moment: one of them has it, the other nothing.
#[tokio::test]
async fn of_two_who_take_a_seat_at_once_one_has_it() {
    for _ in 0..20 {
        let fresh = fresh(Hooks::default()).await;
        let (links, _) = table(&fresh.router, battle(), &["A", "B"]).await;
        let token = links["links"]["B"].as_str().unwrap().split_once('#').unwrap().1;
        let (mut one, mut other) = (Browser::new(&fresh.router), Browser::new(&fresh.router));
        let wish = || json!({ "token": token, "take": true });
        let ((a, first), (b, second)) =
            tokio::join!(one.post("/api/enter", wish()), other.post("/api/enter", wish()));
        let mut both = [a.as_u16(), b.as_u16()];
        both.sort_unstable();
        assert_eq!(both, [200, 404], "{first} {second}");
        let (winner, body) = if a == 200 { (&mut one, first) } else { (&mut other, second) };
        winner.id = body["id"].as_str().unwrap().to_owned();
        assert_eq!(winner.table().await["viewer"], "B");
    }
}

#[tokio::test]
async fn a_position_is_kept_as_a_case_that_opens() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, battle(), &["A", "B"]).await;
    on(&mut seats, moves_of("A")).await;
    let (status, text) = seats[0].text(&seats[0].at("case")).await;
    assert_eq!(status, 200, "{text}");
    let text = text.replace("title = \"\"", "title = \"x\"").replace("do = \"\"", "do = \"end moves\"");
    let case = game::case::Case::parse("case.toml", &text).unwrap();
    let report = case.run(&games()).unwrap_or_else(|p| panic!("{p:?}\n{text}"));
    assert!(report.failures.iter().all(|f| f.contains("dice")), "{:?}\n{text}", report.failures);
}

/// What an edition changes is part of the question: its case is not asked under the defaults.
#[tokio::test]
async fn a_case_keeps_the_edition_of_its_table() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = battle();
    wish["preset"] = json!("hott-1");
    let (_, seats) = table(&fresh.router, wish, &["A", "B"]).await;
    let (status, text) = seats[0].text(&seats[0].at("case")).await;
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("[options]") && text.contains("hott.behemoth_beaten"), "{text}");
}
