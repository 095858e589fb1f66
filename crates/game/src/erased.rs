//! A game without its types: text in, JSON out. Command line, cases, store and server know only this, so that a
//! new game changes nothing there.

use crate::record::{Act, Record};
use crate::table::seen_events;
use crate::{
    Actor, Digest, Game, NotCorrected, Outcome, Owed, Problem, Problems, Refusal, Seat, Stop, Table,
    TableError, UndoRefused,
};
use crate::{Verdict, Viewer, verify};
use dice::{Dice, Key, NoDice, Seeded};
use serde_json::{Value, json};
use std::marker::PhantomData;

/// What became of a command given as text.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It was carried out.
    Done {
        /// The number of its line in the record.
        n: u32,
        /// What happened, as JSON with a sentence in `say`.
        events: Vec<Value>,
        /// The same as statements that a case can expect.
        facts: Vec<String>,
    },
    /// A rule forbids it; nothing has changed.
    Refused {
        /// The rule's id, if a rule book speaks of it.
        rule: Option<String>,
        /// The sentence: what was tried, and the nearest thing allowed.
        words: String,
        /// Figures.
        figures: Value,
    },
    /// The text does not read; nothing has changed.
    Unread(Problem),
    /// These dice are wanted: give the same command with them.
    Dice {
        /// The dice.
        wanted: Vec<Wanted>,
        /// The sentence.
        words: String,
        /// All of them only open what comes next ([`Game::opens_next`]).
        opens_next: bool,
    },
}

/// A die that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What for, in words that occur once in a game.
    pub purpose: String,
    /// Faces.
    pub sides: u16,
    /// The side whose die it is, as the labels of its pieces begin.
    pub of: Option<String>,
}

impl Wanted {
    fn of<G: Game>(game: &G, ask: &dice::Ask) -> Self {
        Self { purpose: game.describe(ask), sides: ask.sides, of: game.thrower(ask) }
    }
}

/// What a command would do: carried out on a copy, seen with one viewer's eyes.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The command as it prints, if it reads.
    pub text: Option<String>,
    /// What would become of it; its events and facts are empty here.
    pub answer: Answer,
    /// What the viewer would get of the events.
    pub seen: Vec<Value>,
    /// What he would see afterwards; `Null` where nothing happens.
    pub view: Value,
    /// What would be owed afterwards.
    pub owes: Vec<Value>,
}

/// A kind of game.
pub trait AnyGame: Send + Sync {
    /// Its name: `hott`.
    fn name(&self) -> &'static str;

    /// The revision of its rules in this release.
    fn revision(&self) -> u32;

