//! Steps 4 to 6: magic, shooting, the order of the close combats.

use super::clash::fighter;
use super::room::recoil;
use super::worth::{Purse, Stake, bout};
use field::PACE;
use hott::battle::{Battle, Command, ElementId, Flags, SideId, State, Strong, Target};
use hott::bound::Shots;
use hott::contacts::Contacts;
use hott::table::options::PaladinBespell;
use hott::table::{Mode, TroopType, odds};

/// The purses of a side and of its worst enemy.
pub(super) fn purses(battle: &Battle, state: &State, side: SideId) -> [Purse; 2] {
    let enemy = battle.sides.iter().position(|s| s.hostile & (1 << side.0) != 0).unwrap_or(0);
    [
        Purse::of(battle, state, side).own(i32::try_from(state.bound).unwrap_or(i32::MAX)),
        Purse::of(battle, state, SideId(u8::try_from(enemy).unwrap_or(0))),
    ]
}

/// The next close combat: first those that are likeliest to be won, since a winner stands free to overlap and a beaten
/// enemy overlaps no more; Strongholds last.
pub(super) fn next_combat(battle: &Battle, state: &State, side: SideId) -> Command {
    let contacts = Contacts::of(battle, state);
    let fought = |id: ElementId| state.element(id).flags.has(Flags::FOUGHT);
    let mut best: Option<(i64, ElementId)> = None;
    for (a, b) in contacts.fights() {
        if fought(a) || fought(b) || !battle.enemies(a, b) {
            continue;
        }
        let (mine, other) = if battle.element(a).side == side { (a, b) } else { (b, a) };
        if battle.element(mine).side != side {
            continue;
        }
        let fighters =
            [fighter(battle, state, &contacts, mine, other), fighter(battle, state, &contacts, other, mine)];
        let odds = odds(&battle.tables, Mode::Contact, [&fighters[0], &fighters[1]], false);
        let ahead = i64::from(odds.wins[0]) - i64::from(odds.wins[1]);
        // A friend who presses the enemy's flank would fall back with a beaten one: that fight comes once its
        // other helpers have fought.
        let pressed = i64::from(contacts.touching(other).is_hit()) * 6;
        let want = ahead + pressed;
        if best.is_none_or(|(b, _)| want > b) {
            best = Some((want, mine));
        }
    }
    if let Some((_, who)) = best {
        return Command::Fight(who);
    }
    for n in 0..battle.sides.len() {
        let strong = SideId(u8::try_from(n).unwrap_or(0));
        if !matches!(state.side(strong).strong, Strong::Stands(_)) || !battle.hostile(side, strong) {
            continue;
        }
        let main = contacts
            .attackers(strong)
            .filter(|id| battle.element(*id).side == side && !fought(*id))
            .max_by_key(|id| {
                let ty = battle.element(*id).ty;
                let cf = hott::table::cf(&battle.tables, ty, TroopType::Str);
                // The one who risks least leads where factors are equal.
                (battle.tables.class(ty).is_ground(), cf, std::cmp::Reverse(battle.element(*id).halves))
            });
        if let Some(main) = main {
            return Command::Fight(main);
        }
    }
    Command::FightAll
}

/// What an element that is shot at or bespelled stands to lose, of the own side (0) or the enemy's (1): with no room to
/// recoil, itself; as a Behemoth, whom it treads down.
fn target_stake(
    battle: &Battle,
    state: &State,
    contacts: &Contacts,
    purses: &[Purse; 2],
    (id, n): (ElementId, usize),
) -> Stake {
    let side = battle.element(id).side;
    let price = |o: ElementId| {
        let own = battle.element(o).side == side;
        if own { purses[n].price(battle, o) } else { purses[1 - n].price(battle, o) }
    };
    let (trapped, shaken) = recoil(battle, state, contacts, id, &price);
    Stake { price: price(id), trapped, shaken, ..Stake::default() }
}

/// The best volley of the side whose bound it is; what is left is shot by rule.
pub(super) fn next_volley(battle: &Battle, state: &State, side: SideId) -> Command {
    let shots = Shots::new(battle, state);
    let mut aims: Vec<(Target, Vec<ElementId>)> = Vec::new();
    for id in battle.ids_of(side) {
        for target in shots.targets(id) {
            match aims.iter_mut().find(|(t, _)| *t == target) {
                Some((_, shooters)) => shooters.push(id),
                None => aims.push((target, vec![id])),
            }
        }
    }
    let purses = purses(battle, state, side);
    let contacts = Contacts::of(battle, state);
    let mut best: Option<(i32, Command)> = None;
    for (target, mut shooters) in aims {
        let Some(there) = battle.target_base(state, target) else { continue };
        shooters.sort_by_key(|id| (battle.base(state, *id).distance(&there), *id));
        let most = 1 + usize::try_from(battle.tables.numbers.aids_max).unwrap_or(0);
        shooters.truncate(most);
        let main = shooters[0];
        let fighters = [
            battle.main_fighter(state, main),
            battle.target_fighter(state, Mode::Shot, main, target, shooters.len() - 1),
        ];
        let (theirs, answered) = match target {
            Target::Element(id) => (
                target_stake(battle, state, &contacts, &purses, (id, 1)),
                shots.may_shoot_at(id, Target::Element(main)).is_ok(),
            ),
            Target::Stronghold(_) => (Stake::default(), false),
        };
        let stakes = [target_stake(battle, state, &contacts, &purses, (main, 0)), theirs];
        let value = bout(&battle.tables, Mode::Shot, [&fighters[0], &fighters[1]], stakes, answered);
        // HOTT-231: who must shoot chooses the least evil.
        let may = value > 0 || shots.must_shoot(main);
        if may && best.as_ref().is_none_or(|(b, _)| value > *b) {
            best = Some((value, Command::Shoot { target, shooters }));
        }
    }
    best.map_or(Command::EndShooting, |(_, command)| command)
}

