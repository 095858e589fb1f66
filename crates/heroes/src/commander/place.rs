//! What a place is worth to a unit, in hundredths of a point.
//!
//! A unit has hundreds of ways to end its move, on a few dozen hexes. What does not depend on where it looks is reckoned once
//! a hex ([`Spot`]); for each facing only what the facing changes.

use super::Weights;
use super::value::{contacts, expected, shots, traps, weight, worth};
use crate::command::Group;
use crate::hex::{Hex, MAX_HEXES};
use crate::melee;
use crate::odds::add_dice;
use crate::owed;
use crate::shoot;
use crate::state::{Cursor, Formation, Impact, NOBODY, Phase, State, Unit, bits, flag};
use crate::table::{Side, Table};
use crate::tables::{Disrupts, Ground, Shooting, Traits};
use crate::zones::{adjacent, arcs, as_if_disrupted, enemies_of, in_arc, in_shield_wall, speed};

/// An enemy, as far as places are weighed by him.
pub struct Enemy {
    /// Who.
    pub id: u8,
    /// Where.
    pub hex: Hex,
    at: (i16, i16),
    /// Hexes from which he can come into contact.
    comes: i16,
    weight: i32,
    /// Strength and stands with which he attacks, if he can.
    attack: Option<(i32, i32)>,
}

/// What both armies are like, for weighing places.
pub struct Field<'a> {
    t: &'a Table,
    w: Weights,
    side: Side,
    /// The enemies on the table.
    pub enemies: Vec<Enemy>,
    /// Own units that can still move, with their hexes and speeds.
    free: Vec<(u8, Hex, u16)>,
    shooters: bool,
    leaders: Vec<(Hex, u16)>,
}

/// Steps between two places.
fn steps(a: (i16, i16), b: (i16, i16)) -> i16 {
    let (q, r) = (a.0 - b.0, a.1 - b.1);
    (q.abs() + r.abs() + (q + r).abs()) / 2
}

impl<'a> Field<'a> {
    /// Looks at a battle as a side sees it.
    #[must_use]
    pub fn new(t: &'a Table, s: &State, side: Side, w: Weights) -> Field<'a> {
        let enemy = |u: u8| {
            let (unit, p) = (s.unit(u), t.profile(u));
            let mut strength = i32::from(p.factor);
            if !unit.disrupted() {
                strength += i32::from(melee::impact_by_strength(t, s, u));
            }
            Enemy {
                id: u,
                hex: unit.hex,
                at: t.map.grid.axial(unit.hex),
                comes: i16::from(speed(t, s, u)) + 1,
                weight: weight(t, s, u),
                attack: (!unit.disrupted() && !p.artillery())
                    .then(|| (strength, i32::from(melee::stands_of(t, s, u)))),
            }
        };
        let enemies: Vec<Enemy> = s.on_table(t, side.other()).map(enemy).collect();
        let shooters = enemies.iter().any(|e| t.profile(e.id).shooting != Shooting::None);
        let leaders = bits(u64::from(t.leaders_of[side.ix()]))
            .filter(|&g| s.generals[usize::from(g)].hex.on())
            .map(|g| (s.generals[usize::from(g)].hex, u16::from(t.leaders[usize::from(g)].quality)))
            .collect();
        let free = s
            .on_table(t, side)
            .filter(|&u| owed::may_move(t, s, u) && enemies_of(t, s, u) == 0 && !t.profile(u).artillery())
            .map(|u| (u, s.unit(u).hex, u16::from(speed(t, s, u))))
            .collect();
        Field { t, w, side, enemies, free, shooters, leaders }
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
}

/// A hex in which a unit could end, in a formation: all that does not depend on where it looks.
#[derive(Clone, Copy)]
struct Spot {
    base: i32,
    /// Facings that are worth a look.
    look: u16,
    /// Enemies near by in the arc of each facing, five bits a facing.
    seen: u64,
    /// Facings that leave somebody who can attack out of the arc.
    open: u16,
    /// What is lost to attackers if all are before it, and if not.
    danger: [i32; 2],
    touching: bool,
    /// The best shot by facing, once asked for.
    shots: Option<[i32; 12]>,
    /// A shield wall is possible.
    wall: bool,
}

/// The scales in which the ends of one unit's move are weighed.
pub struct Scales<'a> {
    field: &'a Field<'a>,
    /// The state with the unit where it is looked at.
    n: State,
    u: u8,
    before: Unit,
    general: u8,
    spots: Vec<Spot>,
    /// Number of a spot, plus one, by hex, column or not, having moved or not.
    index: [u16; MAX_HEXES * 4],
    /// Shots reckoned already: who at whom needing what, and what it gains.
    shots: Vec<(u64, i32)>,
}

impl<'a> Scales<'a> {
    /// Scales for a unit.
    #[must_use]
    pub fn new(field: &'a Field<'a>, s: &State, u: u8) -> Scales<'a> {
        let before = *s.unit(u);
        let mut n = *s;
        n.phase = Phase::Shooting;
        n.unit_mut(u).flags &= !flag::SHOT;
        Scales {
            field,
            n,
            u,
            before,
            general: s.general_in(field.t, field.t.side(u), before.hex),
            spots: Vec::with_capacity(32),
            index: [0; MAX_HEXES * 4],
            shots: Vec::new(),
        }
    }

