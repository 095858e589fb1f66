//! `muster odds`: exact chances, from the code that resolves in earnest.

use crate::Common;
use crate::odds_words::read_fighter;
use crate::out::{self, Done, Verdict};
use clap::{Args, ValueEnum};
use game::{Problem, Problems};
use hott::table::{Fighter, Mode, Odds, Outcome, Scope, Tables, TroopType, odds, result};
use serde_json::{Value, json};

/// The exact chances of one fight, shot or spell, and what its factors are made of.
///
/// Each of the two is its type and what holds for it, in words: `"Blade general uphill"`, `"Warband support"`,
/// `"Knight charged bad"`, `"Hero flank Rider"`. `muster odds hott --words` lists the words. On hexes units of lists, with
/// ground, formation, range, flank, impact and the rest after each: `roman/Legionaries uphill with british/Warbands rear`,
/// `english/Longbowmen at french/Mounted woods range 2`; `muster odds heroes --words` lists them all.
#[derive(Debug, Args)]
pub struct OddsCmd {
    /// The game: hott, big or heroes; left out: hott, or that of the record.
    game: Option<String>,
    /// The attacker, main shooter or bespeller (in close combat either of the two).
    first: Option<String>,
    /// The opponent or target.
    second: Option<String>,
    /// On hexes the two sides may be given word by word: roman/Legionaries with british/Warbands disrupted.
    more: Vec<String>,
    /// What they do.
    #[arg(long, value_enum, default_value = "fight")]
    how: How,
    /// The target of the shot can shoot back (HOTT-235).
    #[arg(long)]
    answered: bool,
    /// List the words for a fighter's situation.
    #[arg(long)]
    words: bool,
    /// A record: the two are then labels in its position.
    #[arg(long, value_name = "RECORD", requires_all = ["element", "against"])]
    record: Option<std::path::PathBuf>,
    /// After which line of the record.
    #[arg(long, value_name = "N", requires = "record")]
    at: Option<u32>,
    /// An element in the record's position: A.Kni1.
    #[arg(long, value_name = "LABEL", requires = "record")]
    element: Option<String>,
    /// Against which.
    #[arg(long, value_name = "LABEL", requires = "record")]
    against: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// The games whose fights have odds here.
const GAMES: [&str; 3] = ["hott", "big", "heroes"];

/// The three ways to fight.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum How {
    /// Close combat.
    Fight,
    /// Distant shooting.
    Shoot,
    /// Bespelling.
    Bespell,
}

impl OddsCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        if self.words {
            let hexes = self.game.as_deref() == Some("heroes");
            out::print(if hexes { heroes::cli::ODDS_WORDS } else { crate::odds_words::HELP });
            return Ok(Verdict::Yes);
        }
        if let (Some(path), Some(a), Some(b)) = (&self.record, &self.element, &self.against) {
            let how = match self.how {
                How::Fight => "",
                How::Shoot => " shooting",
                How::Bespell => " magic",
            };
            return in_position(path, self.at, self.game.as_deref(), [a, b], how, self.common.json);
        }
        // "odds Blade Knight": the game may be left out.
        let (game, first, second) = match (&self.game, &self.first, &self.second) {
            (Some(a), Some(b), None) if !GAMES.contains(&a.as_str()) => ("hott", Some(a), Some(b)),
            (Some(game), a, b) => (game.as_str(), a.as_ref(), b.as_ref()),
            (None, ..) => ("hott", None, None),
        };
        if game == "heroes" {
            let between = match self.how {
                _ if !self.more.is_empty() => None,
                How::Fight => Some("with"),
                How::Shoot => Some("at"),
                How::Bespell => {
                    return Err(vec![
                        Problem::new("there is no magic on hexes").hint("--how fight, or shoot"),
                    ]);
                }
            };
            // two sides in quotation marks, or all word by word
            let said = |w: &String| {
                w.split_whitespace().any(|x| matches!(x, "with" | "v" | "vs" | "against" | "at"))
            };
            let between =
                between.filter(|_| second.is_some() && ![first, second].into_iter().flatten().any(said));
            let words: Vec<&str> = (first.into_iter().flat_map(|w| w.split_whitespace()))
                .chain(between)
                .chain(second.into_iter().chain(&self.more).flat_map(|w| w.split_whitespace()))
                .collect();
            return crate::heroes_cmd::odds(&words, &self.common);
        }
        if let Some(word) = self.more.first() {
            let problem = Problem::new(format!("`{word}` is too much: two fighters are weighed"));
            return Err(vec![problem.hint("muster odds hott \"Blade general\" \"Knight charged\"")]);
        }
        let scope = match game {
            "hott" => Scope::Base,
            "big" => Scope::Big,
            other => {
                let fighter = read_fighter(other, &Tables::standard(Scope::Base)).is_ok();
                return Err(vec![if fighter {
                    Problem::new("two fighters have odds, each in its own words")
                        .hint("muster odds Knight Blade, or muster odds \"Knight charged\" \"Blade general\"")
                } else {
                    Problem::new(format!("no odds for {other} yet")).meant(other, GAMES)
                }]);
            }
        };
        let (Some(first), Some(second)) = (first, second) else {
            let problem = Problem::new("whose chances? name both fighters");
            return Err(vec![problem.hint("muster odds hott \"Blade general\" \"Knight charged\"")]);
        };
        let tables = tables(scope, &self.common)?;
        let mode = self.how.mode();
        let [a, b] = pair(&tables, mode, [first, second])?;
        let chances = odds(&tables, mode, [&a, &b], self.answered);
        if self.common.json {
            out::json(&as_json(mode, &[a, b], &chances));
        } else {
            tell(mode, &[a, b], &chances);
        }
        Ok(Verdict::Yes)
    }
}

