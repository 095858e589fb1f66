//! Small helpers for sentences that people read.

use std::fmt::Display;

/// `; did you mean HOTT-249 or HOTT-250?`, or nothing.
pub(crate) fn did_you_mean<T: Display>(nearest: &[T]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", any_of(nearest)) }
}

/// `a, b or c`.
pub(crate) fn any_of<T: Display>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(T::to_string).collect();
            format!("{} or {last}", head.join(", "))
        }
    }
}

/// Those of `known` that are spelled most like `given`, best first, at most three.
///
/// A name counts if at most a third of its letters differ (two for short ones), or if one is the
/// beginning of the other.
pub fn nearest_names<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let want = given.to_lowercase().replace('-', "_");
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let have = name.to_lowercase();
            let d = strsim::damerau_levenshtein(&want, &have);
            let begins = want.len() >= 3 && (have.starts_with(&want) || want.starts_with(&have));
            (d <= (have.chars().count() / 3).max(2) || begins).then_some((d, name))
        })
        .collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().map(|(_, n)| n.to_owned()).take(3).collect()
}
