//! Several commands in one army: what the commander-in-chief wants of each, and how a demoralized one is held.
//!
//! A task follows from the position alone, so that every player of an army comes to the same. It is a mood, no order:
//! it makes a command more or less eager to close. An army of one command has none, and plays as it always did.

use super::worth::AP;
use field::{Len, PACE, Point};
use hott::battle::{Battle, Command, CommandId, ElementId, State};

/// What a command is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Stand where it is: broken, or outmatched where it stands.
    Hold,
    /// Go for what is ahead.
    Attack,
    /// Go round the wing that it stands beyond.
    Flank,
    /// Wait behind the others until the enemy is near.
    Reserve,
}

impl Task {
    /// How eager it makes, in hundredths of what the commander would be.
    fn eager(self) -> i32 {
        match self {
            Task::Hold => 80,
            Task::Attack => 108,
            Task::Flank => 115,
            Task::Reserve => 65,
        }
    }
}

/// Enemies nearer than this are a command's own affair.
const NEAR: Len = 700 * PACE;
/// A command this far behind the foremost one is in reserve.
const BEHIND: Len = 450 * PACE;

/// Some elements on table: what they are worth in halves of an AP, where their middle is.
#[derive(Clone, Copy, Debug)]
struct Mass {
    halves: i64,
    middle: Point,
}

fn mass(battle: &Battle, state: &State, who: impl Iterator<Item = ElementId>) -> Option<Mass> {
    let (mut halves, mut x, mut y) = (0_i64, 0_i64, 0_i64);
    for id in who.filter(|id| state.on_table(*id)) {
        let (weight, at) = (i64::from(battle.element(id).halves).max(1), battle.base(state, id).centre());
        halves += weight;
        x += weight * i64::from(at.x);
        y += weight * i64::from(at.y);
    }
    let part = |sum: i64| Len::try_from(sum / halves.max(1)).unwrap_or(0);
    (halves > 0).then(|| Mass { halves, middle: Point::new(part(x), part(y)) })
}

/// The task of a command; `None` where its army has one command, or nobody to fight.
pub(super) fn task(battle: &Battle, state: &State, command: CommandId) -> Option<Task> {
    let side = battle.commands.get(command.index())?.side;
    let of = |c: CommandId| battle.ids_of(side).filter(move |id| battle.element(*id).command == c);
    let own: Vec<CommandId> = (0..battle.commands.len())
        .filter(|n| battle.commands[*n].side == side)
        .filter_map(|n| u8::try_from(n).ok().map(CommandId))
        .collect();
    if own.len() < 2 {
        return None;
    }
    if state.command(command).demoralised {
        return Some(Task::Hold);
    }
    let me = mass(battle, state, of(command))?;
    let army = mass(battle, state, battle.ids_of(side))?;
    let hostile = |id: &ElementId| battle.hostile(side, battle.element(*id).side);
    let foes: Vec<ElementId> = battle.ids().filter(hostile).filter(|id| state.on_table(*id)).collect();
    let enemy = mass(battle, state, foes.iter().copied())?;
    let near = |id: &ElementId| {
        let foe = battle.base(state, *id);
        of(command).any(|own| state.on_table(own) && battle.base(state, own).within(&foe, NEAR))
    };
    let close: i64 = foes.iter().filter(|f| near(f)).map(|f| i64::from(battle.element(*f).halves)).sum();
    if 2 * close > 3 * me.halves {
        return Some(Task::Hold);
    }
    // Along the line from the own army to the enemy, and across it.
    let (dx, dy) = (i64::from(enemy.middle.x - army.middle.x), i64::from(enemy.middle.y - army.middle.y));
    let long = i64::from(army.middle.distance(enemy.middle)).max(1);
    let seen = |p: Point| {
        let (x, y) = (i64::from(p.x - army.middle.x), i64::from(p.y - army.middle.y));
        ((x * dx + y * dy) / long, (x * dy - y * dx) / long)
    };
    let (ahead, aside) = seen(me.middle);
    let foremost = own
        .iter()
        .filter_map(|c| mass(battle, state, of(*c)))
        .map(|m| seen(m.middle).0)
        .max()
        .unwrap_or(ahead);
    if close == 0 && foremost - ahead > i64::from(BEHIND) {
        return Some(Task::Reserve);
    }
    let across = foes.iter().map(|f| seen(battle.base(state, *f).centre()).1);
    let (low, high) = across.fold((i64::MAX, i64::MIN), |(l, h), a| (l.min(a), h.max(a)));
    if aside < low || aside > high {
        return Some(Task::Flank);
    }
    Some(Task::Attack)
}

