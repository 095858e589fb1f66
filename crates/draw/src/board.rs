//! The board and its frame: base edges in their sides' looks, north, the scale, ticks to lay it again on a real table.

use crate::geometry::{Map, speck};
use crate::model::{BoardSize, Edge, Panel};
use crate::palette::side_fill;
use crate::picture::Style;
use crate::svg::{Anchor, Svg, Words, fill, line, num};
use crate::text::{Weight, fit, width};

/// The open ground with its centre lines; opens the clip that keeps terrain within the board.
pub(crate) fn ground(svg: &mut Svg, map: &Map, style: &Style) {
    let tones = style.theme.tones();
    let area = [map.left, map.top, map.width(), map.height()];
    svg.rect(area, 0.0, fill(tones.board));
    // Sparse tufts keep the open ground from looking empty, and say nothing.
    let step = map.u * 4.6;
    let columns = (map.width() / step).clamp(0.0, 120.0) as i64;
    let rows = (map.height() / step).clamp(0.0, 120.0) as i64;
    let mut d = String::new();
    for row in 0..rows {
        for column in 0..columns {
            if speck(row, column, 77) > 0.55 {
                continue;
            }
            let x = map.left + (column as f64 + 0.2 + 0.6 * speck(row, column, 78)) * step;
            let y = map.top + (row as f64 + 0.2 + 0.6 * speck(row, column, 79)) * step;
            let s = map.u * 0.3;
            d.push_str(&format!(
                "M{} {}l{} {}M{0} {1}l{} -{}M{0} {1}l-{} {}",
                num(x),
                num(y),
                num(s),
                num(-s * 0.8),
                num(0.0),
                num(s * 1.1),
                num(s),
                num(-s * 0.8)
            ));
        }
    }
    if !d.is_empty() {
        svg.path(&d, line(tones.board_mark, map.u * 0.12).with("stroke-linecap=\"round\""));
    }
    let (mx, my) = (map.left + map.width() / 2.0, map.top + map.height() / 2.0);
    let dashes = format!("stroke-dasharray=\"{} {}\"", num(map.u * 0.5), num(map.u * 0.9));
    let hair = (map.u * 0.09).max(0.5);
    let cross = format!(
        "M{} {}V{}M{} {}H{}",
        num(mx),
        num(map.top),
        num(map.top + map.height()),
        num(map.left),
        num(my),
        num(map.left + map.width())
    );
    svg.path(&cross, line(tones.board_mark, hair).with(&dashes));
}

/// The frame about the board, `band` pixels wide.
pub(crate) fn frame(
    svg: &mut Svg,
    map: &Map,
    style: &Style,
    size: BoardSize,
    band: f64,
    edges: &[Edge],
    panels: &[Panel],
) {
    let tones = style.theme.tones();
    let (l, t, r, b) = (map.left, map.top, map.left + map.width(), map.top + map.height());
    let outer = format!(
        "M{0} {1}H{2}V{3}H{0}ZM{4} {5}V{7}H{6}V{5}Z",
        num(l - band),
        num(t - band),
        num(r + band),
        num(b + band),
        num(l),
        num(t),
        num(r),
        num(b)
    );
    svg.path(&outer, fill(tones.frame).with("fill-rule=\"evenodd\""));
    let hair = (map.u * 0.08).clamp(0.5, 1.2);
    for (i, edge) in edges.iter().enumerate() {
        // Allies on one edge share it, from left to right and from the top down.
        let place = edge.place % 4;
        let all = edges.iter().filter(|e| e.place % 4 == place).count() as f64;
        let before = edges[..i].iter().filter(|e| e.place % 4 == place).count() as f64;
        let (w, h) = ((r - l) / all, (b - t) / all);
        let area = match place {
            0 => [l + w * before, b, w, band],
            1 => [r, t + h * before, band, h],
            2 => [l + w * before, t - band, w, band],
            _ => [l - band, t + h * before, band, h],
        };
        svg.rect(area, 0.0, fill(&side_fill(style.prefix, edge.side)).edged(tones.outline, hair));
        let (size, room) = (band * 0.66, area[2].max(area[3]) * 0.8);
        let Some(panel) = panels.iter().find(|p| p.side == edge.side) else { continue };
        if size < 6.0 {
            continue;
        }
        let words = if panel.letter.is_empty() {
            panel.army.clone()
        } else {
            format!("{} · {}", panel.letter, panel.army)
        };
        let words = fit(&words, size, Weight::Bold, room);
        let (ground, _, ink) = style.theme.side(edge.side);
        let (x, y) = (area[0] + area[2] / 2.0, area[1] + area[3] / 2.0);
        let turn = match edge.place % 4 {
            1 => " rotate(90)",
            3 => " rotate(-90)",
            _ => "",
        };
        svg.open(&format!("transform=\"translate({} {}){turn}\"", num(x), num(y)));
        // A plain field behind the name: letters on hatching are hard to read.
        let half = width(&words, size, Weight::Bold) / 2.0 + size * 0.6;
        svg.rect([-half, -band / 2.0 + hair, half * 2.0, band - hair * 2.0], 0.0, fill(ground));
        let look = Words::new(size, ink).bold().anchor(Anchor::Middle);
        svg.words(style.prefix, &words, (0.0, size * 0.36), look);
        svg.close();
    }
    ticks(svg, map, style, size, band, edges);
    svg.rect([l, t, r - l, b - t], 0.0, line(tones.outline, hair * 1.6));
    svg.rect([l - band, t - band, r - l + band * 2.0, b - t + band * 2.0], 0.0, line(tones.rule, hair));
}

