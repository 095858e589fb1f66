//! From paces to pixels, and the little geometry that drawing needs. Only additions, products, quotients and square
//! roots, which IEEE 754 fixes to the bit.

use crate::model::{Point, Pose, Shape};
use crate::svg::num;

/// The board on the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    /// Left edge of the board, in pixels.
    pub(crate) left: f64,
    /// Upper edge of the board, in pixels.
    pub(crate) top: f64,
    /// Pixels to a pace.
    pub(crate) k: f64,
    /// Size of the board in paces.
    pub(crate) size: (f64, f64),
    /// The unit of signs on the ground: the size of a tree, in pixels.
    pub(crate) u: f64,
}

impl Map {
    pub(crate) fn at(&self, (x, y): Point) -> (f64, f64) {
        (self.left + x * self.k, self.top + (self.size.1 - y) * self.k)
    }

    pub(crate) fn width(&self) -> f64 {
        self.size.0 * self.k
    }

    pub(crate) fn height(&self) -> f64 {
        self.size.1 * self.k
    }

    /// The corners of the board on the page.
    pub(crate) fn corners(&self) -> (Point, Point) {
        ((self.left, self.top), (self.left + self.width(), self.top + self.height()))
    }

    /// The shape in pixels.
    pub(crate) fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Polygon(points) => Shape::Polygon(points.iter().map(|p| self.at(*p)).collect()),
            Shape::Disc(c, r) => Shape::Disc(self.at(*c), r * self.k),
            Shape::Way(points, w) => Shape::Way(points.iter().map(|p| self.at(*p)).collect(), w * self.k),
        }
    }
}

