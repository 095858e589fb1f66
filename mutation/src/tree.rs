//! A copy of what the crate `hott` needs, with the switches in it, built once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

use serde_json::Value;

use crate::list::{Mutant, hash};
use crate::switch::switched;

/// The crates and folders that the tests of `hott` need.
const NEEDED: [&str; 8] =
    ["crates/rulebook", "crates/dice", "crates/game", "crates/field", "crates/hott", "cases", "data", "docs"];

/// What the switches ask: which mutant is on, and which have been met (those are noted in the file `MUTATION_MET`).
const MODULE: &str = r#"#![allow(missing_docs)]
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
pub static MET: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
static ONE: OnceLock<u32> = OnceLock::new();
pub fn which() -> u32 {
    *ONE.get_or_init(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(u32::MAX))
}
pub fn on(id: u32) -> bool {
    let met = &MET[id as usize];
    if !met.load(Ordering::Relaxed) {
        met.store(true, Ordering::Relaxed);
        note(id);
    }
    which() == id
}
#[cold]
fn note(id: u32) {
    let Ok(path) = std::env::var("MUTATION_MET") else { return };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut f| f.write_all(format!("{id}\n").as_bytes()));
}
"#;

/// The built copy.
pub struct Tree {
    /// Its folder.
    pub root: PathBuf,
    /// Test programs, by name.
    pub tests: BTreeMap<String, PathBuf>,
    /// Mutants that have a switch.
    pub ready: Vec<usize>,
    /// Mutants that the compiler refuses.
    pub refused: BTreeSet<usize>,
    /// Mutants of kinds that have no switch.
    pub without: Vec<usize>,
}

/// Whether anything in the copy is other than it was.
static CHANGED: AtomicBool = AtomicBool::new(false);

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    // What has not changed keeps its time, so that it is not built again.
    let new = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    CHANGED.store(true, Ordering::Relaxed);
    fs::write(to, new)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    CHANGED.store(true, Ordering::Relaxed);
    fs::write(path, text)
}

/// Makes the copy and builds its tests, leaving out what does not compile.
///
/// # Errors
/// What cannot be written or built.
pub fn build(root: &Path, mutants: &[Mutant]) -> Result<Tree, String> {
    let wrong = |e: io::Error| e.to_string();
    let tree = root.join("target/mutation/tree");
    fs::create_dir_all(tree.join("crates")).map_err(wrong)?;
    for part in NEEDED {
        let (from, to) = (root.join(part), tree.join(part));
        if from.exists() && part != "crates/hott" {
            copy(&from, &to).map_err(wrong)?;
        }
    }
    fs::create_dir_all(tree.join("crates/hott")).map_err(wrong)?;
    copy(&root.join("crates/hott/Cargo.toml"), &tree.join("crates/hott/Cargo.toml")).map_err(wrong)?;
    copy(&root.join("crates/hott/tests"), &tree.join("crates/hott/tests")).map_err(wrong)?;
    let manifest = fs::read_to_string(root.join("Cargo.toml")).map_err(wrong)?;
    let manifest = manifest
        .replace("members = [\"crates/*\", \"xtask\"]", "members = [\"crates/*\"]")
        .replace("default-members = [\"crates/muster\"]\n", "");
    write(&tree.join("Cargo.toml"), &manifest).map_err(wrong)?;
    // Cargo trims the lock of the copy; it is taken anew where ours is another.
    let (lock, taken) = (root.join("Cargo.lock"), tree.join("Cargo.lock.taken"));
    if fs::read(&lock).ok() != fs::read(&taken).ok() || !tree.join("Cargo.lock").exists() {
        copy(&lock, &taken).map_err(wrong)?;
        copy(&lock, &tree.join("Cargo.lock")).map_err(wrong)?;
    }
    write(&tree.join("crates/hott/tests/mutation.rs"), include_str!("../harness.rs")).map_err(wrong)?;

    // What the compiler refused before in files that are the same it is not asked again, or all would be built anew.
    let (known, list) = (tree.with_file_name("refused.txt"), tree.with_file_name("programs.txt"));
    let told = fs::read_to_string(&known).unwrap_or_default();
    let told: BTreeSet<&str> = told.lines().collect();
    let mut states: BTreeMap<&str, String> = BTreeMap::new();
    for m in mutants {
        if !states.contains_key(m.file.as_str()) {
            let text = fs::read_to_string(root.join(&m.file)).map_err(wrong)?;
            states.insert(&m.file, format!("{:016x}", hash(&text, 0)));
        }
    }
    let line = |m: &Mutant| format!("{} {}", states[m.file.as_str()], m.name);
    let mut refused: BTreeSet<usize> =
        (0..mutants.len()).filter(|id| told.contains(line(&mutants[*id]).as_str())).collect();
    let mut without = Vec::new();
    loop {
        let mut ready = Vec::new();
        without.clear();
        put(root, &tree, mutants, &refused, &mut ready, &mut without)?;
        // A copy that is as it was has its programs; a run that was stopped goes on at once.
        if !CHANGED.load(Ordering::Relaxed)
            && let Some(tests) = built(&list)
        {
            return Ok(Tree { tests, root: tree, ready, refused, without });
        }
        let _ = fs::remove_file(&list); // it may not be there
        let out = cargo(&tree, &["check", "--package", "hott", "--message-format=json"])?;
        let bad = faulty(&tree, &out.1);
        let before = refused.len();
        refused.extend(bad);
        if !out.0 && refused.len() == before {
            return Err(format!(
                "the copy does not build: cd {} && cargo check --package hott",
                tree.display()
            ));
        }
        let lines: String = refused.iter().map(|id| line(&mutants[*id]) + "\n").collect();
        fs::write(&known, lines).map_err(wrong)?;
        eprintln!("mutation: {} switches, {} that do not compile", ready.len(), refused.len());
        if out.0 {
            let out = cargo(&tree, &["test", "--no-run", "--package", "hott", "--message-format=json"])?;
            if !out.0 {
                return Err(format!("the tests of the copy do not build: {}", tree.display()));
            }
            let tests = programs(&out.1);
            let lines: String = tests.iter().map(|(n, p)| format!("{n}\t{}\n", p.display())).collect();
            fs::write(&list, lines).map_err(wrong)?;
            return Ok(Tree { tests, root: tree, ready, refused, without });
        }
    }
}

