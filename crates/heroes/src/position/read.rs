//! A position read: all that is wrong with it is told at once.

use super::{FATES, GOINGS, IMPACTS, MARKS, STAGES, VERSION, WALKED};
use crate::command::{find_general, find_unit};
use crate::control;
use crate::deploy;
use crate::hex::{Facing, Hex, SIDE_WORDS};
use crate::state::{
    Cursor, Fate, Fight, Formation, Going, Impact, MAX_FLIGHT, MAX_HAND, Mover, NOBODY, Outcome, Path, Phase,
    Reply, Room, Stage, State, Unit, Vacated, Word, flag,
};
use crate::table::{Side, Table};
use crate::tables::Traits;
use game::{Problem, Problems};
use serde_json::{Map as Object, Value, json};

/// Keys of a position beyond those of the set-up.
const KEYS: &[&str] = &[
    "version",
    "phase",
    "phasing",
    "bound",
    "south",
    "first",
    "opens",
    "chooser",
    "rolls",
    "units",
    "generals",
    "commanded",
    "shot_at",
    "suppressed",
    "mover",
    "contacts",
    "escapes",
    "aside",
    "room",
    "fight",
    "outcome",
    "replies",
    "options",
];

fn of_word<T: Copy>(all: &[(T, &'static str)], w: &str) -> Option<T> {
    all.iter().find(|a| a.1.eq_ignore_ascii_case(w)).map(|a| a.0)
}

/// A side that the document names, and where the state keeps it.
type SideField = (&'static str, fn(&mut State) -> &mut Side);

struct Reader<'a> {
    t: &'a Table,
    wrong: Problems,
}

impl Reader<'_> {
    fn bad(&mut self, what: impl Into<String>) {
        self.wrong.push(Problem::new(what));
    }

    fn unit(&mut self, v: &Value) -> u8 {
        match v.as_str().and_then(|w| find_unit(self.t, w)) {
            Some(u) => u,
            None => {
                self.bad(format!("{v} is no unit of these armies"));
                NOBODY
            }
        }
    }

    fn units(&mut self, v: Option<&Value>) -> u64 {
        let mut mask = 0;
        for x in v.and_then(Value::as_array).into_iter().flatten() {
            let u = self.unit(x);
            if u != NOBODY {
                mask |= 1 << u;
            }
        }
        mask
    }

    fn general(&mut self, v: &Value) -> u8 {
        match v.as_str().and_then(|w| find_general(self.t, w)) {
            Some(g) => g,
            None => {
                self.bad(format!("{v} is no general of these armies"));
                NOBODY
            }
        }
    }

    fn generals(&mut self, v: Option<&Value>) -> u16 {
        let mut mask = 0;
        for x in v.and_then(Value::as_array).into_iter().flatten() {
            let g = self.general(x);
            if g != NOBODY {
                mask |= 1 << g;
            }
        }
        mask
    }

    fn hex(&mut self, v: &Value) -> Hex {
        match v.as_str() {
            Some("-") => Hex::NONE,
            Some(w) => match self.t.map.grid.read(w) {
                Ok(h) => h,
                Err(why) => {
                    self.bad(why);
                    Hex::NONE
                }
            },
            None => {
                self.bad(format!("{v} is no hex: a column letter and a row number, like \"C4\""));
                Hex::NONE
            }
        }
    }

    fn named<T: Copy>(&mut self, all: &[(T, &'static str)], v: &Value, what: &str) -> Option<T> {
        let found = v.as_str().and_then(|w| of_word(all, w));
        if found.is_none() {
            let words: Vec<&str> = all.iter().map(|a| a.1).collect();
            self.bad(format!("{what} {v}: {}", words.join(", ")));
        }
        found
    }

    fn facing(&mut self, v: &Value) -> Facing {
        match v.as_str().and_then(Facing::read) {
            Some(f) => f,
            None => {
                self.bad(format!("facing {v}: n, ne, se, s, sw, nw, or along a road road-e …"));
                Facing(0)
            }
        }
    }

    fn side(&mut self, v: &Value) -> Side {
        match v.as_str() {
            Some("A" | "a") => Side::A,
            Some("B" | "b") => Side::B,
            _ => {
                self.bad(format!("side {v}: A or B"));
                Side::A
            }
        }
    }

    fn path(&mut self, v: Option<&Value>) -> Path {
        let mut p = Path::EMPTY;
        for x in v.and_then(Value::as_array).into_iter().flatten() {
            let w = x.as_str().unwrap_or("");
            let word = if w == "off" {
                Word::Off
            } else if let Some(f) = Facing::read(w) {
                Word::Face(f)
            } else if let Some(f) = Formation::read(w) {
                Word::Form(f)
            } else {
                Word::To(self.hex(x))
            };
            if !p.push(word) {
                self.bad("a path is too long");
            }
        }
        p
    }

    fn number(&mut self, o: &Value, key: &str, most: u64) -> u64 {
        match o.get(key) {
            None => 0,
            Some(v) => match v.as_u64() {
                Some(n) if n <= most => n,
                _ => {
                    self.bad(format!("{key} = {v}: a number from 0 to {most}"));
                    0
                }
            },
        }
    }

    fn flag(&mut self, o: &Value, key: &str) -> bool {
        match o.get(key) {
            None => false,
            Some(Value::Bool(yes)) => *yes,
            Some(v) => {
                self.bad(format!("{key} = {v}: true or false"));
                false
            }
        }
    }

    /// A list of a unit; anything else in its place is told.
    fn list<'v>(&mut self, label: &str, key: &str, v: Option<&'v Value>) -> &'v [Value] {
        match v {
            None => &[],
            Some(Value::Array(all)) => all,
            Some(v) => {
                self.bad(format!("units.{label}: {key} = {v}: a list, like {key} = [{v}]"));
                &[]
            }
        }
    }

    /// What no unit of its kind can be: its formation, its stands, what it carries (HH-099, HH-118, HH-119, HH-192, HH-250).
    fn possible(&mut self, u: u8, label: &str, unit: &Unit) {
        let profile = self.t.profile(u);
        let (traits, word) = (profile.traits, unit.formation.word());
        let mut say = |what: String| self.wrong.push(Problem::new(format!("units.{label}: {what}")));
        let pikes = traits.has(Traits::PIKES);
        match unit.formation {
            Formation::Horde if !profile.horde() => {
                let block = if pikes { " or block" } else { "" };
                say(format!("formation = \"{word}\": it is no horde (HH-118); line, column{block}"));
            }
            Formation::Line | Formation::Column if profile.horde() => {
                say(format!("formation = \"{word}\": a horde has no other than horde (HH-118)"));
            }
            Formation::Block if !pikes => {
                let right = if profile.horde() { "horde" } else { "line or column" };
                say(format!("formation = \"{word}\": only pikes form blocks (HH-119); {right}"));
            }
            _ => {}
        }
        // what is lost or in other units may have any number left
        if matches!(unit.fate, Fate::Field | Fate::Reserve) {
            let block = unit.formation == Formation::Block && pikes;
            let most = if block { self.t.rules.pike_block[1] } else { profile.stands };
            let least = most.min(self.t.rules.removed_at + 1);
            if unit.stands < least || unit.stands > most {
                say(format!(
                    "stands = {}: it has {least} to {most} while it is in the battle (HH-192)",
                    unit.stands
                ));
            }
        }
        for (mark, of, word, why) in [
            (flag::PAVISE, Traits::PAVISES, "pavise", "it carries none (trait Pv, HH-250)"),
            (flag::ON_FOOT, Traits::DISMOUNTS, "on-foot", "it cannot dismount (HH-129)"),
        ] {
            if unit.is(mark) && !traits.has(of) {
                say(format!("mark \"{word}\": {why}; leave the mark out"));
            }
        }
        if unit.stakes != 0 && !traits.has(Traits::STAKES) {
            say("stakes: it has none (HH-249); leave them out".to_owned());
        }
    }

    /// A unit; whatever is wrong with it is told with its label.
    fn one_unit(&mut self, label: &str, given: &Value, s: &mut State) {
        let before = self.wrong.len();
        self.unit_as_given(label, given, s);
        for problem in self.wrong.iter_mut().skip(before).filter(|p| !p.message.contains(label)) {
            problem.message = format!("units.{label}: {}", problem.message);
        }
    }

    fn unit_as_given(&mut self, label: &str, given: &Value, s: &mut State) {
        let Some(u) = find_unit(self.t, label) else {
            let near = self.t.pieces.iter().map(|p| p.label.as_str());
            self.wrong.push(Problem::new(format!("units: no unit is called {label}")).meant(label, near));
            return;
        };
        let Some(fields) = given.as_object() else {
            // the short form: "C4 n"
            if let Some(text) = given.as_str() {
                let mut words = text.split_whitespace();
                let mut o = Object::new();
                if let Some(h) = words.next() {
                    o.insert("at".to_owned(), json!(h));
                }
                if let Some(f) = words.next() {
                    o.insert("facing".to_owned(), json!(f));
                }
                let more: Vec<&str> = words.collect();
                if !more.is_empty() {
                    o.insert("marks".to_owned(), json!(more));
                }
                self.one_unit(label, &Value::Object(o), s);
            } else {
                self.bad(format!("units.{label}: a table, or short: \"C4 n\""));
            }
            return;
        };
        const FIELDS: &[&str] = &[
            "fate",
            "at",
            "start",
            "facing",
            "formation",
            "stands",
            "impact",
            "stakes",
            "marks",
            "disrupted",
        ];
        for key in fields.keys().filter(|k| !FIELDS.contains(&k.as_str())) {
            self.wrong.push(
                Problem::new(format!("units.{label} has an unknown key: {key}"))
                    .meant(key, FIELDS.iter().copied()),
            );
        }
        let mut unit = Unit { flags: 0, ..*s.unit(u) };
        unit.fate = Fate::Field;
        unit.facing = Facing::point(if self.t.side(u) == s.south { 4 } else { 1 });
        if let Some(v) = fields.get("fate") {
            unit.fate = self.named(&FATES, v, "fate").unwrap_or(Fate::Field);
        }
        let hex = match fields.get("at") {
            Some(v) => self.hex(v),
            None => Hex::NONE,
        };
        unit.start = match fields.get("start") {
            Some(v) => self.hex(v),
            None => hex,
        };
        if let Some(v) = fields.get("facing") {
            unit.facing = self.facing(v);
        }
        if let Some(v) = fields.get("formation") {
            unit.formation = self.named(&Formation::ALL, v, "formation").unwrap_or(Formation::Line);
            if unit.formation == Formation::Block && !fields.contains_key("stands") {
                unit.stands = self.t.rules.pike_block[1];
            }
        }
        if let Some(v) = fields.get("stands") {
            match v.as_u64() {
                Some(n @ 0..=12) => unit.stands = n as u8,
                _ => self.bad(format!("units.{label}: stands {v}: 0 to 12")),
            }
        }
        if let Some(v) = fields.get("impact") {
            unit.impact = self.named(&IMPACTS, v, "impact").unwrap_or(Impact::Fresh);
        }
        for v in self.list(label, "stakes", fields.get("stakes")) {
            match SIDE_WORDS.iter().position(|w| v.as_str().is_some_and(|x| x.eq_ignore_ascii_case(w))) {
                Some(d) => unit.stakes |= 1 << d,
                None => self.bad(format!("units.{label}: stakes on side {v}: e, se, sw, w, nw or ne")),
            }
        }
        match fields.get("marks") {
            None => {
                if self.t.profile(u).traits.has(Traits::PAVISES) {
                    unit.flags |= flag::PAVISE;
                }
            }
            all => {
                for v in self.list(label, "marks", all) {
                    let mark = MARKS.iter().chain([&WALKED]).find(|m| v.as_str() == Some(m.1));
                    match mark {
                        Some(m) => unit.flags |= m.0,
                        None => {
                            let words: Vec<&str> = MARKS.iter().map(|m| m.1).collect();
                            self.bad(format!("units.{label}: mark {v}: {}", words.join(", ")));
                        }
                    }
                }
            }
        }
        match fields.get("disrupted") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) => unit.flags |= flag::DISRUPTED,
            Some(v) => self.bad(format!("units.{label}: disrupted = {v}: true or false")),
        }
        self.possible(u, label, &unit);
        *s.unit_mut(u) = Unit { hex: Hex::NONE, ..unit };
        if hex.on() {
            let there = s.who(hex);
            if there != NOBODY {
                self.bad(format!("{} and {label} both stand in {}", self.t.label(there), self.t.hex(hex)));
                return;
            }
            if self.t.map.barred.has(hex) {
                let what = self.t.map.ground_at(hex).name();
                self.bad(format!(
                    "{label} stands in {}, which is {what}: nobody can be there",
                    self.t.hex(hex)
                ));
                return;
            }
            if unit.facing.road_side().is_some_and(|d| !self.t.map.road_through(hex, d)) {
                self.bad(format!("{label} faces along a road that does not run in {}", self.t.hex(hex)));
            }
            s.put(u, hex);
        }
    }

    fn read(&mut self, v: &Value) -> State {
        let t = self.t;
        let mut s = deploy::begin(t);
        s.bound = 1;
        s.phase = Phase::Tactical;
        let sides: [SideField; 5] = [
            ("phasing", |s| &mut s.phasing),
            ("south", |s| &mut s.south),
            ("first", |s| &mut s.first),
            ("opens", |s| &mut s.opens),
            ("chooser", |s| &mut s.chooser),
        ];
        for (key, field) in sides {
            if let Some(x) = v.get(key) {
                *field(&mut s) = self.side(x);
            }
        }
        if let Some(x) = v.get("phase") {
            s.phase = self.named(&Phase::ALL, x, "phase").unwrap_or(Phase::Tactical);
        }
        if v.get("bound").is_some() {
            s.bound = self.number(v, "bound", 10_000) as u16;
        }
        s.rolls = self.number(v, "rolls", 1) as u8;
        match v.get("units") {
            None => {}
            Some(Value::Object(all)) => {
                for (label, given) in all {
                    self.one_unit(label, given, &mut s);
                }
            }
            Some(other) => self.bad(format!("units = {other}: a table by label, like \"A.Leg1\" = \"C4 n\"")),
        }
        for (label, given) in v.get("generals").and_then(Value::as_object).into_iter().flatten() {
            let g = self.general(&json!(label));
            if g == NOBODY {
                continue;
            }
            let hex = match (given.as_str(), given.get("at")) {
                (Some(_), _) => self.hex(given),
                (_, Some(x)) => self.hex(x),
                _ => Hex::NONE,
            };
            if hex.on() && self.t.map.barred.has(hex) {
                self.bad(format!("{label} stands in {}, where nobody can be", self.t.hex(hex)));
            }
            let lost = self.flag(given, "lost");
            let moved = self.flag(given, "moved");
            let fought = self.flag(given, "fought");
            s.generals[usize::from(g)] = crate::state::General { hex, lost, moved, fought };
        }
        let both = t.of_side[0] | t.of_side[1];
        s.commanded = match v.get("commanded") {
            Some(list) => self.units(Some(list)) | !both,
            None => {
                let mut mask = !both;
                for side in Side::BOTH {
                    mask |= control::under_command(t, &s, side);
                }
                mask
            }
        };
        s.shot_at = self.units(v.get("shot_at"));
        s.suppressed = self.units(v.get("suppressed"));
        s.contacts = self.units(v.get("contacts"));
        s.escapes = self.generals(v.get("escapes"));
        s.aside = self.generals(v.get("aside"));
        if let Some(m) = v.get("mover") {
            s.mover = self.mover(m);
        }
        if let Some(r) = v.get("room") {
            s.room = self.room(r);
        }
        if let Some(f) = v.get("fight") {
            s.fight = self.fight(f);
        }
        for (label, given) in v.get("replies").and_then(Value::as_object).into_iter().flatten() {
            let u = self.unit(&json!(label));
            if let (true, Some(r)) = (u != NOBODY, self.named(&Reply::ALL, given, "reply")) {
                s.replies[usize::from(u)] = r;
            }
        }
        for (name, given) in v.get("options").and_then(Value::as_object).into_iter().flatten() {
            let text = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
            if let Err(why) = s.options.set(name, &text) {
                self.bad(why);
            }
        }
        s.outcome = match v.get("outcome").and_then(Value::as_str) {
            None => Outcome::Open,
            Some("draw") => Outcome::Draw,
            Some("A") => Outcome::Won(Side::A),
            Some("B") => Outcome::Won(Side::B),
            Some(other) => {
                self.bad(format!("outcome {other:?}: A, B or draw"));
                Outcome::Open
            }
        };
        let answers_need_mover = s.contacts != 0 || s.escapes != 0;
        if answers_need_mover && s.mover.unit == NOBODY {
            self.bad("somebody answers a mover, but there is no mover");
            s.contacts = 0;
            s.escapes = 0;
        }
        s
    }

    fn mover(&mut self, m: &Value) -> Mover {
        let unit = m.get("unit").map_or(NOBODY, |u| self.unit(u));
        let going = m.get("going").and_then(|g| self.named(&GOINGS, g, "going")).unwrap_or(Going::Move);
        let hex = m.get("at").map_or(Hex::NONE, |h| self.hex(h));
        let facing = m.get("facing").map_or(Facing(0), |f| self.facing(f));
        let formation = m
            .get("formation")
            .and_then(|f| self.named(&Formation::ALL, f, "formation"))
            .unwrap_or(Formation::Line);
        if unit == NOBODY || !hex.on() {
            self.bad("mover: it needs `unit` and `at`");
            return Mover::NONE;
        }
        let cursor = Cursor {
            hex,
            facing,
            formation,
            spent: self.number(m, "spent", 255) as u8,
            entered: self.number(m, "entered", 20) as u8,
            turned: self.flag(m, "turned"),
            formed: self.flag(m, "formed"),
            road: self.flag(m, "road"),
            column: self.flag(m, "column"),
            stopped: self.flag(m, "stopped"),
            dropped: self.flag(m, "dropped"),
        };
        let path = self.path(m.get("path"));
        let (answered, asks) = (self.flag(m, "answered"), self.flag(m, "asks"));
        Mover { unit, going, cursor, path, answered, asks }
    }

    fn room(&mut self, r: &Value) -> Room {
        let mut room = Room { unit: r.get("unit").map_or(NOBODY, |u| self.unit(u)), ..Room::NONE };
        room.elephants = self.flag(r, "elephants");
        for one in r.get("hand").and_then(Value::as_array).into_iter().flatten().take(MAX_HAND) {
            let u = one.get("unit").map_or(NOBODY, |u| self.unit(u));
            let h = one.get("to").map_or(Hex::NONE, |h| self.hex(h));
            let g = one.get("general").map_or(NOBODY, |g| self.general(g));
            if u == NOBODY || !h.on() {
                self.bad("room.hand: each has `unit` and `to`");
                continue;
            }
            room.hand[usize::from(room.waiting)] = (u, h, g);
            room.waiting += 1;
        }
        room
    }

    fn fight(&mut self, f: &Value) -> Fight {
        let mut fight = Fight {
            stage: f.get("stage").and_then(|x| self.named(&STAGES, x, "stage")).unwrap_or(Stage::None),
            melee: self.flag(f, "melee"),
            losers: f.get("losers").map_or(Side::A, |x| self.side(x)),
            all: self.units(f.get("all")),
            recoil: self.units(f.get("recoil")),
            flee: self.units(f.get("flee")),
            stampede: self.units(f.get("stampede")),
            follower: f.get("follower").map_or(NOBODY, |u| self.unit(u)),
            entered: self.number(f, "entered", 5) as u8,
            ..Fight::NONE
        };
        for one in f.get("vacated").and_then(Value::as_array).into_iter().flatten() {
            let mut v = Vacated {
                hex: one.get("hex").map_or(Hex::NONE, |h| self.hex(h)),
                unit: one.get("unit").map_or(NOBODY, |u| self.unit(u)),
                ..Vacated::NONE
            };
            for h in one.get("path").and_then(Value::as_array).into_iter().flatten().take(MAX_FLIGHT) {
                v.path[usize::from(v.len)] = self.hex(h);
                v.len += 1;
            }
            if v.unit == NOBODY || !v.hex.on() {
                self.bad("fight.vacated: each has `hex` and `unit`");
                continue;
            }
            fight.leave(v);
        }
        fight
    }
}

/// A state from a position, for the table that the position's set-up gives.
///
/// # Errors
/// Everything wrong with it.
pub fn read(t: &Table, v: &Value) -> Result<State, Problems> {
    let mut r = Reader { t, wrong: Vec::new() };
    if v.get("version").is_some_and(|n| n.as_u64() != Some(VERSION)) {
        r.bad(format!("version {}: this release reads version {VERSION}", v["version"]));
    }
    for key in v.as_object().into_iter().flat_map(Object::keys) {
        if !KEYS.contains(&key.as_str()) && !crate::setup::KEYS.contains(&key.as_str()) {
            let known = KEYS.iter().chain(crate::setup::KEYS).copied();
            r.wrong.push(Problem::new(format!("the position has an unknown key: {key}")).meant(key, known));
        }
    }
    let s = r.read(v);
    if r.wrong.is_empty() { Ok(s) } else { Err(r.wrong) }
}
