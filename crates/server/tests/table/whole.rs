//! Whole games by several browsers.

use crate::support::*;
use game::record::Record;
use serde_json::json;
use server::Hooks;

#[tokio::test]
async fn three_seats_play_to_the_end_and_the_record_proves_the_dice() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = auction();
    wish["wait_for_words"] = json!(true);
    let (links, mut seats) = table(&fresh.router, wish, &["Ann", "Bob", "Cat"]).await;
    let commitment = links["commitment"].as_str().unwrap().to_owned();
    let (status, body) = seats[0].play("Ann bids 2").await;
    assert_eq!((status.as_u16(), body["error"].as_str()), (409, Some("words")), "{body}");
    for (n, seat) in seats.iter_mut().enumerate() {
        let path = seat.at("words");
        let (status, body) = seat.post(&path, json!({ "words": format!("word {n}") })).await;
        assert_eq!(status, 200, "{body}");
    }
    for round in 0..4 {
        for (n, name) in ["Ann", "Bob", "Cat"].iter().enumerate() {
            let (status, body) = seats[n].play(&format!("{name} bids {}", (round + n) % 4)).await;
            assert_eq!(status, 200, "{body}");
            assert_eq!(body["items"][0]["event"]["kind"], "sealed");
        }
        if round == 0 {
            let path = seats[0].at("words");
            assert_eq!(seats[0].post(&path, json!({ "words": "late" })).await.0, 409);
            let (_, record) = seats[0].text(&seats[0].at("record")).await;
            assert!(record.starts_with("{\"muster\":\"view\"") && !record.contains("setup"), "{record}");
        }
    }
    let state = seats[1].table().await;
    assert_eq!((&state["over"], &state["outcome"]["ending"]), (&json!(true), &json!("sold")));
    assert!(state["owes"].as_array().unwrap().is_empty());
    let (status, text) = seats[2].text(&seats[2].at("record")).await;
    assert_eq!(status, 200);
    let record = Record::parse(&text).unwrap();
    assert_eq!(record.header.commitment.as_deref(), Some(commitment.as_str()));
    assert_eq!(record.header.words, ["word 0", "word 1", "word 2"]);
    assert!(games()[0].verify(&record).good(), "{:?}", games()[0].verify(&record));
    assert_eq!(seats[0].play("Ann bids 2").await.1["error"], "over");

    // It can be brought in elsewhere, looked at and verified again; and played again with seats changed.
    let (status, brought) = seats[0].post("/api/import", json!({ "record": text })).await;
    assert_eq!(status, 201, "{brought}");
    let mut watcher = Browser::new(&fresh.router);
    watcher.enter(brought["links"]["spectator"].as_str().unwrap()).await;
    assert_eq!(watcher.table().await["over"], true);
    assert_eq!(watcher.text(&watcher.at("record")).await.1, text);
    let path = seats[0].at("rematch");
    let (status, again) = seats[0].post(&path, json!({ "swap": true })).await;
    assert_eq!(status, 201, "{again}");
    let links = again["links"].as_object().unwrap();
    assert!(
        links.contains_key("Bob") && !links.contains_key("Cat"),
        "others' links are not Ann's: {links:?}"
    );
    let old = seats[1].id.clone();
    let (status, entered) = seats[1].post("/api/enter", json!({ "follows": old })).await;
    assert_eq!((status.as_u16(), &entered["roles"]), (200, &json!(["Cat"])), "{entered}");
    let (_, mine) = seats[1].get("/api/mine").await;
    assert_eq!(mine.as_array().unwrap().len(), 2, "{mine}");
}

#[tokio::test]
async fn typed_dice_are_asked_for_and_nothing_is_half_done() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = run();
    wish["dice"] = json!("typed");
    let (_, mut seats) = table(&fresh.router, wish, &["Runner", "Guard"]).await;
    assert_eq!(seats[0].play("run 4").await.0, 200);
    let before = seats[1].table().await;
    assert_eq!(before["owes"][0]["answers"], json!(["trip", "pass"]));
    assert!(seats[0].table().await["owes"][0].get("answers").is_none(), "the choice is the guard's alone");
    let (status, body) = seats[1].play("trip").await;
    assert_eq!((status.as_u16(), &body["wants"][0]["sides"]), (428, &json!(6)), "{body}");
    let path = seats[1].at("command");
    for (dice, expected) in [(json!([9]), 428), (json!([4, 4]), 422)] {
        let command = json!({ "do": "trip", "expected": before["version"], "dice": dice });
        assert_eq!(seats[1].post(&path, command).await.0.as_u16(), expected);
    }
    assert_eq!(seats[1].table().await, before);
    let command = json!({ "do": "trip", "expected": before["version"], "dice": [5] });
    let (status, body) = seats[1].post(&path, command).await;
    assert_eq!((status.as_u16(), &body["items"][0]["event"]["falls"]), (200, &json!(true)), "{body}");
}

