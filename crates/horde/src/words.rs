//! Commands in words: the one text form parsed, and what people type instead.

use crate::attack::Attack;
use crate::command::{Command, Ruling, Told};
use crate::document::plain_usual;
use crate::problem::nearest;
use crate::state::{How, State};
use crate::unit::{Action, Aim, Band, Mod, Unit, UnitId, Usual};
pub use crate::words_print::print;
pub(crate) use crate::words_print::{print_how, print_usual};
pub(crate) use crate::words_tokens::{Reader, face, problem, whole};
use game::Problem;
use std::sync::Arc;

/// Parts of an attack as they are read, before defaults fill the gaps.
#[derive(Default)]
pub(crate) struct Parts {
    action: Option<Action>,
    full_auto: Option<bool>,
    weapon: Option<Arc<str>>,
    band: Option<Band>,
    metres: Option<i32>,
    pub(crate) aim: Option<Aim>,
    mods: Vec<Mod>,
    plain: bool,
    /// HC-025: not unbraced, whatever the usual attack says.
    braced: bool,
    at: Vec<UnitId>,
    all: bool,
    pub(crate) told: Told,
}

fn action_word(word: &str) -> Option<Action> {
    let whole: String = word.chars().filter(|c| !matches!(c, '-' | '_')).collect();
    // `semi-auto` and `full-auto-burst` are the word that they begin with.
    let bare = ["burst", "auto", "attack", "action", "shot", "fire"].iter().fold(whole.as_str(), |w, end| {
        w.strip_suffix(end).filter(|rest| Action::read(rest).is_some() || rest.ends_with("auto")).unwrap_or(w)
    });
    Some(match bare {
        "std" | "attack" | "attacks" | "single" => Action::Standard,
        "stuns" => Action::Stun,
        "grapples" | "grabs" => Action::Grapple,
        "suppresses" | "suppressing" | "suppression" | "suppressive" => Action::Suppress,
        "charges" => Action::Charge,
        "burst" => Action::Semi,
        "auto" => Action::Full,
        w => Action::read(w)?,
    })
}

/// What people say after the word of an action, and what adds nothing to it: a Swift Attack, a Called Shot.
const AFTER_ACTION: &[&str] = &["attack", "attacks", "action", "shot", "burst", "auto", "fire"];

