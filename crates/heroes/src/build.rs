//! `muster army build`: a list of one's own from nothing, to a points limit (HH-019, HH-027).

use crate::army::{Army, GeneralLine, UnitLine, general_cost};
use crate::cli::{Said, army_problems, list_unit, named_unit};
use crate::setup;
use crate::tables::Tables;
use game::{Problem, Problems};
use serde_json::{Value, json};
use std::fmt::Write as _;

const USAGE: &str = "like: \"2 general 3\" \"1 general 4 hero chief\" \"4 roman/Legionaries\" \"3 Riders class B speed 4 factor 3 impact 2 type M\"";

/// One entry: how many, then a unit of a list, a unit in words, or `general` with its command quality.
fn entry(tables: &Tables, text: &str, army: &mut Army) -> Result<(), Problems> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (count, words) = match words.first().and_then(|w| w.trim_end_matches('x').parse::<u8>().ok()) {
        Some(0) => return Err(vec![Problem::new(format!("`{text}`: none of them")).hint(USAGE)]),
        Some(n) => (n, &words[1..]),
        None => (1, &words[..]),
    };
    let (mut generals, mut units) = (army.generals.clone(), army.units.clone());
    match words {
        [] => return Err(vec![Problem::new(format!("`{text}` names nobody")).hint(USAGE)]),
        [first, rest @ ..]
            if first.eq_ignore_ascii_case("general") || first.eq_ignore_ascii_case("generals") =>
        {
            let hero = rest.iter().any(|w| w.eq_ignore_ascii_case("hero"));
            let mut quality = None;
            let chief = rest.iter().any(|w| w.eq_ignore_ascii_case("chief"));
            let marks = |w: &&&str| w.eq_ignore_ascii_case("hero") || w.eq_ignore_ascii_case("chief");
            for w in rest.iter().filter(|w| !marks(w)) {
                match w.parse::<u8>() {
                    Ok(n) if quality.is_none() => quality = Some(n),
                    _ => {
                        return Err(vec![Problem::new(format!("`{w}` is not read in `{text}`")).hint(USAGE)]);
                    }
                }
            }
            let name = if hero { "Hero general" } else { "General" }.to_owned();
            let line = GeneralLine { name, count, quality: quality.unwrap_or(2), hero, chief };
            if general_cost(tables, &line).is_none() {
                let p = Problem::new(format!("command quality {} does not exist", line.quality));
                return Err(vec![p.hint("2, 3 or 4 (HH-049)")]);
            }
            generals.push(line);
        }
        [one] if one.contains('/') => {
            let mut line = list_unit(tables, one)?.1;
            line.count = count;
            units.push(line);
        }
        _ => {
            let mut line = named_unit(tables, words)?;
            line.count = count;
            units.push(line);
        }
    }
    if let Some(last) = units.last().cloned().filter(|_| units.len() > army.units.len()) {
        let label = own_label(&last, &army.units);
        if let Some(u) = units.last_mut() {
            u.profile.label = label;
        }
    }
    *army = Army::of(&army.name, generals, units);
    Ok(())
}

/// Three letters that no other unit of the list has.
fn own_label(line: &UnitLine, before: &[UnitLine]) -> String {
    let taken = |l: &str| before.iter().any(|u| u.profile.label.eq_ignore_ascii_case(l));
    let letters: Vec<char> = line.profile.name.chars().filter(char::is_ascii_alphabetic).collect();
    let first = letters.first().map_or('U', char::to_ascii_uppercase);
    let made = |a: char, b: char| format!("{first}{}{}", a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let named = letters.len() >= 3 && line.profile.label.eq_ignore_ascii_case("Uni");
    let wish = if named { made(letters[1], letters[2]) } else { line.profile.label.clone() };
    if !taken(&wish) {
        return wish;
    }
    let all = ('a'..='z').flat_map(|a| ('a'..='z').map(move |b| (a, b)));
    all.map(|(a, b)| made(a, b)).find(|l| !taken(l)).unwrap_or(wish)
}

/// `muster army build --rules heroes`: the list as a file to keep, what it costs and what the limit leaves; verdict no
/// if it breaks the limit or is no army.
///
/// # Errors
/// What of the entries does not read, all of it.
pub fn build(rules: &Value, name: &str, lines: &[String], limit: Option<i16>) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let mut army = Army::of(name, Vec::new(), Vec::new());
    let mut wrong = Vec::new();
    for line in lines.iter().flat_map(|l| l.split([',', ';'])).map(str::trim).filter(|l| !l.is_empty()) {
        if let Err(all) = entry(&tables, line, &mut army) {
            wrong.extend(all);
        }
    }
    if army.generals.is_empty() && army.units.is_empty() && wrong.is_empty() {
        wrong.push(Problem::new("a list of what?").hint(USAGE));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    // what is written must read back as the same list
    let value = army.value(&tables);
    let army = Army::from_value(&value, &tables, name).map_err(army_problems)?;
    let x = army.totals(&tables);
    let faults = army.faults(&tables, limit);
    let mut text = String::new();
    let left =
        limit.map_or_else(String::new, |l| format!(", {} of {l} left", l.saturating_sub(x.points).max(0)));
    let _ = writeln!(text, "# {} points{left}; {} elements, {} stands", x.points, x.elements, x.stands);
    for fault in &faults {
        let _ = writeln!(text, "# wrong: {fault}");
    }
    let file = toml::to_string(&value).map_err(|e| vec![Problem::new(e.to_string())])?;
    text.push_str(&file);
    let json = json!({
        "points": x.points, "left": limit.map(|l| l.saturating_sub(x.points)), "elements": x.elements,
        "stands": x.stands, "legal": faults.is_empty(), "faults": faults, "list": value,
    });
    Ok(Said { text, json, good: faults.is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str], limit: i16) -> Result<Said, Problems> {
        let lines: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
        build(&setup::default_rules(), "Mine", &lines, Some(limit))
    }

    #[test]
    fn a_list_from_nothing_reads_back_and_keeps_to_its_limit() {
        let lines = [
            "general 2",
            "general 4 hero",
            "2 roman/Legionaries",
            "3 Hill riders class B speed 4 factor 3 impact 2 type M",
        ];
        let said = of(&lines, 150).unwrap();
        assert!(said.good, "{}", said.text);
        let tables = setup::read_rules(&setup::default_rules()).unwrap().0;
        let again = Army::parse(&said.text, &tables, "mine").unwrap();
        assert_eq!(
            again.totals(&tables).points,
            i16::try_from(said.json["points"].as_i64().unwrap()).unwrap()
        );
        assert_eq!(again.units[1].profile.label, "Hil");
        let tight = of(&lines, 40).unwrap();
        assert!(!tight.good && tight.text.contains("over the limit of 40"), "{}", tight.text);
    }

    #[test]
    fn what_cannot_be_is_said_at_once() {
        let all = of(&["general 7", "2 roman/Legionares", "class Q speed 2 factor 1"], 100).unwrap_err();
        assert!(all.len() >= 3, "{all:?}");
        assert!(of(&["general 2"], 100).unwrap().text.contains("it has no unit"));
    }
}
