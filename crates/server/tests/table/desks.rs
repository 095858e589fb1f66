//! Pages beside the tables: roles, views, what is on disk, what goes wrong.

use crate::support::{Browser, Fresh, fresh, open};
use game::{Problem, Problems};
use serde_json::{Value, json};
use server::{Desk, DeskFile, Desks, Hooks};
use std::sync::Arc;

/// A pad of lines; those that begin with `secret` are its owner's.
struct Pad {
    lines: Vec<String>,
    written: usize,
    over: bool,
}

impl Pad {
    fn seen(&self, role: &str) -> Vec<&String> {
        self.lines.iter().skip(1).filter(|l| role == "owner" || !l.starts_with("secret")).collect()
    }
}

impl Desk for Pad {
    fn title(&self) -> String {
        "A pad".to_owned()
    }
    fn roles(&self) -> Vec<String> {
        vec!["owner".to_owned(), "a guest".to_owned()]
    }
    fn over(&self) -> bool {
        self.over
    }
    fn view(&self, role: &str) -> Value {
        json!({ "lines": self.seen(role) })
    }
    fn act(&mut self, role: &str, wish: &Value) -> Result<Value, Problems> {
        if role != "owner" {
            return Err(vec![Problem::new("not yours")]);
        }
        match wish["write"].as_str() {
            Some("defect") => panic!("a defect of the pad"),
            Some("") | None => Err(vec![Problem::new("write what?")]),
            Some(text) => {
                self.over = text == "end";
                self.lines.push(text.to_owned());
                Ok(json!(self.lines.len()))
            }
        }
    }
    fn ask(&self, role: &str, _: &Value) -> Result<Value, Problems> {
        Ok(json!(self.seen(role).len()))
    }
    fn file(&self, role: &str, name: &str) -> Option<DeskFile> {
        let text = self.seen(role).iter().map(|l| format!("{l}\n")).collect::<String>();
        (name == "all").then(|| DeskFile {
            name: "pad.txt".to_owned(),
            kind: "text/plain",
            bytes: text.into_bytes(),
        })
    }
    fn unwritten(&mut self) -> Vec<String> {
        let new = self.lines[self.written..].to_vec();
        self.written = self.lines.len();
        new
    }
    fn beside(&self) -> Value {
        json!({ "over": self.over })
    }
}

struct Pads;
impl Desks for Pads {
    fn open(&self, kind: &str, wish: &Value, _: u64) -> Option<Result<Box<dyn Desk>, Problems>> {
        let title = wish["title"].as_str().unwrap_or("").to_owned();
        if kind != "pad" {
            return None;
        }
        Some(if title.is_empty() {
            Err(vec![Problem::new("a pad has a title")])
        } else {
            Ok(Box::new(Pad { lines: vec![title], written: 0, over: false }))
        })
    }
    fn resume(
        &self,
        _: &str,
        record: &str,
        beside: &Value,
        _: u64,
    ) -> Option<Result<Box<dyn Desk>, Problems>> {
        let lines: Vec<String> = record.lines().map(str::to_owned).collect();
        Some(Ok(Box::new(Pad { written: lines.len(), lines, over: beside["over"] == true })))
    }
}

fn hooks() -> Hooks {
    Hooks { desks: Some(Arc::new(Pads)), ..Hooks::default() }
}

async fn pad(at: &Fresh) -> (Value, Browser, Browser) {
    let mut owner = Browser::new(&at.router);
    let (status, links) = owner.post("/api/desks", json!({ "kind": "pad", "wish": { "title": "t" } })).await;
    assert_eq!(status, 201, "{links}");
    let link = |role: &str| links["links"][role].as_str().unwrap().to_owned();
    assert!(link("a guest").contains("?role=a%20guest#"), "{links}");
    let mut guest = Browser::new(&at.router);
    owner.enter(&link("owner")).await;
    guest.enter(&link("a guest")).await;
    (links, owner, guest)
}

fn path(b: &Browser, what: &str) -> String {
    format!("/api/desks/{}{what}", b.id)
}

async fn write(b: &mut Browser, text: &str) -> (axum::http::StatusCode, Value) {
    let path = path(b, "/act");
    b.post(&path, json!({ "act": { "write": text } })).await
}

