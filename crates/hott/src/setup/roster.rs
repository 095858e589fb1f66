//! The roster of a battle, made from the set-up document or element by element from a position.

use super::{ElementSetup, SeatSetup, Setup, board_for, starts_off_table};
use crate::battle::{
    Battle, CommandId, CommandInfo, CommandState, ElementId, ElementInfo, ElementState, Fate, Flags, Opening,
    Phase, Replies, SeatInfo, SideId, SideInfo, SideState, State, Strong,
};
use crate::ground::Ground;
use crate::table::{Grade, Scale, Tables, TroopType};
use field::{BoardEdge, PACE, Pose, Size};
use game::{Problem, Problems};
use rulebook::rule;
use serde_json::Value;
use std::sync::Arc;

/// The letters of sides.
pub(crate) const LETTERS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

/// The words of the board's edges.
pub(crate) const EDGES: [(BoardEdge, &str); 4] = [
    (BoardEdge::Lower, "bottom"),
    (BoardEdge::Right, "right"),
    (BoardEdge::Upper, "top"),
    (BoardEdge::Left, "left"),
];

/// Reads an edge's word; `upper`, `lower` and clear beginnings too.
pub(crate) fn read_edge(word: &str) -> Result<BoardEdge, Problem> {
    let low = word.to_lowercase();
    let other = match low.as_str() {
        "upper" => Some(BoardEdge::Upper),
        "lower" => Some(BoardEdge::Lower),
        _ => None,
    };
    let mut found =
        EDGES.iter().filter(|(_, w)| !low.is_empty() && w.starts_with(low.as_str())).map(|(e, _)| *e);
    other
        .or(match (found.next(), found.next()) {
            (Some(edge), None) => Some(edge),
            _ => None,
        })
        .ok_or_else(|| {
            Problem::new(format!("no edge of the board: {word:?}")).meant(word, EDGES.iter().map(|(_, w)| *w))
        })
}

/// An element's cost in halves of an AP (BB-007, BB-100).
pub(crate) fn halves(tables: &Tables, ty: TroopType, grade: Grade) -> u16 {
    let per = match grade {
        Grade::Plain => 2,
        Grade::Elite => tables.numbers.elite_cost_halves,
        Grade::Levy => tables.numbers.levy_cost_halves,
    };
    u16::try_from((tables.troop(ty).ap * per).max(0)).unwrap_or(u16::MAX)
}

/// The base of a type.
pub(crate) fn size(tables: &Tables, scale: Scale, ty: TroopType) -> Size {
    Size::new(tables.base_width(scale) * PACE, tables.troop(ty).depth(scale) * PACE)
}

/// Reads a type, in any spelling, that may be played under these rules.
pub(crate) fn read_type(tables: &Tables, word: &str) -> Result<TroopType, Problem> {
    let problem = Problem::new(format!("unknown element type: {word}"));
    let Some(ty) = TroopType::parse(word) else {
        return Err(match TroopType::suggest(word) {
            Some(near) => problem.hint(format!("did you mean {}?", near.name())),
            None => problem.hint(format!("known: {}", TroopType::ALL.map(TroopType::name).join(", "))),
        });
    };
    if ty == TroopType::Str {
        return Err(problem.by(rule!("HOTT-013")).hint("a Stronghold is no element of the army"));
    }
    if tables.troop(ty).big && !tables.is_big() {
        return Err(Problem::new(format!("{} are of the big battles only", ty.plural())).by(rule!("BB-070")));
    }
    Ok(ty)
}

/// Reads a grade's word.
pub(crate) fn read_grade(word: &str) -> Result<Grade, Problem> {
    match word.to_lowercase().as_str() {
        "elite" => Ok(Grade::Elite),
        "levy" => Ok(Grade::Levy),
        "plain" | "" => Ok(Grade::Plain),
        _ => Err(Problem::new(format!("unknown grade: {word}"))
            .meant(word, ["elite", "levy", "plain"])
            .by(rule!("BB-007"))),
    }
}

