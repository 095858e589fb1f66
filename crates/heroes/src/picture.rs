//! Pictures of boards and positions, as SVG: one drawing for page, paper and terminal users. Whole numbers only.

use crate::hex::{Facing, Hex};
use crate::state::{Formation, NOBODY, State, bits};
use crate::table::{Side, Table};
use crate::tables::{Border, Ground};
use std::fmt::Write as _;

/// Half the width and the radius of a hex, in units of the drawing.
const HALF: i32 = 52;
const RADIUS: i32 = 60;

fn middle(t: &Table, h: Hex) -> (i32, i32) {
    let (c, r) = t.map.grid.column_row(h);
    let (c, r) = (i32::from(c), i32::from(r));
    (HALF * (2 * c + 1 + (r & 1)) + 20, RADIUS + r * RADIUS * 3 / 2 + 20)
}

/// Corner of point p (HH-012: point 4 is north).
fn corner(p: u8) -> (i32, i32) {
    match p % 6 {
        0 => (HALF, RADIUS / 2),
        1 => (0, RADIUS),
        2 => (-HALF, RADIUS / 2),
        3 => (-HALF, -RADIUS / 2),
        4 => (0, -RADIUS),
        _ => (HALF, -RADIUS / 2),
    }
}

fn fill(g: Ground, height: i8) -> &'static str {
    match (g, height) {
        (Ground::Woods, _) => "#b9cfae",
        (Ground::Town, _) => "#d8c3b4",
        (Ground::Broken, _) => "#ddd5bd",
        (Ground::River | Ground::Ford | Ground::Bridge, _) => "#bcd3e2",
        (Ground::Lake, _) => "#93b7d1",
        (Ground::Impassable, _) => "#a9a39b",
        (Ground::Clear, 0) => "#f2efe4",
        (Ground::Clear, 1) => "#e6dcc0",
        (Ground::Clear, _) => "#d9c99c",
    }
}

fn sign(g: Ground) -> &'static str {
    match g {
        Ground::Woods => "woods",
        Ground::Town => "town",
        Ground::Broken => "broken",
        Ground::River => "river",
        Ground::Ford => "ford",
        Ground::Bridge => "bridge",
        Ground::Lake => "lake",
        Ground::Impassable => "closed",
        Ground::Clear => "",
    }
}

