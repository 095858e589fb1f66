//! The position: the only written form of a state, versioned, complete, readable; and its one-line form.

mod read;

pub use read::read;

use crate::hex::SIDE_WORDS;
use crate::options::SWITCHES;
use crate::state::{Fate, Going, Impact, NOBODY, Outcome, Path, Reply, Stage, State, Word, bits, flag};
use crate::table::{Side, Table};
use serde_json::{Map as Object, Value, json};

/// Version of the document.
pub const VERSION: u64 = 1;

const MARKS: [(u16, &str); 11] = [
    (flag::DISRUPTED, "disrupted"),
    (flag::MOVED, "moved"),
    (flag::STIRRED, "stirred"),
    (flag::EVADED, "evaded"),
    (flag::FLED, "fled"),
    (flag::CHARGED, "charged"),
    (flag::SHOT, "shot"),
    (flag::FOUGHT, "fought"),
    (flag::HOLDS, "holds"),
    (flag::PAVISE, "pavise"),
    (flag::ON_FOOT, "on-foot"),
];
const WALKED: (u16, &str) = (flag::WALKED, "walked");
const IMPACTS: [(Impact, &str); 3] =
    [(Impact::Fresh, "fresh"), (Impact::Advancing, "advancing"), (Impact::Spent, "spent")];
const FATES: [(Fate, &str); 6] = [
    (Fate::Reserve, "reserve"),
    (Fate::Field, "field"),
    (Fate::Destroyed, "destroyed"),
    (Fate::Left, "left"),
    (Fate::Merged, "merged"),
    (Fate::Emptied, "emptied"),
];
const GOINGS: [(Going, &str); 4] =
    [(Going::Nowhere, "nowhere"), (Going::Move, "move"), (Going::Step, "step"), (Going::Pursuit, "pursuit")];
const STAGES: [(Stage, &str); 6] = [
    (Stage::None, "none"),
    (Stage::Naming, "naming"),
    (Stage::Retreats, "retreats"),
    (Stage::Follow, "follow"),
    (Stage::Pursue, "pursue"),
    (Stage::Close, "close"),
];

