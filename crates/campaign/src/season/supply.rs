//! Step 13: supply (CAM-066 to CAM-069).

use super::work::{Die, Work};
use crate::ids::{BodyId, PlaceId};
use crate::world::Way;
use dice::NoDice;
use rulebook::rule;

/// Whoever is out of supply loses d6 AP.
pub(crate) fn supply(w: &mut Work<'_>) -> Result<(), NoDice> {
    for id in w.ids() {
        if in_supply(w, id) {
            continue;
        }
        let Some(at) = w.at(id) else { continue };
        let n = w.d6("supply", Die::body(id).at(at))?;
        let named = w.named_losses(id);
        let gone = w.lose_ap(id, n, &named, 20)?;
        w.tell(
            id.nation,
            rule!("CAM-067"),
            format!("supply {id} {n} {}", Work::list(&gone)),
            format!("{} is out of supply at {at}: {n} AP, which is {}.", id.short(), Work::list(&gone)),
        );
        if let Some(body) = w.body(id)
            && !body.is_army(w.rules)
        {
            w.settle(id);
        }
    }
    if w.rules.is("remnants", "disperse") {
        for id in w.ids() {
            if w.s.kind(w.rules, id) == Some(crate::body::BodyKind::Remnant) {
                w.s.bodies.remove(&id);
                w.tell(
                    id.nation,
                    rule!("CAM-035"),
                    format!("disperses {id}"),
                    format!("{} disperses.", id.short()),
                );
            }
        }
    }
    Ok(())
}

/// CAM-066, CAM-068: in, or joined by standard land routes to, a friendly province.
pub(crate) fn in_supply(w: &Work<'_>, id: BodyId) -> bool {
    let Some(at) = w.at(id) else { return true };
    if w.friendly_to(id, at) {
        return true; // CAM-069
    }
    let nation = w.acts_for(id);
    let blocked = |place: PlaceId| {
        let foreign = |n| !w.s.friend(nation, n) && !w.s.friend(id.nation, n);
        let present = w.s.armies_at(w.rules, place).into_iter().any(|b| foreign(b.nation));
        let entered = w.rules.is("supply_cut", "entered")
            && w.s.turn.entered.iter().any(|(p, n)| *p == place && foreign(*n));
        present || entered
    };
    let far = w.world.distances(at, |from, e| {
        // Beyond its own place the line runs through empty provinces only.
        let through = from == at || !w.world.place(from).city && !blocked(from);
        e.way == Way::Land && through
    });
    far.keys().any(|p| *p != at && w.friendly_to(id, *p))
}
