//! Hordes & Heroes behind the common commands: `--rules heroes`.

use crate::out::{self, Done, Verdict};
use crate::paper::{self, PaperSize};
use crate::{Common, games, picture};
use game::{Problem, Problems};
use heroes::cli::{self, BattleSpec, Said};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Its rules in force.
///
/// # Errors
/// Everything in them that does not read.
pub fn rules(common: &Common) -> Result<Value, Problems> {
    games::rules(games::named("heroes")?, &common.rules)
}

/// Prints what a command says.
pub fn say(said: &Said, common: &Common) -> Done {
    if common.json {
        out::json(&said.json);
    } else {
        out::print(&said.text);
    }
    Ok(if said.good { Verdict::Yes } else { Verdict::No })
}

/// The text of a list, if it is a file; a shipped list is known by its name.
///
/// # Errors
/// A file that cannot be read.
pub fn file(name: &str) -> Result<Option<String>, Problems> {
    let path = Path::new(name);
    if name == "-" || path.exists() {
        return out::read(path).map(Some);
    }
    // what looks like a file is not a name that was mistyped
    if name.contains(['/', '\\']) || path.extension().is_some() {
        let problem = Problem::new(format!("there is no file {name}"));
        return Err(vec![problem.hint("`muster army list --rules heroes` names the shipped lists")]);
    }
    Ok(None)
}

/// `muster army list --rules heroes`.
pub fn list(common: &Common) -> Done {
    say(&cli::armies(&rules(common)?)?, common)
}

/// `muster army check --rules heroes`.
pub fn check(name: &str, points: Option<i32>, common: &Common) -> Done {
    let text = file(name)?;
    let said = cli::check_army(&rules(common)?, name, text.as_deref(), limit(points)?)?;
    say(&said, common)
}

/// A limit of points, which is a positive number.
fn limit(points: Option<i32>) -> Result<Option<i16>, Problems> {
    match points {
        Some(n) if n <= 0 => {
            Err(vec![Problem::new(format!("a limit of {n} points: a positive number would be right"))])
        }
        n => Ok(n.map(|n| i16::try_from(n).unwrap_or(i16::MAX))),
    }
}

/// `muster army cost --rules heroes`: a unit typed on the command line.
pub fn cost(words: &[String], common: &Common) -> Done {
    let words: Vec<&str> = words.iter().flat_map(|w| w.split_whitespace()).collect();
    say(&cli::cost(&rules(common)?, &words)?, common)
}

/// `muster army build --rules heroes`: a list from nothing.
pub fn build(name: &str, lines: &[String], points: Option<i16>, common: &Common) -> Done {
    let points = limit(points.map(i32::from))?;
    say(&heroes::build::build(&rules(common)?, name, lines, points)?, common)
}

/// Where a page goes, and whether it is one for a browser.
pub struct Page {
    /// As HTML that prints, or as text.
    pub html: bool,
    /// As PDF, on this paper.
    pub pdf: Option<PaperSize>,
    /// A file; `None`: standard output.
    pub output: Option<PathBuf>,
}

impl Page {
    fn print(
        &self,
        said: &Said,
        title: &str,
        common: &Common,
        paper: fn(&str, PaperSize) -> Result<Vec<u8>, Problems>,
    ) -> Done {
        if common.json {
            return say(said, common);
        }
        if let Some(size) = self.pdf {
            let Some(path) = &self.output else {
                return Err(vec![Problem::new("a PDF goes into a file").hint("add --output cards.pdf")]);
            };
            out::write(path, &paper(&said.text, size)?, common.force)?;
            out::line(&path.display().to_string());
            return Ok(Verdict::Yes);
        }
        let text = if self.html {
            let body = said.json["html"].as_str().unwrap_or_default();
            format!(
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{CSS}</style>{body}</html>\n"
            )
        } else {
            said.text.clone()
        };
        match &self.output {
            Some(path) => {
                out::write(path, text.as_bytes(), common.force)?;
                out::line(&path.display().to_string());
            }
            None => out::print(&text),
        }
        Ok(Verdict::Yes)
    }
}

/// Cards three in a row, none cut by the edge of a sheet.
const CSS: &str = "body{font:10pt sans-serif;margin:8mm}.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:3mm}section{border:1px solid;padding:2mm;break-inside:avoid}h2{font-size:11pt;margin:0}p{margin:1mm 0}pre{font-size:9pt}";

/// `muster army roster --rules heroes`: cards of the units.
pub fn cards(name: &str, page: &Page, common: &Common) -> Done {
    let text = file(name)?;
    page.print(&cli::cards(&rules(common)?, name, text.as_deref())?, "Cards", common, paper::unit_cards)
}

