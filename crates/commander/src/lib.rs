//! commander
