//! Bodies of troops and what may be asked of them.

use crate::ids::{Label, PlaceId};
use crate::muster::Element;
use crate::rules::Rules;
use crate::world::{Nation, Way, World};
use serde::{Deserialize, Serialize};

/// By which route a body came to where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Came {
    /// The place before.
    pub from: PlaceId,
    /// How.
    pub way: Way,
}

/// A body of troops of one nation in one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Where.
    pub at: PlaceId,
    /// CAM-036: in the city, not in the field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inside: bool,
    /// Its elements, in the order in which they joined.
    pub elements: Vec<Element>,
    /// By which route it came, for ways back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came: Option<Came>,
    /// CAM-034: for how many seasons it has stood above the room of a garrison.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub crowded: u32,
    /// CAM-044: whether it was conducting a siege when the last season ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub besieging: bool,
    /// CAM-027: the element whose general commands, where the owner chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commander: Option<Label>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// CAM-030, CAM-035: what a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Can move to give battle.
    Army,
    /// Only defends the own city it is in.
    Garrison,
    /// Outside an own city and no army.
    Remnant,
}

impl Body {
    /// A body in the field.
    #[must_use]
    pub fn new(at: PlaceId, elements: Vec<Element>) -> Self {
        Self { at, inside: false, elements, came: None, crowded: 0, besieging: false, commander: None }
    }

    /// Its AP, by value (CAM-013).
    #[must_use]
    pub fn ap(&self, rules: &Rules) -> i64 {
        self.elements.iter().map(|e| rules.ap(e.troop())).sum()
    }

    /// Whether a general is with it.
    #[must_use]
    pub fn has_general(&self) -> bool {
        self.elements.iter().any(Element::general)
    }

    /// CAM-030: an army by strength and general.
    #[must_use]
    pub fn is_army(&self, rules: &Rules) -> bool {
        self.has_general() && self.ap(rules) >= rules.limit("army_least")
    }

    /// CAM-027: the place of the element whose general commands: the owner's choice, else who has served longer.
    #[must_use]
    pub fn commander(&self) -> Option<usize> {
        let chosen =
            self.commander.and_then(|l| self.elements.iter().position(|e| e.label == l && e.general()));
        chosen.or_else(|| {
            let oldest = |e: &Element| e.generals.iter().map(|g| g.since).min();
            let holders = self.elements.iter().enumerate().filter(|(_, e)| e.general());
            holders.min_by_key(|(i, e)| (oldest(e), *i)).map(|(i, _)| i)
        })
    }

    /// The place of an element.
    #[must_use]
    pub fn find(&self, label: Label) -> Option<usize> {
        self.elements.iter().position(|e| e.label == label)
    }

    /// CAM-055: all mounted or aerial, for strategic movement.
    #[must_use]
    pub fn all_ride(&self, rules: &Rules) -> bool {
        !self.elements.is_empty() && self.elements.iter().all(|e| World::rides(rules, e.troop(), e.mount))
    }

    /// CAM-056: all aerial, for strategic movement.
    #[must_use]
    pub fn all_fly(&self, rules: &Rules) -> bool {
        !self.elements.is_empty() && self.elements.iter().all(|e| World::flies(rules, e.troop(), e.mount))
    }

    /// CAM-050, CAM-055, CAM-056: stages a season.
    #[must_use]
    pub fn stages(&self, rules: &Rules) -> u32 {
        let fast = self.all_ride(rules) || self.all_fly(rules);
        u32::try_from(rules.limit(if fast { "stages_fast" } else { "stages" })).unwrap_or(0)
    }

