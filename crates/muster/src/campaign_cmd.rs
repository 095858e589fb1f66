//! `muster campaign`: the umpire's desk, one folder a campaign.

use crate::games;
use crate::out::{self, Done, Verdict};
use campaign::Rules;
use campaign::cli::{self, Format, Ran, Sent};
use campaign::order::SetState;
use clap::{Args, Subcommand, ValueEnum};
use dice::Key;
use game::Problems;
use std::path::PathBuf;

/// Run a map campaign: orders in, a season adjudicated, letters out.
#[derive(Debug, Args)]
pub struct CampaignCmd {
    #[command(subcommand)]
    verb: CampaignVerb,
    #[command(flatten)]
    common: CampaignArgs,
}

/// What every command of a campaign takes, wherever it stands on the line.
#[derive(Debug, Clone, Args)]
struct CampaignArgs {
    /// An edition of the rules.
    #[arg(long, value_name = "NAME", global = true)]
    preset: Option<String>,
    /// A file of house rules (TOML).
    #[arg(long, value_name = "FILE", global = true)]
    rules_file: Option<PathBuf>,
    /// One option: campaign.calamities=off (may be given several times).
    #[arg(long = "set", value_name = "KEY=VALUE", global = true)]
    sets: Vec<String>,
    /// One JSON document on standard output, nothing else there.
    #[arg(long, global = true)]
    json: bool,
    /// The seed of the dice.
    #[arg(long, value_name = "N", global = true)]
    seed: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum CampaignVerb {
    /// Start a campaign in a new folder.
    New {
        /// The folder.
        dir: PathBuf,
        /// A shipped map, a folder with map.toml, or seed:N:NATIONS.
        #[arg(long)]
        map: String,
        /// Seasons wait for the umpire.
        #[arg(long)]
        umpire: bool,
    },
    /// Whether a map and its nations can be played.
    Check {
        /// A shipped map, a folder with map.toml, or seed:N:NATIONS.
        map: String,
    },
    /// Take a nation's orders from a file (`-` for standard input) and print the receipt.
    Orders {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
        /// The file; left out with --computer.
        file: Option<PathBuf>,
        /// Only a draft: it counts for nothing yet.
        #[arg(long)]
        draft: bool,
        /// Entered by the umpire for a player who telephoned or wrote on paper.
        #[arg(long)]
        by_umpire: bool,
        /// When it was sent: seconds since 1970, or any count that grows.
        #[arg(long, value_name = "N")]
        sent: Option<i64>,
        /// Print the orders that the computer would give instead.
        #[arg(long, conflicts_with = "file")]
        computer: bool,
    },
    /// The order form of a nation, to fill in and send back.
    Form {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
    },
    /// Who is missing, and what is waited for.
    Status {
        /// The campaign.
        dir: PathBuf,
    },
    /// The pack of a battle: all that its players need.
    Pack {
        /// The campaign.
        dir: PathBuf,
        /// The battle.
        battle: String,
        /// For one side only, without the other's secrets.
        #[arg(long, value_name = "NATION")]
        side: Option<String>,
    },
    /// Enter the result of a battle.
    Result {
        /// The campaign.
        dir: PathBuf,
        /// The battle.
        battle: String,
        /// The result form, filled in.
        file: PathBuf,
    },
    /// Adjudicate the season, up to the battles that are to be fought.
    Adjudicate {
        /// The campaign.
        dir: PathBuf,
        /// The computer fights the battles.
        #[arg(long)]
        auto: bool,
        /// Show what would come of it, and change nothing.
        #[arg(long)]
        preview: bool,
    },
    /// Rule: overrule a result with a reason.
    Rule {
        /// The campaign.
        dir: PathBuf,
        /// The ruling.
        text: String,
        /// Run the season again from there.
        #[arg(long)]
        again: bool,
    },
    /// A nation's letter, or the gazette.
    Report {
        /// The campaign.
        dir: PathBuf,
        /// The nation; left out: the gazette.
        nation: Option<String>,
        /// How it is written.
        #[arg(long, value_enum, default_value = "markdown")]
        format: Page,
        /// A paragraph of the umpire's own.
        #[arg(long, default_value = "")]
        paragraph: String,
    },
    /// The map as SVG: the umpire's, or a nation's.
    Map {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: Option<String>,
    },
    /// Every command of the campaign, with its line.
    History {
        /// The campaign.
        dir: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Page {
    Markdown,
    Html,
}

impl CampaignCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        let common = self.common;
        let ran = match self.verb {
            CampaignVerb::New { dir, map, umpire } => {
                let seed = common.seed.unwrap_or_else(crate::battle_cmd::any_seed);
                cli::new(&dir, &map, rules(&common)?, &Key::from_seed(seed), umpire)
            }
            CampaignVerb::Check { map } => cli::check(&map, &rules(&common)?),
            CampaignVerb::Orders { dir, nation, computer: true, .. } => cli::computer_orders(&dir, &nation),
            CampaignVerb::Orders { dir, nation, file, draft, by_umpire, sent, computer: false } => {
                let text = out::read(&file.unwrap_or_else(|| PathBuf::from("-")))?;
                let now = now();
                let state = if draft { SetState::Draft } else { SetState::Submitted };
                cli::orders(
                    &dir,
                    &nation,
                    &text,
                    Sent { sent: sent.unwrap_or(now), received: now, state, by_umpire },
                )
            }
            CampaignVerb::Form { dir, nation } => cli::form(&dir, &nation),
            CampaignVerb::Status { dir } => cli::status(&dir),
            CampaignVerb::Pack { dir, battle, side } => cli::pack(&dir, &battle, side.as_deref()),
            CampaignVerb::Result { dir, battle, file } => {
                cli::result(&dir, &battle, &file.display().to_string(), &out::read(&file)?)
            }
            CampaignVerb::Adjudicate { dir, auto, preview } => cli::adjudicate(&dir, auto, preview),
            CampaignVerb::Rule { dir, text, again } => cli::rule(&dir, &text, again),
            CampaignVerb::Report { dir, nation, format, paragraph } => {
                let format = match format {
                    Page::Markdown => Format::Markdown,
                    Page::Html => Format::Html,
                };
                cli::report(&dir, nation.as_deref(), format, &paragraph)
            }
            CampaignVerb::Map { dir, nation } => cli::map(&dir, nation.as_deref()),
            CampaignVerb::History { dir } => cli::history(&dir),
        };
        say(ran, common.json)
    }
}

fn say(ran: Ran, as_json: bool) -> Done {
    let said = ran?;
    if as_json {
        out::json(&said.json);
    } else {
        out::print(&said.text);
    }
    Ok(if said.yes { Verdict::Yes } else { Verdict::No })
}

/// The rules that a new campaign is played under.
fn rules(common: &CampaignArgs) -> Result<Rules, Problems> {
    let sets = games::pairs(&common.sets)?;
    let file = match &common.rules_file {
        None => None,
        Some(path) => Some((path.display().to_string(), out::read(path)?)),
    };
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Rules::layered(common.preset.as_deref(), file, &sets)
}

/// Orders bear the time of their receipt; only the command line looks at the clock.
fn now() -> i64 {
    #[allow(clippy::disallowed_types)]
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map(|d| d.as_secs()).unwrap_or(0);
    i64::try_from(now).unwrap_or(i64::MAX)
}
