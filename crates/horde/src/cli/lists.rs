//! `muster horde profiles` and `muster horde weapons`: what an encounter file may name without writing it out.

use super::Report;
use crate::arms::{Profile, Reach, Trait9, Weapon};
use crate::library::shipped;
use crate::shown::pad;
use serde_json::json;

/// Whether a word that was asked for is in the id or the name.
fn wanted(word: Option<&str>, id: &str, name: &str) -> bool {
    let Some(word) = word.map(str::to_lowercase) else { return true };
    id.contains(&word) || id.contains(&crate::library::as_id(&word)) || name.to_lowercase().contains(&word)
}

/// The list, or that nothing in it is so called.
fn list(lines: &[String], what: &str, word: Option<&str>) -> String {
    match word {
        Some(word) if lines.is_empty() => format!("no {what} has `{word}` in its name\n"),
        _ => lines.concat(),
    }
}

/// `muster horde profiles [WORD]`: one line each, Hordes first.
pub fn profiles(word: Option<&str>) -> Report {
    let mut all: Vec<&Profile> = shipped().profiles.values().map(|p| &**p).collect();
    all.retain(|p| wanted(word, &p.id, &p.name));
    all.sort_by_key(|p| (p.magnitude == 0, p.id.clone()));
    let wide = all.iter().map(|p| p.id.len()).max().unwrap_or(0);
    let keys = [Trait9::Ws, Trait9::Bs, Trait9::S, Trait9::T, Trait9::Ag, Trait9::Wp];
    let lines: Vec<String> = all
        .iter()
        .map(|p| {
            let strength = match (p.magnitude, p.wounds) {
                (0, w) => format!("wounds {w}"),
                (m, _) => format!("Magnitude {m}"),
            };
            let values: Vec<String> =
                keys.iter().map(|c| format!("{} {:2}", c.key().to_uppercase(), p.value(*c))).collect();
            let traits = match p.traits.texts.as_slice() {
                [] => String::new(),
                texts => format!("; {}", texts.join(", ")),
            };
            format!(
                "{}  {}  {}  AP {:2}  {}{traits}\n",
                pad(&p.id, wide),
                pad(&strength, 12),
                values.join(" "),
                p.ap,
                p.weapons.join(", ")
            )
        })
        .collect();
    let json: Vec<_> = all
        .iter()
        .map(|p| {
            let values: serde_json::Map<String, serde_json::Value> =
                Trait9::ALL.iter().map(|c| (c.key().to_owned(), json!(p.value(*c)))).collect();
            json!({ "id": p.id, "name": p.name, "magnitude": p.magnitude, "wounds": p.wounds, "values": values, "ap": p.ap,
                "head_ap": p.head_ap, "dodge": p.dodge, "parry": p.parry, "weapons": p.weapons, "traits": p.traits.texts })
        })
        .collect();
    Report::new(&list(&lines, "profile", word), json!({ "profiles": json }), Vec::new())
}

fn reach(w: &Weapon) -> String {
    match w.reach {
        Reach::Melee => "melee".to_owned(),
        Reach::Metres(m) => format!("{} {m} m", w.class.word()),
        Reach::StrengthTimes(n) => format!("{} SBx{n} m", w.class.word()),
    }
}

fn fire(w: &Weapon) -> String {
    let many = |n: i32| if n > 0 { n.to_string() } else { "-".to_owned() };
    if w.is_melee() {
        return String::new();
    }
    format!("{}/{}/{}", if w.rof.0 { "S" } else { "-" }, many(w.rof.1), many(w.rof.2))
}

/// `muster horde weapons [WORD]`: one line each.
pub fn weapons(word: Option<&str>) -> Report {
    let all: Vec<&Weapon> =
        shipped().weapons.values().map(|w| &**w).filter(|w| wanted(word, &w.id, &w.name)).collect();
    let wide = all.iter().map(|w| w.id.len()).max().unwrap_or(0);
    let lines: Vec<String> = all
        .iter()
        .map(|w| {
            let qualities = w.qualities.texts.join(", ");
            let clip = if w.clip > 0 { format!("clip {}", w.clip) } else { String::new() };
            let line = format!(
                "{}  {}  {}  {}  Pen {:2}  {}  {qualities}",
                pad(&w.id, wide),
                pad(&reach(w), 13),
                pad(&fire(w), 7),
                pad(&format!("{} {}", w.damage, w.kind.letter()), 9),
                w.pen,
                pad(&clip, 8)
            );
            format!("{}\n", line.trim_end())
        })
        .collect();
    let json: Vec<_> = all
        .iter()
        .map(|w| {
            json!({ "id": w.id, "name": w.name, "class": w.class.word(), "range": w.range_m(0), "reach": reach(w),
                "rof": [i32::from(w.rof.0), w.rof.1, w.rof.2], "damage": w.damage.to_string(), "type": w.kind.letter().to_string(),
                "pen": w.pen, "clip": w.clip, "qualities": w.qualities.texts })
        })
        .collect();
    Report::new(&list(&lines, "weapon", word), json!({ "weapons": json }), Vec::new())
}
