//! Rectangles ahead of a front edge: threat zones and shooting arcs.

use crate::{Base, Hull, Len, Point, Pose, TOLERANCE, convex};

/// A rectangle straight ahead of a front edge. The far edge belongs to it, the line of the front edge does
/// not; the sides belong or not, as the rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    /// Whose zone it is.
    pub pose: Pose,
    /// Local x of the left side.
    pub left: Len,
    /// Local x of the right side.
    pub right: Len,
    /// How far ahead it reaches.
    pub depth: Len,
    /// Whether a base that only touches a side is in the zone.
    pub sides_belong: bool,
}

impl Zone {
    /// HOTT-153: the threat zone of a base, as wide as its front and `depth` deep; not cut short yet.
    /// HOTT-154: side edges and front corners do not belong.
    #[must_use]
    pub const fn threat(owner: &Base, depth: Len) -> Zone {
        Zone {
            pose: owner.pose,
            left: owner.size.left(),
            right: owner.size.right(),
            depth,
            sides_belong: false,
        }
    }

    /// HOTT-226: the shooting arc of a base, its front widened by `widened` on each side, out to `range`.
    #[must_use]
    pub const fn arc(owner: &Base, widened: Len, range: Len) -> Zone {
        Zone {
            pose: owner.pose,
            left: owner.size.left() - widened,
            right: owner.size.right() + widened,
            depth: range,
            sides_belong: true,
        }
    }

    /// The part of a polygon of the board that lies between the sides: how near and how far ahead.
    fn extent(&self, points: &[Point]) -> Option<(Len, Len)> {
        let mut local = [Point::default(); 8];
        let count = points.len().min(8);
        let frame = self.pose.frame();
        for (to, from) in local.iter_mut().zip(points) {
            *to = frame.to_local(*from);
        }
        // Past the tolerance inside a side that does not belong, up to it outside one that does.
        let inset = if self.sides_belong { -TOLERANCE } else { TOLERANCE + 1 };
        let (low, high) = (self.left + inset, self.right - inset);
        let extent = convex::extent_between(&local[..count], low, high)?;
        (extent.1 > TOLERANCE).then_some(extent)
    }

    fn far_from(&self, base: &Base) -> bool {
        let reach = i64::from(self.left.abs().max(self.right)) + i64::from(self.depth.max(0));
        let reach = reach + i64::from(base.size.reach()) + i64::from(TOLERANCE);
        (i64::from(self.pose.x) - i64::from(base.pose.x)).abs() > reach
            || (i64::from(self.pose.y) - i64::from(base.pose.y)).abs() > reach
    }

    /// Whether some part of a base is in the zone (HOTT-154, HOTT-226).
    #[must_use]
    pub fn holds(&self, base: &Base) -> bool {
        !self.far_from(base) && self.holds_points(&base.corners())
    }

    /// Whether some part of what a stage passes over is in the zone.
    #[must_use]
    pub fn holds_hull(&self, hull: &Hull) -> bool {
        self.holds_points(hull.points())
    }

    fn holds_points(&self, points: &[Point]) -> bool {
        self.extent(points).is_some_and(|(near, _)| crate::reaches(near, self.depth))
    }

    /// How far ahead a base begins between the zone's sides (0 if it reaches back to the front line); `None`
    /// if it does not stand there.
    #[must_use]
    pub fn meets_at(&self, base: &Base) -> Option<Len> {
        self.extent(&base.corners()).map(|(near, _)| near.max(0))
    }

    /// HOTT-153: the zone cut short across its whole width by an element or Stronghold that it meets. What
    /// cuts it is still in it: the far edge belongs.
    #[must_use]
    pub fn cut_by(mut self, obstacle: &Base) -> Zone {
        if !self.far_from(obstacle)
            && let Some(near) = self.meets_at(obstacle)
        {
            self.depth = self.depth.min(near);
        }
        self
    }

    /// The corners on the board, anticlockwise from the near left one, to draw it.
    #[must_use]
    pub fn corners(&self) -> [Point; 4] {
        let frame = self.pose.frame();
        let (near, far) = (0, self.depth);
        [(self.left, near), (self.right, near), (self.right, far), (self.left, far)]
            .map(|(x, y)| frame.to_world(Point { x, y }))
    }
}

