//! Commands read as a person types them: any case, clear beginnings of words and labels.

use super::{Command, Group, MAX_GROUP, Ruling};
use crate::hex::{Facing, Hex};
use crate::options::{SWITCHES, Setting};
use crate::state::{Formation, Impact, MAX_PATH, Path, Reply, State, Word};
use crate::table::{Side, Table};

/// What could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadText {
    /// The word, counted from 0.
    pub word: usize,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub hint: String,
}

impl Command {
    /// Reads a command as a person types it: any case, clear beginnings of words and labels, the own side's
    /// letter left out where it is clear.
    ///
    /// # Errors
    /// The word that does not read, and what would.
    pub fn parse(t: &Table, s: &State, by: Option<Side>, text: &str) -> Result<Command, BadText> {
        Reader { t, s, by, words: text.split_whitespace().collect(), at: 0 }.command()
    }
}

/// The first words of commands.
pub const VERBS: &[&str] = &[
    "roll",
    "deploy",
    "edge",
    "place",
    "station",
    "begin",
    "array",
    "ready",
    "lead",
    "challenge",
    "move",
    "step",
    "shift",
    "back",
    "combine",
    "merge",
    "split",
    "dismount",
    "plant",
    "halt",
    "stampede",
    "stand",
    "evade",
    "withdraw",
    "turn",
    "escape",
    "stay",
    "displace",
    "aside",
    "shoot",
    "suppress",
    "hold",
    "release",
    "fight",
    "count",
    "recoil",
    "flee",
    "yield",
    "follow",
    "decline",
    "pursue",
    "end",
    "reply",
    "rule",
];

struct Reader<'a> {
    t: &'a Table,
    s: &'a State,
    by: Option<Side>,
    words: Vec<&'a str>,
    at: usize,
}

/// A piece by its label.
enum Named {
    Unit(u8),
    General(u8),
}

impl<'a> Reader<'a> {
    fn bad<T>(&self, what: impl Into<String>, hint: impl Into<String>) -> Result<T, BadText> {
        Err(BadText { word: self.at, what: what.into(), hint: hint.into() })
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    fn next(&mut self, wanted: &str) -> Result<&'a str, BadText> {
        match self.peek() {
            Some(w) => {
                self.at += 1;
                Ok(w)
            }
            None => self.bad(format!("the command ends where {wanted} is wanted"), format!("add {wanted}")),
        }
    }

    fn taken<T>(&mut self, what: Result<T, BadText>) -> Result<T, BadText> {
        what.map_err(|mut e| {
            e.word = self.at.saturating_sub(1);
            e
        })
    }

    fn piece(&mut self, wanted: &str) -> Result<Named, BadText> {
        let word = self.next(wanted)?;
        let found = find_piece(self.t, self.by, word);
        match found {
            Ok(n) => Ok(n),
            Err((what, hint)) => {
                self.at -= 1;
                self.bad(what, hint)
            }
        }
    }

    fn unit(&mut self) -> Result<u8, BadText> {
        match self.piece("a unit")? {
            Named::Unit(u) => Ok(u),
            Named::General(g) => {
                self.at -= 1;
                self.bad(format!("{} is a general", self.t.leader_label(g)), "name a unit")
            }
        }
    }

    fn general(&mut self) -> Result<u8, BadText> {
        match self.piece("a general")? {
            Named::General(g) => Ok(g),
            Named::Unit(u) => {
                self.at -= 1;
                self.bad(format!("{} is a unit", self.t.label(u)), "name a general, like Gen1")
            }
        }
    }

    fn hex(&mut self) -> Result<Hex, BadText> {
        let word = self.next("a hex")?;
        let read = self.t.map.grid.read(word);
        let read = match read {
            Ok(h) => Ok(h),
            Err(why) => self.bad(why, "hexes are a column letter and a row number, like C4"),
        };
        self.taken(read)
    }

