//! The library of weapons, qualities, traits and profiles: what is shipped, and what a file adds.

use crate::arms::{
    Class, DamageDice, DamageType, Named, Profile, Quality, QualityNote, Reach, Talent, Trait9, Unnatural,
    Weapon,
};
use crate::problem::{Severity, meant, nearest};
use crate::reader::{Doc, Table, Word};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Everything that may be named in an encounter.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// By id.
    pub weapons: BTreeMap<String, Arc<Weapon>>,
    /// By id.
    pub profiles: BTreeMap<String, Arc<Profile>>,
    /// Qualities by id.
    pub qualities: Arc<BTreeMap<String, QualityNote>>,
    /// Traits and talents by id, with name and a line about each.
    pub traits: Arc<BTreeMap<String, (String, String)>>,
}

/// The commands that list what ships.
pub(crate) const LIST_WEAPONS: &str = "muster horde weapons";
/// As above.
pub(crate) const LIST_PROFILES: &str = "muster horde profiles";

/// The library as shipped.
pub fn shipped() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut library = Library {
            qualities: Arc::new(read_notes(
                "qualities.toml",
                include_str!("../../../data/horde/qualities.toml"),
            )),
            traits: Arc::new(read_traits("traits.toml", include_str!("../../../data/horde/traits.toml"))),
            ..Library::default()
        };
        for (file, text) in SHIPPED {
            let doc = Doc::new(file, text);
            if let Some(root) = doc.parse() {
                library.extend(&Table::root(&doc, &root, file));
            }
        }
        library
    })
}

const SHIPPED: [(&str, &str); 2] = [
    ("weapons.toml", include_str!("../../../data/horde/weapons.toml")),
    ("profiles.toml", include_str!("../../../data/horde/profiles.toml")),
];

fn read_notes(file: &str, text: &str) -> BTreeMap<String, QualityNote> {
    let doc = Doc::new(file, text);
    let Some(root) = doc.parse() else { return BTreeMap::new() };
    let read = |t: &Table<'_, '_>| {
        let id = t.text("id")?.text;
        let note = QualityNote {
            name: t.text("name")?.text,
            horde: t.text("horde")?.text,
            rule: t.text("rule")?.text,
            note: t.text("note")?.text,
        };
        Some((id, note))
    };
    Table::root(&doc, &root, file).tables("quality").iter().filter_map(read).collect()
}

fn read_traits(file: &str, text: &str) -> BTreeMap<String, (String, String)> {
    let doc = Doc::new(file, text);
    let Some(root) = doc.parse() else { return BTreeMap::new() };
    let read = |t: &Table<'_, '_>| Some((t.text("id")?.text, (t.text("name")?.text, t.text("note")?.text)));
    Table::root(&doc, &root, file).tables("trait").iter().filter_map(read).collect()
}

/// Characteristics that a profile cannot do without.
const NEEDED: [Trait9; 6] = [Trait9::Ws, Trait9::Bs, Trait9::S, Trait9::T, Trait9::Ag, Trait9::Wp];

/// A name as an id: `Power Field` and `power-field` are `power_field`.
pub fn as_id(name: &str) -> String {
    let mut id = String::new();
    for c in name.trim().chars() {
        if c.is_alphanumeric() {
            id.extend(c.to_lowercase());
        } else if !id.is_empty() && !id.ends_with('_') {
            id.push('_');
        }
    }
    id.trim_end_matches('_').to_owned()
}

/// `Blast (3)` → (`blast`, 3).
fn split_figure(text: &str) -> (String, Option<i32>) {
    if let Some((name, rest)) = text.rsplit_once('(')
        && let Ok(n) = rest.trim_end_matches(')').trim().trim_start_matches('+').parse::<i32>()
        && (0..=99).contains(&n)
    {
        return (as_id(name), Some(n));
    }
    (as_id(text), None)
}

impl Library {
    /// Adds the `[[weapon]]` and `[[profile]]` tables of a document; what is wrong goes to the document.
    pub(crate) fn extend(&mut self, root: &Table<'_, '_>) {
        for t in root.tables("weapon") {
            if let Some(w) = self.weapon(t) {
                self.weapons.insert(w.id.clone(), Arc::new(w));
            }
        }
        for mut t in root.tables("profile") {
            let Some(id) = self.id(&mut t) else { continue };
            let name = t.text("name").map_or_else(|| id.clone(), |w| w.text);
            if let Some(p) = self.profile(&t, None, id, name) {
                self.profiles.insert(p.id.clone(), Arc::new(p));
            }
            t.finish();
        }
    }

