//! What goes over the wire: the bodies of requests and answers. The page's types are generated from these.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a page may help its players with; left out for both sides or for neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Aid {
    /// Factors and chances before a fight, a shot or a spell; the server does not answer such questions either.
    Odds,
    /// How far the enemy reaches, and threat zones.
    Reach,
    /// Places where a piece may go, and what those out of reach lack.
    Hints,
}

/// How long players wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// A choice waits half a minute, then the standing reply answers.
    Live,
    /// A choice waits for minutes; then others may let the standing reply answer.
    #[default]
    Evening,
    /// The standing reply answers at once, except where its owner said "ask".
    Post,
}

impl Pace {
    /// Seconds after which a choice is answered by what stands, by itself.
    #[must_use]
    pub fn answers_itself(self) -> Option<u64> {
        matches!(self, Pace::Live).then_some(30)
    }

    /// Seconds after which others may press for an answer or propose to close the game.
    #[must_use]
    pub fn patience(self) -> i64 {
        match self {
            Pace::Live => 30,
            Pace::Evening => 600,
            Pace::Post => 3 * 86_400,
        }
    }
}

/// Who throws the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiceBy {
    /// The server, from a key that it commits to.
    #[default]
    Server,
    /// The players, who type what they threw.
    Typed,
}

/// A game to be opened.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NewTable {
    /// Which game: `hott`, `heroes`, `horde`.
    pub kind: String,
    /// What it is called in lists.
    pub title: String,
    /// An edition of the rules.
    pub preset: Option<String>,
    /// A file of house rules, as text.
    pub rules_file: Option<String>,
    /// Single options, `key=value`.
    pub sets: Vec<String>,
    /// What these rules are called among those who play by them: `Our club`.
    pub rules_name: String,
    /// Aids that nobody uses in this battle: `odds`, `reach`, `hints`.
    pub without: Vec<Aid>,
    /// The set-up, as the game's documents describe it.
    #[schema(value_type = Object)]
    pub setup: Option<Value>,
    /// Or a position in one line, to play on from.
    pub notation: Option<String>,
    /// Who sits where: seat's name to `person` (also if left out) or `computer:LEVEL`.
    pub seats: BTreeMap<String, String>,
    /// How long players wait for each other.
    pub pace: Pace,
    /// Who throws the dice.
    pub dice: DiceBy,
    /// The host alone may rule; otherwise all seats must consent.
    pub host_rules: bool,
    /// Whoever is kept waiting longer than the pace has it may let the computer play for the absent, until they are back.
    pub stand_in: bool,
    /// No command before every person has added words to the dice.
    pub wait_for_words: bool,
    /// Make a link for an umpire or game master, who sees everything.
    pub umpire: bool,
    /// In a draft alone: which seat fills which part of the set-up, as JSON pointers: `{"B": "/sides/1"}`.
    pub parts: BTreeMap<String, String>,
}

/// A game whose set-up is still being filled in by its seats, each apart: armies are shown together.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DraftState {
    /// Its id.
    pub id: String,
    /// Which game it will be.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// Every role in it that this browser holds.
    pub roles: Vec<String>,
    /// Who sits where.
    pub seats: BTreeMap<String, String>,
    /// The edition of the rules, to be read before one accepts.
    pub preset: Option<String>,
    /// Options that differ from that edition: `key`, `default`, `here`.
    #[schema(value_type = Vec<Object>)]
    pub changes: Vec<Value>,
    /// What these rules are called.
    pub rules_name: String,
    /// How long players wait for each other.
    pub pace: Pace,
    /// Seats that fill something in, and whether they have.
    pub given: BTreeMap<String, bool>,
    /// What the browser's own seats have filled in.
    #[schema(value_type = Object)]
    pub own: BTreeMap<String, Value>,
    /// The game, once all is there: enter it with `follows` = this draft's id.
    pub game: Option<String>,
}

/// A seat's part of a set-up.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Part {
    /// The seat; left out: the first held.
    pub seat: Option<String>,
    /// What stands at its pointer.
    #[schema(value_type = Object)]
    pub part: Value,
}

