//! Terrain: true outlines, muted colours, and for each kind a texture that reads in grey.

use crate::geometry::{
    Map, along, area_path, bounds, depth, distance, heart, lerp, nearest, path, ring, scatter, speck,
};
use crate::model::{Feature, Ground, Point, Shape};
use crate::palette::Tones;
use crate::picture::Style;
use crate::svg::{Anchor, Svg, Words, fill, line, num};

/// What lies lower is drawn first; within a layer the order of the scene stands.
pub(crate) fn layer(ground: Ground) -> u8 {
    match ground {
        Ground::Hill | Ground::SteepHill | Ground::WoodedHill | Ground::Plateau => 0,
        Ground::Marsh
        | Ground::Rough
        | Ground::Dunes
        | Ground::Fields
        | Ground::Wood
        | Ground::Impassable
        | Ground::Town => 1,
        Ground::River => 2,
        // Over the river that runs into it.
        Ground::Lake => 3,
        Ground::Road => 4,
        Ground::Ford | Ground::Bridge => 5,
    }
}

struct Ink<'a> {
    svg: &'a mut Svg,
    tones: &'a Tones,
    /// The feature in pixels.
    shape: Shape,
    crest: Vec<Point>,
    within: (Point, Point),
    /// The size of a tree.
    u: f64,
    salt: i64,
}

/// A feature, without its label.
pub(crate) fn draw(svg: &mut Svg, map: &Map, style: &Style, feature: &Feature, number: usize) {
    let shape = map.shape(&feature.shape);
    let crest = feature.crest.iter().map(|p| map.at(*p)).collect();
    svg.open("class=\"ground\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    svg.title(&if feature.label.is_empty() {
        feature.ground.name().to_owned()
    } else {
        format!("{} ({})", feature.label, feature.ground.name())
    });
    let mut ink = Ink {
        svg,
        tones: style.theme.tones(),
        shape,
        crest,
        within: map.corners(),
        u: map.u,
        salt: number as i64 * 31 + feature.ground as i64,
    };
    match feature.ground {
        Ground::Wood => {
            let t = ink.tones.wood;
            ink.area(t.0, t.1, Border::Dashed);
            ink.trees(1.0);
        }
        Ground::Hill => ink.hill(1, 1.9),
        Ground::SteepHill => ink.hill(2, 1.15),
        Ground::WoodedHill => {
            ink.hill(1, 1.4);
            ink.trees(1.6);
        }
        Ground::Plateau => ink.plateau(),
        Ground::Marsh => ink.marsh(),
        Ground::Rough => ink.rough(),
        Ground::Dunes => ink.dunes(),
        Ground::Fields => ink.fields(style.prefix),
        Ground::Town => ink.town(),
        Ground::River => ink.river(),
        Ground::Lake => ink.lake(),
        Ground::Road => ink.road(),
        Ground::Ford => ink.ford(),
        Ground::Bridge => ink.bridge(),
        Ground::Impassable => ink.cliff(),
    }
    ink.svg.close();
}

