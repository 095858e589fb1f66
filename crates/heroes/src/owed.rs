//! Who owes what (HH-046): what is pending, every legal answer to it, and the one that stands.

use crate::command::Command;
use crate::flight::{self, Choice, Flight};
use crate::hex::{Facing, Hex, HexSet};
use crate::moves::Walk;
use crate::reach::reach;
use crate::shoot;
use crate::state::{Formation, Going, NOBODY, Path, Phase, Reply, Stage, State, Vacated, Word, bits, flag};
use crate::table::{Side, Table};
use crate::withdraw;
use crate::zones::{
    class_a_foot, ends_flight, enemies_of, held_by_general, in_shield_wall, may_cross, speed, staked, troop,
    zone,
};
use crate::{control, melee, tables::Troop};

pub use crate::withdraw::room_answers;

/// What is pending, and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// Who deploys first.
    Order,
    /// An edge.
    Edge,
    /// Deployment of a side.
    Deploy(Side),
    /// A phase of a side.
    Phase(Side),
    /// Room for a unit in hand.
    Room(Side),
    /// A general must make room.
    Aside(Side, u8),
    /// Answers to a unit that came into contact.
    Respond(Side),
    /// How a stopped move goes on.
    GoOn(Side, u8),
    /// A unit is on its way; nobody is asked.
    Going(u8),
    /// Whose factors count in the combat that is declared (HH-R15).
    Count(Side),
    /// A losing unit's retreat.
    Retreat(Side),
    /// Who follows up.
    Follow(Side),
    /// A pursuit.
    Pursue(Side),
    /// A fight is over but for the bookkeeping.
    Close,
    /// The battle is over.
    Over,
}

/// What is pending now: the innermost interruption first.
#[must_use]
pub fn due(t: &Table, s: &State) -> Due {
    if s.room.unit != NOBODY {
        return Due::Room(t.side(s.room.unit));
    }
    if s.aside != 0 {
        let g = s.aside.trailing_zeros() as u8;
        return Due::Aside(t.leaders[usize::from(g)].side, g);
    }
    if s.contacts != 0 || s.escapes != 0 {
        return Due::Respond(t.side(s.mover.unit).other());
    }
    if s.mover.going != Going::Nowhere {
        let u = s.mover.unit;
        return if s.mover.asks { Due::GoOn(t.side(u), u) } else { Due::Going(u) };
    }
    match s.fight.stage {
        Stage::Naming => return Due::Count(melee::several(t, s)),
        Stage::Retreats => return Due::Retreat(s.fight.losers),
        Stage::Follow => return Due::Follow(s.fight.losers.other()),
        Stage::Pursue => return Due::Pursue(s.fight.losers.other()),
        Stage::Close => return Due::Close,
        Stage::None => {}
    }
    match s.phase {
        Phase::Order => Due::Order,
        Phase::Edge => Due::Edge,
        Phase::DeployFirst => Due::Deploy(s.first),
        Phase::DeploySecond => Due::Deploy(s.first.other()),
        Phase::Return => Due::Phase(s.phasing.other()),
        Phase::Over => Due::Over,
        _ => Due::Phase(s.phasing),
    }
}

/// The side that owes something, if any does.
#[must_use]
pub fn owner(t: &Table, s: &State) -> Option<Side> {
    match due(t, s) {
        Due::Order | Due::Edge => Some(s.chooser),
        Due::Deploy(x)
        | Due::Phase(x)
        | Due::Room(x)
        | Due::Aside(x, _)
        | Due::Respond(x)
        | Due::GoOn(x, _)
        | Due::Count(x)
        | Due::Retreat(x)
        | Due::Follow(x)
        | Due::Pursue(x) => Some(x),
        Due::Going(_) | Due::Close | Due::Over => None,
    }
}

