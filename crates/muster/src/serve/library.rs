//! What a lobby and a table ask of the program: armies, set-ups, signs, ground drawn, rules.

use super::{hexes, study};
use crate::shipped;
use commander::hott::arena;
use draw::{BoardSize, Glyph, Layout, Scene, Style, Theme};
use game::{Problem, Problems};
use hott::army::{Army, Pasted, check_list, read_list};
use hott::ground::Ground;
use hott::table::{Class, Column, Scale, Scope, Tables, TroopType};
use rulebook::{Family, OptionTable, RuleId};
use serde_json::{Value, json};
use server::Library;

/// The width at which ground is drawn, in units of the drawing.
const DRAWN: f64 = 1400.0;

/// The shelf of documents.
pub struct Shelf;

impl Library for Shelf {
    fn ask(&self, path: &str, body: Option<&Value>) -> Option<Result<Value, Problems>> {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        match (parts.as_slice(), body) {
            (["signs"], None) => Some(Ok(signs())),
            (["rules", id], None) => Some(rule(id)),
            (["study", "position"], Some(body)) => Some(study::position(body)),
            (["study", "ask"], Some(body)) => Some(study::ask(body)),
            (["search"], Some(body)) => Some(Ok(search(body["words"].as_str().unwrap_or("")))),
            ([game, "scenarios"], None) => Some(scenarios(game)),
            (["heroes", "options" | "editions"], None) => {
                Some(Ok(if parts[1] == "options" { options("heroes") } else { editions("heroes") }))
            }
            (["heroes", rest @ ..], body) => hexes::ask(rest, body),
            (["campaign", "maps"], None) => Some(Ok(super::campaign::maps())),
            (["horde", "encounters"], None) => Some(Ok(super::tracker::encounters())),
            (["hott" | "big", "options"], None) => Some(Ok(options(parts[0]))),
            (["hott" | "big", "editions"], None) => Some(Ok(editions(parts[0]))),
            (["hott" | "big", "armies"], None) => Some(armies(scope(parts[0]))),
            (["hott" | "big", "army"], Some(body)) => Some(army_checked(scope(parts[0]), body)),
            (["hott" | "big", "setup"], Some(body)) => Some(setup(scope(parts[0]), body)),
            (["hott" | "big", "ground"], Some(body)) => Some(ground(scope(parts[0]), body)),
            (["hott" | "big", "card"], Some(body)) => Some(card(scope(parts[0]), body)),
            (["hott" | "big", "card"], None) => Some(kinds(scope(parts[0]))),
            (["hott" | "big", "figures"], None) => Some(figures(scope(parts[0]))),
            _ => None,
        }
    }
}

fn scope(game: &str) -> Scope {
    if game == "big" { Scope::Big } else { Scope::Base }
}

fn tables(scope: Scope) -> Result<Tables, Problems> {
    let all =
        |e: rulebook::RulesErrors| e.list().iter().map(|e| Problem::new(e.to_string())).collect::<Vec<_>>();
    let rules = Tables::layers(scope).effective().map_err(all)?;
    Tables::load(scope, &rules).map_err(all)
}

/// The types that a fight card can be asked of, with what each can do.
fn kinds(scope: Scope) -> Result<Value, Problems> {
    let tables = tables(scope)?;
    let known = TroopType::ALL.into_iter().filter(|t| tables.is_big() || !tables.troop(*t).big);
    let one = |t: TroopType| {
        let data = tables.troop(t);
        json!({ "name": t.name(), "code": t.code(), "shoots": data.shoots.is_some(), "bespells": data.bespells })
    };
    Ok(json!({ "types": known.map(one).collect::<Vec<_>>(), "die": tables.numbers.die_sides }))
}

