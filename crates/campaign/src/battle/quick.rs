//! The quick reckoning of a battle: exchanges of blows until CAM-077 ends it. It stands in for the table where nobody
//! plays the battle out (soaks, previews, `--quick`); strengths count, and so do dice.

use super::check::elements;
use super::{Battle, BattleResult, Ending, Role, Taken};
use crate::ids::ElementId;
use crate::season::{Die, Work};
use dice::NoDice;
use hott::table::TroopType;

/// Fights one side's element against another's, turn by turn, and keeps count.
struct Field {
    left: [Vec<ElementId>; 2],
    lost: [Vec<ElementId>; 2],
    captives: Vec<Taken>,
    start: [i64; 2],
    /// Who commands, and who may yet take over (CAM-022).
    heads: [Option<ElementId>; 2],
    reserves: [Vec<ElementId>; 2],
}

/// The result of a battle, reckoned.
pub(crate) fn quick(w: &mut Work<'_>, battle: &Battle) -> Result<BattleResult, NoDice> {
    let of = |w: &Work<'_>, role| elements(w.s, battle, role);
    let left = [of(w, Role::Attacker), of(w, Role::Defender)];
    let start = [sum(w, &left[0]), sum(w, &left[1])];
    let named = |role, label| ElementId { nation: battle.side(role).prime.nation, label };
    let sides = [Role::Attacker, Role::Defender];
    let heads = sides.map(|r| battle.side(r).commander.map(|l| named(r, l)));
    let reserves = sides.map(|r| battle.side(r).reserves.iter().map(|l| named(r, *l)).collect());
    let mut f = Field { left, lost: [Vec::new(), Vec::new()], captives: Vec::new(), start, heads, reserves };
    let place = Die::place(battle.at);
    let most = if battle.bounds == 0 { 40 } else { battle.bounds.min(40) };
    for bound in 0..usize::try_from(most).unwrap_or(40) {
        let k = usize::try_from(battle.nth).unwrap_or(1) * 1000 + bound * 4;
        for side in [0, 1] {
            succeed(w, battle, &mut f, side, k)?;
        }
        let a = w.d6("melee", place.k(k))?;
        let d = w.d6("melee", place.k(k + 1))?;
        let edge = (sum(w, &f.left[0]) - sum(w, &f.left[1])).clamp(-12, 12) / 4;
        let home = i64::from(battle.home);
        let diff = a + edge - d - home;
        if diff != 0 {
            let loser = usize::from(diff > 0);
            blow(w, battle, &mut f, loser, k + 2)?;
            if diff.abs() >= 5 {
                blow(w, battle, &mut f, loser, k + 3)?;
            }
        }
        if let Some((winner, ending)) = over(w, battle, &f) {
            return Ok(BattleResult {
                winner: Some(winner),
                ending,
                lost: f.lost.concat(),
                gone: Vec::new(),
                captives: f.captives,
                bounds: u32::try_from(bound + 1).unwrap_or(0),
                how: "reckoned".to_owned(),
            });
        }
    }
    Ok(BattleResult {
        winner: None,
        ending: Ending::Undecided,
        lost: f.lost.concat(),
        gone: Vec::new(),
        captives: f.captives,
        bounds: u32::try_from(most).unwrap_or(0),
        how: "reckoned".to_owned(),
    })
}

fn sum(w: &Work<'_>, list: &[ElementId]) -> i64 {
    list.iter().map(|e| w.rules.ap(e.label.troop)).sum()
}

/// CAM-022, CAM-025: a reserve general has one attempt after the commander's loss.
fn succeed(w: &mut Work<'_>, battle: &Battle, f: &mut Field, side: usize, k: usize) -> Result<(), NoDice> {
    let fallen = f.heads[side].is_some_and(|c| !f.left[side].contains(&c));
    let left = f.left[side].clone();
    f.reserves[side].retain(|r| left.contains(r));
    let Some(next) = f.reserves[side].first().copied().filter(|_| fallen) else { return Ok(()) };
    let role = if side == 0 { Role::Attacker } else { Role::Defender };
    let held = f.captives.iter().filter(|t| battle.role_of(t.hero.nation) == Some(role)).count();
    let lost = f.lost[side].len() + held;
    let die = w.d6("succession", Die::place(battle.at).k(k + side))?;
    let takes = die > i64::try_from(lost).unwrap_or(i64::MAX);
    if takes {
        f.heads[side] = Some(next);
    }
    if takes || w.rules.is("reserve_attempts", "once") {
        f.reserves[side].retain(|r| *r != next);
    }
    Ok(())
}

/// One element of the loser goes; a Hero may be taken by a Magician instead.
fn blow(w: &mut Work<'_>, battle: &Battle, f: &mut Field, loser: usize, k: usize) -> Result<(), NoDice> {
    if f.left[loser].is_empty() {
        return Ok(());
    }
    let n = usize::from(w.die("blow", Die::place(battle.at).k(k), f.left[loser].len())?).saturating_sub(1);
    let element = f.left[loser].remove(n.min(f.left[loser].len() - 1));
    let magician = f.left[1 - loser].iter().find(|e| e.label.troop == TroopType::Mag).copied();
    match magician {
        Some(by) if element.label.troop.is_hero() => f.captives.push(Taken { hero: element, by }),
        _ => f.lost[loser].push(element),
    }
    Ok(())
}

/// CAM-077 (a) and (b).
fn over(w: &Work<'_>, battle: &Battle, f: &Field) -> Option<(Role, Ending)> {
    let captive = |side: usize| -> i64 {
        let role = if side == 0 { Role::Attacker } else { Role::Defender };
        let mine = f.captives.iter().filter(|t| battle.role_of(t.hero.nation) == Some(role));
        mine.map(|t| w.rules.ap(t.hero.label.troop)).sum()
    };
    let lost = [sum(w, &f.lost[0]) + captive(0), sum(w, &f.lost[1]) + captive(1)];
    for (side, winner) in [(0, Role::Defender), (1, Role::Attacker)] {
        if lost[side] <= lost[1 - side] {
            continue;
        }
        // CAM-077 (a): a reserve general helps only an army that is not yet beaten.
        if f.heads[side].is_some_and(|c| !f.left[side].contains(&c)) {
            return Some((winner, Ending::General));
        }
        if lost[side] * 2 >= f.start[side] {
            return Some((winner, Ending::Half));
        }
    }
    None
}

/// The same from outside the season's steps.
///
/// # Errors
/// Dice that are lacking.
pub fn quick_result(
    world: &crate::world::World,
    rules: &crate::rules::Rules,
    state: &crate::state::State,
    battle: &Battle,
    dice: &mut dyn dice::Dice,
) -> Result<BattleResult, NoDice> {
    let mut copy = state.clone();
    let mut w = Work { world, rules, s: &mut copy, dice, entries: Vec::new(), published: false };
    quick(&mut w, battle)
}
