//! Every command's words: what follows a label, and what stands alone.

use crate::command::{Command, From, Hold, Joins, Reaction, Rule, Ruling};
use crate::unit::{Aim, UnitId};
use crate::words::{Parts, Reader, problem, whole};
use crate::words_tokens::Token;
use game::Problem;

fn ruling(what: Rule) -> Command {
    Command::Ruling(Ruling { what, because: String::new() })
}

/// Reads one command, without looking whether anything follows it.
pub(crate) fn read(r: &mut Reader<'_>) -> Result<Command, Problem> {
    if r.peek().is_none() {
        return Err(
            problem("nothing was said").hint("`next`, `jor semi guard`, `guard -4`, `guard shoots jor`")
        );
    }
    if r.take(&["begin", "start"]) {
        return Ok(Command::Begin);
    }
    if r.take(&["next", "done", "end"]) {
        return Ok(Command::Next);
    }
    if r.take(&["option"]) {
        let key = r.word("the option's key")?;
        _ = r.take(&["=", "is", "to"]);
        let (key, value) = match key.split_once('=') {
            Some((k, v)) if !v.is_empty() => (k.to_owned(), v.to_owned()),
            _ => (key.trim_end_matches('=').to_owned(), r.word("its value")?),
        };
        let bare = key.strip_prefix("horde.").filter(|k| state_has_option(k)).unwrap_or(&key).to_owned();
        return Ok(ruling(Rule::Option { key: bare.into(), value: value.into() }));
    }
    if r.take(&["add"]) {
        return add(r);
    }
    if r.take(&["turn"]) {
        return Ok(ruling(Rule::Turn { who: r.who()? }));
    }
    let who = r.who()?;
    of_unit(r, who)
}

fn state_has_option(key: &str) -> bool {
    crate::options::REGISTRY.iter().any(|e| e.key == key)
}

fn add(r: &mut Reader<'_>) -> Result<Command, Problem> {
    let kind = if r.take(&["horde"]) {
        Joins::Horde
    } else if r.take(&["heretic", "player"]) {
        Joins::Heretic
    } else if r.take(&["foe"]) {
        Joins::Foe
    } else if r.take(&["ally", "allies"]) {
        Joins::Ally
    } else {
        return Err(r
            .here(problem("what joins?").hint(
                "add horde LABEL PROFILE MAGNITUDE, add heretic LABEL PROFILE, add foe LABEL PROFILE, add ally LABEL PROFILE MAGNITUDE",
            )));
    };
    let label = new_label(r, "the label")?;
    _ = r.take(&["as", "profile"]);
    let profile = crate::library::as_id(&r.word("the profile")?);
    _ = r.take(&["magnitude", "wounds"]);
    let strength = match r.peek() {
        Some(t) if whole(&t.text).is_some() => Some(r.wanted_int("Magnitude or wounds", 1, 999)?),
        _ => None,
    };
    let initiative =
        if r.take(&["initiative", "init"]) { Some(r.wanted_int("initiative", -99, 999)?) } else { None };
    Ok(ruling(Rule::Add { kind, label: label.into(), profile: profile.into(), strength, initiative }))
}

/// A label that nobody has as yet: one word, as it will be typed.
fn new_label(r: &mut Reader<'_>, what: &str) -> Result<String, Problem> {
    let place = r.here(problem(""));
    let text = r.word(what)?;
    let id = crate::library::as_id(&text);
    if id == text.to_lowercase() {
        return Ok(id);
    }
    let hint = if id.is_empty() {
        "a short word that begins with a letter".to_owned()
    } else {
        format!("`{id}` would do")
    };
    Err(Problem { message: format!("`{text}` cannot be a label: it is one word"), hint: Some(hint), ..place })
}