    /// The worth of staying where and as it is; asked first.
    #[must_use]
    pub fn here(&mut self) -> i32 {
        let spot = self.reckon();
        self.spots.push(spot);
        let score = self.total(self.spots.len() - 1, self.before.facing.0);
        self.spots.clear();
        score
    }

    /// The worth of an end, unless it is not worth a look: looking away from everybody is seldom best.
    pub fn weigh(&mut self, end: &Cursor) -> Option<i32> {
        let spot = self.spot(end);
        (self.spots[spot].look >> end.facing.0 & 1 == 1).then(|| {
            self.stand(end);
            self.total(spot, end.facing.0)
        })
    }

    /// The worth of an end.
    pub fn score(&mut self, end: &Cursor) -> i32 {
        let spot = self.spot(end);
        self.stand(end);
        self.total(spot, end.facing.0)
    }

    /// Puts the unit where its move would leave it.
    fn stand(&mut self, c: &Cursor) {
        let n = &mut self.n;
        if n.unit(self.u).hex != c.hex {
            n.put(self.u, c.hex);
            if self.general != NOBODY {
                n.generals[usize::from(self.general)].hex = c.hex;
            }
        }
        let unit = n.unit_mut(self.u);
        unit.facing = c.facing;
        unit.formation = c.formation;
        unit.flags = (self.before.flags | flag::MOVED) & !flag::SHOT;
        if c.entered > 0 {
            unit.flags |= flag::STIRRED;
            unit.stakes = 0;
            unit.impact = Impact::Fresh;
        } else {
            unit.stakes = self.before.stakes;
            unit.impact = self.before.impact;
        }
    }

    fn spot(&mut self, c: &Cursor) -> usize {
        let column = usize::from(c.formation == Formation::Column);
        let slot = c.hex.ix() * 4 + column * 2 + usize::from(c.entered > 0);
        if self.index[slot] == 0 {
            self.stand(c);
            let spot = self.reckon();
            self.spots.push(spot);
            self.index[slot] = self.spots.len() as u16;
        }
        usize::from(self.index[slot]) - 1
    }

