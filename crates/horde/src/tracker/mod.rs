//! The game master's tracker for a terminal.
//!
//! [`Tracker`] is the whole of it without a terminal: keys go in, a screen and lines for the file come out. The thin
//! loop around it stands in [`terminal`]; a test drives the tracker with a buffer instead.
//!
//! Enter on an empty line does the usual thing, whatever comes next: the usual attack, the usual Reaction, the next
//! turn. Everything else is said in words on the line, or has a function key.

mod screen;
pub mod terminal;

use crate::command::{Command, Reaction};
use crate::encounter::Encounter;
use crate::plan;
use crate::roll::d5_from_d10;
use crate::state::{Answer, State};
use crate::unit::Action;
use dice::{Ask, Dice, Key as DiceKey, NoDice, Seeded};
use game::record::{Act, Record};
use game::{Actor, Game, Problem, Stop, Table, Viewer};

/// A key press, as the tracker knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// Enter.
    Enter,
    /// Backspace.
    Backspace,
    /// Escape.
    Esc,
    /// Empties the line and does nothing else.
    Clear,
    /// Up: earlier lines.
    Up,
    /// Down: later lines.
    Down,
    /// Page up in the log.
    PageUp,
    /// Page down in the log.
    PageDown,
    /// Tab: the next turn.
    Tab,
    /// A function key.
    F(u8),
}

/// A die given while dice are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    Typed(u16),
    Roll,
}

/// A command that waits for dice.
#[derive(Clone, Debug)]
struct Asking {
    command: Command,
    given: Vec<Given>,
    wanted: Vec<Ask>,
    /// From here on all dice are rolled.
    roll_rest: bool,
    /// The line that it takes the place of: that one stands until this one is complete.
    instead_of: Option<u32>,
}

/// The tracker.
#[derive(Clone, Debug)]
pub struct Tracker {
    table: Table<Encounter>,
    seeded: Seeded,
    /// Dice are rolled unless typed; otherwise they are asked for.
    rolled: bool,
    input: String,
    history: Vec<String>,
    back: usize,
    message: String,
    asking: Option<Asking>,
    scroll: usize,
    players: bool,
    help: bool,
    written: usize,
    header: bool,
    presses: u32,
    quit: bool,
    wants_export: bool,
}

/// Dice for a command: those given, then rolled ones or none.
struct Mixed<'a> {
    given: std::collections::VecDeque<Given>,
    seeded: &'a mut Seeded,
    roll_rest: bool,
}

impl Dice for Mixed<'_> {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        for (i, (ask, value)) in asks.iter().zip(values).enumerate() {
            *value = match self.given.pop_front() {
                Some(Given::Typed(v)) if (1..=ask.sides).contains(&v) => v,
                Some(Given::Typed(v)) => return Err(NoDice::OutOfRange { ask: *ask, value: v }),
                Some(Given::Roll) => self.seeded.one(*ask)?,
                None if self.roll_rest => self.seeded.one(*ask)?,
                None => return Err(NoDice::Needs(asks[i..].to_vec())),
            };
        }
        Ok(())
    }
}

impl Tracker {
    /// A new encounter. `seed` makes the dice that the tracker rolls itself.
    pub fn new(game: Encounter, seed: u64) -> Self {
        Self::over(Table::new(game, None, Vec::new()), seed)
    }

    /// An encounter from the middle, as a position has it.
    pub fn from_state(game: Encounter, state: State, seed: u64) -> Self {
        Self::over(Table::from_position(game, state, None, Vec::new()), seed)
    }

    /// Goes on with a saved encounter. A line that was cut off while it was written is left out, and the message says so.
    ///
    /// # Errors
    /// If the record does not read or comes out differently: where, and up to which line one can go on with it.
    pub fn resume(text: &str, seed: u64) -> Result<Self, Problem> {
        let record = Record::parse(text)?;
        // The header and the lines that read; only the line after them may be torn.
        let read = record.lines.len() + 1;
        if let Some(broken) = &record.broken
            && text.lines().skip(read + 1).any(|l| !l.trim().is_empty())
        {
            return Err(goes_on_from(broken.clone(), read));
        }
        let table = Table::<Encounter>::replay(&record).map_err(|p| {
            if Table::<Encounter>::opened(&record).is_err() {
                return p;
            }
            let good = playable(&record);
            let mut problem = goes_on_from(p, good);
            if let Some(place) = &mut problem.place {
                place.line = u32::try_from(good + 1).unwrap_or(u32::MAX);
            }
            problem
        })?;
        let mut t = Self::over(table, seed);
        t.header = true;
        t.written = record.lines.len();
        t.message = match &record.broken {
            Some(_) => "the last line was cut off and is left out; everything before it is here".to_owned(),
            None => format!("resumed after line {}", record.lines.len()),
        };
        if let game::Lines::PartsAt(problem) =
            game::verify::<Encounter>(&Record { broken: None, ..record }).lines
        {
            let line = problem.place.as_ref().map_or(0, |p| p.line);
            t.warn(&format!(
                "line {line} is not the one that was written, though it plays: `muster verify` tells"
            ));
        }
        Ok(t)
    }

