//! The text form of ground: one line a feature, for files, commands, records and positions alike.
//!
//! ```text
//! wood disc 800 900 150
//! marsh ellipse 1500 900 400 250 30
//! fields rect 600 600 300 200 15
//! rough polygon 100 200, 300 200, 250 400
//! river 80 along 0 1200, 900 1150, 2400 1300
//! hill ellipse 1200 1200 500 300 crest 1050 1200, 1350 1200
//! plateau ellipse 1200 1200 500 300 slope 60
//! ```

use super::{Feature, Ground, Kind, Plan};
use crate::figure;
use field::{Heading, Len, Point};
use game::{Problem, Problems};
use std::fmt::Write as _;

fn points(list: &[Point]) -> String {
    list.iter()
        .map(|p| format!("{} {}", figure::print(p.x), figure::print(p.y)))
        .collect::<Vec<_>>()
        .join(", ")
}

impl Feature {
    /// Its line.
    #[must_use]
    pub fn print(&self) -> String {
        let p = figure::print;
        let mut text = self.kind.word().to_owned();
        let boxed = |word: &str, c: &Point, w: Len, d: Len, h: Heading| {
            let turn = if h == Heading::UP { String::new() } else { format!(" {}", p(h.hundredths())) };
            format!(" {word} {} {} {} {}{turn}", p(c.x), p(c.y), p(w), p(d))
        };
        text += &match &self.plan {
            Plan::Disc(c, r) => format!(" disc {} {} {}", p(c.x), p(c.y), p(*r)),
            Plan::Rect(c, w, d, h) => boxed("rect", c, *w, *d, *h),
            Plan::Ellipse(c, w, d, h) => boxed("ellipse", c, *w, *d, *h),
            Plan::Polygon(list) => format!(" polygon {}", points(list)),
            Plan::Way(w, list) => format!(" {} along {}", p(*w), points(list)),
        };
        if self.slope != 0 {
            let _ = write!(text, " slope {}", p(self.slope));
        }
        if !self.crest.is_empty() {
            let _ = write!(text, " crest {}", points(&self.crest));
        }
        text
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What of it does not read, with what would.
    pub fn parse(line: &str) -> Result<Feature, Problem> {
        let low = line.trim().to_lowercase();
        let (main, crest) = match low.split_once(" crest ") {
            Some((main, crest)) => (main, read_points(crest)?),
            None => (low.as_str(), Vec::new()),
        };
        let (main, slope) = match main.split_once(" slope ") {
            Some((main, slope)) => {
                (main, figure::read(slope.trim()).filter(|s| *s > 0).ok_or_else(|| number(slope))?)
            }
            None => (main, 0),
        };
        let (word, rest) = main.split_once(char::is_whitespace).unwrap_or((main, ""));
        let kind = kind_of(word)?;
        if !crest.is_empty() && !kind.is_hill() {
            return Err(Problem::new(format!("a {word} has no crest")).hint("only hill and steep have one"));
        }
        let plan = read_plan(kind, rest.trim())?;
        let slope = match (kind, slope) {
            (Kind::Plateau, 0) => {
                return Err(Problem::new("a plateau needs the width of its slopes")
                    .hint("plateau ellipse 1200 1200 500 300 slope 60"));
            }
            (Kind::Plateau, s) => s,
            (_, 0) => 0,
            _ => {
                return Err(Problem::new(format!("a {word} has no slope to give")).hint("only a plateau has"));
            }
        };
        Feature::new(kind, plan, crest, slope).map_err(|e| Problem::new(format!("{}: {e}", line.trim())))
    }
}

fn kind_of(word: &str) -> Result<Kind, Problem> {
    let found = Kind::WORDS.iter().find(|(_, w)| *w == word);
    let other = match word {
        "woods" | "forest" => Some(Kind::Wood),
        "town" | "village" | "builtup" => Some(Kind::Bua),
        "swamp" | "bog" => Some(Kind::Marsh),
        "sea" | "water" => Some(Kind::Lake),
        _ => None,
    };
    match found.map(|(k, _)| *k).or(other) {
        Some(kind) => Ok(kind),
        None => {
            Err(Problem::new(format!("unknown terrain: {word}"))
                .meant(word, Kind::WORDS.iter().map(|(_, w)| *w)))
        }
    }
}

fn number(word: &str) -> Problem {
    Problem::new(format!("not a figure in paces: {:?}", word.trim()))
        .hint("paces with at most two decimals, as in 1200 or 62.5")
}

fn read_points(text: &str) -> Result<Vec<Point>, Problem> {
    let read = |pair: &str| {
        let words: Vec<&str> = pair.split_whitespace().collect();
        match words[..] {
            [x, y] => Ok(Point::new(
                figure::read(x).ok_or_else(|| number(x))?,
                figure::read(y).ok_or_else(|| number(y))?,
            )),
            _ => Err(Problem::new(format!("not a point: {:?}", pair.trim())).hint("points as x y, x y, x y")),
        }
    };
    text.split(',').map(read).collect()
}

fn read_plan(kind: Kind, rest: &str) -> Result<Plan, Problem> {
    let (word, figures) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if let Some((width, list)) = rest.split_once(" along ") {
        let width = figure::read(width.trim()).filter(|w| *w > 0).ok_or_else(|| number(width))?;
        return Ok(Plan::Way(width, read_points(list)?));
    }
    if kind.is_road() || kind == Kind::River {
        let hint = format!("{} 80 along 0 1200, 900 1150, 2400 1300", kind.word());
        return Err(Problem::new(format!("a {} is a line with a width", kind.word())).hint(hint));
    }
    if word == "polygon" {
        return Ok(Plan::Polygon(read_points(figures)?));
    }
    let v: Vec<Len> = figures
        .split_whitespace()
        .map(|w| figure::read(w).ok_or_else(|| number(w)))
        .collect::<Result<_, _>>()?;
    let turn = |h: Len| {
        (0..=field::FULL_TURN)
            .contains(&h)
            .then(|| Heading::new(h))
            .ok_or_else(|| Problem::new("a heading is 0 to 360"))
    };
    let boxed = |w: &str, c: Point, wd: Len, d: Len, h: Heading| {
        if w == "rect" { Plan::Rect(c, wd, d, h) } else { Plan::Ellipse(c, wd, d, h) }
    };
    match (word, &v[..]) {
        ("disc", [x, y, r]) => Ok(Plan::Disc(Point::new(*x, *y), *r)),
        ("rect" | "ellipse", [x, y, w, d]) => Ok(boxed(word, Point::new(*x, *y), *w, *d, Heading::UP)),
        ("rect" | "ellipse", [x, y, w, d, h]) => Ok(boxed(word, Point::new(*x, *y), *w, *d, turn(*h)?)),
        ("disc", _) => Err(Problem::new("a disc has x, y and radius").hint("wood disc 800 900 150")),
        ("rect" | "ellipse", _) => {
            Err(Problem::new(format!("a {word} has x, y, width, depth and perhaps a heading"))
                .hint("wood ellipse 800 900 400 250 30"))
        }
        _ => Err(Problem::new(format!("unknown form: {word:?}"))
            .meant(word, ["disc", "ellipse", "rect", "polygon", "along"])),
    }
}

impl Ground {
    /// Its features, one a line, parted by `separator`.
    #[must_use]
    pub fn print(&self, separator: &str) -> String {
        self.features.iter().map(Feature::print).collect::<Vec<_>>().join(separator)
    }

    /// Reads features parted by line ends or semicolons; empty lines and what follows a `#` do not count.
    ///
    /// # Errors
    /// Every line that does not read, with its number.
    pub fn parse(text: &str) -> Result<Ground, Problems> {
        let (mut features, mut problems) = (Vec::new(), Vec::new());
        for (line, n) in text.split('\n').zip(1..) {
            let line = line.split('#').next().unwrap_or("");
            for part in line.split(';').filter(|p| !p.trim().is_empty()) {
                match Feature::parse(part) {
                    Ok(feature) => features.push(feature),
                    Err(problem) => problems.push(problem.at("", n, 0)),
                }
            }
        }
        if problems.is_empty() { Ok(Ground { features }) } else { Err(problems) }
    }
}