#[tokio::test]
async fn each_role_sees_its_own_and_a_hidden_act_makes_no_sound() {
    let at = fresh(hooks()).await;
    let (_, mut owner, mut guest) = pad(&at).await;
    assert_eq!(write(&mut owner, "open").await.0, 200);
    let (_, before) = guest.get(&path(&guest, "")).await;
    assert_eq!(before["view"]["lines"], json!(["open"]));
    assert_eq!(before["roles"], json!(["a guest"]));
    let (status, done) = write(&mut owner, "secret plan").await;
    assert_eq!((status, done["answer"].clone()), (200.into_status(), json!(3)));
    // Byte for byte the same, its mark too.
    assert_eq!(guest.get(&path(&guest, "")).await.1, before);
    assert_eq!(guest.text(&path(&guest, "/file/all")).await.1, "open\n");
    assert_eq!(owner.text(&path(&owner, "/file/all")).await.1, "open\nsecret plan\n");
    // What is not a role's to do or to see.
    assert_eq!(write(&mut guest, "mine").await.0, 422);
    assert_eq!(guest.get(&path(&guest, "?role=owner")).await.0, 403);
    let link = path(&guest, "/link");
    assert_eq!(guest.post(&link, json!({ "of": "owner" })).await.0, 403);
    assert_eq!(Browser::new(&at.router).get(&path(&guest, "")).await.0, 404);
    // No game is found under its id, and no desk under a game's.
    assert!(!owner.get(&format!("/api/games/{}", owner.id)).await.0.is_success());
    let (_, mine) = owner.get("/api/mine").await;
    assert_eq!((mine[0]["kind"].clone(), mine[0]["title"].clone()), (json!("desk:pad"), json!("A pad")));
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_crash_and_a_defect_undoes_itself() {
    let at = fresh(hooks()).await;
    let (links, mut owner, _) = pad(&at).await;
    write(&mut owner, "one").await;
    assert_eq!(write(&mut owner, "defect").await.0, 503);
    assert_eq!(write(&mut owner, "two").await.0, 200);
    // Another server over the same file, the first one never closed.
    let again = open(at.folder.path(), hooks()).await;
    let mut other = Browser::new(&again.router());
    other.enter(links["links"]["owner"].as_str().unwrap()).await;
    let (_, state) = other.get(&path(&other, "")).await;
    assert_eq!(state["view"]["lines"], json!(["one", "two"]));
    assert_eq!(state["over"], json!(false));
    let (_, done) = write(&mut other, "end").await;
    assert_eq!(done["state"]["over"], json!(true));
}

#[tokio::test]
async fn who_is_behind_does_nothing_and_wrong_wishes_are_told() {
    let at = fresh(hooks()).await;
    let (_, mut owner, mut guest) = pad(&at).await;
    let (_, state) = owner.get(&path(&owner, "")).await;
    let act = path(&owner, "/act");
    let wish = |text: &str| json!({ "expected": state["mark"], "act": { "write": text } });
    assert_eq!(owner.post(&act, wish("first")).await.0, 200);
    let (status, body) = owner.post(&act, wish("second")).await;
    assert_eq!((status, body["error"].clone()), (409.into_status(), json!("overtaken")));
    assert_eq!(owner.get(&path(&owner, "")).await.1["view"]["lines"], json!(["first"]));
    assert_eq!(write(&mut owner, "").await.0, 422);
    assert_eq!(owner.post("/api/desks", json!({ "kind": "pad", "wish": {} })).await.0, 422);
    assert_eq!(owner.post("/api/desks", json!({ "kind": "pod", "wish": { "title": "t" } })).await.0, 422);
    // Links that are ended open nothing; the new one does.
    let link = path(&owner, "/link");
    let (_, anew) = owner.post(&link, json!({ "of": "a guest", "end": true })).await;
    assert_eq!(guest.get(&path(&guest, "")).await.0, 404);
    guest.enter(anew["links"]["a guest"].as_str().unwrap()).await;
    assert_eq!(guest.get(&path(&guest, "")).await.0, 200);
}

trait IntoStatus {
    fn into_status(self) -> axum::http::StatusCode;
}
impl IntoStatus for u16 {
    fn into_status(self) -> axum::http::StatusCode {
        axum::http::StatusCode::from_u16(self).unwrap()
    }
}
