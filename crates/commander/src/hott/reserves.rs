//! What stands off the table: Gods, Dragons, Lurkers, fallen Hordes, frogs.

use super::clash::combats;
use super::fights::purses;
use super::look::Look;
use super::steady::is_legal;
use super::terrain::Terrain;
use crate::Sight;
use field::{Base, BoardEdge, PACE, Point, Pose};
use game::{Actor, Game};
use hott::battle::{Ambush, Battle, Command, ElementId, Face, Fate, Flags, SideId, State, Strong};
use hott::contacts::Contacts;
use hott::table::TroopType;

/// Whether anything comes back without PIPs: who was ensorcelled by one that is gone (HOTT-203).
pub(super) fn any_free(battle: &Battle, state: &State, side: SideId) -> bool {
    battle.ids_of(side).any(|id| is_freed(battle, state, id))
}

fn is_freed(battle: &Battle, state: &State, id: ElementId) -> bool {
    let now = state.element(id);
    now.fate == Fate::Ensorcelled
        && battle.tables.options.enchanter_loss_frees
        && now.enchanter.is_some_and(|e| matches!(state.element(e).fate, Fate::Destroyed | Fate::Ensorcelled))
}

/// What is worth bringing on now.
pub(super) fn best(sight: &Sight<'_, Battle>, side: SideId, left: i32) -> Option<Command> {
    let (battle, state) = (sight.game, sight.state);
    let off = |id: &ElementId| state.element(*id).fate != Fate::Table;
    if !battle.ids_of(side).any(|id| off(&id)) {
        return None;
    }
    let numbers = &battle.tables.numbers;
    let waiting: Vec<ElementId> = battle.ids_of(side).filter(off).collect();
    for id in waiting.iter().copied().filter(|id| is_freed(battle, state, *id)) {
        if let Some(command) = come_back(sight, side, id) {
            return Some(command);
        }
    }
    if let Some(command) = ambush(sight, side, &waiting, left) {
        return Some(command);
    }
    if left >= numbers.pip_desorcel {
        let frog = waiting.iter().copied().filter(|id| state.element(*id).fate == Fate::Ensorcelled);
        if let Some(id) = frog.max_by_key(|id| (battle.element(*id).general, battle.element(*id).halves))
            && let Some(command) = come_back(sight, side, id)
        {
            return Some(command);
        }
    }
    if left >= numbers.pip_dragons.min(numbers.pip_god)
        && let Some(command) = arrive(sight, side, &waiting)
    {
        return Some(command);
    }
    // A Horde costs one PIP and wipes out a loss: once the lines have met, or when losses weigh.
    if left >= numbers.pip_horde {
        let fallen = waiting.iter().copied().find(|id| {
            battle.element(*id).ty == TroopType::Hrd && state.element(*id).fate == Fate::Destroyed
        });
        if let Some(id) = fallen
            && horde_matters(battle, state, side, left)
        {
            return come_back(sight, side, id);
        }
    }
    None
}

/// Whether a returned Horde is worth the PIP: with PIPs to spare, or near defeat.
fn horde_matters(battle: &Battle, state: &State, side: SideId, left: i32) -> bool {
    let purse = &purses(battle, state, side)[0];
    purse.is_near_half() || left >= 4
}

/// A God or the Dragons, where they reach most prey.
fn arrive(sight: &Sight<'_, Battle>, side: SideId, waiting: &[ElementId]) -> Option<Command> {
    let (battle, state) = (sight.game, sight.state);
    let of = |ty: TroopType| -> Vec<ElementId> {
        waiting
            .iter()
            .copied()
            .filter(|id| battle.element(*id).ty == ty && state.element(*id).fate == Fate::Waiting)
            .collect()
    };
    let dragons = of(TroopType::Drg);
    let gods = of(TroopType::God);
    let who: Vec<ElementId> = if !dragons.is_empty() {
        dragons
    } else {
        // A God leaves on a 1 and is lost then: it comes when there is work at hand.
        gods.into_iter().take(1).collect()
    };
    let first = *who.first()?;
    let terrain = Terrain::default();
    let look = Look::new(battle, state, side, &terrain);
    let close = look.foes.iter().any(|f| {
        let v = &look.units[*f];
        look.mine.iter().any(|m| !look.units[*m].base.far_from(&v.base, 450 * PACE))
    });
    if battle.element(first).ty == TroopType::God && !close {
        return None;
    }
    let prey = nearest_prey(&look)?;
    let mut placed: Vec<(ElementId, Pose)> = Vec::new();
    for id in who {
        let pose = edge_places(battle, state, side, id, prey).find(|pose| {
            let base = Base::new(*pose, battle.element(id).size);
            !look.is_taken(&base, &[])
                && placed.iter().all(|(o, p)| !base.overlaps(&Base::new(*p, battle.element(*o).size)))
                && !look.foes.iter().any(|f| look.units[*f].base.touches(&base))
                && state.ground.under(&base).forbids_end(&battle.tables, battle.class(id)).is_none()
        })?;
        placed.push((id, pose));
    }
    let command = Command::Arrive(placed);
    is_legal(sight, &command).then_some(command)
}

/// The foe nearest to the own general or, without one, to anybody.
fn nearest_prey(look: &Look<'_>) -> Option<Point> {
    let from = look
        .mine
        .iter()
        .map(|m| &look.units[*m])
        .find(|u| u.general)
        .or_else(|| look.mine.first().map(|m| &look.units[*m]))?
        .base
        .pose
        .point();
    look.foes.iter().map(|f| look.units[*f].base.pose.point()).min_by_key(|p| p.distance_squared(from))
}

