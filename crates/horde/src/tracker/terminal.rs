//! The thin loop around the tracker: keys from the terminal, lines to the file. The only place of this crate that
//! touches either.

use super::paste::TYPED;
use super::{Key, Tracker};
use game::record::Line;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::execute;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, IsTerminal as _, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Opens the file of a record for a tracker: a new one (which must not exist), or an old one to go on with, of which a
/// line cut off in writing is removed. The file is locked as long as it is open, so that no second tracker writes
/// between its lines; the lock ends with the process, however that ends.
///
/// # Errors
/// What the system says; [`io::ErrorKind::ResourceBusy`] if another tracker has the file, or has written to it since it
/// was read.
pub fn open_file(path: &Path, tracker: &mut Tracker, resumed: bool) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).write(true).create_new(!resumed).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(busy(path, "is open in another tracker: one record has one tracker"));
        }
        // A file system without locks: as well as it can be had.
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(e)) => return Err(e),
    }
    if resumed {
        let whole = tracker.table.record().print();
        let mut now = Vec::new();
        file.read_to_end(&mut now)?;
        // What was read stands at the beginning of the file; after it stands a torn line at most.
        let torn = match now.strip_prefix(whole.as_bytes()) {
            Some(rest) => rest,
            // The last line is whole and lacks only its end.
            None if whole.as_bytes().strip_suffix(b"\n") == Some(now.as_slice()) => &[],
            None => return Err(busy(path, "has changed since it was read")),
        };
        if torn.trim_ascii_end().contains(&b'\n') || Line::parse(&String::from_utf8_lossy(torn), 0).is_ok() {
            return Err(busy(path, "has gained lines since it was read"));
        }
        file.set_len(whole.len().min(now.len()) as u64)?;
        file.seek(SeekFrom::End(0))?;
        if now.len() < whole.len() {
            file.write_all(b"\n")?;
        }
    }
    save(&mut file, tracker)?;
    Ok(file)
}

fn busy(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, format!("{} {why}", path.display()))
}

/// Whether there is a terminal to draw on and to take keys from.
pub fn is_there() -> bool {
    io::stdout().is_terminal()
        && (io::stdin().is_terminal() || (cfg!(unix) && File::open("/dev/tty").is_ok()))
}

