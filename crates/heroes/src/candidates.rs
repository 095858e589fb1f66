//! Candidate commands, complete up to equal effect, and the rarer acts of the Tactical phase judged.

use crate::command::Command;
use crate::control;
use crate::deploy;
use crate::hex::{Facing, Hex};
use crate::melee;
use crate::moves::{Walk, can_drop, facings_at, good_going, touch};
use crate::owed::{self, Due};
use crate::reach::{Search, hexes_to_contact, steps};
use crate::refusal::Refusal;
use crate::shoot;
use crate::state::{Fate, Formation, NOBODY, Path, Phase, State, Word, bits, flag};
use crate::table::{Side, Table};
use crate::tables::{Traits, Troop};
use crate::withdraw;
use crate::zones::{class_a_foot, enemies_of, speed, troop, zone};
use rulebook::rule;

/// Everything that the side which owes something may do now.
pub fn all(t: &Table, s: &State, out: &mut Vec<Command>) {
    match owed::due(t, s) {
        Due::Order | Due::Edge | Due::Deploy(_) => deploy::candidates(t, s, out),
        Due::Room(_) => owed::room_answers(t, s, out),
        Due::Aside(_, g) => owed::aside_answers(t, s, g, out),
        Due::Respond(_) => owed::respond_answers(t, s, out),
        Due::GoOn(_, u) => owed::go_on_answers(t, s, u, out),
        Due::Count(_) => melee::count_answers(t, s, out),
        Due::Retreat(_) => owed::retreat_answers(t, s, out),
        Due::Follow(_) => owed::follow_answers(t, s, out),
        Due::Pursue(_) => owed::pursue_answers(t, s, out),
        Due::Phase(side) => phase(t, s, side, out),
        Due::Going(_) | Due::Close | Due::Over => {}
    }
}

fn phase(t: &Table, s: &State, side: Side, out: &mut Vec<Command>) {
    match s.phase {
        Phase::Generals => {
            for g in bits(u64::from(t.leaders_of[side.ix()])) {
                general(t, s, g, out);
            }
            out.push(Command::End);
        }
        Phase::Compulsory => {
            for u in bits(owed::compulsory(t, s)) {
                compulsory(t, s, u, out);
            }
        }
        Phase::Tactical => {
            let mut search = Search::default();
            for u in bits(t.of_side[side.ix()]) {
                unit(t, s, u, &mut search, out);
            }
            out.push(Command::End);
        }
        Phase::Shooting | Phase::Return => {
            shoot::candidates(t, s, out);
            out.push(Command::End);
        }
        Phase::Melee => {
            melee::candidates(t, s, out);
            if !melee::must_fight(t, s) {
                out.push(Command::End);
            }
        }
        _ => {}
    }
}

/// A general's moves and challenges.
pub fn general(t: &Table, s: &State, g: u8, out: &mut Vec<Command>) {
    let it = s.generals[usize::from(g)];
    if !it.hex.on() || it.moved {
        return;
    }
    let leader = &t.leaders[usize::from(g)];
    let (hexes, duels) = control::general_reach(t, s, g, leader.quality);
    out.extend(hexes.iter().map(|h| Command::Lead(g, h)));
    for h in duels.iter() {
        let e = s.general_in(t, leader.side.other(), h);
        if e != NOBODY {
            out.push(Command::Challenge(g, e));
        }
    }
}

/// HH-131, HH-132: the compulsory moves of one unit.
pub fn compulsory(t: &Table, s: &State, u: u8, out: &mut Vec<Command>) {
    if troop(t, s, u) == Troop::Elephant && s.unit(u).disrupted() {
        out.push(Command::Stampede(u));
        return;
    }
    let Some(need) = hexes_to_contact(t, s, u) else { return };
    let start = out.len();
    moves(t, s, u, &mut Search::default(), out);
    let walk = Walk::new(t, s, u);
    let contacts = |c: &Command| {
        let end = match c {
            Command::Move(_, d, p) => walk.judge(walk.begin(*d), p),
            Command::Step(_, d, h, f, form) => walk.step(*h, *f, *form, *d),
            _ => return false,
        };
        end.is_ok_and(|c| c.entered == need && walk.zone.has(c.hex))
    };
    let mut n = start;
    while n < out.len() {
        if contacts(&out[n]) {
            n += 1;
        } else {
            out.swap_remove(n);
        }
    }
}

/// Normal and single-hex moves of a unit that is not engaged, each end once.
pub fn moves(t: &Table, s: &State, u: u8, search: &mut Search, out: &mut Vec<Command>) {
    let walk = Walk::new(t, s, u);
    let drops: &[bool] = if can_drop(t, s, u) { &[false, true] } else { &[false] };
    // an end is hex, facing, formation
    let slot = |h: Hex, f: Facing, form: Formation| {
        (h.ix() * 12 + usize::from(f.0)) * 2 + usize::from(form == Formation::Column)
    };
    for &drop in drops {
        let mut ended = vec![false; t.map.grid.len() * 24];
        if drop {
            out.push(Command::Move(u, true, Path::EMPTY));
        }
        search.look(&walk, walk.begin(drop));
        for (n, end) in search.ends().enumerate() {
            ended[slot(end.hex, end.facing, end.formation)] = true;
            out.push(Command::Move(u, drop, search.path(n)));
        }
        steps(&walk, drop, |h, f, form, c| {
            if !std::mem::replace(&mut ended[slot(c.hex, f, form)], true) {
                out.push(Command::Step(u, drop, h, f, form));
            }
        });
    }
}