/// HH-010: where a general who must make room may go.
pub fn aside_answers(t: &Table, s: &State, g: u8, out: &mut Vec<Command>) {
    let side = t.leaders[usize::from(g)].side;
    let from = s.generals[usize::from(g)].hex;
    if !from.on() {
        return;
    }
    for to in t.map.next[from.ix()] {
        let who = s.who(to);
        let free = to.on()
            && !t.map.barred.has(to)
            && (who == NOBODY || t.side(who) == side)
            && s.general_in(t, side, to) == NOBODY
            && !held_by_general(t, s, side.other(), to);
        if free {
            out.push(Command::Aside(g, to));
        }
    }
}

/// HH-067: where an independent general may escape to: a friendly unit without a general.
pub fn escape_answers(t: &Table, s: &State, g: u8, out: &mut Vec<Command>) {
    let leader = &t.leaders[usize::from(g)];
    let (hexes, _) = control::general_reach(t, s, g, leader.quality);
    for h in hexes.iter() {
        if s.who(h) != NOBODY {
            out.push(Command::Escape(g, h));
        }
    }
}

/// Everything that those in contact may answer (HH-134, HH-067).
pub fn respond_answers(t: &Table, s: &State, out: &mut Vec<Command>) {
    for u in bits(s.contacts) {
        out.push(Command::Stand(u));
        withdraw::responses(t, s, u, s.mover.unit, out);
    }
    for g in bits(u64::from(s.escapes)) {
        out.push(Command::Stay(g));
        escape_answers(t, s, g, out);
    }
}

/// What a contacted unit answers by its standing reply, if one of those in contact has one.
#[must_use]
pub fn standing(t: &Table, s: &State) -> Option<(u8, Command)> {
    let u = bits(s.contacts).find(|&u| s.replies[usize::from(u)] != Reply::Ask)?;
    let mut all = Vec::new();
    withdraw::responses(t, s, u, s.mover.unit, &mut all);
    let mounted = troop(t, s, s.mover.unit) != Troop::Foot;
    let away = |c: &Command| match (s.replies[usize::from(u)], c) {
        (Reply::Evade, Command::Evade(_, p)) | (Reply::Flee, Command::Withdraw(_, p)) => Some(*p),
        (Reply::EvadeMounted, Command::Evade(_, p)) if mounted => Some(*p),
        _ => None,
    };
    let best = all
        .iter()
        .filter_map(|c| away(c).map(|p| (c, p)))
        .min_by_key(|(_, p)| {
            (withdraw::passed(p, s, t, u).count_ones(), std::cmp::Reverse(p.hexes().count()))
        })
        .map(|(c, _)| *c);
    Some((u, best.unwrap_or_else(|| face_or_stand(t, s, u, &all))))
}

/// Turn to the mover by the fewest points if it is not faced yet, else stand.
fn face_or_stand(t: &Table, s: &State, u: u8, answers: &[Command]) -> Command {
    let unit = s.unit(u);
    let at = t.map.grid.side_towards(unit.hex, s.unit(s.mover.unit).hex);
    if at.is_some_and(|d| unit.facing.fronts(d)) {
        return Command::Stand(u);
    }
    answers
        .iter()
        .filter_map(|c| match c {
            Command::Turn(x, f) if *x == u => Some((unit.facing.points_to(*f), *c)),
            _ => None,
        })
        .min_by_key(|x| x.0)
        .map_or(Command::Stand(u), |x| x.1)
}

/// How a move that was answered may go on (HH-093, HH-143).
pub fn go_on_answers(t: &Table, s: &State, u: u8, out: &mut Vec<Command>) {
    out.push(Command::Halt(u));
    if s.mover.going != Going::Move {
        return;
    }
    let walk = Walk::new(t, s, u);
    for r in reach(&walk, s.mover.cursor) {
        out.push(Command::Move(u, false, r.path));
    }
}

