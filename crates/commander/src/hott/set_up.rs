//! Before the battle: ground, edges, the Stronghold, and who stands where.

use super::steady::is_legal;
use crate::{Choose, Sight};
use field::{Base, BoardEdge, Len, PACE, Pose};
use hott::battle::{Battle, Command, CommandId, ElementId, Fate, SideId, State, Strong};
use hott::ground::Ground;
use hott::table::{Class, TroopType};
use std::sync::Arc;

/// So many grounds are tried at most for one that the game takes.
const MOST_GROUNDS: u64 = 20;

/// HOTT-070: ground made from a number, such that everybody has room; `None` if none is found.
pub(super) fn ground(sight: &Sight<'_, Battle>, seed: u64) -> Option<Command> {
    let battle = sight.game;
    let halves: u32 = battle.sides.iter().map(|s| s.halves).sum();
    let ap = i32::try_from(halves / 2).unwrap_or(i32::MAX);
    // CAM-072: a province asks for ground of its own.
    let duty = sight.state.large.contest.as_ref().and_then(|c| c.ground.as_ref());
    let made = |n: u64| {
        let number = Choose::of(&[seed, n]).draw();
        Command::Ground(Arc::new(match duty {
            Some(duty) => Ground::for_province(number, battle, duty),
            None => Ground::random(number, &battle.tables, &battle.board, battle.scale, ap),
        }))
    };
    // The first number is 1, as 2 and 3 are for edges and deployment.
    let mut all = std::iter::once(1).chain(100..100 + MOST_GROUNDS).map(made);
    all.find(|ground| is_legal(sight, ground))
}

/// HOTT-071: the likeliest edge is drawn by lot among those that are long enough, and leave everybody room.
pub(super) fn edges(sight: &Sight<'_, Battle>, seed: u64) -> Command {
    let battle = sight.game;
    let mut choose = Choose::of(&[seed, 2]);
    let wide = battle.board.width >= battle.board.height;
    let long = if wide { [BoardEdge::Lower, BoardEdge::Upper] } else { [BoardEdge::Left, BoardEdge::Right] };
    let first = long[choose.below(2)];
    let named = |last: BoardEdge| {
        let mut edges = [last; 4];
        let others = BoardEdge::ALL.into_iter().filter(|e| *e != last);
        for (to, edge) in edges.iter_mut().zip(others) {
            *to = edge;
        }
        Command::Edges(edges)
    };
    let mut rest = std::iter::once(first).chain(BoardEdge::ALL).map(named);
    rest.find(|edges| is_legal(sight, edges)).unwrap_or_else(|| named(first))
}

/// How badly one stands who found no place in his line: as badly as in ground that harms him twice over.
const ADRIFT: i32 = 6;

/// A place for an army: a frame with its foot in the middle of the base edge.
struct Field<'a> {
    battle: &'a Battle,
    state: &'a State,
    origin: Pose,
    long: Len,
    zone: Len,
    width: Len,
    taken: Vec<Base>,
}

impl<'a> Field<'a> {
    fn new(battle: &'a Battle, state: &'a State, side: SideId) -> Field<'a> {
        // BB-091: it may be half an edge.
        let stretch = battle.base_edge(state, side);
        let strongs = state.sides.iter().filter_map(|s| match s.strong {
            Strong::Stands(base) | Strong::Lost(base) => Some(base),
            _ => None,
        });
        let stands = battle.ids().filter(|id| state.on_table(*id)).map(|id| battle.base(state, id));
        Field {
            battle,
            state,
            origin: Pose::at(stretch.middle(&battle.board), stretch.edge.inward()),
            long: stretch.length(),
            zone: battle.zone_depth(),
            width: battle.base_width(),
            taken: strongs.chain(stands).collect(),
        }
    }

    /// A pose so far right of the middle of the edge and so far from it, looking inward.
    fn at(&self, right: Len, ahead: Len) -> Pose {
        self.origin.moved(right, ahead)
    }

    fn may_stand(&self, id: ElementId, base: &Base) -> bool {
        let info = self.battle.element(id);
        let class = self.battle.tables.class(info.ty);
        let under = self.state.ground.under(base);
        let edge = self.state.side(info.side).edge.unwrap_or(BoardEdge::Lower);
        self.battle.board.within_of_edge(base, edge, self.zone)
            && !self.taken.iter().any(|t| base.overlaps(t))
            && under.forbids_end(&self.battle.tables, class).is_none()
            && !(info.ty == TroopType::Art && (under.footing.bad || under.footing.water))
    }

    /// How badly an element stands there: bad going for those who suffer in it.
    fn harm(&self, id: ElementId, base: &Base) -> i32 {
        let footing = self.state.ground.footing(base);
        let ty = self.battle.element(id).ty;
        if !(footing.bad || footing.water) {
            return 0;
        }
        match ty {
            TroopType::Kni | TroopType::Rid | TroopType::Beh | TroopType::Her | TroopType::Pal => 4,
            TroopType::Wbd | TroopType::Sht | TroopType::Bst => 0,
            _ => 2,
        }
    }
}

