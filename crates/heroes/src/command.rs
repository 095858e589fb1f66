//! Commands, and their one text form, printed and parsed.

use crate::hex::{Facing, Hex};
use crate::options::{SWITCHES, Setting};
use crate::state::{Formation, Impact, MAX_PATH, NOBODY, Path, Reply, State, Word};
use crate::table::{Side, Table};
use crate::tables::Traits;

/// Most units named in one command: more than any side of a battle has.
pub const MAX_GROUP: usize = 40;

/// Units in the order in which a player named them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Group {
    ids: [u8; MAX_GROUP],
    len: u8,
}

impl Group {
    /// Nobody.
    pub const EMPTY: Group = Group { ids: [NOBODY; MAX_GROUP], len: 0 };

    /// One unit.
    #[must_use]
    pub fn of(u: u8) -> Group {
        let mut g = Group::EMPTY;
        g.push(u);
        g
    }

    /// The units of a mask, lowest first.
    #[must_use]
    pub fn of_mask(mask: u64) -> Group {
        crate::state::bits(mask).collect()
    }

    /// Adds a unit; says whether there was room.
    pub fn push(&mut self, u: u8) -> bool {
        match self.ids.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = u;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The units.
    #[must_use]
    pub fn ids(&self) -> &[u8] {
        &self.ids[..usize::from(self.len)]
    }

    /// As a mask.
    #[must_use]
    pub fn mask(&self) -> u64 {
        self.ids().iter().fold(0, |m, &u| m | 1 << (u & 63))
    }
}

impl FromIterator<u8> for Group {
    fn from_iter<T: IntoIterator<Item = u8>>(iter: T) -> Self {
        let mut g = Group::EMPTY;
        for u in iter {
            g.push(u);
        }
        g
    }
}

/// A command, by kind. Units and generals are numbers of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Command {
    /// Throw for the order of deployment (HH-036, HH-038).
    Roll,
    /// Deploy first, or second (HH-035).
    Order(bool),
    /// Take the lower edge, or the upper (HH-037).
    Edge(bool),
    /// Place a unit: hex, facing, formation, stakes planted (HH-039).
    Place(u8, Hex, Facing, Formation, bool),
    /// Place a general.
    Station(u8, Hex),
    /// Begin as pike blocks (HH-119).
    Begin([u8; 3]),
    /// Place all that is not yet placed in a usual order of battle.
    Array,
    /// Deployment is done.
    Ready,
    /// A general's command move (HH-063).
    Lead(u8, Hex),
    /// Single combat (HH-074).
    Challenge(u8, u8),
    /// A normal move, or going on with one; drops pavises first (HH-085, HH-251).
    Move(u8, bool, Path),
    /// The single-hex move (HH-084).
    Step(u8, bool, Hex, Facing, Formation),
    /// A shift of one point while engaged (HH-079).
    Shift(u8, Facing),
    /// The step back of class A infantry (HH-081).
    Back(u8, Hex),
    /// Stands from the second unit to the first (HH-100).
    Combine(u8, u8, u8),
    /// Three pike units merge: the first two become blocks (HH-120).
    Merge([u8; 3]),
    /// Two blocks give the third unit back, in a hex (HH-120).
    Split([u8; 3], Hex),
    /// Riders dismount (HH-129).
    Dismount(u8),
    /// Stakes are planted (HH-249).
    Plant(u8),
    /// The move ends here, or the answer is left at that.
    Halt(u8),
    /// Elephants run (HH-245, HH-132).
    Stampede(u8),
    /// Stand and take it (HH-134).
    Stand(u8),
    /// Evade (HH-135); the path ends with a facing.
    Evade(u8, Path),
    /// A voluntary flee move (HH-138); the path ends with a facing.
    Withdraw(u8, Path),
    /// Turn to face (HH-140).
    Turn(u8, Facing),
    /// An independent general joins a friend (HH-067).
    Escape(u8, Hex),
    /// An independent general stays.
    Stay(u8),
    /// Make room (HH-228, HH-246).
    Displace(u8, Hex),
    /// A general makes room (HH-010).
    Aside(u8, Hex),
    /// Units shoot at a target (HH-295).
    Shoot(u8, Group),
    /// Units suppress a target (HH-175).
    Suppress(u8, Group),
    /// Hold fire (HH-182).
    Hold(u8),
    /// No longer hold fire (HH-183).
    Release(u8),
    /// A combat: the phasing player's units and theirs (HH-206).
    Fight(Group, Group),
    /// An attack on an independent general (HH-067).
    Attack(Group, u8),
    /// The unit of several whose factor and impact count (HH-204, HH-R15).
    Count(u8),
    /// Recoil (HH-218).
    Recoil(u8, Hex),
    /// Flee (HH-225); the path ends with a facing, or off the table.
    Flee(u8, Path),
    /// Give up a unit that has nowhere to go (HH-220).
    Yield(u8),
    /// Follow up (HH-231).
    Follow(u8, Hex, Facing),
    /// Do not follow up or pursue (HH-232, HH-233).
    Decline,
    /// Pursue to the end, then face this way (HH-236).
    Pursue(u8, Facing),
    /// The phase is done.
    End,
    /// A standing reply, given at any time by the unit's owner.
    Reply(u8, Reply),
    /// A ruling of the umpire, or of all by consent, about a unit.
    Rule(u8, Ruling),
    /// A ruling about a general: where he stands, or that he is lost.
    RuleGeneral(u8, Option<Hex>),
    /// A ruling that sets an option from here on.
    RuleOption(Setting),
    /// A ruling that ends the battle: who has won, or nobody.
    RuleEnd(Option<Side>),
}

