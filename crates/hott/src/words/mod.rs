//! Words: the one text form of commands, both ways; events as sentences, as statements for cases, and as JSON.
//!
//! Labels: an element of the side whose bound (or turn in set-up) it is stands as `Kni2`, any other as `B.Kni2`.

mod facts;
mod json;
mod parse;
mod print;
mod tell;
#[cfg(test)]
mod tests;

pub use facts::{departure_word, ending_word, facts, outcome_fact, phase_word};
pub use json::event_json;
pub use parse::{element_named, parse};
pub use print::print;
pub use tell::{ending_words, factor_name, phase_words, side_name, tell};

use crate::battle::{Battle, ElementId, SideId, State, Target};
use crate::figure;
use crate::table::{Grade, Outcome};
use field::{BoardEdge, Len, Pose, Side};

/// An element's label as commands write it.
#[must_use]
pub fn label(battle: &Battle, state: &State, id: ElementId) -> String {
    if battle.element(id).side == state.active {
        battle.element(id).label.clone()
    } else {
        battle.full_label(id)
    }
}

/// A side's Stronghold: `B.Str`.
#[must_use]
pub fn stronghold_label(battle: &Battle, side: SideId) -> String {
    format!("{}.Str", battle.sides[side.index()].letter)
}

/// A target with its side.
#[must_use]
pub fn target_label(battle: &Battle, target: Target) -> String {
    match target {
        Target::Element(id) => battle.full_label(id),
        Target::Stronghold(side) => stronghold_label(battle, side),
    }
}

/// An element as a clubmate would name it: `Blade 3`, with its owner's name for it if it has one.
#[must_use]
pub fn spoken(battle: &Battle, id: ElementId) -> String {
    let e = battle.element(id);
    let number = e.label.trim_start_matches(|c: char| !c.is_ascii_digit());
    let letter = battle.sides[e.side.index()].letter;
    // BB-007: recognisable wherever it is told of.
    let grade = match e.grade {
        Grade::Levy => "Levy ",
        Grade::Plain => "",
        Grade::Elite => "Elite ",
    };
    if e.name.is_empty() {
        format!("{letter}'s {grade}{} {number}", e.ty.name())
    } else {
        format!("{letter}'s {grade}{} {number} ({})", e.ty.name(), e.name)
    }
}

/// A target likewise.
#[must_use]
pub fn spoken_target(battle: &Battle, target: Target) -> String {
    match target {
        Target::Element(id) => spoken(battle, id),
        Target::Stronghold(side) => {
            let word = if battle.has_baggage(&battle.opening.start, side) { "Baggage" } else { "Stronghold" };
            format!("{}'s {word}", battle.sides[side.index()].letter)
        }
    }
}

/// The word for a board edge in commands.
#[must_use]
pub const fn edge_word(edge: BoardEdge) -> &'static str {
    match edge {
        BoardEdge::Lower => "bottom",
        BoardEdge::Right => "right",
        BoardEdge::Upper => "top",
        BoardEdge::Left => "left",
    }
}

/// The word for left and right.
#[must_use]
pub const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// How far it is from one pose's point to another's, in whole paces for people.
#[must_use]
pub fn paces_between(from: Pose, to: Pose) -> Len {
    (from.point().distance(to.point()) + field::PACE / 2) / field::PACE
}

/// A length for people: whole paces, rounded.
#[must_use]
pub fn paces(length: Len) -> String {
    format!("{}p", (length + field::PACE / 2).div_euclid(field::PACE))
}

/// AP in halves as people write them: `2`, `4½`.
#[must_use]
pub fn ap(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

/// An outcome as a verb.
#[must_use]
pub const fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::None => "stays",
        Outcome::Recoil => "recoils",
        Outcome::Flee => "flees",
        Outcome::FleeField => "flees the battlefield",
        Outcome::Ensorcelled => "is ensorcelled",
        Outcome::Destroyed => "is destroyed",
        Outcome::Captured => "is taken",
    }
}

pub(crate) fn pose(at: Pose) -> String {
    figure::pose(at)
}
