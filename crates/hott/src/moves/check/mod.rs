//! Whether a drafted move is legal: its way, its rate, threat zones, where it ends and what it touches there.

mod end;
mod going;
mod way;
mod zone;

use super::draft::Draft;
use super::{Made, Scene};
use crate::battle::{ElementId, Refusal};
use end::{ends, touches};
use going::rates;
use way::{gaps, way};
use zone::{near_enemies, shift, zones};

pub(in crate::moves) use end::began_beyond;

/// What a legal move leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::moves) struct Findings {
    /// Legal contacts made (HOTT-161 to HOTT-164).
    pub made: Vec<Made>,
    /// Movers that came within reach of an enemy for BB-038.
    pub near: Vec<ElementId>,
}

/// Judges a whole drafted move but for its cost.
pub(in crate::moves) fn check(scene: &Scene<'_>, draft: &Draft) -> Result<Findings, Refusal> {
    let swept = draft.swept();
    way(scene, draft, &swept)?;
    rates(scene, draft, &swept)?;
    gaps(scene, draft, &swept)?;
    ends(scene, draft)?;
    let made = touches(scene, draft)?;
    zones(scene, draft, &swept, &made)?;
    shift(scene, draft)?;
    let near = near_enemies(scene, draft, &swept)?;
    Ok(Findings { made, near })
}

/// Whether a mover could end where it now stands, whatever the way.
pub(in crate::moves) fn may_end(scene: &Scene<'_>, draft: &Draft) -> bool {
    ends(scene, draft).is_ok() && touches(scene, draft).is_ok()
}
