//! Simulation: the engine itself, played by the usual plan, many times over.

use crate::command::{Command, Rule, Ruling, Told};
use crate::engine::Play;
use crate::event::Event;
use crate::library::Library;
use crate::plan;
use crate::state::State;
use crate::unit::{Action, Side, Status, UnitId};
use dice::{Ask, Dice, NoDice};

/// Dice for simulation: fast, and good enough to count with. A game under way uses the keyed dice of `dice`.
#[derive(Clone, Debug)]
pub struct Quick(u64);

impl Quick {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Dice for Quick {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        for (ask, value) in asks.iter().zip(values) {
            // 64 bits against at most 1000 faces: the bias is below one in 10^16.
            let n = (u128::from(self.next()) * u128::from(ask.sides.max(1))) >> 64;
            *value = u16::try_from(n).unwrap_or(0) + 1;
        }
        Ok(())
    }
}

/// What a simulation does where the usual plan leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Whoever has no wounds left is out of the fight, and those whose target is gone choose another. Without it
    /// all is as the exact odds assume.
    pub true_to_life: bool,
}

/// One simulated fight.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// For each Round: Magnitude and status of every unit, wounds taken by it in the Round, and whether it took a
    /// Test.
    pub rounds: Vec<Vec<Seen>>,
}

/// One combatant at the end of a Round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Magnitude, or wounds left.
    pub left: i32,
    /// Lost in the Round.
    pub lost: i32,
    /// Status.
    pub status: Status,
    /// Took a Test in the Round.
    pub tested: bool,
}

/// Plays rounds by the usual plan from a state, to the end of Round `n` from now or until one side is gone.
pub fn run(start: &State, library: &Library, n: usize, manner: Manner, dice: &mut dyn Dice) -> Run {
    let mut s = start.clone();
    let targets: Vec<Option<UnitId>> =
        s.ids().map(|id| plan::person_attack(&s, id).map(|(_, at)| at)).collect();
    let mut out = Run { rounds: Vec::new() };
    let mut events = Vec::new();
    let first = s.round;
    let mut tally = Tally::new(&s);
    // Twice the combatants for each Round is more than there can be turns.
    for _ in 0..(n + 1) * (2 * s.order.len() + 2) {
        let Some(id) = s.current() else { break };
        turn(&mut s, library, id, manner, &targets, dice, &mut events);
        tally.add(&s, &events);
        events.clear();
        let before = s.round;
        // A pending choice cannot be left here: the plan answers all.
        if step(&mut s, library, &Command::Next, dice, &mut events).is_none() {
            break;
        }
        tally.add_until_round(&s, &events, &mut out);
        events.clear();
        if s.round > before && usize::try_from(s.round - first).unwrap_or(usize::MAX) >= n {
            break;
        }
        if manner.true_to_life && !(s.has_side(Side::Heretics) && s.has_side(Side::Foes)) {
            tally.close(&s, &mut out);
            break;
        }
    }
    out
}

fn turn(
    s: &mut State,
    library: &Library,
    id: UnitId,
    manner: Manner,
    targets: &[Option<UnitId>],
    dice: &mut dyn Dice,
    events: &mut Vec<Event>,
) {
    let horde = s.unit(id).is_horde();
    if !crate::turns::acts_now(s, id) {
        // All are taken by surprise: somebody has to have the turn in which nothing is done.
        return;
    }
    if let (false, Some((how, _))) = (manner.true_to_life, plan::person_attack(s, id))
        && let Some(p) = s.unit_mut(id).person_mut().filter(|p| p.stunned <= 0)
    {
        // The usual attack leaves him open or guarded whether or not its target is still there.
        p.open = how.action == Action::AllOut;
        p.guarded = how.action == Action::Guarded;
    }
    // Shots are counted when they are made, so each command is planned when its turn comes.
    // Suppressing Fire is one command for each of a Horde's attacks.
    let parts = 1 + u16::try_from(s.unit(id).ranged_attacks(&s.options)).unwrap_or(0).max(1);
    for part in 0..parts {
        let commands = if horde || manner.true_to_life {
            plan::usual_turn(s, id)
        } else {
            let own = targets.get(usize::from(id.0)).copied().flatten().filter(|t| s.unit(*t).fights());
            let free = s.unit(id).person().is_some_and(|p| p.stunned <= 0);
            let attack = plan::person_attack(s, id).zip(own).filter(|_| free);
            attack
                .map(|((how, _), at)| Command::Attack { by: id, at: vec![at], how, told: Told::default() })
                .into_iter()
                .collect()
        };
        let melee = |c: &Command| matches!(c, Command::Attack { how, .. } if s.unit(id).weapon(&how.weapon).is_some_and(|w| w.is_melee()));
        let command = match (horde, part) {
            (false, 0) => commands.first(),
            (false, _) => None,
            (true, 0) => commands.iter().find(|c| melee(c)),
            (true, _) => commands.iter().find(|c| !melee(c)),
        };
        let Some(command) = command.cloned() else { continue };
        if step(s, library, &command, dice, events).is_none() {
            continue;
        }
        while let Some(answer) = plan::usual_reaction(s) {
            if step(s, library, &answer, dice, events).is_none() {
                s.volley = None;
            }
        }
        if manner.true_to_life {
            let fallen: Vec<UnitId> = s
                .ids()
                .filter(|p| s.unit(*p).fights() && s.unit(*p).person().is_some_and(|p| p.wounds == 0))
                .collect();
            for who in fallen {
                let gone = Command::Ruling(Ruling {
                    what: Rule::Set { who, key: "status".into(), value: "destroyed".into() },
                    because: String::new(),
                });
                _ = step(s, library, &gone, dice, events);
            }
        }
    }
}

