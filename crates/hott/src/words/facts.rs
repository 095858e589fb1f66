//! Events as short statements of a fixed form, for cases: `factor A.Bld1 HOTT-252 -2`.

use super::{ap, edge_word, paces_between, target_label};
use crate::battle::{Battle, Close, Departure, Ending, Event, Phase};
use crate::table::{Mode, Outcome};

/// The word of an outcome in statements.
#[must_use]
pub const fn outcome_fact(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::None => "nothing",
        Outcome::Recoil => "recoils",
        Outcome::Flee => "flees",
        Outcome::FleeField => "flees-field",
        Outcome::Ensorcelled => "ensorcelled",
        Outcome::Destroyed => "destroyed",
        Outcome::Captured => "captured",
    }
}

/// The word of an ending in statements and JSON.
#[must_use]
pub const fn ending_word(ending: Ending) -> &'static str {
    match ending {
        Ending::General => "general",
        Ending::Half => "half",
        Ending::Stronghold => "stronghold",
        Ending::Swept => "swept",
        Ending::Conceded => "conceded",
        Ending::Limit => "limit",
    }
}

/// The word of a phase in statements, positions and JSON.
#[must_use]
pub const fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Sides => "sides",
        Phase::Ground => "ground",
        Phase::Edges => "edges",
        Phase::Strongholds => "strongholds",
        Phase::Deploy => "deploy",
        Phase::Moves => "moves",
        Phase::Magic => "magic",
        Phase::Shooting => "shooting",
        Phase::Combat => "combat",
        Phase::Over => "over",
    }
}

/// The word of a way to leave the table.
#[must_use]
pub const fn departure_word(how: Departure) -> &'static str {
    match how {
        Departure::Destroyed => "destroyed",
        Departure::Fled => "fled",
        Departure::Ensorcelled(_) => "ensorcelled",
        Departure::Left => "left",
    }
}

fn combat(battle: &Battle, c: &Close) -> Vec<String> {
    let names = c.who.map(|t| target_label(battle, t));
    let word = match c.mode {
        Mode::Contact => "fight",
        Mode::Shot => "shot",
        Mode::Bespelled => "spell",
    };
    let mut facts = vec![format!("{word} {} {}", names[0], names[1])];
    facts.extend(c.aids.iter().map(|id| format!("aid {}", battle.full_label(*id))));
    for (i, name) in names.iter().enumerate() {
        facts.extend(
            c.factors[i].as_slice().iter().map(|f| format!("factor {name} {} {:+}", f.rule, f.value)),
        );
        facts.push(format!("die {name} {}", c.dice[i]));
        facts.push(format!("total {name} {}", c.totals[i]));
    }
    for (i, name) in names.iter().enumerate() {
        facts.push(format!("result {name} {} {}", outcome_fact(c.judged[i].outcome), c.judged[i].rule));
    }
    facts
}

/// The statements of an event.
#[must_use]
pub fn facts(battle: &Battle, event: &Event) -> Vec<String> {
    let name = |id| battle.full_label(id);
    let letter = |s: crate::battle::SideId| battle.sides[s.index()].letter;
    let command = |c: crate::battle::CommandId| battle.commands[c.index()].name.clone();
    vec![match event {
        Event::SideDie { side, die } => format!("side-die {} {die}", letter(*side)),
        Event::Defends(side) => format!("defends {}", letter(*side)),
        Event::GroundLaid { side, features } => format!("ground {} {features}", letter(*side)),
        Event::Edge { side, edge, die } => format!("edge {} {} {die}", letter(*side), edge_word(*edge)),
        Event::StrongholdPlaced(side) => format!("stronghold {}", letter(*side)),
        Event::Deployed { who, pose } => format!("deployed {} {}", name(*who), super::pose(*pose)),
        Event::CommandDeployed(c) => format!("command-deployed {}", command(*c)),
        Event::Bound { bound, side } => format!("bound {bound} {}", letter(*side)),
        Event::Pips { command: c, score } => format!("pips {} {score}", command(*c)),
        Event::Paid { pips, parts, left, .. } => {
            let mut facts = vec![format!("paid {pips} left {left}")];
            facts.extend(parts.iter().map(|(rule, n)| format!("cost {rule} {n}")));
            return facts;
        }
        Event::Moved { who, distance, .. } => {
            format!("moved {} {}", name(*who), (distance + 50).div_euclid(100))
        }
        Event::Conformed { who, to, rule, .. } => {
            format!("conformed {} {rule} {}", name(*who), super::pose(*to))
        }
        Event::Declared(who) => format!("declared {}", name(*who)),
        Event::Turned { who, enemy, .. } => format!("turned {} {}", name(*who), name(*enemy)),
        Event::Halted(who) => format!("halted {}", name(*who)),
        Event::Appeared { who, pose, rule } => {
            format!("appeared {} {rule} {}", name(*who), super::pose(*pose))
        }
        Event::Withdrawn(who) => format!("withdrawn {}", name(*who)),
        Event::Step(phase) => format!("step {}", phase_word(*phase)),
        Event::Combat(c) => return combat(battle, c),
        Event::SpokeOne { who, fatal } => {
            format!("one {} {}", name(*who), if *fatal { "fatal" } else { "first" })
        }
        Event::Recoiled { who, from, to } => format!("recoils {} {}", name(*who), paces_between(*from, *to)),
        Event::Pushed { who, from, to, by } => {
            format!("pushed {} {} {}", name(*who), paces_between(*from, *to), name(*by))
        }
        Event::Fled { who, from, to } => format!("flees {} {}", name(*who), paces_between(*from, *to)),
        Event::Pursued { who, from, to } => format!("pursues {} {}", name(*who), paces_between(*from, *to)),
        Event::Removed { who, how, rule } => {
            format!("removed {} {} {rule}", name(*who), departure_word(*how))
        }
        Event::StrongholdLost { side, by } => format!("stronghold-lost {} {}", letter(*side), name(*by)),
        Event::Losses { side, halves } => format!("losses {} {}", letter(*side), ap(*halves)),
        Event::Demoralised(c) => format!("demoralized {}", command(*c)),
        Event::Rallied(c) => format!("rallied {}", command(*c)),
        Event::Called(c) => format!("called {}", command(*c)),
        Event::Succession { who, score, lost, commands } => {
            let word = if *commands { "commands" } else { "fails" };
            format!("succession {} {score} {lost} {word}", name(*who))
        }
        Event::Out(side) => format!("out {}", letter(*side)),
        Event::Conceded(side) => format!("conceded {}", letter(*side)),
        Event::ReplyUsed(who) => format!("reply-used {}", name(*who)),
        Event::Over { winners, ending } => {
            let sides = battle.sides.iter().enumerate().filter(|(n, _)| winners & (1 << n) != 0);
            let letters: Vec<String> = sides.map(|(_, s)| s.letter.to_string()).collect();
            let who = if letters.is_empty() { "nobody".to_owned() } else { letters.join(" ") };
            format!("over {who} {}", ending_word(*ending))
        }
        Event::Ruled(text) => format!("ruled {text}"),
    }]
}