    fn facing(&mut self) -> Result<Facing, BadText> {
        let word = self.next("a facing")?;
        let read = match Facing::read(word) {
            Some(f) => Ok(f),
            None => self.bad(
                format!("`{word}` is no facing"),
                "n, ne, se, s, sw, nw; along a road road-e, road-se, road-sw, road-w, road-nw, road-ne",
            ),
        };
        self.taken(read)
    }

    fn formation(&mut self) -> Result<Formation, BadText> {
        let word = self.next("a formation")?;
        let read = match Formation::read(word) {
            Some(f) => Ok(f),
            None => self.bad(format!("`{word}` is no formation"), "line, column, block or horde"),
        };
        self.taken(read)
    }

    fn flag(&mut self, word: &str) -> bool {
        let hit = self.peek().is_some_and(|w| w.eq_ignore_ascii_case(word));
        self.at += usize::from(hit);
        hit
    }

    fn three(&mut self) -> Result<[u8; 3], BadText> {
        Ok([self.unit()?, self.unit()?, self.unit()?])
    }

    fn path(&mut self) -> Result<Path, BadText> {
        let mut path = Path::EMPTY;
        while let Some(word) = self.peek() {
            let read = if word.eq_ignore_ascii_case("off") {
                Word::Off
            } else if let Some(f) = Facing::read(word) {
                Word::Face(f)
            } else if let Some(f) = Formation::read(word) {
                Word::Form(f)
            } else {
                match self.t.map.grid.read(word) {
                    Ok(h) => Word::To(h),
                    Err(why) => {
                        return self.bad(why, "a path is hexes (C4), facings (ne), `line` or `column`");
                    }
                }
            };
            if !path.push(read) {
                return self.bad(
                    format!("a path of more than {MAX_PATH} words"),
                    "no unit goes that far: give the hexes of one move",
                );
            }
            self.at += 1;
        }
        Ok(path)
    }

    fn group(&mut self, until: &str) -> Result<Group, BadText> {
        let mut group = Group::EMPTY;
        while let Some(word) = self.peek() {
            if word.eq_ignore_ascii_case(until) {
                break;
            }
            let u = self.unit()?;
            if group.ids().contains(&u) {
                self.at -= 1;
                return self.bad(format!("{} is named twice", self.t.label(u)), "name each unit once");
            }
            if !group.push(u) {
                return self.bad(format!("more than {MAX_GROUP} units"), "name them in two commands");
            }
        }
        if group.ids().is_empty() {
            return self.bad("nobody is named", "name at least one unit");
        }
        Ok(group)
    }