    /// Adds the weapons and profiles of a text.
    ///
    /// # Errors
    /// Everything wrong with it.
    pub fn read_more(&mut self, file: &str, text: &str) -> Result<(), crate::problem::Problems> {
        let doc = Doc::new(file, text);
        if let Some(root) = doc.parse() {
            self.extend(&Table::root(&doc, &root, file));
        }
        let problems = crate::problem::Problems(doc.into_problems());
        if problems.has_errors() { Err(problems) } else { Ok(()) }
    }

    fn id(&self, t: &mut Table<'_, '_>) -> Option<String> {
        let Some(word) = t.text("id") else {
            t.doc().error(
                t.at(),
                format!("a {} has no `id`", t.what),
                Some("add id = \"one_word\"".to_owned()),
            );
            return None;
        };
        let id = as_id(&word.text);
        if id != word.text || id.is_empty() {
            t.doc().error(
                word.at,
                format!("the id `{}` is not one plain word", word.text),
                Some(format!("`{}` would be right", if id.is_empty() { "some_word" } else { &id })),
            );
        }
        t.what = format!("{} `{}`", t.what, word.text);
        Some(id)
    }

    fn weapon(&self, mut t: Table<'_, '_>) -> Option<Weapon> {
        let id = self.id(&mut t)?;
        let name = t.text("name").map_or_else(|| id.clone(), |w| w.text);
        let class = self.one_of(&t, "class", Class::words(), Class::read);
        let damage = match t.text("damage") {
            Some(w) => {
                let dice = DamageDice::read(&w.text);
                if dice.is_none() {
                    t.doc().error(
                        w.at,
                        format!("{}: `{}` is not a damage", t.what, w.text),
                        Some("1d10, 2d10+4 or 1d5-3 would be right".to_owned()),
                    );
                }
                dice
            }
            None => {
                t.doc().error(
                    t.at(),
                    format!("{} has no `damage`", t.what),
                    Some("damage = \"1d10+3\"".to_owned()),
                );
                None
            }
        };
        let kind = self.one_of(&t, "type", &["E", "I", "R", "X"], DamageType::read);
        let reach = self.reach(&t, class);
        let rof = t.ints("rof", 0..=99);
        let rof = match rof.as_deref() {
            None => (class != Some(Class::Melee), 0, 0),
            Some([s, semi, full]) => (*s > 0, *semi, *full),
            Some(_) => {
                t.doc().error(
                    t.at(),
                    format!("{}: `rof` needs three numbers", t.what),
                    Some("rof = [1, 3, 10]: single, semi, full; 0 where there is none".to_owned()),
                );
                (true, 0, 0)
            }
        };
        let pen = t.int("pen", 0..=99).unwrap_or(0);
        let clip = t.int("clip", 0..=9999).unwrap_or(0);
        let grenade = t.flag("grenade").unwrap_or(false);
        let psychic = t.flag("psychic").unwrap_or(false);
        let qualities = self.qualities(&t);
        t.finish();
        let weapon = Weapon {
            id,
            name,
            class: class?,
            reach: reach?,
            rof,
            damage: damage?,
            kind: kind?,
            pen,
            clip,
            grenade,
            psychic,
            qualities,
        };
        Some(weapon)
    }

    fn reach(&self, t: &Table<'_, '_>, class: Option<Class>) -> Option<Reach> {
        if class == Some(Class::Melee) {
            if t.entries().any(|(k, _)| k == "range") {
                t.doc().error(t.at(), format!("{} is a melee weapon and has no `range`", t.what), None);
            }
            return Some(Reach::Melee);
        }
        match t.entries().find(|(k, _)| *k == "range") {
            Some((_, v)) if v.get_ref().is_str() => {
                let w = t.text("range")?;
                let text = w.text.to_lowercase().replace('×', "x");
                let n = text.strip_prefix("sbx").and_then(|n| n.trim().parse::<i32>().ok());
                if n.is_none_or(|n| !(1..=99).contains(&n)) {
                    t.doc().error(
                        w.at,
                        format!("{}: `{}` is no range", t.what, w.text),
                        Some("a number of metres, or \"SBx3\"".to_owned()),
                    );
                }
                n.map(Reach::StrengthTimes)
            }
            Some(_) => t.int("range", 1..=100_000).map(Reach::Metres),
            None => {
                t.doc().error(
                    t.at(),
                    format!("{} has no `range`", t.what),
                    Some("range = 100 (metres)".to_owned()),
                );
                None
            }
        }
    }

