//! Commands as text. The forms are those in the doc comments of [`Command`]; `parse.rs` reads them back.

use super::{edge_word, label, pose, side_word, target_label};
use crate::battle::{Battle, Command, ElementId, Face, Leg, MoveOrder, ShooterReply, SideId, State, Target};
use crate::figure;
use field::Pose;

/// The words of a face.
pub(super) const FACES: [(Face, &str); 4] =
    [(Face::Front, "front"), (Face::Left, "left"), (Face::Right, "right"), (Face::Rear, "rear")];

/// The words of a standing reply.
pub(super) const REPLIES: [(ShooterReply, &str); 3] =
    [(ShooterReply::ByRule, "by-rule"), (ShooterReply::MostAids, "most-aids"), (ShooterReply::Ask, "ask")];

fn word_of<T: PartialEq>(list: &[(T, &'static str)], value: &T) -> &'static str {
    list.iter().find(|(v, _)| v == value).map_or("?", |(_, w)| w)
}

struct Printer<'a> {
    battle: &'a Battle,
    state: &'a State,
}

impl Printer<'_> {
    fn one(&self, id: ElementId) -> String {
        label(self.battle, self.state, id)
    }

    fn list(&self, ids: &[ElementId]) -> String {
        ids.iter().map(|id| self.one(*id)).collect::<Vec<_>>().join(" ")
    }

    fn target(&self, target: Target) -> String {
        match target {
            Target::Element(id) => self.one(id),
            Target::Stronghold(_) => target_label(self.battle, target),
        }
    }

    fn placed(&self, list: &[(ElementId, Pose)]) -> String {
        list.iter().map(|(id, at)| format!("{} {}", self.one(*id), pose(*at))).collect::<Vec<_>>().join(", ")
    }

    fn legs(&self, legs: &[Leg]) -> String {
        legs.iter().map(|leg| leg_text(*leg)).collect::<Vec<_>>().join(", ")
    }

    fn order(&self, order: &MoveOrder) -> String {
        let attack = |yes: bool| if yes { " attack" } else { "" };
        match order {
            MoveOrder::Legs { who, legs, attack: a } => {
                format!("move {} {}{}", self.list(who), self.legs(legs), attack(*a))
            }
            MoveOrder::Free { who, to, attack: a } => {
                format!("move {} to {}{}", self.one(*who), pose(*to), attack(*a))
            }
            MoveOrder::Charge(c) => {
                format!("charge {} {} {}", self.list(&c.who), word_of(&FACES, &c.face), self.target(c.enemy))
            }
            MoveOrder::LineUp(l) => {
                let place = l.side.map_or("behind", side_word);
                format!("line {} {place} {}", self.list(&l.who), self.one(l.friend))
            }
            MoveOrder::Column { who, legs, road } => {
                format!("column {} {}{}", self.list(who), self.legs(legs), if *road { " road" } else { "" })
            }
            MoveOrder::Narrow { who, width, legs } => {
                format!("narrow {} to {width} {}", self.list(who), self.legs(legs))
            }
            MoveOrder::CloseDoor { who, enemy } => format!("close {} {}", self.one(*who), self.one(*enemy)),
            MoveOrder::BreakOff { who, by } => {
                let ahead = if *by < 0 { "ahead " } else { "" };
                format!("break {} {ahead}{}", self.one(*who), figure::print(by.saturating_abs()))
            }
        }
    }
}

fn leg_text(leg: Leg) -> String {
    let two = |plus: &str, minus: &str, by: i32| {
        format!("{} {}", if by < 0 { minus } else { plus }, figure::print(by.saturating_abs()))
    };
    match leg {
        Leg::Ahead(by) => two("ahead", "back", by),
        Leg::Sideways(by) => two("right", "left", by),
        Leg::By(by) => format!("by {} {}", figure::print(by.x), figure::print(by.y)),
        Leg::Wheel(side, angle) => format!("wheel {} {}", side_word(side), figure::print(angle)),
        Leg::Turn(heading) => format!("turn {}", figure::print(heading)),
    }
}

/// Which of its side's commands a command is, from 1.
fn number_in_side(battle: &Battle, id: crate::battle::CommandId) -> usize {
    let side = battle.commands[id.index()].side;
    battle.commands[..=id.index()].iter().filter(|c| c.side == side).count()
}

fn letter(battle: &Battle, side: SideId) -> char {
    battle.sides[side.index()].letter
}

/// The text form of a command.
#[must_use]
pub fn print(battle: &Battle, state: &State, command: &Command) -> String {
    let p = Printer { battle, state };
    match command {
        Command::Roll => "roll".to_owned(),
        Command::Ground(ground) => {
            let lines: Vec<String> = ground.features().iter().map(crate::ground::Feature::print).collect();
            if lines.is_empty() { "ground none".to_owned() } else { format!("ground {}", lines.join("; ")) }
        }
        Command::Edges(edges) => format!("edges {}", edges.map(edge_word).join(" ")),
        Command::Stronghold(base) => {
            let (w, d) = (figure::print(base.size.width), figure::print(base.size.depth));
            format!("stronghold {} {w} {d}", pose(base.pose))
        }
        Command::Deploy(list) => format!("deploy {}", p.placed(list)),
        Command::Deployed(id) => {
            let side = battle.commands[id.index()].side;
            if battle.commands.iter().filter(|c| c.side == side).count() == 1 {
                "deployed".to_owned()
            } else {
                format!("deployed {}", number_in_side(battle, *id))
            }
        }
        Command::Assign(scores) => {
            let list: Vec<String> = scores.iter().map(u8::to_string).collect();
            format!("assign {}", list.join(" "))
        }
        Command::Move(order) => p.order(order),
        Command::Halt(who) => format!("halt {}", p.list(who)),
        Command::Lurk(a) => format!("lurk {} {} {}", p.one(a.who), word_of(&FACES, &a.face), p.one(a.enemy)),
        Command::Withdraw(who) => format!("withdraw {}", p.one(*who)),
        Command::Arrive(list) => format!("arrive {}", p.placed(list)),
        Command::Return { who, pose: at, declared } => {
            format!("return {} {}{}", p.one(*who), pose(*at), if *declared { " at stronghold" } else { "" })
        }
        Command::EndMoves => "end moves".to_owned(),
        Command::Bespell { target, who, aids } => {
            let aids = if aids.is_empty() { String::new() } else { format!(" {}", p.list(aids)) };
            format!("bespell {} with {}{aids}", p.target(*target), p.one(*who))
        }
        Command::EndMagic => "end magic".to_owned(),
        Command::Shoot { target, shooters } => {
            format!("shoot {} with {}", p.target(*target), p.list(shooters))
        }
        Command::ShootBack { shooter } => format!("shoot back {}", p.one(*shooter)),
        // The owner who is asked is not the side whose bound it is, so nothing is left out here.
        Command::Aim(target) => format!("target {}", target_label(battle, *target)),
        Command::EndShooting => "end shooting".to_owned(),
        Command::Fight(who) => format!("fight {}", p.one(*who)),
        Command::FightAll => "fight all".to_owned(),
        Command::Flee(to) => format!("flee to {}", pose(*to)),
        Command::Reply(reply) => format!("reply shooters {}", word_of(&REPLIES, reply)),
        Command::Concede(side) => format!("concede {}", letter(battle, *side)),
        Command::Ruling(text) => format!("ruling {text}"),
    }
}
