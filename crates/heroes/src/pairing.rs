//! What a page asks before a fight is committed to, beyond one combat of units: a proposal for a whole hand-to-hand phase with
//! what is forbidden and why, an attack on a general who stands alone, single combat, suppression.

use crate::command::{Command, Group};
use crate::melee;
use crate::odds::d6;
use crate::shoot;
use crate::state::{NOBODY, Phase, State, bits, flag};
use crate::table::Table;
use crate::zones::enemies_of;
use rulebook::{RuleId, rule};

/// Proposes who fights whom until nobody is left, as HH-206 allows it, each time the combat with the best sums:
/// `pair COMMAND : 9 1d6 against 7 1d6`; attacks on generals (HH-067) come last, for whoever is free then. `idle UNIT` is
/// next to an enemy and would not fight; `not COMMAND : REASON` is a pairing that is forbidden now.
#[must_use]
pub fn propose(t: &Table, s: &State) -> Vec<String> {
    let mut out = Vec::new();
    if s.phase != Phase::Melee {
        return out;
    }
    let mut copy = *s;
    let mut all = Vec::new();
    loop {
        all.clear();
        melee::candidates(t, &copy, &mut all);
        let sums = |own: &Group, theirs: u64| {
            let (x, m) = melee::sum_of(t, &copy, own.mask(), theirs);
            let (y, n) = melee::sum_of(t, &copy, theirs, own.mask());
            (x, m, y, n)
        };
        // a d6 is 3½ on the whole
        let gain = |(x, m, y, n): (i16, u8, i16, u8)| 2 * (x - y) + 7 * (i16::from(m) - i16::from(n));
        let fights = all.iter().filter_map(|c| match c {
            Command::Fight(a, b) => Some((c, a, sums(a, b.mask()))),
            _ => None,
        });
        let best = fights.fold(None, |best: Option<(&Command, &Group, _)>, x| match best {
            Some(y) if gain(y.2) >= gain(x.2) => Some(y),
            _ => Some(x),
        });
        if let Some((c, _, (x, m, y, n))) = best {
            out.push(format!("pair {} : {x} {m}d6 against {y} {n}d6", c.text(t)));
            if let Command::Fight(a, b) = c {
                bits(a.mask() | b.mask()).for_each(|u| copy.unit_mut(u).flags |= flag::FOUGHT);
            }
            continue;
        }
        // the more the better: whoever attacks a general suffers nothing
        let attacks = all.iter().filter_map(|c| match c {
            Command::Attack(a, g) => Some((a.ids().len(), a, *g, c)),
            _ => None,
        });
        let Some((_, a, g, c)) = attacks.max_by_key(|x| x.0) else { break };
        let (x, m) = melee::sum_of(t, &copy, a.mask(), 0);
        out.push(format!("pair {} : {x} {m}d6 against 0 2d6", c.text(t)));
        bits(a.mask()).for_each(|u| copy.unit_mut(u).flags |= flag::FOUGHT);
        copy.generals[usize::from(g)].fought = true;
    }
    let both = t.of_side[0] | t.of_side[1];
    let left = bits(both)
        .filter(|&u| copy.unit(u).hex.on() && !copy.unit(u).is(flag::FOUGHT) && enemies_of(t, &copy, u) != 0);
    out.extend(left.map(|u| format!("idle {}", t.label(u))));
    let fresh = |u: u8| !s.unit(u).is(flag::FOUGHT);
    for u in s.on_table(t, s.phasing).filter(|&u| fresh(u)) {
        for e in bits(enemies_of(t, s, u)).filter(|&e| fresh(e)) {
            if let Err(why) = melee::may_fight(t, s, 1 << u, 1 << e) {
                let c = Command::Fight(Group::of(u), Group::of(e));
                out.push(format!("not {} : {}", c.text(t), why.text(t)));
            }
        }
    }
    out
}

fn chance(ways: u128, all: u128, words: &str) -> String {
    format!("chance {} {words}", (ways * 2_000_000 + all) / (2 * all))
}

