//! Whole campaigns of computer nations, with every invariant checked after every season.

use crate::battle::{Fighter, Task, battle_key};
use crate::campaign::Campaign;
use crate::command::Command;
use crate::computer;
use crate::event::Event;
use crate::ids::NationId;
use crate::log::Entry;
use crate::order::SetState;
use crate::sound;
use crate::state::Phase;
use crate::view::{Reader, view};
use dice::{Key, Seeded};
use game::{Actor, Game, Table};

/// How a campaign is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of the dice and of the nations' whims.
    pub seed: u64,
    /// How many years at most.
    pub years: u32,
    /// The sets are sent, and arrive, in the contrary sequence.
    pub turned: bool,
}

/// What a campaign came to.
#[derive(Debug)]
pub struct Played {
    /// The campaign with its record.
    pub table: Table<Campaign>,
    /// Battles fought.
    pub battles: u32,
    /// Seasons and winters adjudicated.
    pub seasons: u32,
}

/// What a computer nation orders: now and then nonsense or nothing, as people do.
#[must_use]
pub fn orders(campaign: &Campaign, state: &crate::State, nation: NationId, guess: u64) -> String {
    let seen = view(state, Reader::Nation(nation));
    let texts = computer::texts(campaign.world(), campaign.rules_in_force(), &seen, guess);
    let n = usize::try_from(guess % texts.len().max(1) as u64).unwrap_or(0);
    let mut text = texts.get(if guess % 5 == 4 { n } else { 0 }).cloned().unwrap_or_default();
    // Deeds that the computer does not think of, so that they are tried as well.
    let others: Vec<NationId> = campaign.world().nations.keys().copied().filter(|n| *n != nation).collect();
    if let Some(other) = usize::try_from(guess % others.len().max(1) as u64).ok().and_then(|i| others.get(i))
    {
        let deed = match guess.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60 {
            0 => format!("\noffer alliance to {other}"),
            1 => format!("\nrescind {other}"),
            2 => format!("\ngrant {other} passage"),
            3 => format!("\nsubmit to {other}"),
            4 => format!("\ntake vassal {other}"),
            5 => format!("\nrenounce {other}"),
            6 => "\nrebel".to_owned(),
            7 => format!("\ndemand army of {other}"),
            8 => "\nA1: splitt everything at onse".to_owned(),
            _ => String::new(),
        };
        text.push_str(&deed);
    }
    text
}

/// Plays one. `fighter`: who fights its battles; without one they are reckoned.
///
/// # Errors
/// What did not hold, with the season, or a command that was not carried out.
pub fn play(campaign: Campaign, plan: Plan, mut fighter: Option<&mut dyn Fighter>) -> Result<Played, String> {
    let key = Key::from_seed(plan.seed);
    let mut dice = Seeded::new(key.with_words(Campaign::NAME, &[]));
    let mut table = Table::new(campaign, None, Vec::new());
    let (mut battles, mut seasons) = (0, 0);
    while table.state().year <= plan.years && table.state().phase != Phase::Over {
        let at = format!("seed {}, {}", plan.seed, table.state().when());
        let failed = |e: &dyn std::fmt::Display| format!("{at}: {e}");
        let mut nations: Vec<NationId> = table.state().playing().collect();
        if plan.turned {
            nations.reverse();
        }
        for (n, nation) in nations.into_iter().enumerate() {
            let number = u64::from(table.state().number());
            let of: u64 = nation.as_str().bytes().map(u64::from).sum();
            let guess = plan.seed ^ number ^ of << 7;
            let text = orders(table.game(), table.state(), nation, guess);
            let when = i64::try_from(n).unwrap_or(0);
            let command =
                Command::Orders { nation, sent: when, received: when, state: SetState::Confirmed, text };
            table.command(Actor::Umpire, &command, &mut dice).map_err(|e| format!("{at}: {command}: {e}"))?;
        }
        let before = table.state().clone();
        let mut log: Vec<Entry> = Vec::new();
        let take = |events: Vec<Event>, log: &mut Vec<Entry>| {
            log.extend(
                events.into_iter().filter_map(|e| if let Event::Decided(e) = e { Some(e) } else { None }),
            );
        };
        let events = table.command(Actor::Umpire, &Command::Adjudicate, &mut dice).map_err(|e| failed(&e))?;
        take(events.events, &mut log);
        while let Some(battle) = table.state().turn.battles.iter().find(|b| b.result.is_none()).cloned() {
            let command = match fighter.as_deref_mut() {
                None => Command::Fight(battle.name()),
                Some(fighter) => {
                    let (game, state) = (table.game(), table.state());
                    let key = battle_key(&key, state, &battle);
                    let task = Task {
                        world: game.world(),
                        rules: game.rules_in_force(),
                        state,
                        battle: &battle,
                        key: &key,
                    };
                    let fought = fighter.fight(task).map_err(|e| failed(&e))?;
                    Command::Result { battle: battle.name(), result: fought.result }
                }
            };
            let events = table
                .command(Actor::Umpire, &command, &mut dice)
                .map_err(|e| format!("{at}: {command}: {e}"))?;
            take(events.events, &mut log);
            battles += 1;
        }
        seasons += 1;
        let (game, state) = (table.game(), table.state());
        let mut wrong = sound::faults(game.world(), game.rules_in_force(), state);
        wrong.extend(sound::unstated(game.rules_in_force(), &before, state, &log));
        if !wrong.is_empty() {
            return Err(format!("{at}: {}", wrong.join("; ")));
        }
    }
    Ok(Played { table, battles, seasons })
}

/// Plays one, plays it again with the orders sent in the contrary sequence, and replays its record: all three must
/// come to the same state.
///
/// # Errors
/// As [`play`], and where they differ.
pub fn play_thrice(campaign: &Campaign, plan: Plan) -> Result<Played, String> {
    let played = play(campaign.clone(), plan, None)?;
    let digest = |t: &Table<Campaign>| t.game().digest(t.state());
    let other = play(campaign.clone(), Plan { turned: !plan.turned, ..plan }, None)?;
    if digest(&other.table) != digest(&played.table) {
        return Err(format!("seed {}: the sequence of sending changed the campaign", plan.seed));
    }
    let record = game::record::Record::parse(&played.table.record().print()).map_err(|e| e.to_string())?;
    let again: Table<Campaign> = Table::replay(&record).map_err(|e| format!("seed {}: {e}", plan.seed))?;
    if digest(&again) != digest(&played.table) {
        return Err(format!("seed {}: the replay comes out differently", plan.seed));
    }
    Ok(played)
}
