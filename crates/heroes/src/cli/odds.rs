//! `muster odds heroes`: exact chances of a combat or of shooting between units of lists.

mod words;

pub use words::WORDS;

use super::{Said, list_unit};
use crate::army::{Army, UnitLine};
use crate::command::Group;
use crate::hex::{Dir, Facing, Hex, opposite};
use crate::map::Map;
use crate::melee;
use crate::setup;
use crate::shoot;
use crate::sight::{blocked_by, entered_sides};
use crate::state::{Fate, Formation, NOBODY, Phase, State, bits, flag};
use crate::table::{Side, Table};
use crate::tables::{Border, Ground, Shooting, Traits};
use crate::zones::{adjacent, in_arc, on_road};
use game::{Problem, Problems};
use rulebook::rule;
use serde_json::{Value, json};
use std::fmt::Write as _;
use words::{From, Marks};

const USAGE: &str = "like: roman/Legionaries uphill with british/Warbands disrupted, or english/Longbowmen at french/Mounted woods range 2";

/// A side of the question: its units, and what is said of each.
struct Asked {
    units: Vec<UnitLine>,
    marks: Vec<Marks>,
}

fn wrong(what: impl Into<String>) -> Problems {
    vec![Problem::new(what).hint(USAGE)]
}

/// `muster odds heroes`: exact chances of a combat (`roman/Legionaries roman/Legionaries with british/Warbands`) or of
/// shooting (`english/Longbowmen at french/Mounted`), on open ground, fresh and at full strength unless words after a
/// unit say otherwise ([`WORDS`]).
///
/// # Errors
/// What does not read, and what the rules forbid.
pub fn odds(rules: &Value, words: &[&str]) -> Result<Said, Problems> {
    let (tables, options) = setup::read_rules(rules)?;
    let (left, right, shooting) = words::split(words).ok_or_else(|| {
        wrong("two sides are wanted, with `with` between them for a combat, or `at` for shooting")
    })?;
    let mut sides = Vec::new();
    for part in [left, right] {
        let mut side = Asked { units: Vec::new(), marks: Vec::new() };
        let mut rest = &part[..];
        while let [word, more @ ..] = rest {
            if word.contains('/') {
                let (_, mut line) = list_unit(&tables, word)?;
                line.count = 1;
                let letter = ["a", "b", "c", "d", "e", "f"][side.units.len().min(5)];
                line.profile.label = format!("{}{letter}", line.profile.label);
                side.units.push(line);
                side.marks.push(Marks::default());
                rest = more;
                continue;
            }
            let Some(marks) = side.marks.last_mut() else {
                let hint = "a unit is the name of its list and its own: roman/Legionaries";
                return Err(vec![Problem::new(format!("`{word}` stands before any unit")).hint(hint)]);
            };
            rest = marks.read(rest)?;
        }
        if side.units.is_empty() || side.units.len() > 6 {
            return Err(wrong(format!("{} units on one side: one to six", side.units.len())));
        }
        sides.push(side);
    }
    if sides[1].units.len() > 1 && (shooting || sides[0].units.len() > 1) {
        return Err(wrong(if shooting {
            "shooting is at one target (HH-295): name the target alone after `at`"
        } else {
            "one unit against one or more, or several against one (HH-206)"
        }));
    }
    let armies: Vec<Army> = sides
        .iter()
        .map(|x| {
            let hero = x.marks.iter().any(|m| m.hero);
            let general = crate::army::GeneralLine {
                name: "General".to_owned(),
                count: 1,
                quality: 2,
                hero,
                chief: true,
            };
            Army::of("side", vec![general], x.units.clone())
        })
        .collect();
    let t = Table::new(tables, options, Map::open(24, 16), [&armies[0], &armies[1]])
        .map_err(|e| vec![Problem::new(e)])?;
    let marks: Vec<Marks> = sides.iter().flat_map(|x| x.marks.iter().cloned()).collect();
    Question { s: State::new(&t), t, marks, shooting }.answer()
}

/// The question on a board.
struct Question {
    t: Table,
    s: State,
    /// What is said of each unit, by its number.
    marks: Vec<Marks>,
    shooting: bool,
}