/// Of the targets that one of the own Shooters may choose in another's bound, the best.
pub(super) fn aim(battle: &Battle, state: &State, shooter: ElementId, targets: &[Target]) -> Option<Target> {
    let purses = purses(battle, state, battle.element(shooter).side);
    let contacts = Contacts::of(battle, state);
    let value = |t: &Target| {
        let Target::Element(id) = *t else { return -1 };
        let fighters =
            [battle.main_fighter(state, shooter), battle.target_fighter(state, Mode::Shot, shooter, *t, 0)];
        let stakes = [
            Stake { price: purses[0].price(battle, shooter), ..Stake::default() },
            target_stake(battle, state, &contacts, &purses, (id, 1)),
        ];
        bout(&battle.tables, Mode::Shot, [&fighters[0], &fighters[1]], stakes, false)
    };
    targets.iter().copied().max_by_key(value)
}

/// The best spell that so many PIPs pay for, and what it is expected to bring.
pub(super) fn best_spell(battle: &Battle, state: &State, side: SideId, pips: i32) -> Option<(i32, Command)> {
    let numbers = &battle.tables.numbers;
    let options = &battle.tables.options;
    let ready: Vec<ElementId> = battle
        .ids_of(side)
        .filter(|id| {
            let flags = state.element(*id).flags;
            battle.tables.troop(battle.element(*id).ty).bespells
                && state.on_table(*id)
                && !flags.has(Flags::BESPELLED)
                && (options.magician_move_and_bespell || !flags.has(Flags::MOVED))
        })
        .collect();
    if ready.is_empty() || pips < numbers.pip_bespell {
        return None;
    }
    let contacts = Contacts::of(battle, state);
    let purses = purses(battle, state, side);
    let mut best: Option<(i32, Command)> = None;
    for who in ready.iter().copied().filter(|id| !contacts.in_contact(*id)) {
        let here = battle.base(state, who);
        let price = purses[0].price(battle, who);
        // HOTT-219: a second 1 costs the Magician himself.
        let misfire = if state.element(who).flags.has(Flags::SPOKE_ONE) { price / 6 } else { price / 40 };
        for target in battle.ids().filter(|t| state.on_table(*t) && battle.enemies(who, *t)) {
            let info = battle.element(target);
            if state.element(target).flags.has(Flags::BESPELLED_AT)
                || !here.within(&battle.base(state, target), numbers.bespell_range * PACE)
                || (contacts.in_contact(target) && !options.bespell_engaged)
                || (info.ty == TroopType::Pal && options.paladin_bespell == PaladinBespell::Immune)
            {
                continue;
            }
            let aid: Vec<ElementId> = ready
                .iter()
                .copied()
                .filter(|a| {
                    *a != who
                        && !contacts.in_contact(*a)
                        && battle
                            .base(state, *a)
                            .within(&battle.base(state, target), numbers.bespell_aid_range * PACE)
                })
                .collect();
            for aids in 0..=aid.len().min(usize::try_from(numbers.aids_max).unwrap_or(0)) {
                let cost = numbers.pip_bespell + numbers.pip_aid * i32::try_from(aids).unwrap_or(0);
                if cost > pips {
                    break;
                }
                let at = Target::Element(target);
                let fighters = [
                    battle.main_fighter(state, who),
                    battle.target_fighter(state, Mode::Bespelled, who, at, aids),
                ];
                let stakes = [
                    Stake { price, ..Stake::default() },
                    target_stake(battle, state, &contacts, &purses, (target, 1)),
                ];
                let value =
                    bout(&battle.tables, Mode::Bespelled, [&fighters[0], &fighters[1]], stakes, false)
                        - misfire;
                if value > 0 && best.as_ref().is_none_or(|(b, _)| value > *b) {
                    let aids = aid[..aids].to_vec();
                    best = Some((value, Command::Bespell { target: at, who, aids }));
                }
            }
        }
    }
    best
}
