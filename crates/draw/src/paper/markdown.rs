//! The plain Markdown in which reports are written, as blocks of a letter: headings, paragraphs, lists, tables,
//! fenced lines and rules. Emphasis and links keep their words and lose their marks.

use super::letter::Block;

/// The blocks of a text. What is no mark of Markdown stays text: every text can be read.
#[must_use]
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut fenced: Option<Vec<String>> = None;
    for line in markdown.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            match fenced.take() {
                Some(lines) => out.push(Block::Lines(lines)),
                None => {
                    end_text(&mut text, &mut out);
                    fenced = Some(Vec::new());
                }
            }
            continue;
        }
        if let Some(lines) = &mut fenced {
            lines.push(line.to_owned());
            continue;
        }
        let level = trimmed.chars().take_while(|c| *c == '#').count();
        let item = ["- ", "* ", "+ "].iter().find_map(|mark| trimmed.strip_prefix(mark));
        if trimmed.is_empty() {
            end_text(&mut text, &mut out);
        } else if (1..=6).contains(&level) && trimmed[level..].starts_with(' ') {
            end_text(&mut text, &mut out);
            out.push(Block::Heading(level.min(4) as u8, plain(trimmed[level..].trim())));
        } else if matches!(trimmed, "---" | "***" | "___") {
            end_text(&mut text, &mut out);
            out.push(Block::Rule);
        } else if let Some(item) = item {
            end_text(&mut text, &mut out);
            let depth = line.chars().take_while(|c| *c == ' ').count() / 2;
            out.push(Block::Item(depth.min(8) as u8, plain(item)));
        } else if trimmed.starts_with('|') {
            end_text(&mut text, &mut out);
            row(trimmed, &mut out);
        } else if let Some(Block::Item(_, words)) =
            out.last_mut().filter(|_| text.is_empty() && line.starts_with(' '))
        {
            // An item goes on in an indented line.
            words.push(' ');
            words.push_str(&plain(trimmed));
        } else {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(trimmed);
        }
    }
    end_text(&mut text, &mut out);
    if let Some(lines) = fenced {
        out.push(Block::Lines(lines));
    }
    out
}

fn end_text(text: &mut String, out: &mut Vec<Block>) {
    if !text.is_empty() {
        out.push(Block::Text(plain(text)));
        text.clear();
    }
}

/// A row joins the table above it; the line of dashes below a heading says nothing.
fn row(line: &str, out: &mut Vec<Block>) {
    let cells: Vec<String> = line.trim_matches('|').split('|').map(|c| plain(c.trim())).collect();
    if cells.iter().all(|c| !c.is_empty() && c.chars().all(|c| matches!(c, '-' | ':'))) {
        return;
    }
    match out.last_mut() {
        Some(Block::Table(rows)) => rows.push(cells),
        _ => out.push(Block::Table(vec![cells])),
    }
}

/// Words without the marks of emphasis and code; of a link its words.
fn plain(words: &str) -> String {
    let words = words.replace("**", "").replace("__", "").replace('`', "");
    let mut out = String::with_capacity(words.len());
    let mut rest = words.as_str();
    while let Some(open) = rest.find('[') {
        let link = rest[open..].find("](").and_then(|close| {
            let end = rest[open + close..].find(')')?;
            Some((open + close, open + close + end))
        });
        let Some((close, end)) = link else { break };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..close]);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_reports_are_written_in() {
        let text = "# Spring\nTo **Wessex**,\nfrom the [umpire](x.html).\n\n- one\n  goes on\n  - two\n\n| a | b |\n\
                    |---|--:|\n| 1 | `2` |\n---\n```\n  march\n```\n#not a heading [x";
        let s = str::to_owned;
        assert_eq!(
            blocks(text),
            [
                Block::Heading(1, s("Spring")),
                Block::Text(s("To Wessex, from the umpire.")),
                Block::Item(0, s("one goes on")),
                Block::Item(1, s("two")),
                Block::Table(vec![vec![s("a"), s("b")], vec![s("1"), s("2")]]),
                Block::Rule,
                Block::Lines(vec![s("  march")]),
                Block::Text(s("#not a heading [x")),
            ]
        );
    }
}
