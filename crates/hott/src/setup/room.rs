//! Whether every side has room to deploy on this board: a set-up that cannot be played is refused before anybody dices.

use super::stretch::rim;
use crate::battle::{Battle, CommandId, Part, SideId, State};
use field::{Base, BoardEdge, Len, PACE, Pose, Size};
use game::Problem;
use rulebook::rule;

impl Battle {
    /// HOTT-076, BB-091: whether the zones hold the armies, whoever gets which: rows of bases side by side, no ground
    /// taken into account.
    ///
    /// # Errors
    /// The side that has no room, with what it needs.
    pub(crate) fn has_room(&self) -> Result<(), Problem> {
        let start = &self.opening.start;
        let mut trial = start.clone();
        if start.sides.iter().any(|s| s.edge.is_none()) {
            self.share_by_trial(&mut trial);
        }
        for side in (0..self.sides.len() as u8).map(SideId) {
            let waiting = self
                .commands
                .iter()
                .enumerate()
                .filter(|(n, c)| c.side == side && !start.commands[*n].deployed)
                .map(|(n, _)| self.deployable(CommandId(n as u8)).count())
                .sum::<usize>();
            let room = self.places_in_zone(&trial, side, waiting);
            if room >= waiting {
                continue;
            }
            let letter = self.sides[side.index()].letter;
            let (w, h) = (self.board.width / PACE, self.board.height / PACE);
            let several = self.sides.len() > 2;
            let rule = if several { rule!("BB-091") } else { rule!("HOTT-076") };
            let gap = if several {
                format!(", {}p from the base edges of the others", self.tables.numbers.zone_gap)
            } else {
                String::new()
            };
            let words = format!(
                "side {letter} has {waiting} elements to deploy and its zone{gap} holds {room} on a board of {w} by {h} paces"
            );
            let hint = if several && !self.tables.is_big() {
                "--rules big makes the board as large as the armies ask for; or give a larger board"
            } else {
                "give a larger board, or smaller armies"
            };
            return Err(Problem::new(words).by(rule).hint(hint));
        }
        Ok(())
    }

    /// Edges for everybody, in the order of the sides, allies beside each other (BB-092).
    fn share_by_trial(&self, trial: &mut State) {
        let count = self.sides.len();
        if count == 2 {
            let long = self.board.width >= self.board.height || !self.tables.is_big();
            let edges =
                if long { [BoardEdge::Lower, BoardEdge::Upper] } else { [BoardEdge::Left, BoardEdge::Right] };
            for (side, edge) in trial.sides.iter_mut().zip(edges) {
                side.edge = Some(edge);
            }
            return;
        }
        let mut left: Vec<SideId> = (0..count as u8).map(SideId).collect();
        let mut order: Vec<SideId> = Vec::new();
        while !left.is_empty() {
            let last = order.last().copied();
            let ally = left.iter().position(|s| last.is_some_and(|l| !self.hostile(*s, l)));
            order.push(left.remove(ally.unwrap_or(0)));
        }
        trial.large.parts = vec![Part::Whole; count];
        for (side, (edge, part)) in order.into_iter().zip(rim(BoardEdge::Lower, count)) {
            trial.sides[side.index()].edge = Some(edge);
            trial.large.parts[side.index()] = part;
        }
    }

    /// How many bases of the army's own depth find a place in rows along the edge, up to `enough`.
    fn places_in_zone(&self, state: &State, side: SideId, enough: usize) -> usize {
        let stretch = self.base_edge(state, side);
        let (width, foot) = (self.base_width(), stretch.middle(&self.board));
        let inward = stretch.edge.inward();
        let mut depths: Vec<Len> = self.ids_of(side).map(|id| self.element(id).size.depth).collect();
        depths.sort_unstable();
        // A middling depth: armies mix deep bases and shallow ones.
        let depth = depths.get(depths.len() / 2).copied().unwrap_or(width).max(1);
        let files = stretch.length() / width.max(1);
        let zone = self.zone_depth();
        let mut found = 0;
        for row in 1..=zone / depth {
            for file in 0..files {
                let aside = (2 * file - files + 1) * width / 2;
                let base =
                    Base::new(Pose::at(foot, inward).moved(aside, row * depth), Size::new(width, depth));
                found += usize::from(self.board.contains(&base) && self.in_zone(state, side, &base));
                if found >= enough {
                    return found;
                }
            }
        }
        found
    }
}
