//! What `muster horde check | odds | sim | size | card | profiles | weapons` print, as text and JSON. The command line only hands in
//! texts and writes out reports; nothing here reads a file or a clock.

mod card;
mod lists;
mod recorded;
mod size;

pub use card::card;
pub use lists::{profiles, weapons};
pub use size::{size, size_telling};

use crate::encounter::{Encounter, plain_rules};
use crate::odds::{self, mean};
use crate::plan::{self, close_in};
use crate::problem::{Problem, Problems, Severity};
use crate::shown::{pad, plain_lines};
use crate::sim::{Manner, Quick, run};
use crate::state::State;
use crate::unit::{Action, Kind, Side, Status, UnitId};
use crate::words::attack_of;
use game::Game;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A report in both forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
    /// What is odd about the file, none of it fatal.
    pub warnings: Vec<Problem>,
}

impl Report {
    /// What of a file's names would do something to a terminal is not in the text.
    fn new(text: &str, json: Value, warnings: Vec<Problem>) -> Self {
        Self { text: plain_lines(text), json, warnings }
    }
}

/// Rules asked for on the command line; they lie over those of the encounter file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings<'a> {
    /// `makuu` or `deathwatch`.
    pub preset: Option<&'a str>,
    /// Name and text of a house-rules file.
    pub rules_file: Option<(&'a str, &'a str)>,
    /// `key`, `value`.
    pub sets: &'a [(String, String)],
}

/// Opens an encounter file, or a record of one as it stands after its last line: rules in the order preset, house rules, the file's own `[options]`, single settings.
///
/// # Errors
/// Everything wrong with any of them.
pub fn open(file: &str, text: &str, settings: Settings<'_>) -> Result<(Encounter, Vec<Problem>), Problems> {
    if recorded::is_record(text) {
        return recorded::open(file, text, settings);
    }
    // Read once with the plain rules to learn the file's own options.
    let (_, mut options) = Encounter::options_of(file, text)?;
    // A preset that is asked for lays its rules over those that the file names, not over its single options.
    if settings.preset.is_some() {
        options.retain(|(key, _)| key != "ruleset" && key != "horde.ruleset");
    }
    options.extend(settings.sets.iter().cloned());
    let rules = if settings.preset.is_none() && settings.rules_file.is_none() && options.is_empty() {
        plain_rules()
    } else {
        Encounter::rules_from(settings.preset, settings.rules_file, &options).map_err(|p| {
            Problems(
                p.iter()
                    .map(|p| Problem {
                        file: p.place.as_ref().map_or_else(|| file.to_owned(), |x| x.file.clone()),
                        line: p.place.as_ref().map_or(0, |x| x.line as usize),
                        severity: Severity::Error,
                        text: p.message.clone(),
                        hint: p.hint.clone(),
                    })
                    .collect(),
            )
        })?
    };
    let (game, mut warnings) = Encounter::from_file_under(file, text, &rules)?;
    warnings.extend(barred(file, &game.start()));
    Ok((game, warnings))
}

/// HC-020, HC-162: usual attacks that the options in force do not allow. Under others the file may mean them, so they are
/// no errors; but nobody makes them now, and the odds count none.
fn barred(file: &str, s: &State) -> Vec<Problem> {
    let mut out = Vec::new();
    for id in s.ids() {
        let u = s.unit(id);
        for (usual, key) in u.usual.iter().zip(["melee", "shoot"]) {
            let Some(usual) = usual else { continue };
            let how = plan::how(u, usual);
            let Some(Err(no)) = attack_of(s, id, id, &how, false).map(|a| a.allowed()) else { continue };
            out.push(Problem {
                file: file.to_owned(),
                line: 0,
                severity: Severity::Warning,
                text: format!("{}: `{key}` is not made: {} ({})", u.label, no.why, no.rule),
                hint: no.instead.filter(|i| !i.is_empty()),
            });
        }
    }
    out
}

