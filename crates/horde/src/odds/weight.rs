//! What probabilities are counted with.

/// A number that probabilities are counted with.
pub trait Weight: Clone + PartialEq {
    /// None of the ways.
    fn zero() -> Self;
    /// All of the ways.
    fn one() -> Self;
    /// So many of so many ways.
    fn ratio(ways: u128, of: u128) -> Self;
    /// Both ways.
    fn plus(&self, other: &Self) -> Self;
    /// One after the other.
    fn times(&self, other: &Self) -> Self;
    /// Whether no way leads here.
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl Weight for f64 {
    fn zero() -> Self {
        0.0
    }
    fn one() -> Self {
        1.0
    }
    #[allow(
        clippy::cast_precision_loss,
        reason = "a probability of 15 digits is enough for use; tests count exactly"
    )]
    fn ratio(ways: u128, of: u128) -> Self {
        ways as f64 / of.max(1) as f64
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

/// Adds to place `n` of a distribution.
pub(crate) fn add<W: Weight>(dist: &mut Vec<W>, n: usize, w: &W) {
    if dist.len() <= n {
        dist.resize(n + 1, W::zero());
    }
    dist[n] = dist[n].plus(w);
}

/// The sum of two independent numbers.
pub(crate) fn convolve<W: Weight>(a: &[W], b: &[W]) -> Vec<W> {
    let mut out = vec![W::zero(); (a.len() + b.len()).saturating_sub(1).max(1)];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        for (j, y) in b.iter().enumerate().filter(|(_, y)| !y.is_zero()) {
            out[i + j] = out[i + j].plus(&x.times(y));
        }
    }
    out
}

/// Exact fractions, for the tests.
#[cfg(test)]
pub(crate) mod exact {
    use super::Weight;

    /// A fraction in lowest terms.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Fraction(pub u128, pub u128);

    fn gcd(mut a: u128, mut b: u128) -> u128 {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.max(1)
    }

    impl Weight for Fraction {
        fn zero() -> Self {
            Self(0, 1)
        }
        fn one() -> Self {
            Self(1, 1)
        }
        fn ratio(n: u128, d: u128) -> Self {
            let g = gcd(n, d);
            Self(n / g, d / g)
        }
        fn plus(&self, o: &Self) -> Self {
            let g = gcd(self.1, o.1);
            Self::ratio(self.0 * (o.1 / g) + o.0 * (self.1 / g), self.1 / g * o.1)
        }
        fn times(&self, o: &Self) -> Self {
            let (a, b) = (gcd(self.0, o.1), gcd(o.0, self.1));
            Self::ratio(self.0 / a * (o.0 / b), self.1 / b * (o.1 / a))
        }
    }
}
