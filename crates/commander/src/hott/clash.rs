//! What the close combats of a position are expected to bring, with all their factors: of the position as it is, or as
//! it would be after a move.

use super::room::recoil;
use super::worth::{Purse, Stake, VICTORY, bout};
use field::{Base, Pose};
use hott::battle::{Battle, ElementId, Event, Flags, SideId, State, Strong};
use hott::contacts::{Contacts, base_of, friend_behind};
use hott::table::{Class, Fighter, Mode, Support, TroopType};

/// What it costs to fall back with a friend.
const FALLS_BACK: i32 = 8;

/// A position to try moves in, kept from one decision to the next for its memory.
#[derive(Debug, Default)]
pub(super) struct Trial {
    state: Option<State>,
    contacts: Contacts,
    events: Vec<Event>,
    /// What stood where before the move tried.
    undo: Vec<(ElementId, hott::battle::ElementState)>,
}

/// An element of a move tried: who, where to, whether it attacks (HOTT-166).
pub(super) type Shift = (ElementId, Pose);

impl Trial {
    /// Sets the position.
    pub fn set(&mut self, state: &State) {
        match &mut self.state {
            Some(kept) => kept.clone_from(state),
            None => self.state = Some(state.clone()),
        }
        self.undo.clear();
    }

    /// What the combats bring `side` if these stand there; `touched` says that a flank or rear may be hit, so that those
    /// hit turn to face.
    pub fn after(
        &mut self,
        battle: &Battle,
        side: SideId,
        moved: &[Shift],
        purses: &[Purse; 2],
        turns: bool,
    ) -> i32 {
        let Some(state) = &mut self.state else { return 0 };
        self.undo.clear();
        if turns {
            // Whoever turns is put back too.
            for id in battle.ids() {
                self.undo.push((id, *state.element(id)));
            }
        }
        for (id, pose) in moved {
            if !turns {
                self.undo.push((*id, *state.element(*id)));
            }
            let now = &mut state.elements[id.index()];
            now.pose = *pose;
            now.flags.set(Flags::MOVED);
            now.flags.set(Flags::CHARGED);
            if battle.tables.class(battle.element(*id).ty) == Class::Aerial {
                now.flags.set(Flags::DECLARED);
            }
        }
        if turns {
            self.events.clear();
            hott::moves::turn_to_face(battle, state, side, &mut self.events);
        }
        self.contacts.refill(battle, state);
        let value = combats(battle, state, &self.contacts, side, purses);
        for (id, was) in self.undo.drain(..) {
            state.elements[id.index()] = was;
        }
        value
    }
}

/// What all close combats of a position bring a side.
pub(super) fn combats(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    side: SideId,
    purses: &[Purse; 2],
) -> i32 {
    let mut sum = 0;
    for (a, b) in contacts.fights() {
        if !battle.enemies(a, b) {
            continue;
        }
        let (mine, other) = if battle.element(a).side == side { (a, b) } else { (b, a) };
        if battle.element(mine).side == side {
            sum += duel(battle, state, contacts, mine, other, purses);
        }
    }
    for (n, now) in state.sides.iter().enumerate() {
        let strong = SideId(u8::try_from(n).unwrap_or(0));
        if let Strong::Stands(base) = now.strong {
            sum += siege(battle, state, contacts, (strong, &base), side, purses);
        }
    }
    sum
}

/// What the close combat of two elements brings the first's side.
pub(super) fn duel(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    mine: ElementId,
    other: ElementId,
    purses: &[Purse; 2],
) -> i32 {
    let ids = [mine, other];
    let fighters =
        [fighter(battle, state, contacts, mine, other), fighter(battle, state, contacts, other, mine)];
    let stakes = [0, 1].map(|n: usize| {
        let id = ids[n];
        let behind = match fighters[n].support {
            Support::Rank { .. } => {
                friend_behind(battle, state, id).map_or(0, |b| purses[n].price(battle, b))
            }
            _ => 0,
        };
        let side = battle.element(id).side;
        let price = |o: ElementId| {
            let own = battle.element(o).side == side;
            if own { purses[n].price(battle, o) } else { purses[1 - n].price(battle, o) }
        };
        let (trapped, crushed) = recoil(battle, state, contacts, id, &price);
        Stake {
            price: price(id),
            trapped,
            behind,
            shaken: crushed + if n == 1 { purses[1].press } else { 0 },
            helpers: helpers(battle, state, contacts, [id, ids[1 - n]], &price),
        }
    });
    bout(&battle.tables, Mode::Contact, [&fighters[0], &fighters[1]], stakes, false)
}

