//! Tests on d100: degrees, Opposed Tests, and the sum of modifiers (section 2).

use crate::options::{DosCount, ModifierClamp, Options, RoundHalf, UnnaturalBonusDos};
use crate::rule::{Factor, Rule};
use rulebook::rule;

/// A number to roll under, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Characteristic or skill.
    pub base: i32,
    /// Its name.
    pub of: &'static str,
    /// Every modifier.
    pub factors: Vec<Factor>,
    /// Sum of the modifiers after the clamp of HC-004.
    pub sum: i32,
    /// The number to roll under.
    pub target: i32,
}

impl Score {
    /// HC-001, HC-004: adds up, with the clamp.
    pub fn new(o: &Options, of: &'static str, base: i32, factors: Vec<Factor>) -> Self {
        let all = factors.iter().fold(0_i32, |sum, f| sum.saturating_add(f.value));
        let most = o.t().test.clamp;
        let sum = if o.modifier_clamp == ModifierClamp::Sixty { all.clamp(-most, most) } else { all };
        Self { base, of, factors, sum, target: base.saturating_add(sum) }
    }
    /// Whether the clamp cut something off.
    pub fn is_clamped(&self) -> bool {
        self.factors.iter().fold(0_i32, |s, f| s.saturating_add(f.value)) != self.sum
    }
}

/// How a Test came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrees {
    /// Passed or failed.
    pub success: bool,
    /// Degrees of Success or of Failure, counted as `dos.count` says: from 1, or with `dw` from 0.
    pub degrees: i32,
}

/// HC-001, HC-002, HC-005: judges a roll.
pub fn judge(o: &Options, target: i32, roll: u16) -> Degrees {
    let t = &o.t().test;
    let r = i32::from(roll);
    let success = r == t.always || (r != t.never && r <= target);
    let forced = (r <= target) != success;
    let first = i32::from(o.dos_count != DosCount::Dw);
    let (low, high) = if success { (r, target) } else { (target, r) };
    let degrees = match o.dos_count {
        _ if forced => first,
        DosCount::BcExact | DosCount::Dw => first + (high - low) / t.step,
        DosCount::TensDigit => first + high.div_euclid(t.step) - low.div_euclid(t.step),
    };
    Degrees { success, degrees }
}

impl Degrees {
    /// The degrees with the pass itself counted, whatever the option: what "one hit a degree" needs.
    pub fn with_pass(self, o: &Options) -> i32 {
        self.degrees + i32::from(o.dos_count == DosCount::Dw)
    }

    /// HC-012: adds the bonus degrees of an Unnatural Characteristic that adds `x` to its bonus.
    pub fn plus_unnatural(self, o: &Options, x: i32) -> Self {
        if !self.success || x <= 0 || o.unnatural_bonus_dos == UnnaturalBonusDos::Off {
            return self;
        }
        let d = o.t().test.unnatural_divisor;
        Self { degrees: self.degrees + (x + d - 1) / d, ..self }
    }
}

/// One side of an Opposed Test.
#[derive(Clone, Copy, Debug)]
pub struct Opposed {
    /// How its Test came out.
    pub degrees: Degrees,
    /// Characteristic bonus, for ties.
    pub bonus: i32,
    /// What was rolled, for ties.
    pub roll: u16,
}

/// HC-006: who wins: `Some(true)` the first, `Some(false)` the second, with the net degrees; `None` nobody.
pub fn opposed(first: Opposed, second: Opposed) -> Option<(bool, i32)> {
    let (a, b) = (first.degrees, second.degrees);
    match (a.success, b.success) {
        (true, false) => Some((true, a.degrees + b.degrees)),
        (false, true) => Some((false, a.degrees + b.degrees)),
        (false, false) => None,
        (true, true) => {
            let key = |o: &Opposed| (o.degrees.degrees, o.bonus, -i32::from(o.roll));
            let (ka, kb) = (key(&first), key(&second));
            (ka != kb).then(|| (ka > kb, (a.degrees - b.degrees).abs()))
        }
    }
}

/// HC-007: a d5 read from a ten-sided die.
pub fn d5_from_d10(d10: u16) -> u16 {
    d10.div_ceil(2)
}

/// HC-008: half of something gained.
pub fn half(o: &Options, n: i32, divisor: i32) -> i32 {
    if o.round_half == RoundHalf::Up { (n + divisor - 1).div_euclid(divisor) } else { n.div_euclid(divisor) }
}

/// HC-210: ways out of 100 to pass a Test against `target`.
pub fn ways(target: i32) -> i32 {
    target.clamp(1, 99)
}

/// The rule of the clamp, for messages.
pub const CLAMP: Rule = rule!("HC-004");

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: &str, value: &str) -> Options {
        let mut o = Options::default();
        o.set(key, value).unwrap();
        o
    }

    #[test]
    fn hx28_degrees_by_option() {
        let d = |v| judge(&with("dos.count", v), 75, 46).degrees;
        assert_eq!((d("bc_exact"), d("tens_digit"), d("dw")), (3, 4, 2));
    }

    #[test]
    fn hc002_natural_1_and_100() {
        let o = Options::default();
        assert_eq!(judge(&o, -10, 1), Degrees { success: true, degrees: 1 });
        assert_eq!(judge(&o, 140, 100), Degrees { success: false, degrees: 1 });
        assert_eq!(judge(&o, 42, 43), Degrees { success: false, degrees: 1 });
        assert_eq!(judge(&o, 42, 52), Degrees { success: false, degrees: 2 });
    }

    #[test]
    fn hc005_a_pass_counts_itself() {
        let o = Options::default();
        assert_eq!(judge(&o, 40, 40).degrees, 1);
        assert_eq!(judge(&o, 40, 31).degrees, 1);
        assert_eq!(judge(&o, 40, 30).degrees, 2);
    }

    #[test]
    fn hc006_opposed() {
        let side =
            |success, degrees, bonus, roll| Opposed { degrees: Degrees { success, degrees }, bonus, roll };
        assert_eq!(opposed(side(true, 2, 3, 52), side(true, 1, 3, 31)), Some((true, 1)));
        assert_eq!(opposed(side(true, 2, 3, 52), side(false, 3, 3, 90)), Some((true, 5)));
        assert_eq!(opposed(side(true, 2, 3, 40), side(true, 2, 4, 50)), Some((false, 0)));
        assert_eq!(opposed(side(true, 2, 3, 40), side(true, 2, 3, 50)), Some((true, 0)));
        assert_eq!(opposed(side(false, 2, 3, 90), side(false, 1, 9, 80)), None);
    }

    #[test]
    fn hc007_halving() {
        assert_eq!([1, 2, 3, 9, 10].map(d5_from_d10), [1, 1, 2, 5, 5]);
    }

    #[test]
    fn hc012_bonus_degrees() {
        let o = Options::default();
        let d = Degrees { success: true, degrees: 1 };
        assert_eq!(d.plus_unnatural(&o, 3).degrees, 3);
        assert_eq!(d.plus_unnatural(&with("unnatural.bonus_dos", "off"), 3).degrees, 1);
        assert_eq!(Degrees { success: false, degrees: 1 }.plus_unnatural(&o, 3).degrees, 1);
    }
}
