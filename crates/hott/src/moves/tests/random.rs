//! Crowded positions at random: what always holds.
