//! A campaign's folder: an append-only record, the dice key, and a lock against two commands at once.
//!
//! `campaign.jsonl` is the record: header first, one line for each command, appended and synced before a command is
//! told to be done. `dice.key` is the umpire's secret. A damaged last line is set aside and named; what stands
//! before it holds.

use crate::campaign::Campaign;
use dice::{Key, Seeded};
use game::record::Record;
use game::{Actor, Game, Problem, Problems, Stop, Table, TableError};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const RECORD: &str = "campaign.jsonl";
const KEY: &str = "dice.key";
const LOCK: &str = "lock";

/// A campaign's folder, opened and locked.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The campaign under way.
    pub table: Table<Campaign>,
    /// The dice.
    pub dice: Seeded,
    /// What was wrong with the record's end, if anything was.
    pub recovered: Option<String>,
    written: usize,
    key: Key,
    _lock: File,
}

fn wrong(path: &Path, what: &str, e: &std::io::Error) -> Problems {
    vec![Problem::new(format!("{}: cannot {what}: {e}", path.display()))]
}

/// Takes the lock; another command at work is an error that says so.
fn lock(path: &Path) -> Result<File, Problems> {
    let file = path.join(LOCK);
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&file)
        .map_err(|e| wrong(&file, "open the lock", &e))?;
    lock.try_lock().map_err(|_| {
        vec![
            Problem::new(format!("another command is at work on {}", path.display()))
                .hint("wait until it is done; nothing was changed"),
        ]
    })?;
    Ok(lock)
}

/// Why a command was not carried out.
pub(crate) fn problem_of(e: TableError<crate::event::Refused>) -> Problem {
    match e {
        TableError::Text(problem) => problem,
        TableError::Stop(Stop::Refused(r)) => {
            let problem = Problem::new(r.words);
            match r.rule {
                Some(rule) => problem.by(rule),
                None => problem,
            }
        }
        TableError::Stop(Stop::Dice(no)) => Problem::new(no.to_string()),
    }
}

impl Folder {
    /// A new campaign in a folder that has none.
    ///
    /// # Errors
    /// A folder that holds a campaign already, or cannot be written.
    pub fn create(path: &Path, campaign: Campaign, key: &Key, words: Vec<String>) -> Result<Self, Problems> {
        fs::create_dir_all(path).map_err(|e| wrong(path, "make the folder", &e))?;
        let held = lock(path)?;
        let record = path.join(RECORD);
        if record.exists() {
            return Err(vec![
                Problem::new(format!("{} holds a campaign already", path.display()))
                    .hint("choose another folder"),
            ]);
        }
        let table = Table::new(campaign, Some(key.commitment()), words.clone());
        let key_file = path.join(KEY);
        write_new(&key_file, format!("{key}\n").as_bytes())?;
        write_new(&record, format!("{}\n", table.record().header_text).as_bytes())?;
        let dice = Seeded::new(key.with_words(Campaign::NAME, &words));
        Ok(Self {
            path: path.to_owned(),
            table,
            dice,
            recovered: None,
            written: 0,
            key: key.clone(),
            _lock: held,
        })
    }

