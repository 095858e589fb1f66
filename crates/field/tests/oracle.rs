//! The integer geometry against a float geometry crate: the same answers to a hundredth or two of a pace.

use field::{
    Base, Board, Heading, Hull, Len, Point, Polygon, Pose, Segment, Shape, Side, Size, Stage, TOLERANCE,
    Zone, run_straight,
};
use geo::{
    Area, BooleanOps, Contains, ConvexHull, Coord, Distance, Euclidean, Intersects, Length, Line, LineString,
    MultiLineString, MultiPoint,
};
use proptest::prelude::*;

/// What rounding may add up to between two bases, in hundredths of a pace.
const ROUNDING: f64 = 2.0;

fn exact(pose: Pose, right: f64, forward: f64) -> Coord<f64> {
    let turn = (f64::from(pose.heading.hundredths()) / 100.0).to_radians();
    Coord {
        x: f64::from(pose.x) + right * turn.cos() + forward * turn.sin(),
        y: f64::from(pose.y) - right * turn.sin() + forward * turn.cos(),
    }
}

fn rectangle(pose: Pose, left: f64, right: f64, rear: f64, front: f64) -> geo::Polygon<f64> {
    let ring = [(left, front), (left, rear), (right, rear), (right, front)].map(|(x, y)| exact(pose, x, y));
    geo::Polygon::new(LineString::from(ring.to_vec()), vec![])
}

/// The base as exactly as floats have it, its sides moved out by `grown`.
fn oracle(base: &Base, grown: f64) -> geo::Polygon<f64> {
    let (left, right) = (f64::from(base.size.left()) - grown, f64::from(base.size.right()) + grown);
    rectangle(base.pose, left, right, -f64::from(base.size.depth) - grown, grown)
}

fn outline(points: &[Point]) -> geo::Polygon<f64> {
    let ring: Vec<Coord<f64>> = points.iter().map(|p| coord(*p)).collect();
    geo::Polygon::new(LineString::from(ring), vec![])
}

fn coord(p: Point) -> Coord<f64> {
    Coord { x: f64::from(p.x), y: f64::from(p.y) }
}

fn line(s: &Segment) -> Line<f64> {
    Line::new(coord(s.a), coord(s.b))
}

fn close(ours: Len, theirs: f64, slack: f64) -> bool {
    (f64::from(ours) - theirs).abs() <= slack
}

/// How deep two convex polygons lie in each other: the distance of the origin from the outline of their
/// difference.
fn depth(a: &geo::Polygon<f64>, b: &geo::Polygon<f64>) -> f64 {
    let mut differences = Vec::new();
    for p in a.exterior().coords() {
        for q in b.exterior().coords() {
            differences.push(geo::Point::from(*p - *q));
        }
    }
    let hull = MultiPoint::new(differences).convex_hull();
    let origin = geo::Point::new(0.0, 0.0);
    if hull.contains(&origin) { Euclidean.distance(&origin, hull.exterior()) } else { 0.0 }
}

fn heading() -> impl Strategy<Value = Heading> {
    prop_oneof![
        3 => (0..36_000i32).prop_map(Heading::new),
        1 => (0..8i32).prop_map(|e| Heading::degrees(45 * e)),
    ]
}

fn pose_in(low: Len, high: Len) -> impl Strategy<Value = Pose> {
    (low..=high, low..=high, heading()).prop_map(|(x, y, h)| Pose::new(x, y, h))
}

fn size() -> impl Strategy<Value = Size> {
    (50..250i32, 20..240i32).prop_map(|(w, d)| Size::new(w * 200, d * 100))
}

/// Two bases near each other, anywhere on the largest board.
fn pair() -> impl Strategy<Value = (Base, Base)> {
    (pose_in(0, 2_560_000), size(), pose_in(-40_000, 40_000), size()).prop_map(|(at, s, off, t)| {
        let other = Pose::new(at.x + off.x, at.y + off.y, off.heading);
        (Base::new(at, s), Base::new(other, t))
    })
}