/// Collects a roster.
#[derive(Clone, Debug)]
pub(crate) struct Roster {
    pub(crate) tables: Arc<Tables>,
    pub(crate) scale: Scale,
    pub(crate) board: Option<field::Board>,
    pub(crate) elements: Vec<ElementInfo>,
    pub(crate) commands: Vec<CommandInfo>,
    pub(crate) sides: Vec<SideInfo>,
    pub(crate) seats: Vec<SeatSetup>,
    pub(crate) bound_limit: u32,
    /// CAM-022: reserve generals: of which command, in which order, who.
    pub(crate) reserves: Vec<(CommandId, u8, String)>,
}

impl Roster {
    pub(crate) fn new(tables: Arc<Tables>, scale: Scale) -> Roster {
        Roster {
            tables,
            scale,
            board: None,
            elements: Vec::new(),
            commands: Vec::new(),
            sides: Vec::new(),
            seats: Vec::new(),
            bound_limit: 0,
            reserves: Vec::new(),
        }
    }

    /// Adds a side, hostile to all others.
    pub(crate) fn side(&mut self, army: &str) -> Result<SideId, Problem> {
        let n = self.sides.len();
        let Some(letter) = LETTERS.get(n) else {
            return Err(Problem::new("at most six sides take part").by(rule!("BB-001")));
        };
        self.sides.push(SideInfo { letter: *letter, army: army.to_owned(), hostile: 0, halves: 0 });
        let all = (1_u8 << self.sides.len()) - 1;
        for (i, side) in self.sides.iter_mut().enumerate() {
            side.hostile = all & !(1 << i);
        }
        Ok(SideId(n as u8))
    }

    /// Makes sides allies.
    pub(crate) fn ally(&mut self, group: &[SideId]) {
        for a in group {
            for b in group {
                self.sides[a.index()].hostile &= !(1 << b.0);
            }
        }
    }

    pub(crate) fn letter(&self, letter: &str) -> Result<SideId, Problem> {
        let known: Vec<String> = self.sides.iter().map(|s| s.letter.to_string()).collect();
        match known.iter().position(|k| k.eq_ignore_ascii_case(letter)) {
            Some(n) => Ok(SideId(n as u8)),
            None => Err(Problem::new(format!("no such side: {letter}"))
                .meant(letter, known.iter().map(String::as_str))),
        }
    }

    pub(crate) fn command(&mut self, side: SideId, name: &str, in_chief: bool) -> Result<CommandId, Problem> {
        let own = self.commands.iter().filter(|c| c.side == side).count();
        if own as i64 >= i64::from(self.tables.numbers.commands_max) {
            let most = self.tables.numbers.commands_max;
            return Err(Problem::new(format!("an army has at most {most} commands")).by(rule!("BB-101")));
        }
        let name = match (name, own) {
            ("", 0) => self.sides[side.index()].army.clone(),
            ("", n) => format!("command {}", n + 1),
            (name, _) => name.to_owned(),
        };
        self.commands.push(CommandInfo { name, side, general: None, in_chief, halves: 0 });
        Ok(CommandId(u8::try_from(self.commands.len() - 1).unwrap_or(u8::MAX)))
    }

