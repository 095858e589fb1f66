//! The tracker for a page: whole lines in place of keys, and what is shown as JSON. The words, the parser, the dice and
//! the record are those of the terminal.

use super::screen::{asked_of, figures};
use super::{Key, LINE, Tracker};
use crate::command::{Command, Reaction};
use crate::event::Label;
use crate::fight::{cannot_leave, reaction_score, reactions};
use crate::odds;
use crate::state::{Answer, State};
use crate::unit::{Kind, Side, Status, UnitId};
use dice::Seeded;
use game::record::Act;
use game::{Game, Problem, Viewer};
use serde_json::{Value, json};

/// So many lines of the log go with a page; the file has all.
const LOG: usize = 300;

impl Tracker {
    /// The dice that the tracker rolls itself, from a key in the place of a seed.
    pub fn set_dice(&mut self, seeded: Seeded) {
        self.seeded = seeded;
    }

    /// The whole record as text.
    pub fn record(&self) -> String {
        self.table.record().print()
    }

    /// All lines are to be written once more, from the header on: for a record that is kept in another place.
    pub fn rewrite(&mut self) {
        self.header = false;
        self.written = 0;
    }

    /// A whole line, and Enter. Nothing of it stays on the line: a page keeps what was typed itself. Whether it was taken;
    /// if not, [`Tracker::told`] says why.
    pub fn line(&mut self, text: &str) -> bool {
        self.input.clear();
        self.refused = false;
        self.message.clear();
        if text.chars().count() > LINE {
            self.message = format!("a line holds {LINE} signs: none of it was taken");
            self.refused = true;
            return false;
        }
        let (lines, asked) = (self.table.record().lines.len(), self.asking.is_some());
        if self.paste(text) {
            self.key(Key::Enter);
        }
        self.input.clear();
        let happened = self.table.record().lines.len() > lines || self.asking.is_some() != asked;
        !self.refused && (happened || self.asking.is_some())
    }

    /// What the last line or key was answered with; empty if all went well.
    pub fn told(&self) -> &str {
        &self.message
    }

    /// Whether the encounter has come to its end, and how.
    pub fn ending(&self) -> Option<String> {
        self.table.outcome().map(|o| o.words)
    }

    /// The name of the encounter.
    pub fn name(&self) -> &str {
        self.table.game().name()
    }

    /// How many lines the record has.
    pub fn length(&self) -> usize {
        self.table.record().lines.len()
    }

    /// The game master's page.
    pub fn master_page(&self) -> Value {
        let s = self.table.state();
        let usual = self
            .usual_command()
            .filter(|_| self.table.outcome().is_none())
            .map(|c| json!({ "do": self.table.game().print(s, &c), "words": self.in_words(&c) }));
        let asking = self.asking.as_ref().and_then(|a| {
            let ask = a.wanted.first()?;
            Some(json!({ "sides": ask.sides, "of": asked_of(s, ask), "number": a.number, "more": a.wanted.len() - 1,
                "command": self.table.game().print(s, &a.command) }))
        });
        let order: Vec<UnitId> = if s.round == 0 { s.ids().collect() } else { s.order.clone() };
        let units: Vec<Value> = order.into_iter().map(|id| unit(s, id)).collect();
        let waiting = s.volley.iter().flat_map(|v| (0..v.attacks.len()).map(move |n| waiting(s, v.by, n)));
        let log = self.log_tail();
        let last = self.standing().last().map(|i| &self.table.record().lines[*i].act);
        let undo = if let Some(Act::Command(text)) = last { Some(text) } else { None };
        json!({
            "name": self.table.game().name(), "round": s.round, "turn": s.current().map(|id| &s.unit(id).label),
            "over": self.ending(), "rolled": self.rolled, "asking": asking, "message": self.message,
            "refused": self.refused, "usual": usual, "undo": undo, "units": units,
            "waiting": waiting.collect::<Vec<_>>(), "log": log.0, "earlier": log.1,
        })
    }

