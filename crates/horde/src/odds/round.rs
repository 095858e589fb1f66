//! Whole Rounds: HC-214, HC-215. Each Horde is a chain over its Magnitude and what else its morale needs; Heretics'
//! dice at different Hordes are independent, so the chains are too, and a Heretic's wounds follow them in turn order.
//! Hordes that fight each other (HC-178) are not independent: they share one chain, over all that each of them may be.

mod joint;

use super::attack::{evasion_odds, hurt, losses};
use super::weight::{Weight, add, convolve};
use crate::arms::{Quality, Talent};
use crate::load::{Load, recharging};
use crate::morale::{below_quarter, break_score, breaks_by_itself, must_test};
use crate::options::{BreakAutoWhen, BreakBase, BreakWhen, SizeSample, SmallHorde};
use crate::plan;
use crate::roll::judge;
use crate::state::{How, State};
use crate::tables::size_modifier;
use crate::unit::{Action, Status, Unit, UnitId, magnitude_bonus};
use crate::words::attack_of;
use joint::{BlowKey, Group, Joint, Joints, MOST_STATES, put_joint};
use std::collections::BTreeMap;

/// What a Horde's chain remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Chain {
    m: i32,
    ms: i32,
    lost: i32,
    own: i32,
    lost_own: i32,
    tested: bool,
    frenzied: bool,
    status: u8,
}

const FIGHTING: u8 = 0;
const BROKEN: u8 = 1;
const DESTROYED: u8 = 2;
const GONE: u8 = 3;

/// One Horde after some Rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct HordeOdds<W> {
    /// Which.
    pub id: UnitId,
    /// Magnitude left: chance of 0, 1, 2, … (a broken Horde keeps its own).
    pub left: Vec<W>,
    /// Lost in the last Round counted: 0, 1, 2, …
    pub lost: Vec<W>,
    /// Chance that it took a Test in the last Round counted.
    pub tests: W,
    /// Chance that it is broken by then.
    pub broken: W,
    /// Chance that it is destroyed by then.
    pub destroyed: W,
    /// Chance that it still fights.
    pub fights: W,
}

/// One single figure in the first Round.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonOdds<W> {
    /// Which.
    pub id: UnitId,
    /// Wounds in this Round: 0, 1, 2, …
    pub wounds: Vec<W>,
}

/// The state of odds after a Round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundOdds<W> {
    /// Every Horde that fought at the start.
    pub hordes: Vec<HordeOdds<W>>,
    /// Every single figure that fought at the start, with the wounds of this Round alone.
    pub people: Vec<PersonOdds<W>>,
}

type Mass<W> = BTreeMap<Chain, W>;

/// Attacker, target, hand to hand, with a Reaction, Magnitude Bonus, size, Magnitude.
type HurtKey = (UnitId, UnitId, bool, bool, i32, i32, i32);

/// What a Horde's turn depends on: fights, shoots, Magnitude Bonus, size, other numbers, and who of its group is there.
type TurnKey = (bool, bool, i32, i32, i32, Vec<u8>);

struct Counter<W> {
    s: State,
    groups: Vec<Group<W>>,
    /// Where in the groups a Horde stands.
    place: BTreeMap<UnitId, (usize, usize)>,
    /// Losses of Hordes to Hordes.
    blows: BTreeMap<BlowKey, super::Losses<W>>,
    /// A group has more states than can be counted.
    too_many: bool,
    /// Chance of a Test in this Round.
    tests: BTreeMap<UnitId, W>,
    /// Wounds so far in this Round, with the Reactions left: `[reactions][wounds]`.
    people: BTreeMap<UnitId, Vec<Vec<W>>>,
    /// Losses by attacker, target and size.
    cache: Vec<((UnitId, UnitId, i32), super::Losses<W>)>,
    /// Wounds and evaded chance by attacker's figures.
    hurt: BTreeMap<HurtKey, super::Hurt<W>>,
}

