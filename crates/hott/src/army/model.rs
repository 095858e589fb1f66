//! An army list: what its owner wrote down, legal or not.

use std::fmt;

use rulebook::rule;
use serde::{Serialize, Serializer};

use crate::table::{Grade, Scale, Tables, TroopType};

/// An amount of AP in halves, since graded elements may cost half points (BB-007).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Halves(pub i32);

impl Halves {
    /// Whole points.
    pub const fn whole(ap: i32) -> Halves {
        Halves(ap * 2)
    }
}

impl std::ops::Add for Halves {
    type Output = Halves;
    fn add(self, other: Halves) -> Halves {
        Halves(self.0 + other.0)
    }
}

impl std::iter::Sum for Halves {
    fn sum<I: Iterator<Item = Halves>>(all: I) -> Halves {
        all.fold(Halves(0), |a, b| a + b)
    }
}

impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.0 % 2 == 0 { (self.0 / 2).to_string() } else { format!("{}.5", self.0 / 2) };
        f.pad(&text)
    }
}

impl Serialize for Halves {
    /// A number: whole, or with `.5`.
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if self.0 % 2 == 0 {
            return s.serialize_i32(self.0 / 2);
        }
        // read, not divided: engines do no arithmetic on floats
        s.serialize_f64(self.to_string().parse().map_err(serde::ser::Error::custom)?)
    }
}

/// Some elements of a list that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Their type.
    pub ty: TroopType,
    /// How many; at least 1.
    pub count: u16,
    /// The one element of this entry holds the general.
    pub general: bool,
    /// What its owner calls them.
    pub name: Option<String>,
    /// HOTT-352: the people they belong to, if it is not the army's own.
    pub contingent: Option<String>,
    /// BB-007.
    pub grade: Grade,
    /// BB-011, BB-015: equipped with a shooting weapon.
    pub shooting: bool,
    /// BB-002: their command, from 1.
    pub command: u8,
    /// The line of the text it was read from, from 1; 0 if there was none.
    pub line: u32,
}

impl Entry {
    /// Ordinary elements of one type.
    pub fn new(ty: TroopType, count: u16) -> Entry {
        Entry {
            ty,
            count,
            general: false,
            name: None,
            contingent: None,
            grade: Grade::Plain,
            shooting: false,
            command: 1,
            line: 0,
        }
    }

    /// What one of them costs (BB-007: graded elements in exact halves).
    pub fn cost_each(&self, tables: &Tables) -> Halves {
        let halves = match self.grade {
            Grade::Levy => tables.numbers.levy_cost_halves,
            Grade::Plain => 2,
            Grade::Elite => tables.numbers.elite_cost_halves,
        };
        Halves(tables.troop(self.ty).ap * halves)
    }

    /// What all of them cost.
    pub fn cost(&self, tables: &Tables) -> Halves {
        Halves(self.cost_each(tables).0 * i32::from(self.count))
    }

    /// `4 Warbands`, `1 Hero (general)`, `2 Elite Knights "Household"`.
    pub fn label(&self) -> String {
        let grade = match self.grade {
            Grade::Levy => "Levy ",
            Grade::Plain => "",
            Grade::Elite => "Elite ",
        };
        let what = if self.count == 1 { self.ty.name() } else { self.ty.plural() };
        let mut text = format!("{} {grade}{what}", self.count);
        if self.shooting {
            text.push_str(" with a shooting weapon");
        }
        if self.general {
            text.push_str(" (general)");
        }
        if let Some(name) = &self.name {
            text.push_str(&format!(" \"{name}\""));
        }
        text
    }
}

/// HOTT-074: the form of a Stronghold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StrongholdForm {
    /// A rectangle.
    #[default]
    Rectangle,
    /// A circle; its width is its diameter.
    Circle,
}

/// HOTT-074: the Stronghold's footprint, in hundredths of a base width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StrongholdPlan {
    /// Its form.
    pub form: StrongholdForm,
    /// Along the base edge.
    pub width_bw: i32,
    /// Away from the base edge.
    pub depth_bw: i32,
}

impl StrongholdPlan {
    /// The usual footprint.
    pub fn usual(tables: &Tables) -> StrongholdPlan {
        StrongholdPlan {
            form: StrongholdForm::Rectangle,
            width_bw: tables.numbers.stronghold_width_bw,
            depth_bw: tables.numbers.stronghold_depth_bw,
        }
    }
}

