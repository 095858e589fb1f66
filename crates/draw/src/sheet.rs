//! A sheet of all signs and sides: for the guide, and to judge them by eye.

use crate::svg::{Anchor, Svg, Words, fill};
use crate::{Glyph, SIDES, Style, palette};

/// Every sign with its name, large and at 24 pixels, and every side with its pattern.
#[must_use]
pub fn sheet(style: Style) -> String {
    let tones = style.theme.tones();
    let prefix = style.prefix;
    let (cell_w, cell_h, columns) = (150.0, 112.0, 7);
    let rows = Glyph::ALL.len().div_ceil(columns);
    let (width, height) = (cell_w * columns as f64 + 20.0, cell_h * rows as f64 + 130.0);
    let mut svg = Svg::new();
    let sides: Vec<usize> = (0..SIDES.len()).collect();
    palette::define_sides(&mut svg, prefix, style.theme, 7.0, &sides);
    svg.rect([0.0, 0.0, width, height], 0.0, fill(tones.page));
    for (i, g) in Glyph::ALL.iter().enumerate() {
        g.define(&mut svg, prefix, tones.sign, tones.plate);
        let (x, y) = (10.0 + (i % columns) as f64 * cell_w, 10.0 + (i / columns) as f64 * cell_h);
        svg.rect(
            [x + 4.0, y + 4.0, cell_w - 8.0, cell_h - 8.0],
            6.0,
            fill(tones.plate).edged(tones.rule, 1.0),
        );
        g.put(&mut svg, prefix, (x + 54.0, y + 46.0), 64.0);
        g.put(&mut svg, prefix, (x + 118.0, y + 28.0), 24.0);
        g.put(&mut svg, prefix, (x + 118.0, y + 62.0), 12.0);
        let look = Words::new(12.0, tones.sign).anchor(Anchor::Middle);
        svg.words(prefix, &format!("{} {}", g.code(), g.name()), (x + cell_w / 2.0, y + 98.0), look);
    }
    let y = 20.0 + rows as f64 * cell_h;
    for (i, s) in SIDES.iter().enumerate() {
        let (ground, _, ink) = style.theme.side(i);
        let x = 14.0 + i as f64 * 170.0;
        svg.rect([x, y, 156.0, 80.0], 4.0, fill(&palette::side_fill(prefix, i)).edged(tones.outline, 1.0));
        svg.rect([x + 38.0, y + 28.0, 80.0, 24.0], 4.0, fill(ground));
        svg.words(prefix, s.name, (x + 78.0, y + 45.0), Words::new(14.0, ink).bold().anchor(Anchor::Middle));
    }
    svg.finish(prefix, (width, height), "Signs of the types and looks of the sides", "")
}
