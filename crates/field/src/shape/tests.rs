use super::*;
use crate::{Heading, Pose, Size};

fn p(x: Len, y: Len) -> Point {
    Point::new(x, y)
}

fn shape(corners: &[(Len, Len)]) -> Shape {
    let corners: Vec<Point> = corners.iter().map(|(x, y)| p(*x, *y)).collect();
    match Polygon::new(&corners) {
        Ok(polygon) => polygon.into(),
        Err(e) => panic!("{e}"),
    }
}

/// An L: a square of 400 paces without its upper right quarter.
fn ell() -> Shape {
    shape(&[(0, 0), (40_000, 0), (40_000, 20_000), (20_000, 20_000), (20_000, 40_000), (0, 40_000)])
}

fn at(x: Len, y: Len) -> Base {
    Base::new(Pose::new(x, y, Heading::UP), Size::new(16_000, 6_000))
}

#[test]
fn what_is_no_polygon() {
    let new = |corners: &[(Len, Len)]| {
        Polygon::new(&corners.iter().map(|(x, y)| Point { x: *x, y: *y }).collect::<Vec<_>>())
    };
    assert_eq!(new(&[(0, 0), (5, 5), (0, 0)]), Err(ShapeError::TooFew { given: 2, needed: 3 }));
    assert_eq!(new(&[(0, 0), (5, 5), (9, 9)]), Err(ShapeError::Flat));
    assert_eq!(new(&[(0, 0), (10, 10), (10, 0), (0, 10)]), Err(ShapeError::Crossing(0, 2)));
    assert_eq!(new(&[(0, 0), (10, 0), (5, 0), (5, 9)]), Err(ShapeError::Crossing(0, 1)));
    assert_eq!(new(&[(0, 0), (10, 0), (i32::MAX, 9)]), Err(ShapeError::TooFar(2)));
    assert_eq!(Disc::new(p(0, 0), 0), Err(ShapeError::Width(0)));
    assert_eq!(Way::new(&[p(3, 3), p(3, 3)], 100), Err(ShapeError::TooFew { given: 1, needed: 2 }));
}

#[test]
fn clockwise_and_straight_corners() {
    let a = shape(&[(0, 0), (0, 100), (50, 100), (100, 100), (100, 0)]);
    let b = shape(&[(100, 0), (100, 100), (0, 100), (0, 0)]);
    assert_eq!(a.bounds(), b.bounds());
    let Shape::Polygon(a) = a else { panic!("no polygon") };
    assert_eq!(a.points().len(), 4);
    assert!(a.is_convex());
}

#[test]
fn a_base_in_the_notch_of_an_ell() {
    let ell = ell();
    assert!(!ell.overlaps(&at(28_000, 26_000)), "it stands in the notch, touching both sides");
    assert!(ell.touches(&at(28_000, 26_000)));
    assert!(!ell.overlaps(&at(27_983, 25_983)), "to the tolerance: its corner is 24 deep");
    assert!(ell.overlaps(&at(27_960, 26_000)));
    assert!(ell.overlaps(&at(28_000, 25_960)));
    assert_eq!(ell.distance(&at(38_000, 36_000)), 10_000);
    assert_eq!(ell.edge_distance(&at(38_000, 36_000)), 10_000);
    assert!(ell.holds(&at(8_000, 6_000)));
    assert!(ell.holds(&at(7_980, 5_980)));
    assert!(!ell.holds(&at(7_970, 6_000)));
    assert!(!ell.holds(&at(14_000, 24_000)), "across the inner corner");
    assert_eq!(ell.edge_distance(&at(10_000, 12_000)), 2_000);
    assert_eq!(ell.edge_distance(&at(20_000, 22_000)), 0);
    assert_eq!(ell.signed_distance(p(25_000, 21_000)), 1_000);
    assert_eq!(ell.signed_distance(p(5_000, 30_000)), -5_000);
}

#[test]
fn lines_through_an_ell() {
    let ell = ell();
    let line = |ax, ay, bx, by| Segment::new(p(ax, ay), p(bx, by));
    assert_eq!(ell.inside_length(&line(-5_000, 10_000, 60_000, 10_000)), 40_000);
    assert_eq!(ell.inside_length(&line(-5_000, 30_000, 60_000, 30_000)), 20_000);
    assert_eq!(ell.inside_length(&line(10_000, 10_000, 15_000, 10_000)), 5_000);
    assert_eq!(ell.inside_length(&line(10_000, 38_000, 38_000, 10_000)), 2 * 14_142, "through the notch");
    assert!(!ell.crosses(&line(21_000, 40_000, 40_000, 21_000)));
    assert_eq!(ell.inside_length(&line(30_000, 40_000, 30_000, -40_000)), 20_000);
    // Along a side it touches to the tolerance; along a cut between two triangles it crosses.
    assert!(!ell.crosses(&line(-5_000, 20, 50_000, 20)) && ell.crosses(&line(-5_000, 30, 50_000, 30)));
    for (a, b) in [(0, 20_000), (20_000, 0), (0, 0), (40_000, 0), (0, 40_000)]
        .map(|(x, y)| (p(x, y), p(20_000, 20_000)))
    {
        assert!(ell.crosses(&Segment::new(a, b)), "{a:?}");
    }
    assert_eq!(ell.across(), 40_000);
}

