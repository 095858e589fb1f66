//! The thin loop around the tracker: keys from the terminal, lines to the file. The only place of this crate that
//! touches either.

use super::{Key, Tracker};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Opens the file of a record for a tracker: a new one (which must not exist), or an old one to go on with, of which a
/// line cut off in writing is removed.
///
/// # Errors
/// What the system says, or a record that does not read.
pub fn open_file(path: &Path, tracker: &mut Tracker, resumed: bool) -> io::Result<File> {
    let mut file = if resumed {
        let whole = tracker.table.record().print();
        let file = OpenOptions::new().write(true).open(path)?;
        // What was read stands at the beginning of the file; anything after it is a torn line.
        file.set_len(whole.len() as u64)?;
        OpenOptions::new().append(true).open(path)?
    } else {
        OpenOptions::new().append(true).create_new(true).open(path)?
    };
    save(&mut file, tracker)?;
    Ok(file)
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
    let mut terminal = ratatui::try_init()?;
    let result = (|| -> io::Result<()> {
        while !tracker.wants_to_quit() {
            terminal.draw(|frame| tracker.draw(frame))?;
            if let Event::Key(press) = event::read()?
                && let Some(key) = key_of(press)
            {
                tracker.key(key);
                save(&mut file, &mut tracker)?;
                if tracker.takes_export() {
                    let said = export(record, &tracker);
                    tracker.say(match said {
                        Ok(path) => format!("the log is in {}", path.display()),
                        Err(e) => format!("the log could not be written: {e}"),
                    });
                }
            }
        }
        Ok(())
    })();
    ratatui::restore();
    result
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
        KeyCode::Char('z' | 'u') if ctrl => Key::F(7),
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
