//! The encounter as a document: what a game master writes in a file and what a position is. One reader and one
//! printer serve both; a position only says more.

use crate::arms::{Profile, Trait9};
pub use crate::document_json::{profile_json, weapon_json};
use crate::document_json::{unit_json, volley_json};
use crate::document_links::{links, read_volley};
use crate::library::{LIST_PROFILES, Library, as_id};
use crate::options::Options;
use crate::problem::{Problem, Problems, Severity, meant, nearest};
use crate::questions::{BUILDS, of_heads};
use crate::reader::{Doc, Table, Word};
use crate::state::State;
use crate::unit::{Action, Aim, Band, Horde, Kind, Mod, Person, Side, Status, Unit, UnitId, Usual};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Version of the document.
pub const VERSION: i32 = 1;

/// An encounter read from a document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// Library with what the document adds.
    pub library: Library,
    /// Ids of weapons and profiles that the document brings itself.
    pub own: (BTreeSet<String>, BTreeSet<String>),
    /// The state that it describes.
    pub state: State,
    /// Warnings.
    pub warnings: Vec<Problem>,
    /// `[options]` as written, in order.
    pub options: Vec<(String, String)>,
}

/// Words that mean something in a command and so cannot be labels.
pub const RESERVED: &[&str] = &[
    "add",
    "aim",
    "aims",
    "all",
    "as",
    "at",
    "because",
    "begin",
    "before",
    "catches",
    "catching",
    "after",
    "damage",
    "defend",
    "defends",
    "dice",
    "dodge",
    "done",
    "dos",
    "end",
    "fear",
    "full",
    "half",
    "hits",
    "horde",
    "heretic",
    "foe",
    "into",
    "it",
    "master",
    "melee",
    "next",
    "none",
    "option",
    "parry",
    "roll",
    "ruling",
    "semi",
    "shoots",
    "start",
    "suppress",
    "takes",
    "test",
    "umpire",
    "wounds",
    "gm",
    "standard",
    "swift",
    "lightning",
    "allout",
    "charge",
    "called",
    "guarded",
    "stun",
    "grapple",
    "pb",
    "short",
    "normal",
    "long",
    "extreme",
];