fn of_unit(r: &mut Reader<'_>, who: UnitId) -> Result<Command, Problem> {
    let Some(t) = r.peek().cloned() else {
        return Err(r.here(
            problem(format!("what about {}?", r.state.unit(who).label))
                .hint("`-4`, `semi`, `shoots jor`, `melee all`, `dodge`"),
        ));
    };
    if let Some(c) = effect(r, who, &t)? {
        return Ok(c);
    }
    if let Some(c) = reaction(r, who)? {
        return Ok(c);
    }
    if let Some(c) = tests(r, who)? {
        return Ok(c);
    }
    if let Some(c) = hands(r, who)? {
        return Ok(c);
    }
    if let Some(c) = rulings(r, who)? {
        return Ok(c);
    }
    if r.take(&["aims", "aim"]) {
        let aim = if r.take(&["full"]) {
            Aim::Full
        } else if r.take(&["none"]) {
            Aim::None
        } else {
            _ = r.take(&["half"]);
            Aim::Half
        };
        if r.peek().is_none() {
            return Ok(Command::Aims { who, aim });
        }
        let mut p = r.parts(who, true)?;
        p.aim = Some(aim);
        return attack(r, who, p, None);
    }
    let wanted = if r.take(&["shoots", "shoot", "fires", "fire"]) {
        Some(false)
    } else if r.take(&["melee", "fights", "fight", "strikes"]) {
        Some(true)
    } else {
        None
    };
    let p = r.parts(who, true)?;
    attack(r, who, p, wanted)
}

/// Magnitude or wounds, after a loss: `guard -4 magnitude`, `jor loses 7 wounds`.
const POINTS: &[&str] = &["wounds", "wound", "w", "magnitude", "mag", "points", "point"];

/// Only the effect, as it is said at a table, and the turn order called out.
fn effect(r: &mut Reader<'_>, who: UnitId, t: &Token) -> Result<Option<Command>, Problem> {
    let label = r.state.unit(who).label.clone();
    let lose = |n: i32| Ok(Some(Command::Lose { who, n, because: String::new() }));
    let next = r.words.get(r.at + 1).map(|t| t.text.clone());
    let next = next.as_deref();
    let amount = next.and_then(whole);
    if let Some(n) = whole(&t.text) {
        let signed = t.text.starts_with(['+', '-']);
        let named = next.is_some_and(|w| POINTS.contains(&w));
        let after = r.words.len() == r.at + 2;
        if signed && (next.is_none() || (named && after && n.unsigned_abs() <= 999)) {
            if n.unsigned_abs() > 999 {
                return Err(
                    r.here(problem(format!("a loss of {}", t.text)).hint("-999 to +999 would be right"))
                );
            }
            r.at += if named { 2 } else { 1 };
            return lose(-n);
        }
        if matches!(next, Some("wounds" | "wound" | "w")) {
            let n = r.wanted_int("wounds", 0, 999)?;
            r.at += 1;
            return lose(n);
        }
        if !signed && next.is_none() {
            if r.state.round == 0 {
                return initiative(r, who).map(Some);
            }
            let lost = if r.state.unit(who).is_horde() {
                format!("`{label} -{}`", t.text)
            } else {
                format!("`{label} {} wounds`", t.text)
            };
            return Err(r.here(problem(format!("{label} {}: of what?", t.text)).hint(format!(
                "{lost} for a loss; `{label} set initiative {}` for the turn order, which `{label} before LABEL` changes",
                t.text
            ))));
        }
    }
    match (t.text.as_str(), amount) {
        ("-" | "+", Some(n)) if n >= 0 => {
            let right = format!("`{label} {}{}`", t.text, next.unwrap_or(""));
            Err(r.here(problem("the sign and the number are one word").hint(right)))
        }
        ("loses" | "lose" | "lost" | "suffers" | "wounds" | "wounded" | "wound", Some(_)) => {
            r.at += 1;
            let n = r.wanted_int("a loss", 0, 999)?;
            _ = r.take(POINTS);
            lose(n)
        }
        ("heals" | "heal", _) => {
            r.at += 1;
            let n = r.wanted_int("wounds", 0, 999)?;
            _ = r.take(POINTS);
            lose(-n)
        }
        ("gains" | "regains" | "gain" | "regain", Some(_)) => {
            r.at += 1;
            let n = r.wanted_int("a gain", 0, 999)?;
            _ = r.take(POINTS);
            lose(-n)
        }
        ("initiative" | "init", _) => {
            r.at += 1;
            _ = r.take(&["=", "is"]);
            initiative(r, who).map(Some)
        }
        ("hits" | "hit", _) => {
            let at = next.unwrap_or("LABEL");
            Err(r.here(problem(format!("with how many hits, or shall {label} roll?")).hint(format!(
                "`{label} 2 hits {at}` (with damage: `{label} 2 hits {at} 11 9`), or `{label} attacks {at}`"
            ))))
        }
        _ => Ok(None),
    }
}

