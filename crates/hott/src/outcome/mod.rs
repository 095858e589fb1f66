//! Outcome moves (section 16): what fights, shots and spells bring about, deed by deed.

mod flight;
mod pursuit;
mod recoil;

use crate::battle::{Deed, Departure, ElementId, Flags, Pending};
use crate::bound::{Done, Play};
use field::Pose;
use std::collections::VecDeque;

impl Play<'_> {
    /// Carries deeds out in order, up to a choice of anybody; what is left then waits with the choice.
    pub(crate) fn carry(&mut self, deeds: Vec<Deed>, all: bool) -> Done {
        let mut queue = VecDeque::from(deeds);
        while let Some(deed) = queue.pop_front() {
            match deed {
                Deed::Recoil(who, partner) => {
                    self.recoil(who, partner);
                }
                Deed::RecoilAbout(who) => {
                    if self.stands(who) {
                        let about = self.base(who).turned_about().pose;
                        self.put(who, about);
                        self.recoil(who, None);
                    }
                }
                Deed::Share(who) => {
                    self.recoil(who, None);
                }
                Deed::Flee(who, partner) => {
                    if self.recoil(who, partner) {
                        queue.push_front(Deed::Run(who));
                    }
                }
                Deed::Run(who) => {
                    if let Some(ends) = self.run_away(who) {
                        self.state.pending.push(Pending::FlightWay { who, ends, then: queue.into(), all });
                        return Ok(());
                    }
                }
                Deed::Remove(who, how, rule) => self.remove(who, how, rule),
                Deed::Take(side, by) => self.take_stronghold(side, by),
                Deed::Pursue(who, second) => self.pursue(who, second),
            }
        }
        Ok(())
    }

    /// Puts an element elsewhere; it has stirred (HOTT-189).
    pub(crate) fn put(&mut self, who: ElementId, pose: Pose) {
        let now = self.now(who);
        now.pose = pose;
        now.flags.set(Flags::STIRRED);
    }

    /// HOTT-308 and others: an outcome move that cannot be made destroys; HOTT-332: with it falls its supporter.
    pub(crate) fn blocked(&mut self, who: ElementId, partner: Option<ElementId>, rule: rulebook::RuleId) {
        self.remove(who, Departure::Destroyed, rule);
        if let Some(partner) = partner {
            self.remove(partner, Departure::Destroyed, rulebook::rule!("HOTT-332"));
        }
    }
}
