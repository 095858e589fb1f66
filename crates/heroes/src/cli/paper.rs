//! What is printed for the table: a card for each unit, and one sheet for two armies.

use super::{Said, read_army};
use crate::hex::Facing;
use crate::map::Map;
use crate::setup;
use crate::shoot;
use crate::state::{State, bits};
use crate::table::Table;
use crate::tables::{Class, Shooting, Tables, Traits};
use game::{Problem, Problems};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A card for each unit: profile, special rules in one line each, stands to tick, markers. Text, and HTML to print.
///
/// # Errors
/// What does not read.
pub fn cards(rules: &Value, name: &str, file: Option<&str>) -> Result<Said, Problems> {
    let (tables, _) = setup::read_rules(rules)?;
    let army = read_army(&tables, name, file)?;
    let mut text = format!("{}\n\n", army.name);
    let mut html = format!("<h1>{}</h1><div class=\"cards\">", escape(&army.name));
    let mut all = Vec::new();
    for (at, g) in army.generals.iter().enumerate() {
        for n in 1..=g.count {
            let hero = if g.hero { ", Hero General" } else { "" };
            // HH-029: the first of all, unless the list names another
            let chief = army.generals.iter().position(|x| x.chief && x.count > 0).unwrap_or(0);
            let chief = if n == 1 && chief == at { ", Commander-in-Chief" } else { "" };
            let hero = format!("{hero}{chief}");
            let _ = writeln!(text, "[ ] {} {n}: command {} hexes{hero}\n", g.name, g.quality);
            let _ = write!(
                html,
                "<section><h2>{} {n}</h2><p>command {} hexes{hero}</p></section>",
                escape(&g.name),
                g.quality
            );
        }
    }
    for u in &army.units {
        let p = &u.profile;
        for n in 1..=u.count {
            let boxes = "[ ]".repeat(usize::from(p.stands));
            let shooting = tables.shooting_word(p.shooting);
            let line = format!(
                "class {}  speed {}  hand-to-hand {}  impact {}  shooting {shooting}  type {}",
                p.class.letter(),
                p.speed,
                p.factor,
                p.impact,
                p.troop.code()
            );
            let _ = writeln!(text, "{}{n} {}  {boxes}\n  {line}", p.label, p.name);
            let _ = write!(
                html,
                "<section><h2>{}{n} {}</h2><p>{line}</p><p>{boxes}</p>",
                p.label,
                escape(&p.name)
            );
            for &(flag, code, what) in Traits::ALL {
                if p.traits.has(flag) {
                    let _ = writeln!(text, "  {code}: {what}");
                    let _ = write!(html, "<p>{code}: {}</p>", escape(what));
                }
            }
            if let Some(bands) = bands(&tables, p.shooting) {
                for (range, hits) in &bands {
                    let _ = writeln!(text, "  range {range}: {hits}");
                    let _ = write!(html, "<p>range {range}: {hits}</p>");
                }
                let _ = writeln!(text, "  {GUNS}");
                let _ = write!(html, "<p>{GUNS}</p>");
            }
            let _ =
                writeln!(text, "  ( ) disrupted  ( ) SC{}\n", if p.artillery() { "  ( ) HF" } else { "" });
            let held = if p.artillery() { " &#9675; HF" } else { "" };
            let _ = write!(html, "<p>&#9675; disrupted &#9675; SC{held}</p></section>");
            all.push(json!({
                "label": format!("{}{n}", p.label), "name": p.name, "class": p.class.letter().to_string(),
                "speed": p.speed, "factor": p.factor, "impact": p.impact, "shooting": shooting, "stands": p.stands,
                "traits": p.traits.codes().collect::<Vec<_>>(), "points": p.cost(&tables).total,
            }));
        }
    }
    html.push_str("</div>");
    Ok(Said { text, json: json!({ "army": army.name, "cards": all, "html": html }), good: true })
}

/// What holds for every piece (HH-176, HH-177, HH-181), in a line.
const GUNS: &str = "a d12 a piece; armour does not count, cover is taken off the die; no shot after a move";

/// HH-185: the range bands of a piece, with what its d12 must show.
fn bands(tables: &Tables, shooting: Shooting) -> Option<Vec<(String, String)>> {
    let Shooting::Artillery(n) = shooting else { return None };
    let kind = tables.artillery.get(usize::from(n))?;
    let mut out = Vec::new();
    let least = kind.bands.iter().map(|b| b.from).min().unwrap_or(1);
    if least > 1 {
        let range = if least == 2 { "1".to_owned() } else { format!("1-{}", least - 1) };
        out.push((range, "no shot".to_owned()));
    }
    for b in &kind.bands {
        let mut hits = Vec::new();
        for (k, word) in ["1 hit", "2 hits", "3 hits"].into_iter().enumerate() {
            // what the next number of hits needs is not in this one's range
            let (low, next) = (b.hits[k], b.hits.get(k + 1).copied().unwrap_or(13).min(13));
            if low <= 12 && next > low {
                let high = next - 1;
                hits.push(if high == low { format!("{low} {word}") } else { format!("{low}-{high} {word}") });
            }
        }
        let range = if b.from == b.to { b.from.to_string() } else { format!("{}-{}", b.from, b.to) };
        out.push((range, hits.join(", ")));
    }
    Some(out)
}