/// A simple polygon: a star round its middle, corners at growing headings.
fn star() -> impl Strategy<Value = Vec<Point>> {
    (3..12usize, prop::collection::vec(5_000..60_000i32, 12), 0..36_000i32).prop_map(|(n, reach, turn)| {
        (0..n)
            .map(|i| {
                let h = Heading::new(turn - (36_000 / n * i) as i32);
                Pose::new(1_000_000, 1_000_000, h).forward(reach[i]).point()
            })
            .collect()
    })
}

fn base_near_star() -> impl Strategy<Value = Base> {
    (pose_in(930_000, 1_070_000), size()).prop_map(|(pose, size)| Base::new(pose, size))
}

fn polygon(points: &[Point]) -> Polygon {
    match Polygon::new(points) {
        Ok(polygon) => polygon,
        Err(e) => panic!("{e}: {points:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn poses_print_and_read_back(pose in pose_in(-field::LIMIT, field::LIMIT)) {
        prop_assert_eq!(pose.to_string().parse::<Pose>(), Ok(pose));
    }

    #[test]
    fn frames_agree_and_lead_back(at in pose_in(0, 2_560_000), p in pose_in(-60_000, 60_000)) {
        let local = p.point();
        let world = at.to_world(local);
        let theirs = exact(at, f64::from(local.x), f64::from(local.y));
        prop_assert!(close(world.x, theirs.x, 0.51) && close(world.y, theirs.y, 0.51));
        prop_assert!(at.to_local(world).within(local, 2));
    }

    #[test]
    fn distances((a, b) in pair()) {
        let theirs = Euclidean.distance(&oracle(&a, 0.0), &oracle(&b, 0.0));
        prop_assert!(close(a.distance(&b), theirs, ROUNDING), "{} {theirs}", a.distance(&b));
        prop_assert_eq!(a.distance(&b), b.distance(&a));
        prop_assert!(!a.far_from(&b, (theirs + ROUNDING) as Len), "the quick test never misses a near base");
        prop_assert!(a.within(&b, (theirs - 20.0) as Len));
        prop_assert!(!a.within(&b, (theirs - 30.0) as Len) || theirs < 30.0);
        let (p, q) = a.nearest_points(&b);
        if theirs > 10.0 {
            prop_assert!(close(p.distance(q), theirs, 2.0 * ROUNDING + 2.0));
            prop_assert!(a.distance_to(p) <= 2 && b.distance_to(q) <= 2);
        }
    }

    #[test]
    fn overlaps((a, b) in pair()) {
        let theirs = depth(&oracle(&a, 0.0), &oracle(&b, 0.0));
        let ours = a.penetration(&b).max(0);
        prop_assert!(close(ours, theirs, ROUNDING), "{ours} {theirs}");
        if (theirs - f64::from(TOLERANCE)).abs() > ROUNDING {
            prop_assert_eq!(a.overlaps(&b), theirs > f64::from(TOLERANCE));
            prop_assert_eq!(Hull::base(&a).overlaps(&b), theirs > f64::from(TOLERANCE));
        }
        prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
        prop_assert!(close(Hull::base(&a).penetration(&b).max(0), theirs, ROUNDING));
    }

    #[test]
    fn hulls((a, b) in pair(), (_, c) in pair()) {
        let hull = Hull::sweep(&a, &b);
        let corners: Vec<geo::Point<f64>> =
            a.corners().iter().chain(&b.corners()).map(|p| geo::Point::from(coord(*p))).collect();
        let theirs = MultiPoint::new(corners).convex_hull();
        let ours = outline(hull.points());
        prop_assert_eq!(ours.signed_area(), theirs.unsigned_area(), "the same, anticlockwise");
        let c = c.at(Pose::new(a.pose.x + 30_000, a.pose.y - 10_000, c.pose.heading));
        let apart = Euclidean.distance(&theirs, &oracle(&c, 0.0));
        prop_assert!(close(hull.distance(&c), apart, ROUNDING));
        let deep = depth(&theirs, &oracle(&c, 0.0));
        prop_assert!(close(hull.penetration(&c).max(0), deep, ROUNDING));
        if (deep - f64::from(TOLERANCE)).abs() > ROUNDING {
            prop_assert_eq!(hull.overlaps(&c), deep > f64::from(TOLERANCE));
        }
        if (apart - f64::from(TOLERANCE)).abs() > ROUNDING {
            prop_assert_eq!(hull.touches(&c), apart < f64::from(TOLERANCE));
        }
    }

    #[test]
    fn slides((a, b) in pair()) {
        let after = a.at(Pose { heading: a.pose.heading, ..b.pose });
        let hull = Hull::sweep(&a, &after);
        let corners = [a.corners(), after.corners()].concat();
        let theirs = MultiPoint::new(corners.iter().map(|p| geo::Point::from(coord(*p))).collect()).convex_hull();
        prop_assert_eq!(outline(hull.points()).signed_area(), theirs.unsigned_area());
        prop_assert_eq!(hull.bounds(), Hull::of(&corners).bounds());
    }

    #[test]
    fn zones((a, b) in pair(), deep in 1_000..40_000i32) {
        let zone = Zone::threat(&a, deep);
        let tolerance = f64::from(TOLERANCE);
        let area = |sides: f64, near: f64, far: f64| {
            let (left, right) = (f64::from(a.size.left()) - sides, f64::from(a.size.right()) + sides);
            rectangle(a.pose, left, right, near, f64::from(deep) + far)
        };
        let base = oracle(&b, 0.0);
        let surely = area(-tolerance - ROUNDING, tolerance + ROUNDING, tolerance - ROUNDING);
        let perhaps = area(-tolerance + ROUNDING, -1e6, tolerance + ROUNDING);
        if surely.intersects(&base) {
            prop_assert!(zone.holds(&b));
        }
        if !perhaps.intersects(&base) {
            prop_assert!(!zone.holds(&b));
        }
        let arc = Zone::arc(&a, 16_000, deep);
        if area(16_000.0 + tolerance - ROUNDING, tolerance + ROUNDING, tolerance - ROUNDING).intersects(&base) {
            prop_assert!(arc.holds(&b));
        }
        if !area(16_000.0 + tolerance + ROUNDING, -1e6, tolerance + ROUNDING).intersects(&base) {
            prop_assert!(!arc.holds(&b));
        }
        // Cut short, a zone ends where the obstacle begins.
        let cut = zone.cut_by(&b);
        prop_assert!(cut.depth <= zone.depth);
        if cut.depth < zone.depth && cut.depth > 0 {
            let shrunk = oracle(&b, -ROUNDING - 1.0);
            let strip = rectangle(
                a.pose,
                f64::from(a.size.left()) + tolerance,
                f64::from(a.size.right()) - tolerance,
                0.0,
                f64::from(cut.depth) - ROUNDING,
            );
            prop_assert!(!strip.intersects(&shrunk));
        }
    }

    #[test]
    fn polygons(points in star(), base in base_near_star(), (x, y) in (930_000..1_070_000i32, 930_000..1_070_000i32)) {
        let shape = Shape::from(polygon(&points));
        let theirs = outline(&points);
        let p = Point::new(x, y);
        prop_assert_eq!(shape.contains(p), theirs.intersects(&geo::Point::from(coord(p))));
        let from_edge = Euclidean.distance(&geo::Point::from(coord(p)), theirs.exterior());
        prop_assert!(close(shape.signed_distance(p).abs(), from_edge, 1.0));
        let apart = Euclidean.distance(&theirs, &oracle(&base, 0.0));
        prop_assert!(close(shape.distance(&base), apart, ROUNDING));
        let edge = Euclidean.distance(theirs.exterior(), oracle(&base, 0.0).exterior());
        if !oracle(&base, ROUNDING).contains(&theirs) {
            prop_assert!(close(shape.edge_distance(&base), edge, ROUNDING), "{edge}");
        }
        // Overlap: surely none if they are apart, surely some if the base drawn in by two tolerances still
        // meets the polygon.
        let tolerance = f64::from(TOLERANCE);
        if apart > ROUNDING {
            prop_assert!(!shape.overlaps(&base));
        }
        if oracle(&base, -2.0 * tolerance).intersects(&theirs) {
            prop_assert!(shape.overlaps(&base));
            prop_assert!(shape.overlaps_hull(&Hull::base(&base)));
        }
        if theirs.contains(&oracle(&base, -tolerance + ROUNDING)) {
            prop_assert!(shape.holds(&base));
        }
        if !theirs.contains(&oracle(&base, -tolerance - ROUNDING)) {
            prop_assert!(!shape.holds(&base));
        }
    }

    #[test]
    fn lengths_inside(points in star(), a in pose_in(930_000, 1_070_000), b in pose_in(930_000, 1_070_000)) {
        let shape = Shape::from(polygon(&points));
        let segment = Segment::new(a.point(), b.point());
        let way = MultiLineString::new(vec![LineString::from(vec![coord(segment.a), coord(segment.b)])]);
        let theirs = Euclidean.length(&outline(&points).clip(&way, false));
        prop_assert!(close(shape.inside_length(&segment), theirs, 8.0), "{theirs}");
        let disc = Shape::from(field::Disc { centre: points[0], radius: 30_000 });
        let ours = disc.inside_length(&segment);
        let middle = Euclidean.distance(&geo::Point::from(coord(points[0])), &line(&segment));
        // Near a tangent a hair aside is a long chord.
        if middle < 29_990.0 {
            prop_assert!(ours > 0);
        } else if middle > 30_001.0 {
            prop_assert_eq!(ours, 0);
        }
        // With both ends outside only the distance of the line counts.
        let outside = segment.a.distance(points[0]).min(segment.b.distance(points[0])) > 30_000;
        let deep = 30_000.0 - middle - f64::from(TOLERANCE);
        if outside && deep.abs() > ROUNDING {
            prop_assert_eq!(disc.crosses(&segment), deep > 0.0);
        }
        if shape.crosses(&segment) {
            prop_assert!(theirs > f64::from(TOLERANCE) - 8.0);
        }
    }

    #[test]
    fn shapes_apart(one in star(), two in star(), off in pose_in(-90_000, 90_000)) {
        let two: Vec<Point> = two.iter().map(|p| p.plus(off.point())).collect();
        let theirs = Euclidean.distance(&outline(&one), &outline(&two));
        let (one, two) = (Shape::from(polygon(&one)), Shape::from(polygon(&two)));
        prop_assert!(close(one.distance_shape(&two), theirs, 1.0));
        prop_assert_eq!(one.distance_shape(&two), two.distance_shape(&one));
    }

    #[test]
    fn ways(points in prop::collection::vec(pose_in(930_000, 1_070_000), 2..6), base in base_near_star(), width in 100..30_000i32) {
        let points: Vec<Point> = points.iter().map(|p| p.point()).collect();
        let Ok(way) = field::Way::new(&points, width) else { return Ok(()) };
        let theirs = LineString::from(points.iter().map(|p| coord(*p)).collect::<Vec<_>>());
        let off = Euclidean.distance(&geo::Point::from(coord(base.pose.point())), &theirs);
        prop_assert!(close(way.off_line(base.pose.point()), off, 1.0));
        prop_assert!(close(way.nearest(base.pose.point()).0.distance(base.pose.point()), off, 2.0));
        let shape = Shape::from(way);
        let half = f64::from(width / 2);
        let apart = Euclidean.distance(&oracle(&base, 0.0), &theirs) - half;
        prop_assert!(close(shape.distance(&base), apart.max(0.0), ROUNDING));
        if (apart + f64::from(TOLERANCE)).abs() > ROUNDING {
            prop_assert_eq!(shape.overlaps(&base), apart < -f64::from(TOLERANCE));
        }
        // The part inside a way, measured by walking along it in small steps.
        let line = base.edge(field::Edge::Front);
        let steps = 400;
        let within = (0..steps).filter(|i| {
            let part = (f64::from(*i) + 0.5) / f64::from(steps);
            let at = geo::Point::from(coord(line.a) + (coord(line.b) - coord(line.a)) * part);
            Euclidean.distance(&at, &theirs) <= half
        });
        let length = f64::from(line.length());
        let measured = within.count() as f64 / f64::from(steps) * length;
        prop_assert!(close(shape.inside_length(&line), measured, length / 50.0 + 2.0), "{measured}");
    }

    #[test]
    fn ways_ahead_and_back((base, other) in pair()) {
        if base.overlaps(&other) {
            return Ok(());
        }
        if let Some(free) = base.way_ahead(&other) {
            let there = base.at(base.pose.forward(free));
            prop_assert!(there.penetration(&other) <= TOLERANCE + 2);
            prop_assert!(Hull::sweep(&base, &base.at(base.pose.forward(free + 60))).penetration(&other) > 20);
        } else {
            let there = base.at(base.pose.forward(90_000));
            prop_assert!(Hull::sweep(&base, &there).penetration(&other) <= TOLERANCE + 2);
        }
        // Turned about, ahead is back.
        let about = base.turned_about();
        match (base.way_back(&other), about.way_ahead(&other)) {
            (Some(back), Some(ahead)) => prop_assert!((back - ahead).abs() <= 3),
            (None, None) => {}
            // Only at the edge of the tolerance may the two differ.
            (Some(by), None) | (None, Some(by)) => {
                let there = base.at(base.pose.back(by + 2_000));
                prop_assert!(Hull::sweep(&base, &there).penetration(&other) <= TOLERANCE + 4);
            }
        }
    }

    #[test]
    fn boards(pose in pose_in(-20_000, 260_000), size in size()) {
        let (board, base) = (Board::new(240_000, 240_000), Base::new(pose, size));
        let frame = Pose::new(120_000, 240_000, Heading::UP);
        let with = |by: f64| rectangle(frame, -120_000.0 - by, 120_000.0 + by, -240_000.0 - by, by);
        let tolerance = f64::from(TOLERANCE);
        if with(tolerance - 1.0).contains(&oracle(&base, 0.0)) {
            prop_assert!(board.contains(&base));
        }
        if !with(tolerance + 1.0).contains(&oracle(&base, 0.0)) {
            prop_assert!(!board.contains(&base) && board.crossed(&base).is_some());
        }
    }

    #[test]
    fn paths_hold_the_base(
        base in (pose_in(0, 2_560_000), size()).prop_map(|(p, s)| Base::new(p, s)),
        left in any::<bool>(),
        angle in 0..18_000i32,
        part in 0.0..1.0f64,
    ) {
        let pivot = if left { Side::Left } else { Side::Right };
        let stage = Stage::Wheel { pivot, angle };
        let between = base.at(Stage::Wheel { pivot, angle: (f64::from(angle) * part) as i32 }.apply(&base));
        for corner in between.corners() {
            prop_assert!(stage.path(&base).any(|hull| hull.distance_to(corner) < 100));
        }
        let last = stage.path(&base).last().map(|hull| hull.penetration(&base.at(stage.apply(&base))));
        prop_assert!(last > Some(0));
    }

    #[test]
    fn corners_that_cross((mover, friend) in pair(), heading in heading(), by in 0..60_000i32) {
        let to = Pose { heading, ..mover.pose }.forward(by).point();
        let stage = Stage::Shift(to.minus(mover.pose.point()));
        let after = mover.at(stage.apply(&mover));
        let tolerance = f64::from(TOLERANCE);
        let count = |grown: f64| {
            let body = oracle(&friend, grown);
            let ways = mover.corners().into_iter().zip(after.corners());
            ways.filter(|(a, b)| body.intersects(&Line::new(coord(*a), coord(*b)))).count()
        };
        let ours = stage.path(&mover).corners_across(&friend);
        prop_assert!(count(-tolerance - ROUNDING) <= ours && ours <= count(-tolerance + ROUNDING));
    }

    #[test]
    fn runs_end_where_they_touch((base, wall) in pair(), heading in heading()) {
        if base.overlaps(&wall) {
            let run = run_straight(&base, heading, 60_000, |hull| hull.overlaps(&wall));
            prop_assert_eq!((run.travelled, run.pose), (0, base.pose));
            return Ok(());
        }
        let run = run_straight(&base, heading, 60_000, |hull| hull.overlaps(&wall));
        prop_assert!(!base.at(run.pose).overlaps(&wall));
        if run.clear {
            prop_assert_eq!(run.travelled, 60_000);
        } else {
            let farther = Pose { heading, ..base.pose }.forward(run.travelled + TOLERANCE + 1).point();
            let farther = base.at(Pose::at(farther, base.pose.heading));
            // Whole hundredths do not lie exactly on one line, so the last may be one short of it.
            prop_assert!(Hull::sweep(&base, &farther).penetration(&wall) >= TOLERANCE - 1);
            prop_assert!(!Hull::sweep(&base, &base.at(run.pose)).overlaps(&wall));
        }
    }
}