    /// CAM-180: which elements go if `n` AP are lost: those named first, then the cheapest, equals by the die that
    /// `tie` throws among that many; the commander last; what is more than needed is given back, dearest first.
    /// Returns places, in rising order.
    ///
    /// # Errors
    /// What `tie` returns.
    pub fn losses<E>(
        &self,
        rules: &Rules,
        n: i64,
        named: &[Label],
        mut tie: impl FnMut(usize) -> Result<usize, E>,
    ) -> Result<Vec<usize>, E> {
        if n <= 0 {
            return Ok(Vec::new());
        }
        if self.ap(rules) <= n {
            return Ok((0..self.elements.len()).collect());
        }
        let ap = |i: usize| rules.ap(self.elements[i].troop());
        let at_most = rules.is("ap_loss", "at_most");
        let commander = self.commander();
        let mut left: Vec<usize> = (0..self.elements.len()).collect();
        let (mut gone, mut lost) = (Vec::new(), 0);
        while lost < n {
            let named_next = named.iter().filter_map(|l| self.find(*l)).find(|i| left.contains(i));
            let next = match named_next {
                Some(i) => i,
                None => {
                    let mut pool: Vec<usize> =
                        left.iter().copied().filter(|i| Some(*i) != commander).collect();
                    if pool.is_empty() {
                        pool.clone_from(&left);
                    }
                    let least = pool.iter().map(|i| ap(*i)).min().unwrap_or(0);
                    let mut cheapest: Vec<usize> = pool.into_iter().filter(|i| ap(*i) == least).collect();
                    // Elements of one type without general or mount are one like another: no die for them.
                    let plain = |i: &usize| !self.elements[*i].general() && !self.elements[*i].mount;
                    let first = cheapest.first().map(|i| self.elements[*i].troop());
                    let alike = cheapest.iter().all(|i| plain(i) && Some(self.elements[*i].troop()) == first);
                    if cheapest.len() > 1 && !alike {
                        let pick = tie(cheapest.len())?.min(cheapest.len() - 1);
                        cheapest.swap(0, pick);
                    }
                    match cheapest.first() {
                        Some(i) => *i,
                        None => break,
                    }
                }
            };
            if at_most && lost + ap(next) > n {
                break;
            }
            lost += ap(next);
            gone.push(next);
            left.retain(|i| *i != next);
        }
        if !at_most {
            let mut dearest = gone.clone();
            dearest.sort_by_key(|i| (std::cmp::Reverse(ap(*i)), *i));
            for i in dearest {
                if lost - ap(i) >= n {
                    lost -= ap(i);
                    gone.retain(|g| *g != i);
                }
            }
        }
        gone.sort_unstable();
        Ok(gone)
    }

    /// Takes elements off by their places (in rising order) and returns them.
    pub fn take(&mut self, places: &[usize]) -> Vec<Element> {
        let mut taken = Vec::new();
        for i in places.iter().rev() {
            if *i < self.elements.len() {
                taken.push(self.elements.remove(*i));
            }
        }
        taken.reverse();
        taken
    }

    /// CAM-021: the element to which a general may come: an eligible one, primary first, without a general first.
    #[must_use]
    pub fn seat_for_general(&self, nation: &Nation) -> Option<usize> {
        let rank = |e: &Element| nation.general_rank(e.troop());
        let best = self.elements.iter().filter_map(rank).min()?;
        let fits = |(i, e): (usize, &Element)| (rank(e) == Some(best)).then_some((e.general(), i));
        self.elements.iter().enumerate().filter_map(fits).min().map(|(_, i)| i)
    }

    /// The elements as people list them: `Kni1 (general Ruvo), Bld1, Bld2`.
    #[must_use]
    pub fn list(&self) -> String {
        let one = |e: &Element| {
            let mut text = e.label.to_string();
            if e.mount {
                text.push('+');
            }
            if let Some(g) = e.generals.first() {
                text = format!("{text} (general {})", g.name);
            }
            text
        };
        self.elements.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(elements: &[&str]) -> Body {
        Body::new(PlaceId::new("X").unwrap(), elements.iter().map(|e| e.parse().unwrap()).collect())
    }

    fn lost(body: &Body, n: i64, named: &[&str]) -> Vec<String> {
        let rules = Rules::shipped();
        let named: Vec<Label> = named.iter().map(|l| l.parse().unwrap()).collect();
        let gone = body.losses::<()>(&rules, n, &named, |_| Ok(0)).unwrap();
        gone.iter().map(|i| body.elements[*i].label.to_string()).collect()
    }

    #[test]
    fn the_cheapest_go_first_and_the_commander_last() {
        let body = body(&["Kni1*A", "Hrd1", "Bld1", "Her1", "Hrd2"]);
        assert_eq!(lost(&body, 1, &[]), ["Hrd1"]);
        assert_eq!(lost(&body, 4, &[]), ["Hrd1", "Bld1", "Hrd2"]);
        assert_eq!(lost(&body, 8, &[]), ["Hrd1", "Bld1", "Her1", "Hrd2"]);
        assert_eq!(lost(&body, 2, &["Her1"]), ["Her1"]);
        assert_eq!(lost(&body, 10, &[]).len(), 5);
    }

    #[test]
    fn what_is_more_than_needed_is_given_back() {
        let body = body(&["Bld1*A", "Hrd1", "Her1", "Her2"]);
        // One Horde, then a Hero: five for four, so the Horde comes back.
        assert_eq!(lost(&body, 4, &[]), ["Her1"]);
    }

    #[test]
    fn who_rides() {
        let rules = Rules::shipped();
        assert!(body(&["Kni1*A", "Mag1", "Snk1", "Bld1+"]).all_ride(&rules));
        assert!(!body(&["Kni1*A", "Beh1"]).all_ride(&rules));
        assert!(body(&["Fly1*A", "Mag1+"]).all_fly(&rules));
        assert!(!body(&["Fly1*A", "Mag1"]).all_fly(&rules));
        assert!(body(&["Fly1*A", "Mag1"]).all_ride(&rules));
    }
}
