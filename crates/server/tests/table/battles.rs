//! Whole battles of Hordes of the Things, in pairs that differ only in what a seat may not know: everything that is sent
//! to that seat, to a spectator and to the host is the same to the byte.

use crate::support::*;
use dice::{Ask, Dice, Key, Seeded};
use serde_json::{Value, json};
use server::Hooks;

/// What is different in secret.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Secret {
    /// What of side B waits off the table; the same AP each time.
    waits: &'static [(&'static str, u8)],
    /// The seed of the dice.
    seed: u64,
    /// B's standing replies, in the game's own command and in the server's form; none: not given at all.
    replies: Option<(&'static str, &'static str)>,
    /// How often B whispers to himself.
    whispers: u8,
}

const PLAIN: Secret = Secret { waits: &[("Lurker", 4)], seed: 1, replies: None, whispers: 0 };

fn wish(secret: &Secret, bounds: u32) -> Value {
    let army = |waits: &[(&str, u8)]| {
        let mut elements = vec![
            json!({ "type": "Hero", "general": true, "count": 1 }),
            json!({ "type": "Shooter", "count": 4 }),
            json!({ "type": "Knight", "count": 2 }),
            json!({ "type": "Horde", "count": 4 }),
        ];
        elements.extend(waits.iter().map(|(name, n)| json!({ "type": name, "count": n })));
        json!({ "army": "Wood", "commands": [{ "elements": elements }] })
    };
    json!({ "kind": "hott", "title": "pair", "setup": { "sides": [army(&[("Lurker", 4)]), army(secret.waits)],
        "defender": "A", "bound_limit": bounds, "edges": { "A": "lower", "B": "upper" }, "ground": [] } })
}

/// Everything that is sent, line by line, to those who may not know B's secrets.
struct Sent {
    lines: Vec<String>,
    /// What is random in every battle, and what it is called here.
    names: Vec<(String, String)>,
}

impl Sent {
    fn note(&mut self, what: &str, got: impl std::fmt::Display) {
        let mut text = format!("{what}: {got}");
        for (random, name) in &self.names {
            text = text.replace(random, name);
        }
        // Times apart.
        for key in ["\"since\":", "\"at\":", "\"touched\":"] {
            let mut out = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once(key) {
                out.push_str(before);
                out.push_str(key);
                let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
                rest = digits;
            }
            out.push_str(rest);
            text = out;
        }
        self.lines.push(text);
    }
}

/// Names of elements that B may or may not have, used in every way there is to ask for them.
const POKES: [&str; 13] = [
    "shoot B.Lrk1 with Sht1",
    "shoot B.God1 with Sht1",
    "kni1 charge front B.Drg1",
    "kni1 charge front B.Lrk9",
    "charge Lrk1 front B.Kni1",
    "bespell B.Drg1 with Her1",
    "fight B.Lrk1",
    "target B.God1",
    "move g1 ahead 100",
    "concede B",
    "arrive B.God1 at 100 100 0",
    "ruling remove B.Lrk1 because it is there",
    "nonsense of all sorts",
];

/// Everything that `seat` can be sent at this moment.
async fn look(sent: &mut Sent, who: &str, seat: &mut Browser, all: bool, over: bool) {
    let version = seat.table().await["version"].clone();
    for what in
        ["", "replies", "case", "note", "note?to=A", "note?to=B&after=3", "candidates?begin=end&events=true"]
    {
        let (status, text) = seat.text(&seat.at(what)).await;
        sent.note(&format!("{who} {what}"), format!("{status} {text}"));
    }
    if !over {
        // Afterwards everything is shown: it is the end.
        let (status, text) = seat.text(&seat.at("record")).await;
        sent.note(&format!("{who} record"), format!("{status} {text}"));
    }
    for (event, id, data) in seat.events(None).await {
        sent.note(&format!("{who} {event} {id}"), data);
    }
    if !all {
        return;
    }
    for what in [
        "candidates?most=2000",
        "candidates?begin=lurk",
        "?at=1",
        "?at=3",
        "?at=999",
        "events?after=x&seat=B",
    ] {
        let (status, text) = seat.text(&seat.at(what)).await;
        if what.starts_with("events") && status == 200 {
            continue;
        }
        sent.note(&format!("{who} {what}"), format!("{status} {text}"));
    }
    for text in POKES {
        for (path, body) in [
            ("preview", json!({ "do": text, "view": true, "ask": ["fights", "zones", "losses"] })),
            ("command", json!({ "do": text, "expected": version })),
            ("command", json!({ "do": text, "expected": 1 })),
            ("command", json!({ "do": text, "expected": 9999, "seat": "B" })),
        ] {
            let at = seat.at(path);
            let (status, body) = seat.post(&at, body).await;
            assert!(path == "preview" || status != 200, "{who}: {text} went through");
            sent.note(&format!("{who} {text}"), format!("{status} {body}"));
        }
    }
    for question in [
        "factors B.Lrk1 v A.Kni1",
        "odds B.God1 v A.Kni1",
        "factors B.Drg1 v A.Kni1",
        "distance A.Kni1 B.Lrk1",
        "army B",
        "zones",
        "fights",
        "flight",
        "losses",
    ] {
        let path = seat.at("ask");
        let (status, body) = seat.post(&path, json!({ "question": question })).await;
        sent.note(&format!("{who} asks {question}"), format!("{status} {body}"));
    }
    for (path, body) in [
        ("propose", json!({ "what": "ruling", "do": "ruling remove B.Lrk3", "reason": "x" })),
        ("propose", json!({ "what": "ruling", "do": "ruling remove B.God1", "reason": "x" })),
        ("press", json!({})),
        ("undo", json!({ "to": 99_999 })),
    ] {
        let path = seat.at(path);
        let (status, answer) = seat.post(&path, body.clone()).await;
        sent.note(&format!("{who} {path} {body}"), format!("{status} {answer}"));
    }
    // What was proposed is withdrawn.
    for proposal in seat.table().await["proposals"].as_array().cloned().unwrap_or_default() {
        let path = seat.at("agree");
        seat.post(&path, json!({ "proposal": proposal["n"], "agree": false })).await;
    }
}

