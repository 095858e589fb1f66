//! Commands that wait for dice: typed in, rolled, or one and the other; and a die of the last command changed.

use super::Tracker;
use crate::command::Command;
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
        if let (Some(kept), Err(_)) = (kept, &done) {
            // It was refused, or waits for more dice: what stood before stands.
            self.table = kept;
        }
        match done {
            Ok(played) => {
                self.asking = None;
                self.scroll = 0;
                self.message = played.events.last().map_or_else(String::new, crate::event::Event::tell);
                if !spare.is_empty() {
                    let list = crate::event::list(&spare);
                    let many = if spare.len() == 1 { "one die" } else { "dice" };
                    self.message =
                        format!("{many} too many, not used: {list} (F7 takes it all back); {}", self.message);
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
                    self.message = format!(
                        "a d{sides} cannot show {word}: 1 to {sides} would be right; nothing is lost, type it again"
                    );
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
                let (wanted, instead_of) = (Vec::new(), Some(to));
                self.attempt(Asking { command, given, wanted, roll_rest: self.rolled, instead_of });
            }
            Err(why) => {
                self.table = kept;
                self.message = why;
            }
        }
    }
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