impl Question {
    fn answer(mut self) -> Result<Said, Problems> {
        self.s.bound = 1;
        for u in bits(self.t.of_side[0] | self.t.of_side[1]) {
            self.mark(u)?;
        }
        if self.shooting {
            self.stand_to_shoot()?
        } else {
            self.stand_to_fight()?
        }
        for u in bits(self.t.of_side[0] | self.t.of_side[1]) {
            self.possible(u)?;
        }
        let (t, s) = (&self.t, &self.s);
        let (own, theirs) = (t.of_side[0], t.of_side[1]);
        let target = theirs.trailing_zeros() as u8;
        let result = if self.shooting {
            crate::odds::shooting(t, s, &Group::of_mask(own), target)
        } else {
            crate::odds::melee(t, s, own, theirs)
        };
        let mut text = String::new();
        let mut parts = Vec::new();
        if self.shooting {
            for u in bits(own) {
                shoot::may_shoot(t, s, u, target).map_err(|e| {
                    let problem = Problem::new(self.names(&e.text(t)));
                    let far = e.rule == rule!("HH-145") || e.rule == rule!("HH-185");
                    vec![if far { problem.hint(self.advice(u)) } else { problem }]
                })?;
                let shot = shoot::shot(t, s, u, target);
                let need: Vec<String> =
                    shot.scores.iter().filter(|&&x| x <= 12).map(|x| format!("{x}+")).collect();
                let need = if need.is_empty() { "nothing hits".to_owned() } else { need.join(", ") };
                let because: Vec<String> =
                    shot.parts.iter().map(|(rule, what, n)| format!("{what} {n:+} {rule}")).collect();
                let _ = write!(text, "{}: {} dice, {need} needed", t.profile(u).name, shot.dice);
                if need.contains(',') {
                    text.push_str(" for one, two, three hits");
                }
                let because = because.join(", ");
                let _ =
                    writeln!(text, "{}", if because.is_empty() { because } else { format!(" ({because})") });
                parts.push(json!({ "unit": t.profile(u).name, "dice": shot.dice, "need": need }));
            }
        } else {
            for (x, y) in [(own, theirs), (theirs, own)] {
                let score = melee::score(t, s, x, y);
                let of: Vec<String> = score.parts.iter().map(|p| format!("{} {}", p.what, p.value)).collect();
                let names: Vec<&str> = bits(x).map(|u| t.profile(u).name.as_str()).collect();
                let (names, of) = (names.join(", "), of.join(", "));
                let _ = writeln!(text, "{names}: {} + {}d6 ({of})", score.sum, score.dice);
                parts.push(json!({ "units": names, "sum": score.sum, "dice": score.dice, "parts": of }));
            }
        }
        let mut chances = Vec::new();
        let mut all: Vec<(u128, &String)> = result.of.iter().map(|(k, n)| (*n, k)).collect();
        all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        for (n, what) in all {
            let millionths = result.millionths(n);
            let hundredths = (millionths + 50) / 100;
            let what = self.names(what);
            let _ = writeln!(text, "{:>3}.{:02} %  {what}", hundredths / 100, hundredths % 100);
            let millionths = u64::try_from(millionths).unwrap_or(0);
            chances.push(json!({ "what": what, "ways": n.to_string(), "millionths": millionths }));
        }
        let json = json!({ "ways": result.ways.to_string(), "sides": parts, "chances": chances });
        Ok(Said { text, json, good: true })
    }

    /// Names in place of labels.
    fn names(&self, line: &str) -> String {
        self.t.pieces.iter().fold(line.to_owned(), |out, p| out.replace(&p.label, &p.profile.name))
    }

    /// How far a shooter reaches, for who asked too much.
    fn advice(&self, u: u8) -> String {
        match self.t.profile(u).shooting {
            Shooting::Artillery(n) => {
                let bands = &self.t.rules.artillery[usize::from(n)].bands;
                let from = bands.iter().map(|b| b.from).min().unwrap_or(1);
                let to = bands.iter().map(|b| b.to).max().unwrap_or(1);
                format!("its ranges are {from} to {to} (HH-185)")
            }
            Shooting::Score(_) => format!("its ranges are 1 and {} (HH-145)", self.t.rules.range),
            Shooting::None => "a unit that shoots, like english/Longbowmen".to_owned(),
        }
    }

