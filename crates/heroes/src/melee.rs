//! Hand-to-hand (HH-197 to HH-216): pairing, scores with every part named, and what follows.

use crate::command::{Command, Group};
use crate::event::Event;
use crate::play::{Done, Play};
use crate::refusal::Refusal;
use crate::state::{Fate, Formation, Impact, NOBODY, Phase, Stage, State, bits, flag};
use crate::table::{Side, Table};
use crate::tables::Traits;
use crate::zones::{adjacent, enemies_of, generals_beside, shaken, staked};
use dice::Ask;
use rulebook::{RuleId, rule};

/// HH-202: stands of a unit that fight.
#[must_use]
pub fn stands_of(t: &Table, s: &State, u: u8) -> u8 {
    if shaken(t, s, u) {
        return 0;
    }
    let (unit, profile) = (s.unit(u), t.profile(u));
    let mut n = unit.stands;
    if unit.formation == Formation::Column {
        n = n.min(t.rules.column_stands);
    }
    if profile.traits.has(Traits::COMBINED) {
        n = n.min(t.rules.combined_front);
    }
    n
}

/// HH-105, HH-205, HH-216: whether a unit's impact counts against one enemy: on a front side, ground and border
/// allow it, no stakes between.
fn impact_against(t: &Table, s: &State, u: u8, enemy: u8) -> bool {
    let (a, b) = (s.unit(u), s.unit(enemy));
    let Some(d) = t.map.grid.side_towards(a.hex, b.hex) else { return false };
    a.facing.fronts(d)
        && t.rules.ground[t.map.ground_at(a.hex) as usize].impact
        && t.rules.ground[t.map.ground_at(b.hex) as usize].impact
        && t.rules.border[t.map.border_at(a.hex, d) as usize].impact
        && !staked(t, s, a.hex, d)
}

/// HH-116, HH-117, HH-119, HH-210: a unit's impact bonus by formation and stands, if it counts at all.
#[must_use]
pub fn impact_by_strength(t: &Table, s: &State, u: u8) -> u8 {
    let (unit, profile) = (s.unit(u), t.profile(u));
    let base = match unit.formation {
        Formation::Block => t.rules.pike_block[0],
        _ if unit.is(flag::ON_FOOT) || (profile.war_wagon() && s.options.corrected) => 0,
        Formation::Column if s.options.column_minus_two => {
            profile.impact.saturating_sub(t.rules.column_impact[1])
        }
        Formation::Column => (profile.impact / 2).min(t.rules.column_impact[0]),
        _ => profile.impact,
    };
    base.min(unit.stands)
}

/// HH-215, HH-216: a unit's impact bonus in a combat with these enemies.
#[must_use]
pub fn impact_of(t: &Table, s: &State, u: u8, enemies: u64) -> u8 {
    let unit = s.unit(u);
    if unit.impact == Impact::Spent || shaken(t, s, u) || !bits(enemies).any(|e| impact_against(t, s, u, e)) {
        return 0;
    }
    impact_by_strength(t, s, u)
}

/// One part of a score, with its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The rule.
    pub rule: RuleId,
    /// Whose it is, or [`NOBODY`] for the side as a whole.
    pub unit: u8,
    /// What it is.
    pub what: &'static str,
    /// How much.
    pub value: i16,
}

/// A side of a combat: its score without dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The parts.
    pub parts: Vec<Part>,
    /// Their sum.
    pub sum: i16,
    /// d6 thrown: one, or two with a general (HH-068, HH-069).
    pub dice: u8,
}

/// HH-107: the highest hex of some units; `steady` leaves out those who do not bring the bonus.
fn highest(t: &Table, s: &State, mask: u64, steady: bool) -> Option<i8> {
    bits(mask).filter(|&u| !steady || !shaken(t, s, u)).map(|u| t.map.height_at(s.unit(u).hex)).max()
}

/// The sum without dice, and how many dice: what commanders ask thousands of times. With the reading `one_unit` the best unit
/// counts.
#[must_use]
pub fn sum_of(t: &Table, s: &State, own: u64, enemies: u64) -> (i16, u8) {
    sum_with(t, s, own, enemies, NOBODY)
}

