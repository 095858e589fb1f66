//! The first commander: one unit after the other, each to the place with the best expected value.

use super::place::{Field, Scales, best_shot};
use super::value::{combat, rough, shots, worth};
use super::{Player, Style};
use crate::candidates;
use crate::command::{Command, Group};
use crate::control;
use crate::hex::{Facing, Hex};
use crate::melee;
use crate::moves::{Walk, can_drop};
use crate::owed::{self, Due};
use crate::reach::steps;
use crate::shoot;
use crate::state::{NOBODY, Phase, State, bits};
use crate::table::{Side, Table};
use crate::zones::{enemies_of, in_arc, speed};

/// The command that seems best.
pub fn choose(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    match owed::due(t, s) {
        Due::Phase(side) => match s.phase {
            Phase::Generals => lead(p, t, s, side),
            Phase::Tactical => tactical(p, t, s, side),
            Phase::Shooting | Phase::Return => fire(p, t, s),
            Phase::Melee => fight(p, t, s),
            _ => compulsory(p, t, s),
        },
        Due::Respond(_) => respond(p, t, s),
        Due::Retreat(_) => owed::usual_retreat(t, s),
        Due::Deploy(side) if crate::deploy::missing(t, s, side) => Some(Command::Array),
        due => {
            let mut all = Vec::new();
            candidates::all(t, s, &mut all);
            p.looked_at += all.len() as u64;
            match due {
                Due::Order => all.last().copied(),
                Due::Edge | Due::Deploy(_) => all.first().copied(),
                Due::GoOn(_, u) => go_on(p, t, s, u, &all),
                Due::Follow(_) | Due::Pursue(_) => after_victory(t, s, &all),
                _ => owed::default_answer(t, s, &all),
            }
        }
    }
}

/// Generals: join a steady friend; go where more of the army hears them.
fn lead(p: &mut Player, t: &Table, s: &State, side: Side) -> Option<Command> {
    for g in bits(u64::from(t.leaders_of[side.ix()])) {
        let it = s.generals[usize::from(g)];
        if !it.hex.on() || it.moved || p.led >> g & 1 == 1 {
            continue;
        }
        p.led |= 1 << g;
        let host = s.who(it.hex);
        let now = general_place(t, s, side, g);
        let (hexes, _) = control::general_reach(t, s, g, t.leaders[usize::from(g)].quality);
        let mut best = (now + if host == NOBODY { 0 } else { 40 }, None);
        for h in hexes.iter() {
            let who = s.who(h);
            if who == NOBODY {
                continue;
            }
            p.looked_at += 1;
            let mut n = *s;
            n.generals[usize::from(g)].hex = h;
            let score = general_place(t, &n, side, g);
            if score > best.0 {
                best = (score, Some(h));
            }
        }
        if let Some(h) = best.1 {
            return Some(Command::Lead(g, h));
        }
    }
    Some(Command::End)
}

fn general_place(t: &Table, s: &State, side: Side, g: u8) -> i32 {
    let h = s.generals[usize::from(g)].hex;
    let host = s.who(h);
    let mut score = control::under_command(t, s, side).count_ones() as i32 * 60;
    if host != NOBODY {
        let unit = s.unit(host);
        let p = t.profile(host);
        score += 60 + i32::from(p.factor) * 8 - (p.class as i32) * 12 + i32::from(unit.stands) * 8;
        if unit.disrupted() {
            score -= 250;
        }
        if p.artillery() || p.evades() > 0 {
            score -= 60;
        }
        let enemies = enemies_of(t, s, host);
        if enemies != 0 {
            score += combat(t, s, 1 << host, enemies) / 4;
        }
    }
    score
}

/// Tactical moves: those nearest the enemy first, each to its best place.
fn tactical(p: &mut Player, t: &Table, s: &State, side: Side) -> Option<Command> {
    let field = Field::new(t, s, side, p.weights);
    let mut order: Vec<(u16, u8)> = bits(t.of_side[side.ix()] & !p.considered)
        .filter(|&u| owed::may_move(t, s, u))
        .map(|u| {
            let h = s.unit(u).hex;
            (field.enemies.iter().map(|e| t.map.grid.distance(h, e.hex)).min().unwrap_or(99), u)
        })
        .collect();
    order.sort_unstable();
    for (_, u) in order {
        p.considered |= 1 << u;
        if let Some(c) = best_move(p, t, s, &field, u) {
            return Some(c);
        }
    }
    Some(Command::End)
}

