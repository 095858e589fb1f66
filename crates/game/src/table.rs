//! One game under way, with its record.

use crate::record::{Act, Header, Line, Record, throws_of};
use crate::{Actor, Debt, Digest, Game, Outcome, Problem, Problems, Seat, Stop, Viewer};
use dice::{Address, Dice, Key, Recording, Scripted, Seeded, Thrown};
use serde_json::{Value, json};

mod correct;

pub use correct::{NotCorrected, wrong_die};

/// A game with its state and its record, which is the whole truth: the state is a fold over it.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    game: G,
    start: G::State,
    state: G::State,
    record: Record,
    /// Kept beside each line of the record: what undo and the views need.
    played: Vec<Kept<G>>,
}

/// What a line leaves in memory that the file does not hold.
#[derive(Clone, Debug)]
struct Kept<G: Game> {
    /// The events, typed.
    events: Vec<G::Event>,
    /// What each viewer sees is judged against the state after the line.
    after: Option<G::State>,
    /// Dice thrown, by address.
    thrown: Vec<Thrown>,
    /// Taken back by a later undo.
    undone: bool,
}

/// A command that was carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<E> {
    /// The number of its line in the record.
    pub n: u32,
    /// What happened.
    pub events: Vec<E>,
    /// The dice that fell.
    pub thrown: Vec<Thrown>,
}

/// Why an undo is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoRefused {
    /// The first line that stands in the way.
    pub line: u32,
    /// Why it does: a die fell, something was shown, another seat acted.
    pub why: String,
}

/// What went wrong in a command given as text.
#[derive(Clone, Debug, PartialEq)]
pub enum TableError<R> {
    /// The text does not read.
    Text(Problem),
    /// The command was not carried out.
    Stop(Stop<R>),
}

impl<G: Game> Table<G> {
    /// A new game from its set-up. `commitment` is published at the start; `words` are what seats added to the key.
    #[must_use]
    pub fn new(game: G, commitment: Option<String>, words: Vec<String>) -> Self {
        let state = game.start();
        Self::begin(game, state, None, commitment, words)
    }

    /// A game that starts from a position: a what-if, a case, a battle played on from a notation.
    #[must_use]
    pub fn from_position(game: G, state: G::State, commitment: Option<String>, words: Vec<String>) -> Self {
        let from = Some(game.notation(&state));
        Self::begin(game, state, from, commitment, words)
    }

    fn begin(
        game: G,
        state: G::State,
        from: Option<String>,
        commitment: Option<String>,
        words: Vec<String>,
    ) -> Self {
        let header = Header {
            game: G::NAME.to_owned(),
            revision: G::REVISION,
            rules: game.rules(),
            setup: game.setup(),
            seats: game.seats().to_vec(),
            commitment,
            words,
            from,
        };
        let header_text = header.print();
        let record = Record { header, header_text, lines: Vec::new(), broken: None };
        Self { game, start: state.clone(), state, record, played: Vec::new() }
    }

    /// A table without rules and set-up in its header: to try things out on and throw away.
    #[must_use]
    pub(crate) fn loose(game: G, state: G::State) -> Self {
        let header = Header {
            game: G::NAME.to_owned(),
            revision: G::REVISION,
            rules: Value::Null,
            setup: Value::Null,
            seats: game.seats().to_vec(),
            commitment: None,
            words: Vec::new(),
            from: None,
        };
        let record = Record { header, header_text: String::new(), lines: Vec::new(), broken: None };
        Self { game, start: state.clone(), state, record, played: Vec::new() }
    }