    /// All that does not depend on the facing, where the unit stands now.
    fn reckon(&self) -> Spot {
        let (t, n, u, field) = (self.field.t, &self.n, self.u, self.field);
        let w = &field.w;
        let unit = n.unit(u);
        let profile = t.profile(u);
        let at = t.map.grid.axial(unit.hex);
        let own = weight(t, n, u);
        let (mut nearest, mut nearest_arcs, mut near_arcs) = (i16::MAX, 0, 0);
        let (mut towards, mut seen) = (0, 0_u64);
        let (mut best, mut stands, mut open) = (0, [0; 2], 0);
        let mut attacked = false;
        for e in &field.enemies {
            let d = steps(at, e.at);
            let arc = arcs(at, e.at);
            if d < nearest {
                (nearest, nearest_arcs) = (d, arc);
            }
            if d <= 3 {
                near_arcs |= arc;
            }
            if d <= 4 {
                seen = count_arcs(seen, arc);
            }
            // go for those whom we beat, keep away from those who beat us
            let gain = (own - e.weight).clamp(-600, 600);
            towards += gain * 8 / i32::from(d.max(1) + 2);
            if let Some((strength, n)) = e.attack.filter(|_| d <= e.comes) {
                attacked = true;
                best = best.max(strength);
                open |= !arc;
                if n > stands[0] {
                    stands = [n, stands[0]];
                } else {
                    stands[1] = stands[1].max(n);
                }
            }
        }
        let touching = enemies_of(t, n, u) != 0;
        let mut base = towards * w.pull / 100;
        if nearest < i16::MAX {
            let shoots = profile.shooting != Shooting::None;
            let want = if profile.artillery() {
                4
            } else if shoots && profile.factor <= 2 {
                2
            } else {
                1
            };
            let step = if shoots && want > 1 { w.near_shooter } else { w.near };
            base -= i32::from((nearest - want).abs()) * step;
        }
        let friends = adjacent(t, n, field.side, unit.hex).count_ones() as i32;
        base += self.company(unit.hex, friends) + self.ground(unit);
        let danger = |flank: bool| {
            if !attacked || touching {
                return 0;
            }
            let free = |h: &&Hex| h.on() && n.who(**h) == NOBODY && !t.map.barred.has(**h);
            let many = t.map.next[unit.hex.ix()].iter().filter(free).count() > 3;
            let attack = best + stands[0] + if many { stands[1] } else { 0 };
            let impact = if flank { 0 } else { i32::from(melee::impact_by_strength(t, n, u)) };
            let own = i32::from(profile.factor) + i32::from(melee::stands_of(t, n, u)) + impact;
            let edge = attack - own + (profile.class as i32 - 2);
            let danger = edge.clamp(0, 8) * worth(t, n, u) / 24;
            let danger = if profile.evades() > 0 { danger / 2 } else { danger };
            danger * w.danger / 100
        };
        Spot {
            base,
            look: nearest_arcs | near_arcs,
            seen,
            open,
            danger: [danger(false), danger(true)],
            touching,
            shots: None,
            wall: friends > 0 && profile.traits.has(Traits::SHIELDS),
        }
    }

    /// Friends beside it, and command.
    fn company(&self, h: Hex, friends: i32) -> i32 {
        let led = self.field.leaders.iter().any(|&(g, range)| self.field.t.map.grid.distance(g, h) <= range);
        let lost = if !led && friends == 0 { self.field.w.lost } else { 0 };
        friends.min(2) * self.field.w.friend - lost
    }

    /// Cover against shooters, and ground on which one fights badly.
    fn ground(&self, unit: &Unit) -> i32 {
        let t = self.field.t;
        let ground = t.map.ground_at(unit.hex);
        let row = &t.rules.ground[ground as usize];
        let mut score = 0;
        if self.field.shooters {
            score += i32::from(row.cover) * 12;
        }
        if as_if_disrupted(t, &self.n, self.u) || row.disrupts == Disrupts::All {
            score -= 160;
        }
        if unit.formation == Formation::Column && !matches!(ground, Ground::Bridge | Ground::Ford) {
            score -= 40;
        }
        score + i32::from(t.map.height_at(unit.hex)) * 15
    }

    /// The worth of a spot with a facing; the unit stands there.
    fn total(&mut self, spot: usize, facing: u8) -> i32 {
        let (t, u, field) = (self.field.t, self.u, self.field);
        let x = self.spots[spot];
        let mut score = x.base + ((x.seen >> (5 * facing) & 31) as i32).min(3) * 12;
        if x.touching {
            score += contacts(t, &self.n, u, |e| field.help(&self.n, u, e)) * field.w.contact / 100;
        } else {
            score -= x.danger[usize::from(x.open >> facing & 1)];
            if t.profile(u).shooting != Shooting::None {
                let shots = match x.shots {
                    Some(shots) => shots,
                    None => {
                        let shots = self.shots_from();
                        self.spots[spot].shots = Some(shots);
                        self.n.unit_mut(u).facing = crate::hex::Facing(facing);
                        shots
                    }
                };
                score += shots[usize::from(facing)] * field.w.shot / 100;
            }
        }
        if x.wall && in_shield_wall(t, &self.n, u) {
            score += 50;
        }
        score
    }