/// Odds after each of the next `n` Rounds, from the start of a Round in this state (what has happened in
/// the present Round counts as done; who has had his turn has had it). There are fewer of them where Hordes that fight each
/// other could come to more than can be counted.
pub fn rounds<W: Weight>(s: &State, n: usize) -> Vec<RoundOdds<W>> {
    let mut c = Counter {
        s: s.clone(),
        groups: Vec::new(),
        place: BTreeMap::new(),
        blows: BTreeMap::new(),
        too_many: false,
        tests: BTreeMap::new(),
        people: BTreeMap::new(),
        cache: Vec::new(),
        hurt: BTreeMap::new(),
    };
    for id in s.ids().filter(|id| s.unit(*id).fights()) {
        match s.unit(id).horde() {
            Some(h) => {
                let chain = Chain {
                    m: h.m,
                    ms: h.ms,
                    lost: h.lost,
                    own: h.own,
                    lost_own: h.lost_own,
                    tested: h.tested,
                    frenzied: s.unit(id).frenzied,
                    status: FIGHTING,
                };
                let chain = c.canonical(chain);
                c.place.insert(id, (c.groups.len(), 0));
                c.groups.push(Group { ids: vec![id], mass: BTreeMap::from([(vec![chain], W::one())]) });
            }
            None => _ = c.people.insert(id, Vec::new()),
        }
    }
    c.link();
    let mut out = Vec::new();
    for k in 0..n {
        let round = c.round(k == 0);
        if c.too_many {
            break;
        }
        out.push(round);
    }
    out
}

impl<W: Weight> Counter<W> {
    fn canonical(&self, mut c: Chain) -> Chain {
        if self.s.options.break_base != BreakBase::SinceOwnLastTurn {
            (c.own, c.lost_own) = (0, 0);
        }
        c
    }

    /// The unit as it is in a chain's state.
    fn unit_in(&self, id: UnitId, c: Chain) -> Unit {
        let mut u = self.s.unit(id).clone();
        u.frenzied = c.frenzied;
        u.status =
            [Status::Fighting, Status::Broken, Status::Destroyed, Status::Gone][usize::from(c.status.min(3))];
        if let Some(h) = u.horde_mut() {
            (h.m, h.ms, h.lost, h.own, h.lost_own, h.tested, h.turn_mb) =
                (c.m, c.ms, c.lost, c.own, c.lost_own, c.tested, None);
        }
        u
    }

    /// Its size there, without a copy of the unit.
    fn size_in(&self, id: UnitId, c: Chain) -> i32 {
        let o = &self.s.options;
        let u = self.s.unit(id);
        let m = match o.size_sample {
            SizeSample::Live => c.m,
            SizeSample::RoundStart => c.ms,
            SizeSample::Original => u.horde().map_or(0, |h| h.m0),
        };
        size_modifier(o, m)
    }

    fn state_in(&self, id: UnitId, c: Chain) -> State {
        let mut s = self.s.clone();
        let mb = magnitude_bonus(&s.options, c.m);
        *s.unit_mut(id) = self.unit_in(id, c);
        if let Some(h) = s.unit_mut(id).horde_mut() {
            h.turn_mb = Some(mb);
            h.fought.clear();
            h.shots = 0;
            if c.status != FIGHTING {
                h.engaged.clear();
            }
        }
        s
    }

    fn round(&mut self, first: bool) -> RoundOdds<W> {
        let o = self.s.options;
        if !first {
            self.s.round = self.s.round.saturating_add(1);
            if self.s.units.iter().any(|u| u.surprised) {
                // HC-040: who was taken by surprise sees what comes from the second Round on.
                self.hurt.clear();
            }
        }
        for (id, p) in &mut self.people {
            let step = self.s.unit(*id).has(Talent::StepAside);
            let e = &o.t().evasion;
            let stance = self.s.unit(*id).person().is_some_and(|p| p.stance);
            let fresh = e.reactions
                + if step { e.step_aside } else { 0 }
                + if stance { o.t().guarded.stance_reactions } else { 0 };
            let r = if first { self.s.unit(*id).person().map_or(fresh, |p| p.reactions) } else { fresh };
            let r = usize::try_from(r).unwrap_or(0);
            *p = vec![vec![W::zero()]; r + 1];
            p[r][0] = W::one();
        }
        let ids: Vec<UnitId> = self.place.keys().copied().collect();
        for id in ids {
            self.tests.insert(id, W::zero());
        }
        for g in 0..self.groups.len() {
            if first {
                break;
            }
            let mass = std::mem::take(&mut self.groups[g].mass);
            let mut next = Joints::new();
            for (joint, w) in mass {
                let fresh = |c: Chain| self.canonical(Chain { ms: c.m, lost: 0, tested: false, ..c });
                put_joint(&mut next, joint.into_iter().map(fresh).collect(), &w);
            }
            self.groups[g].mass = next;
        }
        let order = if first { self.s.turns_to_come() } else { self.s.order.clone() };
        for (at, id) in order.into_iter().enumerate() {
            if self.too_many {
                break;
            }
            let surprised = self.s.unit(id).surprised && self.s.round <= 1 && first;
            if surprised {
                continue;
            }
            if self.s.unit(id).is_horde() {
                if self.place.contains_key(&id) {
                    // The one whose turn it is has opened it already.
                    if !(first && at == 0 && self.s.unit(id).horde().is_some_and(|h| h.turn_mb.is_some())) {
                        self.open_turn(id);
                    }
                    self.horde_turn(id);
                }
            } else if self.people.contains_key(&id) {
                self.person_turn(id, first && at == 0);
            }
        }
        self.end_round();
        self.result()
    }

