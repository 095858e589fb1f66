//! Tests that are no attacks: breaking, Fear, recovery (sections 9, 10.5, 10.6).

use crate::arms::{Talent, Trait9};
use crate::command::From;
use crate::engine::{NotAllowed, Outcome, Play, refuse};
use crate::event::Event;
use crate::morale::{break_score, fear_score, is_immune, shock_entry, shock_modifier};
use crate::options::FearFail;
use crate::roll::{Score, judge};
use crate::rule::{Factor, Rule};
use crate::unit::{Aim, Status, UnitId};
use rulebook::rule;

impl Play<'_> {
    /// HC-140 to HC-146: the Test against breaking.
    pub(crate) fn break_test(&mut self, who: UnitId, told: Option<u16>) -> Outcome {
        let act = self.act(who);
        let roll = self.d100("break", act, who, 0, told)?;
        let o = self.s.options;
        let u = self.s.unit(who);
        let score = break_score(&o, u);
        let d = judge(&o, score.target, roll).plus_unnatural(&o, u.unnatural(&o, Trait9::Wp));
        self.events.push(Event::BreakTest { who: u.label.clone(), score, roll, holds: d.success });
        if let Some(h) = self.s.unit_mut(who).horde_mut() {
            h.tested = true;
        }
        if !d.success {
            self.breaks(who, rule!("HC-140"));
        }
        Ok(())
    }

    /// HC-144, HC-184, HC-198: it breaks, unless the tide carries it on.
    pub(crate) fn breaks(&mut self, who: UnitId, rule: Rule) {
        let u = self.s.unit(who);
        let label = u.label.clone();
        if u.has(Talent::BloodSoakedTide) && !u.frenzied {
            self.s.unit_mut(who).frenzied = true;
            self.events.push(Event::Tide { who: label });
            return;
        }
        self.s.unit_mut(who).status = Status::Broken;
        self.release_all(who);
        self.leave_reach(who);
        self.events.push(Event::Broke { who: label, rule });
    }

    /// HC-088, HC-150, HC-151: a Fear Test and what a failure brings.
    pub(crate) fn fear(&mut self, who: UnitId, rating: i32, told: &[u16]) -> Outcome {
        let u = self.s.unit(who);
        let label = u.label.clone();
        if !u.fights() {
            return refuse(NotAllowed::plain(format!("{label} is {}", u.status.word())));
        }
        let none = Event::Fear {
            who: label.clone(),
            rating,
            score: None,
            roll: None,
            degrees: None,
            shock: None,
            rounds: None,
        };
        if is_immune(u) {
            self.events.push(none);
            return Ok(());
        }
        let o = self.s.options;
        if told.len() > 2 && o.t().handling.strict {
            return refuse(
                NotAllowed::by(rule!("HC-088"), format!("Fear has two dice, not {}", told.len()))
                    .instead("the Test, then the Shock table"),
            );
        }
        let score = fear_score(&o, u, rating);
        let unnatural = u.unnatural(&o, Trait9::Wp);
        let horde = u.is_horde();
        let act = self.act(who);
        let roll = self.d100("fear", act, who, 0, told.first().copied())?;
        let d = judge(&o, score.target, roll).plus_unnatural(&o, unnatural);
        let mut shock = None;
        let mut rounds = None;
        let table = !horde || o.fear_fail == FearFail::ShockTable;
        if !d.success && table {
            let die = self.d100("shock", act, who, 1, told.get(1).copied())?;
            let (total, band) = shock_entry(&o, die, d);
            let row = o.t().fear.shock.get(usize::from(band));
            let id = row.map_or("", |s| s.id.as_str());
            shock = Some((die, total, row.map_or("", |s| s.word.as_str()).into()));
            if matches!(id, "fainted" | "helpless") {
                let ask = self.ask("rounds out", act, who, 2, 0, 5);
                rounds = self.throw(&[ask])?.first().copied();
                if let (Some(n), Some(p)) = (rounds, self.s.unit_mut(who).person_mut()) {
                    p.stunned = p.stunned.max(i32::from(n));
                }
            }
            self.s.unit_mut(who).shock = Some(band);
        }
        self.events.push(Event::Fear {
            who: label,
            rating,
            score: Some(score),
            roll: Some(roll),
            degrees: Some(d),
            shock,
            rounds,
        });
        if told.len() > 1 && (d.success || !table) && o.t().handling.strict {
            self.events.push(Event::Spare { who: self.label(who), dice: told[1..].to_vec() });
        }
        if !d.success && horde && o.fear_fail == FearFail::Breaks {
            self.breaks(who, rule!("HC-151"));
        }
        Ok(())
    }

    /// HC-084, HC-088: getting over Pinning or Fear.
    pub(crate) fn recover(&mut self, who: UnitId, from: From, cover: bool, told: Option<u16>) -> Outcome {
        let o = self.s.options;
        let u = self.s.unit(who);
        let label = u.label.clone();
        let (word, rule, suffers) = match from {
            From::Pinning => ("pinning", rule!("HC-084"), u.pinned),
            From::Fear => ("fear", rule!("HC-088"), u.shock.is_some()),
            From::Grapple => ("grapple", rule!("HC-087"), u.person().is_some_and(|p| p.held_by.is_some())),
        };
        if !suffers || !u.fights() {
            return refuse(NotAllowed::by(rule, format!("{label} does not suffer from {word}")));
        }
        let shock = shock_modifier(&o, u);
        if !self.master && self.s.current() != Some(who) {
            return refuse(NotAllowed::by(rule, format!("{label} tests in its own turn")));
        }
        let mut f = Vec::new();
        if from == From::Pinning && cover {
            f.push(Factor::new(rule!("HC-084"), "in cover, not shot at", o.t().suppress.recover_in_cover));
        }
        if from == From::Pinning && u.is_horde() {
            f.push(Factor::new(rule!("HC-152"), "its own Magnitude", u.pin_bonus(&o)));
        }
        if from == From::Fear && u.is_horde() {
            f.push(Factor::new(rule!("HC-150"), "half its Magnitude", u.fear_bonus(&o)));
        }
        // HC-087: out of a Grapple one slips by Agility.
        let (c, purpose) = match from {
            From::Pinning => (Trait9::Wp, "recover pinning"),
            From::Fear => (Trait9::Wp, "recover fear"),
            From::Grapple => (Trait9::Ag, "slip out"),
        };
        if shock != 0 && (from == From::Grapple || o.t().handling.strict) {
            f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
        }
        let score = Score::new(&o, c.name(), u.profile.value(c), f);
        let act = self.act(who);
        let roll = self.d100(purpose, act, who, 0, told)?;
        let free = judge(&o, score.target, roll).success;
        if free {
            let u = self.s.unit_mut(who);
            match from {
                From::Pinning => u.pinned = false,
                From::Fear => u.shock = None,
                From::Grapple => {}
            }
        }
        self.events.push(Event::Recovered { who: label, from: word, score, roll, free });
        if free && from == From::Grapple {
            self.release(who);
        }
        Ok(())
    }

    /// HC-020: aims.
    pub(crate) fn aims(&mut self, who: UnitId, aim: Aim) -> Outcome {
        self.may_act(who, false)?;
        let o = self.s.options;
        let label = self.s.unit(who).label.clone();
        let cost = match aim {
            Aim::None => 0,
            Aim::Half => o.t().turn.aim_half,
            Aim::Full => o.t().turn.aim_full,
        };
        self.spend(who, cost);
        let Some(p) = self.s.unit_mut(who).person_mut() else {
            return refuse(NotAllowed::by(rule!("HC-165"), "a Horde does not aim"));
        };
        p.aim = aim;
        let bonus = match aim {
            Aim::None => 0,
            Aim::Half => o.t().aim.half,
            Aim::Full => o.t().aim.full,
        };
        self.events.push(Event::Aims { who: label, bonus });
        Ok(())
    }

    /// HC-020: the Defensive Stance, one more Reaction and harder to hit hand to hand until his next turn.
    pub(crate) fn defend(&mut self, who: UnitId) -> Outcome {
        self.may_act(who, false)?;
        let o = self.s.options;
        let label = self.s.unit(who).label.clone();
        match self.s.unit(who).person() {
            None => return refuse(NotAllowed::by(rule!("HC-161"), "a Horde takes no Defensive Stance")),
            Some(p) if p.stance => {
                return refuse(NotAllowed::by(rule!("HC-020"), format!("{label} stands so already")));
            }
            Some(_) => {}
        }
        self.spend(who, o.t().guarded.stance_cost);
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            p.stance = true;
            p.reactions += o.t().guarded.stance_reactions;
        }
        self.events.push(Event::Defends { who: label });
        Ok(())
    }

    /// HC-015: counts what an action takes of the turn. Nothing is refused: who plays at a table knows what else was
    /// done and what was allowed, so the count is shown and the game master judges it.
    pub(crate) fn spend(&mut self, who: UnitId, cost: i32) {
        if self.s.current() == Some(who)
            && let Some(p) = self.s.unit_mut(who).person_mut()
        {
            p.halves = p.halves.saturating_add(cost).min(99);
        }
    }
}