/// Who goes his own way: nobody marches behind him.
fn goes_alone(ty: TroopType) -> bool {
    matches!(ty, TroopType::Beh | TroopType::Art | TroopType::Drg | TroopType::God)
}

fn rides(battle: &Battle, id: ElementId) -> bool {
    battle.tables.class(battle.element(id).ty) == Class::Mounted
}

/// Deploys a command by role: foot in line, Spears and Warbands in support, mounted on a wing, Artillery in the line
/// where it sees, Magicians behind, Aerials in reserve, the general near the middle and not in front.
/// `None` if anybody finds no place.
pub(super) fn deploy(
    battle: &Battle,
    state: &State,
    side: SideId,
    commands: &[CommandId],
    seed: u64,
) -> Option<Vec<(ElementId, Pose)>> {
    let mut waiting: Vec<ElementId> = battle
        .ids_of(side)
        .filter(|id| {
            let e = battle.element(*id);
            commands.contains(&e.command)
                && state.element(*id).fate == Fate::Waiting
                && !hott::setup::starts_off_table(e.ty)
        })
        .collect();
    waiting.sort_by_key(|id| (battle.element(*id).ty, *id));
    let mut choose = Choose::of(&[seed, 3]);
    let right_wing = wing(battle, state, side, &mut choose);
    let mut best: Option<(i32, Vec<(ElementId, Pose)>)> = None;
    for shift in [0, 1, -1, 2, -2, 3, -3, 4, -4] {
        let mut field = Field::new(battle, state, side);
        let (missing, harm, placed) = draw_up(&mut field, &waiting, right_wing, shift);
        let cost = missing * 100 + harm * 3 + shift.abs();
        if best.as_ref().is_none_or(|(b, _)| cost < *b) {
            best = Some((cost, placed));
        }
    }
    best.map(|(_, placed)| placed).filter(|placed| placed.len() == waiting.len() && !placed.is_empty())
}

/// The wing on which the mounted stand: the one with more open ground; by lot if both are alike.
fn wing(battle: &Battle, state: &State, side: SideId, choose: &mut Choose) -> bool {
    let field = Field::new(battle, state, side);
    let rough = |sign: Len| -> usize {
        (2..7)
            .flat_map(|file| (1..6).map(move |row| (file, row)))
            .filter(|(file, row)| {
                let pose = field.at(sign * file * field.width, field.zone + row * field.width);
                let base = Base::new(pose, field::Size::new(field.width, field.width));
                let under = state.ground.footing(&base);
                under.bad || under.water
            })
            .count()
    };
    let (left, right) = (rough(-1), rough(1));
    if left == right { choose.below(2) == 0 } else { right < left }
}

