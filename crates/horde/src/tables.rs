//! The numbers of the rules, read once from `data/rules/horde.toml`, which is compiled in.

use crate::options::{Options, Ruleset, SizeTable};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

/// The table's text as shipped.
pub const TEXT: &str = include_str!("../../../data/rules/horde.toml");

macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($field:ident : $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, Serialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "each field is the key of the same name in data/rules/horde.toml, where its rule stands beside it")]
        pub struct $name { $(pub $field: $ty),* }
    };
}

table! { /// HC-001 to HC-005, HC-012.
Test { die: u16, always: i32, never: i32, step: i32, clamp: i32, unnatural_divisor: i32 } }
table! { /// HC-110 to HC-116.
Size { anchored: Vec<(i32, i32)>, none_below_30: Vec<(i32, i32)>, floor_30: Vec<(i32, i32)>, tens: Vec<(i32, i32)>,
    human_melee_cap: i32, csm_capped: i32, creature_step: i32, creature_human: i32, creature_least: i32, creature_most: i32 } }
table! { /// HC-020: one action.
ActionRow { id: String, cost: i32, name: String, melee: bool, ranged: bool, bc: i32, dw: Option<i32>, hits: HitRule } }
table! { /// HC-020, HC-060.
Aim { half: i32, full: i32, accurate: i32, accurate_dice_most: i32, accurate_degrees_a_die: i32 } }
table! { /// HC-020.
Guarded { evasion: i32, stance_reactions: i32, stance_attackers: i32, stance_cost: i32 } }
table! { /// HC-015, HC-084.
Turn { halves: i32, hindered: i32, aim_half: i32, aim_full: i32 } }
table! { /// HC-014.
Initiative { die: u16, roll_off: bool } }
table! { /// HC-020, HC-024, HC-074, HC-087: what the engine keeps of weapons and people between attacks.
Handling { kept: bool, strict: bool, stricter: bool, exact: bool, reload: i32, unjam: i32, feint: i32, knock_down: i32, knock_down_hurts: i32, stand: i32 } }
table! { /// HC-030 to HC-032.
Range { point_blank_m: i32, point_blank: i32, short: (i32, i32), short_mod: i32, normal: i32, long: (i32, i32), long_mod: i32,
    extreme: (i32, i32), extreme_mod: i32, most: (i32, i32), thrown_sb: i32 } }
table! { /// HC-024.
Jam { single: i32, burst: i32, unreliable: i32, reliable: i32 } }
table! { /// HC-025, HC-044 and section 8.
QualityNumbers { unbraced: i32, balanced_parry: i32, defensive_parry: i32, defensive_attack: i32, unbalanced_parry: i32, twin_linked: i32,
    twin_linked_degrees: i32, scatter_point_blank: i32, scatter_short: i32, scatter_near_damage: i32, scatter_far_damage: i32,
    razor_degrees: i32, spray_jam: u16, storm_times: i32, blood_step: i32 } }
table! { /// Section 10, Hordes.
HordeNumbers { bonus_divisor: i32, bonus_cap: i32, ranged_least: i32, fire_drill: i32, extra_dice_most: i32, attack_bonus_most: i32,
    overwhelming_from: i32, fear_divisor: i32, fear_rating_most: i32, pin_half_divisor: i32, explosive_times: i32, explosive_more: i32,
    flame_divisor: i32, flame_die: u16, deathwatch_flame_divisor: i32, dw_hits_divisor: i32, dw_power_field: i32,
    talent_divisor: i32, small_below: i32, stun_cap: i32 } }
table! { /// HC-140 to HC-143.
Break { test_times: i32, half_times: i32, auto_times: i32, below_half: i32 } }
table! { /// HC-088: one band of the Shock table.
Shock { from: i32, id: String, word: String } }
table! { /// HC-088, HC-150.
Fear { rating: Vec<i32>, shock_a_degree: i32, resistance: i32, shock: Vec<Shock> } }
table! { /// HC-083, HC-084, HC-191.
Suppress { semi: i32, full: i32, bs: i32, a_ten: i32, recover_in_cover: i32 } }
table! { /// HC-085.
Stun { die: u16, fatigue: i32 } }
table! { /// HC-087.
Grapple { sturdy: i32 } }
table! { /// HC-043.
Evasion { reactions: i32, step_aside: i32 } }
table! { /// HC-103: heads and Magnitude for weedy, average and strong creatures.
Heads { makuu: [(i32, i32); 3], even: [(i32, i32); 3], forum_a: [(i32, i32); 3], forum_b: [(i32, i32); 3] } }
table! { /// HC-051, HC-052.
Location { table: Vec<(i32, String)>, head: Vec<String>, arm: Vec<String>, body: Vec<String>, leg: Vec<String> } }
table! { /// HC-206.
Coarse { fresh_over: i32, thinned_over: i32 } }
table! { /// HC-108.
Presets { deathwatch: BTreeMap<String, String> } }
table! { /// The whole table.
Tables { revision: u32, test: Test, difficulty: BTreeMap<String, i32>, size: Size, action: Vec<ActionRow>, aim: Aim, guarded: Guarded, turn: Turn,
    initiative: Initiative, handling: Handling,
    range: Range, jam: Jam, quality: QualityNumbers, modifier: BTreeMap<String, i32>, horde: HordeNumbers,
    r#break: Break, fear: Fear, suppress: Suppress, stun: Stun, grapple: Grapple, evasion: Evasion, heads: Heads,
    location: Location, coarse: Coarse, preset: Presets } }

