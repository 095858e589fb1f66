//! Positions of *Hordes & Heroes*: hexes with their ground, units facing a point, stands shown as pips, generals.

use heroes::army::Profile;
use heroes::hex::Hex;
use heroes::state::{Formation, Impact, NOBODY, State, bits, flag};
use heroes::table::{Side, Table};
use heroes::tables::{Border, Ground as HexGround, Shooting, Traits, Troop};

use crate::geometry::{Map, path};
use crate::model::{Base, Feature, Ground, Mark, Point, Pose, Shape};
use crate::svg::{Anchor, Svg, Words, fill, line, num};
use crate::text::{Weight, fit};
use crate::{Glyph, Layout, Style, base, ground, palette};

/// Half the width and the radius of a hex, in units of the board.
const HALF: f64 = 52.0;
const RADIUS: f64 = 60.0;
/// Clear space around the hexes.
const RIM: f64 = 14.0;

/// The board, and a position on it if one is given.
#[must_use]
pub fn svg(t: &Table, s: Option<&State>, title: &str, style: Style) -> String {
    let mut svg = Svg::new();
    let rows = f64::from(t.map.grid.depth);
    let size = (width(t), RADIUS * (0.5 + 1.5 * rows) + 2.0 * RIM);
    let width = if style.width.is_finite() { style.width.clamp(60.0, 20_000.0) } else { 1440.0 };
    let margin = if style.layout == Layout::Board { style.text * 0.2 } else { style.text * 1.2 };
    let tones = style.theme.tones();
    let k = (width - 2.0 * margin) / size.0;
    let mut y = margin;
    let subtitle = s.map_or_else(String::new, |s| said(t, s));
    if style.layout != Layout::Board {
        let room = width - 2.0 * margin;
        let big = style.text * 1.7;
        let words = fit(title, big, Weight::Bold, room);
        svg.words(style.prefix, &words, (margin, y + big), Words::new(big, tones.ink).bold());
        y += big * 1.3;
        if let Some(s) = s {
            y = cards(&mut svg, t, s, &style, (margin, y, room), &subtitle);
        }
    }
    let map = Map { left: margin, top: y, k, size, u: (k * 34.0).max(2.2) };
    palette::define_sides(&mut svg, style.prefix, style.theme, (map.u * 0.55).clamp(3.0, 9.0), &[0, 1]);
    let mut glyphs: Vec<Glyph> = t.pieces.iter().map(|p| glyph(&p.profile)).collect();
    glyphs.sort_unstable();
    glyphs.dedup();
    for g in glyphs {
        g.define(&mut svg, style.prefix, tones.sign, tones.plate);
    }
    svg.rect([map.left, map.top, map.width(), map.height()], 0.0, fill(tones.board));
    for h in t.map.grid.all() {
        hex(&mut svg, t, h, &map, &style);
    }
    lines(&mut svg, t, &map, &style);
    if let Some(s) = s {
        for u in bits(t.of_side[0] | t.of_side[1]) {
            if s.unit(u).hex.on() {
                unit(&mut svg, t, s, u, &map, &style);
            }
        }
        generals(&mut svg, t, s, &map, &style);
    }
    svg.rect([map.left, map.top, map.width(), map.height()], 0.0, line(tones.outline, 1.2));
    let height = map.top + map.height() + margin;
    let mut page = Svg::new();
    page.rect([0.0, 0.0, width, height], 0.0, fill(tones.page));
    svg.put_first(&page.into_body());
    svg.finish(style.prefix, (width, height), title, &subtitle)
}

/// How wide a board is, in its own units: a hex measures 104 across, with a rim of 14 around them all.
#[must_use]
pub fn width(t: &Table) -> f64 {
    HALF * (2.0 * f64::from(t.map.grid.width) + 1.0) + 2.0 * RIM
}

/// The bound and whose it is, in a line.
fn said(t: &Table, s: &State) -> String {
    format!("Bound {}: {} ({})", s.bound, t.armies[s.phasing.ix()], s.phase.word())
}