/// The fight card by itself: two fighters in words, how they fight, dice if they are thrown already. Rules of one's own
/// are options as `--set` takes them.
fn card(scope: Scope, body: &Value) -> Result<Value, Problems> {
    const KEYS: [&str; 6] = ["a", "b", "how", "answered", "dice", "sets"];
    if let Some(odd) =
        body.as_object().into_iter().flatten().map(|(key, _)| key).find(|k| !KEYS.contains(&k.as_str()))
    {
        let hint = "what holds for a fighter is said with its type: Blade general uphill";
        return Err(vec![Problem::new(format!("a fight card takes no {odd}")).hint(hint)]);
    }
    let mut layers = Tables::layers(scope);
    for set in body["sets"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        layers = layers.set(set);
    }
    let rules = layers.effective().map_err(|e| hott::rules::problems(&e))?;
    let tables = Tables::load(scope, &rules).map_err(|e| hott::rules::problems(&e))?;
    let word = |key: &str| body[key].as_str().unwrap_or("");
    let how = if word("how").is_empty() { "fight" } else { word("how") };
    let thrown = |die: &Value| die.as_i64().filter(|d| (1..=i64::from(tables.numbers.die_sides)).contains(d));
    let dice = match &body["dice"] {
        Value::Null => None,
        given => match given.as_array().map(Vec::as_slice) {
            Some([a, b]) if thrown(a).is_some() && thrown(b).is_some() => {
                thrown(a).zip(thrown(b)).map(<[i64; 2]>::from)
            }
            _ => {
                let most = tables.numbers.die_sides;
                return Err(vec![
                    Problem::new(format!("dice {given}: one for each of the two, from 1 to {most}"))
                        .hint("[3, 5]"),
                ]);
            }
        },
    };
    crate::odds_cmd::card(&tables, how, [word("a"), word("b")], body["answered"] == true, dice)
}

/// The signs of the types: code to name and drawing in a box of 24.
fn signs() -> Value {
    let one = |g: &Glyph| {
        (g.code().to_lowercase(), json!({ "name": g.name(), "svg": g.group("var(--sign)", "var(--plate)") }))
    };
    Value::Object(Glyph::ALL.iter().map(one).collect())
}

fn rule_json(id: RuleId) -> Value {
    let options: Vec<Value> = Family::ALL
        .iter()
        .flat_map(|f| OptionTable::of(*f).iter())
        .filter(|o| o.rule == id || o.also.contains(&id))
        .map(|o| {
            json!({ "key": o.key, "default": o.default.to_string(), "meaning": o.meaning, "values": o.allowed.names() })
        })
        .collect();
    json!({ "rule": id.to_string(), "section": id.section(), "text": id.text(), "options": options,
        "factor": hott::words::factor_name(id) })
}

fn rule(id: &str) -> Result<Value, Problems> {
    let id = id.to_uppercase().parse::<RuleId>().map_err(|e| vec![Problem::new(e.to_string())])?;
    Ok(rule_json(id))
}

fn search(words: &str) -> Value {
    RuleId::search(words, None).into_iter().take(20).map(rule_json).collect()
}

fn options(game: &str) -> Value {
    let family = Family::named(game).unwrap_or(Family::Hott);
    let one = |o: &rulebook::OptionSpec| {
        json!({ "key": o.key, "default": o.default.to_string(), "meaning": o.meaning, "rule": o.rule.to_string(),
            "values": o.allowed.names() })
    };
    OptionTable::of(family).iter().map(one).collect()
}

/// The editions of a game's rules; the first is played if none is chosen.
fn editions(game: &str) -> Value {
    let family = Family::named(game).unwrap_or(Family::Hott);
    let meaning = |p: &rulebook::Preset| {
        let line = p.text.lines().find_map(|l| l.strip_prefix("meaning = "));
        line.unwrap_or("").trim_matches('"').to_owned()
    };
    let one = |p: &rulebook::Preset| json!({ "name": p.name, "meaning": meaning(p) });
    rulebook::PRESETS.iter().filter(|p| p.family == family).map(one).collect()
}

fn problems(errors: Vec<hott::army::ArmyFileError>) -> Problems {
    let one = |e: hott::army::ArmyFileError| {
        let problem = Problem::new(e.what).at(&e.file, e.line, 0);
        if let Some(hint) = e.hint { problem.hint(hint) } else { problem }
    };
    errors.into_iter().map(one).collect()
}

/// The armies that are shipped: those of big battles first where those are fought.
fn on_the_shelf(scope: Scope) -> impl Iterator<Item = (&'static str, &'static str)> {
    let big = matches!(scope, Scope::Big).then_some("armies/big");
    big.into_iter().chain(["armies/hott"]).flat_map(shipped::of)
}

