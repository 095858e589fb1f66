//! Who has the turn: the order within a Round (HC-201, HC-203, HC-204), and what the game master's word makes of it.
//!
//! Everybody has one turn a Round. Whom a ruling puts first has his early, and all whom it went past have theirs still to
//! come; records of tables without `handling.exact` went on from the place that a ruling led to.

use crate::arms::Talent;
use crate::engine::{NotAllowed, Outcome, Play, refuse};
use crate::event::Event;
use crate::options::{BreakAutoWhen, BreakWhen};
use crate::state::State;
use crate::unit::{Horde, Kind, Status, UnitId, magnitude_bonus};
use rulebook::rule;

impl Play<'_> {
    /// HC-201, HC-203: ends the turn; after the last one the Round.
    pub(crate) fn next(&mut self) -> Outcome {
        self.close_turn();
        self.advance()
    }

    fn close_turn(&mut self) {
        self.s.acted = false;
        let Some(id) = self.s.current() else { return };
        let startled = self.s.options.t().fear.shock.first().map(|_| 0_u8);
        let u = self.s.unit_mut(id);
        if u.shock.is_some() && u.shock == startled {
            // HC-088: the first band lasts for one turn.
            u.shock = None;
        }
        match &mut u.kind {
            Kind::Horde(h) => h.turn_mb = None,
            // HC-200: Stun runs down at its owner's turns.
            Kind::Person(p) => p.stunned = (p.stunned - 1).max(0),
        }
    }

    /// To the next turn of somebody who acts, past the end of the Round if need be.
    pub(crate) fn advance(&mut self) -> Outcome {
        // Two Rounds are enough to come to somebody who acts, if there is one.
        for _ in 0..=2 {
            while let Some(place) = self.next_place() {
                self.s.turn = place;
                if self.turn_opens()? {
                    return Ok(());
                }
            }
            self.end_round()?;
            self.s.round = self.s.round.saturating_add(1);
            self.s.turn = 0;
            self.events.push(Event::Round(self.s.round));
            self.open_round();
            if self.turn_opens()? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The place in the order of the next who has a turn coming in this Round.
    fn next_place(&mut self) -> Option<usize> {
        if !self.s.is_exact() {
            let place = self.s.turn + 1;
            return (place < self.s.order.len()).then_some(place);
        }
        self.s.had.extend(self.s.current());
        self.s.order.iter().position(|id| !self.s.had.contains(id))
    }

    /// Opens the turn of the one whose place it is; whether he acts in it: a Horde may break at its start.
    fn turn_opens(&mut self) -> Outcome<bool> {
        let Some(id) = self.s.current().filter(|id| acts_now(self.s, *id)) else { return Ok(false) };
        self.open_turn()?;
        let acts = acts_now(self.s, id);
        if !acts {
            self.close_turn();
        }
        Ok(acts)
    }

    /// What the start of a turn does: HC-143, HC-145, HC-198, HC-204.
    pub(crate) fn open_turn(&mut self) -> Outcome {
        let Some(id) = self.s.current() else { return Ok(()) };
        let o = self.s.options;
        if self.s.unit(id).is_horde() {
            if let Some(x) = self.s.unit(id).profile.traits.figure(Talent::Regeneration)
                && self.s.unit(id).fights()
            {
                self.regenerate(id, x)?;
            }
            if o.break_auto_when == BreakAutoWhen::OwnTurn
                && crate::morale::breaks_by_itself(&o, self.s.unit(id))
            {
                self.breaks(id, rule!("HC-143"));
            }
            if o.break_when == BreakWhen::OwnTurn && crate::morale::must_test(&o, self.s.unit(id)) {
                self.break_test(id, None)?;
            }
        }
        if !acts_now(self.s, id) {
            return Ok(());
        }
        open_turn_state(self.s, id);
        let u = self.s.unit(id);
        let horde = u.is_horde().then(|| (u.mb(&o), u.ranged_attacks(&o)));
        self.events.push(Event::Turn { who: u.label.clone(), horde });
        Ok(())
    }

    /// The ruling that somebody has the turn now, anew if he has it or had it (HC-160). Nobody loses his own by it.
    pub(crate) fn give_turn(&mut self, who: UnitId) -> Outcome {
        let label = self.label(who);
        let Some(place) = self.s.order.iter().position(|id| *id == who) else {
            return refuse(NotAllowed::plain(format!("{label} is not in the turn order")));
        };
        if self.s.round == 0 {
            return refuse(NotAllowed::by(rule!("HC-014"), "initiative is not yet rolled").instead("begin"));
        }
        self.no_volley()?;
        let was = self.s.current();
        if !self.s.is_exact() {
            self.s.turn = place;
            pass_turn(self.s, was, true);
            return Ok(());
        }
        if !acts_now(self.s, who) {
            let (why, instead) = if self.s.unit(who).fights() {
                ("taken by surprise".to_owned(), format!("{label} set surprised no"))
            } else {
                (self.s.unit(who).status.word().to_owned(), self.back_again(who))
            };
            return refuse(
                NotAllowed::by(rule!("HC-201"), format!("{label} is {why} and has no turn")).instead(instead),
            );
        }
        if was != Some(who) {
            self.interrupt();
        }
        self.s.turn = place;
        self.s.acted = false;
        self.s.had.remove(&who);
        if let Some(h) = self.s.unit_mut(who).horde_mut() {
            forget_attacks(h);
        }
        if !self.turn_opens()? {
            return self.advance();
        }
        let waits: Vec<_> = self.s.turns_to_come().into_iter().filter(|id| acts_now(self.s, *id)).collect();
        let passed = waits.into_iter().skip(1).filter(|id| self.s.order[..place].contains(id));
        let who: Vec<_> = passed.map(|id| self.label(id)).collect();
        if !who.is_empty() {
            self.events.push(Event::StillToAct { who });
        }
        Ok(())
    }

    /// The turn is broken off. What was done in it makes it a turn; if nothing was, it comes again.
    fn interrupt(&mut self) {
        let Some(was) = self.s.current() else { return };
        if self.s.acted {
            self.close_turn();
            self.s.had.insert(was);
        } else if let Some(h) = self.s.unit_mut(was).horde_mut() {
            h.turn_mb = None;
        }
    }

    fn no_volley(&self) -> Outcome {
        if self.s.volley.is_none() {
            return Ok(());
        }
        refuse(NotAllowed::by(rule!("HC-040"), "attacks that hit are waiting for Reactions"))
    }

    /// The ruling that somebody acts right before or after another from now on. Whose turn it is and who has done nothing
    /// in it delays: the turn goes to the next.
    pub(crate) fn reorder(&mut self, who: UnitId, other: UnitId, after: bool) -> Outcome {
        let place = |s: &State, id| s.order.iter().position(|o| *o == id);
        if who == other || place(self.s, who).is_none() || place(self.s, other).is_none() {
            return refuse(NotAllowed::plain("both must be in the turn order, and be two"));
        }
        let exact = self.s.is_exact();
        let now = self.s.order.get(self.s.turn).copied();
        let delays = now == Some(who);
        let next = self.s.order.get(self.s.turn + 1).copied().filter(|_| delays && !exact);
        if delays && exact && self.s.round > 0 {
            self.no_volley()?;
        }
        self.s.order.retain(|id| *id != who);
        let at = place(self.s, other).unwrap_or(0) + usize::from(after);
        self.s.order.insert(at.min(self.s.order.len()), who);
        let heir = next.or(now);
        self.s.turn = heir.and_then(|id| place(self.s, id)).unwrap_or(0);
        if !delays || self.s.round == 0 {
            return Ok(());
        }
        if !exact {
            pass_turn(self.s, now, false);
            return Ok(());
        }
        if self.s.acted {
            return Ok(());
        }
        let comes = |id: &UnitId| !self.s.had.contains(id) && acts_now(self.s, *id);
        match self.s.order.iter().position(comes) {
            Some(place) if self.s.order[place] != who => {
                self.interrupt();
                self.s.turn = place;
                if self.turn_opens()? { Ok(()) } else { self.advance() }
            }
            _ => Ok(()),
        }
    }

    /// The ruling that one who was out of the fight is back in it.
    pub(crate) fn comes_back(&mut self, who: UnitId) -> Outcome {
        let u = self.s.unit(who);
        let label = u.label.clone();
        if u.fights() {
            return refuse(NotAllowed::plain(format!("{label} is not gone")));
        }
        if u.status == Status::Broken {
            return refuse(
                NotAllowed::by(rule!("HC-144"), format!("{label} is broken, not gone"))
                    .instead(self.back_again(who)),
            );
        }
        if u.horde().is_some_and(|h| h.m <= 0) {
            return refuse(
                NotAllowed::by(rule!("HC-106"), format!("{label} has no Magnitude left"))
                    .instead(format!("{label} magnitude 10, and then {label} returns")),
            );
        }
        self.s.unit_mut(who).status = Status::Fighting;
        Ok(())
    }
}

impl State {
    /// Whether two fight each other hand to hand, as far as that is kept: within a Horde's reach, or in a Grapple.
    pub(crate) fn engaged_with(&self, a: UnitId, b: UnitId) -> bool {
        let one = |a: UnitId, b: UnitId| {
            let u = self.unit(a);
            u.horde().is_some_and(|h| h.engaged.contains(&b))
                || u.person().is_some_and(|p| p.held_by == Some(b))
        };
        one(a, b) || one(b, a)
    }

    /// HC-084: whether an enemy who fights is in melee contact with this one.
    pub(crate) fn in_contact(&self, who: UnitId) -> bool {
        self.enemies(who).into_iter().any(|e| self.engaged_with(who, e))
    }

    /// HC-087: whether anybody is in this one's hold.
    pub(crate) fn holds_somebody(&self, who: UnitId) -> bool {
        self.units.iter().any(|u| u.person().is_some_and(|p| p.held_by == Some(who)))
    }

    /// Whether the tables in force are those of exact turns.
    pub(crate) fn is_exact(&self) -> bool {
        self.options.t().handling.exact
    }

    /// Who has had his turn in this Round if nothing was done out of order: all who stand before the one who acts.
    pub(crate) fn had_in_order(&self) -> std::collections::BTreeSet<UnitId> {
        let before = if self.round == 0 || !self.is_exact() { 0 } else { self.turn };
        self.order.iter().take(before).copied().collect()
    }

    /// Whose turns this Round has left, the present one first, whether they act in it or not.
    pub(crate) fn turns_to_come(&self) -> Vec<UnitId> {
        let now = self.order.get(self.turn).copied();
        let exact = self.is_exact();
        let comes = |(place, id): &(usize, &UnitId)| {
            if exact { now != Some(**id) && !self.had.contains(id) } else { *place > self.turn }
        };
        let rest = self.order.iter().enumerate().filter(comes).map(|(_, id)| *id);
        now.into_iter().chain(rest).collect()
    }
}

/// Whether a unit has a turn in this Round: it fights, or retires fighting, and is not taken by surprise.
pub(crate) fn acts_now(s: &State, id: UnitId) -> bool {
    let u = s.unit(id);
    let retires = u.status == Status::Broken && u.is_horde() && u.has(Talent::FightingWithdrawal);
    (u.fights() || retires) && !(u.surprised && s.round == 1)
}

/// HC-204, HC-160: the figures that a turn begins with.
fn open_turn_state(state: &mut State, id: UnitId) {
    let o = state.options;
    let u = state.unit_mut(id);
    match &mut u.kind {
        Kind::Horde(h) => {
            h.turn_mb = Some(magnitude_bonus(&o, h.m));
            if !o.t().handling.strict {
                forget_attacks(h);
            }
            h.own = h.m;
            h.lost_own = 0;
        }
        Kind::Person(p) => {
            p.open = false;
            p.guarded = false;
            p.stance = false;
            p.halves = 0;
        }
    }
}

/// What a Horde has attacked with and whom: nothing as yet.
pub(crate) fn forget_attacks(h: &mut Horde) {
    h.fought.clear();
    h.shots = 0;
    h.forms = [None, None];
}

/// HC-160, HC-204, for records of tables without `handling.exact`: a ruling gave the turn away: `was` has ended its own, and
/// another begins one, which is a new one where the game master has said so in as many words (`anew`). Whose turn it was
/// already goes on with it.
fn pass_turn(state: &mut State, was: Option<UnitId>, anew: bool) {
    let Some(id) = state.current() else { return };
    // Records of tables without the key were played so that a turn by ruling went on with the last one.
    if was == Some(id) || !state.options.t().handling.strict {
        return open_turn_quietly(state);
    }
    if let Some(h) = was.and_then(|was| state.unit_mut(was).horde_mut()) {
        h.turn_mb = None;
    }
    if let Some(h) = state.unit_mut(id).horde_mut().filter(|_| anew) {
        forget_attacks(h);
    }
    open_turn_state(state, id);
}

/// For a document that says whose turn it is and not what its start did.
pub(crate) fn open_turn_quietly(state: &mut State) {
    let Some(id) = state.current() else { return };
    let o = state.options;
    if let Some(h) = state.unit_mut(id).horde_mut()
        && h.turn_mb.is_none()
    {
        h.turn_mb = Some(magnitude_bonus(&o, h.m));
    }
}
