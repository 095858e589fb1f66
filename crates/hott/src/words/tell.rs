//! Events as sentences a clubmate would say.

use super::{ap, edge_word, outcome_word, paces_between, spoken, spoken_target};
use crate::battle::{Battle, Close, CommandId, Departure, Ending, Event, Phase, SideId, Target};
use crate::figure::pips;
use crate::table::{Factors, Mode, Outcome};
use rulebook::RuleId;

/// The short name of a factor: what stands behind its figure in an account.
#[must_use]
pub fn factor_name(rule: RuleId) -> &'static str {
    match rule.to_string().as_str() {
        "HOTT-248" => "general",
        "HOTT-249" => "uphill",
        "HOTT-250" => "river bank",
        "HOTT-251" => "support",
        "HOTT-252" => "overlapped or flanked",
        "HOTT-253" => "enemies aid",
        "HOTT-254" => "cover",
        "HOTT-255" => "warded",
        "HOTT-256" => "going",
        "HOTT-257" => "near its Stronghold",
        "BB-007" => "grade",
        "BB-044" => "demoralized",
        "BB-076" => "Scouts behind",
        _ => "combat factor",
    }
}

/// A command by its name; one that has none of its own is `command 2`.
fn called(name: &str) -> String {
    if name.starts_with("command ") { name.to_owned() } else { format!("command {name}") }
}

fn sum(factors: &Factors, die: u8, total: i32) -> String {
    let mut text = String::new();
    for (i, f) in factors.as_slice().iter().enumerate() {
        if i == 0 {
            text.push_str(&format!("{:+}", f.value));
        } else {
            text.push_str(&format!(" {:+} {}", f.value, factor_name(f.rule)));
        }
    }
    format!("{text} and a {die} = {total}")
}

fn letter(battle: &Battle, side: SideId) -> char {
    battle.sides[side.index()].letter
}

/// A side as people speak of it: `A (Lunar Empire)`.
#[must_use]
pub fn side_name(battle: &Battle, side: SideId) -> String {
    let s = &battle.sides[side.index()];
    if s.army.is_empty() { format!("{}", s.letter) } else { format!("{} ({})", s.letter, s.army) }
}

fn winners(battle: &Battle, mask: u8) -> String {
    let sides = (0..u8::try_from(battle.sides.len()).unwrap_or(u8::MAX)).map(SideId);
    let names: Vec<String> = sides.filter(|s| mask & (1 << s.0) != 0).map(|s| side_name(battle, s)).collect();
    names.join(" and ")
}

/// A step of the bound in words.
#[must_use]
pub const fn phase_words(phase: Phase) -> &'static str {
    match phase {
        Phase::Sides => "dice for attacker and defender",
        Phase::Ground => "the defender lays the ground",
        Phase::Edges => "the attacker dices for the base edge",
        Phase::Strongholds => "the Stronghold is placed",
        Phase::Deploy => "deployment",
        Phase::Moves => "step 2: moves",
        Phase::Magic => "step 4: magic",
        Phase::Shooting => "step 5: shooting",
        Phase::Combat => "step 6: close combat",
        Phase::Over => "the battle is over",
    }
}

/// How a battle ended, in words.
#[must_use]
pub const fn ending_words(ending: Ending) -> &'static str {
    match ending {
        Ending::General => "the enemy has lost its general and more AP",
        Ending::Half => "the enemy has lost half its AP and more than its foe",
        Ending::Stronghold => "the enemy's Stronghold is taken",
        Ending::Swept => "the enemy has nobody left",
        Ending::Conceded => "the enemy concedes",
        Ending::Limit => "the last bound is over",
    }
}

fn combat(battle: &Battle, c: &Close) -> String {
    let [a, b] = c.who.map(|t| spoken_target(battle, t));
    let verb = match c.mode {
        Mode::Contact => "fights",
        Mode::Shot => "shoots at",
        Mode::Bespelled => "bespells",
    };
    let aids = if c.aids.is_empty() {
        String::new()
    } else {
        let names: Vec<String> = c.aids.iter().map(|id| battle.element(*id).label.clone()).collect();
        format!(" with {}", names.join(" and "))
    };
    let sums = [0, 1].map(|i| sum(&c.factors[i], c.dice[i], c.totals[i]));
    let mut text = format!("{a} {verb} {b}{aids}: {} against {}.", sums[0], sums[1]);
    let fate = |i: usize| c.judged[i].outcome != Outcome::None;
    if !fate(0) && !fate(1) {
        let why = if c.totals[0] == c.totals[1] { "Equal: nothing happens." } else { "Nothing comes of it." };
        text.push_str(&format!(" {why}"));
    }
    for i in [0, 1] {
        if fate(i) {
            let how = beaten_or_doubled(battle, c, i);
            let name = spoken_target(battle, c.who[i]);
            text.push_str(&format!(" {name} {}{how}.", outcome_word(c.judged[i].outcome)));
        }
    }
    text
}

fn beaten_or_doubled(battle: &Battle, c: &Close, loser: usize) -> String {
    let (own, other) = (c.totals[loser], c.totals[1 - loser]);
    if own == other {
        return String::new();
    }
    let doubled = other > 0 && battle.tables.numbers.doubled_times * own <= other;
    format!(", {} {own} to {other}", if doubled { "doubled" } else { "beaten" })
}

