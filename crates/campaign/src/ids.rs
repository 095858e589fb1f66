//! Names that are values: places, nations, bodies and elements go by the words that people read and write.

use hott::table::TroopType;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// The longest name of a place or nation, in bytes of UTF-8.
pub const LONGEST: usize = 23;

/// A short name held in place, so that it can be copied like a number and printed like a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    len: u8,
    bytes: [u8; LONGEST],
}

impl Name {
    /// A name from text, without blanks at its ends; `None` if it is empty or too long.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let mut bytes = [0; LONGEST];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Some(Self { len: u8::try_from(text.len()).ok()?, bytes })
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    /// By the alphabet: the bytes past the end are zero.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(Name);

        impl $name {
            /// From text; `None` if it is empty or longer than [`LONGEST`].
            #[must_use]
            pub fn new(text: &str) -> Option<Self> {
                Name::new(text).map($name)
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        text_serde!($name);

        impl FromStr for $name {
            type Err = String;
            fn from_str(s: &str) -> Result<Self, String> {
                Self::new(s).ok_or_else(|| format!("a name has 1 to {LONGEST} letters: {s:?}"))
            }
        }
    };
}

/// Written and read as text.
macro_rules! text_serde {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct Text;
                impl de::Visitor<'_> for Text {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("the text of a ", stringify!($name)))
                    }
                    fn visit_str<E: de::Error>(self, v: &str) -> Result<$name, E> {
                        v.parse().map_err(E::custom)
                    }
                }
                d.deserialize_str(Text)
            }
        }
    };
}

name_type!(
    /// A node of the map: a city or an empty province.
    PlaceId
);
name_type!(
    /// A nation: a player.
    NationId
);

/// A body of troops: an army, a garrison or a remnant. `Amber.3`; its own people call it `A3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyId {
    /// Whose.
    pub nation: NationId,
    /// Its number for life within the nation, from 1.
    pub n: u16,
}

impl BodyId {
    /// What its own nation calls it: `A3`.
    #[must_use]
    pub fn short(self) -> String {
        format!("A{}", self.n)
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.nation, self.n)
    }
}

impl fmt::Debug for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BodyId {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let wrong = || format!("a body is written Nation.number, such as Amber.3: {s:?}");
        let (nation, n) = s.rsplit_once('.').ok_or_else(wrong)?;
        Ok(Self { nation: nation.parse()?, n: n.parse().map_err(|_| wrong())? })
    }
}
text_serde!(BodyId);

/// A type of troops, written by its code: `Kni`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Troop(pub TroopType);

impl fmt::Display for Troop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.code())
    }
}

impl fmt::Debug for Troop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Troop {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        TroopType::parse(s).map(Troop).ok_or_else(|| format!("no type of troops is called {s:?}"))
    }
}
text_serde!(Troop);

/// The label of an element within its nation: `Kni2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// Its type when it was raised; a promoted element gets a new label.
    pub troop: TroopType,
    /// Its number for life among the nation's elements of that type, from 1.
    pub n: u16,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.troop.code(), self.n)
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Label {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let wrong = || format!("an element is written type and number, such as Kni2: {s:?}");
        let digits = s.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
        let troop = TroopType::parse(&s[..digits]).ok_or_else(wrong)?;
        Ok(Self { troop, n: s[digits..].parse().map_err(|_| wrong())? })
    }
}
text_serde!(Label);

/// An element with its nation: `Amber.Kni2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ElementId {
    /// Whose.
    pub nation: NationId,
    /// Which.
    pub label: Label,
}

impl fmt::Display for ElementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.nation, self.label)
    }
}

impl fmt::Debug for ElementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ElementId {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let wrong = || format!("an element is written Nation.label, such as Amber.Kni2: {s:?}");
        let (nation, label) = s.rsplit_once('.').ok_or_else(wrong)?;
        Ok(Self { nation: nation.parse()?, label: label.parse()? })
    }
}
text_serde!(ElementId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_print_and_read_back() {
        let body: BodyId = "Port Salt.12".parse().unwrap();
        assert_eq!(body.to_string(), "Port Salt.12");
        assert_eq!(body.short(), "A12");
        let element: ElementId = "Amber.wlk3".parse().unwrap();
        assert_eq!(element.to_string(), "Amber.WLk3");
        assert!("Amber".parse::<BodyId>().is_err());
        assert!(PlaceId::new(&"x".repeat(24)).is_none());
        assert!(PlaceId::new("Ab").unwrap() < PlaceId::new("Abc").unwrap());
    }
}
