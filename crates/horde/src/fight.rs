//! Attacks from the first die to the last loss: HC-125, HC-160 to HC-192.

use crate::arms::{Quality, Talent, Trait9, Weapon};
use crate::attack::Struck;
use crate::command::{Reaction, Told};
use crate::damage::Place;
use crate::engine::{Act, NotAllowed, Outcome, Play, refuse, shielded};
use crate::event::{Event, Label};
use crate::morale::{evasion_score, is_immune, pinning_score};
use crate::options::{
    BlastMiss, BreakAutoWhen, BreakWhen, DamageRollOption, FuryByHorde, HordeBoth, HordeMeleeMix,
    HordeRangedMix, HordeVsHorde, PinTestsPerRound, SmallHorde, StunMinRounds, StunVersus,
};
use crate::roll::{Degrees, Score, d5_from_d10, judge};
use crate::rule::Factor;
use crate::state::{Answer, How, Incoming, State, Volley};
use crate::unit::{Action, Aim, Status, UnitId};
use crate::words::attack_of;
use rulebook::rule;

impl Play<'_> {
    fn label(&self, id: UnitId) -> Label {
        self.s.unit(id).label.clone()
    }

    /// An attack, or several of a Horde.
    pub(crate) fn attack(&mut self, by: UnitId, at: &[UnitId], how: &How, told: &Told) -> Outcome {
        let Some(weapon) = self.s.unit(by).weapon(&how.weapon).cloned() else {
            return refuse(NotAllowed::plain(format!("{} has no {}", self.s.unit(by).label, how.weapon)));
        };
        self.may_act(by, !weapon.is_melee())?;
        if at.is_empty() {
            return refuse(NotAllowed::plain("nobody is attacked").instead("name somebody"));
        }
        for id in at {
            self.may_attack(by, *id, how, &weapon)?;
        }
        self.horde_limits(by, at, how, &weapon)?;
        let single = !self.s.unit(by).is_horde() && how.action != Action::Suppress;
        if single && at.len() > 1 {
            return refuse(
                NotAllowed::by(rule!("HC-015"), "a character attacks one at a time")
                    .instead("one command for each attack"),
            );
        }
        if at.len() > 1 && (told.hits.is_some() || told.degrees.is_some() || !told.damage.is_empty()) {
            return refuse(
                NotAllowed::plain("what hit whom, when several are attacked?")
                    .instead("one command for each"),
            );
        }
        self.check_told(by, at[0], how, told)?;
        self.mark(by, at, how, &weapon);
        if how.action == Action::Suppress {
            return self.suppress(by, at, how, told);
        }
        let act = self.act(by);
        let mut attacks = Vec::new();
        let plain = told.hits.is_none() && told.degrees.is_none() && told.damage.is_empty();
        let mut scores: Vec<Option<Score>> = Vec::new();
        for id in at {
            let Some(a) = attack_of(self.s, by, *id, how, false) else { continue };
            scores.push((plain && !a.no_roll()).then(|| a.score()));
        }
        let rolls = self.rolls_to_hit(act, at, &scores, &told.rolls)?;
        for (n, id) in at.iter().enumerate() {
            let Some(a) = attack_of(self.s, by, *id, how, false) else { continue };
            let (score, roll) = (scores[n].clone(), rolls[n]);
            let mut struck = match (&score, roll) {
                (Some(s), Some(r)) => a.strike(s.target, r),
                _ => a.strike_unrolled(),
            };
            let mut fixed = None;
            if let Some(d) = told.degrees {
                struck.degrees = Degrees { success: true, degrees: d };
                struck.hits = a.base_hits(struck.degrees);
            }
            if let Some(h) = told.hits {
                struck.hits = h;
                fixed = Some(h);
            } else if !told.damage.is_empty() && told.degrees.is_none() {
                let h = i32::try_from(told.damage.len()).unwrap_or(1);
                struck.hits = h;
                fixed = Some(h);
            }
            let on_horde = a.at.is_horde();
            let blast = weapon.qualities.has(Quality::Blast);
            self.events.push(Event::ToHit {
                by: self.label(by),
                at: self.label(*id),
                action: how.action,
                weapon: how.weapon.clone(),
                score,
                roll,
                struck,
                on_horde,
            });
            if struck.hits <= 0 {
                if blast && on_horde && self.s.options.blast_miss == BlastMiss::ScatterGm {
                    self.events.push(Event::Scatter { by: self.label(by), at: self.label(*id) });
                }
                continue;
            }
            let dice = told.damage.clone();
            attacks.push(Incoming {
                at: *id,
                how: how.clone(),
                roll,
                degrees: struck.degrees,
                hits: struck.hits,
                fixed,
                answer: Answer::Open,
                damage: dice,
                accidental: false,
            });
        }
        if attacks.is_empty() {
            return Ok(());
        }
        self.s.volley = Some(Volley { by, attacks, act: act.n, dice: told.dice.clone() });
        self.settle()
    }

    fn rolls_to_hit(
        &mut self,
        act: Act,
        at: &[UnitId],
        scores: &[Option<Score>],
        told: &[u16],
    ) -> Outcome<Vec<Option<u16>>> {
        let mut told = told.iter();
        let mut rolls: Vec<Option<u16>> =
            scores.iter().map(|s| s.as_ref().and_then(|_| told.next().copied())).collect();
        let sides = self.s.options.t().test.die;
        let lacking: Vec<usize> =
            (0..at.len()).filter(|n| scores[*n].is_some() && rolls[*n].is_none()).collect();
        let asks: Vec<_> = lacking.iter().map(|n| self.ask("to hit", act, at[*n], *n, 0, sides)).collect();
        let thrown = self.throw(&asks)?;
        for (n, value) in lacking.into_iter().zip(thrown) {
            rolls[n] = Some(value);
        }
        Ok(rolls)
    }

    fn check_told(&self, by: UnitId, at: UnitId, how: &How, told: &Told) -> Outcome {
        let Some(a) = attack_of(self.s, by, at, how, false) else { return Ok(()) };
        let hits = match (told.hits, told.degrees) {
            (Some(h), _) => Some(h),
            (None, Some(d)) => {
                let base = a.base_hits(Degrees { success: true, degrees: d });
                if a.flame_share().is_some() { None } else { Some(a.multiply(base, 0).0) }
            }
            _ => None,
        };
        let n = i32::try_from(told.damage.len()).unwrap_or(i32::MAX);
        match hits {
            Some(h) if n > h => refuse(
                NotAllowed::plain(format!("{h} hits cannot have {n} damages"))
                    .instead(format!("{n} hits, or {h} damages")),
            ),
            _ => Ok(()),
        }
    }

    fn may_attack(&self, by: UnitId, at: UnitId, how: &How, weapon: &Weapon) -> Outcome {
        let (a, t) = (self.s.unit(by), self.s.unit(at));
        if by == at || a.side == t.side {
            return refuse(NotAllowed::plain(format!("{} and {} are on the same side", a.label, t.label)));
        }
        if !t.fights() {
            let rule = if weapon.is_melee() { rule!("HC-160") } else { rule!("HC-144") };
            return refuse(NotAllowed::by(
                rule,
                format!("{} is {} and is attacked no more", t.label, t.status.word()),
            ));
        }
        if let Some(holder) = shielded(self.s, by, at) {
            let h = &self.s.unit(holder).label;
            return refuse(
                NotAllowed::by(
                    rule!("HC-183"),
                    format!("{} is held by {h}: nobody else attacks him", t.label),
                )
                .instead(format!("attack {h}, or change grapple.shield")),
            );
        }
        if a.is_horde() && t.is_horde() && self.s.options.horde_vs_horde == HordeVsHorde::GmNarrates {
            return refuse(
                NotAllowed::by(rule!("HC-178"), "Horde against Horde is told by the game master")
                    .instead(format!("{} -N", t.label)),
            );
        }
        if matches!(how.action, Action::Stun | Action::Grapple) && t.is_horde() {
            let rule = if how.action == Action::Stun { rule!("HC-085") } else { rule!("HC-087") };
            return refuse(NotAllowed::by(
                rule,
                format!("a whole Horde cannot be made to feel a {}", how.action.row(&self.s.options).name),
            ));
        }
        let Some(attack) = attack_of(self.s, by, at, how, false) else { return Ok(()) };
        match attack.allowed() {
            Ok(()) => Ok(()),
            Err(no) => refuse(NotAllowed { rule: Some(no.rule), why: no.why, instead: no.instead }),
        }
    }

    /// HC-160 to HC-166: what a Horde may do in its own turn. Out of turn it is the game master who counts.
    fn horde_limits(&self, by: UnitId, at: &[UnitId], how: &How, weapon: &Weapon) -> Outcome {
        let u = self.s.unit(by);
        let Some(h) = u.horde() else { return Ok(()) };
        if self.s.current() != Some(by) {
            return Ok(());
        }
        let o = &self.s.options;
        let melee = weapon.is_melee();
        let label = &u.label;
        let mixed = if melee {
            o.horde_melee_mix == HordeMeleeMix::OneForm
        } else {
            o.horde_ranged_mix == HordeRangedMix::OneForm
        };
        if let Some(form) = h.forms[usize::from(!melee)].filter(|f| mixed && *f != how.action) {
            let rule = if melee { rule!("HC-162") } else { rule!("HC-164") };
            return refuse(
                NotAllowed::by(rule, format!("{label} has chosen {} for this turn", form.word()))
                    .instead(form.word()),
            );
        }
        if o.horde_both == HordeBoth::Either && (h.forms[usize::from(melee)].is_some()) {
            return refuse(NotAllowed::by(
                rule!("HC-166"),
                format!("{label} fights either hand to hand or at range in one turn"),
            ));
        }
        if melee {
            for (n, id) in at.iter().enumerate() {
                if h.fought.contains(id) || at[..n].contains(id) {
                    let t = &self.s.unit(*id).label;
                    return refuse(NotAllowed::by(
                        rule!("HC-160"),
                        format!("{label} attacks {t} hand to hand once a turn"),
                    ));
                }
            }
            return Ok(());
        }
        if o.horde_both == HordeBoth::NoRangedAtEngaged
            && let Some(id) = at.iter().find(|id| h.engaged.contains(id))
        {
            return refuse(NotAllowed::by(
                rule!("HC-166"),
                format!("{label} does not shoot at {}, with whom it fights", self.s.unit(*id).label),
            ));
        }
        let shots =
            if how.action == Action::Suppress { 1 } else { i32::try_from(at.len()).unwrap_or(i32::MAX) };
        let most = u.ranged_attacks(o);
        if h.shots.saturating_add(shots) > most {
            return refuse(
                NotAllowed::by(
                    rule!("HC-163"),
                    format!("{label} has {most} ranged attacks a turn and has made {}", h.shots),
                )
                .instead(format!("{} more", (most - h.shots).max(0))),
            );
        }
        Ok(())
    }

    /// Keeps what an attack uses up.
    fn mark(&mut self, by: UnitId, at: &[UnitId], how: &How, weapon: &Weapon) {
        let melee = weapon.is_melee();
        let own_turn = self.s.current() == Some(by);
        let shots = if how.action == Action::Suppress { 1 } else { i32::try_from(at.len()).unwrap_or(1) };
        if let Some(h) = self.s.unit_mut(by).horde_mut() {
            if own_turn {
                h.forms[usize::from(!melee)].get_or_insert(how.action);
                if melee {
                    h.fought.extend(at);
                } else {
                    h.shots += shots;
                }
            }
            if melee {
                h.engaged.extend(at);
            }
        }
        if let Some(p) = self.s.unit_mut(by).person_mut() {
            p.aim = Aim::None;
            p.open |= how.action == Action::AllOut;
            p.guarded |= how.action == Action::Guarded;
        }
        if melee {
            for id in at {
                if let Some(h) = self.s.unit_mut(*id).horde_mut() {
                    h.engaged.insert(by);
                }
            }
        }
    }

    /// HC-083, HC-190 to HC-193: Pinning Tests of all in the arc, then one roll for accidental hits.
    fn suppress(&mut self, by: UnitId, at: &[UnitId], how: &How, told: &Told) -> Outcome {
        let act = self.act(by);
        let mode = if how.full_auto { Action::Full } else { Action::Semi };
        for (n, id) in at.iter().enumerate() {
            self.pinning(act, by, *id, mode, n)?;
        }
        let Some(a) = attack_of(self.s, by, at[0], how, true) else { return Ok(()) };
        let plain = told.hits.is_none() && told.degrees.is_none();
        let score = a.score();
        let told_struck = a.base_hits(Degrees { success: true, degrees: told.degrees.unwrap_or(1) });
        let no_roll = plain.then_some(());
        let rolls = self.rolls_to_hit(act, &at[..1], &[no_roll.map(|()| score.clone())], &told.rolls)?;
        let Some(a) = attack_of(self.s, by, at[0], how, true) else { return Ok(()) };
        let struck = match rolls[0] {
            Some(r) => a.strike(score.target, r),
            None => Struck {
                degrees: Degrees { success: true, degrees: told.degrees.unwrap_or(1) },
                jam: false,
                hits: told.hits.unwrap_or(told_struck),
            },
        };
        let on_horde = a.at.is_horde();
        // Each accidental hit finds one of those in the arc at random.
        let n = usize::try_from(struck.hits.max(0)).unwrap_or(0);
        let many = u16::try_from(at.len()).unwrap_or(u16::MAX);
        let who = if at.len() == 1 {
            vec![1; n]
        } else {
            let asks: Vec<_> = (0..n).map(|k| self.ask("whom the hit finds", act, by, k, 0, many)).collect();
            self.throw(&asks)?
        };
        self.events.push(Event::ToHit {
            by: self.label(by),
            at: self.label(at[0]),
            action: Action::Suppress,
            weapon: how.weapon.clone(),
            score: plain.then_some(score),
            roll: rolls[0],
            struck,
            on_horde,
        });
        let mut attacks: Vec<Incoming> = Vec::new();
        for k in who {
            let id = at[usize::from(k).saturating_sub(1).min(at.len() - 1)];
            match attacks.iter_mut().find(|i| i.at == id) {
                Some(i) => i.hits += 1,
                None => attacks.push(Incoming {
                    at: id,
                    how: how.clone(),
                    roll: rolls[0],
                    degrees: struck.degrees,
                    hits: 1,
                    fixed: None,
                    answer: Answer::Open,
                    damage: Vec::new(),
                    accidental: true,
                }),
            }
        }
        if attacks.is_empty() {
            return Ok(());
        }
        self.s.volley = Some(Volley { by, attacks, act: act.n, dice: told.dice.clone() });
        self.settle()
    }

    fn pinning(&mut self, act: Act, by: UnitId, who: UnitId, mode: Action, n: usize) -> Outcome {
        let (label, from) = (self.label(who), self.label(by));
        let u = self.s.unit(who);
        if is_immune(u) {
            self.events.push(Event::Pinning {
                who: label,
                by: from,
                score: None,
                rolls: vec![],
                pinned: false,
            });
            return Ok(());
        }
        if u.pin_tested && self.s.options.pin_tests_per_round == PinTestsPerRound::Once {
            return Ok(());
        }
        let score = pinning_score(&self.s.options, u, self.s.unit(by), mode);
        let nerves = u.has(Talent::NervesOfSteel);
        let sides = self.s.options.t().test.die;
        let ask = self.ask("pinning", act, who, n, 0, sides);
        let mut rolls = self.throw(&[ask])?;
        let passes = |s: &State, r: u16| judge(&s.options, score.target, r).success;
        let mut held = rolls.first().is_some_and(|r| passes(self.s, *r));
        if !held && nerves {
            let ask = self.ask("pinning again", act, who, n, 1, sides);
            let again = self.throw(&[ask])?;
            held = again.first().is_some_and(|r| passes(self.s, *r));
            rolls.extend(again);
        }
        let u = self.s.unit_mut(who);
        u.pin_tested = true;
        u.pinned |= !held;
        self.events.push(Event::Pinning { who: label, by: from, score: Some(score), rolls, pinned: !held });
        Ok(())
    }

    /// Finds out who may still react; when nobody may, the damage falls.
    pub(crate) fn settle(&mut self) -> Outcome {
        let Some(volley) = &self.s.volley else { return Ok(()) };
        let mut open = false;
        let mut answers = Vec::new();
        for (n, a) in volley.attacks.iter().enumerate() {
            let may = a.answer == Answer::Open && !reactions(self.s, n).is_empty();
            open |= may;
            answers.push(if a.answer == Answer::Open && !may { Answer::Taken } else { a.answer });
        }
        if let Some(v) = &mut self.s.volley {
            for (a, answer) in v.attacks.iter_mut().zip(answers) {
                a.answer = answer;
            }
        }
        if open { Ok(()) } else { self.damage() }
    }

    /// HC-040 to HC-044, HC-170, HC-171: a Reaction.
    pub(crate) fn react(
        &mut self,
        who: UnitId,
        which: Option<usize>,
        with: Reaction,
        roll: Option<u16>,
    ) -> Outcome {
        let label = self.label(who);
        let Some(v) = &self.s.volley else {
            return refuse(NotAllowed::by(
                rule!("HC-040"),
                format!("no attack waits for a Reaction of {label}"),
            ));
        };
        let mine: Vec<usize> = (0..v.attacks.len())
            .filter(|n| v.attacks[*n].at == who && v.attacks[*n].answer == Answer::Open)
            .collect();
        if mine.is_empty() {
            return refuse(NotAllowed::by(
                rule!("HC-040"),
                format!("no attack waits for a Reaction of {label}"),
            ));
        }
        if with == Reaction::None {
            for n in mine {
                if let Some(v) = &mut self.s.volley {
                    v.attacks[n].answer = Answer::Taken;
                }
            }
            return self.settle();
        }
        // #n counts the attacks on him, answered ones too, so that a number keeps its meaning.
        let all: Vec<usize> = (0..v.attacks.len()).filter(|n| v.attacks[*n].at == who).collect();
        let n = match which {
            None => mine[0],
            Some(k) => match all.get(k).filter(|n| mine.contains(n)) {
                Some(n) => *n,
                None => {
                    return refuse(NotAllowed::by(
                        rule!("HC-040"),
                        format!("attack #{} on {label} does not wait", k + 1),
                    ));
                }
            },
        };
        if !reactions(self.s, n).contains(&with) {
            let rule = if with == Reaction::Parry { rule!("HC-044") } else { rule!("HC-040") };
            return refuse(
                NotAllowed::by(rule, format!("{label} cannot do that against this attack"))
                    .instead("dodge, or takes it"),
            );
        }
        let (by, act) = (v.by, v.act);
        let Some(score) = reaction_score(self.s, n, with) else {
            return refuse(NotAllowed::by(rule!("HC-170"), "this attack cannot be evaded"));
        };
        let roll = self.d100("evasion", Act { by, n: act }, who, n, roll)?;
        let o = self.s.options;
        let c = if with == Reaction::Dodge { Trait9::Ag } else { Trait9::Ws };
        let degrees = judge(&o, score.target, roll).plus_unnatural(&o, self.s.unit(who).unnatural(&o, c));
        let mut left = 0;
        if let Some(v) = &mut self.s.volley {
            let a = &mut v.attacks[n];
            a.answer = Answer::Tried;
            if degrees.success {
                let burst = matches!(
                    a.how.action,
                    Action::Swift | Action::Lightning | Action::Semi | Action::Full | Action::Suppress
                );
                a.hits = if burst { (a.hits - degrees.with_pass(&o).max(1)).max(0) } else { 0 };
                a.fixed = a.fixed.map(|_| a.hits);
            }
            left = a.hits;
        }
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            p.reactions -= 1;
            // HC-020: a Reaction spoils Aim.
            p.aim = Aim::None;
        }
        self.events.push(Event::Evasion {
            who: label,
            from: self.label(by),
            with,
            score,
            roll,
            degrees,
            left,
        });
        self.settle()
    }

    /// HC-125: damage of all attacks that waited.
    fn damage(&mut self) -> Outcome {
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
            });
        }
        self.spray_jam(&attack, &faces);
        let talent = attack.talent_loss().filter(|_| lost > 0);
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

    /// HC-070: the jam of a Spray looks at the first Damage die of the attack.
    fn spray_jam(&mut self, a: &crate::attack::Attack<'_>, faces: &[u16]) {
        if a.weapon.is_spray() && !a.by.is_horde() && faces.first() == Some(&a.o.t().quality.spray_jam) {
            self.events.push(Event::SprayJam { by: a.by.label.clone() });
        }
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
        self.spray_jam(&attack, &faces);
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
        let heretic = self.s.unit(who).side == crate::unit::Side::Heretics;
        let label = self.label(who);
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            let off = n.min(p.critical);
            p.critical -= off;
            p.wounds = p.wounds.saturating_add(n - off).min(p.max);
            let (left, critical) = (p.wounds, p.critical);
            self.events.push(Event::Wounds { who: label, lost: -n, left, critical, heretic });
        }
    }

    /// Only the effect, as told.
    pub(crate) fn lose_told(&mut self, who: UnitId, n: i32) -> Outcome {
        let u = self.s.unit(who);
        if !u.fights() {
            return refuse(
                NotAllowed::plain(format!("{} is {}", u.label, u.status.word()))
                    .instead(format!("{} rallies", u.label)),
            );
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
        let label = self.label(who);
        if let Some(h) = self.s.unit_mut(who).horde_mut() {
            h.m = h.m.saturating_add(n).min(999);
            let left = h.m;
            self.events.push(Event::Magnitude { who: label, lost: -n, left, talent: None });
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
            return self.out(who, Status::Gone, rule!("HC-107"));
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

/// The Reactions that are possible against attack `n` of the volley, Dodge first.
pub fn reactions(s: &State, n: usize) -> Vec<Reaction> {
    let Some(v) = &s.volley else { return Vec::new() };
    let Some(a) = v.attacks.get(n) else { return Vec::new() };
    let (u, by) = (s.unit(a.at), s.unit(v.by));
    // HC-115: a Horde never evades.
    let Some(p) = u.person() else { return Vec::new() };
    let surprised = u.surprised && s.round <= 1;
    let frozen = matches!(u.shock, Some(3..));
    if p.reactions <= 0
        || p.stunned > 0
        || p.open
        || p.held_by.is_some()
        || surprised
        || frozen
        || !u.fights()
        || a.hits <= 0
    {
        return Vec::new();
    }
    if by.evasion_penalty(&s.options).is_none() {
        return Vec::new();
    }
    let mut out = vec![Reaction::Dodge];
    let weapon = by.weapon(&a.how.weapon);
    let melee = weapon.is_some_and(|w| w.is_melee());
    let flexible = weapon.is_some_and(|w| w.qualities.has(Quality::Flexible));
    if melee && !flexible && parry_bonus(s, a.at).is_some() {
        out.push(Reaction::Parry);
    }
    out
}

/// HC-044: the best bonus to Parry among the weapons at hand; `None` if none can parry.
pub fn parry_bonus(s: &State, who: UnitId) -> Option<i32> {
    let q = &s.options.t().quality;
    s.unit(who)
        .weapons
        .iter()
        .filter(|w| w.is_melee() && !w.qualities.has(Quality::Unwieldy))
        .map(|w| {
            if w.qualities.has(Quality::Defensive) {
                q.defensive_parry
            } else if w.qualities.has(Quality::Balanced) {
                q.balanced_parry
            } else if w.qualities.has(Quality::Unbalanced) {
                q.unbalanced_parry
            } else {
                0
            }
        })
        .max()
}

/// The number to roll under for a Reaction against attack `n`.
pub fn reaction_score(s: &State, n: usize, with: Reaction) -> Option<Score> {
    let v = s.volley.as_ref()?;
    let a = v.attacks.get(n)?;
    let bonus = parry_bonus(s, a.at).unwrap_or(0);
    evasion_score(&s.options, s.unit(a.at), s.unit(v.by), with == Reaction::Dodge, bonus, Vec::new())
}

impl State {
    /// Attacks are described against the state as it was when their damage falls.
    fn clone_for_attack(&self) -> State {
        self.clone()
    }
}
