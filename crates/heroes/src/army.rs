//! Army lists (HH-263 to HH-293) and the points formula (HH-019 to HH-031).
//!
//! A list is data; its points are computed. One's own list is checked the same way, and what is impossible is
//! said with the entry and what would be right.

mod read;

use crate::tables::{Class, Shooting, Tables, Traits, Troop};

/// The lists shipped, by name.
pub const LISTS: &[(&str, &str)] = &[
    ("assyrian", include_str!("../../../data/armies/heroes/assyrian.toml")),
    ("british", include_str!("../../../data/armies/heroes/british.toml")),
    ("burgundian", include_str!("../../../data/armies/heroes/burgundian.toml")),
    ("chinese", include_str!("../../../data/armies/heroes/chinese.toml")),
    ("dacian", include_str!("../../../data/armies/heroes/dacian.toml")),
    ("english", include_str!("../../../data/armies/heroes/english.toml")),
    ("french", include_str!("../../../data/armies/heroes/french.toml")),
    ("greek", include_str!("../../../data/armies/heroes/greek.toml")),
    ("hungarian", include_str!("../../../data/armies/heroes/hungarian.toml")),
    ("huns", include_str!("../../../data/armies/heroes/huns.toml")),
    ("korean", include_str!("../../../data/armies/heroes/korean.toml")),
    ("persian", include_str!("../../../data/armies/heroes/persian.toml")),
    ("roman", include_str!("../../../data/armies/heroes/roman.toml")),
    ("teutonic", include_str!("../../../data/armies/heroes/teutonic.toml")),
];

/// What a unit is worth and can do (HH-005, HH-031): the part that never changes in a battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Name in the list.
    pub name: String,
    /// Three letters for its label.
    pub label: String,
    /// Troop type.
    pub troop: Troop,
    /// Class.
    pub class: Class,
    /// Speed in hexes.
    pub speed: u8,
    /// Combat factor.
    pub factor: u8,
    /// Impact bonus.
    pub impact: u8,
    /// What it shoots with.
    pub shooting: Shooting,
    /// Characteristics.
    pub traits: Traits,
    /// Stands at full strength.
    pub stands: u8,
}

impl Profile {
    /// Whether it is a horde, aggressive or not.
    #[inline]
    #[must_use]
    pub const fn horde(&self) -> bool {
        self.traits.any(Traits::HORDE.0 | Traits::AGGRESSIVE_HORDE.0)
    }

    /// Whether it is artillery.
    #[inline]
    #[must_use]
    pub const fn artillery(&self) -> bool {
        matches!(self.shooting, Shooting::Artillery(_))
    }

    /// HH-253: a hard target that is no artillery is a war wagon.
    #[inline]
    #[must_use]
    pub const fn war_wagon(&self) -> bool {
        self.traits.has(Traits::HT)
    }

    /// HH-130: whether it attacks when out of command.
    #[inline]
    #[must_use]
    pub const fn aggressive(&self) -> bool {
        self.traits.any(Traits::AGGRESSIVE.0 | Traits::AGGRESSIVE_HORDE.0)
    }

    /// HH-135: how far it may evade.
    #[inline]
    #[must_use]
    pub const fn evades(&self) -> u8 {
        if self.traits.has(Traits::E2) {
            2
        } else if self.traits.has(Traits::E1) {
            1
        } else {
            0
        }
    }