/// Secret links to one game: to be handed out, and never shown again.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Links {
    /// The game's id.
    pub id: String,
    /// Role (`host`, `spectator`, `umpire`, or a seat's name) to the path of its link, `/t/ID#TOKEN`.
    pub links: BTreeMap<String, String>,
    /// The commitment to the key of the dice.
    pub commitment: Option<String>,
}

/// A token from the fragment of a link, to be exchanged for a cookie.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Enter {
    /// The token.
    pub token: Option<String>,
    /// Takes the seat that the token opens for oneself alone: every older link to it ends, the one that was given
    /// included, so that whoever opened the game and made the links cannot sit there too.
    #[serde(default)]
    pub take: bool,
    /// Or the id of a game or draft whose rematch or game is to be entered with the cookie of that one.
    pub follows: Option<String>,
}

/// What a token opened.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Entered {
    /// The game.
    pub id: String,
    /// Every role in it that this browser now holds.
    pub roles: Vec<String>,
}

/// A command.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Command {
    /// The seat that gives it, `umpire`, or `host` where the host may rule; left out: the first seat held.
    pub seat: Option<String>,
    /// The command in its text form.
    #[serde(rename = "do")]
    pub text: String,
    /// The version of the seat's view that it was meant for.
    pub expected: u64,
    /// Dice that were thrown on the table, where they are typed.
    pub dice: Vec<u16>,
    /// A word of the client's own that makes a repeated sending harmless: the first answer is given again.
    pub key: Option<String>,
}

/// One thing that a viewer got to see, numbered for him.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Item {
    /// Its number, from 1, without gaps: the viewer's version.
    pub n: u64,
    /// `event`; `noted` (an own command that shows nothing); `undo`; `end`.
    pub kind: String,
    /// Who: a seat's name, `umpire`, `all`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The event, or for `end` outcome and key of the dice.
    #[schema(value_type = Object)]
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub event: Value,
    /// For `undo`: the first item that no longer counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
}

/// What a command did.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Done {
    /// The seat's version now.
    pub version: u64,
    /// What it got to see of it.
    pub items: Vec<Item>,
    /// The table as the seat sees it now.
    pub table: TableState,
}

/// A command to be tried out.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Preview {
    /// As in a command.
    pub seat: Option<String>,
    /// The command.
    #[serde(rename = "do")]
    pub text: String,
    /// Give the view afterwards too.
    pub view: bool,
    /// Dice to assume, in order.
    pub dice: Vec<u16>,
    /// Questions of the game to be answered on the table as it would be then: who fights whom, with what odds.
    pub ask: Vec<String>,
}

/// What a command would do, on a table as the seat knows it: hidden facts are guessed, no die is thrown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Previewed {
    /// `done`, `refused`, `unread` or `dice`.
    pub answer: String,
    /// The seat's version that this was judged on.
    pub version: u64,
    /// The command as it prints.
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What would happen.
    #[schema(value_type = Vec<Object>)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Value>,
    /// What would be owed then.
    #[schema(value_type = Vec<Object>)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owes: Vec<Value>,
    /// The view then, if asked for.
    #[schema(value_type = Object)]
    #[serde(skip_serializing_if = "Value::is_null")]
    pub view: Value,
    /// The answers to what was asked about the table then, one list for each question; empty if it cannot be answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Vec<String>>,
    /// The rule that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why not, and the nearest thing allowed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// Figures of the refusal.
    #[schema(value_type = Object)]
    #[serde(skip_serializing_if = "Value::is_null")]
    pub figures: Value,
    /// The dice that would be thrown first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wants: Vec<Wanted>,
}

/// A die that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Wanted {
    /// What for.
    pub purpose: String,
    /// Its faces.
    pub sides: u16,
    /// The side whose die it is, as the labels of its pieces begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl From<game::Wanted> for Wanted {
    fn from(die: game::Wanted) -> Self {
        Self { purpose: die.purpose, sides: die.sides, of: die.of }
    }
}

