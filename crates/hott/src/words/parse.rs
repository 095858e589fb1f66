//! Reading commands as people type them: any case, clear beginnings of words and labels, the words players use.

use super::print::{FACES, REPLIES};
use super::{edge_word, stronghold_label};
use crate::battle::{
    Ambush, Battle, Charge, Command, CommandId, ElementId, Face, Leg, LineUp, MoveOrder, SideId, State,
    Target,
};
use crate::figure;
use crate::ground::{Feature, Ground};
use crate::table::TroopType;
use field::{Base, BoardEdge, Point, Pose, Side, Size};
use game::{Actor, Problem};
use std::sync::Arc;

/// First words of commands, the canonical one first in each row.
const VERBS: [&[&str]; 29] = [
    &["roll", "dice", "throw"],
    &["ground", "terrain"],
    &["edges"],
    &["stronghold", "baggage", "camp"],
    &["deploy", "place"],
    &["deployed", "ready"],
    &["move", "advance", "m"],
    &["charge", "attack", "hit"],
    &["line", "lineup", "line-up", "join"],
    &["column", "col"],
    &["narrow", "drop"],
    &["close", "door"],
    &["break", "breakoff", "break-off"],
    &["halt", "hold"],
    &["lurk", "ambush"],
    &["withdraw", "hide"],
    &["arrive", "summon", "land"],
    &["return", "desorcel", "unfrog"],
    &["end", "done", "next"],
    &["bespell", "spell", "cast", "frog"],
    &["shoot", "fire", "bow"],
    &["target", "aim"],
    &["fight", "combat"],
    &["flee"],
    &["reply", "standing"],
    &["concede", "resign"],
    &["ruling", "rule"],
    &["wheel"],
    &["assign", "give"],
];

/// One word with its column, from 1.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    column: u32,
}

struct Reader<'a> {
    battle: &'a Battle,
    state: &'a State,
    own: SideId,
    words: Vec<Word<'a>>,
    at: usize,
    end: u32,
}

type Read<T> = Result<T, Problem>;

/// Reads a command.
///
/// # Errors
/// The word that does not read, with its column and a suggestion.
pub fn parse(battle: &Battle, state: &State, by: Actor, text: &str) -> Read<Command> {
    let own = match by {
        Actor::Seat(seat) => battle.seats.get(usize::from(seat.0)).map_or(state.active, |s| s.side),
        Actor::Umpire | Actor::All => state.active,
    };
    let mut reader = Reader::new(battle, state, own, text);
    let Some(first) = reader.next() else {
        return Err(Problem::new("no command").hint("move, charge, line, column, end, shoot, fight …"));
    };
    let verb = match verb_of(first) {
        Ok(verb) => verb,
        // "b3 advance 200", "b3 charge k2": the element first, as one says it.
        Err(_) if reader.looks_like_label(first.text) => {
            reader.at = 0;
            "move"
        }
        Err(problem) => return Err(problem),
    };
    if verb == "ruling" {
        let rest = text.trim_start().get(first.text.len()..).unwrap_or("").trim();
        return Ok(Command::Ruling(rest.to_owned()));
    }
    if verb == "ground" {
        let rest = text.trim_start().get(first.text.len()..).unwrap_or("").trim();
        return read_ground(battle, rest);
    }
    let command = reader.command(verb)?;
    match reader.next() {
        None => Ok(command),
        Some(word) => {
            Err(wrong(word, format!("not understood: {}", word.text))
                .hint("the command is complete before it"))
        }
    }
}

