//! CAM-046: which of several sets of orders counts.

use crate::rules::Rules;
use serde::{Deserialize, Serialize};

/// The four states of orders are none, and these three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetState {
    /// Kept for the player; counts for nothing.
    Draft,
    /// Sent in; counts, and may yet be replaced.
    Submitted,
    /// The player has nothing to add.
    #[default]
    Confirmed,
}

/// One set of orders, as sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderSet {
    /// Its number, from 1 in each season, in the order of arrival.
    pub number: u32,
    /// When it was sent: minutes, or any count that grows.
    #[serde(default)]
    pub sent: i64,
    /// When it arrived, likewise.
    #[serde(default)]
    pub received: i64,
    /// What it is.
    #[serde(default)]
    pub state: SetState,
    /// Entered by the umpire for a player who telephoned or wrote on paper.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_umpire: bool,
    /// What it says.
    pub text: String,
}

impl OrderSet {
    /// Whether it is headed AMEND: after greetings too, but in campaigns begun before in its first line alone.
    #[must_use]
    pub fn amends(&self, rules: &Rules) -> bool {
        super::read::amends(&self.text, rules.strict())
    }
}

/// What counts of a nation's sets.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Counting<'a> {
    /// The set on which all rests.
    pub base: Option<&'a OrderSet>,
    /// Sets headed AMEND that change it, in order.
    pub amendments: Vec<&'a OrderSet>,
    /// Sets headed AMEND that are void, for want of a set or by the rules.
    pub void: Vec<&'a OrderSet>,
    /// Sets after the deadline: kept with their time, they count for nothing unless the umpire extends it.
    pub late: Vec<&'a OrderSet>,
}

/// CAM-046: the last set sent (or received) before the deadline, with the amendments sent after it. `deadline` and the
/// sets' times are counts of one kind; no deadline: everything is in time.
#[must_use]
pub fn counting<'a>(rules: &Rules, sets: &'a [OrderSet], deadline: Option<i64>) -> Counting<'a> {
    let by_receipt = rules.is("order_set", "last_received");
    let mut sorted: Vec<&OrderSet> = sets.iter().filter(|s| s.state != SetState::Draft).collect();
    sorted.sort_by_key(|s| if by_receipt { (s.received, s.number) } else { (s.sent, s.number) });
    let mut out = Counting::default();
    let late = |s: &OrderSet| deadline.is_some_and(|d| if by_receipt { s.received > d } else { s.sent > d });
    for set in sorted {
        if late(set) {
            out.late.push(set);
        } else if !set.amends(rules) {
            out.base = Some(set);
            out.amendments.clear();
        } else if rules.flag("amendments") {
            out.amendments.push(set);
        } else {
            out.void.push(set);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(number: u32, sent: i64, received: i64, text: &str) -> OrderSet {
        OrderSet {
            number,
            sent,
            received,
            state: SetState::Submitted,
            by_umpire: false,
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_last_sent_counts_whatever_arrives_last() {
        let rules = Rules::shipped();
        let sets = [set(1, 20, 30, "later"), set(2, 10, 40, "earlier"), set(3, 25, 41, "AMEND\nA1: hold")];
        let counts = counting(&rules, &sets, None);
        assert_eq!(counts.base.unwrap().number, 1);
        assert_eq!(counts.amendments.len(), 1);
        let last = Rules::layered(None, None, &[("order_set".into(), "last_received".into())]).unwrap();
        assert_eq!(counting(&last, &sets, None).base.unwrap().number, 2);
        assert_eq!(counting(&rules, &sets, Some(15)).base.unwrap().number, 2);
        assert_eq!(counting(&rules, &sets, Some(15)).late.len(), 2);
        let never = Rules::layered(None, None, &[("amendments".into(), "false".into())]).unwrap();
        assert_eq!(counting(&never, &sets, None).void.len(), 1);
    }
}
