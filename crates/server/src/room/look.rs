//! What a viewer is shown of the table.

use super::Live;
use crate::auth::{Pass, Who};
use crate::error::ApiError;
use crate::wire::{DiceBy, Ended, Previewed, SeatState, TableState, Talk, Typed, Wanted};
use game::{Actor, Answer, AnyTable, Seat, Tried, Viewer};
use serde_json::{Value, json};

impl Live {
    /// The table as `who` sees it; with `view` left out where it is not wanted.
    pub(crate) fn state(&self, id: &str, pass: &Pass, who: &Who, with_view: bool) -> TableState {
        let header = &self.table.record().header;
        let seat_of = |n: usize| Seat(u8::try_from(n).unwrap_or(u8::MAX));
        let seats = self.seats().iter().enumerate().map(|(n, name)| SeatState {
            name: name.clone(),
            who: self.about.seats.get(name).cloned().unwrap_or_else(|| "person".to_owned()),
            side: self.table.side(seat_of(n)),
            resigned: self.about.resigned.contains(name),
            words: self.about.words.get(name).cloned(),
            thinking: self.thinking.contains(&seat_of(n).0),
            leads: self.table.leads(seat_of(n)),
            covered: self.about.covered.contains_key(name),
        });
        TableState {
            id: id.to_owned(),
            kind: self.kind.name().to_owned(),
            title: self.about.title.clone(),
            viewer: match who.viewer {
                Viewer::Seat(_) => who.role.clone(),
                Viewer::Spectator => "spectator".to_owned(),
                Viewer::Umpire => "umpire".to_owned(),
            },
            roles: pass.roles.clone(),
            version: self.stream(who.viewer).version(),
            view: if with_view { self.table.view(who.viewer) } else { Value::Null },
            owes: self.owed(&pass.roles, who.viewer),
            since: self.stream(who.viewer).since,
            seats: seats.collect(),
            outcome: json!(self.outcome()),
            over: self.over,
            commitment: header.commitment.clone(),
            dice: self.about.dice,
            wait_for_words: self.about.wait_for_words,
            preset: self.about.preset.clone(),
            changes: self.about.changes.clone(),
            rules_name: self.about.rules_name.clone(),
            without: self.about.without.clone(),
            pace: self.about.pace,
            patience: self.about.pace.patience(),
            paused: self.about.paused,
            stand_in: self.about.stand_in,
            host_rules: self.about.host_rules,
            asks: self.asks().filter(|_| !pass.roles.iter().all(|r| r == crate::auth::SPECTATOR)).cloned(),
            typed: self.typed(pass),
            proposals: self.proposals_for(who.viewer),
            rematch: self.about.rematch.as_ref().map(|(id, _)| id.clone()),
        }
    }

    /// What everybody may know once the game is over.
    pub(crate) fn ended(&self) -> Ended {
        let seconds = (self.stream(Viewer::Umpire).since - self.began).max(0);
        Ended { hidden: self.table.hidden(), replies: self.about.replied.clone(), seconds }
    }

    /// Dice that a browser typed last, while it may put them right.
    fn typed(&self, pass: &Pass) -> Option<Typed> {
        if self.about.dice != DiceBy::Typed
            || self.about.imported
            || self.over && self.about.rematch.is_some()
        {
            return None;
        }
        pass.roles.iter().find_map(|role| {
            let by = Actor::named(role, self.seats()).filter(|a| matches!(a, Actor::Seat(_)))?;
            let (dice, values) = self.table.last_typed(by)?.into_iter().map(|(d, v)| (d.into(), v)).unzip();
            let Actor::Seat(seat) = by else { return None };
            Some(Typed {
                seat: role.clone(),
                dice,
                values,
                version: self.stream(Viewer::Seat(seat)).version(),
            })
        })
    }

    /// The line of the record at which a viewer was at this version of his.
    ///
    /// # Errors
    /// If he has not come so far.
    pub(crate) fn line_of(&self, viewer: Viewer, version: u64) -> Result<u32, ApiError> {
        let line = self.stream(viewer).line_at(version);
        line.ok_or_else(|| ApiError::bad(format!("there is no version {version} yet")))
    }

    /// How it ended: by the game, or as its record says (a draw agreed on, a resignation).
    pub(crate) fn outcome(&self) -> Option<game::Outcome> {
        let last = self.table.record().lines.last().map(|l| &l.act);
        match last {
            Some(game::record::Act::End { outcome, .. }) => outcome.clone(),
            _ => self.table.outcome(),
        }
    }