    fn verb(&mut self) -> Result<&'static str, BadText> {
        let Some(word) = self.peek() else {
            return self.bad("no command", format!("commands begin with {}", VERBS.join(", ")));
        };
        let low = word.to_ascii_lowercase();
        if let Some(v) = VERBS.iter().find(|v| **v == low) {
            self.at += 1;
            return Ok(v);
        }
        let hits: Vec<&'static str> =
            VERBS.iter().copied().filter(|v| low.len() >= 2 && v.starts_with(&low)).collect();
        match hits[..] {
            [one] => {
                self.at += 1;
                Ok(one)
            }
            [] => {
                let mut near: Vec<&str> = VERBS.to_vec();
                near.sort_by_key(|v| strsim::damerau_levenshtein(v, &low));
                self.bad(format!("`{word}` is no command"), format!("did you mean {}?", near[0]))
            }
            _ => self.bad(format!("`{word}` is not clear"), format!("{}?", hits.join(" or "))),
        }
    }

    /// `rule …`: about an option, the outcome, a general or a unit.
    fn ruling(&mut self) -> Result<Command, BadText> {
        if self.flag("option") {
            return self.option();
        }
        if self.flag("winner") {
            let word = self.next("A, B or draw")?;
            return Ok(Command::RuleEnd(match word.to_ascii_lowercase().as_str() {
                "a" => Some(Side::A),
                "b" => Some(Side::B),
                "draw" => None,
                _ => {
                    self.at -= 1;
                    return self.bad(format!("`{word}` is no outcome"), "rule winner A, B or draw");
                }
            }));
        }
        let u = match self.piece("a unit, a general, `option` or `winner`")? {
            Named::Unit(u) => u,
            Named::General(g) => {
                if self.flag("lost") {
                    return Ok(Command::RuleGeneral(g, None));
                }
                if self.flag("at") {
                    return Ok(Command::RuleGeneral(g, Some(self.hex()?)));
                }
                return self.bad("what is ruled about the general?", "at HEX, or lost");
            }
        };
        let word = self.next("what is ruled")?.to_ascii_lowercase();
        let ruling = match word.as_str() {
            "at" => Ruling::At(self.hex()?),
            "facing" => Ruling::Facing(self.facing()?),
            "stands" => match self.next("a number of stands")?.parse::<u8>() {
                Ok(n @ 1..=12) => Ruling::Stands(n),
                _ => {
                    self.at -= 1;
                    return self.bad("no such number of stands", "1 to 12");
                }
            },
            "disrupted" => Ruling::Disrupted(true),
            "steady" => Ruling::Disrupted(false),
            "fresh" => Ruling::Impact(Impact::Fresh),
            "advancing" => Ruling::Impact(Impact::Advancing),
            "spent" => Ruling::Impact(Impact::Spent),
            "removed" => Ruling::Removed,
            _ => {
                self.at -= 1;
                return self.bad(
                    format!("`{word}` is nothing that can be ruled"),
                    "at HEX, facing POINT, stands N, disrupted, steady, fresh, advancing, spent, removed",
                );
            }
        };
        Ok(Command::Rule(u, ruling))
    }

    /// `rule option NAME VALUE`.
    fn option(&mut self) -> Result<Command, BadText> {
        let name = self.next("the name of an option")?.to_ascii_lowercase();
        let name = name.strip_prefix("heroes.").unwrap_or(&name);
        let Some(switch) = SWITCHES.iter().find(|s| s.name == name) else {
            self.at -= 1;
            let mut names: Vec<&str> = SWITCHES.iter().map(|s| s.name).collect();
            names.sort_by_key(|n| strsim::damerau_levenshtein(n, name));
            return self.bad(format!("no option is called `{name}`"), format!("did you mean {}?", names[0]));
        };
        let value = self.next("a value")?;
        match Setting::read(switch.name, value) {
            Ok(setting) => Ok(Command::RuleOption(setting)),
            Err(why) => {
                self.at -= 1;
                self.bad(why, format!("rule option {name} {}", switch.values.join(" or ")))
            }
        }
    }

    fn command(mut self) -> Result<Command, BadText> {
        let verb = self.verb()?;
        let command = match verb {
            "roll" => Command::Roll,
            "deploy" => match self.next("first or second")?.to_ascii_lowercase().as_str() {
                "first" => Command::Order(true),
                "second" => Command::Order(false),
                other => {
                    self.at -= 1;
                    return self.bad(format!("`{other}`"), "deploy first, or deploy second");
                }
            },
            "edge" => match self.next("north or south")?.to_ascii_lowercase().as_str() {
                "south" => Command::Edge(true),
                "north" => Command::Edge(false),
                other => {
                    self.at -= 1;
                    return self.bad(format!("`{other}` is no edge"), "edge north, or edge south");
                }
            },
            "place" => match self.piece("a unit")? {
                Named::General(g) => Command::Station(g, self.hex()?),
                Named::Unit(u) => {
                    let h = self.hex()?;
                    let f = self.facing()?;
                    let usual = if self.t.profile(u).horde() {
                        Formation::Horde
                    } else if self.s.unit(u).formation == Formation::Block {
                        Formation::Block
                    } else {
                        Formation::Line
                    };
                    let named = self.peek().and_then(Formation::read);
                    self.at += usize::from(named.is_some());
                    let stakes = self.flag("stakes");
                    Command::Place(u, h, f, named.unwrap_or(usual), stakes)
                }
            },
            "station" => Command::Station(self.general()?, self.hex()?),
            "begin" => Command::Begin(self.three()?),
            "array" => Command::Array,
            "ready" => Command::Ready,
            "lead" => Command::Lead(self.general()?, self.hex()?),
            "challenge" => Command::Challenge(self.general()?, self.general()?),
            "move" => {
                let u = self.unit()?;
                let drop = self.flag("drop");
                Command::Move(u, drop, self.path()?)
            }
            "step" => {
                let u = self.unit()?;
                let drop = self.flag("drop");
                let here = self.s.unit(u).hex;
                let h = if self.peek().is_some_and(|w| Facing::read(w).is_some()) && here.on() {
                    here
                } else {
                    self.hex()?
                };
                let f = match self.peek().and_then(Facing::read) {
                    Some(f) => {
                        self.at += 1;
                        f
                    }
                    None => self.s.unit(u).facing,
                };
                let form = if self.peek().is_some() { self.formation()? } else { self.s.unit(u).formation };
                Command::Step(u, drop, h, f, form)
            }
            "shift" => Command::Shift(self.unit()?, self.facing()?),
            "back" => Command::Back(self.unit()?, self.hex()?),
            "combine" => {
                let (a, b) = (self.unit()?, self.unit()?);
                let word = self.next("a number of stands")?;
                match word.parse::<u8>() {
                    Ok(n) => Command::Combine(a, b, n),
                    Err(_) => {
                        self.at -= 1;
                        return self.bad(format!("`{word}` is no number"), "say how many stands go over");
                    }
                }
            }
            "merge" => Command::Merge(self.three()?),
            "split" => Command::Split(self.three()?, self.hex()?),
            "dismount" => Command::Dismount(self.unit()?),
            "plant" => Command::Plant(self.unit()?),
            "halt" => Command::Halt(self.unit()?),
            "stampede" => Command::Stampede(self.unit()?),
            "stand" => Command::Stand(self.unit()?),
            "evade" => Command::Evade(self.unit()?, self.path()?),
            "withdraw" => Command::Withdraw(self.unit()?, self.path()?),
            "turn" => Command::Turn(self.unit()?, self.facing()?),
            "escape" => Command::Escape(self.general()?, self.hex()?),
            "stay" => Command::Stay(self.general()?),
            "displace" => Command::Displace(self.unit()?, self.hex()?),
            "aside" => Command::Aside(self.general()?, self.hex()?),
            "shoot" | "suppress" => {
                let flipped = self.by.map(Side::other);
                let own = std::mem::replace(&mut self.by, flipped);
                let target = self.unit()?;
                self.by = own;
                if !self.flag("with") {
                    return self.bad("`with` is wanted after the target", "like: shoot Kni1 with Arc1 Arc2");
                }
                let group = self.group("")?;
                if verb == "shoot" { Command::Shoot(target, group) } else { Command::Suppress(target, group) }
            }
            "hold" => Command::Hold(self.unit()?),
            "release" => Command::Release(self.unit()?),
            "fight" => {
                let own = self.group("with")?;
                if !self.flag("with") {
                    return self.bad("`with` is wanted before the enemy", "like: fight Kni1 with Spe1");
                }
                self.by = self.by.map(Side::other);
                let back = self.at;
                match self.piece("an enemy")? {
                    Named::General(g) => Command::Attack(own, g),
                    Named::Unit(_) => {
                        self.at = back;
                        Command::Fight(own, self.group("")?)
                    }
                }
            }
            "count" => Command::Count(self.unit()?),
            "recoil" => Command::Recoil(self.unit()?, self.hex()?),
            "flee" => Command::Flee(self.unit()?, self.path()?),
            "yield" => Command::Yield(self.unit()?),
            "follow" => {
                let u = self.unit()?;
                let h = self.hex()?;
                let f = if self.peek().is_some() { self.facing()? } else { self.s.unit(u).facing };
                Command::Follow(u, h, f)
            }
            "decline" => Command::Decline,
            "pursue" => Command::Pursue(self.unit()?, self.facing()?),
            "reply" => {
                let u = self.unit()?;
                let word = self.next("a reply")?.to_ascii_lowercase();
                match Reply::ALL.iter().find(|r| r.1 == word) {
                    Some(r) => Command::Reply(u, r.0),
                    None => {
                        self.at -= 1;
                        return self.bad(
                            format!("`{word}` is no reply"),
                            "ask, stand, evade, evade-mounted or flee",
                        );
                    }
                }
            }
            "rule" => self.ruling()?,
            _ => Command::End,
        };
        match self.peek() {
            None => Ok(command),
            Some(more) => self.bad(format!("`{more}` is too much"), format!("`{verb}` ends before it")),
        }
    }
}