    /// The rules and set-up.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The state now.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The record so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// What is owed now.
    pub fn owes(&self) -> Vec<Debt<G::Command>> {
        let mut out = Vec::new();
        self.game.owes(&self.state, &mut out);
        out
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    /// Carries out a command and adds its line to the record.
    ///
    /// # Errors
    /// As [`Game::apply`]; nothing has changed then.
    pub fn command(
        &mut self,
        by: Actor,
        command: &G::Command,
        dice: &mut dyn Dice,
    ) -> Result<Played<G::Event>, Stop<G::Refusal>> {
        let text = self.game.print(&self.state, command);
        let mut dice = Recording::new(dice);
        let (state, events) = self.game.play(&self.state, by, command, &mut dice)?;
        let thrown = dice.thrown;
        self.state = state;
        let line = self.next(by.name(self.game.seats()), Act::Command(text));
        let line = Line {
            throws: throws_of(&thrown, |ask| self.game.describe(ask)),
            events: events.iter().map(|e| self.event_with_words(e)).collect(),
            ..line
        };
        let n = line.n;
        self.push(line, events.clone(), thrown.clone());
        Ok(Played { n, events, thrown })
    }

    /// As [`Table::command`], from the command's text.
    ///
    /// # Errors
    /// What of the text does not read, or as [`Game::apply`].
    pub fn command_text(
        &mut self,
        by: Actor,
        text: &str,
        dice: &mut dyn Dice,
    ) -> Result<Played<G::Event>, TableError<G::Refusal>> {
        let command = self.game.parse(&self.state, by, text).map_err(TableError::Text)?;
        self.command(by, &command, dice).map_err(TableError::Stop)
    }

    fn event_with_words(&self, event: &G::Event) -> Value {
        let mut value = self.game.event_json(event);
        if let Some(object) = value.as_object_mut() {
            object.insert("say".to_owned(), json!(self.game.tell(event)));
        }
        value
    }

    fn next(&self, by: String, act: Act) -> Line {
        let n = u32::try_from(self.record.lines.len()).unwrap_or(u32::MAX).saturating_add(1);
        Line {
            n,
            by,
            act,
            throws: Vec::new(),
            events: Vec::new(),
            state: self.game.digest(&self.state),
            chain: Digest::default(),
        }
    }

    fn push(&mut self, mut line: Line, events: Vec<G::Event>, thrown: Vec<Thrown>) {
        line.chain = self.record.digest().then(&line.body());
        // A command may change the state without anything to see, as the end of a step does.
        let after = matches!(line.act, Act::Command(_)).then(|| self.state.clone());
        self.played.push(Kept { events, after, thrown, undone: false });
        self.record.lines.push(line);
    }

    /// Adds a snapshot: from it a record of an older revision can be played on.
    pub fn snapshot(&mut self) {
        let line = self.next(String::new(), Act::Snapshot(self.game.notation(&self.state)));
        self.push(line, Vec::new(), Vec::new());
    }

    /// Ends the record: the outcome, if there is one, and the key that was committed to.
    pub fn end(&mut self, key: Option<&Key>) {
        self.end_as(None, key);
    }

    /// As [`Table::end`], with what was agreed on where the game itself has not ended: a draw, a resignation.
    pub fn end_as(&mut self, agreed: Option<Outcome>, key: Option<&Key>) {
        let act = Act::End { outcome: self.outcome().or(agreed), key: key.map(Key::to_string) };
        let line = self.next(String::new(), act);
        self.push(line, Vec::new(), Vec::new());
    }

    /// Takes back everything from line `to` on. A seat may do so alone as far back as its own acts without dice or
    /// revelations reach; beyond that every other seat must be among `agreed`; the umpire may always.
    ///
    /// `seeded` is told which dice were taken back, so that another stands at their address; after an umpire's
    /// correction (`same_dice`) the same ones fall again.
    ///
    /// # Errors
    /// The line that stands in the way, and why.
    pub fn undo(
        &mut self,
        by: Actor,
        to: u32,
        agreed: &[Seat],
        same_dice: bool,
        seeded: Option<&mut Seeded>,
    ) -> Result<(), UndoRefused> {
        self.may_undo(by, to, agreed, same_dice)?;
        let seats = self.game.seats();
        let agreed = agreed.iter().map(|s| Actor::Seat(*s).name(seats)).collect();
        let again = self.go_back(by, to, Act::Undo { to, agreed, same_dice, wrong_die: false });
        if let (Some(seeded), false) = (seeded, same_dice) {
            again.into_iter().for_each(|address: Address| seeded.take_back(address));
        }
        Ok(())
    }

    /// Takes back from line `to` on, which was allowed, and says so in the record; the dice that no longer count.
    fn go_back(&mut self, by: Actor, to: u32, act: Act) -> Vec<Address> {
        let mut again = Vec::new();
        for kept in &mut self.played[to as usize - 1..] {
            if !kept.undone {
                kept.undone = true;
                again.extend(kept.thrown.iter().map(|t| t.ask.address));
            }
        }
        self.state = self.at(to - 1);
        let line = self.next(by.name(self.game.seats()), act);
        self.push(line, Vec::new(), Vec::new());
        again
    }

    fn may_undo(&self, by: Actor, to: u32, agreed: &[Seat], same_dice: bool) -> Result<(), UndoRefused> {
        let refuse = |line: u32, why: &str| Err(UndoRefused { line, why: why.to_owned() });
        if to == 0 || to as usize > self.record.lines.len() {
            return refuse(to, "there is no such line");
        }
        let Actor::Seat(own) = by else { return Ok(()) };
        if same_dice {
            return refuse(to, "only an umpire corrects a game with the same dice");
        }
        let seats = self.game.seats();
        let all_agree =
            (0..seats.len()).all(|n| n == usize::from(own.0) || agreed.iter().any(|s| usize::from(s.0) == n));
        if all_agree {
            return Ok(());
        }
        for (line, kept) in self.record.lines.iter().zip(&self.played).skip(to as usize - 1) {
            if kept.undone || matches!(line.act, Act::Snapshot(_)) {
                continue;
            }
            // Whoever saw nothing of another's act must not learn of it by being stopped there.
            let other = line.by != by.name(seats) && matches!(line.act, Act::Command(_));
            if other && kept.thrown.is_empty() && self.seen_of(Viewer::Seat(own), line.n).is_empty() {
                continue;
            }
            if line.by != by.name(seats) {
                return refuse(line.n, "another seat has acted since; it must agree");
            }
            if !kept.thrown.is_empty() {
                return refuse(line.n, "a die has fallen since; the other seats must agree");
            }
            if kept.events.iter().any(|e| self.game.reveals(e)) {
                return refuse(line.n, "something hidden was shown since; the other seats must agree");
            }
        }
        Ok(())
    }

    /// The state after line `n` (0: the start), counting only what was not taken back before then.
    #[must_use]
    pub fn at(&self, n: u32) -> G::State {
        let n = (n as usize).min(self.played.len());
        let mut standing: Vec<usize> = Vec::new();
        for (i, line) in self.record.lines[..n].iter().enumerate() {
            match &line.act {
                Act::Undo { to, .. } => standing.retain(|&i| i + 1 < *to as usize),
                _ => standing.push(i),
            }
        }
        standing
            .iter()
            .rev()
            .find_map(|&i| self.played[i].after.clone())
            .unwrap_or_else(|| self.start.clone())
    }

    /// What `viewer` gets of the events so far, numbered from 1 for him alone, so that no gap tells of a hidden act.
    /// An event that he gets whole has its sentence in `say`.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Vec<Value> {
        let lines = 1..=u32::try_from(self.played.len()).unwrap_or(u32::MAX);
        let mut seen: Vec<Value> = lines.flat_map(|n| self.seen_of(viewer, n)).collect();
        for (value, n) in seen.iter_mut().zip(1_u64..) {
            if let Some(object) = value.as_object_mut() {
                object.insert("n".to_owned(), json!(n));
            }
        }
        seen
    }

