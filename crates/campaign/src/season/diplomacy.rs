//! Step 15: what ends at a season's end (CAM-110 to CAM-116, CAM-172, CAM-175, CAM-178).

use super::announce::treaties;
use super::work::{Die, Work};
use crate::ids::{NationId, PlaceId};
use crate::log::Seen;
use crate::order::Treaty;
use crate::state::pair;
use crate::turn::Fate;
use dice::NoDice;
use rulebook::rule;
use std::collections::BTreeMap;

/// Rescinding, renouncing, rebellion, quitting; then the list of disobedience for the umpire.
pub(crate) fn season_end(w: &mut Work<'_>) -> Result<(), NoDice> {
    runs(w);
    for (nation, treaty) in treaties(w) {
        if !w.s.plays(nation) {
            continue;
        }
        match treaty {
            Treaty::Rescind(other) => rescind(w, nation, other, rule!("CAM-110")),
            Treaty::EndAlliance { vassal, with } if w.s.lord(vassal) == Some(nation) => {
                rescind(w, vassal, with, rule!("CAM-173"));
            }
            Treaty::EndAlliance { vassal, .. } => {
                w.tell(
                    nation,
                    rule!("CAM-173"),
                    format!("void {nation} end {vassal}"),
                    format!("{vassal} is no vassal of yours."),
                );
            }
            Treaty::Renounce(other) => renounce(w, nation, other)?,
            Treaty::Rebel => match w.s.lord(nation) {
                Some(lord) => renounce(w, nation, lord)?,
                None => w.tell(
                    nation,
                    rule!("CAM-112"),
                    format!("void {nation} rebel"),
                    "You have no overlord to rebel against.".to_owned(),
                ),
            },
            Treaty::Quit => {
                super::fall::leave(w, nation);
                w.log(
                    rule!("CAM-116"),
                    Seen::Public,
                    format!("quits {nation}"),
                    format!("{nation} quits: its cities are neutral."),
                );
            }
            _ => {}
        }
    }
    for standing in w.s.nations.values_mut() {
        standing.shaken = standing.shaken.saturating_sub(1);
        standing.sworn = standing.sworn.saturating_sub(1);
    }
    for (nation, what) in w.s.turn.disobedience.clone() {
        if w.rules.is("disobedience", "umpire") {
            w.log(
                rule!("CAM-178"),
                Seen::Umpire,
                format!("disobeys {nation}"),
                format!("{nation}: {what}. The umpire may take a province for its overlord."),
            );
        }
    }
    super::fall::fallen(w);
    Ok(())
}

fn rescind(w: &mut Work<'_>, a: NationId, b: NationId, rule: rulebook::RuleId) {
    // An offer taken back in step 1 was no alliance yet.
    if w.s.turn.log.iter().any(|e| e.fact == format!("withdraws {a} {b}")) {
        return;
    }
    if w.s.allies.remove(&pair(a, b)) {
        w.log(
            rule,
            Seen::Public,
            format!("alliance_ends {a} {b}"),
            format!("{a} and {b} are allies no longer."),
        );
    } else {
        w.tell(
            a,
            rule,
            format!("void {a} rescind {b}"),
            format!("There is no alliance with {b} to rescind."),
        );
    }
}

/// CAM-112: the overlord may at any season's end; a vassal only when its overlord is shaken.
fn renounce(w: &mut Work<'_>, nation: NationId, other: NationId) -> Result<(), NoDice> {
    if w.s.lord(other) == Some(nation) {
        w.s.lords.remove(&other);
        w.log(
            rule!("CAM-112"),
            Seen::Public,
            format!("renounces {nation} {other}"),
            format!("{nation} renounces its vassal {other}."),
        );
        return Ok(());
    }
    if w.s.lord(nation) != Some(other) {
        w.tell(
            nation,
            rule!("CAM-112"),
            format!("void {nation} renounce {other}"),
            format!("{other} is neither your vassal nor your overlord."),
        );
        return Ok(());
    }
    let weak = w.s.nations.get(&other).is_some_and(|s| s.shaken > 0);
    if !weak || w.s.nations.get(&nation).is_some_and(|s| s.sworn > 0) {
        w.tell(nation, rule!("CAM-112"), format!("void {nation} renounce {other}"), format!("You may not renounce {other}: its capital has not fallen to a third nation, nor has it lost two battles in a row."));
        return Ok(());
    }
    w.s.lords.remove(&nation);
    if let Some(standing) = w.s.nations.get_mut(&nation) {
        standing.leave.clear();
    }
    w.log(
        rule!("CAM-112"),
        Seen::Public,
        format!("rebels {nation} {other}"),
        format!("{nation} rises against {other} and is free."),
    );
    // CAM-177: cities that were its own at the start and hold no troops of the overlord may rise.
    let own: Vec<PlaceId> = w.world.nation(nation).map(|n| n.cities.clone()).unwrap_or_default();
    for city in own {
        let held = w.s.owner(city) == Some(other) && !w.s.bodies_at(city).any(|(id, _)| id.nation == other);
        if !held {
            continue;
        }
        if w.d6("rebellion", Die::nation(nation).at(city))? >= w.rules.int("rebellion") {
            w.s.owners.insert(city, nation);
            w.log(
                rule!("CAM-112"),
                Seen::Public,
                format!("rises {city} {nation}"),
                format!("{city} rises and returns to {nation}."),
            );
        } else {
            w.log(
                rule!("CAM-112"),
                Seen::among([nation, other]),
                format!("stays {city} {other}"),
                format!("{city} does not rise against {other}."),
            );
        }
    }
    Ok(())
}

/// CAM-172: battles lost in a row as main protagonist, season by season.
fn runs(w: &mut Work<'_>) {
    let mut by: BTreeMap<NationId, (i64, i64)> = BTreeMap::new();
    for score in &w.s.turn.scores {
        let entry = by.entry(score.nation).or_insert((0, 0));
        match score.fate {
            Fate::Won => entry.0 += 1,
            Fate::Lost => entry.1 += 1,
            Fate::Undecided => {}
        }
    }
    let wanted = w.rules.limit("lost_in_a_row");
    let skipped = w.rules.is("cancelled_season", "skipped");
    for (nation, (won, lost)) in by {
        let Some(standing) = w.s.nations.get_mut(&nation) else { continue };
        match lost - won {
            0 if won > 0 && !skipped => standing.run = 0,
            0 => {}
            net if net > 0 => standing.run += net,
            _ => standing.run = 0,
        }
        // A third loss in a row makes two in a row again.
        if lost > won && standing.run >= wanted {
            super::fall::shake(w, nation, None);
            let vassals: Vec<NationId> =
                w.s.lords.iter().filter(|(_, l)| **l == nation).map(|(v, _)| *v).collect();
            w.log(rule!("CAM-172"), Seen::among(vassals.into_iter().chain([nation])), format!("shaken {nation}"), format!("{nation} has lost two battles in a row: its vassals may renounce it until the end of the next season."));
        }
    }
}
