//! Plane geometry of bases on an open table: integers only, one tolerance, no allocation in a test.
//!
//! # Units
//! Lengths are whole hundredths of a pace ([`Len`]), headings whole hundredths of a degree
//! ([`Heading`]). The origin is the lower left corner of the board, x runs right, y up; heading 0 looks
//! up the board and headings grow clockwise. A base stands where the middle of its front edge stands
//! ([`Pose`]).
//!
//! # The frame of a base
//! Local coordinates have their origin at the middle of the front edge, x to the base's right and y
//! forward: the base covers `-width/2..width/2` and `-depth..0`. Whatever is compared with a base is
//! first brought into its frame and rounded there once, so that every product fits 64 bits on a board
//! of 25,600 paces ([`LIMIT`] keeps it so for any input).
//!
//! # The one tolerance
//! [`TOLERANCE`], a quarter pace, holds in every test: nearer is touching, deeper is overlap, a limit is
//! reached within it, an edge that does not belong is passed only beyond it.
//!
//! # An example
//! ```
//! use field::{Base, Contact, Heading, Pose, Side, Size, Stage, contact};
//!
//! let size = Size::new(16_000, 6_000); // 160p wide, 60p deep
//! let enemy = Base::new("1200 900 180".parse()?, size);
//! let mover = Base::new(Pose::new(120_000, 60_000, Heading::UP), size);
//!
//! // 300p straight ahead: front edge on front edge, and nothing passed over on the way.
//! let charge = Stage::forward(30_000);
//! assert_eq!(charge.cost(&mover), 30_000);
//! assert!(charge.path(&mover).all(|hull| !hull.overlaps(&enemy)));
//! assert_eq!(contact(&mover.at(charge.apply(&mover)), &enemy), Contact::Front);
//!
//! // The pose in contact with its left flank, made from its frame.
//! let flank = mover.at(enemy.flank_contact(Side::Left, size));
//! assert_eq!(contact(&flank, &enemy), Contact::Flank(Side::Left));
//! # Ok::<(), field::ParsePoseError>(())
//! ```
#![cfg_attr(not(test), deny(clippy::float_arithmetic))]

mod base;
mod board;
mod column;
mod contact;
mod convex;
mod formation;
mod hull;
mod point;
mod pose;
mod rotation;
mod run;
mod shape;
mod sight;
mod stage;
mod zone;

pub use base::{Base, Corner, Edge, Side, Size};
pub use board::{Board, BoardEdge};
pub use column::March;
pub use contact::{
    Beyond, Contact, Line, Neighbour, beyond, beyond_rear, contact, corners_touch, directly_behind,
    front_edge_touches, legal_contact, neighbour, opposite_facing, overlap_side, same_facing, shared_edge,
};
pub use formation::{Formation, Member};
pub use hull::Hull;
pub use point::{Point, Segment};
pub use pose::{Frame, PARSE_HINT, Paces, ParsePoseError, Pose};
pub use rotation::{FULL_TURN, HALF_TURN, Heading, QUARTER_TURN, SCALE};
pub use run::{Run, run_clear, run_straight};
pub use shape::{Disc, Polygon, Shape, ShapeError, Way};
pub use sight::Gap;
pub use stage::{Motion, Path, Stage, travel, wheel_within};
pub use zone::Zone;

/// A length or coordinate in whole hundredths of a pace.
pub type Len = i32;

/// One pace as a [`Len`].
pub const PACE: Len = 100;

/// A quarter pace: the one tolerance of every test.
pub const TOLERANCE: Len = 25;

/// Coordinates are kept within plus and minus this (83,886 paces, far beyond the largest board), so that
/// no product of the crate can overflow whatever is asked of it.
pub const LIMIT: Len = 1 << 23;

/// Whether a measured length keeps to a limit: within the tolerance it does.
#[must_use]
pub const fn reaches(measured: Len, limit: Len) -> bool {
    measured as i64 <= limit as i64 + TOLERANCE as i64
}

/// The whole paces (rounded up) that a length needs, tolerance given: 200.2p needs 200p, 200.3p needs 201p.
#[must_use]
pub const fn paces_needed(measured: Len) -> i32 {
    let over = measured as i64 - TOLERANCE as i64;
    if over <= 0 { 0 } else { ((over + PACE as i64 - 1) / PACE as i64) as i32 }
}