fn verb_of(word: Word<'_>) -> Read<&'static str> {
    let low = word.text.to_lowercase();
    let exact = VERBS.iter().find(|row| row.contains(&low.as_str()));
    let starting = || {
        let mut rows = VERBS.iter().filter(|row| row.iter().any(|v| v.starts_with(&low)));
        let row = rows.next()?;
        rows.next().is_none().then_some(row)
    };
    match exact.or_else(starting) {
        Some(row) => Ok(row[0]),
        None => {
            // The nearest of all words that would do; if none is near, the main ones.
            let problem = wrong(word, format!("unknown command: {}", word.text));
            let near = problem.meant(&low, VERBS.iter().flat_map(|row| row.iter().copied()));
            Err(match near.hint {
                Some(_) => near,
                None => near.meant(&low, VERBS.iter().map(|row| row[0])),
            })
        }
    }
}

fn wrong(word: Word<'_>, message: String) -> Problem {
    Problem::new(message).at("", 0, word.column)
}

fn read_ground(battle: &Battle, text: &str) -> Read<Command> {
    let low = text.to_lowercase();
    if low == "none" {
        return Ok(Command::Ground(Arc::new(Ground::new(Vec::new()))));
    }
    if let Some(number) = low.strip_prefix("random") {
        let number = number.trim().parse().map_err(|_| {
            Problem::new("random ground wants a number")
                .hint("ground random 7: the same number gives the same ground")
        })?;
        let ap = battle
            .sides
            .iter()
            .map(|s| i32::try_from(s.halves).unwrap_or(i32::MAX) / 2)
            .fold(0, i32::saturating_add);
        return Ok(Command::Ground(Arc::new(Ground::random(
            number,
            &battle.tables,
            &battle.board,
            battle.scale,
            ap,
        ))));
    }
    let features: Result<Vec<Feature>, Problem> =
        text.split(';').map(|line| Feature::parse(line.trim())).collect();
    Ok(Command::Ground(Arc::new(Ground::new(features?))))
}

impl<'a> Reader<'a> {
    fn new(battle: &'a Battle, state: &'a State, own: SideId, text: &'a str) -> Self {
        let mut words = Vec::new();
        let mut start = None;
        let column = |byte: usize| u32::try_from(text[..byte].chars().count()).unwrap_or(0) + 1;
        for (i, c) in text.char_indices() {
            if c.is_whitespace() || c == ',' {
                if let Some(s) = start.take() {
                    words.push(Word { text: &text[s..i], column: column(s) });
                }
                if c == ',' {
                    words.push(Word { text: ",", column: column(i) });
                }
            } else if start.is_none() {
                start = Some(i);
            }
        }
        if let Some(s) = start {
            words.push(Word { text: &text[s..], column: column(s) });
        }
        let end = column(text.len());
        Self { battle, state, own, words, at: 0, end }
    }

    fn next(&mut self) -> Option<Word<'a>> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word
    }

    fn peek(&self) -> Option<Word<'a>> {
        self.words.get(self.at).copied()
    }

    /// Takes the next word if it is this one.
    fn eat(&mut self, text: &str) -> bool {
        let is = self.peek().is_some_and(|w| w.text.eq_ignore_ascii_case(text));
        self.at += usize::from(is);
        is
    }

    fn missing(&self, what: &str, example: &str) -> Problem {
        Problem::new(format!("{what} is missing")).at("", 0, self.end).hint(example.to_owned())
    }

    fn figure(&mut self, what: &str) -> Read<i32> {
        let word = self.next().ok_or_else(|| self.missing(what, "a number, in paces or degrees"))?;
        figure::read(word.text).ok_or_else(|| {
            wrong(word, format!("{what}: not a number: {}", word.text))
                .hint("digits with at most two decimals, as in 200 or 62.5")
        })
    }

    fn pose(&mut self) -> Read<Pose> {
        let words = [self.next(), self.next(), self.next()];
        let [Some(x), Some(y), Some(h)] = words else {
            return Err(self.missing("the place", "x y heading, as in 1200 300 0"));
        };
        figure::read_pose(x.text, y.text, h.text).ok_or_else(|| {
            wrong(x, format!("not a place: {} {} {}", x.text, y.text, h.text))
                .hint("x y heading, as in 1200 300 90; heading 0 to 360")
        })
    }

    fn choice<T: Copy>(&mut self, what: &str, list: &[(T, &'static str)]) -> Read<T> {
        let all = list.iter().map(|(_, w)| *w);
        let word =
            self.next().ok_or_else(|| self.missing(what, &all.clone().collect::<Vec<_>>().join(", ")))?;
        let low = word.text.to_lowercase();
        let mut found = list.iter().filter(|(_, w)| w.starts_with(&low));
        match (found.next(), found.next()) {
            (Some((value, _)), None) => Ok(*value),
            _ => Err(wrong(word, format!("{what}: {}", word.text)).meant(&low, all)),
        }
    }

    /// An own element.
    fn own(&mut self) -> Read<ElementId> {
        let word = self.next().ok_or_else(|| self.missing("the element", "a label, as Kni2"))?;
        find(self.battle, self.state, word.text, self.own, &[self.own]).map_err(|p| p.at("", 0, word.column))
    }

    /// An enemy element: its side may be left out where the label is clear.
    fn enemy(&mut self) -> Read<ElementId> {
        let word = self.next().ok_or_else(|| self.missing("the enemy", "a label, as B.Kni2"))?;
        find(self.battle, self.state, word.text, self.own, &self.hostile())
            .map_err(|p| p.at("", 0, word.column))
    }

    fn hostile(&self) -> Vec<SideId> {
        self.sides().filter(|s| self.battle.hostile(self.own, *s)).collect()
    }

    fn sides(&self) -> impl Iterator<Item = SideId> + use<> {
        (0..u8::try_from(self.battle.sides.len()).unwrap_or(u8::MAX)).map(SideId)
    }

    fn target(&mut self) -> Read<Target> {
        let word = self.peek().ok_or_else(|| self.missing("the target", "a label, as B.Kni2, or B.Str"))?;
        let low = word.text.to_lowercase();
        let strong = self.sides().find(|s| stronghold_label(self.battle, *s).eq_ignore_ascii_case(&low));
        let only = ["str", "stronghold", "baggage", "castle", "camp"].contains(&low.as_str());
        let strong = strong.or_else(|| if only { self.hostile().first().copied() } else { None });
        if let Some(side) = strong {
            self.at += 1;
            return Ok(Target::Stronghold(side));
        }
        self.enemy().map(Target::Element)
    }

    /// One or more own elements: `b1 b2`, `b1-b4`, `b1, b2`; as many as there are before the next other word.
    fn list(&mut self) -> Read<Vec<ElementId>> {
        let mut list = vec![];
        while let Some(word) = self.peek() {
            if word.text == "," || word.text.eq_ignore_ascii_case("and") {
                let next = self.words.get(self.at + 1);
                if !list.is_empty() && next.is_some_and(|w| self.looks_like_label(w.text)) {
                    self.at += 1;
                    continue;
                }
                break;
            }
            if !list.is_empty() && (self.of_another_side(word.text) || !self.looks_like_label(word.text)) {
                break;
            }
            self.at += 1;
            let one = |text: &str| {
                find(self.battle, self.state, text, self.own, &[self.own])
                    .map_err(|p| p.at("", 0, word.column))
            };
            match word.text.split_once('-') {
                Some((from, to)) if !from.is_empty() && !to.is_empty() => {
                    list.extend(self.range(one(from)?, to, word)?);
                }
                _ => list.push(one(word.text)?),
            }
        }
        if list.is_empty() {
            Err(self.missing("the element", "a label, as Kni2, or several, as b1-b4"))
        } else {
            Ok(list)
        }
    }

    /// Whether a word names an element of a side that is not the player's.
    fn of_another_side(&self, text: &str) -> bool {
        let letter = self.battle.sides[self.own.index()].letter.to_string();
        text.split_once('.').is_some_and(|(side, _)| !side.eq_ignore_ascii_case(&letter))
    }

    /// `b1-b4` or `b1-4`: the same type, numbers in order.
    fn range(&self, from: ElementId, to: &str, word: Word<'_>) -> Read<Vec<ElementId>> {
        let first = &self.battle.element(from).label;
        let (kind, low) = split_label(first);
        let (_, high) = split_label(to);
        let (Ok(low), Ok(high)) = (low.parse::<u32>(), high.parse::<u32>()) else {
            return Err(wrong(word, format!("not a range of labels: {}", word.text)).hint("b1-b4"));
        };
        if low > high || high - low > 999 {
            return Err(wrong(word, format!("not a range of labels: {}", word.text))
                .hint("the lower number first: b1-b4"));
        }
        (low..=high)
            .map(|n| {
                let label = format!("{kind}{n}");
                self.battle
                    .labelled(&label, Some(self.own))
                    .ok_or_else(|| wrong(word, format!("there is no {label}")))
            })
            .collect()
    }

    /// Whether a word could only be a label here: its letters name a type and digits follow, or it has a side.
    fn looks_like_label(&self, text: &str) -> bool {
        let bare = text.split_once('.').map_or(text, |(_, rest)| rest);
        let bare = bare.split('-').next().unwrap_or(bare);
        let (kind, number) = split_label(bare);
        !kind.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    }

    fn legs(&mut self) -> Read<Vec<Leg>> {
        let mut legs = Vec::new();
        loop {
            let mut parted = legs.is_empty();
            while self.eat(",") || self.eat("then") || self.eat("and") {
                parted = true;
            }
            let Some(word) = self.peek() else { break };
            let low = word.text.to_lowercase();
            if low == "attack" || low == "road" {
                break;
            }
            self.at += 1;
            let leg = match low.as_str() {
                "ahead" | "forward" | "fwd" | "on" | "advance" => Leg::Ahead(self.figure("how far ahead")?),
                "back" => Leg::Ahead(-self.figure("how far back")?),
                "right" => Leg::Sideways(self.figure("how far right")?),
                "left" => Leg::Sideways(-self.figure("how far left")?),
                "by" => Leg::By(Point::new(self.figure("by how much")?, self.figure("by how much up")?)),
                "wheel" => {
                    let side =
                        self.choice("wheel: left or right", &[(Side::Left, "left"), (Side::Right, "right")])?;
                    Leg::Wheel(side, self.figure("by how many degrees")?)
                }
                "turn" => Leg::Turn(self.figure("to which heading")?),
                _ if figure::read(&low).is_some() && !parted => {
                    return Err(wrong(word, format!("a second figure: {}", word.text))
                        .hint("one figure for each way: ahead 50, right 50; a place is `to 1200 300 0`"));
                }
                _ if figure::read(&low).is_some() => Leg::Ahead(figure::read(&low).unwrap_or(0)),
                _ => {
                    let known = [
                        "ahead", "forward", "back", "left", "right", "wheel", "turn", "by", "to", "charge",
                        "attack",
                    ];
                    let problem = wrong(word, format!("not a way to move: {}", word.text));
                    // "A.Bld1 fights B.Bld1": not a move but a fight of step 6, or a question.
                    if matches!(low.as_str(), "fight" | "fights" | "odds" | "shoots" | "bespells") {
                        let hint = match low.as_str() {
                            "shoots" => "the verb stands first: shoot Sht1 at B.Bld1",
                            "bespells" => "the verb stands first: bespell Mag1 at B.Her1",
                            _ => {
                                "in step 6 `fight Bld1` resolves it; in a case, ask = \"odds A.Bld1 v B.Bld1\""
                            }
                        };
                        return Err(problem.hint(hint));
                    }
                    return Err(problem.meant(&low, known));
                }
            };
            legs.push(leg);
        }
        if legs.is_empty() { Err(self.missing("the way", "ahead 200, wheel left 15")) } else { Ok(legs) }
    }

    fn placed(&mut self) -> Read<Vec<(ElementId, Pose)>> {
        let mut list = Vec::new();
        loop {
            list.push((self.own()?, self.pose()?));
            if !self.eat(",") {
                return Ok(list);
            }
        }
    }

    fn face(&mut self) -> Read<Face> {
        let face = self.choice("which face", &FACES)?;
        let _ = self.eat("flank") || self.eat("face") || self.eat("edge");
        let _ = self.eat("of");
        Ok(face)
    }

    fn command(&mut self, verb: &str) -> Read<Command> {
        Ok(match verb {
            "roll" => Command::Roll,
            "edges" => self.edges()?,
            "stronghold" => {
                let _ = self.eat("at");
                let at = self.pose()?;
                let (width, depth) = (self.figure("its width")?, self.figure("its depth")?);
                Command::Stronghold(Base::new(at, Size::new(width, depth)))
            }
            "deploy" => Command::Deploy(self.placed()?),
            "deployed" => self.deployed()?,
            "assign" => {
                let mut scores = Vec::new();
                while let Some(word) = self.next() {
                    let score = word.text.trim_end_matches(',').parse::<u8>().ok();
                    scores.push(score.filter(|n| (1..=6).contains(n)).ok_or_else(|| {
                        wrong(word, format!("no score of a die: {}", word.text)).hint("assign 5 3 2")
                    })?);
                }
                Command::Assign(scores)
            }
            "move" => self.movement()?,
            "charge" => {
                let who = self.list()?;
                self.charge(who)?
            }
            "line" => self.line_up()?,
            "column" => {
                let who = self.list()?;
                let legs = self.legs()?;
                Command::Move(MoveOrder::Column { who, legs, road: self.eat("road") })
            }
            "narrow" => {
                let who = self.list()?;
                let _ = self.eat("to");
                let word = self
                    .next()
                    .ok_or_else(|| self.missing("how many abreast", "narrow b1-b4 to 2 ahead 200"))?;
                let width = word.text.parse::<u8>().map_err(|_| {
                    wrong(word, format!("how many abreast: not a small number: {}", word.text))
                        .hint("narrow b1-b4 to 2 ahead 200")
                })?;
                let _ = self.eat("abreast");
                Command::Move(MoveOrder::Narrow { who, width, legs: self.legs()? })
            }
            "close" => {
                let _ = self.eat("the") && self.eat("door");
                let _ = self.eat("door");
                Command::Move(MoveOrder::CloseDoor { who: self.own()?, enemy: self.enemy()? })
            }
            "break" => {
                let _ = self.eat("off");
                let who = self.own()?;
                let ahead = self.eat("ahead");
                let _ = self.eat("back");
                let by = self.figure("how far")?;
                Command::Move(MoveOrder::BreakOff { who, by: if ahead { -by } else { by } })
            }
            "halt" => Command::Halt(self.list()?),
            "lurk" => {
                let who = self.own()?;
                let face = self.face()?;
                Command::Lurk(Ambush { who, face, enemy: self.enemy()? })
            }
            "withdraw" => Command::Withdraw(self.own()?),
            "arrive" => Command::Arrive(self.placed()?),
            "return" => {
                let (who, pose) = (self.own()?, self.pose()?);
                let declared = self.eat("at");
                if declared && !(self.eat("stronghold") || self.eat("baggage")) {
                    return Err(self.missing("the Stronghold", "at stronghold"));
                }
                Command::Return { who, pose, declared }
            }
            "end" => self.end()?,
            "bespell" => {
                let target = self.target()?;
                self.with()?;
                let mut who = self.list()?;
                let main = who.remove(0);
                Command::Bespell { target, who: main, aids: who }
            }
            "shoot" => {
                if self.eat("back") {
                    return Ok(Command::ShootBack { shooter: self.enemy()? });
                }
                let _ = self.eat("at");
                let target = self.target()?;
                self.with()?;
                Command::Shoot { target, shooters: self.list()? }
            }
            "target" => Command::Aim(self.target()?),
            "fight" => {
                if self.eat("all") {
                    return Ok(Command::FightAll);
                }
                let word = self.next().ok_or_else(|| self.missing("who fights", "a label, or all"))?;
                let mut sides = vec![self.own];
                sides.extend(self.sides().filter(|s| *s != self.own));
                let who = find(self.battle, self.state, word.text, self.own, &sides);
                Command::Fight(who.map_err(|p| p.at("", 0, word.column))?)
            }
            "flee" => {
                let _ = self.eat("to");
                Command::Flee(self.pose()?)
            }
            "reply" => {
                let _ = self.eat("shooters");
                Command::Reply(self.choice("the reply", &REPLIES)?)
            }
            "concede" => match self.next() {
                None => Command::Concede(self.own),
                Some(word) => {
                    let mut sides = self.sides();
                    let named = |s: &SideId| {
                        let mut letter = [0; 4];
                        let letter = self.battle.sides[s.index()].letter.encode_utf8(&mut letter);
                        word.text.eq_ignore_ascii_case(letter)
                    };
                    let side = sides.find(named);
                    Command::Concede(
                        side.ok_or_else(|| wrong(word, format!("there is no side {}", word.text)))?,
                    )
                }
            },
            _ => {
                let problem = Problem::new(format!("who is to {verb}?"));
                return Err(problem.hint("move b1-b4 wheel left 15"));
            }
        })
    }

    fn with(&mut self) -> Read<()> {
        if self.eat("with") || self.eat("by") {
            return Ok(());
        }
        Err(self.missing("by whom", "shoot B.Kni1 with Sht1 Sht2"))
    }

    fn edges(&mut self) -> Read<Command> {
        let words = [BoardEdge::Lower, BoardEdge::Right, BoardEdge::Upper, BoardEdge::Left]
            .map(|e| (e, edge_word(e)));
        let mut edges = [BoardEdge::Lower; 4];
        for (n, edge) in edges.iter_mut().enumerate() {
            while self.eat(",") || self.eat("/") {}
            *edge = self.choice(["edge 1", "edge 2", "edge 3", "edge 4 to 6"][n], &words)?;
        }
        Ok(Command::Edges(edges))
    }

    fn deployed(&mut self) -> Read<Command> {
        let ids = (0..u8::try_from(self.battle.commands.len()).unwrap_or(u8::MAX)).map(CommandId);
        let mut own: Vec<CommandId> =
            ids.filter(|c| self.battle.commands[c.index()].side == self.own).collect();
        let Some(word) = self.next() else {
            return match own[..] {
                [only] => Ok(Command::Deployed(only)),
                _ => Err(self.missing("which command", "deployed 1")),
            };
        };
        let by_name =
            own.iter().position(|c| self.battle.commands[c.index()].name.eq_ignore_ascii_case(word.text));
        let by_number =
            word.text.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < own.len());
        match by_name.or(by_number) {
            Some(n) => Ok(Command::Deployed(own.swap_remove(n))),
            None => {
                Err(wrong(word, format!("there is no command {}", word.text))
                    .hint(format!("1 to {}", own.len())))
            }
        }
    }

    fn movement(&mut self) -> Read<Command> {
        let who = self.list()?;
        if self.eat("charge") || self.eat("charges") {
            return self.charge(who);
        }
        if self.eat("to") {
            let [who] = who[..] else {
                return Err(Problem::new("only a single element goes to a place")
                    .hint("a group moves by legs: ahead 200"));
            };
            let to = self.pose()?;
            return Ok(Command::Move(MoveOrder::Free { who, to, attack: self.eat("attack") }));
        }
        let legs = self.legs()?;
        Ok(Command::Move(MoveOrder::Legs { who, legs, attack: self.eat("attack") }))
    }

    fn charge(&mut self, who: Vec<ElementId>) -> Read<Command> {
        let is_face = |w: Word<'_>| FACES.iter().any(|(_, f)| f.starts_with(&w.text.to_lowercase()));
        let face = if self.peek().is_some_and(is_face) { Some(self.face()?) } else { None };
        if face.is_none()
            && let Some(word) = self.peek()
        {
            let low = word.text.to_lowercase();
            let near = |f: &str| strsim::damerau_levenshtein(f, &low) <= 1 + low.chars().count() / 4;
            let nobody = self.sides().all(|s| candidates(self.battle, s, word.text).is_empty());
            let digits = low.chars().any(|c| c.is_ascii_digit());
            if nobody && !digits && FACES.iter().any(|(_, f)| near(f)) {
                return Err(wrong(word, format!("which face: {}", word.text)).meant(&low, FACES.map(|f| f.1)));
            }
        }
        let enemy = self.target()?;
        // "charge k2 front" is said as often as "charge front k2".
        let face = match face {
            Some(face) => face,
            None if self.peek().is_some() => self.face()?,
            None => Face::Front,
        };
        Ok(Command::Move(MoveOrder::Charge(Charge { who, face, enemy })))
    }

    fn line_up(&mut self) -> Read<Command> {
        let who = self.list()?;
        let places = [(Some(Side::Left), "left"), (Some(Side::Right), "right"), (None, "behind")];
        let side = self.choice("left, right or behind", &places)?;
        let _ = self.eat("of");
        Ok(Command::Move(MoveOrder::LineUp(LineUp { who, side, friend: self.own()? })))
    }

    fn end(&mut self) -> Read<Command> {
        use crate::battle::Phase;
        let named = [
            (Command::EndMoves, "moves"),
            (Command::EndMagic, "magic"),
            (Command::EndShooting, "shooting"),
            (Command::FightAll, "combat"),
            (Command::FightAll, "fights"),
            (Command::FightAll, "bound"),
        ];
        match self.next() {
            None => Ok(match self.state.phase {
                Phase::Magic => Command::EndMagic,
                Phase::Shooting => Command::EndShooting,
                Phase::Combat => Command::FightAll,
                _ => Command::EndMoves,
            }),
            Some(word) => {
                let low = word.text.to_lowercase();
                let found = named.iter().find(|(_, w)| w.starts_with(&low) || *w == format!("{low}s"));
                let known = named.iter().map(|(_, w)| *w);
                found
                    .map(|(c, _)| c.clone())
                    .ok_or_else(|| wrong(word, format!("end of what? {}", word.text)).meant(&low, known))
            }
        }
    }
}

