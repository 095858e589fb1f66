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
                        // BB-076: Scouts that supported were pushed as far as he recoiled; they run first.
                        if let Some(scouts) = partner.filter(|p| self.shares_flight(*p)) {
                            queue.push_front(Deed::Run(scouts));
                        }
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

    /// BB-076: Scouts recoil and flee with the one they supported.
    pub(crate) fn shares_flight(&self, who: ElementId) -> bool {
        use crate::table::options::ScoutFate;
        self.battle.element(who).ty == crate::table::TroopType::Sct
            && self.battle.tables.big.scout_fate == ScoutFate::All
    }

    /// The rule by which a supporter shares the fate of the one in front (HOTT-332, BB-076).
    pub(crate) fn fate_rule(&self, who: ElementId) -> rulebook::RuleId {
        if self.battle.element(who).ty == crate::table::TroopType::Sct {
            rulebook::rule!("BB-076")
        } else {
            rulebook::rule!("HOTT-332")
        }
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
            self.remove(partner, Departure::Destroyed, self.fate_rule(partner));
        }
    }
}