/// `muster army sheet --rules heroes`: one sheet for the two armies at hand.
pub fn sheet(names: [&str; 2], page: &Page, common: &Common) -> Done {
    let texts = [file(names[0])?, file(names[1])?];
    let said = cli::sheet(&rules(common)?, names, [texts[0].as_deref(), texts[1].as_deref()])?;
    page.print(&said, "Quick sheet", common, |text, size| {
        // Its first line is the sheet's heading.
        let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
        let mut blocks = vec![draw::paper::Block::Heading(1, head.trim().to_owned())];
        blocks.extend(paper::of_text(rest, false));
        paper::blocks_pdf("Quick sheet", &blocks, size)
    })
}

/// `muster odds heroes`.
pub fn odds(words: &[&str], common: &Common) -> Done {
    say(&cli::odds(&rules(common)?, words)?, common)
}

/// A battle.
pub struct Fight<'a> {
    /// Two lists: names, or files.
    pub sides: &'a [String],
    /// A map: a name, `random:SEED`, or a file.
    pub map: Option<&'a str>,
    /// Players.
    pub players: &'a [String],
    /// Bounds of each side before time is up; `None`: as usual.
    pub bounds: Option<u32>,
    /// How many battles, summed up; `None`: one, told.
    pub many: Option<u32>,
    /// Where the record goes.
    pub record: Option<&'a PathBuf>,
    /// Where pictures go.
    pub picture: &'a picture::PictureArgs,
}

/// A map that is not there is answered with the maps that are.
fn maps(problem: Problem) -> Problem {
    if problem.hint.is_none() {
        return problem;
    }
    let names: Vec<&str> = heroes::map::MAPS.iter().map(|m| m.0).collect();
    problem.hint(format!("the shipped maps are {}; random:7 is made from a seed", names.join(", ")))
}

/// `muster battle --rules heroes`.
pub fn battle(fight: &Fight<'_>, seed: u64, common: &Common) -> Done {
    let [a, b] = fight.sides else {
        let problem = Problem::new(format!("{} sides: two armies fight on hexes", fight.sides.len()));
        return Err(vec![problem.hint("muster army list --rules heroes names the shipped lists")]);
    };
    let rules = rules(common)?;
    let bounds = match fight.bounds.map(u16::try_from) {
        None => None,
        Some(Ok(n @ 1..=1000)) => Some(n),
        _ => {
            let n = fight.bounds.unwrap_or(0);
            return Err(vec![
                Problem::new(format!("--bounds {n}: on hexes 1 to 1000 bounds for each side (HH-259)"))
                    .hint("left out it is 12 for each side; time is always up some day"),
            ]);
        }
    };
    let map = match fight.map {
        None => Value::Null,
        Some(name) => match file(name).map_err(|all| all.into_iter().map(maps).collect::<Problems>())? {
            Some(text) => cli::map_file(&rules, &text, name)?,
            None => json!(name),
        },
    };
    let army = |name: &String| match file(name)? {
        Some(text) => cli::army_file(&rules, &text, name),
        None => Ok(json!(name)),
    };
    let player = |n: usize| {
        fight.players.get(n).or(fight.players.last()).cloned().unwrap_or_else(|| "general".to_owned())
    };
    let spec =
        BattleSpec { map, armies: [army(a)?, army(b)?], players: [player(0), player(1)], seed, bounds };
    if let Some(battles) = fight.many {
        if fight.record.is_some() || fight.picture.wanted() {
            return Err(vec![
                Problem::new("records and pictures are written of one battle, not of many")
                    .hint("leave --summary and --battles out; --seed N gives any one of them again"),
            ]);
        }
        return say(&cli::many(&rules, &spec, battles)?, common);
    }
    let fought = cli::battle(&rules, &spec)?;
    if let Some(path) = fight.record {
        out::write(path, fought.record.as_bytes(), common.force)?;
    }
    let done = say(&fought.said, common)?;
    if fight.picture.wanted() {
        let record = game::record::Record::parse(&fought.record).map_err(|p| vec![p])?;
        let table = games::named("heroes")?.replay(&record).map_err(|p| vec![p])?;
        let svg = picture::drawing("heroes", &record.header.rules, &table.notation(), fight.picture.style())?;
        let mut written = fight.picture.write_svg(&svg, common.force)?;
        let rules = &record.header.rules;
        written.extend(fight.picture.write_pdf("heroes", rules, &table.notation(), common.force)?);
        for path in written {
            if !common.json {
                out::line(&format!("written: {}", path.display()));
            }
        }
    }
    Ok(done)
}
