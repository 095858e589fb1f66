//! What moves and halts cost in PIPs (HOTT-091 to HOTT-097, BB-030, BB-038, BB-061).

use super::Scene;
use crate::battle::{CommandId, ElementId, Refusal, Why};
use crate::sight;
use crate::table::options::{CincLoss, ContingentPip, EngagedGeneral, ExtraMoveCost};
use crate::table::{Class, TroopType};
use field::PACE;
use rulebook::{RuleId, rule};

/// A cost in PIPs with its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    parts: [Option<(RuleId, u8)>; 5],
}

impl Cost {
    fn add(&mut self, rule: RuleId, pips: i32) {
        let pips = u8::try_from(pips.max(0)).unwrap_or(u8::MAX);
        if pips > 0
            && let Some(free) = self.parts.iter_mut().find(|p| p.is_none())
        {
            *free = Some((rule, pips));
        }
    }

    /// The whole cost.
    #[must_use]
    pub fn pips(&self) -> u8 {
        self.parts.iter().flatten().fold(0, |sum: u8, (_, pips)| sum.saturating_add(*pips))
    }

    /// What it is made of: rules and their parts.
    pub fn parts(&self) -> impl Iterator<Item = (RuleId, u8)> + use<> {
        self.parts.into_iter().flatten()
    }
}

impl Scene<'_> {
    /// HOTT-091 to HOTT-097: the cost of one tactical move of these elements, all of one command.
    ///
    /// # Errors
    /// BB-030 with `no-pips`: the command of an engaged general buys moves for his element only.
    pub fn move_cost(&self, who: &[ElementId]) -> Result<Cost, Refusal> {
        let mut cost = Cost::default();
        let numbers = &self.battle.tables.numbers;
        let again = who.iter().any(|id| self.has_moved(*id));
        if again && self.battle.tables.big.extra_move_cost == ExtraMoveCost::One {
            cost.add(rule!("BB-038"), numbers.pip_move);
            return Ok(cost);
        }
        cost.add(rule!("HOTT-091"), numbers.pip_move);
        self.additions(who, &mut cost)?;
        let contingents = |id: &ElementId| self.battle.element(*id).contingent;
        let first = who.first().map_or(0, contingents);
        let mixed = who.iter().any(|id| contingents(id) != first);
        if mixed && self.battle.tables.options.contingent_pip == ContingentPip::Marked {
            cost.add(rule!("HOTT-096"), numbers.pip_contingents);
        }
        Ok(cost)
    }

    /// BB-061: the cost of halting one element or one group of a command.
    ///
    /// # Errors
    /// As [`Scene::move_cost`].
    pub fn halt_cost(&self, who: &[ElementId]) -> Result<Cost, Refusal> {
        let mut cost = Cost::default();
        cost.add(rule!("BB-061"), self.battle.tables.numbers.pip_move);
        self.additions(who, &mut cost)?;
        Ok(cost)
    }

    fn additions(&self, who: &[ElementId], cost: &mut Cost) -> Result<(), Refusal> {
        let numbers = &self.battle.tables.numbers;
        let dear = |id: &ElementId| {
            let ty = self.battle.element(*id).ty;
            ty == TroopType::Mag || self.battle.tables.class(ty) == Class::Aerial
        };
        if who.iter().any(dear) {
            cost.add(rule!("HOTT-092"), numbers.pip_aerial_or_magician);
        }
        if let Some(rule) = self.out_of_command(who)? {
            cost.add(rule, numbers.pip_no_command);
        }
        Ok(())
    }

    /// HOTT-093, HOTT-094, BB-030, BB-037: the rule by which these elements of one command are without command.
    ///
    /// # Errors
    /// BB-030 with `no-pips`.
    pub fn out_of_command(&self, who: &[ElementId]) -> Result<Option<RuleId>, Refusal> {
        let Some(first) = who.first() else { return Ok(None) };
        let tables = &self.battle.tables;
        let command = self.battle.element(*first).command;
        let general = self.general_on_table(command);
        // HOTT-095
        if general.is_some_and(|g| who == [g]) {
            return Ok(None);
        }
        let Some(general) = general else { return Ok(Some(rule!("HOTT-093"))) };
        if tables.is_big() {
            if self.contacts.touching(general).edge {
                if tables.big.engaged_general == EngagedGeneral::NoPips {
                    let label = self.label(general);
                    let words = format!(
                        "{label} is in contact: his command's PIPs move only his own element, so break him off first"
                    );
                    return Err(Refusal::new(
                        rule!("BB-030"),
                        Why::InContact { who: general, enemy: general },
                        words,
                    ));
                }
                return Ok(Some(rule!("BB-030")));
            }
            if tables.big.cinc_loss == CincLoss::Army && self.has_lost_its_chief(command) {
                return Ok(Some(rule!("BB-037")));
            }
        }
        let seat = self.base(general);
        let (seen, unseen) =
            (tables.numbers.command_reach * PACE, tables.numbers.command_reach_unseen * PACE);
        let distance = |id: &ElementId| self.base(*id).distance(&seat);
        let Some((near, nearest)) =
            who.iter().map(|id| (distance(id), *id)).min_by_key(|(far, id)| (*far, *id))
        else {
            return Ok(None);
        };
        if field::reaches(near, unseen) {
            return Ok(None);
        }
        let sees = || sight::terrain_lets_see(tables, &self.state.ground, &seat, &self.base(nearest));
        Ok((!field::reaches(near, seen) || !sees()).then_some(rule!("HOTT-094")))
    }

    /// The element that holds a command's general, while it is on table.
    #[must_use]
    pub fn general_on_table(&self, command: CommandId) -> Option<ElementId> {
        self.battle.general_of(self.state, command).filter(|g| self.state.on_table(*g))
    }

    fn has_lost_its_chief(&self, command: CommandId) -> bool {
        let side = self.battle.commands[command.index()].side;
        let lost = |n: usize| {
            let general = self.battle.general_of(self.state, CommandId(n as u8));
            general.is_none_or(|g| self.state.element(g).fate.is_lost())
        };
        let chiefs = self.battle.commands.iter().enumerate().filter(|(_, c)| c.side == side && c.in_chief);
        chiefs.map(|(n, _)| n).any(lost)
    }

    /// HOTT-107: whether a command can pay a cost.
    ///
    /// # Errors
    /// What is lacking.
    pub fn can_pay(&self, command: CommandId, cost: &Cost) -> Result<(), Refusal> {
        let (needed, left) = (cost.pips(), self.state.command(command).pips);
        if needed <= left {
            return Ok(());
        }
        let mut parts = String::new();
        for (rule, pips) in cost.parts() {
            let plus = if parts.is_empty() { "" } else { " + " };
            parts.push_str(&format!("{plus}{pips} {rule}"));
        }
        let words = format!("costs {} ({parts}), {left} left", crate::figure::pips(needed));
        Err(Refusal::new(rule!("HOTT-107"), Why::Pips { command, needed, left }, words))
    }
}