fn step(
    s: &mut State,
    library: &Library,
    command: &Command,
    dice: &mut dyn Dice,
    events: &mut Vec<Event>,
) -> Option<()> {
    // What is refused must leave no trace; the plan's own commands rarely are.
    let before = s.clone();
    let done = Play { s, library, dice, events, master: true }.run(command);
    if done.is_err() {
        *s = before;
        return None;
    }
    Some(())
}

/// What somebody was before an event: before he broke, or regained Magnitude, at the start of his turn.
fn take_back(s: &State, e: &Event, seen: &mut [Seen]) {
    let (Event::Broke { who, .. } | Event::Magnitude { who, .. }) = e else { return };
    let Some(x) = s.by_label(who).and_then(|id| seen.get_mut(usize::from(id.0))) else { return };
    match e {
        Event::Magnitude { lost, .. } => x.left += lost,
        _ => x.status = Status::Fighting,
    }
}

struct Tally {
    lost: Vec<i32>,
    tested: Vec<bool>,
}

impl Tally {
    fn new(s: &State) -> Self {
        let mut t = Self { lost: vec![0; s.units.len()], tested: vec![false; s.units.len()] };
        for (i, u) in s.units.iter().enumerate() {
            t.lost[i] = u.horde().map_or(0, |h| h.lost);
        }
        t
    }
    fn one(&mut self, s: &State, e: &Event) {
        let at = |l: &str| s.by_label(l).map(|id| usize::from(id.0)).filter(|i| *i < self.lost.len());
        match e {
            Event::Magnitude { who, lost, .. } | Event::Wounds { who, lost, .. } => {
                if let Some(i) = at(who) {
                    self.lost[i] += (*lost).max(0);
                }
            }
            Event::BreakTest { who, .. } => {
                if let Some(i) = at(who) {
                    self.tested[i] = true;
                }
            }
            _ => {}
        }
    }
    fn add(&mut self, s: &State, events: &[Event]) {
        events.iter().for_each(|e| self.one(s, e));
    }
    /// Counts the end of a Round's Tests into it, and what comes after into the next.
    fn add_until_round(&mut self, s: &State, events: &[Event], out: &mut Run) {
        for (n, e) in events.iter().enumerate() {
            if matches!(e, Event::Round(_)) {
                self.close(s, out);
                // The state is that after the new Round's first turn has begun: what that brought is not of this one.
                if let Some(seen) = out.rounds.last_mut() {
                    events[n + 1..].iter().for_each(|e| take_back(s, e, seen));
                }
            } else {
                self.one(s, e);
            }
        }
    }
    fn close(&mut self, s: &State, out: &mut Run) {
        let seen = s.units.iter().enumerate().map(|(i, u)| Seen {
            left: u.horde().map_or_else(|| u.person().map_or(0, |p| p.wounds), |h| h.m),
            lost: self.lost.get(i).copied().unwrap_or(0),
            status: u.status,
            tested: self.tested.get(i).copied().unwrap_or(false),
        });
        out.rounds.push(seen.collect());
        self.lost.fill(0);
        self.tested.fill(false);
    }
}
