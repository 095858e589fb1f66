//! Shooting (HH-144 to HH-185): who, when, at what, with how many dice, needing what.

use crate::command::{Command, Group};
use crate::event::Event;
use crate::hex::Hex;
use crate::play::{Done, Play};
use crate::refusal::Refusal;
use crate::sight::{blocked_by, entered_sides};
use crate::state::{Formation, Phase, State, bits, flag};
use crate::table::{Side, Table};
use crate::tables::{Ground, Shelter, Shooting, Traits, Troop};
use crate::zones::{adjacent, enemies_of, in_arc, troop};
use dice::Ask;
use rulebook::{RuleId, rule};

/// The side that shoots now.
#[must_use]
pub fn shooting_side(s: &State) -> Side {
    if s.phase == Phase::Return { s.phasing.other() } else { s.phasing }
}

/// One shooter at one target: what it throws and needs, with the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// d12s thrown.
    pub dice: u8,
    /// Lowest scores for one, two and three hits; small arms have only the first (the others 13).
    pub scores: [u8; 3],
    /// What is added or taken, each with its rule.
    pub parts: Vec<(RuleId, &'static str, i8)>,
}

impl Shot {
    /// Hits of one die.
    #[must_use]
    pub fn hits(&self, die: u16) -> i16 {
        self.scores.iter().filter(|&&s| die >= u16::from(s)).count() as i16
    }
}

/// HH-160, HH-168 to HH-172, HH-180: stands or models that shoot.
#[must_use]
pub fn dice_of(t: &Table, s: &State, u: u8) -> u8 {
    let (unit, profile) = (s.unit(u), t.profile(u));
    let mut n = unit.stands;
    if unit.formation == Formation::Column && !profile.artillery() {
        n = n.min(t.rules.column_stands);
    }
    if profile.traits.has(Traits::COMBINED) {
        n = n.min(unit.stands.saturating_sub(t.rules.combined_front));
    }
    let in_river = t.map.ground_at(unit.hex) == Ground::River;
    if unit.disrupted() || in_river {
        n = if n == 0 { 0 } else { (n / 2).max(1) };
    }
    n
}

/// Whether a unit came into contact with another this bound (HH-158).
fn new_contact(t: &Table, s: &State, a: u8, b: u8) -> bool {
    let (x, y) = (s.unit(a), s.unit(b));
    !(x.start.on() && y.start.on() && t.map.grid.distance(x.start, y.start) == 1)
}

