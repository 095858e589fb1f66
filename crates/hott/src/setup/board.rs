//! How large the board is (HOTT-004, BB-020, BB-091), and how deep deployment zones are (HOTT-076, BB-026).

use crate::battle::Battle;
use crate::table::options::BoardForm;
use crate::table::{Scale, Tables};
use field::{Board, Len, PACE};

/// The board for armies of so many AP together and so many sides.
#[must_use]
pub fn board_for(tables: &Tables, scale: Scale, ap: i32, sides: usize) -> Board {
    let normal = tables.board(scale);
    let (mut width, mut height) = (normal, normal);
    if tables.is_big() {
        let per = tables.numbers.board_ap.max(1);
        let wide = match tables.big.board {
            BoardForm::BySides => sides <= 2,
            BoardForm::Wide => true,
            BoardForm::Square => false,
        };
        if wide {
            width =
                (i64::from(normal) * i64::from(ap) / i64::from(per)).clamp(i64::from(normal), 25_600) as i32;
        } else {
            let area = i64::from(normal) * i64::from(normal) * i64::from(ap) / i64::from(per);
            // BB-091: sides rounded to 10p.
            let side = ((area.isqrt() + 5) / 10 * 10).clamp(i64::from(normal), 25_600) as i32;
            (width, height) = (side, side);
        }
        if tables.big.board_width > 0 {
            width = tables.big.board_width;
        }
        if tables.big.board_depth > 0 {
            height = tables.big.board_depth;
        }
    }
    Board::new(width * PACE, height * PACE)
}

impl Battle {
    /// HOTT-076, BB-026: how deep the deployment zones are.
    #[must_use]
    pub fn zone_depth(&self) -> Len {
        let tables = &self.tables;
        if tables.is_big() && tables.big.deployment_depth > 0 {
            return tables.big.deployment_depth * PACE;
        }
        let plain = i64::from(tables.numbers.deployment_depth * PACE);
        if !tables.is_big() {
            return plain as Len;
        }
        let depth = i64::from(self.board.width.min(self.board.height));
        (plain * depth / i64::from(tables.board(self.scale) * PACE)) as Len
    }
}
