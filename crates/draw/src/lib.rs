//! Pictures of positions: SVG written as text, PNG made from it. Pages of paper as PDF ([`paper`]).
//!
//! A [`Scene`] says what there is to see, in the words of the table and free of any one game; [`svg`] draws it in a
//! [`Style`]; [`png()`] turns the drawing into pixels. A game's own converter makes the scene.
//!
//! # What holds for every drawing
//! - It stands alone: letters are paths of an embedded font (DejaVu Sans Condensed, whose licence allows it), signs
//!   are the project's own paths, so it looks the same in a browser, a mail and on paper.
//! - The same scene and style give the same bytes on every machine: no clock, no random numbers, and of arithmetic
//!   only what IEEE 754 fixes (no sine: turning is left to the viewer).
//! - Every name that comes from outside is escaped, every number is finite and of bounded length, whatever the scene
//!   holds.
//! - Sides differ by hue, by lightness and by pattern, so that they can be told apart by colour-blind people and in
//!   grey; a test measures it.
//!
//! Not here: rules. The drawing shows what the scene says and derives nothing.

mod base;
mod board;
mod geometry;
mod glyph;
mod ground;
pub mod hexes;
pub mod hott;
mod lettered;
mod model;
mod overlay;
mod palette;
mod panel;
pub mod paper;
mod picture;
mod png;
mod sheet;
mod svg;
mod text;

pub use glyph::Glyph;
pub use lettered::lettered;
pub use model::{
    Base, BoardSize, Chevron, CommandTab, Edge, Feature, Ground, Mark, Overlay, Panel, Pip, Point, Pose,
    Scene, Shape, Stronghold, Tone, TrayItem, Zone,
};
pub use palette::{Pattern, SIDES, SideColour, Theme};
pub use picture::{Layout, Style, svg};
pub use png::{PngError, png};
pub use sheet::sheet;
