//! Positions to study: set up freely or taken from a battle, looked at, asked, played on.

use crate::games;
use draw::{Layout, Style, Theme};
use game::case::Case;
use game::{AnyTable, Problem, Problems, Table};
use heroes::Heroes;
use hott::battle::Battle;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The width at which positions are drawn, in units of the drawing.
const DRAWN: f64 = 1200.0;

/// A position as the text of a case gives it (docs/cases.md; `[[step]]` may be lacking): its notation, a drawing with where
/// the board lies in it, the pieces as lines of such a text, and what is wrong, by line.
pub fn position(body: &Value) -> Result<Value, Problems> {
    let (case, table) = open(body)?;
    let theme = if body["theme"] == "dark" { Theme::Dark } else { Theme::Light };
    let style = Style { layout: Layout::Board, ..Style::board(theme, DRAWN) };
    let mut said = json!({ "game": case.game, "title": case.title, "notation": table.notation(),
        "preset": case.preset, "sets": sets(&case), "seats": table.seats(),
        "turn": table.first_to_act().and_then(|s| table.seats().get(usize::from(s.0)).cloned()) });
    let edge = style.text * 0.2;
    if let Some(known) = table.as_any().downcast_ref::<Table<Battle>>() {
        let (battle, state) = (known.game(), known.state());
        let options = draw::hott::Options { fights: true, ..draw::hott::Options::default() };
        // As `draw::picture` plans it: a margin and a band around the board.
        let edge = edge + (style.width * 0.018).clamp(3.0, style.text * 1.2);
        let width = f64::from(battle.board.width) / 100.0;
        said["svg"] = json!(draw::svg(&draw::hott::scene(battle, state, &options), style));
        said["edge"] = json!(edge);
        said["scale"] = json!((DRAWN - edge * 2.0) / width);
        said["board"] = json!([battle.board.width / 100, battle.board.height / 100]);
        let on = battle.ids().filter(|id| state.on_table(*id));
        let line = |id| {
            let pose = state.element(id).pose;
            let (x, y, turn) = (pose.point().x, pose.point().y, pose.heading.hundredths());
            let text = format!("{} {} {}", hundredths(x), hundredths(y), hundredths(turn));
            json!([battle.full_label(id), text])
        };
        said["pieces"] = on.map(line).collect();
    } else if let Some(known) = table.as_any().downcast_ref::<Table<Heroes>>() {
        let t = known.game().table();
        let width = draw::hexes::width(t);
        said["svg"] = json!(draw::hexes::svg(t, Some(known.state()), "", style));
        said["hexes"] = super::study_hexes::told(known);
        said["edge"] = json!(edge);
        said["scale"] = json!((DRAWN - edge * 2.0) / width);
    } else {
        return Err(vec![
            Problem::new(format!("positions of {} are not studied here", case.game))
                .hint("hott, big or heroes"),
        ]);
    }
    Ok(said)
}

/// A question about a position: `odds A.Bld1 v B.Kni1`.
pub fn ask(body: &Value) -> Result<Value, Problems> {
    let (_, table) = open(body)?;
    let question = body["question"].as_str().unwrap_or("");
    let answer = table.ask(question).map_err(|p| vec![p])?;
    Ok(json!({ "answer": answer }))
}

fn open(body: &Value) -> Result<(Case, Box<dyn AnyTable>), Problems> {
    let text = body["text"].as_str().unwrap_or("");
    // A line of notation alone is a position too.
    if let Some((name, _)) = game::notation_head(text)
        && text.trim().lines().count() == 1
    {
        let of =
            |game: &str| format!("title = \"\"\ngame = {}\nnotation = {}\n", json!(game), json!(text.trim()));
        let first = start(&of(name));
        // Big battles write the same head.
        return if name == "hott" { first.or_else(|e| start(&of("big")).map_err(|_| e)) } else { first };
    }
    start(text)
}

fn start(text: &str) -> Result<(Case, Box<dyn AnyTable>), Problems> {
    // What game it is comes first: the rest is read as that game writes it.
    if let Some(name) =
        toml::from_str::<toml::Table>(text).ok().as_ref().and_then(|t| t.get("game")?.as_str())
    {
        games::named(name)?;
    }
    let case = Case::parse_start("position", text).map_err(|p| vec![p])?;
    let table = case.open(games::named(&case.game)?, &BTreeMap::new())?;
    Ok((case, table))
}

/// The options of a case as `--set` takes them.
fn sets(case: &Case) -> Vec<String> {
    let plain = |v: &toml::Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    case.options.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect()
}