    /// The players' page, made of their view alone: it is the same whatever they may not know.
    pub fn players_page(&self) -> Value {
        let view = self.table.game().view(self.table.state(), Viewer::Spectator);
        let sheet = |h: &Value| {
            json!({ "label": h["label"], "name": h["name"], "wounds": h["wounds_left"], "of": h["wounds"],
                "stunned": h["stunned"], "pinned": h["pinned"], "held_by": h["held_by"], "prone": h["prone"],
                "surprised": h["surprised"] == true && view.round <= 1, "status": h["status"] })
        };
        let mut log = self.log(true);
        let earlier = log.len().saturating_sub(LOG);
        log.drain(..earlier);
        json!({
            "name": view.name, "round": view.round, "turn": view.turn, "order": view.order, "over": self.ending(),
            "heretics": view.heretics.iter().map(sheet).collect::<Vec<_>>(), "foes": view.foes,
            "waiting": view.waiting, "log": log, "earlier": earlier,
        })
    }

    fn log_tail(&self) -> (Vec<Value>, usize) {
        let mut all: Vec<Value> = Vec::new();
        let standing = self.standing();
        for (i, line) in self.table.record().lines.iter().enumerate() {
            let gone = !standing.contains(&i);
            match &line.act {
                Act::Command(text) => all.push(json!({ "do": text, "gone": gone })),
                Act::Undo { .. } => all.push(json!({ "back": true })),
                Act::Snapshot(_) | Act::End { .. } => continue,
            }
            all.extend(line.said().map(|say| json!({ "say": say, "gone": gone })));
        }
        let earlier = all.len().saturating_sub(LOG);
        (all.split_off(earlier), earlier)
    }

    /// A command as one would say it on a button.
    fn in_words(&self, c: &Command) -> String {
        let s = self.table.state();
        let names = |at: &[UnitId]| {
            let mut out: Vec<Label> = Vec::new();
            for id in at {
                if !out.contains(&s.unit(*id).label) {
                    out.push(s.unit(*id).label.clone());
                }
            }
            out.join(", ")
        };
        match c {
            Command::Begin => "Begin: roll initiative".to_owned(),
            Command::Next => match next_of(s) {
                Some(id) => format!("Next turn: {}", s.unit(id).label),
                None => format!("Round {}", s.round + 1),
            },
            Command::Attack { by, at, how, .. } => {
                let many = if at.len() > 1 { format!(", {} attacks", at.len()) } else { String::new() };
                format!(
                    "{}: {} with {} at {}{many}",
                    s.unit(*by).label,
                    how.action.word(),
                    how.weapon.replace('_', " "),
                    names(at)
                )
            }
            Command::React { who, with, .. } => {
                let how = match with {
                    Reaction::Dodge => "dodges",
                    Reaction::Parry => "parries",
                    Reaction::None => "takes it",
                };
                format!("{} {how}", s.unit(*who).label)
            }
            other => self.table.game().print(s, other),
        }
    }

    /// What a line would mean, and the exact odds if it is an attack; an empty line is the usual thing. Nothing happens.
    ///
    /// # Errors
    /// What does not read.
    pub fn weigh(&self, text: &str) -> Result<Value, Problem> {
        let (game, s) = (self.table.game(), self.table.state());
        let text = text.trim();
        let command = if text.is_empty() {
            match self.usual_command().filter(|_| self.table.outcome().is_none()) {
                Some(command) => command,
                None => return Ok(json!({ "do": null })),
            }
        } else {
            game.parse(s, game::Actor::Umpire, text)?
        };
        let printed = game.print(s, &command);
        let words = self.in_words(&command);
        let Command::Attack { by, at, how, told } = command else {
            return Ok(json!({ "do": printed, "words": words }));
        };
        // What has fallen already needs no odds.
        if !told.rolls.is_empty() || told.degrees.is_some() || told.hits.is_some() || !told.damage.is_empty()
        {
            return Ok(json!({ "do": printed, "words": words }));
        }
        let mut all = Vec::new();
        let mut seen: Vec<UnitId> = Vec::new();
        for target in at {
            if seen.contains(&target) {
                continue;
            }
            seen.push(target);
            let attack = Command::Attack { by, at: vec![target], how: how.clone(), told: Default::default() };
            let mut one = of_answer(&odds::answer(s, &format!("odds {}", game.print(s, &attack)))?);
            one["at"] = json!(s.unit(target).label);
            one["horde"] = json!(s.unit(target).is_horde());
            all.push(one);
        }
        Ok(json!({ "do": printed, "words": words, "odds": all }))
    }
}

