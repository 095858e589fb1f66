//! Room to recoil into: whether an element that falls back is destroyed, and whom it treads down (HOTT-303 to HOTT-311).
//!
//! The engine works a recoil out on the table itself; here only its end is asked, for places where somebody might stand.

use field::{Base, Len};
use hott::battle::{Battle, ElementId, State, Strong};
use hott::contacts::{Contacts, base_of};
use hott::table::{Class, TroopType};

/// So many in a row are pushed at most before it is taken that something stops them.
const LONGEST_CHAIN: usize = 8;

/// HOTT-303 to HOTT-311: whether a recoil destroys an element where it stands, and what it crushes.
pub(super) fn recoil(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    id: ElementId,
    prices: &dyn Fn(ElementId) -> i32,
) -> (bool, i32) {
    let general = battle.element(id).general;
    if contacts.touching(id).hitters().any(|e| battle.element(e).ty != TroopType::Snk || general) {
        return (true, 0);
    }
    let base = base_of(battle, state, id);
    room(battle, state, contacts, (id, &base), prices)
}

/// The same of an element that stands, or would stand, there with nobody at its flanks or rear.
pub(super) fn room(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    (id, base): (ElementId, &Base),
    prices: &dyn Fn(ElementId) -> i32,
) -> (bool, i32) {
    room_if(&Ground { battle, state, contacts, moved: None }, (id, base), prices)
}

/// A position as it is, but for one element that stands elsewhere.
pub(super) struct Ground<'a> {
    pub battle: &'a Battle,
    pub state: &'a State,
    pub contacts: &'a Contacts,
    pub moved: Option<(ElementId, Base)>,
}

impl Ground<'_> {
    fn base(&self, id: ElementId) -> Base {
        match self.moved {
            Some((moved, base)) if moved == id => base,
            _ => base_of(self.battle, self.state, id),
        }
    }

    /// HOTT-308, HOTT-311: whether an element may not end a recoil there for the ground, a wall or the edge of the board.
    fn is_walled(&self, id: ElementId, from: &Base, to: &Base) -> bool {
        let (battle, state) = (self.battle, self.state);
        let class = battle.class(id);
        let (here, there) = (state.ground.under(from), state.ground.under(to));
        let strong = |s: &hott::battle::SideState| match s.strong {
            Strong::Stands(w) | Strong::Lost(w) => to.overlaps(&w),
            _ => false,
        };
        let wood =
            class == Class::Aerial && there.footing.wood && !here.footing.wood && !battle.tables.is_big();
        !battle.board.contains(to)
            || there.forbids(&battle.tables, class).is_some() && here.forbids(&battle.tables, class).is_none()
            || wood
            || state.sides.iter().any(strong)
    }

    /// Whoever stands where one would come to stand, but not where it stands now.
    fn met(&self, id: ElementId, from: &Base, to: &Base) -> Vec<(ElementId, Base)> {
        let others = self.battle.ids().filter(|o| *o != id && self.state.on_table(*o));
        others
            .map(|o| (o, self.base(o)))
            .filter(|(_, b)| !to.far_from(b, 0) && to.overlaps(b) && !from.overlaps(b))
            .collect()
    }

    /// HOTT-305, HOTT-309: whether a friend can be pushed straight back so far, pushing others.
    fn gives_way(&self, by: TroopType, (id, base): (ElementId, &Base), distance: Len, depth: usize) -> bool {
        if distance <= field::TOLERANCE {
            return true;
        }
        let ty = self.battle.element(id).ty;
        let end = base.at(base.pose.back(distance));
        if is_huge(ty) && !is_huge(by) || self.is_walled(id, base, &end) || depth == 0 {
            return false;
        }
        self.met(id, base, &end).into_iter().all(|(next, theirs)| {
            self.battle.element(next).ty == TroopType::Snk
                || !self.battle.enemies(id, next)
                    && field::same_facing(base, &theirs)
                    && self.gives_way(ty, (next, &theirs), distance - gap(base, &theirs), depth - 1)
        })
    }
}

/// HOTT-306
fn is_huge(ty: TroopType) -> bool {
    matches!(ty, TroopType::Beh | TroopType::Drg | TroopType::God)
}

/// How far behind one the other begins.
fn gap(base: &Base, behind: &Base) -> Len {
    let frame = base.pose.frame();
    let front = behind.corners().map(|c| frame.to_local(c).y).into_iter().max().unwrap_or(0);
    (-base.size.depth - front).max(0)
}

/// Whether a recoil kills there, and what it crushes.
pub(super) fn room_if(
    ground: &Ground<'_>,
    (id, base): (ElementId, &Base),
    prices: &dyn Fn(ElementId) -> i32,
) -> (bool, i32) {
    let battle = ground.battle;
    let by = base.size.depth.min(battle.base_width());
    let back: Base = base.at(base.pose.back(by));
    let ty = battle.element(id).ty;
    if ground.is_walled(id, base, &back) {
        return (true, 0);
    }
    let crushes = matches!(ty, TroopType::Beh | TroopType::Drg);
    let mut crushed = 0;
    for (other, theirs) in ground.met(id, base, &back) {
        let (them, enemy) = (battle.element(other).ty, battle.enemies(id, other));
        if them == TroopType::Snk {
            continue;
        }
        if crushes && them != TroopType::Beh && battle.class(other) != Class::Aerial {
            crushed += if enemy { -prices(other) } else { prices(other) };
            continue;
        }
        if enemy {
            return (true, 0);
        }
        let headings = Some((base.pose.heading, theirs.pose.heading));
        if battle.class(id) != Class::Aerial
            && hott::moves::passage(battle, ground.contacts, id, other, headings).is_open()
        {
            // Through it, with room beyond.
            let frame = base.pose.frame();
            let low = theirs.corners().map(|c| frame.to_local(c).y).into_iter().min().unwrap_or(0);
            let end = base.at(base.pose.forward(low));
            let clear =
                battle.board.contains(&end) && ground.met(id, base, &end).iter().all(|(o, _)| *o == other);
            if !clear {
                return (true, 0);
            }
            continue;
        }
        if !field::same_facing(base, &theirs)
            || !ground.gives_way(ty, (other, &theirs), by - gap(base, &theirs), LONGEST_CHAIN)
        {
            return (true, 0);
        }
    }
    (false, crushed)
}