/// Ticks every 200 paces on the edges that belong to nobody, longer at the middle of each.
fn ticks(svg: &mut Svg, map: &Map, style: &Style, size: BoardSize, band: f64, edges: &[Edge]) {
    let tones = style.theme.tones();
    let (l, t, r, b) = (map.left, map.top, map.left + map.width(), map.top + map.height());
    let free = |place: u8| edges.iter().all(|e| e.place % 4 != place);
    let mut d = String::new();
    let mut each = |length: f64, put: &mut dyn FnMut(&mut String, f64, f64)| {
        let n = (length / 200.0).clamp(0.0, 200.0) as i64;
        for i in 1..=n {
            let p = i as f64 * 200.0;
            if p < length {
                put(&mut d, p * map.k, band * if (p - length / 2.0).abs() < 1.0 { 0.55 } else { 0.28 });
            }
        }
    };
    if free(0) {
        each(size.width, &mut |d, p, n| d.push_str(&format!("M{} {}v{}", num(l + p), num(b), num(n))));
    }
    if free(2) {
        each(size.width, &mut |d, p, n| d.push_str(&format!("M{} {}v{}", num(l + p), num(t), num(-n))));
    }
    if free(1) {
        each(size.height, &mut |d, p, n| d.push_str(&format!("M{} {}h{}", num(r), num(b - p), num(n))));
    }
    if free(3) {
        each(size.height, &mut |d, p, n| d.push_str(&format!("M{} {}h{}", num(l), num(b - p), num(-n))));
    }
    if !d.is_empty() {
        svg.path(&d, line(tones.faint, (map.u * 0.08).clamp(0.5, 1.2)));
    }
}

/// Where things stand on a real table: millimetres (paces, if the scene knows none) along the left and lower edges,
/// from the lower left corner. Returns the height that the lower row takes below the frame.
pub(crate) fn measures(svg: &mut Svg, map: &Map, style: &Style, size: BoardSize, band: f64) -> f64 {
    let tones = style.theme.tones();
    let s = (style.text * 0.72).min(band * 0.8).max(4.0);
    let mm = |paces: f64| {
        let v = if size.mm_per_100 > 0.0 { paces * size.mm_per_100 / 100.0 } else { paces };
        num(v.round())
    };
    let (left, bottom) = (map.left, map.top + map.height());
    // Not so many that they run into one another.
    let step = [200.0, 400.0, 800.0, 1600.0].into_iter().find(|p| p * map.k > s * 4.0).unwrap_or(3200.0);
    let count = |length: f64| (length / step).clamp(0.0, 200.0) as i64;
    let look = Words::new(s, tones.ink).anchor(Anchor::Middle);
    for i in 0..=count(size.width) {
        let x = left + i as f64 * step * map.k;
        svg.segment((x, bottom + band), (x, bottom + band + s * 0.3), line(tones.ink, 0.7));
        svg.words(style.prefix, &mm(i as f64 * step), (x, bottom + band + s * 1.25), look);
    }
    for i in 1..=count(size.height) {
        let y = bottom - i as f64 * step * map.k;
        svg.open(&format!("transform=\"translate({} {}) rotate(-90)\"", num(left - band * 0.5), num(y)));
        let words = mm(i as f64 * step);
        let half = width(&words, s, Weight::Regular) / 2.0 + s * 0.2;
        svg.rect([-half, -s * 0.6, half * 2.0, s * 1.2], s * 0.2, fill(tones.frame));
        svg.words(style.prefix, &words, (0.0, s * 0.36), look);
        svg.close();
    }
    s * 1.5
}

/// North and the scale on one line below the board; returns its height.
pub(crate) fn legend(
    svg: &mut Svg,
    map: &Map,
    style: &Style,
    size: BoardSize,
    (left, top): (f64, f64),
) -> f64 {
    let tones = style.theme.tones();
    let s = style.text * 0.85;
    let base = top + s * 1.15;
    // North.
    let (x, w) = (left + s * 0.6, s * 0.45);
    let needle = |sign: f64| {
        format!(
            "M{} {}L{} {}L{} {}Z",
            num(x),
            num(top),
            num(x + sign * w),
            num(base),
            num(x),
            num(base - s * 0.3)
        )
    };
    svg.path(&needle(-1.0), fill(tones.ink).edged(tones.ink, 0.8).with("stroke-linejoin=\"round\""));
    svg.path(&needle(1.0), fill(tones.page).edged(tones.ink, 0.8).with("stroke-linejoin=\"round\""));
    svg.words(style.prefix, "N", (x + w * 1.7, base), Words::new(s, tones.ink).bold());
    // The scale: a bar of four, as long as suits the picture.
    let long = [100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0]
        .into_iter()
        .rfind(|p| p * map.k <= map.width() * 0.3)
        .unwrap_or(100.0);
    let start = left + s * 3.4;
    let cell = long / 4.0 * map.k;
    for i in 0..4 {
        let colour = if i % 2 == 0 { tones.ink } else { tones.page };
        svg.rect(
            [start + f64::from(i) * cell, base - s * 0.45, cell, s * 0.4],
            0.0,
            fill(colour).edged(tones.ink, 0.8),
        );
    }
    let mut words = format!("{}p", num(long));
    if size.mm_per_100 > 0.0 {
        words.push_str(&format!(" = {} mm on the table", num(long * size.mm_per_100 / 100.0)));
    }
    svg.words(style.prefix, &words, (start + cell * 4.0 + s * 0.6, base), Words::new(s, tones.faint));
    let used = start + cell * 4.0 + s * 0.6 + width(&words, s, Weight::Regular);
    let board = format!("board {} × {}", crate::text::paces(size.width), crate::text::paces(size.height));
    let right = map.left + map.width();
    if used + width(&board, s, Weight::Regular) + s < right {
        svg.words(style.prefix, &board, (right, base), Words::new(s, tones.faint).anchor(Anchor::End));
    }
    s * 1.6
}
