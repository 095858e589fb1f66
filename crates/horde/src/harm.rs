//! From hits to losses: Damage rolls, Magnitude, wounds, Stun, and what follows at once (HC-120 to HC-143, HC-172 to
//! HC-187).

use crate::arms::{Quality, Trait9};
use crate::attack::Struck;
use crate::damage::Place;
use crate::engine::{Act, NotAllowed, Outcome, Play, refuse};
use crate::event::{Event, Note};
use crate::options::{
    BreakAutoWhen, BreakWhen, DamageRollOption, FuryByHorde, SmallHorde, StunMinRounds, StunVersus,
};
use crate::roll::{Degrees, d5_from_d10};
use crate::rule::Factor;
use crate::state::{Answer, How, Incoming, State};
use crate::unit::{Action, Status, UnitId};
use crate::words::attack_of;
use rulebook::rule;

impl Play<'_> {
    /// HC-125: damage of all attacks that waited.
    pub(crate) fn damage(&mut self) -> Outcome {
        let Some(v) = self.s.volley.take() else { return Ok(()) };
        let act = Act { by: v.by, n: v.act };
        let mut told = v.dice.into_iter();
        for (n, a) in v.attacks.iter().enumerate() {
            if a.hits <= 0 || self.s.unit(a.at).status == Status::Destroyed {
                continue;
            }
            match a.how.action {
                Action::Stun => self.stun(act, a, n, &mut told)?,
                Action::Grapple => self.holds(v.by, a.at),
                _ if self.s.unit(a.at).is_horde() => self.hit_horde(act, a, n, &mut told)?,
                _ => self.hit_person(act, a, n, &mut told)?,
            }
        }
        let dice: Vec<u16> = told.collect();
        if !dice.is_empty() && self.s.options.t().handling.strict {
            self.events.push(Event::Spare { who: self.label(act.by), dice });
        }
        Ok(())
    }

    fn fill(&mut self, asks: &[dice::Ask], told: &mut impl Iterator<Item = u16>) -> Outcome<Vec<u16>> {
        let mut out: Vec<u16> = Vec::with_capacity(asks.len());
        for ask in asks {
            match told.next() {
                // HC-007: a d5 may be told as a ten-sided die.
                Some(v) if ask.sides == 5 && v > 5 => out.push(d5_from_d10(v)),
                Some(v) => out.push(v.min(ask.sides)),
                None => break,
            }
        }
        let rest = self.throw(&asks[out.len()..])?;
        out.extend(rest);
        Ok(out)
    }

    /// Damages that were told and that no hit wants.
    pub(crate) fn spare_damage(&mut self, by: UnitId, damage: &[i32]) {
        if !damage.is_empty() && self.s.is_exact() {
            self.note(by, Note::Spare(damage.to_vec()));
        }
    }

    /// Something besides, for the game master.
    pub(crate) fn note(&mut self, who: UnitId, note: Note) {
        self.events.push(Event::Note { who: self.label(who), note });
    }

    /// One more who stands in the area of an attack that came about: the same roll, no new one.
    pub(crate) fn catch(&mut self, by: UnitId, at: UnitId, how: &How, first: &Incoming) -> Incoming {
        self.events.push(Event::ToHit {
            by: self.label(by),
            at: self.label(at),
            action: how.action,
            weapon: how.weapon.clone(),
            score: None,
            roll: None,
            struck: Struck { degrees: first.degrees, jam: false, hits: first.hits },
            on_horde: self.s.unit(at).is_horde(),
        });
        Incoming { at, answer: Answer::Open, ..first.clone() }
    }

    fn hit_horde(
        &mut self,
        act: Act,
        a: &Incoming,
        n: usize,
        told: &mut impl Iterator<Item = u16>,
    ) -> Outcome {
        let at = a.at;
        let state = self.s.clone_for_attack();
        let Some(attack) = attack_of(&state, act.by, at, &a.how, a.accidental) else { return Ok(()) };
        let struck = Struck { degrees: a.degrees, jam: false, hits: a.hits };
        let mut flame = None;
        let (hits, steps) = match a.fixed {
            Some(h) => (h, Vec::new()),
            None => {
                if attack.flame_share().is_some() {
                    let ask = self.ask("flame", act, at, n, 0, attack.o.t().horde.flame_die);
                    flame = self.fill(&[ask], told)?.first().copied();
                }
                attack.multiply(a.hits, flame.map_or(0, i32::from))
            }
        };
        if !steps.is_empty() {
            self.events.push(Event::Hits {
                by: self.label(act.by),
                at: self.label(at),
                base: a.hits,
                steps,
                flame,
                hits,
            });
        }
        let hits = usize::try_from(hits).unwrap_or(0);
        // HC-124: how many Damage rolls, and how many hits each decides.
        let groups = match attack.o.damage_roll {
            DamageRollOption::PerHit => hits,
            DamageRollOption::PerAttack => 1,
            DamageRollOption::BlastShared if attack.quality(Quality::Blast).is_some() => {
                usize::try_from(a.hits).unwrap_or(1).clamp(1, hits.max(1))
            }
            DamageRollOption::BlastShared => hits,
        };
        let groups = groups.min(hits);
        let pool = attack.pool(&struck);
        let soak = attack.soak(&struck, Place::Body);
        let known = a.damage.len().min(groups);
        if a.roll.is_some() {
            self.spare_damage(act.by, &a.damage[known..]);
        }
        let mut asks = Vec::new();
        for g in known..groups {
            for (d, sides) in pool.sides.iter().enumerate() {
                asks.push(self.ask("damage", act, at, n << 8 | g, d, *sides));
            }
        }
        let faces = self.fill(&asks, told)?;
        let mut lost = 0;
        for g in 0..groups {
            let size = hits / groups + usize::from(g < hits % groups);
            let size_n = i32::try_from(size).unwrap_or(1);
            let (thrown, damage) = if g < known {
                (&[][..], a.damage[g])
            } else {
                let from = (g - known) * pool.sides.len();
                let f = &faces[from..from + pool.sides.len()];
                (f, pool.total(f))
            };
            let each = attack.magnitude_loss(damage, soak, pool.natural_ten(thrown));
            lost += each * size_n;
            self.events.push(Event::Damage {
                by: self.label(act.by),
                at: self.label(at),
                faces: thrown.to_vec(),
                kept: if thrown.is_empty() { Vec::new() } else { pool.kept(thrown) },
                flat: pool.flat,
                damage,
                soak,
                place: None,
                lost: each * size_n,
                hits: size_n,
                scatter: attack.scatter_damage(),
            });
        }
        let stuck = spray_jam(&attack, &faces);
        let talent = attack.talent_loss().filter(|_| lost > 0);
        if stuck {
            self.stick(act.by, &a.how.weapon);
        }
        if lost > 0 {
            self.lose(at, lost, None)?;
        }
        if let Some(t) = talent
            && self.s.unit(at).status != Status::Destroyed
        {
            self.lose(at, t.value, Some(t))?;
        }
        Ok(())
    }

    fn stick(&mut self, by: UnitId, weapon: &str) {
        self.events.push(Event::SprayJam { by: self.label(by) });
        let jam = Struck { degrees: Degrees { success: true, degrees: 1 }, jam: true, hits: 1 };
        self.jammed(by, weapon, &jam);
    }

    fn hit_person(
        &mut self,
        act: Act,
        a: &Incoming,
        n: usize,
        told: &mut impl Iterator<Item = u16>,
    ) -> Outcome {
        let at = a.at;
        let state = self.s.clone_for_attack();
        let Some(attack) = attack_of(&state, act.by, at, &a.how, a.accidental) else { return Ok(()) };
        let struck = Struck { degrees: a.degrees, jam: false, hits: a.hits };
        let o = &state.options;
        let first = match a.roll {
            Some(r) if !attack.no_roll() => Place::of_roll(o, r),
            _ => Place::Body,
        };
        let pool = attack.pool(&struck);
        let hits = usize::try_from(a.hits).unwrap_or(0).min(200);
        let known = a.damage.len().min(hits);
        if a.roll.is_some() {
            self.spare_damage(act.by, &a.damage[known..]);
        }
        let mut asks = Vec::new();
        for g in known..hits {
            for (d, sides) in pool.sides.iter().enumerate() {
                asks.push(self.ask("damage", act, at, n << 8 | g, d, *sides));
            }
        }
        let faces = self.fill(&asks, told)?;
        let fury = !attack.by.is_horde() || o.fury_by_horde == FuryByHorde::On;
        for g in 0..hits {
            let place = first.walk(o, g);
            let soak = attack.soak(&struck, place);
            let (thrown, damage) = if g < known {
                (&[][..], a.damage[g])
            } else {
                let from = (g - known) * pool.sides.len();
                let f = &faces[from..from + pool.sides.len()];
                (f, pool.total(f))
            };
            let mut lost = (damage - soak).max(0);
            let ten = fury && pool.natural_ten(thrown);
            let critical = if ten && lost > 0 {
                let ask = self.ask("critical", act, at, n << 8 | g, 0, 5);
                Some(self.fill(&[ask], told)?.first().copied())
            } else {
                None
            };
            if ten && lost == 0 {
                lost = 1;
            }
            self.events.push(Event::Damage {
                by: self.label(act.by),
                at: self.label(at),
                faces: thrown.to_vec(),
                kept: if thrown.is_empty() { Vec::new() } else { pool.kept(thrown) },
                flat: pool.flat,
                damage,
                soak,
                place: Some(place),
                lost,
                hits: 1,
                scatter: attack.scatter_damage(),
            });
            if ten {
                self.events.push(Event::Hatred {
                    by: self.label(act.by),
                    at: self.label(at),
                    critical: critical.flatten(),
                });
            }
            if lost > 0 {
                self.wound(at, lost);
            }
        }
        if spray_jam(&attack, &faces) {
            self.stick(act.by, &a.how.weapon);
        }
        Ok(())
    }

    /// HC-085, HC-185 to HC-187: a Stun that hit.
    fn stun(&mut self, act: Act, a: &Incoming, n: usize, told: &mut impl Iterator<Item = u16>) -> Outcome {
        let o = self.s.options;
        let ask = self.ask("stun", act, a.at, n, 0, o.t().stun.die);
        let die = self.fill(&[ask], told)?.first().copied().unwrap_or(1);
        let (by, at) = (self.s.unit(act.by), self.s.unit(a.at));
        let mut adds = vec![Factor::new(rule!("HC-085"), "Strength Bonus", by.bonus(&o, Trait9::S))];
        if by.is_horde() {
            adds.push(Factor::new(rule!("HC-186"), "Magnitude Bonus", by.stun_bonus(&o)));
        }
        let total = i32::from(die) + adds.iter().map(|f| f.value).sum::<i32>();
        let head = if o.stun_versus == StunVersus::TbPlusHeadAp { at.profile.head_ap } else { 0 };
        let versus = at.bonus(&o, Trait9::T) + head;
        let least = i32::from(o.stun_min_rounds == StunMinRounds::One);
        let rounds = (total >= versus).then(|| (total - versus).max(least));
        self.events.push(Event::Stun {
            by: by.label.clone(),
            at: at.label.clone(),
            die,
            adds,
            total,
            versus,
            rounds,
        });
        if let (Some(r), Some(p)) = (rounds, self.s.unit_mut(a.at).person_mut()) {
            p.stunned = p.stunned.max(r);
            p.fatigue += o.t().stun.fatigue;
        }
        Ok(())
    }

    pub(crate) fn holds(&mut self, by: UnitId, at: UnitId) {
        if let Some(p) = self.s.unit_mut(at).person_mut() {
            p.held_by = Some(by);
        }
        if let Some(h) = self.s.unit_mut(by).horde_mut() {
            h.held.insert(at);
            h.engaged.insert(at);
        }
        self.events.push(Event::Held { by: self.label(by), at: self.label(at) });
    }

    /// HC-184: lets go of all whom `by` holds.
    pub(crate) fn release_all(&mut self, by: UnitId) {
        let held: Vec<UnitId> = self
            .s
            .ids()
            .filter(|id| self.s.unit(*id).person().is_some_and(|p| p.held_by == Some(by)))
            .collect();
        for id in held {
            self.release(id);
        }
    }

    pub(crate) fn release(&mut self, who: UnitId) {
        let Some(by) = self.s.unit_mut(who).person_mut().and_then(|p| p.held_by.take()) else { return };
        if let Some(h) = self.s.unit_mut(by).horde_mut() {
            h.held.remove(&who);
        }
        self.events.push(Event::Free { who: self.label(who) });
    }

    /// HC-050, HC-055: wounds off a single figure.
    pub(crate) fn wound(&mut self, who: UnitId, n: i32) {
        let heretic = self.s.unit(who).side == crate::unit::Side::Heretics;
        let label = self.label(who);
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            let from_wounds = n.min(p.wounds);
            p.wounds -= from_wounds;
            p.critical = p.critical.saturating_add(n - from_wounds);
            let (left, critical) = (p.wounds, p.critical);
            self.events.push(Event::Wounds { who: label, lost: n, left, critical, heretic });
        }
    }

    fn heal(&mut self, who: UnitId, n: i32) {
        let exact = self.s.is_exact();
        let heretic = self.s.unit(who).side == crate::unit::Side::Heretics;
        let label = self.label(who);
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            let before = p.wounds - p.critical;
            let off = n.min(p.critical);
            p.critical -= off;
            p.wounds = p.wounds.saturating_add(n - off).min(p.max);
            let (left, critical) = (p.wounds, p.critical);
            // Nothing is regained that was not lost; earlier tables told what was said.
            let lost = if exact { before - (left - critical) } else { -n };
            self.events.push(Event::Wounds { who: label, lost, left, critical, heretic });
        }
    }

    /// HC-144: the ruling that brings one back who fights no more, if one does.
    pub(crate) fn back_again(&self, who: UnitId) -> String {
        let u = self.s.unit(who);
        let (label, never) = (&u.label, self.s.options.break_rally == crate::options::BreakRally::Never);
        match (u.status, u.horde()) {
            (Status::Broken, Some(_)) if never => format!("{label} holds, which takes the break back"),
            (Status::Broken, _) => format!("{label} rallies"),
            (Status::Destroyed, Some(_)) => format!("{label} set magnitude 10"),
            (Status::Gone, Some(h)) if h.m <= 0 => "the Horde that it has joined".to_owned(),
            _ => format!("{label} returns"),
        }
    }

    /// Only the effect, as told: of those who run too, for losses from any source count (HC-146).
    pub(crate) fn lose_told(&mut self, who: UnitId, n: i32) -> Outcome {
        let u = self.s.unit(who);
        // What one does to the other side is told in his turn, and so it is a turn.
        let by = self.s.current().filter(|by| n > 0 && self.s.unit(*by).side != u.side);
        self.s.acted |= self.s.is_exact() && by.is_some();
        let u = self.s.unit(who);
        if !u.fights() && u.status != Status::Broken {
            let no = NotAllowed::plain(format!("{} is {}", u.label, u.status.word()));
            return refuse(no.instead(self.back_again(who)));
        }
        match (u.is_horde(), n >= 0) {
            (true, true) => self.lose(who, n, None)?,
            (true, false) => self.gain(who, -n),
            (false, true) => self.wound(who, n),
            (false, false) => self.heal(who, -n),
        }
        Ok(())
    }

    pub(crate) fn gain(&mut self, who: UnitId, n: i32) {
        let exact = self.s.is_exact();
        let label = self.label(who);
        if let Some(h) = self.s.unit_mut(who).horde_mut() {
            let before = h.m;
            h.m = h.m.saturating_add(n).min(999);
            let left = h.m;
            let lost = if exact { before - left } else { -n };
            self.events.push(Event::Magnitude { who: label, lost, left, talent: None });
        }
    }

    /// HC-106, HC-107, HC-202: Magnitude off a Horde, and what follows at once.
    pub(crate) fn lose(&mut self, who: UnitId, n: i32, talent: Option<Factor>) -> Outcome {
        let o = self.s.options;
        let label = self.label(who);
        let (before, after) = {
            let Some(h) = self.s.unit_mut(who).horde_mut() else { return Ok(()) };
            let before = h.m;
            let lost = n.clamp(0, h.m);
            h.m -= lost;
            h.lost = h.lost.saturating_add(lost);
            h.lost_own = h.lost_own.saturating_add(lost);
            (before, h.m)
        };
        self.events.push(Event::Magnitude { who: label.clone(), lost: before - after, left: after, talent });
        if before == after {
            return Ok(());
        }
        if after == 0 {
            return self.out(who, Status::Destroyed, rule!("HC-106"));
        }
        if o.break_auto_when == BreakAutoWhen::Immediately
            && crate::morale::breaks_by_itself(&o, self.s.unit(who))
        {
            self.breaks(who, rule!("HC-143"));
        }
        if o.small_horde != SmallHorde::Keep && after < o.t().horde.small_below && self.s.unit(who).fights() {
            self.out(who, Status::Gone, rule!("HC-107"))?;
            if o.small_horde == SmallHorde::Dissolve && self.s.is_exact() {
                self.note(who, self.dissolved(who, after));
            }
            return Ok(());
        }
        if crate::morale::must_test(&o, self.s.unit(who)) {
            let (loss, base) =
                self.s.unit(who).horde().map_or((0, 0), |h| crate::morale::loss_and_base(&o, h));
            // The Test is announced when the quarter is crossed, not at each further loss.
            if !crate::morale::is_a_quarter(&o, loss - (before - after), base) {
                self.events.push(Event::Due { who: label, loss, base });
            }
            if o.break_when == BreakWhen::OnCrossing {
                return self.break_test(who, None);
            }
        }
        Ok(())
    }

    /// HC-107: who is left of a Horde that is none any more; the game master knows which of them still matter.
    fn dissolved(&self, who: UnitId, left: i32) -> Note {
        let u = self.s.unit(who);
        let kind = self.library.profiles.values().find(|p| *p.name == *u.name);
        let (profile, wounds) = kind.map_or((String::new(), 0), |p| (p.id.clone(), p.wounds));
        let free = (1..).map(|n| format!("{}{n}", u.label)).find(|l| self.s.by_label(l).is_none());
        Note::Dissolved { left, label: free.unwrap_or_default(), profile, wounds }
    }

    pub(crate) fn out(&mut self, who: UnitId, status: Status, rule: crate::rule::Rule) -> Outcome {
        self.s.unit_mut(who).status = status;
        self.release_all(who);
        self.leave_reach(who);
        self.events.push(Event::Out { who: self.label(who), status, rule });
        Ok(())
    }

    /// One who runs or falls is in nobody's reach.
    pub(crate) fn leave_reach(&mut self, who: UnitId) {
        self.release(who);
        for id in self.s.ids() {
            if let Some(h) = self.s.unit_mut(id).horde_mut() {
                h.engaged.remove(&who);
            }
        }
        if let Some(h) = self.s.unit_mut(who).horde_mut() {
            h.engaged.clear();
        }
    }
}

/// HC-070: the jam of a Spray looks at the first Damage die of the attack.
fn spray_jam(a: &crate::attack::Attack<'_>, faces: &[u16]) -> bool {
    a.weapon.is_spray() && !a.by.is_horde() && faces.first() == Some(&a.o.t().quality.spray_jam)
}

impl State {
    /// Attacks are described against the state as it was when their damage falls.
    fn clone_for_attack(&self) -> State {
        self.clone()
    }
}
