//! Put into the copy of `hott` by `cargo xtask mutants`: runs cases, and says which mutants each of them meets.

use game::case::Case;
use game::{AnyGame, Kind};
use hott::battle::Battle;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "toml") {
            out.push(path);
        }
    }
}

/// Whether a case holds; one that ends in a panic does not.
fn holds(path: &Path) -> bool {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).unwrap();
    let run = || {
        let games: [&dyn AnyGame; 1] = [&Kind::<Battle>::new()];
        Case::parse(&name, &text).is_ok_and(|c| c.run(&games).is_ok_and(|r| r.failures.is_empty()))
    };
    std::panic::catch_unwind(run).unwrap_or(false)
}

/// What this process has reckoned so far, in microseconds: a machine at work on other things makes nothing hang.
/// Where the system does not tell, the clock.
fn spent(begun: Instant) -> u64 {
    let ticks = || {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let (user, system): (u64, u64) = (fields.get(11)?.parse().ok()?, fields.get(12)?.parse().ok()?);
        Some((user + system) * 10_000)
    };
    ticks().unwrap_or_else(|| begun.elapsed().as_micros() as u64)
}

/// The case at work, and what this process may have reckoned by its end.
static NOW: Mutex<(String, u64)> = Mutex::new((String::new(), u64::MAX));

fn watch(begun: Instant) {
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = NOW.lock().unwrap();
        if spent(begun) > now.1 {
            println!("hung in {}", now.0);
            std::process::exit(3);
        }
    }
}

#[test]
fn mutation() {
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    if let Ok(list) = std::env::var("MUTATION_CASES") {
        std::thread::spawn(move || watch(begun));
        for line in std::fs::read_to_string(list).unwrap().lines() {
            let (micros, path) = line.split_once('\t').unwrap();
            let micros: u64 = micros.parse().unwrap();
            *NOW.lock().unwrap() = (path.to_owned(), spent(begun) + 4 * micros + 500_000);
            if !holds(Path::new(path)) {
                println!("killed by {path}");
                std::process::exit(1);
            }
        }
        *NOW.lock().unwrap() = (String::new(), u64::MAX);
        return;
    }
    let Ok(out) = std::env::var("MUTATION_RECORD") else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut all = Vec::new();
    files(&root.join("hott"), &mut all);
    files(&root.join("big"), &mut all);
    all.sort();
    let mut text = String::new();
    for path in all {
        hott::mutation::MET.iter().for_each(|m| m.store(false, Ordering::Relaxed));
        let begun = Instant::now();
        if !holds(&path) {
            println!("left out, it does not hold here: {}", path.display());
            continue;
        }
        let _ = write!(text, "{}\t{}\t", path.display(), begun.elapsed().as_micros());
        for (id, met) in hott::mutation::MET.iter().enumerate() {
            if met.load(Ordering::Relaxed) {
                let _ = write!(text, "{id} ");
            }
        }
        text.push('\n');
    }
    std::fs::write(out, text).unwrap();
}