/// HC-014: the turn order called out before it is made; afterwards it stands.
fn initiative(r: &mut Reader<'_>, who: UnitId) -> Result<Command, Problem> {
    let label = r.state.unit(who).label.clone();
    let place = r.here(problem(""));
    let n = r.wanted_int("initiative", -99, 999)?;
    if r.state.round > 0 {
        return Err(Problem {
            message: "the turn order stands already".to_owned(),
            hint: Some(format!(
                "`{label} before LABEL` or `{label} after LABEL` moves {label}; `{label} set initiative {n}` changes the figure alone"
            )),
            ..place
        }
        .by(rulebook::rule!("HC-014")));
    }
    Ok(ruling(Rule::Set { who, key: "initiative".into(), value: n.to_string().into() }))
}

fn attack(r: &Reader<'_>, by: UnitId, p: Parts, wanted: Option<bool>) -> Result<Command, Problem> {
    let how = r.how(by, &p, wanted)?;
    let at = r.targets(by, &how, &p)?;
    Ok(Command::Attack { by, at, how, told: p.told })
}

fn reaction(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    let with = if r.take(&["dodge", "dodges"]) {
        Reaction::Dodge
    } else if r.take(&["parry", "parries"]) {
        Reaction::Parry
    } else if r.is(&["takes", "none"]) {
        r.at += 1;
        // `jor takes 7` is the effect alone.
        if r.peek().is_some_and(|t| whole(&t.text).is_some()) {
            let n = r.wanted_int("wounds", 0, 999)?;
            _ = r.take(POINTS);
            return Ok(Some(Command::Lose { who, n, because: String::new() }));
        }
        _ = r.take(&["it", "all"]);
        Reaction::None
    } else {
        return Ok(None);
    };
    let mut which = None;
    if let Some(n) =
        r.peek().and_then(|t| t.text.strip_prefix('#')).and_then(whole).and_then(|n| usize::try_from(n).ok())
    {
        if n == 0 {
            return Err(r.here(problem("there is no attack #0").hint("#1 is the first")));
        }
        which = Some(n - 1);
        r.at += 1;
    }
    let mut metres = None;
    if let Some(m) = r.peek().and_then(|t| t.text.strip_suffix('m')).and_then(whole) {
        if !(0..=999).contains(&m) {
            let text = r.peek().map(|t| t.text.clone()).unwrap_or_default();
            return Err(r.here(problem(format!("a way of {text}")).hint("0m to 999m would be right")));
        }
        metres = Some(m);
        r.at += 1;
    }
    let named = r.take(&["roll", "rolls"]);
    let rolls = named || (with != Reaction::None && r.peek().is_some() && !r.is(&["dice"]));
    let roll = if rolls { Some(r.die("the d100", 100)?) } else { None };
    // Dice of the damage that comes if this was the last answer.
    let dice = if r.take(&["dice"]) { r.dice("a die", 10)? } else { Vec::new() };
    Ok(Some(Command::React { who, which, with, metres, roll, dice }))
}

