//! The umpire's page: what it shows, and what is done on it.

use super::{CampaignDesk, computers, date, one, text_of};
use campaign::again::{self, Mend};
use campaign::battle::{BattleResult, Task};
use campaign::{Command, NationId, Phase, Reader, report, view};
use game::record::Act;
use game::{Actor, Problem, Problems};
use serde_json::{Value, json};

/// So long the umpire's private notes may be.
const LONGEST_MEMO: usize = 20_000;

impl CampaignDesk {
    /// How the orders of a nation are read, for the umpire: what he must look at before he adjudicates.
    fn odd(&self, nation: NationId) -> Value {
        let game = self.table.game();
        let own = campaign::view_published(self.state(), Reader::Nation(nation));
        let found = report::receipt(game.world(), game.rules_in_force(), &own, &own.sets);
        let text = own.sets.last().map(|s| s.text.clone());
        match found {
            None => json!({ "nation": nation, "text": text }),
            Some(r) => json!({
                "nation": nation, "unread": r.problems, "guesses": r.guesses, "missing": r.missing, "dropped": r.dropped,
                "slips": r.slips, "late": r.late, "read": r.orders, "text": text,
            }),
        }
    }

    pub(super) fn umpire_page(&self) -> Value {
        let game = self.table.game();
        let (world, rules, state) = (game.world(), game.rules_in_force(), self.state());
        let own = view(state, Reader::Umpire);
        let desk = report::desk(world, rules, state);
        let last = self.table.record().lines.iter().rev().take(40).collect::<Vec<_>>();
        let log: Vec<Value> = last
            .into_iter()
            .rev()
            .map(|l| {
                let what = match &l.act {
                    Act::Command(text) => text.chars().take(90).collect(),
                    Act::Undo { to, .. } => format!("line {to} and what follows is taken back"),
                    _ => String::new(),
                };
                json!({ "by": l.by, "do": what, "said": l.said().map(|s| s.to_string()).collect::<Vec<_>>() })
            })
            .collect();
        let public = campaign::view_published(state, Reader::Public);
        let waits = matches!(state.phase, Phase::Orders | Phase::Winter);
        let odd: Vec<Value> = if waits { state.playing().map(|n| self.odd(n)).collect() } else { Vec::new() };
        json!({
            "name": world.name, "when": state.when(), "told": state.told, "phase": own.phase, "winner": state.winner,
            "desk": desk, "map": report::map_svg(world, rules, &own), "letter": self.letter(&public),
            "battles": self.battles(if state.phase == Phase::Battles { &state.turn.battles } else { &[] }, true),
            "nations": world.nations.keys().collect::<Vec<_>>(), "holds": state.holds, "log": log,
            "due": Self::due(&own), "odd": odd, "memo": self.memo, "seasons": self.earlier(Reader::Umpire),
            "paragraphs": state.paragraphs.iter().map(|p| json!({ "to": p.to, "text": p.text })).collect::<Vec<_>>(),
        })
    }