#[tokio::test]
async fn a_wrong_die_is_put_right_by_whoever_typed_it_and_all_read_of_it() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = run();
    wish["dice"] = json!("typed");
    let (_, mut seats) = table(&fresh.router, wish, &["Runner", "Guard", "spectator"]).await;
    assert_eq!(seats[0].play("run 4").await.0, 200);
    let path = seats[1].at("command");
    let expected = seats[1].table().await["version"].clone();
    let trip = json!({ "do": "trip", "expected": expected, "dice": [2] });
    assert_eq!(seats[1].post(&path, trip).await.0, 200);
    let state = seats[1].table().await;
    assert_eq!(
        (&state["typed"]["seat"], &state["typed"]["values"]),
        (&json!("Guard"), &json!([2])),
        "{state}"
    );
    assert!(seats[0].table().await["typed"].is_null() && seats[2].table().await["typed"].is_null());
    let version = state["typed"]["version"].clone();
    let dice = seats[1].at("dice");
    for n in [0, 2] {
        let wish = json!({ "dice": [5], "expected": seats[n].table().await["version"] });
        let (status, body) = seats[n].post(&dice, wish).await;
        assert!([403, 409].contains(&status.as_u16()), "who did not type it: {body}");
    }
    for (values, expected, answer) in [
        (json!([5]), json!(0), 409),
        (json!([2]), version.clone(), 422),
        (json!([7]), version.clone(), 428),
        (json!([5, 5]), version.clone(), 422),
    ] {
        let (status, body) = seats[1].post(&dice, json!({ "dice": values, "expected": expected })).await;
        assert_eq!(status.as_u16(), answer, "{values}: {body}");
    }
    assert_eq!(seats[1].table().await, state, "refused, it changes nothing");
    let (status, body) = seats[1].post(&dice, json!({ "dice": [5], "expected": version })).await;
    assert_eq!(status, 200, "{body}");
    for seat in &seats {
        assert_eq!(seat.table().await["view"]["at"], 2, "he fell");
        let events = seat.events(None).await;
        let told = events.iter().find(|(_, _, d)| d["kind"] == "undo").unwrap();
        let say = told.2["event"]["say"].as_str().unwrap();
        assert!(say.contains("Guard") && say.contains("5, not 2"), "{say}");
    }
    // After the next command it is too late; and the record holds it all.
    let version = seats[1].table().await["typed"]["version"].clone();
    assert_eq!(seats[0].play("run 1").await.0, 200);
    assert_eq!(seats[1].post(&dice, json!({ "dice": [1], "expected": version })).await.0, 409);
    assert!(seats[1].table().await["typed"].is_null());
}

