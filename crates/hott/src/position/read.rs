//! A position document read back, in full or as a person writes it in a case.

use super::relative::{Place, place, read_place};
use super::{VERSION, flag_of, hundredths};
use crate::battle::{Battle, CommandId, ElementId, Ending, Fate, Flags, Over, Phase, SideId, State, Strong};
use crate::ground::Ground;
use crate::labels::{ENDINGS, FATES, PHASES, REPLIES, find_element, find_side};
use crate::setup::roster::{LETTERS, Roster};
use crate::setup::{ElementSetup, SeatSetup};
use crate::table::{Scale, Tables, TroopType};
use field::{Base, BoardEdge, PACE, Pose, Size};
use game::{Problem, Problems};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The keys of a position document.
const KEYS: [&str; 21] = [
    "muster",
    "version",
    "scale",
    "board",
    "bound_limit",
    "ground",
    "phase",
    "bound",
    "active",
    "rerolls",
    "over",
    "rulings",
    "sides",
    "alliances",
    "seats",
    "commands",
    "elements",
    "pending",
    "pips",
    "large",
    "campaign",
];
const SIDE_KEYS: [&str; 9] =
    ["army", "edge", "defends", "die", "place", "stronghold", "stronghold_flags", "out", "reply_shooters"];
const COMMAND_KEYS: [&str; 9] =
    ["side", "name", "in_chief", "score", "pips", "demoralized", "tested", "deployed", "moved_one"];
const ELEMENT_KEYS: [&str; 16] = [
    "type",
    "at",
    "heading",
    "command",
    "general",
    "name",
    "grade",
    "armed",
    "contingent",
    "fate",
    "flags",
    "began",
    "appearances",
    "charge",
    "seen_moving",
    "enchanter",
];

type Read<T> = Result<T, Problem>;

fn known(map: &Map<String, Value>, keys: &[&str], of: &str) -> Read<()> {
    match map.keys().find(|k| !keys.contains(&k.as_str())) {
        Some(key) => Err(Problem::new(format!("{of}: unknown key: {key}")).meant(key, keys.iter().copied())),
        None => Ok(()),
    }
}

fn whole(value: &Value, what: &str, most: i64) -> Read<i64> {
    match value.as_i64() {
        Some(n) if (0..=most).contains(&n) => Ok(n),
        _ => Err(Problem::new(format!("{what}: {value} is no whole number from 0 to {most}"))),
    }
}

fn flag(value: &Value, what: &str) -> Read<bool> {
    value.as_bool().ok_or_else(|| Problem::new(format!("{what}: {value} is neither true nor false")))
}

fn text<'a>(value: &'a Value, what: &str) -> Read<&'a str> {
    value.as_str().ok_or_else(|| Problem::new(format!("{what}: {value} is no text")))
}

fn word<T: Copy>(value: &Value, words: &[(T, &str)], what: &str) -> Read<T> {
    let given = text(value, what)?;
    match words.iter().find(|(_, w)| w.eq_ignore_ascii_case(given)) {
        Some((t, _)) => Ok(*t),
        None => {
            Err(Problem::new(format!("unknown {what}: {given}")).meant(given, words.iter().map(|(_, w)| *w)))
        }
    }
}

fn flags(value: &Value) -> Read<Flags> {
    let mut all = Flags::default();
    for w in value.as_array().into_iter().flatten() {
        let given = text(w, "flags")?;
        match flag_of(&given.to_lowercase()) {
            Some(f) => all.set(f),
            None => {
                return Err(
                    Problem::new(format!("unknown flag: {given}")).meant(given, super::FLAGS.map(|f| f.1))
                );
            }
        }
    }
    Ok(all)
}

fn point(value: &Value, what: &str) -> Read<(i32, i32)> {
    match value.as_array().map(Vec::as_slice) {
        Some([x, y]) => match (hundredths(x), hundredths(y)) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(Problem::new(format!("{what}: {value} are no two figures in paces"))),
        },
        _ => Err(Problem::new(format!("{what}: expected [x, y], found {value}"))),
    }
}

