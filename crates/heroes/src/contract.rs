//! The contract of `game`, kept for this game.

use crate::advice;
use crate::candidates;
use crate::command::{Command, find_unit};
use crate::deploy;
use crate::event::Event;
use crate::owed::{self, Due};
use crate::play;
use crate::position;
use crate::questions;
use crate::setup;
use crate::state::{Outcome, State, bits};
use crate::table::{Side, Table};
use crate::view::View;
use crate::words;
use dice::{Ask, Dice};
use game::{Actor, Debt, Digest, Owed, Problem, Problems, Seat, Stop, Viewer};
use rulebook::RuleId;
use serde_json::{Value, json};
use std::sync::Arc;

/// One battle on hexes: rules in force and set-up.
#[derive(Clone, Debug)]
pub struct Heroes {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    table: Table,
    rules: Value,
    armies: [Value; 2],
    seats: Vec<String>,
    /// The map as views have it: it never changes, and every view holds it.
    map: std::sync::OnceLock<Value>,
}

impl Heroes {
    /// The map as views have it.
    #[must_use]
    pub fn map_value(&self) -> &Value {
        self.inner.map.get_or_init(|| crate::view::map_value(self.table()))
    }

    /// What never changes in this battle.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.inner.table
    }

    /// The two lists, complete.
    #[must_use]
    pub fn armies(&self) -> &[Value; 2] {
        &self.inner.armies
    }

    fn make(rules: &Value, setup: &Value) -> Result<Heroes, Problems> {
        let table = setup::open(rules, setup)?;
        let mut armies = [Value::Null, Value::Null];
        for (n, slot) in armies.iter_mut().enumerate() {
            let given = &setup["armies"][n];
            *slot = crate::army::Army::from_value(given, &table.rules, "army")
                .map_err(|e| e.0.into_iter().map(Problem::new).collect::<Problems>())?
                .value(&table.rules);
        }
        let seats = Side::BOTH.map(|s| s.letter().to_string()).to_vec();
        Ok(Heroes {
            inner: Arc::new(Inner {
                table,
                rules: rules.clone(),
                armies,
                seats,
                map: std::sync::OnceLock::new(),
            }),
        })
    }

    /// Two shipped lists on a map, by name, with default rules.
    ///
    /// # Errors
    /// What of the names does not exist.
    pub fn battle(map: &str, a: &str, b: &str) -> Result<Heroes, Problems> {
        Heroes::make(&setup::default_rules(), &json!({ "map": map, "armies": [a, b] }))
    }
}

impl PartialEq for Heroes {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
            || (self.inner.rules == other.inner.rules
                && self.inner.armies == other.inner.armies
                && self.inner.table.map == other.inner.table.map
                && self.inner.table.bound_limit == other.inner.table.bound_limit
                && self.inner.table.stands == other.inner.table.stands
                && self.inner.table.leaders == other.inner.table.leaders)
    }
}

/// A refusal with its sentence made.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The rule and the figures.
    pub what: crate::refusal::Refusal,
    words: String,
    figures: Value,
    /// What was asked of which state, for the suggestion.
    asked: Option<Arc<Asked>>,
}

/// A command that was refused, and the moment.
#[derive(Debug)]
struct Asked {
    game: Heroes,
    state: State,
    by: Option<Side>,
    command: Command,
}

impl PartialEq for Refused {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what && self.words == other.words
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)?;
        let asked = self.asked.as_ref().filter(|_| !self.what.nearest.on());
        match asked.and_then(|a| advice::instead(a.game.table(), &a.state, a.by, &a.command)) {
            Some(instead) => write!(f, "; {instead}"),
            None => Ok(()),
        }
    }
}

impl game::Refusal for Refused {
    fn rule(&self) -> Option<RuleId> {
        Some(self.what.rule)
    }

    fn figures(&self) -> Value {
        self.figures.clone()
    }
}

fn refused(t: &Table, what: crate::refusal::Refusal) -> Refused {
    let mut figures = json!({ "need": what.need, "have": what.have });
    if what.nearest.on() {
        figures["nearest"] = json!(t.hex(what.nearest));
    }
    Refused { words: what.text(t), figures, what, asked: None }
}

/// The side of a seat.
#[must_use]
pub fn side_of(seat: Seat) -> Option<Side> {
    match seat.0 {
        0 => Some(Side::A),
        1 => Some(Side::B),
        _ => None,
    }
}

