//! Load: many battles of Hordes of the Things at once, computer players off, on a server that is a process of its own
//! with a store on disk. Each battle has two seats, both with an open stream of events; the one whose turn it is
//! previews a command, gives it, and thinks for a while. Prints how long the commands took.
//!
//! ```text
//! cargo xtask load                     500 battles for 60 seconds, a command each 2.5 seconds and battle
//! cargo xtask load --games 50 --seconds 20 --pause 1000 --looks 10
//! ```
//! `--looks N`: with every N-th command the seat asks for the moves of an element, as a page does on selecting it (0:
//! never).
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use game::{AnyGame, Kind};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Where the process that serves keeps its games; without it this is the one that plays.
const STORE: &str = "MUSTER_LOAD_STORE";

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// A kept connection, and the cookies of one browser.
struct Browser {
    address: String,
    wire: Option<TcpStream>,
    cookies: Vec<String>,
}

impl Browser {
    fn new(address: &str) -> Self {
        Self { address: address.to_owned(), wire: None, cookies: Vec::new() }
    }

    async fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value), Failed> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.cookies.join("; "),
            body.len()
        );
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => {
                let wire = TcpStream::connect(&self.address).await?;
                wire.set_nodelay(true)?;
                wire
            }
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

/// The process that serves, until whoever started it is gone.
fn serve(store: String) -> Result<(), Failed> {
    static HOTT: Kind<hott::battle::Battle> = Kind::new();
    std::thread::spawn(|| {
        _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let config = server::Config {
        store: store.into(),
        address: ([127, 0, 0, 1], 0).into(),
        rate: 1e6,
        doors: 6e6,
        most_streams: 100_000,
        most_streams_each: 100_000,
        ..server::Config::default()
    };
    let games: Vec<&'static dyn AnyGame> = vec![&HOTT];
    let ready = async |_: &server::Server, address: std::net::SocketAddr| println!("listening {address}");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(server::run(config, games, server::Hooks::default(), ready, std::future::pending()))?;
    Ok(())
}

/// What was measured.
#[derive(Default)]
struct Measured {
    commands: Vec<Duration>,
    refused: Vec<Duration>,
    previews: Vec<Duration>,
    looks: Vec<Duration>,
    odd: Vec<String>,
}

/// What is asked of a run.
#[derive(Clone, Copy)]
struct Wish {
    games: usize,
    seconds: u64,
    pause: u64,
    looks: usize,
}

fn setup() -> Value {
    let army = json!({ "army": "x", "commands": [{ "elements": [
        { "type": "Hero", "general": true, "count": 1 }, { "type": "Knight", "count": 3 }, { "type": "Shooter", "count": 3 },
        { "type": "Blade", "count": 2 }, { "type": "Horde", "count": 2 } ] }] });
    json!({ "kind": "hott", "setup": { "sides": [army, army], "defender": "A", "edges": { "A": "lower", "B": "upper" },
        "ground": ["wood disc 600 600 120", "hill disc 300 700 120"] } })
}

/// One battle: two browsers and what each knows.
struct Battle {
    id: String,
    seats: [Browser; 2],
    turn: usize,
}

impl Battle {
    /// Opens one, enters both seats, opens their streams, and deploys.
    async fn open(address: &str, n: usize, heard: Arc<AtomicUsize>) -> Result<Self, Failed> {
        let mut opener = Browser::new(address);
        let (status, links) = opener.ask("POST", "/api/games", Some(&setup())).await?;
        if status != 201 {
            return Err(format!("no game: {status} {links}").into());
        }
        let mut battle = Battle {
            id: links["id"].as_str().unwrap_or("").to_owned(),
            seats: [Browser::new(address), Browser::new(address)],
            turn: n,
        };
        for (seat, name) in battle.seats.iter_mut().zip(["A", "B"]) {
            let token = links["links"][name].as_str().and_then(|l| l.split_once('#')).map_or("", |(_, t)| t);
            seat.ask("POST", "/api/enter", Some(&json!({ "token": token }))).await?;
            let mut wire = TcpStream::connect(address).await?;
            let text = format!(
                "GET /api/games/{}/events HTTP/1.1\r\nhost: table\r\ncookie: {}\r\n\r\n",
                battle.id,
                seat.cookies.join("; ")
            );
            wire.write_all(text.as_bytes()).await?;
            let heard = heard.clone();
            tokio::spawn(async move {
                let mut bytes = vec![0; 16 * 1024];
                while let Ok(n @ 1..) = wire.read(&mut bytes).await {
                    heard.fetch_add(n, SeqCst);
                }
            });
        }
        loop {
            let (n, state) = battle.look().await?;
            if about(&state).contains("moves") {
                return Ok(battle);
            }
            let path = format!("/api/games/{}/candidates?most=1", battle.id);
            let (_, all) = battle.seats[n].ask("GET", &path, None).await?;
            let command = json!({ "do": all["candidates"][0]["do"], "expected": all["version"] });
            let path = format!("/api/games/{}/command", battle.id);
            let (status, body) = battle.seats[n].ask("POST", &path, Some(&command)).await?;
            if status != 200 {
                return Err(format!("{command}: {body}").into());
            }
        }
    }

    /// Whose turn it is, and the table as he sees it.
    async fn look(&mut self) -> Result<(usize, Value), Failed> {
        let path = format!("/api/games/{}", self.id);
        let (_, state) = self.seats[0].ask("GET", &path, None).await?;
        let n = usize::from(state["owes"][0]["seat"] == "B");
        if n == 0 { Ok((0, state)) } else { Ok((1, self.seats[1].ask("GET", &path, None).await?.1)) }
    }

    /// What its owner might do now.
    fn text(&mut self, n: usize, state: &Value) -> String {
        self.turn = self.turn.wrapping_mul(31).wrapping_add(7);
        let owed = about(state);
        if !owed.contains("moves") {
            let stands = state["owes"][0]["stands"].as_str();
            return stands.unwrap_or("end").to_owned();
        }
        let letter = if n == 0 { "A." } else { "B." };
        let own: Vec<&str> = state["view"]["elements"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|e| e["fate"] == "table")
            .filter_map(|e| e["label"].as_str().filter(|l| l.starts_with(letter)))
            .collect();
        if own.is_empty() || owed.contains(" 0 PIPs") || self.turn.is_multiple_of(4) {
            return "end moves".to_owned();
        }
        format!("move {} ahead {}", own[self.turn / 4 % own.len()], 10 + self.turn % 50)
    }
}

fn about(state: &Value) -> &str {
    state["owes"][0]["about"].as_str().unwrap_or("")
}

async fn play(
    mut battle: Battle,
    wish: Wish,
    until: Instant,
    measured: Arc<Mutex<Measured>>,
) -> Result<(), Failed> {
    let mut refused = false;
    for step in 0_usize.. {
        // Between nothing and twice the pause, another each time and in each battle.
        let pause = (battle.turn.wrapping_mul(2_654_435_761) >> 8) as u64 % (2 * wish.pause).max(1);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        if Instant::now() >= until {
            break;
        }
        let (n, state) = battle.look().await?;
        if state["over"] == true {
            break;
        }
        let text = if refused { "end".to_owned() } else { battle.text(n, &state) };
        let base = format!("/api/games/{}", battle.id);
        if wish.looks > 0 && step % wish.looks == 0 && text.starts_with("move ") {
            let who = text.split(' ').nth(1).unwrap_or("").split('.').next_back().unwrap_or("");
            let start = Instant::now();
            battle.seats[n].ask("GET", &format!("{base}/candidates?begin=move%20{who}"), None).await?;
            measured.lock().unwrap_or_else(PoisonError::into_inner).looks.push(start.elapsed());
        }
        let start = Instant::now();
        battle.seats[n].ask("POST", &format!("{base}/preview"), Some(&json!({ "do": text }))).await?;
        measured.lock().unwrap_or_else(PoisonError::into_inner).previews.push(start.elapsed());
        let command = json!({ "do": text, "expected": state["version"] });
        let start = Instant::now();
        let (status, body) = battle.seats[n].ask("POST", &format!("{base}/command"), Some(&command)).await?;
        let took = start.elapsed();
        let mut measured = measured.lock().unwrap_or_else(PoisonError::into_inner);
        refused = status != 200;
        match status {
            200 => measured.commands.push(took),
            422 => measured.refused.push(took),
            _ => measured.odd.push(format!("{status} {text}: {}", body["words"])),
        }
    }
    Ok(())
}

fn told(name: &str, mut all: Vec<Duration>) {
    all.sort();
    let at = |part: usize| {
        all.get((all.len() * part / 1000).min(all.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    println!(
        "{name}: {} in all; median {:.1?}, p90 {:.1?}, p99 {:.1?}, worst {:.1?}",
        all.len(),
        at(500),
        at(900),
        at(990),
        at(1000)
    );
}

fn load_average() -> String {
    std::fs::read_to_string("/proc/loadavg")
        .unwrap_or_default()
        .split(' ')
        .take(3)
        .collect::<Vec<_>>()
        .join(" ")
}

#[tokio::main]
async fn drive(address: String, wish: Wish) -> Result<(), Failed> {
    println!("load average before: {}", load_average());
    let heard = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    let mut opening = Vec::new();
    let places = Arc::new(tokio::sync::Semaphore::new(8));
    for n in 0..wish.games {
        let (address, heard, places) = (address.clone(), heard.clone(), places.clone());
        opening.push(tokio::spawn(async move {
            let _place = places.acquire_owned().await;
            Battle::open(&address, n, heard).await
        }));
    }
    let mut battles = Vec::new();
    for one in opening {
        battles.push(one.await??);
    }
    println!(
        "{} battles opened and deployed in {:.1?}, {} streams open",
        wish.games,
        start.elapsed(),
        2 * wish.games
    );
    let measured: Arc<Mutex<Measured>> = Arc::default();
    let until = Instant::now() + Duration::from_secs(wish.seconds);
    let playing: Vec<_> =
        battles.into_iter().map(|b| tokio::spawn(play(b, wish, until, measured.clone()))).collect();
    let mut failed = Vec::new();
    for one in playing {
        if let Err(error) = one.await? {
            failed.push(error.to_string());
        }
    }
    let measured = std::mem::take(&mut *measured.lock().unwrap_or_else(PoisonError::into_inner));
    let rate = measured.commands.len() as u64 / wish.seconds.max(1);
    println!(
        "{} s of play: {rate} commands a second, {} MB of events heard",
        wish.seconds,
        heard.load(SeqCst) / 1_000_000
    );
    told("commands", measured.commands);
    told("refused commands", measured.refused);
    told("previews", measured.previews);
    told("looks at an element's moves", measured.looks);
    println!("load average after: {}", load_average());
    if let Some(first) = measured.odd.first().or(failed.first()) {
        println!("{} went otherwise, the first: {first}", measured.odd.len() + failed.len());
    }
    Ok(())
}

fn main() -> Result<(), Failed> {
    if let Ok(store) = std::env::var(STORE) {
        return serve(store);
    }
    let mut wish = Wish { games: 500, seconds: 60, pause: 2500, looks: 10 };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or("a value is missing")?;
        match name.as_str() {
            "--games" => wish.games = value.parse::<usize>()?.min(5000),
            "--seconds" => wish.seconds = value.parse::<u64>()?.min(600),
            "--pause" => wish.pause = value.parse()?,
            "--looks" => wish.looks = value.parse()?,
            other => {
                return Err(
                    format!("unknown: {other}; there are --games, --seconds, --pause, --looks").into()
                );
            }
        }
    }
    let folder = tempfile::tempdir()?;
    let mut child = Command::new(std::env::current_exe()?)
        .env(STORE, folder.path().join("games.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let out = child.stdout.take().ok_or("the server says nothing")?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    let address = line.trim().strip_prefix("listening ").ok_or("the server does not listen")?.to_owned();
    let done = drive(address, wish);
    child.kill()?;
    child.wait()?;
    done
}