fn heading(value: &Value, what: &str) -> Read<field::Heading> {
    match hundredths(value) {
        Some(h) if (0..=field::FULL_TURN).contains(&h) => Ok(field::Heading::new(h)),
        _ => Err(Problem::new(format!("{what}: a heading is 0 to 360, found {value}"))),
    }
}

/// One element as the document says it.
struct Given {
    label: String,
    command: usize,
    side: usize,
    setup: ElementSetup,
    place: Option<Place>,
    doc: Map<String, Value>,
}

fn given(label: &str, value: &Value) -> Read<Given> {
    let bad = |what: &str| Problem::new(format!("{label}: {what}"));
    let (letter, bare) =
        label.split_once('.').ok_or_else(|| bad("a label with its side is needed").hint("A.Kni2"))?;
    let side = LETTERS
        .iter()
        .position(|l| l.to_string().eq_ignore_ascii_case(letter))
        .ok_or_else(|| bad("sides go by the letters A to F"))?;
    let doc = match value {
        Value::Object(map) => map.clone(),
        Value::String(s) => Map::from_iter([("at".to_owned(), json!(s))]),
        _ => {
            return Err(bad("expected a place in words, or a table")
                .hint("\"A.Bld1\" = { at = [1200, 300], heading = 0 }"));
        }
    };
    known(&doc, &ELEMENT_KEYS, label)?;
    let place = match doc.get("at") {
        None => None,
        Some(Value::String(words)) => {
            Some(read_place(words).map_err(|p| Problem { message: format!("{label}: {}", p.message), ..p })?)
        }
        Some(at) => {
            let (x, y) = point(at, label)?;
            let h = doc.get("heading").map_or(Ok(field::Heading::UP), |h| heading(h, label))?;
            Some(Place::Given(Pose::new(x, y, h)))
        }
    };
    let letters: String = bare.chars().take_while(|c| c.is_alphabetic()).collect();
    let ty = match doc.get("type") {
        Some(ty) => text(ty, label)?.to_owned(),
        None if TroopType::from_code(&letters).or(TroopType::parse(&letters)).is_some() => letters,
        None => return Err(bad("what type is it?").hint("type = \"Blade\", or a label like A.Bld1")),
    };
    let get = |key: &str| doc.get(key);
    let setup = ElementSetup {
        ty,
        count: 1,
        general: get("general").map_or(Ok(false), |v| flag(v, label))?,
        name: get("name").map_or(Ok(""), |v| text(v, label))?.to_owned(),
        grade: get("grade").map(|v| text(v, label).map(str::to_owned)).transpose()?,
        armed: get("armed").map_or(Ok(false), |v| flag(v, label))?,
        contingent: get("contingent").map_or(Ok(0), |v| whole(v, label, 255))? as u8,
        reserve: 0,
    };
    let command = get("command").map_or(Ok(1), |v| whole(v, label, 8))? as usize;
    Ok(Given { label: bare.to_owned(), command, side, setup, place, doc })
}

impl Battle {
    /// A battle and state from a position document.
    ///
    /// # Errors
    /// Everything wrong with it.
    pub fn read_position(tables: Tables, rules: Value, doc: &Value) -> Result<(Battle, State), Problems> {
        read(tables, rules, doc).map_err(|p| vec![p])
    }
}

