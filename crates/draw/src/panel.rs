//! What is told of a side beside the board: losses against the half, general, Stronghold, PIPs, the tray.

use crate::model::{Panel, Pip};
use crate::palette::{COMMANDS, side_fill};
use crate::picture::Style;
use crate::svg::{Anchor, Svg, Words, fill, line, num};
use crate::text::{Weight, fit, halves, width, wrap};

/// Draws a panel with its upper left corner at a point; returns its height.
pub(crate) fn draw(svg: &mut Svg, style: &Style, panel: &Panel, (left, top): (f64, f64), room: f64) -> f64 {
    // Height is known only when all is set: once into nothing, once for good.
    let mut dry = Svg::new();
    let height = content(&mut dry, style, panel, (left, top), room);
    let tones = style.theme.tones();
    let edge = if panel.active { line(tones.ink, 1.6) } else { line(tones.rule, 1.0) };
    svg.open("class=\"panel\"");
    svg.rect([left, top, room, height], style.text * 0.45, fill(tones.card));
    content(svg, style, panel, (left, top), room);
    svg.rect([left, top, room, height], style.text * 0.45, edge);
    svg.close();
    height
}

fn content(svg: &mut Svg, style: &Style, panel: &Panel, (left, top): (f64, f64), room: f64) -> f64 {
    let tones = style.theme.tones();
    let (ground, _, ink) = style.theme.side(panel.side);
    let s = style.text;
    let pad = s * 0.7;
    let (x, inner) = (left + pad, room - pad * 2.0);
    let mut y = top + pad;

    // The flag of the side with its letter, the army's name, who plays it.
    let flag = s * 1.9;
    svg.rect(
        [x, y, flag, flag],
        s * 0.2,
        fill(&side_fill(style.prefix, panel.side)).edged(tones.outline, 1.0),
    );
    if !panel.letter.is_empty() {
        svg.circle((x + flag / 2.0, y + flag / 2.0), flag * 0.36, fill(ground));
        let look = Words::new(flag * 0.56, ink).bold().anchor(Anchor::Middle);
        svg.words(style.prefix, &panel.letter, (x + flag / 2.0, y + flag * 0.7), look);
    }
    let beside = x + flag + s * 0.6;
    let name = wrap(&panel.army, s * 1.1, Weight::Bold, left + room - pad - beside, 2);
    let mut line_y = y + s * 1.0;
    for words in &name {
        svg.words(style.prefix, words, (beside, line_y), Words::new(s * 1.1, tones.ink).bold());
        line_y += s * 1.25;
    }
    if !panel.player.is_empty() {
        let words = fit(&panel.player, s * 0.9, Weight::Regular, left + room - pad - beside);
        svg.words(style.prefix, &words, (beside, line_y), Words::new(s * 0.9, tones.faint));
        line_y += s * 1.15;
    }
    y = (y + flag).max(line_y - s * 0.8) + s * 0.5;
    if panel.won || panel.active {
        let words = if panel.won { "★ Victory" } else { "▶ its bound" };
        svg.words(style.prefix, words, (x, y + s * 0.85), Words::new(s * 0.95, tones.ink).bold());
        y += s * 1.45;
    }

    y = losses(svg, style, panel, (x, y), inner);
    // Of several commands each has its general, and may be demoralized.
    for (words, most) in [(&panel.general, 12), (&panel.stronghold, 2)] {
        for words in wrap(words, s * 0.92, Weight::Regular, inner, most) {
            svg.words(style.prefix, &words, (x, y + s * 0.85), Words::new(s * 0.92, tones.ink));
            y += s * 1.25;
        }
    }
    if !panel.pips.is_empty() {
        y = dice(svg, style, panel, (x, y + s * 0.25), inner);
    }
    if !panel.tray.is_empty() {
        y = tray(svg, style, panel, (x, y + s * 0.35), inner);
    }
    y + pad * 0.7 - top
}

/// "Lost 7½ of 24 AP", a bar, and the mark of the half.
fn losses(svg: &mut Svg, style: &Style, panel: &Panel, (x, y): (f64, f64), inner: f64) -> f64 {
    let tones = style.theme.tones();
    let s = style.text;
    if panel.total == 0 {
        return y;
    }
    let words = format!("Lost {} of {} AP", halves(panel.lost), halves(panel.total));
    svg.words(style.prefix, &words, (x, y + s * 0.9), Words::new(s * 0.95, tones.ink));
    let (bar_y, bar_h) = (y + s * 1.35, s * 0.75);
    svg.rect([x, bar_y, inner, bar_h], s * 0.12, fill(tones.page).edged(tones.faint, 0.8));
    let part = (f64::from(panel.lost) / f64::from(panel.total)).clamp(0.0, 1.0);
    if part > 0.0 {
        svg.rect(
            [x, bar_y, inner * part, bar_h],
            s * 0.12,
            fill(&side_fill(style.prefix, panel.side)).edged(tones.outline, 0.8),
        );
    }
    let half = x + inner / 2.0;
    svg.segment((half, bar_y - s * 0.22), (half, bar_y + bar_h + s * 0.22), line(tones.page, 3.2));
    svg.segment((half, bar_y - s * 0.22), (half, bar_y + bar_h + s * 0.22), line(tones.danger, 1.6));
    let words = format!("half {}", halves(panel.total.div_ceil(2)));
    if width(&words, s * 0.8, Weight::Regular) < inner * 0.4 {
        let look = Words::new(s * 0.8, tones.danger).anchor(Anchor::End);
        svg.words(style.prefix, &words, (x + inner, y + s * 0.9), look);
    }
    bar_y + bar_h + s * 0.55
}

