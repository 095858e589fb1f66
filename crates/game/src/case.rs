//! Questions of rules as files that run (`docs/cases.md` tells a person how to write one).
//!
//! A case sets up a position, gives commands with their dice, and states what must follow. With `[[other]]` it says
//! under which options the answer is another; then the plain steps must fail under those options, so that an
//! option that changes nothing is found.

use crate::erased::{Answer, AnyGame, AnyTable};
use crate::{Actor, Problem, Problems};
use dice::Scripted;
use rulebook::RuleId;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A case as its file says it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The question in one sentence.
    pub title: String,
    /// Which game: `hott`.
    pub game: String,
    /// The rules that the answer rests on.
    #[serde(default)]
    pub rules: Vec<String>,
    /// Where it comes from, what is odd about it.
    #[serde(default)]
    pub note: Option<String>,
    /// A preset of rules.
    #[serde(default)]
    pub preset: Option<String>,
    /// Options that differ from the defaults.
    #[serde(default)]
    pub options: BTreeMap<String, toml::Value>,
    /// The position, as the game's documents describe it.
    #[serde(default)]
    pub position: Option<toml::Value>,
    /// Or the position in one line.
    #[serde(default)]
    pub notation: Option<String>,
    /// Or a game from its set-up.
    #[serde(default)]
    pub setup: Option<toml::Value>,
    /// What is done and what must follow.
    #[serde(default)]
    pub step: Vec<Step>,
    /// The same position under other options, where the answer is another.
    #[serde(default)]
    pub other: Vec<Other>,
    /// Its text and what the file is called, so that what is wrong with a piece can be told by line.
    #[serde(skip)]
    pub source: (String, String),
}

/// One step of a case: a command or a question.
#[derive(Clone, Debug, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Who: a seat, `umpire`, `all`; left out: whoever owes something.
    #[serde(default)]
    pub by: Option<String>,
    /// A command.
    #[serde(default, rename = "do")]
    pub command: Option<String>,
    /// Or a question.
    #[serde(default)]
    pub ask: Option<String>,
    /// The dice of the command, in order; they must be used up exactly. A PIP die that opens the next bound may be left
    /// out.
    #[serde(default)]
    pub dice: Vec<u16>,
    /// Statements that must be among those of the answer or events, in this order (each the whole or a beginning).
    #[serde(default)]
    pub expect: Vec<String>,
    /// Statements that must not be.
    #[serde(default)]
    pub never: Vec<String>,
    /// First words of statements of which there may be no others than the expected ones: `factor`.
    #[serde(default)]
    pub only: Vec<String>,
    /// The rule that must refuse the command; `""` for a refusal that no rule book speaks of.
    #[serde(default)]
    pub refused: Option<String>,
    /// What pieces must be like afterwards.
    #[serde(default)]
    pub pieces: Option<toml::Value>,
    /// What the position must say afterwards, key by key.
    #[serde(default)]
    pub after: Option<toml::Value>,
    /// How the game must have ended: the winner's name, `draw`, or `none` if it goes on.
    #[serde(default)]
    pub winner: Option<String>,
}

/// Other options, other answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// The options.
    pub options: BTreeMap<String, toml::Value>,
    /// What is done and what must follow under them.
    pub step: Vec<Step>,
}

