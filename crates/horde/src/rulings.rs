//! The game master's word: each ruling one command, logged for him alone (issue and HC-205).

use crate::arms::Trait9;
use crate::command::{Joins, Rule, Ruling};
use crate::document::check_label;
use crate::engine::{NotAllowed, Outcome, Play, refuse};
use crate::event::{Event, Note};
use crate::options::{BreakRally, Options};
use crate::state::Answer;
use crate::unit::{Horde, Kind, Person, Side, Status, Unit, UnitId};
use rulebook::rule;
use std::sync::Arc;

impl Play<'_> {
    /// Carries out a ruling.
    pub(crate) fn rule(&mut self, ruling: &Ruling) -> Outcome {
        if !self.master {
            return refuse(NotAllowed::plain("only the game master rules"));
        }
        let words = crate::words::print(
            self.s,
            &crate::command::Command::Ruling(Ruling { what: ruling.what.clone(), because: String::new() }),
        );
        let ruled = Event::Ruled { words, because: ruling.because.clone() };
        self.events.push(ruled);
        match &ruling.what {
            Rule::Magnitude { who, m } => self.set_magnitude(*who, *m),
            Rule::Original { who, m } => {
                self.of_horde(*who, |h| h.m0 = (*m).max(1))?;
                self.flag_due(*who);
                Ok(())
            }
            Rule::Reinforce { who, n, first_only } => {
                if self.s.unit(*who).horde().is_none() {
                    return self.no_horde(*who);
                }
                self.gain(*who, *n);
                if !first_only {
                    self.of_horde(*who, |h| h.m0 = h.m0.saturating_add(*n).min(999))?;
                }
                // HC-144: more of them do not bring back those who ran; that is a ruling of its own.
                let ran = self.s.unit(*who).status == Status::Broken;
                if !ran || !self.s.options.t().handling.stricter {
                    self.revive(*who);
                }
                Ok(())
            }
            Rule::Split { who, n, label } => self.split(*who, *n, label),
            Rule::Merge { who, into } => self.merge(*who, *into),
            Rule::Breaks { who } => {
                if !self.s.unit(*who).fights() {
                    return refuse(NotAllowed::plain(format!("{} does not fight", self.s.unit(*who).label)));
                }
                let frenzied = std::mem::replace(&mut self.s.unit_mut(*who).frenzied, true);
                self.breaks(*who, rule!("HC-144"));
                self.s.unit_mut(*who).frenzied = frenzied;
                Ok(())
            }
            Rule::Holds { who } => {
                self.of_horde(*who, |h| h.skip_test = true)?;
                self.revive(*who);
                Ok(())
            }
            Rule::Rallies { who } => {
                if self.s.unit(*who).status != Status::Broken {
                    return refuse(NotAllowed::by(
                        rule!("HC-144"),
                        format!("{} is not broken", self.s.unit(*who).label),
                    ));
                }
                if self.s.options.break_rally == BreakRally::Never && self.s.unit(*who).is_horde() {
                    return refuse(
                        NotAllowed::by(rule!("HC-144"), "a broken Horde does not come back (break.rally = never)")
                            .instead("option break.rally gm_button, then rallies; or holds, which takes the break itself back"),
                    );
                }
                self.revive(*who);
                Ok(())
            }
            Rule::SkipTest { who } => self.of_horde(*who, |h| h.skip_test = true),
            Rule::Test { who, roll } => {
                if !self.s.unit(*who).fights() || !self.s.unit(*who).is_horde() {
                    return self.no_horde(*who);
                }
                self.break_test(*who, *roll)
            }
            Rule::Option { key, value } => match self.s.options.set(key, value) {
                Ok(()) => Ok(()),
                Err(e) => refuse(NotAllowed::plain(e.to_string())),
            },
            Rule::Set { who, key, value } => self.set(*who, key, value),
            Rule::Arms { who, weapon, gains } => self.arms(*who, weapon, *gains),
            Rule::Hits { who, which, hits } => self.set_hits(*who, *which, *hits),
            Rule::Add { kind, label, profile, strength, initiative } => {
                self.add(*kind, label, profile, *strength, *initiative)
            }
            Rule::Gone { who } => {
                self.s.unit_mut(*who).status = Status::Gone;
                self.release_all(*who);
                self.leave_reach(*who);
                Ok(())
            }
            Rule::Before { who, other } => self.reorder(*who, *other, false),
            Rule::After { who, other } => self.reorder(*who, *other, true),
            Rule::Surprised { who } => {
                self.s.unit_mut(*who).surprised = true;
                Ok(())
            }
            Rule::Turn { who } => self.give_turn(*who),
            Rule::Returns { who } => self.comes_back(*who),
        }
    }

    fn no_horde(&self, who: UnitId) -> Outcome {
        refuse(NotAllowed::plain(format!("{} is no Horde that fights", self.s.unit(who).label)))
    }

    fn no_person(&self, who: UnitId) -> Outcome {
        refuse(NotAllowed::plain(format!("{} is a Horde", self.s.unit(who).label)))
    }

    fn of_horde(&mut self, who: UnitId, change: impl FnOnce(&mut Horde)) -> Outcome {
        match self.s.unit_mut(who).horde_mut() {
            Some(h) => {
                change(h);
                Ok(())
            }
            None => self.no_horde(who),
        }
    }

    fn revive(&mut self, who: UnitId) {
        let u = self.s.unit_mut(who);
        let ran = u.status == Status::Broken;
        if u.horde().is_none_or(|h| h.m > 0) {
            u.status = Status::Fighting;
            // Players have seen it run, so they see that it does not.
            if ran && self.s.is_exact() {
                self.note(who, Note::FightsOn);
            }
        }
    }

    fn set_magnitude(&mut self, who: UnitId, m: i32) -> Outcome {
        self.of_horde(who, |h| {
            h.m = m;
            h.m0 = h.m0.max(1);
        })?;
        if m == 0 {
            return self.out(who, Status::Destroyed, rule!("HC-106"));
        }
        if self.s.unit(who).status == Status::Destroyed {
            self.s.unit_mut(who).status = Status::Fighting;
        }
        self.flag_due(who);
        Ok(())
    }

    /// HC-140, HC-143: a Magnitude that is ruled is no loss, so nothing follows by itself; what it would bring is said.
    fn flag_due(&mut self, who: UnitId) {
        let (o, u) = (self.s.options, self.s.unit(who));
        let Some(h) = u.horde().filter(|_| self.s.is_exact() && u.fights()) else { return };
        let breaks = crate::morale::breaks_by_itself(&o, u);
        let base = crate::morale::loss_and_base(&o, h).1;
        let free = !h.tested && !h.skip_test && !crate::morale::never_breaks(&o, u);
        if breaks || (free && h.m < base && crate::morale::is_a_quarter(&o, base - h.m, base)) {
            let (m, of) = (h.m, if breaks { h.m0 } else { base });
            self.note(who, Note::Due { m, of, breaks });
        }
    }

    fn new_label(&self, label: &str) -> Outcome {
        let labels: Vec<Arc<str>> = self.s.units.iter().map(|u| u.label.clone()).collect();
        match check_label(label, &labels, self.library) {
            Ok(()) if self.s.units.len() < 1000 => Ok(()),
            Ok(()) => refuse(NotAllowed::plain("there are a thousand combatants already")),
            Err((why, hint)) => refuse(NotAllowed { rule: None, why, instead: hint }),
        }
    }

    /// A part of a Horde becomes one of its own, with its share of the original Magnitude.
    fn split(&mut self, who: UnitId, n: i32, label: &Arc<str>) -> Outcome {
        self.new_label(label)?;
        let u = self.s.unit(who).clone();
        let Some(h) = u.horde().filter(|_| u.fights()) else { return self.no_horde(who) };
        if n >= h.m {
            return refuse(
                NotAllowed::plain(format!("{} has Magnitude {}; {n} cannot be parted from it", u.label, h.m))
                    .instead(format!("1 to {}", h.m - 1)),
            );
        }
        let share =
            |of: i32| i32::try_from(i64::from(of) * i64::from(n) / i64::from(h.m.max(1))).unwrap_or(of);
        let part = Horde {
            m0: share(h.m0).max(n),
            m: n,
            ms: n,
            lost: 0,
            own: n,
            lost_own: 0,
            turn_mb: None,
            held: std::collections::BTreeSet::new(),
            fought: std::collections::BTreeSet::new(),
            ..h.clone()
        };
        let strict = self.s.options.t().handling.strict;
        let part = if strict { share_of_round(&self.s.options, h, n, part) } else { part };
        let rest_m0 = (h.m0 - part.m0).max(h.m - n);
        let (part_ms, part_lost) = (part.ms, part.lost);
        let (part_own, part_lost_own) = (part.own, part.lost_own);
        let mut new = u.clone();
        new.label = label.clone();
        rename(&mut new, label);
        new.kind = Kind::Horde(part);
        self.of_horde(who, |h| {
            h.m -= n;
            h.m0 = rest_m0.max(1);
            if strict {
                h.ms = (h.ms - part_ms).max(0);
                h.lost = (h.lost - part_lost).max(0);
                h.own = (h.own - part_own).max(0);
                h.lost_own = (h.lost_own - part_lost_own).max(0);
            } else {
                h.ms = h.ms.min(h.m0).max(h.m);
                h.own = h.own.min(h.m0).max(h.m);
            }
        })?;
        self.join(new, Some(who));
        Ok(())
    }

    fn merge(&mut self, who: UnitId, into: UnitId) -> Outcome {
        if who == into {
            return refuse(NotAllowed::plain("a Horde cannot join itself"));
        }
        let Some(h) = self.s.unit(who).horde().filter(|_| self.s.unit(who).fights()).cloned() else {
            return self.no_horde(who);
        };
        if !self.s.unit(into).fights() || self.s.unit(into).side != self.s.unit(who).side {
            return refuse(NotAllowed::plain("only Hordes of one side that fight join"));
        }
        let strict = self.s.options.t().handling.strict;
        self.of_horde(into, |t| {
            t.m = (t.m + h.m).min(999);
            t.m0 = (t.m0 + h.m0).min(999);
            t.ms = (t.ms + h.ms).min(999);
            t.own = (t.own + h.own).min(999);
            t.lost = t.lost.saturating_add(h.lost);
            t.lost_own = t.lost_own.saturating_add(h.lost_own);
            t.engaged.extend(&h.engaged);
            // HC-146: one Test a Round at most, whichever of the two took it.
            t.tested |= strict && h.tested;
        })?;
        for id in &h.held {
            if let Some(p) = self.s.unit_mut(*id).person_mut() {
                p.held_by = Some(into);
            }
        }
        self.of_horde(into, |t| t.held.extend(&h.held))?;
        if let Some(g) = self.s.unit_mut(who).horde_mut() {
            g.held.clear();
            g.m = 0;
        }
        self.s.unit_mut(who).status = Status::Gone;
        self.leave_reach(who);
        Ok(())
    }

    fn join(&mut self, unit: Unit, after: Option<UnitId>) -> UnitId {
        let id = UnitId(u16::try_from(self.s.units.len()).unwrap_or(u16::MAX));
        let initiative = unit.initiative;
        self.s.units.push(unit);
        let at = match after.and_then(|a| self.s.order.iter().position(|o| *o == a)) {
            Some(at) => at + 1,
            None => {
                let place =
                    self.s.order.iter().position(|o| {
                        self.s.unit(*o).initiative.unwrap_or(0) < initiative.unwrap_or(i32::MIN)
                    });
                place.unwrap_or(self.s.order.len())
            }
        };
        self.s.order.insert(at, id);
        if at <= self.s.turn && self.s.order.len() > 1 && self.s.round > 0 {
            self.s.turn += 1;
            // Who comes in before the one who acts has missed this Round.
            if self.s.is_exact() {
                self.s.had.insert(id);
            }
        }
        if after.is_some_and(|of| self.s.had.contains(&of)) {
            self.s.had.insert(id);
        }
        id
    }

    fn add(
        &mut self,
        kind: Joins,
        label: &Arc<str>,
        profile: &str,
        strength: Option<i32>,
        initiative: Option<i32>,
    ) -> Outcome {
        self.new_label(label)?;
        let Some(p) = self.library.profiles.get(profile).cloned() else {
            let all = self.library.profiles.keys().map(String::as_str);
            let near = crate::problem::meant(profile, all, crate::library::LIST_PROFILES);
            return refuse(NotAllowed {
                rule: None,
                why: format!("there is no profile {profile}"),
                instead: Some(near),
            });
        };
        let o = self.s.options;
        let horde = matches!(kind, Joins::Horde | Joins::Ally);
        let base = if horde { p.magnitude } else { p.wounds };
        let n = strength.unwrap_or(base);
        if n < 1 {
            let what = if horde { "Magnitude" } else { "wounds" };
            return refuse(
                NotAllowed::plain(format!("the profile {profile} has no usual {what}"))
                    .instead(format!("add … {label} {profile} 20")),
            );
        }
        let e = &o.t().evasion;
        let more = if p.traits.has(crate::arms::Talent::StepAside) { e.step_aside } else { 0 };
        let body = if horde {
            Kind::Horde(Horde {
                m0: n,
                m: n,
                ms: n,
                lost: 0,
                own: n,
                lost_own: 0,
                turn_mb: None,
                tested: false,
                skip_test: false,
                engaged: std::collections::BTreeSet::new(),
                fought: std::collections::BTreeSet::new(),
                shots: 0,
                forms: [None, None],
                held: std::collections::BTreeSet::new(),
            })
        } else {
            Kind::Person(Person { max: n, wounds: n, reactions: e.reactions + more, ..Person::default() })
        };
        let mut unit = Unit {
            label: label.clone(),
            name: p.name.as_str().into(),
            player: None,
            side: if matches!(kind, Joins::Heretic | Joins::Ally) { Side::Heretics } else { Side::Foes },
            weapons: Arc::new(
                p.weapons.iter().filter_map(|w| self.library.weapons.get(w).cloned()).collect(),
            ),
            profile: Arc::new(crate::arms::Profile { magnitude: 0, wounds: 0, ..(*p).clone() }),
            status: Status::Fighting,
            kind: body,
            initiative,
            shock: None,
            pinned: false,
            pin_rolls: Vec::new(),
            frenzied: false,
            surprised: false,
            usual: [None, None],
            loads: Vec::new(),
            acts: 0,
        };
        rename(&mut unit, label);
        let id = self.join(unit, None);
        if initiative.is_none() && self.s.round > 0 {
            // HC-014: a late comer rolls now.
            let act = self.act(id);
            let ask = self.ask("initiative", act, id, 0, 0, o.t().initiative.die);
            let die = self.throw(&[ask])?.first().copied().unwrap_or(1);
            let value = i32::from(die) + crate::engine::initiative_bonus(&o, self.s.unit(id));
            self.s.unit_mut(id).initiative = Some(value);
            self.s.order.pop();
            let unit = self.s.units.pop();
            if let Some(u) = unit {
                self.join(u, None);
            }
            self.events.push(Event::Order(vec![(label.clone(), value)]));
        }
        Ok(())
    }

    /// A weapon given or taken away.
    fn arms(&mut self, who: UnitId, weapon: &str, gains: bool) -> Outcome {
        let label = self.label(who);
        let has = self.s.unit(who).weapon(weapon).is_some();
        if has == gains {
            let carried: Vec<&str> = self.s.unit(who).weapons.iter().map(|w| w.id.as_str()).collect();
            let word = if gains { "carries" } else { "does not carry" };
            return refuse(
                NotAllowed::plain(format!("{label} {word} {weapon}"))
                    .instead(format!("he has {}", carried.join(", "))),
            );
        }
        if gains {
            let Some(w) = self.library.weapons.get(weapon).cloned() else {
                let all = self.library.weapons.keys().map(String::as_str);
                let near = crate::problem::meant(weapon, all, crate::library::LIST_WEAPONS);
                return refuse(NotAllowed {
                    rule: None,
                    why: format!("there is no weapon {weapon}"),
                    instead: Some(near),
                });
            };
            self.s.unit_mut(who).arm(w);
        } else {
            if self.s.volley.as_ref().is_some_and(|v| v.by == who) {
                return refuse(NotAllowed::by(rule!("HC-040"), "attacks that hit are waiting for Reactions"));
            }
            self.s.unit_mut(who).disarm(weapon);
        }
        self.events.push(Event::Arms { who: label, weapon: weapon.into(), gains });
        Ok(())
    }

    fn set_hits(&mut self, who: UnitId, which: usize, hits: i32) -> Outcome {
        let attack =
            self.s.volley.as_mut().and_then(|v| v.attacks.iter_mut().filter(|a| a.at == who).nth(which));
        match attack {
            Some(a) => {
                a.hits = hits;
                a.fixed = a.fixed.map(|_| hits);
                if hits == 0 {
                    a.answer = Answer::Taken;
                }
                self.settle()
            }
            None => refuse(NotAllowed::plain(format!(
                "no attack #{} waits on {}",
                which + 1,
                self.s.unit(who).label
            ))),
        }
    }

    fn set(&mut self, who: UnitId, key: &str, value: &str) -> Outcome {
        let number = value.parse::<i32>().ok().filter(|n| (-999..=999).contains(n));
        let flag = match value {
            "yes" | "true" | "on" | "1" => Some(true),
            "no" | "false" | "off" | "0" => Some(false),
            _ => None,
        };
        let bad =
            |what: &str| refuse(NotAllowed::plain(format!("`{value}` is no value of {key}")).instead(what));
        let u = self.s.unit_mut(who);
        if let Some(c) = Trait9::ALL.into_iter().find(|c| c.key() == key) {
            let Some(n) = number.filter(|n| (0..=199).contains(n)) else { return bad("0 to 199") };
            Arc::make_mut(&mut u.profile).values[c as usize] = n;
            return Ok(());
        }
        if ["ap", "head_ap", "dodge", "parry"].contains(&key) {
            let Some(n) = number.filter(|n| (0..=199).contains(n)) else { return bad("0 to 199") };
            if key.ends_with("ap") && n > 99 {
                return bad("0 to 99");
            }
            let p = Arc::make_mut(&mut u.profile);
            match key {
                "ap" => p.ap = n,
                "head_ap" => p.head_ap = n,
                "dodge" => p.dodge = n,
                _ => p.parry = n,
            }
            return Ok(());
        }
        match key {
            "pinned" => {
                let Some(f) = flag else { return bad("yes or no") };
                u.pinned = f;
                return Ok(());
            }
            "surprised" => {
                let Some(f) = flag else { return bad("yes or no") };
                u.surprised = f;
                return Ok(());
            }
            "shock" => {
                u.shock = if flag == Some(false) { None } else { return bad("no") };
                return Ok(());
            }
            "fought" => {
                // HC-160, HC-162: everybody may be attacked hand to hand once more.
                let Some(false) = flag else { return bad("no") };
                let Some(h) = u.horde_mut() else {
                    return refuse(NotAllowed::plain(format!("{} is no Horde", u.label)));
                };
                h.fought.clear();
                h.forms[0] = None;
                return Ok(());
            }
            "ready" => {
                // HC-074: what recharges may be used at once.
                let Some(true) = flag else { return bad("yes") };
                for load in &mut u.loads {
                    load.fired = None;
                }
                while u.loads.last() == Some(&crate::load::Load::default()) {
                    u.loads.pop();
                }
                return Ok(());
            }
            "side" => {
                u.side = match value {
                    "heretics" => Side::Heretics,
                    "foes" => Side::Foes,
                    _ => return bad("heretics or foes"),
                };
                self.release_all(who);
                self.leave_reach(who);
                return Ok(());
            }
            _ if u.weapon(key).is_some() => {
                let Some((n, w)) = number.filter(|n| (0..=999).contains(n)).zip(u.weapon(key).cloned())
                else {
                    return bad("the shots left, 0 to 999");
                };
                if u.shots_left(&w).is_none() {
                    return refuse(NotAllowed::plain(format!("the shots of {key} are not counted")));
                }
                let load = crate::load::Load { spent: (w.clip - n).max(0), ..u.load(key) };
                u.set_load(key, load);
                return Ok(());
            }
            "prone" => {
                let Some(f) = flag else { return bad("yes or no") };
                let Some(p) = u.person_mut() else { return self.no_person(who) };
                p.prone = f;
                return Ok(());
            }
            "initiative" => {
                let Some(n) = number.filter(|n| (-99..=999).contains(n)) else { return bad("-99 to 999") };
                u.initiative = Some(n);
                return Ok(());
            }
            "status" => {
                let Some(s) = Status::read(value) else { return bad("fighting, broken, destroyed or gone") };
                u.status = s;
                if s != Status::Fighting {
                    self.release_all(who);
                    self.leave_reach(who);
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(n) = number.filter(|n| (0..=999).contains(n)) else { return bad("0 to 999") };
        let (strict, exact) = (self.s.options.t().handling.strict, self.s.is_exact());
        let u = self.s.unit_mut(who);
        match &mut u.kind {
            Kind::Horde(h) => match key {
                "magnitude" => return self.set_magnitude(who, n),
                "original" => {
                    h.m0 = n.max(1);
                    self.flag_due(who);
                }
                "round_start" => h.ms = n,
                "lost" => h.lost = n,
                "shots" => {
                    h.shots = n;
                    if n == 0 && strict {
                        h.forms[1] = None;
                    }
                }
                _ => {
                    return unknown_key(
                        key,
                        &["magnitude", "original", "round_start", "lost", "shots", "fought"],
                    );
                }
            },
            Kind::Person(p) => match key {
                "wounds" if n > p.max && exact => {
                    let (label, max) = (&u.label, p.max);
                    return refuse(
                        NotAllowed::by(rule!("HC-055"), format!("{label} has {max} wounds at most"))
                            .instead(format!("`{label} set max_wounds {n}` first")),
                    );
                }
                "wounds" => p.wounds = n.min(p.max),
                "max_wounds" => {
                    p.max = n.max(1);
                    p.wounds = p.wounds.min(p.max);
                }
                "critical" => p.critical = n,
                "fatigue" => p.fatigue = n,
                "reactions" => p.reactions = n.min(99),
                "stunned" => p.stunned = n,
                _ => {
                    return unknown_key(
                        key,
                        &["wounds", "max_wounds", "critical", "fatigue", "reactions", "stunned"],
                    );
                }
            },
        }
        Ok(())
    }
}

/// HC-140: of what the Round began with and has cost, a part of a Horde takes its share, rounded so that neither the ruling
/// nor the rounding makes a Test due, as far as whole numbers allow.
fn share_of_round(o: &Options, h: &Horde, n: i32, part: Horde) -> Horde {
    let share = |of: i32, up: bool| {
        let (of, n, m) = (i64::from(of), i64::from(n), i64::from(h.m.max(1)));
        i32::try_from((of * n + if up { m - 1 } else { 0 }) / m).unwrap_or(0)
    };
    // What it would hold had it lost nothing: its Magnitude and its part of the losses, and of what rulings set apart.
    let both = |base: i32, lost: i32| {
        let apart = share(base - h.m - lost, false);
        let fits = |l: i32| {
            let (mine, rest) = (n + l + apart, base - n - l - apart);
            let due = crate::morale::is_a_quarter(o, lost, base);
            due || !(crate::morale::is_a_quarter(o, l, mine)
                || crate::morale::is_a_quarter(o, lost - l, rest))
        };
        let down = share(lost, false);
        let l = if fits(down) { down } else { share(lost, true) };
        ((n + l + apart).max(0), l)
    };
    let (ms, lost) = both(h.ms, h.lost);
    let (own, lost_own) = both(h.own, h.lost_own);
    Horde { ms, lost, own, lost_own, fought: h.fought.clone(), ..part }
}

fn unknown_key(key: &str, own: &[&'static str]) -> Outcome {
    let common = [
        "ap",
        "head_ap",
        "dodge",
        "parry",
        "pinned",
        "surprised",
        "shock",
        "initiative",
        "status",
        "side",
        "prone",
        "ready",
    ];
    let all = Trait9::ALL.into_iter().map(Trait9::key).chain(common).chain(own.iter().copied());
    let list: Vec<&str> = all.collect();
    let near =
        crate::problem::nearest(key, list.iter().copied()).map_or_else(|| list.join(", "), str::to_owned);
    refuse(NotAllowed::plain(format!("there is no value `{key}` to set")).instead(near))
}

/// The profile of a combatant carries his label, as a document's does.
fn rename(u: &mut Unit, label: &str) {
    let p = Arc::make_mut(&mut u.profile);
    p.id = label.to_owned();
    p.name = u.name.to_string();
    p.weapons = u.weapons.iter().map(|w| w.id.clone()).collect();
}
