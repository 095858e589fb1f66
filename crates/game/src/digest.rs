//! Short digests of states and of records.

use std::fmt;
use std::str::FromStr;

/// 128 bits of BLAKE3: enough that nobody makes two records with one digest, short enough to read out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The digest of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::cut(blake3::hash(text.as_bytes()))
    }

    /// The digest of everything up to here (`self`) and one more text.
    #[must_use]
    pub fn then(self, text: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0).update(text.as_bytes());
        Self::cut(hasher.finalize())
    }

    fn cut(hash: blake3::Hash) -> Self {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Digest {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text.len() != 32 || !text.is_ascii() {
            return Err(());
        }
        let mut bytes = [0; 16];
        for (n, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * n..2 * n + 2], 16).map_err(|_| ())?;
        }
        Ok(Self(bytes))
    }
}