/// How eager a command is, from what its army is.
pub(super) fn eager(battle: &Battle, state: &State, command: CommandId, army: i32) -> i32 {
    task(battle, state, command).map_or(army, |t| army * t.eager() / 100)
}

/// The halt that keeps most for its PIPs, of those that a demoralized command can pay for (BB-061).
pub(super) fn hold(battle: &Battle, state: &State, command: CommandId) -> Option<Command> {
    if !state.command(command).demoralised {
        return None;
    }
    let left = state.command(command).pips;
    let shaken = battle.shaken(state, command)?;
    let worth = |id: &ElementId| {
        let Some(runner) = shaken.runners.iter().find(|r| r.who == *id) else { return 0 };
        let general = if battle.holds_general(state, *id) { AP } else { 0 };
        let whole = i32::from(battle.element(*id).halves) * AP / 2 + general;
        // Who only runs is held for the fight; who runs off the board is lost.
        if runner.to.is_none() { whole } else { whole / 3 }
    };
    let gain =
        |halt: &hott::bound::Halt| halt.who.iter().map(worth).sum::<i32>() / i32::from(halt.pips.max(1));
    let best = shaken.halts.into_iter().filter(|h| h.pips <= left && gain(h) > 0);
    best.max_by_key(|h| (gain(h), std::cmp::Reverse(h.who.clone()))).map(|h| Command::Halt(h.who))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use serde_json::json;

    fn at(commands: &serde_json::Value, elements: &serde_json::Value) -> (Battle, State) {
        let rules = Battle::rules_from(None, None, &[("scope".to_owned(), "big".to_owned())]).unwrap();
        let doc =
            json!({ "commands": commands, "elements": elements, "pips": { "A1": 3, "A2": 3, "A3": 3 } });
        Battle::open_position(&rules, &doc).unwrap_or_else(|p| panic!("{}", p[0]))
    }

    fn three() -> serde_json::Value {
        json!([{ "side": "A" }, { "side": "A" }, { "side": "A" }, { "side": "B" }])
    }

    #[test]
    fn tasks_follow_from_where_a_command_stands() {
        let (battle, state) = at(
            &three(),
            &json!({
                "A.Bld1": { "at": [1200, 1100], "general": true }, "A.Bld2": "1040 1100 0",
                "A.Kni1": { "at": [300, 1000], "general": true, "command": 2 },
                "A.Spr1": { "at": [1200, 200], "general": true, "command": 3 },
                "B.Bld1": { "at": [1100, 1700], "heading": 180, "general": true },
                "B.Bld2": "1260 1700 180", "B.Bld3": "940 1700 180",
            }),
        );
        let task = |n| task(&battle, &state, CommandId(n));
        assert_eq!(task(0), Some(Task::Attack));
        assert_eq!(task(1), Some(Task::Flank));
        assert_eq!(task(2), Some(Task::Reserve));
        assert_eq!(task(3), None, "an army of one command");
        assert_eq!(eager(&battle, &state, CommandId(3), 120), 120);
        assert!(eager(&battle, &state, CommandId(0), 120) > eager(&battle, &state, CommandId(2), 120));
    }

    #[test]
    fn a_broken_command_is_held_where_most_would_be_lost() {
        let (battle, state) = at(
            &json!([{ "side": "A", "demoralized": true }, { "side": "A" }, { "side": "A" }, { "side": "B" }]),
            &json!({
                "A.Bld1": "1200 300 0", "A.Bld2": "1360 300 0", "A.Hrd1": "400 2000 0",
                "A.Clr1": { "at": [1000, 1500], "general": true },
                "A.Kni1": { "at": [300, 1000], "general": true, "command": 2 },
                "A.Spr1": { "at": [1200, 200], "general": true, "command": 3 },
                "B.Bld1": { "at": [1100, 2200], "heading": 180, "general": true },
            }),
        );
        assert_eq!(task(&battle, &state, CommandId(0)), Some(Task::Hold));
        let Some(Command::Halt(who)) = hold(&battle, &state, CommandId(0)) else { panic!("nobody is held") };
        let names: Vec<&str> = who.iter().map(|id| battle.element(*id).label.as_str()).collect();
        assert_eq!(names, ["Bld1", "Bld2"]);
        assert_eq!(hold(&battle, &state, CommandId(1)), None);
    }
}
