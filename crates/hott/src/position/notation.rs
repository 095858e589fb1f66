//! The one-line form of a position: sections parted by `|`, each a keyword and its words, names in quotes.
//!
//! ```text
//! hott1 15mm 2400x2400 0|moves 3 A 0|ground wood disc 800 900 150; …|side A "Orcs" lower place=0|
//! com A "Orcs" chief score=4 pips=2 deployed|el A.Bld1 Blade 1200 300 0 table moved+stirred|…
//! ```

use super::VERSION;
use crate::battle::{Battle, State};
use game::Problem;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A text in quotes, in which neither line ends nor bars occur.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default().replace('|', "\\u007c")
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(s) if number(s).is_some() => quoted(s),
        Value::String(s)
            if !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)) =>
        {
            s.clone()
        }
        Value::String(s) => quoted(s),
        other => other.to_string().replace('|', "\\u007c"),
    }
}

/// `key=value` for every entry, a bare `key` for `true`, flags joined by `+`.
fn entries(out: &mut String, map: &Map<String, Value>, without: &[&str]) {
    for (key, value) in map {
        if without.contains(&key.as_str()) {
            continue;
        }
        let _ = match value {
            Value::Bool(true) => write!(out, " {key}"),
            Value::Array(list) if list.iter().all(Value::is_number) => {
                let words: Vec<String> = list.iter().map(Value::to_string).collect();
                write!(out, " {key}={}", words.join(","))
            }
            Value::Array(list) if list.iter().all(Value::is_string) => {
                let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
                write!(out, " {key}={}", words.join("+"))
            }
            Value::Object(inner) => {
                let mut text = String::new();
                entries(&mut text, inner, &[]);
                write!(out, " {key}=({})", text.trim_start())
            }
            other => write!(out, " {key}={}", plain(other)),
        };
    }
}

