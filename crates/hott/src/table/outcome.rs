//! The outcome rows of section 15.2 and of the big battles, expanded to one dense array.

use rulebook::{RuleId, RulesError, RulesErrors};

use super::data::{RawEntry, RawFile, RawRow};
use super::load::{Source, key};
use super::options::LightHorseShot;
use super::{Mode, TroopType, TypeSet};

/// What becomes of a loser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Nothing; the fight goes on (HOTT-269).
    #[default]
    None,
    /// HOTT-302.
    Recoil,
    /// HOTT-316: flees by the flight distance.
    Flee,
    /// HOTT-323: flees the battlefield.
    FleeField,
    /// HOTT-201.
    Ensorcelled,
    /// HOTT-333.
    Destroyed,
    /// HOTT-335: a Stronghold captured, or lost as if captured.
    Captured,
}

impl Outcome {
    /// Every outcome, mildest first: the order in which `flank_outcome = worst` looks for the worst.
    pub const ALL: [Outcome; 7] = [
        Outcome::None,
        Outcome::Recoil,
        Outcome::Flee,
        Outcome::FleeField,
        Outcome::Ensorcelled,
        Outcome::Destroyed,
        Outcome::Captured,
    ];

    /// The word of the table file.
    pub fn word(self) -> &'static str {
        ["none", "recoil", "flee", "flees_field", "ensorcelled", "destroyed", "captured"][self as usize]
    }

    /// The letter of the tables of section 15.3.
    pub fn letter(self) -> char {
        ['.', 'R', 'F', 'B', 'E', 'X', 'C'][self as usize]
    }

    /// The outcome with this word.
    pub fn from_word(word: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|o| o.word() == word)
    }

    /// The outcome with this letter.
    pub fn from_letter(letter: char) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|o| o.letter() == letter)
    }
}

/// The loser's ground as the outcome tables see it (HOTT-272).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Going {
    /// In good going.
    #[default]
    Good,
    /// In bad going.
    Bad,
    /// In a river that the option `river_outcome` takes out of the tables.
    Neither,
}

/// How badly a fight was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Degree {
    /// HOTT-264.
    Beaten,
    /// HOTT-265.
    Doubled,
}

/// One case of the outcome tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Defeat {
    /// The way of fighting.
    pub mode: Mode,
    /// The loser's ground.
    pub going: Going,
    /// HOTT-274: the loser moved into this contact in this bound.
    pub just_contacted: bool,
    /// HOTT-296: the winner, main attacker of a Stronghold, has a ground element aiding.
    pub ground_aid: bool,
    /// Who loses.
    pub loser: TroopType,
    /// To whom.
    pub winner: TroopType,
    /// How badly.
    pub degree: Degree,
}

const CELLS: usize = 3 * 3 * 2 * 2 * TroopType::COUNT * TroopType::COUNT * 2;

impl Defeat {
    fn index(self) -> usize {
        let mut i = self.mode as usize;
        i = i * 3 + self.going as usize;
        i = i * 2 + usize::from(self.just_contacted);
        i = i * 2 + usize::from(self.ground_aid);
        i = i * TroopType::COUNT + self.loser.index();
        i = i * TroopType::COUNT + self.winner.index();
        i * 2 + self.degree as usize
    }
}

/// The outcome of every case, and the rule of each loser's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    cells: Vec<Outcome>,
    rules: [RuleId; TroopType::COUNT],
}

impl Outcomes {
    /// The outcome that the rows give, before anything is ignored.
    pub fn get(&self, case: Defeat) -> Outcome {
        self.cells[case.index()]
    }

    /// The rule of the loser's row.
    pub fn rule(&self, loser: TroopType) -> RuleId {
        self.rules[loser.index()]
    }

    /// Reads and expands the rows of the file.
    pub(super) fn expand(file: &RawFile, source: &Source<'_>) -> Result<Outcomes, RulesErrors> {
        let mut errors = Vec::new();
        let mut cells = vec![Outcome::None; CELLS];
        let mut rules = TroopType::ALL.map(|_| rulebook::rule!("HOTT-269"));
        for loser in TroopType::ALL {
            match rows_of(file, loser, source) {
                Ok((rule, rows)) => {
                    rules[loser.index()] = rule;
                    fill(&mut cells, loser, &rows, source.big.light_horse_shot);
                }
                Err(e) => errors.push(e),
            }
        }
        RulesErrors::check(errors).map(|()| Outcomes { cells, rules })
    }
}

/// One entry of a row, checked; entries whose option has another value are left out.
struct Entry {
    winner: TypeSet,
    by: [bool; 3],
    going: Option<Going>,
    just_contacted: Option<bool>,
    ground_aid: Option<bool>,
    result: Outcome,
}

impl Entry {
    fn holds(&self, case: Defeat) -> bool {
        self.winner.has(case.winner)
            && self.by[case.mode as usize]
            && self.going.is_none_or(|g| g == case.going)
            && self.just_contacted.is_none_or(|j| j == case.just_contacted)
            && self.ground_aid.is_none_or(|a| a == case.ground_aid)
    }
}

