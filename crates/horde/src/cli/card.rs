//! `muster horde card`: what stands on the card of a Horde.

use super::{Report, Settings, open, ready};
use crate::morale::{below_half, below_quarter, quarter_of};
use crate::odds;
use crate::plan;
use crate::problem::Problems;
use crate::state::State;
use crate::unit::UnitId;
use crate::words::attack_of;
use serde_json::json;
use std::fmt::Write as _;

/// The width of a weapon's column: its whole word.
fn column(id: &str) -> usize {
    crate::shown::width(id).max(10) + 2
}

/// HC-172 to HC-174: the mean Damage of a hit with each weapon, at each of these Magnitudes, the largest first.
fn damage_by_magnitude(base: &State, id: UnitId, steps: &[i32]) -> Vec<(i32, Vec<f64>)> {
    let Some(at) = base.ids().find(|t| !base.unit(*t).is_horde()) else { return Vec::new() };
    if base.unit(id).weapons.is_empty() {
        return Vec::new();
    }
    let row = |m: &i32| {
        let mut s = base.clone();
        if let Some(x) = s.unit_mut(id).horde_mut() {
            (x.m, x.ms, x.turn_mb) = (*m, *m, None);
        }
        let mean = |w: &std::sync::Arc<crate::arms::Weapon>| {
            let how = crate::state::How::plain(crate::unit::Action::Standard, &w.id);
            attack_of(&s, id, at, &how, false).map_or(0.0, |a| odds::mean_damage(&a))
        };
        (*m, s.unit(id).weapons.iter().map(mean).collect())
    };
    steps.iter().rev().map(row).collect()
}

