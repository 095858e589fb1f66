//! A real process, killed by the system in the middle of play, again and again: after each start every command that was
//! acknowledged is there, in the record and in what its player is sent, and the record holds what it must.

use crate::support::{games, parse_events};
use crate::tcp::Client;
use dice::Seeded;
use game::record::Record;
use serde_json::{Value, json};
use server::{Config, Hooks};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where the process that is killed keeps its games; without it this is no such process.
const STORE: &str = "MUSTER_KILL_STORE";

/// The process that is killed: this very program, called for this one test.
#[test]
#[ignore = "not a test by itself: the process that the kill tests start and kill"]
fn the_process_that_is_killed() {
    let Ok(store) = std::env::var(STORE) else { return };
    // Whoever started it holds the other end: if he is gone, so is it.
    std::thread::spawn(|| {
        _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let config = Config {
        store: store.into(),
        address: ([127, 0, 0, 1], 0).into(),
        rate: 1e6,
        doors: 6e6,
        ..Config::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let ready = async |_: &server::Server, address: std::net::SocketAddr| println!("\nlistening {address}");
    runtime.block_on(server::run(config, games(), Hooks::default(), ready, std::future::pending())).unwrap();
}

struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(store: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "kill::the_process_that_is_killed", "--nocapture"])
            .env(STORE, store)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|l| l.strip_prefix("listening ").map(str::to_owned))
            .expect("the process says where it listens");
        // Whatever else it says must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// SIGKILL: no handler, no farewell, no flush.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// A seat's cookie in a game.
#[derive(Clone)]
struct Seat {
    game: String,
    name: &'static str,
    cookie: String,
}

/// What was acknowledged: by game and seat the items, as they were numbered.
type Ledger = Mutex<BTreeMap<(String, &'static str), (Seat, BTreeMap<u64, Value>)>>;

fn battle() -> Value {
    let army = json!({ "army": "Wood", "commands": [{ "elements": [
        { "type": "Hero", "general": true, "count": 1 }, { "type": "Shooter", "count": 4 },
        { "type": "Knight", "count": 3 }, { "type": "Lurker", "count": 2 }, { "type": "Horde", "count": 2 } ] }] });
    json!({ "kind": "hott", "setup": { "sides": [army, army], "defender": "A", "bound_limit": 40,
        "edges": { "A": "lower", "B": "upper" }, "ground": [] } })
}

/// Opens a game of kind `n` and enters its seats.
fn open(address: &str, n: usize) -> Result<Vec<Seat>, std::io::Error> {
    let (wish, names): (Value, &[&'static str]) = match n % 3 {
        0 => (json!({ "kind": "run", "setup": { "length": 10 } }), &["Runner", "Guard"]),
        1 => (json!({ "kind": "auction", "setup": {} }), &["Ann", "Bob", "Cat"]),
        _ => (battle(), &["A", "B"]),
    };
    let mut client = Client::new(address);
    let (status, links) = client.post("/api/games", &wish)?;
    assert_eq!(status, 201, "{links}");
    let mut seats = Vec::new();
    for name in names {
        let token = links["links"][name].as_str().unwrap().split_once('#').unwrap().1;
        let mut client = Client::new(address);
        client.post("/api/enter", &json!({ "token": token }))?;
        seats.push(Seat { game: links["id"].as_str().unwrap().to_owned(), name, cookie: client.cookie });
    }
    Ok(seats)
}

/// What a seat does next, if it owes anything; `None`: somebody else does.
fn next(
    seat: &Seat,
    client: &mut Client,
    state: &Value,
    step: usize,
) -> Result<Option<String>, std::io::Error> {
    let owed = state["owes"].as_array().into_iter().flatten().find(|d| d["seat"] == seat.name);
    let Some(owed) = owed else { return Ok(None) };
    let about = owed["about"].as_str().unwrap_or("");
    Ok(Some(match (seat.name, about) {
        ("Runner", _) => ["run 1", "run 2", "run 3"][step % 3].to_owned(),
        ("Guard", _) => ["trip", "pass"][step % 2].to_owned(),
        ("Ann" | "Bob" | "Cat", _) => format!("{} bids {}", seat.name, step % 4),
        (_, about) if about.contains("moves") => "end moves".to_owned(),
        _ => {
            let path = format!("/api/games/{}/candidates?most=30", seat.game);
            let (_, all) = client.get(&path)?;
            let all = all["candidates"].as_array().cloned().unwrap_or_default();
            all.get(step % all.len().max(1)).and_then(|c| c["do"].as_str()).unwrap_or("end").to_owned()
        }
    }))
}

/// Plays one seat until the connection breaks, and writes down what was acknowledged.
fn play(address: &str, seat: &Seat, ledger: &Ledger, acknowledged: &AtomicUsize, over: &AtomicBool) {
    let mut client = Client::new(address);
    client.cookie.clone_from(&seat.cookie);
    let command = format!("/api/games/{}/command", seat.game);
    for step in 0.. {
        let Ok((200, state)) = client.get(&format!("/api/games/{}", seat.game)) else { return };
        if state["over"] == true {
            over.store(true, SeqCst);
            return;
        }
        let Ok(text) = next(seat, &mut client, &state, step) else { return };
        let Some(text) = text else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        let body = json!({ "do": text, "expected": state["version"], "key": format!("{}-{step}", state["version"]) });
        let Ok((status, done)) = client.post(&command, &body) else { return };
        if status == 200 {
            let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = ledger
                .entry((seat.game.clone(), seat.name))
                .or_insert_with(|| (seat.clone(), BTreeMap::new()));
            for item in done["items"].as_array().into_iter().flatten() {
                kept.1.insert(item["n"].as_u64().unwrap(), item.clone());
            }
            acknowledged.fetch_add(1, SeqCst);
        }
    }
}

/// Every record in the file: its lines are whole, the play follows its rules, every die is the one that its key gives.
fn records_hold(path: &Path) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = store::Store::open(path).await.unwrap();
        let mut lines = 0;
        for kept in store.latest(1000).await.unwrap() {
            let mut text = kept.header.clone();
            for line in store.lines(&kept.id, 0).await.unwrap() {
                text = text + "\n" + &line;
            }
            let record = Record::parse(&text).unwrap();
            assert!(record.broken.is_none(), "{}: {:?}", kept.id, record.broken);
            assert_eq!(record.lines.len() as u64, kept.version);
            let kind = games().into_iter().find(|g| g.name() == kept.kind).unwrap();
            let verdict = kind.verify(&record);
            assert_eq!(verdict.play, game::Play::Follows, "{}", kept.id);
            assert_eq!(kept.over, verdict.good(), "{}: {verdict:?}", kept.id);
            let key: dice::Key = kept.key.unwrap().parse().unwrap();
            assert_eq!(Some(key.commitment()), record.header.commitment);
            let table = kind.replay(&record).unwrap();
            let mut seeded = Seeded::new(key.with_words(table.name(), &record.header.words));
            assert_eq!(table.catch_up(&mut seeded), Ok(()), "{}: every die is the key's", kept.id);
            lines += record.lines.len();
        }
        store.close().await;
        lines
    })
}

