//! Orders in plain words, as a receipt shows them.

use super::ast::{
    Act, BodyOrder, Captivity, Chain, Compare, Cond, Covert, Dest, Item, Pick, Raise, Treaty, Verb,
};
use crate::ids::{Label, PlaceId};
use std::fmt;

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compare::Exactly => "exactly",
            Compare::AtLeast => "at least",
            Compare::AtMost => "at most",
        })
    }
}

fn armies(n: i64) -> &'static str {
    if n == 1 { "army" } else { "armies" }
}

impl fmt::Display for Cond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |list: &[Cond], word: &str| -> String {
            let one = |c: &Cond| match c {
                Cond::And(_) | Cond::Or(_) => format!("({c})"),
                _ => c.to_string(),
            };
            list.iter().map(one).collect::<Vec<_>>().join(word)
        };
        match self {
            Cond::Invaders(Compare::AtLeast, 1) => f.write_str("invaded"),
            Cond::Invaders(how, n) => write!(f, "invaded by {how} {n} {}", armies(*n)),
            Cond::InvaderAp(how, n) => write!(f, "invaded by {how} {n} AP"),
            Cond::InvadedBy(nation) => write!(f, "{nation} invades"),
            Cond::AllyArrives(None) => f.write_str("an ally arrives"),
            Cond::AllyArrives(Some(nation)) => write!(f, "{nation} arrives"),
            Cond::Season(season) => f.write_str(&season.word().to_lowercase()),
            Cond::Won(body) => write!(f, "{} wins", body.short()),
            Cond::Lost(body) => write!(f, "{} loses", body.short()),
            Cond::Does(body, verb) => {
                let verb = match verb {
                    Verb::Moves => "moves",
                    Verb::Defends => "defends",
                    Verb::StandsSiege => "stands siege",
                    Verb::Retreats => "retreats",
                };
                write!(f, "{} {verb}", body.short())
            }
            Cond::Holds(place, nation) => write!(f, "{place} is held by {nation}"),
            Cond::Neutral(place) => write!(f, "{place} is neutral"),
            Cond::Strength(body, how, n) => write!(f, "{} has {how} {n} AP", body.short()),
            Cond::Allied(nation) => write!(f, "allied with {nation}"),
            Cond::Not(cond) => write!(f, "not ({cond})"),
            Cond::And(list) => f.write_str(&joined(list, " and ")),
            Cond::Or(list) => f.write_str(&joined(list, " or ")),
        }
    }
}

fn labels(list: &[Label]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn places(list: &[PlaceId]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Move { to, via, sea } | Act::Invade { to, via, sea } => {
                let verb = if matches!(self, Act::Move { .. }) { "move to" } else { "invade" };
                write!(f, "{verb} {to}")?;
                if !via.is_empty() {
                    write!(f, " via {}", places(via))?;
                }
                if *sea { f.write_str(" by sea") } else { Ok(()) }
            }
            Act::Defend { sally: true, .. } => f.write_str("sally"),
            Act::Defend { hold: true, .. } => f.write_str("hold"),
            Act::Defend { first, .. } if !first.is_empty() => write!(f, "defend first {}", places(first)),
            Act::Defend { .. } => f.write_str("defend"),
            Act::StandSiege => f.write_str("stand siege"),
            Act::Retreat { to: Some(to) } => write!(f, "retreat to {to}"),
            Act::Retreat { to: None } => f.write_str("retreat"),
            Act::Siege => f.write_str("siege"),
            Act::Assault(true) => f.write_str("by assault"),
            Act::Assault(false) => f.write_str("without assault"),
            Act::Abort { above, elements } => {
                write!(f, "abort if more than {above} {} are lost", if *elements { "elements" } else { "AP" })
            }
            Act::Lose(list) => write!(f, "lose {} first", labels(list)),
            Act::FallBack(to) => write!(f, "fall back to {to}"),
            Act::StayOut => f.write_str("stay out of the battle"),
            Act::Side(nation) => write!(f, "side with {nation}"),
            Act::Contingent(list) => write!(f, "contingent {}", labels(list)),
            Act::Commander(label) => write!(f, "commander {label}"),
            Act::Ships(nation) => write!(f, "in ships of {nation}"),
            Act::Winter(place) => write!(f, "winter at {place}"),
            Act::Join(body) => write!(f, "join {}", body.short()),
            Act::Principal(nation) => write!(f, "principal {nation}"),
            Act::Bear => f.write_str("bear the assault losses"),
            Act::Prime => f.write_str("prime army"),
        }
    }
}

