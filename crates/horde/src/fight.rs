//! Attacks from the first die to the last loss: HC-125, HC-160 to HC-192.

use crate::arms::{Quality, Talent, Trait9, Weapon};
use crate::attack::Struck;
use crate::command::{Reaction, Told};
use crate::engine::{Act, NotAllowed, Outcome, Play, refuse, shielded};
use crate::event::{Event, Label, Note};
use crate::morale::{evasion_score, is_immune, pinning_score};
use crate::options::{BlastMiss, HordeBoth, HordeMeleeMix, HordeRangedMix, HordeVsHorde, PinTestsPerRound};
use crate::roll::{Degrees, Score, judge};
use crate::state::{Answer, How, Incoming, State, Volley};
use crate::turns::acts_now;
use crate::unit::{Action, Aim, UnitId};
use crate::words::attack_of;
use rulebook::rule;

impl Play<'_> {
    pub(crate) fn label(&self, id: UnitId) -> Label {
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
        self.may_fire(by, &weapon)?;
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
        self.may_catch(by, at, told, &weapon)?;
        self.check_told(by, at, how, told)?;
        let cost = how.action.row(&self.s.options).cost;
        self.spend(by, cost);
        self.mark(by, at, how, &weapon);
        let before = self.events.len();
        self.carry_out(by, at, how, told, &weapon)?;
        self.nothing_spare(by, told, before)
    }

    /// Dice that were named and that nothing wants: after a miss they are told of, where something was hit they are too
    /// many, and who counted wrong should know before the damage stands.
    fn nothing_spare(&mut self, by: UnitId, told: &Told, before: usize) -> Outcome {
        if !self.s.options.t().handling.strict {
            return Ok(());
        }
        let new = &self.events[before..];
        let spare =
            new.iter().find_map(|e| if let Event::Spare { dice, .. } = e { Some(dice.len()) } else { None });
        let fell =
            new.iter().any(|e| matches!(e, Event::Damage { .. } | Event::Stun { .. } | Event::Held { .. }));
        match spare {
            Some(n) if fell => {
                let wanted = told.dice.len() - n.min(told.dice.len());
                let are = |n: usize| if n == 1 { "is" } else { "are" };
                refuse(
                    NotAllowed::plain(format!(
                        "{} {} named and {wanted} {} wanted: {n} too many",
                        crate::event::dice_words(told.dice.len()),
                        are(told.dice.len()),
                        are(wanted)
                    ))
                    .instead(format!(
                        "{}, in the order in which they are wanted",
                        crate::event::dice_words(wanted)
                    )),
                )
            }
            None if self.s.volley.is_none() && !fell && !told.dice.is_empty() => {
                let who = self.label(by);
                self.events.push(Event::Spare { who, dice: told.dice.clone() });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn carry_out(&mut self, by: UnitId, at: &[UnitId], how: &How, told: &Told, weapon: &Weapon) -> Outcome {
        if how.action == Action::Suppress {
            return self.suppress(by, at, how, told);
        }
        let act = self.act(by);
        let mut attacks = Vec::new();
        // HC-001: a roll that is said decides; the damages told with it are of the hits that it makes.
        let exact = self.s.is_exact();
        let rolled = exact && !told.rolls.is_empty();
        let plain = told.hits.is_none() && told.degrees.is_none() && (told.damage.is_empty() || rolled);
        let mut scores: Vec<Option<Score>> = Vec::new();
        for id in at {
            let Some(a) = attack_of(self.s, by, *id, how, false) else { continue };
            scores.push((plain && !a.no_roll()).then(|| a.score()));
        }
        let mut rolls = self.rolls_to_hit(act, at, &scores, &told.rolls)?;
        if !plain && self.s.options.t().handling.strict {
            // What it came to is told; the roll still says where it hit (HC-051).
            rolls = (0..at.len()).map(|n| told.rolls.get(n).copied()).collect();
        }
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
                // HC-131, HC-132: called are the hits that were made, before what a Horde makes of them; a Flame's are
                // not made so, but counted.
                fixed = (!exact || a.flame_share().is_some()).then_some(h);
            } else if !plain && !told.damage.is_empty() && told.degrees.is_none() {
                let h = i32::try_from(told.damage.len()).unwrap_or(1);
                struck.hits = h;
                fixed = Some(h);
            }
            let on_horde = a.at.is_horde();
            // HC-020: a Feint that worked is used up by the Standard Attack that it was for.
            let feinted = how.action == Action::Standard
                && weapon.is_melee()
                && self.s.unit(by).person().is_some_and(|p| p.feint == Some(*id));
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
            self.jammed(by, &weapon.id, &struck);
            if feinted && let Some(p) = self.s.unit_mut(by).person_mut() {
                p.feint = None;
            }
            if struck.hits <= 0 {
                if blast && on_horde && self.s.options.blast_miss == BlastMiss::ScatterGm {
                    self.events.push(Event::Scatter { by: self.label(by), at: self.label(*id) });
                }
                self.spare_damage(by, &told.damage);
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
                answer: if feinted { Answer::Taken } else { Answer::Open },
                damage: dice,
                accidental: false,
            });
        }
        if let Some(first) = attacks.first().cloned() {
            for id in &told.caught {
                attacks.push(self.catch(by, *id, how, &first));
            }
        }
        if attacks.is_empty() {
            return Ok(());
        }
        self.s.volley = Some(Volley { by, attacks, act: act.n, dice: told.dice.clone() });
        self.settle()
    }

    /// HC-042, HC-070: whom else an attack may catch: those in the area of a Blast or Spray, friend or foe, even one
    /// who is held (HC-183).
    fn may_catch(&self, by: UnitId, at: &[UnitId], told: &Told, weapon: &Weapon) -> Outcome {
        if told.caught.is_empty() {
            return Ok(());
        }
        if !is_area(weapon) {
            return refuse(
                NotAllowed::by(rule!("HC-042"), format!("{} has no area: it catches nobody else", weapon.id))
                    .instead("one command for each target"),
            );
        }
        if at.len() > 1 || told.hits.is_some() || told.degrees.is_some() || !told.damage.is_empty() {
            return refuse(
                NotAllowed::plain("whom did which of the attacks catch?").instead("one command for each"),
            );
        }
        for (n, id) in told.caught.iter().enumerate() {
            let t = self.s.unit(*id);
            let there = t.fights() || acts_now(self.s, *id);
            if *id == by || at.contains(id) || told.caught[..n].contains(id) || !there {
                return refuse(NotAllowed::by(
                    rule!("HC-042"),
                    format!("{} is not one more who is caught", t.label),
                ));
            }
        }
        Ok(())
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

    fn check_told(&self, by: UnitId, all: &[UnitId], how: &How, told: &Told) -> Outcome {
        let Some(a) = all.first().and_then(|at| attack_of(self.s, by, *at, how, false)) else {
            return Ok(());
        };
        let strict = a.o.t().handling.strict;
        let rolls = match how.action {
            Action::Suppress => 1,
            _ => all
                .iter()
                .filter_map(|at| attack_of(self.s, by, *at, how, false))
                .filter(|a| !a.no_roll())
                .count(),
        };
        let too_many_rolls = told.rolls.len() > rolls;
        let hits = match (told.hits, told.degrees) {
            (Some(h), _) if a.o.t().handling.exact && a.flame_share().is_none() => Some(a.multiply(h, 0).0),
            (Some(h), _) => Some(h),
            (None, Some(d)) => {
                let base = a.base_hits(Degrees { success: true, degrees: d });
                if a.flame_share().is_some() { None } else { Some(a.multiply(base, 0).0) }
            }
            _ => None,
        };
        let n = i32::try_from(told.damage.len()).unwrap_or(i32::MAX);
        match hits {
            _ if strict && too_many_rolls => refuse(
                NotAllowed::plain(format!(
                    "{} named and {} wanted",
                    match told.rolls.len() {
                        1 => "one roll to hit is".to_owned(),
                        n => format!("{n} rolls to hit are"),
                    },
                    match rolls {
                        0 => "none is".to_owned(),
                        1 => "1 is".to_owned(),
                        n => format!("{n} are"),
                    }
                ))
                .instead("one d100 for each attack that rolls"),
            ),
            _ if strict && n > 0 && a.action.row(a.o).hits == crate::tables::HitRule::None => {
                let name = &a.action.row(a.o).name;
                refuse(
                    NotAllowed::by(rule!("HC-085"), format!("a {name} does no damage"))
                        .instead("`dice N` for its die, or only the effect"),
                )
            }
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
        if !t.fights() && !acts_now(self.s, at) {
            let rule = if weapon.is_melee() { rule!("HC-160") } else { rule!("HC-144") };
            let (label, broken) = (&t.label, t.status == crate::unit::Status::Broken);
            let told = if t.is_horde() { "-4" } else { "4 wounds" };
            let no = NotAllowed::by(rule, format!("{label} is {} and is attacked no more", t.status.word()));
            // HC-146: losses from any source count.
            return refuse(if broken {
                no.instead(format!("`{label} {told}` for what is done to those who run"))
            } else {
                no
            });
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
        let strict = self.s.options.t().handling.strict;
        if strict && a.is_horde() && how.aim != Aim::None {
            return refuse(
                NotAllowed::by(rule!("HC-165"), "a Horde does not aim").instead("leave `aim` out"),
            );
        }
        if strict && how.action == Action::Charge && a.person().is_some_and(|p| p.held_by.is_some()) {
            let label = &a.label;
            return refuse(
                NotAllowed::by(rule!("HC-087"), format!("{label} is held and cannot move"))
                    .instead(format!("{label} escapes, slips or controls")),
            );
        }
        let Some(attack) = attack_of(self.s, by, at, how, false) else { return Ok(()) };
        match attack.allowed().and_then(|()| attack.allowed_suppression(how.full_auto)) {
            Ok(()) => Ok(()),
            Err(no) => refuse(NotAllowed { rule: Some(no.rule), why: no.why, instead: no.instead }),
        }
    }

    /// HC-160 to HC-166: what a Horde may do in its turn. It has one in a Round, so what it does out of it, by the game
    /// master's word, counts for it.
    fn horde_limits(&self, by: UnitId, at: &[UnitId], how: &How, weapon: &Weapon) -> Outcome {
        let u = self.s.unit(by);
        let Some(h) = u.horde() else { return Ok(()) };
        let o = &self.s.options;
        if self.s.current() != Some(by) && !o.t().handling.strict {
            return Ok(());
        }
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
                    return refuse(
                        NotAllowed::by(
                            rule!("HC-160"),
                            format!("{label} attacks {t} hand to hand once a turn"),
                        )
                        .instead(format!("another; `{label} set fought no` is your word for once more")),
                    );
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
                .instead(if h.shots == 0 {
                    format!("{most} at most")
                } else {
                    let left = (most - h.shots).max(0);
                    format!("{left} more; `{label} set shots 0` is your word for as many again")
                }),
            );
        }
        Ok(())
    }

    /// Keeps what an attack uses up.
    fn mark(&mut self, by: UnitId, at: &[UnitId], how: &How, weapon: &Weapon) {
        let melee = weapon.is_melee();
        let counts = self.s.current() == Some(by) || self.s.options.t().handling.strict;
        let shots = if how.action == Action::Suppress { 1 } else { i32::try_from(at.len()).unwrap_or(1) };
        if let Some(h) = self.s.unit_mut(by).horde_mut() {
            if counts {
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
        self.fire(by, how, weapon, shots);
        if melee && self.s.options.t().handling.kept {
            // HC-084: melee contact ends being Pinned.
            for id in at.iter().chain([&by]) {
                self.s.unit_mut(*id).pinned = false;
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
        let mut rolls = self.rolls_to_hit(act, &at[..1], &[no_roll.map(|()| score.clone())], &told.rolls)?;
        let Some(a) = attack_of(self.s, by, at[0], how, true) else { return Ok(()) };
        let struck = match rolls[0] {
            Some(r) if plain => a.strike(score.target, r),
            _ => Struck {
                degrees: Degrees { success: true, degrees: told.degrees.unwrap_or(1) },
                jam: false,
                hits: told.hits.unwrap_or(told_struck),
            },
        };
        if !plain && self.s.options.t().handling.strict {
            // The roll says where it hit, though what it came to is told.
            rolls = vec![told.rolls.first().copied()];
        }
        // HC-021, HC-083: as many as the mode of fire sends; what people tell they have counted.
        let (_, semi, full) = a.weapon.rof;
        let mut struck = struck;
        if told.hits.is_none() {
            struck.hits = struck.hits.min(if how.full_auto { full } else { semi });
        }
        let on_horde = a.at.is_horde();
        self.jammed(by, &how.weapon, &struck);
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
        let strict = self.s.options.t().handling.strict;
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
                    damage: if strict { told.damage.clone() } else { Vec::new() },
                    accidental: true,
                }),
            }
        }
        if attacks.is_empty() {
            self.spare_damage(by, &told.damage);
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
        let score = pinning_score(&self.s.options, u, self.s.unit(by), mode);
        let nerves = u.has(Talent::NervesOfSteel);
        let sides = self.s.options.t().test.die;
        // HC-193 `once`: the roll of this Round stands, and worse fire is held against it too.
        let once = self.s.options.pin_tests_per_round == PinTestsPerRound::Once;
        let mut rolls = if once { u.pin_rolls.clone() } else { Vec::new() };
        if rolls.is_empty() {
            let ask = self.ask("pinning", act, who, n, 0, sides);
            rolls = self.throw(&[ask])?;
        }
        let passes = |s: &State, r: u16| judge(&s.options, score.target, r).success;
        let mut held = rolls.iter().any(|r| passes(self.s, *r));
        if !held && nerves && rolls.len() < 2 {
            let ask = self.ask("pinning again", act, who, n, 1, sides);
            let again = self.throw(&[ask])?;
            held = again.first().is_some_and(|r| passes(self.s, *r));
            rolls.extend(again);
        }
        let contact = self.s.is_exact() && self.s.in_contact(who);
        let u = self.s.unit_mut(who);
        u.pin_rolls.clone_from(&rolls);
        u.pinned |= !held;
        // HC-084: melee contact ends it, so it does not last where there is contact already.
        u.pinned &= !contact;
        let pinned = if once { u.pinned } else { !held && !contact };
        self.events.push(Event::Pinning { who: label, by: from, score: Some(score), rolls, pinned });
        if contact && !held {
            self.note(who, Note::Contact);
        }
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
        metres: Option<i32>,
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
        if let Some((must, may)) = cannot_leave(self.s, n, metres) {
            if let Some(v) = &mut self.s.volley {
                v.attacks[n].answer = Answer::Tried;
            }
            self.react_spent(who);
            self.events.push(Event::Confined { who: label, from: self.label(by), must, may });
            return self.settle();
        }
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
        self.react_spent(who);
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

    /// HC-043; HC-020: a Reaction spoils Aim.
    fn react_spent(&mut self, who: UnitId) {
        if let Some(p) = self.s.unit_mut(who).person_mut() {
            p.reactions -= 1;
            p.aim = Aim::None;
        }
    }
}

/// HC-042, HC-062, HC-070: whether a weapon strikes all in an area.
pub fn is_area(w: &Weapon) -> bool {
    !w.is_melee() && (w.qualities.figure(Quality::Blast).is_some_and(|x| x > 0) || w.is_spray())
}

/// HC-042: metres that the one attacked must go to be out of the area of attack `n`, and those that he may (his
/// Agility Bonus), if that is too few. Nobody measured: he stands in the middle of a Blast, at the edge of a Spray.
pub fn cannot_leave(s: &State, n: usize, metres: Option<i32>) -> Option<(i32, i32)> {
    let v = s.volley.as_ref()?;
    let a = v.attacks.get(n)?;
    let weapon = s.unit(v.by).weapon(&a.how.weapon).filter(|w| is_area(w))?;
    let must = metres.unwrap_or_else(|| weapon.qualities.figure(Quality::Blast).unwrap_or(0));
    let may = s.unit(a.at).bonus(&s.options, Trait9::Ag);
    (must > may).then_some((must, may))
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