/// Dice that were typed last and may still be put right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Typed {
    /// The seat that gave the command.
    pub seat: String,
    /// The dice, in the order in which they were asked for.
    pub dice: Vec<Wanted>,
    /// What they show.
    pub values: Vec<u16>,
    /// The version of that seat's view.
    pub version: u64,
}

/// Dice for a command that nobody at this table gave: a computer's, or a standing reply's. Any player types them, with the
/// command as it stands here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Asks {
    /// The seat whose command it is.
    pub seat: String,
    /// The command.
    #[serde(rename = "do")]
    pub text: String,
    /// The dice.
    pub wants: Vec<Wanted>,
}

/// Dice put right.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PutRight {
    /// The seat that gave the command; left out: the first seat held.
    pub seat: Option<String>,
    /// All its dice anew, in the same order; then those that are wanted only now.
    pub dice: Vec<u16>,
    /// The version of the seat's view.
    pub expected: u64,
}

/// Commands that a seat may give now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Candidates {
    /// The seat's version.
    pub version: u64,
    /// The commands.
    pub candidates: Vec<Previewed>,
    /// There are more than were asked for.
    pub more: bool,
}

/// A question about the table as the viewer knows it: `odds A.Bld1 v B.Kni1`.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Question {
    /// The role that asks.
    pub seat: Option<String>,
    /// The question.
    pub question: String,
}

/// Its answer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Answered {
    /// Statements.
    pub answer: Vec<String>,
}

/// A wish to take back.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Undo {
    /// The seat.
    pub seat: Option<String>,
    /// The first item of the seat's numbering that shall no longer count; left out: the last command.
    pub to: Option<u64>,
}

/// Something that needs the consent of others.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Propose {
    /// The seat that proposes.
    pub seat: Option<String>,
    /// `draw`, `ruling` or `close` (an unfinished game).
    pub what: String,
    /// For a ruling: its text.
    #[serde(rename = "do")]
    pub text: Option<String>,
    /// Why.
    pub reason: String,
}

/// An answer to a proposal.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Agree {
    /// Its number.
    pub proposal: u64,
    /// Yes or no. The proposer's own no withdraws it.
    pub agree: bool,
}

/// A proposal that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Proposal {
    /// Its number.
    pub n: u64,
    /// Who proposes.
    pub by: String,
    /// `undo`, `draw`, `ruling`, `close`.
    pub what: String,
    /// For a ruling: its text.
    #[serde(rename = "do", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// For an undo: the first item of the viewer's numbering that would no longer count (in the store: the line).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// The seats that agreed.
    pub agreed: Vec<String>,
    /// The seats that have not answered yet.
    pub waits_for: Vec<String>,
}

/// Something said.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Say {
    /// The role that speaks.
    pub seat: Option<String>,
    /// `table` (also if left out) or `side`.
    pub to: String,
    /// The words, at most 2000 characters.
    pub words: String,
}

/// Something that was said, as one hears it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Talk {
    /// Its number for this listener, without gaps.
    pub n: u64,
    /// Who spoke; `table` for notes of the server.
    pub by: String,
    /// `table`, `side`, or `seat` (to this seat alone: a note of the server).
    pub to: String,
    /// The words.
    pub words: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// Standing replies of a seat: private. They answer choices in its absence.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Replies {
    /// `ask` or `stands` (take at once what stands); empty: as the pace says.
    pub mode: String,
    /// Answers for certain choices, tried in order before the mode.
    pub prefer: Vec<Prefer>,
}

/// A standing reply for certain choices.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Prefer {
    /// Choices whose words contain this, in any case.
    pub about: String,
    /// The first legal answer that contains this, in any case; empty: what stands; `ask`: none, ask me.
    pub answer: String,
}

/// Standing replies of a seat that the browser holds.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SetReplies {
    /// The seat.
    pub seat: Option<String>,
    /// The replies.
    pub replies: Replies,
}

