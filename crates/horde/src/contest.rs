//! Opposed Tests hand to hand: wrestling in a Grapple, Feint and Knock Down (HC-006, HC-020, HC-087, HC-181).

use crate::arms::{Talent, Trait9};
use crate::attack::{Attack, Struck};
use crate::command::{Bout, Hold};
use crate::damage::Place;
use crate::engine::{Act, NotAllowed, Outcome, Play, refuse, shielded};
use crate::event::Event;
use crate::morale::shock_modifier;
use crate::roll::{Degrees, Opposed, Score, judge, opposed};
use crate::rule::Factor;
use crate::unit::{Action, Aim, Band, Unit, UnitId};
use rulebook::rule;

/// Who won, and by how much; `None`: nobody.
type Won = Option<(bool, i32)>;

/// The dice that were thrown at the table: of the one who attacks or holds, and of the other.
type Told = [Option<u16>; 2];

/// The first two dice that were said, in the order in which they were; any may be lacking.
fn pair(told: &[u16]) -> Told {
    [told.first().copied(), told.get(1).copied()]
}

/// More dice than two have no place in an Opposed Test.
fn two_at_most(o: &crate::options::Options, told: &[u16]) -> Outcome {
    if told.len() > 2 && o.t().handling.strict {
        return refuse(
            NotAllowed::by(rule!("HC-006"), format!("an Opposed Test has two dice, not {}", told.len()))
                .instead("one for each side"),
        );
    }
    Ok(())
}

