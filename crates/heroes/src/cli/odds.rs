//! `muster odds heroes`: exact chances of a combat or of shooting between units of lists.

use super::{Said, list_unit};
use crate::army::{Army, UnitLine};
use crate::command::Group;
use crate::hex::Facing;
use crate::map::Map;
use crate::setup;
use crate::shoot;
use crate::state::{Fate, Phase, State, bits};
use crate::table::{Side, Table};
use crate::tables::Shooting;
use game::{Problem, Problems};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// `muster odds heroes`: exact chances of a combat (`roman/Legionaries roman/Legionaries with british/Warbands`) or of
/// shooting (`english/Longbowmen at french/Mounted`), on open ground, fresh and at full strength unless words after a
/// unit say otherwise (`disrupted`, `column`, `spent`, `general`, `stands=3`).
///
/// # Errors
/// What does not read.
pub fn odds(rules: &Value, words: &[&str]) -> Result<Said, Problems> {
    let (tables, options) = setup::read_rules(rules)?;
    let usage =
        "like: roman/Legionaries with british/Warbands disrupted, or english/Longbowmen at french/Mounted";
    let between = |w: &&str| matches!(w.to_ascii_lowercase().as_str(), "with" | "v" | "at");
    // two units and no word between them: a combat
    let mut whole = words.to_vec();
    if !words.iter().any(between) && words.iter().filter(|w| w.contains('/')).count() == 2 {
        let second = words.iter().rposition(|w| w.contains('/')).unwrap_or(0);
        whole.insert(second, "with");
    }
    let words = &whole[..];
    let split = words.iter().position(between);
    let Some(split) = split else { return Err(vec![Problem::new("`with` or `at` is wanted").hint(usage)]) };
    let shooting = words[split].eq_ignore_ascii_case("at");
    let mut armies: Vec<Army> = Vec::new();
    let mut marks: Vec<Vec<Vec<String>>> = Vec::new();
    for part in [&words[..split], &words[split + 1..]] {
        let mut units: Vec<UnitLine> = Vec::new();
        let mut of = Vec::new();
        for word in part {
            if word.contains('/') {
                let (_, mut line) = list_unit(&tables, word)?;
                line.count = 1;
                line.profile.label =
                    format!("{}{}", line.profile.label, ["a", "b", "c", "d", "e", "f"][units.len().min(5)]);
                units.push(line);
                of.push(Vec::new());
            } else {
                match of.last_mut() {
                    Some(list) => list.push(word.to_ascii_lowercase()),
                    None => {
                        return Err(vec![
                            Problem::new(format!("`{word}` stands before any unit")).hint(usage),
                        ]);
                    }
                }
            }
        }
        if units.is_empty() || units.len() > 6 {
            return Err(vec![Problem::new("one to six units a side").hint(usage)]);
        }
        let general =
            crate::army::GeneralLine { name: "General".to_owned(), count: 1, quality: 2, hero: false };
        armies.push(Army::of("side", vec![general], units));
        marks.push(of);
    }
    let t = Table::new(tables, options, Map::open(9, 9), [&armies[0], &armies[1]])
        .map_err(|e| vec![Problem::new(e)])?;
    let mut s = State::new(&t);
    s.bound = 1;
    s.phase = if shooting { Phase::Shooting } else { Phase::Melee };
    stand(&t, &mut s, &marks, shooting, usage)?;
    let (own, theirs) = (t.of_side[0], t.of_side[1]);
    let result = if shooting {
        let target = theirs.trailing_zeros() as u8;
        for u in bits(own) {
            if t.profile(u).shooting == Shooting::None {
                return Err(vec![Problem::new(format!("{} does not shoot", t.profile(u).name))]);
            }
        }
        crate::odds::shooting(&t, &s, &Group::of_mask(own), target)
    } else {
        crate::odds::melee(&t, &s, own, theirs)
    };
    let name = |line: &str| {
        let mut out = line.to_owned();
        for p in &t.pieces {
            out = out.replace(&p.label, &p.profile.name);
        }
        out
    };
    let mut text = String::new();
    if shooting {
        let target = theirs.trailing_zeros() as u8;
        for u in bits(own) {
            let shot = shoot::shot(&t, &s, u, target);
            let _ = writeln!(text, "{}: {} dice, {}+ needed", t.profile(u).name, shot.dice, shot.scores[0]);
        }
    } else {
        for (x, y) in [(own, theirs), (theirs, own)] {
            let score = crate::melee::score(&t, &s, x, y);
            let parts: Vec<String> = score.parts.iter().map(|p| format!("{} {}", p.what, p.value)).collect();
            let names: Vec<&str> = bits(x).map(|u| t.profile(u).name.as_str()).collect();
            let _ = writeln!(
                text,
                "{}: {} + {}d6 ({})",
                names.join(", "),
                score.sum,
                score.dice,
                parts.join(", ")
            );
        }
    }
    let mut chances = Vec::new();
    let mut all: Vec<(u128, &String)> = result.of.iter().map(|(k, n)| (*n, k)).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    for (n, what) in all {
        let millionths = result.millionths(n);
        let hundredths = (millionths + 50) / 100;
        let _ = writeln!(text, "{:>3}.{:02} %  {}", hundredths / 100, hundredths % 100, name(what));
        chances.push(json!({ "what": name(what), "ways": n.to_string(), "millionths": u64::try_from(millionths).unwrap_or(0) }));
    }
    let json = json!({ "ways": result.ways.to_string(), "chances": chances });
    Ok(Said { text, json, good: true })
}

