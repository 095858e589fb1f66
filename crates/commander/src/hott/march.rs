//! The player that only marches ahead and fights: what a commander must beat.

use super::steady::{answer, first_candidate, plain_deployment, stronghold};
use super::{acts_for, set_up};
use crate::{Choose, Player, Sight};
use game::Owed;
use hott::battle::{Battle, Charge, Command, CommandId, ElementId, Face, Leg, MoveOrder, Phase};
use hott::moves::Scene;

/// Marches straight ahead with the largest bodies it has, charges whatever stands before it, and leaves the rest to the
/// rules.
#[derive(Clone, Copy, Debug)]
pub struct March {
    seed: u64,
}

impl March {
    /// With a seed of its own.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        March { seed }
    }
}

impl Player<Battle> for March {
    fn name(&self) -> &'static str {
        "march"
    }

    fn command(&mut self, sight: Sight<'_, Battle>) -> Command {
        let (battle, state) = (sight.game, sight.state);
        if let Owed::Choice { answers, stands, .. } = sight.owed {
            return answer(battle, state, answers, stands);
        }
        let (side, commands) = acts_for(battle, sight.seat);
        let lot = Choose::of(&[self.seed, u64::from(side.0)]).draw();
        match state.phase {
            Phase::Sides | Phase::Over => Command::Roll,
            Phase::Ground => set_up::ground(&sight, lot).unwrap_or_else(|| first_candidate(&sight)),
            Phase::Edges => set_up::edges(&sight, lot),
            Phase::Strongholds => stronghold(&sight, side),
            Phase::Deploy => {
                let open: Vec<CommandId> =
                    commands.iter().copied().filter(|c| !state.command(*c).deployed).collect();
                plain_deployment(&sight, side, &open)
            }
            Phase::Moves => march(&sight, commands),
            Phase::Magic => Command::EndMagic,
            Phase::Shooting => Command::EndShooting,
            Phase::Combat => Command::FightAll,
        }
    }
}

/// A charge straight ahead, else a march straight ahead, the largest body first.
fn march(sight: &Sight<'_, Battle>, commands: &[CommandId]) -> Command {
    let (battle, state) = (sight.game, sight.state);
    let scene = Scene::new(battle, state);
    for command in commands.iter().copied().filter(|c| state.command(*c).pips > 0) {
        let movers = scene.movers(command);
        let mut bodies = scene.groups(&movers);
        bodies.sort_by_key(|b| std::cmp::Reverse(b.len()));
        bodies.extend(movers.iter().map(|id| vec![*id]));
        for body in &bodies {
            if let Some(order) = charge(&scene, body) {
                return Command::Move(order);
            }
        }
        for body in bodies {
            let by = scene.farthest_ahead(&body);
            if by < 20 * field::PACE {
                continue;
            }
            let order = MoveOrder::Legs { who: body, legs: vec![Leg::Ahead(by)], attack: false };
            if scene.judge(&order).is_ok() {
                return Command::Move(order);
            }
        }
    }
    Command::EndMoves
}

/// Onto the front of the nearest enemy before the body.
fn charge(scene: &Scene<'_>, body: &[ElementId]) -> Option<MoveOrder> {
    for lead in body {
        for target in scene.charge_targets(*lead) {
            if target.face != Face::Front {
                continue;
            }
            let mut who = body.to_vec();
            let at = who.iter().position(|w| w == lead)?;
            who.swap(0, at);
            let order = MoveOrder::Charge(Charge { who, face: target.face, enemy: target.enemy });
            if scene.judge(&order).is_ok() {
                return Some(order);
            }
        }
    }
    None
}
