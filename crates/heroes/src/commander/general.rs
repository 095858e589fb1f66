//! The first commander: one unit after the other, each to the place with the best expected value.

use super::value::{combat, contacts, rough, shots, worth};
use super::{Player, Style, Weights};
use crate::candidates;
use crate::command::{Command, Group};
use crate::control;
use crate::hex::{Facing, Hex};
use crate::melee;
use crate::moves::{Walk, can_drop, reach, steps};
use crate::owed::{self, Due};
use crate::shoot;
use crate::state::{Cursor, Formation, NOBODY, Phase, State, bits, flag};
use crate::table::{Side, Table};
use crate::tables::{Disrupts, Ground, Shooting};
use crate::zones::{as_if_disrupted, enemies_of, in_arc, in_shield_wall, speed};

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
        due => {
            let mut all = Vec::new();
            candidates::all(t, s, &mut all);
            p.looked_at += all.len() as u64;
            match due {
                Due::Deploy(_) if all.contains(&Command::Array) => Some(Command::Array),
                Due::Order => all.last().copied(),
                Due::Edge | Due::Deploy(_) => all.first().copied(),
                Due::GoOn(_, u) => go_on(p, t, s, u, &all),
                Due::Follow(_) | Due::Pursue(_) => after_victory(t, s, &all),
                _ => owed::default_answer(t, s, &all),
            }
        }
    }
}

/// A state in which a unit stands as its move would leave it.
fn placed(t: &Table, s: &State, u: u8, c: &Cursor) -> State {
    let mut n = *s;
    let side = t.side(u);
    let from = s.unit(u).hex;
    let g = s.general_in(t, side, from);
    n.put(u, c.hex);
    if g != NOBODY {
        n.generals[usize::from(g)].hex = c.hex;
    }
    let unit = n.unit_mut(u);
    unit.facing = c.facing;
    unit.formation = c.formation;
    unit.flags |= flag::MOVED;
    if c.entered > 0 {
        unit.flags |= flag::STIRRED;
        unit.stakes = 0;
        unit.impact = crate::state::Impact::Fresh;
    }
    n
}

/// What both armies are like, for weighing places.
struct Field<'a> {
    t: &'a Table,
    w: Weights,
    /// Own units that can still move, with their hexes and speeds.
    free: Vec<(u8, Hex, u16)>,
    side: Side,
    enemies: Vec<(u8, Hex)>,
    shooters: bool,
    leaders: Vec<(Hex, u16)>,
}