    /// What is said of a unit by itself.
    fn mark(&mut self, u: u8) -> Result<(), Problems> {
        let (m, p) = (self.marks[usize::from(u)].clone(), self.t.profile(u).clone());
        let unit = self.s.unit_mut(u);
        unit.fate = Fate::Field;
        let lacks =
            |what: &str, right: &str| Err(vec![Problem::new(format!("{} {what}", p.name)).hint(right)]);
        if m.disrupted {
            unit.flags |= flag::DISRUPTED;
        }
        if m.charging {
            unit.flags |= flag::CHARGED;
        }
        if let Some(impact) = m.impact {
            unit.impact = impact;
        }
        if m.foot {
            if !p.traits.has(Traits::DISMOUNTS) {
                return lacks("cannot dismount (HH-129)", "leave `dismounted` out");
            }
            unit.flags |= flag::ON_FOOT;
        }
        if m.dropped {
            unit.flags &= !flag::PAVISE;
        }
        if m.pavises && !p.traits.has(Traits::PAVISES) {
            return lacks("carries no pavises (HH-250)", "leave `pavises` out");
        }
        if m.stakes && !p.traits.has(Traits::STAKES) {
            return lacks("carries no stakes (HH-248)", "leave `stakes` out");
        }
        if let Some(form) = m.formation {
            let right = match form {
                Formation::Horde => p.horde(),
                Formation::Block => p.traits.has(Traits::PIKES),
                Formation::Line | Formation::Column => !p.horde(),
            };
            if !right {
                return lacks(&format!("cannot be in {} (HH-115)", form.word()), "leave the formation out");
            }
            unit.formation = form;
            if form == Formation::Block {
                unit.stands = self.t.rules.pike_block[1];
            }
        }
        if let Some(n) = m.stands {
            // more than it has in the lists is a question too
            if n <= self.t.rules.removed_at {
                let right = format!("{} to 12", self.t.rules.removed_at + 1);
                return lacks(&format!("cannot have {n} stands (HH-192)"), &right);
            }
            unit.stands = n;
        }
        if m.range.is_some() && !self.shooting {
            return lacks("fights hand-to-hand at no range", "leave `range` out, or say `at` for shooting");
        }
        Ok(())
    }

    /// Ground, height, borders and what else hangs on the hex where a unit stands; `towards` are its enemies.
    fn settle(&mut self, u: u8, at: Hex, facing: Facing) {
        let m = self.marks[usize::from(u)].clone();
        self.s.put(u, at);
        let unit = self.s.unit_mut(u);
        unit.facing = facing;
        unit.start = at;
        if m.stakes {
            unit.stakes = facing.front();
        }
        if let Some(ground) = m.ground {
            self.t.map.put_ground(at, ground);
            let narrow = matches!(ground, Ground::Bridge | Ground::Ford);
            if narrow && unit.formation == Formation::Line {
                unit.formation = Formation::Column; // HH-109
            }
        }
        let above = u8::from(m.border == Some(Border::Escarpment));
        self.t.map.height[at.ix()] = m.height.unwrap_or(above) as i8;
        if m.general || m.hero {
            let side = self.t.side(u);
            let g = self.t.leaders_of[side.ix()].trailing_zeros() as usize;
            self.s.generals[g].hex = at;
        }
    }

    /// The border before a unit, on the sides given.
    fn fence(&mut self, u: u8, sides: impl Iterator<Item = Dir>) {
        let at = self.s.unit(u).hex;
        if let Some(border) = self.marks[usize::from(u)].border {
            for d in sides {
                self.t.map.put_border(at, d, border);
            }
        }
    }

    /// Whether the ground bears the unit.
    fn possible(&self, u: u8) -> Result<(), Problems> {
        let (unit, p) = (self.s.unit(u), self.t.profile(u));
        let ground = self.t.map.ground_at(unit.hex);
        if crate::deploy::fits(&self.t, &self.s, u, unit.hex, unit.formation) || on_road(&self.t, unit.hex) {
            return Ok(());
        }
        let what = format!("{} cannot stand in {} ground (HH-110)", p.name, ground.name());
        Err(vec![Problem::new(what).hint("other ground, or none: open")])
    }

    /// The middle of the board, with as much room as there is before it, to its flank and behind it.
    fn middle(&self) -> Hex {
        self.t.map.grid.at(11, 8)
    }

    /// Several round one, those before it first.
    fn stand_to_fight(&mut self) -> Result<(), Problems> {
        self.s.phase = Phase::Melee;
        let [own, theirs] = self.t.of_side;
        let (many, lone) = if own.count_ones() > 1 { (own, theirs) } else { (theirs, own) };
        let lone = lone.trailing_zeros() as u8;
        let centre = self.middle();
        self.settle(lone, centre, Facing::point(4));
        let mut order: Vec<Dir> = match self.marks[usize::from(lone)].from {
            From::Front => vec![4, 5, 3, 0, 2, 1],
            From::Flank => vec![3, 0, 4, 5, 2, 1],
            From::Rear => vec![2, 1, 3, 0, 4, 5],
        };
        order.reverse();
        let mut taken = Vec::new();
        for u in bits(many) {
            let Some(d) = order.pop() else { break };
            let back = opposite(d);
            // the side through which it has the one before it, on its flank, or behind it
            let facing = match self.marks[usize::from(u)].from {
                From::Front => back,
                From::Flank => (back + 1) % 6,
                From::Rear => d,
            };
            self.settle(u, self.t.map.step(centre, d), Facing::point(facing));
            self.fence(u, std::iter::once(back));
            taken.push(d);
        }
        self.fence(lone, taken.into_iter());
        Ok(())
    }

