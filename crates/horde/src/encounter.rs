//! The encounter as a game of the family: the contract of `game`.

use crate::candidates::{answers, hits_words, turn_candidates};
use crate::command::{Command, Rule};
use crate::document::{Document, profile_json, weapon_json};
use crate::engine::{NotAllowed, Play};
use crate::event::Event;
use crate::library::{Library, shipped};
use crate::options::{Options, REGISTRY, Ruleset};
use crate::state::{Answer, State};
use crate::tables::{TEXT, TablesRef};
use crate::unit::{Side, Unit, UnitId};
use crate::view::View;
use dice::{Ask, Dice};
use game::{Actor, Debt, Game, Outcome, Owed, Problem, Problems, Seat, Stop, Viewer};
use rulebook::{Family, Layers};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The seat of the game master, who plays all foes; players have the seats after it.
pub const MASTER: Seat = Seat(0);

/// An encounter: rules, library, who is there at the start.
#[derive(Clone, Debug)]
pub struct Encounter {
    name: String,
    rules: Value,
    options: Options,
    library: Library,
    own: (BTreeSet<String>, BTreeSet<String>),
    start: State,
    seats: Vec<String>,
}

impl Encounter {
    /// The name and the `[options]` of a file, as written.
    ///
    /// # Errors
    /// Everything wrong with the file.
    pub fn options_of(
        file: &str,
        text: &str,
    ) -> Result<(String, Vec<(String, String)>), crate::problem::Problems> {
        let d = Document::read(file, text, Options::default(), shipped())?;
        Ok((d.name, d.options))
    }

    /// An encounter from a file's text; its `[options]` lie over the rules given.
    ///
    /// # Errors
    /// Everything wrong with the file.
    pub fn from_file(
        file: &str,
        text: &str,
        rules: &Value,
    ) -> Result<(Self, Vec<crate::problem::Problem>), crate::problem::Problems> {
        let (options, library) = open_rules(rules).map_err(|p| foreign(file, &p))?;
        let document = Document::read(file, text, options, &library)?;
        // The options of the file are those of the game, so that its position does not name them again.
        let options = document.state.options;
        let warnings = document.warnings.clone();
        Ok((Self::new(options, rules_or_plain(rules, &options), document), warnings))
    }

    /// As [`Encounter::from_file`], with the rules above the file's own `[options]`.
    ///
    /// # Errors
    /// Everything wrong with the file.
    pub fn from_file_under(
        file: &str,
        text: &str,
        rules: &Value,
    ) -> Result<(Self, Vec<crate::problem::Problem>), crate::problem::Problems> {
        let (options, library) = open_rules(rules).map_err(|p| foreign(file, &p))?;
        let mut document = Document::read(file, text, options, &library)?;
        document.state.options = options;
        let warnings = document.warnings.clone();
        Ok((Self::new(options, rules_or_plain(rules, &options), document), warnings))
    }