/// Sine and cosine of degrees by their series: the same bits everywhere, which the system's are not.
pub(crate) fn sin_cos(degrees: f64) -> (f64, f64) {
    if !degrees.is_finite() {
        return (0.0, 1.0);
    }
    let turn = degrees - (degrees / 360.0).floor() * 360.0;
    let quarter = (turn / 90.0).floor();
    let x = (turn - quarter * 90.0) * (std::f64::consts::PI / 180.0);
    let (mut s, mut c, mut term) = (0.0, 0.0, 1.0);
    for n in 0..24u32 {
        let sign = if n % 4 < 2 { 1.0 } else { -1.0 };
        if n % 2 == 0 {
            c += sign * term;
        } else {
            s += sign * term;
        }
        term *= x / f64::from(n + 1);
    }
    match quarter as i64 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// A point of a base's own frame (x to its right, y forward of its front edge), on the board.
pub(crate) fn placed(pose: Pose, (right, forward): Point) -> Point {
    let (s, c) = sin_cos(pose.heading);
    (pose.x + right * c + forward * s, pose.y + forward * c - right * s)
}

/// The middle of a base.
pub(crate) fn middle(pose: Pose, depth: f64) -> Point {
    placed(pose, (0.0, -depth / 2.0))
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

pub(crate) fn lerp(a: Point, b: Point, t: f64) -> Point {
    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
}

/// The nearest point of a segment.
fn nearest_on(a: Point, b: Point, p: Point) -> Point {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let l2 = dx * dx + dy * dy;
    if l2 <= 0.0 {
        return a;
    }
    let t = (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / l2).clamp(0.0, 1.0);
    lerp(a, b, t)
}

/// The nearest point of a line of several segments.
pub(crate) fn nearest(line: &[Point], p: Point) -> Point {
    let mut best = line.first().copied().unwrap_or(p);
    for w in line.windows(2) {
        let q = nearest_on(w[0], w[1], p);
        if distance(q, p) < distance(best, p) {
            best = q;
        }
    }
    best
}

fn encloses(points: &[Point], p: Point) -> bool {
    let mut inside = false;
    let mut before = match points.last() {
        Some(last) => *last,
        None => return false,
    };
    for &q in points {
        if (q.1 > p.1) != (before.1 > p.1) && p.0 < (before.0 - q.0) * (p.1 - q.1) / (before.1 - q.1) + q.0 {
            inside = !inside;
        }
        before = q;
    }
    inside
}

/// How far inside a shape a point lies; negative outside.
pub(crate) fn depth(shape: &Shape, p: Point) -> f64 {
    match shape {
        Shape::Disc(c, r) => r - distance(*c, p),
        Shape::Way(points, w) => w / 2.0 - distance(nearest(points, p), p),
        Shape::Polygon(points) => {
            let mut ring = points.clone();
            ring.extend(points.first().copied());
            let d = distance(nearest(&ring, p), p);
            if encloses(points, p) { d } else { -d }
        }
    }
}

/// The outline as a ring of points (of a disc 72); of a way its middle line.
pub(crate) fn ring(shape: &Shape) -> Vec<Point> {
    match shape {
        Shape::Polygon(points) | Shape::Way(points, _) => points.clone(),
        Shape::Disc(c, r) => (0..72)
            .map(|i| {
                let (s, k) = sin_cos(f64::from(i) * 5.0);
                (c.0 + r * s, c.1 - r * k)
            })
            .collect(),
    }
}

/// Smallest and largest x and y.
pub(crate) fn bounds(shape: &Shape) -> (Point, Point) {
    let spread = match shape {
        Shape::Way(_, w) => w / 2.0,
        Shape::Polygon(_) | Shape::Disc(..) => 0.0,
    };
    let points = ring(shape);
    let first = points.first().copied().unwrap_or_default();
    let (lo, hi) = points
        .iter()
        .fold((first, first), |(lo, hi), p| ((lo.0.min(p.0), lo.1.min(p.1)), (hi.0.max(p.0), hi.1.max(p.1))));
    ((lo.0 - spread, lo.1 - spread), (hi.0 + spread, hi.1 + spread))
}

/// A point well inside, for a label: the mean of the corners, or the middle of a way.
pub(crate) fn heart(shape: &Shape) -> Point {
    match shape {
        Shape::Disc(c, _) => *c,
        Shape::Way(points, _) => {
            let n = points.len();
            match n {
                0 => (0.0, 0.0),
                n if n % 2 == 0 => lerp(points[n / 2 - 1], points[n / 2], 0.5),
                n => points[n / 2],
            }
        }
        Shape::Polygon(points) => {
            let n = points.len().max(1) as f64;
            let sum = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
            (sum.0 / n, sum.1 / n)
        }
    }
}

/// The path of a closed ring or an open line.
pub(crate) fn path(points: &[Point], closed: bool) -> String {
    let mut d = String::with_capacity(points.len() * 14);
    for (i, p) in points.iter().enumerate() {
        d.push(if i == 0 { 'M' } else { 'L' });
        d.push_str(&num(p.0));
        d.push(' ');
        d.push_str(&num(p.1));
    }
    if closed && !points.is_empty() {
        d.push('Z');
    }
    d
}

/// The path of an area's outline; a disc as true arcs.
pub(crate) fn area_path(shape: &Shape) -> String {
    match shape {
        Shape::Disc((x, y), r) => {
            let (r, w) = (num(*r), num(r * 2.0));
            format!("M{} {}a{r} {r} 0 1 0 {w} 0a{r} {r} 0 1 0 -{w} 0Z", num(x - shape_radius(shape)), num(*y))
        }
        Shape::Polygon(points) => path(points, true),
        Shape::Way(points, _) => path(points, false),
    }
}

fn shape_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Disc(_, r) => *r,
        Shape::Polygon(_) | Shape::Way(..) => 0.0,
    }
}