/// Places with the rear edge on the own base edge, the nearest to a point first.
fn edge_places(
    battle: &Battle,
    state: &State,
    side: SideId,
    id: ElementId,
    near: Point,
) -> impl Iterator<Item = Pose> + use<> {
    let edge = state.side(side).edge.unwrap_or(BoardEdge::Lower);
    let size = battle.element(id).size;
    let (w, h) = (battle.board.width, battle.board.height);
    let (foot, long) = match edge {
        BoardEdge::Lower => (Point::new(w / 2, 0), w),
        BoardEdge::Upper => (Point::new(w / 2, h), w),
        BoardEdge::Left => (Point::new(0, h / 2), h),
        BoardEdge::Right => (Point::new(w, h / 2), h),
    };
    let origin = Pose::at(foot, edge.inward());
    let step = size.width / 2;
    let most = (long / 2 - size.width / 2 - PACE) / step;
    let want = (origin.to_local(near).x / step).clamp(-most, most);
    (0..=4 * most)
        .map(move |k| if k % 2 == 0 { want + k / 2 } else { want - (k + 1) / 2 })
        .filter(move |k| k.abs() <= most)
        .map(move |k| origin.moved(k * step, size.depth))
}

/// A Horde or one that was ensorcelled.
fn come_back(sight: &Sight<'_, Battle>, side: SideId, id: ElementId) -> Option<Command> {
    let (battle, state) = (sight.game, sight.state);
    let info = battle.element(id);
    let size = info.size;
    let terrain = Terrain::default();
    let look = Look::new(battle, state, side, &terrain);
    let prey = nearest_prey(&look)?;
    let order = |pose: Pose, declared: bool| Command::Return { who: id, pose, declared };
    let clear = |pose: &Pose| {
        let base = Base::new(*pose, size);
        !look.is_taken(&base, &[]) && !look.foes.iter().any(|f| look.units[*f].base.touches(&base))
    };
    if info.ty == TroopType::Mag {
        // HOTT-205: on its marker, or near it.
        let marker = state.element(id).pose;
        let step = battle.base_width() / 2;
        let rings = (0..=3).flat_map(move |ring: i32| {
            [(0, -1), (1, 0), (-1, 0), (0, 1), (1, -1), (-1, -1)]
                .map(|(x, y)| marker.moved(x * ring * step, y * ring * step))
        });
        return rings.into_iter().filter(clear).take(6).map(|p| order(p, false)).find(|c| is_legal(sight, c));
    }
    if info.ty == TroopType::Hrd {
        // HOTT-198: at the base edge, or by the own Stronghold when that is nearer to the fight.
        return edge_places(battle, state, side, id, prey)
            .filter(clear)
            .take(6)
            .map(|p| order(p, false))
            .find(|c| is_legal(sight, c));
    }
    // HOTT-204: a Hero comes back at the enemy's edge, or at his Stronghold to storm it.
    let enemy = (0..battle.sides.len())
        .filter_map(|n| u8::try_from(n).ok())
        .map(SideId)
        .find(|s| battle.hostile(side, *s))?;
    if let Strong::Stands(strong) = state.side(enemy).strong {
        let storm = [strong.front_contact(), strong.rear_contact()].map(|p| order(p, true));
        if let Some(command) = storm.into_iter().find(|c| is_legal(sight, c)) {
            return Some(command);
        }
    }
    edge_places(battle, state, enemy, id, prey)
        .filter(clear)
        .take(6)
        .map(|p| order(p, false))
        .find(|c| is_legal(sight, c))
}

/// A Lurker against an enemy who has gone into bad going, where it promises anything.
fn ambush(sight: &Sight<'_, Battle>, side: SideId, waiting: &[ElementId], left: i32) -> Option<Command> {
    let (battle, state) = (sight.game, sight.state);
    let numbers = &battle.tables.numbers;
    let mut best: Option<(i32, Command)> = None;
    let mut before = None;
    for who in waiting.iter().copied().filter(|id| battle.element(*id).ty.is_lurker()) {
        let again = i32::from(state.element(who).appearances) * numbers.pip_lurker_again;
        if numbers.pip_lurker + again > left {
            continue;
        }
        let water = battle.element(who).ty == TroopType::WLk;
        for enemy in battle.ids().filter(|e| state.on_table(*e) && battle.enemies(who, *e)) {
            let base = battle.base(state, enemy);
            let hides =
                state.ground.features_under(&base).any(|(_, f)| hott::ground::Ground::hides(f, water));
            if !hides
                || !state.element(enemy).flags.has(Flags::STIRRED_BEFORE)
                || !battle.class(enemy).is_ground()
            {
                continue;
            }
            for face in [Face::Rear, Face::Left, Face::Right, Face::Front] {
                let command = Command::Lurk(Ambush { who, face, enemy });
                let tried = sight.game.play(state, Actor::Seat(sight.seat), &command, &mut dice::Fixed(3));
                let Ok((mut after, mut events)) = tried else { continue };
                hott::moves::turn_to_face(battle, &mut after, side, &mut events);
                let purses = purses(battle, state, side);
                let value = |s: &State| combats(battle, s, &Contacts::of(battle, s), side, &purses);
                let was = *before.get_or_insert_with(|| value(state));
                let gain = value(&after) - was;
                if gain > 12 && best.as_ref().is_none_or(|(b, _)| gain > *b) {
                    best = Some((gain, command));
                }
            }
        }
    }
    best.map(|(_, command)| command)
}