fn tests(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    if r.take(&["defends", "defend"]) {
        return Ok(Some(Command::Defend { who }));
    }
    if r.take(&["fear"]) {
        let rating = r.wanted_int("the rating of Fear", 1, 4)?;
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::Fear { who, rating, rolls }));
    }
    if r.take(&["recovers", "recover"]) {
        let from = if r.take(&["pinning", "pin", "pinned"]) {
            From::Pinning
        } else if r.take(&["fear", "shock"]) {
            From::Fear
        } else if r.take(&["grapple"]) {
            From::Grapple
        } else {
            return Err(r.here(problem("from what?").hint("pinning, fear or grapple")));
        };
        let cover = r.take(&["cover"]);
        let named = r.take(&["roll", "rolls"]);
        let roll = if named || r.peek().is_some() { Some(r.die("the d100", 100)?) } else { None };
        return Ok(Some(Command::Recover { who, from, cover, roll }));
    }
    let what = if r.take(&["squeezes", "squeeze"]) {
        Some(Hold::Squeeze)
    } else if r.take(&["throws", "throw"]) {
        Some(Hold::Throw)
    } else if r.take(&["pushes", "push"]) {
        Some(Hold::Push)
    } else if r.take(&["keeps", "keep"]) {
        Some(Hold::Keep)
    } else if r.take(&["disarms", "disarm"]) {
        Some(Hold::Disarm)
    } else {
        None
    };
    if let Some(what) = what {
        let at = r.who()?;
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::Hold { by: who, at, what, rolls }));
    }
    for (words, control) in [(["escapes", "escape"], false), (["controls", "control"], true)] {
        if r.take(&words) {
            _ = r.take(&["roll", "rolls"]);
            let rolls = r.dice("a d100", 100)?;
            return Ok(Some(Command::Escape { who, control, rolls }));
        }
    }
    if r.take(&["slips", "slip"]) {
        _ = r.take(&["roll", "rolls"]);
        let roll = if r.peek().is_some() { Some(r.die("the d100", 100)?) } else { None };
        return Ok(Some(Command::Recover { who, from: From::Grapple, cover: false, roll }));
    }
    if r.take(&["engages", "engage"]) {
        return Ok(Some(engage(r, who, true)?));
    }
    if r.take(&["leaves", "leave", "disengages"]) {
        return Ok(Some(engage(r, who, false)?));
    }
    Ok(None)
}

/// What is done hand to hand without an attack roll, and with a weapon without a shot.
fn hands(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    if r.take(&["feints", "feint"]) {
        _ = r.take(&["at"]);
        let at = r.who()?;
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::Feint { who, at, rolls }));
    }
    if r.take(&["knocks", "knock", "knockdown", "knock-down", "knocks-down"]) {
        _ = r.take(&["down"]);
        let at = r.who()?;
        _ = r.take(&["down"]);
        let hurts = r.take(&["hurting", "hurts"]);
        _ = r.take(&["roll", "rolls"]);
        let rolls = r.dice("a d100", 100)?;
        return Ok(Some(Command::KnockDown { who, at, hurts, rolls }));
    }
    if r.take(&["stands", "stand", "stands-up", "stand-up"]) {
        _ = r.take(&["up"]);
        return Ok(Some(Command::Stand { who }));
    }
    if r.take(&["reloads", "reload"]) {
        let u = r.state.unit(who);
        let most = u.weapons.iter().max_by_key(|w| (u.load(&w.id).spent, u.shots_left(w).is_some()));
        let weapon = carried(r, who, most.map(|w| w.id.clone()))?;
        return Ok(Some(Command::Reload { who, weapon }));
    }
    if r.take(&["clears", "clear", "unjams", "unjam"]) {
        let u = r.state.unit(who);
        let stuck = u.weapons.iter().find(|w| u.load(&w.id).jammed).or_else(|| u.first_weapon(false));
        let weapon = carried(r, who, stuck.map(|w| w.id.clone()))?;
        return Ok(Some(Command::Unjam { who, weapon }));
    }
    Ok(None)
}

/// A weapon that he carries, or the one that is meant if none is named.
fn carried(r: &mut Reader<'_>, who: UnitId, meant: Option<String>) -> Result<std::sync::Arc<str>, Problem> {
    let label = r.state.unit(who).label.clone();
    let Some(t) = r.peek().cloned() else {
        return meant.map(Into::into).ok_or_else(|| r.here(problem(format!("{label} has no weapon"))));
    };
    match r.weapon_word(who, &t.text)? {
        Some(w) => {
            r.at += 1;
            Ok(w)
        }
        None => {
            let all: Vec<&str> = r.state.unit(who).weapons.iter().map(|w| w.id.as_str()).collect();
            Err(r.here(problem(format!("{label} has no `{}`", t.text)).hint(all.join(", "))))
        }
    }
}

