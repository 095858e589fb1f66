//! A fighter and its situation in words: `Blade general uphill flank Rider`.

use game::Problem;
use hott::table::{Exposure, Fighter, Footing, Grade, Support, Tables, TroopType};

/// What `--words` prints.
pub const HELP: &str = "\
A fighter is its type and any of these words:
  general                     it holds the general
  elite, levy                 its grade (big battles), before its type or behind it: \"Elite Blade\"
  armed                       it has a shooting weapon: Light Horse, who shoot with it (BB-011), and Scouts, whose
                              weapon tells for whom they stand behind (BB-015): there it is `scouts`
  bad, water, wood            the ground it stands on (wood: a built-up area too)
  uphill, bank                it stands uphill of the enemy, or defends a river bank
  support, scouts             one of its own type, or armed Scouts, directly behind it
  overlapped [2]              an enemy overlaps it on one side, or on both
  flank TYPE, rear TYPE       an enemy of that type is in contact with its flank or rear
  aided [2]                   enemies aid the one that shoots, bespells or attacks it
  warded, stronghold          bespelled: a Cleric or water is in the way; its own Stronghold is near
  charged                     it moved into this contact this bound
  with-ground                 attacking a Stronghold: a ground element aids it
  demoralized                 its command is demoralized (big battles)
";

const WORDS: [&str; 23] = [
    "general",
    "elite",
    "levy",
    "armed",
    "bad",
    "water",
    "wood",
    "uphill",
    "bank",
    "support",
    "scouts",
    "overlapped",
    "flank",
    "rear",
    "aided",
    "warded",
    "stronghold",
    "charged",
    "with-ground",
    "demoralized",
    "in",
    "and",
    "with",
];

/// What may stand before a type.
const AHEAD: [&str; 6] = ["elite", "levy", "plain", "armed", "unarmed", "general"];

/// Reads a fighter.
///
/// # Errors
/// The word that is none, with the nearest.
pub fn read_fighter(text: &str, tables: &Tables) -> Result<Fighter, Problem> {
    let words: Vec<String> =
        text.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    // "Elite Blade", "armed Light Horse": what may stand before the type as well as behind it.
    let ahead = words.iter().take_while(|w| AHEAD.contains(&w.as_str())).count();
    let first = (0..=ahead).find_map(|n| read_type(&words[n..]).map(|(ty, used)| (ty, n, used)));
    // A word that is none is told as it was typed.
    let typed = || text.split([' ', ',']).filter(|w| !w.is_empty()).nth(ahead).unwrap_or("");
    let (ty, at, used) = first.ok_or_else(|| unknown_type(typed()))?;
    let words: Vec<String> = words[..at].iter().chain(&words[at + used..]).cloned().collect();
    if tables.troop(ty).big && !tables.is_big() {
        return Err(Problem::new(format!("{} are of the big battles", ty.plural())).hint("muster odds big …"));
    }
    let mut who = Fighter::new(ty);
    let mut rest = words.iter().peekable();
    let footing = Footing::GOOD;
    while let Some(word) = rest.next() {
        match word.as_str() {
            "general" | "gen" => who.general = true,
            "elite" | "levy" if !tables.is_big() => {
                let problem = Problem::new("grades are of the big battles");
                return Err(problem.by(rulebook::rule!("BB-007")).hint("muster odds big …"));
            }
            "elite" => who.grade = Grade::Elite,
            "levy" => who.grade = Grade::Levy,
            "plain" | "unarmed" => {}
            // "Spear armed scouts": whom it has behind it.
            "armed" if rest.peek().is_some_and(|w| *w == "scouts") => {}
            "armed" if tables.troop(ty).arms.is_none() || !tables.is_big() => {
                let problem = Problem::new(format!("{} have no choice of a shooting weapon", ty.plural()));
                return Err(problem
                    .by(rulebook::rule!("BB-011"))
                    .hint("Light Horse and Scouts of the big battles have it"));
            }
            "armed" => {}
            "bad" => who.footing.bad = true,
            "water" | "river" => who.footing.water = true,
            "wood" | "bua" => who.footing = Footing { bad: true, wood: true, ..who.footing },
            "uphill" => who.uphill = true,
            "bank" => who.bank = true,
            "support" | "supported" => who.support = Support::Rank { footing },
            "scouts" => who.support = Support::Scouts { footing },
            "overlapped" | "overlap" => {
                let sides = usize::from(number(&mut rest) == Some(2)) + 1;
                let free = who.exposed[..2].iter_mut().filter(|e| **e == Exposure::Safe).take(sides);
                free.for_each(|e| *e = Exposure::Overlapped);
            }
            "flank" | "rear" => {
                let rest_words: Vec<String> = rest.clone().cloned().collect();
                let graded = rest_words.iter().take_while(|w| AHEAD.contains(&w.as_str())).count();
                rest.by_ref().take(graded).for_each(drop);
                let (enemy, used) = read_type(&rest_words[graded..]).ok_or_else(|| {
                    Problem::new(format!("{word}: by which type?")).hint(format!("{word} Rider"))
                })?;
                rest.by_ref().take(used).for_each(drop);
                let free = usize::from(who.exposed[0] != Exposure::Safe);
                who.exposed[if word == "rear" { 2 } else { free }] = Exposure::Contacted(enemy);
            }
            "aided" | "aid" => who.aids = number(&mut rest).unwrap_or(1),
            "warded" => who.warded = true,
            "stronghold" => who.near_stronghold = true,
            "charged" => who.just_contacted = true,
            "with-ground" => who.ground_aid = true,
            "demoralized" | "demoralised" => who.demoralised = true,
            "in" | "and" | "with" => {}
            other => {
                let problem =
                    Problem::new(format!("unknown word for a fighter: {other}")).meant(other, WORDS);
                return Err(if problem.hint.is_some() {
                    problem
                } else {
                    problem.hint("muster odds hott --words")
                });
            }
        }
    }
    Ok(who)
}

