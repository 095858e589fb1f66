//! The record: text, one JSON object a line, header first, append-only.
//!
//! Line 0 is the [`Header`]. Every later line is a [`Line`]: a command with its throws, events and two digests
//! (of the state after it, and of all lines so far), an undo, a snapshot, or the end with the key of the dice.

use crate::{Digest, Outcome, Problem};
use dice::Thrown;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version of this file format; a later release reads all earlier ones.
pub const VERSION: u32 = 1;

/// What a record begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// The revision of its rules under which the record was played.
    pub revision: u32,
    /// The whole effective tables and options.
    pub rules: Value,
    /// The set-up.
    pub setup: Value,
    /// The seats' names, in order.
    pub seats: Vec<String>,
    /// The commitment to the dice key; `None` where dice are typed.
    pub commitment: Option<String>,
    /// Words that seats added to the key after the commitment, in seat order.
    pub words: Vec<String>,
    /// Where the game did not start from its set-up: the notation it started from.
    pub from: Option<String>,
}

/// One throw as the record keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throw {
    /// What for, in words that occur once in a game.
    pub purpose: String,
    /// Faces.
    pub sides: u16,
    /// The face that fell.
    pub value: u16,
    /// Whether somebody typed it in, or else a machine rolled it; `None` where nobody wrote that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed: Option<bool>,
}

impl Throw {
    /// Whether it is the same die with the same face, however it came about.
    #[must_use]
    pub fn is_same_die(&self, other: &Self) -> bool {
        (&self.purpose, self.sides, self.value) == (&other.purpose, other.sides, other.value)
    }
}

/// What a line of a record is.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// A command in its text form.
    Command(String),
    /// Everything from line `to` on is taken back.
    Undo {
        /// The first line that no longer counts.
        to: u32,
        /// The other seats that agreed, where their agreement was needed.
        agreed: Vec<String>,
        /// An umpire's correction: what is played again gets the same dice.
        same_dice: bool,
        /// A die was typed wrongly: the next line is the same command again, with other dice.
        wrong_die: bool,
    },
    /// The notation of the state after the line before.
    Snapshot(String),
    /// The game is over and the key of its dice is revealed.
    End {
        /// How it ended; `None` if it was broken off.
        outcome: Option<Outcome>,
        /// The key committed to, as hexadecimal digits.
        key: Option<String>,
    },
}

/// One line after the header.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number, from 1.
    pub n: u32,
    /// Who: a seat's name, `umpire` or `all`; empty for snapshots and the end.
    pub by: String,
    /// What.
    pub act: Act,
    /// The dice of a command.
    pub throws: Vec<Throw>,
    /// The events of a command, as JSON with their sentence in `say`.
    pub events: Vec<Value>,
    /// Digest of the state after the line.
    pub state: Digest,
    /// Digest of all lines up to and with this one.
    pub chain: Digest,
}

impl Header {
    /// The header as its line of the record, without the line end.
    #[must_use]
    pub fn print(&self) -> String {
        let mut value = json!({
            "muster": "record",
            "version": VERSION,
            "game": self.game,
            "revision": self.revision,
            "seats": self.seats,
            "commitment": self.commitment,
            "words": self.words,
            "rules": self.rules,
            "setup": self.setup,
        });
        if let Some(from) = &self.from {
            value["from"] = json!(from);
        }
        value.to_string()
    }

    /// Reads a record's first line.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let value: Value = serde_json::from_str(text).map_err(|e| broken(1, &e))?;
        if value["muster"] != "record" {
            return Err(Problem::new(
                "this is not a muster record: the first line lacks \"muster\":\"record\"",
            )
            .at("", 1, 0));
        }
        match value["version"].as_u64() {
            Some(v) if v <= u64::from(VERSION) => {}
            v => {
                let v = v.map_or_else(|| "none".to_owned(), |v| v.to_string());
                let problem = Problem::new(format!("record format {v} is not one that this release reads"))
                    .at("", 1, 0);
                return Err(problem
                    .hint(format!("it reads formats up to {VERSION}; a newer muster may have written it")));
            }
        }
        let text_of = |key: &str| value[key].as_str().map(str::to_owned);
        let list = |key: &str| -> Vec<String> {
            value[key]
                .as_array()
                .map(|a| a.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect())
                .unwrap_or_default()
        };
        let lacks = |key: &str| Problem::new(format!("the header lacks \"{key}\"")).at("", 1, 0);
        Ok(Self {
            game: text_of("game").ok_or_else(|| lacks("game"))?,
            revision: value["revision"]
                .as_u64()
                .and_then(|r| u32::try_from(r).ok())
                .ok_or_else(|| lacks("revision"))?,
            rules: value["rules"].clone(),
            setup: value["setup"].clone(),
            seats: list("seats"),
            commitment: text_of("commitment"),
            words: list("words"),
            from: text_of("from"),
        })
    }
}

fn broken(line: u32, error: &serde_json::Error) -> Problem {
    let column = u32::try_from(error.column()).unwrap_or(0);
    let what = if error.is_eof() {
        "the line is cut off".to_owned()
    } else {
        format!("not a line of a record: {error}")
    };
    Problem::new(what).at("", line, column)
}