fn word_of<T: PartialEq + Copy>(all: &[(T, &'static str)], x: T) -> &'static str {
    all.iter().find(|a| a.0 == x).map_or("", |a| a.1)
}

fn side_word(s: Side) -> String {
    s.letter().to_string()
}

fn marks(flags: u16) -> Vec<&'static str> {
    MARKS.iter().chain([&WALKED]).filter(|m| flags & m.0 != 0).map(|m| m.1).collect()
}

fn path_words(t: &Table, p: &Path) -> Vec<String> {
    p.words()
        .iter()
        .map(|w| match w {
            Word::To(h) => t.hex(*h),
            Word::Face(f) => f.word().to_owned(),
            Word::Form(f) => f.word().to_owned(),
            Word::Off => "off".to_owned(),
        })
        .collect()
}

/// The part of the document that changes in play.
#[must_use]
pub fn state_value(t: &Table, s: &State) -> Object<String, Value> {
    let names = |mask: u64| bits(mask).map(|u| t.label(u)).collect::<Vec<_>>();
    let leaders = |mask: u16| bits(u64::from(mask)).map(|g| t.leader_label(g)).collect::<Vec<_>>();
    let mut units = Object::new();
    for (n, piece) in t.pieces.iter().enumerate() {
        let x = &s.units[n];
        let mut u = Object::new();
        if x.fate != Fate::Field {
            u.insert("fate".to_owned(), json!(word_of(&FATES, x.fate)));
        }
        if x.hex.on() {
            u.insert("at".to_owned(), json!(t.hex(x.hex)));
        }
        u.insert("facing".to_owned(), json!(x.facing.word()));
        u.insert("formation".to_owned(), json!(x.formation.word()));
        u.insert("stands".to_owned(), json!(x.stands));
        if x.start != x.hex {
            u.insert("start".to_owned(), json!(t.hex(x.start)));
        }
        if x.impact != Impact::Fresh {
            u.insert("impact".to_owned(), json!(word_of(&IMPACTS, x.impact)));
        }
        if x.stakes != 0 {
            let sides: Vec<&str> = (0..6).filter(|d| x.stakes >> d & 1 == 1).map(|d| SIDE_WORDS[d]).collect();
            u.insert("stakes".to_owned(), json!(sides));
        }
        // always written, as carriers of pavises have one by default
        u.insert("marks".to_owned(), json!(marks(x.flags)));
        units.insert(piece.label.clone(), Value::Object(u));
    }
    let mut generals = Object::new();
    for (n, leader) in t.leaders.iter().enumerate() {
        let x = &s.generals[n];
        let mut g = Object::new();
        if x.hex.on() {
            g.insert("at".to_owned(), json!(t.hex(x.hex)));
        }
        for (set, name) in [(x.lost, "lost"), (x.moved, "moved"), (x.fought, "fought")] {
            if set {
                g.insert(name.to_owned(), json!(true));
            }
        }
        generals.insert(leader.label.clone(), Value::Object(g));
    }
    let mut out = Object::new();
    let mut put = |key: &str, v: Value| {
        out.insert(key.to_owned(), v);
    };
    put("phase", json!(s.phase.word()));
    put("phasing", json!(side_word(s.phasing)));
    put("bound", json!(s.bound));
    put("south", json!(side_word(s.south)));
    put("first", json!(side_word(s.first)));
    put("opens", json!(side_word(s.opens)));
    put("chooser", json!(side_word(s.chooser)));
    put("rolls", json!(s.rolls));
    put("units", Value::Object(units));
    put("generals", Value::Object(generals));
    put("commanded", json!(names(s.commanded & (t.of_side[0] | t.of_side[1]))));
    if s.shot_at != 0 {
        put("shot_at", json!(names(s.shot_at)));
    }
    if s.suppressed != 0 {
        put("suppressed", json!(names(s.suppressed)));
    }
    if s.mover.going != Going::Nowhere {
        let m = &s.mover;
        let c = &m.cursor;
        put(
            "mover",
            json!({
                "unit": t.label(m.unit), "going": word_of(&GOINGS, m.going), "path": path_words(t, &m.path),
                "answered": m.answered, "asks": m.asks,
                "at": t.hex(c.hex), "facing": c.facing.word(), "formation": c.formation.word(), "spent": c.spent,
                "entered": c.entered, "turned": c.turned, "formed": c.formed, "road": c.road, "column": c.column,
                "stopped": c.stopped, "dropped": c.dropped,
            }),
        );
    }
    if s.contacts != 0 {
        put("contacts", json!(names(s.contacts)));
    }
    if s.escapes != 0 {
        put("escapes", json!(leaders(s.escapes)));
    }
    if s.aside != 0 {
        put("aside", json!(leaders(s.aside)));
    }
    if s.room.unit != NOBODY {
        let hand: Vec<Value> = s.room.hand[..usize::from(s.room.waiting)]
            .iter()
            .map(|&(u, h, g)| {
                let mut one = json!({ "unit": t.label(u), "to": t.hex(h) });
                if g != NOBODY {
                    one["general"] = json!(t.leader_label(g));
                }
                one
            })
            .collect();
        put("room", json!({ "unit": t.label(s.room.unit), "elephants": s.room.elephants, "hand": hand }));
    }
    if s.fight.stage != Stage::None {
        let f = &s.fight;
        let vacated: Vec<Value> = f.vacated[..usize::from(f.left).min(6)]
            .iter()
            .map(|v| {
                let path: Vec<String> = v.path[..usize::from(v.len)].iter().map(|&h| t.hex(h)).collect();
                json!({ "hex": t.hex(v.hex), "unit": t.label(v.unit), "path": path })
            })
            .collect();
        let mut one = json!({
            "stage": word_of(&STAGES, f.stage), "melee": f.melee, "losers": side_word(f.losers),
            "all": names(f.all), "recoil": names(f.recoil), "flee": names(f.flee), "stampede": names(f.stampede),
            "vacated": vacated, "entered": f.entered,
        });
        if f.follower != NOBODY {
            one["follower"] = json!(t.label(f.follower));
        }
        put("fight", one);
    }
    let replies: Object<String, Value> = (t.pieces.iter().zip(&s.replies))
        .filter(|(_, r)| **r != Reply::Ask)
        .map(|(p, r)| (p.label.clone(), json!(r.word())))
        .collect();
    if !replies.is_empty() {
        put("replies", Value::Object(replies));
    }
    // only what was ruled otherwise than the rules say
    let ruled: Object<String, Value> = SWITCHES
        .iter()
        .filter(|x| s.options.get(x.name) != t.options.get(x.name))
        .map(|x| (x.name.to_owned(), json!(s.options.get(x.name))))
        .collect();
    if !ruled.is_empty() {
        put("options", Value::Object(ruled));
    }
    match s.outcome {
        Outcome::Open => {}
        Outcome::Draw => put("outcome", json!("draw")),
        Outcome::Won(x) => put("outcome", json!(side_word(x))),
    }
    out
}

/// The whole document.
#[must_use]
pub fn value(t: &Table, armies: &[Value; 2], s: &State) -> Value {
    let mut out = Object::new();
    out.insert("version".to_owned(), json!(VERSION));
    if let Value::Object(setup) = crate::setup::value(t, armies) {
        out.extend(setup);
    }
    out.extend(state_value(t, s));
    Value::Object(out)
}

/// The part of a position that is its set-up.
#[must_use]
pub fn setup_part(v: &Value) -> Value {
    let mut out = Object::new();
    for key in crate::setup::KEYS {
        if let Some(x) = v.get(*key) {
            out.insert((*key).to_owned(), x.clone());
        }
    }
    Value::Object(out)
}
