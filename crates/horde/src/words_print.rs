//! Commands printed: the one text form that [`crate::words::parse`] reads back.

use crate::command::{Command, From, Hold, Joins, Reaction, Rule};
use crate::state::{How, State};
use crate::unit::{Action, Aim, Band, Mod, UnitId, Usual};
use std::fmt::Write as _;

/// The form that [`read_usual`] reads.
pub(crate) fn print_usual(u: &Usual) -> String {
    let semi = if u.semi { " semi" } else { "" };
    let mut out = format!("{}{semi} {}", u.action.word(), u.weapon);
    if let Some(at) = &u.at {
        _ = write!(out, " {at}");
    }
    print_rest(&mut out, u.band, u.aim, &u.mods);
    out
}

/// The form that [`read_how`] reads.
pub(crate) fn print_how(state: &State, by: UnitId, how: &How) -> String {
    let mut out = how.action.word().to_owned();
    if how.action == Action::Suppress {
        out.push_str(if how.full_auto { " full" } else { " semi" });
    }
    _ = write!(out, " {}", how.weapon);
    let _ = (state, by);
    print_rest(&mut out, how.band, how.aim, &how.mods);
    out
}

fn print_rest(out: &mut String, band: Band, aim: Aim, mods: &[Mod]) {
    if band != Band::Normal {
        _ = write!(out, " {}", band.word());
    }
    _ = write!(out, " aim {}", aim.word());
    for m in mods {
        _ = write!(out, " {:+}", m.value);
        if !m.name.is_empty() {
            _ = write!(out, " \"{}\"", m.name);
        }
    }
}

fn numbers<T: std::fmt::Display>(out: &mut String, word: &str, list: &[T]) {
    if !list.is_empty() {
        _ = write!(out, " {word}");
        list.iter().for_each(|n| _ = write!(out, " {n}"));
    }
}

