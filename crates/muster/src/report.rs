//! `muster replay RECORD --report FILE`: a battle as one tells it afterwards, with a picture for each bound, as a page
//! of its own (`.html`, nothing fetched from anywhere) or as text for a forum (`.md`, pictures beside it).

use crate::{account, horde_report, out, picture};
use draw::{Style, Theme};
use game::record::{Act, Line, Record};
use game::{AnyTable, Problem, Problems, Table};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is told between two pictures.
struct Chapter<'a> {
    heading: String,
    lines: Vec<&'a Line>,
    /// The last line of it: the picture shows the position after it.
    last: u32,
}

impl Chapter<'_> {
    /// What its picture shows: by its end the next bound has been diced for.
    fn caption(&self) -> String {
        let bound = self.heading.split(',').next().unwrap_or("");
        match bound.split(':').next().filter(|b| b.starts_with("Bound ") || b.starts_with("Round ")) {
            Some(bound) => format!(
                "How it stood at the end of {}",
                if bound.starts_with('B') { bound.to_lowercase() } else { bound.to_owned() }
            ),
            None => "How it stood then".to_owned(),
        }
    }
}

/// Draws how it stood after a line of the record; nothing for a game that is not drawn.
type Drawn<'a> = dyn Fn(u32) -> Result<Option<String>, Problems> + 'a;

/// Writes the report; the files written.
///
/// # Errors
/// A file that cannot be written, a kind of file that is not known.
pub fn write(
    path: &Path,
    record: &Record,
    table: &dyn AnyTable,
    force: bool,
) -> Result<Vec<PathBuf>, Problems> {
    let game = record.header.game.as_str();
    if game == "campaign" {
        let table = Table::<campaign::Campaign>::replay(record).map_err(|p| vec![p])?;
        return crate::chronicle::write(path, &table, campaign::Reader::Public, force);
    }
    if game == "horde" {
        let table = horde_report::table(record).map_err(|p| vec![p])?;
        return write_with(path, record, &|n| Ok(Some(horde_report::bars(&table, n))), force);
    }
    let picture = |n: u32| -> Result<Option<String>, Problems> {
        if !picture::is_drawn(game) {
            return Ok(None);
        }
        let notation = table.notation_at(n);
        let style = Style { width: 1000.0, ..Style::wide(Theme::Light) };
        picture::drawing(game, &record.header.rules, &notation, style).map(Some)
    };
    write_with(path, record, &picture, force)
}

fn write_with(
    path: &Path,
    record: &Record,
    picture: &Drawn<'_>,
    force: bool,
) -> Result<Vec<PathBuf>, Problems> {
    let kind = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match kind.as_str() {
        "html" | "htm" => {
            out::write(path, html(record, picture)?.as_bytes(), force)?;
            Ok(vec![path.to_owned()])
        }
        "md" | "txt" => {
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("battle").to_owned();
            let mut written = vec![path.to_owned()];
            let text = text(record, &mut |n, at| {
                let Some(svg) = picture(at)? else { return Ok(None) };
                let file = path.with_file_name(format!("{stem}-{n:02}.png"));
                let bytes = draw::png(&svg, 1.0)
                    .map_err(|e| vec![Problem::new(format!("the picture cannot be made: {e}"))])?;
                out::write(&file, &bytes, force)?;
                let name = file.file_name().and_then(|n| n.to_str()).unwrap_or("").to_owned();
                written.push(file);
                Ok(Some(name))
            })?;
            out::write(path, text.as_bytes(), force)?;
            Ok(written)
        }
        _ => {
            Err(vec![Problem::new(format!("a report as {}: unknown kind of file", path.display())).hint(
                "FILE.html is one page with its pictures in it, FILE.md is text with pictures beside it",
            )])
        }
    }
}

/// The report of an encounter of Horde combat as a page, and as text without pictures.
///
/// # Errors
/// A record that does not play.
pub fn of_horde(record: &Record, page: bool) -> Result<String, Problems> {
    let table = horde_report::table(record).map_err(|p| vec![p])?;
    if page {
        html(record, &|n| Ok(Some(horde_report::bars(&table, n))))
    } else {
        text(record, &mut |_, _| Ok(None))
    }
}

fn html(record: &Record, picture: &Drawn<'_>) -> Result<String, Problems> {
    let mut body = String::new();
    for (n, chapter) in chapters(record).iter().enumerate() {
        let heading = out::escape(&chapter.heading);
        let _ = writeln!(body, "<section id=\"c{n}\"><h2>{heading}</h2>");
        if let Some(svg) = picture(chapter.last)? {
            let about = format!("The position after: {heading}");
            let _ = writeln!(
                body,
                "<figure><img alt=\"{about}\" src=\"data:image/svg+xml;base64,{}\"><figcaption>{}</figcaption></figure>",
                base64(svg.as_bytes()),
                out::escape(&chapter.caption())
            );
        }
        for paragraph in paragraphs(&record.header.game, chapter) {
            let _ = writeln!(body, "<p>{}</p>", out::escape(&paragraph));
        }
        body.push_str("</section>\n");
    }
    Ok(page(&title(record), &body))
}

/// The text; `file` writes the picture of a chapter and says what its file is called.
fn text(
    record: &Record,
    file: &mut dyn FnMut(usize, u32) -> Result<Option<String>, Problems>,
) -> Result<String, Problems> {
    let mut text = format!("# {}\n", title(record));
    for (n, chapter) in chapters(record).iter().enumerate() {
        let _ = writeln!(text, "\n## {}\n", chapter.heading);
        if let Some(name) = file(n, chapter.last)? {
            let _ = writeln!(text, "![{}]({name})\n", chapter.heading);
        }
        for paragraph in paragraphs(&record.header.game, chapter) {
            let _ = writeln!(text, "{paragraph}\n");
        }
    }
    Ok(text)
}

