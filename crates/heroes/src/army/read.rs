//! A list read value by value, so that whatever is wrong is said with its line, its unit and what would be right.

use super::{Army, BadArmy, GeneralLine, Profile, Totals, UnitLine, general_cost};
use crate::state::MAX_UNITS;
use crate::tables::{Class, Shooting, Tables, Traits, Troop};
use serde_json::{Map as Object, Value};
use std::collections::BTreeMap;

/// TOML as a value.
///
/// # Errors
/// Where it stops being TOML.
pub(super) fn toml_value(text: &str, file: &str) -> Result<Value, BadArmy> {
    toml::from_str::<Value>(text).map_err(|e| {
        let line = e.span().map_or(1, |s| text.get(..s.start).unwrap_or("").matches('\n').count() + 1);
        let what = e.message().trim().replace('\n', ", ");
        BadArmy(vec![format!(
            "{file}:{line}: {what}; a line is `key = value`, words in quotation marks, each unit under its own [[unit]]"
        )])
    })
}

const ARMY: &[&str] = &["name", "rule", "special_rule", "period", "special", "expect", "general", "unit"];
const GENERAL: &[&str] = &["name", "count", "quality", "hero", "chief", "points"];
const UNIT: &[&str] = &[
    "name", "label", "type", "count", "stands", "class", "speed", "factor", "impact", "shooting", "traits",
    "points",
];
const EXPECT: &[&str] = &["points", "elements", "stands", "breaks_at", "fast"];

/// A table of the list: which, and what it is called in messages.
#[derive(Clone, Copy)]
struct At<'a> {
    /// `unit`, `general`, `expect`, or nothing for the list itself.
    kind: &'static str,
    /// Its number among those of its kind.
    n: usize,
    o: &'a Object<String, Value>,
}

struct Reader<'a> {
    file: &'a str,
    text: Option<&'a str>,
    wrong: Vec<String>,
}

impl<'a> Reader<'a> {
    /// File and line of a key of a table; of the table if the key is not there.
    fn place(&self, at: At<'_>, key: &str) -> String {
        let Some(text) = self.text else { return self.file.to_owned() };
        let (mut kind, mut count, mut header) = ("", BTreeMap::<&str, usize>::new(), None);
        let mut n = 0;
        for (line, row) in text.lines().enumerate() {
            let row = row.trim();
            if row.starts_with('[') {
                kind = row.trim_start_matches(['[', ' ']).split(']').next().unwrap_or("").trim();
                let seen = count.entry(kind).or_insert(0);
                n = *seen;
                *seen += 1;
                if kind == at.kind && n == at.n {
                    header = Some(line + 1);
                }
                continue;
            }
            let named = row.split_once('=').map(|x| x.0.trim().trim_matches('"'));
            if kind == at.kind && n == at.n && named == Some(key) {
                return format!("{}:{}", self.file, line + 1);
            }
        }
        header.map_or_else(|| self.file.to_owned(), |line| format!("{}:{line}", self.file))
    }

    /// Says what is wrong with a key of a table.
    fn say(&mut self, at: At<'_>, key: &str, what: impl std::fmt::Display) {
        let who = match at.o.get("name").and_then(Value::as_str) {
            Some(name) if at.kind == "unit" || at.kind == "general" => format!("{name}: "),
            _ if at.kind == "unit" || at.kind == "general" => format!("{} {}: ", at.kind, at.n + 1),
            _ => String::new(),
        };
        self.wrong.push(format!("{}: {who}{what}", self.place(at, key)));
    }

    fn known(&mut self, at: At<'_>, keys: &[&str]) {
        for key in at.o.keys().filter(|k| !keys.contains(&k.as_str())) {
            let near = keys.iter().min_by_key(|k| strsim::damerau_levenshtein(k, key)).unwrap_or(&"");
            self.say(at, key, format!("`{key}` is no key here: did you mean {near}? ({})", keys.join(", ")));
        }
    }

    /// A whole number in its bounds.
    fn whole(
        &mut self,
        at: At<'_>,
        key: &str,
        range: std::ops::RangeInclusive<i64>,
        right: &str,
    ) -> Option<i64> {
        let v = at.o.get(key)?;
        match v.as_i64().filter(|n| range.contains(n)) {
            Some(n) => Some(n),
            None => {
                self.say(at, key, format!("{key} = {v}: {right}"));
                None
            }
        }
    }