/// HH-046, HH-294: the retreats that the losing side may make next.
pub fn retreat_answers(t: &Table, s: &State, out: &mut Vec<Command>) {
    for u in bits(s.fight.recoil) {
        let ways = withdraw::recoils(t, s, u);
        if ways.is_empty() {
            out.push(Command::Yield(u));
        }
        out.extend(ways.into_iter().map(|(h, _)| Command::Recoil(u, h)));
    }
    for u in bits(s.fight.flee) {
        let ways = flight::flights(t, s, u);
        if ways.is_empty() {
            out.push(Command::Yield(u));
        }
        for f in ways {
            flight_commands(u, &f, |c| out.push(c));
        }
    }
    for u in bits(s.fight.stampede) {
        out.push(Command::Stampede(u));
    }
}

fn flight_commands(u: u8, f: &Flight, mut each: impl FnMut(Command)) {
    if f.off {
        each(Command::Flee(u, f.path));
    } else {
        for face in Facing::after_crossing(f.last) {
            each(Command::Flee(u, f.path.and(Word::Face(face))));
        }
    }
}

/// HH-232, HH-233: whether a winner may decline to follow up into a hex.
#[must_use]
pub fn may_decline(t: &Table, s: &State, u: u8, into: Hex) -> bool {
    let unit = s.unit(u);
    let behind = t.map.grid.side_towards(unit.hex, into).is_some_and(|d| {
        t.rules.border[t.map.border_at(unit.hex, d) as usize].decline || unit.stakes >> d & 1 == 1
    });
    class_a_foot(t, s, u) || behind || in_shield_wall(t, s, u)
}

/// HH-231, HH-234: whether a winner may follow up into a vacated hex.
#[must_use]
pub fn may_follow(t: &Table, s: &State, u: u8, into: Hex) -> bool {
    let unit = s.unit(u);
    let profile = t.profile(u);
    if !unit.hex.on() || unit.disrupted() || profile.artillery() || profile.war_wagon() {
        return false;
    }
    let Some(d) = t.map.grid.side_towards(unit.hex, into) else { return false };
    let mounted = matches!(troop(t, s, u), Troop::Mounted | Troop::Elephant);
    may_cross(t, s, u, unit.hex, d, unit.formation == Formation::Column)
        && !(mounted && staked(t, s, unit.hex, d))
        && s.who(into) == NOBODY
        && !held_by_general(t, s, t.side(u).other(), into)
}

/// HH-231: facings of a unit that followed up: as it was, or one point aside to have the loser before it.
fn follow_facings(t: &Table, s: &State, u: u8, v: &Vacated) -> Vec<Facing> {
    let now = s.unit(u).facing;
    let mut out = vec![now];
    let loser = s.unit(v.unit).hex;
    if let Some(d) = loser.on().then(|| t.map.grid.side_towards(v.hex, loser)).flatten() {
        for f in (0..6).map(Facing::point) {
            if f != now && now.points_to(f) == 1 && f.fronts(d) {
                out.push(f);
            }
        }
    }
    out
}

/// HH-230 to HH-234: who may follow up, and whether nobody has to.
pub fn follow_answers(t: &Table, s: &State, out: &mut Vec<Command>) {
    if !s.fight.melee {
        return;
    }
    let winners = s.fight.all & t.of_side[s.fight.losers.other().ix()];
    let mut free = true;
    let mut any = false;
    for u in bits(winners) {
        for v in &s.fight.vacated[..usize::from(s.fight.left).min(6)] {
            if !may_follow(t, s, u, v.hex) {
                continue;
            }
            any = true;
            free &= may_decline(t, s, u, v.hex);
            for f in follow_facings(t, s, u, v) {
                out.push(Command::Follow(u, v.hex, f));
            }
        }
    }
    if any && free {
        out.push(Command::Decline);
    }
}

