//! Load: many battles at once on a server that runs, each with two browsers that play candidates; prints how long
//! commands took. It knows no game: it asks for candidates and takes one.
//!
//! ```text
//! muster serve &
//! cargo run -p server --release --example load -- 127.0.0.1:7280 --games 500 --seconds 30 \
//!     --new '{"kind":"heroes","setup":{…}}'
//! ```
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// A kept connection, and the cookies of one browser.
struct Browser {
    address: String,
    wire: Option<TcpStream>,
    cookies: Vec<String>,
    /// What it says its address is, for a server behind a proxy.
    caller: String,
}

impl Browser {
    fn new(address: &str, n: usize) -> Self {
        let caller = format!("10.{}.{}.{}", n >> 16 & 255, n >> 8 & 255, n & 255);
        Self { address: address.to_owned(), wire: None, cookies: Vec::new(), caller }
    }

    async fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value), Failed> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\nx-forwarded-for: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.cookies.join("; "),
            self.caller,
            body.len()
        );
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => TcpStream::connect(&self.address).await?,
        };
        wire.write_all(text.as_bytes()).await?;
        let mut got = Vec::new();
        let head_end = loop {
            if let Some(at) = got.windows(4).position(|w| w == b"\r\n\r\n") {
                break at + 4;
            }
            if wire.read_buf(&mut got).await? == 0 {
                return Err("the server hung up".into());
            }
        };
        let head = String::from_utf8_lossy(&got[..head_end]).into_owned();
        let field = |name: &str| {
            head.lines().find_map(|l| l.split_once(": ").filter(|(n, _)| n.eq_ignore_ascii_case(name)))
        };
        let length: usize = field("content-length").map_or(Ok(0), |(_, v)| v.trim().parse())?;
        while got.len() < head_end + length {
            if wire.read_buf(&mut got).await? == 0 {
                return Err("the server hung up".into());
            }
        }
        if let Some((_, cookie)) = field("set-cookie") {
            self.cookies.push(cookie.split(';').next().unwrap_or("").to_owned());
        }
        let status = head.split(' ').nth(1).unwrap_or("0").parse()?;
        self.wire = Some(wire);
        Ok((status, serde_json::from_slice(&got[head_end..]).unwrap_or(Value::Null)))
    }
}

/// What one battle measured.
#[derive(Default)]
struct Measured {
    commands: Vec<Duration>,
    other: Vec<String>,
}

fn note(measured: &Mutex<Measured>, took: Duration, status: u16, body: &Value) {
    let mut measured = measured.lock().unwrap_or_else(PoisonError::into_inner);
    if status == 200 {
        measured.commands.push(took);
    } else {
        measured.other.push(format!("{status} {}", body["words"]));
    }
}

async fn battle(
    address: String,
    n: usize,
    wish: Value,
    until: Instant,
    pause: Duration,
    measured: Arc<Mutex<Measured>>,
) -> Result<(), Failed> {
    let mut browser = Browser::new(&address, n);
    let (status, links) = browser.ask("POST", "/api/games", Some(&wish)).await?;
    if status != 201 {
        return Err(format!("no game: {status} {links}").into());
    }
    let id = links["id"].as_str().unwrap_or("").to_owned();
    for (role, link) in links["links"].as_object().into_iter().flatten() {
        if !["host", "spectator"].contains(&role.as_str()) {
            let token = link.as_str().and_then(|l| l.split_once('#')).map_or("", |(_, t)| t);
            browser.ask("POST", "/api/enter", Some(&json!({ "token": token }))).await?;
            // One browser holds all seats: the newest cookie has all tokens.
            let last = browser.cookies.pop();
            browser.cookies.clear();
            browser.cookies.extend(last);
        }
    }
    let mut turn = n;
    while Instant::now() < until {
        let (_, state) = browser.ask("GET", &format!("/api/games/{id}"), None).await?;
        let Some(seat) = state["owes"][0]["seat"].as_str().map(str::to_owned) else { break };
        let path = format!("/api/games/{id}/candidates?seat={seat}&most=40");
        let (_, candidates) = browser.ask("GET", &path, None).await?;
        let all = candidates["candidates"].as_array().cloned().unwrap_or_default();
        if all.is_empty() {
            break;
        }
        turn = turn.wrapping_mul(31).wrapping_add(7);
        let text = all[turn % all.len()]["do"].clone();
        let command = json!({ "seat": seat, "do": text, "expected": candidates["version"] });
        let start = Instant::now();
        let (status, body) = browser.ask("POST", &format!("/api/games/{id}/command"), Some(&command)).await?;
        note(&measured, start.elapsed(), status, &body);
        tokio::time::sleep(pause).await;
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let mut args = std::env::args().skip(1);
    let address = args
        .next()
        .ok_or("where is the server? load HOST:PORT [--games N] [--seconds N] [--pause MS] [--new JSON]")?;
    let (mut games, mut seconds, mut pause, mut wish) =
        (100_usize, 20_u64, 1000_u64, json!({ "kind": "heroes" }));
    while let Some(name) = args.next() {
        let value = args.next().ok_or("a value is missing")?;
        match name.as_str() {
            "--games" => games = value.parse()?,
            "--seconds" => seconds = value.parse()?,
            "--pause" => pause = value.parse()?,
            "--new" => wish = serde_json::from_str(&value)?,
            other => return Err(format!("unknown: {other}").into()),
        }
    }
    let (seconds, pause) = (seconds.min(600), Duration::from_millis(pause));
    let until = Instant::now() + Duration::from_secs(seconds);
    let measured: Arc<Mutex<Measured>> = Arc::default();
    let mut battles = Vec::new();
    for n in 0..games.min(5000) {
        let work = battle(address.clone(), n, wish.clone(), until, pause, measured.clone());
        battles.push(tokio::spawn(work));
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let mut failed = 0;
    for one in battles {
        if let Err(error) = one.await? {
            failed += 1;
            if failed == 1 {
                eprintln!("a battle failed: {error}");
            }
        }
    }
    let mut measured = measured.lock().unwrap_or_else(PoisonError::into_inner);
    measured.commands.sort();
    let n = measured.commands.len();
    let at = |part: usize| {
        measured.commands.get((n * part / 1000).min(n.saturating_sub(1))).copied().unwrap_or_default()
    };
    println!(
        "{games} battles, {n} commands in {seconds} s: median {:?}, p90 {:?}, p99 {:?}, worst {:?}; {} not carried out, {failed} battles failed",
        at(500),
        at(900),
        at(990),
        at(1000),
        measured.other.len()
    );
    if let Some(first) = measured.other.first() {
        println!("first of those: {first}");
    }
    Ok(())
}
