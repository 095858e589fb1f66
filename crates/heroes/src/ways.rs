//! What a page asks: what may be done now in short, everywhere a piece may go with cost and turns, and both sides of a
//! combat with every way it can end. The answers are those of the engine's own candidates, told in statements.

use crate::candidates;
use crate::command::{Command, Group, find_general, find_unit};
use crate::control;
use crate::deploy;
use crate::hex::{Facing, Hex, HexSet};
use crate::melee;
use crate::moves::{Walk, can_drop, facings_at};
use crate::odds;
use crate::owed::{self, Due};
use crate::play;
use crate::reach::{reach, steps};
use crate::refusal::Refusal;
use crate::shoot;
use crate::sight;
use crate::state::{Cursor, Formation, Path, Phase, State, Word, bits};
use crate::table::{Side, Table};
use crate::tables::{Shooting, Traits};
use crate::zones::{self, speed};
use dice::Fixed;
use game::{Problem, Stop};
use std::collections::BTreeSet;

/// What may be done now, in short: `can PIECE` for pieces that may still act, `do COMMAND` for what needs no place.
#[must_use]
pub fn now(t: &Table, s: &State) -> Vec<String> {
    let mut out = Vec::new();
    let mut all = Vec::new();
    let can =
        |out: &mut Vec<String>, mask: u64| out.extend(bits(mask).map(|u| format!("can {}", t.label(u))));
    match owed::due(t, s) {
        Due::Deploy(side) => {
            deploy::candidates(t, s, &mut all);
            all.retain(|c| matches!(c, Command::Array | Command::Ready | Command::Begin(_)));
            can(&mut out, t.of_side[side.ix()]);
            out.extend(bits(t.leaders_of[side.ix()].into()).map(|g| format!("can {}", t.leader_label(g))));
        }
        Due::Phase(side) if s.phase == Phase::Generals => {
            for g in bits(t.leaders_of[side.ix()].into()) {
                let it = s.generals[usize::from(g)];
                if it.hex.on() && !it.moved {
                    out.push(format!("can {}", t.leader_label(g)));
                }
            }
            all.push(Command::End);
        }
        Due::Phase(_) if s.phase == Phase::Compulsory => {
            let must = owed::compulsory(t, s);
            can(&mut out, must);
            for u in bits(must) {
                let mut moves = Vec::new();
                candidates::compulsory(t, s, u, &mut moves);
                all.extend(moves.first());
            }
        }
        Due::Phase(side) if s.phase == Phase::Tactical => {
            can(
                &mut out,
                s.on_table(t, side).filter(|&u| owed::may_move(t, s, u)).fold(0, |m, u| m | 1 << u),
            );
            all.push(Command::End);
        }
        Due::Phase(_) if matches!(s.phase, Phase::Shooting | Phase::Return) => {
            let side = shoot::shooting_side(s);
            let mut may = 0;
            for target in s.on_table(t, side.other()) {
                let by = shoot::shooters(t, s, target);
                may |= by;
                if by != 0 {
                    all.push(Command::Shoot(target, Group::of_mask(by)));
                }
                if shoot::suppress_groups(t, s, target).is_some() {
                    let by = Group::of_mask(shoot::suppressors(t, s, target));
                    let try_it = Command::Suppress(target, by);
                    if judged(t, s, &try_it).is_ok() {
                        may |= by.mask();
                        all.push(try_it);
                    }
                }
            }
            may |= s
                .on_table(t, side)
                .filter(|&u| shoot::may_hold(t, s, u) || shoot::may_release(t, s, u))
                .fold(0, |m, u| m | 1 << u);
            can(&mut out, may);
            all.push(Command::End);
        }
        _ => candidates::all(t, s, &mut all),
    }
    out.extend(all.iter().map(|c| format!("do {}", c.text(t))));
    out
}