fn read(tables: Tables, rules: Value, doc: &Value) -> Read<(Battle, State)> {
    let Some(map) = doc.as_object() else { return Err(Problem::new("a position is a table")) };
    known(map, &KEYS, "position")?;
    if let Some(v) = map.get("version")
        && v.as_u64() != Some(VERSION)
    {
        return Err(Problem::new(format!("a position of version {v}; this release reads version {VERSION}")));
    }
    let scale = match map.get("scale") {
        None => Scale::default(),
        Some(s) => {
            let s = text(s, "scale")?;
            Scale::from_word(s)
                .ok_or_else(|| Problem::new(format!("unknown scale: {s}")).meant(s, ["15mm", "25mm"]))?
        }
    };
    let mut roster = Roster::new(Arc::new(tables), scale);
    if let Some(board) = map.get("board") {
        let (w, h) = point(board, "board")?;
        let fits = |v: i32| (100 * PACE..=25_600 * PACE).contains(&v) && v % PACE == 0;
        if !fits(w) || !fits(h) {
            return Err(Problem::new(format!("board: {board}")).hint("whole paces, 100 to 25600 each way"));
        }
        roster.board = Some(field::Board::new(w, h));
    } else {
        let side = roster.tables.board(scale) * PACE;
        roster.board = Some(field::Board::new(side, side));
    }
    roster.bound_limit = map.get("bound_limit").map_or(Ok(0), |v| whole(v, "bound_limit", 1_000_000))? as u32;
    let elements = elements(map)?;
    sides_and_commands(&mut roster, map, &elements)?;
    let mut ids = Vec::new();
    for e in &elements {
        let own: Vec<usize> =
            (0..roster.commands.len()).filter(|c| roster.commands[*c].side.index() == e.side).collect();
        let Some(command) = e.command.checked_sub(1).and_then(|n| own.get(n)) else {
            return Err(Problem::new(format!("{}: there is no command {}", e.label, e.command)));
        };
        let id = roster.element(CommandId(*command as u8), &e.setup, Some(&e.label));
        ids.push(id.map_err(|p| Problem { message: format!("{}: {}", e.label, p.message), ..p })?);
    }
    let battle = roster.battle(rules, Value::Null)?;
    let mut state = battle.opening.start.clone();
    ground(&battle, map, &mut state)?;
    sides(&battle, map, &mut state)?;
    for (e, id) in elements.iter().zip(&ids) {
        element(&battle, &mut state, *id, e)?;
    }
    places(&battle, &mut state, &elements, &ids)?;
    moment(&battle, map, &mut state)?;
    if let Some(list) = map.get("pending") {
        for p in list.as_array().into_iter().flatten() {
            state.pending.push(battle.read_pending(p)?);
        }
    }
    if !map.contains_key("version") {
        apart(&battle, &state)?;
    }
    // A battle that begins here has this position for its set-up.
    let setup = json!({ "position": battle.write_position(&state) });
    let opening = crate::battle::Opening { rules: battle.opening.rules.clone(), setup, start: state.clone() };
    Ok((Battle { opening: Arc::new(opening), ..battle }, state))
}

fn elements(map: &Map<String, Value>) -> Read<Vec<Given>> {
    match map.get("elements") {
        Some(Value::Object(list)) if !list.is_empty() => {
            list.iter().map(|(label, v)| given(label, v)).collect()
        }
        _ => Err(Problem::new("a position needs its elements")
            .hint("[position.elements] \"A.Bld1\" = \"1200 300 0\"")),
    }
}

