//! Step 5: distant shooting by both sides (section 12).

use super::{Done, Play, refused};
use crate::battle::{
    Battle, ElementId, Event, Flags, Pending, Phase, ShooterReply, SideId, State, Target, Why,
};
use crate::contacts::Contacts;
use crate::sight;
use crate::table::options::MutualMain;
use crate::table::{Fighter, Mode, ShootBounds};
use dice::Ask;
use field::{PACE, Zone, beyond_rear};
use rulebook::{RuleId, rule};

/// Who may shoot at whom, in a position in step 5.
pub struct Shots<'a> {
    battle: &'a Battle,
    state: &'a State,
    contacts: Contacts,
}

impl<'a> Shots<'a> {
    /// The shots of a position.
    #[must_use]
    pub fn new(battle: &'a Battle, state: &'a State) -> Self {
        Self { battle, state, contacts: Contacts::of(battle, state) }
    }

    /// HOTT-223 to HOTT-225, HOTT-227, HOTT-089: whether an element may shoot now, and how far.
    ///
    /// # Errors
    /// The rule that forbids it, and why.
    pub fn may_shoot(&self, id: ElementId) -> Result<i32, (RuleId, String)> {
        let (info, now) = (self.battle.element(id), self.state.element(id));
        let label = self.battle.full_label(id);
        let shooting = self.battle.tables.troop(info.ty).shoots.filter(|s| !s.if_armed || info.armed);
        let Some(shooting) = shooting else {
            return Err((rule!("HOTT-048"), format!("{label} does not shoot")));
        };
        if !self.state.on_table(id) {
            return Err((rule!("HOTT-227"), format!("{label} is not on the table")));
        }
        if self.contacts.in_contact(id) {
            return Err((rule!("HOTT-227"), format!("{label} is in close combat contact")));
        }
        if now.flags.has(Flags::SHOT) {
            return Err((rule!("HOTT-089"), format!("{label} has shot this bound")));
        }
        if shooting.bounds == ShootBounds::Own {
            if !self.battle.acts(self.state, info.side) {
                return Err((rule!("HOTT-236"), format!("{label} shoots in its own side's bounds only")));
            }
            if now.flags.has(Flags::MOVED) {
                return Err((rule!("HOTT-224"), format!("{label} has moved this bound")));
            }
            let halted = now.flags.has(Flags::HALTED) && !self.battle.tables.big.halted_artillery_shoots;
            if halted {
                return Err((rule!("BB-061"), format!("{label} was halted this bound")));
            }
        }
        Ok(shooting.range)
    }

    fn side(&self, target: Target) -> SideId {
        match target {
            Target::Element(id) => self.battle.element(id).side,
            Target::Stronghold(side) => side,
        }
    }

    /// HOTT-225 to HOTT-228: whether an element may shoot at this now.
    ///
    /// # Errors
    /// The rule that forbids it, and why.
    pub fn may_shoot_at(&self, id: ElementId, target: Target) -> Result<(), (RuleId, String)> {
        let range = self.may_shoot(id)?;
        let label = crate::words::target_label(self.battle, target);
        let (own, theirs) = (self.battle.element(id).side, self.side(target));
        if !self.battle.hostile(own, theirs) {
            return Err((
                rule!("HOTT-232"),
                format!("{label} is no enemy of {}", self.battle.full_label(id)),
            ));
        }
        let acts = |side| self.battle.acts(self.state, side);
        let involved = acts(own) || acts(theirs) || {
            use crate::table::options::MultiSideCombat;
            self.battle.tables.is_big() && self.battle.tables.big.multi_side_combat == MultiSideCombat::All
        };
        if !involved {
            return Err((rule!("BB-094"), format!("{label} is not of the side whose bound it is")));
        }
        let flags = match target {
            Target::Element(enemy) => {
                if !self.state.on_table(enemy) {
                    return Err((rule!("HOTT-226"), format!("{label} is not on the table")));
                }
                if self.contacts.in_contact(enemy) {
                    return Err((rule!("HOTT-227"), format!("{label} is in close combat contact")));
                }
                self.state.element(enemy).flags
            }
            Target::Stronghold(side) => self.state.side(side).strong_flags,
        };
        if flags.has(Flags::SHOT_AT) {
            return Err((rule!("HOTT-089"), format!("{label} has been shot at this bound")));
        }
        let Some(there) = self.battle.target_base(self.state, target) else {
            return Err((rule!("HOTT-226"), format!("{label} does not stand")));
        };
        let here = self.battle.base(self.state, id);
        let far = here.distance(&there);
        if !field::reaches(far, range * PACE) {
            let words = format!("{label} is {}p away, the range is {range}p", field::paces_needed(far));
            return Err((rule!("HOTT-225"), words));
        }
        let widened = self.battle.base_width() * self.battle.tables.numbers.arc_side_bw / 100;
        if !Zone::arc(&here, widened, range * PACE).holds(&there) {
            // Where the nearest of it lies, seen along the shooter's front.
            let seen = there.corners().map(|c| here.pose.to_local(c));
            let ahead = seen.iter().map(|p| p.y).max().unwrap_or(0);
            let half = here.size.width / 2 + widened;
            let aside = seen.iter().map(|p| p.x.abs()).min().unwrap_or(0);
            let words = if ahead <= field::TOLERANCE {
                format!("{label} lies behind the front edge of {}", self.battle.full_label(id))
            } else {
                format!(
                    "{label} is outside the arc: it lies {}p aside of the middle of the front, the arc reaches {}p",
                    field::paces_needed(aside),
                    half / PACE
                )
            };
            return Err((rule!("HOTT-226"), words));
        }
        let enemy = match target {
            Target::Element(e) => Some(e),
            Target::Stronghold(_) => None,
        };
        if !sight::strip_is_free(self.battle, self.state, (Some(id), &here), (enemy, &there)) {
            let what = sight::in_the_strip(self.battle, self.state, (Some(id), &here), (enemy, &there));
            let what = what.unwrap_or_else(|| "the ground".to_owned());
            return Err((rule!("HOTT-228"), format!("{what} is in the way to {label}")));
        }
        Ok(())
    }