    fn one_of<T>(
        &self,
        t: &Table<'_, '_>,
        key: &'static str,
        words: &[&str],
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let Some(w) = t.text(key) else {
            t.doc().error(
                t.at(),
                format!("{} has no `{key}`", t.what),
                Some(format!("one of {}", words.join(", "))),
            );
            return None;
        };
        let got = read(&w.text);
        if got.is_none() {
            t.doc().error(
                w.at,
                format!("{}: `{key}` cannot be `{}`", t.what, w.text),
                Some(format!("one of {}", words.join(", "))),
            );
        }
        got
    }

    /// HC-135: an unknown quality is kept as text and has no effect on Hordes; a warning says so.
    fn qualities(&self, t: &Table<'_, '_>) -> Named<Quality> {
        let mut named = Named::default();
        for w in t.words("qualities").unwrap_or_default() {
            let (id, figure) = split_figure(&w.text);
            if !self.qualities.contains_key(&id) {
                let near = nearest(&id, self.qualities.keys().map(String::as_str))
                    .and_then(|id| self.qualities.get(id))
                    .map(|q| format!("did you mean `{}`?", q.name));
                t.doc().report(
                    Severity::Warning,
                    w.at,
                    format!(
                        "{}: the quality `{}` is not known; it is kept and has no effect on Hordes (HC-135)",
                        t.what, w.text
                    ),
                    near,
                );
            } else if let Some(q) = Quality::read(&id) {
                if figure.is_none()
                    && matches!(
                        q,
                        Quality::Blast
                            | Quality::Devastating
                            | Quality::Felling
                            | Quality::Primitive
                            | Quality::Proven
                    )
                {
                    t.doc().error(
                        w.at,
                        format!("{}: the quality `{}` needs its figure", t.what, w.text),
                        Some(format!("`{} (3)` would be right", w.text)),
                    );
                }
                named.known.insert(q, figure.unwrap_or(0));
            }
            named.texts.push(w.text);
        }
        named
    }

    fn traits(&self, t: &Table<'_, '_>, words: Vec<Word>, named: &mut Named<Talent>) {
        for w in words {
            let (id, figure) = split_figure(&w.text);
            if !self.traits.contains_key(&id) {
                let near = nearest(&id, self.traits.keys().map(String::as_str))
                    .and_then(|id| self.traits.get(id))
                    .map(|(name, _)| format!("did you mean `{name}`?"));
                t.doc().report(
                    Severity::Warning,
                    w.at,
                    format!(
                        "{}: the trait or talent `{}` is not known; it is kept as a note and does nothing",
                        t.what, w.text
                    ),
                    near,
                );
            } else if let Some(q) = Talent::read(&id) {
                named.known.insert(q, figure.unwrap_or(0));
            }
            named.texts.push(w.text);
        }
    }

