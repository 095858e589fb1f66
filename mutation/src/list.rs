//! The list of mutants, as `cargo mutants` gives it, and which of them are tried.

use std::process::Command;

use serde_json::Value;

/// What is done to the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Genre {
    /// A function gives a fixed value.
    FnValue,
    /// Another operator.
    Binary,
    /// A `!` or `-` is left out.
    Unary,
    /// An arm of a match is left out.
    Arm,
    /// A guard always or never holds.
    Guard,
    /// A field is left to the rest of the struct; there is no switch for these.
    Field,
}

/// One change of the code.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// File, line, column and what is done: how `cargo mutants` names it.
    pub name: String,
    /// The file, from the project's folder.
    pub file: String,
    /// What is done.
    pub genre: Genre,
    /// The new operator, value or guard.
    pub replacement: String,
    /// Line and column, from 1.
    pub start: (usize, usize),
}

/// All mutants of the crate `hott`.
///
/// # Errors
/// `cargo mutants` is not there, or says what cannot be read.
pub fn all() -> Result<Vec<Mutant>, String> {
    let out = Command::new("cargo")
        .args(["mutants", "--list", "--json", "--package", "hott"])
        .output()
        .map_err(|e| format!("cannot run cargo mutants: {e}"))?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned());
    }
    let list: Value = serde_json::from_slice(&out.stdout).map_err(|e| format!("the list of mutants: {e}"))?;
    let read = |m: &Value| {
        let word = |key: &str| m[key].as_str().map(str::to_owned);
        let number = |key: &str| m["span"]["start"][key].as_u64().and_then(|n| usize::try_from(n).ok());
        let genre = match m["genre"].as_str()? {
            "FnValue" => Genre::FnValue,
            "BinaryOperator" => Genre::Binary,
            "UnaryOperator" => Genre::Unary,
            "MatchArm" => Genre::Arm,
            "MatchArmGuard" => Genre::Guard,
            "StructField" => Genre::Field,
            _ => return None,
        };
        Some(Mutant {
            name: word("name")?,
            file: word("file")?,
            genre,
            replacement: word("replacement")?,
            start: (number("line")?, number("column")?),
        })
    };
    let list = list.as_array().ok_or("the list of mutants is no list")?;
    let all: Option<Vec<Mutant>> = list.iter().map(read).collect();
    all.ok_or_else(|| "cargo mutants lists what is not known here: another version?".to_owned())
}

/// The files whose mutants are all tried: factors, results, outcome moves, and who fights with what.
const WHOLE: [&str; 9] = [
    "/table/factor.rs",
    "/table/fight.rs",
    "/table/odds.rs",
    "/table/outcome.rs",
    "/table/result.rs",
    "/table/tables.rs",
    "/table/troop.rs",
    "/bound/fighters.rs",
    "/outcome/",
];

/// Whether this is of the code whose mutants are all tried.
#[must_use]
pub fn is_whole(mutant: &Mutant) -> bool {
    WHOLE.iter().any(|part| mutant.file.contains(part))
}

/// A number for a text (FNV-1a), another for each seed, the same everywhere.
#[must_use]
pub fn hash(text: &str, seed: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    text.bytes().fold(start, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Every mutant of the factor and outcome code, and so many of the rest, drawn by the seed.
#[must_use]
pub fn chosen(all: Vec<Mutant>, sample: usize, seed: u64) -> Vec<Mutant> {
    let (mut whole, mut rest): (Vec<Mutant>, Vec<Mutant>) = all.into_iter().partition(is_whole);
    // The order of a hash is as good as a drawing.
    rest.sort_by_key(|m| hash(&m.name, seed).rotate_left(32));
    rest.truncate(sample);
    whole.extend(rest);
    whole
}