    /// What `viewer` gets of the events of line `n`, not numbered.
    #[must_use]
    pub fn seen_of(&self, viewer: Viewer, n: u32) -> Vec<Value> {
        let kept = n.checked_sub(1).and_then(|n| self.played.get(n as usize));
        let Some(Kept { events, after: Some(after), .. }) = kept else { return Vec::new() };
        seen_events(&self.game, after, events, viewer)
    }

    /// Plays a record again, line by line, with the dice it holds.
    ///
    /// # Errors
    /// The first line that comes out differently, and how.
    pub fn replay(record: &Record) -> Result<Self, Problem> {
        let mut table = Self::opened(record).map_err(first)?;
        for line in &record.lines {
            table.replay_line(line)?;
        }
        Ok(table)
    }

    /// The game of a record before its first line.
    ///
    /// # Errors
    /// What of the header does not open.
    pub fn opened(record: &Record) -> Result<Self, Problems> {
        let h = &record.header;
        let (game, state) = match &h.from {
            None => {
                let game = G::open(&h.rules, &h.setup)?;
                let state = game.start();
                (game, state)
            }
            Some(notation) => G::open_notation(&h.rules, notation)?,
        };
        let record = Record { lines: Vec::new(), broken: None, ..record.clone() };
        Ok(Self { game, start: state.clone(), state, record, played: Vec::new() })
    }

