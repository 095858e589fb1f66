//! Whole armies drawn up in little room: every command in a strip of files by itself, from the front of the zone back to
//! the base edge. Plain to look at it is not; it tells whether an army has room at all, and is a way to stand when no
//! handsomer one is found.

use super::deploy::{deployment_in_gap, order_of_battle};
use crate::battle::{Battle, CommandId, ElementId, Fate, SideId, State, Strong};
use field::{Base, Len, Point, Pose};

/// A command and where each of its elements stands.
pub type Placed = (CommandId, Vec<(ElementId, Pose)>);

/// Places for everybody of these commands of one side, each command by itself (BB-024), whoever of them stands already
/// taken up anew; `None` if none are found.
#[must_use]
pub fn room_for_all(
    battle: &Battle,
    state: &State,
    side: SideId,
    commands: &[CommandId],
) -> Option<Vec<Placed>> {
    let empty = taken_up(battle, state, commands);
    in_gaps(battle, &empty, side, commands).or_else(|| in_strips(battle, &empty, side, commands))
}

/// Whether these commands of one side would find places; a quicker look than [`room_for_all`].
#[must_use]
pub(crate) fn has_room_for_all(battle: &Battle, state: &State, side: SideId, commands: &[CommandId]) -> bool {
    if commands.is_empty() {
        return true;
    }
    let empty = taken_up(battle, state, commands);
    in_strips(battle, &empty, side, commands).is_some() || in_gaps(battle, &empty, side, commands).is_some()
}

/// The table without these commands.
fn taken_up(battle: &Battle, state: &State, commands: &[CommandId]) -> State {
    let mut empty = state.clone();
    for command in commands {
        for id in battle.deployable(*command) {
            empty.elements[id.index()].fate = Fate::Waiting;
        }
    }
    empty
}

/// One after another in the first gap where it has room.
fn in_gaps(battle: &Battle, empty: &State, side: SideId, commands: &[CommandId]) -> Option<Vec<Placed>> {
    let mut after = empty.clone();
    let mut all = Vec::new();
    for command in commands {
        if battle.deployable(*command).next().is_none() {
            continue;
        }
        let placed = deployment_in_gap(battle, &after, side, *command)?;
        for (id, pose) in &placed {
            let now = &mut after.elements[id.index()];
            (now.pose, now.fate) = (*pose, Fate::Table);
        }
        all.push((*command, placed));
    }
    Some(all)
}

/// One beside another, each as many files wide as it needs: in their order, or the largest first.
fn in_strips(battle: &Battle, empty: &State, side: SideId, commands: &[CommandId]) -> Option<Vec<Placed>> {
    let strips = Strips::new(battle, empty, side, commands);
    let mut largest: Vec<CommandId> = commands.to_vec();
    largest.sort_by_key(|c| (std::cmp::Reverse(battle.deployable(*c).count()), *c));
    strips.fill(commands).or_else(|| (largest != commands).then(|| strips.fill(&largest)).flatten())
}

/// The files of a zone, and what stands in their way.
struct Strips<'a> {
    battle: &'a Battle,
    state: &'a State,
    side: SideId,
    foot: Pose,
    files: i32,
    width: Len,
    zone: Len,
    /// Who stands there already.
    taken: Vec<Base>,
    /// Files that another command lies across (BB-024).
    blocked: Vec<bool>,
}

impl<'a> Strips<'a> {
    fn new(battle: &'a Battle, state: &'a State, side: SideId, commands: &[CommandId]) -> Strips<'a> {
        let stretch = battle.base_edge(state, side);
        let width = battle.base_width().max(1);
        let mut strips = Strips {
            battle,
            state,
            side,
            foot: Pose::at(stretch.middle(&battle.board), stretch.edge.inward()),
            files: stretch.length() / width,
            width,
            zone: battle.zone_depth(),
            taken: battle.ids().filter(|id| state.on_table(*id)).map(|id| battle.base(state, id)).collect(),
            blocked: Vec::new(),
        };
        let hulls = commands.first().map(|c| battle.hulls_of_others(state, *c)).unwrap_or_default();
        strips.blocked = (0..strips.files)
            .map(|file| {
                let column = strips.column(file);
                hulls.iter().any(|hull| {
                    column.as_ref().is_none_or(|column| super::steps::hulls_overlap(column, hull))
                })
            })
            .collect();
        strips
    }

    /// The middle of a front edge so far up a file.
    fn place(&self, file: i32, ahead: Len) -> Pose {
        self.foot.moved((2 * file + 1 - self.files) * self.width / 2, ahead)
    }

    /// A file from the base edge to the front of the zone.
    fn column(&self, file: i32) -> Option<field::Polygon> {
        let (front, half) = (self.place(file, self.zone), self.width / 2);
        let corner = |right: Len, back: Len| -> Point { front.moved(right, -back).point() };
        let corners = [corner(-half, self.zone), corner(half, self.zone), corner(half, 0), corner(-half, 0)];
        field::Polygon::new(&corners).ok()
    }

    fn fill(&self, commands: &[CommandId]) -> Option<Vec<Placed>> {
        let mut all = Vec::new();
        let mut next = 0;
        for command in commands {
            let waiting: Vec<ElementId> = order_of_battle(self.battle, self.battle.deployable(*command));
            if waiting.is_empty() {
                continue;
            }
            let (mut left, mut placed) = (waiting.clone(), Vec::new());
            while !left.is_empty() {
                if next >= self.files {
                    return None;
                }
                if self.blocked.get(usize::try_from(next).unwrap_or(0)).copied().unwrap_or(true) {
                    // A command does not stand on both sides of another.
                    (left, placed) = (waiting.clone(), Vec::new());
                } else {
                    self.fill_file(next, &mut left, &mut placed);
                }
                next += 1;
            }
            all.push((*command, placed));
        }
        Some(all)
    }

    /// From the front back, the first of those who wait that may stand there; past a bad place by quarters of a base.
    fn fill_file(&self, file: i32, left: &mut Vec<ElementId>, placed: &mut Vec<(ElementId, Pose)>) {
        let mut ahead = self.zone;
        while ahead > 0 && !left.is_empty() {
            let pose = self.place(file, ahead);
            let mut tried = Vec::new();
            let found = left.iter().position(|id| {
                let ty = self.battle.element(*id).ty;
                if tried.contains(&ty) {
                    return false;
                }
                tried.push(ty);
                self.may_stand(*id, pose)
            });
            match found {
                Some(n) => {
                    let id = left.remove(n);
                    placed.push((id, pose));
                    ahead -= self.battle.element(id).size.depth.max(1);
                }
                None => ahead -= (self.width / 4).max(1),
            }
        }
    }

    /// As [`Battle::may_deploy`], but that nobody of those who are being placed is in the way.
    fn may_stand(&self, id: ElementId, pose: Pose) -> bool {
        let base = Base::new(pose, self.battle.element(id).size);
        let hostile = self.battle.sides[self.side.index()].hostile;
        let clear = |(n, s): (usize, &crate::battle::SideState)| match s.strong {
            Strong::Stands(b) => !(base.overlaps(&b) || hostile & (1 << n) != 0 && base.touches(&b)),
            _ => true,
        };
        self.battle.in_zone(self.state, self.side, &base)
            && !self.taken.iter().any(|t| base.overlaps(t))
            && self.state.sides.iter().enumerate().all(clear)
            && self.battle.may_stand(self.state, id, &base).is_ok()
    }
}