/// A number from 0 to 1 that depends on three whole numbers alone: scatters signs without a pattern to the eye.
pub(crate) fn speck(a: i64, b: i64, c: i64) -> f64 {
    let mut h = (a as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (b as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (c as u64).wrapping_mul(0x1656_67b1_9e37_79f9);
    h ^= h >> 29;
    h = h.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h ^= h >> 32;
    (h >> 40) as f64 / (1u64 << 24) as f64
}

/// Places for signs within a shape: a staggered grid of a spacing, shaken, at least so far from the edge. From the top
/// down, so that what stands nearer covers what stands behind. Nothing outside `within` (the board) is looked at.
pub(crate) fn scatter(
    shape: &Shape,
    within: (Point, Point),
    spacing: f64,
    margin: f64,
    salt: i64,
) -> Vec<(Point, f64)> {
    let mut places = Vec::new();
    if !(spacing.is_finite() && spacing > 0.5) {
        return places;
    }
    let (lo, hi) = bounds(shape);
    let (lo, hi) =
        ((lo.0.max(within.0.0), lo.1.max(within.0.1)), (hi.0.min(within.1.0), hi.1.min(within.1.1)));
    if !(hi.0 > lo.0 && hi.1 > lo.1) {
        return places;
    }
    let rows = ((hi.1 - lo.1) / (spacing * 0.86)).clamp(0.0, 400.0) as i64 + 1;
    let columns = ((hi.0 - lo.0) / spacing).clamp(0.0, 400.0) as i64 + 1;
    for row in 0..=rows {
        for column in 0..=columns {
            let shake = |n| (speck(row, column, salt * 8 + n) - 0.5) * spacing * 0.5;
            let stagger = if row % 2 == 0 { 0.0 } else { spacing / 2.0 };
            let p = (
                lo.0 + column as f64 * spacing + stagger + shake(1),
                lo.1 + row as f64 * spacing * 0.86 + shake(2),
            );
            if depth(shape, p) >= margin {
                places.push((p, speck(row, column, salt * 8 + 3)));
            }
        }
    }
    places
}

/// Points along a line at a spacing, each with the unit vector along it; a closed line returns to its first point.
pub(crate) fn along(points: &[Point], closed: bool, spacing: f64) -> Vec<(Point, Point)> {
    let mut marks = Vec::new();
    if !(spacing.is_finite() && spacing > 0.5) {
        return marks;
    }
    let mut line = points.to_vec();
    if closed {
        line.extend(points.first().copied());
    }
    let mut next = spacing / 2.0;
    for w in line.windows(2) {
        let l = distance(w[0], w[1]);
        // What is farther than any picture gets no marks.
        if !(l > 0.0 && l < 1.0e5) {
            continue;
        }
        let unit = ((w[1].0 - w[0].0) / l, (w[1].1 - w[0].1) / l);
        while next < l && marks.len() < 4000 {
            marks.push((lerp(w[0], w[1], next / l), unit));
            next += spacing;
        }
        next -= l;
        if next < 0.0 {
            next = 0.0;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_agrees_with_the_system_closely() {
        for i in -800..800 {
            let degrees = f64::from(i) * 1.37;
            let (s, c) = sin_cos(degrees);
            let (es, ec) = degrees.to_radians().sin_cos();
            assert!((s - es).abs() < 1e-12 && (c - ec).abs() < 1e-12, "{degrees}");
        }
        assert_eq!(sin_cos(f64::NAN), (0.0, 1.0));
    }

    #[test]
    fn frames_turn_clockwise() {
        let east = Pose { x: 100.0, y: 50.0, heading: 90.0 };
        let (x, y) = placed(east, (10.0, 20.0));
        assert!((x - 120.0).abs() < 1e-9 && (y - 40.0).abs() < 1e-9);
    }

    #[test]
    fn signs_stay_inside() {
        let shape = Shape::Polygon(vec![(0.0, 0.0), (100.0, 10.0), (80.0, 90.0), (20.0, 60.0)]);
        let all = ((-10.0, -10.0), (200.0, 200.0));
        let places = scatter(&shape, all, 8.0, 3.0, 1);
        assert!(places.len() > 20);
        assert!(places.iter().all(|(p, _)| depth(&shape, *p) >= 3.0));
        assert!(scatter(&shape, all, f64::NAN, 0.0, 1).is_empty());
        let half = ((-10.0, -10.0), (50.0, 200.0));
        assert!(scatter(&shape, half, 8.0, 3.0, 1).iter().all(|(p, _)| p.0 < 50.0 + 2.0 * 8.0));
    }
}
