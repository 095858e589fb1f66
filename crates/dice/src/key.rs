//! The key of a game's dice: 32 secret bytes, committed to at the start and revealed at the end.

use std::fmt;
use std::str::FromStr;

/// The secret from which a game's dice come. It is never shown while the game runs.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// A key from bytes of a good source.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Key(bytes)
    }

    /// The key that `--seed N` stands for.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Key(blake3::derive_key("muster 2026 dice key from a seed", &seed.to_le_bytes()))
    }

    /// The key of the `number`-th game of a series (a study's battle, a campaign's), named by `label`.
    #[must_use]
    pub fn derive(&self, label: &str, number: u64) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"derive\0").update(label.as_bytes()).update(&[0]).update(&number.to_le_bytes());
        Key(*hasher.finalize().as_bytes())
    }

    /// The key that the dice are really thrown with: this one and the words that the seats added to it
    /// after the commitment, in seat order, so that nobody, the host included, can have chosen the dice.
    #[must_use]
    pub fn with_words(&self, game: &str, words: &[String]) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"game\0").update(game.as_bytes());
        for word in words {
            hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
        }
        Key(*hasher.finalize().as_bytes())
    }

    /// What is published at the start: it binds the host to the key without betraying it.
    #[must_use]
    pub fn commitment(&self) -> String {
        blake3::derive_key("muster 2026 commitment to a dice key", &self.0)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// A key must not slip into a log by way of a debug print.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(secret)")
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a dice key is 64 hexadecimal digits".to_owned();
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Key(bytes))
    }
}