/// HC-020: how degrees become hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HitRule {
    /// One hit on a success.
    One,
    /// One, and one more for each two further degrees.
    Half,
    /// One for each degree.
    Each,
    /// No damage.
    None,
}

/// The tables that an encounter is played with. Each distinct set is kept once for the life of the program, so
/// that options stay small and cheap to copy.
#[derive(Clone, Copy)]
pub struct TablesRef(&'static Tables, u64);

impl TablesRef {
    /// The tables themselves.
    pub fn get(self) -> &'static Tables {
        self.0
    }

    /// Tables from their JSON form, which [`Tables`] serializes to.
    ///
    /// # Errors
    /// What does not fit, in the reader's words.
    pub fn read(json: &Value) -> Result<Self, String> {
        static KEPT: Mutex<BTreeMap<String, &'static Tables>> = Mutex::new(BTreeMap::new());
        let mut json = json.clone();
        // INVARIANT: both texts are compiled in and read by the tests of this module.
        let absent: Value = serde_json::from_str(ABSENT).unwrap_or_default();
        fill(&mut json, &absent);
        fill(&mut json, &serde_json::to_value(tables()).unwrap_or_default());
        let tables: Tables = serde_json::from_value(json).map_err(|e| e.to_string())?;
        tables.check()?;
        let text = serde_json::to_string(&tables).map_err(|e| e.to_string())?;
        if text == TablesRef::default().text() {
            return Ok(TablesRef::default());
        }
        let hash = game::Digest::of(&text).to_string();
        let hash = u64::from_str_radix(hash.get(..16).unwrap_or("1"), 16).unwrap_or(1);
        let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let tables = *kept.entry(text).or_insert_with(|| Box::leak(Box::new(tables)));
        Ok(Self(tables, hash))
    }

    /// Their JSON text.
    pub fn text(self) -> String {
        serde_json::to_string(self.0).unwrap_or_default()
    }
}

/// What the lack of a key means in tables that were written down before it was there: what is kept between attacks was
/// not kept, a tie for the turn order was not rolled off, a Horde's limits held in its own turn alone and dice told
/// beyond those wanted were passed over; then a cone hit at any distance, a weapon suppressed in a mode that it lacks and
/// reinforcements brought a broken Horde back; and a turn by ruling went on from its place, past all who stood before it.
/// All other keys that are lacking have the shipped figure.
const ABSENT: &str = r#"{"initiative":{"roll_off":false},"handling":{"kept":false,"strict":false,"stricter":false,"exact":false}}"#;

/// Adds what `from` has and `json` lacks, rows of a list by their `id`: a record of an earlier release opens for ever.
fn fill(json: &mut Value, from: &Value) {
    match (json, from) {
        (Value::Object(mine), Value::Object(theirs)) => {
            for (key, value) in theirs {
                match mine.get_mut(key) {
                    Some(old) => fill(old, value),
                    None => _ = mine.insert(key.clone(), value.clone()),
                }
            }
        }
        (Value::Array(mine), Value::Array(theirs)) => {
            for row in theirs.iter().filter(|r| r.get("id").is_some()) {
                match mine.iter_mut().find(|m| m.get("id") == row.get("id")) {
                    Some(old) => fill(old, row),
                    None => mine.push(row.clone()),
                }
            }
        }
        _ => {}
    }
}

impl Default for TablesRef {
    fn default() -> Self {
        Self(tables(), 0)
    }
}

impl PartialEq for TablesRef {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for TablesRef {}

impl std::fmt::Debug for TablesRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "tables {:x}", self.1)
    }
}