/// The type at the start of the words, of two words if two make one (`Aerial Hero`, `Water Lurker`).
fn read_type(words: &[String]) -> Option<(TroopType, usize)> {
    let two = words.get(..2).and_then(|w| TroopType::parse(&w.join(" "))).map(|ty| (ty, 2));
    two.or_else(|| words.first().and_then(|w| TroopType::parse(w)).map(|ty| (ty, 1)))
}

fn unknown_type(word: &str) -> Problem {
    let problem =
        Problem::new(format!("unknown element type: {}", if word.is_empty() { "(nothing)" } else { word }));
    match TroopType::suggest(word) {
        Some(ty) => problem.hint(format!("did you mean {}?", ty.name())),
        None => problem.hint(format!("known: {}", TroopType::ALL.map(TroopType::name).join(", "))),
    }
}

fn number<'a>(rest: &mut std::iter::Peekable<impl Iterator<Item = &'a String>>) -> Option<u8> {
    let n = rest.peek()?.parse().ok()?;
    rest.next();
    Some(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hott::table::Scope;

    #[test]
    fn reads_what_a_player_would_type() {
        let tables = Tables::standard(Scope::Base);
        let who = read_fighter("Aerial Hero general in bad, flank Rider overlapped", &tables).unwrap();
        assert_eq!((who.ty, who.general, who.footing.bad), (TroopType::AHe, true, true));
        assert!(who.exposed.contains(&Exposure::Contacted(TroopType::Rid)));
        let who = read_fighter("wb supported overlapped 2", &tables).unwrap();
        assert_eq!(who.exposed[..2], [Exposure::Overlapped; 2]);
        let big = Tables::standard(Scope::Big);
        for (text, ty, grade) in [
            ("Elite Blade", TroopType::Bld, Grade::Elite),
            ("blade elite", TroopType::Bld, Grade::Elite),
            ("Levy Aerial Heroes", TroopType::AHe, Grade::Levy),
            ("Light Horse armed", TroopType::LtH, Grade::Plain),
            ("elite armed light horse general", TroopType::LtH, Grade::Elite),
            ("armed Scouts levy", TroopType::Sct, Grade::Levy),
            ("general Levy Spear armed scouts", TroopType::Spr, Grade::Levy),
            ("Knight flank elite Light Horse", TroopType::Kni, Grade::Plain),
        ] {
            let who = read_fighter(text, &big).unwrap_or_else(|p| panic!("{text}: {p}"));
            assert_eq!((who.ty, who.grade), (ty, grade), "{text}");
        }
        assert!(matches!(read_fighter("Spear armed scouts", &big).unwrap().support, Support::Scouts { .. }));
        for wrong in ["Blade armed", "armed Rangers", "Elite", "Elite Blad"] {
            assert!(read_fighter(wrong, &big).is_err(), "{wrong}");
        }
        for bad in ["", "Elite Blade", "Blad", "Blade upill", "Blade flank", "Scouts"] {
            let problem = read_fighter(bad, &tables).unwrap_err();
            assert!(problem.hint.is_some(), "{bad}: {problem}");
        }
    }
}
