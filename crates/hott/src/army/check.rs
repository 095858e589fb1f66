//! Whether a list is a legal army (HOTT-009 to HOTT-012; BB-003 to BB-009, BB-100, BB-101), and what is
//! wrong with it.

use rulebook::{RuleId, rule};
use serde::Serialize;

use super::model::{Army, Entry, Halves, ONE_GENERAL};
use super::paste::{Pasted, Unread};
use crate::table::options::{Gradable, HalfRule};
use crate::table::{Grade, Tables, TroopType};

/// One thing wrong with a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListProblem {
    /// The rule that it breaks.
    pub rule: RuleId,
    /// What is wrong, with the figures.
    pub message: String,
    /// The line of the list, from 1; none where it is about the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Something to look at that does not make the list illegal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub warning: bool,
}

/// One entry as the verdict lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// The type's full name, singular.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// How many.
    pub count: u16,
    /// Whether it holds the general.
    pub general: bool,
    /// BB-007: `elite` or `levy`, if it is graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<&'static str>,
    /// BB-011, BB-015: whether it has a shooting weapon.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub armed: bool,
    /// BB-002: its command, in an army of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<u8>,
}

/// What checking says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// A legal army as it stands.
    pub legal: bool,
    /// Legal apart from naming no general (HOTT-011).
    pub legal_but_for_general: bool,
    /// AP in all.
    pub ap: Halves,
    /// AP in elements that cost 1 or 2.
    pub small_ap: Halves,
    /// What it consists of.
    pub elements: Vec<Counted>,
    /// What is wrong.
    pub problems: Vec<ListProblem>,
    /// Lines that could not be read.
    pub unread: Vec<Unread>,
}

/// Checks what was read of a pasted list or a file. Lines that could not be read stand in the verdict; it
/// is about what could.
pub fn check_list(list: &Pasted, tables: &Tables, ap: Option<i32>) -> Verdict {
    Verdict { unread: list.unread.clone(), ..check(&list.army, tables, ap) }
}

struct Checker<'a> {
    tables: &'a Tables,
    problems: Vec<ListProblem>,
}

impl Checker<'_> {
    fn wrong(&mut self, rule: RuleId, line: u32, message: String) {
        self.problems.push(ListProblem { rule, message, line: (line > 0).then_some(line), warning: false });
    }
}

/// Checks a list against the rules in force. `ap` overrides the size that the list was written for; in a
/// big battle it is that of each command, on average (BB-003), where the list states the whole army's.
pub fn check(army: &Army, tables: &Tables, ap: Option<i32>) -> Verdict {
    let mut c = Checker { tables, problems: Vec::new() };
    let commands = i32::try_from(army.command_numbers().len()).unwrap_or(1).max(1);
    let each = ap.unwrap_or(tables.numbers.army_ap);
    let limit = match army.ap {
        Some(own) if ap.is_none() => own,
        // BB-003: unless the host has said how much, the army is as large as it is.
        _ if tables.is_big() && ap.is_none() => (army.ap_total(tables).0 + 1) / 2,
        _ if tables.is_big() => each.saturating_mul(commands),
        _ => each,
    };
    c.size(army, limit);
    c.dear(army, limit);
    c.types(army);
    c.stronghold(army);
    if tables.is_big() {
        c.commands(army, limit);
    } else {
        c.one_command(army);
    }
    let before = c.problems.iter().filter(|p| !p.warning).count();
    let unnamed = c.generals(army);
    let legal_but_for_general = c.problems.iter().filter(|p| !p.warning).count() == before + unnamed
        && before == 0
        && c.could_lead(army);
    Verdict {
        legal: c.problems.iter().all(|p| p.warning),
        legal_but_for_general,
        ap: army.ap_total(tables),
        small_ap: army.ap_small(tables),
        elements: army
            .entries
            .iter()
            .map(|e| Counted {
                ty: e.ty.name(),
                count: e.count,
                general: e.general,
                grade: match e.grade {
                    Grade::Levy => Some("levy"),
                    Grade::Plain => None,
                    Grade::Elite => Some("elite"),
                },
                armed: e.shooting,
                command: (commands > 1).then_some(e.command),
            })
            .collect(),
        problems: c.problems,
        unread: Vec::new(),
    }
}