    fn words(&mut self, at: At<'a>, key: &str, right: &str) -> Option<&'a str> {
        let v = at.o.get(key)?;
        if v.as_str().is_none() {
            self.say(at, key, format!("{key} = {v}: {right}"));
        }
        v.as_str()
    }

    fn yes(&mut self, at: At<'_>, key: &str) -> bool {
        match at.o.get(key) {
            None => false,
            Some(Value::Bool(yes)) => *yes,
            Some(v) => {
                self.say(at, key, format!("{key} = {v}: true or false"));
                false
            }
        }
    }

    fn points(&mut self, at: At<'_>) -> Option<i16> {
        self.whole(at, "points", -999..=9999, "a whole number, which the formula must give too (HH-019)")
            .map(|n| n as i16)
    }

    fn count(&mut self, at: At<'_>) -> u8 {
        let right = format!("how many there are, a whole number from 0 to {MAX_UNITS}");
        self.whole(at, "count", 0..=MAX_UNITS as i64, &right).unwrap_or(1) as u8
    }

    /// The tables of a kind, `[[unit]]` or `[[general]]`.
    fn tables(&mut self, list: At<'a>, kind: &'static str) -> Vec<At<'a>> {
        let mut out = Vec::new();
        match list.o.get(kind) {
            None => {}
            Some(Value::Array(all)) => {
                for (n, v) in all.iter().enumerate() {
                    match v.as_object() {
                        Some(o) => out.push(At { kind, n, o }),
                        None => self.say(list, kind, format!("{kind} {}: {v} is no table of keys", n + 1)),
                    }
                }
            }
            Some(_) => {
                self.say(list, kind, format!("{kind}: each stands under its own [[{kind}]], two brackets"))
            }
        }
        out
    }

    fn general(&mut self, at: At<'a>, t: &Tables) -> (GeneralLine, Option<i16>) {
        self.known(at, GENERAL);
        let name = self.words(at, "name", "a name in quotation marks").unwrap_or("General").to_owned();
        let count = self.count(at);
        let quality = match at.o.get("quality") {
            None => {
                self.say(at, "quality", "quality is missing: his command quality, 2, 3 or 4 (HH-049)");
                2
            }
            Some(v) => v.as_u64().and_then(|n| u8::try_from(n).ok()).unwrap_or(u8::MAX),
        };
        let (hero, chief) = (self.yes(at, "hero"), self.yes(at, "chief"));
        let line = GeneralLine { name, count, quality, hero, chief };
        if general_cost(t, &line).is_none() {
            let v = at.o.get("quality").cloned().unwrap_or_default();
            self.say(at, "quality", format!("command quality {v} does not exist (HH-049): 2, 3 or 4"));
        }
        let points = self.points(at);
        (line, points)
    }

    fn traits(&mut self, at: At<'a>) -> Traits {
        let mut traits = Traits::default();
        let codes: Vec<&str> = Traits::ALL.iter().map(|x| x.1).collect();
        let all = match at.o.get("traits") {
            None => return traits,
            Some(Value::Array(all)) => all,
            Some(v) => {
                self.say(at, "traits", format!("traits = {v}: a list, like [\"A1\", \"S\"]"));
                return traits;
            }
        };
        for code in all {
            match code.as_str().and_then(Traits::read) {
                Some(one) => traits.0 |= one.0,
                None => {
                    let code = code.as_str().map_or_else(|| code.to_string(), str::to_owned);
                    let all = codes.join(", ");
                    self.say(at, "traits", format!("characteristic `{code}` does not exist: {all} (HH-032)"));
                }
            }
        }
        for (a, b, why) in [
            (Traits::A1, Traits::A2, "A1 and A2 exclude each other: leave one out"),
            (Traits::E1, Traits::E2, "E1 and E2 exclude each other: leave one out"),
            (Traits::HORDE, Traits::AGGRESSIVE_HORDE, "H and AH exclude each other: leave one out"),
            (Traits::GUN, Traits::CROSSBOW, "G and C exclude each other: leave one out"),
        ] {
            if traits.has(a) && traits.has(b) {
                self.say(at, "traits", why);
            }
        }
        traits
    }

