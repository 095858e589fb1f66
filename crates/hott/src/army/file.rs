//! Army files: the project's own TOML, read with the place of every fault, and written back.

use rulebook::{Node, Tree, nearest_names};

use super::model::{Army, Commands, Entry, StrongholdForm, StrongholdPlan};
use crate::table::{Grade, Scale, TroopType};

/// One fault in an army file: where, what, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}{}", .hint.as_deref().map_or(String::new(), |h| format!("; {h}")))]
pub struct ArmyFileError {
    /// What the file is called.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub hint: Option<String>,
}

const TOP: [&str; 8] = ["name", "people", "ap", "scale", "note", "cinc", "stronghold", "element"];
const ELEMENT: [&str; 8] = ["type", "count", "general", "name", "contingent", "grade", "shooting", "command"];
const STRONGHOLD: [&str; 3] = ["form", "width_bw", "depth_bw"];

/// Collects faults on the way; reading goes on past them, so that a person sees all at once.
struct Reader<'a> {
    file: &'a str,
    errors: Vec<ArmyFileError>,
}

impl Reader<'_> {
    fn fault(&mut self, node: &Node, what: String, hint: Option<String>) {
        let line = node.origin().line().max(1);
        self.errors.push(ArmyFileError { file: self.file.to_owned(), line, what, hint });
    }

    /// Keys that an army file does not have.
    fn known(&mut self, table: &Node, keys: &[&str]) {
        for (key, node) in table.as_table().into_iter().flatten() {
            if !keys.contains(&key.as_str()) {
                let hint = did_you_mean(key, keys).or_else(|| Some(format!("known are {}", keys.join(", "))));
                self.fault(node, format!("unknown key `{key}`"), hint);
            }
        }
    }

    fn text(&mut self, table: &Node, key: &str) -> Option<String> {
        let node = table.get(key)?;
        let text = node.as_str().map(|s| s.trim().to_owned());
        if text.is_none() {
            self.fault(node, format!("`{key}` must be a text"), Some(format!("as {key} = \"…\"")));
        }
        text.filter(|t| !t.is_empty())
    }

    fn whole(&mut self, table: &Node, key: &str, min: i64, max: i64) -> Option<i64> {
        let node = table.get(key)?;
        match node.as_int() {
            Some(i) if (min..=max).contains(&i) => Some(i),
            _ => {
                self.fault(node, format!("`{key}` must be a whole number from {min} to {max}"), None);
                None
            }
        }
    }

    fn switch(&mut self, table: &Node, key: &str) -> bool {
        let Some(node) = table.get(key) else { return false };
        if let rulebook::Content::Bool(b) = node.content() {
            return *b;
        }
        self.fault(node, format!("`{key}` must be true or false"), None);
        false
    }

    fn word<T: Copy>(&mut self, table: &Node, key: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(table, key)?;
        let found = words.iter().find(|(w, _)| w.eq_ignore_ascii_case(&text)).map(|(_, v)| *v);
        if let (None, Some(node)) = (found, table.get(key)) {
            let names: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
            let hint = did_you_mean(&text, &names);
            self.fault(node, format!("`{key}` is `{text}`: expected {}", names.join(" or ")), hint);
        }
        found
    }

    fn stronghold(&mut self, node: &Node) -> StrongholdPlan {
        self.known(node, &STRONGHOLD);
        let forms = [("rectangle", StrongholdForm::Rectangle), ("circle", StrongholdForm::Circle)];
        let form = self.word(node, "form", &forms).unwrap_or_default();
        // how large it may be is for the check to say (HOTT-074)
        let width_bw = self.side(node, "width_bw", None);
        let depth = (form == StrongholdForm::Circle).then_some(width_bw);
        let depth_bw = self.side(node, "depth_bw", depth);
        StrongholdPlan { form, width_bw, depth_bw }
    }

    fn side(&mut self, node: &Node, key: &str, usual: Option<i32>) -> i32 {
        if node.get(key).is_none() && usual.is_none() {
            let hint = Some(format!("as {key} = 200, two base widths"));
            self.fault(node, format!("a stronghold without `{key}`"), hint);
        }
        let given = self.whole(node, key, 1, 10_000).and_then(|i| i32::try_from(i).ok());
        given.or(usual).unwrap_or_default()
    }

    fn element(&mut self, node: &Node) -> Option<Entry> {
        if node.as_table().is_none() {
            self.fault(node, "an element must be a table".to_owned(), Some("as [[element]]".to_owned()));
            return None;
        }
        self.known(node, &ELEMENT);
        let Some(word) = self.text(node, "type") else {
            if node.get("type").is_none() {
                let hint = Some("as type = \"Knight\"".to_owned());
                self.fault(node, "an element without a type".to_owned(), hint);
            }
            return None;
        };
        let Some(ty) = TroopType::parse(&word) else {
            let at = node.get("type").unwrap_or(node);
            let hint = TroopType::suggest(&word).map(|t| format!("did you mean {}?", t.name()));
            self.fault(at, format!("unknown element type `{word}`"), hint);
            return None;
        };
        let count = self.whole(node, "count", 1, 200).and_then(|i| u16::try_from(i).ok()).unwrap_or(1);
        let grades = [("levy", Grade::Levy), ("plain", Grade::Plain), ("elite", Grade::Elite)];
        Some(Entry {
            ty,
            count,
            general: self.switch(node, "general"),
            name: self.text(node, "name"),
            contingent: self.text(node, "contingent"),
            grade: self.word(node, "grade", &grades).unwrap_or_default(),
            shooting: self.switch(node, "shooting"),
            command: self.whole(node, "command", 1, 99).and_then(|i| u8::try_from(i).ok()).unwrap_or(1),
            line: node.get("type").map_or(0, |n| n.origin().line()),
        })
    }
}