    pub(super) fn umpire_does(&mut self, wish: &Value) -> Result<Value, Problems> {
        if let Some(line) = text_of(wish, "line") {
            return Ok(json!({ "said": self.command(Actor::Umpire, line)? }));
        }
        if wish["adjudicate"] == true {
            return Ok(json!({ "said": self.command(Actor::Umpire, "adjudicate")? }));
        }
        if wish["again"].is_object() {
            return self.run_again(&wish["again"]);
        }
        if let Some(text) = wish["memo"].as_str() {
            if text.len() > LONGEST_MEMO {
                return Err(one(Problem::new(format!("notes of at most {LONGEST_MEMO} letters are kept"))));
            }
            text.clone_into(&mut self.memo);
            return Ok(json!({ "said": [] }));
        }
        if let Some(on) = wish["hold"].as_bool() {
            return Ok(json!({ "said": self.command(Actor::Umpire, &Command::Hold(on).to_string())? }));
        }
        if let Some(text) = wish["deadline"].as_str() {
            let at = match text.trim() {
                "" => None,
                some => Some(date(some)?),
            };
            return Ok(json!({ "said": self.command(Actor::Umpire, &Command::Deadline(at).to_string())? }));
        }
        if let Some(text) = wish["say"].as_str() {
            let to = match text_of(wish, "to") {
                None => None,
                Some(who) => Some(self.named(who)?),
            };
            let command = Command::Say { to, text: text.trim().to_owned() };
            return Ok(json!({ "said": self.command(Actor::Umpire, &command.to_string())? }));
        }
        if let Some(text) = text_of(wish, "note") {
            let note = Command::Note {
                from: None,
                to: self.named(wish["to"].as_str().unwrap_or(""))?,
                anonymous: false,
                later: wish["later"] == true,
                text: text.to_owned(),
            };
            return Ok(json!({ "said": self.command(Actor::Umpire, &note.to_string())? }));
        }
        if let Some(name) = text_of(wish, "date") {
            let battle = self.task(name)?.0.name();
            let until = text_of(wish, "until").ok_or_else(|| one(Problem::new("until when?")))?.to_owned();
            date(&until)?;
            return Ok(
                json!({ "said": self.command(Actor::Umpire, &Command::Date { battle, until }.to_string())? }),
            );
        }
        if let Some(name) = text_of(wish, "undecided") {
            let result = BattleResult::called_off();
            let battle = self.task(name)?.0.name();
            return Ok(
                json!({ "said": self.command(Actor::Umpire, &Command::Result { battle, result }.to_string())? }),
            );
        }
        if wish["publish"] == true {
            return Ok(json!({ "said": self.command(Actor::Umpire, &Command::Publish.to_string())? }));
        }
        if let Some(name) = text_of(wish, "reckon") {
            return Ok(
                json!({ "said": self.command(Actor::Umpire, &Command::Fight(name.to_owned()).to_string())? }),
            );
        }
        if let Some(name) = text_of(wish, "computer") {
            let (battle, key) = self.task(name)?;
            let (game, state) = (self.table.game(), self.state());
            let task =
                Task { world: game.world(), rules: game.rules_in_force(), state, battle: &battle, key: &key };
            let mut fighter = computers()?;
            let fought = campaign::battle::Fighter::fight(&mut fighter, task).map_err(one)?;
            let command = Command::Result { battle: battle.name(), result: fought.result };
            return Ok(json!({ "said": self.command(Actor::Umpire, &command.to_string())? }));
        }
        Err(one(Problem::new("nothing that the umpire's desk knows")
            .hint("adjudicate, publish, orders, a battle, or a line")))
    }

    /// A season run again as it would be: `{"nation": "Amber", "orders": "…"}` or `{"rule": "die … because …"}`.
    pub(super) fn tried_again(&self, wish: &Value) -> Result<again::Again, Problems> {
        let mend = match (text_of(wish, "nation"), wish["orders"].as_str(), text_of(wish, "rule")) {
            (Some(nation), Some(text), None) => Mend::Orders(nation, text),
            (_, None, Some(text)) => Mend::Rule(text),
            _ => {
                return Err(one(Problem::new("what is to be put right?")
                    .hint("a nation with its orders as they should have been read, or a ruling")));
            }
        };
        again::run_again(&self.table, &self.dice, &self.key, mend, Some(&mut computers()?))
    }

    /// What comes of a season run again: which letters change and how, and what the umpire should know.
    pub(super) fn told_again(&self, run: &again::Again) -> Value {
        let changed = again::changed_letters(&self.table, &run.table);
        let list: Vec<Value> =
            changed.into_iter().map(|(who, lines)| json!({ "who": who, "lines": lines })).collect();
        json!({ "changed": list, "notes": run.notes })
    }

    fn run_again(&mut self, wish: &Value) -> Result<Value, Problems> {
        let run = self.tried_again(wish)?;
        let told = self.told_again(&run);
        // A table whose battle is another one now is not waited for any more.
        let (was, is) = (self.table.state(), run.table.state());
        let here = format!("{}: ", is.when());
        self.tables.retain(|place, _| {
            place.strip_prefix(&here).is_none_or(|name| again::same_battle(was, is, name))
        });
        self.table = run.table;
        Ok(told)
    }
}