    pub(crate) fn replay_line(&mut self, line: &Line) -> Result<(), Problem> {
        let parts = |what: String| Problem::new(what).at("", line.n + 1, 0);
        let seats = self.game.seats();
        match &line.act {
            Act::Command(text) => {
                let by = Actor::named(&line.by, seats)
                    .ok_or_else(|| parts(format!("no such seat: {}", line.by)))?;
                if !self.goes_on_as_corrected(&line.by, text) {
                    return Err(parts("after a wrong die the same command is played again".to_owned()));
                }
                let mut dice = Scripted::new(line.throws.iter().map(|t| t.value));
                match self.command_text(by, text, &mut dice) {
                    Ok(_) => {}
                    Err(TableError::Text(problem)) => {
                        return Err(parts(format!("{text:?} does not read: {}", problem.message)));
                    }
                    Err(TableError::Stop(stop)) => {
                        return Err(parts(format!("{text:?} by {} is not played: {stop}", line.by)));
                    }
                }
                if !dice.left().is_empty() {
                    return Err(parts(format!("{text:?} throws fewer dice than the record has")));
                }
            }
            Act::Undo { to, wrong_die: true, .. } => {
                let by = Actor::named(&line.by, seats)
                    .ok_or_else(|| parts(format!("no such seat: {}", line.by)))?;
                if self.last_typed(by) != Some(*to) {
                    return Err(parts(format!("the dice of line {to} could not be put right any more")));
                }
                self.go_back(by, *to, line.act.clone());
            }
            Act::Undo { to, agreed, same_dice, .. } => {
                let by = Actor::named(&line.by, seats)
                    .ok_or_else(|| parts(format!("no such seat: {}", line.by)))?;
                let agreed: Vec<Seat> = agreed
                    .iter()
                    .filter_map(|name| match Actor::named(name, seats) {
                        Some(Actor::Seat(seat)) => Some(seat),
                        _ => None,
                    })
                    .collect();
                self.undo(by, *to, &agreed, *same_dice, None)
                    .map_err(|u| parts(format!("undo: {}", u.why)))?;
            }
            Act::Snapshot(_) => self.snapshot(),
            Act::End { outcome, key } => {
                let key = match key {
                    None => None,
                    Some(text) => Some(text.parse().map_err(parts)?),
                };
                self.end_as(outcome.clone(), key.as_ref());
            }
        }
        let Some(now) = self.record.lines.last() else { return Ok(()) };
        let same = now.throws.len() == line.throws.len()
            && now.throws.iter().zip(&line.throws).all(|(now, then)| now.is_same_die(then));
        if !same {
            return Err(parts("the dice are for something else than the record says".to_owned()));
        }
        if now.state != line.state || !same_facts(&now.events, &line.events) || now.act != line.act {
            return Err(parts(format!("the play comes out differently: {}", difference(now, line))));
        }
        // INVARIANT (`lines are whole`): the chain is judged by verify(), here it is kept as recorded.
        if let Some(kept) = self.record.lines.last_mut() {
            kept.chain = line.chain;
            // The words of an older release stay as they were written: the chain is made over them.
            kept.events.clone_from(&line.events);
            // Who threw the dice is known from the record alone.
            kept.throws.clone_from(&line.throws);
        }
        Ok(())
    }
}

