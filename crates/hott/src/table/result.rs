//! From two totals to what becomes of both fighters (section 15).

use rulebook::{RuleId, rule};

use super::factor::in_bad_going;
use super::options::{AerialWoodsLoss, FlankOutcome, HeroEqual, RiverOutcome};
use super::{Class, Defeat, Degree, Exposure, Fighter, Going, Mode, Outcome, Tables, TroopType};

/// What becomes of one fighter, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Judged {
    /// What happens to it.
    pub outcome: Outcome,
    /// The rule that says so: the loser's row, or the one by which it escapes.
    pub rule: RuleId,
}

/// Who had the higher total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Win {
    /// Equal totals.
    Draw,
    /// The fighter in this place (0 or 1) won, and the other lost by this much.
    By(usize, Degree),
}

impl Win {
    /// HOTT-263 to HOTT-266.
    pub fn of(tables: &Tables, totals: [i32; 2]) -> Win {
        let [a, b] = totals;
        if a == b {
            return Win::Draw;
        }
        let (winner, high, low) = if a > b { (0, a, b) } else { (1, b, a) };
        let doubled = high > 0 && tables.numbers.doubled_times * low <= high;
        Win::By(winner, if doubled { Degree::Doubled } else { Degree::Beaten })
    }
}

/// What two totals mean for both fighters: `first` is the attacker, main shooter or main bespeller (in
/// close combat either), `second` its opponent or target. `answered`: the target of shooting can shoot
/// back at the main shooter (HOTT-235); it has no meaning otherwise.
pub fn result(
    tables: &Tables,
    mode: Mode,
    fighters: [&Fighter; 2],
    totals: [i32; 2],
    answered: bool,
) -> [Judged; 2] {
    let unharmed = Judged { outcome: Outcome::None, rule: rule!("HOTT-268") };
    match Win::of(tables, totals) {
        Win::Draw => [equal(tables, mode, fighters, totals); 2],
        Win::By(winner, degree) => {
            let [w, l] = if winner == 0 { fighters } else { [fighters[1], fighters[0]] };
            let lost = match immune(tables, mode, winner == 1, w, answered) {
                Some(rule) => Judged { outcome: Outcome::None, rule },
                None => defeat(tables, mode, degree, l, w),
            };
            if winner == 0 { [unharmed, lost] } else { [lost, unharmed] }
        }
    }
}

/// HOTT-263, HOTT-267.
fn equal(tables: &Tables, mode: Mode, fighters: [&Fighter; 2], totals: [i32; 2]) -> Judged {
    let [a, b] = fighters.map(|f| f.ty);
    let paired =
        tables.sets.equal.iter().any(|[one, other]| one.has(a) && other.has(b) || one.has(b) && other.has(a));
    let deadly = tables.options.hero_equal == HeroEqual::Any || totals[0].rem_euclid(2) == 1;
    if mode == Mode::Contact && paired && deadly {
        Judged { outcome: Outcome::Destroyed, rule: rule!("HOTT-267") }
    } else {
        Judged { outcome: Outcome::None, rule: rule!("HOTT-263") }
    }
}

/// HOTT-271: the rule by which a beaten shooter or bespeller ignores its result, if any.
fn immune(tables: &Tables, mode: Mode, first_lost: bool, winner: &Fighter, answered: bool) -> Option<RuleId> {
    if !first_lost {
        return None;
    }
    match mode {
        Mode::Contact => None,
        Mode::Shot => (!answered).then_some(rule!("HOTT-235")),
        Mode::Bespelled => (!tables.sets.strike_back.has(winner.ty)).then_some(rule!("HOTT-217")),
    }
}

/// The result of a lost fight: the rows, HOTT-240, HOTT-270 and what big battles add.
fn defeat(tables: &Tables, mode: Mode, degree: Degree, loser: &Fighter, winner: &Fighter) -> Judged {
    let main = single(tables, mode, degree, loser, winner.ty, winner.ground_aid);
    if mode != Mode::Contact || tables.options.flank_outcome == FlankOutcome::MainOpponent {
        return main;
    }
    let mut worst = main;
    for exposure in loser.exposed {
        if let Exposure::Contacted(ty) = exposure {
            let other = single(tables, mode, degree, loser, ty, false);
            if other.outcome > worst.outcome {
                worst = Judged { outcome: other.outcome, rule: rule!("HOTT-240") };
            }
        }
    }
    worst
}

/// The result that one enemy type inflicts.
fn single(
    tables: &Tables,
    mode: Mode,
    degree: Degree,
    loser: &Fighter,
    winner: TroopType,
    ground_aid: bool,
) -> Judged {
    // HOTT-270
    if winner == TroopType::Snk && !loser.general && !tables.sets.fear_sneakers.has(loser.ty) {
        return Judged { outcome: Outcome::None, rule: rule!("HOTT-270") };
    }
    let case = Defeat {
        mode,
        going: going(tables, loser),
        just_contacted: loser.just_contacted,
        ground_aid,
        loser: loser.ty,
        winner,
        degree,
    };
    let outcome = tables.outcomes.get(case);
    if lost_in_woods(tables, mode, loser, winner, outcome) {
        return Judged { outcome: Outcome::Destroyed, rule: rule!("BB-031") };
    }
    Judged { outcome, rule: tables.outcomes.rule(loser.ty) }
}

/// HOTT-272 with HOTT-057: the loser's own ground as the tables see it.
fn going(tables: &Tables, loser: &Fighter) -> Going {
    let only_river = loser.footing.water && !loser.footing.bad && !loser.footing.wood;
    if !in_bad_going(tables, loser) {
        Going::Good
    } else if only_river && tables.options.river_outcome == RiverOutcome::Neither {
        Going::Neither
    } else {
        Going::Bad
    }
}

/// BB-031, BB-088: an Aerial that would recoil or flee in a wood or BUA from a non-Aerial.
fn lost_in_woods(tables: &Tables, mode: Mode, loser: &Fighter, winner: TroopType, outcome: Outcome) -> bool {
    let driven = matches!(outcome, Outcome::Recoil | Outcome::Flee | Outcome::FleeField);
    let counts = mode == Mode::Contact || tables.big.aerial_woods_loss == AerialWoodsLoss::Any;
    tables.is_big()
        && driven
        && counts
        && loser.footing.wood
        && tables.class(loser.ty) == Class::Aerial
        && tables.class(winner) != Class::Aerial
}