impl Checker<'_> {
    /// HOTT-009: not more than the army's size; BB-003 leaves the size to the host.
    fn size(&mut self, army: &Army, limit: i32) {
        let total = army.ap_total(self.tables);
        let rule = if self.tables.is_big() { rule!("BB-003") } else { rule!("HOTT-009") };
        if army.entries.is_empty() {
            self.wrong(rule!("HOTT-009"), 0, "the list has no elements".to_owned());
        }
        if total > Halves::whole(limit) {
            let over = Halves(total.0 - limit * 2);
            self.wrong(rule, 0, format!("{total} AP, {over} more than the {limit} of this army"));
        }
    }

    /// HOTT-010, BB-004; HOTT-R20: half of what was spent, or of the army's size.
    fn dear(&mut self, army: &Army, limit: i32) {
        let n = &self.tables.numbers;
        let total = army.ap_total(self.tables);
        let dear = Halves(total.0 - army.ap_small(self.tables).0);
        let whole = match self.tables.options.half_rule {
            HalfRule::Spent => total,
            HalfRule::Size => Halves::whole(limit),
        };
        if dear.0 * n.dear_share_den > whole.0 * n.dear_share_num {
            let most = Halves(whole.0 * n.dear_share_num / n.dear_share_den);
            let rule = if self.tables.is_big() { rule!("BB-004") } else { rule!("HOTT-010") };
            let from = n.dear_from_ap;
            let message =
                format!("{dear} AP in elements of {from} AP and more: at most {most} of {whole} AP may be");
            self.wrong(rule, 0, message);
        }
    }

    /// Types and equipment that this game does not know; grades (BB-007, BB-100).
    fn types(&mut self, army: &Army) {
        for e in &army.entries {
            let data = self.tables.troop(e.ty);
            if e.ty == TroopType::Str {
                let message = "a Stronghold is no element of the army and costs nothing".to_owned();
                self.wrong(rule!("HOTT-013"), e.line, message);
            }
            if !self.tables.is_big() {
                if data.big {
                    let message = format!("{} are a type of the big battles", e.ty.plural());
                    self.wrong(data.rule, e.line, message);
                }
                if e.grade != Grade::Plain {
                    let message = format!("{}: grades are for big battles", e.label());
                    self.wrong(rule!("BB-007"), e.line, message);
                }
            }
            let hidden = matches!(e.ty, TroopType::God | TroopType::Drg) || e.ty.is_lurker();
            if e.grade != Grade::Plain && hidden && self.tables.big.gradable == Gradable::Deployed {
                self.wrong(rule!("BB-100"), e.line, format!("{}: may not be graded", e.label()));
            }
            if e.shooting && data.arms.is_none() {
                let message = format!("{} have no choice of a shooting weapon", e.ty.plural());
                self.wrong(rule!("BB-011"), e.line, message);
            }
        }
    }

    /// HOTT-074: the footprint.
    fn stronghold(&mut self, army: &Army) {
        let n = &self.tables.numbers;
        let bounds = n.stronghold_min_bw..=n.stronghold_max_bw;
        if let Some(plan) = army.stronghold
            && !(bounds.contains(&plan.width_bw) && bounds.contains(&plan.depth_bw))
        {
            let (min, max) = bounds.into_inner();
            let message = format!(
                "a stronghold of {} by {} hundredths of a base width: {min} to {max} each way",
                plan.width_bw, plan.depth_bw
            );
            self.wrong(rule!("HOTT-074"), 0, message);
        }
    }

    /// The base game knows one command (HOTT-345 is for big battles).
    fn one_command(&mut self, army: &Army) {
        if army.command_numbers().len() > 1 {
            let message = "several commands are for big battles".to_owned();
            self.wrong(rule!("HOTT-345"), 0, message);
        }
    }

    /// BB-002, BB-003, BB-006, BB-101.
    fn commands(&mut self, army: &Army, limit: i32) {
        let n = &self.tables.numbers;
        let commands = army.command_numbers();
        let most = usize::try_from(n.commands_max).unwrap_or_default();
        if commands.len() > most {
            let message = format!("{} commands: an army has at most {most}", commands.len());
            self.wrong(rule!("BB-101"), 0, message);
        }
        if !commands.is_empty() && !commands.contains(&army.commands.cinc) {
            let numbers: Vec<String> = commands.iter().map(ToString::to_string).collect();
            let message = format!(
                "cinc = {}: there is no such command; the army has {}",
                army.commands.cinc,
                numbers.join(", ")
            );
            self.wrong(rule!("BB-002"), 0, message);
        }
        for e in army.entries.iter().filter(|e| e.command != army.commands.cinc) {
            let kept = matches!(e.ty, TroopType::God | TroopType::Drg) || e.ty.is_lurker();
            if kept {
                let message = format!("{} must be in the commander-in-chief's command", e.ty.plural());
                self.wrong(rule!("BB-006"), e.line, message);
            }
        }
        self.command_sizes(army, &commands, limit);
    }

    /// BB-003: the average is a warning, the host's own bounds are errors.
    fn command_sizes(&mut self, army: &Army, commands: &[u8], limit: i32) {
        let n = &self.tables.numbers;
        let total = if army.ap.is_some() { Halves::whole(limit) } else { army.ap_total(self.tables) };
        let count = i32::try_from(commands.len()).unwrap_or(1).max(1);
        // What the host has said stands in the place of the usual.
        let (low, high) = (self.tables.big.ap_per_command_min, self.tables.big.ap_per_command_max);
        let bounds = [(low, n.command_ap_min), (high, n.command_ap_max)];
        let [least, most] = bounds.map(|(host, usual)| if host > 0 { host } else { usual });
        let of = if count == 1 { "one command".to_owned() } else { format!("{count} commands") };
        for (wrong, hosts) in [(total.0 < 2 * least * count, low > 0), (total.0 > 2 * most * count, high > 0)]
        {
            if !wrong {
                continue;
            }
            let who = if hosts { "the host asks for" } else { "usual are" };
            let message = format!("{total} AP in {of}: {who} {least} to {most} AP a command on average");
            self.problems.push(ListProblem { rule: rule!("BB-003"), message, line: None, warning: !hosts });
        }
    }

    /// HOTT-011, HOTT-012, BB-009. How many commands name no general.
    fn generals(&mut self, army: &Army) -> usize {
        let one = usize::try_from(self.tables.numbers.generals).unwrap_or(1);
        let mut unnamed = 0;
        let mut commands = army.command_numbers();
        if !self.tables.is_big() || commands.is_empty() {
            commands = vec![0];
        }
        for command in commands {
            let of_command = |e: &&Entry| command == 0 || e.command == command;
            let named: Vec<&Entry> = army.entries.iter().filter(of_command).filter(|e| e.general).collect();
            let held: usize = named.iter().map(|e| usize::from(e.count)).sum();
            let whose = if command == 0 { "the list".to_owned() } else { format!("command {command}") };
            if held < one {
                unnamed += 1;
                self.wrong(ONE_GENERAL, 0, format!("{whose} names no general"));
            }
            if held > one {
                let line = named.last().map_or(0, |e| e.line);
                // Two generals and far too many AP: somebody has pasted his enemy too.
                let size = Halves::whole(self.tables.numbers.army_ap);
                let two = command == 0 && army.ap_total(self.tables).0 * 2 >= size.0 * 3;
                let hint = if two { "; two armies in one list? paste each by itself" } else { "" };
                self.wrong(ONE_GENERAL, line, format!("{whose} names {held} generals: one leads{hint}"));
            }
            let barred: Vec<&Entry> = named.into_iter().filter(|e| !self.may_lead(e.ty)).collect();
            for e in barred {
                let message = format!("a {} may not hold the general", e.ty.name());
                self.wrong(rule!("HOTT-012"), e.line, message);
            }
        }
        unnamed
    }

    /// HOTT-012, BB-009.
    fn may_lead(&self, ty: TroopType) -> bool {
        let data = self.tables.troop(ty);
        data.general && (!data.big || self.tables.big.new_type_generals)
    }

    /// Whether every command has an element that could hold the general.
    fn could_lead(&self, army: &Army) -> bool {
        let commands = army.command_numbers();
        let able = |command: &u8| {
            army.entries
                .iter()
                .any(|e| (!self.tables.is_big() || e.command == *command) && self.may_lead(e.ty))
        };
        !commands.is_empty() && commands.iter().all(able)
    }
}