/// One sheet for two armies at hand: results table of their classes, scores their shooters need against each of the enemy,
/// sequence.
///
/// # Errors
/// What does not read.
pub fn sheet(rules: &Value, names: [&str; 2], files: [Option<&str>; 2]) -> Result<Said, Problems> {
    let (tables, options) = setup::read_rules(rules)?;
    let armies = [read_army(&tables, names[0], files[0])?, read_army(&tables, names[1], files[1])?];
    let classes: Vec<Class> = Class::ALL
        .into_iter()
        .filter(|c| armies.iter().any(|a| a.units.iter().any(|u| u.profile.class == *c)))
        .collect();
    let mut text = format!("{} against {}\n\nHits  ", armies[0].name, armies[1].name);
    for c in &classes {
        let _ = write!(text, "{:<6}", c.letter());
    }
    text.push('\n');
    let mut table = Vec::new();
    for hits in 1..=10 {
        let row: Vec<String> = classes.iter().map(|&c| tables.result(hits, c).text()).collect();
        let _ = writeln!(text, "{hits:<6}{}", row.iter().map(|x| format!("{x:<6}")).collect::<String>());
        table.push(json!({ "hits": hits, "results": row }));
    }
    text.push_str("- no effect, R recoils, RD recoils disrupted, FD flees disrupted, +1 and more: so many stands lost (HH-190)\n");
    let (mut needs, mut guns) = (Vec::new(), Vec::new());
    for (own, other) in [(0, 1), (1, 0)] {
        let t = Table::new(tables.clone(), options, Map::open(9, 9), [&armies[own], &armies[other]])
            .map_err(|e| vec![Problem::new(e)])?;
        let mut header = false;
        let mut done: Vec<&str> = Vec::new();
        for u in bits(t.of_side[0]) {
            let p = t.profile(u);
            let Shooting::Score(_) = p.shooting else { continue };
            if done.contains(&p.name.as_str()) {
                continue;
            }
            done.push(&p.name);
            if !header {
                let _ = writeln!(text, "\n{} shoots in the open (woods and towns +2):", armies[own].name);
                header = true;
            }
            let mut parts = Vec::new();
            let mut seen: Vec<&str> = Vec::new();
            for e in bits(t.of_side[1]) {
                let q = t.profile(e);
                if seen.contains(&q.name.as_str()) {
                    continue;
                }
                seen.push(&q.name);
                let mut s = State::new(&t);
                s.put(u, t.map.grid.at(4, 6));
                s.put(e, t.map.grid.at(4, 4));
                s.unit_mut(u).facing = Facing::point(4);
                s.unit_mut(e).facing = Facing::point(1);
                let need = if q.war_wagon() {
                    "none".to_owned()
                } else {
                    format!("{}+", shoot::shot(&t, &s, u, e).scores[0])
                };
                parts.push(format!("{} {need}", q.name));
                needs.push(json!({ "shooter": p.name, "target": q.name, "need": need }));
            }
            let _ = writeln!(text, "  {}: {}", p.name, parts.join(", "));
        }
        let mut done: Vec<&str> = Vec::new();
        for u in bits(t.of_side[0]) {
            let p = t.profile(u);
            let Some(bands) = bands(&t.rules, p.shooting).filter(|_| !done.contains(&p.name.as_str())) else {
                continue;
            };
            if done.is_empty() {
                let _ = writeln!(text, "\n{} has artillery ({GUNS}; woods and towns -2):", armies[own].name);
            }
            done.push(&p.name);
            let lines: Vec<String> =
                bands.iter().map(|(range, hits)| format!("range {range}: {hits}")).collect();
            let _ = writeln!(
                text,
                "  {} ({}, {} dice): {}",
                p.name,
                t.rules.shooting_word(p.shooting),
                p.stands,
                lines.join("; ")
            );
            let bands: Vec<Value> = bands.iter().map(|(r, h)| json!({ "range": r, "hits": h })).collect();
            guns.push(json!({ "army": armies[own].name, "unit": p.name, "dice": p.stands, "bands": bands }));
        }
    }
    text.push_str("\nA bound:\n");
    let sequence = [
        "1 generals move, then command is fixed",
        "2 compulsory moves: aggressive units out of command, elephants out of hand",
        "3 units under command move; the contacted stand, turn, evade or flee",
        "4 disrupted units out of contact rally",
        "5 shooting: whose bound it is, then the other side",
        "6 hand-to-hand, in the order of the side whose bound it is",
        "7 markers off; an army that lost more than its threshold breaks",
    ];
    for line in sequence {
        let _ = writeln!(text, "  {line}");
    }
    let json = json!({
        "armies": [armies[0].name, armies[1].name], "results": table, "classes": classes.iter().map(|c| c.letter().to_string()).collect::<Vec<_>>(),
        "needs": needs, "artillery": guns, "sequence": sequence, "html": format!("<pre>{}</pre>", escape(&text)),
    });
    Ok(Said { text, json, good: true })
}