/// Expands the two rows of one loser.
fn fill(cells: &mut [Outcome], loser: TroopType, rows: &[Vec<Entry>; 2], shot: LightHorseShot) {
    for mode in Mode::ALL {
        for going in [Going::Good, Going::Bad, Going::Neither] {
            for (just_contacted, ground_aid) in [(false, false), (false, true), (true, false), (true, true)] {
                for winner in TroopType::ALL {
                    for degree in [Degree::Beaten, Degree::Doubled] {
                        let case = Defeat { mode, going, just_contacted, ground_aid, loser, winner, degree };
                        let seen = Defeat { winner: seen_as(winner, mode, shot), ..case };
                        let row = &rows[degree as usize];
                        cells[case.index()] =
                            row.iter().find(|e| e.holds(seen)).map_or(Outcome::None, |e| e.result);
                    }
                }
            }
        }
    }
}

/// BB-078: the column under which a winner is read.
fn seen_as(winner: TroopType, mode: Mode, shot: LightHorseShot) -> TroopType {
    let as_shooters = shot == LightHorseShot::Shooters;
    if winner == TroopType::LtH && mode == Mode::Shot && as_shooters { TroopType::Sht } else { winner }
}

fn rows_of(
    file: &RawFile,
    loser: TroopType,
    source: &Source<'_>,
) -> Result<(RuleId, [Vec<Entry>; 2]), RulesError> {
    let row = |name: &str| -> Result<&RawRow, RulesError> {
        file.outcome.get(name).ok_or_else(|| source.missing(&format!("outcome.{name}")))
    };
    let name = key(loser);
    let own = row(&name)?;
    let (name, from) = match &own.same_as {
        None => (&name, own),
        Some(other) => (other, row(other)?),
    };
    let read = |column: &str, given: &Option<Vec<RawEntry>>| -> Result<Vec<Entry>, RulesError> {
        let path = format!("outcome.{name}.{column}");
        let mut entries = Vec::new();
        for (i, raw) in given.as_ref().ok_or_else(|| source.missing(&path))?.iter().enumerate() {
            entries.extend(entry(raw, &format!("{path}.{i}"), source)?);
        }
        Ok(entries)
    };
    Ok((own.rule, [read("beaten", &from.beaten)?, read("doubled", &from.doubled)?]))
}

/// Checks one entry; `None` if its option has another value.
fn entry(raw: &RawEntry, path: &str, source: &Source<'_>) -> Result<Option<Entry>, RulesError> {
    let mut by = [raw.by.is_none(); 3];
    for word in raw.by.as_deref().unwrap_or_default() {
        let mode = Mode::ALL.into_iter().find(|m| m.word() == word);
        let mode =
            mode.ok_or_else(|| source.word(&format!("{path}.by"), word, &Mode::ALL.map(Mode::word)))?;
        by[mode as usize] = true;
    }
    let going = match raw.going.as_deref() {
        None => None,
        Some("good") => Some(Going::Good),
        Some("bad") => Some(Going::Bad),
        Some(other) => return Err(source.word(&format!("{path}.going"), other, &["good", "bad"])),
    };
    let words = Outcome::ALL.map(Outcome::word);
    let result = Outcome::from_word(&raw.result)
        .ok_or_else(|| source.word(&format!("{path}.result"), &raw.result, &words))?;
    let winner = match &raw.winner {
        None => TypeSet::ALL,
        Some(names) => source.types(&format!("{path}.winner"), names)?,
    };
    let active = match (&raw.option, &raw.is) {
        (None, None) => true,
        (Some(option), Some(value)) => source.option_is(path, option, value)?,
        (Some(_), None) => return Err(source.missing(&format!("{path}.is"))),
        (None, Some(_)) => return Err(source.missing(&format!("{path}.option"))),
    };
    let (just_contacted, ground_aid) = (raw.just_contacted, raw.ground_aid);
    let entry = Entry { winner, by, going, just_contacted, ground_aid, result };
    Ok(active.then_some(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_letters_come_back() {
        for o in Outcome::ALL {
            assert_eq!(Outcome::from_word(o.word()), Some(o));
            assert_eq!(Outcome::from_letter(o.letter()), Some(o));
        }
        assert_eq!(Outcome::from_word("vanished"), None);
        assert_eq!(Outcome::from_letter('?'), None);
    }

    #[test]
    fn every_case_has_a_cell_of_its_own() {
        let mut seen = vec![false; CELLS];
        for mode in Mode::ALL {
            for going in [Going::Good, Going::Bad, Going::Neither] {
                for flags in 0..4 {
                    for loser in TroopType::ALL {
                        for winner in TroopType::ALL {
                            for degree in [Degree::Beaten, Degree::Doubled] {
                                let (just_contacted, ground_aid) = (flags & 1 == 1, flags & 2 == 2);
                                let i =
                                    Defeat { mode, going, just_contacted, ground_aid, loser, winner, degree }
                                        .index();
                                assert!(!std::mem::replace(&mut seen[i], true));
                            }
                        }
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|s| s));
    }
}