/// What a ruling sets on a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Ruling {
    /// Where it stands.
    At(Hex),
    /// Where it looks.
    Facing(Facing),
    /// How many stands it has.
    Stands(u8),
    /// Whether it is disrupted.
    Disrupted(bool),
    /// Its impact state.
    Impact(Impact),
    /// It is taken off.
    Removed,
}

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
    /// The text form.
    #[must_use]
    pub fn text(&self, t: &Table) -> String {
        let u = |n: u8| t.label(n).to_owned();
        let g = |n: u8| t.leader_label(n).to_owned();
        let h = |x: Hex| t.hex(x);
        let many = |x: &Group| x.ids().iter().map(|&n| u(n)).collect::<Vec<_>>().join(" ");
        let three = |x: &[u8; 3]| x.iter().map(|&n| u(n)).collect::<Vec<_>>().join(" ");
        let path = |p: &Path| p.words().iter().map(|w| word_text(t, *w)).collect::<Vec<_>>().join(" ");
        let drop = |d: bool| if d { " drop" } else { "" };
        let join = |a: String, b: String| if b.is_empty() { a } else { format!("{a} {b}") };
        match self {
            Command::Roll => "roll".to_owned(),
            Command::Order(true) => "deploy first".to_owned(),
            Command::Order(false) => "deploy second".to_owned(),
            Command::Edge(true) => "edge south".to_owned(),
            Command::Edge(false) => "edge north".to_owned(),
            Command::Place(n, x, f, form, stakes) => format!(
                "place {} {} {} {}{}",
                u(*n),
                h(*x),
                f.word(),
                form.word(),
                if *stakes { " stakes" } else { "" }
            ),
            Command::Station(n, x) => format!("station {} {}", g(*n), h(*x)),
            Command::Begin(x) => format!("begin {}", three(x)),
            Command::Array => "array".to_owned(),
            Command::Ready => "ready".to_owned(),
            Command::Lead(n, x) => format!("lead {} {}", g(*n), h(*x)),
            Command::Challenge(a, b) => format!("challenge {} {}", g(*a), g(*b)),
            Command::Move(n, d, p) => join(format!("move {}{}", u(*n), drop(*d)), path(p)),
            Command::Step(n, d, x, f, form) => {
                format!("step {}{} {} {} {}", u(*n), drop(*d), h(*x), f.word(), form.word())
            }
            Command::Shift(n, f) => format!("shift {} {}", u(*n), f.word()),
            Command::Back(n, x) => format!("back {} {}", u(*n), h(*x)),
            Command::Combine(a, b, k) => format!("combine {} {} {k}", u(*a), u(*b)),
            Command::Merge(x) => format!("merge {}", three(x)),
            Command::Split(x, at) => format!("split {} {}", three(x), h(*at)),
            Command::Dismount(n) => format!("dismount {}", u(*n)),
            Command::Plant(n) => format!("plant {}", u(*n)),
            Command::Halt(n) => format!("halt {}", u(*n)),
            Command::Stampede(n) => format!("stampede {}", u(*n)),
            Command::Stand(n) => format!("stand {}", u(*n)),
            Command::Evade(n, p) => join(format!("evade {}", u(*n)), path(p)),
            Command::Withdraw(n, p) => join(format!("withdraw {}", u(*n)), path(p)),
            Command::Turn(n, f) => format!("turn {} {}", u(*n), f.word()),
            Command::Escape(n, x) => format!("escape {} {}", g(*n), h(*x)),
            Command::Stay(n) => format!("stay {}", g(*n)),
            Command::Displace(n, x) => format!("displace {} {}", u(*n), h(*x)),
            Command::Aside(n, x) => format!("aside {} {}", g(*n), h(*x)),
            Command::Shoot(n, x) => format!("shoot {} with {}", u(*n), many(x)),
            Command::Suppress(n, x) => format!("suppress {} with {}", u(*n), many(x)),
            Command::Hold(n) => format!("hold {}", u(*n)),
            Command::Release(n) => format!("release {}", u(*n)),
            Command::Fight(a, b) => format!("fight {} with {}", many(a), many(b)),
            Command::Attack(a, n) => format!("fight {} with {}", many(a), g(*n)),
            Command::Count(n) => format!("count {}", u(*n)),
            Command::Recoil(n, x) => format!("recoil {} {}", u(*n), h(*x)),
            Command::Flee(n, p) => join(format!("flee {}", u(*n)), path(p)),
            Command::Yield(n) => format!("yield {}", u(*n)),
            Command::Follow(n, x, f) => format!("follow {} {} {}", u(*n), h(*x), f.word()),
            Command::Decline => "decline".to_owned(),
            Command::Pursue(n, f) => format!("pursue {} {}", u(*n), f.word()),
            Command::End => "end".to_owned(),
            Command::Reply(n, r) => format!("reply {} {}", u(*n), r.word()),
            Command::Rule(n, r) => {
                let what = match r {
                    Ruling::At(x) => format!("at {}", h(*x)),
                    Ruling::Facing(f) => format!("facing {}", f.word()),
                    Ruling::Stands(k) => format!("stands {k}"),
                    Ruling::Disrupted(true) => "disrupted".to_owned(),
                    Ruling::Disrupted(false) => "steady".to_owned(),
                    Ruling::Impact(Impact::Fresh) => "fresh".to_owned(),
                    Ruling::Impact(Impact::Advancing) => "advancing".to_owned(),
                    Ruling::Impact(Impact::Spent) => "spent".to_owned(),
                    Ruling::Removed => "removed".to_owned(),
                };
                format!("rule {} {what}", u(*n))
            }
            Command::RuleGeneral(n, Some(x)) => format!("rule {} at {}", g(*n), h(*x)),
            Command::RuleGeneral(n, None) => format!("rule {} lost", g(*n)),
            Command::RuleOption(x) => format!("rule option {} {}", x.name(), x.value()),
            Command::RuleEnd(Some(s)) => format!("rule winner {}", s.letter()),
            Command::RuleEnd(None) => "rule winner draw".to_owned(),
        }
    }

    /// Reads a command as a person types it: any case, clear beginnings of words and labels, the own side's
    /// letter left out where it is clear.
    ///
    /// # Errors
    /// The word that does not read, and what would.
    pub fn parse(t: &Table, s: &State, by: Option<Side>, text: &str) -> Result<Command, BadText> {
        Reader { t, s, by, words: text.split_whitespace().collect(), at: 0 }.command()
    }
}

/// One word of a path as text.
fn word_text(t: &Table, w: Word) -> String {
    match w {
        Word::To(x) => t.hex(x),
        Word::Face(f) => f.word().to_owned(),
        Word::Form(f) => f.word().to_owned(),
        Word::Off => "off".to_owned(),
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

/// Whether a unit may have stakes at all.
#[must_use]
pub fn carries_stakes(t: &Table, u: u8) -> bool {
    t.profile(u).traits.has(Traits::STAKES)
}