    /// HOTT-231: whether two enemies can shoot at each other.
    fn mutual(&self, id: ElementId, target: Target) -> bool {
        matches!(target, Target::Element(enemy) if self.may_shoot_at(enemy, Target::Element(id)).is_ok())
    }

    /// Every target that an element may choose: of enemies with whom it can exchange shots, only these (HOTT-231).
    #[must_use]
    pub fn targets(&self, id: ElementId) -> Vec<Target> {
        if self.may_shoot(id).is_err() {
            return Vec::new();
        }
        let elements = self.battle.ids().filter(|e| self.battle.enemies(id, *e)).map(Target::Element);
        let strongs = (0..self.state.sides.len() as u8).map(|s| Target::Stronghold(SideId(s)));
        let all: Vec<Target> =
            elements.chain(strongs).filter(|t| self.may_shoot_at(id, *t).is_ok()).collect();
        let mutual: Vec<Target> = all.iter().copied().filter(|t| self.mutual(id, *t)).collect();
        if mutual.is_empty() { all } else { mutual }
    }

    /// HOTT-231, HOTT-R36: whether an element must shoot: at elements, not at a Stronghold.
    #[must_use]
    pub fn must_shoot(&self, id: ElementId) -> bool {
        self.targets(id).iter().any(|t| matches!(t, Target::Element(_)))
    }

    pub(crate) fn distance(&self, id: ElementId, target: Target) -> i32 {
        self.battle
            .target_base(self.state, target)
            .map_or(i32::MAX, |there| self.battle.base(self.state, id).distance(&there))
    }

    /// HOTT-232: the target by the default priority: one that can shoot back, then the nearest, then one that others
    /// already shoot at; equals in order of label.
    #[must_use]
    pub fn by_rule(&self, id: ElementId, already: &[Target]) -> Option<Target> {
        let elements = |t: &Target| matches!(t, Target::Element(_));
        self.targets(id).into_iter().min_by_key(|t| {
            (
                !elements(t),
                !self.mutual(id, *t),
                self.distance(id, *t),
                !already.contains(t),
                Play::subject(*t),
            )
        })
    }

    /// The target that most others of the same side could shoot at as well, else by HOTT-232.
    pub(crate) fn most_aids(&self, id: ElementId) -> Option<Target> {
        let others: Vec<ElementId> =
            self.battle.ids_of(self.battle.element(id).side).filter(|o| *o != id).collect();
        let aids = |t: &Target| others.iter().filter(|o| self.targets(**o).contains(t)).count();
        let best = self.by_rule(id, &[]);
        self.targets(id)
            .into_iter()
            .filter(|t| matches!(t, Target::Element(_)))
            .max_by_key(|t| (aids(t), Some(*t) == best, std::cmp::Reverse(Play::subject(*t))))
            .or(best)
    }

