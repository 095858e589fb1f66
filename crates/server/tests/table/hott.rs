//! A battle of Hordes of the Things, since it hides more than the toys do.

use crate::support::*;
use serde_json::{Value, json};
use server::Hooks;

fn wish(lurkers: u8) -> Value {
    let army = |hidden: u8| {
        json!({ "army": "Wood", "commands": [{ "elements": [
            { "type": "Hero", "general": true, "count": 1 }, { "type": "Shooter", "count": 4 },
            { "type": "Knight", "count": 3 },
            { "type": if hidden == 1 { "Lurker" } else { "Horde" }, "count": 2 }, { "type": "Horde", "count": 2 } ] }] })
    };
    json!({ "kind": "hott", "setup": { "sides": [army(1), army(lurkers)], "defender": "A", "bound_limit": 3,
        "edges": { "A": "lower", "B": "upper" }, "ground": [] } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_battle_is_played_by_candidates_and_previews_tell_what_comes() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, wish(1), &["A", "B", "spectator"]).await;
    let (mut worst_preview, mut worst_command, mut worst_candidates) = (0, 0, 0);
    for step in 0..16_usize {
        let state = seats[0].table().await;
        if state["over"] == true {
            break;
        }
        let n = usize::from(state["owes"][0]["seat"] == "B");
        let start = std::time::Instant::now();
        let (status, all) = seats[n].get(&seats[n].at("candidates?most=200")).await;
        worst_candidates = worst_candidates.max(start.elapsed().as_millis());
        assert_eq!(status, 200, "{all}");
        // Nobody ambushes: whether one may depends on the dice, and who has shown himself is no secret.
        let mut all = all["candidates"].as_array().unwrap().clone();
        all.retain(|c| !c["do"].as_str().unwrap().starts_with("lurk "));
        let text = all[(step * 7 + 3) % all.len()]["do"].as_str().unwrap().to_owned();
        let start = std::time::Instant::now();
        let path = seats[n].at("preview");
        let (_, preview) = seats[n].post(&path, json!({ "do": text, "view": true })).await;
        worst_preview = worst_preview.max(start.elapsed().as_millis());
        assert!(preview["answer"] == "done" || preview["answer"] == "dice", "{text}: {preview}");
        let start = std::time::Instant::now();
        let (status, done) = seats[n].play(&text).await;
        worst_command = worst_command.max(start.elapsed().as_millis());
        assert_eq!(status, 200, "{text}: {done}");
        if preview["answer"] == "done" {
            // The end of a game brings its key as an item of its own, which no preview can tell.
            let items = done["items"].as_array().unwrap().iter().map(|i| &i["event"]);
            let events: Vec<&Value> = items.filter(|e| e.get("key").is_none()).collect();
            let told: Vec<&Value> = preview["events"].as_array().unwrap().iter().collect();
            assert_eq!(events, told, "{text}: what was previewed is what happens");
        }
    }
    println!(
        "worst, ms: candidates {worst_candidates}, preview {worst_preview}, command with state {worst_command}"
    );
    let watched = seats[2].table().await["view"].to_string();
    assert!(!watched.contains("Lrk"), "nobody has seen a Lurker: {watched}");
    let own = seats[0].table().await["view"].to_string();
    assert!(own.contains("lrk") || own.contains("Lrk") || own.contains("lurker"), "{own}");
}
