//! From a position to the facts of a fight (sections 12 to 14): everything that factors and outcomes ask for.

use crate::battle::{Battle, ElementId, Flags, State, Strong, Target};
use crate::contacts::{Contacts, friend_behind};
use crate::table::{Factor, Factors, Fighter, Mode, Support, TroopType};
use field::{Base, Hull, PACE};
use rulebook::rule;

impl Battle {
    /// The base of a target; `None` for a Stronghold that does not stand.
    #[must_use]
    pub fn target_base(&self, state: &State, target: Target) -> Option<Base> {
        match target {
            Target::Element(id) => Some(self.base(state, id)),
            Target::Stronghold(side) => match state.side(side).strong {
                Strong::Stands(base) => Some(base),
                _ => None,
            },
        }
    }

    /// What is true of an element whatever it does: type, general, grade, ground.
    fn plain_fighter(&self, state: &State, who: Target) -> Fighter {
        let Target::Element(id) = who else { return Fighter::new(TroopType::Str) };
        let info = self.element(id);
        let mut f = Fighter::new(info.ty);
        f.general = self.holds_general(state, id);
        f.grade = info.grade;
        f.footing = state.ground.footing(&self.base(state, id));
        let broken = state.command(info.command).demoralised;
        f.routed = broken && state.large.contest.is_some();
        f.demoralised = broken && !f.routed;
        f
    }

    /// HOTT-246, BB-015, BB-076: the element that supports another from behind, and how.
    #[must_use]
    pub fn supporter(&self, state: &State, id: ElementId) -> Option<(ElementId, Support)> {
        let behind = friend_behind(self, state, id)?;
        let (front, rear) = (self.element(id), self.element(behind));
        let footing = state.ground.footing(&self.base(state, behind));
        if front.ty == rear.ty {
            return Some((behind, Support::Rank { footing }));
        }
        (rear.ty == TroopType::Sct && rear.armed).then_some((behind, Support::Scouts { footing }))
    }

    /// One of the two in a close combat.
    #[must_use]
    pub fn close_fighter(
        &self,
        state: &State,
        contacts: &Contacts,
        me: Target,
        foe: Target,
        aids: &[ElementId],
    ) -> Fighter {
        let mut f = self.plain_fighter(state, me);
        let Target::Element(id) = me else {
            f.aids = aids.len() as u8;
            return f;
        };
        let base = self.base(state, id);
        f.exposed = contacts.exposed(self, id);
        f.just_contacted = state.element(id).flags.has(Flags::CHARGED);
        f.support = self.supporter(state, id).map_or(Support::None, |s| s.1);
        match foe {
            Target::Element(enemy) => {
                let theirs = self.base(state, enemy);
                f.uphill = state.ground.uphill(&base, &theirs);
                f.bank = state.ground.defends_bank(&self.tables, &base, &theirs);
            }
            Target::Stronghold(_) => {
                f.ground_aid = aids.iter().any(|a| self.class(*a).is_ground());
            }
        }
        f
    }

    /// The target of shooting or magic, with so many aids against it.
    #[must_use]
    pub fn target_fighter(
        &self,
        state: &State,
        mode: Mode,
        from: ElementId,
        target: Target,
        aids: usize,
    ) -> Fighter {
        let mut f = self.plain_fighter(state, target);
        f.aids = aids.min(usize::from(u8::MAX)) as u8;
        let Target::Element(id) = target else { return f };
        if mode == Mode::Bespelled {
            f.warded = self.is_warded(state, from, id);
            f.near_stronghold = self.near_own_stronghold(state, id);
        }
        f
    }

    /// The main shooter or bespeller.
    #[must_use]
    pub fn main_fighter(&self, state: &State, id: ElementId) -> Fighter {
        self.plain_fighter(state, Target::Element(id))
    }

    /// HOTT-255: the straight line from bespeller to target crosses water, or passes near a Cleric or Paladin that
    /// wards.
    fn is_warded(&self, state: &State, from: ElementId, target: ElementId) -> bool {
        use crate::table::options::ClericWardSide;
        let line = Hull::sight(&self.base(state, from), &self.base(state, target));
        if state.ground.water_across(&line) {
            return true;
        }
        let reach = self.tables.numbers.ward_reach * PACE + field::TOLERANCE;
        let any = self.tables.options.cleric_ward_side == ClericWardSide::Any;
        self.ids().any(|id| {
            let e = self.element(id);
            matches!(e.ty, TroopType::Clr | TroopType::Pal)
                && state.on_table(id)
                && (any || self.enemies(id, from))
                && self.base(state, id).distance_to_segment(&line) <= reach
        })
    }

    /// HOTT-257. Baggage does not count (BB-081).
    fn near_own_stronghold(&self, state: &State, id: ElementId) -> bool {
        let reach = self.tables.numbers.stronghold_magic_reach * PACE;
        match state.side(self.element(id).side).strong {
            Strong::Stands(base) if !self.has_baggage(state, self.element(id).side) => {
                self.base(state, id).within(&base, reach)
            }
            _ => false,
        }
    }
}

/// Whether a list of factors holds one by HOTT-251.
pub(crate) fn counted_support(list: &Factors) -> bool {
    list.as_slice().iter().any(|f: &Factor| f.rule == rule!("HOTT-251") || f.rule == rule!("BB-076"))
}
