//! The gazette for everybody and the letter for each nation (CAM-120, CAM-121), as Markdown.

use crate::ids::NationId;
use crate::log::Entry;
use crate::order::Treaty;
use crate::rules::Rules;
use crate::view::View;
use crate::world::World;
use std::fmt::Write as _;

/// Titles of the steps of CAM-160, as readers see them.
const STEPS: [(u8, &str); 18] = [
    (1, "Announcements"),
    (2, "Orders"),
    (3, "On the spot"),
    (4, "At sea"),
    (5, "Marches"),
    (6, "Reactions"),
    (7, "Face to face"),
    (8, "Covert work"),
    (9, "Battles"),
    (10, "After the battles"),
    (11, "Sieges"),
    (12, "Cities and crowns"),
    (13, "Supply"),
    (14, "Generals"),
    (15, "Treaties"),
    (16, "Winter"),
    (17, "The end"),
    (18, "The umpire's rulings"),
];

fn entries(out: &mut String, list: &[Entry]) {
    for (step, title) in STEPS {
        let here: Vec<&Entry> = list.iter().filter(|e| e.step == step).collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n### {title}\n");
        for e in here {
            let _ = writeln!(out, "- {} *({})*", e.words, e.rule);
        }
    }
}

/// What is waited for, in words.
fn now(view: &View) -> String {
    let season = if view.winter { "Winter" } else { view.season.word() };
    let what = match view.phase {
        "over" => ", and the campaign is over",
        "battles" | "waiting" if !view.battles.is_empty() => ", with a battle of yours to be fought",
        _ if view.winter => ", and the winter's lists are due",
        _ => "",
    };
    format!("{season} of year {}{what}", view.year)
}

/// The public gazette. `note`: the umpire's own paragraphs and rumours.
#[must_use]
pub fn gazette(world: &World, view: &View, note: &str) -> String {
    let about = if view.told.is_empty() { String::new() } else { format!(", {}", view.told) };
    let mut out = format!("# {}: the gazette{about}\n\n", world.name);
    let _ = writeln!(out, "Now: {}.", now(view));
    for p in view.paragraphs.iter().filter(|p| p.to.is_none()) {
        let _ = writeln!(out, "\n{}", p.text.trim());
    }
    if !note.trim().is_empty() {
        let _ = writeln!(out, "\n{}", note.trim());
    }
    if view.gazette.is_empty() {
        let _ = writeln!(out, "\nNothing that all may know has happened.");
    }
    entries(&mut out, &view.gazette);
    let _ = writeln!(out, "\n## The powers\n\n| Nation | Cities | Overlord | Allies |\n|---|---|---|---|");
    for name in world.nations.keys() {
        if view.out.contains(name) {
            let _ = writeln!(out, "| {name} | out | | |");
            continue;
        }
        let cities = view.owners.values().filter(|o| *o == name).count();
        let lord = view.lords.get(name).map_or(String::new(), ToString::to_string);
        let allies: Vec<String> = view
            .allies
            .iter()
            .filter_map(|(a, b)| {
                if a == name {
                    Some(b)
                } else if b == name {
                    Some(a)
                } else {
                    None
                }
            })
            .map(ToString::to_string)
            .collect();
        let _ = writeln!(out, "| {name} | {cities} | {lord} | {} |", allies.join(", "));
    }
    out
}

/// A nation's private letter. `note`: what the umpire adds for its eyes.
#[must_use]
pub fn letter(world: &World, rules: &Rules, view: &View, note: &str) -> String {
    let Some(nation) = view.nation else { return gazette(world, view, note) };
    let about = if view.told.is_empty() { String::new() } else { format!(", {}", view.told) };
    let mut out = format!("# Letter to {nation}{about}\n\n");
    let _ = writeln!(
        out,
        "Now: {}. What stands here is for you alone; the gazette says what all know.",
        now(view)
    );
    for p in view.paragraphs.iter().filter(|p| p.to == Some(nation)) {
        let _ = writeln!(out, "\n{}", p.text.trim());
    }
    if !note.trim().is_empty() {
        let _ = writeln!(out, "\n{}", note.trim());
    }
    let last = if view.told.is_empty() { "Last season" } else { view.told.as_str() };
    let _ = writeln!(out, "\n## {last}");
    if view.letter.is_empty() {
        let _ = writeln!(out, "\nNothing to report.");
    }
    entries(&mut out, &view.letter);
    let _ = writeln!(out, "\n## Your forces\n\n| Body | Where | AP | Elements |\n|---|---|---|---|");
    let mut total = 0;
    for (id, body) in &view.bodies {
        let ap = body.ap(rules);
        total += ap;
        let kind = if body.is_army(rules) {
            "army"
        } else if view.owners.get(&body.at) == Some(&nation) {
            "garrison"
        } else {
            "remnant"
        };
        let siege = if body.besieging { ", besieging" } else { "" };
        let _ = writeln!(out, "| {} ({kind}) | {}{siege} | {ap} | {} |", id.short(), body.at, body.list());
    }
    let _ = writeln!(out, "\n{total} AP of at most {}.", rules.limit("force_most"));
    captives(&mut out, view);
    offers(&mut out, view, nation);
    notes(&mut out, view);
    if !view.battles.is_empty() {
        let names: Vec<String> = view.battles.iter().map(|b| b.name()).collect();
        let _ = writeln!(out, "\n## Battles to fight\n\n{}.", names.join(", "));
    }
    out
}

fn captives(out: &mut String, view: &View) {
    if view.captives.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## Captives\n");
    for c in &view.captives {
        let _ = writeln!(out, "- {} is held by {} at {}.", c.id(), c.held_by, c.at);
    }
}

/// CAM-118: what was offered and not yet answered.
fn offers(out: &mut String, view: &View, nation: NationId) {
    if view.offers.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## Offers that stand\n");
    for (by, what) in &view.offers {
        let _ = match what {
            Treaty::Ally(to) => {
                writeln!(out, "- {} {} an alliance.", offers_of(*by, nation), to_of(*to, nation))
            }
            Treaty::Submit(to) => {
                writeln!(out, "- {} {} to become its vassal.", offers_of(*by, nation), to_of(*to, nation))
            }
            Treaty::TakeVassal(to) => {
                writeln!(out, "- {} {} to become its overlord.", offers_of(*by, nation), to_of(*to, nation))
            }
            _ => Ok(()),
        };
    }
}

fn offers_of(by: NationId, reader: NationId) -> String {
    if by == reader { "You offer".to_owned() } else { format!("{by} offers") }
}

fn to_of(to: NationId, reader: NationId) -> String {
    if to == reader { "you".to_owned() } else { to.to_string() }
}

fn notes(out: &mut String, view: &View) {
    if view.notes.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## Notes\n");
    for note in &view.notes {
        let from = match note.from {
            Some(n) => n.to_string(),
            None if note.anonymous => "somebody".to_owned(),
            None => "the umpire".to_owned(),
        };
        let _ = writeln!(out, "- {from} to {}: {}", note.to, note.text.replace('\n', " "));
    }
}

/// A letter without its notes: those are passed on as they come, and correct nothing.
#[must_use]
pub fn core(letter: &str) -> String {
    let mut notes = false;
    let kept = letter.lines().filter(|line| {
        if line.starts_with("## ") {
            notes = *line == "## Notes";
        }
        !notes && !line.is_empty()
    });
    kept.collect::<Vec<_>>().join("\n")
}
