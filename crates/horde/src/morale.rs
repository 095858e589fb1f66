//! Breaking, Fear and Pinning: sections 9, 10.5 and 10.6.

use crate::arms::{Talent, Trait9};
use crate::options::{BreakBase, BreakFearless, BreakThreshold, FearShockPerDof, Options};
use crate::roll::{Degrees, Score};
use crate::rule::Factor;
use crate::unit::{Action, Horde, Unit};
use rulebook::rule;

/// HC-140, HC-145: what has been lost, and of how much.
pub fn loss_and_base(o: &Options, h: &Horde) -> (i32, i32) {
    match o.break_base {
        BreakBase::RoundStart => (h.lost, h.ms),
        BreakBase::Original => (h.lost, h.m0),
        BreakBase::SinceOwnLastTurn => (h.lost_own, h.own),
    }
}

/// HC-140, HC-141: whether that is a quarter.
pub fn is_a_quarter(o: &Options, loss: i32, base: i32) -> bool {
    let times = o.t().r#break.test_times;
    match o.break_threshold {
        BreakThreshold::Exact => loss > 0 && times * loss >= base,
        BreakThreshold::Floor => loss >= (base / times).max(1),
    }
}

/// The least loss that brings a Test, for prompts and cards.
pub fn quarter_of(o: &Options, base: i32) -> i32 {
    let times = o.t().r#break.test_times;
    match o.break_threshold {
        BreakThreshold::Exact => ((base + times - 1) / times).max(1),
        BreakThreshold::Floor => (base / times).max(1),
    }
}

/// HC-142: below half of the original.
pub fn below_half(o: &Options, m: i32, m0: i32) -> bool {
    o.t().r#break.half_times * m < m0
}

/// HC-143: below a quarter of the original.
pub fn below_quarter(o: &Options, m: i32, m0: i32) -> bool {
    o.t().r#break.auto_times * m < m0
}

/// HC-147: whether nothing breaks it.
pub fn never_breaks(o: &Options, u: &Unit) -> bool {
    u.has(Talent::Fearless) && o.break_fearless == BreakFearless::NeverBreaks
}

/// HC-143, HC-147, HC-196: whether it breaks without a Test.
pub fn breaks_by_itself(o: &Options, u: &Unit) -> bool {
    u.fights()
        && u.horde().is_some_and(|h| below_quarter(o, h.m, h.m0))
        && !u.has(Talent::Disciplined)
        && !never_breaks(o, u)
}

/// HC-140, HC-146, HC-147: whether it owes a Test, were it taken now.
pub fn must_test(o: &Options, u: &Unit) -> bool {
    let Some(h) = u.horde() else { return false };
    let (loss, base) = loss_and_base(o, h);
    u.fights() && h.m > 0 && !h.tested && !h.skip_test && !never_breaks(o, u) && is_a_quarter(o, loss, base)
}