/// How a case came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The rules that it cites.
    pub rules: Vec<RuleId>,
    /// Options and values under which it gave different answers: `hott.zoc_depth`, `100p`.
    pub told_apart: Vec<(String, String)>,
    /// What did not come out as stated; empty for a case that holds.
    pub failures: Vec<String>,
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    /// What does not read, with file, line and suggestion.
    pub fn parse(file: &str, text: &str) -> Result<Self, Problem> {
        let case = Case::parse_start(file, text)?;
        if case.step.is_empty() {
            let problem =
                Problem::new("the case has no [[step]], so nothing can be wrong with it").in_file(file);
            return Err(problem
                .hint("give a command in `do` or a question in `ask`, and what must follow in `expect`"));
        }
        Ok(case)
    }

    /// Reads where a case starts: there need be no steps yet.
    ///
    /// # Errors
    /// What does not read, with file, line and suggestion.
    pub fn parse_start(file: &str, text: &str) -> Result<Self, Problem> {
        let mut case: Case = toml::from_str(text).map_err(|e| toml_problem(file, text, &e))?;
        case.source = (file.to_owned(), text.to_owned());
        let starts = [case.position.is_some(), case.notation.is_some(), case.setup.is_some()];
        if starts.iter().filter(|&&s| s).count() != 1 {
            return Err(
                Problem::new("a case starts from one of [position], notation and [setup]").in_file(file)
            );
        }
        Ok(case)
    }

    /// The rules it cites.
    ///
    /// # Errors
    /// An id that does not exist, with a suggestion.
    pub fn cited(&self) -> Result<Vec<RuleId>, Problem> {
        let read = |id: &String| id.parse::<RuleId>().map_err(|e| Problem::new(e.to_string()));
        self.rules.iter().map(read).collect()
    }

    /// Runs it.
    ///
    /// # Errors
    /// What of its position or options does not read.
    pub fn run(&self, games: &[&dyn AnyGame]) -> Result<Report, Problems> {
        let game = games.iter().find(|g| g.name() == self.game).ok_or_else(|| {
            vec![
                Problem::new(format!("unknown game: {}", self.game))
                    .meant(&self.game, games.iter().map(|g| g.name())),
            ]
        })?;
        let mut report = Report {
            title: self.title.clone(),
            rules: self.cited().map_err(|p| vec![p])?,
            told_apart: Vec::new(),
            failures: Vec::new(),
        };
        report.failures = self.steps_under(*game, &BTreeMap::new(), &self.step)?;
        for other in &self.other {
            let set: Vec<String> = other.options.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect();
            let set = set.join(", ");
            let failures = self.steps_under(*game, &other.options, &other.step)?;
            report.failures.extend(failures.into_iter().map(|f| format!("under {set}: {f}")));
            if self.steps_under(*game, &other.options, &self.step)?.is_empty() {
                report
                    .failures
                    .push(format!("under {set} the plain answer holds too: the option changes nothing here"));
            } else {
                report.told_apart.extend(other.options.iter().map(|(k, v)| (k.clone(), plain(v))));
            }
        }
        if report.failures.is_empty() && !self.other.is_empty() {
            report.told_apart.extend(self.options.iter().map(|(k, v)| (k.clone(), plain(v))));
        }
        Ok(report)
    }

    /// Sets up where it starts, under its own options and these.
    ///
    /// # Errors
    /// Everything wrong with options and position, by line where a piece is named.
    pub fn open(
        &self,
        game: &dyn AnyGame,
        options: &BTreeMap<String, toml::Value>,
    ) -> Result<Box<dyn AnyTable>, Problems> {
        let mut sets = self.options.clone();
        sets.extend(options.clone());
        let sets: Vec<(String, String)> = sets.iter().map(|(k, v)| (k.clone(), plain(v))).collect();
        let rules = game.rules_from(self.preset.as_deref(), None, &sets)?;
        match (&self.position, &self.notation, &self.setup) {
            (Some(position), ..) => {
                let placed = |list: Problems| list.into_iter().map(|p| self.placed(p)).collect::<Problems>();
                game.open_position(&rules, &json(position)).map_err(placed)
            }
            (_, Some(notation), _) => game.open_notation(&rules, notation),
            (.., Some(setup)) => game.table(&rules, &json(setup), None, Vec::new()),
            _ => Err(vec![Problem::new("the case has neither position, notation nor setup")]),
        }
    }

    /// The line of the piece that a problem names first, if the case has a line for it.
    fn placed(&self, problem: Problem) -> Problem {
        if problem.place.as_ref().is_some_and(|p| p.line > 0) {
            return problem;
        }
        let (file, text) = &self.source;
        let words = problem.message.split(|c: char| c.is_whitespace() || c == ',' || c == ':');
        let line = words.filter(|w| !w.is_empty()).find_map(|word| {
            text.lines().position(|l| {
                let (key, rest) = l.split_once('=').unwrap_or(("", ""));
                let key = key.trim().trim_matches(['"', '\'']);
                // `units.A.Leg1` names the line of `A.Leg1` too.
                let inner = word.split_once('.').map_or(word, |(_, w)| w);
                !rest.is_empty() && (key.eq_ignore_ascii_case(word) || key.eq_ignore_ascii_case(inner))
            })
        });
        match line.and_then(|n| u32::try_from(n + 1).ok()) {
            Some(n) => problem.at(file, n, 0),
            None => problem,
        }
    }

    fn steps_under(
        &self,
        game: &dyn AnyGame,
        options: &BTreeMap<String, toml::Value>,
        steps: &[Step],
    ) -> Result<Vec<String>, Problems> {
        let mut table = self.open(game, options)?;
        let mut failures = Vec::new();
        for (step, n) in steps.iter().zip(1..) {
            let what = step.command.as_deref().or(step.ask.as_deref()).unwrap_or("nothing");
            let before = failures.len();
            run_step(table.as_mut(), step, &mut failures);
            for failure in &mut failures[before..] {
                *failure = format!("step {n} ({what}): {failure}");
            }
            if failures.len() > before {
                break; // what follows would only repeat it
            }
        }
        Ok(failures)
    }
}