/// Ways in which the first of two sums of dice with something added is less than, equal to and more than the second.
fn against(own: (i16, u8), theirs: (i16, u8)) -> [u128; 3] {
    let mut out = [0; 3];
    for (p, m) in d6(own.1) {
        for (q, n) in d6(theirs.1) {
            out[match (own.0 + p).cmp(&(theirs.0 + q)) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            }] += m * n;
        }
    }
    out
}

/// What the loss of a general is called: with that of some the battle is lost (HH-261).
fn falls(t: &Table, s: &State, g: u8) -> String {
    let ends = t.leaders[usize::from(g)].chief && s.options.cinc_death;
    format!("{} falls{}", t.leader_label(g), if ends { ", and the battle is lost" } else { "" })
}

/// HH-067: an attack on a general who stands alone, told as [`crate::ways::combat`] tells a combat.
#[must_use]
pub fn attack(t: &Table, s: &State, own: &Group, g: u8) -> Vec<String> {
    let names = own.ids().iter().map(|&u| t.label(u)).collect::<Vec<_>>().join(" ");
    let mut out = vec![format!("side 0 {names}")];
    let score = melee::score(t, s, own.mask(), 0);
    for p in &score.parts {
        let who = if p.unit == NOBODY { "" } else { t.label(p.unit) };
        out.push(format!("factor 0 {} {:+} {} {who}", p.rule, p.value, p.what).trim_end().to_owned());
    }
    out.push(format!("sum 0 {} {}d6", score.sum, score.dice));
    out.push(format!("side 1 {}", t.leader_label(g)));
    out.push(format!("factor 1 {} no factors, two dice", rule!("HH-067")));
    out.push("sum 1 2d6".to_owned());
    let [less, equal, more] = against((score.sum, score.dice), (0, 2));
    let all = less + equal + more;
    out.push(chance(more, all, &format!("1 {}", falls(t, s, g))));
    out.push(chance(less + equal, all, &format!("- {} stays, nobody is harmed", t.leader_label(g))));
    out
}

/// HH-074: single combat of two generals, two dice each.
#[must_use]
pub fn duel(t: &Table, s: &State, g: u8, e: u8) -> Vec<String> {
    let mut out = Vec::new();
    for (n, x) in [g, e].into_iter().enumerate() {
        out.push(format!("side {n} {}", t.leader_label(x)));
        out.push(format!("factor {n} {} no factors, two dice", rule!("HH-074")));
        out.push(format!("sum {n} 2d6"));
    }
    let [less, equal, more] = against((0, 2), (0, 2));
    let all = less + equal + more;
    out.push(chance(more, all, &format!("1 {}", falls(t, s, e))));
    out.push(chance(less, all, &format!("0 {}", falls(t, s, g))));
    out.push(chance(equal, all, "- equal: both stay"));
    out
}

/// HH-175: what units show to suppress a target, what it takes, and that no dice are thrown for it.
#[must_use]
pub fn suppression(t: &Table, s: &State, by: &Group, target: u8) -> Vec<String> {
    let rule: RuleId = rule!("HH-175");
    let names = by.ids().iter().map(|&u| t.label(u)).collect::<Vec<_>>().join(" ");
    let mut out = vec![format!("side 0 {names}"), format!("side 1 {}", t.label(target))];
    let mut have = 0;
    for &u in by.ids() {
        let n = shoot::dice_of(t, s, u);
        have += n;
        out.push(format!("factor 0 {rule} {n} stands of {}", t.label(u)));
    }
    out.push(format!("sum 0 {have} stands"));
    let first = by.ids().first().map_or(crate::hex::Hex::NONE, |&u| s.unit(u).hex);
    match shoot::suppression(t, s, first, target) {
        Some((stands, per)) => {
            out.push(format!("factor 1 {rule} {stands} stands that shoot, {per} needed for each"));
            out.push(format!("sum 1 {} stands", u16::from(stands) * u16::from(per)));
        }
        None => out.push("sum 1 -".to_owned()),
    }
    out.push(match shoot::enough(t, s, target, by) {
        Ok(()) => format!("chance 1000000 1 {} is suppressed and does not shoot", t.label(target)),
        Err(why) => format!("chance 1000000 - not allowed: {} ({})", why.text(t), why.rule),
    });
    out
}