/// The letters and the number of a label.
fn split_label(label: &str) -> (&str, &str) {
    let at = label.find(|c: char| c.is_ascii_digit()).unwrap_or(label.len());
    label.split_at(at)
}

/// The element a player means: `B.Kni2`, `kni2`, `k2`, `knight2`, `wb1`; without a number if the side has just one.
///
/// # Errors
/// That there is none, or that it is not clear which.
pub fn element_named(battle: &Battle, state: &State, text: &str, own: SideId) -> Result<ElementId, Problem> {
    let all: Vec<SideId> = (0..u8::try_from(battle.sides.len()).unwrap_or(u8::MAX)).map(SideId).collect();
    let mut sides = vec![own];
    sides.extend(all.into_iter().filter(|s| *s != own));
    find(battle, state, text, own, &sides)
}

fn find(
    battle: &Battle,
    state: &State,
    text: &str,
    own: SideId,
    sides: &[SideId],
) -> Result<ElementId, Problem> {
    if let Some((letter, bare)) = text.split_once('.') {
        let side = battle.sides.iter().position(|s| {
            letter.chars().eq(std::iter::once(s.letter).flat_map(char::to_uppercase))
                || letter.eq_ignore_ascii_case(&s.letter.to_string())
        });
        let Some(side) = side.and_then(|n| u8::try_from(n).ok()).map(SideId) else {
            let letters: Vec<String> = battle.sides.iter().map(|s| s.letter.to_string()).collect();
            return Err(Problem::new(format!("there is no side {letter}"))
                .hint(format!("sides: {}", letters.join(", "))));
        };
        return match candidates(battle, side, bare)[..] {
            [one] => Ok(one),
            [] => Err(unknown(battle, text, &[side])),
            ref several => Err(unclear(battle, text, several)),
        };
    }
    // The own side first, then those that may be meant; what stands on table before what does not.
    if sides.contains(&own)
        && let [one] = candidates(battle, own, text)[..]
    {
        return Ok(one);
    }
    let found: Vec<ElementId> = sides.iter().flat_map(|s| candidates(battle, *s, text)).collect();
    let there: Vec<ElementId> = found.iter().copied().filter(|id| state.on_table(*id)).collect();
    match (&found[..], &there[..]) {
        ([one], _) | (_, [one]) => Ok(*one),
        ([], _) => Err(unknown(battle, text, sides)),
        _ => Err(unclear(battle, text, &found)),
    }
}