/// A whole battle, and everything that A, a spectator and the host are sent in it. B plays, of what he may do, only
/// what he could do in every such battle.
async fn battle(secret: Secret, bounds: u32, fighting: bool) -> Vec<String> {
    let fresh = fresh(Hooks::default()).await;
    let wish = serde_json::from_value(wish(&secret, bounds)).unwrap();
    let links = fresh.server.new_game_with_key(wish, Key::from_seed(secret.seed)).await.unwrap();
    let mut seats = Vec::new();
    for role in ["A", "B", "spectator", "host"] {
        let mut browser = Browser::new(&fresh.router);
        assert_eq!(browser.enter(&links.links[role]).await.0, 200);
        seats.push(browser);
    }
    let names = vec![
        (links.id.clone(), "ID".to_owned()),
        (links.commitment.clone().unwrap(), "COMMITMENT".to_owned()),
        (Key::from_seed(secret.seed).to_string(), "KEY".to_owned()),
    ];
    let mut sent = Sent { lines: Vec::new(), names };
    if let Some((_, mode)) = secret.replies {
        let path = seats[1].at("replies");
        let replies = json!({ "replies": { "mode": mode, "prefer": [
                // Of single pieces, and of a kind of choice.
                { "about": "of B.Sht1", "answer": "nearest" }, { "about": "of B.Sht2", "answer": "A.Bld1" },
                { "about": "flight", "answer": "ask" },
            ] } });
        assert_eq!(seats[1].post(&path, replies).await.0, 200);
    }
    let mut last = String::new();
    for step in 0..400_usize {
        let state = seats[0].table().await;
        let over = state["over"] == true;
        let owed = &state["owes"][0];
        let about = owed["about"].as_str().unwrap_or("").to_owned();
        // At every new step of the bound those who may not know look; now and then they try everything.
        if about != last || over {
            let all = over || about.contains("moves") && owed["seat"] == "A";
            let few: &[usize] = if all { &[0, 2, 3] } else { &[0, 2] };
            for n in few {
                let who = ["A", "B", "spectator", "host"][*n];
                look(&mut sent, who, &mut seats[*n], all && step % 2 == 0 || over, over).await;
            }
            for n in 0..secret.whispers {
                let path = seats[1].at("say");
                let words = json!({ "to": "side", "words": format!("whisper {n}") });
                assert_eq!(seats[1].post(&path, words).await.0, 200);
            }
            if let (Some((reply, _)), "B") = (secret.replies, owed["seat"].as_str().unwrap_or("")) {
                assert_eq!(seats[1].play(&format!("reply shooters {reply}")).await.0, 200);
            }
            last = about.clone();
        }
        if over {
            assert!(step > 6, "a battle, not a moment: {step}");
            return sent.lines;
        }
        let n = usize::from(owed["seat"] == "B");
        let text = if about.contains("moves") && !(fighting && step % 5 != 4) {
            "end moves".to_owned()
        } else {
            let begin = if about.contains("moves") { "?begin=move" } else { "" };
            let (status, all) = seats[n].get(&seats[n].at(&format!("candidates{begin}"))).await;
            assert_eq!(status, 200, "{all}");
            let all: Vec<&str> =
                all["candidates"].as_array().unwrap().iter().filter_map(|c| c["do"].as_str()).collect();
            match all.get((step * 7 + 3) % all.len().max(1)) {
                Some(text) => (*text).to_owned(),
                None => "end".to_owned(),
            }
        };
        let (status, body) = seats[n].play(&text).await;
        assert_eq!(status, 200, "{text}: {body}");
        if n == 0 {
            sent.note(&format!("A plays {text}"), body);
        }
    }
    panic!("the battle does not end");
}