    fn new(options: Options, rules: Value, d: Document) -> Self {
        let mut seats = vec!["Master".to_owned()];
        for u in d.state.units.iter().filter(|u| u.side == Side::Heretics && !u.is_horde()) {
            let name = seat_name(u);
            if !seats.iter().any(|s| s.eq_ignore_ascii_case(&name)) && seats.len() < 200 {
                seats.push(name);
            }
        }
        Self { name: d.name, rules, options, library: d.library, own: d.own, start: d.state, seats }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Weapons and profiles.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Whose a combatant is.
    pub fn seat_of(&self, u: &Unit) -> Seat {
        if u.side == Side::Foes || u.is_horde() {
            return MASTER;
        }
        let name = seat_name(u);
        let at = self.seats.iter().position(|s| s.eq_ignore_ascii_case(&name));
        at.and_then(|n| u8::try_from(n).ok()).map_or(MASTER, Seat)
    }

    fn document(&self, state: &State) -> Value {
        Document::print(&self.name, &self.own, &self.library, state, &self.options)
    }
}

fn seat_name(u: &Unit) -> String {
    let name = u.player.as_deref().unwrap_or(&u.label).to_string();
    // `gm` and `umpire` mean the game master wherever a name is read.
    if ["gm", "umpire", "host", "all", "master"].contains(&name.to_lowercase().as_str()) {
        format!("{name} {}", u.label)
    } else {
        name
    }
}

fn foreign(file: &str, p: &Problems) -> crate::problem::Problems {
    let text = p.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    crate::problem::Problems::one(file, text, None)
}

fn options_json(o: &Options) -> Value {
    let all: Map<String, Value> =
        REGISTRY.iter().filter_map(|e| Some((format!("horde.{}", e.key), json!(o.get(e.key)?)))).collect();
    Value::Object(all)
}

fn library_json(l: &Library) -> Value {
    json!({
        "weapon": l.weapons.values().map(|w| weapon_json(w)).collect::<Vec<_>>(),
        "profile": l.profiles.values().map(|p| profile_json(p)).collect::<Vec<_>>(),
    })
}

/// The rules without any change.
pub fn plain_rules() -> Value {
    plain().clone()
}

fn plain() -> &'static Value {
    static PLAIN: std::sync::OnceLock<Value> = std::sync::OnceLock::new();
    PLAIN.get_or_init(|| {
        json!({
            "options": options_json(&Options::default()),
            "tables": serde_json::to_value(TablesRef::default().get()).unwrap_or(Value::Null),
            "library": library_json(shipped()),
        })
    })
}

/// Options and library of a record's or command line's rules.
///
/// # Errors
/// What does not fit.
pub fn open_rules(rules: &Value) -> Result<(Options, Library), Problems> {
    let mut options = Options::default();
    let one = |text: String| vec![Problem::new(text)];
    if let Some(t) = rules.get("tables").filter(|t| !t.is_null() && **t != plain()["tables"]) {
        options.tables = TablesRef::read(t).map_err(|e| one(format!("the tables of the rules: {e}")))?;
    }
    if let Some(set) = rules.get("options").and_then(Value::as_object) {
        let mut all: Vec<(&String, &Value)> = set.iter().collect();
        all.sort_by_key(|(k, _)| k.as_str() != "horde.ruleset");
        for (key, value) in all {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            options.set(key, &value).map_err(|e| one(e.to_string()))?;
        }
    }
    let library = match rules.get("library").filter(|l| !l.is_null()) {
        None => shipped().clone(),
        Some(l) if *l == plain()["library"] => shipped().clone(),
        Some(l) => {
            let mut library = shipped().clone();
            library.weapons.clear();
            library.profiles.clear();
            let text = toml::to_string(l).map_err(|e| one(e.to_string()))?;
            library.read_more("library", &text).map_err(|p| one(p.to_string()))?;
            library
        }
    };
    Ok((options, library))
}

impl Game for Encounter {
    const NAME: &'static str = "horde";
    const REVISION: u32 = 1;

    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = NotAllowed;
    type View = View;

    fn rules(&self) -> Value {
        self.rules.clone()
    }

