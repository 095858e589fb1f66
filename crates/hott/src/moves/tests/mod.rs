//! Tests of movement, by rule.

mod bench;
mod columns;
mod contact;
mod facing;
mod going;
mod groups;
mod passing;
mod pips;
mod random;
mod zones;