fn sides_and_commands(roster: &mut Roster, map: &Map<String, Value>, elements: &[Given]) -> Read<()> {
    let named = map.get("sides").and_then(Value::as_object);
    let last = elements.iter().map(|e| e.side).max().unwrap_or(0);
    let listed = named
        .into_iter()
        .flatten()
        .filter_map(|(l, _)| LETTERS.iter().position(|x| x.to_string() == *l))
        .max();
    let count = last.max(listed.unwrap_or(0)).max(1) + 1;
    for letter in LETTERS.iter().take(count) {
        let info = named.and_then(|s| s.get(&letter.to_string()));
        let army = info.and_then(|s| s.get("army")).map(|a| text(a, "army")).transpose()?;
        roster.side(army.unwrap_or(&letter.to_string()))?;
    }
    for (letter, _) in named.into_iter().flatten() {
        roster.letter(letter)?;
    }
    match map.get("commands").and_then(Value::as_array) {
        Some(list) => {
            for c in list {
                let Some(c) = c.as_object() else { return Err(Problem::new("commands: expected tables")) };
                known(c, &COMMAND_KEYS, "command")?;
                let side = roster.letter(text(c.get("side").unwrap_or(&Value::Null), "command's side")?)?;
                let name = c.get("name").map_or(Ok(""), |v| text(v, "name"))?;
                let chief = c.get("in_chief").map_or(Ok(false), |v| flag(v, "in_chief"))?;
                // A name that is empty stays so: it would be given one otherwise.
                let id = roster.command(side, name, chief)?;
                name.clone_into(&mut roster.commands[id.index()].name);
            }
            for n in 0..count {
                if !roster.commands.iter().any(|c| c.side.index() == n) {
                    roster.command(SideId(n as u8), "", true)?;
                }
            }
        }
        None => {
            for n in 0..count {
                let most =
                    elements.iter().filter(|e| e.side == n).map(|e| e.command).max().unwrap_or(1).max(1);
                for i in 0..most {
                    roster.command(SideId(n as u8), "", i == 0)?;
                }
            }
        }
    }
    for group in map.get("alliances").and_then(Value::as_array).into_iter().flatten() {
        let ids: Vec<SideId> = group
            .as_array()
            .into_iter()
            .flatten()
            .map(|l| roster.letter(text(l, "alliances")?))
            .collect::<Result<_, _>>()?;
        roster.ally(&ids);
    }
    if let Some(seats) = map.get("seats") {
        roster.seats = serde_json::from_value::<Vec<SeatSetup>>(seats.clone())
            .map_err(|e| Problem::new(format!("seats: {e}")))?;
    }
    Ok(())
}

fn ground(battle: &Battle, map: &Map<String, Value>, state: &mut State) -> Read<()> {
    let lines = match map.get("ground") {
        None => return Ok(()),
        Some(Value::String(s)) => s.clone(),
        Some(Value::Array(list)) => {
            list.iter().map(|l| text(l, "ground")).collect::<Result<Vec<_>, _>>()?.join("\n")
        }
        Some(other) => {
            return Err(Problem::new(format!("ground: {other}")).hint("ground = [\"wood disc 800 900 150\"]"));
        }
    };
    let ground = Ground::parse(&lines).map_err(|mut p| {
        let p = p.swap_remove(0);
        Problem { place: None, message: format!("ground: {}", p.message), ..p }
    })?;
    if let Some(problem) = ground.astray(&battle.board).into_iter().next() {
        return Err(problem);
    }
    state.ground = Arc::new(ground);
    Ok(())
}

fn sides(battle: &Battle, map: &Map<String, Value>, state: &mut State) -> Read<()> {
    if let Some(large) = map.get("large") {
        state.large = serde_json::from_value(large.clone())
            .map_err(|e| Problem::new(format!("large does not read: {e}")))?;
    }
    let campaign = map.get("campaign").map_or(Ok(false), |v| flag(v, "campaign"))?;
    let named = map.get("sides").and_then(Value::as_object);
    let two = [BoardEdge::Lower, BoardEdge::Upper, BoardEdge::Left, BoardEdge::Right];
    for n in 0..battle.sides.len() {
        let letter = LETTERS[n].to_string();
        let Some(info) = named.and_then(|s| s.get(&letter)) else {
            state.sides[n].edge = Some(two[n % 4]);
            state.sides[n].place = n as u8;
            continue;
        };
        let Some(info) = info.as_object() else {
            return Err(Problem::new(format!("side {letter}: expected a table")));
        };
        known(info, &SIDE_KEYS, &format!("side {letter}"))?;
        let full = map.contains_key("version");
        let side = &mut state.sides[n];
        side.edge = match info.get("edge") {
            Some(e) => {
                let (edge, part) = crate::setup::stretch::read_stretch(text(e, "edge")?)?;
                if part != crate::battle::Part::Whole {
                    state.large.parts.resize(battle.sides.len(), crate::battle::Part::Whole);
                    state.large.parts[n] = part;
                }
                Some(edge)
            }
            None if full => None,
            None => Some(two[n % 4]),
        };
        side.defends = info.get("defends").map_or(Ok(false), |v| flag(v, "defends"))?;
        side.die = info.get("die").map_or(Ok(0), |v| whole(v, "die", i64::from(u32::MAX)))? as u32;
        side.place = info.get("place").map_or(Ok(n as i64), |v| whole(v, "place", 6))? as u8;
        side.out = info.get("out").map_or(Ok(false), |v| flag(v, "out"))?;
        if let Some(v) = info.get("stronghold_flags") {
            side.strong_flags = flags(v)?;
        }
        if let Some(v) = info.get("reply_shooters") {
            side.replies.shooters = word(v, &REPLIES, "standing reply")?;
        }
        if let Some(v) = info.get("stronghold") {
            let id = SideId(n as u8);
            if campaign {
                state.large.strongholds |= 1 << id.0;
            }
            if v.as_str() == Some("removed") {
                state.large.baggage_lost |= 1 << id.0;
            } else {
                state.sides[n].strong = stronghold(battle, state, id, v)?;
            }
        }
    }
    Ok(())
}

