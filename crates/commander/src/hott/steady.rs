//! The commander.

use super::clash::Trial;
use super::ideas::{Idea, Ideas};
use super::look::Look;
use super::look::rates;
use super::terrain::Terrain;
use super::ways::Gait;
use super::weights;
use super::{acts_for, fights, reserves, set_up, tasks};
use crate::{Choose, Player, Sight};
use game::{Actor, Game, Owed, Stop};
use hott::battle::{Battle, Command, CommandId, Fate, MoveOrder, Pending, Phase, SideId, State};
use hott::table::Class;
use std::cmp::Reverse;

/// The commander: plays a purposeful battle. It keeps some memory between decisions to save work, and nothing else.
#[derive(Debug, Default)]
pub struct Steady {
    seed: u64,
    trial: Trial,
    terrain: Terrain,
}

impl Steady {
    /// With a seed of its own.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Steady { seed, ..Steady::default() }
    }

    fn choose(&mut self, sight: &Sight<'_, Battle>) -> Command {
        let (battle, state) = (sight.game, sight.state);
        if let Owed::Choice { answers, stands, .. } = sight.owed {
            return answer(battle, state, answers, stands);
        }
        let (side, commands) = acts_for(battle, sight.seat);
        let lot = Choose::of(&[self.seed, u64::from(side.0)]).draw();
        match state.phase {
            Phase::Sides | Phase::Over => Command::Roll,
            Phase::Ground => set_up::ground(sight, lot).unwrap_or_else(|| first_candidate(sight)),
            Phase::Edges => set_up::edges(sight, lot),
            Phase::Strongholds => stronghold(sight, side),
            Phase::Deploy => deploy(sight, side, commands, lot),
            Phase::Moves => self.step_two(sight, side, commands),
            Phase::Magic => {
                let pips = commands.iter().map(|c| i32::from(state.command(*c).pips)).max().unwrap_or(0);
                match fights::best_spell(battle, state, side, pips) {
                    Some((_, spell)) if is_legal(sight, &spell) => spell,
                    _ => Command::EndMagic,
                }
            }
            Phase::Shooting => {
                let volley = fights::next_volley(battle, state, side);
                if is_legal(sight, &volley) { volley } else { Command::EndShooting }
            }
            Phase::Combat => {
                let fight = fights::next_combat(battle, state, side);
                if is_legal(sight, &fight) { fight } else { Command::FightAll }
            }
        }
    }

    /// Step 2: the best use of the PIPs that are left, the richest command first.
    fn step_two(&mut self, sight: &Sight<'_, Battle>, side: SideId, commands: &[CommandId]) -> Command {
        let (battle, state) = (sight.game, sight.state);
        let pips = |c: &CommandId| i32::from(state.command(*c).pips);
        let most = commands.iter().map(pips).max().unwrap_or(0);
        if most == 0 && !reserves::any_free(battle, state, side) {
            return Command::EndMoves;
        }
        if let Some(coming) = reserves::best(sight, side, most) {
            return coming;
        }
        if most == 0 {
            return Command::EndMoves;
        }
        let halt = commands.iter().find_map(|c| tasks::hold(battle, state, *c));
        if let Some(halt) = halt.filter(|h| is_legal(sight, h)) {
            return halt;
        }
        self.terrain.set(&state.ground, &battle.board);
        for id in
            battle.ids_of(side).filter(|id| battle.tables.class(battle.element(*id).ty) != Class::Aerial)
        {
            self.terrain.know(Gait::of(rates(battle, id)));
        }
        let mut look = Look::new(battle, state, side, &self.terrain);
        let eager = look.eager;
        let mut rich: Vec<CommandId> = commands.iter().copied().filter(|c| pips(c) > 0).collect();
        rich.sort_by_key(|c| (Reverse(pips(c)), *c));
        for command in rich {
            look.eager = tasks::eager(battle, state, command, eager);
            if let Some(order) = best_order(&mut self.trial, &look, command, pips(&command)) {
                return Command::Move(order);
            }
        }
        Command::EndMoves
    }
}

/// The order of a command that promises most for its PIPs and is legal.
fn best_order(trial: &mut Trial, look: &Look<'_>, command: CommandId, left: i32) -> Option<MoveOrder> {
    let (battle, state) = (look.battle, look.state);
    // PIPs that a spell would use better are kept for it.
    let spell = fights::best_spell(battle, state, look.side, left).map_or(0, |(gain, _)| gain);
    let keep = if spell > 0 { battle.tables.numbers.pip_bespell } else { 0 };
    let mut ideas = Ideas::find(look, trial, command, left);
    let most = weights::MOST_JUDGED;
    for _ in 0..2 {
        ideas.all.sort_by_key(|i| (Reverse(i.gain * 12 / i.pips.max(1)), Reverse(i.gain)));
        let worth = |idea: &&Idea| {
            let least = weights::LEAST_GAIN * idea.pips;
            let spent = left - idea.pips < keep;
            idea.gain >= if spent { least.max(spell) } else { least }
        };
        let mut orders = ideas.all.iter().filter(worth).take(most).map(|idea| ideas.order(idea));
        let found = orders.find(|order| look.scene.judge(order).is_ok());
        if found.is_some() {
            return found;
        }
        ideas.more();
    }
    any_order(&mut ideas, command, left, keep, spell)
}

