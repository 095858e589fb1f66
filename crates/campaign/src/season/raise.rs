//! Step 16, second part: raising and promoting (CAM-101, CAM-106, CAM-014 to CAM-016).

use super::work::Work;
use crate::ids::{ElementId, Label, NationId, PlaceId, Troop};
use crate::muster::Element;
use crate::order::{Item, Raise};
use crate::world::Nation;
use dice::NoDice;
use hott::table::TroopType;
use rulebook::{RuleId, rule};

/// Every nation's list, line by line.
pub(crate) fn raising(w: &mut Work<'_>) -> Result<(), NoDice> {
    let nations: Vec<NationId> = w.s.playing().collect();
    for nation in nations {
        let before = w.s.clone();
        let budget = income(w, nation);
        let mut left = budget;
        let mut bad = false;
        for raise in list(w, nation) {
            let times = if let Raise::New { count, .. } = raise { count } else { 1 };
            for _ in 0..times.min(72) {
                match one(w, nation, raise, left) {
                    Ok(cost) => left -= cost,
                    Err((rule, why)) => {
                        bad = true;
                        w.tell(
                            nation,
                            rule,
                            format!("skipped {nation} {raise}"),
                            format!("\"{raise}\" is skipped: {why}."),
                        );
                        break;
                    }
                }
            }
        }
        if bad && w.rules.is("raise_order", "all_or_nothing") {
            let log = std::mem::take(&mut w.s.turn.log);
            *w.s = before;
            w.s.turn.log = log;
            w.tell(
                nation,
                rule!("CAM-106"),
                format!("list_void {nation}"),
                "One line of the list is bad, so the whole list is void.".to_owned(),
            );
            left = budget;
        }
        if let Some(standing) = w.s.nations.get_mut(&nation) {
            standing.debt = 0;
        }
        w.tell(
            nation,
            rule!("CAM-101"),
            format!("winter_ap {nation} {budget} {left}"),
            format!("You had {budget} AP for raising; {left} were not used and are lost."),
        );
    }
    Ok(())
}

fn list(w: &Work<'_>, nation: NationId) -> Vec<Raise> {
    let lines = w.s.turn.lines.get(&nation).into_iter().flatten().flat_map(|l| &l.items);
    lines.filter_map(|i| if let Item::Raise(r) = i { Some(*r) } else { None }).collect()
}

/// CAM-101: 2 AP for each city, and 2 for the capital while it is held.
pub(crate) fn income(w: &Work<'_>, nation: NationId) -> i64 {
    income_of(w.world, w.rules, w.s, nation)
}

/// The same, for forms and computer players.
pub(crate) fn income_of(
    world: &crate::world::World,
    rules: &crate::rules::Rules,
    s: &crate::state::State,
    nation: NationId,
) -> i64 {
    let cities = i64::try_from(s.cities(nation).count()).unwrap_or(0);
    let capital = world.nation(nation).is_some_and(|n| s.owner(n.capital) == Some(nation));
    let debt = s.nations.get(&nation).map_or(0, |x| x.debt);
    (cities * rules.limit("winter_ap_city") + if capital { rules.limit("winter_ap_capital") } else { 0 }
        - debt)
        .max(0)
}

type Skip = (RuleId, String);

/// One element raised or promoted: what it cost, or why not.
fn one(w: &mut Work<'_>, nation: NationId, raise: Raise, left: i64) -> Result<i64, Skip> {
    let Some(n) = w.world.nation(nation).cloned() else {
        return Err((rule!("CAM-101"), "no such nation".to_owned()));
    };
    match raise {
        Raise::New { troop, mount, at, .. } => new(w, nation, &n, troop.0, mount, at, left),
        Raise::Promote { element, to } => promote(w, nation, &n, element, to.0, left),
        Raise::Mount(element) => mount(w, nation, element, left),
    }
}

/// CAM-014: whether a type may be mounted or winged.
fn mountable(troop: TroopType) -> bool {
    matches!(troop, TroopType::Clr | TroopType::Sht | TroopType::Bld | TroopType::Spr | TroopType::Mag)
}

/// CAM-015, CAM-016: whether the nation's force may become this.
fn balance(
    w: &Work<'_>,
    nation: NationId,
    n: &Nation,
    gone: Option<TroopType>,
    come: TroopType,
) -> Result<(), Skip> {
    let before = w.s.force(w.rules, nation);
    let mut after = before.clone();
    if let Some(gone) = gone {
        after.remove(w.rules, gone);
    }
    after.add(w.rules, come);
    let most = w.rules.limit("force_most");
    if after.ap > most && after.ap > before.ap {
        return Err((rule!("CAM-016"), format!("the force would be {} AP, more than {most}", after.ap)));
    }
    if !before.balanced(w.rules) && !w.rules.is_light(come) {
        return Err((
            rule!("CAM-015"),
            "until the force is in balance only elements of 1 and 2 AP may be raised".to_owned(),
        ));
    }
    if before.balanced(w.rules) && !after.balanced(w.rules) {
        return Err((
            rule!("CAM-015"),
            "less than half of the AP would be in elements of 2 AP or less".to_owned(),
        ));
    }
    // Minima: what is short must be made up first.
    let short = |f: &crate::muster::Force| -> i64 {
        n.minima
            .iter()
            .filter_map(|(code, least)| Some((least - f.count(TroopType::from_code(code)?)).max(0)))
            .sum()
    };
    if short(&after) > short(&before) || short(&before) > 0 && short(&after) == short(&before) {
        return Err((rule!("CAM-015"), "the nation's minima must be made up first".to_owned()));
    }
    Ok(())
}

fn pay(cost: i64, left: i64) -> Result<i64, Skip> {
    if cost > left {
        Err((rule!("CAM-106"), format!("it costs {cost} AP and {left} are left")))
    } else {
        Ok(cost)
    }
}

