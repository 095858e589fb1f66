//! HOTT-302 to HOTT-315, HOTT-358: recoils, with passing, crushing, pushing and being stopped.

use crate::battle::{Departure, ElementId, Event, Strong};
use crate::bound::Play;
use crate::contacts::Contacts;
use crate::moves::passage;
use crate::table::{Class, TroopType};
use field::{Base, Hull, Len, TOLERANCE, same_facing};
use rulebook::{RuleId, rule};

/// HOTT-306, HOTT-307.
fn is_huge(ty: TroopType) -> bool {
    matches!(ty, TroopType::Beh | TroopType::Drg | TroopType::God)
}

/// How far back a pushed or recoiling element gets.
enum Way {
    /// All the way.
    Free,
    /// Only so far; by this rule it is stopped.
    Stopped(Len, RuleId),
}

impl Play<'_> {
    /// One base depth or one base width, whichever is less (HOTT-302, HOTT-325).
    pub(crate) fn step_length(&self, who: ElementId) -> Len {
        self.battle.element(who).size.depth.min(self.battle.base_width())
    }

    /// A recoil with all its consequences; `true` if the element is still on the table.
    pub(crate) fn recoil(&mut self, who: ElementId, partner: Option<ElementId>) -> bool {
        if !self.stands(who) {
            return false;
        }
        let contacts = self.contacts();
        if self.is_trapped(&contacts, who) {
            self.blocked(who, partner, rule!("HOTT-303"));
            return false;
        }
        // BB-076: Scouts that supported recoil as he does, and are lost where a recoil is.
        if let Some(scouts) = partner.filter(|p| self.shares_flight(*p) && self.is_trapped(&contacts, *p)) {
            self.remove(scouts, Departure::Destroyed, rule!("HOTT-303"));
        }
        let distance = self.step_length(who);
        match self.clear_the_way(&contacts, who, distance) {
            Ok(distance) => {
                let from = self.state.element(who).pose;
                let to = from.back(distance);
                self.put(who, to);
                self.events.push(Event::Recoiled { who, from, to });
                if self.battle.board.crossed(&self.base(who)).is_some() {
                    self.remove(who, Departure::Fled, rule!("HOTT-311"));
                }
                self.stands(who)
            }
            Err(rule) => {
                self.blocked(who, partner, rule);
                false
            }
        }
    }

    /// HOTT-303: an enemy other than a Sneaker in contact with its flank or rear; of a general Sneakers too.
    fn is_trapped(&self, contacts: &Contacts, who: ElementId) -> bool {
        let general = self.battle.holds_general(self.state, who);
        let counts = general || self.battle.tables.options.sneaker_break;
        contacts.touching(who).hitters().any(|e| counts || self.battle.element(e).ty != TroopType::Snk)
    }

    /// What lies on a straight way back: elements with how far back each begins, nearest first.
    fn met(&self, who: ElementId, distance: Len) -> Vec<(Len, ElementId)> {
        let base = self.base(who);
        let sweep = Hull::sweep(&base, &base.at(base.pose.back(distance)));
        let frame = base.pose.frame();
        let mut met: Vec<(Len, ElementId)> = self
            .battle
            .ids()
            .filter(|id| *id != who && self.stands(*id) && sweep.overlaps(&self.base(*id)))
            // What it already stands on, by a hair or as an Aerial overhead, it does not meet.
            .filter(|id| !base.overlaps(&self.base(*id)))
            .map(|id| {
                let front =
                    self.base(id).corners().map(|c| frame.to_local(c).y).into_iter().max().unwrap_or(0);
                ((-base.size.depth - front).max(0), id)
            })
            .collect();
        met.sort_unstable();
        met
    }

    /// HOTT-308, HOTT-310: ground or a Stronghold on the way back that stops it, and how far off it is.
    fn wall(&self, who: ElementId, distance: Len) -> Option<(Len, RuleId)> {
        let base = self.base(who);
        let class = self.battle.class(who);
        let end = self.state.ground.under(&base.at(base.pose.back(distance)));
        let blocked = |hull: &Hull| -> Option<RuleId> {
            let strong = |s: &Strong| match s {
                Strong::Stands(b) | Strong::Lost(b) => hull.overlaps(b) && !base.overlaps(b),
                _ => false,
            };
            if self.state.sides.iter().any(|s| strong(&s.strong)) {
                return Some(rule!("HOTT-308"));
            }
            let crossed = self.state.ground.crossed(hull);
            let under = self.state.ground.under(&base);
            if class == Class::Aerial {
                // BB-088 takes woods and BUAs out.
                let wood = crossed.footing.wood && !under.footing.wood && !self.battle.tables.is_big();
                // HOTT-060: over a cliff it flies, and cannot stay there.
                let cliff = end.cliff && crossed.cliff && !under.cliff;
                return wood.then_some(rule!("HOTT-310")).or(cliff.then_some(rule!("HOTT-308")));
            }
            let here = under.forbids(&self.battle.tables, class).is_some();
            (crossed.forbids(&self.battle.tables, class).is_some() && !here).then_some(rule!("HOTT-308"))
        };
        let rule = blocked(&Hull::sweep(&base, &base.at(base.pose.back(distance))))?;
        let run = field::run_straight(&base, base.pose.heading.opposite(), distance, |hull| {
            blocked(hull).is_some()
        });
        Some((run.travelled, rule))
    }

    /// HOTT-358: along the way back, nearest first, each thing met is passed, crushed or pushed, or stops it. Gives
    /// the distance, which passing may lengthen (HOTT-R34).
    fn clear_the_way(&mut self, contacts: &Contacts, who: ElementId, distance: Len) -> Result<Len, RuleId> {
        let aerial = self.is_aerial(who);
        let mut distance = distance;
        // Everything met is dealt with once; a lengthened way may meet more.
        let mut done: Vec<ElementId> = Vec::new();
        loop {
            let wall = self.wall(who, distance);
            let next = self.met(who, distance).into_iter().find(|(_, id)| !done.contains(id));
            let Some((near, id)) = next else {
                return match wall {
                    Some((_, rule)) => Err(rule),
                    None => Ok(distance),
                };
            };
            if let Some((at, rule)) = wall
                && at < near
            {
                return Err(rule);
            }
            done.push(id);
            let friend = !self.battle.enemies(who, id);
            if self.crushes(who, id) {
                self.remove(id, Departure::Destroyed, rule!("HOTT-307"));
                continue;
            }
            if self.lets_through(contacts, who, id) {
                // HOTT-304, HOTT-313, HOTT-R34: on till it stands wholly beyond, if there is room.
                if let Some(beyond) = self.beyond(contacts, who, id, distance) {
                    distance = beyond;
                    continue;
                }
            }
            if !friend {
                return Err(if aerial { rule!("HOTT-310") } else { rule!("HOTT-308") });
            }
            let rest = distance - near;
            match self.push(who, id, rest) {
                Way::Free => {}
                Way::Stopped(by, rule) => {
                    // HOTT-309: the pushed friend stays where the blocking stopped it.
                    let from = self.state.element(id).pose;
                    let to = from.back(by);
                    if by > 0 {
                        self.put(id, to);
                        self.events.push(Event::Pushed { who: id, from, to, by: who });
                    }
                    return Err(rule);
                }
            }
        }
    }

    /// HOTT-307: whether a recoiling element destroys what it meets.
    fn crushes(&self, who: ElementId, met: ElementId) -> bool {
        let spared =
            matches!(self.battle.element(met).ty, TroopType::Beh | TroopType::Snk) || self.is_aerial(met);
        matches!(self.battle.element(who).ty, TroopType::Beh | TroopType::Drg) && !spared
    }

    /// HOTT-304, HOTT-310, HOTT-313: whether a recoil goes through what it meets, room given.
    fn lets_through(&self, contacts: &Contacts, who: ElementId, met: ElementId) -> bool {
        self.battle.element(met).ty == TroopType::Snk
            || !self.is_aerial(who) && self.passes(contacts, who, met)
    }

    fn passes(&self, contacts: &Contacts, who: ElementId, id: ElementId) -> bool {
        let headings = Some((self.state.element(who).pose.heading, self.state.element(id).pose.heading));
        passage(self.battle, contacts, who, id, headings).is_open()
    }

    /// HOTT-151, HOTT-304: the least distance, not less than the given one, at which a recoiler stands clear of
    /// everything it may pass from here on; `None` if something else is in the way or no ground to stand on.
    fn beyond(&self, contacts: &Contacts, who: ElementId, first: ElementId, distance: Len) -> Option<Len> {
        let base = self.base(who);
        let frame = base.pose.frame();
        let rear = |id: ElementId| {
            -self.base(id).corners().map(|c| frame.to_local(c).y).into_iter().min().unwrap_or(0)
        };
        let mut far = distance;
        if base.at(base.pose.back(far)).overlaps(&self.base(first)) {
            far = far.max(rear(first));
        }
        // Each lengthening passes one more; there are not more than elements.
        for _ in 0..self.battle.elements.len() {
            let end = base.at(base.pose.back(far));
            let under: Vec<ElementId> = self
                .met(who, far)
                .into_iter()
                .map(|m| m.1)
                .filter(|id| end.overlaps(&self.base(*id)) && !self.crushes(who, *id))
                .collect();
            let Some(next) = under.first() else {
                let clear = self.battle.board.contains(&end) && self.wall(who, far).is_none();
                return clear.then_some(far);
            };
            if !self.lets_through(contacts, who, *next) {
                // With the plain distance what lies there may be pushed; a longer way is not open.
                return (far == distance).then_some(distance);
            }
            // It reaches beneath the end, so it ends farther on.
            far = rear(*next);
        }
        None
    }

    /// HOTT-305, HOTT-306: pushes a friend straight back; it pushes others in the same way.
    fn push(&mut self, by: ElementId, who: ElementId, distance: Len) -> Way {
        if distance <= TOLERANCE {
            return Way::Free;
        }
        let (pusher, pushed) = (self.battle.element(by).ty, self.battle.element(who).ty);
        if !same_facing(&self.base(by), &self.base(who)) {
            return Way::Stopped(0, rule!("HOTT-308"));
        }
        if is_huge(pushed) && !is_huge(pusher) {
            return Way::Stopped(0, rule!("HOTT-306"));
        }
        if let Some((at, _)) = self.wall(who, distance) {
            return Way::Stopped(at, rule!("HOTT-309"));
        }
        let base = self.base(who);
        let end = base.at(base.pose.back(distance));
        for (near, next) in self.met(who, distance) {
            // HOTT-313: through a Sneaker, if it comes to stand clear of it; else it is as anybody.
            let through = self.battle.element(next).ty == TroopType::Snk && !end.overlaps(&self.base(next));
            if through {
                continue;
            }
            if self.battle.enemies(who, next) {
                return Way::Stopped(near, rule!("HOTT-309"));
            }
            if let Way::Stopped(at, _) = self.push(who, next, distance - near) {
                let from = self.state.element(next).pose;
                if at > 0 {
                    let to = from.back(at);
                    self.put(next, to);
                    self.events.push(Event::Pushed { who: next, from, to, by: who });
                }
                return Way::Stopped(near + at, rule!("HOTT-309"));
            }
        }
        let from = self.state.element(who).pose;
        let to = from.back(distance);
        self.put(who, to);
        self.events.push(Event::Pushed { who, from, to, by });
        if self.battle.board.crossed(&self.base(who)).is_some() {
            self.remove(who, Departure::Fled, rule!("HOTT-311"));
        }
        Way::Free
    }

    /// Where a base meets nothing of these.
    pub(crate) fn overlaps_any(&self, who: ElementId, base: &Base) -> bool {
        self.battle.ids().any(|id| id != who && self.stands(id) && base.overlaps(&self.base(id)))
    }
}
