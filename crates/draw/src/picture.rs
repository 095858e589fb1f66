//! A scene in a style: where everything goes on the page.

use std::collections::BTreeSet;

use crate::geometry::Map;
use crate::model::{Mark, Overlay, Scene};
use crate::svg::{Svg, Words, fill, num};
use crate::text::{Weight, fit, wrap};
use crate::{Glyph, Theme, base, board, ground, overlay, palette, panel};

/// How a picture is arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Panels left and right of the board: screens and landscape paper.
    #[default]
    Wide,
    /// Panels below the board: phones and upright paper.
    Tall,
    /// The board alone: thumbnails, or a page that has panels of its own.
    Board,
}

/// What a picture should look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Colours.
    pub theme: Theme,
    /// Arrangement.
    pub layout: Layout,
    /// The width of the whole picture in its own units (pixels at scale 1); the height follows.
    pub width: f64,
    /// The size of ordinary text in the same units.
    pub text: f64,
    /// Whether bases bear their two-letter codes and numbers, where there is room.
    pub codes: bool,
    /// Whether the edges bear measures, to lay the position on a real table.
    pub measures: bool,
    /// What ids in the drawing begin with: two drawings of different themes on one page need different ones.
    pub prefix: &'static str,
}

impl Style {
    /// For a screen: 1440 wide, panels at both sides.
    #[must_use]
    pub const fn wide(theme: Theme) -> Style {
        Style {
            theme,
            layout: Layout::Wide,
            width: 1440.0,
            text: 14.0,
            codes: true,
            measures: false,
            prefix: "m-",
        }
    }

    /// For a phone: 360 wide, panels below.
    #[must_use]
    pub const fn phone(theme: Theme) -> Style {
        Style {
            theme,
            layout: Layout::Tall,
            width: 360.0,
            text: 11.0,
            codes: true,
            measures: false,
            prefix: "m-",
        }
    }

    /// For upright paper (A4 at 5 units to the millimetre less margins), in grey, with measures.
    #[must_use]
    pub const fn paper() -> Style {
        Style {
            theme: Theme::Grey,
            layout: Layout::Tall,
            width: 950.0,
            text: 15.0,
            codes: true,
            measures: true,
            prefix: "m-",
        }
    }

    /// The board alone, so wide.
    #[must_use]
    pub const fn board(theme: Theme, width: f64) -> Style {
        Style { theme, layout: Layout::Board, width, text: 11.0, codes: true, measures: false, prefix: "m-" }
    }
}

/// A size that can be drawn: finite, and neither nothing nor the whole world.
fn sane(v: f64, least: f64, most: f64) -> f64 {
    if v.is_finite() { v.clamp(least, most) } else { least }
}

/// The drawing of a scene.
#[must_use]
pub fn svg(scene: &Scene, style: Style) -> String {
    let style =
        Style { width: sane(style.width, 60.0, 20_000.0), text: sane(style.text, 4.0, 400.0), ..style };
    let mut svg = Svg::new();
    let page = Page::plan(scene, &style);
    define(&mut svg, scene, &style, &page.map);

    let mut y = page.margin;
    if style.layout != Layout::Board {
        y = heading(&mut svg, scene, &style, (page.margin, y), style.width - page.margin * 2.0);
    }
    let map = Map { top: y + page.band, ..page.map };
    draw_board(&mut svg, scene, &style, &map, page.band);
    let mut bottom = map.top + map.height() + page.band;
    if style.layout != Layout::Board {
        let s = style.text;
        if style.measures {
            bottom += board::measures(&mut svg, &map, &style, scene.board, page.band);
        }
        bottom += board::legend(&mut svg, &map, &style, scene.board, (map.left, bottom + s * 0.5)) + s * 0.5;
        bottom = captions(&mut svg, scene, &style, (map.left, bottom), map.width());
    }
    bottom = match style.layout {
        Layout::Wide => {
            let left = page.margin;
            let right = style.width - page.margin - page.column;
            let split = scene.panels.len().div_ceil(2);
            let (first, second) = scene.panels.split_at(split);
            let a = column(&mut svg, first, &style, (left, y), page.column);
            let b = column(&mut svg, second, &style, (right, y), page.column);
            bottom.max(a).max(b)
        }
        Layout::Tall => rows(&mut svg, scene, &style, (page.margin, bottom + style.text * 0.4)),
        Layout::Board => bottom,
    };
    let height = bottom + page.margin;
    let background = {
        let mut b = Svg::new();
        b.rect([0.0, 0.0, style.width, height], 0.0, fill(style.theme.tones().page));
        b.into_body()
    };
    svg.put_first(&background);
    let title = if scene.title.is_empty() { "Position" } else { &scene.title };
    svg.finish(style.prefix, (style.width, height), title, &about(scene))
}

