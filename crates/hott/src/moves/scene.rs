//! A position as the rules of movement look at it: bases, contacts and zones, made once and asked often.

use super::pass::stronghold_base;
use crate::battle::{Battle, ElementId, Flags, Refusal, SideId, State, Why};
use crate::contacts::Contacts;
use crate::table::options::ZocAerials;
use crate::table::{Class, TroopType};
use field::{Base, Gap, Len, PACE, TOLERANCE, Zone};
use rulebook::{RuleId, rule};
use std::cell::OnceCell;

/// A position under judgement. Make one for a state and ask it as often as wanted; it holds no state of its own.
#[derive(Debug)]
pub struct Scene<'a> {
    /// What does not change.
    pub battle: &'a Battle,
    /// The position.
    pub state: &'a State,
    /// Its contacts.
    pub contacts: Contacts,
    bases: Vec<Base>,
    on_table: Vec<ElementId>,
    strongholds: Vec<(SideId, Base)>,
    gaps: OnceCell<Vec<(Thing, Thing, Gap)>>,
    /// Whether ways round obstacles are looked for when the straight ones are closed; a computer player that plays
    /// fast may do without.
    pub thorough: bool,
    /// 1 BW.
    pub(super) width: Len,
    /// HOTT-153.
    pub(super) zone_depth: Len,
}

/// Something solid on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// An element.
    Element(ElementId),
    /// A side's Stronghold or Baggage, taken or not.
    Stronghold(SideId),
}

impl<'a> Scene<'a> {
    /// The scene of a position.
    #[must_use]
    pub fn new(battle: &'a Battle, state: &'a State) -> Scene<'a> {
        let bases =
            battle.ids().map(|id| Base::new(state.element(id).pose, battle.element(id).size)).collect();
        let strongholds = (0..)
            .map(SideId)
            .zip(&state.sides)
            .filter_map(|(id, side)| stronghold_base(&side.strong).map(|base| (id, base)))
            .collect();
        Scene {
            battle,
            state,
            contacts: Contacts::of(battle, state),
            bases,
            on_table: battle.ids().filter(|id| state.on_table(*id)).collect(),
            strongholds,
            gaps: OnceCell::new(),
            thorough: true,
            width: battle.base_width(),
            zone_depth: battle.tables.zone_depth(battle.scale) * PACE,
        }
    }

    /// Where an element stands.
    #[must_use]
    pub fn base(&self, id: ElementId) -> Base {
        self.bases[id.index()]
    }

    /// The elements on table, in order.
    #[must_use]
    pub fn on_table(&self) -> &[ElementId] {
        &self.on_table
    }

    /// Strongholds and Baggage on table, taken ones too.
    #[must_use]
    pub fn strongholds(&self) -> &[(SideId, Base)] {
        &self.strongholds
    }

    /// An element's type.
    #[must_use]
    pub fn ty(&self, id: ElementId) -> TroopType {
        self.battle.element(id).ty
    }

    /// An element's class.
    #[must_use]
    pub fn class(&self, id: ElementId) -> Class {
        self.battle.tables.class(self.ty(id))
    }

    /// HOTT-110: whether an element has made a tactical move this bound.
    #[must_use]
    pub fn has_moved(&self, id: ElementId) -> bool {
        self.state.element(id).flags.has(Flags::MOVED)
    }

    /// `A.Kni2`.
    pub(super) fn label(&self, id: ElementId) -> String {
        self.battle.full_label(id)
    }

    /// HOTT-114: places between solid things that are narrower than a front and wider than a touch.
    pub(super) fn gaps(&self) -> &[(Thing, Thing, Gap)] {
        self.gaps.get_or_init(|| {
            let mut things: Vec<(Thing, Base)> =
                self.on_table.iter().map(|id| (Thing::Element(*id), self.base(*id))).collect();
            things.extend(self.strongholds.iter().map(|(s, b)| (Thing::Stronghold(*s), *b)));
            let mut gaps = Vec::new();
            for (i, (a, base_a)) in things.iter().enumerate() {
                for (b, base_b) in &things[i + 1..] {
                    if base_a.far_from(base_b, self.width) {
                        continue;
                    }
                    let gap = Gap::between(base_a, base_b);
                    if gap.width > 2 * TOLERANCE && gap.is_narrower(self.width) {
                        gaps.push((*a, *b, gap));
                    }
                }
            }
            gaps
        })
    }

    /// HOTT-157, HOTT-158: whether `enemy`'s threat zone, if it has any, holds for `mover`.
    pub(super) fn zone_holds_for(&self, enemy: ElementId, mover: ElementId) -> bool {
        let exempt = |id: ElementId| matches!(self.ty(id), TroopType::Snk | TroopType::God);
        let aerial = |id: ElementId| self.class(id) == Class::Aerial;
        self.battle.enemies(enemy, mover)
            && !exempt(enemy)
            && !exempt(mover)
            && (aerial(enemy) == aerial(mover) || self.battle.tables.options.zoc_aerials == ZocAerials::Alike)
    }

    /// HOTT-153: an element's threat zone, cut short by the first element or Stronghold that it meets; the elements
    /// of `without` do not cut it. A Stronghold has none (HOTT-159).
    #[must_use]
    pub fn zone(&self, of: ElementId, without: &[ElementId]) -> Zone {
        let owner = self.base(of);
        let mut zone = Zone::threat(&owner, self.zone_depth);
        for other in &self.on_table {
            if *other != of
                && !owner.far_from(&self.base(*other), self.zone_depth)
                && !without.contains(other)
            {
                zone = zone.cut_by(&self.base(*other));
            }
        }
        for (_, base) in &self.strongholds {
            zone = zone.cut_by(base);
        }
        zone
    }

    /// HOTT-153, HOTT-157 to HOTT-159: the threat zones that hold for some enemy on table, in the order of the elements.
    #[must_use]
    pub fn zones(&self) -> Vec<(ElementId, Zone)> {
        let holds = |of: &ElementId| self.on_table.iter().any(|mover| self.zone_holds_for(*of, *mover));
        self.on_table.iter().copied().filter(holds).map(|of| (of, self.zone(of, &[]))).collect()
    }

    /// HOTT-122, HOTT-172: whether some enemy of `who` is within `reach` of a base.
    pub(super) fn enemy_within(&self, who: ElementId, base: &Base, reach: Len) -> bool {
        self.on_table.iter().any(|e| self.battle.enemies(who, *e) && base.within(&self.base(*e), reach))
    }
}

