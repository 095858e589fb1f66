//! Drawings of other crates, whose letters are `<text>`: set in the embedded font, so that they look the same
//! everywhere and can go on paper and into pixels.

use crate::text::{Face, Weight, width};
use std::fmt::Write as _;

/// The drawing with every `<text>` as outlines. Understood are the attributes `x`, `y`, `font-size`, `text-anchor`
/// and `fill`; a drawing without texts comes back as it is.
#[must_use]
pub fn lettered(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("<text ") {
        let (before, tail) = rest.split_at(at);
        let Some((head, words, after)) = element(tail) else { break };
        out.push_str(before);
        set(&mut out, head, words);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The attributes and words of the `<text>` at the head of a text, and what follows it.
fn element(text: &str) -> Option<(&str, &str, &str)> {
    let (head, tail) = text.strip_prefix("<text ")?.split_once('>')?;
    let (words, after) = tail.split_once("</text>")?;
    Some((head, words, after))
}

fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = head;
    while let Some((key, tail)) = rest.split_once("=\"") {
        let (value, after) = tail.split_once('"')?;
        if key.trim() == name {
            return Some(value);
        }
        rest = after;
    }
    None
}

fn set(out: &mut String, head: &str, words: &str) {
    let number = |name: &str, default: f64| {
        let read = attribute(head, name).and_then(|v| v.trim().parse::<f64>().ok());
        read.filter(|v| v.is_finite()).unwrap_or(default)
    };
    let size = number("font-size", 12.0).clamp(0.0, 1.0e4);
    let words = words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    let wide = width(&words, size, Weight::Regular);
    let x = match attribute(head, "text-anchor") {
        Some("middle") => number("x", 0.0) - wide / 2.0,
        Some("end") => number("x", 0.0) - wide,
        _ => number("x", 0.0),
    };
    let face = Face::get(Weight::Regular);
    let scale = size * 1000.0 / face.units();
    let fill = attribute(head, "fill").unwrap_or("#000");
    let y = number("y", 0.0);
    let _ = write!(out, "<g transform=\"translate({x:.2} {y:.2}) scale({scale:.5})\" fill=\"{fill}\">");
    for (glyph, advance) in face.layout(&words) {
        if let Some(outline) = face.outline(glyph) {
            let _ = write!(out, "<path transform=\"translate({:.3} 0)\" d=\"{outline}\"/>", advance / 1000.0);
        }
    }
    out.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_outlines_and_the_rest_stays() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 40\"><rect width=\"9\" height=\"9\"/>\
                   <text x=\"50\" y=\"20\" font-size=\"10\" text-anchor=\"middle\" fill=\"#400\">A &amp; B</text></svg>";
        let set = lettered(svg);
        assert!(!set.contains("<text") && set.contains("<rect") && set.contains("fill=\"#400\""), "{set}");
        assert_eq!(set.matches("<path").count(), 3, "{set}");
        // Something dark stands where the words were.
        assert!(crate::png(&set, 1.0).unwrap() != crate::png(svg, 1.0).unwrap());
    }

    #[test]
    fn whatever_it_is_given_it_ends() {
        for odd in
            ["", "<text ", "<text x=\"1\"", "<text x=\"NaN\" y>a</text>", "<text >b", "a<text >c</text>d"]
        {
            let _ = lettered(odd);
        }
        assert!(lettered("a<text >c</text>d").starts_with("a<g"));
    }
}