    /// HH-019: its points, with each part named.
    #[must_use]
    pub fn cost(&self, t: &Tables) -> Cost {
        let mut parts = vec![
            (format!("class {}", self.class.letter()), i16::from(t.class_points[self.class as usize])),
            ("speed".to_owned(), i16::from(self.speed)),
            ("hand-to-hand".to_owned(), i16::from(self.factor)),
        ];
        match self.shooting {
            Shooting::None => {}
            Shooting::Score(n) => {
                parts.push((format!("shooting {n}+"), i16::from(t.shooting_points[usize::from(n.min(12))])));
            }
            Shooting::Artillery(n) => parts.push((
                t.shooting_word(self.shooting),
                t.artillery.get(usize::from(n)).map_or(0, |a| i16::from(a.points)),
            )),
        }
        for (bit, &(flag, code, _)) in Traits::ALL.iter().enumerate() {
            if self.traits.has(flag) && t.trait_points[bit] != 0 {
                parts.push((code.to_owned(), i16::from(t.trait_points[bit])));
            }
        }
        if self.horde() {
            parts.push(("horde".to_owned(), i16::from(t.horde_points)));
        }
        Cost { total: parts.iter().map(|p| p.1).sum(), parts }
    }
}

/// Points with their parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// What is counted and for how much.
    pub parts: Vec<(String, i16)>,
    /// The sum.
    pub total: i16,
}

impl Cost {
    /// `class B 4 + speed 2 + … = 13`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (name, points) in &self.parts {
            if out.is_empty() {
                out.push_str(&format!("{name} {points}"));
            } else if *points < 0 {
                out.push_str(&format!(" - {name} {}", -points));
            } else {
                out.push_str(&format!(" + {name} {points}"));
            }
        }
        format!("{out} = {}", self.total)
    }
}

/// A line of a list: generals of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralLine {
    /// What they are called.
    pub name: String,
    /// How many.
    pub count: u8,
    /// Command quality, 2 to 4.
    pub quality: u8,
    /// Whether they are Hero Generals.
    pub hero: bool,
    /// Whether the first of them is Commander-in-Chief (HH-029); if no line says so, it is the first general of all.
    pub chief: bool,
}

/// A line of a list: units of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLine {
    /// What they are.
    pub profile: Profile,
    /// How many.
    pub count: u8,
}

/// An army.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Army {
    /// Its name.
    pub name: String,
    /// Generals.
    pub generals: Vec<GeneralLine>,
    /// Units.
    pub units: Vec<UnitLine>,
    /// Special rules in words.
    pub special: Vec<String>,
    /// What the file says the army adds up to, if it does.
    pub expect: Option<Totals>,
    /// Points of each line as the file states them, generals first.
    stated: Vec<Option<i16>>,
}

/// What an army adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Points.
    pub points: i16,
    /// Units and generals.
    pub elements: u16,
    /// Combat stands.
    pub stands: u16,
    /// Stands lost at which it breaks, at one half.
    pub breaks_at: u16,
    /// Units of scouting speed.
    pub fast: u16,
}

/// What is wrong with a list, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct BadArmy(pub Vec<String>);

impl Army {
    /// An army made of parts, nothing stated.
    #[must_use]
    pub fn of(name: &str, generals: Vec<GeneralLine>, units: Vec<UnitLine>) -> Army {
        let stated = vec![None; generals.len() + units.len()];
        Army { name: name.to_owned(), generals, units, special: Vec::new(), expect: None, stated }
    }

    /// A list that is shipped, by name or a clear beginning of it.
    ///
    /// # Errors
    /// Names the lists that exist, nearest first.
    pub fn shipped(name: &str, t: &Tables) -> Result<Army, BadArmy> {
        let want = name.to_ascii_lowercase();
        let hits: Vec<_> =
            LISTS.iter().filter(|(n, _)| *n == want || (want.len() >= 2 && n.starts_with(&want))).collect();
        match hits[..] {
            [(file, text)] => Army::parse(text, t, file),
            _ => {
                let mut names: Vec<&str> = LISTS.iter().map(|l| l.0).collect();
                names.sort_by_key(|n| strsim::damerau_levenshtein(n, &want));
                Err(BadArmy(vec![format!(
                    "no army list `{name}`; did you mean {}? (lists: {})",
                    names[0],
                    LISTS.iter().map(|l| l.0).collect::<Vec<_>>().join(", ")
                )]))
            }
        }
    }