/// HOTT-115: how far which edge of the board would be passed.
pub(super) fn off_board(scene: &Scene<'_>, who: ElementId, points: &[field::Point]) -> String {
    let board = &scene.battle.board;
    let beyond = |e: field::BoardEdge| points.iter().map(|p| -board.from_edge(e, *p)).max().unwrap_or(0);
    let worst =
        field::BoardEdge::ALL.into_iter().max_by_key(|e| beyond(*e)).unwrap_or(field::BoardEdge::Lower);
    let edge = crate::words::edge_word(worst);
    format!("{} would go {} over the {edge} edge of the board", scene.label(who), paces(beyond(worst)))
}

/// A refusal by a rule.
pub(super) fn refuse<T>(rule: RuleId, why: Why, words: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(rule, why, words))
}

/// Whole paces for people: the tolerance given, rounded up.
pub(super) fn paces(len: Len) -> String {
    format!("{}p", field::paces_needed(len))
}

/// HOTT-113: the distance between two bases of one element as the option has it measured.
pub(super) fn travel(any_corner: bool, before: &Base, after: &Base) -> Len {
    if any_corner {
        let pairs = before.corners().into_iter().zip(after.corners());
        pairs.map(|(a, b)| a.distance(b)).max().unwrap_or(0)
    } else {
        field::travel(before, after)
    }
}

/// What stops an element from moving because of what it did before.
pub(super) fn cannot_move(scene: &Scene<'_>, who: ElementId) -> Option<Refusal> {
    let flags = scene.state.element(who).flags;
    if flags.has(Flags::HALTED) {
        let words = format!("{} was halted this bound and stays as it stands", scene.label(who));
        return Some(Refusal::new(rule!("BB-061"), Why::HasMoved(who), words));
    }
    None
}
