//! What things are worth, in hundredths of a point: results on units, combats and shots over exact dice.

use crate::command::Group;
use crate::melee;
use crate::odds::hit_ways;
use crate::retreat::{Result, Retreat, result_on};
use crate::state::{Formation, NOBODY, State, bits};
use crate::table::Table;
use crate::withdraw;
use crate::zones::{enemies_of, may_cross, staked, zone};

/// A unit's points in hundredths, its general with it.
#[must_use]
pub fn worth(t: &Table, s: &State, u: u8) -> i32 {
    let unit = s.unit(u);
    let mut points = i32::from(t.pieces[usize::from(u)].points2) * 50;
    if unit.formation == Formation::Block {
        points = points * 3 / 2;
    }
    let g = s.general_in(t, t.side(u), unit.hex);
    if g != NOBODY {
        points += i32::from(t.leaders[usize::from(g)].points2) * 50;
    }
    // breaking counts stands, so a stand is worth something whatever it costs
    points + i32::from(unit.stands) * 150
}

/// Whether a unit has nowhere to recoil, and nowhere to flee, judged by the first hex.
#[must_use]
pub fn traps(t: &Table, s: &State, u: u8) -> [bool; 2] {
    let unit = s.unit(u);
    let z = zone(t, s, t.side(u).other());
    let column = unit.formation == Formation::Column;
    let way = |d| {
        let to = t.map.step(unit.hex, d);
        if !to.on() {
            return s.rows_home(t, t.side(u), unit.hex) == 0;
        }
        let who = s.who(to);
        let steady = who == NOBODY || (t.side(who) == t.side(u) && !s.unit(who).disrupted());
        steady && !z.has(to) && may_cross(t, s, u, unit.hex, d, column) && !staked(t, s, unit.hex, d)
    };
    [!withdraw::can_recoil(t, s, u, &z), !(0..6).any(way)]
}

/// What a result costs a unit.
#[must_use]
pub fn cost_of(t: &Table, s: &State, u: u8, r: &Result, traps: [bool; 2]) -> i32 {
    let unit = s.unit(u);
    let all = worth(t, s, u);
    let stands = i32::from(unit.stands.max(1));
    if unit.stands.saturating_sub(r.lost) <= t.rules.removed_at || r.retreat == Retreat::Lost {
        return all;
    }
    let gone = match r.retreat {
        Retreat::Recoil => traps[0],
        Retreat::Flee => traps[1],
        _ => false,
    };
    if gone {
        return all;
    }
    let mut cost = all * i32::from(r.lost) / (stands + 1);
    cost += match r.retreat {
        Retreat::Recoil => all / 20,
        Retreat::Flee => all / 6,
        Retreat::Stampede => all / 8,
        _ => 0,
    };
    if r.disrupted && !unit.disrupted() {
        cost += all / 6;
    }
    cost.min(all)
}

/// Ways of the difference of two sums of dice: index is the difference plus 12.
fn differences(own: u8, theirs: u8) -> ([i32; 25], i32) {
    const ONE: [i32; 13] = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
    const TWO: [i32; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
    let (a, b) = (if own > 1 { TWO } else { ONE }, if theirs > 1 { TWO } else { ONE });
    let mut out = [0; 25];
    for (x, &m) in a.iter().enumerate() {
        for (y, &n) in b.iter().enumerate() {
            out[x + 12 - y] += m * n;
        }
    }
    (out, out.iter().sum())
}

/// The expected gain of a combat for `own`: what they lose less what we lose.
#[must_use]
pub fn combat(t: &Table, s: &State, own: u64, theirs: u64) -> i32 {
    combat_with(t, s, own, theirs, 0)
}

/// The same with something added to the own score: help that is expected.
#[must_use]
pub fn combat_with(t: &Table, s: &State, own: u64, theirs: u64, help: i16) -> i32 {
    let (a, x) = melee::sum_of(t, s, own, theirs);
    let a = a + help;
    let (b, y) = melee::sum_of(t, s, theirs, own);
    let (ways, all) = differences(x, y);
    let mut sum = 0_i64;
    for (losers, sign) in [(theirs, 1), (own, -1)] {
        for u in bits(losers) {
            let traps = traps(t, s, u);
            for (n, &w) in ways.iter().enumerate() {
                let hits = sign * (i32::from(a - b) + n as i32 - 12);
                if w > 0 && hits > 0 {
                    let r = result_on(t, s, u, hits.min(12) as i16, false);
                    sum += i64::from(sign * w * cost_of(t, s, u, &r, traps));
                }
            }
        }
    }
    (sum / i64::from(all.max(1))) as i32
}

/// The expected gain of shooting at a target.
#[must_use]
pub fn shots(t: &Table, s: &State, shooters: &Group, target: u8) -> i32 {
    expected(t, s, target, &hit_ways(t, s, shooters, target), traps(t, s, target))
}

/// What hits on a unit cost it on average, given the ways to each number of them.
#[must_use]
pub fn expected(t: &Table, s: &State, target: u8, ways: &[u128], traps: [bool; 2]) -> i32 {
    let (mut sum, mut all) = (0_i128, 0_i128);
    for (hits, &w) in (0..).zip(ways) {
        let w = i128::try_from(w).unwrap_or(0);
        all += w;
        if hits > 0 && w > 0 {
            let r = result_on(t, s, target, hits, false);
            sum += w * i128::from(cost_of(t, s, target, &r, traps));
        }
    }
    i32::try_from(sum / all.max(1)).unwrap_or(0)
}

/// What a unit weighs in a fight seen from afar, by strength and class alone.
#[must_use]
pub fn weight(t: &Table, s: &State, u: u8) -> i32 {
    let (unit, p) = (s.unit(u), t.profile(u));
    let mut strength = i32::from(p.factor);
    if !unit.disrupted() {
        strength += i32::from(unit.stands) + i32::from(melee::impact_by_strength(t, s, u));
    }
    (strength - p.class as i32) * 100
}

/// A rough gain of one unit attacking another from afar, front to front.
#[must_use]
pub fn rough(t: &Table, s: &State, u: u8, e: u8) -> i32 {
    weight(t, s, u) - weight(t, s, e)
}

/// The gain of the contacts a unit has, friends helping; `help` is what friends who can still come would add.
#[must_use]
pub fn contacts(t: &Table, s: &State, u: u8, help: impl Fn(u8) -> i16) -> i32 {
    let enemies = enemies_of(t, s, u);
    let me = 1_u64 << u;
    match enemies.count_ones() {
        0 => 0,
        1 => {
            let e = enemies.trailing_zeros() as u8;
            let allies = enemies_of(t, s, e) | me;
            let with = combat_with(t, s, allies, enemies, help(e));
            let without = if allies == me { 0 } else { combat(t, s, allies & !me, enemies) };
            with - without
        }
        _ => {
            let alone = combat(t, s, me, enemies);
            let best = bits(enemies)
                .map(|e| {
                    let allies = enemies_of(t, s, e) | me;
                    combat_with(t, s, allies, 1 << e, help(e))
                })
                .max()
                .unwrap_or(0);
            (alone + best) / 2
        }
    }
}
