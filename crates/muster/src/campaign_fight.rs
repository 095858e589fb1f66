//! A campaign's battle fought by the computer on its real set-up: the campaign's armies and terrain, the table of
//! `hott`, two commanders. The campaign crate knows neither of them; this is where they meet.

use campaign::battle::{Counted, Fighter, Fought, Task, TerrainDuty, from_table, hott_setup};
use campaign::world::Mark;
use commander::hott::Level;
use game::{Game, Problem, Table};
use hott::battle::{Battle, Fate, SideId, State};
use hott::ground::{Feature, Ground, Kind};
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

/// How many grounds are tried.
const TRIES: u64 = 400;

impl Fighter for Computers {
    fn fight(&mut self, task: Task<'_>) -> Result<Fought, Problem> {
        let name = task.battle.name();
        let first = |p: Vec<Problem>| {
            let why = p.first().map_or_else(String::new, |p| p.message.clone());
            Problem::new(format!("the battle at {name} cannot be set up: {why}"))
        };
        let mut setup = hott_setup(task.state, task.battle);
        let bare = Battle::open(&self.rules, &json!(setup)).map_err(first)?;
        // The defender's choice; its number is of the battle, so that the same battle has the same ground.
        let seed = u64::from_str_radix(task.key.commitment().get(..15).unwrap_or("1"), 16).unwrap_or(1);
        let ground = ground(seed, &bare, &task.battle.terrain);
        setup.ground = Some(ground.features().iter().map(Feature::print).collect());
        let battle = Battle::open(&self.rules, &json!(setup)).map_err(first)?;
        let mut players: Vec<_> = (0..2).map(|n| self.level.player(seed.wrapping_add(n))).collect();
        let stuck = |s: commander::Stuck| {
            Problem::new(format!(
                "the computer is stuck in the battle at {name}, a fault of the program: {s}"
            ))
            .hint("enter the result yourself, or adjudicate with --quick")
        };
        let (counted, record) = if self.record {
            let table = commander::fight(battle, &mut players, task.key).map_err(stuck)?;
            (count(&table), Some(table.record().print()))
        } else {
            let played = commander::skim(&battle, &mut players, task.key).map_err(stuck)?;
            (count_of(&battle, &played.state), None)
        };
        let result = from_table(task.state, task.battle, &counted);
        Ok(Fought { result, record })
    }
}

