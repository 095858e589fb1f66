//! A toy game that needs what HOTT does not: the other player answers in the middle of a move, and a typed die
//! follows. A runner crosses a track of ten fields; in a guarded field the guard may trip him or let him pass.

use dice::{Address, Ask, Dice, Scripted, Seeded};
use game::conform::{Effort, conform};
use game::{Actor, Debt, Game, Kind, Outcome, Owed, Problem, Problems, Refusal, Seat, Stop, Table, Viewer};
use rulebook::RuleId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const RUNNER: Seat = Seat(0);
const GUARD: Seat = Seat(1);

#[derive(Clone, Debug)]
pub(crate) struct Run {
    seats: Vec<String>,
    length: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    at: u8,
    bound: u32,
    length: u8,
    /// A move under way: fields still to go when the guard has answered.
    under_way: Option<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Run(u8),
    Trip,
    Pass,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Ran { to: u8 },
    Tripped { die: u16, falls: bool },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Not(String);

impl std::fmt::Display for Not {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Refusal for Not {
    fn rule(&self) -> Option<RuleId> {
        Some(rulebook::rule!("HOTT-110"))
    }
}

fn guarded(field: u8) -> bool {
    field.is_multiple_of(3)
}

impl Run {
    /// Goes on with a move until it is spent or the guard may answer.
    fn go_on(&self, state: &mut State, mut left: u8, events: &mut Vec<Event>) {
        while left > 0 && state.at < state.length {
            state.at += 1;
            left -= 1;
            if guarded(state.at) && state.at < state.length {
                events.push(Event::Ran { to: state.at });
                state.under_way = Some(left);
                return;
            }
        }
        events.push(Event::Ran { to: state.at });
        state.bound += 1;
    }
}

impl Game for Run {
    const NAME: &'static str = "run";
    const REVISION: u32 = 1;
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Not;
    type View = State;

    fn rules(&self) -> Value {
        json!({})
    }

