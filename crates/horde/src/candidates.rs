//! What may be answered and what may be done: the lists that players and programs choose from.

use crate::command::{Command, From, Hold, Reaction, Told};
use crate::document::plain_usual;
use crate::encounter::Encounter;
use crate::state::{Answer, How, State};
use crate::unit::{Action, Aim, Band, Unit, UnitId};
use crate::words::attack_of;
use game::{Actor, Game};

pub(crate) fn hits_words(state: &State, who: UnitId) -> String {
    let Some(v) = &state.volley else { return String::new() };
    let waiting: Vec<String> = v
        .attacks
        .iter()
        .filter(|a| a.at == who && a.answer == Answer::Open)
        .map(|a| match a.how.action {
            Action::Stun => "a stun".to_owned(),
            Action::Grapple => "a grapple".to_owned(),
            _ if a.hits == 1 => format!("1 hit, {}", a.how.weapon),
            _ => format!("{} hits, {}", a.hits, a.how.weapon),
        })
        .collect();
    waiting.join("; ")
}

/// What the first who is asked may say, in words.
pub(crate) fn first_answers(state: &State) -> Vec<String> {
    let Some(v) = &state.volley else { return Vec::new() };
    let Some((n, a)) = v.attacks.iter().enumerate().find(|(_, a)| a.answer == Answer::Open) else {
        return Vec::new();
    };
    let label = &state.unit(a.at).label;
    let may = crate::fight::reactions(state, n);
    let words = may.iter().map(|w| format!("{label} {}", crate::event::reaction(*w)));
    words.chain([format!("{label} takes it")]).collect()
}

/// Every legal answer of one who is attacked: each Reaction against each waiting attack, or none at all.
pub(crate) fn answers(state: &State, who: UnitId) -> Vec<Command> {
    let Some(v) = &state.volley else { return Vec::new() };
    let mut out = Vec::new();
    let mine = v.attacks.iter().enumerate().filter(|(_, a)| a.at == who);
    for (k, (n, a)) in mine.enumerate() {
        if a.answer == Answer::Open {
            for with in crate::fight::reactions(state, n) {
                out.push(Command::React {
                    who,
                    which: Some(k),
                    with,
                    metres: None,
                    roll: None,
                    dice: Vec::new(),
                });
            }
        }
    }
    out.push(Command::React {
        who,
        which: None,
        with: Reaction::None,
        metres: None,
        roll: None,
        dice: Vec::new(),
    });
    out
}

pub(crate) fn turn_candidates(game: &Encounter, state: &State, id: UnitId, out: &mut Vec<Command>) {
    let u = state.unit(id);
    let mut wish = vec![Command::Next];
    if let Some(p) = u.person() {
        if p.aim == Aim::None {
            wish.push(Command::Aims { who: id, aim: Aim::Half });
            wish.push(Command::Aims { who: id, aim: Aim::Full });
        }
        wish.push(Command::Defend { who: id });
        if p.held_by.is_some() {
            for control in [false, true] {
                wish.push(Command::Escape { who: id, control, rolls: Vec::new() });
            }
            wish.push(Command::Recover { who: id, from: From::Grapple, cover: false, roll: None });
        }
        wish.push(Command::Stand { who: id });
        for w in u.weapons.iter() {
            let (load, weapon): (_, std::sync::Arc<str>) = (u.load(&w.id), w.id.as_str().into());
            if load.spent > 0 {
                wish.push(Command::Reload { who: id, weapon: weapon.clone() });
            }
            if load.jammed {
                wish.push(Command::Unjam { who: id, weapon });
            }
        }
    }
    if u.pinned {
        wish.push(Command::Recover { who: id, from: From::Pinning, cover: false, roll: None });
    }
    if u.shock.is_some() {
        wish.push(Command::Recover { who: id, from: From::Fear, cover: false, roll: None });
    }
    let enemies = state.enemies(id);
    for e in &enemies {
        if state.unit(*e).person().is_some_and(|p| p.held_by == Some(id)) {
            for what in [Hold::Squeeze, Hold::Throw, Hold::Disarm, Hold::Push, Hold::Keep] {
                wish.push(Command::Hold { by: id, at: *e, what, rolls: Vec::new() });
            }
        }
        if !u.is_horde() && !state.unit(*e).is_horde() {
            wish.push(Command::Feint { who: id, at: *e, rolls: Vec::new() });
            wish.push(Command::KnockDown { who: id, at: *e, hurts: false, rolls: Vec::new() });
        }
    }
    for w in u.weapons.iter() {
        for action in Action::ALL {
            for full_auto in if *action == Action::Suppress { &[false, true][..] } else { &[false][..] } {
                let how = usual_how(u, *action, *full_auto, &w.id);
                if !right_kind(state, id, &how, &enemies)
                    || (*full_auto && w.rof.2 == 0)
                    || (*action == Action::Suppress && !full_auto && w.rof.1 == 0)
                {
                    continue;
                }
                for e in &enemies {
                    wish.push(Command::Attack {
                        by: id,
                        at: vec![*e],
                        how: how.clone(),
                        told: Told::default(),
                    });
                }
                if u.is_horde() && enemies.len() > 1 {
                    wish.push(Command::Attack {
                        by: id,
                        at: enemies.clone(),
                        how: how.clone(),
                        told: Told::default(),
                    });
                }
            }
        }
    }
    // What the rules forbid here is known to the rules alone; a die is never needed to find out.
    for command in wish {
        let mut copy = state.clone();
        let mut events = Vec::new();
        let mut dice = dice::Fixed(50);
        let seat = Actor::Seat(game.seat_of(u));
        if game.apply(&mut copy, seat, &command, &mut dice, &mut events).is_ok() {
            out.push(command);
        }
    }
}

fn right_kind(state: &State, by: UnitId, how: &How, enemies: &[UnitId]) -> bool {
    enemies.iter().any(|e| attack_of(state, by, *e, how, false).is_some_and(|a| a.allowed().is_ok()))
}

fn usual_how(u: &Unit, action: Action, full_auto: bool, weapon: &str) -> How {
    let melee = u.weapon(weapon).is_some_and(|w| w.is_melee());
    let usual =
        u.usual[usize::from(!melee)].clone().or_else(|| plain_usual(u, melee)).filter(|x| x.weapon == weapon);
    let aim = u.person().map_or(Aim::None, |p| p.aim);
    How {
        action,
        full_auto,
        weapon: weapon.into(),
        band: usual.as_ref().filter(|_| !melee).map_or(Band::Normal, |x| x.band),
        aim,
        mods: usual.map_or_else(Vec::new, |x| x.mods.clone()),
    }
}