/// An army by its name, or from the text of a list: never from a file of this machine.
fn army(given: &Value, scope: Scope, tables: &Tables) -> Result<Pasted, Problems> {
    if let Some(name) = given.as_str() {
        let found = on_the_shelf(scope).find(|(n, _)| n.eq_ignore_ascii_case(name));
        let Some((name, text)) = found else {
            let names: Vec<&str> = on_the_shelf(scope).map(|(n, _)| n).collect();
            return Err(vec![
                Problem::new(format!("no shipped army is called so: {name}")).meant(name, names),
            ]);
        };
        return read_list(name, text, tables).map_err(problems);
    }
    let text = given["text"]
        .as_str()
        .ok_or_else(|| vec![Problem::new("which army?").hint("a name, or {\"text\": \"4 Blades ...\"}")])?;
    read_list("your list", text, tables).map_err(problems)
}

fn told(army: &Pasted, tables: &Tables) -> Value {
    let verdict = check_list(army, tables, None);
    let elements: Vec<String> = army
        .army
        .entries
        .iter()
        .map(|e| format!("{} {}{}", e.count, e.ty.name(), if e.general { " (general)" } else { "" }))
        .collect();
    let wrong =
        verdict.problems.iter().map(|p| json!({ "words": p.message, "rule": p.rule, "warning": p.warning }));
    json!({ "title": army.army.name, "ap": verdict.ap.to_string(), "count": army.army.element_count(),
        "commands": army.army.command_numbers().len(), "elements": elements, "legal": verdict.legal, "problems": wrong.collect::<Vec<_>>() })
}

fn armies(scope: Scope) -> Result<Value, Problems> {
    let tables = tables(scope)?;
    let mut all = Vec::new();
    for (name, text) in on_the_shelf(scope) {
        let army = read_list(name, text, &tables).map_err(problems)?;
        let mut one = told(&army, &tables);
        one["name"] = json!(name);
        all.push(one);
    }
    Ok(json!(all))
}

fn army_checked(scope: Scope, body: &Value) -> Result<Value, Problems> {
    let tables = tables(scope)?;
    Ok(told(&army(&body["army"], scope, &tables)?, &tables))
}

