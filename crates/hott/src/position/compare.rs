//! Where pieces differ from what a case expects of them.

use super::{flag_of, flag_words, hundredths};
use crate::battle::{Battle, SideId, State, Strong, Target};
use crate::figure;
use crate::labels::{FATES, find_target};
use field::{PACE, Point, Pose};
use game::Problem;
use serde_json::Value;

/// How far off a place in a case may be, in 1/100 pace: a case is written in whole paces.
const NEAR: i32 = PACE / 2;
/// How far off a heading may be, in 1/100 degree.
const NEAR_TURN: i32 = 50;

impl Battle {
    /// One sentence for every difference between the pieces of a state and what is expected of them.
    ///
    /// # Errors
    /// What of the expectation could not be read.
    pub fn compare_pieces(&self, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
        let mut out = Vec::new();
        for (label, wanted) in expected.as_object().into_iter().flatten() {
            match find_target(self, label, SideId(0))? {
                Target::Element(id) => {
                    let now = state.element(id);
                    let is = FATES[now.fate as usize].1;
                    self.compare_piece(label, wanted, now.pose, is, &flag_words(now.flags), &mut out)?;
                }
                Target::Stronghold(side) => {
                    let (pose, is) = match state.side(side).strong {
                        Strong::Stands(base) => (base.pose, "table"),
                        Strong::Lost(base) => (base.pose, "lost"),
                        Strong::Waiting => (Pose::default(), "waiting"),
                        Strong::None if state.large.has_lost_baggage(side) => (Pose::default(), "removed"),
                        Strong::None => (Pose::default(), "none"),
                    };
                    self.compare_piece(label, wanted, pose, is, &[], &mut out)?;
                }
            }
        }
        Ok(out)
    }

    fn compare_piece(
        &self,
        label: &str,
        wanted: &Value,
        pose: Pose,
        fate: &str,
        flags: &[&str],
        out: &mut Vec<String>,
    ) -> Result<(), Problem> {
        // `"B.Spr1" = "destroyed"` or `"B.Spr1" = "1200 300 0"`.
        let Some(map) = wanted.as_object() else {
            let text = wanted
                .as_str()
                .ok_or_else(|| Problem::new(format!("{label}: expected a fate, a place or a table")))?;
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                [word] => {
                    if !word.eq_ignore_ascii_case(fate) {
                        out.push(format!("{label}: expected {word}, is {fate}"));
                    }
                }
                [x, y, h] => {
                    let there = figure::read_pose(x, y, h)
                        .ok_or_else(|| Problem::new(format!("{label}: not a place: {text}")))?;
                    near(label, there.point(), pose, out);
                    turned(label, there.heading.hundredths(), pose, out);
                }
                _ => return Err(Problem::new(format!("{label}: not a place: {text}"))),
            }
            return Ok(());
        };
        for (key, value) in map {
            match key.as_str() {
                "at" => {
                    let list = value.as_array().map(Vec::as_slice);
                    let point = match list {
                        Some([x, y]) => hundredths(x).zip(hundredths(y)).map(|(x, y)| Point::new(x, y)),
                        _ => None,
                    };
                    let point = point.ok_or_else(|| Problem::new(format!("{label}: at = [x, y]")))?;
                    near(label, point, pose, out);
                }
                "heading" => {
                    let h = hundredths(value)
                        .ok_or_else(|| Problem::new(format!("{label}: heading: {value}")))?;
                    turned(label, h, pose, out);
                }
                "fate" => {
                    let word = value.as_str().unwrap_or("");
                    if !word.eq_ignore_ascii_case(fate) {
                        out.push(format!("{label}: expected {word}, is {fate}"));
                    }
                }
                "flags" => {
                    for word in value.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        if flag_of(word).is_none() {
                            return Err(Problem::new(format!("{label}: unknown flag: {word}")));
                        }
                        if !flags.contains(&word) {
                            out.push(format!("{label}: not {word}; its flags: {}", flags.join(", ")));
                        }
                    }
                }
                other => {
                    let p = Problem::new(format!("{label}: unknown key: {other}"));
                    return Err(p.meant(other, ["at", "heading", "fate", "flags"]));
                }
            }
        }
        Ok(())
    }
}

fn near(label: &str, there: Point, pose: Pose, out: &mut Vec<String>) {
    if pose.point().distance(there) > NEAR {
        let (x, y) = (figure::print(there.x), figure::print(there.y));
        out.push(format!("{label}: expected at {x} {y}, is at {}", figure::pose(pose)));
    }
}

fn turned(label: &str, heading: i32, pose: Pose, out: &mut Vec<String>) {
    if pose.heading.angle_to(field::Heading::new(heading)) > NEAR_TURN {
        let is = figure::print(pose.heading.hundredths());
        out.push(format!("{label}: expected heading {}, is {is}", figure::print(heading)));
    }
}