impl Line {
    /// The line without its chain digest: what the chain is taken over.
    #[must_use]
    pub fn body(&self) -> String {
        let mut value = json!({ "n": self.n });
        if !self.by.is_empty() {
            value["by"] = json!(self.by);
        }
        match &self.act {
            Act::Command(text) => value["do"] = json!(text),
            Act::Undo { to, agreed, same_dice, wrong_die } => {
                value["undo"] = json!(to);
                if !agreed.is_empty() {
                    value["agreed"] = json!(agreed);
                }
                if *same_dice {
                    value["same_dice"] = json!(true);
                }
                if *wrong_die {
                    value["wrong_die"] = json!(true);
                }
            }
            Act::Snapshot(notation) => value["snapshot"] = json!(notation),
            Act::End { outcome, key } => {
                value["end"] = json!(outcome);
                value["key"] = json!(key);
            }
        }
        if !self.throws.is_empty() {
            value["throws"] = json!(self.throws);
        }
        if !self.events.is_empty() {
            value["events"] = json!(self.events);
        }
        value["state"] = json!(self.state.to_string());
        value.to_string()
    }

    /// The line as it stands in the file, without the line end.
    #[must_use]
    pub fn print(&self) -> String {
        let mut body = self.body();
        body.pop();
        format!("{body},\"chain\":\"{}\"}}", self.chain)
    }

    /// Reads a line; `number` is its place in the file, from 1, for messages.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn parse(text: &str, number: u32) -> Result<Self, Problem> {
        let value: Value = serde_json::from_str(text).map_err(|e| broken(number, &e))?;
        let wrong = |what: &str| Problem::new(what).at("", number, 0);
        let digest = |key: &str| {
            value[key]
                .as_str()
                .and_then(|t| t.parse().ok())
                .ok_or_else(|| wrong(&format!("no digest \"{key}\"")))
        };
        let act = if let Some(text) = value["do"].as_str() {
            Act::Command(text.to_owned())
        } else if let Some(to) = value["undo"].as_u64() {
            let agreed = value["agreed"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|v| v.as_str().map(str::to_owned))
                .collect();
            let to = u32::try_from(to).map_err(|_| wrong("undo to a line that cannot be"))?;
            Act::Undo {
                to,
                agreed,
                same_dice: value["same_dice"] == true,
                wrong_die: value["wrong_die"] == true,
            }
        } else if let Some(text) = value["snapshot"].as_str() {
            Act::Snapshot(text.to_owned())
        } else if value.get("end").is_some() {
            Act::End { outcome: read_outcome(&value["end"]), key: value["key"].as_str().map(str::to_owned) }
        } else {
            return Err(wrong("a line says what was done: \"do\", \"undo\", \"snapshot\" or \"end\""));
        };
        let throws = match value.get("throws") {
            None => Vec::new(),
            Some(throws) => {
                serde_json::from_value(throws.clone()).map_err(|e| wrong(&format!("throws: {e}")))?
            }
        };
        let n = value["n"]
            .as_u64()
            .and_then(|n| u32::try_from(n).ok())
            .ok_or_else(|| wrong("the line has no number \"n\""))?;
        Ok(Self {
            n,
            by: value["by"].as_str().unwrap_or("").to_owned(),
            act,
            throws,
            events: value["events"].as_array().cloned().unwrap_or_default(),
            state: digest("state")?,
            chain: digest("chain")?,
        })
    }

    /// The sentences of the line's events, as they were told when it was played.
    pub fn said(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|e| e["say"].as_str())
    }
}

fn read_outcome(value: &Value) -> Option<Outcome> {
    Some(Outcome {
        winners: value["winners"].as_array()?.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect(),
        ending: value["ending"].as_str()?.to_owned(),
        words: value["words"].as_str()?.to_owned(),
    })
}

pub(crate) fn throws_of(thrown: &[Thrown], describe: impl Fn(&dice::Ask) -> String) -> Vec<Throw> {
    let throw =
        |t: &Thrown| Throw { purpose: describe(&t.ask), sides: t.ask.sides, value: t.value, typed: t.typed };
    thrown.iter().map(throw).collect()
}

/// A record as read from a file: every whole line, and what came after them.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// The text of the first line, over which the chain begins.
    pub header_text: String,
    /// The lines that read.
    pub lines: Vec<Line>,
    /// Where and why reading stopped before the end of the text.
    pub broken: Option<Problem>,
}

impl Record {
    /// Reads a record. A damaged line ends it: what stands before is kept, [`Record::broken`] says where.
    ///
    /// # Errors
    /// If not even the header reads.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let mut texts = text.lines();
        let header_text = texts.next().unwrap_or("").to_owned();
        let header = Header::parse(&header_text)?;
        let mut record = Self { header, header_text, lines: Vec::new(), broken: None };
        for (text, number) in texts.zip(2..) {
            match Line::parse(text, number) {
                Ok(line) => record.lines.push(line),
                Err(problem) => {
                    record.broken = Some(problem);
                    break;
                }
            }
        }
        Ok(record)
    }

    /// The whole text, every line with its end.
    #[must_use]
    pub fn print(&self) -> String {
        let mut text = self.header_text.clone();
        text.push('\n');
        for line in &self.lines {
            text.push_str(&line.print());
            text.push('\n');
        }
        text
    }

    /// The digest of the whole record: of its header and all its lines.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.lines.last().map_or_else(|| Digest::of(&self.header_text), |line| line.chain)
    }
}
