//! Judge, throw, append and sync, acknowledge, publish.

use super::look::{previewed, try_out};
use super::{Live, Room, now};
use crate::auth::{Pass, Who};
use crate::error::ApiError;
use crate::wire::{Asks, Command, DiceBy, Done, PutRight, Undo, Wanted};
use dice::Scripted;
use game::record::Act;
use game::{Actor, Answer, Outcome, Seat, Viewer};
use serde_json::Value;
use store::{Store, StoreError};

/// Longer commands are no commands.
pub(crate) const LONGEST_COMMAND: usize = 4000;
/// A snapshot stands in the record after every so many lines: from it a later release can play on.
const SNAPSHOT_EVERY: usize = 100;
/// So many first answers are kept for repeated sendings.
const ANSWERS_KEPT: usize = 64;

impl Room {
    /// A command of a person.
    ///
    /// # Errors
    /// Refusals, dice that are wanted, commands that were overtaken; nothing has changed then.
    pub(crate) async fn command(&self, store: &Store, pass: &Pass, cmd: &Command) -> Result<Value, ApiError> {
        let mut live = self.live.lock().await;
        // A computer's command waits for dice that somebody must throw.
        let theirs = live.waits_for_dice(pass, cmd);
        let who = live.who(pass, if theirs.is_some() { None } else { cmd.seat.as_deref() })?;
        let Some(actor) = theirs.or(who.actor) else {
            return Err(ApiError::not_yours("only a player can do this; you are watching"));
        };
        let key = cmd.key.as_ref().map(|k| format!("{} {k}", who.role));
        if let Some((_, first)) = live.answered.iter().find(|(k, _)| Some(k) == key.as_ref()) {
            return Ok(first.clone());
        }
        if cmd.text.len() > LONGEST_COMMAND {
            return Err(ApiError::bad(format!("a command has at most {LONGEST_COMMAND} characters")));
        }
        live.may_play(&who)?;
        let text = if theirs.is_some() {
            cmd.text.clone()
        } else {
            live.not_overtaken(&who, actor, cmd)?;
            live.judged(&who, actor, &cmd.text, &cmd.dice)?
        };
        // Whoever acts is back.
        live.dirty |= live.about.covered.remove(&who.role).is_some();
        let before = live.stream(who.viewer).version();
        live.play(actor, &text, &cmd.dice)?;
        self.keep(&mut live, store).await?;
        let done = Done {
            version: live.stream(who.viewer).version(),
            items: live.stream(who.viewer).after(before).map(|i| (**i).clone()).collect(),
            table: live.state(&self.id, pass, &who, true),
        };
        let done = serde_json::to_value(done).unwrap_or(Value::Null);
        if let Some(key) = key {
            live.answered.push_back((key, done.clone()));
            if live.answered.len() > ANSWERS_KEPT {
                live.answered.pop_front();
            }
        }
        drop(live);
        self.publish();
        Ok(done)
    }

    /// Puts right dice that were typed wrongly, until the next command; an end that they brought about is none then.
    ///
    /// # Errors
    /// If it is too late, or with these dice others are wanted; nothing has changed then.
    pub(crate) async fn put_right(
        &self,
        store: &Store,
        pass: &Pass,
        wish: &PutRight,
    ) -> Result<Value, ApiError> {
        let mut live = self.live.lock().await;
        let who = live.who(pass, wish.seat.as_deref())?;
        let (seat, _) = live.seat(pass, wish.seat.as_deref())?;
        if live.lost {
            return Err(ApiError::broken("the table is being set up again; try again"));
        }
        if live.about.imported || live.over && live.about.rematch.is_some() {
            return Err(over());
        }
        let before = live.stream(who.viewer).version();
        let stand = live.table.last_typed(Actor::Seat(seat)).is_some();
        if live.about.dice != DiceBy::Typed || wish.expected != before || !stand {
            return Err(ApiError::conflict("gone", "dice can be put right until the next command"));
        }
        accepted(live.table.correct(Actor::Seat(seat), &wish.dice))?;
        live.over = false;
        self.keep(&mut live, store).await?;
        let done = Done {
            version: live.stream(who.viewer).version(),
            items: live.stream(who.viewer).after(before).map(|i| (**i).clone()).collect(),
            table: live.state(&self.id, pass, &who, true),
        };
        drop(live);
        self.publish();
        Ok(serde_json::to_value(done).unwrap_or(Value::Null))
    }

