//! One sheet with what big battles add: the new types, grades, Baggage, PIPs, demoralization with its halts, and the end.
//! Its figures and its choices are those of the rules in force.

use super::model::Entry;
use super::roster::{Sheet, SheetBlock, block_of};
use crate::table::options::{
    AllianceEnd, Demoralization, DemoralizedCounts, DemoralizedWhen, EngagedGeneral, GeneralTest,
    MultiSideCombat, PipDice, ScoutSupportGoing,
};
use crate::table::{Tables, TroopType};
use rulebook::{RuleId, rule};

/// The quick sheet of the big battles.
#[must_use]
pub fn quick_sheet(tables: &Tables) -> Sheet {
    let blocks =
        vec![grades(tables), baggage(tables), pips(tables), demoralized(tables), halts(tables), end(tables)];
    let new = [TroopType::LtH, TroopType::Sct, TroopType::Rgr].map(|ty| new_type(tables, ty));
    Sheet {
        title: "Big battles: quick sheet".to_owned(),
        summary: "What is not said here is as in a normal battle. Every command is an army with a general of its own; \
                  one of the generals is the commander-in-chief."
            .to_owned(),
        blocks: new.into_iter().chain(blocks).collect(),
        rules: Vec::new(),
    }
}

fn rules(list: &[RuleId]) -> (String, String) {
    ("rules".to_owned(), list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

fn line(label: &str, text: impl Into<String>) -> (String, String) {
    (label.to_owned(), text.into())
}

/// BB-010 to BB-018: a new type, with what it may do that others may not.
fn new_type(tables: &Tables, ty: TroopType) -> SheetBlock {
    let entry = Entry { shooting: ty == TroopType::LtH, ..Entry::new(ty, 1) };
    let mut block = block_of(&entry, tables);
    block.title = ty.plural().to_owned();
    let extra = match ty {
        TroopType::LtH => vec![line("weapon", "only those equipped shoot; they shoot after moving too")],
        TroopType::Sct => {
            let n = &tables.numbers;
            let going = match tables.big.scout_support_going {
                ScoutSupportGoing::Good => ", both in good going",
                ScoutSupportGoing::Any => "",
            };
            vec![
                line(
                    "passage",
                    "friendly mounted pass through them, they through any friend, facing the same or the opposite way",
                ),
                line(
                    "support",
                    format!(
                        "with a weapon, directly behind a Warband, Spear or Blade that fights mounted or aerial{going}: \
                         {:+} for it, and they share its fate",
                        n.factor_scouts
                    ),
                ),
                line("going", "nothing lost for fighting in bad going"),
            ]
        }
        _ => vec![line("going", "nothing lost for fighting in bad going")],
    };
    let at = block.lines.iter().position(|(l, _)| l == "rules").unwrap_or(block.lines.len());
    block.lines.splice(at..at, extra);
    block
}

fn grades(tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let text = |factor: i32, cost: &str| format!("{cost}, {factor:+} in all combat");
    SheetBlock {
        title: "Grades".to_owned(),
        aside: "marked on every base".to_owned(),
        lines: vec![
            line("Elite", text(n.factor_elite, "half as dear again")),
            line("Levy", text(n.factor_levy, "half the cost")),
            line("not", "for an aid or a supporter; AP lost are those paid"),
            rules(&[rule!("BB-007"), rule!("BB-100")]),
        ],
    }
}

fn baggage(tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let factor = tables.troop(TroopType::Str).cf(crate::table::Class::Foot);
    SheetBlock {
        title: "Baggage".to_owned(),
        aside: "in place of a Stronghold".to_owned(),
        lines: vec![
            line("stands", "in its side's zone, the defender's in any built-up area too; it never moves"),
            line("fights", format!("as a Stronghold, {factor:+}; it gives no factor to others")),
            line(
                "lost",
                format!(
                    "taken off at once, {} AP lost for the army, to no command; the battle goes on, the victor stays",
                    n.baggage_ap
                ),
            ),
            rules(&[rule!("BB-021"), rule!("BB-022"), rule!("BB-023"), rule!("BB-083")]),
        ],
    }
}

fn pips(tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let dice = match tables.big.pip_dice {
        PipDice::Own => "a die for each command, all before any PIP is spent",
        PipDice::Assigned => "a die for each command; the commander-in-chief gives each command one score",
        PipDice::One => "one die, its score for every command",
    };
    let engaged = match tables.big.engaged_general {
        EngagedGeneral::NoCommand => format!(
            "with an enemy along an edge he commands only his own element: {:+} PIP for all others",
            n.pip_no_command
        ),
        EngagedGeneral::NoPips => "with an enemy along an edge: PIPs only for his own element".to_owned(),
    };
    let mut lines = vec![
        line("dice", dice),
        line("general", engaged),
        line("lost", format!("{:+} PIP for every move and halt of his command", n.pip_no_command)),
        line(
            "again",
            format!(
                "who is more than {}p from every known enemy, all along, moves again at its cost",
                n.known_enemy_reach
            ),
        ),
        line("hidden", "Gods, Dragons, Lurkers come and go by the commander-in-chief's die"),
        line("guns", "Artillery moves or shoots, in its own side's bound only"),
        line(
            "wings",
            "Aerials may stand in woods and built-up areas; driven back there by any but Aerials: destroyed",
        ),
    ];
    if tables.big.multi_side_combat == MultiSideCombat::Active {
        lines
            .push(line("sides", "of three or more: a fight or shot needs one of the side whose bound it is"));
    }
    lines.push(rules(&[
        rule!("BB-030"),
        rule!("BB-031"),
        rule!("BB-032"),
        rule!("BB-033"),
        rule!("BB-034"),
        rule!("BB-036"),
        rule!("BB-094"),
    ]));
    SheetBlock { title: "PIPs and the bound".to_owned(), aside: "each command its own".to_owned(), lines }
}

fn demoralized(tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let when = match tables.big.demoralized_when {
        DemoralizedWhen::EndOfBound => "at the end of a bound",
        DemoralizedWhen::AtOnce => "at once",
    };
    let test = match tables.big.general_test {
        GeneralTest::Once => "its next PIP score is",
        GeneralTest::EachBound => "any later PIP score is",
    };
    SheetBlock {
        title: "A demoralized command".to_owned(),
        aside: match tables.big.demoralization {
            Demoralization::Permanent => "for good".to_owned(),
            Demoralization::While => "as long as the test holds".to_owned(),
        },
        lines: vec![
            line("half", format!("who has lost half of its AP, {when}")),
            line("general", format!("or has lost its general, and {test} less than half of the AP lost")),
            line("moves", "one element, no group, at the usual cost; all others are halted or run"),
            line(
                "runs",
                format!(
                    "at the end of the moves whoever is not in contact, moved or halted: {}p for the base edge, nearest first; \
                 over an edge is lost",
                    n.demoralised_flight
                ),
            ),
            line(
                "fights",
                format!("{:+} in close combat; victors not demoralized pursue", n.factor_demoralised),
            ),
            line(
                "never",
                "Gods, Dragons and Lurkers come on (not counted as lost); Hordes and fled Lurkers come back",
            ),
            line("comes", "who was ensorcelled, for PIPs that halt nobody else"),
            rules(&[
                rule!("BB-040"),
                rule!("BB-041"),
                rule!("BB-042"),
                rule!("BB-043"),
                rule!("BB-044"),
                rule!("BB-045"),
                rule!("BB-046"),
                rule!("BB-047"),
                rule!("BB-049"),
            ]),
        ],
    }
}

fn halts(tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let guns = if tables.big.halted_artillery_shoots {
        "it stands, fights, shoots and bespells, Artillery too"
    } else {
        "it stands, fights, shoots and bespells, but no halted Artillery shoots"
    };
    SheetBlock {
        title: "Halting".to_owned(),
        aside: "of one element or one group".to_owned(),
        lines: vec![
            line("costs", crate::figure::pips(n.pip_move)),
            line("more", format!("{:+} if any Aerial or Magician is in it", n.pip_aerial_or_magician)),
            line("more", format!("{:+} if the general is lost, engaged or out of reach", n.pip_no_command)),
            line("then", guns),
            rules(&[rule!("BB-061"), rule!("HOTT-092"), rule!("HOTT-093")]),
        ],
    }
}

fn end(tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let whole = match tables.big.demoralized_counts {
        DemoralizedCounts::Seen => "its whole AP, less what was never deployed",
        DemoralizedCounts::Whole => "its whole AP",
    };
    let allies = match tables.big.alliance_end {
        AllianceEnd::Sum => "an alliance counts as one army",
        AllianceEnd::Army => "each army counts by itself",
    };
    let chief = if tables.big.cinc_victory {
        "loses its army the battle if its figure is the higher"
    } else {
        "is no end of the battle"
    };
    SheetBlock {
        title: "The end of the battle".to_owned(),
        aside: "judged at the end of each bound".to_owned(),
        lines: vec![
            line(
                "figure",
                format!("AP lost; of a demoralized command {whole}; lost Baggage {} AP", n.baggage_ap),
            ),
            line("loses", "who has half or more of its AP in the figure, and a higher figure than the enemy"),
            line("sides", format!("of three or more: who is highest so leaves, till one is left; {allies}")),
            line("swept", "who has nobody on the table loses"),
            line("chief", format!("the loss of the commander-in-chief {chief}")),
            rules(&[rule!("BB-050"), rule!("BB-051"), rule!("BB-052"), rule!("BB-053")]),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Scope;

    fn text(sheet: &Sheet) -> String {
        let block = |b: &SheetBlock| {
            let lines: Vec<String> = b.lines.iter().map(|(l, t)| format!("{l} {t}")).collect();
            format!("{} {} {}", b.title, b.aside, lines.join(" "))
        };
        sheet.blocks.iter().map(block).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn it_tells_of_everything_asked_for_with_the_figures_in_force() {
        let all = text(&quick_sheet(&Tables::standard(Scope::Big)));
        for word in [
            "Light Horse",
            "Scouts",
            "Rangers",
            "Elite",
            "Levy",
            "Baggage",
            "Halting",
            "The end",
            "12 AP",
            "600p",
        ] {
            assert!(all.contains(word), "{word}: {all}");
        }
        assert!(all.contains("shoots to 100p"), "{all}");
    }

    #[test]
    fn it_follows_the_options() {
        let plain = text(&quick_sheet(&Tables::standard(Scope::Big)));
        for set in [
            "big.pip_dice=one",
            "big.engaged_general=no_pips",
            "big.demoralized_when=at_once",
            "big.general_test=each_bound",
            "big.demoralization=while",
            "big.halted_artillery_shoots=false",
            "big.demoralized_counts=whole",
            "big.alliance_end=army",
            "big.cinc_victory=true",
            "big.multi_side_combat=all",
            "big.scout_support_going=any",
        ] {
            let Ok(rules) = Tables::layers(Scope::Big).set(set).effective() else { panic!("{set} reads") };
            let Ok(tables) = Tables::load(Scope::Big, &rules) else { panic!("{set} loads") };
            assert_ne!(text(&quick_sheet(&tables)), plain, "{set}");
        }
    }
}
