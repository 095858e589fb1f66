//! Non-interference: two games that differ only in what a seat may not know send it the same bytes.

use crate::support::*;
use serde_json::json;
use server::Hooks;
use std::fmt::Write as _;

/// Everything that Ann and a spectator are sent in a game in which Bob and Cat do something else in secret.
async fn sent(variant: u8) -> String {
    let fresh = fresh(Hooks::default()).await;
    let (links, mut seats) =
        table(&fresh.router, auction(), &["Ann", "Bob", "Cat", "umpire", "spectator", "host"]).await;
    let [bob, cat, worth] = if variant == 0 { [1, 2, 9] } else { [2, 3, 4] };
    let (command, say, replies) = (seats[0].at("command"), seats[0].at("say"), seats[0].at("replies"));
    // Secret acts, in different number.
    for n in 0..=u8::from(variant == 1) {
        seats[3].play(&format!("ruling worth {}", worth + n)).await;
    }
    seats[1].play(&format!("Bob bids {bob}")).await;
    seats[2].play(&format!("Cat bids {cat}")).await;
    for n in 0..=variant {
        seats[1].post(&say, json!({ "to": "side", "words": format!("secret {n}") })).await;
    }
    let mode = if variant == 0 { "ask" } else { "stands" };
    seats[1].post(&replies, json!({ "replies": { "mode": mode } })).await;
    seats[2].post(&say, json!({ "words": "good luck" })).await;

    let mut all = String::new();
    for (n, name) in [(0, "Ann"), (4, "spectator"), (5, "host")] {
        for what in ["", "record", "candidates?events=true", "candidates", "picture.svg", "replies"] {
            let (status, text) = seats[n].text(&seats[n].at(what)).await;
            _ = writeln!(all, "{name} {what}: {status} {text}");
        }
        for (event, id, data) in seats[n].events(None).await {
            _ = writeln!(all, "{name} {event} {id} {data}");
        }
        for text in ["Ann bids 4", "Ann bids 99", "Bob bids 3", "ruling worth 1", "nonsense"] {
            let path = seats[n].at("preview");
            let (status, body) = seats[n].post(&path, json!({ "do": text, "view": true })).await;
            _ = writeln!(all, "{name} preview {text}: {status} {body}");
        }
        for text in ["Bob bids 3", "Ann bids 99", "ruling worth 1", "nonsense"] {
            for expected in [0, 2, 5] {
                let (status, body) =
                    seats[n].post(&command, json!({ "do": text, "expected": expected })).await;
                _ = writeln!(all, "{name} {text} at {expected}: {status} {body}");
            }
        }
        let path = seats[n].at("ask");
        let (status, body) = seats[n].post(&path, json!({ "question": "worth" })).await;
        _ = writeln!(all, "{name} asks: {status} {body}");
    }
    // What is random or a clock's is the same in neither.
    let (id, commitment) = (links["id"].as_str().unwrap(), links["commitment"].as_str().unwrap());
    all = all.replace(id, "ID").replace(commitment, "COMMITMENT");
    for key in ["\"since\":", "\"at\":"] {
        let mut rest = all.as_str();
        let mut out = String::new();
        while let Some((before, after)) = rest.split_once(key) {
            out.push_str(before);
            out.push_str(key);
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        out.push_str(rest);
        all = out;
    }
    all
}

#[tokio::test]
async fn nothing_that_is_sent_tells_of_what_may_not_be_known() {
    let (one, two) = (sent(0).await, sent(1).await);
    for (a, b) in one.lines().zip(two.lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(one.lines().count(), two.lines().count());
    assert!(one.contains("good luck") && !one.contains("secret"));
}

#[tokio::test]
async fn no_token_is_in_the_store_or_in_any_answer_after_the_first() {
    let fresh = fresh(Hooks::default()).await;
    let (links, seats) = table(&fresh.router, run(), &["Runner", "host"]).await;
    let tokens: Vec<String> = links["links"]
        .as_object()
        .unwrap()
        .values()
        .map(|l| l.as_str().unwrap().split_once('#').unwrap().1.to_owned())
        .collect();
    for seat in &seats {
        let text = seat.text(&seat.at("")).await.1;
        assert!(tokens.iter().all(|t| !text.contains(t)));
    }
    fresh.server.close().await;
    for entry in std::fs::read_dir(fresh.folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for token in &tokens {
            assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()));
        }
    }
}
