//! Candidate moves against a brute force that is written from the rules and shares no move code with the engine: own
//! neighbours, own zones, own costs.

use game::conform::Choose;
use heroes::army::{Army, GeneralLine, Profile, UnitLine};
use heroes::candidates;
use heroes::command::Command;
use heroes::hex::{Facing, Hex};
use heroes::map::Map;
use heroes::options::Options;
use heroes::play;
use heroes::state::{Fate, Formation, Phase, State, flag};
use heroes::table::Table;
use heroes::tables::{Border, Ground, Tables, Traits, Troop};
use std::collections::BTreeSet;

const W: i32 = 6;
const D: i32 = 6;

/// A place: column, row.
type At = (i32, i32);

/// The neighbour through a side, from the layout of the board alone.
fn next((c, r): At, side: u8) -> Option<At> {
    let odd = r & 1;
    let to = match side {
        0 => (c + 1, r),
        1 => (c + odd, r + 1),
        2 => (c + odd - 1, r + 1),
        3 => (c - 1, r),
        4 => (c + odd - 1, r - 1),
        _ => (c + odd, r - 1),
    };
    ((0..W).contains(&to.0) && (0..D).contains(&to.1)).then_some(to)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Node {
    at: At,
    facing: u8,
    column: bool,
    spent: u8,
    entered: u8,
    turned: bool,
    formed: bool,
    road: bool,
    stopped: bool,
}

struct Brute<'a> {
    t: &'a Table,
    s: &'a State,
    u: u8,
    speed: u8,
    began_in_column: bool,
    fixed_form: bool,
    start: At,
    seen: BTreeSet<Node>,
    ends: BTreeSet<(At, u8, bool)>,
}

fn hex((c, r): At) -> Hex {
    Hex((r * W + c) as u16)
}