/// The record cut where bounds begin.
fn chapters(record: &Record) -> Vec<Chapter<'_>> {
    let horde = record.header.game == "horde";
    let begins = if horde { "round" } else { "bound" };
    // An encounter often begins in its first Round, without a word about it.
    let told = record.lines.iter().flat_map(|l| &l.events).any(|e| e["kind"] == "round" && e["round"] == 1);
    let first = match (horde, told) {
        (false, _) => "Before the first bound",
        (true, true) => "Before the first Round",
        (true, false) => "Round 1",
    };
    let mut out = vec![Chapter { heading: first.to_owned(), lines: Vec::new(), last: 0 }];
    for line in &record.lines {
        let opens = line.events.iter().find(|e| e["kind"] == begins);
        // What ends a bound and what begins the next are often one line: it belongs to the bound that it ends.
        if let Some(chapter) = out.last_mut() {
            chapter.lines.push(line);
            chapter.last = line.n;
        }
        if let Some(event) = opens {
            let mut heading = event["say"].as_str().unwrap_or("A bound").trim_end_matches('.').to_owned();
            let scores: Vec<String> =
                line.events.iter().filter(|e| e["kind"] == "pips").map(|e| e["score"].to_string()).collect();
            if !scores.is_empty() {
                let word = if scores == ["1"] { "PIP" } else { "PIPs" };
                let _ = write!(heading, ", {} {word}", scores.join(" and "));
            }
            out.push(Chapter { heading: account::capital(&heading), lines: Vec::new(), last: line.n });
        }
    }
    out.retain(|c| c.lines.iter().any(|l| matches!(l.act, Act::Command(_))));
    out
}

/// What is told of a chapter, a paragraph an entry; the heading of the next bound is left to it.
fn paragraphs(game: &str, chapter: &Chapter<'_>) -> Vec<String> {
    let told = account::tell(game, &chapter.lines);
    let mut out: Vec<String> = Vec::new();
    for line in told.lines() {
        let deep = line.starts_with("    ") || line.starts_with("  ") && out.is_empty();
        match out.last_mut() {
            _ if line.trim().is_empty() || !line.starts_with(' ') => {}
            // The heading says it.
            _ if game == "horde" && is_round(line.trim()) => {}
            Some(open) if deep || !line.starts_with("  ") => {
                open.push(' ');
                open.push_str(line.trim());
            }
            Some(open) if !open.ends_with(['.', ')', '!', '?']) => {
                open.push(' ');
                open.push_str(line.trim());
            }
            _ => out.push(line.trim().to_owned()),
        }
    }
    out
}

fn is_round(line: &str) -> bool {
    line.strip_prefix("Round ").and_then(|l| l.strip_suffix('.')).is_some_and(|n| n.parse::<u32>().is_ok())
}

fn title(record: &Record) -> String {
    let setup = &record.header.setup;
    let named = |v: &Value| v["army"].as_str().or(v.as_str()).or(v["name"].as_str()).map(str::to_owned);
    if record.header.game == "horde"
        && let Some(name) = setup["name"].as_str().filter(|n| !n.trim().is_empty())
    {
        return account::capital(name);
    }
    let list = setup["sides"].as_array().or(setup["armies"].as_array());
    let mut names: Vec<String> =
        list.into_iter().flatten().filter_map(named).map(|n| account::capital(&n)).collect();
    // Allies together: each group under the first of it.
    for group in setup["alliances"].as_array().into_iter().flatten() {
        let letters = group.as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut at: Vec<usize> = letters
            .filter_map(|l| ('A'..='Z').position(|c| l.eq_ignore_ascii_case(&c.to_string())))
            .collect();
        at.sort_unstable();
        let mut all: Vec<String> = Vec::new();
        for n in &at {
            all.extend(names.get_mut(*n).map(std::mem::take).filter(|n| !n.is_empty()));
        }
        if let Some(first) = at.first().and_then(|n| names.get_mut(*n)) {
            *first = all.join(" and ");
        }
    }
    names.retain(|n| !n.is_empty());
    if names.len() > 1 { names.join(" against ") } else { format!("A game of {}", record.header.game) }
}

/// A page of its own around a report.
pub fn page(title: &str, body: &str) -> String {
    let title = out::escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n\
         body{{font:1.05rem/1.5 Georgia,serif;max-width:62rem;margin:0 auto;padding:1rem;color:#221f1a;\
         background:#fbf9f3}}\nh1{{font-size:1.9rem}}h2{{font-size:1.25rem;margin:2.2rem 0 .5rem}}\n\
         figure{{margin:.5rem 0}}img{{width:100%;height:auto}}p{{margin:.35rem 0}}\n\
         @media(prefers-color-scheme:dark){{body{{background:#14171a;color:#ece8dd}}}}\n\
         @media print{{section{{break-inside:avoid}}body{{background:#fff;color:#000}}}}\n\
         </style></head><body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}

/// Bytes in base 64, for a picture inside a page.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let at = |n: usize| u32::from(part.get(n).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for n in 0..4_usize {
            let sign = SIGNS[(bits >> (18 - 6 * n) & 63) as usize];
            out.push(if n > part.len() { '=' } else { char::from(sign) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_as_everybody_writes_it() {
        let known = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (plain, coded) in known {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
