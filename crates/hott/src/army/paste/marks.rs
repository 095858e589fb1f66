//! What only the lists of big battles say of elements: grades (BB-007), weapons (BB-011, BB-015), commands (BB-002).
//!
//! The words are taken out of a line before it is read for types and figures, and left behind as marks.

use super::piece::{clean_type, take_ap, types_at};
use super::token::Token;
use crate::table::{Grade, Tables, TroopType};

/// What was said of an element or of some of a line's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// BB-007.
    Graded(Grade),
    /// BB-011, BB-015: equipped with a shooting weapon.
    Armed,
    /// Said to have none.
    Unarmed,
    /// What is said is said of so many only: "4 Blades (2 elite)"; 0: of some.
    Partly(u32),
    /// BB-002: "(command 2)" behind an element.
    Command(u32),
}

const ELITE: [&str; 3] = ["elite", "elites", "elitetruppen"];
const LEVY: [&str; 4] = ["levy", "levys", "levies", "levied"];
/// Weapons that shoot, and those who carry them.
const ARMS: [&str; 30] = [
    "armed",
    "bow",
    "bows",
    "bowmen",
    "longbow",
    "longbows",
    "shortbow",
    "shortbows",
    "crossbow",
    "crossbows",
    "archer",
    "archers",
    "archery",
    "sling",
    "slings",
    "slingers",
    "javelin",
    "javelins",
    "missile",
    "missiles",
    "shooting",
    "ranged",
    "guns",
    "gun",
    "muskets",
    "rifles",
    "pistols",
    "carbines",
    "arquebuses",
    "weaponry",
];
/// What stands between an element and its weapon.
const LINKS: [&str; 14] = [
    "with", "weapon", "weapons", "a", "an", "equipped", "carrying", "having", "and", "or", "of", "their",
    "all", "have",
];
const NONE: [&str; 4] = ["no", "not", "without", "non"];
const COMMAND: [&str; 5] = ["command", "cmd", "kommando", "commando", "commandement"];
const CHIEF: [&str; 5] = ["cinc", "commanderinchief", "cic", "chief", "oberbefehlshaber"];
const ORDINALS: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const ROMAN: [&str; 8] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"];
/// Parts of armies that may be commands or not.
const PARTS: [&str; 8] =
    ["wing", "wings", "corps", "division", "brigade", "vanguard", "rearguard", "commands"];
/// "two of them elite".
const SOME: [(&str, u32); 11] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("half", 0),
    ("some", 0),
    ("most", 0),
    ("partly", 0),
    ("few", 0),
];

fn is_arm(token: &Token) -> bool {
    token.key().is_some_and(|k| ARMS.contains(&k.as_str()) || k.ends_with("armed") && k != "unarmed")
}

fn grade(token: &Token) -> Option<Grade> {
    if token.is_word(&ELITE) { Some(Grade::Elite) } else { token.is_word(&LEVY).then_some(Grade::Levy) }
}

/// The tokens of a line with its marks.
pub(super) fn marked(all: Vec<Token>, tables: &Tables) -> Vec<Token> {
    let armed = arms_marked(all, tables);
    let mut out = Vec::new();
    for token in armed {
        match token {
            Token::Group(group) => from_group(group, &mut out),
            Token::Word(_) => out.push(grade(&token).map_or(token, |g| Token::Mark(Mark::Graded(g)))),
            other => out.push(other),
        }
    }
    out
}

/// A bracket: what is marked in it is said of the element outside.
fn from_group(group: Vec<Token>, out: &mut Vec<Token>) {
    if let Some(n) = bracketed_command(&group) {
        out.push(Token::Mark(Mark::Command(n)));
        return;
    }
    let (mut left, mut marks) = (Vec::new(), Vec::new());
    for token in group {
        match token {
            Token::Mark(mark) => marks.push(mark),
            token => match grade(&token) {
                Some(g) => marks.push(Mark::Graded(g)),
                None => left.push(token),
            },
        }
    }
    if marks.is_empty() {
        out.push(Token::Group(left));
        return;
    }
    if clean_type(&left).is_none() {
        let (bare, _) = take_ap(&left);
        let some = bare.iter().find_map(Token::number).or_else(|| bare.iter().find_map(some_word));
        marks.extend(some.map(Mark::Partly));
        left.retain(|t| !matches!(t, Token::Sign(_)) && !t.is_word(&LINKS) && some_word(t).is_none());
    }
    if !left.is_empty() {
        out.push(Token::Group(left));
    }
    out.extend(marks.into_iter().map(Token::Mark));
}

