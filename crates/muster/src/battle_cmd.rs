//! `muster battle`: computer against computer, headless.

use crate::out::{self, Done, Verdict};
use crate::{Common, account, games, heroes_cmd, picture, shipped};
use clap::Args;
use commander::hott::Level;
use commander::hott::arena::{self, Summary};
use commander::{fight, series, skim};
use dice::Key;
use game::{Game, Problem, Problems, Table};
use hott::army::Army;
use hott::battle::{Battle, SideId};
use hott::ground::Ground;
use hott::table::{Scope, Tables};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A battle between computer players: told, recorded, drawn.
#[derive(Debug, Args)]
pub struct BattleCmd {
    /// The armies, one for each side: files, or shipped ones' names.
    #[arg(value_name = "ARMY")]
    armies: Vec<String>,
    /// The same, one at a time.
    #[arg(long = "side", value_name = "ARMY")]
    sides: Vec<String>,
    /// Sides that fight together, by letter in the order of the armies: A+C; several groups: A+C,B+D (BB-090).
    #[arg(long = "allies", value_name = "SIDES", value_delimiter = ',')]
    allies: Vec<String>,
    /// The players, in order of sides: random, march or steady; on hexes general, advance, random, shy or stubborn.
    #[arg(long = "player", value_name = "LEVEL")]
    players: Vec<String>,
    /// Write the record.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    picture: picture::PictureArgs,
    /// The ground: a file with one feature a line (docs/ground.md); left out: the defender lays it.
    #[arg(long, value_name = "FILE")]
    ground: Option<PathBuf>,
    /// On hexes: a map by name, random:SEED, or a file.
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// How many battles: with --summary, seeds from --seed on.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    battles: u32,
    /// Say how the battles end and how long they last, instead of telling them.
    #[arg(long)]
    summary: bool,
    /// When time is up. Hordes of the Things: after so many bounds in all a battle ends undecided (usually 100; 0: never).
    /// On hexes: after so many bounds of each side, 1 to 1000 (usually 12), whoever lost fewer points wins (HH-259).
    #[arg(long, value_name = "N")]
    bounds: Option<u32>,
    #[command(flatten)]
    common: Common,
}

/// Bounds in all after which a battle of Hordes of the Things ends undecided, if nobody says otherwise.
const USUAL_BOUNDS: u32 = 100;

/// What a battle is made from.
struct Plan {
    rules: Value,
    armies: Vec<Army>,
    /// BB-090: groups of allied sides.
    alliances: Vec<Vec<char>>,
    levels: Vec<Level>,
    bounds: u32,
    /// Its file and its lines.
    ground: Option<(String, Vec<String>)>,
}