/// Appends what is new and waits until it is on the disk: a crash loses at most the line being typed.
///
/// # Errors
/// What the system says.
pub fn save(file: &mut File, tracker: &mut Tracker) -> io::Result<()> {
    let text = tracker.unwritten();
    if text.is_empty() {
        return Ok(());
    }
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Runs the tracker in the terminal until the game master leaves. The log of F9 goes beside the record, as
/// `….log.txt` and, for players, `….players.txt`.
///
/// # Errors
/// What the terminal or the file system says; everything up to the last command is on the disk then.
pub fn run(record: &Path, mut tracker: Tracker, resumed: bool) -> io::Result<()> {
    let mut file = open_file(record, &mut tracker, resumed)?;
    recall_dice(record, &mut tracker, resumed);
    let mut terminal = ratatui::try_init()?;
    let result = (|| -> io::Result<()> {
        // Where the terminal can tell a paste from keys, it shall.
        execute!(io::stdout(), EnableBracketedPaste)?;
        // A terminal without a second screen keeps what stood on it.
        terminal.clear()?;
        let ended = asked_to_end()?;
        while !tracker.wants_to_quit() && !ended.load(Relaxed) {
            terminal.draw(|frame| tracker.draw(frame))?;
            let mut keys = Vec::new();
            for came in read_all(&ended)? {
                match came {
                    Event::Key(press) => keys.extend(key_of(press)),
                    Event::Paste(text) => {
                        take(&std::mem::take(&mut keys), &mut tracker, &mut file, record)?;
                        _ = tracker.paste(&text);
                    }
                    _ => {}
                }
            }
            take(&keys, &mut tracker, &mut file, record)?;
        }
        Ok(())
    })();
    _ = execute!(io::stdout(), DisableBracketedPaste);
    ratatui::restore();
    result
}

/// Between the parts in which a long text arrives.
const PAUSE: Duration = Duration::from_millis(60);

/// So long nothing comes when all of a text that is not wanted has come.
const CALM: Duration = Duration::from_millis(300);

/// A text longer than this is no line in any case; the rest of it comes next.
const MOST: usize = 100_000;

/// Set when the system asks the process to end, so that the terminal is given back as it was.
fn asked_to_end() -> io::Result<Arc<AtomicBool>> {
    let ended = Arc::new(AtomicBool::new(false));
    for signal in signal_hook::consts::TERM_SIGNALS {
        signal_hook::flag::register(*signal, ended.clone())?;
    }
    Ok(ended)
}

/// How soon a wish to end is noticed.
const NOTICED: Duration = Duration::from_millis(200);

/// What came: a key, and all that came with it without a pause; nothing once the process shall end.
fn read_all(ended: &AtomicBool) -> io::Result<Vec<Event>> {
    while !event::poll(NOTICED)? {
        if ended.load(Relaxed) {
            return Ok(Vec::new());
        }
    }
    let mut all = vec![event::read()?];
    while all.len() < MOST && event::poll(if all.len() > TYPED { PAUSE } else { Duration::ZERO })? {
        all.push(event::read()?);
    }
    Ok(all)
}

/// Keys that came together. What each of them does is on the disk before the next one counts.
fn take(keys: &[Key], tracker: &mut Tracker, file: &mut File, record: &Path) -> io::Result<()> {
    if keys.len() > TYPED {
        let whole = tracker.burst(keys);
        save(file, tracker)?;
        // What is still under way of it belongs to what was left out.
        let mut rest = 0;
        while !whole && rest < MOST && event::poll(CALM)? {
            event::read()?;
            rest += 1;
        }
        return Ok(());
    }
    for key in keys {
        if tracker.wants_to_quit() {
            break;
        }
        let rolled = tracker.is_rolled();
        tracker.key(*key);
        save(file, tracker)?;
        if tracker.is_rolled() != rolled {
            keep_dice(record, tracker.is_rolled());
        }
        if tracker.takes_export() {
            let said = export(record, tracker);
            tracker.say(match said {
                Ok(path) => format!("the log is in {}", path.display()),
                Err(e) => format!("the log could not be written: {e}"),
            });
        }
    }
    Ok(())
}

/// Beside the record stands whether dice are typed, once F5 has said so; the record itself has no word for it.
fn dice_file(record: &Path) -> PathBuf {
    record.with_extension("dice.txt")
}

const ROLLED: &str = "dice rolled\n";
const TYPED_IN: &str = "dice typed\n";

/// Takes up what was kept, or forgets what an earlier record of that name has left.
pub fn recall_dice(record: &Path, tracker: &mut Tracker, resumed: bool) {
    let kept = std::fs::read_to_string(dice_file(record)).unwrap_or_default();
    match kept.as_str() {
        ROLLED | TYPED_IN if resumed => tracker.dice_were(kept == ROLLED),
        ROLLED | TYPED_IN => _ = std::fs::remove_file(dice_file(record)),
        _ => {}
    }
}

/// Keeps it. It is a comfort: where it cannot be written, the record tells who threw last.
pub fn keep_dice(record: &Path, rolled: bool) {
    _ = std::fs::write(dice_file(record), if rolled { ROLLED } else { TYPED_IN });
}

fn export(record: &Path, tracker: &Tracker) -> io::Result<PathBuf> {
    let log = record.with_extension("log.txt");
    std::fs::write(&log, tracker.export(false))?;
    std::fs::write(record.with_extension("players.txt"), tracker.export(true))?;
    Ok(log)
}

/// A key of the terminal as the tracker's; `None` for keys that mean nothing to it.
pub fn key_of(press: KeyEvent) -> Option<Key> {
    if press.kind == KeyEventKind::Release {
        return None;
    }
    let ctrl = press.modifiers.contains(KeyModifiers::CONTROL);
    Some(match press.code {
        KeyCode::Char('c' | 'q') if ctrl => Key::F(10),
        KeyCode::Char('z') if ctrl => Key::F(7),
        // As every shell has it.
        KeyCode::Char('u') if ctrl => Key::Clear,
        // The end of a line as a pasted text has it.
        KeyCode::Char('j' | 'm') if ctrl => Key::Enter,
        KeyCode::Char(_) if ctrl => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Esc => Key::Esc,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Tab => Key::Tab,
        KeyCode::F(n) => Key::F(n),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_of_the_system_to_end_is_noticed() {
        let ended = asked_to_end().unwrap();
        assert!(!ended.load(Relaxed));
        signal_hook::low_level::raise(signal_hook::consts::SIGTERM).unwrap();
        assert!(ended.load(Relaxed));
    }
}