struct Page {
    map: Map,
    margin: f64,
    band: f64,
    column: f64,
}

impl Page {
    fn plan(scene: &Scene, style: &Style) -> Page {
        let s = style.text;
        let size = (sane(scene.board.width, 1.0, 1.0e6), sane(scene.board.height, 1.0, 1.0e6));
        let margin = match style.layout {
            Layout::Wide => s * 1.2,
            Layout::Tall => s * 0.7,
            Layout::Board => s * 0.2,
        };
        let band = match style.layout {
            Layout::Wide => s * 1.4,
            Layout::Tall => (style.width * 0.022).max(s * 0.9),
            Layout::Board => (style.width * 0.018).clamp(3.0, s * 1.2),
        };
        let column = match style.layout {
            Layout::Wide if !scene.panels.is_empty() => (style.width * 0.16).max(s * 12.0),
            _ => 0.0,
        };
        let gap = if column > 0.0 { s } else { 0.0 };
        let room = (style.width - margin * 2.0 - (column + gap) * 2.0 - band * 2.0).max(20.0);
        let k = room / size.0;
        // Signs on the ground grow with the picture, less than in proportion, and with the board's own scale: a tree
        // is at most a third of a base of 160 paces.
        let u = (room / 92.0).clamp(4.2, 26.0).min(k * 70.0).max(2.2);
        let map = Map { left: margin + column + gap + band, top: 0.0, k, size, u };
        Page { map, margin, band, column }
    }
}

/// Patterns of the sides and signs of the types that occur.
fn define(svg: &mut Svg, scene: &Scene, style: &Style, map: &Map) {
    let sides: BTreeSet<usize> = (scene.bases.iter().map(|b| b.side))
        .chain(scene.strongholds.iter().map(|s| s.side))
        .chain(scene.edges.iter().map(|e| e.side))
        .chain(scene.panels.iter().map(|p| p.side))
        .collect();
    let sides: Vec<usize> = sides.into_iter().collect();
    palette::define_sides(svg, style.prefix, style.theme, (map.u * 0.55).clamp(3.0, 9.0), &sides);
    let tones = style.theme.tones();
    let mut glyphs: BTreeSet<Glyph> = (scene.bases.iter().map(|b| b.glyph))
        .chain(scene.panels.iter().flat_map(|p| p.tray.iter().map(|t| t.glyph)))
        .collect();
    if !scene.strongholds.is_empty() {
        glyphs.insert(Glyph::Stronghold);
    }
    for g in glyphs {
        g.define(svg, style.prefix, tones.sign, tones.plate);
    }
}

fn heading(svg: &mut Svg, scene: &Scene, style: &Style, (x, y): (f64, f64), room: f64) -> f64 {
    let tones = style.theme.tones();
    let s = style.text;
    let mut y = y;
    if !scene.title.is_empty() {
        let size = if style.layout == Layout::Wide { s * 1.7 } else { s * 1.4 };
        for words in wrap(&scene.title, size, Weight::Bold, room, 2) {
            svg.words(style.prefix, &words, (x, y + size), Words::new(size, tones.ink).bold());
            y += size * 1.2;
        }
    }
    if !scene.subtitle.is_empty() {
        let words = fit(&scene.subtitle, s * 1.05, Weight::Regular, room);
        svg.words(style.prefix, &words, (x, y + s * 1.15), Words::new(s * 1.05, tones.faint));
        y += s * 1.6;
    }
    y + s * 0.5
}

