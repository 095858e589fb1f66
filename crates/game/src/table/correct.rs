//! A die that was typed wrongly is put right, until the next command: the record says that it was, and the same command
//! is played again with other dice. Nothing else changes.

use super::{Played, Table};
use crate::record::{Act, Record, Throw};
use crate::{Actor, Game, Stop, Viewer};
use dice::{Ask, Dice, NoDice, Scripted, Thrown};
use std::collections::VecDeque;

/// Why a die was not put right; nothing has changed then.
#[derive(Clone, Debug, PartialEq)]
pub enum NotCorrected<R> {
    /// No dice that this actor typed were the last thing to happen.
    Gone,
    /// These dice stand already.
    Same,
    /// So many more were given than are wanted.
    TooMany(usize),
    /// The command stops with these dice: others are wanted, or a value cannot be.
    Stop(Stop<R>),
}

/// The dice that stand put right, and more for what is asked only now.
struct PutRight<'a> {
    thrown: &'a [Thrown],
    values: &'a [u16],
    more: VecDeque<u16>,
}

impl PutRight<'_> {
    fn known(&self, ask: Ask) -> Option<u16> {
        let at = self.thrown.iter().position(|t| t.ask == ask)?;
        self.values.get(at).copied()
    }
}

impl Dice for PutRight<'_> {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        let mut more = self.more.iter();
        let all: Vec<Option<u16>> =
            asks.iter().map(|ask| self.known(*ask).or_else(|| more.next().copied())).collect();
        let used = self.more.len() - more.len();
        for (ask, value) in asks.iter().zip(&all) {
            if let Some(value) = value.filter(|v| !(1..=ask.sides).contains(v)) {
                return Err(NoDice::OutOfRange { ask: *ask, value });
            }
        }
        let lacking: Vec<Ask> =
            asks.iter().zip(&all).filter(|(_, v)| v.is_none()).map(|(ask, _)| *ask).collect();
        if !lacking.is_empty() {
            return Err(NoDice::Needs(lacking));
        }
        for (value, fell) in values.iter_mut().zip(all.into_iter().flatten()) {
            *value = fell;
        }
        self.more.drain(..used);
        Ok(())
    }
}

impl<G: Game> Table<G> {
    /// The line of the last command, if `by` gave it, its dice were typed, and no command has followed. What others did in
    /// secret since does not count: he must not learn of it. An end that came of these dice does not stand in the way.
    #[must_use]
    pub fn last_typed(&self, by: Actor) -> Option<u32> {
        if self.record.header.commitment.is_some() {
            return None;
        }
        let own = by.name(self.game.seats());
        for (line, kept) in self.record.lines.iter().zip(&self.played).rev() {
            match &line.act {
                _ if kept.undone => {}
                Act::Undo { .. } | Act::Snapshot(_) => {}
                Act::End { outcome, .. } if outcome.is_some() && *outcome == self.outcome() => {}
                Act::End { .. } => return None,
                Act::Command(_) if line.by == own => {
                    let typed = line.throws.iter().all(|t| t.typed != Some(false));
                    return (typed && !line.throws.is_empty()).then_some(line.n);
                }
                Act::Command(_) => {
                    let Actor::Seat(seat) = by else { return None };
                    let viewer = Viewer::Seat(seat);
                    let shows = || {
                        let view = |n| self.game.view(&self.at(n), viewer);
                        !self.seen_of(viewer, line.n).is_empty() || view(line.n) != view(line.n - 1)
                    };
                    if !kept.thrown.is_empty() || shows() {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// The dice of a line, as they fell.
    #[must_use]
    pub fn thrown_in(&self, line: u32) -> &[Thrown] {
        let kept = (line as usize).checked_sub(1).and_then(|n| self.played.get(n));
        kept.map_or(&[], |k| &k.thrown)
    }

    /// Puts right the dice that `by` typed last: `values` in the order in which they stand in the record, then those
    /// that are asked for only now. A die that stands and is no longer asked for is left out.
    ///
    /// # Errors
    /// As [`NotCorrected`] has it; nothing has changed then.
    pub fn correct(
        &mut self,
        by: Actor,
        values: &[u16],
    ) -> Result<Played<G::Event>, NotCorrected<G::Refusal>> {
        let to = self.last_typed(by).ok_or(NotCorrected::Gone)?;
        let at = to as usize - 1;
        let (Act::Command(text), thrown) =
            (self.record.lines[at].act.clone(), self.played[at].thrown.clone())
        else {
            return Err(NotCorrected::Gone);
        };
        if thrown.iter().map(|t| t.value).eq(values.iter().copied()) {
            return Err(NotCorrected::Same);
        }
        let before = self.at(to - 1);
        let command = self.game.parse(&before, by, &text).map_err(|_| NotCorrected::Gone)?;
        let kept = values.len().min(thrown.len());
        let mut dice = PutRight {
            thrown: &thrown,
            values: &values[..kept],
            more: values[kept..].iter().copied().collect(),
        };
        let mut told = dice::Recording::new(&mut dice);
        self.game.play(&before, by, &command, &mut told).map_err(NotCorrected::Stop)?;
        let fell: Vec<u16> = told.thrown.iter().map(|t| t.value).collect();
        if !dice.more.is_empty() {
            return Err(NotCorrected::TooMany(dice.more.len()));
        }
        let secret = self.secret_since(to);
        self.go_back(by, to, Act::Undo { to, agreed: Vec::new(), same_dice: false, wrong_die: true });
        let played = self.command(by, &command, &mut Scripted::new(fell)).map_err(NotCorrected::Stop)?;
        // Whoever corrects knows nothing of these, and their givers did not ask for it: they stand.
        for (actor, text) in secret {
            let _ = self.command_text(actor, &text, &mut Scripted::new([]));
        }
        Ok(played)
    }

    /// Commands after a line that still stand.
    fn secret_since(&self, line: u32) -> Vec<(Actor, String)> {
        let after = self.record.lines.iter().zip(&self.played).skip(line as usize);
        after
            .filter(|(_, kept)| !kept.undone)
            .filter_map(|(line, _)| match &line.act {
                Act::Command(text) => Some((Actor::named(&line.by, self.game.seats())?, text.clone())),
                _ => None,
            })
            .collect()
    }

    /// Whether a command may follow the line before it: after a wrong die the same one, by the same actor.
    pub(super) fn goes_on_as_corrected(&self, by: &str, text: &str) -> bool {
        let Some(last) = self.record.lines.last() else { return true };
        let Act::Undo { to, wrong_die: true, .. } = &last.act else { return true };
        let first = self.record.lines.get(*to as usize - 1);
        first.is_some_and(|line| line.by == by && matches!(&line.act, Act::Command(t) if t == text))
    }
}

/// What line `n` of a record put right: each die that shows something else now, with what stood there before (`None`: it is
/// thrown only now). `None` if the line puts nothing right.
#[must_use]
pub fn wrong_die(record: &Record, n: u32) -> Option<Vec<(&Throw, Option<u16>)>> {
    let Act::Undo { to, wrong_die: true, .. } = record.lines.get((n as usize).checked_sub(1)?)?.act else {
        return None;
    };
    let was = record.lines.get((to as usize).checked_sub(1)?)?;
    let is = record.lines.get(n as usize)?;
    let before = |t: &Throw| was.throws.iter().find(|w| w.purpose == t.purpose).map(|w| w.value);
    Some(is.throws.iter().map(|t| (t, before(t))).filter(|(t, was)| *was != Some(t.value)).collect())
}