impl Plan {
    fn open(&self, armies: &[&Army]) -> Result<Battle, Problems> {
        let mut setup = arena::setup(armies, self.bounds);
        if !self.alliances.is_empty() {
            setup["alliances"] = json!(self.alliances);
        }
        let Some((file, lines)) = &self.ground else { return Battle::open(&self.rules, &setup) };
        let board = Battle::open(&self.rules, &setup)?.board;
        let mut problems = Vec::new();
        for (line, n) in lines.iter().zip(1..) {
            let found = match Ground::parse(line) {
                Ok(ground) => ground.astray(&board),
                Err(unread) => unread,
            };
            problems.extend(found.into_iter().map(|p| p.at(file, n, 0)));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        setup["ground"] = json!(lines);
        let battle = Battle::open(&self.rules, &setup)?;
        let ap = battle.sides.iter().map(|s| i32::try_from(s.halves / 2).unwrap_or(0)).sum();
        let wrong = battle.start().ground.problems(&battle.tables, &battle.board, battle.scale, ap);
        if wrong.is_empty() {
            return Ok(battle);
        }
        Err(wrong.into_iter().map(|p| Problem::new(p.message).by(p.rule).in_file(file)).collect())
    }

    /// Players get seeds of their own, which tell nothing of the dice.
    fn players(&self, sides: usize, seed: u64) -> Vec<Box<dyn commander::Player<Battle>>> {
        let level = |n: usize| self.levels.get(n).or(self.levels.last()).copied().unwrap_or_default();
        (0..sides).map(|n| level(n).player(seed.wrapping_mul(31).wrapping_add(n as u64))).collect()
    }
}

impl BattleCmd {
    /// Runs it.
    pub fn run(mut self) -> Done {
        let armies = std::mem::take(&mut self.armies);
        self.sides.splice(0..0, armies);
        let name = self.common.rules.rules.as_deref().unwrap_or("hott");
        let (scope, folder) = match name {
            "hott" => (Scope::Base, "armies/hott"),
            "big" => (Scope::Big, "armies/big"),
            "heroes" => {
                if !self.allies.is_empty() {
                    let problem = Problem::new("on hexes two sides fight, so nobody has allies");
                    return Err(vec![problem.hint("--allies is for --rules hott and big")]);
                }
                let seed = self.common.seed.unwrap_or_else(any_seed);
                let fight = heroes_cmd::Fight {
                    sides: &self.sides,
                    map: self.map.as_deref(),
                    players: &self.players,
                    bounds: self.bounds,
                    many: (self.summary || self.battles > 1).then_some(self.battles),
                    record: self.record.as_ref(),
                    picture: &self.picture,
                };
                return heroes_cmd::battle(&fight, seed, &self.common);
            }
            other => {
                let problem = Problem::new(format!("no battles of {other} here yet"));
                let file = std::path::Path::new(other).exists();
                return Err(vec![if file {
                    problem.hint(format!("a file of house rules is given by --rules-file {other}"))
                } else {
                    problem.meant(other, ["hott", "big", "heroes"])
                }]);
            }
        };
        let tables = crate::odds_cmd::tables(scope, &self.common)?;
        let plan = Plan {
            rules: games::rules(games::named(name)?, &self.common.rules)?,
            armies: self.armies(folder, &tables)?,
            alliances: self.alliances()?,
            levels: self.levels()?,
            bounds: self.bounds.unwrap_or(USUAL_BOUNDS),
            ground: match &self.ground {
                None => None,
                Some(path) => {
                    Some((path.display().to_string(), out::read(path)?.lines().map(str::to_owned).collect()))
                }
            },
        };
        let seed = self.common.seed.unwrap_or_else(any_seed);
        if self.summary || self.battles > 1 {
            if self.record.is_some() || self.picture.wanted() {
                return Err(vec![
                    Problem::new("records and pictures are written of one battle, not of many")
                        .hint("leave --summary and --battles out; --seed N gives any one of them again"),
                ]);
            }
            return self.many(&plan, seed);
        }
        self.one(&plan, seed)
    }

    fn armies(&self, folder: &str, tables: &Tables) -> Result<Vec<Army>, Problems> {
        let hint = match folder {
            "armies/big" => {
                "--side old-guard --side two-rivers; `muster army list --rules big` names the shipped armies"
            }
            _ => "--side lunar-empire --side pirates; `muster army list` names the shipped armies",
        };
        if self.sides.len() == 1 || self.sides.len() > 6 {
            let n = self.sides.len();
            let words = if n == 1 { "one side only".to_owned() } else { format!("{n} sides") };
            return Err(vec![Problem::new(format!("{words}: two to six fight a battle")).hint(hint)]);
        }
        if self.sides.is_empty() && !self.summary {
            return Err(vec![Problem::new("which armies?").hint(hint)]);
        }
        let named = |name: &String| {
            let pasted = shipped::army(name, folder, tables)?;
            // Nobody fights with half a list.
            let unread = |line: &hott::army::Unread| {
                let problem = Problem::new(format!("cannot read: {}", line.text)).at(name, line.line, 0);
                let hint = || format!("`muster army check {name}` says what was read");
                problem.hint(line.hint.clone().unwrap_or_else(hint))
            };
            match pasted.unread.as_slice() {
                [] => Ok((name.clone(), pasted.army)),
                lines => Err(lines.iter().map(unread).collect::<Problems>()),
            }
        };
        let listed: Vec<(String, Army)> = if self.sides.is_empty() {
            shipped::of(folder).map(|(name, _)| named(&name.to_owned())).collect::<Result<_, _>>()?
        } else {
            self.sides.iter().map(named).collect::<Result<_, _>>()?
        };
        let mut problems = Vec::new();
        for (name, army) in &listed {
            let verdict = hott::army::check(army, tables, None);
            for p in verdict.problems.iter().filter(|p| !p.warning) {
                problems.push(Problem::new(p.message.clone()).by(p.rule).at(name, p.line.unwrap_or(0), 0));
            }
        }
        if problems.is_empty() {
            Ok(listed.into_iter().map(|(_, army)| army).collect())
        } else {
            Err(problems)
        }
    }