fn new(
    w: &mut Work<'_>,
    nation: NationId,
    n: &Nation,
    troop: TroopType,
    mount: bool,
    at: PlaceId,
    left: i64,
) -> Result<i64, Skip> {
    let cost = n
        .cost(troop)
        .ok_or_else(|| (rule!("CAM-101"), format!("the nation may not raise {}", troop.plural())))?;
    if w.s.owner(at) != Some(nation) {
        return Err((rule!("CAM-101"), format!("{at} is no city of yours")));
    }
    if mount && !mountable(troop) {
        return Err((rule!("CAM-014"), format!("{} are not mounted or winged", troop.plural())));
    }
    let cost = pay(cost + if mount { w.rules.limit("mount_cost") } else { 0 }, left)?;
    balance(w, nation, n, None, troop)?;
    let there: i64 = w.s.bodies_at(at).map(|(id, _)| w.ap(id)).sum();
    let guests = w.s.bodies_at(at).any(|(id, _)| id.nation != nation);
    let own: i64 = w.s.bodies_of(nation).filter(|(_, b)| b.at == at).map(|(id, _)| w.ap(id)).sum();
    let ap = w.rules.ap(troop);
    // CAM-102: with `army_and_garrison` what is raised joins the garrison, which has room of its own.
    let apart = w.rules.is("winter_capacity", "army_and_garrison");
    let garrison: i64 =
        w.s.bodies_of(nation).filter(|(id, b)| b.at == at && !w.is_army(*id)).map(|(id, _)| w.ap(id)).sum();
    let full = if apart {
        garrison + ap > w.rules.limit("garrison_most")
    } else if guests {
        own + ap > w.rules.limit("winter_owner_room")
    } else {
        there + ap > w.rules.limit("winter_city_room")
    };
    if full {
        return Err((rule!("CAM-102"), format!("{at} has no room")));
    }
    let label = w.s.new_label(nation, troop);
    let mut element = Element::new(label);
    element.mount = mount;
    // Into the army in its own city if there is one with room, else the garrison.
    let host = w.s.into_garrison(w.rules, nation, at, vec![element]);
    w.hold_to_limit(host);
    w.tell(
        nation,
        rule!("CAM-101"),
        format!("raised {nation}.{label} {at}"),
        format!("{label} is raised at {at} for {cost} AP."),
    );
    Ok(cost)
}

fn find(w: &Work<'_>, nation: NationId, label: Label) -> Result<crate::ids::BodyId, Skip> {
    let holder = w.s.bodies_of(nation).find(|(_, b)| b.find(label).is_some()).map(|(id, _)| id);
    holder.ok_or_else(|| (rule!("CAM-106"), format!("you have no {label}")))
}

fn promote(
    w: &mut Work<'_>,
    nation: NationId,
    n: &Nation,
    label: Label,
    to: TroopType,
    left: i64,
) -> Result<i64, Skip> {
    let id = find(w, nation, label)?;
    let (from_cost, to_cost) = (n.cost(label.troop).unwrap_or(w.rules.ap(label.troop)), n.cost(to));
    let to_cost =
        to_cost.ok_or_else(|| (rule!("CAM-101"), format!("the nation may not have {}", to.plural())))?;
    let confirmed = w.s.confirmed.contains(&(ElementId { nation, label }, Troop(to)));
    if !n.promotes(label.troop, to) && !confirmed {
        return Err((
            rule!("CAM-101"),
            format!(
                "{} to {} is not in the nation's table; the umpire may {} it",
                label.troop.code(),
                to.code(),
                if w.rules.strict() { "confirm" } else { "allow" }
            ),
        ));
    }
    let cost = pay((to_cost - from_cost).max(0), left)?;
    balance(w, nation, n, Some(label.troop), to)?;
    let new = w.s.new_label(nation, to);
    let keeps = n.general_rank(to).is_some();
    let army_most = w.rules.limit("army_most");
    let Some(body) = w.s.bodies.get_mut(&id) else { return Err((rule!("CAM-106"), "it is gone".to_owned())) };
    let more = w.rules.ap(to) - w.rules.ap(label.troop);
    if body.is_army(w.rules) && body.ap(w.rules) + more > army_most {
        return Err((rule!("CAM-034"), format!("its army would pass {army_most} AP")));
    }
    if let Some(i) = body.find(label) {
        let element = &mut body.elements[i];
        element.label = new;
        element.mount &= mountable(to);
        if !keeps {
            element.generals.clear();
        }
        if body.commander == Some(label) {
            body.commander = Some(new);
        }
    }
    w.tell(
        nation,
        rule!("CAM-106"),
        format!("promoted {nation}.{label} {new}"),
        format!("{label} is promoted to {new} for {cost} AP."),
    );
    Ok(cost)
}

fn mount(w: &mut Work<'_>, nation: NationId, label: Label, left: i64) -> Result<i64, Skip> {
    let id = find(w, nation, label)?;
    if !mountable(label.troop) {
        return Err((rule!("CAM-014"), format!("{} are not mounted or winged", label.troop.plural())));
    }
    let cost = pay(w.rules.limit("mount_cost"), left)?;
    let Some(body) = w.s.bodies.get_mut(&id) else { return Err((rule!("CAM-106"), "it is gone".to_owned())) };
    match body.find(label) {
        Some(i) if !body.elements[i].mount => body.elements[i].mount = true,
        _ => return Err((rule!("CAM-014"), format!("{label} is mounted or winged already"))),
    }
    w.tell(
        nation,
        rule!("CAM-014"),
        format!("mounted {nation}.{label}"),
        format!("{label} is mounted or winged for {cost} AP."),
    );
    Ok(cost)
}
