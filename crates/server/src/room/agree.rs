//! What needs the consent of others: taking back, draws, rulings, closing an unfinished game; and giving up.

use super::act::over;
use super::look::try_out;
use super::{Live, Room, Said, now};
use crate::auth::Pass;
use crate::error::ApiError;
use crate::wire::{Press, Proposal, Propose};
use game::{Actor, Answer, Outcome, Seat, Viewer};
use store::Store;

/// At most so many proposals wait at a time.
const MOST_PROPOSALS: usize = 8;

impl Room {
    /// Proposes something; carried out at once if nobody else need be asked.
    ///
    /// # Errors
    /// What cannot be proposed. `Ok(false)`: the others are asked.
    pub(crate) async fn propose(&self, store: &Store, pass: &Pass, wish: &Propose) -> Result<bool, ApiError> {
        let mut live = self.live.lock().await;
        let (seat, name) = live.seat(pass, wish.seat.as_deref())?;
        if live.over {
            return Err(over());
        }
        if wish.reason.chars().count() > 500 {
            return Err(ApiError::bad("a reason has at most 500 characters"));
        }
        let text = match wish.what.as_str() {
            "draw" | "close" => None,
            "ruling" => {
                let text = wish.text.clone().unwrap_or_default();
                let possible = live.possible(Viewer::Seat(seat));
                let tried = try_out(possible.as_ref(), Actor::All, &text, &[], Viewer::Seat(seat));
                match tried.answer {
                    Answer::Done { .. } | Answer::Dice { .. } => tried.text,
                    Answer::Refused { rule, words, figures } => {
                        return Err(ApiError::refused(rule, words, figures));
                    }
                    Answer::Unread(problem) => return Err(ApiError::problems(&vec![problem])),
                }
            }
            other => {
                return Err(ApiError::bad(format!(
                    "{other:?} cannot be proposed; draw, ruling and close can"
                )));
            }
        };
        let n = live.propose(pass, &name, &wish.what, text, wish.reason.clone(), None)?;
        self.settle_proposal(&mut live, store, n).await
    }

    /// Answers a proposal for every seat that the request holds.
    ///
    /// # Errors
    /// A proposal that is gone.
    pub(crate) async fn agree(
        &self,
        store: &Store,
        pass: &Pass,
        n: u64,
        yes: bool,
    ) -> Result<bool, ApiError> {
        let mut live = self.live.lock().await;
        live.seat(pass, None)?;
        let Some(at) = live.about.proposals.iter().position(|p| p.n == n) else {
            return Err(ApiError::conflict("gone", "this proposal no longer stands"));
        };
        if !yes {
            let gone = live.about.proposals.remove(at);
            let by = pass.roles.first().cloned().unwrap_or_default();
            let words = if pass.holds(&gone.by) { "withdrawn".to_owned() } else { format!("{by} says no") };
            self.note(&mut live, store, &format!("{}: {words}", gone.what)).await?;
            self.keep_about(&mut live, store).await?;
            drop(live);
            self.publish();
            return Ok(false);
        }
        let proposal = &mut live.about.proposals[at];
        let (own, rest): (Vec<String>, Vec<String>) =
            std::mem::take(&mut proposal.waits_for).into_iter().partition(|s| pass.holds(s));
        proposal.agreed.extend(own);
        proposal.waits_for = rest;
        self.settle_proposal(&mut live, store, n).await
    }

    /// Carries a proposal out if nobody else need be asked.
    async fn settle_proposal(&self, live: &mut Live, store: &Store, n: u64) -> Result<bool, ApiError> {
        let Some(at) = live.about.proposals.iter().position(|p| p.n == n) else { return Ok(false) };
        if !live.about.proposals[at].waits_for.is_empty() {
            self.keep_about(live, store).await?;
            self.publish();
            return Ok(false);
        }
        let proposal = live.about.proposals.remove(at);
        live.dirty = true;
        match proposal.what.as_str() {
            "undo" => {
                let by = Actor::named(&proposal.by, live.seats());
                let seats = live.seats().to_vec();
                let others = (0_u8..).zip(&seats).filter(|(_, s)| **s != proposal.by).map(|(n, _)| Seat(n));
                let to = proposal.to.and_then(|t| u32::try_from(t).ok()).unwrap_or(0);
                if let Some(by) = by
                    && let Err(error) = live.take_back(by, to, &others.collect::<Vec<_>>())
                {
                    self.keep_about(live, store).await?;
                    return Err(error);
                }
            }
            "draw" => live.end(Some(Outcome {
                winners: Vec::new(),
                ending: "agreed".to_owned(),
                words: "a draw by agreement".to_owned(),
            })),
            "close" => live.end(None),
            _ => {
                let ruled = live.play(Actor::All, &proposal.text.clone().unwrap_or_default(), &[]);
                if ruled.is_err() {
                    // Things have moved on since it was proposed. Why it no longer goes may not be for everybody to know.
                    self.keep_about(live, store).await?;
                    self.publish();
                    return Err(ApiError::conflict(
                        "gone",
                        "this ruling can no longer be carried out; propose it anew",
                    ));
                }
                if !proposal.reason.is_empty() {
                    self.note(live, store, &format!("ruling by consent: {}", proposal.reason)).await?;
                }
            }
        }
        self.keep(live, store).await?;
        self.publish();
        Ok(true)
    }

