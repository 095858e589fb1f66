//! `muster campaign soak`: many campaigns of computer nations, every invariant checked after every season.

use crate::campaign_cmd::battle_rules;
use crate::campaign_fight::Computers;
use crate::out::{self, Done, Verdict};
use campaign::soak::{Plan, play, play_thrice};
use campaign::{Campaign, Rules, cli};
use clap::Args;
use commander::hott::Level;
use commander::series;
use game::Problem;
use serde_json::json;

/// What is soaked.
#[derive(Debug, Args)]
pub struct Soak {
    /// A shipped map, a folder with map.toml, or seed:N:NATIONS.
    #[arg(long, default_value = "evening")]
    map: String,
    /// How many campaigns, with seeds from --seed on.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    campaigns: u64,
    /// How many years at most.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    years: u32,
    /// Computer players fight every battle at the table; left out, battles are reckoned.
    #[arg(long)]
    auto: bool,
    /// How well they fight: random, march or steady.
    #[arg(long, value_name = "LEVEL", default_value = "march")]
    player: String,
    /// Play each again with the orders in the contrary sequence, and replay it (battles are reckoned).
    #[arg(long, conflicts_with = "auto")]
    thrice: bool,
}

impl Soak {
    /// Runs it.
    pub fn run(self, rules: &Rules, seed: u64, as_json: bool) -> Done {
        let (world, name) = cli::world(&self.map, rules)?;
        let campaign = Campaign::new(world, name, rules.clone(), true);
        let level = Level::named(&self.player).ok_or_else(|| {
            vec![
                Problem::new(format!("unknown player: {}", self.player))
                    .meant(&self.player, Level::ALL.map(Level::name)),
            ]
        })?;
        let table = battle_rules()?;
        let results = series(self.campaigns, |n| {
            let plan = Plan { seed: seed.wrapping_add(n), years: self.years, turned: false };
            let played = if self.thrice {
                play_thrice(&campaign, plan)
            } else if self.auto {
                let mut computers = Computers { level, rules: table.clone(), record: false };
                play(campaign.clone(), plan, Some(&mut computers))
            } else {
                play(campaign.clone(), plan, None)
            };
            played.map(|p| (p.seasons, p.battles, p.table.outcome().is_some()))
        });
        let (mut seasons, mut battles, mut won) = (0_u64, 0_u64, 0_u64);
        let mut failed = Vec::new();
        for result in results {
            match result {
                Ok((s, b, over)) => {
                    seasons += u64::from(s);
                    battles += u64::from(b);
                    won += u64::from(over);
                }
                Err(why) => failed.push(why),
            }
        }
        if as_json {
            out::json(&json!({ "campaigns": self.campaigns, "seasons": seasons, "battles": battles,
                "won": won, "failed": failed }));
        } else {
            out::line(&format!(
                "{} campaigns of at most {} years on {}: {seasons} seasons and winters, {battles} battles, {won} won, {} failed",
                self.campaigns,
                self.years,
                self.map,
                failed.len()
            ));
        }
        if failed.is_empty() {
            return Ok(Verdict::Yes);
        }
        for why in failed.iter().take(20) {
            eprintln!("muster: {why}");
        }
        Ok(Verdict::No)
    }
}
