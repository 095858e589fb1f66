//! Step 2: tactical moves and halts, judged by `moves`.

use super::{Done, Play, refused};
use crate::battle::{ElementId, Event, Flags, MoveOrder, Phase, Why};
use crate::moves::{self, Scene};
use rulebook::rule;

impl MoveOrder {
    /// Those who move, the leader first.
    #[must_use]
    pub fn movers(&self) -> &[ElementId] {
        match self {
            MoveOrder::Legs { who, .. } | MoveOrder::Column { who, .. } | MoveOrder::Narrow { who, .. } => {
                who
            }
            MoveOrder::Charge(charge) => &charge.who,
            MoveOrder::LineUp(line) => &line.who,
            MoveOrder::Free { who, .. }
            | MoveOrder::CloseDoor { who, .. }
            | MoveOrder::BreakOff { who, .. } => std::slice::from_ref(who),
        }
    }
}

impl Play<'_> {
    /// A tactical move.
    pub(crate) fn tactical_move(&mut self, order: &MoveOrder) -> Done {
        self.phase(Phase::Moves)?;
        if order.movers().is_empty() {
            return refused(rule!("HOTT-091"), Why::Other, "who moves?");
        }
        for id in order.movers() {
            self.own(*id)?;
        }
        let plan = moves::judge(self.battle, self.state, order)?;
        moves::carry_out(self.battle, self.state, &plan, self.events);
        if let Some(enemy) = plan.pursuit {
            self.pursue_breaking_off(enemy);
        }
        Ok(())
    }

    /// BB-042, BB-061: one element, or one group of a demoralized command, is halted.
    pub(crate) fn halt(&mut self, who: &[ElementId]) -> Done {
        self.phase(Phase::Moves)?;
        let Some(first) = who.first().copied() else {
            return refused(rule!("BB-061"), Why::Other, "who is halted?");
        };
        let command = self.battle.element(first).command;
        for (i, id) in who.iter().enumerate() {
            self.own(*id)?;
            let label = self.battle.full_label(*id);
            if !self.stands(*id) {
                return refused(
                    rule!("BB-061"),
                    Why::NotOnTable(*id),
                    format!("{label} is not on the table"),
                );
            }
            if self.battle.element(*id).command != command || who[..i].contains(id) {
                return refused(
                    rule!("BB-061"),
                    Why::NotAGroup(*id),
                    format!("{label} is not of that group"),
                );
            }
            let flags = self.state.element(*id).flags;
            if flags.has(Flags::MOVED) || flags.has(Flags::HALTED) {
                let words = format!("{label} has moved or been halted this bound");
                return refused(rule!("BB-061"), Why::HasMoved(*id), words);
            }
        }
        if !self.state.command(command).demoralised {
            let rule = if self.battle.tables.is_big() { rule!("BB-042") } else { rule!("HOTT-109") };
            return refused(rule, Why::Other, "only a demoralized command is halted");
        }
        if who.len() > 1 {
            let bases: Vec<field::Base> = who.iter().map(|id| self.base(*id)).collect();
            if let Some(lost) = field::Formation::new().gather(&bases) {
                let words = format!("{} does not stand with the group", self.battle.full_label(who[lost]));
                return refused(rule!("HOTT-119"), Why::NotAGroup(who[lost]), words);
            }
        }
        let cost = Scene::new(self.battle, self.state).halt_cost(who)?;
        self.pay(command, cost.parts().collect())?;
        for id in who {
            self.now(*id).flags.set(Flags::HALTED);
            self.events.push(Event::Halted(*id));
        }
        Ok(())
    }
}