/// Everything that one unit may do in the Tactical phase.
pub fn unit(t: &Table, s: &State, u: u8, search: &mut Search, out: &mut Vec<Command>) {
    if !owed::may_move(t, s, u) {
        return;
    }
    if enemies_of(t, s, u) != 0 {
        engaged(t, s, u, out);
        return;
    }
    moves(t, s, u, search, out);
    let (unit, profile) = (s.unit(u), t.profile(u));
    if profile.traits.has(Traits::DISMOUNTS) && !unit.is(flag::ON_FOOT) {
        out.push(Command::Dismount(u));
    }
    if profile.traits.has(Traits::STAKES) && unit.stakes == 0 {
        out.push(Command::Plant(u));
    }
    for h in t.map.next[unit.hex.ix()] {
        let b = s.who(h);
        if b == NOBODY {
            continue;
        }
        for n in 1..=8 {
            if may_combine(t, s, u, b, n).is_ok() {
                out.push(Command::Combine(u, b, n));
            }
        }
    }
    if profile.traits.has(Traits::PIKES) {
        pikes(t, s, u, out);
    }
    flee_as_move(t, s, u, out);
}

/// What an engaged unit may do (HH-079 to HH-081).
pub fn engaged(t: &Table, s: &State, u: u8, out: &mut Vec<Command>) {
    let unit = s.unit(u);
    for f in facings_at(t, unit.hex) {
        let one = unit.facing.points_to(f) == 1;
        let faces = bits(enemies_of(t, s, u))
            .any(|e| t.map.grid.side_towards(unit.hex, s.unit(e).hex).is_some_and(|d| f.fronts(d)));
        if one && faces {
            out.push(Command::Shift(u, f));
        }
    }
    if class_a_foot(t, s, u) {
        let walk = Walk::new(t, s, u);
        for h in t.map.next[unit.hex.ix()] {
            if h.on() && walk.back(h).is_ok() {
                out.push(Command::Back(u, h));
            }
        }
    }
    flee_as_move(t, s, u, out);
}

/// HH-099, HH-100: whether stands may go from `b` to `a`.
///
/// # Errors
/// The rule that forbids it.
pub fn may_combine(t: &Table, s: &State, a: u8, b: u8, n: u8) -> Result<(), Refusal> {
    let no = |why| Refusal::new(rule!("HH-100"), why).unit(a).other(b);
    if a == b || t.side(a) != t.side(b) || !s.unit(a).hex.on() || !s.unit(b).hex.on() {
        return Err(no("{unit} and {other} are not two units of one side on the table"));
    }
    for u in [a, b] {
        if !owed::may_move(t, s, u) || enemies_of(t, s, u) != 0 {
            return Err(no(
                "both must be under command, undisrupted, out of enemy zones and unmoved; {unit} is not",
            )
            .unit(u));
        }
    }
    let (p, q) = (t.profile(a), t.profile(b));
    let alike = troop(t, s, a) == troop(t, s, b)
        && p.class == q.class
        && p.horde() == q.horde()
        && p.artillery() == q.artillery();
    if !alike {
        return Err(Refusal::new(rule!("HH-099"), "{unit} and {other} differ in type or class")
            .unit(a)
            .other(b));
    }
    if s.unit(a).formation == Formation::Block || s.unit(b).formation == Formation::Block {
        return Err(no("pike blocks do not combine: {unit}, {other}"));
    }
    if !touch(t, s.unit(a).hex, s.unit(b).hex) {
        return Err(Refusal::new(rule!("HH-099"), "{unit} and {other} are not next to each other")
            .unit(a)
            .other(b));
    }
    let (x, y) = (s.unit(a).stands, s.unit(b).stands);
    if x >= p.stands || y >= q.stands {
        return Err(Refusal::new(rule!("HH-099"), "only depleted units combine").unit(a).other(b));
    }
    if n == 0 || n > y || x + n > p.stands {
        return Err(no("{other} has {have} stands to give and {unit} has room for {need}")
            .figures(i16::from(p.stands - x), y.into()));
    }
    if y - n == t.rules.removed_at {
        return Err(no("a remainder of one stand is not allowed"));
    }
    Ok(())
}