    /// A seat gives up. With two sides the other has won; with more, the rest plays on.
    ///
    /// # Errors
    /// If it is over.
    pub(crate) async fn resign(
        &self,
        store: &Store,
        pass: &Pass,
        seat: Option<&str>,
        stand_in: &str,
    ) -> Result<(), ApiError> {
        let mut live = self.live.lock().await;
        let (seat, name) = live.seat(pass, seat)?;
        if live.over {
            return Err(over());
        }
        if !live.about.resigned.insert(name.clone()) {
            return Err(ApiError::conflict("resigned", "this seat has given up"));
        }
        live.dirty = true;
        let side_of = |n: usize| live.table.side(Seat(u8::try_from(n).unwrap_or(u8::MAX)));
        let left: Vec<(u8, String)> = live
            .seats()
            .iter()
            .enumerate()
            .filter(|(_, s)| !live.about.resigned.contains(*s))
            .map(|(n, s)| (side_of(n), s.clone()))
            .collect();
        let one_side = left.windows(2).all(|two| two[0].0 == two[1].0);
        if one_side {
            let winners: Vec<String> = live
                .seats()
                .iter()
                .enumerate()
                .filter(|(n, _)| left.first().is_some_and(|(s, _)| side_of(*n) == *s))
                .map(|(_, s)| s.clone())
                .collect();
            // The game's own way of conceding, where it has one, tells the story in its own words.
            if live.play(Actor::Seat(seat), "concede", &[]).is_err() || live.table.outcome().is_none() {
                live.end(Some(Outcome {
                    winners,
                    ending: "conceded".to_owned(),
                    words: format!("{name} concedes"),
                }));
            }
        } else {
            // Somebody must act for it, or the others would wait for ever.
            live.about.seats.insert(name.clone(), format!("computer:{stand_in}"));
            self.note(&mut live, store, &format!("{name} gives up; the computer stands in")).await?;
        }
        self.keep(&mut live, store).await?;
        drop(live);
        self.publish();
        Ok(())
    }