#[tokio::test]
async fn a_die_that_ended_the_game_is_put_right_and_play_goes_on() {
    let fresh = fresh(Hooks::default()).await;
    let mut wish = run();
    wish["dice"] = json!("typed");
    let (_, mut seats) = table(&fresh.router, wish, &["Runner", "Guard", "host"]).await;
    for (n, text) in [(0, "run 3"), (1, "pass"), (0, "run 3"), (1, "pass"), (0, "run 4")] {
        assert_eq!(seats[n].play(text).await.0, 200);
    }
    let path = seats[1].at("command");
    let expected = seats[1].table().await["version"].clone();
    seats[1].post(&path, json!({ "do": "trip", "expected": expected, "dice": [1] })).await;
    let over = seats[1].table().await;
    assert_eq!((&over["over"], &over["outcome"]["ending"]), (&json!(true), &json!("home")));
    let (_, ended) = seats[0].get(&seats[0].at("ended")).await;
    assert!(ended["seconds"].is_number() && ended["hidden"].is_array(), "{ended}");
    let dice = seats[1].at("dice");
    let wish = json!({ "dice": [6], "expected": over["typed"]["version"] });
    let (status, body) = seats[1].post(&dice, wish).await;
    assert_eq!(status, 200, "{body}");
    // As the store has it, too.
    drop(fresh.server);
    let again = open(fresh.folder.path(), Hooks::default()).await;
    seats.iter_mut().for_each(|s| s.router = again.router());
    let state = seats[0].table().await;
    assert_eq!((&state["over"], &state["view"]["at"]), (&json!(false), &json!(8)));
    assert_eq!(seats[0].get(&seats[0].at("ended")).await.0, 409);
    assert_eq!(seats[0].play("run 2").await.0, 200);
    assert_eq!(seats[1].play("pass").await.0, 200);
    let (_, text) = seats[0].text(&seats[0].at("record")).await;
    let record = game::record::Record::parse(&text).unwrap();
    assert!(record.lines.iter().any(|l| l.print().contains("wrong_die")));
    let verdict = game::verify::<crate::toy_run::Run>(&record);
    assert!(verdict.good(), "{verdict:?}");
}

#[tokio::test]
async fn taking_back_is_free_until_a_die_then_the_others_are_asked() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    seats[0].play("run 2").await;
    let (path, guard) = (seats[0].at("undo"), seats[1].at("agree"));
    assert_eq!(seats[0].post(&path, json!({})).await.0, 200);
    assert_eq!(seats[0].table().await["view"]["at"], 0);
    seats[0].play("run 3").await;
    seats[1].play("trip").await;
    assert_eq!(seats[0].post(&path, json!({})).await.0, 202);
    let state = seats[1].table().await;
    assert_eq!(state["proposals"][0]["what"], "undo");
    let n = state["proposals"][0]["n"].clone();
    let (status, body) = seats[1].post(&guard, json!({ "proposal": n, "agree": true })).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(seats[1].table().await["view"]["at"], 0);
    let events = seats[1].events(None).await;
    assert_eq!(events.iter().filter(|(_, _, d)| d["kind"] == "undo").count(), 2);
    // A draw needs both; a no ends it.
    let path = seats[0].at("propose");
    assert_eq!(seats[0].post(&path, json!({ "what": "draw" })).await.0, 202);
    let n = seats[1].table().await["proposals"][0]["n"].clone();
    seats[1].post(&guard, json!({ "proposal": n, "agree": false })).await;
    assert!(seats[0].table().await["proposals"].as_array().unwrap().is_empty());
    seats[0].post(&path, json!({ "what": "draw" })).await;
    let n = seats[1].table().await["proposals"][0]["n"].clone();
    assert_eq!(seats[1].post(&guard, json!({ "proposal": n, "agree": true })).await.0, 200);
    let state = seats[0].table().await;
    assert_eq!((&state["outcome"]["ending"], &state["over"]), (&json!("agreed"), &json!(true)));
    let (_, text) = seats[0].text(&seats[0].at("record")).await;
    let verdict = games()[1].verify(&Record::parse(&text).unwrap());
    assert!(verdict.good(), "{verdict:?}");
}

#[tokio::test]
async fn one_gives_up_and_the_other_has_won() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "Guard"]).await;
    let path = seats[0].at("resign");
    assert_eq!(seats[0].post(&path, json!({})).await.0, 200);
    let state = seats[1].table().await;
    assert_eq!(state["outcome"]["winners"], json!(["Guard"]));
}

#[tokio::test]
async fn a_ruling_needs_all_or_a_host_who_alone_rules() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, auction(), &["Ann", "Bob", "Cat", "umpire"]).await;
    let (path, agree) = (seats[0].at("propose"), seats[0].at("agree"));
    assert_eq!(seats[0].play("ruling worth 3").await.0, 422);
    let wish = json!({ "what": "ruling", "do": "ruling worth 3", "reason": "misread" });
    assert_eq!(seats[0].post(&path, wish).await.0, 202);
    for (n, expected) in [(1, 202), (2, 200)] {
        let (status, body) = seats[n].post(&agree, json!({ "proposal": 1, "agree": true })).await;
        assert_eq!(status.as_u16(), expected, "{body}");
    }
    assert_eq!(seats[3].table().await["view"]["worth"], 3);
    let mut wish = auction();
    wish["host_rules"] = json!(true);
    let (_, mut hosts) = table(&fresh.router, wish, &["host"]).await;
    let path = hosts[0].at("command");
    let (status, body) =
        hosts[0].post(&path, json!({ "seat": "host", "do": "ruling worth 9", "expected": 0 })).await;
    assert_eq!(status, 200, "{body}");
}