/// Figures of a run.
#[derive(Debug, Default)]
struct Figures {
    kills: usize,
    games: usize,
    acknowledged: usize,
    lines: usize,
    slowest_start: Duration,
}

fn killed(times: usize) -> Figures {
    const AT_ONCE: usize = 6;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (ledger, acknowledged) = (Ledger::default(), AtomicUsize::new(0));
    let mut figures = Figures { kills: times, ..Figures::default() };
    let mut tables: Vec<(Vec<Seat>, AtomicBool)> = Vec::new();
    let mut process = Process::start(&path);
    for kill in 0..times {
        tables.retain(|(_, over)| !over.load(SeqCst));
        while tables.len() < AT_ONCE {
            tables.push((open(&process.address, figures.games).unwrap(), AtomicBool::new(false)));
            figures.games += 1;
        }
        // Killed with commands under way: once so many more are acknowledged, each time another number.
        let until = acknowledged.load(SeqCst) + 5 + (kill * 7) % 40;
        let address = process.address.clone();
        std::thread::scope(|scope| {
            for (seats, over) in &tables {
                for seat in seats {
                    let (address, ledger, acknowledged) = (&address, &ledger, &acknowledged);
                    scope.spawn(move || play(address, seat, ledger, acknowledged, over));
                }
            }
            let start = Instant::now();
            let done = || tables.iter().all(|(_, over)| over.load(SeqCst));
            while acknowledged.load(SeqCst) < until && !done() {
                assert!(start.elapsed() < Duration::from_secs(120), "nothing is acknowledged any more");
                std::thread::sleep(Duration::from_micros(300));
            }
            process.kill();
        });
        figures.lines = records_hold(&path);
        let start = Instant::now();
        process = Process::start(&path);
        figures.slowest_start = figures.slowest_start.max(start.elapsed());
        let acknowledged = ledger.lock().unwrap();
        for ((game, name), (seat, items)) in &*acknowledged {
            let mut client = Client::new(&process.address);
            client.cookie.clone_from(&seat.cookie);
            let text = client.stream(&format!("/api/games/{game}/events")).unwrap();
            let sent = parse_events(&text).into_iter().filter(|(kind, _, _)| kind == "game");
            let sent: BTreeMap<u64, Value> = sent.map(|(_, _, i)| (i["n"].as_u64().unwrap(), i)).collect();
            for (n, item) in items {
                assert_eq!(sent.get(n), Some(item), "kill {kill}: {name} of {game} was told item {n}");
            }
            assert_eq!(sent.len() as u64, sent.keys().last().copied().unwrap_or(0), "without gaps");
        }
        drop(acknowledged);
        // What has been looked at stays looked at; the finished ones need no further looking.
        ledger.lock().unwrap().retain(|(game, _), _| {
            tables.iter().any(|(seats, over)| seats[0].game == *game && !over.load(SeqCst))
        });
    }
    process.kill();
    figures.acknowledged = acknowledged.load(SeqCst);
    figures
}

#[test]
fn whatever_was_acknowledged_survives_a_few_kills() {
    let figures = killed(5);
    assert!(figures.acknowledged >= 25, "{figures:?}");
}

#[test]
#[ignore = "slow: cargo xtask kill"]
fn whatever_was_acknowledged_survives_a_hundred_kills() {
    let figures = killed(100);
    println!(
        "{} kills, {} games, {} commands acknowledged, none lost; slowest start {:.1?}; {} lines in the records at last",
        figures.kills, figures.games, figures.acknowledged, figures.slowest_start, figures.lines
    );
    assert!(figures.acknowledged >= 500, "{figures:?}");
}
