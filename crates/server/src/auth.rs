//! Secret links and the cookies that they are exchanged for. A token stands in the fragment of a link, in the body of
//! one POST and in an HttpOnly cookie; never in a path, a query or a log.

use crate::error::ApiError;
use axum::http::{HeaderMap, header};
use game::{Actor, Seat, Viewer};

/// Roles that are no seats.
pub(crate) const HOST: &str = "host";
pub(crate) const SPECTATOR: &str = "spectator";
pub(crate) const UMPIRE: &str = "umpire";

/// What cookies of a game begin with; its id follows.
const COOKIE: &str = "muster_";
/// How long a browser keeps it, in seconds: a game by post may take half a year.
const KEEP: u64 = 180 * 86_400;
/// One browser holds at most so many roles of one game.
const MOST_TOKENS: usize = 12;

/// A random text of 43 characters (256 bits).
///
/// # Errors
/// If the system has no randomness to give.
pub(crate) fn token() -> Result<String, ApiError> {
    Ok(text_of(&bytes::<32>()?))
}

/// A random id of 16 characters (96 bits): it opens nothing, but is not to be guessed either.
pub(crate) fn id() -> Result<String, ApiError> {
    Ok(text_of(&bytes::<12>()?))
}

/// Bytes of the system's source.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], ApiError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| ApiError::broken("the system gives no random numbers"))?;
    Ok(bytes)
}

/// Six bits a character, all of them safe in paths and fragments.
fn text_of(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |all, b| all << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for i in 0..=three.len() {
            text.push(char::from(SIGNS[(bits >> (18 - 6 * i) & 63) as usize]));
        }
    }
    text
}

/// Whether a text may be a game's id: what it is compared with need not be asked for anything longer.
pub(crate) fn is_id(text: &str) -> bool {
    (1..=40).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// The tokens that a request carries for a game.
pub(crate) fn tokens(headers: &HeaderMap, id: &str) -> Vec<String> {
    let name = format!("{COOKIE}{id}");
    cookies(headers)
        .filter(|(n, _)| *n == name)
        .flat_map(|(_, value)| value.split('.').map(str::to_owned).collect::<Vec<_>>())
        .filter(|t| t.len() == 43)
        .take(MOST_TOKENS)
        .collect()
}

/// The games that a request carries cookies of.
pub(crate) fn games(headers: &HeaderMap) -> Vec<String> {
    let mut ids: Vec<String> = cookies(headers)
        .filter_map(|(name, _)| name.strip_prefix(COOKIE).map(str::to_owned))
        .filter(|id| is_id(id))
        .take(200)
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
}

/// The cookie that holds these tokens of a game. It goes to the API alone.
pub(crate) fn cookie(id: &str, tokens: &[String], secure: bool) -> String {
    let from = tokens.len().saturating_sub(MOST_TOKENS);
    let value = tokens[from..].join(".");
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}{id}={value}; Path=/api; Max-Age={KEEP}; HttpOnly; SameSite=Lax{secure}")
}

/// What a request may do in a game: the roles that its tokens opened, seats first, and the hashes of those tokens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pass {
    pub roles: Vec<String>,
    pub hashes: Vec<String>,
}

/// With whose right and whose eyes a request acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Who {
    /// The role's name.
    pub role: String,
    pub viewer: Viewer,
    /// `None` for those who only watch.
    pub actor: Option<Actor>,
}

impl Pass {
    pub(crate) fn holds(&self, role: &str) -> bool {
        self.roles.iter().any(|r| r == role)
    }

    pub(crate) fn host(&self) -> bool {
        self.holds(HOST)
    }

    /// The role that a request names, or the first that it holds, among the seats of the game.
    ///
    /// # Errors
    /// A role that it does not hold.
    pub(crate) fn who(&self, named: Option<&str>, seats: &[String]) -> Result<Who, ApiError> {
        let role = match named.filter(|n| !n.is_empty()) {
            None => self.roles.first().cloned().unwrap_or_else(|| SPECTATOR.to_owned()),
            Some(name) => match self.roles.iter().find(|r| r.eq_ignore_ascii_case(name)) {
                Some(role) => role.clone(),
                // Whoever holds anything may look as a spectator does.
                None if name == SPECTATOR => SPECTATOR.to_owned(),
                None => {
                    let held = self.roles.join(", ");
                    return Err(ApiError::not_yours(format!("{name} is not yours here; you hold: {held}")));
                }
            },
        };
        let seat = seats.iter().position(|s| *s == role).and_then(|n| u8::try_from(n).ok()).map(Seat);
        Ok(match (seat, role.as_str()) {
            (Some(seat), _) => Who { role, viewer: Viewer::Seat(seat), actor: Some(Actor::Seat(seat)) },
            (None, UMPIRE) => Who { role, viewer: Viewer::Umpire, actor: Some(Actor::Umpire) },
            (None, _) => Who { role, viewer: Viewer::Spectator, actor: None },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_bytes_are_as_long_as_they_must_be_and_differ() {
        assert_eq!((text_of(&[0; 32]).len(), text_of(&[255; 12]).len()), (43, 16));
        assert_eq!(text_of(b"Man"), "TWFu");
        assert_eq!(text_of(b"Ma"), "TWE");
        assert_ne!(token().unwrap(), token().unwrap());
    }

    #[test]
    fn only_whole_tokens_of_this_game_are_read_from_cookies() {
        let token = "x".repeat(43);
        let mut headers = HeaderMap::new();
        let text = format!("muster_one={token}.short.{token}; other=1; muster_two={token}");
        headers.insert(header::COOKIE, text.parse().unwrap());
        assert_eq!(tokens(&headers, "one").len(), 2);
        assert!(tokens(&headers, "three").is_empty());
        assert_eq!(games(&headers), ["one", "two"]);
    }
}