    fn over(table: Table<Encounter>, seed: u64) -> Self {
        Self {
            table,
            seeded: Seeded::new(DiceKey::from_seed(seed)),
            rolled: true,
            input: String::new(),
            history: Vec::new(),
            back: 0,
            message: String::new(),
            asking: None,
            scroll: 0,
            players: false,
            help: false,
            written: 0,
            header: false,
            presses: 0,
            quit: false,
            wants_export: false,
        }
    }

    /// The record's lines that are not yet handed out for writing: the text to append to the file, empty if nothing
    /// is new.
    pub fn unwritten(&mut self) -> String {
        let mut out = String::new();
        let record = self.table.record();
        if !self.header {
            out.push_str(&record.header_text);
            out.push('\n');
            self.header = true;
        }
        for line in &record.lines[self.written..] {
            out.push_str(&line.print());
            out.push('\n');
        }
        self.written = record.lines.len();
        out
    }

    /// Whether the game master wants to leave.
    pub fn wants_to_quit(&self) -> bool {
        self.quit
    }

    /// Whether he has asked for the log as a file since this was last asked.
    pub fn takes_export(&mut self) -> bool {
        std::mem::take(&mut self.wants_export)
    }

    /// Says something in the message line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = text.into();
    }

    /// Says something before what the message line says already.
    pub fn warn(&mut self, text: &str) {
        self.message =
            if self.message.is_empty() { text.to_owned() } else { format!("{text}; {}", self.message) };
    }

    /// Whether the record began with something else than `game`: other combatants, weapons, profiles or options.
    pub fn began_otherwise(&self, game: &Encounter) -> bool {
        let header = &self.table.record().header;
        // Options that only one of two releases knows are no change of the file.
        let (then, now) = (&header.rules["options"], &game.rules()["options"]);
        let differs = |(key, value): (&String, &serde_json::Value)| now.get(key).is_some_and(|n| n != value);
        header.setup != game.setup() || then.as_object().is_some_and(|o| o.iter().any(differs))
    }

    /// Keys pressed so far.
    pub fn presses(&self) -> u32 {
        self.presses
    }

    /// Whether dice are rolled (or else asked for).
    pub fn set_rolled(&mut self, rolled: bool) {
        self.rolled = rolled;
    }

    /// The state, for tests.
    pub fn state(&self) -> &State {
        self.table.state()
    }

    /// The die that is asked for now, if one is.
    pub fn asked(&self) -> Option<Ask> {
        self.asking.as_ref().and_then(|a| a.wanted.first().copied())
    }

    /// The log as text: all of it, or what players may know.
    pub fn export(&self, players: bool) -> String {
        self.log(players).join("\n") + "\n"
    }

    fn log(&self, players: bool) -> Vec<String> {
        if players {
            let seen = self.table.seen_by(Viewer::Spectator);
            return seen.iter().map(say_of).collect();
        }
        let mut out = Vec::new();
        for line in &self.table.record().lines {
            match &line.act {
                Act::Command(text) => out.push(format!("> {text}")),
                Act::Undo { to, .. } => out.push(format!("< taken back from line {to} on")),
                Act::Snapshot(_) | Act::End { .. } => {}
            }
            out.extend(line.said().map(|s| format!("  {s}")));
        }
        out
    }

    /// A key.
    pub fn key(&mut self, key: Key) {
        self.presses = self.presses.saturating_add(1);
        if self.help {
            self.help = false;
            return;
        }
        match key {
            Key::Char(c) => {
                if !c.is_control() && self.input.chars().count() < 200 {
                    self.input.push(c);
                }
            }
            Key::Backspace => _ = self.input.pop(),
            Key::Esc => {
                if self.input.is_empty() && self.asking.take().is_some() {
                    self.message = "left undone; nothing has happened".to_owned();
                }
                self.input.clear();
            }
            Key::Clear => {
                self.input.clear();
                self.back = 0;
            }
            Key::Up | Key::Down => self.recall(key == Key::Up),
            Key::PageUp => self.scroll = self.scroll.saturating_add(5),
            Key::PageDown => self.scroll = self.scroll.saturating_sub(5),
            Key::Tab => self.give(&Command::Next),
            Key::Enter => self.enter(),
            Key::F(n) => self.function(n),
        }
    }

    fn function(&mut self, n: u8) {
        match n {
            1 => self.help = true,
            2 => self.react(Reaction::Dodge),
            3 => self.react(Reaction::Parry),
            4 => self.react(Reaction::None),
            5 => {
                self.rolled = !self.rolled;
                self.message = if self.rolled { "dice are rolled here" } else { "dice are typed" }.to_owned();
            }
            6 => self.players = !self.players,
            7 => self.undo(),
            9 => self.wants_export = true,
            10 => self.quit = true,
            _ => {}
        }
    }

    fn recall(&mut self, earlier: bool) {
        if self.history.is_empty() {
            return;
        }
        self.back =
            if earlier { (self.back + 1).min(self.history.len()) } else { self.back.saturating_sub(1) };
        self.input = match self.back {
            0 => String::new(),
            n => self.history[self.history.len() - n].clone(),
        };
    }

    fn enter(&mut self) {
        let text = std::mem::take(&mut self.input).trim().to_owned();
        self.back = 0;
        if self.asking.is_some() {
            self.answer_dice(&text);
            return;
        }
        if text.is_empty() {
            self.usual();
            return;
        }
        self.history.push(text.clone());
        let low = text.to_lowercase();
        if let Some(rest) = low.strip_prefix("die ") {
            self.change_die(rest);
            return;
        }
        match low.as_str() {
            "undo" => return self.undo(),
            "quit" | "exit" => return self.quit = true,
            "help" | "?" => return self.help = true,
            _ => {}
        }
        match self.table.game().parse(self.table.state(), Actor::Umpire, &text) {
            Ok(command) => self.give(&command),
            Err(problem) => {
                let hint = problem.hint.map_or_else(String::new, |h| format!(" ({h})"));
                self.message = format!("{}{hint}", problem.message);
                // Nothing is lost: the line comes back to be mended.
                self.input = text;
            }
        }
    }

    /// The usual thing: what a veteran does without thinking.
    fn usual(&mut self) {
        let s = self.table.state();
        if self.table.outcome().is_some() {
            self.message = "the encounter is over; a ruling may reopen it, F9 writes the log".to_owned();
            return;
        }
        if s.volley.is_some() {
            if let Some(c) = plan::usual_reaction(s) {
                self.give(&c);
            }
            return;
        }
        if s.round == 0 {
            return self.give(&Command::Begin);
        }
        let Some(id) = s.current() else { return self.give(&Command::Next) };
        let commands =
            if !s.unit(id).is_horde() && self.has_attacked() { Vec::new() } else { plan::usual_turn(s, id) };
        match commands.first().cloned() {
            Some(c) => self.give(&c),
            None => self.give(&Command::Next),
        }
    }

    /// Lines of the record that stand, by number.
    fn standing(&self) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for (i, line) in self.table.record().lines.iter().enumerate() {
            match &line.act {
                Act::Command(_) => out.push(i),
                Act::Undo { to, .. } => out.retain(|i| i + 1 < *to as usize),
                Act::Snapshot(_) | Act::End { .. } => {}
            }
        }
        out
    }

    /// Whether the one whose turn it is has attacked in it.
    fn has_attacked(&self) -> bool {
        let s = self.table.state();
        let Some(id) = s.current() else { return false };
        let label = &s.unit(id).label;
        for i in self.standing().into_iter().rev() {
            let Act::Command(text) = &self.table.record().lines[i].act else { continue };
            let mut words = text.split(' ');
            match (words.next(), words.next()) {
                (Some("next" | "begin"), _) => return false,
                (Some(who), Some(what)) if *who == **label && Action::read(what).is_some() => return true,
                _ => {}
            }
        }
        false
    }

    fn react(&mut self, with: Reaction) {
        let s = self.table.state();
        let waiting = s.volley.as_ref().and_then(|v| v.attacks.iter().find(|a| a.answer == Answer::Open));
        match waiting.map(|a| a.at) {
            Some(who) => self.give(&Command::React {
                who,
                which: None,
                with,
                metres: None,
                roll: None,
                dice: Vec::new(),
            }),
            None => self.message = "nothing waits for a Reaction".to_owned(),
        }
    }

    /// Gives a command; dice that are lacking are asked for.
    fn give(&mut self, command: &Command) {
        self.asking = None;
        self.attempt(Asking {
            command: command.clone(),
            given: Vec::new(),
            wanted: Vec::new(),
            roll_rest: self.rolled,
            instead_of: None,
        });
    }

    fn attempt(&mut self, mut asking: Asking) {
        let kept = asking.instead_of.map(|_| self.table.clone());
        if let Some(to) = asking.instead_of
            && let Err(no) = self.table.undo(Actor::Umpire, to, &[], true, None)
        {
            self.message = no.why;
            return;
        }
        let given = asking.given.iter().copied().collect();
        let mut dice = Mixed { given, seeded: &mut self.seeded, roll_rest: asking.roll_rest };
        let done = self.table.command(Actor::Umpire, &asking.command, &mut dice);
        let typed = dice.given.iter().filter_map(|g| if let Given::Typed(v) = g { Some(*v) } else { None });
        let spare: Vec<u16> = typed.collect();
        if let (Some(kept), Err(_)) = (kept, &done) {
            // It was refused, or waits for more dice: what stood before stands.
            self.table = kept;
        }
        match done {
            Ok(played) => {
                self.asking = None;
                self.scroll = 0;
                self.message = played.events.last().map_or_else(String::new, crate::event::Event::tell);
                if !spare.is_empty() {
                    let list = crate::event::list(&spare);
                    let many = if spare.len() == 1 { "one die" } else { "dice" };
                    self.message =
                        format!("{many} too many, not used: {list} (F7 takes it all back); {}", self.message);
                }
            }
            Err(Stop::Refused(no)) => {
                self.asking = None;
                self.message = no.to_string();
            }
            Err(Stop::Dice(NoDice::Needs(asks))) => {
                self.message = String::new();
                asking.wanted = asks;
                self.asking = Some(asking);
            }
            Err(Stop::Dice(no)) => {
                self.message = no.to_string();
                asking.given.pop();
                self.asking = Some(asking);
            }
        }
    }

    /// Numbers for the dice asked for; nothing: roll this one; `*`: roll all the rest.
    fn answer_dice(&mut self, text: &str) {
        let Some(mut asking) = self.asking.take() else { return };
        let mut wanted = asking.wanted.iter().copied();
        if text.is_empty() {
            asking.given.push(Given::Roll);
        } else if text == "*" {
            asking.roll_rest = true;
        }
        let words: Vec<&str> =
            if text == "*" { Vec::new() } else { text.split([' ', ',']).filter(|w| !w.is_empty()).collect() };
        for word in words {
            // Dice beyond those named now may be wanted later; their faces are judged then.
            let sides = wanted.next().map_or(100, |a| a.sides);
            let value = word.parse::<u16>().ok().map(|v| if v == 0 && sides == 10 { 10 } else { v });
            match value {
                Some(v) if sides == 5 && (6..=10).contains(&v) => {
                    asking.given.push(Given::Typed(d5_from_d10(v)));
                }
                Some(v) if (1..=sides).contains(&v) => asking.given.push(Given::Typed(v)),
                _ => {
                    self.message = format!(
                        "a d{sides} cannot show {word}: 1 to {sides} would be right; nothing is lost, type it again"
                    );
                    self.asking = Some(asking);
                    return;
                }
            }
        }
        self.attempt(asking);
    }

    /// Takes back the last command that stands.
    fn undo(&mut self) {
        self.asking = None;
        let Some(last) = self.standing().last().copied() else {
            self.message = "there is nothing to take back".to_owned();
            return;
        };
        let text = match &self.table.record().lines[last].act {
            Act::Command(text) => text.clone(),
            _ => String::new(),
        };
        let to = u32::try_from(last + 1).unwrap_or(u32::MAX);
        self.message = match self.table.undo(Actor::Umpire, to, &[], false, Some(&mut self.seeded)) {
            Ok(()) => format!("taken back: {text}"),
            Err(no) => no.why,
        };
    }

    /// `die 2 7`: the second die of the last command showed a 7; the command is carried out again with it. Dice named in the
    /// command count first, then those thrown for it.
    fn change_die(&mut self, rest: &str) {
        let numbers: Vec<Option<i32>> =
            rest.split([' ', '=']).filter(|w| !w.is_empty()).map(crate::words::whole).collect();
        let last = self.standing().last().copied();
        let (Some(last), [Some(n), Some(value)]) = (last, numbers.as_slice()) else {
            self.message = "die N VALUE: the Nth die of the last command showed VALUE".to_owned();
            return;
        };
        let (n, value) = (usize::try_from(*n).unwrap_or(0), *value);
        let line = self.table.record().lines[last].clone();
        let Act::Command(text) = &line.act else { return };
        let kept = self.table.clone();
        let to = u32::try_from(last + 1).unwrap_or(u32::MAX);
        if let Err(no) = self.table.undo(Actor::Umpire, to, &[], true, None) {
            self.message = no.why;
            return;
        }
        let again = self.table.game().parse(self.table.state(), Actor::Umpire, text).map_err(|p| p.message);
        match again.and_then(|command| with_die(command, &line.throws, n, value)) {
            Ok((command, given)) => {
                self.table = kept;
                let (wanted, instead_of) = (Vec::new(), Some(to));
                self.attempt(Asking { command, given, wanted, roll_rest: self.rolled, instead_of });
            }
            Err(why) => {
                self.table = kept;
                self.message = why;
            }
        }
    }
}

