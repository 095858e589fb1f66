//! The contract: what a game is.

use crate::{Actor, Digest, Problem, Problems, Seat, Viewer};
use dice::{Ask, Dice, NoDice};
use rulebook::RuleId;
use serde::Serialize;
use serde_json::Value;
use std::fmt::{Debug, Display};

/// One game of the family: the rules in force and the set-up of one battle, encounter or campaign.
///
/// What changes in play is [`Game::State`]; what does not (names, tables, options, seats) is in `self`.
/// Every function is pure: no clock, no I/O, no randomness but the dice handed in.
pub trait Game: Clone + Send + Sync + Sized + 'static {
    /// The name in records, cases and on the command line: `hott`, `heroes`.
    const NAME: &'static str;
    /// The revision of the rules as this release plays them. Raised whenever an old record would come out
    /// differently; `CHANGELOG.md` says why.
    const REVISION: u32;

    /// All that changes in play. Cloning must be cheap (flat data): commanders and previews do it all the time.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// A command, by kind, with everything needed to print it.
    type Command: Clone + PartialEq + Debug + Send + Sync;
    /// Something that happened, with every figure needed to tell it.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// Why a command is not allowed.
    type Refusal: Refusal;
    /// What one viewer may know: a type of its own, made by [`Game::view`] alone.
    type View: Clone + PartialEq + Debug + Serialize + Send + Sync;

    // ---- rules and set-up, as the record's header keeps them

    /// The whole effective tables and options, as JSON that [`Game::open`] reads.
    fn rules(&self) -> Value;

    /// Rules from what a user gave, in this order: preset, file (name and text), single settings `key`, `value`.
    ///
    /// # Errors
    /// Everything that does not read or does not belong to this game, with place and suggestion.
    fn rules_from(
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems>;

    /// The set-up: armies, ground, scale, seats; as JSON that [`Game::open`] reads.
    fn setup(&self) -> Value;

    /// A game from its rules and set-up.
    ///
    /// # Errors
    /// Everything wrong with either.
    fn open(rules: &Value, setup: &Value) -> Result<Self, Problems>;

    /// The state before the first command.
    fn start(&self) -> Self::State;

    /// The names of the seats, in order of [`Seat`] numbers.
    fn seats(&self) -> &[String];

    /// The side that a seat plays for, by a number that its allies share: they talk among themselves.
    fn side(&self, seat: Seat) -> u8 {
        seat.0
    }

    /// Whether a seat leads its side where that has several: it may end the step for its allies.
    fn leads(&self, seat: Seat) -> bool {
        let _ = seat;
        false
    }

    /// The labels of pieces that were hidden from somebody to the end: told to all once a game is over.
    fn hidden(&self, state: &Self::State) -> Vec<String> {
        let _ = state;
        Vec::new()
    }

    // ---- play

    /// Adds to `out` what each seat owes now: nothing once the game is over, at least one debt before.
    fn owes(&self, state: &Self::State, out: &mut Vec<Debt<Self::Command>>);

    /// Judges a command and carries it out, up to the next choice of anybody.
    /// On an error `state` and `events` may be in any condition: [`Game::apply`] is called on a copy
    /// (as [`Table`](crate::Table) and [`Game::play`] do), so that a refused command leaves no trace.
    ///
    /// # Errors
    /// A refusal with its rule, or the dice that are lacking.
    fn apply(
        &self,
        state: &mut Self::State,
        by: Actor,
        command: &Self::Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Self::Event>,
    ) -> Result<(), Stop<Self::Refusal>>;

    /// [`Game::apply`] on a copy: the state after, and what happened.
    ///
    /// # Errors
    /// As [`Game::apply`]; the state given is as it was.
    #[allow(clippy::type_complexity)] // a pair is clearer here than a type of its own
    fn play(
        &self,
        state: &Self::State,
        by: Actor,
        command: &Self::Command,
        dice: &mut dyn Dice,
    ) -> Result<(Self::State, Vec<Self::Event>), Stop<Self::Refusal>> {
        let mut next = state.clone();
        let mut events = Vec::new();
        self.apply(&mut next, by, command, dice, &mut events)?;
        Ok((next, events))
    }

    /// Adds to `out` commands that `seat` may give now: every one is accepted, and while it owes anything
    /// there is at least one. Complete up to equal effect where a game's commands are countable; on the open
    /// table every legal contact and line-up and a covering sample of free positions.
    fn candidates(&self, state: &Self::State, seat: Seat, out: &mut Vec<Self::Command>);

    /// How the game ended, once it has.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// What is wrong with a state that play can never reach (two bases on one spot, AP that came from nowhere), if
    /// anything is: the conformance suite asks after every command of random play. It is never asked in a game.
    fn unsound(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    // ---- words

    /// The one text form of a command; [`Game::parse`] reads it back to an equal command.
    fn print(&self, state: &Self::State, command: &Self::Command) -> String;

    /// Reads a command as people type it: any case, clear beginnings of words and labels.
    ///
    /// # Errors
    /// What could not be read, with the column and a suggestion.
    fn parse(&self, state: &Self::State, by: Actor, text: &str) -> Result<Self::Command, Problem>;

    /// A throw in words that occur once in a game: `PIPs of A, bound 7`.
    fn describe(&self, ask: &Ask) -> String;

    /// The side whose die a throw is, as the labels of its pieces begin (`A`); `None` if it is nobody's. Who types dice is
    /// asked for those of the side whose bound it is first.
    fn thrower(&self, ask: &Ask) -> Option<String> {
        let _ = ask;
        None
    }

    /// Whether a throw only opens what comes next (the PIPs of the next bound), so that a case that ends there need not
    /// state it.
    fn opens_next(&self, ask: &Ask) -> bool {
        let _ = ask;
        false
    }

    /// An event as one sentence a clubmate would say.
    fn tell(&self, event: &Self::Event) -> String;

    /// What a seat that comes back is told in one line: how things stand for it, and what it lost since it last had the
    /// say: `Bound 7, you have 4 PIPs; you lost Knight 2`. `events` are those that a viewer got and that still count,
    /// in order; `state` is a possible one of his. By default the words of what the seat owes.
    fn brief(&self, state: &Self::State, seat: Seat, events: &[Value]) -> String {
        let _ = events;
        if let Some(outcome) = self.outcome(state) {
            return outcome.words;
        }
        let mut debts = Vec::new();
        self.owes(state, &mut debts);
        let own = debts.into_iter().find(|debt| debt.seat == seat).map(|debt| match debt.what {
            Owed::Act(about) | Owed::Sealed(about) | Owed::Choice { about, .. } => about,
        });
        own.map_or_else(|| "nothing is asked of you".to_owned(), |about| format!("it is your turn: {about}"))
    }

    /// An event as a JSON object, with a `kind` and every figure, for everybody entitled to all of it.
    fn event_json(&self, event: &Self::Event) -> Value;

    /// What `viewer` gets of an event, in the state after the command: by default all of it.
    /// `None` where he must not even know that something happened.
    fn event_for(&self, after: &Self::State, event: &Self::Event, viewer: Viewer) -> Option<Value> {
        let _ = (after, viewer);
        Some(self.event_json(event))
    }

    /// An event as short statements that a case can expect, in a fixed form: `factor A.Bld1 HOTT-252 -2`.
    fn facts(&self, event: &Self::Event) -> Vec<String>;

    /// Whether the event shows anybody something that was hidden: undo stops there, as it does at a die.
    fn reveals(&self, event: &Self::Event) -> bool {
        let _ = event;
        false
    }

    /// Answers a question about a state, for cases and for the command line: `factors A.Bld1 v B.Bld1`.
    /// The answer is a list of statements of the same form as [`Game::facts`].
    ///
    /// # Errors
    /// What could not be read or does not exist.
    fn ask(&self, state: &Self::State, question: &str) -> Result<Vec<String>, Problem>;

    // ---- positions

    /// The position: the only serialized form of a state, versioned, readable, complete (ground, pieces,
    /// pending choices and what they interrupted, counters), so that play can go on from it.
    fn position(&self, state: &Self::State) -> Value;

    /// A game and state from a position, in full or as a person writes it in a case.
    ///
    /// # Errors
    /// Everything wrong with it.
    fn open_position(rules: &Value, position: &Value) -> Result<(Self, Self::State), Problems>;

    /// The position in one line of text, like chess's FEN. [`Game::open_notation`] reads it back.
    fn notation(&self, state: &Self::State) -> String;

    /// A game and state from the one-line form.
    ///
    /// # Errors
    /// What could not be read, with the column.
    fn open_notation(rules: &Value, notation: &str) -> Result<(Self, Self::State), Problems>;

    /// The digest of a state: by default of its notation.
    fn digest(&self, state: &Self::State) -> Digest {
        Digest::of(&self.notation(state))
    }

    /// Compares a state with what a case expects of its pieces (`[step.pieces."B.Bld1"] at = [1200, 300]`):
    /// one sentence for every difference.
    ///
    /// # Errors
    /// What of the expectation could not be read.
    fn compare(&self, state: &Self::State, expected: &Value) -> Result<Vec<String>, Problem>;

    // ---- views

    /// What `viewer` may know.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// A possible game and state that looks like `view`, hidden facts guessed from `guess`: for previews, dry
    /// runs and computer players, which never see the true state.
    fn possible(&self, view: &Self::View, guess: u64) -> (Self, Self::State);

    /// The possible game and state of what `viewer` sees of a state: as [`Game::possible`] of his [`Game::view`], which a
    /// game may come by without writing the view out.
    fn seen_by(&self, state: &Self::State, viewer: Viewer, guess: u64) -> (Self, Self::State) {
        self.possible(&self.view(state, viewer), guess)
    }

    /// A command that was chosen in a possible game and state, as it reads in this one: pieces go by their labels.
    ///
    /// # Errors
    /// What means nothing here.
    fn taken_over(
        &self,
        state: &Self::State,
        by: Actor,
        (seen, possible): (&Self, &Self::State),
        command: Self::Command,
    ) -> Result<Self::Command, Problem> {
        self.parse(state, by, &seen.print(possible, &command))
    }

    /// A state that differs only in what `viewer` may not yet know, if there is one: `view`, events, previews and
    /// refusals must not tell the two apart. Used by tests of secrecy.
    fn twin(&self, state: &Self::State, viewer: Viewer, guess: u64) -> Option<(Self, Self::State)> {
        let _ = (state, viewer, guess);
        None
    }
}

/// What a seat owes.
#[derive(Clone, Debug, PartialEq)]
pub struct Debt<C> {
    /// Who.
    pub seat: Seat,
    /// What.
    pub what: Owed<C>,
}

/// Kinds of debts.
#[derive(Clone, Debug, PartialEq)]
pub enum Owed<C> {
    /// A free act: any command that is legal now. The words name the step: `step 2: moves, 3 PIPs left`.
    Act(String),
    /// A choice that stopped something under way.
    Choice {
        /// What is to be chosen, in words: `target of Shooter 2`.
        about: String,
        /// Every legal answer; two or more.
        answers: Vec<C>,
        /// The one that stands if it is left open; one of the answers.
        stands: C,
    },
    /// A sealed choice: others learn its content only from the event that reveals it.
    Sealed(String),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The seats that won; empty for a draw or an undecided game.
    pub winners: Vec<String>,
    /// The way it ended in one word of the game: `general`, `half`, `stronghold`, `limit`, `conceded`.
    pub ending: String,
    /// The same as a sentence.
    pub words: String,
}

/// Why a command is not allowed.
pub trait Refusal: Clone + PartialEq + Debug + Display + Send + Sync {
    /// The rule that forbids it; `None` for what no rule book speaks of (not your turn).
    fn rule(&self) -> Option<RuleId>;

    /// Figures and the nearest thing allowed, as a JSON object; rule and words are added by the caller.
    fn figures(&self) -> Value {
        Value::Null
    }
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop<R> {
    /// A rule forbids it.
    Refused(R),
    /// Dice are lacking: the same command is applied again with them.
    Dice(NoDice),
}

impl<R> From<NoDice> for Stop<R> {
    fn from(no: NoDice) -> Self {
        Stop::Dice(no)
    }
}

impl<R: Display> Display for Stop<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Refused(refusal) => write!(f, "{refusal}"),
            Stop::Dice(no) => write!(f, "{no}"),
        }
    }
}
