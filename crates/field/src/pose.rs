//! Poses, their text and their frames.

use std::fmt;
use std::str::FromStr;

use crate::point::clamp;
use crate::rotation::unscale;
use crate::{Heading, LIMIT, Len, Point};

/// Where a base stands: the middle of its front edge, and where it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pose {
    /// Hundredths of a pace from the left board edge.
    pub x: Len,
    /// Hundredths of a pace from the lower board edge.
    pub y: Len,
    /// Where the front looks.
    pub heading: Heading,
}

impl Pose {
    /// The pose at x, y (hundredths of a pace, brought within [`LIMIT`]).
    #[must_use]
    pub const fn new(x: Len, y: Len, heading: Heading) -> Pose {
        Pose { x: clamp(x as i64), y: clamp(y as i64), heading }
    }

    /// The pose at a point.
    #[must_use]
    pub const fn at(point: Point, heading: Heading) -> Pose {
        Pose::new(point.x, point.y, heading)
    }

    /// The middle of the front edge.
    #[must_use]
    pub const fn point(self) -> Point {
        Point { x: self.x, y: self.y }
    }

    /// The frame of the pose, to bring many points across without looking up its sine and cosine again.
    #[must_use]
    #[inline]
    pub fn frame(self) -> Frame {
        Frame { x: self.x.into(), y: self.y.into(), sin: self.heading.sin(), cos: self.heading.cos() }
    }

    /// A point given in the frame of the pose (x right, y forward), on the board.
    #[must_use]
    pub fn to_world(self, local: Point) -> Point {
        self.frame().to_world(local)
    }

    /// A point of the board in the frame of the pose (x right, y forward).
    #[must_use]
    pub fn to_local(self, world: Point) -> Point {
        self.frame().to_local(world)
    }

    /// The pose moved within its own frame, heading unchanged.
    #[must_use]
    pub fn moved(self, right: Len, forward: Len) -> Pose {
        Pose::at(self.to_world(Point { x: right, y: forward }), self.heading)
    }

    /// The pose moved straight ahead (negative: straight back).
    #[must_use]
    pub fn forward(self, by: Len) -> Pose {
        self.moved(0, by)
    }

    /// The pose moved straight back.
    #[must_use]
    pub fn back(self, by: Len) -> Pose {
        self.moved(0, by.saturating_neg())
    }

    /// The pose moved to its right (negative: to its left).
    #[must_use]
    pub fn sideways(self, by: Len) -> Pose {
        self.moved(by, 0)
    }

    /// The pose moved by a vector of the board.
    #[must_use]
    pub const fn shifted(self, by: Point) -> Pose {
        Pose {
            x: clamp(self.x as i64 + by.x as i64),
            y: clamp(self.y as i64 + by.y as i64),
            heading: self.heading,
        }
    }

    /// The pose turned on the middle of its front edge.
    #[must_use]
    pub const fn turned(self, clockwise: i32) -> Pose {
        Pose { x: self.x, y: self.y, heading: self.heading.turned(clockwise) }
    }

    /// The pose carried round a point of the board, clockwise.
    #[must_use]
    pub fn around(self, pivot: Point, clockwise: i32) -> Pose {
        // Only the vector from the pivot turns, so the rounding does not grow with the place on the board.
        let turn = Pose::at(pivot, Heading::new(clockwise));
        Pose::at(turn.to_world(self.point().minus(pivot)), self.heading.turned(clockwise))
    }

    /// The pose in front contact with a base at this pose: the same point, the opposite heading.
    #[must_use]
    pub const fn opposed(self) -> Pose {
        Pose { x: self.x, y: self.y, heading: self.heading.opposite() }
    }
}

/// A pose with its sine and cosine: brings points between the board and a base's own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    x: i64,
    y: i64,
    sin: i64,
    cos: i64,
}

impl Frame {
    /// A point of the frame (x right, y forward) on the board, rounded once.
    #[must_use]
    #[inline]
    pub const fn to_world(&self, local: Point) -> Point {
        let (right, forward) = (local.x as i64, local.y as i64);
        Point {
            x: clamp(self.x + unscale(right * self.cos + forward * self.sin)),
            y: clamp(self.y + unscale(forward * self.cos - right * self.sin)),
        }
    }

    /// A point of the board in the frame (x right, y forward), rounded once.
    #[must_use]
    #[inline]
    pub const fn to_local(&self, world: Point) -> Point {
        let (dx, dy) = (world.x as i64 - self.x, world.y as i64 - self.y);
        // Twice two within LIMIT, turned, stays below four times LIMIT.
        Point {
            x: bounded(unscale(dx * self.cos - dy * self.sin)),
            y: bounded(unscale(dx * self.sin + dy * self.cos)),
        }
    }

    /// The forward unit vector at scale 2³⁰.
    #[must_use]
    pub const fn forward_unit(&self) -> (i64, i64) {
        (self.sin, self.cos)
    }

    /// The unit vector to the right at scale 2³⁰.
    #[must_use]
    pub const fn right_unit(&self) -> (i64, i64) {
        (self.cos, -self.sin)
    }
}

const fn bounded(v: i64) -> Len {
    let limit = 4 * LIMIT as i64;
    (if v > limit {
        limit
    } else if v < -limit {
        -limit
    } else {
        v
    }) as Len
}

/// `x y heading` in paces and degrees with two decimals: `1200.00 300.50 90.00`. Reads back exactly.
impl fmt::Display for Pose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hundredths(f, self.x)?;
        f.write_str(" ")?;
        hundredths(f, self.y)?;
        write!(f, " {}", self.heading)
    }
}

/// A length written in paces with two decimals, `-0.50`; [`Paces::from_str`](FromStr::from_str) reads it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Paces(pub Len);

impl fmt::Display for Paces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hundredths(f, self.0)
    }
}