    fn map(&mut self, id: UnitId, mut f: impl FnMut(&mut Self, Chain, &W, &mut Mass<W>)) {
        let Some((g, k)) = self.place.get(&id).copied() else { return };
        let mass = std::mem::take(&mut self.groups[g].mass);
        let mut next = Joints::new();
        for (joint, w) in mass {
            if joint[k].status != FIGHTING {
                put_joint(&mut next, joint, &w);
                continue;
            }
            let mut one = Mass::new();
            f(self, joint[k], &w, &mut one);
            for (c, w) in one {
                let mut joint = joint.clone();
                joint[k] = c;
                put_joint(&mut next, joint, &w);
            }
            if next.len() > MOST_STATES {
                self.too_many = true;
                break;
            }
        }
        self.groups[g].mass = next;
    }

    fn broke(&self, id: UnitId, c: Chain) -> Chain {
        if self.s.unit(id).has(Talent::BloodSoakedTide) && !c.frenzied {
            Chain { frenzied: true, ..c }
        } else {
            Chain { status: BROKEN, ..c }
        }
    }

    fn test(&mut self, id: UnitId, c: Chain, w: &W, next: &mut Mass<W>) {
        let o = &self.s.options;
        let u = self.unit_in(id, c);
        let score = break_score(o, &u);
        let die = o.t().test.die;
        let pass = (1..=die).filter(|r| judge(o, score.target, *r).success).count() as u128;
        let all = u128::from(die);
        let tested = Chain { tested: true, ..c };
        put(next, tested, &w.times(&W::ratio(pass, all)));
        put(next, self.broke(id, tested), &w.times(&W::ratio(all - pass, all)));
        if let Some(t) = self.tests.get_mut(&id) {
            *t = t.plus(w);
        }
    }

    /// A loss and what follows at once, as `Play::lose` does it.
    fn lose(&mut self, id: UnitId, c: Chain, n: i32, w: &W, next: &mut Mass<W>) {
        let o = self.s.options;
        let lost = n.min(c.m);
        if lost <= 0 {
            put(next, c, w);
            return;
        }
        let mut c =
            self.canonical(Chain { m: c.m - lost, lost: c.lost + lost, lost_own: c.lost_own + lost, ..c });
        if c.m == 0 {
            put(next, Chain { status: DESTROYED, ..c }, w);
            return;
        }
        let m0 = self.s.unit(id).horde().map_or(0, |h| h.m0);
        if o.break_auto_when == BreakAutoWhen::Immediately
            && below_quarter(&o, c.m, m0)
            && breaks_by_itself(&o, &self.unit_in(id, c))
        {
            c = self.broke(id, c);
        }
        if o.small_horde != SmallHorde::Keep && c.m < o.t().horde.small_below && c.status == FIGHTING {
            put(next, Chain { status: GONE, ..c }, w);
            return;
        }
        if o.break_when == BreakWhen::OnCrossing
            && c.status == FIGHTING
            && must_test(&o, &self.unit_in(id, c))
        {
            self.test(id, c, w, next);
            return;
        }
        put(next, c, w);
    }

