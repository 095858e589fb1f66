//! Deployment: who is placed where (HOTT-076 to HOTT-078, BB-024), and a plain order of battle as a start.

use crate::battle::{Battle, CommandId, ElementId, Fate, Refusal, SideId, State, Strong, Why};
use crate::table::{Class, TroopType};
use field::{Base, BoardEdge, Len, Pose};
use rulebook::rule;

/// HOTT-078: Gods, Dragons and Lurkers of both kinds start off the table.
#[must_use]
pub fn starts_off_table(ty: TroopType) -> bool {
    matches!(ty, TroopType::God | TroopType::Drg) || ty.is_lurker()
}

impl Battle {
    /// The elements of a command that are deployed at the start.
    pub(crate) fn deployable(&self, command: CommandId) -> impl Iterator<Item = ElementId> + '_ {
        self.ids().filter(move |id| {
            let e = self.element(*id);
            e.command == command && !starts_off_table(e.ty)
        })
    }

    /// An element of a command that still has to be placed. HOTT-080 with `littoral`: on a board with a waterway a few
    /// ground elements may be kept off to land.
    pub(crate) fn must_have_a_place(&self, state: &State, command: CommandId) -> Option<ElementId> {
        let mut waiting = self.deployable(command).filter(|id| !state.on_table(*id));
        if !self.tables.options.littoral || !state.ground.has_waterway(&self.board) {
            return waiting.next();
        }
        let may_land = |id: &ElementId| self.tables.class(self.element(*id).ty) != Class::Aerial;
        let most = usize::try_from(self.tables.numbers.littoral_elements).unwrap_or(0);
        let mut all: Vec<ElementId> = waiting.collect();
        match all.iter().position(|id| !may_land(id)) {
            Some(n) => Some(all.swap_remove(n)),
            None => (all.len() > most).then(|| all.swap_remove(most)),
        }
    }

    /// HOTT-076, HOTT-077: whether an element may be deployed here, the elements of `without` not in the way.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn may_deploy(
        &self,
        state: &State,
        who: ElementId,
        pose: Pose,
        without: &[ElementId],
    ) -> Result<(), Refusal> {
        let info = self.element(who);
        let base = Base::new(pose, info.size);
        let label = self.full_label(who);
        let edge = state.side(info.side).edge.unwrap_or(BoardEdge::Lower);
        let depth = self.zone_depth();
        if !self.in_zone(state, info.side, &base) {
            let edge = crate::words::edge_word(edge);
            if self.board.within_of_edge(&base, state.side(info.side).edge.unwrap_or(BoardEdge::Lower), depth)
            {
                let gap = self.tables.numbers.zone_gap;
                let words = format!(
                    "{label} must stand wholly over against its own base edge, {gap}p from those of others"
                );
                return Err(Refusal::new(rule!("BB-091"), Why::OffBoard(who), words));
            }
            let words =
                format!("{label} must stand wholly within {}p of the {edge} edge", depth / field::PACE);
            return Err(Refusal::new(rule!("HOTT-076"), Why::OffBoard(who), words));
        }
        for other in self.ids().filter(|o| *o != who && state.on_table(*o) && !without.contains(o)) {
            let there = Base::new(state.element(other).pose, self.element(other).size);
            if base.overlaps(&there) {
                let words = format!("{label} would stand on {}", self.full_label(other));
                return Err(Refusal::new(rule!("HOTT-077"), Why::OnTopOf { who, other }, words));
            }
        }
        for (theirs, side) in state.sides.iter().enumerate() {
            if matches!(side.strong, Strong::Stands(strong) if base.overlaps(&strong)) {
                let words = format!("{label} would stand on a Stronghold");
                return Err(Refusal::new(rule!("HOTT-077"), Why::Other, words));
            }
            let hostile = self.sides[info.side.index()].hostile & (1 << theirs) != 0;
            if hostile && matches!(side.strong, Strong::Stands(strong) if base.touches(&strong)) {
                let words = format!("{label} would touch hostile Baggage");
                return Err(Refusal::new(rule!("BB-080"), Why::Other, words));
            }
        }
        self.may_stand(state, who, &base)
    }

    /// HOTT-045, HOTT-056, HOTT-060, HOTT-077, HOTT-142: whether an element may stand on the ground here.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn may_stand(&self, state: &State, who: ElementId, base: &Base) -> Result<(), Refusal> {
        let class = self.tables.class(self.element(who).ty);
        let under = state.ground.under(base);
        let mut rule = under.forbids_end(&self.tables, class);
        let troop = self.tables.troop(self.element(who).ty);
        if rule.is_none() && class != Class::Aerial && !state.ground.on_road(base) {
            use crate::table::Column;
            let stuck = under.footing.bad && troop.rate(Column::Bad) == 0 && !troop.ty.is_lurker();
            rule = stuck.then_some(rule!("HOTT-045"));
        }
        match rule {
            None => Ok(()),
            Some(rule) => {
                let why = state.ground.why_not(&self.tables, rule, |f| f.shape.overlaps(base));
                let words = format!("{} would stand in {why}", self.full_label(who));
                Err(Refusal::new(rule, Why::NoGoing(who), words))
            }
        }
    }
}

