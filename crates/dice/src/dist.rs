//! Exact distributions of whole numbers: sums, best of several, comparisons.

/// How likely each whole number is, as ways out of [`Dist::ways`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dist {
    min: i32,
    counts: Vec<u128>,
}

/// How two independent numbers compare, in ways out of the product of their ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The first is lower.
    pub lower: u128,
    /// Both are equal.
    pub equal: u128,
    /// The first is higher.
    pub higher: u128,
}

impl Dist {
    /// Always `value`.
    #[must_use]
    pub fn always(value: i32) -> Self {
        Self { min: value, counts: vec![1] }
    }

    /// One die.
    #[must_use]
    pub fn die(sides: u16) -> Self {
        Self { min: 1, counts: vec![1; usize::from(sides.max(1))] }
    }

    /// The sum of `count` dice.
    #[must_use]
    pub fn dice(count: u32, sides: u16) -> Self {
        (0..count).fold(Self::always(0), |sum, _| sum.plus(&Self::die(sides)))
    }

    /// The sum of the best `keep` of `count` dice. Ways grow as sides to the power of count: up to ten d10 fit.
    #[must_use]
    pub fn best(keep: u32, count: u32, sides: u16) -> Self {
        // state: sum of kept so far, walking faces from high to low with a count still to place
        let sides = i64::from(sides.max(1));
        let keep = i64::from(keep.min(count));
        let top = usize::try_from(keep * sides).unwrap_or(0);
        let count = i64::from(count);
        // ways[placed][sum]
        let mut ways = vec![vec![0_u128; top + 1]; usize::try_from(count).unwrap_or(0) + 1];
        ways[0][0] = 1;
        for face in (1..=sides).rev() {
            let mut next = vec![vec![0_u128; top + 1]; ways.len()];
            for (placed, row) in ways.iter().enumerate() {
                for (sum, &n) in row.iter().enumerate().filter(|&(_, &n)| n > 0) {
                    let left = count - i64::try_from(placed).unwrap_or(0);
                    let mut choose = 1_u128;
                    for more in 0..=left {
                        if more > 0 {
                            choose = choose * u128::try_from(left - more + 1).unwrap_or(0)
                                / u128::try_from(more).unwrap_or(1);
                        }
                        let room = (keep - i64::try_from(placed).unwrap_or(0)).max(0);
                        let sum = sum + usize::try_from(more.min(room) * face).unwrap_or(0);
                        next[placed + usize::try_from(more).unwrap_or(0)][sum] += n * choose;
                    }
                }
            }
            ways = next;
        }
        let counts = ways.pop().unwrap_or_default();
        Self { min: 0, counts }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.counts.len() > 1 && self.counts.last() == Some(&0) {
            self.counts.pop();
        }
        let skip = self.counts.iter().take_while(|&&n| n == 0).count().min(self.counts.len() - 1);
        self.counts.drain(..skip);
        self.min += i32::try_from(skip).unwrap_or(0);
        self
    }

    /// The sum of this and an independent other.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut counts = vec![0; self.counts.len() + other.counts.len() - 1];
        for (i, a) in self.counts.iter().enumerate() {
            for (j, b) in other.counts.iter().enumerate() {
                counts[i + j] += a * b;
            }
        }
        Self { min: self.min + other.min, counts }
    }

    /// This, shifted by a fixed number.
    #[must_use]
    pub fn shifted(&self, by: i32) -> Self {
        Self { min: self.min + by, counts: self.counts.clone() }
    }

    /// All ways.
    #[must_use]
    pub fn ways(&self) -> u128 {
        self.counts.iter().sum()
    }

    /// Ways to this value.
    #[must_use]
    pub fn ways_to(&self, value: i32) -> u128 {
        usize::try_from(i64::from(value) - i64::from(self.min))
            .ok()
            .and_then(|i| self.counts.get(i))
            .copied()
            .unwrap_or(0)
    }

    /// Ways to this value or more.
    #[must_use]
    pub fn ways_to_at_least(&self, value: i32) -> u128 {
        self.iter().filter(|&(v, _)| v >= value).map(|(_, n)| n).sum()
    }

    /// Each value with its ways, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = (i32, u128)> + '_ {
        (self.min..).zip(self.counts.iter().copied())
    }

    /// How this compares with an independent other.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Compared {
        let mut compared = Compared { lower: 0, equal: 0, higher: 0 };
        for (a, n) in self.iter() {
            for (b, m) in other.iter() {
                match a.cmp(&b) {
                    std::cmp::Ordering::Less => compared.lower += n * m,
                    std::cmp::Ordering::Equal => compared.equal += n * m,
                    std::cmp::Ordering::Greater => compared.higher += n * m,
                }
            }
        }
        compared
    }

    /// The mean as a fraction: sum of value times ways, and the ways.
    #[must_use]
    pub fn mean(&self) -> (i128, u128) {
        (self.iter().map(|(v, n)| i128::from(v) * i128::try_from(n).unwrap_or(i128::MAX)).sum(), self.ways())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_d6() {
        let sum = Dist::dice(2, 6);
        assert_eq!((sum.ways(), sum.ways_to(7), sum.ways_to_at_least(10)), (36, 6, 6));
        assert_eq!(sum.ways_to(1), 0);
    }

    #[test]
    fn a_fight_of_five_against_four() {
        let compared = Dist::die(6).shifted(5).compare(&Dist::die(6).shifted(4));
        assert_eq!(compared, Compared { lower: 10, equal: 5, higher: 21 });
    }

    /// HC: best of two and of three d10 average 7.15 and 7.975 (handed case H16).
    #[test]
    fn best_of_d10() {
        assert_eq!(Dist::best(1, 2, 10).mean(), (715, 100));
        assert_eq!(Dist::best(1, 3, 10).mean(), (7975, 1000));
        assert_eq!(Dist::best(2, 2, 10), Dist::dice(2, 10));
    }

    #[test]
    fn best_equals_enumeration() {
        use crate::{Ask, Dice, Odds, enumerate};
        let odds = Odds::new(enumerate(|dice| {
            let mut v: Vec<u16> = (0..4).map(|n| dice.one(Ask::new("d", n, 0, 5)).unwrap()).collect();
            v.sort_unstable();
            i32::from(v[2] + v[3])
        }));
        let best = Dist::best(2, 4, 5);
        assert_eq!(odds.ways, best.ways());
        assert!(odds.of.iter().all(|(v, n)| best.ways_to(*v) == *n));
    }
}