impl<'a> Field<'a> {
    fn new(t: &'a Table, s: &'a State, side: Side, w: Weights) -> Field<'a> {
        let enemies: Vec<(u8, Hex)> = s.on_table(t, side.other()).map(|u| (u, s.unit(u).hex)).collect();
        let shooters = enemies.iter().any(|&(u, _)| t.profile(u).shooting != Shooting::None);
        let leaders = bits(u64::from(t.leaders_of[side.ix()]))
            .filter(|&g| s.generals[usize::from(g)].hex.on())
            .map(|g| (s.generals[usize::from(g)].hex, u16::from(t.leaders[usize::from(g)].quality)))
            .collect();
        let free = s
            .on_table(t, side)
            .filter(|&u| owed::may_move(t, s, u) && enemies_of(t, s, u) == 0 && !t.profile(u).artillery())
            .map(|u| (u, s.unit(u).hex, u16::from(speed(t, s, u))))
            .collect();
        Field { t, w, free, side, enemies, shooters, leaders }
    }

    /// What friends who can still come would add to a fight of one unit against an enemy.
    fn help(&self, s: &State, u: u8, e: u8) -> i16 {
        let t = self.t;
        let at = s.unit(e).hex;
        let room = t.map.next[at.ix()].iter().filter(|h| h.on() && s.who(**h) == NOBODY).count();
        let come = self
            .free
            .iter()
            .filter(|&&(x, h, speed)| {
                x != u && !s.unit(x).is(flag::MOVED) && t.map.grid.distance(h, at) <= speed + 1
            })
            .count();
        self.w.help * room.min(come).min(2) as i16
    }

    /// What the enemies that can reach a unit next would gain by attacking it together.
    fn danger(&self, s: &State, u: u8) -> i32 {
        let t = self.t;
        let unit = s.unit(u);
        let strength = |x: u8| {
            let p = t.profile(x);
            if s.unit(x).disrupted() {
                i32::from(p.factor)
            } else {
                i32::from(p.factor) + i32::from(melee::impact_by_strength(t, s, x))
            }
        };
        let mut open = 0;
        for h in t.map.next[unit.hex.ix()] {
            if h.on() && s.who(h) == NOBODY && !t.map.barred.has(h) {
                open += 1;
            }
        }
        let mut best = 0;
        let mut stands: Vec<i32> = Vec::new();
        let mut flank = false;
        for &(e, h) in &self.enemies {
            let enemy = s.unit(e);
            if enemy.disrupted() || t.profile(e).artillery() {
                continue;
            }
            if t.map.grid.distance(unit.hex, h) > u16::from(speed(t, s, e)) + 1 {
                continue;
            }
            best = best.max(strength(e));
            stands.push(i32::from(melee::stands_of(t, s, e)));
            flank |= !in_arc(t, unit.hex, unit.facing, h);
        }
        if stands.is_empty() {
            return 0;
        }
        stands.sort_unstable_by(|a, b| b.cmp(a));
        let many = if open > 3 { 2 } else { 1 };
        let attack = best + stands.iter().take(many).sum::<i32>();
        let own = i32::from(t.profile(u).factor)
            + i32::from(melee::stands_of(t, s, u))
            + if flank { 0 } else { i32::from(melee::impact_by_strength(t, s, u)) };
        let edge = attack - own + (t.profile(u).class as i32 - 2);
        let danger = edge.clamp(0, 8) * worth(t, s, u) / 24;
        if t.profile(u).evades() > 0 { danger / 2 } else { danger }
    }

    /// What a place is worth to a unit, in hundredths of a point.
    fn place(&self, s: &State, u: u8) -> i32 {
        let t = self.t;
        let grid = t.map.grid;
        let unit = s.unit(u);
        let profile = t.profile(u);
        let mut score = 0;
        let touching = enemies_of(t, s, u);
        let mut nearest = u16::MAX;
        let mut towards = 0;
        let shoots = profile.shooting != Shooting::None;
        if touching != 0 {
            score += contacts(t, s, u, |e| self.help(s, u, e)) * self.w.contact / 100;
        }
        for &(e, h) in &self.enemies {
            let d = grid.distance(unit.hex, h);
            nearest = nearest.min(d);
            // go for those whom we beat, keep away from those who beat us
            let gain = rough(t, s, u, e).clamp(-600, 600);
            towards += gain * 8 / i32::from(d.max(1) + 2);
        }
        if touching == 0 {
            score -= self.danger(s, u) * self.w.danger / 100;
        }
        score += towards * self.w.pull / 100;
        if nearest < u16::MAX {
            let want = if profile.artillery() {
                4
            } else if shoots && profile.factor <= 2 {
                2
            } else {
                1
            };
            score -= (i32::from(nearest) - want).abs()
                * if shoots && want > 1 { self.w.near_shooter } else { self.w.near };
            // look at them
            let seen = self
                .enemies
                .iter()
                .filter(|&&(_, h)| grid.distance(unit.hex, h) <= 4 && in_arc(t, unit.hex, unit.facing, h));
            score += (seen.count() as i32).min(3) * 12;
        }
        if shoots && touching == 0 {
            score += self.best_shot(s, u) * self.w.shot / 100;
        }
        score + self.company(s, u) + self.ground(s, u)
    }

    /// The best shot from a place, if it may still be fired.
    fn best_shot(&self, s: &State, u: u8) -> i32 {
        let t = self.t;
        let unit = s.unit(u);
        if t.profile(u).artillery() && unit.is(flag::STIRRED) {
            return 0;
        }
        let reach = match t.profile(u).shooting {
            Shooting::Artillery(n) => {
                t.rules.artillery[usize::from(n)].bands.iter().map(|b| b.to).max().unwrap_or(0)
            }
            _ => t.rules.range,
        };
        let mut state = None;
        let mut best = 0;
        for &(e, h) in &self.enemies {
            let d = t.map.grid.distance(unit.hex, h);
            if d > u16::from(reach) || !(t.profile(u).war_wagon() || in_arc(t, unit.hex, unit.facing, h)) {
                continue;
            }
            let after = state.get_or_insert_with(|| {
                let mut n = *s;
                n.phase = Phase::Shooting;
                n.unit_mut(u).flags &= !flag::SHOT;
                n
            });
            if shoot::may_shoot(t, after, u, e).is_ok() {
                best = best.max(shots(t, after, &Group::of(u), e));
            }
        }
        best
    }

    /// Friends beside it, command, shield wall.
    fn company(&self, s: &State, u: u8) -> i32 {
        let t = self.t;
        let h = s.unit(u).hex;
        let friends = crate::zones::adjacent(t, s, self.side, h).count_ones() as i32;
        let led = self.leaders.iter().any(|&(g, range)| t.map.grid.distance(g, h) <= range);
        let mut score = friends.min(2) * self.w.friend;
        if !led && friends == 0 {
            score -= self.w.lost;
        }
        if t.profile(u).traits.has(crate::tables::Traits::SHIELDS) && in_shield_wall(t, s, u) {
            score += 50;
        }
        score
    }

    /// Cover against shooters, and ground on which one fights badly.
    fn ground(&self, s: &State, u: u8) -> i32 {
        let t = self.t;
        let unit = s.unit(u);
        let ground = t.map.ground_at(unit.hex);
        let row = &t.rules.ground[ground as usize];
        let mut score = 0;
        if self.shooters {
            score += i32::from(row.cover) * 12;
        }
        if as_if_disrupted(t, s, u) || row.disrupts == Disrupts::All {
            score -= 160;
        }
        if unit.formation == Formation::Column && !matches!(ground, Ground::Bridge | Ground::Ford) {
            score -= 40;
        }
        score + i32::from(t.map.height_at(unit.hex)) * 15
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
            (field.enemies.iter().map(|e| t.map.grid.distance(h, e.1)).min().unwrap_or(99), u)
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
    let stay = field.place(s, u) + 5;
    let mut best = (stay, None);
    let drop = can_drop(t, s, u);
    let mut weigh = |c: &Cursor, command: Command| {
        // a facing that has nobody before it while enemies are near is not worth a look
        let n = placed(t, s, u, c);
        let mut score = field.place(&n, u);
        if matches!(command, Command::Move(_, true, _) | Command::Step(_, true, ..)) {
            score -= 40;
        }
        p.looked_at += 1;
        if score > best.0 {
            best = (score, Some(command));
        }
    };
    for r in reach(&walk, walk.begin(drop && t.profile(u).factor > 2)) {
        if worth_a_look(t, field, &r.end) {
            weigh(&r.end, Command::Move(u, drop && t.profile(u).factor > 2, r.path));
        }
    }
    steps(&walk, false, |h, f, form, c| {
        if worth_a_look(t, field, &c) {
            weigh(&c, Command::Step(u, false, h, f, form));
        }
    });
    if crate::command::carries_stakes(t, u) && s.unit(u).stakes == 0 {
        let near = field.enemies.iter().any(|e| {
            let d = t.map.grid.distance(e.1, s.unit(u).hex);
            d <= 4 && t.profile(e.0).impact >= 2 && in_arc(t, s.unit(u).hex, s.unit(u).facing, e.1)
        });
        if near && stay + 120 > best.0 {
            return Some(Command::Plant(u));
        }
    }
    best.1
}