    /// The best shot from where the unit stands, by facing.
    fn shots_from(&mut self) -> [i32; 12] {
        let (t, u) = (self.field.t, self.u);
        let mut out = [0; 12];
        let unit = *self.n.unit(u);
        if t.profile(u).artillery() && unit.is(flag::STIRRED) {
            return out;
        }
        let at = t.map.grid.axial(unit.hex);
        let reach = reach_of(t, u);
        for e in &self.field.enemies {
            let arc = if t.profile(u).war_wagon() { 0xfff } else { arcs(at, e.at) };
            if steps(at, e.at) > reach || arc == 0 {
                continue;
            }
            // whatever else forbids a shot does so for every facing that has the enemy in its arc
            self.n.unit_mut(u).facing = crate::hex::Facing(arc.trailing_zeros() as u8);
            if shoot::may_shoot(t, &self.n, u, e.id).is_err() {
                continue;
            }
            let (dice, scores) = shoot::needs(t, &self.n, u, e.id, |_, _, _| {});
            let traps = traps(t, &self.n, e.id);
            let key =
                [e.id, dice, scores[0], scores[1], scores[2], u8::from(traps[0]), u8::from(traps[1]), 0];
            let key = u64::from_le_bytes(key);
            let gain = match self.shots.iter().find(|x| x.0 == key) {
                Some(&(_, gain)) => gain,
                None => {
                    let mut ways = vec![1];
                    add_dice(&mut ways, dice, scores);
                    let gain = expected(t, &self.n, e.id, &ways, traps);
                    self.shots.push((key, gain));
                    gain
                }
            };
            for (f, best) in out.iter_mut().enumerate() {
                if arc >> f & 1 == 1 {
                    *best = gain.max(*best);
                }
            }
        }
        out
    }
}

/// Adds one to the count of each facing in a mask; the counts stop before they could run over.
fn count_arcs(seen: u64, arc: u16) -> u64 {
    (0..12)
        .filter(|f| arc >> f & 1 == 1 && seen >> (5 * f) & 31 < 31)
        .fold(seen, |sum, f| sum + (1 << (5 * f)))
}

/// How far a unit shoots.
fn reach_of(t: &Table, u: u8) -> i16 {
    i16::from(match t.profile(u).shooting {
        Shooting::Artillery(n) => {
            t.rules.artillery[usize::from(n)].bands.iter().map(|b| b.to).max().unwrap_or(0)
        }
        _ => t.rules.range,
    })
}

/// The best shot of a unit as it stands, if it may still be fired in this bound.
#[must_use]
pub fn best_shot(t: &Table, s: &State, u: u8) -> i32 {
    let unit = s.unit(u);
    if t.profile(u).artillery() && unit.is(flag::STIRRED) {
        return 0;
    }
    let mut n = *s;
    // in the enemy's bound its side shoots second (HH-144)
    n.phase = if t.side(u) == s.phasing { Phase::Shooting } else { Phase::Return };
    n.unit_mut(u).flags &= !flag::SHOT;
    let near = |e: u8| {
        let h = s.unit(e).hex;
        t.map.grid.distance(unit.hex, h) as i16 <= reach_of(t, u)
            && (t.profile(u).war_wagon() || in_arc(t, unit.hex, unit.facing, h))
    };
    s.on_table(t, t.side(u).other())
        .filter(|&e| near(e) && shoot::may_shoot(t, &n, u, e).is_ok())
        .map(|e| shots(t, &n, &Group::of(u), e))
        .max()
        .unwrap_or(0)
        .max(0)
}