fn stronghold(battle: &Battle, state: &State, side: SideId, value: &Value) -> Read<Strong> {
    let numbers = &battle.tables.numbers;
    let share = |bw: i32| bw * (battle.base_width() / PACE);
    let usual = Size::new(share(numbers.stronghold_width_bw), share(numbers.stronghold_depth_bw));
    let fits = |base: Base| -> Read<Base> {
        if battle.board.contains(&base) {
            Ok(base)
        } else {
            Err(Problem::new("the Stronghold is not wholly on the board"))
        }
    };
    match value {
        Value::Bool(false) => Ok(Strong::None),
        Value::Bool(true) => match battle.standard_stronghold(state, side, 0) {
            Some(base) => Ok(Strong::Stands(base)),
            None => Err(Problem::new("there is no room for the Stronghold")),
        },
        Value::String(s) if s == "waiting" => Ok(Strong::Waiting),
        Value::String(s) => match read_place(s)? {
            Place::Given(pose) => Ok(Strong::Stands(fits(Base::new(pose, usual))?)),
            Place::From(..) => Err(Problem::new("a Stronghold stands at x y heading")),
        },
        Value::Object(map) => {
            known(map, &["at", "heading", "size", "lost"], "stronghold")?;
            let (x, y) = point(map.get("at").unwrap_or(&Value::Null), "stronghold")?;
            let h = map.get("heading").map_or(Ok(field::Heading::UP), |h| heading(h, "stronghold"))?;
            let size = match map.get("size") {
                None => usual,
                Some(s) => {
                    let (w, d) = point(s, "stronghold's size")?;
                    let most = share(numbers.stronghold_max_bw);
                    if !(1..=most).contains(&w) || !(1..=most).contains(&d) {
                        return Err(
                            Problem::new(format!("stronghold's size: {s}")).by(rulebook::rule!("HOTT-074"))
                        );
                    }
                    Size::new(w, d)
                }
            };
            let base = fits(Base::new(Pose::new(x, y, h), size))?;
            let lost = map.get("lost").map_or(Ok(false), |v| flag(v, "lost"))?;
            Ok(if lost { Strong::Lost(base) } else { Strong::Stands(base) })
        }
        other => Err(Problem::new(format!("stronghold: {other}"))),
    }
}

