//! hott