/// The same with the unit named whose factor and impact count (HH-204), or [`NOBODY`].
#[must_use]
pub fn sum_with(t: &Table, s: &State, own: u64, enemies: u64, named: u8) -> (i16, u8) {
    let mut factor = 0;
    let mut impact = 0;
    let mut both = 0;
    let mut stands = 0_i16;
    let mut dice = 1;
    for u in bits(own) {
        let f = t.profile(u).factor;
        let i = impact_of(t, s, u, enemies);
        factor = factor.max(f);
        impact = impact.max(i);
        if named == NOBODY || named == u {
            both = both.max(f + i);
        }
        stands += i16::from(stands_of(t, s, u));
        if s.general_in(t, t.side(u), s.unit(u).hex) != NOBODY {
            dice = 2;
        }
    }
    let best = if s.options.one_unit { both } else { factor + impact };
    let up = highest(t, s, own, true).zip(highest(t, s, enemies, false)).is_some_and(|(a, b)| a > b);
    (i16::from(best) + stands + if up { i16::from(t.rules.up_slope) } else { 0 }, dice)
}

/// HH-197 to HH-207: a side's score with every part named.
#[must_use]
pub fn score(t: &Table, s: &State, own: u64, enemies: u64) -> Score {
    let mut parts = Vec::new();
    let best = |value: &dyn Fn(u8) -> u8| {
        // the first of the best, so that the same unit is named every time
        bits(own)
            .map(|u| (value(u), u))
            .fold((0, NOBODY), |a, b| if b.0 > a.0 || a.1 == NOBODY { b } else { a })
    };
    let impact = |u: u8| impact_of(t, s, u, enemies);
    if s.options.one_unit {
        let (_, u) = best(&|u| t.profile(u).factor + impact(u));
        if u != NOBODY {
            parts.push(Part {
                rule: rule!("HH-204"),
                unit: u,
                what: "combat factor",
                value: t.profile(u).factor.into(),
            });
            if impact(u) > 0 {
                parts.push(Part { rule: rule!("HH-204"), unit: u, what: "impact", value: impact(u).into() });
            }
        }
    } else {
        let (f, u) = best(&|u| t.profile(u).factor);
        parts.push(Part { rule: rule!("HH-203"), unit: u, what: "combat factor", value: f.into() });
        let (i, u) = best(&impact);
        if i > 0 {
            parts.push(Part { rule: rule!("HH-209"), unit: u, what: "impact", value: i.into() });
        }
    }
    for u in bits(own) {
        let n = stands_of(t, s, u);
        let rule = if shaken(t, s, u) { rule!("HH-200") } else { rule!("HH-202") };
        parts.push(Part { rule, unit: u, what: "stands", value: n.into() });
    }
    let (sum, dice) = sum_of(t, s, own, enemies);
    let so_far: i16 = parts.iter().map(|p| p.value).sum();
    if sum > so_far {
        parts.push(Part { rule: rule!("HH-107"), unit: NOBODY, what: "up-slope", value: sum - so_far });
    }
    Score { parts, sum, dice }
}

/// HH-248: whether a unit is attacked only across its planted stakes.
#[must_use]
pub fn staked_off(t: &Table, s: &State, u: u8, enemies: u64) -> bool {
    let unit = s.unit(u);
    unit.stakes != 0
        && bits(enemies).all(|e| {
            t.map.grid.side_towards(unit.hex, s.unit(e).hex).is_some_and(|d| unit.stakes >> d & 1 == 1)
        })
}

/// Units that have not fought this phase, as a mask.
fn unfought(t: &Table, s: &State, side: Side) -> u64 {
    s.on_table(t, side).filter(|&u| !s.unit(u).is(flag::FOUGHT)).fold(0, |m, u| m | 1 << u)
}

/// HH-206: whether any combat is left to declare.
#[must_use]
pub fn any_pair(t: &Table, s: &State) -> bool {
    let enemy = unfought(t, s, s.phasing.other());
    let own = unfought(t, s, s.phasing);
    bits(own).any(|u| enemies_of(t, s, u) & enemy != 0 || attackable(t, s, u) != 0)
}

