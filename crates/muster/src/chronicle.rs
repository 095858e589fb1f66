//! A campaign as one tells it afterwards: season by season what its reader was told, with his map as it stood then; as a
//! page of its own, or as text for a blog or a forum with the maps beside it.

use crate::{campaign_press, out};
use campaign::{Campaign, Reader, again, report};
use game::{Problem, Problems, Table};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// One season.
struct Season {
    when: String,
    markdown: String,
    map: String,
}

fn seasons(table: &Table<Campaign>, reader: Reader) -> Vec<Season> {
    let game = table.game();
    let (world, rules) = (game.world(), game.rules_in_force());
    let one = |(when, own): (String, campaign::View)| {
        let letter = again::text_of(game, &own);
        // Its first heading is the season's; what was waited for then says nothing any more.
        let kept: Vec<&str> =
            letter.lines().skip(1).filter(|l| !l.starts_with("Now: ")).skip_while(|l| l.is_empty()).collect();
        Season { when, markdown: kept.join("\n"), map: report::map_svg(world, rules, &own) }
    };
    again::seasons(table, reader).into_iter().map(one).collect()
}

fn title(table: &Table<Campaign>, reader: Reader) -> String {
    let name = &table.game().world().name;
    match reader {
        Reader::Nation(nation) => format!("{name}: the chronicle of {nation}"),
        _ => format!("{name}: a chronicle"),
    }
}

fn ended(table: &Table<Campaign>) -> Option<String> {
    table.state().winner.map(|w| format!("{w} has won."))
}

/// The page, with its maps in it.
pub fn page(table: &Table<Campaign>, reader: Reader) -> String {
    let mut body = String::new();
    for (n, s) in seasons(table, reader).iter().enumerate() {
        let _ = writeln!(
            body,
            "<section id=\"s{n}\"><h2>{}</h2>\n<figure>{}<figcaption>How it stood then</figcaption></figure>\n{}</section>",
            out::escape(&s.when),
            s.map,
            report::fragment(&s.markdown)
        );
    }
    if body.is_empty() {
        body.push_str("<p>No season has been told yet.</p>\n");
    }
    if let Some(end) = ended(table) {
        let _ = writeln!(body, "<p><strong>{}</strong></p>", out::escape(&end));
    }
    crate::report::page(&title(table, reader), &body)
}

/// The text; `pictures` are the names of the maps' files, one a season, where there are any.
pub fn text(table: &Table<Campaign>, reader: Reader, pictures: Option<&[String]>) -> String {
    let mut text = format!("# {}\n", title(table, reader));
    let all = seasons(table, reader);
    for (n, s) in all.iter().enumerate() {
        let _ = writeln!(text, "\n## {}\n", s.when);
        if let Some(file) = pictures.and_then(|p| p.get(n)) {
            let _ = writeln!(text, "![{}]({file})\n", s.when);
        }
        let _ = writeln!(text, "{}", s.markdown.trim_end());
    }
    if all.is_empty() {
        text.push_str("\nNo season has been told yet.\n");
    }
    if let Some(end) = ended(table) {
        let _ = writeln!(text, "\n**{end}**");
    }
    text
}

/// Writes it, as `FILE.html` or as `FILE.md` with the maps beside it; the files written.
///
/// # Errors
/// A file that cannot be written, a kind of file that is not known.
pub fn write(
    path: &Path,
    table: &Table<Campaign>,
    reader: Reader,
    force: bool,
) -> Result<Vec<PathBuf>, Problems> {
    match path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase().as_str() {
        "html" | "htm" => {
            out::write(path, page(table, reader).as_bytes(), force)?;
            Ok(vec![path.to_owned()])
        }
        "md" | "txt" => {
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("chronicle").to_owned();
            let mut written = vec![path.to_owned()];
            let mut names = Vec::new();
            for (n, season) in seasons(table, reader).iter().enumerate() {
                let name = format!("{stem}-{n:02}.png");
                let file = path.with_file_name(&name);
                out::write(&file, &campaign_press::png(&season.map)?, force)?;
                names.push(name);
                written.push(file);
            }
            out::write(path, text(table, reader, Some(&names)).as_bytes(), force)?;
            Ok(written)
        }
        _ => Err(vec![
            Problem::new(format!("a chronicle as {}: unknown kind of file", path.display()))
                .hint("FILE.html is one page with its maps in it, FILE.md is text with maps beside it"),
        ]),
    }
}
