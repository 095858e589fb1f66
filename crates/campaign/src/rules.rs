//! The rules in force: options, numbers and the troop list.

use game::{Problem, Problems};
use hott::table::{Class, TroopType};
use rulebook::{Effective, Family, Layers, Tree, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const SHIPPED: &str = include_str!("../../../data/rules/campaign.toml");

/// Options and numbers of one campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    options: BTreeMap<String, Value>,
    limits: BTreeMap<String, i64>,
    troops: BTreeMap<String, TroopRow>,
    #[serde(skip)]
    table: Vec<Option<(Class, i64)>>,
}

/// CAM-010: a row of the troop list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TroopRow {
    class: String,
    ap: i64,
}

impl Rules {
    /// The rules with no house rules.
    ///
    /// # Panics
    /// Never: a test reads the shipped file.
    #[must_use]
    pub fn shipped() -> Self {
        // INVARIANT (`shipped_rules_read`): the shipped files are whole.
        Self::layered(None, None, &[]).expect("the shipped rules read")
    }

    /// Rules from preset, file and single settings.
    ///
    /// # Errors
    /// Everything in them that does not read.
    pub fn layered(
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Self, Problems> {
        let mut layers = Layers::new(&[Family::Campaign]).tables(Family::Campaign, "campaign.toml", SHIPPED);
        if let Some(preset) = preset {
            layers = layers.preset(preset);
        }
        if let Some((name, text)) = file {
            layers = layers.file(name, text);
        }
        for (key, value) in sets {
            let key = if key.starts_with("campaign.") { key.clone() } else { format!("campaign.{key}") };
            layers = layers.set(&format!("{key}={value}"));
        }
        let effective = layers.effective().map_err(|e| {
            e.to_string().lines().map(|line| Problem::new(line.to_owned())).collect::<Problems>()
        })?;
        Self::of(&effective)
    }

    fn of(effective: &Effective) -> Result<Self, Problems> {
        let tables = effective.tables();
        let read = |e: rulebook::RulesErrors| vec![Problem::new(e.to_string())];
        let limits = tables.read("campaign.limits").map_err(|e| read(e.into()))?;
        let troops = tables.read("campaign.troops").map_err(|e| read(e.into()))?;
        Self { options: effective.values(), limits, troops, table: Vec::new() }.ready()
    }

    /// As a record's header keeps them; what it lacks has the value from before there was such an option.
    ///
    /// # Errors
    /// Keys and values that this release does not know.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, Problems> {
        if value.as_object().is_none_or(serde_json::Map::is_empty) {
            return Ok(Self::shipped());
        }
        let mut rules: Rules =
            serde_json::from_value(value.clone()).map_err(|e| vec![Problem::new(e.to_string())])?;
        let restored = Effective::restore(&[Family::Campaign], &rules.options, Tree::default())
            .map_err(|e| vec![Problem::new(e.to_string())])?;
        rules.options = restored.values();
        rules.ready()
    }

    fn ready(mut self) -> Result<Self, Problems> {
        self.table = vec![None; TroopType::COUNT];
        for (code, row) in &self.troops {
            let troop = TroopType::from_code(code)
                .ok_or_else(|| vec![Problem::new(format!("campaign.troops: no such type: {code}"))])?;
            let class = Class::from_word(&row.class)
                .ok_or_else(|| vec![Problem::new(format!("campaign.troops.{code}: no such class"))])?;
            self.table[troop.index()] = Some((class, row.ap));
        }
        Ok(self)
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn option(&self, key: &str) -> Option<&Value> {
        let found = self.options.get(&format!("campaign.{key}"));
        debug_assert!(found.is_some(), "no option {key}");
        found
    }

    /// Whether an option is set to this word.
    #[must_use]
    pub fn is(&self, key: &str, word: &str) -> bool {
        matches!(self.option(key), Some(Value::Word(w)) if w == word)
    }

    /// The number an option is set to.
    #[must_use]
    pub fn int(&self, key: &str) -> i64 {
        match self.option(key) {
            Some(Value::Int(n)) => *n,
            _ => 0,
        }
    }

    /// Whether a switch is on.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.option(key), Some(Value::Bool(true)))
    }

    /// A number of the rules (`data/rules/campaign.toml`).
    #[must_use]
    pub fn limit(&self, key: &str) -> i64 {
        let found = self.limits.get(key).copied();
        debug_assert!(found.is_some(), "no limit {key}");
        found.unwrap_or(0)
    }

    /// Whether the stricter readings hold that campaigns begun since have in their tables (CAM-046, CAM-058, CAM-089,
    /// CAM-093, CAM-122, CAM-132, CAM-151, CAM-181). A record that lacks the number plays as before there was one.
    #[must_use]
    pub fn strict(&self) -> bool {
        self.limits.get("strict").is_some_and(|n| *n > 0)
    }

    /// CAM-010: the value of an element in AP; 0 for a type that campaigns do not have.
    #[must_use]
    pub fn ap(&self, troop: TroopType) -> i64 {
        self.table.get(troop.index()).copied().flatten().map_or(0, |(_, ap)| ap)
    }

    /// CAM-010: the class of a type; `None` for a type that campaigns do not have (CAM-018).
    #[must_use]
    pub fn class(&self, troop: TroopType) -> Option<Class> {
        self.table.get(troop.index()).copied().flatten().map(|(class, _)| class)
    }

    /// CAM-015: whether a type counts towards the lighter half.
    #[must_use]
    pub fn is_light(&self, troop: TroopType) -> bool {
        self.ap(troop) <= self.limit("light_ap")
    }

    /// Every option with its value, for people.
    #[must_use]
    pub fn options(&self) -> &BTreeMap<String, Value> {
        &self.options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_rules_read() {
        let rules = Rules::shipped();
        assert_eq!(rules.ap(TroopType::AHe), 6);
        assert_eq!(rules.limit("army_most"), 24);
        assert!(rules.is("crossing", "meet"));
        assert_eq!(rules.int("siege_garrison"), -1);
        assert_eq!(Rules::from_json(&rules.json()).unwrap(), rules);
    }

    #[test]
    fn a_house_rule_is_read_and_a_misspelt_one_named() {
        let set = |k: &str, v: &str| vec![(k.to_owned(), v.to_owned())];
        assert!(
            Rules::layered(None, None, &set("campaign.crossing", "pass")).unwrap().is("crossing", "pass")
        );
        assert_eq!(
            Rules::layered(None, None, &set("limits.force_most", "60")).unwrap().limit("force_most"),
            60
        );
        let mut old = Rules::shipped().json();
        assert!(Rules::from_json(&old).unwrap().strict());
        old["limits"].as_object_mut().unwrap().remove("strict");
        for key in ["campaign.offers", "campaign.demanded_gains", "campaign.anonymous_notes"] {
            old["options"].as_object_mut().unwrap().remove(key);
        }
        let old = Rules::from_json(&old).unwrap();
        assert!(!old.strict() && old.is("offers", "season") && old.is("demanded_gains", "overlord"));
        assert!(old.flag("anonymous_notes"));
        let wrong = Rules::layered(None, None, &set("campaign.crosing", "pass")).unwrap_err();
        assert!(wrong[0].to_string().contains("crossing"), "{wrong:?}");
    }
}
