//! The distribution of one Damage roll: best dice of a mixed pool, with bounds on single dice.

use crate::damage::Pool;
use std::collections::BTreeMap;

/// How often each Damage comes, with and without a natural 10 that counts (HC-053).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolDist {
    /// Ways to (Damage, natural 10).
    pub ways_to: BTreeMap<(i32, bool), u128>,
    /// All ways.
    pub ways: u128,
}

/// Counts a pool, walking what dice count from high to low and choosing how many dice count that.
pub fn pool_dist(pool: &Pool) -> PoolDist {
    let quiet = |i: usize| (pool.quiet.0..pool.quiet.1).contains(&i);
    // Dice of a kind: faces, and whether a 10 on them can matter.
    let mut kinds: Vec<(u16, bool, usize)> = Vec::new();
    for (i, sides) in pool.sides.iter().enumerate() {
        let loud = *sides == 10 && !quiet(i);
        match kinds.iter_mut().find(|k| k.0 == *sides && k.1 == loud) {
            Some(k) => k.2 += 1,
            None => kinds.push((*sides, loud, 1)),
        }
    }
    let keep = pool.sides.len().saturating_sub(pool.drop);
    let top = kinds.iter().map(|k| pool.counts(k.0)).max().unwrap_or(0).max(pool.least);
    // (dice placed of each kind, sum kept, natural 10) -> ways
    let mut states: BTreeMap<(Vec<usize>, i32, bool), u128> = BTreeMap::new();
    states.insert((vec![0; kinds.len()], 0, false), 1);
    for value in (0..=top).rev() {
        for (k, (sides, loud, count)) in kinds.iter().enumerate() {
            let faces: Vec<u16> = (1..=*sides).filter(|f| pool.counts(*f) == value).collect();
            if faces.is_empty() {
                continue;
            }
            let with_ten = *loud && faces.contains(&10);
            let n_faces = faces.len() as u128;
            let mut next = BTreeMap::new();
            for ((placed, sum, ten), ways) in states {
                let left = count - placed[k];
                let already: usize = placed.iter().sum();
                let mut choose = 1_u128;
                for more in 0..=left {
                    if more > 0 {
                        choose = choose * ((left - more + 1) as u128) / more as u128;
                    }
                    let room = keep.saturating_sub(already);
                    let counted = i32::try_from(more.min(room)).unwrap_or(0);
                    let mut to = placed.clone();
                    to[k] += more;
                    let sum = sum + counted * i32::from(value);
                    let exponent = u32::try_from(more).unwrap_or(0);
                    let all = n_faces.pow(exponent);
                    let without = if with_ten { (n_faces - 1).pow(exponent) } else { all };
                    for (is_ten, n) in [(ten, without), (true, all - without)] {
                        if n > 0 {
                            *next.entry((to.clone(), sum, is_ten)).or_insert(0) += ways * choose * n;
                        }
                    }
                }
            }
            states = next;
        }
    }
    let full: Vec<usize> = kinds.iter().map(|k| k.2).collect();
    let mut ways_to = BTreeMap::new();
    for ((placed, sum, ten), ways) in states {
        if placed == full {
            *ways_to.entry(((sum + pool.flat).max(0), ten)).or_insert(0) += ways;
        }
    }
    let ways = pool.sides.iter().map(|s| u128::from(*s)).product();
    PoolDist { ways_to, ways }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_hand(pool: &Pool) -> PoolDist {
        let mut faces = vec![1_u16; pool.sides.len()];
        let mut ways_to = BTreeMap::new();
        let mut ways = 0;
        loop {
            *ways_to.entry((pool.total(&faces), pool.natural_ten(&faces))).or_insert(0) += 1;
            ways += 1;
            let Some(i) = (0..faces.len()).find(|i| faces[*i] < pool.sides[*i]) else { break };
            faces[i] += 1;
            faces[..i].fill(1);
        }
        PoolDist { ways_to, ways }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn counting_equals_rolling_them_all(
            sides in prop::collection::vec(prop::sample::select(vec![5_u16, 10]), 1..5),
            drop in 0_usize..3, flat in -4_i32..9, least in 0_u16..5, most in prop::sample::select(vec![7_u16, 8, u16::MAX]),
            quiet in (0_usize..3, 0_usize..4),
        ) {
            let drop = drop.min(sides.len() - 1);
            let pool = Pool { sides, quiet, drop, flat, least, most };
            prop_assert_eq!(pool_dist(&pool), by_hand(&pool));
        }
    }
}
