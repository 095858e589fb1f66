//! A record in the place of an encounter file: the encounter as it stands after the last line.

use super::Settings;
use crate::encounter::Encounter;
use crate::problem::{Problem, Problems, Severity};
use game::record::Record;
use game::{Game, Table};

/// How a record begins.
const RECORD: &str = "{\"muster\":\"record\"";

pub(super) fn is_record(text: &str) -> bool {
    text.starts_with(RECORD)
}

/// The encounter of a record, begun where the record has come to; attacks that wait for an answer are left out.
///
/// # Errors
/// If the record is none of a Horde encounter, does not play, or rules are laid over it that it did not have.
pub(super) fn open(
    file: &str,
    text: &str,
    settings: Settings<'_>,
) -> Result<(Encounter, Vec<Problem>), Problems> {
    if settings.preset.is_some() || settings.rules_file.is_some() || !settings.sets.is_empty() {
        return Err(Problems::one(
            file,
            "this is a record, and a record has its own rules",
            Some("leave --preset, --rules-file and --set out, or give the encounter file".to_owned()),
        ));
    }
    let told = |p: game::Problem| {
        let line = p.place.as_ref().map_or(0, |x| x.line as usize);
        let text = format!("this is a record that does not play: {}", p.message);
        Problems(vec![Problem { file: file.to_owned(), line, severity: Severity::Error, text, hint: p.hint }])
    };
    let record = Record::parse(text).map_err(told)?;
    if record.header.game != Encounter::NAME {
        let what = crate::shown::plain(&record.header.game);
        return Err(Problems::one(
            file,
            format!("this is a record of `{what}`, not of a Horde encounter"),
            Some("`muster replay` tells what any record holds".to_owned()),
        ));
    }
    let table = Table::<Encounter>::replay(&record).map_err(told)?;
    let mut state = table.state().clone();
    let waits = state.volley.take().is_some();
    let position = table.game().position(&state);
    let (game, _) = Encounter::open_position(&table.game().rules(), &position)
        .map_err(|all| Problems(all.into_iter().flat_map(|p| told(p).0).collect()))?;
    let round = match state.round {
        0 => "before the first Round".to_owned(),
        n => format!("in Round {n}"),
    };
    let left = if waits { ", attacks that wait for an answer left out" } else { "" };
    let note = Problem {
        file: file.to_owned(),
        line: 0,
        severity: Severity::Warning,
        text: format!(
            "this is a record: taken as it stands after line {}, {round}{left}",
            record.lines.len()
        ),
        hint: Some(format!(
            "`muster horde run {file}` goes on with it; the encounter file has its beginning"
        )),
    };
    Ok((game, vec![note]))
}
