//! People in one room: codes that a phone reads, of the address by which it reaches this machine.

use crate::error::ApiError;
use crate::http::{Body, Caller, Shared};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use qrcode::{EcLevel, QrCode, render};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// Links are not longer than this.
const LONGEST: usize = 500;

/// A code of a text in half blocks of a terminal, light on dark; empty if the text is too long for one.
#[must_use]
pub fn code_text(text: &str) -> String {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok();
    code.map(|c| c.render::<render::unicode::Dense1x2>().quiet_zone(true).build()).unwrap_or_default()
}

/// A code of a text as an SVG document.
fn code_svg(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    Some(code.render::<render::svg::Color<'_>>().min_dimensions(200, 200).quiet_zone(true).build())
}

/// What shall be read by a phone.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Coded {
    /// A link.
    text: String,
}

/// A link as a code for phones. It comes in the body: what opens a seat stands in no path and no log.
#[utoipa::path(post, path = "/api/code", tag = "room", request_body = Coded,
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 422, body = crate::wire::Failure)))]
pub(crate) async fn code(
    State(app): Shared,
    caller: Caller,
    Body(wish): Body<Coded>,
) -> Result<Response, ApiError> {
    if !app.rates.take(&caller.0) {
        return Err(ApiError::limit("too many requests at once; wait a moment"));
    }
    if wish.text.is_empty() || wish.text.len() > LONGEST {
        return Err(ApiError::bad(format!("a code holds a link of 1 to {LONGEST} signs")));
    }
    let svg = code_svg(&wish.text).ok_or_else(|| ApiError::bad("this does not fit into a code"))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The address by which others in the room reach this server, where it was opened to them.
#[utoipa::path(get, path = "/api/lan", tag = "room", responses((status = 200, body = Object)))]
pub(crate) async fn lan(State(app): Shared) -> Json<Value> {
    Json(json!({ "address": app.config.lan }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_drawn_and_differ_and_what_is_too_long_is_none() {
        let link = "http://192.168.1.20:7280/t/abcdefgh#0123456789012345678901234567890123456789012";
        let (a, b) = (code_svg(link).unwrap(), code_svg("http://192.168.1.20:7280/").unwrap());
        assert!(a.contains("<svg") && a != b);
        let text = code_text(link);
        assert!(
            text.lines().count() > 10
                && text.lines().all(|l| l.chars().count() == text.lines().next().unwrap().chars().count())
        );
        assert!(code_svg(&"x".repeat(9000)).is_none());
    }
}
