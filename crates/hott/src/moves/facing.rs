//! Step 3: elements contacted in flank or rear turn to face (HOTT-083, HOTT-173, HOTT-174).

use super::pass::stronghold_base;
use crate::battle::{Battle, ElementId, Event, SideId, State};
use crate::contacts::{Contacts, base_of};
use field::{Base, Len};
use rulebook::rule;

/// HOTT-173, HOTT-R04: at the end of the tactical moves of `side`, every element in enemy flank or rear contact and in
/// no front contact turns to face the first such enemy, if there is room; those hostile to `side` first.
pub fn turn_to_face(battle: &Battle, state: &mut State, side: SideId, events: &mut Vec<Event>) {
    // Outcome moves of the bound before may have ended contacts that Aerials had declared.
    super::forget_ended_declarations(battle, state);
    let mut contacts = Contacts::default();
    let mut tried = vec![false; battle.elements.len()];
    loop {
        contacts.refill(battle, state);
        let next = battle
            .ids()
            .filter(|id| !tried[id.index()])
            .filter_map(|id| {
                let now = contacts.touching(id);
                let foe = first_enemy(state, &contacts, id).filter(|_| now.front.is_none())?;
                let order = state.element(foe).charged;
                Some(((!battle.hostile(side, battle.element(id).side), order, id), foe))
            })
            .min();
        let Some(((_, _, id), foe)) = next else { return };
        tried[id.index()] = true;
        turn(battle, state, &contacts, id, foe, events);
    }
}

/// HOTT-R04: the enemy at flank or rear that came first: one of an earlier bound, else by the order of moves, else
/// left, right, rear.
fn first_enemy(state: &State, contacts: &Contacts, id: ElementId) -> Option<ElementId> {
    contacts.touching(id).hitters().min_by_key(|e| state.element(*e).charged)
}

/// Turns an element onto an enemy's front, friends making room; leaves all as it is if there is none.
fn turn(
    battle: &Battle,
    state: &mut State,
    contacts: &Contacts,
    id: ElementId,
    foe: ElementId,
    events: &mut Vec<Event>,
) {
    let to = base_of(battle, state, foe).front_contact();
    let mut places: Vec<(ElementId, Base)> = vec![(id, Base::new(to, battle.element(id).size))];
    let mut next = 0;
    while let Some((mover, base)) = places.get(next).copied() {
        next += 1;
        if !may_stand(battle, state, mover, &base) {
            return;
        }
        for other in battle.ids().filter(|o| state.on_table(*o) && *o != mover) {
            let placed = places.iter().position(|(p, _)| *p == other);
            let theirs = placed.map_or_else(|| base_of(battle, state, other), |i| places[i].1);
            if !base.overlaps(&theirs) {
                continue;
            }
            if other == id || battle.enemies(id, other) || contacts.in_contact(other) {
                return;
            }
            let Some(moved) = back_from(battle, &theirs, &base) else { return };
            if let Some(i) = placed {
                places.remove(i);
                next -= usize::from(i < next);
            }
            places.push((other, moved));
            if places.len() > battle.elements.len() || next > 64 {
                return;
            }
        }
    }
    for (mover, base) in places {
        let from = std::mem::replace(&mut state.elements[mover.index()].pose, base.pose);
        events.push(if mover == id {
            Event::Turned { who: id, from, to: base.pose, enemy: foe }
        } else {
            Event::Conformed { who: mover, from, to: base.pose, rule: rule!("HOTT-173") }
        });
    }
}

/// Whether the ground, the board and Strongholds let an element stand here.
fn may_stand(battle: &Battle, state: &State, id: ElementId, base: &Base) -> bool {
    let class = battle.tables.class(battle.element(id).ty);
    battle.board.contains(base)
        && state.sides.iter().filter_map(|s| stronghold_base(&s.strong)).all(|s| !base.overlaps(&s))
        && state.ground.under(base).forbids_end(&battle.tables, class).is_none()
}

/// A base moved straight to its own rear by as little as parts it from another.
fn back_from(battle: &Battle, base: &Base, from: &Base) -> Option<Base> {
    let at = |by: Len| base.at(base.pose.back(by));
    let (mut low, mut high) = (0, 2 * battle.base_width());
    if at(high).penetration(from) > 0 {
        return None;
    }
    while low < high {
        let by = (low + high) / 2;
        if at(by).penetration(from) > 0 { low = by + 1 } else { high = by }
    }
    Some(at(low))
}
