//! The exact chances of a fight in a position: the resolving code run over every pair of dice, outcome moves and all,
//! so that what a recoil runs into counts (HOTT-303, HOTT-307 to HOTT-311, HOTT-332).

use super::{Fight, Play};
use crate::battle::{Battle, CommandId, Event, State, Target};
use crate::contacts::Contacts;
use crate::table::Outcome;
use game::Actor;
use std::collections::BTreeMap;

/// What a fight comes to: for each that something befalls, in how many pairs of dice.
pub struct Chances {
    /// Pairs of dice in all.
    pub pairs: u32,
    /// Who, what, in how many pairs; in the order of elements, Strongholds last.
    pub befalls: Vec<(Target, Outcome, u32)>,
    /// HOTT-341, BB-040: commands that the fight may take to the half of their AP, and in how many pairs.
    pub halves: Vec<(CommandId, u32)>,
}

/// What one pair of dice brings about: what befalls whom, and the commands that come to their half.
type Comes = (Vec<(Target, Outcome)>, Vec<CommandId>);

impl Battle {
    /// The chances of the fight between these two, if there is one in this position; `None` else.
    #[must_use]
    pub fn fight_chances(&self, state: &State, who: [Target; 2]) -> Option<Chances> {
        let sides = self.tables.numbers.die_sides;
        // Who fights whom does not hang on the dice: it is found once.
        let mut copy = state.clone();
        let (mut dice, mut events) = (dice::Scripted::new([]), Vec::new());
        let play =
            Play { battle: self, state: &mut copy, by: Actor::Umpire, dice: &mut dice, events: &mut events };
        let contacts = play.contacts();
        let fight = play.fights(&contacts).into_iter().find(|f| f.who.iter().all(|t| who.contains(t)))?;
        let turned = fight.who[0] != who[0];
        let mut counts: BTreeMap<(u8, u16, usize), (Target, Outcome, u32)> = BTreeMap::new();
        let mut halves: BTreeMap<CommandId, u32> = BTreeMap::new();
        let mut pairs = 0;
        for first in 1..=sides {
            for second in 1..=sides {
                let mut dice = [first, second].map(|d| u16::try_from(d).unwrap_or(1));
                if turned {
                    dice.reverse();
                }
                let (befalls, broken) = self.comes_to(state, (&contacts, &fight), dice)?;
                for command in broken {
                    *halves.entry(command).or_insert(0) += 1;
                }
                for (target, outcome) in befalls {
                    let key = match target {
                        Target::Element(id) => (0, id.0, outcome as usize),
                        Target::Stronghold(side) => (1, u16::from(side.0), outcome as usize),
                    };
                    counts.entry(key).or_insert((target, outcome, 0)).2 += 1;
                }
                pairs += 1;
            }
        }
        Some(Chances { pairs, befalls: counts.into_values().collect(), halves: halves.into_iter().collect() })
    }

    /// HOTT-341, BB-040: commands that have lost half of their AP in one state and had not in another; in the base game
    /// a side's one command is its army.
    fn newly_past_their_half(&self, before: &State, after: &State) -> Vec<CommandId> {
        if before.large.contest.is_some() {
            return Vec::new();
        }
        (0..self.commands.len() as u8)
            .map(CommandId)
            .filter(|c| !before.command(*c).demoralised && !self.is_past_its_half(before, *c))
            .filter(|c| self.is_past_its_half(after, *c))
            .collect()
    }

    /// HOTT-341, BB-040: whether the loss of an element would take its command to the half of its AP.
    #[must_use]
    pub fn loss_breaks(&self, state: &State, who: crate::battle::ElementId) -> Option<CommandId> {
        let mut after = state.clone();
        after.elements[who.index()].fate = crate::battle::Fate::Destroyed;
        self.newly_past_their_half(state, &after).into_iter().next()
    }

    /// What befalls whom in a fight when these dice fall.
    fn comes_to(
        &self,
        state: &State,
        (contacts, fight): (&Contacts, &Fight),
        dice: [u16; 2],
    ) -> Option<Comes> {
        let mut copy = state.clone();
        let mut events = Vec::new();
        let mut scripted = dice::Scripted::new(dice);
        let mut play = Play {
            battle: self,
            state: &mut copy,
            by: Actor::Umpire,
            dice: &mut scripted,
            events: &mut events,
        };
        // Where a choice of somebody stops it (the way of a flight), what it comes to is settled already.
        play.resolve(contacts, fight, true).ok()?;
        let mut out: Vec<(Target, Outcome)> = Vec::new();
        let mut note = |target: Target, outcome: Outcome| {
            match out.iter_mut().find(|(t, _)| *t == target) {
                // What comes last counts: a recoil off the board is a loss, a flight begins with a recoil.
                Some(found) => found.1 = outcome,
                None => out.push((target, outcome)),
            }
        };
        for event in &events {
            match event {
                Event::Recoiled { who, .. } => note(Target::Element(*who), Outcome::Recoil),
                Event::Fled { who, .. } => note(Target::Element(*who), Outcome::Flee),
                Event::Removed { who, how, .. } => {
                    use crate::battle::Departure;
                    let outcome = match how {
                        Departure::Destroyed => Outcome::Destroyed,
                        Departure::Fled | Departure::Left => Outcome::FleeField,
                        Departure::Ensorcelled(_) => Outcome::Ensorcelled,
                    };
                    note(Target::Element(*who), outcome);
                }
                Event::StrongholdLost { side, .. } => note(Target::Stronghold(*side), Outcome::Captured),
                _ => {}
            }
        }
        let broken = self.newly_past_their_half(state, &copy);
        Some((out, broken))
    }
}
