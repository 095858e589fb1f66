//! Commands that wait for dice: typed in, rolled, or one and the other; and a die of the last command changed.

use super::Tracker;
use crate::command::Command;
use crate::event::Event;
use crate::roll::d5_from_d10;
use dice::{Address, Ask, Dice, NoDice, Seeded};
use game::record::Act;
use game::{Actor, Game as _, Stop};
use std::collections::{BTreeMap, VecDeque};

/// A die given while dice are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// It shows this; somebody typed it in, or a machine rolled it when the command was first given, if that is known.
    Face { value: u16, typed: Option<bool> },
    /// It is to be rolled.
    Roll,
}

impl Given {
    fn typed(value: u16) -> Self {
        Self::Face { value, typed: Some(true) }
    }
}

/// A command that waits for dice.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    pub(super) command: Command,
    pub(super) given: Vec<Given>,
    pub(super) wanted: Vec<Ask>,
    /// From here on all dice are rolled.
    pub(super) roll_rest: bool,
    /// The line that it takes the place of: that one stands until this one is complete.
    pub(super) instead_of: Option<u32>,
    /// What the die that is asked for must show, in words; empty if it decides nothing alone.
    pub(super) number: String,
    /// Dice named in the line that the changed line does not want.
    pub(super) left_out: Vec<u16>,
}

impl Asking {
    pub(super) fn new(command: Command, roll_rest: bool) -> Self {
        Self {
            command,
            given: Vec::new(),
            wanted: Vec::new(),
            roll_rest,
            instead_of: None,
            number: String::new(),
            left_out: Vec::new(),
        }
    }
}

/// Dice for a command: those given, then rolled ones or none.
struct Mixed<'a> {
    given: VecDeque<Given>,
    seeded: &'a mut Seeded,
    roll_rest: bool,
    /// Of the dice thrown, whether they were typed in.
    typed: BTreeMap<Address, Option<bool>>,
}

impl Dice for Mixed<'_> {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        for (i, (ask, value)) in asks.iter().zip(values).enumerate() {
            let typed;
            (*value, typed) = match self.given.pop_front() {
                Some(Given::Face { value, typed }) if (1..=ask.sides).contains(&value) => (value, typed),
                Some(Given::Face { value, .. }) => return Err(NoDice::OutOfRange { ask: *ask, value }),
                Some(Given::Roll) => (self.seeded.one(*ask)?, Some(false)),
                None if self.roll_rest => (self.seeded.one(*ask)?, Some(false)),
                None => return Err(NoDice::Needs(asks[i..].to_vec())),
            };
            self.typed.insert(ask.address, typed);
        }
        Ok(())
    }

    fn typed(&self, die: Address) -> Option<bool> {
        self.typed.get(&die).copied().flatten()
    }
}

impl Tracker {
    pub(super) fn attempt(&mut self, mut asking: Asking) {
        let kept = asking.instead_of.map(|_| self.table.clone());
        if let Some(to) = asking.instead_of
            && let Err(no) = self.table.undo(Actor::Umpire, to, &[], true, None)
        {
            self.message = no.why;
            return;
        }
        let given = asking.given.iter().copied().collect();
        let mut dice =
            Mixed { given, seeded: &mut self.seeded, roll_rest: asking.roll_rest, typed: BTreeMap::new() };
        let done = self.table.command(Actor::Umpire, &asking.command, &mut dice);
        let faces = dice
            .given
            .iter()
            .filter_map(|g| if let Given::Face { value, .. } = g { Some(*value) } else { None });
        let spare: Vec<u16> = faces.collect();
        if let Err(Stop::Dice(NoDice::Needs(asks))) = &done
            && let Some(ask) = asks.first()
        {
            asking.number = self.number_to_roll(&asking, ask);
        }
        if let (Some(kept), Err(_)) = (kept, &done) {
            // It was refused, or waits for more dice: what stood before stands.
            self.table = kept;
        }
        self.refused = matches!(done, Err(Stop::Refused(_)));
        match done {
            Ok(played) => {
                self.asking = None;
                self.scroll = 0;
                // What happened stands in the log, and there alone.
                self.message = match (spare.as_slice(), asking.left_out.as_slice(), asking.instead_of) {
                    ([], [], _) => String::new(),
                    // The log names them where the line itself does.
                    ([..], [], Some(_)) if told_spare(&played.events) => {
                        "so changed, no dice of hits are wanted; `die N VALUE` may change it back".to_owned()
                    }
                    ([], out, _) => {
                        format!("named and not wanted now, left out of the line: {}", crate::event::list(out))
                    }
                    (spare, _, Some(_)) => {
                        format!("so changed, {} not wanted: {}", are(spare.len()), crate::event::list(spare))
                    }
                    (spare, ..) => {
                        let many = if spare.len() == 1 { "one die" } else { "dice" };
                        let list = crate::event::list(spare);
                        format!("{many} too many, not used: {list} (F7 takes it all back)")
                    }
                };
            }
            // HC-125: fewer hits want fewer dice: those named last are left out, and that is told.
            Err(Stop::Refused(no)) if asking.instead_of.is_some() => {
                let mut shorter = asking.clone();
                match shorter.command.drop_die() {
                    Some(die) => {
                        shorter.left_out.insert(0, die);
                        self.attempt(shorter);
                        if self.message == REFUSED {
                            self.message = no.to_string();
                        }
                    }
                    None if !asking.left_out.is_empty() => self.message = REFUSED.to_owned(),
                    None => self.message = no.to_string(),
                }
            }
            Err(Stop::Refused(no)) => {
                self.asking = None;
                self.message = no.to_string();
            }
            Err(Stop::Dice(NoDice::Needs(asks))) => {
                self.message = String::new();
                asking.wanted = asks;
                self.asking = Some(asking);
            }
            Err(Stop::Dice(no)) => {
                self.message = no.to_string();
                asking.given.pop();
                self.asking = Some(asking);
            }
        }
    }

