//! A one-page sheet for the table: what each element may do, what befalls it, and the rules it needs.

use std::fmt::Write as _;

use rulebook::{RuleId, rule};

use super::model::{Army, Entry, Halves};
use crate::table::{
    Class, Column, Defeat, Degree, Going, Grade, Mode, Outcome, ShootBounds, Tables, TroopType,
};

/// One block of the sheet: elements that are alike in everything that matters in play.
struct Block<'a> {
    entry: &'a Entry,
    count: usize,
    general: bool,
    names: Vec<(usize, String)>,
}

fn blocks(army: &Army) -> Vec<Block<'_>> {
    let mut all: Vec<Block<'_>> = Vec::new();
    for e in &army.entries {
        let alike = |b: &&mut Block<'_>| {
            (b.entry.ty, b.entry.grade, b.entry.shooting, b.entry.command)
                == (e.ty, e.grade, e.shooting, e.command)
        };
        let name = e.name.clone().map(|n| {
            let of = if e.general { " (general)" } else { "" };
            (usize::from(e.count), format!("{n}{of}"))
        });
        match all.iter_mut().find(alike) {
            Some(b) => {
                b.count += usize::from(e.count);
                b.general |= e.general;
                b.names.extend(name);
            }
            None => all.push(Block {
                entry: e,
                count: usize::from(e.count),
                general: e.general,
                names: name.into_iter().collect(),
            }),
        }
    }
    all
}

