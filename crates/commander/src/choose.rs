//! A small generator for choices among equals. It is no secret and needs none.

/// Numbers that follow from a seed alone.
#[derive(Clone, Copy, Debug)]
pub struct Choose(u64);

impl Choose {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Choose(seed)
    }

    /// From several numbers that together name the occasion.
    #[must_use]
    pub fn of(parts: &[u64]) -> Self {
        let mut all = Choose(0x6A09_E667_F3BC_C908);
        for part in parts {
            all.0 ^= *part;
            all.0 = all.draw();
        }
        all
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        // Steele, Lea and Flood's split-and-mix step: every seed gives a full-length sequence.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.draw() % (n.max(1) as u64)).unwrap_or(0)
    }
}
