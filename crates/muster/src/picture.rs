//! Pictures of positions: `--svg FILE`, `--png FILE`, `--pdf FILE`.

use crate::out;
use crate::paper::{self, PaperSize};
use clap::{Args, ValueEnum};
use draw::{Style, Theme};
use game::{Game, Problem, Problems};
use heroes::contract::Heroes;
use hott::battle::{Battle, State};
use serde_json::Value;
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
    /// Write the position as PDF, in grey, with its measures in millimetres to lay it out on a real table.
    #[arg(long, value_name = "FILE")]
    pub pdf: Option<PathBuf>,
    /// Of a PDF: the sheet of paper.
    #[arg(long, value_enum, default_value = "a4")]
    pub paper: PaperSize,
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
    /// Whether any picture is asked for.
    pub fn wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some() || self.pdf.is_some()
    }

    /// Writes pictures of a position in its one-line form.
    ///
    /// # Errors
    /// A game of which there are no pictures, or a file that cannot be written.
    pub fn write_notation(
        &self,
        game: &str,
        rules: &Value,
        notation: &str,
        force: bool,
    ) -> Result<(), Problems> {
        if !self.wanted() {
            return Ok(());
        }
        let svg = drawing(game, rules, notation, self.style())?;
        let mut written = self.write_svg(&svg, force)?;
        written.extend(self.write_pdf(game, rules, notation, force)?);
        for path in written {
            out::line(&format!("written: {}", path.display()));
        }
        Ok(())
    }

    /// Writes the position as PDF if it was asked for; the path written. Paper is grey whatever the theme.
    ///
    /// # Errors
    /// A game of which there are no pictures, or a file that cannot be written.
    pub fn write_pdf(
        &self,
        game: &str,
        rules: &Value,
        notation: &str,
        force: bool,
    ) -> Result<Option<PathBuf>, Problems> {
        let Some(path) = &self.pdf else { return Ok(None) };
        let svg = drawing(game, rules, notation, Style::paper())?;
        let measures = paper::measures(game, rules, notation)?;
        out::write(path, &paper::map("Position", &svg, measures, self.paper)?, force)?;
        Ok(Some(path.clone()))
    }

    /// How pictures look.
    pub fn style(&self) -> Style {
        match self.theme {
            ThemeWord::Light => Style::wide(Theme::Light),
            ThemeWord::Dark => Style::wide(Theme::Dark),
            ThemeWord::Paper => Style::paper(),
        }
    }

    /// Writes what was asked for; the paths written.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, battle: &Battle, state: &State, force: bool) -> Result<Vec<PathBuf>, Problems> {
        if !self.wanted() {
            return Ok(Vec::new());
        }
        let mut written = self.write_svg(&of_battle(battle, state, self.style()), force)?;
        if let Some(path) = &self.pdf {
            let svg = of_battle(battle, state, Style::paper());
            let measures = paper::on_the_table(battle, state);
            out::write(path, &paper::map("Position", &svg, measures, self.paper)?, force)?;
            written.push(path.clone());
        }
        Ok(written)
    }

    /// Writes a drawing as what was asked for; the paths written.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_svg(&self, svg: &str, force: bool) -> Result<Vec<PathBuf>, Problems> {
        let mut written = Vec::new();
        for (path, kind) in [(&self.svg, "svg"), (&self.png, "png"), (&self.pdf, "pdf")] {
            let Some(path) = path else { continue };
            if let Some(other) =
                path.extension().and_then(|e| e.to_str()).filter(|e| !e.eq_ignore_ascii_case(kind))
            {
                let problem = Problem::new(format!("{}: --{kind} writes no {other}", path.display()));
                return Err(vec![problem.hint(format!("call it {}", path.with_extension(kind).display()))]);
            }
        }
        if let Some(path) = &self.svg {
            out::write(path, svg.as_bytes(), force)?;
            written.push(path.clone());
        }
        if let Some(path) = &self.png {
            let bytes = draw::png(svg, 1.0)
                .map_err(|e| vec![Problem::new(format!("the picture cannot be made: {e}"))])?;
            out::write(path, &bytes, force)?;
            written.push(path.clone());
        }
        Ok(written)
    }
}

fn of_battle(battle: &Battle, state: &State, style: Style) -> String {
    let options = draw::hott::Options { fights: true, moves: true, ..draw::hott::Options::default() };
    draw::svg(&draw::hott::scene(battle, state, &options), style)
}

/// The picture of a position in its one-line form.
///
/// # Errors
/// A game of which there are no pictures, or a position that does not read.
pub fn drawing(game: &str, rules: &Value, notation: &str, style: Style) -> Result<String, Problems> {
    match game {
        "hott" | "big" => {
            let (battle, state) = Battle::open_notation(rules, notation)?;
            Ok(of_battle(&battle, &state, style))
        }
        "heroes" => {
            let (battle, state) = Heroes::open_notation(rules, notation)?;
            let t = battle.table();
            let title = format!("{} against {}", t.armies[0], t.armies[1]);
            Ok(draw::hexes::svg(t, Some(&state), &title, style))
        }
        _ => Err(vec![Problem::new(format!("there are no pictures of {game}"))]),
    }
}

/// Whether there are pictures of a game.
pub fn is_drawn(game: &str) -> bool {
    matches!(game, "hott" | "big" | "heroes")
}