    /// The turn of a single figure; `opened`: it is under way, so what ends with its start has ended.
    fn person_turn(&mut self, by: UnitId, opened: bool) {
        if let Some(p) = self.s.unit_mut(by).person_mut() {
            // What lasts until his own turn ends with it, the Stun by a Round.
            let was = (p.stance, p.stunned);
            (p.stance, p.stunned) = (p.stance && opened, (p.stunned - 1).max(0));
            if (p.stance, p.stunned) != was {
                self.hurt.clear();
            }
            if was.1 > 0 {
                return;
            }
        }
        let Some((how, at)) = plan::person_attack(&self.s, by) else { return };
        if !self.fires(by, &how) {
            return;
        }
        // HC-020, HC-044: from his first turn on he is open, or guarded, as his usual attack has it.
        let (open, guarded) = (how.action == Action::AllOut, how.action == Action::Guarded);
        if let Some(p) = self.s.unit_mut(by).person_mut()
            && (p.open, p.guarded) != (open, guarded)
        {
            (p.open, p.guarded) = (open, guarded);
            self.hurt.clear();
        }
        if !self.place.contains_key(&at) {
            self.person_on_person(by, at, &how);
            return;
        }
        self.map(at, |me, c, w, next| {
            let l = me.losses(by, at, &how, c);
            for (n, p) in l.dist.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
                let n = i32::try_from(n).unwrap_or(i32::MAX);
                let w = w.times(p);
                if n == 0 || l.talent == 0 {
                    me.lose(at, c, n, &w, next);
                    continue;
                }
                let mut between = Mass::new();
                me.lose(at, c, n, &w, &mut between);
                for (c, w) in between {
                    if c.status == DESTROYED {
                        put(next, c, &w);
                    } else if c.status == FIGHTING {
                        me.lose(at, c, l.talent, &w, next);
                    } else {
                        // A Horde that has just broken still loses what the talent takes.
                        put(next, after_break(c, l.talent), &w);
                    }
                }
            }
        });
    }

    /// HC-074, HC-165: whether the weapon may be fired in this Round; keeps that it was.
    fn fires(&mut self, by: UnitId, how: &How) -> bool {
        let Some(w) = self.s.unit(by).weapon(&how.weapon).cloned() else { return true };
        if recharging(&self.s, by, &w) {
            return false;
        }
        if !w.is_melee() && w.qualities.has(Quality::Recharge) {
            let round = self.s.round;
            let u = self.s.unit_mut(by);
            let load = Load { fired: Some(round), ..u.load(&w.id) };
            u.set_load(&w.id, load);
        }
        true
    }

    fn losses(&mut self, by: UnitId, at: UnitId, how: &How, c: Chain) -> super::Losses<W> {
        let size = self.size_in(at, c);
        if let Some((_, l)) = self.cache.iter().find(|(k, _)| *k == (by, at, size)) {
            return l.clone();
        }
        let s = self.state_in(at, c);
        let none = super::Losses { dist: vec![W::one()], talent: 0, each: 0.0 };
        let l = match attack_of(&s, by, at, how, false) {
            Some(a) if a.allowed().is_ok() => losses::<W>(&a),
            _ => none,
        };
        self.cache.push(((by, at, size), l.clone()));
        l
    }

    fn person_on_person(&mut self, by: UnitId, at: UnitId, how: &How) {
        let Some(mass) = self.people.get(&at).cloned() else { return };
        let after = self.strike(by, at, how, &self.s, &mass);
        self.people.insert(at, after);
    }

    /// One attack on a single figure: Reactions left and wounds before, and after.
    fn strike(&self, by: UnitId, at: UnitId, how: &How, s: &State, mass: &[Vec<W>]) -> Vec<Vec<W>> {
        let plain = attack_of(s, by, at, how, false).filter(|a| a.allowed().is_ok()).map(|a| {
            let evasion = evasion_odds::<W>(&with_reaction(s, at), by, at, how);
            (hurt(&a, None), evasion.map(|e| hurt(&a, Some(&e))))
        });
        let Some((without, with)) = plain else { return mass.to_vec() };
        spread(mass, &without.dist, with.as_ref())
    }

    fn open_turn(&mut self, id: UnitId) {
        let o = self.s.options;
        self.map(id, |me, c, w, next| {
            let u = me.unit_in(id, c);
            let mut branches = vec![(c, w.clone())];
            if let Some(x) = u.profile.traits.figure(Talent::Regeneration) {
                let room = u.horde().map_or(0, |h| h.m0) - c.m;
                if room > 0 {
                    branches = (1..=5)
                        .map(|d: i32| (if x > 0 { d.min(x) } else { d }).min(room))
                        .map(|n| (Chain { m: c.m + n, ..c }, w.times(&W::ratio(1, 5))))
                        .collect();
                }
            }
            for (mut c, w) in branches {
                if o.break_auto_when == BreakAutoWhen::OwnTurn && breaks_by_itself(&o, &me.unit_in(id, c)) {
                    c = me.broke(id, c);
                }
                let mut after = Mass::new();
                if o.break_when == BreakWhen::OwnTurn
                    && c.status == FIGHTING
                    && must_test(&o, &me.unit_in(id, c))
                {
                    me.test(id, c, &w, &mut after);
                } else {
                    put(&mut after, c, &w);
                }
                for (c, w) in after {
                    let c = if c.status == FIGHTING {
                        me.canonical(Chain { own: c.m, lost_own: 0, ..c })
                    } else {
                        c
                    };
                    put(next, c, &w);
                }
            }
        });
    }

    /// The attacks of a Horde, over all Magnitudes that it may have when its turn comes.
    fn horde_turn(&mut self, id: UnitId) {
        let o = self.s.options;
        let retires = self.s.unit(id).has(Talent::FightingWithdrawal);
        let Some((g, k)) = self.place.get(&id).copied() else { return };
        // What its attacks depend on: whether it acts, its Magnitude Bonus, its size, and the like.
        let mut kinds: BTreeMap<TurnKey, (Joint, W)> = BTreeMap::new();
        for (joint, w) in &self.groups[g].mass {
            let c = joint[k];
            let u = self.unit_in(id, c);
            let melee = c.status == FIGHTING;
            let shoots = melee || (c.status == BROKEN && retires);
            let overwhelms = i32::from(c.m >= o.t().horde.overwhelming_from && u.has(Talent::Overwhelming));
            let numbers = if o.horde_attack_bonus == crate::options::HordeAttackBonus::MinM20 {
                c.m.min(o.t().horde.attack_bonus_most)
            } else {
                0
            };
            let there = if joint.len() > 1 { joint.iter().map(|c| c.status).collect() } else { Vec::new() };
            let key =
                (melee, shoots, magnitude_bonus(&o, c.m), u.size(&o), overwhelms * 1000 + numbers, there);
            let e = kinds.entry(key).or_insert_with(|| (joint.clone(), W::zero()));
            e.1 = e.1.plus(w);
        }
        // Whoever shoots does so in every Round that he can, whatever the Magnitude, so this is the same for all.
        let fires = plan::horde_shots(&self.s, id, 1).is_none_or(|(how, _)| self.fires(id, &how));
        let people: Vec<UnitId> = self.people.keys().copied().collect();
        let mut after: BTreeMap<UnitId, Vec<Vec<W>>> = BTreeMap::new();
        for ((melee, shoots, ..), (joint, w)) in kinds {
            let c = joint[k];
            let s = self.state_of(g, k, &joint);
            let mut attacks: Vec<(How, UnitId)> = Vec::new();
            if melee && let Some((how, at)) = plan::horde_melee(&s, id) {
                attacks.extend(at.into_iter().map(|t| (how.clone(), t)));
            }
            let shots = s.unit(id).ranged_attacks(&o);
            if shoots
                && fires
                && let Some((how, at)) = plan::horde_shots(&s, id, shots)
            {
                attacks.extend(at.into_iter().map(|t| (how.clone(), t)));
            }
            for p in &people {
                let mut mass = self.people[p].clone();
                for (how, _) in attacks.iter().filter(|(_, t)| t == p) {
                    mass = self.strike_cached(id, *p, how, &s, c, &mass);
                }
                let sum = after.entry(*p).or_default();
                for (r, row) in mass.iter().enumerate() {
                    if sum.len() <= r {
                        sum.resize(r + 1, Vec::new());
                    }
                    for (n, x) in row.iter().enumerate() {
                        add(&mut sum[r], n, &x.times(&w));
                    }
                }
            }
        }
        self.people.extend(after);
        if self.groups[g].ids.len() > 1 {
            self.on_hordes(id, true, true);
            self.on_hordes(id, false, fires);
        }
    }

    fn strike_cached(
        &mut self,
        by: UnitId,
        at: UnitId,
        how: &How,
        s: &State,
        c: Chain,
        mass: &[Vec<W>],
    ) -> Vec<Vec<W>> {
        let o = &self.s.options;
        let melee = s.unit(by).weapon(&how.weapon).is_some_and(|w| w.is_melee());
        let u = s.unit(by);
        let key = |with: bool| (by, at, melee, with, u.mb(o), u.size(o), c.m);
        let Some(a) = attack_of(s, by, at, how, false).filter(|a| a.allowed().is_ok()) else {
            return mass.to_vec();
        };
        if !self.hurt.contains_key(&key(false)) {
            let without = hurt::<W>(&a, None);
            let evasion = evasion_odds::<W>(&with_reaction(s, at), by, at, how);
            if let Some(e) = evasion {
                self.hurt.insert(key(true), hurt(&a, Some(&e)));
            }
            self.hurt.insert(key(false), without);
        }
        let with = self.hurt.get(&key(true));
        match self.hurt.get(&key(false)) {
            Some(without) => spread(mass, &without.dist, with),
            None => mass.to_vec(),
        }
    }

    fn end_round(&mut self) {
        let o = self.s.options;
        let ids: Vec<UnitId> = self.place.keys().copied().collect();
        for id in ids {
            self.map(id, |me, mut c, w, next| {
                if o.break_auto_when == BreakAutoWhen::RoundEnd && breaks_by_itself(&o, &me.unit_in(id, c)) {
                    c = me.broke(id, c);
                }
                if o.break_when == BreakWhen::RoundEnd
                    && c.status == FIGHTING
                    && must_test(&o, &me.unit_in(id, c))
                {
                    me.test(id, c, w, next);
                } else {
                    put(next, c, w);
                }
            });
        }
    }

    fn result(&self) -> RoundOdds<W> {
        let mut hordes = Vec::new();
        for (id, (g, k)) in &self.place {
            let mass = self.groups[*g].mass.iter().map(|(joint, w)| (&joint[*k], w));
            let mut h = HordeOdds {
                id: *id,
                left: Vec::new(),
                lost: Vec::new(),
                tests: self.tests.get(id).cloned().unwrap_or_else(W::zero),
                broken: W::zero(),
                destroyed: W::zero(),
                fights: W::zero(),
            };
            for (c, w) in mass {
                add(&mut h.left, usize::try_from(c.m).unwrap_or(0), w);
                add(&mut h.lost, usize::try_from(c.lost).unwrap_or(0), w);
                let slot = match c.status {
                    FIGHTING => &mut h.fights,
                    BROKEN => &mut h.broken,
                    _ => &mut h.destroyed,
                };
                *slot = slot.plus(w);
            }
            hordes.push(h);
        }
        let people = self
            .people
            .iter()
            .map(|(id, mass)| {
                let mut wounds = Vec::new();
                for row in mass {
                    for (n, w) in row.iter().enumerate() {
                        add(&mut wounds, n, w);
                    }
                }
                PersonOdds { id: *id, wounds }
            })
            .collect();
        RoundOdds { hordes, people }
    }
}