    fn rules_from(
        _: Option<&str>,
        _: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems> {
        match sets.first() {
            None => Ok(json!({})),
            Some((key, _)) => Err(vec![Problem::new(format!("unknown option: {key}"))]),
        }
    }

    fn setup(&self) -> Value {
        json!({ "length": self.length })
    }

    fn open(_: &Value, setup: &Value) -> Result<Self, Problems> {
        match setup["length"].as_u64().and_then(|l| u8::try_from(l).ok()) {
            Some(length) if length > 1 => Ok(Self { seats: vec!["Runner".into(), "Guard".into()], length }),
            _ => Err(vec![Problem::new("no length")]),
        }
    }

    fn start(&self) -> State {
        State { at: 0, bound: 1, length: self.length, under_way: None }
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn owes(&self, state: &State, out: &mut Vec<Debt<Command>>) {
        if state.under_way.is_some() {
            let what = Owed::Choice {
                about: format!("trip the runner in field {}", state.at),
                answers: vec![Command::Trip, Command::Pass],
                stands: Command::Pass,
            };
            out.push(Debt { seat: GUARD, what });
        } else if self.outcome(state).is_none() {
            out.push(Debt { seat: RUNNER, what: Owed::Act(format!("run, bound {}", state.bound)) });
        }
    }

    fn apply(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Not>> {
        let owner = if matches!(command, Command::Run(_)) { RUNNER } else { GUARD };
        if !by.may_act_for(owner) {
            return Err(Stop::Refused(Not("not yours".into())));
        }
        match (command, state.under_way) {
            (Command::Run(fields), None) if (1..=4).contains(fields) && state.at < state.length => {
                self.go_on(state, *fields, events);
            }
            (Command::Run(fields), None) => {
                return Err(Stop::Refused(Not(format!("{fields} fields: 1 to 4 are allowed"))));
            }
            (Command::Pass, Some(left)) => {
                state.under_way = None;
                self.go_on(state, left, events);
            }
            (Command::Trip, Some(left)) => {
                // Whatever was done before the die is lost if the die is lacking: nothing is ever half done.
                state.under_way = None;
                let die = dice.one(Ask::d6("trip", u64::from(state.at), u64::from(state.bound)))?;
                let falls = die >= 4;
                events.push(Event::Tripped { die, falls });
                if falls {
                    state.at -= 1;
                    state.bound += 1;
                } else {
                    self.go_on(state, left, events);
                }
            }
            _ => return Err(Stop::Refused(Not("not now".into()))),
        }
        if state.bound > 60 {
            state.at = state.length;
        }
        Ok(())
    }

    fn candidates(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        if state.under_way.is_some() && seat == GUARD {
            out.extend([Command::Trip, Command::Pass]);
        } else if state.under_way.is_none() && seat == RUNNER && state.at < state.length {
            out.extend((1..=4).map(Command::Run));
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.at >= state.length && state.under_way.is_none()).then(|| Outcome {
            winners: vec!["Runner".into()],
            ending: "home".into(),
            words: "the runner is home".into(),
        })
    }

    fn print(&self, _: &State, command: &Command) -> String {
        match command {
            Command::Run(fields) => format!("run {fields}"),
            Command::Trip => "trip".into(),
            Command::Pass => "pass".into(),
        }
    }

    fn parse(&self, _: &State, _: Actor, text: &str) -> Result<Command, Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["trip"] => Ok(Command::Trip),
            ["pass"] => Ok(Command::Pass),
            ["run", n] => n.parse().map(Command::Run).map_err(|_| Problem::new("how far?")),
            _ => Err(Problem::new(format!("what is {text:?}?")).meant(text, ["run", "trip", "pass"])),
        }
    }

    fn describe(&self, ask: &Ask) -> String {
        let Address { purpose, subject, moment } = ask.address;
        format!("{purpose} in field {subject}, bound {moment}")
    }

    fn tell(&self, event: &Event) -> String {
        match event {
            Event::Ran { to } => format!("the runner reaches field {to}"),
            Event::Tripped { die, falls } => {
                format!("tripped with a {die}: {}", if *falls { "he falls" } else { "he runs on" })
            }
        }
    }

    fn event_json(&self, event: &Event) -> Value {
        match event {
            Event::Ran { to } => json!({ "kind": "ran", "to": to }),
            Event::Tripped { die, falls } => json!({ "kind": "tripped", "die": die, "falls": falls }),
        }
    }

    fn facts(&self, event: &Event) -> Vec<String> {
        match event {
            Event::Ran { to } => vec![format!("ran {to}")],
            Event::Tripped { die, falls } => vec![format!("die {die}"), format!("falls {falls}")],
        }
    }

    fn ask(&self, state: &State, question: &str) -> Result<Vec<String>, Problem> {
        (question == "where")
            .then(|| vec![format!("field {}", state.at)])
            .ok_or_else(|| Problem::new("ask: where"))
    }

    fn position(&self, state: &State) -> Value {
        serde_json::to_value(state).unwrap_or_default()
    }

    fn open_position(rules: &Value, position: &Value) -> Result<(Self, State), Problems> {
        let state: State =
            serde_json::from_value(position.clone()).map_err(|e| vec![Problem::new(e.to_string())])?;
        Ok((Self::open(rules, &json!({ "length": state.length }))?, state))
    }

    fn notation(&self, state: &State) -> String {
        self.position(state).to_string()
    }

    fn open_notation(rules: &Value, notation: &str) -> Result<(Self, State), Problems> {
        let value = serde_json::from_str(notation).map_err(|e| vec![Problem::new(e.to_string())])?;
        Self::open_position(rules, &value)
    }

    fn compare(&self, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
        let wanted = expected["Runner"]["at"].as_u64();
        Ok(if wanted == Some(u64::from(state.at)) {
            vec![]
        } else {
            vec![format!("Runner is at {}", state.at)]
        })
    }

    fn view(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn possible(&self, view: &State, _: u64) -> (Self, State) {
        (self.clone(), view.clone())
    }
}

pub(crate) fn fresh() -> Run {
    Run { seats: vec!["Runner".into(), "Guard".into()], length: 10 }
}

#[test]
fn keeps_the_contract() {
    conform(Effort { games: 40, commands: 400, every: 1, tries: 2 }, |_| fresh());
}

#[test]
fn the_guard_answers_in_the_middle_and_a_typed_die_follows() {
    let mut table = Table::new(fresh(), None, vec![]);
    let mut none = Scripted::default();
    table.command_text(Actor::Seat(RUNNER), "run 4", &mut none).unwrap();
    assert_eq!(table.state().under_way, Some(1), "stopped in field 3 with one field of the move left");
    let before = table.state().clone();
    let stop = table.command_text(Actor::Seat(GUARD), "trip", &mut none).unwrap_err();
    assert!(format!("{stop:?}").contains("Needs"), "{stop:?}");
    assert_eq!(table.state(), &before, "nothing is half done");
    table.command_text(Actor::Seat(GUARD), "trip", &mut Scripted::new([2])).unwrap();
    assert_eq!((table.state().at, table.state().under_way), (4, None), "the move went on with what was left");
}

#[test]
fn a_wrong_die_is_put_right_until_the_next_command_and_the_record_says_so() {
    use game::NotCorrected;
    let (runner, guard) = (Actor::Seat(RUNNER), Actor::Seat(GUARD));
    let mut table = Table::new(fresh(), None, vec![]);
    table.command_text(runner, "run 4", &mut Scripted::default()).unwrap();
    assert_eq!(table.correct(runner, &[1]), Err(NotCorrected::Gone), "no die has fallen");
    table.command_text(guard, "trip", &mut Scripted::new([2])).unwrap();
    let before = table.clone();
    for (by, dice, why) in [
        (runner, vec![5], NotCorrected::Gone),
        (guard, vec![2], NotCorrected::Same),
        (guard, vec![5, 1], NotCorrected::TooMany(1)),
    ] {
        assert_eq!(table.correct(by, &dice), Err(why));
    }
    assert!(matches!(table.correct(guard, &[9]), Err(NotCorrected::Stop(Stop::Dice(_)))));
    assert!(matches!(table.correct(guard, &[]), Err(NotCorrected::Stop(Stop::Dice(_)))));
    assert_eq!(
        (table.state(), table.record()),
        (before.state(), before.record()),
        "refused, it changes nothing"
    );
    let played = table.correct(guard, &[5]).unwrap();
    assert_eq!(played.events, [Event::Tripped { die: 5, falls: true }]);
    assert_eq!((table.state().at, table.state().under_way), (2, None));
    assert_eq!(table.record().lines.len(), 4);
    let told = game::wrong_die(table.record(), 3).unwrap();
    assert_eq!((told.len(), told[0].0.value, told[0].1), (1, 5, Some(2)));
    // Twice is as good as once; after the next command it is too late.
    table.correct(guard, &[4]).unwrap();
    table.command_text(runner, "run 3", &mut Scripted::default()).unwrap();
    assert_eq!(table.correct(guard, &[1]), Err(NotCorrected::Gone));
    table.end(None);
    let text = table.record().print();
    let verdict = game::verify::<Run>(&game::record::Record::parse(&text).unwrap());
    assert!(verdict.good(), "{verdict:?}");
    assert_eq!(Table::<Run>::replay(table.record()).unwrap().state(), table.state());

    // Whoever forges it: another command in its place, or one that came too late.
    let forged = |n: usize, from: &str, to: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(lines[n].contains(from), "{}", lines[n]);
        lines[n] = lines[n].replace(from, to);
        Table::<Run>::replay(&game::record::Record::parse(&lines.join("\n")).unwrap())
            .unwrap_err()
            .to_string()
    };
    let said = forged(4, "\"do\":\"trip\"", "\"do\":\"pass\"");
    assert!(said.contains("same command"), "{said}");
    let said = forged(3, "\"undo\":2", "\"undo\":1");
    assert!(said.contains("line 1"), "{said}");
}

#[test]
fn a_die_that_ended_the_game_can_be_put_right() {
    let (runner, guard) = (Actor::Seat(RUNNER), Actor::Seat(GUARD));
    let mut table = Table::new(fresh(), None, vec![]);
    for (by, text) in
        [(runner, "run 3"), (guard, "pass"), (runner, "run 3"), (guard, "pass"), (runner, "run 4")]
    {
        table.command_text(by, text, &mut Scripted::default()).unwrap();
    }
    table.command_text(guard, "trip", &mut Scripted::new([1])).unwrap();
    assert!(table.outcome().is_some());
    table.end(None);
    table.correct(guard, &[6]).unwrap();
    assert_eq!((table.outcome(), table.state().at), (None, 8));
    table.end(None);
    assert_eq!(table.correct(guard, &[1]), Err(game::NotCorrected::Gone), "it was broken off");
    let verdict = game::verify::<Run>(table.record());
    assert!(verdict.good(), "{verdict:?}");
}

#[test]
fn undo_stops_at_a_die_and_a_die_taken_back_is_another() {
    let key = dice::Key::from_seed(5);
    let mut seeded = Seeded::new(key.with_words("run", &[]));
    let mut table = Table::new(fresh(), Some(key.commitment()), vec![]);
    table.command_text(Actor::Seat(RUNNER), "run 3", &mut seeded).unwrap();
    assert!(table.clone().undo(Actor::Seat(RUNNER), 1, &[], false, None).is_ok(), "no die yet");
    table.command_text(Actor::Seat(GUARD), "trip", &mut seeded).unwrap();
    let refused = table.undo(Actor::Seat(GUARD), 2, &[], false, Some(&mut seeded)).unwrap_err();
    assert!(refused.why.contains("die"), "{refused:?}");
    let refused = table.undo(Actor::Seat(RUNNER), 1, &[], false, Some(&mut seeded)).unwrap_err();
    assert!(refused.why.contains("another seat"), "{refused:?}");
    table.undo(Actor::Seat(RUNNER), 1, &[GUARD], false, Some(&mut seeded)).unwrap();
    assert_eq!(table.state(), &fresh().start());
    table.command_text(Actor::Seat(RUNNER), "run 3", &mut seeded).unwrap();
    table.command_text(Actor::Seat(GUARD), "trip", &mut seeded).unwrap();
    table.end(Some(&key));
    let verdict = game::verify::<Run>(table.record());
    assert!(verdict.good(), "{verdict:?}");
}

#[test]
fn a_record_cut_or_forged_says_at_which_line_it_parts() {
    let key = dice::Key::from_seed(9);
    let mut seeded = Seeded::new(key.with_words("run", &[]));
    let mut table = Table::new(fresh(), Some(key.commitment()), vec![]);
    while let Some(debt) = table.owes().first().cloned() {
        let text = if debt.seat == RUNNER { "run 4" } else { "trip" };
        table.command_text(Actor::Seat(debt.seat), text, &mut seeded).unwrap();
    }
    table.end(Some(&key));
    let text = table.record().print();
    let read = |t: &str| game::record::Record::parse(t).unwrap();
    assert!(game::verify::<Run>(&read(&text)).good());

    let half = read(&text[..text.len() / 2]);
    assert!(half.broken.as_ref().is_some_and(|p| p.message.contains("cut off")), "{:?}", half.broken);
    assert!(!game::verify::<Run>(&half).good());

    let n = text.lines().position(|l| l.contains("\"throws\"")).unwrap();
    let forged: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, l)| {
            if i == n {
                l.replacen("\"value\":", "\"value\":1", 1).replacen("\"die\":", "\"die\":1", 1)
            } else {
                l.to_owned()
            }
        })
        .collect();
    let verdict = game::verify::<Run>(&read(&forged.join("\n")));
    assert!(format!("{:?}", verdict.lines).contains(&format!("line: {}", n + 1)), "{verdict:?}");
    assert!(!verdict.good());

