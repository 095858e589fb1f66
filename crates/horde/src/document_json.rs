//! Parts of a document printed as JSON.

use crate::arms::{DamageType, Profile, Reach, Trait9, Unnatural, Weapon};
use crate::load::Load;
use crate::state::{Answer, State, Volley};
use crate::unit::{Kind, Side, Unit, UnitId};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

pub(crate) fn volley_json(state: &State, v: &Volley) -> Value {
    let attacks: Vec<Value> = v
        .attacks
        .iter()
        .map(|a| {
            let mut m = Map::new();
            m.insert("at".to_owned(), json!(&*state.unit(a.at).label));
            m.insert("how".to_owned(), json!(crate::words::print_how(state, v.by, &a.how)));
            if let Some(r) = a.roll {
                m.insert("roll".to_owned(), json!(r));
            }
            m.insert("degrees".to_owned(), json!(a.degrees.degrees));
            m.insert("hits".to_owned(), json!(a.hits));
            let answer = match a.answer {
                Answer::Open => "open",
                Answer::Tried => "tried",
                Answer::Taken => "taken",
            };
            m.insert("answer".to_owned(), json!(answer));
            if !a.damage.is_empty() {
                m.insert("damage".to_owned(), json!(a.damage));
            }
            if let Some(n) = a.fixed {
                m.insert("fixed".to_owned(), json!(n));
            }
            if a.accidental {
                m.insert("accidental".to_owned(), json!(true));
            }
            Value::Object(m)
        })
        .collect();
    let mut out = json!({ "by": &*state.unit(v.by).label, "act": v.act, "attack": attacks });
    if !v.dice.is_empty() {
        out["dice"] = json!(v.dice);
    }
    out
}

pub(crate) fn unit_json(state: &State, u: &Unit) -> Map<String, Value> {
    let mut m = profile_json(&u.profile).as_object().cloned().unwrap_or_default();
    let mut put = |k: &str, v: Value| _ = m.insert(k.to_owned(), v);
    put("label", json!(&*u.label));
    put("profile", Value::Null);
    put("name", json!(&*u.name));
    put("id", Value::Null);
    put("weapons", json!(u.weapons.iter().map(|w| &w.id).collect::<Vec<_>>()));
    if let Some(p) = &u.player {
        put("player", json!(&**p));
    }
    put("side", json!(if u.side == Side::Heretics { "heretics" } else { "foes" }));
    put("status", json!(u.status.word()));
    if let Some(i) = u.initiative {
        put("initiative", json!(i));
    }
    if let Some(s) = u.shock {
        put("shock", json!(s));
    }
    for (key, flag) in [("frenzied", u.frenzied), ("surprised", u.surprised), ("pinned", u.pinned)] {
        if flag {
            put(key, json!(true));
        }
    }
    if !u.pin_rolls.is_empty() {
        put("pin_rolls", json!(u.pin_rolls));
    }
    put("acts", json!(u.acts));
    let mut loads = Map::new();
    for (w, load) in u.weapons.iter().zip(&u.loads).filter(|(_, l)| **l != Load::default()) {
        let mut one = Map::new();
        if load.spent != 0 {
            one.insert("spent".to_owned(), json!(load.spent));
        }
        if load.jammed {
            one.insert("jammed".to_owned(), json!(true));
        }
        if let Some(round) = load.fired {
            one.insert("fired".to_owned(), json!(round));
        }
        loads.insert(w.id.clone(), Value::Object(one));
    }
    if !loads.is_empty() {
        put("loads", Value::Object(loads));
    }
    for (slot, key) in ["melee", "shoot"].into_iter().enumerate() {
        if let Some(usual) = &u.usual[slot] {
            put(key, json!(crate::words::print_usual(usual)));
        }
    }
    let labels =
        |ids: &BTreeSet<UnitId>| json!(ids.iter().map(|id| &*state.unit(*id).label).collect::<Vec<_>>());
    match &u.kind {
        Kind::Horde(h) => {
            put("magnitude", json!(h.m));
            put("original", json!(h.m0));
            put("round_start", json!(h.ms));
            put("lost", json!(h.lost));
            put("own_turn", json!(h.own));
            put("lost_own", json!(h.lost_own));
            if let Some(mb) = h.turn_mb {
                put("turn_bonus", json!(mb));
            }
            for (key, flag) in [("tested", h.tested), ("skip_test", h.skip_test)] {
                if flag {
                    put(key, json!(true));
                }
            }
            for (key, set) in [("engaged", &h.engaged), ("fought", &h.fought), ("holds", &h.held)] {
                if !set.is_empty() {
                    put(key, labels(set));
                }
            }
            if h.shots > 0 {
                put("shots", json!(h.shots));
            }
            for (key, form) in [("melee_form", h.forms[0]), ("ranged_form", h.forms[1])] {
                if let Some(f) = form {
                    put(key, json!(f.word()));
                }
            }
        }
        Kind::Person(p) => {
            put("wounds", json!(p.max));
            put("wounds_left", json!(p.wounds));
            put("critical", json!(p.critical));
            put("fatigue", json!(p.fatigue));
            put("reactions", json!(p.reactions));
            put("stunned", json!(p.stunned));
            put("open", json!(p.open));
            put("guarded", json!(p.guarded));
            put("aim", json!(p.aim.word()));
            if p.halves > 0 {
                put("halves", json!(p.halves));
            }
            for (key, flag) in [("stance", p.stance), ("prone", p.prone)] {
                if flag {
                    put(key, json!(true));
                }
            }
            if let Some(at) = p.feint {
                put("feint", json!(&*state.unit(at).label));
            }
            if let Some(by) = p.held_by {
                put("held_by", json!(&*state.unit(by).label));
            }
        }
    }
    m.retain(|_, v| !v.is_null());
    m
}