/// PIP dice as faces, what is left beside each.
fn dice(svg: &mut Svg, style: &Style, panel: &Panel, (x, y): (f64, f64), inner: f64) -> f64 {
    let tones = style.theme.tones();
    let s = style.text;
    let die = s * 1.7;
    let (mut cx, mut cy) = (x, y);
    for (i, pip) in panel.pips.iter().enumerate() {
        let words = if pip.score == 0 {
            "–".to_owned()
        } else {
            format!("{} PIP{} left", pip.left, if pip.left == 1 { "" } else { "s" })
        };
        let words = if panel.pips.len() > 1 { pip.left.to_string() } else { words };
        let tab = if pip.letter.is_some() { die * 0.62 } else { 0.0 };
        let wide = tab + die + s * 0.4 + width(&words, s * 0.95, Weight::Regular) + s * 0.7;
        if i > 0 && cx + wide > x + inner {
            (cx, cy) = (x, cy + die + s * 0.4);
        }
        if let Some(letter) = pip.letter {
            let (tab_fill, tab_ink) = COMMANDS[i % COMMANDS.len()];
            svg.rect([cx, cy, tab + s * 0.2, die], s * 0.15, fill(tab_fill).edged(tones.faint, 0.8));
            let look = Words::new(s * 0.95, tab_ink).bold().anchor(Anchor::Middle);
            svg.words(style.prefix, &letter.to_string(), (cx + tab / 2.0, cy + die * 0.68), look);
        }
        face(svg, style, *pip, (cx + tab, cy), die);
        let look = Words::new(s * 0.95, tones.ink);
        svg.words(style.prefix, &words, (cx + tab + die + s * 0.4, cy + die * 0.68), look);
        cx += wide;
    }
    cy + die + s * 0.4
}

/// One die.
fn face(svg: &mut Svg, style: &Style, pip: Pip, (x, y): (f64, f64), die: f64) {
    let tones = style.theme.tones();
    svg.rect([x, y, die, die], die * 0.2, fill(tones.plate).edged(tones.outline, 1.0));
    let spots: &[(f64, f64)] = match pip.score {
        1 => &[(0.5, 0.5)],
        2 => &[(0.27, 0.73), (0.73, 0.27)],
        3 => &[(0.25, 0.75), (0.5, 0.5), (0.75, 0.25)],
        4 => &[(0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)],
        5 => &[(0.26, 0.26), (0.74, 0.26), (0.5, 0.5), (0.26, 0.74), (0.74, 0.74)],
        6 => &[(0.29, 0.23), (0.71, 0.23), (0.29, 0.5), (0.71, 0.5), (0.29, 0.77), (0.71, 0.77)],
        _ => &[],
    };
    for (px, py) in spots {
        svg.circle((x + px * die, y + py * die), die * 0.1, fill(tones.sign));
    }
}

/// What is off the table: small signs with their labels, lost ones crossed out.
fn tray(svg: &mut Svg, style: &Style, panel: &Panel, (x, y): (f64, f64), inner: f64) -> f64 {
    let tones = style.theme.tones();
    let s = style.text;
    let size = s * 1.5;
    svg.words(style.prefix, "Off the table", (x, y + s * 0.85), Words::new(s * 0.85, tones.faint));
    let mut y = y + s * 1.3;
    let columns = if inner > s * 15.0 { 2.0 } else { 1.0 };
    let wide = inner / columns;
    let last = panel.tray.len().saturating_sub(1);
    for (i, item) in panel.tray.iter().enumerate() {
        let column = if columns > 1.0 { (i % 2) as f64 } else { 0.0 };
        let cx = x + column * wide;
        svg.rect([cx, y, size, size], s * 0.15, fill(tones.plate).edged(tones.faint, 0.8));
        item.glyph.put(svg, style.prefix, (cx + size / 2.0, y + size / 2.0), size * 0.84);
        if item.lost {
            let d = format!("M{} {}L{} {}", num(cx), num(y + size), num(cx + size), num(y));
            svg.path(&d, line(tones.plate, 3.4));
            svg.path(&d, line(tones.danger, 1.8));
        }
        let room = wide - size - s * 0.7;
        let tx = cx + size + s * 0.35;
        let label = fit(&item.label, s * 0.88, Weight::Bold, room);
        svg.words(style.prefix, &label, (tx, y + s * 0.72), Words::new(s * 0.88, tones.ink).bold());
        let note = fit(&item.note, s * 0.74, Weight::Regular, room);
        svg.words(style.prefix, &note, (tx, y + s * 1.5), Words::new(s * 0.74, tones.faint));
        if columns < 2.0 || i % 2 == 1 || i == last {
            y += size + s * 0.35;
        }
    }
    y
}
