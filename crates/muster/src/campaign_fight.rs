//! A campaign's battle fought by the computer on its real set-up: the campaign's armies and terrain, the table of
//! `hott`, two commanders. The campaign crate knows neither of them; this is where they meet.

use campaign::battle::{Counted, Fighter, Fought, Task, Terms, from_table, hott_setup};
use commander::hott::Level;
use game::record::{Act, Record};
use game::{Game, Problem, Table};
use hott::battle::{Battle, Fate, SideId, State};
use hott::ground::{Feature, Ground};
use hott::table::TroopType;
use serde_json::{Value, json};

/// Fights with computer players.
#[derive(Debug)]
pub struct Computers {
    /// How well they play.
    pub level: Level,
    /// The rules of the table.
    pub rules: Value,
    /// Whether the records are kept.
    pub record: bool,
}

impl Fighter for Computers {
    fn fight(&mut self, task: Task<'_>) -> Result<Fought, Problem> {
        let name = task.battle.name();
        let (battle, _, seed) = set_up(&self.rules, task)?;
        let seats = u64::try_from(battle.seats.len()).unwrap_or(2);
        let mut players: Vec<_> = (0..seats).map(|n| self.level.player(seed.wrapping_add(n))).collect();
        let stuck = |s: commander::Stuck| {
            Problem::new(format!(
                "the computer is stuck in the battle at {name}, a fault of the program: {s}"
            ))
            .hint("enter the result yourself, or adjudicate with --quick")
        };
        let (counted, record) = if self.record {
            let table = commander::fight(battle, &mut players, task.key).map_err(stuck)?;
            (count_of(table.game(), table.state()), Some(table.record().print()))
        } else {
            let played = commander::skim(&battle, &mut players, task.key).map_err(stuck)?;
            (count_of(&battle, &played.state), None)
        };
        let result = from_table(task.state, task.battle, &counted);
        Ok(Fought { result, record })
    }
}

/// A battle on its ground: the game, its set-up as a document, and the number that the ground is drawn from.
///
/// # Errors
/// A battle that cannot be set up.
pub fn set_up(rules: &Value, task: Task<'_>) -> Result<(Battle, Value, u64), Problem> {
    let (bare, mut setup, seed) = unlaid(rules, task)?;
    // The defender's choice; its number is of the battle, so that the same battle has the same ground.
    let duty = setup.contest.as_ref().and_then(|c| c.ground.clone()).unwrap_or_default();
    let ground = Ground::for_province(seed, &bare, &duty);
    setup.ground = Some(ground.features().iter().map(Feature::print).collect());
    let setup = json!(setup);
    let battle = Battle::open(rules, &setup).map_err(|p| no_set_up(task, &p))?;
    Ok((battle, setup, seed))
}

fn no_set_up(task: Task<'_>, problems: &[Problem]) -> Problem {
    let why = problems.first().map_or_else(String::new, |p| p.message.clone());
    Problem::new(format!("the battle at {} cannot be set up: {why}", task.battle.name()))
}

/// A battle whose ground is left to its defender (CAM-072): the game, its set-up, and a number of the battle.
///
/// # Errors
/// A battle that cannot be set up.
pub fn unlaid(rules: &Value, task: Task<'_>) -> Result<(Battle, hott::setup::Setup, u64), Problem> {
    let terms = Terms { world: task.world, rules: task.rules };
    let setup = hott_setup(terms, task.state, task.battle);
    let battle = Battle::open(rules, &json!(setup)).map_err(|p| no_set_up(task, &p))?;
    let seed = u64::from_str_radix(task.key.commitment().get(..15).unwrap_or("1"), 16).unwrap_or(1);
    Ok((battle, setup, seed))
}

/// The result of a battle that people fought at a table, from its record.
///
/// # Errors
/// A record that is none of this battle, or does not play.
pub fn from_record(
    state: &campaign::State,
    battle: &campaign::battle::Battle,
    record: &str,
) -> Result<campaign::battle::BattleResult, Problem> {
    let record = Record::parse(record)?;
    let table = Table::<Battle>::replay(&record)?;
    let mut counted = count_of(table.game(), table.state());
    counted.how = "table";
    // One that gave up, or a battle that was called off, is over by what the players agreed.
    if table.state().over.is_none()
        && let Some(Act::End { outcome: Some(end), .. }) = record.lines.last().map(|l| &l.act)
    {
        let game = table.game();
        let seat = |name: &String| game.seat_names.iter().position(|s| s == name);
        let side = |name: &String| seat(name).and_then(|n| game.seats.get(n)).map(|s| s.side);
        let mut won: Vec<SideId> = end.winners.iter().filter_map(side).collect();
        won.sort_by_key(|s| s.index());
        won.dedup();
        if let [one] = won.as_slice() {
            counted.winner = table.game().sides.get(one.index()).map(|s| s.letter.to_string());
            counted.ending.clone_from(&end.ending);
        }
    }
    Ok(from_table(state, battle, &counted))
}