/// BB-002: how an army of several commands is led.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Commands {
    /// The command of the commander-in-chief, from 1.
    pub cinc: u8,
}

/// An army as its list has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Army {
    /// Its name.
    pub name: String,
    /// The people it belongs to (HOTT-352), for entries that name no contingent.
    pub people: Option<String>,
    /// The AP it was written for; none: the standard size.
    pub ap: Option<i32>,
    /// The scale of its figures.
    pub scale: Scale,
    /// Its Stronghold, if it is not the usual one.
    pub stronghold: Option<StrongholdPlan>,
    /// Who leads, if it has several commands.
    pub commands: Commands,
    /// Whatever else its owner wrote.
    pub note: Option<String>,
    /// Its elements.
    pub entries: Vec<Entry>,
}

impl Army {
    /// An army with a name and nothing in it.
    pub fn new(name: &str) -> Army {
        Army {
            name: name.to_owned(),
            people: None,
            ap: None,
            scale: Scale::Mm15,
            stronghold: None,
            commands: Commands { cinc: 1 },
            note: None,
            entries: Vec::new(),
        }
    }

    /// What all of it costs.
    pub fn ap_total(&self, tables: &Tables) -> Halves {
        self.entries.iter().map(|e| e.cost(tables)).sum()
    }

    /// HOTT-010: what stands in elements whose type is cheaper than `dear_from_ap` (BB-005:
    /// `premium_by` may look at what was paid instead).
    pub fn ap_small(&self, tables: &Tables) -> Halves {
        self.entries.iter().filter(|e| !is_dear(tables, e)).map(|e| e.cost(tables)).sum()
    }

    /// How many elements it has.
    pub fn element_count(&self) -> usize {
        self.entries.iter().map(|e| usize::from(e.count)).sum()
    }

    /// The commands that occur, in order.
    pub fn command_numbers(&self) -> Vec<u8> {
        let mut all: Vec<u8> = self.entries.iter().map(|e| e.command).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Every element by itself, in the order of the list: what a battle is set up from.
    pub fn elements(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flat_map(|e| std::iter::repeat_n(e, usize::from(e.count)))
    }
}

/// HOTT-010, BB-005: whether an entry counts among the dear elements.
pub(super) fn is_dear(tables: &Tables, entry: &Entry) -> bool {
    let by_paid = tables.is_big() && tables.big.premium_by == crate::table::options::PremiumBy::Paid;
    let cost = if by_paid { entry.cost_each(tables) } else { Halves::whole(tables.troop(entry.ty).ap) };
    cost >= Halves::whole(tables.numbers.dear_from_ap)
}

/// HOTT-011 is cited often enough to have a name.
pub(super) const ONE_GENERAL: rulebook::RuleId = rule!("HOTT-011");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Scope;

    #[test]
    fn halves_print_and_serialize_exactly() {
        for (halves, text) in [(0, "0"), (1, "0.5"), (9, "4.5"), (48, "24")] {
            assert_eq!(Halves(halves).to_string(), text);
            assert_eq!(serde_json::to_string(&Halves(halves)).unwrap(), text);
        }
        assert_eq!(format!("{:>4}", Halves(9)), " 4.5");
        assert_eq!([Halves(1), Halves(3)].into_iter().sum::<Halves>(), Halves::whole(2));
    }

    #[test]
    fn bb_007_costs_of_graded_elements() {
        let t = Tables::standard(Scope::Big);
        let cost = |ty, grade| Entry { grade, ..Entry::new(ty, 1) }.cost_each(&t);
        assert_eq!(cost(TroopType::Hrd, Grade::Levy), Halves(1));
        assert_eq!(cost(TroopType::Hrd, Grade::Elite), Halves(3));
        assert_eq!(cost(TroopType::Snk, Grade::Elite), Halves(9));
        assert_eq!(cost(TroopType::Bld, Grade::Elite), Halves::whole(3));
        assert_eq!(cost(TroopType::AHe, Grade::Elite), Halves::whole(9));
        assert_eq!(Entry::new(TroopType::Hrd, 3).cost(&t), Halves::whole(3));
    }
}