/// Both armies with what they have lost.
fn cards(svg: &mut Svg, t: &Table, s: &State, style: &Style, at: (f64, f64, f64), subtitle: &str) -> f64 {
    let (x, y, room) = at;
    let tones = style.theme.tones();
    let size = style.text * 1.05;
    svg.words(
        style.prefix,
        &fit(subtitle, size, Weight::Regular, room),
        (x, y + size),
        Words::new(size, tones.faint),
    );
    let mut y = y + size * 1.7;
    for side in Side::BOTH {
        let (lost, all) = (s.lost_stands(t, side), t.stands[side.ix()]);
        let generals: Vec<&str> = bits(u64::from(t.leaders_of[side.ix()]))
            .filter(|g| s.generals[usize::from(*g)].lost)
            .map(|g| t.leader_label(g))
            .collect();
        let fallen =
            if generals.is_empty() { String::new() } else { format!(" · fallen: {}", generals.join(", ")) };
        svg.rect(
            [x, y, size * 1.1, size * 1.1],
            size * 0.15,
            fill(&palette::side_fill(style.prefix, side.ix())).edged(tones.outline, 0.8),
        );
        let words =
            format!("{} · {} · lost {lost} of {all} stands{fallen}", side.letter(), t.armies[side.ix()]);
        let words = fit(&words, size, Weight::Regular, room - size * 1.6);
        svg.words(style.prefix, &words, (x + size * 1.6, y + size * 0.9), Words::new(size, tones.ink));
        y += size * 1.5;
    }
    y + size * 0.3
}

/// The middle of a hex on the board: y up.
fn middle(t: &Table, h: Hex) -> Point {
    let (c, r) = t.map.grid.column_row(h);
    let (c, r) = (f64::from(c), f64::from(r));
    let odd = if r % 2.0 == 0.0 { 0.0 } else { 1.0 };
    let down = RIM + RADIUS + r * RADIUS * 1.5;
    (
        RIM + HALF * (2.0 * c + 1.0 + odd),
        RADIUS * (0.5 + 1.5 * f64::from(t.map.grid.depth)) + 2.0 * RIM - down,
    )
}

/// Corner of point p, seen from the middle, y up (HH-012: point 4 is north).
fn corner(p: u8) -> Point {
    match p % 6 {
        0 => (HALF, -RADIUS / 2.0),
        1 => (0.0, -RADIUS),
        2 => (-HALF, -RADIUS / 2.0),
        3 => (-HALF, RADIUS / 2.0),
        4 => (0.0, RADIUS),
        _ => (HALF, RADIUS / 2.0),
    }
}

fn outline((x, y): Point, share: f64) -> Vec<Point> {
    (0..6).map(|p| (x + corner(p).0 * share, y + corner(p).1 * share)).collect()
}

/// A hex: its height, its ground with texture, its name.
fn hex(svg: &mut Svg, t: &Table, h: Hex, map: &Map, style: &Style) {
    let tones = style.theme.tones();
    let at = middle(t, h);
    let ring = |share: f64| -> Vec<Point> { outline(at, share).into_iter().map(|p| map.at(p)).collect() };
    let height = t.map.height_at(h);
    let (low, mark, high) = tones.hill;
    if height > 0 {
        svg.path(&path(&ring(1.0), true), fill(if height > 1 { low } else { high }));
    }
    let kind = match t.map.ground_at(h) {
        HexGround::Clear => None,
        HexGround::Woods => Some(Ground::Wood),
        HexGround::Town => Some(Ground::Town),
        HexGround::Broken => Some(Ground::Rough),
        HexGround::River | HexGround::Ford | HexGround::Bridge | HexGround::Lake => Some(Ground::Lake),
        HexGround::Impassable => Some(Ground::Impassable),
    };
    if let Some(kind) = kind {
        let feature = Feature::new(kind, Shape::Polygon(outline(at, 0.985)));
        ground::draw(svg, map, style, &feature, usize::from(h.ix() as u16));
    }
    svg.path(&path(&ring(1.0), true), line(tones.rule, (map.k * 1.2).max(0.5)));
    let word = match (t.map.ground_at(h), height) {
        (HexGround::Ford, _) => " ford".to_owned(),
        (HexGround::Bridge, _) => " bridge".to_owned(),
        (HexGround::River, _) => " river".to_owned(),
        (_, n) if n > 0 => format!(" hill {n}"),
        _ => String::new(),
    };
    if height > 0 {
        svg.path(&path(&ring(0.93), true), line(mark, map.k * f64::from(height).min(3.0)));
    }
    let size = map.k * 12.0;
    if style.codes && size > 4.0 {
        let (x, y) = map.at((at.0, at.1 - RADIUS * 0.78));
        let look = Words::new(size, tones.faint).anchor(Anchor::Middle).halo(tones.board, size * 0.25);
        svg.words(style.prefix, &format!("{}{word}", t.hex(h)), (x, y), look);
    }
}