#[test]
fn discs() {
    let disc: Shape = Disc { centre: p(100_000, 100_000), radius: 20_000 }.into();
    assert!(!disc.overlaps(&at(100_000, 80_020)));
    assert!(disc.overlaps(&at(100_000, 80_030)));
    assert!(disc.overlaps(&at(100_000, 103_000)), "the base holds the centre");
    assert!(disc.holds(&at(100_000, 103_000)));
    assert_eq!(disc.distance(&at(100_000, 70_000)), 10_000);
    assert_eq!(disc.edge_distance(&at(100_000, 103_000)), 20_000 - 8_544);
    assert_eq!(disc.inside_length(&Segment::new(p(0, 100_000), p(200_000, 100_000))), 40_000);
    assert_eq!(disc.inside_length(&Segment::new(p(0, 112_000), p(200_000, 112_000))), 32_000);
    assert_eq!(disc.inside_length(&Segment::new(p(0, 121_000), p(200_000, 121_000))), 0);
    assert_eq!(disc.across(), 40_000);
}

#[test]
fn ways() {
    let river = match Way::new(&[p(0, 50_000), p(100_000, 50_000), p(100_000, 200_000)], 10_000) {
        Ok(way) => way,
        Err(e) => panic!("{e}"),
    };
    assert_eq!(river.length(), 250_000);
    assert_eq!(river.off_line(p(30_000, 53_000)), 3_000);
    assert_eq!(river.nearest(p(99_000, 120_000)), (p(100_000, 120_000), Heading::UP));
    assert_eq!(river.nearest(p(20_000, 20_000)).1, Heading::RIGHT);
    let river: Shape = river.into();
    assert!(!river.overlaps(&at(50_000, 45_020)));
    assert!(river.overlaps(&at(50_000, 45_030)));
    assert_eq!(river.distance(&at(50_000, 40_000)), 5_000);
    let along = Segment::new(p(-20_000, 51_000), p(150_000, 51_000));
    assert!((river.inside_length(&along) - (20_000 + 105_000 - 20_000 + 4_899)).abs() <= 3);
    let across = Segment::new(p(50_000, 0), p(50_000, 90_000));
    assert!((river.inside_length(&across) - 10_000).abs() <= 2);
    assert_eq!(river.across(), 10_000);
    let wide: Shape = match Way::new(&[p(0, 50_000), p(100_000, 50_000), p(100_000, 200_000)], 18_000) {
        Ok(way) => way.into(),
        Err(e) => panic!("{e}"),
    };
    assert!(wide.holds(&at(50_000, 53_000)) && wide.holds(&at(100_000, 120_000)));
    assert!(!wide.holds(&at(103_000, 120_000)));
}

#[test]
fn shapes_apart() {
    let disc: Shape = Disc { centre: p(70_000, 10_000), radius: 20_000 }.into();
    assert_eq!(ell().distance_shape(&disc), 10_000);
    assert_eq!(disc.distance_shape(&ell()), 10_000);
    let inside: Shape = Disc { centre: p(10_000, 10_000), radius: 100 }.into();
    assert_eq!(ell().distance_shape(&inside), 0);
    let small = shape(&[(4_000, 4_000), (6_000, 4_000), (5_000, 6_000)]);
    assert_eq!(ell().distance_shape(&small), 0);
    let notch = shape(&[(25_000, 26_000), (29_000, 26_000), (27_000, 39_000)]);
    assert_eq!(ell().distance_shape(&notch), 5_000);
    assert!(disc.overlaps_box(p(0, 0), p(51_000, 50_000)));
    assert!(!disc.overlaps_box(p(0, 0), p(50_000, 50_000)));
}

#[test]
fn ellipses() {
    let oval = match Polygon::ellipse(p(50_000, 50_000), 20_000, 10_000, Heading::RIGHT) {
        Ok(polygon) => Shape::from(polygon),
        Err(e) => panic!("{e}"),
    };
    assert_eq!(oval.bounds(), (p(40_000, 30_000), p(60_000, 70_000)));
    assert!((oval.across() - 20_000).abs() < 100);
    assert!(oval.contains(p(50_000, 69_000)) && !oval.contains(p(59_000, 65_000)));
}
