//! Headings and the one rotation table.
//!
//! The table is computed by the compiler from whole numbers: sines of whole degrees and of hundredths by
//! their series at scale 2⁶⁰, joined by the addition theorem, rounded once to scale 2³⁰. A test pins its
//! digest, so it is the same on every machine and in every release.

use std::fmt;

/// Scale of [`Heading::sin`] and [`Heading::cos`]: 2³⁰ stands for 1.
pub const SCALE: i64 = 1 << 30;
/// A full turn in hundredths of a degree.
pub const FULL_TURN: i32 = 36_000;
/// A half turn in hundredths of a degree.
pub const HALF_TURN: i32 = 18_000;
/// A quarter turn in hundredths of a degree.
pub const QUARTER_TURN: i32 = 9_000;

/// π at scale 2⁶⁰.
const PI_60: i128 = 3_622_009_729_038_561_421;

const fn series(x: i128, first: i128, mut k: i128) -> i128 {
    let mut term = first;
    let mut sum = first;
    while term != 0 {
        term = -((((term * x) >> 60) * x) >> 60) / (k * (k + 1));
        // INVARIANT: |x| is at most a quarter turn, so the terms fall to 0 within 25 steps.
        if term == 0 || k > 60 {
            break;
        }
        sum += term;
        k += 2;
    }
    sum
}

const fn sin_60(x: i128) -> i128 {
    series(x, x, 2)
}

const fn cos_60(x: i128) -> i128 {
    series(x, 1 << 60, 1)
}

const fn quarter_wave() -> [i32; 9001] {
    let mut fine_sin = [0i128; 100];
    let mut fine_cos = [0i128; 100];
    let mut f = 0;
    while f < 100 {
        let x = PI_60 * f as i128 / 18_000;
        fine_sin[f] = sin_60(x);
        fine_cos[f] = cos_60(x);
        f += 1;
    }
    let mut table = [0i32; 9001];
    let mut degree = 0;
    while degree < 90 {
        let x = PI_60 * degree as i128 / 180;
        let (s, c) = (sin_60(x), cos_60(x));
        f = 0;
        while f < 100 {
            let exact = s * fine_cos[f] + c * fine_sin[f];
            table[degree * 100 + f] = ((exact + (1 << 89)) >> 90) as i32;
            f += 1;
        }
        degree += 1;
    }
    table[9000] = SCALE as i32;
    table
}

static SINES: [i32; 9001] = quarter_wave();

/// A direction in hundredths of a degree, always in `0..36000`: 0 looks up the board, 9000 to the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heading(u16);

impl Heading {
    /// Up the board (+y).
    pub const UP: Heading = Heading(0);
    /// To the right (+x).
    pub const RIGHT: Heading = Heading(9_000);
    /// Down the board (-y).
    pub const DOWN: Heading = Heading(18_000);
    /// To the left (-x).
    pub const LEFT: Heading = Heading(27_000);

    /// The heading of any number of hundredths of a degree, whole turns taken off.
    #[must_use]
    pub const fn new(hundredths: i32) -> Heading {
        Heading(hundredths.rem_euclid(FULL_TURN) as u16)
    }

    /// The heading of whole degrees.
    #[must_use]
    pub const fn degrees(degrees: i32) -> Heading {
        Heading::new(degrees.rem_euclid(360) * 100)
    }

    /// Hundredths of a degree, `0..36000`.
    #[must_use]
    pub const fn hundredths(self) -> i32 {
        self.0 as i32
    }

    /// This heading turned clockwise by so many hundredths of a degree (negative: anticlockwise).
    #[must_use]
    pub const fn turned(self, clockwise: i32) -> Heading {
        Heading::new(self.0 as i32 + clockwise % FULL_TURN)
    }

    /// The opposite heading.
    #[must_use]
    pub const fn opposite(self) -> Heading {
        self.turned(HALF_TURN)
    }

    /// The signed turn from this heading to `other` by the shorter way, `-18000 < turn <= 18000`,
    /// clockwise positive.
    #[must_use]
    pub const fn turn_to(self, other: Heading) -> i32 {
        let turn = (other.0 as i32 - self.0 as i32).rem_euclid(FULL_TURN);
        if turn > HALF_TURN { turn - FULL_TURN } else { turn }
    }

    /// The angle between two headings, `0..=18000`.
    #[must_use]
    pub const fn angle_to(self, other: Heading) -> i32 {
        self.turn_to(other).abs()
    }

    /// The sine at scale 2³⁰: the x part of the forward unit vector.
    #[must_use]
    #[inline]
    pub fn sin(self) -> i64 {
        let h = usize::from(self.0);
        i64::from(match h {
            0..=9_000 => SINES[h],
            9_001..=18_000 => SINES[18_000 - h],
            18_001..=27_000 => -SINES[h - 18_000],
            27_001..=36_000 => -SINES[36_000 - h],
            // INVARIANT: a heading is below 36000 by construction.
            _ => 0,
        })
    }