    fn rules_from(
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems> {
        let preset = match preset {
            None => None,
            Some(p) if ["makuu", "deathwatch"].contains(&p) => Some(p),
            Some(p) => {
                return Err(vec![
                    Problem::new(format!("unknown preset: {p}")).meant(p, ["makuu", "deathwatch"]),
                ]);
            }
        };
        // Without a file and without a number of the tables the layers have nothing to add.
        let bare = |k: &str| {
            k.strip_prefix("horde.").filter(|k| REGISTRY.iter().any(|e| e.key == *k)).unwrap_or(k).to_owned()
        };
        if file.is_none() && sets.iter().all(|(k, _)| REGISTRY.iter().any(|e| e.key == bare(k))) {
            let mut options = Options::default();
            let mut set = |k: &str, v: &str| options.set(k, v).map_err(|e| vec![Problem::new(e.to_string())]);
            let ruleset = sets.iter().rfind(|(k, _)| bare(k) == "ruleset").map(|(_, v)| v.as_str());
            if let Some(r) = ruleset.or(preset) {
                set("ruleset", r)?;
            }
            for (k, v) in sets.iter().filter(|(k, _)| bare(k) != "ruleset") {
                set(k, v)?;
            }
            let mut rules = plain_rules();
            rules["options"] = options_json(&options);
            return Ok(rules);
        }
        let mut layers = Layers::new(&[Family::Horde]).tables(Family::Horde, "horde.toml", TEXT);
        if let Some((name, text)) = file {
            layers = layers.file(name, text);
        }
        for (key, value) in sets {
            let key = if REGISTRY.iter().any(|e| e.key == key) || !key.starts_with("horde.") {
                format!("horde.{key}")
            } else {
                key.clone()
            };
            layers = layers.set(&format!("{key}={value}"));
        }
        let effective = layers
            .effective()
            .map_err(|e| e.list().iter().map(|e| Problem::new(e.to_string())).collect::<Problems>())?;
        let mut options = Options::default();
        let changed: Vec<(String, String)> =
            effective.changed().map(|(k, s)| (k.to_owned(), s.value.to_string())).collect();
        let of = |key: &str| changed.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
        if let Some(tables) = effective.tables().at("horde") {
            let json = node_json(tables);
            options.tables = TablesRef::read(&json)
                .map_err(|e| vec![Problem::new(format!("the tables of the rules: {e}"))])?;
        }
        let set =
            |o: &mut Options, k: &str, v: &str| o.set(k, v).map_err(|e| vec![Problem::new(e.to_string())]);
        if let Some(ruleset) = of("horde.ruleset").or(preset) {
            set(&mut options, "ruleset", ruleset)?;
        }
        for (key, value) in &changed {
            if key != "horde.ruleset" && REGISTRY.iter().any(|e| key.strip_prefix("horde.") == Some(e.key)) {
                set(&mut options, key, value)?;
            }
        }
        let mut rules = plain_rules();
        rules["options"] = options_json(&options);
        rules["tables"] = serde_json::to_value(options.t()).unwrap_or(Value::Null);
        Ok(rules)
    }

    fn setup(&self) -> Value {
        self.document(&self.start)
    }

    fn open(rules: &Value, setup: &Value) -> Result<Self, Problems> {
        let (options, library) = open_rules(rules)?;
        let document = Document::read_json(setup, options, &library).map_err(game_problems)?;
        Ok(Self::new(options, rules_or_plain(rules, &options), document))
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn owes(&self, state: &State, out: &mut Vec<Debt<Command>>) {
        if self.outcome(state).is_some() {
            return;
        }
        if let Some(v) = &state.volley {
            let mut seen: Vec<UnitId> = Vec::new();
            for a in &v.attacks {
                if a.answer != Answer::Open || seen.contains(&a.at) {
                    continue;
                }
                seen.push(a.at);
                let answers = answers(state, a.at);
                let about = format!(
                    "Reaction of {} to {} ({})",
                    state.unit(a.at).label,
                    state.unit(v.by).label,
                    hits_words(state, a.at)
                );
                let stands = Command::no_reaction(a.at);
                out.push(Debt {
                    seat: self.seat_of(state.unit(a.at)),
                    what: Owed::Choice { about, answers, stands },
                });
            }
            return;
        }
        if state.round == 0 {
            out.push(Debt { seat: MASTER, what: Owed::Act("initiative".to_owned()) });
            return;
        }
        let (seat, about) = match state.current() {
            Some(id) => (
                self.seat_of(state.unit(id)),
                format!("round {}: turn of {}", state.round, state.unit(id).label),
            ),
            None => (MASTER, format!("round {}", state.round)),
        };
        out.push(Debt { seat, what: Owed::Act(about) });
    }

    fn apply(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<NotAllowed>> {
        let master = by.may_rule() || by == Actor::Seat(MASTER);
        // Ids of a command belong to the state in which it was read.
        if ids_of(command).any(|id| usize::from(id.0) >= state.units.len()) {
            return Err(Stop::Refused(NotAllowed::plain("the command names somebody who is not here")));
        }
        if let Some(seat) = self.owner(state, command)
            && !by.may_act_for(seat)
            && !master
        {
            let name = Actor::Seat(seat).name(&self.seats);
            return Err(Stop::Refused(NotAllowed::plain(format!("that is for {name} to say"))));
        }
        if self.outcome(state).is_some() && !(master && matches!(command, Command::Ruling(_))) {
            return Err(Stop::Refused(
                NotAllowed::plain("the encounter is over").instead("a ruling may reopen it"),
            ));
        }
        // A seat of the game master acts in turn, as the players do; only his word as umpire stands above it.
        let above = by.may_rule();
        let ruling = matches!(command, Command::Ruling(_));
        Play { s: state, library: &self.library, dice, events, master: above || (ruling && master) }
            .run(command)
    }

    fn candidates(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        if self.outcome(state).is_some() {
            return;
        }
        if let Some(v) = &state.volley {
            let mut seen: Vec<UnitId> = Vec::new();
            for a in v.attacks.iter().filter(|a| a.answer == Answer::Open) {
                if !seen.contains(&a.at) && self.seat_of(state.unit(a.at)) == seat {
                    seen.push(a.at);
                    out.extend(answers(state, a.at));
                }
            }
            return;
        }
        if state.round == 0 {
            if seat == MASTER {
                out.push(Command::Begin);
            }
            return;
        }
        let Some(id) = state.current() else {
            if seat == MASTER {
                out.push(Command::Next);
            }
            return;
        };
        if self.seat_of(state.unit(id)) == seat {
            turn_candidates(self, state, id, out);
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.volley.is_some() {
            return None;
        }
        let (heretics, foes) = (state.has_side(Side::Heretics), state.has_side(Side::Foes));
        let players: Vec<String> = self.seats.iter().skip(1).cloned().collect();
        let end = |winners: Vec<String>, ending: &str, words: &str| {
            Some(Outcome { winners, ending: ending.to_owned(), words: words.to_owned() })
        };
        match (heretics, foes) {
            (true, true) => None,
            (true, false) => end(players, "foes gone", "No foe is left in the fight."),
            (false, true) => {
                end(vec!["Master".to_owned()], "heretics gone", "No Heretic is left in the fight.")
            }
            (false, false) => end(Vec::new(), "all gone", "Nobody is left in the fight."),
        }
    }

    fn print(&self, state: &State, command: &Command) -> String {
        crate::words::print(state, command)
    }

    fn parse(&self, state: &State, _by: Actor, text: &str) -> Result<Command, Problem> {
        crate::words::parse(state, text)
    }

    fn describe(&self, ask: &Ask) -> String {
        let a = ask.address;
        let name = |n: u64| {
            let unit = usize::try_from(n).ok().and_then(|n| self.start.units.get(n));
            unit.map_or_else(|| format!("number {}", n + 1), |u| u.label.to_string())
        };
        let (by, at) = (a.subject >> 16 & 0xffff, a.subject & 0xffff);
        let (round, act, hit, die) =
            (a.moment >> 40, a.moment >> 24 & 0xffff, a.moment >> 8 & 0xffff, a.moment & 0xff);
        let who = if by == at { name(by) } else { format!("{} at {}", name(by), name(at)) };
        format!("{}, {who}, round {round}, act {act}, {}.{}", a.purpose, hit + 1, die + 1)
    }

    fn tell(&self, event: &Event) -> String {
        event.tell()
    }

    fn event_json(&self, event: &Event) -> Value {
        event.json()
    }

    fn event_for(&self, after: &State, event: &Event, viewer: Viewer) -> Option<Value> {
        match viewer {
            Viewer::Umpire | Viewer::Seat(MASTER) => {
                let mut v = event.json();
                v["say"] = json!(event.tell());
                Some(v)
            }
            _ => event.for_players(|label| {
                after.by_label(label).is_none_or(|id| crate::view::is_secret(after.unit(id)))
            }),
        }
    }

    fn facts(&self, event: &Event) -> Vec<String> {
        event.facts()
    }

    fn ask(&self, state: &State, question: &str) -> Result<Vec<String>, Problem> {
        crate::questions::ask(state, question)
    }

    fn position(&self, state: &State) -> Value {
        self.document(state)
    }

    fn open_position(rules: &Value, position: &Value) -> Result<(Self, State), Problems> {
        let (options, library) = open_rules(rules)?;
        let mut position = position.clone();
        // A position written by hand is in the middle of a fight; one in full says its Round itself.
        if let Some(m) = position.as_object_mut() {
            m.entry("round").or_insert(json!(1));
        }
        let document = Document::read_json(&position, options, &library).map_err(game_problems)?;
        let state = document.state.clone();
        Ok((Self::new(options, rules_or_plain(rules, &options), document), state))
    }

    fn notation(&self, state: &State) -> String {
        self.document(state).to_string()
    }

    fn open_notation(rules: &Value, notation: &str) -> Result<(Self, State), Problems> {
        if let Some(problem) = game::foreign_notation(notation, "horde", 0) {
            return Err(vec![problem]);
        }
        match serde_json::from_str(notation) {
            Ok(v) => Self::open_position(rules, &v),
            Err(e) => Err(vec![Problem::new(format!("the notation is no JSON: {e}")).at(
                "",
                1,
                u32::try_from(e.column()).unwrap_or(0),
            )]),
        }
    }

    fn compare(&self, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
        let Some(pieces) = expected.as_object() else {
            return Err(Problem::new("pieces are a table of labels"));
        };
        let document = self.document(state);
        let mut out = Vec::new();
        for (label, wanted) in pieces {
            let all =
                ["heretic", "horde", "foe"].into_iter().filter_map(|k| document[k].as_array()).flatten();
            let Some(now) =
                all.into_iter().find(|u| u["label"].as_str().is_some_and(|l| l.eq_ignore_ascii_case(label)))
            else {
                return Err(Problem::new(format!("nobody here is called {label}"))
                    .meant(label, state.units.iter().map(|u| &*u.label)));
            };
            for (key, value) in wanted.as_object().into_iter().flatten() {
                let is = now.get(key).cloned().unwrap_or(match value {
                    Value::Bool(_) => json!(false),
                    Value::Number(_) => json!(0),
                    Value::Array(_) => json!([]),
                    _ => Value::Null,
                });
                if is != *value {
                    out.push(format!("{label}.{key}: expected {value}, is {is}"));
                }
            }
        }
        Ok(out)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        crate::view::view(self, state, viewer)
    }

    fn possible(&self, view: &View, guess: u64) -> (Self, State) {
        crate::view::possible(self, view, guess)
    }

    fn twin(&self, state: &State, viewer: Viewer, guess: u64) -> Option<(Self, State)> {
        crate::view::twin(self, state, viewer, guess)
    }
}

fn rules_or_plain(rules: &Value, options: &Options) -> Value {
    let mut rules = if rules.get("library").is_some() { rules.clone() } else { plain_rules() };
    rules["options"] = options_json(options);
    rules["tables"] = serde_json::to_value(options.t()).unwrap_or(Value::Null);
    rules
}

fn node_json(node: &rulebook::Node) -> Value {
    use rulebook::Content;
    match node.content() {
        Content::Bool(b) => json!(b),
        Content::Int(i) => json!(i),
        Content::Float(f) => json!(f),
        Content::Text(t) => json!(t),
        Content::Array(a) => Value::Array(a.iter().map(node_json).collect()),
        Content::Table(t) => Value::Object(t.iter().map(|(k, v)| (k.clone(), node_json(v))).collect()),
    }
}

fn game_problems(p: crate::problem::Problems) -> Problems {
    p.0.into_iter()
        .filter(|p| p.severity == crate::problem::Severity::Error)
        .map(|p| {
            let g = Problem::new(p.text).at(&p.file, u32::try_from(p.line).unwrap_or(0), 0);
            match p.hint {
                Some(h) => g.hint(h),
                None => g,
            }
        })
        .collect()
}

impl Encounter {
    /// Whose command it is; `None` where only the game master's word counts anyway or nobody in particular.
    fn owner(&self, state: &State, command: &Command) -> Option<Seat> {
        let of = |id: &UnitId| Some(self.seat_of(state.unit(*id)));
        match command {
            Command::Begin | Command::Ruling(_) => Some(MASTER),
            Command::Next => Some(state.current().map_or(MASTER, |id| self.seat_of(state.unit(id)))),
            Command::Attack { by, .. } | Command::Hold { by, .. } => of(by),
            Command::React { who, .. }
            | Command::Aims { who, .. }
            | Command::Defend { who }
            | Command::Fear { who, .. }
            | Command::Recover { who, .. }
            | Command::Feint { who, .. }
            | Command::KnockDown { who, .. }
            | Command::Stand { who }
            | Command::Reload { who, .. }
            | Command::Unjam { who, .. }
            | Command::Escape { who, .. } => of(who),
            Command::Lose { who, n, .. } if *n >= 0 => of(who),
            Command::Lose { .. } => Some(MASTER),
            Command::Engage { horde, with, .. } => match with.as_slice() {
                [one] => of(one),
                _ => of(horde),
            },
        }
    }
}

fn ids_of(c: &Command) -> Box<dyn Iterator<Item = UnitId> + '_> {
    match c {
        Command::Begin | Command::Next => Box::new(std::iter::empty()),
        Command::Attack { by, at, told, .. } => {
            Box::new(std::iter::once(*by).chain(at.iter().copied()).chain(told.caught.iter().copied()))
        }
        Command::React { who, .. }
        | Command::Lose { who, .. }
        | Command::Aims { who, .. }
        | Command::Defend { who }
        | Command::Fear { who, .. }
        | Command::Recover { who, .. }
        | Command::Stand { who }
        | Command::Reload { who, .. }
        | Command::Unjam { who, .. }
        | Command::Escape { who, .. } => Box::new(std::iter::once(*who)),
        Command::Feint { who, at, .. } | Command::KnockDown { who, at, .. } => {
            Box::new([*who, *at].into_iter())
        }
        Command::Hold { by, at, .. } => Box::new([*by, *at].into_iter()),
        Command::Engage { horde, with, .. } => Box::new(std::iter::once(*horde).chain(with.iter().copied())),
        Command::Ruling(r) => Box::new(match &r.what {
            Rule::Merge { who, into } => vec![*who, *into].into_iter(),
            Rule::Before { who, other } | Rule::After { who, other } => vec![*who, *other].into_iter(),
            Rule::Option { .. } | Rule::Add { .. } => Vec::new().into_iter(),
            Rule::Magnitude { who, .. }
            | Rule::Original { who, .. }
            | Rule::Reinforce { who, .. }
            | Rule::Split { who, .. }
            | Rule::Breaks { who }
            | Rule::Holds { who }
            | Rule::Rallies { who }
            | Rule::SkipTest { who }
            | Rule::Test { who, .. }
            | Rule::Set { who, .. }
            | Rule::Hits { who, .. }
            | Rule::Arms { who, .. }
            | Rule::Gone { who }
            | Rule::Returns { who }
            | Rule::Surprised { who }
            | Rule::Turn { who } => vec![*who].into_iter(),
        }),
    }
}

/// Whether the preset of HC-108 is in force.
pub fn is_deathwatch(o: &Options) -> bool {
    o.ruleset == Ruleset::Deathwatch
}
