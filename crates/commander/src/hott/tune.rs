//! Weights that were found by trying, in the order of their use.

/// Risk, eagerness at first, the bound from which it grows, its growth, tearing one off, tearing a part off, least gain
/// for a PIP, fights in quarters, a neighbour, standing alone, appetite, edge in hundredths, a general, walls, shots,
/// (unused), with one friend only, ideas judged.
const WEIGHTS: [i32; 18] = [60, 100, 4, 10, 10, 12, 3, 5, 12, 20, 120, 50, 30, 3, 150, 0, 8, 40];

/// A weight.
pub(super) const fn w(n: usize) -> i32 {
    WEIGHTS[n]
}
