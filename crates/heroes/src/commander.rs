//! Computer players of the hex game: they look at the state, which hides nothing, and at exact dice; all in whole numbers.
//!
//! [`Player`] is a person at the table in small: which way to play ([`Style`]) and what it has thought about in this phase.

pub mod advance;
pub mod general;
pub mod place;
pub mod random;
pub mod value;

use crate::command::Command;
use crate::reach::Search;
use crate::state::{Phase, State};
use crate::table::Table;

/// How a computer player plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Any candidate, by lot.
    Random,
    /// Always nearer, always fighting, never shooting or evading.
    Advance,
    /// The first real commander: expected value over exact dice.
    General,
    /// The same, but it evades whenever it may (a control for HH08).
    Shy,
    /// The same, but it never evades (a control for HH08).
    Stubborn,
}

impl Style {
    /// All with their names.
    pub const ALL: [(Style, &'static str); 5] = [
        (Style::Random, "random"),
        (Style::Advance, "advance"),
        (Style::General, "general"),
        (Style::Shy, "shy"),
        (Style::Stubborn, "stubborn"),
    ];

    /// Reads a name.
    #[must_use]
    pub fn read(name: &str) -> Option<Style> {
        Style::ALL.iter().find(|s| s.1.eq_ignore_ascii_case(name)).map(|s| s.0)
    }
}

/// What the commander weighs, in hundredths of a point or in percent; tuned by battles (`examples/tune.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Percent of a combat's expected gain that counts.
    pub contact: i32,
    /// Score that a friend who can still come to a fight is taken to add.
    pub help: i16,
    /// Percent of the danger from enemies that could attack next.
    pub danger: i32,
    /// Percent of the pull towards those whom we beat.
    pub pull: i32,
    /// For each hex nearer, shooters.
    pub near_shooter: i32,
    /// For each hex nearer, others.
    pub near: i32,
    /// For each friend beside it.
    pub friend: i32,
    /// For being alone and out of every general's range.
    pub lost: i32,
    /// Percent of a shot's expected gain that counts.
    pub shot: i32,
    /// Taken from getting away from contact.
    pub evade: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            contact: 125,
            help: 4,
            danger: 33,
            pull: 25,
            near_shooter: 60,
            near: 45,
            friend: 18,
            lost: 200,
            shot: 100,
            evade: 60,
        }
    }
}

/// A computer player.
#[derive(Clone, Debug)]
pub struct Player {
    style: Style,
    /// What it weighs.
    pub weights: Weights,
    seed: u64,
    moment: (u16, Phase),
    considered: u64,
    led: u16,
    search: Search,
    /// Candidates looked at so far.
    pub looked_at: u64,
}

impl Player {
    /// A player; `seed` decides only what is left to chance.
    #[must_use]
    pub fn new(style: Style, seed: u64) -> Player {
        Player {
            style,
            weights: Weights::default(),
            seed,
            moment: (0, Phase::Order),
            considered: 0,
            led: 0,
            search: Search::default(),
            looked_at: 0,
        }
    }

    /// The command that the side which owes something gives now; nothing if nobody does.
    pub fn choose(&mut self, t: &Table, s: &State) -> Option<Command> {
        if self.moment != (s.bound, s.phase) {
            self.moment = (s.bound, s.phase);
            self.considered = 0;
            self.led = 0;
        }
        match self.style {
            Style::Random => random::choose(self, t, s),
            Style::Advance => advance::choose(self, t, s),
            Style::General | Style::Shy | Style::Stubborn => general::choose(self, t, s),
        }
    }

    /// A number below `n` for what is left to chance.
    fn below(&mut self, n: usize) -> usize {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.seed;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n.max(1) as u64) as usize
    }
}