    /// Elements of a side that must or may still shoot, in order.
    #[must_use]
    pub fn left(&self, side: SideId) -> Vec<ElementId> {
        self.battle.ids_of(side).filter(|id| self.must_shoot(*id)).collect()
    }

    /// HOTT-234, HOTT-354: which of several shooters at one target is the main one, and whether the target shoots back.
    fn main(&self, shooters: &[ElementId], target: Target) -> (ElementId, bool) {
        let answers = |id: ElementId| self.mutual(id, target);
        let nearest = |list: &mut dyn Iterator<Item = ElementId>| {
            let mut best: Option<(i32, ElementId)> = None;
            for id in list {
                let far = self.distance(id, target);
                // Of equals, to the tolerance, the first named stays.
                if best.is_none_or(|(d, _)| far < d - field::TOLERANCE) {
                    best = Some((far, id));
                }
            }
            best.map(|b| b.1)
        };
        let each_other = self.battle.tables.options.mutual_main == MutualMain::EachOther;
        let first = shooters.first().copied().unwrap_or(ElementId(0));
        if each_other && let Some(id) = nearest(&mut shooters.iter().copied().filter(|s| answers(*s))) {
            return (id, true);
        }
        let main = nearest(&mut shooters.iter().copied()).unwrap_or(first);
        (main, answers(main))
    }
}

