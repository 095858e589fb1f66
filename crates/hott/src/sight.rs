//! Who sees whom (HOTT-067, HOTT-068, HOTT-351), and whom a shot may cross (HOTT-228).

use crate::battle::{Battle, ElementId, State, Strong};
use crate::ground::{Feature, Ground};
use crate::table::{Class, Tables};
use field::{Base, Hull, PACE, Segment, Shape, TOLERANCE};

/// HOTT-067, HOTT-068, HOTT-351: whether terrain lets two bases see each other along the line between their
/// nearest points. Elements do not matter here (HOTT-094).
#[must_use]
pub fn terrain_lets_see(tables: &Tables, ground: &Ground, a: &Base, b: &Base) -> bool {
    lets_see_along(tables, ground, a, b, &Hull::sight(a, b))
}

fn lets_see_along(tables: &Tables, ground: &Ground, a: &Base, b: &Base, line: &Segment) -> bool {
    ground.features().iter().all(|f| {
        if f.kind.is_wood() {
            return through_wood(tables, &f.shape, a, b, line);
        }
        !f.hides(line)
    })
}

/// HOTT-068, HOTT-351, HOTT-R32: past the rim of a wood or BUA sight reaches so far, measured along the line.
fn through_wood(tables: &Tables, wood: &Shape, a: &Base, b: &Base, line: &Segment) -> bool {
    match (wood.overlaps(a), wood.overlaps(b)) {
        (false, false) => !wood.crosses(line),
        (true, true) => a.within(b, tables.options.wood_sight * PACE),
        _ => wood.inside_length(line) <= tables.numbers.edge_sight * PACE + TOLERANCE,
    }
}

/// HOTT-067, HOTT-228: whether the strip from a shooting edge to the target's edge is free of elements,
/// Strongholds and terrain that blocks. Aerials do not block ground shooting (HOTT-229).
#[must_use]
pub fn strip_is_free(
    battle: &Battle,
    state: &State,
    shooter: (Option<ElementId>, &Base),
    target: (Option<ElementId>, &Base),
) -> bool {
    in_the_strip(battle, state, shooter, target).is_none()
}

/// What first is found in the way of a shot, in words; `None`: nothing.
pub(crate) fn in_the_strip(
    battle: &Battle,
    state: &State,
    shooter: (Option<ElementId>, &Base),
    target: (Option<ElementId>, &Base),
) -> Option<String> {
    let (from, to) = (shooter.1, target.1);
    let strip = Hull::shot(from, to);
    let in_the_way = |id: &ElementId| {
        let id = *id;
        let who = battle.element(id);
        state.on_table(id)
            && Some(id) != shooter.0
            && Some(id) != target.0
            && battle.tables.class(who.ty) != Class::Aerial
            && strip.overlaps(&Base::new(state.element(id).pose, who.size))
    };
    if let Some(id) = battle.ids().find(in_the_way) {
        return Some(battle.full_label(id));
    }
    let stronghold =
        |strong: &Strong| matches!(strong, Strong::Stands(base) if base != to && strip.overlaps(base));
    if let Some(n) = state.sides.iter().position(|s| stronghold(&s.strong)) {
        return Some(format!("the Stronghold of {}", battle.sides[n].letter));
    }
    strip_hidden_by(&battle.tables, &state.ground, from, to, &strip).map(crate::ground::name)
}

fn strip_hidden_by<'a>(
    tables: &Tables,
    ground: &'a Ground,
    a: &Base,
    b: &Base,
    strip: &Hull,
) -> Option<&'a Feature> {
    let line = Hull::sight(a, b);
    ground.features().iter().find(|f| {
        let open = if f.kind.is_wood() {
            if !f.shape.overlaps(a) && !f.shape.overlaps(b) {
                !f.shape.overlaps_hull(strip)
            } else {
                through_wood(tables, &f.shape, a, b, &line)
            }
        } else {
            !f.hides(&line)
        };
        !open
    })
}