/// The programs that an earlier run built, if all are there.
fn built(list: &Path) -> Option<BTreeMap<String, PathBuf>> {
    let text = fs::read_to_string(list).ok()?;
    let read = |line: &str| line.split_once('\t').map(|(name, path)| (name.to_owned(), PathBuf::from(path)));
    let all: Option<BTreeMap<String, PathBuf>> = text.lines().map(read).collect();
    all.filter(|all| all.contains_key("mutation") && all.values().all(|p| p.exists()))
}

/// Writes the sources with their switches.
fn put(
    root: &Path,
    tree: &Path,
    mutants: &[Mutant],
    refused: &BTreeSet<usize>,
    ready: &mut Vec<usize>,
    without: &mut Vec<usize>,
) -> Result<(), String> {
    let mut files = Vec::new();
    sources(&root.join("crates/hott/src"), &mut files).map_err(|e| e.to_string())?;
    for path in files {
        let within = path.strip_prefix(root).map_err(|e| e.to_string())?;
        let mut text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let name = within.to_string_lossy();
        let here: Vec<(usize, &Mutant)> =
            mutants.iter().enumerate().filter(|(id, m)| m.file == name && !refused.contains(id)).collect();
        if !here.is_empty() {
            let new = switched(&text, &here).map_err(|e| format!("{name}: {e}"))?;
            text = new.text;
            ready.extend(new.done);
            without.extend(new.left);
        }
        if name == "crates/hott/src/lib.rs" {
            text.push_str("\n#[doc(hidden)]\npub mod mutation;\n");
        }
        let to = tree.join(within);
        fs::create_dir_all(to.parent().unwrap_or(tree)).map_err(|e| e.to_string())?;
        write(&to, &text).map_err(|e| e.to_string())?;
    }
    let module = MODULE.replace("COUNT", &mutants.len().max(1).to_string());
    write(&tree.join("crates/hott/src/mutation.rs"), &module).map_err(|e| e.to_string())
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, out)?;
        } else {
            out.push(path);
        }
    }
    Ok(())
}

/// Runs cargo in the copy; whether it succeeded, and what it said.
fn cargo(tree: &Path, args: &[&str]) -> Result<(bool, Vec<Value>), String> {
    let out = Command::new("cargo")
        .args(args)
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", tree.with_file_name("build"))
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_BUILD_JOBS", "1")
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let said = String::from_utf8_lossy(&out.stdout);
    let said = said.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    Ok((out.status.success(), said))
}

/// The mutants at the places that the compiler complains about.
fn faulty(tree: &Path, said: &[Value]) -> BTreeSet<usize> {
    let mut bad = BTreeSet::new();
    for message in
        said.iter().filter(|m| m["reason"] == "compiler-message" && m["message"]["level"] == "error")
    {
        for span in message["message"]["spans"].as_array().into_iter().flatten() {
            let (Some(file), true) = (span["file_name"].as_str(), span["is_primary"] == true) else {
                continue;
            };
            let Ok(text) = fs::read_to_string(tree.join(file)) else { continue };
            let lines: Vec<&str> = text.lines().collect();
            let line = |key: &str| span[key].as_u64().map_or(0, |n| n as usize);
            let (first, last) = (line("line_start"), line("line_end"));
            let mut found: Vec<usize> =
                (first..=last).filter_map(|n| lines.get(n - 1)).flat_map(|l| named(l)).collect();
            // The wrapper of a mutant rather than the mutant: what stands nearest below, or above.
            if found.is_empty() {
                let below = (last..last + 4).filter_map(|n| lines.get(n)).map(|l| named(l));
                let above =
                    (first.saturating_sub(4)..first).rev().filter_map(|n| lines.get(n)).map(|l| named(l));
                // A function that returns early with another `impl Trait` is complained about where it ends.
                let start = (0..first.saturating_sub(4)).rev().filter_map(|n| lines.get(n)).map(|l| named(l));
                found = below.chain(above).chain(start).find(|f| !f.is_empty()).unwrap_or_default();
            }
            bad.extend(found);
        }
    }
    bad
}

/// The mutants whose switches stand in a line.
fn named(line: &str) -> Vec<usize> {
    let parts = line.split("crate::mutation::on(").skip(1);
    parts.filter_map(|p| p.split(')').next()?.parse().ok()).collect()
}

fn programs(said: &[Value]) -> BTreeMap<String, PathBuf> {
    let one = |m: &Value| {
        let path = m["executable"].as_str()?;
        (m["profile"]["test"] == true)
            .then(|| (m["target"]["name"].as_str().unwrap_or("").to_owned(), path.into()))
    };
    said.iter().filter_map(one).collect()
}