/// The board, and a position on it if one is given.
#[must_use]
pub fn svg(t: &Table, s: Option<&State>) -> String {
    let (w, d) = (i32::from(t.map.grid.width), i32::from(t.map.grid.depth));
    let (width, height) = (HALF * (2 * w + 1) + 40, RADIUS * 2 + (d - 1) * RADIUS * 3 / 2 + 40);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <title>{}</title>\n<defs><pattern id=\"b\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"#e8a87c\"/>\
         <rect width=\"3\" height=\"8\" fill=\"#a8512f\"/></pattern></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escape(&t.map.name)
    );
    for h in t.map.grid.all() {
        let (x, y) = middle(t, h);
        let points: Vec<String> =
            (0..6).map(|p| format!("{},{}", x + corner(p).0, y + corner(p).1)).collect();
        let ground = t.map.ground_at(h);
        let _ = writeln!(
            out,
            "<polygon points=\"{}\" fill=\"{}\" stroke=\"#8a8577\" stroke-width=\"1\"/>",
            points.join(" "),
            fill(ground, t.map.height_at(h))
        );
        let mut words = sign(ground).to_owned();
        if t.map.height_at(h) > 0 {
            let _ = write!(words, "{}hill {}", if words.is_empty() { "" } else { " " }, t.map.height_at(h));
        }
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" fill=\"#6b675c\">{} {words}</text>",
            y + 52,
            t.hex(h)
        );
    }
    for h in t.map.grid.all() {
        let (x, y) = middle(t, h);
        for d in 0..3_u8 {
            let there = t.map.step(h, d);
            if t.map.road_through(h, d) && there.on() {
                let (a, b) = middle(t, there);
                let _ = writeln!(
                    out,
                    "<line x1=\"{x}\" y1=\"{y}\" x2=\"{a}\" y2=\"{b}\" stroke=\"#b08d57\" stroke-width=\"12\" \
                     stroke-linecap=\"round\" stroke-opacity=\"0.6\"/>"
                );
            }
            let border = t.map.border_at(h, d);
            if border != Border::Open && there.on() {
                let (p, q) = (corner(d + 5), corner(d));
                let (color, dash) = match border {
                    Border::Wall => ("#4d4a45", ""),
                    Border::Fieldwork => ("#4f7a3f", "10 4"),
                    Border::Escarpment => ("#8c5a2b", "4 4"),
                    _ => ("#2b2b2b", "2 3"),
                };
                let _ = writeln!(
                    out,
                    "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{color}\" stroke-width=\"8\" \
                     stroke-dasharray=\"{dash}\"><title>{}</title></line>",
                    x + p.0,
                    y + p.1,
                    x + q.0,
                    y + q.1,
                    border.name()
                );
            }
        }
    }
    if let Some(s) = s {
        for u in bits(t.of_side[0] | t.of_side[1]) {
            if s.unit(u).hex.on() {
                unit(t, s, u, &mut out);
            }
        }
        for (l, g) in t.leaders.iter().zip(&s.generals) {
            if g.hex.on() {
                let (x, y) = middle(t, g.hex);
                let dy = if s.who(g.hex) == NOBODY { 0 } else { -30 };
                let _ = writeln!(
                    out,
                    "<path d=\"M{} {} v-26 h20 l-6 8 l6 8 h-20\" fill=\"{}\" stroke=\"#222\" stroke-width=\"2\"><title>{}</title></path>",
                    x + 22,
                    y + dy + 10,
                    if l.hero { "#f5c518" } else { "#fff" },
                    escape(&format!("{} {}", l.label, l.name))
                );
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

/// A turn in degrees, clockwise, north up.
fn degrees(f: Facing) -> i32 {
    match f.road_side() {
        None => (i32::from(f.0) - 4) * 60,
        Some(d) => i32::from(d) * 60 + 90,
    }
}

fn unit(t: &Table, s: &State, u: u8, out: &mut String) {
    let unit = s.unit(u);
    let (x, y) = middle(t, unit.hex);
    let (w, h) = match unit.formation {
        Formation::Column => (36, 60),
        Formation::Block => (60, 56),
        Formation::Horde => (76, 50),
        Formation::Line => (76, 38),
    };
    let (fill, dark) = if t.side(u) == Side::A { ("#9db8d9", "#23466e") } else { ("url(#b)", "#7a3217") };
    let turn = degrees(unit.facing) + if unit.disrupted() { 12 } else { 0 };
    let dash = if unit.disrupted() { " stroke-dasharray=\"5 3\"" } else { "" };
    let _ = writeln!(
        out,
        "<g transform=\"rotate({turn} {x} {y})\"><title>{}</title>\
         <rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\" stroke=\"{dark}\" stroke-width=\"2\"{dash}/>\
         <line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{dark}\" stroke-width=\"6\"/>\
         <path d=\"M{} {} l8 -10 l8 10 z\" fill=\"{dark}\"/></g>",
        escape(&format!("{} {}", t.label(u), t.profile(u).name)),
        x - w / 2,
        y - h / 2,
        x - w / 2,
        y - h / 2,
        x + w / 2,
        y - h / 2,
        x - 8,
        y - h / 2,
    );
    // stands as dots along the rear, drawn, so that they show without fonts
    let dots: String = (0..i32::from(unit.stands))
        .map(|n| {
            let dx = (2 * n - i32::from(unit.stands) + 1) * 5;
            format!("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{dark}\"/>", x + dx, y + h / 2 - 6)
        })
        .collect();
    let _ = writeln!(out, "<g transform=\"rotate({turn} {x} {y})\">{dots}</g>");
    let label = t.label(u);
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\" text-anchor=\"middle\" stroke=\"#fff\" \
         stroke-width=\"3\" paint-order=\"stroke\">{}{}</text>",
        y + 4,
        &label[2..],
        if unit.is(crate::state::flag::HOLDS) {
            " HF"
        } else if unit.impact == crate::state::Impact::Spent {
            " SC"
        } else {
            ""
        },
    );
    for d in (0..6_u8).filter(|d| unit.stakes >> d & 1 == 1) {
        let (p, q) = (corner(d + 5), corner(d));
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#6b4a1f\" stroke-width=\"5\" stroke-dasharray=\"3 5\"/>",
            x + p.0 * 9 / 10,
            y + p.1 * 9 / 10,
            x + q.0 * 9 / 10,
            y + q.1 * 9 / 10
        );
    }
}

/// Text for SVG and HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