impl Tables {
    /// Figures that the engine divides by or counts with must be such that it can.
    fn check(&self) -> Result<(), String> {
        let h = &self.horde;
        let divisors = [
            ("test.step", self.test.step),
            ("test.unnatural_divisor", self.test.unnatural_divisor),
            ("aim.accurate_degrees_a_die", self.aim.accurate_degrees_a_die),
            ("horde.bonus_divisor", h.bonus_divisor),
            ("horde.fear_divisor", h.fear_divisor),
            ("horde.pin_half_divisor", h.pin_half_divisor),
            ("horde.flame_divisor", h.flame_divisor),
            ("horde.deathwatch_flame_divisor", h.deathwatch_flame_divisor),
            ("horde.dw_hits_divisor", h.dw_hits_divisor),
            ("horde.talent_divisor", h.talent_divisor),
            ("break.test_times", self.r#break.test_times),
        ];
        for (key, value) in divisors {
            if !(1..=1000).contains(&value) {
                return Err(format!("{key} is {value}: 1 to 1000 would be right"));
            }
        }
        for (key, sides) in [
            ("test.die", self.test.die),
            ("horde.flame_die", h.flame_die),
            ("stun.die", self.stun.die),
            ("initiative.die", self.initiative.die),
        ] {
            if !(1..=1000).contains(&sides) {
                return Err(format!("{key} is {sides}: a die has 1 to 1000 faces"));
            }
        }
        if !(0..=5).contains(&h.extra_dice_most) {
            return Err(format!("horde.extra_dice_most is {}: 0 to 5 would be right", h.extra_dice_most));
        }
        for action in crate::unit::Action::ALL {
            if !self.action.iter().any(|row| row.id == action.word()) {
                return Err(format!("the table of actions has no `{}`", action.word()));
            }
        }
        if self.fear.rating.is_empty() || self.fear.shock.is_empty() {
            return Err("fear.rating and fear.shock may not be empty".to_owned());
        }
        Ok(())
    }
}

/// The table as shipped.
pub fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        // INVARIANT: the text is compiled in and read by the tests of this module.
        toml::from_str(TEXT).expect("data/rules/horde.toml is part of the program and is tested")
    })
}

/// HC-110: the size modifier for a Magnitude under the option's ladder.
pub fn size_modifier(options: &Options, magnitude: i32) -> i32 {
    let size = &options.t().size;
    let ladder = match options.size_table {
        SizeTable::Anchored => &size.anchored,
        SizeTable::Tens => &size.tens,
        SizeTable::NoneBelow30 => &size.none_below_30,
        SizeTable::Floor30 => &size.floor_30,
    };
    ladder.iter().rev().find(|(least, _)| magnitude >= *least).map_or(0, |(_, modifier)| *modifier)
}

/// HC-108, HC-133: what the range of a Flame weapon is divided by.
pub fn flame_divisor(options: &Options) -> i32 {
    let t = &options.t().horde;
    if options.ruleset == Ruleset::Deathwatch { t.deathwatch_flame_divisor } else { t.flame_divisor }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of earlier releases lack the keys of later ones.
    #[test]
    fn tables_without_a_newer_key_open_and_mean_what_they_meant() {
        let whole = serde_json::to_value(tables()).unwrap();
        let lacking = |path: &[&str]| {
            let mut json = whole.clone();
            let (last, before) = path.split_last().unwrap();
            let at = before.iter().fold(&mut json, |at, key| match key.parse::<usize>() {
                Ok(n) => &mut at[n],
                Err(_) => &mut at[*key],
            });
            assert!(at.as_object_mut().unwrap().remove(*last).is_some(), "{path:?}");
            TablesRef::read(&json).unwrap().get()
        };
        for top in whole.as_object().unwrap().keys() {
            lacking(&[top]);
        }
        for path in [&["turn", "halves"][..], &["guarded", "stance_cost"], &["suppress", "recover_in_cover"]]
        {
            assert_eq!(serde_json::to_value(lacking(path)).unwrap(), whole, "{path:?}");
        }
        assert_eq!(serde_json::to_value(lacking(&["action", "0", "cost"])).unwrap(), whole);
        assert!(tables().handling.kept && !lacking(&["handling"]).handling.kept);
        assert!(tables().handling.strict && !lacking(&["handling", "strict"]).handling.strict);
        assert!(tables().handling.stricter && !lacking(&["handling", "stricter"]).handling.stricter);
        assert!(tables().handling.exact && !lacking(&["handling", "exact"]).handling.exact);
        assert!(tables().initiative.roll_off && !lacking(&["initiative", "roll_off"]).initiative.roll_off);
        assert!(
            TablesRef::read(&serde_json::json!({ "test": { "die": 0 } })).is_err(),
            "a wrong figure stays one"
        );
    }

    #[test]
    fn hc110_the_table_reads_and_its_ladders_hold_the_seed_s_point() {
        assert_eq!(tables().revision, 1);
        for word in ["anchored", "tens", "none_below_30", "floor_30"] {
            let mut o = Options::default();
            o.set("size.table", word).unwrap();
            assert_eq!(size_modifier(&o, 35), 30, "{word}");
            assert_eq!(size_modifier(&o, 500), 60, "{word}");
        }
        let o = Options::default();
        let row: Vec<i32> =
            [0, 9, 10, 19, 20, 29, 30, 59, 60, 89, 90, 119, 120].map(|m| size_modifier(&o, m)).to_vec();
        assert_eq!(row, [0, 0, 10, 10, 20, 20, 30, 30, 40, 40, 50, 50, 60]);
    }
}
