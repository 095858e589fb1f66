//! Rulings: an umpire, or all seats by consent, set a piece, a fact or an option from here on.

use crate::battle::{Battle, Departure, Event, Fate, Flags, House, Phase, Why};
use crate::bound::{Done, Play, refused};
use crate::figure;
use crate::labels::{FATES, command_named, find_element, find_side};
use crate::table::Tables;
use game::{Problem, Stop};
use rulebook::rule;
use std::sync::Arc;

/// What may be ruled.
const KINDS: [&str; 7] = ["set", "remove", "pips", "option", "general", "winner", "note"];

fn unread<T>(problem: &Problem) -> Result<T, Stop<crate::battle::Refusal>> {
    let hint = problem.hint.as_ref().map(|h| format!("; {h}")).unwrap_or_default();
    refused(None, Why::Other, format!("{}{hint}", problem.message))
}

impl Play<'_> {
    /// `ruling …`.
    pub(crate) fn rule(&mut self, text: &str) -> Done {
        if !self.by.may_rule() {
            return refused(None, Why::NotYours, "only an umpire rules, or all seats by consent");
        }
        let low = text.to_lowercase();
        let (body, reason) = match low.split_once(" because ") {
            Some((body, reason)) => (body.to_owned(), reason.to_owned()),
            None => (low.clone(), String::new()),
        };
        let _ = reason;
        let words: Vec<&str> = body.split_whitespace().collect();
        let own = self.state.active;
        match words[..] {
            ["set", who, "at", x, y, h] => {
                let id = match find_element(self.battle, who, own) {
                    Ok(id) => id,
                    Err(p) => return unread(&p),
                };
                let Some(pose) = figure::read_pose(x, y, h) else {
                    return refused(None, Why::Other, "not a place: x, y and heading, as in 1200 300 90");
                };
                let base = field::Base::new(pose, self.battle.element(id).size);
                if !self.battle.board.contains(&base) {
                    return refused(rule!("HOTT-115"), Why::OffBoard(id), "that is off the board");
                }
                let now = self.now(id);
                (now.pose, now.fate, now.enchanter) = (pose, Fate::Table, None);
            }
            ["remove", who] | ["remove", who, _] => {
                let id = match find_element(self.battle, who, own) {
                    Ok(id) => id,
                    Err(p) => return unread(&p),
                };
                let word = words.get(2).copied().unwrap_or("destroyed");
                let Some((fate, _)) = FATES.iter().find(|(f, w)| *w == word && *f != Fate::Table) else {
                    let p = Problem::new(format!("unknown fate: {word}")).meant(word, FATES.map(|f| f.1));
                    return unread(&p);
                };
                let how = match fate {
                    Fate::Fled => Departure::Fled,
                    Fate::Ensorcelled => Departure::Ensorcelled(None),
                    Fate::Left => Departure::Left,
                    _ => Departure::Destroyed,
                };
                self.remove(id, how, rule!("HOTT-333"));
                let now = self.now(id);
                now.fate = *fate;
                now.flags = Flags::default();
            }
            ["pips", which, n] => {
                let command = match command_named(self.battle, which, own) {
                    Ok(command) => command,
                    Err(p) => return unread(&p),
                };
                let Some(pips) = n.parse::<u8>().ok().filter(|n| *n <= 99) else {
                    return refused(None, Why::Other, "PIPs are a number from 0 to 99");
                };
                self.state.commands[command.index()].pips = pips;
            }
            ["option", key, value] => {
                let mut sets = self.state.house.as_ref().map(|h| h.sets.clone()).unwrap_or_default();
                let key = if key.contains('.') { key.to_owned() } else { format!("hott.{key}") };
                sets.retain(|(k, _)| *k != key);
                sets.push((key, value.to_owned()));
                match self.battle.house(&sets) {
                    Ok(house) => self.state.house = Some(Arc::new(house)),
                    Err(p) => return unread(&p),
                }
            }
            ["general", who] => {
                // A ruling may say that a general fights on: what was lost is on table again where it stood.
                let id = match find_element(self.battle, who, own) {
                    Ok(id) => id,
                    Err(p) => return unread(&p),
                };
                if !self.battle.element(id).general {
                    return refused(rule!("HOTT-011"), Why::Other, "that element does not hold a general");
                }
                self.now(id).fate = Fate::Table;
            }
            ["winner", "nobody"] => self.over(0, crate::battle::Ending::Limit),
            ["winner", letter] => match find_side(self.battle, letter) {
                Ok(side) => self.over(1 << side.0, crate::battle::Ending::Conceded),
                Err(p) => return unread(&p),
            },
            ["note", ..] => {}
            _ => {
                let first = words.first().copied().unwrap_or("");
                let p = Problem::new(format!("not a ruling: {text}")).meant(first, KINDS);
                return unread(&p);
            }
        }
        // Whatever was ruled, a bound under way goes on from here.
        if self.state.phase != Phase::Over {
            self.tidy();
        }
        self.events.push(Event::Ruled(text.to_owned()));
        Ok(())
    }
}

impl Battle {
    /// The tables with these options set over the rules of the battle.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn house(&self, sets: &[(String, String)]) -> Result<House, Problem> {
        let rules = crate::rules::with_sets(&self.opening.rules, sets)?;
        let tables: Tables = crate::rules::tables(&rules).map_err(|mut p| p.swap_remove(0))?;
        Ok(House { sets: sets.to_vec(), tables: Arc::new(tables) })
    }

    /// The battle as the rulings of a state have it.
    pub(crate) fn in_force<'a>(&'a self, state: &crate::battle::State) -> std::borrow::Cow<'a, Battle> {
        match &state.house {
            None => std::borrow::Cow::Borrowed(self),
            Some(house) => {
                std::borrow::Cow::Owned(Battle { tables: Arc::clone(&house.tables), ..self.clone() })
            }
        }
    }
}
