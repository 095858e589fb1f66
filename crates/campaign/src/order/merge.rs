//! CAM-046, CAM-049: one list of orders from all that a nation sent.

use super::ast::{Item, Raise, Treaty};
use super::known::Known;
use super::read::{Line, read};
use super::set::{OrderSet, counting};
use crate::ids::BodyId;
use crate::rules::Rules;
use game::Problem;
use rulebook::rule;

/// What counts of all that a nation sent.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Resolved {
    /// The number of the set that counts; `None` if none was sent.
    pub number: Option<u32>,
    /// Numbers of the AMEND sets in it.
    pub amended_by: Vec<u32>,
    /// The orders that count.
    pub lines: Vec<Line>,
    /// What could not be read of the sets that count.
    pub problems: Vec<Problem>,
    /// Lines that count no more because a later line is about the same thing.
    pub double: Vec<Line>,
    /// CAM-046: numbers of sets that came after the deadline and do not count.
    pub late: Vec<u32>,
    /// Bodies that had an order in the set before and have none now.
    pub dropped: Vec<BodyId>,
}

/// What an order is about: a later one about the same thing takes its place.
fn about(item: &Item) -> String {
    match item {
        Item::Body(order) => format!("body {}", order.body),
        Item::Transfer { from, picks, to } => format!("transfer {from} {picks:?} {to:?}"),
        Item::Seat { body, .. } => format!("seat {body}"),
        Item::NameGeneral { element, .. } => format!("name {element}"),
        Item::MakeGeneral(label) => format!("make {label}"),
        Item::Covert { element, work, at, .. } => format!("covert {element} {work:?} {at}"),
        Item::Captive(who, _) => format!("captive {who}"),
        Item::Treaty(treaty) => match treaty {
            Treaty::Leave { vassal, about, .. } => format!("leave {vassal} {about}"),
            Treaty::Ally(n) | Treaty::Rescind(n) | Treaty::Withdraw(n) => format!("alliance {n}"),
            other => format!("treaty {other}"),
        },
        Item::Raise(Raise::Promote { element, .. } | Raise::Mount(element)) => format!("promote {element}"),
        // Lists of raising are long lists of like lines.
        Item::Raise(Raise::New { .. }) => String::new(),
    }
}

/// Reads and merges what counts.
#[must_use]
pub fn resolve(rules: &Rules, known: &Known, sets: &[OrderSet]) -> Resolved {
    let counts = counting(rules, sets, known.deadline);
    let late: Vec<u32> = counts.late.iter().map(|s| s.number).collect();
    let mut out = Resolved { late, ..Resolved::default() };
    let Some(base) = counts.base else {
        // Nothing to amend: what an AMEND set says stands alone.
        for set in &counts.amendments {
            amend(rules, &mut out, known, set);
        }
        return out;
    };
    out.number = Some(base.number);
    let reading = read(known, &base.text);
    out.problems = reading.problems;
    out.lines = reading.lines;
    double(rules, &mut out);
    let before = sets
        .iter()
        .filter(|s| s.number < base.number && !s.amends(rules) && s.state != super::set::SetState::Draft)
        .max_by_key(|s| s.number);
    if let Some(before) = before {
        let had = bodies(&read(known, &before.text).lines);
        let has = bodies(&out.lines);
        out.dropped = had.into_iter().filter(|b| !has.contains(b)).collect();
    }
    for set in counts.amendments {
        amend(rules, &mut out, known, set);
    }
    out
}

fn bodies(lines: &[Line]) -> Vec<BodyId> {
    let body = |item: &Item| if let Item::Body(order) = item { Some(order.body) } else { None };
    lines.iter().flat_map(|l| &l.items).filter_map(body).collect()
}

fn amend(rules: &Rules, out: &mut Resolved, known: &Known, set: &OrderSet) {
    let reading = read(known, &set.text);
    out.amended_by.push(set.number);
    // CAM-049 holds within it too.
    let mut reading = Resolved { lines: reading.lines, problems: reading.problems, ..Resolved::default() };
    double(rules, &mut reading);
    out.double.append(&mut reading.double);
    let subjects: Vec<String> = reading.lines.iter().flat_map(|l| &l.items).map(about).collect();
    for line in &mut out.lines {
        line.items.retain(|i| {
            let about = about(i);
            about.is_empty() || !subjects.contains(&about)
        });
    }
    out.lines.retain(|l| !l.items.is_empty());
    out.lines.extend(reading.lines);
    out.problems.extend(reading.problems);
}

/// CAM-049: two orders for one body in one set.
fn double(rules: &Rules, out: &mut Resolved) {
    let last = rules.is("duplicate_order", "last");
    let lines = std::mem::take(&mut out.lines);
    // A body, or a captive: of each thing only one comes true.
    let single = |a: &str| a.starts_with("body ") || a.starts_with("captive ");
    let subject = |l: &Line| -> Vec<String> { l.items.iter().map(about).filter(|a| single(a)).collect() };
    // What a mail program quoted is about the past: the author's own line about the same goes before it.
    let all: Vec<(bool, Vec<String>)> = lines.iter().map(|l| (l.quoted, subject(l))).collect();
    for (i, mut line) in lines.into_iter().enumerate() {
        let rivals = |of: &[(bool, Vec<String>)], a: &String, quoted: bool| {
            of.iter().any(|(q, l)| *q == quoted && l.contains(a))
        };
        let own = |a: &String| line.quoted && rivals(&all, a, false);
        let later = |a: &String| own(a) || rivals(&all[i + 1..], a, line.quoted);
        let earlier = |a: &String| !own(a) && rivals(&all[..i], a, line.quoted);
        let gone = |item: &Item| {
            let a = about(item);
            single(&a) && (later(&a) || !last && earlier(&a))
        };
        if line.items.iter().any(gone) {
            let quoted = line.items.iter().map(about).any(|a| own(&a));
            out.double.push(line.clone());
            let column = 1;
            out.problems.push(
                Problem::new(if quoted {
                    "it is quoted, and a line of your own is about the same and counts in its stead"
                } else if last {
                    "a later line is about the same and counts in its stead"
                } else {
                    "two lines are about the same, so neither counts"
                })
                .by(rule!("CAM-049"))
                .at("", line.n, column),
            );
            let kept: Vec<bool> = line.items.iter().map(|item| !gone(item)).collect();
            let mut kept = kept.into_iter();
            line.items.retain(|_| kept.next().unwrap_or(true));
        }
        if !line.items.is_empty() {
            out.lines.push(line);
        }
    }
}