/// `muster horde card FILE`: a card for each Horde, to print.
///
/// # Errors
/// Everything wrong with the file.
pub fn card(file: &str, text: &str, settings: Settings<'_>) -> Result<Report, Problems> {
    let (game, warnings) = open(file, text, settings)?;
    let base = ready(&game);
    let o = base.options;
    let mut out = String::new();
    let mut cards = Vec::new();
    for id in base.ids().filter(|id| base.unit(*id).is_horde()) {
        let u = base.unit(id);
        let Some(h) = u.horde() else { continue };
        let p = &u.profile;
        let tb = u.bonus(&o, crate::arms::Trait9::T);
        let half = (0..=h.m0).rev().find(|m| below_half(&o, *m, h.m0)).unwrap_or(0);
        let quarter = (0..=h.m0).rev().find(|m| below_quarter(&o, *m, h.m0)).unwrap_or(0);
        _ = writeln!(out, "{:=<78}", format!("== {} ({}) ", u.name, u.label));
        _ = writeln!(
            out,
            "Magnitude {} of {}   soak {} (TB {tb} + AP {})   WP {}   SB {}",
            h.m,
            h.m0,
            tb + p.ap,
            p.ap,
            p.value(crate::arms::Trait9::Wp),
            u.bonus(&o, crate::arms::Trait9::S)
        );
        if !p.traits.texts.is_empty() {
            _ = writeln!(out, "Traits: {}", p.traits.texts.join(", "));
        }
        let disciplined = u.has(crate::arms::Talent::Disciplined);
        _ = writeln!(
            out,
            "A Test when {} or more are lost in a Round that begins at {}; half: {half} and less{}",
            quarter_of(&o, h.ms),
            h.ms,
            if disciplined { " (Disciplined: no -10)" } else { " (-10)" }
        );
        _ = writeln!(
            out,
            "Breaks by itself at {quarter} and less{}",
            if disciplined { ": not, Disciplined" } else { "" }
        );
        _ = writeln!(out, "\nMagnitude  size  bonus  shots  dice  Evasion  to hit it");
        let mut rows = Vec::new();
        let mut steps: Vec<i32> = (1..=h.m0 / 10).map(|n| n * 10).collect();
        if steps.last() != Some(&h.m0) {
            steps.push(h.m0);
        }
        for m in steps.iter().rev().copied() {
            let mut s = base.clone();
            if let Some(x) = s.unit_mut(id).horde_mut() {
                (x.m, x.ms, x.turn_mb) = (m, m, None);
            }
            let v = s.unit(id);
            let to_hit: Vec<(String, i32)> = s
                .enemies(id)
                .into_iter()
                .filter_map(|e| {
                    let (how, _) = plan::person_attack(&s, e)?;
                    let a = attack_of(&s, e, id, &how, false)?;
                    Some((s.unit(e).label.to_string(), if a.no_roll() { 100 } else { a.score().target }))
                })
                .collect();
            let words: Vec<String> = to_hit.iter().map(|(l, t)| format!("{l} {t}")).collect();
            let evasion = v.evasion_penalty(&o).map_or_else(|| "none".to_owned(), |e| format!("{e:+}"));
            _ = writeln!(
                out,
                "{m:9}  {:+4}  {:5}  {:5}  {:+4}  {evasion:>7}  {}",
                v.size(&o),
                v.mb(&o),
                v.ranged_attacks(&o),
                v.extra_dice(&o),
                words.join(", ")
            );
            rows.push(json!({ "magnitude": m, "size": v.size(&o), "bonus": v.mb(&o), "shots": v.ranged_attacks(&o), "extra_dice": v.extra_dice(&o), "evasion": v.evasion_penalty(&o), "to_hit": to_hit }));
        }
        _ = writeln!(out, "\nWeapons");
        let mut weapons = Vec::new();
        for w in u.weapons.iter() {
            let sb = if w.adds_strength() { u.bonus(&o, crate::arms::Trait9::S) } else { 0 };
            let c = if w.is_melee() { crate::arms::Trait9::Ws } else { crate::arms::Trait9::Bs };
            let range = w.range_m(u.bonus(&o, crate::arms::Trait9::S)).map_or_else(String::new, |m| {
                format!(", {m} m, {}/{}/{}", if w.rof.0 { "S" } else { "-" }, w.rof.1, w.rof.2)
            });
            let quals = if w.qualities.texts.is_empty() {
                String::new()
            } else {
                format!("; {}", w.qualities.texts.join(", "))
            };
            _ = writeln!(
                out,
                "  {}: skill {}, {}{} {} Pen {}{range}{quals}",
                w.name,
                p.value(c),
                w.damage,
                if sb > 0 { format!("+{sb} SB") } else { String::new() },
                w.kind.letter(),
                w.pen
            );
            weapons.push(json!({ "id": w.id, "score": p.value(c), "damage": w.damage.to_string(), "strength": sb, "pen": w.pen }));
        }
        let damage = damage_by_magnitude(&base, id, &steps);
        if !damage.is_empty() {
            _ = writeln!(out, "\nDamage of a hit, on average, before soak");
            let head: Vec<String> =
                u.weapons.iter().map(|w| format!("{:>1$}", w.id, column(&w.id))).collect();
            _ = writeln!(out, "Magnitude{}", head.concat());
            for (m, row) in &damage {
                let row: Vec<String> = row
                    .iter()
                    .zip(u.weapons.iter())
                    .map(|(d, w)| format!("{d:>0$.1}", column(&w.id)))
                    .collect();
                _ = writeln!(out, "{m:9}{}", row.concat());
            }
        }
        _ = writeln!(
            out,
            "\nFear Tests {:+}; Stun adds {}; Pinning by its fire {:+} more\n",
            u.fear_bonus(&o),
            u.stun_bonus(&o),
            u.suppress_penalty(&o)
        );
        cards.push(json!({ "label": &*u.label, "name": &*u.name, "magnitude": h.m, "original": h.m0, "soak": tb + p.ap, "test_at_loss": quarter_of(&o, h.ms), "half": half, "quarter": quarter, "rows": rows, "weapons": weapons,
            "damage": damage.iter().map(|(m, row)| json!({ "magnitude": m, "mean": row })).collect::<Vec<_>>() }));
    }
    Ok(Report::new(&out, json!({ "name": game.name(), "cards": cards }), warnings))
}