fn did_you_mean(given: &str, known: &[&str]) -> Option<String> {
    let near = nearest_names(given, known.iter().copied());
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}

/// Reads an army file. `file` is what messages call it. An entry of several elements with
/// `general = true` means that one of them holds the general; it becomes two entries.
///
/// # Errors
/// Everything that is wrong with the file, each with its line and a suggestion. Whether the army is
/// legal is another question ([`check`](super::check)).
pub fn parse_army(file: &str, text: &str) -> Result<Army, Vec<ArmyFileError>> {
    let mut r = Reader { file, errors: Vec::new() };
    let tree = match Tree::parse(file, text) {
        Ok(tree) => tree,
        Err(e) => {
            let what = match &*e.problem {
                rulebook::Problem::Syntax(what) => what.clone(),
                other => format!("{other:?}"),
            };
            let line = e.origin.line().max(1);
            return Err(vec![ArmyFileError { file: file.to_owned(), line, what, hint: None }]);
        }
    };
    let root = tree.root();
    r.known(root, &TOP);
    let mut army = Army::new("");
    match r.text(root, "name") {
        Some(name) => army.name = name,
        None => r.fault(root, "the army has no name".to_owned(), Some("add name = \"…\"".to_owned())),
    }
    army.people = r.text(root, "people");
    army.ap = r.whole(root, "ap", 1, 2_000).and_then(|i| i32::try_from(i).ok());
    army.note = r.text(root, "note");
    army.scale = r.word(root, "scale", &[("15mm", Scale::Mm15), ("25mm", Scale::Mm25)]).unwrap_or_default();
    let cinc = r.whole(root, "cinc", 1, 99).and_then(|i| u8::try_from(i).ok()).unwrap_or(1);
    army.commands = Commands { cinc };
    army.stronghold = root.get("stronghold").map(|node| r.stronghold(node));
    match root.get("element") {
        None => r.fault(root, "the army has no elements".to_owned(), Some("add [[element]]".to_owned())),
        Some(node) => match node.as_array() {
            None => r.fault(node, "`element` must be a list".to_owned(), Some("as [[element]]".to_owned())),
            Some(list) => {
                for node in list {
                    if let Some(entry) = r.element(node) {
                        army.entries.extend(split_general(entry));
                    }
                }
            }
        },
    }
    if r.errors.is_empty() { Ok(army) } else { Err(r.errors) }
}

/// One element of an entry holds the general; the others stand beside it.
pub(super) fn split_general(entry: Entry) -> Vec<Entry> {
    if !entry.general || entry.count <= 1 {
        return vec![entry];
    }
    let rest = Entry { count: entry.count - 1, general: false, ..entry.clone() };
    vec![Entry { count: 1, ..entry }, rest]
}

/// Writes an army as a file that [`parse_army`] reads back as the same army.
pub fn write_army(army: &Army) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: String| out.push_str(&format!("{key} = {value}\n"));
    let quoted = |s: &str| toml::Value::String(s.to_owned()).to_string();
    line("name", quoted(&army.name));
    if let Some(people) = &army.people {
        line("people", quoted(people));
    }
    if let Some(ap) = army.ap {
        line("ap", ap.to_string());
    }
    line("scale", quoted(army.scale.word()));
    if army.commands.cinc != 1 {
        line("cinc", army.commands.cinc.to_string());
    }
    if let Some(note) = &army.note {
        line("note", quoted(note));
    }
    if let Some(plan) = army.stronghold {
        let form = if plan.form == StrongholdForm::Circle { "circle" } else { "rectangle" };
        out.push_str(&format!(
            "\n[stronghold]\nform = \"{form}\"\nwidth_bw = {}\ndepth_bw = {}\n",
            plan.width_bw, plan.depth_bw
        ));
    }
    for e in &army.entries {
        out.push_str(&format!("\n[[element]]\ntype = {}\n", quoted(e.ty.name())));
        let mut line = |key: &str, value: String| out.push_str(&format!("{key} = {value}\n"));
        if e.count != 1 {
            line("count", e.count.to_string());
        }
        if e.general {
            line("general", "true".to_owned());
        }
        if let Some(name) = &e.name {
            line("name", quoted(name));
        }
        if let Some(contingent) = &e.contingent {
            line("contingent", quoted(contingent));
        }
        match e.grade {
            Grade::Levy => line("grade", quoted("levy")),
            Grade::Elite => line("grade", quoted("elite")),
            Grade::Plain => {}
        }
        if e.shooting {
            line("shooting", "true".to_owned());
        }
        if e.command != 1 {
            line("command", e.command.to_string());
        }
    }
    out
}
