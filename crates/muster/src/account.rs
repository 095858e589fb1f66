//! The account of a battle: bound by bound, as one tells it afterwards. It is made from the record's lines alone, so
//! that a record of any age can be told.

use crate::out;
use game::record::{Act, Line};
use serde_json::Value;

/// Tells the lines of a record of a game, wrapped for a terminal.
pub fn tell(game: &str, lines: &[&Line]) -> String {
    if matches!(game, "hott" | "big") { tell_battle(lines) } else { tell_events(lines) }
}

/// Events that say nothing to one who hears of the game afterwards.
const DULL: [&str; 6] = ["phase", "turned", "command", "placed", "stationed", "step"];

/// A sentence an event, bounds as headings: for games whose events are sentences already.
fn tell_events(lines: &[&Line]) -> String {
    let mut text = String::new();
    for line in lines {
        if let Act::Undo { to, .. } = &line.act {
            let back = format!("  ({})", back(line, *to));
            text.push_str(&out::wrap(&back, 78, 2));
            text.push('\n');
        }
        for event in &line.events {
            let say = event["say"].as_str().unwrap_or("").trim();
            let kind = event["kind"].as_str().unwrap_or("");
            if say.is_empty() || DULL.contains(&kind) {
                continue;
            }
            if kind == "bound" {
                text.push_str(&format!("\n{}\n", capital(say.trim_end_matches('.'))));
                continue;
            }
            let stop = if say.ends_with(['.', '!', '?', ')']) { "" } else { "." };
            text.push_str(&out::wrap(&format!("  {}{stop}", capital(say)), 78, 2));
            text.push('\n');
        }
    }
    text
}

/// That something was taken back: a die that was typed wrongly, or all from a line on.
fn back(line: &Line, to: u32) -> String {
    if matches!(line.act, Act::Undo { wrong_die: true, .. }) {
        return format!("{} puts a wrong die right: line {to} once more.", line.by);
    }
    format!("{} takes back everything from line {to} on.", line.by)
}

/// With its first letter large.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

fn tell_battle(lines: &[&Line]) -> String {
    let mut told = Told::default();
    for line in lines {
        match &line.act {
            Act::Command(text) => told.command(text, &line.events),
            Act::Undo { to, .. } => told.sentence(&format!("({})", back(line, *to))),
            Act::Snapshot(_) => {}
            Act::End { .. } => told.close(),
        }
    }
    told.close();
    told.text
}

#[derive(Default)]
struct Told {
    text: String,
    paragraph: String,
    /// A bound's heading that waits for its PIPs.
    heading: Option<String>,
    lost: Vec<(String, String)>,
    /// Who fought in the combat told last: what becomes of them need not be said twice.
    fighters: Vec<String>,
    /// The sentence of that combat.
    fight: String,
}

impl Told {
    fn sentence(&mut self, text: &str) {
        self.flush_heading();
        if !self.paragraph.is_empty() {
            self.paragraph.push(' ');
        }
        self.paragraph.push_str(text);
    }

    fn close(&mut self) {
        self.flush_heading();
        if !self.paragraph.is_empty() {
            self.text.push_str(&out::wrap(&format!("  {}", self.paragraph), 78, 2));
            self.text.push('\n');
            self.paragraph.clear();
        }
    }

    fn flush_heading(&mut self) {
        if let Some(heading) = self.heading.take() {
            self.close_paragraph_only();
            self.text.push_str(&format!("\n{heading}\n"));
        }
    }

    fn close_paragraph_only(&mut self) {
        if !self.paragraph.is_empty() {
            self.text.push_str(&out::wrap(&format!("  {}", self.paragraph), 78, 2));
            self.text.push('\n');
            self.paragraph.clear();
        }
    }