impl Base {
    /// How far this base can go straight ahead until its front edge touches `other` (0 if it does already);
    /// `None` if `other` is not in its way. What it only brushes with a side, to the tolerance, is not.
    #[must_use]
    pub fn way_ahead(&self, other: &Base) -> Option<Len> {
        Zone::threat(self, 0).meets_at(other)
    }

    /// How far this base can go straight back until its rear edge touches `other`: the order in which a recoil
    /// meets things (HOTT-358). `None` if `other` is not in its way.
    #[must_use]
    pub fn way_back(&self, other: &Base) -> Option<Len> {
        self.turned_about().way_ahead(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, Side, Size};

    const SIZE: Size = Size::new(16_000, 6_000);

    #[test]
    fn edges_that_belong_and_edges_that_do_not() {
        for h in 0..36_000 {
            let owner = Base::new(Pose::new(55_555, 66_666, Heading::new(h)), SIZE);
            let zone = Zone::threat(&owner, 16_000);
            let facing = |right: Len, forward: Len| owner.at(owner.pose.moved(right, forward).opposed());
            assert!(zone.holds(&facing(0, 16_000)), "{h}: the far edge belongs");
            assert!(zone.holds(&facing(0, 16_020)), "{h}: reached within the tolerance");
            assert!(!zone.holds(&facing(0, 16_030)), "{h}");
            assert!(!zone.holds(&facing(16_000, 10_000)), "{h}: a side does not");
            assert!(!zone.holds(&facing(15_980, 10_000)), "{h}: passed only beyond the tolerance");
            assert!(zone.holds(&facing(15_970, 10_000)), "{h}");
            assert!(!zone.holds(&owner.at(owner.beside(Side::Left, SIZE))), "{h}: nor a front corner");
            assert!(zone.holds(&owner.at(owner.front_contact())), "{h}");
            let arc = Zone::arc(&owner, 16_000, 50_000);
            assert!(arc.holds(&facing(32_020, 30_000)), "{h}");
            assert!(!arc.holds(&facing(32_030, 30_000)), "{h}");
            assert!(arc.holds(&facing(0, 50_020)) && !arc.holds(&facing(0, 50_030)), "{h}");
            assert!(!arc.holds(&owner.at(owner.beside(Side::Left, SIZE))), "{h}: not ahead");
        }
    }

    #[test]
    fn cut_short_by_the_first_it_meets() {
        let owner = Base::new(Pose::new(0, 0, Heading::UP), SIZE);
        let friend = Base::new(Pose::new(-10_000, 12_000, Heading::UP), SIZE);
        let zone = Zone::threat(&owner, 16_000).cut_by(&friend);
        assert_eq!(zone.depth, 6_000);
        assert!(zone.holds(&friend), "what cuts it is met");
        let behind = Base::new(Pose::new(9_000, 6_100, Heading::DOWN), SIZE);
        assert!(!zone.holds(&behind));
        assert!(Zone::threat(&owner, 16_000).holds(&behind));
        assert_eq!(
            Zone::threat(&owner, 16_000).cut_by(&owner.at(owner.beside(Side::Left, SIZE))).depth,
            16_000
        );
        assert_eq!(Zone::threat(&owner, 16_000).cut_by(&owner.at(owner.front_contact())).depth, 0);
    }

    #[test]
    fn an_oblique_obstacle_cuts_at_its_nearest_point() {
        let owner = Base::new(Pose::new(0, 0, Heading::UP), SIZE);
        // A square on its tip.
        let tip = Base::new(Pose::new(0, 5_000, Heading::degrees(45)), Size::new(4_000, 4_000));
        let low = tip.corners().iter().map(|p| p.y).min();
        assert_eq!(Some(Zone::threat(&owner, 16_000).cut_by(&tip).depth), low);
        let aside = tip.at(tip.pose.shifted(Point::new(9_800, 0)));
        let cut = Zone::threat(&owner, 16_000).cut_by(&aside).depth;
        assert!(cut > low.unwrap_or(0), "the tip is outside, the side comes in later: {cut}");
    }
}