/// A Horde that has run and is still hit by what was under way.
fn after_break(c: Chain, n: i32) -> Chain {
    let lost = n.clamp(0, c.m);
    let status = if c.m == lost { DESTROYED } else { c.status };
    Chain { m: c.m - lost, lost: c.lost + lost, status, ..c }
}

fn put<W: Weight>(mass: &mut Mass<W>, c: Chain, w: &W) {
    if w.is_zero() {
        return;
    }
    let e = mass.entry(c).or_insert_with(W::zero);
    *e = e.plus(w);
}

/// The state in which `at` still has a Reaction: what Evasion would be if he had one.
fn with_reaction(s: &State, at: UnitId) -> State {
    let mut s = s.clone();
    s.volley = None;
    if let Some(p) = s.unit_mut(at).person_mut() {
        p.reactions = 1;
    }
    s
}

/// Goes on from Reactions left and wounds: with a Reaction left the attack is evaded if it hits, and costs it.
fn spread<W: Weight>(mass: &[Vec<W>], without: &[W], with: Option<&super::Hurt<W>>) -> Vec<Vec<W>> {
    let mut out: Vec<Vec<W>> = vec![Vec::new(); mass.len()];
    for (r, row) in mass.iter().enumerate() {
        if row.iter().all(Weight::is_zero) {
            continue;
        }
        match with {
            Some(h) if r > 0 => {
                let missed = &h.missed;
                for (n, x) in row.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
                    add(&mut out[r], n, &x.times(missed));
                }
                for (n, x) in convolve(row, &h.hit).iter().enumerate() {
                    add(&mut out[r - 1], n, x);
                }
            }
            _ => {
                for (n, x) in convolve(row, without).iter().enumerate() {
                    add(&mut out[r], n, x);
                }
            }
        }
    }
    out
}