impl Play<'_> {
    /// One side's number. In a Grapple the size of a Horde counts (HC-181) and who is Sturdy resists better (HC-087).
    fn contest_score(&self, who: UnitId, c: Trait9, grapple: bool, resists: bool) -> Score {
        let o = &self.s.options;
        let u = self.s.unit(who);
        let mut f = Vec::new();
        if grapple && u.is_horde() {
            f.push(Factor::new(rule!("HC-181"), "size of the Horde", u.size(o)));
        }
        if grapple && resists && u.has(Talent::Sturdy) {
            f.push(Factor::new(rule!("HC-087"), "Sturdy", o.t().grapple.sturdy));
        }
        let shock = shock_modifier(o, u);
        if shock != 0 {
            f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
        }
        Score::new(o, c.name(), u.profile.value(c), f)
    }

    /// HC-006: both roll; `by` is the one who attacks or holds, whoever it was that acted.
    fn oppose(&mut self, by: UnitId, at: UnitId, bout: Bout, c: Trait9, told: Told) -> Outcome<(Won, Act)> {
        let o = self.s.options;
        let grapple = matches!(bout, Bout::Hold(_) | Bout::Free | Bout::Control);
        let scores = [self.contest_score(by, c, grapple, false), self.contest_score(at, c, grapple, true)];
        let act = self.act(if matches!(bout, Bout::Free | Bout::Control) { at } else { by });
        let purpose = match bout {
            Bout::Feint => "feint",
            Bout::KnockDown => "knock down",
            _ => "wrestle",
        };
        let sides = o.t().test.die;
        let both = [by, at];
        let lacking = (0..2).filter(|n| told[*n].is_none());
        let asks: Vec<_> = lacking.map(|n| self.ask(purpose, act, both[n], n, 0, sides)).collect();
        let mut thrown = self.throw(&asks)?.into_iter();
        let rolls = told.map(|t| t.or_else(|| thrown.next()).unwrap_or(sides));
        let side = |n: usize| {
            let u: &Unit = self.s.unit(both[n]);
            let d: Degrees = judge(&o, scores[n].target, rolls[n]).plus_unnatural(&o, u.unnatural(&o, c));
            Opposed { degrees: d, bonus: u.bonus(&o, c), roll: rolls[n] }
        };
        let result = opposed(side(0), side(1));
        let label = |id: UnitId| self.s.unit(id).label.clone();
        let winner = result.map(|(first, net)| (label(if first { by } else { at }), net));
        self.events.push(Event::Opposed { by: label(by), at: label(at), scores, rolls, winner, what: bout });
        Ok((result, act))
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
        two_at_most(&self.s.options, told)?;
        let counts = self.s.current() == Some(by) || self.s.options.t().handling.strict;
        if let Some(h) = self.s.unit_mut(by).horde_mut()
            && counts
        {
            // HC-160: the turn in the Grapple takes the place of the attack.
            if !h.fought.insert(at) {
                let label = self.label(by);
                return refuse(
                    NotAllowed::by(rule!("HC-160"), "one turn in the Grapple for each turn")
                        .instead(format!("next; `{label} set fought no` is your word for once more")),
                );
            }
        }
        let (won, act) = self.oppose(by, at, Bout::Hold(what), Trait9::S, pair(told))?;
        if won.is_none_or(|(first, _)| !first) {
            return Ok(());
        }
        match what {
            Hold::Squeeze => self.squeeze(act, by, at),
            Hold::Throw => {
                self.falls(at);
                Ok(())
            }
            Hold::Disarm => {
                self.takes_weapon(at);
                Ok(())
            }
            Hold::Push | Hold::Keep => Ok(()),
        }
    }

    /// HC-026, HC-087: who lies on the ground, until he stands up.
    fn falls(&mut self, who: UnitId) {
        if !self.s.options.t().handling.kept {
            return;
        }
        let label = self.label(who);
        if let Some(p) = self.s.unit_mut(who).person_mut()
            && !p.prone
        {
            p.prone = true;
            self.events.push(Event::Prone { who: label, down: true });
        }
    }

    /// Gets up from the ground.
    pub(crate) fn stand(&mut self, who: UnitId) -> Outcome {
        self.may_act(who, false)?;
        let label = self.label(who);
        if !self.s.unit(who).person().is_some_and(|p| p.prone) {
            return refuse(NotAllowed::by(rule!("HC-026"), format!("{label} is on his feet")));
        }
        self.spend(who, self.s.options.t().handling.stand);
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            p.prone = false;
        }
        self.events.push(Event::Prone { who: label, down: false });
        Ok(())
    }

    /// HC-087: the weapon with which he would attack is taken from him.
    fn takes_weapon(&mut self, at: UnitId) {
        let u = self.s.unit(at);
        let usual = u.usual.iter().rev().flatten().map(|x| x.weapon.clone()).find(|w| u.weapon(w).is_some());
        let Some(weapon) = usual.or_else(|| u.weapons.first().map(|w| w.id.clone())) else { return };
        self.s.unit_mut(at).disarm(&weapon);
        self.events.push(Event::Arms { who: self.label(at), weapon: weapon.as_str().into(), gains: false });
    }

    /// HC-087, HC-175, HC-020: unarmed damage; worn armour counts.
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
            full_auto: false,
            engaged: true,
            holds: false,
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
            scatter: 0,
        });
        if lost > 0 {
            self.wound(at, lost);
        }
        Ok(())
    }

    /// Who holds one who wants to get out of a Grapple.
    fn holder(&self, who: UnitId) -> Outcome<UnitId> {
        match self.s.unit(who).person().and_then(|p| p.held_by) {
            Some(by) => Ok(by),
            None => {
                refuse(NotAllowed::by(rule!("HC-087"), format!("nobody holds {}", self.s.unit(who).label)))
            }
        }
    }

    /// HC-087: one who is held tries to get free, or to become the one who holds.
    pub(crate) fn escape(&mut self, who: UnitId, control: bool, told: &[u16]) -> Outcome {
        self.may_act(who, false)?;
        let by = self.holder(who)?;
        if control && self.s.unit(by).is_horde() {
            let (u, h) = (&self.s.unit(who).label, &self.s.unit(by).label);
            return refuse(
                NotAllowed::by(rule!("HC-087"), format!("{u} cannot hold all of {h}"))
                    .instead(format!("{u} escapes, or {u} slips")),
            );
        }
        two_at_most(&self.s.options, told)?;
        // Told in the order in which he says it: his own die first. Where the tables have no say about what is told, one
        // die alone was none.
        let strict = self.s.options.t().handling.strict;
        let [his, holder] = if strict || told.len() > 1 { pair(told) } else { [None, None] };
        let bout = if control { Bout::Control } else { Bout::Free };
        let (won, _) = self.oppose(by, who, bout, Trait9::S, [holder, his])?;
        if won.is_some_and(|(first, _)| !first) {
            self.release(who);
            if control {
                self.holds(who, by);
            }
        }
        Ok(())
    }

    /// HC-020: Feint and Knock Down are for single figures, against single figures.
    fn may_contest(&mut self, who: UnitId, at: UnitId, bout: Bout) -> Outcome {
        self.may_act(who, false)?;
        let (u, t) = (self.s.unit(who), self.s.unit(at));
        let word = if bout == Bout::Feint { "Feint" } else { "Knock Down" };
        if u.is_horde() {
            return refuse(
                NotAllowed::by(rule!("HC-161"), format!("a Horde makes no {word}"))
                    .instead("standard, swift, lightning, stun or grapple"),
            );
        }
        if who == at || u.side == t.side || !t.fights() {
            return refuse(NotAllowed::plain(format!("{} is no foe of {} that fights", t.label, u.label)));
        }
        if t.is_horde() {
            let no = if bout == Bout::Feint {
                NotAllowed::by(rule!("HC-115"), "a Horde never evades: a Feint gains nothing")
            } else {
                NotAllowed::by(rule!("HC-020"), "a whole Horde cannot be knocked down")
            };
            return refuse(no.instead("standard"));
        }
        if let Some(holder) = shielded(self.s, who, at) {
            let h = &self.s.unit(holder).label;
            return refuse(NotAllowed::by(
                rule!("HC-183"),
                format!("{} is held by {h}: nobody else attacks him", t.label),
            ));
        }
        Ok(())
    }

    /// HC-020: Opposed Weapon Skill; the next Standard Attack cannot be evaded.
    pub(crate) fn feint(&mut self, who: UnitId, at: UnitId, told: &[u16]) -> Outcome {
        self.may_contest(who, at, Bout::Feint)?;
        two_at_most(&self.s.options, told)?;
        self.spend(who, self.s.options.t().handling.feint);
        let (won, _) = self.oppose(who, at, Bout::Feint, Trait9::Ws, pair(told))?;
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            p.feint = won.filter(|(first, _)| *first).map(|_| at);
        }
        Ok(())
    }

    /// HC-020: Opposed Strength; the loser lies prone, and with two net degrees he may be hurt.
    pub(crate) fn knock_down(&mut self, who: UnitId, at: UnitId, hurts: bool, told: &[u16]) -> Outcome {
        self.may_contest(who, at, Bout::KnockDown)?;
        two_at_most(&self.s.options, told)?;
        let t = &self.s.options.t().handling;
        self.spend(who, t.knock_down);
        let (won, act) = self.oppose(who, at, Bout::KnockDown, Trait9::S, pair(told))?;
        let Some((true, net)) = won else { return Ok(()) };
        self.falls(at);
        if hurts && net >= t.knock_down_hurts { self.squeeze(act, who, at) } else { Ok(()) }
    }
}