/// HH-235, HH-236: the hexes that a pursuer would enter.
#[must_use]
pub fn pursuit(t: &Table, s: &State) -> Path {
    let mut path = Path::EMPTY;
    let u = s.fight.follower;
    if u == NOBODY {
        return path;
    }
    let v = &s.fight.vacated[usize::from(s.fight.entered).min(5)];
    let unit = s.unit(u);
    let side = t.side(u);
    let z = zone(t, s, side.other());
    if v.len == 0 || unit.formation == Formation::Block || z.has(unit.hex) {
        return path;
    }
    let mounted = matches!(troop(t, s, u), Troop::Mounted | Troop::Elephant);
    let most = if ends_flight(t, unit.hex) { 1 } else { usize::from(speed(t, s, u)) };
    let mut at = unit.hex;
    for &to in v.path[..usize::from(v.len)].iter().take(most) {
        let Some(d) = t.map.grid.side_towards(at, to) else { break };
        let open = may_cross(t, s, u, at, d, unit.formation == Formation::Column)
            && !(mounted && staked(t, s, at, d))
            && s.who(to) == NOBODY
            && !held_by_general(t, s, side.other(), to);
        if !open {
            break;
        }
        path.push(Word::To(to));
        at = to;
        if z.has(to) || ends_flight(t, to) {
            break;
        }
    }
    path
}

/// The side through which the last hex of a path is entered, from a hex.
#[must_use]
pub fn last_crossed(t: &Table, from: Hex, path: &Path) -> Option<u8> {
    let mut at = from;
    let mut last = None;
    for h in path.hexes() {
        last = t.map.grid.side_towards(at, h);
        at = h;
    }
    last
}

/// HH-232, HH-236: how a pursuit may end, or that there is none.
pub fn pursue_answers(t: &Table, s: &State, out: &mut Vec<Command>) {
    let u = s.fight.follower;
    let path = pursuit(t, s);
    if let Some(d) = last_crossed(t, s.unit(u).hex, &path) {
        for f in Facing::after_crossing(d) {
            out.push(Command::Pursue(u, f));
        }
        if class_a_foot(t, s, u) {
            out.push(Command::Decline);
        }
    }
}

/// Whether the side whose phase it is has anything to decide: else the phase passes by itself.
#[must_use]
pub fn phase_has_choice(t: &Table, s: &State) -> bool {
    match s.phase {
        Phase::Generals => bits(u64::from(t.leaders_of[s.phasing.ix()]))
            .any(|g| s.generals[usize::from(g)].hex.on() && !s.generals[usize::from(g)].moved),
        Phase::Compulsory => compulsory(t, s) != 0,
        Phase::Tactical => bits(t.of_side[s.phasing.ix()]).any(|u| can_act(t, s, u)),
        Phase::Shooting | Phase::Return => shoot::any(t, s),
        Phase::Melee => melee::any_pair(t, s),
        Phase::Over => true,
        _ => false,
    }
}

/// HH-048, HH-050, HH-079, HH-240: whether a unit may still make a tactical move.
#[must_use]
pub fn may_move(t: &Table, s: &State, u: u8) -> bool {
    let unit = s.unit(u);
    unit.hex.on()
        && !unit.is(flag::MOVED)
        && !unit.disrupted()
        && s.commanded >> (u & 63) & 1 == 1
        && t.side(u) == s.phasing
}

fn can_act(t: &Table, s: &State, u: u8) -> bool {
    if !may_move(t, s, u) {
        return false;
    }
    if enemies_of(t, s, u) == 0 {
        return true;
    }
    let mut any = Vec::new();
    crate::candidates::engaged(t, s, u, &mut any);
    !any.is_empty()
}

/// HH-131, HH-132: units that must still make a compulsory move.
#[must_use]
pub fn compulsory(t: &Table, s: &State) -> u64 {
    let mut mask = 0;
    for u in s.on_table(t, s.phasing) {
        let unit = s.unit(u);
        if unit.is(flag::MOVED) {
            continue;
        }
        let profile = t.profile(u);
        if profile.troop == Troop::Elephant && unit.disrupted() {
            mask |= 1 << u;
            continue;
        }
        let loose = profile.aggressive()
            && s.commanded >> u & 1 == 0
            && !unit.disrupted()
            && enemies_of(t, s, u) == 0;
        if loose && crate::reach::hexes_to_contact(t, s, u).is_some() {
            mask |= 1 << u;
        }
    }
    mask
}

