//! Browsers, without a browser.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use futures_util::StreamExt;
use game::{AnyGame, Kind};
use serde_json::{Value, json};
use server::{Config, Hooks, Server};
use std::path::Path;
use std::time::Duration;
use tower::ServiceExt;

pub fn games() -> Vec<&'static dyn AnyGame> {
    static AUCTION: Kind<crate::toy_auction::Auction> = Kind::new();
    static RUN: Kind<crate::toy_run::Run> = Kind::new();
    static HOTT: Kind<hott::battle::Battle> = Kind::new();
    static BIG: Kind<hott::battle::Battle> = Kind::under("big", &[("scope", "big")]);
    vec![&AUCTION, &RUN, &HOTT, &BIG]
}

pub async fn open(folder: &Path, hooks: Hooks) -> Server {
    let store = folder.join("games.db");
    let config =
        Config { store, rate: 1e6, doors: 6e6, think: Duration::from_millis(200), ..Config::default() };
    let server = Server::open(config, games(), hooks).await.unwrap();
    server.keep_going().await;
    server
}

pub struct Fresh {
    pub server: Server,
    pub router: Router,
    pub folder: tempfile::TempDir,
}

pub async fn fresh(hooks: Hooks) -> Fresh {
    let folder = tempfile::tempdir().unwrap();
    let server = open(folder.path(), hooks).await;
    Fresh { router: server.router(), server, folder }
}

/// One browser: its cookies and the server it talks to.
#[derive(Clone)]
pub struct Browser {
    pub router: Router,
    pub cookies: Vec<(String, String)>,
    pub id: String,
}

impl Browser {
    pub fn new(router: &Router) -> Self {
        Self { router: router.clone(), cookies: Vec::new(), id: String::new() }
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let cookies: Vec<String> = self.cookies.iter().map(|(n, v)| format!("{n}={v}")).collect();
        Request::builder().method(method).uri(path).header(header::COOKIE, cookies.join("; "))
    }

    pub async fn text(&self, path: &str) -> (StatusCode, String) {
        let response = self.send(self.request("GET", path).body(Body::empty()).unwrap()).await;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 10_000_000).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        let (status, text) = self.text(path).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub async fn post(&mut self, path: &str, body: Value) -> (StatusCode, Value) {
        let request = self.request("POST", path).header(header::CONTENT_TYPE, "application/json");
        let response = self.send(request.body(Body::from(body.to_string())).unwrap()).await;
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let text = cookie.to_str().unwrap();
            assert!(text.contains("HttpOnly") && text.contains("SameSite=Lax"), "{text}");
            let (name, value) = text.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(n, _)| n != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 10_000_000).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// Follows a link.
    pub async fn enter(&mut self, link: &str) -> (StatusCode, Value) {
        let token = link.split_once('#').unwrap().1;
        let (status, body) = self.post("/api/enter", json!({ "token": token })).await;
        if let Some(id) = body["id"].as_str() {
            self.id = id.to_owned();
        }
        (status, body)
    }

    pub fn at(&self, what: &str) -> String {
        let parts = if what.is_empty() || what.starts_with('?') { "" } else { "/" };
        format!("/api/games/{}{parts}{what}", self.id)
    }

    pub async fn table(&self) -> Value {
        let (status, body) = self.get(&self.at("")).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Gives a command at the version that the browser sees.
    pub async fn play(&mut self, text: &str) -> (StatusCode, Value) {
        let expected = self.table().await["version"].clone();
        self.post(&self.at("command"), json!({ "do": text, "expected": expected })).await
    }

    /// What a stream has to say at first: (event, id, data), up to `presence`, which comes last.
    pub async fn events(&self, last: Option<&str>) -> Vec<(String, String, Value)> {
        self.events_until(last, |events| events.iter().any(|(e, _, _)| e == "presence")).await
    }

    /// The events of a stream until there are enough of them, and whatever comes at once after them.
    pub async fn events_until(
        &self,
        last: Option<&str>,
        enough: impl Fn(&[(String, String, Value)]) -> bool,
    ) -> Vec<(String, String, Value)> {
        let mut request = self.request("GET", &self.at("events"));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = self.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), 200);
        let mut body = response.into_body().into_data_stream();
        let mut text = String::new();
        loop {
            // Patience for a busy machine; once there is enough, only what is there already.
            let wait = if enough(&parse_events(&text)) { 60 } else { 20_000 };
            match tokio::time::timeout(Duration::from_millis(wait), body.next()).await {
                Ok(Some(Ok(bytes))) => text.push_str(std::str::from_utf8(&bytes).unwrap()),
                _ => return parse_events(&text),
            }
        }
    }
}

pub fn parse_events(text: &str) -> Vec<(String, String, Value)> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|l| l.strip_prefix(name));
        line.unwrap_or("").trim().to_owned()
    };
    let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
    whole
        .split("\n\n")
        .filter(|b| b.contains("data:"))
        .map(|b| {
            let data = field(b, "data:");
            (field(b, "event:"), field(b, "id:"), serde_json::from_str(&data).unwrap())
        })
        .collect()
}

/// A new game and a browser for every role asked for.
pub async fn table(router: &Router, wish: Value, roles: &[&str]) -> (Value, Vec<Browser>) {
    let (status, links) = Browser::new(router).post("/api/games", wish).await;
    assert_eq!(status, 201, "{links}");
    let mut browsers = Vec::new();
    for role in roles {
        let mut browser = Browser::new(router);
        let link = links["links"][role].as_str().unwrap_or_else(|| panic!("no link for {role}: {links}"));
        assert_eq!(browser.enter(link).await.0, 200);
        browsers.push(browser);
    }
    (links, browsers)
}

pub fn auction() -> Value {
    json!({ "kind": "auction", "setup": {}, "umpire": true })
}

pub fn run() -> Value {
    json!({ "kind": "run", "setup": { "length": 10 } })
}