/// Whether a combat must be declared before the phase can end (HH-067: attacks on generals never must).
#[must_use]
pub fn must_fight(t: &Table, s: &State) -> bool {
    let enemy = unfought(t, s, s.phasing.other());
    bits(unfought(t, s, s.phasing)).any(|u| enemies_of(t, s, u) & enemy != 0)
}

/// HH-067: enemy independent generals that a unit may attack.
fn attackable(t: &Table, s: &State, u: u8) -> u16 {
    let hex = s.unit(u).hex;
    bits(u64::from(generals_beside(t, s, t.side(u).other(), hex)))
        .filter(|&g| !s.generals[usize::from(g)].fought)
        .fold(0, |m, g| m | 1 << g)
}

/// HH-206: whether a combat may be declared.
///
/// # Errors
/// The rule that forbids it, with the unit that would be left over.
pub fn may_fight(t: &Table, s: &State, own: u64, theirs: u64) -> Result<(), Refusal> {
    let no = |why| Refusal::new(rule!("HH-206"), why);
    if own == 0 || theirs == 0 || (own.count_ones() > 1 && theirs.count_ones() > 1) {
        return Err(no("a combat is one unit against one or more, or several against one"));
    }
    let side = s.phasing;
    let free_own = unfought(t, s, side);
    let free_theirs = unfought(t, s, side.other());
    if let Some(u) = bits(own & !free_own).next() {
        return Err(no("{unit} is not an unfought unit of the phasing side").unit(u));
    }
    if let Some(u) = bits(theirs & !free_theirs).next() {
        return Err(no("{unit} is not an unfought enemy").unit(u));
    }
    for u in bits(own) {
        if let Some(e) = bits(theirs & !enemies_of(t, s, u)).next() {
            return Err(no("{unit} and {other} are not adjacent").unit(u).other(e));
        }
    }
    // nobody outside may lose its last opponent
    for u in bits(free_own & !own) {
        let foes = enemies_of(t, s, u) & free_theirs;
        if foes != 0 && foes & !theirs == 0 {
            return Err(no("that takes the last opponent from {unit}").unit(u));
        }
    }
    for u in bits(free_theirs & !theirs) {
        let foes = adjacent(t, s, side, s.unit(u).hex) & free_own;
        if foes != 0 && foes & !own == 0 {
            return Err(no("that takes the last opponent from {unit}").unit(u));
        }
    }
    Ok(())
}

/// The side with several units in the combat that is declared.
#[must_use]
pub fn several(t: &Table, s: &State) -> Side {
    let a = s.fight.all & t.of_side[0];
    if a.count_ones() > 1 { Side::A } else { Side::B }
}

/// The units of whom one is to be named (HH-R15).
#[must_use]
pub fn counted(t: &Table, s: &State) -> u64 {
    s.fight.all & t.of_side[several(t, s).ix()]
}

/// HH-R15: the units that may be named, one for each sum of factor and impact, the best first.
pub fn count_answers(t: &Table, s: &State, out: &mut Vec<Command>) {
    let (own, enemies) = (counted(t, s), s.fight.all & !counted(t, s));
    let sum = |u: u8| t.profile(u).factor + impact_of(t, s, u, enemies);
    let mut all: Vec<(std::cmp::Reverse<u8>, u8)> =
        bits(own).map(|u| (std::cmp::Reverse(sum(u)), u)).collect();
    all.sort_unstable();
    all.dedup_by_key(|x| x.0);
    out.extend(all.into_iter().map(|(_, u)| Command::Count(u)));
}