impl Document {
    /// Reads a file's text on top of `options` and `library`.
    ///
    /// # Errors
    /// Everything that is wrong, with file, line and suggestion. Warnings alone are no error.
    pub fn read(file: &str, text: &str, options: Options, library: &Library) -> Result<Self, Problems> {
        let doc = Doc::new(file, text);
        let Some(root) = doc.parse() else { return Err(Problems(doc.into_problems())) };
        let table = Table::root(&doc, &root, "the encounter");
        let read = Self::read_table(&doc, &table, options, library);
        table.finish();
        drop(table);
        let problems = Problems(doc.into_problems());
        match read {
            Some(mut d) if !problems.has_errors() => {
                d.warnings = problems.0;
                Ok(d)
            }
            _ => Err(problems),
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// As [`Document::read`].
    pub fn read_json(json: &Value, options: Options, library: &Library) -> Result<Self, Problems> {
        let text = match toml::to_string(&without_null(json)) {
            Ok(text) => text,
            Err(e) => return Err(Problems::one("encounter", e.to_string(), None)),
        };
        Self::read("encounter", &text, options, library)
    }

    fn read_table(doc: &Doc<'_>, root: &Table<'_, '_>, options: Options, library: &Library) -> Option<Self> {
        let mut library = library.clone();
        let before = library.clone();
        if let Some(v) = root.int("version", 1..=i32::MAX)
            && v > VERSION
        {
            doc.error(
                0,
                format!("version {v} is newer than this program"),
                Some(format!("it reads up to {VERSION}")),
            );
        }
        library.extend(root);
        let own = (
            library
                .weapons
                .iter()
                .filter(|(k, w)| before.weapons.get(*k) != Some(w))
                .map(|(k, _)| k.clone())
                .collect(),
            library
                .profiles
                .iter()
                .filter(|(k, p)| before.profiles.get(*k) != Some(p))
                .map(|(k, _)| k.clone())
                .collect(),
        );
        let mut options = options;
        let mut set = Vec::new();
        if let Some(table) = root.table("options") {
            let mut all = table.flat_texts();
            all.sort_by_key(|(k, _)| k.trim_start_matches("horde.") != "ruleset");
            for (key, word) in all {
                if let Err(e) = options.set(&key, &word.text) {
                    doc.error(word.at, e.to_string(), None);
                }
                set.push((key, word.text));
            }
        }
        let name = root.text("name").map_or_else(|| "encounter".to_owned(), |w| w.text);
        let mut entries = Vec::new();
        let mut labels = Vec::new();
        for (key, side) in [("heretic", Side::Heretics), ("horde", Side::Foes), ("foe", Side::Foes)] {
            for mut t in root.tables(key) {
                let reader = UnitReader { library: &library, options: &options, key, side };
                if let Some(unit) = reader.unit(&mut t, &labels) {
                    labels.push(unit.label.clone());
                    let place = t
                        .int("place", 0..=65_535)
                        .unwrap_or(i32::try_from(entries.len()).unwrap_or(i32::MAX));
                    entries.push((place, unit, t));
                } else if let Some(w) = t.text("label").or_else(|| t.text("profile")) {
                    // One that does not read has been told of; its other keys were not looked at.
                    doc.miss(as_id(&w.text));
                }
            }
        }
        entries.sort_by_key(|(place, ..)| *place);
        let (mut units, mut later) = (Vec::new(), Vec::new());
        for (_, unit, t) in entries {
            units.push(unit);
            later.push(t);
        }
        if units.is_empty() {
            if doc_is_clean(doc) {
                doc.error(
                    0,
                    "nobody is in the encounter",
                    Some("add a [[heretic]] and a [[horde]]".to_owned()),
                );
            }
            return None;
        }
        for (side, who, table) in
            [(Side::Heretics, "on the players' side", "heretic"), (Side::Foes, "against them", "horde")]
        {
            // Where somebody did not read it is not known who is there.
            if doc_is_clean(doc) && !units.iter().any(|u: &Unit| u.side == side) {
                let hint = Some(format!("add a [[{table}]], or `add {table} …` at the table"));
                doc.report(Severity::Warning, 0, format!("nobody is {who}"), hint);
            }
        }
        let mut state = State {
            options,
            units,
            order: Vec::new(),
            round: 0,
            turn: 0,
            had: BTreeSet::new(),
            acted: false,
            volley: None,
        };
        for (i, t) in later.iter().enumerate() {
            let id = UnitId(u16::try_from(i).unwrap_or(u16::MAX));
            links(t, id, &mut state);
            t.finish();
        }
        Self::read_round(doc, root, &mut state);
        Some(Self { name, library, own, state, warnings: Vec::new(), options: set })
    }

    fn read_round(doc: &Doc<'_>, root: &Table<'_, '_>, state: &mut State) {
        let known = state.units.iter().all(|u| u.initiative.is_some());
        let round = root.int("round", 0..=1_000_000);
        state.round = u32::try_from(round.unwrap_or(i32::from(known))).unwrap_or(0);
        match root.words("order") {
            Some(words) => {
                for w in words {
                    match state.by_label(&w.text) {
                        Some(id) if !state.order.contains(&id) => state.order.push(id),
                        Some(_) => doc.error(w.at, format!("`{}` stands twice in the order", w.text), None),
                        None => unknown_label(doc, &w, state),
                    }
                }
            }
            None => {
                let mut ids: Vec<UnitId> = state.ids().collect();
                if known {
                    sort_by_initiative(state, &mut ids);
                }
                state.order = ids;
            }
        }
        if let Some(w) = root.text("turn") {
            match state.by_label(&w.text).and_then(|id| state.order.iter().position(|o| *o == id)) {
                Some(at) => state.turn = at,
                None => unknown_label(doc, &w, state),
            }
        } else if state.round > 0 {
            // Nobody is named: the first who has a turn at all.
            let first = state.order.iter().position(|id| crate::turns::acts_now(state, *id));
            state.turn = first.unwrap_or(0);
        }
        state.had = state.had_in_order();
        if let Some(words) = root.words("had_turn").filter(|_| state.is_exact()) {
            state.had.clear();
            for w in words {
                match state.by_label(&w.text) {
                    Some(id) => _ = state.had.insert(id),
                    None => unknown_label(doc, &w, state),
                }
            }
        }
        state.acted = root.flag("acted").unwrap_or(false) && state.is_exact();
        if let Some(t) = root.table("volley") {
            state.volley = read_volley(&t, state);
            t.finish();
        }
        // A document written by hand says whose turn it is, not what the start of a turn does.
        crate::turns::open_turn_quietly(state);
    }

    /// The position: the whole state as a document.
    pub fn print(
        name: &str,
        own: &(BTreeSet<String>, BTreeSet<String>),
        library: &Library,
        state: &State,
        base: &Options,
    ) -> Value {
        let mut out = Map::new();
        out.insert("version".to_owned(), json!(VERSION));
        out.insert("name".to_owned(), json!(name));
        let set: Map<String, Value> = difference(base, &state.options);
        if !set.is_empty() {
            out.insert("options".to_owned(), Value::Object(set));
        }
        let weapons: Vec<Value> =
            own.0.iter().filter_map(|id| library.weapons.get(id)).map(|w| weapon_json(w)).collect();
        let profiles: Vec<Value> =
            own.1.iter().filter_map(|id| library.profiles.get(id)).map(|p| profile_json(p)).collect();
        if !weapons.is_empty() {
            out.insert("weapon".to_owned(), Value::Array(weapons));
        }
        if !profiles.is_empty() {
            out.insert("profile".to_owned(), Value::Array(profiles));
        }
        out.insert("round".to_owned(), json!(state.round));
        let labels =
            |ids: &[UnitId]| ids.iter().map(|id| state.unit(*id).label.to_string()).collect::<Vec<_>>();
        out.insert("order".to_owned(), json!(labels(&state.order)));
        if let Some(id) = state.order.get(state.turn) {
            out.insert("turn".to_owned(), json!(&*state.unit(*id).label));
        }
        if state.had != state.had_in_order() {
            out.insert("had_turn".to_owned(), json!(labels(&state.had.iter().copied().collect::<Vec<_>>())));
        }
        if state.acted {
            out.insert("acted".to_owned(), json!(true));
        }
        let mut groups: [(&str, Vec<Value>); 3] = [("heretic", vec![]), ("horde", vec![]), ("foe", vec![])];
        for id in state.ids() {
            let u = state.unit(id);
            let at = match (u.is_horde(), u.side) {
                (true, _) => 1,
                (false, Side::Heretics) => 0,
                (false, Side::Foes) => 2,
            };
            let mut entry = unit_json(state, u);
            // Ids follow the order of coming in, which a late player does not keep within his group.
            entry.insert("place".to_owned(), json!(id.0));
            groups[at].1.push(Value::Object(entry));
        }
        for (key, list) in groups {
            if !list.is_empty() {
                out.insert(key.to_owned(), Value::Array(list));
            }
        }
        if let Some(v) = &state.volley {
            out.insert("volley".to_owned(), volley_json(state, v));
        }
        Value::Object(out)
    }
}

fn doc_is_clean(doc: &Doc<'_>) -> bool {
    !doc.has_errors()
}

pub(crate) fn unknown_label(doc: &Doc<'_>, w: &Word, state: &State) {
    if doc.missed(&as_id(&w.text)) {
        return;
    }
    let hint =
        nearest(&w.text, state.units.iter().map(|u| &*u.label)).map(|n| format!("did you mean `{n}`?"));
    doc.error(w.at, format!("nobody here is called `{}`", w.text), hint);
}

/// HC-014: highest first; ties by Agility, then as listed.
pub(crate) fn sort_by_initiative(state: &State, ids: &mut [UnitId]) {
    ids.sort_by_key(|id| {
        let u = state.unit(*id);
        std::cmp::Reverse((u.initiative.unwrap_or(0), u.profile.value(Trait9::Ag)))
    });
}

struct UnitReader<'a> {
    library: &'a Library,
    options: &'a Options,
    key: &'static str,
    side: Side,
}

impl UnitReader<'_> {
    fn unit(&self, t: &mut Table<'_, '_>, before: &[Arc<str>]) -> Option<Unit> {
        let profile_word = t.text("profile");
        let label_word = t.text("label");
        let label = match (&label_word, &profile_word) {
            (Some(w), _) => as_id(&w.text),
            (None, Some(p)) => as_id(&p.text),
            (None, None) => {
                t.doc().error(
                    t.at(),
                    format!("a {} has no `label`", self.key),
                    Some("label = \"guard\"".to_owned()),
                );
                return None;
            }
        };
        if let Some(w) = label_word.as_ref().filter(|_| label.is_empty()) {
            let meant = profile_word.as_ref().map_or("", |p| p.text.as_str());
            let meant = if as_id(meant).is_empty() { self.key.to_owned() + "1" } else { as_id(meant) };
            t.doc().error(
                w.at,
                format!("the label `{}` has no letter: nobody could type it", w.text),
                Some(format!("label = \"{meant}\", name = \"{}\"", w.text.trim())),
            );
            return None;
        }
        t.what = format!("{} `{label}`", self.key);
        if let Some(w) = label_word.as_ref().filter(|w| w.text.trim().to_lowercase() != label) {
            // It is what will be typed, so it should not come as a surprise.
            t.doc().report(
                Severity::Warning,
                w.at,
                format!("the label `{}` is one word when it is typed: `{label}`", w.text),
                Some(format!("label = \"{label}\", name = \"{}\"", w.text.trim())),
            );
        }
        let place = label_word.as_ref().or(profile_word.as_ref()).map_or(t.at(), |w| w.at);
        if let Err((text, hint)) = check_label(&label, before, self.library) {
            t.doc().error(place, text, hint);
            return None;
        }
        let base = match &profile_word {
            Some(w) => match self.library.profiles.get(&as_id(&w.text)) {
                Some(p) => Some(p.clone()),
                None => {
                    let all = self.library.profiles.keys().map(String::as_str);
                    t.doc().error(
                        w.at,
                        format!("{}: there is no profile `{}`", t.what, w.text),
                        Some(meant(&w.text, all, LIST_PROFILES)),
                    );
                    return None;
                }
            },
            None => None,
        };
        let own_name = t.text("name").map(|w| w.text);
        let id = base.as_ref().map_or_else(|| label.clone(), |p| p.id.clone());
        let profile_name = base.as_ref().map_or_else(|| label.clone(), |p| p.name.clone());
        let profile = self.library.profile(t, base.as_deref(), id, profile_name)?;
        let weapons =
            Arc::new(profile.weapons.iter().filter_map(|w| self.library.weapons.get(w).cloned()).collect());
        let kind = if self.key == "horde" { self.horde(t, &profile)? } else { self.person(t, &profile) };
        let status = self.word(t, "status", Status::read, "fighting, broken, destroyed, gone");
        let side = match self.word(
            t,
            "side",
            |s| ["heretics", "foes"].contains(&s).then(|| s == "heretics"),
            "heretics, foes",
        ) {
            Some(true) => Side::Heretics,
            Some(false) => Side::Foes,
            None => self.side,
        };
        let name = own_name.unwrap_or_else(|| profile.name.clone());
        // What changes in play stands in the unit; the profile keeps the rest.
        let profile =
            Arc::new(Profile { id: label.clone(), name: name.clone(), magnitude: 0, wounds: 0, ..profile });
        Some(Unit {
            name: name.into(),
            label: label.into(),
            player: t.text("player").map(|w| w.text.into()),
            side,
            weapons,
            status: status.unwrap_or(Status::Fighting),
            kind,
            initiative: t.int("initiative", -99..=999),
            shock: t.int("shock", 0..=20).and_then(|n| u8::try_from(n).ok()),
            pinned: t.flag("pinned").unwrap_or(false),
            pin_rolls: t
                .ints("pin_rolls", 1..=100)
                .unwrap_or_default()
                .into_iter()
                .filter_map(|n| u16::try_from(n).ok())
                .collect(),
            frenzied: t.flag("frenzied").unwrap_or(false),
            surprised: t.flag("surprised").unwrap_or(false),
            usual: [None, None],
            loads: Vec::new(),
            acts: u32::try_from(t.int("acts", 0..=i32::MAX).unwrap_or(0)).unwrap_or(0),
            profile,
        })
    }