fn same(one: &[String], other: &[String], what: &str) {
    for (a, b) in one.iter().zip(other) {
        assert!(a == b, "{what} is told:\n{}\n{}", around_difference(a, b), around_difference(b, a));
    }
    assert_eq!(one.len(), other.len(), "{what}");
}

/// Where two texts part, with what stands around it.
fn around_difference(a: &str, b: &str) -> String {
    let at = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let head: String = a.chars().take(60).collect();
    let from = at.saturating_sub(160);
    format!("{head} … {}", a.chars().skip(from).take(360).collect::<String>())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn which_elements_wait_off_the_table_is_told_to_nobody() {
    let plain = battle(PLAIN, 3, true).await;
    assert!(plain.iter().any(|l| l.contains("\"kind\":\"moved\"")) && plain.len() > 300, "{}", plain.len());
    let other = battle(Secret { waits: &[("God", 1)], ..PLAIN }, 3, true).await;
    same(&plain, &other, "a God instead of Lurkers");
    let other = battle(Secret { waits: &[("Dragon", 1)], whispers: 2, ..PLAIN }, 3, true).await;
    same(&plain, &other, "a Dragon instead of Lurkers, and whispers");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standing_replies_that_do_not_come_to_be_used_are_told_to_nobody() {
    let plain = battle(PLAIN, 4, false).await;
    for replies in [("ask", "stands"), ("most-aids", "ask")] {
        let other = battle(Secret { replies: Some(replies), whispers: 1, ..PLAIN }, 4, false).await;
        same(&plain, &other, &format!("the reply {replies:?}"));
    }
}

/// Two seeds that give the same PIPs in so many bounds, and other dice after that.
fn seeds_alike(bounds: u64) -> (u64, u64) {
    let dice = |seed: u64| -> Vec<u16> {
        let mut seeded = Seeded::new(Key::from_seed(seed).with_words("hott", &[]));
        let ask = |bound: u64, command: u64| Ask::d6("pips", command, bound);
        (1..=bounds + 6).map(|b| seeded.one(ask(b, (b + 1) % 2)).unwrap()).collect()
    };
    let same = usize::try_from(bounds).unwrap();
    let all: Vec<(u64, Vec<u16>)> = (0..4000).map(|seed| (seed, dice(seed))).collect();
    for (n, (one, dice)) in all.iter().enumerate() {
        let mut others = all[n + 1..].iter();
        if let Some((other, _)) = others.find(|(_, d)| d[..same] == dice[..same] && d[same..] != dice[same..])
        {
            return (*one, *other);
        }
    }
    panic!("there are no such seeds");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_seed_of_the_dice_is_told_to_nobody_before_they_fall() {
    let (one, other) = seeds_alike(4);
    let plain = battle(Secret { seed: one, ..PLAIN }, 4, false).await;
    assert!(plain.iter().any(|l| l.contains("\"kind\":\"pips\"")));
    same(&plain, &battle(Secret { seed: other, ..PLAIN }, 4, false).await, "another seed");
}

#[tokio::test]
async fn parts_of_a_draft_are_told_to_nobody_before_the_last() {
    let mut all = Vec::new();
    let two: [&'static [(&'static str, u8)]; 2] = [&[("Lurker", 4)], &[("God", 1)]];
    for waits in two {
        let fresh = fresh(Hooks::default()).await;
        let mut wish = wish(&Secret { waits, ..PLAIN }, 3);
        let part = wish["setup"]["sides"][1].take();
        wish["seats"] = json!({ "A": "person", "B": "person" });
        wish["parts"] = json!({ "A": "/sides/0", "B": "/sides/1" });
        let (status, links) = Browser::new(&fresh.router).post("/api/drafts", wish).await;
        assert_eq!(status, 201, "{links}");
        let names = vec![(links["id"].as_str().unwrap().to_owned(), "ID".to_owned())];
        let mut sent = Sent { lines: Vec::new(), names };
        let (mut a, mut b) = (Browser::new(&fresh.router), Browser::new(&fresh.router));
        a.enter(links["links"]["A"].as_str().unwrap()).await;
        b.enter(links["links"]["B"].as_str().unwrap()).await;
        let path = format!("/api/drafts/{}", a.id);
        assert_eq!(b.post(&format!("{path}/part"), json!({ "part": part })).await.0, 200);
        sent.note("state", a.text(&path).await.1);
        sent.note("mine", a.text("/api/mine").await.1);
        for part in [json!(null), json!({ "army": "Wood", "commands": [] }), json!("x"), json!([[]])] {
            sent.note("part", a.post(&format!("{path}/part"), json!({ "part": part })).await.1);
            sent.note(
                "foreign",
                a.post(&format!("{path}/part"), json!({ "seat": "B", "part": part })).await.1,
            );
        }
        for path in [path.clone(), format!("/api/games/{}", a.id), "/health".to_owned()] {
            sent.note(&path, a.text(&path).await.1);
        }
        all.push(sent.lines);
    }
    same(&all[0], &all[1], "B's part");
}