fn candidates(battle: &Battle, side: SideId, text: &str) -> Vec<ElementId> {
    if let Some(exact) = battle.ids_of(side).find(|id| battle.element(*id).label.eq_ignore_ascii_case(text)) {
        return vec![exact];
    }
    let (kind, number) = split_label(text);
    let kind_low = kind.trim_end_matches('-').to_lowercase();
    if kind_low.is_empty() {
        return Vec::new();
    }
    let parsed = TroopType::parse(&kind_low);
    let of_kind = |starts: bool| -> Vec<ElementId> {
        battle
            .ids_of(side)
            .filter(|id| {
                let e = battle.element(*id);
                let named = if starts {
                    e.ty.name().to_lowercase().replace(' ', "").starts_with(&kind_low)
                        || e.ty.code().to_lowercase().starts_with(&kind_low)
                } else {
                    parsed == Some(e.ty)
                };
                named && (number.is_empty() || split_label(&e.label).1 == number)
            })
            .collect()
    };
    let exact = if parsed.is_some() { of_kind(false) } else { Vec::new() };
    if exact.is_empty() { of_kind(true) } else { exact }
}

fn unknown(battle: &Battle, text: &str, sides: &[SideId]) -> Problem {
    let labels: Vec<String> =
        sides.iter().flat_map(|s| battle.ids_of(*s)).map(|id| battle.element(id).label.clone()).collect();
    Problem::new(format!("there is no element {text}")).meant(text, labels.iter().map(String::as_str))
}

fn unclear(battle: &Battle, text: &str, several: &[ElementId]) -> Problem {
    let labels: Vec<String> = several.iter().take(8).map(|id| battle.full_label(*id)).collect();
    Problem::new(format!("{text} may be more than one")).hint(format!("which? {}", labels.join(", ")))
}