/// The seat of a side.
#[must_use]
pub fn seat_of(side: Side) -> Seat {
    Seat(side as u8)
}

impl game::Game for Heroes {
    const NAME: &'static str = "heroes";
    const REVISION: u32 = 1;

    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Refused;
    type View = View;

    fn rules(&self) -> Value {
        self.inner.rules.clone()
    }

    fn rules_from(
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems> {
        setup::rules_from(preset, file, sets)
    }

    fn setup(&self) -> Value {
        setup::value(&self.inner.table, &self.inner.armies)
    }

    fn open(rules: &Value, setup: &Value) -> Result<Self, Problems> {
        let game = Heroes::make(rules, setup)?;
        let lacking = deploy::lacking(game.table());
        if lacking.is_empty() {
            Ok(game)
        } else {
            Err(lacking.into_iter().map(|why| Problem::new(why).by(rulebook::rule!("HH-039"))).collect())
        }
    }

    fn start(&self) -> State {
        deploy::begin(&self.inner.table)
    }

    fn seats(&self) -> &[String] {
        &self.inner.seats
    }

    fn owes(&self, state: &State, out: &mut Vec<Debt<Command>>) {
        let t = self.table();
        let Some(side) = owed::owner(t, state) else { return };
        let due = owed::due(t, state);
        let what = match due {
            Due::Order | Due::Edge | Due::Deploy(_) | Due::Phase(_) => Owed::Act(about(t, state, due)),
            _ => {
                let mut answers = Vec::new();
                candidates::all(t, state, &mut answers);
                match owed::default_answer(t, state, &answers) {
                    Some(stands) => Owed::Choice { about: about(t, state, due), answers, stands },
                    None => return,
                }
            }
        };
        out.push(Debt { seat: seat_of(side), what });
    }

    fn apply(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Refused>> {
        let t = self.table();
        let side = match by {
            Actor::Seat(seat) => match side_of(seat) {
                Some(side) => Some(side),
                None => {
                    let why = crate::refusal::Refusal::new(
                        rulebook::rule!("HH-046"),
                        "this seat owns nothing: the seats are A and B",
                    );
                    return Err(Stop::Refused(refused(t, why)));
                }
            },
            Actor::Umpire | Actor::All => None,
        };
        let before = *state;
        play::apply(t, state, side, command, dice, Some(events)).map_err(|stop| match stop {
            Stop::Refused(r) => {
                let asked = Asked { game: self.clone(), state: before, by: side, command: *command };
                Stop::Refused(Refused { asked: Some(Arc::new(asked)), ..refused(t, r) })
            }
            Stop::Dice(no) => Stop::Dice(no),
        })
    }

    fn candidates(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        let t = self.table();
        if side_of(seat).is_some() && owed::owner(t, state) == side_of(seat) {
            candidates::all(t, state, out);
        }
    }

    fn outcome(&self, state: &State) -> Option<game::Outcome> {
        let t = self.table();
        let (winners, words) = match state.outcome {
            Outcome::Open => return None,
            Outcome::Draw => (Vec::new(), "a draw".to_owned()),
            Outcome::Won(s) => {
                (vec![s.letter().to_string()], format!("{} ({}) wins", s.letter(), t.armies[s.ix()]))
            }
        };
        let percent = u32::from(state.options.break_percent);
        let broken = Side::BOTH.iter().any(|s| {
            let (lost, all) = (u32::from(state.lost_stands(t, *s)), u32::from(t.stands[s.ix()]).max(1));
            if percent >= 100 { lost >= all } else { lost * 100 > all * percent }
        });
        let chief =
            state.options.cinc_death && t.leaders.iter().zip(&state.generals).any(|(l, g)| l.chief && g.lost);
        let ending = if chief && !broken {
            "general"
        } else if broken {
            "broken"
        } else if state.bound < t.bound_limit * 2 {
            "ruling"
        } else {
            "limit"
        };
        Some(game::Outcome { winners, ending: ending.to_owned(), words })
    }

    fn print(&self, _state: &State, command: &Command) -> String {
        command.text(self.table())
    }

    fn parse(&self, state: &State, by: Actor, text: &str) -> Result<Command, Problem> {
        let side = match by {
            Actor::Seat(seat) => side_of(seat),
            _ => owed::owner(self.table(), state),
        };
        Command::parse(self.table(), state, side, text).map_err(|e| {
            let column = text
                .split_whitespace()
                .nth(e.word)
                .and_then(|w| text.find(w))
                .map_or(text.chars().count() + 1, |b| text[..b].chars().count() + 1);
            Problem::new(e.what).hint(e.hint).at("", 1, u32::try_from(column).unwrap_or(0))
        })
    }

    fn describe(&self, ask: &Ask) -> String {
        let t = self.table();
        let a = ask.address;
        let bound = a.moment / 16;
        let phase = crate::state::Phase::ALL.get((a.moment % 16) as usize).map_or("", |p| p.1);
        let unit = |n: u64| t.label(u8::try_from(n).unwrap_or(u8::MAX));
        let general = |n: u64| t.leader_label(u8::try_from(n).unwrap_or(u8::MAX));
        match a.purpose {
            "scouts" | "deployment" | "first-move" => {
                format!("{} of {}, throw {}", a.purpose, if a.subject == 0 { "A" } else { "B" }, a.moment + 1)
            }
            "shot" => {
                format!("shot {} of {}, {phase} of bound {bound}", a.subject % 16 + 1, unit(a.subject / 16))
            }
            "melee" => format!("combat of {}, die {}, bound {bound}", unit(a.subject / 2), a.subject % 2 + 1),
            "general" => {
                format!("defence of {}, die {}, bound {bound}", general(a.subject / 2), a.subject % 2 + 1)
            }
            "duel" => format!(
                "single combat begun by {}: {}, die {}, bound {bound}",
                general(a.subject / 32),
                general(a.subject / 2 % 16),
                a.subject % 2 + 1
            ),
            "stampede" => format!("way of {}, {phase} of bound {bound}", unit(a.subject)),
            other => format!("{other} {} {}", a.subject, a.moment),
        }
    }

    fn thrower(&self, ask: &Ask) -> Option<String> {
        let t = self.table();
        let id = |n: u64| u8::try_from(n).unwrap_or(u8::MAX);
        let subject = ask.address.subject;
        let label = match ask.address.purpose {
            "scouts" | "deployment" | "first-move" => {
                return Some(if subject == 0 { "A" } else { "B" }.to_owned());
            }
            "shot" => t.label(id(subject / 16)),
            "melee" => t.label(id(subject / 2)),
            "stampede" => t.label(id(subject)),
            "general" => t.leader_label(id(subject / 2)),
            "duel" => t.leader_label(id(subject / 2 % 16)),
            _ => return None,
        };
        label.split_once('.').map(|(side, _)| side.to_owned())
    }

    fn tell(&self, event: &Event) -> String {
        event.text(self.table())
    }

    fn event_json(&self, event: &Event) -> Value {
        words::to_json(event, self.table())
    }

    fn facts(&self, event: &Event) -> Vec<String> {
        words::facts(event, self.table())
    }

    fn ask(&self, state: &State, question: &str) -> Result<Vec<String>, Problem> {
        questions::ask(self.table(), state, question)
    }

    fn position(&self, state: &State) -> Value {
        position::value(self.table(), &self.inner.armies, state)
    }

    fn open_position(rules: &Value, value: &Value) -> Result<(Self, State), Problems> {
        let game = Heroes::make(rules, &position::setup_part(value))?;
        let state = position::read(game.table(), value)?;
        Ok((game, state))
    }

    fn notation(&self, state: &State) -> String {
        crate::notation::print(self.table(), &self.inner.armies, state)
    }

    fn open_notation(rules: &Value, text: &str) -> Result<(Self, State), Problems> {
        if let Some(problem) = game::foreign_notation(text, "heroes", 1) {
            return Err(vec![problem]);
        }
        let value = crate::notation::read(text).map_err(|p| vec![p])?;
        Self::open_position(rules, &value)
    }

    fn digest(&self, state: &State) -> Digest {
        Digest::of(&crate::notation::state_text(self.table(), state))
    }

    fn compare(&self, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
        let t = self.table();
        let mut out = Vec::new();
        let now = Value::Object(position::state_value(t, state));
        for (label, fields) in expected.as_object().into_iter().flatten() {
            let group = match find_unit(t, label) {
                Some(_) => "units",
                None if crate::command::find_general(t, label).is_some() => "generals",
                None => {
                    let names = t.pieces.iter().map(|p| p.label.as_str());
                    return Err(Problem::new(format!("no piece is called {label}")).meant(label, names));
                }
            };
            let is = &now[group][label.as_str()];
            for (key, want) in fields.as_object().into_iter().flatten() {
                let have = match (key.as_str(), group) {
                    ("disrupted", _) => json!(has_mark(is, "disrupted")),
                    ("impact", _) => is.get("impact").cloned().unwrap_or(json!("fresh")),
                    ("fate", _) => is.get("fate").cloned().unwrap_or(json!("field")),
                    ("at", _) => is.get("at").cloned().unwrap_or(json!("-")),
                    ("stakes", _) => is.get("stakes").cloned().unwrap_or(json!([])),
                    ("lost" | "moved" | "fought", "generals") => is.get(key).cloned().unwrap_or(json!(false)),
                    ("mark", _) => {
                        let wanted = want.as_str().unwrap_or("");
                        if has_mark(is, wanted) { want.clone() } else { json!("none") }
                    }
                    ("unmarked", _) => {
                        let wanted = want.as_str().unwrap_or("");
                        if has_mark(is, wanted) { json!("marked") } else { want.clone() }
                    }
                    ("facing" | "formation" | "stands" | "marks" | "start", _) => {
                        is.get(key).cloned().unwrap_or(Value::Null)
                    }
                    _ => {
                        return Err(Problem::new(format!("{label}: unknown key {key}")).meant(
                            key,
                            [
                                "at",
                                "facing",
                                "formation",
                                "stands",
                                "disrupted",
                                "impact",
                                "fate",
                                "stakes",
                                "mark",
                                "unmarked",
                                "marks",
                                "lost",
                                "moved",
                            ],
                        ));
                    }
                };
                if have != *want {
                    out.push(format!("{label}.{key}: expected {want}, is {have}"));
                }
            }
        }
        Ok(out)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::new(self.clone(), *state, viewer)
    }

    fn possible(&self, view: &View, _guess: u64) -> (Self, State) {
        // only standing replies are hidden, and `ask` is as good a guess as any
        (view.game().clone(), *view.state())
    }

    fn event_for(&self, _after: &State, event: &Event, viewer: Viewer) -> Option<Value> {
        match event {
            Event::Standing(u, _) if !crate::view::owns(viewer, self.table().side(*u)) => None,
            _ => Some(self.event_json(event)),
        }
    }

    fn twin(&self, state: &State, viewer: Viewer, guess: u64) -> Option<(Self, State)> {
        let t = self.table();
        let mut other = *state;
        for u in bits(t.of_side[0] | t.of_side[1]) {
            if !crate::view::owns(viewer, t.side(u)) {
                let n = (guess >> (u % 16)) as usize % crate::state::Reply::ALL.len();
                other.replies[usize::from(u)] = crate::state::Reply::ALL[n].0;
            }
        }
        Some((self.clone(), other))
    }
}

fn has_mark(unit: &Value, mark: &str) -> bool {
    unit["marks"].as_array().is_some_and(|all| all.iter().any(|m| m == mark))
}

/// What is owed, in words.
fn about(t: &Table, s: &State, due: Due) -> String {
    let list = |mask: u64| bits(mask).map(|u| t.label(u)).collect::<Vec<_>>().join(", ");
    match due {
        Due::Order if deploy::wants_roll(t, s) => "throw for deployment".to_owned(),
        Due::Order => "deploy first or second".to_owned(),
        Due::Edge => "choose an edge".to_owned(),
        Due::Deploy(_) => "deployment".to_owned(),
        Due::Phase(_) => format!("{} of bound {}", s.phase.word(), s.bound),
        Due::Room(_) => format!("where {} makes room", t.label(s.room.unit)),
        Due::Aside(_, g) => format!("where {} makes room", t.leader_label(g)),
        Due::Respond(_) => {
            let mut who = list(s.contacts);
            for g in bits(u64::from(s.escapes)) {
                who.push_str(if who.is_empty() { "" } else { ", " });
                who.push_str(t.leader_label(g));
            }
            format!("answer to {} by {who}", t.label(s.mover.unit))
        }
        Due::GoOn(_, u) => format!("how {} goes on", t.label(u)),
        Due::Retreat(_) => format!("retreat of {}", list(s.fight.recoil | s.fight.flee | s.fight.stampede)),
        Due::Count(_) => {
            format!("whose factor and impact count: {}", list(crate::melee::counted(t, s)))
        }
        Due::Follow(_) => "who follows up".to_owned(),
        Due::Pursue(_) => format!("pursuit of {}", t.label(s.fight.follower)),
        Due::Going(_) | Due::Close | Due::Over => String::new(),
    }
}