/// `muster horde check FILE`: whether it can be played, and what is in it.
///
/// # Errors
/// Everything wrong with the file.
pub fn check(file: &str, text: &str, settings: Settings<'_>) -> Result<Report, Problems> {
    let (game, warnings) = open(file, text, settings)?;
    let s = game.start();
    let mut out = format!("{}\n", game.name());
    let changed = s.options.changed();
    if !changed.is_empty() {
        let list: Vec<String> = changed.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        _ = writeln!(out, "options: {}", list.join(", "));
    }
    let mut units = Vec::new();
    for u in &s.units {
        let strength = match &u.kind {
            Kind::Horde(h) => format!("Horde, Magnitude {} of {}", h.m, h.m0),
            Kind::Person(p) => format!("{} wounds", p.wounds),
        };
        let weapons: Vec<&str> = u.weapons.iter().map(|w| w.id.as_str()).collect();
        _ = writeln!(out, "{} {}: {strength}; {}", pad(&u.label, 10), u.name, weapons.join(", "));
        units.push(json!({ "label": &*u.label, "name": &*u.name, "horde": u.is_horde(), "side": if u.side == Side::Heretics { "heretics" } else { "foes" },
            "magnitude": u.horde().map(|h| h.m), "original": u.horde().map(|h| h.m0), "wounds": u.person().map(|p| p.wounds), "weapons": weapons }));
    }
    for w in &warnings {
        _ = writeln!(out, "{w}");
    }
    _ = writeln!(out, "{file} can be played");
    let options: serde_json::Map<String, Value> =
        changed.iter().map(|(k, v)| ((*k).to_owned(), json!(v))).collect();
    let json = json!({ "name": game.name(), "units": units, "options": options, "warnings": warnings.iter().map(ToString::to_string).collect::<Vec<_>>() });
    Ok(Report::new(&out, json, warnings))
}

fn percent(p: f64) -> String {
    format!("{:.1}%", (p * 100.0).max(0.0))
}

/// The chance of each value up to a last one that gathers the rest.
fn spread(dist: &[f64], most: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    let last = dist.iter().rposition(|p| *p > 0.0005).unwrap_or(0);
    for (n, p) in dist.iter().enumerate().take(most.min(last + 1)) {
        if *p > 0.0005 {
            parts.push(format!("{n}: {}", percent(*p)));
        }
    }
    if last >= most {
        parts.push(format!("{most}+: {}", percent(dist.iter().skip(most).sum())));
    }
    parts.join("  ")
}