    fn command(&mut self, text: &str, events: &[Value]) {
        let moved: Vec<&Value> = events.iter().filter(|e| e["kind"] == "moved").collect();
        let deployed = events.iter().filter(|e| e["kind"] == "deployed").count();
        if deployed > 0 {
            self.close();
            let names: Vec<String> =
                events.iter().filter(|e| e["kind"] == "deployed").filter_map(|e| short(&e["who"])).collect();
            self.sentence(&format!("{} deploys {}.", side(&events[0]["who"]), list(&names)));
        }
        if !moved.is_empty() {
            self.movement(text, &moved);
        }
        for event in events {
            let say = event["say"].as_str().unwrap_or("");
            match event["kind"].as_str().unwrap_or("") {
                "moved" | "deployed" | "paid" | "step" | "command-deployed" | "conformed" => {}
                "bound" => {
                    self.close();
                    self.heading = Some(say.trim_end_matches('.').to_owned());
                }
                "pips" if self.heading.is_some() => {
                    let score = event["score"].as_u64().unwrap_or(0);
                    let word = if score == 1 { "PIP" } else { "PIPs" };
                    if let Some(heading) = &mut self.heading {
                        // "A's command 2 has 4 PIPs.": of several commands each by its name, the one that bears the
                        // army's as the first.
                        let whose =
                            say.split_once("'s command ").and_then(|(_, rest)| rest.rsplit_once(" has "));
                        let whose = whose.map_or_else(String::new, |(name, _)| match name {
                            name if heading.contains(&format!("({name})")) => " (first command)".to_owned(),
                            name if name.parse::<u8>().is_ok() => format!(" (command {name})"),
                            name => format!(" ({name})"),
                        });
                        heading.push_str(&format!(", {score} {word}{whose}"));
                    }
                }
                "losses" => {
                    let (side, ap) = (
                        event["side"].as_str().unwrap_or("").to_owned(),
                        event["ap"].as_str().unwrap_or("").to_owned(),
                    );
                    let known = self.lost.iter().find(|(s, _)| *s == side).map_or("0", |(_, ap)| ap);
                    if known != ap {
                        self.sentence(say);
                        self.lost.retain(|(s, _)| *s != side);
                        self.lost.push((side, ap));
                    }
                }
                "combat" => {
                    self.close();
                    self.sentence(say);
                    say.clone_into(&mut self.fight);
                    let who = |f: &Value| f["who"].as_str().map(str::to_owned);
                    self.fighters =
                        event["fighters"].as_array().into_iter().flatten().filter_map(who).collect();
                }
                // Who recoils onto what is in the way is lost by that, which the fight's own sentence does not tell.
                "removed" if self.has_fought(event) && self.fight.contains(say.trim_end_matches('.')) => {}
                "recoiled" | "fled" if self.has_fought(event) => {
                    let far = say.rsplit(' ').next().unwrap_or("").trim_end_matches('.');
                    self.aside(far);
                }
                _ if !say.is_empty() => self.sentence(say),
                _ => {}
            }
        }
    }

    fn has_fought(&self, event: &Value) -> bool {
        event["who"].as_str().is_some_and(|who| self.fighters.iter().any(|f| f == who))
    }

    /// Adds a figure to the sentence before: `recoils, beaten 5 to 6 (60p).`
    fn aside(&mut self, text: &str) {
        if self.paragraph.ends_with('.') {
            self.paragraph.pop();
            self.paragraph.push_str(&format!(" ({text})."));
        }
    }

    /// One sentence for a move, however many elements made it.
    fn movement(&mut self, text: &str, moved: &[&Value]) {
        self.close();
        self.fighters.clear();
        let names: Vec<String> = moved.iter().filter_map(|e| short(&e["who"])).collect();
        let many = names.len() > 1;
        let mut words = text.split_whitespace();
        let verb = words.next().unwrap_or("move");
        let last = words.next_back().unwrap_or("");
        let far = moved.iter().filter_map(|e| paces(&e["distance"])).max().unwrap_or(0);
        let who = list(&names);
        let s = if many { "" } else { "s" };
        let sentence = match verb {
            "charge" => format!("{who} charge{s} {last} over {far}p."),
            "close" => format!("{who} close{s} the door on {last}."),
            "break" => format!("{who} break{s} off, {far}p back."),
            "line" => format!("{who} line{s} up with {last}, {far}p."),
            "column" => format!("{who} march{} in column, {far}p.", if many { "" } else { "es" }),
            _ => format!("{who} move{s} {far}p."),
        };
        self.sentence(&sentence);
    }
}

/// `A.Kni2` as `Kni2`.
fn short(label: &Value) -> Option<String> {
    let label = label.as_str()?;
    Some(label.split_once('.').map_or(label, |(_, rest)| rest).to_owned())
}

fn side(label: &Value) -> &str {
    label.as_str().and_then(|l| l.split_once('.')).map_or("", |(side, _)| side)
}

fn paces(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.split('.').next()?.parse().ok())
}