    let other = text.replacen("\"revision\":1", "\"revision\":99", 1);
    let verdict = game::verify::<Run>(&read(&other));
    assert!(matches!(verdict.play, game::Play::CannotTell(_)), "another revision is not judged by this one");
}

#[test]
fn a_record_of_another_revision_is_played_on_from_its_last_snapshot() {
    use game::AnyGame;
    let mut table = Table::new(fresh(), None, vec![]);
    table.command_text(Actor::Seat(RUNNER), "run 2", &mut Scripted::default()).unwrap();
    let kind = Kind::<Run>::new();
    let old = |table: &Table<Run>| {
        game::record::Record::parse(&table.record().print().replacen("\"revision\":1", "\"revision\":0", 1))
            .unwrap()
    };
    assert!(kind.play_on(&old(&table)).is_err(), "no snapshot yet");
    table.snapshot();
    table.command_text(Actor::Seat(RUNNER), "run 4", &mut Scripted::default()).unwrap();
    let (on, notice) = kind.play_on(&old(&table)).unwrap();
    assert_eq!(on.ask("where").unwrap(), ["field 2"]);
    assert!(notice.contains("line 2") && notice.contains("revision 0"), "{notice}");
}

#[test]
fn the_same_through_text_alone_and_in_a_case() {
    let games: [&dyn game::AnyGame; 1] = [&Kind::<Run>::new()];
    let case = |body: &str| game::case::Case::parse("x.toml", body);
    let good = "title = 'The guard trips the runner'\ngame = 'run'\nrules = ['HOTT-110']\n[position]\nat = 1\nbound = 2\nlength = 10\n\
                [[step]]\nby = 'Runner'\ndo = 'run 4'\nexpect = ['ran 3']\n[[step]]\ndo = 'trip'\ndice = [5]\nexpect = ['die 5', 'falls true']\n\
                pieces = { Runner = { at = 2 } }\n[[step]]\nby = 'Guard'\ndo = 'run 1'\nrefused = 'HOTT-110'\n[[step]]\nask = 'where'\nexpect = ['field 2']\n";
    let report = case(good).unwrap().run(&games).unwrap();
    assert!(report.failures.is_empty(), "{report:?}");
    let wrong = case(&good.replace("dice = [5]", "dice = [5, 1]")).unwrap().run(&games).unwrap();
    assert!(wrong.failures[0].contains("dice nobody asked for"), "{wrong:?}");
    let wrong = case(&good.replace("at = 2 }", "at = 3 }")).unwrap().run(&games).unwrap();
    assert!(wrong.failures[0].contains("Runner is at 2"), "{wrong:?}");
    let misspelt = case(&good.replace("expect = ['ran 3']", "expct = ['ran 3']")).unwrap_err();
    let text = misspelt.to_string();
    assert!(text.contains("x.toml:11:1") && text.contains("did you mean expect?"), "{text}");
}