/// Splits at a separator outside quotes and brackets.
fn split(text: &str, at: char) -> Vec<&str> {
    let (mut out, mut start, mut quoted, mut escaped, mut deep) = (Vec::new(), 0, false, false, 0_i32);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => deep += 1,
            ')' if !quoted => deep -= 1,
            _ if c == at && !quoted && deep <= 0 => {
                out.push(&text[start..i]);
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    out.push(&text[start..]);
    out
}

fn number(text: &str) -> Option<Value> {
    text.parse::<serde_json::Number>().ok().map(Value::Number)
}

/// Reads `key=value` words into a table.
fn read_entries(words: &[&str]) -> Result<Map<String, Value>, Problem> {
    let mut map = Map::new();
    for word in words.iter().filter(|w| !w.is_empty()) {
        let Some((key, value)) = word.split_once('=') else {
            map.insert((*word).to_owned(), json!(true));
            continue;
        };
        let list = key == "flags" || key.ends_with("_flags");
        let value = if let Some(inner) = value.strip_prefix('(').and_then(|v| v.strip_suffix(')')) {
            Value::Object(read_entries(&split(inner, ' '))?)
        } else if value.starts_with('"') {
            serde_json::from_str(value).map_err(|e| Problem::new(format!("{key}: {e}")))?
        } else if list {
            Value::Array(value.split('+').map(|w| json!(w)).collect())
        } else if value.contains(',') {
            let numbers: Option<Vec<Value>> = value.split(',').map(number).collect();
            Value::Array(numbers.ok_or_else(|| Problem::new(format!("{key}: not figures: {value}")))?)
        } else {
            number(value).unwrap_or_else(|| json!(value))
        };
        map.insert(key.to_owned(), value);
    }
    Ok(map)
}

impl Battle {
    /// The position in one line.
    #[must_use]
    pub fn write_notation(&self, state: &State) -> String {
        let doc = self.write_position(state);
        let mut out = String::with_capacity(64 * self.elements.len() + 256);
        let board = &doc["board"];
        let limit = doc["bound_limit"].as_u64().unwrap_or(0);
        let _ = write!(out, "hott{VERSION} {} {}x{} {limit}", self.scale.word(), board[0], board[1]);
        let active = doc["active"].as_str().unwrap_or("A");
        let _ = write!(
            out,
            "|{} {} {active} {}",
            doc["phase"].as_str().unwrap_or(""),
            state.bound,
            state.rerolls
        );
        if !state.ground.features().is_empty() {
            let _ = write!(out, "|ground {}", state.ground.print("; "));
        }
        for (letter, side) in doc["sides"].as_object().into_iter().flatten() {
            let _ = write!(out, "|side {letter}");
            entries(&mut out, side.as_object().unwrap_or(&Map::new()), &[]);
        }
        for command in doc["commands"].as_array().into_iter().flatten() {
            out.push_str("|com");
            entries(&mut out, command.as_object().unwrap_or(&Map::new()), &[]);
        }
        for (label, e) in doc["elements"].as_object().into_iter().flatten() {
            let _ = write!(out, "|el {label}");
            entries(&mut out, e.as_object().unwrap_or(&Map::new()), &[]);
        }
        for key in ["alliances", "seats", "pending", "rulings", "over"] {
            if let Some(value) = doc.get(key) {
                let _ = write!(out, "|{key} {}", value.to_string().replace('|', "\\u007c"));
            }
        }
        out
    }
}

/// The position document of a one-line form.
///
/// # Errors
/// What does not read, with its column.
pub(crate) fn document(notation: &str) -> Result<Value, Problem> {
    let mut doc = Map::new();
    let mut column = 1_u32;
    for (n, section) in split(notation.trim_end(), '|').into_iter().enumerate() {
        let at = |p: Problem| p.at("", 1, column);
        read_section(&mut doc, n, section).map_err(at)?;
        column += u32::try_from(section.chars().count()).unwrap_or(0) + 1;
    }
    Ok(Value::Object(doc))
}

fn read_section(doc: &mut Map<String, Value>, n: usize, section: &str) -> Result<(), Problem> {
    let bad = |what: &str| Problem::new(format!("the notation does not read: {what}"));
    let (word, rest) = section.split_once(' ').unwrap_or((section, ""));
    let words = split(rest, ' ');
    if n == 0 {
        if word != format!("hott{VERSION}") {
            return Err(bad("it begins with hott1").hint("hott1 15mm 2400x2400 0|moves 1 A 0|…"));
        }
        let [scale, board, limit] = words[..] else { return Err(bad("scale, board and limit")) };
        let (w, h) = board.split_once('x').ok_or_else(|| bad("the board"))?;
        doc.insert("version".into(), json!(VERSION));
        doc.insert("scale".into(), json!(scale));
        let (w, h) = (number(w).ok_or_else(|| bad("the board"))?, number(h).ok_or_else(|| bad("the board"))?);
        doc.insert("board".into(), json!([w, h]));
        doc.insert("bound_limit".into(), number(limit).ok_or_else(|| bad("the limit of bounds"))?);
        return Ok(());
    }
    if n == 1 {
        let [bound, active, rerolls] = words[..] else { return Err(bad("phase, bound, side and throws")) };
        doc.insert("phase".into(), json!(word));
        doc.insert("bound".into(), number(bound).ok_or_else(|| bad("the bound"))?);
        doc.insert("active".into(), json!(active));
        doc.insert("rerolls".into(), number(rerolls).ok_or_else(|| bad("the throws"))?);
        return Ok(());
    }
    let object = |doc: &mut Map<String, Value>, key: &str, name: &str, map: Map<String, Value>| {
        let list = doc.entry(key.to_owned()).or_insert_with(|| json!({}));
        if let Some(list) = list.as_object_mut() {
            list.insert(name.to_owned(), Value::Object(map));
        }
    };
    match word {
        "ground" => {
            let lines: Vec<Value> = rest.split(';').map(|l| json!(l.trim())).collect();
            doc.insert("ground".into(), Value::Array(lines));
        }
        "side" | "el" => {
            let (name, entries) = words.split_first().ok_or_else(|| bad(word))?;
            let key = if word == "side" { "sides" } else { "elements" };
            object(doc, key, name, read_entries(entries)?);
        }
        "com" => {
            let map = read_entries(&words)?;
            let list = doc.entry("commands").or_insert_with(|| json!([]));
            if let Some(list) = list.as_array_mut() {
                list.push(Value::Object(map));
            }
        }
        "alliances" | "seats" | "pending" | "rulings" | "over" => {
            let value = serde_json::from_str(rest).map_err(|e| bad(&format!("{word}: {e}")))?;
            doc.insert(word.to_owned(), value);
        }
        other => {
            return Err(
                bad(&format!("unknown section {other:?}")).meant(other, ["ground", "side", "com", "el"])
            );
        }
    }
    Ok(())
}
