//! HOTT-324 to HOTT-331: pursuit.

use crate::battle::{ElementId, Event, Flags, Strong};
use crate::bound::Play;
use crate::table::{Class, TroopType};
use field::{Base, Hull, Pose, TOLERANCE, run_straight};
use rulebook::rule;

impl Play<'_> {
    /// HOTT-325 to HOTT-328: straight ahead, stopping on contact; HOTT-326: the rear rank follows as far.
    pub(crate) fn pursue(&mut self, who: ElementId, second: Option<ElementId>) {
        if !self.stands(who) {
            return;
        }
        let base = self.base(who);
        let distance = self.step_length(who);
        let run =
            run_straight(&base, base.pose.heading, distance, |hull| self.pursuit_stops(who, &base, hull));
        let to = self.snapped(who, run.pose);
        let from = base.pose;
        let travelled = run.travelled;
        if travelled <= TOLERANCE {
            return;
        }
        self.put(who, to);
        self.now(who).flags.set(Flags::PURSUED);
        self.events.push(Event::Pursued { who, from, to });
        if let Some(rear) = second.filter(|r| self.stands(*r)) {
            let from = self.state.element(rear).pose;
            let ahead = self.base(who);
            let to = if travelled == distance { from.forward(distance) } else { ahead.behind() };
            self.put(rear, to);
            self.now(rear).flags.set(Flags::PURSUED);
            self.events.push(Event::Pursued { who: rear, from, to });
        }
    }

    /// HOTT-325, HOTT-328: what stops a pursuit.
    fn pursuit_stops(&self, who: ElementId, start: &Base, hull: &Hull) -> bool {
        if !self.battle.board.contains_hull(hull) {
            return true;
        }
        // What lies under it at the start, itself too, does not stop it; a second rank is behind it.
        let element = |id: ElementId| {
            self.stands(id) && {
                let base = self.base(id);
                hull.overlaps(&base) && !start.overlaps(&base)
            }
        };
        if self.battle.ids().any(element) {
            return true;
        }
        let strong = |s: &Strong| match s {
            Strong::Stands(b) | Strong::Lost(b) => hull.overlaps(b) && !start.overlaps(b),
            _ => false,
        };
        if self.state.sides.iter().any(|s| strong(&s.strong)) {
            return true;
        }
        let class = self.battle.class(who);
        if class == Class::Aerial {
            return false;
        }
        let inside: Vec<usize> = self.state.ground.features_under(start).map(|(n, _)| n).collect();
        self.state
            .ground
            .features()
            .iter()
            .enumerate()
            .any(|(n, f)| !inside.contains(&n) && self.shuns(who, f) && f.shape.overlaps_hull(hull))
    }

    /// HOTT-328, BB-069: terrain into which this element does not pursue.
    fn shuns(&self, who: ElementId, feature: &crate::ground::Feature) -> bool {
        use crate::ground::Kind;
        let ty = self.battle.element(who).ty;
        let kind = feature.kind;
        let careful = kind.is_wood() || matches!(kind, Kind::Steep | Kind::Plateau);
        let of_old = self.battle.tables.troop(ty).pursues;
        kind.is_water()
            || kind == Kind::Cliff
            || match ty {
                TroopType::Kni => careful,
                TroopType::Art => kind.is_bad(),
                _ if of_old => false,
                _ => careful && !self.battle.tables.at_home_in_bad_going(ty),
            }
    }

    /// A pursuit that ends on an enemy's front is made from the enemy's frame, so that contact is exact.
    fn snapped(&self, who: ElementId, pose: Pose) -> Pose {
        let near = |exact: Pose| {
            exact.point().within(pose.point(), 2 * TOLERANCE)
                && exact.heading.angle_to(pose.heading) <= TOLERANCE
        };
        let size = self.battle.element(who).size;
        for enemy in self.battle.ids().filter(|e| self.stands(*e) && self.battle.enemies(who, *e)) {
            let base = self.base(enemy);
            let places = [
                base.front_contact(),
                base.rear_contact(),
                base.flank_contact(field::Side::Left, size),
                base.flank_contact(field::Side::Right, size),
            ];
            if let Some(exact) = places.into_iter().find(|p| near(*p)) {
                return exact;
            }
        }
        pose
    }

    /// HOTT-179, BB-049: the pursuit by one from whom another broke off. BB-069: only rear ranks of Warbands follow.
    pub(crate) fn pursue_breaking_off(&mut self, who: ElementId) {
        let ty = self.battle.element(who).ty;
        let second = self
            .battle
            .supporter(self.state, who)
            .map(|s| s.0)
            .filter(|r| self.battle.element(*r).ty == ty && self.battle.tables.troop(ty).pursues);
        let _ = rule!("HOTT-179");
        self.pursue(who, second);
        self.tidy();
    }
}
