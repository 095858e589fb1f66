//! Pages beside the tables: the tracker of Horde combat, campaigns.

use super::campaign::CampaignDesk;
use super::tracker::TrackerDesk;
use game::Problems;
use serde_json::Value;
use server::{Desk, Desks};

/// All that there are.
pub struct Pages;

impl Desks for Pages {
    fn open(&self, kind: &str, wish: &Value, seed: u64) -> Option<Result<Box<dyn Desk>, Problems>> {
        match kind {
            "tracker" => Some(TrackerDesk::open(wish, seed).map(|d| Box::new(d) as Box<dyn Desk>)),
            "campaign" => Some(CampaignDesk::open(wish, seed).map(|d| Box::new(d) as Box<dyn Desk>)),
            _ => None,
        }
    }

    fn resume(
        &self,
        kind: &str,
        record: &str,
        beside: &Value,
        seed: u64,
    ) -> Option<Result<Box<dyn Desk>, Problems>> {
        match kind {
            "tracker" => {
                Some(TrackerDesk::resume(record, beside, seed).map(|d| Box::new(d) as Box<dyn Desk>))
            }
            "campaign" => {
                Some(CampaignDesk::resume(record, beside, seed).map(|d| Box::new(d) as Box<dyn Desk>))
            }
            _ => None,
        }
    }
}