    /// What goes together and what does not: stands by kind, traits by troop type.
    fn fits(
        &mut self,
        at: At<'a>,
        t: &Tables,
        traits: Traits,
        troop: Option<Troop>,
        shooting: Option<Shooting>,
    ) -> u8 {
        let horde = traits.any(Traits::HORDE.0 | Traits::AGGRESSIVE_HORDE.0);
        let artillery = matches!(shooting, Some(Shooting::Artillery(_)));
        let (usual, kind) = match (horde, artillery) {
            (true, _) => (t.stands[1], "a horde"),
            (_, true) => (t.stands[2], "an artillery unit"),
            _ => (t.stands[0], "a unit"),
        };
        if let Some(v) = at.o.get("stands").filter(|v| v.as_u64() != Some(usual.into())) {
            self.say(at, "stands", format!("{v} stands: {kind} has {usual} (HH-008, HH-009)"));
        }
        if traits.has(Traits::DISMOUNTS) && troop != Some(Troop::Mounted) {
            self.say(at, "traits", "only mounted units dismount (HH-129): type = \"M\", or no Dm");
        }
        if traits.has(Traits::PIKES) && troop != Some(Troop::Foot) {
            self.say(at, "traits", "only foot have pikes (HH-119): type = \"F\", or no Pk");
        }
        if traits.has(Traits::ELEPHANT) != (troop == Some(Troop::Elephant)) {
            self.say(at, "traits", "type El and characteristic El go together (HH-245): both, or neither");
        }
        if traits.has(Traits::COMBINED) && !matches!(shooting, Some(Shooting::Score(_))) {
            self.say(
                at,
                "traits",
                "combined arms need a shooting score (HH-128): shooting = \"7+\", or no CA",
            );
        }
        usual
    }

    fn label(&mut self, at: At<'a>, name: &str, before: &[UnitLine]) -> String {
        let letters: String = name.chars().filter(char::is_ascii_alphabetic).take(3).collect();
        let label = self.words(at, "label", "letters in quotation marks").map_or(letters, str::to_owned);
        let letters = label.chars().all(|c| c.is_ascii_alphabetic());
        if label.is_empty() || !letters || label.eq_ignore_ascii_case("gen") {
            let what =
                format!("label `{label}`: letters only, like label = \"Kni\", and `Gen` is for generals");
            self.say(at, "label", what);
        }
        if before.iter().any(|l| l.profile.label.eq_ignore_ascii_case(&label) && l.profile.name != name) {
            let what =
                format!("label `{label}` is taken by another line: give it its own with label = \"…\"");
            self.say(at, "label", what);
        }
        label
    }

