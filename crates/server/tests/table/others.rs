//! Computers, standing replies and the pace.

use crate::support::*;
use serde_json::{Value, json};
use server::{Asked, ComputerPlayer, Hooks, Library, Picture};
use std::sync::Arc;
use std::time::Duration;

/// Plays any candidate; knows nothing at level `lost`, overruns its time at level `slow`.
struct Any;

impl ComputerPlayer for Any {
    fn levels(&self, _: &str) -> Vec<String> {
        ["any", "lost", "wrong", "slow", "trip"].map(str::to_owned).to_vec()
    }

    fn choose(&self, asked: &Asked<'_>) -> Option<String> {
        match asked.level {
            "lost" => None,
            "wrong" => Some("nonsense".into()),
            "trip" => Some("trip".into()),
            "slow" => {
                std::thread::sleep(asked.limit * 5);
                None
            }
            _ => {
                let all = asked.table.candidates(asked.seat);
                let n = usize::try_from(asked.guess % all.len() as u64).unwrap();
                all.get(n).cloned()
            }
        }
    }
}

impl Picture for Any {
    fn svg(&self, _: &dyn game::AnyTable, _: &Value, view: &Value, _: bool) -> Option<String> {
        Some(format!("<svg><text>{}</text></svg>", view["at"]))
    }
}

impl Library for Any {
    fn ask(&self, path: &str, body: Option<&Value>) -> Option<Result<Value, game::Problems>> {
        (path == "echo").then(|| Ok(body.cloned().unwrap_or(json!("nothing"))))
    }
}

fn hooks() -> Hooks {
    Hooks {
        computer: Some(Arc::new(Any)),
        picture: Some(Arc::new(Any)),
        library: Some(Arc::new(Any)),
        desks: None,
    }
}

