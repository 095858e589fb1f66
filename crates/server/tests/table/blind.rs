//! Non-interference over whole battles of Hordes of the Things: two that differ only in what waits off the table, in
//! standing replies and in talk among friends send the enemy and the public the same bytes, from the first step to the
//! last.

use crate::support::*;
use serde_json::{Value, json};
use server::Hooks;
use std::fmt::Write as _;

/// Types that wait off the table, by variant: as dear as each other.
const HIDDEN: [[&str; 2]; 2] = [["Lurker", "God"], ["Water Lurker", "Dragon"]];
/// Their labels begin so.
const LABELS: [&str; 4] = ["lrk", "wlk", "god", "drg"];

fn wish(variant: usize) -> Value {
    let army = |hidden: [&str; 2]| {
        json!({ "army": "Wood", "commands": [{ "elements": [
            { "type": "Hero", "general": true, "count": 1 }, { "type": "Shooter", "count": 4 },
            { "type": "Knight", "count": 3 }, { "type": hidden[0], "count": 2 },
            { "type": hidden[1], "count": 1 } ] }] })
    };
    json!({ "kind": "hott", "dice": "typed", "setup": { "sides": [army(HIDDEN[0]), army(HIDDEN[variant])],
        "defender": "A", "bound_limit": 6, "edges": { "A": "lower", "B": "upper" }, "ground": ["wood ellipse 600 900 300 260 10"] } })
}

/// A whole battle; everything that side A, the public and the host are sent in it, and how many commands it had.
async fn sent(variant: usize) -> (String, usize) {
    let fresh = fresh(Hooks::default()).await;
    let (links, mut seats) = table(&fresh.router, wish(variant), &["A", "B", "spectator", "host"]).await;
    let mut all = String::new();
    let mode = ["ask", "stands"][variant];
    let replies = seats[1].at("replies");
    seats[1].post(&replies, json!({ "replies": { "mode": mode } })).await;
    let mut commands = 0;
    for step in 0..160_usize {
        let state = seats[1].table().await;
        if state["over"] == true {
            break;
        }
        if step % 9 == variant * 3 {
            // Talk among friends, at different times.
            let say = seats[1].at("say");
            seats[1].post(&say, json!({ "to": "side", "words": format!("secret {step}") })).await;
        }
        let owes: Vec<&str> =
            state["owes"].as_array().unwrap().iter().filter_map(|o| o["seat"].as_str()).collect();
        let n = usize::from(!owes.contains(&"A"));
        let (_, found) = seats[n].get(&seats[n].at("candidates?most=400")).await;
        let open = |t: &&str| n == 0 || !LABELS.iter().any(|l| t.to_lowercase().contains(l));
        let texts: Vec<&str> = found["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|c| c["do"].as_str())
            .filter(open)
            .collect();
        // Contacts first, so that there is fighting; else whatever comes.
        let eager = texts
            .iter()
            .position(|t| t.starts_with("charge") || t.starts_with("fight") || t.starts_with("shoot"));
        let text = texts[eager.unwrap_or((step * 13 + 5) % texts.len())].to_owned();
        for (who, name) in [(0, "A"), (2, "public"), (3, "host")] {
            let (status, body) = seats[who].text(&seats[who].at("")).await;
            _ = writeln!(all, "{step} {name} table: {status} {body}");
        }
        let tried = [
            "end moves",
            "move Kni1 ahead 120",
            "charge Kni1 front B.Kni1",
            "charge Kni1 front B.Lrk1",
            "nonsense",
        ];
        let preview = seats[0].at("preview");
        let (status, body) = seats[0].post(&preview, json!({ "do": tried[step % 5], "view": true })).await;
        _ = writeln!(all, "{step} A preview {}: {status} {body}", tried[step % 5]);
        let ask = seats[0].at("ask");
        let (status, body) = seats[0].post(&ask, json!({ "question": "odds A.Kni1 v B.Kni1" })).await;
        _ = writeln!(all, "{step} A asks: {status} {body}");
        // Out of turn, forged, and for another seat.
        let command = seats[0].at("command");
        for bad in [
            json!({ "do": "end moves", "seat": "B", "expected": 0 }),
            json!({ "do": "deploy B.God1 0 0 0", "expected": 1 }),
        ] {
            if n == 1 {
                let (status, body) = seats[0].post(&command, bad).await;
                _ = writeln!(all, "{step} A tries: {status} {body}");
            }
        }
        let command = seats[n].at("command");
        let expected = seats[n].table().await["version"].clone();
        let mut dice: Vec<u16> = Vec::new();
        loop {
            let wish = json!({ "do": text, "expected": expected, "dice": dice });
            let (status, body) = seats[n].post(&command, wish).await;
            if n == 0 {
                _ = writeln!(all, "{step} A does {text}: {status} {body}");
            }
            if status == 428 {
                let wants = body["wants"].as_array().unwrap().len();
                let thrown = dice.len();
                dice.extend((0..wants).map(|i| ((step * 5 + i * 3 + thrown) % 6 + 1) as u16));
                assert!(dice.len() < 200, "{text}: {body}");
                continue;
            }
            assert_eq!(status, 200, "{step} {text}: {body}");
            break;
        }
        commands += 1;
    }
    for (n, name) in [(0, "A"), (2, "public"), (3, "host")] {
        let over = seats[n].table().await["over"] == true;
        for what in ["candidates", "candidates?events=true&most=20", "replies"] {
            let (status, text) = seats[n].text(&seats[n].at(what)).await;
            _ = writeln!(all, "{name} {what}: {status} {text}");
        }
        if !over {
            let (status, text) = seats[n].text(&seats[n].at("record")).await;
            _ = writeln!(all, "{name} record: {status} {text}");
        }
        for (event, id, data) in seats[n].events(None).await {
            if data["kind"] != "end" {
                _ = writeln!(all, "{name} {event} {id} {data}");
            }
        }
    }
    let id = links["id"].as_str().unwrap();
    all = all.replace(id, "ID");
    for key in ["\"since\":", "\"at\":"] {
        let mut parts = all.split(key);
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            out.push_str(key);
            out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
        all = out;
    }
    (all, commands)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "not yet seen to pass since it found its first leak; cargo test -p server -- --ignored a_whole_battle_tells"]
async fn a_whole_battle_tells_nobody_what_waits_off_the_table() {
    let ((one, commands), (two, _)) = tokio::join!(sent(0), sent(1));
    for (a, b) in one.lines().zip(two.lines()) {
        if a != b {
            let at = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
            let cut =
                |s: &str| s.get(at.saturating_sub(200)..(at + 120).min(s.len())).unwrap_or(s).to_owned();
            panic!("they differ:\n{}\n{}\nin {}", cut(a), cut(b), &a[..60.min(a.len())]);
        }
    }
    assert_eq!(one.lines().count(), two.lines().count());
    assert!(commands > 20, "a battle, not a skirmish: {commands}");
    assert!(!one.contains("secret"));
    println!("{commands} commands, {} kB sent to others compared", one.len() / 1024);
}