/// The place of an element in a plain line of battle: line troops in the middle, those who strike beside them, those
/// who ride on the wings; what shoots far and what works magic behind.
fn role(ty: TroopType) -> (u8, u8) {
    use TroopType::*;
    match ty {
        Spr => (0, 0),
        Bld => (0, 1),
        Wbd => (0, 2),
        Sht => (0, 3),
        Beh => (0, 4),
        Hrd => (0, 5),
        Kni | Her | Pal => (0, 6),
        Rid | Bst | LtH => (0, 7),
        AHe | Fly | Abt => (0, 8),
        Art => (1, 0),
        Clr => (1, 1),
        Mag => (1, 2),
        _ => (1, 3),
    }
}

/// Those of a command in the order of a plain line of battle.
pub(super) fn order_of_battle(battle: &Battle, who: impl Iterator<Item = ElementId>) -> Vec<ElementId> {
    let mut all: Vec<ElementId> = who.collect();
    all.sort_by_key(|id| (role(battle.element(*id).ty), *id));
    all
}

/// The places along the front of a zone: rows from the front back, files to both sides of the middle.
struct Rows {
    foot: Pose,
    width: Len,
    /// How far one row stands behind another.
    step: Len,
    zone: Len,
    rows: i32,
    /// Files to each side of the middle.
    files: i32,
}

impl Rows {
    /// Rows of so deep bases, half a base apart, or close behind each other.
    fn new(battle: &Battle, state: &State, side: SideId, deepest: Len, close: bool) -> Rows {
        let stretch = battle.base_edge(state, side);
        let (width, zone) = (battle.base_width(), battle.zone_depth());
        let step = if close { deepest } else { deepest + width / 2 };
        Rows {
            foot: Pose::at(stretch.middle(&battle.board), stretch.edge.inward()),
            width,
            step,
            zone,
            rows: (zone / step.max(1)).max(1),
            files: stretch.length() / width / 2,
        }
    }

    fn place(&self, file: i32, row: i32) -> Pose {
        self.foot.moved(file * self.width, self.zone - row * self.step)
    }
}

/// 0, 1, -1, 2, -2 …: from the middle outwards.
fn outwards(count: i32) -> impl Iterator<Item = i32> + Clone {
    (0..count).map(|k| if k % 2 == 0 { -(k / 2) } else { (k + 1) / 2 })
}

/// A command in a block by itself, wherever between the others there is room for it (BB-024), as near to the front and
/// to the middle as can be; `None` if there is none.
#[must_use]
pub fn deployment_in_gap(
    battle: &Battle,
    state: &State,
    side: SideId,
    command: CommandId,
) -> Option<Vec<(ElementId, Pose)>> {
    let waiting = order_of_battle(
        battle,
        battle.deployable(command).filter(|id| state.element(*id).fate == Fate::Waiting),
    );
    let deepest = waiting.iter().map(|id| battle.element(*id).size.depth).max()?;
    let others = battle.hulls_of_others(state, command);
    [false, true].into_iter().find_map(|close| {
        let rows = Rows::new(battle, state, side, deepest, close);
        in_block(battle, state, command, &waiting, &rows, deepest, &others)
    })
}

/// How many files a block is wide: handsome ones first, then long lines for who is many, then a column.
const WIDE: [i32; 13] = [12, 8, 6, 4, 3, 2, 16, 20, 24, 32, 48, 64, 1];

