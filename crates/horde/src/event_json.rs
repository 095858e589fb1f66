//! Events as JSON: their kind and every figure.

use crate::damage::Place;
use crate::event::{Event, reaction};
use crate::roll::Score;
use crate::rule::Factor;
use serde_json::{Value, json};

impl Event {
    /// As a JSON object with its kind and every figure.
    pub fn json(&self) -> Value {
        let mut v = match self {
            Self::Order(all) => {
                json!({ "order": all.iter().map(|(l, i)| json!({ "who": &**l, "initiative": i })).collect::<Vec<_>>() })
            }
            Self::Round(n) => json!({ "round": n }),
            Self::Turn { who, horde } => {
                json!({ "who": &**who, "bonus": horde.map(|h| h.0), "shots": horde.map(|h| h.1) })
            }
            Self::ToHit { by, at, action, weapon, score, roll, struck, .. } => json!({
                "by": &**by, "at": &**at, "action": action.word(), "weapon": &**weapon, "score": score.as_ref().map(score_json),
                "roll": roll, "degrees": struck.degrees.degrees, "success": struck.degrees.success, "jam": struck.jam, "hits": struck.hits,
            }),
            Self::Scatter { by, at } | Self::Held { by, at } => json!({ "by": &**by, "at": &**at }),
            Self::Evasion { who, from, with, score, roll, degrees, left } => json!({
                "who": &**who, "from": &**from, "with": reaction(*with), "score": score_json(score), "roll": roll,
                "success": degrees.success, "degrees": degrees.degrees, "left": left,
            }),
            Self::Confined { who, from, must, may } => {
                json!({ "who": &**who, "from": &**from, "must": must, "may": may })
            }
            Self::Hits { by, at, base, steps, flame, hits } => json!({
                "by": &**by, "at": &**at, "base": base, "steps": factors_json(steps), "flame": flame, "hits": hits,
            }),
            Self::Damage { by, at, faces, kept, flat, damage, soak, place, lost, hits, .. } => json!({
                "by": &**by, "at": &**at, "faces": faces, "kept": kept, "flat": flat, "damage": damage, "soak": soak,
                "place": place.map(Place::word), "lost": lost, "hits": hits,
            }),
            Self::Hatred { by, at, critical } => json!({ "by": &**by, "at": &**at, "critical": critical }),
            Self::SprayJam { by } => json!({ "by": &**by }),
            Self::Magnitude { who, lost, left, talent } => {
                json!({ "who": &**who, "lost": lost, "left": left, "talent": talent.as_ref().map(|t| t.name.to_string()) })
            }
            Self::Wounds { who, lost, left, critical, .. } => {
                json!({ "who": &**who, "lost": lost, "left": left, "critical": critical })
            }
            Self::Due { who, loss, base } => json!({ "who": &**who, "loss": loss, "of": base }),
            Self::BreakTest { who, score, roll, holds } => {
                json!({ "who": &**who, "score": score_json(score), "roll": roll, "holds": holds })
            }
            Self::Broke { who, rule } => json!({ "who": &**who, "rule": rule.to_string() }),
            Self::Tide { who } | Self::Free { who } | Self::Defends { who } => json!({ "who": &**who }),
            Self::Out { who, status, rule } => {
                json!({ "who": &**who, "status": status.word(), "rule": rule.to_string() })
            }
            Self::Fear { who, rating, score, roll, degrees, shock, rounds } => json!({
                "who": &**who, "rating": rating, "score": score.as_ref().map(score_json), "roll": roll,
                "holds": degrees.is_none_or(|d| d.success), "shock": shock.as_ref().map(|s| s.1), "effect": shock.as_ref().map(|s| &*s.2),
                "rounds": rounds,
            }),
            Self::Pinning { who, by, score, rolls, pinned } => json!({
                "who": &**who, "by": &**by, "score": score.as_ref().map(score_json), "rolls": rolls, "pinned": pinned,
            }),
            Self::Stun { by, at, die, adds, total, versus, rounds } => json!({
                "by": &**by, "at": &**at, "die": die, "adds": factors_json(adds), "total": total, "versus": versus, "rounds": rounds,
            }),
            Self::Opposed { by, at, scores, rolls, winner, .. } => json!({
                "by": &**by, "at": &**at, "scores": scores.iter().map(score_json).collect::<Vec<_>>(), "rolls": rolls,
                "winner": winner.as_ref().map(|w| &*w.0), "net": winner.as_ref().map(|w| w.1),
            }),
            Self::Recovered { who, from, score, roll, free } => {
                json!({ "who": &**who, "from": from, "score": score_json(score), "roll": roll, "free": free })
            }
            Self::Aims { who, bonus } => json!({ "who": &**who, "bonus": bonus }),
            Self::Prone { who, down } => json!({ "who": &**who, "down": down }),
            Self::Arms { who, weapon, gains } => {
                json!({ "who": &**who, "weapon": &**weapon, "gains": gains })
            }
            Self::Empty { who, weapon, left } => json!({ "who": &**who, "weapon": &**weapon, "left": left }),
            Self::Reloads { who, weapon, clip } => {
                json!({ "who": &**who, "weapon": &**weapon, "clip": clip })
            }
            Self::Unjams { who, weapon } => json!({ "who": &**who, "weapon": &**weapon }),
            Self::Reach { horde, with, on } => json!({ "horde": &**horde, "with": &**with, "on": on }),
            Self::OutOfTurn { who } => json!({ "who": &**who }),
            Self::StillToAct { who } => json!({ "who": who.iter().map(|l| &**l).collect::<Vec<_>>() }),
            Self::Spare { who, dice } => json!({ "who": &**who, "dice": dice }),
            Self::Note { who, note } => json!({ "who": &**who, "note": note.fact(who) }),
            Self::Reason { words, because } | Self::Ruled { words, because } => {
                json!({ "words": words, "because": because })
            }
        };
        if let Some(m) = v.as_object_mut() {
            m.insert("kind".to_owned(), json!(self.kind()));
        }
        v
    }
}

/// A score as JSON.
pub fn score_json(s: &Score) -> Value {
    json!({ "of": s.of, "base": s.base, "factors": factors_json(&s.factors), "sum": s.sum, "target": s.target })
}

fn factors_json(f: &[Factor]) -> Value {
    json!(
        f.iter()
            .map(|f| json!({ "rule": f.rule.to_string(), "name": f.name, "value": f.value }))
            .collect::<Vec<_>>()
    )
}