impl How {
    fn mode(self) -> Mode {
        match self {
            How::Fight => Mode::Contact,
            How::Shoot => Mode::Shot,
            How::Bespell => Mode::Bespelled,
        }
    }
}

/// Two fighters in words, who can do to each other what they are to do.
fn pair(tables: &Tables, mode: Mode, [first, second]: [&str; 2]) -> Result<[Fighter; 2], Problems> {
    let a = read_fighter(first, tables).map_err(|p| vec![p])?;
    let mut b = read_fighter(second, tables).map_err(|p| vec![p])?;
    possible(mode, &a, tables)?;
    // HOTT-255: Clerics and Paladins ward themselves.
    if mode == Mode::Bespelled && matches!(b.ty, TroopType::Clr | TroopType::Pal) {
        b.warded = true;
    }
    Ok([a, b])
}

/// The card of two fighters in words, as a document: factors with their names, chances, and if dice are given what they
/// bring.
///
/// # Errors
/// Words that are none, a way to fight that the first has not, dice that there are not.
pub fn card(
    tables: &Tables,
    how: &str,
    words: [&str; 2],
    answered: bool,
    dice: Option<[i64; 2]>,
) -> Result<Value, Problems> {
    let how = How::from_str(how, true)
        .map_err(|_| vec![Problem::new(format!("no way to fight: {how}")).hint("fight, shoot or bespell")])?;
    let mode = how.mode();
    let both = pair(tables, mode, words)?;
    let chances = odds(tables, mode, [&both[0], &both[1]], answered);
    let mut card = as_json(mode, &both, &chances);
    for (i, who) in both.iter().enumerate() {
        card["fighters"][i]["name"] = json!(name(who));
        for (n, f) in chances.factors[i].as_slice().iter().enumerate() {
            card["fighters"][i]["factors"][n]["name"] = json!(factor_name(f.rule));
        }
        let told = Outcome::ALL.iter().filter(|o| chances.count(i, **o) > 0);
        card["fighters"][i]["bars"] =
            told.map(|o| json!({ "words": words_for(*o), "ways": chances.count(i, *o) })).collect();
    }
    if let Some(dice) = dice {
        let sides = i64::from(tables.numbers.die_sides);
        if let Some(wrong) = dice.iter().find(|d| !(1..=sides).contains(*d)) {
            return Err(vec![Problem::new(format!("a die of {sides} shows no {wrong}"))]);
        }
        let total = |i: usize| chances.factors[i].sum() + i32::try_from(dice[i]).unwrap_or(0);
        let totals = [total(0), total(1)];
        let judged = result(tables, mode, [&both[0], &both[1]], totals, answered);
        card["result"] = json!({ "totals": totals,
            "words": judged.map(|j| words_for(j.outcome)), "rules": judged.map(|j| j.rule.to_string()) });
    }
    Ok(card)
}

/// Only some types shoot or bespell (HOTT-048).
fn possible(mode: Mode, who: &Fighter, tables: &Tables) -> Result<(), Problems> {
    let troop = tables.troop(who.ty);
    let wrong = match mode {
        Mode::Shot if troop.shoots.is_none() => "shoots at a distance: Shooters and Artillery do",
        Mode::Bespelled if !troop.bespells => "bespells: only Magicians do",
        _ => return Ok(()),
    };
    Err(vec![Problem::new(format!("no {} {wrong}", who.ty.name())).by(rulebook::rule!("HOTT-048"))])
}

