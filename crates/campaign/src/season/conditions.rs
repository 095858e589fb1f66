//! CAM-048: conditions, judged at fixed moments on what the nation could see.

use super::work::Work;
use crate::ids::BodyId;
use crate::order::{Act, Chain, Cond, Item, Verb};
use crate::turn::{Fate, Stance};
use rulebook::rule;

/// When something is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    /// Step 2: movement.
    Movement,
    /// Step 7: battle, siege or retreat.
    Stance,
    /// Step 10 and after.
    After,
}

/// What a condition comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Yes,
    No,
    /// It asks for something decided later.
    Later,
    /// It waits for itself, through others.
    Ring,
}

impl Truth {
    fn of(yes: bool) -> Self {
        if yes { Truth::Yes } else { Truth::No }
    }
}

/// What was chosen of a chain of alternatives.
pub(crate) struct Chosen<'a> {
    pub(crate) acts: &'a [Act],
    /// Conditions that could not be judged on the way.
    pub(crate) fallen: Vec<(Cond, Truth)>,
}

impl Work<'_> {
    /// The parts of a body's order that counts.
    pub(crate) fn parts(&self, id: BodyId) -> Vec<Chain> {
        let writer = self.acts_for(id);
        let lines = self.s.turn.lines.get(&writer).into_iter().flatten();
        let mut found = Vec::new();
        for item in lines.flat_map(|l| &l.items) {
            if let Item::Body(order) = item
                && (order.body == id || writer != id.nation && self.means(order.body, id))
            {
                found.clone_from(&order.parts);
            }
        }
        found
    }

    /// Whether "the army of Cobalt" in an overlord's orders means this demanded army.
    fn means(&self, named: BodyId, id: BodyId) -> bool {
        named.n == 0 && (named.nation == id.nation || self.s.lord(id.nation) == Some(named.nation))
    }

    /// Every clause of a body's order that holds after the battles: losses, ways of retreat, assault and the like.
    pub(crate) fn clauses(&self, id: BodyId) -> Vec<Act> {
        let mut out = Vec::new();
        for part in self.parts(id) {
            if let Some(chosen) = self.choose(id, &part, Moment::After, &mut Vec::new()) {
                out.extend(chosen.acts.iter().cloned());
            }
            // A march or stance chosen earlier keeps its clauses.
            for moment in [Moment::Movement, Moment::Stance] {
                if let Some(chosen) = self.choose(id, &part, moment, &mut Vec::new()) {
                    for act in chosen.acts.iter().filter(|a| !a.is_movement() && !a.is_stance()) {
                        if !out.contains(act) {
                            out.push(act.clone());
                        }
                    }
                }
            }
        }
        out
    }

    /// The first arm whose condition holds at a moment.
    pub(crate) fn choose<'c>(
        &self,
        id: BodyId,
        chain: &'c Chain,
        moment: Moment,
        ring: &mut Vec<BodyId>,
    ) -> Option<Chosen<'c>> {
        let mut fallen = Vec::new();
        for (cond, acts) in &chain.arms {
            let truth = cond.as_ref().map_or(Truth::Yes, |c| self.judge(id, c, moment, ring));
            match truth {
                Truth::Yes => return Some(Chosen { acts, fallen }),
                Truth::No => {}
                other => {
                    if let Some(cond) = cond {
                        fallen.push((cond.clone(), other));
                    }
                }
            }
        }
        Some(Chosen { acts: &[], fallen })
    }

    /// CAM-048: judges one condition.
    pub(crate) fn judge(&self, id: BodyId, cond: &Cond, moment: Moment, ring: &mut Vec<BodyId>) -> Truth {
        match cond {
            Cond::Not(inner) => match self.judge(id, inner, moment, ring) {
                Truth::Yes => Truth::No,
                Truth::No => Truth::Yes,
                other => other,
            },
            Cond::And(list) => {
                let mut out = Truth::Yes;
                for c in list {
                    match self.judge(id, c, moment, ring) {
                        Truth::No => return Truth::No,
                        Truth::Yes => {}
                        other => out = other,
                    }
                }
                out
            }
            Cond::Or(list) => {
                let mut out = Truth::No;
                for c in list {
                    match self.judge(id, c, moment, ring) {
                        Truth::Yes => return Truth::Yes,
                        Truth::No => {}
                        other => out = other,
                    }
                }
                out
            }
            Cond::Season(season) => Truth::of(self.s.season == *season),
            Cond::Holds(place, nation) => Truth::of(self.s.owner(*place) == Some(*nation)),
            Cond::Neutral(place) => {
                Truth::of(self.world.place(*place).city && self.s.owner(*place).is_none())
            }
            Cond::Allied(nation) => Truth::of(self.s.allied(id.nation, *nation)),
            Cond::Strength(body, how, n) => {
                let own = body.nation == id.nation;
                Truth::of(own && how.holds(self.ap(*body), *n))
            }
            Cond::Invaders(..) | Cond::InvaderAp(..) | Cond::InvadedBy(_) | Cond::AllyArrives(_)
                if moment == Moment::Movement =>
            {
                Truth::Later
            }
            Cond::Invaders(how, n) => {
                Truth::of(how.holds(i64::try_from(self.invaders(id).len()).unwrap_or(0), *n))
            }
            Cond::InvaderAp(how, n) => {
                Truth::of(how.holds(self.invaders(id).iter().map(|b| self.ap(*b)).sum(), *n))
            }
            Cond::InvadedBy(nation) => Truth::of(self.invaders(id).iter().any(|b| b.nation == *nation)),
            Cond::AllyArrives(wanted) => Truth::of(self.ally_arrived(id, *wanted)),
            Cond::Won(body) | Cond::Lost(body) => {
                if moment < Moment::After {
                    return Truth::Later;
                }
                let fate = if body.nation == id.nation { self.s.turn.fates.get(body) } else { None };
                let wanted = if matches!(cond, Cond::Won(_)) { Fate::Won } else { Fate::Lost };
                Truth::of(fate == Some(&wanted))
            }
            Cond::Does(body, verb) => self.does(id, *body, *verb, moment, ring),
        }
    }

    /// CAM-048: hostile armies in the body's province, as it counts them.
    pub(crate) fn invaders(&self, id: BodyId) -> Vec<BodyId> {
        let Some(at) = self.at(id) else { return Vec::new() };
        let mut list = self.enemies_at(id, at);
        if self.rules.is("condition_counts", "with_their_allies") && !list.is_empty() {
            for (other, body) in self.s.bodies_at(at) {
                let with =
                    list.iter().any(|e| e.nation == other.nation || self.s.allied(e.nation, other.nation));
                let friend = other.nation == id.nation;
                if with && !friend && body.is_army(self.rules) && !list.contains(&other) {
                    list.push(other);
                }
            }
        }
        list
    }

    fn ally_arrived(&self, id: BodyId, wanted: Option<crate::ids::NationId>) -> bool {
        let Some(at) = self.at(id) else { return false };
        self.s.bodies_at(at).any(|(other, body)| {
            let march = self.s.turn.marches.get(&other);
            let came = march.is_some_and(|m| m.start.is_some_and(|s| s != at));
            let right = match wanted {
                Some(nation) => other.nation == nation,
                None => self.s.allied(id.nation, other.nation),
            };
            came && right && body.is_army(self.rules)
        })
    }

    /// What another body of one's own does: its own orders decide at the same moment, so two may wait for each other.
    fn does(&self, id: BodyId, body: BodyId, verb: Verb, moment: Moment, ring: &mut Vec<BodyId>) -> Truth {
        if body.nation != id.nation || !self.s.bodies.contains_key(&body) {
            return Truth::No;
        }
        if ring.is_empty() {
            ring.push(id);
        }
        if ring.contains(&body) {
            return Truth::Ring;
        }
        if verb == Verb::Moves {
            if moment > Moment::Movement {
                let m = self.s.turn.marches.get(&body);
                return Truth::of(m.is_some_and(|m| m.done > 0 || m.reacted));
            }
            ring.push(body);
            let mut moves = Truth::No;
            for part in self.parts(body) {
                let Some(chosen) = self.choose(body, &part, moment, ring) else { continue };
                if chosen.fallen.iter().any(|(_, t)| *t == Truth::Ring) {
                    moves = Truth::Ring;
                } else if chosen.acts.iter().any(Act::is_movement) {
                    moves = Truth::Yes;
                }
            }
            ring.pop();
            return moves;
        }
        if moment < Moment::Stance {
            return Truth::Later;
        }
        if moment == Moment::After {
            let stance = self.s.turn.marches.get(&body).map_or(Stance::Battle, |m| m.stance);
            return Truth::of(matches!(
                (verb, stance),
                (Verb::Defends, Stance::Battle)
                    | (Verb::StandsSiege, Stance::StandSiege)
                    | (Verb::Retreats, Stance::Retreated)
            ));
        }
        ring.push(body);
        let act = self.stance_act(body, ring);
        ring.pop();
        match act {
            Err(()) => Truth::Ring,
            Ok(act) => Truth::of(match verb {
                Verb::StandsSiege => matches!(act, Some(Act::StandSiege)),
                Verb::Retreats => matches!(act, Some(Act::Retreat { .. })),
                _ => matches!(act, None | Some(Act::Defend { .. } | Act::Siege)),
            }),
        }
    }

    /// The stance that a body's orders choose in step 7, or nothing; an error where it waits for itself.
    pub(crate) fn stance_act(&self, id: BodyId, ring: &mut Vec<BodyId>) -> Result<Option<Act>, ()> {
        let mut found = None;
        let mut ringed = false;
        for part in self.parts(id) {
            let Some(chosen) = self.choose(id, &part, Moment::Stance, ring) else { continue };
            ringed |= chosen.fallen.iter().any(|(_, t)| *t == Truth::Ring);
            // CAM-048 with `order_void`: CAM-044 in its stead.
            if self.rules.is("condition_void", "order_void")
                && chosen.fallen.iter().any(|(c, _)| {
                    part.arms.iter().any(|(x, a)| x.as_ref() == Some(c) && a.iter().any(Act::is_stance))
                })
            {
                return Ok(None);
            }
            if let Some(act) = chosen.acts.iter().find(|a| a.is_stance()) {
                found = Some(act.clone());
            }
        }
        if ringed && found.is_none() { Err(()) } else { Ok(found) }
    }

    /// Tells a nation which of its conditions could not be judged, and which ring they stand in.
    pub(crate) fn tell_fallen(&mut self, id: BodyId, moment: Moment) {
        let mut told = Vec::new();
        for part in self.parts(id) {
            let mut ring = Vec::new();
            let Some(chosen) = self.choose(id, &part, moment, &mut ring) else { continue };
            let fitting = |acts: &[Act]| match moment {
                Moment::Movement => acts.iter().any(Act::is_movement),
                Moment::Stance => acts.iter().any(Act::is_stance),
                Moment::After => acts.iter().any(|a| !a.is_movement() && !a.is_stance()),
            };
            for (cond, truth) in chosen.fallen {
                let of = part
                    .arms
                    .iter()
                    .find(|(c, _)| c.as_ref() == Some(&cond))
                    .is_some_and(|(_, a)| fitting(a));
                if of {
                    told.push((cond, truth));
                }
            }
        }
        let writer = self.acts_for(id);
        for (cond, truth) in told {
            if truth == Truth::Ring {
                let ring = self.ring_of(id);
                let names: Vec<String> = ring.iter().map(|b| b.to_string()).collect();
                let short: Vec<String> = ring.iter().map(|b| b.short()).collect();
                self.tell(
                    writer,
                    rule!("CAM-048"),
                    format!("ring {id} {}", names.join(" ")),
                    format!(
                        "{}: the condition \"{cond}\" waits for itself ({}), so it counts as false.",
                        id.short(),
                        short.join(", ")
                    ),
                );
            } else {
                self.tell(
                    writer,
                    rule!("CAM-048"),
                    format!("later {id} {cond}"),
                    format!(
                        "{}: the condition \"{cond}\" asks for what is decided later, so it counts as false.",
                        id.short()
                    ),
                );
            }
        }
    }

    /// The bodies whose conditions wait for one another, from `id` on.
    fn ring_of(&self, id: BodyId) -> Vec<BodyId> {
        fn named(cond: &Cond, out: &mut Vec<BodyId>) {
            match cond {
                Cond::Does(body, _) => out.push(*body),
                Cond::Not(c) => named(c, out),
                Cond::And(l) | Cond::Or(l) => l.iter().for_each(|c| named(c, out)),
                _ => {}
            }
        }
        let mut ring = vec![id];
        let mut at = id;
        for _ in 0..self.s.bodies.len() {
            let mut next = Vec::new();
            for (cond, _) in self.parts(at).iter().flat_map(|p| &p.arms) {
                if let Some(cond) = cond {
                    named(cond, &mut next);
                }
            }
            match next.first() {
                Some(b) if !ring.contains(b) => {
                    ring.push(*b);
                    at = *b;
                }
                _ => break,
            }
        }
        ring
    }
}