    /// Adds an element; without a label it gets the next one of its type in its side.
    pub(crate) fn element(
        &mut self,
        command: CommandId,
        what: &ElementSetup,
        label: Option<&str>,
    ) -> Result<ElementId, Problem> {
        let ty = read_type(&self.tables, &what.ty)?;
        let grade = what.grade.as_deref().map_or(Ok(Grade::Plain), read_grade)?;
        if grade != Grade::Plain && !self.tables.is_big() {
            return Err(Problem::new("grades are of the big battles only").by(rule!("BB-007")));
        }
        if grade != Grade::Plain
            && starts_off_table(ty)
            && self.tables.big.gradable == crate::table::options::Gradable::Deployed
        {
            let words = format!("{} may not be graded by the option big.gradable", ty.plural());
            return Err(Problem::new(words).by(rule!("BB-100")));
        }
        let side = self.commands[command.index()].side;
        let label = match label {
            Some(label) => label.to_owned(),
            None => {
                let same = self.elements.iter().filter(|e| e.side == side && e.ty == ty).count();
                format!("{}{}", ty.code(), same + 1)
            }
        };
        if self.elements.iter().any(|e| e.side == side && e.label.eq_ignore_ascii_case(&label)) {
            return Err(Problem::new(format!("two elements of one side are called {label}")));
        }
        let Ok(id) = u16::try_from(self.elements.len()) else {
            return Err(Problem::new("too many elements"));
        };
        let general = what.general;
        if general {
            let command = &mut self.commands[command.index()];
            if command.general.is_some() {
                let words = format!("{} has two generals", command.name);
                return Err(Problem::new(words)
                    .by(rule!("HOTT-011"))
                    .hint("exactly one element holds the general"));
            }
            let data = self.tables.troop(ty);
            if !data.general {
                return Err(
                    Problem::new(format!("a {} may not hold the general", ty.name())).by(rule!("HOTT-012"))
                );
            }
            if data.big && !self.tables.big.new_type_generals {
                let words = format!("{} hold no general by the option big.new_type_generals", ty.plural());
                return Err(Problem::new(words).by(rule!("BB-009")));
            }
            command.general = Some(ElementId(id));
        }
        if what.reserve > 0 {
            if !self.tables.troop(ty).general {
                return Err(
                    Problem::new(format!("a {} may not hold a general", ty.name())).by(rule!("HOTT-012"))
                );
            }
            self.reserves.push((command, what.reserve, label.clone()));
        }
        self.elements.push(ElementInfo {
            label,
            name: what.name.clone(),
            ty,
            side,
            command,
            contingent: what.contingent,
            general,
            grade,
            armed: what.armed,
            halves: halves(&self.tables, ty, grade),
            size: size(&self.tables, self.scale, ty),
        });
        Ok(ElementId(id))
    }

    fn seats(&self) -> Result<(Vec<SeatInfo>, Vec<String>), Problem> {
        let commands_of = |side: SideId| -> Vec<CommandId> {
            (0..self.commands.len() as u8)
                .map(CommandId)
                .filter(|c| self.commands[c.index()].side == side)
                .collect()
        };
        if self.seats.is_empty() {
            let seats = (0..self.sides.len() as u8).map(SideId);
            let seats =
                seats.map(|side| SeatInfo { side, commands: commands_of(side), in_chief: true }).collect();
            return Ok((seats, self.sides.iter().map(|s| s.letter.to_string()).collect()));
        }
        let (mut seats, mut names) = (Vec::new(), Vec::new());
        for seat in &self.seats {
            let side = self.letter(&seat.side)?;
            let own = commands_of(side);
            let mut commands = Vec::new();
            for n in &seat.commands {
                let which = n.checked_sub(1).and_then(|i| own.get(i));
                commands.push(
                    *which.ok_or_else(|| Problem::new(format!("{}: there is no command {n}", seat.name)))?,
                );
            }
            if commands.is_empty() {
                commands = own;
            }
            let in_chief = commands.iter().any(|c| self.commands[c.index()].in_chief);
            names.push(seat.name.clone());
            seats.push(SeatInfo { side, commands, in_chief });
        }
        for (n, command) in self.commands.iter().enumerate() {
            let id = CommandId(n as u8);
            let owners = seats.iter().filter(|s| s.commands.contains(&id)).count();
            if owners != 1 {
                let words = format!("{} seats give orders to {}; exactly one must", owners, command.name);
                return Err(Problem::new(words).by(rule!("BB-098")));
            }
        }
        Ok((seats, names))
    }

    /// The battle, before anything has happened.
    pub(crate) fn battle(mut self, rules: Value, setup: Value) -> Result<Battle, Problem> {
        if self.sides.len() < 2 {
            return Err(Problem::new("a battle has at least two sides"));
        }
        for e in &self.elements {
            self.sides[e.side.index()].halves += u32::from(e.halves);
            self.commands[e.command.index()].halves += u32::from(e.halves);
        }
        for side in (0..self.sides.len() as u8).map(SideId) {
            let chief = |c: &&mut CommandInfo| c.side == side;
            if !self.commands.iter().any(|c| c.side == side && c.in_chief)
                && let Some(first) = self.commands.iter_mut().find(chief)
            {
                first.in_chief = true;
            }
            if !self.commands.iter().any(|c| c.side == side) {
                return Err(Problem::new(format!("side {} has no command", self.sides[side.index()].letter)));
            }
        }
        let ap = i32::try_from(self.sides.iter().map(|s| s.halves).sum::<u32>() / 2).unwrap_or(i32::MAX);
        let board = self.board.unwrap_or_else(|| board_for(&self.tables, self.scale, ap, self.sides.len()));
        let (seats, names) = self.seats()?;
        let start = blank(&self);
        Ok(Battle {
            tables: self.tables,
            scale: self.scale,
            board,
            elements: self.elements.into(),
            commands: self.commands.into(),
            sides: self.sides.into(),
            seats: seats.into(),
            seat_names: names.into(),
            bound_limit: self.bound_limit,
            opening: Arc::new(Opening { rules: Arc::new(rules), setup, start }),
        })
    }
}