/// The tables in force.
///
/// # Errors
/// Everything wrong with preset, file and settings.
pub fn tables(scope: Scope, common: &Common) -> Result<Tables, Problems> {
    let mut layers = Tables::layers(scope);
    if let Some(preset) = &common.rules.preset {
        layers = layers.preset(preset);
    }
    if let Some(path) = &common.rules.rules_file {
        layers = layers.file(&path.display().to_string(), &out::read(path)?);
    }
    for set in &common.rules.sets {
        layers = layers.set(set);
    }
    let rules = layers.effective().map_err(|e| hott::rules::problems(&e))?;
    Tables::load(scope, &rules).map_err(|e| hott::rules::problems(&e))
}

fn name(who: &Fighter) -> String {
    let grade = match who.grade {
        hott::table::Grade::Elite => "Elite ",
        hott::table::Grade::Levy => "Levy ",
        hott::table::Grade::Plain => "",
    };
    format!("{grade}{}{}", who.ty.name(), if who.general { " (general)" } else { "" })
}

fn words_for(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::None => "stays",
        Outcome::Recoil => "recoils",
        Outcome::Flee => "flees",
        Outcome::FleeField => "flees the battlefield",
        Outcome::Ensorcelled => "is ensorcelled",
        Outcome::Destroyed => "is destroyed",
        Outcome::Captured => "is taken",
    }
}

/// What people call the rule of a factor.
fn factor_name(rule: rulebook::RuleId) -> &'static str {
    match rule.to_string().as_str() {
        "HOTT-248" => "general",
        "HOTT-249" => "uphill",
        "HOTT-250" => "defends the river bank",
        "HOTT-251" => "supported from behind",
        "HOTT-252" => "overlapped or contacted at flank or rear",
        "HOTT-253" => "enemies aid",
        "HOTT-254" => "in a wood or built-up area",
        "HOTT-255" => "warded",
        "HOTT-256" => "bad going or water",
        "HOTT-257" => "the target is near its Stronghold",
        "BB-007" => "grade",
        "BB-044" => "demoralized",
        "BB-076" => "supported by Scouts",
        _ => "combat factor",
    }
}

fn percent(n: u32, of: u32) -> String {
    let tenths = (n * 2000 + of) / (2 * of);
    format!("{:>3}.{}%", tenths / 10, tenths % 10)
}

fn tell(mode: Mode, who: &[Fighter; 2], chances: &Odds) {
    for (i, (fighter, factors)) in who.iter().zip(&chances.factors).enumerate() {
        out::line(&format!("{}: {:+} and a die", name(fighter), factors.sum()));
        for factor in factors.as_slice() {
            out::line(&format!("  {:+}  {}  {}", factor.value, factor.rule, factor_name(factor.rule)));
        }
        out::line(&format!(
            "  higher total {}   ({} of {})",
            percent(chances.wins[i], chances.pairs),
            chances.wins[i],
            chances.pairs
        ));
        for outcome in Outcome::ALL {
            let n = chances.count(i, outcome);
            let idle = mode != Mode::Contact && i == 0 && outcome == Outcome::None && n == chances.pairs;
            if n > 0 && !idle {
                out::line(&format!(
                    "  {:<22} {}   ({n} of {})",
                    words_for(outcome),
                    percent(n, chances.pairs),
                    chances.pairs
                ));
            }
        }
    }
    out::line(&format!(
        "equal totals {}   ({} of {})",
        percent(chances.draws, chances.pairs),
        chances.draws,
        chances.pairs
    ));
}

fn as_json(mode: Mode, who: &[Fighter; 2], chances: &Odds) -> Value {
    let one = |i: usize| {
        let outcomes: serde_json::Map<String, Value> =
            Outcome::ALL.iter().map(|o| (o.word().to_owned(), json!(chances.count(i, *o)))).collect();
        let factors: Vec<Value> = chances.factors[i]
            .as_slice()
            .iter()
            .map(|f| json!({ "rule": f.rule.to_string(), "value": f.value }))
            .collect();
        let grade = match who[i].grade {
            hott::table::Grade::Elite => "elite",
            hott::table::Grade::Levy => "levy",
            hott::table::Grade::Plain => "plain",
        };
        json!({ "type": who[i].ty.name(), "general": who[i].general, "grade": grade, "sum": chances.factors[i].sum(), "factors": factors,
            "wins": chances.wins[i], "outcomes": outcomes, "removed": chances.removed(i) })
    };
    json!({ "mode": mode.word(), "ways": chances.pairs, "draws": chances.draws, "fighters": [one(0), one(1)] })
}

