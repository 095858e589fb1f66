//! Whether every side has room to deploy on this board: a set-up that cannot be played is refused before anybody dices.

use super::pack::has_room_for_all;
use super::stretch::rim;
use crate::battle::{Battle, CommandId, Part, SideId, State, Strong};
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
        // On a board of unlike edges it depends on who gets which: `fits` knows.
        let named =
            start.sides.iter().any(|s| s.edge.is_some()) && start.sides.iter().any(|s| s.edge.is_none());
        let alike = self.sides.len() == 2 || (self.board.width == self.board.height && !named);
        let counted = alike || self.tables.numbers.strict == 0;
        for side in (0..self.sides.len() as u8).map(SideId).filter(|_| counted) {
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
        self.fits(start)
    }

    /// HOTT-076, BB-024, BB-080, BB-091: whether everybody finds a place beside his Baggage and on this ground, each
    /// command by itself, whichever edges the sides come to have: whoever chooses among several edges has at least one
    /// that leaves nobody without. Records from before there was this question are not asked it.
    ///
    /// # Errors
    /// The side that has no room.
    pub(crate) fn fits(&self, state: &State) -> Result<(), Problem> {
        if self.tables.numbers.strict == 0 {
            return Ok(());
        }
        let mut trial = state.clone();
        if self.tables.is_big() && self.defender(&trial).is_none() {
            self.sides_known(&mut trial);
        }
        let count = self.sides.len();
        let all = || (0..count as u8).map(SideId);
        if trial.sides.iter().all(|s| s.edge.is_some()) {
            self.fits_depth(trial.sides.iter().filter_map(|s| s.edge))?;
            all().try_for_each(|side| self.placed_baggage(&trial).and_then(|t| self.side_fits(&t, side)))
        } else if count == 2 {
            let (lower, left) = ([BoardEdge::Lower, BoardEdge::Upper], [BoardEdge::Left, BoardEdge::Right]);
            let upright = self.board.width >= self.board.height;
            let pairs = match (self.tables.is_big(), upright) {
                (true, true) => vec![lower],
                (true, false) => vec![left],
                (false, _) => vec![lower, left],
            };
            for pair in pairs {
                self.fits_depth(pair.into_iter())?;
                for edges in [pair, [pair[1], pair[0]]] {
                    for (side, edge) in trial.sides.iter_mut().zip(edges) {
                        side.edge = Some(edge);
                    }
                    let placed = self.placed_baggage(&trial)?;
                    all().try_for_each(|side| self.side_fits(&placed, side))?;
                }
            }
            Ok(())
        } else {
            self.fits_depth(BoardEdge::ALL.into_iter())?;
            // An empty square looks alike from every edge.
            let alike = self.board.width == self.board.height
                && trial.ground.features().is_empty()
                && trial.sides.iter().all(|s| s.edge.is_none());
            let firsts = if alike { &BoardEdge::ALL[..1] } else { &BoardEdge::ALL[..] };
            let mut problem = None;
            for first in firsts {
                match self.fits_round(&trial, *first) {
                    Ok(()) => return Ok(()),
                    Err(p) => problem = problem.or(Some(p)),
                }
            }
            problem.map_or(Ok(()), Err)
        }
    }

    /// The same of three and more sides when the first of them takes this edge: whoever gets which place round the rim.
    fn fits_round(&self, state: &State, first: BoardEdge) -> Result<(), Problem> {
        let all = || (0..self.sides.len() as u8).map(SideId);
        let seeks = |s: &SideId| state.side(*s).edge.is_none() || !self.named_edges_stand();
        let seekers: Vec<SideId> = all().filter(seeks).collect();
        let places = self.free_places(state, first);
        if places.len() < seekers.len() {
            let words = "of the edges that are left not every army gets one";
            return Err(Problem::new(words)
                .by(rule!("BB-092"))
                .hint("name the edge of every side, or of none; halves are like `left top`"));
        }
        let mut trial = state.clone();
        trial.large.parts.resize(self.sides.len(), Part::Whole);
        for turn in 0..seekers.len() {
            for (n, (edge, part)) in places.iter().take(seekers.len()).enumerate() {
                let side = seekers[(n + turn) % seekers.len()].index();
                trial.sides[side].edge = Some(*edge);
                trial.large.parts[side] = *part;
            }
            let placed = self.placed_baggage(&trial)?;
            all().try_for_each(|side| self.side_fits(&placed, side))?;
        }
        Ok(())
    }

    /// BB-026: zones neither so deep that they run into each other nor so shallow that no base finds room in them.
    fn fits_depth(&self, edges: impl Iterator<Item = BoardEdge>) -> Result<(), Problem> {
        let across = |e: BoardEdge| match e {
            BoardEdge::Lower | BoardEdge::Upper => self.board.height,
            BoardEdge::Left | BoardEdge::Right => self.board.width,
        };
        let least = self.base_width() / PACE;
        let most = edges.map(across).min().unwrap_or(0) / PACE / 2;
        let depth = self.tables.big.deployment_depth;
        if !self.tables.is_big() || depth == 0 || (least..=most).contains(&depth) {
            return Ok(());
        }
        let words = if depth > most {
            format!("deployment zones {depth}p deep run into each other: half of the board is {most}p")
        } else {
            format!("deployment zones {depth}p deep hold nobody: Baggage alone is {least}p deep")
        };
        let hint = format!("big.deployment_depth: {least} to {most} on this board, or 0 for the usual depth");
        Err(Problem::new(words).by(rule!("BB-026")).hint(hint))
    }

    /// BB-080: with the Baggage that is still to come where it usually stands.
    fn placed_baggage(&self, state: &State) -> Result<State, Problem> {
        let mut placed = state.clone();
        for side in (0..self.sides.len() as u8).map(SideId) {
            if state.side(side).strong != Strong::Waiting || !self.tables.is_big() {
                continue;
            }
            match self.standard_stronghold(&placed, side, 0) {
                Some(base) => placed.sides[side.index()].strong = Strong::Stands(base),
                None => {
                    let words = format!(
                        "the zone of side {} has no room for Baggage",
                        self.sides[side.index()].letter
                    );
                    return Err(Problem::new(words).by(rule!("BB-080")).hint("give a larger board"));
                }
            }
        }
        Ok(placed)
    }

    fn side_fits(&self, state: &State, side: SideId) -> Result<(), Problem> {
        let commands = self.to_deploy(state, side);
        if has_room_for_all(self, state, side, &commands) {
            return Ok(());
        }
        let elements: usize = commands.iter().map(|c| self.deployable(*c).count()).sum();
        let (letter, n) = (self.sides[side.index()].letter, commands.len());
        let (w, h) = (self.board.width / PACE, self.board.height / PACE);
        let edge = crate::words::edge_word(self.base_edge(state, side).edge);
        let depth = self.zone_depth() / PACE;
        let words = format!(
            "side {letter} finds no room for {elements} elements{} in its zone of {depth}p at the {edge} edge of a \
             board of {w} by {h} paces",
            if n > 1 { format!(" in {n} commands, each by itself,") } else { String::new() }
        );
        let rule = if n > 1 { rule!("BB-024") } else { rule!("HOTT-076") };
        Err(Problem::new(words).by(rule).hint("a larger board, a deeper zone or smaller armies"))
    }

    /// The commands of a side that are still to be deployed.
    pub(crate) fn to_deploy(&self, state: &State, side: SideId) -> Vec<CommandId> {
        (0..self.commands.len() as u8)
            .map(CommandId)
            .filter(|c| self.commands[c.index()].side == side && !state.command(*c).deployed)
            .collect()
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