fn captions(svg: &mut Svg, scene: &Scene, style: &Style, (x, y): (f64, f64), room: f64) -> f64 {
    let tones = style.theme.tones();
    let s = style.text;
    let mut y = y;
    for caption in &scene.captions {
        for words in wrap(caption, s, Weight::Regular, room, 4) {
            svg.words(style.prefix, &words, (x, y + s), Words::new(s, tones.ink));
            y += s * 1.35;
        }
    }
    y
}

fn draw_board(svg: &mut Svg, scene: &Scene, style: &Style, map: &Map, band: f64) {
    let whole =
        format!("M{} {}h{}v{}h-{2}Z", num(map.left), num(map.top), num(map.width()), num(map.height()));
    let clip = svg.clip(style.prefix, &whole);
    svg.open(&format!("clip-path=\"url(#{clip})\""));
    board::ground(svg, map, style);
    let mut order: Vec<usize> = (0..scene.features.len()).collect();
    order.sort_by_key(|i| ground::layer(scene.features[*i].ground));
    for i in &order {
        ground::draw(svg, map, style, &scene.features[*i], *i);
    }
    for i in &order {
        ground::label(svg, map, style, &scene.features[*i]);
    }
    for zone in &scene.zones {
        overlay::zone(svg, map, style, zone);
    }
    svg.close();
    board::frame(svg, map, style, scene.board, band, &scene.edges, &scene.panels);
    for s in &scene.strongholds {
        base::stronghold(svg, map, style, s);
    }
    // Moves lie under the bases, so that no arrow hides a sign; everything else over them.
    let under = |o: &&Overlay| matches!(o, Overlay::Moved { .. });
    for o in scene.overlays.iter().filter(under) {
        overlay::draw(svg, map, style, o);
    }
    for b in &scene.bases {
        if b.marks.contains(&Mark::Frog) {
            base::frog(svg, map, style, b);
        } else {
            base::draw(svg, map, style, b);
        }
    }
    for o in scene.overlays.iter().filter(|o| !under(o)) {
        overlay::draw(svg, map, style, o);
    }
}

fn column(svg: &mut Svg, panels: &[crate::Panel], style: &Style, (x, y): (f64, f64), room: f64) -> f64 {
    let mut y = y;
    for p in panels {
        y += panel::draw(svg, style, p, (x, y), room) + style.text * 0.8;
    }
    y
}

/// Panels side by side, two a row (three where there is room), each row as high as its highest.
fn rows(svg: &mut Svg, scene: &Scene, style: &Style, (x, y): (f64, f64)) -> f64 {
    let s = style.text;
    let gap = s * 0.6;
    let whole = style.width - x * 2.0;
    let across =
        if scene.panels.len() > 2 && whole > s * 50.0 { 3 } else { 2.min(scene.panels.len().max(1)) };
    let room = (whole - gap * (across as f64 - 1.0)) / across as f64;
    let mut y = y;
    for row in scene.panels.chunks(across) {
        let mut high: f64 = 0.0;
        for (i, p) in row.iter().enumerate() {
            high = high.max(panel::draw(svg, style, p, (x + i as f64 * (room + gap), y), room));
        }
        y += high + gap;
    }
    y - gap * 0.5
}

/// The picture in a sentence, for those who cannot see it.
fn about(scene: &Scene) -> String {
    let mut words = Vec::new();
    if !scene.subtitle.is_empty() {
        words.push(scene.subtitle.clone());
    }
    for p in &scene.panels {
        let n = scene.bases.iter().filter(|b| b.side == p.side && !b.marks.contains(&Mark::Frog)).count();
        words.push(format!(
            "{}: {n} elements on the board, lost {} of {} AP",
            p.army,
            crate::text::halves(p.lost),
            crate::text::halves(p.total)
        ));
    }
    words.join(". ")
}
