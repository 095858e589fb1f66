//! `muster`: the command line.
//!
//! Exit status: 0 done or yes; 1 a negative verdict (illegal army, failed case, record that does not verify); 2 bad
//! input or usage, with file, line and a suggestion on standard error. With `--json` one JSON document stands on
//! standard output and nothing else.

mod account;
mod army_cmd;
mod battle_cmd;
mod campaign_cmd;
mod campaign_fight;
mod campaign_press;
mod campaign_soak;
mod campaign_time;
mod case_cmd;
mod chronicle;
mod games;
mod heroes_cmd;
mod horde_cmd;
mod horde_report;
mod odds_cmd;
mod odds_words;
mod out;
mod paper;
mod picture;
mod record_cmd;
mod report;
mod rules_cmd;
mod serve;
mod shipped;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The rule-enforcing table, umpire and laboratory for the Hordes family of wargames.
#[derive(Debug, Parser)]
#[command(
    name = "muster",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Verb,
}

/// Which rules are in force.
#[derive(Debug, Clone, Args)]
struct RulesArgs {
    /// The game: hott, big, heroes, horde or campaign.
    #[arg(long, value_name = "GAME")]
    rules: Option<String>,
    /// An edition: hott-2.1, hott-2.0 or hott-1.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// A file of house rules (TOML).
    #[arg(long, value_name = "FILE")]
    rules_file: Option<PathBuf>,
    /// One option: hott.wood_sight=100 (may be given several times).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

/// What all commands take.
#[derive(Debug, Clone, Args)]
struct Common {
    #[command(flatten)]
    rules: RulesArgs,
    /// One JSON document on standard output, nothing else there.
    #[arg(long)]
    json: bool,
    /// The seed of the dice.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Print a rule, search the rules, list options, or show which rules have cases.
    Rules(rules_cmd::RulesCmd),
    /// List, check, cost and print armies.
    Army(army_cmd::ArmyCmd),
    /// A battle between computer players: told, recorded, drawn.
    Battle(battle_cmd::BattleCmd),
    /// Run a map campaign: orders in, a season adjudicated, letters out.
    Campaign(campaign_cmd::CampaignCmd),
    /// Run or start case files: questions of rules that answer themselves.
    Case(case_cmd::CaseCmd),
    /// Check, weigh and run mass fights of the d100 game.
    Horde(horde_cmd::HordeCmd),
    /// Exact chances of a fight, shot or spell, with the factors and their rules.
    Odds(odds_cmd::OddsCmd),
    /// Open the table in the browser.
    Play(serve::PlayCmd),
    /// Tell a recorded game again, up to a line, with its picture.
    Replay(record_cmd::ReplayCmd),
    /// Serve tables to browsers.
    Serve(serve::ServeCmd),
    /// Check records: are the lines whole, the dice those committed to, the play by the rules.
    Verify(record_cmd::VerifyCmd),
}

/// `muster case FILE` is meant as `muster case run FILE`.
fn as_meant(mut words: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let is = |n: usize, word: &str| words.get(n).is_some_and(|w| w == word);
    let file = words.get(2).is_some_and(|w| std::path::Path::new(w).exists());
    if is(1, "case") && file && !is(2, "run") && !is(2, "new") {
        words.insert(2, "run".into());
    }
    words
}

fn main() -> ExitCode {
    let cli = Cli::parse_from(as_meant(std::env::args_os().collect()));
    let done = match cli.command {
        Verb::Rules(cmd) => cmd.run(),
        Verb::Army(cmd) => cmd.run(),
        Verb::Battle(cmd) => cmd.run(),
        Verb::Campaign(cmd) => cmd.run(),
        Verb::Case(cmd) => cmd.run(),
        Verb::Horde(cmd) => cmd.run(),
        Verb::Odds(cmd) => cmd.run(),
        Verb::Play(cmd) => cmd.run(),
        Verb::Replay(cmd) => cmd.run(),
        Verb::Serve(cmd) => cmd.run(),
        Verb::Verify(cmd) => cmd.run(),
    };
    out::finish(done)
}
