//! Nothing is missed, nothing comes twice, numbers have no gaps.

use crate::support::*;
use serde_json::json;
use server::Hooks;

fn numbers(events: &[(String, String, serde_json::Value)], kind: &str) -> Vec<u64> {
    events.iter().filter(|(e, _, _)| e == kind).map(|(_, _, d)| d["n"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_stream_that_is_taken_up_again_misses_nothing() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    seats[0].play("run 2").await;
    let (runner, guard) = (seats[0].at("say"), seats[1].at("say"));
    seats[0].post(&runner, json!({ "words": "hello" })).await;
    let first = seats[1].events(None).await;
    assert_eq!((numbers(&first, "game"), numbers(&first, "talk")), (vec![1], vec![1]));
    let last = first.iter().rev().find(|(_, id, _)| !id.is_empty()).unwrap().1.clone();
    assert_eq!(last, "1-1");
    // The browser is gone; things happen.
    seats[0].play("run 1").await;
    seats[1].play("pass").await;
    seats[0].play("run 2").await;
    seats[1].post(&guard, json!({ "words": "well run" })).await;
    let second = seats[1].events(Some(&last)).await;
    assert_eq!((numbers(&second, "game"), numbers(&second, "talk")), (vec![2, 3, 4], vec![2]));
    let all = seats[1].events(None).await;
    assert_eq!(numbers(&all, "game"), [1, 2, 3, 4]);
    let tables: Vec<_> = all.iter().filter(|(e, _, _)| e == "table").collect();
    assert_eq!(
        (tables.len(), &tables[0].2["version"]),
        (1, &json!(4)),
        "the state comes once, after all of it"
    );
    let presence = all.iter().find(|(e, _, _)| e == "presence").unwrap();
    assert_eq!(presence.2["seats"], json!(["Guard"]));
    for odd in ["x", "999-999", "-", "1-", "-1"] {
        seats[1].events(Some(odd)).await;
    }
}

#[tokio::test]
async fn what_happens_comes_while_one_listens() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "spectator"]).await;
    let watcher = seats[1].clone();
    let listening = tokio::spawn(async move {
        let tables = |events: &[(String, String, serde_json::Value)]| {
            events.iter().filter(|(e, _, _)| e == "table").count()
        };
        watcher.events_until(None, |events| tables(events) == 2).await
    });
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    seats[0].play("run 2").await;
    let heard = listening.await.unwrap();
    assert_eq!(numbers(&heard, "game"), [1]);
    assert_eq!(heard.iter().filter(|(e, _, _)| e == "table").count(), 2, "before and after");
}

#[tokio::test]
async fn every_viewer_is_numbered_for_himself() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, auction(), &["Ann", "umpire"]).await;
    let quiet = seats[0].events(None).await;
    let before = seats[0].table().await;
    // Longer than a second: hidden acts set no clock either.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    for worth in [7, 8, 9] {
        let (status, body) = seats[1].play(&format!("ruling worth {worth}")).await;
        assert_eq!(status, 200, "{body}");
    }
    assert_eq!(seats[1].table().await["version"], 3);
    assert_eq!(seats[0].table().await, before);
    assert_eq!(seats[0].events(None).await.len(), quiet.len(), "hidden acts make no sound");
    // Nor is anybody overtaken by them.
    let path = seats[0].at("command");
    let (status, body) = seats[0].post(&path, json!({ "do": "Ann bids 1", "expected": 0 })).await;
    assert_eq!((status.as_u16(), &body["version"]), (200, &json!(1)), "{body}");
    // The umpire takes back his rulings: whoever did not see them does not see that either.
    let undo = seats[1].table().await["version"].clone();
    assert_eq!(undo, 4);
    let (_, then) = seats[0].get(&format!("{}?at=0", seats[0].at(""))).await;
    assert_eq!((&then["view"]["own"], &then["version"]), (&json!(null), &json!(0)));
}
