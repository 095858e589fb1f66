//! Demoralized commands: who would run and to where, and what it costs to hold them (BB-042, BB-043, BB-061).

use super::Play;
use crate::battle::{Battle, CommandId, ElementId, Event, Flags, Phase, State};
use crate::contacts::Contacts;
use crate::moves::Scene;
use crate::table::{Class, TroopType};
use field::Pose;
use game::Actor;
use rulebook::RuleId;

/// One that runs at the end of the moves unless it moves or is halted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// Who.
    pub who: ElementId,
    /// Where it comes to stand; `None`: it is lost, off the board or as a Lurker (BB-065, BB-066).
    pub to: Option<Pose>,
}

/// A halt of one element or of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Who is halted.
    pub who: Vec<ElementId>,
    /// What it costs.
    pub pips: u8,
    /// By which rules.
    pub parts: Vec<(RuleId, u8)>,
}

/// What becomes of a demoralized command in its side's bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shaken {
    /// Who would run, in the order in which they do.
    pub runners: Vec<Runner>,
    /// Halts of each of them singly, then of groups that hold some of them.
    pub halts: Vec<Halt>,
}

impl Battle {
    /// BB-043: whether an element of a demoralized command runs as things stand.
    pub(crate) fn would_run(&self, state: &State, contacts: &Contacts, id: ElementId) -> bool {
        let flags = state.element(id).flags;
        let kept = [Flags::MOVED, Flags::HALTED, Flags::ARRIVED].iter().any(|f| flags.has(*f));
        let broken = state.command(self.element(id).command).demoralised;
        broken && state.on_table(id) && !kept && !contacts.in_contact(id)
    }

    /// How many elements of a demoralized command would run as things stand; 0 for others.
    #[must_use]
    pub fn would_flee(&self, state: &State, command: CommandId) -> usize {
        if !state.command(command).demoralised || state.large.contest.is_some() {
            return 0;
        }
        let contacts = Contacts::of(self, state);
        let own = |id: &ElementId| self.element(*id).command == command;
        self.ids().filter(own).filter(|id| self.would_run(state, &contacts, *id)).count()
    }

    /// What becomes of a demoralized command unless something is done about it: in its side's own moves as things
    /// stand, else as its next bound would find it. `None` of others, and where the rules of a campaign's battle hold
    /// (there nobody is halted).
    #[must_use]
    pub fn shaken(&self, state: &State, command: CommandId) -> Option<Shaken> {
        let side = self.commands.get(command.index())?.side;
        let fighting = state.over.is_none() && !Battle::is_setting_up(state);
        if !state.command(command).demoralised || state.large.contest.is_some() || !fighting {
            return None;
        }
        let mut now = state.clone();
        if !(state.phase == Phase::Moves && self.acts(state, side)) {
            for id in self.ids_of(side) {
                for done in [Flags::MOVED, Flags::HALTED, Flags::ARRIVED] {
                    now.elements[id.index()].flags.clear(done);
                }
            }
        }
        let halts = self.halts(&now, command);
        let mut after = now;
        let (mut dice, mut events) = (dice::Fixed(3), Vec::new());
        Play { battle: self, state: &mut after, by: Actor::Umpire, dice: &mut dice, events: &mut events }
            .rout(side);
        let mut runners: Vec<Runner> = Vec::new();
        for event in events {
            match event {
                Event::Fled { who, to, .. } if self.element(who).command == command => {
                    runners.push(Runner { who, to: Some(to) });
                }
                Event::Removed { who, .. } if self.element(who).command == command => {
                    match runners.iter_mut().find(|r| r.who == who) {
                        Some(found) => found.to = None,
                        None => runners.push(Runner { who, to: None }),
                    }
                }
                _ => {}
            }
        }
        Some(Shaken { runners, halts })
    }

    /// BB-061: the halts that hold somebody who would run.
    fn halts(&self, state: &State, command: CommandId) -> Vec<Halt> {
        let scene = Scene::new(self, state);
        let own = |id: &ElementId| self.element(*id).command == command && state.on_table(*id);
        let runs = |id: &ElementId| self.would_run(state, &scene.contacts, *id);
        let may = |id: &ElementId| {
            let flags = state.element(*id).flags;
            !flags.has(Flags::MOVED) && !flags.has(Flags::HALTED)
        };
        let may_halt: Vec<ElementId> = self.ids().filter(own).filter(may).collect();
        let mut all: Vec<Vec<ElementId>> =
            may_halt.iter().filter(|id| runs(id)).map(|id| vec![*id]).collect();
        // HOTT-092: a group may be cheaper without those who cost more; any part of a larger group will do.
        let dear = |id: &ElementId| {
            self.element(*id).ty == TroopType::Mag || self.tables.class(self.element(*id).ty) == Class::Aerial
        };
        let cheap: Vec<ElementId> = may_halt.iter().copied().filter(|id| !dear(id)).collect();
        for group in scene.groups(&may_halt).into_iter().chain(scene.groups(&cheap)) {
            if group.iter().any(runs) && !all.contains(&group) {
                all.push(group);
            }
        }
        let halt = |who: Vec<ElementId>| {
            let cost = scene.halt_cost(&who).ok()?;
            Some(Halt { who, pips: cost.pips(), parts: cost.parts().collect() })
        };
        all.into_iter().filter_map(halt).collect()
    }
}
