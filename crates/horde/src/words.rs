//! Commands in words: the one text form, printed and parsed, and what people type instead.

use crate::attack::Attack;
use crate::command::{Command, From, Hold, Joins, Reaction, Rule, Ruling, Told};
use crate::document::plain_usual;
use crate::problem::nearest;
use crate::state::{How, State};
use crate::unit::{Action, Aim, Band, Mod, Unit, UnitId, Usual};
use game::Problem;
use std::fmt::Write as _;
use std::sync::Arc;

/// A word of a command with its column, from 0.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    at: usize,
    quoted: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut open: Option<Token> = None;
    let mut word = Token { text: String::new(), at: 0, quoted: false };
    for (at, c) in text.chars().enumerate() {
        if let Some(q) = &mut open {
            if c == '"' {
                out.extend(open.take());
            } else {
                q.text.push(c);
            }
            continue;
        }
        if c == '"' || c.is_whitespace() || matches!(c, ',' | ';' | ':') {
            if !word.text.is_empty() {
                out.push(std::mem::replace(&mut word, Token { text: String::new(), at: 0, quoted: false }));
            }
            if c == '"' {
                open = Some(Token { text: String::new(), at, quoted: true });
            }
        } else {
            if word.text.is_empty() {
                word.at = at;
            }
            word.text.extend(c.to_lowercase());
        }
    }
    if !word.text.is_empty() {
        out.push(word);
    }
    out.extend(open);
    out
}

struct Reader<'a> {
    state: &'a State,
    words: Vec<Token>,
    at: usize,
    length: usize,
}

fn problem(message: impl Into<String>) -> Problem {
    Problem::new(message)
}

impl<'a> Reader<'a> {
    fn new(state: &'a State, text: &str) -> Self {
        Self { state, words: tokens(text), at: 0, length: text.chars().count() }
    }
    fn peek(&self) -> Option<&Token> {
        self.words.get(self.at)
    }
    fn is(&self, words: &[&str]) -> bool {
        self.peek().is_some_and(|t| !t.quoted && words.contains(&t.text.as_str()))
    }
    fn take(&mut self, words: &[&str]) -> bool {
        let is = self.is(words);
        self.at += usize::from(is);
        is
    }
    fn here(&self, p: Problem) -> Problem {
        let column = self.peek().map_or(self.length, |t| t.at) + 1;
        p.at("", 1, u32::try_from(column).unwrap_or(0))
    }
    fn done(&self) -> Result<(), Problem> {
        match self.peek() {
            None => Ok(()),
            Some(t) => Err(self.here(problem(format!("`{}` is too much here", t.text)))),
        }
    }
    fn int(&mut self) -> Option<i32> {
        let n = self.peek().filter(|t| !t.quoted)?.text.parse::<i32>().ok()?;
        self.at += 1;
        Some(n)
    }
    fn wanted_int(&mut self, what: &str, least: i32, most: i32) -> Result<i32, Problem> {
        let place = self.here(problem(""));
        match self.int() {
            Some(n) if (least..=most).contains(&n) => Ok(n),
            Some(n) => Err(Problem {
                message: format!("{what} is {n}"),
                hint: Some(format!("{least} to {most} would be right")),
                ..place
            }),
            None => Err(Problem {
                message: format!("{what} is missing"),
                hint: Some("a number".to_owned()),
                ..place
            }),
        }
    }
    fn die(&mut self, what: &str, sides: i32) -> Result<u16, Problem> {
        let n = self.wanted_int(what, 1, sides)?;
        Ok(u16::try_from(n).unwrap_or(1))
    }
    /// All numbers that follow, each a die of so many faces.
    fn dice(&mut self, what: &str, sides: i32) -> Result<Vec<u16>, Problem> {
        let mut out = Vec::new();
        while self.peek().is_some_and(|t| t.text.parse::<i32>().is_ok()) {
            out.push(self.die(what, sides)?);
        }
        Ok(out)
    }

    /// Somebody by label or by a clear beginning of it.
    fn find(&self, word: &str) -> Result<Option<UnitId>, Problem> {
        if let Some(id) = self.state.by_label(word) {
            return Ok(Some(id));
        }
        let fits: Vec<UnitId> = self
            .state
            .ids()
            .filter(|id| self.state.unit(*id).label.to_lowercase().starts_with(word))
            .collect();
        match fits.as_slice() {
            [one] => Ok(Some(*one)),
            [] => Ok(None),
            many => {
                let labels: Vec<&str> = many.iter().map(|id| &*self.state.unit(*id).label).collect();
                Err(self.here(problem(format!("`{word}` may be {}", labels.join(" or ")))))
            }
        }
    }
    fn who(&mut self) -> Result<UnitId, Problem> {
        let Some(t) = self.peek().cloned() else {
            return Err(self.here(problem("who is missing").hint(self.labels())));
        };
        match self.find(&t.text)? {
            Some(id) => {
                self.at += 1;
                Ok(id)
            }
            None => {
                let near = nearest(&t.text, self.state.units.iter().map(|u| &*u.label));
                let p = problem(format!("nobody here is called `{}`", t.text));
                Err(self.here(p.hint(near.map_or_else(|| self.labels(), |n| format!("did you mean {n}?")))))
            }
        }
    }
    fn labels(&self) -> String {
        let all: Vec<&str> = self.state.units.iter().filter(|u| u.fights()).map(|u| &*u.label).collect();
        format!("here are: {}", all.join(", "))
    }
    fn several(&mut self) -> Result<Vec<UnitId>, Problem> {
        let mut out = vec![self.who()?];
        while let Some(t) = self.peek() {
            match self.find(&t.text.clone()) {
                Ok(Some(id)) => {
                    out.push(id);
                    self.at += 1;
                }
                _ => break,
            }
        }
        Ok(out)
    }
    fn word(&mut self, what: &str) -> Result<String, Problem> {
        match self.peek().cloned() {
            Some(t) => {
                self.at += 1;
                Ok(t.text)
            }
            None => Err(self.here(problem(format!("{what} is missing")))),
        }
    }
}