/// HC-140, HC-142, HC-196: the Willpower Test against breaking.
pub fn break_score(o: &Options, u: &Unit) -> Score {
    let t = o.t();
    let mut f = vec![Factor::new(
        rule!("HC-140"),
        "Challenging",
        t.difficulty.get("challenging").copied().unwrap_or(0),
    )];
    if let Some(h) = u.horde()
        && below_half(o, h.m, h.m0)
    {
        if u.has(Talent::Disciplined) {
            f.push(Factor::new(rule!("HC-196"), "Disciplined", 0));
        } else {
            f.push(Factor::new(rule!("HC-142"), "below half", t.r#break.below_half));
        }
    }
    let shock = shock_modifier(o, u);
    if shock != 0 {
        f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
    }
    Score::new(o, Trait9::Wp.name(), u.profile.value(Trait9::Wp), f)
}

/// HC-088, HC-150: the Fear Test against a rating of 1 to 4.
pub fn fear_score(o: &Options, u: &Unit, rating: i32) -> Score {
    let t = &o.t().fear;
    let at = usize::try_from(rating.clamp(1, o.t().horde.fear_rating_most) - 1).unwrap_or(0);
    let mut f = vec![Factor::new(rule!("HC-088"), "Fear", t.rating.get(at).copied().unwrap_or(0))];
    if u.is_horde() {
        f.push(Factor::new(rule!("HC-150"), "half its Magnitude", u.fear_bonus(o)));
    }
    if u.has(Talent::ResistanceFear) {
        f.push(Factor::new(rule!("HC-088"), "Resistance (Fear)", t.resistance));
    }
    let shock = shock_modifier(o, u);
    if shock != 0 && o.t().handling.strict {
        f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
    }
    Score::new(o, Trait9::Wp.name(), u.profile.value(Trait9::Wp), f)
}

/// HC-147, HC-198: whether Fear and Pinning mean nothing to it.
pub fn is_immune(u: &Unit) -> bool {
    u.has(Talent::Fearless) || (u.is_horde() && u.has(Talent::MobRule))
}

/// HC-088: the Shock table entry of a roll after a failed Fear Test.
pub fn shock_entry(o: &Options, roll: u16, failed: Degrees) -> (i32, u8) {
    let t = &o.t().fear;
    // With `dw` counting a bare failure has no degree yet; the table wants at least what was counted.
    let dof = failed.with_pass(o);
    let dof = if o.fear_shock_per_dof == FearShockPerDof::Every { dof } else { dof - 1 };
    let sum = i32::from(roll) + t.shock_a_degree * dof.max(0);
    let at = t.shock.iter().rposition(|s| sum >= s.from).unwrap_or(0);
    (sum, u8::try_from(at).unwrap_or(0))
}

/// HC-088: -10 to all Tests for the bands that say so.
pub fn shock_modifier(o: &Options, u: &Unit) -> i32 {
    let t = o.t();
    let band = u.shock.and_then(|b| t.fear.shock.get(usize::from(b)));
    match band.map(|s| s.id.as_str()) {
        Some("shaken" | "kept_off") => t.difficulty.get("difficult").copied().unwrap_or(0),
        _ => 0,
    }
}

/// HC-083, HC-152, HC-191: the Pinning Test of `u` under Suppressing Fire by `by`.
pub fn pinning_score(o: &Options, u: &Unit, by: &Unit, mode: Action) -> Score {
    let t = &o.t().suppress;
    let base = if mode == Action::Full { t.full } else { t.semi };
    let mut f = vec![Factor::new(
        rule!("HC-083"),
        if mode == Action::Full { "Full Auto" } else { "Semi-Auto" },
        base,
    )];
    if by.is_horde() {
        f.push(Factor::new(rule!("HC-191"), "Magnitude of the firing Horde", by.suppress_penalty(o)));
    }
    if u.is_horde() {
        f.push(Factor::new(rule!("HC-152"), "its own Magnitude", u.pin_bonus(o)));
    }
    let shock = shock_modifier(o, u);
    if shock != 0 {
        f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
    }
    Score::new(o, Trait9::Wp.name(), u.profile.value(Trait9::Wp), f)
}

/// HC-040 to HC-044, HC-170, HC-179: the Evasion Test of `u` against an attack by `by`; `None` if the attack
/// cannot be evaded in this way.
pub fn evasion_score(
    o: &Options,
    u: &Unit,
    by: &Unit,
    dodge: bool,
    parry_bonus: i32,
    mods: Vec<Factor>,
) -> Option<Score> {
    let penalty = by.evasion_penalty(o)?;
    let p = &u.profile;
    let mut f = Vec::new();
    if by.is_horde() {
        f.push(Factor::new(rule!("HC-170"), "size of the Horde", penalty));
    }
    if !dodge && parry_bonus != 0 {
        f.push(Factor::new(rule!("HC-044"), "weapon", parry_bonus));
    }
    if u.person().is_some_and(|p| p.guarded) {
        f.push(Factor::new(rule!("HC-020"), "Guarded Action", o.t().guarded.evasion));
    }
    let shock = shock_modifier(o, u);
    if shock != 0 {
        f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
    }
    f.extend(mods);
    let (of, base) = if dodge { ("Dodge", p.dodge) } else { ("Parry", p.parry) };
    Some(Score::new(o, of, base, f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hx19_hx21_hx22_thresholds() {
        let o = Options::default();
        assert!(is_a_quarter(&o, 9, 35) && !is_a_quarter(&o, 8, 35));
        let mut floor = o;
        floor.set("break.threshold", "floor").unwrap();
        assert!(is_a_quarter(&floor, 8, 35));
        assert!(!below_quarter(&o, 9, 35) && below_quarter(&o, 8, 35));
        assert!(below_half(&o, 15, 35) && !below_half(&o, 18, 35));
        assert!(is_a_quarter(&o, 6, 20) && !is_a_quarter(&o, 6, 40));
    }

    #[test]
    fn a_quarter_and_the_least_loss_agree() {
        for word in ["exact", "floor"] {
            let mut o = Options::default();
            o.set("break.threshold", word).unwrap();
            for base in 1..200 {
                let least = quarter_of(&o, base);
                assert!(is_a_quarter(&o, least, base) && !is_a_quarter(&o, least - 1, base), "{word} {base}");
            }
        }
    }
}