    /// Shooters at their ranges from the target, in the part of its surroundings that is asked for.
    fn stand_to_shoot(&mut self) -> Result<(), Problems> {
        let target = self.t.of_side[1].trailing_zeros() as u8;
        let m = self.marks[usize::from(target)].clone();
        let centre = self.middle();
        // it looks east, where most of the board lies
        let facing = Facing::point(5);
        self.settle(target, centre, facing);
        let (front, rear) = (facing.front(), facing.rear());
        let part = match m.from {
            From::Front => front,
            From::Flank => !(front | rear) & 63,
            From::Rear => rear,
        };
        self.fence(target, (0..6).filter(|d| part >> d & 1 == 1));
        // at range 1 it is in contact, and shot at as one that came into it (HH-156)
        let near = |u: u8| self.marks[usize::from(u)].range.or(m.range) == Some(1);
        let came =
            m.charging || bits(self.t.of_side[0]).any(|u| near(u) && !self.marks[usize::from(u)].charging);
        if came {
            self.s.unit_mut(target).flags |= flag::CHARGED;
        }
        // HH-155: who is charged shoots in the bound of the one who charges
        self.s.phase = if came { Phase::Return } else { Phase::Shooting };
        self.s.phasing = if came { Side::B } else { Side::A };
        let matters = m.border.is_some() || self.s.unit(target).is(flag::PAVISE) || m.from != From::Front;
        for u in bits(self.t.of_side[0]) {
            let (own, p) = (self.marks[usize::from(u)].clone(), self.t.profile(u).clone());
            if own.from != From::Front {
                return Err(wrong(format!("{}: front, flank and rear are said of the target", p.name)));
            }
            let least = match p.shooting {
                Shooting::None => return Err(wrong(format!("{} does not shoot (HH-161)", p.name))),
                Shooting::Artillery(n) => {
                    self.t.rules.artillery[usize::from(n)].bands.iter().map(|b| b.from).min().unwrap_or(1)
                }
                Shooting::Score(_) => 1,
            };
            let touching = came || own.charging;
            let usual = if touching { 1 } else { least.max(self.t.rules.range) };
            let range = own.range.or(m.range).unwrap_or(usual);
            if touching && range > 1 {
                return Err(wrong("who charges comes into contact: range 1, or no `charging`"));
            }
            let place = self.place(u, centre, range, part, !matters);
            let Some((h, f)) = place else {
                let what = format!(
                    "{} finds no free hex at range {range} from which it sees that side of the target",
                    p.name
                );
                return Err(vec![
                    Problem::new(what).hint("fewer units, or some of them at another range (range 1)"),
                ]);
            };
            self.settle(u, h, f);
            self.fence(u, entered_sides(&self.t, centre, h).collect::<Vec<_>>().into_iter());
        }
        Ok(())
    }

    /// A hex at a range from which a unit sees the target through some of its sides, and the way it looks there.
    fn place(&self, u: u8, centre: Hex, range: u8, part: u8, anywhere: bool) -> Option<(Hex, Facing)> {
        let (t, s) = (&self.t, &self.s);
        let grid = t.map.grid;
        let mut hexes: Vec<(bool, Hex)> = grid
            .all()
            .filter(|&h| grid.distance(h, centre) == u16::from(range) && s.who(h) == NOBODY)
            .map(|h| (entered_sides(t, h, centre).any(|d| part >> d & 1 == 0), h))
            .filter(|(off, _)| anywhere || !off)
            .collect();
        hexes.sort_unstable();
        hexes.into_iter().find_map(|(_, h)| {
            let alone = range == 1 || adjacent(t, s, Side::B, h) == 0;
            let seen = blocked_by(t, s, Side::A, t.profile(u).shooting, h, centre).is_none();
            // nobody stands in the way of those who are placed already
            let clear = bits(t.of_side[0]).filter(|&x| s.unit(x).hex.on()).all(|x| {
                let mut n = *s;
                n.put(u, h);
                blocked_by(t, &n, Side::A, t.profile(x).shooting, n.unit(x).hex, centre).is_none()
            });
            let f = (0..6).map(Facing::point).find(|&f| in_arc(t, h, f, centre))?;
            (alone && seen && clear).then_some((h, f))
        })
    }
}