    /// See [`Game::rules_from`].
    ///
    /// # Errors
    /// As there.
    fn rules_from(
        &self,
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems>;

    /// A new game.
    ///
    /// # Errors
    /// Everything wrong with rules or set-up.
    fn table(
        &self,
        rules: &Value,
        setup: &Value,
        commitment: Option<String>,
        words: Vec<String>,
    ) -> Result<Box<dyn AnyTable>, Problems>;

    /// A game from a position.
    ///
    /// # Errors
    /// Everything wrong with it.
    fn open_position(&self, rules: &Value, position: &Value) -> Result<Box<dyn AnyTable>, Problems>;

    /// A game from a one-line notation.
    ///
    /// # Errors
    /// Everything wrong with it.
    fn open_notation(&self, rules: &Value, notation: &str) -> Result<Box<dyn AnyTable>, Problems>;

    /// A game from its record, played again.
    ///
    /// # Errors
    /// The line that comes out differently.
    fn replay(&self, record: &Record) -> Result<Box<dyn AnyTable>, Problem>;

    /// A game of an older revision played on under this one, from the last snapshot of its record, with a sentence
    /// that says so. What was played before stays as it was told.
    ///
    /// # Errors
    /// A record without a snapshot, or one that no longer opens.
    fn play_on(&self, record: &Record) -> Result<(Box<dyn AnyTable>, String), Problems>;

    /// See [`verify()`].
    fn verify(&self, record: &Record) -> Verdict;
}

/// A game under way.
pub trait AnyTable: Send + Sync {
    /// The name of its game.
    fn name(&self) -> &'static str;
    /// The seats' names.
    fn seats(&self) -> &[String];
    /// What is owed, as JSON: `seat`, `kind` (`act`, `choice`, `sealed`), `about`, and for a choice `answers`, `stands`.
    fn owes(&self) -> Vec<Value>;
    /// The first seat that owes something.
    fn first_to_act(&self) -> Option<Seat>;
    /// Gives a command.
    fn command(&mut self, by: Actor, text: &str, dice: &mut dyn Dice) -> Answer;
    /// Commands that a seat may give now.
    fn candidates(&self, seat: Seat) -> Vec<String>;
    /// The position.
    fn position(&self) -> Value;
    /// The position in one line.
    fn notation(&self) -> String;
    /// The digest of the state.
    fn digest(&self) -> Digest;
    /// What a viewer may know.
    fn view(&self, viewer: Viewer) -> Value;
    /// What a viewer got of the events, numbered for him.
    fn seen_by(&self, viewer: Viewer) -> Vec<Value>;
    /// What a viewer got of the events of line `n` of the record, not numbered.
    fn seen_of(&self, viewer: Viewer, n: u32) -> Vec<Value>;
    /// The number of a seat's side; allies share it.
    fn side(&self, seat: Seat) -> u8;
    /// See [`Game::leads`].
    fn leads(&self, seat: Seat) -> bool;
    /// See [`Game::hidden`].
    fn hidden(&self) -> Vec<String>;
    /// A possible table that looks to `viewer` like this one after line `at` (`None`: now), hidden facts guessed
    /// from `guess`. It holds neither record nor key: previews and computer players work on it.
    fn possible_for(&self, viewer: Viewer, guess: u64, at: Option<u32>) -> Box<dyn AnyTable>;
    /// What a command would do, seen by `viewer`. Nothing changes. Meant for a possible table.
    fn dry_run(&self, by: Actor, text: &str, dice: &mut dyn Dice, viewer: Viewer) -> Tried;
    /// What would become of a command, and how it prints. Nothing changes, and nothing is told of what would follow.
    fn judge(&self, by: Actor, text: &str, dice: &mut dyn Dice) -> (Option<String>, Answer);
    /// See [`Game::brief`].
    fn brief(&self, seat: Seat, events: &[Value]) -> String;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// Answers a question.
    ///
    /// # Errors
    /// What could not be read.
    fn ask(&self, question: &str) -> Result<Vec<String>, Problem>;
    /// Compares with what a case expects of pieces.
    ///
    /// # Errors
    /// What could not be read.
    fn compare(&self, expected: &Value) -> Result<Vec<String>, Problem>;
    /// See [`Table::undo`].
    ///
    /// # Errors
    /// As there.
    fn undo(
        &mut self,
        by: Actor,
        to: u32,
        agreed: &[Seat],
        same_dice: bool,
        seeded: Option<&mut Seeded>,
    ) -> Result<(), UndoRefused>;
    /// The dice of the last command, if `by` typed them and may still put them right: see [`Table::last_typed`].
    fn last_typed(&self, by: Actor) -> Option<Vec<(Wanted, u16)>>;
    /// See [`Table::correct`].
    fn correct(&mut self, by: Actor, values: &[u16]) -> Answer;
    /// Adds a snapshot to the record.
    fn snapshot(&mut self);
    /// Ends the record.
    fn end(&mut self, key: Option<&Key>);
    /// Ends the record with what was agreed on, where the game itself has not ended.
    fn end_as(&mut self, agreed: Option<Outcome>, key: Option<&Key>);
    /// Brings a source of dice to where this record has it: dice that were taken back are not thrown again.
    ///
    /// # Errors
    /// The line whose dice are not of this source.
    fn catch_up(&self, seeded: &mut Seeded) -> Result<(), u32>;
    /// The record.
    fn record(&self) -> &Record;
    /// The notation of the state after line `n` (0: the start).
    fn notation_at(&self, n: u32) -> String;
    /// The table itself, for whoever knows its game: a `Table<G>`.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// A kind of game, made of its type: under its own name, or under another one with some settings fixed (big battles
/// are HOTT under other rules).
pub struct Kind<G> {
    name: &'static str,
    fixed: &'static [(&'static str, &'static str)],
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Kind<G> {
    /// The kind of game that `G` is.
    #[must_use]
    pub const fn new() -> Self {
        Self::under(G::NAME, &[])
    }

    /// The same under another name, with settings that hold before any that are given.
    #[must_use]
    pub const fn under(name: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Self {
        Kind { name, fixed, game: PhantomData }
    }
}

impl<G: Game> Default for Kind<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> AnyGame for Kind<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn revision(&self) -> u32 {
        G::REVISION
    }

    fn rules_from(
        &self,
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems> {
        let fixed = self.fixed.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let sets: Vec<(String, String)> = fixed.chain(sets.iter().cloned()).collect();
        G::rules_from(preset, file, &sets)
    }

    fn table(
        &self,
        rules: &Value,
        setup: &Value,
        commitment: Option<String>,
        words: Vec<String>,
    ) -> Result<Box<dyn AnyTable>, Problems> {
        Ok(Box::new(Table::new(G::open(rules, setup)?, commitment, words)))
    }

    fn open_position(&self, rules: &Value, position: &Value) -> Result<Box<dyn AnyTable>, Problems> {
        let (game, state) = G::open_position(rules, position)?;
        Ok(Box::new(Table::from_position(game, state, None, Vec::new())))
    }

    fn open_notation(&self, rules: &Value, notation: &str) -> Result<Box<dyn AnyTable>, Problems> {
        let (game, state) = G::open_notation(rules, notation)?;
        Ok(Box::new(Table::from_position(game, state, None, Vec::new())))
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn AnyTable>, Problem> {
        Ok(Box::new(Table::<G>::replay(record)?))
    }

    fn play_on(&self, record: &Record) -> Result<(Box<dyn AnyTable>, String), Problems> {
        let snapshot = record.lines.iter().rev().find_map(|line| match &line.act {
            Act::Snapshot(notation) => Some((line.n, notation)),
            _ => None,
        });
        let (n, notation) = snapshot.ok_or_else(|| {
            vec![
                Problem::new("the record has no snapshot to play on from")
                    .hint("it can still be told: muster replay"),
            ]
        })?;
        let (then, now) = (record.header.revision, G::REVISION);
        let notice = format!(
            "played on from line {n} under revision {now} of the rules; it was begun under revision {then}"
        );
        Ok((self.open_notation(&record.header.rules, notation)?, notice))
    }

    fn verify(&self, record: &Record) -> Verdict {
        verify::<G>(record)
    }
}

/// What is owed, as JSON.
fn owed_json<G: Game>(game: &G, state: &G::State) -> Vec<Value> {
    let mut debts = Vec::new();
    game.owes(state, &mut debts);
    let print = |c: &G::Command| game.print(state, c);
    let seat = |s: Seat| Actor::Seat(s).name(game.seats());
    debts
        .iter()
        .map(|debt| match &debt.what {
            Owed::Act(about) => json!({ "seat": seat(debt.seat), "kind": "act", "about": about }),
            Owed::Sealed(about) => json!({ "seat": seat(debt.seat), "kind": "sealed", "about": about }),
            Owed::Choice { about, answers, stands } => json!({
                "seat": seat(debt.seat),
                "kind": "choice",
                "about": about,
                "answers": answers.iter().map(print).collect::<Vec<_>>(),
                "stands": print(stands),
            }),
        })
        .collect()
}

/// Why a command was not carried out.
fn stopped<G: Game>(game: &G, stop: Stop<G::Refusal>) -> Answer {
    match stop {
        Stop::Refused(refusal) => Answer::Refused {
            rule: refusal.rule().map(|r| r.to_string()),
            words: refusal.to_string(),
            figures: refusal.figures(),
        },
        Stop::Dice(no) => {
            let wanted = match &no {
                NoDice::Needs(asks) => asks.iter().map(|a| Wanted::of(game, a)).collect(),
                NoDice::OutOfRange { ask, .. } => vec![Wanted::of(game, ask)],
            };
            let opens_next = match &no {
                NoDice::Needs(asks) => asks.iter().all(|a| game.opens_next(a)),
                NoDice::OutOfRange { .. } => false,
            };
            // Its own words name dice by their addresses: people get the game's names for them.
            let words = match &no {
                NoDice::Needs(asks) => {
                    let all: Vec<String> =
                        asks.iter().map(|a| format!("d{} for {}", a.sides, game.describe(a))).collect();
                    format!("dice are wanted: {}", all.join(", "))
                }
                NoDice::OutOfRange { ask, value } => format!(
                    "a d{} cannot show {value} (for {}): 1 to {} would be right",
                    ask.sides,
                    game.describe(ask),
                    ask.sides
                ),
            };
            Answer::Dice { wanted, words, opens_next }
        }
    }
}

impl<G: Game> AnyTable for Table<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn seats(&self) -> &[String] {
        self.game().seats()
    }

    fn owes(&self) -> Vec<Value> {
        owed_json(self.game(), self.state())
    }

    fn first_to_act(&self) -> Option<Seat> {
        Table::owes(self).first().map(|debt| debt.seat)
    }

    fn command(&mut self, by: Actor, text: &str, dice: &mut dyn Dice) -> Answer {
        match self.command_text(by, text, dice) {
            Ok(played) => Answer::Done {
                n: played.n,
                events: self.record().lines.last().map(|l| l.events.clone()).unwrap_or_default(),
                facts: played.events.iter().flat_map(|e| self.game().facts(e)).collect(),
            },
            Err(TableError::Text(problem)) => Answer::Unread(problem),
            Err(TableError::Stop(stop)) => stopped(self.game(), stop),
        }
    }

    fn candidates(&self, seat: Seat) -> Vec<String> {
        let mut out = Vec::new();
        self.game().candidates(self.state(), seat, &mut out);
        out.iter().map(|c| self.game().print(self.state(), c)).collect()
    }

    fn position(&self) -> Value {
        self.game().position(self.state())
    }

    fn notation(&self) -> String {
        self.game().notation(self.state())
    }

    fn digest(&self) -> Digest {
        self.game().digest(self.state())
    }

    fn view(&self, viewer: Viewer) -> Value {
        serde_json::to_value(self.game().view(self.state(), viewer)).unwrap_or(Value::Null)
    }

    fn seen_by(&self, viewer: Viewer) -> Vec<Value> {
        Table::seen_by(self, viewer)
    }

    fn seen_of(&self, viewer: Viewer, n: u32) -> Vec<Value> {
        Table::seen_of(self, viewer, n)
    }

    fn side(&self, seat: Seat) -> u8 {
        self.game().side(seat)
    }

    fn leads(&self, seat: Seat) -> bool {
        self.game().leads(seat)
    }

    fn hidden(&self) -> Vec<String> {
        self.game().hidden(self.state())
    }

    fn possible_for(&self, viewer: Viewer, guess: u64, at: Option<u32>) -> Box<dyn AnyTable> {
        let (game, state) = match at {
            None => self.game().seen_by(self.state(), viewer, guess),
            Some(n) => self.game().seen_by(&self.at(n), viewer, guess),
        };
        Box::new(Table::loose(game, state))
    }

    fn dry_run(&self, by: Actor, text: &str, dice: &mut dyn Dice, viewer: Viewer) -> Tried {
        let mut tried = Tried {
            text: None,
            answer: Answer::Done { n: 0, events: Vec::new(), facts: Vec::new() },
            seen: Vec::new(),
            view: Value::Null,
            owes: Vec::new(),
        };
        let game = self.game();
        let command = match game.parse(self.state(), by, text) {
            Ok(command) => command,
            Err(problem) => {
                tried.answer = Answer::Unread(problem);
                return tried;
            }
        };
        tried.text = Some(game.print(self.state(), &command));
        match game.play(self.state(), by, &command, dice) {
            Ok((state, events)) => {
                tried.seen = seen_events(game, &state, &events, viewer);
                tried.view = serde_json::to_value(game.view(&state, viewer)).unwrap_or(Value::Null);
                tried.owes = owed_json(game, &state);
            }
            Err(stop) => tried.answer = stopped(game, stop),
        }
        tried
    }

    fn judge(&self, by: Actor, text: &str, dice: &mut dyn Dice) -> (Option<String>, Answer) {
        let game = self.game();
        let command = match game.parse(self.state(), by, text) {
            Ok(command) => command,
            Err(problem) => return (None, Answer::Unread(problem)),
        };
        let answer = match game.play(self.state(), by, &command, dice) {
            Ok(_) => Answer::Done { n: 0, events: Vec::new(), facts: Vec::new() },
            Err(stop) => stopped(game, stop),
        };
        (Some(game.print(self.state(), &command)), answer)
    }

    fn brief(&self, seat: Seat, events: &[Value]) -> String {
        self.game().brief(self.state(), seat, events)
    }

    fn outcome(&self) -> Option<Outcome> {
        Table::outcome(self)
    }

    fn ask(&self, question: &str) -> Result<Vec<String>, Problem> {
        self.game().ask(self.state(), question)
    }

    fn compare(&self, expected: &Value) -> Result<Vec<String>, Problem> {
        self.game().compare(self.state(), expected)
    }

    fn undo(
        &mut self,
        by: Actor,
        to: u32,
        agreed: &[Seat],
        same_dice: bool,
        seeded: Option<&mut Seeded>,
    ) -> Result<(), UndoRefused> {
        Table::undo(self, by, to, agreed, same_dice, seeded)
    }

    fn last_typed(&self, by: Actor) -> Option<Vec<(Wanted, u16)>> {
        let thrown = self.thrown_in(Table::last_typed(self, by)?);
        Some(thrown.iter().map(|t| (Wanted::of(self.game(), &t.ask), t.value)).collect())
    }

    fn correct(&mut self, by: Actor, values: &[u16]) -> Answer {
        let refused = |words: String| Answer::Refused { rule: None, words, figures: Value::Null };
        match Table::correct(self, by, values) {
            Ok(played) => Answer::Done {
                n: played.n,
                events: Vec::new(),
                facts: played.events.iter().flat_map(|e| self.game().facts(e)).collect(),
            },
            Err(NotCorrected::Gone) => refused(
                "dice can be put right by whoever typed them, until the next command; after that propose to take back"
                    .to_owned(),
            ),
            Err(NotCorrected::Same) => refused("these dice stand already".to_owned()),
            Err(NotCorrected::TooMany(n)) => refused(format!("{n} of the dice are not wanted")),
            Err(NotCorrected::Stop(stop)) => stopped(self.game(), stop),
        }
    }

    fn snapshot(&mut self) {
        Table::snapshot(self);
    }

    fn end(&mut self, key: Option<&Key>) {
        Table::end(self, key);
    }

    fn end_as(&mut self, agreed: Option<Outcome>, key: Option<&Key>) {
        Table::end_as(self, agreed, key);
    }

    fn catch_up(&self, seeded: &mut Seeded) -> Result<(), u32> {
        self.throw_again(seeded, Table::record(self)).map_err(|(line, _)| line)
    }

    fn record(&self) -> &Record {
        Table::record(self)
    }

    fn notation_at(&self, n: u32) -> String {
        self.game().notation(&self.at(n))
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