    /// What is owed. Everybody may know who is being waited for and why; the answers are the chooser's alone, since
    /// what stands depends on what he knows.
    fn owed(&self, roles: &[String], viewer: Viewer) -> Vec<Value> {
        let mut owes = if self.over { Vec::new() } else { self.table.owes() };
        for debt in &mut owes {
            let own = viewer == Viewer::Umpire || roles.iter().any(|r| debt["seat"] == r.as_str());
            if let (false, Some(debt)) = (own, debt.as_object_mut()) {
                debt.shift_remove("answers");
                debt.shift_remove("stands");
            }
        }
        owes
    }

    /// What a viewer heard after his number `n`.
    pub(crate) fn heard(&self, viewer: Viewer, n: u64) -> Vec<Talk> {
        let own = match viewer {
            Viewer::Seat(seat) => {
                vec![format!("side:{}", self.table.side(seat)), format!("seat:{}", self.named(seat))]
            }
            _ => Vec::new(),
        };
        let mine = self
            .talk
            .iter()
            .filter(|s| s.audience == "table" || viewer == Viewer::Umpire || own.contains(&s.audience));
        mine.zip(1_u64..)
            .filter(|(_, k)| *k > n)
            .map(|(s, n)| Talk {
                n,
                by: s.by.clone(),
                to: s.audience.split(':').next().unwrap_or("").to_owned(),
                words: s.words.clone(),
                at: s.at,
            })
            .collect()
    }

    /// What a seat is told in one line when it comes back, as `viewer` may tell it: from items after version `after`
    /// that still count. With the number of those items.
    pub(crate) fn brief(
        &self,
        viewer: Viewer,
        seat: Seat,
        after: u64,
    ) -> (usize, impl FnOnce() -> String + use<>) {
        let events: Vec<Value> = self.stream(viewer).standing_after(after).map(|i| i.event.clone()).collect();
        let possible = self.table.possible_for(viewer, super::GUESS, None);
        let over =
            self.over.then(|| self.outcome().map_or_else(|| "the game was broken off".into(), |o| o.words));
        (events.len(), move || over.unwrap_or_else(|| possible.brief(seat, &events)))
    }

    /// One's own view of the record while the game runs.
    pub(crate) fn own_record(&self, id: &str, who: &Who) -> String {
        let header = &self.table.record().header;
        let head = json!({
            "muster": "view", "version": 1, "id": id, "game": header.game, "revision": header.revision,
            "seats": header.seats, "commitment": header.commitment, "words": header.words,
            "rules": header.rules, "viewer": who.role,
        });
        let mut text = head.to_string();
        for item in self.stream(who.viewer).after(0) {
            text.push('\n');
            text.push_str(&serde_json::to_string(&**item).unwrap_or_default());
        }
        text.push('\n');
        text
    }
}

/// A trial as the API tells it.
pub(crate) fn previewed(tried: Tried, version: u64, with_view: bool) -> Previewed {
    let mut out = Previewed { version, text: tried.text, ..Previewed::default() };
    match tried.answer {
        Answer::Done { .. } => {
            out.answer = "done".to_owned();
            out.events = tried.seen;
            out.owes = tried.owes;
            if with_view {
                out.view = tried.view;
            }
        }
        Answer::Refused { rule, words, figures } => {
            out.answer = "refused".to_owned();
            (out.rule, out.words, out.figures) = (rule, words, figures);
        }
        Answer::Unread(problem) => {
            out.answer = "unread".to_owned();
            out.words = problem.to_string();
            out.rule = problem.rule.map(|r| r.to_string());
            out.figures = problem.json();
        }
        Answer::Dice { wanted, words, .. } => {
            out.answer = "dice".to_owned();
            out.words = words;
            out.wants = wanted.into_iter().map(Wanted::from).collect();
        }
    }
    out
}

/// Tries a command on a possible table, with the dice given and no others.
pub(crate) fn try_out(
    table: &dyn AnyTable,
    actor: game::Actor,
    text: &str,
    dice: &[u16],
    viewer: Viewer,
) -> Tried {
    let mut dice = dice::Scripted::new(dice.iter().copied());
    table.dry_run(actor, text, &mut dice, viewer)
}
