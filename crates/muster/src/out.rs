//! What goes out: results on standard output, everything else on standard error, and the exit status.

use game::Problem;
use serde_json::Value;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::{fs, thread};

/// How a command ended that could be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Done, or yes.
    Yes,
    /// A negative verdict: illegal, failed, not verified.
    No,
}

/// Bad input: everything that is wrong, to be told at once.
pub type Done = Result<Verdict, Vec<Problem>>;

/// Turns the end of a command into the exit status.
pub fn finish(done: Done) -> ExitCode {
    match done {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Err(problems) => {
            for problem in problems {
                eprintln!("error: {problem}");
            }
            ExitCode::from(2)
        }
    }
}

/// Prints to standard output; a reader that has gone away (`| head`) is no error.
pub fn print(text: &str) {
    bytes(text.as_bytes());
}

/// Writes a file's bytes to standard output.
pub fn bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Prints a line.
pub fn line(text: &str) {
    print(&format!("{text}\n"));
}

/// Prints the one JSON document.
pub fn json(value: &Value) {
    line(&serde_json::to_string_pretty(value).unwrap_or_default());
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// A sentence that names the file.
pub fn read(path: &Path) -> Result<String, Vec<Problem>> {
    let wrong = |e: io::Error| {
        let what = if e.kind() == io::ErrorKind::InvalidData {
            "it is not text (UTF-8)".to_owned()
        } else {
            e.to_string()
        };
        vec![Problem::new(format!("cannot read {}: {what}", path.display()))]
    };
    if path == Path::new("-") {
        io::read_to_string(io::stdin()).map_err(wrong)
    } else {
        fs::read_to_string(path).map_err(wrong)
    }
}

/// Reads a text that may have been saved in an old code of signs: what is no UTF-8 is taken for Latin-1, byte by byte.
/// For what people send; nothing of it is lost.
pub fn read_any(path: &Path) -> Result<String, Vec<Problem>> {
    let wrong = |e: io::Error| vec![Problem::new(format!("cannot read {}: {e}", path.display()))];
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::Read::read_to_end(&mut io::stdin(), &mut bytes).map_err(wrong)?;
    } else {
        bytes = fs::read(path).map_err(wrong)?;
    }
    Ok(text_of(bytes))
}

fn text_of(bytes: Vec<u8>) -> String {
    // The two byte order marks with which some editors begin a text of double bytes.
    if let [a @ (0xff | 0xfe), b @ (0xff | 0xfe), rest @ ..] = bytes.as_slice()
        && a != b
    {
        let unit = |p: &[u8]| match p {
            [x, y] if *a == 0xff => u16::from_le_bytes([*x, *y]),
            [x, y] => u16::from_be_bytes([*x, *y]),
            // A text cut in the middle of a sign shows it.
            _ => 0xfffd,
        };
        let units = rest.chunks(2).map(unit);
        return char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    }
    String::from_utf8(bytes).unwrap_or_else(|e| e.as_bytes().iter().map(|b| char::from(*b)).collect())
}

/// Writes a file whole or not at all: to a temporary file, synced, then renamed. Nothing is overwritten without `force`.
///
/// # Errors
/// A sentence that names the file.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Vec<Problem>> {
    let wrong = |e: io::Error| vec![Problem::new(format!("cannot write {}: {e}", path.display()))];
    if path.is_dir() {
        let problem = Problem::new(format!("{} is a folder", path.display()));
        return Err(vec![problem.hint("give the name of a file in it")]);
    }
    if path.exists() && !force {
        let problem = Problem::new(format!("{} exists already", path.display()));
        return Err(vec![problem.hint("give another name, or --force to overwrite it")]);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{:?}.tmp", std::process::id(), thread::current().id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|e| {
        let _ = fs::remove_file(&temporary); // it may never have been made
        wrong(e)
    })
}

/// A line of progress that the next one replaces; only a terminal gets it.
pub fn progress(text: &str) {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
        let _ = io::stderr().flush(); // progress that does not show is no loss
    }
}

/// Breaks a text at `width` columns, later lines indented by `indent` blanks.
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    for (i, paragraph) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        let lead = paragraph.len() - paragraph.trim_start_matches(' ').len();
        out.push_str(&paragraph[..lead]);
        let mut column = lead;
        for (j, word) in paragraph[lead..].split(' ').enumerate() {
            let length = word.chars().count();
            if j > 0 && column + 1 + length > width {
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                column = indent;
            } else if j > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += length;
        }
    }
    out
}

/// Text made safe for a page.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_the_width_with_an_indent() {
        assert_eq!(wrap("one two three four", 9, 2), "one two\n  three\n  four");
        assert_eq!(wrap("  a b\nc", 20, 0), "  a b\nc");
    }

    #[test]
    fn a_file_is_not_overwritten_unless_forced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        write(&path, b"one", false).unwrap();
        assert!(write(&path, b"two", false).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn texts_of_any_code_of_signs_are_read() {
        assert_eq!(text_of(b"A1: hold".to_vec()), "A1: hold");
        assert_eq!(text_of(b"\xff\xfeA\x001\0".to_vec()), "A1");
        assert_eq!(text_of(b"\xfe\xff\0A\x001".to_vec()), "A1");
        assert_eq!(text_of(b"Gr\xfc\xdfe".to_vec()), "Gr\u{fc}\u{df}e");
        assert_eq!(text_of(b"\xff\xfeA".to_vec()).len(), 3);
    }
}