fn run_step(table: &mut dyn AnyTable, step: &Step, failures: &mut Vec<String>) {
    let facts = match (&step.command, &step.ask) {
        (Some(text), None) => command_facts(table, step, text, failures),
        (None, Some(question)) => match table.ask(question) {
            Ok(answer) => Some(answer),
            Err(problem) => {
                failures.push(problem.to_string());
                None
            }
        },
        (None, None) => Some(Vec::new()),
        (Some(_), Some(_)) => {
            failures.push("a step is a command or a question, not both".to_owned());
            None
        }
    };
    if let Some(facts) = facts {
        let stated = !(step.expect.is_empty() && step.never.is_empty() && step.only.is_empty())
            || step.pieces.is_some()
            || step.after.is_some()
            || step.winner.is_some();
        if step.ask.is_some() && !stated {
            failures.push(format!(
                "nothing is expected of this question\n    got: {}",
                facts.join("\n         ")
            ));
        }
        match_facts(&facts, step, failures);
    }
    for (expected, named) in [(&step.pieces, true), (&step.after, false)] {
        let Some(expected) = expected else { continue };
        if named {
            match table.compare(&json(expected)) {
                Ok(differences) => failures.extend(differences),
                Err(problem) => failures.push(problem.to_string()),
            }
        } else {
            compare_values("", &json(expected), &table.position(), failures);
        }
    }
    if let Some(winner) = &step.winner {
        let now = match table.outcome() {
            None => "none".to_owned(),
            Some(o) if o.winners.is_empty() => "draw".to_owned(),
            Some(o) => o.winners.join(" "),
        };
        if !now.eq_ignore_ascii_case(winner) {
            failures.push(format!("winner: expected {winner}, is {now}"));
        }
    }
}

/// What dice show that only open what comes next, where a case does not state them.
const OPENING: u16 = 3;

fn command_facts(
    table: &mut dyn AnyTable,
    step: &Step,
    text: &str,
    failures: &mut Vec<String>,
) -> Option<Vec<String>> {
    let by = match &step.by {
        Some(name) => Actor::named(name, table.seats()),
        None => table.first_to_act().map(Actor::Seat),
    };
    let Some(by) = by else {
        failures.push(format!("who gives the command? seats: {}", table.seats().join(", ")));
        return None;
    };
    let mut values = step.dice.clone();
    let (dice, answer) = loop {
        let mut dice = Scripted::new(values.iter().copied());
        match table.command(by, text, &mut dice) {
            // The die that opens the next bound is not what the case is about.
            Answer::Dice { opens_next: true, wanted, .. } if values.len() < step.dice.len() + 20 => {
                values.extend(wanted.iter().map(|w| OPENING.min(w.sides)));
            }
            answer => break (dice, answer),
        }
    };
    match (answer, &step.refused) {
        (Answer::Done { facts, .. }, None) => {
            if !dice.left().is_empty() {
                failures.push(format!("dice nobody asked for: {:?}", dice.left()));
            }
            Some(facts)
        }
        (Answer::Done { .. }, Some(rule)) => {
            failures.push(format!("expected a refusal by {rule}, but it was carried out"));
            None
        }
        (Answer::Refused { rule, words, .. }, Some(expected)) => {
            if rule.as_deref().unwrap_or("") != expected {
                failures.push(format!(
                    "refused by {}, expected {expected}: {words}",
                    rule.as_deref().unwrap_or("no rule")
                ));
            }
            Some(vec![words])
        }
        (Answer::Refused { rule, words, .. }, None) => {
            failures.push(format!("refused ({}): {words}", rule.as_deref().unwrap_or("no rule")));
            None
        }
        (Answer::Unread(problem), _) => {
            failures.push(format!("does not read: {problem}"));
            None
        }
        (Answer::Dice { words, .. }, _) => {
            failures.push(words);
            None
        }
    }
}