/// The lines of one block, as label and text.
struct Facts {
    title: String,
    aside: String,
    lines: Vec<(&'static str, String)>,
}

fn facts(block: &Block<'_>, army: &Army, tables: &Tables) -> Facts {
    let e = block.entry;
    let data = tables.troop(e.ty);
    let grade = match e.grade {
        Grade::Levy => "Levy ",
        Grade::Plain => "",
        Grade::Elite => "Elite ",
    };
    let what = if block.count == 1 { e.ty.name() } else { e.ty.plural() };
    let mut title = format!("{} {grade}{what}", block.count);
    if block.general {
        title.push_str(if block.count == 1 { ", the general" } else { ", one the general" });
    }
    let each = e.cost_each(tables);
    let mut aside = format!("{} {}, {each} AP", e.ty.code(), data.class.word());
    if block.count > 1 {
        let all: Halves = std::iter::repeat_n(each, block.count).sum();
        let _ = write!(aside, " each, {all} in all");
    }
    let mut lines = Vec::new();
    if !block.names.is_empty() {
        // Of some only: how many are called so.
        let named = |(count, name): &(usize, String)| match (*count, block.count) {
            (count, all) if count == all => name.clone(),
            (1, _) => name.clone(),
            (count, _) => format!("{count} {name}"),
        };
        let some = block.names.iter().map(|n| n.0).sum::<usize>() < block.count;
        let label = if some { "some called" } else { "called" };
        lines.push((label, block.names.iter().map(named).collect::<Vec<_>>().join(", ")));
    }
    lines.push(("moves", moves(e.ty, tables)));
    lines.push(("fights", fights(e, tables)));
    let depth = data.depth(army.scale);
    if depth > 0 {
        lines.push(("base", format!("{}p wide, {depth}p deep", tables.base_width(army.scale))));
    }
    lines.push(("beaten", outcomes(e.ty, Degree::Beaten, tables)));
    lines.push(("doubled", outcomes(e.ty, Degree::Doubled, tables)));
    Facts { title, aside, lines }
}

/// The rates: one figure where all are alike, else each column.
pub(super) fn moves(ty: TroopType, tables: &Tables) -> String {
    let data = tables.troop(ty);
    let columns =
        [(Column::Road, "road"), (Column::Good, "good"), (Column::Bad, "bad"), (Column::Water, "water")];
    let rates = columns.map(|(c, word)| (data.rate(c), word));
    if rates.iter().all(|(r, _)| *r == rates[0].0) {
        return format!("{}p everywhere", rates[0].0);
    }
    let one = |(rate, word): &(i32, &str)| match rate {
        0 => format!("{word} none"),
        r => format!("{word} {r}p"),
    };
    rates.iter().map(one).collect::<Vec<_>>().join(", ")
}

pub(super) fn fights(e: &Entry, tables: &Tables) -> String {
    let data = tables.troop(e.ty);
    let (foot, mounted) = (data.cf(Class::Foot), data.cf(Class::Mounted));
    let mut text = if foot == mounted {
        format!("{foot:+}")
    } else {
        format!("{foot:+} against foot, {mounted:+} against mounted and aerial")
    };
    match e.grade {
        Grade::Levy => {
            let _ = write!(text, ", {:+} levy", tables.numbers.factor_levy);
        }
        Grade::Elite => {
            let _ = write!(text, ", {:+} elite", tables.numbers.factor_elite);
        }
        Grade::Plain => {}
    }
    if let Some(s) = data.shoots.filter(|s| !s.if_armed || e.shooting) {
        let whose = if s.bounds == ShootBounds::Own { "in its own bound" } else { "in every bound" };
        let _ = write!(text, "; shoots to {}p {whose}", s.range);
    }
    if data.bespells {
        let n = &tables.numbers;
        let _ = write!(text, "; bespells to {}p for {}", n.bespell_range, crate::figure::pips(n.pip_bespell));
    }
    if data.pursues {
        text.push_str("; pursues");
    }
    text
}

fn verb(outcome: Outcome, tables: &Tables) -> String {
    match outcome {
        Outcome::None => "no effect".to_owned(),
        Outcome::Recoil => "recoils".to_owned(),
        Outcome::Flee => format!("flees {}p", tables.numbers.flee_distance),
        Outcome::FleeField => "flees the battlefield".to_owned(),
        Outcome::Ensorcelled => "ensorcelled".to_owned(),
        Outcome::Destroyed => "destroyed".to_owned(),
        Outcome::Captured => "captured".to_owned(),
    }
}

/// One row of the outcome table in words, made from the expanded array: what mostly happens in close
/// combat in good going, who does otherwise, and what other circumstances change.
fn outcomes(loser: TroopType, degree: Degree, tables: &Tables) -> String {
    let winners: Vec<TroopType> = TroopType::ALL
        .into_iter()
        .filter(|t| *t != TroopType::Str || loser != TroopType::Str)
        .filter(|t| tables.is_big() || !tables.troop(*t).big)
        .collect();
    outcomes_by(&winners, loser, degree, tables)
}

/// The same where only these can beat it.
pub(super) fn outcomes_by(
    winners: &[TroopType],
    loser: TroopType,
    degree: Degree,
    tables: &Tables,
) -> String {
    let base = Defeat {
        mode: Mode::Contact,
        going: Going::Good,
        just_contacted: false,
        ground_aid: false,
        loser,
        winner: loser,
        degree,
    };
    let at = |case: Defeat, winner| tables.outcomes.get(Defeat { winner, ..case });
    let count = |o: Outcome| winners.iter().filter(|w| at(base, **w) == o).count();
    let usual = Outcome::ALL.into_iter().max_by_key(|o| count(*o)).unwrap_or_default();
    let mut text = verb(usual, tables);
    let mut note = |before: &str, case: Defeat, of: &[TroopType], but: &dyn Fn(TroopType) -> Outcome| {
        for outcome in Outcome::ALL {
            let who: Vec<TroopType> =
                of.iter().copied().filter(|w| at(case, *w) == outcome && but(*w) != outcome).collect();
            if !who.is_empty() {
                let all = of.iter().all(|w| at(case, *w) == outcome);
                let by = if all { String::new() } else { by(&who, winners, tables) };
                let _ = write!(text, "; {before}{}{by}", verb(outcome, tables));
            }
        }
    };
    note("", base, winners, &|_| usual);
    let as_base = |w| at(base, w);
    note("in bad going ", Defeat { going: Going::Bad, ..base }, winners, &as_base);
    note("just in contact ", Defeat { just_contacted: true, ..base }, winners, &as_base);
    let shooters: Vec<TroopType> =
        winners.iter().copied().filter(|w| tables.troop(*w).shoots.is_some()).collect();
    note("shot at ", Defeat { mode: Mode::Shot, ..base }, &shooters, &as_base);
    let bespellers: Vec<TroopType> = winners.iter().copied().filter(|w| tables.troop(*w).bespells).collect();
    note("bespelled ", Defeat { mode: Mode::Bespelled, ..base }, &bespellers, &as_base);
    text
}

/// " by Mounted, Wbd": classes where all of a class are meant, types otherwise.
fn by(who: &[TroopType], of: &[TroopType], tables: &Tables) -> String {
    let mut words = Vec::new();
    let mut left = who.to_vec();
    for (class, word) in Class::WORDS {
        let all: Vec<TroopType> = of.iter().copied().filter(|t| tables.class(*t) == class).collect();
        if all.len() > 1 && all.iter().all(|t| who.contains(t)) {
            words.push(word.to_owned());
            left.retain(|t| !all.contains(t));
        }
    }
    words.extend(left.iter().map(|t| t.code().to_owned()));
    format!(" by {}", words.join(", "))
}

/// The rules that a type needs beyond those that all need.
fn rules_of(ty: TroopType, tables: &Tables) -> Vec<RuleId> {
    use TroopType::*;
    let data = tables.troop(ty);
    let mut all = vec![data.rule, tables.outcomes.rule(ty)];
    all.extend(data.arms);
    if data.class == Class::Aerial {
        all.extend([rule!("HOTT-092"), rule!("HOTT-140"), rule!("HOTT-142"), rule!("HOTT-166")]);
    }
    if data.pursues {
        all.extend([rule!("HOTT-324"), rule!("HOTT-325"), rule!("HOTT-328")]);
    }
    if data.shoots.is_some() {
        all.extend([rule!("HOTT-223"), rule!("HOTT-226"), rule!("HOTT-231"), rule!("HOTT-235")]);
    }
    let own: &[RuleId] = match ty {
        God => &[rule!("HOTT-101"), rule!("HOTT-182"), rule!("HOTT-183"), rule!("HOTT-147")],
        Drg => &[rule!("HOTT-102"), rule!("HOTT-182"), rule!("HOTT-186"), rule!("HOTT-307")],
        Her | AHe => &[rule!("HOTT-100"), rule!("HOTT-201"), rule!("HOTT-204"), rule!("HOTT-267")],
        Pal => &[rule!("HOTT-212"), rule!("HOTT-255"), rule!("HOTT-267")],
        Kni => &[rule!("HOTT-274")],
        Beh => &[rule!("HOTT-306"), rule!("HOTT-307")],
        Bst => &[rule!("HOTT-256")],
        Spr | Wbd => &[rule!("HOTT-246"), rule!("HOTT-251"), rule!("HOTT-332")],
        Art => &[rule!("HOTT-045"), rule!("HOTT-169"), rule!("HOTT-224"), rule!("HOTT-236")],
        Hrd => &[rule!("HOTT-099"), rule!("HOTT-198"), rule!("HOTT-199")],
        Clr => &[rule!("HOTT-255")],
        Mag => &[
            rule!("HOTT-092"),
            rule!("HOTT-103"),
            rule!("HOTT-104"),
            rule!("HOTT-207"),
            rule!("HOTT-219"),
            rule!("HOTT-100"),
            rule!("HOTT-205"),
        ],
        Snk => &[rule!("HOTT-145"), rule!("HOTT-158"), rule!("HOTT-270")],
        Lrk => &[rule!("HOTT-098"), rule!("HOTT-188"), rule!("HOTT-194"), rule!("HOTT-195")],
        WLk => &[rule!("HOTT-098"), rule!("HOTT-191"), rule!("HOTT-194"), rule!("HOTT-247")],
        Abt | Fly | Rid | Bld | Sht | LtH | Sct | Rgr | Str => &[],
    };
    all.extend(own);
    all
}

/// The rules of the whole sheet, in order, each once.
fn rules(army: &Army, tables: &Tables) -> Vec<RuleId> {
    let mut all: Vec<RuleId> = army.entries.iter().flat_map(|e| rules_of(e.ty, tables)).collect();
    if army.entries.iter().any(|e| e.grade != Grade::Plain) {
        all.push(rule!("BB-007"));
    }
    if army.entries.iter().any(|e| e.contingent.is_some()) {
        all.extend([rule!("HOTT-096"), rule!("HOTT-352")]);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A rule's text in short: its first sentence, without the mark of a reading.
fn short(rule: RuleId) -> String {
    let text = rule.text().trim_start_matches(['°', ' ']);
    let line = text.lines().next().unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |i| i + 1);
    line[..end].replace("**", "")
}

/// The rules that have a text of their own on the sheet; those of the troop and outcome tables are in
/// its blocks already.
fn told(army: &Army, tables: &Tables) -> Vec<RuleId> {
    let in_blocks = |r: &RuleId| {
        TroopType::ALL.into_iter().any(|t| tables.troop(t).rule == *r || tables.outcomes.rule(t) == *r)
    };
    rules(army, tables).into_iter().filter(|r| !in_blocks(r)).collect()
}

/// Half of an army or command as it is counted, to the quarter of an AP (BB-007).
pub(super) fn half_of(total: Halves) -> String {
    let quarters = total.0;
    match quarters % 4 {
        0 => format!("{}", quarters / 4),
        1 => format!("{}.25", quarters / 4),
        2 => format!("{}.5", quarters / 4),
        _ => format!("{}.75", quarters / 4),
    }
}

pub(super) fn summary(army: &Army, tables: &Tables) -> String {
    let total = army.ap_total(tables);
    let small = army.ap_small(tables);
    let count = army.element_count();
    let half = half_of(total);
    format!("{total} AP ({small} of them cheap), {count} elements, {}; half is {half} AP", army.scale.word())
}

fn cited(block: &Block<'_>, tables: &Tables) -> String {
    let mut rules = rules_of(block.entry.ty, tables);
    rules.sort_unstable();
    rules.dedup();
    rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The sheet as data, for other forms than text and page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The army's name.
    pub title: String,
    /// AP, elements, scale.
    pub summary: String,
    /// A block for all elements that are alike.
    pub blocks: Vec<SheetBlock>,
    /// Rules with their text in short.
    pub rules: Vec<(String, String)>,
}

/// One block of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetBlock {
    /// `4 Blades, one the general`.
    pub title: String,
    /// Code, class and AP.
    pub aside: String,
    /// Label and text of each line.
    pub lines: Vec<(String, String)>,
}

fn sheet_block(b: &Block<'_>, army: &Army, tables: &Tables) -> SheetBlock {
    let f = facts(b, army, tables);
    let mut lines: Vec<(String, String)> = f.lines.into_iter().map(|(l, t)| (l.to_owned(), t)).collect();
    lines.push(("rules".to_owned(), cited(b, tables)));
    SheetBlock { title: f.title, aside: f.aside, lines }
}

/// The block of one entry by itself.
pub(super) fn block_of(entry: &Entry, tables: &Tables) -> SheetBlock {
    let army = Army { entries: vec![entry.clone()], ..Army::new("") };
    let block = Block { entry, count: 1, general: false, names: Vec::new() };
    sheet_block(&block, &army, tables)
}

fn sheet(army: &Army, tables: &Tables) -> Sheet {
    Sheet {
        title: army.name.clone(),
        summary: summary(army, tables),
        blocks: blocks(army).iter().map(|b| sheet_block(b, army, tables)).collect(),
        rules: told(army, tables)
            .into_iter()
            // BB-081: where a rule of the base game says Stronghold, it means Baggage.
            .map(|r| {
                (
                    r.to_string(),
                    if tables.is_big() { short(r).replace("Stronghold", "Baggage") } else { short(r) },
                )
            })
            .collect(),
    }
}

/// The sheets of an army, one for each command (BB-002).
#[must_use]
pub fn roster_sheets(army: &Army, tables: &Tables) -> Vec<Sheet> {
    let commands = army.command_numbers();
    if commands.len() < 2 {
        return vec![sheet(army, tables)];
    }
    let total = army.ap_total(tables);
    let half = half_of(total);
    let of = |n: &u8| {
        let chief = if *n == army.commands.cinc { ", the commander-in-chief's" } else { "" };
        let part = Army {
            name: format!("{}: command {n}{chief}", army.name),
            entries: army.entries.iter().filter(|e| e.command == *n).cloned().collect(),
            ..army.clone()
        };
        let sheet = sheet(&part, tables);
        let summary = format!("{}. The army: {total} AP, half is {half} AP", sheet.summary);
        Sheet { summary, ..sheet }
    };
    commands.iter().map(of).collect()
}

/// A sheet as text, at most 100 columns wide where names allow.
#[must_use]
pub fn sheet_text(sheet: &Sheet) -> String {
    let mut out = format!("{}\n", sheet.title);
    wrapped(&mut out, "", &sheet.summary);
    out.push('\n');
    for block in &sheet.blocks {
        let _ = writeln!(out, "{:<44} {}", block.title, block.aside);
        for (label, text) in &block.lines {
            wrapped(&mut out, &format!("  {label:<8}"), text);
        }
        out.push('\n');
    }
    for (rule, text) in &sheet.rules {
        wrapped(&mut out, &format!("{rule:<10}"), text);
    }
    out
}

/// The sheets of an army as text.
#[must_use]
pub fn roster_text(army: &Army, tables: &Tables) -> String {
    roster_sheets(army, tables).iter().map(sheet_text).collect::<Vec<_>>().join("\n\n")
}

/// A paragraph under a label, broken at 100 columns.
fn wrapped(out: &mut String, label: &str, text: &str) {
    let mut line = label.to_owned();
    let indent = " ".repeat(label.chars().count());
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > 100
            && line.trim() != label.trim()
            && !line.is_empty()
        {
            out.push_str(line.trim_end());
            out.push('\n');
            line = indent.clone();
        }
        if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

const STYLE: &str = "@page{size:A4;margin:12mm}body{font:9.5pt/1.3 system-ui,sans-serif;margin:1em auto;\
max-width:60em;color:#111}h1{font-size:15pt;margin:0}p.sum{margin:.1em 0 .8em;color:#444}.cards{columns:2;\
column-gap:1.4em}main+main{break-before:page}section{break-inside:avoid;border-top:1px solid #999;padding:.25em 0 .45em}h2{font-size:\
11pt;margin:0}h2 small{font-weight:normal;color:#444;float:right}dl{margin:0;display:grid;\
grid-template-columns:4.4em 1fr}dt{color:#666}dd{margin:0}ul.rules{columns:2;column-gap:1.4em;font-size:8pt;\
padding:0;list-style:none}ul.rules li{break-inside:avoid}ul.rules b{color:#444}";

/// The sheets of an army as a page of its own, without anything fetched from elsewhere; each prints on one sheet.
#[must_use]
pub fn roster_html(army: &Army, tables: &Tables) -> String {
    sheet_html(&army.name, &roster_sheets(army, tables))
}

/// Sheets as one page, each printed on a sheet of its own.
#[must_use]
pub fn sheet_html(title: &str, sheets: &[Sheet]) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    let _ = writeln!(out, "<title>{}</title>\n<style>{STYLE}</style>", escape(title));
    for sheet in sheets {
        let _ = writeln!(
            out,
            "<main>\n<h1>{}</h1>\n<p class=\"sum\">{}</p>",
            escape(&sheet.title),
            escape(&sheet.summary)
        );
        out.push_str("<div class=\"cards\">\n");
        for block in &sheet.blocks {
            let (title, aside) = (escape(&block.title), escape(&block.aside));
            let _ = writeln!(out, "<section><h2>{title} <small>{aside}</small></h2><dl>");
            for (label, text) in &block.lines {
                let _ = writeln!(out, "<dt>{label}</dt><dd>{}</dd>", escape(text));
            }
            out.push_str("</dl></section>\n");
        }
        out.push_str("</div>\n<ul class=\"rules\">\n");
        for (rule, text) in &sheet.rules {
            let _ = writeln!(out, "<li><b>{rule}</b> {}</li>", escape(text));
        }
        out.push_str("</ul>\n</main>\n");
    }
    out.push_str("</html>\n");
    out
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Scope;

    fn says(ty: TroopType, degree: Degree) -> String {
        outcomes(ty, degree, &Tables::standard(Scope::Base))
    }

    #[test]
    fn rows_in_words() {
        use TroopType::*;
        assert_eq!(says(Bld, Degree::Beaten), "recoils; destroyed by Wbd");
        assert_eq!(says(Bld, Degree::Doubled), "destroyed");
        assert_eq!(
            says(Kni, Degree::Beaten),
            "recoils; destroyed by Beh; in bad going destroyed; just in contact destroyed by Sht, Art, Mag"
        );
        assert_eq!(says(Spr, Degree::Beaten), "recoils; destroyed by Kni, Wbd; in bad going recoils by Kni");
        assert_eq!(
            says(Her, Degree::Beaten),
            "recoils; flees 600p by Str; ensorcelled by Mag; destroyed by AHe, Her, Pal, Art"
        );
        assert_eq!(says(Sht, Degree::Beaten), "recoils; destroyed by mounted");
        assert_eq!(says(Art, Degree::Beaten), "destroyed; shot at recoils; bespelled recoils");
        assert_eq!(
            says(Str, Degree::Beaten),
            "captured; no effect by aerial; shot at no effect by Sht; bespelled no effect"
        );
    }

    #[test]
    fn a_sheet_names_everything_and_escapes_names() {
        let t = Tables::standard(Scope::Base);
        let mut army = Army::new("Elves & <Friends>");
        for ty in TroopType::ALL.into_iter().filter(|ty| *ty != TroopType::Str) {
            army.entries.push(Entry { name: Some("a<b".to_owned()), ..Entry::new(ty, 2) });
        }
        army.entries.push(Entry { general: true, ..Entry::new(TroopType::Bld, 1) });
        let (text, html) = (roster_text(&army, &t), roster_html(&army, &t));
        for ty in TroopType::ALL.into_iter().filter(|ty| *ty != TroopType::Str) {
            let n = if ty == TroopType::Bld { 3 } else { 2 };
            assert!(text.contains(&format!("{n} {}", ty.plural())), "{ty}");
            assert!(html.contains(&format!("{n} {}", ty.plural())), "{ty}");
        }
        assert!(text.contains("3 Blades, one the general"));
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
        assert!(html.contains("Elves &amp; &lt;Friends&gt;") && !html.contains("a<b"));
        // every rule cited is one with a text
        assert!(rules(&army, &t).iter().all(|r| !short(*r).is_empty()));
    }

    #[test]
    fn graded_and_armed_elements_say_so() {
        let t = Tables::standard(Scope::Big);
        let mut army = Army::new("x");
        army.entries.push(Entry {
            grade: Grade::Elite,
            shooting: true,
            general: true,
            contingent: Some("Others".to_owned()),
            ..Entry::new(TroopType::LtH, 1)
        });
        army.entries.push(Entry { grade: Grade::Levy, ..Entry::new(TroopType::LtH, 1) });
        let text = roster_text(&army, &t);
        assert!(text.contains("1 Elite Light Horse, the general"), "{text}");
        assert!(text.contains("+2, +1 elite; shoots to 100p in every bound"), "{text}");
        assert!(text.contains("+2, -1 levy\n"), "{text}");
        assert!(text.contains("BB-007") && text.contains("HOTT-352"), "{text}");
        assert!(text.contains("4 AP") && text.contains("3 AP") && text.contains("1 AP"), "{text}");
    }
}
