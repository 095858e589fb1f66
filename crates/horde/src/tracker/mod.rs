//! The game master's tracker for a terminal.
//!
//! [`Tracker`] is the whole of it without a terminal: keys go in, a screen and lines for the file come out. The thin
//! loop around it stands in [`terminal`]; a test drives the tracker with a buffer instead.
//!
//! Enter on an empty line does the usual thing, whatever comes next: the usual attack, the usual Reaction, the next
//! turn. Everything else is said in words on the line, or has a function key.

mod asking;
mod page;
mod paste;
mod resume;
mod screen;
pub mod terminal;

pub use paste::LINE;
pub use resume::Relation;

use crate::command::{Command, Reaction};
use crate::encounter::Encounter;
use crate::plan;
use crate::state::{Answer, State};
use crate::unit::Action;
use asking::Asking;
use dice::{Ask, Key as DiceKey, Seeded};
use game::record::Act;
use game::{Actor, Game, Table, Viewer};

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
    /// The last line was not understood or not allowed; players' screens say that much.
    refused: bool,
    asking: Option<Asking>,
    scroll: usize,
    players: bool,
    /// The page of help that is shown, from 1; 0: none.
    help: u8,
    written: usize,
    header: bool,
    presses: u32,
    quit: bool,
    wants_export: bool,
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

    fn over(table: Table<Encounter>, seed: u64) -> Self {
        Self {
            table,
            seeded: Seeded::new(DiceKey::from_seed(seed)),
            rolled: true,
            input: String::new(),
            history: Vec::new(),
            back: 0,
            message: String::new(),
            refused: false,
            asking: None,
            scroll: 0,
            players: false,
            help: 0,
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

    /// Keys pressed so far.
    pub fn presses(&self) -> u32 {
        self.presses
    }

    /// Whether dice are rolled here, and not asked for.
    pub fn is_rolled(&self) -> bool {
        self.rolled
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
        crate::shown::plain_lines(&(self.log(players).join("\n") + "\n"))
    }

    fn log(&self, players: bool) -> Vec<String> {
        if players {
            // What was taken back has not happened, and may have been what they were not to see.
            let lines = self.standing().into_iter().filter_map(|i| u32::try_from(i + 1).ok());
            let seen = lines.flat_map(|n| self.table.seen_of(Viewer::Spectator, n));
            return seen.map(|v| say_of(&v)).collect();
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
        if self.help > 0 {
            self.help = if key == Key::F(1) && self.help < screen::PAGES { self.help + 1 } else { 0 };
            return;
        }
        match key {
            Key::Char(c) => {
                self.type_in(c);
            }
            Key::Backspace => _ = self.input.pop(),
            Key::Esc => {
                if self.input.is_empty() && !self.leave_question() {
                    self.players = false;
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
            // Nothing that was called out is dropped unsaid.
            Key::Tab if self.asking.is_some() => {
                self.message = "a die is asked for: Esc leaves the question, then Tab goes on".to_owned();
            }
            Key::Tab => self.give(&Command::Next),
            Key::Enter => self.enter(),
            Key::F(n) => self.function(n),
        }
    }

    fn function(&mut self, n: u8) {
        match n {
            1 => self.help = 1,
            2 => self.react(Reaction::Dodge),
            3 => self.react(Reaction::Parry),
            4 => self.react(Reaction::None),
            5 => {
                self.rolled = !self.rolled;
                self.message = if self.rolled { "dice are rolled here" } else { "dice are typed" }.to_owned();
            }
            6 => {
                self.players = !self.players;
                self.refused = false;
            }
            // What is asked for has not happened yet: it is this that is taken back.
            7 if self.leave_question() => {}
            7 => self.undo(),
            9 => self.wants_export = true,
            10 => self.quit = true,
            _ => {}
        }
    }

    /// Leaves the question for a die; whether one was asked.
    fn leave_question(&mut self) -> bool {
        let asked = self.asking.take().is_some();
        if asked {
            self.message = "left undone; nothing has happened".to_owned();
        }
        asked
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
        self.refused = false;
        let low = text.to_lowercase();
        if low.split([' ', ',']).all(|w| w.is_empty() || w.bytes().all(|b| b.is_ascii_digit())) {
            self.message = if self.rolled {
                "no die is asked for; F5 types dice".to_owned()
            } else {
                "no die is asked for now: give the command first, then what the dice show".to_owned()
            };
            return;
        }
        if let Some(rest) = low.strip_prefix("die ") {
            self.change_die(rest);
            return;
        }
        match low.as_str() {
            "undo" => return self.undo(),
            "quit" | "exit" => return self.quit = true,
            "help" | "?" => return self.help = 1,
            "log" | "export" | "print" => {
                self.message = "F9 writes the log, beside the record".to_owned();
                return;
            }
            "save" => {
                self.message = "all is saved already, each line as it was given; F10 leaves".to_owned();
                return;
            }
            "dice" => {
                self.message = "F5 changes between dice typed and dice rolled".to_owned();
                return;
            }
            _ => {}
        }
        match self.table.game().parse(self.table.state(), Actor::Umpire, &text) {
            Ok(command) => self.give(&command),
            Err(problem) => {
                let rule = problem.rule.map_or_else(String::new, |r| format!(" ({r})"));
                let hint = problem.hint.map_or_else(String::new, |h| format!(" ({h})"));
                self.message = format!("{}{rule}{hint}", problem.message);
                self.refused = true;
                // Nothing is lost: the line comes back to be mended.
                self.input = text;
            }
        }
    }

    /// The usual thing: what a veteran does without thinking.
    fn usual(&mut self) {
        if self.table.outcome().is_some() {
            self.message = "the encounter is over; a ruling may reopen it, F9 writes the log".to_owned();
            return;
        }
        if let Some(command) = self.usual_command() {
            self.give(&command);
        }
    }

    /// The command that the usual thing is now.
    fn usual_command(&self) -> Option<Command> {
        let s = self.table.state();
        if s.volley.is_some() {
            return plan::usual_reaction(s);
        }
        if s.round == 0 {
            return Some(Command::Begin);
        }
        let Some(id) = s.current() else { return Some(Command::Next) };
        let commands =
            if !s.unit(id).is_horde() && self.has_attacked() { Vec::new() } else { plan::usual_turn(s, id) };
        Some(commands.first().cloned().unwrap_or(Command::Next))
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
                (Some("next" | "begin" | "turn"), _) => return false,
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
        self.attempt(Asking::new(command.clone(), self.rolled));
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