/// A weapon as its table in a file.
pub fn weapon_json(w: &Weapon) -> Value {
    let mut m = json!({
        "id": w.id, "name": w.name, "class": w.class.word(), "damage": w.damage.to_string(), "type": DamageType::letter(w.kind),
        "pen": w.pen, "rof": [i32::from(w.rof.0), w.rof.1, w.rof.2], "clip": w.clip, "qualities": w.qualities.texts,
    });
    match w.reach {
        Reach::Melee => {}
        Reach::Metres(n) => m["range"] = json!(n),
        Reach::StrengthTimes(n) => m["range"] = json!(format!("SBx{n}")),
    }
    for (key, flag) in [("grenade", w.grenade), ("psychic", w.psychic)] {
        if flag {
            m[key] = json!(true);
        }
    }
    m
}

/// A profile as its table in a file.
pub fn profile_json(p: &Profile) -> Value {
    let mut m = Map::new();
    m.insert("id".to_owned(), json!(p.id));
    m.insert("name".to_owned(), json!(p.name));
    for c in Trait9::ALL {
        m.insert(c.key().to_owned(), json!(p.value(c)));
    }
    let unnatural: Map<String, Value> = Trait9::ALL
        .into_iter()
        .filter_map(|c| {
            let text = match p.unnatural[c as usize] {
                Unnatural::Plain(0) => return None,
                Unnatural::Plain(n) => n.to_string(),
                Unnatural::Plus(n) => format!("+{n}"),
                Unnatural::Times(n) => format!("x{n}"),
            };
            Some((c.key().to_owned(), json!(text)))
        })
        .collect();
    if !unnatural.is_empty() {
        m.insert("unnatural".to_owned(), Value::Object(unnatural));
    }
    for (key, n) in [
        ("dodge", p.dodge),
        ("parry", p.parry),
        ("ap", p.ap),
        ("head_ap", p.head_ap),
        ("wounds", p.wounds),
        ("magnitude", p.magnitude),
        ("psy", p.psy),
    ] {
        m.insert(key.to_owned(), json!(n));
    }
    m.insert("wade".to_owned(), json!(p.wade));
    m.insert("weapons".to_owned(), json!(p.weapons));
    m.insert("traits".to_owned(), json!(p.traits.texts));
    Value::Object(m)
}
