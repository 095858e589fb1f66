//! The rules that are tables, and the arithmetic of combat on them.
//!
//! [`Tables`] is read from the compiled-in table file, with options and house numbers laid over it, and
//! checked once; after that every look-up is an array access. Combat needs no geometry: a position is
//! first reduced to two [`Fighter`]s, then [`factors`] and [`result`] decide.

mod data;
mod factor;
mod fight;
mod load;
pub mod numbers;
mod odds;
pub mod options;
mod outcome;
mod result;
mod tables;
mod troop;

pub use factor::{Factor, Factors, cf, factors};
pub use fight::{Exposure, Fighter, Footing, Grade, Mode, Part, Support};
pub use numbers::{NumberNote, Numbers, Unit};
pub use odds::{Odds, odds};
pub use options::{BigOptions, Options};
pub use outcome::{Defeat, Degree, Going, Outcome, Outcomes};
pub use result::{Judged, Win, result};
pub use tables::{Column, Scale, Scope, ShootBounds, Shooting, Tables, TroopData, TypeSet};
pub(crate) use troop::without_accent;
pub use troop::{Class, TroopType};