/// So many blocks that no enemy or friend lies across are tried at most, for the sake of time: then the ground is too
/// broken for blocks.
const MOST_BLOCKS: usize = 300;

/// The first block among these rows in which everybody may stand.
fn in_block(
    battle: &Battle,
    state: &State,
    command: CommandId,
    waiting: &[ElementId],
    rows: &Rows,
    deepest: Len,
    others: &[field::Polygon],
) -> Option<Vec<(ElementId, Pose)>> {
    let count = i32::try_from(waiting.len()).unwrap_or(i32::MAX);
    let mut tried = 0;
    for first in 0..rows.rows {
        for wide in WIDE.into_iter().filter(|w| *w <= 2 * rows.files + 1) {
            // Too few rows are left for so narrow a block.
            if (count + wide - 1) / wide > rows.rows - first {
                continue;
            }
            // One row more than it takes, for what the ground forbids.
            let deep = (count + wide - 1) / wide + 1;
            for shift in outwards(2 * rows.files + 1) {
                let (left, right) = (shift - wide / 2, shift - wide / 2 + wide - 1);
                let corner = |file: i32, half: Len, row: i32, back: Len| {
                    rows.place(file, row).moved(half, -back).point()
                };
                let (half, last) = (rows.width / 2, first + (count + wide - 1) / wide - 1);
                let block = [
                    corner(left, -half, last, deepest),
                    corner(right, half, last, deepest),
                    corner(right, half, first, 0),
                    corner(left, -half, first, 0),
                ];
                let block = field::Polygon::new(&block).ok()?;
                if others.iter().any(|hull| super::steps::hulls_overlap(&block, hull)) {
                    continue;
                }
                tried += 1;
                if tried > MOST_BLOCKS {
                    return None;
                }
                let slots = (first..(first + deep).min(rows.rows))
                    .flat_map(|row| outwards(wide).map(move |k| (shift - (wide - 1) % 2 + k, row)))
                    .map(|(file, row)| rows.place(file, row));
                if let Some(placed) = fill(battle, state, waiting, slots, command) {
                    return Some(placed);
                }
            }
        }
    }
    None
}

/// Everybody in these places, in order; `None` if they do not do for all, or not for the command by itself.
fn fill(
    battle: &Battle,
    state: &State,
    waiting: &[ElementId],
    mut slots: impl Iterator<Item = Pose>,
    command: CommandId,
) -> Option<Vec<(ElementId, Pose)>> {
    let (mut after, mut placed) = (state.clone(), Vec::new());
    for id in waiting {
        let pose = slots.by_ref().find(|pose| battle.may_deploy(&after, *id, *pose, &[]).is_ok())?;
        let now = &mut after.elements[id.index()];
        (now.pose, now.fate) = (pose, Fate::Table);
        placed.push((*id, pose));
    }
    battle.may_stand_together(&after, command).is_ok().then_some(placed)
}

/// A plain order of battle for those of a side's elements of these commands that are not yet on table: a line along
/// the front of the zone, shifted sideways by so many base widths. Who finds no place is left out.
#[must_use]
pub fn standard_deployment(
    battle: &Battle,
    state: &State,
    side: SideId,
    commands: &[CommandId],
    shift: i32,
) -> Vec<(ElementId, Pose)> {
    let mut waiting: Vec<ElementId> = commands
        .iter()
        .flat_map(|c| battle.deployable(*c))
        .filter(|id| state.element(*id).fate == Fate::Waiting)
        .collect();
    waiting.sort_by_key(|id| (role(battle.element(*id).ty), *id));
    let deepest = waiting.iter().map(|id| battle.element(*id).size.depth).max().unwrap_or(0);
    let lines = Rows::new(battle, state, side, deepest, false);
    let (mut state, mut placed) = (state.clone(), Vec::new());
    for id in waiting {
        let (back, _) = role(battle.element(id).ty);
        let mut slots = (i32::from(back)..lines.rows)
            .flat_map(|row| outwards(2 * lines.files + 1).map(move |k| (k + shift, row)));
        let found = slots.find_map(|(file, row)| {
            let pose = lines.place(file, row);
            battle.may_deploy(&state, id, pose, &[]).is_ok().then_some(pose)
        });
        if let Some(pose) = found {
            let now = &mut state.elements[id.index()];
            (now.pose, now.fate) = (pose, Fate::Table);
            placed.push((id, pose));
        }
    }
    placed
}