    /// Something is done for whoever keeps others waiting: see [`Press`]. `level` is that of the computer that may play for
    /// him.
    ///
    /// # Errors
    /// If it is too early, was not agreed on, or nothing is open.
    pub(crate) async fn press(
        &self,
        store: &Store,
        pass: &Pass,
        wish: &Press,
        level: Option<String>,
    ) -> Result<(), ApiError> {
        let mut live = self.live.lock().await;
        let (viewer, name) = match live.seat(pass, wish.seat.as_deref()) {
            Ok((seat, name)) => (Viewer::Seat(seat), name),
            Err(_) if pass.host() => (Viewer::Spectator, "the host".to_owned()),
            Err(error) => return Err(error),
        };
        if live.over {
            return Err(over());
        }
        let since = live.stream(viewer).since.max(live.about.resumed);
        let left = live.about.pace.patience() - (now() - since);
        let early = |late: &str| {
            if live.about.paused {
                return Err(ApiError::conflict(
                    "paused",
                    "the clock stands still; the host can set it going",
                ));
            }
            if left > 0 && !pass.holds(late) {
                return Err(ApiError::conflict("early", format!("{late} still has {left} seconds")));
            }
            Ok(())
        };
        let owes = live.table.owes();
        let owing = |s: &str| owes.iter().any(|d| d["seat"] == s);
        let words = match wish.how.as_str() {
            "" => {
                let Some((late, stands)) = live.open_choice() else {
                    return Err(ApiError::conflict(
                        "nothing",
                        "no choice is open; propose to close the game if nobody plays",
                    ));
                };
                early(&late)?;
                let Some(actor) = Actor::named(&late, live.seats()) else { return Err(over()) };
                live.play_for(&late, actor, &stands)?;
                format!("{name} pressed; for {late} stood: {stands}")
            }
            "computer" => {
                if !live.about.stand_in {
                    return Err(ApiError::not_yours(
                        "that the computer may play for the absent was not agreed on at the start",
                    ));
                }
                let late = wish.of.clone().or_else(|| {
                    let away = live.people().into_iter().find(|s| !pass.holds(s) && owing(s));
                    away.filter(|s| !live.about.covered.contains_key(s))
                });
                let late = late.filter(|s| owing(s) && live.level(s).is_none());
                let (Some(late), Some(level)) = (late, level) else {
                    return Err(ApiError::conflict(
                        "nothing",
                        "nobody is waited for whom the computer could stand in for",
                    ));
                };
                early(&late)?;
                live.about.covered.insert(late.clone(), level);
                live.dirty = true;
                format!("the computer plays for {late} until they are back ({name} asked)")
            }
            "end" => {
                let ally = wish.of.clone().filter(|s| owing(s));
                let actor = ally.as_deref().and_then(|s| Actor::named(s, live.seats()));
                let (Some(ally), Some(Actor::Seat(seat))) = (ally, actor) else {
                    return Err(ApiError::conflict("nothing", "this step has been ended already"));
                };
                let leads = match viewer {
                    Viewer::Seat(own) => {
                        live.table.leads(own) && live.table.side(own) == live.table.side(seat)
                    }
                    _ => false,
                };
                if !leads && !pass.holds(&ally) {
                    if !pass.host() {
                        return Err(ApiError::not_yours(
                            "the commander-in-chief ends an ally's step, or the host",
                        ));
                    }
                    if !self.absent(&ally) {
                        early(&ally)?;
                    }
                }
                let possible = live.possible(Viewer::Seat(seat));
                let end = possible.candidates(seat).into_iter().find(|c| c == "end" || c.starts_with("end "));
                let Some(end) = end else {
                    return Err(ApiError::conflict("nothing", "this step does not end with a word"));
                };
                live.play_for(&ally, Actor::Seat(seat), &end)?;
                format!("{name} ends the step of {ally}")
            }
            "back" => {
                if live.about.covered.remove(&name).is_none() {
                    return Err(ApiError::conflict("nothing", "nobody plays for you"));
                }
                live.dirty = true;
                format!("{name} is back")
            }
            other => {
                return Err(ApiError::bad(format!(
                    "nothing is pressed by {other:?}; computer, end and back are"
                )));
            }
        };
        self.keep(&mut live, store).await?;
        self.note(&mut live, store, &words).await?;
        drop(live);
        self.publish();
        Ok(())
    }

    /// A note of the server among the talk.
    pub(crate) async fn note(&self, live: &mut Live, store: &Store, words: &str) -> Result<(), ApiError> {
        self.say_as(live, store, "table", "table".to_owned(), words).await
    }

    /// Something is said: kept, then heard.
    pub(crate) async fn say_as(
        &self,
        live: &mut Live,
        store: &Store,
        by: &str,
        audience: String,
        words: &str,
    ) -> Result<(), ApiError> {
        let at = now();
        store.say(&self.id, by, &audience, words, at).await?;
        live.talk.push(Said { by: by.to_owned(), audience, words: words.to_owned(), at });
        Ok(())
    }
}

impl Live {
    /// Adds a proposal; its number. Computers and seats of the same browser agree at once.
    pub(crate) fn propose(
        &mut self,
        pass: &Pass,
        by: &str,
        what: &str,
        text: Option<String>,
        reason: String,
        to: Option<u64>,
    ) -> Result<u64, ApiError> {
        if self.about.proposals.len() >= MOST_PROPOSALS {
            return Err(ApiError::conflict("proposals", "too many proposals wait for an answer"));
        }
        self.about.proposals.retain(|p| !(p.by == by && p.what == what));
        let waits_for = self.people().into_iter().filter(|s| !pass.holds(s)).collect();
        self.about.proposed += 1;
        let n = self.about.proposed;
        self.about.proposals.push(Proposal {
            n,
            by: by.to_owned(),
            what: what.to_owned(),
            text,
            reason,
            to,
            agreed: vec![by.to_owned()],
            waits_for,
        });
        self.dirty = true;
        Ok(n)
    }

    /// Proposals as a viewer sees them: lines of the record become numbers of his own items.
    pub(crate) fn proposals_for(&self, viewer: Viewer) -> Vec<Proposal> {
        let mut all = self.about.proposals.clone();
        for proposal in &mut all {
            let line = proposal.to.and_then(|l| u32::try_from(l).ok());
            proposal.to = line.and_then(|l| self.stream(viewer).first_from(l));
        }
        all
    }
}
