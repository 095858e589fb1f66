//! Step 4: bespelling (section 11).

use super::{Done, Play, refused};
use crate::battle::{Close, Departure, ElementId, Event, Flags, Phase, Target, Why};
use crate::contacts::Contacts;
use crate::table::options::PaladinBespell;
use crate::table::{Fighter, Mode, TroopType, factors, result};
use dice::Ask;
use field::PACE;
use rulebook::{RuleId, rule};

type Pips = Vec<(RuleId, u8)>;

fn pips(n: i32) -> u8 {
    u8::try_from(n.max(0)).unwrap_or(u8::MAX)
}

impl Play<'_> {
    /// HOTT-207, HOTT-208: whether a Magician is free to bespell or aid.
    pub(crate) fn is_free_to_bespell(
        &self,
        contacts: &Contacts,
        id: ElementId,
    ) -> Result<(), (RuleId, String)> {
        let label = self.battle.full_label(id);
        let now = self.state.element(id);
        if !self.battle.tables.troop(self.battle.element(id).ty).bespells {
            return Err((rule!("HOTT-048"), format!("{label} does not work magic")));
        }
        if !self.stands(id) {
            return Err((rule!("HOTT-207"), format!("{label} is not on the table")));
        }
        if contacts.in_contact(id) {
            return Err((rule!("HOTT-207"), format!("{label} is in close combat contact")));
        }
        if now.flags.has(Flags::BESPELLED) {
            return Err((rule!("HOTT-089"), format!("{label} has bespelled or aided this bound")));
        }
        if now.flags.has(Flags::MOVED) && !self.battle.tables.options.magician_move_and_bespell {
            return Err((rule!("HOTT-208"), format!("{label} has moved this bound")));
        }
        Ok(())
    }

    /// HOTT-209, HOTT-211 to HOTT-213: whether this may be bespelled from there.
    pub(crate) fn may_be_bespelled(
        &self,
        contacts: &Contacts,
        who: ElementId,
        target: Target,
    ) -> Result<(), (RuleId, String)> {
        let options = &self.battle.tables.options;
        let side = self.side_of(target);
        let label = crate::words::target_label(self.battle, target);
        if !self.battle.hostile(self.battle.element(who).side, side) {
            return Err((rule!("HOTT-211"), format!("{label} is no enemy")));
        }
        let flags = match target {
            Target::Element(id) => {
                if !self.stands(id) {
                    return Err((rule!("HOTT-211"), format!("{label} is not on the table")));
                }
                if contacts.in_contact(id) && !options.bespell_engaged {
                    return Err((rule!("HOTT-211"), format!("{label} is in close combat contact")));
                }
                if self.battle.element(id).ty == TroopType::Pal
                    && options.paladin_bespell == PaladinBespell::Immune
                {
                    return Err((rule!("HOTT-212"), format!("{label} is immune to magic")));
                }
                self.state.element(id).flags
            }
            Target::Stronghold(side) => self.state.side(side).strong_flags,
        };
        if flags.has(Flags::BESPELLED_AT) {
            return Err((rule!("HOTT-213"), format!("{label} has been bespelled this bound")));
        }
        let Some(base) = self.battle.target_base(self.state, target) else {
            return Err((rule!("HOTT-211"), format!("{label} does not stand")));
        };
        let range = self.battle.tables.numbers.bespell_range;
        let far = self.base(who).distance(&base);
        if !field::reaches(far, range * PACE) {
            let words = format!("{label} is {}p away, magic reaches {range}p", field::paces_needed(far));
            return Err((rule!("HOTT-209"), words));
        }
        Ok(())
    }

    /// HOTT-103, HOTT-105.
    fn bespell_cost(&self, who: ElementId) -> Result<Pips, crate::battle::Refusal> {
        let mut parts = vec![(rule!("HOTT-103"), pips(self.battle.tables.numbers.pip_bespell))];
        if self.battle.tables.options.bespell_command_penalty
            && crate::moves::Scene::new(self.battle, self.state).out_of_command(&[who])?.is_some()
        {
            parts.push((rule!("HOTT-105"), pips(self.battle.tables.numbers.pip_no_command)));
        }
        Ok(parts)
    }

    /// Every spell that may be cast now without aids.
    pub(crate) fn spells(&self) -> Vec<(ElementId, Target)> {
        let contacts = self.contacts();
        let mut out = Vec::new();
        for who in self.battle.ids().filter(|id| self.battle.acts(self.state, self.battle.element(*id).side))
        {
            let able = self.is_free_to_bespell(&contacts, who).is_ok();
            let command = self.battle.element(who).command;
            let cost = || self.bespell_cost(who).map_or(u8::MAX, |c| c.iter().map(|p| p.1).sum());
            if !able || cost() > self.state.command(command).pips {
                continue;
            }
            let elements = self.battle.ids().map(Target::Element);
            let strongs =
                (0..self.state.sides.len() as u8).map(|s| Target::Stronghold(crate::battle::SideId(s)));
            out.extend(
                elements
                    .chain(strongs)
                    .filter(|t| self.may_be_bespelled(&contacts, who, *t).is_ok())
                    .map(|t| (who, t)),
            );
        }
        out
    }

    /// Whether the side whose bound it is may bespell anything but a Stronghold, which takes no harm by it.
    pub(crate) fn may_bespell(&self) -> bool {
        self.spells().iter().any(|(_, t)| matches!(t, Target::Element(_)))
    }

    /// HOTT-207 to HOTT-222: one bespelling.
    pub(crate) fn bespell(&mut self, target: Target, who: ElementId, aids: &[ElementId]) -> Done {
        self.phase(Phase::Magic)?;
        self.own(who)?;
        let contacts = self.contacts();
        let no = |(rule, words): (RuleId, String)| crate::battle::Refusal::new(rule, Why::Other, words);
        self.is_free_to_bespell(&contacts, who).map_err(no)?;
        self.may_be_bespelled(&contacts, who, target).map_err(no)?;
        let numbers = self.battle.tables.numbers;
        let cost = self.bespell_cost(who)?;
        self.pay(self.battle.element(who).command, cost)?;
        self.now(who).flags.set(Flags::BESPELLED);
        for aid in aids {
            self.own(*aid)?;
            if self.state.element(*aid).flags.has(Flags::BESPELLED) {
                return refused(
                    rule!("HOTT-214"),
                    Why::Other,
                    format!("{} has bespelled or aided this bound", self.battle.full_label(*aid)),
                );
            }
            self.is_free_to_bespell(&contacts, *aid).map_err(no)?;
            let near = self.battle.target_base(self.state, target);
            let range = numbers.bespell_aid_range;
            if !near.is_some_and(|b| self.base(*aid).within(&b, range * PACE)) {
                let words = format!("{} is more than {range}p from the target", self.battle.full_label(*aid));
                return refused(rule!("HOTT-214"), Why::Other, words);
            }
            self.pay(self.battle.element(*aid).command, vec![(rule!("HOTT-104"), pips(numbers.pip_aid))])?;
            self.now(*aid).flags.set(Flags::BESPELLED);
        }
        match target {
            Target::Element(id) => self.now(id).flags.set(Flags::BESPELLED_AT),
            Target::Stronghold(side) => self.state.sides[side.index()].strong_flags.set(Flags::BESPELLED_AT),
        }
        let fighters = [
            self.battle.main_fighter(self.state, who),
            self.battle.target_fighter(self.state, Mode::Bespelled, who, target, aids.len()),
        ];
        let moment = u64::from(self.state.bound);
        let asks = [
            Ask::d6("spell", Self::subject(Target::Element(who)), moment),
            Ask::d6("spelled", Self::subject(target), moment),
        ];
        let dice = self.dice.two(asks)?.map(|d| d as u8);
        let close =
            self.work_out(Mode::Bespelled, [Target::Element(who), target], aids, fighters, dice, false);
        let deeds = self.deeds_at_range(&close, false);
        self.events.push(Event::Combat(Box::new(close)));
        self.carry(deeds, false)?;
        self.speak_one(who, dice[0]);
        self.tidy();
        self.go_on()
    }

    /// HOTT-219: what a Magician's own 1 does.
    fn speak_one(&mut self, who: ElementId, die: u8) {
        let numbers = self.battle.tables.numbers;
        if i32::from(die) > numbers.bespell_misfire || !self.stands(who) {
            return;
        }
        let before = i32::from(self.state.element(who).flags.has(Flags::SPOKE_ONE));
        let fatal = before >= numbers.bespell_misfires_allowed;
        self.events.push(Event::SpokeOne { who, fatal });
        self.now(who).flags.set(Flags::SPOKE_ONE);
        if fatal {
            self.remove(who, Departure::Ensorcelled(None), rule!("HOTT-219"));
        }
    }

    pub(crate) fn end_magic(&mut self) -> Done {
        self.phase(Phase::Magic)?;
        self.chief(self.state.active)?;
        self.state.phase = Phase::Shooting;
        self.events.push(Event::Step(Phase::Shooting));
        self.go_on()
    }

    /// The figures of a fight, shot or spell whose dice have fallen.
    pub(crate) fn work_out(
        &self,
        mode: Mode,
        who: [Target; 2],
        aids: &[ElementId],
        fighters: [Fighter; 2],
        dice: [u8; 2],
        answered: bool,
    ) -> Close {
        let tables = &self.battle.tables;
        let [a, b] = &fighters;
        let [part_a, part_b] = mode.parts();
        let lists = [factors(tables, part_a, a, b), factors(tables, part_b, b, a)];
        let totals = [lists[0].sum() + i32::from(dice[0]), lists[1].sum() + i32::from(dice[1])];
        let judged = result(tables, mode, [a, b], totals, answered);
        Close { mode, who, aids: aids.to_vec(), factors: lists, dice, totals, judged }
    }
}
