//! What a nation knows when its orders are read: the map, the nations, and its own troops. Nothing else, so that
//! reading never betrays another's secrets.

use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId};
use crate::muster::Element;
use crate::rules::Rules;
use crate::state::State;
use crate::world::World;
use game::Problem;
use rulebook::rule;
use std::collections::BTreeMap;

/// A body of one's own, as reading needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnBody {
    /// Which.
    pub id: BodyId,
    /// Where it is.
    pub at: PlaceId,
    /// Whether it is an army.
    pub army: bool,
    /// Its AP.
    pub ap: i64,
    /// Its elements.
    pub elements: Vec<Element>,
}

/// What the reader of a nation's orders knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Whose orders.
    pub nation: NationId,
    /// CAM-047: whether a misspelt name may be meant.
    pub exact: bool,
    /// CAM-046: when orders are due.
    pub deadline: Option<i64>,
    /// All places.
    pub places: Vec<PlaceId>,
    /// All nations.
    pub nations: Vec<NationId>,
    /// The places and nations by their names in small letters, as they are looked for.
    pub(crate) place_names: Vec<(String, PlaceId)>,
    pub(crate) nation_names: Vec<(String, NationId)>,
    /// Its own bodies.
    pub bodies: BTreeMap<BodyId, OwnBody>,
    /// Whether orders are read as campaigns begun since read them ([`Rules::strict`]).
    pub(crate) strict: bool,
    /// Captives that it holds.
    pub captives: Vec<ElementId>,
    /// Its own and its allies' people that others hold, as far as it knows: its own.
    pub held: Vec<ElementId>,
}

impl Known {
    /// From the state, what `nation` knows of it.
    #[must_use]
    pub fn of(world: &World, rules: &Rules, state: &State, nation: NationId) -> Self {
        let own = |(id, b): (BodyId, &crate::body::Body)| {
            let body = OwnBody {
                id,
                at: b.at,
                army: b.is_army(rules),
                ap: b.ap(rules),
                elements: b.elements.clone(),
            };
            (id, body)
        };
        Self {
            nation,
            exact: rules.is("names", "exact"),
            strict: rules.strict(),
            deadline: state.deadline,
            places: world.places.keys().copied().collect(),
            nations: world.nations.keys().copied().collect(),
            place_names: world.places.keys().map(|p| (p.as_str().to_lowercase(), *p)).collect(),
            nation_names: world.nations.keys().map(|n| (n.as_str().to_lowercase(), *n)).collect(),
            bodies: state.bodies_of(nation).map(own).collect(),
            captives: state
                .captives
                .iter()
                .filter(|c| c.held_by == nation)
                .map(super::super::state::Captive::id)
                .collect(),
            held: state
                .captives
                .iter()
                .filter(|c| c.nation == nation)
                .map(super::super::state::Captive::id)
                .collect(),
        }
    }

    /// The body that holds an element.
    #[must_use]
    pub fn holder(&self, label: Label) -> Option<&OwnBody> {
        self.bodies.values().find(|b| b.elements.iter().any(|e| e.label == label))
    }

    /// The garrison in a place.
    #[must_use]
    pub fn garrison(&self, place: PlaceId) -> Option<&OwnBody> {
        self.bodies.values().find(|b| b.at == place && !b.army)
    }
}

/// A name found in a text: what it is, how many words it took, and whether it was spelled otherwise.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found<T> {
    pub(crate) what: T,
    pub(crate) words: usize,
    pub(crate) misspelt: bool,
}

/// CAM-047: finds a name at the head of some words: spelled rightly, by a clear beginning, or misspelt so that it
/// fits one name only. `None` where nothing is near; an error where it fits two.
pub(crate) fn find_name<T: Copy>(
    words: &[&str],
    names: &[(String, T)],
    exact: bool,
) -> Result<Option<Found<T>>, Problem> {
    let longest = names.iter().map(|(n, _)| n.split(' ').count()).max().unwrap_or(1);
    let most = longest.min(words.len());
    let plain = |s: &str| s.trim_end_matches("'s").to_lowercase();
    for n in (1..=most).rev() {
        let text = plain(&words[..n].join(" "));
        if let Some((_, what)) = names.iter().find(|(name, _)| *name == text) {
            return Ok(Some(Found { what: *what, words: n, misspelt: false }));
        }
    }
    if exact {
        return Ok(None);
    }
    for n in (1..=most).rev() {
        let text = plain(&words[..n].join(" "));
        if text.chars().count() < 3 {
            continue;
        }
        let begins: Vec<_> = names.iter().filter(|(name, _)| name.starts_with(&text)).collect();
        if let [(_, what)] = begins[..] {
            return Ok(Some(Found { what: *what, words: n, misspelt: true }));
        }
        let limit = 1 + text.chars().count() / 5;
        let far = |name: &str| strsim::damerau_levenshtein(&text, name);
        let near: Vec<(usize, &(String, T))> = names
            .iter()
            .map(|pair| (far(&pair.0), pair))
            .filter(|(d, pair)| *d <= limit && pair.0.split(' ').count() == n)
            .collect();
        let Some(least) = near.iter().map(|(d, _)| *d).min() else { continue };
        let best: Vec<_> = near.iter().filter(|(d, _)| *d == least).collect();
        match best[..] {
            [(_, (_, what))] => return Ok(Some(Found { what: *what, words: n, misspelt: true })),
            _ => {
                let list: Vec<&str> = best.iter().map(|(_, (name, _))| name.as_str()).collect();
                let problem = Problem::new(format!("{text} may be {}", list.join(" or ")));
                return Err(problem.by(rule!("CAM-047")).hint("spell it out"));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_near_name_is_taken_and_two_are_not() {
        let names = [("redhill".to_owned(), 1), ("redmill".to_owned(), 2), ("port salt".to_owned(), 3)];
        let find = |w: &[&str]| find_name(w, &names, false);
        assert_eq!(find(&["redhill", "by"]).unwrap().unwrap().what, 1);
        assert_eq!(find(&["port", "salt"]).unwrap().unwrap().words, 2);
        assert_eq!(find(&["port", "sallt"]).unwrap().unwrap().what, 3);
        assert!(find(&["redhill", "by"]).unwrap().is_some_and(|f| !f.misspelt));
        assert!(find(&["redxill"]).is_err());
        assert!(find(&["xyz"]).unwrap().is_none());
        assert!(find_name(&["redhil"], &names, true).unwrap().is_none());
    }
}