/// Every legal combat, each once, and attacks on generals.
pub fn candidates(t: &Table, s: &State, out: &mut Vec<Command>) {
    let side = s.phasing;
    let free_own = unfought(t, s, side);
    let free_theirs = unfought(t, s, side.other());
    let subsets = |mask: u64, each: &mut dyn FnMut(u64)| {
        let mut sub = mask;
        while sub != 0 {
            each(sub);
            sub = (sub - 1) & mask;
        }
    };
    for u in bits(free_own) {
        subsets(enemies_of(t, s, u) & free_theirs, &mut |theirs| {
            if may_fight(t, s, 1 << u, theirs).is_ok() {
                out.push(Command::Fight(Group::of(u), Group::of_mask(theirs)));
            }
        });
    }
    for e in bits(free_theirs) {
        subsets(adjacent(t, s, side, s.unit(e).hex) & free_own, &mut |own| {
            if own.count_ones() > 1 && may_fight(t, s, own, 1 << e).is_ok() {
                out.push(Command::Fight(Group::of_mask(own), Group::of(e)));
            }
        });
    }
    for g in bits(u64::from(t.leaders_of[side.other().ix()])) {
        let hex = s.generals[usize::from(g)].hex;
        if !hex.on() || !s.alone(g) || s.generals[usize::from(g)].fought {
            continue;
        }
        let around = t.map.next[hex.ix()].iter().map(|&h| s.who(h)).filter(|&u| u != NOBODY);
        let own = around.fold(0_u64, |m, u| m | 1 << u) & free_own;
        subsets(own, &mut |own| {
            if may_attack(t, s, own, g).is_ok() {
                out.push(Command::Attack(Group::of_mask(own), g));
            }
        });
    }
}

/// HH-067: whether units may attack an independent general.
///
/// # Errors
/// The rule that forbids it.
pub fn may_attack(t: &Table, s: &State, own: u64, g: u8) -> Result<(), Refusal> {
    let no = |why| Refusal::new(rule!("HH-067"), why).leader(g);
    let general = s.generals[usize::from(g)];
    if !general.hex.on() || !s.alone(g) || general.fought || t.leaders[usize::from(g)].side == s.phasing {
        return Err(no("{leader} is no enemy general who stands alone and was not attacked yet"));
    }
    let free = unfought(t, s, s.phasing);
    for u in bits(own) {
        if free >> u & 1 == 0 {
            return Err(no("{unit} is not an unfought unit of the phasing side").unit(u));
        }
        if t.map.grid.distance(s.unit(u).hex, general.hex) != 1 {
            return Err(no("{unit} is not next to {leader}").unit(u));
        }
    }
    // HH-206: an enemy unit may not lose its last opponent to this
    for e in bits(unfought(t, s, s.phasing.other())) {
        let foes = adjacent(t, s, s.phasing, s.unit(e).hex) & free;
        if foes != 0 && foes & !own == 0 {
            return Err(no("that takes the last opponent from {unit}").unit(e));
        }
    }
    Ok(())
}