    /// BB-090: the groups of `--allies`, each side in one of them at most and somebody left to fight.
    fn alliances(&self) -> Result<Vec<Vec<char>>, Problems> {
        let letters: Vec<char> = ('A'..='Z').take(self.sides.len()).collect();
        let problem = |words: String| {
            let known: String = letters.iter().map(char::to_string).collect::<Vec<_>>().join(", ");
            let hint = format!("--allies A+C; the sides are {known}, in the order of the armies");
            vec![Problem::new(words).by(rulebook::rule!("BB-090")).hint(hint)]
        };
        let mut groups: Vec<Vec<char>> = Vec::new();
        for text in &self.allies {
            let mut group = Vec::new();
            for word in text.split('+').map(str::trim) {
                let mut chars = word.chars().map(|c| c.to_ascii_uppercase());
                let (Some(letter), None) = (chars.next(), chars.next()) else {
                    return Err(problem(format!("`{text}` is no group of allied sides")));
                };
                if !letters.contains(&letter) {
                    return Err(problem(format!("--allies {text}: there is no side {letter}")));
                }
                if group.contains(&letter) || groups.iter().flatten().any(|l| *l == letter) {
                    return Err(problem(format!("--allies {text}: side {letter} is named twice")));
                }
                group.push(letter);
            }
            if group.len() < 2 {
                return Err(problem(format!("--allies {text}: nobody is an ally by himself")));
            }
            groups.push(group);
        }
        if groups.iter().any(|g| g.len() == letters.len()) {
            return Err(problem("all sides are allies, and nobody is left to fight".to_owned()));
        }
        Ok(groups)
    }

    fn levels(&self) -> Result<Vec<Level>, Problems> {
        let read = |name: &String| {
            Level::named(name).ok_or_else(|| {
                vec![Problem::new(format!("unknown player: {name}")).meant(name, Level::ALL.map(Level::name))]
            })
        };
        self.players.iter().map(read).collect()
    }

    fn one(&self, plan: &Plan, seed: u64) -> Done {
        let armies: Vec<&Army> = plan.armies.iter().collect();
        let battle = plan.open(&armies)?;
        let key = Key::from_seed(seed);
        let mut players = plan.players(battle.sides.len(), seed);
        let table = fight(battle, &mut players, &key).map_err(|stuck| {
            vec![Problem::new(format!(
                "a computer player is stuck, which is a fault of the program: {stuck}"
            ))]
        })?;
        if let Some(path) = &self.record {
            out::write(path, table.record().print().as_bytes(), self.common.force)?;
        }
        let written = self.picture.write(table.game(), table.state(), self.common.force)?;
        if self.common.json {
            out::json(&result_json(&table));
            return Ok(Verdict::Yes);
        }
        let lines: Vec<_> = table.record().lines.iter().collect();
        out::print(&account::tell("hott", &lines));
        closing(&table, seed);
        for path in self.record.iter().chain(&written) {
            out::line(&format!("written: {}", path.display()));
        }
        Ok(Verdict::Yes)
    }