/// The chances of two elements of a recorded position.
fn in_position(
    path: &std::path::Path,
    at: Option<u32>,
    game: Option<&str>,
    [a, b]: [&String; 2],
    how: &str,
    as_json: bool,
) -> Done {
    let (table, record) = crate::record_cmd::open(path)?;
    let of = record.header.game.as_str();
    if let Some(game) = game.filter(|g| *g != of) {
        let problem = Problem::new(format!("{} is a record of {of}, not of {game}", path.display()));
        return Err(vec![problem.hint("leave the game out, the record knows it")]);
    }
    let last = record.lines.last().map_or(0, |l| l.n);
    if let Some(at) = at.filter(|at| *at > last) {
        let problem = Problem::new(format!("{} has no line {at}: its last is {last}", path.display()));
        return Err(vec![problem.hint("leave --at out for the end")]);
    }
    let question = format!("odds {a} v {b}{how}");
    let notation = table.notation_at(at.unwrap_or(u32::MAX));
    let game = crate::games::named(of)?;
    let there = game.open_notation(&record.header.rules, &notation)?;
    let answer = there.ask(&question).map_err(|p| vec![p])?;
    if as_json {
        let mut whole = answered(&answer);
        whole["question"] = json!(question);
        whole["answer"] = json!(answer);
        out::json(&whole);
    } else {
        tell_answer(&answer);
    }
    Ok(Verdict::Yes)
}

/// The statements of an answer as one document: `ways`, `draws`, and for each that takes part or suffers its label,
/// factors, sum, wins and outcomes.
fn answered(answer: &[String]) -> Value {
    let mut whole = json!({ "ways": 0, "draws": 0, "fighters": [] });
    let mut fighters: Vec<Value> = Vec::new();
    let number = |w: &str| w.parse::<i64>().unwrap_or(0);
    for line in answer {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["pairs", n] => whole["ways"] = json!(number(n)),
            ["draws", n] => whole["draws"] = json!(number(n)),
            ["half", command, n] => whole["halves"][*command] = json!(number(n)),
            [what, label, rest @ ..] => {
                let place = fighters.iter().position(|f| f["label"] == *label).unwrap_or_else(|| {
                    fighters.push(json!({ "label": label, "factors": [], "outcomes": {} }));
                    fighters.len() - 1
                });
                let Some(one) = fighters.get_mut(place) else { continue };
                match (*what, rest) {
                    ("factor", [rule, value]) => {
                        if let Some(list) = one["factors"].as_array_mut() {
                            list.push(json!({ "rule": rule, "value": number(value) }));
                        }
                    }
                    ("sum" | "wins", [n]) => one[*what] = json!(number(n)),
                    ("odds", [outcome @ .., n]) => one["outcomes"][outcome.join(" ")] = json!(number(n)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    whole["fighters"] = json!(fighters);
    whole
}

/// An answer for people: what stands in it, with the names of the factors and chances in percent.
fn tell_answer(answer: &[String]) {
    let whole = answered(answer);
    let number = |v: &Value| v.as_i64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let ways = number(&whole["ways"]).max(1);
    let chance = |words: &str, n: u32| {
        out::line(&format!("  {words:<22} {}   ({n} of {ways})", percent(n, ways)));
    };
    for one in whole["fighters"].as_array().into_iter().flatten() {
        let label = one["label"].as_str().unwrap_or("");
        match one["sum"].as_i64() {
            Some(sum) => out::line(&format!("{label}: {sum:+} and a die")),
            None => out::line(&format!("{label}, which is not of the two")),
        }
        for factor in one["factors"].as_array().into_iter().flatten() {
            let rule = factor["rule"].as_str().unwrap_or("");
            let name = rule.parse::<rulebook::RuleId>().map_or("", factor_name);
            out::line(&format!("  {:+}  {rule}  {name}", factor["value"].as_i64().unwrap_or(0)));
        }
        if one["wins"].is_i64() {
            chance("higher total", number(&one["wins"]));
        }
        for (outcome, n) in one["outcomes"].as_object().into_iter().flatten() {
            chance(outcome, number(n));
        }
    }
    for (command, n) in whole["halves"].as_object().into_iter().flatten() {
        out::line(&format!("command {command} loses half of its AP and is demoralized"));
        chance("at the end of the bound", number(n));
    }
    chance_line(number(&whole["draws"]), ways);
}

fn chance_line(draws: u32, ways: u32) {
    out::line(&format!("equal totals {}   ({draws} of {ways})", percent(draws, ways)));
}