async fn until(browser: &Browser, done: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..200 {
        let state = browser.table().await;
        if done(&state) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("it does not come: {}", browser.table().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn computers_play_each_other_to_the_end_whatever_their_level() {
    let fresh = fresh(hooks()).await;
    for levels in [["any", "any"], ["lost", "wrong"]] {
        let mut wish = run();
        wish["seats"] = json!({ "Runner": format!("computer:{}", levels[0]), "Guard": format!("computer:{}", levels[1]) });
        let (_, watchers) = table(&fresh.router, wish, &["spectator"]).await;
        let state = until(&watchers[0], |s| s["over"] == true).await;
        assert_eq!(state["outcome"]["ending"], "home");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_computer_holds_nobody_up_and_then_plays_the_plainest() {
    let fresh = fresh(hooks()).await;
    let mut wish = run();
    wish["seats"] = json!({ "Guard": "computer:slow" });
    let (_, mut seats) = table(&fresh.router, wish, &["Runner"]).await;
    seats[0].play("run 3").await;
    let state = until(&seats[0], |s| s["seats"][1]["thinking"] == true).await;
    assert_eq!(state["owes"][0]["seat"], "Guard");
    let (_, mut others) = table(&fresh.router, run(), &["Runner"]).await;
    assert_eq!(others[0].play("run 1").await.0, 200);
    let state = until(&seats[0], |s| s["owes"][0]["seat"] == "Runner").await;
    assert_eq!(state["view"]["at"], 3, "what stands: he lets him pass");
}

#[tokio::test]
async fn standing_replies_answer_and_their_owner_is_told() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    let path = seats[1].at("replies");
    let replies =
        json!({ "replies": { "mode": "ask", "prefer": [{ "about": "field 3", "answer": "pass" }] } });
    assert_eq!(seats[1].post(&path, replies).await.0, 200);
    seats[0].play("run 4").await;
    let state = until(&seats[0], |s| s["owes"][0]["seat"] == "Runner").await;
    assert_eq!(state["view"]["at"], 4);
    let told = |events: &[(String, String, Value)]| {
        events.iter().any(|(_, _, d)| d["words"].as_str().is_some_and(|w| w.contains("standing reply")))
    };
    // Whose reply it was is told, and nobody else: that it was no choice of the moment is private.
    assert!(told(&seats[1].events_until(None, told).await));
    assert!(!told(&seats[0].events(None).await));
    seats[0].play("run 4").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(seats[0].table().await["owes"][0]["seat"], "Guard", "in field 6 he wants to be asked");
    let path = seats[0].at("press");
    assert_eq!(seats[0].post(&path, json!({})).await.1["error"], "early");
    // By post nobody is asked who did not say so.
    let mut wish = run();
    wish["pace"] = json!("post");
    let (_, mut seats) = table(&fresh.router, wish, &["Runner"]).await;
    seats[0].play("run 4").await;
    until(&seats[0], |s| s["owes"][0]["seat"] == "Runner" && s["view"]["at"] == 4).await;
}

#[tokio::test]
async fn pictures_and_the_library_come_from_the_binary() {
    let fresh = fresh(hooks()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner"]).await;
    seats[0].play("run 2").await;
    assert_eq!(seats[0].text(&seats[0].at("picture.svg")).await.1, "<svg><text>2</text></svg>");
    assert_eq!(seats[0].text(&seats[0].at("picture.svg?at=0")).await.1, "<svg><text>0</text></svg>");
    assert_eq!(seats[0].post("/api/library/echo", json!({ "a": 1 })).await.1, json!({ "a": 1 }));
    assert_eq!(seats[0].get("/api/library/other").await.0, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_computer_plays_for_the_absent_only_where_that_was_agreed_on() {
    let fresh = fresh(hooks()).await;
    for agreed in [false, true] {
        let mut wish = run();
        wish["stand_in"] = json!(agreed);
        let (_, mut seats) = table(&fresh.router, wish, &["Runner", "Guard", "host"]).await;
        let press = seats[1].at("press");
        let (status, body) = seats[1].post(&press, json!({ "how": "computer" })).await;
        assert_eq!(status, if agreed { 409 } else { 403 }, "{body}");
        assert!(!agreed || body["error"] == "early", "{body}");
        if !agreed {
            continue;
        }
        // The clock stands still while the host says so.
        let host = seats[2].at("host");
        assert_eq!(seats[2].post(&host, json!({ "what": "pause" })).await.0, 200);
        assert_eq!(seats[0].table().await["paused"], true);
        assert_eq!(seats[1].post(&press, json!({ "how": "computer" })).await.1["error"], "paused");
        assert_eq!(seats[2].post(&host, json!({ "what": "resume" })).await.0, 200);
        // One's own seat may be given to it at once, and is taken back by playing, or in a word.
        assert_eq!(seats[0].post(&press, json!({ "how": "computer", "of": "Runner" })).await.0, 200);
        let state = until(&seats[0], |s| s["owes"][0]["seat"] == "Guard" || s["over"] == true).await;
        assert_eq!(state["seats"][0]["covered"], true);
        assert_eq!(state["seats"][0]["who"], "person");
        assert_eq!(seats[0].post(&press, json!({ "how": "back" })).await.0, 200);
        assert_eq!(seats[0].table().await["seats"][0]["covered"], false);
        assert_eq!(seats[0].post(&press, json!({ "how": "back" })).await.0, 409);
    }
}

#[tokio::test]
async fn the_host_takes_a_seat_and_closes_a_game_unfinished() {
    let fresh = fresh(hooks()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard", "host"]).await;
    let host = seats[2].at("host");
    let elsewhere = seats[0].at("host");
    assert_eq!(seats[0].post(&elsewhere, json!({ "what": "close" })).await.0, 403);
    assert_eq!(seats[2].post(&host, json!({ "what": "remove", "role": "Guard" })).await.0, 200);
    assert_eq!(seats[1].get(&seats[1].at("")).await.0, 404, "his link has ended");
    assert_eq!(seats[0].table().await["seats"][1]["who"], "computer:any");
    assert_eq!(seats[2].post(&host, json!({ "what": "close" })).await.0, 200);
    let state = seats[0].table().await;
    assert_eq!((&state["over"], &state["outcome"]), (&json!(true), &Value::Null), "nobody has lost");
    assert_eq!(seats[2].post(&host, json!({ "what": "close" })).await.0, 422);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dice_of_a_computer_are_typed_by_whoever_plays_with_it() {
    let fresh = fresh(hooks()).await;
    let mut wish = run();
    wish["dice"] = json!("typed");
    wish["seats"] = json!({ "Guard": "computer:trip" });
    let (_, mut seats) = table(&fresh.router, wish, &["Runner", "spectator"]).await;
    seats[0].play("run 4").await;
    let state = until(&seats[0], |s| !s["asks"].is_null()).await;
    assert_eq!((&state["asks"]["seat"], &state["asks"]["do"]), (&json!("Guard"), &json!("trip")), "{state}");
    assert!(seats[1].table().await["asks"].is_null(), "who watches throws nothing");
    let command = |text: &str, dice: Value| json!({ "seat": "Guard", "do": text, "expected": state["version"], "dice": dice });
    let path = seats[0].at("command");
    for (n, text, dice, status) in [
        (1, "trip", json!([5]), 403),
        (0, "pass", json!([]), 403),
        (0, "trip", json!([]), 428),
        (0, "trip", json!([8]), 428),
    ] {
        assert_eq!(seats[n].post(&path, command(text, dice)).await.0.as_u16(), status, "{n} {text}");
    }
    let (status, body) = seats[0].post(&path, command("trip", json!([5]))).await;
    assert_eq!(status, 200, "{body}");
    let state = until(&seats[0], |s| s["owes"][0]["seat"] == "Runner").await;
    assert_eq!((&state["view"]["at"], &state["asks"]), (&json!(2), &Value::Null));
}