/// The name of a feature, on top of all terrain.
pub(crate) fn label(svg: &mut Svg, map: &Map, style: &Style, feature: &Feature) {
    if feature.label.is_empty() || map.u < 7.0 {
        return;
    }
    let tones = style.theme.tones();
    let (x, y) = heart(&map.shape(&feature.shape));
    let size = (map.u * 1.05).max(style.text * 0.8);
    let words = Words::new(size, tones.ink).anchor(Anchor::Middle).halo(tones.board, size * 0.3);
    svg.words(style.prefix, &feature.label, (x, y + size * 0.35), words);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Border {
    Solid,
    Dashed,
    Thick,
}

impl Ink<'_> {
    /// The area with its border; a way as a band.
    fn area(&mut self, ground: &str, edge: &str, border: Border) {
        let d = area_path(&self.shape);
        let width = self.u * if border == Border::Thick { 0.22 } else { 0.11 };
        let dashes = format!("stroke-dasharray=\"{} {}\"", num(self.u * 0.5), num(self.u * 0.3));
        let more = if border == Border::Dashed { dashes.as_str() } else { "" };
        if let Shape::Way(_, w) = &self.shape {
            let w = w.max(1.0);
            self.svg.path(&d, line(edge, w));
            self.svg.path(&d, line(ground, (w - width * 2.0).max(0.5)));
        } else {
            self.svg.path(&d, fill(ground).edged(edge, width).with(more));
        }
    }

    fn strokes(&mut self, d: &str, colour: &str, width: f64) {
        if !d.is_empty() {
            self.svg.path(d, line(colour, width));
        }
    }

    fn trees(&mut self, spread: f64) {
        let (_, edge, crown) = self.tones.wood;
        let r = self.u * 0.5;
        let outline = self.u * 0.09;
        for (p, chance) in scatter(&self.shape, self.within, self.u * 1.3 * spread, r * 1.15, self.salt) {
            let r = r * (0.78 + chance * 0.42);
            self.svg.circle(p, r, fill(crown).edged(edge, outline));
            let d = format!(
                "M{} {}a{2} {2} 0 0 1 {3} -{4}",
                num(p.0 - r * 0.45),
                num(p.1 + r * 0.1),
                num(r * 0.5),
                num(r * 0.5),
                num(r * 0.5)
            );
            self.svg.path(&d, line(edge, outline * 0.8));
        }
    }

    /// The nearest point of the crest, or the middle of the hill.
    fn toward_top(&self, p: Point) -> Point {
        if self.crest.is_empty() { heart(&self.shape) } else { nearest(&self.crest, p) }
    }

    fn contour(&self, t: f64) -> Vec<Point> {
        let ring = ring(&self.shape);
        let mut dense = Vec::new();
        for (i, a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            for n in 0..4 {
                let p = lerp(*a, b, f64::from(n) / 4.0);
                dense.push(lerp(p, self.toward_top(p), t));
            }
        }
        dense
    }

    /// Hachures: short strokes down the slope, `rows` of them.
    fn hachures(&mut self, rows: u32, spacing: f64, reach: f64) {
        let (_, mark, _) = self.tones.hill;
        for row in 0..rows {
            let t = f64::from(row) * 0.3;
            let edge = if row == 0 { ring(&self.shape) } else { self.contour(t) };
            let mut d = String::new();
            for (i, (p, _)) in along(&edge, true, self.u * spacing * 0.5).into_iter().enumerate() {
                let top = self.toward_top(p);
                let l = distance(p, top);
                if l < self.u {
                    continue;
                }
                let long = self.u * reach * (0.55 + 0.5 * speck(i as i64, i64::from(row), self.salt));
                let (a, b) = (lerp(p, top, (self.u * 0.16 / l).min(1.0)), lerp(p, top, (long / l).min(0.5)));
                d.push_str(&path(&[a, b], false));
            }
            self.strokes(&d, mark, self.u * 0.085);
        }
    }

    fn hill(&mut self, rows: u32, spacing: f64) {
        let (ground, edge, high) = self.tones.hill;
        self.area(ground, edge, Border::Solid);
        for t in [0.36, 0.68] {
            let d = path(&self.contour(t), true);
            self.svg.path(&d, fill(high).with("fill-opacity=\"0.55\""));
        }
        self.hachures(rows, spacing, if rows > 1 { 1.2 } else { 0.9 });
        self.crest_line();
    }

    fn crest_line(&mut self) {
        if self.crest.len() < 2 {
            return;
        }
        let (_, edge, _) = self.tones.hill;
        let d = path(&self.crest, false);
        self.svg.path(&d, line(edge, self.u * 0.2));
        let mut ticks = String::new();
        for (p, (ux, uy)) in along(&self.crest, false, self.u * 0.8) {
            let n = self.u * 0.26;
            ticks.push_str(&path(&[(p.0 - uy * n, p.1 + ux * n), (p.0 + uy * n, p.1 - ux * n)], false));
        }
        self.strokes(&ticks, edge, self.u * 0.1);
    }

    fn plateau(&mut self) {
        let (ground, edge, high) = self.tones.hill;
        self.area(ground, edge, Border::Solid);
        self.hachures(1, 1.1, 1.3);
        let d = path(&self.contour(0.34), true);
        self.svg.path(&d, fill(high).edged(edge, self.u * 0.13));
        self.crest_line();
    }

    fn marsh(&mut self) {
        let (ground, mark, pool) = self.tones.marsh;
        self.area(ground, mark, Border::Dashed);
        let mut pools = String::new();
        let mut tufts = String::new();
        for (p, chance) in scatter(&self.shape, self.within, self.u * 1.25, self.u * 0.55, self.salt) {
            let s = self.u * 0.42;
            if chance < 0.4 {
                let l = self.u * (0.5 + chance);
                pools.push_str(&path(&[(p.0 - l, p.1), (p.0 + l * 0.6, p.1)], false));
                pools.push_str(&path(&[(p.0 - l * 0.4, p.1 + s * 0.6), (p.0 + l, p.1 + s * 0.6)], false));
            } else {
                for lean in [-0.8, -0.3, 0.3, 0.8] {
                    let up = s * (1.25 - f64::abs(lean) * 0.5);
                    tufts.push_str(&path(&[(p.0 + lean * s * 0.3, p.1), (p.0 + lean * s, p.1 - up)], false));
                }
                tufts.push_str(&path(&[(p.0 - s, p.1 + s * 0.2), (p.0 + s, p.1 + s * 0.2)], false));
            }
        }
        self.strokes(&pools, pool, self.u * 0.16);
        self.strokes(&tufts, mark, self.u * 0.095);
    }

    fn rough(&mut self) {
        let (ground, mark, stone) = self.tones.rough;
        self.area(ground, mark, Border::Dashed);
        let mut cracks = String::new();
        for (p, chance) in scatter(&self.shape, self.within, self.u * 1.3, self.u * 0.55, self.salt) {
            let s = self.u * (0.28 + chance * 0.3);
            if chance < 0.75 {
                let d = path(
                    &[
                        (p.0 - s, p.1 + s * 0.55),
                        (p.0 - s * 0.7, p.1 - s * 0.3),
                        (p.0 - s * 0.05, p.1 - s * 0.8),
                        (p.0 + s * 0.75, p.1 - s * 0.25),
                        (p.0 + s, p.1 + s * 0.55),
                    ],
                    true,
                );
                self.svg.path(&d, fill(stone).edged(mark, self.u * 0.09));
                cracks.push_str(&path(
                    &[(p.0 - s * 0.05, p.1 - s * 0.8), (p.0 + s * 0.15, p.1 + s * 0.1)],
                    false,
                ));
            } else {
                let s = self.u * 0.3;
                let corners = [(p.0 - s, p.1 - s * 0.5), (p.0, p.1 + s * 0.5), (p.0 + s, p.1 - s * 0.5)];
                cracks.push_str(&path(&corners, false));
            }
        }
        self.strokes(&cracks, mark, self.u * 0.085);
    }

    fn dunes(&mut self) {
        let (ground, mark, shade) = self.tones.dunes;
        self.area(ground, mark, Border::Dashed);
        let mut crests = String::new();
        let mut shades = String::new();
        for (p, chance) in scatter(&self.shape, self.within, self.u * 1.9, self.u * 0.8, self.salt) {
            let l = self.u * (0.75 + chance * 0.4);
            let h = l * 0.75;
            crests.push_str(&format!(
                "M{} {}Q{} {} {} {}",
                num(p.0 - l),
                num(p.1 + h * 0.3),
                num(p.0 - l * 0.05),
                num(p.1 - h),
                num(p.0 + l),
                num(p.1 + h * 0.3)
            ));
            for n in 1..4 {
                let x = p.0 - l * 0.1 + f64::from(n) * l * 0.24;
                shades.push_str(&path(&[(x, p.1 - h * 0.12), (x + l * 0.1, p.1 + h * 0.3)], false));
            }
        }
        self.strokes(&shades, shade, self.u * 0.12);
        self.strokes(&crests, mark, self.u * 0.11);
    }

    /// Parcels ploughed in turn this way and that, hedges between and around.
    fn fields(&mut self, prefix: &str) {
        let (ground, mark, furrow) = self.tones.fields;
        self.area(ground, mark, Border::Solid);
        let clip = self.svg.clip(prefix, &area_path(&self.shape));
        self.svg.open(&format!("clip-path=\"url(#{clip})\""));
        let (lo, hi) = bounds(&self.shape);
        let (least, most) = self.within;
        let (lo, hi) = ((lo.0.max(least.0), lo.1.max(least.1)), (hi.0.min(most.0), hi.1.min(most.1)));
        let step = self.u * 4.2;
        let (mut furrows, mut hedges) = (String::new(), String::new());
        let columns = ((hi.0 - lo.0) / step).clamp(0.0, 60.0).ceil() as i64;
        let rows = ((hi.1 - lo.1) / step).clamp(0.0, 60.0).ceil() as i64;
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = (lo.0 + column as f64 * step, lo.1 + row as f64 * step);
                let gap = self.u * 0.5;
                let mut at = gap;
                while at < step {
                    if (row + column) % 2 == 0 {
                        furrows.push_str(&path(
                            &[(x + gap * 0.6, y + at), (x + step - gap * 0.6, y + at)],
                            false,
                        ));
                    } else {
                        furrows.push_str(&path(
                            &[(x + at, y + gap * 0.6), (x + at, y + step - gap * 0.6)],
                            false,
                        ));
                    }
                    at += gap;
                }
                hedges.push_str(&path(&[(x, y), (x + step, y)], false));
                hedges.push_str(&path(&[(x, y), (x, y + step)], false));
            }
        }
        self.strokes(&furrows, furrow, self.u * 0.1);
        self.strokes(&hedges, mark, self.u * 0.14);
        self.svg.close();
        let dots = format!("stroke-dasharray=\"0 {}\"", num(self.u * 0.48));
        let d = area_path(&self.shape);
        self.svg.path(&d, line(mark, self.u * 0.42).with(&dots));
    }

    fn town(&mut self) {
        let (ground, mark, roof) = self.tones.town;
        self.area(ground, mark, Border::Thick);
        for (p, chance) in scatter(&self.shape, self.within, self.u * 2.1, self.u * 1.05, self.salt) {
            let (w, h) = (self.u * (0.62 + chance * 0.22), self.u * 0.42);
            let turned = chance > 0.5;
            let corner = |x: f64, y: f64| if turned { (p.0 + y, p.1 + x) } else { (p.0 + x, p.1 + y) };
            let house = [corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h)];
            self.svg.path(&path(&house, true), fill(roof).edged(mark, self.u * 0.1));
            // The shaded half of the roof, so that houses read as houses in grey.
            let shade = [corner(-w, 0.0), corner(w, 0.0), corner(w, h), corner(-w, h)];
            self.svg.path(&path(&shade, true), fill(mark).with("fill-opacity=\"0.35\""));
            let ridge = path(&[corner(-w, 0.0), corner(w, 0.0)], false);
            self.strokes(&ridge, mark, self.u * 0.09);
        }
    }

    fn river(&mut self) {
        let (ground, bank, flow) = self.tones.water;
        self.area(ground, bank, Border::Thick);
        let Shape::Way(points, w) = self.shape.clone() else {
            self.waves();
            return;
        };
        let mut d = String::new();
        for (i, (p, (ux, uy))) in along(&points, false, self.u * 1.5).into_iter().enumerate() {
            let off = (speck(i as i64, 5, self.salt) - 0.5) * w * 0.45;
            let (x, y) = (p.0 - uy * off, p.1 + ux * off);
            let (l, h) = (self.u * 0.55, self.u * 0.16);
            d.push_str(&format!(
                "M{} {}q{} {} {} {}t{} {}",
                num(x - ux * l),
                num(y - uy * l),
                num(ux * l * 0.5 - uy * h),
                num(uy * l * 0.5 + ux * h),
                num(ux * l),
                num(uy * l),
                num(ux * l),
                num(uy * l)
            ));
        }
        self.strokes(&d, flow, self.u * 0.12);
    }

    fn waves(&mut self) {
        let (_, _, flow) = self.tones.water;
        let mut d = String::new();
        for (p, chance) in scatter(&self.shape, self.within, self.u * 2.2, self.u * 1.3, self.salt) {
            let (l, h) = (self.u * (0.35 + chance * 0.2), self.u * 0.22);
            d.push_str(&format!(
                "M{} {}q{} -{} {} 0t{l2} 0t{l2} 0",
                num(p.0 - l * 1.5),
                num(p.1),
                num(l * 0.5),
                num(h),
                num(l),
                l2 = num(l)
            ));
        }
        self.strokes(&d, flow, self.u * 0.12);
    }

    fn lake(&mut self) {
        let (ground, bank, flow) = self.tones.water;
        self.area(ground, bank, Border::Thick);
        let shore = match &self.shape {
            Shape::Disc(c, r) => area_path(&Shape::Disc(*c, (r - self.u * 0.5).max(1.0))),
            Shape::Polygon(_) | Shape::Way(..) => path(&self.contour(0.09), true),
        };
        self.svg.path(&shore, line(flow, self.u * 0.12));
        self.waves();
    }

    fn road(&mut self) {
        let (ground, edge, middle) = self.tones.road;
        self.area(ground, edge, Border::Solid);
        let dashes = format!("stroke-dasharray=\"{} {}\"", num(self.u * 0.7), num(self.u * 0.6));
        let d = area_path(&self.shape);
        self.svg.path(&d, line(middle, self.u * 0.1).with(&dashes));
    }

    /// Stones in the water where the road goes through.
    fn ford(&mut self) {
        let Shape::Way(points, w) = self.shape.clone() else {
            return self.waves();
        };
        let (ground, _, _) = self.tones.water;
        let (stone, edge, _) = self.tones.road;
        // No bank: the water of the river goes on through it.
        self.svg.path(&area_path(&self.shape), line(ground, w).with("stroke-linecap=\"butt\""));
        for (i, (p, (ux, uy))) in along(&points, false, self.u * 0.62).into_iter().enumerate() {
            for lane in [-0.26, 0.26] {
                let off = w * (lane + 0.1 * (speck(i as i64, (lane * 8.0) as i64, self.salt) - 0.5));
                let at = (p.0 - uy * off, p.1 + ux * off);
                self.svg.circle(at, (w * 0.16).min(self.u * 0.24), fill(stone).edged(edge, self.u * 0.08));
            }
        }
    }

    /// Planks between parapets.
    fn bridge(&mut self) {
        let Shape::Way(points, w) = self.shape.clone() else {
            return self.road();
        };
        let (deck, edge, _) = self.tones.road;
        let (_, wall, _) = self.tones.town;
        let d = area_path(&self.shape);
        let butt = "stroke-linecap=\"butt\"";
        self.svg.path(&d, line(wall, w + self.u * 0.44).with(butt));
        self.svg.path(&d, line(deck, w).with(butt));
        let mut planks = String::new();
        for (p, (ux, uy)) in along(&points, false, self.u * 0.34) {
            let h = w / 2.0;
            planks.push_str(&path(&[(p.0 - uy * h, p.1 + ux * h), (p.0 + uy * h, p.1 - ux * h)], false));
        }
        self.strokes(&planks, edge, self.u * 0.08);
    }

    /// Teeth that point inward, all over.
    fn cliff(&mut self) {
        let (ground, mark, tooth) = self.tones.cliff;
        self.area(ground, mark, Border::Thick);
        let edge = ring(&self.shape);
        let mut teeth = String::new();
        for (p, (ux, uy)) in along(&edge, true, self.u * 0.75) {
            let n = self.u * 0.55;
            let inward = [(p.0 - uy * n, p.1 + ux * n), (p.0 + uy * n, p.1 - ux * n)];
            let tip = if depth(&self.shape, inward[0]) > depth(&self.shape, inward[1]) {
                inward[0]
            } else {
                inward[1]
            };
            let half = self.u * 0.3;
            teeth.push_str(&path(
                &[(p.0 - ux * half, p.1 - uy * half), tip, (p.0 + ux * half, p.1 + uy * half)],
                true,
            ));
        }
        self.svg.path(&teeth, fill(mark));
        let mut peaks = String::new();
        for (p, chance) in scatter(&self.shape, self.within, self.u * 1.8, self.u * 1.2, self.salt) {
            let s = self.u * (0.45 + chance * 0.3);
            let d = path(&[(p.0 - s, p.1 + s * 0.7), (p.0, p.1 - s), (p.0 + s, p.1 + s * 0.7)], true);
            self.svg.path(&d, fill(tooth).edged(mark, self.u * 0.1));
            peaks.push_str(&path(
                &[(p.0, p.1 - s), (p.0 + s * 0.15, p.1), (p.0 - s * 0.15, p.1 + s * 0.6)],
                false,
            ));
        }
        self.strokes(&peaks, mark, self.u * 0.09);
    }
}