impl Brute<'_> {
    fn ground(&self, at: At) -> Ground {
        self.t.map.ground[hex(at).ix()]
    }

    fn enemy_zone(&self, at: At) -> bool {
        if matches!(self.ground(at), Ground::Lake | Ground::Impassable) {
            return false;
        }
        (0..6).any(|d| {
            let cliff = self.t.map.border[hex(at).ix()][d as usize] == Border::Cliff;
            next(at, d).is_some_and(|n| {
                let who = self.s.at[hex(n).ix()];
                !cliff && who != u8::MAX && self.t.side(who) != self.t.side(self.u)
            })
        })
    }

    fn fronts(facing: u8) -> Vec<u8> {
        if facing < 6 { vec![facing, (facing + 1) % 6] } else { vec![facing - 6] }
    }

    /// Twelfths of a circle turned.
    fn twelfths(a: u8, b: u8) -> u8 {
        let angle = |f: u8| if f < 6 { i32::from(f) * 2 + 1 } else { (i32::from(f) - 6) * 2 };
        let d = (angle(a) - angle(b)).rem_euclid(12);
        d.min(12 - d) as u8
    }

    fn road(&self, at: At, d: u8) -> bool {
        self.t.map.road[hex(at).ix()] >> d & 1 == 1
    }

    fn facing_fits(&self, at: At, f: u8) -> bool {
        f < 6 || self.road(at, f - 6)
    }

    fn budget(&self, n: &Node) -> u8 {
        if self.began_in_column && n.column { self.speed + if n.road { 2 } else { 1 } } else { self.speed }
    }

    /// HH-110 and who stands there.
    fn may_enter(&self, from: At, d: u8, to: At, column: bool) -> bool {
        let troop = self.t.profile(self.u).troop;
        let by_road = column && self.road(from, d);
        let foot = troop == Troop::Foot;
        let wheels = troop == Troop::Wheeled;
        match self.t.map.border[hex(from).ix()][d as usize] {
            Border::Cliff => return false,
            Border::Escarpment | Border::Wall if !foot => return false,
            Border::Fieldwork if wheels => return false,
            _ => {}
        }
        match self.ground(to) {
            Ground::Lake | Ground::Impassable => return false,
            Ground::Woods | Ground::Town | Ground::Broken | Ground::River if wheels && !by_road => {
                return false;
            }
            Ground::Ford | Ground::Bridge if self.s.unit(self.u).formation == Formation::Block => {
                return false;
            }
            _ => {}
        }
        let who = self.s.at[hex(to).ix()];
        who == u8::MAX || self.t.side(who) == self.t.side(self.u)
    }

    fn end(&mut self, n: &Node) {
        let unit = self.s.unit(self.u);
        let who = self.s.at[hex(n.at).ix()];
        let free = who == u8::MAX || who == self.u;
        let same = n.at == self.start
            && n.facing == unit.facing.0
            && n.column == (unit.formation == Formation::Column);
        if free && !same && self.facing_fits(n.at, n.facing) {
            self.ends.insert((n.at, n.facing, n.column));
        }
    }

    fn go(&mut self, n: Node) {
        if !self.seen.insert(n) {
            return;
        }
        self.end(&n);
        let caught = n.entered > 0 && self.enemy_zone(n.at);
        // turning, once a hex
        if !n.turned {
            for f in 0..12 {
                let twelfths = Self::twelfths(n.facing, f);
                if f == n.facing || !self.facing_fits(n.at, f) {
                    continue;
                }
                let big = twelfths > 2;
                if big && (caught || n.spent + 1 > self.budget(&n)) {
                    continue;
                }
                self.go(Node { facing: f, turned: true, spent: n.spent + u8::from(big), ..n });
            }
        }
        // line to column or back, once a move
        let who = self.s.at[hex(n.at).ix()];
        let alone = who == u8::MAX || who == self.u;
        let squeezed = n.column && matches!(self.ground(n.at), Ground::Ford | Ground::Bridge);
        if !self.fixed_form && !n.formed && alone && !caught && !squeezed {
            let m = Node { column: !n.column, formed: true, spent: n.spent + 1, ..n };
            if m.spent <= self.budget(&m) {
                self.go(m);
            }
        }
        // forward
        if caught || n.stopped || !self.facing_fits(n.at, n.facing) {
            return;
        }
        for d in Self::fronts(n.facing) {
            let Some(to) = next(n.at, d) else { continue };
            if !self.may_enter(n.at, d, to, n.column) {
                continue;
            }
            let by_road = n.column && self.road(n.at, d);
            let rough = |a: At| matches!(self.ground(a), Ground::Woods | Ground::Town);
            let horde = self.s.unit(self.u).formation == Formation::Horde;
            let narrow = |a: At| matches!(self.ground(a), Ground::Ford | Ground::Bridge);
            if rough(n.at) && !by_road && n.entered > 0 {
                continue;
            }
            if self.ground(to) == Ground::River && !by_road && n.entered > 0 {
                continue;
            }
            if horde && (narrow(to) || narrow(n.at)) && n.entered > 0 {
                continue;
            }
            let who = self.s.at[hex(to).ix()];
            if who != u8::MAX && who != self.u {
                let friend = self.s.unit(who);
                if friend.is(flag::DISRUPTED | flag::WALKED) || self.enemy_zone(to) {
                    continue;
                }
            }
            let pavise = self.s.unit(self.u).is(flag::PAVISE);
            if pavise && (n.entered > 0 || self.enemy_zone(to)) {
                continue;
            }
            let extra = match self.t.map.border[hex(n.at).ix()][d as usize] {
                Border::Wall | Border::Fieldwork => 1,
                _ => 0,
            };
            let stopped = (rough(n.at) && !by_road)
                || self.ground(n.at) == Ground::River
                || (rough(to) && !by_road)
                || (self.ground(to) == Ground::River && !by_road)
                || (horde && (narrow(to) || narrow(n.at)));
            let m = Node {
                at: to,
                column: n.column || (narrow(to) && !self.fixed_form),
                spent: n.spent + 1 + extra,
                entered: n.entered + 1,
                turned: false,
                road: n.road && self.road(n.at, d),
                stopped,
                ..n
            };
            if m.spent <= self.budget(&m) {
                self.go(m);
            }
        }
    }

    /// HH-083, HH-084.
    fn single(&mut self) {
        let unit = *self.s.unit(self.u);
        let good = |b: &Brute<'_>, a: At| b.ground(a) == Ground::Clear || b.t.map.road[hex(a).ix()] != 0;
        let column = unit.formation == Formation::Column;
        let mut places = vec![(self.start, good(self, self.start), column)];
        for d in 0..6 {
            let Some(to) = next(self.start, d) else { continue };
            let pavise = unit.is(flag::PAVISE) && self.enemy_zone(to);
            if !self.may_enter(self.start, d, to, column) || self.s.at[hex(to).ix()] != u8::MAX || pavise {
                continue;
            }
            let open = self.t.map.border[hex(self.start).ix()][d as usize] == Border::Open;
            let narrow = matches!(self.ground(to), Ground::Ford | Ground::Bridge);
            places.push((
                to,
                open && good(self, self.start) && good(self, to),
                column || (narrow && !self.fixed_form),
            ));
        }
        for (at, good, form) in places {
            let squeezed = form && matches!(self.ground(at), Ground::Ford | Ground::Bridge);
            let facings: Vec<u8> = (0..12).filter(|&f| self.facing_fits(at, f)).collect();
            for f in facings {
                if !good && Self::twelfths(unit.facing.0, f) > 2 {
                    continue;
                }
                for other in [form, !form] {
                    if other != form && (self.fixed_form || !good || squeezed) {
                        continue;
                    }
                    if at == self.start && f == unit.facing.0 && other == column {
                        continue;
                    }
                    self.ends.insert((at, f, other));
                }
            }
        }
    }
}