/// The best move of one unit, if any beats staying.
fn best_move(p: &mut Player, t: &Table, s: &State, field: &Field<'_>, u: u8) -> Option<Command> {
    if enemies_of(t, s, u) != 0 {
        let mut all = Vec::new();
        candidates::engaged(t, s, u, &mut all);
        return best_engaged(p, t, s, u, &all);
    }
    let walk = Walk::new(t, s, u);
    let mut scales = Scales::new(field, s, u);
    let stay = scales.here() + 5;
    let mut best = (stay, None);
    let mut looked = 0;
    // to drop pavises costs something
    let drop = can_drop(t, s, u) && t.profile(u).factor > 2;
    p.search.look(&walk, walk.begin(drop));
    for (n, end) in p.search.ends().enumerate() {
        if let Some(score) = scales.weigh(end) {
            looked += 1;
            let score = if drop { score - 40 } else { score };
            if score > best.0 {
                best = (score, Some(Ok(n)));
            }
        }
    }
    steps(&walk, false, |h, f, form, end| {
        if let Some(score) = scales.weigh(&end) {
            looked += 1;
            if score > best.0 {
                best = (score, Some(Err(Command::Step(u, false, h, f, form))));
            }
        }
    });
    p.looked_at += looked;
    if crate::command::carries_stakes(t, u) && s.unit(u).stakes == 0 {
        let near = field.enemies.iter().any(|e| {
            let d = t.map.grid.distance(e.hex, s.unit(u).hex);
            d <= 4 && t.profile(e.id).impact >= 2 && in_arc(t, s.unit(u).hex, s.unit(u).facing, e.hex)
        });
        if near && stay + 120 > best.0 {
            return Some(Command::Plant(u));
        }
    }
    match best.1? {
        Ok(n) => Some(Command::Move(u, drop, p.search.path(n))),
        Err(step) => Some(step),
    }
}

fn best_engaged(p: &mut Player, t: &Table, s: &State, u: u8, all: &[Command]) -> Option<Command> {
    let enemies = enemies_of(t, s, u);
    let now = combat(t, s, 1 << u, enemies);
    let mut best = (now + 10, None);
    for c in all {
        p.looked_at += 1;
        let score = match c {
            Command::Shift(_, f) => {
                let mut n = *s;
                n.unit_mut(u).facing = *f;
                combat(t, &n, 1 << u, enemies)
            }
            Command::Back(..) => -30,
            _ => i32::MIN,
        };
        if score > best.0 {
            best = (score, Some(*c));
        }
    }
    best.1
}

fn compulsory(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    let mut all = Vec::new();
    candidates::all(t, s, &mut all);
    p.looked_at += all.len() as u64;
    let side = owed::owner(t, s)?;
    let field = Field::new(t, s, side, p.weights);
    let score = |c: &Command| match c {
        Command::Move(u, d, path) => {
            let walk = Walk::new(t, s, *u);
            walk.judge(walk.begin(*d), path).map_or(i32::MIN, |end| Scales::new(&field, s, *u).score(&end))
        }
        Command::Step(u, d, h, f, form) => {
            let walk = Walk::new(t, s, *u);
            walk.step(*h, *f, *form, *d).map_or(i32::MIN, |end| Scales::new(&field, s, *u).score(&end))
        }
        _ => 0,
    };
    all.iter().copied().max_by_key(score)
}

fn go_on(p: &mut Player, t: &Table, s: &State, u: u8, all: &[Command]) -> Option<Command> {
    let field = Field::new(t, s, t.side(u), p.weights);
    let walk = Walk::new(t, s, u);
    let mut scales = Scales::new(&field, s, u);
    let mut best = (i32::MIN, None);
    for c in all {
        p.looked_at += 1;
        let score = match c {
            Command::Halt(_) => scales.here() + 5,
            Command::Move(_, _, path) => match walk.judge(s.mover.cursor, path) {
                Ok(end) => scales.score(&end),
                Err(_) => continue,
            },
            _ => continue,
        };
        if score > best.0 {
            best = (score, Some(*c));
        }
    }
    best.1
}