/// HH-119, HH-120: whether three pike units may merge, the first two becoming blocks.
///
/// # Errors
/// The rule that forbids it.
pub fn may_merge(t: &Table, s: &State, x: &[u8; 3]) -> Result<(), Refusal> {
    let no = |why| Refusal::new(rule!("HH-120"), why);
    if x[0] == x[1] || x[0] == x[2] || x[1] == x[2] {
        return Err(no("three different units merge"));
    }
    for &u in x {
        let p = t.profile(u);
        if !p.traits.has(Traits::PIKES)
            || s.unit(u).formation == Formation::Block
            || s.unit(u).stands != p.stands
        {
            return Err(Refusal::new(rule!("HH-119"), "{unit} is no pike unit at full strength").unit(u));
        }
        if !owed::may_move(t, s, u) || enemies_of(t, s, u) != 0 || !good_going(t, s.unit(u).hex) {
            return Err(no(
                "{unit} must be under command, undisrupted, unmoved, in good going and out of enemy zones",
            )
            .unit(u));
        }
    }
    let h = x.map(|u| s.unit(u).hex);
    let pairs = [touch(t, h[0], h[1]), touch(t, h[1], h[2]), touch(t, h[0], h[2])];
    if pairs.iter().filter(|&&p| p).count() < 2 {
        return Err(no("the three stand next to each other as a group"));
    }
    Ok(())
}

/// HH-120: whether two blocks may give the third unit back in a hex.
///
/// # Errors
/// The rule that forbids it.
pub fn may_split(t: &Table, s: &State, x: &[u8; 3], to: Hex) -> Result<(), Refusal> {
    let no = |why| Refusal::new(rule!("HH-120"), why);
    if x[0] == x[1] || s.unit(x[2]).fate != Fate::Merged || t.side(x[2]) != s.phasing {
        return Err(no("{unit} is not merged into blocks").unit(x[2]));
    }
    for &u in &x[..2] {
        if s.unit(u).formation != Formation::Block || s.unit(u).stands != t.rules.pike_block[1] {
            return Err(no("{unit} is no pike block at full strength").unit(u));
        }
        if !owed::may_move(t, s, u) || enemies_of(t, s, u) != 0 || !good_going(t, s.unit(u).hex) {
            return Err(no(
                "{unit} must be under command, undisrupted, unmoved, in good going and out of enemy zones",
            )
            .unit(u));
        }
    }
    let h = [s.unit(x[0]).hex, s.unit(x[1]).hex];
    if !touch(t, h[0], h[1]) || !(touch(t, h[0], to) || touch(t, h[1], to)) {
        return Err(no("blocks and hex stand next to each other as a group; {hex} does not fit").at(to));
    }
    let open = s.who(to) == NOBODY
        && good_going(t, to)
        && !zone(t, s, s.phasing.other()).has(to)
        && s.general_in(t, s.phasing.other(), to) == NOBODY;
    if !open {
        return Err(no("{hex} is not empty, in good going and out of enemy zones").at(to));
    }
    Ok(())
}

fn pikes(t: &Table, s: &State, u: u8, out: &mut Vec<Command>) {
    let side = t.side(u);
    let mine: Vec<u8> = s.on_table(t, side).filter(|&x| t.profile(x).traits.has(Traits::PIKES)).collect();
    if s.unit(u).formation == Formation::Block {
        let merged: Vec<u8> =
            bits(t.of_side[side.ix()]).filter(|&x| s.unit(x).fate == Fate::Merged).collect();
        for &b in mine.iter().filter(|&&b| b > u) {
            for &c in &merged {
                let near = [s.unit(u).hex, s.unit(b).hex];
                let mut hexes: Vec<Hex> =
                    near.iter().flat_map(|h| t.map.next[h.ix()]).filter(|h| h.on()).collect();
                hexes.sort();
                hexes.dedup();
                for to in hexes {
                    if may_split(t, s, &[u, b, c], to).is_ok() {
                        out.push(Command::Split([u, b, c], to));
                    }
                }
            }
        }
        return;
    }
    for &b in mine.iter().filter(|&&b| b > u) {
        for &c in mine.iter().filter(|&&c| c != u && c != b) {
            if may_merge(t, s, &[u, b, c]).is_ok() {
                out.push(Command::Merge([u, b, c]));
            }
        }
    }
}

/// HH-262: whether an F unit may flee like this in place of its tactical move; gives the facing at the end.
///
/// # Errors
/// The rule that forbids it.
pub fn may_flee_as_move(t: &Table, s: &State, u: u8, path: &Path) -> Result<Facing, Refusal> {
    if !s.options.tactical_flee || !t.profile(u).traits.has(Traits::FLEES) {
        return Err(Refusal::new(
            rule!("HH-139"),
            "{unit} has no such flee move now (option voluntary_flee: also as the tactical move)",
        )
        .unit(u));
    }
    withdraw::judge_from_all(t, s, u, path)
}

fn flee_as_move(t: &Table, s: &State, u: u8, out: &mut Vec<Command>) {
    if !s.options.tactical_flee || !t.profile(u).traits.has(Traits::FLEES) {
        return;
    }
    let enemies: Vec<Hex> = bits(enemies_of(t, s, u)).map(|e| s.unit(e).hex).collect();
    let mut seen: Vec<(Hex, Facing, u64)> = Vec::new();
    withdraw::ways_from_all(t, s, u, &enemies, speed(t, s, u), |path, end, d| {
        for f in Facing::after_crossing(d) {
            let key = (end, f, withdraw::passed(path, s, t, u));
            if !seen.contains(&key) {
                seen.push(key);
                out.push(Command::Withdraw(u, path.and(Word::Face(f))));
            }
        }
    });
}