fn element(battle: &Battle, state: &mut State, id: ElementId, e: &Given) -> Read<()> {
    let get = |key: &str| e.doc.get(key);
    let enchanter =
        get("enchanter").map(|v| find_element(battle, text(v, "enchanter")?, SideId(0))).transpose()?;
    let now = &mut state.elements[id.index()];
    now.fate = match get("fate") {
        Some(v) => word(v, &FATES, "fate")?,
        None if e.place.is_some() => Fate::Table,
        None => Fate::Waiting,
    };
    if now.fate == Fate::Table && e.place.is_none() {
        return Err(Problem::new(format!("{}: where does it stand?", e.label)).hint("at = [1200, 300]"));
    }
    if let Some(v) = get("flags") {
        now.flags = flags(v)?;
    }
    now.appearances = get("appearances").map_or(Ok(0), |v| whole(v, "appearances", 255))? as u8;
    now.charged = get("charge").map_or(Ok(0), |v| whole(v, "charge", 255))? as u8;
    now.enchanter = enchanter;
    Ok(())
}

/// Poses, those told from others once the others stand.
fn places(battle: &Battle, state: &mut State, elements: &[Given], ids: &[ElementId]) -> Read<()> {
    let mut waiting: Vec<usize> = (0..elements.len()).filter(|i| elements[*i].place.is_some()).collect();
    let mut placed = vec![false; elements.len()];
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut error = None;
        let mut left = Vec::new();
        for i in waiting {
            let (e, id) = (&elements[i], ids[i]);
            let pose = match &e.place {
                Some(Place::Given(pose)) => Some(*pose),
                Some(Place::From(relation, other)) => {
                    let base = match crate::labels::find_target(battle, other, SideId(e.side as u8))? {
                        crate::battle::Target::Stronghold(side) => match state.side(side).strong {
                            Strong::Stands(base) | Strong::Lost(base) => Some(base),
                            _ => return Err(Problem::new(format!("{}: {other} does not stand", e.label))),
                        },
                        crate::battle::Target::Element(o) => {
                            let n = ids.iter().position(|x| *x == o).unwrap_or(i);
                            placed[n].then(|| battle.base(state, o))
                        }
                    };
                    base.map(|b| place(*relation, &b, battle.element(id).size))
                }
                None => None,
            };
            match pose {
                Some(pose) => {
                    let now = &mut state.elements[id.index()];
                    (now.pose, now.began) = (pose, pose);
                    placed[i] = true;
                }
                None => {
                    error = Some(e.label.clone());
                    left.push(i);
                }
            }
        }
        if left.len() == before {
            let label = error.unwrap_or_default();
            return Err(Problem::new(format!(
                "{label} is placed by one that is placed by it, or by one off the table"
            )));
        }
        waiting = left;
    }
    for (e, id) in elements.iter().zip(ids) {
        if let Some(v) = e.doc.get("heading")
            && matches!(e.place, Some(Place::From(..)))
        {
            let _ = heading(v, &e.label)?;
            return Err(Problem::new(format!("{}: a place told from another brings its heading", e.label)));
        }
        if let Some(v) = e.doc.get("began") {
            let list = v.as_array().map(Vec::as_slice);
            let pose = match list {
                Some([x, y, h]) => {
                    let (x, y) = point(&json!([x, y]), "began")?;
                    Pose::new(x, y, heading(h, "began")?)
                }
                _ => return Err(Problem::new(format!("{}: began = [x, y, heading]", e.label))),
            };
            state.elements[id.index()].began = pose;
        }
        let base = battle.base(state, *id);
        if state.on_table(*id) && !battle.board.contains(&base) {
            return Err(Problem::new(format!("{} is not wholly on the board", battle.full_label(*id))));
        }
    }
    Ok(())
}

/// HOTT-117: nobody stands on another. Asked of positions that a person wrote; those that play has written are as play
/// left them.
fn apart(battle: &Battle, state: &State) -> Read<()> {
    let standing: Vec<(ElementId, Base)> =
        battle.ids().filter(|id| state.on_table(*id)).map(|id| (id, battle.base(state, id))).collect();
    for (i, (id, base)) in standing.iter().enumerate() {
        let label = battle.full_label(*id);
        if let Some((other, there)) = standing[..i].iter().find(|(_, b)| b.overlaps(base)) {
            let deep = field::paces_needed(base.penetration(there));
            return Err(Problem::new(format!(
                "{label} stands on {}, {deep}p deep",
                battle.full_label(*other)
            ))
            .by(rulebook::rule!("HOTT-117"))
            .hint("x y heading are those of the middle of the front edge"));
        }
        for (n, side) in state.sides.iter().enumerate() {
            if matches!(side.strong, Strong::Stands(s) | Strong::Lost(s) if s.overlaps(base)) {
                let letter = battle.sides[n].letter;
                return Err(Problem::new(format!("{label} stands on the Stronghold of {letter}"))
                    .by(rulebook::rule!("HOTT-117")));
            }
        }
    }
    Ok(())
}