    /// The number under which a die must fall, found by carrying the command out on a copy: what the rules then tell.
    fn number_to_roll(&self, asking: &Asking, ask: &Ask) -> String {
        let mut state = self.table.state().clone();
        let label = |n: u64| {
            let unit = usize::try_from(n & 0xffff).ok().and_then(|n| state.units.get(n));
            unit.map(|u| u.label.clone())
        };
        let (by, at) = (label(ask.address.subject >> 16), label(ask.address.subject));
        let hit = usize::try_from(ask.address.moment >> 8 & 0xffff).unwrap_or(0);
        let mut seeded = self.seeded.clone();
        let given = asking.given.iter().copied().collect();
        let mut dice = Mixed { given, seeded: &mut seeded, roll_rest: true, typed: BTreeMap::new() };
        let mut events = Vec::new();
        // Whether it is refused in the end does not matter: the number was told before.
        _ = self.table.game().apply(&mut state, Actor::Umpire, &asking.command, &mut dice, &mut events);
        let is = |a: &crate::event::Label, b: &Option<crate::event::Label>| b.as_ref() == Some(a);
        let of = |e: &Event| match (ask.address.purpose, e) {
            ("to hit", Event::ToHit { by: b, at: a, score: Some(s), .. }) if is(b, &by) && is(a, &at) => {
                Some((String::new(), s.target))
            }
            ("evasion", Event::Evasion { who, with, score, .. }) if is(who, &at) => {
                Some((format!("{}, ", crate::event::reaction(*with)), score.target))
            }
            ("break", Event::BreakTest { who, score, .. }) if is(who, &at) => {
                Some((String::new(), score.target))
            }
            ("fear", Event::Fear { who, score: Some(s), .. }) if is(who, &at) => {
                Some((String::new(), s.target))
            }
            ("pinning" | "pinning again", Event::Pinning { who, score: Some(s), .. }) if is(who, &at) => {
                Some((String::new(), s.target))
            }
            ("wrestle" | "feint" | "knock down", Event::Opposed { scores, .. }) => {
                scores.get(hit).map(|s| (String::new(), s.target))
            }
            (purpose, Event::Recovered { who, score, .. })
                if is(who, &at) && matches!(purpose, "recover pinning" | "recover fear" | "slip out") =>
            {
                Some((String::new(), score.target))
            }
            _ => None,
        };
        let always = self.table.state().options.t().test.always;
        match events.iter().find_map(of) {
            Some((how, n)) if n < always => format!("{how}{always} alone"),
            Some((how, n)) => format!("{how}{n} or less"),
            None => String::new(),
        }
    }