#[tokio::test]
async fn a_seat_is_handed_on_and_the_old_link_ends() {
    let fresh = fresh(Hooks::default()).await;
    let (_, mut seats) = table(&fresh.router, run(), &["Runner", "spectator"]).await;
    let path = seats[0].at("pass");
    let (status, links) = seats[0].post(&path, json!({})).await;
    assert_eq!(status, 200);
    assert_eq!(seats[0].get(&seats[0].at("")).await.0, 404);
    let mut heir = Browser::new(&fresh.router);
    heir.enter(links["links"]["Runner"].as_str().unwrap()).await;
    assert_eq!(heir.play("run 1").await.0, 200);
    let (status, _) = seats[1].play("run 1").await;
    assert_eq!(status, 403, "who watches does not play");
}

#[tokio::test]
async fn the_pages_around_it() {
    let fresh = fresh(Hooks::default()).await;
    let browser = Browser::new(&fresh.router);
    let (status, page) = browser.text("/t/whatever").await;
    assert!(status == 200 && page.contains("<html"), "{page}");
    assert_eq!(browser.get("/api/openapi.json").await.1, server::openapi());
    assert!(browser.text("/api/docs").await.1.contains("/api/games/{id}/command"));
    assert_eq!(browser.get("/health").await.1["ok"], true);
    assert!(browser.text("/metrics").await.1.contains("muster_commands_total 0"));
    assert_eq!(browser.get("/api/nothing").await.0, 404);
    assert_eq!(browser.get("/api/kinds").await.1[1]["name"], "run");
    fresh.server.close().await;
}

#[tokio::test]
async fn parts_of_a_setup_are_filled_in_apart_and_the_game_begins_with_the_last() {
    let fresh = fresh(Hooks::default()).await;
    let wish = json!({ "kind": "run", "setup": { "length": null }, "seats": { "Runner": "person", "Guard": "person" },
        "parts": { "Guard": "/length" }, "title": "apart" });
    let (status, links) = Browser::new(&fresh.router).post("/api/drafts", wish).await;
    assert_eq!(status, 201, "{links}");
    let mut seats = [Browser::new(&fresh.router), Browser::new(&fresh.router)];
    for (seat, name) in seats.iter_mut().zip(["Runner", "Guard"]) {
        assert_eq!(seat.enter(links["links"][name].as_str().unwrap()).await.0, 200);
    }
    let path = format!("/api/drafts/{}", seats[0].id);
    let part = format!("{path}/part");
    let (_, state) = seats[0].get(&path).await;
    assert_eq!((&state["given"]["Guard"], &state["game"]), (&json!(false), &json!(null)), "{state}");
    assert_eq!(seats[0].post(&part, json!({ "part": 9 })).await.0, 403);
    assert_eq!(seats[1].post(&part, json!({ "part": 1 })).await.0, 422, "not a track");
    assert_eq!(Browser::new(&fresh.router).get(&path).await.0, 404);
    assert_eq!(seats[0].get(&seats[0].at("")).await.0, 404, "there is no table yet");
    let (status, state) = seats[1].post(&part, json!({ "part": 9 })).await;
    assert_eq!(status, 200, "{state}");
    assert!(state["game"].is_string() && state["own"]["Guard"] == 9, "{state}");
    assert_eq!(seats[1].post(&part, json!({ "part": 8 })).await.0, 409);
    let draft = seats[0].id.clone();
    let (status, entered) = seats[0].post("/api/enter", json!({ "follows": draft })).await;
    assert_eq!((status.as_u16(), &entered["roles"]), (200, &json!(["Runner"])), "{entered}");
    seats[0].id = entered["id"].as_str().unwrap().to_owned();
    assert_eq!(seats[0].play("run 2").await.0, 200);
    assert_eq!(seats[0].table().await["view"]["length"], 9);
}