impl FromStr for Paces {
    type Err = ParsePoseError;

    fn from_str(word: &str) -> Result<Paces, ParsePoseError> {
        match Len::try_from(parse_hundredths(word)?) {
            Ok(v) if v.abs() <= LIMIT => Ok(Paces(v)),
            _ => Err(ParsePoseError::Range(word.to_owned())),
        }
    }
}

/// Degrees with at most two decimals, from 0 to 360.
impl FromStr for Heading {
    type Err = ParsePoseError;

    fn from_str(word: &str) -> Result<Heading, ParsePoseError> {
        match parse_hundredths(word)? {
            v @ 0..=36_000 => Ok(Heading::new(v as i32)),
            _ => Err(ParsePoseError::Range(word.to_owned())),
        }
    }
}

fn hundredths(f: &mut fmt::Formatter<'_>, v: Len) -> fmt::Result {
    let sign = if v < 0 { "-" } else { "" };
    write!(f, "{sign}{}.{:02}", v.unsigned_abs() / 100, v.unsigned_abs() % 100)
}

/// What a pose's text looks like, for messages.
pub const PARSE_HINT: &str =
    "a pose is written `x y heading` in paces and degrees, such as `1200.00 300.50 90.00`";

/// Why a text is no pose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePoseError {
    /// There are not three numbers: how many there are.
    Count(usize),
    /// This is not a number with at most two decimals.
    Number(String),
    /// This number is beyond what a board can hold (83,886 paces), or no heading from 0 to 360.
    Range(String),
}

impl fmt::Display for ParsePoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePoseError::Count(n) => write!(f, "{n} numbers where three belong; {PARSE_HINT}"),
            ParsePoseError::Number(word) => {
                write!(f, "`{word}` is not a number with at most two decimals; {PARSE_HINT}")
            }
            ParsePoseError::Range(word) => write!(f, "`{word}` is out of range; {PARSE_HINT}"),
        }
    }
}

impl std::error::Error for ParsePoseError {}

/// Reads `1200`, `-0.5` or `90.25` as whole hundredths.
pub(crate) fn parse_hundredths(word: &str) -> Result<i64, ParsePoseError> {
    let bad = || ParsePoseError::Number(word.to_owned());
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(part) || part.len() > 2 {
        return Err(bad());
    }
    let far = || ParsePoseError::Range(word.to_owned());
    let whole: i64 = whole.parse().map_err(|_| far())?;
    let tens: i64 = part.parse().map_err(|_| far())?;
    let part = if part.len() == 1 { tens * 10 } else { tens };
    let value = whole.checked_mul(100).and_then(|v| v.checked_add(part)).ok_or_else(far)?;
    Ok(if negative { -value } else { value })
}

impl FromStr for Pose {
    type Err = ParsePoseError;

    fn from_str(text: &str) -> Result<Pose, ParsePoseError> {
        let mut words = text.split_ascii_whitespace();
        let (Some(x), Some(y), Some(heading), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(ParsePoseError::Count(text.split_ascii_whitespace().count()));
        };
        Ok(Pose { x: x.parse::<Paces>()?.0, y: y.parse::<Paces>()?.0, heading: heading.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let pose = Pose::new(120_000, -30_050, Heading::new(9_005));
        assert_eq!(pose.to_string(), "1200.00 -300.50 90.05");
        assert_eq!("1200 -300.5 90.05".parse(), Ok(pose));
        assert_eq!("-0.05 0 360".parse(), Ok(Pose::new(-5, 0, Heading::UP)));
        assert_eq!("-0.5".parse(), Ok(Paces(-50)));
        assert_eq!(Paces(-50).to_string(), "-0.50");
        assert_eq!("1 2".parse::<Pose>(), Err(ParsePoseError::Count(2)));
        assert_eq!("1 2 3 4".parse::<Pose>(), Err(ParsePoseError::Count(4)));
        for bad in ["1.234 0 0", "a 0 0", "1. 0 0", ". 0 0", "+1 0 0", "--1 0 0", "1e3 0 0"] {
            assert!(matches!(bad.parse::<Pose>(), Err(ParsePoseError::Number(_))), "{bad}");
        }
        for far in ["99999999999999999999 0 0", "83886.09 0 0", "0 0 360.01", "0 0 -1"] {
            assert!(matches!(far.parse::<Pose>(), Err(ParsePoseError::Range(_))), "{far}");
        }
    }

    #[test]
    fn frames() {
        let east = Pose::new(1_000, 2_000, Heading::RIGHT);
        assert_eq!(east.to_world(Point::new(30, 50)), Point::new(1_050, 1_970));
        assert_eq!(east.to_local(Point::new(1_050, 1_970)), Point::new(30, 50));
        assert_eq!(east.forward(70), Pose::new(1_070, 2_000, Heading::RIGHT));
        assert_eq!(east.back(70), Pose::new(930, 2_000, Heading::RIGHT));
        assert_eq!(east.sideways(70), Pose::new(1_000, 1_930, Heading::RIGHT));
        let round = east.around(Point::new(1_000, 1_000), QUARTER);
        assert_eq!(round, Pose::new(2_000, 1_000, Heading::DOWN));
    }

    const QUARTER: i32 = crate::QUARTER_TURN;

    #[test]
    fn no_input_overflows() {
        let far = Pose { x: i32::MAX, y: i32::MIN, heading: Heading::new(4_500) };
        let p = far.to_local(Point { x: i32::MIN, y: i32::MAX });
        assert!(p.x.abs() <= 4 * LIMIT && p.y.abs() <= 4 * LIMIT);
        let q = far.moved(i32::MIN, i32::MIN);
        assert!(q.x.abs() <= LIMIT && q.y.abs() <= LIMIT);
    }
}
