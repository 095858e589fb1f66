//! The builder of the text: tags, numbers, escaping. Everything that enters a drawing passes here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::text::{Face, Weight};

/// A drawing under way: its body, and the letters that it uses (each is defined once).
pub(crate) struct Svg {
    body: String,
    letters: BTreeMap<(Weight, u16), String>,
    defs: String,
    clips: u32,
}

/// Numbers are cut to this: farther out than any picture.
const FAR: f64 = 1.0e6;

/// A number as it stands in the text: two decimals at most, never "-0", never anything that is not finite.
pub(crate) fn num(v: f64) -> String {
    let v = if v.is_finite() { v.clamp(-FAR, FAR) } else { 0.0 };
    // Half away from zero; the product is exact enough that equal inputs give equal text on every machine.
    let h = (v * 100.0).round() as i64;
    let (sign, h) = if h < 0 { ("-", -h) } else { ("", h) };
    match (h / 100, h % 100) {
        (w, 0) => format!("{sign}{w}"),
        (w, c) if c % 10 == 0 => format!("{sign}{w}.{}", c / 10),
        (w, c) => format!("{sign}{w}.{c:02}"),
    }
}

/// Text made safe for element content and for attribute values; what XML does not allow becomes U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if (c as u32) < 0x20 || matches!(c as u32, 0x7f..=0x9f | 0xfffe | 0xffff) => {
                out.push('\u{fffd}')
            }
            c => out.push(c),
        }
    }
    out
}

/// How a shape is painted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint<'a> {
    fill: Option<&'a str>,
    stroke: Option<(&'a str, f64)>,
    more: &'a str,
}

/// Filled with a colour (or `url(#…)`).
pub(crate) const fn fill(colour: &str) -> Paint<'_> {
    Paint { fill: Some(colour), stroke: None, more: "" }
}

/// Drawn as a line of a colour and width.
pub(crate) const fn line(colour: &str, width: f64) -> Paint<'_> {
    Paint { fill: None, stroke: Some((colour, width)), more: "" }
}

impl<'a> Paint<'a> {
    /// With an outline as well.
    pub(crate) const fn edged(mut self, colour: &'a str, width: f64) -> Paint<'a> {
        self.stroke = Some((colour, width));
        self
    }

    /// With further attributes, written as they stand (never text from outside).
    pub(crate) const fn with(mut self, more: &'a str) -> Paint<'a> {
        self.more = more;
        self
    }

    fn attributes(&self) -> String {
        let mut s = String::new();
        let _ = write!(s, " fill=\"{}\"", self.fill.unwrap_or("none"));
        if let Some((colour, width)) = self.stroke {
            let _ = write!(s, " stroke=\"{colour}\" stroke-width=\"{}\"", num(width));
        }
        if !self.more.is_empty() {
            s.push(' ');
            s.push_str(self.more);
        }
        s
    }
}

impl Svg {
    pub(crate) fn new() -> Svg {
        Svg {
            body: String::with_capacity(64 * 1024),
            letters: BTreeMap::new(),
            defs: String::new(),
            clips: 0,
        }
    }

    /// Text of the drawing, as it stands.
    pub(crate) fn raw(&mut self, text: &str) {
        self.body.push_str(text);
    }

    /// Text to stand before all else.
    pub(crate) fn put_first(&mut self, text: &str) {
        self.body.insert_str(0, text);
    }

    /// The body alone.
    pub(crate) fn into_body(self) -> String {
        self.body
    }

    /// Something to define once, as it stands.
    pub(crate) fn define(&mut self, text: &str) {
        self.defs.push_str(text);
        self.defs.push('\n');
    }

    /// Opens a group with attributes written as they stand.
    pub(crate) fn open(&mut self, attributes: &str) {
        let gap = if attributes.is_empty() { "" } else { " " };
        let _ = write!(self.body, "<g{gap}{attributes}>");
    }

    /// Closes the group.
    pub(crate) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// What a pointer over the group shows, and a screen reader reads.
    pub(crate) fn title(&mut self, words: &str) {
        let _ = write!(self.body, "<title>{}</title>", escape(words));
    }

    /// A path.
    pub(crate) fn path(&mut self, d: &str, paint: Paint<'_>) {
        let _ = writeln!(self.body, "<path d=\"{d}\"{}/>", paint.attributes());
    }

    /// A rectangle with rounded corners.
    pub(crate) fn rect(&mut self, [x, y, w, h]: [f64; 4], round: f64, paint: Paint<'_>) {
        let (w, h) = (w.max(0.0), h.max(0.0));
        let _ = write!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            num(x),
            num(y),
            num(w),
            num(h)
        );
        if round > 0.0 {
            let _ = write!(self.body, " rx=\"{}\"", num(round.min(w / 2.0).min(h / 2.0)));
        }
        let _ = writeln!(self.body, "{}/>", paint.attributes());
    }

    /// A circle.
    pub(crate) fn circle(&mut self, (x, y): (f64, f64), r: f64, paint: Paint<'_>) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
            num(x),
            num(y),
            num(r.max(0.0)),
            paint.attributes()
        );
    }