/// A command with its `n`th die, from 1, showing `value`: the command, and the dice thrown for it.
fn with_die(
    mut command: Command,
    throws: &[game::record::Throw],
    n: usize,
    value: i32,
) -> Result<(Command, Vec<Given>), String> {
    let mut given: Vec<Given> = throws.iter().map(|t| Given::Typed(t.value)).collect();
    let mut named = command.named_dice();
    let all = named.len() + given.len();
    let sides = match n.checked_sub(1).map(|k| (k, named.get(k), throws.get(k.saturating_sub(named.len())))) {
        Some((_, Some((_, sides)), _)) => *sides,
        Some((k, None, Some(t))) if k < all => t.sides,
        _ => {
            let dice = if all == 1 { "die" } else { "dice" };
            return Err(format!("the last command had {all} {dice}; die 1 is the first"));
        }
    };
    let Some(face) = u16::try_from(value).ok().filter(|v| (1..=sides).contains(v)) else {
        return Err(format!("a d{sides} cannot show {value}: 1 to {sides} would be right"));
    };
    let count = named.len();
    match named.get_mut(n - 1) {
        Some((die, _)) => **die = face,
        None => given[n - 1 - count] = Given::Typed(face),
    }
    Ok((command, given))
}

/// How many lines of a record's file play as they stand, its header with them.
fn playable(record: &Record) -> usize {
    let plays = |n: usize| {
        let part = Record { lines: record.lines[..n].to_vec(), broken: None, ..record.clone() };
        Table::<Encounter>::replay(&part).is_ok()
    };
    // Whatever goes wrong goes wrong in all that is longer.
    let (mut good, mut bad) = (0, record.lines.len());
    while good + 1 < bad {
        let middle = good.midpoint(bad);
        if plays(middle) { good = middle } else { bad = middle }
    }
    good + 1
}

fn goes_on_from(problem: Problem, good: usize) -> Problem {
    problem.hint(format!(
        "lines 1 to {good} are sound: `head -n {good} THIS > OTHER.jsonl` and run OTHER.jsonl to go on from there; nothing is deleted here"
    ))
}

fn say_of(v: &serde_json::Value) -> String {
    if let Some(say) = v["say"].as_str() {
        return say.to_owned();
    }
    let text = |k: &str| v[k].as_str().unwrap_or("").to_owned();
    match v["kind"].as_str() {
        Some("wounds") => format!("{}: {} wounds, {} left.", text("who"), v["lost"], v["left"]),
        Some("held") => format!("{} holds {}.", text("by"), text("at")),
        Some("free") => format!("{} is free.", text("who")),
        Some("reach") => format!("{} and {} are at close quarters.", text("horde"), text("with")),
        Some("recovered") => format!("{} tests to get over {}.", text("who"), text("from")),
        Some("aims") => format!("{} aims.", text("who")),
        Some(kind) => format!("{kind} {}", text("by")),
        None => String::new(),
    }
}