/// Finds a piece by label: exactly, or by a clear beginning (`k2` for `Kni2`), of the given side first.
fn find_piece(t: &Table, by: Option<Side>, word: &str) -> Result<Named, (String, String)> {
    let low = word.to_ascii_lowercase();
    let (side, bare) = match low.split_once('.') {
        Some(("a", rest)) => (Some(Side::A), rest),
        Some(("b", rest)) => (Some(Side::B), rest),
        _ => (None, low.as_str()),
    };
    let letters: String = bare.chars().take_while(char::is_ascii_alphabetic).collect();
    let digits = &bare[letters.len()..];
    let matches = |label: &str, whole: bool| {
        let label = label.split_once('.').map_or(label, |x| x.1).to_ascii_lowercase();
        let l: String = label.chars().take_while(char::is_ascii_alphabetic).collect();
        let d = &label[l.len()..];
        d == digits && !letters.is_empty() && if whole { l == letters } else { l.starts_with(&letters) }
    };
    let all = |of: Option<Side>, whole: bool| -> Vec<Named> {
        let right = |s: Side| of.is_none_or(|x| x == s);
        let units = t.pieces.iter().enumerate().filter(|(_, p)| right(p.side) && matches(&p.label, whole));
        let generals =
            t.leaders.iter().enumerate().filter(|(_, l)| right(l.side) && matches(&l.label, whole));
        units
            .map(|(n, _)| Named::Unit(n as u8))
            .chain(generals.map(|(n, _)| Named::General(n as u8)))
            .collect()
    };
    let tries: Vec<Option<Side>> = match side {
        Some(s) => vec![Some(s)],
        None => by.map(Some).into_iter().chain([None]).collect(),
    };
    for of in tries {
        for whole in [true, false] {
            let mut hits = all(of, whole);
            if hits.len() == 1 {
                return hits.pop().ok_or_else(|| (String::new(), String::new()));
            }
            if hits.len() > 1 {
                let names: Vec<&str> = hits
                    .iter()
                    .map(|n| match n {
                        Named::Unit(u) => t.label(*u),
                        Named::General(g) => t.leader_label(*g),
                    })
                    .collect();
                return Err((format!("`{word}` may be several"), format!("{}?", names.join(" or "))));
            }
        }
    }
    let mut names: Vec<&str> =
        t.pieces.iter().map(|p| p.label.as_str()).chain(t.leaders.iter().map(|l| l.label.as_str())).collect();
    names.sort_by_key(|n| {
        let n = n.to_ascii_lowercase();
        strsim::damerau_levenshtein(&n, &low).min(strsim::damerau_levenshtein(&n[2..], &low))
    });
    let hint =
        names.first().map_or_else(|| "there are no pieces".to_owned(), |n| format!("did you mean {n}?"));
    Err((format!("no piece is called `{word}`"), hint))
}

/// A unit by its label, for questions and positions.
#[must_use]
pub fn find_unit(t: &Table, word: &str) -> Option<u8> {
    match find_piece(t, None, word) {
        Ok(Named::Unit(u)) => Some(u),
        _ => None,
    }
}

/// A general by his label.
#[must_use]
pub fn find_general(t: &Table, word: &str) -> Option<u8> {
    match find_piece(t, None, word) {
        Ok(Named::General(g)) => Some(g),
        _ => None,
    }
}
