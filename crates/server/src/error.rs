//! One error for the whole API, with its status.

use crate::wire::{Failure, Previewed, Wanted};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::Problems;
use serde_json::Value;
use store::StoreError;

/// Why a request was not carried out. Nothing has changed then.
#[derive(Debug)]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// The body.
    pub body: Box<Failure>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, error: &str, words: impl Into<String>) -> Self {
        let body = Failure { error: error.to_owned(), words: words.into(), ..Failure::default() };
        Self { status, body: Box::new(body) }
    }

    /// Wrong, ended and foreign links, and games that do not exist: all the same, so that nothing is revealed.
    pub(crate) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "there is nothing here: the link may be mistyped, ended or handed on; ask whoever sent it for a new one",
        )
    }

    pub(crate) fn bad(words: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad", words)
    }

    pub(crate) fn not_yours(words: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "not_yours", words)
    }

    pub(crate) fn conflict(error: &str, words: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error, words)
    }

    pub(crate) fn problems(problems: &Problems) -> Self {
        let words = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "problems", words);
        error.body.problems = problems.iter().map(game::Problem::json).collect();
        error
    }

    pub(crate) fn limit(words: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "limit", words)
    }

    pub(crate) fn broken(words: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", words)
    }

    pub(crate) fn overtaken(preview: Previewed) -> Self {
        let words = "the table has moved on since; this is what the command would do now";
        let mut error = Self::conflict("overtaken", words);
        error.body.version = Some(preview.version);
        error.body.preview = Some(Box::new(preview));
        error
    }

    pub(crate) fn refused(rule: Option<String>, words: String, figures: Value) -> Self {
        let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", words);
        error.body.rule = rule;
        error.body.figures = figures;
        error
    }

    pub(crate) fn wants(words: String, wants: Vec<Wanted>) -> Self {
        let mut error = Self::new(StatusCode::PRECONDITION_REQUIRED, "dice", words);
        error.body.wants = wants;
        error
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoGame => Self::not_found(),
            other => {
                tracing::error!(error = %other, "the store failed");
                Self::broken("the server cannot write at the moment; nothing was done, try again")
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let limit = self.status == StatusCode::TOO_MANY_REQUESTS;
        let mut response = (self.status, Json(self.body)).into_response();
        if limit {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}