    fn word<T>(
        &self,
        t: &Table<'_, '_>,
        key: &'static str,
        read: impl Fn(&str) -> Option<T>,
        words: &str,
    ) -> Option<T> {
        let w = t.text(key)?;
        let got = read(&w.text);
        if got.is_none() {
            t.doc().error(
                w.at,
                format!("{}: `{key}` cannot be `{}`", t.what, w.text),
                Some(format!("one of {words}")),
            );
        }
        got
    }

    fn horde(&self, t: &Table<'_, '_>, profile: &Profile) -> Option<Kind> {
        // `magnitude` was read as a key of the profile, whose usual value it overrides.
        let counted = self.heads(t)?;
        if counted.unwrap_or(profile.magnitude) <= 0 {
            if !t.entries().any(|(k, _)| k == "magnitude") {
                t.doc().error(
                    t.at(),
                    format!("{} has no `magnitude`", t.what),
                    Some("magnitude = 35".to_owned()),
                );
                return None;
            }
            if t.int("original", 1..=999).is_none() {
                t.doc().error(
                    t.at(),
                    format!("{}: a Horde of Magnitude 0 needs its `original`", t.what),
                    Some("magnitude = 35, or original = 35".to_owned()),
                );
                return None;
            }
        }
        let m = counted.unwrap_or(profile.magnitude);
        let m0 = t.int("original", 1..=999).unwrap_or(m);
        Some(Kind::Horde(Horde {
            m0,
            m,
            ms: t.int("round_start", 0..=999).unwrap_or(m),
            lost: t.int("lost", 0..=9999).unwrap_or(0),
            own: t.int("own_turn", 0..=999).unwrap_or(m),
            lost_own: t.int("lost_own", 0..=9999).unwrap_or(0),
            turn_mb: t.int("turn_bonus", 0..=999),
            tested: t.flag("tested").unwrap_or(false),
            skip_test: t.flag("skip_test").unwrap_or(false),
            engaged: BTreeSet::new(),
            fought: BTreeSet::new(),
            shots: t.int("shots", 0..=9999).unwrap_or(0),
            forms: self.forms(t),
            held: BTreeSet::new(),
        }))
    }

