//! The tracker of Horde combat as a page: the terminal's tracker, with links for the game master and for players.

use crate::shipped;
use game::{Problem, Problems};
use horde::cli::{self, Settings};
use horde::tracker::{Key, Tracker};
use serde_json::{Value, json};
use server::{Desk, DeskFile};

/// Whose page shows everything.
const MASTER: &str = "master";
/// Whose page shows what players may know.
const PLAYERS: &str = "players";

/// An encounter under way.
pub struct TrackerDesk {
    tracker: Tracker,
    ended: bool,
    /// What an encounter file has that is odd; told once.
    warnings: Vec<String>,
}

fn text_of<'a>(wish: &'a Value, key: &str) -> Option<&'a str> {
    wish[key].as_str().filter(|t| !t.trim().is_empty())
}

impl TrackerDesk {
    /// A new one: `{"shipped": "bridge"}`, or `{"text": "…", "file": "night.toml"}`; `preset` and `sets` as on the command
    /// line. The text may be the record of an encounter, which goes on.
    pub fn open(wish: &Value, seed: u64) -> Result<Self, Problems> {
        let (file, text) = match (text_of(wish, "shipped"), text_of(wish, "text")) {
            (Some(name), None) => {
                let found = shipped::of(ENCOUNTERS).find(|(n, _)| *n == name);
                let names: Vec<&str> = shipped::of(ENCOUNTERS).map(|(n, _)| n).collect();
                let none = || {
                    vec![Problem::new(format!("no shipped encounter is called {name}")).meant(name, names)]
                };
                let (name, text) = found.ok_or_else(none)?;
                (format!("{name}.toml"), text.to_owned())
            }
            (None, Some(text)) => {
                (text_of(wish, "file").unwrap_or("encounter.toml").to_owned(), text.to_owned())
            }
            _ => {
                return Err(vec![
                    Problem::new("which encounter?").hint("a shipped one by name, or the text of a file"),
                ]);
            }
        };
        if text.starts_with("{\"muster\":\"record\"") {
            let tracker = Tracker::resume(&text, seed).map_err(|p| vec![p.in_file(&file)])?;
            return Ok(Self { tracker: whole(tracker), ended: false, warnings: Vec::new() });
        }
        let sets: Vec<String> = wish["sets"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|s| s.as_str().map(str::to_owned))
            .collect();
        let sets = crate::games::pairs(&sets)?;
        let settings = Settings { preset: text_of(wish, "preset"), rules_file: None, sets: &sets };
        let (game, warnings) = cli::open(&file, &text, settings).map_err(problems)?;
        let warnings = warnings.iter().map(ToString::to_string).collect();
        Ok(Self { tracker: Tracker::new(game, seed), ended: false, warnings })
    }

    /// One from the store.
    pub fn resume(record: &str, beside: &Value, seed: u64) -> Result<Self, Problems> {
        let mut tracker = Tracker::resume(record, seed).map_err(|p| vec![p])?;
        tracker.set_rolled(beside["rolled"] != false);
        tracker.say("");
        let told = |v: &Value| v.as_str().map(str::to_owned);
        let warnings = beside["warnings"].as_array().into_iter().flatten().filter_map(told).collect();
        Ok(Self { tracker, ended: beside["ended"] == true, warnings })
    }

    fn done(&self, taken: bool) -> Value {
        json!({ "taken": taken, "told": self.tracker.told() })
    }
}

/// A record brought in is written anew, from its header on.
fn whole(mut tracker: Tracker) -> Tracker {
    tracker.rewrite();
    tracker
}

/// Where the shipped encounters are.
pub const ENCOUNTERS: &str = "horde/encounters";

/// The shipped encounters: word, title, who is in them.
pub fn encounters() -> Value {
    let one = |(name, text): (&str, &str)| {
        let (game, _) = cli::open(name, text, Settings::default()).ok()?;
        let state = game::Game::start(&game);
        let names = |foes: bool| {
            let side = if foes { horde::unit::Side::Foes } else { horde::unit::Side::Heretics };
            let all: Vec<&str> =
                state.ids().map(|id| state.unit(id)).filter(|u| u.side == side).map(|u| &*u.name).collect();
            all.join(", ")
        };
        Some(
            json!({ "name": name, "title": game.name(), "who": format!("{} against {}", names(false), names(true)) }),
        )
    };
    shipped::of(ENCOUNTERS).filter_map(one).collect()
}

fn problems(all: horde::problem::Problems) -> Problems {
    let one = |p: horde::problem::Problem| {
        let problem = Problem::new(p.text).at(&p.file, u32::try_from(p.line).unwrap_or(0), 0);
        match p.hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    };
    all.0.into_iter().filter(|p| p.severity != horde::problem::Severity::Warning).map(one).collect()
}

fn not_yours() -> Problems {
    vec![Problem::new("this is the game master's to do; players look on")]
}

impl Desk for TrackerDesk {
    fn title(&self) -> String {
        self.tracker.name().to_owned()
    }

    fn roles(&self) -> Vec<String> {
        vec![MASTER.to_owned(), PLAYERS.to_owned()]
    }

    fn over(&self) -> bool {
        self.ended
    }

