//! One sheet for the two armies at hand: what each type does and what befalls it from the types it meets, the factors and
//! costs that can occur between them, how it ends. Nothing else.

use super::model::{Army, Entry};
use super::roster::{Sheet, SheetBlock, fights, moves, outcomes_by, summary};
use crate::figure::pips;
use crate::table::{Class, Degree, Grade, Tables, TroopType};
use rulebook::{RuleId, rule};

/// The sheet of two armies that are about to fight.
#[must_use]
pub fn versus_sheet(armies: [&Army; 2], tables: &Tables) -> Sheet {
    let types = armies.map(types_of);
    let mut blocks = Vec::new();
    for (own, other) in [(0, 1), (1, 0)] {
        let mut seen: Vec<(TroopType, Grade, bool)> = Vec::new();
        for e in &armies[own].entries {
            let kind = (e.ty, e.grade, e.shooting);
            if !seen.contains(&kind) {
                seen.push(kind);
                blocks.push(kind_of(e, armies[own], &types[other], tables));
            }
        }
        blocks.push(walls(armies[own], &types[other], tables));
    }
    let all: Vec<TroopType> = types.concat();
    blocks.extend([factors(&all, tables), costs(&all, armies, tables), end(armies, tables)]);
    let told = |a: &Army| format!("{}: {}", a.name, summary(a, tables));
    Sheet {
        title: format!("{} against {}", armies[0].name, armies[1].name),
        summary: armies.map(told).join(". "),
        blocks,
        rules: Vec::new(),
    }
}

fn types_of(army: &Army) -> Vec<TroopType> {
    let mut all = Vec::new();
    for e in &army.entries {
        if !all.contains(&e.ty) {
            all.push(e.ty);
        }
    }
    all
}

fn line(label: &str, text: impl Into<String>) -> (String, String) {
    (label.to_owned(), text.into())
}