fn acts(list: &[Act]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (cond, list)) in self.arms.iter().enumerate() {
            match (n, cond) {
                (0, None) => write!(f, "{}", acts(list))?,
                (0, Some(cond)) => write!(f, "if {cond}: {}", acts(list))?,
                (_, Some(cond)) => write!(f, ", else if {cond}: {}", acts(list))?,
                (_, None) => write!(f, ", else {}", acts(list))?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for BodyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts.iter().map(ToString::to_string).collect();
        let who =
            if self.body.n == 0 { format!("the army of {}", self.body.nation) } else { self.body.short() };
        write!(f, "{who}: {}", parts.join("; "))
    }
}

impl fmt::Display for Treaty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Treaty::Ally(n) => write!(f, "offer alliance to {n}"),
            Treaty::Rescind(n) => write!(f, "rescind the alliance with {n}"),
            Treaty::Withdraw(n) => write!(f, "withdraw offer to {n}"),
            Treaty::Submit(n) => write!(f, "submit to {n}"),
            Treaty::TakeVassal(n) => write!(f, "take vassal {n}"),
            Treaty::Renounce(n) => write!(f, "renounce {n}"),
            Treaty::Rebel => f.write_str("rebel"),
            Treaty::Leave { vassal, about, given: true } => write!(f, "allow {vassal} to invade {about}"),
            Treaty::Leave { vassal, about, given: false } => write!(f, "forbid {vassal} to invade {about}"),
            Treaty::Passage { to, at, stay } => {
                write!(f, "grant {to} passage")?;
                if let Some(at) = at {
                    write!(f, " through {at}")?;
                }
                if *stay { f.write_str(" and leave to stay") } else { Ok(()) }
            }
            Treaty::Lend(n) => write!(f, "lend fleet to {n}"),
            Treaty::Carry(body) => write!(f, "carry {}", body.short()),
            Treaty::ClaimFleet(n) => write!(f, "claim fleet of {n}"),
            Treaty::DemandArmy(n) => write!(f, "demand army of {n}"),
            Treaty::GiveArmy(body) => write!(f, "give {}", body.short()),
            Treaty::EndAlliance { vassal, with } => write!(f, "end alliance of {vassal} with {with}"),
            Treaty::Winter(n) => write!(f, "allow {n} to winter"),
            Treaty::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Raise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Raise::New { count, troop, mount, at } => {
                write!(f, "raise {count} {}{troop} at {at}", if *mount { "mounted " } else { "" })
            }
            Raise::Promote { element, to } => write!(f, "promote {element} to {to}"),
            Raise::Mount(element) => write!(f, "mount {element}"),
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Body(order) => order.fmt(f),
            Item::Transfer { from, picks, to } => {
                let picks: Vec<String> = picks.iter().map(Pick::words).collect();
                let picks = picks.join(", ");
                match to {
                    Dest::Body(to) => write!(f, "{}: give {picks} to {}", from.short(), to.short()),
                    Dest::Garrison => write!(f, "{}: leave {picks} as garrison", from.short()),
                    Dest::Army => write!(f, "{}: detach {picks} as an army", from.short()),
                }
            }
            Item::Seat { body, element } => write!(f, "{}: general to {element}", body.short()),
            Item::NameGeneral { element, name } => write!(f, "the general with {element} is called {name}"),
            Item::MakeGeneral(label) => write!(f, "make general {label}"),
            Item::Covert { element, work, at, whom } => match (work, whom) {
                (Covert::Spy, _) => write!(f, "{element}: spy on {at}"),
                (Covert::Scry, _) => write!(f, "{element}: scry {at}"),
                (Covert::Assassinate, _) => write!(f, "{element}: assassinate the general at {at}"),
                (Covert::Rescue, Some(who)) => write!(f, "{element}: rescue {who} from {at}"),
                (Covert::Rescue, None) => write!(f, "{element}: rescue from {at}"),
            },
            Item::Captive(who, Captivity::Release) => write!(f, "release {who}"),
            Item::Captive(who, Captivity::Execute) => write!(f, "execute {who}"),
            Item::Captive(who, Captivity::Send(to)) => write!(f, "send {who} to {to}"),
            Item::Treaty(treaty) => treaty.fmt(f),
            Item::Raise(raise) => raise.fmt(f),
        }
    }
}
