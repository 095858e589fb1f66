//! Runs what meets a mutant until something fails: the quickest first, each within four times what it takes without.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::tree::Tree;

/// How a mutant came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// A case or a test failed.
    Caught,
    /// Something took more than four times its time.
    Hung,
    /// Nothing failed.
    Missed,
}

impl Fate {
    /// The fate of this name, as `outcomes.txt` has it.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        [Self::Caught, Self::Hung, Self::Missed].into_iter().find(|f| format!("{f:?}") == word)
    }
}

/// A program of tests: what it meets, and how long it takes.
struct Program {
    name: String,
    path: PathBuf,
    meets: BTreeSet<usize>,
    takes: Duration,
}

/// What is known of cases and tests when nothing is changed.
pub struct Base<'a> {
    tree: &'a Tree,
    out: PathBuf,
    /// For each mutant the cases that meet it, with their microseconds, the quickest first.
    cases: BTreeMap<usize, Vec<(u64, PathBuf)>>,
    /// The quickest first.
    programs: Vec<Program>,
}

/// The program in the copy, with no more memory than a test needs: a loop that fills it takes the machine along.
fn command(tree: &Tree, program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 4000000 2>/dev/null; exec \"$0\" \"$@\""]).arg(program);
    command.arg("--test-threads=1");
    command.current_dir(tree.root.join("crates/hott"));
    command.env("PROPTEST_RNG_SEED", "20261130").env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true");
    command.stderr(Stdio::null());
    command
}

/// What a process has reckoned so far: a machine at work on other things makes nothing hang. Where the system does
/// not tell, the clock.
fn spent(child: &Child, begun: Instant) -> Duration {
    let ticks = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let (user, system): (u64, u64) = (fields.get(11)?.parse().ok()?, fields.get(12)?.parse().ok()?);
        Some(Duration::from_millis((user + system) * 10))
    };
    ticks().unwrap_or_else(|| begun.elapsed())
}

/// Whether a record was made by this program and not by an earlier one.
fn is_of(record: &Path, program: &Path) -> bool {
    let time = |p: &Path| fs::metadata(p).and_then(|m| m.modified()).ok();
    let whole = fs::read_to_string(record).is_ok_and(|t| t.contains("takes ") || t.contains('\t'));
    whole && time(record).zip(time(program)).is_some_and(|(r, p)| r > p)
}

