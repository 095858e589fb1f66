//! Who touches whom, and what of it counts: contacts are derived from positions by [`Contacts::refill`] alone.
//!
//! What positions cannot tell comes from flags: whether an Aerial's contact with the ground was declared
//! (HOTT-166), whether a returned Hero declared that he attacks a Stronghold (HOTT-204).

use crate::battle::{Battle, ElementId, Flags, SideId, State, Strong};
use crate::table::{Class, Exposure};
use field::{
    Base, Contact, Edge, Side, TOLERANCE, directly_behind, front_edge_touches, legal_contact, overlap_side,
    shared_edge,
};

/// Places of a fighter where enemies make a difference, in the order of [`Fighter::exposed`].
///
/// [`Fighter::exposed`]: crate::table::Fighter::exposed
pub const LEFT: usize = 0;
/// The right flank.
pub const RIGHT: usize = 1;
/// The rear.
pub const REAR: usize = 2;

/// Index of a side in the arrays of [`Touching`].
const fn at(side: Side) -> usize {
    match side {
        Side::Left => LEFT,
        Side::Right => RIGHT,
    }
}

/// What one element is in contact with. Only contacts that count are in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touching {
    /// HOTT-161: the enemy in front contact: its main opponent (HOTT-240).
    pub front: Option<ElementId>,
    /// HOTT-162, HOTT-163: enemies whose front lies on its left edge, right edge and rear edge.
    pub hit_by: [Option<ElementId>; 3],
    /// The enemy on whose flank or rear its own front lies, and where.
    pub hits: Option<(ElementId, Contact)>,
    /// HOTT-242: enemies that overlap its left and right.
    pub overlapped_by: [Option<ElementId>; 2],
    /// HOTT-164: the hostile Stronghold (or Baggage) that its front touches.
    pub stronghold: Option<SideId>,
    /// BB-039: some edge of it lies along some edge of an enemy; looked for in big battles and of declared contacts.
    pub edge: bool,
}

impl Touching {
    /// Whether the element is in close combat contact: front, flank or rear, on either one's part, or with a
    /// Stronghold (HOTT-116, HOTT-227, BB-062). Overlaps and side edges are none.
    #[must_use]
    pub fn in_contact(&self) -> bool {
        self.front.is_some() || self.hits.is_some() || self.stronghold.is_some() || self.is_hit()
    }

    /// Whether an enemy's front lies on its flank or rear.
    #[must_use]
    pub fn is_hit(&self) -> bool {
        self.hit_by.iter().any(Option::is_some)
    }

    /// The enemies whose fronts lie on its flanks and rear: left, right, rear.
    pub fn hitters(&self) -> impl Iterator<Item = ElementId> + use<> {
        self.hit_by.into_iter().flatten()
    }

    /// Some enemy element it is in close combat contact with.
    #[must_use]
    pub fn some_enemy(&self) -> Option<ElementId> {
        self.front.or(self.hits.map(|h| h.0)).or_else(|| self.hitters().next())
    }
}

/// Two enemies that touch, in any way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    a: ElementId,
    b: ElementId,
}

/// The contacts of a position. Keep one and refill it: it reuses its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    of: Vec<Touching>,
    pairs: Vec<Pair>,
}

/// The base of an element where it stands (or would stand: it may be off table).
#[must_use]
pub fn base_of(battle: &Battle, state: &State, id: ElementId) -> Base {
    Base::new(state.element(id).pose, battle.element(id).size)
}

/// HOTT-166, HOTT-168: whether touching makes contact between these two enemies: between an Aerial and a ground
/// element only if the Aerial's side declared it.
#[must_use]
pub fn counts(battle: &Battle, state: &State, a: ElementId, b: ElementId) -> bool {
    let aerial = |id: ElementId| battle.tables.class(battle.element(id).ty) == Class::Aerial;
    match (aerial(a), aerial(b)) {
        (true, false) => state.element(a).flags.has(Flags::DECLARED),
        (false, true) => state.element(b).flags.has(Flags::DECLARED),
        _ => true,
    }
}

