//! Elements, and what a nation's force may be.

use crate::ids::Label;
use crate::rules::Rules;
use crate::world::Nation;
use hott::table::TroopType;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// CAM-020: a general: an attribute of an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct General {
    /// His name.
    pub name: String,
    /// The season from which he serves, counted from 1 for Spring of year 1 (0: from the start).
    pub since: u32,
}

/// An element of a nation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its label.
    pub label: Label,
    /// CAM-014: mounted infantry, or a winged Magician.
    pub mount: bool,
    /// The generals it holds: mostly none, mostly one.
    pub generals: Vec<General>,
}

impl Element {
    /// A plain element.
    #[must_use]
    pub fn new(label: Label) -> Self {
        Self { label, mount: false, generals: Vec::new() }
    }

    /// Its type.
    #[must_use]
    pub fn troop(&self) -> TroopType {
        self.label.troop
    }

    /// Whether it holds a general.
    #[must_use]
    pub fn general(&self) -> bool {
        !self.generals.is_empty()
    }
}

/// `Kni2`, `Sht1+` mounted, `Kni1*Ruvo:0` with a general of that name who serves from the start.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.label)?;
        if self.mount {
            f.write_str("+")?;
        }
        self.generals.iter().try_for_each(|g| write!(f, "*{}:{}", g.name, g.since))
    }
}

impl FromStr for Element {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let mut parts = s.split('*');
        let head = parts.next().unwrap_or_default();
        let (head, mount) = head.strip_suffix('+').map_or((head, false), |h| (h, true));
        let label = head.parse()?;
        let mut generals = Vec::new();
        for part in parts {
            let (name, since) = part.rsplit_once(':').unwrap_or((part, "0"));
            generals.push(General { name: name.to_owned(), since: since.parse().map_err(|_| s.to_owned())? });
        }
        Ok(Self { label, mount, generals })
    }
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

/// An element as a list of a start or a case has it: type only, the number comes later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The type.
    pub troop: TroopType,
    /// Its number, where the list gives one.
    pub n: Option<u16>,
    /// Mounted or winged.
    pub mount: bool,
    /// Holds a general.
    pub general: bool,
    /// His name, where the list gives one.
    pub name: Option<String>,
}

/// Reads a list such as `["Kni* Ruvo", "3 Bld", "Sht+"]`; several may stand in one text with commas.
///
/// # Errors
/// What of it does not read.
pub fn read_troops(list: &[String]) -> Result<Vec<Listed>, String> {
    let mut out = Vec::new();
    for part in list.iter().flat_map(|text| text.split(',')) {
        let text = part.trim();
        if text.is_empty() {
            continue;
        }
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let count: u16 = if digits == 0 { 1 } else { text[..digits].parse().map_err(|_| text.to_owned())? };
        let rest = text[digits..].trim();
        let (head, name) = match rest.split_once('*') {
            Some((head, name)) => (head.trim(), Some(name.trim())),
            None => (rest, None),
        };
        let (head, mount) = head.strip_suffix('+').map_or((head, false), |h| (h.trim(), true));
        let at = head.find(|c: char| c.is_ascii_digit()).unwrap_or(head.len());
        let troop = TroopType::parse(&head[..at]).ok_or_else(|| {
            let near = TroopType::suggest(&head[..at])
                .map_or(String::new(), |t| format!("; did you mean {}?", t.code()));
            format!("no type of troops is called {:?}{near}", &head[..at])
        })?;
        let n = head[at..].parse().ok();
        for _ in 0..count {
            out.push(Listed {
                troop,
                n,
                mount,
                general: name.is_some(),
                name: name.filter(|n| !n.is_empty()).map(str::to_owned),
            });
        }
    }
    Ok(out)
}

/// The AP of a nation by kind, for CAM-015 and CAM-016.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Force {
    /// AP in all.
    pub ap: i64,
    /// AP in elements of 2 AP or less.
    pub light: i64,
    /// How many of each type.
    pub counts: BTreeMap<TroopType, i64>,
}

impl Force {
    /// Counts one element.
    pub fn add(&mut self, rules: &Rules, troop: TroopType) {
        let ap = rules.ap(troop);
        self.ap += ap;
        if rules.is_light(troop) {
            self.light += ap;
        }
        *self.counts.entry(troop).or_insert(0) += 1;
    }

    /// Takes one element off.
    pub fn remove(&mut self, rules: &Rules, troop: TroopType) {
        let ap = rules.ap(troop);
        self.ap -= ap;
        if rules.is_light(troop) {
            self.light -= ap;
        }
        *self.counts.entry(troop).or_insert(0) -= 1;
    }

    /// How many of a type.
    #[must_use]
    pub fn count(&self, troop: TroopType) -> i64 {
        self.counts.get(&troop).copied().unwrap_or(0)
    }

    /// CAM-015: at least half of the AP are in elements of 2 AP or less.
    #[must_use]
    pub fn balanced(&self, _rules: &Rules) -> bool {
        self.light * 2 >= self.ap
    }

    /// CAM-015: whether the minima hold.
    #[must_use]
    pub fn minima_hold(&self, nation: &Nation) -> bool {
        let short =
            |(code, n): (&String, &i64)| TroopType::from_code(code).is_some_and(|t| self.count(t) < *n);
        !nation.minima.iter().any(short)
    }
}

impl Element {
    /// The element without the generals that it held.
    #[must_use]
    pub fn without_generals(mut self) -> Self {
        self.generals.clear();
        self
    }
}
