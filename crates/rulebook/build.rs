//! Reads the player's rules reference (`docs/rules/*.md`) and writes the sorted table of rules that
//! the crate compiles in. A rule stands in the reference as a list item `- **HOTT-123** text` or as a
//! table row whose first cell is its id; what follows an item up to the next rule or heading (a table
//! of outcomes, say) belongs to it. An id that occurs twice stops the build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The files of the reference, in the order of the families in `id.rs`, with their prefixes.
const FILES: [(&str, &str); 5] =
    [("hott.md", "HOTT"), ("big.md", "BB"), ("heroes.md", "HH"), ("horde.md", "HC"), ("campaign.md", "CAM")];

struct Rule {
    text: String,
    section: String,
}

fn main() {
    let root =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../docs/rules");
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut rules = BTreeMap::new();
    for (family, (file, prefix)) in FILES.iter().enumerate() {
        let path = root.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|e| panic!("docs/rules/{file} cannot be read: {e}"));
        read(&text, file, prefix, family as u32, &mut rules);
    }
    write(&rules);
}

/// The sort key of an id of this family: family, ruling, number. `None`: not an id.
fn key(word: &str, prefix: &str, family: u32) -> Option<u32> {
    let rest = word.strip_prefix(prefix)?.strip_prefix('-')?;
    let (ruling, digits, width) = match rest.strip_prefix('R') {
        Some(d) => (1, d, 2),
        None => (0, rest, 3),
    };
    if digits.len() < width || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number: u16 = digits.parse().ok()?;
    Some(family << 24 | ruling << 16 | u32::from(number))
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(str::trim).collect()
}

fn read(text: &str, file: &str, prefix: &str, family: u32, rules: &mut BTreeMap<u32, Rule>) {
    let mut section = String::new();
    let mut current: Option<u32> = None;
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    let mut put = |k: u32, id: &str, text: String, section: &str| {
        let section = section.to_owned();
        if rules.insert(k, Rule { text, section }).is_some() {
            panic!("docs/rules/{file}: {id} stands there twice");
        }
        Some(k)
    };
    let mut more: Vec<(u32, String)> = Vec::new();
    while at < lines.len() {
        let line = lines[at];
        if let Some(rest) = line.strip_prefix('#') {
            section = rest.trim_start_matches('#').trim().to_owned();
            current = None;
        } else if let Some(rest) = line.strip_prefix("- **") {
            let (id, body) = rest
                .split_once("**")
                .unwrap_or_else(|| panic!("docs/rules/{file}:{}: the ** does not end", at + 1));
            match key(id, prefix, family) {
                Some(k) => current = put(k, id, body.trim().to_owned(), &section),
                // A misspelt id, or one of another file, must not vanish unseen.
                None if FILES.iter().any(|(_, p)| id.starts_with(&format!("{p}-"))) => {
                    panic!("docs/rules/{file}:{}: `{id}` is no id of this file", at + 1)
                }
                None => current = None,
            }
        } else if line.starts_with('|') {
            let end = (at..lines.len()).find(|&i| !lines[i].starts_with('|'));
            let table = &lines[at..end.unwrap_or(lines.len())];
            let is_rule = |l: &str| cells(l).first().is_some_and(|c| key(c, prefix, family).is_some());
            if table.iter().any(|l| is_rule(l)) {
                current = None;
                let head = cells(table[0]);
                for row in table.iter().skip(2).filter(|l| is_rule(l)) {
                    let row = cells(row);
                    if let Some(k) = key(row[0], prefix, family) {
                        put(k, row[0], row_text(&head, &row), &section);
                    }
                }
            } else if let Some(k) = current {
                more.push((k, format!("\n{}", table.join("\n"))));
            }
            at += table.len();
            continue;
        } else if let (Some(k), false) = (current, line.trim().is_empty()) {
            more.push((k, line.trim_end().to_owned()));
        }
        at += 1;
    }
    for (k, text) in more {
        if let Some(rule) = rules.get_mut(&k) {
            rule.text.push('\n');
            rule.text.push_str(&text);
        }
    }
}

/// A table row as a sentence: "Type: Blade; AP: 2; …". Empty cells are left out.
fn row_text(head: &[&str], row: &[&str]) -> String {
    let mut out = String::new();
    for (i, cell) in row.iter().enumerate().skip(1).filter(|(_, c)| !c.is_empty()) {
        let name = head.get(i).copied().unwrap_or("");
        let sep = if out.is_empty() { "" } else { "; " };
        let _ = write!(out, "{sep}{name}: {cell}");
    }
    out
}

fn write(rules: &BTreeMap<u32, Rule>) {
    let mut out = String::from("pub(crate) const KEYS: &[u32] = &[");
    for k in rules.keys() {
        let _ = write!(out, "{k},");
    }
    out.push_str("];\npub(crate) static ENTRIES: &[Entry] = &[\n");
    for r in rules.values() {
        let _ = writeln!(out, "Entry {{ text: {:?}, section: {:?} }},", r.text, r.section);
    }
    out.push_str("];\n");
    let dir = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&dir).join("rules.rs"), out).expect("OUT_DIR can be written");
}