/// Whether a command would be carried out now, whatever the dice.
fn judged(t: &Table, s: &State, c: &Command) -> Result<(), Refusal> {
    let mut copy = *s;
    match play::apply(t, &mut copy, owed::owner(t, s), c, &mut Fixed(3), None) {
        Err(Stop::Refused(why)) => Err(why),
        _ => Ok(()),
    }
}

/// One way: where it ends and how, what it costs of what there is, how often it turns, who holds it there.
struct Way<'a> {
    hex: Hex,
    facing: Option<Facing>,
    formation: Option<Formation>,
    cost: u8,
    of: u8,
    path: Option<&'a Path>,
    held: u64,
}

impl Way<'_> {
    fn text(&self, t: &Table, c: &Command) -> String {
        let turns = self.path.map_or(0, |p| p.words().iter().filter(|w| matches!(w, Word::Face(_))).count());
        let mut out = format!(
            "way {} {} {} cost {} of {} turns {turns}",
            t.hex(self.hex),
            self.facing.map_or("-", Facing::word),
            self.formation.map_or("-", Formation::word),
            self.cost,
            self.of,
        );
        if self.held != 0 {
            let names: Vec<&str> = bits(self.held).map(|u| t.label(u)).collect();
            out.push_str(&format!(" held {}", names.join(" ")));
        }
        out + " : " + &c.text(t)
    }
}

/// Everywhere a unit or general may go: `way HEX FACING FORMATION cost N of N turns N held ENEMIES : COMMAND`; what else
/// it may do: `also COMMAND`; and if it may do nothing, `why` with the rule's reason. A place that the single-hex move (HH-083)
/// and an ordinary one both lead to is told twice. With hexes to go `by`, only what an ordinary move along them can come to.
///
/// # Errors
/// A piece that there is not.
pub fn ways(t: &Table, s: &State, word: &str, by: &[Hex]) -> Result<Vec<String>, Problem> {
    let mut out = Vec::new();
    if let Some(g) = find_general(t, word) {
        general(t, s, g, &mut out);
        return Ok(out);
    }
    let u = find_unit(t, word).ok_or_else(|| {
        let names = t.pieces.iter().map(|p| p.label.as_str());
        Problem::new(format!("no piece is called {word}")).meant(word, names)
    })?;
    let side = t.side(u);
    let mut all = Vec::new();
    let mut from = None;
    match owed::due(t, s) {
        Due::Deploy(x) if x == side => {
            places(t, s, u, &mut out);
            return Ok(out);
        }
        Due::Phase(x)
            if x == side && matches!(s.phase, Phase::Compulsory | Phase::Tactical) && !by.is_empty() =>
        {
            let walk = Walk::new(t, s, u);
            for drop in [false, true] {
                let mut search = crate::reach::Search::default();
                search.look_by(&walk, walk.begin(drop), by);
                all.extend((0..search.len()).map(|n| Command::Move(u, drop, search.path(n))));
                if !can_drop(t, s, u) {
                    break;
                }
            }
            // may it move at all; and a compulsory move must lead into contact
            if s.phase == Phase::Compulsory {
                all.retain(|c| judged(t, s, c).is_ok());
            } else if all.first().is_some_and(|c| judged(t, s, c).is_err()) {
                all.clear();
            }
        }
        Due::Phase(x) if x == side && s.phase == Phase::Compulsory => {
            candidates::compulsory(t, s, u, &mut all);
        }
        Due::Phase(x) if x == side && s.phase == Phase::Tactical => {
            candidates::unit(t, s, u, &mut crate::reach::Search::default(), &mut all);
            if all.iter().any(|c| matches!(c, Command::Move(..))) {
                let known: BTreeSet<Command> =
                    all.iter().filter(|c| matches!(c, Command::Step(..))).copied().collect();
                let walk = Walk::new(t, s, u);
                steps(&walk, false, |h, f, form, _| {
                    let c = Command::Step(u, false, h, f, form);
                    all.extend((!known.contains(&c)).then_some(c));
                });
            }
            if all.is_empty()
                && let Err(why) = judged(t, s, &Command::Move(u, false, Path::EMPTY))
            {
                out.push(format!("why {}", why.text(t)));
            }
        }
        Due::Phase(_) if matches!(s.phase, Phase::Shooting | Phase::Return) => {
            let shooting = shoot::shooting_side(s);
            if shooting == side {
                for target in s.on_table(t, side.other()) {
                    if shoot::may_shoot(t, s, u, target).is_ok() {
                        all.push(Command::Shoot(target, Group::of(u)));
                    }
                }
                all.extend(shoot::may_hold(t, s, u).then_some(Command::Hold(u)));
                all.extend(shoot::may_release(t, s, u).then_some(Command::Release(u)));
            }
        }
        Due::GoOn(_, x) if x == u => {
            from = Some(s.mover.cursor);
            owed::go_on_answers(t, s, u, &mut all);
        }
        _ => {}
    }
    let walk = Walk::new(t, s, u);
    let of = speed(t, s, u);
    let held = |c: &Cursor| {
        if walk.caught(c) { zones::adjacent(t, s, side.other(), c.hex) } else { 0 }
    };
    for c in &all {
        let (end, path) = match c {
            Command::Move(_, d, p) => (walk.judge(from.unwrap_or_else(|| walk.begin(*d)), p).ok(), Some(p)),
            Command::Step(_, d, h, f, form) => {
                // it is the whole move, whatever the unit has
                let one = |c: Cursor| Cursor { spent: u8::from(c.entered > 0), ..c };
                (walk.step(*h, *f, *form, *d).ok().map(one), None)
            }
            Command::Shift(_, f) => (Some(Cursor { facing: *f, entered: 0, ..walk.begin(false) }), None),
            Command::Back(_, h) => {
                (Some(Cursor { hex: *h, entered: 1, spent: 1, ..walk.begin(false) }), None)
            }
            _ => (None, None),
        };
        match end {
            // What it already spent of a move that was stopped counts too.
            Some(end) => {
                let (facing, formation) = (Some(end.facing), Some(end.formation));
                let of = if matches!(c, Command::Step(..) | Command::Back(..) | Command::Shift(..)) {
                    end.spent
                } else {
                    of
                };
                let way =
                    Way { hex: end.hex, facing, formation, cost: end.spent, of, path, held: held(&end) };
                out.push(way.text(t, c));
            }
            None => out.push(format!("also {}", c.text(t))),
        }
    }
    Ok(out)
}

