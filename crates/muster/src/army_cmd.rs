//! `muster army`: list, check, cost, roster.

use crate::out::{self, Done, Verdict};
use crate::paper::PaperSize;
use crate::{Common, heroes_cmd, odds_cmd, shipped};
use clap::{Args, Subcommand, ValueEnum};
use draw::paper::{Card, Handout, handouts};
use game::Problem;
use hott::army::{
    Army, Pasted, Sheet, SheetBlock, check, quick_sheet, read_pasted, roster_sheets, sheet_html, sheet_text,
    versus_sheet,
};
use hott::table::{Scope, Tables};
use serde_json::{Value, json};
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// List, check, cost and print armies.
#[derive(Debug, Args)]
pub struct ArmyCmd {
    #[command(subcommand)]
    verb: ArmyVerb,
}

#[derive(Debug, Subcommand)]
enum ArmyVerb {
    /// Name the shipped armies.
    List {
        #[command(flatten)]
        common: Common,
    },
    /// Check an army: a file, `-` for standard input, or a shipped one's name.
    ///
    /// Reads the project's own TOML and lists as people paste them. Exit status 0 legal, 1 not, 2 unreadable.
    Check {
        /// The army.
        army: String,
        /// The size of the battle in AP, or the limit in points.
        #[arg(long, visible_alias = "points", value_name = "AP", allow_negative_numbers = true)]
        ap: Option<i32>,
        #[command(flatten)]
        common: Common,
    },
    /// Say what some elements cost: muster army cost "4 Blades, Hero general".
    ///
    /// On hexes (--rules heroes) a unit in words (class B speed 4 factor 5 impact 4 A2), a unit of a list (roman/Legionaries),
    /// or a name that any shipped list has (Crossbowmen).
    Cost {
        /// The elements, as in a pasted list; commas part them.
        elements: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Make a list of one's own from nothing, to a points limit, as a file to keep (only --rules heroes).
    ///
    /// muster army build --rules heroes --points 120 "general 3" "4 roman/Legionaries" "3 Riders class B speed 4 factor 3 type M"
    Build {
        /// The entries: how many, and a unit of a list, a unit in words, or `general QUALITY`.
        entries: Vec<String>,
        /// The limit.
        #[arg(long, value_name = "POINTS")]
        points: Option<i16>,
        /// The list's name.
        #[arg(long, default_value = "My army")]
        name: String,
        #[command(flatten)]
        common: Common,
    },
    /// Print a quick sheet of what two armies need: factors, costs, what befalls each type from those it meets; of big
    /// battles (--rules big) one with all that they add, and behind it a sheet for each command of the armies named; on
    /// hexes (--rules heroes) results, scores needed, sequence.
    Sheet {
        /// The armies: two, any number in big battles.
        #[arg(num_args = 0..=6)]
        armies: Vec<String>,
        /// As text, as a page that prints, or as a PDF.
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// Of a PDF: the sheet of paper.
        #[arg(long, value_enum, default_value = "a4")]
        paper: PaperSize,
        /// Where to write it; left out: standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
    /// Print a one-page sheet for the table; of an army of several commands a page for each.
    Roster {
        /// The army.
        army: String,
        /// As text, as a page for a browser, or as a PDF of one sheet.
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// Of a PDF: the sheet of paper.
        #[arg(long, value_enum, default_value = "a4")]
        paper: PaperSize,
        /// Where to write it; left out: standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Html,
    Pdf,
}

/// Base or big battles, and the folder of their armies.
fn scope(common: &Common) -> Result<(Scope, &'static str), Vec<Problem>> {
    match common.rules.rules.as_deref() {
        None | Some("hott") => Ok((Scope::Base, "armies/hott")),
        Some("big") => Ok((Scope::Big, "armies/big")),
        Some(other) => {
            Err(vec![Problem::new(format!("no army lists for {other} here")).meant(other, ["hott", "big"])])
        }
    }
}

impl ArmyCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        let hexes = |common: &Common| common.rules.rules.as_deref() == Some("heroes");
        match self.verb {
            ArmyVerb::List { common } if hexes(&common) => heroes_cmd::list(&common),
            ArmyVerb::Check { army, ap, common } if hexes(&common) => heroes_cmd::check(&army, ap, &common),
            ArmyVerb::Cost { elements, common } if hexes(&common) => heroes_cmd::cost(&elements, &common),
            ArmyVerb::Roster { army, format, paper, output, common } if hexes(&common) => {
                let pdf = (format == Format::Pdf).then_some(paper);
                let page = heroes_cmd::Page { html: format == Format::Html, pdf, output };
                heroes_cmd::cards(&army, &page, &common)
            }
            ArmyVerb::Build { entries, points, name, common } if hexes(&common) => {
                heroes_cmd::build(&name, &entries, points, &common)
            }
            ArmyVerb::Sheet { armies, format, paper, output, common } if hexes(&common) => {
                let pdf = (format == Format::Pdf).then_some(paper);
                let page = heroes_cmd::Page { html: format == Format::Html, pdf, output };
                match armies.as_slice() {
                    [a, b] => heroes_cmd::sheet([a, b], &page, &common),
                    _ => Err(vec![
                        Problem::new("two armies, please")
                            .hint("muster army sheet --rules heroes roman huns"),
                    ]),
                }
            }
            ArmyVerb::Build { .. } => {
                Err(vec![Problem::new("that is for the game on hexes").hint("add --rules heroes")])
            }
            ArmyVerb::Sheet { armies, format, paper, output, common } => {
                quick(&armies, (format, paper), output, &common)
            }
            ArmyVerb::List { common } => list(&common),
            ArmyVerb::Check { army, ap, common } => check_one(&army, ap, &common),
            ArmyVerb::Cost { elements, common } => cost(&in_one(&elements), &common),
            ArmyVerb::Roster { army, format, paper, output, common } => {
                roster(&army, (format, paper), output, &common)
            }
        }
    }
}

fn list(common: &Common) -> Done {
    let (scope, folder) = scope(common)?;
    let tables = odds_cmd::tables(scope, common)?;
    let mut all = Vec::new();
    for (name, _) in shipped::of(folder) {
        let army = shipped::army(name, folder, &tables)?.army;
        let verdict = check(&army, &tables, None);
        if common.json {
            all.push(
                json!({ "name": name, "title": army.name, "ap": verdict.ap, "elements": army.element_count(),
                "legal": verdict.legal }),
            );
        } else {
            let general = army.entries.iter().find(|e| e.general).map_or("no general", |e| e.ty.name());
            out::line(&format!(
                "{name:<18} {:<34} {:>4} AP  {:>2} elements, general: {general}",
                army.name,
                verdict.ap.to_string(),
                army.element_count()
            ));
        }
    }
    if common.json {
        out::json(&json!(all));
    }
    Ok(Verdict::Yes)
}

fn check_one(name: &str, ap: Option<i32>, common: &Common) -> Done {
    let (scope, folder) = scope(common)?;
    if let Some(ap) = ap.filter(|ap| !(1..=10_000).contains(ap)) {
        return Err(vec![
            Problem::new(format!("a battle of {ap} AP: 1 to 10000 would be right")).hint("normally 24"),
        ]);
    }
    let tables = odds_cmd::tables(scope, common)?;
    let pasted = shipped::army(name, folder, &tables)?;
    let mut verdict = check(&pasted.army, &tables, ap);
    verdict.unread.clone_from(&pasted.unread);
    some_element(name, &pasted)?;
    // What was not read may hold anything: no verdict without it.
    if !pasted.unread.is_empty() {
        (verdict.legal, verdict.legal_but_for_general) = (false, false);
    }
    let legal = verdict.legal;
    let unread = || {
        let lines: Vec<String> = pasted.unread.iter().map(|u| u.line.to_string()).collect();
        let which = if lines.len() == 1 { "line" } else { "lines" };
        Problem::new(format!("{name}: cannot tell: {which} {} not read", lines.join(", ")))
            .hint("write it as in 4 Blades, or 1 x Hero General @4AP")
    };
    if common.json {
        out::json(&serde_json::to_value(&verdict).unwrap_or(Value::Null));
        return match (pasted.unread.is_empty(), legal) {
            (false, _) => Err(vec![unread()]),
            (true, true) => Ok(Verdict::Yes),
            (true, false) => Ok(Verdict::No),
        };
    }
    let title = if pasted.army.name.is_empty() { name } else { &pasted.army.name };
    out::line(title);
    if scope == Scope::Big {
        by_command(&pasted.army, &tables);
    } else {
        for e in &verdict.elements {
            out::line(&format!("  {:>2} {}{}", e.count, e.ty, if e.general { " (general)" } else { "" }));
        }
    }
    out::line(&format!("  {} AP, {} of it in elements of 1 or 2 AP", verdict.ap, verdict.small_ap));
    if let Some(claimed) = pasted.claimed.filter(|c| *c != verdict.ap) {
        out::line(&format!("  the list itself says {claimed} AP"));
    }
    for line in &pasted.remarks {
        out::line(&format!("  line {}: {}", line.line, line.hint.as_deref().unwrap_or(&line.text)));
    }
    for p in &verdict.problems {
        let place = p.line.map_or_else(String::new, |l| format!("line {l}: "));
        let word = if p.warning { "note" } else { "wrong" };
        out::line(&format!("  {word}: {place}{} ({})", p.message, p.rule));
    }
    for line in &pasted.unread {
        let hint = line.hint.as_ref().map_or_else(String::new, |h| format!(" ({h})"));
        out::line(&format!("  not read, line {}: {}{hint}", line.line, line.text));
    }
    if !pasted.unread.is_empty() {
        return Err(vec![unread()]);
    }
    out::line(match (legal, verdict.legal_but_for_general) {
        (true, _) => "  legal",
        (false, true) => "  legal but for the general: the list names none (HOTT-011)",
        (false, false) => "  NOT LEGAL",
    });
    Ok(if legal { Verdict::Yes } else { Verdict::No })
}

/// The elements command by command, with grades, arms and what each command cost (BB-003, BB-007).
fn by_command(army: &hott::army::Army, tables: &Tables) {
    use hott::table::Grade;
    for command in army.command_numbers() {
        let own = || army.entries.iter().filter(|e| e.command == command);
        let ap: hott::army::Halves = own().map(|e| e.cost(tables)).sum();
        let chief = if command == army.commands.cinc { ", the commander-in-chief's" } else { "" };
        out::line(&format!("  command {command}{chief}: {ap} AP"));
        for e in own() {
            let grade = match e.grade {
                Grade::Plain => "",
                Grade::Elite => "Elite ",
                Grade::Levy => "Levy ",
            };
            let armed = if e.shooting { ", armed" } else { "" };
            let general = if e.general { " (general)" } else { "" };
            let ap = e.cost(tables);
            out::line(&format!("    {:>2} {grade}{}{armed}{general}, {ap} AP", e.count, e.ty.name()));
        }
    }
}

/// The elements as one text: arguments are entries of their own, but for words that a shell has taken apart
/// (`4 Blades Hero general`), where a number begins an entry.
fn in_one(arguments: &[String]) -> String {
    let is_count = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    if !arguments.iter().any(is_count) {
        return arguments.join(", ");
    }
    let mut text = String::new();
    let types = |word: &str| hott::table::TroopType::parse(word.trim_end_matches([',', ';'])).is_some();
    let mut typed = false;
    for word in arguments {
        // A second type begins an entry too: nobody calls his Blades Hero.
        let begins = is_count(word) || typed && types(word);
        typed = !is_count(word) && (typed && !begins || types(word));
        text.push_str(if text.is_empty() {
            ""
        } else if begins {
            ", "
        } else {
            " "
        });
        text.push_str(word);
    }
    text
}

fn cost(text: &str, common: &Common) -> Done {
    let (scope, _) = scope(common)?;
    let tables: Tables = odds_cmd::tables(scope, common)?;
    let pasted = read_pasted(&text.replace([',', ';'], "\n"), &tables);
    if pasted.army.entries.is_empty() || !pasted.unread.is_empty() {
        let wrong = |u: &hott::army::Unread| {
            let problem = Problem::new(format!("not an element: {}", u.text));
            match &u.hint {
                Some(hint) => problem.hint(hint.clone()),
                None => problem.meant(
                    u.text.trim_start_matches(|c: char| !c.is_alphabetic()),
                    hott::table::TroopType::ALL.map(hott::table::TroopType::name),
                ),
            }
        };
        let mut problems: Vec<Problem> = pasted.unread.iter().map(wrong).collect();
        if problems.is_empty() {
            problems.push(
                Problem::new("what is to be costed?").hint("muster army cost \"4 Blades, Hero general\""),
            );
        }
        return Err(problems);
    }
    let total = pasted.army.ap_total(&tables);
    if common.json {
        let list: Vec<Value> = pasted
            .army
            .entries
            .iter()
            .map(|e| json!({ "type": e.ty.name(), "count": e.count, "each": e.cost_each(&tables), "ap": e.cost(&tables) }))
            .collect();
        out::json(&json!({ "elements": list, "ap": total }));
    } else {
        for e in &pasted.army.entries {
            out::line(&format!(
                "{:>3} {:<16} at {:>4} = {:>4}",
                e.count,
                e.ty.name(),
                e.cost_each(&tables),
                e.cost(&tables)
            ));
        }
        out::line(&format!("    in all {total} AP"));
    }
    Ok(Verdict::Yes)
}

fn pdf(title: &str, sheets: &[Sheet], paper: PaperSize) -> Result<Vec<u8>, Vec<Problem>> {
    let card =
        |b: &SheetBlock| Card { title: b.title.clone(), aside: b.aside.clone(), lines: b.lines.clone() };
    let page = |sheet: &Sheet| Handout {
        title: sheet.title.clone(),
        summary: sheet.summary.clone(),
        cards: sheet.blocks.iter().map(card).collect(),
        notes: sheet.rules.clone(),
    };
    let pages: Vec<Handout> = sheets.iter().map(page).collect();
    handouts(title, &pages, paper.into()).map_err(|e| vec![Problem::new(e.to_string())])
}

/// An army for paper: one without any element is refused, and what of its list was not read is told.
fn to_print(name: &str, folder: &str, tables: &Tables) -> Result<Army, Vec<Problem>> {
    let pasted = shipped::army(name, folder, tables)?;
    some_element(name, &pasted)?;
    tell_unread(name, &pasted);
    Ok(pasted.army)
}

fn tell_unread(name: &str, pasted: &Pasted) {
    for line in &pasted.unread {
        let hint = line.hint.as_ref().map_or_else(String::new, |h| format!(" ({h})"));
        eprintln!("{name}:{}: cannot read: {}{hint}", line.line, line.text);
    }
}

/// A list of which nothing was read is no army.
fn some_element(name: &str, pasted: &Pasted) -> Result<(), Vec<Problem>> {
    if !pasted.army.entries.is_empty() {
        return Ok(());
    }
    tell_unread(name, pasted);
    let problem = Problem::new(format!("{name}: there is no element in it that can be read"));
    Err(vec![problem.hint("one a line, as in 4 Blades, or 1 x Hero General @4AP")])
}

fn roster(
    name: &str,
    (format, paper): (Format, PaperSize),
    output: Option<PathBuf>,
    common: &Common,
) -> Done {
    let (scope, folder) = scope(common)?;
    let tables = odds_cmd::tables(scope, common)?;
    let army = to_print(name, folder, &tables)?;
    print_sheets(&army.name, &roster_sheets(&army, &tables), (format, paper), output, common)
}

/// The quick sheet of two armies; that of big battles, and a roster for each command of these armies.
fn quick(
    armies: &[String],
    (format, paper): (Format, PaperSize),
    output: Option<PathBuf>,
    common: &Common,
) -> Done {
    let (scope, folder) = scope(common)?;
    let tables = odds_cmd::tables(scope, common)?;
    if scope != Scope::Big {
        let [a, b] = armies else {
            let problem = Problem::new(format!("a quick sheet is for two armies, not for {}", armies.len()));
            return Err(vec![
                problem
                    .hint("muster army sheet pirates lunar-empire; --rules big is the sheet of big battles"),
            ]);
        };
        let [a, b] = [to_print(a, folder, &tables)?, to_print(b, folder, &tables)?];
        let sheet = versus_sheet([&a, &b], &tables);
        return print_sheets(&sheet.title.clone(), &[sheet], (format, paper), output, common);
    }
    let mut sheets = vec![quick_sheet(&tables)];
    for name in armies {
        sheets.extend(roster_sheets(&to_print(name, folder, &tables)?, &tables));
    }
    let title = sheets[0].title.clone();
    print_sheets(&title, &sheets, (format, paper), output, common)
}

fn print_sheets(
    title: &str,
    sheets: &[Sheet],
    (format, paper): (Format, PaperSize),
    output: Option<PathBuf>,
    common: &Common,
) -> Done {
    let text = match format {
        Format::Text => sheets.iter().map(sheet_text).collect::<Vec<_>>().join("\n\n").into_bytes(),
        Format::Html => sheet_html(title, sheets).into_bytes(),
        Format::Pdf => pdf(title, sheets, paper)?,
    };
    match output {
        Some(path) => {
            out::write(&path, &text, common.force)?;
            out::line(&path.display().to_string());
        }
        None if format == Format::Pdf && std::io::stdout().is_terminal() => {
            let problem = Problem::new("a PDF is nothing for a terminal");
            return Err(vec![problem.hint("muster army roster ARMY --format pdf --output army.pdf")]);
        }
        None => out::bytes(&text),
    }
    Ok(Verdict::Yes)
}