/// Prints a command.
pub fn print(state: &State, command: &Command) -> String {
    let l = |id: &UnitId| &*state.unit(*id).label;
    let list = |ids: &[UnitId]| ids.iter().map(l).collect::<Vec<_>>().join(" ");
    let roll = |r: &Option<u16>| r.map_or_else(String::new, |r| format!(" roll {r}"));
    match command {
        Command::Begin => "begin".to_owned(),
        Command::Next => "next".to_owned(),
        Command::Attack { by, at, how, told } => {
            let mut out = format!("{} {} {}", l(by), how.action.word(), how.weapon);
            if how.action == Action::Suppress {
                out = format!(
                    "{} suppress {} {}",
                    l(by),
                    if how.full_auto { "full" } else { "semi" },
                    how.weapon
                );
            }
            _ = write!(out, " {}", list(at));
            let unit = state.unit(*by);
            if how.band == Band::Normal && unit.weapon(&how.weapon).is_some_and(|w| !w.is_melee()) {
                out.push_str(" normal");
            }
            print_rest(&mut out, how.band, how.aim, &how.mods);
            let usual = unit.usual.iter().flatten().find(|u| *u.weapon == *how.weapon);
            if how.mods.is_empty() && usual.is_some_and(|u| !u.mods.is_empty()) {
                out.push_str(" plain");
            }
            numbers(&mut out, "roll", &told.rolls);
            if let Some(d) = told.degrees {
                _ = write!(out, " {d} dos");
            }
            if let Some(h) = told.hits {
                _ = write!(out, " {h} hits");
            }
            numbers(&mut out, "damage", &told.damage);
            numbers(&mut out, "dice", &told.dice);
            if !told.caught.is_empty() {
                _ = write!(out, " catching {}", list(&told.caught));
            }
            out
        }
        Command::React { who, which, with, metres, roll: r, dice } => {
            let word = match with {
                Reaction::Dodge => "dodge",
                Reaction::Parry => "parry",
                Reaction::None => "takes it",
            };
            let which = which.map_or_else(String::new, |n| format!(" #{}", n + 1));
            let metres = metres.map_or_else(String::new, |m| format!(" {m}m"));
            let mut out = format!("{} {word}{which}{metres}{}", l(who), roll(r));
            numbers(&mut out, "dice", dice);
            out
        }
        Command::Lose { who, n, because } => {
            let mut out = if state.unit(*who).is_horde() {
                format!("{} {:+}", l(who), -i64::from(*n))
            } else if *n >= 0 {
                format!("{} {n} wounds", l(who))
            } else {
                format!("{} heals {}", l(who), -i64::from(*n))
            };
            if !because.is_empty() {
                _ = write!(out, " because \"{because}\"");
            }
            out
        }
        Command::Aims { who, aim } => format!("{} aims {}", l(who), aim.word()),
        Command::Defend { who } => format!("{} defends", l(who)),
        Command::Fear { who, rating, rolls } => {
            let mut out = format!("{} fear {rating}", l(who));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Recover { who, from, cover, roll: r } => {
            let from = match from {
                From::Pinning => "pinning",
                From::Fear => "fear",
                From::Grapple => "grapple",
            };
            format!("{} recovers {from}{}{}", l(who), if *cover { " cover" } else { "" }, roll(r))
        }
        Command::Hold { by, at, what, rolls } => {
            let word = match what {
                Hold::Squeeze => "squeezes",
                Hold::Throw => "throws",
                Hold::Disarm => "disarms",
                Hold::Push => "pushes",
                Hold::Keep => "keeps",
            };
            let mut out = format!("{} {word} {}", l(by), l(at));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Escape { who, control, rolls } => {
            let mut out = format!("{} {}", l(who), if *control { "controls" } else { "escapes" });
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Feint { who, at, rolls } => {
            let mut out = format!("{} feints {}", l(who), l(at));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::KnockDown { who, at, hurts, rolls } => {
            let hurting = if *hurts { " hurting" } else { "" };
            let mut out = format!("{} knocks down {}{hurting}", l(who), l(at));
            numbers(&mut out, "roll", rolls);
            out
        }
        Command::Stand { who } => format!("{} stands", l(who)),
        Command::Reload { who, weapon } => format!("{} reloads {weapon}", l(who)),
        Command::Unjam { who, weapon } => format!("{} clears {weapon}", l(who)),
        Command::Engage { horde, with, on } => {
            format!("{} {} {}", l(horde), if *on { "engages" } else { "leaves" }, list(with))
        }
        Command::Ruling(r) => {
            let mut out = print_ruling(state, &r.what);
            if !r.because.is_empty() {
                _ = write!(out, " because \"{}\"", r.because);
            }
            out
        }
    }
}

/// A text so that the reader takes it as one word and leaves its case alone: in quotes where it needs them.
fn one_word(text: &str) -> String {
    let bare = !text.is_empty()
        && text.chars().all(|c| {
            !c.is_whitespace()
                && !matches!(c, '"' | ',' | ';' | ':')
                && c.to_lowercase().eq(std::iter::once(c))
        });
    if bare { text.to_owned() } else { format!("\"{text}\"") }
}

fn print_ruling(state: &State, rule: &Rule) -> String {
    let l = |id: &UnitId| &*state.unit(*id).label;
    match rule {
        Rule::Magnitude { who, m } => format!("{} magnitude {m}", l(who)),
        Rule::Original { who, m } => format!("{} original {m}", l(who)),
        Rule::Reinforce { who, n, first_only } => {
            format!("{} reinforce {n}{}", l(who), if *first_only { " only" } else { "" })
        }
        Rule::Split { who, n, label } => format!("{} split {n} {label}", l(who)),
        Rule::Merge { who, into } => format!("{} merge {}", l(who), l(into)),
        Rule::Breaks { who } => format!("{} breaks", l(who)),
        Rule::Holds { who } => format!("{} holds", l(who)),
        Rule::Rallies { who } => format!("{} rallies", l(who)),
        Rule::SkipTest { who } => format!("{} skips", l(who)),
        Rule::Test { who, roll } => {
            format!("{} test{}", l(who), roll.map_or_else(String::new, |r| format!(" roll {r}")))
        }
        Rule::Option { key, value } => format!("option {} = {}", one_word(key), one_word(value)),
        Rule::Set { who, key, value } => format!("{} set {} = {}", l(who), one_word(key), one_word(value)),
        Rule::Hits { who, which, hits } => format!("{} gets #{} {hits} hits", l(who), which + 1),
        Rule::Add { kind, label, profile, strength, initiative } => {
            let word = match kind {
                Joins::Horde => "horde",
                Joins::Heretic => "heretic",
                Joins::Foe => "foe",
                Joins::Ally => "ally",
            };
            let mut out = format!("add {word} {label} {profile}");
            if let Some(s) = strength {
                _ = write!(out, " {s}");
            }
            if let Some(i) = initiative {
                _ = write!(out, " initiative {i}");
            }
            out
        }
        Rule::Arms { who, weapon, gains } => {
            format!("{} {} {weapon}", l(who), if *gains { "gains" } else { "drops" })
        }
        Rule::Gone { who } => format!("{} gone", l(who)),
        Rule::Returns { who } => format!("{} returns", l(who)),
        Rule::Before { who, other } => format!("{} before {}", l(who), l(other)),
        Rule::After { who, other } => format!("{} after {}", l(who), l(other)),
        Rule::Surprised { who } => format!("{} surprised", l(who)),
        Rule::Turn { who } => format!("turn {}", l(who)),
    }
}