    fn view(&self, role: &str) -> Value {
        let mut view = if role == MASTER { self.tracker.master_page() } else { self.tracker.players_page() };
        view["ended"] = json!(self.ended);
        if role == MASTER {
            view["warnings"] = json!(self.warnings);
        }
        view
    }

    fn act(&mut self, role: &str, wish: &Value) -> Result<Value, Problems> {
        if role != MASTER {
            return Err(not_yours());
        }
        if wish["reopen"] == true {
            self.ended = false;
            return Ok(self.done(true));
        }
        if self.ended {
            let problem = Problem::new("this encounter has been ended; its log is kept");
            return Err(vec![problem.hint("\"Go on with it\" opens it again")]);
        }
        if wish["end"] == true {
            self.tracker.key(Key::Esc);
            self.ended = true;
            return Ok(json!({ "taken": true, "told": "" }));
        }
        if let Some(line) = wish["line"].as_str() {
            self.warnings.clear();
            if !line.is_empty() && line.chars().all(char::is_control) {
                return Err(vec![
                    Problem::new("nothing that can be read").hint("Enter alone takes the usual action"),
                ]);
            }
            let taken = self.tracker.line(line);
            return Ok(self.done(taken));
        }
        let before = self.tracker.length();
        match wish["key"].as_str() {
            Some("undo") => self.tracker.key(Key::F(7)),
            Some("leave") => self.tracker.key(Key::Esc),
            Some("next") => self.tracker.key(Key::Tab),
            Some("dice") => {
                let rolled = wish["rolled"].as_bool().unwrap_or(!self.tracker.is_rolled());
                self.tracker.set_rolled(rolled);
                return Ok(self.done(true));
            }
            _ => {
                return Err(vec![
                    Problem::new("nothing that the tracker knows").hint("line, key, end or reopen"),
                ]);
            }
        }
        Ok(self.done(self.tracker.length() > before))
    }

    fn ask(&self, role: &str, wish: &Value) -> Result<Value, Problems> {
        if role != MASTER {
            return Err(not_yours());
        }
        self.tracker.weigh(wish["line"].as_str().unwrap_or("")).map_err(|p| vec![p])
    }

    fn file(&self, role: &str, name: &str) -> Option<DeskFile> {
        let stem: String = self
            .tracker
            .name()
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let text = |name: String, text: String| {
            Some(DeskFile { name, kind: "text/plain; charset=utf-8", bytes: text.into_bytes() })
        };
        match (role, name) {
            (MASTER, "log") => text(format!("{stem}.txt"), self.tracker.export(false)),
            (MASTER, "players-log") | (_, "log") => {
                text(format!("{stem}-players.txt"), self.tracker.export(true))
            }
            (MASTER, "report" | "report.md") => {
                let record = game::record::Record::parse(&self.tracker.record()).ok()?;
                let page = name == "report";
                let told = crate::report::of_horde(&record, page).ok()?;
                let (ending, kind) = if page {
                    ("html", "text/html; charset=utf-8")
                } else {
                    ("md", "text/markdown; charset=utf-8")
                };
                Some(DeskFile { name: format!("{stem}-report.{ending}"), kind, bytes: told.into_bytes() })
            }
            (MASTER, "record") => Some(DeskFile {
                name: format!("{stem}.jsonl"),
                kind: "application/x-ndjson",
                bytes: self.tracker.record().into_bytes(),
            }),
            _ => None,
        }
    }

    fn unwritten(&mut self) -> Vec<String> {
        self.tracker.unwritten().lines().map(str::to_owned).collect()
    }

    fn beside(&self) -> Value {
        json!({ "rolled": self.tracker.is_rolled(), "ended": self.ended, "warnings": self.warnings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encounter_is_told_round_by_round_with_a_bar_for_everybody() {
        let mut desk = TrackerDesk::open(&json!({ "shipped": "bridge" }), 5).unwrap();
        for line in
            ["guard -9", "next", "next", "next", "next", "next", "next", "next", "next", "next", "next"]
        {
            desk.act(MASTER, &json!({ "line": line })).unwrap();
        }
        let text = |desk: &TrackerDesk, name: &str| {
            desk.file(MASTER, name).map(|f| (f.name, String::from_utf8(f.bytes).unwrap())).unwrap()
        };
        let (name, page) = text(&desk, "report");
        assert_eq!(name, "the-bridge-at-dawn-report.html");
        let rounds = page.matches("<h2>").count();
        assert!(rounds > 1 && page.matches("<figure>").count() == rounds, "{page}");
        assert!(page.contains("<h2>Round 1</h2>") && page.contains("<h2>Round 2</h2>"), "{page}");
        let (name, told) = text(&desk, "report.md");
        assert!(name.ends_with(".md") && told.starts_with("# The bridge at dawn"), "{told}");
        assert!(told.contains("## Round 1") && !told.contains("<p>"), "{told}");
        // Players have no Magnitudes to read in it.
        assert!(desk.file(PLAYERS, "report").is_none() && desk.file(PLAYERS, "report.md").is_none());
        let record = game::record::Record::parse(&desk.tracker.record()).unwrap();
        let table = crate::horde_report::table(&record).unwrap();
        assert_ne!(crate::horde_report::bars(&table, 0), crate::horde_report::bars(&table, u32::MAX));
    }
}
