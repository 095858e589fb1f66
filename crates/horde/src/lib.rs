//! Horde combat.
