//! What nobody sends by mistake. Every one is answered with a reason and changes nothing, and the server goes on.

use crate::support::*;
use axum::body::Body;
use serde_json::{Value, json};
use server::Hooks;

/// Sends bytes as they are.
async fn raw(seat: &Browser, path: &str, body: impl Into<Body>) -> (u16, String) {
    let request = seat.request("POST", path).header("content-type", "application/json");
    let response = seat.send(request.body(body.into()).unwrap()).await;
    let status = response.status().as_u16();
    let bytes = axum::body::to_bytes(response.into_body(), 1_000_000).await.unwrap();
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test]
async fn bodies_that_are_no_bodies() {
    let fresh = fresh(Hooks::default()).await;
    let (_, seats) = table(&fresh.router, run(), &["Runner"]).await;
    let before = seats[0].table().await;
    let command = seats[0].at("command");
    let deep = format!("{{\"do\":{}1{}}}", "[".repeat(20_000), "]".repeat(20_000));
    for body in [
        b"\xff\xfe{\x00}".to_vec(),
        b"{\"do\":\"run 1\",\"do\":\"run 2\",\"expected\":0}".to_vec(),
        b"{\"do\":\"run 1\",\"expected\":1e400}".to_vec(),
        b"{\"do\":\"run 1\",\"expected\":18446744073709551616}".to_vec(),
        b"{\"do\":\"run 1\",\"expected\":0.5}".to_vec(),
        b"{\"do\":\"run 1\",\"expected\":0,\"dice\":[65536]}".to_vec(),
        b"{\"do\":\"run 1\",\"expected\":0} {\"do\":\"run 1\"}".to_vec(),
        b"{\"do\":\"run \\ud800\",\"expected\":0}".to_vec(),
        b"null".to_vec(),
        Vec::new(),
        deep.clone().into_bytes(),
    ] {
        let shown: String = String::from_utf8_lossy(&body).chars().take(60).collect();
        let (status, text) = raw(&seats[0], &command, body).await;
        assert!((400..423).contains(&status) && text.contains("words"), "{shown}: {status} {text}");
    }
    for path in ["/api/games", "/api/import", "/api/enter", "/api/drafts"] {
        let (status, text) = raw(&seats[0], path, deep.clone()).await;
        assert!((400..423).contains(&status) && text.contains("words"), "{path}: {status} {text}");
    }
    assert_eq!(seats[0].table().await, before);
}