impl Reader<'_> {
    /// Reads what describes an attack of `by`, in any order, to the end.
    pub(crate) fn parts(&mut self, by: UnitId, with_targets: bool) -> Result<Parts, Problem> {
        let mut p = Parts::default();
        // After "3 dos" or "2 hits" bare numbers are damages.
        let mut damages = false;
        while let Some(t) = self.peek().cloned() {
            if t.quoted {
                return Err(self
                    .here(problem(format!("\"{}\" names no modifier", t.text)).hint("+10 \"high ground\"")));
            }
            let signed = t.text.starts_with(['+', '-']);
            if let (true, Some(value)) = (signed, whole(&t.text)) {
                self.counted(&t.text, value, damages)?;
                p.mods.push(self.named_mod(&t.text, value)?);
                continue;
            }
            if let Some(n) = whole(&t.text) {
                self.number(n, &mut p, &mut damages)?;
                continue;
            }
            if let Some(m) = t.text.strip_suffix('m').and_then(whole) {
                p.metres = Some(self.metres(m)?);
                self.at += 1;
                continue;
            }
            if self.keyword(by, &t.text, &mut p)? {
                continue;
            }
            if with_targets && !p.all && self.take(&["all", "everybody"]) {
                p.all = true;
                continue;
            }
            if with_targets && self.state.by_label(&t.text).is_some() {
                p.at.push(self.who()?);
                continue;
            }
            if let Some(w) = self.weapon_word(by, &t.text)? {
                self.at += 1;
                p.weapon = Some(w);
                continue;
            }
            if with_targets && self.find(&t.text)?.is_some() {
                p.at.push(self.who()?);
                continue;
            }
            return Err(self.unknown(by, &t.text));
        }
        Ok(p)
    }

    /// A number with a sign is a modifier, unless what follows it, or what went before, shows that it was to count
    /// something, which nothing below nought can.
    fn counted(&self, text: &str, value: i32, damages: bool) -> Result<(), Problem> {
        let next = self.words.get(self.at + 1);
        let word = next.filter(|t| !t.quoted).map_or("", |t| t.text.as_str());
        let (what, most) = match word {
            "hits" | "hit" => ("hits", 200),
            "dos" | "degrees" | "degree" => ("degrees", 99),
            "m" | "metres" | "meters" => ("metres", 9999),
            _ if damages
                && value < 0
                && !next
                    .is_some_and(|t| t.quoted || self.state.options.t().modifier.contains_key(&t.text)) =>
            {
                ("damage", 999)
            }
            _ => return Ok(()),
        };
        Err(self.here(
            problem(format!("{text} {what}")).hint(format!("0 to {most} would be right, without a sign")),
        ))
    }

    fn metres(&self, m: i32) -> Result<i32, Problem> {
        if (0..=9999).contains(&m) {
            return Ok(m);
        }
        let text = self.peek().map(|t| t.text.clone()).unwrap_or_default();
        Err(self.here(problem(format!("a range of {text}")).hint("0m to 9999m would be right")))
    }

    fn named_mod(&mut self, text: &str, value: i32) -> Result<Mod, Problem> {
        if !(-999..=999).contains(&value) {
            return Err(
                self.here(problem(format!("a modifier of {text}")).hint("-999 to +999 would be right"))
            );
        }
        self.at += 1;
        let name = match self.peek().cloned() {
            Some(t) if t.quoted => {
                self.at += 1;
                t.text.replace('"', "'")
            }
            Some(t) if self.state.options.t().modifier.contains_key(&t.text) => {
                self.at += 1;
                t.text
            }
            _ => String::new(),
        };
        Ok(Mod { name, value })
    }

    fn number(&mut self, n: i32, p: &mut Parts, damages: &mut bool) -> Result<(), Problem> {
        let text = self.peek().map(|t| t.text.clone()).unwrap_or_default();
        self.at += 1;
        if self.take(&["hits", "hit"]) {
            if !(0..=200).contains(&n) {
                return Err(self.here(problem(format!("{text} hits")).hint("0 to 200 would be right")));
            }
            p.told.hits = Some(n);
            *damages = true;
        } else if self.take(&["dos", "degrees", "degree"]) {
            if !(0..=99).contains(&n) {
                return Err(self.here(problem(format!("{text} degrees")).hint("0 to 99 would be right")));
            }
            p.told.degrees = Some(n);
            *damages = true;
        } else if self.take(&["m", "metres", "meters"]) {
            self.at -= 2;
            p.metres = Some(self.metres(n)?);
            self.at += 2;
        } else if *damages {
            if !(0..=999).contains(&n) {
                return Err(self.here(problem(format!("a damage of {text}")).hint("0 to 999 would be right")));
            }
            p.told.damage.push(n);
        } else {
            self.at -= 1;
            return Err(self.here(
                problem(format!("what is {text}?"))
                    .hint("`roll 34`, `3 dos`, `2 hits`, `damage 11 9`, `dice 2 6`, `40m` or `+10`"),
            ));
        }
        Ok(())
    }

    fn keyword(&mut self, by: UnitId, word: &str, p: &mut Parts) -> Result<bool, Problem> {
        if p.action.is_some() && word == "at" {
            self.at += 1;
            return Ok(true);
        }
        match word {
            "at" | "with" | "and" | "on" | "vs" => self.at += 1,
            "semi" | "full" if p.action == Some(Action::Suppress) => {
                self.at += 1;
                p.full_auto = Some(word == "full");
                self.after_action(by)?;
            }
            "aim" | "aimed" | "aims" => {
                self.at += 1;
                p.aim = Some(if self.take(&["full"]) {
                    Aim::Full
                } else if self.take(&["none"]) {
                    Aim::None
                } else {
                    _ = self.take(&["half"]);
                    Aim::Half
                });
            }
            "roll" | "rolls" | "rolled" => {
                self.at += 1;
                p.told.rolls = self.dice("a d100", 100)?;
            }
            "dice" => {
                self.at += 1;
                p.told.dice = self.dice("a die", 10)?;
            }
            "damage" | "damages" => {
                self.at += 1;
                while self.peek().is_some_and(|t| whole(&t.text).is_some()) {
                    let n = self.wanted_int("a damage", 0, 999)?;
                    p.told.damage.push(n);
                }
            }
            "catching" | "catches" => {
                self.at += 1;
                p.told.caught = self.several()?;
            }
            "misses" | "miss" => {
                self.at += 1;
                p.told.hits = Some(0);
            }
            "plain" => {
                self.at += 1;
                p.plain = true;
            }
            "braced" => {
                self.at += 1;
                p.braced = true;
            }
            "unbraced" => {
                self.at += 1;
                p.mods.push(Mod { name: word.to_owned(), value: self.state.options.t().quality.unbraced });
            }
            _ => {
                let next = self.words.get(self.at + 1).filter(|t| !t.quoted).map_or("", |t| t.text.as_str());
                // Names of two words are one in the tables: `into melee`, `all out`, `point blank`.
                let two = format!("{word}_{next}");
                let one = word.replace('-', "_");
                let modifier = &self.state.options.t().modifier;
                let named = [(two.as_str(), 2), (one.as_str(), 1)]
                    .into_iter()
                    .find_map(|(name, n)| modifier.get_key_value(name).map(|(k, v)| (k.clone(), *v, n)));
                if let Some((name, value, n)) = named {
                    self.at += n;
                    p.mods.push(Mod { name, value });
                } else if let Some(band) = Band::read(word).or(match one.as_str() {
                    "pointblank" | "point_blank" => Some(Band::PointBlank),
                    "point" if next == "blank" => Some(Band::PointBlank),
                    _ => None,
                }) {
                    self.at += if word == "point" { 2 } else { 1 };
                    p.band = Some(band);
                } else if word == "all" && matches!(next, "out" | "out-attack") {
                    self.at += 2;
                    p.action = Some(Action::AllOut);
                    self.after_action(by)?;
                } else if let Some(action) = action_word(word) {
                    self.at += 1;
                    p.action = Some(action);
                    self.after_action(by)?;
                } else {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Passes over what adds nothing to an action, unless it is the beginning of a weapon's name (`shot` of a shotgun).
    fn after_action(&mut self, by: UnitId) -> Result<(), Problem> {
        while let Some(t) =
            self.peek().filter(|t| !t.quoted && AFTER_ACTION.contains(&t.text.as_str())).cloned()
        {
            if t.text != "auto" && self.weapon_word(by, &t.text)?.is_some() {
                break;
            }
            self.at += 1;
        }
        Ok(())
    }

    pub(crate) fn weapon_word(&self, by: UnitId, word: &str) -> Result<Option<Arc<str>>, Problem> {
        let u = self.state.unit(by);
        if let Some(w) = u.weapon(word) {
            return Ok(Some(w.id.as_str().into()));
        }
        let fits: Vec<&str> =
            u.weapons.iter().map(|w| w.id.as_str()).filter(|id| id.starts_with(word)).collect();
        match fits.as_slice() {
            [one] => Ok(Some((*one).into())),
            [] => Ok(None),
            many => Err(self.here(problem(format!("`{word}` may be {}", many.join(" or "))))),
        }
    }

    fn unknown(&self, by: UnitId, word: &str) -> Problem {
        let u = self.state.unit(by);
        let weapons = u.weapons.iter().map(|w| w.id.as_str());
        let labels = self.state.units.iter().map(|u| &*u.label);
        let words = Action::ALL.iter().map(|a| a.word()).chain(Band::ALL.iter().map(|b| b.word()));
        let mods = self.state.options.t().modifier.keys().map(String::as_str);
        let near = nearest(word, weapons.chain(labels).chain(words).chain(mods));
        let carried: Vec<&str> = u.weapons.iter().map(|w| w.id.as_str()).collect();
        let hint = near.map_or_else(
            || match carried.as_slice() {
                [] => format!("{} carries nothing", u.label),
                _ => format!("{} carries {}", u.label, carried.join(", ")),
            },
            |n| format!("did you mean {n}?"),
        );
        self.here(
            problem(format!(
                "`{word}` is neither a word of an attack, nor a weapon of {}, nor anybody here",
                u.label
            ))
            .hint(hint),
        )
    }

    /// Fills the gaps: the usual attack, the first weapon that can, the only target.
    pub(crate) fn how(&self, by: UnitId, p: &Parts, melee_wanted: Option<bool>) -> Result<How, Problem> {
        let u = self.state.unit(by);
        let melee = melee_wanted
            .or_else(|| p.weapon.as_deref().and_then(|w| u.weapon(w)).map(|w| w.is_melee()))
            .or_else(|| {
                p.action.and_then(|a| {
                    let row = a.row(&self.state.options);
                    (row.melee != row.ranged).then_some(row.melee)
                })
            })
            .or_else(|| (p.band.is_some() || p.metres.is_some()).then_some(false))
            .unwrap_or_else(|| match &u.usual {
                [_, Some(_)] => false,
                [Some(_), None] => true,
                _ => u.weapons.first().is_some_and(|w| w.is_melee()),
            });
        let usual = u.usual[usize::from(!melee)].clone().or_else(|| plain_usual(u, melee));
        let Some(usual) = usual else {
            let kind = if melee { "melee" } else { "ranged" };
            return Err(self.here(problem(format!("{} has no {kind} weapon", u.label))));
        };
        let weapon_id = match &p.weapon {
            Some(w) => w.clone(),
            // The usual weapon if it can, else the first that has the mode asked for.
            None => {
                let mode = p.full_auto.filter(|_| self.state.options.t().handling.stricter);
                let can = |id: &str| {
                    u.weapon(id).is_some_and(|w| match (p.action, mode) {
                        (Some(Action::Suppress), Some(true)) => w.rof.2 > 0,
                        (Some(Action::Suppress), Some(false)) => w.rof.1 > 0,
                        (a, _) => a.is_none_or(|a| has_mode(a, w)),
                    })
                };
                if can(&usual.weapon) {
                    usual.weapon.as_str().into()
                } else {
                    let fit = u.weapons.iter().find(|w| w.is_melee() == melee && can(&w.id));
                    fit.map_or_else(|| usual.weapon.as_str().into(), |w| w.id.as_str().into())
                }
            }
        };
        let Some(weapon) = u.weapon(&weapon_id) else {
            return Err(self.here(problem(format!("{} has no {weapon_id}", u.label))));
        };
        let same = *usual.weapon == *weapon_id;
        let action = p.action.unwrap_or_else(|| {
            if same && (usual.action.row(&self.state.options).melee || !melee) {
                usual.action
            } else {
                single_weapon(u, weapon_id.as_ref())
            }
        });
        let full_auto = action == Action::Suppress && p.full_auto.unwrap_or(weapon.rof.2 > 0);
        let band = match (p.band, p.metres) {
            _ if melee => Band::Normal,
            (Some(b), _) => b,
            (None, Some(m)) => {
                let o = &self.state.options;
                let sb = u.bonus(o, crate::arms::Trait9::S);
                let range = weapon.range_m(sb).unwrap_or(0);
                if weapon.is_spray() && m > range && o.t().handling.stricter {
                    let p = problem(format!("a cone reaches {range} m: {weapon_id} hits nothing at {m} m"));
                    return Err(self.here(p.by(rulebook::rule!("HC-070")).hint(format!("at most {range}m"))));
                }
                match Band::of(o, m, range) {
                    Some(b) => b,
                    None => {
                        let p =
                            problem(format!("{m} m is beyond the reach of {weapon_id} (range {range} m)"));
                        return Err(self
                            .here(p.by(rulebook::rule!("HC-030")).hint(format!("at most {} m", 4 * range))));
                    }
                }
            }
            (None, None) if same => usual.band,
            (None, None) => Band::Normal,
        };
        let aim = p.aim.unwrap_or_else(|| {
            let kept = u.person().map_or(Aim::None, |p| p.aim);
            if kept == Aim::None && same && p.action.is_none_or(|a| a == usual.action) {
                usual.aim
            } else {
                kept
            }
        });
        // Usual modifiers hold where none are named; `plain` means none at all.
        let mut mods =
            if same && p.mods.is_empty() && !p.plain { usual.mods.clone() } else { p.mods.clone() };
        mods.retain(|m| !(p.braced && m.name == "unbraced"));
        Ok(How { action, full_auto, weapon: weapon_id, band, aim, mods })
    }

    /// HC-160, HC-183: why there is nobody whom a Horde may attack hand to hand now.
    fn nobody_left(&self, by: UnitId) -> Problem {
        let u = self.state.unit(by);
        let label = &u.label;
        let words = |ids: &[UnitId]| {
            let all: Vec<&str> = ids.iter().map(|id| &*self.state.unit(*id).label).collect();
            all.join(", ")
        };
        let reach = u.horde().map(|h| h.engaged.iter().copied()).into_iter().flatten();
        let there: Vec<UnitId> = reach.filter(|id| self.state.unit(*id).fights()).collect();
        let fought = |id: &UnitId| u.horde().is_some_and(|h| h.fought.contains(id));
        let done: Vec<UnitId> = there.iter().copied().filter(fought).collect();
        if !done.is_empty() {
            let once = format!("{label} has attacked {} in this turn, and attacks each once", words(&done));
            return problem(once)
                .by(rulebook::rule!("HC-160"))
                .hint(format!("next; `{label} set fought no` is your word for once more"));
        }
        if !there.is_empty() {
            return problem(format!("nobody but who holds them attacks {}", words(&there)))
                .by(rulebook::rule!("HC-183"))
                .hint(format!("{label} squeezes {}", self.state.unit(there[0]).label));
        }
        problem(format!("nobody is within reach of {label}"))
            .by(rulebook::rule!("HC-160"))
            .hint(format!("name them, or `{label} engages LABEL`"))
    }

    pub(crate) fn targets(&self, by: UnitId, how: &How, p: &Parts) -> Result<Vec<UnitId>, Problem> {
        let u = self.state.unit(by);
        if p.all {
            let all: Vec<UnitId> = match u.horde() {
                Some(h) if u.weapon(&how.weapon).is_some_and(|w| w.is_melee()) => h
                    .engaged
                    .iter()
                    .copied()
                    .filter(|id| self.state.unit(*id).fights() && !h.fought.contains(id))
                    .filter(|id| crate::engine::shielded(self.state, by, *id).is_none())
                    .collect(),
                _ => self.state.enemies(by),
            };
            return if all.is_empty() { Err(self.here(self.nobody_left(by))) } else { Ok(all) };
        }
        if !p.at.is_empty() {
            return Ok(p.at.clone());
        }
        let usual =
            u.usual.iter().flatten().filter_map(|x| x.at.as_deref()).find_map(|l| self.state.by_label(l));
        if let Some(id) = usual
            && self.state.unit(id).fights()
        {
            return Ok(vec![id]);
        }
        match self.state.enemies(by).as_slice() {
            [one] => Ok(vec![*one]),
            [] => Err(self.here(problem("nobody is left to attack"))),
            many => {
                let labels: Vec<&str> = many.iter().map(|id| &*self.state.unit(*id).label).collect();
                Err(self.here(problem(format!("whom does {} attack?", u.label)).hint(labels.join(", "))))
            }
        }
    }
}

fn single_weapon(u: &Unit, id: &str) -> Action {
    match u.weapon(id) {
        Some(w) if !w.is_melee() && !w.rof.0 => {
            if w.rof.1 > 0 {
                Action::Semi
            } else {
                Action::Full
            }
        }
        _ => Action::Standard,
    }
}

fn has_mode(a: Action, w: &crate::arms::Weapon) -> bool {
    match a {
        Action::Semi => w.rof.1 > 0,
        Action::Full => w.rof.2 > 0,
        Action::Suppress => w.rof.1 > 0 || w.rof.2 > 0,
        _ => w.is_melee() || w.rof.0,
    }
}

/// Reads a usual attack of a document: `semi boltgun guard short aim half`. `melee` says which kind is meant.
pub(crate) fn read_usual(state: &State, by: UnitId, text: &str, melee: bool) -> Result<Usual, Problem> {
    let mut r = Reader::new(state, text);
    r.quotes_are_closed()?;
    let p = r.parts(by, true)?;
    if p.all || p.at.len() > 1 || p.told != Told::default() {
        return Err(problem(
            "a usual attack names an action, a weapon, a range, modifiers and at most one target",
        ));
    }
    let how = r.how(by, &p, Some(melee))?;
    if how.aim != Aim::None && state.unit(by).is_horde() && state.options.t().handling.strict {
        return Err(problem("a Horde does not aim").by(rulebook::rule!("HC-165")).hint("leave `aim` out"));
    }
    if state.unit(by).weapon(&how.weapon).is_some_and(|w| w.is_melee() != melee) {
        return Err(problem(format!(
            "{} is no {} weapon",
            how.weapon,
            if melee { "melee" } else { "ranged" }
        )));
    }
    // One file serves under any options, so what another option would allow is no mistake in it.
    let mut o = state.options;
    o.actions_table = crate::options::ActionsTable::Bc;
    o.horde_melee_forms = crate::options::HordeMeleeForms::AnyListed;
    if o.t().handling.stricter
        && let Some(attack) = attack_of(state, by, by, &how, false)
    {
        let attack = Attack { o: &o, ..attack };
        let no = attack.allowed().and_then(|()| {
            // Which of the two modes is the weapon's own matter where the text does not say.
            p.full_auto.map_or(Ok(()), |full| attack.allowed_suppression(full))
        });
        if let Err(no) = no {
            let p = problem(no.why).by(no.rule);
            return Err(match no.instead.filter(|i| !i.is_empty()) {
                Some(instead) => p.hint(instead),
                None => p,
            });
        }
    }
    let at = p.at.first().map(|id| state.unit(*id).label.to_string());
    let both = state.unit(by).weapon(&how.weapon).is_some_and(|w| w.rof.2 > 0);
    let usual = Usual {
        action: how.action,
        semi: how.action == Action::Suppress && !how.full_auto && both,
        weapon: how.weapon.to_string(),
        band: how.band,
        aim: how.aim,
        mods: how.mods,
        at,
    };
    Ok(usual)
}

/// Reads how an attack is made, all of it.
pub(crate) fn read_how(state: &State, by: UnitId, text: &str) -> Result<How, Problem> {
    let mut r = Reader::new(state, text);
    let p = r.parts(by, false)?;
    let plain = State { units: state.units.iter().map(without_usual).collect(), ..state.clone() };
    Reader { state: &plain, words: r.words, at: r.at, length: r.length, unclosed: None }.how(by, &p, None)
}

fn without_usual(u: &Unit) -> Unit {
    Unit { usual: [None, None], ..u.clone() }
}

/// Reads a command as people type it.
///
/// # Errors
/// What could not be read, with its column and a suggestion.
pub fn parse(state: &State, text: &str) -> Result<Command, Problem> {
    let (text, because) = split_because(text);
    let mut r = Reader::new(state, text);
    r.quotes_are_closed()?;
    let command = crate::words_read::read(&mut r)?;
    r.done()?;
    match command {
        Command::Ruling(ruling) => Ok(Command::Ruling(Ruling { because, ..ruling })),
        Command::Lose { who, n, .. } => Ok(Command::Lose { who, n, because }),
        _ if !because.is_empty() => Err(problem("only a ruling, a loss or a gain has a reason")
            .hint("leave `because …` out; a modifier is named in quotes: +10 \"high ground\"")),
        other => Ok(other),
    }
}

fn split_because(text: &str) -> (&str, String) {
    let low = text.to_ascii_lowercase();
    // A reason is none within quotes: they name a modifier.
    let outside = |at: &usize| low[..*at].matches('"').count().is_multiple_of(2);
    match low.match_indices(" because ").map(|(at, _)| at).find(outside) {
        Some(at) => {
            let reason = text[at + 9..].trim().trim_matches('"').replace('"', "'");
            (&text[..at], reason.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        None => (text, String::new()),
    }
}

/// An attack as the rules see it, from a state.
pub fn attack_of<'a>(
    state: &'a State,
    by: UnitId,
    at: UnitId,
    how: &'a How,
    accidental: bool,
) -> Option<Attack<'a>> {
    let unit = state.unit(by);
    Some(Attack {
        o: &state.options,
        by: unit,
        at: state.unit(at),
        weapon: unit.weapon(&how.weapon)?,
        action: how.action,
        band: how.band,
        aim: how.aim,
        mods: &how.mods,
        accidental,
        full_auto: how.full_auto,
        engaged: state.is_exact() && state.engaged_with(by, at),
        holds: state.is_exact() && !state.unit(at).is_horde() && state.holds_somebody(at),
    })
}