fn moment(battle: &Battle, map: &Map<String, Value>, state: &mut State) -> Read<()> {
    let full = map.contains_key("version");
    state.phase = map.get("phase").map_or(Ok(Phase::Moves), |v| word(v, &PHASES, "phase"))?;
    let setting_up = Battle::is_setting_up(state);
    state.bound =
        map.get("bound").map_or(Ok(i64::from(!setting_up && !full)), |v| whole(v, "bound", 1_000_000_000))?
            as u32;
    state.active = map.get("active").map_or(Ok(SideId(0)), |v| find_side(battle, text(v, "active")?))?;
    state.rerolls = map.get("rerolls").map_or(Ok(0), |v| whole(v, "rerolls", 255))? as u8;
    let listed = map.get("commands").and_then(Value::as_array);
    for n in 0..battle.commands.len() {
        let c = listed.and_then(|l| l.get(n)).and_then(Value::as_object);
        let get = |key: &str| c.and_then(|c| c.get(key));
        let now = &mut state.commands[n];
        now.score = get("score").map_or(Ok(0), |v| whole(v, "score", 99))? as u8;
        now.pips = get("pips").map_or(Ok(0), |v| whole(v, "pips", 99))? as u8;
        now.demoralised = get("demoralized").map_or(Ok(false), |v| flag(v, "demoralized"))?;
        now.tested = get("tested").map_or(Ok(false), |v| flag(v, "tested"))?;
        now.deployed = get("deployed").map_or(Ok(!setting_up && !full), |v| flag(v, "deployed"))?;
        now.moved_one = get("moved_one").map_or(Ok(false), |v| flag(v, "moved_one"))?;
    }
    match map.get("pips") {
        Some(Value::Object(pips)) => {
            for (which, n) in pips {
                let command = crate::labels::command_named(battle, which, state.active)?;
                let n = whole(n, "pips", 99)? as u8;
                let now = &mut state.commands[command.index()];
                (now.pips, now.score) = (n, n);
            }
        }
        Some(other) => return Err(Problem::new(format!("pips: {other}")).hint("pips = { A = 4 }")),
        None => {}
    }
    if let Some(over) = map.get("over") {
        let mut winners = 0;
        for l in over["winners"].as_array().into_iter().flatten() {
            winners |= 1 << find_side(battle, text(l, "winners")?)?.0;
        }
        let ending: Ending = word(&over["ending"], &ENDINGS, "ending")?;
        state.over = Some(Over { winners, ending });
    }
    if (state.phase == Phase::Over) != state.over.is_some() {
        return Err(Problem::new("phase `over` and the key `over` belong together"));
    }
    if let Some(list) = map.get("rulings") {
        let mut sets = Vec::new();
        for pair in list.as_array().into_iter().flatten() {
            match pair.as_array().map(Vec::as_slice) {
                Some([Value::String(k), Value::String(v)]) => sets.push((k.clone(), v.clone())),
                _ => return Err(Problem::new("rulings: expected pairs of option and value")),
            }
        }
        if !sets.is_empty() {
            state.house = Some(Arc::new(battle.house(&sets)?));
        }
    }
    // A hand-written position in play has nothing left to set up.
    if !setting_up && !full {
        for side in &mut state.sides {
            if side.strong == Strong::Waiting {
                side.strong = Strong::None;
            }
        }
    }
    Ok(())
}
