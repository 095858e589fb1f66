//! Wrong links; malformed, huge, repeated, forged and overtaken commands.

use crate::support::*;
use axum::body::Body;
use serde_json::{Value, json};
use server::Hooks;

#[tokio::test]
async fn wrong_ended_and_foreign_links_are_told_apart_by_nothing() {
    let fresh = fresh(Hooks::default()).await;
    let (_, seats) = table(&fresh.router, run(), &["Runner"]).await;
    let (_, others) = table(&fresh.router, run(), &["Runner"]).await;
    let stranger = Browser::new(&fresh.router);
    let polite = stranger.text("/api/games/doesnotexist").await;
    assert_eq!(polite.0, 404);
    assert_eq!(stranger.text(&seats[0].at("")).await, polite);
    // A cookie of one game, renamed for another.
    let mut forged = others[0].clone();
    forged.cookies[0].0 = format!("muster_{}", seats[0].id);
    for what in ["", "events", "record", "candidates", "picture.svg", "replies"] {
        let path = seats[0].at(what);
        assert_eq!(forged.text(&path).await, polite, "{what}");
    }
    for token in ["x", &"x".repeat(43), &"x".repeat(100_000)] {
        let (status, body) = forged.post("/api/enter", json!({ "token": token })).await;
        assert!(status == 404 || status == 413, "{status} {body}");
    }
    for id in ["..%2f..", "%00", "a'--"] {
        assert_eq!(forged.text(&format!("/api/games/{id}")).await, polite, "{id}");
    }
}

#[tokio::test]
async fn bad_commands_change_nothing() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    let before = seats[0].table().await;
    let path = seats[0].at("command");
    for (body, expected) in [
        (json!({ "do": "run 9", "expected": 0 }), 422),
        (json!({ "do": "fly", "expected": 0 }), 422),
        (json!({ "do": "", "expected": 0 }), 422),
        (json!({ "do": "run 1", "expected": 7 }), 409),
        (json!({ "do": "run 1", "expected": -1 }), 422),
        (json!({ "do": "run 1", "seat": "Guard", "expected": 0 }), 403),
        (json!({ "do": "run 1", "seat": "umpire", "expected": 0 }), 403),
        (json!({ "do": "run 1", "seat": "host", "expected": 0 }), 403),
        (json!({ "do": "run 1", "expected": 0, "dice": [6] }), 422),
        (json!({ "do": "x".repeat(5000), "expected": 0 }), 422),
        (json!({ "do": "x".repeat(100_000), "expected": 0 }), 413),
        (json!({ "do": "run 1", "expected": 0, "forged": true }), 422),
        (json!([1, 2]), 422),
    ] {
        let (status, answer) = seats[0].post(&path, body.clone()).await;
        let short: String = body.to_string().chars().take(80).collect();
        assert_eq!(status.as_u16(), expected, "{short}: {answer}");
        assert!(answer["words"].as_str().is_some_and(|w| !w.is_empty()), "{short}: {answer}");
    }
    let request = seats[0].request("POST", &path).header("content-type", "application/json");
    let response = seats[0].send(request.body(Body::from("{\"do\":")).unwrap()).await;
    assert_eq!(response.status(), 400);
    // Out of turn.
    assert_eq!(seats[1].play("pass").await.0, 422);
    assert_eq!(seats[1].play("run 1").await.0, 422);
    assert_eq!(seats[0].table().await, before);
    for wish in [
        json!({ "kind": "chess" }),
        json!({ "kind": "run" }),
        json!({ "kind": "run", "setup": { "length": 0 } }),
        json!({ "kind": "run", "setup": { "length": 9 }, "seats": { "Nobody": "person" } }),
        json!({ "kind": "run", "setup": { "length": 9 }, "seats": { "Guard": "computer:deep" } }),
        json!({ "kind": "run", "setup": { "length": 9 }, "sets": ["nonsense"] }),
        json!({ "kind": "run", "setup": { "length": 9 }, "pace": "never" }),
    ] {
        let (status, body) = seats[0].post("/api/games", wish.clone()).await;
        assert_eq!(status, 422, "{wish}: {body}");
    }
    for record in ["", "{}", "{\"muster\":\"record\",\"version\":99}", "nonsense\nnonsense"] {
        let (status, _) = seats[0].post("/api/import", json!({ "record": record })).await;
        assert_eq!(status, 422);
    }
}

#[tokio::test]
async fn two_tabs_cannot_both_move_but_an_allys_act_overtakes_nobody() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    let path = seats[0].at("command");
    let command = json!({ "do": "run 2", "expected": 0, "key": "once" });
    let (_, first) = seats[0].post(&path, command.clone()).await;
    // The same sending again gets the first answer; another tab's command comes back as a preview.
    assert_eq!(seats[0].post(&path, command).await, (axum::http::StatusCode::OK, first));
    let (status, body) = seats[0].post(&path, json!({ "do": "run 2", "expected": 0 })).await;
    assert_eq!((status.as_u16(), body["error"].as_str()), (409, Some("overtaken")), "{body}");
    assert_eq!((&body["version"], &body["preview"]["answer"]), (&json!(1), &json!("done")));
    assert_eq!(seats[0].table().await["view"]["at"], 2);

    // Ann and Bob bid at the same time: what Bob meant for version 0 does the same at version 1, and stands.
    let (_, mut seats) = table(&fresh.router, auction(), &["Ann", "Bob", "Cat"]).await;
    let path = seats[0].at("command");
    for (n, name) in ["Ann", "Bob"].iter().enumerate() {
        let (status, body) =
            seats[n].post(&path, json!({ "do": format!("{name} bids 3"), "expected": 0 })).await;
        assert_eq!(status, 200, "{body}");
    }
    // Cat's would now end the round, which it would not have done at version 0.
    let (status, body) = seats[2].post(&path, json!({ "do": "Cat bids 1", "expected": 0 })).await;
    assert_eq!(status, 409, "{body}");
    assert!(body["preview"]["wants"].is_array(), "{body}");
}

#[tokio::test]
async fn rates_hold_and_others_are_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let config = server::Config { store: folder.path().join("g.db"), rate: 1.0, ..server::Config::default() };
    let router = server::router(config, games(), Hooks::default()).await.unwrap();
    let (_, seats) = table(&router, run(), &["Runner", "Guard"]).await;
    let mut limited = 0;
    for _ in 0..12 {
        let (status, body) = seats[0].get(&seats[0].at("")).await;
        limited += usize::from(status == 429 && body["error"] == "limit");
    }
    assert!(limited >= 5, "{limited}");
    assert_eq!(seats[1].get(&seats[1].at("")).await.0, 200);
    let preview: Value = json!({ "do": "run 1" });
    let path = seats[1].at("preview");
    assert_eq!(seats[1].clone().post(&path, preview).await.0, 200);
}

#[tokio::test]
async fn what_stands_after_the_question_mark_is_refused_in_words() {
    let fresh = fresh(Hooks::default()).await;
    let (_, seats) = table(&fresh.router, run(), &["Runner"]).await;
    for at in ["-1", "x", "1.5", "99999999999999999999"] {
        let (status, text) = seats[0].text(&seats[0].at(&format!("?at={at}"))).await;
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        assert_eq!((status.as_u16(), &answer["error"]), (400, &json!("malformed")), "{at}: {text}");
        assert!(answer["words"].as_str().is_some_and(|w| w.contains("at")), "{at}: {text}");
    }
}