/// `muster horde odds FILE`: every usual attack, the coming Round, and the next ones.
///
/// # Errors
/// Everything wrong with the file.
pub fn odds(file: &str, text: &str, settings: Settings<'_>, rounds: usize) -> Result<Report, Problems> {
    let (game, warnings) = open(file, text, settings)?;
    let s = ready(&game);
    let mut out = format!(
        "{}: exact odds. Everybody makes his usual attack and fights on however hurt he is.\n",
        game.name()
    );
    let mut attacks = Vec::new();
    _ = writeln!(out, "\nAttacks");
    for id in s.ids().filter(|id| s.unit(*id).fights()) {
        for (how, at) in usual_attacks(&s, id) {
            let Some(a) = attack_of(&s, id, at, &how, false).filter(|a| a.allowed().is_ok()) else {
                continue;
            };
            let (by, target) = (&s.unit(id).label, &s.unit(at).label);
            let needs =
                if a.no_roll() { "no roll".to_owned() } else { format!("needs {}", a.score().target) };
            let what = format!("{by} at {target}, {} with {}", how.action.word(), how.weapon);
            let harmless = odds::harmless(&a);
            if a.at.is_horde() && harmless {
                continue;
            }
            if a.at.is_horde() {
                let l = odds::losses::<f64>(&a);
                let lost = l.of(a.at.horde().map_or(0, |h| h.m));
                _ = writeln!(
                    out,
                    "  {what}: {needs}; Magnitude lost {:.2} on average; {}",
                    mean(&lost),
                    spread(&lost, 12)
                );
                attacks.push(json!({ "by": &**by, "at": &**target, "how": crate::words::print_how(&s, id, &how), "lost": lost, "talent": l.talent, "mean": mean(&lost), "hits": odds::hits_on_horde::<f64>(&a) }));
            } else {
                let e = odds::evasion_odds::<f64>(&s, id, at, &how);
                let h = odds::hurt(&a, e.as_deref());
                let evades = e.as_ref().map_or_else(
                    || "no Evasion".to_owned(),
                    |e| format!("evades {}", percent(1.0 - e.first().copied().unwrap_or(1.0))),
                );
                if harmless {
                    let rule = if a.action == Action::Stun { "HC-085" } else { "HC-087" };
                    _ = writeln!(out, "  {what}: {needs}, {evades}; no wounds ({rule})");
                } else {
                    _ = writeln!(
                        out,
                        "  {what}: {needs}, {evades}; {:.2} wounds on average; {}",
                        mean(&h.dist),
                        spread(&h.dist, 12)
                    );
                }
                attacks.push(json!({ "by": &**by, "at": &**target, "how": crate::words::print_how(&s, id, &how), "wounds": h.dist, "mean": mean(&h.dist) }));
            }
        }
    }
    let rounds = rounds.clamp(1, 50);
    let all = odds::rounds::<f64>(&s, rounds);
    let mut table = Vec::new();
    for (n, r) in all.iter().enumerate() {
        _ = writeln!(
            out,
            "\n{}",
            if n == 0 { "This Round".to_owned() } else { format!("After {} Rounds", n + 1) }
        );
        let mut hordes = Vec::new();
        for h in &r.hordes {
            let u = s.unit(h.id);
            _ = writeln!(
                out,
                "  {} loses {:.2}; Test {}; broken by then {}, destroyed {}; Magnitude left {:.1}",
                pad(&u.label, 10),
                mean(&h.lost),
                percent(h.tests),
                percent(h.broken),
                percent(h.destroyed),
                mean(&h.left)
            );
            hordes.push(json!({ "label": &*u.label, "lost": h.lost, "left": h.left, "tests": h.tests, "broken": h.broken, "destroyed": h.destroyed, "fights": h.fights }));
        }
        let mut people = Vec::new();
        for p in &r.people {
            let u = s.unit(p.id);
            let left = usize::try_from(u.person().map_or(0, |p| p.wounds)).unwrap_or(0);
            let falls: f64 = p.wounds.iter().skip(left).sum();
            if n == 0 {
                _ = writeln!(
                    out,
                    "  {} takes {:.2} wounds; all his {left} with {}",
                    pad(&u.label, 10),
                    mean(&p.wounds),
                    percent(falls)
                );
            } else {
                _ = writeln!(
                    out,
                    "  {} takes {:.2} wounds in that Round",
                    pad(&u.label, 10),
                    mean(&p.wounds)
                );
            }
            people.push(json!({ "label": &*u.label, "wounds": p.wounds, "mean": mean(&p.wounds), "falls": if n == 0 { json!(falls) } else { Value::Null } }));
        }
        table.push(json!({ "round": n + 1, "hordes": hordes, "people": people }));
    }
    if all.len() < rounds {
        _ = writeln!(
            out,
            "\nBeyond this what Hordes do to each other (HC-178) is too much to count exactly: `muster horde sim` goes on."
        );
    }
    let json = json!({ "name": game.name(), "attacks": attacks, "rounds": table });
    Ok(Report::new(&out, json, warnings))
}

/// The state from which odds and simulation begin: in the first Round, everybody where he usually fights.
fn ready(game: &Encounter) -> State {
    let mut s = game.start();
    if s.round == 0 {
        // Without initiative rolled: as listed, by what is known.
        s.round = 1;
        s.turn = 0;
        let mut order: Vec<UnitId> = s.ids().collect();
        crate::document::sort_by_initiative(&s, &mut order);
        s.order = order;
        crate::turns::open_turn_quietly(&mut s);
    }
    close_in(&mut s);
    s
}

fn usual_attacks(s: &State, id: UnitId) -> Vec<(crate::state::How, UnitId)> {
    if s.unit(id).is_horde() {
        let mut out = Vec::new();
        if let Some((how, at)) = plan::horde_melee(s, id) {
            out.extend(at.into_iter().map(|t| (how.clone(), t)));
        }
        if let Some((how, mut at)) = plan::horde_shots(s, id, s.unit(id).ranged_attacks(&s.options)) {
            at.sort_unstable();
            at.dedup();
            out.extend(at.into_iter().map(|t| (how.clone(), t)));
        }
        return out;
    }
    plan::person_attack(s, id).into_iter().collect()
}

/// Counts over many simulated fights.
struct Counts {
    /// For each Round and unit: how many are gone, and the sum of what is left and of what was lost.
    rows: Vec<Vec<(u32, i64, i64)>>,
    wins: u32,
    losses: u32,
    rounds: u64,
}