fn some_word(token: &Token) -> Option<u32> {
    SOME.iter().find(|(w, _)| token.is_word(&[w])).map(|(_, n)| *n)
}

/// "(command 2)", "(2nd command)".
fn bracketed_command(group: &[Token]) -> Option<u32> {
    let heading = Heading::read(group)?;
    heading.rest.is_empty().then_some(heading.number).flatten()
}

/// Weapons of those who may have any (BB-011, BB-015), and "armed" beside whomever it stands.
fn arms_marked(all: Vec<Token>, tables: &Tables) -> Vec<Token> {
    let types: Vec<(usize, usize, TroopType)> =
        types_at(&all).into_iter().filter(|(at, ..)| !is_arm(&all[*at])).collect();
    let choice = |ty: TroopType| tables.troop(ty).arms.is_some();
    // Whether nothing parts two places of the line.
    let together = |from: usize, to: usize, figures: bool| {
        all.get(from..to).into_iter().flatten().all(|t| {
            !t.is_sign(",;+&/.|") && (figures || t.number().is_none()) && (!t.is_word(&["and"]) || figures)
        })
    };
    let whose = |i: usize, bracket: bool| {
        let before = types.iter().rev().find(|(at, len, _)| at + len <= i);
        let behind = types.iter().find(|(at, ..)| *at > i);
        let own = before.filter(|(at, len, _)| together(at + len, i, bracket) || all[i].is_word(&["armed"]));
        let own = own.or_else(|| behind.filter(|(at, ..)| together(i + 1, *at, bracket)));
        own.map(|(.., ty)| *ty)
    };
    let beside = |i: usize| {
        let ends = |(at, len, _): &(usize, usize, TroopType)| at + len == i && i + 1 == all.len();
        types.iter().any(|t| t.0 == i + 1 || ends(t))
    };
    let mut out: Vec<Token> = Vec::new();
    let mut arms_before = false;
    for (i, token) in all.iter().enumerate() {
        match token {
            Token::Group(group) => {
                let bare = matches!(&group[..], [one] if one.is_word(&["armed", "unarmed"]));
                let whose = whose(i, true);
                out.push(Token::Group(if bare || whose.is_some_and(choice) {
                    in_bracket(group)
                } else {
                    group.clone()
                }));
            }
            Token::Word(_) if token.is_word(&["unarmed"]) && whose(i, false).is_some_and(choice) => {
                out.push(Token::Mark(Mark::Unarmed));
            }
            Token::Word(_)
                if is_arm(token)
                    && (arms_before
                        || whose(i, false).is_some_and(choice)
                        || token.is_word(&["armed"]) && beside(i)) =>
            {
                mark_arm(&mut out);
                arms_before = true;
                continue;
            }
            // "bows and javelins", "armed with a bow"
            Token::Word(_) if arms_before && token.is_word(&LINKS) => continue,
            other => out.push(other.clone()),
        }
        arms_before = false;
    }
    out
}

/// A weapon that was met: the words that led to it go, and what denies it counts.
fn mark_arm(out: &mut Vec<Token>) {
    while out.last().is_some_and(|t| t.is_word(&LINKS)) {
        out.pop();
    }
    let denied = out.last().is_some_and(|t| t.is_word(&NONE));
    if denied {
        out.pop();
    }
    let mark = if denied { Mark::Unarmed } else { Mark::Armed };
    if out.last() != Some(&Token::Mark(mark)) {
        out.push(Token::Mark(mark));
    }
}

fn in_bracket(group: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    for token in group {
        if is_arm(token) {
            mark_arm(&mut out);
        } else if token.is_word(&["unarmed"]) {
            out.push(Token::Mark(Mark::Unarmed));
        } else if !(matches!(out.last(), Some(Token::Mark(_))) && token.is_word(&LINKS)) {
            out.push(token.clone());
        }
    }
    out
}

/// Whether tokens hold a mark, in brackets or out of them.
pub(super) fn has_mark(all: &[Token]) -> bool {
    all.iter().any(|t| match t {
        Token::Mark(_) => true,
        Token::Group(g) => has_mark(g),
        _ => false,
    })
}

/// Whether a line is about a part of an army.
pub(super) fn names_a_part(all: &[Token]) -> bool {
    all.iter().any(|t| t.is_word(&PARTS) || t.is_word(&COMMAND))
}

/// Whether somebody is said to be the commander-in-chief.
pub(super) fn says_chief(all: &[Token]) -> bool {
    all.iter().any(|t| match t {
        Token::Group(g) => says_chief(g),
        t => t.is_word(&CHIEF[..3]),
    })
}