/// HH-145 to HH-159, HH-176, HH-182, HH-184: whether a unit may shoot at a target now.
///
/// # Errors
/// The rule that forbids it.
pub fn may_shoot(t: &Table, s: &State, u: u8, target: u8) -> Result<(), Refusal> {
    let (unit, profile) = (s.unit(u), t.profile(u));
    let no = |rule, why| Refusal::new(rule, why).unit(u).other(target);
    let side = shooting_side(s);
    if !unit.hex.on() || t.side(u) != side {
        return Err(no(rule!("HH-043"), "{unit} is not of the side that shoots now"));
    }
    let victim = s.unit(target);
    if !victim.hex.on() || t.side(target) == side {
        return Err(no(rule!("HH-159"), "{other} is no target"));
    }
    if profile.shooting == Shooting::None {
        return Err(no(rule!("HH-161"), "{unit} does not shoot"));
    }
    if unit.is(flag::SHOT) {
        return Err(no(rule!("HH-159"), "{unit} has had its shot in this phase"));
    }
    if s.suppressed >> (u & 63) & 1 == 1 {
        return Err(no(rule!("HH-175"), "{unit} is suppressed"));
    }
    if dice_of(t, s, u) == 0 {
        return Err(no(rule!("HH-172"), "{unit} has no stand left that shoots"));
    }
    if t.profile(target).traits.has(Traits::HT) {
        return Err(no(
            rule!("HH-173"),
            "{other} is a hard target: shooting has no effect on it; it may be suppressed",
        ));
    }
    let range = t.map.grid.distance(unit.hex, victim.hex);
    let contact = adjacent(t, s, side.other(), unit.hex);
    let touching = contact >> (target & 63) & 1 == 1;
    let mut any_side = profile.war_wagon();
    let mut contact_fire = false;
    if contact != 0 {
        let elephants = troop(t, s, u) == Troop::Elephant;
        let came = victim.is(flag::CHARGED) && touching;
        if unit.is(flag::CHARGED) {
            // HH-156: who charged does not shoot, chariots and elephants apart
            let ok = touching
                && ((profile.traits.has(Traits::CHARIOT)) || (elephants && new_contact(t, s, u, target)));
            if !ok {
                return Err(no(rule!("HH-156"), "{unit} moved into contact and does not shoot"));
            }
        } else {
            let ok = came || (elephants && touching && new_contact(t, s, u, target));
            if !ok {
                return Err(no(
                    rule!("HH-156"),
                    "{unit} is in contact: it shoots only at an enemy that moved into contact with it this bound",
                ));
            }
        }
        any_side |= elephants && touching && new_contact(t, s, u, target);
        contact_fire = true;
    } else if adjacent(t, s, side, victim.hex) != 0 {
        return Err(no(rule!("HH-156"), "{other} is in contact with a friend of {unit}"));
    }
    match profile.shooting {
        Shooting::Artillery(n) => {
            let kind = &t.rules.artillery[usize::from(n).min(t.rules.artillery.len() - 1)];
            if unit.is(flag::STIRRED) {
                return Err(no(rule!("HH-176"), "{unit} has moved this bound"));
            }
            if s.phase == Phase::Return && !unit.is(flag::HOLDS) && !contact_fire {
                return Err(no(
                    rule!("HH-184"),
                    "{unit} shoots in the enemy's bound only if it held its fire",
                ));
            }
            if s.phase == Phase::Shooting && unit.is(flag::HOLDS) {
                return Err(no(
                    rule!("HH-183"),
                    "{unit} holds its fire: taking the marker off costs this shot",
                ));
            }
            if !kind.bands.iter().any(|b| (u16::from(b.from)..=u16::from(b.to)).contains(&range)) {
                let most = kind.bands.iter().map(|b| b.to).max().unwrap_or(0);
                return Err(no(
                    rule!("HH-185"),
                    "{other} is at range {have}; {unit} reaches {need}, and not all below",
                )
                .figures(most.into(), range as i16));
            }
        }
        _ => {
            if range > u16::from(t.rules.range) {
                return Err(no(rule!("HH-145"), "{other} is at range {have}; {unit} shoots up to {need}")
                    .figures(t.rules.range.into(), range as i16));
            }
        }
    }
    if !any_side && !in_arc(t, unit.hex, unit.facing, victim.hex) {
        return Err(no(rule!("HH-146"), "{other} is not in the arc of {unit}"));
    }
    if let Some(h) = blocked_by(t, s, side, profile.shooting, unit.hex, victim.hex) {
        return Err(no(rule!("HH-152"), "{unit} cannot see {other}: {hex} is in the way").at(h));
    }
    if behind_hard(t, unit.hex, victim.hex).is_some() {
        return Err(no(
            rule!("HH-173"),
            "{other} is behind a wall: shooting has no effect on it; it may be suppressed",
        ));
    }
    Ok(())
}

/// HH-173: whether a target is behind a hard border for a shot; gives whether it is of stone.
#[must_use]
pub fn behind_hard(t: &Table, from: Hex, to: Hex) -> Option<bool> {
    entered_sides(t, from, to)
        .map(|d| &t.rules.border[t.map.border_at(to, d) as usize])
        .find(|b| b.shelter == Shelter::Hard)
        .map(|b| b.stone)
}

