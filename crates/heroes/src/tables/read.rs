//! The tables as the file has them, and how they become the dense ones.

use super::{
    Artillery, BadTable, Band, Border, BorderRow, Cell, Class, Disrupts, Entry, Ground, GroundRow, Shelter,
    Tables, Through, Traits,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    points: RawPoints,
    army: RawArmy,
    set_up: RawSetUp,
    movement: RawMovement,
    combat: RawCombat,
    shooting: RawShooting,
    crt: BTreeMap<String, BTreeMap<String, String>>,
    terrain: BTreeMap<String, RawGround>,
    border: BTreeMap<String, RawBorder>,
    artillery: BTreeMap<String, RawArtillery>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPoints {
    class: BTreeMap<String, u8>,
    shooting: BTreeMap<String, u8>,
    artillery: BTreeMap<String, u8>,
    traits: BTreeMap<String, i8>,
    horde: i8,
    general: BTreeMap<String, u8>,
    hero: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArmy {
    points: [u16; 2],
    stands: u8,
    horde_stands: u8,
    artillery_stands: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSetUp {
    width: u16,
    depth: u16,
    deploy_rows: u16,
    scout_speed: u8,
    bound_limit: u16,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMovement {
    column_bonus: u8,
    road_bonus: u8,
    turn_cost: u8,
    formation_cost: u8,
    pike_block_speed: u8,
    dismounted_speed: u8,
    pavise_speed: u8,
    flee_extra: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCombat {
    pike_block_impact: u8,
    pike_block_stands: u8,
    column_stands: u8,
    column_impact_cap: u8,
    column_impact_minus: u8,
    combined_front: u8,
    up_slope: u8,
    hero_lines: u8,
    removed_at: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawShooting {
    range: u8,
    #[allow(dead_code)]
    woods_range: u8,
    scores: BTreeMap<String, u8>,
    armour: BTreeMap<String, u8>,
    crossbow: u8,
    pavise_bow: u8,
    pavise_gun: u8,
    escarpment: [u8; 2],
    suppress_wood: u8,
    suppress_stone: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGround {
    letter: char,
    foot: Entry,
    mounted: Entry,
    wheeled: Entry,
    #[serde(default)]
    sight: Through,
    #[serde(default)]
    cover: u8,
    #[serde(default = "yes")]
    impact: bool,
    #[serde(default)]
    disrupts: Disrupts,
    #[serde(default)]
    command: Through,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBorder {
    foot: Entry,
    mounted: Entry,
    wheeled: Entry,
    extra: u8,
    cover: Shelter,
    #[serde(default)]
    material: String,
    impact: bool,
    decline: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArtillery {
    #[serde(default)]
    over_friends: bool,
    bands: Vec<Band>,
}

impl Tables {
    pub(super) fn from_raw(raw: Raw) -> Result<Tables, BadTable> {
        let bad = |what: String| BadTable(what);
        let mut class_points = [0; 5];
        for class in Class::ALL {
            class_points[class as usize] = *raw
                .points
                .class
                .get(&class.letter().to_string())
                .ok_or_else(|| bad(format!("points.class lacks {}", class.letter())))?;
        }
        let mut shooting_points = [0; 13];
        for (word, &score) in &raw.shooting.scores {
            let points = raw.points.shooting.get(word);
            let slot = shooting_points.get_mut(usize::from(score));
            match (points, slot) {
                (Some(&p), Some(slot)) => *slot = p,
                (None, _) => return Err(bad(format!("points.shooting lacks {word}"))),
                (_, None) => return Err(bad(format!("shooting.scores.{word} = {score}: 1 to 12"))),
            }
        }
        let mut trait_points = [0; 32];
        for (bit, &(_, code, _)) in Traits::ALL.iter().enumerate() {
            trait_points[bit] =
                *raw.points.traits.get(code).ok_or_else(|| bad(format!("points.traits lacks {code}")))?;
        }
        let mut general_points = [0; 8];
        for (quality, &points) in &raw.points.general {
            match quality.parse::<usize>() {
                Ok(q) if q < 8 => general_points[q] = points,
                _ => return Err(bad(format!("points.general.{quality}: command quality is 1 to 7"))),
            }
        }
        let mut crt = [[Cell::default(); 5]; 11];
        for (line, row) in crt.iter_mut().enumerate().skip(1) {
            let given = raw
                .crt
                .get(&line.to_string())
                .ok_or_else(|| bad(format!("crt lacks the line of {line} hits")))?;
            for class in Class::ALL {
                let letter = class.letter().to_string();
                let text =
                    given.get(&letter).ok_or_else(|| bad(format!("crt.{line} lacks class {letter}")))?;
                row[class as usize] = Cell::read(text).ok_or_else(|| {
                    bad(format!(
                        "crt.{line}.{letter} = \"{text}\": -, R, RD or FD, with +1 to +5 for stands lost"
                    ))
                })?;
            }
        }
        let mut ground = Vec::new();
        for (_, name) in Ground::ALL {
            let row = raw.terrain.get(name).ok_or_else(|| bad(format!("terrain lacks {name}")))?;
            ground.push(GroundRow {
                letter: row.letter,
                entry: [row.foot, row.mounted, row.wheeled, row.mounted],
                sight: row.sight,
                cover: row.cover,
                impact: row.impact,
                disrupts: row.disrupts,
                command: row.command,
            });
        }
        let open = BorderRow {
            cross: [true; 4],
            extra: 0,
            shelter: Shelter::None,
            stone: false,
            impact: true,
            decline: false,
        };
        let mut border = [open; 5];
        for (kind, name) in Border::ALL {
            let row = raw.border.get(name).ok_or_else(|| bad(format!("border lacks {name}")))?;
            let may = |e: Entry| e != Entry::No;
            border[kind as usize] = BorderRow {
                cross: [may(row.foot), may(row.mounted), may(row.wheeled), may(row.mounted)],
                extra: row.extra,
                shelter: row.cover,
                stone: row.material == "stone",
                impact: row.impact,
                decline: row.decline,
            };
        }
        let mut artillery = Vec::new();
        for (name, row) in raw.artillery {
            let points = *raw
                .points
                .artillery
                .get(&name)
                .ok_or_else(|| bad(format!("points.artillery lacks {name}")))?;
            if row.bands.iter().any(|b| b.from == 0 || b.from > b.to || b.to > 12) {
                return Err(bad(format!(
                    "artillery.{name}: a band goes from 1 or more up to at most 12 hexes"
                )));
            }
            artillery.push(Artillery { name, over_friends: row.over_friends, bands: row.bands, points });
        }
        let armour_of = |code: &str| {
            raw.shooting.armour.get(code).copied().ok_or_else(|| bad(format!("shooting.armour lacks {code}")))
        };
        Ok(Tables {
            class_points,
            shooting_points,
            trait_points,
            horde_points: raw.points.horde,
            general_points,
            hero_points: raw.points.hero,
            army_points: raw.army.points,
            stands: [raw.army.stands, raw.army.horde_stands, raw.army.artillery_stands],
            board: [raw.set_up.width, raw.set_up.depth],
            deploy_rows: raw.set_up.deploy_rows,
            scout_speed: raw.set_up.scout_speed,
            bound_limit: raw.set_up.bound_limit,
            column_bonus: [raw.movement.column_bonus, raw.movement.road_bonus],
            turn_cost: raw.movement.turn_cost,
            formation_cost: raw.movement.formation_cost,
            pike_block_speed: raw.movement.pike_block_speed,
            dismounted_speed: raw.movement.dismounted_speed,
            pavise_speed: raw.movement.pavise_speed,
            flee_extra: raw.movement.flee_extra,
            pike_block: [raw.combat.pike_block_impact, raw.combat.pike_block_stands],
            column_stands: raw.combat.column_stands,
            column_impact: [raw.combat.column_impact_cap, raw.combat.column_impact_minus],
            combined_front: raw.combat.combined_front,
            up_slope: raw.combat.up_slope,
            hero_lines: raw.combat.hero_lines,
            removed_at: raw.combat.removed_at,
            range: raw.shooting.range,
            crossbow: raw.shooting.crossbow,
            pavise: [raw.shooting.pavise_bow, raw.shooting.pavise_gun],
            escarpment: raw.shooting.escarpment,
            armour: [armour_of("A1")?, armour_of("A2")?],
            suppress: [raw.shooting.suppress_wood, raw.shooting.suppress_stone],
            crt,
            // INVARIANT: one row was pushed for each of the nine kinds.
            ground: ground.try_into().map_err(|_| bad("terrain has nine rows".to_owned()))?,
            border,
            artillery,
        })
    }
}

/// The first value that is of another kind than the shipped one, or too large for its place, with its key: what the reader of
/// types cannot say.
pub(super) fn odd(value: &Value, shipped: &Value, key: &str) -> Option<String> {
    match (value, shipped) {
        (Value::Object(all), Value::Object(known)) => {
            all.iter().find_map(|(k, v)| odd(v, known.get(k)?, &format!("{key}.{k}")))
        }
        (Value::Array(all), Value::Array(known)) => {
            let first = known.first()?;
            (all.iter().enumerate())
                .find_map(|(n, v)| odd(v, known.get(n).unwrap_or(first), &format!("{key}.{}", n + 1)))
        }
        (v, Value::Number(n)) => {
            let least = if n.as_i64().is_some_and(|n| n < 0) || key.contains(".traits.") { -128 } else { 0 };
            let most = if least < 0 { 127 } else { 255 };
            let fits = v.as_i64().is_some_and(|x| (least..=most).contains(&x));
            (!fits).then(|| format!("{key} = {v}: a whole number from {least} to {most}, like {n}"))
        }
        (v, Value::String(n)) => {
            (!v.is_string()).then(|| format!("{key} = {v}: words in quotation marks, like \"{n}\""))
        }
        (v, Value::Bool(n)) => (!v.is_boolean()).then(|| format!("{key} = {v}: true or false, like {n}")),
        (v, Value::Object(_)) => Some(format!("{key} = {v}: a table of keys")),
        (v, Value::Array(_)) => Some(format!("{key} = {v}: a list")),
        _ => None,
    }
}
