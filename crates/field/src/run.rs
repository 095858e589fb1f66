//! Straight runs until something blocks, and the smallest change of direction that lets one through.

use crate::{Base, Heading, Hull, LIMIT, Len, Pose, QUARTER_TURN, TOLERANCE};

/// How far a base runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Where it ends.
    pub pose: Pose,
    /// The heading in which it moves.
    pub heading: Heading,
    /// How far it gets, `0..=distance`.
    pub travelled: Len,
    /// Whether it gets the whole distance.
    pub clear: bool,
}

/// Moves a base, its facing unchanged, along `heading` until `blocked` says so of what it passes over, to
/// the hundredth of a pace. What blocks does so from the tolerance on; the run ends a tolerance before that,
/// flush with a thing met squarely.
///
/// `blocked` must stay true when its hull grows, as overlap does. A base that is blocked where it stands
/// does not move.
pub fn run_straight(
    base: &Base,
    heading: Heading,
    distance: Len,
    mut blocked: impl FnMut(&Hull) -> bool,
) -> Run {
    let along = Pose { heading, ..base.pose };
    let end = |by: Len| Pose { heading: base.pose.heading, ..along.forward(by) };
    let mut stops = |by: Len| blocked(&Hull::sweep(base, &base.at(end(by))));
    let distance = distance.clamp(0, LIMIT);
    let clear = !stops(distance);
    let travelled = if clear {
        distance
    } else {
        let (mut free, mut stopped) = (0, distance);
        while free < stopped {
            let by = free + (stopped - free + 1) / 2;
            if stops(by) { stopped = by - 1 } else { free = by }
        }
        let flush = (free - TOLERANCE).max(0);
        // Whole hundredths do not lie exactly on one line: what brushes past at one may catch at another.
        if stops(flush) { free } else { flush }
    };
    Run { pose: end(travelled), heading, travelled, clear }
}

/// HOTT-318: moves a base straight away along `heading`, turned about its centre to look there, or along the
/// heading nearest to it by which it gets the whole distance, up to `most` hundredths of a degree off (of
/// two equally near the clockwise one). If none does it runs as far as it gets along `heading` itself.
///
/// Directions are looked at degree by degree, and between the last blocked degree and the first clear one
/// to the hundredth.
pub fn run_clear(
    base: &Base,
    heading: Heading,
    distance: Len,
    most: i32,
    mut blocked: impl FnMut(&Hull) -> bool,
) -> Run {
    let mut run = |off: i32| {
        let heading = heading.turned(off);
        run_straight(&base.turned_to(heading), heading, distance, &mut blocked)
    };
    let straight = run(0);
    if straight.clear {
        return straight;
    }
    let most = most.clamp(0, 2 * QUARTER_TURN);
    let mut off = 0;
    while off < most {
        let last = off;
        off = (off + 100).min(most);
        let found = [1, -1].map(|sign| {
            (run(sign * off).clear).then(|| {
                // The boundary between blocked and clear, by halves.
                let (mut shut, mut open) = (last, off);
                while open - shut > 1 {
                    let middle = (open + shut) / 2;
                    if run(sign * middle).clear { open = middle } else { shut = middle }
                }
                open * sign
            })
        });
        if let Some(best) = found.into_iter().flatten().min_by_key(|o| (o.abs(), -o)) {
            return run(best);
        }
    }
    straight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    const SIZE: Size = Size::new(16_000, 6_000);

    #[test]
    fn stops_at_the_hundredth() {
        for h in (0..36_000).step_by(37) {
            let base = Base::new(Pose::new(300_000, 300_000, Heading::new(h)), SIZE);
            let wall = Base::new(base.pose.forward(20_000 + 6_000), SIZE);
            let run = run_straight(&base, base.pose.heading, 60_000, |hull| hull.overlaps(&wall));
            assert!(!run.clear);
            assert!((run.travelled - 20_000).abs() <= 2, "{h}: {}", run.travelled);
            let free = run_straight(&base, base.pose.heading.opposite(), 60_000, |hull| hull.overlaps(&wall));
            assert!(free.clear && free.travelled == 60_000 && free.pose.heading == base.pose.heading);
        }
    }

    #[test]
    fn takes_the_smallest_turn() {
        let base = Base::new(Pose::new(300_000, 300_000, Heading::UP), SIZE);
        // The obstacle stands off to the right: the shorter way round is to the left.
        let wall = Base::new(Pose::new(306_000, 330_000, Heading::UP), SIZE);
        let blocked = |hull: &Hull| hull.overlaps(&wall);
        let run = run_clear(&base, Heading::UP, 60_000, 9_000, blocked);
        assert!(run.clear);
        let off = Heading::UP.turn_to(run.heading);
        assert!(off < 0, "{off}");
        let straighter = base.turned_to(run.heading.turned(1));
        assert!(!run_straight(&straighter, run.heading.turned(1), 60_000, blocked).clear);
        assert_eq!(run.pose.heading, run.heading);
        let boxed = run_clear(&base, Heading::UP, 60_000, 9_000, |hull| hull.bounds().1.y > 310_000);
        assert!(!boxed.clear || Heading::UP.angle_to(boxed.heading) > 8_000);
    }

    /// Found by the property tests: drawn back by the tolerance, the run would end a hair inside the wall that
    /// it brushes past.
    #[test]
    fn brushing_past_a_wall() {
        let base = Base::new(Pose::new(0, 0, Heading::new(7_901)), Size::new(14_800, 2_000));
        let wall = Base::new(Pose::new(-13_592, -10_789, Heading::new(34_692)), Size::new(35_000, 2_000));
        let run = run_straight(&base, Heading::new(25_650), 60_000, |hull| hull.overlaps(&wall));
        assert!(!base.overlaps(&wall) && !base.at(run.pose).overlaps(&wall));
    }
}
