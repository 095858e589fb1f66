//! The receipt of a set of orders: every order in plain words with its figures, what was dropped, what looks like a
//! slip, and what would come of it if nobody else moved: from the sender's own knowledge only.

use crate::ids::{BodyId, NationId};
use crate::order::{Act, Item, Known, OrderSet, SetState, resolve};
use crate::rules::Rules;
use crate::season::Work;
use crate::state::Phase;
use crate::view::{View, possible};
use crate::world::World;
use dice::Fixed;
use serde::Serialize;
use std::fmt::Write as _;

/// A receipt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Receipt {
    /// Whose.
    pub nation: NationId,
    /// The set that counts.
    pub set: Option<u32>,
    /// AMEND sets in it.
    pub amended_by: Vec<u32>,
    /// Orders in plain words, each with the figures of its body.
    pub orders: Vec<String>,
    /// Names read otherwise than written.
    pub guesses: Vec<String>,
    /// Lines that could not be read, with line and suggestion.
    pub problems: Vec<String>,
    /// CAM-046: sets that came after the deadline.
    pub late: Vec<String>,
    /// Bodies without an order.
    pub missing: Vec<String>,
    /// Bodies whose former order is gone.
    pub dropped: Vec<String>,
    /// What looks like a slip.
    pub slips: Vec<String>,
    /// What would happen if nobody else moved.
    pub dry_run: Vec<String>,
}

/// Makes the receipt from the nation's view.
#[must_use]
pub fn receipt(world: &World, rules: &Rules, view: &View, sets: &[OrderSet]) -> Option<Receipt> {
    let nation = view.nation?;
    let mut state = possible(world, view, 0);
    // From own knowledge only: nobody else's troops are known to be anywhere.
    state.bodies.retain(|id, _| id.nation == nation);
    let known = Known::of(world, rules, &state, nation);
    let r = resolve(rules, &known, sets);
    let strength =
        |id: BodyId| known.bodies.get(&id).map_or(String::new(), |b| format!("   [{} AP at {}]", b.ap, b.at));
    let mut out = Receipt {
        nation,
        set: r.number,
        amended_by: r.amended_by.clone(),
        orders: Vec::new(),
        guesses: Vec::new(),
        problems: r.problems.iter().map(ToString::to_string).collect(),
        late: r
            .late
            .iter()
            .map(|n| {
                format!(
                    "set {n} came after the deadline: it is kept, and counts only if the umpire extends it"
                )
            })
            .collect(),
        missing: Vec::new(),
        dropped: r.dropped.iter().map(|b| b.short()).collect(),
        slips: Vec::new(),
        dry_run: Vec::new(),
    };
    let mut ordered = Vec::new();
    for line in &r.lines {
        for item in &line.items {
            let figures = match item {
                Item::Body(order) => {
                    ordered.push(order.body);
                    strength(order.body)
                }
                _ => String::new(),
            };
            let text = match item {
                // Another's army has its nation before its number.
                Item::Body(order) if order.body.nation != nation => {
                    item.to_string().replacen(&order.body.short(), &order.body.to_string(), 1)
                }
                _ => item.to_string(),
            };
            out.orders.push(format!("{text}{figures}"));
            slip(world, &known, view, item, &mut out.slips);
        }
        out.guesses.extend(line.guesses.iter().map(|(a, b)| format!("line {}: \"{a}\" read as {b}", line.n)));
    }
    if r.number.is_some() && r.lines.is_empty() {
        out.slips.push("the set that counts holds no order: everything holds".to_owned());
    }
    out.missing =
        known.bodies.values().filter(|b| b.army && !ordered.contains(&b.id)).map(|b| b.id.short()).collect();
    if !view.winter && view.phase != "over" {
        out.dry_run = dry_run(world, rules, state, nation, sets);
    }
    Some(out)
}

/// What looks like a slip.
fn slip(world: &World, known: &Known, view: &View, item: &Item, out: &mut Vec<String>) {
    let Item::Body(order) = item else { return };
    let Some(body) = known.bodies.get(&order.body) else { return };
    let name = order.body.short();
    for act in order.parts.iter().flat_map(|p| &p.arms).flat_map(|(_, a)| a) {
        match act {
            Act::Invade { to, .. } if !body.army => {
                out.push(format!(
                    "{name} is told to invade {to} with {} AP{}: it is no army",
                    body.ap,
                    if body.elements.iter().any(crate::muster::Element::general) {
                        ""
                    } else {
                        " and no general"
                    }
                ));
            }
            Act::Move { to, sea, .. } | Act::Invade { to, sea, .. } => {
                let by_sea = *sea
                    || !world.exits(body.at).iter().any(|e| e.to == *to && e.way != crate::world::Way::Sea)
                        && world.joined(body.at, *to, crate::world::Way::Sea);
                let fleet = world.nation(known.nation).is_some_and(|n| n.fleet);
                let ships = order
                    .parts
                    .iter()
                    .flat_map(|p| &p.arms)
                    .flat_map(|(_, a)| a)
                    .any(|a| matches!(a, Act::Ships(_)));
                if by_sea && !fleet && !ships {
                    out.push(format!("{name} goes by sea and you have no fleet: say in whose ships"));
                }
                let capital = world.nation(known.nation).map(|n| n.capital);
                let others = known.bodies.values().any(|b| b.id != order.body && Some(b.at) == capital);
                if Some(body.at) == capital && !others && view.owners.get(&body.at) == Some(&known.nation) {
                    out.push(format!("{name} leaves the capital {} empty", body.at));
                }
            }
            _ => {}
        }
    }
}

/// Steps 1 to 7 of the season with these orders alone.
fn dry_run(
    world: &World,
    rules: &Rules,
    mut state: crate::state::State,
    nation: NationId,
    sets: &[OrderSet],
) -> Vec<String> {
    state.phase = Phase::Orders;
    let mut sets = sets.to_vec();
    for set in &mut sets {
        if set.state == SetState::Draft {
            set.state = SetState::Submitted;
        }
    }
    state.sets.clear();
    state.sets.insert(nation, sets);
    state.ruled.clear();
    let mut dice = Fixed(4);
    let mut w = Work { world, rules, s: &mut state, dice: &mut dice, entries: Vec::new(), published: false };
    if crate::season::begin(&mut w).is_err() {
        return Vec::new();
    }
    let told =
        w.entries.iter().filter(|e| (3..=7).contains(&e.step) || e.step == 2 && e.fact.starts_with("void"));
    told.filter(|e| e.seen.includes(nation)).map(|e| format!("{} ({})", e.words, e.rule)).collect()
}

impl Receipt {
    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("Receipt for {}: ", self.nation);
        match self.set {
            Some(n) => _ = writeln!(out, "set {n} counts."),
            None => _ = writeln!(out, "no set counts yet."),
        }
        let mut part = |title: &str, list: &[String]| {
            if !list.is_empty() {
                let _ = writeln!(out, "\n{title}");
                for line in list {
                    let _ = writeln!(out, "  {}", line.replace('\n', "\n  "));
                }
            }
        };
        part("Too late:", &self.late);
        part("Your orders, as they are understood:", &self.orders);
        part("Read otherwise than written:", &self.guesses);
        part("What could not be read (the rest stands):", &self.problems);
        part("Armies without an order (they hold):", &self.missing);
        part("Bodies whose former order is gone:", &self.dropped);
        part("This looks like a slip:", &self.slips);
        part("If nobody else moved:", &self.dry_run);
        out
    }
}