    /// Reads the keys of a profile from a table, on top of `base` if there is one: so a combatant of an
    /// encounter may change single values of his profile.
    pub(crate) fn profile(
        &self,
        t: &Table<'_, '_>,
        base: Option<&Profile>,
        id: String,
        name: String,
    ) -> Option<Profile> {
        let mut values = base.map_or([0; 9], |b| b.values);
        let mut missing = Vec::new();
        for c in Trait9::ALL {
            match t.int(c.key(), 0..=199) {
                Some(v) => values[c as usize] = v,
                // A wrong value was reported where it stands.
                None if base.is_none() && NEEDED.contains(&c) && !t.entries().any(|(k, _)| k == c.key()) => {
                    missing.push(format!("{} (`{}`)", c.name(), c.key()));
                }
                None => {}
            }
        }
        if !missing.is_empty() {
            t.doc().error(
                t.at(),
                format!("{} has no {}", t.what, missing.join(", ")),
                Some("give the value, for instance t = 35; or name a `profile` to start from".to_owned()),
            );
        }
        let mut unnatural = base.map_or([Unnatural::Plain(0); 9], |b| b.unnatural);
        if let Some(u) = t.table("unnatural") {
            self.unnatural(&u, &mut unnatural);
        }
        let mut traits = base.map(|b| b.traits.clone()).unwrap_or_default();
        if let Some(words) = t.words("traits") {
            traits = Named::default();
            self.traits(t, words, &mut traits);
        }
        if let Some(words) = t.words("more_traits") {
            self.traits(t, words, &mut traits);
        }
        let mut weapons = base.map(|b| b.weapons.clone()).unwrap_or_default();
        if let Some(words) = t.words("weapons") {
            weapons.clear();
            for w in words {
                let id = as_id(&w.text);
                if self.weapons.contains_key(&id) {
                    weapons.push(id);
                } else {
                    t.doc().error(
                        w.at,
                        format!("{}: there is no weapon `{}`", t.what, w.text),
                        Some(meant(&id, self.weapons.keys().map(String::as_str), LIST_WEAPONS)),
                    );
                }
            }
        }
        let get = |key, range, old: Option<i32>, fresh: i32| t.int(key, range).or(old).unwrap_or(fresh);
        let ap = get("ap", 0..=99, base.map(|b| b.ap), 0);
        let head = match base {
            Some(b) if b.head_ap != b.ap => b.head_ap,
            _ => ap,
        };
        let ag = values[Trait9::Ag as usize];
        let ws = values[Trait9::Ws as usize];
        let profile = Profile {
            dodge: get("dodge", 0..=199, base.map(|b| b.dodge), ag),
            parry: get("parry", 0..=199, base.map(|b| b.parry), ws),
            ap,
            head_ap: get("head_ap", 0..=99, None, head),
            wounds: get("wounds", 0..=999, base.map(|b| b.wounds), 0),
            magnitude: get("magnitude", 0..=999, base.map(|b| b.magnitude), 0),
            psy: get("psy", 0..=99, base.map(|b| b.psy), 0),
            wade: t.flag("wade").or(base.map(|b| b.wade)).unwrap_or(false),
            id,
            name,
            values,
            unnatural,
            weapons,
            traits,
        };
        missing.is_empty().then_some(profile)
    }

    fn unnatural(&self, t: &Table<'_, '_>, out: &mut [Unnatural; 9]) {
        for (key, v) in t.entries() {
            let Some(c) = Trait9::ALL.into_iter().find(|c| c.key() == key) else {
                t.doc().error(
                    v.span().start,
                    format!("{}: there is no characteristic `{key}`", t.what),
                    None,
                );
                continue;
            };
            let read = |s: &str| {
                let (make, n): (fn(i32) -> Unnatural, &str) = match s.split_at_checked(1) {
                    Some(("+", n)) => (Unnatural::Plus, n),
                    Some(("x" | "X", n)) => (Unnatural::Times, n),
                    _ => (Unnatural::Plain, s),
                };
                n.trim().parse::<i32>().ok().filter(|n| (0..=20).contains(n)).map(make)
            };
            let got = match (v.get_ref().as_str(), v.get_ref().as_integer()) {
                (Some(s), _) => read(s),
                (_, Some(i)) => read(i.as_str()),
                _ => None,
            };
            match got {
                Some(u) => out[c as usize] = u,
                None => t.doc().error(
                    v.span().start,
                    format!("{}: `{key}` is no Unnatural Characteristic", t.what),
                    Some(
                        "\"+4\" (added to the bonus), \"x2\" (multiplied) or a number from 0 to 20"
                            .to_owned(),
                    ),
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_reads_without_a_problem_and_is_large_enough() {
        let mut library = shipped().clone();
        for (file, text) in SHIPPED {
            let doc = Doc::new(file, text);
            let root = doc.parse().unwrap();
            let table = Table::root(&doc, &root, file);
            library.extend(&table);
            assert_eq!(doc.into_problems(), [], "{file}");
        }
        assert!(library.weapons.len() >= 40, "{}", library.weapons.len());
        assert!(library.profiles.len() >= 15, "{}", library.profiles.len());
        for q in Quality::ALL {
            assert!(library.qualities.contains_key(q.id()), "{}", q.id());
        }
        for t in Talent::ALL {
            assert!(library.traits.contains_key(t.id()), "{}", t.id());
        }
    }

    #[test]
    fn a_quality_s_effect_on_hordes_is_one_of_four_words() {
        for q in shipped().qualities.values() {
            assert!(["hits", "kept", "none", "extra"].contains(&q.horde.as_str()), "{q:?}");
        }
    }
}
