//! Places told from others: `in front contact with B.Spr1`, `behind A.Bld1`, `facing B.Sht1 at 150`.

use field::{Base, Point, Pose, Side, Size};
use game::Problem;

/// A place as it is written: given, or told from another piece.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// Given.
    Given(Pose),
    /// Told from the piece with this label (`B.Str`: a Stronghold).
    From(Relation, String),
}

/// How a place is told from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Relation {
    /// In front contact.
    Front,
    /// In contact with its left or right flank.
    Flank(Side),
    /// In rear contact.
    Rear,
    /// Directly behind, facing the same way.
    Behind,
    /// Directly ahead, facing the same way.
    Ahead,
    /// Beside it, facing the same way.
    Beside(Side),
    /// Facing it, so many hundredths of a pace between the fronts.
    Facing(i32),
    /// Overlapping its left or right front corner, facing the other way.
    Overlap(Side),
    /// Its front on the middle of a Stronghold's front, left, right or rear edge.
    Touching(field::Edge),
}

const FORMS: &str = "in front contact with B.Spr1, in left flank contact with …, in right flank contact with …, \
                     in rear contact with …, behind …, ahead of …, left of …, right of …, facing … at 200, \
                     overlapping the left of …, touching B.Str, touching the rear of B.Str";

/// Reads a place in words.
pub(super) fn read_place(text: &str) -> Result<Place, Problem> {
    let low = text.to_lowercase();
    let all: Vec<&str> = low.split_whitespace().collect();
    if let [x, y, h] = all[..]
        && let Some(pose) = crate::figure::read_pose(x, y, h)
    {
        return Ok(Place::Given(pose));
    }
    if let [x, y] = all[..]
        && let Some(pose) = crate::figure::read_pose(x, y, "0")
    {
        return Ok(Place::Given(pose));
    }
    let words: Vec<&str> = all
        .into_iter()
        .filter(|w| !matches!(*w, "in" | "with" | "of" | "the" | "contact" | "to" | "on"))
        .collect();
    let side = |w: &str| match w {
        "left" => Some(Side::Left),
        "right" => Some(Side::Right),
        _ => None,
    };
    let edge = |w: &str| match w {
        "front" => Some(field::Edge::Front),
        "left" => Some(field::Edge::Left),
        "right" => Some(field::Edge::Right),
        "rear" => Some(field::Edge::Rear),
        _ => None,
    };
    let bad = || Problem::new(format!("not a place: {text:?}")).hint(format!("known: x y heading, {FORMS}"));
    let (relation, label) = match words[..] {
        ["front", label] => (Relation::Front, label),
        [s, "flank", label] => (Relation::Flank(side(s).ok_or_else(bad)?), label),
        ["rear", label] => (Relation::Rear, label),
        ["behind", label] => (Relation::Behind, label),
        ["ahead", label] => (Relation::Ahead, label),
        ["overlapping", s, label] => (Relation::Overlap(side(s).ok_or_else(bad)?), label),
        ["touching", label] => (Relation::Touching(field::Edge::Front), label),
        ["touching", e, label] => (Relation::Touching(edge(e).ok_or_else(bad)?), label),
        ["facing", label, "at", far] => (Relation::Facing(crate::figure::read(far).ok_or_else(bad)?), label),
        ["facing", label] => (Relation::Facing(0), label),
        [s, label] => (Relation::Beside(side(s).ok_or_else(bad)?), label),
        _ => return Err(bad()),
    };
    Ok(Place::From(relation, label.to_owned()))
}

/// The pose of a piece of this size told from another base.
pub(super) fn place(relation: Relation, from: &Base, size: Size) -> Pose {
    match relation {
        Relation::Front => from.front_contact(),
        Relation::Flank(side) => from.flank_contact(side, size),
        Relation::Rear => from.rear_contact(),
        Relation::Behind => from.behind(),
        Relation::Ahead => from.ahead(size),
        Relation::Beside(side) => from.beside(side, size),
        Relation::Facing(far) => from.pose.forward(far).opposed(),
        Relation::Overlap(side) => {
            let aside = from.size.width / 2 + size.width / 2;
            from.pose.sideways(aside * side.sign()).opposed()
        }
        Relation::Touching(edge) => {
            let s = from.size;
            let (middle, turn) = match edge {
                field::Edge::Front => (Point::new(0, 0), field::HALF_TURN),
                field::Edge::Rear => (Point::new(0, -s.depth), 0),
                field::Edge::Left => (Point::new(s.left(), -s.depth / 2), field::QUARTER_TURN),
                field::Edge::Right => (Point::new(s.right(), -s.depth / 2), -field::QUARTER_TURN),
            };
            Pose::at(from.pose.to_world(middle), from.pose.heading.turned(turn))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::PACE;

    #[test]
    fn places_in_words() {
        let base = Base::new(
            Pose::new(1_200 * PACE, 1_000 * PACE, field::Heading::UP),
            Size::new(160 * PACE, 60 * PACE),
        );
        let at = |text: &str| match read_place(text) {
            Ok(Place::From(relation, label)) => {
                assert_eq!(label, "b.spr1");
                crate::figure::pose(place(relation, &base, base.size))
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(at("in front contact with B.Spr1"), "1200 1000 180");
        assert_eq!(at("in left flank contact with B.Spr1"), "1120 920 90");
        assert_eq!(at("in rear contact with B.Spr1"), "1200 940 0");
        assert_eq!(at("behind B.Spr1"), "1200 940 0");
        assert_eq!(at("right of B.Spr1"), "1360 1000 0");
        assert_eq!(at("facing B.Spr1 at 150"), "1200 1150 180");
        assert_eq!(at("overlapping the left of B.Spr1"), "1040 1000 180");
        assert_eq!(read_place("1200 300 90").ok(), read_place("1200.0 300 90").ok());
        assert!(read_place("near B.Spr1").unwrap_err().to_string().contains("front contact"));
    }
}