/// Whose turn comes next in this Round.
fn next_of(s: &State) -> Option<UnitId> {
    let after = s.order.iter().skip(s.turn + 1).copied();
    after.into_iter().find(|id| matches!(s.unit(*id).status, Status::Fighting | Status::Broken))
}

/// Lines like `lost 3 0.25`, `mean lost 2.1`, `needs 45` as figures.
fn of_answer(lines: &[String]) -> Value {
    let mut out = json!({});
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |w: &str| w.parse::<f64>().unwrap_or(0.0);
        match words.as_slice() {
            ["needs", n] => out["needs"] = json!(number(n)),
            ["each", p] => out["each"] = json!(number(p)),
            ["mean", "each", m] => out["mean_each"] = json!(number(m)),
            ["mean", what, m] => out["means"][*what] = json!(number(m)),
            [what, n, p] => {
                let list = &mut out["dist"][*what];
                if list.is_null() {
                    *list = json!([]);
                }
                if let Some(list) = list.as_array_mut() {
                    list.push(json!([number(n), number(p)]));
                }
            }
            _ => {}
        }
    }
    out
}

fn unit(s: &State, id: UnitId) -> Value {
    let u = s.unit(id);
    let (kind, now, of, marks) = match &u.kind {
        Kind::Horde(h) => {
            let o = &s.options;
            let half = (0..=h.m0).rev().find(|m| crate::morale::below_half(o, *m, h.m0)).unwrap_or(0);
            let quarter = (0..=h.m0).rev().find(|m| crate::morale::below_quarter(o, *m, h.m0)).unwrap_or(0);
            ("horde", h.m, h.m0, json!([half, quarter]))
        }
        Kind::Person(p) => (if u.side == Side::Foes { "foe" } else { "heretic" }, p.wounds, p.max, json!([])),
    };
    json!({
        "label": u.label, "name": u.name, "kind": kind, "foes": u.side == Side::Foes, "initiative": u.initiative,
        "acts": s.current() == Some(id), "now": now, "of": of, "marks": marks, "status": u.status.word(),
        "figures": figures(s, u),
    })
}

fn waiting(s: &State, by: UnitId, n: usize) -> Value {
    let Some(a) = s.volley.as_ref().and_then(|v| v.attacks.get(n)) else { return Value::Null };
    let open = a.answer == Answer::Open;
    let k = s.volley.as_ref().map_or(0, |v| v.attacks[..n].iter().filter(|b| b.at == a.at).count());
    let which = if k == 0 { String::new() } else { format!(" #{}", k + 1) };
    let label = &s.unit(a.at).label;
    let mut may: Vec<Value> = Vec::new();
    if open && cannot_leave(s, n, None).is_none() {
        for with in reactions(s, n) {
            let word = if with == Reaction::Dodge { "dodge" } else { "parry" };
            let score = reaction_score(s, n, with).map_or(0, |x| x.target);
            may.push(json!({ "word": word, "score": score, "do": format!("{label} {word}{which}") }));
        }
    }
    let answer = match a.answer {
        Answer::Open => "open",
        Answer::Tried if a.hits > 0 => "tried",
        Answer::Tried => "evaded",
        Answer::Taken => "taken",
    };
    json!({ "by": s.unit(by).label, "at": label, "hits": a.hits, "weapon": a.how.weapon, "answer": answer, "may": may,
        "takes": format!("{label} takes it"), "left": s.unit(a.at).person().map_or(0, |p| p.reactions) })
}