    fn many(&self, plan: &Plan, seed: u64) -> Done {
        let n = plan.armies.len();
        let count = u64::from(self.battles);
        if !self.sides.is_empty() {
            // What cannot be set up is said once.
            plan.open(&plan.armies.iter().collect::<Vec<_>>())?;
        }
        out::progress(&format!("fighting {count} battles"));
        let results = series(count, |i| {
            let seed = seed.wrapping_add(i);
            // Without named sides every army meets others in turn.
            let pair: Vec<&Army> = if self.sides.is_empty() {
                let a = usize::try_from(seed).unwrap_or(0) % n;
                let b = (a + 1 + (usize::try_from(seed).unwrap_or(0) / n) % (n - 1)) % n;
                vec![&plan.armies[a], &plan.armies[b]]
            } else {
                plan.armies.iter().collect()
            };
            let battle = plan.open(&pair).map_err(|p| p[0].to_string())?;
            let mut players = plan.players(battle.sides.len(), seed);
            let played = skim(&battle, &mut players, &Key::from_seed(seed))
                .map_err(|s| format!("seed {seed}: {s}"))?;
            Ok::<_, String>(arena::Result::of(&battle, &played.state))
        });
        out::progress("");
        let mut summary = Summary::default();
        let mut stuck = Vec::new();
        for result in results {
            match result {
                Ok(result) => summary.add(&result),
                Err(why) => stuck.push(Problem::new(why)),
            }
        }
        if self.common.json {
            out::json(&summary_json(&summary));
        } else {
            let who = if self.sides.is_empty() {
                format!("the {n} shipped armies, each against others in turn")
            } else {
                let letters = ('A'..='Z').zip(&plan.armies);
                letters.map(|(letter, army)| format!("{letter} {}", army.name)).collect::<Vec<_>>().join(", ")
            };
            out::line(&format!("{who}; seeds from {seed}"));
            out::line(&summary.to_string());
        }
        if stuck.is_empty() { Ok(Verdict::Yes) } else { Err(stuck) }
    }
}

/// Without `--seed` any will do; it is told, so that the battle can be had again.
pub fn any_seed() -> u64 {
    #[allow(clippy::disallowed_types)] // the command line may look at the clock; the engines may not
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map(|d| d.as_nanos()).unwrap_or(1);
    u64::try_from(now % 1_000_000_007).unwrap_or(1)
}

fn sides(battle: &Battle) -> impl Iterator<Item = SideId> + use<> {
    (0..u8::try_from(battle.sides.len()).unwrap_or(u8::MAX)).map(SideId)
}

/// AP as JSON: whole, or with a half.
fn ap_json(halves: u32) -> Value {
    if halves.is_multiple_of(2) { json!(halves / 2) } else { json!(f64::from(halves) / 2.0) }
}

/// The one JSON document of many battles.
fn summary_json(s: &Summary) -> Value {
    let endings: serde_json::Map<String, Value> =
        arena::ENDINGS.iter().zip(s.endings).map(|((_, word), n)| ((*word).to_owned(), json!(n))).collect();
    let halves = |list: &[u32]| list.iter().map(|h| ap_json(*h)).collect::<Vec<_>>();
    // By side, the last figure those that nobody won.
    let won: Vec<u32> = s.won.iter().copied().chain([s.undecided]).collect();
    json!({ "battles": s.battles, "won": won, "endings": endings, "bounds": s.bounds,
        "loser_lost_ap": halves(&s.loser_lost), "winner_lost_ap": halves(&s.winner_lost) })
}

/// The one JSON document of a battle.
fn result_json(table: &Table<Battle>) -> Value {
    let (battle, state) = (table.game(), table.state());
    let outcome = table.outcome();
    let winners: Vec<String> = outcome.as_ref().map(|o| o.winners.clone()).unwrap_or_default();
    let lost: Vec<Value> = sides(battle).map(|s| ap_json(battle.losses(state, s))).collect();
    let all: Vec<Value> = sides(battle)
        .map(|s| {
            let info = &battle.sides[s.index()];
            let allies: Vec<String> = sides(battle)
                .filter(|o| *o != s && info.hostile & (1 << o.0) == 0)
                .map(|o| battle.sides[o.index()].letter.to_string())
                .collect();
            json!({ "side": info.letter.to_string(), "army": info.army, "ap": ap_json(info.halves),
                "lost_ap": ap_json(battle.losses(state, s)), "allies": allies })
        })
        .collect();
    json!({
        "winner": if let [one] = winners.as_slice() { json!(one) } else { Value::Null },
        "winners": winners,
        "ending": outcome.map(|o| o.ending),
        "bounds": state.bound,
        "lost_ap": lost,
        "sides": all,
        "record_digest": table.record().digest().to_string(),
    })
}

/// The closing table.
fn closing(table: &Table<Battle>, seed: u64) {
    let (battle, state) = (table.game(), table.state());
    out::line("");
    out::line(&format!("  {:<34} {:>6} {:>8}   general", "army", "AP", "AP lost"));
    for side in sides(battle) {
        let info = &battle.sides[side.index()];
        let generals: Vec<String> = battle
            .commands
            .iter()
            .filter(|c| c.side == side)
            .map(|c| match c.general {
                None => "none".to_owned(),
                Some(id) => {
                    let word = if state.element(id).fate.is_lost() { "lost" } else { "stands" };
                    format!("{} {word}", battle.element(id).label)
                }
            })
            .collect();
        out::line(&format!(
            "{} {:<34} {:>6} {:>8}   {}",
            info.letter,
            info.army,
            hott::words::ap(info.halves),
            hott::words::ap(battle.losses(state, side)),
            generals.join(", ")
        ));
    }
    let words = table.outcome().map_or_else(|| "not over".to_owned(), |o| o.words);
    out::line(&format!("\n{words} ({} bounds, seed {seed})", state.bound));
    out::line(&format!("record digest {}", table.record().digest()));
}