/// Whether events say the same. How a sentence is worded (`say`) is no fact: a release that words one better plays
/// the records of the one before it.
fn same_facts(a: &[Value], b: &[Value]) -> bool {
    let bare = |v: &Value| match v {
        Value::Object(all) => Value::Object(
            all.iter().filter(|(k, _)| *k != "say").map(|(k, v)| (k.clone(), v.clone())).collect(),
        ),
        other => other.clone(),
    };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || bare(a) == bare(b))
}

/// What a viewer gets of events. Only an event that he gets whole is told to him: words may say what figures hide.
pub(crate) fn seen_events<G: Game>(
    game: &G,
    after: &G::State,
    events: &[G::Event],
    viewer: Viewer,
) -> Vec<Value> {
    let one = |event: &G::Event| {
        let mut value = game.event_for(after, event, viewer)?;
        if value.get("say").is_none()
            && value == game.event_json(event)
            && let Some(object) = value.as_object_mut()
        {
            object.insert("say".to_owned(), json!(game.tell(event)));
        }
        Some(value)
    };
    events.iter().filter_map(one).collect()
}

fn first(mut problems: Problems) -> Problem {
    if problems.is_empty() {
        Problem::new("the header does not open")
    } else {
        problems.swap_remove(0).at("", 1, 0)
    }
}

fn difference(now: &Line, then: &Line) -> String {
    for (a, b) in now.events.iter().zip(&then.events) {
        if !same_facts(std::slice::from_ref(a), std::slice::from_ref(b)) {
            let said = |event: &Value| event["say"].as_str().unwrap_or("?").to_owned();
            if said(a) != said(b) {
                return format!("recorded {:?}, now {:?}", said(b), said(a));
            }
            return format!("{:?}: {}", said(a), field_that_differs(b, a));
        }
    }
    match now.events.len().cmp(&then.events.len()) {
        std::cmp::Ordering::Equal => "the state after it is another".to_owned(),
        std::cmp::Ordering::Less => "fewer events than recorded".to_owned(),
        std::cmp::Ordering::Greater => "more events than recorded".to_owned(),
    }
}

/// Of two events that read alike: what differs all the same.
fn field_that_differs(recorded: &Value, now: &Value) -> String {
    let keys = recorded.as_object().into_iter().chain(now.as_object()).flat_map(|o| o.keys());
    let mut others = keys.filter(|key| *key != "say" && recorded[key.as_str()] != now[key.as_str()]);
    match others.next() {
        Some(key) => format!("recorded {key} {}, now {}", recorded[key.as_str()], now[key.as_str()]),
        None => "recorded otherwise".to_owned(),
    }
}

impl<G: Game> Table<G> {
    /// Throws the dice of the replayed lines again from the source of the game, undone ones counted as they were.
    pub(crate) fn throw_again(
        &self,
        seeded: &mut Seeded,
        record: &Record,
    ) -> Result<(), (u32, Option<dice::NoDice>)> {
        for (i, kept) in self.played.iter().enumerate() {
            let Some(line) = record.lines.get(i) else { break };
            for (t, written) in kept.thrown.iter().zip(&line.throws) {
                match seeded.one(t.ask) {
                    Ok(value) if value == written.value => {}
                    Ok(_) => return Err((line.n, None)),
                    Err(no) => return Err((line.n, Some(no))),
                }
            }
            if let Act::Undo { to, same_dice: false, .. } = &line.act {
                let gone = self.played[..i].iter().enumerate().skip(*to as usize - 1);
                // A line taken back twice was taken back at its own undo already.
                let earlier = |j: usize| {
                    record.lines[j + 1..i]
                        .iter()
                        .any(|l| matches!(&l.act, Act::Undo { to, .. } if (*to as usize) <= j + 1))
                };
                for (j, kept) in gone {
                    if !earlier(j) {
                        kept.thrown.iter().for_each(|t| seeded.take_back(t.ask.address));
                    }
                }
            }
        }
        Ok(())
    }
}