    fn unit(&mut self, at: At<'a>, t: &Tables, before: &[UnitLine]) -> Option<UnitLine> {
        let already = self.wrong.len();
        self.known(at, UNIT);
        for (key, right) in [
            ("name", "name = \"Knights\""),
            ("type", "type = \"F\", \"M\", \"W\" or \"El\" (HH-006)"),
            ("class", "class = \"A\" to \"E\" (HH-007)"),
            ("speed", "speed = 1 to 5 (HH-082)"),
            ("factor", "factor = 0 to 9, its combat factor"),
        ] {
            if !at.o.contains_key(key) {
                self.say(at, key, format!("{key} is missing: {right}"));
            }
        }
        let name = self.words(at, "name", "a name in quotation marks").unwrap_or("").to_owned();
        let word = self.words(at, "type", "\"F\", \"M\", \"W\" or \"El\" (HH-006)");
        let troop = word.and_then(Troop::read);
        if let (Some(word), None) = (word, troop) {
            self.say(at, "type", format!("type `{word}` does not exist: F, M, W or El (HH-006)"));
        }
        let word = self.words(at, "class", "\"A\" to \"E\" (HH-007)");
        let class = word.and_then(Class::read);
        if let (Some(word), None) = (word, class) {
            self.say(at, "class", format!("class `{word}` does not exist: A to E (HH-007)"));
        }
        let word = if at.o.contains_key("shooting") {
            self.words(at, "shooting", "in quotation marks: \"none\", \"7+\" or the kind of artillery")
        } else {
            Some("")
        };
        let shooting = word.and_then(|w| t.shooting(w));
        if let (Some(word), None) = (word, shooting) {
            let kinds: Vec<&str> = t.artillery.iter().map(|a| a.name.as_str()).collect();
            let what = format!("shooting `{word}` does not exist: none, 5+ to 8+, {}", kinds.join(", "));
            self.say(at, "shooting", what);
        }
        let mut number =
            |key: &str, most: i64, what: &dyn Fn(&Value) -> String, least: i64| match at.o.get(key) {
                None => 0,
                Some(v) => match v.as_i64().filter(|n| (least..=most).contains(n)) {
                    Some(n) => n as u8,
                    None => {
                        self.say(at, key, what(v));
                        0
                    }
                },
            };
        let speed = number("speed", 5, &|v| format!("speed {v}: 1 to 5 hexes (HH-082)"), 1);
        let factor = number("factor", 9, &|v| format!("combat factor {v}: 0 to 9"), 0);
        let impact =
            number("impact", 6, &|v| format!("impact bonus {v}: 0 to 4, and 6 for pike blocks (HH-209)"), 0);
        let traits = self.traits(at);
        let count = self.count(at);
        let stands = self.fits(at, t, traits, troop, shooting);
        let label = self.label(at, &name, before);
        match (troop, class, shooting) {
            (Some(troop), Some(class), Some(shooting)) if self.wrong.len() == already => Some(UnitLine {
                profile: Profile {
                    name,
                    label,
                    troop,
                    class,
                    speed,
                    factor,
                    impact,
                    shooting,
                    traits,
                    stands,
                },
                count,
            }),
            _ => None,
        }
    }

    fn expect(&mut self, list: At<'a>) -> Option<Totals> {
        let v = list.o.get("expect")?;
        let Some(o) = v.as_object() else {
            self.say(list, "expect", format!("expect = {v}: a table with {}", EXPECT.join(", ")));
            return None;
        };
        let at = At { kind: "expect", n: 0, o };
        self.known(at, EXPECT);
        let mut get = |key: &str| {
            if !o.contains_key(key) {
                self.say(at, key, format!("{key} is missing: {}", EXPECT.join(", ")));
            }
            self.whole(at, key, 0..=30_000, "a whole number").unwrap_or(0) as u16
        };
        Some(Totals {
            points: get("points") as i16,
            elements: get("elements"),
            stands: get("stands"),
            breaks_at: get("breaks_at"),
            fast: get("fast"),
        })
    }
}

/// A list from its value; with the text of its file messages have lines.
pub(super) fn army(value: &Value, t: &Tables, file: &str, text: Option<&str>) -> Result<Army, BadArmy> {
    let Some(o) = value.as_object() else {
        return Err(BadArmy(vec![format!(
            "{file}: {value} is no army: the name of a list, or a list written out"
        )]));
    };
    let mut r = Reader { file, text, wrong: Vec::new() };
    let list = At { kind: "", n: 0, o };
    r.known(list, ARMY);
    if !o.contains_key("name") {
        r.say(
            list,
            "name",
            "name is missing: the army's name, like name = \"My army\", before the first [[…]]",
        );
    }
    let name = r.words(list, "name", "a name in quotation marks").unwrap_or("").to_owned();
    let mut stated = Vec::new();
    let mut generals = Vec::new();
    for at in r.tables(list, "general") {
        let (line, points) = r.general(at, t);
        generals.push(line);
        stated.push(points);
    }
    let mut units: Vec<UnitLine> = Vec::new();
    for at in r.tables(list, "unit") {
        let points = r.points(at);
        if let Some(line) = r.unit(at, t, &units) {
            units.push(line);
        }
        stated.push(points);
    }
    let mut special = Vec::new();
    match o.get("special") {
        None => {}
        Some(Value::Array(all)) if all.iter().all(Value::is_string) => {
            special = all.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        Some(v) => r.say(list, "special", format!("special = {v}: a list of sentences, like [\"…\"]")),
    }
    let expect = r.expect(list);
    if r.wrong.is_empty() {
        Ok(Army { name, generals, units, special, expect, stated })
    } else {
        Err(BadArmy(r.wrong))
    }
}
