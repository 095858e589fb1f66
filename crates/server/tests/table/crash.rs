//! Killed at any moment, and set up again: every acknowledged command is there.

use crate::support::*;
use serde_json::{Value, json};
use server::Hooks;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Plays several games at once on a runtime of its own that is torn down in the middle of it, without any order; then
/// looks at what a new server has. It is torn down once so many commands have been acknowledged, with others under way.
/// Returns how many had been.
fn killed_once(folder: &Path, after: usize) -> usize {
    let acknowledged: Arc<Mutex<Vec<(Browser, Value)>>> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let told = acknowledged.clone();
    runtime.block_on(async {
        let server = open(folder, Hooks::default()).await;
        let router = server.router();
        for game in 0..4 {
            let (router, told) = (router.clone(), told.clone());
            tokio::spawn(async move {
                loop {
                    let (_, mut seats) = table(&router, run(), &["Runner", "Guard"]).await;
                    for step in 0..30 {
                        let state = seats[0].table().await;
                        if state["over"] == true {
                            break;
                        }
                        let guard = state["owes"][0]["seat"] == "Guard";
                        let text = match (guard, (step + game) % 3) {
                            (true, 0) => "pass",
                            (true, _) => "trip",
                            (false, n) => ["run 2", "run 1", "run 3"][n],
                        };
                        let seat = &mut seats[usize::from(guard)];
                        let (status, body) = seat.play(text).await;
                        if status == 200 {
                            told.lock().unwrap().push((seat.clone(), body));
                        }
                    }
                }
            });
        }
        let start = Instant::now();
        while acknowledged.lock().unwrap().len() < after && start.elapsed() < Duration::from_secs(30) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    runtime.shutdown_background();
    let acknowledged = std::mem::take(&mut *acknowledged.lock().unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = open(folder, Hooks::default()).await;
        let router = server.router();
        let mut by_seat: BTreeMap<String, (Browser, Vec<Value>)> = BTreeMap::new();
        for (mut seat, body) in acknowledged.clone() {
            seat.router = router.clone();
            let key = format!("{}{:?}", seat.id, seat.cookies);
            by_seat.entry(key).or_insert_with(|| (seat, Vec::new())).1.push(body);
        }
        let looks = by_seat.into_values().map(|(seat, bodies)| async move {
            let events = seat.events(None).await;
            let items: Vec<Value> =
                events.into_iter().filter(|(e, _, _)| e == "game").map(|(_, _, d)| d).collect();
            for item in bodies.iter().flat_map(|b| b["items"].as_array().unwrap()) {
                assert!(items.contains(item), "acknowledged and gone: {item}");
            }
        });
        futures_util::future::join_all(looks).await;
        // And play goes on, with the dice of the key committed to.
        if let Some((mut seat, _)) = acknowledged.last().cloned() {
            seat.router = router.clone();
            let state = seat.table().await;
            if state["over"] == false {
                let path = seat.at("undo");
                let (status, body) = seat.post(&path, json!({})).await;
                assert!(status == 200 || status == 202, "{status} {body}");
            }
        }
        server.close().await;
    });
    acknowledged.len()
}

#[test]
fn what_was_acknowledged_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged = 0;
    for n in 1..=3 {
        acknowledged += killed_once(folder.path(), 5 * n);
    }
    assert!(acknowledged >= 30, "{acknowledged}");
}

#[test]
#[ignore = "slow: kills the server a hundred times under play; cargo test -p server -- --ignored a_hundred"]
fn a_hundred_times() {
    let folder = tempfile::tempdir().unwrap();
    let acknowledged: usize = (0..100).map(|n| killed_once(folder.path(), 1 + n * 7 % 40)).sum();
    println!("acknowledged and found again: {acknowledged}");
    assert!(acknowledged > 500, "{acknowledged}");
}
