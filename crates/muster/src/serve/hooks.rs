//! Computer players and pictures for the server.

use super::hexes;
use crate::picture;
use commander::Sight;
use commander::hott::Level;
use game::{AnyTable, Game, Table};
use heroes::Heroes;
use hott::battle::Battle;
use serde_json::Value;
use server::{Asked, ComputerPlayer, Picture};

/// Computer players of all games that have one.
pub struct Computers;

impl ComputerPlayer for Computers {
    fn levels(&self, game: &str) -> Vec<String> {
        match game {
            "hott" | "big" => Level::ALL.iter().rev().map(|l| l.name().to_owned()).collect(),
            "heroes" => hexes::LEVELS.iter().map(|l| l.0.to_owned()).collect(),
            _ => Vec::new(),
        }
    }

    fn choose(&self, asked: &Asked<'_>) -> Option<String> {
        if let Some(table) = asked.table.as_any().downcast_ref::<Table<Heroes>>() {
            return hexes::choose(table, asked.level, asked.guess);
        }
        let table = asked.table.as_any().downcast_ref::<Table<Battle>>()?;
        let level = Level::named(asked.level).unwrap_or_default();
        let debts = table.owes();
        let owed = &debts.iter().find(|d| d.seat == asked.seat)?.what;
        let sight = Sight { game: table.game(), state: table.state(), seat: asked.seat, owed };
        let command = level.player(asked.guess).command(sight);
        Some(table.game().print(table.state(), &command))
    }
}

/// Pictures of all games that have them.
pub struct Pictures;

impl Picture for Pictures {
    fn svg(&self, table: &dyn AnyTable, rules: &Value, view: &Value, dark: bool) -> Option<String> {
        let style = draw::Style::wide(if dark { draw::Theme::Dark } else { draw::Theme::Light });
        let Some(table) = table.as_any().downcast_ref::<Table<Battle>>() else {
            // Games that hide nothing.
            return picture::drawing(table.name(), rules, &table.notation(), style).ok();
        };
        let (battle, state) = (table.game(), table.state());
        // The table is a guess at what is hidden: only sides that the viewer knows wholly show what waits off it.
        let known = |n: usize| view["sides"][n]["unknown"].as_u64() == Some(0);
        let sides = (0..battle.sides.len()).filter(|n| known(*n));
        let secrets = sides.filter_map(|n| u8::try_from(n).ok()).map(hott::battle::SideId).collect();
        let options = draw::hott::Options {
            fights: true,
            moves: true,
            secrets_of: Some(secrets),
            ..draw::hott::Options::default()
        };
        let scene = draw::hott::scene(battle, state, &options);
        Some(draw::svg(&scene, style))
    }
}
