//! Rule ids: which exist is known when the program is compiled.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::family::Family;

/// What the build script knows of one rule.
pub(crate) struct Entry {
    pub(crate) text: &'static str,
    pub(crate) section: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The id of a rule that exists: `HOTT-249`, or a ruling of the project, `HOTT-R01`.
///
/// It can only be made for rules that stand in `docs/rules/`: by [`rule!`](crate::rule) when
/// compiling, by [`FromStr`] when reading. Ids sort by family, plain numbers before rulings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    family: Family,
    ruling: bool,
    number: u16,
}

impl RuleId {
    const fn key(self) -> u32 {
        (self.family as u32) << 24 | (self.ruling as u32) << 16 | self.number as u32
    }

    /// Splits the text of an id; says nothing about whether the rule exists.
    const fn split(text: &str) -> Option<RuleId> {
        let b = text.as_bytes();
        let mut f = 0;
        while f < Family::ALL.len() {
            let family = Family::ALL[f];
            let p = family.prefix().as_bytes();
            f += 1;
            if b.len() <= p.len() || b[p.len()] != b'-' || !starts_with(b, p) {
                continue;
            }
            let mut at = p.len() + 1;
            let ruling = at < b.len() && b[at] == b'R';
            if ruling {
                at += 1;
            }
            let digits = b.len() - at;
            if digits < if ruling { 2 } else { 3 } || digits > 5 {
                return None;
            }
            let mut number: u32 = 0;
            while at < b.len() {
                if b[at] < b'0' || b[at] > b'9' {
                    return None;
                }
                number = number * 10 + (b[at] - b'0') as u32;
                at += 1;
            }
            if number > u16::MAX as u32 {
                return None;
            }
            return Some(RuleId { family, ruling, number: number as u16 });
        }
        None
    }

    /// Where the rule stands in the compiled table.
    const fn index(self) -> Option<usize> {
        let key = self.key();
        let (mut lo, mut hi) = (0, KEYS.len());
        while lo < hi {
            let mid = (lo + hi) / 2;
            if KEYS[mid] == key {
                return Some(mid);
            }
            if KEYS[mid] < key {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        None
    }

    /// The rule with exactly this text (`"HOTT-249"`), if it exists. Usable in constants; people's
    /// spellings (`hott 249`) are read by [`FromStr`].
    pub const fn find(text: &str) -> Option<RuleId> {
        match RuleId::split(text) {
            Some(id) => match id.index() {
                Some(_) => Some(id),
                None => None,
            },
            None => None,
        }
    }

    /// The game the rule belongs to.
    pub const fn family(self) -> Family {
        self.family
    }

    /// The number within the family (rulings count apart).
    pub const fn number(self) -> u16 {
        self.number
    }

    /// Whether it is a ruling of this project (`HOTT-R01`) rather than a rule.
    pub const fn is_ruling(self) -> bool {
        self.ruling
    }

    /// The rule's text as markdown. A table row reads "Type: Blade; AP: 2; …".
    pub fn text(self) -> &'static str {
        self.index().map_or("", |i| ENTRIES[i].text)
    }

    /// The heading it stands under.
    pub fn section(self) -> &'static str {
        self.index().map_or("", |i| ENTRIES[i].section)
    }

    /// All rules and rulings of a family, in order.
    pub fn all(family: Family) -> impl Iterator<Item = RuleId> {
        RuleId::every().filter(move |id| id.family == family)
    }

    /// All rules of all families, in order.
    pub fn every() -> impl Iterator<Item = RuleId> {
        KEYS.iter().map(|&key| RuleId {
            family: Family::ALL[(key >> 24) as usize % Family::ALL.len()],
            ruling: key >> 16 & 1 == 1,
            number: (key & 0xffff) as u16,
        })
    }
}

const fn starts_with(text: &[u8], start: &[u8]) -> bool {
    let mut i = 0;
    while i < start.len() {
        if i >= text.len() || text[i] != start[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A rule id that is checked when compiling: `rule!("HOTT-249")`.
///
/// ```
/// assert_eq!(rulebook::rule!("HOTT-249").to_string(), "HOTT-249");
/// ```
/// An id that does not stand in `docs/rules/` does not compile:
/// ```compile_fail,E0080
/// let _ = rulebook::rule!("HOTT-999");
/// ```
#[macro_export]
macro_rules! rule {
    ($id:literal) => {
        const {
            match $crate::RuleId::find($id) {
                Some(id) => id,
                None => panic!(concat!("no rule ", $id, " stands in docs/rules/")),
            }
        }
    };
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = self.family.prefix();
        if self.ruling {
            f.pad(&format!("{p}-R{:02}", self.number))
        } else {
            f.pad(&format!("{p}-{:03}", self.number))
        }
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// No rule has this id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no rule `{given}`{}", crate::text::did_you_mean(.nearest))]
pub struct UnknownRule {
    /// What was written.
    pub given: String,
    /// Ids that may have been meant, best first.
    pub nearest: Vec<RuleId>,
}

impl FromStr for RuleId {
    type Err = UnknownRule;

    /// Reads an id as people write it: case, a missing hyphen and leading zeros do not matter
    /// (`hott249`, `bb 7`, `HOTT-r1`).
    fn from_str(s: &str) -> Result<Self, UnknownRule> {
        RuleId::find(&tidy(s)).ok_or_else(|| UnknownRule { given: s.to_owned(), nearest: nearest(s) })
    }
}

/// The id's standard spelling, as far as it can be seen: `hott 7` is `HOTT-007`.
fn tidy(s: &str) -> String {
    let up = s.trim().to_ascii_uppercase();
    let letters = up.chars().take_while(char::is_ascii_alphabetic).collect::<String>();
    // "HOTTR1": the R of a ruling is no part of the prefix.
    let prefix = Family::ALL
        .iter()
        .map(|f| f.prefix())
        .find(|p| letters == **p || letters.strip_prefix(*p).is_some_and(|rest| rest == "R"));
    let Some(prefix) = prefix else { return up };
    let rest = up[prefix.len()..].trim_start_matches([' ', '-', '_']);
    match rest.strip_prefix('R') {
        Some(d) => format!("{prefix}-R{:0>2}", d.trim_start_matches([' ', '-']).trim_start_matches('0')),
        None => format!("{prefix}-{:0>3}", rest.trim_start_matches('0')),
    }
}

/// Rules whose id is spelled most like this one, best first, at most three.
pub fn nearest(s: &str) -> Vec<RuleId> {
    let want = tidy(s);
    let mut scored: Vec<(usize, RuleId)> = RuleId::every()
        .map(|id| (strsim::damerau_levenshtein(&want, &id.to_string()), id))
        .filter(|(d, _)| *d <= 3)
        .collect();
    scored.sort();
    scored.into_iter().map(|(_, id)| id).take(3).collect()
}

impl Serialize for RuleId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = RuleId;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rule id such as HOTT-249")
            }
            fn visit_str<E: de::Error>(self, v: &str) -> Result<RuleId, E> {
                v.parse().map_err(E::custom)
            }
        }
        d.deserialize_str(Text)
    }
}
