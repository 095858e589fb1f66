//! What a lobby and a table of Hordes & Heroes ask of the program: lists, maps, set-ups, the map drawn, computer players.

use draw::{Layout, Style, Theme};
use game::{Problem, Problems, Table};
use heroes::Heroes;
use heroes::army::{Army, LISTS};
use heroes::commander::{Player, Style as Way};
use heroes::map::MAPS;
use heroes::setup;
use heroes::tables::Tables;
use serde_json::{Value, json};

/// Levels of computer players under the names that every game's lobby shows, the usual one first.
pub const LEVELS: [(&str, Way); 3] =
    [("steady", Way::General), ("march", Way::Advance), ("random", Way::Random)];

/// The width at which a map is drawn, in units of the drawing.
const DRAWN: f64 = 1400.0;

/// What a computer player of a level does.
pub fn choose(table: &Table<Heroes>, level: &str, guess: u64) -> Option<String> {
    let way = LEVELS.iter().find(|l| l.0 == level).map_or(Way::General, |l| l.1);
    let t = table.game().table();
    let command = Player::new(way, guess).choose(t, table.state())?;
    Some(command.text(t))
}

/// The shelf of this game.
pub fn ask(path: &[&str], body: Option<&Value>) -> Option<Result<Value, Problems>> {
    match (path, body) {
        (["armies"], None) => Some(armies()),
        (["maps"], None) => Some(Ok(MAPS.iter().map(|m| json!(m.0)).collect())),
        (["army"], Some(body)) => Some(read(&body["army"]).map(|(name, army)| told(&name, &army))),
        (["setup"], Some(body)) => Some(set_up(body)),
        (["ground"], Some(body)) => Some(ground(body)),
        (["figures"], None) => Some(Ok(json!({ "types": {}, "command": 0, "unseen": 0, "deploy": 0 }))),
        _ => None,
    }
}

fn tables() -> Tables {
    Tables::shipped()
}

fn wrong(e: heroes::army::BadArmy) -> Problems {
    e.0.into_iter().map(Problem::new).collect()
}

/// A list by its name, or from the text of one: never from a file of this machine.
fn read(given: &Value) -> Result<(String, Army), Problems> {
    if let Some(name) = given.as_str() {
        return Army::shipped(name, &tables()).map(|a| (name.to_owned(), a)).map_err(wrong);
    }
    let text = given["text"].as_str().ok_or_else(|| {
        vec![
            Problem::new("which army?")
                .hint("a name, or {\"text\": \"name = ...\"} with a list as a file has it"),
        ]
    })?;
    Army::parse(text, &tables(), "your list").map(|a| ("own".to_owned(), a)).map_err(wrong)
}

fn told(name: &str, army: &Army) -> Value {
    let sums = army.totals(&tables());
    let faults = army.faults(&tables(), None);
    let mut elements: Vec<String> =
        army.units.iter().map(|u| format!("{} {}", u.count, u.profile.name)).collect();
    elements.extend(army.generals.iter().map(|g| format!("{} {}", g.count, g.name)));
    let problems: Vec<Value> = faults.iter().map(|f| json!({ "words": f, "warning": false })).collect();
    json!({ "name": name, "title": army.name, "ap": sums.points.to_string(), "count": sums.elements, "commands": 1,
        "elements": elements, "legal": faults.is_empty(), "problems": problems })
}

fn armies() -> Result<Value, Problems> {
    let one = |(name, _): &(&str, &str)| read(&json!(name)).map(|(name, army)| told(&name, &army));
    LISTS.iter().map(one).collect::<Result<Vec<_>, _>>().map(Value::from)
}

/// A set-up: `armies`, `map` (a name, `random:N`, or a text; a scenario has it in `more`), `bound_limit` (bounds of each side; 0: as usual),
/// `points` (the most an army may have, if not as usual).
fn set_up(body: &Value) -> Result<Value, Problems> {
    let given = body["armies"].as_array().cloned().unwrap_or_default();
    if given.len() != 2 {
        return Err(vec![Problem::new("two armies fight a battle")]);
    }
    let limit = body["points"].as_i64().filter(|n| *n > 0).and_then(|n| i16::try_from(n).ok());
    let mut armies = Vec::new();
    for one in &given {
        let (_, army) = read(one)?;
        let faults = army.faults(&tables(), limit);
        if !faults.is_empty() {
            // What a list is told at the command line about a limit is a field here.
            let plain = |f: &str| f.replace("with --points", "as the most points");
            let say = |f: &String| Problem::new(format!("{}: {}", army.name, plain(f)));
            return Err(faults.iter().map(say).collect());
        }
        armies.push(army.value(&tables()));
    }
    // The map is read here, so that what is wrong with it is told before the battle is opened.
    let given = if body["more"]["map"].is_null() { &body["map"] } else { &body["more"]["map"] };
    let map = match given {
        Value::Null => json!("open-field"),
        map => map.clone(),
    };
    let read = setup::read_map(Some(&map), &tables())?;
    let map = json!({ "name": read.name, "text": read.text(&tables()) });
    let mut out = json!({ "map": map, "armies": armies });
    if let Some(n @ 1..) = body["bound_limit"].as_u64() {
        out["bounds"] = json!(n);
    }
    Ok(out)
}

/// A map drawn without names and pieces, with where the board lies in the drawing, so that a page can lay it under its own.
fn ground(body: &Value) -> Result<Value, Problems> {
    let map = json!({ "name": body["map"]["name"], "text": body["map"]["text"] });
    // Any two armies: a table has them, the drawing does not.
    let any = LISTS.first().map_or("", |l| l.0);
    let table = setup::open(&setup::default_rules(), &json!({ "map": map, "armies": [any, any] }))?;
    let theme = if body["theme"] == "dark" { Theme::Dark } else { Theme::Light };
    let style = Style { layout: Layout::Board, codes: false, ..Style::board(theme, DRAWN) };
    let edge = style.text * 0.2;
    let width = draw::hexes::width(&table);
    Ok(
        json!({ "svg": draw::hexes::svg(&table, None, "", style), "edge": edge, "scale": (DRAWN - edge * 2.0) / width }),
    )
}
