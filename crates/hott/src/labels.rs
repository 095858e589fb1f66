//! Labels: `A.Kni2` in any case and by a clear beginning (`a.k2`), without the side for one's own.

use crate::battle::{Battle, CommandId, ElementId, Ending, Fate, Phase, ShooterReply, SideId, State, Target};
use dice::Ask;
use game::Problem;

/// Splits a label into side letter, letters and number.
fn parts(text: &str) -> Option<(Option<char>, &str, &str)> {
    let (side, bare) = match text.split_once('.') {
        Some((letter, rest)) => {
            let mut chars = letter.chars();
            let first = chars.next()?;
            if chars.next().is_some() {
                return None;
            }
            (Some(first), rest)
        }
        None => (None, text),
    };
    let at = bare.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = bare.split_at(at);
    let good = !letters.is_empty()
        && letters.chars().all(char::is_alphabetic)
        && number.chars().all(|c| c.is_ascii_digit());
    good.then_some((side, letters, number))
}

/// The side with this letter.
pub(crate) fn find_side(battle: &Battle, letter: &str) -> Result<SideId, Problem> {
    let known: Vec<String> = battle.sides.iter().map(|s| s.letter.to_string()).collect();
    known.iter().position(|k| k.eq_ignore_ascii_case(letter)).map(|n| SideId(n as u8)).ok_or_else(|| {
        Problem::new(format!("no such side: {letter}")).meant(letter, known.iter().map(String::as_str))
    })
}

/// The element that a word names; `own` is the side meant where none is named.
pub(crate) fn find_element(battle: &Battle, word: &str, own: SideId) -> Result<ElementId, Problem> {
    // A label that is no type and number, as a person may have given one.
    if let Some(id) = battle.labelled(word, Some(own)) {
        return Ok(id);
    }
    let Some((letter, letters, number)) = parts(word) else {
        return Err(Problem::new(format!("not a label: {word:?}")).hint("labels are like Kni2 or B.Kni2"));
    };
    let side = match letter {
        Some(letter) => find_side(battle, &letter.to_string())?,
        None => own,
    };
    let begins = |label: &str| {
        parts(label).is_some_and(|(_, l, n)| {
            n == number
                && l.len() >= letters.len()
                && l.is_char_boundary(letters.len())
                && l[..letters.len()].eq_ignore_ascii_case(letters)
        })
    };
    let found: Vec<ElementId> = battle.ids_of(side).filter(|id| begins(&battle.element(*id).label)).collect();
    match found[..] {
        [only] => Ok(only),
        [] => {
            let known: Vec<String> = battle.ids_of(side).map(|id| battle.element(id).label.clone()).collect();
            let bare = format!("{letters}{number}");
            Err(Problem::new(format!("no element is called {word}"))
                .meant(&bare, known.iter().map(String::as_str)))
        }
        _ => {
            let names: Vec<String> = found.iter().map(|id| battle.element(*id).label.clone()).collect();
            Err(Problem::new(format!("{word} may be {}", names.join(" or "))).hint("write more of it"))
        }
    }
}

/// One element, or a range `Bld1-Bld4`.
pub(crate) fn find_elements(battle: &Battle, word: &str, own: SideId) -> Result<Vec<ElementId>, Problem> {
    let Some((a, b)) = word.split_once('-') else { return Ok(vec![find_element(battle, word, own)?]) };
    let first = find_element(battle, a, own)?;
    let last = find_element(battle, b, battle.element(first).side)?;
    let kind = |id: ElementId| {
        parts(&battle.element(id).label).map(|(_, l, n)| (l.to_owned(), n.parse::<u32>().unwrap_or(0)))
    };
    let (Some((la, na)), Some((lb, nb))) = (kind(first), kind(last)) else {
        return Err(Problem::new(format!("{word} is no range")));
    };
    if la != lb || na > nb || battle.element(first).side != battle.element(last).side {
        return Err(Problem::new(format!("{word} is no range")).hint("a range is like Bld1-Bld4"));
    }
    let within = |id: &ElementId| kind(*id).is_some_and(|(l, n)| l == la && (na..=nb).contains(&n));
    let mut found: Vec<ElementId> = battle.ids_of(battle.element(first).side).filter(within).collect();
    found.sort_by_key(|id| kind(*id).map(|k| k.1));
    Ok(found)
}

