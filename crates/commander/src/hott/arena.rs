//! Battles between army lists, and what many of them come to.

use hott::army::Army;
use hott::battle::{Battle, Ending, SideId, State};
use hott::table::Grade;
use serde_json::{Value, json};
use std::fmt;

/// The set-up document of a battle between these armies: everything else is diced for or chosen at the table. After
/// `bound_limit` bounds in all it ends undecided; 0: never.
#[must_use]
pub fn setup(armies: &[&Army], bound_limit: u32) -> Value {
    let sides: Vec<Value> = armies.iter().map(|army| side(army)).collect();
    let mut setup = json!({ "sides": sides });
    if let Some(first) = armies.first() {
        setup["scale"] = json!(first.scale.word());
    }
    if bound_limit > 0 {
        setup["bound_limit"] = json!(bound_limit);
    }
    setup
}

fn side(army: &Army) -> Value {
    let mut peoples: Vec<&str> = Vec::new();
    let commands: Vec<Value> = army
        .command_numbers()
        .into_iter()
        .map(|number| {
            let elements: Vec<Value> = army
                .entries
                .iter()
                .filter(|e| e.command == number)
                .map(|e| {
                    let mut element = json!({ "type": e.ty.code(), "count": e.count });
                    let mut put = |key: &str, value: Value| element[key] = value;
                    if e.general {
                        put("general", json!(true));
                    }
                    if let Some(name) = &e.name {
                        put("name", json!(name));
                    }
                    match e.grade {
                        Grade::Plain => {}
                        Grade::Elite => put("grade", json!("elite")),
                        Grade::Levy => put("grade", json!("levy")),
                    }
                    if e.shooting {
                        put("armed", json!(true));
                    }
                    if let Some(people) =
                        e.contingent.as_deref().filter(|p| Some(*p) != army.people.as_deref())
                    {
                        let at = peoples.iter().position(|p| *p == people).unwrap_or_else(|| {
                            peoples.push(people);
                            peoples.len() - 1
                        });
                        put("contingent", json!(at + 1));
                    }
                    element
                })
                .collect();
            let mut command = json!({ "elements": elements });
            if number == army.commands.cinc {
                command["in_chief"] = json!(true);
            }
            command
        })
        .collect();
    json!({ "army": army.name, "commands": commands })
}

/// What one battle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Result {
    /// The side that won, if one did alone.
    pub winner: Option<SideId>,
    /// Every side that won, a bit for each: allies win together.
    pub winners: u8,
    /// How many sides there were.
    pub sides: usize,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Bounds of both sides together.
    pub bounds: u32,
    /// Halves of an AP lost by the first and the second side.
    pub lost: [u32; 2],
}

impl Result {
    /// Of a battle's last state.
    #[must_use]
    pub fn of(battle: &Battle, state: &State) -> Result {
        let lost = [SideId(0), SideId(1)].map(|s| battle.losses(state, s));
        let over = state.over;
        let (winners, sides) = (over.map_or(0, |o| o.winners), battle.sides.len());
        let one = winners.count_ones() == 1;
        let winner = one.then(|| SideId(u8::try_from(winners.trailing_zeros()).unwrap_or(0)));
        Result { winner, winners, sides, ending: over.map(|o| o.ending), bounds: state.bound, lost }
    }
}

/// Many battles added up, in whole numbers, so that the order of adding does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Battles.
    pub battles: u32,
    /// Won by the first side, by the second and so on, alone or with allies.
    pub won: Vec<u32>,
    /// Won by nobody.
    pub undecided: u32,
    /// By ending: general, half, stronghold, swept, conceded, limit.
    pub endings: [u32; 6],
    /// Bounds of each battle.
    pub bounds: Vec<u32>,
    /// Halves of an AP lost by the loser of each decided battle.
    pub loser_lost: Vec<u32>,
    /// Halves of an AP lost by the winner of each decided battle.
    pub winner_lost: Vec<u32>,
}

/// Ways a battle ends, in the order of [`Summary::endings`].
pub const ENDINGS: [(Ending, &str); 6] = [
    (Ending::General, "general"),
    (Ending::Half, "half"),
    (Ending::Stronghold, "stronghold"),
    (Ending::Swept, "swept"),
    (Ending::Conceded, "conceded"),
    (Ending::Limit, "limit"),
];

impl Summary {
    /// Adds a battle.
    pub fn add(&mut self, result: &Result) {
        self.battles += 1;
        self.won.resize(self.won.len().max(result.sides), 0);
        for (n, won) in self.won.iter_mut().enumerate() {
            *won += u32::from(result.winners & (1 << n) != 0);
        }
        self.undecided += u32::from(result.winners == 0);
        if let Some(at) = ENDINGS.iter().position(|(e, _)| Some(*e) == result.ending) {
            self.endings[at] += 1;
        }
        self.bounds.push(result.bounds);
        if let Some(winner) = result.winner.filter(|_| result.sides == 2) {
            let w = winner.index().min(1);
            self.winner_lost.push(result.lost[w]);
            self.loser_lost.push(result.lost[1 - w]);
        }
    }

    /// The value that so many hundredths of the list lie at or below; 0 of an empty one.
    #[must_use]
    pub fn quantile(values: &[u32], hundredths: usize) -> u32 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let at = sorted.len().saturating_sub(1) * hundredths / 100;
        sorted.get(at).copied().unwrap_or(0)
    }
}

/// Halves of an AP as people write them.
fn ap(halves: u32) -> String {
    if halves.is_multiple_of(2) { format!("{}", halves / 2) } else { format!("{}.5", halves / 2) }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} battles:", self.battles)?;
        for (letter, won) in ('A'..='Z').zip(&self.won) {
            write!(f, " {won} to {letter},")?;
        }
        writeln!(f, " {} undecided", self.undecided)?;
        write!(f, "endings:")?;
        for ((_, word), n) in ENDINGS.iter().zip(self.endings) {
            write!(f, " {word} {n}")?;
        }
        writeln!(f)?;
        let row = |values: &[u32], show: &dyn Fn(u32) -> String| {
            [5, 25, 50, 75, 95].map(|q| show(Self::quantile(values, q))).join(" ")
        };
        write!(
            f,
            "bounds of all sides (5, 25, 50, 75 and 95 of 100 battles had no more): {}",
            row(&self.bounds, &|n| n.to_string())
        )?;
        if self.won.len() > 2 {
            return Ok(());
        }
        writeln!(f)?;
        writeln!(f, "AP lost by losers (the same): {}", row(&self.loser_lost, &ap))?;
        write!(f, "AP lost by winners (the same): {}", row(&self.winner_lost, &ap))
    }
}