/// Roads, and what stands on the borders of hexes.
fn lines(svg: &mut Svg, t: &Table, map: &Map, style: &Style) {
    let tones = style.theme.tones();
    let k = map.k;
    for h in t.map.grid.all() {
        let at = middle(t, h);
        for d in 0..3_u8 {
            let there = t.map.step(h, d);
            if !there.on() {
                continue;
            }
            if t.map.road_through(h, d) {
                let (a, b) = (map.at(at), map.at(middle(t, there)));
                let round = "stroke-linecap=\"round\"";
                svg.segment(a, b, line(tones.road.1, k * 13.0).with(round));
                svg.segment(a, b, line(tones.road.0, k * 9.0).with(round));
            }
            let (p, q) = (corner(d + 5), corner(d));
            let (a, b) = (map.at((at.0 + p.0, at.1 + p.1)), map.at((at.0 + q.0, at.1 + q.1)));
            let dashes = |on: f64, off: f64| format!("stroke-dasharray=\"{} {}\"", num(k * on), num(k * off));
            match t.map.border_at(h, d) {
                Border::Open => {}
                Border::Wall => {
                    svg.segment(a, b, line(tones.cliff.1, k * 9.0));
                    svg.segment(a, b, line(tones.plate, k * 3.0).with(&dashes(7.0, 4.0)));
                }
                Border::Fieldwork => {
                    svg.segment(a, b, line(tones.fields.1, k * 7.0).with(&dashes(10.0, 4.0)))
                }
                Border::Escarpment => svg.segment(a, b, line(tones.hill.1, k * 9.0).with(&dashes(3.0, 4.0))),
                Border::Cliff => svg.segment(a, b, line(tones.cliff.1, k * 10.0).with(&dashes(2.0, 2.0))),
            }
        }
    }
}

/// The sign that tells what a unit is, in the same set as on the open table.
fn glyph(p: &Profile) -> Glyph {
    match p.troop {
        _ if p.artillery() => Glyph::Artillery,
        Troop::Elephant => Glyph::Behemoth,
        Troop::Wheeled if p.traits.has(Traits::CHARIOT) => Glyph::Knight,
        Troop::Wheeled => Glyph::Airboat,
        Troop::Mounted if p.impact > 0 && p.shooting == Shooting::None => Glyph::Knight,
        Troop::Mounted => Glyph::Rider,
        Troop::Foot if p.horde() => Glyph::Horde,
        Troop::Foot if p.traits.has(Traits::PIKES) => Glyph::Spear,
        Troop::Foot if p.shooting != Shooting::None => Glyph::Shooter,
        Troop::Foot if p.traits.has(Traits::SHIELDS) => Glyph::Spear,
        Troop::Foot if p.impact > 0 => Glyph::Warband,
        Troop::Foot => Glyph::Blade,
    }
}