fn match_facts(facts: &[String], step: &Step, failures: &mut Vec<String>) {
    let plain: Vec<String> = facts.iter().map(|f| squeeze(f)).collect();
    let mut from = 0;
    for expected in &step.expect {
        let wanted = squeeze(expected);
        match plain.iter().skip(from).position(|fact| begins(fact, &wanted)) {
            Some(at) => from += at + 1,
            None => {
                let order =
                    if plain.iter().any(|fact| begins(fact, &wanted)) { " (in this order)" } else { "" };
                failures.push(format!("expected{order}: {expected}\n    got: {}", facts.join("\n         ")));
                return;
            }
        }
    }
    for never in &step.never {
        let unwanted = squeeze(never);
        if plain.iter().any(|fact| begins(fact, &unwanted)) {
            failures.push(format!("must not be: {never}"));
        }
    }
    for word in &step.only {
        let word = squeeze(word);
        for fact in plain.iter().filter(|fact| begins(fact, &word)) {
            if !step.expect.iter().any(|e| begins(fact, &squeeze(e))) {
                failures.push(format!("not expected: {fact}"));
            }
        }
    }
}

/// Whether `fact` is `wanted` or begins with it at the end of a word.
fn begins(fact: &str, wanted: &str) -> bool {
    fact.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || wanted.is_empty() || rest.starts_with([' ', ',', ':', ';']))
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn compare_values(path: &str, expected: &Value, now: &Value, failures: &mut Vec<String>) {
    match (expected, now) {
        (Value::Object(wanted), _) => {
            for (key, value) in wanted {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare_values(&path, value, &now[key.as_str()], failures);
            }
        }
        (a, b) if a == b => {}
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        _ => failures.push(format!("{path}: expected {expected}, is {now}")),
    }
}

/// The table `[options]` of a case that is played under these rules: what differs from the defaults of its game, its
/// scope first; empty if nothing does. Figures of a rules file have no place in a case and are left out.
///
/// # Errors
/// A game whose own defaults do not read.
pub fn options(game: &dyn AnyGame, rules: &Value) -> Result<String, Problems> {
    let usual = game.rules_from(None, None, &[])?;
    let mut text = String::new();
    let mut line = |key: &str, value: &Value| {
        let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(text, "{} = {}", toml::Value::from(key), toml::Value::from(word));
    };
    if rules["scope"] != usual["scope"] && rules["scope"].is_string() {
        line("scope", &rules["scope"]);
    }
    for (key, value) in rules["options"].as_object().into_iter().flatten() {
        if usual["options"].get(key).is_none_or(|u| u != value) && !value.is_object() && !value.is_array() {
            line(key, value);
        }
    }
    Ok(if text.is_empty() { text } else { format!("\n[options]\n{text}") })
}

/// A TOML value as JSON.
#[must_use]
pub fn json(value: &toml::Value) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What the TOML reader found wrong, with its line and, for a misspelt key, the nearest right one.
#[must_use]
pub fn toml_problem(file: &str, text: &str, error: &toml::de::Error) -> Problem {
    let message = error.message().trim().to_owned();
    let mut quoted = message.split('`').skip(1).step_by(2).map(str::to_owned);
    let unknown = message.starts_with("unknown");
    let word = quoted.next().unwrap_or_default();
    let words: Vec<String> = quoted.collect();
    let short =
        if unknown { message.split(", expected").next().unwrap_or(&message).to_owned() } else { message };
    let mut problem =
        Problem::new(short.replace("unknown field", "unknown key").replace("missing field", "missing key"));
    if unknown {
        problem = problem.meant(&word, words.iter().map(String::as_str));
    }
    match error.span() {
        Some(span) => problem.at_byte(file, text, span.start),
        None => problem.in_file(file),
    }
}