fn count(table: &Table<Battle>) -> Counted {
    count_of(table.game(), table.state())
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

/// CAM-072, CAM-073, CAM-155: ground that the defender may lay in this province.
pub fn ground(seed: u64, battle: &Battle, duty: &TerrainDuty) -> Ground {
    let (tables, board, scale) = (&battle.tables, &battle.board, battle.scale);
    let mut last = Ground::default();
    for n in 0..TRIES {
        let base = Ground::random(seed.wrapping_add(n.wrapping_mul(0x9E37_79B9)), tables, board, scale, 0);
        let ground = marked(&base, duty);
        if fulfils(&ground, battle, duty) {
            return ground;
        }
        last = ground;
    }
    last
}

/// Puts the mark's terrain in the place of other, and takes away what a desert forbids.
fn marked(base: &Ground, duty: &TerrainDuty) -> Ground {
    let wanted = match duty.mark {
        None => return base.clone(),
        Some(Mark::Woods) => Kind::Wood,
        Some(Mark::Mountains) => Kind::Steep,
        Some(Mark::Swamp) => Kind::Marsh,
        Some(Mark::Hills) => Kind::Hill,
        Some(Mark::Desert) => Kind::Dunes,
    };
    let desert = duty.no_woods_or_rivers;
    let mut changed = 0;
    let features = base.features().iter().filter_map(|f| {
        let mut f = f.clone();
        let area = !f.kind.is_road() && !f.kind.is_water();
        if desert && f.kind == Kind::River {
            return None;
        }
        // A desert has no woods at all; another mark takes every second feature, till it has what it asks for.
        let turn = if desert {
            f.kind.is_wood()
        } else {
            area && f.kind != wanted && changed < 2 && keep_rest(wanted, f.kind)
        };
        if turn {
            f.kind = wanted;
            changed += 1;
        }
        Some(f)
    });
    Ground::new(features.collect())
}

/// Hills replace hills and woods, which leaves the bad going that is asked for besides.
fn keep_rest(wanted: Kind, was: Kind) -> bool {
    wanted != Kind::Hill || matches!(was, Kind::Steep | Kind::Bua | Kind::Fields | Kind::Wood)
}

/// Whether ground does what the province asks for.
pub fn fulfils(ground: &Ground, battle: &Battle, duty: &TerrainDuty) -> bool {
    let problems = ground.problems(&battle.tables, &battle.board, battle.scale, 0);
    // CAM-155: HOTT-063 to HOTT-065 give way unless the house rules ask for both.
    let yields = ["HOTT-063", "HOTT-064", "HOTT-065"];
    if problems.iter().any(|p| duty.base_rules_too || !yields.contains(&p.rule.to_string().as_str())) {
        return false;
    }
    let quarters = |wanted: &dyn Fn(Kind) -> bool| -> i64 {
        let in_quarter = |(low, high): &(field::Point, field::Point)| {
            ground.features().iter().any(|f| wanted(f.kind) && f.shape.overlaps_box(*low, *high))
        };
        i64::try_from(battle.board.quarters().iter().filter(|q| in_quarter(q)).count()).unwrap_or(0)
    };
    let mark = |k: Kind| match duty.mark {
        Some(Mark::Woods) => k == Kind::Wood,
        Some(Mark::Mountains) => matches!(k, Kind::Steep | Kind::Cliff | Kind::Rough),
        Some(Mark::Swamp) => k == Kind::Marsh,
        Some(Mark::Hills) => k == Kind::Hill,
        Some(Mark::Desert) | None => true,
    };
    let forbidden = |k: Kind| duty.no_woods_or_rivers && (k.is_wood() || k == Kind::River);
    quarters(&|k| !k.is_road()) >= duty.features
        && quarters(&|k| k.is_bad() || k.is_water() || k == Kind::Cliff) >= duty.hard
        && quarters(&mark) >= duty.mark_quarters
        && !ground.features().iter().any(|f| forbidden(f.kind))
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
                let record = game::record::Record::parse(&fought.record.unwrap()).unwrap();
                let table: Table<Battle> = Table::replay(&record).unwrap();
                let (game, end) = (table.game(), table.state());
                // CAM-071, CAM-074: the defender is A; only the owner of the province has a Stronghold.
                assert_eq!(game.defender(end), Some(SideId(0)));
                let strong = |s: SideId| end.side(s).strong != hott::battle::Strong::None;
                assert_eq!((strong(SideId(0)), strong(SideId(1))), (battle.home, false));
                assert!(fulfils(&end.ground, game, &battle.terrain), "{}", end.ground.print("\n"));
            }
        }
    }

    #[test]
    fn every_mark_has_its_ground() {
        let (_, state) = battles(1);
        let battle = &state.turn.battles[0];
        let rules = crate::campaign_cmd::battle_rules().unwrap();
        let table = Battle::open(&rules, &json!(hott_setup(&state, battle))).unwrap();
        for mark in [
            None,
            Some(Mark::Woods),
            Some(Mark::Mountains),
            Some(Mark::Swamp),
            Some(Mark::Hills),
            Some(Mark::Desert),
        ] {
            for both in [false, true] {
                let desert = mark == Some(Mark::Desert);
                let duty = TerrainDuty {
                    features: if desert { 2 } else { 3 },
                    hard: 2,
                    mark,
                    mark_quarters: if mark.is_some() && !desert { 2 } else { 0 },
                    no_woods_or_rivers: desert,
                    base_rules_too: both,
                };
                for seed in 0..12 {
                    let ground = ground(seed, &table, &duty);
                    assert!(fulfils(&ground, &table, &duty), "{mark:?} {both}: {}", ground.print("; "));
                }
            }
        }
    }
}
