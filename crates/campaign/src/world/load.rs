//! CAM-007: map and nation files, read with places of errors.

use super::check::{Sources, check_world};
use super::{Nation, World};
use crate::ids::NationId;
use crate::rules::Rules;
use game::case::toml_problem;
use game::{Problem, Problems};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The map file: name, places and routes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    name: String,
    places: BTreeMap<crate::ids::PlaceId, super::Place>,
    #[serde(default)]
    land: Vec<(crate::ids::PlaceId, crate::ids::PlaceId)>,
    #[serde(default)]
    sea: Vec<(crate::ids::PlaceId, crate::ids::PlaceId)>,
    #[serde(default)]
    air: Vec<(crate::ids::PlaceId, crate::ids::PlaceId)>,
}

/// A nation's file: its name, and what a nation is.
#[derive(Deserialize)]
struct NationFile {
    name: NationId,
    #[serde(flatten)]
    rest: toml::Table,
}

/// Reads a map file.
///
/// # Errors
/// What does not read, with line and suggestion. What the map says is checked with the nations.
pub fn load_map(file: &str, text: &str) -> Result<World, Problem> {
    let map: MapFile = toml::from_str(text).map_err(|e| toml_problem(file, text, &e))?;
    let world = World {
        name: map.name,
        places: map.places,
        land: map.land,
        sea: map.sea,
        air: map.air,
        ..World::default()
    };
    Ok(world)
}

/// Reads a nation's file.
///
/// # Errors
/// What does not read, with line and suggestion.
pub fn load_nation(file: &str, text: &str) -> Result<(NationId, Nation), Problem> {
    let head: NationFile = toml::from_str(text).map_err(|e| toml_problem(file, text, &e))?;
    // Read again without the name, so that an unknown key is found with its line.
    let blank = |line: &str| {
        if line.split('=').next().is_some_and(|k| k.trim() == "name") {
            String::new()
        } else {
            line.to_owned()
        }
    };
    let without: Vec<String> = text.lines().map(blank).collect();
    let without = without.join("\n");
    let _ = head.rest;
    let nation: Nation = toml::from_str(&without).map_err(|e| toml_problem(file, &without, &e))?;
    Ok((head.name, nation))
}

/// A checked world from the map's file and the nations' files, each with its name and text.
///
/// # Errors
/// Everything that is wrong with any of them, each with file, line and what would be right.
pub fn world_files(map: (&str, &str), nations: &[(&str, &str)], rules: &Rules) -> Result<World, Problems> {
    let mut problems = Vec::new();
    let mut world = load_map(map.0, map.1).map_err(|p| vec![p])?;
    let mut sources = Sources { map: Some((map.0.to_owned(), map.1.to_owned())), nations: BTreeMap::new() };
    for (file, text) in nations {
        match load_nation(file, text) {
            Ok((name, nation)) => {
                if world.nations.insert(name, nation).is_some() {
                    problems.push(
                        Problem::new(format!("two nations are called {name}"))
                            .in_file(file)
                            .by(rulebook::rule!("CAM-007")),
                    );
                }
                sources.nations.insert(name, ((*file).to_owned(), (*text).to_owned()));
            }
            Err(problem) => problems.push(problem),
        }
    }
    let world = world.ready();
    problems.extend(check_world(&world, rules, &sources));
    if problems.is_empty() { Ok(world) } else { Err(problems) }
}