fn cited(list: &[RuleId]) -> (String, String) {
    line("rules", list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

/// What a type does, and what befalls it from those it meets: a Stronghold may be among these.
fn kind_of(e: &Entry, army: &Army, foes: &[TroopType], tables: &Tables) -> SheetBlock {
    let grade = match e.grade {
        Grade::Levy => "Levy ",
        Grade::Plain => "",
        Grade::Elite => "Elite ",
    };
    let mut winners = foes.to_vec();
    winners.push(TroopType::Str);
    let mut lines = vec![line("moves", moves(e.ty, tables)), line("fights", fights(e, tables))];
    lines.push(line("beaten", outcomes_by(&winners, e.ty, Degree::Beaten, tables)));
    lines.push(line("doubled", outcomes_by(&winners, e.ty, Degree::Doubled, tables)));
    SheetBlock {
        title: format!("{grade}{}", e.ty.plural()),
        aside: format!("{}, {} {}", army.name, e.ty.code(), tables.class(e.ty).word()),
        lines,
    }
}

/// The Stronghold of a side: the defender's, and the attacker's if he has one.
fn walls(army: &Army, foes: &[TroopType], tables: &Tables) -> SheetBlock {
    let ty = TroopType::Str;
    let lines = vec![
        line("fights", fights(&Entry::new(ty, 1), tables)),
        line("beaten", outcomes_by(foes, ty, Degree::Beaten, tables)),
    ];
    SheetBlock { title: "Stronghold, if there is one".to_owned(), aside: army.name.clone(), lines }
}

/// Section 14: the factors that can occur between these.
fn factors(all: &[TroopType], tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let any = |f: &dyn Fn(TroopType) -> bool| all.iter().any(|t| f(*t));
    let shoots = any(&|t| tables.troop(t).shoots.is_some());
    let magic = any(&|t| tables.troop(t).bespells);
    let (shot, bespelled) = (if shoots { ", shot at" } else { "" }, if magic { ", bespelled" } else { "" });
    let mut lines = vec![
        line("general", format!("{:+} in close combat{shot}{bespelled}", n.factor_general)),
        line(
            "uphill",
            format!("{:+} with a part of the front edge above all of the enemy's", n.factor_uphill),
        ),
        line("bank", format!("{:+} behind a river, the enemy in it", n.factor_bank)),
        line("exposed", format!("{:+} for each of left, right, rear overlapped or hit", n.factor_exposed)),
    ];
    let mut rules = vec![rule!("HOTT-248"), rule!("HOTT-249"), rule!("HOTT-250"), rule!("HOTT-252")];
    if any(&|t| matches!(t, TroopType::Spr | TroopType::Wbd)) {
        let text =
            format!("{:+} for Spears or Warbands with another behind, both in good going", n.factor_support);
        lines.push(line("support", text));
        rules.push(rule!("HOTT-251"));
    }
    let aided = match (shoots, magic) {
        (true, true) => "shooter, bespeller or ",
        (true, false) => "shooter or ",
        (false, true) => "bespeller or ",
        (false, false) => "",
    };
    let text = format!("{:+} for each who helps the first {aided}attacker of a Stronghold", n.factor_aid);
    lines.push(line("aid", format!("{text}, at most {}", n.aids_max)));
    rules.push(rule!("HOTT-253"));
    if shoots || magic {
        lines.push(line("cover", format!("{:+} shot at or bespelled in a wood or town", n.factor_cover)));
        rules.push(rule!("HOTT-254"));
    }
    if magic {
        let ward = any(&|t| matches!(t, TroopType::Clr | TroopType::Pal));
        let near = if ward { " or near a hostile Cleric or Paladin" } else { "" };
        lines.push(line("ward", format!("{:+} bespelled across water{near}", n.factor_ward)));
        let text = format!("{:+} bespelling a Magician near his own Stronghold", n.factor_stronghold_magic);
        lines.push(line("walls", text));
        rules.extend([rule!("HOTT-255"), rule!("HOTT-257")]);
    }
    let who = "close combat in bad going or water, but for those at home there";
    let also = "mounted and aerial (Beasts not) also against one who stands in it";
    lines.push(line("going", format!("{:+} {who}; {also}", n.factor_going)));
    rules.push(rule!("HOTT-256"));
    lines.push(cited(&rules));
    SheetBlock { title: "Factors".to_owned(), aside: "added to the die".to_owned(), lines }
}

/// Section 7: what PIPs pay for between these.
fn costs(all: &[TroopType], armies: [&Army; 2], tables: &Tables) -> SheetBlock {
    let n = &tables.numbers;
    let has = |t: TroopType| all.contains(&t);
    let mut lines = vec![line("move", format!("{} for an element or a group", pips(n.pip_move)))];
    let mut rules = vec![rule!("HOTT-091"), rule!("HOTT-093")];
    if has(TroopType::Mag) || all.iter().any(|t| tables.class(*t) == Class::Aerial) {
        lines.push(line("more", format!("{:+} with any Aerial or Magician", n.pip_aerial_or_magician)));
        rules.push(rule!("HOTT-092"));
    }
    lines.push(line("more", format!("{:+} general lost, too far off or out of sight", n.pip_no_command)));
    if armies.iter().any(|a| a.entries.iter().any(|e| e.contingent.is_some())) {
        lines.push(line("more", format!("{:+} for elements of two contingents", n.pip_contingents)));
        rules.push(rule!("HOTT-096"));
    }
    let heroes = has(TroopType::Her) || has(TroopType::AHe) || has(TroopType::Mag);
    let frogs = heroes && has(TroopType::Mag);
    let mut put = |wanted: bool, label: &str, text: String, rule: RuleId| {
        if wanted {
            lines.push(line(label, text));
            rules.push(rule);
        }
    };
    let lurkers = has(TroopType::Lrk) || has(TroopType::WLk);
    put(
        lurkers,
        "Lurker",
        format!("{}, each time {} more", pips(n.pip_lurker), n.pip_lurker_again),
        rule!("HOTT-098"),
    );
    put(has(TroopType::Hrd), "Horde", format!("{} brings one back", pips(n.pip_horde)), rule!("HOTT-099"));
    put(frogs, "frog", format!("{} bring one back", pips(n.pip_desorcel)), rule!("HOTT-100"));
    put(has(TroopType::God), "God", pips(n.pip_god), rule!("HOTT-101"));
    put(has(TroopType::Drg), "Dragons", pips(n.pip_dragons), rule!("HOTT-102"));
    put(has(TroopType::Mag), "bespell", pips(n.pip_bespell), rule!("HOTT-103"));
    put(has(TroopType::Mag), "aid", format!("{} each", pips(n.pip_aid)), rule!("HOTT-104"));
    lines.push(cited(&rules));
    SheetBlock { title: "PIPs".to_owned(), aside: "a die a bound".to_owned(), lines }
}

/// Section 17: how it ends.
fn end(armies: [&Army; 2], tables: &Tables) -> SheetBlock {
    let half =
        armies.map(|a| format!("{} {}", a.name, super::roster::half_of(a.ap_total(tables)))).join(", ");
    SheetBlock {
        title: "The end".to_owned(),
        aside: "judged at the end of each bound".to_owned(),
        lines: vec![
            line("general", "lost, and more AP lost than the enemy"),
            line("half", format!("{half} AP lost, and more than the enemy")),
            line("walls", "a Stronghold taken: its side loses"),
            cited(&[rule!("HOTT-340"), rule!("HOTT-341"), rule!("HOTT-342")]),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::army::sheet_text;
    use crate::table::Scope;

    fn army(name: &str, types: &[TroopType]) -> Army {
        let mut army = Army::new(name);
        army.entries.extend(types.iter().map(|t| Entry::new(*t, 2)));
        army
    }

    #[test]
    fn it_tells_what_the_two_need_and_no_more() {
        use TroopType::{Bld, Hrd, Kni, Mag, Sht, Spr};
        let tables = Tables::standard(Scope::Base);
        let text =
            sheet_text(&versus_sheet([&army("Reds", &[Bld, Spr]), &army("Blues", &[Kni, Hrd])], &tables));
        // Knights destroy Spears; nobody here destroys Blades who are only beaten.
        assert!(text.contains("destroyed by Kni"), "{text}");
        assert!(!text.contains("by Wbd") && !text.contains("Mag"), "{text}");
        assert!(text.contains("support") && text.contains("Horde"), "{text}");
        assert!(!text.contains("bespell") && !text.contains("cover") && !text.contains("Lurker"), "{text}");
        let text = sheet_text(&versus_sheet([&army("Reds", &[Mag]), &army("Blues", &[Sht, Mag])], &tables));
        assert!(text.contains("bespell") && text.contains("cover") && text.contains("frog"), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    }
}
