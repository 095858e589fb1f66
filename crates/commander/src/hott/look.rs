//! A position as the commander looks at it: every element on table with what it is worth, how far it reaches, whom it
//! would beat; made once for each decision.

use super::fire::Fire;
use super::terrain::Terrain;
use super::ways::Gait;
use super::weights;
use super::worth::{AP, Purse, Stake, bout};
use field::{Base, Len, PACE, Point, Pose};
use hott::battle::{Battle, ElementId, Flags, SideId, State, Strong};
use hott::contacts::Touching;
use hott::moves::Scene;
use hott::table::{Class, Column, Fighter, Footing, Mode, Support, TroopType};

/// An element on table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub id: ElementId,
    pub base: Base,
    pub ty: TroopType,
    pub class: Class,
    pub mine: bool,
    pub general: bool,
    /// What its loss costs its side.
    pub price: i32,
    /// How far it moves in good going, in bad and wading, 1/100 pace.
    pub rate: [Len; 3],
    /// How ground slows it.
    pub gait: Gait,
    pub footing: Footing,
    pub touching: Touching,
    /// It may make a tactical move this bound (mine), or could in the next (theirs).
    pub free: bool,
    /// As it fights where it stands, alone.
    pub fighter: Fighter,
    /// How far it shoots, 1/100 pace; 0: not at all.
    pub range: Len,
    /// It works magic.
    pub bespells: bool,
    /// It may shoot in the bounds of either side.
    pub both: bool,
    /// Has a friend in support behind it.
    pub supported: bool,
}

impl Unit {
    /// Whether another fights as this one does and stands to lose as much.
    fn is_alike(&self, other: &Unit) -> bool {
        self.fighter == other.fighter
            && self.price == other.price
            && self.supported == other.supported
            && self.touching.is_hit() == other.touching.is_hit()
    }

    /// How far it moves where it stands.
    pub fn reach(&self) -> Len {
        match self.footing {
            _ if self.class == Class::Aerial => self.rate[0],
            Footing { water: true, .. } => self.rate[2],
            Footing { bad: true, .. } => self.rate[1],
            _ => self.rate[0],
        }
    }
}

/// What the commander sees.
pub(super) struct Look<'a> {
    pub battle: &'a Battle,
    pub state: &'a State,
    pub side: SideId,
    /// The ground in squares.
    pub terrain: &'a Terrain,
    pub scene: Scene<'a>,
    pub units: Vec<Unit>,
    /// Indices of units of the own side, and of hostile ones.
    pub mine: Vec<usize>,
    pub foes: Vec<usize>,
    /// For each own unit and each foe, in the order of the lists: what a plain fight brings us.
    pub edge: Vec<i32>,
    /// For each foe and each own unit: what a plain fight that the foe seeks brings it, while the unit has room to recoil
    /// and when it has none.
    threat: [Vec<i32>; 2],
    /// What shots bring and cost.
    pub fire: Fire,
    /// For each foe and each own unit that is dear: what the foe's spell brings it; empty if nobody works magic.
    darts: Vec<i32>,
    /// What each foe's attack, shot and spell threaten the general with, free to recoil and trapped.
    pub dooms: [[Vec<i32>; 2]; 3],
    /// 1 BW.
    pub width: Len,
    /// The own side's purse and the enemy's.
    pub purses: [Purse; 2],
    /// The middle of the enemy Stronghold.
    pub walls: Option<Point>,
    /// The ground enemy nearest to the own Stronghold, if he is near: how far in paces, and where.
    pub besieger: Option<(i32, Point)>,
    /// Where those who fight would recoil to.
    pub recoils: Vec<Base>,
    /// Whose room to recoil into is to be kept free, that room, what it costs to fill it.
    pub rooms: Vec<(ElementId, Base, i32)>,
    /// What hostile Lurkers who lie in wait threaten the general with; 0: there are none.
    pub lurkers: i32,
    /// How far from the enemy the main body stands, in paces.
    pub main: i32,
    /// How eager to close: 100 at first, more as the battle drags on.
    pub eager: i32,
}

