//! The map as a picture, from a view: for a nation with its own bodies, for the umpire with all. Letters grow with the map,
//! so that one of sixty places is read on a sheet of paper; names stand where they cover nothing.

use super::html::escape;
use super::labels::{Area, Labels, wide};
use crate::body::Body;
use crate::ids::{BodyId, NationId, PlaceId};
use crate::rules::Rules;
use crate::view::View;
use crate::world::{Mark, Way, World};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Width of a column and height of a row of hexes, in points of the picture.
const STEP: i64 = 64;
/// Letters of a name on the map; the rest of a longer one is left out.
const LONGEST: usize = 24;
/// So many letters of the smallest size stand side by side in the width of a map.
const ACROSS: i64 = 95;

fn spot(world: &World, place: PlaceId) -> (i64, i64) {
    let (x, y) = world.place(place).hex;
    let shift = if y.rem_euclid(2) == 1 { STEP / 2 } else { 0 };
    (i64::from(x) * STEP + shift, i64::from(y) * STEP)
}

fn sign(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Woods => ("W", "woods"),
        Mark::Mountains => ("M", "mountains"),
        Mark::Swamp => ("S", "swamp"),
        Mark::Hills => ("H", "hills"),
        Mark::Desert => ("D", "desert"),
    }
}

const MARKS: [Mark; 5] = [Mark::Woods, Mark::Mountains, Mark::Swamp, Mark::Hills, Mark::Desert];

/// Whether dark letters are read better on a colour: `#d08a1e`.
fn light(colour: &str) -> bool {
    let hex = colour.trim_start_matches('#');
    let part = |n: usize| hex.get(n..n + 2).and_then(|h| i64::from_str_radix(h, 16).ok()).unwrap_or(0xff);
    part(0) * 3 + part(2) * 6 + part(4) > 1500
}

/// A name as it stands on the map.
fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let kept: String = name.chars().take(LONGEST - 1).collect();
    format!("{}…", kept.trim_end())
}

/// What stands in a nation's cities: the first letters of its name, as many as tell it from the others.
fn letters(world: &World, nation: NationId) -> String {
    let own = nation.as_str();
    let head = |name: &str, n: usize| name.chars().take(n).collect::<String>();
    let unique =
        |n: &usize| !world.nations.keys().any(|o| *o != nation && head(o.as_str(), *n) == head(own, *n));
    head(own, (2..=4).find(unique).unwrap_or(4))
}

fn colour(world: &World, nation: Option<NationId>) -> &str {
    let found = nation.and_then(|n| world.nation(n));
    found.map_or("#fff", |n| if n.colour.is_empty() { "#ccc" } else { &n.colour })
}

/// The heading of a map on paper: the world, when, and whose knowledge it shows.
#[must_use]
pub fn map_title(world: &World, view: &View) -> String {
    let when = if view.winter { "Winter" } else { view.season.word() };
    let whose = match (view.nation, &view.all) {
        (Some(nation), _) => format!(", as {nation} knows it"),
        (None, Some(_)) => ", the umpire's".to_owned(),
        (None, None) => String::new(),
    };
    format!("{}, {when} of year {}{whose}", world.name, view.year)
}

