//! The data that the binary carries, and armies from files or from it.

use crate::out;
use game::{Problem, Problems};
use hott::army::{Pasted, read_list};
use hott::table::Tables;
use std::path::Path;

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The shipped files of a folder: name and text.
pub fn of(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> + use<'_> {
    SHIPPED.iter().filter_map(move |(name, text)| {
        let (place, name) = name.rsplit_once('/')?;
        (place == folder).then_some((name, *text))
    })
}

/// The text of an army, from a file, from standard input (`-`), or shipped by this name.
///
/// # Errors
/// A file that cannot be read, or a name that no shipped army bears.
pub fn army_text(name: &str, folder: &str) -> Result<(String, String), Problems> {
    let path = Path::new(name);
    if name == "-" || path.exists() {
        return Ok((name.to_owned(), out::read(path)?));
    }
    if let Some((name, text)) = of(folder).find(|(n, _)| n.eq_ignore_ascii_case(name)) {
        return Ok((format!("{name} (shipped)"), text.to_owned()));
    }
    let names: Vec<&str> = of(folder).map(|(n, _)| n).collect();
    let problem = Problem::new(format!("no such file, and no shipped army is called so: {name}"));
    let problem = problem.meant(name, names);
    Err(vec![if problem.hint.is_some() {
        problem
    } else {
        problem.hint("muster army list names the shipped ones")
    }])
}

/// Reads an army in either form.
///
/// # Errors
/// Every fault of a file of the project's own, with its line.
pub fn army(name: &str, folder: &str, tables: &Tables) -> Result<Pasted, Problems> {
    let (file, text) = army_text(name, folder)?;
    read_list(&file, &text, tables).map_err(|errors| {
        let problem = |e: hott::army::ArmyFileError| {
            let problem = Problem::new(e.what).at(&e.file, e.line, 0);
            match e.hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            }
        };
        errors.into_iter().map(problem).collect()
    })
}