fn count(game: &Encounter, s: &State, rounds: usize, runs: u32, seed: u64, tell: &dyn Fn(&str)) -> Counts {
    let mut c = Counts { rows: vec![vec![(0, 0, 0); s.units.len()]; rounds], wins: 0, losses: 0, rounds: 0 };
    for k in 0..runs {
        if k.is_multiple_of((runs / 100).max(1)) {
            tell(&format!("fight {} of {runs}", k + 1));
        }
        let mut dice = Quick::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(u64::from(k)));
        let r = run(s, game.library(), rounds, Manner { true_to_life: true }, &mut dice);
        c.rounds += r.rounds.len() as u64;
        let Some(last) = r.rounds.last() else { continue };
        for n in 0..rounds {
            // A fight that is over stays as it ended.
            let seen = r.rounds.get(n).unwrap_or(last);
            for (i, x) in seen.iter().enumerate() {
                let row = &mut c.rows[n][i];
                row.0 += u32::from(x.status != Status::Fighting);
                row.1 += i64::from(x.left);
                row.2 += i64::from(if n < r.rounds.len() { x.lost } else { 0 });
            }
        }
        let stands = |side: Side| {
            last.iter().zip(&s.units).any(|(x, u)| u.side == side && x.status == Status::Fighting)
        };
        match (stands(Side::Heretics), stands(Side::Foes)) {
            (true, false) => c.wins += 1,
            (false, true) => c.losses += 1,
            _ => {}
        }
    }
    c
}

#[allow(clippy::cast_precision_loss, reason = "sums of a report, printed with two digits")]
fn share(n: i64, of: u32) -> f64 {
    n as f64 / f64::from(of.max(1))
}

fn error_of(p: f64, runs: u32) -> f64 {
    (p * (1.0 - p) / f64::from(runs.max(1))).sqrt()
}

/// `muster horde sim FILE --rounds N`: many fights true to life: whoever has no wounds left is out, and whoever has
/// lost his target takes another.
///
/// # Errors
/// Everything wrong with the file.
pub fn sim(
    file: &str,
    text: &str,
    settings: Settings<'_>,
    rounds: usize,
    runs: u32,
    seed: u64,
) -> Result<Report, Problems> {
    sim_telling(file, text, settings, rounds, runs, seed, &|_| ())
}

/// As [`sim`]; how far it has come is told to `tell` now and then.
///
/// # Errors
/// As there.
pub fn sim_telling(
    file: &str,
    text: &str,
    settings: Settings<'_>,
    rounds: usize,
    runs: u32,
    seed: u64,
    tell: &dyn Fn(&str),
) -> Result<Report, Problems> {
    let (game, warnings) = open(file, text, settings)?;
    let s = ready(&game);
    let rounds = rounds.clamp(1, 200);
    let runs = runs.clamp(1, 1_000_000);
    let c = count(&game, &s, rounds, runs, seed, tell);
    let mut out = format!("{}: {runs} fights of {rounds} Rounds, seed {seed}\n", game.name());
    let mut table = Vec::new();
    for (n, row) in c.rows.iter().enumerate() {
        _ = writeln!(out, "\nRound {}", n + 1);
        let mut units = Vec::new();
        for (u, (gone, left, lost)) in s.units.iter().zip(row) {
            let (gone, left, lost) = (share(i64::from(*gone), runs), share(*left, runs), share(*lost, runs));
            let word = if u.is_horde() { "Magnitude" } else { "wounds" };
            let out_word = if u.is_horde() { "broken or destroyed" } else { "down" };
            _ = writeln!(
                out,
                "  {} {word} left {left:.1}, lost {lost:.2}; {out_word} {} ± {}",
                pad(&u.label, 10),
                percent(gone),
                percent(error_of(gone, runs))
            );
            units.push(json!({ "label": &*u.label, "left": left, "lost": lost, "gone": gone, "error": error_of(gone, runs) }));
        }
        table.push(json!({ "round": n + 1, "units": units }));
    }
    let (wins, losses) = (share(i64::from(c.wins), runs), share(i64::from(c.losses), runs));
    _ = writeln!(
        out,
        "\nThe Heretics win {} ± {}, lose {}, undecided {}.",
        percent(wins),
        percent(error_of(wins, runs)),
        percent(losses),
        percent((1.0 - wins - losses).max(0.0))
    );
    let json = json!({ "name": game.name(), "runs": runs, "seed": seed, "rounds": table, "wins": wins, "losses": losses, "error": error_of(wins, runs), "rounds_played": c.rounds });
    Ok(Report::new(&out, json, warnings))
}
