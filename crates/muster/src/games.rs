//! The games this binary plays. A new one is a line here.

use crate::RulesArgs;
use crate::out;
use game::{AnyGame, Kind, Problem, Problems};
use serde_json::Value;

/// All games.
pub fn all() -> Vec<&'static dyn AnyGame> {
    static HOTT: Kind<hott::battle::Battle> = Kind::new();
    static BIG: Kind<hott::battle::Battle> = Kind::under("big", &[("scope", "big")]);
    static HEROES: Kind<heroes::Heroes> = Kind::new();
    static HORDE: Kind<horde::encounter::Encounter> = Kind::new();
    static CAMPAIGN: Kind<campaign::Campaign> = Kind::new();
    vec![&HOTT, &BIG, &HEROES, &HORDE, &CAMPAIGN]
}

/// The names that `--rules` takes.
const NAMES: [&str; 5] = ["hott", "big", "heroes", "horde", "campaign"];

/// The game with this name.
///
/// # Errors
/// The names there are.
pub fn named(name: &str) -> Result<&'static dyn AnyGame, Problems> {
    all().into_iter().find(|g| g.name() == name).ok_or_else(|| {
        let problem = if NAMES.contains(&name) {
            Problem::new(format!("this release does not play {name} yet"))
        } else {
            Problem::new(format!("unknown game: {name}")).meant(name, NAMES)
        };
        vec![problem]
    })
}

/// `--set key=value` as pairs.
///
/// # Errors
/// One that has no `=`.
pub fn pairs(sets: &[String]) -> Result<Vec<(String, String)>, Problems> {
    sets.iter()
        .map(|set| {
            let (key, value) = set.split_once('=').ok_or_else(|| {
                vec![Problem::new(format!("--set {set}: no value")).hint("write --set hott.wood_sight=100")]
            })?;
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}

/// The rules in force for a game, from preset, file and settings.
///
/// # Errors
/// Everything in them that does not read.
pub fn rules(game: &dyn AnyGame, args: &RulesArgs) -> Result<Value, Problems> {
    let sets = pairs(&args.sets)?;
    let file = match &args.rules_file {
        None => None,
        Some(path) => Some((path.display().to_string(), out::read(path)?)),
    };
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    game.rules_from(args.preset.as_deref(), file, &sets)
}