/// `Bld1, Bld2 and Spr1`, runs of one type drawn together: `Bld1-3`.
fn list(names: &[String]) -> String {
    let mut sorted: Vec<(String, u32)> = names
        .iter()
        .map(|n| {
            let at = n.find(|c: char| c.is_ascii_digit()).unwrap_or(n.len());
            (n[..at].to_owned(), n[at..].parse().unwrap_or(0))
        })
        .collect();
    sorted.sort();
    let mut parts: Vec<String> = Vec::new();
    let mut i = 0;
    while i < sorted.len() {
        let mut j = i;
        while j + 1 < sorted.len() && sorted[j + 1].0 == sorted[i].0 && sorted[j + 1].1 == sorted[j].1 + 1 {
            j += 1;
        }
        let (kind, from, to) = (&sorted[i].0, sorted[i].1, sorted[j].1);
        parts.push(if j > i { format!("{kind}{from}-{to}") } else { format!("{kind}{from}") });
        i = j + 1;
    }
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Digest;
    use serde_json::json;

    fn line(text: &str, events: Vec<Value>) -> Line {
        Line {
            n: 1,
            by: "A".into(),
            act: Act::Command(text.into()),
            throws: vec![],
            events,
            state: Digest::default(),
            chain: Digest::default(),
        }
    }

    #[test]
    fn a_bound_reads_as_one_tells_it() {
        let lines = [
            line("end moves", vec![
                json!({ "kind": "bound", "say": "Bound 3: A (Elves)." }),
                json!({ "kind": "pips", "score": 4, "say": "A has 4 PIPs." }),
            ]),
            line("charge Bld1 Bld2 Bld3 front B.Spr1", (1..4).map(|n| json!({ "kind": "moved", "who": format!("A.Bld{n}"), "distance": 180, "say": "x" })).collect()),
            line("fight Bld1", vec![
                json!({ "kind": "combat", "say": "A's Blade 1 fights B's Spear 1. B's Spear 1 recoils, beaten 8 to 9.",
                    "fighters": [{ "who": "A.Bld1" }, { "who": "B.Spr1" }] }),
                json!({ "kind": "recoiled", "who": "B.Spr1", "say": "B's Spear 1 recoils 60p." }),
                json!({ "kind": "removed", "who": "B.Hrd1", "say": "B's Horde 1 is destroyed." }),
                json!({ "kind": "losses", "side": "A", "ap": "0", "say": "A has lost 0 AP." }),
            ]),
        ];
        let told = tell("hott", &lines.iter().collect::<Vec<_>>());
        assert_eq!(
            told,
            "\nBound 3: A (Elves), 4 PIPs\n  Bld1-3 charge B.Spr1 over 180p.\n  A's Blade 1 fights B's Spear 1. B's Spear 1 recoils, beaten 8 to 9 (60p).\n  B's Horde 1 is destroyed.\n"
        );
    }

    #[test]
    fn who_recoils_onto_something_is_told_as_lost() {
        let fought = |words: &str| {
            line(
                "bespell B.Wbd3 with Mag1",
                vec![
                    json!({ "kind": "combat", "say": format!("A's Magician 1 bespells B's Warband 3. B's Warband 3 {words}."),
                        "fighters": [{ "who": "A.Mag1" }, { "who": "B.Wbd3" }] }),
                    json!({ "kind": "removed", "who": "B.Wbd3", "say": "B's Warband 3 is destroyed." }),
                ],
            )
        };
        let told = |words: &str| tell("hott", &[&fought(words)]).matches("is destroyed").count();
        assert_eq!(told("recoils, beaten 8 to 9"), 1);
        assert_eq!(told("is destroyed, beaten 4 to 9"), 1);
    }

    #[test]
    fn of_several_commands_each_has_its_pips() {
        let bound = line(
            "end moves",
            vec![
                json!({ "kind": "bound", "say": "Bound 1: A (League)." }),
                json!({ "kind": "pips", "score": 6, "say": "A's command League has 6 PIPs." }),
                json!({ "kind": "pips", "score": 1, "say": "A's command 2 has 1 PIP." }),
                json!({ "kind": "halted", "who": "A.Bld1", "say": "A's Elite Blade 1 is halted." }),
            ],
        );
        let told = tell("hott", &[&bound]);
        assert!(told.contains("Bound 1: A (League), 6 PIPs (first command), 1 PIP (command 2)\n"), "{told}");
    }

    #[test]
    fn runs_are_drawn_together() {
        let names: Vec<String> = ["Spr1", "Bld2", "Bld1", "Bld4"].map(str::to_owned).into();
        assert_eq!(list(&names), "Bld1-2, Bld4 and Spr1");
    }
}