/// The sentence of an event.
#[must_use]
pub fn tell(battle: &Battle, event: &Event) -> String {
    let name = |id| spoken(battle, id);
    let side = |s| side_name(battle, s);
    match event {
        Event::SideDie { side: s, die } => format!("{} dices a {die}.", side(*s)),
        Event::Defends(s) => format!("{} defends.", side(*s)),
        Event::GroundLaid { side: s, features } => {
            format!("{} lays the ground: {features} features.", side(*s))
        }
        Event::Edge { side: s, edge, die: 0 } => format!("{} has the {} edge.", side(*s), edge_word(*edge)),
        Event::Edge { side: s, edge, die } => {
            format!("{} dices a {die} for the {} edge.", side(*s), edge_word(*edge))
        }
        Event::StrongholdPlaced(s) if battle.tables.is_big() => format!("{} places its Baggage.", side(*s)),
        Event::StrongholdPlaced(s) => format!("{} places its Stronghold.", side(*s)),
        Event::Deployed { who, pose } => {
            format!("{} deploys at {}, {}.", name(*who), pose.x / field::PACE, pose.y / field::PACE)
        }
        Event::CommandDeployed(c) => {
            let info = &battle.commands[c.index()];
            if battle.commands.iter().filter(|o| o.side == info.side).count() == 1 {
                format!("{} is deployed.", side(info.side))
            } else {
                format!("{}'s {} is deployed.", letter(battle, info.side), called(&info.name))
            }
        }
        Event::Bound { bound, side: s } => format!("Bound {bound}: {}.", side(*s)),
        Event::Pips { command, score } => {
            let info = &battle.commands[command.index()];
            if battle.commands.iter().filter(|o| o.side == info.side).count() == 1 {
                format!("{} has {}.", letter(battle, info.side), pips(*score))
            } else {
                format!("{}'s {} has {}.", letter(battle, info.side), called(&info.name), pips(*score))
            }
        }
        Event::Paid { pips: spent, parts, left, .. } => {
            let parts: Vec<String> = parts.iter().map(|(rule, n)| format!("{n} {rule}")).collect();
            format!("{} ({}), {left} left.", pips(*spent), parts.join(" + "))
        }
        Event::Moved { who, distance, .. } => format!("{} moves {}.", name(*who), super::paces(*distance)),
        Event::Conformed { who, .. } => format!("{} shifts into full contact.", name(*who)),
        Event::Declared(who) => format!("{} comes down to attack.", name(*who)),
        Event::Turned { who, enemy, .. } => format!("{} turns to face {}.", name(*who), name(*enemy)),
        Event::Halted(who) => format!("{} is halted.", name(*who)),
        Event::Appeared { who, .. } => format!("{} appears.", name(*who)),
        Event::Withdrawn(who) => format!("{} goes back into hiding.", name(*who)),
        Event::Step(phase) => format!("{}.", capital(phase_words(*phase))),
        Event::Combat(c) => combat(battle, c),
        Event::SpokeOne { who, fatal: true } => {
            format!("{} shows its second 1 and ensorcels itself.", name(*who))
        }
        Event::SpokeOne { who, fatal: false } => format!("{} shows a 1: it is remembered.", name(*who)),
        Event::Recoiled { who, from, to } => {
            format!("{} recoils {}p.", name(*who), paces_between(*from, *to))
        }
        Event::Pushed { who, from, to, by } => {
            format!("{} is pushed back {}p by {}.", name(*who), paces_between(*from, *to), name(*by))
        }
        Event::Fled { who, from, to } => format!("{} flees {}p.", name(*who), paces_between(*from, *to)),
        Event::Pursued { who, from, to } => format!("{} pursues {}p.", name(*who), paces_between(*from, *to)),
        Event::Removed { who, how, .. } => match how {
            Departure::Destroyed => format!("{} is destroyed.", name(*who)),
            Departure::Fled => format!("{} flees the battlefield.", name(*who)),
            Departure::Ensorcelled(Some(by)) => format!("{} is ensorcelled by {}.", name(*who), name(*by)),
            Departure::Ensorcelled(None) => format!("{} ensorcels itself.", name(*who)),
            Departure::Left => format!("{} leaves the battlefield.", name(*who)),
        },
        Event::StrongholdLost { side: s, by } => {
            format!("{} falls to {}.", capital(&spoken_target(battle, Target::Stronghold(*s))), name(*by))
        }
        Event::Losses { side: s, halves } => format!("{} has lost {} AP.", side(*s), ap(*halves)),
        Event::Demoralised(c) => format!("{} is demoralized.", command(battle, *c)),
        Event::Rallied(c) => format!("{} is demoralized no more.", command(battle, *c)),
        Event::Called(c) => {
            format!("{} is called on and enters in its side's next bound.", battle.commands[c.index()].name)
        }
        Event::Succession { who, score, lost, commands: true } => {
            format!("The general with {} takes command: {score} against {lost} elements lost.", name(*who))
        }
        Event::Succession { who, score, lost, commands: false } => {
            format!("The general with {} is not heeded: {score} against {lost} elements lost.", name(*who))
        }
        Event::Out(s) => format!("{} leaves the battle.", side(*s)),
        Event::Conceded(s) => format!("{} concedes.", side(*s)),
        Event::ReplyUsed(who) => format!("{} follows its standing reply.", name(*who)),
        Event::Over { winners: 0, ending } => format!("The battle is undecided: {}.", ending_words(*ending)),
        Event::Over { winners: mask, ending } => {
            let verb = if mask.count_ones() > 1 { "win" } else { "wins" };
            format!("{} {verb}: {}.", winners(battle, *mask), ending_words(*ending))
        }
        Event::Ruled(text) => format!("Ruling: {text}."),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

impl Battle {
    /// The sentence of an event.
    #[must_use]
    pub fn tell(&self, event: &Event) -> String {
        tell(self, event)
    }
}

/// A command at the head of a sentence: one without a name of its own is called by its number.
fn command(battle: &Battle, c: CommandId) -> String {
    let info = &battle.commands[c.index()];
    format!("{}'s {}", letter(battle, info.side), called(&info.name))
}
