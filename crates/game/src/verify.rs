//! Three answers, kept apart: the lines are whole; the dice are those committed to; the play follows its revision.

use crate::record::{Act, Record};
use crate::{Digest, Game, Problem, Table};
use dice::{Key, NoDice, Seeded};

/// Whether the text is as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Lines {
    /// Every line is there, the last one being the end.
    Whole,
    /// Every line that is there is whole, but there is no end: the game runs, or the file was cut.
    NoEnd,
    /// From this line of the file on it is not.
    PartsAt(Problem),
}

/// Whether the dice are those that were committed to.
#[derive(Clone, Debug, PartialEq)]
pub enum DiceVerdict {
    /// Every die is the one that the key gives at its address.
    Committed,
    /// The key is not (yet) revealed.
    NotRevealed,
    /// Nothing was committed to, whoever threw them.
    NoCommitment,
    /// They are not, from this line of the file on, or the key is not the one committed to.
    PartsAt(Problem),
    /// It cannot be told, as the play cannot be followed.
    CannotTell(String),
}

/// Whether the play follows the rules of its revision.
#[derive(Clone, Debug, PartialEq)]
pub enum Play {
    /// Every command is legal and comes out as recorded.
    Follows,
    /// From this line of the file on it does not.
    PartsAt(Problem),
    /// It was played under a revision that this release does not play.
    CannotTell(String),
}

/// The three answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whole?
    pub lines: Lines,
    /// Committed?
    pub dice: DiceVerdict,
    /// By the rules?
    pub play: Play,
}

impl Verdict {
    /// Whether all three are answered with yes, typed dice being nobody's fault.
    #[must_use]
    pub fn good(&self) -> bool {
        self.lines == Lines::Whole
            && matches!(self.dice, DiceVerdict::Committed | DiceVerdict::NoCommitment)
            && self.play == Play::Follows
    }

    /// Whether all that is there is as it should be and only the end is not yet: the game is under way, or was left.
    #[must_use]
    pub fn unfinished(&self) -> bool {
        self.lines == Lines::NoEnd
            && matches!(self.dice, DiceVerdict::NotRevealed | DiceVerdict::NoCommitment)
            && self.play == Play::Follows
    }
}

/// Judges a record.
#[must_use]
pub fn verify<G: Game>(record: &Record) -> Verdict {
    let lines = whole(record);
    if record.header.revision != G::REVISION {
        let why = format!(
            "it was played under revision {} of the rules, this release plays revision {}",
            record.header.revision,
            G::REVISION
        );
        return Verdict { lines, dice: DiceVerdict::CannotTell(why.clone()), play: Play::CannotTell(why) };
    }
    let mut table = match Table::<G>::opened(record) {
        Ok(table) => table,
        Err(problems) => {
            let problem =
                problems.into_iter().next().unwrap_or_else(|| Problem::new("the header does not open"));
            let why = problem.message.clone();
            return Verdict {
                lines,
                dice: DiceVerdict::CannotTell(why),
                play: Play::PartsAt(problem.at("", 1, 0)),
            };
        }
    };
    let mut play = Play::Follows;
    for line in &record.lines {
        if let Err(problem) = table.replay_line(line) {
            play = Play::PartsAt(problem);
            break;
        }
    }
    let dice = dice_of(record, &table);
    Verdict { lines, dice, play }
}

fn whole(record: &Record) -> Lines {
    let mut chain = Digest::of(&record.header_text);
    for (line, n) in record.lines.iter().zip(1..) {
        chain = chain.then(&line.body());
        if line.n != n || line.chain != chain {
            return Lines::PartsAt(Problem::new("the line is not the one that was written").at("", n + 1, 0));
        }
    }
    match &record.broken {
        Some(problem) => Lines::PartsAt(problem.clone()),
        None if matches!(record.lines.last().map(|l| &l.act), Some(Act::End { .. })) => Lines::Whole,
        None => Lines::NoEnd,
    }
}

/// Throws every die again from the revealed key. The addresses are known from the replay.
fn dice_of<G: Game>(record: &Record, table: &Table<G>) -> DiceVerdict {
    let Some(commitment) = &record.header.commitment else { return DiceVerdict::NoCommitment };
    let Some(text) = record.lines.iter().rev().find_map(|l| match &l.act {
        Act::End { key, .. } => key.as_ref(),
        _ => None,
    }) else {
        return DiceVerdict::NotRevealed;
    };
    let end = u32::try_from(record.lines.len() + 1).unwrap_or(u32::MAX);
    let key: Key = match text.parse() {
        Ok(key) => key,
        Err(why) => return DiceVerdict::PartsAt(Problem::new(why).at("", end, 0)),
    };
    if key.commitment() != *commitment {
        return DiceVerdict::PartsAt(
            Problem::new("the key revealed is not the one committed to").at("", end, 0),
        );
    }
    let mut seeded = Seeded::new(key.with_words(G::NAME, &record.header.words));
    match table.throw_again(&mut seeded, record) {
        Ok(()) => DiceVerdict::Committed,
        Err((line, Some(NoDice::Needs(_) | NoDice::OutOfRange { .. }))) | Err((line, None)) => {
            DiceVerdict::PartsAt(Problem::new("a die is not the one that the key gives").at("", line + 1, 0))
        }
    }
}
