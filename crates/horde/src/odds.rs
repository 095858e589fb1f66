//! Exact odds.
use crate::state::State;
use game::Problem;

/// Answers an odds question.
///
/// # Errors
/// What could not be read.
pub fn answer(_s: &State, question: &str) -> Result<Vec<String>, Problem> {
    Err(Problem::new(format!("`{question}`")))
}