/// HOTT-241: what a side loses by those who strike an enemy's flank or rear while another of theirs fights it in front,
/// and fall back with that one.
fn helpers(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    [main, enemy]: [ElementId; 2],
    price: &dyn Fn(ElementId) -> i32,
) -> i32 {
    let side = battle.element(main).side;
    let own = |id: &ElementId| *id != main && battle.element(*id).side == side;
    let cost = |id: ElementId| {
        if recoil(battle, state, contacts, id, price).0 { price(id) } else { FALLS_BACK }
    };
    contacts.touching(enemy).hitters().filter(own).map(cost).sum()
}

/// An element in close combat with another, with all that is true of it there.
pub(super) fn fighter(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    me: ElementId,
    foe: ElementId,
) -> Fighter {
    let mut f = plain(battle, state, me);
    let (base, theirs) = (base_of(battle, state, me), base_of(battle, state, foe));
    f.exposed = contacts.exposed(battle, me);
    f.just_contacted = state.element(me).flags.has(Flags::CHARGED);
    if matches!(f.ty, TroopType::Spr | TroopType::Wbd)
        && let Some(behind) = friend_behind(battle, state, me)
        && battle.element(behind).ty == f.ty
    {
        f.support = Support::Rank { footing: state.ground.footing(&base_of(battle, state, behind)) };
    }
    if !state.ground.features().is_empty() {
        f.uphill = state.ground.uphill(&base, &theirs);
        f.bank = state.ground.defends_bank(&battle.tables, &base, &theirs);
    }
    f
}

fn plain(battle: &Battle, state: &State, id: ElementId) -> Fighter {
    let info = battle.element(id);
    let mut f = Fighter::new(info.ty);
    f.general = info.general;
    f.grade = info.grade;
    f.footing = state.ground.footing(&base_of(battle, state, id));
    f.demoralised = state.command(info.command).demoralised;
    f
}

/// HOTT-245, HOTT-296: what the attack on a Stronghold brings a side.
fn siege(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    (strong, base): (SideId, &Base),
    side: SideId,
    purses: &[Purse; 2],
) -> i32 {
    let mut aids = 0_u8;
    let mut main: Option<(i32, ElementId)> = None;
    let mut grounded = 0;
    for id in contacts.attackers(strong) {
        let ty = battle.element(id).ty;
        let ground = battle.tables.class(ty).is_ground();
        grounded += i32::from(ground);
        let cf = hott::table::cf(&battle.tables, ty, TroopType::Str) + if ground { 10 } else { 0 };
        if main.is_none_or(|(best, _)| cf > best) {
            main = Some((cf, id));
        }
        aids = aids.saturating_add(1);
    }
    let Some((_, id)) = main else { return 0 };
    let mine = battle.element(id).side == side;
    let mut attacker = plain(battle, state, id);
    attacker.ground_aid = grounded > 1;
    let _ = base;
    let mut walls = Fighter::new(TroopType::Str);
    walls.aids = aids.saturating_sub(1);
    let purse = if mine { purses[0] } else { purses[1] };
    let stakes = [
        Stake {
            price: purse.price(battle, id),
            trapped: recoil(battle, state, contacts, id, &|_| 0).0,
            ..Stake::default()
        },
        Stake { price: VICTORY, ..Stake::default() },
    ];
    let value = bout(&battle.tables, Mode::Contact, [&attacker, &walls], stakes, false);
    if mine { value } else { -value }
}