/// Draws the army up with its middle shifted by so many base widths: who finds no place, the harm of the ground, and
/// the places.
fn draw_up(
    field: &mut Field<'_>,
    waiting: &[ElementId],
    right_wing: bool,
    shift: i32,
) -> (i32, i32, Vec<(ElementId, Pose)>) {
    let battle = field.battle;
    let ty = |id: &ElementId| battle.element(*id).ty;
    let general = |id: &ElementId| battle.element(*id).general;
    let mut front: Vec<(ElementId, Option<ElementId>)> = Vec::new();
    // The foot, in blocks of one type; every second Spear or Warband of a block supports the one before it.
    for block in [TroopType::Spr, TroopType::Bld, TroopType::Wbd, TroopType::Hrd, TroopType::Sht] {
        let mut all: Vec<ElementId> = waiting.iter().copied().filter(|id| ty(id) == block).collect();
        all.sort_by_key(|id| (!general(id), *id));
        let pairs = matches!(block, TroopType::Spr | TroopType::Wbd) && all.len() >= 4;
        if pairs {
            for two in all.chunks(2) {
                front.push((two[0], two.get(1).copied()));
            }
        } else {
            front.extend(all.into_iter().map(|id| (id, None)));
        }
    }
    let foot = front.len();
    let guns: Vec<_> =
        waiting.iter().copied().filter(|id| ty(id) == TroopType::Art).map(|id| (id, None)).collect();
    let wheels = guns.len();
    let beasts = waiting.iter().copied().filter(|id| ty(id) == TroopType::Beh).map(|id| (id, None));
    let mut riders: Vec<ElementId> = waiting
        .iter()
        .copied()
        .filter(|id| rides(battle, *id) && ty(id) != TroopType::Beh && !general(id))
        .collect();
    riders.sort_by_key(|id| (ty(id), *id));
    front.extend(guns);
    front.extend(beasts);
    front.extend(riders.into_iter().map(|id| (id, None)));
    let files = Len::try_from(front.len()).unwrap_or(0) + 1;
    let sign = if right_wing { 1 } else { -1 };
    let (mut harm, mut missing) = (0, 0);
    let mut placed: Vec<(ElementId, Pose)> = Vec::new();
    let top = field.zone - 20 * PACE;
    let room = (field.long / field.width / 2 - 1).max(1);
    let half = field.width / 2;
    // In halves of a file: guns and riders stand half a base apart from the foot, so that they are bodies of their own.
    let mut file = 2 * (-files / 2 + shift);
    for (n, (id, behind)) in front.into_iter().enumerate() {
        if n == foot || n == foot + wheels && wheels > 0 {
            file += 1;
        }
        let size = battle.element(id).size;
        let mut found = None;
        // Past a bad place the line leaves a gap.
        for skip in 0..8 {
            let right = sign * (file + skip) * half;
            if (file + skip).abs() > 2 * room {
                break;
            }
            let pose = field.at(right, top);
            let base = Base::new(pose, size);
            if field.may_stand(id, &base) {
                found = Some((base, skip));
                break;
            }
        }
        let Some((base, skip)) = found else {
            for id in [Some(id), behind].into_iter().flatten() {
                let stands = put_anywhere(field, id, &mut placed);
                missing += i32::from(stands.is_none());
                harm += stands.unwrap_or(0) + ADRIFT;
            }
            continue;
        };
        file += skip + 2;
        harm += field.harm(id, &base) + skip;
        field.taken.push(base);
        placed.push((id, base.pose));
        if let Some(second) = behind {
            let rear = Base::new(base.behind(), battle.element(second).size);
            if field.may_stand(second, &rear) {
                field.taken.push(rear);
                placed.push((second, rear.pose));
            } else {
                let stands = put_anywhere(field, second, &mut placed);
                missing += i32::from(stands.is_none());
                harm += stands.unwrap_or(0) + ADRIFT;
            }
        }
    }
    // The rest behind the line, the general first and in the middle: in touch with it, so that they march as one body;
    // where that cannot be a base width or two behind.
    let mut rest: Vec<ElementId> =
        waiting.iter().copied().filter(|id| !placed.iter().any(|(p, _)| p == id)).collect();
    rest.sort_by_key(|id| (!general(id), ty(id), *id));
    let lines: Vec<(ElementId, Base)> =
        placed.iter().map(|(id, pose)| (*id, Base::new(*pose, battle.element(*id).size))).collect();
    for id in rest {
        let deep = 300 * PACE;
        let size = battle.element(id).size;
        let apart = (0..=2 * room)
            .map(|k| if k % 2 == 0 { k / 2 } else { -(k + 1) / 2 })
            .flat_map(|k| [top - deep, top - deep - field.width].map(|ahead| (k + shift, ahead)))
            .map(|(k, ahead)| Base::new(field.at(k * field.width, ahead), size));
        // One who marches no slower than the line stands at its rear. HOTT-093: a Magician would make the whole body
        // dearer to move.
        let joins = battle.tables.class(ty(&id)) != Class::Aerial
            && !matches!(ty(&id), TroopType::Snk | TroopType::Mag);
        let mut touching: Vec<Base> = lines
            .iter()
            .filter(|(o, _)| joins && rides(battle, *o) == rides(battle, id) && !goes_alone(ty(o)))
            .map(|(_, base)| Base::new(base.behind(), size))
            .collect();
        let middle = |b: &Base| lines.iter().map(|l| b.centre().distance(l.1.centre())).max().unwrap_or(0);
        touching.sort_by_key(middle);
        let found = touching
            .into_iter()
            .chain(apart)
            .filter(|base| field.may_stand(id, base))
            .enumerate()
            .min_by_key(|(n, base)| (field.harm(id, base), *n))
            .map(|(_, base)| base);
        match found {
            Some(base) => {
                harm += field.harm(id, &base);
                field.taken.push(base);
                placed.push((id, base.pose));
            }
            None => {
                let stands = put_anywhere(field, id, &mut placed);
                missing += i32::from(stands.is_none());
                harm += stands.unwrap_or(0);
            }
        }
    }
    (missing, harm, placed)
}

/// Somewhere in the zone, the middle first: how badly it stands there.
fn put_anywhere(field: &mut Field<'_>, id: ElementId, placed: &mut Vec<(ElementId, Pose)>) -> Option<i32> {
    let size = field.battle.element(id).size;
    let room = field.long / field.width - 2;
    let rows = field.zone / field.width;
    for row in 0..rows {
        for k in 0..=2 * room {
            let k = if k % 2 == 0 { k / 2 } else { -(k + 1) / 2 };
            let base =
                Base::new(field.at(k * field.width / 2, field.zone - 20 * PACE - row * field.width), size);
            if field.may_stand(id, &base) {
                field.taken.push(base);
                placed.push((id, base.pose));
                return Some(field.harm(id, &base));
            }
        }
    }
    None
}
