//! From army lists to the set-up document.

use super::{CommandSetup, ElementSetup, Setup, SideSetup};
use crate::army::Army;
use crate::table::Grade;

impl SideSetup {
    /// The side that an army list makes.
    #[must_use]
    pub fn of_army(army: &Army) -> SideSetup {
        let people: Vec<&String> = {
            let mut named: Vec<&String> = Vec::new();
            for entry in &army.entries {
                if let Some(people) = &entry.contingent
                    && Some(people) != army.people.as_ref()
                    && !named.contains(&people)
                {
                    named.push(people);
                }
            }
            named
        };
        let element = |entry: &crate::army::Entry| ElementSetup {
            ty: entry.ty.name().to_owned(),
            count: entry.count,
            general: entry.general,
            name: entry.name.clone().unwrap_or_default(),
            grade: match entry.grade {
                Grade::Plain => None,
                Grade::Elite => Some("elite".to_owned()),
                Grade::Levy => Some("levy".to_owned()),
            },
            armed: entry.shooting,
            reserve: 0,
            // HOTT-352: the army's own people are number 0.
            contingent: entry
                .contingent
                .as_ref()
                .and_then(|c| people.iter().position(|p| *p == c))
                .map_or(0, |n| u8::try_from(n + 1).unwrap_or(u8::MAX)),
        };
        let commands = army
            .command_numbers()
            .into_iter()
            .map(|n| CommandSetup {
                name: String::new(),
                late: 0,
                contingent: None,
                in_chief: n == army.commands.cinc,
                elements: army.entries.iter().filter(|e| e.command == n).map(element).collect(),
            })
            .collect();
        SideSetup { army: army.name.clone(), commands, ..SideSetup::default() }
    }
}

impl Setup {
    /// The set-up of these armies, everything else to be diced for or chosen.
    #[must_use]
    pub fn of_armies<'a>(armies: impl IntoIterator<Item = &'a Army>) -> Setup {
        let armies: Vec<&Army> = armies.into_iter().collect();
        Setup {
            scale: armies.first().map(|a| a.scale.word().to_owned()),
            sides: armies.into_iter().map(SideSetup::of_army).collect(),
            ..Setup::default()
        }
    }
}