fn profile(kind: usize) -> Profile {
    let base = |label: &str, troop, speed, traits: u32, stands| Profile {
        name: label.to_owned(),
        label: label.to_owned(),
        troop,
        class: heroes::tables::Class::C,
        speed,
        factor: 3,
        impact: 1,
        shooting: heroes::tables::Shooting::None,
        traits: Traits(traits),
        stands,
    };
    match kind {
        0 => base("Foo", Troop::Foot, 2, 0, 4),
        1 => base("Mou", Troop::Mounted, 4, 0, 4),
        2 => base("Whe", Troop::Wheeled, 3, 0, 4),
        3 => base("Hor", Troop::Foot, 2, Traits::HORDE.0, 6),
        4 => base("Pav", Troop::Foot, 3, Traits::PAVISES.0, 4),
        _ => base("Fas", Troop::Mounted, 5, 0, 4),
    }
}

fn random_board(choose: &mut Choose) -> Map {
    let mut map = Map::open(W as u16, D as u16);
    let grounds = [
        Ground::Woods,
        Ground::Town,
        Ground::Broken,
        Ground::River,
        Ground::Ford,
        Ground::Bridge,
        Ground::Lake,
        Ground::Impassable,
    ];
    for h in map.grid.all().collect::<Vec<_>>() {
        if choose.below(3) == 0 {
            map.put_ground(h, grounds[choose.below(8)]);
        }
        for d in 0..3 {
            if choose.below(9) == 0 && map.step(h, d).on() {
                let b = [Border::Escarpment, Border::Wall, Border::Fieldwork, Border::Cliff][choose.below(4)];
                map.put_border(h, d, b);
            }
        }
    }
    // a road that wanders
    let mut at = Hex(choose.below(36) as u16);
    for _ in 0..8 {
        let d = choose.below(6) as u8;
        if map.step(at, d).on() {
            map.put_road(at, d);
            at = map.step(at, d);
        }
    }
    map
}