    /// Takes back: an own last act without dice or revelations at once, anything else by asking the others.
    ///
    /// # Errors
    /// Where there is nothing to take back. `Ok(false)`: the others are asked.
    pub(crate) async fn undo(&self, store: &Store, pass: &Pass, wish: &Undo) -> Result<bool, ApiError> {
        let mut live = self.live.lock().await;
        let (seat, name) = live.seat(pass, wish.seat.as_deref())?;
        if live.over {
            return Err(over());
        }
        let to = live.line_to_undo(seat, wish.to)?;
        // Computers agree, and so do the other seats that the same browser holds.
        let seats = live.seats().to_vec();
        let agreed: Vec<Seat> = (0_u8..)
            .zip(&seats)
            .filter(|(n, s)| {
                *n != seat.0 && (live.level(s).is_some() || pass.holds(s) || live.about.resigned.contains(*s))
            })
            .map(|(n, _)| Seat(n))
            .collect();
        if live.take_back(Actor::Seat(seat), to, &agreed).is_ok() {
            self.keep(&mut live, store).await?;
            drop(live);
            self.publish();
            return Ok(true);
        }
        live.propose(pass, &name, "undo", None, String::new(), Some(u64::from(to)))?;
        self.keep_about(&mut live, store).await?;
        drop(live);
        self.publish();
        Ok(false)
    }

