//! Where names stand on a map: each takes the place beside its spot at which it covers least of what is there already.

/// A rectangle, in points of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub x: i64,
    pub y: i64,
    pub w: i64,
    pub h: i64,
}

impl Area {
    /// How much of it another one covers.
    pub(crate) fn over(&self, other: &Area) -> i64 {
        let w = (self.x + self.w).min(other.x + other.w) - self.x.max(other.x);
        let h = (self.y + self.h).min(other.y + other.h) - self.y.max(other.y);
        w.max(0) * h.max(0)
    }

    fn whole(&self) -> i64 {
        self.w * self.h
    }
}

/// The width of words in type of a size, a little more rather than less: signs of East Asia are as wide as they are high.
pub(crate) fn wide(words: &str, size: i64) -> i64 {
    let one = |c: char| match u32::from(c) {
        0x1100.. => 100,
        _ if c.is_uppercase() || c.is_ascii_digit() => 68,
        _ => 54,
    };
    words.chars().map(one).sum::<i64>() * size / 100 + size / 3
}

/// What is taken on a map so far.
pub(crate) struct Labels {
    frame: Area,
    gap: i64,
    taken: Vec<Area>,
}

impl Labels {
    pub(crate) const fn new(frame: Area, gap: i64) -> Self {
        Self { frame, gap, taken: Vec::new() }
    }

    /// Something stands here.
    pub(crate) fn taken(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// A name of so much type beside a spot: below it if there is room.
    pub(crate) fn put(&mut self, (x, y): (i64, i64), r: i64, (w, size): (i64, i64)) -> Area {
        let (h, g) = (size * 12 / 10, self.gap);
        let mid = x - w / 2;
        let mut all = vec![(mid, y + r + g / 2), (mid, y - r - g / 2 - h)];
        for dy in [-h / 2, r / 2, -h - r / 2] {
            all.extend([(x + r + g, y + dy), (x - r - g - w, y + dy)]);
        }
        all.extend([(x, y + r + g), (x - w, y + r + g), (x, y - r - g - h), (x - w, y - r - g - h)]);
        // Farther off where it is crowded.
        all.extend([(mid, y + r + g + h), (mid, y - r - g - h * 2)]);
        self.best(all, (w, h))
    }

    /// A block of lines beside a spot: at its right if there is room.
    pub(crate) fn beside(&mut self, (x, y): (i64, i64), r: i64, (w, h): (i64, i64)) -> Area {
        let g = self.gap;
        let mut all = vec![(x + r + g, y - h), (x + r + g, y - h / 2), (x + r + g, y)];
        all.extend([(x - r - g - w, y - h), (x - r - g - w, y - h / 2), (x - r - g - w, y)]);
        all.extend([(x - w / 2, y - r - g - h), (x - w / 2, y + r + g)]);
        let line = r + g;
        all.extend([(x + r + g, y - h - line), (x + r + g, y + line), (x - r - g - w, y - h - line)]);
        all.extend([(x - w / 2, y - r - g - h - line), (x - w / 2, y + r + g + line)]);
        self.best(all, (w, h))
    }

    fn best(&mut self, all: Vec<(i64, i64)>, (w, h): (i64, i64)) -> Area {
        let cost = |a: &Area| {
            let outside = a.whole() - a.over(&self.frame);
            outside * 4 + self.taken.iter().map(|t| a.over(t)).sum::<i64>()
        };
        let areas = all.into_iter().map(|(x, y)| Area { x, y, w, h });
        let found = areas.min_by_key(cost).unwrap_or(Area { x: 0, y: 0, w, h });
        self.taken.push(found);
        found
    }
}
