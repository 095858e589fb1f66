//! Rulings: an umpire, or all seats by consent, set a piece, a fact or an option from here on.

use crate::battle::{Battle, Deed, Departure, Event, Fate, Flags, House, Phase, Strong, Target, Why};
use crate::bound::{Done, Play, refused};
use crate::figure;
use crate::labels::{FATES, command_named, find_element, find_side, find_target};
use crate::table::{Outcome, Tables};
use crate::words::outcome_fact;
use game::{Problem, Stop};
use rulebook::rule;
use std::sync::Arc;

/// What may be ruled.
const KINDS: [&str; 16] = [
    "set",
    "remove",
    "pips",
    "score",
    "dice",
    "result",
    "option",
    "general",
    "demoralized",
    "rallied",
    "winner",
    "note",
    "pause",
    "resume",
    "last",
    "hand",
];

/// `A.Str`: a Stronghold or Baggage.
fn is_strong(word: &str) -> bool {
    let low = word.rsplit('.').next().unwrap_or("").to_lowercase();
    word.contains('.') && low.len() >= 3 && ("stronghold".starts_with(&low) || "baggage".starts_with(&low))
}

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
            ["set", who, "at", x, y, h] if is_strong(who) => {
                let Ok(Target::Stronghold(side)) = find_target(self.battle, who, own) else {
                    return refused(None, Why::Other, format!("{who}? a Stronghold is A.Str"));
                };
                let Some(pose) = figure::read_pose(x, y, h) else {
                    return refused(None, Why::Other, "not a place: x, y and heading, as in 1200 300 90");
                };
                let size = match self.state.side(side).strong {
                    Strong::Stands(base) | Strong::Lost(base) => base.size,
                    _ => self.battle.standard_stronghold_size(),
                };
                let base = field::Base::new(pose, size);
                if !self.battle.board.contains(&base) {
                    return refused(rule!("HOTT-115"), Why::Other, "that is off the board");
                }
                self.state.sides[side.index()].strong = Strong::Stands(base);
                self.state.large.baggage_lost &= !(1 << side.0);
            }
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
            // BB-083, HOTT-335: Baggage or a Stronghold is off the table, or stands again.
            ["remove", who] if is_strong(who) => {
                let side = match find_target(self.battle, who, own) {
                    Ok(Target::Stronghold(side)) => side,
                    Ok(Target::Element(_)) => own,
                    Err(p) => return unread(&p),
                };
                if self.battle.has_baggage(self.state, side) {
                    self.state.sides[side.index()].strong = Strong::None;
                    self.state.large.baggage_lost |= 1 << side.0;
                } else if let Strong::Stands(base) = self.state.side(side).strong {
                    self.state.sides[side.index()].strong = Strong::Lost(base);
                }
            }
            ["demoralized", which] | ["rallied", which] => {
                let command = match command_named(self.battle, which, own) {
                    Ok(command) => command,
                    Err(p) => return unread(&p),
                };
                if !self.battle.tables.is_big() {
                    return refused(rule!("HOTT-347"), Why::Other, "commands lose heart in big battles only");
                }
                self.state.commands[command.index()].demoralised = words[0] == "demoralized";
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
            // A PIP die that lies otherwise than was recorded.
            ["score", which, n] => {
                let command = match command_named(self.battle, which, own) {
                    Ok(command) => command,
                    Err(p) => return unread(&p),
                };
                let sides = self.battle.tables.numbers.die_sides;
                let Some(score) = n.parse::<u8>().ok().filter(|n| (1..=sides).contains(&i32::from(*n)))
                else {
                    return refused(None, Why::Other, format!("a score is a number from 1 to {sides}"));
                };
                let now = &mut self.state.commands[command.index()];
                let spent = now.score.saturating_sub(now.pips);
                (now.score, now.pips) = (score, score.saturating_sub(spent));
            }
            ["dice", who, a, b] => return self.fight_by_ruling(text, who, a, b),
            ["result", who, word] => {
                let id = match find_element(self.battle, who, own) {
                    Ok(id) => id,
                    Err(p) => return unread(&p),
                };
                if !self.stands(id) {
                    let words = format!("{} is not on the table", self.battle.full_label(id));
                    return refused(None, Why::NotOnTable(id), words);
                }
                let known: Vec<&str> = Outcome::ALL.into_iter().map(outcome_fact).collect();
                let meant = Outcome::ALL.into_iter().find(|o| outcome_fact(*o) == word);
                let deed = match meant {
                    Some(Outcome::None) => None,
                    Some(Outcome::Recoil) => Some(Deed::Recoil(id, None)),
                    Some(Outcome::Flee) => Some(Deed::Flee(id, None)),
                    Some(Outcome::FleeField) => Some(Deed::Remove(id, Departure::Fled, rule!("HOTT-323"))),
                    Some(Outcome::Ensorcelled) => {
                        Some(Deed::Remove(id, Departure::Ensorcelled(None), rule!("HOTT-334")))
                    }
                    Some(Outcome::Destroyed) => {
                        Some(Deed::Remove(id, Departure::Destroyed, rule!("HOTT-333")))
                    }
                    Some(Outcome::Captured) | None => {
                        return unread(
                            &Problem::new(format!("not a result of an element: {word}")).meant(word, known),
                        );
                    }
                };
                self.events.push(Event::Ruled(text.to_owned()));
                self.carry(deed.into_iter().collect(), false)?;
                self.tidy();
                return Ok(());
            }
            ["option", key, value] => {
                let mut sets = self.state.house.as_ref().map(|h| h.sets.clone()).unwrap_or_default();
                let key = match key.contains('.') {
                    true => key.to_owned(),
                    // The bare name of an option of big battles is known by itself.
                    false if self.battle.tables.big.get(&format!("big.{key}")).is_some() => {
                        format!("big.{key}")
                    }
                    false => format!("hott.{key}"),
                };
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
                if !self.battle.holds_general(self.state, id) {
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
            // The host's tools: the clock, the end, and who plays what.
            ["pause"] => self.state.large.paused = true,
            ["resume"] => self.state.large.paused = false,
            ["last", "bound"] => self.state.large.last_bound = true,
            ["hand", which, "to", ref name @ ..] => {
                let command = match command_named(self.battle, which, own) {
                    Ok(command) => command,
                    Err(p) => return unread(&p),
                };
                let name = name.join(" ");
                let names = &self.battle.seat_names;
                let Some(seat) = names.iter().position(|n| n.eq_ignore_ascii_case(&name)) else {
                    let p = Problem::new(format!("no seat is called {name}"))
                        .meant(&name, names.iter().map(String::as_str));
                    return unread(&p);
                };
                let holders = &mut self.state.large.holders;
                holders.resize(self.battle.commands.len(), u8::MAX);
                holders[command.index()] = u8::try_from(seat).unwrap_or(u8::MAX);
                let seated = self.battle.seats.iter().position(|s| s.commands.contains(&command));
                if seated == Some(seat) {
                    self.state.large.holders[command.index()] = u8::MAX;
                }
                if self.state.large.holders.iter().all(|h| *h == u8::MAX) {
                    self.state.large.holders.clear();
                }
            }
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

impl Play<'_> {
    /// `ruling dice E 4 3`: the fight of E is worked out with these dice, E's first.
    fn fight_by_ruling(&mut self, text: &str, who: &str, a: &str, b: &str) -> Done {
        self.phase(Phase::Combat)?;
        let id = match find_element(self.battle, who, self.state.active) {
            Ok(id) => id,
            Err(p) => return unread(&p),
        };
        let sides = self.battle.tables.numbers.die_sides;
        let read = |t: &str| t.parse::<u16>().ok().filter(|n| (1..=sides).contains(&i32::from(*n)));
        let (Some(mine), Some(theirs)) = (read(a), read(b)) else {
            return refused(
                None,
                Why::Other,
                format!("dice are numbers from 1 to {sides}: ruling dice Bld1 4 3"),
            );
        };
        let contacts = self.contacts();
        let fight = self.fights(&contacts).into_iter().find(|f| f.who.contains(&Target::Element(id)));
        let Some(fight) = fight else {
            let words = format!("{} has no fight to come in this bound", self.battle.full_label(id));
            return refused(rule!("HOTT-239"), Why::Other, words);
        };
        let first = fight.who[0] == Target::Element(id);
        let mut dice = dice::Scripted::new(if first { [mine, theirs] } else { [theirs, mine] });
        self.events.push(Event::Ruled(text.to_owned()));
        Play {
            battle: self.battle,
            state: &mut *self.state,
            by: self.by,
            dice: &mut dice,
            events: &mut *self.events,
        }
        .resolve(&contacts, &fight, false)?;
        self.go_on()
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