/// An SVG document. Signs as well as colours tell nations apart: the first letters of their names stand in the cities.
#[must_use]
pub fn map_svg(world: &World, rules: &Rules, view: &View) -> String {
    let spots: Vec<(i64, i64)> = world.places.keys().map(|p| spot(world, *p)).collect();
    let edge =
        |f: fn(i64, i64) -> i64, pick: fn(&(i64, i64)) -> i64| spots.iter().map(pick).reduce(f).unwrap_or(0);
    let (low_x, high_x) = (edge(i64::min, |s| s.0), edge(i64::max, |s| s.0));
    let (low_y, high_y) = (edge(i64::min, |s| s.1), edge(i64::max, |s| s.1));
    let size = ((high_x - low_x) / ACROSS).max(13);
    // As much room at the rim as a name of usual length takes beside its place.
    let rim = (size * 6).max(STEP * 3 / 2);
    let (left, right) = (low_x - rim, high_x + rim);
    let (top, low) = (low_y - size * 4, high_y + size * 4);
    let key = legend(world, view, size, right - left);
    let bottom = low + key.1;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {} {}\" font-family=\"Georgia, serif\" role=\"img\" aria-label=\"Map of {}\">\n<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"#f4efe3\"/>\n",
        right - left,
        bottom - top,
        escape(&world.name),
        right - left,
        bottom - top
    );
    for (list, way) in [(&world.sea, Way::Sea), (&world.air, Way::Air), (&world.land, Way::Land)] {
        let style = line(way, size);
        for (a, b) in list {
            let ((x, y), (u, v)) = (spot(world, *a), spot(world, *b));
            let _ = writeln!(out, "<line x1=\"{x}\" y1=\"{y}\" x2=\"{u}\" y2=\"{v}\" {style}/>");
        }
    }
    let frame = Area { x: left, y: top, w: right - left, h: low - top };
    let mut labels = Labels::new(frame, size / 5 + 2);
    for (id, place) in &world.places {
        let (x, y) = spot(world, *id);
        let r = radius(size, place.city, false);
        labels.taken(Area { x: x - r, y: y - r, w: r * 2, h: r * 2 });
    }
    for (id, place) in &world.places {
        let (x, y) = spot(world, *id);
        let owner = view.owners.get(id).copied();
        let fill = colour(world, owner);
        if place.city {
            let capital = owner.is_some_and(|o| world.nation(o).is_some_and(|n| n.capital == *id));
            city(&mut out, (x, y), size, fill, capital, owner.map(|o| letters(world, o)).as_deref());
        } else {
            let r = radius(size, false, false);
            let _ = writeln!(
                out,
                "<path d=\"M{} {y}L{x} {}L{} {y}L{x} {}Z\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"{}\"/>",
                x - r,
                y - r,
                x + r,
                y + r,
                (size / 13).max(1)
            );
        }
    }
    for (id, place) in &world.places {
        let mark = place.mark.map_or(String::new(), |m| format!(" ({})", sign(m).0));
        let name = format!("{}{mark}", short(id.as_str()));
        let at = labels.put(spot(world, *id), radius(size, place.city, true), (wide(&name, size), size));
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f4efe3\" fill-opacity=\".75\"/>",
            at.x, at.y, at.w, at.h
        );
        text(&mut out, (at.x + at.w / 2, at.y + at.h * 4 / 5), size, "middle", "#222", &name);
    }
    bodies(&mut out, &mut labels, (world, rules, view), size);
    out.push_str(&key.0.replace("@Y@", &low.to_string()).replace("@X@", &left.to_string()));
    out.push_str("</svg>\n");
    out
}

fn radius(size: i64, city: bool, capital: bool) -> i64 {
    match (city, capital) {
        (true, true) => size * 16 / 13,
        (true, false) => size * 12 / 13,
        _ => size * 9 / 13,
    }
}

fn line(way: Way, size: i64) -> String {
    let n = |tenths: i64| (size * tenths / 130).max(1);
    match way {
        Way::Land => format!("stroke=\"#6b5b45\" stroke-width=\"{}\"", n(26)),
        Way::Sea => {
            format!("stroke=\"#5b86a8\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"", n(20), n(90), n(60))
        }
        Way::Air => {
            format!("stroke=\"#999\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"", n(15), n(20), n(50))
        }
    }
}

fn text(out: &mut String, (x, y): (i64, i64), size: i64, anchor: &str, fill: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
        escape(words)
    );
}

fn city(out: &mut String, (x, y): (i64, i64), size: i64, fill: &str, capital: bool, letters: Option<&str>) {
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{}\" stroke=\"#333\" stroke-width=\"{}\"/>",
        radius(size, true, capital),
        escape(fill),
        if capital { (size / 4).max(3) } else { (size / 13).max(1) }
    );
    if let Some(letters) = letters {
        let long = letters.chars().count() > 2;
        let size = if long { size * 8 / 13 } else { size * 11 / 13 };
        text(out, (x, y + size / 3), size, "middle", if light(fill) { "#222" } else { "#fff" }, letters);
    }
}

/// Armies and garrisons beside their places: what is at one place is one block of lines.
fn bodies(out: &mut String, labels: &mut Labels, (world, rules, view): (&World, &Rules, &View), size: i64) {
    let all: &BTreeMap<BodyId, Body> = view.all.as_ref().map_or(&view.bodies, |all| &all.bodies);
    let mut at: BTreeMap<PlaceId, Vec<String>> = BTreeMap::new();
    let mut whole: BTreeMap<PlaceId, Vec<String>> = BTreeMap::new();
    for (id, body) in all {
        let name = if view.all.is_some() {
            format!("{}.{} {}", letters(world, id.nation), id.short().trim_start_matches('A'), body.ap(rules))
        } else {
            format!("{} {}", id.short(), body.ap(rules))
        };
        at.entry(body.at).or_default().push(name);
        whole.entry(body.at).or_default().push(format!("{id}, {} AP", body.ap(rules)));
    }
    let small = size * 11 / 13;
    for (place, lines) in at {
        let w = lines.iter().map(|l| wide(l, small)).max().unwrap_or(0);
        let count = i64::try_from(lines.len()).unwrap_or(1);
        let high = small * 12 / 10;
        let city = world.place(place).city;
        let area = labels.beside(spot(world, place), radius(size, city, true), (w, high * count));
        // Pointed at, or read aloud, they have their whole names.
        let names = whole.get(&place).map(|w| w.join("; ")).unwrap_or_default();
        let _ = writeln!(out, "<g><title>{}: {}</title>", escape(place.as_str()), escape(&names));
        for (n, words) in lines.iter().enumerate() {
            let y = area.y + high * i64::try_from(n).unwrap_or(0) + high * 4 / 5;
            text(out, (area.x, y), small, "start", "#400", words);
        }
        out.push_str("</g>\n");
    }
}