/// Looking away from everybody is seldom best: such ends are passed over.
fn worth_a_look(t: &Table, field: &Field<'_>, c: &Cursor) -> bool {
    let Some(nearest) = field.enemies.iter().min_by_key(|e| t.map.grid.distance(e.1, c.hex)) else {
        return false;
    };
    in_arc(t, c.hex, c.facing, nearest.1)
        || field.enemies.iter().any(|e| {
            let d = t.map.grid.distance(e.1, c.hex);
            d <= 3 && in_arc(t, c.hex, c.facing, e.1)
        })
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
            walk.judge(walk.begin(*d), path).map_or(i32::MIN, |end| field.place(&placed(t, s, *u, &end), *u))
        }
        Command::Step(u, d, h, f, form) => {
            let walk = Walk::new(t, s, *u);
            walk.step(*h, *f, *form, *d).map_or(i32::MIN, |end| field.place(&placed(t, s, *u, &end), *u))
        }
        _ => 0,
    };
    all.iter().copied().max_by_key(score)
}

fn go_on(p: &mut Player, t: &Table, s: &State, u: u8, all: &[Command]) -> Option<Command> {
    let field = Field::new(t, s, t.side(u), p.weights);
    let walk = Walk::new(t, s, u);
    let mut best = (i32::MIN, None);
    for c in all {
        p.looked_at += 1;
        let score = match c {
            Command::Halt(_) => field.place(s, u) + 5,
            Command::Move(_, _, path) => match walk.judge(s.mover.cursor, path) {
                Ok(end) => field.place(&placed(t, s, u, &end), u),
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
    let side = t.side(u);
    let field = Field::new(t, s, side, p.weights);
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
                let shot = if matches!(c, Command::Evade(..)) { field.best_shot(&n, u) / 2 } else { 0 };
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