/// Stand, turn or get away: whichever leaves most.
fn respond(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    let mut all = Vec::new();
    owed::respond_answers(t, s, &mut all);
    p.looked_at += all.len() as u64;
    if let Some(g) = bits(u64::from(s.escapes)).next() {
        let escape = all.iter().find(|c| matches!(c, Command::Escape(x, _) if *x == g)).copied();
        return Some(escape.unwrap_or(Command::Stay(g)));
    }
    let u = bits(s.contacts).next()?;
    let holds = |n: &State| {
        // how the fight would go: every enemy beside us, our friends not counted
        let enemies = enemies_of(t, n, u);
        if enemies == 0 { 0 } else { combat(t, n, 1 << u, enemies) }
    };
    let mut best = (i32::MIN, None);
    for c in &all {
        let score = match c {
            Command::Stand(x) if *x == u => {
                if p.style == Style::Shy {
                    -100_000
                } else {
                    holds(s)
                }
            }
            Command::Turn(x, f) if *x == u => {
                let mut n = *s;
                n.unit_mut(u).facing = *f;
                if p.style == Style::Shy { -99_999 } else { holds(&n) + 1 }
            }
            Command::Evade(x, path) | Command::Withdraw(x, path) if *x == u => {
                if p.style == Style::Stubborn {
                    continue;
                }
                let end = path.hexes().last().unwrap_or(Hex::NONE);
                let friends = crate::withdraw::passed(path, s, t, u);
                let mut n = *s;
                if n.who(end) == NOBODY {
                    n.put(u, end);
                }
                if let Some(crate::state::Word::Face(f)) = path.words().last() {
                    n.unit_mut(u).facing = *f;
                }
                let disturbed: i32 = bits(friends).map(|f| worth(t, s, f) / 5).sum();
                let opened = opens(t, s, u, s.mover.unit);
                // what it can still shoot, less what it gives up: friends disturbed, the hole that it leaves
                let shot = if matches!(c, Command::Evade(..)) { best_shot(t, &n, u) / 2 } else { 0 };
                shot - disturbed - opened - p.weights.evade
            }
            _ => continue,
        };
        if score > best.0 {
            best = (score, Some(*c));
        }
    }
    best.1.or(Some(Command::Stand(u)))
}

/// HH08: what it costs to give up one's place: friends whose flank the mover could then reach.
fn opens(t: &Table, s: &State, u: u8, mover: u8) -> i32 {
    let side = t.side(u);
    let left = u16::from(speed(t, s, mover)).saturating_sub(u16::from(s.mover.cursor.spent.min(9)));
    if left == 0 {
        return 0;
    }
    let hex = s.unit(u).hex;
    bits(crate::zones::adjacent(t, s, side, hex))
        .filter(|&f| {
            let friend = s.unit(f);
            t.map.grid.side_towards(friend.hex, hex).is_some_and(|d| !friend.facing.fronts(d))
                && rough(t, s, mover, f) > 0
        })
        .map(|f| worth(t, s, f) / 12)
        .sum()
}

/// Shooting: for each target all who can shoot at it, and the best share of it; then whatever gains most.
fn fire(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    let side = shoot::shooting_side(s);
    let mut best = (0, None);
    for target in s.on_table(t, side.other()) {
        let mask = shoot::shooters(t, s, target);
        if mask == 0 {
            continue;
        }
        let group: Group = bits(mask).take(6).collect();
        p.looked_at += 1;
        let gain = shots(t, s, &group, target);
        // the gain for each shooter counts: those left over shoot at others
        let each = gain * 10 / group.ids().len() as i32 + gain;
        if each > best.0 {
            best = (each, Some(Command::Shoot(target, group)));
        }
    }
    Some(best.1.unwrap_or(Command::End))
}

/// Combats: the one that gains most next.
fn fight(p: &mut Player, t: &Table, s: &State) -> Option<Command> {
    let mut all = Vec::new();
    melee::candidates(t, s, &mut all);
    p.looked_at += all.len() as u64;
    let must = melee::must_fight(t, s);
    let best = all
        .iter()
        .map(|c| {
            let score = match c {
                Command::Fight(a, b) => {
                    let count = (a.ids().len() + b.ids().len()) as i32 - 2;
                    combat(t, s, a.mask(), b.mask()) + count
                }
                Command::Attack(a, g) => {
                    let (sum, _) = melee::sum_of(t, s, a.mask(), 0);
                    i32::from(sum) * 10 + i32::from(t.leaders[usize::from(*g)].points2) * 20
                }
                _ => i32::MIN,
            };
            (score, *c)
        })
        .max_by_key(|x| x.0);
    match best {
        Some((_, c)) => Some(c),
        None if must => all.first().copied(),
        None => Some(Command::End),
    }
}

/// Follow up and pursue unless it leads into a worse place.
fn after_victory(t: &Table, s: &State, all: &[Command]) -> Option<Command> {
    let score = |c: &Command| match c {
        Command::Follow(u, h, f) => {
            let mut n = *s;
            n.put(*u, *h);
            n.unit_mut(*u).facing = *f;
            let enemies = enemies_of(t, &n, *u);
            if enemies == 0 { 40 } else { combat(t, &n, 1 << *u, enemies) + 60 }
        }
        Command::Pursue(_, f) => {
            let home = Facing::point(if s.fight.losers == s.south { 1 } else { 4 });
            20 - i32::from(f.points_to(home))
        }
        Command::Decline => 0,
        _ => -1000,
    };
    all.iter().copied().max_by_key(score)
}