/// What is marked of one piece of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) grade: Option<Grade>,
    pub(super) armed: bool,
    pub(super) command: Option<u32>,
    pub(super) chief: bool,
    /// So many only; 0: some.
    pub(super) partly: Option<u32>,
    /// Two grades, or both armed and not.
    pub(super) torn: bool,
    pub(super) any: bool,
}

impl Marks {
    /// Of a piece whose type stands there.
    pub(super) fn of(tokens: &[Token], type_at: usize) -> Marks {
        let mut marks = Marks { chief: says_chief(tokens), ..Marks::default() };
        let mut unarmed = false;
        for (i, token) in tokens.iter().enumerate() {
            let Token::Mark(mark) = token else { continue };
            marks.any = true;
            match mark {
                Mark::Graded(g) => {
                    marks.torn |= marks.grade.is_some_and(|before| before != *g);
                    marks.grade = Some(*g);
                }
                Mark::Armed => marks.armed = true,
                Mark::Unarmed => unarmed = true,
                Mark::Partly(n) => marks.partly = Some(*n),
                Mark::Command(n) => marks.command = Some(*n),
            }
            // "4 Blades, 2 of them elite"
            if i > type_at && !matches!(mark, Mark::Command(_) | Mark::Partly(_)) {
                let links = ["of", "them", "are", "is", "which", "being", "these"];
                let before = tokens[..i].iter().rev().find(|t| !t.is_word(&links));
                let some = before.and_then(|t| t.number().or_else(|| some_word(t)));
                marks.partly = marks.partly.or(some);
            }
        }
        marks.torn |= marks.armed && unarmed;
        marks
    }
}

/// A line that begins a command: "Command 2", "Second command (24 AP)", "The Duke's command:".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    /// Its number, if it has one.
    pub(super) number: Option<u32>,
    /// The commander-in-chief's.
    pub(super) chief: bool,
    /// What stands behind it.
    pub(super) rest: Vec<Token>,
}

impl Heading {
    /// Reads one; `None` if the line is none.
    pub(super) fn read(all: &[Token]) -> Option<Heading> {
        let at = all.iter().take(7).position(|t| t.is_word(&COMMAND))?;
        let before = &all[..at];
        // "Under the command of the Duke" tells of him, and begins nothing.
        let told = before.last().is_some_and(|t| t.is_word(&["under", "in", "take", "takes", "has"]))
            || before.first().is_some_and(|t| t.is_word(&["under", "in"]));
        if told || before.iter().any(|t| matches!(t, Token::Mark(_) | Token::Group(_))) {
            return None;
        }
        let ordinal = ORDINALS.iter().zip(1..).find(|(w, _)| before.iter().any(|t| t.is_word(&[w])));
        let number = match before {
            [n, th, ..] if th.is_word(&["st", "nd", "rd", "th"]) => n.number(),
            _ if before.iter().any(|t| t.number().is_some()) => return None,
            _ => ordinal.map(|(_, n)| n),
        };
        let mut rest = &all[at + 1..];
        let mut skip = |sign: &str, words: &[&str]| {
            if let [first, behind @ ..] = rest
                && (first.is_sign(sign) || first.is_word(words))
            {
                rest = behind;
            }
        };
        skip("#.", &["no", "nr", "number", "num"]);
        skip("#.", &[]);
        let mut found = number;
        if let [first, behind @ ..] = rest
            && number.is_none()
            && let Some(n) = behind_command(first)
        {
            (found, rest) = (Some(n), behind);
        }
        while let [first, behind @ ..] = rest
            && first.is_sign(":-.,|)=")
        {
            rest = behind;
        }
        let chief = all.iter().any(|t| match t {
            Token::Group(g) => says_chief(g),
            t => t.is_word(&CHIEF),
        });
        Some(Heading { number: found, chief, rest: rest.to_vec() })
    }
}

/// 2, II, B or two.
fn behind_command(token: &Token) -> Option<u32> {
    if let Some(n) = token.number() {
        return Some(n);
    }
    let word = token.key()?;
    let place = |list: &[&str]| list.iter().zip(1..).find(|(w, _)| **w == word).map(|(_, n)| n);
    let letter = || match word.as_bytes() {
        [c @ b'a'..=b'h'] => Some(u32::from(c - b'a') + 1),
        _ => None,
    };
    let some = SOME.iter().find(|(w, n)| *w == word && *n > 0).map(|(_, n)| *n);
    place(&ROMAN).or_else(letter).or(some).or_else(|| place(&ORDINALS))
}