impl<'a> Base<'a> {
    /// Runs everything once with nothing changed.
    ///
    /// # Errors
    /// Something fails with nothing changed, or cannot be run.
    pub fn of(tree: &'a Tree, out: &Path) -> Result<Self, String> {
        let mut base = Self { tree, out: out.to_owned(), cases: BTreeMap::new(), programs: Vec::new() };
        let record = out.join("meets.txt");
        let harness = tree.tests.get("mutation").ok_or("the harness was not built")?;
        if !is_of(&record, harness) {
            let status = command(tree, harness)
                .arg("--nocapture")
                .env("MUTATION_RECORD", &record)
                .status()
                .map_err(|e| e.to_string())?;
            if !status.success() {
                return Err("the cases do not run in the copy".to_owned());
            }
        }
        let text = fs::read_to_string(&record).map_err(|e| e.to_string())?;
        for line in text.lines() {
            let mut parts = line.split('\t');
            let (Some(path), Some(micros), Some(ids)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let micros = micros.parse().unwrap_or(0);
            for id in ids.split_whitespace().filter_map(|i| i.parse().ok()) {
                base.cases.entry(id).or_default().push((micros, path.into()));
            }
        }
        base.cases.values_mut().for_each(|all| all.sort());
        // The cases once more as the crate runs them would say nothing new.
        for (name, path) in tree.tests.iter().filter(|(n, _)| !matches!(n.as_str(), "cases" | "mutation")) {
            let met = out.join(format!("met-{name}.txt"));
            if !is_of(&met, path) {
                let _ = fs::remove_file(&met); // it may never have been there
                let takes = base.measured(name, path, &met)?;
                let line = format!("takes {}\n", takes.as_millis());
                let file = fs::OpenOptions::new().create(true).append(true).open(&met);
                file.and_then(|mut f| f.write_all(line.as_bytes())).map_err(|e| e.to_string())?;
            }
            let text = fs::read_to_string(&met).unwrap_or_default();
            let meets: BTreeSet<usize> = text.lines().filter_map(|l| l.parse().ok()).collect();
            let millis = text.lines().find_map(|l| l.strip_prefix("takes ")?.parse().ok()).unwrap_or(0);
            let takes = Duration::from_millis(millis);
            eprintln!("mutation: {name} meets {} in {:.1} s", meets.len(), takes.as_secs_f32());
            base.programs.push(Program { name: name.clone(), path: path.clone(), meets, takes });
        }
        base.programs.sort_by_key(|p| p.takes);
        Ok(base)
    }

    /// Runs a program of tests with nothing changed: how long it takes. What it meets goes to a file.
    fn measured(&self, name: &str, path: &Path, met: &Path) -> Result<Duration, String> {
        let begun = Instant::now();
        let mut child = command(self.tree, path)
            .env("MUTATION_MET", met)
            .stdout(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", path.display()))?;
        let mut takes = Duration::ZERO;
        let status = loop {
            takes = takes.max(spent(&child, begun));
            if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
                break status;
            }
            thread::sleep(Duration::from_millis(20));
        };
        if status.success() {
            Ok(takes)
        } else {
            Err(format!("{name} fails in the copy with nothing changed: {}", path.display()))
        }
    }

    /// Runs the cases that meet a mutant and then the tests that do, until something fails; what failed.
    ///
    /// # Errors
    /// What cannot be run.
    pub fn tried(&self, id: usize) -> Result<(Fate, String), String> {
        let cases = self.cases.get(&id).map_or(&[][..], Vec::as_slice);
        if !cases.is_empty() {
            let list = self.out.join("cases.txt");
            let lines: String = cases.iter().map(|(us, p)| format!("{us}\t{}\n", p.display())).collect();
            fs::write(&list, lines).map_err(|e| e.to_string())?;
            let mut harness = command(self.tree, &self.tree.tests["mutation"]);
            harness.arg("--nocapture").env("MUTATION_CASES", &list).env("MUTANT", id.to_string());
            // It watches the time of each case itself; the sum is for what it cannot watch.
            let sum: u64 = cases.iter().map(|(us, _)| us).sum();
            if let Some(fate) =
                self.ends(harness, "a case", Duration::from_micros(4 * sum) + Duration::from_mins(1))?
            {
                return Ok(fate);
            }
        }
        let mut tests = 0;
        for program in self.programs.iter().filter(|p| p.meets.contains(&id)) {
            let mut command = command(self.tree, &program.path);
            command.env("MUTANT", id.to_string());
            let most = program.takes * 4 + Duration::from_secs(2);
            if let Some(fate) = self.ends(command, &program.name, most)? {
                return Ok(fate);
            }
            tests += 1;
        }
        Ok((Fate::Missed, format!("{} cases and {tests} programs of tests meet it", cases.len())))
    }

    /// Runs one program: how it ends if it does not end well.
    fn ends(
        &self,
        mut command: Command,
        name: &str,
        most: Duration,
    ) -> Result<Option<(Fate, String)>, String> {
        let path = self.out.join("said.txt");
        let file = fs::File::create(&path).map_err(|e| e.to_string())?;
        let mut child = command.stdout(file).spawn().map_err(|e| format!("cannot run {name}: {e}"))?;
        let begun = Instant::now();
        let said = || fs::read_to_string(&path).unwrap_or_default();
        let failed = |said: &str| {
            let line = said.lines().find(|l| l.starts_with("test ") && l.ends_with("FAILED"))?;
            Some(format!("{name} {}", line.trim_start_matches("test ").trim_end_matches(" ... FAILED")))
        };
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
                break Some(status);
            }
            // One test that failed is enough.
            let enough = failed(&said()).is_some();
            // What waits for ever reckons nothing.
            if enough || spent(&child, begun) > most || begun.elapsed() > most * 10 {
                let _ = child.kill(); // it may just have ended
                let _ = child.wait();
                break None;
            }
            thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 200 { 3 } else { 25 }));
        };
        let said = said();
        if let Some(test) = failed(&said) {
            return Ok(Some((Fate::Caught, test)));
        }
        let after = |words: &str| {
            // The harness says so behind "test mutation ... ", which libtest has begun.
            let path = said.lines().find_map(|l| l.split_once(words).map(|(_, path)| path))?;
            Some(Path::new(path).file_name().map_or_else(String::new, |f| f.to_string_lossy().into_owned()))
        };
        Ok(match status {
            Some(status) if status.success() => None,
            Some(_) => match after("hung in ") {
                Some(case) => Some((Fate::Hung, case)),
                None => Some((Fate::Caught, after("killed by ").unwrap_or_else(|| name.to_owned()))),
            },
            None => Some((Fate::Hung, name.to_owned())),
        })
    }
}
