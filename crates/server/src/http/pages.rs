//! The page, the description of the API, and what an operator asks.

use super::{Local, Shared, desks, games, play, seats};
use crate::error::ApiError;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::{Value, json};
use std::fmt::Write as _;
use utoipa::OpenApi;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The page in a binary that was built without the real one.
const WITHOUT: &str = include_str!("without.html");

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Muster",
        description = "Tables of the Hordes family of games: commands by POST, what happens by server-sent events."
    ),
    paths(
        games::new,
        games::new_draft,
        games::draft,
        games::part,
        games::import,
        games::enter,
        games::mine,
        games::kinds,
        games::state,
        games::record,
        games::case,
        games::picture,
        games::rematch,
        games::library,
        games::library_post,
        super::events::events,
        play::command,
        play::preview,
        play::candidates,
        play::ask,
        play::note,
        play::put_right,
        play::ended,
        play::undo,
        play::propose,
        play::agree,
        play::press,
        seats::say,
        seats::replies,
        seats::set_replies,
        seats::words,
        seats::pass_on,
        seats::own_link,
        seats::resign,
        seats::host,
        desks::new,
        desks::state,
        desks::events,
        desks::act,
        desks::ask,
        desks::link,
        desks::battle,
        desks::file,
        crate::lan::code,
        crate::lan::lan,
    ),
    components(schemas(crate::wire::Item, crate::wire::Talk, crate::wire::Presence))
)]
struct Api;

/// The description of the API, from the types themselves.
pub(crate) fn openapi() -> Value {
    serde_json::to_value(Api::openapi()).unwrap_or(Value::Null)
}

pub(crate) async fn openapi_json() -> Json<Value> {
    Json(openapi())
}

/// The description as a page to read.
pub(crate) async fn docs() -> Html<String> {
    Html(read(&openapi()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn kind_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = escaped(reference.rsplit('/').next().unwrap_or(""));
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    if let Some(several) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return several.iter().map(kind_of).collect::<Vec<_>>().join(" or ");
    }
    if let Some(items) = schema.get("items") {
        return format!("list of {}", kind_of(items));
    }
    match &schema["type"] {
        Value::String(one) => escaped(one),
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    }
}

fn read(api: &Value) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Muster: the API</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;\
         padding:0 1rem;color-scheme:light dark}code{font-size:.95em}dt{font-weight:600}table{border-collapse:collapse;\
         width:100%}td{vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #8884}</style>\
         <h1>Muster: the API</h1><p>Made from the program itself; <a href=\"/api/openapi.json\">for programs</a>.</p>",
    );
    for (path, methods) in api["paths"].as_object().into_iter().flatten() {
        for (method, one) in methods.as_object().into_iter().flatten() {
            _ = write!(page, "<h3><code>{} {}</code></h3>", method.to_uppercase(), escaped(path));
            let told = [&one["summary"], &one["description"]];
            let told: Vec<&str> = told.iter().filter_map(|v| v.as_str()).collect();
            _ = write!(page, "<p>{}</p><table>", escaped(&told.join(" ")));
            for parameter in one["parameters"].as_array().into_iter().flatten() {
                _ = write!(
                    page,
                    "<tr><td><code>{}</code> ({})<td>{}<td>{}",
                    escaped(parameter["name"].as_str().unwrap_or("")),
                    escaped(parameter["in"].as_str().unwrap_or("")),
                    kind_of(&parameter["schema"]),
                    escaped(parameter["description"].as_str().unwrap_or(""))
                );
            }
            let body = &one["requestBody"]["content"]["application/json"]["schema"];
            if !body.is_null() {
                _ = write!(page, "<tr><td>body<td>{}<td>", kind_of(body));
            }
            for (status, answer) in one["responses"].as_object().into_iter().flatten() {
                let schema = answer["content"].as_object().and_then(|c| c.values().next());
                let kind = schema.map_or_else(String::new, |s| kind_of(&s["schema"]));
                let words = escaped(answer["description"].as_str().unwrap_or(""));
                _ = write!(page, "<tr><td>{status}<td>{kind}<td>{words}");
            }
            page.push_str("</table>");
        }
    }
    page.push_str("<h2>Types</h2>");
    for (name, schema) in api["components"]["schemas"].as_object().into_iter().flatten() {
        let words = escaped(schema["description"].as_str().unwrap_or(""));
        _ = write!(page, "<h3 id=\"{0}\">{0}</h3><p>{words}</p><table>", escaped(name));
        for (field, one) in schema["properties"].as_object().into_iter().flatten() {
            let words = escaped(one["description"].as_str().unwrap_or(""));
            _ = write!(page, "<tr><td><code>{}</code><td>{}<td>{words}", escaped(field), kind_of(one));
        }
        page.push_str("</table>");
        if let Some(words) = schema["enum"].as_array() {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            _ = write!(page, "<p>One of {}.</p>", escaped(&words.join(", ")));
        }
    }
    page
}

pub(crate) async fn health(State(app): Shared) -> Result<Json<Value>, ApiError> {
    if app.closing() {
        return Err(ApiError::broken("closing"));
    }
    app.store.count().await?;
    Ok(Json(json!({ "ok": true, "page": !FILES.is_empty() })))
}

/// Counters, for whoever runs the server: they count hidden commands too, and so are not for players.
pub(crate) async fn metrics(State(app): Shared, local: Local) -> Response {
    if !local.0 && !app.config.open_metrics {
        return ApiError::not_found().into_response();
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.print(app.in_use())).into_response()
}

/// A file of the page; every other path is the page itself, which finds its way from the path.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return ApiError::not_found().into_response();
    }
    if let Some((_, bytes)) = FILES.iter().find(|(name, _)| *name == path) {
        // What the bundler names by its content never changes.
        let keep =
            if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = [(header::CONTENT_TYPE, kind_of_file(path)), (header::CACHE_CONTROL, keep)];
        return (headers, *bytes).into_response();
    }
    if path.starts_with("assets/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let headers = [(header::CACHE_CONTROL, "no-cache")];
    match FILES.iter().find(|(name, _)| *name == "index.html") {
        Some((_, bytes)) => {
            let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
            (headers, kind, *bytes).into_response()
        }
        None => (headers, Html(WITHOUT)).into_response(),
    }
}

fn kind_of_file(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" | "map" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_names_every_route_and_type_and_reads_as_a_page() {
        let api = openapi();
        let paths = api["paths"].as_object().unwrap();
        for path in ["note", "events", "command", "press", "host", "rematch", "replies"] {
            assert!(paths.contains_key(&format!("/api/games/{{id}}/{path}")), "{path}");
        }
        assert!(paths.contains_key("/api/drafts/{id}/part"));
        assert!(api["components"]["schemas"]["TableState"]["properties"]["owes"].is_object());
        let page = read(&api);
        assert!(page.contains("/api/games/{id}/command") && page.contains("id=\"Previewed\""));
    }
}
