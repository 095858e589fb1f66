//! No number makes the geometry panic: poses, stages and points far beyond any board are answered somehow.

use field::{
    Base, Board, Formation, Gap, Heading, Hull, March, Point, Pose, Segment, Shape, Side, Size, Stage, Zone,
    beyond, contact, neighbour, overlap_side, run_clear, run_straight, wheel_within,
};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = i32> {
    prop_oneof![any::<i32>(), Just(i32::MIN), Just(i32::MAX), -1_000..1_000i32, 0..2_560_000i32]
}

fn point() -> impl Strategy<Value = Point> {
    (number(), number()).prop_map(|(x, y)| Point { x, y })
}

fn base() -> impl Strategy<Value = Base> {
    (point(), number(), number(), number()).prop_map(|(p, h, w, d)| {
        let pose = Pose { x: p.x, y: p.y, heading: Heading::new(h) };
        Base { pose, size: Size::new(w, d) }
    })
}

fn stage() -> impl Strategy<Value = Stage> {
    prop_oneof![
        point().prop_map(|p| Stage::Slide { right: p.x, forward: p.y }),
        point().prop_map(Stage::Shift),
        number().prop_map(|angle| Stage::Wheel { pivot: Side::Left, angle }),
        number().prop_map(|angle| Stage::Wheel { pivot: Side::Right, angle }),
        number().prop_map(|h| Stage::Turn(Heading::new(h))),
        base().prop_map(|b| Stage::Place(b.pose)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairs_are_answered(a in base(), b in base(), limit in number()) {
        let _ = (a.overlaps(&b), a.penetration(&b), a.distance(&b), a.within(&b, limit), a.touches(&b));
        let _ = (contact(&a, &b), neighbour(&a, &b), overlap_side(&a, &b), beyond(&a, &b, field::Line::Rear));
        let _ = (a.way_ahead(&b), a.way_back(&b), a.edge_facing(&b), a.nearest_points(&b));
        let _ = Gap::between(&a, &b).is_crossed(&Hull::sweep(&a, &b));
        let _ = (Hull::shot(&a, &b).overlaps(&b), Hull::sweep(&a, &b).distance(&b), Hull::sight(&a, &b));
        let zone = Zone::threat(&a, limit).cut_by(&b);
        let _ = (zone.holds(&b), zone.corners(), zone.holds_hull(&Hull::base(&b)));
        let _ = (a.flank_contact(Side::Left, b.size), a.beside(Side::Right, b.size), a.ahead(b.size), a.bounds());
        let board = Board::new(limit, limit);
        let _ = (board.contains(&a), board.within_of_edge(&a, field::BoardEdge::Upper, limit), board.quarters());
    }

    #[test]
    fn stages_are_answered(a in base(), b in base(), stage in stage(), rate in number()) {
        let after = a.at(stage.apply(&a));
        let _ = (stage.cost(&a), field::travel(&a, &after), wheel_within(&a, Side::Left, rate));
        let _ = stage.path(&a).take(50).filter(|hull| hull.overlaps(&b)).count();
        let _ = run_straight(&a, b.pose.heading, rate, |hull| hull.overlaps(&b));
        let _ = run_clear(&a, b.pose.heading, rate, 500, |hull| hull.overlaps(&b));
        let mut group = Formation::new();
        group.gather(&[a, b]);
        let _ = (group.cost(&stage), group.motion(&stage), group.wheel_within(Side::Right, rate));
        group.advance(&stage);
        prop_assert_eq!(group.bases().count(), 2);
    }

    #[test]
    fn columns_are_answered(a in base(), size in (1..20_000i32, 1..20_000i32), stage in stage()) {
        let a = Base::new(Pose::at(Point::new(a.pose.x, a.pose.y), a.pose.heading), Size::new(size.0, size.1));
        let column = [a, a.at(a.behind()), a];
        let poses = March::new().follow(&column, &[stage, Stage::forward(100)]).len();
        prop_assert_eq!(poses, 3);
    }

    #[test]
    fn shapes_are_answered(corners in prop::collection::vec(point(), 0..8), a in base(), r in number()) {
        let segment = Segment::new(a.corners()[0], a.corners()[2]);
        let ask = |shape: Shape| {
            let _ = (shape.overlaps(&a), shape.holds(&a), shape.distance(&a), shape.edge_distance(&a));
            let _ = (shape.crosses(&segment), shape.across(), shape.middle(), shape.touches_front(&a));
            let _ = (shape.distance_shape(&shape), shape.overlaps_box(Point::default(), Point::new(9, 9)));
        };
        let near: Vec<Point> = corners.iter().map(|p| Point::new(p.x, p.y)).collect();
        for points in [&corners, &near] {
            if let Ok(polygon) = field::Polygon::new(points) {
                ask(polygon.into());
            }
            if let Ok(way) = field::Way::new(points, r) {
                ask(way.into());
            }
        }
        if let Ok(disc) = field::Disc::new(a.pose.point(), r) {
            ask(disc.into());
        }
        if let Ok(oval) = field::Polygon::ellipse(a.pose.point(), r, 100, a.pose.heading) {
            ask(oval.into());
        }
    }

    #[test]
    fn texts_are_answered(text in "[-0-9. a]{0,30}") {
        if let Ok(pose) = text.parse::<Pose>() {
            prop_assert_eq!(pose.to_string().parse::<Pose>(), Ok(pose));
        }
    }
}