/// Words that a seat adds to the key of the dice, before the first command.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AddWords {
    /// The seat.
    pub seat: Option<String>,
    /// The words, at most 200 characters.
    pub words: String,
}

/// A seat for which something is done.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForSeat {
    /// The seat; left out: the first seat held.
    pub seat: Option<String>,
}

/// What is done for somebody who keeps others waiting.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Press {
    /// The seat that presses; left out: the first held, or the host.
    pub seat: Option<String>,
    /// Whom it is done for; left out: the first that others wait for.
    pub of: Option<String>,
    /// Empty: what stands answers an open choice. `computer`: the computer plays for him until he is back, if that was
    /// agreed at the start. `end`: his step is ended, by the commander-in-chief for an ally, by the host for the absent.
    /// `back`: one plays oneself again.
    pub how: String,
}

/// A tool of the host.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HostTool {
    /// `who` (put a person or a computer on a seat), `link` (a new link for a role; the old ones end), `remove` (its links
    /// end, and the computer stands in), `pace`, `pause` and `resume` (the clock), `close` (the game, unfinished).
    pub what: String,
    /// The seat or role.
    pub role: String,
    /// For `who`: `person` or `computer:LEVEL`; for `pace`: the pace.
    pub to: String,
}

/// A record to be brought in.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Import {
    /// Its text.
    pub record: String,
    /// What it is called in lists.
    pub title: String,
    /// As in a new game, if it is played on.
    pub seats: BTreeMap<String, String>,
}

/// Another game with the same rules and set-up.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rematch {
    /// Everybody moves on by one seat.
    pub swap: bool,
}

/// A seat as everybody may see it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SeatState {
    /// Its name.
    pub name: String,
    /// `person` or `computer:LEVEL`.
    pub who: String,
    /// The number of its side; allies share it.
    pub side: u8,
    /// It has given up.
    pub resigned: bool,
    /// Its words to the dice, if it added any.
    pub words: Option<String>,
    /// The computer that sits there is thinking.
    pub thinking: bool,
    /// It leads its side: it may end the step for its allies.
    pub leads: bool,
    /// The computer plays for it until it is back.
    pub covered: bool,
}

/// The table as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TableState {
    /// The game's id.
    pub id: String,
    /// Which game.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// With whose eyes this is seen: a seat, `spectator`, `umpire`.
    pub viewer: String,
    /// Every role in the game that this browser holds.
    pub roles: Vec<String>,
    /// The viewer's version: the number of items that he got.
    pub version: u64,
    /// What he may know.
    #[schema(value_type = Object)]
    pub view: Value,
    /// What is owed: `seat`, `kind`, `about`, and for an own choice `answers` and `stands`.
    #[schema(value_type = Vec<Object>)]
    pub owes: Vec<Value>,
    /// When the viewer's last item came (or the game was opened), in seconds since 1970.
    pub since: i64,
    /// The seats.
    pub seats: Vec<SeatState>,
    /// How it ended: `winners`, `ending`, `words`; `null` while it runs, or if it was broken off.
    #[schema(value_type = Object)]
    pub outcome: Value,
    /// It is over.
    pub over: bool,
    /// The commitment to the key of the dice.
    pub commitment: Option<String>,
    /// Who throws the dice.
    pub dice: DiceBy,
    /// No command before every person has added words to the dice.
    pub wait_for_words: bool,
    /// The edition of the rules.
    pub preset: Option<String>,
    /// Options that differ from that edition: `key`, `default`, `here`.
    #[schema(value_type = Vec<Object>)]
    pub changes: Vec<Value>,
    /// What these rules are called.
    pub rules_name: String,
    /// Aids that nobody uses.
    pub without: Vec<Aid>,
    /// How long players wait for each other.
    pub pace: Pace,
    /// Seconds after which others may press.
    pub patience: i64,
    /// The clock stands still: nobody is answered for, and nobody may press.
    pub paused: bool,
    /// Whoever is kept waiting too long may let the computer play for the absent.
    pub stand_in: bool,
    /// Whether the host alone may rule.
    pub host_rules: bool,
    /// Dice of the real table that a computer or a standing reply waits for.
    pub asks: Option<Asks>,
    /// Dice that this browser typed last, while they can be put right: until the next command.
    pub typed: Option<Typed>,
    /// What waits for consent.
    pub proposals: Vec<Proposal>,
    /// The id of the rematch, once there is one.
    pub rematch: Option<String>,
}