    /// Numbers for the dice asked for; nothing: roll this one; `*`: roll all the rest.
    pub(super) fn answer_dice(&mut self, text: &str) {
        let Some(mut asking) = self.asking.take() else { return };
        let mut wanted = asking.wanted.iter().copied();
        if text.is_empty() {
            asking.given.push(Given::Roll);
        } else if text == "*" {
            asking.roll_rest = true;
        }
        let words: Vec<&str> =
            if text == "*" { Vec::new() } else { text.split([' ', ',']).filter(|w| !w.is_empty()).collect() };
        for word in words {
            // Dice beyond those named now may be wanted later; their faces are judged then.
            let sides = wanted.next().map_or(100, |a| a.sides);
            let value = crate::words::face(word, sides).and_then(|v| u16::try_from(v).ok());
            match value {
                Some(v) if sides == 5 && (6..=10).contains(&v) => {
                    asking.given.push(Given::typed(d5_from_d10(v)));
                }
                Some(v) if (1..=sides).contains(&v) => asking.given.push(Given::typed(v)),
                _ => {
                    let number = word.bytes().all(|b| b.is_ascii_digit());
                    let then =
                        if number { "nothing is lost, type it again" } else { "Esc leaves the question" };
                    self.message =
                        format!("a d{sides} cannot show {word}: 1 to {sides} would be right; {then}");
                    self.asking = Some(asking);
                    return;
                }
            }
        }
        self.attempt(asking);
    }

    /// `die 2 7`: the second die of the last command showed a 7; the command is carried out again with it. Dice named in the
    /// command count first, then those thrown for it.
    pub(super) fn change_die(&mut self, rest: &str) {
        let words: Vec<&str> = rest.split([' ', '=']).filter(|w| !w.is_empty()).collect();
        let last = self.standing().last().copied();
        let numbers = match words.as_slice() {
            [n, face] => {
                crate::words::whole(n).filter(|_| crate::words::whole(face).is_some()).zip(Some(*face))
            }
            _ => None,
        };
        let (Some(last), Some((n, value))) = (last, numbers) else {
            self.message = "die N VALUE: the Nth die of the last command showed VALUE".to_owned();
            return;
        };
        let n = usize::try_from(n).unwrap_or(0);
        let line = self.table.record().lines[last].clone();
        let Act::Command(text) = &line.act else { return };
        let kept = self.table.clone();
        let to = u32::try_from(last + 1).unwrap_or(u32::MAX);
        if let Err(no) = self.table.undo(Actor::Umpire, to, &[], true, None) {
            self.message = no.why;
            return;
        }
        let again = self.table.game().parse(self.table.state(), Actor::Umpire, text).map_err(|p| p.message);
        match again.and_then(|command| with_die(command, &line.throws, n, value)) {
            Ok((command, given)) => {
                self.table = kept;
                let asking = Asking::new(command, self.rolled);
                self.attempt(Asking { given, instead_of: Some(to), ..asking });
            }
            Err(why) => {
                self.table = kept;
                self.message = why;
            }
        }
    }
}

/// Says between two tries that the shorter line is refused as the longer one was.
const REFUSED: &str = "refused";

fn told_spare(events: &[Event]) -> bool {
    events.iter().any(|e| matches!(e, Event::Spare { .. }))
}

fn are(n: usize) -> String {
    if n == 1 { "one die is".to_owned() } else { format!("{n} dice are") }
}

/// A command with its `n`th die, from 1, showing `value`: the command, and the dice thrown for it.
fn with_die(
    mut command: Command,
    throws: &[game::record::Throw],
    n: usize,
    value: &str,
) -> Result<(Command, Vec<Given>), String> {
    let was = |t: &game::record::Throw| Given::Face { value: t.value, typed: t.typed };
    let mut given: Vec<Given> = throws.iter().map(was).collect();
    let mut named = command.named_dice();
    let all = named.len() + given.len();
    let sides = match n.checked_sub(1).map(|k| (k, named.get(k), throws.get(k.saturating_sub(named.len())))) {
        Some((_, Some((_, sides)), _)) => *sides,
        Some((k, None, Some(t))) if k < all => t.sides,
        _ => {
            let dice = if all == 1 { "die" } else { "dice" };
            return Err(format!("the last command had {all} {dice}; die 1 is the first"));
        }
    };
    let Some(face) = crate::words::face(value, sides)
        .and_then(|v| u16::try_from(v).ok())
        .filter(|v| (1..=sides).contains(v))
    else {
        return Err(format!("a d{sides} cannot show {value}: 1 to {sides} would be right"));
    };
    let count = named.len();
    match named.get_mut(n - 1) {
        Some((die, _)) => **die = face,
        None => given[n - 1 - count] = Given::typed(face),
    }
    Ok((command, given))
}