#[tokio::test]
async fn commands_of_strange_letters() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner"]).await;
    let before = seats[0].table().await;
    let command = seats[0].at("command");
    for text in [
        "run \u{0}1",
        "ｒｕｎ 1",
        "run ١",
        "run -1",
        "run 1\nrun 1",
        "run 99999999999999999999",
        "\u{202e}1 nur",
        "run 1;DROP TABLE game",
        "🦄".repeat(900).as_str(),
        " ",
    ] {
        let (status, body) = seats[0].post(&command, json!({ "do": text, "expected": 0 })).await;
        assert_eq!(status, 422, "{text:?}: {body}");
    }
    for seat in ["Runner\u{0}", "Ｒunner", "table", "all", "seat:Runner", "side:0", &"R".repeat(50_000)] {
        let (status, body) =
            seats[0].post(&command, json!({ "do": "run 1", "expected": 0, "seat": seat })).await;
        assert_eq!(status, 403, "{body}");
        let (status, _) = seats[0].get(&seats[0].at("?seat=%00%ff")).await;
        assert!(status == 403 || status == 400, "{status}");
    }
    assert_eq!(seats[0].table().await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_tabs_moves() {
    let fresh = fresh(Hooks::default()).await;
    let (_, seats) = table(&fresh.router, run(), &["Runner"]).await;
    let all: Vec<_> = (0..24)
        .map(|_| {
            let mut tab = seats[0].clone();
            tokio::spawn(async move {
                let path = tab.at("command");
                tab.post(&path, json!({ "do": "run 1", "expected": 0 })).await.0.as_u16()
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for one in all {
        statuses.push(one.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|s| **s == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|s| [200, 409].contains(s)), "{statuses:?}");
    assert_eq!(seats[0].table().await["view"]["at"], 1);
}

#[tokio::test]
async fn cookies_from_a_jar_of_horrors() {
    let fresh = fresh(Hooks::default()).await;
    let (_, seats) = table(&fresh.router, run(), &["Runner"]).await;
    let good = seats[0].cookies[0].1.clone();
    let id = seats[0].id.clone();
    for (value, fine) in [
        ("=".repeat(43), false),
        (format!("{}.{good}", "x".repeat(43)), true),
        (vec!["y".repeat(43); 100].join("."), false),
        (format!("{good}\u{e9}"), false),
        (good.to_uppercase(), false),
        (format!("{good};{good}"), true),
        (format!("\"{good}\""), false),
    ] {
        let mut jar = seats[0].clone();
        jar.cookies = vec![(format!("muster_{id}"), value.clone())];
        let (status, text) = jar.text(&jar.at("")).await;
        assert_eq!(status == 200, fine, "{value}: {status} {text}");
        assert!(fine || status == 404, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_cannot_be() {
    let fresh = fresh(Hooks::default()).await;
    let mut browser = Browser::new(&fresh.router);
    let element = |count: Value| json!({ "type": "Knight", "count": count });
    let side = |element: &Value| json!({ "army": "x", "commands": [{ "elements": [element] }] });
    let hott = |side: Value, more: Value| {
        let mut setup = json!({ "sides": [side.clone(), side] });
        for (key, value) in more.as_object().unwrap() {
            setup[key] = value.clone();
        }
        json!({ "kind": "hott", "setup": setup })
    };
    let one = side(&element(json!(1)));
    for wish in [
        hott(side(&element(json!(4_000_000_000_u64))), json!({})),
        hott(side(&element(json!(60_000))), json!({})),
        hott(side(&element(json!(-3))), json!({})),
        hott(
            json!({ "army": "x", "commands": vec![json!({ "elements": [element(json!(1))] }); 300] }),
            json!({}),
        ),
        hott(one.clone(), json!({ "board": [2_000_000_000, 2_000_000_000] })),
        hott(one.clone(), json!({ "board": [-5, 0] })),
        hott(one.clone(), json!({ "ground": ["wood disc 99999999 99999999 99999999"] })),
        hott(one.clone(), json!({ "ground": vec!["wood disc 600 600 100"; 20_000] })),
        hott(one.clone(), json!({ "seats": [{ "name": "host", "side": "A" }] })),
        hott(one.clone(), json!({ "alliances": [["A", "B"], ["B", "A"], ["Z"]] })),
        json!({ "kind": "hott", "setup": { "sides": vec![one.clone(); 500] } }),
        json!({ "kind": "hott", "notation": "hott1 ".repeat(50_000) }),
        json!({ "kind": "hott", "notation": "x", "setup": {} }),
        json!({ "kind": "hott", "setup": {}, "rules_file": format!("a={}", "[".repeat(200_000)) }),
        json!({ "kind": "hott", "setup": {}, "sets": vec!["hott.zoc_depth=1"; 10_000] }),
        json!({ "kind": "hott", "setup": {}, "parts": { "A": "/../../etc" } }),
    ] {
        let shown: String = wish.to_string().chars().take(120).collect();
        let start = std::time::Instant::now();
        let (status, body) = browser.post("/api/games", wish).await;
        let words: String = body["words"].as_str().unwrap_or("").chars().take(200).collect();
        assert!(status == 422 || status == 413, "{shown}: {status} {words}");
        assert!(start.elapsed().as_secs() < 20, "{shown} takes too long");
    }
    assert_eq!(browser.get("/health").await.0, 200);
}

#[tokio::test]
async fn titles_talk_and_other_words_come_back_as_text() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = run();
    wish["title"] = json!("<script>alert(1)</script>\u{0}\u{1b}[2J\n".repeat(50));
    let (_, mut seats) = table(&fresh.router, wish, &["Runner", "Guard"]).await;
    let title = seats[0].table().await["title"].as_str().unwrap().to_owned();
    assert!(title.chars().count() <= 120 && !title.contains(['\u{0}', '\u{1b}', '\n']), "{title:?}");
    let say = seats[0].at("say");
    for (words, expected) in [
        ("\u{0}\u{7}".to_owned(), 422),
        (" \n\t ".to_owned(), 422),
        ("x".repeat(2001), 422),
        ("data: x\n\nevent: game\ndata: {}".to_owned(), 200),
    ] {
        assert_eq!(seats[0].post(&say, json!({ "words": words })).await.0, expected);
    }
    // What is said cannot pass for an event of the stream.
    let events = seats[1].events(None).await;
    assert_eq!(events.iter().filter(|(kind, _, _)| kind == "game").count(), 0, "{events:?}");
    assert_eq!(events.iter().filter(|(kind, _, _)| kind == "talk").count(), 1);
    let words = seats[0].at("words");
    assert_eq!(seats[0].post(&words, json!({ "words": "🎲".repeat(200) })).await.0, 200);
    assert_eq!(seats[0].post(&words, json!({ "words": "🎲".repeat(201) })).await.0, 422);
}

#[tokio::test]
async fn records_that_lie() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    seats[0].play("run 2").await;
    let resign = seats[0].at("resign");
    seats[0].post(&resign, json!({})).await;
    let (_, text) = seats[0].text(&seats[0].at("record")).await;
    let lines: Vec<&str> = text.lines().collect();
    for (n, lie) in [
        text.replace("run 2", "run 3"),
        text.replace("\"n\":1", "\"n\":4294967295"),
        [lines[0], lines[2], lines[1]].join("\n"),
        format!("{text}{text}"),
        text.replace("\"game\":\"run\"", "\"game\":\"hott\""),
        text.replace('{', "[{"),
        format!("{}\n{}", lines[0], "{".repeat(100_000)),
        "\n".repeat(100_000),
    ]
    .into_iter()
    .enumerate()
    {
        let (status, body) = seats[0].post("/api/import", json!({ "record": lie })).await;
        assert_eq!(status, 422, "lie {n}: {body}");
    }
}

#[tokio::test]
async fn methods_and_paths_astray() {
    let fresh = fresh(Hooks::default()).await;
    let (_, seats) = table(&fresh.router, run(), &["Runner"]).await;
    for (method, path) in [
        ("GET", seats[0].at("command")),
        ("DELETE", seats[0].at("")),
        ("PUT", seats[0].at("record")),
        ("POST", seats[0].at("events")),
        ("GET", "/api/games".to_owned()),
        ("OPTIONS", seats[0].at("undo")),
    ] {
        let response = seats[0].send(seats[0].request(method, &path).body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), 405, "{method} {path}");
    }
    for path in [
        "/api/../api/games",
        "/api//games",
        "/api/games/%2e%2e/record",
        "/api/library/../../etc/passwd",
        "/assets/../../Cargo.toml",
    ] {
        let (status, text) = seats[0].text(path).await;
        assert!(status == 404 || status == 405, "{path}: {status} {text}");
    }
}