    /// The cosine at scale 2³⁰: the y part of the forward unit vector.
    #[must_use]
    #[inline]
    pub fn cos(self) -> i64 {
        self.turned(QUARTER_TURN).sin()
    }

    /// The heading that looks along a vector, to the nearest hundredth of a degree; `None` for no vector.
    #[must_use]
    pub fn along(dx: i32, dy: i32) -> Option<Heading> {
        if dx == 0 && dy == 0 {
            return None;
        }
        let (x, y) = (i64::from(dx), i64::from(dy));
        // First the quarter, then the last hundredth before the vector, then that one or the next.
        let (quarter, ahead, aside) = if x >= 0 && y > 0 {
            (0, y, x)
        } else if x > 0 {
            (QUARTER_TURN, x, -y)
        } else if y < 0 {
            (HALF_TURN, -y, -x)
        } else {
            (FULL_TURN - QUARTER_TURN, -x, y)
        };
        // The greatest h in 0..=9000 with tan(h) <= aside / ahead.
        let (mut low, mut high) = (0i32, QUARTER_TURN);
        while low < high {
            let h = Heading::new((low + high + 1) / 2);
            if i128::from(h.sin()) * i128::from(ahead) <= i128::from(h.cos()) * i128::from(aside) {
                low = (low + high + 1) / 2;
            } else {
                high = (low + high + 1) / 2 - 1;
            }
        }
        let off = |h: i32| {
            let h = Heading::new(h);
            (i128::from(h.sin()) * i128::from(ahead) - i128::from(h.cos()) * i128::from(aside)).abs()
        };
        if low < QUARTER_TURN && off(low + 1) < off(low) {
            low += 1;
        }
        Some(Heading::new(quarter + low))
    }
}

/// Degrees with two decimals, which read back exactly.
impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// A product at scale 2³⁰ back to whole hundredths: to the nearest, halves away from 0, so that mirrored
/// positions stay mirrored.
#[inline]
pub(crate) const fn unscale(product: i64) -> i64 {
    (product + (SCALE >> 1) + (product >> 63)) >> 30
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_agrees_with_libm() {
        for h in 0..FULL_TURN {
            let heading = Heading::new(h);
            let angle = f64::from(h).to_radians() / 100.0;
            assert!((heading.sin() as f64 - angle.sin() * SCALE as f64).abs() < 0.5001, "sin {h}");
            assert!((heading.cos() as f64 - angle.cos() * SCALE as f64).abs() < 0.5001, "cos {h}");
        }
    }

    #[test]
    fn table_digest() {
        // FNV-1a over the little-endian entries. A change of the table changes every game ever played.
        let digest = SINES
            .iter()
            .flat_map(|s| s.to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325_u64, |d, b| (d ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        assert_eq!(format!("{digest:016x}"), "45bcab3e64db2669");
    }

    #[test]
    fn turns() {
        assert_eq!(Heading::new(-1).hundredths(), 35_999);
        assert_eq!(Heading::degrees(350).turn_to(Heading::degrees(10)), 2_000);
        assert_eq!(Heading::degrees(10).turn_to(Heading::degrees(350)), -2_000);
        assert_eq!(Heading::UP.turn_to(Heading::DOWN), HALF_TURN);
        assert_eq!(Heading::RIGHT.opposite(), Heading::LEFT);
        assert_eq!(Heading::new(i32::MAX).turned(i32::MIN).hundredths(), Heading::new(-1).hundredths());
    }

    #[test]
    fn headings_along_vectors() {
        assert_eq!(Heading::along(0, 5), Some(Heading::UP));
        assert_eq!(Heading::along(5, 0), Some(Heading::RIGHT));
        assert_eq!(Heading::along(0, -5), Some(Heading::DOWN));
        assert_eq!(Heading::along(-5, 0), Some(Heading::LEFT));
        assert_eq!(Heading::along(0, 0), None);
        for h in 0..FULL_TURN {
            let heading = Heading::new(h);
            let along = Heading::along((heading.sin() >> 2) as i32, (heading.cos() >> 2) as i32);
            assert_eq!(along, Some(heading), "{h}");
        }
    }

    #[test]
    fn rounding_is_symmetrical() {
        for v in [0, 1, SCALE / 2 - 1, SCALE / 2, SCALE / 2 + 1, SCALE, 3 * SCALE / 2] {
            assert_eq!(unscale(-v), -unscale(v), "{v}");
        }
        assert_eq!(unscale(SCALE / 2), 1);
        assert_eq!(unscale(SCALE / 2 - 1), 0);
    }
}