impl Play<'_> {
    /// HH-197 to HH-208: a combat is declared, and fought unless somebody names whose factors count first.
    ///
    /// # Errors
    /// The rule that forbids it, or the dice.
    pub fn fight(&mut self, own: &Group, theirs: &Group) -> Done {
        if self.s.phase != Phase::Melee {
            return Err(Refusal::new(rule!("HH-041"), "combats are fought in the hand-to-hand phase").into());
        }
        let (a, b) = (own.mask(), theirs.mask());
        may_fight(self.t, self.s, a, b)?;
        if self.s.options.one_unit && self.s.options.one_unit_named {
            self.begin_result(true, a | b);
            self.s.fight.stage = Stage::Naming;
            let mut answers = Vec::new();
            count_answers(self.t, self.s, &mut answers);
            if answers.len() > 1 {
                return Ok(());
            }
        }
        self.clash(a, b, NOBODY)
    }

    /// HH-204, HH-R15: the owner of several units names the one whose factor and impact count, and the combat is fought.
    ///
    /// # Errors
    /// If the unit is none of them, or the dice.
    pub fn count(&mut self, u: u8) -> Done {
        if counted(self.t, self.s) >> (u & 63) & 1 == 0 {
            let why = "{unit} is none of those of whom one counts";
            return Err(Refusal::new(rule!("HH-R15"), why).unit(u).into());
        }
        let own = self.t.of_side[self.s.phasing.ix()];
        let (a, b) = (self.s.fight.all & own, self.s.fight.all & !own);
        self.tell(Event::Counts(u));
        self.clash(a, b, u)
    }

    /// Scores, dice, and the result begun.
    fn clash(&mut self, a: u64, b: u64, named: u8) -> Done {
        let of = |mask: u64| if mask >> (named & 63) & 1 == 1 && named != NOBODY { named } else { NOBODY };
        let (sum_a, dice_a) = sum_with(self.t, self.s, a, b, of(a));
        let (sum_b, dice_b) = sum_with(self.t, self.s, b, a, of(b));
        // a unit fights once a phase, so the first named of each side tells the dice of this combat apart
        let lead = |mask: u64| bits(mask).next().unwrap_or(0);
        let moment = self.moment();
        let mut asks = Vec::new();
        for (u, n) in [(lead(a), dice_a), (lead(b), dice_b)] {
            asks.extend((0..n).map(|k| Ask::d6("melee", u64::from(u) * 2 + u64::from(k), moment)));
        }
        let mut values = vec![0; asks.len()];
        self.throw(&asks, &mut values)?;
        let total = |v: &[u16]| v.iter().sum::<u16>() as i16;
        let score_a = sum_a + total(&values[..usize::from(dice_a)]);
        let score_b = sum_b + total(&values[usize::from(dice_a)..]);
        for u in bits(a | b) {
            self.s.unit_mut(u).flags |= flag::FOUGHT;
        }
        self.tell(Event::Fought(lead(a), lead(b), score_a, score_b));
        self.begin_result(true, a | b);
        if score_a == score_b {
            self.s.fight.stage = Stage::Close; // HH-199
            return Ok(());
        }
        let side = if score_a < score_b { self.s.phasing } else { self.s.phasing.other() };
        let (losers, winners) = if score_a < score_b { (a, b) } else { (b, a) };
        let hits = (score_a - score_b).abs();
        let list: Vec<(u8, i16, bool)> =
            bits(losers).map(|u| (u, hits, staked_off(self.t, self.s, u, winners))).collect();
        self.take_hits(side, &list);
        Ok(())
    }

    /// HH-067: an attack on an independent general.
    ///
    /// # Errors
    /// The rule that forbids it, or the dice.
    pub fn attack(&mut self, own: &Group, g: u8) -> Done {
        if self.s.phase != Phase::Melee {
            return Err(Refusal::new(rule!("HH-041"), "combats are fought in the hand-to-hand phase").into());
        }
        let a = own.mask();
        may_attack(self.t, self.s, a, g)?;
        let (sum, dice) = sum_of(self.t, self.s, a, 0);
        let lead = bits(a).next().unwrap_or(0);
        let moment = self.moment();
        let mut asks: Vec<Ask> =
            (0..dice).map(|k| Ask::d6("melee", u64::from(lead) * 2 + u64::from(k), moment)).collect();
        asks.extend((0..2).map(|k| Ask::d6("general", u64::from(g) * 2 + k, moment)));
        let mut values = vec![0; asks.len()];
        self.throw(&asks, &mut values)?;
        let total = |v: &[u16]| v.iter().sum::<u16>() as i16;
        let theirs = sum + total(&values[..usize::from(dice)]);
        let his = total(&values[usize::from(dice)..]);
        for u in bits(a) {
            self.s.unit_mut(u).flags |= flag::FOUGHT;
        }
        self.s.generals[usize::from(g)].fought = true;
        self.tell(Event::Attacked(g, his, theirs));
        if his < theirs {
            self.kill(g);
        }
        Ok(())
    }
}

/// Whether two units carry a static combat marker (HH-213, HH-215): both spent, both there, adjacent.
#[must_use]
pub fn is_static(t: &Table, s: &State, a: u8, b: u8) -> bool {
    let spent = |u: u8| s.unit(u).fate == Fate::Field && s.unit(u).impact == Impact::Spent;
    spent(a) && spent(b) && enemies_of(t, s, a) >> (b & 63) & 1 == 1
}