/// A state in which nothing has happened.
fn blank(roster: &Roster) -> State {
    let element = ElementState {
        pose: Pose::default(),
        began: Pose::default(),
        fate: Fate::Waiting,
        flags: Flags::default(),
        appearances: 0,
        enchanter: None,
        charged: 0,
        seen_moving: 0,
    };
    let command = CommandState {
        score: 0,
        pips: 0,
        demoralised: false,
        tested: false,
        deployed: false,
        moved_one: false,
    };
    let side = SideState {
        die: 0,
        edge: None,
        defends: false,
        strong: Strong::None,
        strong_flags: Flags::default(),
        out: false,
        replies: Replies::default(),
        place: 0,
    };
    State {
        elements: vec![element; roster.elements.len()],
        commands: vec![command; roster.commands.len()],
        sides: vec![side; roster.sides.len()],
        ground: Arc::new(Ground::default()),
        phase: Phase::Sides,
        bound: 0,
        active: SideId(0),
        pending: Vec::new(),
        rerolls: 0,
        over: None,
        house: None,
        large: crate::battle::Large::default(),
    }
}

// What a set-up may hold at most: no limits of the rules, but far beyond them.
const MOST_SIDES: u64 = 26;
const MOST_COMMANDS: u64 = 200;
const MOST_ELEMENTS: u64 = 2000;
const MOST_FEATURES: u64 = 1000;

impl Setup {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// What does not read.
    pub fn read(value: &Value) -> Result<Setup, Problems> {
        serde_json::from_value(value.clone())
            .map_err(|e| vec![Problem::new(format!("the set-up does not read: {e}"))])
    }

    /// The JSON form.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// Sizes that no battle has are refused before anything is made of them.
    fn not_too_large(&self) -> Result<(), Problems> {
        let commands = || self.sides.iter().flat_map(|s| &s.commands);
        let elements = commands().flat_map(|c| &c.elements);
        let elements = elements.fold(0_u64, |all, item| all.saturating_add(u64::from(item.count)));
        let sizes = [
            ("sides", self.sides.len() as u64, MOST_SIDES),
            ("commands", commands().count() as u64, MOST_COMMANDS),
            ("elements", elements, MOST_ELEMENTS),
            ("features of ground", self.ground.as_ref().map_or(0, |g| g.len() as u64), MOST_FEATURES),
        ];
        let too_many = sizes.into_iter().find(|(_, n, most)| n > most);
        too_many.map_or(Ok(()), |(what, n, most)| {
            Err(vec![
                Problem::new(format!("{n} {what}: more than any battle has")).hint(format!("at most {most}")),
            ])
        })
    }

    /// CAM-154: the terms of a campaign's battle.
    fn contest_of(&self, roster: &Roster) -> Result<Option<crate::battle::Contest>, Problems> {
        let commands = || self.sides.iter().flat_map(|s| &s.commands);
        let Some(given) = &self.contest else {
            let marked = commands()
                .any(|c| c.contingent.is_some() || c.elements.iter().any(|e| e.reserve > 0))
                || self.sides.iter().any(|s| s.hordes_return);
            return if marked {
                Err(vec![
                    Problem::new("contingents, reserves and hordes_return are of a campaign's battle")
                        .by(rule!("CAM-154"))
                        .hint("add [setup.contest]"),
                ])
            } else {
                Ok(None)
            };
        };
        let mut out = crate::battle::Contest {
            each_bound: given.each_bound,
            half_of_elements: given.half_of_elements,
            ground: given.ground.clone(),
            ..crate::battle::Contest::default()
        };
        for (n, side) in self.sides.iter().enumerate() {
            out.hordes_return |= u8::from(side.hordes_return) << n.min(7);
        }
        for (n, command) in commands().enumerate() {
            let mut reserves: Vec<&(CommandId, u8, String)> =
                roster.reserves.iter().filter(|(c, ..)| c.index() == n).collect();
            reserves.sort_by_key(|(_, order, _)| *order);
            out.commands.push(crate::battle::Terms {
                entry: command.contingent,
                reserves: reserves.into_iter().map(|(_, _, label)| label.clone()).collect(),
                ..crate::battle::Terms::default()
            });
        }
        Ok(Some(out))
    }

