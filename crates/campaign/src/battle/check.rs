//! CAM-079: whether a result can be of this battle.

use super::{Battle, BattleResult, Ending, Role};
use crate::ids::{BodyId, ElementId};
use crate::rules::Rules;
use crate::state::State;
use game::{Problem, Problems};
use hott::table::TroopType;
use rulebook::rule;

/// Checks a result against the battle's set-up: elements that were there, an ending that the losses bear out.
///
/// # Errors
/// Everything that cannot be, each with the rule and what would be right.
pub fn check_result(
    rules: &Rules,
    state: &State,
    battle: &Battle,
    result: &BattleResult,
) -> Result<(), Problems> {
    let mut out = Vec::new();
    let fielded = |role: Role| -> Vec<ElementId> { elements(state, battle, role) };
    let (a, d) = (fielded(Role::Attacker), fielded(Role::Defender));
    let mut seen = Vec::new();
    for element in &result.lost {
        if !a.contains(element) && !d.contains(element) {
            let near: Vec<String> = a.iter().chain(&d).map(ToString::to_string).collect();
            let text = element.to_string();
            out.push(
                Problem::new(format!("{element} was not in the battle"))
                    .by(rule!("CAM-079"))
                    .meant(&text, near.iter().map(String::as_str)),
            );
        }
        if seen.contains(element) {
            out.push(Problem::new(format!("{element} is lost twice")).by(rule!("CAM-079")));
        }
        seen.push(*element);
    }
    for element in &result.gone {
        if !a.contains(element) && !d.contains(element) {
            out.push(Problem::new(format!("{element} was not in the battle")).by(rule!("CAM-079")));
        }
        if seen.contains(element) {
            out.push(
                Problem::new(format!("{element} is off the table twice, or both destroyed and gone"))
                    .by(rule!("CAM-081"))
                    .hint("an element stands in lost or in gone, once"),
            );
        }
        seen.push(*element);
    }
    let mut held = Vec::new();
    for taken in &result.captives {
        if held.contains(&taken.hero) {
            out.push(Problem::new(format!("{} is captive twice", taken.hero)).by(rule!("CAM-082")));
        }
        held.push(taken.hero);
        if taken.by.label.troop != TroopType::Mag {
            out.push(
                Problem::new(format!("{} is no Magician and takes nobody", taken.by)).by(rule!("CAM-082")),
            );
        }
        if result.gone.contains(&taken.hero) {
            out.push(Problem::new(format!("{} is both gone and captive", taken.hero)).by(rule!("CAM-082")));
        }
        if !taken.hero.label.troop.is_hero() {
            out.push(
                Problem::new(format!("{} is no Hero and cannot be a captive", taken.hero))
                    .by(rule!("CAM-082")),
            );
        }
        if result.lost.contains(&taken.hero) {
            out.push(Problem::new(format!("{} is both lost and captive", taken.hero)).by(rule!("CAM-082")));
        }
        let sides = |e: &ElementId| (a.contains(e), d.contains(e));
        if sides(&taken.hero) == sides(&taken.by) {
            out.push(
                Problem::new(format!("{} cannot have taken {}", taken.by, taken.hero)).by(rule!("CAM-082")),
            );
        }
    }
    ending(rules, battle, result, [&a, &d], &mut out);
    if out.is_empty() { Ok(()) } else { Err(out) }
}

/// The elements of a side that may be in the battle: the prime army, and the contingents.
pub(crate) fn elements(state: &State, battle: &Battle, role: Role) -> Vec<ElementId> {
    let side = battle.side(role);
    let all = |id: BodyId| {
        let body = state.bodies.get(&id);
        body.into_iter()
            .flat_map(|b| &b.elements)
            .map(move |e| ElementId { nation: id.nation, label: e.label })
    };
    let mut out: Vec<ElementId> = all(side.prime).collect();
    for c in &side.contingents {
        out.extend(c.elements.iter().map(|l| ElementId { nation: c.body.nation, label: *l }));
    }
    out
}

/// CAM-077: whether the ending can be.
fn ending(
    rules: &Rules,
    battle: &Battle,
    result: &BattleResult,
    fielded: [&Vec<ElementId>; 2],
    out: &mut Problems,
) {
    let mut wrong = |text: String, hint: &str| {
        out.push(Problem::new(text).by(rule!("CAM-077")).hint(hint.to_owned()));
    };
    let Some(winner) = result.winner else {
        if result.ending != Ending::Undecided {
            wrong(
                "nobody won, so the battle is undecided".to_owned(),
                "write ending = \"undecided\", or name the winner",
            );
        }
        return;
    };
    if result.ending == Ending::Undecided {
        return wrong(
            "an undecided battle has no winner".to_owned(),
            "leave the winner out, or say how it ended",
        );
    }
    let loser = winner.other();
    if result.ending == Ending::Stronghold {
        if !battle.home || loser != Role::Defender {
            wrong("the loser had no Stronghold to lose".to_owned(), "only the owner of the province has one");
        }
        return;
    }
    if result.ending == Ending::Conceded {
        return;
    }
    // What is gone counts against the loser; of the winner's it is not known whether it counted (a God that left).
    let ap = |role: Role| -> i64 {
        let list = fielded[usize::from(role == Role::Defender)];
        let off = result.lost.iter().chain(result.captives.iter().map(|t| &t.hero));
        let gone = result.gone.iter().filter(|e| role == loser || e.label.troop != TroopType::God);
        off.chain(gone).filter(|e| list.contains(e)).map(|e| rules.ap(e.label.troop)).sum()
    };
    let (won, lost) = (ap(winner), ap(loser));
    if lost <= won {
        wrong(
            format!("the loser lost {lost} AP and the winner {won}"),
            "by general or half the loser has lost more AP",
        );
    }
    let side = battle.side(loser);
    if result.ending == Ending::General {
        let prime = side.commander.map(|label| ElementId { nation: side.prime.nation, label });
        let gone = prime.is_none_or(|c| {
            result.lost.contains(&c)
                || result.gone.contains(&c)
                || result.captives.iter().any(|t| t.hero == c)
        });
        if !gone {
            wrong(
                "the loser's commanding general is not among the lost".to_owned(),
                "add his element, or say half",
            );
        }
    } else {
        let all: i64 = fielded[usize::from(loser == Role::Defender)]
            .iter()
            .filter(|e| e.nation == side.prime.nation)
            .map(|e| rules.ap(e.label.troop))
            .sum();
        if side.contingents.is_empty() && lost * 2 < all {
            wrong(
                format!("the loser lost {lost} AP of {all}, less than half"),
                "add what was lost, or say general",
            );
        }
    }
}