fn engage(r: &mut Reader<'_>, who: UnitId, on: bool) -> Result<Command, Problem> {
    if r.state.unit(who).is_horde() {
        return Ok(Command::Engage { horde: who, with: r.several()?, on });
    }
    let horde = r.who()?;
    if !r.state.unit(horde).is_horde() {
        return Err(r.here(problem(format!("{} is no Horde", r.state.unit(horde).label))));
    }
    Ok(Command::Engage { horde, with: vec![who], on })
}

fn rulings(r: &mut Reader<'_>, who: UnitId) -> Result<Option<Command>, Problem> {
    let rule = if r.take(&["magnitude", "mag"]) {
        Rule::Magnitude { who, m: r.wanted_int("Magnitude", 0, 999)? }
    } else if r.take(&["original"]) {
        Rule::Original { who, m: r.wanted_int("original Magnitude", 1, 999)? }
    } else if r.take(&["reinforce", "reinforces", "reinforced"]) {
        let n = r.wanted_int("the reinforcement", 1, 999)?;
        Rule::Reinforce { who, n, first_only: r.take(&["only"]) }
    } else if r.take(&["split", "splits"]) {
        let n = r.wanted_int("the part", 1, 999)?;
        _ = r.take(&["as", "into"]);
        Rule::Split { who, n, label: new_label(r, "the new label")?.into() }
    } else if r.take(&["merge", "merges", "joins"]) {
        _ = r.take(&["into", "with"]);
        Rule::Merge { who, into: r.who()? }
    } else if r.take(&["breaks", "break"]) {
        Rule::Breaks { who }
    } else if r.take(&["holds", "hold"]) {
        Rule::Holds { who }
    } else if r.take(&["rallies", "rally"]) {
        Rule::Rallies { who }
    } else if r.take(&["skips", "skip"]) {
        _ = r.take(&["test", "the"]);
        _ = r.take(&["test"]);
        Rule::SkipTest { who }
    } else if r.take(&["test", "tests"]) {
        let named = r.take(&["roll"]);
        let roll = if named || r.peek().is_some() { Some(r.die("the d100", 100)?) } else { None };
        Rule::Test { who, roll }
    } else if r.take(&["set", "sets"]) {
        let key = r.word("the value's name")?;
        _ = r.take(&["=", "to"]);
        Rule::Set { who, key: key.into(), value: r.word("the value")?.into() }
    } else if r.take(&["gets"]) {
        let place = r.here(problem("which attack?").hint("jor gets #1 2 hits"));
        let n = r
            .peek()
            .and_then(|t| t.text.strip_prefix('#'))
            .and_then(whole)
            .and_then(|n| usize::try_from(n).ok());
        let Some(n) = n.filter(|n| *n > 0) else { return Err(place) };
        r.at += 1;
        let hits = r.wanted_int("hits", 0, 200)?;
        _ = r.take(&["hits", "hit"]);
        Rule::Hits { who, which: n - 1, hits }
    } else if r.is(&["gains", "drops"]) {
        let gains = r.take(&["gains"]);
        _ = r.take(&["drops"]);
        let weapon = crate::library::as_id(&r.word("the weapon")?);
        Rule::Arms { who, weapon: weapon.into(), gains }
    } else if r.take(&["gone", "removed"]) {
        Rule::Gone { who }
    } else if r.take(&["returns", "return", "back"]) {
        Rule::Returns { who }
    } else if r.take(&["before"]) {
        Rule::Before { who, other: r.who()? }
    } else if r.take(&["after", "delays"]) {
        _ = r.take(&["after"]);
        Rule::After { who, other: r.who()? }
    } else if r.take(&["surprised"]) {
        Rule::Surprised { who }
    } else {
        return Ok(None);
    };
    Ok(Some(ruling(rule)))
}
