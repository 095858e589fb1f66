//! Exact odds of a combat or of shooting, with the results table applied.

use crate::command::Group;
use crate::melee;
use crate::retreat::{Retreat, result_on};
use crate::shoot;
use crate::state::{State, bits};
use crate::table::Table;
use std::collections::BTreeMap;

/// Chances of every result, as ways out of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// All ways the dice can fall.
    pub ways: u128,
    /// Ways to each statement about each unit: `B.War1 recoils`.
    pub of: BTreeMap<String, u128>,
    /// Ways to each difference, own score less theirs; or to each number of hits.
    pub numbers: BTreeMap<i16, u128>,
}

impl Odds {
    /// Ways as a chance in millionths, rounded; of very many ways the last bits do not matter.
    #[must_use]
    pub fn millionths(&self, ways: u128) -> u128 {
        let shift = (u128::BITS - self.ways.leading_zeros()).saturating_sub(100);
        let (n, all) = (ways >> shift, (self.ways >> shift).max(1));
        (n * 2_000_000 + all) / (2 * all)
    }

    /// As statements: `chance 416667 B.War1 recoils`, in millionths, likeliest first.
    #[must_use]
    pub fn lines(&self, _t: &Table) -> Vec<String> {
        let mut all: Vec<(u128, &String)> = self.of.iter().map(|(k, n)| (*n, k)).collect();
        all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        all.into_iter().map(|(n, k)| format!("chance {} {k}", self.millionths(n))).collect()
    }
}

/// What hits do to a unit, as one statement.
fn statement(t: &Table, s: &State, u: u8, hits: i16, staked: bool) -> String {
    let r = result_on(t, s, u, hits, staked);
    let left = s.unit(u).stands.saturating_sub(r.lost);
    let mut out = format!("{} ", t.label(u));
    if left <= t.rules.removed_at || r.retreat == Retreat::Lost {
        out.push_str("removed");
        return out;
    }
    out.push_str(match r.retreat {
        Retreat::None if r.disrupted => "disrupted in place",
        Retreat::None => "unmoved",
        Retreat::Recoil if r.disrupted => "recoils disrupted",
        Retreat::Recoil => "recoils",
        Retreat::Flee => "flees disrupted",
        Retreat::Stampede => "runs wild",
        Retreat::Lost => "removed",
    });
    if r.lost > 0 {
        out.push_str(&format!(", loses {}", r.lost));
    }
    out
}

/// Ways to each sum of some d6.
pub(crate) fn d6(n: u8) -> BTreeMap<i16, u128> {
    let mut sums = BTreeMap::from([(0_i16, 1_u128)]);
    for _ in 0..n {
        let mut next = BTreeMap::new();
        for (sum, ways) in sums {
            for face in 1..=6 {
                *next.entry(sum + face).or_insert(0) += ways;
            }
        }
        sums = next;
    }
    sums
}

/// A combat between two groups.
#[must_use]
pub fn melee(t: &Table, s: &State, own: u64, theirs: u64) -> Odds {
    let (a, x) = melee::sum_of(t, s, own, theirs);
    let (b, y) = melee::sum_of(t, s, theirs, own);
    let mut odds = Odds { ways: 0, of: BTreeMap::new(), numbers: BTreeMap::new() };
    for (p, m) in d6(x) {
        for (q, n) in d6(y) {
            let ways = m * n;
            let difference = a + p - b - q;
            odds.ways += ways;
            *odds.numbers.entry(difference).or_insert(0) += ways;
            if difference == 0 {
                *odds.of.entry("equal: nobody moves".to_owned()).or_insert(0) += ways;
                continue;
            }
            let (losers, winners) = if difference > 0 { (theirs, own) } else { (own, theirs) };
            for u in bits(losers) {
                let staked = melee::staked_off(t, s, u, winners);
                *odds.of.entry(statement(t, s, u, difference.abs(), staked)).or_insert(0) += ways;
            }
        }
    }
    odds
}

/// Every way a combat can end, each by itself and likeliest first: `chance MILLIONTHS LOSER WORDS`, where the loser is 0 for
/// those named first, 1 for the others, `-` for nobody.
#[must_use]
pub fn ends(t: &Table, s: &State, own: u64, theirs: u64) -> Vec<String> {
    let all = melee(t, s, own, theirs);
    let mut ends: BTreeMap<(char, String), u128> = BTreeMap::new();
    for (&difference, &ways) in &all.numbers {
        let (losers, winners, loser) = match difference.signum() {
            0 => (0, 0, '-'),
            1 => (theirs, own, '1'),
            _ => (own, theirs, '0'),
        };
        let each = bits(losers).map(|u| {
            let staked = melee::staked_off(t, s, u, winners);
            statement(t, s, u, difference.abs(), staked)
        });
        let words = each.collect::<Vec<_>>().join("; ");
        let words = if words.is_empty() { "equal: nobody moves".to_owned() } else { words };
        *ends.entry((loser, words)).or_insert(0) += ways;
    }
    let mut sorted: Vec<_> = ends.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted
        .into_iter()
        .map(|((loser, words), n)| format!("chance {} {loser} {words}", all.millionths(n)))
        .collect()
}

/// Ways to each number of hits of some dice that need these scores, put together with `ways` so far: out of 12 to the number
/// of dice. What more than 34 dice can show does not fit; from there on the ways keep their proportions (to 2⁻¹¹⁵).
pub(crate) fn add_dice(ways: &mut Vec<u128>, dice: u8, scores: [u8; 3]) {
    let mut faces = [0_u128; 4];
    for face in 1..=12 {
        faces[scores.iter().filter(|&&s| face >= s).count()] += 1;
    }
    let most = faces.iter().rposition(|&n| n != 0).unwrap_or(0);
    for _ in 0..dice {
        if ways.iter().sum::<u128>() > u128::MAX >> 5 {
            ways.iter_mut().for_each(|w| *w >>= 8);
        }
        let before = ways.len();
        ways.resize(before + most, 0);
        for sum in (0..ways.len()).rev() {
            ways[sum] = (0..=most.min(sum)).map(|n| faces[n] * ways[sum - n]).sum();
        }
    }
}

/// Ways to each number of hits of several shooters at one target, out of 12 to the number of dice.
#[must_use]
pub fn hit_ways(t: &Table, s: &State, shooters: &Group, target: u8) -> Vec<u128> {
    let mut ways = vec![1];
    for &u in shooters.ids() {
        let (dice, scores) = shoot::needs(t, s, u, target, |_, _, _| {});
        add_dice(&mut ways, dice, scores);
    }
    ways
}

/// Shooting of several units at one target.
#[must_use]
pub fn shooting(t: &Table, s: &State, shooters: &Group, target: u8) -> Odds {
    let numbers: BTreeMap<i16, u128> = (0..).zip(hit_ways(t, s, shooters, target)).collect();
    let mut odds = Odds { ways: numbers.values().sum::<u128>().max(1), of: BTreeMap::new(), numbers };
    for (&hits, &ways) in &odds.numbers {
        *odds.of.entry(statement(t, s, target, hits, false)).or_insert(0) += ways;
    }
    odds
}