    /// Appends what the table has over the store, and waits until it is on disk. On a failure the room is given up:
    /// the next request loads what the store has.
    pub(crate) async fn keep(&self, live: &mut Live, store: &Store) -> Result<(), ApiError> {
        if !live.over && live.table.outcome().is_some() {
            live.end(None);
        }
        let from = usize::try_from(live.version).unwrap_or(usize::MAX);
        let count = live.table.record().lines.len();
        if !live.over && from / SNAPSHOT_EVERY != count / SNAPSHOT_EVERY {
            live.table.snapshot();
        }
        let lines: Vec<String> = live.table.record().lines.iter().skip(from).map(|l| l.print()).collect();
        let at = now();
        // Nobody looks while the lock is held, and if the store does not take it the room is given up: so all that
        // follows from the lines is worked out first, and what stands beside them is kept in the same act.
        let asked: Vec<(u64, u64)> = live.undo_proposals();
        for n in from + 1..=count_of(live) {
            live.feed(u32::try_from(n).unwrap_or(u32::MAX), at);
        }
        // A wish to take back is about what its proposer last saw on the table.
        let now = live.undo_proposals();
        let stale: Vec<u64> = asked
            .iter()
            .filter(|(n, seen)| now.iter().any(|(m, later)| m == n && later != seen))
            .map(|a| a.0)
            .collect();
        if !stale.is_empty() {
            live.about.proposals.retain(|p| !stale.contains(&p.n));
            live.dirty = true;
        }
        let waits: Vec<String> = if live.over {
            Vec::new()
        } else {
            live.table.owes().iter().filter_map(|d| d["seat"].as_str().map(str::to_owned)).collect()
        };
        if waits != live.about.waits_for {
            live.about.waits_for = waits;
            live.about.turned = at;
            live.dirty = true;
        }
        let about = live.dirty.then(|| serde_json::to_string(&live.about).unwrap_or_default());
        live.dirty = false;
        match store.append_with(&self.id, live.version, lines, live.over, about, at).await {
            Ok(version) => live.version = version,
            Err(error) => {
                live.lost = true;
                self.publish(); // whoever looks comes again, and finds the table as its record has it
                if let StoreError::Conflict { version } = error {
                    tracing::error!(game = %self.id, version, "the store has moved on without this room");
                    return Err(ApiError::broken("the table was moved; try again"));
                }
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Writes what stands beside the record.
    pub(crate) async fn keep_about(&self, live: &mut Live, store: &Store) -> Result<(), ApiError> {
        let text = serde_json::to_string(&live.about).unwrap_or_default();
        store.set_about(&self.id, &text).await?;
        live.dirty = false;
        Ok(())
    }
}

fn count_of(live: &Live) -> usize {
    live.table.record().lines.len()
}

pub(crate) fn over() -> ApiError {
    ApiError::conflict("over", "the game is over")
}

impl Live {
    /// Whether this role may give commands now at all.
    pub(crate) fn may_play(&self, who: &Who) -> Result<(), ApiError> {
        if self.lost {
            return Err(ApiError::broken("the table is being set up again; try again"));
        }
        if self.over {
            return Err(over());
        }
        if self.about.resigned.contains(&who.role) {
            return Err(ApiError::conflict("resigned", "this seat has given up"));
        }
        if self.about.wait_for_words && self.version == 0 {
            let lacking: Vec<String> =
                self.people().into_iter().filter(|s| !self.about.words.contains_key(s)).collect();
            if !lacking.is_empty() {
                let lacking = lacking.join(", ");
                return Err(ApiError::conflict(
                    "words",
                    format!("the dice still wait for words from {lacking}; then play begins"),
                ));
            }
        }
        Ok(())
    }

    /// A command meant for an earlier version stands if it was overtaken by others alone and its effect is the same.
    fn not_overtaken(&mut self, who: &Who, actor: Actor, cmd: &Command) -> Result<(), ApiError> {
        let version = self.stream(who.viewer).version();
        if cmd.expected == version {
            return Ok(());
        }
        let (text, dice) = (cmd.text.as_str(), cmd.dice.as_slice());
        let now = try_out(self.possible(who.viewer).as_ref(), actor, text, dice, who.viewer);
        let old_line = self.stream(who.viewer).line_at(cmd.expected);
        if let Some(line) = old_line {
            let by_others = self.stream(who.viewer).after(cmd.expected).all(|item| {
                item.kind == "event"
                    && item.by != who.role
                    && Actor::named(&item.by, self.seats()) != Some(actor)
            });
            let old = self.table.possible_for(who.viewer, super::GUESS, Some(line));
            let then = try_out(old.as_ref(), actor, text, dice, who.viewer);
            let goes = matches!(now.answer, Answer::Done { .. } | Answer::Dice { .. });
            if by_others
                && goes
                && now.text == then.text
                && now.answer == then.answer
                && now.seen == then.seen
            {
                return Ok(());
            }
        }
        if let Answer::Refused { rule, words, figures } = now.answer {
            let mut error = ApiError::refused(rule, words, figures);
            error.body.version = Some(version);
            return Err(error);
        }
        Err(ApiError::overtaken(previewed(now, version, true)))
    }

    /// A command as it prints, judged first on a table as the viewer knows it: a word that does not read and a refusal
    /// must not tell of what he may not know (a label that exists, a "did you mean").
    ///
    /// # Errors
    /// What is wrong with it as far as he may know.
    pub(crate) fn judged(
        &mut self,
        who: &Who,
        actor: Actor,
        text: &str,
        dice: &[u16],
    ) -> Result<String, ApiError> {
        if who.viewer == Viewer::Umpire {
            return Ok(text.to_owned());
        }
        let possible = self.possible(who.viewer);
        let (printed, answer) = possible.judge(actor, text, &mut Scripted::new(dice.iter().copied()));
        match answer {
            Answer::Done { .. } | Answer::Dice { .. } => Ok(printed.unwrap_or_else(|| text.to_owned())),
            Answer::Refused { rule, words, figures } => Err(ApiError::refused(rule, words, figures)),
            Answer::Unread(problem) => Err(unread(problem)),
        }
    }

    /// What waits for dice that somebody at the table must throw.
    pub(crate) fn asks(&self) -> Option<&Asks> {
        self.asks.as_ref().filter(|(line, _)| *line == self.version && !self.over).map(|(_, asks)| asks)
    }

    /// Who gives a command that waits for dice, if this is that command, with dice, by somebody who plays here.
    fn waits_for_dice(&self, pass: &Pass, cmd: &Command) -> Option<Actor> {
        let asks = self.asks()?;
        let same = cmd.seat.as_ref() == Some(&asks.seat) && cmd.text == asks.text && !pass.holds(&asks.seat);
        let plays = pass.host() || self.seat(pass, None).is_ok();
        (same && plays).then(|| Actor::named(&asks.seat, self.seats())).flatten()
    }

    /// Carries out a command that nobody at the table gave; if its dice must be typed they are asked for, and nothing is
    /// done yet.
    ///
    /// # Errors
    /// As [`Live::play`].
    pub(crate) fn play_for(&mut self, name: &str, actor: Actor, text: &str) -> Result<bool, ApiError> {
        match self.play(actor, text, &[]) {
            Ok(()) => Ok(true),
            Err(error) if self.about.dice == DiceBy::Typed && !error.body.wants.is_empty() => {
                let asks = Asks { seat: name.to_owned(), text: text.to_owned(), wants: error.body.wants };
                self.asks = Some((self.version, asks));
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Carries out a command on the table; nothing is kept yet.
    pub(crate) fn play(&mut self, actor: Actor, text: &str, typed: &[u16]) -> Result<(), ApiError> {
        let answer = match (&mut self.seeded, self.about.dice) {
            (Some(seeded), DiceBy::Server) => {
                if !typed.is_empty() {
                    return Err(ApiError::bad("the server throws the dice of this game"));
                }
                self.table.command(actor, text, seeded)
            }
            _ => {
                // Tried on a copy first: dice that nobody asked for must not be dropped silently.
                let mut dice = Scripted::new(typed.iter().copied());
                let tried = self.table.dry_run(actor, text, &mut dice, Viewer::Umpire);
                if matches!(tried.answer, Answer::Done { .. }) && !dice.left().is_empty() {
                    let left = dice.left().len();
                    return Err(ApiError::bad(format!(
                        "{left} of the dice are not wanted; {} would be right",
                        typed.len() - left
                    )));
                }
                self.table.command(actor, text, &mut Scripted::new(typed.iter().copied()))
            }
        };
        accepted(answer)
    }

    /// The line that an undo goes back to: that of the item named, or the seat's last command that still counts.
    fn line_to_undo(&self, seat: Seat, to: Option<u64>) -> Result<u32, ApiError> {
        let nothing = || ApiError::bad("there is nothing of yours to take back");
        if let Some(n) = to {
            return self.stream(Viewer::Seat(seat)).line_at(n).filter(|l| *l > 0).ok_or_else(nothing);
        }
        let name = self.named(seat);
        let mut standing: Vec<(u32, &str)> = Vec::new();
        for line in &self.table.record().lines {
            match &line.act {
                Act::Undo { to, .. } => standing.retain(|(n, _)| n < to),
                Act::Command(_) => standing.push((line.n, &line.by)),
                _ => {}
            }
        }
        standing.iter().rev().find(|(_, by)| *by == name).map(|(n, _)| *n).ok_or_else(nothing)
    }

    /// Takes back from a line on. What others did in secret since (a standing reply) stands: it is done again, since
    /// whoever takes back knows nothing of it and they did not ask for it.
    pub(crate) fn take_back(&mut self, by: Actor, to: u32, agreed: &[Seat]) -> Result<(), ApiError> {
        let secret = self.secret_acts(by, to);
        self.table
            .undo(by, to, agreed, false, self.seeded.as_mut())
            .map_err(|refused| ApiError::conflict("undo", refused.why))?;
        for (actor, text) in secret {
            if self.play(actor, &text, &[]).is_err() {
                tracing::warn!("a secret act no longer stands after a taking back");
            }
        }
        Ok(())
    }

    /// Commands from line `to` on that still stand, were given by others than `by`, and showed him nothing.
    fn secret_acts(&self, by: Actor, to: u32) -> Vec<(Actor, String)> {
        let Actor::Seat(seat) = by else { return Vec::new() };
        let own = by.name(self.seats());
        let mut standing = Vec::new();
        for line in &self.table.record().lines {
            match &line.act {
                Act::Undo { to, .. } => standing.retain(|(n, _, _)| n < to),
                Act::Command(text) if line.by != own && line.throws.is_empty() => {
                    standing.push((line.n, line.by.as_str(), text.as_str()));
                }
                _ => {}
            }
        }
        standing
            .into_iter()
            .filter(|(n, _, _)| *n >= to && self.table.seen_of(Viewer::Seat(seat), *n).is_empty())
            .filter_map(|(_, by, text)| Some((Actor::named(by, self.seats())?, text.to_owned())))
            .collect()
    }

    /// Wishes to take back that wait, each with the version of its proposer.
    fn undo_proposals(&self) -> Vec<(u64, u64)> {
        let version = |by: &str| match Actor::named(by, self.seats()) {
            Some(Actor::Seat(seat)) => self.stream(Viewer::Seat(seat)).version(),
            _ => 0,
        };
        let wishes = self.about.proposals.iter().filter(|p| p.what == "undo");
        wishes.map(|p| (p.n, version(&p.by))).collect()
    }

    /// Ends the game and reveals the key of its dice.
    pub(crate) fn end(&mut self, agreed: Option<Outcome>) {
        self.table.end_as(agreed, self.key.as_ref());
        self.over = true;
        self.about.proposals.clear();
        self.dirty = true;
    }
}

/// What became of a command.
fn accepted(answer: Answer) -> Result<(), ApiError> {
    match answer {
        Answer::Done { .. } => Ok(()),
        Answer::Refused { rule, words, figures } => Err(ApiError::refused(rule, words, figures)),
        Answer::Unread(problem) => Err(unread(problem)),
        Answer::Dice { wanted, words, .. } => {
            Err(ApiError::wants(words, wanted.into_iter().map(Wanted::from).collect()))
        }
    }
}

/// A text that does not read.
fn unread(problem: game::Problem) -> ApiError {
    let mut error = ApiError::problems(&vec![problem]);
    "unread".clone_into(&mut error.body.error);
    error
}
