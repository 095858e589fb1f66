//! The order form: every body that may be ordered about, as text to fill in and send back.

use crate::body::Body;
use crate::order::Treaty;
use crate::rules::Rules;
use crate::view::View;
use crate::world::{Way, World};
use std::fmt::Write as _;

/// What a body may reach in one stage, in words.
fn routes(world: &World, rules: &Rules, body: &Body) -> String {
    let fly = body.all_fly(rules);
    let list: Vec<String> = world
        .exits(body.at)
        .iter()
        .filter(|e| e.way != Way::Air || fly)
        .map(|e| if e.way == Way::Sea { format!("{} (by sea)", e.to) } else { e.to.to_string() })
        .collect();
    list.join(", ")
}

/// The form of a nation, or nothing for a view that is no nation's. What is left as it is counts as missing.
#[must_use]
pub fn form(world: &World, rules: &Rules, view: &View) -> String {
    form_after(world, rules, view, "")
}

/// The same, with each body's order of the set before, which is a remark until its sign is taken away.
#[must_use]
pub fn form_after(world: &World, rules: &Rules, view: &View, before: &str) -> String {
    let Some(nation) = view.nation else { return String::new() };
    let when = if view.winter { "Winter" } else { view.season.word() };
    let mut out = format!("# Orders of {nation} for {when} of year {}\n", view.year);
    let _ = writeln!(out, "# One order a line. Lines with # are remarks: take the # away and fill in.");
    if view.winter {
        winter(&mut out, world, rules, view);
        return out;
    }
    let line_of = |text: &str, short: &str| {
        let head = format!("{}:", short.to_lowercase());
        text.lines().map(str::trim).find(|l| l.to_lowercase().starts_with(&head)).map(str::to_owned)
    };
    let last = |short: &str| view.sets.last().and_then(|s| line_of(&s.text, short));
    for (id, body) in &view.bodies {
        let short = id.short();
        let kind = if body.is_army(rules) { "army" } else { "garrison or remnant" };
        let _ = writeln!(out, "\n# {short}, {kind} at {}, {} AP: {}", body.at, body.ap(rules), body.list());
        let _ = writeln!(out, "#   {} stages; next: {}", body.stages(rules), routes(world, rules, body));
        match last(&short) {
            Some(line) => _ = writeln!(out, "{line}"),
            None => {
                if let Some(line) = line_of(before, &short) {
                    let _ = writeln!(out, "#   last: {line}");
                }
                let _ = writeln!(out, "# {short}: ...");
            }
        }
    }
    let _ = writeln!(out, "\n# Treaties");
    for (a, b) in view.allies.iter().filter(|(a, b)| *a == nation || *b == nation) {
        let other = if *a == nation { b } else { a };
        let _ = writeln!(
            out,
            "# allied with {other}   (rescind {other} · lend fleet to {other} · grant {other} passage)"
        );
    }
    if let Some(lord) = view.lords.get(&nation) {
        let _ = writeln!(out, "# vassal of {lord}   (rebel · give A1)");
    }
    for vassal in view.lords.iter().filter(|(_, l)| **l == nation).map(|(v, _)| v) {
        let _ = writeln!(
            out,
            "# overlord of {vassal}   (demand army of {vassal} · claim fleet of {vassal} · allow {vassal} to invade NATION · renounce {vassal})"
        );
    }
    for (by, what) in &view.offers {
        let (whose, answer) = match (*by == nation, what) {
            (true, Treaty::Ally(n) | Treaty::Submit(n) | Treaty::TakeVassal(n)) => {
                ("you", format!("withdraw offer to {n}"))
            }
            (false, Treaty::Ally(_)) => (by.as_str(), format!("accept alliance of {by}")),
            (false, Treaty::Submit(_)) => (by.as_str(), format!("take vassal {by}")),
            (false, Treaty::TakeVassal(_)) => (by.as_str(), format!("submit to {by}")),
            _ => continue,
        };
        let _ = writeln!(out, "# stands, of {whose}: {what}   ({answer})");
    }
    let _ = writeln!(out, "# offer alliance to NATION · submit to NATION · take vassal NATION");
    for c in view.captives.iter().filter(|c| c.held_by == nation) {
        let _ = writeln!(
            out,
            "# you hold {} at {}   (release · execute · send {} to CITY)",
            c.id(),
            c.at,
            c.id()
        );
    }
    if world.nation(nation).is_some_and(|n| n.fleet) {
        let _ = writeln!(out, "# your ships carry one army: your own by sea, or   lend fleet to ALLY");
    }
    out
}

/// The form for paper: the same without the signs that a program needs, and with lines to write on.
#[must_use]
pub fn form_page(form: &str) -> String {
    let mut out = String::new();
    for line in form.lines().skip(2) {
        let bare = line.strip_prefix("# ").unwrap_or(line);
        match bare.strip_suffix(": ...") {
            Some(name) => _ = writeln!(out, "{name}: {}", "_".repeat(70)),
            None => _ = writeln!(out, "{bare}"),
        }
    }
    let _ = writeln!(out, "\nConditions, losses, ways of retreat and what else there is:");
    for _ in 0..6 {
        let _ = writeln!(out, "{}", "_".repeat(76));
    }
    out
}

fn winter(out: &mut String, world: &World, rules: &Rules, view: &View) {
    let Some(nation) = view.nation else { return };
    let state = crate::view::possible(world, view, 0);
    let income = crate::season::income_of(world, rules, &state, nation);
    let _ = writeln!(out, "# You have {income} AP. Lines are met from the top; what is not used is lost.");
    if let Some(n) = world.nation(nation) {
        let list: Vec<String> = n.costs.iter().map(|(t, c)| format!("{t} {c}")).collect();
        let _ = writeln!(out, "# Costs: {}", list.join(", "));
        let list: Vec<String> =
            n.promotions.iter().map(|(t, to)| format!("{t} to {}", to.join(" or "))).collect();
        let _ = writeln!(out, "# Promotions: {}", list.join("; "));
    }
    let cities: Vec<String> =
        view.owners.iter().filter(|(_, o)| **o == nation).map(|(p, _)| p.to_string()).collect();
    let _ = writeln!(out, "# Cities: {}", cities.join(", "));
    let _ = writeln!(
        out,
        "# raise 2 Bld at {}\n# promote Hrd1 to Spr",
        cities.first().map_or("CITY", String::as_str)
    );
}
