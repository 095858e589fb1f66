//! Tests that are no attacks: breaking, Fear, recovery, wrestling (sections 9, 10.5, 10.6, 10.9).

use crate::arms::{Talent, Trait9};
use crate::attack::{Attack, Struck};
use crate::command::{From, Hold};
use crate::damage::Place;
use crate::engine::{Act, NotAllowed, Outcome, Play, refuse};
use crate::event::Event;
use crate::morale::{break_score, fear_score, is_immune, shock_entry, shock_modifier};
use crate::options::FearFail;
use crate::roll::{Degrees, Opposed, Score, judge, opposed};
use crate::rule::{Factor, Rule};
use crate::unit::{Action, Aim, Band, Status, Unit, UnitId};
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
        };
        if !suffers || !u.fights() {
            return refuse(NotAllowed::by(rule, format!("{label} does not suffer from {word}")));
        }
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
        let score = Score::new(&o, Trait9::Wp.name(), u.profile.value(Trait9::Wp), f);
        let act = self.act(who);
        let roll = self.d100(
            if from == From::Pinning { "recover pinning" } else { "recover fear" },
            act,
            who,
            0,
            told,
        )?;
        let free = judge(&o, score.target, roll).success;
        if free {
            let u = self.s.unit_mut(who);
            match from {
                From::Pinning => u.pinned = false,
                From::Fear => u.shock = None,
            }
        }
        self.events.push(Event::Recovered { who: label, from: word, score, roll, free });
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

    /// HC-087, HC-181: one side of wrestling.
    fn strength(&self, who: UnitId, resists: bool) -> Score {
        let o = &self.s.options;
        let u = self.s.unit(who);
        let mut f = Vec::new();
        if u.is_horde() {
            f.push(Factor::new(rule!("HC-181"), "size of the Horde", u.size(o)));
        }
        if resists && u.has(Talent::Sturdy) {
            f.push(Factor::new(rule!("HC-087"), "Sturdy", o.t().grapple.sturdy));
        }
        let shock = shock_modifier(o, u);
        if shock != 0 {
            f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
        }
        Score::new(o, Trait9::S.name(), u.profile.value(Trait9::S), f)
    }

    fn wrestle(
        &mut self,
        by: UnitId,
        at: UnitId,
        what: Option<Hold>,
        told: &[u16],
    ) -> Outcome<(Option<bool>, Act)> {
        let o = self.s.options;
        let scores = [self.strength(by, false), self.strength(at, true)];
        let act = self.act(if what.is_some() { by } else { at });
        let sides = o.t().test.die;
        let both = [by, at];
        let asks: Vec<_> =
            (told.len().min(2)..2).map(|n| self.ask("wrestle", act, both[n], n, 0, sides)).collect();
        let mut rolls: Vec<u16> = told.iter().take(2).copied().collect();
        rolls.extend(self.throw(&asks)?);
        let rolls = [rolls[0], rolls[1]];
        let side = |n: usize| {
            let u: &Unit = self.s.unit(both[n]);
            let d: Degrees =
                judge(&o, scores[n].target, rolls[n]).plus_unnatural(&o, u.unnatural(&o, Trait9::S));
            Opposed { degrees: d, bonus: u.bonus(&o, Trait9::S), roll: rolls[n] }
        };
        let result = opposed(side(0), side(1));
        let label = |id: UnitId| self.s.unit(id).label.clone();
        let winner = result.map(|(first, net)| (label(if first { by } else { at }), net));
        self.events.push(Event::Opposed { by: label(by), at: label(at), scores, rolls, winner, what });
        Ok((result.map(|r| r.0), act))
    }

    /// HC-087: the controller's turn in a Grapple.
    pub(crate) fn hold(&mut self, by: UnitId, at: UnitId, what: Hold, told: &[u16]) -> Outcome {
        self.may_act(by, false)?;
        if self.s.unit(at).person().and_then(|p| p.held_by) != Some(by) {
            let (b, a) = (&self.s.unit(by).label, &self.s.unit(at).label);
            return refuse(
                NotAllowed::by(rule!("HC-087"), format!("{b} does not hold {a}"))
                    .instead(format!("{b} grapple {a}")),
            );
        }
        let own_turn = self.s.current() == Some(by);
        if let Some(h) = self.s.unit_mut(by).horde_mut()
            && own_turn
        {
            // HC-160: the turn in the Grapple takes the place of the attack.
            if !h.fought.insert(at) {
                return refuse(NotAllowed::by(rule!("HC-160"), "one turn in the Grapple for each turn"));
            }
        }
        let (won, act) = self.wrestle(by, at, Some(what), told)?;
        if won == Some(true) && what == Hold::Squeeze {
            self.squeeze(act, by, at)?;
        }
        Ok(())
    }

    /// HC-087, HC-175: unarmed damage; worn armour counts.
    fn squeeze(&mut self, act: Act, by: UnitId, at: UnitId) -> Outcome {
        let Some(weapon) = self.library.weapons.get("unarmed").cloned() else { return Ok(()) };
        let o = self.s.options;
        let (b, a) = (self.s.unit(by), self.s.unit(at));
        let attack = Attack {
            o: &o,
            by: b,
            at: a,
            weapon: &weapon,
            action: Action::Grapple,
            band: Band::Normal,
            aim: Aim::None,
            mods: &[],
            accidental: false,
        };
        let struck = Struck { degrees: Degrees { success: true, degrees: 1 }, jam: false, hits: 1 };
        let pool = attack.pool(&struck);
        let soak = attack.soak(&struck, Place::Body);
        let labels = (b.label.clone(), a.label.clone());
        let asks: Vec<_> =
            pool.sides.iter().enumerate().map(|(d, s)| self.ask("squeeze", act, at, 0, d, *s)).collect();
        let faces = self.throw(&asks)?;
        let damage = pool.total(&faces);
        let lost = (damage - soak).max(0);
        self.events.push(Event::Damage {
            by: labels.0,
            at: labels.1,
            kept: pool.kept(&faces),
            faces,
            flat: pool.flat,
            damage,
            soak,
            place: Some(Place::Body),
            lost,
            hits: 1,
        });
        if lost > 0 {
            self.wound(at, lost);
        }
        Ok(())
    }

    /// HC-087: one who is held tries to get free.
    pub(crate) fn escape(&mut self, who: UnitId, told: &[u16]) -> Outcome {
        self.may_act(who, false)?;
        let Some(by) = self.s.unit(who).person().and_then(|p| p.held_by) else {
            return refuse(NotAllowed::by(
                rule!("HC-087"),
                format!("nobody holds {}", self.s.unit(who).label),
            ));
        };
        // Told in the order in which he says it: his own die first.
        let turned: Vec<u16> = match told {
            [his, holder, ..] => vec![*holder, *his],
            _ => Vec::new(),
        };
        let (won, _) = self.wrestle(by, who, None, &turned)?;
        if won == Some(false) {
            self.release(who);
        }
        Ok(())
    }
}