/// An element or a Stronghold (`B.Str`).
pub(crate) fn find_target(battle: &Battle, word: &str, own: SideId) -> Result<Target, Problem> {
    if let Some((letter, rest)) = word.split_once('.')
        && rest.len() >= 2
        && ("stronghold".starts_with(&rest.to_lowercase()) || "baggage".starts_with(&rest.to_lowercase()))
    {
        return Ok(Target::Stronghold(find_side(battle, letter)?));
    }
    find_element(battle, word, own).map(Target::Element)
}

/// Phases with the words that positions use.
pub(crate) const PHASES: [(Phase, &str); 10] = [
    (Phase::Sides, "sides"),
    (Phase::Ground, "ground"),
    (Phase::Edges, "edges"),
    (Phase::Strongholds, "strongholds"),
    (Phase::Deploy, "deploy"),
    (Phase::Moves, "moves"),
    (Phase::Magic, "magic"),
    (Phase::Shooting, "shooting"),
    (Phase::Combat, "combat"),
    (Phase::Over, "over"),
];

/// Fates with their words.
pub(crate) const FATES: [(Fate, &str); 6] = [
    (Fate::Waiting, "waiting"),
    (Fate::Table, "table"),
    (Fate::Destroyed, "destroyed"),
    (Fate::Fled, "fled"),
    (Fate::Ensorcelled, "ensorcelled"),
    (Fate::Left, "left"),
];

/// Standing replies with their words.
pub(crate) const REPLIES: [(ShooterReply, &str); 3] =
    [(ShooterReply::ByRule, "by-rule"), (ShooterReply::MostAids, "most-aids"), (ShooterReply::Ask, "ask")];

/// Endings with their words.
pub(crate) const ENDINGS: [(Ending, &str); 6] = [
    (Ending::General, "general"),
    (Ending::Half, "half"),
    (Ending::Stronghold, "stronghold"),
    (Ending::Swept, "swept"),
    (Ending::Conceded, "conceded"),
    (Ending::Limit, "limit"),
];

/// What a step is called where it is somebody's to act.
pub(crate) fn step_words(battle: &Battle, state: &State) -> String {
    match state.phase {
        Phase::Moves => {
            let own = battle.commands.iter().zip(&state.commands).filter(|(c, _)| c.side == state.active);
            let left: Vec<String> = own.map(|(_, now)| now.pips.to_string()).collect();
            let pips = crate::figure::pips(left.join(" + "));
            format!("bound {}, step 2: moves, {pips} left{}", state.bound, battle.about_to_flee(state))
        }
        Phase::Magic | Phase::Shooting | Phase::Combat => {
            format!("bound {}, {}", state.bound, crate::words::phase_words(state.phase))
        }
        phase => crate::words::phase_words(phase).to_owned(),
    }
}

impl Battle {
    /// BB-043: `; Red is demoralized, 3 of it would flee`, of the side whose bound it is.
    pub(crate) fn about_to_flee(&self, state: &State) -> String {
        let mut words = String::new();
        for (n, info) in self.commands.iter().enumerate().filter(|(_, c)| self.acts(state, c.side)) {
            let fleeing = self.would_flee(state, CommandId(n as u8));
            if fleeing > 0 {
                words.push_str(&format!("; {} is demoralized, {fleeing} of it would flee", info.name));
            }
        }
        words
    }

