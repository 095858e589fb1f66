//! Pictures of positions: `--svg FILE`, `--png FILE`.

use crate::out;
use clap::{Args, ValueEnum};
use draw::{Style, Theme};
use game::{Problem, Problems};
use hott::battle::{Battle, State};
use std::path::PathBuf;

/// Where pictures go.
#[derive(Debug, Clone, Args)]
pub struct PictureArgs {
    /// Write the position as SVG.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the position as PNG.
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// How the picture looks.
    #[arg(long, value_enum, default_value = "light")]
    pub theme: ThemeWord,
}

/// Themes of pictures.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ThemeWord {
    /// On light paper.
    Light,
    /// On a dark ground.
    Dark,
    /// In grey, for printing.
    Paper,
}

impl PictureArgs {
    /// Writes what was asked for; the paths written.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, battle: &Battle, state: &State, force: bool) -> Result<Vec<PathBuf>, Problems> {
        if self.svg.is_none() && self.png.is_none() {
            return Ok(Vec::new());
        }
        let style = match self.theme {
            ThemeWord::Light => Style::wide(Theme::Light),
            ThemeWord::Dark => Style::wide(Theme::Dark),
            ThemeWord::Paper => Style::paper(),
        };
        let options = draw::hott::Options { fights: true, moves: true, ..draw::hott::Options::default() };
        let svg = draw::svg(&draw::hott::scene(battle, state, &options), style);
        let mut written = Vec::new();
        if let Some(path) = &self.svg {
            out::write(path, svg.as_bytes(), force)?;
            written.push(path.clone());
        }
        if let Some(path) = &self.png {
            let bytes = draw::png(&svg, 1.0)
                .map_err(|e| vec![Problem::new(format!("the picture cannot be made: {e}"))])?;
            out::write(path, &bytes, force)?;
            written.push(path.clone());
        }
        Ok(written)
    }
}