/// What the signs mean, in rows below the map: their drawing, where `@X@` and `@Y@` are the corner, and how high they are.
fn legend(world: &World, view: &View, size: i64, room: i64) -> (String, i64) {
    let mut parts: Vec<(Option<NationId>, String)> = world
        .nations
        .keys()
        .filter(|n| !view.out.contains(*n))
        .map(|n| (Some(*n), short(n.as_str())))
        .collect();
    let marks = MARKS.into_iter().filter(|m| world.places.values().any(|p| p.mark == Some(*m)));
    let signs: Vec<String> = marks.map(|m| format!("({}) {}", sign(m).0, sign(m).1)).collect();
    let mut words = vec!["circle: city, thick: capital", "square: open country", "line: road"];
    if !world.sea.is_empty() {
        words.push("dashes: by sea");
    }
    if !world.air.is_empty() {
        words.push("dots: by air");
    }
    parts.extend(signs.into_iter().chain(words.into_iter().map(str::to_owned)).map(|w| (None, w)));
    parts.push((
        None,
        if view.all.is_some() || view.nation.is_some() { "A1 12: army, AP" } else { "" }.to_owned(),
    ));
    let (high, gap) = (size * 2, size * 3 / 2);
    let (mut x, mut row) = (gap, 0);
    let mut out = String::from("<g transform=\"translate(@X@ @Y@)\">\n");
    for (nation, words) in parts.iter().filter(|(_, w)| !w.is_empty()) {
        let sign = if nation.is_some() { size * 2 } else { 0 };
        let w = sign + wide(words, size * 11 / 13);
        if x > gap && x + w + gap > room {
            (x, row) = (gap, row + 1);
        }
        let y = row * high + size;
        if let Some(nation) = nation {
            let fill = colour(world, Some(*nation));
            city(&mut out, (x + size / 2, y), size, fill, false, Some(&letters(world, *nation)));
        }
        text(&mut out, (x + sign, y + size / 3), size * 11 / 13, "start", "#222", words);
        x += w + gap;
    }
    out.push_str("</g>\n");
    (out, (row + 1) * high + size / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::shipped;
    use crate::{Campaign, Reader, Rules, view};
    use game::Game;

    /// Areas of the names on a map: behind each stands its plate.
    fn plates(svg: &str) -> Vec<Area> {
        let number = |line: &str, name: &str| -> i64 {
            let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap_or("0");
            rest.split('"').next().unwrap_or("0").parse().unwrap_or(0)
        };
        svg.lines()
            .filter(|l| l.starts_with("<rect") && l.contains("fill-opacity"))
            .map(|l| Area {
                x: number(l, "x"),
                y: number(l, "y"),
                w: number(l, "width"),
                h: number(l, "height"),
            })
            .collect()
    }

    #[test]
    fn names_cover_neither_each_other_nor_run_off_the_map() {
        for name in ["evening", "orrery"] {
            let c = Campaign::new(shipped(name).unwrap(), None, Rules::shipped(), true);
            let svg = map_svg(c.world(), c.rules_in_force(), &view(&c.start(), Reader::Umpire));
            let all = plates(&svg);
            assert_eq!(all.len(), c.world().places.len());
            let mut covered = 0;
            for (n, a) in all.iter().enumerate() {
                assert!(a.x > i64::MIN / 2 && a.w > 0 && a.h > 0);
                covered += all[n + 1..].iter().filter(|b| a.over(b) > 0).count();
            }
            assert_eq!(covered, 0, "{name}: names over each other");
        }
    }

    #[test]
    fn letters_tell_nations_apart() {
        let world = shipped("orrery").unwrap();
        let all: std::collections::BTreeSet<String> =
            world.nations.keys().map(|n| letters(&world, *n)).collect();
        assert_eq!(all.len(), world.nations.len());
    }

    #[test]
    fn long_and_wide_names_are_cut() {
        assert_eq!(short("Ford"), "Ford");
        let long = short(&"Llanfair".repeat(9));
        assert!(long.chars().count() == LONGEST && long.ends_with('…'), "{long}");
        assert!(wide("漢字", 10) > wide("ab", 10));
    }
}