    /// HC-103: `heads` and their `build` in place of `magnitude`; outer `None`: that cannot be.
    #[allow(
        clippy::option_option,
        reason = "one says whether to go on, the other whether heads were counted"
    )]
    fn heads(&self, t: &Table<'_, '_>) -> Option<Option<i32>> {
        let build =
            self.word(t, "build", |w| BUILDS.iter().position(|b| *b == w), &BUILDS.join(", ")).unwrap_or(1);
        if !t.entries().any(|(k, _)| k == "heads") {
            return Some(None);
        }
        let n = t.int("heads", 1..=9999)?;
        let wrong = |text: &str, hint: &str| {
            t.doc().error(t.at(), format!("{}: {text}", t.what), Some(hint.to_owned()));
            None
        };
        if t.entries().any(|(k, _)| k == "magnitude") {
            return wrong("both `heads` and `magnitude`", "leave one of them out");
        }
        match of_heads(self.options, n, build) {
            Some(m) if (1..=999).contains(&m) => Some(Some(m)),
            Some(m) => wrong(&format!("{n} heads make a Magnitude of {m}"), "1 to 999 would be right"),
            None => wrong(
                "what `heads` are in Magnitude is for the option `mag.per_head` to say (HC-103), which is none",
                "\"mag.per_head\" = \"makuu_1.75\" under [options], or magnitude = 35",
            ),
        }
    }

    fn forms(&self, t: &Table<'_, '_>) -> [Option<Action>; 2] {
        let read = |key| {
            self.word(t, key, Action::read, "standard, swift, lightning, stun, grapple, semi, full, suppress")
        };
        [read("melee_form"), read("ranged_form")]
    }

    fn person(&self, t: &Table<'_, '_>, profile: &Profile) -> Kind {
        if profile.wounds == 0
            && t.entries()
                .any(|(k, v)| k == "wounds" && v.get_ref().as_integer().is_some_and(|n| n.as_str() == "0"))
        {
            let hint = "wounds = 12 is the most that he can have; wounds_left = 0 where he has none left";
            t.doc().error(t.at(), format!("{}: 0 wounds", t.what), Some(hint.to_owned()));
        }
        let max = profile.wounds.max(1);
        let e = &self.options.t().evasion;
        let step_aside = profile.traits.has(crate::arms::Talent::StepAside);
        let reactions = e.reactions + if step_aside { e.step_aside } else { 0 };
        Kind::Person(Person {
            max,
            wounds: t.int("wounds_left", 0..=max).unwrap_or(max),
            critical: t.int("critical", 0..=999).unwrap_or(0),
            fatigue: t.int("fatigue", 0..=999).unwrap_or(0),
            reactions: t.int("reactions", 0..=99).unwrap_or(reactions),
            stunned: t.int("stunned", 0..=999).unwrap_or(0),
            held_by: None,
            open: t.flag("open").unwrap_or(false),
            guarded: t.flag("guarded").unwrap_or(false),
            halves: t.int("halves", 0..=99).unwrap_or(0),
            stance: t.flag("stance").unwrap_or(false),
            prone: t.flag("prone").unwrap_or(false),
            feint: None,
            aim: self.word(t, "aim", Aim::read, "none, half, full").unwrap_or(Aim::None),
        })
    }
}