#[test]
fn candidates_are_what_a_brute_force_reaches() {
    let mut choose = Choose::new(7);
    let mut compared = 0;
    for n in 0..400 {
        let map = random_board(&mut choose);
        let kind = n % 6;
        let army = |kinds: &[usize]| {
            Army::of(
                "x",
                vec![GeneralLine { name: "General".into(), count: 1, quality: 2, hero: false, chief: false }],
                kinds.iter().map(|&k| UnitLine { profile: profile(k), count: 1 }).collect(),
            )
        };
        let t = Table::new(
            Tables::shipped(),
            Options::default(),
            map,
            [&army(&[kind, (kind + 1) % 6]), &army(&[0, 1])],
        )
        .unwrap();
        let mut s = State::new(&t);
        s.bound = 1;
        s.phase = Phase::Tactical;
        for u in 0..4_u8 {
            let h = Hex(choose.below(36) as u16);
            let fits = !t.map.barred.has(h) && s.who(h) == u8::MAX;
            if !fits || (t.profile(u).troop == Troop::Wheeled && t.map.ground_at(h) != Ground::Clear) {
                continue;
            }
            s.put(u, h);
            let facings: Vec<Facing> = heroes::moves::facings_at(&t, h).collect();
            let narrow = matches!(t.map.ground_at(h), Ground::Ford | Ground::Bridge);
            let unit = s.unit_mut(u);
            unit.fate = Fate::Field;
            unit.start = h;
            unit.facing = facings[choose.below(facings.len())];
            if unit.formation == Formation::Line && (narrow || choose.below(3) == 0) {
                unit.formation = Formation::Column;
            }
            if u == 1 && choose.below(3) == 0 {
                unit.flags |= [flag::DISRUPTED, flag::WALKED][choose.below(2)];
            }
        }
        let unit = *s.unit(0);
        if !unit.hex.on() || heroes::zones::engaged(&t, &s, 0) {
            continue;
        }
        compared += 1;
        let mut all = Vec::new();
        candidates::moves(&t, &s, 0, &mut heroes::reach::Search::default(), &mut all);
        let mut listed = BTreeSet::new();
        for c in &all {
            let dropping = matches!(c, Command::Move(_, true, _) | Command::Step(_, true, ..));
            let mut after = s;
            play::apply(&t, &mut after, None, c, &mut dice::Fixed(3), None)
                .unwrap_or_else(|e| panic!("{}: {e:?}", c.text(&t)));
            while let Some(u) = heroes::state::bits(after.contacts).next() {
                play::apply(&t, &mut after, None, &Command::Stand(u), &mut dice::Fixed(3), None).unwrap();
            }
            let now = after.unit(0);
            let (col, row) = t.map.grid.column_row(now.hex);
            let end = ((i32::from(col), i32::from(row)), now.facing.0, now.formation == Formation::Column);
            if !dropping {
                assert!(listed.insert(end), "{} is listed twice\n{}", c.text(&t), t.map.text(&t.rules));
            }
        }
        let (col, row) = t.map.grid.column_row(unit.hex);
        let start = (i32::from(col), i32::from(row));
        let mut brute = Brute {
            t: &t,
            s: &s,
            u: 0,
            speed: t.profile(0).speed,
            began_in_column: unit.formation == Formation::Column,
            fixed_form: unit.formation == Formation::Horde,
            start,
            seen: BTreeSet::new(),
            ends: BTreeSet::new(),
        };
        brute.go(Node {
            at: start,
            facing: unit.facing.0,
            column: unit.formation == Formation::Column,
            spent: 0,
            entered: 0,
            turned: false,
            formed: false,
            road: true,
            stopped: false,
        });
        brute.single();
        let more: Vec<_> = listed.difference(&brute.ends).collect();
        let fewer: Vec<_> = brute.ends.difference(&listed).collect();
        assert!(
            more.is_empty() && fewer.is_empty(),
            "board {n}: listed only {more:?}, brute force only {fewer:?}; unit {unit:?}\n{}",
            t.map.text(&t.rules)
        );
    }
    assert!(compared > 150, "{compared}");
}