fn general(t: &Table, s: &State, g: u8, out: &mut Vec<String>) {
    let leader = &t.leaders[usize::from(g)];
    let of = leader.quality;
    let plain =
        |hex: Hex, cost: u8| Way { hex, facing: None, formation: None, cost, of, path: None, held: 0 };
    match owed::due(t, s) {
        Due::Deploy(side) if side == leader.side => {
            for h in owed::deployment_zone(t, s, side).iter() {
                let c = Command::Station(g, h);
                if judged(t, s, &c).is_ok() {
                    out.push(plain(h, 0).text(t, &c));
                }
            }
        }
        Due::Phase(side) if side == leader.side && s.phase == Phase::Generals => {
            let mut all = Vec::new();
            candidates::general(t, s, g, &mut all);
            let from = s.generals[usize::from(g)].hex;
            for c in &all {
                match c {
                    Command::Lead(_, h) => {
                        let cost = t.map.grid.distance(from, *h).min(u16::from(u8::MAX)) as u8;
                        out.push(plain(*h, cost).text(t, c));
                    }
                    Command::Challenge(_, e) => {
                        out.push(plain(s.generals[usize::from(*e)].hex, 0).text(t, c));
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Where a unit may be deployed, placed already or not.
fn places(t: &Table, s: &State, u: u8, out: &mut Vec<String>) {
    let unit = s.unit(u);
    let forms: &[Formation] = match unit.formation {
        Formation::Horde => &[Formation::Horde],
        Formation::Block => &[Formation::Block],
        _ => &[Formation::Line, Formation::Column],
    };
    let stakes: &[bool] = if t.profile(u).traits.has(Traits::STAKES) { &[false, true] } else { &[false] };
    for h in owed::deployment_zone(t, s, t.side(u)).iter() {
        for &form in forms {
            let first = facings_at(t, h).next().map(|f| Command::Place(u, h, f, form, false));
            if first.is_none_or(|c| judged(t, s, &c).is_err()) {
                continue;
            }
            for f in facings_at(t, h) {
                for &staked in stakes {
                    let (facing, formation) = (Some(f), Some(form));
                    let way = Way { hex: h, facing, formation, cost: 0, of: 0, path: None, held: 0 };
                    out.push(way.text(t, &Command::Place(u, h, f, form, staked)));
                }
            }
        }
    }
}

/// Hexes to which each general's command reaches (HH-055): `range GENERAL HEX`.
#[must_use]
pub fn ranges(t: &Table, s: &State, side: Side) -> Vec<String> {
    bits(t.leaders_of[side.ix()].into())
        .filter(|&g| control::commands(s, g))
        .flat_map(|g| {
            let all: HexSet = control::command_hexes(t, s, g);
            all.iter().map(|h| format!("range {} {}", t.leader_label(g), t.hex(h))).collect::<Vec<_>>()
        })
        .collect()
}

/// Hexes that units of a side could come to if they moved now: `threat HEX`.
#[must_use]
pub fn threat(t: &Table, s: &State, side: Side) -> Vec<String> {
    let mut all = HexSet::EMPTY;
    for u in s.on_table(t, side).filter(|&u| !s.unit(u).disrupted()) {
        let walk = Walk::new(t, s, u);
        reach(&walk, walk.begin(false)).iter().for_each(|r| all.insert(r.end.hex));
        steps(&walk, false, |_, _, _, c| all.insert(c.hex));
    }
    all.iter().map(|h| format!("threat {}", t.hex(h))).collect()
}

/// Hexes into which a unit could shoot from where it stands, whoever was there (HH-145, HH-146, HH-148, HH-185).
fn arc(t: &Table, s: &State, u: u8) -> HexSet {
    let (unit, profile) = (s.unit(u), t.profile(u));
    let mut all = HexSet::EMPTY;
    if !unit.hex.on() || shoot::dice_of(t, s, u) == 0 {
        return all;
    }
    let within = |far: u16| match profile.shooting {
        Shooting::None => false,
        Shooting::Score(_) => far <= u16::from(t.rules.range),
        Shooting::Artillery(n) => t.rules.artillery.get(usize::from(n)).is_some_and(|kind| {
            kind.bands.iter().any(|b| (u16::from(b.from)..=u16::from(b.to)).contains(&far))
        }),
    };
    for h in t.map.grid.all().filter(|&h| h != unit.hex) {
        let seen = profile.war_wagon() || zones::in_arc(t, unit.hex, unit.facing, h);
        if seen
            && within(t.map.grid.distance(unit.hex, h))
            && sight::blocked_by(t, s, t.side(u), profile.shooting, unit.hex, h).is_none()
        {
            all.insert(h);
        }
    }
    all
}

/// The same as statements: `arc HEX`.
#[must_use]
pub fn arc_of(t: &Table, s: &State, u: u8) -> Vec<String> {
    arc(t, s, u).iter().map(|h| format!("arc {}", t.hex(h))).collect()
}

/// Hexes into which units of a side could shoot from where they stand: `fire HEX`.
#[must_use]
pub fn fire(t: &Table, s: &State, side: Side) -> Vec<String> {
    let mut all = HexSet::EMPTY;
    for u in s.on_table(t, side) {
        arc(t, s, u).iter().for_each(|h| all.insert(h));
    }
    all.iter().map(|h| format!("fire {}", t.hex(h))).collect()
}

/// Both sides of a combat: `side 0 UNITS`, `factor 0 RULE VALUE WORDS`, `sum 0 7 2d6`, and every way it can end:
/// `chance MILLIONTHS LOSER WORDS`, where the loser is 0, 1 or `-`.
#[must_use]
pub fn combat(t: &Table, s: &State, own: &Group, theirs: &Group) -> Vec<String> {
    let mut out = Vec::new();
    let names = |g: &Group| g.ids().iter().map(|&u| t.label(u)).collect::<Vec<_>>().join(" ");
    for (n, (a, b)) in [(own, theirs), (theirs, own)].into_iter().enumerate() {
        out.push(format!("side {n} {}", names(a)));
        let score = melee::score(t, s, a.mask(), b.mask());
        for p in &score.parts {
            let who = if p.unit == crate::state::NOBODY { "" } else { t.label(p.unit) };
            out.push(format!("factor {n} {} {:+} {} {who}", p.rule, p.value, p.what).trim_end().to_owned());
        }
        out.push(format!("sum {n} {} {}d6", score.sum, score.dice));
    }
    out.extend(odds::ends(t, s, own.mask(), theirs.mask()));
    out
}

/// Shooters and their target in the same way.
#[must_use]
pub fn shots(t: &Table, s: &State, by: &Group, target: u8) -> Vec<String> {
    let names = by.ids().iter().map(|&u| t.label(u)).collect::<Vec<_>>().join(" ");
    let mut out = vec![format!("side 0 {names}"), format!("side 1 {}", t.label(target))];
    let mut dice = 0;
    for &u in by.ids() {
        let shot = shoot::shot(t, s, u, target);
        dice += shot.dice;
        let need: Vec<String> = shot.scores.iter().filter(|&&x| x <= 12).map(|x| format!("{x}+")).collect();
        let need = if need.is_empty() { "no score".to_owned() } else { need.join(" ") };
        out.push(format!("factor 0 HH-160 {need} needed by {} with {}d12", t.label(u), shot.dice));
        out.extend(shot.parts.iter().map(|(r, what, n)| format!("factor 0 {r} {n:+} {what} {}", t.label(u))));
    }
    out.push(format!("sum 0 {dice}d12"));
    out.push("sum 1 -".to_owned());
    let odds = odds::shooting(t, s, by, target);
    let mut all: Vec<(u128, &String)> = odds.of.iter().map(|(k, n)| (*n, k)).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    out.extend(all.into_iter().map(|(n, k)| format!("chance {} 1 {k}", odds.millionths(n))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Heroes;
    use game::{Actor, Game, Seat};

    fn begun() -> (Heroes, State) {
        let game = Heroes::battle("open-field", "roman", "huns").unwrap();
        let mut state = game.start();
        let mut dice = dice::Seeded::new(dice::Key::from_seed(3));
        for _ in 0..60 {
            if state.phase == Phase::Tactical {
                break;
            }
            let mut debts = Vec::new();
            game.owes(&state, &mut debts);
            let seat = debts.first().map_or(Seat(0), |d| d.seat);
            let t = game.table();
            let said = now(t, &state);
            let text = said.iter().rev().find_map(|l| l.strip_prefix("do ")).unwrap();
            let command = game.parse(&state, Actor::Seat(seat), text).unwrap();
            game.apply(&mut state, Actor::Seat(seat), &command, &mut dice, &mut Vec::new()).unwrap();
        }
        assert_eq!(state.phase, Phase::Tactical);
        (game, state)
    }

    #[test]
    fn every_way_is_a_command_that_ends_where_it_says() {
        let (game, state) = begun();
        let t = game.table();
        let mut seen = 0;
        for line in now(t, &state).iter().filter_map(|l| l.strip_prefix("can ")) {
            for way in ways(t, &state, line, &[]).unwrap().iter().filter(|w| w.starts_with("way ")).step_by(7)
            {
                let (head, text) = way.split_once(" : ").unwrap();
                let words: Vec<&str> = head.split(' ').collect();
                let seat = crate::contract::seat_of(state.phasing);
                let command = game.parse(&state, Actor::Seat(seat), text).unwrap();
                let mut copy = state;
                let mut events = Vec::new();
                game.apply(&mut copy, Actor::Seat(seat), &command, &mut Fixed(3), &mut events).unwrap();
                let u = find_unit(t, line).unwrap();
                assert_eq!(t.hex(copy.unit(u).hex), words[1], "{way}");
                assert_eq!(copy.unit(u).facing.word(), words[2], "{way}");
                assert_eq!(copy.unit(u).formation.word(), words[3], "{way}");
                let (cost, of): (u8, u8) = (words[5].parse().unwrap(), words[7].parse().unwrap());
                assert!(cost <= of + 2, "{way}");
                seen += 1;
            }
        }
        assert!(seen > 50, "only {seen} ways were looked at");
    }

    #[test]
    fn the_ways_a_combat_can_end_add_up_to_one() {
        let (game, state) = begun();
        let t = game.table();
        let one = |label: &str| Group::of(find_unit(t, label).unwrap());
        let a = bits(t.of_side[0]).next().map(|u| t.label(u).to_owned()).unwrap();
        let b = bits(t.of_side[1]).next().map(|u| t.label(u).to_owned()).unwrap();
        let lines = combat(t, &state, &one(&a), &one(&b));
        let chances = lines.iter().filter_map(|l| l.strip_prefix("chance "));
        let sum: u64 = chances.map(|l| l.split(' ').next().unwrap().parse::<u64>().unwrap()).sum();
        assert!((999_980..=1_000_020).contains(&sum), "{sum}: {lines:?}");
        assert!(lines.iter().any(|l| l.starts_with("factor 0 HH-")), "{lines:?}");
    }

    #[test]
    fn who_may_shoot_has_his_target_in_his_arc() {
        let (game, state) = begun();
        let t = game.table();
        let mut copy = state;
        // two shooters of different sides look at each other across two hexes
        let shoots = |side: Side| {
            bits(t.of_side[side.ix()]).find(|&u| matches!(t.profile(u).shooting, Shooting::Score(_)))
        };
        let (a, b) = (shoots(Side::A).unwrap(), shoots(Side::B).unwrap());
        (copy.phase, copy.phasing) = (Phase::Shooting, Side::A);
        let free = |s: &State, h: Hex| h.on() && s.who(h) == crate::state::NOBODY;
        let mut looked = 0;
        for h in t.map.grid.all() {
            for to in t.map.grid.all().filter(|&to| t.map.grid.distance(h, to) == 2) {
                if !free(&state, h) || !free(&state, to) {
                    continue;
                }
                copy.put(a, h);
                copy.put(b, to);
                for f in 0..6 {
                    copy.unit_mut(a).facing = Facing::point(f);
                    if shoot::may_shoot(t, &copy, a, b).is_ok() {
                        looked += 1;
                        assert!(arc(t, &copy, a).has(to), "{} {}", t.hex(h), t.hex(to));
                    }
                }
            }
        }
        assert!(looked > 20, "{looked}");
    }

    #[test]
    fn nobody_but_the_side_that_moves_has_ways() {
        let (game, state) = begun();
        let t = game.table();
        let theirs = bits(t.of_side[state.phasing.other().ix()]).next().unwrap();
        assert!(ways(t, &state, t.label(theirs), &[]).unwrap().iter().all(|l| !l.starts_with("way ")));
        assert!(ways(t, &state, "A.Nobody9", &[]).is_err());
    }
}