/// Parts of an attack as they are read, before defaults fill the gaps.
#[derive(Default)]
struct Parts {
    action: Option<Action>,
    full_auto: Option<bool>,
    weapon: Option<Arc<str>>,
    band: Option<Band>,
    metres: Option<i32>,
    aim: Option<Aim>,
    mods: Vec<Mod>,
    plain: bool,
    at: Vec<UnitId>,
    all: bool,
    told: Told,
}

fn action_word(word: &str) -> Option<Action> {
    Some(match word {
        "std" | "attack" | "attacks" | "single" => Action::Standard,
        "stuns" => Action::Stun,
        "grapples" | "grabs" => Action::Grapple,
        "suppresses" | "suppressing" => Action::Suppress,
        "charges" => Action::Charge,
        "burst" => Action::Semi,
        "auto" => Action::Full,
        w => Action::read(w)?,
    })
}

impl Reader<'_> {
    /// Reads what describes an attack of `by`, in any order, to the end.
    fn parts(&mut self, by: UnitId, with_targets: bool) -> Result<Parts, Problem> {
        let mut p = Parts::default();
        // After "3 dos" or "2 hits" bare numbers are damages.
        let mut damages = false;
        while let Some(t) = self.peek().cloned() {
            if t.quoted {
                return Err(self
                    .here(problem(format!("\"{}\" names no modifier", t.text)).hint("+10 \"high ground\"")));
            }
            let signed = t.text.starts_with(['+', '-']);
            if let (true, Ok(value)) = (signed, t.text.parse::<i32>()) {
                self.at += 1;
                p.mods.push(self.named_mod(value)?);
                continue;
            }
            if let Ok(n) = t.text.parse::<i32>() {
                self.number(n, &mut p, &mut damages)?;
                continue;
            }
            if let Some(m) = t.text.strip_suffix('m').and_then(|m| m.parse::<i32>().ok()) {
                self.at += 1;
                p.metres = Some(m.max(0));
                continue;
            }
            if self.keyword(&t.text, &mut p)? {
                continue;
            }
            if with_targets && !p.all && self.take(&["all", "everybody"]) {
                p.all = true;
                continue;
            }
            if with_targets && self.state.by_label(&t.text).is_some() {
                p.at.push(self.who()?);
                continue;
            }
            if let Some(w) = self.weapon_word(by, &t.text)? {
                self.at += 1;
                p.weapon = Some(w);
                continue;
            }
            if with_targets && self.find(&t.text)?.is_some() {
                p.at.push(self.who()?);
                continue;
            }
            return Err(self.unknown(by, &t.text));
        }
        Ok(p)
    }

    fn named_mod(&mut self, value: i32) -> Result<Mod, Problem> {
        if value.abs() > 999 {
            return Err(
                self.here(problem(format!("a modifier of {value}")).hint("-999 to +999 would be right"))
            );
        }
        let name = match self.peek().cloned() {
            Some(t) if t.quoted => {
                self.at += 1;
                t.text.replace('"', "'")
            }
            Some(t) if self.state.options.t().modifier.contains_key(&t.text) => {
                self.at += 1;
                t.text
            }
            _ => String::new(),
        };
        Ok(Mod { name, value })
    }

    fn number(&mut self, n: i32, p: &mut Parts, damages: &mut bool) -> Result<(), Problem> {
        self.at += 1;
        if self.take(&["hits", "hit"]) {
            if !(0..=200).contains(&n) {
                return Err(self.here(problem(format!("{n} hits")).hint("0 to 200 would be right")));
            }
            p.told.hits = Some(n);
            *damages = true;
        } else if self.take(&["dos", "degrees", "degree"]) {
            if !(0..=99).contains(&n) {
                return Err(self.here(problem(format!("{n} degrees")).hint("0 to 99 would be right")));
            }
            p.told.degrees = Some(n);
            *damages = true;
        } else if *damages {
            if !(0..=999).contains(&n) {
                return Err(self.here(problem(format!("a damage of {n}")).hint("0 to 999 would be right")));
            }
            p.told.damage.push(n);
        } else {
            self.at -= 1;
            return Err(self.here(
                problem(format!("what is {n}?"))
                    .hint("`roll 34`, `3 dos`, `2 hits`, `damage 11 9`, `dice 2 6`, `40m` or `+10`"),
            ));
        }
        Ok(())
    }

    fn keyword(&mut self, word: &str, p: &mut Parts) -> Result<bool, Problem> {
        if p.action.is_some() && word == "at" {
            self.at += 1;
            return Ok(true);
        }
        match word {
            "at" | "with" | "and" | "on" | "vs" => self.at += 1,
            "semi" | "full" if p.action == Some(Action::Suppress) => {
                self.at += 1;
                p.full_auto = Some(word == "full");
            }
            "aim" | "aimed" | "aims" => {
                self.at += 1;
                p.aim = Some(if self.take(&["full"]) {
                    Aim::Full
                } else if self.take(&["none"]) {
                    Aim::None
                } else {
                    _ = self.take(&["half"]);
                    Aim::Half
                });
            }
            "roll" | "rolls" | "rolled" => {
                self.at += 1;
                p.told.rolls = self.dice("a d100", 100)?;
            }
            "dice" => {
                self.at += 1;
                p.told.dice = self.dice("a die", 10)?;
            }
            "damage" | "damages" => {
                self.at += 1;
                while self.peek().is_some_and(|t| t.text.parse::<i32>().is_ok()) {
                    let n = self.wanted_int("a damage", 0, 999)?;
                    p.told.damage.push(n);
                }
            }
            "misses" | "miss" => {
                self.at += 1;
                p.told.hits = Some(0);
            }
            "plain" => {
                self.at += 1;
                p.plain = true;
            }
            "unbraced" => {
                self.at += 1;
                p.mods.push(Mod { name: word.to_owned(), value: self.state.options.t().quality.unbraced });
            }
            _ => {
                if let Some(value) = self.state.options.t().modifier.get(word) {
                    self.at += 1;
                    p.mods.push(Mod { name: word.to_owned(), value: *value });
                } else if let Some(band) = Band::read(word).or(match word {
                    "pointblank" | "point_blank" => Some(Band::PointBlank),
                    _ => None,
                }) {
                    self.at += 1;
                    p.band = Some(band);
                } else if let Some(action) = action_word(word) {
                    self.at += 1;
                    p.action = Some(action);
                } else {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn weapon_word(&self, by: UnitId, word: &str) -> Result<Option<Arc<str>>, Problem> {
        let u = self.state.unit(by);
        if let Some(w) = u.weapon(word) {
            return Ok(Some(w.id.as_str().into()));
        }
        let fits: Vec<&str> =
            u.weapons.iter().map(|w| w.id.as_str()).filter(|id| id.starts_with(word)).collect();
        match fits.as_slice() {
            [one] => Ok(Some((*one).into())),
            [] => Ok(None),
            many => Err(self.here(problem(format!("`{word}` may be {}", many.join(" or "))))),
        }
    }

    fn unknown(&self, by: UnitId, word: &str) -> Problem {
        let u = self.state.unit(by);
        let weapons = u.weapons.iter().map(|w| w.id.as_str());
        let labels = self.state.units.iter().map(|u| &*u.label);
        let words = Action::ALL.iter().map(|a| a.word()).chain(Band::ALL.iter().map(|b| b.word()));
        let mods = self.state.options.t().modifier.keys().map(String::as_str);
        let near = nearest(word, weapons.chain(labels).chain(words).chain(mods));
        let carried: Vec<&str> = u.weapons.iter().map(|w| w.id.as_str()).collect();
        let hint = near.map_or_else(
            || format!("{} carries {}", u.label, carried.join(", ")),
            |n| format!("did you mean {n}?"),
        );
        self.here(
            problem(format!(
                "`{word}` is neither a word of an attack, nor a weapon of {}, nor anybody here",
                u.label
            ))
            .hint(hint),
        )
    }

    /// Fills the gaps: the usual attack, the first weapon that can, the only target.
    fn how(&self, by: UnitId, p: &Parts, melee_wanted: Option<bool>) -> Result<How, Problem> {
        let u = self.state.unit(by);
        let melee = melee_wanted
            .or_else(|| p.weapon.as_deref().and_then(|w| u.weapon(w)).map(|w| w.is_melee()))
            .or_else(|| {
                p.action.and_then(|a| {
                    let row = a.row(&self.state.options);
                    (row.melee != row.ranged).then_some(row.melee)
                })
            })
            .or_else(|| (p.band.is_some() || p.metres.is_some()).then_some(false))
            .unwrap_or_else(|| match &u.usual {
                [_, Some(_)] => false,
                [Some(_), None] => true,
                _ => u.weapons.first().is_some_and(|w| w.is_melee()),
            });
        let usual = u.usual[usize::from(!melee)].clone().or_else(|| plain_usual(u, melee));
        let Some(usual) = usual else {
            let kind = if melee { "melee" } else { "ranged" };
            return Err(self.here(problem(format!("{} has no {kind} weapon", u.label))));
        };
        let weapon_id = match &p.weapon {
            Some(w) => w.clone(),
            // The usual weapon if it can, else the first that has the mode asked for.
            None => {
                let can = |id: &str| u.weapon(id).is_some_and(|w| p.action.is_none_or(|a| has_mode(a, w)));
                if can(&usual.weapon) {
                    usual.weapon.as_str().into()
                } else {
                    let fit = u.weapons.iter().find(|w| w.is_melee() == melee && can(&w.id));
                    fit.map_or_else(|| usual.weapon.as_str().into(), |w| w.id.as_str().into())
                }
            }
        };
        let Some(weapon) = u.weapon(&weapon_id) else {
            return Err(self.here(problem(format!("{} has no {weapon_id}", u.label))));
        };
        let same = *usual.weapon == *weapon_id;
        let action = p.action.unwrap_or_else(|| {
            if same && (usual.action.row(&self.state.options).melee || !melee) {
                usual.action
            } else {
                single_weapon(u, weapon_id.as_ref())
            }
        });
        let full_auto = action == Action::Suppress && p.full_auto.unwrap_or(weapon.rof.2 > 0);
        let band = match (p.band, p.metres) {
            _ if melee => Band::Normal,
            (Some(b), _) => b,
            (None, Some(m)) => {
                let o = &self.state.options;
                let sb = u.bonus(o, crate::arms::Trait9::S);
                let range = weapon.range_m(sb).unwrap_or(0);
                match Band::of(o, m, range) {
                    Some(b) => b,
                    None => {
                        let p =
                            problem(format!("{m} m is beyond the reach of {weapon_id} (range {range} m)"));
                        return Err(self
                            .here(p.by(rulebook::rule!("HC-030")).hint(format!("at most {} m", 4 * range))));
                    }
                }
            }
            (None, None) if same => usual.band,
            (None, None) => Band::Normal,
        };
        let aim = p.aim.unwrap_or_else(|| {
            let kept = u.person().map_or(Aim::None, |p| p.aim);
            if kept == Aim::None && same && p.action.is_none_or(|a| a == usual.action) {
                usual.aim
            } else {
                kept
            }
        });
        // Usual modifiers hold where none are named; `plain` means none at all.
        let mods = if same && p.mods.is_empty() && !p.plain { usual.mods.clone() } else { p.mods.clone() };
        Ok(How { action, full_auto, weapon: weapon_id, band, aim, mods })
    }

    fn targets(&self, by: UnitId, how: &How, p: &Parts) -> Result<Vec<UnitId>, Problem> {
        let u = self.state.unit(by);
        if p.all {
            let all: Vec<UnitId> = match u.horde() {
                Some(h) if u.weapon(&how.weapon).is_some_and(|w| w.is_melee()) => h
                    .engaged
                    .iter()
                    .copied()
                    .filter(|id| self.state.unit(*id).fights() && !h.fought.contains(id))
                    .filter(|id| crate::engine::shielded(self.state, by, *id).is_none())
                    .collect(),
                _ => self.state.enemies(by),
            };
            if all.is_empty() {
                let p = problem(format!("nobody is within reach of {}", u.label));
                return Err(self.here(
                    p.by(rulebook::rule!("HC-160"))
                        .hint(format!("name them, or `{} engages LABEL`", u.label)),
                ));
            }
            return Ok(all);
        }
        if !p.at.is_empty() {
            return Ok(p.at.clone());
        }
        let usual =
            u.usual.iter().flatten().filter_map(|x| x.at.as_deref()).find_map(|l| self.state.by_label(l));
        if let Some(id) = usual
            && self.state.unit(id).fights()
        {
            return Ok(vec![id]);
        }
        match self.state.enemies(by).as_slice() {
            [one] => Ok(vec![*one]),
            [] => Err(self.here(problem("nobody is left to attack"))),
            many => {
                let labels: Vec<&str> = many.iter().map(|id| &*self.state.unit(*id).label).collect();
                Err(self.here(problem(format!("whom does {} attack?", u.label)).hint(labels.join(", "))))
            }
        }
    }
}

fn single_weapon(u: &Unit, id: &str) -> Action {
    match u.weapon(id) {
        Some(w) if !w.is_melee() && !w.rof.0 => {
            if w.rof.1 > 0 {
                Action::Semi
            } else {
                Action::Full
            }
        }
        _ => Action::Standard,
    }
}

fn has_mode(a: Action, w: &crate::arms::Weapon) -> bool {
    match a {
        Action::Semi => w.rof.1 > 0,
        Action::Full => w.rof.2 > 0,
        Action::Suppress => w.rof.1 > 0 || w.rof.2 > 0,
        _ => w.is_melee() || w.rof.0,
    }
}

/// Reads a usual attack of a document: `semi boltgun guard short aim half`. `melee` says which kind is meant.
pub(crate) fn read_usual(state: &State, by: UnitId, text: &str, melee: bool) -> Result<Usual, Problem> {
    let mut r = Reader::new(state, text);
    let p = r.parts(by, true)?;
    if p.all || p.at.len() > 1 || p.told != Told::default() {
        return Err(problem(
            "a usual attack names an action, a weapon, a range, modifiers and at most one target",
        ));
    }
    let how = r.how(by, &p, Some(melee))?;
    if state.unit(by).weapon(&how.weapon).is_some_and(|w| w.is_melee() != melee) {
        return Err(problem(format!(
            "{} is no {} weapon",
            how.weapon,
            if melee { "melee" } else { "ranged" }
        )));
    }
    let at = p.at.first().map(|id| state.unit(*id).label.to_string());
    let usual = Usual {
        action: how.action,
        weapon: how.weapon.to_string(),
        band: how.band,
        aim: how.aim,
        mods: how.mods,
        at,
    };
    Ok(usual)
}

/// The form that [`read_usual`] reads.
pub(crate) fn print_usual(u: &Usual) -> String {
    let mut out = format!("{} {}", u.action.word(), u.weapon);
    if let Some(at) = &u.at {
        _ = write!(out, " {at}");
    }
    print_rest(&mut out, u.band, u.aim, &u.mods);
    out
}

/// Reads how an attack is made, all of it.
pub(crate) fn read_how(state: &State, by: UnitId, text: &str) -> Result<How, Problem> {
    let mut r = Reader::new(state, text);
    let p = r.parts(by, false)?;
    let plain = State { units: state.units.iter().map(without_usual).collect(), ..state.clone() };
    Reader { state: &plain, words: r.words, at: r.at, length: r.length }.how(by, &p, None)
}

fn without_usual(u: &Unit) -> Unit {
    Unit { usual: [None, None], ..u.clone() }
}

/// The form that [`read_how`] reads.
pub(crate) fn print_how(state: &State, by: UnitId, how: &How) -> String {
    let mut out = how.action.word().to_owned();
    if how.action == Action::Suppress {
        out.push_str(if how.full_auto { " full" } else { " semi" });
    }
    _ = write!(out, " {}", how.weapon);
    let _ = (state, by);
    print_rest(&mut out, how.band, how.aim, &how.mods);
    out
}

fn print_rest(out: &mut String, band: Band, aim: Aim, mods: &[Mod]) {
    if band != Band::Normal {
        _ = write!(out, " {}", band.word());
    }
    _ = write!(out, " aim {}", aim.word());
    for m in mods {
        _ = write!(out, " {:+}", m.value);
        if !m.name.is_empty() {
            _ = write!(out, " \"{}\"", m.name);
        }
    }
}

fn numbers<T: std::fmt::Display>(out: &mut String, word: &str, list: &[T]) {
    if !list.is_empty() {
        _ = write!(out, " {word}");
        list.iter().for_each(|n| _ = write!(out, " {n}"));
    }
}

/// Prints a command.
pub fn print(state: &State, command: &Command) -> String {
    let l = |id: &UnitId| &*state.unit(*id).label;
    let list = |ids: &[UnitId]| ids.iter().map(l).collect::<Vec<_>>().join(" ");
    let roll = |r: &Option<u16>| r.map_or_else(String::new, |r| format!(" roll {r}"));
    match command {
        Command::Begin => "begin".to_owned(),
        Command::Next => "next".to_owned(),
        Command::Attack { by, at, how, told } => {
            let mut out = format!("{} {} {}", l(by), how.action.word(), how.weapon);
            if how.action == Action::Suppress {
                out = format!(
                    "{} suppress {} {}",
                    l(by),
                    if how.full_auto { "full" } else { "semi" },
                    how.weapon
                );
            }
            _ = write!(out, " {}", list(at));
            let unit = state.unit(*by);
            if how.band == Band::Normal && unit.weapon(&how.weapon).is_some_and(|w| !w.is_melee()) {
                out.push_str(" normal");
            }
            print_rest(&mut out, how.band, how.aim, &how.mods);
            let usual = unit.usual.iter().flatten().find(|u| *u.weapon == *how.weapon);
            if how.mods.is_empty() && usual.is_some_and(|u| !u.mods.is_empty()) {
                out.push_str(" plain");
            }
            numbers(&mut out, "roll", &told.rolls);
            if let Some(d) = told.degrees {
                _ = write!(out, " {d} dos");
            }
            if let Some(h) = told.hits {
                _ = write!(out, " {h} hits");
            }
            numbers(&mut out, "damage", &told.damage);
            numbers(&mut out, "dice", &told.dice);
            out
        }
        Command::React { who, which, with, roll: r } => {
            let word = match with {
                Reaction::Dodge => "dodge",
                Reaction::Parry => "parry",
                Reaction::None => "takes it",
            };
            let which = which.map_or_else(String::new, |n| format!(" #{}", n + 1));
            format!("{} {word}{which}{}", l(who), roll(r))
        }
        Command::Lose { who, n } => {
            if state.unit(*who).is_horde() {
                format!("{} {:+}", l(who), -i64::from(*n))
            } else if *n >= 0 {
                format!("{} {n} wounds", l(who))
            } else {
                format!("{} heals {}", l(who), -i64::from(*n))
            }
        }
        Command::Aims { who, aim } => format!("{} aims {}", l(who), aim.word()),
        Command::Fear { who, rating, rolls } => {
            let mut out = format!("{} fear {rating}", l(who));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Recover { who, from, cover, roll: r } => {
            let from = if *from == From::Pinning { "pinning" } else { "fear" };
            format!("{} recovers {from}{}{}", l(who), if *cover { " cover" } else { "" }, roll(r))
        }
        Command::Hold { by, at, what, rolls } => {
            let word = match what {
                Hold::Squeeze => "squeezes",
                Hold::Throw => "throws",
                Hold::Push => "pushes",
                Hold::Keep => "keeps",
            };
            let mut out = format!("{} {word} {}", l(by), l(at));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Escape { who, rolls } => {
            let mut out = format!("{} escapes", l(who));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Engage { horde, with, on } => {
            format!("{} {} {}", l(horde), if *on { "engages" } else { "leaves" }, list(with))
        }
        Command::Ruling(r) => {
            let mut out = print_ruling(state, &r.what);
            if !r.because.is_empty() {
                _ = write!(out, " because \"{}\"", r.because);
            }
            out
        }
    }
}

fn print_ruling(state: &State, rule: &Rule) -> String {
    let l = |id: &UnitId| &*state.unit(*id).label;
    match rule {
        Rule::Magnitude { who, m } => format!("{} magnitude {m}", l(who)),
        Rule::Original { who, m } => format!("{} original {m}", l(who)),
        Rule::Reinforce { who, n, first_only } => {
            format!("{} reinforce {n}{}", l(who), if *first_only { " only" } else { "" })
        }
        Rule::Split { who, n, label } => format!("{} split {n} {label}", l(who)),
        Rule::Merge { who, into } => format!("{} merge {}", l(who), l(into)),
        Rule::Breaks { who } => format!("{} breaks", l(who)),
        Rule::Holds { who } => format!("{} holds", l(who)),
        Rule::Rallies { who } => format!("{} rallies", l(who)),
        Rule::SkipTest { who } => format!("{} skips", l(who)),
        Rule::Test { who, roll } => {
            format!("{} test{}", l(who), roll.map_or_else(String::new, |r| format!(" roll {r}")))
        }
        Rule::Option { key, value } => format!("option {key} {value}"),
        Rule::Set { who, key, value } => format!("{} set {key} {value}", l(who)),
        Rule::Hits { who, which, hits } => format!("{} gets #{} {hits} hits", l(who), which + 1),
        Rule::Add { kind, label, profile, strength, initiative } => {
            let word = match kind {
                Joins::Horde => "horde",
                Joins::Heretic => "heretic",
                Joins::Foe => "foe",
            };
            let mut out = format!("add {word} {label} {profile}");
            if let Some(s) = strength {
                _ = write!(out, " {s}");
            }
            if let Some(i) = initiative {
                _ = write!(out, " initiative {i}");
            }
            out
        }
        Rule::Gone { who } => format!("{} gone", l(who)),
        Rule::Before { who, other } => format!("{} before {}", l(who), l(other)),
        Rule::After { who, other } => format!("{} after {}", l(who), l(other)),
        Rule::Surprised { who } => format!("{} surprised", l(who)),
        Rule::Turn { who } => format!("turn {}", l(who)),
    }
}

/// Reads a command as people type it.
///
/// # Errors
/// What could not be read, with its column and a suggestion.
pub fn parse(state: &State, text: &str) -> Result<Command, Problem> {
    let (text, because) = split_because(text);
    let mut r = Reader::new(state, text);
    let command = read(&mut r)?;
    r.done()?;
    match command {
        Command::Ruling(ruling) => Ok(Command::Ruling(Ruling { because, ..ruling })),
        _ if !because.is_empty() => Err(problem("only a ruling has a reason").hint("leave `because …` out")),
        other => Ok(other),
    }
}

fn split_because(text: &str) -> (&str, String) {
    let low = text.to_ascii_lowercase();
    match low.find(" because ") {
        Some(at) => {
            let reason = text[at + 9..].trim().trim_matches('"').replace('"', "'");
            (&text[..at], reason.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        None => (text, String::new()),
    }
}

fn ruling(what: Rule) -> Command {
    Command::Ruling(Ruling { what, because: String::new() })
}

fn read(r: &mut Reader<'_>) -> Result<Command, Problem> {
    if r.peek().is_none() {
        return Err(
            problem("nothing was said").hint("`next`, `jor semi guard`, `guard -4`, `guard shoots jor`")
        );
    }
    if r.take(&["begin", "start"]) {
        return Ok(Command::Begin);
    }
    if r.take(&["next", "done", "end"]) {
        return Ok(Command::Next);
    }
    if r.take(&["option"]) {
        let key = r.word("the option's key")?;
        _ = r.take(&["=", "is", "to"]);
        let (key, value) = match key.split_once('=') {
            Some((k, v)) if !v.is_empty() => (k.to_owned(), v.to_owned()),
            _ => (key.trim_end_matches('=').to_owned(), r.word("its value")?),
        };
        let bare = key.strip_prefix("horde.").filter(|k| state_has_option(k)).unwrap_or(&key).to_owned();
        return Ok(ruling(Rule::Option { key: bare.into(), value: value.into() }));
    }
    if r.take(&["add"]) {
        return add(r);
    }
    if r.take(&["turn"]) {
        return Ok(ruling(Rule::Turn { who: r.who()? }));
    }
    let who = r.who()?;
    of_unit(r, who)
}

fn state_has_option(key: &str) -> bool {
    crate::options::REGISTRY.iter().any(|e| e.key == key)
}

fn add(r: &mut Reader<'_>) -> Result<Command, Problem> {
    let kind = if r.take(&["horde"]) {
        Joins::Horde
    } else if r.take(&["heretic", "player"]) {
        Joins::Heretic
    } else if r.take(&["foe"]) {
        Joins::Foe
    } else {
        return Err(r
            .here(problem("what joins?").hint(
                "add horde LABEL PROFILE MAGNITUDE, add heretic LABEL PROFILE, add foe LABEL PROFILE",
            )));
    };
    let label = crate::library::as_id(&r.word("the label")?);
    _ = r.take(&["as", "profile"]);
    let profile = crate::library::as_id(&r.word("the profile")?);
    _ = r.take(&["magnitude", "wounds"]);
    let strength = match r.peek() {
        Some(t) if t.text.parse::<i32>().is_ok() => Some(r.wanted_int("Magnitude or wounds", 1, 999)?),
        _ => None,
    };
    let initiative =
        if r.take(&["initiative", "init"]) { Some(r.wanted_int("initiative", -99, 999)?) } else { None };
    Ok(ruling(Rule::Add { kind, label: label.into(), profile: profile.into(), strength, initiative }))
}

fn of_unit(r: &mut Reader<'_>, who: UnitId) -> Result<Command, Problem> {
    let horde = r.state.unit(who).is_horde();
    let Some(t) = r.peek().cloned() else {
        return Err(r.here(
            problem(format!("what about {}?", r.state.unit(who).label))
                .hint("`-4`, `semi`, `shoots jor`, `melee all`, `dodge`"),
        ));
    };
    // Only the effect.
    if let Ok(n) = t.text.parse::<i32>() {
        let signed = t.text.starts_with(['+', '-']);
        let next = r.words.get(r.at + 1).map(|t| t.text.as_str());
        if signed && next.is_none() {
            r.at += 1;
            if n.unsigned_abs() > 999 {
                return Err(r.here(problem(format!("a loss of {n}")).hint("-999 to +999 would be right")));
            }
            return Ok(Command::Lose { who, n: -n });
        }
        if matches!(next, Some("wounds" | "wound" | "w")) {
            let n = r.wanted_int("wounds", 0, 999)?;
            r.at += 1;
            return Ok(Command::Lose { who, n });
        }
    }
    if r.take(&["heals", "heal"]) {
        return Ok(Command::Lose { who, n: -r.wanted_int("wounds", 0, 999)? });
    }
    if let Some(c) = reaction(r, who)? {
        return Ok(c);
    }
    if let Some(c) = tests(r, who)? {
        return Ok(c);
    }
    if let Some(c) = rulings(r, who)? {
        return Ok(c);
    }
    if r.take(&["aims", "aim"]) {
        let aim = if r.take(&["full"]) {
            Aim::Full
        } else if r.take(&["none"]) {
            Aim::None
        } else {
            _ = r.take(&["half"]);
            Aim::Half
        };
        if r.peek().is_none() {
            return Ok(Command::Aims { who, aim });
        }
        let mut p = r.parts(who, true)?;
        p.aim = Some(aim);
        return attack(r, who, p, None);
    }
    let wanted = if r.take(&["shoots", "shoot", "fires", "fire"]) {
        Some(false)
    } else if r.take(&["melee", "fights", "fight", "strikes"]) {
        Some(true)
    } else {
        None
    };
    let _ = horde;
    let p = r.parts(who, true)?;
    attack(r, who, p, wanted)
}

fn attack(r: &Reader<'_>, by: UnitId, p: Parts, wanted: Option<bool>) -> Result<Command, Problem> {
    let how = r.how(by, &p, wanted)?;
    let at = r.targets(by, &how, &p)?;
    Ok(Command::Attack { by, at, how, told: p.told })
}

fn reaction(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    let with = if r.take(&["dodge", "dodges"]) {
        Reaction::Dodge
    } else if r.take(&["parry", "parries"]) {
        Reaction::Parry
    } else if r.is(&["takes", "none"]) {
        r.at += 1;
        // `jor takes 7` is the effect alone.
        if r.peek().is_some_and(|t| t.text.parse::<i32>().is_ok()) {
            let n = r.wanted_int("wounds", 0, 999)?;
            _ = r.take(&["wounds", "wound"]);
            return Ok(Some(Command::Lose { who, n }));
        }
        _ = r.take(&["it", "all"]);
        Reaction::None
    } else {
        return Ok(None);
    };
    let mut which = None;
    if let Some(n) = r.peek().and_then(|t| t.text.strip_prefix('#')).and_then(|n| n.parse::<usize>().ok()) {
        if n == 0 {
            return Err(r.here(problem("there is no attack #0").hint("#1 is the first")));
        }
        which = Some(n - 1);
        r.at += 1;
    }
    let named = r.take(&["roll", "rolls"]);
    let roll = if named || r.peek().is_some() { Some(r.die("the d100", 100)?) } else { None };
    Ok(Some(Command::React { who, which, with, roll }))
}

fn tests(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    if r.take(&["fear"]) {
        let rating = r.wanted_int("the rating of Fear", 1, 4)?;
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::Fear { who, rating, rolls }));
    }
    if r.take(&["recovers", "recover"]) {
        let from = if r.take(&["pinning", "pin", "pinned"]) {
            From::Pinning
        } else if r.take(&["fear", "shock"]) {
            From::Fear
        } else {
            return Err(r.here(problem("from what?").hint("pinning or fear")));
        };
        let cover = r.take(&["cover"]);
        let named = r.take(&["roll", "rolls"]);
        let roll = if named || r.peek().is_some() { Some(r.die("the d100", 100)?) } else { None };
        return Ok(Some(Command::Recover { who, from, cover, roll }));
    }
    let what = if r.take(&["squeezes", "squeeze"]) {
        Some(Hold::Squeeze)
    } else if r.take(&["throws", "throw"]) {
        Some(Hold::Throw)
    } else if r.take(&["pushes", "push"]) {
        Some(Hold::Push)
    } else if r.take(&["keeps", "keep"]) {
        Some(Hold::Keep)
    } else {
        None
    };
    if let Some(what) = what {
        let at = r.who()?;
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::Hold { by: who, at, what, rolls }));
    }
    if r.take(&["escapes", "escape"]) {
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::Escape { who, rolls }));
    }
    if r.take(&["engages", "engage"]) {
        return Ok(Some(engage(r, who, true)?));
    }
    if r.take(&["leaves", "leave", "disengages"]) {
        return Ok(Some(engage(r, who, false)?));
    }
    Ok(None)
}

fn engage(r: &mut Reader<'_>, who: UnitId, on: bool) -> Result<Command, Problem> {
    if r.state.unit(who).is_horde() {
        return Ok(Command::Engage { horde: who, with: r.several()?, on });
    }
    let horde = r.who()?;
    if !r.state.unit(horde).is_horde() {
        return Err(r.here(problem(format!("{} is no Horde", r.state.unit(horde).label))));
    }
    Ok(Command::Engage { horde, with: vec![who], on })
}

fn rulings(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    let rule = if r.take(&["magnitude", "mag"]) {
        Rule::Magnitude { who, m: r.wanted_int("Magnitude", 0, 999)? }
    } else if r.take(&["original"]) {
        Rule::Original { who, m: r.wanted_int("original Magnitude", 1, 999)? }
    } else if r.take(&["reinforce", "reinforces", "reinforced"]) {
        let n = r.wanted_int("the reinforcement", 1, 999)?;
        Rule::Reinforce { who, n, first_only: r.take(&["only"]) }
    } else if r.take(&["split", "splits"]) {
        let n = r.wanted_int("the part", 1, 999)?;
        _ = r.take(&["as", "into"]);
        Rule::Split { who, n, label: crate::library::as_id(&r.word("the new label")?).into() }
    } else if r.take(&["merge", "merges", "joins"]) {
        _ = r.take(&["into", "with"]);
        Rule::Merge { who, into: r.who()? }
    } else if r.take(&["breaks", "break"]) {
        Rule::Breaks { who }
    } else if r.take(&["holds", "hold"]) {
        Rule::Holds { who }
    } else if r.take(&["rallies", "rally"]) {
        Rule::Rallies { who }
    } else if r.take(&["skips", "skip"]) {
        _ = r.take(&["test", "the"]);
        _ = r.take(&["test"]);
        Rule::SkipTest { who }
    } else if r.take(&["test", "tests"]) {
        let named = r.take(&["roll"]);
        let roll = if named || r.peek().is_some() { Some(r.die("the d100", 100)?) } else { None };
        Rule::Test { who, roll }
    } else if r.take(&["set", "sets"]) {
        let key = r.word("the value's name")?;
        _ = r.take(&["=", "to"]);
        Rule::Set { who, key: key.into(), value: r.word("the value")?.into() }
    } else if r.take(&["gets"]) {
        let place = r.here(problem("which attack?").hint("jor gets #1 2 hits"));
        let n = r.peek().and_then(|t| t.text.strip_prefix('#')).and_then(|n| n.parse::<usize>().ok());
        let Some(n) = n.filter(|n| *n > 0) else { return Err(place) };
        r.at += 1;
        let hits = r.wanted_int("hits", 0, 200)?;
        _ = r.take(&["hits", "hit"]);
        Rule::Hits { who, which: n - 1, hits }
    } else if r.take(&["gone", "removed"]) {
        Rule::Gone { who }
    } else if r.take(&["before"]) {
        Rule::Before { who, other: r.who()? }
    } else if r.take(&["after", "delays"]) {
        _ = r.take(&["after"]);
        Rule::After { who, other: r.who()? }
    } else if r.take(&["surprised"]) {
        Rule::Surprised { who }
    } else {
        return Ok(None);
    };
    Ok(Some(ruling(rule)))
}

/// An attack as the rules see it, from a state.
pub fn attack_of<'a>(
    state: &'a State,
    by: UnitId,
    at: UnitId,
    how: &'a How,
    accidental: bool,
) -> Option<Attack<'a>> {
    let unit = state.unit(by);
    Some(Attack {
        o: &state.options,
        by: unit,
        at: state.unit(at),
        weapon: unit.weapon(&how.weapon)?,
        action: how.action,
        band: how.band,
        aim: how.aim,
        mods: &how.mods,
        accidental,
    })
}