    /// Reads a list; `file` is what messages call it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str, t: &Tables, file: &str) -> Result<Army, BadArmy> {
        let value = read::toml_value(text, file)?;
        read::army(&value, t, file, Some(text))
    }

    /// An army from what a set-up says: the name of a shipped list, or the list itself.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_value(value: &serde_json::Value, t: &Tables, what: &str) -> Result<Army, BadArmy> {
        if let Some(name) = value.as_str() {
            return Army::shipped(name, t);
        }
        read::army(value, t, what, None)
    }

    /// The list as a value that [`Army::from_value`] reads back.
    #[must_use]
    pub fn value(&self, t: &Tables) -> serde_json::Value {
        let generals: Vec<_> = self
            .generals
            .iter()
            .map(|g| {
                let mut line =
                    serde_json::json!({ "name": g.name, "count": g.count, "quality": g.quality, "hero": g.hero });
                // only where it is said: a list that says nothing stays as it was written in earlier releases
                if g.chief {
                    line["chief"] = serde_json::json!(true);
                }
                line
            })
            .collect();
        let units: Vec<_> = self
            .units
            .iter()
            .map(|u| {
                let p = &u.profile;
                let shooting = match t.shooting_word(p.shooting).as_str() {
                    "-" => "none".to_owned(),
                    other => other.replace(' ', "-"),
                };
                serde_json::json!({
                    "name": p.name, "label": p.label, "type": p.troop.code(), "count": u.count,
                    "stands": p.stands, "class": p.class.letter().to_string(), "speed": p.speed,
                    "factor": p.factor, "impact": p.impact, "shooting": shooting,
                    "traits": p.traits.codes().collect::<Vec<_>>(),
                })
            })
            .collect();
        serde_json::json!({ "name": self.name, "general": generals, "unit": units })
    }

    /// What it adds up to.
    #[must_use]
    pub fn totals(&self, t: &Tables) -> Totals {
        let sum =
            |f: &dyn Fn(&UnitLine) -> u32| self.units.iter().map(|u| u32::from(u.count) * f(u)).sum::<u32>();
        let small = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
        let stands = small(sum(&|u| u32::from(u.profile.stands)));
        let generals: i32 = self
            .generals
            .iter()
            .map(|g| i32::from(g.count) * i32::from(general_cost(t, g).unwrap_or(0)))
            .sum();
        let units: i32 =
            self.units.iter().map(|u| i32::from(u.count) * i32::from(u.profile.cost(t).total)).sum();
        Totals {
            points: i16::try_from(generals + units).unwrap_or(i16::MAX),
            elements: small(sum(&|_| 1) + self.generals.iter().map(|g| u32::from(g.count)).sum::<u32>()),
            stands,
            breaks_at: stands / 2 + 1,
            fast: small(sum(&|u| u32::from(u.profile.speed >= t.scout_speed))),
        }
    }

    /// Everything that speaks against it at a points limit: an empty list is a legal army. The usual size
    /// (HH-027) binds only if no limit is given.
    #[must_use]
    pub fn faults(&self, t: &Tables, limit: Option<i16>) -> Vec<String> {
        let mut out = Vec::new();
        let totals = self.totals(t);
        if self.generals.iter().all(|g| g.count == 0) {
            out.push("it has no general: an army has at least one (HH-029)".to_owned());
        }
        if self.units.iter().all(|u| u.count == 0) {
            out.push("it has no unit".to_owned());
        }
        if self.name.trim().is_empty() {
            out.push("it has no name: give it one with name = \"…\"".to_owned());
        }
        for u in self.units.iter().filter(|u| u.profile.name.trim().is_empty()) {
            out.push(format!(
                "a unit (label {}) has no name: give it one with name = \"…\"",
                u.profile.label
            ));
        }
        if self.generals.iter().filter(|g| g.chief && g.count > 0).count() > 1 {
            out.push(
                "two lines are Commander-in-Chief: chief = true stands at one line of generals (HH-029)"
                    .to_owned(),
            );
        }
        for u in self.units.iter().filter(|u| u.profile.war_wagon() && u.profile.impact > 0) {
            out.push(format!("{}: a hard target has no impact bonus (HH-253)", u.profile.name));
        }
        match limit {
            Some(limit) if totals.points > limit => {
                out.push(format!(
                    "{} points, {} over the limit of {limit}",
                    totals.points,
                    totals.points - limit
                ));
            }
            None if !(t.army_points[0] as i16..=t.army_points[1] as i16).contains(&totals.points) => {
                out.push(format!(
                    "{} points: a usual army has {} to {} (HH-027); name a limit of your own with --points",
                    totals.points, t.army_points[0], t.army_points[1]
                ));
            }
            _ => {}
        }
        let units: usize = self.units.iter().map(|u| usize::from(u.count)).sum();
        let generals: usize = self.generals.iter().map(|g| usize::from(g.count)).sum();
        if units > crate::state::MAX_UNITS / 2 || generals > crate::state::MAX_GENERALS / 2 {
            out.push(format!(
                "{units} units and {generals} generals: the table has room for {} and {} a side",
                crate::state::MAX_UNITS / 2,
                crate::state::MAX_GENERALS / 2
            ));
        }
        let computed: Vec<(String, i16)> = self
            .generals
            .iter()
            .map(|g| (g.name.clone(), general_cost(t, g).unwrap_or(0)))
            .chain(self.units.iter().map(|u| (u.profile.name.clone(), u.profile.cost(t).total)))
            .collect();
        for ((name, points), stated) in computed.iter().zip(&self.stated) {
            if let Some(stated) = stated.filter(|s| s != points) {
                out.push(format!(
                    "{name}: the file says {stated} points, the formula gives {points} (HH-019)"
                ));
            }
        }
        if let Some(expect) = self.expect.filter(|e| *e != totals) {
            out.push(format!(
                "the file expects {} points, {} elements, {} stands; it has {}, {} and {}",
                expect.points, expect.elements, expect.stands, totals.points, totals.elements, totals.stands
            ));
        }
        out
    }
}