/// What the table says: who won and how, what is destroyed, what is gone, who is held.
fn count_of(battle: &Battle, state: &State) -> Counted {
    let outcome = battle.outcome(state);
    let mut counted = Counted { bounds: state.bound, how: "computer", ..Counted::default() };
    if let Some(over) = state.over {
        let only = |s: &SideId| over.winners == 1 << s.0;
        let winner = [SideId(0), SideId(1)].into_iter().find(only);
        counted.winner = winner.map(|s| battle.sides[s.index()].letter.to_string());
        counted.ending = outcome.map(|o| o.ending).unwrap_or_default();
    }
    for id in battle.ids() {
        let (info, now) = (battle.element(id), state.element(id));
        let label = battle.full_label(id);
        match now.fate {
            Fate::Destroyed => counted.lost.push(label),
            // HOTT-201, CAM-082: a Hero beaten by a Magician is his captive; a Magician is back afterwards.
            Fate::Ensorcelled => match now.enchanter {
                Some(by) if info.ty.is_hero() && battle.element(by).ty == TroopType::Mag => {
                    counted.held.push((label, battle.full_label(by)));
                }
                _ => counted.gone.push(label),
            },
            Fate::Fled | Fate::Left => counted.gone.push(label),
            Fate::Waiting | Fate::Table => {}
        }
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::battle::{battle_key, check_result};
    use campaign::order::SetState;
    use campaign::soak::orders;
    use campaign::{Campaign, Command, Phase, Rules, State, world::shipped};
    use dice::{Key, Seeded};
    use game::Actor;
    use hott::battle::GroundDuty;

    fn computers() -> Computers {
        let rules = crate::campaign_cmd::battle_rules().unwrap();
        Computers { level: Level::March, rules, record: true }
    }

    /// Seasons of computer nations, up to one with battles to fight.
    fn battles(seed: u64) -> (Campaign, State) {
        let c = Campaign::new(shipped("evening").unwrap(), None, Rules::shipped(), true);
        let mut dice = Seeded::new(Key::from_seed(seed).with_words("campaign", &[]));
        let mut state = c.start();
        for n in 0..12 {
            for nation in state.playing().collect::<Vec<_>>() {
                let text = orders(&c, &state, nation, seed * 31 + n);
                let command =
                    Command::Orders { nation, sent: 1, received: 1, state: SetState::Confirmed, text };
                c.apply(&mut state, Actor::Umpire, &command, &mut dice, &mut Vec::new()).unwrap();
            }
            c.apply(&mut state, Actor::Umpire, &Command::Adjudicate, &mut dice, &mut Vec::new()).unwrap();
            if state.phase == Phase::Battles {
                return (c, state);
            }
        }
        panic!("seed {seed}: twelve seasons without a battle");
    }

    fn fight(c: &Campaign, state: &State, battle: &campaign::battle::Battle) -> Fought {
        let key = battle_key(&Key::from_seed(1), state, battle);
        let (world, rules) = (c.world(), c.rules_in_force());
        computers().fight(Task { world, rules, state, battle, key: &key }).unwrap()
    }

    #[test]
    fn battles_are_fought_on_their_set_up_and_their_results_can_be() {
        for seed in 1..4 {
            let (c, state) = battles(seed);
            let of_both = |b: &campaign::battle::Battle| {
                [false, true].map(|home| campaign::battle::Battle { home, ..b.clone() })
            };
            for battle in &state.turn.battles.iter().flat_map(of_both).collect::<Vec<_>>() {
                let fought = fight(&c, &state, battle);
                assert_eq!(check_result(c.rules_in_force(), &state, battle, &fought.result), Ok(()));
                assert_eq!(fight(&c, &state, battle).result, fought.result, "the same dice fall again");
                let text = fought.record.unwrap();
                // A battle at a table comes back by its record alone.
                let mut again = from_record(&state, battle, &text).unwrap();
                "computer".clone_into(&mut again.how);
                assert_eq!(again, fought.result);
                assert!(from_record(&state, battle, "nonsense").is_err());
                let record = game::record::Record::parse(&text).unwrap();
                let table: Table<Battle> = Table::replay(&record).unwrap();
                let (game, end) = (table.game(), table.state());
                // CAM-071, CAM-074: the defender is A; only the owner of the province has a Stronghold.
                assert_eq!(game.defender(end), Some(SideId(0)));
                let strong = |s: SideId| end.side(s).strong != hott::battle::Strong::None;
                assert_eq!((strong(SideId(0)), strong(SideId(1))), (battle.home, false));
                let terms = Terms { world: c.world(), rules: c.rules_in_force() };
                let duty = hott_setup(terms, &state, battle).contest.and_then(|c| c.ground).unwrap();
                assert_eq!(end.ground.campaign_problems(game, &duty, 0), []);
            }
        }
    }

    #[test]
    fn every_mark_has_its_ground() {
        let (c, state) = battles(1);
        let battle = &state.turn.battles[0];
        let rules = crate::campaign_cmd::battle_rules().unwrap();
        let terms = Terms { world: c.world(), rules: c.rules_in_force() };
        let table = Battle::open(&rules, &json!(hott_setup(terms, &state, battle))).unwrap();
        for mark in [None, Some("woods"), Some("mountains"), Some("swamp"), Some("hills"), Some("desert")] {
            for both in [false, true] {
                let desert = mark == Some("desert");
                let duty = GroundDuty {
                    features: if desert { 2 } else { 3 },
                    hard: 2,
                    mark: mark.map(str::to_owned),
                    mark_quarters: if mark.is_some() && !desert { 2 } else { 0 },
                    no_woods_or_rivers: desert,
                    base_rules_too: both,
                };
                for seed in 0..12 {
                    let ground = Ground::for_province(seed, &table, &duty);
                    let wrong = ground.campaign_problems(&table, &duty, 0);
                    assert!(wrong.is_empty(), "{mark:?} {both}: {wrong:?} {}", ground.print("; "));
                }
            }
        }
    }
}