/// Hundredths as people write them: 40, 40.5.
fn hundredths(n: i32) -> String {
    let text =
        format!("{}{}.{:02}", if n < 0 { "-" } else { "" }, n.unsigned_abs() / 100, n.unsigned_abs() % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "title = 'x'\ngame = 'hott'\n[position.elements]\n\"A.Bld1\" = '1200 1000 0'\n\"B.Kni1\" = '1200 1000.5 180'\n";

    #[test]
    fn a_position_is_drawn_asked_and_opened_from_its_own_notation() {
        let said = position(&json!({ "text": TWO })).unwrap();
        assert_eq!(said["pieces"][1], json!(["B.Kni1", "1200 1000.5 180"]));
        assert!(said["svg"].as_str().unwrap().starts_with("<svg"));
        let answer = ask(&json!({ "text": TWO, "question": "odds A.Bld1 v B.Kni1" })).unwrap();
        assert!(answer["answer"].as_array().unwrap().iter().any(|l| l == "pairs 36"), "{answer}");
        let line = said["notation"].as_str().unwrap();
        let text = format!("title = ''\ngame = 'hott'\nnotation = {}\n", json!(line));
        assert_eq!(position(&json!({ "text": text })).unwrap()["notation"], said["notation"]);
    }

    #[test]
    fn a_position_on_hexes_is_told_as_lines_that_say_the_same() {
        let text = "title = 'x'\ngame = 'heroes'\n[position]\nmap = 'open-field'\narmies = ['roman', 'british']\nphase = 'melee'\n[position.units]\n\"A.Leg1\" = { at = 'F6', facing = 'n', formation = 'column', stands = 3, marks = ['disrupted'] }\n\"B.War1\" = 'F5 s'\n[position.generals]\n\"A.Gen1\" = 'F6'\n";
        let said = position(&json!({ "text": text })).unwrap();
        let hexes = &said["hexes"];
        let lines = |key: &str| {
            let all = hexes[key].as_array().unwrap().iter();
            all.map(|p| format!("\"{}\" = {}\n", p[0].as_str().unwrap(), p[1].as_str().unwrap()))
                .collect::<String>()
        };
        let fields: Vec<&str> =
            hexes["fields"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
        assert!(
            fields.contains(&"armies = [\"roman\", \"british\"]") && fields.contains(&"map = \"open-field\""),
            "{fields:?}"
        );
        assert!(lines("units").contains("\"B.War1\" = \"F5 s\""), "{}", lines("units"));
        let again = format!(
            "title = ''\ngame = 'heroes'\n[position]\n{}\n[position.units]\n{}[position.generals]\n{}",
            fields.join("\n"),
            lines("units"),
            lines("generals")
        );
        assert_eq!(position(&json!({ "text": again })).unwrap()["notation"], said["notation"], "{again}");
        assert!(hexes["box"].as_array().unwrap().iter().any(|b| b["label"] == "A.Leg2"));
        let line = said["notation"].as_str().unwrap();
        let short = format!("title = ''\ngame = 'heroes'\nnotation = {}\n", json!(line));
        assert_eq!(position(&json!({ "text": short })).unwrap()["hexes"], said["hexes"]);
    }

    #[test]
    fn what_is_wrong_is_told_by_line() {
        let bad = |text: &str| position(&json!({ "text": text })).unwrap_err()[0].to_string();
        // Two on one spot, a word that is none, another game's notation, a later version.
        assert!(
            bad(&TWO.replace("1000.5", "990")).contains("stands on"),
            "{}",
            bad(&TWO.replace("1000.5", "990"))
        );
        assert!(bad(&TWO.replace("Kni1", "Knx1")).contains(":5"), "{}", bad(&TWO.replace("Kni1", "Knx1")));
        let line = position(&json!({ "text": TWO })).unwrap()["notation"].as_str().unwrap().to_owned();
        let of =
            |game: &str, line: &str| format!("title = ''\ngame = '{game}'\nnotation = {}\n", json!(line));
        let told = |game: &str, line: &str, words: &str| {
            let said = bad(&of(game, line));
            assert!(said.contains(words), "{game} {line}: {said}");
        };
        told("heroes", &line, "this is a position of hott, and one of heroes is asked for");
        told("hott", "heroes/1 {}", "this is a position of heroes");
        told("big", "heroes/1 {}", "this is a position of heroes");
        told("hott", &line.replacen("hott1", "hott2", 1), "version 2");
        told("heroes", "heroes/9 {}", "version 9");
        told("hott", "hh1 x", "position of hh");
        told("hott", "", "empty");
        told("hott", "{}", "JSON");
        // A line alone is a position; one of another version is told.
        assert_eq!(position(&json!({ "text": line })).unwrap()["notation"], json!(line));
        assert!(bad(&line.replacen("hott1", "hott3", 1)).contains("version 3"));
        // A piece that is wrong is told with its side and its line.
        let off = bad(&TWO.replace("'1200 1000 0'", "'-500 1000 0'"));
        assert!(off.contains("A.Bld1") && off.contains(":4"), "{off}");
        let hexes = |unit: &str| {
            bad(&format!(
                "title = 'x'\ngame = 'heroes'\n[position]\nmap = 'open-field'\narmies = ['roman', 'british']\n[position.units]\n\"A.Leg1\" = {unit}\n\"B.War1\" = 'F5 s'\n"
            ))
        };
        for unit in ["'ZZ99 n'", "'F6 q'", "{ at = 'F6', stands = 999 }"] {
            let said = hexes(unit);
            assert!(said.contains("A.Leg1") && said.contains(":7"), "{unit}: {said}");
        }
        assert!(bad("title = 'x'\ngame = 'chess'\n").contains("chess"));
        let own =
            ask(&json!({ "text": TWO, "question": "odds A.Bld1 v A.Bld1" })).unwrap_err()[0].to_string();
        assert!(own.contains("itself"), "{own}");
        assert!(bad("chess1 e4").contains("unknown game"), "{}", bad("chess1 e4"));
        let two = "title = 'x'\ngame = 'heroes'\n[position]\nmap = 'open-field'\narmies = ['roman', 'british']\n[position.units]\n\"A.Leg1\" = 'F6 n'\n\"B.War1\" = 'F6 s'\n";
        assert!(bad(two).contains("both stand in F6"), "{}", bad(two));
    }
}