impl Play<'_> {
    /// `shoot ENEMY with L`: shooters of the side whose bound it is.
    pub(crate) fn shoot(&mut self, target: Target, shooters: &[ElementId]) -> Done {
        self.phase(Phase::Shooting)?;
        if shooters.is_empty() {
            return refused(rule!("HOTT-233"), Why::Other, "nobody shoots");
        }
        for id in shooters {
            self.own_or_chief(*id)?;
        }
        self.check_volley(target, shooters)?;
        self.volley(target, shooters)?;
        self.go_on()
    }

    fn check_volley(&self, target: Target, shooters: &[ElementId]) -> Done {
        let shots = Shots::new(self.battle, self.state);
        let most = 1 + usize::try_from(self.battle.tables.numbers.aids_max).unwrap_or(0);
        if shooters.len() > most {
            let words = format!("{} shoot at one target, at most {most} may", shooters.len());
            return refused(rule!("HOTT-233"), Why::Other, words);
        }
        for (i, id) in shooters.iter().enumerate() {
            if shooters[..i].contains(id) {
                let words = format!("{} is named twice", self.battle.full_label(*id));
                return refused(rule!("HOTT-089"), Why::Other, words);
            }
            if let Err((rule, words)) = shots.may_shoot_at(*id, target) {
                return refused(rule, Why::Other, words);
            }
            if !shots.targets(*id).contains(&target) {
                let open: Vec<String> =
                    shots.targets(*id).iter().map(|t| crate::words::target_label(self.battle, *t)).collect();
                let words = format!(
                    "{} must shoot at one who can shoot back: {}",
                    self.battle.full_label(*id),
                    open.join(", ")
                );
                return refused(rule!("HOTT-231"), Why::Other, words);
            }
        }
        Ok(())
    }

    /// One shooting, judged before: dice, factors, results.
    fn volley(&mut self, target: Target, shooters: &[ElementId]) -> Done {
        let shots = Shots::new(self.battle, self.state);
        let (main, answered) = shots.main(shooters, target);
        let aids: Vec<ElementId> = shooters.iter().copied().filter(|s| *s != main).collect();
        for id in shooters {
            self.now(*id).flags.set(Flags::SHOT);
        }
        let from_behind = self.battle.target_base(self.state, target).is_some_and(|there| {
            shooters.iter().all(|s| {
                let here = self.base(*s);
                let edge = field::Base::new(here.pose, field::Size::new(here.size.width, 1));
                beyond_rear(&edge, &there)
            })
        });
        match target {
            Target::Element(id) => {
                self.now(id).flags.set(Flags::SHOT_AT);
                if answered {
                    self.now(id).flags.set(Flags::SHOT);
                    self.now(main).flags.set(Flags::SHOT_AT);
                }
            }
            Target::Stronghold(side) => self.state.sides[side.index()].strong_flags.set(Flags::SHOT_AT),
        }
        let fighters = [
            self.shooter(main),
            self.battle.target_fighter(self.state, Mode::Shot, main, target, aids.len()),
        ];
        let moment = u64::from(self.state.bound);
        let asks = [
            Ask::d6("shot", Self::subject(Target::Element(main)), moment),
            Ask::d6("shot at", Self::subject(target), moment),
        ];
        let dice = self.dice.two(asks)?.map(|d| d as u8);
        let close =
            self.work_out(Mode::Shot, [Target::Element(main), target], &aids, fighters, dice, answered);
        let deeds = self.deeds_at_range(&close, from_behind);
        self.events.push(Event::Combat(Box::new(close)));
        self.carry(deeds, false)?;
        self.tidy();
        Ok(())
    }

    /// HOTT-248: one that shoots does not count its general; what it stands in does not matter.
    fn shooter(&self, id: ElementId) -> Fighter {
        self.battle.main_fighter(self.state, id)
    }

    /// `return fire E`: a shooter of a side whose bound it is not, now; whom it shoots at is its owner's choice.
    pub(crate) fn shoot_back(&mut self, shooter: ElementId) -> Done {
        self.phase(Phase::Shooting)?;
        self.chief(self.state.active)?;
        if self.battle.acts(self.state, self.battle.element(shooter).side) {
            let words = format!(
                "{} is of the side whose bound it is: say whom it shoots at",
                self.battle.full_label(shooter)
            );
            return refused(rule!("HOTT-232"), Why::Other, words);
        }
        let shots = Shots::new(self.battle, self.state);
        if let Err((rule, words)) = shots.may_shoot(shooter) {
            return refused(rule, Why::Other, words);
        }
        if !shots.must_shoot(shooter) {
            // Why not at the nearest enemy says most.
            let near = self
                .battle
                .ids()
                .filter(|e| self.stands(*e) && self.battle.enemies(shooter, *e))
                .min_by_key(|e| shots.distance(shooter, Target::Element(*e)));
            let why = near.and_then(|e| shots.may_shoot_at(shooter, Target::Element(e)).err());
            let (rule, why) = why.unwrap_or((rule!("HOTT-226"), "no enemy is there".to_owned()));
            let words = format!("{} has nobody to shoot at: {why}", self.battle.full_label(shooter));
            return refused(rule, Why::Other, words);
        }
        self.others_shoot(shooter, false)?;
        self.go_on()
    }

    /// The shooting of one of another side's elements, by its owner's standing reply; he is asked if he wants to be.
    fn others_shoot(&mut self, shooter: ElementId, ending: bool) -> Done {
        let shots = Shots::new(self.battle, self.state);
        let side = self.battle.element(shooter).side;
        let targets = shots.targets(shooter);
        let reply = self.state.side(side).replies.shooters;
        if reply == ShooterReply::Ask && targets.len() > 1 {
            self.state.pending.push(Pending::ShooterTarget { shooter, targets, ending });
            return Ok(());
        }
        let target = match reply {
            ShooterReply::MostAids => shots.most_aids(shooter),
            _ => shots.by_rule(shooter, &[]),
        };
        match target {
            Some(target) => {
                if reply != ShooterReply::ByRule && targets.len() > 1 {
                    self.events.push(Event::ReplyUsed(shooter));
                }
                let shooters = self.with_aids(shooter, target);
                self.volley(target, &shooters)
            }
            None => Ok(()),
        }
    }

    /// HOTT-233: the shooter with those of its side that would choose the same target, nearest first.
    pub(crate) fn with_aids(&self, shooter: ElementId, target: Target) -> Vec<ElementId> {
        let shots = Shots::new(self.battle, self.state);
        let side = self.battle.element(shooter).side;
        let most = usize::try_from(self.battle.tables.numbers.aids_max).unwrap_or(0);
        let same = |id: &ElementId| match self.state.side(side).replies.shooters {
            ShooterReply::MostAids => shots.targets(*id).contains(&target),
            _ => shots.by_rule(*id, &[target]) == Some(target),
        };
        // BB-095: allies aid one another, unless their player wants to be asked.
        let joins = |id: &ElementId| {
            let theirs = self.battle.element(*id).side;
            theirs == side
                || !self.battle.hostile(theirs, side)
                    && self.battle.acts(self.state, theirs) == self.battle.acts(self.state, side)
                    && self.state.side(theirs).replies.shooters != ShooterReply::Ask
        };
        let mut aids: Vec<ElementId> = self
            .battle
            .ids()
            .filter(|id| *id != shooter && joins(id) && shots.must_shoot(*id) && same(id))
            .collect();
        aids.sort_by_key(|id| (shots.distance(*id, target), *id));
        aids.truncate(most);
        aids.insert(0, shooter);
        aids
    }

    /// `target ENEMY`: the owner's answer.
    pub(crate) fn aim(&mut self, target: Target) -> Done {
        let Some(Pending::ShooterTarget { shooter, targets, ending }) = self.state.pending.last().cloned()
        else {
            return refused(None, Why::NotNow(self.state.phase), "nobody asks for a target");
        };
        self.chief_or_owner(shooter)?;
        if !targets.contains(&target) {
            let name = |t: &Target| crate::words::target_label(self.battle, *t);
            let open: Vec<String> = targets.iter().map(name).collect();
            let words = format!("{} may not be chosen; {} may", name(&target), open.join(", "));
            return refused(rule!("HOTT-232"), Why::Other, words);
        }
        self.state.pending.pop();
        let shooters = self.with_aids(shooter, target);
        self.volley(target, &shooters)?;
        if ending && self.state.pending.is_empty() { self.end_shooting_now() } else { self.go_on() }
    }

    /// Refuses who is neither the owner of an element nor acts for its side.
    pub(crate) fn chief_or_owner(&self, id: ElementId) -> Done {
        let info = self.battle.element(id);
        if self.battle.is_chief(self.state, self.by, info.side) {
            return Ok(());
        }
        self.orders(info.command)
    }

    /// `end shooting`: all that must still be shot is shot (HOTT-231).
    pub(crate) fn end_shooting(&mut self) -> Done {
        self.phase(Phase::Shooting)?;
        self.chief(self.state.active)?;
        self.end_shooting_now()
    }

    fn end_shooting_now(&mut self) -> Done {
        // Every shooter shoots once, so there is an end; the bound is only for house rules that nobody can foresee.
        for _ in 0..=2 * self.battle.elements.len() {
            let (next, side) = {
                let shots = Shots::new(self.battle, self.state);
                let sides = (0..self.state.sides.len() as u8).map(SideId);
                let mut order: Vec<SideId> = sides.collect();
                order.sort_by_key(|s| (!self.battle.acts(self.state, *s), self.state.side(*s).place));
                match order.iter().find_map(|s| shots.left(*s).first().map(|id| (*id, *s))) {
                    Some(next) => next,
                    None => break,
                }
            };
            if self.battle.acts(self.state, side) {
                let target = Shots::new(self.battle, self.state).by_rule(next, &[]);
                if let Some(target) = target {
                    let shooters = self.with_aids(next, target);
                    self.volley(target, &shooters)?;
                }
            } else {
                self.others_shoot(next, true)?;
            }
            if !self.state.pending.is_empty() || self.state.over.is_some() {
                return Ok(());
            }
        }
        self.begin_combat();
        self.go_on()
    }

    fn begin_combat(&mut self) {
        self.state.phase = Phase::Combat;
        self.events.push(Event::Step(Phase::Combat));
    }

    /// Shoots what leaves no choice, and goes on to combat when nobody can shoot; `false` if somebody has a choice.
    pub(crate) fn shoot_what_is_plain(&mut self) -> Result<bool, game::Stop<crate::battle::Refusal>> {
        let (own, others, free) = {
            let shots = Shots::new(self.battle, self.state);
            let own: Vec<(ElementId, Vec<Target>)> = self
                .battle
                .ids()
                .filter(|id| self.battle.acts(self.state, self.battle.element(*id).side))
                .map(|id| (id, shots.targets(id)))
                .filter(|(_, t)| !t.is_empty())
                .collect();
            let sides =
                (0..self.state.sides.len() as u8).map(SideId).filter(|s| !self.battle.acts(self.state, *s));
            let others: Vec<ElementId> = sides.flat_map(|s| shots.left(s)).collect();
            let free = own.iter().all(|(_, t)| t.iter().all(|t| matches!(t, Target::Stronghold(_))));
            (own, others, free)
        };
        match (&own[..], &others[..]) {
            ([], []) => {
                self.begin_combat();
                Ok(true)
            }
            // Only one can shoot, and only at one.
            ([(id, targets)], []) if targets.len() == 1 && !free => {
                self.volley(targets[0], &[*id])?;
                Ok(true)
            }
            ([], [id]) => {
                self.others_shoot(*id, false)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// `reply shooters …`: a standing reply.
    pub(crate) fn reply(&mut self, reply: ShooterReply) -> Done {
        let game::Actor::Seat(game::Seat(n)) = self.by else {
            return refused(None, Why::NotYours, "a standing reply is a seat's own");
        };
        let Some(seat) = self.battle.seats.get(usize::from(n)).filter(|s| s.in_chief) else {
            return refused(
                None,
                Why::NotYours,
                "the seat that acts for the whole side leaves standing replies",
            );
        };
        self.state.sides[seat.side.index()].replies.shooters = reply;
        Ok(())
    }
}