/// What a unit throws and needs against a target, with the parts.
#[must_use]
pub fn shot(t: &Table, s: &State, u: u8, target: u8) -> Shot {
    let mut parts = Vec::new();
    let (dice, scores) = needs(t, s, u, target, |rule, what, n| parts.push((rule, what, n)));
    Shot { dice, scores, parts }
}

/// HH-162 to HH-167, HH-181, HH-185, HH-250: how many dice a unit throws and what it needs against a target; each part of
/// that is told to `part`.
#[must_use]
pub fn needs(
    t: &Table,
    s: &State,
    u: u8,
    target: u8,
    mut part: impl FnMut(RuleId, &'static str, i8),
) -> (u8, [u8; 3]) {
    let (unit, profile) = (s.unit(u), t.profile(u));
    let (victim, prey) = (s.unit(target), t.profile(target));
    let artillery = profile.artillery();
    // cover
    let mut cover = 0_i8;
    let ground = t.rules.ground[t.map.ground_at(victim.hex) as usize].cover as i8;
    if ground > 0 {
        cover += ground;
        part(rule!("HH-163"), "cover of the ground", ground);
    }
    let drop = t.map.height_at(victim.hex) - t.map.height_at(unit.hex);
    let mut border = (0_i8, rule!("HH-110"), "field work");
    for d in entered_sides(t, unit.hex, victim.hex) {
        let n = match t.rules.border[t.map.border_at(victim.hex, d) as usize].shelter {
            Shelter::A1 => (t.rules.armour[0] as i8, rule!("HH-110"), "field work"),
            Shelter::A2 => (t.rules.armour[1] as i8, rule!("HH-110"), "field work"),
            Shelter::Escarpment if drop == 1 => {
                (t.rules.escarpment[0] as i8, rule!("HH-164"), "above an escarpment")
            }
            Shelter::Escarpment if drop > 1 => {
                (t.rules.escarpment[1] as i8, rule!("HH-164"), "above an escarpment")
            }
            _ => continue,
        };
        if n.0 > border.0 {
            border = n;
        }
    }
    if border.0 > 0 {
        cover += border.0;
        part(border.1, border.2, border.0);
    }
    if artillery {
        // HH-181: cover is taken off the die, so the scores rise
        let n = match profile.shooting {
            Shooting::Artillery(n) => usize::from(n),
            _ => 0,
        };
        let range = t.map.grid.distance(unit.hex, victim.hex);
        let scores = t
            .rules
            .artillery
            .get(n)
            .and_then(|a| a.bands.iter().find(|b| (u16::from(b.from)..=u16::from(b.to)).contains(&range)))
            .map_or([13; 3], |b| b.hits);
        return (dice_of(t, s, u), scores.map(|x| x.saturating_add(cover as u8)));
    }
    let gun = profile.traits.has(Traits::GUN);
    let armour = if gun {
        0
    } else if prey.traits.has(Traits::A2) {
        t.rules.armour[1] as i8
    } else if prey.traits.has(Traits::A1) {
        t.rules.armour[0] as i8
    } else {
        0
    };
    if armour > 0 {
        part(rule!("HH-162"), "armour", armour);
    } else if gun && prey.traits.any(Traits::A1.0 | Traits::A2.0) {
        part(rule!("HH-166"), "armour does not count against gunpowder", 0);
    }
    let mut pavise = 0;
    if victim.is(flag::PAVISE) && entered_sides(t, unit.hex, victim.hex).any(|d| victim.facing.fronts(d)) {
        pavise = t.rules.pavise[usize::from(gun)] as i8;
        part(rule!("HH-250"), "pavises", pavise);
    }
    let mut sum = armour + cover + pavise;
    if profile.traits.has(Traits::CROSSBOW) && sum > 0 {
        let less = (t.rules.crossbow as i8).min(sum);
        sum -= less;
        part(rule!("HH-165"), "crossbows", -less);
    }
    let factor = match profile.shooting {
        Shooting::Score(n) => n,
        _ => 13,
    };
    (dice_of(t, s, u), [factor.saturating_add(sum as u8), 13, 13])
}

/// HH-175: stands that shooters behind a hard target show, and how many are needed to suppress each.
#[must_use]
pub fn suppression(t: &Table, s: &State, from: Hex, target: u8) -> Option<(u8, u8)> {
    let victim = s.unit(target);
    let stands = dice_of(t, s, target);
    if t.profile(target).shooting == Shooting::None || stands == 0 {
        return None;
    }
    if t.profile(target).traits.has(Traits::HT) {
        return Some((stands, t.rules.suppress[0]));
    }
    let stone = behind_hard(t, from, victim.hex)?;
    Some((stands, t.rules.suppress[usize::from(stone)]))
}

/// Whether a unit could help to suppress a target: it could shoot if the target were not hard (HH-175).
fn may_suppress(t: &Table, s: &State, u: u8, target: u8) -> Result<u8, Refusal> {
    let no = |rule, why| Refusal::new(rule, why).unit(u).other(target);
    if s.phase != Phase::Shooting {
        return Err(no(rule!("HH-175"), "only the side that shoots first can suppress"));
    }
    let unit = s.unit(u);
    if !s.unit(target).hex.on() || t.side(target) == t.side(u) {
        return Err(no(rule!("HH-175"), "{other} is no target"));
    }
    let Some((_, per)) = suppression(t, s, unit.hex, target) else {
        return Err(no(rule!("HH-174"), "{other} does not shoot from behind a hard target"));
    };
    match may_shoot(t, s, u, target) {
        Ok(()) => Ok(per),
        Err(e) if e.rule == rule!("HH-173") => {
            // all that `may_shoot` asks after the hard target must hold too
            let range = t.map.grid.distance(unit.hex, s.unit(target).hex);
            let small = matches!(t.profile(u).shooting, Shooting::Score(_));
            let seen = in_arc(t, unit.hex, unit.facing, s.unit(target).hex)
                && blocked_by(t, s, t.side(u), t.profile(u).shooting, unit.hex, s.unit(target).hex).is_none();
            let free = enemies_of(t, s, u) == 0 && adjacent(t, s, t.side(u), s.unit(target).hex) == 0;
            if small && range <= u16::from(t.rules.range) && seen && free {
                Ok(per)
            } else {
                Err(no(rule!("HH-175"), "{unit} cannot bring its shots to bear on {other}"))
            }
        }
        Err(e) => Err(e),
    }
}

/// HH-182: whether a unit may hold its fire now.
#[must_use]
pub fn may_hold(t: &Table, s: &State, u: u8) -> bool {
    let unit = s.unit(u);
    s.phase == Phase::Shooting
        && unit.hex.on()
        && t.side(u) == s.phasing
        && t.profile(u).artillery()
        && !unit.is(flag::HOLDS | flag::SHOT | flag::STIRRED)
        && !unit.disrupted()
}

/// HH-183: whether a unit may give up holding its fire now.
#[must_use]
pub fn may_release(t: &Table, s: &State, u: u8) -> bool {
    let unit = s.unit(u);
    s.phase == Phase::Shooting
        && unit.hex.on()
        && t.side(u) == s.phasing
        && unit.is(flag::HOLDS)
        && !unit.is(flag::SHOT)
}

/// Units that may shoot at a target now.
#[must_use]
pub fn shooters(t: &Table, s: &State, target: u8) -> u64 {
    if s.shot_at >> (target & 63) & 1 == 1 {
        return 0;
    }
    s.on_table(t, shooting_side(s))
        .filter(|&u| t.profile(u).shooting != Shooting::None && may_shoot(t, s, u, target).is_ok())
        .fold(0, |m, u| m | 1 << u)
}

/// Units that may help to suppress a target now, and the stands needed.
#[must_use]
pub fn suppressors(t: &Table, s: &State, target: u8) -> u64 {
    if s.phase != Phase::Shooting || s.suppressed >> (target & 63) & 1 == 1 {
        return 0;
    }
    s.on_table(t, shooting_side(s))
        .filter(|&u| t.profile(u).shooting != Shooting::None && may_suppress(t, s, u, target).is_ok())
        .fold(0, |m, u| m | 1 << u)
}

/// Whether the side that shoots has anything to do.
#[must_use]
pub fn any(t: &Table, s: &State) -> bool {
    let side = shooting_side(s);
    let mut can = false;
    for u in s.on_table(t, side) {
        if t.profile(u).shooting == Shooting::None || s.unit(u).is(flag::SHOT) {
            continue;
        }
        can = true;
        if may_hold(t, s, u) || may_release(t, s, u) {
            return true;
        }
    }
    can && s.on_table(t, side.other()).any(|x| {
        shooters(t, s, x) != 0
            || bits(suppressors(t, s, x)).next().is_some_and(|_| suppress_groups(t, s, x).is_some())
    })
}

/// The units that together can suppress a target, if they can.
#[must_use]
pub fn suppress_groups(t: &Table, s: &State, target: u8) -> Option<u64> {
    let mask = suppressors(t, s, target);
    let first = bits(mask).next()?;
    let (stands, per) = suppression(t, s, s.unit(first).hex, target)?;
    let have: u16 = bits(mask).map(|u| u16::from(dice_of(t, s, u))).sum();
    (have >= u16::from(stands) * u16::from(per)).then_some(mask)
}

/// Every group that may shoot or suppress now, each once.
pub fn candidates(t: &Table, s: &State, out: &mut Vec<Command>) {
    let side = shooting_side(s);
    for target in s.on_table(t, side.other()) {
        subsets(shooters(t, s, target), |mask| out.push(Command::Shoot(target, Group::of_mask(mask))));
        if suppress_groups(t, s, target).is_some() {
            subsets(suppressors(t, s, target), |mask| {
                let group = Group::of_mask(mask);
                if enough(t, s, target, &group).is_ok() {
                    out.push(Command::Suppress(target, group));
                }
            });
        }
    }
    for u in s.on_table(t, side) {
        if may_hold(t, s, u) {
            out.push(Command::Hold(u));
        }
        if may_release(t, s, u) {
            out.push(Command::Release(u));
        }
    }
}

/// Shooters at one target of which every group is listed. More than that see one unit only in armies of artillery, and
/// the groups double with each of them.
const EVERY_GROUP: u32 = 14;

/// All non-empty subsets of a mask; of more than [`EVERY_GROUP`] units each alone, each pair, the first so many, and all of
/// them. Whatever else a player names is judged as any command.
fn subsets(mask: u64, mut each: impl FnMut(u64)) {
    if mask.count_ones() > EVERY_GROUP {
        let mut first = 0_u64;
        for u in bits(mask) {
            each(1 << u);
            bits(mask).filter(|&x| x < u).for_each(|x| each(1 << u | 1 << x));
            first |= 1 << u;
            let n = first.count_ones() as usize;
            if n > 2 && n <= crate::command::MAX_GROUP {
                each(first);
            }
        }
        return;
    }
    let mut sub = mask;
    while sub != 0 {
        each(sub);
        sub = (sub - 1) & mask;
    }
}

/// HH-175: whether these units show stands enough to suppress a target.
///
/// # Errors
/// The rule that forbids it, with the stands needed.
pub fn enough(t: &Table, s: &State, target: u8, group: &Group) -> Result<(), Refusal> {
    let mut have = 0_i16;
    let mut need = 0_i16;
    for &u in group.ids() {
        let per = may_suppress(t, s, u, target)?;
        have += i16::from(dice_of(t, s, u));
        need = need.max(i16::from(dice_of(t, s, target)) * i16::from(per));
    }
    if have >= need {
        Ok(())
    } else {
        Err(Refusal::new(rule!("HH-175"), "to suppress {other} takes {need} stands; there are {have}")
            .other(target)
            .figures(need, have))
    }
}

impl Play<'_> {
    /// HH-295: several units shoot at one target, and the result is applied.
    ///
    /// # Errors
    /// The rule that forbids it for any of them, or the dice.
    pub fn shoot(&mut self, target: u8, group: &Group) -> Done {
        if self.s.shot_at >> (target & 63) & 1 == 1 {
            return Err(Refusal::new(rule!("HH-295"), "{other} has been shot at in this phase already")
                .other(target)
                .into());
        }
        for &u in group.ids() {
            may_shoot(self.t, self.s, u, target)?;
        }
        let shots: Vec<(u8, Shot)> =
            group.ids().iter().map(|&u| (u, shot(self.t, self.s, u, target))).collect();
        let moment = self.moment();
        let asks: Vec<Ask> = shots
            .iter()
            .flat_map(|(u, x)| {
                (0..x.dice).map(move |n| Ask::new("shot", u64::from(*u) * 16 + u64::from(n), moment, 12))
            })
            .collect();
        let mut values = vec![0; asks.len()];
        self.throw(&asks, &mut values)?;
        let mut at = 0;
        let mut total = 0;
        for (u, x) in &shots {
            let dice = &values[at..at + usize::from(x.dice)];
            at += usize::from(x.dice);
            let hits: i16 = dice.iter().map(|&d| x.hits(d)).sum();
            total += hits;
            self.s.unit_mut(*u).flags |= flag::SHOT;
            let need = if self.t.profile(*u).artillery() { 0 } else { x.scores[0] };
            self.tell(Event::Shot(*u, target, need, x.dice, hits as u8));
        }
        self.s.shot_at |= 1 << target;
        self.begin_result(false, 1 << target);
        self.take_hits(self.t.side(target), &[(target, total, false)]);
        Ok(())
    }

    /// HH-175: units suppress a target instead of rolling.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn suppress(&mut self, target: u8, group: &Group) -> Done {
        enough(self.t, self.s, target, group)?;
        for &u in group.ids() {
            self.s.unit_mut(u).flags |= flag::SHOT;
        }
        self.s.suppressed |= 1 << target;
        self.tell(Event::Suppressed(target));
        Ok(())
    }

    /// HH-182: hold fire.
    ///
    /// # Errors
    /// If it may not.
    pub fn hold(&mut self, u: u8) -> Done {
        if !may_hold(self.t, self.s, u) {
            return Err(Refusal::new(
                rule!("HH-182"),
                "{unit} cannot hold its fire: that is for stationary artillery instead of shooting in its own phase",
            )
            .unit(u)
            .into());
        }
        self.s.unit_mut(u).flags |= flag::HOLDS | flag::SHOT;
        self.tell(Event::Holds(u, true));
        Ok(())
    }

    /// HH-183: hold fire no longer.
    ///
    /// # Errors
    /// If it does not hold, or not now.
    pub fn release(&mut self, u: u8) -> Done {
        if !may_release(self.t, self.s, u) {
            return Err(Refusal::new(
                rule!("HH-183"),
                "{unit} has no hold-fire marker that it could take off in its own Shooting phase now",
            )
            .unit(u)
            .into());
        }
        let unit = self.s.unit_mut(u);
        unit.flags = (unit.flags & !flag::HOLDS) | flag::SHOT;
        self.tell(Event::Holds(u, false));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A battery of twenty pieces at one target has a million groups: what is listed stays a list.
    #[test]
    fn groups_of_many_shooters_are_listed_once_and_not_without_end() {
        for n in [1, 5, 14, 15, 20, 40] {
            let mask = (1_u64 << n) - 1;
            let mut all = Vec::new();
            subsets(mask, |m| all.push(m));
            let count = all.len();
            assert!(all.contains(&mask), "all of {n} together");
            assert!((0..n).all(|u| all.contains(&(1 << u))), "each of {n} alone");
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "each group of {n} once");
            let every = (1_usize << n.min(14)) - 1;
            assert!(if n <= 14 { count == every } else { count < 1000 }, "{n}: {count}");
        }
    }
}