/// HH-046: the answer that stands if a choice is left open: contacted, stand and turn to face; recoil and flight, fewest
/// friends disrupted, then nearest the own edge; else the first.
#[must_use]
pub fn default_answer(t: &Table, s: &State, answers: &[Command]) -> Option<Command> {
    let first = answers.first().copied()?;
    match due(t, s) {
        Due::Respond(_) => match bits(s.contacts).next() {
            Some(u) => Some(face_or_stand(t, s, u, answers)),
            None => Some(first),
        },
        Due::Retreat(_) => usual_retreat(t, s),
        Due::Room(side) => answers.iter().copied().min_by_key(|c| match c {
            Command::Displace(_, h) => (s.who(*h) != NOBODY, s.rows_home(t, side, *h)),
            _ => (true, i16::MAX),
        }),
        Due::Aside(side, _) => answers.iter().copied().min_by_key(|c| match c {
            Command::Aside(_, h) => (s.who(*h) == NOBODY, s.rows_home(t, side, *h)),
            _ => (true, i16::MAX),
        }),
        _ => Some(first),
    }
}

/// HH-046: the retreat that stands, without listing them all: fewest friends disturbed, then nearest the own edge, then the
/// order in which they are listed; a unit is given up last.
#[must_use]
pub fn usual_retreat(t: &Table, s: &State) -> Option<Command> {
    let mut best: Option<((u32, i16), Command)> = None;
    let mut see = |cost, c| {
        if best.is_none_or(|b| cost < b.0) {
            best = Some((cost, c));
        }
    };
    for u in bits(s.fight.recoil) {
        let ways = withdraw::recoils(t, s, u);
        if ways.is_empty() {
            see((1000, 0), Command::Yield(u));
        }
        for (h, pushed) in ways {
            see((pushed as u32, s.rows_home(t, t.side(u), h)), Command::Recoil(u, h));
        }
    }
    for u in bits(s.fight.flee) {
        match flight::usual(t, s, u) {
            Some((path, cost)) => see(cost, Command::Flee(u, path)),
            None => see((1000, 0), Command::Yield(u)),
        }
    }
    for u in bits(s.fight.stampede) {
        see((0, -1), Command::Stampede(u));
    }
    best.map(|b| b.1)
}

/// What is left to choose of the retreats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Left {
    /// All are made.
    Nothing,
    /// This one only.
    One(Command),
    /// Their owner chooses.
    Choice,
}

/// Whether there is a choice among retreats, found without listing them all.
#[must_use]
pub fn retreats_left(t: &Table, s: &State) -> Left {
    let f = &s.fight;
    let mut units = bits(f.recoil | f.flee | f.stampede);
    let Some(u) = units.next() else { return Left::Nothing };
    if units.next().is_some() {
        return Left::Choice;
    }
    if f.stampede != 0 {
        return Left::One(Command::Stampede(u));
    }
    if f.flee != 0 {
        return match flight::choice(t, s, u) {
            Choice::None => Left::One(Command::Yield(u)),
            Choice::One(path) => Left::One(Command::Flee(u, path)),
            Choice::Several => Left::Choice,
        };
    }
    match withdraw::recoils(t, s, u)[..] {
        [] => Left::One(Command::Yield(u)),
        [(h, _)] => Left::One(Command::Recoil(u, h)),
        _ => Left::Choice,
    }
}

/// Hexes in which a side may deploy (HH-039).
#[must_use]
pub fn deployment_zone(t: &Table, s: &State, side: Side) -> HexSet {
    t.map
        .grid
        .all()
        .filter(|&h| s.rows_home(t, side, h) < t.rules.deploy_rows as i16 && !t.map.barred.has(h))
        .collect()
}
