//! The map as a picture, from a view: for a nation with its own bodies, for the umpire with all.

use super::html::escape;
use crate::body::Body;
use crate::ids::{BodyId, PlaceId};
use crate::rules::Rules;
use crate::view::View;
use crate::world::{Mark, Way, World};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Width of a column and height of a row of hexes, in points of the picture.
const STEP: i64 = 64;

fn spot(world: &World, place: PlaceId) -> (i64, i64) {
    let (x, y) = world.place(place).hex;
    let shift = if y.rem_euclid(2) == 1 { STEP / 2 } else { 0 };
    (i64::from(x) * STEP + shift, i64::from(y) * STEP)
}

fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Woods => "W",
        Mark::Mountains => "M",
        Mark::Swamp => "S",
        Mark::Hills => "H",
        Mark::Desert => "D",
    }
}

/// Whether dark letters are read better on a colour: `#d08a1e`.
fn light(colour: &str) -> bool {
    let hex = colour.trim_start_matches('#');
    let part = |n: usize| hex.get(n..n + 2).and_then(|h| i64::from_str_radix(h, 16).ok()).unwrap_or(0xff);
    part(0) * 3 + part(2) * 6 + part(4) > 1500
}

/// The width of the plate behind a name, so that it is read where a route runs under it.
fn plate(name: &str, mark: bool) -> i64 {
    let letters = i64::try_from(name.chars().count()).unwrap_or(0) + if mark { 4 } else { 0 };
    letters * 8 + 4
}

/// An SVG document. Signs as well as colours tell nations apart: the first letters of their names stand in the cities.
#[must_use]
pub fn map_svg(world: &World, rules: &Rules, view: &View) -> String {
    let spots: Vec<(i64, i64)> = world.places.keys().map(|p| spot(world, *p)).collect();
    let edge =
        |f: fn(i64, i64) -> i64, pick: fn(&(i64, i64)) -> i64| spots.iter().map(pick).reduce(f).unwrap_or(0);
    let (left, right) = (edge(i64::min, |s| s.0) - STEP, edge(i64::max, |s| s.0) + STEP * 2);
    let (top, bottom) = (edge(i64::min, |s| s.1) - STEP, edge(i64::max, |s| s.1) + STEP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {} {}\" font-family=\"Georgia, serif\" role=\"img\" aria-label=\"Map of {}\">\n<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"#f4efe3\"/>\n",
        right - left,
        bottom - top,
        escape(&world.name),
        right - left,
        bottom - top
    );
    for (list, way) in [(&world.sea, Way::Sea), (&world.air, Way::Air), (&world.land, Way::Land)] {
        let style = match way {
            Way::Land => "stroke=\"#6b5b45\" stroke-width=\"3\"",
            Way::Sea => "stroke=\"#5b86a8\" stroke-width=\"2\" stroke-dasharray=\"9 6\"",
            Way::Air => "stroke=\"#999\" stroke-width=\"1.5\" stroke-dasharray=\"2 5\"",
        };
        for (a, b) in list {
            let ((x, y), (u, v)) = (spot(world, *a), spot(world, *b));
            let _ = writeln!(out, "<line x1=\"{x}\" y1=\"{y}\" x2=\"{u}\" y2=\"{v}\" {style}/>");
        }
    }
    for (id, place) in &world.places {
        let (x, y) = spot(world, *id);
        let owner = view.owners.get(id);
        let colour = owner
            .and_then(|o| world.nation(*o))
            .map_or("#fff", |n| if n.colour.is_empty() { "#ccc" } else { &n.colour });
        if place.city {
            let capital = owner.is_some_and(|o| world.nation(*o).is_some_and(|n| n.capital == *id));
            let r = if capital { 16 } else { 12 };
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{}\" stroke=\"#333\" stroke-width=\"{}\"/>",
                escape(colour),
                if capital { 3 } else { 1 }
            );
            if let Some(owner) = owner {
                let letters: String = owner.as_str().chars().take(2).collect();
                let _ = writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{}\" font-size=\"12\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
                    y + 4,
                    if light(colour) { "#222" } else { "#fff" },
                    escape(&letters)
                );
            }
        } else {
            let _ = writeln!(
                out,
                "<path d=\"M{} {y}L{x} {}L{} {y}L{x} {}Z\" fill=\"#fff\" stroke=\"#333\"/>",
                x - 9,
                y - 9,
                x + 9,
                y + 9
            );
        }
        let width = plate(id.as_str(), place.mark.is_some());
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"16\" fill=\"#f4efe3\" fill-opacity=\".75\"/>",
            x - width / 2,
            y + 18
        );
        let mark = place.mark.map_or(String::new(), |m| format!(" ({})", sign(m)));
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" fill=\"#222\">{}{mark}</text>",
            y + 30,
            escape(id.as_str())
        );
    }
    let bodies: &BTreeMap<BodyId, Body> = view.all.as_ref().map_or(&view.bodies, |all| &all.bodies);
    let mut at: BTreeMap<PlaceId, i64> = BTreeMap::new();
    for (id, body) in bodies {
        let n = at.entry(body.at).or_insert(0);
        let (x, y) = spot(world, body.at);
        let label = if view.all.is_some() {
            format!("{} {}", id, body.ap(rules))
        } else {
            format!("{} {}", id.short(), body.ap(rules))
        };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#400\">{}</text>",
            x + 18,
            y - 8 + *n * 12,
            escape(&label)
        );
        *n += 1;
    }
    out.push_str("</svg>\n");
    out
}