    /// BB-090: a side is in one alliance, and somebody is left to fight.
    fn wrong_alliance(&self) -> Option<Problem> {
        let all: Vec<String> = self.alliances.iter().flatten().map(|l| l.to_uppercase()).collect();
        let twice = all.iter().enumerate().find(|(n, l)| all[..*n].contains(l));
        let words = match twice {
            Some((_, letter)) => format!("side {letter} is in the alliances twice"),
            None if self.alliances.iter().any(|g| g.len() > 1 && g.len() >= self.sides.len()) => {
                "all sides are allies, and nobody is left to fight".to_owned()
            }
            None => return None,
        };
        let hint =
            "alliances are groups of sides, each side in one of them: [[\"A\", \"C\"], [\"B\", \"D\"]]";
        Some(Problem::new(words).by(rule!("BB-090")).hint(hint))
    }

    /// The battle of this set-up under these rules.
    ///
    /// # Errors
    /// Everything wrong with it.
    pub fn open(&self, tables: Arc<Tables>, rules: Value) -> Result<Battle, Problems> {
        let scale = match self.scale.as_deref() {
            None => Scale::default(),
            Some(word) => Scale::from_word(word).ok_or_else(|| {
                vec![Problem::new(format!("unknown scale: {word}")).meant(word, ["15mm", "25mm"])]
            })?,
        };
        self.not_too_large()?;
        let mut roster = Roster::new(tables, scale);
        let mut problems = Vec::new();
        if let Some([w, h]) = self.board {
            if (600..=25_600).contains(&w) && (600..=25_600).contains(&h) {
                roster.board = Some(field::Board::new(w * PACE, h * PACE));
            } else {
                problems
                    .push(Problem::new(format!("a board of {w} by {h} paces")).hint("600 to 25600 each way"));
            }
        }
        roster.bound_limit = self.bound_limit;
        roster.seats = self.seats.clone();
        // Those that start off the table come last, so that how many they are shows in nobody else's number.
        for (i, side) in self.sides.iter().enumerate() {
            let letter = LETTERS.get(i).copied().unwrap_or('?');
            let mut add = || -> Result<(), Problem> {
                let id = roster.side(&side.army)?;
                for command in &side.commands {
                    roster.command(id, &command.name, command.in_chief)?;
                }
                Ok(())
            };
            if let Err(p) = add() {
                problems.push(Problem { message: format!("side {letter}: {}", p.message), ..p });
            }
        }
        if problems.is_empty() {
            for off_table in [false, true] {
                for (n, command) in self.sides.iter().flat_map(|s| &s.commands).enumerate() {
                    let id = CommandId(n as u8);
                    for item in &command.elements {
                        let off = TroopType::parse(&item.ty).is_some_and(starts_off_table);
                        if off == off_table
                            && let Err(p) = add_items(&mut roster, id, item)
                        {
                            problems.push(p);
                        }
                    }
                }
            }
        }
        if roster.tables.numbers.strict > 0 {
            problems.extend(self.wrong_alliance());
        }
        for group in &self.alliances {
            match group.iter().map(|l| roster.letter(l)).collect::<Result<Vec<_>, _>>() {
                Ok(ids) => roster.ally(&ids),
                Err(p) => problems.push(p),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let contest = self.contest_of(&roster)?;
        let battle = roster.battle(rules, self.json()).map_err(|p| vec![p])?;
        let battle = battle.started(self, contest)?;
        battle.has_room().map_err(|p| vec![p])?;
        Ok(battle)
    }
}

fn add_items(roster: &mut Roster, command: CommandId, item: &ElementSetup) -> Result<(), Problem> {
    for i in 0..item.count {
        let one = ElementSetup { count: 1, general: item.general && i == 0, ..item.clone() };
        roster.element(command, &one, None)?;
    }
    Ok(())
}