impl<'a> Look<'a> {
    /// The position as this side looks at it.
    pub fn new(battle: &'a Battle, state: &'a State, side: SideId, terrain: &'a Terrain) -> Look<'a> {
        let scene = Scene::new(battle, state);
        let bound = i32::try_from(state.bound).unwrap_or(i32::MAX);
        let purse = Purse::of(battle, state, side).own(bound);
        let enemy = battle.sides.iter().position(|s| s.hostile & (1 << side.0) != 0).unwrap_or(0);
        let enemy = SideId(u8::try_from(enemy).unwrap_or(0));
        let mut theirs = Purse::of(battle, state, enemy);
        let mut look = Look {
            battle,
            state,
            side,
            terrain,
            units: Vec::with_capacity(scene.on_table().len()),
            mine: Vec::new(),
            foes: Vec::new(),
            edge: Vec::new(),
            threat: Default::default(),
            fire: Fire::default(),
            darts: Vec::new(),
            dooms: Default::default(),
            width: battle.base_width(),
            purses: [purse.dared(bound), theirs],
            walls: None,
            besieger: None,
            recoils: Vec::new(),
            rooms: Vec::new(),
            lurkers: 0,
            main: 0,
            eager: weights::EAGER + (bound - weights::EAGER_FROM).clamp(0, 60) * weights::EAGER_GROWTH,
            scene,
        };
        theirs.press = look.eager * weights::PRESS / 100;
        look.purses[1].press = theirs.press;
        for n in 0..look.scene.on_table().len() {
            let id = look.scene.on_table()[n];
            let info = battle.element(id);
            let mine = info.side == side;
            if !mine && !battle.hostile(side, info.side) {
                continue;
            }
            let unit = look.unit(id, mine, if mine { &purse } else { &theirs });
            if mine {
                look.mine.push(look.units.len())
            } else {
                look.foes.push(look.units.len())
            }
            look.units.push(unit);
        }
        look.find_main();
        look.find_walls();
        look.match_up();
        let engaged = look.units.iter().filter(|u| u.touching.front.is_some());
        look.recoils =
            engaged.map(|u| u.base.at(u.base.pose.back(u.base.size.depth.min(look.width)))).collect();
        look.find_fire();
        look.find_darts();
        look.find_dooms();
        look.find_rooms();
        look
    }

    fn unit(&self, id: ElementId, mine: bool, purse: &Purse) -> Unit {
        let (battle, info, now) = (self.battle, self.battle.element(id), self.state.element(id));
        let tables = &battle.tables;
        let base = self.scene.base(id);
        let troop = tables.troop(info.ty);
        let footing = self.state.ground.footing(&base);
        let touching = *self.scene.contacts.touching(id);
        let mut fighter = Fighter::new(info.ty);
        fighter.general = info.general;
        fighter.grade = info.grade;
        fighter.footing = footing;
        fighter.demoralised = self.state.command(info.command).demoralised;
        let supporter = self.friend_behind(id, &base).filter(|other| battle.element(*other).ty == info.ty);
        if let Some(other) = supporter {
            fighter.support = Support::Rank { footing: self.state.ground.footing(&self.scene.base(other)) };
        }
        let shoots = troop.shoots.filter(|s| !s.if_armed || info.armed);
        let spent =
            now.flags.has(Flags::MOVED) || now.flags.has(Flags::ARRIVED) || now.flags.has(Flags::HALTED);
        Unit {
            id,
            base,
            ty: info.ty,
            class: tables.class(info.ty),
            mine,
            general: info.general,
            price: purse.price(battle, id),
            rate: rates(battle, id),
            gait: Gait::of(rates(battle, id)),
            footing,
            free: !(touching.in_contact() || mine && spent),
            touching,
            fighter,
            range: shoots.map_or(0, |s| s.range * PACE),
            bespells: troop.bespells,
            both: shoots.is_some_and(|s| s.bounds == hott::table::ShootBounds::Both),
            supported: supporter.is_some() && matches!(info.ty, TroopType::Spr | TroopType::Wbd),
        }
    }

    /// The friend directly behind a base.
    fn friend_behind(&self, id: ElementId, base: &Base) -> Option<ElementId> {
        let side = self.battle.element(id).side;
        self.scene.on_table().iter().copied().find(|other| {
            *other != id
                && self.battle.element(*other).side == side
                && !base.far_from(&self.scene.base(*other), field::TOLERANCE)
                && field::directly_behind(&self.scene.base(*other), base)
        })
    }

    /// How far from the enemy half of those stand who march with the army.
    fn find_main(&mut self) {
        let mut far: Vec<i32> = self
            .mine
            .iter()
            .map(|m| &self.units[*m])
            .filter(|u| u.class != Class::Aerial && !u.ty.is_lurker() && u.ty != TroopType::Art)
            .map(|u| self.nearest(u.base.pose.point()))
            .collect();
        far.sort_unstable();
        self.main = far.get(far.len() / 2).copied().unwrap_or(0);
    }

    /// How far it is to the nearest enemy, in paces.
    pub fn nearest(&self, here: Point) -> i32 {
        self.foes.iter().map(|f| paces(here, self.units[*f].base.pose.point())).min().unwrap_or(0)
    }

    fn find_walls(&mut self) {
        let [own, theirs] = self.strongholds();
        self.walls = theirs.map(|(_, base)| base.centre());
        if let Some((_, strong)) = own {
            let ground = self.foes.iter().map(|f| &self.units[*f]).filter(|v| v.class != Class::Aerial);
            let near = ground.map(|v| (v.base.distance(&strong) / PACE, v.base.pose.point()));
            self.besieger = near.min_by_key(|n| n.0).filter(|n| n.0 < 700);
        }
    }

    /// Who would beat whom. Units that are alike in all that matters are worked out once.
    fn match_up(&mut self) {
        let tables = &self.battle.tables;
        let alike = |list: &[usize], n: usize| {
            let u = &self.units[list[n]];
            list[..n].iter().position(|o| self.units[*o].is_alike(u)).unwrap_or(n)
        };
        let mine: Vec<usize> = (0..self.mine.len()).map(|n| alike(&self.mine, n)).collect();
        let foes: Vec<usize> = (0..self.foes.len()).map(|n| alike(&self.foes, n)).collect();
        let seeks = |u: &Unit, v: &Unit| {
            let mut attacker = u.fighter;
            attacker.just_contacted = true;
            // A defender in bad going is attacked there.
            attacker.footing = meet(u, v.footing);
            [false, true].map(|trapped| {
                let theirs = Stake { trapped: trapped || v.touching.is_hit(), ..stake(v) };
                bout(tables, Mode::Contact, [&attacker, &v.fighter], [stake(u), theirs], false)
            })
        };
        let (rows, columns) = (mine.len(), foes.len());
        let mut edge = vec![0; rows * columns];
        let mut threat = [vec![0; rows * columns], vec![0; rows * columns]];
        for m in 0..rows {
            for f in 0..columns {
                let (u, v) = (&self.units[self.mine[m]], &self.units[self.foes[f]]);
                let (e, t) = if mine[m] == m && foes[f] == f {
                    (seeks(u, v)[0], seeks(v, u))
                } else {
                    let at = foes[f] * rows + mine[m];
                    (edge[mine[m] * columns + foes[f]], [threat[0][at], threat[1][at]])
                };
                edge[m * columns + f] = e;
                (threat[0][f * rows + m], threat[1][f * rows + m]) = (t[0], t[1]);
            }
        }
        (self.edge, self.threat) = (edge, threat);
    }

    /// What a spell of foe `f` at own unit `m` brings it, if the unit is dear.
    pub fn dart(&self, f: usize, m: usize) -> i32 {
        self.darts.get(f * self.mine.len() + m).copied().unwrap_or(0)
    }

    fn find_darts(&mut self) {
        let dear = |u: &Unit| u.price >= 4 * AP;
        let harms = |v: &Unit| v.bespells;
        if !self.foes.iter().any(|f| harms(&self.units[*f])) {
            return;
        }
        for f in &self.foes {
            for m in &self.mine {
                let (u, v) = (&self.units[*m], &self.units[*f]);
                let value = if dear(u) && harms(v) {
                    let fighters = [&v.fighter, &u.fighter];
                    bout(&self.battle.tables, Mode::Bespelled, fighters, [Stake::default(), stake(u)], false)
                } else {
                    0
                };
                self.darts.push(value);
            }
        }
    }

    /// How little losses and dangers weigh.
    pub fn bold(&self) -> i32 {
        self.eager.clamp(50, weights::BOLDEST)
    }

    /// What a plain fight of an own unit (by its place in `mine`) with a foe (by its place in `foes`) brings.
    pub fn edge(&self, m: usize, f: usize) -> i32 {
        self.edge[m * self.foes.len() + f]
    }

    /// What a fight that a foe seeks with an own unit brings it.
    pub fn threat(&self, f: usize, m: usize) -> i32 {
        self.threat_if(f, m, false)
    }

    /// The same of a unit that has room to recoil or not.
    pub fn threat_if(&self, f: usize, m: usize, trapped: bool) -> i32 {
        self.threat[usize::from(trapped)][f * self.mine.len() + m]
    }

    /// How near the enemy is to own unit `m`, in hundredths: 100 within a move or two, 20 when far.
    pub fn nearness(&self, m: usize) -> i32 {
        let here = self.units[self.mine[m]].base.pose.point();
        let far = self.foes.iter().map(|f| here.distance_squared(self.units[*f].base.pose.point())).min();
        let beyond = |d: i32| far.is_none_or(|f| f > i64::from(d * PACE) * i64::from(d * PACE));
        if beyond(1_000) {
            20
        } else if beyond(650) {
            50
        } else {
            100
        }
    }

    /// HOTT-167, HOTT-169: whether one may move into contact with the other.
    pub fn may_attack(&self, u: &Unit, v: &Unit) -> bool {
        use hott::table::options::AirGroundAttack;
        let open = self.battle.tables.options.air_ground_attack == AirGroundAttack::Both;
        u.ty != TroopType::Art
            && !u.ty.is_lurker()
            && (u.class == Class::Aerial || v.class != Class::Aerial || open)
    }

    /// The unit of an element.
    pub fn index(&self, id: ElementId) -> Option<usize> {
        self.units.iter().position(|u| u.id == id)
    }

    /// The Stronghold of the own side, while it stands, and that of an enemy.
    pub fn strongholds(&self) -> [Option<(SideId, Base)>; 2] {
        let mut both = [None; 2];
        for (n, side) in self.state.sides.iter().enumerate() {
            let id = SideId(u8::try_from(n).unwrap_or(0));
            if let Strong::Stands(base) = side.strong {
                if id == self.side {
                    both[0] = Some((id, base));
                } else if self.battle.hostile(self.side, id) {
                    both[1] = Some((id, base));
                }
            }
        }
        both
    }

    /// Whether something that an own unit may not pass stands where it would pass.
    pub fn blocks(&self, u: &Unit, base: &Base, movers: &[ElementId]) -> bool {
        self.units.iter().any(|o| {
            !movers.contains(&o.id)
                && !base.far_from(&o.base, 0)
                && base.overlaps(&o.base)
                && !hott::moves::passage(
                    self.battle,
                    &self.scene.contacts,
                    u.id,
                    o.id,
                    Some((u.base.pose.heading, o.base.pose.heading)),
                )
                .is_open()
        })
    }

    /// Whether some solid thing but the movers stands where a base would.
    pub fn is_taken(&self, base: &Base, movers: &[ElementId]) -> bool {
        !self.battle.board.contains(base)
            || self.units.iter().any(|u| !movers.contains(&u.id) && base.overlaps(&u.base))
            || self.scene.strongholds().iter().any(|(_, s)| base.overlaps(s))
    }
}

/// How far an element moves in good going, in bad and wading, 1/100 pace.
pub(super) fn rates(battle: &Battle, id: ElementId) -> [Len; 3] {
    let ty = battle.element(id).ty;
    let troop = battle.tables.troop(ty);
    if ty.is_lurker() {
        let column = if ty == TroopType::WLk { Column::Water } else { Column::Bad };
        [troop.rate(column) * PACE; 3]
    } else {
        [Column::Good, Column::Bad, Column::Water].map(|c| troop.rate(c) * PACE)
    }
}

/// The stakes of a unit in a plain fight.
pub(super) fn stake(u: &Unit) -> Stake {
    let behind = if u.supported { 2 * AP } else { 0 };
    Stake { price: u.price, trapped: u.touching.is_hit(), behind, ..Stake::default() }
}

/// The ground that an attacker stands on when it meets one who stands on `there`: if it comes from better ground it
/// may keep one foot on it only rarely, so it counts as being there.
fn meet(u: &Unit, there: Footing) -> Footing {
    Footing { bad: u.footing.bad || there.bad, water: there.water, wood: there.wood }
}

/// The distance between two points in whole paces, to a few in a hundred: a root for every pair would cost more than
/// it tells.
pub(super) fn paces(a: Point, b: Point) -> i32 {
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    let (long, short) = (dx.max(dy), dx.min(dy));
    // The best straight line through the octagon of equal distances.
    (long + short * 7 / 16 - (long.min(2 * short)) / 16) / PACE
}

/// A body of movers brought rigidly so that one member stands at a new pose.
pub(super) fn carried(from: Pose, to: Pose, other: Pose) -> Pose {
    let offset = from.to_local(other.point());
    let turn = from.heading.turn_to(to.heading);
    Pose::at(to.to_world(offset), other.heading.turned(turn))
}
