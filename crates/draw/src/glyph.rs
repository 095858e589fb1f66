//! The signs of the types: simple shapes in a box of 24 by 24, one set for page, pictures and print.
//!
//! Each is meant to be known at 24 pixels and in grey: one bold silhouette, few holes, no colour.

use crate::svg::Svg;

/// A part of a sign.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// Filled in the sign's colour.
    Fill(&'static str),
    /// A line in the sign's colour, with its width.
    Line(&'static str, &'static str),
    /// Cut out: filled in the plate's colour.
    Cut(&'static str),
    /// A cut line, with its width.
    Slit(&'static str, &'static str),
}

use Part::{Cut, Fill, Line, Slit};

macro_rules! glyphs {
    ($($(#[$doc:meta])* $name:ident, $code:literal, $words:literal, $parts:expr;)*) => {
        /// The sign of a type of element.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Glyph {
            $($(#[$doc])* $name,)*
            /// A question mark, for what has no sign.
            #[default]
            Unknown,
        }

        impl Glyph {
            /// Every sign but the question mark.
            pub const ALL: &'static [Glyph] = &[$(Glyph::$name),*];

            /// The three-letter code of the type.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Glyph::$name => $code,)* Glyph::Unknown => "?" }
            }

            /// The name of the type.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Glyph::$name => $words,)* Glyph::Unknown => "unknown" }
            }

            fn parts(self) -> &'static [Part] {
                match self {
                    $(Glyph::$name => const { &$parts },)*
                    Glyph::Unknown => const { &[
                        Line("M7 8Q7 3 12 3Q17 3 17 7.5Q17 11 12.2 13V16", "3"),
                        Fill("M10.2 18.6H14.2V22.4H10.2Z"),
                    ] },
                }
            }
        }
    };
}

glyphs! {
    /// A sun.
    God, "God", "God", [
        Fill("M12 7.2a4.8 4.8 0 1 0 .01 0Z"),
        Fill("M12 .4L14 5.6H10ZM12 23.6L10 18.4H14ZM.4 12L5.6 10V14ZM23.6 12L18.4 14V10Z"),
        Line("M6.9 6.9L4.4 4.4M17.1 6.9L19.6 4.4M6.9 17.1L4.4 19.6M17.1 17.1L19.6 19.6", "2"),
    ];
    /// A winged serpent.
    Dragon, "Drg", "Dragon", [
        Fill("M8.6 13.4L8.6 1Q17.6 2 23.4 9.4Q19.4 8.4 18 11.6Q15.2 9.4 13.4 12.8Q11 11.2 8.6 13.4Z"),
        Line("M4.4 9.4Q5.6 14.6 9.4 16.4Q13.6 18.2 17 16.6Q20.4 15.2 21.4 18.4Q22 21.4 18.6 22", "2.8"),
        Fill("M.2 11.6L3.4 6.4L2.8 3.6L6.4 6.2L8 9.4L5.6 12.2L4.2 10.8Z"),
        Line("M9.6 16.6L8 22M14.4 17.4L13.6 22", "2"),
    ];
    /// A hull under a gasbag.
    Airboat, "Abt", "Airboat", [
        Fill("M12 1.6Q22.6 1.6 23.4 7.6Q22.6 13.6 12 13.6Q1.4 13.6 .6 7.6Q1.4 1.6 12 1.6Z"),
        Slit("M3 5.2Q12 8.4 21 5.2M3 10Q12 6.8 21 10", "1"),
        Line("M7 13L8 17.4M17 13L16 17.4M12 13.4V17", "1.3"),
        Fill("M4.8 16.8H19.2Q18.6 22.6 15.6 22.6H8.4Q5.4 22.6 4.8 16.8Z"),
    ];
    /// Wings.
    Flyer, "Fly", "Flyer", [
        Fill("M12 21L9.4 15.2Q2.6 15.4 .4 4Q5.6 9 9.8 9.6L10.4 6.6L12 4.6L13.6 6.6L14.2 9.6Q18.4 9 23.6 4Q21.4 15.4 14.6 \
              15.2Z"),
    ];
    /// A star between wings.
    AerialHero, "AHe", "Aerial Hero", [
        Fill("M12 4.2L14.1 9.9L20.2 10.1L15.4 13.9L17.1 19.7L12 16.3L6.9 19.7L8.6 13.9L3.8 10.1L9.9 9.9Z"),
        Fill("M7.6 7.8Q3.4 7.4 .2 2.6Q-.4 13.2 5.8 16.8L6.8 14L2.4 10.6L2.2 8.6L7.4 8.6Z"),
        Fill("M16.4 7.8Q20.6 7.4 23.8 2.6Q24.4 13.2 18.2 16.8L17.2 14L21.6 10.6L21.8 8.6L16.6 8.6Z"),
    ];
    /// A star.
    Hero, "Her", "Hero", [
        Fill("M12 .8L14.8 8.9L23.4 9.1L16.6 14.3L19 22.5L12 17.6L5 22.5L7.4 14.3L.6 9.1L9.2 8.9Z"),
    ];
    /// A shield with a cross.
    Paladin, "Pal", "Paladin", [
        Fill("M12 .8L21.6 3.8V11Q21.6 19 12 23.4Q2.4 19 2.4 11V3.8Z"),
        Cut("M10.3 4.6H13.7V8.8H18.2V12.2H13.7V19.4H10.3V12.2H5.8V8.8H10.3Z"),
    ];
    /// A horse's head and a lance.
    Knight, "Kni", "Knight", [
        Line("M3.2 23.6V1.4", "2"),
        Fill("M3.2 .6L10.6 3.4L3.2 6.4Z"),
        Fill("M10.4 23.4q.4-5.2 3.8-8q-2.4.1-3.7 1l-2.6 1.6q-1.8-.3-2-2.4l3.9-6.4l1.2-5.2l2.8 2.2q6 .4 7.9 6.8q1 4.2.6 \
              10.4z"),
        Cut("M12.3 9.8a1 1 0 1 0 .01 0Z"),
    ];
    /// A horse's head.
    Rider, "Rid", "Rider", [
        Fill("M7.4 23.2q.6-5.4 4.6-8.6q-2.8.2-4.4 1.2l-3 2q-2.3-.5-2.5-2.9l4.6-7.3l1-6l3.4 2.6q7.4.3 9.6 7.6q1.1 4.6.7 \
              11.4z"),
        Cut("M9.4 8.2a1.1 1.1 0 1 0 .01 0Z"),
        Slit("M13.2 7.2Q17.4 10.4 17.4 18", "1"),
    ];
    /// An elephant's head.
    Behemoth, "Beh", "Behemoth", [
        Fill("M8 4.6Q1 1.4 .5 8Q.4 14.6 7.8 14.8Z"),
        Fill("M16 4.6Q23 1.4 23.5 8Q23.6 14.6 16.2 14.8Z"),
        Fill("M7.8 4Q12 1.6 16.2 4Q18.2 10 15.6 14.2L14.4 21.8Q12 24.4 9.6 21.8L8.4 14.2Q5.8 10 7.8 4Z"),
        Slit("M7.6 4.4Q5.8 10 8.4 14.4M16.4 4.4Q18.2 10 15.6 14.4", "1.1"),
        Line("M7 16Q4.4 19 5.8 22.4M17 16Q19.6 19 18.2 22.4", "1.9"),
        Cut("M9.6 7.6a1.1 1.1 0 1 0 .01 0ZM14.4 7.6a1.1 1.1 0 1 0 .01 0Z"),
    ];
    /// A paw.
    Beast, "Bst", "Beast", [
        Fill("M12 11.2Q17.8 11.2 19 17.2Q19.6 22.6 15.4 22.2Q12 21.2 8.6 22.2Q4.4 22.6 5 17.2Q6.2 11.2 12 11.2Z"),
        Fill("M3.6 8a2.5 3.2 0 1 0 .01 0ZM8.6 1.6a2.6 3.6 0 1 0 .01 0ZM15.4 1.6a2.6 3.6 0 1 0 .01 0ZM20.4 8a2.5 3.2 0 1 0 \
              .01 0Z"),
    ];
    /// Crossed swords.
    Blade, "Bld", "Blade", [
        Line("M19.6 3.4L3.6 20.4", "2.9"),
        Slit("M6.4 5.6L16.8 16.8", "4.6"),
        Line("M4.4 3.4L20.4 20.4", "2.9"),
        Line("M13.4 19.6L19.8 13.2M10.6 19.6L4.2 13.2", "2.2"),
        Fill("M1.6 .6L6.4 3.4L4 5.8ZM22.4 .6L17.6 3.4L20 5.8Z"),
        Fill("M21 19.4a1.8 1.8 0 1 0 .01 0ZM3 19.4a1.8 1.8 0 1 0 .01 0Z"),
    ];
    /// Three spears.
    Spear, "Spr", "Spear", [
        Line("M4.4 8V23.4M12 8V23.4M19.6 8V23.4", "2"),
        Fill("M4.4 .6L7.4 6.4L4.4 10.4L1.4 6.4ZM12 .6L15 6.4L12 10.4L9 6.4ZM19.6 .6L22.6 6.4L19.6 10.4L16.6 6.4Z"),
    ];
    /// A double axe.
    Warband, "Wbd", "Warband", [
        Line("M12 1V23.4", "2.4"),
        Fill("M11.2 4.4Q7.6 6.4 2.6 2.2Q-.6 9 2.6 15.8Q7.6 11.6 11.2 13.6Z"),
        Fill("M12.8 4.4Q16.4 6.4 21.4 2.2Q24.6 9 21.4 15.8Q16.4 11.6 12.8 13.6Z"),
    ];
    /// A bow and an arrow.
    Shooter, "Sht", "Shooter", [
        Line("M8.4 1.2Q21.4 12 8.4 22.8", "2.6"),
        Line("M8.4 1.2V22.8", "1.2"),
        Line("M1.4 12H19", "1.8"),
        Fill("M23.6 12L17.6 8.4V15.6Z"),
        Line("M.8 9.4L3.4 12L.8 14.6M3.6 9.4L6.2 12L3.6 14.6", "1.2"),
    ];
    /// A stone thrower.
    Artillery, "Art", "Artillery", [
        Line("M2 17.4H22", "2.8"),
        Line("M10 17.4L14.6 8.6L18.6 17.4", "2"),
        Line("M20.4 14.8L7 5.2", "2.4"),
        Fill("M5.2 1a3.5 3.5 0 1 0 .01 0Z"),
        Fill("M6 16.6a3.4 3.4 0 1 0 .01 0ZM18 16.6a3.4 3.4 0 1 0 .01 0Z"),
        Cut("M6 18.9a1.1 1.1 0 1 0 .01 0ZM18 18.9a1.1 1.1 0 1 0 .01 0Z"),
    ];
    /// A crowd.
    Horde, "Hrd", "Horde", [
        Fill("M7.8 1.6a2.9 2.9 0 1 0 .01 0ZM16.2 1.6a2.9 2.9 0 1 0 .01 0Z"),
        Fill("M3.4 15Q3.4 8.4 7.8 8.4Q12 8.4 12 12Q12 8.4 16.2 8.4Q20.6 8.4 20.6 15Z"),
        Slit("M4 8.6a3.9 3.9 0 1 0 .01 0ZM12 8.6a3.9 3.9 0 1 0 .01 0ZM20 8.6a3.9 3.9 0 1 0 .01 0Z", "1.4"),
        Fill("M4 8.9a3.1 3.1 0 1 0 .01 0ZM12 8.9a3.1 3.1 0 1 0 .01 0ZM20 8.9a3.1 3.1 0 1 0 .01 0Z"),
        Fill("M.2 23Q.2 16 4 16Q7.6 16 7.8 20Q8.2 16 12 16Q15.8 16 16.2 20Q16.4 16 20 16Q23.8 16 23.8 23Z"),
    ];
    /// An ankh.
    Cleric, "Clr", "Cleric", [
        Line("M12 12.4Q6 8.2 7.2 4.8Q8.4 1.9 12 1.9Q15.6 1.9 16.8 4.8Q18 8.2 12 12.4Z", "2.8"),
        Fill("M10.2 12H13.8L14.4 23.4H9.6Z"),
        Fill("M3.6 10.6L10.6 12.2H13.4L20.4 10.6V16.2L13.4 14.8H10.6L3.6 16.2Z"),
    ];
    /// A wizard's hat.
    Magician, "Mag", "Magician", [
        Fill("M14.8 .4L14.4 4.6L19.4 17.4H5Q7.6 6.6 14.8 .4Z"),
        Fill("M.6 19Q3.6 16.6 6 16.2H18Q20.4 16.6 23.4 19Q20.6 23 12 23Q3.4 23 .6 19Z"),
        Slit("M5 17.2Q12 20 19.2 17.2", "1.4"),
        Cut("M12.2 7.2L13.2 9.8L15.9 9.9L13.8 11.6L14.6 14.3L12.2 12.7L9.8 14.3L10.6 11.6L8.5 9.9L11.2 9.8Z"),
    ];
    /// A mask.
    Sneaker, "Snk", "Sneaker", [
        Fill("M.4 6.4Q6 4.4 12 7.4Q18 4.4 23.6 6.4Q24.4 17.6 17.8 18.4Q14 18.4 12 14.2Q10 18.4 6.2 18.4Q-.4 17.6 .4 6.4Z"),
        Cut("M3.6 9.8Q7 8.2 10 11.4Q6.4 14.6 3.6 9.8ZM20.4 9.8Q17 8.2 14 11.4Q17.6 14.6 20.4 9.8Z"),
    ];
    /// Eyes in a bush.
    Lurker, "Lrk", "Lurker", [
        Fill("M2.8 22.4Q-1 18 2 14Q.6 8.4 5.8 7.4Q7.4 1.6 12.4 3.4Q17.4 1 19 6.8Q24 8 22.4 13.8Q25 18.4 21.2 22.4Z"),
        Cut("M5 10.6L11 14.2Q8.2 18.2 5 10.6ZM19 10.6L13 14.2Q15.8 18.2 19 10.6Z"),
    ];
    /// A fin above waves.
    WaterLurker, "WLk", "Water Lurker", [
        Fill("M5.4 14.4Q7 4.4 18 .8Q15 7.4 18.6 14.4Z"),
        Line("M.6 17.6Q3.4 14.6 6.3 17.2T12 17.2T17.7 17.2T23.4 16.8", "2.2"),
        Line("M.6 22.4Q3.4 19.4 6.3 22T12 22T17.7 22T23.4 21.6", "2.2"),
    ];
    /// A horseshoe.
    LightHorse, "LtH", "Light Horse", [
        Line("M6.6 20.8Q2.6 12.4 5.2 7.4Q7.6 3 12 3Q16.4 3 18.8 7.4Q21.4 12.4 17.4 20.8", "4.4"),
        Line("M4.4 21.8H9M15 21.8H19.6", "2.6"),
        Cut("M5.2 11.2a.9 .9 0 1 0 .01 0ZM7.2 5.6a.9 .9 0 1 0 .01 0ZM12 2.2a.9 .9 0 1 0 .01 0ZM16.8 5.6a.9 .9 0 1 0 .01 \
             0ZM18.8 11.2a.9 .9 0 1 0 .01 0Z"),
    ];
    /// An eye.
    Scouts, "Sct", "Scouts", [
        Fill("M.2 12Q5.6 4 12 4Q18.4 4 23.8 12Q18.4 20 12 20Q5.6 20 .2 12Z"),
        Cut("M3.6 12Q7.4 6.6 12 6.6Q16.6 6.6 20.4 12Q16.6 17.4 12 17.4Q7.4 17.4 3.6 12Z"),
        Fill("M12 7.6a4.4 4.4 0 1 0 .01 0Z"),
        Cut("M13.6 8.8a1.5 1.5 0 1 0 .01 0Z"),
    ];
    /// A fir.
    Rangers, "Rgr", "Rangers", [
        Fill("M12 .4L17.8 7.8H15.4L20.2 13.8H17L22 20H2L7 13.8H3.8L8.6 7.8H6.2Z"),
        Fill("M10.4 20H13.6V23.6H10.4Z"),
    ];
    /// A tower.
    Stronghold, "Str", "Stronghold", [
        Fill("M2 23V1.4H6.6V4.8H9.7V1.4H14.3V4.8H17.4V1.4H22V23Z"),
        Cut("M8.8 23V17Q8.8 13.6 12 13.6Q15.2 13.6 15.2 17V23Z"),
        Cut("M5.6 8H7.6V12H5.6ZM16.4 8H18.4V12H16.4Z"),
    ];
}

impl Glyph {
    /// The sign of a type, by its three-letter code or its name, in any case; [`Glyph::Unknown`] if there is none.
    #[must_use]
    pub fn named(word: &str) -> Glyph {
        let same = |g: &&Glyph| g.code().eq_ignore_ascii_case(word) || g.name().eq_ignore_ascii_case(word);
        Glyph::ALL.iter().find(same).copied().unwrap_or_default()
    }

    /// An SVG group with the sign in a box of 24 by 24, in the colours given (each `#rrggbb` or a CSS word): for pages
    /// that draw the same signs themselves.
    #[must_use]
    pub fn group(self, sign: &str, plate: &str) -> String {
        let mut out = String::from("<g stroke-linecap=\"round\" stroke-linejoin=\"round\">");
        for part in self.parts() {
            let (d, paint) = match part {
                Fill(d) => (d, format!("fill=\"{sign}\"")),
                Cut(d) => (d, format!("fill=\"{plate}\"")),
                Line(d, w) => (d, format!("fill=\"none\" stroke=\"{sign}\" stroke-width=\"{w}\"")),
                Slit(d, w) => (d, format!("fill=\"none\" stroke=\"{plate}\" stroke-width=\"{w}\"")),
            };
            let tidy: Vec<&str> = d.split_whitespace().collect();
            out.push_str(&format!("<path d=\"{}\" {paint}/>", tidy.join(" ")));
        }
        out.push_str("</g>");
        out
    }

    /// The id under which [`Glyph::define`] puts it.
    pub(crate) fn id(self, prefix: &str) -> String {
        match self {
            Glyph::Unknown => format!("{prefix}signQ"),
            known => format!("{prefix}sign{}", known.code()),
        }
    }

    /// Defines the sign for reuse.
    pub(crate) fn define(self, svg: &mut Svg, prefix: &str, sign: &str, plate: &str) {
        let group = self.group(sign, plate).replacen("<g ", &format!("<g id=\"{}\" ", self.id(prefix)), 1);
        svg.define(&group);
    }

    /// Draws the defined sign, centred, so many pixels high.
    pub(crate) fn put(self, svg: &mut Svg, prefix: &str, (x, y): (f64, f64), size: f64) {
        let text = format!(
            "<use href=\"#{}\" transform=\"translate({} {}) scale({})\"/>\n",
            self.id(prefix),
            crate::svg::num(x - size / 2.0),
            crate::svg::num(y - size / 2.0),
            crate::svg::fine(size / 24.0)
        );
        svg.raw(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_sign_of_its_own() {
        assert_eq!(Glyph::ALL.len(), 26);
        for (i, g) in Glyph::ALL.iter().enumerate() {
            let drawing = g.group("#000", "#fff");
            assert!(!g.parts().is_empty());
            assert!(
                Glyph::ALL[..i].iter().all(|o| o.group("#000", "#fff") != drawing && o.code() != g.code()),
                "{g:?}"
            );
            assert_eq!(Glyph::named(g.code()), *g);
            assert_eq!(Glyph::named(&g.name().to_uppercase()), *g);
        }
        assert_eq!(Glyph::named("Trebuchet"), Glyph::Unknown);
    }
}