/// The best of all orders that the engine knows of, when no idea serves: what lies beyond a plain look at the ground.
fn any_order(
    ideas: &mut Ideas<'_, '_, '_>,
    command: CommandId,
    left: i32,
    keep: i32,
    spell: i32,
) -> Option<MoveOrder> {
    let look = ideas.look;
    let mut orders = Vec::new();
    look.scene.candidates(command, &mut orders, hott::moves::Level::All);
    let mut best: Option<(i32, MoveOrder)> = None;
    for order in orders {
        let Ok(plan) = look.scene.judge(&order) else { continue };
        let pips = i32::from(plan.cost.pips());
        let gain = ideas.plan_gain(&plan);
        let least = weights::LEAST_GAIN * pips.max(1);
        let spent = left - pips < keep;
        if pips <= left
            && !ideas.is_idle_plan(&plan)
            && gain >= if spent { least.max(spell) } else { least }
            && best.as_ref().is_none_or(|(b, _)| gain * 12 / pips.max(1) > *b)
        {
            best = Some((gain * 12 / pips.max(1), order));
        }
    }
    best.map(|(_, order)| order)
}

impl Player<Battle> for Steady {
    fn name(&self) -> &'static str {
        "steady"
    }

    fn command(&mut self, sight: Sight<'_, Battle>) -> Command {
        self.choose(&sight)
    }
}

/// The own choice in another's bound.
pub(super) fn answer(battle: &Battle, state: &State, answers: &[Command], stands: &Command) -> Command {
    let best = match state.pending.last() {
        Some(Pending::ShooterTarget { shooter, targets, .. }) => {
            fights::aim(battle, state, *shooter, targets).map(Command::Aim)
        }
        _ => None,
    };
    best.filter(|b| answers.contains(b)).unwrap_or_else(|| stands.clone())
}

/// Whether the game takes a command, whatever the dice: tried on a copy.
pub(super) fn is_legal(sight: &Sight<'_, Battle>, command: &Command) -> bool {
    let tried = sight.game.play(sight.state, Actor::Seat(sight.seat), command, &mut dice::Fixed(3));
    !matches!(tried, Err(Stop::Refused(_)))
}

/// HOTT-073: the usual place, or the first that the game proposes.
pub(super) fn stronghold(sight: &Sight<'_, Battle>, side: SideId) -> Command {
    match sight.game.standard_stronghold(sight.state, side, 0) {
        Some(base) => Command::Stronghold(base),
        None => first_candidate(sight),
    }
}

/// Everybody in one command, then done.
fn deploy(sight: &Sight<'_, Battle>, side: SideId, commands: &[CommandId], lot: u64) -> Command {
    let (battle, state) = (sight.game, sight.state);
    let open: Vec<CommandId> = commands.iter().copied().filter(|c| !state.command(*c).deployed).collect();
    if several(sight, side) {
        return first_candidate(sight);
    }
    if let Some(placed) = set_up::deploy(battle, state, side, &open, lot) {
        let command = Command::Deploy(placed);
        if is_legal(sight, &command) {
            return command;
        }
    }
    plain_deployment(sight, side, &open)
}

/// Whether a side has several commands: they deploy one by one, each standing by itself (BB-024, BB-028), as the game
/// proposes it.
fn several(sight: &Sight<'_, Battle>, side: SideId) -> bool {
    sight.game.commands.iter().filter(|c| c.side == side).count() > 1
}

/// A plain line if everybody finds a place in it, then done; else what the game proposes.
pub(super) fn plain_deployment(sight: &Sight<'_, Battle>, side: SideId, open: &[CommandId]) -> Command {
    if several(sight, side) {
        return first_candidate(sight);
    }
    let (battle, state) = (sight.game, sight.state);
    let waiting = battle
        .ids_of(side)
        .filter(|id| open.contains(&battle.element(*id).command) && state.element(*id).fate == Fate::Waiting)
        .filter(|id| !hott::setup::starts_off_table(battle.element(*id).ty));
    let waiting = waiting.count();
    let placed = hott::setup::standard_deployment(battle, state, side, open, 0);
    if !placed.is_empty() && placed.len() == waiting {
        return Command::Deploy(placed);
    }
    match open.first() {
        Some(done) if waiting == 0 && is_legal(sight, &Command::Deployed(*done)) => Command::Deployed(*done),
        _ => first_candidate(sight),
    }
}

/// The first that the game proposes.
pub(super) fn first_candidate(sight: &Sight<'_, Battle>) -> Command {
    let mut all = Vec::new();
    sight.game.candidates(sight.state, sight.seat, &mut all);
    all.into_iter().next().unwrap_or(Command::EndMoves)
}