/// Sets the two sides of an odds question against each other.
fn stand(
    t: &Table,
    s: &mut State,
    marks: &[Vec<Vec<String>>],
    shooting: bool,
    usage: &str,
) -> Result<(), Problems> {
    let several = t.of_side[0].count_ones() > 1;
    let (many, one) = if several { (Side::A, Side::B) } else { (Side::B, Side::A) };
    let centre = t.map.grid.at(4, 4);
    let lone = t.of_side[one.ix()].trailing_zeros() as u8;
    // the several all round the one, those before it first
    let sides = [4_u8, 5, 3, 0, 2, 1];
    for (n, u) in bits(t.of_side[many.ix()]).enumerate() {
        let d = sides[n % 6];
        let mut h = t.map.step(centre, d);
        if shooting {
            h = t.map.step(h, d);
        }
        s.put(u, h);
        let unit = s.unit_mut(u);
        unit.facing = Facing::point((d + 3) % 6);
        unit.fate = Fate::Field;
    }
    if t.of_side[one.ix()].count_ones() > 1 {
        return Err(vec![
            Problem::new("one unit against one or more, or several against one (HH-206)").hint(usage),
        ]);
    }
    s.put(lone, centre);
    s.unit_mut(lone).facing = Facing::point(4);
    s.unit_mut(lone).fate = Fate::Field;
    for (side, list) in Side::BOTH.iter().zip(marks) {
        for (u, words) in bits(t.of_side[side.ix()]).zip(list) {
            for w in words {
                let unit = s.unit_mut(u);
                match w.as_str() {
                    "disrupted" => unit.flags |= crate::state::flag::DISRUPTED,
                    "column" => unit.formation = crate::state::Formation::Column,
                    "spent" | "static" => unit.impact = crate::state::Impact::Spent,
                    "general" => {
                        let g = u64::from(t.leaders_of[side.ix()]).trailing_zeros() as usize;
                        s.generals[g].hex = unit.hex;
                    }
                    other => match other.strip_prefix("stands=").and_then(|k| k.parse::<u8>().ok()) {
                        Some(k @ 1..=12) => unit.stands = k,
                        _ => {
                            let known = ["disrupted", "column", "spent", "general", "stands=3"];
                            return Err(vec![
                                Problem::new(format!("`{other}` is not read"))
                                    .meant(other, known)
                                    .hint(usage),
                            ]);
                        }
                    },
                }
            }
        }
    }
    Ok(())
}