    /// A straight line.
    pub(crate) fn segment(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), paint: Paint<'_>) {
        let d = format!("M{} {}L{} {}", num(x1), num(y1), num(x2), num(y2));
        self.path(&d, paint);
    }

    /// A name for a clip path of this drawing, unique in it.
    pub(crate) fn clip(&mut self, prefix: &str, d: &str) -> String {
        self.clips += 1;
        let id = format!("{prefix}clip{}", self.clips);
        let text = format!("<clipPath id=\"{id}\"><path d=\"{d}\"/></clipPath>");
        self.define(&text);
        id
    }

    /// A line of text on its baseline. Letters are defined once and used by reference.
    pub(crate) fn words(&mut self, prefix: &str, words: &str, at: (f64, f64), look: Words<'_>) {
        let face = Face::get(look.weight);
        let scale = look.size / face.units();
        let width = face.width(words) * scale;
        let x = match look.anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - width / 2.0,
            Anchor::End => at.0 - width,
        };
        if words.trim().is_empty() || !(scale.is_finite() && scale > 0.0) {
            return;
        }
        let s = scale * 1000.0;
        let _ = write!(
            self.body,
            "<g transform=\"translate({} {}) scale({})\" fill=\"{}\"",
            num(x),
            num(at.1),
            // Letters are defined at a thousandth of their units, so that two decimals of scale are enough.
            fine(s),
            look.fill
        );
        if let Some((colour, width)) = look.halo {
            let _ = write!(
                self.body,
                " stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                fine(width / s)
            );
        }
        let _ = write!(self.body, " aria-label=\"{}\">", escape(words));
        for (glyph, advance) in face.layout(words) {
            let Some(outline) = face.outline(glyph) else { continue };
            self.letters.entry((look.weight, glyph)).or_insert(outline);
            let _ = write!(
                self.body,
                "<use href=\"#{prefix}{}{glyph}\" x=\"{}\"/>",
                look.weight.letter(),
                fine(advance / 1000.0)
            );
        }
        self.body.push_str("</g>\n");
    }

    /// The whole text: head, definitions, body.
    pub(crate) fn finish(
        self,
        prefix: &str,
        (width, height): (f64, f64),
        title: &str,
        about: &str,
    ) -> String {
        let mut out = String::with_capacity(self.body.len() + self.defs.len() + 16 * 1024);
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" \
             role=\"img\">",
            num(width),
            num(height)
        );
        let _ = writeln!(out, "<title>{}</title>\n<desc>{}</desc>", escape(title), escape(about));
        out.push_str("<defs>\n");
        out.push_str(&self.defs);
        for ((weight, glyph), d) in &self.letters {
            let _ = writeln!(out, "<path id=\"{prefix}{}{glyph}\" d=\"{d}\"/>", weight.letter());
        }
        out.push_str("</defs>\n");
        out.push_str(&self.body);
        out.push_str("</svg>\n");
        out
    }
}

/// A number with five decimals at most: for scales and places within a letter's own units.
pub(crate) fn fine(v: f64) -> String {
    let v = if v.is_finite() { v.clamp(-FAR, FAR) } else { 0.0 };
    let h = (v * 100_000.0).round() as i64;
    let (sign, h) = if h < 0 { ("-", -h) } else { ("", h) };
    let text = format!("{sign}{}.{:05}", h / 100_000, h % 100_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Where a line of text stands to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line of text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) anchor: Anchor,
    pub(crate) fill: &'a str,
    pub(crate) halo: Option<(&'a str, f64)>,
}

impl<'a> Words<'a> {
    /// Regular text from its left end.
    pub(crate) const fn new(size: f64, fill: &'a str) -> Words<'a> {
        Words { size, weight: Weight::Regular, anchor: Anchor::Start, fill, halo: None }
    }

    pub(crate) const fn bold(mut self) -> Words<'a> {
        self.weight = Weight::Bold;
        self
    }

    pub(crate) const fn anchor(mut self, anchor: Anchor) -> Words<'a> {
        self.anchor = anchor;
        self
    }

    /// With a rim of another colour, so that it can be read on anything.
    pub(crate) const fn halo(mut self, colour: &'a str, width: f64) -> Words<'a> {
        self.halo = Some((colour, width));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_finite() {
        for (v, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.004, "0"),
            (1.005e2, "100.5"),
            (-2.255, "-2.26"),
            (7.25, "7.25"),
            (1.0e300, "1000000"),
            (f64::NAN, "0"),
            (f64::NEG_INFINITY, "0"),
        ] {
            assert_eq!(num(v), text, "{v}");
        }
        assert_eq!(fine(0.012_345_6), "0.01235");
        assert_eq!(fine(-3.0), "-3");
    }

    #[test]
    fn nothing_from_outside_breaks_out() {
        assert_eq!(
            escape("<b a=\"1\" c='2'>&\u{0}\n"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\u{fffd} "
        );
    }
}