/// HH-026: points of one general.
#[must_use]
pub fn general_cost(t: &Tables, g: &GeneralLine) -> Option<i16> {
    let points = *t.general_points.get(usize::from(g.quality)).filter(|&&p| p > 0)?;
    Some(i16::from(points) + if g.hero { i16::from(t.hero_points) } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_adds_up_to_what_its_rule_says() {
        let t = Tables::shipped();
        assert_eq!(LISTS.len(), 14, "HH-263");
        for (name, text) in LISTS {
            let army = Army::parse(text, &t, name).unwrap();
            assert_eq!(army.faults(&t, None), Vec::<String>::new(), "{name}");
            assert!(army.expect.is_some());
        }
    }

    #[test]
    fn impossible_lists_are_explained() {
        let t = Tables::shipped();
        let text = "name = \"x\"\n[[unit]]\nname = \"Mob\"\ntype = \"Q\"\nclass = \"F\"\nspeed = 9\nfactor = 2\nstands = 5\ntraits = [\"H\", \"AH\", \"ZZ\"]\n";
        let error = Army::parse(text, &t, "mine.toml").unwrap_err();
        for part in ["type `Q`", "class `F`", "speed 9", "`ZZ`", "5 stands", "H and AH"] {
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
        let none = Army::parse("name = \"empty\"", &t, "mine.toml").unwrap();
        assert!(none.faults(&t, Some(100)).iter().any(|f| f.contains("HH-029")));
    }

    #[test]
    fn a_name_nearly_right_is_suggested() {
        let error = Army::shipped("romen", &Tables::shipped()).unwrap_err().to_string();
        assert!(error.contains("did you mean roman"), "{error}");
    }
}