/// HOTT-164, HOTT-R03: whether an element attacks this Stronghold: its front touches it, and an Aerial, or a Hero
/// who came back beside it this bound (HOTT-204), has declared it.
#[must_use]
pub fn attacks_stronghold(battle: &Battle, state: &State, id: ElementId, side: SideId) -> bool {
    let Strong::Stands(strong) = state.side(side).strong else { return false };
    let (who, now) = (battle.element(id), state.element(id));
    if !state.on_table(id) || !battle.hostile(who.side, side) {
        return false;
    }
    let needs = if battle.tables.class(who.ty) == Class::Aerial {
        now.flags.has(Flags::DECLARED) || now.flags.has(Flags::AT_STRONGHOLD)
    } else {
        !now.flags.has(Flags::ARRIVED) || now.flags.has(Flags::AT_STRONGHOLD)
    };
    needs && front_edge_touches(&base_of(battle, state, id), &strong)
}

impl Contacts {
    /// The contacts of a position.
    #[must_use]
    pub fn of(battle: &Battle, state: &State) -> Contacts {
        let mut all = Contacts::default();
        all.refill(battle, state);
        all
    }

    /// Makes these the contacts of a position.
    pub fn refill(&mut self, battle: &Battle, state: &State) {
        self.of.clear();
        self.of.resize(battle.elements.len(), Touching::default());
        self.find_pairs(battle, state);
        for i in 0..self.pairs.len() {
            let pair = self.pairs[i];
            self.enter(battle, state, pair);
        }
        for i in 0..self.pairs.len() {
            let Pair { a, b } = self.pairs[i];
            self.enter_overlap(battle, state, a, b);
            self.enter_overlap(battle, state, b, a);
        }
        for (side, now) in (0..).map(SideId).zip(&state.sides) {
            if matches!(now.strong, Strong::Stands(_)) {
                for id in battle.ids() {
                    if attacks_stronghold(battle, state, id, side) {
                        self.of[id.index()].stronghold = Some(side);
                    }
                }
            }
        }
    }

    /// Every two enemies near enough to touch whose touching counts.
    fn find_pairs(&mut self, battle: &Battle, state: &State) {
        self.pairs.clear();
        let count = u16::try_from(state.elements.len()).unwrap_or(u16::MAX);
        for a in (0..count).map(ElementId).filter(|a| state.on_table(*a)) {
            let base = base_of(battle, state, a);
            for b in (a.0 + 1..count).map(ElementId).filter(|b| state.on_table(*b)) {
                if battle.enemies(a, b)
                    && !base.far_from(&base_of(battle, state, b), TOLERANCE)
                    && counts(battle, state, a, b)
                {
                    self.pairs.push(Pair { a, b });
                }
            }
        }
    }

    fn enter(&mut self, battle: &Battle, state: &State, Pair { a, b }: Pair) {
        let (base_a, base_b) = (base_of(battle, state, a), base_of(battle, state, b));
        let ways = [legal_contact(&base_a, &base_b), legal_contact(&base_b, &base_a)];
        if ways.contains(&Contact::Front) {
            self.of[a.index()].front = Some(b);
            self.of[b.index()].front = Some(a);
        }
        for (who, whom, way) in [(a, b, ways[0]), (b, a, ways[1])] {
            let place = match way {
                Contact::Flank(side) => at(side),
                Contact::Rear => REAR,
                _ => continue,
            };
            self.of[who.index()].hits = Some((whom, way));
            self.of[whom.index()].hit_by[place] = Some(who);
        }
        // Who asks for edges: BB-039, and the declarations of HOTT-166 and HOTT-204.
        let declared = |id: ElementId| {
            let flags = state.element(id).flags;
            flags.has(Flags::DECLARED) || flags.has(Flags::AT_STRONGHOLD)
        };
        let asked = battle.tables.is_big() || declared(a) || declared(b);
        if asked && along_an_edge(&base_a, &base_b) {
            self.of[a.index()].edge = true;
            self.of[b.index()].edge = true;
        }
    }

