//! Pending choices and what they interrupted, as text of one line each.

use crate::battle::{Battle, Deed, Departure, ElementId, Pending, SideId};
use crate::figure;
use crate::labels::{find_element, find_side, find_target};
use crate::words::target_label;
use field::Pose;
use game::Problem;
use rulebook::RuleId;
use serde_json::{Value, json};

impl Battle {
    fn deed_text(&self, deed: &Deed) -> String {
        let e = |id: &ElementId| self.full_label(*id);
        let and =
            |other: &Option<ElementId>| other.map(|o| format!(" {}", self.full_label(o))).unwrap_or_default();
        match deed {
            Deed::Recoil(who, partner) => format!("recoil {}{}", e(who), and(partner)),
            Deed::RecoilAbout(who) => format!("recoil-about {}", e(who)),
            Deed::Share(who) => format!("share {}", e(who)),
            Deed::Flee(who, partner) => format!("flee {}{}", e(who), and(partner)),
            Deed::Run(who) => format!("run {}", e(who)),
            Deed::Remove(who, how, rule) => {
                let how = match how {
                    Departure::Destroyed => "destroyed".to_owned(),
                    Departure::Fled => "fled".to_owned(),
                    Departure::Left => "left".to_owned(),
                    Departure::Ensorcelled(None) => "ensorcelled".to_owned(),
                    Departure::Ensorcelled(Some(by)) => format!("ensorcelled-by {}", e(by)),
                };
                format!("remove {} {rule} {how}", e(who))
            }
            Deed::Take(side, by) => format!("take {} {}", self.sides[side.index()].letter, e(by)),
            Deed::Pursue(who, second) => format!("pursue {}{}", e(who), and(second)),
        }
    }

    fn read_deed(&self, text: &str) -> Result<Deed, Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let e = |word: &str| find_element(self, word, SideId(0));
        let opt = |i: usize| words.get(i).map(|w| e(w)).transpose();
        let bad = || Problem::new(format!("not a deed: {text:?}"));
        let who = |i: usize| words.get(i).ok_or_else(bad).and_then(|w| e(w));
        Ok(match *words.first().ok_or_else(bad)? {
            "recoil" => Deed::Recoil(who(1)?, opt(2)?),
            "recoil-about" => Deed::RecoilAbout(who(1)?),
            "share" => Deed::Share(who(1)?),
            "flee" => Deed::Flee(who(1)?, opt(2)?),
            "run" => Deed::Run(who(1)?),
            "take" => Deed::Take(find_side(self, words.get(1).ok_or_else(bad)?)?, who(2)?),
            "pursue" => Deed::Pursue(who(1)?, opt(2)?),
            "remove" => {
                let rule: RuleId = words.get(2).ok_or_else(bad)?.parse().map_err(|_| bad())?;
                let how = match *words.get(3).ok_or_else(bad)? {
                    "destroyed" => Departure::Destroyed,
                    "fled" => Departure::Fled,
                    "left" => Departure::Left,
                    "ensorcelled" => Departure::Ensorcelled(None),
                    "ensorcelled-by" => Departure::Ensorcelled(Some(who(4)?)),
                    _ => return Err(bad()),
                };
                Deed::Remove(who(1)?, how, rule)
            }
            _ => return Err(bad()),
        })
    }

    /// A pending choice as JSON.
    pub(crate) fn write_pending(&self, pending: &Pending) -> Value {
        match pending {
            Pending::ShooterTarget { shooter, targets, ending } => json!({
                "choice": "target",
                "who": self.full_label(*shooter),
                "answers": targets.iter().map(|t| target_label(self, *t)).collect::<Vec<_>>(),
                "ending": ending,
            }),
            Pending::FlightWay { who, ends, then, all } => json!({
                "choice": "flight",
                "who": self.full_label(*who),
                "answers": ends.iter().map(|p| figure::pose(*p)).collect::<Vec<_>>(),
                "then": then.iter().map(|d| self.deed_text(d)).collect::<Vec<_>>(),
                "all": all,
            }),
        }
    }

    /// A pending choice from JSON.
    pub(crate) fn read_pending(&self, value: &Value) -> Result<Pending, Problem> {
        let bad = |what: &str| Problem::new(format!("pending choice: {what}"));
        let text = |key: &str| value[key].as_str().ok_or_else(|| bad(&format!("{key} is missing")));
        let list = |key: &str| -> Vec<&str> {
            value[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let who = find_element(self, text("who")?, SideId(0))?;
        match text("choice")? {
            "target" => {
                let targets: Vec<_> = list("answers")
                    .into_iter()
                    .map(|t| find_target(self, t, SideId(0)))
                    .collect::<Result<_, _>>()?;
                if targets.len() < 2 {
                    return Err(bad("two answers or more are needed"));
                }
                let ending = value["ending"].as_bool().unwrap_or(false);
                Ok(Pending::ShooterTarget { shooter: who, targets, ending })
            }
            "flight" => {
                let pose = |t: &str| -> Option<Pose> {
                    let words: Vec<&str> = t.split_whitespace().collect();
                    match words[..] {
                        [x, y, h] => figure::read_pose(x, y, h),
                        _ => None,
                    }
                };
                let ends: Vec<Pose> = list("answers")
                    .into_iter()
                    .map(|t| pose(t).ok_or_else(|| bad("not a place")))
                    .collect::<Result<_, _>>()?;
                if ends.len() < 2 {
                    return Err(bad("two answers or more are needed"));
                }
                let then = list("then").into_iter().map(|d| self.read_deed(d)).collect::<Result<_, _>>()?;
                Ok(Pending::FlightWay { who, ends, then, all: value["all"].as_bool().unwrap_or(false) })
            }
            other => Err(bad(&format!("unknown choice {other:?}")).meant(other, ["target", "flight"])),
        }
    }
}
