//! `muster horde size`: how large a Horde for this party, each alone and all at once.

use super::{Counts, Report, Settings, count, error_of, open, percent, ready, share};
use crate::odds::{self, mean};
use crate::plan::close_in;
use crate::problem::Problems;
use crate::state::State;
use crate::unit::{Side, Status, UnitId};
use serde_json::json;
use std::fmt::Write as _;

/// So many Rounds are counted.
const ROUNDS: usize = 10;

/// `muster horde size FILE`: for this party, how large a Horde: each Horde of the file alone, at each Magnitude.
///
/// # Errors
/// Everything wrong with the file.
pub fn size(
    file: &str,
    text: &str,
    settings: Settings<'_>,
    runs: u32,
    seed: u64,
) -> Result<Report, Problems> {
    size_telling(file, text, settings, runs, seed, &|_| ())
}

/// As [`size`]; it takes its time, and `tell` hears what is being counted.
///
/// # Errors
/// Everything wrong with the file.
pub fn size_telling(
    file: &str,
    text: &str,
    settings: Settings<'_>,
    runs: u32,
    seed: u64,
    tell: &dyn Fn(&str),
) -> Result<Report, Problems> {
    let (game, warnings) = open(file, text, settings)?;
    let base = ready(&game);
    let runs = runs.clamp(20, 100_000);
    let mut out = format!(
        "{}: how large a Horde for this party?\n\
         Each Horde ALONE against the whole party, the other foes left out; all of them at once stand at the end.\n\
         half broken by Round: by the end of that Round it is broken or destroyed with a chance of one in two or better, if\n\
         the party fights on however hurt it is (exact).\n\
         party wins: in that share of {runs} fights (seed {seed}) nobody of the foes stands after at most {ROUNDS} Rounds and somebody of the\n\
         party does; the other fights are lost or not decided by then. falls: who has no wounds left by then, and how often.\n",
        game.name()
    );
    let mut tables = Vec::new();
    let people: Vec<UnitId> =
        base.ids().filter(|id| base.unit(*id).side == Side::Heretics && !base.unit(*id).is_horde()).collect();
    let hordes: Vec<UnitId> =
        base.ids().filter(|id| base.unit(*id).is_horde() && base.unit(*id).side == Side::Foes).collect();
    for (k, horde) in hordes.iter().copied().enumerate() {
        _ = writeln!(out, "\n{} ({}), alone", base.unit(horde).name, base.unit(horde).label);
        _ = writeln!(out, "  Magnitude  half broken by Round  wounds in Round 1  party wins  falls");
        let mut rows = Vec::new();
        for m in (10..=100).step_by(10) {
            tell(&format!(
                "{} alone, Magnitude {m} (Horde {} of {})",
                base.unit(horde).label,
                k + 1,
                hordes.len()
            ));
            let s = alone(&base, horde, m);
            let exact = odds::rounds::<f64>(&s, ROUNDS);
            let broken = |r: &odds::RoundOdds<f64>| {
                r.hordes.iter().find(|h| h.id == horde).map_or(0.0, |h| h.broken + h.destroyed)
            };
            let half = exact.iter().position(|r| broken(r) >= 0.5).map(|n| n + 1);
            let wounds: f64 = exact
                .first()
                .map_or(0.0, |r| r.people.iter().map(|p| mean(&p.wounds)).fold(0.0, |a, b| a + b));
            let c = count(&game, &s, ROUNDS, runs, seed.wrapping_add(u64::try_from(m).unwrap_or(0)), &|_| ());
            let falls = falls(&base, &people, &c, runs);
            let wins = share(i64::from(c.wins), runs);
            _ = writeln!(
                out,
                "  {m:9}  {:>20}  {wounds:17.1}  {:>10}  {}",
                half.map_or_else(|| format!("after {}", exact.len()), |n| n.to_string()),
                percent(wins),
                in_words(&falls)
            );
            rows.push(json!({ "magnitude": m, "half_broken_by": half, "broken": exact.iter().map(broken).collect::<Vec<f64>>(), "wounds_round_1": wounds,
                "wins": wins, "falls": falls.iter().map(|(l, p)| json!({ "label": l, "share": p })).collect::<Vec<_>>() }));
        }
        tables.push(json!({ "label": &*base.unit(horde).label, "rows": rows }));
    }
    tell("all at once");
    let c = count(&game, &base, ROUNDS, runs, seed, &|_| ());
    let (wins, losses) = (share(i64::from(c.wins), runs), share(i64::from(c.losses), runs));
    let falls = falls(&base, &people, &c, runs);
    let foes: Vec<String> = base
        .ids()
        .map(|id| base.unit(id))
        .filter(|u| u.side == Side::Foes && u.fights())
        .map(|u| u.horde().map_or_else(|| u.label.to_string(), |h| format!("{} {}", u.label, h.m)))
        .collect();
    _ = writeln!(
        out,
        "\nAll at once, as the file has them ({}):\n  the party wins {} ± {}, loses {}, undecided after {ROUNDS} Rounds {}; falls: {}\n  `muster horde sim {file}` tells it Round by Round",
        foes.join(", "),
        percent(wins),
        percent(error_of(wins, runs)),
        percent(losses),
        percent((1.0 - wins - losses).max(0.0)),
        in_words(&falls)
    );
    let all = json!({ "foes": foes, "rounds": ROUNDS, "wins": wins, "losses": losses,
        "falls": falls.iter().map(|(l, p)| json!({ "label": l, "share": p })).collect::<Vec<_>>() });
    let json = json!({ "name": game.name(), "runs": runs, "seed": seed, "hordes": tables, "all": all });
    Ok(Report::new(&out, json, warnings))
}

/// Of each of these, the share of fights in which he is out of it at the end.
fn falls(base: &State, people: &[UnitId], c: &Counts, runs: u32) -> Vec<(String, f64)> {
    let last = c.rows.last().cloned().unwrap_or_default();
    let gone = |id: &UnitId| last.get(usize::from(id.0)).map_or(0, |r| r.0);
    people.iter().map(|id| (base.unit(*id).label.to_string(), share(i64::from(gone(id)), runs))).collect()
}

fn in_words(falls: &[(String, f64)]) -> String {
    let who: Vec<String> =
        falls.iter().filter(|(_, p)| *p >= 0.005).map(|(l, p)| format!("{l} {:.0}%", p * 100.0)).collect();
    if who.is_empty() { "nobody".to_owned() } else { who.join(", ") }
}

/// The party against one Horde of this Magnitude, at full strength.
fn alone(base: &State, horde: UnitId, m: i32) -> State {
    let mut s = base.clone();
    for id in base.ids() {
        let label = base.unit(horde).label.to_string();
        let u = s.unit_mut(id);
        if id != horde && u.side == Side::Foes {
            u.status = Status::Gone;
        }
        for usual in u.usual.iter_mut().flatten() {
            if u.side == Side::Heretics {
                std::sync::Arc::make_mut(usual).at = Some(label.clone());
            }
        }
    }
    if let Some(h) = s.unit_mut(horde).horde_mut() {
        (h.m, h.m0, h.ms, h.own, h.lost, h.lost_own, h.turn_mb) = (m, m, m, m, 0, 0, None);
    }
    s.unit_mut(horde).status = Status::Fighting;
    s.turn = 0;
    s.had.clear();
    crate::turns::open_turn_quietly(&mut s);
    close_in(&mut s);
    s
}