/// The set-up of a battle between armies: `armies`, `bound_limit`, and whatever else stands in `more`. With a number in
/// `quick` what is diced and chosen before deployment is drawn from it; with `players: "commands"` every command of a side
/// has a player of its own, called by side and number (`A1`).
fn setup(scope: Scope, body: &Value) -> Result<Value, Problems> {
    let tables = tables(scope)?;
    let given = body["armies"].as_array().cloned().unwrap_or_default();
    if !(2..=6).contains(&given.len()) {
        return Err(vec![Problem::new("two to six armies fight a battle")]);
    }
    let mut read = Vec::new();
    for one in &given {
        let pasted = army(one, scope, &tables)?;
        let verdict = check_list(&pasted, &tables, None);
        let wrong: Problems = verdict
            .problems
            .iter()
            .filter(|p| !p.warning)
            .map(|p| Problem::new(format!("{}: {}", pasted.army.name, p.message)).by(p.rule))
            .collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        read.push(pasted.army);
    }
    let limit = body["bound_limit"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let mut setup = arena::setup(&read.iter().collect::<Vec<_>>(), limit);
    if let Some(number) = body["quick"].as_u64() {
        let all = setup.get("sides").and_then(Value::as_array).map_or(0, Vec::len);
        let entries = read.iter().flat_map(|a| &a.entries);
        let ap: i32 = entries.map(|e| tables.troop(e.ty).ap * i32::from(e.count)).sum();
        let scale = read.first().map_or(Scale::default(), |a| a.scale);
        let board = hott::setup::board_for(&tables, scale, ap, all);
        let ground = Ground::random(number, &tables, &board, scale, ap);
        setup["ground"] = ground.print("\n").lines().map(Value::from).collect();
        setup["defender"] = json!(if number % 2 == 0 { "A" } else { "B" });
        // Of more than two sides the one with the highest die chooses, and the others follow round (BB-092).
        if all == 2 {
            setup["edges"] = json!({ "A": "bottom", "B": "top" });
        }
    }
    if body["players"] == "commands" {
        let seat = |side: usize, n: usize| {
            let letter = char::from(b'A' + u8::try_from(side).unwrap_or(0));
            json!({ "name": format!("{letter}{n}"), "side": letter.to_string(), "commands": [n] })
        };
        let of = |(side, army): (usize, &Army)| {
            let n = army.command_numbers().len();
            (1..=n).map(move |n| seat(side, n)).collect::<Vec<_>>()
        };
        setup["seats"] = read.iter().enumerate().flat_map(of).collect();
    }
    for (key, value) in body["more"].as_object().into_iter().flatten() {
        setup[key.as_str()] = value.clone();
    }
    Ok(setup)
}

/// The scenarios that are shipped for a game: `title`, `words`, `armies`, `bound_limit`, and what `setup` takes as `more`.
fn scenarios(game: &str) -> Result<Value, Problems> {
    let folder = format!("scenarios/{game}");
    let read = |(name, text): (&str, &str)| -> Result<Value, Problems> {
        let wrong = |e: toml::de::Error| vec![Problem::new(format!("{folder}/{name}: {e}"))];
        let mut one: Value = toml::from_str(text).map_err(wrong)?;
        one["name"] = json!(name);
        Ok(one)
    };
    shipped::of(&folder).map(read).collect::<Result<Vec<_>, _>>().map(Value::from)
}

/// The figures that overlays are drawn from: moves, ranges and reaches in paces, by the codes of the types.
fn figures(scope: Scope) -> Result<Value, Problems> {
    let tables = tables(scope)?;
    let one = |ty: &TroopType| {
        let data = tables.troop(*ty);
        let own = json!({ "good": data.rate(Column::Good), "bad": data.rate(Column::Bad),
            "aerial": tables.class(*ty) == Class::Aerial,
            "shoots": data.shoots.as_ref().map_or(0, |s| s.range),
            "bespells": if data.bespells { tables.numbers.bespell_range } else { 0 } });
        (ty.code().to_owned(), own)
    };
    let types: serde_json::Map<String, Value> = TroopType::ALL.iter().map(one).collect();
    Ok(json!({ "types": types, "command": tables.numbers.command_reach,
        "unseen": tables.numbers.command_reach_unseen, "deploy": tables.numbers.deployment_depth }))
}

/// Ground drawn: the features (`ground`, lines) on a board (`board`, hundredths of a pace), with where the board lies
/// in the drawing, so that a page can lay it under its own pieces.
fn ground(scope: Scope, body: &Value) -> Result<Value, Problems> {
    let lines: Vec<&str> =
        body["ground"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let ground = Ground::parse(&lines.join("\n"))?;
    let size = |i: usize| body["board"][i].as_f64().unwrap_or(240_000.0).clamp(10_000.0, 2_560_000.0) / 100.0;
    if let Some(ap) = body["ap"].as_i64() {
        // Being laid: what the rules of terrain still have against it.
        let tables = tables(scope)?;
        let scale = if body["scale"] == Scale::Mm25.word() { Scale::Mm25 } else { Scale::Mm15 };
        let hundredths = |n: f64| (n * 100.0).round() as field::Len;
        let board = field::Board::new(hundredths(size(0)), hundredths(size(1)));
        let ap = i32::try_from(ap).unwrap_or(i32::MAX);
        // CAM-072: in a campaign's battle, what the province asks for.
        let duty = serde_json::from_value::<hott::battle::GroundDuty>(body["duty"].clone()).ok();
        let wrong = match duty.filter(|_| body["duty"].is_object()) {
            Some(duty) => ground.province_problems((&tables, &board, scale), &duty, ap),
            None => ground.problems(&tables, &board, scale, ap),
        };
        let told = wrong.iter().map(|p| json!({ "rule": p.rule.to_string(), "words": p.message }));
        return Ok(json!({ "problems": told.collect::<Vec<_>>() }));
    }
    let theme = if body["theme"] == "dark" { Theme::Dark } else { Theme::Light };
    let (width, height) = (size(0), size(1));
    let board = BoardSize { width, height, mm_per_100: 40.0 };
    let scene = Scene { board, features: draw::hott::features(&ground), ..Scene::default() };
    let style = Style { layout: Layout::Board, codes: false, ..Style::board(theme, DRAWN) };
    // As `draw::picture` plans it: a margin and a band around the board.
    let edge = style.text * 0.2 + (style.width * 0.018).clamp(3.0, style.text * 1.2);
    let kinds: Vec<&str> = draw::hott::features(&ground).iter().map(|f| f.ground.name()).collect();
    Ok(
        json!({ "svg": draw::svg(&scene, style), "edge": edge, "scale": (DRAWN - edge * 2.0) / width, "kinds": kinds }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fight_card_refuses_what_it_does_not_know() {
        let ask = |body: Value| Shelf.ask("hott/card", Some(&body)).unwrap().unwrap_err()[0].to_string();
        let card = |key: &str, value: Value| {
            let mut body = json!({ "a": "Blade", "b": "Knight" });
            body[key] = value;
            ask(body)
        };
        assert!(card("a_general", json!(true)).contains("a_general"));
        assert!(card("flags", json!(["general"])).contains("flags"));
        for dice in
            [json!([1]), json!([0, 3]), json!([1, 7]), json!([1.5, 2]), json!("3 4"), json!([1, 2, 3])]
        {
            assert!(card("dice", dice.clone()).contains("dice"), "{dice}");
        }
    }

    #[test]
    fn the_fight_card_stands_alone() {
        let ask = |body: Value| Shelf.ask("hott/card", Some(&body)).unwrap();
        let card = ask(json!({ "a": "Blade general", "b": "Knight charged", "dice": [1, 6] })).unwrap();
        // 5 against mounted is 3, and 1 for the general; 3 against foot.
        assert_eq!((&card["fighters"][0]["sum"], &card["fighters"][1]["sum"]), (&json!(4), &json!(3)));
        assert_eq!(card["result"]["totals"], json!([5, 9]));
        assert_eq!(card["result"]["words"], json!(["recoils", "stays"]));
        let own = ask(json!({ "a": "Blade", "b": "Blade", "sets": ["hott.types.Blade.cf_foot=6"] }));
        assert_eq!(own.unwrap()["fighters"][0]["sum"], 6);
        for bad in
            [json!({ "a": "Blad", "b": "Knight" }), json!({ "a": "Blade", "b": "Knight", "dice": [0, 7] })]
        {
            assert!(ask(bad.clone()).is_err(), "{bad}");
        }
        assert!(ask(json!({ "a": "Blade", "b": "Knight", "how": "shoot" })).is_err());
    }

    #[test]
    fn every_scenario_sets_up_on_legal_ground() {
        for game in ["hott", "big"] {
            let all = scenarios(game).unwrap();
            assert!(all.as_array().is_some_and(|a| a.len() > 1), "{game}");
            for one in all.as_array().into_iter().flatten() {
                let made = setup(scope(game), one).unwrap();
                assert_eq!(made["ground"], one["more"]["ground"], "{}", one["name"]);
                let tables = tables(scope(game)).unwrap();
                let lines: Vec<&str> =
                    made["ground"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let ground = Ground::parse(&lines.join("\n")).unwrap();
                let armies = one["armies"].as_array().unwrap();
                let first = army(&armies[0], scope(game), &tables).unwrap().army;
                let all = armies.iter().map(|a| army(a, scope(game), &tables).unwrap().army);
                let ap: i32 =
                    all.flat_map(|a| a.entries).map(|e| tables.troop(e.ty).ap * i32::from(e.count)).sum();
                let board = hott::setup::board_for(&tables, first.scale, ap, 2);
                let wrong = ground.problems(&tables, &board, first.scale, ap);
                let told: Vec<_> = wrong.iter().map(|p| format!("{} {}", p.rule, p.message)).collect();
                assert!(told.is_empty(), "{}: {told:?} on {board:?}", one["name"]);
                assert!(one["title"].is_string() && one["words"].is_string(), "{}", one["name"]);
            }
        }
    }
}