/// What everybody may know once a game is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Ended {
    /// What was hidden to the end, by the labels of pieces.
    pub hidden: Vec<String>,
    /// How often each seat's standing replies answered.
    pub replies: BTreeMap<String, u32>,
    /// From the first command to the last, in seconds.
    pub seconds: i64,
}

/// What a seat is told in one line when it comes back, to be copied for an opponent at the hand-over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Brief {
    /// The version of the viewer that it was made from.
    pub version: u64,
    /// The seat that it is for.
    pub to: String,
    /// The line: `Bound 7, you have 4 PIPs; you lost Knight 2`.
    pub words: String,
    /// How many items after `after` still count.
    pub items: usize,
}

/// Who is there.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Presence {
    /// Seats with an open page.
    pub seats: Vec<String>,
    /// Other open pages.
    pub watching: usize,
}

/// One of one's own games.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Mine {
    /// Its id.
    pub id: String,
    /// Which game.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// The roles held.
    pub roles: Vec<String>,
    /// The seats that owe something.
    pub waits_for: Vec<String>,
    /// It is over.
    pub over: bool,
    /// Since when these seats owe something, in seconds since 1970.
    pub touched: i64,
}

/// Why something was not done.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Failure {
    /// A word for programs: `not_found`, `refused`, `unread`, `overtaken`, `dice`, `over`, `limit`, `too_large`, …
    pub error: String,
    /// A sentence for people.
    pub words: String,
    /// The rule that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Figures of a refusal.
    #[schema(value_type = Object)]
    #[serde(skip_serializing_if = "Value::is_null")]
    pub figures: Value,
    /// Everything wrong with what was sent.
    #[schema(value_type = Vec<Object>)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Value>,
    /// The version now, where a command was overtaken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What the overtaken command would do now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Box<Previewed>>,
    /// Dice that are wanted: the same command again with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wants: Vec<Wanted>,
}

/// A kind of game that is played here.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KindState {
    /// Its name.
    pub name: String,
    /// The revision of its rules.
    pub revision: u32,
    /// Levels of computer players.
    pub levels: Vec<String>,
}

/// A page beside the tables to be opened.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NewDesk {
    /// Which: `tracker`, `campaign`.
    pub kind: String,
    /// What it begins with: `{"shipped": "bridge"}`, or a text of one's own.
    #[schema(value_type = Object)]
    pub wish: Value,
    /// For its dice; left out, nobody knows it.
    pub seed: Option<u64>,
}

/// A page beside the tables, as a role sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskState {
    /// Its id.
    pub id: String,
    /// Which: `tracker`, `campaign`.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// The role whose view this is.
    pub role: String,
    /// Every role of it that this browser holds.
    pub roles: Vec<String>,
    /// Stands for this view: to be sent back with what one does.
    pub mark: String,
    /// It has been closed; what is there can still be read.
    pub over: bool,
    /// What the role may know.
    #[schema(value_type = Object)]
    pub view: Value,
}

/// Something to do or to ask.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DeskAct {
    /// A role that is held; left out: the first.
    pub role: Option<String>,
    /// The mark of the view that one had before one: where it is another now, nothing is done.
    pub expected: Option<String>,
    /// What, as the page's kind has it.
    #[schema(value_type = Object)]
    pub act: Value,
}

/// What was done, and what is there now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskDone {
    /// The answer.
    #[schema(value_type = Object)]
    pub answer: Value,
    /// The page now.
    pub state: DeskState,
}

/// Whose link, or which battle.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DeskLink {
    /// The role, or the battle; left out: all roles.
    pub of: String,
    /// The links that there are open nothing any more.
    pub end: bool,
}