    /// Opens a campaign, plays its record again, and sets a damaged last line aside.
    ///
    /// # Errors
    /// A folder without a campaign, a record that comes out differently, another command at work.
    pub fn open(path: &Path) -> Result<Self, Problems> {
        let file = path.join(RECORD);
        if !file.exists() {
            return Err(vec![
                Problem::new(format!("{} holds no campaign", path.display()))
                    .hint("muster campaign new DIR --map evening"),
            ]);
        }
        let held = lock(path)?;
        let bytes = fs::read(&file).map_err(|e| wrong(&file, "read", &e))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let in_file = |p: Problem| vec![p.in_file(&file.display().to_string())];
        let mut record = Record::parse(&text).map_err(in_file)?;
        let mut recovered = None;
        // A last line without its end was not wholly written, even if it reads.
        let cut = !text.ends_with('\n');
        if let Some(problem) = record.broken.take() {
            let number = record.lines.len() + 2;
            let rest = text.lines().skip(number - 1).count();
            if rest > 1 {
                return Err(in_file(
                    problem.hint("more than the last line is damaged; restore the file from a copy"),
                ));
            }
            recovered = Some(format!(
                "line {number} of {RECORD} was damaged ({}) and has been set aside; the campaign stands as of line {}",
                problem.message,
                number - 1
            ));
        } else if cut && !record.lines.is_empty() {
            let number = record.lines.len() + 1;
            record.lines.pop();
            recovered = Some(format!(
                "line {number} of {RECORD} was not wholly written and has been set aside; the campaign stands as of line {}",
                number - 1
            ));
        }
        let table: Table<Campaign> = Table::replay(&record).map_err(in_file)?;
        if recovered.is_some() {
            let aside = path.join(format!("{RECORD}.damaged"));
            fs::write(&aside, &bytes).map_err(|e| wrong(&aside, "write", &e))?;
            let whole = table.record().print();
            let temporary = path.join(format!("{RECORD}.tmp"));
            replace(&temporary, &file, whole.as_bytes())?;
        }
        let key_file = path.join(KEY);
        let key: Key = fs::read_to_string(&key_file)
            .map_err(|e| wrong(&key_file, "read", &e))?
            .trim()
            .parse()
            .map_err(|e: String| vec![Problem::new(e).in_file(&key_file.display().to_string())])?;
        let dice = Seeded::new(key.with_words(Campaign::NAME, &record.header.words));
        let written = table.record().lines.len();
        Ok(Self { path: path.to_owned(), table, dice, recovered, written, key, _lock: held })
    }

    /// Carries out a command given as text, and writes it down.
    ///
    /// # Errors
    /// What does not read or is refused; nothing has changed then.
    pub fn command(&mut self, by: Actor, text: &str) -> Result<Vec<crate::event::Event>, Problems> {
        let played = self.table.command_text(by, text, &mut self.dice).map_err(|e| vec![problem_of(e)])?;
        self.save()?;
        Ok(played.events)
    }

    /// Takes the place of the campaign by one that goes on from it (a season run again), and writes down what is new.
    ///
    /// # Errors
    /// A record that cannot be written.
    pub(crate) fn replace(&mut self, table: Table<Campaign>) -> Result<(), Problems> {
        debug_assert!(table.record().lines.len() >= self.written);
        self.table = table;
        self.save()
    }

    /// Appends what is new and syncs it.
    fn save(&mut self) -> Result<(), Problems> {
        let file = self.path.join(RECORD);
        let lines = &self.table.record().lines[self.written..];
        let text: String = lines.iter().map(|l| l.print() + "\n").collect();
        let mut out = OpenOptions::new().append(true).open(&file).map_err(|e| wrong(&file, "open", &e))?;
        out.write_all(text.as_bytes())
            .and_then(|()| out.sync_data())
            .map_err(|e| wrong(&file, "write", &e))?;
        self.written = self.table.record().lines.len();
        Ok(())
    }

    /// The key of the campaign's dice.
    pub(crate) const fn key(&self) -> &Key {
        &self.key
    }

    /// The key of the dice of a battle that is fought at a table of its own.
    #[must_use]
    pub fn battle_key(&self, state: &crate::State, battle: &crate::battle::Battle) -> Key {
        crate::battle::battle_key(&self.key, state, battle)
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Problems> {
    let mut file =
        OpenOptions::new().create_new(true).write(true).open(path).map_err(|e| wrong(path, "write", &e))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|e| wrong(path, "write", &e))
}

fn replace(temporary: &Path, path: &Path, bytes: &[u8]) -> Result<(), Problems> {
    fs::write(temporary, bytes)
        .and_then(|()| fs::rename(temporary, path))
        .map_err(|e| wrong(path, "write", &e))
}
