//! The ground: terrain features of a board and what they mean for movement, sight and combat (section 4).

/// The features of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {}