    /// HOTT-242, BB-096: `other` overlaps `fighter`, if it does.
    fn enter_overlap(&mut self, battle: &Battle, state: &State, other: ElementId, fighter: ElementId) {
        let Some(opponent) = self.of[fighter.index()].front else { return };
        let idle = self.of[other.index()].front.is_none()
            && self.of[other.index()].hits.is_none_or(|(whom, _)| whom != fighter);
        if !idle || battle.enemies(other, opponent) {
            return;
        }
        if let Some(side) = overlap_side(&base_of(battle, state, other), &base_of(battle, state, fighter)) {
            self.of[fighter.index()].overlapped_by[at(side)].get_or_insert(other);
        }
    }

    /// What an element is in contact with.
    #[must_use]
    pub fn touching(&self, id: ElementId) -> &Touching {
        &self.of[id.index()]
    }

    /// HOTT-240: the enemy in front contact.
    #[must_use]
    pub fn front(&self, id: ElementId) -> Option<ElementId> {
        self.touching(id).front
    }

    /// HOTT-116: whether the element is in close combat contact.
    #[must_use]
    pub fn in_contact(&self, id: ElementId) -> bool {
        self.touching(id).in_contact()
    }

    /// HOTT-252: what enemies do at an element's left, right and rear, for its close combat.
    #[must_use]
    pub fn exposed(&self, battle: &Battle, id: ElementId) -> [Exposure; 3] {
        let now = self.touching(id);
        let mut all = [Exposure::Safe; 3];
        for (place, to) in all.iter_mut().enumerate() {
            *to = match (now.hit_by[place], now.overlapped_by.get(place).copied().flatten()) {
                (Some(enemy), _) => Exposure::Contacted(battle.element(enemy).ty),
                (None, Some(_)) => Exposure::Overlapped,
                (None, None) => Exposure::Safe,
            };
        }
        all
    }

    /// HOTT-245, HOTT-356: those who attack this side's Stronghold, in order: they touch it with their front and
    /// are in front contact with nobody.
    pub fn attackers(&self, side: SideId) -> impl Iterator<Item = ElementId> + '_ {
        (0..)
            .map(ElementId)
            .zip(&self.of)
            .filter(move |(_, t)| t.stronghold == Some(side) && t.front.is_none())
            .map(|(id, _)| id)
    }

    /// HOTT-239, HOTT-355: pairs whose close combat is fought, each once, the first named the one of the lower
    /// number in front contact; of a contact to flank or rear that could not be answered the attacker.
    pub fn fights<'a>(&'a self) -> impl Iterator<Item = (ElementId, ElementId)> + 'a {
        (0..).map(ElementId).zip(&self.of).filter_map(move |(id, t)| match t.front {
            Some(enemy) => (id < enemy).then_some((id, enemy)),
            None => self.unanswered(id).map(|attacker| (attacker, id)),
        })
    }

    /// HOTT-355: of an element in enemy flank or rear contact and in no front contact the enemy it fights: the first
    /// of left, right, rear that has no main opponent of its own.
    #[must_use]
    pub fn unanswered(&self, id: ElementId) -> Option<ElementId> {
        let now = self.touching(id);
        if now.front.is_some() {
            return None;
        }
        now.hitters().find(|e| self.front(*e).is_none())
    }
}

/// Whether an edge of one lies along an edge of the other, for more than corners do.
fn along_an_edge(a: &Base, b: &Base) -> bool {
    Edge::ALL
        .iter()
        .any(|mine| Edge::ALL.iter().any(|theirs| shared_edge(a, *mine, b, *theirs) > 2 * TOLERANCE))
}

/// HOTT-246: the friend directly behind an element, same facing, full edge and corner contact.
#[must_use]
pub fn friend_behind(battle: &Battle, state: &State, id: ElementId) -> Option<ElementId> {
    let base = base_of(battle, state, id);
    battle.ids().find(|other| {
        *other != id
            && state.on_table(*other)
            && !battle.enemies(id, *other)
            && directly_behind(&base_of(battle, state, *other), &base)
    })
}