/// Whether somebody may be called this.
pub(crate) fn check_label(
    label: &str,
    before: &[Arc<str>],
    library: &Library,
) -> Result<(), (String, Option<String>)> {
    if label.is_empty()
        || !label.chars().next().is_some_and(char::is_alphabetic)
        || label.chars().count() > 24
    {
        return Err((
            format!("`{label}` cannot be a label"),
            Some("a short word that begins with a letter".to_owned()),
        ));
    }
    if RESERVED.contains(&label) || library.weapons.contains_key(label) {
        return Err((
            format!("`{label}` means something else in a command and cannot be a label"),
            Some(format!("`{label}1` would do")),
        ));
    }
    if before.iter().any(|l| l.eq_ignore_ascii_case(label)) {
        return Err((format!("two are called `{label}`"), Some(format!("`{label}2` would do"))));
    }
    Ok(())
}

fn difference(base: &Options, now: &Options) -> Map<String, Value> {
    crate::options::REGISTRY
        .iter()
        .filter_map(|e| {
            let (a, b) = (base.get(e.key)?, now.get(e.key)?);
            (a != b).then(|| (e.key.to_owned(), json!(b)))
        })
        .collect()
}

fn without_null(v: &Value) -> Value {
    match v {
        Value::Object(m) => Value::Object(
            m.iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k.clone(), without_null(v))).collect(),
        ),
        Value::Array(a) => Value::Array(a.iter().filter(|v| !v.is_null()).map(without_null).collect()),
        other => other.clone(),
    }
}

/// The usual attack of a document without one: the first weapon of the kind with its plainest form.
pub(crate) fn plain_usual(u: &Unit, melee: bool) -> Option<Arc<Usual>> {
    let w = u.first_weapon(melee)?;
    let (single, semi, full) = w.rof;
    let action = if melee || single {
        Action::Standard
    } else if semi > 0 {
        Action::Semi
    } else if full > 0 {
        Action::Full
    } else {
        Action::Standard
    };
    Some(Arc::new(Usual {
        action,
        semi: false,
        weapon: w.id.clone(),
        band: Band::Normal,
        aim: Aim::None,
        mods: Vec::<Mod>::new(),
        at: None,
    }))
}
