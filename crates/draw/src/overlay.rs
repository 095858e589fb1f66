//! What is drawn on demand: zones under the bases; moves, fights, shots, measures over them.

use crate::base::ghost;
use crate::geometry::{Map, area_path, distance, heart, lerp, middle};
use crate::model::{Overlay, Point, Shape, Tone, Zone};
use crate::picture::Style;
use crate::svg::{Anchor, Svg, Words, fill, line, num};
use crate::text::{Weight, width};

/// A zone, below the bases.
pub(crate) fn zone(svg: &mut Svg, map: &Map, style: &Style, zone: &Zone) {
    let tones = style.theme.tones();
    let colour = match zone.tone {
        Tone::Side(side) => style.theme.side_line(side),
        Tone::Threat => tones.danger,
        Tone::Plain => tones.faint,
    };
    let shape = map.shape(&zone.shape);
    let d = area_path(&shape);
    svg.open("class=\"zone\"");
    match &shape {
        Shape::Way(_, w) => svg.path(&d, line(colour, w.max(1.0)).with("stroke-opacity=\"0.18\"")),
        Shape::Polygon(_) | Shape::Disc(..) => {
            let dashes = format!(
                "fill-opacity=\"0.09\" stroke-dasharray=\"{} {}\"",
                num(map.u * 0.7),
                num(map.u * 0.4)
            );
            svg.path(&d, fill(colour).edged(colour, (map.u * 0.1).max(0.7)).with(&dashes));
        }
    }
    if !zone.label.is_empty() {
        let (x, y) = heart(&shape);
        let size = (style.text * 0.8).min(map.u * 1.8);
        svg.words(
            style.prefix,
            &zone.label,
            (x, y + size * 0.35),
            Words::new(size, colour).anchor(Anchor::Middle).halo(tones.board, size * 0.3),
        );
    }
    svg.close();
}

/// A line with a head at its far end, rimmed so that it shows on anything.
fn arrow(svg: &mut Svg, a: Point, b: Point, (colour, rim): (&str, &str), w: f64, dashes: &str) {
    let l = distance(a, b);
    if l < w * 1.5 {
        return;
    }
    let head = (w * 4.2).min(l * 0.7);
    let (ux, uy) = ((b.0 - a.0) / l, (b.1 - a.1) / l);
    let neck = (b.0 - ux * head, b.1 - uy * head);
    let h = head * 0.42;
    let tip = format!(
        "M{} {}L{} {}L{} {}Z",
        num(b.0),
        num(b.1),
        num(neck.0 - uy * h),
        num(neck.1 + ux * h),
        num(neck.0 + uy * h),
        num(neck.1 - ux * h)
    );
    svg.segment(a, neck, line(rim, w * 2.2).with("stroke-opacity=\"0.75\""));
    svg.path(&tip, fill(rim).edged(rim, w * 1.4).with("stroke-linejoin=\"round\""));
    svg.segment(a, neck, line(colour, w).with(dashes));
    svg.path(&tip, fill(colour));
}

/// Anything over the bases.
pub(crate) fn draw(svg: &mut Svg, map: &Map, style: &Style, overlay: &Overlay) {
    let tones = style.theme.tones();
    let w = (map.u * 0.17).clamp(0.8, 3.0);
    let rim = tones.plate;
    svg.open("class=\"overlay\"");
    match overlay {
        Overlay::Moved { from, to, width, depth, side } => {
            ghost(svg, map, style, *from, (*width, *depth), *side);
            let (a, b) = (map.at(middle(*from, *depth)), map.at(middle(*to, *depth)));
            // The head stops short of the sign on the base.
            let short = (depth.min(*width) * map.k * 0.5).min(distance(a, b) * 0.4);
            let b = if short > 0.0 { lerp(b, a, short / distance(a, b)) } else { b };
            arrow(svg, a, b, (style.theme.side_line(*side), rim), w, "stroke-linecap=\"round\"");
        }
        Overlay::Ghost { pose, width, depth, side } => ghost(svg, map, style, *pose, (*width, *depth), *side),
        Overlay::Fight { from, to, main } => {
            let (a, b) = (map.at(*from), map.at(*to));
            let w = if *main { w * 1.9 } else { w };
            svg.segment(a, b, line(rim, w * 1.9).with("stroke-linecap=\"round\""));
            let dashes =
                format!("stroke-linecap=\"round\" stroke-dasharray=\"{} {}\"", num(w * 2.0), num(w * 2.2));
            let more = if *main { "stroke-linecap=\"round\"" } else { dashes.as_str() };
            svg.segment(a, b, line(tones.fight, w).with(more));
            if *main {
                for p in [a, b] {
                    svg.circle(p, w * 1.1, fill(tones.fight).edged(rim, w * 0.5));
                }
            }
        }
        Overlay::Shot { from, to, side } => {
            let dashes = format!("stroke-dasharray=\"{} {}\"", num(w * 3.5), num(w * 2.0));
            let colour = style.theme.side_line(*side);
            arrow(svg, map.at(*from), map.at(*to), (colour, rim), w, &dashes);
        }
        Overlay::Lost { at, side } => {
            let (x, y) = map.at(*at);
            let r = map.u * 0.8;
            let (l, t, r, b) = (num(x - r), num(y - r), num(x + r), num(y + r));
            let cross = format!("M{l} {t}L{r} {b}M{r} {t}L{l} {b}");
            svg.path(&cross, line(rim, w * 3.4).with("stroke-linecap=\"round\""));
            let colour = style.theme.side_line(*side);
            svg.path(&cross, line(colour, w * 1.8).with("stroke-linecap=\"round\""));
        }
        Overlay::Tag { at, text } => {
            let (x, y) = map.at(*at);
            let size = (style.text * 0.85).min(map.u * 1.3);
            let half = (width(text, size, Weight::Bold) / 2.0 + size * 0.35).max(size * 0.72);
            svg.rect(
                [x - half, y - size * 0.72, half * 2.0, size * 1.44],
                size * 0.72,
                fill(tones.ink).edged(tones.page, size * 0.12),
            );
            let words = Words::new(size, tones.page).bold().anchor(Anchor::Middle);
            svg.words(style.prefix, text, (x, y + size * 0.36), words);
        }
        Overlay::Measure { from, to, text } => {
            let (a, b) = (map.at(*from), map.at(*to));
            svg.segment(a, b, line(rim, w * 2.0));
            let dashes = format!("stroke-dasharray=\"{} {}\"", num(w * 2.5), num(w * 1.6));
            svg.segment(a, b, line(tones.sign, w).with(&dashes));
            let (x, y) = lerp(a, b, 0.5);
            let size = (style.text * 0.85).min(map.u * 1.6).max(4.0);
            let words =
                Words::new(size, tones.sign).bold().anchor(Anchor::Middle).halo(tones.plate, size * 0.35);
            svg.words(style.prefix, text, (x, y + size * 0.35), words);
        }
    }
    svg.close();
}
