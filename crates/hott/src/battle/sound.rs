//! What holds in every state that play reaches. Random play checks it after every command (crate `game`, conformance).

use crate::battle::{Battle, ElementId, Fate, State, Strong};
use field::Base;

impl Battle {
    /// What is wrong with a state, if anything is: two bases on one spot (deeper than the tolerance), a base on a
    /// Stronghold or off the board, an element too many or too few, a Magician's frog that is none.
    #[must_use]
    pub fn wrong_with(&self, state: &State) -> Option<String> {
        if state.elements.len() != self.elements.len() {
            return Some(format!("{} elements of {}", state.elements.len(), self.elements.len()));
        }
        let on: Vec<(ElementId, Base)> = self
            .ids()
            .filter(|id| state.on_table(*id))
            .map(|id| (id, Base::new(state.element(id).pose, self.element(id).size)))
            .collect();
        self.two_on_one_spot(state, &on).or_else(|| self.wrong_facts(state, &on))
    }

    fn two_on_one_spot(&self, state: &State, on: &[(ElementId, Base)]) -> Option<String> {
        for (i, (a, base)) in on.iter().enumerate() {
            if let Some((b, other)) = on[i + 1..].iter().find(|(_, other)| base.overlaps(other)) {
                let (a, b) = (self.full_label(*a), self.full_label(*b));
                return Some(format!("{a} ({}) stands on {b} ({})", base.pose, other.pose));
            }
            for side in &state.sides {
                if let Strong::Stands(strong) = &side.strong
                    && base.overlaps(strong)
                {
                    return Some(format!(
                        "{} ({}) stands on a Stronghold ({})",
                        self.full_label(*a),
                        base.pose,
                        strong.pose
                    ));
                }
            }
        }
        None
    }

    fn wrong_facts(&self, state: &State, on: &[(ElementId, Base)]) -> Option<String> {
        for (id, base) in on {
            if !self.board.contains(base) {
                return Some(format!("{} ({}) is not wholly on the board", self.full_label(*id), base.pose));
            }
        }
        for id in self.ids() {
            let element = state.element(id);
            if element.enchanter.is_some() && element.fate != Fate::Ensorcelled {
                return Some(format!("{} is bound to a Magician and no frog", self.full_label(id)));
            }
        }
        None
    }
}