    /// A throw in words that occur once in a battle.
    pub(crate) fn describe_throw(&self, ask: &Ask) -> String {
        let a = ask.address;
        let who = || {
            if a.subject & (1 << 16) != 0 {
                let letter = self.sides.get((a.subject & 0xFF) as usize).map_or('?', |s| s.letter);
                return format!("{letter}.Str");
            }
            match u16::try_from(a.subject) {
                Ok(n) if usize::from(n) < self.elements.len() => self.full_label(ElementId(n)),
                _ => a.subject.to_string(),
            }
        };
        let side = || self.sides.get(a.subject as usize).map_or('?', |s| s.letter);
        match a.purpose {
            "sides" if a.moment == 0 => format!("die of {} for attacker and defender", side()),
            "sides" => format!("die of {} for attacker and defender, throw {}", side(), a.moment + 1),
            "edge" => format!("die of {} for the base edge", side()),
            "pips" => {
                let command = u8::try_from(a.subject).ok().filter(|n| usize::from(*n) < self.commands.len());
                let label =
                    command.map_or_else(|| a.subject.to_string(), |n| command_label(self, CommandId(n)));
                format!("PIPs of {label}, bound {}", a.moment)
            }
            "combat" => format!("close combat of {}, bound {}", who(), a.moment),
            "shot" => format!("shot of {}, bound {}", who(), a.moment),
            "shot at" => format!("shot at {}, bound {}", who(), a.moment),
            "spell" => format!("spell of {}, bound {}", who(), a.moment),
            "spelled" => format!("spell on {}, bound {}", who(), a.moment),
            other => format!("{other} of {}, bound {}", who(), a.moment),
        }
    }

    /// The letter of the side whose die it is: a die of combat, a shot or a spell is its element's.
    pub(crate) fn thrower_of(&self, ask: &Ask) -> Option<String> {
        let n = usize::try_from(ask.address.subject).ok()?;
        let side = match ask.address.purpose {
            "sides" | "edge" => self.sides.get(n)?,
            "pips" => &self.sides[self.commands.get(n)?.side.index()],
            _ if n & (1 << 16) != 0 => self.sides.get(n & 0xFF)?,
            _ => &self.sides[self.elements.get(n)?.side.index()],
        };
        Some(side.letter.to_string())
    }
}

/// A command's short name: `A`, or `A2` where a side has several.
pub(crate) fn command_label(battle: &Battle, command: CommandId) -> String {
    let side = battle.commands[command.index()].side;
    let letter = battle.sides[side.index()].letter;
    let own = battle.commands.iter().filter(|c| c.side == side).count();
    if own == 1 { letter.to_string() } else { format!("{letter}{}", number_within(battle, command)) }
}

/// The number of a command within its side, from 1.
pub(crate) fn number_within(battle: &Battle, command: CommandId) -> usize {
    let side = battle.commands[command.index()].side;
    1 + battle.commands[..command.index()].iter().filter(|c| c.side == side).count()
}

/// The command of this number within a side.
pub(crate) fn find_command(battle: &Battle, side: SideId, number: usize) -> Option<CommandId> {
    let mut own =
        battle.commands.iter().enumerate().filter(|(_, c)| c.side == side).map(|(n, _)| CommandId(n as u8));
    own.nth(number.checked_sub(1)?)
}

/// The command that `A`, `A2`, a number or a name means.
pub(crate) fn command_named(battle: &Battle, word: &str, own: SideId) -> Result<CommandId, Problem> {
    let by_number = |side: SideId, text: &str| text.parse().ok().and_then(|n| find_command(battle, side, n));
    let mut chars = word.chars();
    let letter = chars.next().map(|c| c.to_string()).unwrap_or_default();
    let rest = chars.as_str();
    let by_letter = || {
        let side = find_side(battle, &letter).ok()?;
        if rest.is_empty() { find_command(battle, side, 1) } else { by_number(side, rest) }
    };
    let by_name = || {
        let low = word.to_lowercase();
        let mut found = battle
            .commands
            .iter()
            .enumerate()
            .filter(|(_, c)| c.side == own && !low.is_empty() && c.name.to_lowercase().starts_with(&low));
        let first = found.next()?;
        found.next().is_none().then_some(CommandId(first.0 as u8))
    };
    by_number(own, word).or_else(by_letter).or_else(by_name).ok_or_else(|| {
        Problem::new(format!("no such command: {word}")).hint("commands go by number, as in 1 or A2")
    })
}