fn unit(svg: &mut Svg, t: &Table, s: &State, u: u8, map: &Map, style: &Style) {
    let tones = style.theme.tones();
    let now = s.unit(u);
    let (x, y) = middle(t, now.hex);
    let (width, depth) = match now.formation {
        Formation::Column => (44.0, 72.0),
        Formation::Block => (74.0, 70.0),
        Formation::Horde => (80.0, 60.0),
        Formation::Line => (80.0, 46.0),
    };
    let heading = match now.facing.road_side() {
        None => (f64::from(now.facing.0) - 4.0) * 60.0,
        Some(d) => f64::from(d) * 60.0 + 90.0,
    };
    let front = crate::geometry::placed(Pose { x, y, heading }, (0.0, depth / 2.0));
    let label = t.label(u);
    let short = label.split_once('.').map_or(label, |(_, l)| l);
    let cut = short.find(|c: char| c.is_ascii_digit()).unwrap_or(short.len());
    let profile = t.profile(u);
    let about = format!(
        "{label} {}: {}, {} of {} stands{}",
        profile.name,
        now.formation.word(),
        now.stands,
        profile.stands,
        if now.disrupted() { ", disrupted" } else { "" }
    );
    let piece = Base {
        pose: Pose { x: front.0, y: front.1, heading },
        width,
        depth,
        side: t.side(u).ix(),
        glyph: glyph(profile),
        code: short[..cut].to_owned(),
        number: short[cut..].to_owned(),
        label: label.to_owned(),
        about,
        marks: if now.disrupted() { vec![Mark::Disrupted] } else { vec![] },
        ..Base::default()
    };
    base::draw(svg, map, style, &piece);
    pips(svg, map, style, &piece, now.stands, profile.stands.max(now.stands));
    let mut words = Vec::new();
    if now.is(flag::HOLDS) {
        words.push("hold fire");
    }
    if now.impact == Impact::Spent {
        words.push("static");
    }
    if now.is(flag::PAVISE) {
        words.push("pavise");
    }
    if !words.is_empty() {
        let size = map.k * 12.0;
        let (px, py) = map.at((x, y + RADIUS * 0.68));
        let look = Words::new(size, tones.ink).bold().anchor(Anchor::Middle).halo(tones.plate, size * 0.3);
        svg.words(style.prefix, &words.join(", "), (px, py), look);
    }
    for d in (0..6_u8).filter(|d| now.stakes >> d & 1 == 1) {
        let (p, q) = (corner(d + 5), corner(d));
        let a = map.at((x + p.0 * 0.9, y + p.1 * 0.9));
        let b = map.at((x + q.0 * 0.9, y + q.1 * 0.9));
        let dashes = format!("stroke-dasharray=\"{} {}\"", num(map.k * 3.0), num(map.k * 5.0));
        svg.segment(a, b, line(tones.hill.1, map.k * 6.0).with(&dashes));
    }
}

/// A unit's stands along its rear edge: filled ones fight on, empty ones are lost.
fn pips(svg: &mut Svg, map: &Map, style: &Style, piece: &Base, have: u8, whole: u8) {
    let tones = style.theme.tones();
    let step = 11.0_f64.min(piece.width / f64::from(whole.max(1)));
    for n in 0..whole {
        let across = (f64::from(n) - f64::from(whole - 1) / 2.0) * step;
        let at = map.at(crate::geometry::placed(piece.pose, (across, -piece.depth - 5.0)));
        let paint = if n < have { fill(tones.ink) } else { fill(tones.plate) };
        svg.circle(at, map.k * step * 0.36, paint.edged(tones.outline, (map.k * 1.2).max(0.4)));
    }
}

/// Generals and heroes: a banner, on their host or alone.
fn generals(svg: &mut Svg, t: &Table, s: &State, map: &Map, style: &Style) {
    let tones = style.theme.tones();
    for (l, g) in t.leaders.iter().zip(&s.generals) {
        if !g.hex.on() {
            continue;
        }
        let (x, y) = middle(t, g.hex);
        let alone = s.who(g.hex) == NOBODY;
        let (px, py) = map.at(if alone { (x - 8.0, y - 16.0) } else { (x + 22.0, y + 6.0) });
        let k = map.k;
        svg.open("class=\"general\"");
        svg.title(&format!("{} {}{}", l.label, l.name, if l.hero { ", a hero" } else { "" }));
        let pole = format!("M{} {}v-{}", num(px), num(py), num(k * 40.0));
        svg.path(&pole, line(tones.outline, k * 3.0));
        let (w, n, d) = (k * 26.0, k * 7.0, k * 9.0);
        let cloth = format!(
            "M{} {}h{}l-{} {}l{} {}h-{}Z",
            num(px),
            num(py - k * 40.0),
            num(w),
            num(n),
            num(d),
            num(n),
            num(d),
            num(w)
        );
        svg.path(&cloth, fill(if l.hero { tones.banner } else { tones.plate }).edged(tones.outline, k * 1.6));
        svg.circle(
            (px + k * 8.0, py - k * 31.0),
            k * 4.5,
            fill(&palette::side_fill(style.prefix, l.side.ix())),
        );
        let size = k * 12.0;
        let short = l.label.split_once('.').map_or(l.label.as_str(), |(_, l)| l);
        let look = Words::new(size, tones.ink).bold().halo(tones.plate, size * 0.3);
        svg.words(style.prefix, short, (px + k * 4.0, py - k * 44.0), look);
        svg.close();
    }
}
