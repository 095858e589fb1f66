//! Tactical movement: sections 7 to 9 of the rules.
//!
//! [`judge`] says of any [`MoveOrder`] what it leads to (a [`Plan`]) or which rule forbids it; [`carry_out`] does it;
//! [`candidates`] proposes orders that `judge` accepts. Whoever judges many orders of one position makes one
//! [`Scene`] and asks that.
//!
//! - `scene.rs`: a position as movement looks at it; `pass.rs`: who passes through whom; `cost.rs`: PIPs;
//! - `draft.rs`: a move in the making; `check/`: whether it is legal;
//! - `orders.rs`: from orders to drafts; `approach.rs`: finding the stages of a contact or line-up; `column.rs`;
//! - `facing.rs`: step 3; `offer.rs`: candidates.

mod approach;
mod check;
mod column;
mod cost;
mod draft;
mod facing;
mod narrow;
mod offer;
mod orders;
mod pass;
mod scene;

#[cfg(test)]
mod tests;

pub use cost::Cost;
pub use facing::turn_to_face;
pub use offer::{Level, candidates};
pub use pass::{Passage, passage};
pub use scene::Scene;

use crate::battle::{Battle, CommandId, ElementId, Event, Flags, MoveOrder, Refusal, State, Target};
use crate::table::Class;
use field::{Contact, Len, Pose};
use rulebook::{RuleId, rule};

/// A legal contact that a move makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Who makes it.
    pub who: ElementId,
    /// With whom.
    pub with: Target,
    /// In which way; with a Stronghold always [`Contact::Partial`].
    pub way: Contact,
}

/// One element's part of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shifted {
    /// Who.
    pub who: ElementId,
    /// From.
    pub from: Pose,
    /// To.
    pub to: Pose,
    /// Distance moved in 1/100 pace (HOTT-113).
    pub distance: Len,
}

/// What a legal order leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whose PIPs pay.
    pub command: CommandId,
    /// Every element of the mover.
    pub moves: Vec<Shifted>,
    /// HOTT-172: an enemy that is conformed, and where to.
    pub conformed: Option<(ElementId, Pose)>,
    /// The cost.
    pub cost: Cost,
    /// Legal contacts made.
    pub contacts: Vec<Made>,
    /// HOTT-166: Aerials that attack ground elements or a Stronghold; with `air_ground_attack` also Aerials that ground
    /// elements attack.
    pub declared: Vec<ElementId>,
    /// HOTT-179: the enemy that pursues at once, because this breaks off from it.
    pub pursuit: Option<ElementId>,
    /// BB-038: movers that came within reach of a known enemy.
    pub near: Vec<ElementId>,
}

/// Judges an order of the side whose bound it is.
///
/// # Errors
/// The rule that forbids it, with figures.
pub fn judge(battle: &Battle, state: &State, order: &MoveOrder) -> Result<Plan, Refusal> {
    Scene::new(battle, state).judge(order)
}

/// Carries a plan out: poses, flags, PIPs; what happens is added to `events`. Pursuit after breaking off
/// ([`Plan::pursuit`]) is the caller's.
pub fn carry_out(battle: &Battle, state: &mut State, plan: &Plan, events: &mut Vec<Event>) {
    let command = &mut state.commands[plan.command.index()];
    command.pips = command.pips.saturating_sub(plan.cost.pips());
    // BB-060
    command.moved_one = true;
    if plan.cost.pips() > 0 {
        events.push(Event::Paid {
            command: plan.command,
            pips: plan.cost.pips(),
            parts: plan.cost.parts().collect(),
            left: command.pips,
        });
    }
    let charge = state.elements.iter().map(|e| e.charged).max().unwrap_or(0).saturating_add(1);
    for m in &plan.moves {
        let element = &mut state.elements[m.who.index()];
        element.pose = m.to;
        element.flags.set(Flags::MOVED);
        element.flags.set(Flags::STIRRED);
        element.flags.clear(Flags::DECLARED);
        element.flags.clear(Flags::AT_STRONGHOLD);
        element.flags.clear(Flags::PURSUED);
        events.push(Event::Moved { who: m.who, from: m.from, to: m.to, distance: m.distance });
    }
    for id in &plan.near {
        state.elements[id.index()].flags.set(Flags::NEAR_ENEMY);
    }
    if let Some((enemy, pose)) = plan.conformed {
        let from = std::mem::replace(&mut state.elements[enemy.index()].pose, pose);
        events.push(Event::Conformed { who: enemy, from, to: pose, rule: rule!("HOTT-172") });
    }
    for made in &plan.contacts {
        let element = &mut state.elements[made.who.index()];
        element.flags.set(Flags::CHARGED);
        element.charged = charge;
    }
    for id in &plan.declared {
        state.elements[id.index()].flags.set(Flags::DECLARED);
        events.push(Event::Declared(*id));
    }
    forget_ended_declarations(battle, state);
}

/// HOTT-166: a declaration lasts as long as the contact: clears it for Aerials that touch no ground element or
/// Stronghold in a way that counts. To be called whenever something on table has moved or left.
pub fn forget_ended_declarations(battle: &Battle, state: &mut State) {
    for id in battle.ids() {
        let now = state.element(id);
        if !now.flags.has(Flags::DECLARED) {
            continue;
        }
        let aerial = battle.tables.class(battle.element(id).ty) == Class::Aerial;
        if !aerial || !state.on_table(id) || !holds_ground(battle, state, id) {
            state.elements[id.index()].flags.clear(Flags::DECLARED);
        }
    }
}

/// Whether an Aerial is in legal contact with a ground enemy, on either one's part, or touches a hostile Stronghold.
fn holds_ground(battle: &Battle, state: &State, id: ElementId) -> bool {
    use crate::contacts::{attacks_stronghold, base_of};
    let mine = base_of(battle, state, id);
    let ground = battle.ids().any(|other| {
        if !state.on_table(other) || !battle.enemies(id, other) {
            return false;
        }
        let theirs = base_of(battle, state, other);
        !mine.far_from(&theirs, field::TOLERANCE)
            && battle.tables.class(battle.element(other).ty) != Class::Aerial
            && (field::contact(&mine, &theirs).is_legal()
                || field::contact(&theirs, &mine).is_legal()
                || field::overlap_side(&mine, &theirs).is_some())
    });
    ground
        || (0..)
            .map(crate::battle::SideId)
            .take(state.sides.len())
            .any(|side| attacks_stronghold(battle, state, id, side))
}

impl Plan {
    /// The end of one of the movers.
    #[must_use]
    pub fn end(&self, who: ElementId) -> Option<Pose> {
        self.moves.iter().find(|m| m.who == who).map(|m| m.to)
    }

    /// The rule and part of each PIP, for previews.
    pub fn parts(&self) -> impl Iterator<Item = (RuleId, u8)> + use<> {
        self.cost.parts()
    }
}
