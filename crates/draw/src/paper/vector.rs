//! A drawing on a page of paper: the parts of an SVG drawing, written with the PDF's own lines and areas.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Transform};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, Paint, Pattern, Stroke, StrokeDash};
use krilla::surface::Surface;
use resvg::{tiny_skia, usvg};

use super::PdfError;

/// A drawing that has been read.
pub(super) struct Picture {
    tree: usvg::Tree,
}

impl Picture {
    /// Reads SVG text.
    pub(super) fn read(svg: &str) -> Result<Picture, PdfError> {
        let tree = usvg::Tree::from_str(svg, &usvg::Options::default());
        Ok(Picture { tree: tree.map_err(|e| PdfError::Picture(e.to_string()))? })
    }

    /// Width and height in its own units.
    pub(super) fn size(&self) -> (f64, f64) {
        (f64::from(self.tree.size().width()), f64::from(self.tree.size().height()))
    }

    /// Draws it with its upper left corner at a place.
    pub(super) fn put(&self, surface: &mut Surface<'_>, at: (f64, f64), scale: f64) {
        let scale = scale as f32;
        surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, at.0 as f32, at.1 as f32));
        group(surface, self.tree.root());
        surface.pop();
    }
}

/// A group with its place, what it is cut to and how much shines through.
fn group(surface: &mut Surface<'_>, g: &usvg::Group) {
    let mut pushed = 0;
    if !g.transform().is_identity() {
        surface.push_transform(&turned(g.transform()));
        pushed += 1;
    }
    if let Some(clip) = g.clip_path() {
        let mut path = PathBuilder::new();
        outline(&mut path, clip.root(), clip.transform());
        if let Some(path) = path.finish() {
            surface.push_clip_path(&path, &FillRule::NonZero);
            pushed += 1;
        }
    }
    let opacity = g.opacity().get();
    if opacity < 1.0 {
        surface.push_opacity(part(opacity));
        pushed += 1;
    }
    for node in g.children() {
        match node {
            usvg::Node::Group(inner) => group(surface, inner),
            usvg::Node::Path(path) => draw(surface, path),
            // This crate's drawings hold neither: letters are paths.
            usvg::Node::Image(_) | usvg::Node::Text(_) => {}
        }
    }
    for _ in 0..pushed {
        surface.pop();
    }
}

fn draw(surface: &mut Surface<'_>, path: &usvg::Path) {
    let mut builder = PathBuilder::new();
    trace(&mut builder, path.data(), usvg::Transform::identity());
    let Some(shape) = builder.finish().filter(|_| path.is_visible()) else { return };
    let fill = path.fill().and_then(|f| {
        let rule = match f.rule() {
            usvg::FillRule::NonZero => FillRule::NonZero,
            usvg::FillRule::EvenOdd => FillRule::EvenOdd,
        };
        Some(Fill { paint: paint(surface, f.paint())?, opacity: part(f.opacity().get()), rule })
    });
    let stroke = path.stroke().and_then(|s| {
        Some(Stroke {
            paint: paint(surface, s.paint())?,
            width: s.width().get(),
            miter_limit: s.miterlimit().get(),
            line_cap: match s.linecap() {
                usvg::LineCap::Butt => LineCap::Butt,
                usvg::LineCap::Round => LineCap::Round,
                usvg::LineCap::Square => LineCap::Square,
            },
            line_join: match s.linejoin() {
                usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoin::Miter,
                usvg::LineJoin::Round => LineJoin::Round,
                usvg::LineJoin::Bevel => LineJoin::Bevel,
            },
            opacity: part(s.opacity().get()),
            dash: s.dasharray().map(|array| StrokeDash { array: array.to_vec(), offset: s.dashoffset() }),
        })
    });
    let both: [(Option<Fill>, Option<Stroke>); 2] = match path.paint_order() {
        usvg::PaintOrder::FillAndStroke => [(fill, None), (None, stroke)],
        usvg::PaintOrder::StrokeAndFill => [(None, stroke), (fill, None)],
    };
    for (fill, stroke) in both {
        if fill.is_some() || stroke.is_some() {
            surface.set_fill(fill);
            surface.set_stroke(stroke);
            surface.draw_path(&shape);
        }
    }
}

/// A colour, or a pattern of a side; gradients are in no drawing of this crate.
fn paint(surface: &mut Surface<'_>, paint: &usvg::Paint) -> Option<Paint> {
    match paint {
        usvg::Paint::Color(c) => Some(rgb::Color::new(c.red, c.green, c.blue).into()),
        usvg::Paint::Pattern(p) => {
            let rect = p.rect();
            let mut builder = surface.stream_builder();
            let mut tile = builder.surface();
            group(&mut tile, p.root());
            tile.finish();
            let stream = builder.finish();
            let transform = p.transform().pre_translate(rect.x(), rect.y());
            let transform = turned(transform);
            Some(Pattern { stream, transform, width: rect.width(), height: rect.height() }.into())
        }
        usvg::Paint::LinearGradient(_) | usvg::Paint::RadialGradient(_) => None,
    }
}

/// All paths of a group as one: what a clip cuts to.
fn outline(builder: &mut PathBuilder, g: &usvg::Group, transform: usvg::Transform) {
    for node in g.children() {
        match node {
            usvg::Node::Group(inner) => outline(builder, inner, transform.pre_concat(inner.transform())),
            usvg::Node::Path(path) => trace(builder, path.data(), transform),
            usvg::Node::Image(_) | usvg::Node::Text(_) => {}
        }
    }
}

fn trace(builder: &mut PathBuilder, path: &tiny_skia::Path, transform: usvg::Transform) {
    use tiny_skia::PathSegment::{Close, CubicTo, LineTo, MoveTo, QuadTo};
    let at = |mut p: tiny_skia::Point| {
        transform.map_point(&mut p);
        p
    };
    for segment in path.segments() {
        match segment {
            MoveTo(p) => {
                let p = at(p);
                builder.move_to(p.x, p.y);
            }
            LineTo(p) => {
                let p = at(p);
                builder.line_to(p.x, p.y);
            }
            QuadTo(a, p) => {
                let (a, p) = (at(a), at(p));
                builder.quad_to(a.x, a.y, p.x, p.y);
            }
            CubicTo(a, b, p) => {
                let (a, b, p) = (at(a), at(b), at(p));
                builder.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y);
            }
            Close => builder.close(),
        }
    }
}

fn turned(t: usvg::Transform) -> Transform {
    Transform::from_row(t.sx, t.ky, t.kx, t.sy, t.tx, t.ty)
}

fn part(v: f32) -> NormalizedF32 {
    NormalizedF32::new(v.clamp(0.0, 1.0)).unwrap_or(NormalizedF32::ONE)
}
